package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/tests/testkit"
)

// between copies a trace and inserts a command list after its first frame.
func between(t *testing.T, path string, build func(w *pica.CommandWriter)) string {
	t.Helper()
	trace := testkit.Must(citrace.Parse(testkit.Read(t, path)))(t)
	b := citrace.Builder{Initial: trace.Initial}
	frames := 0
	for _, e := range trace.Elements {
		switch e.Type {
		case citrace.FrameMarker:
			b.EndFrame()
			if frames++; frames == 1 {
				var w pica.CommandWriter
				build(&w)
				const list = pica.FCRAMBase + pica.FCRAMSize - 0x1000
				b.Load(list, w.Bytes())
				b.Write(pica.ExtCommandListSize, uint32(4*len(w.Words))>>3)
				b.Write(pica.ExtCommandListAddr, list>>3)
				b.Write(pica.ExtCommandListStart, 1)
			}
		case citrace.MemoryLoad:
			b.Load(e.Address, trace.Payload(e))
		case citrace.RegisterWrite:
			b.Write(e.Address, uint32(e.Value))
		}
	}
	out := testkit.Must(b.Encode())(t)
	path = filepath.Join(t.TempDir(), "between.ctf")
	require.NoError(t, os.WriteFile(path, out, 0o644))
	return path
}

// TestRenderWarnings renders a trace that draws from unmapped memory, and one that hangs the console, both in the middle.
func TestRenderWarnings(t *testing.T) {
	whole := t.TempDir()
	demo := demoTrace(t)
	ok(t, "render", demo, "-o", whole+"/")
	frames := listFiles(t, whole)
	same := func(t *testing.T, a, b string) {
		t.Helper()
		require.True(t, mustRead(t, a) == mustRead(t, b), "%s and %s differ", a, b)
	}

	bad := between(t, demo, func(w *pica.CommandWriter) {
		w.Write(pica.RegAttribbuffersLoc, 0x78000000>>3)
		w.Write(pica.RegNumvertices, 3)
		w.Write(pica.RegGeostageConfig2, 1)
		w.Write(pica.RegDrawarrays, 1)
		w.Write(pica.RegGeostageConfig2, 0)
		w.Finish()
	})
	dir := t.TempDir()
	_, stderr := ends(t, exitDone, "render", bad, "-o", dir+"/")
	require.Regexp(t, `^warning: frame 1, draw 0: draw of 3 vertices \(arrays\) left out: vertex array 0, [^\n]*no memory at 0x78[^\n]*\n$`, stderr)
	require.Equal(t, frames, listFiles(t, dir))
	for _, name := range frames {
		same(t, filepath.Join(whole, name), filepath.Join(dir, name))
	}
	dir = t.TempDir()
	_, stderr = ends(t, exitFailed, "render", bad, "-o", dir+"/", "--strict")
	require.Contains(t, stderr, "frame 1, event")
	require.Contains(t, stderr, "draw 0 (arrays, 3 vertices): vertex array 0")
	require.NotContains(t, stderr, "warning")
	require.FileExists(t, filepath.Join(dir, "frame0-top.png"))
	require.NoFileExists(t, filepath.Join(dir, "frame1-top.png"))

	hangs := between(t, demo, func(w *pica.CommandWriter) { w.WriteAll(0x90, 2, 1, 1) })
	dir = t.TempDir()
	fails(t, exitFailed, "the console would hang", "render", hangs, "-o", dir+"/")
	same(t, filepath.Join(whole, "frame0-top.png"), filepath.Join(dir, "frame0-top.png"))
	out := filepath.Join(t.TempDir(), "out.png")
	fails(t, exitFailed, "out.png holds frame 0, the last that was complete", "render", hangs, "-o", out)
	same(t, filepath.Join(whole, "frame0-top.png"), out)
	out = filepath.Join(t.TempDir(), "out.png")
	ends(t, exitFailed, "render", hangs, "-o", out, "--frame", "1")
	require.NoFileExists(t, out, "only frame 1 is written")
}
