package blame

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"image"
	"image/color"
	stddraw "image/draw"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

func open(t *testing.T, name string) *pipeline.Replayer {
	t.Helper()
	trace := states.Parse(t, testkit.Named(t, name)[0].Read(t))
	r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
	t.Cleanup(r.GPU.Close)
	return r
}

// faulty draws a frame with one field of one draw changed.
func faulty(t *testing.T, r *pipeline.Replayer, frame, number int, f pica.Field, value uint32) *pipeline.GPU {
	t.Helper()
	ctx := context.Background()
	var old uint32
	require.NoError(t, r.Visit(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		r.Invalidate()
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if d.Index != number {
				return nil
			}
			old = g.ReadInternal(f.Reg)
			require.NotEqual(t, value, f.Of(old), "the changed field had another value")
			return g.WriteInternal(ctx, f.Reg, f.Put(old, value))
		}
		g.AfterDraw = func(d *pipeline.DrawInfo) error {
			if d.Index != number {
				return nil
			}
			return g.WriteInternal(ctx, f.Reg, old)
		}
		return nil
	}))
	return r.GPU
}

// target returns the colour buffer of the last draw as an image.
func target(t *testing.T, g *pipeline.GPU) image.Image {
	t.Helper()
	target := testkit.Must(g.LastTarget())(t)
	img := testkit.Must(pipeline.ColorImage(target))(t)
	return img
}

// saved returns the picture after a round trip through PNG.
func saved(t *testing.T, img image.Image) image.Image {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, img))
	again := testkit.Must(png.Decode(&b))(t)
	return again
}

// mapped returns a w x h picture with colours at(x, y).
func mapped(w, h int, at func(x, y int) color.Color) image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			img.Set(x, y, at(x, y))
		}
	}
	return img
}

// One field of one draw is changed. Run finds that draw from a screenshot of the top screen alone, in the layouts and scales of
// several emulators.
func TestBlameFindsChangedField(t *testing.T) {
	testkit.Slow(t)
	texenv := func(stage int, f pica.Field) pica.Field { return f.At(pica.TexenvOffset(stage)) }
	as := map[string]func(top image.Image) image.Image{
		"as it is": func(top image.Image) image.Image { return top },
		"twice as high": func(top image.Image) image.Image {
			return mapped(800, 480, func(x, y int) color.Color { return top.At(x/2, y/2) })
		},
		"three times": func(top image.Image) image.Image {
			return mapped(1200, 720, func(x, y int) color.Color { return top.At(x/3, y/3) })
		},
		"turned": func(top image.Image) image.Image {
			return mapped(240, 400, func(x, y int) color.Color { return top.At(y, 239-x) })
		},
		"upside down": func(top image.Image) image.Image {
			return mapped(400, 240, func(x, y int) color.Color { return top.At(399-x, 239-y) })
		},
		"mirrored": func(top image.Image) image.Image {
			return mapped(400, 240, func(x, y int) color.Color { return top.At(399-x, y) })
		},
		"turned and mirrored": func(top image.Image) image.Image {
			return mapped(240, 400, func(x, y int) color.Color { return top.At(y, x) })
		},
		"cropped": func(top image.Image) image.Image {
			return mapped(340, 210, func(x, y int) color.Color { return top.At(x+31, y+17) })
		},
		"both screens": func(top image.Image) image.Image {
			return mapped(400, 480, func(x, y int) color.Color {
				if y < 240 {
					return top.At(x, y)
				}
				return color.Gray{uint8(x ^ y)} // stands for the bottom screen of another program
			})
		},
		"with other colours": func(top image.Image) image.Image { // off by one step, as with another rounding
			return mapped(400, 240, func(x, y int) color.Color {
				c := color.NRGBAModel.Convert(top.At(x, y)).(color.NRGBA)
				if (x+y)%3 == 0 && c.R < 255 {
					c.R++
				}
				return c
			})
		},
	}
	r := open(t, "lights")
	for _, c := range []struct {
		name  string
		saved string
		draw  int
		field pica.Field
		value uint32
	}{
		{"combiner function", "as it is", 1, texenv(1, pica.TexenvRgbCombine), uint32(pica.CombineReplace)},
		{"combiner function of the last", "mirrored", 2, texenv(0, pica.TexenvRgbCombine), uint32(pica.CombineAdd)},
		{"culling", "twice as high", 1, pica.FacecullingMode, uint32(pica.CullFront)},
		{"depth test never", "turned", 2, pica.DepthTestFunc, uint32(pica.CompareNever)},
		{"colour mask", "three times", 1, pica.ColorMaskG, 0},
		{"lighting off", "upside down", 1, pica.LightingEnable, 0},
		{"viewport", "turned and mirrored", 2, pica.ViewportX, 30},
		{"texture off", "both screens", 0, pica.TexunitEnable0, 0},
		{"blend factor", "cropped", 2, pica.BlendRgbDest, uint32(pica.FactorOne)},
		{"alpha test", "with other colours", 2, pica.AlphaTestFunc, uint32(pica.CompareAlways)},
		{"fog", "mirrored", 0, pica.TexenvUpdateFogMode, 0},
		{"combiner source", "cropped", 0, texenv(0, pica.TexenvRgbSource0), uint32(pica.SourceConstant)},
	} {
		t.Run(c.name+", "+c.saved, func(t *testing.T) {
			top := faulty(t, r, 0, c.draw, c.field, c.value).Screen(pipeline.ScreenTop)
			rep := testkit.Must(Run(context.Background(), r, saved(t, as[c.saved](top)), Options{Frame: 0, Tolerance: 2}))(t)
			require.Equal(t, "top", rep.Screen)
			require.NotZero(t, rep.Differing, "the changed field changes pixels")
			require.NotEmpty(t, rep.Suspects)
			t.Logf("%s, scale %d, at %d,%d: %d pixels differ; draw %d scores %.3f", rep.Orientation, rep.Scale, rep.X, rep.Y, rep.Differing, rep.Suspects[0].Draw, rep.Suspects[0].Score)
			require.Equal(t, c.draw, rep.Suspects[0].Draw, "%+v", rep.Suspects)
		})
	}
}

