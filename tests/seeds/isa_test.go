package seeds

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/shaderunit"
)

// formatField is a field of an instruction format of document 004.
type formatField struct {
	format   string
	lo, bits uint
	name     string
}

var formats = []formatField{
	{"1", 0, 7, "DESC"}, {"1", 7, 5, "SRC2"}, {"1", 12, 7, "SRC1"}, {"1", 19, 2, "IDX"}, {"1", 21, 5, "DST"}, {"1", 26, 6, "opcode"},
	{"1i", 0, 7, "DESC"}, {"1i", 7, 7, "SRC2"}, {"1i", 14, 5, "SRC1"}, {"1i", 19, 2, "IDX"}, {"1i", 21, 5, "DST"}, {"1i", 26, 6, "opcode"},
	{"1u", 0, 7, "DESC"}, {"1u", 7, 5, "?"}, {"1u", 12, 7, "SRC1"}, {"1u", 19, 2, "IDX"}, {"1u", 21, 5, "DST"}, {"1u", 26, 6, "opcode"},
	{"1c", 0, 7, "DESC"}, {"1c", 7, 5, "SRC2"}, {"1c", 12, 7, "SRC1"}, {"1c", 19, 2, "IDX"}, {"1c", 21, 3, "CMPY"}, {"1c", 24, 3, "CMPX"}, {"1c", 27, 5, "opcode"},
	{"2", 0, 8, "NUM"}, {"2", 8, 2, "?"}, {"2", 10, 12, "DST"}, {"2", 22, 2, "CONDOP"}, {"2", 24, 1, "REFY"}, {"2", 25, 1, "REFX"}, {"2", 26, 6, "opcode"},
	{"3", 0, 8, "NUM"}, {"3", 8, 2, "?"}, {"3", 10, 12, "DST"}, {"3", 22, 4, "uniform"}, {"3", 26, 6, "opcode"},
	{"4", 0, 22, "?"}, {"4", 22, 1, "FLAG_WINDING"}, {"4", 23, 1, "FLAG_PRIMEMIT"}, {"4", 24, 2, "VTXID"}, {"4", 26, 6, "opcode"},
	{"5", 0, 5, "DESC"}, {"5", 5, 5, "SRC3"}, {"5", 10, 7, "SRC2"}, {"5", 17, 5, "SRC1"}, {"5", 22, 2, "IDX"}, {"5", 24, 5, "DST"}, {"5", 29, 3, "opcode"},
	{"5i", 0, 5, "DESC"}, {"5i", 5, 7, "SRC3"}, {"5i", 12, 5, "SRC2"}, {"5i", 17, 5, "SRC1"}, {"5i", 22, 2, "IDX"}, {"5i", 24, 5, "DST"}, {"5i", 29, 3, "opcode"},
	{"0", 26, 6, "opcode"},
}

type fields map[string]uint32

// word encodes an instruction from fields of the format table.
func word(t testing.TB, format string, values fields) (w uint32) {
	found := 0
	for _, f := range formats {
		if v, ok := values[f.name]; ok && f.format == format {
			if f.name == "opcode" {
				v >>= 6 - f.bits // short opcodes are the upper bits
			}
			if v>>f.bits != 0 {
				t.Fatalf("format %s, %s = %d", format, f.name, v)
			}
			w |= v << f.lo
			found++
		}
	}
	return w
}

// vec is a register, or a source after swizzle and negation.
type vec [4]float64

// operation is a row of the instruction table, with a model of the operation.
type operation struct {
	first, last uint32 // opcodes
	format      string
	name        string
	says        string
	compute     func(a, b, c vec) vec // result from the sources; exact, or truncated to float24
	near        bool                  // the last bits are not specified
	flags       func(a, b vec, x, y uint32) (cx, cy bool)
	address     bool
}

// f24 rounds a result to float24: the nearest float32, truncated to 17 significant bits.
func f24(x float64) float64 {
	x = float64(float32(x))
	if math.IsInf(x, 0) || x != x {
		return x
	}
	m, e := math.Frexp(x)
	return math.Ldexp(math.Trunc(m*(1<<17)), e-17)
}

