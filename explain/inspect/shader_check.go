package inspect

import (
	"fmt"
	"math"
	"slices"

	"pica200/assets/shbin"
	"pica200/assets/tree"
	"pica200/shaderunit"
)

// shaderTables is the common part of a DVLE and a DVOJ, with offsets.
type shaderTables struct {
	out   *tree.Findings
	what  string // "DVLE 0: ", or empty
	words int    // of the code

	typ                                   shbin.ShaderType
	merge                                 uint8
	inputMask, outputMask                 uint16
	geometry                              shbin.Geometry
	constants                             []shbin.Constant
	labels                                []shbin.Label
	outputs                               []shbin.Output
	uniforms                              []shbin.Uniform
	symbols                               []byte
	typeAt, maskAt, geometryAt            int64
	constantAt, labelAt, outputAt, unifAt int64
	symbolAt                              int64
}

func (s *shaderTables) problem(at int64, format string, args ...any) {
	s.out.Problemf(at, "%s%s", s.what, fmt.Sprintf(format, args...))
}

func (s *shaderTables) note(at int64, format string, args ...any) {
	s.out.Notef(at, "%s%s", s.what, fmt.Sprintf(format, args...))
}

func (s *shaderTables) check() {
	if s.typ > shbin.GeometryShader {
		s.problem(s.typeAt, "shader type 0x%02X; 0 (vertex) and 1 (geometry) are known", uint8(s.typ))
	}
	if s.merge > 1 {
		s.problem(s.typeAt+1, "merging of output maps is %d, expected 0 or 1", s.merge)
	}
	s.checkGeometry()
	s.checkConstants()
	s.checkLabels()
	s.checkOutputs()
	s.checkUniforms()
	if n := len(s.symbols); n > 0 && s.symbols[n-1] != 0 {
		s.problem(s.symbolAt, "the last symbol does not end in a zero byte")
	}
}

func (s *shaderTables) checkGeometry() {
	g, at := s.geometry, s.geometryAt
	if s.typ != shbin.GeometryShader {
		if g != (shbin.Geometry{}) {
			s.note(at, "geometry shader fields of a vertex shader: %v, c%d, %d, %d", g.Mode, g.FixedStart, g.VariableNum, g.FixedNum)
		}
		if g.Mode > shbin.GeometryFixed || g.FixedStart > 95 {
			s.problem(at, "geometry mode %d, first uniform c%d; modes are 0 to 2, uniforms c0 to c95", uint8(g.Mode), g.FixedStart)
		}
		return
	}
	switch {
	case g.Mode > shbin.GeometryFixed:
		s.problem(at, "geometry mode %d; 0 (point), 1 (variable) and 2 (fixed) are known", uint8(g.Mode))
	case g.Mode == shbin.GeometryFixed && g.FixedNum == 0:
		s.problem(at+3, "fixed mode with primitives of no vertices")
	case g.Mode == shbin.GeometryFixed && int(g.FixedStart)+int(g.FixedNum) > 96:
		s.problem(at+1, "fixed mode puts %d vertices at c%d, which reach beyond c95", g.FixedNum, g.FixedStart)
	}
	if g.FixedStart > 95 {
		s.problem(at+1, "the vertices start at c%d, beyond c95", g.FixedStart)
	}
	if g.Mode != shbin.GeometryVariable && g.VariableNum != 0 {
		s.note(at+2, "%d full vertices of the variable mode, but the mode is %v", g.VariableNum, g.Mode)
	}
	if g.Mode != shbin.GeometryFixed && (g.FixedNum != 0 || g.FixedStart != 0) {
		s.note(at+1, "c%d and %d vertices of the fixed mode, but the mode is %v", g.FixedStart, g.FixedNum, g.Mode)
	}
}

