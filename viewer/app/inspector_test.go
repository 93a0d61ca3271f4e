package app

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
	"pica200/viewer/ui"
)

// Opening the inspector neither moves the picture nor covers the pixel; its text follows the camera and the draw.
func TestInspectorKeepsPixelInView(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.Resize(1280, 720, 1)
	before := d.win.dest
	for _, at := range []image.Point{{300, 300}, {1100, 300}} {
		d.tap(at)
		d.settle()
		d.Overlay()
		require.Equal(t, before, d.win.dest)
		require.False(t, at.In(d.dockRect()))
		require.Equal(t, at.X > 640, d.inspector.left)
		d.Key(KeyEscape, 0)
	}
	at := image.Pt(630, 330)
	d.tap(at)
	d.settle()
	in := &d.inspector
	require.Contains(t, in.view.String(), `draw 1 "knot": written`)
	over, _ := d.Overlay() // the pixel is framed in the picture, and seen
	alpha := func(x int) (list []uint8) {
		for ; d.win.dest.Min.X+(in.pixel.X+1)*d.win.dest.Dx()/400 > x; x++ {
			list = append(list, over.RGBAAt(x, at.Y).A, over.RGBAAt(x, at.Y).R)
		}
		return list
	}
	side := d.win.dest.Min.X + in.pixel.X*d.win.dest.Dx()/400
	require.Equal(t, []uint8{0, 0, 255, 0, 255, 255, 0, 0}, alpha(side - 4)[:8])
	require.Zero(t, over.RGBAAt(at.X, at.Y).A)
	first := in.view.String()
	d.turn(0.3)
	require.NotEqual(t, first, in.view.String(), "the inspector follows the camera")
	require.Same(t, d.Picture(), in.of)
	d.turn(-0.3)
	require.Equal(t, first, in.view.String())

	// The winning write comes first, then all events in order.
	lines := in.view.Lines
	won, pixel := ui.Line{}, ui.Line{}
	for _, l := range lines {
		if l.Head && won.Text == "" {
			won = l
		}
		if strings.HasPrefix(l.Text, "pixel ") && pixel.Text == "" && won.Text != "" {
			pixel = l
		}
	}
	require.Contains(t, won.Text, `"knot": written`)
	px := d.Picture().Image.RGBAAt(in.pixel.X, in.pixel.Y)
	require.Equal(t, px, pixel.Swatch, "the swatch is the written colour")
	require.Contains(t, first, "1  memory fill")

	// Arrow keys select neighbouring pixels.
	was := in.pixel
	d.key(KeyRight)
	require.Equal(t, was.Add(image.Pt(1, 0)), in.pixel)
	d.key(KeyDown, Shift)
	require.Equal(t, was.Add(image.Pt(1, 8)), in.pixel)
	d.clickJobs("inspect this pixel") // a corner of the magnifier
	require.Equal(t, was.Add(image.Pt(1+magnified, 8+magnified)), in.pixel)

	// Links open the draw's lines in the editor.
	d.inspect(was)
	opened := d.edits("code -w")
	d.clickJobs("open window.yaml")
	require.Equal(t, []string{"code", "-w", "--goto", window + ":25"}, *opened)
	d.clickJobs("open window.v.pica")
	require.Regexp(t, `window\.v\.pica:[0-9]+$`, (*opened)[3])
	source := testkit.Read(t, "../testdata/window.v.pica")
	for text, of := range map[string][2]string{"vertex colour": {"color", "mov outColor, color"}, "texcoord 0": {"texcoord0", "mov outTexture0.xy, texcoord"},
		"depth": {"position", "dp4 outPosition.w, projection[3], r1"}, "lighting": {"normalquat", "mov outQuaternion, r3"}} {
		before, _, found := strings.Cut(string(source), of[1])
		require.True(t, found)
		line := strings.Count(before, "\n") + 1
		links := 0
		for _, l := range in.view.Lines {
			if strings.HasPrefix(strings.TrimSpace(l.Text), text+" ") && l.Do != nil {
				l.Do()
				links++
				require.Equal(t, fmt.Sprintf("window.v.pica:%d", line), filepath.Base((*opened)[3]), text)
			}
		}
		if text != "texcoord 0" { // texcoord 0 is not read
			require.Positive(t, links, text)
		}
		require.True(t, slices.ContainsFunc(in.of.Locations[1], func(p session.Location) bool { return p.Output == of[0] && p.Line == line }))
	}
	*opened = nil
	d.clickJobs("open window.v.pica:" + fmt.Sprint(strings.Count(strings.Split(string(source), "mov outColor")[0], "\n")+1) + ", which writes it")
	require.NotNil(t, *opened)
	d.clickJobs("to draw 1")
	require.Equal(t, 1, d.Picture().Request.Draw)
	d.show(0)
	require.NotContains(t, in.view.String(), "knot", "the inspector follows the selected draw")
}

