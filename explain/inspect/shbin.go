package inspect

import (
	"encoding/binary"
	"fmt"
	"slices"

	"pica200/assets/shbin"
	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/pica"
	"pica200/shaderunit"
)

// fields reads little-endian numbers of a file that a parser has checked. Past
// the end of the file it reads 0.
type fields struct{ data []byte }

func (f fields) u32(at int64) uint32 {
	if at < 0 || at+4 > int64(len(f.data)) {
		return 0
	}
	return binary.LittleEndian.Uint32(f.data[at:])
}

func (f fields) u16(at int64) uint16 {
	if at < 0 || at+2 > int64(len(f.data)) {
		return 0
	}
	return binary.LittleEndian.Uint16(f.data[at:])
}

// word and half make nodes of 4 and 2 bytes; format "" means hexadecimal.
func (f fields) word(name string, at int64, format string) *tree.Node {
	v := f.u32(at)
	if format == "" {
		return tree.Field(name, at, 4, v, "")
	}
	return tree.Fieldf(name, at, 4, v, format, v)
}

func (f fields) half(name string, at int64, format string) *tree.Node {
	v := f.u16(at)
	if format == "" {
		return tree.Field(name, at, 2, v, "")
	}
	return tree.Fieldf(name, at, 2, v, format, v)
}

func openShbin(data []byte) (*tree.Node, func() tree.Findings, error) {
	file, err := shbin.Parse(data)
	if err != nil {
		return nil, nil, shaderError("shbin", err)
	}
	f := fields{data}
	n := len(file.Executables)
	dvlp := int64(8 + 4*n)
	top := []*tree.Node{
		tree.Group("DVLB", 0, 8+4*int64(n), "",
			tree.Field("magic", 0, 4, "DVLB", ""),
			f.word("executables", 4, "%d"),
			tree.List("offsets", 8, 4*int64(n), "", n, func(i int) *tree.Node { return f.word(fmt.Sprintf("DVLE %d", i), 8+4*int64(i), "") })),
		programNode(f, &file.Program, dvlp),
	}
	for i := range file.Executables {
		top = append(top, executableNode(f, i, &file.Executables[i], int64(f.u32(8+4*int64(i)))))
	}
	layout := ""
	if file.Program.Short() {
		layout = "in nihstro's layout, "
	}
	root := tree.Group("", 0, 0, "shader binary, "+layout+plural.Of(n, "executable")+", "+plural.Of(len(file.Program.Code), "instruction"), top...)
	return root, func() tree.Findings { return checkShbin(file, data) }, nil
}

func programNode(f fields, p *shbin.Program, at int64) *tree.Node {
	code, desc := at+int64(f.u32(at+8)), at+int64(f.u32(at+16))
	nodes := []*tree.Node{
		tree.Field("magic", at, 4, "DVLP", ""),
		f.word("version", at+4, ""),
		f.word("code offset", at+8, ""), f.word("code words", at+12, "%d"),
		f.word("descriptor offset", at+16, ""), f.word("descriptors", at+20, "%d"),
	}
	tables := []*tree.Node{
		codeNode(p.Code, p.Descriptors, code),
		tree.List("descriptors", desc, 8*int64(len(p.Descriptors)), "", len(p.Descriptors), func(i int) *tree.Node {
			return descriptorNode(i, p.Descriptors[i], desc+8*int64(i))
		}),
	}
	if p.Short() {
		nodes = append(nodes, f.word("file name offset", at+24, ""))
		return tree.Group("DVLP", at, 28, "the header of nihstro's assembler, 7 words", append(nodes, tables...)...)
	}
	nodes = append(nodes,
		f.word("line number offset", at+24, ""), f.word("line numbers", at+28, "%d"),
		f.word("file name offset", at+32, ""), f.word("file name bytes", at+36, "%d"))
	lines, names := at+int64(f.u32(at+24)), at+int64(f.u32(at+32))
	return tree.Group("DVLP", at, 40, "", append(append(nodes, tables...), linesNode(p.Lines, lines), namesNode("file names", p.Symbols, names))...)
}

