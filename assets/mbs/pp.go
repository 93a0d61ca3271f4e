package mbs

import (
	"fmt"
	"math"
	"strings"
)

// An instruction of the fragment processor is a control word and a field for
// each enabled unit, packed bit by bit in the order of the units, padded to
// whole words. The units are stages of a pipeline: each sees the results of
// those before it; the scalar and vector adders and multipliers work in
// parallel. Sources: the Lima wiki's ISA page; Mesa's lima driver
// (ir/pp/codegen.h).

// ppUnit is one of the fragment processor's units.
type ppUnit uint8

const (
	ppVarying ppUnit = iota
	ppSampler
	ppUniform
	ppVecMul
	ppScalarMul
	ppVecAcc
	ppScalarAcc
	ppCombine
	ppTempWrite
	ppBranch
	ppConst0
	ppConst1
	ppUnits
)

// ppWidth is the width of each unit's field in bits.
var ppWidth = [ppUnits]uint{34, 62, 41, 43, 30, 44, 31, 30, 41, 73, 64, 64}

// ppInstruction is an instruction of the fragment processor.
type ppInstruction struct {
	offset int    // in the code, in bytes
	raw    []byte // control word and fields
	// fields is where each unit's field begins, in bits from the control
	// word's end, -1 where the unit is off.
	fields [ppUnits]int
	used   uint // bits of fields
}

// The control word, from the lowest bit: 5 words of the instruction, 1 stop,
// 1 sync, 12 units, 6 words of the next instruction, 1 prefetch, 6 unknown.
func (p *ppInstruction) control() uint32 { return bitsOf(p.raw, 0, 32) }

// words is the length of the instruction, control word included.
func (p *ppInstruction) words() int { return int(p.control() & 31) }

// nextWords is the length the instruction gives for the one after it.
func (p *ppInstruction) nextWords() int { return int(p.control() >> 19 & 63) }

// stop reports whether the program ends here.
func (p *ppInstruction) stop() bool { return p.control()>>5&1 != 0 }

// on reports whether a unit is used.
func (p *ppInstruction) on(u ppUnit) bool { return p.fields[u] >= 0 }

// get returns bits of a unit's field.
func (p *ppInstruction) get(u ppUnit, lo, n uint) uint32 {
	return bitsOf(p.raw[4:], uint(p.fields[u])+lo, n)
}

// ppInstructions splits fragment code and passes each instruction to yield
// until that returns false. It stops at the first instruction with an invalid
// length; rest is what remains, and err says why.
func ppInstructions(code []byte, yield func(i int, p *ppInstruction) bool) (rest []byte, err error) {
	for i, at := 0, 0; at < len(code); i++ {
		rest = code[at:]
		if len(rest) < 4 {
			return rest, fmt.Errorf("offset 0x%x: %d bytes, less than a control word", at, len(rest))
		}
		p := ppInstruction{offset: at, raw: rest}
		n := 4 * p.words()
		if n == 0 || n > len(rest) {
			return rest, fmt.Errorf("offset 0x%x: instruction of %d words, %d are left", at, n/4, len(rest)/4)
		}
		p.raw = rest[:n:n]
		for u := range p.fields {
			p.fields[u] = -1
			if p.control()>>(7+u)&1 != 0 {
				p.fields[u] = int(p.used)
				p.used += ppWidth[u]
			}
		}
		if p.used > uint(n-4)*8 {
			return rest, fmt.Errorf("offset 0x%x: the units take %d bits, the instruction has %d", at, p.used, (n-4)*8)
		}
		if at += n; !yield(i, &p) {
			return code[at:], nil
		}
	}
	return nil, nil
}

var ppMulOps = map[uint32]gpOp{
	8: {"not", 1}, 9: {"and", 2}, 10: {"or", 2}, 11: {"xor", 2}, 12: {"ne", 2}, 13: {"gt", 2},
	14: {"ge", 2}, 15: {"eq", 2}, 16: {"min", 2}, 17: {"max", 2}, 31: {"mov", 1},
}

var ppAccOps = map[uint32]gpOp{
	0: {"add", 2}, 4: {"fract", 1}, 8: {"ne", 2}, 9: {"gt", 2}, 10: {"ge", 2}, 11: {"eq", 2},
	12: {"floor", 1}, 13: {"ceil", 1}, 14: {"min", 2}, 15: {"max", 2},
	20: {"dFdx", 2}, 21: {"dFdy", 2}, 23: {"sel", 2}, 31: {"mov", 1},
}

