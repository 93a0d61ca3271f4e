package asm

import (
	"fmt"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// mnemonics finds an operation by its name in a source. If the instruction set
// has a plain and an inverted form, both names mean the plain one; the operands
// decide which form is assembled.
var mnemonics = func() map[string]*shaderunit.OpInfo {
	m := map[string]*shaderunit.OpInfo{}
	for i := range shaderunit.Instructions() {
		row := &shaderunit.Instructions()[i]
		switch row.Format {
		case shaderunit.Format1i, shaderunit.Format5i:
			m[row.Name+"i"] = row.Inverted.Info()
		default:
			m[row.Name] = row
		}
	}
	return m
}()

// opensBlock reports whether an instruction needs an .end.
func opensBlock(name string) bool {
	return name == "for" || name == "ifu" || name == "ifc"
}

// instruction assembles one instruction. One with an error leaves a NOP, so
// that later checks see code of the same length.
func (a *assembler) instruction(st *statement, name string) {
	if len(a.blocks) == 0 {
		if !a.outside {
			a.err(st.name, fmt.Sprintf("instruction %q outside of a block", st.name.text), ".proc before it", hintFor(name))
		}
		a.outside = true
		return
	}
	a.outside = false
	a.afterEnd = false
	a.started = true
	if !a.room(st, "") {
		return
	}
	row := mnemonics[name]
	if row == nil {
		guess := nearest(name, Mnemonics())
		hint := hintFor(name)
		if hint != "" {
			guess = ""
		} else if guess != "" {
			hint = meant + guess + "?"
		} else if d := "." + name; directives[name] != nil {
			hint = meant + d + "?"
		}
		a.err(st.name, fmt.Sprintf("unknown instruction %q", st.name.text), "", hint)
		a.placeholder(st)
		if opensBlock(guess) || name == "if" || name == "loop" {
			a.push(block{kind: blockBad}, st)
		}
		return
	}
	before := len(a.code)
	a.operation(st, row)
	if len(a.code) == before {
		a.placeholder(st)
		if opensBlock(row.Name) {
			a.push(block{kind: blockBad}, st)
		}
	}
}

// room reports whether a word is left in the code memory of this kind of
// shader, and adds an error if not; with names what else needs the word. The
// reference assembler allows vertex shaders one word more than the hardware
// has, and does not count padding.
func (a *assembler) room(st *statement, with string) bool {
	limit, kind := shaderunit.CodeWords, "geometry"
	if !a.dvle().geometry {
		limit, kind = shbin.VertexCode, "vertex"
		if a.opt.Picasso {
			limit++
		}
	}
	if len(a.code) < limit {
		return true
	}
	if !a.tooLong {
		if with != "" {
			with = ", " + with
		}
		a.err(st.name, fmt.Sprintf("the code memory for %s shaders is full: %d instructions%s", kind, len(a.code)+1, with),
			fmt.Sprintf("at most %d", limit), "")
	}
	a.tooLong = true
	return false
}

// operation assembles an instruction by its format. On an error it emits
// nothing.
func (a *assembler) operation(st *statement, row *shaderunit.OpInfo) {
	switch row.Format {
	case shaderunit.Format0:
		if st.done() {
			a.emit(uint32(row.Op)<<26, st)
		}
	case shaderunit.Format1:
		a.twoSources(st, row)
	case shaderunit.Format1u:
		if row.WritesAddress() {
			a.moveToAddress(st, row)
		} else {
			a.oneSource(st, row)
		}
	case shaderunit.Format1c:
		a.compare(st, row)
	case shaderunit.Format2:
		a.conditional(st, row)
	case shaderunit.Format3:
		a.byUniform(st, row)
	case shaderunit.Format4:
		a.setEmit(st, row)
	case shaderunit.Format5:
		a.multiplyAdd(st, row)
	}
}

// encode emits a register operation with a descriptor that matches desc in the
// bits needed.
func (a *assembler) encode(st *statement, in shaderunit.Instr, desc, needed uint32) {
	// Share the descriptor by what the operation reads; the inverted form reads the
	// same.
	plain := in.Op
	if info := in.Info(); info.Format == shaderunit.Format1i || info.Format == shaderunit.Format5i {
		plain = info.Inverted
	}
	if a.desc.zitrus {
		desc |= zitrusIdle &^ needed
	} else if needed = picasso.Relax(plain, desc, needed); a.exact {
		desc, needed = desc|a.idle, ^uint32(0)
	}
	var n int
	var err error
	if st.forced >= 0 {
		n, err = a.desc.take(st.forced, desc, needed, in.Info().Format.DescLimit())
	} else if in.Info().Format.DescLimit() == shaderunit.DescriptorsMAD {
		n, err = a.desc.findMAD(desc, needed, a.code)
	} else {
		n, err = a.desc.find(desc, needed)
	}
	if err != nil {
		if !a.descFull {
			a.err(st.name, err.Error(), "", "instructions with the same masks and swizzles share one")
		}
		a.descFull = true
		return
	}
	in.Desc = uint8(n)
	w, err := in.Encode()
	if err != nil {
		a.err(st.name, err.Error(), "", "")
		return
	}
	a.emit(w, st)
}

func src(op operand) shaderunit.SrcReg { return shaderunit.SrcReg(op.reg) }

func selectors(ops ...operand) (d uint32) {
	for n, op := range ops {
		d |= uint32(op.swizzle) << (5 + 9*n)
		if op.negate {
			d |= 1 << (4 + 9*n)
		}
	}
	return d
}

// differentInputs reports two different input registers in one instruction: the
// unit can read only one at a time.
func (a *assembler) differentInputs(ops ...operand) bool {
	for i := range ops {
		for j := range i {
			if ops[i].reg < picasso.RegTemp && ops[j].reg < picasso.RegTemp && ops[i].reg != ops[j].reg {
				if a.opt.Nihstro != nil {
					a.warn(ops[i].word, fmt.Sprintf("two different input registers in one instruction (v%d and v%d), of which it reads one", ops[j].reg, ops[i].reg), "")
					return false
				}
				a.err(ops[i].word, fmt.Sprintf("two different input registers in one instruction (v%d and v%d)", ops[j].reg, ops[i].reg),
					"one input register, which may be used several times", "copy one to a temporary register first")
				return true
			}
		}
	}
	return false
}

func (a *assembler) twoSources(st *statement, row *shaderunit.OpInfo) {
	args, ok := st.args("the destination register", "source 1", "source 2")
	if !ok {
		return
	}
	a.binary(st, row, a.parseReg(args[0], false), a.parseReg(args[1], true), a.parseReg(args[2], true))
}

// binary assembles an operation on two sources.
func (a *assembler) binary(st *statement, row *shaderunit.OpInfo, dst, s1, s2 operand) {
	dstOK := a.checkDst(&dst)
	if s1.bad || s2.bad {
		return
	}
	in := shaderunit.Instr{Op: row.Op, Dst: shaderunit.DstReg(dst.reg & 0x1F)}
	invert := row.Inverted != shaderunit.NoOpcode && s1.reg < picasso.RegFloat && s2.reg >= picasso.RegFloat
	var ok1, ok2 bool
	if invert {
		in.Op = row.Inverted
		in.Idx = s2.idx
		ok1, ok2 = a.checkNarrow(&s1, 1, "relative addressing belongs to the float uniform in source 2"), a.checkWide(&s2, 2)
	} else {
		in.Idx = s1.idx
		ok1, ok2 = a.checkWide(&s1, 1), a.checkNarrow(&s2, 2, swapHint(row, s1, s2))
	}
	if !dstOK || !ok1 || !ok2 || a.differentInputs(s1, s2) {
		return
	}
	in.Src = [3]shaderunit.SrcReg{src(s1), src(s2)}
	a.encode(st, in, uint32(maskOf(dst.swizzle))|selectors(s1, s2), picasso.DescDst|picasso.DescSrc1|picasso.DescSrc2)
}

// swapHint suggests how to move a uniform from source 2 to a source that can be
// one.
func swapHint(row *shaderunit.OpInfo, s1, s2 operand) string {
	switch {
	case s1.reg >= picasso.RegFloat:
		return "an instruction can read one float uniform; copy the other to a temporary register first"
	case row.Commutes():
		return fmt.Sprintf("exchange the sources: %s ..., %s, %s", row.Name, s2.text, s1.text)
	}
	return "a float uniform can be source 1 only"
}

func (a *assembler) oneSource(st *statement, row *shaderunit.OpInfo) {
	args, ok := st.args("the destination register", "the source")
	if !ok {
		return
	}
	a.unary(st, row, a.parseReg(args[0], false), a.parseReg(args[1], true))
}

// unary assembles an operation on one source.
func (a *assembler) unary(st *statement, row *shaderunit.OpInfo, dst, s operand) {
	dstOK, srcOK := a.checkDst(&dst), a.checkWide(&s, 1)
	if !dstOK || !srcOK {
		return
	}
	in := shaderunit.Instr{Op: row.Op, Dst: shaderunit.DstReg(dst.reg), Src: [3]shaderunit.SrcReg{src(s)}, Idx: s.idx}
	a.encode(st, in, uint32(maskOf(dst.swizzle))|selectors(s), picasso.DescDst|picasso.DescSrc1)
}

func (a *assembler) moveToAddress(st *statement, row *shaderunit.OpInfo) {
	args, ok := st.args("a0.x, a0.y or a0.xy", "the source")
	if !ok {
		return
	}
	var mask uint32
	switch lower(args[0].text) {
	case "a0", "a0.x":
		mask = 8
	case "a1", "a0.y":
		mask = 4
	case "a01", "a0.xy":
		mask = 8 | 4
	default:
		a.err(args[0], fmt.Sprintf("mova cannot write %q", args[0].text), "a0.x, a0.y or a0.xy", "")
	}
	a.address(st, row, mask, a.parseReg(args[1], true))
}

// address assembles a move to the address registers of mask.
func (a *assembler) address(st *statement, row *shaderunit.OpInfo, mask uint32, s operand) {
	if !a.checkWide(&s, 1) || mask == 0 && a.opt.Nihstro == nil {
		return
	}
	in := shaderunit.Instr{Op: row.Op, Src: [3]shaderunit.SrcReg{src(s)}, Idx: s.idx}
	a.encode(st, in, mask|selectors(s), picasso.DescDst|picasso.DescSrc1)
}

var compareNames = []string{"eq", "ne", "lt", "le", "gt", "ge"}

func (a *assembler) compareOp(w word) (shaderunit.CompareOp, bool) {
	for i, n := range compareNames {
		if sameFold(n, w.text) {
			return shaderunit.CompareOp(i), true
		}
	}
	a.err(w, fmt.Sprintf("unknown comparison %q", w.text), strings.Join(compareNames, ", "), didYouMean(w.text, compareNames))
	return 0, false
}

func (a *assembler) compare(st *statement, row *shaderunit.OpInfo) {
	args, ok := st.args("source 1", "the comparison for x", "the comparison for y", "source 2")
	if !ok {
		return
	}
	s1 := a.parseReg(args[0], true)
	x, okX := a.compareOp(args[1])
	y, okY := a.compareOp(args[2])
	a.test(st, row, s1, a.parseReg(args[3], false), x, y, okX && okY)
}

// test assembles a comparison. known is false if the operators are not known.
func (a *assembler) test(st *statement, row *shaderunit.OpInfo, s1, s2 operand, x, y shaderunit.CompareOp, known bool) {
	ok1 := a.checkWide(&s1, 1)
	ok2 := a.checkNarrow(&s2, 2, "exchange the sources and turn the comparisons round")
	if !ok1 || !ok2 || !known {
		return
	}
	in := shaderunit.Instr{Op: row.Op, Src: [3]shaderunit.SrcReg{src(s1), src(s2)}, Idx: s1.idx, CmpX: x, CmpY: y}
	a.encode(st, in, selectors(s1, s2), picasso.DescSrc1|picasso.DescSrc2)
}

func (a *assembler) multiplyAdd(st *statement, row *shaderunit.OpInfo) {
	args, ok := st.args("the destination register", "source 1", "source 2", "source 3")
	if !ok {
		return
	}
	a.ternary(st, row, a.parseReg(args[0], false), a.parseReg(args[1], false), a.parseReg(args[2], true), a.parseReg(args[3], true))
}

// ternary assembles an operation on three sources.
func (a *assembler) ternary(st *statement, row *shaderunit.OpInfo, dst, s1, s2, s3 operand) {
	dstOK := a.checkDst(&dst)
	ok1 := a.checkNarrow(&s1, 1, "a float uniform can be source 2 or 3 of mad")
	if s2.bad || s3.bad {
		return
	}
	in := shaderunit.Instr{Op: row.Op, Dst: shaderunit.DstReg(dst.reg & 0x1F)}
	invert := s2.reg < picasso.RegFloat && (s3.reg >= picasso.RegFloat || s3.idx != 0 && s2.idx == 0)
	var ok2, ok3 bool
	if invert {
		in.Op, in.Idx = row.Inverted, s3.idx
		ok2, ok3 = a.checkNarrow(&s2, 2, "relative addressing belongs to the float uniform in source 3"), a.checkWide(&s3, 3)
	} else {
		in.Idx = s2.idx
		ok2, ok3 = a.checkWide(&s2, 2), a.checkNarrow(&s3, 3, "an instruction can read one float uniform; copy the other to a temporary register first")
	}
	if !dstOK || !ok1 || !ok2 || !ok3 || a.differentInputs(s1, s2, s3) {
		return
	}
	in.Src = [3]shaderunit.SrcReg{src(s1), src(s2), src(s3)}
	a.encode(st, in, uint32(maskOf(dst.swizzle))|selectors(s1, s2, s3), picasso.DescDst|picasso.DescSrc1|picasso.DescSrc2|picasso.DescSrc3)
}

func (a *assembler) setEmit(st *statement, row *shaderunit.OpInfo) {
	id, ok := st.need("the vertex number, 0 to 2")
	if !ok {
		return
	}
	flags, _ := st.arg()
	if !st.done() {
		return
	}
	n, ok := a.integer(id, 0, 2)
	in := shaderunit.Instr{Op: row.Op, VertexID: uint8(n)}
	for c := (cursor{flags}); ; {
		f, more := c.argBlank()
		if !more {
			break
		}
		switch lower(f.text) {
		case "prim", "primitive":
			in.PrimEmit = true
		case "inv", "invert":
			in.Winding = true
		default:
			// The reference assembler prints this and continues.
			a.warn(f, fmt.Sprintf("unknown setemit flag %q is ignored", f.text), "prim and inv are known")
		}
	}
	if e := a.dvle(); !e.geometry {
		e.geometry, e.legacy = true, true
	}
	if !ok {
		return
	}
	w, _ := in.Encode()
	a.emit(w, st)
}

// integer parses a number like strtoll with base 0 and checks its range.
func (a *assembler) integer(w word, low, high int64) (int, bool) {
	v, tail, ok := parseLong(w.text, 0)
	if !ok || v < low || v > high {
		a.err(w, fmt.Sprintf("invalid value %q", w.text), fmt.Sprintf("a number from %d to %d", low, high), "")
		return 0, false
	}
	if tail != "" {
		a.warn(w.from(len(w.text)-len(tail)), fmt.Sprintf("%q after the number is ignored", tail), "")
	}
	return int(v), true
}
