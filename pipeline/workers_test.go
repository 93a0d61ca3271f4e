package pipeline

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Two pools share a crew, with loops running side by side: each item is done once, no more members are started than needed at a
// time, and all end.
func TestACrewHelpsAndEnds(t *testing.T) {
	c := new(crew)
	behind, front := pool{workers: 4, crew: c}, pool{workers: 3, crew: c}
	for round := range 3000 {
		n := 1 + round%50
		var done [2][50]atomic.Int32
		behind.start(n, func(i, worker int) { done[0][i].Add(1) })
		front.run(n, func(i, worker int) { done[1][i].Add(1) })
		behind.finish(nil, nil)
		for i := range n {
			require.EqualValues(t, 1, done[0][i].Load(), "round %d", round)
			require.EqualValues(t, 1, done[1][i].Load(), "round %d", round)
		}
	}
	require.LessOrEqual(t, len(c.members), 3+2)
	require.Eventually(t, func() bool { return c.awake.Load() == 0 }, 10*time.Second, time.Millisecond)
	for _, m := range c.members {
		require.EqualValues(t, away, m.state.Load())
		require.Nil(t, m.pool)
	}
}
