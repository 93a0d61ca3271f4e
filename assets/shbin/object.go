package shbin

import (
	"bytes"
	"fmt"
)

// MagicDVOJ starts an unlinked object.
const MagicDVOJ = "DVOJ"

const (
	dvojHeader = 0x58
	lineBytes  = 8
	relocBytes = 12
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
	Odd         []Error // as in File
}

// Line says where an instruction comes from.
type Line struct {
	Symbol uint32 // offset of the file name in the symbols
	Line   uint32 // from 1
	File   string // the name; Layout and WriteObject make Symbol from it
}

// Reloc is an entry of the relocation table. The first word is an instruction; every
// instruction with operands has one entry. What the other two words hold is not known.
// This package writes a kind and a value there, and reads them that way; other words
// are kept. The linker needs them only for calls out of the object, since all else
// follows from the instruction itself.
type Reloc struct {
	Addr  uint32 // instruction
	Kind  RelocKind
	Value uint32
	Name  string // of RelocCall: the procedure; WriteObject makes Value from it. "" if Value is no symbol
}

// RelocKind is the second word of a relocation.
type RelocKind uint32

// Kinds of relocations.
const (
	RelocDescriptor RelocKind = 0 // Value is the number of an operand descriptor of the object
	RelocAddress    RelocKind = 1 // Value is an address in the object's code
	RelocCall       RelocKind = 2 // Value is the symbol of a procedure, of this or another object
	RelocNone       RelocKind = 3 // nothing depends on the place of the object (SETEMIT, BREAKC)
)

// ParseObject reads a DVOJ. It keeps no reference to data.
func ParseObject(data []byte) (*Object, error) {
	r := &reader{data: data, budget: maxOverlap * len(data), covered: make([]bool, len(data))}
	if err := r.magic(0, MagicDVOJ); err != nil {
		return nil, err
	}
	h, err := r.part(0, 0, 1, dvojHeader, "DVOJ header")
	if err != nil {
		return nil, err
	}
	o := &Object{Version: le.Uint16(h[4:]), Type: ShaderType(h[6]), Merge: h[7],
		InputMask: le.Uint16(h[8:]), OutputMask: le.Uint16(h[0xA:])}
	if le.Uint32(h[0xC:]) != 0xFFFFFFFF {
		o.HasGeometry = true
		o.Geometry = Geometry{GeometryMode(h[0xC]), h[0xD], h[0xE], h[0xF]}
	}
	table := func(at, size int, what string) ([]byte, error) {
		return r.part(0, le.Uint32(h[at:]), le.Uint32(h[at+4:]), size, what)
	}
	symbols, err := table(0x50, 1, "symbols")
	if err != nil {
		return nil, err
	}
	o.Symbols = bytes.Clone(symbols)
	// The tables that a DVLE has too are read through one.
	e := Executable{Symbols: o.Symbols, constOffset: le.Uint32(h[0x10:]), labelOffset: le.Uint32(h[0x18:]), uniformOffset: le.Uint32(h[0x48:])}
	what := func(s string) string { return s }
	if err := r.constants(&e, 0, le.Uint32(h[0x14:]), what); err != nil {
		return nil, err
	}
	if err := r.labels(&e, 0, le.Uint32(h[0x1C:]), what); err != nil {
		return nil, err
	}
	if err := r.uniforms(&e, 0, le.Uint32(h[0x4C:]), what); err != nil {
		return nil, err
	}
	o.Constants, o.Labels, o.Uniforms = e.Constants, e.Labels, e.Uniforms
	if n := le.Uint32(h[0x24:]); n > MaxCode {
		return nil, fail(0x24, "%d instructions, expected at most %d", n, MaxCode)
	}
	if n := le.Uint32(h[0x2C:]); n > maxDescriptors {
		return nil, fail(0x2C, "%d operand descriptors, expected at most %d", n, maxDescriptors)
	}
	code, err := table(0x20, 4, "code")
	if err != nil {
		return nil, err
	}
	o.Code = make([]uint32, len(code)/4)
	for i := range o.Code {
		o.Code[i] = le.Uint32(code[4*i:])
	}
	descs, err := table(0x28, descBytes, "operand descriptors")
	if err != nil {
		return nil, err
	}
	o.Descriptors = make([]Descriptor, len(descs)/descBytes)
	for i := range o.Descriptors {
		o.Descriptors[i] = Descriptor{le.Uint32(descs[8*i:]), le.Uint32(descs[8*i+4:])}
	}
	outputs, err := table(0x40, outputBytes, "outputs")
	if err != nil {
		return nil, err
	}
	o.Outputs = make([]Output, len(outputs)/outputBytes)
	for i := range o.Outputs {
		b := outputs[outputBytes*i:]
		o.Outputs[i] = Output{OutputType(le.Uint16(b)), le.Uint16(b[2:]), le.Uint16(b[4:]), le.Uint16(b[6:])}
	}
	if err := o.lines(table, int(le.Uint32(h[0x30:]))); err != nil {
		return nil, err
	}
	if err := o.relocs(table, int(le.Uint32(h[0x38:]))); err != nil {
		return nil, err
	}
	o.Odd = append(r.odd, oddGaps(r.gaps(), len(data))...)
	return o, nil
}

