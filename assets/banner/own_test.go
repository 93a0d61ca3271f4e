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
func TestOwnModel(t *testing.T) {
	m, err := model.Load("../../testdata/scenes/arm.gltf")
	require.NoError(t, err)
	format, err := texture.ParseFormat("etc1a4")
	require.NoError(t, err)
	f, _, err := banner.Build(m, banner.Options{Format: format, MaxTexture: 256})
	require.NoError(t, err)
	data, err := f.Relayout()
	require.NoError(t, err)
	want := testkit.Read(t, "../../testdata/models/arm.cgfx")
	require.True(t, bytes.Equal(want, data))
}
