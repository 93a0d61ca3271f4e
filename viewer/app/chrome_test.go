package app

import (
	"bytes"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/tests/testkit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

func TestEveryCommandCanBeClicked(t *testing.T) {
	d := drive(t, open(t, window), Options{OutDir: t.TempDir()})
	for _, size := range []image.Point{{800, 480}, {400, 240}, {320, 200}} {
		d.Resize(size.X, size.Y, 1)
		for _, g := range groups() {
			d.Overlay()
			if _, ok := d.Screen().Where(g); !ok {
				d.click("other menus")
			}
			d.click(g)
			m, ok := d.Screen().Popup().(*ui.Menu)
			require.True(t, ok)
			listed := 0
			for i := range bindings {
				if b := &bindings[i]; b.group == g && b.help != "" {
					keys, text := b.names()
					require.Equal(t, text, m.Items[listed].Text)
					if !m.Items[listed].Off {
						require.Equal(t, keys, m.Items[listed].Note, "the menu item names its keys")
					}
					listed++
				}
			}
			d.Key(KeyEscape, 0)
			require.Nil(t, d.Screen().Popup())
		}
	}
	d.Resize(800, 480, 1)
	d.click("uniforms (Tab)")
	require.Equal(t, dockPanel, d.dock)
	d.click("Panels")
	d.click("uniforms")
	require.Equal(t, dockNone, d.dock)
	d.click("Panels")
	d.click("inspector (or click a pixel)")
	require.Equal(t, dockInspector, d.dock)
	d.Key('I', 0)
	require.Equal(t, dockNone, d.dock)
	d.click("next frame (.)")
	require.Positive(t, d.Picture().Request.Time)
	d.click("frame before (,)")
	sign := func() string {
		k := slices.IndexFunc(buttons(), func(b button) bool { return b.tip == "play, pause (Space)" })
		return buttons()[k].text(d.App)
	}
	require.Equal(t, "►", sign())
	d.click("play, pause (Space)")
	require.True(t, d.motion.playing)
	require.Equal(t, "║", sign())
	d.click("play, pause (Space)")
	d.Key(KeyF10, 0)
	d.Key(KeyRight, 0)
	d.Overlay()
	d.Key(KeyRight, 0)
	d.Overlay()
	d.Key(KeyDown, 0)
	d.key(KeyEnter)
	require.NotEqual(t, fragment.ViewFinal, d.Picture().Request.View, "keys select the first item of the third menu")
	d.click("what is shown (V)")
	d.click("depth")
	require.Equal(t, fragment.ViewDepth, d.Picture().Request.View)

	// A click outside of an open menu only closes it.
	d.click("View")
	before := d.req
	d.Press(ButtonLeft, 0, image.Pt(700, 300))
	d.Move(image.Pt(600, 300))
	d.Release(image.Pt(600, 300))
	require.Nil(t, d.Screen().Popup())
	require.Equal(t, before.Orbit, d.req.Orbit)
	require.Equal(t, dockNone, d.dock)
}

// The list of views marks those that have nothing to show.
func TestEmptyViewsAreMarked(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	notes := map[string]string{}
	for _, it := range d.viewItems() {
		notes[it.Text] = it.Note
		require.Equal(t, it.Note != "", it.Dull)
	}
	require.Len(t, notes, len(session.Views()))
	for view, note := range map[string]string{"final": "", "texture0": "", "texture1": "no texture", "texture3": "not procedural",
		"light-primary": "", "stage0": "", "stage5": "as stage4", "stencil": "no stencil test", "depth": ""} {
		require.Equal(t, note, notes[view], view)
	}
}

// A key counts by its label, or by its position if the label is no command; characters typed with modifiers (AltGr) count as
// characters.
func TestKeysOnOtherLayouts(t *testing.T) {
	for _, tt := range []struct {
		place Key
		label string
		want  Key
	}{
		{'[', "ü", '['}, {']', "+", ']'}, {'-', "ß", '-'}, {'/', "-", '-'}, // German
		{'-', "+", '='}, // Swedish
		{'Y', "z", 'Z'}, {'Z', "y", 'Y'},
		{'Q', "a", 'A'}, {'A', "q", 'Q'}, {'M', ",", ','}, {';', "m", 'M'}, // French
		{'[', "/", '/'}, {'-', "[", '['}, {'=', "]", ']'}, // Dvorak
		{'V', "м", 'V'}, {'[', "х", '['}, // Russian
		{KeyF1, "", KeyF1}, {' ', " ", ' '},
	} {
		require.Equal(t, tt.want, Labelled(tt.place, tt.label), "%v labelled %q", tt.place, tt.label)
	}
	d := drive(t, open(t, window), Options{})
	d.Key('8', 0) // AltGr+8 on a German keyboard, which types "["
	d.Char('[')
	require.Equal(t, 1, d.req.Draw)
	d.Key('[', 0)
	d.Char('[')
	require.Equal(t, 0, d.req.Draw, "a typed [ is one step")
	d.Key('[', 0)
	d.Char('ü')
	require.Equal(t, -1, d.req.Draw)
	d.Key('7', Shift)
	d.Char('/')
	require.Equal(t, ui.Keys(&d.panel.Search), d.Screen().Focused())
	require.Empty(t, d.panel.Search.Text)
}

// In a small window the list of keys scrolls and shows every key.
func TestKeyListScrolls(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	for _, tt := range []struct{ w, h, scale int }{{400, 240, 1}, {320, 200, 1}, {1280, 720, 1}, {800, 480, 2}} {
		d.Resize(tt.w, tt.h, float64(tt.scale))
		d.Key(KeyF1, 0)
		top, _ := d.Overlay()
		before := bytes.Clone(top.Pix)
		h := d.Screen().Popup().(*help)
		for _, l := range h.lines(d.screen) {
			require.Less(t, len(l.keys), keyColumns-1)
			require.LessOrEqual(t, (keyColumns+len(l.text))*d.screen.Width("0"), h.column(d.screen), "%v: no line is truncated", tt)
		}
		d.Key(KeyEnd, 0)
		end, _ := d.Overlay()
		if tt.h < 300*tt.scale {
			require.NotEqual(t, before, end.Pix, "the key list scrolls")
		}
		d.Key(KeyF1, 0)
		require.Nil(t, d.Screen().Popup())
	}
}

func TestOpenDialog(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"one.yaml": "models: {q: {shape: quad}}\ndraws: [{model: q}]\n", "two.yaml": "models: {q: {shape: cone}}\ndraws: [{model: q}]\n",
		"bad.yaml": "draws: 3\n", "other.txt": "no scene",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o755))
	o := Options{Recent: filepath.Join(dir, "config", "recent"), Open: openFile}
	d := drive(t, open(t, filepath.Join(dir, "one.yaml")), o)
	d.click("open a file (Ctrl+O)")
	dialog := d.Screen().Popup().(*openDialog)
	require.Equal(t, []string{filepath.Join(dir, "bad.yaml"), filepath.Join(dir, "one.yaml"), filepath.Join(dir, "two.yaml"), filepath.Join(dir, "sub") + "/", filepath.Dir(dir) + "/"}, dialog.field.Matches())
	d.typed(dir + "/tw")
	require.Equal(t, []string{filepath.Join(dir, "two.yaml")}, dialog.field.Matches())
	require.Equal(t, "one.yaml - pica200", d.Title(), "typed characters are no commands")
	d.Key(KeyTab, 0)
	require.Equal(t, filepath.Join(dir, "two.yaml"), dialog.field.Text)
	d.Key(KeyEnter, 0)
	waits := d.Screen().Popup().(*reading)
	waits.Key('A', Ctrl)
	waits.Key('Q', 0)
	require.False(t, d.quit)
	waits.Key('Q', Ctrl)
	require.True(t, d.quit, "a file that is read does not keep the window open")
	d.quit, d.dirty, d.message.text = false, false, ""
	require.Equal(t, readingTime, d.Wait(), "until the window says that it reads")
	d.now = d.now.Add(readingTime)
	require.Negative(t, d.Wait())
	d.typed("vt") // would be about the old file
	d.OpenFile(filepath.Join(dir, "one.yaml"))
	d.OpenFile(filepath.Join(dir, "two.yaml"))
	d.tap(d.win.area.Min.Add(image.Pt(50, 50)))
	d.Overlay()
	d.jobs()
	require.Nil(t, d.Screen().Popup())
	require.Equal(t, "two.yaml - pica200", d.Title())
	require.Equal(t, fragment.ViewFinal, d.req.View)
	require.False(t, d.motion.turntable)
	require.Equal(t, dockNone, d.dock)
	require.Empty(t, d.Problem())

	// Opens another file with the mouse, from the list of recent files.
	d.load(filepath.Join(dir, "one.yaml"))
	d.Key('O', Ctrl)
	d.click(filepath.Join(dir, "two.yaml"))
	d.jobs()
	require.Equal(t, "two.yaml - pica200", d.Title())
	require.Equal(t, []string{filepath.Join(dir, "two.yaml"), filepath.Join(dir, "one.yaml")}, readRecent(o.Recent))

	// A file that cannot be read leaves the current one open.
	shown := d.Picture()
	for _, name := range []string{"bad.yaml", "other.txt", "gone.yaml"} {
		d.load(filepath.Join(dir, name))
		require.Contains(t, d.asked().title, "cannot be opened; the current file stays open")
		require.Contains(t, d.asked().problem, filepath.Join(dir, name))
		d.Key(KeyEscape, 0)
		require.Equal(t, "two.yaml - pica200", d.Title())
	}
	require.Same(t, shown, d.Picture())
	require.NoError(t, os.Remove(filepath.Join(dir, "one.yaml")))
	require.Equal(t, []string{filepath.Join(dir, "two.yaml")}, readRecent(o.Recent), "deleted files are not offered")

	// The opened file is watched.
	require.NoError(t, os.WriteFile(filepath.Join(dir, "two.yaml"), []byte("draws: 7\n"), 0o644))
	d.until("the file is read again", func() bool { return d.Problem() != "" })
	require.Contains(t, d.Problem(), "two.yaml:1:")
}

