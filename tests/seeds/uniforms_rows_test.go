package seeds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/shaderunit/shaders"
	"pica200/tests/testkit"
)

// uniformDocument is the table of document 003.
func uniformDocument() document {
	return document{"Nintendo OpenGL (3dbrew): the dmp_* uniforms", []chapter{
		{"Implementation", []row{
			says("the PICA200 does OpenGL ES 1.1, with vertex and geometry shaders beyond it", func(t *testing.T) {
				filters(t)
				blending(t)
				logic(t)
				tests(t)
				vertexBuffer(t)
			}),
			says("the fragment stage is not programmed, but configured by uniforms", func(t *testing.T) { uniformByName("dmp_TexEnv[%d].combineRgb").see(t, 3) }),
			says("uniforms are set by location with glUniform calls of their type", byLocation),
			says("values are kept with the program and written to the command buffer later", keptUntilDrawn),
			{says: "names of functions of one game, and how to study them", how: notModelled, why: "nothing: they are parts of a game's code"},
		}},
		{"Program structure", driverStructure("program", "nothing: a structure in the memory of one game's driver",
			"0x0 0", "0x4 program's ID", "0x8 -1", "0x1C table of the program's uniforms", "0x20 number of uniforms", "0x28 number of the program's own uniforms", "0x414 vertex shader",
			"0x64C value for register 0x104", "0x7C0 bits of shadowed", "0x7D8 bits of geometry factors and two-sided diffuse", "0xA20 eight light sources of 0x70 bytes")},
		{"Light structure", append(driverStructure("light", "nothing: a structure in the memory of one game's driver; the values are uniforms 0x39 to 0xC0",
			"0x0 enabled", "0x4 ambient, four floats", "0x14 diffuse, four floats", "0x24 specular 0, four floats", "0x34 specular 1, four floats", "0x44 position, four floats",
			"0x54 spot direction, three floats in 0x10 bytes, of which the last four are those of the next row", "0x60 table of the spot", "0x64 bias of the distance attenuation", "0x68 scale of the distance attenuation"),
			row{says: "the structure ends at 0x6C, but the list has the table of the distance attenuation there", how: notModelled, why: "nothing: the size of 0x70 bytes has room for it"})},
		{"Shader structure", driverStructure("shader", "nothing: a structure in the memory of one game's driver; a gl.Program has code and descriptors", "0x0 code", "0x4 words of code", "0x8 operand descriptors", "0xC words of descriptors")},
		{"Uniforms", append(uniformRows(),
			row{says: "each has the address of its handler in one game, and its place in the program structure", how: notModelled, why: "nothing: addresses in a game's code, memory of its driver"},
			says("64 uniforms have a question mark in place of a register", func(t *testing.T) {
				n := 0
				for _, r := range uniformRows() {
					n += int(truth(r.how == ours))
				}
				require.Equal(t, 64, n)
			}),
			row{says: "a texture coordinate of 3 for texture 3 is perhaps forbidden", how: ours, why: "it is refused: no value of the register page has it", check: func(t *testing.T) {
				require.Error(t, dmp.New(new(pica.Regs)).Set("dmp_Texture[3].texcoord", 3))
			}},
			says("gas colour input 0x6060 and 0x6061 are 0 and 1, density source 0x605E and 0x605F too", func(t *testing.T) {
				uniformByName("dmp_Gas.colorLutInput").check(t, 0)
				uniformByName("dmp_Gas.shadingDensitySrc").check(t, 0)
			}),
			says("fog mode 0x0B60 is fog (5), 0x6050 gas (7)", func(t *testing.T) { uniformByName("dmp_Fog.mode").check(t, 0) }),
		)},
		{"Other symbols", []row{
			{key: "dmp_Point.viewport.xy", says: "a shader uniform", check: pointUniforms},
			{key: "dmp_Point.distanceAttenuation", says: "a shader uniform", check: pointUniforms},
			{key: "dmp_Point.Position", says: "a shader uniform", how: otherwise, why: "an input of point shaders: the table of a DVLE holds inputs among the uniforms (3dbrew, SHBIN); a scene that sets it is told so", check: pointInputs},
			{key: "dmp_Point.PointSize", says: "a shader uniform", how: otherwise, why: "as dmp_Point.Position", check: pointInputs},
			{says: "the list is not complete", how: notModelled, why: "names that nobody has published are refused as unknown"},
		}},
	}}
}

