package seeds

import (
	"fmt"
	"slices"
	"strings"

	"pica200/assets/mbs"
	"pica200/assets/shbin"
	"pica200/assets/tree"
	"pica200/frontend/dmp"
	"pica200/shaderunit"
)

// generate gives the rows of one of our tables: "structure NAME", "mbs NAME",
// "uniforms", "opcodes", "formats", "descriptor", "outputs", "registers".
func generate(what string) ([]Statement, error) {
	kind, name, _ := strings.Cut(what, " ")
	switch kind {
	case "structure":
		return structure(shbin.Structures(), name)
	case "mbs":
		return structure(mbs.Structures(), name)
	case "uniforms":
		return uniforms(), nil
	case "opcodes":
		return opcodes(), nil
	case "formats":
		return formats(), nil
	case "descriptor":
		return descriptor(), nil
	case "outputs":
		return outputs(), nil
	case "registers":
		return registers(), nil
	}
	return nil, fmt.Errorf("there is no table %q", what)
}

// structureTests are the tests of a structure's fields besides that of the check.
var structureTests = map[string]string{
	"DVLB": "TestAllTables", "DVLP": "TestLineTable", "DVLE": "TestAllTables", "DVOJ": "TestObjectHeader", "code": "TestAllTables", "descriptor": "TestAllTables",
	"constant": "TestAllTables", "label": "TestAllTables", "output": "TestAllTables", "uniform": "TestAllTables", "line": "TestLineTable", "relocation": "TestObjectRoundTrip",
}

func structure(list []tree.Structure, name string) (rows []Statement, err error) {
	for _, s := range list {
		if s.Name != name {
			continue
		}
		for _, f := range s.Fields {
			what := fmt.Sprintf("%s, %d bytes", f.Name, f.Size)
			if f.Doc != "" {
				what += ": " + f.Doc
			}
			tests := []string{"TestSymbolsSurvive", "TestEveryFieldOfMBSIsChecked"}
			if t := structureTests[name]; t != "" {
				tests = []string{t, "TestEveryFieldOfShadersIsChecked"}
			}
			rows = append(rows, Statement{Key: fmt.Sprintf("%s 0x%X", name, f.Offset), What: what, How: Held, Tests: tests})
		}
		return rows, nil
	}
	return nil, fmt.Errorf("there is no structure %q", name)
}

// reasons are the last column of frontend/dmp/testdata/uniforms.tsv, by ID: why the
// registers of a uniform are not those of the page.
var reasons [dmp.NumUniforms]string

// uniforms gives the dmp_* uniforms, with the reasons where the page's registers are
// others than ours.
func uniforms() (rows []Statement) {
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		s := Statement{Key: fmt.Sprintf("uniform 0x%X", i), What: fmt.Sprintf("%s, %v: %s", u.Name, u.Type, registersOf(u)), How: Held,
			Tests: []string{"TestTableIsThatOfThePage", "TestSettingChangesExactlyTheRegisterBits"}}
		if r := reasons[i]; strings.HasPrefix(r, "open in the page") {
			s.Reason = "the register is " + r
		} else if r != "" {
			s.How, s.Reason = Otherwise, r+" (3dbrew, GPU/Internal Registers)"
		}
		rows = append(rows, s)
	}
	return rows
}

func registersOf(u *dmp.Uniform) string {
	list := strings.Split(u.Registers(), ", ")
	if len(list) > 4 {
		list = append(list[:3], fmt.Sprintf("and %d more", len(list)-3))
	}
	return strings.Join(list, ", ")
}

// flowTests are the tests of operations that compute nothing.
var flowTests = map[shaderunit.Opcode]string{
	shaderunit.OpEMIT: "shaderunit.TestEmit", shaderunit.OpSETEMIT: "shaderunit.TestEmit", shaderunit.OpCMP: "TestCompareCodes", shaderunit.OpMOVA: "TestRelativeAddressing",
	shaderunit.OpLOOP: "TestLoopCounter", shaderunit.OpMAD: "TestMADRoundsTwice", shaderunit.OpMADI: "TestMADRoundsTwice",
}