// ppVecAccOps are the operations that only the vector adder has: sums of a source's components.
var ppVecAccOps = map[uint32]gpOp{16: {"sum3", 1}, 17: {"sum4", 1}}

var ppCombineOps = map[uint32]string{
	0: "rcp", 1: "mov", 2: "sqrt", 3: "rsqrt", 4: "exp2", 5: "log2", 6: "sin", 7: "cos", 8: "atan", 9: "atan2",
}

var ppModifiers = [4]string{"", ".sat", ".pos", ".int"}

// vec names a vector register as it is read.
func vec(reg uint32) string {
	switch reg {
	case 12, 13:
		return fmt.Sprintf("const%d", reg-12)
	case 14:
		return "texture"
	case 15:
		return "uniform"
	}
	return fmt.Sprintf("r%d", reg)
}

// scalar names a component of a register: vector register times 4 plus
// component.
func scalar(v uint32) string { return fmt.Sprintf("%s.%c", vec(v>>2), "xyzw"[v&3]) }

func swizzle(v uint32) string {
	if v == 0xE4 {
		return ""
	}
	return fmt.Sprintf(".%c%c%c%c", "xyzw"[v&3], "xyzw"[v>>2&3], "xyzw"[v>>4&3], "xyzw"[v>>6&3])
}

func writeMask(v uint32) string {
	if v == 15 {
		return ""
	}
	s := "."
	for i := range 4 {
		if v>>i&1 != 0 {
			s += string("xyzw"[i])
		}
	}
	return s
}

func modified(name string, abs, neg uint32) string {
	if abs != 0 {
		name = "|" + name + "|"
	}
	return sign(neg) + name
}

// Lines gives the operations of the instruction as text, one a line, in the
// order of the pipeline.
func (p *ppInstruction) lines() []string {
	var out []string
	for u, text := range [ppUnits]func() string{
		p.varyingText, p.samplerText, p.uniformText,
		func() string { return p.vecText(ppVecMul, "vmul", ppMulOps) },
		func() string { return p.scalarText(ppScalarMul, "smul", ppMulOps) },
		func() string { return p.vecText(ppVecAcc, "vacc", ppAccOps) },
		func() string { return p.scalarText(ppScalarAcc, "sacc", ppAccOps) },
		p.combineText, p.tempWriteText, p.branchText,
		func() string { return p.constText(ppConst0) },
		func() string { return p.constText(ppConst1) },
	} {
		if p.on(ppUnit(u)) {
			out = append(out, text())
		}
	}
	c := p.control()
	if c>>6&1 != 0 {
		out = append(out, "sync")
	}
	if p.stop() {
		out = append(out, "stop")
	}
	if c>>26 != 0 {
		out = append(out, fmt.Sprintf("control unknown = 0x%x", c>>26))
	}
	for at := p.used; at < uint(len(p.raw)-4)*8; at += 32 {
		n := min(uint(len(p.raw)-4)*8-at, 32)
		if v := bitsOf(p.raw[4:], at, n); v != 0 {
			out = append(out, fmt.Sprintf("unused bits = 0x%x", v))
		}
	}
	if len(out) == 0 {
		out = append(out, "nop")
	}
	return out
}

// locationString prints an index in units of 1, 2 or 4 floats, by its alignment.
func locationString(index int, alignment uint32) string {
	switch alignment {
	case 0:
		return fmt.Sprintf("%d.%c", index>>2, "xyzw"[index&3])
	case 1:
		return fmt.Sprintf("%d.%s", index>>1, [2]string{"xy", "zw"}[index&1])
	}
	return fmt.Sprint(index)
}

