package asm

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/internal/lazy"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// aemstro reads the language of aemstro_as: registers have no components,
// because numbered operand descriptors in the source hold them, and labels
// delimit the blocks. Case is ignored. The output has the same words and
// descriptors as the tool's; what the tool skips with a message is an error
// here.
type aemstro struct {
	a        *assembler
	base     int    // number of the source's first descriptor
	count    int    // descriptors so far
	used     []used // the descriptors that instructions name
	calls    []stretch
	blocks   []stretch
	vertex   [2]string // labels of .vsh
	geometry [2]string // and of .gsh
}

// used is a descriptor that an instruction names.
type used struct {
	n    int
	pos  Pos
	line string
}

func newAemstro(a *assembler, src Source) frontEnd {
	a.dvle()
	return &aemstro{a: a, base: a.desc.n, vertex: [2]string{"main", "endmain"}}
}

// aemstroNames are the operations. A name that ends in i is the form with
// inverted operands.
var aemstroNames = map[string]shaderunit.Opcode{
	"add": shaderunit.OpADD, "dp3": shaderunit.OpDP3, "dp4": shaderunit.OpDP4, "dph": shaderunit.OpDPH, "op4": shaderunit.OpDST, "ex2": shaderunit.OpEX2,
	"lg2": shaderunit.OpLG2, "op7": shaderunit.OpLITP, "mul": shaderunit.OpMUL, "sge": shaderunit.OpSGE, "slt": shaderunit.OpSLT, "flr": shaderunit.OpFLR,
	"max": shaderunit.OpMAX, "min": shaderunit.OpMIN, "rcp": shaderunit.OpRCP, "rsq": shaderunit.OpRSQ, "mova": shaderunit.OpMOVA, "mov": shaderunit.OpMOV,
	"dphi": shaderunit.OpDPHI, "op19": shaderunit.OpDSTI, "sgei": shaderunit.OpSGEI, "slti": shaderunit.OpSLTI, "nop": shaderunit.OpNOP, "end": shaderunit.OpEND,
	"call": shaderunit.OpCALL, "ifu": shaderunit.OpIFU, "ifc": shaderunit.OpIFC, "loop": shaderunit.OpLOOP, "emit": shaderunit.OpEMIT,
	"setemit": shaderunit.OpSETEMIT, "cmp": shaderunit.OpCMP, "madi": shaderunit.OpMADI, "mad": shaderunit.OpMAD,
}

var aemstroOutputs = map[string]shbin.OutputType{
	"result.position": shbin.OutPosition, "result.normalquat": shbin.OutNormalQuat, "result.color": shbin.OutColor, "result.texcoord0": shbin.OutTexCoord0,
	"result.texcoord0w": shbin.OutTexCoord0W, "result.texcoord1": shbin.OutTexCoord1, "result.texcoord2": shbin.OutTexCoord2, "result.view": shbin.OutView,
}

var aemstroDesc = lazy.Regexp(`^(.*?)\s*\(\s*([0-9a-fx]+)\s*\)$`)

func (p *aemstro) statement(w word) {
	a := p.a
	w.text = lower(w.text)
	st := &statement{a: a, cursor: cursor{w}, forced: -1}
	st.name, _ = st.argBlank()
	name := st.name.text
	if strings.HasPrefix(name, ".") {
		p.directive(st, name[1:])
		return
	}
	if !a.room(st, "") {
		return
	}
	if name == "flush" {
		a.warn(st.name, "flush is left out, as the tool does", "")
		return
	}
	op, known := aemstroNames[name]
	if !known {
		a.err(st.name, fmt.Sprintf("unknown instruction %q", name), "", suggestFrom(a, name, aemstroNames))
		a.placeholder(st)
		return
	}
	row := op.Info()
	before := len(a.code)
	switch row.Format {
	case shaderunit.Format0:
		if row.Op == shaderunit.OpEMIT && p.geometry[0] == "" {
			e := a.dvle()
			e.geometry, e.legacy = true, true
		}
		a.emit(uint32(row.Op)<<26, st) // the tool ignores the rest of the line
	case shaderunit.Format2, shaderunit.Format3:
		p.flow(st, row)
	case shaderunit.Format4:
		p.setEmit(st)
	default:
		p.arithmetic(st, row)
	}
	if len(a.code) == before {
		a.placeholder(st)
	}
}

