package app

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/explain"
	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// slow is a source with slow rendering.
type slow struct {
	rendered atomic.Int32
	warnings []string
	closed   atomic.Int32
	hold     chan bool // no picture comes before it is closed, if there is one
}

func (s *slow) Info() session.Info { return session.Info{Name: "slow", Camera: true} }
func (s *slow) Warnings() []string { return s.warnings }
func (s *slow) Reload() error      { return fmt.Errorf("nothing to reload") }
func (s *slow) Render(_ context.Context, r *session.Request) (*session.Picture, error) {
	if hold := s.hold; hold != nil {
		<-hold
	} else {
		time.Sleep(30 * time.Millisecond)
	}
	s.rendered.Add(1)
	return &session.Picture{Image: image.NewRGBA(image.Rect(0, 0, 40, 24)), Request: *r, Warnings: s.warnings}, nil
}
func (s *slow) ExplainPixel(context.Context, *session.Picture, int, int) (*explain.History, error) {
	return nil, context.Canceled
}

func (s *slow) List(context.Context, *session.Request) (*drawstate.List, error) {
	return nil, nil
}
func (s *slow) Close()                                                 { s.closed.Add(1) }
func (s *slow) Save(context.Context, *session.Request) (string, error) { return "", nil }

// New warnings are shown, and the status line counts them.
func TestWarningsInStatusLine(t *testing.T) {
	s := &slow{}
	d := drive(t, s, Options{})
	require.Empty(t, d.message.text)
	quiet := d.status()
	s.warnings = []string{"frame 0: one"}
	d.render()
	d.settle()
	require.Equal(t, "warning: frame 0: one", d.message.text)
	require.Equal(t, append(quiet, "1 warning"), d.status())
	d.now = d.now.Add(time.Minute)
	d.render()
	d.Update()
	d.settle()
	require.Empty(t, d.message.text, "a shown warning is not repeated")
	s.warnings = append(s.warnings, "frame 0: two")
	d.render()
	d.settle()
	require.Equal(t, "warning: frame 0: two (and 1 more: W lists them)", d.message.text)
	require.Equal(t, append(quiet, "2 warnings"), d.status())
	s.warnings = nil
	d.render()
	d.settle()
	require.Equal(t, quiet, d.status())
}

// Input never waits for pictures; of many requests the last one is shown.
func TestInputNeverWaitsForPictures(t *testing.T) {
	s := &slow{}
	d := drive(t, s, Options{})
	s.hold = make(chan bool)
	for range 200 {
		d.Key(KeyRight, 0)
		d.Update()
		d.Overlay()
	}
	close(s.hold)
	for d.Picture().Request.Orbit.Yaw < 19.99 {
		<-d.wake
		d.Update()
	}
	require.Less(t, s.rendered.Load(), int32(5), "the first one, the one that was held, the last one")
}

func TestErrorsKeepThePicture(t *testing.T) {
	path, _ := copyScene(t)
	d := drive(t, open(t, path), Options{})
	before := d.Picture()
	good := testkit.Read(t, path)
	require.NoError(t, os.WriteFile(path, []byte("draws: nonsense\n"), 0o644))
	d.until("the files are read", func() bool { return d.Problem() != "" })
	require.Contains(t, d.Problem(), "window.yaml:1:")
	require.Same(t, before, d.Picture())
	require.NoError(t, os.Remove(path))
	d.until("the files are read", func() bool { return !bytes.Contains([]byte(d.Problem()), []byte("nonsense")) })
	require.Same(t, before, d.Picture())
	require.NoError(t, os.WriteFile(path, good, 0o644))
	d.until("the files are read", func() bool { return d.Problem() == "" && d.Picture() != before })

	// An edit that cannot be applied gives an error until another edit replaces it.
	d.req.Edits["x"] = session.Edit{Name: "dmp_Nothing", Values: []any{1.0}}
	d.render()
	d.until("the files are read", func() bool { return d.Problem() != "" })
	delete(d.req.Edits, "x")
	d.render()
	d.until("the files are read", func() bool { return d.Problem() == "" })
}

