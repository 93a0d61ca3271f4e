package shbin

import (
	"fmt"
	"slices"

	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/pica"
)

// Instructions is what the trees and the checks say about code. The instruction
// set is known to package shaderunit, which imports this one.
type Instructions struct {
	Decode     func(word uint32) Instruction
	Text       func(word, descriptor uint32) string
	Descriptor func(word uint32) string
}

// Instruction is what the checks need of an instruction word.
type Instruction struct {
	Name       string // "" if no instruction is known
	Operands   bool
	Described  bool // it has an operand descriptor
	Descriptor int
	Unused     uint32 // bits without a meaning
}

// Tree shows the file.
func (f *File) Tree(in Instructions) *tree.Node {
	n := uint32(len(f.Executables))
	size := int64(offsets.Size)
	head := dvlbHeader.Node(MagicDVLB, 0, "", &n, tree.List("offsets", int64(dvlbHeader.Size), size*int64(n), "", int(n), func(i int) *tree.Node {
		return tree.Field(fmt.Sprintf("DVLE %d", i), int64(dvlbHeader.Size)+size*int64(i), size, uint32(f.Executables[i].offset), "")
	}))
	head.Size += size * int64(n)
	top := []*tree.Node{head, f.Program.tree(in)}
	for i := range f.Executables {
		e := &f.Executables[i]
		at := int64(e.offset)
		top = append(top, dvleHeader.Node(fmt.Sprintf("DVLE %d", i), at, fmt.Sprintf("%v shader", e.Type), e, e.tables(at)...))
	}
	layout := ""
	if f.Program.Short() {
		layout = "in nihstro's layout, "
	}
	return tree.Group("", 0, 0, "shader binary, "+layout+plural.Of(int(n), "executable")+", "+plural.Of(len(f.Program.Code), "instruction"), top...)
}

func (p *Program) tree(in Instructions) *tree.Node {
	at := int64(p.offset)
	tables := codeNodes(in, p.Code, p.Descriptors, at, p.code, p.descriptors)
	if p.Short() {
		return dvlpShort.Node(magicDVLP, at, "the header of nihstro's assembler, 7 words", p, tables...)
	}
	return dvlpHeader.Node(magicDVLP, at, "", p, append(tables, linesNode(p.Lines, at, p.lines), namesNode("file names", p.Symbols, at, p.names))...)
}

// Tree shows the object.
func (o *Object) Tree(in Instructions) *tree.Node {
	e := o.executable()
	tables := e.tables(0)
	nodes := slices.Concat(dvojHeader.Nodes(0, o), tables[:2], codeNodes(in, o.Code, o.Descriptors, 0, o.code, o.descriptors), []*tree.Node{linesNode(o.Lines, 0, o.lines),
		relocs.List("relocations", o.relocs.from(0), o.Relocs, func(i int, r *Reloc) (string, string) { return fmt.Sprint(i), r.Name })}, tables[2:])
	return tree.Group("", 0, 0, fmt.Sprintf("shader object before linking, %v, %s", o.Type, plural.Of(len(o.Code), "instruction")), nodes...)
}

// codeNodes shows instruction words with their disassembly, and the operand descriptors.
func codeNodes(in Instructions, code []uint32, list []Descriptor, base int64, codeAt, listAt table) []*tree.Node {
	size := int64(words.Size)
	return []*tree.Node{
		tree.List("code", codeAt.from(base), size*int64(len(code)), "", len(code), func(i int) *tree.Node {
			d := uint32(0)
			if k := in.Decode(code[i]).Descriptor; k < len(list) {
				d = list[k].Word
			}
			return tree.Field(fmt.Sprintf("%03x", i), codeAt.from(base)+size*int64(i), size, code[i], in.Text(code[i], d))
		}),
		descriptors.List("descriptors", listAt.from(base), list, func(i int, d *Descriptor) (string, string) { return fmt.Sprint(i), in.Descriptor(d.Word) }),
	}
}

// linesNode shows where instructions come from.
func linesNode(list []Line, base int64, t table) *tree.Node {
	return lines.List("lines", t.from(base), list, func(i int, l *Line) (string, string) {
		return fmt.Sprintf("%03x", i), fmt.Sprintf("%s:%d", l.File, l.Line)
	})
}

// namesNode shows a table of names that end in zero bytes.
func namesNode(name string, symbols []byte, base int64, t table) *tree.Node {
	at := t.from(base)
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

// tables shows constants, labels, outputs, uniforms and symbols.
func (e *Executable) tables(base int64) []*tree.Node {
	size := int64(constants.Size)
	at := e.constants.from(base)
	return []*tree.Node{
		tree.List("constants", at, size*int64(len(e.Constants)), "", len(e.Constants), func(i int) *tree.Node {
			return tree.Field(fmt.Sprint(i), at+size*int64(i), size, e.Constants[i].text(), "")
		}),
		labels.List("labels", e.labels.from(base), e.Labels, func(i int, l *Label) (string, string) { return l.Name, "" }),
		outputs.List("outputs", e.outputs.from(base), e.Outputs, func(i int, o *Output) (string, string) {
			return fmt.Sprintf("o%d", o.Reg), fmt.Sprintf("%v.%s", o.Type, ComponentNames(o.Mask))
		}),
		uniforms.List("uniforms", e.uniforms.from(base), e.Uniforms, func(i int, u *Uniform) (string, string) {
			text := RegisterName(u.Start)
			if u.End != u.Start {
				text += "-" + RegisterName(u.End)
			}
			return u.Name, text
		}),
		namesNode("symbols", e.Symbols, base, e.symbols),
	}
}

func (c Constant) text() string {
	switch c.Kind {
	case ConstantBool:
		return fmt.Sprintf("b%d = %t", c.Reg, c.Bool())
	case ConstantInt:
		return fmt.Sprintf("i%d = %v", c.Reg, c.Int())
	}
	v := c.Float()
	return fmt.Sprintf("c%d = (%g, %g, %g, %g)", c.Reg, f24(v[0]), f24(v[1]), f24(v[2]), f24(v[3]))
}

func f24(w uint32) float32 { return pica.TypeFloat24.Decode(w&0xFFFFFF, 24) }

// ComponentNames returns the components of a set, bit 0 = x, as text: "xy".
func ComponentNames(mask uint16) string {
	s := ""
	for i := range 4 {
		if mask>>i&1 != 0 {
			s += string("xyzw"[i])
		}
	}
	return s
}
