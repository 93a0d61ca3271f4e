package gl

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/shaders"
	"pica200/tests/testkit"
)

// flat passes position, colour and texture coordinates through.
const flat = `
.fvec offset
.in position v0
.in color v1
.in uv v2
.out p position
.out c color
.out t texcoord0
.proc main
	add p, offset, position
	mov c, color
	mov t, uv
	end
.end
`

func compile(t testing.TB, text string) *Program {
	p := testkit.Must(CompileProgram(asm.Source{Name: "test.pica", Text: []byte(text)}))(t)
	return p
}

func newContext(t testing.TB, d Device) *Context {
	c := testkit.Must(New(d))(t)
	return c
}

// canvas returns a context with a cleared 64x64 target and the flat program.
func canvas(t testing.TB, d Device) (*Context, *Target, *Program) {
	c := newContext(t, d)
	target := testkit.Must(c.NewTarget(64, 64, TargetOptions{Depth: pica.DepthFormatD24S8}))(t)
	require.NoError(t, c.SetTarget(t.Context(), target))
	require.NoError(t, c.ClearColor(t.Context(), 0, 0, 1, 1))
	require.NoError(t, c.ClearDepth(t.Context(), 1, 0))
	p := compile(t, flat)
	c.UseProgram(p)
	return c, target, p
}

// quad binds a rectangle in clip space: a strip of four interleaved vertices of position, colour and texture coordinate.
func quad(t testing.TB, c *Context, x0, y0, x1, y1, z float32, rgba mgl32.Vec4) *Buffer {
	var data []float32
	for _, v := range []mgl32.Vec4{{x0, y0, 0, 0}, {x1, y0, 1, 0}, {x0, y1, 0, 1}, {x1, y1, 1, 1}} {
		data = append(data, v[0], v[1], z, 1, rgba[0], rgba[1], rgba[2], rgba[3], v[2], v[3])
	}
	b := testkit.Must(c.NewFloatBuffer(t.Context(), data))(t)
	require.NoError(t, c.Attribute("position", b, Attrib{Type: pica.AttribFloat, Size: 4, Stride: 40}))
	require.NoError(t, c.Attribute("color", b, Attrib{Type: pica.AttribFloat, Size: 4, Stride: 40, Offset: 16}))
	require.NoError(t, c.Attribute("uv", b, Attrib{Type: pica.AttribFloat, Size: 2, Stride: 40, Offset: 32}))
	return b
}

func gpu(t *testing.T) *pipeline.GPU {
	g := pipeline.New(pipeline.Options{Workers: 1})
	t.Cleanup(g.Close)
	return g
}

func at(t testing.TB, target *Target, x, y int) color.NRGBA {
	img := testkit.Must(target.ReadPixels(t.Context()))(t)
	return img.NRGBAAt(x, y)
}

var (
	red   = color.NRGBA{255, 0, 0, 255}
	green = color.NRGBA{0, 255, 0, 255}
	blue  = color.NRGBA{0, 0, 255, 255}
)

func TestDrawArrays(t *testing.T) {
	c, target, _ := canvas(t, gpu(t))
	quad(t, c, -1, 0, 0, 1, -0.5, mgl32.Vec4{1, 0, 0, 1})
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, red, at(t, target, 10, 10), "the upper left quarter is red")
	require.Equal(t, blue, at(t, target, 40, 10))
	require.Equal(t, blue, at(t, target, 10, 40))
}

func TestDrawElements(t *testing.T) {
	for _, kind := range []pica.IndexType{pica.IndexByte, pica.IndexShort} {
		c, target, _ := canvas(t, gpu(t))
		quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{0, 1, 0, 1})
		indices := []byte{0, 1, 2, 2, 1, 3}
		if kind == pica.IndexShort {
			indices = []byte{9, 9, 0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0}
		}
		b := testkit.Must(c.NewBuffer(t.Context(), indices))(t)
		require.NoError(t, c.DrawElements(t.Context(), pica.PrimitiveTriangles, 6, kind, b, 2*int(kind)))
		require.Equal(t, green, at(t, target, 60, 3))
		require.Equal(t, green, at(t, target, 3, 60))
	}
}

