package shbin

import (
	"fmt"
	"math"
	"slices"

	"pica200/assets/tree"
)

// Check checks what the parser accepts: that tables and code agree, and that
// writing the file gives data, from which it was read.
func (f *File) Check(data []byte, in Instructions) (out tree.Findings) {
	p := &f.Program
	if again, err := f.Write(); err != nil {
		out.Problemf(0, "cannot be written again: %v", err)
	} else if !slices.Equal(again, data) {
		out.Problemf(0, "comes out of the writer as other bytes")
	}
	addUnusual(&out, f.Unusual)
	if len(f.Executables) == 0 {
		out.Problemf(dvlbHeader.At("executables"), "there is no DVLE, so that nothing can run")
	}
	if len(p.Code) > VertexCode {
		out.Notef(0, "%d instructions; a vertex shader must end within %d", len(p.Code), VertexCode)
	}
	at := int64(p.offset)
	if p.Short() {
		dvlpShort.Check(&out, at, "DVLP: ", p)
	} else {
		dvlpHeader.Check(&out, at, "DVLP: ", p)
	}
	in.check(&out, p.Code, p.Descriptors, p.code.from(at), p.descriptors.from(at))
	if p.Short() {
		out.Notef(at, "the layout of nihstro's assembler: a header of 7 words, and the executable before the code")
	} else {
		place := p.lines.from(at)
		checkLines(&out, p.Lines, p.Symbols, place, len(p.Code))
		if len(p.Lines) == 0 && place > int64(len(data)) {
			out.Problemf(at+dvlpHeader.At("line number offset"), "line numbers at 0x%X, beyond the end of the file", place)
		}
	}
	if n := len(p.Symbols); n > 0 && p.Symbols[n-1] != 0 {
		out.Problemf(p.names.from(at), "the last name of a source does not end in a zero byte")
	}
	for i := range f.Executables {
		f.Executables[i].check(&out, i, len(p.Code))
	}
	return out
}

func (e *Executable) check(out *tree.Findings, i, code int) {
	s := checker{e, out, fmt.Sprintf("DVLE %d: ", i), code, dvleHeader.Structure, int64(e.offset)}
	dvleHeader.Check(out, s.base, s.what, e)
	main, end := s.at("main"), s.at("end of main")
	switch {
	case int64(e.Main) >= int64(code):
		s.problem(main, "main is instruction %03x, the last is %03x", e.Main, code-1)
	case int64(e.EndMain) > int64(code):
		s.problem(end, "main ends at instruction %03x, after the last, %03x", e.EndMain, code-1)
	case e.EndMain == 0 && e.Version|e.InputMask|e.OutputMask == 0:
		s.note(end, "no end of main; nihstro's assembler writes none")
	case e.EndMain <= e.Main:
		s.problem(end, "main ends at instruction %03x, before it starts at %03x", e.EndMain, e.Main)
	case e.Fits() != nil:
		s.problem(end, "%v", e.Fits())
	}
	s.check()
}

// Check checks an object as File.Check checks a file.
func (o *Object) Check(data []byte, in Instructions) (out tree.Findings) {
	if again, err := WriteObject(o); err != nil {
		out.Problemf(0, "cannot be written again: %v", err)
	} else if !slices.Equal(again, data) {
		out.Notef(0, "comes out of the writer with its tables in another order or place")
	}
	addUnusual(&out, o.Unusual)
	dvojHeader.Check(&out, 0, "", o)
	if len(o.Code) == 0 {
		out.Problemf(dvojHeader.At("code words"), "the object has no code")
	}
	in.check(&out, o.Code, o.Descriptors, o.code.from(0), o.descriptors.from(0))
	checkLines(&out, o.Lines, o.Symbols, o.lines.from(0), len(o.Code))
	in.checkRelocs(&out, o)
	e := o.executable()
	s := checker{&e, &out, "", len(o.Code), dvojHeader.Structure, 0}
	s.check()
	if o.Type == GeometryShader && !o.HasGeometry {
		out.Notef(s.geometryAt(), "a geometry shader without its mode")
	}
	return out
}

// checker checks the common part of a DVLE and a DVOJ.
type checker struct {
	*Executable
	out   *tree.Findings
	what  string // "DVLE 0: ", or empty
	words int    // of the code
	head  tree.Structure
	base  int64 // of the section
}

// at returns the position of a field of the header.
func (s *checker) at(field string) int64 { return s.base + s.head.At(field) }

// geometryAt is the position of the first of the geometry shader's four bytes.
func (s *checker) geometryAt() int64 { return s.at("fixed mode: first uniform") - 1 }

