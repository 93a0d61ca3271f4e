package app

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/tests/testkit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// lights is a recording of two frames, each with three draws to the top screen.
const lights = "../../testdata/traces/lights.ctf"

// The list shows the passes and draws of the frame. A click, a number or keys select a draw, and the status line shows which one.
func TestDrawList(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.keyJobs('L')
	require.True(t, d.drawList.open)
	roots := d.drawList.tree.Roots
	require.Len(t, roots, 1)
	require.Equal(t, "pass 0: 240x400 rgba8 at 0x18000000, d24s8 at 0x1805DC00", roots[0].Text)
	require.Equal(t, "draw 1: 480 triangles, 1440 indices", roots[0].Children[1].Text)
	require.Equal(t, "3 draws, 69770 pixels", roots[0].Note)
	require.Equal(t, "14989 pixels", roots[0].Children[1].Note)
	d.clickJobs(roots[0].Children[1].Text)
	require.Equal(t, 1, d.Picture().Request.Draw)
	require.Contains(t, strings.Join(d.status(), " "), "draw 1 of 3: ")
	require.Equal(t, image.Pt(400, 240), d.Picture().Image.Rect.Size(), "the target is shown upright")
	d.key(KeyDown)
	require.Equal(t, 2, d.Picture().Request.Draw)
	d.key('[')
	require.Equal(t, 1, d.Picture().Request.Draw)
	require.Equal(t, "d1", d.drawList.tree.Selected)

	d.Key('J', 0)
	d.chars("0x7") // letters are neither digits nor commands
	require.Equal(t, "07", d.drawList.jump.Text)
	d.key(KeyEnter)
	require.Contains(t, d.message.text, "there is no draw 7; the frame has 3")
	d.Key('J', 0)
	d.chars("2")
	d.key(KeyEnter)
	require.Equal(t, 2, d.Picture().Request.Draw)
	d.clickJobs("the whole frame")
	require.Equal(t, -1, d.Picture().Request.Draw)
	d.key('.')
	d.jobs()
	require.Equal(t, 1, d.drawList.of.Frame, "the draw list shows the new frame")
	d.Key('L', 0)
	require.False(t, d.drawList.open)
	require.Equal(t, d.win.list, image.Rectangle{})
}

// The draw list stands left of the picture, the state panel right. Both follow the selected draw, and the mouse changes their
// widths.
func TestDrawListAndStatePanel(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.Resize(1280, 720, 1)
	d.Key('L', 0)
	d.keyJobs('E')
	d.Overlay()
	list, state := d.win.list, d.dockRect()
	require.False(t, list.Empty())
	require.False(t, list.Overlaps(state))
	require.False(t, list.Overlaps(d.win.area) || state.Overlaps(d.win.area))
	require.Less(t, list.Max.X, d.win.area.Min.X)
	require.Less(t, d.win.area.Max.X, state.Min.X)
	d.clickJobs(d.drawList.tree.Roots[0].Children[1].Text)
	d.jobs()
	require.Equal(t, 1, d.state.state.Input.Draw)
	require.Equal(t, "d1", d.drawList.tree.Selected)
	for _, x := range []int{list.Max.X + 1, state.Min.X - 2} {
		to := image.Pt(x+70, 400)
		d.Press(ButtonLeft, 0, image.Pt(x, 400))
		d.Move(to)
		d.Release(to)
		d.Overlay()
	}
	require.InDelta(t, list.Dx()+70, d.win.list.Dx(), 2)
	require.InDelta(t, state.Dx()-70, d.dockRect().Dx(), 2)
	require.Equal(t, 1, d.state.state.Input.Draw)
	d.Key(KeyEscape, 0)
	require.Equal(t, dockNone, d.dock)
	require.True(t, d.drawList.open, "Escape closes the state panel before the list")
	d.Key(KeyEscape, 0)
	require.False(t, d.drawList.open)
}

