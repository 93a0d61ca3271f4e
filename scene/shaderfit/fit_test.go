package shaderfit

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

const shaders = "../scenebuild/testdata/shaders/"

func find(t *testing.T, names ...string) *Fit {
	t.Helper()
	var sources []asm.Source
	for _, n := range names {
		text := testkit.Read(t, shaders+n)
		sources = append(sources, asm.Source{Name: n, Text: text})
	}
	p, diags := asm.Assemble(asm.Options{}, sources...)
	require.NoError(t, diags.Err())
	geometry := -1
	if len(names) > 1 {
		geometry = 1
	}
	return Find(Program{File: p.File, Vertex: 0, Geometry: geometry})
}

func (f *Fit) streams() (list []string) {
	for _, in := range f.Inputs {
		list = append(list, in.Stream)
	}
	return list
}

func (f *Fit) uniform(name string) *Uniform {
	for i := range f.Uniforms {
		if f.Uniforms[i].Name == name {
			return &f.Uniforms[i]
		}
	}
	return &Uniform{Name: "missing"}
}

func TestStreamsAreFound(t *testing.T) {
	for _, c := range []struct {
		source  string
		streams []string
	}{
		{"plain-registers", []string{"position", "color"}},
		{"other-order", []string{"texcoord", "color", "position"}},
		{"high-registers", []string{"position", "color", "texcoord"}},
		{"lambert", []string{"position", "normal"}},
		{"fragment-light", []string{"position", "normal"}},
		{"quaternion-input", []string{"position", ""}},
		{"rigid-bones", []string{"position", "color", "joints"}},
		{"smooth-bones", []string{"position", "color", "joints", "weights"}},
		{"instances", []string{"position", "color", ""}},
		{"morph", []string{"position", "position"}},
		{"sphere-map", []string{"position", "normal"}},
		{"many-textures", []string{"position", "texcoord", "texcoord1"}},
		{"pass-through", []string{"ndc", "color"}},
		{"packed-colour", []string{"position", "texcoord"}},
		{"declared", []string{"position", "texcoord", "color"}},
	} {
		require.Equal(t, c.streams, find(t, c.source+".v.pica").streams(), c.source)
	}
}

func TestMatricesAreFound(t *testing.T) {
	for _, c := range []struct {
		source, uniform string
		role            Role
		columns         bool
		order           [4]int
	}{
		{"plain-registers", "projection", ModelViewProjection, false, [4]int{0, 1, 2, 3}},
		{"two-matrices", "projMtx", Projection, false, [4]int{0, 1, 2, 3}},
		{"two-matrices", "mdlvMtx", ModelView, false, [4]int{0, 1, 2, 3}},
		{"strange-names", "foo", Projection, false, [4]int{0, 1, 2, 3}},
		{"three-matrices", "u_view", View, false, [4]int{0, 1, 2, 3}},
		{"three-matrices", "u_model", Model, false, [4]int{0, 1, 2, 3}},
		{"model-and-viewproj", "VP", ViewProjection, false, [4]int{0, 1, 2, 3}},
		{"model-and-viewproj", "M", Model, false, [4]int{0, 1, 2, 3}},
		{"columns", "mvp", ModelViewProjection, true, [4]int{0, 1, 2, 3}},
		{"columns-two", "world", Model, true, [4]int{0, 1, 2, 3}},
		{"reversed-components", "projection", ModelViewProjection, false, [4]int{3, 2, 1, 0}},
		{"homogenous", "wvp", ModelViewProjection, false, [4]int{0, 1, 2, 3}},
		{"smooth-bones", "matrices", Bones, false, [4]int{0, 1, 2, 3}},
		{"sphere-map", "normalMtx", Normal, false, [4]int{0, 1, 2, 3}},
		{"texture-matrix", "texMtx", Identity, false, [4]int{0, 1, 2, 3}},
		{"turn-then-move", "turn", Identity, false, [4]int{0, 1, 2, 3}},
		{"turn-then-move", "projection", ModelViewProjection, false, [4]int{0, 1, 2, 3}},
		{"unnamed-uniforms", "c4", ModelView, false, [4]int{0, 1, 2, 3}},
		{"side-screen", "WORLDVIEWPROJ", ModelViewProjection, false, [4]int{0, 1, 2, 3}},
	} {
		u := find(t, c.source+".v.pica").uniform(c.uniform)
		require.Equal(t, c.role, u.Role, "%s %s", c.source, c.uniform)
		require.Equal(t, c.columns, u.Columns, c.source)
		require.Equal(t, c.order, u.Order, c.source)
	}
}

