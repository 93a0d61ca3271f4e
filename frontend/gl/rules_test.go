package gl

import (
	"image/color"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// A new context has the defaults of OpenGL ES 2.0: no tests, culling or blending, all writes enabled. Indexed triangles use
// primitive mode 3 and bit 8 of both geometry stage registers; others do not.
func TestContextDefaults(t *testing.T) {
	g := gpu(t)
	c, _, _ := canvas(t, g)
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{0, 1, 0, 1})
	b := testkit.Must(c.NewBuffer(t.Context(), []byte{0, 1, 2}))(t)
	var seen []pica.Regs
	g.BeforeDraw = func(d *pipeline.DrawInfo) error { seen = append(seen, *d.Regs); return nil }
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangles, 0, 3))
	require.NoError(t, c.DrawElements(t.Context(), pica.PrimitiveTriangles, 3, pica.IndexByte, b, 0))
	require.NoError(t, c.Flush(t.Context()))
	require.Len(t, seen, 2)
	r := &seen[0]
	for _, f := range []pica.Field{
		pica.DepthTestEnable, pica.StencilTestEnable, pica.AlphaTestEnable, pica.FacecullingMode, pica.ScissortestMode,
		pica.EarlydepthTest1, pica.EarlydepthTest2, pica.BlendRgbDest, pica.BlendAlphaDest, pica.BlendRgbEquation,
	} {
		require.Zero(t, f.Get(r), "%v", f)
	}
	for _, f := range []pica.Field{
		pica.DepthWriteEnable, pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA, pica.ColorOperationBlend,
		pica.BlendRgbSource, pica.BlendAlphaSource,
	} {
		require.EqualValues(t, 1, f.Get(r), "%v", f)
	}
	for i, indexed := range []bool{false, true} {
		want, mode := uint32(0), pica.PrimitiveTriangles
		if indexed {
			want, mode = 0x100, pica.PrimitiveGeometry
		}
		require.EqualValues(t, mode, pica.PrimitiveConfigMode.Get(&seen[i]))
		require.Equal(t, want, seen[i][pica.RegGeostageConfig]&0x100)
		require.Equal(t, want, seen[i][pica.RegGeostageConfig2]&0x100)
	}
}

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
