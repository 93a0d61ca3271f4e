package pica

import (
	"fmt"
	"strings"
	"testing"

	"pica200/tests/testkit"
)

// docs/REGISTERS.md is generated from the table.
func TestRegistersPage(t *testing.T) {
	testkit.Golden(t, "../docs/REGISTERS.md", []byte(registersPage(t)))
}

// sections are the parts of the internal registers, by the first register of each.
var sections = []struct {
	from Reg
	name string
}{
	{0x000, "Miscellaneous"}, {0x040, "Rasterizer"}, {0x080, "Texture units"}, {0x0C0, "Texture combiners, fog and gas"},
	{0x100, "Framebuffer"}, {0x140, "Fragment lighting"}, {0x200, "Geometry pipeline"}, {0x280, "Geometry shader"}, {0x2B0, "Vertex shader"},
}

func registersPage(t *testing.T) string {
	var b strings.Builder
	row := func(cells ...string) {
		b.WriteString(strings.Join(cells, " | ") + "\n")
	}
	meaning := func(f Field) string {
		means := f.Type.String()
		if f.Enum != nil {
			means = fmt.Sprintf("[%s](#%s)", f.Enum.Name, strings.ToLower(f.Enum.Name))
		}
		if f.Doc != "" {
			means += ": " + strings.ReplaceAll(f.Doc, "|", "\\|")
		}
		return means
	}
	// fields writes a row for a register, and one for its fields with the same meaning: neighbours, and those whose names
	// differ only in a number.
	fields := func(number, name, doc string, fs []Field) {
		row("**"+number+"**", "**"+name+"**", doc)
		for len(fs) > 0 {
			first, numbered := fs[0], true
			var bits, names []string
			var others []Field
			for _, f := range fs {
				alike := withoutDigits(f.Name) == withoutDigits(first.Name)
				if meaning(f) != meaning(first) || !alike && others != nil {
					others = append(others, f)
					continue
				}
				numbered = numbered && alike
				if names = append(names, f.Name); f.Bits == 1 {
					bits = append(bits, fmt.Sprint(f.Lo))
				} else {
					bits = append(bits, fmt.Sprintf("%d-%d", f.Lo, f.Lo+f.Bits-1))
				}
			}
			name := strings.Join(names, ", ")
			if n := len(names); n > 2 && numbered {
				name = names[0] + " to " + names[n-1]
			}
			row(strings.Join(bits, ", "), name, meaning(first))
			fs = others
		}
	}
	const head = "\nbits | field | meaning\n---|---|---\n"

	b.WriteString(`# Registers

This page is generated from package pica, where each field is a variable (` + "`go doc pica`" + `). Layouts are those of 3dbrew's pages
"GPU/Internal Registers" and "GPU/External Registers" where no other source is named. A register in bold stands above its fields.
Registers of the same layout share a row. float1.7.16 has 1 sign bit, 7 bits of exponent and 16 of mantissa; fixed1.4.8 has 1 sign
bit, 4 bits before the point and 8 after it; unorm8 is 0 to 255 for 0 to 1; any write to a trigger acts.
`)
	var known []*Register
	for _, r := range Registers {
		if r.Known() {
			known = append(known, r)
		}
	}
	unknown := len(Registers) - len(known)
	fmt.Fprintf(&b, "Nothing is known about %d of the %d registers; their names are GPUREG_ and their number.\n", unknown, NumRegs)
	section := -1
	for _, g := range byLayout(known, func(r *Register) string { return layoutOf(r.Doc, r.Fields) }) {
		first, last := g[0], g[len(g)-1]
		for section+1 < len(sections) && first.Reg >= sections[section+1].from {
			section++
			b.WriteString("\n## " + sections[section].name + "\n" + head)
		}
		number, name, doc := fmt.Sprintf("0x%03X", uint16(first.Reg)), first.Name, first.Doc
		if len(g) > 1 {
			to := " to "
			if len(g) == 2 {
				to = ", "
			}
			name += to + strings.TrimPrefix(last.Name, "GPUREG_")
			doc += " Also" + numbers(g[1:])
		}
		fields(number, name, doc, first.Fields)
	}

	b.WriteString("\n## External registers\n" + head)
	enums := []*Enum{}
	seen := map[*Enum]bool{}
	note := func(fs []Field) {
		for _, f := range fs {
			if f.Enum != nil && !seen[f.Enum] {
				seen[f.Enum] = true
				enums = append(enums, f.Enum)
			}
		}
	}
	for _, r := range Registers {
		note(r.Fields)
	}
	for _, g := range byLayout(ExternalRegisters, func(r *ExternalRegister) string { return layoutOf(r.Doc, r.Fields) }) {
		first, name := g[0], g[0].Name
		for _, r := range g[1:] {
			name += fmt.Sprintf(", 0x%X %s", r.Addr, r.Name)
		}
		note(first.Fields)
		fields(fmt.Sprintf("0x%X", first.Addr), name, first.Doc, first.Fields)
	}

	b.WriteString("\n## Values\n")
	for _, e := range enums {
		var values []string
		for _, v := range e.Values {
			text := fmt.Sprintf("%d %s", v.Value, v.Name)
			if v.Doc != "" {
				text += " (" + v.Doc + ")"
			}
			values = append(values, text)
		}
		fmt.Fprintf(&b, "\n### %s\n\n%s\n", e.Name, strings.Join(values, "; "))
	}
	return b.String()
}

// numbers names registers by their numbers, those at equal distances by the first and the last.
func numbers(rs []*Register) (text string) {
	for len(rs) > 0 {
		n, step := 1, Reg(0)
		if len(rs) > 1 {
			step = rs[1].Reg - rs[0].Reg
		}
		for n < len(rs) && rs[n].Reg-rs[n-1].Reg == step {
			n++
		}
		switch {
		case n > 1 && step == 1:
			text += fmt.Sprintf(", %03X-%03X", uint16(rs[0].Reg), uint16(rs[n-1].Reg))
		case n > 3:
			text += fmt.Sprintf(", %03X, %03X ... %03X", uint16(rs[0].Reg), uint16(rs[1].Reg), uint16(rs[n-1].Reg))
		default:
			n = 1
			text += fmt.Sprintf(", %03X", uint16(rs[0].Reg))
		}
		rs = rs[n:]
	}
	return strings.TrimPrefix(text, ",")
}

// byLayout groups registers by their layout, a text with all that is told of one, in the order of the first of each.
func byLayout[R any](registers []R, layout func(R) string) (groups [][]R) {
	at := map[string]int{}
	for _, r := range registers {
		key := layout(r)
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	return groups
}

func withoutDigits(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, name)
}

func layoutOf(doc string, fields []Field) string {
	for _, f := range fields {
		doc += fmt.Sprint(f.Name, f.Lo, f.Bits)
	}
	return doc
}
