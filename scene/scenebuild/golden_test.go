package scenebuild_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/golden"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
)

// Scenes with geometry shaders match their approved images, which docs/GEOMETRY.md shows.
func TestGeometryScenes(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/scenes/geometry-*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			st, err := scenebuild.Load(path)
			require.NoError(t, err)
			require.Empty(t, st.Warnings)
			for _, workers := range []int{1, 3} {
				g, _, err := st.Render(context.Background(), 0.5, scenebuild.Options{Workers: workers})
				require.NoError(t, err)
				target, err := g.LastTarget()
				require.NoError(t, err)
				img, err := pipeline.ColorImage(target)
				require.NoError(t, err)
				g.Close()
				golden.Assert(t, img, name, golden.Tolerance{})
			}
		})
	}
}
