package record

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/assets/texture"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// The header's bits of a texel are those of package texture, 0 for formats that do not exist.
func TestTexelBitsOfTheHeader(t *testing.T) {
	found := regexp.MustCompile(`uint8_t bits\[16\] = \{([\d, ]+)\};`).FindSubmatch(testkit.Read(t, "pica200_record.h"))
	require.NotNil(t, found)
	var want []string
	for f := range pica.TextureFormat(16) {
		want = append(want, strconv.Itoa(texture.Bits(f)))
	}
	require.Equal(t, strings.Join(want, ", "), string(found[1]))
}

// Each case tests one thing that the GPU reads. Main memory is loaded at once with bytes other than 0; the recording must hold all
// bytes of the ranges in has, and none of those in the last column.
func TestRecordedReads(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	const (
		base                   = pica.FCRAMBase
		list, second           = base, base + 0x1000
		arrays, texture, depth = base + 0x2000, base + 0x4000, base + 0x8000
		size                   = 0x10000
	)
	type span struct{ addr, bytes uint32 }
	type writes = [][2]uint32
	// unit enables texture unit 1 with an 8x8 texture of 8 bits.
	unit := writes{{0x080, 0x1002}, {0x092, 8<<16 | 8}, {0x095, texture >> 3}, {0x096, 7}}
	draw := writes{{0x228, 1}, {0x22E, 1}}
	array := writes{{0x200, arrays >> 3}, {0x203, 0x100}, {0x204, 0}, {0x205, 1<<28 | 4<<16}, {0x201, 3 << 2}, {0x2B9, 0}}
	target := writes{{0x11C, depth >> 3}, {0x11E, 7<<12 | 8}, {0x116, 0}}
	whole := span{texture, 64}
	// transfer writes a display transfer of an image of 8 x height pixels, tiled to tiled.
	transfer := func(height uint32) writes {
		return writes{{pica.ExtTransferInput, texture >> 3}, {pica.ExtTransferOutput, depth >> 3}, {pica.ExtTransferInputDim, height<<16 | 8},
			{pica.ExtTransferOutputDim, height<<16 | 8}, {pica.ExtTransferFlags, 1 << 5}, {pica.ExtTransferStart, 1}}
	}
	for name, c := range map[string]struct {
		list    []writes
		indices []byte // at arrays + 0x40
		other   writes // external registers
		has     []span
		lacks   []span
	}{
		"a unit that nothing names":      {[]writes{unit, draw}, nil, nil, nil, []span{whole}},
		"a source":                       {[]writes{unit, {{0x0C0, 4}}, draw}, nil, nil, []span{whole}, []span{{texture + 64, 64}}},
		"a source of alpha":              {[]writes{unit, {{0x0F8, 4 << 16}}, draw}, nil, nil, []span{whole}, nil},
		"a second source that is unused": {[]writes{unit, {{0x0D0, 0x40}}, draw}, nil, nil, nil, []span{whole}},
		"a second source":                {[]writes{unit, {{0x0D0, 0x40}, {0x0D2, 1}}, draw}, nil, nil, []span{whole}, nil},
		"a third source that is unused":  {[]writes{unit, {{0x0D0, 0x400}, {0x0D2, 7}}, draw}, nil, nil, nil, []span{whole}},
		"a third source":                 {[]writes{unit, {{0x0D0, 0x400}, {0x0D2, 4}}, draw}, nil, nil, []span{whole}, nil},
		"a third source of alpha":        {[]writes{unit, {{0x0D0, 0x400 << 16}, {0x0D2, 8 << 16}}, draw}, nil, nil, []span{whole}, nil},
		"a bump map":                     {[]writes{unit, {{0x08F, 1}, {0x1C3, 1<<28 | 1<<22}}, draw}, nil, nil, []span{whole}, nil},
		"a bump map of another unit":     {[]writes{unit, {{0x08F, 1}, {0x1C3, 1<<28 | 2<<22}}, draw}, nil, nil, nil, []span{whole}},
		"a bump map without lighting":    {[]writes{unit, {{0x1C3, 1<<28 | 1<<22}}, draw}, nil, nil, nil, []span{whole}},
		"a shadow map":                   {[]writes{unit, {{0x08F, 1}, {0x1C3, 1 | 1<<24}}, draw}, nil, nil, []span{whole}, nil},
		"no shadows":                     {[]writes{unit, {{0x08F, 1}, {0x1C3, 1 << 24}}, draw}, nil, nil, nil, []span{whole}},
		"levels": {[]writes{unit, {{0x094, 3 << 16}, {0x0C0, 4}}, draw}, nil, nil,
			[]span{{texture, 4 * 64}}, []span{{texture + 4*64, 64}}}, // 8, 4, 2 and 1 texels, one tile each
		"levels beyond the last": {[]writes{unit, {{0x094, 9 << 16}, {0x0C0, 4}}, draw}, nil, nil, []span{{texture, 4 * 64}}, []span{{texture + 4*64, 64}}},
		"sides of a cube": {[]writes{{{0x080, 0x1001}, {0x082, 8<<16 | 8}, {0x085, texture >> 3}, {0x08E, 7}, {0x083, 1 << 28}, {0x0C0, 3},
			{0x086, (texture + 0x200) >> 3}, {0x08A, (texture + 0x400) >> 3}}, draw}, nil, nil,
			[]span{whole, {texture + 0x200, 64}, {texture + 0x400, 64}}, []span{{texture + 0x40, 64}, {texture + 0x440, 64}}},
		"a unit that is disabled by its type": {[]writes{{{0x080, 0x1001}, {0x082, 8<<16 | 8}, {0x085, texture >> 3}, {0x08E, 7}, {0x083, 5 << 28}, {0x0C0, 3}}, draw},
			nil, nil, nil, []span{whole}},
		"vertices in the list":                {[]writes{unit, {{0x0C0, 4}, {0x232, 15}, {0x233, 1}}}, nil, nil, []span{whole}, nil},
		"a fixed attribute":                   {[]writes{unit, {{0x0C0, 4}, {0x232, 13}, {0x233, 1}, {0x234, 1}, {0x235, 1}, {0x233, 1}}}, nil, nil, nil, []span{whole}},
		"fixed attributes up to the vertices": {[]writes{unit, {{0x0C0, 4}, {0x232, 14}, {0x233, 1}, {0x234, 1}, {0x235, 1}, {0x233, 1}}}, nil, nil, []span{whole}, nil},
		"vertices from the first on":          {[]writes{array, {{0x22A, 3}, {0x228, 2}, {0x22E, 1}}}, nil, nil, []span{{arrays + 0x10C, 8}}, []span{{arrays + 0x100, 12}, {arrays + 0x114, 64}}},
		"an array that no attribute takes":    {[]writes{array, {{0x204, 5}, {0x22A, 3}, {0x228, 2}, {0x22E, 1}}}, nil, nil, nil, []span{{arrays, 0x1000}}},
		"bytes as indices":                    {[]writes{array, {{0x227, 0x40}, {0x228, 3}, {0x22F, 1}}}, []byte{6, 4, 5, 1}, nil, []span{{arrays + 0x40, 3}, {arrays + 0x110, 12}}, []span{{arrays + 0x43, 0xBD}, {arrays + 0x11C, 64}}},
		"words as indices":                    {[]writes{array, {{0x227, 1<<31 | 0x40}, {0x228, 2}, {0x22F, 1}}}, []byte{2, 1, 3, 1}, nil, []span{{arrays + 0x40, 4}, {arrays + 0x100 + 4*258, 8}}, []span{{arrays + 0x100, 4 * 258}}},
		"primitives that say their number": {[]writes{array, {{0x229, 2}, {0x252, 1}, {0x227, 0x40}, {0x228, 8}, {0x22F, 1}}}, []byte{3, 6, 7, 8, 3, 9, 10, 11}, nil,
			[]span{{arrays + 0x100 + 24, 24}}, []span{{arrays + 0x100, 24}, {arrays + 0x100 + 48, 64}}},
		"a depth test":                    {[]writes{target, {{0x114, 2}, {0x107, 1 | 4<<4}}, draw}, nil, nil, []span{{depth, 128}}, []span{{depth + 128, 64}}},
		"a depth test that always passes": {[]writes{target, {{0x114, 2}, {0x107, 1 | 1<<4}}, draw}, nil, nil, nil, []span{{depth, 128}}},
		"depth that is written":           {[]writes{target, {{0x115, 2}, {0x107, 1 << 12}}, draw}, nil, nil, []span{{depth, 128}}, nil},
		"depth that may not be":           {[]writes{target, {{0x107, 1<<12 | 1 | 4<<4}}, draw}, nil, nil, nil, []span{{depth, 128}}},
		"gas before a depth buffer":       {[]writes{target, {{0x100, 1}, {0x114, 2}, {0x126, 2 << 24}}, draw}, nil, nil, []span{{depth, 128}}, nil},
		"gas before none":                 {[]writes{target, {{0x100, 1}, {0x114, 2}, {0x126, 1 << 24}}, draw}, nil, nil, nil, []span{{depth, 128}}},
		"a list in a list":                {[]writes{{{0x23B, second >> 3}, {0x239, 0x40 >> 3}, {0x23D, 1}}}, nil, nil, []span{{second, 0x40}}, []span{{second + 0x40, 64}}},
		"a copy with gaps": {nil, nil, writes{{pica.ExtTransferInput, texture >> 3}, {pica.ExtTransferOutput, depth >> 3}, {pica.ExtTextureCopySize, 64},
			{pica.ExtTextureCopyInput, 1<<16 | 2}, {pica.ExtTextureCopyOutput, 0}, {pica.ExtTransferFlags, 12}, {pica.ExtTransferStart, 1}}, []span{{texture, 32}, {texture + 48, 32}}, []span{{texture + 32, 16}, {texture + 80, 64}, {depth, 128}}},
		"a transfer to part of a tile": {nil, nil, transfer(12), []span{{texture, 8 * 12 * 4}, {depth, 8 * 16 * 4}}, nil},
		"a transfer to whole tiles":    {nil, nil, transfer(16), []span{{texture, 8 * 16 * 4}}, []span{{depth, 8 * 16 * 4}}},
		"both eyes":                    {nil, nil, writes{{pica.ExtPdcFormat, 2 | 2<<4}, {pica.ExtPdcStride, 0}, {pica.ExtPdcAddrA0, texture}, {pica.ExtPdcAddrB0, depth}}, []span{{texture, 480}, {depth, 480}}, []span{{texture + 480, 64}, {depth + 480, 64}}},
		"one eye":                      {nil, nil, writes{{pica.ExtPdcFormat, 2 | 1<<6}, {pica.ExtPdcStride, 0}, {pica.ExtPdcAddrA0, texture}, {pica.ExtPdcAddrB0, depth}}, []span{{texture, 480}}, []span{{texture + 480, 64}, {depth, 480}}},
	} {
		t.Run(name, func(t *testing.T) {
			var b citrace.Builder
			b.Layout = citrace.Tagged
			memory := bytes.Repeat([]byte{0xA5}, size)
			copy(memory[arrays-base+0x40:], c.indices)
			at := 0
			for _, w := range slices.Concat(append(c.list, writes{{0x010, 1}})...) {
				binary.LittleEndian.PutUint32(memory[at:], w[1])
				binary.LittleEndian.PutUint32(memory[at+4:], w[0]|0xF0000)
				at += 8
			}
			b.Load(base, memory)
			if c.list != nil {
				b.Write(pica.ExtCommandListSize, uint32(at)>>3)
				b.Write(pica.ExtCommandListAddr, list>>3)
				b.Write(pica.ExtCommandListStart, 1)
			}
			for _, w := range c.other {
				b.Write(w[0], w[1])
			}
			b.EndFrame()
			tr := states.Built(t, &b)
			out := filepath.Join(t.TempDir(), "out.picatrace")
			runs(t, host, script(t, tr, 0), out)
			held := make([]byte, size)
			frame := testkit.Must(open(t, out).Frame(0))(t)
			for _, e := range frame.Events {
				if e.Kind == picatrace.Load {
					copy(held[e.Words[0]-base:], e.Data)
				}
			}
			for _, s := range c.has {
				require.Equal(t, memory[s.addr-base:][:s.bytes], held[s.addr-base:][:s.bytes], "the %d bytes at 0x%08X", s.bytes, s.addr)
			}
			for _, s := range c.lacks {
				require.Equal(t, make([]byte, s.bytes), held[s.addr-base:][:s.bytes], "the %d bytes at 0x%08X", s.bytes, s.addr)
			}
		})
	}
}

