//go:build cgo && linux

package viewer_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// The window's text and panels are drawn by our own code and are the same
// everywhere, and so is the picture; but where it is scaled by a factor that is
// not whole, the graphics driver interpolates it, and drivers and versions of
// Mesa round differently. A channel may differ by this much,
const maxDelta = 6

// and this share of the pixels may differ by more, for edges that fall on the
// other side of a rounding.
const maxShare = 0.002

// desktop is an X server with a screen of its own, without a window manager.
type desktop struct {
	t       testing.TB
	dir     string // of its framebuffer, which is a file
	display string
}

func newDesktop(t testing.TB, w, h int) *desktop {
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed; \"make setup\" installs it on Debian and Ubuntu", tool)
		}
	}
	d := &desktop{t: t, dir: t.TempDir()}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	// Without -noreset the server starts afresh when its last client goes, and
	// refuses the next one that comes too soon.
	x := exec.Command("Xvfb", "-noreset", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-fbdir", d.dir, "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	require.NoError(t, x.Start())
	write.Close()
	t.Cleanup(func() {
		_ = x.Process.Signal(os.Interrupt)
		_ = x.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err, "the X server did not start")
	d.display = ":" + strings.TrimSpace(number)
	return d
}

func (d *desktop) env() []string {
	return append(os.Environ(), "DISPLAY="+d.display, "LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=llvmpipe")
}

// do runs xdotool.
func (d *desktop) do(args ...string) {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = d.env()
	out, err := cmd.CombinedOutput()
	require.NoError(d.t, err, "xdotool %v: %s", args, out)
}

// shot reads the screen: a file in the format of xwd (X11/XWDFile.h): a header
// of 25 words, a name, colours of 12 bytes, and the pixels, 32 bits each.
func (d *desktop) shot() *image.RGBA {
	data, err := os.ReadFile(filepath.Join(d.dir, "Xvfb_screen0"))
	require.NoError(d.t, err)
	word := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	w, h, line := word(4), word(5), word(12)
	at := word(0) + 12*word(19)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p := data[at+y*line+4*x:]
			img.SetRGBA(x, y, color.RGBA{p[2], p[1], p[0], 255})
		}
	}
	return img
}

// patience is how long a change may take on a busy machine.
const patience = 30 * time.Second

// settled waits until the screen has changed from before, if that is not nil,
// and stays.
func (d *desktop) settled(before *image.RGBA) *image.RGBA {
	d.t.Helper()
	end := time.Now().Add(patience)
	last, since := d.shot(), time.Now()
	for time.Now().Before(end) {
		time.Sleep(30 * time.Millisecond)
		now := d.shot()
		if !bytes.Equal(now.Pix, last.Pix) {
			last, since = now, time.Now()
			continue
		}
		if time.Since(since) > 300*time.Millisecond && (before == nil || !bytes.Equal(now.Pix, before.Pix)) {
			return now
		}
	}
	d.t.Fatal("the window did not change")
	return nil
}

// compare holds a screenshot against the one in testdata.
func (d *desktop) compare(name string, got *image.RGBA) {
	d.t.Helper()
	path := filepath.Join("testdata", "window", name+".png")
	if testkit.Updating() {
		require.NoError(d.t, os.MkdirAll(filepath.Dir(path), 0o755))
		writePNG(d.t, path, got)
		return
	}
	data, err := os.ReadFile(path)
	require.NoError(d.t, err, "run the test with -update to write it")
	want, err := png.Decode(bytes.NewReader(data))
	require.NoError(d.t, err)
	require.Equal(d.t, want.Bounds(), got.Bounds())
	differ := 0
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			g := got.RGBAAt(x, y)
			r, gr, b, _ := want.At(x, y).RGBA()
			for _, p := range [3][2]int{{int(g.R), int(r >> 8)}, {int(g.G), int(gr >> 8)}, {int(g.B), int(b >> 8)}} {
				if delta := p[0] - p[1]; max(delta, -delta) > maxDelta {
					differ++
					break
				}
			}
		}
	}
	if share := float64(differ) / float64(got.Rect.Dx()*got.Rect.Dy()); share > maxShare {
		out := filepath.Join(os.TempDir(), "pica200-window-"+name+".png")
		writePNG(d.t, out, got)
		d.t.Errorf("%s: %.2f%% of the pixels differ from %s; the screenshot is %s", name, 100*share, path, out)
	}
}

func writePNG(t testing.TB, path string, img image.Image) {
	f, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, img))
	require.NoError(t, f.Close())
}

// program builds pica200.
func program(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "pica200")
	out, err := exec.Command("go", "build", "-o", path, "../cmd/pica200").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// view starts pica200 view in a folder.
func (d *desktop) view(bin, dir string, args ...string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.Command(bin, append([]string{"view"}, args...)...)
	cmd.Dir, cmd.Env = dir, d.env()
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(d.t, cmd.Start())
	d.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if d.t.Failed() {
			d.t.Logf("pica200 said: %s", said.String())
		}
	})
	d.do("search", "--sync", "--onlyvisible", "--name", "pica200")
	d.do("search", "--name", "pica200", "windowfocus")
	return cmd
}

// workplace copies files of testdata to a folder of their own.
func workplace(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, n := range names {
		data, err := os.ReadFile(filepath.Join("testdata", n))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, n), data, 0o644))
	}
	return dir
}

