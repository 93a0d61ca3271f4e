package drawstate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/rows"
)

// A summary says what the registers say, and nothing of what is off; each line leads to a
// register or a texture.
func TestSummary(t *testing.T) {
	s, err := Take(t.Context(), open(t, "lights"), 0, 2)
	require.NoError(t, err)
	lines := func() map[string]string {
		m := map[string]string{}
		for _, r := range s.Summary() {
			require.NotContains(t, r.Line(), "<nil>")
			require.NotContains(t, r.Line(), "%!")
			require.NotContains(t, m, r.Name())
			require.NotNil(t, r.Link, r.Name())
			if r.Link.To == rows.ToRegister {
				require.Contains(t, r.Link.Register, "GPUREG_")
			}
			m[r.Name()] = r.Text()
		}
		return m
	}
	m := lines()
	require.Equal(t, "2 triangles, 6 indices, 0:32x32 ia4", m["draws"])
	require.Equal(t, "primary_color * texture0", m["stage 0 rgb"])
	require.Equal(t, "primary_color.a * texture0.a", m["stage 0 alpha"])
	require.Equal(t, "add, source * src_alpha and target * one_minus_src_alpha", m["blend rgb"])
	require.Equal(t, "add, source * one and target * one_minus_src_alpha", m["blend alpha"])
	require.Equal(t, "alpha greater 51", m["alpha test"])
	require.Equal(t, "7 not_equal stencil, under the mask FF; then keep, keep behind, keep before", m["stencil test"])
	require.Equal(t, "depth less buffer", m["depth test"])
	for _, off := range []string{"culled", "scissor", "lighting", "stage 1 rgb", "written", "logic op", "geometry shader"} {
		require.NotContains(t, m, off)
	}

	r := &s.Given.Regs
	pica.FacecullingMode.Set(r, uint32(pica.CullBack))
	pica.StencilTestEnable.SetBool(r, false)
	pica.DepthWriteEnable.SetBool(r, false)
	pica.ColorMaskG.SetBool(r, false)
	pica.ColorOperationBlend.Set(r, 0)
	pica.LogicOpFunc.Set(r, uint32(pica.LogicOpXor))
	at := pica.TexenvOffset(1)
	pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourceConstant))
	pica.TexenvRgbSource1.At(at).Set(r, uint32(pica.SourcePrevious))
	pica.TexenvRgbCombine.At(at).Set(r, uint32(pica.CombineAddSigned))
	pica.TexenvRgbScale.At(at).Set(r, 1)
	pica.TexenvColorR.At(at).Set(r, 9)
	m = lines()
	require.Equal(t, "back faces", m["culled"])
	require.NotContains(t, m, "stencil test")
	require.Equal(t, "depth less buffer, not written", m["depth test"])
	require.Equal(t, "rba alone", m["written"])
	require.Equal(t, "xor", m["logic op"])
	require.NotContains(t, m, "blend rgb")
	require.Regexp(t, `^\(constant \+ previous - 0\.5\) \* 2; the constant is   9 `, m["stage 1 rgb"])
	for _, mask := range []pica.Field{pica.ColorMaskR, pica.ColorMaskB, pica.ColorMaskA} {
		mask.SetBool(r, false)
	}
	require.Equal(t, "no colour: all channels are masked", lines()["written"])
}