// each applies f to each component.
func each(f func(a, b, c float64) float64) func(a, b, c vec) vec {
	return func(a, b, c vec) (d vec) {
		for i := range d {
			d[i] = f(a[i], b[i], c[i])
		}
		return d
	}
}

// all writes one number to all components.
func all(f func(a, b vec) float64) func(a, b, c vec) vec {
	return func(a, b, _ vec) vec { x := f(a, b); return vec{x, x, x, x} }
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func sge(a, b, _ float64) float64 { return truth(a >= b) }
func slt(a, b, _ float64) float64 { return truth(a < b) }
func mad(a, b, c float64) float64 { return f24(f24(a*b) + c) }
func dst(a, b, _ vec) vec         { return vec{1, f24(a[1] * b[1]), a[2], b[3]} }
func dph(a, b vec) float64        { return f24(a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + b[3]) }

// litTop is 0x7FFF / 0x100.
const litTop = 127.99609375

// compared is the table of comparisons of CMP.
func compared(op uint32, a, b float64) bool {
	return []bool{a == b, a != b, a < b, a <= b, a > b, a >= b, true, true}[op]
}

var operations = []operation{
	{0x00, 0x00, "1", "ADD", "adds", each(func(a, b, _ float64) float64 { return f24(a + b) }), false, nil, false},
	{0x01, 0x01, "1", "DP3", "dot product of x, y and z", all(func(a, b vec) float64 { return f24(a[0]*b[0] + a[1]*b[1] + a[2]*b[2]) }), false, nil, false},
	{0x02, 0x02, "1", "DP4", "dot product of all components", all(func(a, b vec) float64 { return f24(a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]) }), false, nil, false},
	{0x03, 0x03, "1", "DPH", "dot product with 1 for w of source 1", all(dph), false, nil, false},
	{0x04, 0x04, "1", "DST", "1, y*y, z of source 1, w of source 2", dst, false, nil, false},
	{0x05, 0x05, "1u", "EX2", "2 to the power of x, to all components", all(func(a, _ vec) float64 { return math.Exp2(a[0]) }), true, nil, false},
	{0x06, 0x06, "1u", "LG2", "logarithm of x to the base 2, to all components", all(func(a, _ vec) float64 { return math.Log2(a[0]) }), true, nil, false},
	{0x07, 0x07, "1u", "LITP", "clamps x and w to 0 and up, y to ±127.9961, z to 0", func(a, _, _ vec) vec {
		return vec{max(a[0], 0), min(max(a[1], -litTop), litTop), 0, max(a[3], 0)}
	}, false, nil, false},
	{0x08, 0x08, "1", "MUL", "multiplies", each(func(a, b, _ float64) float64 { return f24(a * b) }), false, nil, false},
	{0x09, 0x09, "1", "SGE", "1 where source 1 >= source 2, else 0", each(sge), false, nil, false},
	{0x0A, 0x0A, "1", "SLT", "1 where source 1 < source 2, else 0", each(slt), false, nil, false},
	{0x0B, 0x0B, "1u", "FLR", "floor", each(func(a, _, _ float64) float64 { return math.Floor(a) }), false, nil, false},
	{0x0C, 0x0C, "1", "MAX", "the greater", each(func(a, b, _ float64) float64 { return max(a, b) }), false, nil, false},
	{0x0D, 0x0D, "1", "MIN", "the lesser", each(func(a, b, _ float64) float64 { return min(a, b) }), false, nil, false},
	{0x0E, 0x0E, "1u", "RCP", "1/x, to all components", all(func(a, _ vec) float64 { return 1 / math.Abs(a[0]) * math.Copysign(1, a[0]+0) }), true, nil, false},
	{0x0F, 0x0F, "1u", "RSQ", "1/sqrt(x), to all components", all(func(a, _ vec) float64 { return 1 / math.Sqrt(math.Abs(a[0])) * sqrtSign(a[0]) }), true, nil, false},
	{0x12, 0x12, "1u", "MOVA", "x and y to a0.x and a0.y under the mask, without the fraction", nil, false, nil, true},
	{0x13, 0x13, "1u", "MOV", "moves", each(func(a, _, _ float64) float64 { return a }), false, nil, false},
	{0x18, 0x18, "1i", "DPHI", "DPH with the wide source second", all(dph), false, nil, false},
	{0x19, 0x19, "1i", "DSTI", "DST with the wide source second", dst, false, nil, false},
	{0x1A, 0x1A, "1i", "SGEI", "SGE with the wide source second", each(sge), false, nil, false},
	{0x1B, 0x1B, "1i", "SLTI", "SLT with the wide source second", each(slt), false, nil, false},
	{0x2E, 0x2F, "1c", "CMP", "sets cmp.x and cmp.y by the operators CMPX and CMPY on x and y", nil, false, func(a, b vec, x, y uint32) (bool, bool) {
		return compared(x, a[0], b[0]), compared(y, a[1], b[1])
	}, false},
	{0x30, 0x37, "5i", "MADI", "MAD with the third source wide", each(mad), false, nil, false},
	{0x38, 0x3F, "5", "MAD", "multiplies and adds, the product rounded", each(mad), false, nil, false},
}

