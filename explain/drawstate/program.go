package drawstate

import (
	"fmt"
	"slices"
	"strings"

	"pica200/internal/lazy"
	"pica200/pica"
)

// ProgramLine is a line of a shader's program.
type ProgramLine struct {
	Text string
	PC   int // address of its instruction, -1 for none
	// Outputs are the outputs of the shader that it writes, with the names of .out
	// and rows.Link.Output.
	Outputs []string
}

// written matches a source line that writes an output register, with its
// components.
var written = lazy.Regexp(`^\s*[a-z0-9.]+ o(\d+)(?:\.([xyzw]+))?,`)

// Program returns the source lines of the vertex or geometry program, with the
// outputs that they write.
func (s *State) Program(geometry bool) ([]ProgramLine, error) {
	unit := &s.Input.Vertex
	if geometry {
		unit = &s.Input.Geometry
	}
	text, at, err := sourceOf(unit, geometry)
	if err != nil {
		return nil, err
	}
	outputs := map[string]string{} // by register and component, as sources write them
	if s.Record.GeometryEntry >= 0 == geometry {
		at := pica.OffsetVsh
		if geometry {
			at = pica.OffsetGsh
		}
		for _, o := range outputMap(&s.Input.Regs, at) {
			for c, m := range o.Means {
				if name, _, is := strings.Cut(m.String(), "."); is {
					outputs[fmt.Sprint(o.Reg, string("xyzw"[c]))] = strings.Replace(name, "normquat", "normalquat", 1)
				}
			}
		}
	}
	var lines []ProgramLine
	number := strings.Count(text[:len(text)-len(strings.TrimLeft(text, " \n"))], "\n")
	for l := range strings.Lines(strings.TrimSpace(text)) {
		line := ProgramLine{Text: strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "    "), PC: -1}
		if number++; at != nil {
			if pc, ok := at[number]; ok {
				line.PC = pc
			}
		}
		if m := written().FindStringSubmatch(l); m != nil {
			for _, c := range "xyzw" {
				name := outputs[m[1]+string(c)]
				if (m[2] == "" || strings.ContainsRune(m[2], c)) && name != "" && !slices.Contains(line.Outputs, name) {
					line.Outputs = append(line.Outputs, name)
				}
			}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// outputRegister is an output register in the mask of a shader unit.
type outputRegister struct {
	Reg    int
	Means  [4]pica.Semantic // meaning of the components for the rasterizer; SemUnused for none
	Mapped bool             // it has an entry in the output map, which has seven
}

// outputMap lists the output registers of a shader unit, as the last unit
// passes them to the rasterizer. The entries of the map belong to the registers
// of the mask, in order.
func outputMap(regs *pica.Regs, unit pica.Reg) (list []outputRegister) {
	mask := pica.ShOutmapMask.At(unit).Get(regs)
	for reg := range 16 {
		if mask>>reg&1 == 0 {
			continue
		}
		o := outputRegister{Reg: reg, Means: [4]pica.Semantic{pica.SemUnused, pica.SemUnused, pica.SemUnused, pica.SemUnused}, Mapped: len(list) < 7}
		if o.Mapped {
			for c, f := range []pica.Field{pica.ShOutmapX, pica.ShOutmapY, pica.ShOutmapZ, pica.ShOutmapW} {
				o.Means[c] = pica.Semantic(f.At(pica.Reg(len(list))).Get(regs))
			}
		}
		list = append(list, o)
	}
	return list
}
