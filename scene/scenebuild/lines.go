package scenebuild

import (
	"math/bits"
	"slices"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// last returns the executable whose outputs reach the rasterizer.
func (p *loadedProgram) last() *shbin.Executable {
	if p.geometry >= 0 {
		return &p.file.Executables[p.geometry]
	}
	return &p.file.Executables[p.vertex]
}

// gives reports whether a program has an output of a type.
func (p *loadedProgram) gives(t shbin.OutputType) bool {
	return slices.ContainsFunc(p.last().Outputs, func(o shbin.Output) bool { return o.Type == t })
}

// OutputLines returns which source lines write the outputs of a program: for
// each type of output, the position of the last instruction that writes one of its
// components. If executables share code, it uses that of the file with the
// entry point. It is empty for programs without sources.
func (st *Stage) OutputLines(name string) map[shbin.OutputType]asm.Pos {
	p := st.programs[name]
	if p == nil || p.lines == nil {
		return nil
	}
	e := p.last()
	if int(e.Main) >= len(p.lines) {
		return nil
	}
	entry := p.lines[e.Main].File
	found := map[shbin.OutputType]asm.Pos{}
	for at, word := range p.file.Program.Code {
		in := shaderunit.Decode(word)
		info := in.Info()
		if at >= len(p.lines) || p.lines[at].File != entry || info == nil || !info.Format.HasDst() || in.Dst >= shaderunit.DstTemp || int(in.Desc) >= len(p.file.Program.Descriptors) {
			continue
		}
		// The first component is the highest bit of a descriptor's mask, the lowest of an output's.
		writes := uint16(bits.Reverse8(shaderunit.OpDesc(p.file.Program.Descriptors[in.Desc].Word).Mask()) >> 4)
		for _, o := range e.Outputs {
			if o.Reg == uint16(in.Dst) && o.Mask&writes != 0 && o.Type.Components() > 0 {
				found[o.Type] = p.lines[at]
			}
		}
	}
	return found
}