// Frames that are never displayed are compared with a picture of their render target.
func TestBlameOfRenderTarget(t *testing.T) {
	for _, c := range []struct {
		name  string
		trace string
		draw  int
		field pica.Field
		value uint32
	}{
		{"depth test never, shadow receiver", "shadow", 2, pica.DepthTestFunc, uint32(pica.CompareNever)},
		{"culling, shadow", "shadow", 2, pica.FacecullingMode, uint32(pica.CullFront)},
		{"colour mask, shadow", "shadow", 1, pica.ColorMaskB, 0},
		{"colour mask, arcs", "arcs", 1, pica.ColorMaskR, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := open(t, c.trace)
			shot := saved(t, target(t, faulty(t, r, 0, c.draw, c.field, c.value)))
			rep := testkit.Must(Run(context.Background(), r, shot, Options{Frame: 0}))(t)
			require.Equal(t, "target", rep.Screen)
			require.NotZero(t, rep.Differing, "the changed field changes pixels")
			require.NotEmpty(t, rep.Suspects)
			require.Equal(t, c.draw, rep.Suspects[0].Draw, "%+v", rep.Suspects)
		})
	}
}

// A screenshot is found turned, scaled, cropped, with a border, or beside the other screen.
func TestScreenshotPlacement(t *testing.T) {
	r := open(t, "lights")
	ctx := context.Background()
	require.NoError(t, r.Seek(ctx, pipeline.Position{Frame: 1, Draw: pipeline.FrameEnd}))
	top := r.GPU.Screen(pipeline.ScreenTop)
	scaled := func(n int) image.Image {
		img := image.NewNRGBA(image.Rect(0, 0, 400*n, 240*n))
		for y := range 240 * n {
			for x := range 400 * n {
				img.Set(x, y, top.At(x/n, y/n))
			}
		}
		return img
	}
	oriented := image.NewNRGBA(image.Rect(0, 0, 240, 400))
	for y := range 400 {
		for x := range 240 {
			oriented.Set(x, y, top.At(y, 239-x))
		}
	}
	both := image.NewNRGBA(image.Rect(0, 0, 400, 480))
	stddraw.Draw(both, both.Rect, image.NewUniform(color.Black), image.Point{}, stddraw.Src)
	stddraw.Draw(both, image.Rect(0, 0, 400, 240), top, image.Point{}, stddraw.Src)
	for _, c := range []struct {
		name string
		img  image.Image
		x, y int
	}{
		{"as it is", top, 0, 0}, {"three times as large", scaled(3), 0, 0}, {"turned", oriented, 0, 0},
		{"cropped", top.SubImage(image.Rect(37, 21, 361, 229)), 37, 21}, {"both screens", both, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := testkit.Must(Run(ctx, r, c.img, Options{Frame: 1}))(t)
			require.Equal(t, "top", rep.Screen)
			require.Equal(t, [2]int{c.x, c.y}, [2]int{rep.X, rep.Y})
			require.Zero(t, rep.Differing)
			require.Empty(t, rep.Notes)
		})
	}
	_, err := Run(ctx, r, image.NewNRGBA(image.Rect(0, 0, 4, 4)), Options{Frame: 1})
	require.ErrorContains(t, err, "sides are 8 to")
	_, err = Run(ctx, r, top, Options{Frame: 99})
	require.ErrorContains(t, err, "there is no frame 99")
}

