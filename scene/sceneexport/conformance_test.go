package sceneexport

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
)

// TestConformanceTraces exports the last frame of every recorded trace that
// lies beside the project, and draws the scene.
func TestConformanceTraces(t *testing.T) {
	paths, _ := filepath.Glob("../../../shared/conformance/traces/*.ctf")
	if len(paths) == 0 {
		t.Skip("no recorded traces in ../shared/conformance")
	}
	if testing.Short() {
		t.Skip("draws each trace's frame three times")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".ctf")
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			trace, err := citrace.Parse(data)
			require.NoError(t, err)
			dir := filepath.Join(t.TempDir(), name)
			if keep := os.Getenv("PICA200_KEEP_SCENES"); keep != "" {
				dir = filepath.Join(keep, name)
			}
			report, err := Export(context.Background(), trace, dir, Options{Frame: -1, Name: name})
			require.NoError(t, err)
			t.Log("\n" + report.String())
			require.True(t, report.Same(1), report.String())
		})
	}
}
