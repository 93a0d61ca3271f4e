package asm

import (
	"fmt"
	"slices"

	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

func (n *nihstro) arithmetic(st *statement, row *shaderunit.OpInfo) {
	count := row.Format.Sources()
	if !row.WritesAddress() && row.Format != shaderunit.Format1c {
		count++
	}
	t, more, ok := n.operands(st, count)
	switch {
	case !more:
	case row.Format == shaderunit.Format1c:
		n.compare(st, row, t, ok)
	case !st.done() || !ok:
	case row.WritesAddress():
		if n.counts(2, t[0]) {
			n.reads(t[0])
			t[0].lay(0xF)
			mask := uint32(8 | 4)
			if n.a.opt.Nihstro != nil {
				mask = 0
				n.a.warn(st.name, "this mova writes no register, as that of nihstro-assemble", "pica200 asm writes a0 and a1")
			}
			n.a.address(st, row, mask, t[0].operand)
		}
	default:
		n.compute(st, row, t)
	}
}

// operands reads operands. It returns false for more if the statement ends
// before, and for ok if one of them is wrong.
func (n *nihstro) operands(st *statement, count int) (t []term, more, ok bool) {
	ok = true
	for range count {
		w, more := st.need("an operand")
		if !more {
			return nil, false, false
		}
		op, good := n.term(w)
		ok = ok && good
		t = append(t, op)
	}
	return t, true, ok
}

// counts checks how many components operands have.
func (n *nihstro) counts(want int, list ...term) bool {
	for _, t := range list {
		if len(t.comps) != want {
			n.a.err(t.word, fmt.Sprintf("%q has %d components", t.text, len(t.comps)), fmt.Sprintf("%d", want), "components come after the register: "+t.text+"."+"xyzw"[:want])
			return false
		}
	}
	return true
}

// wide reports whether only the wide source of an instruction takes the
// operand.
func (t *term) wide() bool { return t.kind == 'c' || t.idx != shaderunit.AddrNone }

// compute assembles an instruction with a destination, t[0], and its sources.
func (n *nihstro) compute(st *statement, row *shaderunit.OpInfo, t []term) {
	a := n.a
	n.reads(t[1:]...)
	if a.opt.Nihstro != nil && len(t) == 4 {
		n.multiplyAdd(t)
	} else if len(t) == 3 && t[2].wide() && !t[1].wide() && row.Commutes() || len(t) == 4 && t[1].wide() {
		t[1], t[2] = t[2], t[1]
	}
	var mask uint8
	for _, c := range t[0].comps {
		mask |= 8 >> c
	}
	t[0].swizzle = maskSwizzle(mask)
	first, second, lay := len(t[0].comps), len(t[0].comps), mask // the components of the sources
	switch {
	case row.Op == shaderunit.OpDP3:
		first, second, lay = 3, 3, 0xF
	case row.Op == shaderunit.OpDP4:
		first, second, lay = 4, 4, 0xF
	case row.Op == shaderunit.OpDPH && !t[2].wide():
		first, second, lay = 4, 3, 0xF // as in the tool
	}
	if !n.counts(first, t[1]) || !n.counts(second, t[2:]...) {
		return
	}
	for i := range t[1:] {
		t[1+i].lay(lay)
	}
	switch len(t) {
	case 2:
		missing := term{comps: allComponents} // what the tool selects for a missing source
		missing.lay(lay)
		a.idle = uint32(missing.swizzle) << 14
		a.unary(st, row, t[0].operand, t[1].operand)
		a.idle = 0
	case 3:
		a.binary(st, row, t[0].operand, t[1].operand, t[2].operand)
	case 4:
		a.ternary(st, row, t[0].operand, t[1].operand, t[2].operand, t[3].operand)
	}
}

// multiplyAdd changes the sources of mad as the tool does: it exchanges the factors only before a
// uniform, cuts the others to five bits, and forgets the address register.
func (n *nihstro) multiplyAdd(t []term) {
	narrow := []int{1, 3}
	if t[3].wide() {
		narrow = []int{1, 2}
		if t[2].wide() {
			t[1], t[2] = t[2], t[1]
		}
	}
	for i := range t {
		if t[i].idx != shaderunit.AddrNone || slices.Contains(narrow, i) && t[i].kind == 'c' {
			n.a.warn(t[i].word, fmt.Sprintf("%q becomes another register in this place, as in the file of nihstro-assemble", t[i].text), "")
		}
		t[i].idx = shaderunit.AddrNone
		if slices.Contains(narrow, i) {
			t[i].reg &= 0x1F
		}
	}
}

// maskSwizzle returns a selection with the components of a mask, bit 3 = x.
func maskSwizzle(mask uint8) (s uint8) {
	last := uint8(0)
	k := 0
	for i := range uint8(4) {
		if mask>>(3-i)&1 != 0 {
			last = i
			s |= i << (6 - 2*k)
			k++
		}
	}
	for ; k < 4; k++ {
		s |= last << (6 - 2*k)
	}
	return s
}

// reads notes the inputs that an instruction reads, because the language does
// not require their declaration.
func (n *nihstro) reads(list ...term) {
	for _, t := range list {
		if t.kind == 'v' {
			n.a.dvle().inMask |= 1 << t.reg
		}
	}
}

var nihstroCompare = map[string]shaderunit.CompareOp{"==": shaderunit.CompareEQ, "!=": shaderunit.CompareNE, "<": shaderunit.CompareLT,
	"<=": shaderunit.CompareLE, ">": shaderunit.CompareGT, ">=": shaderunit.CompareGE}

// compare reads cmp a, b, op, op.
func (n *nihstro) compare(st *statement, row *shaderunit.OpInfo, t []term, ok bool) {
	a := n.a
	var ops [2]shaderunit.CompareOp
	for i := range ops {
		w, more := st.need("a comparison")
		if !more {
			return
		}
		known := false
		if ops[i], known = nihstroCompare[w.text]; !known {
			a.err(w, fmt.Sprintf("unknown comparison %q", w.text), "==, !=, <, <=, > or >=", "")
			ok = false
		}
	}
	if !st.done() || !ok {
		return
	}
	for i := range t {
		if len(t[i].comps) != 2 {
			a.err(t[i].word, fmt.Sprintf("%q has %d components", t[i].text, len(t[i].comps)), "2, for the two flags", "")
			return
		}
		t[i].lay(0xF)
	}
	n.reads(t...)
	if t[1].kind == 'c' {
		turned := [...]shaderunit.CompareOp{shaderunit.CompareLT: shaderunit.CompareGT, shaderunit.CompareGT: shaderunit.CompareLT,
			shaderunit.CompareLE: shaderunit.CompareGE, shaderunit.CompareGE: shaderunit.CompareLE, shaderunit.CompareNE: shaderunit.CompareNE}
		t[0], t[1], ops[0], ops[1] = t[1], t[0], turned[ops[0]], turned[ops[1]]
	}
	a.test(st, row, t[0].operand, t[1].operand, ops[0], ops[1], true)
}

// jump reads jmp label if condition, and call label until label [if condition].
func (n *nihstro) jump(st *statement, name string, rest word) {
	a := n.a
	m := parts(nihstroJump(), rest)
	switch {
	case m == nil:
		a.err(st.name, fmt.Sprintf("%s: %q is not a target", name, rest.text), "jmp label if condition, or call label until label", "")
	case name == "jmp" && (m[1].text != "" || m[2].text == ""):
		a.err(st.name, "a jump has a condition, and no \"until\"", "jmp label if condition", "")
	case name == "jmp":
		before := len(a.fileJumps)
		a.refer(&a.fileJumps, m[0])
		if !n.condition(st, name, m[2], 0) {
			a.fileJumps = a.fileJumps[:before]
		}
		return
	case m[1].text == "":
		a.err(st.name, "a call names the label after its last instruction", "call label until label", "")
	default:
		s := a.stretch(st, m[0], m[1])
		if m[2].text == "" {
			a.emit(uint32(shaderunit.OpCALL)<<26, st)
		} else if !n.condition(st, name, m[2], 0) {
			return
		}
		n.calls = append(n.calls, s)
		return
	}
	a.placeholder(st)
}

// condition assembles an instruction that depends on cc.x, a bool uniform or an
// int uniform.
func (n *nihstro) condition(st *statement, name string, w word, bits uint32) bool {
	a := n.a
	fail := func(msg, expected string) bool {
		a.err(w, msg, expected, "")
		a.placeholder(st)
		if name == "if" || name == "loop" {
			a.push(block{kind: blockBad}, st)
		}
		return false
	}
	m := parts(nihstroTest(), w)
	if m == nil {
		return fail(fmt.Sprintf("%s: invalid condition %q", name, w.text), "cc.x, !cc.y, cc.x && cc.y, or a uniform")
	}
	var op shaderunit.Opcode
	if m[1].text == "cc" {
		op = byFlags[name]
		cond, x, y, ok := nihstroFlags(m)
		if op == 0 || !ok {
			return fail(fmt.Sprintf("%s: invalid condition %q", name, w.text), "cc.x or cc.y, with ! before it to invert, and && or || between two")
		}
		bits |= flags(cond, x, y)
	} else {
		reg, ok := n.resolve(m[1])
		if !ok {
			a.placeholder(st)
			return false
		}
		op = byBool[name]
		if name == "loop" {
			op = shaderunit.OpLOOP
		}
		base := picasso.RegBool
		if op == shaderunit.OpLOOP {
			base = picasso.RegInt
		}
		if kind := map[bool]byte{true: 'i', false: 'b'}[op == shaderunit.OpLOOP]; op == 0 || reg.kind != kind || m[0].text != "" || m[2].text != "" || m[3].text != "" {
			return fail(fmt.Sprintf("%s cannot go by %q", name, w.text), map[bool]string{true: "an int uniform", false: "cc, or a bool uniform without !"}[name == "loop"])
		}
		bits |= uint32(reg.reg-base) << flowCond
	}
	if name == "if" && !a.push(block{kind: blockIf, start: len(a.code)}, st) || name == "loop" && !a.push(block{kind: blockFor, start: len(a.code)}, st) {
		return false
	}
	a.emit(uint32(op)<<26|bits, st)
	return true
}

// nihstroFlags parses a condition on cc: cc.xy is both flags.
func nihstroFlags(m []word) (op shaderunit.CondOp, x, y, ok bool) {
	first, second := m[2].text, m[6].text
	if m[3].text == "" {
		want := m[0].text == ""
		switch first {
		case "x":
			return shaderunit.CondX, want, true, true
		case "y":
			return shaderunit.CondY, true, want, true
		case "xy":
			return shaderunit.CondAnd, want, want, true
		}
		return 0, false, false, false
	}
	if m[3].text == "&&" {
		op = shaderunit.CondAnd
	}
	x, y = m[0].text == "", m[4].text == ""
	if first == "y" {
		x, y = y, x
	}
	return op, x, y, m[5].text == "cc" && (first == "x" && second == "y" || first == "y" && second == "x")
}

// blockEnd reads else, endif and endloop.
func (n *nihstro) blockEnd(st *statement, name string) {
	a := n.a
	kind, opener := blockIf, "if"
	if name == "endloop" {
		kind, opener = blockFor, "loop"
	}
	if len(a.blocks) == 0 || a.blocks[len(a.blocks)-1].kind != kind && a.blocks[len(a.blocks)-1].kind != blockBad {
		a.err(st.name, fmt.Sprintf("%s without %s", name, opener), opener+" as the innermost open block", "")
		return
	}
	if name == "else" {
		a.elseBlock(st)
	} else {
		a.endBlock(st)
	}
}