// The search in a large picture ends when the context is cancelled.
func TestSearchEndsOnCancel(t *testing.T) {
	r := open(t, "lights")
	require.NoError(t, r.Seek(t.Context(), pipeline.Position{Frame: 1, Draw: pipeline.FrameEnd}))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	large := mapped(2000, 2000, func(x, y int) color.Color { return color.Gray{uint8(x * y)} })
	_, err := new(Report).find(ctx, r.GPU, large, Options{Frame: 1})
	require.ErrorIs(t, err, context.Canceled)
	_, _, d := align(ctx, fromImage(r.GPU.Screen(pipeline.ScreenTop)), fromImage(large), across, clipped)
	require.True(t, math.IsInf(d, 1), "a cancelled search compares nothing")
}

// A draw's score counts the differing pixels from the draw that wrote them up to the transfer to the screen. Of draws with equal
// scores, the one that wrote more of the differing pixels last comes first.
func TestSuspectScore(t *testing.T) {
	r := open(t, "lights")
	covers := map[draw]map[uint32]bool{}
	for frame := range 2 {
		require.NoError(t, r.Coverage(t.Context(), frame, func(number int, addrs []uint32) {
			covers[draw{frame, number}] = map[uint32]bool{}
			for _, a := range addrs {
				covers[draw{frame, number}][a] = true
			}
		}))
	}
	require.Len(t, covers, 6)
	// of returns addresses that all draws in the first list cover and no draw in the second.
	of := func(n int, all, none []draw) (list []uint32) {
		for a := range covers[all[0]] {
			fits := true
			for _, d := range all {
				fits = fits && covers[d][a]
			}
			for _, d := range none {
				fits = fits && !covers[d][a]
			}
			if fits {
				list = append(list, a)
			}
		}
		slices.Sort(list)
		require.GreaterOrEqual(t, len(list), n, "%v without %v", all, none)
		return list[:n]
	}
	a, b, c, later := draw{0, 0}, draw{0, 1}, draw{0, 2}, draw{1, 0}
	ab := of(2, []draw{a, b, later}, []draw{c})
	alone := of(1, []draw{a, later}, []draw{b, c})
	type pixel struct {
		source
		differs bool
	}
	end := int64(math.MaxInt64)
	for _, tt := range []struct {
		name    string
		pixels  []pixel
		want    []Suspect
		unknown int
	}{
		{"the last writer", []pixel{{source{ab[0], a, b.order(), true}, true}}, []Suspect{{Frame: 0, Draw: 0, Differing: 1, Reach: 1, LastOf: 1, Score: 1, First: true}}, 0},
		{"the last writer and later draws", []pixel{{source{ab[0], a, later.order(), true}, true}}, []Suspect{
			{Frame: 0, Draw: 0, Differing: 1, Reach: 1, LastOf: 1, Score: 1, First: true}, {Frame: 0, Draw: 1, Differing: 1, Reach: 1, Score: 1}}, 0},
		{"draws up to the end", []pixel{{source{ab[0], b, end, true}, true}}, []Suspect{
			{Frame: 0, Draw: 1, Differing: 1, Reach: 1, LastOf: 1, Score: 1, First: true}, {Frame: 1, Draw: 0, Differing: 1, Reach: 1, Score: 1}}, 0},
		{"no draws before the last writer", []pixel{{source{ab[0], later, end, true}, true}}, []Suspect{{Frame: 1, Draw: 0, Differing: 1, Reach: 1, LastOf: 1, Score: 1, First: true}}, 0},
		{"equal pixels lower the score", []pixel{{source{ab[0], a, b.order(), true}, true}, {source{ab[1], a, b.order(), true}, false}}, []Suspect{
			{Frame: 0, Draw: 0, Differing: 1, Reach: 2, LastOf: 1, Score: 2. / 3, First: true}}, 0},
		{"the better score", []pixel{
			{source{ab[0], a, later.order(), true}, true}, {source{ab[1], b, later.order(), true}, true}, {source{alone[0], a, later.order(), true}, false}}, []Suspect{
			{Frame: 0, Draw: 1, Differing: 2, Reach: 2, LastOf: 1, Score: 1}, {Frame: 0, Draw: 0, Differing: 1, Reach: 2, LastOf: 1, Score: 0.5, First: true}}, 0},
		{"the last writer of two with equal scores", []pixel{{source{alone[0], draw{-1, -1}, b.order(), true}, true}, {source{ab[0], b, later.order(), true}, true}}, []Suspect{
			{Frame: 0, Draw: 1, Differing: 1, Reach: 1, LastOf: 1, Score: 2. / 3}, {Frame: 0, Draw: 0, Differing: 1, Reach: 1, Score: 2. / 3, First: true}}, 1},
		{"no draw wrote it", []pixel{{source{ab[0], draw{-1, -1}, a.order(), true}, true}, {source{ab[1], draw{-1, -1}, a.order(), true}, false}}, nil, 1},
		{"not known", []pixel{{source{ab[0], a, end, false}, true}}, nil, 0},
	} {
		var sources []source
		var differs []bool
		rep := &Report{Frame: 1}
		for _, p := range tt.pixels {
			sources, differs = append(sources, p.source), append(differs, p.differs)
			if p.differs {
				rep.Differing++
			}
		}
		require.NoError(t, rep.suspect(t.Context(), r, nil, sources, differs, nil))
		for i := range rep.Suspects {
			rep.Suspects[i].Special = nil
		}
		require.Equal(t, tt.want, slices.Clip(rep.Suspects), tt.name)
		require.Equal(t, tt.unknown, rep.Unknown, tt.name)
	}
}

