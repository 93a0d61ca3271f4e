package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestTracesReplay replays our traces and the recorded ones beside the project: every command list must decode and every draw run.
func TestTracesReplay(t *testing.T) {
	for _, file := range testkit.Traces(t) {
		t.Run(file.Name, func(t *testing.T) {
			trace := states.Parse(t, file.Read(t))
			frames := 0
			g, err := ReplayFor(t, trace, Options{}, func(_ *GPU, f Frame) error {
				require.Equal(t, frames, f.Index)
				require.NotZero(t, f.Stats.Draws)
				frames++
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, trace.Frames(), frames)
			var warned []string
			for _, w := range g.Warnings() {
				warned = append(warned, w.Text[:min(len(w.Text), 30)])
			}
			// Four draws of x_tests switch it on.
			require.Equal(t, map[string][]string{"x_tests": {"the early depth test is on: th"}}[file.Name], warned)
			g.Close()
		})
	}
}
