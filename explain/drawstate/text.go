package drawstate

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pica200/explain"
	"pica200/explain/rows"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/lint"
)

// Uniform is a dmp_* uniform with a value that gives the register contents.
type Uniform struct {
	Name   string `json:"name"`
	Values []any  `json:"values"`
}

func (u Uniform) String() string {
	return u.Name + " = " + strings.Trim(fmt.Sprint(u.Values), "[]")
}

// Uniforms returns the dmp_* uniforms that differ from their defaults, as far
// as uniforms can express the registers.
func (g *Input) Uniforms() []Uniform {
	list := []Uniform{}
	s := dmp.Recover(&g.Regs, 1, 0, 0)
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		if u.Type == dmp.Sampler1D || slices.Equal(s.Floats(u.ID), u.Default) {
			continue
		}
		if v, err := s.Get(u.Name); err == nil {
			list = append(list, Uniform{u.Name, v})
		}
	}
	return list
}

// Source disassembles the program of a shader unit from its entry point on.
func Source(s *shaderunit.Setup, geometry bool) (string, error) {
	d, err := disassemble(s, geometry)
	if err != nil {
		return "", err
	}
	return string(d.Sources[0].Text), nil
}

// sourceOf is Source with the address of each line's instruction, by line number from 1; none if the source assembles to another
// program.
func sourceOf(s *shaderunit.Setup, geometry bool) (text string, at map[int]int, err error) {
	d, err := disassemble(s, geometry)
	if err != nil {
		return "", nil, err
	}
	if p, _ := asm.Assemble(d.Options, d.Sources...); p != nil && len(d.Notes) == 0 {
		at = map[int]int{}
		for pc, from := range slices.Backward(p.Lines) {
			at[from.Line] = pc
		}
	}
	return string(d.Sources[0].Text), at, nil
}

// disassemble disassembles the program of a shader unit to a single source.
func disassemble(s *shaderunit.Setup, geometry bool) (*disasm.Result, error) {
	raw := rawOf(s, geometry)
	for n := len(raw.Descriptors); n > 0 && raw.Descriptors[n-1] == 0; n-- {
		raw.Descriptors = raw.Descriptors[:n-1]
	}
	f, err := raw.File()
	if err != nil {
		return nil, err
	}
	return disasm.File(f, disasm.Options{})
}

// rawOf is the program of a shader unit, without the zeros at its end.
func rawOf(s *shaderunit.Setup, geometry bool) disasm.Raw {
	raw := disasm.Raw{Entry: uint32(s.Entry), Geometry: geometry}
	for i := range CodeLength(s) {
		raw.Code = append(raw.Code, s.Code(i))
	}
	for i := range shaderunit.Descriptors {
		raw.Descriptors = append(raw.Descriptors, uint32(s.Desc(i)))
	}
	return raw
}

// CodeLength is how many instructions the program of a shader unit has without
// the zeros at its end.
func CodeLength(s *shaderunit.Setup) int {
	n := shaderunit.CodeWords
	for n > int(s.Entry)+1 && s.Code(n-1) == 0 {
		n--
	}
	return n
}

// Findings are what the linter finds in a program, by address. It sees only
// instructions, because a recording has no tables with a program's declarations.
func Findings(s *shaderunit.Setup, geometry bool) map[int][]string {
	f, err := rawOf(s, geometry).File()
	if err != nil {
		return nil // the source reports why
	}
	list := map[int][]string{}
	for _, found := range lint.Check(f, nil) {
		if found.Addr >= 0 {
			list[found.Addr] = append(list[found.Addr], found.Msg)
		}
	}
	return list
}