func (p *ppInstruction) varyingText() string {
	get := func(lo, n uint) uint32 { return p.get(ppVarying, lo, n) }
	perspective, source := get(0, 2), get(2, 2)
	dest := fmt.Sprintf("r%d", get(24, 4))
	if get(24, 4) == 15 {
		dest = "texcoord"
	}
	dest += writeMask(get(28, 4))
	imm := func() string {
		s := "varying " + locationString(int(get(18, 6)), get(5, 2))
		if off := get(10, 4); off != 15 {
			s += "+" + scalar(off<<2|get(16, 2))
		}
		return s
	}
	reg := func() string { return modified(vec(get(10, 4))+swizzle(get(16, 8)), get(15, 1), get(14, 1)) }
	divide := ""
	if perspective != 0 {
		divide = [...]string{"", "/?", "/z", "/w"}[perspective]
	}
	what := ""
	switch {
	case source == 0:
		what = imm() + divide
	case source == 1:
		what = reg() + divide
	case source == 2:
		what = [...]string{"cube(" + imm() + ")", "cube(" + reg() + ")", "normalize(" + reg() + ")", "gl_FragCoord"}[perspective]
	case perspective != 0:
		what = "gl_FrontFacing"
	default:
		what = "gl_PointCoord"
	}
	return fmt.Sprintf("%s = load %s", dest, what)
}

func (p *ppInstruction) samplerText() string {
	get := func(lo, n uint) uint32 { return p.get(ppSampler, lo, n) }
	s := "texture = sample"
	switch t := get(24, 5); t {
	case 0:
		s += ".2d"
	case 0x1F:
		s += ".cube"
	default:
		s += fmt.Sprintf(".type%d", t)
	}
	s += fmt.Sprintf(" sampler %d", get(30, 12))
	if get(29, 1) != 0 {
		s += "+" + scalar(get(6, 6))
	}
	if get(18, 1) != 0 {
		name := "bias"
		if get(17, 1) != 0 {
			name = "lod"
		}
		s += fmt.Sprintf(", %s %s", name, scalar(get(0, 6)))
	}
	if v := get(42, 20); v != 0x39001 {
		s += fmt.Sprintf(", unknown 0x%05x", v)
	}
	return s
}

func (p *ppInstruction) uniformText() string {
	get := func(lo, n uint) uint32 { return p.get(ppUniform, lo, n) }
	from := fmt.Sprintf("source%d", get(0, 2))
	switch get(0, 2) {
	case 0:
		from = "uniform"
	case 3:
		from = "temporary"
	}
	s := fmt.Sprintf("uniform = load %s %s", from, locationString(int(int16(get(25, 16))), get(10, 2)))
	if get(24, 1) != 0 {
		s += "+" + scalar(get(18, 6))
	}
	return s
}

// operation returns the name and operand count of an adder's or multiplier's
// operation; multiplications by powers of two share the first 8 codes.
func operation(ops map[uint32]gpOp, op uint32, mul bool) (name string, srcs int, shift string) {
	if mul && op < 8 {
		if op > 0 {
			shift = fmt.Sprintf("<<%d", op)
		}
		return "mul", 2, shift
	}
	if o, ok := ops[op]; ok {
		return o.name, o.srcs, ""
	}
	return unknownOp(op), 2, ""
}

func (p *ppInstruction) vecText(u ppUnit, unit string, ops map[uint32]gpOp) string {
	get := func(lo, n uint) uint32 { return p.get(u, lo, n) }
	op := get(38, 5)
	name, srcs, shift := operation(ops, op, u == ppVecMul)
	if o, ok := ppVecAccOps[op]; ok && u == ppVecAcc {
		name, srcs = o.name, o.srcs
	}
	a := vec(get(0, 4))
	if u == ppVecAcc && get(43, 1) != 0 {
		a = "vmul"
	}
	s := fmt.Sprintf("%s %s", name+ppModifiers[get(36, 2)], modified(a+swizzle(get(4, 8)), get(12, 1), get(13, 1))+shift)
	if srcs > 1 {
		s += ", " + modified(vec(get(14, 4))+swizzle(get(18, 8)), get(26, 1), get(27, 1))
	}
	dest := unit
	if mask := get(32, 4); mask != 0 {
		dest = fmt.Sprintf("%s = r%d%s", unit, get(28, 4), writeMask(mask))
	}
	return dest + " = " + s
}

func (p *ppInstruction) scalarText(u ppUnit, unit string, ops map[uint32]gpOp) string {
	get := func(lo, n uint) uint32 { return p.get(u, lo, n) }
	name, srcs, shift := operation(ops, get(25, 5), u == ppScalarMul)
	a := scalar(get(0, 6))
	if u == ppScalarAcc && get(30, 1) != 0 {
		a = "smul"
	}
	s := fmt.Sprintf("%s %s", name+ppModifiers[get(23, 2)], modified(a, get(6, 1), get(7, 1))+shift)
	if srcs > 1 {
		s += ", " + modified(scalar(get(8, 6)), get(14, 1), get(15, 1))
	}
	dest := unit
	if get(22, 1) != 0 {
		dest = fmt.Sprintf("%s = r%d.%c", unit, get(16, 6)>>2, "xyzw"[get(16, 6)&3])
	}
	return dest + " = " + s
}

