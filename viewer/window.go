//go:build cgo

package viewer

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"pica200/viewer/app"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// GLFW and OpenGL must be called from the thread that the program began on.
func init() { runtime.LockOSThread() }

// Run opens a window that shows source s, and returns when it is closed. If s is nil, the
// window opens the file Options.First, or asks for one. Run closes s. It must be called
// from the main goroutine.
func Run(ctx context.Context, s session.Source, o Options) (err error) {
	if err := initGLFW(); err != nil {
		return err
	}
	defer glfw.Terminate()
	// The memory of a GPU is large and hardly used, but counts: a quarter more may be garbage, not as much again.
	defer debug.SetGCPercent(debug.SetGCPercent(25))
	win, err := open("pica200", &o)
	if err != nil {
		return err
	}
	defer win.Destroy()
	p, err := newPainter()
	if err != nil {
		return err
	}
	defer p.close()

	o.Wake = glfw.PostEmptyEvent
	o.KeyLabel = keyLabel
	if m := glfw.GetPrimaryMonitor(); m != nil && m.GetVideoMode() != nil {
		o.DisplayHeight = m.GetVideoMode().Height
	}
	a := app.New(s, o.Options)
	defer func() { err = errors.Join(err, a.Close()) }()
	screen := a.Screen()
	screen.Clipboard, screen.SetClipboard = glfw.GetClipboardString, glfw.SetClipboardString
	stop := context.AfterFunc(ctx, glfw.PostEmptyEvent)
	defer stop()

	defer func() {
		if wrong := recover(); wrong != nil {
			err = fmt.Errorf("a mistake in pica200 ended the window: %v\n%s\n%s", wrong, debug.Stack(), a.Rescue())
		} else if ctx.Err() != nil {
			if said := a.Rescue(); said != "" { // a signal ended it, without a question
				fmt.Fprintln(os.Stderr, said)
			}
		}
	}()
	var shapes [ui.NumShapes]*glfw.Cursor // nil is an arrow
	for s, of := range map[ui.Shape]glfw.StandardCursor{ui.Hand: glfw.HandCursor, ui.Beam: glfw.IBeamCursor, ui.Across: glfw.HResizeCursor, ui.Along: glfw.VResizeCursor, ui.Cross: glfw.CrosshairCursor} {
		shapes[s] = glfw.CreateStandardCursor(of)
	}
	shape, redraw := ui.Arrow, true
	connect(win, a, &redraw)
	resize(win, a)
	title := ""
	for !a.Quit() && ctx.Err() == nil {
		switch wait := a.Wait(); {
		case redraw || wait == 0:
			glfw.PollEvents()
		case wait < 0:
			glfw.WaitEvents()
		default:
			glfw.WaitEventsTimeout(wait.Seconds())
		}
		if s := screen.Shape(); s != shape {
			shape = s
			win.SetCursor(shapes[s])
		}
		if o.Each != nil {
			o.Each(a, glfw.PostEmptyEvent)
		}
		if !a.Update() && !redraw {
			continue
		}
		redraw = false
		if t := a.Title(); t != title {
			title = t
			win.SetTitle(t)
		}
		w, h := win.GetFramebufferSize()
		if w == 0 || h == 0 {
			continue // made an icon
		}
		p.draw(a, w, h)
		win.SwapBuffers()
		if o.Frame != nil && o.Frame(a) {
			break
		}
		if o.Resize != nil {
			if w, h, ok := o.Resize(); ok {
				win.SetSize(w, h)
			}
		}
	}
	return nil
}

// initGLFW begins GLFW.
func initGLFW() error {
	said, err := quietly(glfw.Init)
	if err != nil || said != "" {
		return fmt.Errorf("no display to open a window on (%s); on a machine without one, \"pica200 render\" makes pictures", said)
	}
	return nil
}

// quietly calls a function of GLFW and returns its error as text. The bindings write platform errors to the log and continue, or
// panic.
func quietly(f func() error) (said string, err error) {
	var text strings.Builder
	old, flags := log.Writer(), log.Flags()
	log.SetOutput(&text)
	log.SetFlags(0)
	defer func() {
		log.SetOutput(old)
		log.SetFlags(flags)
		if e := recover(); e != nil {
			err = fmt.Errorf("%v", e)
		}
		said = strings.TrimSpace(strings.TrimPrefix(text.String(), "PlatformError: "))
		if said == "" && err != nil {
			said = strings.TrimSpace(err.Error())
		}
	}()
	return "", f()
}