// sqrtSign is NaN for negative numbers and 1 otherwise, so that roots of negative numbers are NaN.
func sqrtSign(x float64) float64 {
	if x < 0 {
		return math.NaN()
	}
	return 1
}

// sources returns the number of sources of a format, and which one can read uniforms.
func (op *operation) sources() (n, wide int) {
	switch op.format {
	case "1u":
		return 1, 0
	case "1", "1c":
		return 2, 0
	case "1i":
		return 2, 1
	case "5":
		return 3, 1
	}
	return 3, 2
}

// exact reports whether the model rounds each step, so that operands may use all bits.
func (op *operation) exact() bool {
	return !op.near && !op.address && !strings.HasPrefix(op.name, "DP")
}

// word encodes the operation; fields that its format lacks are ignored.
func (op *operation) word(t testing.TB, f fields) uint32 {
	have := fields{"opcode": op.first}
	for name, v := range f {
		if slices.ContainsFunc(formats, func(x formatField) bool { return x.format == op.format && x.name == name }) {
			have[name] = v
		}
	}
	return word(t, op.format, have)
}

// machines are the interpreter and the batch engine with vector and with plain kernels.
type machines struct {
	it      shaderunit.Interpreter
	engines [2]*shaderunit.Engine
	batch   shaderunit.Batch
}

func newMachines() *machines {
	m := &machines{engines: [2]*shaderunit.Engine{shaderunit.NewEngine(), shaderunit.NewEngine()}}
	m.engines[1].Kernels = simd.Plain
	return m
}

type registers [16][4]float32

// run executes a program for lanes of inputs on all machines, requires equal bits, and returns the outputs.
func (m *machines) run(t testing.TB, s *shaderunit.Setup, in []registers) (out []registers) {
	for _, v := range in {
		m.it.Reset()
		m.it.In = v
		require.NoError(t, m.it.Run(s))
		out = append(out, *m.it.Out())
	}
	for k, e := range m.engines {
		for lane, v := range in {
			for r := range v {
				for c := range v[r] {
					m.batch.In(r, c)[lane] = v[r][c]
				}
			}
		}
		require.NoError(t, e.RunVertices(s, &m.batch, len(in)))
		for lane := range in {
			for r := range 16 {
				for c := range 4 {
					got, want := m.batch.Out(r, c)[lane], out[lane][r][c]
					if math.Float32bits(got) != math.Float32bits(want) {
						require.FailNowf(t, "the batch engine differs", "engine %d, lane %d, o%d, component %d: %v, the interpreter %v\n%s", k, lane, r, c, got, want, listing(s))
					}
				}
			}
		}
	}
	return out
}

func listing(s *shaderunit.Setup) (text string) {
	for i := range 80 {
		in := shaderunit.Decode(s.Code(i))
		text += fmt.Sprintf("%3d %s\n", i, in.Text(s.Desc(int(in.Desc))))
		if in.Op == shaderunit.OpEND {
			break
		}
	}
	return text
}

// setupOf loads code, and descriptors by number.
func setupOf(desc map[uint32]uint32, code ...uint32) *shaderunit.Setup {
	s := &shaderunit.Setup{OutMask: 0xFFFF}
	words := make([]uint32, 128)
	for n, w := range desc {
		words[n] = w
	}
	s.Load(code, words)
	return s
}