// The text of a report has only the parts that the report has.
func TestReportInWords(t *testing.T) {
	r := open(t, "lights")
	require.NoError(t, r.Seek(t.Context(), pipeline.Position{Frame: 1, Draw: pipeline.FrameEnd}))
	top := r.GPU.Screen(pipeline.ScreenTop)
	changed := mapped(400, 240, func(x, y int) color.Color {
		c := color.NRGBAModel.Convert(top.At(x, y)).(color.NRGBA)
		if c.R > 60 {
			c.R -= 60
		}
		return c
	})
	rep := testkit.Must(Run(t.Context(), r, changed, Options{Frame: 1}))(t)
	require.NotEmpty(t, rep.Suspects)
	for _, s := range rep.Suspects {
		list := testkit.Must(r.Draws(t.Context(), s.Frame))(t)
		require.Equal(t, &list[s.Draw], s.Record)
	}
	for at := range rep.Ours.Rect.Dx() * rep.Ours.Rect.Dy() {
		x, y := at%rep.Ours.Rect.Dx(), at/rep.Ours.Rect.Dx()
		require.Equal(t, color.NRGBAModel.Convert(top.At(x, y)), rep.Ours.At(x, y))
		require.Equal(t, color.NRGBAModel.Convert(changed.At(x, y)), rep.Theirs.At(x, y))
	}
	words := func() string {
		var b strings.Builder
		rep.WriteText(&b)
		return b.String()
	}
	rep.Unknown = 0
	text := words()
	require.Contains(t, text, fmt.Sprintf("\n%d of %d pixels differ\n", rep.Differing, rep.Compared))
	require.NotContains(t, text, "of them no draw")
	require.Equal(t, 1, strings.Count(text, "the first draw that touches any"))
	require.NotContains(t, text, "note: ")
	for _, s := range rep.Suspects {
		require.Contains(t, text, fmt.Sprintf("frame %d, draw %d: score %.3f; lies on %d of them and wrote %d last; can have changed %d pixels", s.Frame, s.Draw, s.Score, s.Differing, s.LastOf, s.Reach))
		require.Contains(t, text, fmt.Sprintf("  %s, %s, %d vertices, target %v\n", s.Record.Kind, s.Record.Primitive, s.Record.Vertices, s.Record.Target))
		for _, x := range s.Special {
			require.Contains(t, text, fmt.Sprintf("  %s %s = %s; most draws: %s\n", x.Register, x.Field, x.Value, x.Others))
		}
	}
	rep.Unknown, rep.Notes = 1, []string{"a word"}
	require.Contains(t, words(), "\n1 of them no draw of this frame and the ")
	require.Contains(t, words(), "\nnote: a word\n")

	var page strings.Builder
	require.NoError(t, rep.WriteHTML(&page, "Frame 1 <as seen>"))
	require.Contains(t, page.String(), "<title>Frame 1 &lt;as seen&gt;</title>")
	for _, p := range []*image.NRGBA{rep.Ours, rep.Theirs, rep.Difference} {
		var b bytes.Buffer
		require.NoError(t, png.Encode(&b, p))
		url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
		require.True(t, strings.Contains(html.UnescapeString(page.String()), url), "the page contains the picture")
	}
}

