package dmp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pica200/tests/testkit"

	"github.com/stretchr/testify/require"
)

// docs/UNIFORMS.md is generated from the table.
func TestUniformsPage(t *testing.T) {
	testkit.Golden(t, "../../docs/UNIFORMS.md", []byte(uniformsPage()))
}

func uniformsPage() string {
	var b strings.Builder
	b.WriteString(`# The dmp_* uniforms

This page is generated from package dmp. It lists the values of every ` + "`dmp_*`" + ` uniform and the register bits that it sets. Uniforms that
differ only in an array index share a row, with the registers of the first, and so do neighbours with the same type, default and
values, with bits in the order of the names. One default counts for all components. Numbers without a range may be any finite
number; a sampler takes the number of a table, 0 to ` + fmt.Sprint(NumTables-1) + `. Set enumerated values by name, by GL number, or by the register's
value; ` + "`pica200 uniforms --json`" + ` has all three. frontend/dmp/testdata/uniforms.tsv relates the registers to 3dbrew's page
"Nintendo OpenGL"; [ACCURACY.md](ACCURACY.md) marks guesses.

ID | name | type (default) | values | register bits
---|---|---|---|---
`)
	first := map[string]string{} // the uniform that has a long list of values first
	var row, names []string      // the row to write and its names
	var ids [2]string
	single := false // one field each, listed in the order of the names
	flush := func() {
		if row != nil {
			id := ids[0]
			if ids[1] != id {
				id += "-" + ids[1]
			}
			fmt.Fprintf(&b, "%s | %s | %s\n", id, strings.Join(names, ", "), strings.ReplaceAll(strings.Join(row, " | "), "  ", " "))
		}
	}
	for i := 0; i < NumUniforms; {
		u := &Uniforms[i]
		name, n := u.Name, 1
		if open := strings.IndexByte(name, '['); open >= 0 {
			tail := name[strings.IndexByte(name, ']'):]
			for i+n < NumUniforms && strings.HasSuffix(Uniforms[i+n].Name, tail) && strings.HasPrefix(Uniforms[i+n].Name, name[:open+1]) &&
				Uniforms[i+n].index == u.index+n {
				n++
			}
			if n > 1 {
				name = fmt.Sprintf("%s[%d..%d%s", name[:open], u.index, u.index+n-1, tail)
			}
		}
		values := pageValues(u)
		if other, seen := first[values]; seen {
			values = "as " + other
		} else if len(u.Symbols) > 2 {
			first[values] = u.Name[strings.LastIndexByte(u.Name, '.')+1:]
		}
		if u.Doc != "" {
			values = strings.TrimPrefix(values+". "+u.Doc, ". ")
		}
		last := fmt.Sprintf("0x%03X", i+n-1)
		next := []string{fmt.Sprintf("%v (%s)", u.Type, pageDefault(u)), values, pageRegisters(u)}
		dot := strings.LastIndexByte(name, '.')
		// A neighbour says "as" the first of the row, or has the same short list of values.
		alike := row != nil && n == 1 && (next[2] == row[2] || len(u.Fields) == 1 && single) && row[0] == next[0] && (row[1] == next[1] || next[1] == "as "+names[0][strings.LastIndexByte(names[0], '.')+1:]) &&
			names[0][:max(0, strings.LastIndexByte(names[0], '.'))] == name[:dot]
		switch {
		case alike:
			if next[2] != row[2] {
				row[2] = joinRegisters(row[2] + "; " + next[2])
			}
			names, ids[1] = append(names, name[dot:]), last
		default:
			flush()
			row, names, ids, single = next, []string{name}, [2]string{fmt.Sprintf("0x%03X", i), last}, len(u.Fields) == 1
		}
		i += n
	}
	flush()
	return b.String()
}

// pageRegisters returns the registers of a uniform with the bits of each.
func pageRegisters(u *Uniform) string {
	fields := strings.Split(u.Registers(), ", ")
	more := ""
	if len(fields) > 8 {
		fields, more = fields[:6], fmt.Sprintf(" and %d more", len(fields)-6)
	}
	return joinRegisters(strings.Join(fields, "; ")) + more
}

// joinRegisters writes the name of a register once for parts with a semicolon between them that follow one another.
func joinRegisters(text string) string {
	out, last := "", ""
	for _, part := range strings.Split(text, "; ") {
		register, bits, _ := strings.Cut(part, " ")
		switch {
		case out == "":
			out = part
		case register == last:
			out += ", " + bits
		default:
			out += "; " + part
		}
		last = register
	}
	return out
}

func pageDefault(u *Uniform) string {
	parts := make([]string, len(u.Default))
	for k, v := range u.Default {
		parts[k] = fmt.Sprint(v)
		if u.Type == Bool {
			parts[k] = fmt.Sprint(v != 0)
		}
		if sym, ok := findNumber(u.Symbols, int64(v)); ok {
			parts[k] = sym.String()
		}
	}
	if one := slices.Compact(slices.Clone(parts)); len(one) == 1 {
		parts = one
	}
	return strings.Join(parts, ", ")
}

func pageValues(u *Uniform) string {
	if u.Symbols == nil {
		if u.Type == Sampler1D || u.Type == Bool || u.Min == u.Max && u.Steps == nil {
			return ""
		}
		return u.Values()
	}
	parts := make([]string, len(u.Symbols))
	for k, s := range u.Symbols {
		parts[k] = s.String()
	}
	return strings.Join(parts, ", ")
}

// Set of any name and value returns an error, or the value reads back.
func FuzzSet(f *testing.F) {
	for _, u := range []string{"dmp_Fog.mode", "dmp_TexEnv[0].scaleRgb", "dmp_Gas.deltaZ", "dmp_TexEnv[9].srcRgb", ""} {
		f.Add(u, "GL_FOG", 1.0)
	}
	f.Fuzz(func(t *testing.T, name, symbol string, number float64) {
		s := newTestState()
		for _, v := range []any{symbol, number, int(number), number != 0} {
			if err := s.Set(name, v); err != nil {
				require.NotEmpty(t, err.Error())
				continue
			}
			loc := testkit.Must(Locate(name))(t)
			again := newTestState()
			require.NoError(t, again.Uniformf(loc, s.Floats(loc)...))
			require.Equal(t, *s.Regs, *again.Regs)
		}
	})
}