// File names are shown and kept unchanged, except for characters that file systems refuse.
func TestFileNamesAreKept(t *testing.T) {
	for name, want := range map[string]string{
		"lit.yaml": "lit", "日本語 модель.yaml": "日本語 модель", "a b.v.pica": "a b.v.pica", "...": "pica200", "a/b\\c\x00d\ne.yml": "a-b-c-d-e",
		".yaml": "pica200", "CON:?*.ctf": "CON---.ctf",
	} {
		require.Equal(t, want, cleanName(name))
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "日本語 модель.yaml")
	require.NoError(t, os.WriteFile(path, []byte("models: {q: {shape: quad}}\ndraws: [{model: q}]\n"), 0o644))
	d := drive(t, open(t, path), Options{OutDir: dir})
	require.Equal(t, "日本語 модель.yaml - pica200", d.Title())
	require.Equal(t, "日本語 модель.yaml", d.status()[0])
	d.keyJobs(KeyF12)
	testkit.Must(os.Stat(filepath.Join(dir, "日本語 модель-001.png")))(t)
}

// With a menu open, moving the mouse over another title opens that menu. Related items are grouped.
func TestMenusSwitchOnHover(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.Overlay()
	where := func(menu string) image.Point {
		r := d.win.menus[menu]
		return r.Min.Add(r.Max).Div(2)
	}
	first := func() string { return d.Screen().Popup().(*ui.Menu).Items[0].Text }
	d.Move(where("View"))
	require.Nil(t, d.Screen().Popup(), "without an open menu, hovering opens none")
	d.click("File")
	require.Equal(t, "open a file", first())
	for menu, item := range map[string]string{"Edit": "undo a change", "View": "next view", "Camera": "Arrows: orbit (or drag)", "File": "open a file"} {
		d.Move(where(menu))
		d.Overlay()
		_, item, _ = strings.Cut(": "+item, ": ")
		require.Contains(t, item, first())
	}
	d.Move(image.Pt(300, 300))
	require.NotNil(t, d.Screen().Popup())
	d.Key(KeyEscape, 0)
	require.Nil(t, d.Screen().Popup())
	d.Move(where("View"))
	require.Nil(t, d.Screen().Popup())
	d.Overlay()
	d.tap(where("Frame"))
	var texts []string
	for _, it := range d.Screen().Popup().(*ui.Menu).Items {
		texts = append(texts, it.Text)
	}
	for _, want := range []string{"next draw", "draw before", "jump to a draw", "jump to a frame or a time"} {
		require.Contains(t, texts, want)
	}
}

