package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/serve/engine"
	"pica200/tests/testkit"
)

// An invalid command line gives an error before anything is served or written.
func TestServeRefusesBadFlags(t *testing.T) {
	dir := t.TempDir()
	html := filepath.Join(dir, "bug.html")
	const trace = "../../testdata/traces/lights.ctf"
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"serve", trace, "--no-open", "--listen", "0.0.0.0:0"}, exitUsage, "--public says that this is meant"},
		{[]string{"serve", trace, "--no-open", "--listen", "[::]:0"}, exitUsage, "--public"},
		{[]string{"serve", trace, "--no-open", "--listen", "localhost:0"}, exitUsage, "an IP address and a port"},
		{[]string{"serve", trace, "--no-open", "--host", "a.example:80"}, exitUsage, "--host is for --public"},
		{[]string{"serve", trace, "--no-open", "--workers", "-1"}, exitUsage, "--workers"},
		{[]string{"serve", "-", "--no-open"}, exitUsage, "standard input"},
		{[]string{"serve", filepath.Join(dir, "none.ctf"), "--no-open"}, exitFailed, "no such file"},
		{[]string{"serve", "serve_test.go", "--no-open"}, exitFailed, "serve_test.go"},
		{[]string{"serve", trace, "--no-open", "--with", filepath.Join(dir, "none")}, exitFailed, "--with"},
		{[]string{"serve", trace, "--frame", "0"}, exitUsage, "--frame and --note are for --export"},
		{[]string{"serve", trace, "--note", "x"}, exitUsage, "--frame and --note are for --export"},
		{[]string{"serve", trace, trace, "--export", html}, exitUsage, "one file"},
		{[]string{"serve", trace, "--export", filepath.Join(dir, "none", "bug.html")}, exitFailed, "there is no folder " + filepath.Join(dir, "none")},
		{[]string{"serve", trace, "--export", html}, exitFailed, "has no engine for browsers"},
	} {
		stdout, stderr := ends(t, c.status, c.args...)
		require.Contains(t, stderr, c.want)
		require.Empty(t, stdout)
	}
	_, err := os.Stat(html)
	require.ErrorIs(t, err, os.ErrNotExist)
}

// A program in a checkout's bin folder builds the engine for exported pages.
func TestServeExportFromCheckout(t *testing.T) {
	testkit.Slow(t)
	dir := t.TempDir()
	top := testkit.Repository(t)
	all := testkit.Must(os.ReadDir(top))(t)
	for _, e := range all {
		if e.Name() != "bin" {
			require.NoError(t, os.Symlink(filepath.Join(top, e.Name()), filepath.Join(dir, e.Name())))
		}
	}
	self := testkit.Must(os.Executable())(t)
	data := testkit.Read(t, self)
	bin, html := filepath.Join(dir, "bin", "pica200"), filepath.Join(dir, "bug.html")
	require.NoError(t, os.Mkdir(filepath.Dir(bin), 0o777))
	require.NoError(t, os.WriteFile(bin, data, 0o777))
	cmd := exec.Command(bin, "serve", "../../testdata/traces/lights.ctf", "--export", html, "--note", "why is <it> dark?")
	cmd.Env = append(os.Environ(), asProgram+"=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "building the engine for browsers from "+dir)
	page := string(testkit.Read(t, html))
	require.Greater(t, len(page), 1<<20, "the page contains an engine")
	require.Contains(t, page, "<pre>why is &lt;it&gt; dark?</pre>")
}

// Another build draws its own pictures for comparison, and ends with the server.
func TestServeWithAnotherBuild(t *testing.T) {
	self, err := os.Executable() // runs as the program if asProgram is set
	require.NoError(t, err)
	t.Setenv(asProgram, "1")
	const trace = "../../testdata/traces/lights.ctf"
	con := newConsole(io.Discard, io.Discard)
	other, stop, err := another(t.Context(), con, self, trace)
	require.NoError(t, err)
	other.Name = "other"
	c := serveCmd{}
	e := engine.New(engine.Options{Blame: blameShot}, c.source(con, trace), other)
	defer e.Close()
	ask := func(r *engine.Request) (*engine.Answer, error) { return e.Do(t.Context(), r) }
	a := testkit.Must(ask(&engine.Request{Op: "pairs", Other: &engine.DrawRef{File: 1}}))(t)
	text := testkit.Must(json.Marshal(a.Value))(t)
	require.Contains(t, string(text), `"different":0,"first":-1`)
	ours := testkit.Must(ask(&engine.Request{Op: "picture", What: "after", Draw: 2}))(t)
	theirs := testkit.Must(ask(&engine.Request{Op: "picture", File: 1, What: "after", Draw: 2}))(t)
	require.Equal(t, ours.Data, theirs.Data)
	_, err = ask(&engine.Request{Op: "picture", File: 1, What: "after", Draw: 99})
	require.ErrorContains(t, err, "the other build: there is no draw 99")
	require.Equal(t, engine.CodeRequest, engine.ErrorOf(err).Code)
	stop()
	_, err = ask(&engine.Request{Op: "picture", File: 1, What: "after", Draw: 1})
	require.ErrorContains(t, err, "the other build does not answer")

	// A screenshot that differs from our screen in one area.
	a = testkit.Must(ask(&engine.Request{Op: "picture", What: "top", Draw: -1}))(t)
	head := a.Value.(engine.Picture)
	img := &image.RGBA{Pix: bytes.Clone(a.Data), Stride: 4 * head.Width, Rect: image.Rect(0, 0, head.Width, head.Height)}
	for i := range 30 {
		img.SetRGBA(200+i%6, 120+i/6, color.RGBA{255, 0, 255, 255})
	}
	var shot bytes.Buffer
	require.NoError(t, png.Encode(&shot, img))
	a = testkit.Must(ask(&engine.Request{Op: "blame", Data: shot.Bytes()}))(t)
	text = testkit.Must(json.Marshal(a.Value))(t)
	require.Contains(t, string(text), `"differing":30,`)
	require.Contains(t, string(text), `"screen":"top"`)
	_, err = ask(&engine.Request{Op: "blame", Data: shot.Bytes()[:40]})
	require.ErrorContains(t, err, "the screenshot")
	huge := image.NewGray(image.Rect(0, 0, 8193, 1))
	shot.Reset()
	require.NoError(t, png.Encode(&shot, huge))
	_, err = ask(&engine.Request{Op: "blame", Data: shot.Bytes()})
	require.ErrorContains(t, err, "sides are 8 to 8192")
}