func TestDepthRangeAndTest(t *testing.T) {
	c, target, _ := canvas(t, gpu(t))
	c.DepthTest(true, pica.CompareLess)
	quad(t, c, -1, -1, 1, 1, -0.75, mgl32.Vec4{1, 0, 0, 1}) // near
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	quad(t, c, -1, -1, 1, 1, -0.25, mgl32.Vec4{0, 1, 0, 1}) // behind it
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, red, at(t, target, 32, 32))
	depth := testkit.Must(target.ReadDepth(t.Context()))(t)
	require.InDelta(t, 0.25, float64(depth.Gray16At(32, 32).Y)/65535, 1e-4)
	c.DepthRange(0.5, 0.5)
	c.PolygonOffset(-0.375)
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, green, at(t, target, 32, 32))
}

func TestUniformsReachTheFragments(t *testing.T) {
	c, target, p := canvas(t, gpu(t))
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 1, 1})
	require.NoError(t, c.Uniforms.Set("dmp_TexEnv[0].srcRgb", "GL_CONSTANT", "GL_CONSTANT", "GL_CONSTANT"))
	require.NoError(t, c.Uniforms.Set("dmp_TexEnv[0].constRgba", 0, 1, 0, 1))
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, green, at(t, target, 32, 32))
	require.NoError(t, c.Uniforms.Set("dmp_TexEnv[0].constRgba", 1, 0, 0, 1))
	require.NoError(t, p.SetFloat("offset", mgl32.Vec4{1, 0, 0, 0}))
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, green, at(t, target, 16, 32))
	require.Equal(t, red, at(t, target, 48, 32))
}

func TestConstantAttributes(t *testing.T) {
	c, target, _ := canvas(t, gpu(t))
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 1, 1})
	c.AttributeConst("color", mgl32.Vec4{0, 1, 0, 1})
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, green, at(t, target, 32, 32))
	delete(c.inputs, "color")
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, color.NRGBA{0, 0, 0, 255}, at(t, target, 32, 32))
}

func TestTextures(t *testing.T) {
	for _, f := range []pica.TextureFormat{pica.TextureFormatRGBA8, pica.TextureFormatRGB565, pica.TextureFormatETC1} {
		c, target, _ := canvas(t, gpu(t))
		img := image.NewNRGBA(image.Rect(0, 0, 16, 8))
		for y := range 8 {
			for x := range 16 {
				img.SetNRGBA(x, y, []color.NRGBA{red, green}[x/8])
			}
		}
		tex := testkit.Must(c.NewTexture(t.Context(), img, f, 1))(t)
		tex.Mag, tex.Min = pica.FilterNearest, pica.FilterNearest
		require.NoError(t, c.BindTexture(0, tex))
		require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", "GL_TEXTURE_2D"))
		require.NoError(t, c.Uniforms.Set("dmp_TexEnv[0].srcRgb", "GL_TEXTURE0", "GL_TEXTURE0", "GL_TEXTURE0"))
		quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 1, 1})
		require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
		left, right := at(t, target, 10, 32), at(t, target, 50, 32)
		require.Greater(t, left.R, uint8(240), "%v %v", f, left)
		require.Less(t, left.G, uint8(16), f)
		require.Greater(t, right.G, uint8(240), f)
		require.Less(t, right.R, uint8(16), f)
	}
}