// Rows show shader, time and thumbnails of textures. The filter hides rows; the table is sorted by its columns.
func TestDrawListFilterAndSort(t *testing.T) {
	d := drive(t, open(t, "../../testdata/traces/shadow.ctf"), Options{})
	d.keyJobs('L')
	l := &d.drawList
	keys := func() (list []string) {
		for _, n := range l.tree.Roots {
			list = append(list, n.Key)
			for _, c := range n.Children {
				list = append(list, c.Key)
			}
		}
		return list
	}
	all := keys()
	require.Greater(t, len(all), len(l.list.Draws), "rows are passes and draws")
	pictures, textures := 0, 0
	for i := range l.list.Draws {
		textures += len(l.list.Draws[i].Textures)
		for k, img := range l.list.Thumbs[i] {
			pictures++
			b, tx := img.Bounds(), l.list.Draws[i].Textures[k]
			require.Equal(t, min(tx.Width, 32), b.Dx())
		}
	}
	for i := range l.list.Items {
		l.list.Items[i].Micros = int64(i * 7 % 5)
	}
	require.Equal(t, textures, pictures)
	require.Positive(t, pictures)

	most := ""
	for i, draw := range l.list.Draws {
		if most == "" || draw.Fragments > l.list.Draws[l.last(most)].Fragments {
			most = fmt.Sprint("d", i)
		}
	}
	d.Resize(1400, 600, 1)
	d.click("a table of draws, or their passes")
	d.drag(ButtonLeft, image.Pt(d.win.list.Max.X+2, 300), image.Pt(800, 300))
	require.Len(t, l.table.Rows, len(l.list.Draws))
	require.Contains(t, l.table.Rows[0].Cells[7], "@18", "the target")
	d.click("sort by pixels")
	d.key(KeyHome)
	require.Equal(t, l.last(most), d.req.Draw, "the greatest is the first")
	d.click("sort by pixels")
	d.key(KeyEnd)
	require.Equal(t, l.last(most), d.req.Draw, "the other way")
	d.click("a table of draws, or their passes")
	require.Equal(t, all, keys())

	d.screen.Focus(&l.only)
	d.chars(fmt.Sprintf("pixels>%d DRAW", l.list.Draws[l.last(most)].Fragments-1))
	require.Equal(t, []string{fmt.Sprint("p", l.list.Draws[l.last(most)].Pass), most}, keys())
	d.Key(KeyDown, 0)
	d.key(KeyDown)
	require.Equal(t, l.last(most), d.req.Draw, "arrow keys select filtered rows")
	d.chars(" nothing")
	require.Empty(t, keys())
	require.Equal(t, dockNone, d.dock, "typed characters are no commands")
	d.Key(KeyEscape, 0)
	require.True(t, l.open)
	require.Equal(t, ui.Keys(&l.tree), d.screen.Focused())
}

// Draws of a scene name their shaders.
func TestDrawListOfAScene(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.keyJobs('L')
	require.Contains(t, d.drawList.tree.Roots[0].Children[1].Below, "us  shader ")
	require.NotContains(t, d.drawList.tree.Roots[0].Children[1].Below, "shader at")
}

// The outline surrounds the pixels that a draw added and does not cover them; O switches it off.
func TestOutlineOfADraw(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.Key(']', 0)
	d.key(']')
	require.Equal(t, 1, d.Picture().Request.Draw)
	marked := func() (n int) {
		img, _ := d.Overlay()
		m := d.Picture().Added
		for y := range m.Rect.Dy() {
			for x := range m.Rect.Dx() {
				p := image.Pt(d.win.dest.Min.X+x*d.win.dest.Dx()/m.Rect.Dx(), d.win.dest.Min.Y+y*d.win.dest.Dy()/m.Rect.Dy())
				on := img.RGBAAt(p.X, p.Y) == ui.Changed
				edge := false
				for _, q := range []image.Point{{x - 1, y}, {x, y - 1}, {x - 1, y - 1}} {
					edge = edge || m.AlphaAt(q.X, q.Y) != m.AlphaAt(x, y)
				}
				if on {
					n++
					require.True(t, edge, "%d,%d is not at the edge", x, y)
				}
			}
		}
		return n
	}
	d.Resize(800+2, 480+d.statusHeight()+d.screen.Units(14), 1)
	require.Positive(t, marked())
	d.Key('O', 0)
	require.Zero(t, marked())
}

