package drawstate

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"pica200/explain/rows"
	"pica200/internal/plural"
)

// Words are the texts of buttons and links of the shader stepper, in the window and in the browser.
var Words = struct {
	Start   string `json:"start"`
	Back    string `json:"back"`
	Forward string `json:"forward"`
	Stop    string `json:"stop"`
	Follow  string `json:"follow"`
	To      string `json:"to"`
}{
	Start: "to the start of the shader", Back: "instruction before", Forward: "next instruction of the shader", Stop: "to the next breakpoint, or the end",
	Follow: "run the shader on it", To: "step to this instruction",
}

// Where describes the position of a run after step number at; -1 is the start.
func (r *Run) Where(at int) string {
	all := plural.Of(r.Total, "instruction")
	text := "before the first of " + all
	if at >= 0 {
		text = fmt.Sprintf("%d of %s ran", at+1, all)
	}
	switch {
	case at < r.Total-1:
	case r.Failure != "":
		text += ": " + r.Failure
	case at >= 0:
		text += ", the end"
	}
	return text
}

// Result describes the instruction's effect in a few words.
func (s *Step) Result() string {
	switch {
	case s.Emit != nil && s.Emit.Primitive:
		return fmt.Sprintf("emits slot %d, a triangle", s.Emit.Slot)
	case s.Emit != nil:
		return fmt.Sprintf("emits slot %d", s.Emit.Slot)
	case s.Dst != "":
		return s.Dst + " = " + s.Value.String()
	case s.Next != s.PC+1:
		return fmt.Sprintf("→ 0x%03X", s.Next)
	}
	return ""
}

// Cells are the texts of the components.
func (v *Vector) Cells() (out [4]string) {
	for i, x := range v {
		out[i] = fmt.Sprintf("%.6g", x)
	}
	return out
}

func (v *Vector) String() string {
	cells := v.Cells()
	return strings.Join(cells[:], ", ")
}

// Rows describes the shader unit's state after the instruction besides its registers, and the instruction's operands.
func (s *Step) Rows() []rows.Row {
	hex := func(list []int) string {
		var out []string
		for _, x := range list {
			out = append(out, fmt.Sprintf("0x%03X", x))
		}
		return strings.Join(out, " ")
	}
	var sources, loops []string
	for i := range s.Src {
		sources = append(sources, "("+s.Src[i].String()+")")
	}
	for _, l := range s.Loops {
		loops = append(loops, fmt.Sprintf("0x%03X, %d left", l[0], l[1]))
	}
	return slices.DeleteFunc([]rows.Row{
		rows.New("a0", fmt.Sprintf("%d, %d", s.A0[0], s.A0[1])),
		rows.New("aL", strconv.Itoa(int(s.AL))),
		rows.New("cmp", fmt.Sprintf("%t, %t", s.Cmp[0], s.Cmp[1])),
		rows.New("next", fmt.Sprintf("0x%03X", s.Next)),
		rows.New("sources", strings.Join(sources, "  ")),
		rows.New("calls", hex(s.Calls)), rows.New("ifs", hex(s.Ifs)), rows.New("loops", strings.Join(loops, "; ")),
	}, func(r rows.Row) bool { return r.Form == "" })
}

// Row is the emitted vertex with its outputs.
func (e *Emission) Row() rows.Row {
	label := fmt.Sprintf("slot %d", e.Slot)
	if e.Primitive {
		label += ", triangle"
		if e.Winding {
			label += ", turned"
		}
	}
	var out []string
	for _, name := range sorted(maps.Keys(e.Outputs)) {
		v := e.Outputs[name]
		out = append(out, name+" "+v.String())
	}
	return rows.New(label, strings.Join(out, "; "))
}

// Emitted says how many vertices and triangles there are with this one.
func (e *Emission) Emitted() string {
	vertices := "1 vertex"
	if e.vertices != 1 {
		vertices = fmt.Sprintf("%d vertices", e.vertices)
	}
	return fmt.Sprintf("Emitted: %s, %s", vertices, plural.Of(e.triangles, "triangle"))
}

// Registers lists the registers that a run uses, in display order: uniforms, inputs, temporaries, outputs.
func (r *Run) Registers() []string {
	used := map[string]bool{}
	for name := range r.Inputs {
		used[name] = true
	}
	for i := range r.Steps {
		if name := r.Steps[i].Dst; name != "" {
			used[name] = true
		}
	}
	return sorted(maps.Keys(used))
}

// RegistersAfter returns the registers known after step number at, with the one it wrote marked: inputs, and the last value written to each
// other one.
func (r *Run) RegistersAfter(at int) (list []rows.Row) {
	values := maps.Clone(r.Inputs)
	changed := ""
	for i := range r.Steps {
		if s := &r.Steps[i]; r.From+i <= at {
			if changed = s.Dst; s.Dst != "" {
				values[s.Dst] = *s.Value
			}
		}
	}
	for _, name := range sorted(maps.Keys(values)) {
		v := values[name]
		cells := v.Cells()
		row := rows.New(name, "{x} {y} {z} {w}", "x", cells[0], "y", cells[1], "z", cells[2], "w", cells[3])
		if name == changed {
			row.Mark = rows.Changed
		}
		list = append(list, row)
	}
	return list
}

// sorted sorts names of registers by kind and number.
func sorted(names func(func(string) bool)) []string {
	key := func(name string) int {
		n, _ := strconv.Atoi(name[1:])
		return strings.IndexByte("cvro", name[0])<<8 | n
	}
	return slices.SortedFunc(names, func(a, b string) int { return key(a) - key(b) })
}
