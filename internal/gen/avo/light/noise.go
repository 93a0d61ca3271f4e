package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"pica200/internal/gen/avo/kit"
)

// Offsets in the array of floats that procTexNoise passes.
const (
	noiseFrequency = 0 // of u; v follows four bytes later, as for the next two
	noisePhase     = 8
	noiseAmplitude = 16
)

const floatTwo = 0x40000000

// Offsets in the struct noiseTables of package fragment.
const (
	noiseNinth = 16 * iota
	noiseOuter
	noiseAdd
	noiseFlip
	noiseMore
	noiseInner
	noiseValues
)

// words is a constant of 16 bits as a memory operand.
func words(v uint16) Mem { return kit.Repeat("light", 2, uint32(v)) }

// bothWords is the VPSHUFB order that puts a word of each dword in both.
func bothWords(name string, word byte) Mem {
	order := make([]byte, 32)
	for i := range order {
		order[i] = byte(i%16&^3) + 2*word + byte(i%2)
	}
	return kit.Bytes(name, order)
}

// noise makes the kernel of the procedural texture's noise. tables is the first number of noiseTables.
func noise() {
	begin("procTexNoise", "u *float32, v *float32, p *float32, tables *uint8, t *float32")
	u, v, p := pointer("u"), pointer("v"), pointer("p")
	tables, table := pointer("tables"), pointer("t")
	param := func(off int) VecVirtual {
		return kit.In(YMM(), VBROADCASTSS, Mem{Base: p, Disp: off})
	}
	tableLoop(8, func(i Register, with kit.Tables) {
		// entry looks each byte up in a table of 16.
		entry := func(off int, k VecVirtual) VecVirtual {
			y := kit.In(YMM(), VBROADCASTI128, Mem{Base: tables, Disp: off})
			VPSHUFB(k, y, y)
			return y
		}
		// remainder is k modulo 144, where noiseRand1 repeats; next follows it, where k is the greatest number with 0. The division
		// of the 28 upper bits by 9 multiplies by 2^33/9, rounded up, which is exact.
		remainder := func(k, next VecVirtual) {
			even, odd, magic, last := YMM(), YMM(), YMM(), YMM()
			VPCMPEQD(last, last, last)
			VPCMPEQD(last, k, last)
			VMOVUPS(memory(0x38E38E39), magic)
			VPSRLD(Imm(4), k, even)
			VPSRLQ(Imm(32), even, odd)
			VPMULUDQ(magic, even, even)
			VPMULUDQ(magic, odd, odd)
			VPSRLQ(Imm(33), even, even)
			VPSRLQ(Imm(33), odd, odd)
			VPSLLQ(Imm(32), odd, odd)
			VPOR(odd, even, even)
			VPMULLD(memory(144), even, even)
			VPSUBD(even, k, k)
			VPADDD(memory(1), k, next)
			VPANDN(next, last, next)
		}
		// random is noiseRand1 of k, and of next in the upper words; both are below 2^15.
		random := func(k, next VecVirtual) VecVirtual {
			quotient, nines := YMM(), YMM()
			VPSLLD(Imm(16), next, next)
			VPOR(next, k, k)
			VPMULHUW(words(65536/9+1), k, quotient)
			VPMULLW(words(9), quotient, nines)
			VPSUBW(nines, k, k)
			VPAND(words(0x0F), quotient, quotient)
			r := entry(noiseNinth, k)
			VPXOR(entry(noiseOuter, quotient), r, r)
			VPAND(words(0x0F), r, r)
			return r
		}
		// cell returns the cell of a coordinate, the next one, and the position between them.
		cell := func(coordinate, i Register, disp int) (k, next, rest VecVirtual) {
			x := and(memory(0x7FFFFFFF), add(load(coordinate, i, 0), param(noisePhase+disp)))
			x = mul(param(noiseFrequency+disp), x)
			whole := kit.In(YMM(), VMAXPS, memory(0xCE000000), x) // -2^29, for NaN too
			VMINPS(memory(floatBound), whole, whole)
			VROUNDPS(Imm(1), whole, whole)
			rest = sub(x, whole)
			k, next = YMM(), YMM()
			VCVTPS2DQ(whole, k)
			VPADDD(memory(1), k, next)
			return k, next, rest
		}
		// weight is lut128At.
		weight := func(x VecVirtual) VecVirtual {
			y := kit.In(YMM(), VMULPS, memory(float128), x)
			VMAXPS(memory(0), y, y)
			VMINPS(memory(float128), y, y)
			top := kit.In(YMM(), VMOVUPS, memory(127))
			k, f := split(y, top)
			y = fetch(with, table, k, f)
			VMAXPS(memory(0), y, y)
			VMINPS(memory(floatOne), y, y)
			return y
		}
		x, nextX, xf := cell(u, i, 0)
		y, nextY, yf := cell(v, i, 4)
		wide := YMM()
		near := with.Label("near")
		VPOR(x, y, wide)
		VPTEST(memory(0xFFFFC000), wide)
		JZ(LabelRef(near))
		remainder(x, nextX)
		remainder(y, nextY)
		Label(near)
		x, y = random(x, nextX), random(y, nextY)
		// hashes is the number of the entry of noiseRand2, in the lower four bits, for both x and one y.
		plus, flip, more, inner := entry(noiseAdd, x), entry(noiseFlip, x), entry(noiseMore, x), entry(noiseInner, x)
		hashes := func(order Mem) VecVirtual {
			k := kit.In(YMM(), VPSHUFB, order, y)
			VPADDB(plus, k, k)
			VPXOR(flip, k, k)
			VPADDB(more, k, k)
			VPXOR(inner, k, k)
			return k
		}
		// corner is the entry of a word, times far.
		corner := func(k VecVirtual, word int, far VecVirtual) VecVirtual {
			low, high, upper := YMM(), YMM(), YMM()
			VPSLLD(Imm(uint64(28-16*word)), k, upper) // bit 3 selects
			if word == 1 {
				VPSRLD(Imm(16), k, k)
			}
			VPERMPS(Mem{Base: tables, Disp: noiseValues}, k, low)
			VPERMPS(Mem{Base: tables, Disp: noiseValues + 32}, k, high)
			VBLENDVPS(upper, high, low, low)
			return mul(low, far)
		}
		sum := add(xf, yf)
		wx, wy := weight(xf), weight(yf)
		sum1, sum2 := sub(sum, fill(floatOne)), sub(sum, fill(floatTwo))
		mix := func(a, b, w VecVirtual) VecVirtual { return add(a, mul(sub(b, a), w)) }
		upper, lower := hashes(bothWords("lowerWords", 0)), hashes(bothWords("upperWords", 1))
		top := mix(corner(upper, 0, sum), corner(upper, 1, sum1), wx)
		bottom := mix(corner(lower, 0, sum1), corner(lower, 1, sum2), wx)
		n := mix(top, bottom, wy)
		for k, c := range []Register{u, v} {
			y := add(load(c, i, 0), mul(n, param(noiseAmplitude+4*k)))
			store(and(memory(0x7FFFFFFF), y), c, i, 0)
		}
	})
}