// A recording holds only bytes that the GPU reads, that lie in a draw's target, or that a screen displays.
func TestRecordsOnlyReadMemory(t *testing.T) {
	host := compile(t, "gcc", "-std=c99", "-O2")
	loaded := 0
	for seed := range seeds(40) {
		data := testkit.Must(citrace.Parse(states.Make(seed)))(t)
		tr := picatrace.FromCiTrace(data)
		p := testkit.Must(pipeline.NewPlayer(tr, pipeline.Options{FCRAM: states.FCRAM}))(t)
		may := &reads{make([]bool, states.FCRAM), make([]bool, pica.VRAMSize)}
		p.GPU.MemoryUse = may
		p.GPU.BeforeDraw = func(d *pipeline.DrawInfo) error {
			may.textures(d.Regs)
			return nil
		}
		for range tr.Frames() {
			testkit.Must(p.NextFrame(t.Context()))(t)
			for _, s := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
				p.GPU.Screen(s)
			}
		}
		out := filepath.Join(t.TempDir(), "out.picatrace")
		runs(t, host, script(t, tr, states.FCRAM), out)
		rec := open(t, out)
		for i := range rec.Frames() {
			f := testkit.Must(rec.Frame(i))(t)
			for _, e := range f.Events {
				if k := slices.Index(may.of(e.Words[0], uint32(len(e.Data))), false); k >= 0 {
					t.Fatalf("seed %d, frame %d: the byte at 0x%08X of the %d at 0x%08X", seed, i, e.Words[0]+uint32(k), len(e.Data), e.Words[0])
				}
				loaded += len(e.Data)
			}
		}
		p.GPU.Close()
	}
	require.NotZero(t, loaded)
}

