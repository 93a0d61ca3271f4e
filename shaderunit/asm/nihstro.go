package asm

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// nihstro reads the language of nihstro-assemble, which calls its sources nihcode. Words and
// operand descriptors are those that it writes: no descriptor is shared by operations that
// merely could, and no NOP is put in. But mova writes both address registers, where the tool
// leaves their mask empty, and main is where its label is.
type nihstro struct {
	a     *assembler
	terms map[string]term // names
	calls []stretch
}

// term is a register with the components that are named: a source of two is not one of four.
type term struct {
	operand
	comps []uint8
}

func newNihstro(a *assembler, src Source) frontEnd {
	a.exact, a.opt.NoNop = true, true
	a.dvle()
	return &nihstro{a: a, terms: map[string]term{}}
}

var allComponents = []uint8{0, 1, 2, 3}

// nihstroNames are the operations without a condition.
var nihstroNames = map[string]shaderunit.Opcode{
	"nop": shaderunit.OpNOP, "end": shaderunit.OpEND, "emit": shaderunit.OpEMIT, "mova": shaderunit.OpMOVA, "exp": shaderunit.OpEX2, "log": shaderunit.OpLG2,
	"lit": shaderunit.OpLITP, "flr": shaderunit.OpFLR, "rcp": shaderunit.OpRCP, "rsq": shaderunit.OpRSQ, "mov": shaderunit.OpMOV, "add": shaderunit.OpADD,
	"dp3": shaderunit.OpDP3, "dp4": shaderunit.OpDP4, "dph": shaderunit.OpDPH, "dst": shaderunit.OpDST, "mul": shaderunit.OpMUL, "sge": shaderunit.OpSGE,
	"slt": shaderunit.OpSLT, "max": shaderunit.OpMAX, "min": shaderunit.OpMIN, "mad": shaderunit.OpMAD, "cmp": shaderunit.OpCMP,
}

var (
	nihstroAlias = regexp.MustCompile(`^\.\s*alias\s+(\w+)\s+(\w+)\s*(?:-\s*(\w+)\s*)?(?:\.\s*(\w*)\s*)?(?:\bas\s+(.*))?$`)
	nihstroTerm  = regexp.MustCompile(`^([+-]?)\s*(\w+)\s*(?:\[([^\]]*)\]\s*)?((?:\.\s*\w+\s*)*)$`)
	nihstroJump  = regexp.MustCompile(`^(\w+)(?:\s+until\s+(\w+))?(?:\s+if\s+(.*))?$`)
	nihstroTest  = regexp.MustCompile(`^(!?)\s*(\w+)\s*(?:\.\s*(\w+)\s*)?(?:(&&|\|\|)\s*(!?)\s*(\w+)\s*(?:\.\s*(\w+)\s*)?)?$`)
)

// parts gives the words that the groups of a pattern match, an empty one for each that does not.
func parts(pattern *regexp.Regexp, w word) (list []word) {
	at := pattern.FindStringSubmatchIndex(w.text)
	for i := 2; i < len(at); i += 2 {
		if at[i] < 0 {
			list = append(list, word{})
		} else {
			list = append(list, word{w.text[at[i]:at[i+1]], w.off + at[i]})
		}
	}
	return list
}

func (n *nihstro) statement(w word) {
	a := n.a
	st := &statement{a: a, cursor: cursor{w}, forced: -1}
	st.name, _ = st.argBlank()
	name := lower(st.name.text)
	if strings.HasPrefix(name, ".") {
		n.directive(st, name, w)
		return
	}
	if !a.room(st, "") {
		return
	}
	rest := st.rest.trim()
	switch name {
	case "else", "endif", "endloop":
		n.blockEnd(st, name)
		return
	case "if", "loop", "break", "breakc":
		if rest.text == "" && name == "break" {
			a.emit(uint32(shaderunit.OpBREAK)<<26, st)
			return
		}
		n.condition(st, name, rest, 0)
		return
	case "jmp", "call":
		n.jump(st, name, rest)
		return
	case "setemitraw":
		if id, flags, comma := strings.Cut(rest.text, ","); comma {
			st.rest = word{id + "," + strings.ReplaceAll(flags, ",", " "), rest.off}
		}
		a.setEmit(st, shaderunit.OpSETEMIT.Info())
		return
	}
	op, known := nihstroNames[name]
	if !known {
		names := slices.AppendSeq([]string{"if", "else", "endif", "loop", "endloop", "jmp", "call", "breakc", "setemitraw"}, maps.Keys(nihstroNames))
		a.err(st.name, fmt.Sprintf("unknown instruction %q", st.name.text), "", didYouMean(st.name.text, names))
		a.placeholder(st)
		return
	}
	row := op.Info()
	before := len(a.code)
	if row.Format == shaderunit.Format0 {
		if row.Op == shaderunit.OpEMIT {
			e := a.dvle()
			e.geometry, e.legacy = true, true
		}
		a.operation(st, row)
	} else {
		n.arithmetic(st, row)
	}
	if len(a.code) == before {
		a.placeholder(st)
	}
}