// Opening a file closes the previous one; a file that cannot be opened does not.
func TestOpeningClosesPreviousFile(t *testing.T) {
	first, second := &slow{}, &slow{}
	d := drive(t, first, Options{Open: func(path string) (session.Source, error) {
		if path == "bad" {
			return nil, fmt.Errorf("bad")
		}
		return second, nil
	}})
	d.load("bad")
	require.Zero(t, first.closed.Load())
	d.load("good")
	require.Equal(t, int32(1), first.closed.Load())
	require.Zero(t, second.closed.Load())
	require.Positive(t, second.rendered.Load())
	require.NoError(t, d.Close())
	require.Equal(t, int32(1), second.closed.Load())
}

// The status line opens a panel of warnings; those with a file position link to it. The panel follows new warnings.
func TestWarningsPanel(t *testing.T) {
	s := &slow{}
	d := drive(t, s, Options{})
	d.Key('W', 0)
	require.Equal(t, dockNone, d.dock)
	s.warnings = []string{"frame 0: one that goes on", "a.yaml:7:2: two", "three"}
	d.render()
	d.settle()
	d.click("show the warnings (W)")
	require.Equal(t, dockWarnings, d.dock)
	text := d.warnings.view.String()
	for _, w := range s.warnings {
		require.Contains(t, text, w)
	}
	opened := d.edits("gedit")
	d.click("open a.yaml:7")
	require.Equal(t, []string{"gedit", "+7", "a.yaml"}, *opened)
	s.warnings = []string{"another"}
	d.render()
	d.settle()
	require.Contains(t, d.warnings.view.String(), "another")
	require.NotContains(t, d.warnings.view.String(), "three")
	d.Key('W', 0)
	require.Equal(t, dockNone, d.dock)
	d.now = d.now.Add(time.Minute)
	for _, size := range []image.Point{{1, 1}, {390, 300}} {
		d.Resize(size.X, size.Y, 1)
		d.Overlay()
	}
}

// Opening another file resets view, camera, search and errors, and removes the old picture.
func TestOpeningResetsView(t *testing.T) {
	scene, _ := copyScene(t)
	dir := filepath.Dir(scene)
	broken, trace := filepath.Join(dir, "broken.yaml"), filepath.Join(dir, "broken.ctf")
	require.NoError(t, os.WriteFile(broken, []byte("draws: 3\n"), 0o644))
	require.NoError(t, os.WriteFile(trace, []byte("CiTrace but no more"), 0o644))
	d := drive(t, open(t, "../../testdata/models/more.cgfx"), Options{Open: func(path string) (session.Source, error) {
		return session.OpenForRepair(path, session.Options{})
	}})
	d.keyJobs('C')
	require.NotEmpty(t, d.choice.camera)
	d.Key('V', 0)
	d.Key('D', 0)
	d.Char('/')
	d.typed("fog")
	d.settle()
	d.panel.ChangedOnly = true
	// A file that cannot be opened changes nothing and shows a message until it is closed.
	shown, req := d.Picture(), d.req
	d.load(trace)
	require.NotNil(t, d.asked())
	require.Contains(t, d.asked().problem, "broken.ctf")
	require.Same(t, shown, d.Picture())
	require.Equal(t, req, d.req)
	d.Key(KeyEscape, 0)
	require.Nil(t, d.asked())

	d.load(broken)
	require.Contains(t, d.Problem(), "broken.yaml:1")
	require.Equal(t, "nothing selected", d.panel.String(), "nothing of the file before can be edited")
	require.Nil(t, d.Picture(), "the other file's picture is removed")
	require.Equal(t, choice{}, d.choice)
	require.Equal(t, session.Request{Draw: -1, Edits: edits{}}, d.req)
	require.Empty(t, d.panel.Search.Text)
	require.False(t, d.panel.ChangedOnly)
	require.Equal(t, "broken.yaml", d.status()[0])
	require.Len(t, d.status(), 1)
	d.load(filepath.Join(dir, "window.yaml"))
	require.Empty(t, d.Problem())
	require.Equal(t, fragment.ViewFinal, d.Picture().Request.View)
	require.Zero(t, d.Picture().Request.Depth)

	// V cycles through the views that have something to show.
	d.setDock(dockNone)
	seen := map[string]bool{}
	for range 40 {
		d.key('V')
		v := d.Picture().Request.View
		seen[session.ViewName(v)] = true
		require.Empty(t, d.Picture().Use.Missing(v), session.ViewName(v))
	}
	for name, want := range map[string]bool{"final": true, "depth": true, "texture0": true, "texture1": false, "texture3": false, "stencil": false, "stage0": true, "stage5": false, "coverage": true} {
		require.Equal(t, want, seen[name], name)
	}
}