func open(name string, o *Options) (win *glfw.Window, err error) {
	glfw.WindowHint(glfw.ContextVersionMajor, 4)
	glfw.WindowHint(glfw.ContextVersionMinor, 1)
	glfw.WindowHint(glfw.OpenGLProfile, glfw.OpenGLCoreProfile)
	glfw.WindowHint(glfw.OpenGLForwardCompatible, glfw.True)
	glfw.WindowHint(glfw.ScaleToMonitor, glfw.True)
	if o.Hidden {
		glfw.WindowHint(glfw.Visible, glfw.False)
	}
	w, h := o.Width, o.Height
	if w <= 0 || h <= 0 {
		w, h = 1280, 720
	}
	said, err := quietly(func() error {
		win, err = glfw.CreateWindow(w, h, name, nil, nil)
		return err
	})
	if err != nil || win == nil {
		return nil, fmt.Errorf("no window with OpenGL 4.1 core (%s); the graphics driver must offer it, Mesa's software driver does (LIBGL_ALWAYS_SOFTWARE=1)", said)
	}
	win.MakeContextCurrent()
	if err := gl.InitWithProcAddrFunc(glfw.GetProcAddress); err != nil {
		win.Destroy()
		return nil, fmt.Errorf("OpenGL 4.1: %w", err)
	}
	glfw.SwapInterval(1)
	win.SetSizeLimits(320, 200, glfw.DontCare, glfw.DontCare)
	return win, nil
}

// resize tells the app the window's size in pixels.
func resize(win *glfw.Window, a *app.App) {
	w, h := win.GetFramebufferSize()
	sx, _ := win.GetContentScale()
	a.Resize(w, h, float64(sx))
}

// keyLabel returns the keyboard's label of a key.
func keyLabel(k app.Key) string {
	if k <= ' ' || k >= 128 || k >= 'A' && k <= 'Z' {
		return "" // letters are where they are printed
	}
	name := glfw.GetKeyName(glfw.Key(k), 0)
	if app.Labelled(k, name) != k {
		return "" // a key of another command lies there
	}
	return strings.ToUpper(name)
}

// connect passes events on.
func connect(win *glfw.Window, a *app.App, redraw *bool) {
	// Mouse positions are in screen units, which are not always pixels.
	point := func(x, y float64) image.Point {
		w, h := win.GetSize()
		fw, fh := win.GetFramebufferSize()
		return image.Pt(int(x*float64(fw)/float64(max(w, 1))), int(y*float64(fh)/float64(max(h, 1))))
	}
	// Where the mouse was when it was told last; GLFW would ask where it is
	// now, which may be further on than the events are.
	at := point(win.GetCursorPos())
	win.SetCloseCallback(func(w *glfw.Window) {
		w.SetShouldClose(false) // there may be a question first
		a.Leave()
	})
	win.SetKeyCallback(func(_ *glfw.Window, k glfw.Key, scancode int, action glfw.Action, m glfw.ModifierKey) {
		if action != glfw.Release {
			a.Key(app.Labelled(app.Key(k), glfw.GetKeyName(k, scancode)), app.Mods(m)&(app.Shift|app.Ctrl|app.Alt|app.Super))
		}
	})
	win.SetDropCallback(func(_ *glfw.Window, names []string) {
		if len(names) > 0 {
			a.Drop(names[0])
		}
	})
	win.SetCharCallback(func(_ *glfw.Window, r rune) { a.Char(r) })
	win.SetMouseButtonCallback(func(_ *glfw.Window, b glfw.MouseButton, action glfw.Action, m glfw.ModifierKey) {
		if action == glfw.Press {
			a.Press(app.Button(b), app.Mods(m), at)
		} else {
			a.Release(at)
		}
	})
	win.SetCursorPosCallback(func(_ *glfw.Window, x, y float64) {
		at = point(x, y)
		a.Move(at)
	})
	win.SetScrollCallback(func(_ *glfw.Window, _, y float64) {
		if y != 0 {
			a.Scroll(y)
		}
	})
	win.SetFramebufferSizeCallback(func(w *glfw.Window, _, _ int) { resize(w, a); *redraw = true })
	win.SetContentScaleCallback(func(w *glfw.Window, _, _ float32) { resize(w, a); *redraw = true })
	win.SetRefreshCallback(func(*glfw.Window) { *redraw = true })
}
