package mbs

import (
	"slices"

	"pica200/assets/tree"
)

// Check runs all consistency checks: the parser's findings, the layout of the
// symbol tables, and whether tables, counts and code agree.
func (f *File) Check() tree.Findings {
	out := append(tree.Findings(nil), f.Findings...)
	for _, s := range f.Shaders {
		s.check(&out)
	}
	out.Sort()
	return out
}

func (s *Shader) check(out *tree.Findings) {
	switch s.Version {
	case MaliGP2, Mali400GP:
		if !s.Vertex {
			out.Problemf(s.Offset+8, "a fragment shader for %v, a vertex processor", s.Version)
		}
	case Mali200, Mali400PP:
		if s.Vertex {
			out.Problemf(s.Offset+8, "a vertex shader for %v, a fragment processor", s.Version)
		}
	default:
		out.Problemf(s.Offset+8, "%v is not known; expected 2 and 6 (vertex), 5 and 7 (fragment)", s.Version)
	}
	for _, t := range []*Table{s.Uniforms, s.Attributes, s.Varyings} {
		if t != nil {
			t.check(out)
		}
	}
	switch {
	case !s.hasCode && s.Code == nil:
		out.Problemf(s.Offset, "the shader has no DBIN chunk")
	case s.Vertex:
		s.checkVertex(out)
	default:
		s.checkFragment(out)
	}
}

func (t *Table) check(out *tree.Findings) {
	for i := range t.Symbols {
		s := &t.Symbols[i]
		if !s.Type.known() {
			continue // the layout check says so
		}
		if s.Precision < 1 || s.Precision > 3 {
			out.Problemf(s.Offset, "%q: precision %d, want 1 to 3", s.Name, uint8(s.Precision))
		}
		if s.Invariant > 1 {
			out.Problemf(s.Offset, "%q: invariant is %d, want 0 or 1", s.Name, s.Invariant)
		}
		if s.DstStride != 16 && !(s.DstStride == 24 && t.Storage == PPVarying) {
			out.Problemf(s.Offset, "%q: destination stride %d, want 16 (24 in varyings that only feed a texture fetch)", s.Name, s.DstStride)
		}
		if s.Unknown0 != 0 && s.Unknown0 != 2 {
			out.Notef(s.Offset, "%q: the first byte is %d; compilers write 0 or 2", s.Name, s.Unknown0)
		}
		if s.Type.sampler() {
			if t.Storage != PPUniform {
				out.Problemf(s.Offset, "%q: a %v among the %v; samplers are uniforms of fragment shaders", s.Name, s.Type, t.Storage)
			}
			if want := samplerDimensions(s.Type); int(s.ComponentCount) != want {
				out.Problemf(s.Offset, "%q: a %v of %d dimensions, want %d", s.Name, s.Type, s.ComponentCount, want)
			}
		}
		if t.Storage == Attribute && (s.EntryCount > 0 || s.Type != Float && s.Type != Matrix) {
			out.Problemf(s.Offset, "%q: the attribute is a %s; GLSL ES has attributes of floats, vectors and matrices, and no arrays of them", s.Name, s.TypeName())
		}
		s.checkIndex(out)
		if s.Type == Struct {
			members := 0
			for j := range t.Symbols {
				if int(t.Symbols[j].Parent) == i {
					members++
				}
			}
			if members != int(s.ComponentCount) {
				out.Problemf(s.Offset, "struct %q says it has %d members, %d symbols name it", s.Name, s.ComponentCount, members)
			}
		}
		if s.Init != nil && len(s.Init) != int(s.ComponentCount)*max(int(s.EntryCount), 1) {
			out.Problemf(s.Offset, "%q: %d initial values for %d components", s.Name, len(s.Init), s.ComponentCount)
		}
	}
	*out = append(*out, t.CheckLayout()...)
}

// samplerDimensions is the component count of a sampler.
func samplerDimensions(t Type) int {
	if t == SamplerCube {
		return 3
	}
	return 2
}