func opcodes() (rows []Statement) {
	for op := range shaderunit.Opcode(64) {
		info := op.Info()
		if info == nil {
			continue
		}
		tests := []string{"shaderunit.TestTable", "TestVectorOps", "TestFloatRules"}
		if info.Format.Sources() == 0 {
			tests = []string{"shaderunit.TestTable", "TestFlow"}
		}
		if t := flowTests[info.Op]; t != "" {
			tests = []string{"shaderunit.TestTable", t}
		}
		rows = append(rows, Statement{Key: fmt.Sprintf("opcode %02X", uint8(op)), How: Held, Tests: tests,
			What: fmt.Sprintf("%s, format %v: %s", info.DocName(), info.Format, info.Semantics)})
	}
	return rows
}

func outputs() (rows []Statement) {
	for t := shbin.OutPosition; t <= shbin.OutView; t++ {
		s := Statement{Key: fmt.Sprintf("output type 0x%X", uint16(t)), What: t.String(), How: Held, Tests: []string{"TestOutputMapRules", "TestEveryFieldOfShadersIsChecked"}}
		if t == 7 {
			s.What = "no known meaning"
			s.Tests = s.Tests[1:]
		}
		rows = append(rows, s)
	}
	return rows
}

func registers() (rows []Statement) {
	for _, r := range [][2]uint16{{shbin.UniformInput, 15}, {shbin.UniformFloat, 95}, {shbin.UniformInt, 3}, {shbin.UniformBool, 15}} {
		rows = append(rows, Statement{Key: fmt.Sprintf("register 0x%X", r[0]), How: Held, Tests: []string{"TestAllTables", "TestEveryFieldOfShadersIsChecked"},
			What: fmt.Sprintf("0x%02X to 0x%02X are %s to %s", r[0], r[0]+r[1], shbin.RegisterName(r[0]), shbin.RegisterName(r[0]+r[1]))})
	}
	return rows
}

// FormatField is a field of an instruction format, as the document has it.
type FormatField struct {
	Format   string
	Lo, Bits uint
	Name     string
	Get      func(shaderunit.Instr) uint32
}

