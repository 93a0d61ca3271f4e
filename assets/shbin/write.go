package shbin

import (
	"fmt"

	"pica200/assets/tree"
)

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
	executables := uint32(len(f.Executables))
	head := dvlbHeader.Append(nil, &executables)
	for i := range f.Executables {
		at := uint32(f.Executables[i].offset)
		head = offsets.Append(head, &at)
	}
	w.put(0, head)
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

// putTable writes the entries of a table of a section at base, and notes in its header how many there are.
func putTable[T any](w *writer, base int, t *table, entry tree.Record[T], list []T) {
	t.n = uint32(len(list))
	w.put(base+int(t.at), write(entry, list))
}

// names writes names as putTable does.
func (w *writer) names(base int, t *table, names []byte) {
	t.n = uint32(len(names))
	w.put(base+int(t.at), names)
}

func (w *writer) program(p *Program) {
	h := *p
	putTable(w, p.offset, &h.code, words, p.Code)
	putTable(w, p.offset, &h.descriptors, descriptors, p.Descriptors)
	putTable(w, p.offset, &h.lines, lines, p.Lines)
	w.names(p.offset, &h.names, p.Symbols)
	w.put(p.offset, h.header().Append(nil, &h))
}

func (w *writer) executable(e *Executable) {
	h := *e
	putTable(w, e.offset, &h.constants, constants, e.Constants)
	putTable(w, e.offset, &h.labels, labels, e.Labels)
	putTable(w, e.offset, &h.outputs, outputs, e.Outputs)
	putTable(w, e.offset, &h.uniforms, uniforms, e.Uniforms)
	w.names(e.offset, &h.symbols, e.Symbols)
	w.put(e.offset, dvleHeader.Append(nil, &h))
}
