package drawstate

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/internal/demo"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// The transfer that shows a target says where on the screen each of its pixels is: the target's pixels, turned and scaled in that
// way, are the screen's.
func TestTargetsAreShownAsTheirTransfersSay(t *testing.T) {
	lights := testkit.Named(t, "lights")[0].Read(t)
	flipped := testkit.Must(citrace.Parse(lights))(t)
	for i := range flipped.Elements {
		if e := &flipped.Elements[i]; e.Address == pica.ExtTransferFlags {
			e.Value |= 1
		}
	}
	recordings := map[string]*picatrace.Trace{"lights": testkit.Must(picatrace.Parse(lights))(t), "flipped": picatrace.FromCiTrace(flipped)}
	for i := range demo.Recordings {
		if name := demo.Recordings[i].Name; name == "own_stereo" || name == "own_menu" {
			recordings[name] = testkit.Must(picatrace.Parse(testkit.Must(demo.Recordings[i].Trace(t.Context(), 1))(t)))(t)
		}
	}
	recordings["demo"] = testkit.Must(picatrace.Parse(testkit.Must(demo.Trace(t.Context(), 1))(t)))(t)
	found := map[string]int{}
	for name, trace := range recordings {
		r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1}})
		require.NoError(t, err)
		var l List
		var last map[int]*image.NRGBA // pictures of the passes
		require.NoError(t, r.Visit(t.Context(), pipeline.Position{Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
			l, last = List{}, map[int]*image.NRGBA{}
			l.Follow(g, 0, func(int) (string, string) { return "", "" }, nil)
			after := g.AfterDraw
			g.AfterDraw = func(d *pipeline.DrawInfo) error {
				err := after(d)
				last[l.Draws[len(l.Draws)-1].Pass] = testkit.Must(pipeline.ColorImage(d.Target))(t)
				return err
			}
			return nil
		}))
		l.End()
		screens := map[string]*image.RGBA{"top": r.GPU.Screen(pipeline.ScreenTop), "bottom": r.GPU.Screen(pipeline.ScreenBottom), "topright": r.GPU.Screen(pipeline.ScreenTopRight)}
		for p := range l.Passes {
			s := l.Passes[p].Shown
			if s == nil {
				continue
			}
			found[name+" "+s.Screen]++
			require.Equal(t, name == "flipped", s.Flip)
			screen, target, off := screens[s.Screen], last[p], 0
			require.NotNil(t, screen, name)
			for x := range s.Height {
				for y := range s.Width {
					line := x
					if s.Flip {
						line = s.Height - 1 - x
					}
					var sum [3]int
					for dy := range s.Scale[1] {
						for dx := range s.Scale[0] {
							at := target.PixOffset((s.Width-1-y)*s.Scale[0]+dx, s.Line+line*s.Scale[1]+dy)
							for c := range sum {
								sum[c] += int(target.Pix[at+c])
							}
						}
					}
					for c := range sum {
						if d := sum[c]/(s.Scale[0]*s.Scale[1]) - int(screen.Pix[screen.PixOffset(x, y)+c]); d < -8 || d > 8 {
							off++
						}
					}
				}
			}
			require.Zero(t, off, "%s, pass %d: %+v", name, p, *s)
		}
		r.GPU.Close()
	}
	require.Equal(t, map[string]int{"demo top": 1, "flipped top": 1, "lights top": 1, "own_menu bottom": 1, "own_menu top": 1, "own_stereo top": 1, "own_stereo topright": 1}, found)
}
