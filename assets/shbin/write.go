package shbin

import "fmt"

// Write gives the bytes of the file. A parsed file comes out as it was read,
// with changed values in place; a file that was built, or whose tables changed
// in length, must be laid out first (Layout).
func (f *File) Write() ([]byte, error) {
	if f.size == 0 {
		return nil, fmt.Errorf("shbin: the file has no layout: call Layout first")
	}
	w := writer{data: make([]byte, f.size)}
	for _, g := range f.gaps {
		copy(w.data[g.offset:], g.data)
	}
	w.put(0, []byte(MagicDVLB))
	w.u32(4, uint32(len(f.Executables)))
	for i := range f.Executables {
		w.u32(dvlbHeader+4*i, uint32(f.Executables[i].offset))
	}
	w.program(&f.Program)
	for i := range f.Executables {
		w.executable(&f.Executables[i])
	}
	if w.short || f.Program.Short() && len(f.Program.Lines)+len(f.Program.Symbols) > 0 {
		return nil, fmt.Errorf("shbin: a table has grown beyond the layout: call Layout first")
	}
	return w.data, nil
}

type writer struct {
	data  []byte
	short bool
}

func (w *writer) put(at int, b []byte) {
	if at < 0 || at > len(w.data) || len(b) > len(w.data)-at {
		w.short = true
		return
	}
	copy(w.data[at:], b)
}

func (w *writer) u32(at int, v uint32) { w.put(at, le.AppendUint32(nil, v)) }

func (w *writer) program(p *Program) {
	h := make([]byte, 0, dvlpHeader)
	h = append(h, MagicDVLP...)
	values := []uint32{p.Version, p.codeOffset, uint32(len(p.Code)), p.descOffset, uint32(len(p.Descriptors))}
	if p.Short() {
		values = append(values, p.symbolsOffset)
	} else {
		values = append(values, p.lineOffset, uint32(len(p.Lines)), p.symbolsOffset, uint32(len(p.Symbols)))
	}
	for _, v := range values {
		h = le.AppendUint32(h, v)
	}
	w.put(p.offset, h)
	for i, v := range p.Code {
		w.u32(p.offset+int(p.codeOffset)+4*i, v)
	}
	for i, d := range p.Descriptors {
		at := p.offset + int(p.descOffset) + descBytes*i
		w.u32(at, d.Word)
		w.u32(at+4, d.Flags)
	}
	for i, l := range p.Lines {
		at := p.offset + int(p.lineOffset) + lineBytes*i
		w.u32(at, l.Symbol)
		w.u32(at+4, l.Line)
	}
	if len(p.Symbols) > 0 {
		w.put(p.offset+int(p.symbolsOffset), p.Symbols)
	}
}

func (w *writer) executable(e *Executable) {
	h := make([]byte, 0, dvleHeader)
	h = append(h, MagicDVLE...)
	h = le.AppendUint16(h, e.Version)
	h = append(h, byte(e.Type), e.Merge)
	h = le.AppendUint32(h, e.Main)
	h = le.AppendUint32(h, e.EndMain)
	h = le.AppendUint16(h, e.InputMask)
	h = le.AppendUint16(h, e.OutputMask)
	h = append(h, byte(e.Geometry.Mode), e.Geometry.FixedStart, e.Geometry.VariableNum, e.Geometry.FixedNum)
	for _, v := range [...]uint32{
		e.constOffset, uint32(len(e.Constants)), e.labelOffset, uint32(len(e.Labels)),
		e.outputOffset, uint32(len(e.Outputs)), e.uniformOffset, uint32(len(e.Uniforms)),
		e.symbolsTableStart, uint32(len(e.Symbols)),
	} {
		h = le.AppendUint32(h, v)
	}
	w.put(e.offset, h)
	for i, c := range e.Constants {
		b := append([]byte{byte(c.Kind), c.Pad1, c.Reg, c.Pad3}, c.Data[:]...)
		w.put(e.offset+int(e.constOffset)+constantBytes*i, b)
	}
	for i, l := range e.Labels {
		b := le.AppendUint16(le.AppendUint16(nil, l.ID), l.Unknown)
		b = le.AppendUint32(le.AppendUint32(le.AppendUint32(b, l.Addr), l.Size), l.Symbol)
		w.put(e.offset+int(e.labelOffset)+labelBytes*i, b)
	}
	for i, o := range e.Outputs {
		b := le.AppendUint16(le.AppendUint16(nil, uint16(o.Type)), o.Reg)
		b = le.AppendUint16(le.AppendUint16(b, o.Mask), o.Unknown)
		w.put(e.offset+int(e.outputOffset)+outputBytes*i, b)
	}
	for i, u := range e.Uniforms {
		b := le.AppendUint16(le.AppendUint16(le.AppendUint32(nil, u.Symbol), u.Start), u.End)
		w.put(e.offset+int(e.uniformOffset)+uniformBytes*i, b)
	}
	if len(e.Symbols) > 0 {
		w.put(e.offset+int(e.symbolsTableStart), e.Symbols)
	}
}