func (p *aemstro) directive(st *statement, name string) {
	a := p.a
	e := a.dvle()
	switch name {
	case "const":
		p.constant(st)
	case "out":
		m, ok := st.args("o0-o6", "result.position, result.color or the like", "the mask of components, 0xF for all")
		if !ok {
			return
		}
		_, n, regOK := a.number(m[0], "o")
		typ, known := aemstroOutputs[m[1].text]
		mask, maskOK := a.integer(m[2], 0, 15)
		switch {
		case !regOK:
			a.err(m[0], fmt.Sprintf("%q is not an output register", m[0].text), "o0-o15", "")
		case !known:
			a.err(m[1], fmt.Sprintf("not a meaning of an output: %q", m[1].text), "result.position, result.color, result.texcoord0 and so on", suggestFrom(a, m[1].text, aemstroOutputs))
		case !maskOK:
		default:
			a.addOutput(e, st.name, output{"", typ, n, uint8(mask)})
		}
	case "opdesc":
		p.descriptor(st)
	case "uniform":
		m, ok := st.args("the first register", "the last register", "the name")
		if !ok {
			return
		}
		kind, first, ok1 := a.number(m[0], "cib")
		kind2, last, ok2 := a.number(m[1], "cib")
		if !ok1 || !ok2 || kind != kind2 || last < first {
			a.err(m[0], fmt.Sprintf("%s to %s is not a range of uniforms", m[0].text, m[1].text), "two of c0-c95, i0-i3 or b0-b15, the lower one first", "")
			return
		}
		nameAs := word{a.raw[m[2].off : m[2].off+len(m[2].text)], m[2].off} // as written, with upper-case letters
		size := last - first + 1
		if a.declare(nameAs, alias{reg: register(kind, first), swizzle: shaderunit.SwizzleXYZW, kind: kind, size: size}, registersText(kind, register(kind, first), size)) {
			a.addUniform(e, nameAs, picasso.Uniform{Name: nameAs.text, Reg: register(kind, first), Size: size, Type: picasso.TypeOf[kind]})
		}
	case "vsh", "gsh":
		m, ok := st.args("the label where it starts", "the label where it ends")
		if !ok {
			return
		}
		if name == "vsh" {
			p.vertex = [2]string{m[0].text, m[1].text}
		} else if p.geometry = [2]string{m[0].text, m[1].text}; a.opt.Object {
			a.err(st.name, "the source has two executables", "one, in an object", "")
		}
	default:
		a.err(st.name, fmt.Sprintf("unknown directive %q", st.name.text), ".const, .out, .opdesc, .uniform, .vsh or .gsh", "")
	}
}

// constant takes .const register, value, ...
func (p *aemstro) constant(st *statement) {
	a := p.a
	reg, ok := st.need("c0-c95, i0-i3 or b0-b15")
	if !ok {
		return
	}
	kind, n, ok := a.number(reg, "cib")
	if !ok {
		a.err(reg, fmt.Sprintf("%q is not a uniform", reg.text), "c0-c95, i0-i3 or b0-b15", "")
		return
	}
	c := constant{reg: register(kind, n)}
	count := 4
	if kind == 'b' {
		count = 1
	}
	for i := range count {
		w, ok := st.need("a number")
		if !ok {
			return
		}
		switch kind {
		case 'c':
			f, err := strconv.ParseFloat(w.text, 64)
			if err != nil && !math.IsInf(f, 0) {
				a.err(w, fmt.Sprintf("%q is not a number", w.text), "", "")
				return
			}
			c.typ, c.f[i] = picasso.TypeFloat, float32(f)
		case 'i':
			v, ok := a.integer(w, -128, 255)
			if !ok {
				return
			}
			c.typ, c.i[i] = picasso.TypeInt, uint8(v)
		default:
			v, ok := a.integer(w, 0, 1)
			if !ok {
				return
			}
			c.typ, c.b = picasso.TypeBool, v != 0
		}
	}
	if st.done() {
		a.addConstant(st, c)
	}
}