// resultOf runs a program on inputs that differ in every component and returns the result as text.
func resultOf(t *testing.T, s *shaderunit.Setup) string {
	for i := range s.Float {
		s.Float[i] = uniformValue(i)
	}
	it := shaderunit.Interpreter{}
	it.Reset()
	for r := range it.In {
		it.In[r] = uniformValue(r + 17)
	}
	require.NoError(t, it.Run(s))
	return fmt.Sprint(it.Out(), it.A0, it.Cmp)
}

// uniformValue is the content of c(i): no two components are equal, and products of two are nearly exact in float24.
func uniformValue(i int) (v [4]float32) {
	for c := range v {
		v[c] = float32(4*i+c+1) / 8
		if (i*7+c*3)%5 < 2 {
			v[c] = -v[c]
		}
	}
	return v
}

// identity is the descriptor that copies all components; bits are numbered as in the document.
const identity = 15 | 0x1B<<5 | 0x1B<<14 | 0x1B<<23

// operand is one case of operation.cases.
type operand struct {
	src     [3]uint32 // register numbers as encoded in SRC
	idx     uint32
	toTemp  int // temporary as destination, -1 for an output
	mask    uint32
	swizzle [3]uint32 // component selectors; 0x1B is xyzw
	negate  uint32    // bit n: source n
	desc    int       // descriptor number, -1 for any
	cmpX    uint32
	cmpY    uint32
}

// descriptor encodes the operand descriptor of a case.
func (o *operand) descriptor() uint32 {
	w := o.mask
	for n, s := range o.swizzle {
		w |= s<<(5+9*n) | o.negate>>n&1<<(4+9*n)
	}
	return w
}

// cases varies, for an operation, each register in each source, the destination, address register, descriptor, mask, swizzle and
// sign one by one, then mixtures of them.
func (op *operation) cases(rng *rand.Rand) (list []operand) {
	n, wide := op.sources()
	limit, descs := func(k int) uint32 {
		if k == wide {
			return 128
		}
		return 32
	}, 128
	if op.format == "5" || op.format == "5i" {
		descs = 32
	}
	draw := func() operand {
		o := operand{toTemp: -1, mask: 15, swizzle: [3]uint32{0x1B, 0x1B, 0x1B}, desc: -1, cmpX: uint32(rng.Intn(8)), cmpY: uint32(rng.Intn(8))}
		for k := range n {
			o.src[k] = uint32(rng.Intn(int(limit(k))))
		}
		return o
	}
	add := func(change func(o *operand)) {
		o := draw()
		change(&o)
		list = append(list, o)
	}
	for k := range n {
		for r := range limit(k) {
			add(func(o *operand) { o.src[k] = r })
		}
		for s := range uint32(256) {
			add(func(o *operand) { o.swizzle[k] = s })
		}
	}
	for r := range 16 {
		add(func(o *operand) { o.toTemp = r })
	}
	for idx := range uint32(4) {
		for r := range uint32(128) {
			if r%8 == 0 || r >= 32 && r < 48 {
				add(func(o *operand) { o.idx, o.src[wide] = idx, r })
			}
		}
	}
	for d := range descs {
		add(func(o *operand) { o.desc = d })
	}
	for m := range uint32(16) {
		add(func(o *operand) { o.mask = m })
	}
	for s := range uint32(8) {
		add(func(o *operand) { o.negate = s })
	}
	for range 8 { // equal operands
		add(func(o *operand) { o.src = [3]uint32{o.src[0] & 31, o.src[0] & 31, o.src[0] & 31} })
	}
	for range 256 {
		add(func(o *operand) {
			o.idx, o.toTemp, o.mask, o.negate = uint32(rng.Intn(4)), rng.Intn(17)-1, uint32(rng.Intn(16)), uint32(rng.Intn(8))
			o.swizzle = [3]uint32{uint32(rng.Intn(256)), uint32(rng.Intn(256)), uint32(rng.Intn(256))}
		})
	}
	return list
}

// Values of the address registers during the cases.
const (
	a0x = 3
	a0y = -5
	aL  = 9
)