// A target can be sampled by the next draw.
func TestRenderToTexture(t *testing.T) {
	c, target, _ := canvas(t, gpu(t))
	quad(t, c, -1, 0, 1, 1, -0.5, mgl32.Vec4{1, 0, 0, 1}) // upper half
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	second := testkit.Must(c.NewTarget(32, 32, TargetOptions{NoDepth: true}))(t)
	require.NoError(t, c.SetTarget(t.Context(), second))
	tex := testkit.Must(target.ColorTexture())(t)
	require.NoError(t, c.BindTexture(0, tex))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", "GL_TEXTURE_2D"))
	require.NoError(t, c.Uniforms.Set("dmp_TexEnv[0].srcRgb", "GL_TEXTURE0", "GL_TEXTURE0", "GL_TEXTURE0"))
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 1, 1})
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, red, at(t, second, 16, 4))
	require.Equal(t, blue, at(t, second, 16, 28))
}

func TestScissorMaskBlendStencil(t *testing.T) {
	c, target, _ := canvas(t, gpu(t))
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 0, 0.5})
	c.Scissor(8, 8, 16, 16)
	c.StencilTest(true, pica.CompareAlways, 7, 0xFF)
	c.StencilOp(pica.StencilKeep, pica.StencilKeep, pica.StencilReplace)
	c.ColorMask(true, false, true, true)
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, color.NRGBA{255, 0, 0, 128}, at(t, target, 8, 63-8))
	require.Equal(t, blue, at(t, target, 24, 63-8))
	stencil := testkit.Must(target.ReadStencil(t.Context()))(t)
	require.EqualValues(t, 7, stencil.GrayAt(23, 63-23).Y)
	require.EqualValues(t, 0, stencil.GrayAt(7, 63-23).Y)

	c.Scissor(0, 0, 0, 0)
	c.StencilTest(true, pica.CompareNotEqual, 7, 0xFF)
	c.ColorMask(true, true, true, true)
	c.BlendFunc(pica.FactorSrcAlpha, pica.FactorOneMinusSrcAlpha)
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.Equal(t, color.NRGBA{255, 0, 0, 128}, at(t, target, 8, 63-8), "the stencil test rejects the pixel")
	p := at(t, target, 40, 40)
	require.InDelta(t, 128, int(p.R), 1)
	require.InDelta(t, 128, int(p.B), 1)
}

func TestClears(t *testing.T) {
	for _, o := range []TargetOptions{
		{Color: pica.ColorFormatRGBA8, Depth: pica.DepthFormatD16},
		{Color: pica.ColorFormatRGB5A1, Depth: pica.DepthFormatD24},
		{Color: pica.ColorFormatRGB565, Depth: pica.DepthFormatD24S8},
		{Color: pica.ColorFormatRGBA4, NoDepth: true},
		{Color: pica.ColorFormatRGB8, NoDepth: true},
	} {
		c := newContext(t, gpu(t))
		target := testkit.Must(c.NewTarget(40, 8, o))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		require.NoError(t, c.ClearColor(t.Context(), 1, 0, 1, 1))
		require.Equal(t, color.NRGBA{255, 0, 255, 255}, at(t, target, 39, 7), o.Color)
		if o.NoDepth {
			require.ErrorContains(t, c.ClearDepth(t.Context(), 1, 0), "no depth buffer")
			continue
		}
		require.NoError(t, c.ClearDepth(t.Context(), 0.5, 9))
		depth := testkit.Must(target.ReadDepth(t.Context()))(t)
		require.EqualValues(t, 0x7FFF, depth.Gray16At(39, 7).Y, o.Depth)
	}
}

func TestPresent(t *testing.T) {
	g := gpu(t)
	c := newContext(t, g)
	for _, o := range []struct {
		screen        pipeline.Screen
		width, height int
		format        pica.ColorFormat
	}{
		{pipeline.ScreenTop, 240, 400, pica.ColorFormatRGBA8},
		{pipeline.ScreenBottom, 240, 320, pica.ColorFormatRGB565},
		{pipeline.ScreenTop, 480, 800, pica.ColorFormatRGBA8},
	} {
		target := testkit.Must(c.NewTarget(o.width, o.height, TargetOptions{Color: o.format, NoDepth: true}))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		require.NoError(t, c.ClearColor(t.Context(), 0, 1, 0, 1))
		require.NoError(t, c.Present(t.Context(), o.screen, target))
		img := g.Screen(o.screen)
		require.Equal(t, []int{400, 320}[o.screen], img.Rect.Dx())
		require.Equal(t, color.RGBA{0, 255, 0, 255}, img.RGBAAt(img.Rect.Dx()-1, 239))
		require.ErrorContains(t, c.Present(t.Context(), 1-o.screen, target), "screen takes 240x")
		require.NoError(t, target.Delete(t.Context()))
	}
	require.ErrorContains(t, c.Present(t.Context(), 3, &Target{}), "there is no screen 3")
}

