package banner_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/banner"
	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/tests/testkit"
)

// The gallery's model gives the committed banner, byte for byte.
func TestBannerOfGalleryModel(t *testing.T) {
	m := testkit.Must(model.Load("../../testdata/scenes/arm.gltf"))(t)
	format := testkit.Must(texture.ParseFormat("etc1a4"))(t)
	f, _, err := banner.Build(m, banner.Options{Format: format, MaxTexture: 256})
	require.NoError(t, err)
	data := testkit.Must(f.Relayout())(t)
	want := testkit.Read(t, "../../testdata/models/arm.cgfx")
	require.True(t, bytes.Equal(want, data))
}
