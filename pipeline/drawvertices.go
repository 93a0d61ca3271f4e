package pipeline

import (
	"context"

	"pica200/geometry"
)

// DrawVertices returns the input vertices of the draw that a BeforeDraw hook
// was called for.
func (g *GPU) DrawVertices(info *DrawInfo) (*geometry.Vertices, error) {
	_ = g.beforeVertices(context.Background(), info.Kind) // cannot be cancelled
	return geometry.ReadVertices(&geometry.Input{
		Kind: info.Kind, Regs: &g.regs, Memory: g.mem, Fixed: &g.fixed, Immediate: g.immediate.drawn,
	})
}

// WatchGeometry sets hooks that follow the runs of the geometry shader in the
// draws that come; nil removes them. At the end of a Replayer's visit they are
// removed too.
func (g *GPU) WatchGeometry(h *geometry.RunHooks) { g.stage.Watch(h) }
