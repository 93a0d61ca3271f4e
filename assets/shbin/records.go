package shbin

import (
	"fmt"

	"pica200/assets/tree"
)

// The structures of DVLB and DVOJ with all of their bytes, as they are read, written and shown. Names
// are found in the symbols afterwards.
var (
	dvlbHeader = tree.NewRecord("DVLB", func(executables *uint32, f *tree.Fields) {
		f.Magic(MagicDVLB)
		tree.Number(f, "executables", executables, "%d")
	})
	// One for each executable, from the start of the DVLB; the DVLP follows.
	offsets    = tree.NewRecord("executable", func(at *uint32, f *tree.Fields) { tree.Number(f, "executable offset", at) })
	dvlpHeader = tree.NewRecord("DVLP", func(p *Program, f *tree.Fields) {
		p.begin(f)
		p.lines.fields(f, "line number", "line numbers") // without any, the offset is the end of the descriptors or that of the names
		p.names.fields(f, "file name", "file name bytes")
	})
	// The header of nihstro's assembler, which a DVLE follows at once.
	dvlpShort = tree.NewRecord("DVLP of nihstro", func(p *Program, f *tree.Fields) {
		p.begin(f)
		tree.Number(f, "file name offset", &p.names.at) // the length of the names is not stored
	})
	dvleHeader = tree.NewRecord("DVLE", func(e *Executable, f *tree.Fields) {
		f.Magic(magicDVLE)
		tree.Number(f, "version", &e.Version) // 0x1002 from picasso, 0x0C02 in the documents
		tree.Number(f, "type", &e.Type)
		tree.Number(f, "merge output maps", &e.Merge, "%d")
		tree.Number(f, "main", &e.Main, "instruction %03x")
		tree.Number(f, "end of main", &e.EndMain, "instruction %03x")
		tree.Number(f, "input mask", &e.InputMask, "%016b")
		tree.Number(f, "output mask", &e.OutputMask, "%016b")
		e.Geometry.fields(f, "geometry mode")
		e.constants.fields(f, "constant", "constants")
		e.labels.fields(f, "label", "labels")
		e.outputs.fields(f, "output", "outputs")
		e.uniforms.fields(f, "uniform", "uniforms") // inputs among them
		e.symbols.fields(f, "symbol", "symbol bytes")
	})
	dvojHeader = tree.NewRecord("DVOJ", func(o *Object, f *tree.Fields) {
		f.Magic(MagicDVOJ)
		tree.Number(f, "version", &o.Version)
		tree.Number(f, "type", &o.Type)
		tree.Number(f, "merge output maps", &o.Merge, "%d")
		tree.Number(f, "input mask", &o.InputMask, "%016b")
		tree.Number(f, "output mask", &o.OutputMask, "%016b")
		text := "none"
		if o.HasGeometry {
			text = o.Geometry.Mode.String()
		}
		f.Group("geometry", text, o.HasGeometry, func() { o.Geometry.fields(f, "mode") })
		o.constants.fields(f, "constant", "constants")
		o.labels.fields(f, "label", "labels")
		o.code.fields(f, "code", "code words")
		o.descriptors.fields(f, "descriptor", "descriptors")
		o.lines.fields(f, "line", "lines")
		o.relocs.fields(f, "relocation", "relocations")
		o.outputs.fields(f, "output", "outputs")
		o.uniforms.fields(f, "uniform", "uniforms")
		o.symbols.fields(f, "symbol", "symbol bytes")
	})

	words       = tree.NewRecord("code", func(w *uint32, f *tree.Fields) { tree.Number(f, "word", w) })
	descriptors = tree.NewRecord("descriptor", func(d *Descriptor, f *tree.Fields) {
		tree.Number(f, "word", &d.Word)
		tree.Number(f, "flags", &d.Flags)
	})
	constants = tree.NewRecord("constant", func(c *Constant, f *tree.Fields) {
		tree.Number(f, "type", &c.Kind)
		tree.Number(f, "unused 1", &c.Pad1)
		tree.Number(f, "register", &c.Reg)
		tree.Number(f, "unused 3", &c.Pad3)
		for i, name := range [...]string{"x", "y", "z", "w"} { // a bool in the first byte, an int in the first four, or four float24
			f.Bytes(name, c.Data[4*i:4*i+4])
		}
	})
	labels = tree.NewRecord("label", func(l *Label, f *tree.Fields) {
		tree.Number(f, "id", &l.ID, "%d") // increasing from 0
		tree.Number(f, "unknown", &l.Unknown)
		tree.Number(f, "address", &l.Addr, "instruction %03x")
		size := fmt.Sprintf("%d words", l.Size)
		if l.Size == NoSize {
			size = "no size"
		}
		tree.Number(f, "size", &l.Size, "%[2]s", size)
		tree.Number(f, "name", &l.Symbol, "0x%x %q", l.Name)
	})
	outputs = tree.NewRecord("output", func(o *Output, f *tree.Fields) {
		tree.Number(f, "type", &o.Type)
		tree.Number(f, "register", &o.Reg, "o%d")
		tree.Number(f, "mask", &o.Mask, "%[2]s", ComponentNames(o.Mask))
		tree.Number(f, "unknown", &o.Unknown)
	})
	uniforms = tree.NewRecord("uniform", func(u *Uniform, f *tree.Fields) {
		tree.Number(f, "name", &u.Symbol, "0x%x %q", u.Name)
		tree.Number(f, "first", &u.Start, "%[2]s", RegisterName(u.Start))
		tree.Number(f, "last", &u.End, "%[2]s", RegisterName(u.End))
	})
	lines = tree.NewRecord("line", func(l *Line, f *tree.Fields) {
		tree.Number(f, "file name", &l.Symbol, "0x%x %q", l.File)
		tree.Number(f, "line", &l.Line, "%d")
	})
	relocs = tree.NewRecord("relocation", func(r *Reloc, f *tree.Fields) {
		tree.Number(f, "instruction", &r.Addr, "%03x")
		tree.Number(f, "kind", &r.Kind, "%d")
		tree.Number(f, "value", &r.Value)
	})
)

