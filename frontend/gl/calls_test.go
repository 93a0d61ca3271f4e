package gl

import (
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// Golden file: what a device receives for each call and a draw after it: states, textures, targets, and refused calls.
func TestCallsAtTheDevice(t *testing.T) {
	ctx := t.Context()
	dev := &testkit.Device{}
	c, target, p := canvas(t, dev)
	quad(t, c, -1, -0.5, 0.75, 1, -0.25, mgl32.Vec4{1, 0.5, 0.25, 1})
	var b strings.Builder
	step := func(what string, err error) {
		t.Helper()
		if draw := c.DrawArrays(ctx, pica.PrimitiveTriangleStrip, 0, 4); err == nil {
			err = draw
		}
		if flush := c.Flush(ctx); err == nil {
			err = flush
		}
		fmt.Fprintf(&b, "%s: %v %v\n", what, dev, err)
	}
	do := func(what string, call func()) { call(); step(what, nil) }
	step("a draw", nil)
	step("the same", nil)
	for mode := range pica.CullMode(3) {
		do(fmt.Sprint("cull ", mode), func() { c.CullFace(mode) })
	}
	do("viewport", func() { c.Viewport(3, 5, 40, 30) })
	do("viewport of nothing", func() { c.Viewport(0, 0, 0, 0) })
	do("scissor", func() { c.Scissor(1, 2, 30, 20) })
	do("no scissor", func() { c.Scissor(0, 0, 0, 0) })
	do("depth range", func() { c.DepthRange(0.25, 0.75) })
	do("depth range turned", func() { c.DepthRange(1, 0) })
	do("polygon offset", func() { c.PolygonOffset(2.5) })
	do("depth test", func() { c.DepthTest(true, pica.CompareGreater) })
	do("depth mask", func() { c.DepthMask(false) })
	do("no depth test", func() { c.DepthTest(false, pica.CompareLess) })
	for i := range 4 {
		do(fmt.Sprint("color mask ", i), func() { c.ColorMask(i == 0, i == 1, i == 2, i == 3) })
	}
	do("stencil", func() { c.StencilTest(true, pica.CompareLess, 0x12, 0x34) })
	do("stencil mask", func() { c.StencilMask(0x56) })
	do("stencil op", func() { c.StencilOp(1, 2, 3) })
	do("blend", func() { c.Blend(BlendState{1, 2, 3, 4, 5, 6}) })
	do("blend func", func() { c.BlendFunc(7, 8) })
	do("blend color", func() { c.BlendColor(0.1, 0.2, 0.3, 0.4) })
	do("logic op", func() { c.LogicOp(5) })
	do("no blending", func() { c.BlendFunc(1, 0) })
	step("float uniform", p.SetFloat("offset", mgl32.Vec4{0.1, 0.2, 0.3, 0}))
	step("raw", c.Raw(pica.RegFacecullingConfig, 2))
	step("override", c.Override(pica.RegFacecullingConfig, 0xF, 1))
	step("override once", nil)
	for _, r := range []pica.Reg{pica.RegGshBooluniform, pica.RegShOutmapTotal, pica.RegShOutmapO0 + 6, pica.RegShOutmapO0 + 7, pica.RegShOutattrMode, pica.RegGeostageConfig, pica.RegVshComMode, pica.RegPrimitiveConfig, pica.RegPrimitiveConfig + 1, pica.RegTexunit0Dim, pica.RegVshCodetransferData0} {
		step(fmt.Sprintf("override %v", r), c.Override(r, 3, 0))
		step("after", nil)
	}
	step("clear", c.ClearColor(ctx, 0.2, 0.4, 0.6, 0.8))
	step("clear depth", c.ClearDepth(ctx, 0.5, 7))
	step("clear raw", c.ClearRaw(ctx, 0x12345678))

	img := image.NewNRGBA(image.Rect(0, 0, 16, 32))
	for i := range img.Pix {
		img.Pix[i] = byte(i * 11)
	}
	square := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", "GL_TEXTURE_2D"))
	for f := pica.TextureFormatRGBA8; f <= pica.TextureFormatETC1A4; f++ {
		for levels := range 4 {
			tex, err := c.NewTexture(ctx, img, f, levels)
			if err == nil {
				err = c.BindTexture(0, tex)
			}
			step(fmt.Sprintf("texture %v, %d levels", f, levels), err)
			if err != nil {
				continue
			}
			tex.Mag, tex.Min, tex.Mip = pica.Filter(levels&1), pica.Filter(levels>>1), pica.Filter(levels&1^1)
			tex.WrapS, tex.WrapT, tex.Border, tex.LODBias = pica.Wrap(levels), pica.Wrap(3-levels), mgl32.Vec4{0.1, 0.3, 0.5, 0.7}, float32(levels)-1.5
			tex.MinLevel = levels
			step("its sampling", nil)
			if levels > 1 {
				require.NoError(t, tex.Delete(ctx))
			}
		}
	}
	cube := testkit.Must(c.NewCubeTexture(ctx, [6]image.Image{square, square, square, square, square, square}, pica.TextureFormatRGB565, 1))(t)
	require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", "cube"))
	step("cube", c.BindTexture(0, cube))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", 0))
	_, err := c.NewCubeTexture(ctx, [6]image.Image{square, square, img, square, square, square}, pica.TextureFormatRGB565, 1)
	fmt.Fprintln(&b, err)

	for _, o := range []TargetOptions{{Color: pica.ColorFormatRGB565}, {NoColor: true, Depth: pica.DepthFormatD16}, {NoDepth: true, Color: pica.ColorFormatRGBA4}, {DepthOf: target}, {ColorOf: target, Depth: pica.DepthFormatD24}, {NoColor: true, NoDepth: true}, {Depth: 7}} {
		other, err := c.NewTarget(64, 64, o)
		if err != nil {
			fmt.Fprintf(&b, "%v\n", err)
			continue
		}
		step("another target", c.SetTarget(ctx, other))
		step("cleared", c.ClearColor(ctx, 1, 0.5, 0.25, 0.125))
		step("its depth", c.ClearDepth(ctx, 0.75, 3))
		tex, err := other.ColorTexture()
		fmt.Fprintf(&b, "%s %v\n", testkit.Dump(tex != nil), err)
		require.NoError(t, c.SetTarget(ctx, target))
		if err == nil {
			require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", "GL_TEXTURE_2D"))
			step("drawn with", c.BindTexture(0, tex))
			require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", 0))
		}
		step("gone", other.Delete(ctx))
	}
	for _, size := range [][2]int{{240, 400}, {240, 800}, {240, 320}, {64, 64}} {
		other := testkit.Must(c.NewTarget(size[0], size[1], TargetOptions{}))(t)
		require.NoError(t, c.SetTarget(ctx, other))
		for s := pipeline.ScreenTop; s <= pipeline.ScreenTopRight; s++ {
			step(fmt.Sprintf("%v on screen %v", size, s), c.Present(ctx, s, other))
		}
		require.NoError(t, c.SetTarget(ctx, target))
		require.NoError(t, other.Delete(ctx))
	}
	data := make([]byte, 256)
	for i := range data {
		data[i] = byte(i)
	}
	buffer := testkit.Must(c.NewBuffer(ctx, data))(t)
	for _, a := range []Attrib{{Type: pica.AttribByte, Size: 4}, {Type: pica.AttribUByte, Size: 3, Stride: 8, Offset: 4}, {Type: pica.AttribShort, Size: 2, Stride: 12, Offset: 2}, {Type: pica.AttribFloat, Size: 1, Stride: 8}, {Type: 5, Size: 1}, {Type: pica.AttribByte, Size: 0}} {
		step(fmt.Sprintf("attribute %+v", a), c.Attribute("uv", buffer, a))
	}
	do("constant", func() { c.AttributeConst("uv", mgl32.Vec4{1, 2, 3, 4}) })
	for _, u := range [][2]int{{0, 4}, {252, 4}, {256, 0}, {253, 4}, {-1, 4}, {0, 257}} {
		fmt.Fprintln(&b, u, buffer.Update(ctx, u[0], slices.Repeat([]byte{9}, u[1])))
	}
	step("updated", nil)
	for _, e := range [][3]int{{4, 0, 0}, {4, 1, 2}, {128, 1, 0}, {129, 1, 0}, {255, 0, 1}, {256, 0, 1}, {-1, 0, 0}, {4, 0, -1}} {
		err := c.DrawElements(ctx, pica.PrimitiveTriangleStrip, e[0], pica.IndexType(e[1]), buffer, e[2])
		fmt.Fprintf(&b, "elements %v: %v %v\n", e, c.Flush(ctx), err)
	}
	for _, a := range [][2]int{{0, 3}, {1, 3}, {2, 2}, {2, 3}, {-1, 2}, {0, 0}} {
		fmt.Fprintf(&b, "arrays %v: %v\n", a, c.DrawArrays(ctx, pica.PrimitiveTriangles, a[0], a[1]))
	}
	step("at the end", nil)
	fmt.Fprintf(&b, "%q %q %04x %+v\n", p.UniformNames(), p.Inputs(), p.InputRegisters(), p.Uniforms())
	testkit.Golden(t, "testdata/calls.txt", []byte(b.String()))
}
