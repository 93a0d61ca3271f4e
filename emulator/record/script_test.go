package record

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// compile compiles the test host and returns its path.
func compile(t *testing.T, compiler string, flags ...string) string {
	t.Helper()
	return compileFile(t, "testdata/host.c", compiler, flags...)
}

func compileFile(t *testing.T, file, compiler string, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath(compiler)
	if err != nil {
		t.Skip("no C compiler")
	}
	for _, name := range []string{"pica200_record.h", file} {
		_, err := os.ReadFile(name) // tells go test that the result depends on this file
		require.NoError(t, err)
	}
	args := append(flags, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I.", file)
	key := strings.Join(append(args, cc), " ")
	if hosts[key] == "" {
		host := filepath.Join(hostsDir, fmt.Sprint("host", len(hosts)))
		runs(t, cc, append(args, "-o", host)...)
		hosts[key] = host
	}
	return hosts[key]
}

// script returns a file with the events of a trace in the host's format. fcram is the size of main memory for a host whose GPU
// writes to memory, 0 for one whose GPU keeps its drawings.
func script(t *testing.T, tr *picatrace.Trace, fcram uint32) string {
	t.Helper()
	var out []byte
	words := func(w ...uint32) {
		for _, v := range w {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	var gpu *pipeline.GPU
	if fcram != 0 {
		p := testkit.Must(pipeline.NewPlayer(tr, pipeline.Options{FCRAM: fcram}))(t)
		gpu = p.GPU
		defer gpu.Close()
	}
	for _, b := range picatrace.Blocks() {
		if len(tr.Initial[b]) > 0 {
			words(4, uint32(b), uint32(len(tr.Initial[b])))
			words(tr.Initial[b]...)
		}
	}
	var before [2][]byte // memory before a command
	for i := range tr.Frames() {
		f := testkit.Must(tr.Frame(i))(t)
		for _, e := range f.Events {
			if e.Kind == picatrace.Load {
				words(1, e.Words[0], uint32(len(e.Data)))
				out = append(out, e.Data...)
				if gpu != nil {
					require.NoError(t, gpu.Load(t.Context(), e.Words[0], e.Data))
				}
				continue
			}
			words(2)
			words(e.Words[:4]...)
			if gpu == nil {
				continue
			}
			command := slices.Contains(commands, e.Words[0])
			if command {
				eachMemory(t, gpu, fcram, func(r int, data []byte) { before[r] = append(before[r][:0], data...) })
			}
			require.NoError(t, gpu.WriteRegister(t.Context(), e.Words[0], uint64(e.Words[3])<<32|uint64(e.Words[2]), uint8(e.Words[1])))
			if !command {
				continue
			}
			eachMemory(t, gpu, fcram, func(r int, after []byte) {
				for at := 0; at < len(after); at += 256 {
					if page := after[at:min(at+256, len(after))]; !bytes.Equal(page, before[r][at:at+len(page)]) {
						words(5, bases[r]+uint32(at), uint32(len(page)))
						out = append(out, page...)
					}
				}
			})
		}
		words(3)
	}
	words(0)
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, out, 0o644))
	return path
}

// eachMemory calls f with main memory and the part of video memory that random states use, one after the other, after all drawing
// has finished.
func eachMemory(t *testing.T, g *pipeline.GPU, fcram uint32, f func(r int, data []byte)) {
	require.NoError(t, g.Finish(t.Context()))
	for i, size := range [2]uint32{fcram, 1 << 20} {
		data := testkit.Must(g.Read(bases[i], size))(t)
		f(i, data)
	}
}

// pictures replays a recording and returns a checksum of the screens and the render target for each frame.
func pictures(t *testing.T, tr *picatrace.Trace) [][32]byte {
	t.Helper()
	return picturesBut(t, tr, nil)
}

// picturesBut is pictures without the render target of the given frames.
func picturesBut(t *testing.T, tr *picatrace.Trace, without []bool) [][32]byte {
	t.Helper()
	var all [][32]byte
	g, err := pipeline.Replay(context.Background(), tr, pipeline.Options{}, func(g *pipeline.GPU, f pipeline.Frame) error {
		var b bytes.Buffer
		b.Write(g.Screen(pipeline.ScreenTop).Pix)
		b.Write(g.Screen(pipeline.ScreenBottom).Pix)
		b.Write(g.Screen(pipeline.ScreenTopRight).Pix)
		if target, err := g.LastTarget(); err == nil && (without == nil || !without[f.Index]) {
			b.Write(target.Color)
		}
		all = append(all, sha256.Sum256(b.Bytes()))
		return nil
	})
	require.NoError(t, err)
	g.Close()
	return all
}

// loadedLast reports for each frame whether memory is loaded after its last command: the GPU does not read that, so recordings may
// omit it.
func loadedLast(t *testing.T, tr *picatrace.Trace) (last []bool) {
	now := false
	for i := range tr.Frames() {
		f := testkit.Must(tr.Frame(i))(t)
		for _, e := range f.Events {
			now = e.Kind == picatrace.Load || now && !slices.Contains(commands, e.Words[0])
		}
		last = append(last, now)
	}
	return last
}

// runs runs a program and returns what it prints.
func runs(t *testing.T, program string, args ...string) string {
	t.Helper()
	text, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, "%s", text)
	return string(text)
}

func open(t *testing.T, path string) *picatrace.Trace {
	t.Helper()
	return states.Parse(t, testkit.Read(t, path))
}
