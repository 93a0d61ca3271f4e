package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// Probe watches one pixel. Seen is called for every fragment that reaches the
// pixel, in order, with everything that happened to the fragment. A probe
// applies to programs that are compiled after Engine.Watch, in draws whose
// raster.Draw.Alone contains the pixel.
type Probe struct {
	Target *raster.Target // only draws to this target are watched; nil: all draws
	X, Y   int32          // as the pixel lies in memory
	Seen   func(*Record)
}

// Watch sets the probe; nil removes it.
func (e *Engine) Watch(p *Probe) {
	e.probe = p
	e.programs.clear()
	e.draws.same = false
}

// record runs the program over a batch of one block and reports what happened
// at the probed pixel.
func (p *program) record(m *machine, probe *Probe) {
	b := m.b
	blk := &b.Block[0]
	lane := -1
	for i := range raster.BlockPixels {
		if blk.X+int32(raster.PixelX[i]) == probe.X && blk.Y+int32(raster.PixelY[i]) == probe.Y {
			lane = i
		}
	}
	if lane < 0 || b.Mask[0]>>lane&1 == 0 || probe.Target != nil && probe.Target != m.v.target {
		p.runOps(m)
		return
	}
	r := &Record{X: probe.X, Y: probe.Y, Before: ReadPixel(m.v.target, probe.X, probe.Y), in: p.insight}
	for k, v := range blk.V {
		w := b.Vertex(v)
		r.Vertices[k] = VertexRecord{float32(w.X) / 16, float32(w.Y) / 16, w.Z, w.InvW}
	}
	r.Weights = [3]float32{b.W0[lane], b.W1[lane], b.W2[lane]}
	if s := p.insight.lighting; s != nil {
		r.Lighting = &LightingRecord{Enabled: s.enabled}
	}
	for i := range p.ops {
		o := &p.ops[i]
		alive := b.Mask[0]>>lane&1 != 0
		o.run(m)
		if o.record != nil && alive {
			o.record(m, lane, r)
		}
	}
	if r.Outcome == Written && b.Mask[0]>>lane&1 == 0 {
		r.Outcome = SpecialFailed
	}
	r.After = ReadPixel(m.v.target, r.X, r.Y)
	p.insight.sum(m, lane, r)
	probe.Seen(r)
}

// ReadPixel reads a pixel of a render target.
func ReadPixel(t *raster.Target, x, y int32) (out Pixel) {
	i := t.PixelIndex(x&^3, y&^3)
	j := t.PixelIndex(x, y) & 15
	if t.Color != nil {
		var c [4]raster.Channel
		t.LoadColor(i, &c[0], &c[1], &c[2], &c[3])
		out.Color = [4]uint8{c[0][j], c[1][j], c[2][j], c[3][j]}
	}
	if t.Depth != nil {
		var z [raster.BlockPixels]uint32
		t.LoadDepth(i, &z)
		out.Depth = z[j]
		if t.DepthFormat == pica.DepthFormatD24S8 {
			var s raster.Channel
			t.LoadStencil(i, &s)
			out.Stencil = s[j]
		}
	}
	return out
}