// WriteText writes the draw as text.
func (s *State) WriteText(w io.Writer) {
	r := &s.Record
	row := explain.DrawRow(r)
	fmt.Fprintf(w, "frame %d, draw %d: ", r.Frame, r.Draw)
	if r.Name != "" {
		fmt.Fprintf(w, "%s, ", r.Name)
	}
	fmt.Fprintf(w, "%s\n  pass %d, %s, %s\n", row.Text(), r.Pass, r.Kind, r.Primitive)
	rows.WriteText(w, slices.DeleteFunc(s.Summary(), func(r rows.Row) bool { return r.Label == "draws" }), 1)
	for _, n := range s.Notes {
		fmt.Fprintf(w, "  note: %s\n", n)
	}

	if s.Before == nil {
		fmt.Fprintf(w, "\nThere is no draw before it.\n")
	} else {
		changes := Changes(s.Before, &s.Input)
		fmt.Fprintf(w, "\nChanged since frame %d, draw %d: %d\n", s.Before.Frame, s.Before.Draw, len(changes))
		rows.Walk(changes, func(r *rows.Row, depth int) bool {
			fmt.Fprintf(w, "  %s%s\n", strings.Repeat("  ", depth), r.Line())
			return true
		})
	}
	fmt.Fprintf(w, "\nRegisters\n")
	for reg := range pica.Reg(pica.NumRegs) {
		if word := s.Input.Regs[reg]; word != 0 && IsState(reg) {
			fmt.Fprintf(w, "  %03X 0x%08X %s\n", uint16(reg), word, pica.Decode(reg, word))
		}
	}
	fmt.Fprintf(w, "\nUniforms of the fixed functions that are not at their defaults\n")
	for _, u := range s.Input.Uniforms() {
		fmt.Fprintf(w, "  %v\n", u)
	}
	writeShader(w, "Vertex shader", &s.Input.Vertex, false)
	if r.GeometryEntry >= 0 {
		writeShader(w, "Geometry shader", &s.Input.Geometry, true)
	}
	fmt.Fprintf(w, "\nTables\n")
	for _, t := range TablesOf(&s.Input.Tables) {
		if n := t.Used(); n > 0 {
			fmt.Fprintf(w, "  %s: %d entries that are not 0\n", t.Name, n)
		}
	}
}

func writeShader(w io.Writer, name string, s *shaderunit.Setup, geometry bool) {
	fmt.Fprintf(w, "\n%s, entry 0x%03X\n", name, s.Entry)
	text, err := Source(s, geometry)
	if err != nil {
		text = err.Error()
	}
	for line := range strings.Lines(text) {
		fmt.Fprintf(w, "  %s\n", strings.TrimRight(line, "\n"))
	}
	for i, v := range s.Float {
		if v != [4]float32{} {
			fmt.Fprintf(w, "  c%d = %s\n", i, vector(v))
		}
	}
	for i, v := range s.Int {
		if v != [4]uint8{} {
			fmt.Fprintf(w, "  i%d = %d, %d, %d, %d\n", i, v[0], v[1], v[2], v[3])
		}
	}
	if s.Bool != 0 {
		fmt.Fprintf(w, "  b = 0x%04X\n", s.Bool)
	}
}

// JSON returns the draw for JSON.
func (s *State) JSON() any {
	type unit struct {
		Entry  int               `json:"entry"`
		Source string            `json:"source"`
		Error  string            `json:"error,omitempty"`
		Floats map[string][4]any `json:"floats"`
		Ints   [4][4]int         `json:"ints"`
		Bools  uint16            `json:"bools"`
	}
	of := func(u *shaderunit.Setup, geometry bool) *unit {
		o := &unit{Entry: int(u.Entry), Bools: u.Bool, Floats: map[string][4]any{}}
		var err error
		if o.Source, err = Source(u, geometry); err != nil {
			o.Error = err.Error()
		}
		for i, v := range u.Float {
			if v != [4]float32{} {
				o.Floats[fmt.Sprintf("c%d", i)] = [4]any{number(v[0]), number(v[1]), number(v[2]), number(v[3])}
			}
		}
		for i, v := range u.Int {
			for k := range v {
				o.Ints[i][k] = int(v[k])
			}
		}
		return o
	}
	regs := map[string]string{}
	for reg := range pica.Reg(pica.NumRegs) {
		if IsState(reg) {
			regs[reg.String()] = fmt.Sprintf("0x%08X", s.Input.Regs[reg])
		}
	}
	out := map[string]any{
		"draw": s.Record, "notes": s.Notes, "registers": regs, "uniforms": finite(s.Input.Uniforms()), "vertex_shader": of(&s.Input.Vertex, false),
	}
	if s.Record.GeometryEntry >= 0 {
		out["geometry_shader"] = of(&s.Input.Geometry, true)
	}
	if s.Before != nil {
		out["since"] = map[string]int{"frame": s.Before.Frame, "draw": s.Before.Draw}
		out["changes"] = rows.Objects(Changes(s.Before, &s.Input))
	}
	return out
}

// number returns a number for JSON: infinities and NaN become strings.
func number(x float32) any {
	if x-x != 0 {
		return fmt.Sprint(x)
	}
	return x
}

func finite(list []Uniform) []Uniform {
	for _, u := range list {
		for i, v := range u.Values {
			if x, ok := v.(float32); ok {
				u.Values[i] = number(x)
			}
		}
	}
	return list
}
