//go:build linux

package main

import (
	"context"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// --frames A-B writes frames with their own numbers, for recordings and scenes, with the same pictures as without it.
func TestRenderFrameRange(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	trace := at("demo.ctf")
	ok(t, "demo", "-o", trace, "--frames", "4")
	require.NoError(t, os.WriteFile(at("m.yaml"), []byte("target: {width: 16, height: 16}\nmodels: {m: {shape: cone}}\ndraws: [{model: m}]\n"), 0o666))
	for _, c := range []struct {
		file, frames string
		first, last  int
	}{
		{trace, "1-2", 1, 2}, {trace, "3-9", 3, 3}, {trace, "0-0", 0, 0}, {at("m.yaml"), "2-3", 2, 3},
	} {
		all, part := at(filepath.Base(c.file)+"-all")+"/%d.png", at(c.frames)+"/%d.png"
		require.NoError(t, os.MkdirAll(filepath.Dir(all), 0o777))
		require.NoError(t, os.MkdirAll(filepath.Dir(part), 0o777))
		for _, args := range [][]string{{c.file, "-o", all, "--frames", "0-3"}, {c.file, "-o", part, "--frames", c.frames}} {
			stdout := ok(t, append([]string{"render", "--turntable", "0"}, args...)...)
			require.Contains(t, stdout, " in "+args[2])
		}
		var want []string
		for i := c.first; i <= c.last; i++ {
			name := string(rune('0'+i)) + ".png"
			want = append(want, name)
			require.Equal(t, mustRead(t, filepath.Join(filepath.Dir(all), name)), mustRead(t, filepath.Join(filepath.Dir(part), name)), name)
		}
		require.Equal(t, want, listFiles(t, filepath.Dir(part)))
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{trace, "-o", at("x") + "/", "--frames", "4-5"}, "there is no frame 4; the recording has 4, 0 to 3"},
		{[]string{trace, "-o", at("x.png"), "--frames", "1-2"}, "is one picture: put %d into its name"},
		{[]string{trace, "-o", at("x") + "/", "--frames", "2-1"}, "want the first and the last frame"},
		{[]string{trace, "-o", at("x") + "/", "--frames=-1"}, "1 or more"},
		{[]string{trace, "-o", at("x") + "/", "--frames", "1-99999999999999999999"}, "want the first and the last frame"},
		{[]string{trace, "-o", at("x") + "/", "--frames", "1-2", "--frame", "1"}, "exclude it"},
		{[]string{trace, "-o", at("x") + "/", "--frames", "1-2", "--target", "pass0"}, "exclude it"},
		{[]string{"-", "-o", at("x.png"), "--watch"}, "--watch is for files"},
		{[]string{at("none.yaml"), "-o", at("x.png"), "--watch"}, "no such file"},
	} {
		status, _, stderr := invoke(t, append([]string{"render"}, c.args...)...)
		require.NotZero(t, status)
		require.Contains(t, stderr, c.want)
		require.NoFileExists(t, at("x.png"))
	}
}

// --watch draws again when the scene or a referenced file changes. An error is printed and keeps the last picture; an interrupt
// ends it successfully with a complete picture.
func TestRenderWatch(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) { require.NoError(t, os.WriteFile(at(name), []byte(text), 0o666)) }
	const scene = "target: {width: 16, height: 16, clear: {color: [0, 0, 0, 1], depth: 1}}\nprograms: {p: {sources: [a.v.pica]}}\nmodels: {m: {shape: quad}}\ndraws: [{program: p, model: m}]\n"
	shader := func(value string) string {
		return ".constf h(-0.5, 0, 0, 0)\n.constf k(" + value + ")\n.in at v0\n.out pos position\n.out clr color\n.proc main\n\tmov pos, k.wwww\n\tmov pos.xy, at\n\tmov pos.z, h.x\n\tmov clr, k\n\tend\n.end\n"
	}
	write("s.yaml", scene)
	write("a.v.pica", shader("1, 0, 0, 1"))
	var out, problems printed
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan int, 1)
	go func() {
		done <- run(ctx, newConsole(&out, &problems), []string{"render", at("s.yaml"), "-o", at("x.png"), "--watch"})
	}()
	until := func(what string, ok func() bool) {
		t.Helper()
		require.Eventually(t, ok, 30*time.Second, 5*time.Millisecond, what)
	}
	centre := func() [3]uint32 {
		f, err := os.Open(at("x.png"))
		if err != nil {
			return [3]uint32{}
		}
		defer f.Close()
		img := testkit.Must(png.Decode(f))(t, "a picture is whole at any time")
		r, g, b, _ := img.At(8, 8).RGBA()
		return [3]uint32{r >> 8, g >> 8, b >> 8}
	}
	until("the first picture", func() bool { return centre() == [3]uint32{255, 0, 0} })
	write("a.v.pica", shader("0, 1, 0, 1"))
	until("the picture of the changed shader", func() bool { return centre() == [3]uint32{0, 255, 0} })
	write("a.v.pica", ".proc main\n\tmvo\n.end\n")
	until("the error of the broken shader", func() bool { return strings.Contains(problems.String(), "unknown instruction") })
	require.Equal(t, [3]uint32{0, 255, 0}, centre())
	require.NoError(t, os.Remove(at("a.v.pica")))
	until("the file is gone", func() bool { return strings.Contains(problems.String(), "no such file") })
	write("b.v.pica", shader("0, 0, 1, 1"))
	write("s.yaml", strings.Replace(scene, "a.v.pica", "b.v.pica", 1))
	until("the picture of another file", func() bool { return centre() == [3]uint32{0, 0, 255} })
	write("b.v.pica", shader("1, 1, 0, 1"))
	until("the picture of the changed other file", func() bool { return centre() == [3]uint32{255, 255, 0} })
	stop()
	select {
	case status := <-done:
		require.Zero(t, status)
	case <-time.After(30 * time.Second):
		t.Fatal("still runs after the interrupt")
	}
	require.Equal(t, [3]uint32{255, 255, 0}, centre())
}
