// Command light generates the kernels of lighting, fog, the procedural texture
// and shadow textures. Run it through go generate in the folder fragment.
//
// Most kernels are written once and made twice: with AVX2 for 8 lanes at a time,
// and with AVX-512 for 16.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	vectorKernels()
	lookupKernels()
	factorKernels()
	sumKernels()
	procTexKernels()
	noise()
	gasKernels()
	cubeKernels()
	shadowKernels()
	shadowBlock()
	kit.GenerateForAll()
}

// planeBytes is the size of a raster.Plane: the distance of the components of
// a vector.
const planeBytes = 256 * 4

// Bits of float constants.
const (
	floatOne      = 0x3F800000
	float128      = 0x43000000
	floatMinus128 = 0xC3000000
	float255      = 0x437F0000
	float256      = 0x43800000
	float2by255   = 0x3C008081 // float32(1/127.5)
)

// lanes are how many lanes a register has.
func lanes() uint64 {
	if kit.Wide {
		return 16
	}
	return 8
}

// fill fills a register with a constant of 32 bits.
func fill(bits uint32) VecVirtual {
	y := kit.NewVector()
	if kit.Wide {
		VBROADCASTSS(memory(bits), y)
	} else {
		VMOVUPS(memory(bits), y)
	}
	return y
}

// memory is a 32-bit constant, repeated eight times, as a memory operand.
func memory(bits uint32) Mem { return kit.Repeat("light", 4, bits) }

// constant is a constant of 32 bits as an operand.
func constant(bits uint32) Op {
	if kit.Wide {
		return fill(bits)
	}
	return memory(bits)
}

func zero() VecVirtual {
	y := kit.NewVector()
	VXORPS(y, y, y)
	return y
}

// scalar fills a register with a float32 parameter.
func scalar(param string) VecVirtual {
	p, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	return kit.In(kit.NewVector(), VBROADCASTSS, p.Addr)
}

// broadcast fills a register with a uint32 parameter.
func broadcast(param string) VecVirtual {
	g, y := Load(Param(param), GP32()), kit.NewVector()
	if kit.Wide {
		VPBROADCASTD(g, y)
	} else {
		VMOVD(g, y.AsX())
		VPBROADCASTD(y.AsX(), y)
	}
	return y
}

func pointer(param string) Register { return Load(Param(param), GP64()) }

// at is lane i of component c of the vector or plane at p.
func at(p, i Register, c int) Mem { return Mem{Base: p, Index: i, Scale: 4, Disp: c * planeBytes} }

// half is lane i of the plane at p, or the lane h registers after it.
func half(p, i Register, h int) Mem { return Mem{Base: p, Index: i, Scale: 4, Disp: h * 32} }

func load(p, i Register, c int) VecVirtual { return loadFrom(at(p, i, c)) }

func loadFrom(m Mem) VecVirtual {
	return kit.In(kit.NewVector(), VMOVUPS, m)
}

func load3(p, i Register) [3]VecVirtual {
	return [3]VecVirtual{load(p, i, 0), load(p, i, 1), load(p, i, 2)}
}

func store(y VecVirtual, p, i Register, c int) { VMOVUPS(y, at(p, i, c)) }

func mul(a, b Op) VecVirtual { y := kit.NewVector(); VMULPS(a, b, y); return y }
func add(a, b Op) VecVirtual { y := kit.NewVector(); VADDPS(a, b, y); return y }
func sub(a, b Op) VecVirtual { y := kit.NewVector(); VSUBPS(b, a, y); return y } // a - b
func div(a, b Op) VecVirtual { y := kit.NewVector(); VDIVPS(b, a, y); return y } // a / b
func and(a, b Op) VecVirtual { y := kit.NewVector(); VANDPS(a, b, y); return y }
func xor(a, b Op) VecVirtual { y := kit.NewVector(); VXORPS(a, b, y); return y }
func twice(a Op) VecVirtual  { return add(a, a) }
func sqrt(a Op) VecVirtual   { y := kit.NewVector(); VSQRTPS(a, y); return y }
func above(x, lo Op) VecVirtual { // x > lo ? x : lo; lo for NaN
	return kit.In(kit.NewVector(), VMAXPS, lo, x)
}
func below(x, hi Op) VecVirtual { // x < hi ? x : hi; hi for NaN
	return kit.In(kit.NewVector(), VMINPS, hi, x)
}