func (s *checker) problem(at int64, format string, args ...any) {
	s.out.Problemf(at, "%s%s", s.what, fmt.Sprintf(format, args...))
}

func (s *checker) note(at int64, format string, args ...any) {
	s.out.Notef(at, "%s%s", s.what, fmt.Sprintf(format, args...))
}

func (s *checker) check() {
	s.checkGeometry()
	s.checkConstants()
	s.checkLabels()
	s.checkOutputs()
	s.checkUniforms()
	if n := len(s.Symbols); n > 0 && s.Symbols[n-1] != 0 {
		s.problem(s.symbols.from(s.base), "the last symbol does not end in a zero byte")
	}
}

func (s *checker) checkGeometry() {
	g, at := s.Geometry, s.geometryAt()
	first, full, vertices := s.at("fixed mode: first uniform"), s.at("variable mode: full vertices"), s.at("fixed mode: vertices")
	if s.Type != GeometryShader {
		if g != (Geometry{}) {
			s.note(at, "geometry shader fields of a vertex shader: %v, c%d, %d, %d", g.Mode, g.FixedStart, g.VariableNum, g.FixedNum)
		}
		if g.Mode > GeometryFixed || g.FixedStart > 95 {
			s.problem(at, "geometry mode %d, first uniform c%d; modes are 0 to 2, uniforms c0 to c95", uint8(g.Mode), g.FixedStart)
		}
		return
	}
	switch {
	case g.Mode > GeometryFixed:
		s.problem(at, "geometry mode %d; 0 (point), 1 (variable) and 2 (fixed) are known", uint8(g.Mode))
	case g.Mode == GeometryFixed && g.FixedNum == 0:
		s.problem(vertices, "fixed mode with primitives of no vertices")
	case g.Mode == GeometryFixed && int(g.FixedStart)+int(g.FixedNum) > 96:
		s.problem(first, "fixed mode puts %d vertices at c%d, which reach beyond c95", g.FixedNum, g.FixedStart)
	}
	if g.FixedStart > 95 {
		s.problem(first, "the vertices start at c%d, beyond c95", g.FixedStart)
	}
	if g.Mode != GeometryVariable && g.VariableNum != 0 {
		s.note(full, "%d full vertices of the variable mode, but the mode is %v", g.VariableNum, g.Mode)
	}
	if g.Mode != GeometryFixed && (g.FixedNum != 0 || g.FixedStart != 0) {
		s.note(first, "c%d and %d vertices of the fixed mode, but the mode is %v", g.FixedStart, g.FixedNum, g.Mode)
	}
}

func (s *checker) checkConstants() {
	seen := map[[2]uint8]bool{}
	for i, c := range s.Constants {
		at := s.constants.entry(s.base, i, constants.Size)
		value := at + constants.At("x")
		name := RegisterName(map[ConstantKind]uint16{ConstantBool: UniformBool, ConstantInt: UniformInt,
			ConstantFloat: UniformFloat}[c.Kind] + uint16(c.Reg))
		if key := [2]uint8{uint8(c.Kind), c.Reg}; seen[key] {
			s.problem(at, "%s is among the constants twice", name)
		} else {
			seen[key] = true
		}
		constants.Check(s.out, at, fmt.Sprintf("%sconstant %s: ", s.what, name), &c)
		unused := c.Data[:0]
		switch c.Kind {
		case ConstantBool:
			unused = c.Data[1:]
			if c.Data[0] > 1 {
				s.problem(value, "constant %s is %d, expected 0 or 1", name, c.Data[0])
			}
		case ConstantInt:
			unused = c.Data[4:]
		case ConstantFloat:
			for k, w := range c.Float() {
				if w>>24 != 0 || math.IsNaN(float64(f24(w))) {
					s.problem(value+4*int64(k), "constant %s holds 0x%08x, not a float24", name, w)
				}
			}
		}
		for _, b := range unused {
			if b != 0 {
				s.note(value, "constant %s: bytes after the value that have no meaning", name)
				break
			}
		}
	}
}