func truth(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Formats are the fields of all instruction formats.
var Formats = func() []FormatField {
	in := func(get func(shaderunit.Instr) uint32) func(shaderunit.Instr) uint32 { return get }
	desc := in(func(i shaderunit.Instr) uint32 { return uint32(i.Desc) })
	src := func(n int) func(shaderunit.Instr) uint32 {
		return func(i shaderunit.Instr) uint32 { return uint32(i.Src[n]) }
	}
	dst := in(func(i shaderunit.Instr) uint32 { return uint32(i.Dst) })
	idx := in(func(i shaderunit.Instr) uint32 { return uint32(i.Idx) })
	op := in(func(i shaderunit.Instr) uint32 { return uint32(i.Op) })
	op5 := in(func(i shaderunit.Instr) uint32 { return uint32(i.Op) >> 1 })
	op3 := in(func(i shaderunit.Instr) uint32 { return uint32(i.Op) >> 3 })
	num := in(func(i shaderunit.Instr) uint32 { return uint32(i.Num) })
	dest := in(func(i shaderunit.Instr) uint32 { return uint32(i.Dest) })
	return []FormatField{
		{"1", 0, 7, "DESC", desc}, {"1", 7, 5, "SRC2", src(1)}, {"1", 12, 7, "SRC1", src(0)}, {"1", 19, 2, "IDX_1", idx}, {"1", 21, 5, "DST", dst}, {"1", 26, 6, "opcode", op},
		{"1i", 0, 7, "DESC", desc}, {"1i", 7, 7, "SRC2", src(1)}, {"1i", 14, 5, "SRC1", src(0)}, {"1i", 19, 2, "IDX_2", idx}, {"1i", 21, 5, "DST", dst}, {"1i", 26, 6, "opcode", op},
		{"1u", 0, 7, "DESC", desc}, {"1u", 7, 5, "no meaning", nil}, {"1u", 12, 7, "SRC1", src(0)}, {"1u", 19, 2, "IDX_1", idx}, {"1u", 21, 5, "DST", dst}, {"1u", 26, 6, "opcode", op},
		{"1c", 0, 7, "DESC", desc}, {"1c", 7, 5, "SRC2", src(1)}, {"1c", 12, 7, "SRC1", src(0)}, {"1c", 19, 2, "IDX_1", idx},
		{"1c", 21, 3, "CMPY", func(i shaderunit.Instr) uint32 { return uint32(i.CmpY) }}, {"1c", 24, 3, "CMPX", func(i shaderunit.Instr) uint32 { return uint32(i.CmpX) }}, {"1c", 27, 5, "opcode", op5},
		{"2", 0, 8, "NUM", num}, {"2", 8, 2, "no meaning", nil}, {"2", 10, 12, "DST", dest}, {"2", 22, 2, "CONDOP", func(i shaderunit.Instr) uint32 { return uint32(i.Cond) }},
		{"2", 24, 1, "REFY", func(i shaderunit.Instr) uint32 { return truth(i.RefY) }}, {"2", 25, 1, "REFX", func(i shaderunit.Instr) uint32 { return truth(i.RefX) }}, {"2", 26, 6, "opcode", op},
		{"3", 0, 8, "NUM", num}, {"3", 8, 2, "no meaning", nil}, {"3", 10, 12, "DST", dest}, {"3", 22, 4, "BOOL or INT", func(i shaderunit.Instr) uint32 { return uint32(i.Uniform) }}, {"3", 26, 6, "opcode", op},
		{"4", 0, 22, "no meaning", nil}, {"4", 22, 1, "FLAG_WINDING", func(i shaderunit.Instr) uint32 { return truth(i.Winding) }},
		{"4", 23, 1, "FLAG_PRIMEMIT", func(i shaderunit.Instr) uint32 { return truth(i.PrimEmit) }}, {"4", 24, 2, "VTXID", func(i shaderunit.Instr) uint32 { return uint32(i.VertexID) }}, {"4", 26, 6, "opcode", op},
		{"5", 0, 5, "DESC", desc}, {"5", 5, 5, "SRC3", src(2)}, {"5", 10, 7, "SRC2", src(1)}, {"5", 17, 5, "SRC1", src(0)}, {"5", 22, 2, "IDX_2", idx}, {"5", 24, 5, "DST", dst}, {"5", 29, 3, "opcode", op3},
		{"5i", 0, 5, "DESC", desc}, {"5i", 5, 7, "SRC3", src(2)}, {"5i", 12, 5, "SRC2", src(1)}, {"5i", 17, 5, "SRC1", src(0)}, {"5i", 22, 2, "IDX_3", idx}, {"5i", 24, 5, "DST", dst}, {"5i", 29, 3, "opcode", op3},
	}
}()

func bits(lo, n uint) string {
	if n == 1 {
		return fmt.Sprint(lo)
	}
	return fmt.Sprintf("%d-%d", lo, lo+n-1)
}

func formats() (rows []Statement) {
	for _, f := range Formats {
		rows = append(rows, Statement{Key: fmt.Sprintf("format %s %s", f.Format, bits(f.Lo, f.Bits)), What: f.Name, How: Held, Tests: []string{"TestInstructionFormats"}})
	}
	return rows
}

// DescriptorField is a field of an operand descriptor.
type DescriptorField struct {
	Lo, Bits uint
	Name     string
	Get      func(shaderunit.OpDesc) uint32
}

// Descriptor are the fields of an operand descriptor.
var Descriptor = func() (list []DescriptorField) {
	for i := range 4 {
		c := 3 - i
		list = append(list, DescriptorField{uint(i), 1, "write " + string("XYZW"[c]), func(d shaderunit.OpDesc) uint32 { return truth(d.Writes(c)) }})
	}
	for n := range 3 {
		at := uint(4 + 9*n)
		list = append(list, DescriptorField{at, 1, fmt.Sprintf("negate source %d", n+1), func(d shaderunit.OpDesc) uint32 { return truth(d.Neg(n)) }})
		for _, c := range []int{3, 2, 1, 0} {
			list = append(list, DescriptorField{at + 1 + 2*uint(3-c), 2, fmt.Sprintf("component %d of source %d", c, n+1), func(d shaderunit.OpDesc) uint32 { return uint32(d.Sel(n, c)) }})
		}
	}
	return append(list, DescriptorField{31, 1, "no known meaning; kept", nil})
}()

func descriptor() (rows []Statement) {
	for _, f := range Descriptor {
		rows = append(rows, Statement{Key: "descriptor bit " + bits(f.Lo, f.Bits), What: f.Name, How: Held, Tests: []string{"TestOperandDescriptors"}})
	}
	return rows
}

// has says whether a document has a statement with the key.
func (d *Document) has(key string) bool {
	return slices.ContainsFunc(d.Parts, func(p Part) bool {
		return slices.ContainsFunc(p.Statements, func(s Statement) bool { return s.Key == key })
	})
}
