package record

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// numbers runs floats through a conversion function of the header.
func numbers(t *testing.T, kind byte, values []float32) []uint32 {
	t.Helper()
	in := binary.LittleEndian.AppendUint32(nil, uint32(kind))
	in = binary.LittleEndian.AppendUint32(in, uint32(len(values)))
	for _, v := range values {
		in = binary.LittleEndian.AppendUint32(in, math.Float32bits(v))
	}
	cmd := exec.Command(compileFile(t, "testdata/numbers.c", "gcc", "-std=c99", "-O2"))
	cmd.Stdin = bytes.NewReader(in)
	out := testkit.Must(cmd.Output())(t)
	require.Len(t, out, 4*len(values))
	words := make([]uint32, len(values))
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(out[4*i:])
	}
	return words
}

func TestHostFloat24(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 24))
	var values []float32
	for range 100_000 { // values that fit in 24 bits, and arbitrary ones
		values = append(values, pica.Float24.Decode(rng.Uint32()&0xFFFFFF), math.Float32frombits(rng.Uint32()))
	}
	for _, b := range []uint32{0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 1, 0x007FFFFF, 0x80000001} {
		values = append(values, math.Float32frombits(b))
	}
	for exp := range uint32(256) { // the ends of each binade
		values = append(values, math.Float32frombits(exp<<23), math.Float32frombits(exp<<23|0x7FFFFF), math.Float32frombits(1<<31|exp<<23|0x40))
	}
	for i, w := range numbers(t, 'f', values) {
		require.Equal(t, pica.Float24.Encode(values[i]), w, "%g (0x%08X)", values[i], math.Float32bits(values[i]))
	}
}

func TestHostTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 12))
	values := make([]float32, 256)
	for i := range values {
		values[i] = float32(rng.IntN(4096)) / 4095
	}
	values[3], values[4], values[5], values[9] = 1.5, -0.25, float32(math.NaN()), 1
	one, two := numbers(t, 'l', values), numbers(t, 't', values)
	fog := numbers(t, 'g', values[128:])
	sane := func(v float32, one float64) int { // clamps to 0..1 and rounds to nearest
		if v != v {
			return 0
		}
		return int(math.Round(float64(min(max(v, 0), 1)) * one))
	}
	diff := func(d float32) int {
		if d != d {
			return 0
		}
		return int(math.Round(float64(min(max(d, -1), 1)) * 2047))
	}
	signed := func(w uint32) int { // sign and magnitude
		if w&0x800 != 0 {
			return -int(w & 0x7FF)
		}
		return int(w & 0x7FF)
	}
	for i, v := range values {
		d := diff(values[(i+1)%256] - v)
		require.Equal(t, sane(v, 4095), int(one[i]&0xFFF), i)
		require.Equal(t, one[i]&0xFFF, two[i]&0xFFF, i)
		wants := [2]int{d, d} // one-sided, two-sided
		if i == 255 {
			wants[0] = 0
		}
		if i == 127 {
			wants[1] = 0
		}
		require.Equal(t, wants[0], signed(one[i]>>12), i)
		require.Equal(t, wants[1], signed(two[i]>>12), i)
		if i >= 128 {
			if i == 255 {
				d = 0
			}
			require.Equal(t, sane(v, 2047), int(fog[i-128]>>13), i)
			require.Equal(t, d, int(int32(fog[i-128]<<19)>>19), i)
		}
	}
}

// A recording that begins in the middle, of a host with float uniforms and lighting tables without differences, draws the same as a
// whole recording.
func TestRecordingStartsWithFloatState(t *testing.T) {
	tr := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	p := testkit.Must(pipeline.NewPlayer(tr, pipeline.Options{}))(t)
	defer p.GPU.Close()
	testkit.Must(p.NextFrame(t.Context()))(t)
	state := testkit.Must(p.GPU.State(t.Context()))(t)
	testkit.Must(p.NextFrame(t.Context()))(t)
	whole := p.GPU.Screen(pipeline.ScreenTop)

	for _, b := range []picatrace.Block{picatrace.VertexUniforms, picatrace.GeometryUniforms, picatrace.FixedAttributes} {
		floats := make([]float32, len(state[b]))
		for i, w := range state[b] {
			floats[i] = pica.Float24.Decode(w)
		}
		require.Equal(t, state[b], numbers(t, 'f', floats), "%v", b)
	}
	tables := make([]float32, len(state[picatrace.LightingTables]))
	lit := 0
	for i, w := range state[picatrace.LightingTables] {
		tables[i] = float32(w&0xFFF) / 4095
		lit += int(w & 0xFFF)
	}
	require.NotZero(t, lit, "some lighting table is not zero")
	mid := *tr
	mid.Initial = maps.Clone(state)
	mid.Initial[picatrace.LightingTables] = numbers(t, 'l', tables)
	out := filepath.Join(t.TempDir(), "out.picatrace")
	runs(t, compile(t, "gcc", "-std=c99", "-O2"), script(t, &mid, 0), out, "from", "1")
	g := testkit.Must(pipeline.Replay(t.Context(), open(t, out), pipeline.Options{}, nil))(t)
	defer g.Close()
	got, levels := g.Screen(pipeline.ScreenTop), 0
	for i := range whole.Pix {
		levels = max(levels, int(whole.Pix[i])-int(got.Pix[i]), int(got.Pix[i])-int(whole.Pix[i]))
	}
	require.LessOrEqual(t, levels, 2, "pictures differ by at most two steps, from rounding of the tables")
}
