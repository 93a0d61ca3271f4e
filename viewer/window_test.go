//go:build cgo && linux

package viewer_test

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Our own code draws the window's text, panels and picture, equal everywhere. A picture scaled by a fraction is interpolated by the
// graphics driver, and versions of Mesa round differently: a channel may differ by maxDelta,
const maxDelta = 6

// and maxShare of the pixels by more, at edges.
const maxShare = 0.002

// desktop is an X server with its own screen, without a window manager, and the viewer in it.
type desktop struct {
	t       testing.TB
	display string
	server  *os.Process // Xvfb
	dir     string      // of its framebuffer, which is a file
	config  string      // folder of recent files and unsaved changes
	program int         // process of the viewer, set by view
	last    *image.RGBA // last screenshot
}

func newDesktop(t testing.TB, w, h int) *desktop {
	for _, tool := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%v; \"make setup\" installs it on Debian and Ubuntu", err)
		}
	}
	d := &desktop{t: t, dir: t.TempDir(), config: t.TempDir()}
	read, write, err := os.Pipe()
	require.NoError(t, err)
	defer read.Close()
	// Without -noreset the server starts afresh when its last client goes, and refuses the next one that comes too soon.
	x := exec.Command("Xvfb", "-noreset", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", w, h), "-fbdir", d.dir, "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{write}
	err = x.Start()
	write.Close()
	require.NoError(t, err)
	d.server = x.Process
	t.Cleanup(func() {
		_ = d.server.Signal(os.Interrupt)
		_ = x.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	require.NoError(t, err, "the X server did not start")
	d.display = ":" + strings.TrimSpace(number)
	return d
}

// env are the variables with which a program shows its windows there, drawn by Mesa without a graphics card.
func (d *desktop) env() []string {
	return append(os.Environ(), "XDG_CONFIG_HOME="+d.config, "DISPLAY="+d.display, "LIBGL_ALWAYS_SOFTWARE=1", "GALLIUM_DRIVER=llvmpipe")
}

// do runs xdotool, which returns when the server has carried out its commands.
func (d *desktop) do(args ...string) {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = d.env()
	out, err := cmd.CombinedOutput()
	require.NoError(d.t, err, "%s", out)
}

// shot takes a screenshot: a file in the format of xwd (X11/XWDFile.h): a header of 25 words, a name, colours of 12 bytes, and the
// pixels, 32 bits each.
func (d *desktop) shot() *image.RGBA {
	data := testkit.Read(d.t, filepath.Join(d.dir, "Xvfb_screen0"))
	word := func(i int) int { return int(binary.BigEndian.Uint32(data[4*i:])) }
	w, h, line := word(4), word(5), word(12)
	at := word(0) + 12*word(19)
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		from, to := data[at+y*line:][:4*w], img.Pix[y*img.Stride:][:4*w]
		for i := 0; i < len(to); i += 4 {
			to[i], to[i+1], to[i+2], to[i+3] = from[i+2], from[i+1], from[i], 255
		}
	}
	return img
}

// patience is the longest wait for a change on a busy machine.
const patience = 30 * time.Second

// look is the interval between screenshots.
const look = 30 * time.Millisecond

// idle reports whether all threads of the viewer sleep.
func (d *desktop) idle() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", d.program))
	for _, path := range threads {
		data, _ := os.ReadFile(path) // a thread may have ended
		if _, state, ok := bytes.Cut(data, []byte(") ")); ok && state[0] != 'S' {
			return false
		}
	}
	return true
}

// settled waits until the screen differs from the last one, is stable, and the viewer is idle. It is for screens without a stored
// picture.
func (d *desktop) settled() *image.RGBA {
	d.t.Helper()
	end := time.Now().Add(patience)
	now, since := d.shot(), time.Now()
	for time.Now().Before(end) {
		time.Sleep(look)
		if next := d.shot(); !d.idle() || !bytes.Equal(next.Pix, now.Pix) {
			now, since = next, time.Now()
			continue
		}
		if time.Since(since) > 300*time.Millisecond && (d.last == nil || !bytes.Equal(now.Pix, d.last.Pix)) {
			d.last = now
			return now
		}
	}
	d.t.Fatal("the window did not change, or did not come to rest")
	return nil
}

