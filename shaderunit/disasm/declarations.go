package disasm

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/internal/stdsort"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/internal/picasso"
)

// declarations writes the directives of all sources. It simulates the
// assembler's allocation, so that every name gets its register.
type declarations struct {
	d      *disassembler
	shared picasso.Pools // registers of vertex and legacy geometry shaders
	known  []picasso.Uniform
}

func newDeclarations(d *disassembler) *declarations {
	return &declarations{d: d, shared: picasso.VertexPools()}
}

// tableUniforms returns the uniforms of a table, without the inputs.
func tableUniforms(e *shbin.Executable) (list []picasso.Uniform) {
	for _, u := range e.Uniforms {
		if u.Start < shbin.UniformFloat || u.End < u.Start {
			continue
		}
		reg := int(u.Start) + picasso.RegFloat - int(shbin.UniformFloat)
		typ := picasso.TypeFloat
		switch {
		case reg >= picasso.RegBool:
			typ = picasso.TypeBool
		case reg >= picasso.RegInt:
			typ = picasso.TypeInt
		}
		list = append(list, picasso.Uniform{Name: sourceName(u.Name), Reg: reg, Size: int(u.End-u.Start) + 1, Type: typ})
	}
	return list
}

// sourceName converts a name of the symbol table to the source's spelling.
func sourceName(s string) string { return strings.ReplaceAll(s, ".", "$") }

// legacyGeometry reports whether a geometry shader was made with .gsh without
// parameters: it shares the vertex shaders' registers, and dummy outputs do not
// merge the output maps.
func legacyGeometry(e *shbin.Executable) bool {
	if e.Type != shbin.GeometryShader || e.Geometry != (shbin.Geometry{}) {
		return false
	}
	return slices.ContainsFunc(tableUniforms(e), func(u picasso.Uniform) bool { return u.Type == picasso.TypeBool && u.Reg+u.Size > picasso.RegEnd-1 }) ||
		slices.ContainsFunc(e.Outputs, func(o shbin.Output) bool { return o.Type == shbin.OutDummy && e.Merge == 0 })
}

func sharesUniforms(e *shbin.Executable) bool {
	return e.Type != shbin.GeometryShader || legacyGeometry(e)
}