// Registers returns the rows of a matrix in the order that the code multiplies with.
func TestMatrixRegisters(t *testing.T) {
	m := mgl64.Mat4FromRows(mgl64.Vec4{1, 2, 3, 4}, mgl64.Vec4{5, 6, 7, 8}, mgl64.Vec4{9, 10, 11, 12}, mgl64.Vec4{13, 14, 15, 16})
	rows := Uniform{Role: ModelView, Count: 4, Order: [4]int{0, 1, 2, 3}}
	require.Equal(t, mgl64.Vec4{5, 6, 7, 8}, rows.Registers(m)[1])
	reversed := Uniform{Role: ModelView, Count: 4, Order: [4]int{3, 2, 1, 0}}
	require.Equal(t, mgl64.Vec4{8, 7, 6, 5}, reversed.Registers(m)[1])
	columns := Uniform{Role: ModelView, Count: 4, Columns: true, Order: [4]int{0, 1, 2, 3}}
	require.Equal(t, mgl64.Vec4{2, 6, 10, 14}, columns.Registers(m)[1])
	bones := Uniform{Role: Bones, Count: 6, Order: [4]int{0, 1, 2, 3}}
	require.Equal(t, mgl64.Vec4{1, 2, 3, 4}, bones.Registers(m)[3], "bone matrices have three rows each")
}

func TestValuesAreFound(t *testing.T) {
	require.Equal(t, []mgl64.Vec4{{1, 1, 1, 1}}, find(t, "scaled.v.pica").uniform("posScale").Values)
	require.Equal(t, []mgl64.Vec4{{}}, find(t, "scaled.v.pica").uniform("posOffset").Values)
	require.Equal(t, []mgl64.Vec4{lightAt}, find(t, "lambert.v.pica").uniform("lightDir").Values)
	turned := find(t, "lambert-turned.v.pica").uniform("sunVec").Values[0]
	require.Equal(t, mgl64.Vec4{-0.4, -0.6, -0.7, 0}, turned, "a direction that the code negates is given negated")
	require.Len(t, find(t, "lambert-turned.v.pica").uniform("mat").Values, 4)
	require.Equal(t, []string{"useColor", "useRed"}, find(t, "choices.v.pica").Unset)
	text := strings.Replace(string(testkit.Read(t, shaders+"choices.v.pica")), ".out outpos", ".setb useColor true\n.out outpos", 1)
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "set.v.pica", Text: []byte(text)})
	require.NoError(t, diags.Err())
	require.Equal(t, []string{"useRed"}, Find(Program{File: p.File, Geometry: -1}).Unset, "the shader sets the other itself")
}

// Scaling done by the code is inverted, so that its result equals the stream.
func TestStreamScalingIsInverted(t *testing.T) {
	f := find(t, "pixels.v.pica")
	x := f.Inputs[0].Fit
	require.NotNil(t, x)
	require.InDelta(t, 200, x.At(0, 0), 0.01)
	require.InDelta(t, 200, x.At(0, 3), 0.01)
	require.InDelta(t, 120, x.At(1, 1), 0.01)
	require.InDelta(t, 255, find(t, "byte-colours.v.pica").Inputs[1].Fit[0], 0.01)
	require.Nil(t, find(t, "plain-registers.v.pica").Inputs[0].Fit)
	require.Nil(t, find(t, "scaled.v.pica").Inputs[0].Fit)
}

