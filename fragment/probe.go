package fragment

import (
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// Probe watches one pixel: Seen is called for every fragment that reaches it,
// in order, with everything that happened to the fragment. It takes effect on
// programs that are compiled after it was set with Engine.Watch, of draws whose
// raster.Draw.Alone holds the pixel.
type Probe struct {
	Target *raster.Target // draws to others are not looked at; nil: all are
	X, Y   int32          // in memory orientation
	Seen   func(*Record)
}

// Record is the life of one fragment.
type Record struct {
	X, Y     int32 // pixel, in memory orientation
	Vertices [3]pica.ScreenVertex
	Weights  [3]float32 // perspective-correct share of each vertex
	Depth    float32    // after scale, offset and w-buffering, 0 to 1

	VertexColor [4]uint8
	TexCoord    [3][3]float32 // u, v and, of coordinate 0, w; 0 if nothing reads them
	Units       [4]UnitRecord // texture units
	Lit         bool          // lighting was computed
	Lighting    [2][4]uint8   // primary, secondary
	Stages      [numStages][4]uint8
	Color       [4]uint8 // after fog or gas shading

	Outcome Outcome
	Before  Pixel
	After   Pixel
}

// UnitRecord is what a texture unit delivered.
type UnitRecord struct {
	Read   bool // a combiner stage or lighting reads the unit
	Color  [4]uint8
	Texels []TexelRecord // read from memory; of two-dimensional textures only
}

// TexelRecord is one texel that was read.
type TexelRecord struct {
	Level, X, Y int
	Border      bool // outside: the border colour
	Color       [4]uint8
}

// Pixel is what the render target holds at a place.
type Pixel struct {
	Color   [4]uint8
	Depth   uint32
	Stencil uint8
}

// Outcome says how far a fragment got.
type Outcome uint8

const (
	Written       Outcome = iota // passed all tests
	AlphaFailed                  // dropped by the alpha test
	StencilFailed                // dropped by the stencil test
	DepthFailed                  // dropped by the depth test
	SpecialFailed                // dropped by the rules of gas or shadow mode
)

var outcomeNames = [...]string{"written", "failed the alpha test", "failed the stencil test", "failed the depth test", "dropped"}

func (o Outcome) String() string { return outcomeNames[o] }

// MarshalText makes the outcome a word in JSON.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Watch sets the probe, nil for none.
func (e *Engine) Watch(p *Probe) {
	e.probe = p
	e.programs.clear()
	e.draws.same = false
}

// insight is what a probed program keeps to explain itself.
type insight struct {
	stages  [numStages]colorRef
	color   colorRef
	units   [4]bool
	coords  [numFloats]bool // interpolated
	lit     bool
	sampled [3]sampled
	stencil *stencilTest
	special bool
}

// sampled is how a unit with a two-dimensional texture reads it.
type sampled struct {
	reads bool
	slot  int
	coord [2]int // float registers of the coordinates
}

// explain runs the program over a batch of one block and reports what became
// of the probed pixel.
func (p *Program) explain(m *machine, probe *Probe) {
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
	r := &Record{X: probe.X, Y: probe.Y, Depth: b.Depth[lane], Before: ReadPixel(m.v.target, probe.X, probe.Y)}
	for k, v := range blk.V {
		r.Vertices[k] = b.Vertex(v)
	}
	r.Weights = [3]float32{1 - b.W1[lane] - b.W2[lane], b.W1[lane], b.W2[lane]}
	afterAlpha := false
	for i := range p.ops {
		o := &p.ops[i]
		o.run(m)
		if o.name == "alpha test" {
			afterAlpha = b.Mask[0]>>lane&1 == 0
		}
	}
	in := p.insight
	at := func(ref colorRef) (c [4]uint8) {
		for ch := range c {
			c[ch] = m.plane(ref[ch])[lane]
		}
		return c
	}
	r.VertexColor = at(wholeRef(cPrimary))
	for u := range r.TexCoord {
		base := [3]int{fTex0U, fTex1U, fTex2U}[u]
		for k := range [3]int{3, 2, 2}[u] {
			if in.coords[base+k] {
				r.TexCoord[u][k] = m.f[base+k][lane]
			}
		}
	}
	for u := range r.Units {
		if !in.units[u] {
			continue
		}
		r.Units[u] = UnitRecord{Read: true, Color: at(wholeRef(uint8(cTex0 + u)))}
		if u < 3 && in.sampled[u].reads {
			at := in.sampled[u]
			r.Units[u].Texels = m.bound(u, at.slot).reads(m, &m.f[at.coord[0]], &m.f[at.coord[1]], lane)
		}
	}
	if r.Lit = in.lit; r.Lit {
		r.Lighting = [2][4]uint8{at(wholeRef(cFragPrimary)), at(wholeRef(cFragSecondary))}
	}
	for i, ref := range in.stages {
		r.Stages[i] = at(ref)
	}
	r.Color = at(in.color)
	r.After = ReadPixel(m.v.target, probe.X, probe.Y)
	switch {
	case afterAlpha:
		r.Outcome = AlphaFailed
	case b.Mask[0]>>lane&1 != 0:
		r.Outcome = Written
	case in.special:
		r.Outcome = SpecialFailed
	case in.stencil != nil && !in.stencil.passes(&m.v.stencil, r.Before.Stencil):
		r.Outcome = StencilFailed
	default:
		r.Outcome = DepthFailed
	}
	probe.Seen(r)
}

// passes is the stencil test of a single value.
func (s *stencilTest) passes(k *stencilValues, old uint8) bool {
	var v raster.Channel
	v[0] = old
	return s.test(simd.Best, k, &v)&1 != 0
}

// ReadPixel reads a place of a render target.
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

// reads lists the texels that the sampler reads for a lane.
func (s bound) reads(m *machine, u, v *raster.Plane, lane int) (list []TexelRecord) {
	var level, next, share [quads]uint8
	var small [quads]uint8
	linear := s.magLinear
	q := lane / 4
	if s.needLevel {
		s.levels(m.with, m.n, u, v, &level, &next, &share, &small)
		if small[q] != 0 {
			linear = s.minLinear
		}
	}
	one := func(l int) {
		lv := &s.level[l]
		add := func(x, y int32) {
			wx, wy := wrap(s.wrapS, x, lv.w, s.powerOfTwo), wrap(s.wrapT, y, lv.h, s.powerOfTwo)
			t := TexelRecord{Level: l, X: int(wx), Y: int(wy), Border: wx|wy < 0, Color: unpackColor(s.border)}
			if !t.Border {
				t.Color = unpackColor(s.texels[lv.offset+wy*lv.w+wx])
			}
			list = append(list, t)
		}
		if !linear {
			add(fixed(float32(u[lane]*lv.width)), fixed(float32(v[lane]*lv.height)))
			return
		}
		const half = 1 << (bilinearBits - 1)
		x := (fixed(float32(float32(u[lane]*lv.width)*(1<<bilinearBits))) - half) >> bilinearBits
		y := (fixed(float32(float32(v[lane]*lv.height)*(1<<bilinearBits))) - half) >> bilinearBits
		for k := range int32(4) {
			add(x+k&1, y+k>>1)
		}
	}
	one(int(level[q]))
	if share[q] != 0 {
		one(int(next[q]))
	}
	return list
}
