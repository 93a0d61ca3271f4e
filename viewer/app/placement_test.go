package app

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
	"pica200/viewer/session"
)

// dragOn drags the control with the given tip.
func (d *driver) dragOn(tip string, by image.Point) {
	d.t.Helper()
	p := d.control(tip)
	d.drag(ButtonLeft, p, p.Add(by))
	d.now = d.now.Add(time.Second)
}

// The edited draw has handles in the picture that move, rotate and scale it. Each drag is one change, listed and undone like
// others, and written to the file only by saving.
func TestDrawHandles(t *testing.T) {
	path, _ := copyScene(t)
	before := string(testkit.Read(t, path))
	d := drive(t, open(t, path), Options{})
	d.Resize(1280, 720, 1)
	d.openPanel()
	d.settle()
	_, ok := d.screen.Where("drag to move knot")
	require.False(t, ok, "no handles while all draws are edited")
	d.editDraw("knot")
	d.settle()
	values := func(part string) []float64 { return d.placement().Values[part] }
	on := func() mgl64.Vec2 {
		_, middle := d.handles(d.placement())
		return middle
	}
	was := on()
	d.dragOn("drag to move knot", image.Pt(60, -40))
	require.InDelta(t, was[0]+60, on()[0], 0.2)
	require.InDelta(t, was[1]-40, on()[1], 0.2)
	require.Equal(t, "*", d.Title()[:1])
	require.Equal(t, before, string(testkit.Read(t, path)), "the file is unchanged before saving")
	d.panel.Select("place:at")
	require.Contains(t, d.panel.String(), "at = ")
	require.NotContains(t, d.panel.String(), "at = 0 0 0")
	moved := values(session.PlacementAt)
	d.key('Z', Ctrl)
	require.Equal(t, []float64{0, 0, 0}, values(session.PlacementAt), "undo reverts a whole drag")
	require.Empty(t, d.req.Edits)
	d.key('Y', Ctrl)
	require.Equal(t, moved, values(session.PlacementAt))

	// A single axis: its handle follows the mouse along that axis.
	at := on()
	d.dragOn("drag to move knot along y", image.Pt(0, 30))
	require.Equal(t, [2]float64{moved[0], moved[2]}, [2]float64{values(session.PlacementAt)[0], values(session.PlacementAt)[2]})
	require.Less(t, values(session.PlacementAt)[1], moved[1])
	require.InDelta(t, at[1]+30, on()[1], 3)

	d.dragOn("drag to turn knot", image.Pt(2*arm, 0)) // one radian about the camera's up vector
	angle := values(session.PlacementRotate)
	require.InDelta(t, 180/math.Pi, angle[0], 0.1)
	up := d.placement().Up
	require.InDelta(t, 1, mgl64.Vec3(angle[1:4]).Dot(up), 1e-3)
	d.dragOn("drag to turn knot", image.Pt(-2*arm, 0))
	require.InDelta(t, 0, values(session.PlacementRotate)[0], 0.02, "the opposite drag rotates back")
	d.dragOn("drag to turn knot", image.Pt(40, 25))
	d.dragOn("drag to scale knot", image.Pt(-arm, 0))
	require.Equal(t, []float64{0.5, 0.5, 0.5}, values(session.PlacementScale))

	// Values can also be typed in the panel.
	d.set("place:scale", "1/4")
	require.Equal(t, []float64{0.25, 0.5, 0.5}, values(session.PlacementScale))
	d.key('Z', Ctrl)

	shown := d.Picture().Image
	d.keyJobs('S', Ctrl)
	d.filesChanged()
	d.jobs()
	require.Empty(t, d.Problem())
	after := string(testkit.Read(t, path))
	require.Contains(t, after, "scale: 0.5")
	require.Equal(t, strings.Count(before, "\n")+3, strings.Count(after, "\n"), "three new keys, the rest unchanged:\n%s", after)
	require.Equal(t, shown, d.Picture().Image)
	require.NotEqual(t, "*", d.Title()[:1])
	require.Zero(t, d.unsaved())
	d.Key(KeyEscape, 0)
	d.Overlay()
	_, ok = d.screen.Where("drag to move knot")
	require.False(t, ok, "no handles without the panel")
}

