package scenebuild

import (
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pipeline"
)

func TestTmpRender(t *testing.T) {
	files, _ := filepath.Glob("../../testdata/scenes/*.yaml")
	extra, _ := filepath.Glob("../../../shared/corpus/models/*")
	for _, f := range append(files, extra...) {
		st, err := Load(f)
		if err != nil {
			t.Error(err)
			continue
		}
		g, _, err := st.Render(t.Context(), st.Scene.Time, Options{})
		if err != nil {
			t.Error(err)
			continue
		}
		tg, err := g.LastTarget()
		require.NoError(t, err)
		img, err := pipeline.ColorImage(tg)
		require.NoError(t, err)
		out, _ := os.Create("/tmp/sc/" + strings.ReplaceAll(filepath.Base(f), ".", "_") + ".png")
		png.Encode(out, img)
		out.Close()
		t.Log(f, g.Warnings(), st.Warnings)
	}
}
