package pica

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
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
	fields := func(fs []Field) {
		fmt.Fprint(&b, "\n| bits | field | Go | type | |\n|---|---|---|---|---|\n")
		for _, f := range fs {
			bits, typ := fmt.Sprintf("%d-%d", f.Lo, f.Lo+f.Bits-1), f.Type.String()
			if f.Bits == 1 {
				bits = fmt.Sprint(f.Lo)
			}
			if f.Enum != nil {
				typ = fmt.Sprintf("[%s](#%s)", f.Enum.Name, strings.ToLower(f.Enum.Name))
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", bits, f.Name, variable(f), typ, strings.ReplaceAll(f.Doc, "|", "\\|"))
		}
	}

	b.WriteString(`# Registers

This page is generated from the register table of package pica; do not edit it. The layout is that of 3dbrew's pages
"GPU/Internal Registers" and "GPU/External Registers"; other sources are named. Registers with the same layout share a section;
the Go variable of a field belongs to the first of them (Field.At moves it to the others).
`)
	layouts := map[string]int{}
	var groups [][]*Register
	unknown := 0
	for _, r := range Registers {
		if !r.Known() {
			unknown++
			continue
		}
		key := r.Doc
		for _, f := range r.Fields {
			key += fmt.Sprint(f.Name, f.Lo, f.Bits)
		}
		at, ok := layouts[key]
		if !ok {
			at = len(groups)
			layouts[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], r)
	}
	fmt.Fprintf(&b, "Nothing is known about %d of the %d registers; they are called GPUREG_xxxx by their number.\n\n## Internal registers\n", unknown, NumRegs)
	for _, g := range groups {
		first, last := g[0], g[len(g)-1]
		if len(g) == 1 {
			fmt.Fprintf(&b, "\n### 0x%03X %s\n\n%s\n", uint16(first.Reg), first.Name, first.Doc)
		} else {
			var numbers []string
			for _, r := range g {
				numbers = append(numbers, fmt.Sprintf("0x%03X", uint16(r.Reg)))
			}
			fmt.Fprintf(&b, "\n### 0x%03X %s to %s\n\n%s\nRegisters %s.\n", uint16(first.Reg), first.Name,
				strings.TrimPrefix(last.Name, "GPUREG_"), first.Doc, strings.Join(numbers, ", "))
		}
		fields(first.Fields)
	}

	b.WriteString("\n## External registers\n")
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
	for _, r := range ExternalRegisters {
		note(r.Fields)
		fmt.Fprintf(&b, "\n### 0x%08X %s\n\n%s\n", r.Addr, r.Name, r.Doc)
		fmt.Fprint(&b, "\n| bits | field | type | |\n|---|---|---|---|\n")
		for _, f := range r.Fields {
			typ := f.Type.String()
			if f.Enum != nil {
				typ = fmt.Sprintf("[%s](#%s)", f.Enum.Name, strings.ToLower(f.Enum.Name))
			}
			fmt.Fprintf(&b, "| %d-%d | %s | %s | %s |\n", f.Lo, f.Lo+f.Bits-1, f.Name, typ, f.Doc)
		}
	}

	b.WriteString("\n## Values\n")
	for _, e := range enums {
		fmt.Fprintf(&b, "\n### %s\n\n| value | name | |\n|---|---|---|\n", e.Name)
		for _, v := range e.Values {
			fmt.Fprintf(&b, "| %d | %s | %s |\n", v.Value, v.Name, strings.ReplaceAll(v.Doc, "|", "\\|"))
		}
	}
	return b.String()
}
