package geometry

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/trial"
	"pica200/tests/testkit"
)

// assemble makes a Setup from .pica source.
func assemble(t testing.TB, source string) *shaderunit.Setup {
	t.Helper()
	p, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "test.pica", Text: []byte(source)})
	require.Zero(t, diags.Errors(), "%v", diags)
	return testkit.Must(trial.Load(p.File, 0))(t).Setup
}

// geometryDraw is a testDraw with a geometry shader that reads and writes position and colour.
func geometryDraw(t testing.TB, mode pica.GeometryMode, source string) *testDraw {
	d := newTestDraw(t, pica.PrimitiveGeometry)
	d.Geometry = assemble(t, source)
	r := d.Regs
	pica.GeostageMode.Set(r, uint32(pica.GeoStageOn))
	pica.ShInputMode.Set(r, uint32(pica.ShaderModeGeometry))
	pica.GshMode.Set(r, uint32(mode))
	pica.VshOutmapTotal1.Set(r, 1)
	pica.ShOutmapMask.Set(r, 3)
	r[pica.RegGshAttributesPermutationLow] = 0x76543210
	r[pica.RegGshAttributesPermutationHigh] = 0xFEDCBA98
	return d
}

// point sets n input vertices per run.
func (d *testDraw) point(n int) *testDraw {
	pica.ShInputCount.Set(d.Regs, uint32(2*n-1))
	return d
}

// corners returns the numbers of the input vertices of each triangle, from texcoord0.u.
func corners(out *Output) (c [][3]int) {
	for _, tri := range out.Triangles {
		var k [3]int
		for i, v := range tri {
			k[i] = int(out.vertex(uint32(v)).Vertex[pica.SemTexCoord0U])
		}
		c = append(c, k)
	}
	return c
}

// The point-mode programs below number their vertices in texcoord0.u.
const pointHeader = `
.gsh point c0
.constf numbers(0.0, 1.0, 2.0, 3.0)
.constf more(4.0, 5.0, 6.0, 7.0)
.out position position
.out number texcoord0
.entry gmain
`

// triangle is code that emits three vertices as a triangle: their position registers, and the values of one more output.
func triangle(output, positions, values string) string {
	p, v, code := strings.Fields(positions), strings.Fields(values), "\n"
	for i, slot := range []string{"0", "1", "2, prim"} {
		code += fmt.Sprintf("setemit %s\nmov position, %s\nmov %s, %s\nemit\n", slot, p[i], output, v[i])
	}
	return code
}

func numberedDraw(t testing.TB, code string) *testDraw {
	d := geometryDraw(t, pica.GeometryModePoint, pointHeader+".proc gmain\n"+code+"\nend\n.end\n").point(4)
	d.Regs[pica.RegShOutmapO0+1] = 0x1F1F0D0C
	d.vertices(fiveOnACircle()[:4]...)
	return d
}

