package asm

import (
	"cmp"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/internal/lazy"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// nihstro reads nihcode, the language of nihstro-assemble. The output has the same words
// and operand descriptors as the tool's: descriptors are shared only if they are equal,
// and no NOP is inserted. Unless Options.Nihstro asks for the tool's file, two things differ: mova
// writes both address registers, where the tool leaves the mask empty, and main starts at its label.
type nihstro struct {
	a     *assembler
	terms map[string]term // by name
	calls []stretch
	emits []int // words with setemitraw
	depth int   // of files within files
}

// term is a register with its named components: a source with two differs from
// one with four.
type term struct {
	operand
	comps []uint8
}

func newNihstro(a *assembler, src Source) frontEnd {
	a.exact, a.opt.NoNop = true, true
	if e := a.dvle(); a.opt.Nihstro != nil && a.opt.Nihstro.Geometry {
		e.geometry, e.legacy = true, true
	}
	return &nihstro{a: a, terms: map[string]term{}}
}

var allComponents = []uint8{0, 1, 2, 3}

// nihstroNames are the operations without a condition, nihstroOther those with other names.
var (
	nihstroNames = strings.Fields("nop end emit mova exp log lit flr rcp rsq mov add dp3 dp4 dph dst mul sge slt max min mad cmp")
	nihstroOther = map[string]string{"exp": "ex2", "log": "lg2", "lit": "litp"}
)

var (
	nihstroAlias = lazy.Regexp(`^\.\s*alias\s+(\w+)\s+(\w+)\s*(?:-\s*(\w+)\s*)?(?:\.\s*(\w*)\s*)?(?:\bas\s+(.*))?$`)
	nihstroTerm  = lazy.Regexp(`^([+-]?)\s*(\w+)\s*(?:\[([^\]]*)\]\s*)?((?:\.\s*\w+\s*)*)$`)
	nihstroJump  = lazy.Regexp(`^(\w+)(?:\s+until\s+(\w+))?(?:\s+if\s+(.*))?$`)
	nihstroTest  = lazy.Regexp(`^(!?)\s*(\w+)\s*(?:\.\s*(\w+)\s*)?(?:(&&|\|\|)\s*(!?)\s*(\w+)\s*(?:\.\s*(\w+)\s*)?)?$`)
)

// parts returns the words that the groups of a pattern match, empty ones for
// groups that do not match.
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
		n.emits = append(n.emits, len(a.code))
		if id, flags, comma := strings.Cut(rest.text, ","); comma {
			st.rest = word{id + "," + strings.ReplaceAll(flags, ",", " "), rest.off}
		}
		a.setEmit(st, shaderunit.OpSETEMIT.Info())
		return
	}
	if !slices.Contains(nihstroNames, name) {
		names := append([]string{"if", "else", "endif", "loop", "endloop", "jmp", "call", "breakc", "setemitraw"}, nihstroNames...)
		a.err(st.name, fmt.Sprintf("unknown instruction %q", st.name.text), "", didYouMean(st.name.text, names))
		a.placeholder(st)
		return
	}
	row := mnemonics[cmp.Or(nihstroOther[name], name)]
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
		if name, err := strconv.Unquote(st.rest.trim().text); err == nil && n.a.opt.Nihstro != nil && n.a.opt.Nihstro.Include != nil {
			n.include(st, path.Join(path.Dir(n.a.file), name))
			return
		}
		n.a.err(st.name, "files that a source includes are not read", "", "put the text of "+st.rest.text+" in its place")
	default:
		if m := parts(nihstroAlias(), w); m != nil {
			n.alias(st, m)
			return
		}
		n.a.err(st.name, fmt.Sprintf("%s is not a declaration", w.text), ".alias name register, with \"as\" and what an output means or what a uniform holds after it", "")
	}
}

// include reads the lines of another file.
func (n *nihstro) include(st *statement, name string) {
	a := n.a
	text, err := a.opt.Nihstro.Include(name)
	if n.depth++; err == nil && n.depth > maxIncludes {
		err = fmt.Errorf("more than %d files within files", maxIncludes)
	}
	if err != nil {
		a.err(st.name, err.Error(), "", "")
		return
	}
	if _, seen := a.fileOrder[name]; !seen {
		a.fileOrder[name] = len(a.fileOrder)
	}
	file, at := a.file, a.lineNo
	a.file, a.lineNo = name, 0
	for line := range strings.Lines(string(text)) {
		a.lineNo++
		a.foreignLine(nihstroDialect(), n, strings.TrimSuffix(line, "\n"))
	}
	a.file, a.lineNo = file, at
	n.depth--
}

