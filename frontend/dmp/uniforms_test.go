package dmp

import (
	"fmt"
	"os"
	"regexp"
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
