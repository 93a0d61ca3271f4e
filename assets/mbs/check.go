package mbs

import "pica200/assets/tree"

// Check runs all consistency checks: the parser's findings, the layout of the
// symbol tables, and whether counts agree with the code's size.
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

// gpInstructionSize is the size of an instruction of the vertex processor.
const gpInstructionSize = 16

func (s *Shader) checkVertex(out *tree.Findings) {
	if s.Unknown0 != 0 {
		out.Notef(s.Offset, "the first word of FINS is %d; compilers write 0", s.Unknown0)
	}
	if int64(len(s.Code)) != gpInstructionSize*int64(s.Instructions) {
		out.Problemf(s.CodeOffset, "FINS says %d instructions of %d bytes, the code has %d bytes", s.Instructions, gpInstructionSize, len(s.Code))
	}
	if s.AttributePrefetch > s.Instructions {
		out.Problemf(s.Offset, "FINS says that instruction %d reads an attribute; there are %d", s.AttributePrefetch-1, s.Instructions)
	}
}

func (s *Shader) checkFragment(out *tree.Findings) {
	if len(s.Code) == 0 || len(s.Code)%4 != 0 {
		out.Problemf(s.CodeOffset, "the code has %d bytes, expected words of 4", len(s.Code))
	}
	if s.Discards > 1 {
		out.Problemf(s.Offset, "FDIS is %d, want 0 or 1", s.Discards)
	}
	if max(s.StackSize, s.StackOffset) > 1<<16 {
		out.Problemf(s.Offset, "FSTA: stack of %d from %d; temporaries are numbered by 16 bits", s.StackSize, s.StackOffset)
	}
	fb := s.FrameBuffer
	if max(fb.ReadsColor, fb.WritesColor, fb.ReadsDepth, fb.WritesDepth, fb.ReadsStencil, fb.WritesStencil) > 1 {
		out.Problemf(s.Offset, "FBUU has values other than 0 and 1")
	}
	if fb.WritesDepth == 1 || fb.WritesStencil == 1 {
		out.Notef(s.Offset, "FBUU says that the shader writes depth or stencil, which OpenGL ES 2.0 cannot")
	}
	if fb.Unknown != [2]uint8{} {
		out.Notef(s.Offset, "the last bytes of FBUU are %d and %d; compilers write 0", fb.Unknown[0], fb.Unknown[1])
	}
}