const maxIncludes = 16

// alias reads .alias name register[-register][.components] [as meaning or
// values].
func (n *nihstro) alias(st *statement, m []word) {
	a := n.a
	name, first, last, mask, as := m[0], m[1], m[2], m[3], m[4].trim()
	reg, ok := n.resolve(first)
	if !ok {
		a.declareBad(name)
		return
	}
	size := 1
	if last.text != "" {
		end, ok := n.resolve(last)
		switch {
		case !ok:
		case end.kind != reg.kind || end.reg < reg.reg:
			a.err(last, fmt.Sprintf("%s to %s is not a range of registers", first.text, last.text), "registers of one kind, the lower one first", "")
		case mask.text != "" || as.text != "":
			a.err(last, "a range of registers has no components and no value", "one register", "")
		default:
			size = end.reg - reg.reg + 1
		}
	}
	reg.comps = allComponents
	if mask.text != "" {
		if reg.comps, ok = n.components(mask); !ok {
			a.declareBad(name)
			return
		}
	}
	var value []float64
	if as.text != "" {
		if value, ok = n.values(as); !ok && reg.kind != 'o' {
			a.err(as, fmt.Sprintf("%q is not a value", as.text), "a number, or numbers in parentheses", "")
			a.declareBad(name)
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
		a.addUniform(e, name, picasso.Uniform{Name: name.text, Reg: reg.reg, Size: size, Type: picasso.TypeOf[reg.kind]})
	default:
		a.err(first, fmt.Sprintf("%s can have no other name", first.text), "an input, an output or a uniform", "")
	}
	al := alias{reg: reg.reg, swizzle: shaderunit.SwizzleXYZW, kind: reg.kind}
	if size > 1 {
		al.size = size
	}
	if _, dup := n.terms[name.text]; dup && a.opt.Nihstro != nil && (value != nil || reg.kind == 'o') {
		a.warn(name, fmt.Sprintf("%q keeps its first register, as with nihstro-assemble", name.text), "")
	} else if a.declare(name, al, registersText(reg.kind, reg.reg, size)) {
		n.terms[name.text] = reg
	}
}

// output reads the meaning of an output register.
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
		a.err(w, fmt.Sprintf("not a meaning of an output: %q", as.text), "position, quaternion, color, texcoord0, texcoord1, texcoord2 or view after \"as\"", suggestFrom(a, as.text, meanings))
		return
	}
	mask := uint8(0)
	for _, c := range reg.comps {
		if mask >= 1<<c {
			a.err(name, "the components of an output must be in order", "x, y, z, w, without those that are not written", "")
			return
		}
		mask |= 1 << c
	}
	a.addOutput(a.dvle(), name, output{name.text, typ, reg.reg, mask})
}

// values reads 0.5 or (1, 0.5, 2, 0); nil if there is neither.
func (n *nihstro) values(w word) (list []float64, ok bool) {
	text, open := strings.CutPrefix(w.text, "(")
	text, closed := strings.CutSuffix(text, ")")
	for _, part := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(part), 32)
		if err != nil {
			return nil, false
		}
		if n.a.opt.Nihstro != nil && !math.IsInf(v, 0) && !math.IsNaN(v) {
			v = digits(strings.TrimSpace(part))
		}
		list = append(list, v)
	}
	return list, open == closed && (open || len(list) == 1)
}

// digits reads a number as the tool does: as many digits as 32 bits hold, then a power of ten.
func digits(text string) float64 {
	mantissa, power, _ := strings.Cut(lower(text), "e")
	exp, _ := strconv.Atoi(power)
	all, dot, full := uint64(0), false, false
	for _, c := range []byte(mantissa) {
		dot = dot || c == '.'
		if !picasso.IsDigit(c) {
			continue
		}
		next := 10*all + uint64(c-'0')
		if full = full || next > math.MaxUint32; !full {
			all = next
		}
		switch {
		case full && !dot:
			exp++
		case dot && !full:
			exp--
		}
	}
	v := float32(all)
	if exp < 0 {
		v /= float32(math.Pow10(-exp))
	} else {
		v *= float32(math.Pow10(exp))
	}
	if mantissa[0] == '-' {
		v = -v
	}
	return float64(v)
}

