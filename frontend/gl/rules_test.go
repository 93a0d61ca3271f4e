package gl

import (
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