// descriptor takes .opdesc mask, selection, ...: xy__, xyzw, -wzyx.
func (p *aemstro) descriptor(st *statement) {
	a := p.a
	m, ok := st.need("the mask of the destination")
	var desc uint32
	if !ok {
		return
	}
	read := func(w word, what string, take func(i int, c byte) bool) bool {
		if len(w.text) != 4 {
			ok = false
		} else {
			for i := range 4 {
				ok = ok && take(i, w.text[i])
			}
		}
		if !ok {
			a.err(w, fmt.Sprintf("invalid %s %q", what, w.text), "four letters: x_zw for a mask, wzyx or -xyzw for a source", "")
		}
		return ok
	}
	if !read(m, "mask", func(i int, c byte) bool {
		if c != '_' {
			desc |= 8 >> i
		}
		return true
	}) {
		return
	}
	for n := 0; ; n++ {
		w, more := st.arg()
		if !more {
			break
		}
		if n == 3 {
			a.err(w, "more than three sources", "the end of the line", "")
			return
		}
		if strings.HasPrefix(w.text, "-") {
			desc |= 1 << (4 + 9*n)
			w = w.from(1)
		}
		if !read(w, "selection", func(i int, c byte) bool {
			k := strings.IndexByte("xyzw", c)
			desc |= uint32(k&3) << (6 - 2*i) << (5 + 9*n)
			return k >= 0
		}) {
			return
		}
	}
	if a.addDescriptor(st, 1<<31|desc, 0xF) {
		p.count++
	}
}

// register reads a register of one of the kinds, or d and its number in hexadecimal digits.
func (p *aemstro) register(w word, kinds string, limit int) (reg int, idx shaderunit.AddrReg, ok bool) {
	name := w
	if open := strings.IndexByte(w.text, '['); open >= 0 {
		name = w.to(open).trim()
		if idx = addrRegister(strings.TrimSuffix(w.text[open+1:], "]")); idx == shaderunit.AddrNone || !strings.HasSuffix(w.text, "]") {
			p.a.err(w, fmt.Sprintf("invalid index in %q", w.text), "a0.x, a0.y or al in brackets", "")
			return 0, 0, false
		}
	}
	if hex, ok := strings.CutPrefix(name.text, "d"); ok {
		v, err := strconv.ParseUint(hex, 16, 8)
		reg, ok = int(v), err == nil && int(v) < limit
		if ok {
			return reg, idx, true
		}
	} else if kind, n, ok := p.a.number(name, kinds); ok {
		if kind == 'v' {
			p.a.dvle().inMask |= 1 << n
		}
		return register(kind, n), idx, true
	}
	p.a.err(w, fmt.Sprintf("%q cannot stand here", w.text), "one of the kinds "+strings.Join(strings.Split(kinds, ""), ", ")+" and its number", "")
	return 0, 0, false
}

// arithmetic reads operands followed by the number of their descriptor: dp4 r0,
// c4, v0 (0x1).
func (p *aemstro) arithmetic(st *statement, row *shaderunit.OpInfo) {
	a := p.a
	m := parts(aemstroDesc(), st.rest.trim())
	if m == nil {
		a.err(st.name, "no operand descriptor", "its number after the operands: (0x0)", "")
		return
	}
	st.rest = m[0]
	n, ok := a.integer(m[1], 0, shaderunit.Descriptors-1)
	if !ok {
		return
	}
	in := shaderunit.Instr{Op: row.Op, Desc: uint8(p.base + n)}
	if row.Format != shaderunit.Format1c {
		w, more := st.need("the destination")
		if !more {
			return
		}
		reg, _, good := p.register(w, "or", 0x100)
		ok = ok && good
		in.Dst = shaderunit.DstReg(reg & 0x1F)
	}
	wide := row.Format.Wide()
	for s := range row.Format.Sources() {
		if row.Format == shaderunit.Format1c && s == 1 {
			x, okX := a.compareOf(st)
			y, okY := a.compareOf(st)
			in.CmpX, in.CmpY = x, y
			ok = ok && okX && okY
		}
		w, more := st.need("a source")
		if !more {
			return
		}
		kinds, limit := "vr", picasso.RegFloat
		if s == wide {
			kinds, limit = "vrc", picasso.RegInt
		}
		reg, idx, good := p.register(w, kinds, limit)
		if ok = ok && good; s == wide {
			in.Idx = idx
		} else if idx != shaderunit.AddrNone {
			a.err(w, fmt.Sprintf("%q has an index", w.text), "an index with the float uniform alone", "")
			ok = false
		}
		in.Src[s] = shaderunit.SrcReg(reg)
	}
	if !st.done() || !ok {
		return
	}
	word, err := in.Encode()
	if err != nil {
		a.err(st.name, err.Error(), "", "")
		return
	}
	p.used = append(p.used, used{n, a.pos(m[1]), a.raw})
	a.emit(word, st)
}