func (n *nihstro) constant(st *statement, reg term, as word, v []float64, mask word) {
	a := n.a
	want := 4
	if reg.kind == 'b' {
		want = 1
	}
	if strings.IndexByte("cib", reg.kind) < 0 || mask.text != "" || len(v) != want {
		a.err(as, fmt.Sprintf("%d numbers are not a value of this register", len(v)), "four for a whole c or i register, one (0 or 1) for a b register", "")
		return
	}
	c := constant{reg: reg.reg, typ: picasso.TypeOf[reg.kind]}
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

// resolve finds a register or a name.
func (n *nihstro) resolve(w word) (t term, ok bool) {
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
	m := parts(nihstroTerm(), w)
	if m == nil {
		n.a.err(w, fmt.Sprintf("invalid operand %q", w.text), "a register or a name, with an index in brackets and components after it", "")
		return t, false
	}
	if t, ok = n.resolve(m[1]); !ok {
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

// relative reads an index: the sum of numbers and at most one address register.
func (n *nihstro) relative(t *term, w word) bool {
	offset := 0
	for _, part := range strings.Split(strings.ReplaceAll(w.text, "-", "+-"), "+") {
		part = strings.TrimSpace(part)
		idx, isReg := map[string]shaderunit.AddrReg{"a0": shaderunit.AddrA0X, "a1": shaderunit.AddrA0Y, "lcnt": shaderunit.AddrAL}[part]
		v, err := strconv.ParseInt(strings.ReplaceAll(part, "- ", "-"), 10, 16)
		switch {
		case isReg && t.idx == shaderunit.AddrNone:
			t.idx = idx
		case err == nil:
			offset += int(v)
		default:
			n.a.err(w, fmt.Sprintf("invalid index %q", w.text), "numbers and one of a0, a1 and lcnt, with + or - between", "")
			return false
		}
	}
	first, end := picasso.RegTemp, picasso.RegFloat // registers of this kind
	switch t.kind {
	case 'v', 'o':
		first, end = picasso.RegInput, picasso.RegTemp
	case 'c':
		first, end = picasso.RegFloat, picasso.RegInt
	case 'i', 'b':
		first, end = picasso.RegInt, picasso.RegEnd
	}
	if t.reg += offset; t.reg < first || t.reg >= end || t.idx != shaderunit.AddrNone && t.kind != 'c' {
		n.a.err(w, fmt.Sprintf("[%s] leads beyond the registers", w.text), "an index within the registers of the kind; a0, a1 and lcnt with float uniforms alone", "")
		return false
	}
	return true
}

// lay returns the selectors of a source: its components in order for those that
// the destination names, or from x on without a destination. The others select
// x.
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

// Operations by what their condition is.
var (
	byFlags = map[string]shaderunit.Opcode{"if": shaderunit.OpIFC, "jmp": shaderunit.OpJMPC, "call": shaderunit.OpCALLC, "break": shaderunit.OpBREAKC, "breakc": shaderunit.OpBREAKC}
	byBool  = map[string]shaderunit.Opcode{"if": shaderunit.OpIFU, "jmp": shaderunit.OpJMPU, "call": shaderunit.OpCALLU}
)

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
	entry := "main"
	if a.opt.Nihstro != nil {
		entry = cmp.Or(a.opt.Nihstro.Entry, entry)
		for i := range a.labels { // the tool does not count setemitraw
			l := &a.labels[i]
			before, _ := slices.BinarySearch(n.emits, l.Addr)
			l.Addr -= before
			a.fileLabels[l.Name] = l.Addr
		}
	}
	a.procedures(n.calls)
	a.entryAt(entry, "endmain")
}

// entryAt makes the label where the entry procedure starts; it ends at the
// label last, at the next procedure or at the end of the code.
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

// asNihstro makes a file the one that nihstro-assemble writes: without version, masks and an
// end, with all labels, and where the entry point's instruction belongs with the place of its name.
func (a *assembler) asNihstro(f *shbin.File) error {
	x, e := &f.Executables[0], a.dvles[0]
	start := x.Main
	*x = shbin.Executable{Constants: x.Constants, Outputs: x.Outputs, Uniforms: uniformTable(e.uniforms)}
	if a.opt.Nihstro.Geometry {
		x.Type = shbin.GeometryShader
	}
	size := uint32(0)
	for _, l := range a.labels {
		if l.Name == e.entry {
			x.Main = size
		}
		size += uint32(len(l.Name)) + 1
		x.Labels = append(x.Labels, shbin.Label{Addr: uint32(l.Addr), Name: l.Name})
	}
	if x.Main != start {
		a.report(Diagnostic{Pos: a.labelPos[e.entry], Severity: Warning, Msg: fmt.Sprintf("the file starts at instruction %d, not at %d: nihstro-assemble writes the place of the label's name", x.Main, start),
			Hint: "put this label first, or use pica200 asm"})
	}
	return f.NihstroLayout()
}
