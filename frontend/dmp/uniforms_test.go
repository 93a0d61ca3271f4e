package dmp

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

const uniformsFile = "testdata/uniforms.tsv"

// documented is a row of testdata/uniforms.tsv: what 3dbrew says about a uniform, and where this package differs.
type documented struct {
	id          Location
	typ, name   string
	words, regs string
	reason      string
}

func readDocumented(t *testing.T) []documented {
	data := testkit.Read(t, uniformsFile)
	var rows []documented
	for _, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(line, "\t")
		require.Len(t, c, 6, line)
		id := testkit.Must(strconv.ParseUint(c[0], 0, 16))(t)
		rows = append(rows, documented{Location(id), c[1], c[2], c[3], c[4], c[5]})
	}
	return rows
}

// The table has the IDs, types and names of the page's 297 uniforms.
func TestTableEqualsDocumentedUniforms(t *testing.T) {
	rows := readDocumented(t)
	require.Equal(t, NumUniforms, len(rows))
	for i, row := range rows {
		u := &Uniforms[i]
		require.Equal(t, Location(i), row.id)
		require.Equal(t, row.id, u.ID)
		require.Equal(t, row.name, u.Name)
		require.Equal(t, row.typ, u.Type.String(), u.Name)
		loc := testkit.Must(Locate(row.name))(t)
		require.Equal(t, row.id, loc)
	}
	if testkit.Updating() {
		data := testkit.Read(t, uniformsFile)
		lines := strings.Split(string(data), "\n")
		for i, line := range lines {
			if c := strings.Split(line, "\t"); len(c) == 6 && !strings.HasPrefix(line, "#") {
				id, _ := strconv.ParseUint(c[0], 0, 16)
				c[4] = Uniforms[id].Registers()
				lines[i] = strings.Join(c, "\t")
			}
		}
		require.NoError(t, os.WriteFile(uniformsFile, []byte(strings.Join(lines, "\n")), 0o644))
		rows = readDocumented(t)
	}
	for i, row := range rows {
		require.Equal(t, row.regs, Uniforms[i].Registers(), row.name)
	}
}

// The text in the file is that of the page, which is not part of this repository: the test needs it beside the checkout.
func TestFileEqualsDocumentedText(t *testing.T) {
	page := testkit.Read(t, testkit.Seeds(t, "003_*.txt")[0])
	line := regexp.MustCompile(`(?m)^(0x[0-9A-F]+) (GL_\w+) (dmp_\S+) 0x[0-9A-F]{8} (?:\?|[0-9A-Fx+*]+) (.*?)\s*$`)
	text := strings.ReplaceAll(string(page), "\u00a0", " ")
	found := line.FindAllStringSubmatch(strings.ReplaceAll(text, " \n", "\n"), -1)
	rows := readDocumented(t)
	require.Equal(t, len(rows), len(found))
	for i, m := range found {
		id := testkit.Must(strconv.ParseUint(m[1], 0, 16))(t)
		require.Equal(t, rows[i].id, Location(id))
		require.Equal(t, rows[i].typ, m[2])
		require.Equal(t, rows[i].name, m[3])
		require.Equal(t, rows[i].words, m[4], m[3])
	}
}

var (
	asides   = regexp.MustCompile(`\([^)]*\)`)
	register = regexp.MustCompile(`0x([0-9A-Fa-f]+)(?: bit(\d+)(?:-(\d+))?)?`)
)

// Setting a uniform changes every register and bit that the page names; the file gives reasons for exceptions.
func TestRegistersEqualDocumentation(t *testing.T) {
	for _, row := range readDocumented(t) {
		differs := ""
		named := register.FindAllStringSubmatch(asides.ReplaceAllString(row.words, ""), -1)
		for _, m := range named {
			reg := testkit.Must(strconv.ParseUint(m[1], 16, 16))(t)
			var mask uint32
			for _, f := range Uniforms[row.id].Fields {
				if f.Reg == pica.Reg(reg) {
					mask |= f.Mask()
				}
			}
			want := mask // a register without bits: any of them
			if m[2] != "" {
				lo, _ := strconv.Atoi(m[2])
				hi := lo
				if m[3] != "" {
					hi, _ = strconv.Atoi(m[3])
				}
				want = (1<<(hi-lo+1) - 1) << lo
			}
			if mask == 0 || want&^mask != 0 {
				differs = fmt.Sprintf("%s: the page says %q, which is not in %q", row.name, m[0], row.regs)
			}
		}
		if differs != "" || len(named) == 0 {
			require.NotEmpty(t, row.reason, "%s %s", row.name, differs)
		} else {
			require.Empty(t, row.reason, "%s equals the page and needs no reason", row.name)
		}
	}
}

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
