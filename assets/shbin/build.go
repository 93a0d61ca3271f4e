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
func (f *File) Layout() error {
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
	f.gaps = nil
	p.offset, p.short = dvlbHeader.Size+offsets.Size*len(f.Executables), false
	end := p.code.set(uint32(dvlpHeader.Size), len(p.Code), words.Size)
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
	for i := range f.Executables {
		e := &f.Executables[i]
		e.offset = at
		at += e.layout()
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

// layout places the tables of the executable and returns its length in bytes.
func (e *Executable) layout() int {
	e.Symbols = e.Symbols[:0:0]
	intern := func(name string) uint32 {
		at := uint32(len(e.Symbols))
		e.Symbols = append(append(e.Symbols, name...), 0)
		return at
	}
	for i := range e.Uniforms {
		e.Uniforms[i].Symbol = intern(e.Uniforms[i].Name)
	}
	for i := range e.Labels {
		e.Labels[i].Symbol = intern(e.Labels[i].Name)
	}
	end := e.constants.set(uint32(dvleHeader.Size), len(e.Constants), constants.Size)
	end = e.labels.set(end, len(e.Labels), labels.Size)
	end = e.outputs.set(end, len(e.Outputs), outputs.Size)
	end = e.uniforms.set(end, len(e.Uniforms), uniforms.Size)
	end = e.symbols.set(end, len(e.Symbols), 1)
	return int(end+3) &^ 3
}
