package gl

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
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

// staged has uniforms of every kind, constants, and two entry points; the second is a geometry shader.
const staged = `
.fvec shared
.fvec lights[4]
.ivec count
.ivec more[2]
.bool on
.bool flags[3]
.constf half(0.5, 0.25, 0.75, 1.0)
.consti five(5, 1, 2, 0)
.setb b7, true
.in position v0
.in v3
.out p position
.out c color
.entry vmain
.proc vmain
	add r0, shared, position
	add p, half, r0
	mov c, lights[2]
	end
.end
`

func uniformsOf(t *testing.T) *Program { return compile(t, staged) }

// Uniforms are found by name, array index or register name. Too many values, no values and NaN are refused.
func TestUniformsByName(t *testing.T) {
	p := uniformsOf(t)
	s := p.vertex
	for _, c := range []struct {
		name         string
		base         uint16
		first, count int // first is -1: not found
	}{
		{"shared", shbin.UniformFloat, 0, 1}, {"lights", shbin.UniformFloat, 1, 4}, {"lights[0]", shbin.UniformFloat, 1, 4}, {"lights[3]", shbin.UniformFloat, 4, 1},
		{"lights[4]", shbin.UniformFloat, -1, 0}, {"lights[03]", shbin.UniformFloat, 4, 1}, {"lights[]", shbin.UniformFloat, -1, 0}, {"lights[0003]", shbin.UniformFloat, -1, 0}, {"lights[1", shbin.UniformFloat, -1, 0}, {"lights[x]", shbin.UniformFloat, -1, 0}, {"lights[-1]", shbin.UniformFloat, -1, 0},
		{"lights[:]", shbin.UniformFloat, -1, 0}, {"lights[/]", shbin.UniformFloat, -1, 0},
		{"c0", shbin.UniformFloat, 0, 96}, {"c95", shbin.UniformFloat, 95, 1}, {"c96", shbin.UniformFloat, -1, 0}, {"c", shbin.UniformFloat, -1, 0}, {"cx", shbin.UniformFloat, -1, 0}, {"i1", shbin.UniformFloat, -1, 0}, {"d1", shbin.UniformFloat, -1, 0},
		{"count", shbin.UniformInt, 0, 1}, {"more", shbin.UniformInt, 1, 2}, {"more[1]", shbin.UniformInt, 2, 1}, {"i3", shbin.UniformInt, 3, 1}, {"i4", shbin.UniformInt, -1, 0}, {"count", shbin.UniformFloat, -1, 0},
		{"on", shbin.UniformBool, 0, 1}, {"flags[1]", shbin.UniformBool, 2, 2}, {"b15", shbin.UniformBool, 15, 1}, {"b16", shbin.UniformBool, -1, 0}, {"position", shbin.UniformFloat, -1, 0},
	} {
		first, count, ok := s.find(c.name, c.base, map[uint16]int{shbin.UniformFloat: 96, shbin.UniformInt: 4, shbin.UniformBool: 16}[c.base])
		require.Equal(t, c.first >= 0, ok, c.name)
		require.Equal(t, []int{max(c.first, 0), c.count}, []int{first, count}, c.name)
		require.True(t, !ok || p.HasUniform(c.name))
	}
	for name, want := range map[string]bool{"shared": true, "count": true, "flags[2]": true, "i2": true, "b9": true, "c95": true, "c96": false, "i4": false, "b16": false, "what": false, "position": false} {
		require.Equal(t, want, p.HasUniform(name), name)
	}
	require.Equal(t, []string{"dmp_Point.viewport", "dmp_Point.viewport", "plain.xy"}, []string{plainName("dmp_Point.viewport.xy"), plainName("dmp_Point.viewport"), plainName("plain.xy")})

	v := func(x float32) mgl32.Vec4 { return mgl32.Vec4{x, x + 1, x + 2, x + 3} }
	require.NoError(t, p.SetFloat("lights[2]", v(10), v(20)))
	require.NoError(t, p.SetInt("more[1]", [4]uint8{7, 8, 9, 0}))
	require.NoError(t, p.SetInt("count", [4]uint8{1, 2, 3, 0}))
	require.NoError(t, p.SetBool("flags", true, false, true))
	require.NoError(t, p.SetBool("flags[2]", false))
	require.NoError(t, p.SetBool("on", true))
	require.NoError(t, p.SetRegisters(false, 94, v(1), v(2)))
	nan := mgl32.Vec4{0, 0, float32(math.NaN()), 0}
	for want, err := range map[string]error{
		"uniform lights[2]: got 3 values, it has 2 registers":   p.SetFloat("lights[2]", v(1), v(2), v(3)),
		"uniform shared: a NaN hangs the console":               p.SetFloat("shared", nan),
		`the program has no integer uniform "shared"; it has [`: p.SetInt("shared", [4]uint8{}),
		`the program has no boolean uniform "count"; it has [`:  p.SetBool("count", true),
		"uniform on: got 2 values, it has 1 registers":          p.SetBool("on", false, true),
		"registers c95 to c96":                                  p.SetRegisters(false, 95, v(1), v(2)),
		"registers c-1 to c-1":                                  p.SetRegisters(false, -1, v(1)),
		"registers c3 to c3: the shader is missing":             p.SetRegisters(true, 3, v(1)),
		"register c6: a NaN hangs the console":                  p.SetRegisters(false, 5, v(1), nan),
	} {
		require.ErrorContains(t, err, want)
	}
	require.Equal(t, v(2), s.floats[95])
	found := map[string]string{}
	for _, u := range p.Uniforms() {
		found[u.Name] = fmt.Sprintf("%v %v %v", u.Floats, u.Ints, u.Bools)
	}
	require.Equal(t, fmt.Sprintf("%v [] []", []mgl32.Vec4{{}, {}, v(10), v(20)}), found["lights"])
	require.Equal(t, "[] [[0 0 0 0] [7 8 9 0]] []", found["more"])
	require.Equal(t, "[] [[1 2 3 0]] []", found["count"])
	require.Equal(t, "[] [] [true]", found["on"])
	require.Equal(t, "[] [] [true false false]", found["flags"])
	require.Equal(t, p.UniformNames(), func() (names []string) {
		for _, u := range p.Uniforms() {
			names = append(names, u.Name)
		}
		return names
	}())

	// All values reach the device, once.
	dev := &testkit.Device{}
	c := newContext(t, dev)
	target := testkit.Must(c.NewTarget(8, 8, TargetOptions{}))(t)
	require.Equal(t, [2]int{8, 8}, func() [2]int { w, h := target.Size(); return [2]int{w, h} }())
	require.Same(t, dev, c.Device())
	require.NoError(t, c.SetTarget(t.Context(), target))
	c.UseProgram(p)
	b := testkit.Must(c.NewIndexBuffer(t.Context(), []uint16{0x102, 0x304, 5}))(t)
	require.Equal(t, 6, b.Len())
	text := ""
	draw := func(what string) {
		require.NoError(t, c.DrawElements(t.Context(), pica.PrimitiveTriangles, 3, pica.IndexShort, b, 0))
		require.NoError(t, c.Flush(t.Context()))
		text += fmt.Sprintf("%s: %v\n", what, dev)
	}
	draw("all")
	draw("nothing anew")
	require.NoError(t, p.SetBool("flags[1]", true))
	draw("a truth")
	require.NoError(t, p.SetInt("more", [4]uint8{1, 2, 3, 0}))
	draw("an integer")
	require.NoError(t, p.SetFloat("lights[1]", v(5)))
	draw("a vector")
	testkit.Golden(t, "testdata/uniforms.txt", []byte(text))
}

