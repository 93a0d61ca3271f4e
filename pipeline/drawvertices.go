package pipeline

import (
	"context"

	"pica200/geometry"
)

// DrawVertices returns the vertices of the draw that a BeforeDraw hook is told
// of, as the vertex shader will be given them.
func (g *GPU) DrawVertices(info *DrawInfo) (*geometry.Vertices, error) {
	_ = g.beforeVertices(context.Background(), info.Kind) // which is not cancelled
	return geometry.ReadVertices(&geometry.Input{
		Kind: info.Kind, Regs: &g.regs, Memory: g.mem, Fixed: &g.fixed, Immediate: g.immediate.drawn,
	})
}

// WatchGeometry lets hooks follow the runs of the geometry shader of the draws that come;
// nil ends it. Within a visit of a Replayer it ends with the visit.
func (g *GPU) WatchGeometry(h *geometry.RunHooks) { g.stage.Watch(h) }
