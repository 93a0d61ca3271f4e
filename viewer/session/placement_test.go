package session

import (
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// centreOf returns the centre and the number of red pixels of a picture.
func centreOf(t *testing.T, img *image.RGBA) (x, y float64, n int) {
	t.Helper()
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i] > 200 && img.Pix[i+1] < 50 {
			x, y, n = x+float64(i%img.Stride/4)+0.5, y+float64(i/img.Stride)+0.5, n+1
		}
	}
	require.NotZero(t, n)
	return x / float64(n), y / float64(n), n
}

func placeEdit(part, draw string, values ...float64) Edit {
	e := Edit{Name: part, Draw: draw}
	for _, v := range values {
		e.Values = append(e.Values, v)
	}
	return e
}

// Edits position a draw in each kind of picture; the scene changes only when saved.
func TestPlacementEdits(t *testing.T) {
	for name, head := range map[string]string{
		"plain":    "target: {width: 200, height: 120}\ncamera: {eye: [0, 0, 5], fovy: 40}\n",
		"rotated":  "target: {width: 240, height: 400}\ncamera: {eye: [0, 0, 5], fovy: 40, rotated: true}\n",
		"viewport": "target: {width: 200, height: 120, viewport: [100, 40, 80, 60]}\ncamera: {eye: [0, 0, 5], height: 4}\n",
		"stereo":   "target: {width: 240, height: 400}\ncamera: {eye: [0, 0, 5], fovy: 40, rotated: true, stereo: {eyes: 0.01, convergence: 5}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := head + "models: {ball: {shape: sphere, size: 0.2}, far: {shape: sphere, size: 0.05}}\ndraws:\n" +
				"  - {model: far, at: [9, 9, -9], lit: false}\n  - {name: red, model: ball, at: [0.3, 0.2, 0], lit: false, color: [1, 0, 0, 1]} # here\n"
			path := written(t, text)
			s := open(t, path)
			r := request()
			r.Target = "red"
			p := render(t, s, r)
			x, y, n := centreOf(t, p.Image)
			at := func(p *Picture) mgl64.Vec2 {
				x, y, ok := p.Placement.On(mgl64.Vec3(p.Placement.Values[PlacementAt]))
				require.True(t, ok)
				return mgl64.Vec2{x, y}
			}
			require.InDelta(t, x, at(p)[0], 0.7)
			require.InDelta(t, y, at(p)[1], 0.7)
			require.Equal(t, []float64{0.3, 0.2, 0}, p.Placement.Values[PlacementAt])
			right, up := p.Placement.Right, p.Placement.Up
			require.InDelta(t, 1, right[0]*up[1], 1e-9, "%v %v", right, up)

			put := func(part string, values ...float64) {
				e := placeEdit(part, "red", values...)
				r.Edits[e.Key()] = e
			}
			put(PlacementAt, -0.4, 0.5, 1)
			put(PlacementScale, 1.5, 1.5, 1.5)
			r.Rows = true
			p = render(t, s, r)
			x2, y2, n2 := centreOf(t, p.Image)
			require.InDelta(t, x2, at(p)[0], 0.7)
			require.InDelta(t, y2, at(p)[1], 0.7)
			require.Less(t, x2, x-3)
			require.Less(t, y2, y-3)
			require.Greater(t, 2*n2, 3*n, "larger")
			require.Equal(t, placementGroup, p.Rows[0].Group)
			require.True(t, p.Rows[0].Changed)
			require.Equal(t, []float64{0.3, 0.2, 0}, p.Rows[0].Was.Values)
			require.False(t, p.Rows[1].Changed, "the rotation is not marked as changed")
			require.True(t, p.Rows[2].Changed)
			clean := *r
			clean.Edits = map[string]Edit{}
			x3, y3, _ := centreOf(t, render(t, s, &clean).Image)
			require.Equal(t, [2]float64{x, y}, [2]float64{x3, y3}, "without edits the scene is unchanged")

			s = writeBack(t, s, r)
			now := testkit.Read(t, path)
			require.Contains(t, string(now), "[-0.4, 0.5, 1]")
			require.Contains(t, string(now), "scale: 1.5")
			require.NotContains(t, string(now), "rotate:")
			require.Contains(t, string(now), "# here")
			require.Contains(t, string(now), "at: [9, 9, -9]")
			x3, y3, _ = centreOf(t, render(t, s, &clean).Image)
			require.Equal(t, [2]float64{x2, y2}, [2]float64{x3, y3}, "the saved scene draws the edited picture")
		})
	}
}