// The open dialog finds files by any part of their names, lists folders, and keeps the typed text if a file cannot be opened.
func TestOpenDialogSearch(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"scene-knot.yaml", "knot.yaml", "other.yaml", "KNOTTED.ctf", "knot.txt"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("models: {q: {shape: quad}}\ndraws: [{model: q}]\n"), 0o644))
	}
	require.NoError(t, os.Mkdir(filepath.Join(dir, "my knots"), 0o755))
	d := drive(t, open(t, filepath.Join(dir, "other.yaml")), Options{Open: openFile})
	d.Key('O', Ctrl)
	dialog := d.Screen().Popup().(*openDialog)
	at := func(name string) string { return filepath.Join(dir, name) }
	d.typed("knot")
	want := []string{at("KNOTTED.ctf"), at("knot.yaml"), at("scene-knot.yaml"), at("my knots") + "/"}
	require.Equal(t, want, dialog.field.Matches())
	dialog.field.Set(dir + "/not")
	require.Equal(t, want, dialog.field.Matches())
	dialog.field.Set(at("KNOTTED.ctf"))
	d.keyJobs(KeyEnter)
	require.Same(t, dialog, d.Screen().Popup())
	require.Contains(t, dialog.problem, "KNOTTED.ctf")
	require.Equal(t, at("KNOTTED.ctf"), dialog.field.Text)
	d.Overlay()
	require.Equal(t, "other.yaml", d.info.Name)
	dialog.field.Set("scene-k")
	d.keyJobs(KeyEnter)
	require.Nil(t, d.Screen().Popup())
	require.Equal(t, "scene-knot.yaml", d.info.Name)
}

