package pipeline

import "pica200/geometry"

// DrawVertices returns the vertices of the draw that a BeforeDraw hook is told
// of, as the vertex shader will be given them.
func (g *GPU) DrawVertices(info *DrawInfo) (*geometry.Vertices, error) {
	g.beforeVertices(info.Kind)
	return geometry.ReadVertices(&geometry.Input{
		Kind: info.Kind, Regs: &g.regs, Memory: g.mem, Fixed: &g.fixed, Immediate: g.immediate.drawn,
	})
}
