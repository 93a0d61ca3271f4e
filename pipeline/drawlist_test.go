package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Draws lists the same draws as CountDraws, with their register state.
func TestDrawListEqualsCountDraws(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs") {
		trace := states.Parse(t, file.Read(t))
		var counted []DrawStats
		_, err := CountDraws(context.Background(), trace, Options{}, func(s *DrawStats) error {
			counted = append(counted, *s)
			return nil
		})
		require.NoError(t, err)
		r := ReplayerFor(t, trace, ReplayerOptions{})
		var listed []DrawStats
		for frame := range trace.Frames() {
			list := testkit.Must(r.Draws(context.Background(), frame))(t)
			for i, d := range list {
				listed = append(listed, d.DrawStats)
				require.False(t, d.LeftOut)
				require.NotEmpty(t, d.Mode)
				if i > 0 {
					require.Equal(t, d.Target != list[i-1].Target, d.Pass != list[i-1].Pass)
				}
			}
		}
		require.Equal(t, counted, listed)
		r.GPU.Close()
	}
	r := ReplayerFor(t, chain(t, 0, 5, true), ReplayerOptions{Options: Options{FCRAM: states.FCRAM}})
	_, err := r.Draws(context.Background(), -1)
	require.ErrorContains(t, err, "there is no frame -1")
	leftOut := 0
	for frame := range r.Frames() {
		list, err := r.Draws(context.Background(), frame)
		if err != nil {
			require.ErrorIs(t, err, pica.ErrHang)
			break
		}
		for _, d := range list {
			if d.LeftOut {
				leftOut++
			}
		}
	}
	t.Logf("%d draws left out", leftOut)
}
