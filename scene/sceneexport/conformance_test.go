package sceneexport

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/tests/testkit"
)

// TestConformanceTracesExport exports the last frame of each of our traces and of the recorded ones beside the project, and draws the
// scene.
func TestConformanceTracesExport(t *testing.T) {
	testkit.Slow(t)
	for _, file := range testkit.Traces(t) {
		name := file.Name
		t.Run(name, func(t *testing.T) {
			trace := testkit.Must(picatrace.Parse(file.Read(t)))(t)
			dir := filepath.Join(t.ArtifactDir(), name)
			report := testkit.Must(Export(context.Background(), trace, dir, Options{Frame: -1, Name: name}))(t)
			t.Log("\n" + report.String())
			require.True(t, report.Same(1), report.String())
		})
	}
}
