// Command shaderunit generates the AVX2 kernels of the batch engine. Run it through go generate in the folder shaderunit.
//
// The kernels give the same bits as their definitions in plain Go (rowkernels.go and dotkernels.go there). Rows are 64 floats; n is
// a multiple of 8.
package main

import (
	"bytes"
	"flag"
	"os"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

func main() {
	arithmetic()
	moves()
	unary()
	dots()
	gathers()
	Generate()
	rowTypes()
}

// rowTypes gives the parameters of the stubs the package's types; avo supports only built-in ones.
func rowTypes() {
	name := flag.Lookup("stubs").Value.String()
	b, err := os.ReadFile(name)
	if err == nil {
		b = bytes.ReplaceAll(b, []byte("*float32"), []byte("*Row"))
		b = bytes.ReplaceAll(b, []byte("*int32"), []byte("*[Lanes]int32"))
		err = os.WriteFile(name, b, 0o644)
	}
	if err != nil {
		panic(err)
	}
}

// Bit patterns of float24 arithmetic, see shaderunit/float24.go.
const (
	signBit     = 0x80000000
	absMask     = 0x7FFFFFFF
	minNormal   = (127 - 62) << 23
	overflow    = (127 + 64) << 23
	infinity    = 0xFF << 23
	mantissaCut = 0xFFFFFF80
	quietNaN    = 0x7FC00000
	one         = 0x3F800000
)

// dwords returns a memory operand with a value repeated eight times.
func dwords(v uint32) Mem { return kit.Repeat("dwords", 4, v) }

// kernel is the function being generated.
type kernel struct {
	i                   Register // byte offset in the rows
	abs, cut, low, high VecVirtual
	slow                []func() // code after the RET
	labels              int
}

func begin(name, doc, signature string) *kernel {
	kit.Text(name, signature, doc)
	return &kernel{}
}

// rounding loads the constants of round into registers.
func (k *kernel) rounding() {
	k.abs, k.cut, k.low, k.high = YMM(), YMM(), YMM(), YMM()
	VMOVDQU(dwords(absMask), k.abs)
	VMOVDQU(dwords(mantissaCut), k.cut)
	VMOVDQU(dwords(minNormal), k.low)
	VMOVDQU(dwords(overflow-1), k.high)
}

// row loads the pointer of a parameter.
func row(name string) Register { return Load(Param(name), GP64()) }

// scalar broadcasts a float or uint32 parameter.
func scalar(name string) VecVirtual {
	a, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return kit.In(YMM(), VBROADCASTSS, a.Addr)
}

// at returns the eight lanes of the row in this turn of the loop.
func (k *kernel) at(p Register) Mem { return Mem{Base: p, Index: k.i, Scale: 1} }

func (k *kernel) label(s string) string {
	k.labels++
	return s + string(rune('0'+k.labels/10)) + string(rune('0'+k.labels%10))
}

// loop runs the body for each eight lanes of n and ends the function.
func (k *kernel) loop(body func()) {
	n := Load(Param("n"), GP64())
	k.i = GP64()
	SHLQ(Imm(2), n)
	XORQ(k.i, k.i)
	Label("lanes")
	body()
	ADDQ(Imm(32), k.i)
	CMPQ(k.i, n)
	JLT(LabelRef("lanes"))
	kit.Leave()
	for _, s := range k.slow {
		s()
	}
}

// round rounds y to float24. For lanes with infinity or NaN the code leaves the loop; fix, if given, first repairs y there and
// returns the lanes that became 0.
func (k *kernel) round(y VecVirtual, fix func(y VecVirtual) (zero VecVirtual)) VecVirtual {
	a := kit.In(YMM(), VPAND, k.abs, y)
	small := kit.In(YMM(), VPCMPGTD, a, k.low)
	big := kit.In(YMM(), VPCMPGTD, k.high, a)
	r := kit.In(YMM(), VPAND, k.cut, y)
	VPANDN(r, small, r)
	VPTEST(big, big)
	slow, back := k.label("slow"), k.label("back")
	JNZ(LabelRef(slow))
	Label(back)
	k.slow = append(k.slow, func() {
		Label(slow)
		if fix != nil {
			// Round again: a repaired sum may be any number.
			fixed := fix(y)
			VPAND(k.abs, fixed, a)
			VPCMPGTD(a, k.low, small)
			VPCMPGTD(k.high, a, big)
			VPAND(k.cut, fixed, r)
			VPANDN(r, small, r)
			infinities(fixed, big, r)
		} else {
			infinities(y, big, r)
		}
		JMP(LabelRef(back))
	})
	return r
}

// infinities sets infinity with y's sign where big is set, and the quiet NaN where y is NaN.
func infinities(y, big, r VecVirtual) {
	t := kit.In(YMM(), VPAND, dwords(signBit), y)
	VPOR(dwords(infinity), t, t)
	VPBLENDVB(big, t, r, r)
	VCMPPS(Imm(3), y, y, t) // unordered
	VBLENDVPS(t, dwords(quietNaN), r, r)
}

// product is a*b with inf * 0 = 0.
func product(a, b VecVirtual) VecVirtual {
	p := kit.In(YMM(), VMULPS, b, a)
	t := kit.In(YMM(), VCMPPS, Imm(3), p, p) // unordered
	o := kit.In(YMM(), VCMPPS, Imm(7), b, a) // ordered
	VANDPS(o, t, t)
	VANDNPS(p, t, p)
	return p
}

func load(m Op) VecVirtual {
	return kit.In(YMM(), VMOVUPS, m)
}
