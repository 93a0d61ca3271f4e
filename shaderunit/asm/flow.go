package asm

import (
	"fmt"
	"strings"

	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// Bits of format 2 and 3 words.
const (
	flowRefX = 1 << 25
	flowRefY = 1 << 24
	flowCond = 22
)

// tooLongFor reports a block whose length does not fit its instruction.
func (a *assembler) tooLongFor(what string, length int, by string, pos Pos, line, hint string) {
	d := Diagnostic{Pos: pos, Severity: Error, Hint: hint, Source: line,
		Msg:      fmt.Sprintf("%s has %d instructions, of which %s would run %d", what, length, by, length&0xFF),
		Expected: fmt.Sprintf("at most %d", shaderunit.BlockLength)}
	if a.opt.Picasso {
		d.Severity = Warning
	}
	a.report(d)
}

// target checks the name of a label or procedure.
func (a *assembler) target(w word) bool {
	if !picasso.ValidIdentifier(w.text) {
		a.err(w, fmt.Sprintf("invalid target %q", w.text), "the name of a procedure or label", "")
		return false
	}
	return true
}

// refer notes that the next word has a name as its target.
func (a *assembler) refer(list *[]reloc, w word) {
	if list == &a.calls {
		a.index.uses(w, SymbolProcedure)
	} else {
		a.index.uses(w, SymbolLabel)
	}
	*list = append(*list, reloc{len(a.code), w.text, a.pos(w), a.raw})
}

// conditional assembles the flow control of format 2, whose condition is on cmp.x
// and cmp.y.
func (a *assembler) conditional(st *statement, row *shaderunit.OpInfo) {
	if row.Op == shaderunit.OpCALL {
		a.branch(st, row, 0, true)
		return
	}
	cond, ok := st.need("a condition on cmp.x and cmp.y")
	if !ok {
		return
	}
	bits, condOK := a.condition(cond)
	a.branch(st, row, bits, condOK)
}

// branch reads what follows a condition, whose bits are given: the target of a
// call or jump, nothing for an if or a break.
func (a *assembler) branch(st *statement, row *shaderunit.OpInfo, bits uint32, condOK bool) {
	what, list := "the name of a procedure", &a.calls
	switch row.Flow {
	case shaderunit.FlowJump:
		what, list = "the name of a label", &a.fileJumps
		fallthrough
	case shaderunit.FlowCall:
		dst, ok := st.need(what)
		if !ok || !st.done() || !a.target(dst) || !condOK {
			return
		}
		a.refer(list, dst)
	default:
		if !st.done() || !condOK || row.Flow == shaderunit.FlowIf && !a.push(block{kind: blockIf, start: len(a.code)}, st) {
			return
		}
	}
	a.emit(uint32(row.Op)<<26|bits, st)
}

// condition parses flag, flag && flag or flag || flag.
func (a *assembler) condition(w word) (bits uint32, ok bool) {
	bits = flowRefX | flowRefY
	first := w
	second := -1
	if at := strings.IndexAny(w.text, "&|"); at >= 0 {
		op := w.text[at]
		right := w.from(at + 1)
		if strings.HasPrefix(right.text, string(op)) {
			right = right.from(1)
		}
		first, right = w.to(at).trim(), right.trim()
		if op == '&' {
			bits |= 1 << flowCond
		}
		if second, ok = a.flag(right, &bits); !ok {
			return 0, false
		}
	}
	n, ok := a.flag(first, &bits)
	if !ok {
		return 0, false
	}
	if n == second {
		a.err(w, "the same flag is tested twice", "cmp.x and cmp.y", "")
		return 0, false
	}
	if second < 0 {
		bits |= uint32(n+2) << flowCond
	}
	return bits, true
}

// flag parses cmp.x or cmp.y with any number of '!' before it.
func (a *assembler) flag(w word, bits *uint32) (n int, ok bool) {
	name := w
	invert := false
	for strings.HasPrefix(name.text, "!") {
		name, invert = name.from(1), !invert
	}
	ref := uint32(flowRefX)
	switch lower(name.text) {
	case "cmp.x":
	case "cmp.y":
		n, ref = 1, flowRefY
	default:
		a.err(w, fmt.Sprintf("invalid condition %q", w.text), "cmp.x or cmp.y, '!' before it to invert", didYouMean(name.text, []string{"cmp.x", "cmp.y"}))
		return 0, false
	}
	if invert {
		*bits ^= ref
	}
	return n, true
}

// byUniform assembles the flow control of format 3, which depends on a bool
// uniform, or on an int uniform for loops.
func (a *assembler) byUniform(st *statement, row *shaderunit.OpInfo) {
	if row.Op == shaderunit.OpLOOP {
		a.loop(st, row)
		return
	}
	name, ok := st.need("a bool uniform")
	if !ok {
		return
	}
	var invert uint32
	if strings.HasPrefix(name.text, "!") {
		if row.Op != shaderunit.OpJMPU {
			a.err(name, fmt.Sprintf("%s cannot invert its condition", row.Name), "a bool uniform without '!'", invertHint(row.Op))
			return
		}
		name, invert = name.from(1), 1
	}
	reg := a.parseReg(name, false)
	regOK := a.checkBool(&reg)
	a.branch(st, row, uint32(reg.reg-picasso.RegBool)<<flowCond|invert, regOK)
}

func invertHint(op shaderunit.Opcode) string {
	if op == shaderunit.OpIFU {
		return "put the code in the .else part"
	}
	return "jmpu takes an inverted condition"
}

func (a *assembler) loop(st *statement, row *shaderunit.OpInfo) {
	args, ok := st.args("an int uniform")
	if !ok {
		return
	}
	reg := a.parseReg(args[0], false)
	if !a.checkInt(&reg) || !a.push(block{kind: blockFor, start: len(a.code)}, st) {
		return
	}
	if n := reg.reg - picasso.RegInt; n >= shaderunit.IntUniforms {
		a.warn(args[0], fmt.Sprintf("i%d does not exist on the hardware", n), "i0-i3")
	}
	a.emit(uint32(row.Op)<<26|uint32(reg.reg-picasso.RegInt)<<22, st)
}

// endsBadly reports whether the last instruction is a jump or call, which must
// not end a block.
func (a *assembler) endsBadly() bool {
	if len(a.code) == 0 {
		return false
	}
	f := shaderunit.Opcode(a.code[len(a.code)-1] >> 26).Flow()
	return f == shaderunit.FlowJump || f == shaderunit.FlowCall
}

// endsInBreak is endsBadly for a break at the end of a loop.
func (a *assembler) endsInBreak() bool {
	return shaderunit.Opcode(a.code[len(a.code)-1]>>26).Flow() == shaderunit.FlowBreak
}

func (a *assembler) elseBlock(st *statement) {
	if !st.done() {
		return
	}
	if len(a.blocks) == 0 {
		a.err(st.name, ".else without an if", "ifc or ifu before it", "")
		return
	}
	b := &a.blocks[len(a.blocks)-1]
	switch {
	case b.kind == blockBad:
		return
	case b.kind != blockIf:
		a.err(st.name, ".else without an if", "ifc or ifu as the innermost open block", "open since "+b.pos.String())
		return
	case b.elseAt != 0:
		a.err(st.name, "second .else of one if", ".end", "if at "+b.pos.String())
		return
	}
	switch {
	case a.afterEnd:
		a.padding(st)
		a.afterEnd = false
	case a.endsBadly() || len(a.code)-b.start < 2:
		a.padding(st)
	}
	b.elseAt = len(a.code)
	a.code[b.start] = a.code[b.start]&^(0xFFF<<10) | uint32(b.elseAt)<<10
}

func (a *assembler) endBlock(st *statement) {
	if !st.done() {
		return
	}
	if len(a.blocks) == 0 {
		a.err(st.name, ".end without an open block", ".proc, for, ifc, ifu or .constfa before it", "")
		return
	}
	b := a.blocks[len(a.blocks)-1]
	a.blocks = a.blocks[:len(a.blocks)-1]
	a.suspectEnd(st, &b)
	switch b.kind {
	case blockBad:
		return
	case blockArray:
		a.endArray(&b)
		return
	}
	least := 2 // words from the start that need no padding: the first one and one more
	if b.kind == blockProc {
		least = 1
	}
	switch {
	case a.afterEnd:
		a.padding(st)
		a.afterEnd = false
	case len(a.code) == 0:
	case a.endsBadly() || b.kind == blockFor && a.endsInBreak() || len(a.code)-b.start < least:
		a.padding(st)
	}
	here := len(a.code)
	switch b.kind {
	case blockProc:
		// Keep a procedure of the same name that was closed inside this one.
		if _, dup := a.procs[b.name.text]; !dup {
			a.procs[b.name.text] = proc{b.start, here - b.start, b.pos, b.line}
			a.procOrder = append(a.procOrder, b.name.text)
		}
	case blockFor:
		a.code[b.start] = a.code[b.start]&^(0xFFF<<10) | uint32(here-1)<<10
		a.afterEnd = true
	case blockIf:
		if b.elseAt == 0 {
			a.code[b.start] = a.code[b.start]&^(0xFFF<<10) | uint32(here)<<10
		} else {
			if here-b.elseAt > shaderunit.BlockLength {
				a.tooLongFor("the .else part of this if", here-b.elseAt, "an if", b.pos, b.line, "the other part may be of any length")
			}
			a.code[b.start] = a.code[b.start]&^0x3FF | uint32(here-b.elseAt)
		}
		a.afterEnd = true
	}
}
