package sceneexport

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/tests/testkit"
)

// TestConformanceTraces exports the last frame of each of our traces and of the recorded ones beside the project, and draws the
// scene.
func TestConformanceTraces(t *testing.T) {
	testkit.Slow(t)
	for _, file := range testkit.Traces(t) {
		name := file.Name
		t.Run(name, func(t *testing.T) {
			trace, err := picatrace.Parse(file.Read(t))
			require.NoError(t, err)
			dir := filepath.Join(t.ArtifactDir(), name)
			report, err := Export(context.Background(), trace, dir, Options{Frame: -1, Name: name})
			require.NoError(t, err)
			t.Log("\n" + report.String())
			require.True(t, report.Same(1), report.String())
		})
	}
}