func (s *shaderTables) checkConstants() {
	seen := map[[2]uint8]bool{}
	for i, c := range s.constants {
		at := s.constantAt + 20*int64(i)
		name := shbin.RegisterName(map[shbin.ConstantKind]uint16{shbin.ConstantBool: shbin.UniformBool, shbin.ConstantInt: shbin.UniformInt,
			shbin.ConstantFloat: shbin.UniformFloat}[c.Kind] + uint16(c.Reg))
		if key := [2]uint8{uint8(c.Kind), c.Reg}; seen[key] {
			s.problem(at, "%s is among the constants twice", name)
		} else {
			seen[key] = true
		}
		if c.Pad1 != 0 || c.Pad3 != 0 {
			s.note(at, "constant %s: 0x%02X and 0x%02X beside the register, which have no meaning", name, c.Pad1, c.Pad3)
		}
		unused := c.Data[:0]
		switch c.Kind {
		case shbin.ConstantBool:
			unused = c.Data[1:]
			if c.Data[0] > 1 {
				s.problem(at+4, "constant %s is %d, expected 0 or 1", name, c.Data[0])
			}
		case shbin.ConstantInt:
			unused = c.Data[4:]
		case shbin.ConstantFloat:
			for k, w := range c.Float() {
				if w>>24 != 0 || math.IsNaN(float64(f24(w))) {
					s.problem(at+4+4*int64(k), "constant %s holds 0x%08x, not a float24", name, w)
				}
			}
		}
		for _, b := range unused {
			if b != 0 {
				s.note(at+4, "constant %s: bytes after the value that have no meaning", name)
				break
			}
		}
	}
}

func (s *shaderTables) checkLabels() {
	type name struct {
		text string
		mark bool // of an object's entry procedure, which may have a label as a procedure too
	}
	names, numbers := map[name]bool{}, map[uint16]bool{}
	numbered := slices.ContainsFunc(s.labels, func(l shbin.Label) bool { return l.ID|l.Unknown != 0 })
	if len(s.labels) > 0 && !numbered {
		s.note(s.labelAt, "the labels have no numbers; nihstro's assembler gives none")
	}
	for i, l := range s.labels {
		is := name{l.Name, s.what == "" && l.Size == shbin.NoSize}
		at := s.labelAt + 16*int64(i)
		switch end := uint64(l.Addr) + uint64(l.Size); {
		case uint64(l.Addr) > uint64(s.words):
			s.problem(at+4, "label %q is at instruction %03x, beyond the code", l.Name, l.Addr)
		case l.Size != shbin.NoSize && end > uint64(s.words):
			s.problem(at+8, "label %q reaches to instruction %03x, beyond the code", l.Name, end)
		}
		if l.Name == "" {
			s.note(at+12, "label %d has no name", i)
		} else if names[is] {
			s.problem(at+12, "there are two labels %q", l.Name)
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
			s.note(at+2, "label %q: the unknown field is %d; 1 is known", l.Name, l.Unknown)
		}
		names[is], numbers[l.ID] = true, true
	}
}

func (s *shaderTables) checkOutputs() {
	var used [16]uint16
	var mask uint16
	for i, o := range s.outputs {
		at := s.outputAt + 8*int64(i)
		if o.Type == 7 || o.Type > shbin.OutDummy {
			s.problem(at, "output %d has type %d; 0 to 6, 8 and 9 are known", i, uint16(o.Type))
		}
		if o.Reg > 15 || o.Mask == 0 || o.Mask > 15 {
			s.problem(at, "output %v is o%d with mask %04b", o.Type, o.Reg, o.Mask)
			continue
		}
		if twice := used[o.Reg] & o.Mask; twice != 0 {
			s.problem(at+4, "o%d.%s has two meanings", o.Reg, components(twice))
		}
		if o.Unknown != s.outputs[0].Unknown {
			s.note(at+6, "output %v: the unknown field is 0x%X, in the first 0x%X", o.Type, o.Unknown, s.outputs[0].Unknown)
		}
		used[o.Reg] |= o.Mask
		mask |= 1 << o.Reg
	}
	switch {
	case s.outputMask == 0 && mask != 0 && s.inputMask == 0:
		s.note(s.maskAt, "no masks of inputs and outputs; early assemblers wrote none")
	case mask&^s.outputMask != 0:
		s.problem(s.maskAt+2, "the output table has registers %016b, the mask is %016b", mask, s.outputMask)
	case len(s.outputs) > 0 && s.outputMask&^mask != 0:
		s.note(s.maskAt+2, "the mask of outputs is %016b, the table has %016b", s.outputMask, mask)
	}
}

// registerFile returns the kind of a uniform's register; ok is false for unused
// numbers.
func registerFile(r uint16) (kind int, ok bool) {
	switch {
	case r < shbin.UniformFloat:
		return 0, true
	case r < shbin.UniformInt:
		return 1, true
	case r < shbin.UniformInt+4:
		return 2, true
	case r >= shbin.UniformBool && r < shbin.UniformBool+16:
		return 3, true
	}
	return 0, false
}