// checkIndex checks the references of a uniform, which are -1 or numbers.
func (s *Symbol) checkIndex(out *tree.Findings) {
	x := s.Index
	if x == nil {
		return
	}
	for _, r := range []struct {
		name  string
		value int32
		known bool // known to have a value in files
	}{{"ITDR", x.ITDR, false}, {"IYUV", x.IYUV, false}, {"IGRD", x.IGRD, s.Type.sampler()}} {
		switch {
		case r.value < -1:
			out.Problemf(s.Offset, "%q: %s is %d, want -1 or a number", s.Name, r.name, r.value)
		case r.value >= 0 && !r.known:
			out.Notef(s.Offset, "%q: %s is %d; compilers write numbers only in IGRD of samplers", s.Name, r.name, r.value)
		}
	}
}

// located reports whether a symbol of the table covers the vec4 with the index.
// Without a table it is true.
func (t *Table) located(index int) bool {
	if t == nil {
		return false
	}
	for i := range t.Symbols {
		s := &t.Symbols[i]
		if s.Location == Unplaced || s.Parent != NoParent {
			continue
		}
		if f, err := t.footprint(i, 0); err == nil && index >= int(s.Location)/4 && index*4 < int(s.Location)+f.size() {
			return true
		}
	}
	return false
}

// maxFindings bounds the findings for a piece of code.
const maxFindings = 1000

func (s *Shader) checkVertex(out *tree.Findings) {
	if s.Unknown0 != 0 {
		out.Notef(s.Offset, "the first word of FINS is %d; compilers write 0", s.Unknown0)
	}
	ins, rest := gpInstructions(s.Code)
	if len(rest) > 0 {
		out.Problemf(s.CodeOffset+int64(len(s.Code)-len(rest)), "the code has %d bytes, not a multiple of %d", len(s.Code), gpInstructionSize)
	}
	if int64(s.Instructions) != int64(len(ins)) {
		out.Problemf(s.CodeOffset, "FINS says %d instructions, the code has %d (%d bytes)", s.Instructions, len(ins), len(s.Code))
	}
	last := 0
	for i := range ins {
		at := s.CodeOffset + int64(i)*gpInstructionSize
		if len(*out) > maxFindings {
			out.Notef(at, "and so on")
			return
		}
		if a, ok := ins[i].attribute(); ok {
			last = i + 1
			if !s.Attributes.located(a) {
				out.Problemf(at, "instruction %d reads attribute %d, which the table does not have", i, a)
			}
		}
		for st := range 2 {
			if v, ok := ins[i].varying(st); ok && !s.Varyings.located(v) {
				out.Problemf(at, "instruction %d writes varying %d, which the table does not have", i, v)
			}
		}
		if u, ok := ins[i].uniform(); ok && !s.Uniforms.located(u) {
			out.Notef(at, "instruction %d loads vector %d, where the table has no uniform: a temporary", i, u)
		}
		if ins[i].get(gpBranch) != 0 && ins[i].branchTarget() >= len(ins) {
			out.Problemf(at, "instruction %d branches to %d, the last is %d", i, ins[i].branchTarget(), len(ins)-1)
		}
	}
	if int64(s.AttributePrefetch) != int64(last) {
		out.Problemf(s.Offset, "FINS says attributes are read up to instruction %d, the code reads the last in instruction %d", int64(s.AttributePrefetch)-1, last-1)
	}
}

func (s *Shader) checkFragment(out *tree.Findings) {
	discards, stops, next := false, false, -1
	var uses fragmentUses
	rest, err := ppInstructions(s.Code, func(i int, p *ppInstruction) bool {
		at := s.CodeOffset + int64(p.offset)
		discards = discards || p.discards()
		stops = stops || p.stop()
		if next >= 0 && next != p.words() {
			out.Problemf(at, "instruction %d has %d words, the one before says %d", i, p.words(), next)
		}
		next = p.nextWords()
		if p.on(ppTempWrite) && p.get(ppTempWrite, 1, 5) == 7 {
			color := p.get(ppTempWrite, 0, 1) != 0
			uses.readsColor, uses.readsDepth = uses.readsColor || color, uses.readsDepth || !color
			if color && s.FrameBuffer.ReadsColor == 0 || !color && s.FrameBuffer.ReadsDepth == 0 && s.FrameBuffer.ReadsStencil == 0 {
				out.Problemf(at, "instruction %d reads the frame buffer, FBUU says the shader does not", i)
			}
		}
		uses.add(p)
		return len(*out) < maxFindings
	})
	if err != nil {
		out.Problemf(s.CodeOffset+int64(len(s.Code)-len(rest)), "code: %v", err)
		return
	}
	if !stops {
		out.Problemf(s.CodeOffset, "no instruction stops the program")
	}
	if discards != (s.Discards != 0) {
		out.Problemf(s.Offset, "FDIS is %d, but whether the code discards is %t", s.Discards, discards)
	}
	if s.Discards > 1 {
		out.Problemf(s.Offset, "FDIS is %d, want 0 or 1", s.Discards)
	}
	if max(s.StackSize, s.StackOffset) > 1<<16 {
		out.Problemf(s.Offset, "FSTA: stack of %d from %d; temporaries are numbered by 16 bits", s.StackSize, s.StackOffset)
	}
	s.checkFrameBuffer(out, &uses)
	if len(*out) < maxFindings {
		s.checkFetches(out, &uses)
	}
}