func (n *nihstro) directive(st *statement, name string, w word) {
	switch name {
	case ".version":
	case ".include":
		n.a.err(st.name, "files that a source includes are not read", "", "put the text of "+st.rest.text+" in its place")
	default:
		if m := parts(nihstroAlias, w); m != nil {
			n.alias(st, m)
			return
		}
		n.a.err(st.name, fmt.Sprintf("%s is no declaration", w.text), ".alias name register, with \"as\" and what an output means or what a uniform holds behind it", "")
	}
}

// alias takes .alias name register[-register][.components] [as meaning or values].
func (n *nihstro) alias(st *statement, m []word) {
	a := n.a
	name, first, last, mask, as := m[0], m[1], m[2], m[3], m[4].trim()
	reg, ok := n.lookUp(first)
	if !ok {
		a.spoil(name)
		return
	}
	size := 1
	if last.text != "" {
		end, ok := n.lookUp(last)
		switch {
		case !ok:
		case end.kind != reg.kind || end.reg < reg.reg:
			a.err(last, fmt.Sprintf("%s to %s is no range of registers", first.text, last.text), "registers of one kind, the lower one first", "")
		case mask.text != "" || as.text != "":
			a.err(last, "a range of registers has no components and no value", "one register", "")
		default:
			size = end.reg - reg.reg + 1
		}
	}
	reg.comps = allComponents
	if mask.text != "" {
		if reg.comps, ok = n.components(mask); !ok {
			a.spoil(name)
			return
		}
	}
	var value []float64
	if as.text != "" {
		if value, ok = n.values(as); !ok && reg.kind != 'o' {
			a.err(as, fmt.Sprintf("%q is no value", as.text), "a number, or numbers in parentheses", "")
			a.spoil(name)
			return
		}
	}
	e := a.dvle()
	switch {
	case value != nil:
		n.constant(st, reg, as, value, mask)
	case reg.kind == 'o':
		n.output(name, reg, as)
	case strings.IndexByte("vcib", reg.kind) >= 0:
		if reg.kind == 'v' {
			e.inMask |= 1<<(reg.reg+size) - 1<<reg.reg
		}
		typ := map[byte]uniformType{'i': typeInt, 'b': typeBool}[reg.kind]
		if reg.kind == 'v' || reg.kind == 'c' {
			typ = typeFloat
		}
		a.addUniform(e, name, uniform{name.text, reg.reg, size, typ})
	default:
		a.err(first, fmt.Sprintf("%s can have no other name", first.text), "an input, an output or a uniform", "")
	}
	al := alias{reg: reg.reg, swizzle: shaderunit.SwizzleXYZW, kind: reg.kind}
	if size > 1 {
		al.size = size
	}
	if a.declare(name, al, registersText(reg.kind, reg.reg, size)) {
		n.terms[name.text] = reg
	}
}