// Open panels are tabs, or side by side; which, and how wide they are, is remembered.
func TestPanelsAreTabs(t *testing.T) {
	o := Options{Recent: filepath.Join(t.TempDir(), "config", "recent"), Open: openFile}
	d := drive(t, open(t, window), o)
	d.Resize(1280, 720, 1)
	d.openPanel()
	d.settle()
	d.inspect(image.Pt(200, 120))
	require.Equal(t, []dock{dockPanel, dockInspector}, d.docks)
	require.Equal(t, dockInspector, d.dock)
	d.Overlay()
	_, ok := d.screen.Where("undo all changes")
	require.False(t, ok, "the uniforms are behind")
	d.click("Uniforms")
	require.Equal(t, dockPanel, d.dock)
	d.control("undo all changes")
	require.Equal(t, ui.Keys(d.panel), d.screen.Focused())
	d.click("Pixel")
	d.key(KeyRight)
	require.Equal(t, image.Pt(201, 120), d.inspector.pixel)
	d.Key(KeyEscape, 0)
	require.Equal(t, dockPanel, d.dock, "what was behind comes to the front")
	d.inspect(image.Pt(200, 120))

	d.key('P', Shift)
	d.settle()
	left, right := d.control("undo all changes"), d.control("inspect this pixel")
	r := d.dockRect()
	require.True(t, left.In(r) && right.In(r) && left.X < r.Min.X+r.Dx()/2 && right.X > r.Min.X+r.Dx()/2)
	d.message.text = ""
	d.shot("beside")
	middle := func(d *driver) int { return d.control("drag to divide the panels").X }
	was := middle(d)
	require.InDelta(t, r.Min.X+r.Dx()/2, was, 4)
	d.drag(ButtonLeft, image.Pt(was, 300), image.Pt(was+50, 300))
	require.Equal(t, was+50, middle(d))
	d.panel.Select("dmp_FragmentMaterial.diffuse")
	d.screen.Focus(d.panel)
	d.key(KeyLeft)
	d.jobs()
	require.Same(t, d.picture, d.inspector.of, "both follow")
	require.True(t, d.panel.Selected().Changed)
	d.click("close the panel")
	require.Equal(t, []dock{dockPanel}, d.docks)
	d.openDraws()
	from := d.screen.Img.Rect.Max.X - d.dockRect().Dx() - 2
	d.drag(ButtonLeft, image.Pt(from, 300), image.Pt(from-60, 300))
	w := d.dockRect().Dx()
	require.NoError(t, d.Close())

	e := drive(t, open(t, window), o)
	e.Resize(1280, 720, 1)
	require.True(t, e.drawList.open)
	require.Equal(t, []dock{dockPanel}, e.docks)
	require.Equal(t, w, e.dockRect().Dx())
	require.True(t, e.prefer.Beside)
	e.key('U')
	require.NoError(t, e.Close())
	e = drive(t, open(t, window), o)
	e.Resize(1280, 720, 1)
	require.Equal(t, []dock{dockPanel, dockParts}, e.docks, "all that can be open again")
	require.Equal(t, dockParts, e.dock)
	e.key('U')
	e.inspect(image.Pt(200, 120))
	require.Equal(t, 50, middle(e)-e.dockRect().Min.X-(was-r.Min.X), "wider by what it was dragged")
	e.load("../../testdata/traces/lights.ctf")
	require.Equal(t, dockPanel, e.dock)
	for i, keys := range []string{"\tU", "U\t"} { // the tree needs less than the panel
		g := drive(t, open(t, window), Options{})
		g.Resize(1280, 720, 1)
		g.key('P', Shift)
		for _, k := range keys {
			g.key(map[rune]Key{'\t': KeyTab, 'U': 'U'}[k])
		}
		r, at := g.dockRect(), middle(g)
		require.InDelta(t, treeUnits, []int{r.Max.X - at, at - r.Min.X}[i], 6)
	}

	// Alone the inspector lies over the picture, until 0 fits the picture beside it.
	f := drive(t, open(t, window), Options{})
	f.inspect(image.Pt(200, 120))
	wide := f.win.area
	f.key('0')
	require.Equal(t, wide.Dx()-f.dockRect().Dx(), f.win.area.Dx()+f.screen.Units(4))
	require.False(t, f.win.area.Overlaps(f.dockRect()))
	f.inspect(image.Pt(2, 2))
	f.key('F')
	require.Contains(t, f.message.text, "no draw has written this pixel")
	f.key(KeyEscape)
	f.key('F')
	require.Contains(t, f.message.text, "click a pixel first")
}