// linesNode shows where instructions come from.
func linesNode(lines []shbin.Line, at int64) *tree.Node {
	return tree.List("lines", at, 8*int64(len(lines)), "", len(lines), func(i int) *tree.Node {
		l, at := lines[i], at+8*int64(i)
		return tree.Group(fmt.Sprintf("%03x", i), at, 8, fmt.Sprintf("%s:%d", l.File, l.Line),
			tree.Fieldf("file name", at, 4, l.Symbol, "0x%x %q", l.Symbol, l.File), tree.Fieldf("line", at+4, 4, l.Line, "%d", l.Line))
	})
}

// codeNode shows instruction words with their disassembly.
func codeNode(code []uint32, descriptors []shbin.Descriptor, at int64) *tree.Node {
	return tree.List("code", at, 4*int64(len(code)), "", len(code), func(i int) *tree.Node {
		in := shaderunit.Decode(code[i])
		var d shaderunit.OpDesc
		if int(in.Desc) < len(descriptors) {
			d = shaderunit.OpDesc(descriptors[in.Desc].Word)
		}
		return tree.Fieldf(fmt.Sprintf("%03x", i), at+4*int64(i), 4, code[i], "%s", in.Text(d))
	})
}

func descriptorNode(i int, d shbin.Descriptor, at int64) *tree.Node {
	w := shaderunit.OpDesc(d.Word)
	text := "mask " + w.MaskText()
	for s := range 3 {
		sign := ""
		if w.Neg(s) {
			sign = "-"
		}
		text += fmt.Sprintf(", source %d %s%s", s+1, sign, w.SwizzleText(s))
	}
	return tree.Group(fmt.Sprint(i), at, 8, text,
		tree.Field("word", at, 4, d.Word, ""), tree.Field("flags", at+4, 4, d.Flags, ""))
}

// namesNode shows a table of names that end in zero bytes.
func namesNode(name string, symbols []byte, at int64) *tree.Node {
	n := &tree.Node{Name: name, Offset: at, Size: int64(len(symbols))}
	n.Children = func(yield func(*tree.Node) bool) {
		for from := 0; from < len(symbols); {
			to := from
			for to < len(symbols) && symbols[to] != 0 {
				to++
			}
			end := min(to+1, len(symbols))
			if to > from && !yield(tree.Field(fmt.Sprintf("+0x%x", from), at+int64(from), int64(end-from), string(symbols[from:to]), "")) {
				return
			}
			from = end
		}
	}
	return n
}

func executableNode(f fields, i int, e *shbin.Executable, at int64) *tree.Node {
	table := func(field int64) int64 { return at + int64(f.u32(at+field)) }
	constants, labels, outputs, uniforms, symbols := table(0x18), table(0x20), table(0x28), table(0x30), table(0x38)
	return tree.Group(fmt.Sprintf("DVLE %d", i), at, 64, fmt.Sprintf("%v shader", e.Type),
		tree.Field("magic", at, 4, "DVLE", ""),
		f.half("version", at+4, ""),
		tree.Fieldf("type", at+6, 1, uint8(e.Type), "%v", e.Type),
		tree.Fieldf("merge output maps", at+7, 1, e.Merge, "%d", e.Merge),
		f.word("main", at+8, "instruction %03x"), f.word("end of main", at+12, "instruction %03x"),
		f.half("input mask", at+0x10, "%016b"), f.half("output mask", at+0x12, "%016b"),
		tree.Fieldf("geometry mode", at+0x14, 1, uint8(e.Geometry.Mode), "%v", e.Geometry.Mode),
		tree.Fieldf("fixed mode: first uniform", at+0x15, 1, e.Geometry.FixedStart, "c%d", e.Geometry.FixedStart),
		tree.Fieldf("variable mode: full vertices", at+0x16, 1, e.Geometry.VariableNum, "%d", e.Geometry.VariableNum),
		tree.Fieldf("fixed mode: vertices", at+0x17, 1, e.Geometry.FixedNum, "%d", e.Geometry.FixedNum),
		f.word("constant offset", at+0x18, ""), f.word("constants", at+0x1C, "%d"),
		f.word("label offset", at+0x20, ""), f.word("labels", at+0x24, "%d"),
		f.word("output offset", at+0x28, ""), f.word("outputs", at+0x2C, "%d"),
		f.word("uniform offset", at+0x30, ""), f.word("uniforms", at+0x34, "%d"),
		f.word("symbol offset", at+0x38, ""), f.word("symbol bytes", at+0x3C, "%d"),
		constantsNode(e.Constants, constants), labelsNode(e.Labels, labels), outputsNode(e.Outputs, outputs), uniformsNode(e.Uniforms, uniforms),
		namesNode("symbols", e.Symbols, symbols))
}

