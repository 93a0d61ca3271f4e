package modeldraw

import (
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// stage returns the words of a combiner stage with the same sources for colour and alpha.
func stage(f pica.Combine, sources ...pica.Source) (c [6]uint32) {
	for k, s := range sources {
		c[0] |= uint32(s)<<(4*k) | uint32(s)<<(16+4*k)
	}
	c[3] = uint32(f) | uint32(f)<<16
	return c
}

// Combiner operations on a texture are baked into the material's colour or picture; unused vertex colours are dropped.
func TestCombinersAreBaked(t *testing.T) {
	const (
		vertex, tex, constant, previous, light = pica.SourcePrimaryColor, pica.SourceTexture0, pica.SourceConstant, pica.SourcePrevious, pica.SourceFragmentPrimary
		replace, modulate                      = pica.CombineReplace, pica.CombineModulate
	)
	hue := mgl32.Vec4{0.5, 0.25, 1, 0.5}
	turned := stage(modulate, tex, constant)
	turned[2] = 1 | 1<<12 // one minus the first operand
	double := stage(modulate, tex, constant)
	double[5] = 1 | 1<<16
	for _, c := range []struct {
		name    string
		stages  [][6]uint32
		color   mgl32.Vec4
		picture func(v float32, k int) float32 // of a texel's channel; nil: picture unchanged
		none    bool                           // no picture
		colors  bool
	}{
		{"the texture", [][6]uint32{stage(replace, tex)}, mgl32.Vec4{1, 1, 1, 1}, nil, false, false},
		{"and vertex colours", [][6]uint32{stage(modulate, tex, vertex)}, mgl32.Vec4{1, 1, 1, 1}, nil, false, true},
		{"and a constant", [][6]uint32{stage(modulate, tex, vertex), stage(modulate, previous, constant)}, hue, nil, false, true},
		{"twice", [][6]uint32{double}, mgl32.Vec4{1, 0.5, 1, 1}, func(v float32, k int) float32 { return min(2*v*hue[k], 1) }, false, false},
		{"and light", [][6]uint32{stage(modulate, tex, light)}, mgl32.Vec4{0.25, 0.5, 0.75, 1}, nil, false, false},
		{"the constant", [][6]uint32{stage(replace, constant)}, hue, nil, true, false},
		{"turned", [][6]uint32{turned}, mgl32.Vec4{1, 1, 1, 1}, func(v float32, k int) float32 { return (1 - v) * hue[k] }, false, false},
		{"brightened", [][6]uint32{stage(pica.CombineAdd, tex, constant)}, mgl32.Vec4{1, 1, 1, 1}, func(v float32, k int) float32 { return min(v+hue[k], 1) }, false, false},
		{"between two", [][6]uint32{stage(pica.CombineInterpolate, constant, vertex, tex)}, mgl32.Vec4{1, 1, 1, 1}, func(v float32, k int) float32 { return hue[k]*v + 1 - v }, false, true},
	} {
		var before *model.Model
		for _, bare := range []bool{true, false} {
			f := testkit.Must(cgfx.Parse(more(t, nil)))(t)
			m := f.Models.Get(Common)
			for _, e := range m.Materials.Entries {
				mat := e.Value
				mat.Colors.Constant[3], mat.Colors.Diffuse = hue, mgl32.Vec4{0.25, 0.5, 0.75, 1}
				mat.BlendMode, mat.BlendCommand[2] = 1, 0x76760000 // alpha blending
				for i := range mat.Fragment.Combiners {
					cmd := stage(replace, previous)
					if i == 0 && bare {
						cmd = stage(replace, tex)
					} else if !bare && i < len(c.stages) {
						cmd = c.stages[i]
					}
					cmd[1] = mat.Fragment.Combiners[i].Command[1]
					mat.Fragment.Combiners[i] = cgfx.Combiner{Constant: 3, Command: cmd}
				}
			}
			data := testkit.Must(f.Relayout())(t)
			set := testkit.Must(Open(data))(t)
			out, _ := set.Export(set.Models()[0])
			if bare {
				before = out
				continue
			}
			textured := 0
			for i, mat := range out.Materials {
				was := before.Materials[i]
				if was.Base.Image < 0 {
					continue
				}
				textured++
				if c.picture == nil {
					for k := range 4 {
						require.InDelta(t, c.color[k], mat.BaseColor[k], 0.01, "%s: %s, colour %d", c.name, mat.Name, k)
					}
					if c.none {
						require.Equal(t, -1, mat.Base.Image, c.name)
					} else {
						require.Equal(t, was.Base, mat.Base, c.name)
					}
					continue
				}
				require.Equal(t, mgl32.Vec4{1, 1, 1, 1}, mat.BaseColor, c.name)
				a, b := before.Images[was.Base.Image].Pix, out.Images[mat.Base.Image].Pix
				for at := 0; at < len(a.Pix); at += 37 {
					require.InDelta(t, 255*c.picture(float32(a.Pix[at])/255, at%4), b.Pix[at], 1.5, "%s: %s, byte %d", c.name, mat.Name, at)
				}
			}
			require.NotZero(t, textured)
			colored := 0
			for _, mesh := range out.Meshes {
				if mesh.Parts[0].Colors != nil {
					colored++
				}
			}
			require.Equal(t, c.colors, colored > 0, "%s: %d meshes with vertex colours", c.name, colored)
		}
	}
}

// Every combiner function is baked by its formula.
func TestEveryCombinerFunctionIsBaked(t *testing.T) {
	op := [3]mgl32.Vec4{{0.75, 0.5, 0.25, 1}, {0.5, 0.875, 0.125, 0.25}, {0.25, 0.5, 0.75, 0.125}}
	dot := float32(4 * (0.25*0 + 0*0.375 + -0.25*-0.375))
	want := map[pica.Combine]mgl32.Vec4{
		pica.CombineReplace:     {0.75, 0.5, 0.25, 1},
		pica.CombineModulate:    {0.375, 0.4375, 0.03125, 0.25},
		pica.CombineAdd:         {1.25, 1.375, 0.375, 1.25},
		pica.CombineAddSigned:   {0.75, 0.875, -0.125, 0.75},
		pica.CombineInterpolate: {0.5625, 0.6875, 0.21875, 0.34375},
		pica.CombineSubtract:    {0.25, -0.375, 0.125, 0.75},
		pica.CombineDot3RGB:     {dot, dot, dot, dot},
		pica.CombineDot3RGBA:    {dot, dot, dot, dot},
		pica.CombineMultAdd:     {0.625, 0.9375, 0.78125, 0.375},
		pica.CombineAddMult:     {0.25, 0.5, 0.28125, 0.125},
	}
	require.Len(t, want, pica.Combines.Len())
	for f, v := range want {
		require.Equal(t, v, combine(f, &op), f)
	}
}

// Every operand of a combiner is baked: each reads other channels or inverts them.
func TestEveryCombinerOperandIsBaked(t *testing.T) {
	from := [2]mgl32.Vec4{{0.125, 0.25, 0.375, 0.0625}, {0.75, 0.5, 0.875, 0.9375}}
	at := [2][4]float32{from[0], from[1]}
	for name, channels := range map[string][3]int{"color": {0, 1, 2}, "alpha": {3, 3, 3}, "red": {0, 0, 0}, "green": {1, 1, 1}, "blue": {2, 2, 2}} {
		for invert, prefix := range []string{"", "one_minus_"} {
			value := func(half, channel int) float32 {
				if invert == 1 {
					return 1 - at[half][channel]
				}
				return at[half][channel]
			}
			rgb, ok := pica.OperandRGBs.Lookup(prefix + name)
			require.True(t, ok, prefix+name)
			got := operand(pica.OperandRGB(rgb), 0, from)
			require.Equal(t, mgl32.Vec4{value(0, channels[0]), value(0, channels[1]), value(0, channels[2]), at[1][3]}, got, prefix+name)
			if name == "color" {
				continue
			}
			alpha, ok := pica.OperandAlphas.Lookup(prefix + name)
			require.True(t, ok, prefix+name)
			require.Equal(t, value(1, channels[0]), operand(0, pica.OperandAlpha(alpha), from)[3], "alpha %s", prefix+name)
		}
	}
	require.Len(t, pica.OperandRGBs.Values, 10, "an operand without an expected result")
	require.Len(t, pica.OperandAlphas.Values, 8, "an operand without an expected result")
}

// A shader with meaningless uniform names is used if its code shows their meaning: the square has the same position as with known
// names.
func TestShadersWithMeaninglessNames(t *testing.T) {
	const head = ".constf const(0.0, 1.0, 0.5, 0.0)\n.in first v0\n.in texcoord v4\n.out outPosition position\n.out outColor color\n"
	const tail = "\tmov r3.xyz, texcoord.xyxx\n\tmov r3.w, const.y\n\tmov outColor, r3\n\tend\n.end\n"
	product := func(to, matrix, from string) (s string) {
		for i, c := range "xyzw" {
			s += "\tdp4 " + to + "." + string(c) + ", " + matrix + "[" + string(rune('0'+i)) + "], " + from + "\n"
		}
		return s
	}
	one := head + ".fvec foo[4]\n.proc main\n\tmov r0.xyz, first\n\tmov r0.w, const.y\n" + product("outPosition", "foo", "r0") + tail
	two := head + ".fvec foo[4]\n.fvec bar[4]\n.proc main\n\tmov r0.xyz, first\n\tmov r0.w, const.y\n" + product("r1", "bar", "r0") + product("outPosition", "foo", "r1") + tail
	run := func(source string, names ...string) ([][3]int, []string) {
		p, diagnostics := asm.Assemble(asm.Options{}, asm.Source{Name: "a.v.pica", Text: []byte(source)})
		require.NoError(t, diagnostics.Err())
		symbols := p.File.Executables[0].Uniforms
		for i := range symbols { // names that no source can have
			symbols[i].Name = strings.NewReplacer(names...).Replace(symbols[i].Name)
		}
		binary := testkit.Must(p.File.Write())(t)
		img, notes := shot(t, more(t, func(f *cgfx.File) {
			f.Shaders.Values()[0].Binary = binary
			f.Models.Get(Common).Materials.Get("own").Parameters = nil
		}), 0)
		var out [][3]int
		for _, d := range [][2]int{{-13, 0}, {-11, -11}, {11, -11}, {-11, 11}, {11, 11}, {0, 0}} {
			out = append(out, at(img, squares[0]+d[0], 60+d[1]))
		}
		return out, notes
	}
	known := strings.NewReplacer("foo", "projection", "bar", "modelView", "first", "aPosition").Replace(two)
	want, notes := run(known)
	moved, _ := run(strings.Replace(known, "texcoord v4", "texcoord v1", 1))
	require.Equal(t, want, moved, "the name of an input counts, not its register")
	require.Empty(t, notes)
	require.NotEqual(t, want[1], want[4])
	// Names with components, and an input without any that is known: its register tells.
	for _, name := range []string{"aPosition.xyz", "what", "aPosition.x.y"} {
		got, notes := run(known, "aPosition", name, "texcoord", "aTexCoord0.xy")
		require.Empty(t, notes, name)
		require.Equal(t, want, got, name)
	}
	// A shader that gives all vertices one position is not used.
	got, notes := run(strings.Replace(known, "mov r0.xyz, aPosition", "mul r0.xyz, const.x, aPosition", 1))
	require.Equal(t, []string{"material own: its shader puts all vertices of own_0 into one point; it is drawn with the library's program"}, notes)
	require.NotEqual(t, want[0], got[1])
	require.Equal(t, got[1], got[4], "the library's program draws the square in one colour")
	for name, source := range map[string]string{"one": one, "two": two} {
		got, notes := run(source)
		require.Equal(t, want, got, name)
		require.Len(t, notes, 1, name)
		require.Contains(t, notes[0], "was found in its code: ", name)
		require.Contains(t, notes[0], "foo", name)
	}
	// A shader whose meaning stays unclear is not used.
	_, notes = run(head + ".fvec foo[4]\n.proc main\n\tmov r0.xyz, first\n\tmov r0.w, const.y\n\tadd r0, foo[0], r0\n\tmov outPosition, r0\n" + tail)
	require.Contains(t, notes[0], "its code does not show which is")
	require.Contains(t, notes[0], "library's program")
}