// Lights have handles and rows in the world: a place moves in the plane of the picture, a direction turns. What is edited, saved and
// taken back is the scene's light, whichever draw the panel shows.
func TestLightHandles(t *testing.T) {
	path, _ := copyScene(t)
	text := strings.Replace(string(testkit.Read(t, path)), "lights:\n", "lights:\n  - {direction: [0, 0, 2], diffuse: [0.2, 0.2, 0.2]}\n", 1)
	text = strings.Replace(text, "[2.5, 4, 3]", "[0.5, 0.25, 0]", 1)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	d := drive(t, open(t, path), Options{})
	d.Resize(1280, 720, 1)
	d.Overlay()
	_, ok := d.screen.Where("drag to move light 1")
	require.False(t, ok, "the panel is closed")
	d.openPanel()
	d.editDraw("floor")
	d.settle()
	plain := d.Picture().Image.Pix
	from := d.control("drag to move light 1")
	d.panel.Select("light:1.position")
	d.Press(ButtonLeft, 0, from)
	for _, by := range []image.Point{{20, -10}, {50, -30}} {
		d.Move(from.Add(by))
		d.settle()
		v := d.req.Edits["/light:1.position"].Values
		require.InDeltaSlice(t, []any{v[0], v[1], v[2]}, d.panel.Selected().Values, 1e-6, "the row follows the handle")
	}
	d.Key(KeyEscape, 0)
	d.Release(d.screen.At())
	d.settle()
	require.Empty(t, d.req.Edits, "Esc takes the drag back")
	require.Equal(t, []float64{0.5, 0.25, 0}, d.panel.Selected().Values)
	require.Equal(t, dockPanel, d.dock)
	d.dragOn("drag to move light 1", image.Pt(50, -30))
	require.InDelta(t, from.X+50, d.control("drag to move light 1").X, 2)
	require.InDelta(t, from.Y-30, d.control("drag to move light 1").Y, 2)
	require.NotEqual(t, plain, d.Picture().Image.Pix)
	require.Contains(t, d.req.Edits, "/light:1.position")
	from = d.control("drag to turn light 0") // at the front of the directions, in their middle
	for _, by := range []image.Point{{30, 0}, {-50, -60}, {70, 20}, {-30, 55}} {
		from = d.control("drag to turn light 0")
		d.dragOn("drag to turn light 0", by)
		to := d.control("drag to turn light 0")
		require.InDelta(t, from.X+by.X, to.X, 2, "it stays under the mouse: %v", by)
		require.InDelta(t, from.Y+by.Y, to.Y, 2, "%v", by)
	}
	from = d.control("drag to turn light 0")
	d.Press(ButtonLeft, 0, from)
	d.Move(from.Add(image.Pt(5, 5)))
	d.settle()
	small := *d.picture // a smaller picture, as is drawn while the mouse moves
	small.Image = image.NewRGBA(image.Rect(0, 0, 100, 60))
	d.picture = &small
	d.Move(from.Add(image.Pt(-60, 20)))
	d.Release(from.Add(image.Pt(-60, 20)))
	d.settle()
	require.InDelta(t, from.X-60, d.control("drag to turn light 0").X, 2, "it stays under the mouse in smaller pictures")
	d.now = d.now.Add(time.Second)
	toward := func() float64 { return d.req.Edits["/light:0.direction"].Values[2].(float64) }
	require.Positive(t, toward())
	d.dragOn("drag to turn light 0", image.Pt(260, 0))
	require.Negative(t, toward(), "beyond the edge it comes to the back")
	from = d.control("drag to turn light 0")
	d.dragOn("drag to turn light 0", image.Pt(-40, 10))
	require.Negative(t, toward())
	require.InDelta(t, from.X-40, d.control("drag to turn light 0").X, 2)
	values := d.req.Edits["/light:0.direction"].Values
	require.InDelta(t, 2, mgl64.Vec3{values[0].(float64), values[1].(float64), values[2].(float64)}.Len(), 1e-3, "a direction keeps its length")
	d.set("light:1.position", "2.5 9 3") // out of sight, at the edge
	at := d.control("drag to move light 1")
	require.True(t, at.In(d.win.area), at)
	d.panel.Select("light:1.position")
	require.Equal(t, "position in the world = 2.5 9 3", d.panel.String())
	d.set("light:1.position", "-6 3 0")
	at = d.control("drag to move light 1")
	d.dragOn("drag to move light 1", image.Pt(80, 30))
	require.InDelta(t, at.X+80, d.control("drag to move light 1").X, 2, "from the edge it comes to the mouse")
	require.InDelta(t, at.Y+30, d.control("drag to move light 1").Y, 2)
	require.InDelta(t, 0, d.req.Edits["/light:1.position"].Values[2].(float64), 2, "in a plane that faces the camera")
	d.key('Z', Ctrl)
	d.key('Z', Ctrl)
	d.keyJobs('S', Ctrl)
	require.Contains(t, string(testkit.Read(t, path)), "{position: [2.5, 9, 3],")
	require.Equal(t, render(t, open(t, path)).Pix, d.Picture().Image.Pix)
	for range len(d.history.past) {
		d.key('Z', Ctrl)
	}
	require.Equal(t, plain, d.Picture().Image.Pix)
	d.keyJobs('S', Ctrl)
	require.Equal(t, text, string(testkit.Read(t, path)))
}

