package shbin

import "fmt"

// Build makes a file from its parts with picasso's layout. Version fields that
// are 0 get picasso's values.
func Build(code []uint32, descriptors []uint32, executables []Executable) (*File, error) {
	f := &File{Program: Program{Version: picassoProgramVersion, Code: code}, Executables: executables}
	for _, d := range descriptors {
		f.Program.Descriptors = append(f.Program.Descriptors, Descriptor{Word: d})
	}
	for i := range f.Executables {
		if f.Executables[i].Version == 0 {
			f.Executables[i].Version = picassoExecutableVersion
		}
	}
	return f, f.Layout()
}

// Layout positions all sections as picasso does: header; DVLP with code and
// descriptors (and line numbers and file names, which picasso does not write);
// then each DVLE with constants, labels (not written by picasso), outputs,
// uniforms, symbols, padded with zeros to a word. It builds the symbols from
// the names of uniforms and labels, in this order, without sharing. Bytes
// outside of tables are dropped.
func (f *File) Layout() error { return f.arrange(false) }

// NihstroLayout positions the sections of a file with one executable as nihstro's assembler does: a
// short header (see Program.Short), the executable before the code, its tables after the
// descriptors, first the outputs, and the names of labels before those of uniforms.
func (f *File) NihstroLayout() error { return f.arrange(true) }

func (f *File) arrange(short bool) error {
	p := &f.Program
	if len(p.Code) > MaxCode {
		return fmt.Errorf("shbin: %d instructions, at most %d are possible", len(p.Code), MaxCode)
	}
	if len(p.Descriptors) > maxDescriptors {
		return fmt.Errorf("shbin: %d operand descriptors, at most %d are possible", len(p.Descriptors), maxDescriptors)
	}
	if len(f.Executables) > MaxExecutables {
		return fmt.Errorf("shbin: %d executables, at most %d are possible", len(f.Executables), MaxExecutables)
	}
	if short && len(f.Executables) != 1 {
		return fmt.Errorf("shbin: %d executables, nihstro's layout has 1", len(f.Executables))
	}
	f.gaps = nil
	p.offset, p.short = dvlbHeader.Size+offsets.Size*len(f.Executables), short
	end := uint32(p.header().Size)
	if short {
		f.Executables[0].offset = p.offset + dvlpShort.Size
		end += uint32(dvleHeader.Size)
	}
	end = p.code.set(end, len(p.Code), words.Size)
	end = p.descriptors.set(end, len(p.Descriptors), descriptors.Size)
	if n := len(p.Lines); n != 0 && n != len(p.Code) {
		return fmt.Errorf("shbin: %d line numbers for %d instructions", n, len(p.Code))
	}
	p.nameLines()
	end = p.lines.set(end, len(p.Lines), lines.Size)
	p.names = table{}
	if len(p.Symbols) > 0 {
		end = (p.names.set(end, len(p.Symbols), 1) + 3) &^ 3
	}
	at := p.offset + int(end)
	if short {
		e := &f.Executables[0]
		f.size = e.offset + e.layout(uint32(at-e.offset), true)
		return nil
	}
	for i := range f.Executables {
		e := &f.Executables[i]
		e.offset = at
		at += (e.layout(uint32(dvleHeader.Size), false) + 3) &^ 3
	}
	f.size = at
	return nil
}

// nameLines sets the symbol of each line's file name. It uses existing symbols
// and adds missing ones.
func (p *Program) nameLines() {
	known := map[string]uint32{}
	for from := 0; from < len(p.Symbols); {
		name, err := SymbolAt(p.Symbols, uint32(from))
		if err != nil {
			break
		}
		if _, ok := known[name]; !ok {
			known[name] = uint32(from)
		}
		from += len(name) + 1
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		at, ok := known[l.File]
		if !ok {
			at = uint32(len(p.Symbols))
			known[l.File] = at
			p.Symbols = append(append(p.Symbols[:at:at], l.File...), 0)
		}
		l.Symbol = at
	}
}

// layout places the tables of the executable from an offset on and returns their end.
func (e *Executable) layout(end uint32, short bool) int {
	e.Symbols = e.Symbols[:0:0]
	intern := func(name string) uint32 {
		at := uint32(len(e.Symbols))
		e.Symbols = append(append(e.Symbols, name...), 0)
		return at
	}
	for i := range e.Labels {
		if l := &e.Labels[i]; short {
			l.Symbol = intern(l.Name)
		}
	}
	for i := range e.Uniforms {
		e.Uniforms[i].Symbol = intern(e.Uniforms[i].Name)
	}
	for i := range e.Labels {
		if l := &e.Labels[i]; !short {
			l.Symbol = intern(l.Name)
		}
	}
	type part struct {
		t       *table
		n, size int
	}
	c, l := part{&e.constants, len(e.Constants), constants.Size}, part{&e.labels, len(e.Labels), labels.Size}
	o, u := part{&e.outputs, len(e.Outputs), outputs.Size}, part{&e.uniforms, len(e.Uniforms), uniforms.Size}
	order := [...]part{c, l, o, u}
	if short {
		order = [...]part{o, c, u, l}
	}
	for _, p := range order {
		end = p.t.set(end, p.n, p.size)
	}
	return int(e.symbols.set(end, len(e.Symbols), 1))
}
