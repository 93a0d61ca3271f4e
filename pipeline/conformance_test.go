package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
)

// TestConformanceTracesReplay replays all recorded traces that lie beside the
// project: every command list must decode and every draw run.
func TestConformanceTracesReplay(t *testing.T) {
	paths, _ := filepath.Glob("../../shared/conformance/traces/*.ctf")
	if len(paths) == 0 {
		t.Skip("no recorded traces in ../shared/conformance")
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".ctf"), func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			trace, err := citrace.Parse(data)
			require.NoError(t, err)
			frames := 0
			g, err := Replay(context.Background(), trace, Options{}, func(_ *GPU, f Frame) error {
				require.Equal(t, frames, f.Index)
				require.NotZero(t, f.Stats.Draws)
				frames++
				return nil
			})
			require.NoError(t, err)
			require.Equal(t, trace.Frames(), frames)
			require.Empty(t, g.Warnings())
		})
	}
}