func TestGeometryShaders(t *testing.T) {
	for source, perRun := range map[string]int{"triangles": 3, "subdivided": 3, "lines": 2, "sprites": 1} {
		f := find(t, source+".v.pica", source+".g.pica")
		require.Equal(t, perRun, f.PerRun, source)
		require.Equal(t, ModelViewProjection, f.uniform("projection").Role, source)
		require.True(t, f.uniform("projection").Geometry)
	}
	require.Equal(t, ModelViewProjection, find(t, "fixed-triangles.v.pica", "fixed-triangles.g.pica").uniform("projection").Role)
}

func TestMissingPositionReasons(t *testing.T) {
	require.Equal(t, "no input reaches the position", find(t, "no-input.v.pica").NoPosition)
	require.Equal(t, "the program writes no position", find(t, "no-position.v.pica").NoPosition)
	require.Empty(t, find(t, "pass-through.v.pica").NoPosition)
}

func TestInputNamesToStreams(t *testing.T) {
	for name, want := range map[string]string{"inpos": "position", "aPosition": "position", "v_texcoord": "texcoord", "inTexCoord1": "texcoord1", "in_uv0": "texcoord",
		"vertexColor": "color", "a_nrm": "normal", "boneWeights": "weights", "inarg": "", "v1": "", "c4": "", "VertexPosition": "position", "t0": ""} {
		require.Equal(t, want, streamOf(name), name)
	}
	for name, want := range map[string]Role{"projMtx": Projection, "uProjectionMatrix": Projection, "mdlvMtx": ModelView, "u_model": Model, "MVP": ModelViewProjection,
		"viewProj": ViewProjection, "mtxNormal": Normal, "WORLDVIEWPROJ": ModelViewProjection} {
		r, ok := matrixOf(name)
		require.True(t, ok, name)
		require.Equal(t, want, r, name)
	}
	_, ok := matrixOf("tint")
	require.False(t, ok)
}

// FuzzFind analyses arbitrary files in bounded time.
func FuzzFind(f *testing.F) {
	for _, name := range []string{"smooth-bones", "packed-colour", "pixels"} {
		text := testkit.Must(os.ReadFile(shaders + name + ".v.pica"))(f)
		p, _ := asm.Assemble(asm.Options{}, asm.Source{Name: name, Text: text})
		data := testkit.Must(p.File.Write())(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file, err := shbin.Parse(data)
		if err != nil || len(file.Executables) == 0 {
			return
		}
		geometry := -1
		if len(file.Executables) > 1 {
			geometry = 1
		}
		fit := Find(Program{File: file, Vertex: 0, Geometry: geometry, All: true})
		for i := range fit.Uniforms {
			_ = fit.Uniforms[i].String()
			require.Len(t, fit.Uniforms[i].Registers(mgl64.Mat4{}), fit.Uniforms[i].Count)
		}
	})
}

// Uniforms that the geometry stage fills in variable mode are not reported: the number of vertices in c0, their outputs after it,
// complete vertices first. Named ones are still reported.
func TestVariableModeFillsUniforms(t *testing.T) {
	vertex := asm.Source{Name: "v", Text: []byte(".out p position o0\n.out c color o1\n.in pos\n.in col\n.entry vmain\n.proc vmain\nmov p, pos\nmov c, col\nend\n.end\n")}
	geometry := asm.Source{Name: "g", Text: []byte(".gsh variable c48 1\n.fvec shift\n.out p position o0\n.out c color o1\n.entry gmain\n.proc gmain\nsetemit 0\nmov r0, c5\nadd r0, c0, r0\nadd p, shift, r0\nmov c, c2\nemit\nend\n.end\n")}
	p, diags := asm.Assemble(asm.Options{}, vertex, geometry)
	require.NoError(t, diags.Err())
	fit := Find(Program{File: p.File, Vertex: 0, Geometry: 1})
	require.Equal(t, []string{"pos", "col"}, []string{fit.Inputs[0].Name, fit.Inputs[1].Name})
	require.Len(t, fit.Uniforms, 1, "%+v", fit.Uniforms)
	require.Equal(t, "shift", fit.Uniforms[0].Name)
}

