package blame

import (
	"context"
	"image"
	"image/color"
	stddraw "image/draw"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

func open(t *testing.T, name string) *pipeline.Replayer {
	t.Helper()
	trace, err := picatrace.Parse(testkit.Named(t, name)[0].Read(t))
	require.NoError(t, err)
	r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{})
	require.NoError(t, err)
	return r
}

// faulty draws a frame with one field of one draw changed, and gives what the
// picture of the target that is drawn to last is then.
func faulty(t *testing.T, r *pipeline.Replayer, frame, number int, f pica.Field, value uint32) image.Image {
	t.Helper()
	ctx := context.Background()
	var old uint32
	require.NoError(t, r.Visit(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		r.Spoil()
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if d.Index != number {
				return nil
			}
			old = g.ReadInternal(f.Reg)
			require.NotEqual(t, value, f.Of(old), "the fault must change something")
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
	target, err := r.GPU.LastTarget()
	require.NoError(t, err)
	img, err := pipeline.ColorImage(target)
	require.NoError(t, err)
	return img
}

// One state of one draw is changed; from nothing but the picture its draw is
// named.
func TestBlameNamesThePlantedFault(t *testing.T) {
	texenv := func(stage int, f pica.Field) pica.Field { return f.At(pica.TexenvOffset(stage)) }
	for _, c := range []struct {
		name  string
		trace string
		draw  int
		field pica.Field
		value uint32
	}{
		{"combiner function", "lights", 1, texenv(1, pica.TexenvRgbCombine), uint32(pica.CombineReplace)},
		{"combiner function of the last", "lights", 2, texenv(0, pica.TexenvRgbCombine), uint32(pica.CombineAdd)},
		{"culling", "lights", 1, pica.FacecullingMode, uint32(pica.CullFront)},
		{"depth test never", "lights", 2, pica.DepthTestFunc, uint32(pica.CompareNever)},
		{"colour mask", "lights", 1, pica.ColorMaskG, 0},
		{"lighting off", "lights", 1, pica.LightingEnable, 0},
		{"viewport", "lights", 2, pica.ViewportX, 30},
		{"texture off", "lights", 0, pica.TexunitEnable0, 0},
		{"depth test never, shadow receiver", "shadow", 2, pica.DepthTestFunc, uint32(pica.CompareNever)},
		{"culling, shadow", "shadow", 2, pica.FacecullingMode, uint32(pica.CullFront)},
		{"colour mask, shadow", "shadow", 1, pica.ColorMaskB, 0},
		{"colour mask, arcs", "arcs", 1, pica.ColorMaskR, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := open(t, c.trace)
			shot := faulty(t, r, 0, c.draw, c.field, c.value)
			rep, err := Run(context.Background(), r, shot, Options{Frame: 0, Screen: "target"})
			require.NoError(t, err)
			require.NotZero(t, rep.Differing, "the fault does not show")
			require.NotEmpty(t, rep.Suspects)
			t.Logf("%d pixels differ; draw %d scores %.3f", rep.Differing, rep.Suspects[0].Draw, rep.Suspects[0].Score)
			require.Equal(t, c.draw, rep.Suspects[0].Draw, "%+v", rep.Suspects)
		})
	}
}

// A screenshot is found however it lies: turned, scaled, cropped, with a border,
// with the other screen beside it.
func TestScreenshotsAreFound(t *testing.T) {
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
	turned := image.NewNRGBA(image.Rect(0, 0, 240, 400))
	for y := range 400 {
		for x := range 240 {
			turned.Set(x, y, top.At(y, 239-x))
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
		{"as it is", top, 0, 0}, {"three times as large", scaled(3), 0, 0}, {"turned", turned, 0, 0},
		{"cropped", top.SubImage(image.Rect(37, 21, 361, 229)), 37, 21}, {"both screens", both, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep, err := Run(ctx, r, c.img, Options{Frame: 1})
			require.NoError(t, err)
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
