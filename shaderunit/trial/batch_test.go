package trial

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// Run and RunBatch give the same bits for vertex and geometry shaders, more vertices than lanes, and NaN and infinity.
func TestEnginesAgree(t *testing.T) {
	numbers := []float64{0, 1, -2.5, 1e15, -1e-15, 0.1, math.Inf(1), math.NaN(), math.Inf(-1)}
	names := testkit.Must(filepath.Glob("../../shaderunit/shaders/pica/*.pica"))(t)
	require.NotEmpty(t, names)
	batched := 0
	for _, name := range names {
		text := testkit.Read(t, name)
		s := load(t, string(text))
		for reg := range 96 {
			for c := range 4 {
				if s.Setup.Float[reg][c] == 0 {
					s.Setup.Float[reg][c] = float32((reg*7+c*3)%11) - 4
				}
			}
		}
		vertices := make([]Vertex, 2*shaderunit.Lanes+1)
		for i := range vertices {
			for reg := range vertices[i] {
				var v [4]float64
				for c := range v {
					v[c] = numbers[(i*5+reg*3+c)%len(numbers)]
				}
				vertices[i][reg] = Vector(v[:])
			}
		}
		got, err := s.RunBatch(vertices)
		if err != nil {
			require.ErrorIs(t, err, ErrNotBatched, name)
			continue
		}
		batched++
		require.Len(t, got, len(vertices))
		for i := range vertices {
			want := testkit.Must(s.Run(&vertices[i], nil, nil))(t, name)
			want.Steps = 0
			require.Equal(t, bitsOf(want), bitsOf(got[i]), "%s, vertex %d", name, i)
		}
	}
	require.Greater(t, batched, 15)
}

// bitsOf returns the bits of a result, so that NaN can be compared.
func bitsOf(r Result) (bits []uint32) {
	add := func(list []Output) {
		for _, o := range list {
			bits = append(bits, uint32(o.Reg))
			for _, v := range o.Value {
				bits = append(bits, math.Float32bits(v))
			}
		}
	}
	add(r.Outputs)
	for _, e := range r.Emitted {
		bits = append(bits, uint32(e.Slot))
		add(e.Outputs)
	}
	return bits
}

func TestBatchRefusesUnsupportedRuns(t *testing.T) {
	s := load(t, ".gsh point c0\n.out pos position\n.proc main\n\tmov pos, r3\n\tsetemit 0\n\temit\n\tend\n.end")
	_, err := s.RunBatch(make([]Vertex, 2))
	require.ErrorIs(t, err, ErrNotBatched)
	s = load(t, ".proc main\na:\n\tjmpu !b0, a\n\tend\n.end")
	s.MaxSteps = 100
	_, err = s.RunBatch(make([]Vertex, 2))
	require.ErrorContains(t, err, "END")
}

func TestOutputNames(t *testing.T) {
	s := load(t, ".out a texcoord0 o1.xy\n.out - texcoord0w o1.z\n.out p position o0\n.proc main\n\tmov a.x, v0\n\tmov p, v0\n\tmov r3, v0\n\tend\n.end")
	require.Equal(t, "texcoord0/texcoord0w", s.outputName(1))
	require.Equal(t, "", s.outputName(2))
	var lines []string
	_, err := s.Run(&Vertex{}, func(r Record) { lines = append(lines, s.TraceLine(r)) }, nil)
	require.NoError(t, err)
	require.Contains(t, lines[0], "mov texcoord0/texcoord0w.x, v0")
	require.Contains(t, lines[0], "-> o1=(0, 0, 0, 1)")
	require.Contains(t, lines[1], "mov position, v0")
	require.Contains(t, lines[2], "mov r3, v0")
}

// Of a geometry shader's outputs, RunBatch requires the declared components, rewritten before each EMIT; without declarations, all
// registers of the output mask.
func TestBatchRequiresDeclaredOutputs(t *testing.T) {
	s := load(t, ".gsh point c0\n.out pos position o0\n.out t texcoord0 o2.xy\n.proc main\n\tmov pos, v0\n\tmov t, v0.wzyx\n\tsetemit 1, prim\n\temit\n\tmov pos, -v0\n\tmov t, v0.zwxy\n\tsetemit 2, inv\n\temit\n\tend\n.end")
	vertices := []Vertex{{{1, 2, 3, 4}}, {{5, 6, 7, 8}}}
	same := func() []Result {
		got := testkit.Must(s.RunBatch(vertices))(t)
		for i := range vertices {
			want := testkit.Must(s.Run(&vertices[i], nil, nil))(t)
			want.Steps = 0
			require.Equal(t, want, got[i])
		}
		return got
	}
	got := same()
	require.Equal(t, [][]float32{{-5, -6, -7, -8}, {7, 8}}, [][]float32{got[1].Emitted[1].Outputs[0].Value, got[1].Emitted[1].Outputs[1].Value})
	s.Executable.Outputs, s.Executable.OutputMask = nil, 1<<0
	got = same()
	require.Equal(t, []float32{-5, -6, -7, -8}, got[1].Emitted[1].Outputs[0].Value)

	// Components that are not rewritten are refused only if they are declared.
	s = load(t, ".gsh point c0\n.out pos position o0\n.out t texcoord0 o2.xy\n.proc main\n\tmov pos, v0\n\tmov t, v0.wzyx\n\tsetemit 1, prim\n\temit\n\tmov pos, -v0\n\tsetemit 2, inv\n\temit\n\tend\n.end")
	_, err := s.RunBatch(vertices)
	require.ErrorIs(t, err, ErrNotBatched)
	s.Executable.Outputs = s.Executable.Outputs[:1]
	same()
	s.Executable.Outputs = nil
	_, err = s.RunBatch(vertices)
	require.ErrorIs(t, err, ErrNotBatched)
}