// A matrix named only at its first register has all its rows.
func TestMatrixNamedByFirstRegister(t *testing.T) {
	fit := find(t, "written-for-nihstro.v.pica")
	require.Equal(t, []string{"position", "normal"}, fit.streams())
	require.Equal(t, ModelView, fit.uniform("modelview").Role)
	require.Equal(t, 3, fit.uniform("modelview").Count)
	require.Equal(t, 4, fit.uniform("projection").Count)
	require.Equal(t, "missing", fit.uniform("c5").Name)
	require.Equal(t, []string{"position", "color"}, find(t, "written-for-aemstro.v.pica").streams())
}

// Stored results of Find for every shader: with its names, with given streams and aliases,
// with meaningless names, and without a uniform table.
func TestFindInEveryShader(t *testing.T) {
	var b strings.Builder
	for _, pattern := range []string{shaders + "*.v.pica", "../../shaderunit/shaders/pica/*.v.pica", "../../testdata/scenes/*.v.pica"} {
		paths := testkit.Must(filepath.Glob(pattern))(t)
		require.NotEmpty(t, paths)
		for n, path := range paths {
			var sources []asm.Source
			geometry := -1
			for _, p := range []string{path, strings.Replace(path, ".v.", ".g.", 1)} {
				if text, err := os.ReadFile(p); err == nil {
					sources = append(sources, asm.Source{Name: filepath.Base(p), Text: text})
				}
			}
			if len(sources) > 1 {
				geometry = 1
			}
			file, diags := asm.Assemble(asm.Options{}, sources...)
			if diags.Errors() > 0 {
				continue // an example of a mistake
			}
			fmt.Fprintf(&b, "%s:", filepath.Base(path))
			say := func(what string, p Program) {
				p.File, p.Geometry = file.File, geometry
				f := Find(p)
				var line strings.Builder
				for i := range f.Inputs {
					in := &f.Inputs[i]
					fmt.Fprintf(&line, " %v;", in)
					if in.Fit != nil {
						fmt.Fprintf(&line, " fitted by %.4g;", *in.Fit)
					}
				}
				for i := range f.Uniforms {
					u := &f.Uniforms[i]
					fmt.Fprintf(&line, " %v at c%d", u, u.Reg)
					if u.Columns || u.Order != [4]int{0, 1, 2, 3} {
						fmt.Fprintf(&line, " columns %v, order %v", u.Columns, u.Order)
					}
					line.WriteString(";")
				}
				fmt.Fprintf(&line, " unset %q, %d a run", f.Unset, f.PerRun)
				if what == "" {
					fmt.Fprintf(&b, "%s\n", line.String())
				} else {
					fmt.Fprintf(&b, "  %s: CRC-32 %08x\n", what, crc32.ChecksumIEEE([]byte(line.String())))
				}
			}
			say("", Program{})
			say("said", Program{Streams: map[int]string{0: "texcoord"}, Aliases: map[int]string{0: "colour", 1: "pos", 2: "nrm"}})
			for i := range file.File.Executables {
				for k := range file.File.Executables[i].Uniforms {
					file.File.Executables[i].Uniforms[k].Name = fmt.Sprintf("x%d", k)
				}
			}
			say("without names", Program{All: true})
			if n%3 == 0 {
				for i := range file.File.Executables {
					file.File.Executables[i].Uniforms = nil
				}
				say("without a table", Program{})
			}
		}
	}
	testkit.Golden(t, "testdata/found.txt", []byte(b.String()))
}