// until takes screenshots until wrong returns "".
func (d *desktop) until(wrong func(screen *image.RGBA) string) *image.RGBA {
	d.t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(look) {
		d.last = d.shot()
		said := wrong(d.last)
		if said == "" {
			return d.last
		}
		if time.Now().After(end) {
			out := filepath.Join(os.TempDir(), "pica200-"+d.t.Name()+".png")
			writePNG(d.t, out, d.last)
			d.t.Fatalf("after %v: %s; the screenshot is %s", patience, said, out)
		}
	}
}

// again waits until the screen equals an earlier one.
func (d *desktop) again(want *image.RGBA, what string) {
	d.t.Helper()
	d.until(func(screen *image.RGBA) string {
		if bytes.Equal(screen.Pix, want.Pix) {
			return ""
		}
		return "the screen is another than " + what
	})
}

// shows waits until the screen equals the picture in testdata.
func (d *desktop) shows(name string) *image.RGBA {
	d.t.Helper()
	path := filepath.Join("testdata", "window", name+".png")
	if testkit.Updating() {
		got := d.settled()
		require.NoError(d.t, os.MkdirAll(filepath.Dir(path), 0o755))
		writePNG(d.t, path, got)
		return got
	}
	data, err := os.ReadFile(path)
	require.NoError(d.t, err, "run the test with -update to write it")
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(d.t, err)
	want := image.NewRGBA(img.Bounds())
	draw.Draw(want, want.Rect, img, want.Rect.Min, draw.Src)
	return d.until(func(screen *image.RGBA) string {
		share := differ(screen, want)
		if share <= maxShare {
			return ""
		}
		return fmt.Sprintf("%.2f%% of the pixels differ from %s", 100*share, path)
	})
}

// differ is the share of pixels that differ by more than maxDelta.
func differ(a, b *image.RGBA) float64 {
	if a.Rect != b.Rect {
		return 1
	}
	n := 0
	for i := 0; i < len(a.Pix); i += 4 {
		for c := range 3 {
			if x, y := a.Pix[i+c], b.Pix[i+c]; max(x, y)-min(x, y) > maxDelta {
				n++
				break
			}
		}
	}
	return float64(n) / float64(len(a.Pix)/4)
}

func writePNG(t testing.TB, path string, img image.Image) {
	f := testkit.Must(os.Create(path))(t)
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(f, img))
	require.NoError(t, f.Close())
}

// program builds pica200 once.
func program(t *testing.T) string {
	built.Do(func() {
		var err error
		built.dir, err = os.MkdirTemp("", "pica200-window")
		require.NoError(t, err)
		out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", built.dir, "../cmd/pica200").CombinedOutput()
		require.NoError(t, err, "%s", out)
	})
	return filepath.Join(built.dir, "pica200")
}

// built is the folder of the program, which TestMain removes.
var built struct {
	sync.Once
	dir string
}

