package pipeline

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
)

// TestExplainEndsInThePicture explains pixels of recorded traces: the last
// event must leave what the picture shows.
func TestExplainEndsInThePicture(t *testing.T) {
	for _, name := range []string{"b_game", "x_tests", "x_texenv", "x_shadow", "b_light"} {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile("../../shared/conformance/traces/" + name + ".ctf")
			if err != nil {
				t.Skip("no recorded traces in ../shared/conformance")
			}
			trace, err := citrace.Parse(data)
			require.NoError(t, err)
			p, err := NewPlayer(trace, Options{Workers: 2})
			require.NoError(t, err)
			_, err = p.NextFrame(context.Background())
			require.NoError(t, err)
			target, err := p.GPU.LastTarget()
			require.NoError(t, err)
			img, err := ColorImage(target)
			require.NoError(t, err)
			drawn := 0
			for _, at := range [][2]int{{120, 200}, {60, 100}, {200, 350}, {10, 10}} {
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
		data, err := os.ReadFile("../../shared/conformance/traces/simple_tri.ctf")
		if err != nil {
			t.Skip("no recorded traces in ../shared/conformance")
		}
		trace, err := citrace.Parse(data)
		require.NoError(t, err)
		p, err := NewPlayer(trace, Options{})
		require.NoError(t, err)
		require.ErrorContains(t, p.Explain(context.Background(), 0, 240, 0, func(Event) {}), "outside the render target of 240x400")
		require.ErrorContains(t, p.Explain(context.Background(), 9, 0, 0, func(Event) {}), "no frame 9")
	})
}
