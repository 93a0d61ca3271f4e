package asm

import (
	"fmt"
	"math/bits"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// outputNames are the meanings of outputs and their short names.
var outputNames = []struct {
	long, short string
	typ         shbin.OutputType
}{
	{"position", "pos", shbin.OutPosition},
	{"normalquat", "nquat", shbin.OutNormalQuat},
	{"color", "clr", shbin.OutColor},
	{"texcoord0", "tcoord0", shbin.OutTexCoord0},
	{"texcoord0w", "tcoord0w", shbin.OutTexCoord0W},
	{"texcoord1", "tcoord1", shbin.OutTexCoord1},
	{"texcoord2", "tcoord2", shbin.OutTexCoord2},
	{"view", "view", shbin.OutView},
	{"dummy", "dummy", shbin.OutDummy},
}

func (a *assembler) outputType(w word) (shbin.OutputType, bool) {
	names := make([]string, 0, len(outputNames))
	for _, n := range outputNames {
		if sameFold(n.long, w.text) || sameFold(n.short, w.text) {
			return n.typ, true
		}
		names = append(names, n.long)
	}
	hint := didYouMean(w.text, names)
	if name, _, dot := strings.Cut(w.text, "."); dot && hint == "" {
		hint = "with a register given, the components come after the register, not after " + name
	}
	a.err(w, fmt.Sprintf("unknown output %q", w.text), strings.Join(names, ", "), hint)
	return 0, false
}

func (a *assembler) inDirective(st *statement) {
	e := a.dvle()
	name, ok := st.needBlank("a name")
	if !ok {
		return
	}
	regText, hasReg := st.argBlank()
	if !st.done() || !a.identifier(name, "input name") {
		a.declareBad(name)
		return
	}
	if _, dup := a.aliases[name.text]; dup {
		a.declare(name, alias{}, "")
		return
	}
	reg := bits.TrailingZeros16(^e.inMask)
	if hasReg {
		op := a.parseReg(regText, false)
		if !op.bad && op.reg >= picasso.RegTemp {
			a.err(regText, fmt.Sprintf("%q is not an input register", regText.text), "v0-v14", "")
			op.bad = true
		}
		if op.bad {
			a.declareBad(name)
			return
		}
		if reg = op.reg; e.inMask>>reg&1 != 0 {
			a.warn(regText, fmt.Sprintf("v%d has another name already", reg), "")
		}
	} else if reg > 15 {
		a.err(name, "too many inputs", "at most 16", "")
		a.declareBad(name)
		return
	}
	if !a.addUniform(e, name, picasso.Uniform{Name: name.text, Reg: reg, Size: 1, Type: picasso.TypeFloat}) {
		a.declareBad(name)
		return
	}
	e.inMask |= 1 << reg
	a.aliases[name.text] = alias{reg: reg, swizzle: shaderunit.SwizzleXYZW, kind: 'v'}
	a.index.declares(name, a.physical(), SymbolInput, registersText('v', reg, 1))
}

func (a *assembler) outDirective(st *statement) {
	e := a.dvle()
	name, ok := st.needBlank("a name or '-'")
	if !ok {
		return
	}
	typText, ok := st.needBlank("a property such as position or color")
	if !ok {
		a.declareBad(name)
		return
	}
	regText, hasReg := st.argBlank()
	if !st.done() {
		a.declareBad(name)
		return
	}
	named := name.text != "-"
	if named && !a.identifier(name, "output name") {
		return
	}
	good := false
	defer func() {
		if !good && named {
			a.declareBad(name)
		}
	}()

	reg, swizzle := -1, shaderunit.SwizzleXYZW
	if hasReg {
		op := a.parseReg(regText, false)
		if op.bad {
			return
		}
		if op.reg >= e.outputRegisters() {
			a.err(regText, fmt.Sprintf("%q is not an output register", regText.text), fmt.Sprintf("o0-o%d", e.outputRegisters()-1), "")
			return
		}
		reg, swizzle = op.reg, op.swizzle
	} else if dot := strings.IndexByte(typText.text, '.'); dot >= 0 {
		if swizzle, ok = parseSwizzle(typText.text[dot+1:]); !ok {
			a.err(typText.from(dot+1), fmt.Sprintf("invalid output mask %q", typText.text[dot+1:]), "one to four of xyzw, rgba or stpq", "")
			return
		}
		typText = typText.to(dot)
	}
	typ, ok := a.outputType(typText)
	if !ok {
		return
	}
	if !inOrder(swizzle) {
		a.warn(typText, "the order of components has no effect in an output mask", "")
	}
	// The output map counts components from x upward, instructions from w upward.
	mask := bits.Reverse8(maskOf(swizzle)) >> 4
	if reg < 0 {
		reg = bits.TrailingZeros16(^e.outMask)
		if reg >= e.outputRegisters() {
			reg = -1
		}
	} else if e.outUsed&usedBits(mask, reg) != 0 {
		a.err(regText, fmt.Sprintf("o%d has a meaning in these components already", reg), "other components or another register", collisionHint(reg))
		return
	}
	if reg < 0 || len(e.outputs) == picasso.MaxOutputs {
		a.err(st.name, "too many outputs", fmt.Sprintf("at most %d registers and %d properties", e.outputRegisters(), picasso.MaxOutputs), "")
		return
	}
	if named {
		if _, dup := a.aliases[name.text]; dup {
			a.declare(name, alias{}, "")
			return
		}
	}
	if reg >= 7 && typ != shbin.OutDummy {
		a.err(typText, fmt.Sprintf("o%d can only be a dummy output", reg), "dummy, or one of o0-o6", "")
		return
	}
	good = true
	o := output{"", typ, reg, mask}
	e.outUsed |= usedBits(mask, reg)
	if named {
		o.name = name.text
		a.aliases[name.text] = alias{reg: reg, swizzle: shaderunit.SwizzleXYZW, kind: 'o'}
		a.index.declares(name, a.physical(), SymbolOutput, fmt.Sprintf("%s.%s, %s", registersText('o', reg, 1), shbin.ComponentNames(uint16(mask)), typ))
	}
	a.addOutput(e, st.name, o)
	if typ == shbin.OutDummy && e.ownUniforms() {
		e.merge = true
	}
}

// usedBits returns a bit for each component of an output register. The
// reference assembler keeps them in 32 bits, so o8-o15 collide with o0-o7;
// which sources it rejects depends on this.
func usedBits(mask uint8, reg int) uint32 { return uint32(mask) << (4 * reg & 31) }

func collisionHint(reg int) string {
	if reg >= 8 {
		return fmt.Sprintf("o%d and o%d count as one here", reg, reg-8)
	}
	return ""
}

func (a *assembler) entryDirective(st *statement) {
	e := a.dvle()
	name, ok := st.needBlank("the name of a procedure")
	if !ok || !st.done() {
		return
	}
	if a.identifier(name, "entry point") {
		a.index.uses(name, SymbolProcedure)
		e.entry, e.entryPos, e.entryLine = name.text, a.pos(name), a.raw
	}
}

func (a *assembler) noDVLEDirective(st *statement) {
	e := a.dvle()
	if st.done() && !e.noDVLE {
		e.noDVLE = true
		a.dvleCount--
	}
}

// geometryModes are the modes with their older names.
var geometryModes = []struct {
	name, former string
	mode         shbin.GeometryMode
}{
	{"point", "", shbin.GeometryPoint},
	{"variable", "subdivision", shbin.GeometryVariable},
	{"fixed", "particle", shbin.GeometryFixed},
}

func (a *assembler) gshDirective(st *statement) {
	e := a.dvle()
	modeText, ok := st.argBlank()
	if !ok {
		e.geometry, e.legacy = true, true
		return
	}
	if e.geometry {
		a.err(st.name, ".gsh was used before, or setemit came first", "one .gsh at the top of the file", "")
		return
	}
	if len(e.constants) > 0 || len(e.uniforms) > 0 || e.outMask != 0 {
		a.err(st.name, ".gsh comes after a declaration", ".gsh before any constant, uniform, input or output", "")
		return
	}
	mode, found := shbin.GeometryMode(0), false
	var names []string
	for _, m := range geometryModes {
		if sameFold(modeText.text, m.name) || m.former != "" && sameFold(modeText.text, m.former) {
			mode, found = m.mode, true
		}
		names = append(names, m.name)
	}
	e.geometry = true
	e.gshMode = uint8(mode)
	if !found {
		a.err(modeText, fmt.Sprintf("unknown geometry shader mode %q", modeText.text), strings.Join(names, ", "), didYouMean(modeText.text, names))
		return
	}
	first, ok := a.gshRegister(st, "the first float uniform that is free")
	if !ok {
		return
	}
	a.pools[1] = picasso.GeometryPools(first)
	switch mode {
	case shbin.GeometryPoint:
		st.done()
	case shbin.GeometryVariable:
		if n, ok := a.gshVertices(st); ok {
			e.gshVarNum = n
		}
	case shbin.GeometryFixed:
		start, ok := a.gshRegister(st, "the float uniform where the vertices start")
		if !ok {
			return
		}
		n, ok := a.gshVertices(st)
		if !ok {
			return
		}
		if start >= first {
			a.err(st.name, fmt.Sprintf("the vertices start at c%d, among the registers for uniforms", start-picasso.RegFloat),
				fmt.Sprintf("a register below c%d", first-picasso.RegFloat), "")
			return
		}
		e.gshStart, e.gshFixNum = uint8(start-picasso.RegFloat), n
	}
}

func (a *assembler) gshRegister(st *statement, what string) (int, bool) {
	w, ok := st.needBlank(what)
	if !ok {
		return 0, false
	}
	op := a.parseReg(w, false)
	return op.reg, a.checkUniform(&op, picasso.RegFloat, picasso.RegInt, "a float uniform", "c0-c95")
}

func (a *assembler) gshVertices(st *statement) (uint8, bool) {
	w, ok := st.needBlank("the number of vertices")
	if !ok || !st.done() {
		return 0, false
	}
	n, ok := a.integer(w, 0, 255)
	return uint8(n), ok
}