// output takes the meaning of an output register.
func (n *nihstro) output(name word, reg term, as word) {
	a := n.a
	meanings := map[string]shbin.OutputType{"position": shbin.OutPosition, "quaternion": shbin.OutNormalQuat, "color": shbin.OutColor,
		"texcoord0": shbin.OutTexCoord0, "texcoord1": shbin.OutTexCoord1, "texcoord2": shbin.OutTexCoord2, "view": shbin.OutView}
	typ, known := meanings[as.text]
	if !known {
		w := as
		if w.text == "" {
			w = name
		}
		a.err(w, fmt.Sprintf("no meaning of an output: %q", as.text), "position, quaternion, color, texcoord0, texcoord1, texcoord2 or view behind \"as\"", suggestFrom(a, as.text, meanings))
		return
	}
	mask := uint8(0)
	for _, c := range reg.comps {
		if mask >= 1<<c {
			a.err(name, "the components of an output stand in their order", "x, y, z, w, without those that are not written", "")
			return
		}
		mask |= 1 << c
	}
	e := a.dvle()
	if len(e.outputs) == maxOutputs {
		a.err(name, "too many outputs", fmt.Sprintf("at most %d", maxOutputs), "")
		return
	}
	e.outputs = append(e.outputs, output{int(typ), reg.reg, mask})
	e.named = append(e.named, namedOutput{name.text, typ, reg.reg, mask})
	e.outMask |= 1 << reg.reg
}

// values reads 0.5 or (1, 0.5, 2, 0); nil where neither stands there.
func (n *nihstro) values(w word) (list []float64, ok bool) {
	text, open := strings.CutPrefix(w.text, "(")
	text, closed := strings.CutSuffix(text, ")")
	for _, part := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
		if err != nil {
			return nil, false
		}
		list = append(list, v)
	}
	return list, open == closed && (open || len(list) == 1)
}

func (n *nihstro) constant(st *statement, reg term, as word, v []float64, mask word) {
	a := n.a
	want := 4
	if reg.kind == 'b' {
		want = 1
	}
	if strings.IndexByte("cib", reg.kind) < 0 || mask.text != "" || len(v) != want {
		a.err(as, fmt.Sprintf("%d numbers are no value of this register", len(v)), "four for a whole c or i register, one (0 or 1) for a b register", "")
		return
	}
	c := constant{reg: reg.reg, typ: map[byte]uniformType{'c': typeFloat, 'i': typeInt, 'b': typeBool}[reg.kind]}
	for i, f := range v {
		if limit := map[byte]float64{'i': 256, 'b': 2}[reg.kind]; limit > 0 && !(f >= 0 && f < limit) {
			a.err(as, fmt.Sprintf("%v does not fit in this register", f), fmt.Sprintf("0 to %v", limit-1), "")
			return
		}
		c.f[i] = float32(f)
		if reg.kind == 'i' {
			c.i[i] = uint8(f)
		}
		c.b = int(f) != 0
	}
	a.addConstant(st, c)
}

// lookUp finds a register or a name.
func (n *nihstro) lookUp(w word) (t term, ok bool) {
	if t, ok = n.terms[w.text]; ok {
		n.a.index.uses(w, SymbolAlias)
		t.word = w
		return t, true
	}
	if n.a.aliases[w.text].bad {
		return t, false
	}
	kind, num, ok := n.a.number(w, "vorcib")
	if !ok {
		n.a.err(w, fmt.Sprintf("unknown register %q", w.text), "v0-v15, r0-r15, c0-c95, i0-i3, b0-b15, o0-o15 or a name that .alias gave", suggestFrom(n.a, w.text, n.terms))
		return t, false
	}
	t.operand = operand{word: w, reg: register(kind, num), swizzle: shaderunit.SwizzleXYZW, kind: kind}
	t.comps = allComponents
	return t, true
}

func (n *nihstro) components(w word) (list []uint8, ok bool) {
	for _, c := range []byte(w.text) {
		k := strings.IndexByte("xyzw", c)
		if k < 0 || len(list) == 4 {
			n.a.err(w, fmt.Sprintf("invalid component selection %q", w.text), "one to four of xyzw", "")
			return nil, false
		}
		list = append(list, uint8(k))
	}
	return list, len(list) > 0
}

// term reads an operand.
func (n *nihstro) term(w word) (t term, ok bool) {
	m := parts(nihstroTerm, w)
	if m == nil {
		n.a.err(w, fmt.Sprintf("invalid operand %q", w.text), "a register or a name, with an index in brackets and components behind it", "")
		return t, false
	}
	if t, ok = n.lookUp(m[1]); !ok {
		return t, false
	}
	t.word, t.negate = w, m[0].text == "-"
	if m[2].off > 0 && !n.relative(&t, m[2]) {
		return t, false
	}
	for _, part := range strings.Split(m[3].text, ".") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		sel, ok := n.components(word{part, m[3].off + strings.Index(m[3].text, part)})
		if !ok {
			return t, false
		}
		comps := make([]uint8, len(sel))
		for i, c := range sel {
			if int(c) >= len(t.comps) {
				n.a.err(w, fmt.Sprintf("%q has %d components, and no %c", m[1].text, len(t.comps), "xyzw"[c]), "", "")
				return t, false
			}
			comps[i] = t.comps[c]
		}
		t.comps = comps
	}
	return t, true
}

