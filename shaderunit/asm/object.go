package asm

import (
	"fmt"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// labelUnknown is the value of a label's second field in the publicly
// documented files.
const labelUnknown = 1

// objectVersion is the version field, the same as in the DVLEs of the reference
// assembler.
const objectVersion = 0x1002

// Object returns an unlinked object. The program must be assembled from one source with
// Options.Object. The object has a line number for each instruction, a relocation for
// each instruction with operands, and a label with a size for each procedure. The labels
// main and endmain, without a size, enclose the entry procedure; a source marked .nodvle
// has neither.
func (p *Program) Object() (*shbin.Object, error) {
	if p.sources != 1 || len(p.File.Executables) > 1 {
		return nil, fmt.Errorf("asm: an object is made of one source, not of %d", p.sources)
	}
	o := &shbin.Object{Version: objectVersion, Code: p.File.Program.Code, Descriptors: p.File.Program.Descriptors}
	label := func(name string, addr, size uint32) {
		o.Labels = append(o.Labels, shbin.Label{ID: uint16(len(o.Labels)), Unknown: labelUnknown, Addr: addr, Size: size, Name: name})
	}
	if len(p.File.Executables) == 1 {
		e := &p.File.Executables[0]
		o.Type, o.Merge, o.InputMask, o.OutputMask = e.Type, e.Merge, e.InputMask, e.OutputMask
		o.Geometry, o.HasGeometry = e.Geometry, e.Type == shbin.GeometryShader
		o.Constants, o.Outputs, o.Uniforms = e.Constants, e.Outputs, e.Uniforms
		label(shbin.LabelMain, e.Main, shbin.NoSize)
		label(shbin.LabelEndMain, e.EndMain, shbin.NoSize)
	} else if p.library != nil {
		// For the linker: what the procedures need in the registers.
		o.Type, o.Constants, o.Uniforms = p.library.Type, p.library.Constants, p.library.Uniforms
	}
	for _, proc := range p.Procs {
		label(proc.Name, uint32(proc.Start), uint32(proc.Size))
	}
	for _, at := range p.Lines {
		o.Lines = append(o.Lines, shbin.Line{File: at.File, Line: uint32(at.Line)})
	}
	calls := map[int]string{}
	for _, c := range p.Calls {
		calls[c.Addr] = c.Name
	}
	for i, w := range o.Code {
		in := shaderunit.Decode(w)
		info := in.Info()
		if info == nil || info.Format == shaderunit.Format0 {
			continue
		}
		r := shbin.Reloc{Addr: uint32(i)}
		switch {
		case info.Format.DescLimit() > 0:
			r.Kind, r.Value = shbin.RelocDescriptor, uint32(in.Desc)
		case calls[i] != "":
			r.Kind, r.Name = shbin.RelocCall, calls[i]
		case in.Op.Flow().HasTarget():
			r.Kind, r.Value = shbin.RelocAddress, uint32(in.Dest)
		default:
			r.Kind = shbin.RelocNone
		}
		o.Relocs = append(o.Relocs, r)
	}
	return o, nil
}