// The top screen shows 800 columns, or one picture per eye.
func TestPresentWideAndStereo(t *testing.T) {
	g := gpu(t)
	c := newContext(t, g)
	show := func(s pipeline.Screen, height int, green float32) error {
		target := testkit.Must(c.NewTarget(240, height, TargetOptions{NoDepth: true}))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		require.NoError(t, c.ClearColor(t.Context(), 0, green, 0, 1))
		return c.Present(t.Context(), s, target)
	}
	require.NoError(t, show(pipeline.ScreenTop, 800, 1))
	img := g.Screen(pipeline.ScreenTop)
	require.Equal(t, 800, img.Rect.Dx())
	require.Equal(t, color.RGBA{0, 255, 0, 255}, img.RGBAAt(799, 239))
	require.False(t, g.Stereo())

	require.NoError(t, show(pipeline.ScreenTop, 400, 0.2))
	require.Equal(t, 400, g.Screen(pipeline.ScreenTop).Rect.Dx())
	require.NoError(t, show(pipeline.ScreenTopRight, 400, 0.6))
	require.True(t, g.Stereo())
	require.Equal(t, color.RGBA{0, 51, 0, 255}, g.Screen(pipeline.ScreenTop).RGBAAt(399, 0))
	require.Equal(t, color.RGBA{0, 153, 0, 255}, g.Screen(pipeline.ScreenTopRight).RGBAAt(399, 0))
	require.ErrorContains(t, show(pipeline.ScreenTop, 800, 1), "cannot be wide and in stereo")
}

// A recorded session replays to the same pixels.
func TestRecorder(t *testing.T) {
	r := NewRecorder(gpu(t))
	c, target, _ := canvas(t, r)
	quad(t, c, -0.8, -0.7, 0.6, 0.9, -0.5, mgl32.Vec4{1, 0.5, 0.25, 0.5})
	c.BlendFunc(pica.FactorSrcAlpha, pica.FactorOneMinusSrcAlpha)
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	want := testkit.Must(target.ReadPixels(t.Context()))(t)
	r.EndFrame()
	data := testkit.Must(r.Trace.Encode())(t)
	trace := testkit.Must(picatrace.Parse(data))(t)
	g := testkit.Must(pipeline.Replay(context.Background(), trace, pipeline.Options{}, nil))(t)
	defer g.Close()
	last := testkit.Must(g.LastTarget())(t)
	got := testkit.Must(pipeline.ColorImage(last))(t)
	require.True(t, bytes.Equal(want.Pix, got.Pix))
	require.Empty(t, g.Warnings())
}