// A draw that the file animates has no handles; the panel gives the reason.
func TestAnimatedDrawHasNoHandles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.yaml")
	text := "models: {ball: {shape: sphere, size: 0.2}}\ndraws: [{name: steps, model: ball, transform: [{at: [1, 0, 0]}]}]\n"
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	d := drive(t, open(t, path), Options{})
	d.editDraw("steps")
	d.settle()
	require.Nil(t, d.placement())
	require.NotNil(t, d.Picture().Placement)
	d.panel.Select("place:")
	require.Equal(t, "place = in the file", d.panel.String())
}

// S cycles through the eyes of a stereo scene; for other scenes it reports a single picture.
func TestStereoEyeKey(t *testing.T) {
	d := drive(t, open(t, "../../testdata/scenes/stereo.yaml"), Options{})
	left := d.Picture().Image
	sizes := []image.Point{{400, 240}, {800, 240}, {400, 240}, {400, 240}}
	for i, name := range []string{"right eye", "stereo side by side", "stereo anaglyph", "render target"} {
		d.key('S')
		require.Equal(t, name, d.message.text)
		require.Equal(t, sizes[i], d.Picture().Image.Rect.Size())
		require.Equal(t, i == 3, string(left.Pix) == string(d.Picture().Image.Pix), name)
	}
	require.Contains(t, keyHelps(), keyHelp{"S", "render target, screens, both eyes"})
	require.NoError(t, d.Close())
	plain := drive(t, open(t, window), Options{})
	plain.Key('S', 0)
	require.Contains(t, plain.message.text, "there is one picture")
	require.Equal(t, session.NoScreens, plain.req.Screens)
}

// The timing shows all digits of large numbers, in columns, beside the draw list.
func TestTimingShowsAllDigits(t *testing.T) {
	d := drive(t, open(t, lights), Options{})
	d.picture.Seeking, d.picture.Took = 1234567*time.Microsecond, 98765432*time.Microsecond
	d.picture.Stats.Geometry.Triangles, d.picture.Stats.Geometry.Primitives = 12345678, 87654321
	lines := d.timing()
	require.Contains(t, lines, "frames before  1234.57 ms")
	require.Contains(t, lines, "picture       98765.43 ms")
	require.Contains(t, lines, "triangles     12345678 of 87654321")
	d.Resize(1280, 720, 1)
	d.keyJobs('L')
	plain, _ := d.Overlay()
	before := append([]uint8(nil), plain.Pix...)
	d.Key(KeyF3, 0)
	d.Overlay()
	list := d.win.list
	for y := list.Min.Y; y < list.Max.Y; y++ {
		row := plain.Pix[y*plain.Stride+4*list.Min.X : y*plain.Stride+4*list.Max.X]
		require.Equal(t, before[y*plain.Stride+4*list.Min.X:][:len(row)], row, "the timing does not cover the list")
	}
}
