package pipeline

import (
	"context"

	"pica200/pica"
	"pica200/pica/pixels"
)

// Only goes to a draw and executes only that one: its target is cleared to
// colour 0 and, if possible, to depth and stencil values that let it pass. (In
// shadow mode, where the colour buffer holds depths, it is cleared to the
// farthest depth.) Everything else that the draw reads is as the draws before
// it left it.
func (r *Replayer) Only(ctx context.Context, pos Position) error {
	return r.Visit(ctx, pos, func(g *GPU) error {
		r.Invalidate()
		g.BeforeDraw = func(d *DrawInfo) error {
			if d.Index != pos.Draw {
				return nil
			}
			return g.neutral(ctx)
		}
		return nil
	})
}

// neutral clears the target of the draw that is about to run, as Only
// describes.
func (g *GPU) neutral(ctx context.Context) error {
	if err := g.flush(ctx); err != nil {
		return err
	}
	t, err := g.target()
	if err != nil {
		return nil // the draw will be left out for the same reason
	}
	color := uint32(0)
	if g.mode() == pica.FragmentModeShadow {
		color = 0xFFFFFFFF
	}
	clear := func(dst []byte, s span, value uint32, bytes int) {
		if dst != nil {
			pixels.Fill(g.kernels, dst, value, bytes)
			g.mem.Touch(s.addr, s.bytes)
		}
	}
	clear(t.Color, t.color, color, 4)
	if g.mode() != pica.FragmentModeDefault || t.Depth == nil {
		return nil
	}
	depth, ok := g.passingDepth()
	if !ok {
		return nil
	}
	clear(t.Depth, t.depth, depth, t.key.depthFormat.Bytes())
	return nil
}

// passingDepth returns a value of the depth buffer, with stencil, that all
// fragments pass; false if there is none.
func (p *programmed) passingDepth() (value uint32, ok bool) {
	r := &p.regs
	format := pica.DepthFormat(pica.DepthbufferFormat.Get(r))
	switch pica.CompareFunc(pica.DepthTestFunc.Get(r)) {
	case pica.CompareGreater, pica.CompareGreaterEqual:
	case pica.CompareEqual:
		if pica.DepthTestEnable.Bool(r) {
			return 0, false
		}
		value = format.Max()
	default:
		value = format.Max()
	}
	if p.stencil() {
		value |= p.passingStencil() << 24
	}
	return value, true
}

// passingStencil returns a stencil value that passes the test, 0 if none does.
func (p *programmed) passingStencil() uint32 {
	r := &p.regs
	ref, mask := pica.StencilTestRef.Get(r), pica.StencilTestMask.Get(r)
	for s := range uint32(256) {
		a, b := ref&mask, s&mask
		pass := false
		switch pica.CompareFunc(pica.StencilTestFunc.Get(r)) {
		case pica.CompareAlways:
			pass = true
		case pica.CompareEqual:
			pass = a == b
		case pica.CompareNotEqual:
			pass = a != b
		case pica.CompareLess:
			pass = a < b
		case pica.CompareLessEqual:
			pass = a <= b
		case pica.CompareGreater:
			pass = a > b
		case pica.CompareGreaterEqual:
			pass = a >= b
		}
		if pass {
			return s
		}
	}
	return 0
}
