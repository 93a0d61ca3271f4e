package asm

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/internal/lazy"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// zitrus reads the language of zitrus' assembler. Operands and arithmetic are
// those of .pica under other names of registers, so they are read as such;
// labels delimit what flow control runs. A source may have several entry
// points, each of which becomes an executable. No NOP is inserted.
type zitrus struct {
	a       *assembler
	entries []*executable
	current *executable // for what no directive names an entry point for
	inputs  uint16      // that the code reads
	calls   []stretch
	blocks  []stretch // of ifs and loops
}

func newZitrus(a *assembler, src Source) frontEnd {
	a.opt.NoNop, a.desc.zitrus = true, true
	return &zitrus{a: a, current: a.dvle()}
}

var zitrusSemantics = map[string]shbin.OutputType{
	"position": shbin.OutPosition, "normal_quaternion": shbin.OutNormalQuat, "color": shbin.OutColor, "texture_coordinates_0": shbin.OutTexCoord0,
	"texture_coordinates_1": shbin.OutTexCoord1, "texture_coordinates_2": shbin.OutTexCoord2, "view": shbin.OutView, "dummy": shbin.OutDummy,
}

var (
	zitrusFloat   = lazy.Regexp(`\bf(\d+)\b`)
	zitrusAddress = lazy.Regexp(`\ba\s*\.\s*([xyl])`)
	zitrusOut     = lazy.Regexp(`^(\w+)\s+(\w+)(?:\.(\w+))?\s+(\w+)(?:\.(\w+))?$`)
	zitrusSet     = lazy.Regexp(`^(\w+)\s+(\w+)\s*(.*)$`)
	zitrusInput   = lazy.Regexp(`\w+`)
)

// asPica translates the names of registers.
func asPica(text string) string {
	text = strings.ReplaceAll(zitrusFloat().ReplaceAllString(text, "c$1"), "v15", "v14[1]")
	return zitrusAddress().ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasSuffix(s, "l") {
			return "aL"
		}
		return "a0." + s[len(s)-1:]
	})
}

func (z *zitrus) statement(w word) {
	a := z.a
	st := &statement{a: a, cursor: cursor{w}, forced: -1}
	st.name, _ = st.argBlank()
	name := st.name.text
	if strings.HasPrefix(name, ".") {
		z.directive(st, name[1:])
		return
	}
	if !a.room(st, "") {
		return
	}
	row := mnemonics[name]
	if name == "loop" {
		row = shaderunit.OpLOOP.Info()
	}
	before := len(a.code)
	switch {
	case row == nil:
		a.err(st.name, fmt.Sprintf("unknown instruction %q", name), "", didYouMean(name, Mnemonics()))
	case row.Op == shaderunit.OpSETEMIT:
		z.setEmit(st, row)
	case row.Op != shaderunit.OpBREAK && (row.Format == shaderunit.Format2 || row.Format == shaderunit.Format3):
		z.flow(st, row)
	default:
		z.reads(st.rest)
		st.rest.text = z.exchanged(row, asPica(st.rest.text))
		a.operation(st, row)
	}
	if len(a.code) == before {
		a.placeholder(st)
	}
}