// fragmentUses is what fragment code uses.
type fragmentUses struct {
	readsColor, readsDepth bool
	flat, cube             bool
	fetched, loaded        []int // floats of varyings that feed a texture fetch, or a register
}

func (u *fragmentUses) add(p *ppInstruction) {
	if p.on(ppSampler) {
		switch p.get(ppSampler, 24, 5) {
		case 0:
			u.flat = true
		case 0x1F:
			u.cube = true
		}
	}
	if p.on(ppVarying) && p.get(ppVarying, 2, 2) == 0 {
		at := int(p.get(ppVarying, 18, 6)) << min(p.get(ppVarying, 5, 2), 2)
		if p.get(ppVarying, 24, 4) == 15 && p.on(ppSampler) {
			u.fetched = append(u.fetched, at)
		} else {
			u.loaded = append(u.loaded, at)
		}
	}
}

func (s *Shader) checkFrameBuffer(out *tree.Findings, uses *fragmentUses) {
	fb := s.FrameBuffer
	if max(fb.ReadsColor, fb.WritesColor, fb.ReadsDepth, fb.WritesDepth, fb.ReadsStencil, fb.WritesStencil) > 1 {
		out.Problemf(s.Offset, "FBUU has values other than 0 and 1")
	}
	if fb.ReadsColor == 1 && !uses.readsColor {
		out.Problemf(s.Offset, "FBUU says that the shader reads the colour, the code does not")
	}
	if (fb.ReadsDepth == 1 || fb.ReadsStencil == 1) && !uses.readsDepth {
		out.Problemf(s.Offset, "FBUU says that the shader reads depth or stencil, the code does not")
	}
	if fb.WritesDepth == 1 || fb.WritesStencil == 1 {
		out.Notef(s.Offset, "FBUU says that the shader writes depth or stencil, which OpenGL ES 2.0 cannot")
	}
	if fb.Unknown != [2]uint8{} {
		out.Notef(s.Offset, "the last bytes of FBUU are %d and %d; compilers write 0", fb.Unknown[0], fb.Unknown[1])
	}
}

// checkFetches compares the texture fetches with the samplers, and with the
// varyings that are marked as only feeding a fetch.
func (s *Shader) checkFetches(out *tree.Findings, uses *fragmentUses) {
	var flat, cube bool
	for _, u := range s.Uniforms.symbols() {
		flat = flat || u.Type == Sampler2D || u.Type == SamplerOES
		cube = cube || u.Type == SamplerCube
	}
	if uses.flat && !flat {
		out.Problemf(s.CodeOffset, "the code fetches from a two-dimensional texture, the table has no sampler for one")
	}
	if uses.cube && !cube {
		out.Problemf(s.CodeOffset, "the code fetches from a cube map, the table has no sampler for one")
	}
	for i := range s.Varyings.symbols() {
		v := &s.Varyings.Symbols[i]
		f, err := s.Varyings.footprint(i, 0)
		if v.DstStride != 24 || v.Location == Unplaced || err != nil {
			continue
		}
		covers := func(list []int) bool {
			return slices.ContainsFunc(list, func(at int) bool { return at >= int(v.Location)&^3 && at < int(v.Location)+f.size() })
		}
		if !covers(uses.fetched) {
			out.Problemf(v.Offset, "%q: destination stride 24, but no texture fetch takes it directly", v.Name)
		} else if covers(uses.loaded) {
			out.Notef(v.Offset, "%q: destination stride 24, but the code also loads its vector into a register", v.Name)
		}
	}
}

// symbols returns the symbols of a table, none without one.
func (t *Table) symbols() []Symbol {
	if t == nil {
		return nil
	}
	return t.Symbols
}
