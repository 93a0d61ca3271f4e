// Command light generates the AVX2 kernels of lighting, fog, the procedural
// texture and shadow textures. Run it through go generate in the folder
// fragment.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/gen/avo/kit"
)

func main() {
	ConstraintExpr("amd64")
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
	Generate()
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

// fill fills a register with a constant of 32 bits.
func fill(bits uint32) VecVirtual {
	y := YMM()
	VMOVUPS(memory(bits), y)
	return y
}

// memory is a 32-bit constant, repeated eight times, as a memory operand.
func memory(bits uint32) Mem { return kit.Repeat("light", 4, bits) }

func zero() VecVirtual {
	y := YMM()
	VXORPS(y, y, y)
	return y
}

// scalar fills a register with a float32 parameter.
func scalar(param string) VecVirtual { return scalarIn(YMM(), param) }

func scalarIn(y VecVirtual, param string) VecVirtual {
	p, err := Param(param).Resolve()
	if err != nil {
		panic(err)
	}
	VBROADCASTSS(p.Addr, y)
	return y
}

func pointer(param string) Register { return Load(Param(param), GP64()) }

// at is lane i of component c of the vector or plane at p.
func at(p, i Register, c int) Mem { return Mem{Base: p, Index: i, Scale: 4, Disp: c * planeBytes} }

func load(p, i Register, c int) VecVirtual {
	y := YMM()
	VMOVUPS(at(p, i, c), y)
	return y
}

func load3(p, i Register) [3]VecVirtual {
	return [3]VecVirtual{load(p, i, 0), load(p, i, 1), load(p, i, 2)}
}

func store(y VecVirtual, p, i Register, c int) { VMOVUPS(y, at(p, i, c)) }

func mul(a, b Op) VecVirtual { y := YMM(); VMULPS(a, b, y); return y }
func add(a, b Op) VecVirtual { y := YMM(); VADDPS(a, b, y); return y }
func sub(a, b Op) VecVirtual { y := YMM(); VSUBPS(b, a, y); return y } // a - b
func div(a, b Op) VecVirtual { y := YMM(); VDIVPS(b, a, y); return y } // a / b
func and(a, b Op) VecVirtual { y := YMM(); VANDPS(a, b, y); return y }
func twice(a Op) VecVirtual  { return add(a, a) }
func sqrt(a Op) VecVirtual   { y := YMM(); VSQRTPS(a, y); return y }
func above(x, lo Op) VecVirtual { // x > lo ? x : lo; lo for NaN
	y := YMM()
	VMAXPS(lo, x, y)
	return y
}
func below(x, hi Op) VecVirtual { // x < hi ? x : hi; hi for NaN
	y := YMM()
	VMINPS(hi, x, y)
	return y
}

// Predicates of VCMPPS.
const (
	notEqual = 0x04 // or unordered
	greater  = 0x1E
)

// compare returns all ones where the predicate holds for a and b.
func compare(a, b Op, predicate uint8) VecVirtual {
	y := YMM()
	VCMPPS(Imm(uint64(predicate)), b, a, y)
	return y
}

// sum3 is a0*b0 + a1*b1 + a2*b2 in that order.
func sum3(a, b [3]VecVirtual) VecVirtual {
	s := add(mul(a[0], b[0]), mul(a[1], b[1]))
	return add(s, mul(a[2], b[2]))
}

// inverseLength is 1/sqrt(x), or 0 where x is not above 0.
func inverseLength(x, one, null VecVirtual) VecVirtual {
	return and(div(one, sqrt(x)), compare(x, null, greater))
}

// loop runs body for 8 lanes at a time; i is the first lane. n is a multiple
// of 16 and at least 16.
func loop(body func(i Register)) { loopBy(8, body) }

func loopBy(step uint64, body func(i Register)) { loopAt("loop", step, body) }

// tableLoop is loopBy for kernels that read tables.
func tableLoop(step uint64, body func(i Register, with kit.Tables)) {
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
	VZEROUPPER()
	RET()
}

// kernel begins a function whose pointers do not outlive the call.
func kernel(name, params string) {
	TEXT(name+"Vector", NOSPLIT, "func("+params+", n int)")
	Pragma("noescape")
	Doc(name + "Vector is the AVX2 twin of " + name + ".")
}

// storeBytes narrows two registers of 8 integers to 16 bytes, saturating.
func storeBytes(a, b VecVirtual, m Mem) {
	VPACKUSDW(b, a, a) // lanes 0-3, 8-11 | 4-7, 12-15
	VPERMQ(Imm(0xD8), a, a)
	hi := XMM()
	VEXTRACTI128(Imm(1), a, hi)
	VPACKUSWB(hi, a.AsX(), hi)
	VMOVDQU(hi, m)
}

// bytesToFloats converts 8 bytes.
func bytesToFloats(m Mem) VecVirtual {
	y := YMM()
	VPMOVZXBD(m, y)
	VCVTDQ2PS(y, y)
	return y
}
