package asm

import (
	"fmt"
	"strings"

	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// operand is a register as written in an instruction.
type operand struct {
	word
	reg     int // in the space of alloc.go
	swizzle uint8
	negate  bool
	idx     shaderunit.AddrReg
	kind    byte // the letter in the register's name, 0 if it has none
	// bad is set if an error was reported already, here or at the declaration of
	// the name, so that this operand gets no further errors.
	bad bool
}

// alias is a name for a register.
type alias struct {
	reg     int
	swizzle uint8
	negate  bool
	kind    byte
	size    int  // registers declared with the name, 0 if none
	bad     bool // its declaration had an error
}

const anyRegister = "a register (o0-o15, v0-v14, r0-r15, c0-c95, i0-i7, b0-b15) or a declared name"

// parseSwizzle reads up to four component letters; the last one is repeated. No
// letters mean x.
func parseSwizzle(s string) (uint8, bool) {
	if len(s) > 4 {
		return 0, false
	}
	var out, comp uint8
	for i := range 4 {
		if i < len(s) {
			k := strings.IndexByte("xyzwrgbastpq", s[i]|0x20)
			if k < 0 || !picasso.IsAlpha(s[i]) {
				return 0, false
			}
			comp = uint8(k) & 3
		}
		out |= comp << (6 - 2*i)
	}
	return out, true
}

// maskOf returns the components of a destination swizzle, bit 3 = x.
func maskOf(swizzle uint8) (mask uint8) {
	for i := range 4 {
		mask |= 8 >> (swizzle >> (2 * i) & 3)
	}
	return mask
}

// inOrder reports whether the components of a destination swizzle are in the
// order x, y, z, w (repeats allowed).
func inOrder(swizzle uint8) bool {
	return swizzle>>6 <= swizzle>>4&3 && swizzle>>4&3 <= swizzle>>2&3 && swizzle>>2&3 <= swizzle&3
}

// combine applies swizzle outer to a register that already has swizzle inner.
func combine(outer, inner uint8) (out uint8) {
	for i := range 4 {
		comp := outer >> (6 - 2*i) & 3
		out |= inner >> (6 - 2*comp) & 3 << (6 - 2*i)
	}
	return out
}

// addrRegister reads the current or older name of an address register.
func addrRegister(s string) shaderunit.AddrReg {
	switch lower(s) {
	case "a0", "a0.x":
		return shaderunit.AddrA0X
	case "a1", "a0.y":
		return shaderunit.AddrA0Y
	case "a2", "lcnt", "al":
		return shaderunit.AddrAL
	}
	return shaderunit.AddrNone
}

// parseReg reads a register operand: [-]name[[offset]][.swizzle], where name is a
// register or an alias and offset may hold an address register if relative is set.
func (a *assembler) parseReg(w word, relative bool) (op operand) {
	op = operand{word: w, swizzle: shaderunit.SwizzleXYZW, bad: true}
	name := w
	if strings.HasPrefix(name.text, "-") {
		op.negate = true
		name = name.from(1)
	}
	if hint := numberHint(name.text); hint != "" {
		a.err(w, fmt.Sprintf("a number cannot be an operand: %q", w.text), anyRegister, hint)
		return op
	}
	tail := name
	offset := 0
	if open := strings.IndexByte(name.text, '['); open >= 0 {
		index := name.from(open + 1)
		end := strings.IndexByte(index.text, ']')
		if end < 0 {
			a.err(name.from(open), fmt.Sprintf("no closing bracket in %q", w.text), "']'", "")
			return op
		}
		tail = index.from(end + 1)
		var ok bool
		if offset, op.idx, ok = a.parseIndex(index.to(end).trim(), relative); !ok {
			return op
		}
		name = name.to(open)
		if dot := strings.IndexByte(tail.text, '.'); dot > 0 || dot < 0 && tail.text != "" {
			a.warn(tail, fmt.Sprintf("%q after the bracket is ignored", tail.text), "")
		}
	}
	if dot := strings.IndexByte(tail.text, '.'); dot >= 0 {
		swizzle := tail.from(dot + 1)
		var ok bool
		if op.swizzle, ok = parseSwizzle(swizzle.text); !ok {
			hint := commaHint(swizzle)
			if strings.Contains(swizzle.text, "//") {
				hint = commentHint
			}
			a.err(swizzle, fmt.Sprintf("invalid component selection %q", swizzle.text), "one to four of xyzw, rgba or stpq", hint)
			return op
		}
		if swizzle.text == "" {
			a.warn(tail.from(dot), "a dot without components selects x", "")
		}
		if tail.off == name.off { // no bracket: the dot ends the name
			name = name.to(dot)
		}
	}
	if al, ok := a.aliases[name.text]; ok {
		a.index.uses(name, SymbolAlias)
		op.reg = al.reg + offset
		if al.size > 0 && offset >= al.size && op.idx == shaderunit.AddrNone {
			a.lintNote("array-index", w, "%s is element %d of %s, which has %d", w.text, offset, name.text, al.size)
		}
		op.kind = al.kind
		op.negate = op.negate != al.negate
		op.swizzle = combine(op.swizzle, al.swizzle)
		op.bad = al.bad
		return op
	}
	return a.parseNumbered(op, name, offset)
}

// parseIndex reads the text in brackets: a number, an address register, or an
// address register, '+' and a number.
func (a *assembler) parseIndex(w word, relative bool) (offset int, idx shaderunit.AddrReg, ok bool) {
	noRelative := func() bool {
		if !relative {
			a.err(w, fmt.Sprintf("%q: an address register cannot be used here", w.text), "a number",
				"only the wide source operand of an instruction takes one")
		}
		return relative
	}
	number := w
	if idx = addrRegister(w.text); idx != shaderunit.AddrNone {
		return 0, idx, noRelative()
	}
	if plus := strings.IndexByte(w.text, '+'); plus >= 0 {
		if !noRelative() {
			return 0, 0, false
		}
		reg := w.to(plus).trim()
		number = w.from(plus + 1).trim()
		if idx = addrRegister(reg.text); idx == shaderunit.AddrNone {
			a.err(reg, fmt.Sprintf("invalid address register %q", reg.text), "a0.x, a0.y or aL before '+'",
				didYouMean(reg.text, []string{"a0.x", "a0.y", "aL"}))
			return 0, 0, false
		}
	}
	n := atoi(number.text)
	if n < 0 {
		a.err(number, fmt.Sprintf("invalid register offset %q", number.text), "0 or more", "")
		return 0, 0, false
	}
	if _, tail, isNumber := parseLong(number.text, 10); !isNumber || tail != "" {
		a.warn(number, fmt.Sprintf("%q is read as %d", number.text, n), "")
	}
	return int(n), idx, true
}

// parseNumbered reads a register by letter and number.
func (a *assembler) parseNumbered(op operand, name word, offset int) operand {
	s := name.text
	if len(s) < 2 || strings.IndexByte("ovrcib", s[0]|0x20) < 0 || !picasso.IsAlpha(s[0]) || !picasso.IsDigit(s[1]) {
		hint := a.suggestRegister(s)
		if c := commaHint(name); c != "" {
			hint = c
		} else if dot := strings.IndexByte(s, '.'); dot >= 0 {
			hint = "components come after the bracket: " + s[:dot] + "[...]" + s[dot:]
		}
		a.err(name, fmt.Sprintf("unknown register %q", s), anyRegister, hint)
		return op
	}
	n, tail, _ := parseLong(s[1:], 0)
	if n < 0 || n > 255 {
		a.err(name, fmt.Sprintf("register number out of range: %s", s), "at most 255", "")
		return op
	}
	if tail != "" {
		hint := ""
		if strings.Contains(tail, "//") {
			hint = commentHint
		}
		a.warn(name.from(len(s)-len(tail)), fmt.Sprintf("%q after the register number is ignored", tail), hint)
	} else if len(s) > 2 && s[1] == '0' {
		a.warn(name, fmt.Sprintf("a leading 0 makes the number octal (or hexadecimal): %s is %c%d", s, s[0], n), "")
	}
	reg := int(n)
	op.kind = s[0]
	limit := 0
	what := ""
	switch s[0] {
	case 'o':
		limit, what = a.dvle().outputRegisters(), "output"
	case 'v':
		limit, what = 15, "input"
	case 'r':
		limit, what = 16, "temporary"
		reg += picasso.RegTemp
	case 'c':
		limit, what = 96, "float uniform"
		reg += picasso.RegFloat
	case 'i':
		limit, what = 8, "int uniform"
		reg += picasso.RegInt
	case 'b':
		limit, what = 16, "bool uniform"
		reg += picasso.RegBool
	default:
		// The reference assembler accepts the letter in upper case, but then does not
		// add the start of its range.
		op.kind = 0
		a.warn(name, fmt.Sprintf("a register in upper case is taken without its letter: %s is register number 0x%02X", s, reg),
			"write "+lower(s))
	}
	if limit > 0 && int(n) >= limit {
		hint := ""
		if s[0] == 'v' && n == 15 {
			hint = "the language has no direct name for v15; write v14[1] or give it an alias with .in"
		}
		if s[0] == 'o' && limit < 16 && n < 16 {
			hint = "a geometry shader has fewer output registers"
		}
		a.err(name, fmt.Sprintf("no such %s register: %s", what, s), fmt.Sprintf("%c0-%c%d", s[0], s[0], limit-1), hint)
		return op
	}
	if op.idx != shaderunit.AddrNone && (reg < picasso.RegFloat || reg >= picasso.RegInt) {
		a.err(op.word, fmt.Sprintf("%s cannot be addressed relatively", s), "a float uniform before an address register", "")
		return op
	}
	op.reg = reg + offset
	op.bad = false
	return op
}

// suggestRegister suggests a declared name of this file that is similar to s.
func (a *assembler) suggestRegister(s string) string {
	return suggestFrom(a, s, a.aliases)
}

// Checks for the position of an operand. Each reports a wrong operand and returns
// false.

func (a *assembler) checkDst(op *operand) bool {
	if op.bad {
		return false
	}
	if op.reg >= picasso.RegFloat {
		a.err(op.word, fmt.Sprintf("%q cannot be written", op.text), "a destination: o0-o15, r0-r15 or a name for one", "")
		return false
	}
	if op.negate {
		a.warn(op.word, "the sign of a destination has no meaning", "")
	}
	if op.kind == 'v' {
		a.warn(op.word, fmt.Sprintf("an input register cannot be written; as a destination this is o%d", op.reg), "")
	}
	if !inOrder(op.swizzle) {
		a.warn(op.word, "the order of components has no effect in a destination", "")
	}
	return true
}

func (a *assembler) checkWide(op *operand, n int) bool {
	if op.bad {
		return false
	}
	if op.reg >= picasso.RegInt {
		a.err(op.word, fmt.Sprintf("%q cannot be source %d", op.text, n), "v0-v14, r0-r15, c0-c95 or a name for one", "")
		return false
	}
	a.warnOutputRead(op)
	return true
}

func (a *assembler) checkNarrow(op *operand, n int, hint string) bool {
	if op.bad {
		return false
	}
	if op.reg >= picasso.RegFloat {
		if op.reg >= picasso.RegInt {
			hint = ""
		}
		a.err(op.word, fmt.Sprintf("%q cannot be source %d", op.text, n), "v0-v14, r0-r15 or a name for one, which fit in five bits", hint)
		return false
	}
	if op.idx != shaderunit.AddrNone {
		a.err(op.word, fmt.Sprintf("source %d cannot be addressed relatively", n), "no address register in this operand", hint)
		return false
	}
	a.warnOutputRead(op)
	return true
}

func (a *assembler) warnOutputRead(op *operand) {
	if op.kind == 'o' && op.reg < picasso.RegTemp {
		a.warn(op.word, fmt.Sprintf("an output register cannot be read; as a source this is v%d", op.reg), "")
	}
}

func (a *assembler) checkInt(op *operand) bool {
	return a.checkUniform(op, picasso.RegInt, picasso.RegBool, "an int uniform", "i0-i3 or a name from .ivec or .consti")
}

func (a *assembler) checkBool(op *operand) bool {
	return a.checkUniform(op, picasso.RegBool, picasso.RegEnd, "a bool uniform", "b0-b15 or a name from .bool")
}

// checkUniform checks for a register from first up to end.
func (a *assembler) checkUniform(op *operand, first, end int, what, expected string) bool {
	if !op.bad && (op.reg < first || op.reg >= end) {
		a.err(op.word, fmt.Sprintf("%q is not %s", op.text, what), expected, "")
		op.bad = true
	}
	return !op.bad
}