// A long replay shows its progress and can be cancelled; the previous picture and the request stay.
func TestReplayCanBeCancelled(t *testing.T) {
	s := &endless{started: make(chan bool, 10)}
	d := drive(t, s, Options{})
	first := d.Picture()
	s.wait = true
	d.Key(KeyEnd, 0)
	<-s.started
	d.Update()
	d.Overlay()
	done, total := d.progress.now()
	require.Equal(t, [2]int{3, 9}, [2]int{done, total})
	require.True(t, d.waiting())
	stop, ok := d.screen.Where("cancel the replay")
	require.True(t, ok)
	middle := d.win.area.Min.Add(d.win.area.Max).Div(2)
	require.Greater(t, stop.X, middle.X, "the button is right in a box in the middle")
	require.InDelta(t, middle.Y, stop.Y, float64(2*d.screen.Line()))
	d.key(KeyEscape)
	require.Same(t, first, d.Picture())
	require.Equal(t, 0, d.req.Frame)
	require.Contains(t, d.message.text, "cancelled; the picture is the one from before")
	require.False(t, d.failed)
	require.Empty(t, d.Problem())
	s.wait = false
	d.key(KeyEnd)
	require.Equal(t, 9, d.Picture().Request.Frame)

	// A new request replaces the running one.
	s.wait = true
	d.Key(KeyHome, 0)
	<-s.started
	d.Update()
	d.Key('.', 0)
	<-s.started
	d.Update()
	require.Equal(t, 1, d.req.Frame, "a new request replaces the cancelled one")
	d.Key('.', 0)
	<-s.started
	// One Escape cancels all pending requests.
	d.Key('.', 0)
	d.Key('V', 0)
	d.Update()
	for len(s.started) > 0 {
		<-s.started
	}
	d.Update()
	d.key(KeyEscape)
	require.Zero(t, d.inFlight)
	require.Equal(t, 9, d.req.Frame)
	require.Eventually(t, func() bool { return !d.waiting() }, 10*time.Second, time.Millisecond)
	s.wait = false
	d.key(KeyHome)
	require.Zero(t, d.Picture().Request.Frame)

	// A frame is selected by number, a scene's time by seconds.
	go2 := func(d *driver, text string) {
		d.Key('J', Shift)
		d.Overlay()
		d.typed(text)
		d.key(KeyEnter)
	}
	go2(d, "7")
	require.Equal(t, 7, d.Picture().Request.Frame)
	d.Key('J', Shift)
	d.Char('J') // the key event is followed by its character
	d.Char('6')
	d.key(KeyEnter)
	require.Equal(t, 6, d.Picture().Request.Frame, d.message.text)
	go2(d, "7")
	for _, text := range []string{"10", "-1", "1/2", "abc", ""} {
		d.message.text = ""
		go2(d, text)
		require.Contains(t, d.message.text, text)
		require.NotEmpty(t, d.message.text)
		require.Equal(t, 7, d.req.Frame)
	}
	e := drive(t, open(t, window), Options{})
	go2(e, "2.5")
	require.Equal(t, 2.5, e.Picture().Request.Time)
	go2(e, "99")
	require.Contains(t, e.message.text, "12.00 seconds")
	require.Equal(t, 2.5, e.req.Time)
}

// endless is a trace whose later frames never finish rendering.
type endless struct {
	slow
	started chan bool
	wait    bool
}

func (s *endless) Info() session.Info { return session.Info{Name: "endless", Frames: 10} }
func (s *endless) Render(ctx context.Context, r *session.Request) (*session.Picture, error) {
	if s.wait {
		r.Progress(3, 9)
		s.started <- true
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.slow.Render(ctx, r)
}

// The depth range cycles from the full range to the range in the picture and back; keys move its ends.
func TestDepthKeys(t *testing.T) {
	d := drive(t, open(t, lights), Options{View: fragment.ViewDepth})
	d.key('D')
	auto := d.Picture().DepthRange
	require.Less(t, auto[0], auto[1])
	d.key(KeyPageDown, Shift)
	require.InDelta(t, auto[1]-(auto[1]-auto[0])/4, d.Picture().DepthRange[1], 1e-9)
	require.Equal(t, auto[0], d.Picture().DepthRange[0])
	d.key(KeyPageUp, Ctrl)
	require.Greater(t, d.Picture().DepthRange[0], auto[0])
	d.key('D')
	require.Equal(t, session.DepthRange{}, d.Picture().Request.Depth)
}

func TestEditorCommands(t *testing.T) {
	location := session.Location{Path: "a b.yaml", Line: 7}
	for editor, want := range map[string][]string{
		"gedit": {"gedit", "+7", "a b.yaml"}, "emacsclient -c": {"emacsclient", "-c", "+7", "a b.yaml"},
		"/usr/bin/code --wait": {"/usr/bin/code", "--wait", "--goto", "a b.yaml:7"}, "subl": {"subl", "a b.yaml:7"},
		"kate": {"kate", "--line", "7", "a b.yaml"}, "vim": {"vim", "+7", "a b.yaml"},
	} {
		got := testkit.Must(editorCommand(editor, location))(t)
		require.Equal(t, want, got)
	}
	got := testkit.Must(editorCommand("vim", session.Location{Path: "-c", Line: 1}))(t)
	require.Equal(t, []string{"vim", "+1", "./-c"}, got, "a file name with a dash is no option")
	_, err := editorCommand(" ", location)
	require.ErrorContains(t, err, "VISUAL or EDITOR")
	t.Setenv("PATH", t.TempDir())
	_, err = inTerminal([]string{"vim", "x"})
	require.ErrorContains(t, err, "needs a terminal")
	require.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), "xterm"), []byte("#!/bin/sh\n"), 0o755))
	got = testkit.Must(inTerminal([]string{"vim", "x"}))(t)
	require.Equal(t, []string{"xterm", "-e", "vim", "x"}, got)

	d := drive(t, &slow{}, Options{})
	d.editor.run = func(string, ...string) error { return errors.New("it is not there") }
	t.Setenv("VISUAL", "")
	t.Setenv("EDITOR", "gedit")
	d.editor.open(d.App, location)
	require.Contains(t, d.message.text, "did not start: it is not there")
	t.Setenv("EDITOR", "")
	d.editor.open(d.App, location)
	require.Contains(t, d.message.text, "set VISUAL or EDITOR")
}