func TestEmitVertices(t *testing.T) {
	vertex := func(v, number string) string {
		return "mov position, " + v + "\nmov number, " + number + "\nemit\n"
	}
	v0, v1 := vertex("v0", "numbers.x"), vertex("v2", "numbers.y")
	v2, v3 := vertex("v4", "numbers.z"), vertex("v6", "numbers.w")
	for _, tc := range []struct {
		name    string
		code    string
		want    [][3]int
		emitted int
		culled  int
	}{
		{"one triangle", "setemit 0\n" + v0 + "setemit 1\n" + v1 + "setemit 2, prim\n" + v2,
			[][3]int{{0, 1, 2}}, 3, 0},
		{"no primitive without prim", "setemit 0\n" + v0 + "setemit 1\n" + v1 + "setemit 2\n" + v2,
			nil, 3, 0},
		{"prim on slot 0, inverted", "setemit 1\n" + v2 + "setemit 2\n" + v0 + "setemit 0, prim inv\n" + v1,
			// Slots 1 2 0 with the first two exchanged are 2 1 0, clockwise.
			nil, 3, 1},
		{"prim on slot 1", "setemit 0\n" + v0 + "setemit 2\n" + v2 + "setemit 1, prim\n" + v1,
			[][3]int{{0, 1, 2}}, 3, 0},
		{"a strip of two: slots are kept", "setemit 0\n" + v0 + "setemit 1\n" + v1 + "setemit 2, prim\n" + v2 + "setemit 1, prim\n" + v3,
			// Slots 0 3 2 are clockwise.
			[][3]int{{0, 1, 2}}, 4, 1},
		{"a fan of two", "setemit 0\n" + v0 + "setemit 1\n" + v1 + "setemit 2, prim\n" + v2 + "setemit 1, prim inv\n" + v3,
			[][3]int{{0, 1, 2}, {3, 0, 2}}, 4, 0},
		{"inverted", "setemit 0\n" + v1 + "setemit 1\n" + v0 + "setemit 2, prim inv\n" + v2,
			[][3]int{{0, 1, 2}}, 3, 0},
		{"the same triangle twice", "setemit 0\n" + v0 + "setemit 1\n" + v1 + "setemit 2, prim\n" + v2 + "setemit 2, prim\n" + v2,
			[][3]int{{0, 1, 2}, {0, 1, 2}}, 4, 0},
		// The assembler has no slot 3; the test patches the instruction.
		{"slot 3 is not part of a triangle", "setemit 0\n" + v0 + "setemit 1\n" + v1 + "setemit 2\n" + v2 + "setemit 2, prim\n" + v3,
			[][3]int{{0, 1, 2}}, 4, 0},
		{"one setemit for several emits", "setemit 0\n" + v3 + v0 + "setemit 1\n" + v1 + "setemit 2, prim\n" + v2,
			[][3]int{{0, 1, 2}}, 4, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := numberedDraw(t, tc.code)
			if strings.HasPrefix(tc.name, "slot 3") {
				for i := range shaderunit.CodeWords {
					if in := shaderunit.Decode(d.Geometry.Code(i)); in.Op == shaderunit.OpSETEMIT && in.PrimEmit {
						in.VertexID = 3
						w := testkit.Must(in.Encode())(t)
						d.Geometry.SetCode(i, w)
					}
				}
			}
			pica.FacecullingMode.Set(d.Regs, uint32(pica.CullBack))
			out := d.draw(t)
			require.Equal(t, tc.want, corners(&out))
			require.Equal(t, tc.emitted, out.Stats.Emitted)
			require.Equal(t, tc.culled, out.Stats.Culled)
			require.Equal(t, 1, out.Stats.Invocations)
		})
	}
}

// slots emits two vertices in its first run and the third in the second.
const slots = `
		jmpu b15, again
		setemit 0
		mov position, v0
		mov number, numbers.x
		emit
		setemit 1
		mov position, v2
		mov number, numbers.y
		emit
		end
	again:
		setemit 2, prim
		mov position, v4
		mov number, numbers.z
		emit`

// A vertex slot keeps its vertex for the next run.
func TestVertexSlotsOutliveRuns(t *testing.T) {
	d := numberedDraw(t, slots)
	d.vertices(append(fiveOnACircle()[:4], fiveOnACircle()[:4]...)...)
	pica.Numvertices.Set(d.Regs, 8)
	s := NewStage(1, nil)
	var out Output
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Equal(t, [][3]int{{0, 1, 2}}, corners(&out))
	require.Equal(t, 2, out.Stats.Invocations)
	require.True(t, d.Geometry.BoolUniform(15))
	// The slots are also kept for the next draw, whose output gets copies of them.
	out = Output{}
	pica.Numvertices.Set(d.Regs, 4)
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Equal(t, [][3]int{{0, 1, 2}}, corners(&out))
	require.Len(t, out.Vertices, 3)

	// Reset clears the slots: the triangle of one vertex has no area.
	s.Reset()
	out = Output{}
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Empty(t, out.Triangles)
}