// relative reads an index: numbers and at most one address register, added.
func (n *nihstro) relative(t *term, w word) bool {
	offset := 0
	for _, part := range strings.Split(w.text, "+") {
		part = strings.TrimSpace(part)
		idx, isReg := map[string]shaderunit.AddrReg{"a0": shaderunit.AddrA0X, "a1": shaderunit.AddrA0Y, "lcnt": shaderunit.AddrAL}[part]
		v, err := strconv.ParseUint(part, 10, 16)
		switch {
		case isReg && t.idx == shaderunit.AddrNone:
			t.idx = idx
		case err == nil:
			offset += int(v)
		default:
			n.a.err(w, fmt.Sprintf("invalid index %q", w.text), "numbers and one of a0, a1 and lcnt, with + between", "")
			return false
		}
	}
	first, end := regTemp, regFloat // registers of the kind
	switch t.kind {
	case 'v', 'o':
		first, end = regInput, regTemp
	case 'c':
		first, end = regFloat, regInt
	case 'i', 'b':
		first, end = regInt, regEnd
	}
	if t.reg += offset; t.reg < first || t.reg >= end || t.idx != shaderunit.AddrNone && t.kind != 'c' {
		n.a.err(w, fmt.Sprintf("[%s] leads beyond the registers", w.text), "an index within the registers of the kind; a0, a1 and lcnt with float uniforms alone", "")
		return false
	}
	return true
}

// lay gives the selectors of a source: its components in turn for those that the destination
// names, or from x on where there is no destination. Others select x.
func (t *term) lay(mask uint8) {
	t.swizzle = 0
	k := 0
	for i := range 4 {
		if mask>>(3-i)&1 != 0 && k < len(t.comps) {
			t.swizzle |= t.comps[k] << (6 - 2*i)
			k++
		}
	}
}

func (n *nihstro) arithmetic(st *statement, row *shaderunit.OpInfo) {
	a := n.a
	count := row.Format.Sources()
	if !row.WritesAddress() && row.Format != shaderunit.Format1c {
		count++
	}
	var t []term
	ok := true
	for range count {
		w, more := st.need("an operand")
		if !more {
			return
		}
		op, good := n.term(w)
		ok = ok && good
		t = append(t, op)
	}
	if row.Format == shaderunit.Format1c {
		n.compare(st, row, t, ok)
		return
	}
	if !st.done() || !ok {
		return
	}
	counts := func(want int, list ...term) bool {
		for i := range list {
			if len(list[i].comps) != want {
				a.err(list[i].word, fmt.Sprintf("%q has %d components", list[i].text, len(list[i].comps)), fmt.Sprintf("%d", want), "components are named behind the register: "+list[i].text+"."+"xyzw"[:want])
				return false
			}
		}
		return true
	}
	if row.WritesAddress() {
		if counts(2, t[0]) {
			n.reads(t[0])
			t[0].lay(0xF)
			a.address(st, row, 8|4, t[0].operand)
		}
		return
	}
	n.reads(t[1:]...)
	wide := func(i int) bool { return t[i].kind == 'c' || t[i].idx != shaderunit.AddrNone }
	switch {
	case count == 3 && wide(2) && !wide(1) && row.Commutes():
		t[1], t[2] = t[2], t[1]
	case count == 4 && wide(1):
		t[1], t[2] = t[2], t[1]
	}
	var mask uint8
	for _, c := range t[0].comps {
		mask |= 8 >> c
		t[0].swizzle = t[0].swizzle<<2 | c
	}
	t[0].swizzle = maskSwizzle(mask)
	lay := mask
	first, second := len(t[0].comps), len(t[0].comps)
	switch {
	case row.Op == shaderunit.OpDP3:
		first, second, lay = 3, 3, 0xF
	case row.Op == shaderunit.OpDP4:
		first, second, lay = 4, 4, 0xF
	case row.Op == shaderunit.OpDPH && !wide(2):
		first, second, lay = 4, 3, 0xF // as the tool has it
	}
	if !counts(first, t[1]) || !counts(second, t[2:]...) {
		return
	}
	for i := 1; i < count; i++ {
		t[i].lay(lay)
	}
	switch count {
	case 2:
		second := term{comps: allComponents} // which the tool selects of a source that is not there
		second.lay(lay)
		a.idle = uint32(second.swizzle) << 14
		a.unary(st, row, t[0].operand, t[1].operand)
		a.idle = 0
	case 3:
		a.binary(st, row, t[0].operand, t[1].operand, t[2].operand)
	case 4:
		a.ternary(st, row, t[0].operand, t[1].operand, t[2].operand, t[3].operand)
	}
}

