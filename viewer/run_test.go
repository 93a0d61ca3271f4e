//go:build cgo && linux

package viewer_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer"
	"pica200/viewer/app"
	"pica200/viewer/session"
)

// asEnv makes the test binary run one of children instead of tests, because windows must be opened from the main goroutine. Its
// value is a name and an argument.
const asEnv = "PICA200_TEST_AS"

var children = map[string]func(arg string) error{
	"windows": openMany, "close": closeChanged, "drop": dropFile, "interrupt": recordInterrupted, "timing": timeWindow, "ends": ends, "restores": restores,
}

func TestMain(m *testing.M) {
	if name, arg, ok := strings.Cut(os.Getenv(asEnv), " "); ok {
		if err := children[name](arg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if signal.Ignored(syscall.SIGHUP) { // by nohup; a program that handles it starts others that do not ignore it
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	status := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(status)
}

// child runs one of children on a desktop and returns its output.
func child(t testing.TB, d *desktop, as string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(d.env(), asEnv+"="+as)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// openMany opens, resizes and closes n windows and prints the goroutines and memory after the tenth and the last.
func openMany(arg string) error {
	n, err := strconv.Atoi(arg)
	if err != nil {
		return err
	}
	for i := range n {
		s, err := session.Open("testdata/window.yaml", session.Options{})
		if err != nil {
			return err
		}
		frames := 0
		o := viewer.Options{Options: app.Options{Panel: i%2 == 0, Turntable: true}, Width: 400, Height: 300}
		o.Frame = func(a *app.App) bool {
			if frames++; frames == 4 {
				switch i % 4 { // the window closes with anything open
				case 0:
					a.Key(app.KeyF1, 0)
				case 1:
					a.Key('O', app.Ctrl)
				case 2:
					a.Key(app.KeyF10, 0)
				}
			}
			return frames >= 8 && a.Picture() != nil
		}
		o.Resize = func() (w, h int, ok bool) { return 400 + 20*frames, 300 + 10*frames, frames < 6 }
		if err := viewer.Run(context.Background(), s, o); err != nil {
			return err
		}
		if i == 9 || i == n-1 {
			// Time for the window's goroutines to end.
			time.Sleep(200 * time.Millisecond)
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			fmt.Printf("%d %d %d\n", i+1, runtime.NumGoroutine(), m.HeapAlloc)
		}
	}
	return nil
}

// TestOpenResizeClose opens 25 windows one after another. With -race the child, which is the same binary, also runs under the race
// detector.
func TestOpenResizeClose(t *testing.T) {
	testkit.Slow(t)
	d := newDesktop(t, 800, 600)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(d.env(), asEnv+"=windows 25", "GORACE=halt_on_error=1")
	var said strings.Builder
	cmd.Stderr = &said
	out := testkit.Must(cmd.Output())(t, "%s", said.String())
	require.NotContains(t, said.String(), "DATA RACE")
	var at, goroutines, memory [2]int
	for i, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		testkit.Must(fmt.Sscan(line, &at[i], &goroutines[i], &memory[i]))(t, "%s", out)
	}
	require.Equal(t, [2]int{10, 25}, at)
	require.LessOrEqual(t, goroutines[1], goroutines[0], "goroutines after 10 and after 25 windows")
	require.Less(t, memory[1], memory[0]+3<<19, "bytes of memory in use after 10 and after 25 windows")
	t.Logf("goroutines %v, bytes in use %v", goroutines, memory)
}

// showing shows the test scene. From its first picture on step is called for each frame, until it says that it is done.
func showing(ctx context.Context, o viewer.Options, step func(a *app.App) (done bool)) error {
	s, err := session.Open("testdata/window.yaml", session.Options{})
	if err != nil {
		return err
	}
	end := time.Now().Add(patience)
	o.Frame = func(a *app.App) bool {
		glfw.PostEmptyEvent()
		return a.Picture() != nil && step(a) || time.Now().After(end)
	}
	return viewer.Run(ctx, s, o)
}

// dropFile calls the window's drop callback, as GLFW does when files are dropped.
func dropFile(path string) error {
	said := ""
	o := viewer.Options{Options: app.Options{Open: func(path string) (session.Source, error) { return session.Open(path, session.Options{}) }}}
	return showing(context.Background(), o, func(a *app.App) bool {
		if said == "" {
			said = a.Title()
			win := glfw.GetCurrentContext()
			drop := win.SetDropCallback(nil)
			if drop == nil {
				return true
			}
			win.SetDropCallback(drop)
			drop(win, nil)
			drop(win, []string{path, "testdata/absent.yaml"})
		}
		t := a.Title()
		if t != said {
			fmt.Println(said, "then", t)
		}
		return t != said
	})
}

// closeChanged calls the close callback, as the window's close button does, while the camera is changed: it answers stay, then
// discard.
func closeChanged(string) error {
	step := 0
	return showing(context.Background(), viewer.Options{Options: app.Options{Panel: true}}, func(a *app.App) bool {
		win := glfw.GetCurrentContext()
		shut := win.SetCloseCallback(nil)
		win.SetCloseCallback(shut)
		switch step++; step {
		case 1:
			change(a)
			win.SetShouldClose(true)
			shut(win)
			shut(win) // a second time
		case 2:
			fmt.Println(a.Title(), a.Screen().Popup() != nil, win.ShouldClose(), a.Quit())
			a.Key(app.KeyEscape, 0)
		case 3:
			fmt.Println(a.Title(), a.Screen().Popup() != nil, win.ShouldClose(), a.Quit())
			shut(win)
			a.Key('D', 0)
			fmt.Println(a.Quit())
		}
		return step > 10
	})
}

// change changes a value in the panel of uniforms.
func change(a *app.App) {
	for _, r := range "/dmp_FragmentLighting.enabled" {
		a.Char(r)
	}
	a.Key(app.KeyEnter, 0)
	a.Key(app.KeyRight, 0)
}

// ends changes a value of a scene, and has a mistake, or kills its own process or the X server when the change is kept.
func ends(arg string) error {
	how, recent, _ := strings.Cut(arg, " ")
	pid, err := strconv.Atoi(how)
	kept, changed := filepath.Join(filepath.Dir(recent), "unsaved", "unsaved-001.json"), false
	return showing(context.Background(), viewer.Options{Options: app.Options{Recent: recent, Panel: true}}, func(a *app.App) bool {
		if changed {
			return false
		}
		changed = true
		change(a)
		if err != nil {
			panic(how)
		}
		go func() {
			for info, err := os.Stat(kept); err != nil || info.Size() == 0; info, err = os.Stat(kept) {
				time.Sleep(10 * time.Millisecond)
			}
			_ = syscall.Kill(cmp.Or(pid, os.Getpid()), syscall.SIGKILL)
		}()
		return false
	})
}

// restores restores what was kept.
func restores(recent string) error {
	return showing(context.Background(), viewer.Options{Options: app.Options{Recent: recent}}, func(a *app.App) bool {
		if a.Screen().Popup() != nil {
			a.Key('R', 0)
		}
		fmt.Println(a.Title())
		return a.Title()[0] == '*'
	})
}

// What is not saved is offered again after a mistake in the window, which is told, after a kill, and when the X server goes.
func TestNoEndLosesChanges(t *testing.T) {
	for _, how := range []string{"panic", "0", "X server"} {
		d := newDesktop(t, 800, 600)
		recent := filepath.Join(t.TempDir(), "recent")
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(d.env(), fmt.Sprintf("%s=ends %s %s", asEnv, strings.Replace(how, "X server", strconv.Itoa(d.server.Pid), 1), recent))
		out, err := cmd.CombinedOutput()
		require.Error(t, err, how)
		if how == "panic" {
			require.Contains(t, string(out), "run_test.go", "the place of the mistake")
			require.Contains(t, string(out), filepath.Join(filepath.Dir(recent), "unsaved", "unsaved-001.json"))
		}
		require.Contains(t, child(t, newDesktop(t, 800, 600), "restores "+recent), "*window.yaml", how)
	}
}

func TestCloseButtonAsksToSave(t *testing.T) {
	d := newDesktop(t, 800, 600)
	require.Equal(t, "*window.yaml - pica200 true false false\n*window.yaml - pica200 false false false\ntrue\n", child(t, d, "close -"))
}

func TestDroppedFileOpens(t *testing.T) {
	d := newDesktop(t, 800, 600)
	require.Equal(t, "window.yaml - pica200 then triangles.yaml - pica200\n", child(t, d, "drop testdata/triangles.yaml"))
}

// recordInterrupted records a window into a folder until the program is interrupted, as by Ctrl-C.
func recordInterrupted(dir string) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	begun := false
	o := viewer.Options{Options: app.Options{Turntable: true, OutDir: dir}, Width: 400, Height: 300}
	return errors.Join(showing(ctx, o, func(a *app.App) bool {
		if !begun {
			begun = true
			a.Key(app.KeyF9, 0)
			err = syscall.Kill(os.Getpid(), syscall.SIGINT)
		}
		return err != nil
	}), err)
}

// A recording is written when Ctrl-C ends the program.
func TestInterruptedRecordingIsWritten(t *testing.T) {
	d := newDesktop(t, 800, 600)
	dir := t.TempDir()
	child(t, d, "interrupt "+dir)
	f := testkit.Must(os.Open(filepath.Join(dir, "window-recording-001.gif")))(t)
	defer f.Close()
	g := testkit.Must(gif.DecodeAll(f))(t)
	require.NotEmpty(t, g.Image)
	require.Equal(t, image.Pt(400, 240), g.Image[0].Rect.Size())
}

// A recording survives the end of the terminal or the X server.
func TestRecordingSurvivesTerminalAndXServer(t *testing.T) {
	testkit.Slow(t)
	bin := program(t)
	for name, end := range map[string]func(d *desktop, cmd *exec.Cmd) error{
		"terminal": func(_ *desktop, cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGHUP) },
		"X server": func(d *desktop, _ *exec.Cmd) error { return d.server.Kill() },
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesktop(t, 800, 600)
			dir := workplace(t, "window.yaml", "window.v.pica")
			cmd := d.view(bin, dir, "window.yaml", "--size", "400x300")
			read := func() (*gif.GIF, error) {
				f, err := os.Open(filepath.Join(dir, "window-recording-001.gif"))
				if err != nil {
					return nil, err
				}
				defer f.Close()
				return gif.DecodeAll(f)
			}
			begun := func() bool {
				g, err := read()
				return err == nil && len(g.Image) > 2
			}
			d.settled() // recording starts with the first picture
			d.do("key", "t", "F9")
			require.Eventually(t, begun, patience, look)
			lasts := 0 // in hundredths of a second
			if name == "terminal" {
				// The last picture lasts until the end, so the file must have been finished.
				d.do("key", "t")
				d.settled()
				lasts = length(t, read) + 100
				time.Sleep(1200 * time.Millisecond)
			}
			require.NoError(t, end(d, cmd))
			done := make(chan error, 1)
			go func() { done <- cmd.Wait() }()
			select {
			case err := <-done:
				if name == "terminal" {
					require.NoError(t, err)
				}
			case <-time.After(patience):
				t.Fatal("the program does not end")
			}
			require.True(t, begun())
			require.GreaterOrEqual(t, length(t, read), lasts)
		})
	}
}