func TestWindow(t *testing.T) {
	d := newDesktop(t, 800, 480)
	dir := workplace(t, "window.yaml", "window.v.pica")
	shader := filepath.Join(dir, "window.v.pica")
	source, err := os.ReadFile(shader)
	require.NoError(t, err)
	cmd := d.view(program(t), dir, "window.yaml", "--size", "800x480")

	first := d.settled(nil)
	d.compare("first", first)

	d.do("mousemove", "300", "200", "mousedown", "1", "mousemove", "340", "200", "mousemove", "400", "230", "mouseup", "1")
	orbit := d.settled(first)
	d.compare("orbit", orbit)

	d.do("key", "Tab")
	panel := d.settled(orbit)
	d.compare("panel", panel)

	d.do("key", "slash")
	d.do("type", "material diffuse")
	d.do("key", "Return", "Return")
	d.do("type", "0.1 0.7 0.3 1")
	d.do("key", "Return")
	d.do("mousemove", "10", "10")
	edited := d.settled(panel)
	d.compare("edited", edited)
	d.do("key", "Escape", "Escape") // the search, the panel
	closed := d.settled(edited)

	// A saved shader shows, assembled, in less than a second. The time is
	// not held against a machine that is busy with other tests.
	changed := bytes.Replace(source, []byte("mov r0.xyz, position"), []byte("mul r0.xyz, half, position"), 1)
	require.NotEqual(t, source, changed)
	start := time.Now()
	require.NoError(t, os.WriteFile(shader, changed, 0o644))
	for bytes.Equal(d.shot().Pix, closed.Pix) && time.Since(start) < patience {
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("a saved shader showed after %v", time.Since(start).Round(time.Millisecond))
	d.do("key", "Escape") // the note that it was read
	reloaded := d.settled(closed)
	d.compare("reloaded", reloaded)

	wrong := bytes.Replace(source, []byte("mov outColor, color"), []byte("mov outColor, colour"), 1)
	require.NoError(t, os.WriteFile(shader, wrong, 0o644))
	failed := d.settled(reloaded)
	d.compare("error", failed)

	// A file that is gone, half written, or garbage ends nothing.
	require.NoError(t, os.Remove(shader))
	gone := d.settled(failed)
	require.NoError(t, os.WriteFile(shader, source[:len(source)/2], 0o644))
	half := d.settled(gone)
	require.NoError(t, os.WriteFile(shader, bytes.Repeat([]byte{0, 255, 7}, 5000), 0o644))
	garbage := d.settled(half)
	require.NoError(t, os.WriteFile(shader, source, 0o644))
	d.settled(garbage)
	d.do("key", "Escape")
	mended := d.settled(nil)

	d.do("key", "r")
	reset := d.settled(mended)
	d.do("mousemove", "375", "262", "click", "1")
	d.do("mousemove", "10", "10")
	inspected := d.settled(reset)
	d.compare("inspector", inspected)

	// What was changed is asked for before it is lost.
	d.do("key", "ctrl+q")
	asked := d.settled(inspected)
	d.compare("question", asked)
	d.do("key", "Escape")
	d.settled(asked)
	d.do("key", "ctrl+q", "d")
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(patience):
		t.Fatal("the window did not close")
	}
}

// TestWindowSizes looks at the layout of a greater window, with everything
// open that can be.
func TestWindowSizes(t *testing.T) {
	testkit.Slow(t)
	d := newDesktop(t, 1280, 720)
	dir := workplace(t, "window.yaml", "window.v.pica")
	d.view(program(t), dir, "window.yaml", "--size", "1280x720", "--panel")
	panel := d.settled(nil)
	d.compare("large-panel", panel)
	d.do("key", "F1")
	keys := d.settled(panel)
	d.compare("large-keys", keys)

	// On a German keyboard there is ü in the place of "[", and "[" takes AltGr.
	if _, err := exec.LookPath("setxkbmap"); err != nil {
		t.Skip("setxkbmap is not installed: keyboards of other layouts are not tried")
	}
	d.do("key", "Escape", "Tab")
	closed := d.settled(keys)
	layout := exec.Command("setxkbmap", "de")
	layout.Env = d.env()
	out, err := layout.CombinedOutput()
	require.NoError(t, err, "%s", out)
	d.do("key", "udiaeresis")
	last := d.settled(closed)
	d.do("key", "bracketleft")
	before := d.settled(last)
	d.do("key", "plus")
	require.Equal(t, last.Pix, d.settled(before).Pix, "back by the key in the place of the other bracket")
}

func TestNoDisplay(t *testing.T) {
	testkit.Slow(t)
	cmd := exec.Command(program(t), "view", "testdata/window.yaml")
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "DISPLAY=") && !strings.HasPrefix(v, "WAYLAND_DISPLAY=") {
			cmd.Env = append(cmd.Env, v)
		}
	}
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, cmd.ProcessState.ExitCode())
	require.Contains(t, string(out), "no display to open a window on")
	require.NotContains(t, string(out), "panic")
}

func TestNoOpenGL(t *testing.T) {
	testkit.Slow(t)
	d := newDesktop(t, 640, 480)
	cmd := exec.Command(program(t), "view", "testdata/window.yaml")
	cmd.Env = append(d.env(), "MESA_GL_VERSION_OVERRIDE=2.1")
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, cmd.ProcessState.ExitCode())
	require.Contains(t, string(out), "OpenGL 4.1")
}
