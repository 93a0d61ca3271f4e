package gl

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

// A target can be a texture if both of its sides are valid for textures.
func TestTargetsAsTextures(t *testing.T) {
	c := newContext(t, &testkit.Device{})
	for size, ok := range map[[2]int]bool{{8, 8}: true, {64, 1024}: true, {1024, 64}: true, {64, 24}: false, {24, 64}: false, {24, 40}: false} {
		target := testkit.Must(c.NewTarget(size[0], size[1], TargetOptions{NoDepth: true, Color: pica.ColorFormatRGB565}))(t)
		tex, err := target.ColorTexture()
		require.Equal(t, ok, err == nil, "%v", size)
		if ok {
			w, h := tex.Size()
			require.Equal(t, size, [2]int{w, h})
			require.Equal(t, pica.TextureFormatRGB565, tex.Format())
		}
		require.NoError(t, target.Delete(t.Context()))
	}
	target := testkit.Must(c.NewTarget(8, 8, TargetOptions{NoColor: true}))(t)
	_, err := target.ColorTexture()
	require.EqualError(t, err, "the render target has no colour buffer")
}