func uniformByName(name string) *uniform {
	return &uniformTable[slices.IndexFunc(uniformTable, func(u uniform) bool { return u.name == name })]
}

// driverStructure returns a row for each field of a structure that is not modelled.
func driverStructure(name, why string, fields ...string) (list []row) {
	for _, f := range fields {
		at, what, _ := strings.Cut(f, " ")
		list = append(list, row{key: name + " " + at, says: what, how: notModelled, why: why})
	}
	return list
}

func byLocation(t *testing.T) {
	s := dmp.New(new(pica.Regs))
	loc := testkit.Must(dmp.Locate("dmp_Fog.color"))(t)
	require.Equal(t, dmp.Location(0x126), loc)
	require.NoError(t, s.Uniformf(loc, 1, 0.5, 0.25))
	require.Equal(t, uint32(0x3F7FFF), s.Regs[0xE1])
	require.Error(t, s.Uniformf(loc, 1, 0.5), "too few numbers are refused")
	require.NoError(t, s.Uniformi(0x0EB, 0x2100))
	require.Equal(t, uint32(1), s.Regs[0xCA])
	require.NoError(t, s.Uniformi(0x024, 1), "a bool")
	require.Error(t, s.Uniformf(0x129, 1), "an unknown location is refused")
	_, err := dmp.Locate("dmp_Fog.colour")
	require.ErrorContains(t, err, "dmp_Fog.color")
}

// keptUntilDrawn sets a uniform between two draws: only the second draw's command list contains it.
func keptUntilDrawn(t *testing.T) {
	writes := map[uint32]int{}
	p := testkit.Must(painterProgram())(t)
	d := drawWatched(t, p, nil, func(reg pica.Reg, w uint32) {
		if reg == 0xE1 {
			writes[w&0xFFFFFF]++
		}
	})
	require.NoError(t, d.c.Uniforms.Set("dmp_Fog.color", 1, 0.5, 0.25))
	require.NoError(t, d.c.Flush(t.Context()))
	require.Zero(t, d.gpu.Registers()[0xE1]&0xFFFFFF)
	require.NoError(t, d.c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, d.c.Flush(t.Context()))
	require.Equal(t, uint32(0x3F7FFF), d.gpu.Registers()[0xE1]&0xFFFFFF)
	require.Equal(t, map[uint32]int{0: 1, 0x3F7FFF: 1}, writes)
}

// pointUniforms sets the uniforms of the library's point shader by the names of the page, and those of a file with the page's names
// by the library's names.
func pointUniforms(t *testing.T) {
	point := testkit.Must(shaders.Load("point"))(t)
	p := testkit.Must(gl.NewProgram(point))(t)
	require.NoError(t, p.SetFloat("dmp_Point.viewport.xy", [4]float32{0.25, 0.5, 0, 0}))
	require.NoError(t, p.SetBool("dmp_Point.distanceAttenuation", true))
	found := 0
	for _, u := range p.Uniforms() {
		switch u.Name {
		case "dmp_Point.viewport":
			require.Equal(t, []mgl32.Vec4{{0.25, 0.5, 0, 0}}, u.Floats)
			found++
		case "dmp_Point.distanceAttenuation":
			require.Equal(t, []bool{true}, u.Bools)
			found++
		}
	}
	require.Equal(t, 2, found, fmt.Sprint(p.UniformNames()))
	f := assembled(t, ".fvec a\n.out p position\n.proc main\nmov p, a\nend\n.end")
	f.Executables[0].Uniforms[0].Name = "dmp_Point.viewport.xy"
	p = testkit.Must(gl.NewProgram(f))(t)
	require.True(t, p.HasUniform("dmp_Point.viewport"))
	require.False(t, p.HasUniform("dmp_Point"))
}

func pointInputs(t *testing.T) {
	point := testkit.Must(shaders.Load("point"))(t)
	p := testkit.Must(gl.NewProgram(point))(t)
	require.False(t, p.HasUniform("dmp_Point.Position"))
	require.False(t, p.HasUniform("dmp_Point.PointSize"))
	require.Contains(t, p.Inputs(), "position")
	require.Contains(t, p.Inputs(), "size")
}
