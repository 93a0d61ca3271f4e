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
	"pica200/tests/testkit"
)

// Scenes with geometry shaders match their approved images, which docs/GEOMETRY.md shows.
func TestGeometryScenes(t *testing.T) {
	paths := testkit.Must(filepath.Glob("../../testdata/scenes/geometry-*.yaml"))(t)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".yaml")
		t.Run(name, func(t *testing.T) {
			st := testkit.Must(scenebuild.Load(path))(t)
			require.Empty(t, st.Warnings)
			for _, workers := range []int{1, 3} {
				g, _, err := st.Render(context.Background(), 0.5, scenebuild.Options{Workers: workers})
				require.NoError(t, err)
				target := testkit.Must(g.LastTarget())(t)
				img := testkit.Must(pipeline.ColorImage(target))(t)
				g.Close()
				golden.Assert(t, img, name, golden.Tolerance{})
			}
		})
	}
}