func TestGeometryShader(t *testing.T) {
	p := testkit.Must(CompileProgram(
		asm.Source{Name: "v.pica", Text: []byte(`
.in position v0
.in color v1
.out p dummy
.out c dummy
.entry vmain
.proc vmain
	mov p, position
	mov c, color
	end
.end`)},
		asm.Source{Name: "g.pica", Text: []byte(`
.gsh point c0
.constf size(0.5, -0.5, 0.0, 0.0)
.in center v0
.in tint v1
.out p position
.out c color
.entry gmain
.proc gmain
	mov r0, center
	mov r1, tint
	setemit 0
	add p, size.yyzz, r0
	mov c, r1
	emit
	setemit 1
	add p, size.xyzz, r0
	mov c, r1
	emit
	setemit 2, prim
	add p, size.xxzz, r0
	mov c, r1
	emit
	end
.end`)}))(t)
	c, target, _ := canvas(t, gpu(t))
	c.UseProgram(p)
	b := testkit.Must(c.NewFloatBuffer(t.Context(), []float32{0, 0, -0.5, 1}))(t)
	require.NoError(t, c.Attribute("position", b, Attrib{Type: pica.AttribFloat, Size: 4}))
	c.AttributeConst("color", mgl32.Vec4{1, 0, 0, 1})
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveGeometry, 0, 1))
	require.Equal(t, red, at(t, target, 40, 40))
	require.Equal(t, blue, at(t, target, 20, 20))
}

// The density pass measures the maximum, and shading uses its reciprocal.
func TestGasMaximumIsMeasured(t *testing.T) {
	g := gpu(t)
	c, _, _ := canvas(t, g)
	gas := testkit.Must(c.NewTarget(64, 64, TargetOptions{Depth: pica.DepthFormatD24}))(t)
	require.NoError(t, c.SetTarget(t.Context(), gas))
	require.NoError(t, c.ClearRaw(t.Context(), 0))
	require.NoError(t, c.ClearDepth(t.Context(), 1, 0))
	require.NoError(t, c.Uniforms.Set("dmp_FragOperation.mode", "gas"))
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 0, 0, 1})
	for range 3 {
		require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	}
	require.NoError(t, c.Flush(t.Context()))
	require.InDelta(t, 1.0/3, pica.GasAccmax.FloatOf(g.ReadInternal(pica.RegGasAccmax)), 1e-3)
	require.NoError(t, c.Uniforms.Set("dmp_FragOperation.mode", "default"))
	require.NoError(t, c.Uniforms.Set("dmp_Gas.autoAcc", false))
	require.NoError(t, c.Uniforms.Set("dmp_Gas.accMax", 2))
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, c.Flush(t.Context()))
	require.Equal(t, float32(0.5), pica.GasAccmax.FloatOf(g.ReadInternal(pica.RegGasAccmax)))
}

func TestManyDrawsFlushAutomatically(t *testing.T) {
	c, target, p := canvas(t, gpu(t))
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{0, 1, 0, 1})
	c.Scissor(0, 0, 1, 1)
	for i := range 4000 {
		require.NoError(t, p.SetFloat("offset", mgl32.Vec4{float32(i%2) / 64}))
		require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
		require.LessOrEqual(t, 4*len(c.list), listBytes)
	}
	require.Equal(t, green, at(t, target, 0, 63))
}

func TestHeap(t *testing.T) {
	h := newHeap("test memory", 0x1000, 1024)
	var blocks []block
	for range 8 {
		b := testkit.Must(h.alloc(100, "thing"))(t)
		blocks = append(blocks, b)
	}
	_, err := h.alloc(1, "thing")
	require.ErrorContains(t, err, "thing of 1 bytes: test memory has no more than 0 bytes")
	for _, i := range []int{1, 3, 2, 0, 7, 5, 6, 4} {
		h.release(blocks[i])
	}
	require.Equal(t, []block{{0x1000, 1024}}, h.free)
	b := testkit.Must(h.alloc(0, "nothing"))(t)
	require.EqualValues(t, allocAlign, b.size)
}