// view starts pica200 view in a folder.
func (d *desktop) view(bin, dir string, args ...string) *exec.Cmd {
	d.t.Helper()
	cmd := exec.Command(bin, append([]string{"view"}, args...)...)
	cmd.Dir, cmd.Env = dir, d.env()
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(d.t, cmd.Start())
	d.program = cmd.Process.Pid
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

// workplace copies files of testdata to a temporary folder.
func workplace(t *testing.T, names ...string) string {
	dir := t.TempDir()
	for _, n := range names {
		data := testkit.Read(t, filepath.Join("testdata", n))
		require.NoError(t, os.WriteFile(filepath.Join(dir, n), data, 0o644))
	}
	return dir
}

func TestWindowOfAScene(t *testing.T) {
	d := newDesktop(t, 800, 480)
	dir := workplace(t, "window.yaml", "window.v.pica")
	shader := filepath.Join(dir, "window.v.pica")
	source := testkit.Read(t, shader)
	cmd := d.view(program(t), dir, "window.yaml", "--size", "800x480")

	d.shows("first")
	d.do("mousemove", "300", "200", "mousedown", "1", "mousemove", "340", "200", "mousemove", "400", "230", "mouseup", "1")
	d.shows("orbit")
	d.do("key", "Tab")
	d.shows("panel")

	d.do("key", "slash")
	d.do("type", "material diffuse")
	d.do("key", "Return")
	d.do("type", "0.1 0.7 0.3 1")
	d.do("key", "Return")
	d.do("mousemove", "10", "10")
	d.shows("edited")
	d.do("key", "Escape", "Escape") // closes the search, then the panel
	closed := d.settled()

	// A saved shader is assembled and shown in less than a second. The time is only logged, because the machine may be busy.
	changed := bytes.Replace(source, []byte("mov r0.xyz, position"), []byte("mul r0.xyz, half, position"), 1)
	require.NotEqual(t, source, changed)
	start := time.Now()
	require.NoError(t, os.WriteFile(shader, changed, 0o644))
	d.until(func(screen *image.RGBA) string {
		if bytes.Equal(screen.Pix, closed.Pix) {
			return "a saved shader does not show"
		}
		return ""
	})
	t.Logf("a saved shader showed after %v", time.Since(start).Round(time.Millisecond))
	d.do("key", "Escape") // closes the reload note
	d.shows("reloaded")

	wrong := bytes.Replace(source, []byte("mov outColor, color"), []byte("mov outColor, colour"), 1)
	require.NoError(t, os.WriteFile(shader, wrong, 0o644))
	d.shows("error")

	// A deleted, truncated or garbage file does not end the viewer.
	if !testkit.Short() {
		require.NoError(t, os.Remove(shader))
		d.settled()
		require.NoError(t, os.WriteFile(shader, source[:len(source)/2], 0o644))
		d.settled()
		require.NoError(t, os.WriteFile(shader, bytes.Repeat([]byte{0, 255, 7}, 5000), 0o644))
		d.settled()
	}
	require.NoError(t, os.WriteFile(shader, source, 0o644))
	d.again(closed, "before the shader was changed")

	d.do("key", "r")
	d.settled()
	d.do("mousemove", "375", "262", "click", "1")
	d.do("mousemove", "10", "10")
	d.shows("inspector")

	// Closing with changes asks first.
	d.do("key", "ctrl+q")
	d.shows("question")
	d.do("key", "Escape")
	d.shows("inspector")
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

// TestWindowSizes checks the layout of a larger window with everything open.
func TestWindowSizes(t *testing.T) {
	testkit.Slow(t)
	d := newDesktop(t, 1280, 720)
	dir := workplace(t, "window.yaml", "window.v.pica")
	d.view(program(t), dir, "window.yaml", "--size", "1280x720", "--panel")
	d.shows("large-panel")
	d.do("key", "F1")
	d.shows("large-keys")

	// A German keyboard has ü at the position of "[", and types "[" with AltGr.
	if _, err := exec.LookPath("setxkbmap"); err != nil {
		t.Skip("setxkbmap is not installed: keyboards of other layouts are not tried")
	}
	d.do("key", "Escape", "Tab")
	d.settled()
	layout := exec.Command("setxkbmap", "de")
	layout.Env = d.env()
	out, err := layout.CombinedOutput()
	require.NoError(t, err, "%s", out)
	d.do("key", "udiaeresis")
	last := d.settled()
	d.do("key", "bracketleft")
	d.settled()
	d.do("key", "plus")
	d.again(last, "before the key in the place of the other bracket went back")
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
