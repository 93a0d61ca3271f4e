package main

import (
	"bytes"
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// packedTrace makes a recording with stored pictures.
func packedTrace(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.picatrace")
	ok(t, "trace", "pack", demoTrace(t), "--screens", "-o", path)
	return path
}

func parseFile(t *testing.T, path string) *picatrace.Trace {
	t.Helper()
	return states.Parse(t, testkit.Read(t, path))
}

// A stored picture that the replay does not reproduce is named, with status 1.
func TestTraceVerifyNamesFrame(t *testing.T) {
	path := packedTrace(t)
	stdout := ok(t, "trace", "verify", path)
	require.Contains(t, stdout, "4 pictures of 2 frames are as stored")

	tr := parseFile(t, path)
	var out bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&out, tr.Meta, tr.Initial, picatrace.WriterOptions{}))(t)
	require.NoError(t, w.CopyFrame(tr, 0))
	f := testkit.Must(tr.Frame(1))(t)
	for _, e := range f.Events {
		require.NoError(t, w.Add(e))
	}
	require.NoError(t, w.EndFrame())
	shown := testkit.Must(tr.Shown(1))(t)
	for _, s := range shown {
		if s.Screen == 2 {
			s.RGB = bytes.Clone(s.RGB)
			s.RGB[3*(7*s.Width+5)+1] ^= 0x10
		}
		require.NoError(t, w.Shown(s))
	}
	require.NoError(t, w.Close())
	bad := filepath.Join(t.TempDir(), "bad.picatrace")
	require.NoError(t, os.WriteFile(bad, out.Bytes(), 0o666))
	fails(t, 1, "1 of 4 pictures differ from what is stored\n  frame 1, bottom screen: 1 of 76800 pixels differ, first at (5, 7)", "trace", "verify", bad)

	// A sufficient tolerance accepts it, a smaller one does not, and the pictures are written.
	stdout = ok(t, "trace", "verify", bad, "--delta", "16")
	require.Contains(t, stdout, "4 pictures of 2 frames are as stored, 1 of them within the tolerance")
	ok(t, "trace", "verify", bad, "--share", "0.01")
	worst := filepath.Join(t.TempDir(), "worst")
	fails(t, 1, "frame 1, bottom screen: 1 of 76800 pixels differ by more than 15", "trace", "verify", bad, "--delta", "15", "-o", worst)
	names := testkit.Must(filepath.Glob(filepath.Join(worst, "*")))(t)
	require.Len(t, names, 3)
	open := func(end string) image.Image { return pixels(t, filepath.Join(worst, "frame0001-bottom-"+end+".png")) }
	_, stored, _, _ := open("stored").At(5, 7).RGBA()
	_, drawn, _, _ := open("shown").At(5, 7).RGBA()
	require.EqualValues(t, 0x10, stored>>8^drawn>>8)
	require.NotEqual(t, open("difference").At(5, 7), open("difference").At(5, 8))
	fails(t, exitUsage, "share 200 is out of range", "trace", "verify", bad, "--share", "200")

	fails(t, 1, "no pictures", "trace", "verify", demoTrace(t))
}

// A cut recording keeps the stored pictures and verifies.
func TestTraceCutVerifies(t *testing.T) {
	path := packedTrace(t)
	cut := filepath.Join(t.TempDir(), "cut.picatrace")
	stdout := ok(t, "trace", "cut", path, "--frames", "1", "-o", cut)
	require.Contains(t, stdout, "1 of 2 frames")
	ok(t, "trace", "verify", cut)
	require.Equal(t, 1, parseFile(t, cut).Frames())

	for _, frames := range []string{"2", "1-0", "-1", "0-x", "0-2", ""} {
		status, _, stderr := invoke(t, "trace", "cut", path, "--frames="+frames, "-o", cut)
		require.NotZero(t, status)
		require.Contains(t, stderr, "frame", frames)
	}
}

// A trace without draws gives the reason and advice.
func TestTraceInfoWithoutADraw(t *testing.T) {
	memory := &citrace.Builder{}
	memory.Load(0x20000000, []byte("vertices"))
	memory.EndFrame()
	screens := &citrace.Builder{}
	screens.Write(pica.ExtPdcAddrA0, 0x18000000)
	screens.EndFrame()
	list := &citrace.Builder{}
	var w pica.CommandWriter
	w.Write(pica.RegViewportWidth, 1)
	w.Finish()
	list.Load(0x20000000, w.Bytes())
	list.Write(pica.ExtCommandListSize, uint32(len(w.Bytes()))>>3)
	list.Write(pica.ExtCommandListAddr, 0x20000000>>3)
	list.Write(pica.ExtCommandListStart, 1)
	list.EndFrame()
	for _, c := range []struct {
		b    *citrace.Builder
		want string
	}{
		{&citrace.Builder{}, "the stream is empty"},
		{memory, "no command is recorded"},
		{screens, "no command list was submitted"},
		{list, "1 command lists ran, and none of them writes"},
	} {
		data := testkit.Must(c.b.Encode())(t)
		path := filepath.Join(t.TempDir(), "a.ctf")
		require.NoError(t, os.WriteFile(path, data, 0o666))
		stdout := ok(t, "trace", "info", path, "--json")
		var info traceInfo
		require.NoError(t, json.Unmarshal([]byte(stdout), &info))
		require.Len(t, info.Warnings, 1, stdout)
		require.Contains(t, info.Warnings[0], c.want)
		require.Contains(t, info.Warnings[0], "no draw")
	}
}

// A scene's recording has the same content as its CiTrace, and its title names the scene.
func TestTraceSaveRecording(t *testing.T) {
	dir := inputs(t)
	path := filepath.Join(dir, "s.picatrace")
	ok(t, "trace", "save", filepath.Join(dir, "s.yaml"), "-o", path)
	tr := parseFile(t, path)
	require.Equal(t, "s.yaml", tr.Meta.Title)
	old := parseFile(t, filepath.Join(dir, "t.ctf"))
	require.Equal(t, old.Frames(), tr.Frames())
}

// trace pack omits memory that is never read; --whole keeps it.
func TestTracePackOmitsUnreadMemory(t *testing.T) {
	tr := states.Parse(t, testkit.Read(t, demoTrace(t)))
	var out bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&out, tr.Meta, tr.Initial, picatrace.WriterOptions{}))(t)
	const code = pica.FCRAMBase + 0x07F00000
	require.NoError(t, w.Load(code, []byte("code of a game")))
	require.NoError(t, w.CopyFrame(tr, 0))
	require.NoError(t, w.Close())
	in := filepath.Join(t.TempDir(), "in.picatrace")
	require.NoError(t, os.WriteFile(in, out.Bytes(), 0o644))
	for _, whole := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "out.picatrace")
		args := []string{"trace", "pack", in, "-o", path, "-q"}
		if whole {
			args = append(args, "--whole")
		}
		ok(t, args...)
		f := testkit.Must(parseFile(t, path).Frame(0))(t)
		require.NotEmpty(t, f.Events)
		loaded := slices.ContainsFunc(f.Events, func(e picatrace.Event) bool { return e.Kind == picatrace.Load && e.Words[0] == code })
		require.Equal(t, whole, loaded)
	}
}