// Structures lists every structure of DVLB and DVOJ with all of its bytes.
func Structures() []tree.Structure {
	return []tree.Structure{dvlbHeader.Structure, offsets.Structure, dvlpHeader.Structure, dvlpShort.Structure, dvleHeader.Structure, dvojHeader.Structure,
		words.Structure, descriptors.Structure, constants.Structure, labels.Structure, outputs.Structure, uniforms.Structure, lines.Structure, relocs.Structure}
}

// begin names the fields that all headers of a DVLP begin with.
func (p *Program) begin(f *tree.Fields) {
	f.Magic(magicDVLP)
	tree.Number(f, "version", &p.Version) // 0 from picasso, 0x0C02 in the documents
	p.code.fields(f, "code", "code words")
	p.descriptors.fields(f, "descriptor", "descriptors")
}

func (g *Geometry) fields(f *tree.Fields, mode string) {
	tree.Number(f, mode, &g.Mode)
	tree.Number(f, "fixed mode: first uniform", &g.FixedStart, "c%d")
	tree.Number(f, "variable mode: full vertices", &g.VariableNum, "%d")
	tree.Number(f, "fixed mode: vertices", &g.FixedNum, "%d")
}

// table is where a table stands: its position from the start of the section whose header says
// it, and the number of its entries.
type table struct{ at, n uint32 }

func (t *table) fields(f *tree.Fields, name, entries string) {
	tree.Number(f, name+" offset", &t.at)
	tree.Number(f, entries, &t.n, "%d")
}

// from returns the offset in the file of a table of a section at base.
func (t table) from(base int64) int64 { return base + int64(t.at) }

// entry returns the offset of entry i.
func (t table) entry(base int64, i, size int) int64 { return t.from(base) + int64(size*i) }

// set assigns an offset to a table of n entries and returns the offset after it.
func (t *table) set(at uint32, n, size int) uint32 {
	*t = table{at, uint32(n)}
	return at + uint32(n*size)
}

// parse reads the entries of a table of a section at base. what names it in the error that r keeps.
func parse[T any](r *reader, entry tree.Record[T], base int, t table, what string) []T {
	b := r.array(base, t.at, t.n, entry.Size, what)
	list := make([]T, len(b)/entry.Size)
	for i := range list {
		entry.Read(b[entry.Size*i:], &list[i])
	}
	return list
}

// write writes entries in order.
func write[T any](entry tree.Record[T], list []T) (b []byte) {
	for i := range list {
		b = entry.Append(b, &list[i])
	}
	return b
}
