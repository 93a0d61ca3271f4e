package shbin

import "fmt"

// Write returns the bytes of the file. A parsed file is returned as it was
// read, with changed values in place. A built file, or one whose tables changed
// in length, needs Layout first.
func (f *File) Write() ([]byte, error) {
	if f.size == 0 {
		return nil, fmt.Errorf("shbin: the file has no layout: call Layout first")
	}
	w := writer{data: make([]byte, f.size)}
	for _, g := range f.gaps {
		copy(w.data[g.offset:], g.data)
	}
	w.put(0, []byte(MagicDVLB))
	w.put(4, append32(nil, uint32(len(f.Executables))))
	for i := range f.Executables {
		w.put(dvlbHeader+4*i, append32(nil, uint32(f.Executables[i].offset)))
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

// put writes bytes at an offset, and records if they do not fit.
func (w *writer) put(at int, b []byte) {
	if len(b) > 0 && (at < 0 || at > len(w.data) || len(b) > len(w.data)-at) {
		w.short = true
	} else if len(b) > 0 {
		copy(w.data[at:], b)
	}
}

func (w *writer) program(p *Program) {
	h := append32([]byte(MagicDVLP), p.Version, p.codeOffset, uint32(len(p.Code)), p.descOffset, uint32(len(p.Descriptors)))
	if p.Short() {
		h = append32(h, p.symbolsOffset)
	} else {
		h = append32(h, p.lineOffset, uint32(len(p.Lines)), p.symbolsOffset, uint32(len(p.Symbols)))
	}
	w.put(p.offset, h)
	w.put(p.offset+int(p.codeOffset), words.bytes(p.Code))
	w.put(p.offset+int(p.descOffset), descriptors.bytes(p.Descriptors))
	w.put(p.offset+int(p.lineOffset), lines.bytes(p.Lines))
	w.put(p.offset+int(p.symbolsOffset), p.Symbols)
}

func (w *writer) executable(e *Executable) {
	h := append(append16([]byte(MagicDVLE), e.Version), byte(e.Type), e.Merge)
	h = append16(append32(h, e.Main, e.EndMain), e.InputMask, e.OutputMask)
	h = append(h, byte(e.Geometry.Mode), e.Geometry.FixedStart, e.Geometry.VariableNum, e.Geometry.FixedNum)
	h = append32(h, e.constOffset, uint32(len(e.Constants)), e.labelOffset, uint32(len(e.Labels)), e.outputOffset, uint32(len(e.Outputs)),
		e.uniformOffset, uint32(len(e.Uniforms)), e.symbolsTableStart, uint32(len(e.Symbols)))
	w.put(e.offset, h)
	w.put(e.offset+int(e.constOffset), constants.bytes(e.Constants))
	w.put(e.offset+int(e.labelOffset), labels.bytes(e.Labels))
	w.put(e.offset+int(e.outputOffset), outputs.bytes(e.Outputs))
	w.put(e.offset+int(e.uniformOffset), uniforms.bytes(e.Uniforms))
	w.put(e.offset+int(e.symbolsTableStart), e.Symbols)
}