// Vertices shared by triangles are emitted once.
func TestEmittedVerticesAreShared(t *testing.T) {
	d := numberedDraw(t, triangle("number", "v0 v2 v4", "numbers.x numbers.y numbers.z")+`
		setemit 1, inv prim
		mov position, v6
		mov number, numbers.w
		emit`)
	out := d.draw(t)
	require.Equal(t, [][3]uint32{{0, 1, 2}, {3, 0, 2}}, out.Triangles)
	require.Len(t, out.Vertices, 4)
}

var passTriangle = `
.gsh point c0
.out position position
.out color color
.entry gmain
.proc gmain` + triangle("color", "v0 v2 v4", "v1 v3 v5") + `
	end
.end
`

func TestPointMode(t *testing.T) {
	d := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
	d.vertices(append(fiveOnACircle(), fiveOnACircle()...)...)
	pica.Numvertices.Set(d.Regs, 8)
	out := d.draw(t)
	require.Equal(t, Stats{Indices: 8, Fetched: 8, Shaded: 8, Invocations: 2, Emitted: 6, Primitives: 2, Triangles: 2, Incomplete: 1}, out.Stats)

	// Indexed, with a permutation: positions arrive in v0, v2, v4 and colours in v1, v3, v5, although the vertex shader swaps its
	// outputs.
	d.elements(false, 0, 1, 2, 0, 2, 3)
	d.Regs[pica.RegVshOutmapMask] = 3
	d.Vertex = program(t, mov(0, 1), mov(1, 0), shaderunit.Instr{Op: shaderunit.OpEND})
	d.Regs[pica.RegGshAttributesPermutationLow] = 0x674523_01
	out = d.draw(t)
	require.Equal(t, 2, out.Stats.Triangles)
	require.Equal(t, 4, out.Stats.Shaded)
	require.Equal(t, 2, out.Stats.CacheHits)
	require.EqualValues(t, 75*16, out.Vertices[0].X)
}

// Begin is called before each run, and the Trace that it sets is removed after the run.
func TestRunHooks(t *testing.T) {
	d := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
	d.vertices(append(fiveOnACircle(), fiveOnACircle()...)...)
	pica.Numvertices.Set(d.Regs, 9)
	s := NewStage(1, nil)
	var runs, emitted int
	traced := map[int]int{}
	s.Watch(&RunHooks{
		Begin: func(run int, it *shaderunit.Interpreter, _ *shaderunit.Setup) {
			require.Equal(t, runs, run)
			require.Nil(t, it.Trace)
			if runs++; run != 1 {
				it.Trace = func(*shaderunit.Step) { traced[run]++ }
			}
		},
		Emit: func(shaderunit.Emission) { emitted++ },
	})
	var out Output
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Equal(t, 3, runs)
	require.Equal(t, out.Stats.Emitted, emitted)
	require.Len(t, traced, 2)
	require.Equal(t, traced[0], traced[2])
	s.Watch(nil)
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Equal(t, 3, runs)
}

func TestPointModeImmediate(t *testing.T) {
	d := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
	d.Kind = Immediate
	s := NewStage(1, nil)
	var out Output
	for _, p := range fiveOnACircle()[:4] {
		d.Immediate = [][4]float32{p, {1, 1, 1, 1}}
		require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	}
	require.Equal(t, 1, out.Stats.Triangles)
	require.Equal(t, 0, out.Stats.Incomplete)
	require.Len(t, s.geo.pending, 2)
	s.Restart()
	require.Empty(t, s.geo.pending)

	// Pending vertices are dropped when the number of input vertices changes.
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Len(t, s.geo.pending, 2)
	d.point(4)
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Len(t, s.geo.pending, 2)
}

// A triangle of the first vertices. Red is the count in c0; green is x of the last register of a primitive with 5 vertices.
const variableProgram = `
.gsh variable c48 2
.constf scale(0.125, 1.0, 0.0, 0.5)
.out position position
.out color color
.entry gmain
.proc gmain
	setemit 0
	mov position, c1
	mov r0, c0
	mul color, scale.x, r0
	emit
	setemit 1
	mov position, c3
	mov color, scale.z
	emit
	setemit 2, prim
	mov position, c5
	mov color, c7
	emit
	end
.end
`

