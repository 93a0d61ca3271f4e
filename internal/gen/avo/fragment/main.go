// Command fragment generates the AVX2 kernels of the fragment stage. Run it
// through go generate in the folder fragment.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	combineKernels()
	combineDot3()
	blendKernels()
	blendBounds()
	logicOps()
	stencil()
	colorKernels()
	sampleKernels()
	levelKernels()
	quadKernels()
	kit.GenerateForAll()
}

// broadcastW puts the low word of a parameter into all words of a register.
func broadcastW(param string) VecVirtual {
	g := Load(Param(param), GP64())
	y := YMM()
	VMOVQ(g, y.AsX())
	VPBROADCASTW(y.AsX(), y)
	return y
}

// wordsMem and dwordsMem are constants as operands in memory.
func wordsMem(v uint16) Mem  { return kit.Repeat("words", 2, uint32(v)) }
func dwordsMem(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

// words fills a register with a constant word.
func words(v uint16) VecVirtual {
	return kit.In(YMM(), VMOVDQU, wordsMem(v))
}

// dwords fills a register with a constant.
func dwords(v uint32) VecVirtual {
	return kit.In(YMM(), VMOVDQU, dwordsMem(v))
}

// The roundings of the plain kernels (fragment/rounding.go): the values added before a division by 255.
const (
	roundNearest   = 127
	texEnvRounding = roundNearest
	blendRounding  = roundNearest
)

// round255 adds rounding, which must fit a word with the operand, and divides words by 255.
func round255(y, magic VecVirtual, rounding uint16) {
	if rounding != 0 {
		VPADDUSW(wordsMem(rounding), y, y)
	}
	divide255(y, magic)
}

// divide255 divides words by 255 and truncates: x*0x8081>>23 is exact for all 16-bit x.
func divide255(y, magic VecVirtual) {
	VPMULHUW(magic, y, y)
	VPSRLW(Imm(7), y, y)
}

// storeBytes narrows 16 words to bytes, saturating at 255, and stores them.
func storeBytes(y VecVirtual, m Mem) {
	hi := kit.In(XMM(), VEXTRACTI128, Imm(1), y)
	VPACKUSWB(hi, y.AsX(), hi)
	VMOVDQU(hi, m)
}

// loop runs body for 16 lanes at a time; i is the first lane. n is a multiple
// of 16 and at least 16.
func loop(name string, body func(i Register)) {
	n := Load(Param("n"), GP64())
	i := GP64()
	XORQ(i, i)
	Label(name)
	body(i)
	ADDQ(Imm(16), i)
	CMPQ(i, n)
	JLT(LabelRef(name))
	kit.Leave()
}
