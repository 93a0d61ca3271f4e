package seeds

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// seed reads one of the documents, which lie outside of the repository.
func seed(t *testing.T, pattern string) string {
	t.Helper()
	text := testkit.Read(t, testkit.Seeds(t, pattern)[0])
	return string(text)
}

// boxes returns the text of each box of a GBATEK page. The conversion broke lines inside words, so lines are joined without
// separators.
func boxes(text string) (list []string) {
	for _, block := range regexp.MustCompile("(?s)```\n(.*?)```").FindAllStringSubmatch(text, -1) {
		var b strings.Builder
		for _, line := range strings.Split(block[1], "\n") {
			line = strings.TrimSpace(strings.TrimPrefix(line, "- "))
			if strings.HasPrefix(line, "+-") {
				continue
			}
			line = strings.TrimSpace(strings.Trim(line, "|"))
			line = strings.TrimPrefix(line, "- ")
			b.WriteString(line)
			if !regexp.MustCompile(`(^|[ \-])[0-9A-Fh]{1,3}$`).MatchString(line) {
				b.WriteString("\n")
			} else if strings.HasSuffix(line, "h") {
				b.WriteString(" ")
			}
		}
		list = append(list, b.String())
	}
	return list
}

func number(t *testing.T, s string) uint64 {
	t.Helper()
	v := testkit.Must(strconv.ParseUint(strings.TrimPrefix(strings.TrimSpace(s), "0x"), 16, 32))(t, s)
	return v
}

// complete requires that the document's table has all the given rows.
func complete(t *testing.T, d document, rows []string, least int) {
	t.Helper()
	keys := map[string]bool{}
	for _, p := range d.parts {
		for _, r := range p.rows {
			keys[r.key] = true
		}
	}
	for _, row := range rows {
		if !keys[row] {
			t.Errorf("%s has no row for %q", d.title, row)
		}
	}
	require.GreaterOrEqual(t, len(rows), least, "rows found in the document")
}

// Every table row of the first GBATEK page has a row here.
func TestRowsOfGBATEKFiles(t *testing.T) {
	// Tables in the order of the page; those without a name have no offsets.
	names := []string{"", "", "DVLB", "DVLP", "DVLE", "DVOJ", "", "code", "descriptor", "constant", "output", "output type", "uniform", "register", "label", "relocation", "line", ""}
	list := boxes(seed(t, "000_*.txt"))
	require.Len(t, list, len(names))
	var rows []string
	for i, text := range list {
		row := regexp.MustCompile(`([0-9A-F]{3})\s*h\s+(?:\d|\.\.|4\*N|0[FC]h)`)
		switch names[i] {
		case "":
			continue
		case "output type":
			row = regexp.MustCompile(`([0-9A-F]{2})h = `)
		case "register":
			row = regexp.MustCompile(`(?m)^ *([0-9A-F]{2})h\.\.`)
		}
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			rows = append(rows, fmt.Sprintf("%s 0x%X", names[i], number(t, m[1])))
		}
	}
	complete(t, gbatekFiles(), rows, 100)
}

// Every table row of the page SHBIN has a row here.
func TestRowsOfSHBIN(t *testing.T) {
	names := map[string]string{"Header": "DVLB", "DVLP": "DVLP", "DVLE": "DVLE", "Label Table Entry": "label", "Constant Table Entry": "constant",
		"Output Table Entry": "output", "Uniform Table Entry": "uniform", "DVOJ": "DVOJ", "Unknown Block 1 Item": "line", "Unknown Block 2 Item": "relocation"}
	name := ""
	var rows []string
	for _, line := range strings.Split(seed(t, "001_*.txt"), "\n") {
		if h, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "##") {
			name = names[strings.TrimSpace(h)]
			require.NotEmpty(t, name, line)
		}
		switch {
		case strings.HasPrefix(line, "| Type "):
			name = "output type"
		case strings.HasPrefix(line, "| Values "):
			name = "register"
		}
		if m := regexp.MustCompile(`^\| 0x([0-9A-F]+)(?:-0x[0-9A-F]+)? +\|`).FindStringSubmatch(line); m != nil {
			rows = append(rows, fmt.Sprintf("%s 0x%X", name, number(t, m[1])))
		}
	}
	complete(t, dbrewFiles(), rows, 85)
}