// Fields are sorted by how few other draws of the frame share the value; those that more than a quarter share are left out.
func TestRareFieldsComeFirst(t *testing.T) {
	all := map[draw]*pica.Regs{}
	for n := range 9 {
		r := &pica.Regs{}
		pica.AlphaTestRef.Set(r, 100)
		pica.FacecullingMode.Set(r, uint32(pica.CullBack))
		all[draw{3, n}] = r
	}
	for n, f := range []pica.Field{pica.AlphaTestRef, pica.AlphaTestRef, pica.StencilTestRef, pica.StencilTestRef, pica.StencilTestRef} {
		f.Set(all[draw{3, n}], 7) // one of the eight other draws shares it with draw 0, two with draw 2
	}
	pica.FacecullingMode.Set(all[draw{3, 0}], uint32(pica.CullFront))
	other := pica.Regs{}
	all[draw{4, 0}] = &other // in a frame of its own
	value := func(f pica.Field, v uint32) string { return f.Format(v) }
	of := func(f pica.Field, mine, most uint32, sharing int) Special {
		return Special{f.Reg.String(), f.Name, value(f, mine), value(f, most), sharing}
	}
	require.Equal(t, []Special{of(pica.FacecullingMode, uint32(pica.CullFront), uint32(pica.CullBack), 0), of(pica.AlphaTestRef, 7, 100, 1)}, special(draw{3, 0}, all))
	require.Equal(t, []Special{of(pica.StencilTestRef, 7, 0, 2)}, special(draw{3, 2}, all))
	pica.StencilTestRef.Set(all[draw{3, 8}], 7)
	for _, d := range []draw{{3, 2}, {3, 5}, {4, 0}, {9, 9}} {
		require.Equal(t, []Special{}, special(d, all), "%v", d)
	}
}

// ends is a context that is cancelled after left calls of Err.
type ends struct {
	context.Context
	left int
}

func (c *ends) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// A search that is cancelled at any point, also while frames are redrawn, returns the error and no report.
func TestCancelledBlame(t *testing.T) {
	r := open(t, "lights")
	top := faulty(t, r, 0, 1, pica.ColorMaskG, 0).Screen(pipeline.ScreenTop)
	shot := saved(t, top)
	cancelled := 0
	for looks := 0; ; looks = 2*looks + 1 {
		rep, err := Run(&ends{t.Context(), looks}, r, shot, Options{Frame: 0})
		if err == nil {
			require.NotEmpty(t, rep.Suspects)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		require.Nil(t, rep)
		cancelled++
	}
	require.Greater(t, cancelled, 3)
}

// fits says which sizes can be compared in which way.
func TestPictureSizesFit(t *testing.T) {
	c := candidate{pic: &picture{w: 40, h: 30}}
	for _, f := range []struct {
		w, h int
		how  fit
		is   bool
	}{
		{40, 30, same, true}, {40, 30, within, false}, {40, 29, same, false}, {39, 29, within, true}, {40, 29, within, true}, {41, 31, within, true},
		{41, 29, within, false}, {41, 29, across, true}, {40, 30, across, false},
	} {
		require.Equal(t, f.is, c.fits(f.w, f.h, f.how), "%v", f)
	}
	c.plain = true
	require.True(t, c.fits(40, 30, same))
	require.False(t, c.fits(39, 29, within), "pictures of one colour are not compared within")
}