func (o *Object) lines(table func(at, size int, what string) ([]byte, error), where int) error {
	lines, err := table(0x30, lineBytes, "line numbers")
	if err != nil {
		return err
	}
	if n := len(lines) / lineBytes; n != 0 && n != len(o.Code) {
		return fail(0x34, "%d line numbers, expected one for each of %d instructions, or none", n, len(o.Code))
	}
	o.Lines = make([]Line, len(lines)/lineBytes)
	for i := range o.Lines {
		b := lines[lineBytes*i:]
		l := Line{Symbol: le.Uint32(b), Line: le.Uint32(b[4:])}
		if l.File, err = SymbolAt(o.Symbols, l.Symbol); err != nil {
			return fail(where+lineBytes*i, "line number %d: %v", i, err)
		}
		o.Lines[i] = l
	}
	return nil
}

func (o *Object) relocs(table func(at, size int, what string) ([]byte, error), where int) error {
	relocs, err := table(0x38, relocBytes, "relocations")
	if err != nil {
		return err
	}
	o.Relocs = make([]Reloc, len(relocs)/relocBytes)
	for i := range o.Relocs {
		b := relocs[relocBytes*i:]
		rel := Reloc{Addr: le.Uint32(b), Kind: RelocKind(le.Uint32(b[4:])), Value: le.Uint32(b[8:])}
		if int64(rel.Addr) >= int64(len(o.Code)) {
			return fail(where+relocBytes*i, "relocation %d: instruction 0x%X, but there are 0x%X", i, rel.Addr, len(o.Code))
		}
		if rel.Kind == RelocCall {
			rel.Name, _ = SymbolAt(o.Symbols, rel.Value) // what other tools write there is not known
		}
		o.Relocs[i] = rel
	}
	return nil
}

// WriteObject gives the bytes of an object. The symbols are made anew from the names,
// each once, in the order uniforms, labels, file names, procedures.
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
	var symbols []byte
	known := map[string]uint32{}
	intern := func(name string) uint32 {
		at, ok := known[name]
		if !ok {
			at = uint32(len(symbols))
			known[name] = at
			symbols = append(append(symbols, name...), 0)
		}
		return at
	}
	var constants, labels, code, descs, lines, relocs, outputs, uniforms []byte
	for _, u := range o.Uniforms {
		uniforms = le.AppendUint32(uniforms, intern(u.Name))
		uniforms = le.AppendUint16(le.AppendUint16(uniforms, u.Start), u.End)
	}
	for _, l := range o.Labels {
		labels = le.AppendUint16(le.AppendUint16(labels, l.ID), l.Unknown)
		labels = le.AppendUint32(le.AppendUint32(le.AppendUint32(labels, l.Addr), l.Size), intern(l.Name))
	}
	for _, l := range o.Lines {
		lines = le.AppendUint32(le.AppendUint32(lines, intern(l.File)), l.Line)
	}
	for _, r := range o.Relocs {
		v := r.Value
		if r.Kind == RelocCall && r.Name != "" {
			v = intern(r.Name)
		}
		relocs = le.AppendUint32(le.AppendUint32(le.AppendUint32(relocs, r.Addr), uint32(r.Kind)), v)
	}
	for _, c := range o.Constants {
		constants = append(append(constants, byte(c.Kind), c.Pad1, c.Reg, c.Pad3), c.Data[:]...)
	}
	for _, w := range o.Code {
		code = le.AppendUint32(code, w)
	}
	for _, d := range o.Descriptors {
		descs = le.AppendUint32(le.AppendUint32(descs, d.Word), d.Flags)
	}
	for _, p := range o.Outputs {
		outputs = le.AppendUint16(le.AppendUint16(outputs, uint16(p.Type)), p.Reg)
		outputs = le.AppendUint16(le.AppendUint16(outputs, p.Mask), p.Unknown)
	}
	out := append(make([]byte, 0, dvojHeader), MagicDVOJ...)
	out = le.AppendUint16(out, o.Version)
	out = append(out, byte(o.Type), o.Merge)
	out = le.AppendUint16(le.AppendUint16(out, o.InputMask), o.OutputMask)
	if o.HasGeometry {
		out = append(out, byte(o.Geometry.Mode), o.Geometry.FixedStart, o.Geometry.VariableNum, o.Geometry.FixedNum)
	} else {
		out = le.AppendUint32(out, 0xFFFFFFFF)
	}
	tables := []struct {
		bytes []byte
		size  int
	}{{constants, constantBytes}, {labels, labelBytes}, {code, 4}, {descs, descBytes}, {lines, lineBytes}, {relocs, relocBytes},
		{outputs, outputBytes}, {uniforms, uniformBytes}, {symbols, 1}}
	at := uint32(dvojHeader)
	for _, t := range tables {
		out = le.AppendUint32(le.AppendUint32(out, at), uint32(len(t.bytes)/t.size))
		at += uint32(len(t.bytes))
	}
	for _, t := range tables {
		out = append(out, t.bytes...)
	}
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	return out, nil
}