func constantsNode(cs []shbin.Constant, at int64) *tree.Node {
	return tree.List("constants", at, 20*int64(len(cs)), "", len(cs), func(i int) *tree.Node {
		c := cs[i]
		text := fmt.Sprintf("%v constant of kind %d", c.Kind, uint8(c.Kind))
		switch c.Kind {
		case shbin.ConstantBool:
			text = fmt.Sprintf("b%d = %t", c.Reg, c.Bool())
		case shbin.ConstantInt:
			text = fmt.Sprintf("i%d = %v", c.Reg, c.Int())
		case shbin.ConstantFloat:
			v := c.Float()
			text = fmt.Sprintf("c%d = (%g, %g, %g, %g)", c.Reg, f24(v[0]), f24(v[1]), f24(v[2]), f24(v[3]))
		}
		return tree.Field(fmt.Sprint(i), at+20*int64(i), 20, text, "")
	})
}

func f24(w uint32) float32 { return pica.TypeFloat24.Decode(w&0xFFFFFF, 24) }

func labelsNode(ls []shbin.Label, at int64) *tree.Node {
	return tree.List("labels", at, 16*int64(len(ls)), "", len(ls), func(i int) *tree.Node {
		l, at := ls[i], at+16*int64(i)
		size := fmt.Sprintf("%d words", l.Size)
		if l.Size == shbin.NoSize {
			size = "no size"
		}
		return tree.Group(l.Name, at, 16, "",
			tree.Fieldf("id", at, 2, l.ID, "%d", l.ID), tree.Field("unknown", at+2, 2, l.Unknown, ""),
			tree.Fieldf("address", at+4, 4, l.Addr, "instruction %03x", l.Addr), tree.Fieldf("size", at+8, 4, l.Size, "%s", size),
			tree.Fieldf("name", at+12, 4, l.Symbol, "0x%x %q", l.Symbol, l.Name))
	})
}

func outputsNode(os []shbin.Output, at int64) *tree.Node {
	return tree.List("outputs", at, 8*int64(len(os)), "", len(os), func(i int) *tree.Node {
		o, at := os[i], at+8*int64(i)
		return tree.Group(fmt.Sprintf("o%d", o.Reg), at, 8, fmt.Sprintf("%v.%s", o.Type, components(o.Mask)),
			tree.Fieldf("type", at, 2, uint16(o.Type), "%v", o.Type), tree.Fieldf("register", at+2, 2, o.Reg, "o%d", o.Reg),
			tree.Fieldf("mask", at+4, 2, o.Mask, "%s", components(o.Mask)), tree.Field("unknown", at+6, 2, o.Unknown, ""))
	})
}

func components(mask uint16) string {
	s := ""
	for i := range 4 {
		if mask>>i&1 != 0 {
			s += string("xyzw"[i])
		}
	}
	return s
}

func uniformsNode(us []shbin.Uniform, at int64) *tree.Node {
	return tree.List("uniforms", at, 8*int64(len(us)), "", len(us), func(i int) *tree.Node {
		u, at := us[i], at+8*int64(i)
		text := shbin.RegisterName(u.Start)
		if u.End != u.Start {
			text += "-" + shbin.RegisterName(u.End)
		}
		return tree.Group(u.Name, at, 8, text,
			tree.Fieldf("name", at, 4, u.Symbol, "0x%x %q", u.Symbol, u.Name),
			tree.Fieldf("first", at+4, 2, u.Start, "%s", shbin.RegisterName(u.Start)), tree.Fieldf("last", at+6, 2, u.End, "%s", shbin.RegisterName(u.End)))
	})
}