// The size of text is set in the program, within limits, and saved.
func TestTextScaleIsSaved(t *testing.T) {
	o := Options{Recent: filepath.Join(t.TempDir(), "config", "recent")}
	d := drive(t, open(t, window), o)
	line := d.screen.Line()
	for range 20 {
		d.Key('=', Ctrl)
	}
	d.Overlay()
	require.Equal(t, 3.0, d.win.scale)
	require.InDelta(t, 3*line, d.screen.Line(), 3)
	d.Key('-', Ctrl)
	d.Key('-', Ctrl)
	require.Contains(t, d.message.text, "200%")
	require.NoError(t, d.Close())
	e := drive(t, open(t, window), o)
	require.Equal(t, 2.0, e.win.scale)
	e.Resize(1600, 900, 2)
	require.Equal(t, 4.0, e.win.scale, "the scale is relative to the display's")
	for range 20 {
		e.Key('-', Ctrl)
	}
	require.Equal(t, 1.5, e.win.scale)
	require.NoError(t, e.Close())
	require.NoError(t, os.WriteFile(o.preferences(), []byte("nonsense"), 0o644))
	require.Equal(t, 1.0, drive(t, open(t, window), o).win.scale)
	for height, want := range map[int]float64{1080: 1, 1440: 1.25, 2160: 2} {
		require.Equal(t, want, drive(t, open(t, window), Options{DisplayHeight: height}).win.scale, "a display of %d pixels that does not tell its density", height)
	}
	o = Options{DisplayHeight: 2160}
	f := drive(t, open(t, window), o)
	f.Resize(3840, 2160, 2)
	require.Equal(t, 2.0, f.win.scale, "the display tells its density")
	require.Zero(t, d.req.Orbit, "the scale keys do not move the camera")
}

