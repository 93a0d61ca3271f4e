package gl

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

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