// model returns the sources of a case and the previous value of its destination.
func (op *operation) model(o *operand, in *registers, temp *registers, before vec) (a [3]vec, d vec) {
	n, wide := op.sources()
	for k := range n {
		var reg [4]float32
		switch r := o.src[k]; {
		case r < 16:
			reg = in[r]
		case r < 32:
			reg = temp[r-16]
		default:
			at := int(r) - 32
			if k == wide {
				at += [4]int{0, a0x, a0y, aL}[o.idx]
			}
			reg = addressed(at)
		}
		for i := range 4 {
			a[k][i] = float64(reg[o.swizzle[k]>>(6-2*i)&3])
			if o.negate>>k&1 != 0 {
				a[k][i] = 0 - a[k][i]
			}
		}
	}
	d = before
	if op.compute != nil {
		all := op.compute(a[0], a[1], a[2])
		for i := range d {
			if o.mask>>(3-i)&1 != 0 {
				d[i] = all[i]
			}
		}
	}
	return a, d
}

// Opcodes and a uniform of the test programs.
const (
	opLOOP, opEND, opMOV, opMOVA, opJMPC = 0x29, 0x22, 0x13, 0x12, 0x2C
	outside                              = 79 // the uniform with a0.x and a0.y
)

// test runs the cases, sixteen per program: o(k) is the result of case k. The code is inside a loop of one iteration.
func (op *operation) test(t *testing.T) {
	m := newMachines()
	rng := rand.New(rand.NewSource(int64(op.first)))
	list := op.cases(rng)
	seen := map[uint32]bool{}
	for first := 0; first < len(list); first += 16 {
		chunk := list[first:min(first+16, len(list))]
		desc := map[uint32]uint32{}
		number := func(want int, top uint32, w uint32) uint32 {
			if want >= 0 {
				desc[uint32(want)] = w
				return uint32(want)
			}
			for n := top; ; n-- {
				if have, used := desc[n]; !used || have == w {
					desc[n] = w
					return n
				}
			}
		}
		numbers := make([]uint32, len(chunk))
		for k, o := range chunk { // requested descriptor numbers are assigned first
			if o.desc >= 0 {
				numbers[k] = number(o.desc, 0, o.descriptor())
			}
		}
		plain := number(-1, 127, identity)
		for k, o := range chunk {
			if o.desc < 0 {
				top := uint32(126)
				if op.format == "5" || op.format == "5i" {
					top = 31
				}
				numbers[k] = number(-1, top, o.descriptor())
			}
		}
		mov := func(dst, src uint32) uint32 {
			return word(t, "1u", fields{"opcode": opMOV, "DESC": plain, "SRC1": src, "DST": dst})
		}
		var code []uint32
		for r := range uint32(16) {
			code = append(code, mov(16+r, r^5))
		}
		code = append(code, word(t, "1u", fields{"opcode": opMOVA, "DESC": plain, "SRC1": 32 + outside}))
		loop := len(code)
		code = append(code, 0)
		for k, o := range chunk {
			f := fields{"DESC": numbers[k], "SRC1": o.src[0], "SRC2": o.src[1], "SRC3": o.src[2], "IDX": o.idx, "DST": uint32(k), "CMPX": o.cmpX, "CMPY": o.cmpY}
			if o.toTemp >= 0 {
				f["DST"] = 16 + uint32(o.toTemp)
			}
			w := op.word(t, f)
			seen[w>>26] = true
			code = append(code, w)
			switch {
			case op.flags != nil: // flags are shown by two jumps, over x and y and over z and w
				at := uint32(len(code))
				code = append(code, mov(uint32(k), 32+77),
					word(t, "2", fields{"opcode": opJMPC, "CONDOP": 2, "REFX": 1, "DST": at + 3}),
					word(t, "1u", fields{"opcode": opMOV, "DESC": number(-1, 126, 0xC|0x1B<<5), "SRC1": 32 + 78, "DST": uint32(k)}),
					word(t, "2", fields{"opcode": opJMPC, "CONDOP": 3, "REFY": 1, "DST": at + 5}),
					word(t, "1u", fields{"opcode": opMOV, "DESC": number(-1, 126, 0x3|0x1B<<5), "SRC1": 32 + 78, "DST": uint32(k)}))
			case op.address: // the address is shown by the uniform it reads
				code = append(code,
					word(t, "1u", fields{"opcode": opMOV, "DESC": number(-1, 126, 0x8|0x1B<<5), "SRC1": 32 + 40, "IDX": 1, "DST": uint32(k)}),
					word(t, "1u", fields{"opcode": opMOV, "DESC": number(-1, 126, 0x4|0x1B<<5), "SRC1": 32 + 40, "IDX": 2, "DST": uint32(k)}),
					word(t, "1u", fields{"opcode": opMOVA, "DESC": plain, "SRC1": 32 + outside}), mov(16, 5)) // two MOVA in a row hang
			case o.toTemp >= 0:
				code = append(code, mov(uint32(k), 16+uint32(o.toTemp)), mov(16+uint32(o.toTemp), uint32(o.toTemp)^5))
			}
		}
		code = append(code, mov(16, 5))
		code[loop] = word(t, "3", fields{"opcode": opLOOP, "uniform": 2, "DST": uint32(len(code) - 1)})
		code = append(code, word(t, "0", fields{"opcode": opEND}))
		s := setupOf(desc, code...)
		s.Int[2] = [4]uint8{0, aL, 1, 0}
		for i := range s.Float {
			s.Float[i] = uniformValue(i)
		}
		s.Float[outside] = [4]float32{a0x, a0y, 0, 0}
		in := make([]registers, 9)
		for lane := range in {
			for r := range in[lane] {
				for c := range in[lane][r] {
					in[lane][r][c] = float32(rng.Intn(401)-200) / 8
					if op.exact() && lane > 6 { // all bits of the number, so that each step rounds
						in[lane][r][c] = float32(f24((rng.Float64() - 0.5) * 1000))
					}
				}
			}
		}
		op.compare(t, chunk, in, m.run(t, s, in), s)
	}
	for code := op.first; code <= op.last; code++ {
		require.True(t, seen[code], "opcode %02X was run", code)
	}
}