// maskSwizzle gives a selection that names the components of a mask, bit 3 = x.
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

// reads notes the inputs that an instruction reads: the language need not declare them.
func (n *nihstro) reads(list ...term) {
	for _, t := range list {
		if t.kind == 'v' {
			n.a.dvle().inMask |= 1 << t.reg
		}
	}
}

var nihstroCompare = map[string]shaderunit.CompareOp{"==": shaderunit.CompareEQ, "!=": shaderunit.CompareNE, "<": shaderunit.CompareLT,
	"<=": shaderunit.CompareLE, ">": shaderunit.CompareGT, ">=": shaderunit.CompareGE}

// compare takes cmp a, b, op, op.
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

// jump takes jmp label if condition, and call label until label [if condition].
func (n *nihstro) jump(st *statement, name string, rest word) {
	a := n.a
	m := parts(nihstroJump, rest)
	switch {
	case m == nil:
		a.err(st.name, fmt.Sprintf("%s: %q is no target", name, rest.text), "jmp label if condition, or call label until label", "")
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
		a.err(st.name, "a call names the label behind its last instruction", "call label until label", "")
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

// Operations by what their condition is.
var (
	byFlags = map[string]shaderunit.Opcode{"if": shaderunit.OpIFC, "jmp": shaderunit.OpJMPC, "call": shaderunit.OpCALLC, "break": shaderunit.OpBREAKC, "breakc": shaderunit.OpBREAKC}
	byBool  = map[string]shaderunit.Opcode{"if": shaderunit.OpIFU, "jmp": shaderunit.OpJMPU, "call": shaderunit.OpCALLU}
)

// condition assembles an instruction that goes by cc.x, a bool uniform or an int uniform.
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
	m := parts(nihstroTest, w)
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
		reg, ok := n.lookUp(m[1])
		if !ok {
			a.placeholder(st)
			return false
		}
		op = byBool[name]
		if name == "loop" {
			op = shaderunit.OpLOOP
		}
		base := regBool
		if op == shaderunit.OpLOOP {
			base = regInt
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

// nihstroFlags takes a condition on cc apart: cc.xy is both.
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

// blockEnd takes else, endif and endloop.
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

func (n *nihstro) finish() {
	a := n.a
	a.exact = false
	for i := range a.blocks {
		b := &a.blocks[i]
		if b.kind != blockBad {
			a.report(Diagnostic{Pos: b.pos, Severity: Error, Msg: "this block has no end", Expected: "endif or endloop before the end of the file", Source: b.line})
		}
	}
	a.blocks = a.blocks[:0]
	a.procedures(n.calls)
	a.entryAt("main", "endmain")
}

// entryAt makes the label where a source starts its entry procedure, which reaches to the label
// last, to the next procedure, or to the end of the code.
func (a *assembler) entryAt(first, last string) {
	e := a.dvle()
	e.entry = first
	start, known := a.fileLabels[first]
	if !known {
		a.report(Diagnostic{Pos: Pos{File: a.file, Line: 1}, Severity: Error, Msg: fmt.Sprintf("there is no label %q, where the program starts", first), Hint: suggestFrom(a, first, a.fileLabels)})
		a.procs[first] = proc{}
		return
	}
	end, known := a.fileLabels[last]
	if !known || end < start {
		end = len(a.code)
		for _, p := range a.procs {
			if p.start > start && p.start < end && p.pos.File == a.file {
				end = p.start
			}
		}
	}
	a.procedure(first, start, end, a.labelPos[first], "")
}