// The inspector lies over the picture, except where it was opened behind another panel: there it stays when that one is closed.
func TestInspectorStaysInItsPlace(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.Resize(1280, 720, 1)
	for _, panel := range []bool{false, true, false} {
		if panel {
			d.setDock(dockPanel)
		}
		d.inspect(image.Pt(200, 120))
		d.closeDock(dockPanel)
		require.Equal(t, !panel, d.floats())
		d.closeDock(dockInspector)
	}
}

// The inspector's text is updated when files are reloaded.
func TestInspectorFollowsReload(t *testing.T) {
	scene, shader := copyScene(t)
	d := drive(t, open(t, scene), Options{})
	d.inspect(image.Pt(185, 136))
	before := d.inspector.view.String()
	require.Contains(t, before, "255 255 255 255")
	rewrite(t, shader, "mov outColor, color", "mul outColor, half, color")
	d.until("the inspector shows the changed shader", func() bool { return strings.Contains(d.inspector.view.String(), "128 128 128 128") })
	require.Same(t, d.Picture(), d.inspector.of)

	// It is updated when a value is changed.
	const dark = "primary   0   0   0   0, secondary"
	require.NotContains(t, d.inspector.view.String(), dark)
	d.req.Edits["x"] = session.Edit{Name: "dmp_FragmentLighting.enabled", Values: []any{false}}
	d.render()
	d.settle()
	d.jobs()
	require.Contains(t, d.inspector.view.String(), dark)
	require.Same(t, d.Picture(), d.inspector.of)
}

// turn orbits the camera and waits for the picture and the panels.
func (d *driver) turn(by float64) {
	d.orbit(by, 0)
	d.settle()
	d.jobs()
}

// A pixel of a screen is traced back to its render target.
func TestInspectorTracesScreenPixel(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	require.False(t, d.Picture().Target)
	d.inspect(image.Pt(200, 90))
	text := d.inspector.view.String()
	require.Contains(t, text, "of the target 240x400")
	require.Contains(t, text, "through a display transfer")
	require.Contains(t, text, "written")
	d.explain(image.Pt(3, 300)) // outside of the lower screen
	d.settle()
	require.Contains(t, d.inspector.view.String(), "shows no screen")
}

// The wheel zooms at the pointer: the point under it stays there.
func TestZoomAtThePointer(t *testing.T) {
	d := drive(t, open(t, window), Options{})
	d.orbit(0.4, 0.2)
	d.pan(0.1, -0.05)
	d.settle()
	// place returns the point under the mouse, at the camera's target distance.
	place := func(at image.Point) mgl64.Vec3 {
		p := d.picture
		px, ok := d.pixelAt(at)
		require.True(t, ok)
		size := p.Image.Rect.Size()
		ahead := p.LookAt.Sub(p.Eye).Normalize()
		right := ahead.Cross(mgl64.Vec3{0, 1, 0}).Normalize()
		k := p.Slope * p.Distance / float64(size.Y)
		return p.LookAt.Add(right.Mul(float64(2*px.X+1-size.X) * k)).Add(right.Cross(ahead).Mul(float64(size.Y-2*px.Y-1) * k))
	}
	for _, at := range []image.Point{{150, 120}, {600, 330}} {
		d.Move(at)
		for _, notches := range []float64{1, 3, -2} {
			before, distance := place(at), d.picture.Distance
			d.Scroll(notches)
			d.settle()
			after := place(at)
			require.InDeltaSlice(t, before[:], after[:], 1e-6)
			require.Equal(t, notches > 0, d.picture.Distance < distance)
		}
	}
	e := drive(t, &endless{}, Options{})
	e.Key('2', 0)
	for _, at := range []image.Point{{395, 230}, {430, 248}} {
		e.Move(at)
		for range 3 {
			before, ok := e.pixelAt(at)
			require.True(t, ok)
			e.Scroll(1)
			e.Overlay()
			after, _ := e.pixelAt(at)
			require.Equal(t, before, after)
		}
		e.Key('2', 0)
	}
}