// FindExecutable finds executables by number and entry point; LinkProgram refuses one of the wrong stage.
func TestExecutablesByName(t *testing.T) {
	out, diagnostics := asm.Assemble(asm.Options{}, asm.Source{Name: "a.v.pica", Text: []byte(staged)}, asm.Source{Name: "b.g.pica", Text: []byte(".gsh point c0\n.out p position\n.out c color\n.in a v0\n.entry gmain\n.proc gmain\nmov p, v0\nmov c, v0\nsetemit 0\nemit\nend\n.end\n")})
	require.Zero(t, diagnostics.Errors(), "%v", diagnostics)
	f := out.File
	for i, name := range []string{"vmain", "gmain"} {
		e := &f.Executables[i]
		e.Labels = append(e.Labels, shbin.Label{Name: "other", Addr: e.Main + 1}, shbin.Label{Name: name, Addr: e.Main})
	}
	for name, want := range map[string]int{"0": 0, "1": 1, "vmain": 0, "gmain": 1} {
		n := testkit.Must(FindExecutable(f, name))(t)
		require.Equal(t, want, n)
	}
	_, err := FindExecutable(f, "2")
	require.EqualError(t, err, `no executable "2": the file has 2, with the entry points [vmain gmain]`)
	p := testkit.Must(NewProgram(f))(t)
	require.NotNil(t, p.geometry)
	p = testkit.Must(LinkProgram(f, 0, nil, -1))(t)
	require.Nil(t, p.geometry)
	for _, c := range []struct {
		vertex, geometry int
		want             string
	}{
		{-1, -1, "executable -1: the shader file has 2"}, {2, -1, "executable 2: the shader file has 2"}, {0, 2, "executable 2: the shader file has 2"},
		{1, -1, "executable 1 is a geometry shader; expected a vertex shader"}, {0, 0, "executable 0 is a vertex shader; expected a geometry shader"},
	} {
		_, err := LinkProgram(f, c.vertex, f, c.geometry)
		require.EqualError(t, err, c.want)
	}
	// Constants of files; those of registers that do not exist are ignored.
	e := f.Executables[0]
	one := [4]uint32{}
	for k := range one {
		one[k] = pica.Float24.Encode(float32(k) + 0.5)
	}
	before := len(e.Constants)
	require.Equal(t, 3, before)
	s := testkit.Must(newStage(f, 0, shbin.VertexShader))(t)
	half := -1
	for i, v := range s.floats {
		if v == (mgl32.Vec4{0.5, 0.25, 0.75, 1}) {
			half = i
		}
	}
	require.True(t, half >= 0 && s.setFloats[half] && s.constants[half])
	require.Contains(t, s.ints, [4]uint8{5, 1, 2, 0})
	require.NotZero(t, s.bools)
	for _, kind := range []shbin.ConstantKind{shbin.ConstantBool, shbin.ConstantInt, shbin.ConstantFloat} {
		for _, c := range e.Constants {
			if c.Kind == kind {
				c.Reg = map[shbin.ConstantKind]uint8{shbin.ConstantBool: 16, shbin.ConstantInt: 4, shbin.ConstantFloat: 96}[kind]
				f.Executables[0].Constants = append(f.Executables[0].Constants, c)
			}
		}
	}
	again := testkit.Must(newStage(f, 0, shbin.VertexShader))(t)
	require.Equal(t, s.bools, again.bools)
	// Files of older assemblers have no output mask: it follows from the output table.
	f.Executables[0].OutputMask = 0
	old := testkit.Must(newStage(f, 0, shbin.VertexShader))(t)
	require.EqualValues(t, 3, old.exec.OutputMask)
	require.Zero(t, f.Executables[0].OutputMask)
	require.Equal(t, 2, old.outputs())
}
