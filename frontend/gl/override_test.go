package gl

import (
	"image/color"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

func TestOverrideLastsOneDraw(t *testing.T) {
	c, target, _ := canvas(t, gpu(t))
	red := mgl32.Vec4{1, 0, 0, 1}
	quad(t, c, -1, -1, 0, 1, -0.5, red)
	// The colour mask of this draw writes only green.
	require.NoError(t, c.Override(pica.RegDepthColorMask, 0xF, 0x200))
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	quad(t, c, 0, -1, 1, 1, -0.5, red)
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, color.NRGBA{0, 0, 255, 255}, at(t, target, 16, 32))
	require.Equal(t, color.NRGBA{255, 0, 0, 255}, at(t, target, 48, 32))
	for _, reg := range []pica.Reg{pica.RegDrawarrays, pica.RegFinalize, pica.RegCmdbufJump0, pica.NumRegs} {
		require.Error(t, c.Override(reg, 0xF, 1))
	}
	require.Error(t, c.Override(pica.RegDepthColorMask, 0, 1))
}

func TestSharedBuffers(t *testing.T) {
	c, first, _ := canvas(t, gpu(t))
	quad(t, c, -1, -1, 1, 1, -0.75, mgl32.Vec4{1, 0, 0, 1})
	c.DepthTest(true, pica.CompareLess)
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	second := testkit.Must(c.NewTarget(64, 64, TargetOptions{DepthOf: first}))(t)
	require.NoError(t, c.SetTarget(t.Context(), second))
	require.NoError(t, c.ClearColor(t.Context(), 0, 0, 0, 1))
	quad(t, c, -1, -1, 0, 1, -0.5, mgl32.Vec4{0, 1, 0, 1}) // behind the contents of the first target
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	quad(t, c, 0, -1, 1, 1, -0.9, mgl32.Vec4{0, 1, 0, 1})
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, color.NRGBA{0, 0, 0, 255}, at(t, second, 16, 32))
	require.Equal(t, color.NRGBA{0, 255, 0, 255}, at(t, second, 48, 32))
	require.NoError(t, second.Delete(t.Context()))
	require.Equal(t, color.NRGBA{255, 0, 0, 255}, at(t, first, 16, 32), "deleting a target keeps the shared colour buffer")
	_, err := c.NewTarget(32, 32, TargetOptions{DepthOf: first})
	require.ErrorContains(t, err, "64x64")
}
