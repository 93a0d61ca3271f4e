//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// The tests build the library like make lib, compile C hosts with gcc and run them. They need no cgo themselves.

var lib struct {
	sync.Once
	dir string
	err error
}

// library builds libpica200 once and returns its folder. The build is slow, so every test that calls it is marked slow.
func library(t testing.TB) string {
	t.Helper()
	testkit.Slow(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no C compiler")
	}
	lib.Do(func() {
		if lib.dir, lib.err = os.MkdirTemp("", "libpica200"); lib.err != nil {
			return
		}
		cmd := exec.Command("go", "build", "-buildmode=c-shared", "-ldflags=-s -w", "-o", filepath.Join(lib.dir, "libpica200.so"), ".")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			lib.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	require.NoError(t, lib.err)
	return lib.dir
}

func TestMain(m *testing.M) {
	status := m.Run()
	if lib.dir != "" {
		os.RemoveAll(lib.dir)
	}
	os.Exit(status)
}

// compile compiles a host against the library.
func compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	dir := library(t)
	host := filepath.Join(t.TempDir(), "host")
	args := append([]string{"-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-O1", "-I.", "-o", host, source}, flags...)
	args = append(args, "-L"+dir, "-lpica200", "-Wl,-rpath,"+dir, "-lpthread")
	out, err := exec.Command("gcc", args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return host
}

// commands turns the register writes of a CiTrace that start work into the five commands that an emulator issues.
func commands(e picatrace.Event, ext map[uint32]uint32) picatrace.Event {
	w := e.Words
	if e.Kind != picatrace.Write || w[1] != 4 {
		return e
	}
	ext[w[0]] = w[2]
	at := func(addr uint32) uint32 { return ext[addr] }
	switch w[0] {
	case pica.ExtCommandListStart:
		return picatrace.Event{Kind: picatrace.List, Words: [7]uint32{at(pica.ExtCommandListAddr) << 3, at(pica.ExtCommandListSize) << 3}}
	case pica.ExtMemfillControl, pica.ExtMemfillControl + pica.StrideMemfill:
		if w[2]&1 != 0 {
			return picatrace.Event{Kind: picatrace.Fill, Words: [7]uint32{at(w[0]-12) << 3, at(w[0]-8) << 3, at(w[0] - 4), w[2]}}
		}
	case pica.ExtTransferStart:
		in, out, flags := at(pica.ExtTransferInput)<<3, at(pica.ExtTransferOutput)<<3, at(pica.ExtTransferFlags)
		switch {
		case w[2]&1 == 0:
		case flags&8 != 0:
			return picatrace.Event{Kind: picatrace.Copy, Words: [7]uint32{in, out, at(pica.ExtTextureCopySize), at(pica.ExtTextureCopyInput), at(pica.ExtTextureCopyOutput), flags}}
		default:
			return picatrace.Event{Kind: picatrace.Transfer, Words: [7]uint32{in, out, at(pica.ExtTransferOutputDim), at(pica.ExtTransferInputDim), flags}}
		}
	}
	return e
}

// script returns the events of a trace in the input format of play.c.
func script(t testing.TB, tr *picatrace.Trace) string {
	t.Helper()
	var out []byte
	words := func(w ...uint32) {
		for _, v := range w {
			out = binary.LittleEndian.AppendUint32(out, v)
		}
	}
	for _, b := range picatrace.Blocks() {
		if len(tr.Initial[b]) > 0 {
			words(4, uint32(b), uint32(len(tr.Initial[b])))
			words(tr.Initial[b]...)
		}
	}
	ext := map[uint32]uint32{}
	for i := range tr.Frames() {
		f := testkit.Must(tr.Frame(i))(t)
		for _, e := range f.Events {
			if e.Kind == picatrace.Load {
				words(1, e.Words[0], uint32(len(e.Data)))
				out = append(out, e.Data...)
				continue
			}
			e = commands(e, ext)
			words(2, uint32(e.Kind))
			words(e.Words[:]...)
		}
		words(3)
	}
	words(0)
	path := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(path, out, 0o644))
	return path
}

// sum is the checksum of play.c.
func sum(h uint64, data []byte) uint64 {
	for ; len(data) >= 8; data = data[8:] {
		h = (h ^ binary.LittleEndian.Uint64(data)) * 0x9E3779B97F4A7C15
		h ^= h >> 29
	}
	return h
}

// sumMemory is the memory checksum of play.c: of all pages of video and main memory that are not zero.
func sumMemory(t testing.TB, h uint64, g *pipeline.GPU) uint64 {
	t.Helper()
	var zeros [4096]byte
	require.NoError(t, g.EachPage(t.Context(), func(addr uint32, page []byte) {
		for _, m := range []struct{ addr, n uint32 }{{pica.VRAMBase, pica.VRAMSize}, {pica.FCRAMBase, pica.FCRAMSize}} {
			if at := addr - m.addr; at < m.n && !bytes.Equal(page, zeros[:]) {
				h = sum(h^uint64(at), page)
			}
		}
	}))
	return h
}

var screens = []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight}