// truncate converts to integers, rounding towards 0.
func truncate(x VecVirtual) VecVirtual {
	return kit.In(kit.NewVector(), VCVTTPS2DQ, x)
}

func toFloat(x Op) VecVirtual {
	return kit.In(kit.NewVector(), VCVTDQ2PS, x)
}

// Predicates of VCMPPS.
const (
	notEqual   = 0x04 // or unordered
	notGreater = 0x1A // or unordered
	greater    = 0x1E
)

// compare returns all ones where the predicate holds for a and b, with AVX2.
func compare(a, b Op, predicate uint8) VecVirtual {
	return kit.In(YMM(), VCMPPS, Imm(uint64(predicate)), b, a)
}

// keep is x where the predicate holds for a and b, and 0 elsewhere.
func keep(x, a, b VecVirtual, predicate uint8) VecVirtual {
	if !kit.Wide {
		return and(x, compare(a, b, predicate))
	}
	k := kit.In(K(), VCMPPS, Imm(uint64(predicate)), b, a)
	y := kit.In(ZMM(), VMOVAPS_Z, x, k)
	return y
}

// sum3 is a0*b0 + a1*b1 + a2*b2 in that order.
func sum3(a, b [3]VecVirtual) VecVirtual {
	s := add(mul(a[0], b[0]), mul(a[1], b[1]))
	return add(s, mul(a[2], b[2]))
}

// inverseLength is 1/sqrt(x), or 0 where x is not above 0.
func inverseLength(x, one, null VecVirtual) VecVirtual {
	return keep(div(one, sqrt(x)), x, null, greater)
}

// loop runs body for the lanes of a register at a time; i is the first lane.
// n is a multiple of 16 and at least 16.
func loop(body func(i Register)) { loopBy(lanes(), body) }

func loopBy(step uint64, body func(i Register)) {
	loopAt(kit.Name("loop"), step, body)
}

// byteLoop is loop for kernels that write a byte per lane to d. body returns the bytes as integers, not negative. Their lanes
// are at half(p, i, h).
func byteLoop(d Register, body func(i Register, h int) VecVirtual) {
	loopBy(16, func(i Register) {
		storeLanes(func(h int) VecVirtual { return body(i, h) }, Mem{Base: d, Index: i, Scale: 1})
	})
}

// storeLanes writes 16 bytes: those that body returns for one register, or for both halves.
func storeLanes(body func(h int) VecVirtual, m Mem) {
	if kit.Wide {
		VPMOVUSDB(body(0), m)
		return
	}
	low := body(0)
	storeBytes(low, body(1), m)
}

// tableLoop is loopBy for kernels that read tables.
func tableLoop(step uint64, body func(i Register, with kit.Tables)) {
	if kit.Wide {
		with := kit.WideTables()
		loopBy(step, func(i Register) { body(i, with) })
		return
	}
	kit.EitherWay(func(with kit.Tables) {
		loopAt(with.Label("loop"), step, func(i Register) { body(i, with) })
	})
}

func loopAt(label string, step uint64, body func(i Register)) {
	n := Load(Param("n"), GP64())
	i := GP64()
	XORQ(i, i)
	Label(label)
	body(i)
	ADDQ(Imm(step), i)
	CMPQ(i, n)
	JLT(LabelRef(label))
	kit.Leave()
}

// kernel makes a function with AVX2 and with AVX-512.
func kernel(name, params string, body func()) {
	begin(name, params)
	kit.BothWays(body)
}

// begin begins a function whose pointers do not outlive the call.
func begin(name, params string) {
	kit.Text(name+"Vector", "func("+params+", n int)", "is the vector twin of "+name+".")
}

// storeBytes narrows two registers of 8 integers to 16 bytes, saturating.
func storeBytes(a, b VecVirtual, m Mem) {
	VPACKUSDW(b, a, a) // lanes 0-3, 8-11 | 4-7, 12-15
	VPERMQ(Imm(0xD8), a, a)
	hi := kit.In(XMM(), VEXTRACTI128, Imm(1), a)
	VPACKUSWB(hi, a.AsX(), hi)
	VMOVDQU(hi, m)
}

// bytesToFloats converts the bytes of a register's lanes.
func bytesToFloats(m Mem) VecVirtual { return toFloat(bytesToWords(m)) }

// bytesToWords widens them.
func bytesToWords(m Mem) VecVirtual {
	return kit.In(kit.NewVector(), VPMOVZXBD, m)
}
