package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// after returns the colour after a pixel's last event.
func after(e *Explained) (c [4]uint8, ok bool) {
	if len(e.Events) == 0 {
		return c, false
	}
	last := &e.Events[len(e.Events)-1]
	if last.Fragment != nil {
		return last.Fragment.After.Color, true
	}
	return last.After.Color, true
}

// A screen pixel is traced back to the render target; the last event there leaves the colour that the screen shows.
func TestExplainScreenEndsInScreenColor(t *testing.T) {
	if testkit.Race {
		t.Skip("explaining runs on one goroutine, and TestTracesReplay draws these traces with several")
	}
	for _, file := range testkit.Named(t, "lights", "b_game", "x_tests") {
		t.Run(file.Name, func(t *testing.T) {
			r := ReplayerFor(t, states.Parse(t, file.Read(t)), ReplayerOptions{})
			ctx, frame := context.Background(), r.Frames()-1
			require.NoError(t, r.Seek(ctx, Position{frame, FrameEnd}))
			top := r.GPU.Screen(ScreenTop)
			rng := rand.New(rand.NewPCG(1, 2))
			drawn := 0
			for range 12 {
				x, y := rng.IntN(top.Rect.Dx()), rng.IntN(top.Rect.Dy())
				e, err := r.ExplainScreen(ctx, frame, ScreenTop, x, y)
				if err != nil {
					require.ErrorContains(t, err, "no draw of frames") // a part of the screen without draws
					continue
				}
				require.NotEmpty(t, e.Via)
				got, ok := after(e)
				if !ok { // not changed in this frame
					continue
				}
				want := top.RGBAAt(x, y)
				require.Equal(t, [3]uint8{want.R, want.G, want.B}, [3]uint8(got[:3]), "pixel %d,%d", x, y)
				for i := range e.Events {
					if e.Events[i].Fragment != nil {
						drawn++
					}
				}
			}
			require.NotZero(t, drawn)
		})
	}
	r := ReplayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), ReplayerOptions{})
	for _, at := range [][2]int{{400, 0}, {0, 240}, {-1, 0}, {math.MinInt, math.MaxInt - 400}, {math.MaxInt, 5}, {400, math.MaxInt - 400}} {
		_, err := r.ExplainScreen(context.Background(), 0, ScreenTop, at[0], at[1])
		require.ErrorContains(t, err, "lies outside the top screen of 400x240")
		_, err = r.ExplainPixel(context.Background(), Position{0, FrameEnd}, at[0], at[1]+400)
		require.ErrorContains(t, err, "outside the render target")
	}
	for _, at := range [][2]int{{0, 5}, {5, 0}, {319, 239}} {
		_, err := r.ExplainScreen(context.Background(), 0, ScreenBottom, at[0], at[1])
		require.ErrorContains(t, err, "of the bottom screen shows no framebuffer in memory")
	}
	for _, frame := range []int{99, -1} {
		_, err := r.ExplainScreen(context.Background(), frame, ScreenTop, 0, 0)
		require.ErrorContains(t, err, fmt.Sprintf("there is no frame %d", frame))
	}
	_, err := r.ExplainPixel(context.Background(), Position{0, 99}, 0, 0)
	require.ErrorContains(t, err, "there is no draw 99")
}

// A texel drawn by an earlier pass is traced to that pass: its last event there leaves the texel's colour.
func TestExplainPassesFindsTexels(t *testing.T) {
	compared := 0
	for _, file := range testkit.Named(t, "gas", "shadow", "arcs") {
		r := ReplayerFor(t, states.Parse(t, file.Read(t)), ReplayerOptions{})
		ctx := context.Background()
		for _, at := range [][2]int{{60, 30}, {40, 20}, {80, 40}} {
			e := testkit.Must(r.ExplainPixel(ctx, Position{0, FrameEnd}, at[0], at[1]))(t)
			passes := testkit.Must(r.ExplainPasses(ctx, e))(t)
			for _, p := range passes {
				require.NotEmpty(t, p.Read)
				if p.Target.ColorFormat != pica.ColorFormatRGBA8.String() {
					continue
				}
				got, ok := after(p)
				if !ok {
					continue
				}
				for i := range e.Events {
					f := e.Events[i].Fragment
					if f == nil {
						continue
					}
					rows.Walk(f.Rows, func(r *rows.Row, _ int) bool {
						if l := r.Link; l != nil && l.To == rows.ToTexel && l.X == p.X && p.Target.Height-1-l.Y == p.Y {
							require.Equal(t, r.Get("color"), got, "%s, pixel %v", file.Name, at)
							compared++
						}
						return true
					})
				}
			}
		}
	}
	require.NotZero(t, compared)
}

// A draw replayed alone changes only its own pixels, and later positions are not affected.
func TestOnlyDrawsOneDraw(t *testing.T) {
	r := ReplayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), ReplayerOptions{})
	ctx := context.Background()
	draws := testkit.Must(r.Draws(ctx, 0))(t)
	for _, d := range draws {
		pos := Position{0, d.Draw}
		require.NoError(t, r.Seek(ctx, pos))
		before := wholeOf(r.GPU)
		require.NoError(t, r.Only(ctx, pos))
		_, ok := r.Position()
		require.False(t, ok)
		target := testkit.Must(r.GPU.LastTarget())(t)
		img := testkit.Must(ColorImage(target))(t)
		drawn := uint64(0)
		for i := 0; i < len(img.Pix); i += 4 {
			if [4]byte(img.Pix[i:i+4]) != [4]byte{} {
				drawn++
			}
		}
		require.NotZero(t, drawn)
		require.Less(t, drawn, uint64(len(img.Pix)/4), "the other draws' pixels are not drawn")
		require.NoError(t, r.Seek(ctx, pos))
		now := wholeOf(r.GPU)
		require.Empty(t, now.difference(&before))
	}
	require.ErrorContains(t, r.Only(ctx, Position{0, 99}), "there is no draw 99")
}