// compare compares the outputs of a program with the model.
func (op *operation) compare(t *testing.T, chunk []operand, in, out []registers, s *shaderunit.Setup) {
	for lane := range in {
		var temp registers
		for r := range temp {
			temp[r] = in[lane][r^5]
		}
		for k := range chunk {
			o := &chunk[k]
			before := vec{0, 0, 0, 1}
			if o.toTemp >= 0 && op.compute != nil {
				for i, x := range temp[o.toTemp] {
					before[i] = float64(x)
				}
			}
			a, want := op.model(o, &in[lane], &temp, before)
			got := out[lane][k]
			switch {
			case op.flags != nil:
				var flags [2]bool
				flags[0], flags[1] = op.flags(a[0], a[1], o.cmpX, o.cmpY)
				for i := range want {
					want[i] = float64(uniformValue(78)[i])
					if flags[i/2] {
						want[i] = float64(uniformValue(77)[i])
					}
				}
			case op.address:
				at := [2]int{a0x, a0y}
				for i := range at {
					if o.mask>>(3-i)&1 != 0 {
						at[i] = int(a[0][i])
					}
				}
				for i := range at {
					want[i] = float64(addressed(40 + at[i])[i])
				}
			}
			for i := range want {
				if !agree(float64(got[i]), want[i], op.near) {
					require.FailNowf(t, op.name, "%+v, lane %d, component %d: %v, the model says %v\n%s", *o, lane, i, got[i], want[i], listing(s))
				}
			}
		}
	}
}

// addressed is the uniform read at an address; it wraps at 128, and addresses without a uniform read 1.
func addressed(at int) [4]float32 {
	if at &= 127; at < 96 {
		if at == outside {
			return [4]float32{a0x, a0y, 0, 0}
		}
		return uniformValue(at)
	}
	return [4]float32{1, 1, 1, 1}
}

func agree(got, want float64, near bool) bool {
	if got == want || got != got && want != want {
		return true
	}
	return near && math.Abs(got-want) <= math.Abs(want)/(1<<15)+1e-9
}
