package pipeline

import (
	"context"

	"pica200/pica"
)

// Coverage replays a frame and calls seen after each draw with the addresses of
// the pixels that the draw's triangles cover, as addresses of their colours.
// Triangles of both windings count; tests, scissor and write masks do not. seen
// must not keep addrs. The vertices of programs that read what draws write are
// as in the recording.
func (r *Replayer) Coverage(ctx context.Context, frame int, seen func(draw int, addrs []uint32)) error {
	var addrs []uint32
	return r.Visit(ctx, Position{frame, FrameEnd}, func(g *GPU) error {
		r.Invalidate()
		g.progress.change = paintAll
		g.BeforeDraw = func(d *DrawInfo) error {
			if err := g.flush(ctx); err != nil {
				return err
			}
			if t, err := g.targetOf(keyOf(&g.regs)); err == nil && t.Color != nil {
				clear(t.Color)
				g.mem.Touch(t.color.addr, t.color.bytes)
			}
			return nil
		}
		g.AfterDraw = func(d *DrawInfo) error {
			addrs = addrs[:0]
			at, n := pica.ColorbufferLoc.Addr(d.Regs), d.Target.ColorFormat.Bytes()
			for i := 0; n > 0 && i+n <= len(d.Target.Color); i += n {
				for _, b := range d.Target.Color[i : i+n] {
					if b != 0 {
						addrs = append(addrs, at+uint32(i))
						break
					}
				}
			}
			seen(d.Index, addrs)
			return nil
		}
		return nil
	})
}

// paintAll sets registers so that a draw sets all bits of every pixel that its
// triangles cover.
func paintAll(r *pica.Regs) {
	pica.FacecullingMode.Set(r, uint32(pica.CullNone))
	pica.ScissortestMode.Set(r, uint32(pica.ScissorOff))
	pica.AlphaTestEnable.SetBool(r, false)
	pica.StencilTestEnable.SetBool(r, false)
	pica.DepthTestEnable.SetBool(r, false)
	pica.DepthWriteEnable.SetBool(r, false)
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeDefault))
	pica.ColorOperationBlend.Set(r, uint32(pica.BlendModeLogicOp))
	pica.LogicOpFunc.Set(r, uint32(pica.LogicOpSet))
	for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA} {
		f.SetBool(r, true)
	}
	r[pica.RegColorbufferWrite] |= 0xF
	r[pica.RegColorbufferRead] |= 0xF
	r[pica.RegDepthbufferWrite] = 0
}