// turned are the comparisons with exchanged sources.
var turned = map[string]string{"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}

// exchanged puts the source first that only fits there, where the operation
// allows it.
func (z *zitrus) exchanged(row *shaderunit.OpInfo, text string) string {
	wide := func(s string) bool {
		name := strings.TrimSpace(strings.TrimLeft(s, " \t-"))
		if end := strings.IndexAny(name, ".[ \t"); end >= 0 {
			name = name[:end]
		}
		if al, ok := z.a.aliases[name]; ok {
			return al.kind == 'c'
		}
		_, _, ok := z.a.number(word{name, 0}, "c")
		return ok
	}
	f := strings.Split(text, ",")
	switch {
	case len(f) == 3 && row.Commutes() && wide(f[2]) && !wide(f[1]):
		f[1], f[2] = f[2], f[1]
	case len(f) == 4 && row.Format == shaderunit.Format1c && wide(f[3]) && !wide(f[0]):
		x, okX := turned[strings.TrimSpace(f[1])]
		y, okY := turned[strings.TrimSpace(f[2])]
		if okX && okY {
			f[0], f[1], f[2], f[3] = f[3], " "+x, " "+y, " "+f[0]
		}
	}
	return strings.Join(f, ",")
}

// reads notes the inputs that an instruction names, because the language does
// not require their declaration.
func (z *zitrus) reads(rest word) {
	for _, name := range zitrusInput().FindAllString(rest.text, -1) {
		if al, ok := z.a.aliases[name]; ok && al.kind == 'v' {
			z.inputs |= 1 << al.reg
		} else if kind, n, ok := z.a.number(word{name, 0}, "v"); ok && kind == 'v' {
			z.inputs |= 1 << n
		}
	}
}

func (z *zitrus) directive(st *statement, name string) {
	a := z.a
	rest := st.rest.trim()
	switch name {
	case "alias":
		st.rest.text = asPica(st.rest.text)
		alias, target, _ := strings.Cut(rest.text, " ")
		a.aliasDirective(st)
		al, ok := a.aliases[alias]
		if kind := strings.IndexByte("vcib", al.kind); ok && !al.bad && kind >= 0 && al.kind != 0 && !strings.Contains(target, ".") {
			a.addUniform(z.current, rest.to(len(alias)), picasso.Uniform{Name: alias, Reg: al.reg, Size: 1, Type: picasso.TypeOf[al.kind]})
		}
	case "entry":
		z.entry(st, rest)
	case "out":
		z.out(st, rest)
	case "set":
		m := parts(zitrusSet(), rest)
		if m == nil {
			a.err(st.name, ".set: an entry point, a register and its value are expected", "", "")
			return
		}
		if e := z.of(m[0]); e != nil {
			a.cur = e
			text := asPica(m[1].text) + m[2].text
			if strings.HasPrefix(text, "b") {
				text = m[1].text + " " + m[2].text
			}
			value := &statement{a: a, cursor: cursor{word{text, m[1].off}}, forced: -1, name: st.name}
			switch m[1].text[0] {
			case 'b':
				a.setBoolDirective(value)
			case 'i':
				a.setDirective(value, picasso.TypeInt)
			default:
				n := len(e.constants)
				a.setDirective(value, picasso.TypeFloat)
				for _, c := range e.constants[n:] {
					for i, f := range c.f { // to the nearest float24, the even of two
						bits := math.Float32bits(f)
						e.constants[n].f[i] = math.Float32frombits(bits + 0x3F + bits>>7&1)
					}
				}
			}
			a.cur = z.current
		}
	default:
		a.err(st.name, fmt.Sprintf("unknown directive %q", st.name.text), ".entry, .out, .set or .alias", "")
	}
}

// of finds an entry point.
func (z *zitrus) of(label word) *executable {
	for _, e := range z.entries {
		if e.entry == label.text {
			return e
		}
	}
	z.a.err(label, fmt.Sprintf("there is no entry point %q", label.text), ".entry before it", "")
	return nil
}

// entry reads .entry label vertex, or geometry with how primitives come.
func (z *zitrus) entry(st *statement, rest word) {
	a := z.a
	f := strings.Fields(rest.text)
	fail := func() {
		a.err(st.name, fmt.Sprintf(".entry: %q", rest.text), "a label, and vertex; geometry point N; geometry variable N; or geometry fixed N fX", "")
	}
	if len(f) < 2 || slices.ContainsFunc(z.entries, func(e *executable) bool { return e.entry == f[0] }) {
		fail()
		return
	}
	e := z.current
	if len(z.entries) > 0 && a.opt.Object {
		a.err(st.name, "an object has one entry point", "one .entry", "")
		return
	}
	if len(z.entries) > 0 {
		e = &executable{file: a.file, fields: map[string]uint32{}, uniforms: slices.Clone(z.current.uniforms)}
		a.dvles = append(a.dvles, e)
		a.dvleCount++
	}
	e.entry, e.entryPos, e.entryLine = f[0], a.pos(st.name), a.raw
	z.entries = append(z.entries, e)
	if f[1] == "vertex" && len(f) == 2 {
		return
	}
	n := 0
	if len(f) >= 4 {
		n, _ = strconv.Atoi(f[3])
	}
	kind, start, ok := byte(0), 0, len(f) >= 4 && f[1] == "geometry" && n >= 0 && n < 32
	if len(f) == 5 {
		kind, start, ok = a.number(word{asPica(f[4]), 0}, "c")
	}
	e.geometry = true
	switch {
	case ok && f[2] == "point" && kind == 0:
	case ok && f[2] == "variable" && kind == 0:
		e.gshMode, e.gshVarNum = uint8(shbin.GeometryVariable), uint8(n)
	case ok && f[2] == "fixed" && kind == 'c':
		e.gshMode, e.gshFixNum, e.gshStart = uint8(shbin.GeometryFixed), uint8(n), uint8(start)
	default:
		fail()
	}
}

// out reads .out entry oN.mask semantic.components.
func (z *zitrus) out(st *statement, rest word) {
	a := z.a
	m := parts(zitrusOut(), rest)
	if m == nil {
		a.err(st.name, ".out: an entry point, a register and what it means are expected", ".out main o0 position", "")
		return
	}
	e := z.of(m[0])
	_, reg, ok := a.number(m[1], "o")
	typ, known := zitrusSemantics[m[3].text]
	mask, comps := m[2].text, m[4].text
	if mask == "" {
		mask = "xyzw"
	}
	if comps == "" {
		comps = "xyzw"[:len(mask)]
	}
	switch {
	case e == nil:
		return
	case !ok:
		a.err(m[1], fmt.Sprintf("%q is not an output register", m[1].text), "o0-o15", "")
		return
	case !known:
		a.err(m[3], fmt.Sprintf("unknown meaning %q", m[3].text), "", suggestFrom(a, m[3].text, zitrusSemantics))
		return
	}
	var set [2]uint8 // of the type, and of the third texture coordinate
	last := -1
	for i := range len(mask) {
		c := strings.IndexByte("xyzw", mask[i])
		if c <= last || i >= len(comps) {
			a.err(m[1], fmt.Sprintf("%s.%s cannot hold %s.%s", m[1].text, mask, m[3].text, comps), "components in order, as many of both", "")
			return
		}
		last = c
		third := typ == shbin.OutTexCoord0 && i == 2 || typ == shbin.OutTexCoord0 && comps == "z"
		if !third && comps[i] != "xyzw"[i] {
			a.err(m[3], fmt.Sprintf("%s.%s begins in the middle", m[3].text, comps), "components from x on; a shader binary cannot say more", "")
			return
		}
		switch {
		case third:
			set[1] |= 1 << c
		case typ >= shbin.OutTexCoord0 && typ <= shbin.OutTexCoord2 && i >= 2: // these have two
		default:
			set[0] |= 1 << c
		}
	}
	for i, typ := range [2]shbin.OutputType{typ, shbin.OutTexCoord0W} {
		if set[i] != 0 {
			a.addOutput(e, st.name, output{"", typ, reg, set[i]})
		}
	}
}

// flow reads flow control: a condition (or, and, x or y; the wanted flags) or a
// uniform, then the label where it goes or the two labels of what it runs.
func (z *zitrus) flow(st *statement, row *shaderunit.OpInfo) {
	a := z.a
	var bits uint32
	switch {
	case row.Op == shaderunit.OpCALL:
		bits = flags(shaderunit.CondAnd, false, false)
	case row.Format == shaderunit.Format2:
		c, ok := st.args3("or, and, x or y", "true or false", "true or false")
		if !ok {
			return
		}
		cond := slices.Index([]string{"or", "and", "x", "y"}, c[0].text)
		if cond < 0 || !isTruth(c[1]) || !isTruth(c[2]) {
			a.err(c[0], fmt.Sprintf("invalid condition %q, %q, %q", c[0].text, c[1].text, c[2].text), "or, and, x or y, then the wanted values of both flags", "")
			return
		}
		bits = flags(shaderunit.CondOp(cond), c[1].text == "true", c[2].text == "true")
	default:
		w, ok := st.need("a uniform")
		if !ok {
			return
		}
		reg := a.parseReg(word{asPica(w.text), w.off}, false)
		if row.Op == shaderunit.OpLOOP {
			if !a.checkInt(&reg) {
				return
			}
			bits = uint32(reg.reg-picasso.RegInt) << flowCond
			break
		}
		if !a.checkBool(&reg) {
			return
		}
		bits = uint32(reg.reg-picasso.RegBool) << flowCond
		if row.Op == shaderunit.OpJMPU {
			want, ok := st.need("true or false")
			if !ok || !isTruth(want) {
				a.err(want, fmt.Sprintf("%q is not true or false", want.text), "", "")
				return
			}
			if want.text == "false" {
				bits |= 1
			}
		}
	}
	if row.Flow == shaderunit.FlowBreak {
		if st.done() {
			a.emit(uint32(row.Op)<<26|bits, st)
		}
		return
	}
	first, ok := st.need("a label")
	if !ok {
		return
	}
	second := first
	if row.Flow == shaderunit.FlowCall || row.Flow == shaderunit.FlowIf {
		if second, ok = st.need("the label after the last instruction"); !ok {
			return
		}
	}
	if !st.done() {
		return
	}
	switch row.Flow {
	case shaderunit.FlowJump:
		a.refer(&a.fileJumps, first)
	case shaderunit.FlowCall:
		z.calls = append(z.calls, a.stretch(st, first, second))
	default:
		z.blocks = append(z.blocks, a.stretch(st, first, second))
	}
	a.emit(uint32(row.Op)<<26|bits, st)
}

func isTruth(w word) bool { return w.text == "true" || w.text == "false" }

// args3 reads three arguments, with more to come.
func (st *statement) args3(expected ...string) (list []word, ok bool) {
	for _, e := range expected {
		w, ok := st.need(e)
		if !ok {
			return nil, false
		}
		list = append(list, w)
	}
	return list, true
}

// setEmit reads a vertex, vertex or primitive, and default or invert.
func (z *zitrus) setEmit(st *statement, row *shaderunit.OpInfo) {
	m, ok := st.args("the vertex number, 0 to 2", "vertex or primitive", "default or invert")
	if !ok {
		return
	}
	n, ok := z.a.integer(m[0], 0, 2)
	if prim, wind := m[1].text, m[2].text; ok && (prim == "vertex" || prim == "primitive") && (wind == "default" || wind == "invert") {
		in := shaderunit.Instr{Op: row.Op, VertexID: uint8(n), PrimEmit: prim == "primitive", Winding: wind == "invert"}
		w, _ := in.Encode()
		z.a.emit(w, st)
	} else if ok {
		z.a.err(m[1], fmt.Sprintf("%q, %q", prim, wind), "vertex or primitive, and default or invert", "")
	}
}

func (z *zitrus) finish() {
	a := z.a
	a.targets(z.blocks)
	a.procedures(z.calls)
	if len(z.entries) == 0 {
		a.report(Diagnostic{Pos: Pos{File: a.file, Line: 1}, Severity: Error, Msg: "the source has no entry point", Expected: ".entry LABEL vertex"})
	}
	last := slices.Clone(z.entries) // backwards, because a procedure ends where the next begins
	slices.SortStableFunc(last, func(x, y *executable) int { return cmp.Compare(a.fileLabels[y.entry], a.fileLabels[x.entry]) })
	for _, e := range last {
		e.inMask = z.inputs
		a.cur = e
		a.entryAt(e.entry, "")
	}
	a.cur = z.current
}