// length is the duration of a recording in hundredths of a second.
func length(t *testing.T, read func() (*gif.GIF, error)) (sum int) {
	g := testkit.Must(read())(t)
	for _, d := range g.Delay {
		sum += d
	}
	return sum
}

// timeWindow turns a scene in a window and measures it.
func timeWindow(path string) error {
	s, err := session.Open(path, session.Options{})
	if err != nil {
		return err
	}
	const frames = 400
	n, least, end := 0, time.Hour, time.Now().Add(15*time.Second)
	o := viewer.Options{Options: app.Options{Turntable: true, Timing: true}, Width: 1280, Height: 800}
	o.Frame = func(a *app.App) bool {
		p := a.Picture()
		if n++; p == nil || n < frames && time.Now().Before(end) {
			if p != nil {
				least = min(least, p.Took)
			}
			return false
		}
		t := p.Stats.Time
		fmt.Printf("%.1f pictures a second; the fastest took %v, the last %v (geometry %v, fragments %v), %d triangles\n",
			a.Rate(), least.Round(10*time.Microsecond), p.Took.Round(10*time.Microsecond), t.Geometry.Round(10*time.Microsecond), t.Fragments.Round(10*time.Microsecond), p.Stats.Geometry.Primitives)
		return true
	}
	return viewer.Run(context.Background(), s, o)
}