// compareOf reads a comparison.
func (a *assembler) compareOf(st *statement) (shaderunit.CompareOp, bool) {
	w, ok := st.need("a comparison")
	if !ok {
		return 0, false
	}
	return a.compareOp(w)
}

// flow takes call first, last; ifu end, else, b0; ifc end, else, cmp.x; loop end, i0.
func (p *aemstro) flow(st *statement, row *shaderunit.OpInfo) {
	a := p.a
	bits := uint32(row.Op) << 26
	switch row.Op {
	case shaderunit.OpCALL:
		if m, ok := st.args("the label where it starts", "the label where it ends"); ok {
			p.calls = append(p.calls, a.stretch(st, m[0], m[1]))
			a.emit(bits, st)
		}
	case shaderunit.OpLOOP:
		if m, ok := st.args("the label after the loop", "an int uniform"); ok {
			if _, n, known := a.number(m[1], "i"); known {
				p.blocks = append(p.blocks, a.stretch(st, m[0], m[0]))
				a.emit(bits|uint32(n)<<flowCond, st)
			} else {
				a.err(m[1], fmt.Sprintf("%q is not an int uniform", m[1].text), "i0-i3", "")
			}
		}
	case shaderunit.OpIFU, shaderunit.OpIFC:
		m, ok := st.args("the label after the if", "the label of its other part", "the condition")
		if !ok {
			return
		}
		if row.Op == shaderunit.OpIFC {
			cond, ok := a.condition(m[2])
			if !ok {
				return
			}
			switch shaderunit.CondOp(cond >> flowCond & 3) { // the tool leaves flags that are not tested 0
			case shaderunit.CondX:
				cond &^= flowRefY
			case shaderunit.CondY:
				cond &^= flowRefX
			}
			bits |= cond
		} else if _, n, known := a.number(m[2], "b"); known {
			bits |= uint32(n) << flowCond
		} else {
			a.err(m[2], fmt.Sprintf("%q is not a bool uniform", m[2].text), "b0-b15", "")
			return
		}
		p.blocks = append(p.blocks, a.stretch(st, m[1], m[0]))
		a.emit(bits, st)
	}
}

// setEmit takes setemit vtx0, primitive, inverted; the last two are true or false.
func (p *aemstro) setEmit(st *statement) {
	a := p.a
	m, ok := st.args("the vertex, vtx0 to vtx2", "true where it ends a primitive", "true where the primitive is turned round")
	if !ok {
		return
	}
	in := shaderunit.Instr{Op: shaderunit.OpSETEMIT}
	n, err := strconv.ParseUint(strings.TrimPrefix(m[0].text, "vtx"), 10, 8)
	if err != nil || n > 2 {
		a.err(m[0], fmt.Sprintf("%q is not a vertex", m[0].text), "vtx0, vtx1 or vtx2", "")
		return
	}
	in.VertexID = uint8(n)
	for i, b := range []*bool{&in.PrimEmit, &in.Winding} {
		if *b = m[i+1].text == "true"; !*b && m[i+1].text != "false" {
			a.err(m[i+1], fmt.Sprintf("%q is neither true nor false", m[i+1].text), "", "")
			return
		}
	}
	if e := a.dvle(); p.geometry[0] == "" {
		e.geometry, e.legacy = true, true
	}
	w, _ := in.Encode()
	a.emit(w, st)
}

func (p *aemstro) finish() {
	a := p.a
	for _, u := range p.used {
		if u.n >= p.count {
			a.report(Diagnostic{Pos: u.pos, Severity: Error, Msg: fmt.Sprintf("operand descriptor %d is not declared", u.n), Expected: fmt.Sprintf("one of the %d that .opdesc declares", p.count), Source: u.line})
		}
	}
	a.targets(p.blocks)
	a.procedures(p.calls)
	first := a.dvle()
	a.entryAt(p.vertex[0], p.vertex[1])
	if p.geometry[0] == "" {
		return
	}
	both := *first
	both.geometry, both.legacy = true, true
	a.cur = &both
	a.dvles = append(a.dvles, a.cur)
	a.dvleCount++
	a.entryAt(p.geometry[0], p.geometry[1])
}
