package shbin

import (
	"fmt"
	"slices"

	"pica200/assets/tree"
)

// Object is a DVOJ: one shader before linking, with its own code, descriptors and
// tables. The format is known from the 3dbrew page "SHBIN" and from GBATEK, which
// leave some of it open; no file is at hand to settle it. The readings taken here:
//
//   - 0x08-0x0B. GBATEK says "unknown"; 3dbrew has the masks of used inputs at 0x08
//     and of used outputs at "0x10", which is taken by the constants' offset and
//     plainly a slip: 0x0A is meant, where the two stand side by side as in the DVLE
//     (0x10, 0x12).
//   - 0x0C-0x0F. Both have "padding, usually FFFFFFFF". It is where the four bytes of
//     the geometry shader mode would follow the masks, as in the DVLE (0x14-0x17), and
//     a geometry shader needs them; so they are written and read there, and all ones
//     mean that there are none.
//   - 0x28. GBATEK asks whether the descriptors are "relative to DVLP"; 3dbrew says
//     that all offsets are relative to the DVOJ, and there is no DVLP in it.
//   - The lines (0x30) and relocations (0x38) are 3dbrew's unknown blocks 1 and 2; the
//     first is read as both pages guess. See Reloc for the second.
//   - There is no entry point. Both pages take the first instruction; here the labels
//     "main" and "endmain", if there are such, say it, since GBATEK names these two.
type Object struct {
	Version     uint16
	Type        ShaderType
	Merge       uint8
	InputMask   uint16
	OutputMask  uint16
	Geometry    Geometry
	HasGeometry bool // the bytes at 0x0C are not all ones
	Constants   []Constant
	Labels      []Label
	Code        []uint32
	Descriptors []Descriptor
	Lines       []Line // one for each instruction, or none
	Relocs      []Reloc
	Outputs     []Output
	Uniforms    []Uniform
	Symbols     []byte
	Unusual     []Error // as in File

	constants, labels, code, descriptors, lines, relocs, outputs, uniforms, symbols table
}

