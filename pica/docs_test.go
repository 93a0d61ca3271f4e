package pica

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pica200/tests/testkit"

	"github.com/stretchr/testify/require"
)

// docs/REGISTERS.md is generated from the table.
func TestRegistersPage(t *testing.T) {
	testkit.Golden(t, "../docs/REGISTERS.md", []byte(registersPage(t)))
}

// Every field of the external registers has a Go variable.
func TestFieldsHaveVariables(t *testing.T) {
	names := fieldNames(t)
	for _, r := range ExternalRegisters {
		for _, f := range r.Fields {
			require.NotEmpty(t, names[f.Name], f.Name)
		}
	}
}

// fieldNames returns the Go variables of the fields, by name and register.
func fieldNames(t *testing.T) map[string]map[Reg]string {
	consts := map[string]uint64{}
	names := map[string]map[Reg]string{}
	files := testkit.Must(filepath.Glob("*.go"))(t)
	var specs []*ast.ValueSpec
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree := testkit.Must(parser.ParseFile(token.NewFileSet(), file, nil, 0))(t)
		for _, d := range tree.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == 1 {
					specs = append(specs, v)
				}
			}
		}
	}
	for _, v := range specs {
		if lit, ok := v.Values[0].(*ast.BasicLit); ok && lit.Kind == token.INT {
			consts[v.Names[0].Name], _ = strconv.ParseUint(lit.Value, 0, 64)
		}
	}
	for _, v := range specs {
		call, ok := v.Values[0].(*ast.CallExpr)
		if !ok || len(call.Args) < 4 {
			continue
		}
		reg := call.Args[0]
		if inner, ok := reg.(*ast.CallExpr); ok { // ext(addr)
			reg = inner.Args[0]
		}
		id, ok1 := reg.(*ast.Ident)
		lit, ok2 := call.Args[1].(*ast.BasicLit)
		if !ok1 || !ok2 {
			continue
		}
		name := testkit.Must(strconv.Unquote(lit.Value))(t)
		if names[name] == nil {
			names[name] = map[Reg]string{}
		}
		names[name][Reg(consts[id.Name])] = v.Names[0].Name
	}
	return names
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
	names := fieldNames(t)
	variable := func(f Field) string {
		switch {
		case names[f.Name][f.Reg] != "":
			return "`" + names[f.Name][f.Reg] + "`"
		case strings.HasPrefix(f.Name, "type "):
			return "`AttribFormatType(i)`"
		case strings.HasPrefix(f.Name, "size "):
			return "`AttribFormatSize(i)`"
		case strings.HasPrefix(f.Name, "component "):
			return "`AttribbufferComponent(i)`"
		case strings.HasPrefix(f.Name, "attribute "):
			return "`ShPermutation(i)`"
		case strings.HasPrefix(f.Name, "light "):
			return "`LightingPermutation(i)`"
		}
		return ""
	}
	row := func(cells ...string) {
		fmt.Fprintf(&b, "| %s |\n", strings.ReplaceAll(strings.Join(cells, " | "), "  ", " "))
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
	// fields writes a row for a register and one for each run of its fields with the same meaning.
	fields := func(number, name, doc string, fs []Field) {
		row("**"+number+"**", "**"+name+"**", "", doc)
		for len(fs) > 0 {
			var bits, names, variables []string
			means := meaning(fs[0])
			for len(fs) > 0 && meaning(fs[0]) == means {
				f := fs[0]
				fs = fs[1:]
				if f.Bits == 1 {
					bits = append(bits, fmt.Sprint(f.Lo))
				} else {
					bits = append(bits, fmt.Sprintf("%d-%d", f.Lo, f.Lo+f.Bits-1))
				}
				names = append(names, f.Name)
				if v := variable(f); !slices.Contains(variables, v) {
					variables = append(variables, v)
				}
			}
			name := strings.Join(names, ", ")
			if n := len(names); n > 2 && len(variables) == 1 && variables[0] != "" { // numbered fields of one variable
				name = names[0] + " to " + names[n-1]
			}
			row(strings.Join(bits, ", "), name, strings.Join(variables, ", "), means)
		}
	}
	const head = "\n| bits | field | Go | meaning |\n|---|---|---|---|\n"

	b.WriteString(`# Registers

This page is generated from the register table of package pica; do not edit it. The layout is that of 3dbrew's pages
"GPU/Internal Registers" and "GPU/External Registers"; other sources are named. A register is followed by its fields. Registers with
the same layout share a row, and so do fields with the same meaning; the Go variable of a field belongs to the first of them (Field.At moves it to the others).
`)
	var known []*Register
	for _, r := range Registers {
		if r.Known() {
			known = append(known, r)
		}
	}
	unknown := len(Registers) - len(known)
	fmt.Fprintf(&b, "Nothing is known about %d of the %d registers; they are called GPUREG_xxxx by their number.\n", unknown, NumRegs)
	section := -1
	for _, g := range byLayout(known, func(r *Register) string { return layoutOf(r.Doc, r.Fields) }) {
		first, last := g[0], g[len(g)-1]
		for section+1 < len(sections) && first.Reg >= sections[section+1].from {
			section++
			b.WriteString("\n## " + sections[section].name + "\n" + head)
		}
		number, name, doc := fmt.Sprintf("0x%03X", uint16(first.Reg)), first.Name, first.Doc
		if len(g) > 1 {
			name += " to " + strings.TrimPrefix(last.Name, "GPUREG_")
			doc += " Also"
			for i := 1; i < len(g); {
				run := i // the last of consecutive numbers
				for run+1 < len(g) && g[run+1].Reg == g[run].Reg+1 {
					run++
				}
				doc += fmt.Sprintf(" %03X", uint16(g[i].Reg))
				if run > i {
					doc += fmt.Sprintf("-%03X", uint16(g[run].Reg))
				}
				i = run + 1
			}
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

func layoutOf(doc string, fields []Field) string {
	for _, f := range fields {
		doc += fmt.Sprint(f.Name, f.Lo, f.Bits)
	}
	return doc
}
