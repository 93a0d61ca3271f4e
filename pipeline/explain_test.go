package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// TestExplainEndsInThePicture explains pixels of traces: the last
// event must leave what the picture shows.
func TestExplainEndsInThePicture(t *testing.T) {
	if testkit.Race {
		t.Skip("explaining runs on one goroutine, and TestTracesReplay draws these traces with several")
	}
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs", "b_game", "x_tests", "x_texenv", "x_shadow", "b_light") {
		t.Run(file.Name, func(t *testing.T) {
			p, err := NewPlayer(readTrace(t, file), Options{Workers: 2})
			require.NoError(t, err)
			_, err = p.NextFrame(context.Background())
			require.NoError(t, err)
			target, err := p.GPU.LastTarget()
			require.NoError(t, err)
			img, err := ColorImage(target)
			require.NoError(t, err)
			drawn := 0
			w, h := img.Bounds().Dx(), img.Bounds().Dy()
			for _, at := range [][2]int{{w / 2, h / 2}, {w / 4, h / 4}, {w * 5 / 6, h * 7 / 8}, {w / 24, h / 40}, {w * 3 / 5, h * 3 / 5}} {
				var last *Event
				require.NoError(t, p.Explain(context.Background(), 0, at[0], at[1], func(e Event) {
					if e.Fragment != nil {
						drawn++
						require.GreaterOrEqual(t, e.Draw, 0)
					}
					last = &e
				}))
				require.NotNil(t, last)
				want := img.NRGBAAt(at[0], at[1])
				got := last.After
				if last.Fragment != nil {
					got = &last.Fragment.After
				}
				require.Equal(t, [4]uint8{want.R, want.G, want.B, want.A}, got.Color, "pixel %v", at)
			}
			require.NotZero(t, drawn, "no pixel was drawn to: choose others")
		})
	}
	t.Run("outside", func(t *testing.T) {
		p, err := NewPlayer(readTrace(t, testkit.Named(t, "lights")[0]), Options{})
		require.NoError(t, err)
		require.ErrorContains(t, p.Explain(context.Background(), 0, 240, 0, func(Event) {}), "outside the render target of 240x400")
		require.ErrorContains(t, p.Explain(context.Background(), 9, 0, 0, func(Event) {}), "no frame 9")
	})
}