// sharedUniforms returns the shared uniforms of all executables by register.
func (d *disassembler) sharedUniforms() []picasso.Uniform {
	seen := map[picasso.Uniform]bool{}
	var list []picasso.Uniform
	for e := range d.file.Executables {
		if !sharesUniforms(&d.file.Executables[e]) {
			continue
		}
		for _, u := range tableUniforms(&d.file.Executables[e]) {
			if !seen[u] {
				seen[u] = true
				list = append(list, u)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b picasso.Uniform) int { return a.Reg - b.Reg })
	return list
}

// needsSharedUniforms reports whether declaring uniforms per source would put
// one in a gap that belongs to another executable's uniform.
func (d *disassembler) needsSharedUniforms() bool {
	var next [3]int
	for t := range next {
		next[t] = picasso.UniformType(t).Base()
	}
	declared := map[picasso.Uniform]bool{}
	for e := range d.file.Executables {
		if !sharesUniforms(&d.file.Executables[e]) {
			continue
		}
		for _, u := range tableUniforms(&d.file.Executables[e]) {
			if !declared[u] && u.Reg < next[u.Type] {
				return true
			}
			declared[u] = true
			next[u.Type] = max(next[u.Type], u.Reg+u.Size)
		}
	}
	return false
}

// all declares every shared uniform, for the shared source.
func (l *declarations) all(out *strings.Builder) {
	for _, u := range l.d.sharedUniforms() {
		l.uniform(out, &l.shared, &l.known, u, map[string]bool{})
	}
}

// uniform declares a uniform, with a hidden one before it to fill a gap.
func (l *declarations) uniform(out *strings.Builder, p *picasso.Pools, known *[]picasso.Uniform, u picasso.Uniform, names map[string]bool) bool {
	for _, k := range *known {
		if k == u {
			writeUniform(out, u)
			return true
		}
		if k.Name == u.Name {
			l.d.note("uniform %q, which has two meanings", u.Name)
			return false
		}
	}
	if !picasso.ValidIdentifier(u.Name) || names[u.Name] || strings.HasPrefix(u.Name, "_") {
		l.d.note("uniform %q, whose name the language cannot write or has already", u.Name)
		return false
	}
	pool := &p[u.Type]
	if u.Reg < pool.Start || u.Reg+u.Size > pool.Bound {
		kind, n := picasso.Letter(u.Reg)
		l.d.note("uniform %q at %c%d, where the assembler cannot put it", u.Name, kind, n)
		return false
	}
	if gap := u.Reg - pool.Start; gap > 0 {
		g := picasso.Uniform{Name: fmt.Sprintf("_gap%d", l.d.gaps), Reg: pool.Start, Size: gap, Type: u.Type}
		l.d.gaps++
		writeUniform(out, g)
		*known = append(*known, g)
	}
	pool.Start = u.Reg + u.Size
	*known = append(*known, u)
	writeUniform(out, u)
	return true
}

func writeUniform(out *strings.Builder, u picasso.Uniform) {
	if u.Size == 1 && u.Name == "" {
		fmt.Fprintf(out, "%s ,\n", u.Type) // the name may be omitted, except at the end
	} else if u.Size == 1 {
		fmt.Fprintf(out, "%s %s\n", u.Type, u.Name)
	} else {
		fmt.Fprintf(out, "%s %s[%d]\n", u.Type, u.Name, u.Size)
	}
}

// executable writes the declarations of an executable's source and prepares the
// names for its code.
func (l *declarations) executable(index int) {
	d := l.d
	e := &d.file.Executables[index]
	out := &d.out
	names := newNameTable(e)
	d.names = names
	for _, u := range e.Uniforms {
		names.reserved[sourceName(u.Name)] = true
	}
	if e.Type > shbin.GeometryShader {
		d.note("executable %d: %s", index, e.Type)
	}
	pool := &l.shared
	known := &l.known
	if e.Type == shbin.GeometryShader {
		if legacyGeometry(e) {
			out.WriteString(".gsh\n")
		} else {
			own := picasso.GeometryPools(l.geometryLine(e))
			pool, known = &own, &[]picasso.Uniform{}
		}
	}
	for t := range pool {
		pool[t].ForgetConstants()
	}
	if main := d.entryName(e); main != "main" {
		fmt.Fprintf(out, ".entry %s\n", main)
	}
	if d.mode.Extended {
		l.fields(index, e)
	}
	declared := map[string]bool{}
	section(out, func() {
		for _, u := range tableUniforms(e) {
			if l.uniform(out, pool, known, u, declared) {
				declared[u.Name] = true
				names.range_(u)
			}
		}
	})
	section(out, func() { l.constants(e, pool, names) })
	section(out, func() { l.inputs(index, e, names, declared) })
	section(out, func() { l.outputs(index, e, names) })
	section(out, d.relativeAliases)
}

// fields writes, in the extended language, the fields that differ from the
// assembler's output.
func (l *declarations) fields(index int, e *shbin.Executable) {
	out := &l.d.out
	if index == 0 && l.d.file.Program.Version != 0 {
		fmt.Fprintf(out, ".dvle program_version 0x%X\n", l.d.file.Program.Version)
	}
	if e.Version != 0x1002 {
		fmt.Fprintf(out, ".dvle version 0x%04X\n", e.Version)
	}
	var in, written uint16
	merge := uint8(0)
	for _, u := range e.Uniforms {
		if u.Start < shbin.UniformFloat {
			in |= 1 << u.Start
		}
	}
	for _, o := range e.Outputs {
		if o.Reg < 16 {
			written |= 1 << o.Reg
		}
		if o.Type == shbin.OutDummy && e.Type == shbin.GeometryShader && !legacyGeometry(e) {
			merge = 1
		}
	}
	if e.InputMask != in {
		fmt.Fprintf(out, ".dvle inputs 0x%04X\n", e.InputMask)
	}
	if e.OutputMask != written {
		fmt.Fprintf(out, ".dvle outputs 0x%04X\n", e.OutputMask)
	}
	if e.Merge != merge {
		fmt.Fprintf(out, ".dvle merge %d\n", e.Merge)
	}
	if end := l.d.entryEnd(e); end != int(e.EndMain) {
		fmt.Fprintf(out, ".dvle endmain 0x%03X\n", e.EndMain)
	}
	if len(e.Outputs) > 0 && e.Outputs[0].Unknown != 0 {
		fmt.Fprintf(out, ".dvle outputs_unknown %d\n", e.Outputs[0].Unknown)
	}
	for _, label := range e.Labels {
		if strings.ContainsAny(label.Name, ",;:@\n\r\x00") || strings.TrimSpace(label.Name) != label.Name {
			l.d.note("executable %d: label %q", index, label.Name)
			continue
		}
		fmt.Fprintf(out, ".label %s, %d, %d, 0x%03X, 0x%X\n", label.Name, label.ID, label.Unknown, label.Addr, label.Size)
	}
}

// entryEnd returns the end of the entry procedure.
func (d *disassembler) entryEnd(e *shbin.Executable) int {
	name := d.entryName(e)
	for _, p := range d.procs {
		if p.name == name {
			return p.end
		}
	}
	return int(e.EndMain)
}

// relativeAliases names the inputs and temporaries that are addressed relatively.
func (d *disassembler) relativeAliases() {
	for _, reg := range d.relativeNames() {
		kind, n := picasso.Letter(reg)
		name := d.names.reserve(fmt.Sprintf("base_%c%d", kind, n))
		fmt.Fprintf(&d.out, ".alias %s %s\n", name, d.names.plain(kind, n))
		d.names.relative[reg] = name
	}
}

// section puts an empty line before what f writes, if it writes anything.
func section(out *strings.Builder, f func()) {
	before := out.String()
	f()
	if added := out.String()[len(before):]; added != "" && before != "" {
		out.Reset()
		out.WriteString(before + "\n" + added)
	}
}

// range_ names each register of a uniform.
func (t *nameTable) range_(u picasso.Uniform) {
	if u.Size == 1 {
		t.src[u.Reg] = u.Name
		return
	}
	for i := range u.Size {
		t.src[u.Reg+i] = fmt.Sprintf("%s[%d]", u.Name, i)
	}
}

func (d *disassembler) entryName(e *shbin.Executable) string {
	for _, p := range d.procs {
		if p.start == int(e.Main) && (p.end == int(e.EndMain) || int(e.EndMain) > len(d.code) || e.EndMain <= e.Main) {
			return p.name
		}
	}
	for _, p := range d.procs {
		if p.start == int(e.Main) {
			return p.name
		}
	}
	return "main"
}

// geometryLine writes .gsh and returns the first register for uniforms. The
// file does not contain it, so it takes the lowest that fits the uniforms.
func (l *declarations) geometryLine(e *shbin.Executable) (first int) {
	first = -1
	for _, u := range tableUniforms(e) {
		if u.Type == picasso.TypeFloat && (first < 0 || u.Reg < first) {
			first = u.Reg
		}
	}
	g := e.Geometry
	fixed := picasso.RegFloat + int(g.FixedStart)
	if g.Mode == shbin.GeometryFixed && first <= fixed {
		first = min(fixed+1, picasso.RegInt-1)
	}
	if first < 0 {
		first = picasso.RegFloat
	}
	switch g.Mode {
	case shbin.GeometryVariable:
		fmt.Fprintf(&l.d.out, ".gsh variable c%d %d\n", first-picasso.RegFloat, g.VariableNum)
	case shbin.GeometryFixed:
		fmt.Fprintf(&l.d.out, ".gsh fixed c%d c%d %d\n", first-picasso.RegFloat, g.FixedStart, g.FixedNum)
	default:
		fmt.Fprintf(&l.d.out, ".gsh point c%d\n", first-picasso.RegFloat)
	}
	return first
}

// constants writes the constant table in order, with a register only where the
// assembler would choose another one.
func (l *declarations) constants(e *shbin.Executable, p *picasso.Pools, names *nameTable) {
	out := &l.d.out
	shared := map[int]bool{}
	for _, u := range l.d.sharedUniforms() {
		for k := range u.Size {
			shared[u.Reg+k] = true
		}
	}
	taken := func(reg int) bool { return names.src[reg] != "" || shared[reg] }
	for i := 0; i < len(e.Constants); i++ {
		c := e.Constants[i]
		switch c.Kind {
		case shbin.ConstantFloat:
			reg := picasso.RegFloat + int(c.Reg)
			run := constantRun(e.Constants[i:])
			pool := &p[picasso.TypeFloat]
			if n := pool.End - reg; n >= 1 && n <= run && reg >= pool.Start && !taken(reg) {
				pool.End = reg
				pool.Bound = min(pool.Bound, reg)
				name := names.reserve(fmt.Sprintf("const_c%d", c.Reg))
				if n == 1 {
					fmt.Fprintf(out, ".constf %s%s\n", name, floatVector(c))
					names.src[reg], names.values[reg] = name, floatVector(c)
					continue
				}
				fmt.Fprintf(out, ".constfa %s[]\n", name)
				for k := range n {
					v := e.Constants[i+k]
					fmt.Fprintf(out, ".constfa %s\n", floatVector(v))
					names.src[reg+k], names.values[reg+k] = fmt.Sprintf("%s[%d]", name, k), floatVector(v)
				}
				out.WriteString(".end\n")
				i += n - 1
				continue
			}
			fmt.Fprintf(out, ".setf %s%s\n", names.source(reg), floatVector(c))
			names.values[reg] = floatVector(c)
		case shbin.ConstantInt:
			reg := picasso.RegInt + int(c.Reg)
			v := c.Int()
			text := fmt.Sprintf("(%d, %d, %d, %d)", v[0], v[1], v[2], v[3])
			names.values[reg] = text
			if pool := &p[picasso.TypeInt]; pool.End-1 == reg && reg >= pool.Start && !taken(reg) {
				pool.End = reg
				pool.Bound = min(pool.Bound, reg)
				name := names.reserve(fmt.Sprintf("const_i%d", c.Reg))
				fmt.Fprintf(out, ".consti %s%s\n", name, text)
				names.src[reg] = name
				continue
			}
			fmt.Fprintf(out, ".seti %s%s\n", names.source(reg), text)
		case shbin.ConstantBool:
			fmt.Fprintf(out, ".setb %s %t\n", names.source(picasso.RegBool+int(c.Reg)), c.Bool())
		}
	}
}

// constantRun counts float constants of ascending registers.
func constantRun(list []shbin.Constant) int {
	n := 1
	for n < len(list) && list[n].Kind == shbin.ConstantFloat && int(list[n].Reg) == int(list[0].Reg)+n {
		n++
	}
	return n
}

func floatVector(c shbin.Constant) string {
	var parts [4]string
	for i, w := range c.Float() {
		parts[i] = float24Text(w)
	}
	return "(" + strings.Join(parts[:], ", ") + ")"
}

// float24Text returns a short decimal number that assembles to the word.
func float24Text(w uint32) string {
	w &= 0xFFFFFF
	sign := ""
	if w>>23 != 0 {
		sign = "-"
	}
	switch w & 0x7FFFFF {
	case 0:
		return sign + "0.0"
	case 0x7F0000:
		return sign + "inf"
	}
	low := math.Ldexp(1+float64(float64(w&0xFFFF)/65536), int(w>>16&0x7F)-63)
	// All numbers up to the next float24 are truncated to this one, so a shorter
	// text may do.
	middle := math.Ldexp(1+float64((float64(w&0xFFFF)+0.5)/65536), int(w>>16&0x7F)-63)
	for prec := 1; prec <= 17; prec++ {
		for _, v := range [...]float64{low, middle} {
			s := strconv.FormatFloat(v, 'g', prec, 64)
			f, err := strconv.ParseFloat(s, 64)
			if err == nil && picasso.Float24(float32(f)) == w&0x7FFFFF {
				if !strings.ContainsAny(s, ".e") {
					s += ".0"
				}
				return sign + s
			}
		}
	}
	return sign + strconv.FormatFloat(low, 'g', -1, 64)
}

// inputsToDeclare returns the inputs in an order that the assembler's sort,
// which is not stable, turns into the order of the table.
func inputsToDeclare(e *shbin.Executable) []shbin.Uniform {
	var uniforms, inputs []shbin.Uniform
	for _, u := range e.Uniforms {
		if u.Start < shbin.UniformFloat {
			inputs = append(inputs, u)
		} else {
			uniforms = append(uniforms, u)
		}
	}
	type slot struct {
		reg uint16
		at  int
	}
	var slots []slot
	for i, u := range append(uniforms, inputs...) {
		slots = append(slots, slot{u.Start, i})
	}
	stdsort.Sort(slots, func(a, b *slot) bool { return a.reg < b.reg })
	out := append([]shbin.Uniform(nil), inputs...)
	for i, s := range slots {
		// The assembler cannot write an unsorted table, so leave it.
		if k := s.at - len(uniforms); k >= 0 && e.Uniforms[i].Start == s.reg {
			out[k] = e.Uniforms[i]
		}
	}
	return out
}

func (l *declarations) inputs(index int, e *shbin.Executable, names *nameTable, declared map[string]bool) {
	var mask uint16
	for _, u := range inputsToDeclare(e) {
		name := sourceName(u.Name)
		if !picasso.ValidIdentifier(name) || name == "" || declared[name] || u.End != u.Start {
			l.d.note("executable %d: input %q, which the language cannot write", index, u.Name)
			continue
		}
		declared[name] = true
		fmt.Fprintf(&l.d.out, ".in %s %s\n", name, names.plain('v', int(u.Start)))
		names.src[int(u.Start)] = name
		mask |= 1 << u.Start
	}
	if mask != e.InputMask && !l.d.mode.Extended {
		l.d.note("executable %d: input mask 0x%04X, whose inputs have no names", index, e.InputMask)
	}
}

func (l *declarations) outputs(index int, e *shbin.Executable, names *nameTable) {
	var used uint16
	limit := 16
	if e.Type == shbin.GeometryShader {
		limit = 7
	}
	for _, o := range e.Outputs {
		typ := o.Type.String()
		mask := shbin.ComponentNames(o.Mask)
		if !slices.Contains(asm.OutputMeanings(), typ) || mask == "" || int(o.Reg) >= limit || o.Mask > 0xF {
			l.d.note("executable %d: output %s of o%d, mask 0x%X", index, o.Type, o.Reg, o.Mask)
			continue
		}
		if mask == "xyzw" {
			mask = ""
		} else {
			mask = "." + mask
		}
		name := "-"
		if names.dst[int(o.Reg)] == "" {
			name = names.reserve("out_" + typ)
			names.dst[int(o.Reg)] = name
		}
		free := 0
		for used>>free&1 != 0 {
			free++
		}
		if free == int(o.Reg) {
			fmt.Fprintf(&l.d.out, ".out %s %s%s\n", name, typ, mask)
		} else {
			fmt.Fprintf(&l.d.out, ".out %s %s %s%s\n", name, typ, names.plain('o', int(o.Reg)), mask)
		}
		used |= 1 << o.Reg
		if o.Unknown != 0 && !l.d.mode.Extended {
			l.d.note("executable %d: the last field of its outputs, 0x%X", index, o.Unknown)
		}
	}
}