func (s *shaderTables) checkUniforms() {
	var inputs uint16
	names := map[string]bool{}
	var user [0x88]string
	for i, u := range s.uniforms {
		at := s.unifAt + 8*int64(i)
		if names[u.Name] && u.Name != "" {
			s.problem(at, "there are two uniforms %q", u.Name)
		}
		names[u.Name] = true
		first, firstOK := registerFile(u.Start)
		last, lastOK := registerFile(u.End)
		switch {
		case !firstOK || !lastOK:
			s.problem(at+4, "uniform %q is %s to %s; 0x00 to 0x73 and 0x78 to 0x87 are registers", u.Name, shbin.RegisterName(u.Start), shbin.RegisterName(u.End))
			continue
		case u.End < u.Start:
			s.problem(at+4, "uniform %q ends at %s before it starts at %s", u.Name, shbin.RegisterName(u.End), shbin.RegisterName(u.Start))
			continue
		case first != last:
			s.problem(at+4, "uniform %q reaches from %s to %s, which are of two kinds", u.Name, shbin.RegisterName(u.Start), shbin.RegisterName(u.End))
			continue
		}
		for r := u.Start; r <= u.End; r++ {
			if r < shbin.UniformFloat {
				inputs |= 1 << r
				continue // an input may have two names
			}
			if user[r] != "" {
				s.problem(at+4, "%s is the uniforms %s and %q", shbin.RegisterName(r), user[r], u.Name)
				break
			}
			user[r] = fmt.Sprintf("%q", u.Name)
		}
	}
	if inputs&^s.inputMask != 0 && s.inputMask != 0 {
		s.problem(s.maskAt, "the uniform table names inputs %016b, the mask is %016b", inputs, s.inputMask)
	}
	if inputs != 0 && s.inputMask&^inputs != 0 {
		s.note(s.maskAt, "the mask of inputs is %016b, the uniform table names %016b", s.inputMask, inputs)
	}
}

// checkCode checks instruction words and descriptors.
func checkCode(out *tree.Findings, code []uint32, descriptors []shbin.Descriptor, codeAt, descAt int64) {
	for i, w := range code {
		at := codeAt + 4*int64(i)
		in := shaderunit.Decode(w)
		info := in.Info()
		if in.Op == shaderunit.NoOpcode || info == nil {
			out.Problemf(at, "instruction %03x: 0x%08x has no known opcode", i, w)
			continue
		}
		if in.Unused != 0 {
			out.Notef(at, "instruction %03x: bits 0x%08x have no meaning in %s", i, in.Unused, info.Name)
		}
		if info.Format.DescLimit() > 0 && int(in.Desc) >= len(descriptors) {
			out.Problemf(at, "instruction %03x: operand descriptor %d, there are %d", i, in.Desc, len(descriptors))
		}
	}
	for i, d := range descriptors {
		switch d.Flags {
		case 0, 0x3, 0x7, 0xF:
		default:
			out.Notef(descAt+8*int64(i)+4, "operand descriptor %d: flags 0x%X; 0, 0x3, 0x7 and 0xF are known", i, d.Flags)
		}
	}
}

// knownVersion reports whether a version is one that files are known to have.
func knownVersion(v uint32) bool { return v == 0 || v == 0x0C02 || v == 0x1002 }

// checkLines checks a table of line numbers.
func checkLines(out *tree.Findings, lines []shbin.Line, symbols []byte, at int64, words int) {
	if len(lines) > 0 && len(lines) != words {
		out.Problemf(at, "%d line numbers for %d instructions", len(lines), words)
	}
	for i, l := range lines {
		where := at + 8*int64(i)
		if _, err := shbin.SymbolAt(symbols, l.Symbol); err != nil {
			out.Problemf(where, "line number %d: %v", i, err)
		}
		if l.Line == 0 || l.Line > math.MaxInt32 {
			out.Problemf(where+4, "instruction %03x comes from line %d", i, l.Line)
		}
	}
}

// odd adds the parser's observations.
func odd(out *tree.Findings, list []shbin.Error) {
	for _, e := range list {
		out.Problemf(int64(e.Offset), "%s", e.Msg)
	}
}