// expected replays a trace and returns the expected output of play.c.
func expected(t testing.TB, tr *picatrace.Trace) string {
	t.Helper()
	return expectedOf(t, tr, screens, true)
}

// expectedOf returns checksums of the screens, and of memory if asked, for each frame of a trace.
func expectedOf(t testing.TB, tr *picatrace.Trace, screens []pipeline.Screen, memory bool) string {
	t.Helper()
	var out strings.Builder
	g, err := pipeline.Replay(context.Background(), tr, pipeline.Options{}, func(g *pipeline.GPU, _ pipeline.Frame) error {
		h := uint64(0)
		for _, s := range screens {
			h = sum(h, g.Screen(s).Pix)
		}
		if memory {
			h = sumMemory(t, h, g)
		}
		fmt.Fprintf(&out, "%016x\n", h)
		return nil
	})
	require.NoError(t, err)
	g.Close()
	return out.String()
}

func run(t testing.TB, host string, args ...string) string {
	t.Helper()
	cmd := exec.Command(host, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out := testkit.Must(cmd.Output())(t, "%s", stderr.String())
	return string(out)
}

// watched lists traces that change memory in every way: rendering to textures, transfers, copies, fills, shadow and gas buffers,
// new vertices each frame.
var watched = []string{"lights", "arcs", "gas", "shadow", "x_xfer", "x_shadow", "both_screens", "cubemap", "particles", "b_state", "b_game", "composite_scene"}

// Every trace gives the same screens and memory through the C interface as by replay. Watched traces also run with change detection
// by the library.
func TestTracesThroughCInterface(t *testing.T) {
	host := compile(t, "testdata/play.c")
	traces := testkit.Traces(t)
	watch := map[string]bool{}
	for _, file := range testkit.Named(t, watched...) {
		watch[file.Name] = true
	}
	for _, file := range traces {
		t.Run(file.Name, func(t *testing.T) {
			tr := states.Parse(t, file.Read(t))
			want := expected(t, tr)
			in := script(t, tr)
			require.Equal(t, want, run(t, host, in))
			if watch[file.Name] {
				require.Equal(t, want, run(t, host, in, "watch"))
			}
		})
	}
}

// Two GPUs run in two threads; the library can also allocate the memory.
func TestGPUsInSeveralThreads(t *testing.T) {
	host := compile(t, "testdata/play.c")
	tr := states.Parse(t, testkit.Own(t)[0].Read(t))
	want, in := expected(t, tr), script(t, tr)
	require.Equal(t, want+want, run(t, host, in, "threads"))
	require.Equal(t, want, run(t, host, in, "own"))
}

// A recording made by the library replays to the same pictures.
func TestLibraryRecords(t *testing.T) {
	host := compile(t, "testdata/play.c")
	for _, file := range testkit.Own(t) {
		tr := states.Parse(t, file.Read(t))
		want, in := expected(t, tr), script(t, tr)
		for _, how := range []string{"told", "watch", "own"} {
			path := filepath.Join(t.TempDir(), "out.picatrace")
			require.Equal(t, want, run(t, host, in, how, "record", path))
			data := testkit.Read(t, path)
			rec := states.Parse(t, data)
			require.Empty(t, rec.Findings)
			require.Equal(t, picatrace.Meta{Producer: "play.c", Title: "a script"}, rec.Meta)
			require.Equal(t, want, expected(t, rec), "%s, %s", file.Name, how)
		}
	}
}

// Every wrong call of a host returns an error.
func TestWrongCallsReturnErrors(t *testing.T) {
	out, err := exec.Command(compile(t, "testdata/errors.c")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// The C hosts, and 10,000 calls in random order, run without findings under gcc's address sanitizer, if it is installed.
func TestAddressSanitizer(t *testing.T) {
	asan := []string{"-fsanitize=address", "-g"}
	probe := filepath.Join(t.TempDir(), "probe.c")
	require.NoError(t, os.WriteFile(probe, []byte("int main(void) { return 0; }\n"), 0o644))
	library(t)
	if out, err := exec.Command("gcc", append(asan, "-o", probe+".out", probe)...).CombinedOutput(); err != nil {
		t.Skipf("no address sanitizer: %s", out)
	}
	tr := states.Parse(t, testkit.Own(t)[0].Read(t))
	want, in := expected(t, tr), script(t, tr)
	require.Equal(t, want, run(t, compile(t, "testdata/play.c", asan...), in))
	run(t, compile(t, "testdata/errors.c", asan...))
	calls := compile(t, "testdata/calls.c", asan...)
	for seed := range 4 {
		out := run(t, calls, "2500", fmt.Sprint(1+seed))
		t.Log(out)
		require.Regexp(t, `^2500 calls, [1-9]\d\d+ refused\n$`, out, "seed %d", 1+seed)
	}
}

// The example of docs/LIBRARY.md compiles and does what the page says.
func TestDocumentedHost(t *testing.T) {
	page := testkit.Read(t, "../../docs/LIBRARY.md")
	code := regexp.MustCompile("(?s)```c\n(.*?)```").FindSubmatch(page)
	require.NotNil(t, code)
	dir := t.TempDir()
	source := filepath.Join(dir, "host.c")
	require.NoError(t, os.WriteFile(source, code[1], 0o644))
	host := compile(t, source)
	cmd := exec.Command(host)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	picture := testkit.Read(t, filepath.Join(dir, "top.ppm"))
	head := "P6 400 240 255\n"
	require.Equal(t, head, string(picture[:len(head)]))
	require.Equal(t, strings.Repeat("\x20\x60\xC0", 400*240), string(picture[len(head):]))
}

// The header is valid C and C++, and the library exports every declared function.
func TestHeaderCompilesAndExports(t *testing.T) {
	dir := library(t)
	empty := filepath.Join(t.TempDir(), "empty.c")
	require.NoError(t, os.WriteFile(empty, []byte("typedef pica200_gpu not_empty;\n"), 0o644))
	for _, c := range [][]string{{"gcc", "-std=c99"}, {"gcc", "-std=c17"}, {"g++", "-x", "c++", "-std=c++11"}} {
		if _, err := exec.LookPath(c[0]); err != nil {
			continue
		}
		out, err := exec.Command(c[0], append(c[1:], "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", empty, "-include", "pica200.h", "-I.")...).CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	header := testkit.Read(t, "pica200.h")
	symbols := testkit.Read(t, filepath.Join(dir, "libpica200.so"))
	names := regexp.MustCompile(`(?m)^[a-z].*?\b(pica200_\w+)\(`).FindAllSubmatch(header, -1)
	require.Greater(t, len(names), 20)
	for _, n := range names {
		require.Contains(t, string(symbols), string(n[1])+"\x00")
	}
}

// Calls by an emulator (integration/pica200_hooks.h) are recorded: the recording shows the screens of the trace, and drawing by the
// library leaves the same memory. A second console in the process gets its own recording.
func TestEmulatorHooks(t *testing.T) {
	dir := library(t)
	build := func(what string, flags ...string) string {
		host := filepath.Join(t.TempDir(), what)
		args := append([]string{"-std=c99", "-Wall", "-Wextra", "-Werror", "-O1", "-I.", "-I../record", "-I../integration/src", "-o", host,
			"../integration/testdata/emulator.c", "../integration/src/" + what + ".c"}, flags...)
		out, err := exec.Command("gcc", args...).CombinedOutput()
		require.NoError(t, err, "%s", out)
		return host
	}
	recorder, renderer := build("recorder"), build("renderer", "-L"+dir, "-lpica200", "-Wl,-rpath,"+dir)
	var scripts []string
	var all, drawn strings.Builder
	var traces []*picatrace.Trace
	for _, file := range testkit.Named(t, "lights", "both_screens", "x_xfer") {
		tr := states.Parse(t, file.Read(t))
		clear(tr.Initial) // the emulator starts with cleared state
		traces, scripts = append(traces, tr), append(scripts, script(t, tr))
		for line := range strings.Lines(expectedOf(t, tr, nil, true)) {
			drawn.WriteString("1 " + line)
		}
		all.WriteString(expectedOf(t, tr, screens, false))
	}
	path := filepath.Join(t.TempDir(), "out.picatrace")
	runEnv := func(host, env string) string {
		cmd := exec.Command(host, scripts...)
		cmd.Env = append(os.Environ(), env)
		out := testkit.Must(cmd.Output())(t)
		return string(out)
	}
	require.Equal(t, drawn.String(), runEnv(renderer, "PICA200_DRAW=1"))

	require.NotContains(t, runEnv(renderer, "X=1"), "1 ")
	runEnv(recorder, "PICA200_RECORD="+path)
	var shown strings.Builder
	for i := range traces {
		name := path
		if i > 0 {
			name = strings.Replace(path, ".picatrace", fmt.Sprintf("-%d.picatrace", i+1), 1)
		}
		data := testkit.Read(t, name)
		rec := states.Parse(t, data)
		require.Empty(t, rec.Findings)
		shown.WriteString(expectedOf(t, rec, screens, false))
	}
	require.Equal(t, all.String(), shown.String())
}
