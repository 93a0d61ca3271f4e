package fragment

import "pica200/pica"

// recordFog records fog, looked up at the depth, or at 1 - depth if flipped.
func recordFog(src, out colorRef, flipped bool) recorder {
	return func(m *machine, lane int, r *Record) {
		x := m.b.Depth[lane]
		if flipped {
			x = 1 - x
		}
		f := &FogRecord{Entry: entry128(m.v.fogTable, x), Flipped: flipped, Factor: m.f[fScratch0][lane]}
		was, is := m.at(src, lane), m.at(out, lane)
		for ch, c := range m.v.fog {
			f.Color[ch], f.Before[ch], f.After[ch] = uint8(int32(c)), was[ch], is[ch]
		}
		r.Fog = f
	}
}

// recordGas records gas shading.
func recordGas(texel colorRef, planar planeRef, byDepth, byLight bool) recorder {
	return func(m *machine, lane int, r *Record) {
		v, t := &m.v.gas, m.at(texel, lane)
		g := &GasRecord{Texel: t, Density: densities(t), Attenuation: v.attenuation, ByDepth: byDepth, Scale: v.accmax}
		x := g.Density[0]
		if byDepth {
			x = g.Density[1]
		}
		x = float32(x * v.accmax)
		g.AlphaEntry, g.Scaled = entry128(m.v.fogTable, float32(g.Density[1]*v.attenuation)), x
		if byLight {
			x = m.f[gasPlane(byDepth)][lane]
			g.Light = &GasLightRecord{m.plane(planar)[lane], v.xyMin, v.xyMax, v.xyAtten, v.zMin, v.zMax, v.zAtten, v.zEffect, x}
		}
		at := clampTo(x*8, 0, 8)
		k := min(int32(at), 7) & 7
		for ch := range g.Value {
			g.Value[ch], g.Difference[ch] = v.colors.base[ch][k], v.colors.diff[ch][k]
		}
		g.Entry, g.Color = EntryRecord{Input: x, Index: int(k), Fraction: at - float32(k)}, m.at(wholeRef(cFog), lane)
		r.Gas = g
	}
}

// gasPlane is the register in which gas shading computes its input.
func gasPlane(byDepth bool) int {
	if byDepth {
		return fScratch0 + 1
	}
	return fScratch0
}

// densities decodes a pixel of a gas buffer.
func densities(c [4]uint8) [2]float32 {
	return [2]float32{
		halfToFloat(uint16(c[alpha])<<8 | uint16(c[blue])),
		halfToFloat(uint16(c[green])<<8 | uint16(c[red])),
	}
}

// record records what a fragment adds to a gas buffer. The record already holds
// the old pixel.
func (o *gasOutput) record(m *machine, lane int, r *Record) {
	if !o.write {
		return
	}
	g := &GasWriteRecord{Density: m.plane(o.density)[lane], Func: o.fn, DeltaZ: m.v.gas.deltaZ, Factor: 1,
		Before: densities(r.Before.Color), After: densities(ReadPixel(m.v.target, r.X, r.Y).Color)}
	if o.fn >= pica.GasDepthGreater && !o.unread {
		g.Surface = r.Before.Depth
	}
	switch f := o.depthFactor(g.Surface, m.b.Depth[lane], g.DeltaZ); o.fn {
	case pica.GasDepthNever:
		g.Factor = 0
	case pica.GasDepthGreater:
		g.Factor = 1 - f
	case pica.GasDepthLess:
		g.Factor = f
	}
	r.GasWrite = g
}

// record records what a fragment does to a shadow texture.
func (o *shadowOutput) record(m *machine, lane int, r *Record) {
	if !o.write {
		return
	}
	s := &ShadowWriteRecord{Depth: uint32(int32(m.b.Depth[lane] * shadowDepthOne)), Old: packColor(r.Before.Color) >> 8,
		Intensity: m.plane(o.intensity)[lane], Penumbra: [2]float32{m.v.penumbra.constant, m.v.penumbra.linear},
		Before: r.Before.Color[red], After: ReadPixel(m.v.target, r.X, r.Y).Color[red]}
	if s.Nearer = s.Depth < s.Old; s.Nearer {
		s.Ratio = float32(s.Depth) / float32(s.Old)
	} else {
		r.Outcome = SpecialFailed
	}
	r.ShadowWrite = s
}

func procUV(m *machine, lane int) [2]float32 { return [2]float32{m.proc.u[lane], m.proc.v[lane]} }

func (s *procTexState) recordCoordinates(m *machine, lane int, r *Record) {
	uv := procUV(m, lane)
	r.Units[3].Procedural = &ProceduralRecord{Coordinate: s.coordinate, Coord: uv, Noisy: uv}
}

func (s *procTexState) recordNoise(m *machine, lane int, r *Record) {
	r.Units[3].Procedural.Noisy = procUV(m, lane)
}

// recordClamp records the shifted and clamped coordinates. The shifts are in
// separate registers.
func (s *procTexState) recordClamp(shiftU, shiftV bool) recorder {
	return func(m *machine, lane int, r *Record) {
		p := r.Units[3].Procedural
		if shiftU {
			p.Shift[0] = m.proc.shiftU[lane]
		}
		if shiftV {
			p.Shift[1] = m.proc.shiftV[lane]
		}
		p.Clamped, p.Clamp = procUV(m, lane), s.clamp
	}
}

// recordColor records the mapped coordinates and the look-up of the colour.
func (s *procTexState) recordColor(m *machine, lane int, r *Record) {
	p := r.Units[3].Procedural
	if s.width > 1 || s.mipmap { // the same condition as in compileProcTex
		p.Mapped = m.proc.at[lane]
	}
	p.Map, p.AlphaMap, p.Filter = s.color, s.alpha, s.filter()
	if s.separateAlpha {
		value := m.proc.at2[lane]
		p.Alpha = &value
	}
	second := float32(0)
	if s.mipmap {
		lod := m.proc.lod[lane/4]
		p.LOD, p.Level = &lod, int(int32(lod))
		if s.mipLinear {
			second = lod - float32(p.Level)
		} else {
			p.Level = int(int32(lod + 0.5))
		}
		p.Level &= procTexLevels - 1
	}
	l := &m.v.proc.level[p.Level]
	p.Offset, p.Width = int(l.offset), int(l.span)+1
	p.Entries = append(p.Entries, s.entry(m, p.Mapped, p.Level, 1-second))
	if second != 0 {
		p.Entries = append(p.Entries, s.entry(m, p.Mapped, min(p.Level+1, procTexLevels-1), second))
	}
}

// entry records a look-up in the colour table.
func (s *procTexState) entry(m *machine, at float32, level int, share float32) ProceduralEntry {
	l, t := &m.v.proc.level[level], m.v.proc.colors
	x := float32(at * l.span)
	k := int32(x)
	if !s.linear {
		k = int32(x + 0.5)
	}
	i := uint8(k) + l.offset
	e := ProceduralEntry{Level: level, Share: share, Input: x, Index: int(i), Color: unpackColor(t.raw[i]), Result: procTexFetch(at, t, *l, s.linear)}
	if s.linear {
		e.Fraction = x - float32(k)
		for ch := range e.Difference {
			e.Difference[ch] = int(t.diff[i][ch])
		}
	}
	return e
}

// filter returns the register value of the filter's three parts.
func (s *procTexState) filter() (f pica.ProcFilter) {
	switch {
	case s.mipLinear:
		f = pica.ProcFilterNearestMipmapLinear
	case s.mipmap:
		f = pica.ProcFilterNearestMipmapNearest
	}
	if s.linear {
		f++
	}
	return f
}
