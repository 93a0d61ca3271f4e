package fragment

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// Every scene has the same pixels with and without condensing (removal of empty quads), for triangles that cross blocks.
func TestCompactedBatchesDrawTheSame(t *testing.T) {
	was := compacting
	defer func() { compacting = was }()
	rng := rand.New(rand.NewPCG(71, 72))
	for _, sc := range fieldScenes {
		for round := range 12 {
			s := newFieldScene(sc.setup)
			s.with = []simd.Kernels{simd.Best, simd.Plain}[round%2]
			for k := range s.corner {
				v := &s.corner[k]
				v.X, v.Y = int32(k&1)*150+rng.Int32N(107), int32(k>>1)*150+rng.Int32N(107)
			}
			compacting.ops, compacting.cost = 1<<30, 1
			want := testkit.Must(s.render())(t)
			compacting.ops, compacting.cost = 0, 0
			got := testkit.Must(s.render())(t)
			require.Equal(t, want, got, "%s, %v", sc.name, s.with)
		}
	}
}

// Triangles of one draw are the same drawn together as each in an engine of its own, whatever their vertex colours are: stages
// that pass planes on for one batch must not do so for a batch of another colour. Triangles 2i and 2i+1 share bins.
func TestStagesPassPlanesOnPerBatch(t *testing.T) {
	white, half := [4]float32{1, 1, 1, 1}, [4]float32{1, 0.5, 1, 0.75}
	colors := [][4]float32{white, white, white, half, half, white, half, half, white, white, half, white}
	draw := func(with simd.Kernels, numbers ...int) []byte {
		s := newBenchScene()
		s.target.Kernels = with
		s.texture(0)
		s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
		s.stage(1, pica.CombineModulate, pica.SourcePrevious, pica.SourceConstant)
		s.stage(2, pica.CombineInterpolate, pica.SourcePrevious, pica.SourcePrimaryColor, pica.SourceConstant)
		s.regs[pica.RegTexenv0Color+pica.TexenvOffset(1)] = 0xFFFFFFFF
		s.regs[pica.RegTexenv0Color+pica.TexenvOffset(2)] = 0xFFFFFFFF
		e := NewEngine(1)
		e.Kernels = with
		p := testkit.Must(e.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}))(t)
		d := &raster.Draw{Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: 239, Y1: 399}, DepthScale: -1}
		q := raster.Queue{Kernels: with}
		for _, n := range numbers {
			first := uint32(len(q.Vertices))
			for k := range int32(3) {
				v := pica.ScreenVertex{X: 16 * (int32(n%2*100) + 80*(k&1)), Y: 16 * (int32(n/2*64) + 60*(k>>1)), Z: -0.5, InvW: 1}
				v.Vertex[pica.SemTexCoord0U], v.Vertex[pica.SemTexCoord0V] = float32(k&1)/4+0.01, float32(k>>1)/4+0.01
				copy(v.Vertex[pica.SemColorR:], colors[n][:])
				q.Add(&v)
			}
			q.Triangles = append(q.Triangles, raster.Triangle{first, first + 1, first + 2})
		}
		q.Commit(d)
		q.Flush(1, inTurn)
		return s.target.Color
	}
	for _, with := range []simd.Kernels{simd.Best, simd.Plain} {
		var all []int
		want := make([]byte, 240*400*4)
		for n := range colors {
			all = append(all, n)
			for i, v := range draw(with, n) {
				want[i] |= v // triangles do not overlap
			}
		}
		require.Equal(t, want, draw(with, all...))
	}
}

// Two small triangles draw the same in one batch as in two: in one block, overlapping, and in blocks that share an entry of
// the table of positions.
func TestSmallTrianglesInOneBatch(t *testing.T) {
	draw := func(batches int, at ...[3]int32) []byte {
		s := newBenchScene()
		s.target.Width, s.target.Height = 400, 400
		s.target.Color, s.target.Depth = make([]byte, 400*400*4), make([]byte, 400*400*4)
		s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor)
		p := testkit.Must(NewEngine(1).Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}))(t)
		require.True(t, p.Packs())
		d := &raster.Draw{Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: 399, Y1: 399}, DepthScale: -1, Pack: true}
		var q raster.Queue
		for i, p := range at {
			n := uint32(len(q.Vertices))
			for k := range int32(3) {
				v := pica.ScreenVertex{X: 16*(p[0]+2*(k&1)) + 1, Y: 16*(p[1]+2*(k>>1)) + 1, Z: -float32(p[2]) / 8, InvW: 1}
				for c := range v.Vertex {
					v.Vertex[c] = float32(i+1) / 8
				}
				q.Add(&v)
			}
			q.Triangles = append(q.Triangles, raster.Triangle{n, n + 1, n + 2})
			if batches > 1 || i == len(at)-1 {
				q.Commit(d)
				q.Flush(1, inTurn)
			}
		}
		return s.target.Color
	}
	const apart = 4 * numBuckets
	for _, c := range [][2][3]int32{
		{{20, 24, 4}, {22, 24, 4}},
		{{20, 24, 4}, {20, 24, 5}},
		{{20, 24, 4}, {20, 24, 3}}, // behind the first one
		{{20, 24, 4}, {20 + apart, 24, 4}},
		{{20, 24, 4}, {22 + apart, 24, 4}},
		{{20, 24, 4}, {20, 24 + apart, 4}},
		{{20, 24, 4}, {22, 24 + apart, 4}},
		{{20, 24, 4}, {22 + apart/2, 24 + apart/2, 4}},
	} {
		want := draw(2, c[:]...)
		require.NotZero(t, len(want)-bytes.Count(want, []byte{0}))
		require.True(t, bytes.Equal(want, draw(1, c[:]...)), "%v", c)
	}
}

// Tests of single parts compile them from a state and bind the state's values, as a draw does.

// compilerOf makes a compiler for a state.
func compilerOf(st *State) *compiler {
	c := &compiler{regs: st.Regs, program: &program{}}
	if st.Target != nil {
		c.target = shapeOf(st.Target)
	}
	return c
}

// valuesOf binds the values of a state for what c has compiled.
func (c *compiler) valuesOf(st *State) *values {
	if st.Tables == nil {
		st.Tables = new(Tables)
	}
	v := new(values)
	v.bind(NewEngine(1), &c.program.wants, st)
	return v
}

// lightOps compiles lighting and binds its values.
func lightOps(s *lightingState, t *Tables, want lightOutputs) ([]op, *values) {
	ops, tables := compileLighting(s, want)
	v := new(values)
	v.light.bind(s, t, new(tableCache), tables, new(drawSerials))
	return ops, v
}

// procTexOps compiles the procedural texture and binds its values.
func procTexOps(s *procTexState, t *Tables, rgb, a bool) ([]op, *values) {
	v := new(values)
	v.proc.state = *s
	v.proc.bind(t, new(tableCache), new(drawSerials))
	return compileProcTex(s, rgb, a), v
}

// run runs ops with the given values.
func (m *machine) run(ops []op, v *values) {
	m.v = v
	for _, o := range ops {
		o.run(m)
	}
}

// targetValues are values of only the registers and a target.
func targetValues(r *pica.Regs, t *raster.Target) *values {
	st := &State{Regs: r, Target: t}
	return compilerOf(st).valuesOf(st)
}
