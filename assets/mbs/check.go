package mbs

import "pica200/assets/tree"

// Check runs every consistency check on the file: what the parser noticed, the
// layout of the symbol tables, and whether tables, counts and code agree.
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

// placed reports whether a symbol of the table covers the vec4 with the index;
// true without a table if the code can't be judged.
func (t *Table) placed(index int) bool {
	if t == nil {
		return false
	}
	for i := range t.Symbols {
		s := &t.Symbols[i]
		if s.Place == Unplaced || s.Parent != NoParent {
			continue
		}
		if f, err := t.Footprint(i); err == nil && index >= int(s.Place)/4 && index*4 < int(s.Place)+f.Size() {
			return true
		}
	}
	return false
}

// maxFindings bounds what is said about one piece of code.
const maxFindings = 1000

func (s *Shader) checkVertex(out *tree.Findings) {
	ins, rest := GPInstructions(s.Code)
	if len(rest) > 0 {
		out.Problemf(s.CodeOffset+int64(len(s.Code)-len(rest)), "the code has %d bytes, not a multiple of %d", len(s.Code), GPInstructionSize)
	}
	if int64(s.Instructions) != int64(len(ins)) {
		out.Problemf(s.CodeOffset, "FINS says %d instructions, the code has %d (%d bytes)", s.Instructions, len(ins), len(s.Code))
	}
	last := 0
	for i := range ins {
		at := s.CodeOffset + int64(i)*GPInstructionSize
		if len(*out) > maxFindings {
			out.Notef(at, "and so on")
			return
		}
		if a, ok := ins[i].Attribute(); ok {
			last = i + 1
			if !s.Attributes.placed(a) {
				out.Problemf(at, "instruction %d reads attribute %d, which the table does not have", i, a)
			}
		}
		for st := range 2 {
			if v, ok := ins[i].Varying(st); ok && !s.Varyings.placed(v) {
				out.Problemf(at, "instruction %d writes varying %d, which the table does not have", i, v)
			}
		}
		if u, ok := ins[i].Uniform(); ok && !s.Uniforms.placed(u) {
			out.Notef(at, "instruction %d loads vector %d, where the table has no uniform: a temporary", i, u)
		}
		if ins[i].get(gpBranch) != 0 && ins[i].BranchTarget() >= len(ins) {
			out.Problemf(at, "instruction %d branches to %d, the last is %d", i, ins[i].BranchTarget(), len(ins)-1)
		}
	}
	if int64(s.AttributePrefetch) != int64(last) {
		out.Problemf(s.Offset, "FINS says attributes are read up to instruction %d, the code reads the last in instruction %d", int64(s.AttributePrefetch)-1, last-1)
	}
}

func (s *Shader) checkFragment(out *tree.Findings) {
	discards, stops, next := false, false, -1
	rest, err := PPInstructions(s.Code, func(i int, p *PPInstruction) bool {
		at := s.CodeOffset + int64(p.Offset)
		discards = discards || p.discards()
		stops = stops || p.Stop()
		if next >= 0 && next != p.Words() {
			out.Problemf(at, "instruction %d has %d words, the one before says %d", i, p.Words(), next)
		}
		next = p.NextWords()
		if p.on(ppTempWrite) && p.get(ppTempWrite, 1, 5) == 7 {
			color := p.get(ppTempWrite, 0, 1) != 0
			if color && s.FrameBuffer.ReadsColor == 0 || !color && s.FrameBuffer.ReadsDepth == 0 && s.FrameBuffer.ReadsStencil == 0 {
				out.Problemf(at, "instruction %d reads the frame buffer, FBUU says the shader does not", i)
			}
		}
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
	if fb := s.FrameBuffer; max(fb.ReadsColor, fb.WritesColor, fb.ReadsDepth, fb.WritesDepth, fb.ReadsStencil, fb.WritesStencil) > 1 {
		out.Problemf(s.Offset, "FBUU has values other than 0 and 1")
	}
}
