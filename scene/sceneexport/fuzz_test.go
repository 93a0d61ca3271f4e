package sceneexport

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// FuzzExport exports a damaged recording of one draw: it fails and leaves no files, or the scene can be parsed.
func FuzzExport(f *testing.F) {
	st := testkit.Must(scenebuild.Load("../../testdata/scenes/geometry-points.yaml"))(f)
	data := testkit.Must(st.Record(context.Background(), []float64{0}, scenebuild.Options{Workers: 1}))(f)
	f.Add(uint32(0), uint32(0))
	f.Add(uint32(len(data)/2), uint32(0x80000000))
	f.Add(uint32(len(data)-200), uint32(0xFFFF))
	f.Fuzz(func(t *testing.T, at, flip uint32) {
		bad := append([]byte(nil), data...)
		for k := range 4 {
			bad[(int(at)+k)%len(bad)] ^= byte(flip >> (8 * k))
		}
		trace, err := picatrace.Parse(bad)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		parent := t.TempDir()
		dir := filepath.Join(parent, "s")
		if _, err = Export(ctx, trace, dir, Options{Frame: -1}); err != nil {
			entries := testkit.Must(os.ReadDir(parent))(t)
			require.Empty(t, entries)
			return
		}
		_, err = scene.Load(filepath.Join(dir, "scene.yaml"))
		require.NoError(t, err)
	})
}
