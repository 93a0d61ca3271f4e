//go:build unix

// Package resources runs pica200 on expensive files, each in its own process, and checks bounds of memory and processor time.
package resources

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Limits for a hostile file. Time is processor time, so that other load on the machine does not count.
const (
	maxBytes   = 1 << 30
	maxSeconds = 10
	giveUp     = 2 * time.Minute // wall-clock limit: a waiting process uses no processor time
)

// hostile is a file and the commands to run on it. FILE is its path, OUT a folder that does not exist yet.
type hostile struct {
	name, file string
	data       func() []byte
	commands   []string
	part       float64 // fraction of maxSeconds allowed, 1 if 0: for files smaller than the worst case
}

var onTraces = []string{"render FILE -o OUT/", "inspect FILE --stats", "explain FILE 3 3"}

var files = []hostile{
	{"vertices of culled draws", "a.ctf", culled, []string{"render FILE -o OUT/", "inspect FILE --stats"}, 0},
	{"ever other textures", "a.ctf", textures, onTraces, 0},
	{"ever other states", "a.ctf", states, onTraces, 0},
	{"ever other programs", "a.ctf", programs, onTraces, 0.35},
	{"ever other targets", "a.ctf", targets, onTraces, 0},
	{"an endless list", "a.ctf", endless, onTraces, 0},
	{"immediate vertices", "a.ctf", immediate, onTraces, 0},
	{"a vertex shader that spins", "a.ctf", spins, onTraces, 0},
	{"a geometry shader that emits", "a.ctf", emits, []string{"render FILE -o OUT/"}, 0},
	{"great transfers", "a.ctf", transfers, []string{"render FILE -o OUT/"}, 0},
	{"a hundred thousand workers", "a.ctf", endless, []string{"render FILE -o OUT/ --workers 100000"}, 0},
	{"a scene of many keys", "a.yaml", manyKeys("uniforms:\n", "  u%d: 1\n"), []string{"render FILE -o OUT/", "inspect FILE"}, 0},
	{"a scene of many draws", "a.yaml", manyKeys("draws:\n", "  - {name: d%d}\n"), []string{"render FILE -o OUT/"}, 0},
	{"a scene that nests", "a.yaml", nested, []string{"render FILE -o OUT/", "inspect FILE"}, 0},
	{"a scene of anchors", "a.yaml", anchors, []string{"render FILE -o OUT/", "inspect FILE"}, 0},
	{"a golden case of many keys", "a.case.yaml", manyKeys("tolerance:\n", "  k%d: 1\n"), []string{"golden run DIR"}, 0},
	{"a picture of 60000x60000 pixels", "a.png", greatPNG, []string{"inspect FILE"}, 0},
	{"a model of four thousand million vertices", "a.gltf", greatModel, []string{"render FILE -o OUT/", "inspect FILE"}, 0},
	{"an OBJ of many faces", "a.obj", manyFaces, []string{"render FILE -o OUT/"}, 0},
	{"a shader of many lines", "a.pica", manyLines, []string{"asm FILE -o OUT.shbin"}, 0},
}

func TestHostileFilesStayWithinLimits(t *testing.T) {
	testkit.Slow(t)
	bin := filepath.Join(t.TempDir(), "pica200")
	build := exec.Command("go", "build", "-trimpath", "-o", bin, "./cmd/pica200")
	build.Dir = testkit.Repository(t)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, h := range files {
		t.Run(h.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, h.file)
			data := h.data()
			require.NoError(t, os.WriteFile(path, data, 0o600))
			for _, command := range h.commands {
				args := strings.Fields(strings.NewReplacer("FILE", path, "OUT", filepath.Join(dir, "out"), "DIR", dir).Replace(command))
				name := strings.Fields(command)[0]
				ctx, cancel := context.WithTimeout(t.Context(), giveUp)
				defer cancel()
				cmd := exec.CommandContext(ctx, bin, args...)
				var output bytes.Buffer
				cmd.Stdout, cmd.Stderr = &output, &output
				err := cmd.Run()
				require.NoError(t, ctx.Err(), "%s takes more than %v", name, giveUp)
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) {
					t.Fatal(err)
				}
				text := output.String()
				require.NotContains(t, text, "goroutine ", "%s dies:\n%.2000s", name, text)
				code := cmd.ProcessState.ExitCode()
				require.Contains(t, []int{0, 1, 3}, code, "%s exits with %d:\n%.2000s", name, code, text)
				usage := cmd.ProcessState.SysUsage().(*syscall.Rusage)
				rss := int64(usage.Maxrss)
				if runtime.GOOS != "darwin" {
					rss <<= 10
				}
				spent := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				t.Logf("%-8s of %7d bytes: %5d MiB, %6.2f s, exit %d", name, len(data), rss>>20, spent.Seconds(), code)
				require.Less(t, rss, int64(maxBytes), "%s takes too much memory", name)
				limit := maxSeconds * cmp.Or(h.part, 1)
				require.Less(t, spent.Seconds(), limit, "%s takes too long", name)
			}
		})
	}
}

func manyKeys(head, line string) func() []byte {
	return func() []byte {
		b := []byte("name: a\n" + head)
		for i := range 50000 {
			b = fmt.Appendf(b, line, i)
		}
		return b
	}
}

func nested() []byte { return []byte("name: " + strings.Repeat("[", 100000) + "\n") }

// anchors is the "billion laughs" document.
func anchors() []byte {
	b := []byte("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 12; i++ {
		b = fmt.Appendf(b, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 9), i-1)
	}
	return b
}

// greatPNG is a PNG header with a huge size and no pixels.
func greatPNG() []byte {
	b := []byte("\x89PNG\r\n\x1a\n")
	chunk := func(name string, data []byte) {
		b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
		from := len(b)
		b = append(append(b, name...), data...)
		b = binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[from:]))
	}
	var head []byte
	head = binary.BigEndian.AppendUint32(head, 60000)
	head = binary.BigEndian.AppendUint32(head, 60000)
	chunk("IHDR", append(head, 8, 6, 0, 0, 0))
	chunk("IDAT", nil)
	chunk("IEND", nil)
	return b
}

func greatModel() []byte {
	return []byte(`{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
"accessors": [{"componentType": 5126, "type": "VEC3", "count": 4000000000, "min": [0,0,0], "max": [1,1,1]}]}`)
}

func manyFaces() []byte {
	b := []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\n")
	for range 50000 {
		b = append(b, "f 1 2 3\n"...)
	}
	return b
}

func manyLines() []byte {
	b := []byte(".proc main\n")
	for range 200000 {
		b = append(b, "\tmov r0, r0\n"...)
	}
	return append(b, "\tend\n.end\n"...)
}
