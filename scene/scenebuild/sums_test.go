package scenebuild

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// What a GPU is given for each of our own scenes, and for some of the shaders that a scene is
// made for; the names of the draws, and what is noted.
func TestWhatScenesDraw(t *testing.T) {
	var b strings.Builder
	for _, pattern := range []string{"../../testdata/scenes/*.*", "../../serve/examples/*.yaml", "testdata/shaders/*.pica"} {
		paths, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		for i, path := range paths {
			if strings.HasSuffix(path, ".pica") && i%3 != 0 {
				continue // each draws a stand-in, which takes long to make
			}
			st, err := Load(path)
			fmt.Fprintf(&b, "%s: %v\n", filepath.Base(path), err)
			if err != nil {
				continue
			}
			fmt.Fprintf(&b, "  warnings %q\n  animations %q, cameras %q, %g s, screens %v, resources %v, strict %v\n", st.Warnings, st.Animations(), st.Cameras(), st.Duration(), st.Screens(), st.HasResources(), st.Strict())
			dev := &testkit.Device{}
			draws, err := st.Draw(t.Context(), dev, 0.7)
			fmt.Fprintf(&b, "  %q: %v %v\n  notes %q\n  remarks %q\n", draws, dev, err, st.Notes(), st.Remarks())
		}
	}
	testkit.Golden(t, "testdata/scenes.txt", []byte(b.String()))
}