// Every structure field of the MBS page has a row here.
func TestRowsOfMBS(t *testing.T) {
	name := ""
	var rows []string
	for _, line := range strings.Split(seed(t, "002_*.txt"), "\n") {
		if m := regexp.MustCompile(`^(\w+) \{`).FindStringSubmatch(line); m != nil {
			name = m[1]
		}
		if m := regexp.MustCompile(`^    \w+ +(\w+)(?:\[\w*\])?;`).FindStringSubmatch(line); m != nil {
			rows = append(rows, name+"."+m[1])
		}
	}
	complete(t, mbsDocument(), rows, 58)
}

// Every uniform and structure field of the page Nintendo OpenGL has a row here.
func TestRowsOfNintendoOpenGL(t *testing.T) {
	text := strings.ReplaceAll(seed(t, "003_*.txt"), "\u00a0", " ")
	var rows []string
	for _, m := range regexp.MustCompile(`(?m)^0x([0-9A-F]+) GL_`).FindAllStringSubmatch(text, -1) {
		rows = append(rows, fmt.Sprintf("uniform 0x%X", number(t, m[1])))
	}
	require.Len(t, rows, 297)
	name := ""
	for _, line := range strings.Split(text, "\n") {
		for head, n := range map[string]string{"Shader program struct": "program", "dmp_FragmentLightSource struct:": "light", "vertex/geometry shader struct:": "shader"} {
			if strings.HasPrefix(line, head) {
				name = n
			}
		}
		if m := regexp.MustCompile(`^0x([0-9A-F]+) 0x[0-9A-F*]+ `).FindStringSubmatch(line); m != nil {
			rows = append(rows, fmt.Sprintf("%s 0x%X", name, number(t, m[1])))
		}
		if m := regexp.MustCompile(`^(dmp_Point\S+) Name of`).FindStringSubmatch(line); m != nil {
			rows = append(rows, m[1])
		}
	}
	complete(t, uniformDocument(), rows, 325)
}

// Every table row of the instruction set page has a row here.
func TestRowsOfGBATEKInstructionSet(t *testing.T) {
	list := boxes(seed(t, "004_*.txt"))
	require.Len(t, list, 10)
	var rows []string
	format := ""
	for _, line := range strings.Split(strings.ReplaceAll(list[1], "For\nmat", "Format"), "\n") {
		if m := regexp.MustCompile(`^Format (\w+):`).FindStringSubmatch(line); m != nil {
			format = m[1]
		}
		if m := regexp.MustCompile(`^(?:0x[0-9A-F]+|\d) +(\d+(?:-\d+)?) +(?:0x[0-9A-F]+|\d|\?) `).FindStringSubmatch(line); m != nil {
			rows = append(rows, "format "+format+" "+m[1])
		}
	}
	opcode := regexp.MustCompile(`(?m)^([0-9A-F]{2})\s*h?(?:-([0-9A-F]{2})\s*h?)? *\s(?:[0-5][iuc]?|\?) +(?:[A-Z0-9]+|\?\?\?) `)
	for _, m := range opcode.FindAllStringSubmatch(list[2], -1) {
		rows = append(rows, fmt.Sprintf("opcode %02X", number(t, m[1])))
		if m[2] != "" && number(t, m[1]) >= 0x2E {
			for op := number(t, m[1]) + 1; op <= number(t, m[2]); op++ {
				rows = append(rows, fmt.Sprintf("opcode %02X", op))
			}
		}
	}
	for i, r := range map[int]struct{ row, key string }{
		3: {`(?m)^(\d+(?:-\d+)?) +(?:Dest|Source|unn)`, "descriptor bit %s"}, 4: {`(?m)^0(\d)h +\+`, "IDX %s"}, 5: {`(?m)^0(\d)h +(?:[A-Z]|\?)`, "CMP %s"}, 6: {`(?m)^0(\d)h +cmp`, "CONDOP %s"},
	} {
		for _, m := range regexp.MustCompile(r.row).FindAllStringSubmatch(list[i], -1) {
			rows = append(rows, fmt.Sprintf(r.key, m[1]))
		}
	}
	for i, name := range map[int]string{7: "DST", 8: "SRC"} {
		for _, m := range regexp.MustCompile(`(?m)^([0-9A-F]{2})h-`).FindAllStringSubmatch(list[i], -1) {
			rows = append(rows, fmt.Sprintf("%s 0x%X", name, number(t, m[1])))
		}
	}
	complete(t, instructionSet(), rows, 150)
}