// What cannot be kept is said with its reason. An animation without length is no film.
func TestWhatCannotBeDoneIsSaid(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o666))
	d := drive(t, open(t, window), Options{Recent: filepath.Join(file, "config", "recent")})
	d.Key('=', Ctrl)
	require.Contains(t, d.message.text, "cannot be saved: mkdir "+file)
	d.info.Animated, d.info.Duration = true, 0
	d.askFilm(false)
	require.Contains(t, d.message.text, "nothing moves here")
	d.info.Duration = 1
	d.askFilm(false)
	require.NotNil(t, d.screen.Popup())
}

// The window can be light, and stays so. Its title tells files of one name apart, and of errors.
func TestLightWindowAndTitle(t *testing.T) {
	a, _ := copyScene(t)
	b, _ := copyScene(t)
	o := Options{Recent: filepath.Join(t.TempDir(), "config", "recent"), Open: openFile}
	d := drive(t, open(t, a), o)
	dark := bytes.Clone(d.Window().Pix)
	d.key('L', Ctrl)
	d.message.text = ""
	require.NotEqual(t, dark, d.Window().Pix)
	d.openPanel()
	d.settle()
	d.shot("light")
	d.load(a)
	require.Equal(t, "window.yaml - pica200", d.Title())
	d.load(b)
	require.Equal(t, "window.yaml in "+filepath.Base(filepath.Dir(b))+" - pica200", d.Title())
	require.NoError(t, os.WriteFile(b, []byte("draws: 3\n"), 0o644))
	d.until("the error shows", func() bool { return d.Problem() != "" })
	require.Equal(t, "window.yaml in "+filepath.Base(filepath.Dir(b))+" (error) - pica200", d.Title())
	require.NoError(t, d.Close())
	require.True(t, drive(t, open(t, a), o).screen.Light)
}

// Each file position in an error text opens that line in the editor.
func TestErrorPositionsOpenTheEditor(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.problem = "a.yaml:3:1: first\n  3 | x\nb.v.pica:7:2: second"
	d.dirty = true
	opened := d.edits("gedit")
	d.click("open b.v.pica:7")
	require.Equal(t, []string{"gedit", "+7", "b.v.pica"}, *opened)
	d.click("open a.yaml:3")
	require.Equal(t, []string{"gedit", "+3", "a.yaml"}, *opened)
}

// The outline stays visible on a picture of the outline's colour.
func TestOutlineVisibleOnEqualColor(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.key(']')
	img := d.picture.Image
	for i := 0; i < len(img.Pix); i += 4 {
		copy(img.Pix[i:], []uint8{ui.Changed.R, ui.Changed.G, ui.Changed.B, 255})
	}
	require.NotNil(t, d.picture.Added)
	d.dirty = true
	shown, dark := d.Window(), 0
	for y := d.win.dest.Min.Y; y < d.win.dest.Max.Y; y++ {
		for x := d.win.dest.Min.X; x < d.win.dest.Max.X; x++ {
			if c := shown.RGBAAt(x, y); c.R < 40 && c.G < 40 {
				dark++
			}
		}
	}
	require.Greater(t, dark, 200)
}