func (s *checker) checkLabels() {
	type name struct {
		text string
		mark bool // of an object's entry procedure, which may have a label as a procedure too
	}
	names, numbers := map[name]bool{}, map[uint16]bool{}
	numbered := slices.ContainsFunc(s.Labels, func(l Label) bool { return l.ID|l.Unknown != 0 })
	if len(s.Labels) > 0 && !numbered {
		s.note(s.labels.from(s.base), "the labels have no numbers; nihstro's assembler gives none")
	}
	for i, l := range s.Labels {
		is := name{l.Name, s.what == "" && l.Size == NoSize}
		at := s.labels.entry(s.base, i, labels.Size)
		labels.Check(s.out, at, fmt.Sprintf("%slabel %d: ", s.what, i), &l)
		switch end := uint64(l.Addr) + uint64(l.Size); {
		case uint64(l.Addr) > uint64(s.words):
			s.problem(at+labels.At("address"), "label %q is at instruction %03x, beyond the code", l.Name, l.Addr)
		case l.Size != NoSize && end > uint64(s.words):
			s.problem(at+labels.At("size"), "label %q reaches to instruction %03x, beyond the code", l.Name, end)
		}
		if l.Name == "" {
			s.note(at+labels.At("name"), "label %d has no name", i)
		} else if names[is] {
			s.problem(at+labels.At("name"), "there are two labels %q", l.Name)
		}
		if !numbered {
			names[is] = true
			continue
		}
		if numbers[l.ID] {
			s.problem(at, "label %q has the number %d of another", l.Name, l.ID)
		} else if int(l.ID) != i {
			s.note(at, "label %q has the number %d, expected %d", l.Name, l.ID, i)
		}
		if l.Unknown != 1 {
			s.note(at+labels.At("unknown"), "label %q: the unknown field is %d; 1 is known", l.Name, l.Unknown)
		}
		names[is], numbers[l.ID] = true, true
	}
}

func (s *checker) checkOutputs() {
	var used [16]uint16
	var mask uint16
	for i, o := range s.Outputs {
		at := s.outputs.entry(s.base, i, outputs.Size)
		outputs.Check(s.out, at, fmt.Sprintf("%soutput %d: ", s.what, i), &o)
		if o.Reg > 15 || o.Mask == 0 || o.Mask > 15 {
			s.problem(at, "output %v is o%d with mask %04b", o.Type, o.Reg, o.Mask)
			continue
		}
		if twice := used[o.Reg] & o.Mask; twice != 0 {
			s.problem(at+outputs.At("mask"), "o%d.%s has two meanings", o.Reg, ComponentNames(twice))
		}
		if o.Unknown != s.Outputs[0].Unknown {
			s.note(at+outputs.At("unknown"), "output %v: the unknown field is 0x%X, in the first 0x%X", o.Type, o.Unknown, s.Outputs[0].Unknown)
		}
		used[o.Reg] |= o.Mask
		mask |= 1 << o.Reg
	}
	switch {
	case s.OutputMask == 0 && mask != 0 && s.InputMask == 0:
		s.note(s.at("input mask"), "no masks of inputs and outputs; early assemblers wrote none")
	case mask&^s.OutputMask != 0:
		s.problem(s.at("output mask"), "the output table has registers %016b, the mask is %016b", mask, s.OutputMask)
	case len(s.Outputs) > 0 && s.OutputMask&^mask != 0:
		s.note(s.at("output mask"), "the mask of outputs is %016b, the table has %016b", s.OutputMask, mask)
	}
}

// registerFile returns the kind of a uniform's register; ok is false for unused
// numbers.
func registerFile(r uint16) (kind int, ok bool) {
	switch {
	case r < UniformFloat:
		return 0, true
	case r < UniformInt:
		return 1, true
	case r < UniformInt+4:
		return 2, true
	case r >= UniformBool && r < UniformBool+16:
		return 3, true
	}
	return 0, false
}

func (s *checker) checkUniforms() {
	var inputs uint16
	names := map[string]bool{}
	var user [0x88]string
	for i, u := range s.Uniforms {
		at := s.uniforms.entry(s.base, i, uniforms.Size)
		registers := at + uniforms.At("first")
		uniforms.Check(s.out, at, fmt.Sprintf("%suniform %d: ", s.what, i), &u)
		if names[u.Name] && u.Name != "" {
			s.problem(at, "there are two uniforms %q", u.Name)
		}
		names[u.Name] = true
		first, firstOK := registerFile(u.Start)
		last, lastOK := registerFile(u.End)
		switch {
		case !firstOK || !lastOK:
			s.problem(registers, "uniform %q is %s to %s; 0x00 to 0x73 and 0x78 to 0x87 are registers", u.Name, RegisterName(u.Start), RegisterName(u.End))
			continue
		case u.End < u.Start:
			s.problem(registers, "uniform %q ends at %s before it starts at %s", u.Name, RegisterName(u.End), RegisterName(u.Start))
			continue
		case first != last:
			s.problem(registers, "uniform %q reaches from %s to %s, which are of two kinds", u.Name, RegisterName(u.Start), RegisterName(u.End))
			continue
		}
		for r := u.Start; r <= u.End; r++ {
			if r < UniformFloat {
				inputs |= 1 << r
				continue // an input may have two names
			}
			if user[r] != "" {
				s.problem(registers, "%s is the uniforms %s and %q", RegisterName(r), user[r], u.Name)
				break
			}
			user[r] = fmt.Sprintf("%q", u.Name)
		}
	}
	if inputs&^s.InputMask != 0 && s.InputMask != 0 {
		s.problem(s.at("input mask"), "the uniform table names inputs %016b, the mask is %016b", inputs, s.InputMask)
	}
	if inputs != 0 && s.InputMask&^inputs != 0 {
		s.note(s.at("input mask"), "the mask of inputs is %016b, the uniform table names %016b", s.InputMask, inputs)
	}
}