// TestTiming turns a lit model of 10,000 triangles and logs the timing overlay. It checks no rate: that depends on the machine's
// load, and OpenGL runs on the same processor.
func TestTiming(t *testing.T) {
	testkit.Slow(t)
	d := newDesktop(t, 1280, 800)
	out := child(t, d, "timing testdata/triangles.yaml")
	require.Contains(t, out, "pictures a second")
	t.Logf("%s", out)
}

// BenchmarkTurntable turns lit models in a window of 1280x800 and reports the pictures shown per second; -benchtime 1x is enough.
func BenchmarkTurntable(b *testing.B) {
	d := newDesktop(b, 1280, 800)
	text := string(testkit.Read(b, "testdata/triangles.yaml"))
	for _, c := range []struct {
		name, detail string
		draws        int
	}{{"10k", "208, 24", 1}, {"100k", "208, 240", 1}, {"500k", "208, 240", 5}} {
		b.Run(c.name, func(b *testing.B) {
			scene := strings.Replace(text, "208, 24", c.detail, 1)
			for i := 1; i < c.draws; i++ {
				scene += fmt.Sprintf("  - {model: knot, program: main, at: [%d, 0.2, %d], scale: 0.5}\n", i%2*2-1, i/2*2-2)
			}
			path := filepath.Join(b.TempDir(), "triangles.yaml")
			require.NoError(b, os.WriteFile(path, []byte(scene), 0o644))
			rate := 0.0
			for range b.N {
				out := child(b, d, "timing "+path)
				var one float64
				testkit.Must(fmt.Sscan(out, &one))(b, "%s", out)
				rate += one
				b.Logf("%s", out)
			}
			b.ReportMetric(rate/float64(b.N), "pictures/s")
		})
	}
}