func variableDraw(t testing.TB, indices ...int) *testDraw {
	d := geometryDraw(t, pica.GeometryModeVariable, variableProgram)
	pica.GeostageVariable.Set(d.Regs, 1)
	pica.ShInputSubdivision.Set(d.Regs, 1)
	pica.GshVariableMain.Set(d.Regs, 1)
	d.vertices(fiveOnACircle()...)
	d.elements(true, indices...)
	return d
}

func TestVariableMode(t *testing.T) {
	d := variableDraw(t, 5, 0, 1, 2, 3, 4, 3, 1, 2, 3, 4, 0, 1, 2, 3)
	out := d.draw(t)
	require.Equal(t, Stats{Indices: 12, Fetched: 5, Shaded: 5, CacheHits: 7, Invocations: 3, Emitted: 9, Primitives: 3, Triangles: 3}, out.Stats)
	first := out.Triangles[0]
	require.Equal(t, float32(5.0/8), out.vertex(uint32(first[0])).Vertex[pica.SemColorR])
	c := fiveOnACircle()
	require.InDelta(t, float64(c[4][0]), float64(out.vertex(uint32(first[2])).Vertex[pica.SemColorR]), 1e-4, "c7 is the position of the fifth vertex")
	require.Equal(t, float32(3.0/8), out.vertex(uint32(out.Triangles[1][0])).Vertex[pica.SemColorR])
	require.Equal(t, float32(4.0/8), out.vertex(uint32(out.Triangles[2][0])).Vertex[pica.SemColorR])
}

var fixedProgram = `
.gsh fixed c26 c20 3
.out position position
.out color color
.entry gmain
.proc gmain` + triangle("color", "c20 c22 c24", "c21 c23 c25") + `
	end
.end
`

func fixedDraw(t testing.TB) *testDraw {
	d := geometryDraw(t, pica.GeometryModeFixed, fixedProgram)
	pica.GshFixedVertexNum.Set(d.Regs, 2)
	pica.GshStartIndex.Set(d.Regs, 20)
	pica.GshStride.Set(d.Regs, 1)
	d.vertices(fiveOnACircle()...)
	return d
}

func TestFixedMode(t *testing.T) {
	d := fixedDraw(t)
	out := d.draw(t)
	require.Equal(t, Stats{Indices: 5, Fetched: 5, Shaded: 5, Invocations: 1, Emitted: 3, Primitives: 1, Triangles: 1, Incomplete: 1}, out.Stats)
	require.EqualValues(t, 75*16, out.Vertices[0].X)
}