// checkShbin checks what the parser accepts: that tables and code agree, and
// that writing the file gives the same bytes.
func checkShbin(file *shbin.File, data []byte) tree.Findings {
	var out tree.Findings
	p, f := &file.Program, fields{data}
	if again, err := file.Write(); err != nil {
		out.Problemf(0, "cannot be written again: %v", err)
	} else if !slices.Equal(again, data) {
		out.Problemf(0, "comes out of the writer as other bytes")
	}
	odd(&out, file.Odd)
	if len(file.Executables) == 0 {
		out.Problemf(4, "there is no DVLE, so that nothing can run")
	}
	if len(p.Code) > shbin.VertexCode {
		out.Notef(0, "%d instructions; a vertex shader must end within %d", len(p.Code), shbin.VertexCode)
	}
	dvlp := 8 + 4*int64(len(file.Executables))
	if !knownVersion(p.Version) {
		out.Notef(dvlp+4, "DVLP version 0x%X; 0 and 0x0C02 are known", p.Version)
	}
	table := func(field int64) int64 { return dvlp + int64(f.u32(dvlp+field)) }
	checkCode(&out, p.Code, p.Descriptors, table(8), table(0x10))
	if p.Short() {
		out.Notef(dvlp, "the layout of nihstro's assembler: a header of 7 words, and the executable before the code")
	} else {
		checkLines(&out, p.Lines, p.Symbols, table(0x18), len(p.Code))
		if size := int64(len(data)); len(p.Lines) == 0 && table(0x18) > size {
			out.Problemf(dvlp+0x18, "line numbers at 0x%X, beyond the end of the file", table(0x18))
		}
	}
	if n := len(p.Symbols); n > 0 && p.Symbols[n-1] != 0 {
		out.Problemf(table(0x20), "the last name of a source does not end in a zero byte")
	}
	for i := range file.Executables {
		checkExecutable(&out, f, i, file, int64(f.u32(8+4*int64(i))))
	}
	return out
}

func checkExecutable(out *tree.Findings, f fields, i int, file *shbin.File, at int64) {
	e, code := &file.Executables[i], len(file.Program.Code)
	if !knownVersion(uint32(e.Version)) {
		out.Notef(at+4, "DVLE %d: version 0x%X; 0, 0x0C02 and 0x1002 are known", i, e.Version)
	}
	switch {
	case int64(e.Main) >= int64(code):
		out.Problemf(at+8, "DVLE %d: main is instruction %03x, the last is %03x", i, e.Main, code-1)
	case int64(e.EndMain) > int64(code):
		out.Problemf(at+12, "DVLE %d: main ends at instruction %03x, after the last, %03x", i, e.EndMain, code-1)
	case e.EndMain == 0 && e.Version|e.InputMask|e.OutputMask == 0:
		out.Notef(at+12, "DVLE %d: no end of main; nihstro's assembler writes none", i)
	case e.EndMain <= e.Main:
		out.Problemf(at+12, "DVLE %d: main ends at instruction %03x, before it starts at %03x", i, e.EndMain, e.Main)
	case e.Fits() != nil:
		out.Problemf(at+12, "DVLE %d: %v", i, e.Fits())
	}
	table := func(field int64) int64 { return at + int64(f.u32(at+field)) }
	s := shaderTables{
		out: out, what: fmt.Sprintf("DVLE %d: ", i), words: code, typ: e.Type, merge: e.Merge, inputMask: e.InputMask, outputMask: e.OutputMask,
		geometry: e.Geometry, constants: e.Constants, labels: e.Labels, outputs: e.Outputs, uniforms: e.Uniforms, symbols: e.Symbols,
		typeAt: at + 6, maskAt: at + 0x10, geometryAt: at + 0x14,
		constantAt: table(0x18), labelAt: table(0x20), outputAt: table(0x28), unifAt: table(0x30), symbolAt: table(0x38),
	}
	s.check()
}