// reads marks the bytes of main and video memory that the GPU may read.
type reads [2][]bool

// of returns the marks of up to n bytes at addr, clipped to the memory.
func (m *reads) of(addr, n uint32) []bool {
	for i, base := range bases {
		if at := uint64(addr) - uint64(base); addr >= base && at < uint64(len(m[i])) {
			return m[i][at:min(at+uint64(n), uint64(len(m[i])))]
		}
	}
	return nil
}

func (m *reads) Reads(_ pipeline.Use, addr, n uint32) {
	read := m.of(addr, n)
	for i := range read {
		read[i] = true
	}
}

// Writes marks partially written ranges, because their other bytes stay visible.
func (m *reads) Writes(u pipeline.Use, addr, n uint32, whole bool) {
	if !whole {
		m.Reads(u, addr, n)
	}
}

// textures marks the textures that combiners or lighting refer to, even if the result is unused.
func (m *reads) textures(r *pica.Regs) {
	for i := range 3 {
		at := pica.TexunitOffset(i)
		named := pica.LightingEnable.Bool(r) && (int(pica.LightingBumpTexture.Get(r)) == i || int(pica.LightingShadowTexture.Get(r)) == i)
		for _, stage := range []pica.Reg{pica.RegTexenv0Source, pica.RegTexenv1Source, pica.RegTexenv2Source, pica.RegTexenv3Source, pica.RegTexenv4Source, pica.RegTexenv5Source} {
			for shift := 0; shift < 32; shift += 4 {
				named = named || int(r[stage]>>shift&15) == 3+i
			}
		}
		if !named || r[pica.RegTexunitConfig]>>i&1 == 0 {
			continue
		}
		format := pica.TextureFormat(pica.TexunitFormat(i).Get(r))
		if !pica.TextureFormats.Has(uint32(format)) {
			continue
		}
		bytes := 0
		for level := range pica.TexunitLodMax.At(at).Get(r) + 1 {
			side := func(n uint32) int { return int(max(n>>level, 1)+7) &^ 7 }
			w, h := pica.TexunitWidth.At(at).Get(r), pica.TexunitHeight.At(at).Get(r)
			bytes += texture.Size(format, side(w), side(h))
			if w>>level <= 1 && h>>level <= 1 {
				break
			}
		}
		m.Reads(pipeline.UseTexture, pica.TexunitAddr.At(at).Addr(r), uint32(bytes))
		for side := range pica.Reg(5) {
			if i == 0 {
				m.Reads(pipeline.UseTexture, (r[pica.RegTexunit0Addr1]&0xFC00000|r[pica.RegTexunit0Addr2+side]&0x3FFFFF)<<3, uint32(bytes))
			}
		}
	}
}

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