// check checks instruction words and descriptors.
func (in Instructions) check(out *tree.Findings, code []uint32, list []Descriptor, codeAt, listAt int64) {
	for i, w := range code {
		at := codeAt + int64(words.Size*i)
		is := in.Decode(w)
		if is.Name == "" {
			out.Problemf(at, "instruction %03x: 0x%08x has no known opcode", i, w)
			continue
		}
		if is.Unused != 0 {
			out.Notef(at, "instruction %03x: bits 0x%08x have no meaning in %s", i, is.Unused, is.Name)
		}
		if is.Described && is.Descriptor >= len(list) {
			out.Problemf(at, "instruction %03x: operand descriptor %d, there are %d", i, is.Descriptor, len(list))
		}
	}
	for i := range list {
		descriptors.Check(out, listAt+int64(descriptors.Size*i), fmt.Sprintf("operand descriptor %d: ", i), &list[i])
	}
}

// checkRelocs checks that each instruction with operands has one relocation. A
// relocation of something else than the instruction refers to is only a note:
// other tools may write other words there.
func (in Instructions) checkRelocs(out *tree.Findings, o *Object) {
	of := map[uint32]bool{}
	for i, r := range o.Relocs {
		at := o.relocs.entry(0, i, relocs.Size)
		kind, value := at+relocs.At("kind"), at+relocs.At("value")
		relocs.Check(out, at, fmt.Sprintf("relocation %d: ", i), &r)
		if of[r.Addr] {
			out.Problemf(at, "relocation %d is for instruction %03x, which has one", i, r.Addr)
		}
		of[r.Addr] = true
		is := in.Decode(o.Code[r.Addr])
		if !is.Operands {
			out.Problemf(at, "relocation %d is for instruction %03x, which has no operands", i, r.Addr)
			continue
		}
		switch r.Kind {
		case RelocDescriptor:
			if !is.Described || r.Value != uint32(is.Descriptor) {
				out.Notef(value, "relocation %d: operand descriptor %d, instruction %03x (%s) has %d", i, r.Value, r.Addr, is.Name, is.Descriptor)
			}
		case RelocAddress:
			if is.Described || r.Value > uint32(len(o.Code)) {
				out.Notef(value, "relocation %d: address %03x in instruction %03x (%s), the code has %d words", i, r.Value, r.Addr, is.Name, len(o.Code))
			}
		case RelocCall:
			if is.Described || r.Name == "" {
				out.Notef(value, "relocation %d: procedure %q in instruction %03x (%s)", i, r.Name, r.Addr, is.Name)
			}
		case RelocNone:
			if is.Described || r.Value != 0 {
				out.Notef(kind, "relocation %d: none in instruction %03x (%s), with the value 0x%X", i, r.Addr, is.Name, r.Value)
			}
		}
	}
	missing := 0
	for i, w := range o.Code {
		if in.Decode(w).Operands && !of[uint32(i)] {
			missing++
		}
	}
	if missing > 0 {
		out.Problemf(dvojHeader.At("relocations"), "%d instructions with operands have no relocation", missing)
	}
}

// checkLines checks a table of line numbers.
func checkLines(out *tree.Findings, list []Line, symbols []byte, at int64, words int) {
	if len(list) > 0 && len(list) != words {
		out.Problemf(at, "%d line numbers for %d instructions", len(list), words)
	}
	for i, l := range list {
		where := at + int64(lines.Size*i)
		lines.Check(out, where, fmt.Sprintf("line number %d: ", i), &l)
		if _, err := SymbolAt(symbols, l.Symbol); err != nil {
			out.Problemf(where, "line number %d: %v", i, err)
		}
		if l.Line == 0 || l.Line > math.MaxInt32 {
			out.Problemf(where+lines.At("line"), "instruction %03x comes from line %d", i, l.Line)
		}
	}
}

// addUnusual adds the parser's observations.
func addUnusual(out *tree.Findings, list []Error) {
	for _, e := range list {
		out.Problemf(int64(e.Offset), "%s", e.Msg)
	}
}
