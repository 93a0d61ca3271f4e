package drawstate

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pica200/pica"
)

// ProgramLine is a line of a shader's program.
type ProgramLine struct {
	Text string
	// Outputs are what it writes of what the rasterizer takes, as .out and rows.Link.Output
	// name it.
	Outputs []string
}

// written finds the output register that a line of a source writes, and its components.
var written = regexp.MustCompile(`^\s*[a-z0-9.]+ o(\d+)(?:\.([xyzw]+))?,`)

// Program is the program of the vertex or of the geometry shader, as Source gives it, with
// what its lines write.
func (s *State) Program(geometry bool) ([]ProgramLine, error) {
	unit := &s.Given.Vertex
	if geometry {
		unit = &s.Given.Geometry
	}
	text, err := Source(unit, geometry)
	if err != nil {
		return nil, err
	}
	outputs := map[string]string{} // by register and component, as sources write them
	if s.Record.GeometryEntry >= 0 == geometry {
		at := pica.OffsetVsh
		if geometry {
			at = pica.OffsetGsh
		}
		for _, o := range OutputMap(&s.Given.Regs, at) {
			for c, m := range o.Means {
				if name, _, is := strings.Cut(m.String(), "."); is {
					outputs[fmt.Sprint(o.Reg, string("xyzw"[c]))] = strings.Replace(name, "normquat", "normalquat", 1)
				}
			}
		}
	}
	var lines []ProgramLine
	for l := range strings.Lines(strings.TrimSpace(text)) {
		line := ProgramLine{Text: strings.ReplaceAll(strings.TrimRight(l, "\n"), "\t", "    ")}
		if m := written.FindStringSubmatch(l); m != nil {
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

// Output is an output register of a shader unit that the unit's mask names.
type Output struct {
	Reg    int
	Means  [4]pica.Semantic // what the rasterizer takes its components as; SemUnused of none
	Mapped bool             // it has an entry in the output map, which are seven
}

// OutputMap lists the output registers of a shader unit as the last unit hands them to the
// rasterizer. Entries of the map are for the registers of the mask in turn.
func OutputMap(regs *pica.Regs, unit pica.Reg) (list []Output) {
	mask := pica.ShOutmapMask.At(unit).Get(regs)
	for reg := range 16 {
		if mask>>reg&1 == 0 {
			continue
		}
		o := Output{Reg: reg, Means: [4]pica.Semantic{pica.SemUnused, pica.SemUnused, pica.SemUnused, pica.SemUnused}, Mapped: len(list) < 7}
		if o.Mapped {
			for c, f := range []pica.Field{pica.ShOutmapX, pica.ShOutmapY, pica.ShOutmapZ, pica.ShOutmapW} {
				o.Means[c] = pica.Semantic(f.At(pica.Reg(len(list))).Get(regs))
			}
		}
		list = append(list, o)
	}
	return list
}
