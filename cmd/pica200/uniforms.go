package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"pica200/frontend/dmp"
)

type uniformsCmd struct {
	Name string `arg:"" optional:"" help:"Part of a name, or an ID: list only the uniforms that match."`
	JSON bool   `name:"json" help:"Write the whole table, with values, defaults and notes, as JSON."`
}

func (uniformsCmd) Help() string {
	return `Lists the dmp_* uniforms, the API of DMP's driver for fragment state:
ID, type, name, and the register bits that the uniform sets.

Examples:

  pica200 uniforms
  pica200 uniforms TexEnv[0]
  pica200 uniforms 0x125 --json`
}

// uniformJSON is one uniform in the output of --json.
type uniformJSON struct {
	ID        string       `json:"id"`
	Name      string       `json:"name"`
	Type      string       `json:"type"`
	Registers []bitsJSON   `json:"registers"`
	Values    []symbolJSON `json:"values,omitempty"`
	Steps     []float32    `json:"steps,omitempty"`
	Min       *float32     `json:"min,omitempty"`
	Max       *float32     `json:"max,omitempty"`
	Default   []any        `json:"default"`
	Note      string       `json:"note,omitempty"`
}

type bitsJSON struct {
	Register string `json:"register"`
	Name     string `json:"name"`
	Field    string `json:"field"`
	Low      int    `json:"low"`
	Bits     int    `json:"bits"`
	Format   string `json:"format"`
}

type symbolJSON struct {
	Name   string `json:"name"`
	GL     string `json:"gl,omitempty"`
	Number int32  `json:"number"`
	Value  uint32 `json:"value"`
}

func (c uniformsCmd) Run(con *console) error {
	found := c.find()
	if len(found) == 0 {
		_, err := dmp.Locate(c.Name)
		return fmt.Errorf("nothing matches: %w", err)
	}
	if c.JSON {
		list := make([]uniformJSON, len(found))
		for i, u := range found {
			list[i] = describeUniform(u)
		}
		return printJSON(con.out, list)
	}
	w := tabwriter.NewWriter(con.out, 0, 8, 2, ' ', 0)
	for _, u := range found {
		fmt.Fprintf(w, "0x%03X\t%v\t%s\t%s\n", uint16(u.ID), u.Type, u.Name, shortRegisters(u))
	}
	return w.Flush()
}

// find returns the uniforms with the given ID, or whose name has the given part.
func (c uniformsCmd) find() (found []*dmp.Uniform) {
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		if c.Name == "" || strings.Contains(strings.ToLower(u.Name), strings.ToLower(c.Name)) ||
			strings.EqualFold(c.Name, fmt.Sprintf("0x%X", uint16(u.ID))) || strings.EqualFold(c.Name, fmt.Sprintf("0x%03X", uint16(u.ID))) {
			found = append(found, u)
		}
	}
	return found
}

// shortRegisters lists the register bits of a uniform, shortened if a
// material's colour affects all lights.
func shortRegisters(u *dmp.Uniform) string {
	parts := strings.Split(u.Registers(), ", ")
	if len(parts) > 6 {
		return fmt.Sprintf("%s and %d more", strings.Join(parts[:4], ", "), len(parts)-4)
	}
	return strings.Join(parts, ", ")
}

func describeUniform(u *dmp.Uniform) uniformJSON {
	d := uniformJSON{ID: fmt.Sprintf("0x%03X", uint16(u.ID)), Name: u.Name, Type: u.Type.String(), Note: u.Doc}
	for _, f := range u.Fields {
		d.Registers = append(d.Registers, bitsJSON{
			Register: fmt.Sprintf("0x%03X", uint16(f.Reg)), Name: f.Reg.String(), Field: f.Name,
			Low: int(f.Lo), Bits: int(f.Bits), Format: f.Type.String(),
		})
	}
	for _, s := range u.Symbols {
		d.Values = append(d.Values, symbolJSON{Name: s.Name, GL: s.GL, Number: s.Number(), Value: s.Value})
	}
	for _, s := range u.Steps {
		d.Steps = append(d.Steps, s.Value)
	}
	if u.Min != u.Max {
		d.Min, d.Max = &u.Min, &u.Max
	}
	for _, v := range u.Default {
		switch {
		case u.Type == dmp.Bool:
			d.Default = append(d.Default, v != 0)
		case u.Symbols != nil:
			name := fmt.Sprint(v)
			for _, s := range u.Symbols {
				if float32(s.Number()) == v {
					name = s.String()
				}
			}
			d.Default = append(d.Default, name)
		default:
			d.Default = append(d.Default, v)
		}
	}
	return d
}
