package gl

import (
	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/shbin"
)

// ProgramUniform is a uniform of a program with its value.
type ProgramUniform struct {
	Name string
	// One of these is set, by the kind of the uniform.
	Floats []mgl32.Vec4
	Ints   [][4]uint8
	Bools  []bool
}

// Uniforms returns the named uniforms with their values, in the order of
// UniformNames. If both shaders have a uniform, it is the vertex shader's.
func (p *Program) Uniforms() []ProgramUniform {
	var out []ProgramUniform
	for _, name := range p.UniformNames() {
		for _, s := range []*stage{p.vertex, p.geometry} {
			if s == nil {
				continue
			}
			u := ProgramUniform{Name: name}
			if first, n, ok := s.find(name, shbin.UniformFloat, 96); ok {
				u.Floats = append(u.Floats, s.floats[first:first+n]...)
			} else if first, n, ok := s.find(name, shbin.UniformInt, 4); ok {
				u.Ints = append(u.Ints, s.ints[first:first+n]...)
			} else if first, n, ok := s.find(name, shbin.UniformBool, 16); ok {
				for i := range n {
					u.Bools = append(u.Bools, s.bools>>(first+i)&1 != 0)
				}
			} else {
				continue
			}
			out = append(out, u)
			break
		}
	}
	return out
}