func TestGeometryErrors(t *testing.T) {
	variable := func(indices ...int) func(*testing.T) *testDraw {
		return func(t *testing.T) *testDraw { return variableDraw(t, indices...) }
	}
	for _, tc := range []struct {
		name string
		make func(t *testing.T) *testDraw
		want string
	}{
		{"stream ends inside a primitive", variable(3, 0, 1, 2, 5, 0, 1, 2),
			"variable mode, primitive 1, at index 4: it has 5 vertices, but the index array ends after 3"},
		{"count 0", variable(0, 0, 1, 2), "primitive 0, at index 0: it has no vertices"},
		{"count 255", variable(append([]int{3, 0, 1, 2, 255}, make([]int, 255)...)...),
			"primitive 1, at index 4: its 255 vertices need 258 float uniforms; there are 96"},
		{"fewer than the main vertices", variable(1, 0), "it has 1 vertices, fewer than the 2"},
		{"more main vertices than uniforms", func(t *testing.T) *testDraw {
			d := variableDraw(t, 3, 0, 1, 2)
			pica.VshOutmapTotal1.Set(d.Regs, 15)
			d.Regs[pica.RegVshOutmapMask] = 0xFFFF
			pica.GshVariableMain.Set(d.Regs, 5)
			return d
		}, "6 main vertices of 16 outputs do not fit"},
		{"variable mode without indices", func(t *testing.T) *testDraw {
			d := variableDraw(t, 3, 0, 1, 2)
			d.Kind = Arrays
			return d
		}, "this draw is of kind arrays"},
		{"past c95", func(t *testing.T) *testDraw {
			d := fixedDraw(t)
			pica.GshStartIndex.Set(d.Regs, 91)
			return d
		}, "3 vertices of 2 outputs from c91 on would be written past c95"},
		{"stride of the fixed mode", func(t *testing.T) *testDraw {
			d := fixedDraw(t)
			pica.GshStride.Set(d.Regs, 2)
			return d
		}, "a vertex has 3 outputs, but the vertex shader has 2"},
		{"inputs do not divide", func(t *testing.T) *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, passTriangle)
			pica.ShInputCount.Set(d.Regs, 4)
			d.vertices(fiveOnACircle()...)
			return d
		}, "takes 5 inputs, which 2 outputs of a vertex do not fill evenly"},
		{"more outputs than enabled", func(t *testing.T) *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
			pica.VshOutmapTotal1.Set(d.Regs, 2)
			d.vertices(fiveOnACircle()...)
			return d
		}, "has 3 outputs, but GPUREG_VSH_OUTMAP_MASK enables 2"},
		{"unknown mode", func(t *testing.T) *testDraw {
			d := geometryDraw(t, 3, passTriangle)
			d.vertices(fiveOnACircle()...)
			return d
		}, "unknown geometry shader mode 3"},
		{"unit not in geometry mode", func(t *testing.T) *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, passTriangle)
			pica.ShInputMode.Set(d.Regs, uint32(pica.ShaderModeVertex))
			return d
		}, "sets the unit to vertex"},
		{"no program", func(t *testing.T) *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, passTriangle)
			d.Geometry = nil
			return d
		}, "no program is loaded for it"},
		{"never ends", func(t *testing.T) *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, `
				.gsh point c0
				.out position position
				.entry gmain
				.proc gmain
				again:
					nop
					jmpu !b0, again
					end
				.end`).point(3)
			d.vertices(fiveOnACircle()...)
			return d
		}, "geometry shader, point mode, primitive 0: shader, instruction"},
		{"emit without setemit", func(t *testing.T) *testDraw {
			d := geometryDraw(t, pica.GeometryModePoint, `
				.gsh point c0
				.out position position
				.entry gmain
				.proc gmain
					mov position, v0
					emit
					end
				.end`).point(3)
			d.vertices(fiveOnACircle()...)
			return d
		}, "geometry shader, point mode, primitive 0: shader, instruction"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := tc.make(t)
			var out Output
			require.ErrorContains(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out), tc.want)
		})
	}
}

// The primitives before the bad one are drawn.
func TestPrimitivesBeforeErrorAreDrawn(t *testing.T) {
	d := variableDraw(t, 3, 0, 1, 2, 0)
	var out Output
	require.Error(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out))
	require.Equal(t, 1, out.Stats.Triangles)
}

// A flush within a run keeps slots and strips intact.
func TestGeometryFlush(t *testing.T) {
	d := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
	circle := fiveOnACircle()
	const n = 6 * (FlushTriangles + 1000)
	for i := range n {
		d.vertices(circle[i%3])
	}
	pica.Numvertices.Set(d.Regs, n)
	var out Output
	total, flushes := 0, 0
	out.Flush = func(_ context.Context, o *Output) error {
		total += len(o.Triangles)
		flushes++
		for _, tri := range o.Triangles {
			for _, v := range tri {
				require.Less(t, int(v), len(o.Vertices))
			}
		}
		o.empty()
		return nil
	}
	require.NoError(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out))
	require.Equal(t, n/3, total+len(out.Triangles))
	require.Equal(t, 3, flushes)
}