var dvojHeader = tree.NewRecord("DVOJ", func(o *Object, f *tree.Fields) {
	f.Magic(MagicDVOJ)
	tree.Number(f, "version", &o.Version).Known(executableVersions[:]...)
	tree.Number(f, "type", &o.Type).Valid(VertexShader, GeometryShader)
	tree.Number(f, "merge output maps", &o.Merge, "%d").Valid(0, 1)
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

// Line says where an instruction comes from.
type Line struct {
	Symbol uint32 // offset of the file name in the symbols
	Line   uint32 // from 1
	File   string // the name; Layout and WriteObject make Symbol from it
}

var lines = tree.NewRecord("line", func(l *Line, f *tree.Fields) {
	tree.Number(f, "file name", &l.Symbol, "0x%x %q", l.File)
	tree.Number(f, "line", &l.Line, "%d")
})

// Reloc is an entry of the relocation table. The first word is an instruction;
// every instruction with operands has one entry. The meaning of the other two
// words is unknown. This package writes a kind and a value there, and reads
// them so; it keeps other words. The linker needs them only for calls out of
// the object, since everything else follows from the instruction itself.
type Reloc struct {
	Addr  uint32 // instruction
	Kind  RelocKind
	Value uint32
	Name  string // of RelocCall: the procedure; WriteObject makes Value from it. "" if Value is no symbol
}

var relocs = tree.NewRecord("relocation", func(r *Reloc, f *tree.Fields) {
	tree.Number(f, "instruction", &r.Addr, "%03x")
	tree.Number(f, "kind", &r.Kind, "%d").Known(RelocDescriptor, RelocAddress, RelocCall, RelocNone)
	tree.Number(f, "value", &r.Value)
})

// RelocKind is the second word of a relocation.
type RelocKind uint32

// Kinds of relocations.
const (
	RelocDescriptor RelocKind = 0 // Value is the number of an operand descriptor of the object
	RelocAddress    RelocKind = 1 // Value is an address in the object's code
	RelocCall       RelocKind = 2 // Value is the symbol of a procedure, of this or another object
	RelocNone       RelocKind = 3 // does not depend on the object's position (SETEMIT, BREAKC)
)

// noGeometry stands in the header of an object that has no geometry shader's fields.
var noGeometry = Geometry{0xFF, 0xFF, 0xFF, 0xFF}

// ParseObject reads a DVOJ. It keeps no reference to data.
func ParseObject(data []byte) (*Object, error) {
	r := &reader{data: data, budget: maxOverlap * len(data), covered: make([]bool, len(data))}
	o := r.object()
	if r.err != nil {
		return nil, r.err
	}
	o.Unusual = append(r.unusual, unusualGaps(r.gaps(), len(data))...)
	return o, nil
}

func (r *reader) object() *Object {
	r.magic(0, MagicDVOJ)
	h := r.array(0, 0, 1, dvojHeader.Size, "DVOJ header")
	if r.err != nil {
		return nil
	}
	o := &Object{}
	dvojHeader.Read(h, o)
	if o.HasGeometry = o.Geometry != noGeometry; !o.HasGeometry {
		o.Geometry = Geometry{}
	}
	e := o.executable()
	r.tables(&e, 0, func(s string) string { return s })
	o.Symbols, o.Constants, o.Labels, o.Outputs, o.Uniforms = e.Symbols, e.Constants, e.Labels, e.Outputs, e.Uniforms
	r.most(0x24, o.code.n, MaxCode, "instructions")
	r.most(0x2C, o.descriptors.n, maxDescriptors, "operand descriptors")
	o.Code = parse(r, words, 0, o.code, "code")
	o.Descriptors = parse(r, descriptors, 0, o.descriptors, "operand descriptors")
	o.Lines = parse(r, lines, 0, o.lines, "line numbers")
	if n := len(o.Lines); n != 0 && n != len(o.Code) {
		r.fail(0x34, "%d line numbers, expected one for each of %d instructions, or none", n, len(o.Code))
	}
	for i := range o.Lines {
		o.Lines[i].File = r.name(o.Symbols, o.Lines[i].Symbol, int(o.lines.at)+lines.Size*i, "line number", i)
	}
	o.Relocs = parse(r, relocs, 0, o.relocs, "relocations")
	for i := range o.Relocs {
		rel := &o.Relocs[i]
		if int64(rel.Addr) >= int64(len(o.Code)) {
			r.fail(int(o.relocs.at)+relocs.Size*i, "relocation %d: instruction 0x%X, but there are 0x%X", i, rel.Addr, len(o.Code))
		}
		if rel.Kind == RelocCall {
			rel.Name, _ = SymbolAt(o.Symbols, rel.Value) // what other tools write there is unknown
		}
	}
	return o
}

// executable returns what a DVLE has too.
func (o *Object) executable() Executable {
	return Executable{Type: o.Type, Merge: o.Merge, InputMask: o.InputMask, OutputMask: o.OutputMask, Geometry: o.Geometry,
		Constants: o.Constants, Labels: o.Labels, Outputs: o.Outputs, Uniforms: o.Uniforms, Symbols: o.Symbols,
		constants: o.constants, labels: o.labels, outputs: o.outputs, uniforms: o.uniforms, symbols: o.symbols}
}

// WriteObject returns the bytes of an object. It builds the symbols from the
// names, each once, in the order uniforms, labels, file names, procedures.
func WriteObject(o *Object) ([]byte, error) {
	if len(o.Code) > MaxCode {
		return nil, fmt.Errorf("shbin: %d instructions, at most %d are possible", len(o.Code), MaxCode)
	}
	if len(o.Descriptors) > maxDescriptors {
		return nil, fmt.Errorf("shbin: %d operand descriptors, at most %d are possible", len(o.Descriptors), maxDescriptors)
	}
	if len(o.Lines) != 0 && len(o.Lines) != len(o.Code) {
		return nil, fmt.Errorf("shbin: %d line numbers for %d instructions", len(o.Lines), len(o.Code))
	}
	names := *o
	names.Uniforms, names.Labels, names.Lines, names.Relocs = slices.Clone(o.Uniforms), slices.Clone(o.Labels), slices.Clone(o.Lines), slices.Clone(o.Relocs)
	names.Symbols = nil
	known := map[string]uint32{}
	intern := func(name string) uint32 {
		at, ok := known[name]
		if !ok {
			at = uint32(len(names.Symbols))
			known[name] = at
			names.Symbols = append(append(names.Symbols, name...), 0)
		}
		return at
	}
	for i := range names.Uniforms {
		names.Uniforms[i].Symbol = intern(names.Uniforms[i].Name)
	}
	for i := range names.Labels {
		names.Labels[i].Symbol = intern(names.Labels[i].Name)
	}
	for i := range names.Lines {
		names.Lines[i].Symbol = intern(names.Lines[i].File)
	}
	for i := range names.Relocs {
		if r := &names.Relocs[i]; r.Kind == RelocCall && r.Name != "" {
			r.Value = intern(r.Name)
		}
	}
	if !o.HasGeometry {
		names.Geometry = noGeometry
	}
	end := names.constants.set(uint32(dvojHeader.Size), len(o.Constants), constants.Size)
	end = names.labels.set(end, len(o.Labels), labels.Size)
	end = names.code.set(end, len(o.Code), words.Size)
	end = names.descriptors.set(end, len(o.Descriptors), descriptors.Size)
	end = names.lines.set(end, len(o.Lines), lines.Size)
	end = names.relocs.set(end, len(o.Relocs), relocs.Size)
	end = names.outputs.set(end, len(o.Outputs), outputs.Size)
	end = names.uniforms.set(end, len(o.Uniforms), uniforms.Size)
	names.symbols.set(end, len(names.Symbols), 1)
	out := slices.Concat(dvojHeader.Append(nil, &names), write(constants, o.Constants), write(labels, names.Labels), write(words, o.Code),
		write(descriptors, o.Descriptors), write(lines, names.Lines), write(relocs, names.Relocs), write(outputs, o.Outputs),
		write(uniforms, names.Uniforms), names.Symbols)
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	return out, nil
}