// Animated draws and those with lists of transforms are placed by the file; the panel says so.
// A point of the world is a pixel of the picture, which may show its target on the side.
func TestPointsOnTargetsOnTheSide(t *testing.T) {
	for o, want := range map[orientation][2]float64{notRotated: {180, 160}, quarterTurn: {160, 60}, quarterTurnFlipped: {240, 60}} {
		p := &Projection{clip: mgl64.Ident4(), viewport: [4]float64{0, -10, 240, 400}, orientation: o, width: 240, height: 400}
		x, y, ok := p.On(mgl64.Vec3{0.5, 0.25, 0})
		require.True(t, ok)
		require.Equal(t, want, [2]float64{x, y}, "%v", o)
	}
}

func TestPlacementFixedByFile(t *testing.T) {
	text := "models: {ball: {shape: sphere, size: 0.2}}\ndraws:\n" +
		"  - {name: steps, model: ball, transform: [{at: [1, 0, 0]}, {scale: 2}]}\n" +
		"  - {name: moves, model: ball, at: {keys: [[0, 0, 0, 0], [1, 0, 1, 0]]}}\n"
	s := open(t, written(t, text))
	for i, why := range []string{"a list of transforms", "moves with the time (keys of at)"} {
		r := request()
		r.Target, r.Rows = []string{"steps", "moves"}[i], true
		p := render(t, s, r)
		require.Nil(t, p.Placement.Values)
		require.Contains(t, p.Placement.Why, why)
		require.Equal(t, "text", p.Rows[0].Type)
		require.Contains(t, p.Rows[0].About, why)
		e := placeEdit(PlacementAt, r.Target, 5, 5, 5)
		r.Edits[e.Key()] = e
		require.Equal(t, p.Image, render(t, s, r).Image, "an animated draw is not moved")
	}
	r := request()
	e := Edit{Name: PlacementAt, Draw: "steps", Values: []any{"x", 1.0, 2.0}}
	r.Edits[e.Key()] = e
	render(t, s, r) // what cannot be moved is not looked at
}

// Each eye of a stereo scene is shown alone, side by side and as anaglyph; a pixel of the right eye is explained with that eye's
// draws.
func TestStereoEyes(t *testing.T) {
	text := "target: {width: 240, height: 400}\ncamera: {eye: [0, 0, 5], fovy: 40, rotated: true, stereo: {eyes: 1, convergence: 8}}\n" +
		"models: {ball: {shape: sphere, size: 0.3}}\ndraws: [{model: ball, at: [0, 0.4, 1], lit: false, color: [1, 0, 0, 1]}]\n"
	s := open(t, written(t, text))
	list := s.Info().Screens
	require.Equal(t, []Screens{NoScreens, RightEye, SideBySide, Anaglyph}, list)
	show := func(screens Screens) *Picture {
		r := request()
		r.Screens = screens
		return render(t, s, r)
	}
	left, y, _ := centreOf(t, show(NoScreens).Image)
	right, y2, _ := centreOf(t, show(RightEye).Image)
	require.InDelta(t, y, y2, 0.01)
	require.Greater(t, left, right+40, "for the left eye a near object is further right")
	both := show(SideBySide)
	require.Equal(t, image.Pt(800, 240), both.Image.Rect.Size())
	for i, x := range []float64{left, 400 + right} {
		part := both.Image.SubImage(image.Rect(400*i, 0, 400*i+400, 240)).(*image.RGBA)
		only := image.NewRGBA(image.Rect(0, 0, 800, 240))
		for py := range 240 {
			copy(only.Pix[py*only.Stride+1600*i:][:1600], part.Pix[py*part.Stride:])
		}
		at, _, _ := centreOf(t, only)
		require.InDelta(t, x, at, 0.01)
		for dx, hits := range map[int]bool{0: true, 60: false, -60: false} {
			e := historyOf(t, s, both, int(x)+dx, int(y))
			fragments := 0
			for _, ev := range e.Events {
				if ev.Fragment != nil {
					require.Equal(t, 1-i, ev.Draw, "draw order: right eye, then left")
					fragments++
				}
			}
			require.Equal(t, hits, fragments > 0, "%d of eye %d", dx, i)
		}
	}
	for _, more := range []string{"rotated: true", ""} {
		one := "target: {width: 240, height: 400}\ncamera: {eye: [0, 0, 5], " + more + "}\nmodels: {ball: {shape: sphere}}\ndraws: [{model: ball}]\n"
		require.NotContains(t, open(t, written(t, one)).Info().Screens, RightEye)
	}
}