func (p *ppInstruction) combineText() string {
	get := func(lo, n uint) uint32 { return p.get(ppCombine, lo, n) }
	toVec, two := get(0, 1) != 0, get(1, 1) != 0
	arg0 := modified(scalar(get(16, 6)), get(14, 1), get(15, 1))
	name := opName(ppCombineOps, get(2, 4))
	if !toVec {
		s := fmt.Sprintf("combine = r%d.%c = %s%s %s", get(24, 6)>>2, "xyzw"[get(24, 6)&3], name, ppModifiers[get(22, 2)], arg0)
		if two {
			s += ", " + modified(scalar(get(8, 6)), get(6, 1), get(7, 1))
		}
		return s
	}
	dest := fmt.Sprintf("combine = r%d%s", get(26, 4), writeMask(get(22, 4)))
	if two { // a scalar times a vector; the operation's bits hold the swizzle
		return fmt.Sprintf("%s = mul %s, %s", dest, arg0, vec(get(10, 4))+swizzle(get(2, 8)))
	}
	return fmt.Sprintf("%s = %s %s", dest, name, arg0)
}

func (p *ppInstruction) tempWriteText() string {
	get := func(lo, n uint) uint32 { return p.get(ppTempWrite, lo, n) }
	if get(1, 5) == 7 {
		what := "depth"
		if get(0, 1) != 0 {
			what = "color"
		}
		return fmt.Sprintf("r%d = load framebuffer %s", get(6, 4), what)
	}
	to := "temporary " + locationString(int(int16(get(25, 16))), get(10, 2))
	if get(24, 1) != 0 {
		to += "+" + scalar(get(18, 6))
	}
	from := scalar(get(4, 6))
	if get(10, 2) != 0 {
		from = vec(get(4, 6) >> 2)
	}
	return fmt.Sprintf("%s = store %s", to, from)
}

// discards reports whether the branch unit holds a discard.
func (p *ppInstruction) discards() bool {
	return p.on(ppBranch) && p.get(ppBranch, 0, 32) == 0x007F0003 && p.get(ppBranch, 32, 32) == 0 && p.get(ppBranch, 64, 9) == 0
}

func (p *ppInstruction) branchText() string {
	if p.discards() {
		return "discard"
	}
	get := func(lo, n uint) uint32 { return p.get(ppBranch, lo, n) }
	cond := get(18, 1)<<0 | get(17, 1)<<1 | get(16, 1)<<2 // lt, eq, gt
	// The target counts words from the branch on, signed.
	target := p.offset/4 + int(int32(get(41, 27)<<5)>>5)
	s := "branch"
	if cond != 7 {
		s += "." + [...]string{"never", "lt", "eq", "le", "gt", "ne", "ge"}[cond]
		s += fmt.Sprintf(" %s, %s,", scalar(get(10, 6)), scalar(get(4, 6)))
	}
	s += fmt.Sprintf(" word %d", target)
	if v := get(0, 4); v != 0 {
		s += fmt.Sprintf(", unknown 0x%x", v)
	}
	if v := get(19, 22); v != 0 {
		s += fmt.Sprintf(", unknown 0x%06x", v)
	}
	return s
}

func (p *ppInstruction) constText(u ppUnit) string {
	parts := make([]string, 4)
	for i := range parts {
		parts[i] = fmt.Sprintf("%g", half(uint16(p.get(u, uint(16*i), 16))))
	}
	return fmt.Sprintf("const%d = (%s)", u-ppConst0, strings.Join(parts, ", "))
}

// half converts an IEEE 16-bit float.
func half(v uint16) float32 {
	s := float32(1)
	if v>>15 != 0 {
		s = -1
	}
	e, m := int(v>>10&31), float32(v&0x3FF)
	switch e {
	case 0:
		return s * float32(math.Ldexp(float64(m), -24))
	case 31:
		if m != 0 {
			return float32(math.NaN())
		}
		return s * float32(math.Inf(1))
	}
	return s * float32(math.Ldexp(float64(m+1024), e-25))
}