func TestCallRefusals(t *testing.T) {
	c, target, p := canvas(t, gpu(t))
	b := quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 1, 1})
	fails := func(want string, err error) {
		t.Helper()
		require.ErrorContains(t, err, want)
	}
	fails("do not fit into the buffer of 160 bytes", c.DrawArrays(t.Context(), pica.PrimitiveTriangles, 2, 3))
	fails("-1 vertices", c.DrawArrays(t.Context(), pica.PrimitiveTriangles, 0, -1))
	fails("81 indices of 2 bytes", c.DrawElements(t.Context(), pica.PrimitiveTriangles, 81, pica.IndexShort, b, 0))
	fails("indices of 2 bytes at 1", c.DrawElements(t.Context(), pica.PrimitiveTriangles, 1, pica.IndexShort, b, 1))
	fails("expected 8 to 255", c.Attribute("uv", b, Attrib{Type: pica.AttribFloat, Size: 2, Stride: 4}))
	fails("padding is a multiple of 4", c.Attribute("uv", b, Attrib{Type: pica.AttribByte, Size: 3, Stride: 5}))
	fails("multiples of the component's size, 4", c.Attribute("uv", b, Attrib{Type: pica.AttribFloat, Size: 2, Offset: 2}))
	fails("5 components", c.Attribute("uv", b, Attrib{Type: pica.AttribFloat, Size: 5}))
	fails("past the end of the buffer", c.Attribute("uv", b, Attrib{Type: pica.AttribFloat, Size: 1, Offset: 164}))
	fails(`no float uniform "colour"; it has [offset]`, p.SetFloat("colour", mgl32.Vec4{}))
	fails("got 2 values, it has 1", p.SetFloat("offset", mgl32.Vec4{}, mgl32.Vec4{}))
	fails("NaN hangs", p.SetFloat("offset", mgl32.Vec4{float32(math.NaN())}))
	fails("no boolean uniform", p.SetBool("offset", true))
	fails("no integer uniform", p.SetInt("offset", [4]uint8{}))
	fails("texture unit 3", c.BindTexture(3, nil))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[1].samplerType", "GL_TEXTURE_2D"))
	fails("texture unit 1 is on", c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[1].samplerType", 0))
	tex := testkit.Must(target.ColorTexture())(t)
	require.NoError(t, c.BindTexture(0, tex))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", "cube"))
	fails("has 1 faces", c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, c.Uniforms.Set("dmp_Texture[0].samplerType", 0))
	_, err := c.NewTarget(63, 64, TargetOptions{})
	fails("multiple of 8", err)
	_, err = c.NewTarget(64, 64, TargetOptions{Color: 7})
	fails("does not exist", err)
	_, err = c.NewTarget(1024, 1024, TargetOptions{Depth: pica.DepthFormatD24S8})
	fails("video memory has no more than", err)
	_, err = c.NewTextureData(t.Context(), pica.TextureFormatRGBA8, 8, 12, 1, false, nil)
	fails("power of two", err)
	_, err = c.NewTextureData(t.Context(), pica.TextureFormatRGBA8, 8, 8, 2, false, nil)
	fails("expected 1 to 1", err)
	_, err = c.NewTextureData(t.Context(), pica.TextureFormatRGBA8, 8, 8, 1, false, make([]byte, 255))
	fails("expected 256", err)
	fails("bytes 159 to 161", b.Update(t.Context(), 159, []byte{1, 2}))
	fails("0x300", c.Raw(0x300, 0))
	fails("starts something", c.Raw(pica.RegFinalize, 0))
	fails("set for every draw", c.Raw(pica.RegNumvertices, 0))
	require.NoError(t, c.Raw(pica.RegFacecullingConfig, 1))
	require.NoError(t, b.Delete(t.Context()))
	fails("empty or was deleted", c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, target.Delete(t.Context()))
	fails("no render target", c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	fails("no colour buffer", c.ClearColor(t.Context(), 0, 0, 0, 0))
	c.UseProgram(nil)
	second := testkit.Must(c.NewTarget(8, 8, TargetOptions{}))(t)
	require.NoError(t, c.SetTarget(t.Context(), second))
	fails("no program", c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	_, err = CompileProgram(asm.Source{Name: "x.pica", Text: []byte("nonsense")})
	require.Error(t, err)
	_, err = NewProgram(&shbin.File{})
	fails("no vertex shader", err)
	_, err = FindExecutable(p.vertex.file, "other")
	fails("entry points [", err)
	n := testkit.Must(FindExecutable(p.vertex.file, "0"))(t)
	require.Zero(t, n)
}

// Every program of the library can draw.
func TestLibraryProgramsDraw(t *testing.T) {
	back := mgl32.Translate3D(0, 0, -0.5)
	for _, entry := range shaders.Programs() {
		t.Run(entry.Name, func(t *testing.T) {
			file := testkit.Must(shaders.Load(entry.Name))(t)
			p := testkit.Must(NewProgram(file))(t)
			if n := entry.VerticesPerInvocation; n > 0 {
				require.NoError(t, p.VerticesPerRun(n))
				require.ErrorContains(t, p.VerticesPerRun(17), "17 vertices a run")
			} else {
				require.ErrorContains(t, p.VerticesPerRun(1), "no geometry shader in point mode")
			}
			c, target, _ := canvas(t, gpu(t))
			c.UseProgram(p)
			require.NoError(t, p.SetMatrix("projection", back))
			for _, in := range p.Inputs() {
				c.AttributeConst(in, mgl32.Vec4{1, 1, 1, 1})
			}
			b := testkit.Must(c.NewFloatBuffer(t.Context(), []float32{-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0}))(t)
			require.NoError(t, c.Attribute("position", b, Attrib{Type: pica.AttribFloat, Size: 3}))
			if p.geometry != nil && p.geometry.exec.Geometry.Mode == shbin.GeometryVariable {
				return // takes its own kind of stream
			}
			require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
			_, err := target.ReadPixels(t.Context())
			require.NoError(t, err)
		})
	}
}

func TestMergedOutputMaps(t *testing.T) {
	word := func(s pica.Semantic) uint32 {
		return pica.ShOutmapX.Put(pica.ShOutmapY.Put(unmapped, uint32(s)+1), uint32(s))
	}
	position, color, uv, view := word(pica.SemPositionX), word(pica.SemColorR), word(pica.SemTexCoord0U), word(pica.SemViewX)
	set := func(words ...uint32) (m outmap) {
		for i := range m.words {
			m.words[i] = unmapped
		}
		m.total = copy(m.words[:], words)
		return m
	}
	m := testkit.Must(merge(set(color, uv, position), set(view, position)))(t)
	require.Equal(t, set(position, view, color, uv), m)
	_, err := merge(set(1, 2, 3, 4), set(5, 6, 7, 8))
	require.ErrorContains(t, err, "8 outputs")
}

// Constant bits beside those of uniforms reach the device, such as the levels of the procedural texture's colour table.
func TestConstantBitsReachTheDevice(t *testing.T) {
	g := gpu(t)
	c, _, _ := canvas(t, g)
	quad(t, c, -1, -1, 1, 1, -0.5, mgl32.Vec4{1, 1, 1, 1})
	require.NoError(t, c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, c.Flush(t.Context()))
	require.Equal(t, uint32(0xE0C080), g.ReadInternal(pica.RegTexunit3Proctex5)>>8)
	regs := g.Registers()
	require.Equal(t, uint32(4), pica.LightingConst4.Get(&regs))
	require.Equal(t, uint32(6), pica.ProctexLodMax.Get(&regs))
}

// ClipSpace and OnSide convert mathgl's projections for the PICA200 and its rotated screens.
func TestProjections(t *testing.T) {
	m := ClipSpace(mgl32.Perspective(mgl32.DegToRad(60), 1.5, 2, 100))
	for z, want := range map[float32]float32{-2: -1, -100: 0} {
		v := m.Mul4x1(mgl32.Vec4{0, 0, z, 1})
		require.InDelta(t, want, v[2]/v[3], 1e-6, "depth at %g", z)
	}
	p := mgl32.Vec4{0.25, 0.5, -3, 1}
	upright, turned := m.Mul4x1(p), OnSide(m).Mul4x1(p)
	require.Equal(t, mgl32.Vec4{upright[1], -upright[0], upright[2], upright[3]}, turned)
}
