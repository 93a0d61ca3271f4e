package asm

import (
	"fmt"
	"slices"
	"strings"

	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// directives maps a directive's name, without the period, to its function.
var directives map[string]func(*assembler, *statement)

func init() {
	directives = map[string]func(*assembler, *statement){
		"proc":    (*assembler).procBlock,
		"else":    (*assembler).elseBlock,
		"end":     (*assembler).endBlock,
		"alias":   (*assembler).aliasDirective,
		"fvec":    func(a *assembler, st *statement) { a.uniformDirective(st, picasso.TypeFloat) },
		"ivec":    func(a *assembler, st *statement) { a.uniformDirective(st, picasso.TypeInt) },
		"bool":    func(a *assembler, st *statement) { a.uniformDirective(st, picasso.TypeBool) },
		"constf":  func(a *assembler, st *statement) { a.constDirective(st, picasso.TypeFloat) },
		"consti":  func(a *assembler, st *statement) { a.constDirective(st, picasso.TypeInt) },
		"constfa": (*assembler).constArrayDirective,
		"in":      (*assembler).inDirective,
		"out":     (*assembler).outDirective,
		"entry":   (*assembler).entryDirective,
		"nodvle":  (*assembler).noDVLEDirective,
		"gsh":     (*assembler).gshDirective,
		"setf":    func(a *assembler, st *statement) { a.setDirective(st, picasso.TypeFloat) },
		"seti":    func(a *assembler, st *statement) { a.setDirective(st, picasso.TypeInt) },
		"setb":    (*assembler).setBoolDirective,
		"options": (*assembler).optionsDirective,
	}
}

func (a *assembler) directive(st *statement, name string) {
	f := directives[name]
	if f == nil && a.opt.Extended {
		f = extendedDirectives[name]
	}
	if f == nil {
		guess := nearest("."+name, Directives())
		hint := ""
		switch {
		case directiveHints[name] != "":
			hint = directiveHints[name]
		case guess != "":
			hint = meant + guess + "?"
		case mnemonics[name] != nil:
			hint = "the instruction " + name + " has no period"
		}
		a.err(st.name, fmt.Sprintf("unknown directive %q", st.name.text), "", hint)
		if guess == ".proc" || guess == ".constfa" {
			a.push(block{kind: blockBad}, st)
		}
		return
	}
	if name != "options" {
		a.started = true
	}
	if name == "proc" || name == "end" {
		a.outside = false
	}
	f(a, st)
}

func (a *assembler) procBlock(st *statement) {
	args, ok := st.args("the name of the procedure")
	if !ok {
		a.push(block{kind: blockBad}, st)
		return
	}
	name := args[0]
	if n := len(a.blocks); n > 0 && a.suspect == nil {
		a.suspect = &suspect{a.blocks[n-1], fmt.Sprintf("a procedure starts in line %d, inside of it", a.lineNo)}
	}
	if !picasso.ValidIdentifier(name.text) || name.text == "" {
		a.warn(name, fmt.Sprintf("%q cannot be called: it is not an identifier", name.text), "letters, digits, '_' and '$', no digit first")
	}
	if !a.push(block{kind: blockProc, start: len(a.code), name: name}, st) {
		return
	}
	a.index.declares(name, a.physical(), SymbolProcedure, "")
	if before, dup := a.procs[name.text]; dup {
		hint := "first at " + before.pos.String()
		if name.text == "main" {
			hint += "; .entry names the procedure that runs first, where it has another name"
		}
		a.err(name, fmt.Sprintf("procedure %q exists already", name.text), "another name", hint)
	}
}

// declare names a register, and reports if the file has the name already.
func (a *assembler) declare(name word, al alias, detail string) bool {
	if _, dup := a.aliases[name.text]; dup {
		a.err(name, fmt.Sprintf("the name %q is used already", name.text), "another name", "")
		return false
	}
	a.aliases[name.text] = al
	a.index.declares(name, a.physical(), SymbolAlias, detail)
	return true
}

// declareBad declares a name after an error in its declaration, so that its uses are
// not reported too.
func (a *assembler) declareBad(name word) {
	if _, dup := a.aliases[name.text]; !dup && name.text != "" && picasso.ValidIdentifier(name.text) {
		a.aliases[name.text] = alias{bad: true}
		a.index.declares(name, a.physical(), SymbolAlias, "its declaration is in error")
	}
}

const identifierRule = "letters, digits, '_' and '$', no digit first"

func (a *assembler) identifier(name word, what string) bool {
	if !picasso.ValidIdentifier(name.text) {
		a.err(name, fmt.Sprintf("invalid %s %q", what, name.text), identifierRule, "")
		return false
	}
	if name.text == "" {
		a.warn(name, fmt.Sprintf("the %s is empty", what), "")
	}
	return true
}

func (a *assembler) aliasDirective(st *statement) {
	name, ok := st.needBlank("a name")
	if !ok {
		return
	}
	reg, ok := st.needBlank("a register")
	if !ok || !st.done() {
		a.declareBad(name)
		return
	}
	if !a.identifier(name, "alias name") {
		return
	}
	if len(name.text) > 1 && strings.IndexByte("ovrcib", name.text[0]|0x20) >= 0 && picasso.IsDigit(name.text[1]) {
		a.err(name, fmt.Sprintf("%q is the name of a register and cannot be another's", name.text), "another name", "")
		return
	}
	op := a.parseReg(reg, false)
	if op.bad {
		a.declareBad(name)
		return
	}
	al := alias{reg: op.reg, swizzle: op.swizzle, negate: op.negate, kind: op.kind}
	if op.reg > 0xFF {
		// The reference assembler keeps number, sign and swizzle of an alias in one
		// word, so a number above 255 changes the others.
		a.warn(reg, fmt.Sprintf("%s is beyond the last register", reg.text), "")
		v := op.reg | selectorBits(op)<<8
		al.reg, al.negate, al.swizzle = v&0xFF, v>>8&1 != 0, uint8(v>>9)
	}
	a.declare(name, al, aliasText(op))
}

func selectorBits(op operand) int {
	v := int(op.swizzle) << 1
	if op.negate {
		v |= 1
	}
	return v
}

// arraySuffix splits off the [size] of a name. size is -1 without a suffix and
// 0 for empty brackets.
func (a *assembler) arraySuffix(w word) (name, size, tail word, has, ok bool) {
	open := strings.IndexByte(w.text, '[')
	if open < 0 {
		return w, word{}, word{}, false, true
	}
	rest := w.from(open + 1)
	end := strings.IndexByte(rest.text, ']')
	if end < 0 {
		a.err(w.from(open), fmt.Sprintf("no closing bracket in %q", w.text), "']'", "")
		return w.to(open), word{}, word{}, true, false
	}
	return w.to(open), rest.to(end).trim(), rest.from(end + 1).trim(), true, true
}

func (a *assembler) uniformDirective(st *statement, typ picasso.UniformType) {
	e := a.dvle()
	w, more := st.arg()
	if !more {
		a.warn(st.name, fmt.Sprintf("%s declares nothing", st.name.text), "")
	}
	for ; more; w, more = st.arg() {
		a.uniform(e, w, typ)
	}
}

func (a *assembler) uniform(e *executable, w word, typ picasso.UniformType) {
	name, sizeText, tail, isArray, ok := a.arraySuffix(w)
	if !ok {
		a.declareBad(name)
		return
	}
	size := 1
	if isArray {
		size = int(atoi(sizeText.text))
		if size < 1 {
			a.err(sizeText, fmt.Sprintf("invalid uniform size %q", sizeText.text), "a number from 1 up", "")
			a.declareBad(name)
			return
		}
		if tail.text != "" {
			a.warn(tail, fmt.Sprintf("%q after the bracket is ignored", tail.text), "")
		}
	}
	if !a.identifier(name, "uniform name") {
		return
	}
	if _, dup := a.aliases[name.text]; dup {
		a.declare(name, alias{}, "")
		return
	}
	shared := !e.ownUniforms()
	reg := -1
	if shared {
		if i := slices.IndexFunc(a.uniforms, func(u picasso.Uniform) bool { return u.Name == name.text }); i >= 0 {
			switch u := a.uniforms[i]; {
			case u.Type != typ:
				a.err(name, fmt.Sprintf("uniform %q was declared with %s before", name.text, u.Type), u.Type.String(), "")
				a.declareBad(name)
				return
			case u.Size != size:
				a.err(name, fmt.Sprintf("uniform %q was declared with size %d before", name.text, u.Size), fmt.Sprintf("%s[%d]", name.text, u.Size), "")
				a.declareBad(name)
				return
			default:
				reg = u.Reg
			}
		}
	}
	if reg < 0 {
		if len(a.uniforms) >= picasso.MaxUniforms {
			a.err(name, "too many uniforms", fmt.Sprintf("at most %d declarations in all files", picasso.MaxUniforms), "")
			a.declareBad(name)
			return
		}
		p := a.pool(typ)
		var ok bool
		if reg, ok = p.Uniform(size); !ok {
			a.err(name, fmt.Sprintf("not enough registers for %s %s[%d]", typ, name.text, size), fmt.Sprintf("at most %d", p.Free()), "")
			a.declareBad(name)
			return
		}
	}
	u := picasso.Uniform{Name: name.text, Reg: reg, Size: size, Type: typ}
	if shared {
		if len(a.uniforms) >= picasso.MaxUniformsOfFile {
			a.err(name, "too many uniforms", "", "")
			return
		}
		a.uniforms = append(a.uniforms, u)
	}
	if !strings.HasPrefix(name.text, "_") {
		a.addUniform(e, name, u)
	}
	a.aliases[name.text] = alias{reg: reg, swizzle: shaderunit.SwizzleXYZW, kind: "bic"[typ], size: size}
	a.index.declares(name, a.physical(), SymbolUniform, registersText("bic"[typ], reg, size))
}

// addUniform adds a uniform to the table of the DVLE.
func (a *assembler) addUniform(e *executable, name word, u picasso.Uniform) bool {
	if len(e.uniforms) >= picasso.MaxUniforms {
		a.err(name, "too many uniforms and inputs in this file", fmt.Sprintf("at most %d", picasso.MaxUniforms), "")
		return false
	}
	e.uniforms = append(e.uniforms, u)
	return true
}

// vector reads four numbers in parentheses. first is the text of the first
// number if it was read already.
func (a *assembler) vector(st *statement) (texts [4]word, ok bool) {
	names := [4]string{"x", "y", "z", "w"}
	for i := range 3 {
		if texts[i], ok = st.need(names[i] + " of (x, y, z, w)"); !ok {
			return texts, false
		}
	}
	last := st.rest
	end := strings.IndexByte(last.text, ')')
	if end < 0 {
		a.err(word{"", last.off + len(last.text)}, "invalid vector", "four numbers and ')'", "")
		return texts, false
	}
	texts[3] = last.to(end).trim()
	if tail := last.from(end + 1).trim(); tail.text != "" {
		a.warn(tail, fmt.Sprintf("%q after the parenthesis is ignored", tail.text), "")
	}
	return texts, true
}

func (a *assembler) floats(texts [4]word) (v [4]float32) {
	for i, w := range texts {
		f, tail, ok := parseFloat(w.text)
		if !ok {
			a.warn(w, fmt.Sprintf("%q is not a number and is read as 0", w.text), "")
		} else if tail = skipSpace(tail); tail != "" && tail != "f" {
			a.warn(w, fmt.Sprintf("%q is read as %v", w.text, f), "")
		}
		v[i] = float32(f)
	}
	return v
}

func (a *assembler) bytes(texts [4]word) (v [4]uint8) {
	for i, w := range texts {
		n := atoi(w.text)
		if _, tail, ok := parseLong(w.text, 10); !ok || skipSpace(tail) != "" {
			a.warn(w, fmt.Sprintf("%q is read as %d", w.text, n), "")
		} else if n < -128 || n > 255 {
			a.warn(w, fmt.Sprintf("%d does not fit in eight bits and is read as %d", n, uint8(n)), "")
		}
		v[i] = uint8(n)
	}
	return v
}

// addConstant adds a constant to the table of the DVLE.
func (a *assembler) addConstant(st *statement, c constant) bool {
	e := a.dvle()
	if len(e.constants) >= picasso.MaxConstants {
		a.err(st.name, "too many constants in this file", fmt.Sprintf("at most %d", picasso.MaxConstants), "")
		return false
	}
	c.pos = a.pos(st.name)
	e.constants = append(e.constants, c)
	return true
}

func (a *assembler) constDirective(st *statement, typ picasso.UniformType) {
	a.dvle()
	name, ok := st.argBefore("(")
	if !ok {
		st.missing("name(x, y, z, w)")
		return
	}
	texts, ok := a.vector(st)
	if !ok {
		a.declareBad(name)
		return
	}
	if !picasso.ValidIdentifier(name.text) {
		a.warn(name, fmt.Sprintf("%q cannot be referred to", name.text), identifierRule)
	}
	if _, dup := a.aliases[name.text]; dup {
		a.declare(name, alias{}, "")
		return
	}
	reg, ok := a.pool(typ).Constant(1)
	if !ok {
		a.err(name, fmt.Sprintf("no register is left for the constant %q", name.text), "", "constants and uniforms share the registers")
		a.declareBad(name)
		return
	}
	c := constant{reg: reg, typ: typ}
	if typ == picasso.TypeFloat {
		c.f = a.floats(texts)
	} else {
		c.i = a.bytes(texts)
	}
	if a.addConstant(st, c) {
		a.aliases[name.text] = alias{reg: reg, swizzle: shaderunit.SwizzleXYZW, kind: "bic"[typ], size: 1}
		a.index.declares(name, a.physical(), SymbolConstant, fmt.Sprintf("%s = (%s, %s, %s, %s)", registersText("bic"[typ], reg, 1), texts[0].text, texts[1].text, texts[2].text, texts[3].text))
	}
}

// constArrayDirective opens an array, or adds an element to the open one.
func (a *assembler) constArrayDirective(st *statement) {
	if n := len(a.blocks); n > 0 && a.blocks[n-1].kind == blockArray {
		a.arrayElement(st, &a.blocks[n-1])
		return
	} else if n > 0 && a.blocks[n-1].kind == blockBad && strings.HasPrefix(strings.TrimSpace(st.rest.text), "(") {
		return
	}
	bad := func() { a.push(block{kind: blockBad}, st) }
	args, ok := st.args("name[size] or name[]")
	if !ok {
		bad()
		return
	}
	name, sizeText, tail, isArray, ok := a.arraySuffix(args[0])
	if ok && !isArray {
		hint := ""
		if strings.HasPrefix(name.text, "(") {
			hint = "an element belongs inside an array: .constfa name[] before it"
		}
		a.err(name, fmt.Sprintf("no opening bracket in %q", name.text), "name[size] or name[]", hint)
		if hint == "" {
			a.declareBad(name)
			bad()
		}
		return
	}
	size := -1
	if ok && tail.text != "" {
		a.err(tail, fmt.Sprintf("%q after the bracket", tail.text), "the end of the line", "")
		ok = false
	}
	if ok && sizeText.text != "" {
		if size = int(atoi(sizeText.text)); size <= 0 {
			a.err(sizeText, fmt.Sprintf("invalid array size %q", sizeText.text), "a number from 1 up, or nothing", "")
			ok = false
		}
	}
	if !ok || !a.identifier(name, "array name") {
		a.declareBad(name)
		bad()
		return
	}
	a.push(block{kind: blockArray, name: name, size: size}, st)
}

func (a *assembler) arrayElement(st *statement, b *block) {
	if b.size >= 0 && len(b.elems) == b.size {
		a.err(st.name, fmt.Sprintf("too many elements in the array %q", b.name.text), fmt.Sprintf("%d", b.size), "")
		return
	}
	// The parenthesis belongs to the first number.
	rest := st.rest.trim()
	if rest.text != "" && rest.text[0] != '(' {
		a.err(rest, "invalid array element", "(x, y, z, w)", "")
		b.bad = true
		return
	}
	if rest.text != "" {
		st.rest = rest.from(1)
	}
	texts, ok := a.vector(st)
	if !ok {
		b.bad = true
		return
	}
	if len(b.elems) >= picasso.RegInt {
		if len(b.elems) == picasso.RegInt {
			a.err(st.name, fmt.Sprintf("too many elements in the array %q", b.name.text), "at most 96", "")
		}
		b.bad = true
	}
	b.elems = append(b.elems, a.floats(texts))
}

func (a *assembler) endArray(b *block) {
	a.dvle()
	if _, dup := a.aliases[b.name.text]; dup {
		a.report(Diagnostic{Pos: b.pos, Severity: Error, Msg: fmt.Sprintf("the name %q is used already", b.name.text), Expected: "another name", Source: b.line})
		return
	}
	at := func(msg, expected, hint string) {
		a.report(Diagnostic{Pos: b.pos, Severity: Error, Msg: msg, Expected: expected, Hint: hint, Source: b.line})
		a.declareBad(b.name)
	}
	if b.bad {
		a.declareBad(b.name)
		return
	}
	size := max(len(b.elems), b.size)
	if size == 0 {
		at(fmt.Sprintf("no elements in the array %q", b.name.text), ".constfa (x, y, z, w) before .end", "")
		return
	}
	reg, ok := a.pool(picasso.TypeFloat).Constant(size)
	if !ok {
		at(fmt.Sprintf("not enough registers for the constant array %q of %d", b.name.text, size), "", "constants and uniforms share the registers")
		return
	}
	e := a.dvle()
	if len(e.constants)+size > picasso.MaxConstants {
		at("too many constants in this file", fmt.Sprintf("at most %d", picasso.MaxConstants), "")
		return
	}
	for i := range size {
		c := constant{reg: reg + i, typ: picasso.TypeFloat, pos: b.pos}
		if i < len(b.elems) {
			c.f = b.elems[i]
		}
		e.constants = append(e.constants, c)
	}
	a.aliases[b.name.text] = alias{reg: reg, swizzle: shaderunit.SwizzleXYZW, kind: 'c', size: size}
	a.index.declares(b.name, b.at, SymbolConstant, registersText('c', reg, size))
}

// setDirective sets the value of a register that is declared elsewhere.
func (a *assembler) setDirective(st *statement, typ picasso.UniformType) {
	a.dvle()
	name, ok := st.argBefore("(")
	if !ok {
		st.missing("register(x, y, z, w)")
		return
	}
	texts, ok := a.vector(st)
	if !ok {
		return
	}
	reg := a.parseReg(name, false)
	c := constant{reg: reg.reg, typ: typ}
	switch {
	case typ == picasso.TypeFloat && a.checkUniform(&reg, picasso.RegFloat, picasso.RegInt, "a float uniform", "c0-c95 or a name from .fvec"):
		c.f = a.floats(texts)
	case typ == picasso.TypeInt && a.checkUniform(&reg, picasso.RegInt, picasso.RegInt+shaderunit.IntUniforms, "an int uniform", "i0-i3 or a name from .ivec"):
		c.i = a.bytes(texts)
	default:
		return
	}
	a.addConstant(st, c)
}

func (a *assembler) setBoolDirective(st *statement) {
	a.dvle()
	name, ok := st.needBlank("a bool uniform")
	if !ok {
		return
	}
	value, ok := st.needBlank("true or false")
	if !ok || !st.done() {
		return
	}
	reg := a.parseReg(name, false)
	regOK := a.checkBool(&reg)
	c := constant{reg: reg.reg, typ: picasso.TypeBool}
	switch lower(value.text) {
	case "true", "on", "1":
		c.b = true
	case "false", "off", "0":
	default:
		a.err(value, fmt.Sprintf("invalid truth value %q", value.text), "true, false, on, off, 1 or 0", "")
		return
	}
	if regOK {
		a.addConstant(st, c)
	}
}
