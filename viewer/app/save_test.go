package app

import (
	"context"
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/files"
	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// editing opens a copy of the test scene, with a second file beside it.
func editing(t *testing.T) (d *driver, path, other string) {
	path, _ = copyScene(t)
	other = filepath.Join(filepath.Dir(path), "other.yaml")
	require.NoError(t, os.WriteFile(other, []byte("models: {q: {shape: quad}}\ndraws: [{model: q}]\n"), 0o644))
	d = drive(t, open(t, path), Options{Open: openFile})
	return d, path, other
}

// set types a value into a row of the panel.
func (d *driver) set(key, value string) {
	d.t.Helper()
	if d.dock != dockPanel {
		d.key(KeyTab)
	}
	d.panel.Select(key)
	require.NotNil(d.t, d.panel.Selected(), key)
	d.Key(KeyEnter, 0)
	d.typed(value)
	d.key(KeyEnter)
	d.now = d.now.Add(10e9)
}

// asked returns the open question, or nil.
func (d *driver) asked() *question {
	q, _ := d.Screen().Popup().(*question)
	return q
}

// labels returns the answers of the open question.
func (d *driver) labels() (list []string) {
	for i := range d.asked().answers {
		list = append(list, d.asked().answers[i].text)
	}
	return list
}

const (
	diffuse  = "dmp_FragmentMaterial.diffuse"
	specular = "dmp_FragmentMaterial.specular0"
)

// Every action that would lose changes asks first: save, discard or stay. Only the chosen answer is carried out.
func TestUnsavedChangesAreAskedAbout(t *testing.T) {
	ways := []struct {
		name  string
		leave func(d *driver, other string)
		left  func(d *driver) bool
	}{
		{"Ctrl+Q", func(d *driver, _ string) { d.Key('Q', Ctrl) }, func(d *driver) bool { return d.Quit() }},
		{"the window's button", func(d *driver, _ string) { d.Leave() }, func(d *driver) bool { return d.Quit() }},
		{"another file", func(d *driver, other string) { d.OpenFile(other) }, func(d *driver) bool { return d.info.Name == "other.yaml" }},
	}
	for _, way := range ways {
		for _, tt := range []struct {
			values, camera bool
			keys           []Key
			labels         string // labels of the answers
			left           bool
			file           string // new content of the file, "" if unchanged
		}{
			{false, false, nil, "", true, ""},
			{true, false, []Key{'S'}, "save discard stay", true, "[0.125, 0.6, 0.6, 1]"},
			{true, false, []Key{'D'}, "save discard stay", true, ""},
			{true, false, []Key{KeyEscape}, "save discard stay", false, ""},
			{true, false, []Key{KeyRight, KeyRight, KeyEnter}, "save discard stay", false, ""},
			{false, true, nil, "", true, ""}, // the camera is a view
			{true, true, []Key{'S'}, "save discard stay", true, "[0.125, 0.6, 0.6, 1]"},
		} {
			t.Run(fmt.Sprintf("%s %+v", way.name, tt), func(t *testing.T) {
				d, path, other := editing(t)
				text := string(testkit.Read(t, path))
				if tt.camera {
					d.Key(KeyRight, 0)
				}
				if tt.values {
					d.set(specular, "0.125")
				}
				require.Equal(t, tt.labels != "", strings.HasPrefix(d.Title(), "*"))
				way.leave(d, other)
				if tt.labels != "" {
					require.NotNil(t, d.asked())
					require.Equal(t, tt.labels, strings.Join(d.labels(), " "))
					d.Overlay()
				} else {
					require.Nil(t, d.asked())
				}
				for _, k := range tt.keys {
					require.False(t, way.left(d))
					d.Key(k, 0)
				}
				d.jobs()
				d.jobs()
				require.Nil(t, d.asked())
				require.Equal(t, tt.left, way.left(d))
				got := string(testkit.Read(t, path))
				if tt.file == "" {
					require.Equal(t, text, got)
				}
				require.Contains(t, got, tt.file)
				require.Contains(t, got, "eye: [0, 1.4, 4.2]")
				if !tt.left {
					require.Len(t, d.req.Edits, 1, "the edits stay")
				}
			})
		}
	}
}

// While the question is open, other keys do nothing; closing again does not ask a second time.
func TestSaveQuestionTakesAllKeys(t *testing.T) {
	d, path, other := editing(t)
	d.set(specular, "0.125")
	before, file := d.req, testkit.Read(t, path)
	d.Leave()
	first := d.asked()
	require.NotNil(t, first)
	for i := range bindings {
		b := &bindings[i]
		if b.mods == 0 && (b.key == 'S' || b.key == 'D' || b.key == KeyEscape || b.key == KeyEnter) {
			continue // answers
		}
		d.Key(b.key, b.mods)
		d.Char(rune(b.key))
	}
	d.Leave()
	d.load(other)
	require.Same(t, first, d.asked())
	require.Equal(t, before, d.req)
	require.Equal(t, file, testkit.Read(t, path))
	require.False(t, d.Quit())
	require.Equal(t, dockPanel, d.dock)
	d.Press(ButtonLeft, 0, image.Pt(2, 400)) // outside of the question
	d.Release(image.Pt(2, 400))
	require.Nil(t, d.asked())
	require.False(t, d.Quit())
	require.Equal(t, before, d.req)
	for _, size := range [][3]int{{1, 1, 1}, {60, 40, 2}, {390, 300, 1}, {390, 300, 2}, {5000, largeSide(), 1}} {
		d.Resize(size[0], size[1], float64(size[2]))
		d.Leave()
		d.Overlay()
		if size[0] >= 390 {
			for _, l := range d.labels() {
				_ = d.control(l)
			}
		}
		d.Key(KeyEscape, 0)
	}
}

// failing is a scene that cannot be written.
type failing struct {
	slow
	errs   []error // errors of the next writes
	saved  []session.Request
	copies int
	base   int // of the file
	after  int // the same, after SaveAs
}

func (f *failing) Info() session.Info {
	return session.Info{Name: "f.yaml", Camera: true, Scene: true, Base: f.base}
}
func (f *failing) WriteBack(_ context.Context, r *session.Request) (map[string]session.Edit, error) {
	if len(f.errs) > 0 {
		err := f.errs[0]
		f.errs = f.errs[1:]
		return nil, err
	}
	f.saved = append(f.saved, *r)
	return nil, nil
}
func (f *failing) SaveAs(_ context.Context, r *session.Request, _ string, _ bool) (map[string]session.Edit, error) {
	f.copies++
	f.base = f.after
	f.saved = append(f.saved, *r)
	return nil, nil
}
func (f *failing) CopyTo(context.Context, *session.Request, string) error { return nil }

// A failed save loses nothing: the question returns with the reason and offers to save a copy. Typed but unconfirmed values count
// as changes.
func TestFailedSaveAsksAgain(t *testing.T) {
	f := &failing{errs: []error{fmt.Errorf("f.yaml: %w", syscall.ENOSPC), fmt.Errorf("f.yaml: %w", syscall.EROFS)}}
	d := drive(t, f, Options{})
	d.req.Edits["/x"] = session.Edit{Name: "x", Values: []any{1.0}}
	d.Leave()
	require.Equal(t, "save discard stay", strings.Join(d.labels(), " "))
	d.Key('S', 0)
	require.False(t, d.Quit())
	d.Leave() // a save is running: closing waits for its result
	require.Nil(t, d.asked())
	d.jobs()
	d.jobs()
	require.Contains(t, d.asked().problem, "no space left on device")
	require.Equal(t, "save save as discard stay", strings.Join(d.labels(), " "))
	require.Len(t, d.req.Edits, 1)
	require.Equal(t, "*f.yaml - pica200", d.Title())
	d.keyJobs('S')
	require.Contains(t, d.asked().problem, "read-only file system")
	require.False(t, d.Quit())
	d.Key('A', 0)
	d.keyJobs(KeyEnter)
	require.True(t, d.Quit())
	require.Equal(t, 1, f.copies)
	require.Equal(t, 1.0, f.saved[0].Edits["/x"].Values[0])

	// A deleted file is written back, although the command has read it.
	run := files.Begin()
	t.Cleanup(run.End)
	e, path, _ := editing(t)
	e.set(specular, "0.125")
	require.NoError(t, os.Remove(path))
	e.until("the error of the missing file", func() bool { return strings.Contains(e.Problem(), "window.yaml") })
	e.Key('Q', Ctrl)
	e.keyJobs('S')
	require.True(t, e.Quit())
	require.Contains(t, string(testkit.Read(t, path)), "[0.125, 0.6, 0.6, 1]")
	e.until("the file is back", func() bool { return e.Problem() == "" })
	require.NoError(t, os.Remove(path))
	e.until("it is missing again", func() bool { return e.Problem() != "" })
	e.keyJobs('S', Ctrl) // without a change
	require.Contains(t, string(testkit.Read(t, path)), "[0.125, 0.6, 0.6, 1]")

	// A typed number that was not confirmed.
	g, path, _ := editing(t)
	g.key(KeyTab)
	g.panel.Select(specular)
	g.Key(KeyEnter, 0)
	g.typed("0.25")
	g.Key('Q', Ctrl)
	require.NotNil(t, g.asked())
	g.keyJobs('S')
	require.True(t, g.Quit())
	require.Contains(t, string(testkit.Read(t, path)), "[0.25, 0.6, 0.6, 1]")
}

// hold makes the worker wait after the jobs so far, until the function that it returns is called.
func (d *driver) hold() (release func()) {
	wait := make(chan bool)
	d.worker.do(func(context.Context, session.Source) func() { <-wait; return nil })
	return func() { close(wait) }
}

// What is done between the start of a save and its result, or the next picture, is one more change: also taking back what the file
// has then. Nothing of it is lost.
func TestChangesDuringSave(t *testing.T) {
	const none, a, b = 0.6, 0.125, 0.25
	typed := func(d *driver, text string) {
		d.panel.Select(specular)
		d.Key(KeyEnter, 0)
		d.typed(text)
		d.Key(KeyEnter, 0)
		d.now = d.now.Add(10e9)
	}
	undo := func(d *driver) { d.Key('Z', Ctrl) }
	revert := func(d *driver) { d.panel.Select(specular); d.Key(KeyDelete, 0) }
	all := func(d *driver) { d.tap(d.control("undo all changes")) }
	other := func(d *driver) { typed(d, "0.25") }
	for _, tt := range []struct {
		name  string
		do    []func(d *driver)
		value float64
	}{
		{"nothing", nil, a},
		{"other", []func(*driver){other}, b},
		{"the value before", []func(*driver){func(d *driver) { typed(d, "0.6") }}, none},
		{"undo", []func(*driver){undo}, none},
		{"other, undo", []func(*driver){other, undo}, a},
		{"other, undo, redo", []func(*driver){other, undo, func(d *driver) { d.Key('Y', Ctrl) }}, b},
		{"other, revert, undo", []func(*driver){other, revert, undo}, b},
		{"other, revert all, undo", []func(*driver){other, all, undo}, b},
	} {
		for _, result := range []string{"saved", "saved, not drawn", "changed meanwhile"} {
			t.Run(tt.name+": "+result, func(t *testing.T) {
				d, path, _ := editing(t)
				d.watcher.Close()
				d.set(specular, "0.125")
				release := d.hold()
				d.Key('S', Ctrl)
				file := a
				switch result {
				case "changed meanwhile":
					file = none
					rewrite(t, path, "fovy: 40", "fovy: 41")
				case "saved, not drawn":
					drawn := d.hold()
					release()
					for d.history.writing > 0 {
						<-d.wake
						d.Update()
					}
					release = drawn
				}
				for _, do := range tt.do {
					do(d)
				}
				release()
				d.jobs()
				require.Equal(t, tt.value != file, strings.HasPrefix(d.Title(), "*"))
				d.panel.Select(specular)
				require.InDelta(t, tt.value, d.panel.Selected().Values[0], 1e-6, "what is shown")
				require.Equal(t, tt.value != file, d.panel.Selected().Changed)
				require.Equal(t, file == a, strings.Contains(string(testkit.Read(t, path)), "[0.125, 0.6, 0.6, 1]"))
			})
		}
	}
}

// Another program replaces the file, which has a saved change, and the window reads it in every order with what else it does. Then
// nothing is called saved that the file has not, and what was not saved is saved into the new file.
func TestFileReplacedInAnyOrder(t *testing.T) {
	events := map[string]func(d *driver){
		"save":   func(d *driver) { d.Key('S', Ctrl) },
		"read":   func(d *driver) { d.filesChanged() },
		"choose": func(d *driver) { d.choose(choice{}, "camera", "", 1) }, // reads the files too
		"golden": func(d *driver) { d.makeGolden(d.req, "made", false) },
	}
	for _, tt := range []struct {
		do    string
		saved string // files that have all
	}{
		{"read save", "window.yaml"}, {"save read save", "window.yaml"}, {"read save save", "window.yaml"}, {"choose save", "window.yaml"},
		{"choose read", ""}, {"save read", ""}, {"read golden", "made.yaml"}, {"choose golden save", "made.yaml window.yaml"},
	} {
		t.Run(tt.do, func(t *testing.T) {
			d, path, _ := editing(t)
			text := testkit.Read(t, path)
			d.watcher.Close()
			d.set(specular, "0.125")
			d.keyJobs('S', Ctrl)
			d.set(diffuse, "0.5 0.5 0.5 1")
			require.NotEqual(t, text, testkit.Read(t, path))
			release := d.hold()
			require.NoError(t, os.WriteFile(path, text, 0o644))
			rewrite(t, path, "fovy: 40", "fovy: 41")
			for _, name := range strings.Fields(tt.do) {
				events[name](d)
			}
			release()
			d.jobs()
			require.Equal(t, !strings.Contains(tt.saved, "window"), d.unsaved() == 1)
			for _, name := range strings.Fields(tt.saved) {
				path := filepath.Join(filepath.Dir(path), name)
				got := string(testkit.Read(t, path))
				require.Contains(t, got, "fovy: 41")
				require.Contains(t, got, "specular0: [0.6, 0.6, 0.6, 1]", "of the other program")
				require.Contains(t, got, "diffuse: [0.5, 0.5, 0.5, 1]")
				require.Equal(t, render(t, open(t, path)).Pix, d.Picture().Image.Pix)
			}
			d.panel.Select(specular)
			require.InDelta(t, 0.6, d.panel.Selected().Values[0], 1e-6)
		})
	}

	// A file that is replaced while it is saved under another name.
	f := &failing{after: 1}
	d := drive(t, f, Options{})
	d.req.Edits["/x"] = session.Edit{Name: "x", Values: []any{1.0}}
	d.save(saving{values: true, as: "f2.yaml"})
	d.jobs()
	require.Len(t, f.saved, 1)
	require.Empty(t, d.req.Edits, "the file of the other program is shown as it is")
}

// Saves that are asked for during a save follow it, each with what was changed until then.
func TestSavesFollowEachOther(t *testing.T) {
	d, path, _ := editing(t)
	d.set(specular, "0.5")
	release := d.hold()
	for _, v := range []string{"0.125", "0.25", "0.375", "0.75"} {
		d.panel.Select(specular)
		d.Key(KeyEnter, 0)
		d.typed(v)
		d.Key(KeyEnter, 0)
		d.Key('S', Ctrl)
	}
	release()
	d.jobs()
	require.Zero(t, d.history.writing)
	require.False(t, strings.HasPrefix(d.Title(), "*"))
	require.Contains(t, string(testkit.Read(t, path)), "[0.75, 0.6, 0.6, 1]")
}

// Undo goes back over saves: the file is as it was when it is saved again. What another program changes stays, and what was not
// saved then is a change of the new file.
func TestUndoLivesOnAcrossSaves(t *testing.T) {
	d, path, _ := editing(t)
	text := string(testkit.Read(t, path))
	values := []string{"0.125", "0.25", "0.375"}
	for _, v := range values {
		d.set(specular, v)
		d.keyJobs('S', Ctrl)
		require.NotEqual(t, "*", d.Title()[:1])
		require.Contains(t, string(testkit.Read(t, path)), "["+v+", 0.6, 0.6, 1]")
		d.panel.Select(specular)
		require.False(t, d.panel.Selected().Changed)
	}
	for i := range values {
		d.key('Z', Ctrl)
		require.Equal(t, "*", d.Title()[:1], i)
	}
	require.Empty(t, d.req.Edits)
	d.panel.Select(specular)
	require.True(t, d.panel.Selected().Changed)
	d.keyJobs('S', Ctrl)
	require.Equal(t, text, string(testkit.Read(t, path)))
	require.NotEqual(t, "*", d.Title()[:1])
	d.key('Y', Ctrl)
	d.key('Y', Ctrl)
	d.keyJobs('S', Ctrl)
	require.Contains(t, string(testkit.Read(t, path)), "[0.25, 0.6, 0.6, 1]")
	require.Contains(t, d.message.text, "saved 1 change in window.yaml")

	// What is taken back for all draws is marked where one draw is shown, too.
	d.key('Z', Ctrl)
	d.editDraw("knot")
	d.settle()
	d.panel.Select(specular)
	require.True(t, d.panel.Selected().Changed)
	d.target = ""
	d.key('Y', Ctrl)

	// Another program changes the file while a value is saved and taken back, and another one is not saved.
	d.key('Z', Ctrl)
	d.key('Z', Ctrl)
	d.set(diffuse, "0.5")
	rewrite(t, path, "fovy: 40", "fovy: 44")
	d.until("the file of the other program", func() bool { return d.picture.Slope > math.Tan(21*math.Pi/180) })
	d.jobs()
	require.Equal(t, 2, d.unsaved())
	d.panel.Select(specular)
	require.InDelta(t, 0.6, d.panel.Selected().Values[0], 1e-6)
	d.keyJobs('S', Ctrl)
	got := string(testkit.Read(t, path))
	require.Contains(t, got, "fovy: 44")
	require.Contains(t, got, "[0.6, 0.6, 0.6, 1]")
	require.Contains(t, got, "dmp_FragmentMaterial.diffuse: [0.5, 0.35, 0.2, 1]", "of the draw that has one")
}

// What is taken back is written as it was, character by character, also after another program has changed other lines.
func TestUndoWritesTheLinesAsTheyWere(t *testing.T) {
	d, path, _ := editing(t)
	d.watcher.Close()
	reload := func() {
		d.filesChanged()
		d.jobs()
	}
	rewrite(t, path, "specular0: [0.6, 0.6, 0.6, 1]", "specular0:   [ 0.60,0.6,  .6, 1 ]  # dull")
	rewrite(t, path, "diffuse: [0.85, 0.35, 0.2, 1]", "diffuse: [0.850, 0.35, 0.2, 1]")
	reload()
	text := string(testkit.Read(t, path))
	d.set(specular, "0.125")
	d.keyJobs('S', Ctrl)
	d.editDraw("knot")
	d.settle()
	d.set(diffuse, "0.25 0.5 0.75 1")
	d.keyJobs('S', Ctrl)
	rewrite(t, path, "fovy: 40", "fovy: 44")
	reload()
	d.key('Z', Ctrl)
	d.keyJobs('S', Ctrl)
	require.Contains(t, string(testkit.Read(t, path)), "[0.850, 0.35, 0.2, 1]")
	require.Contains(t, string(testkit.Read(t, path)), "[ 0.125,0.6")
	d.key('Z', Ctrl)
	d.keyJobs('S', Ctrl)
	require.Equal(t, strings.Replace(text, "fovy: 40", "fovy: 44", 1), string(testkit.Read(t, path)))
	require.Zero(t, d.unsaved())
}

// Changes of a draw that no longer exists are not saved and stay marked as unsaved.
func TestChangesOfMissingDrawStayUnsaved(t *testing.T) {
	d, path, _ := editing(t)
	d.set(specular, "0.125")
	e := session.Edit{Name: diffuse, Draw: "gone", Values: []any{1.0, 0.0, 0.0, 1.0}}
	d.req.Edits[e.Key()] = e
	d.Key('Q', Ctrl)
	d.keyJobs('S')
	require.Contains(t, string(testkit.Read(t, path)), "[0.125, 0.6, 0.6, 1]")
	require.Equal(t, e, d.req.Edits[e.Key()])
	require.Equal(t, 1, d.unsaved())
	require.Contains(t, d.message.text, "stays")
	require.False(t, d.Quit())
	require.Contains(t, d.asked().problem, "of what no draw has")
	d.Key('D', 0)
	require.True(t, d.Quit())
}
