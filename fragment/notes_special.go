package fragment

import "pica200/pica"

// noteFog notes fog.
func (in *insight) noteFog(m *machine, lane int, r *Record) {
	x := m.b.Depth[lane]
	if in.flipped {
		x = 1 - x
	}
	f := &FogRecord{Flipped: in.flipped, EntryRecord: entry128(m.v.fogTable, x), Factor: Float(m.f[fScratch0][lane])}
	before, after := m.at(in.stages.out, lane), m.at(in.color, lane)
	for ch, c := range m.v.fog {
		f.Color[ch], f.Before[ch], f.After[ch] = uint8(int32(c)), before[ch], after[ch]
	}
	r.Fog = f
}

// noteGas notes gas shading.
func (in *insight) noteGas(m *machine, lane int, r *Record) {
	v := &m.v.gas
	t := m.at(in.stages.gasTexel, lane)
	d1 := halfToFloat(uint16(t[alpha])<<8 | uint16(t[blue]))
	d2 := halfToFloat(uint16(t[green])<<8 | uint16(t[red]))
	g := &GasRecord{
		Texel: t, Density: [2]Float{Float(d1), Float(d2)}, Attenuation: Float(v.attenuation),
		AlphaEntry: entry128(m.v.fogTable, float32(d2*v.attenuation)), Alpha: m.c[cFog][alpha][lane],
		ByDepth: in.byDepth, Scale: Float(v.accmax), Color: m.at(wholeRef(cFog), lane),
	}
	x := d1
	if in.byDepth {
		x = d2
	}
	x = float32(x * v.accmax)
	g.Scaled = Float(x)
	if in.byLight {
		planar := m.plane(in.stages.gasPlanar[red])[lane]
		x = m.f[gasPlane(in.byDepth)][lane]
		g.Light = &GasLightRecord{
			Planar: planar, XYMin: Float(v.xyMin), XYMax: Float(v.xyMax), XYAtt: Float(v.xyAtten),
			ZMin: Float(v.zMin), ZMax: Float(v.zMax), ZAtt: Float(v.zAtten), ZEff: Float(v.zEffect), Result: Float(x),
		}
	}
	at := clampTo(x*8, 0, 8)
	k := min(int32(at), 7) & 7
	g.Entry = EntryRecord{Input: Float(x), Index: int(k), Fraction: Float(at - float32(k))}
	for ch := range g.Value {
		g.Value[ch], g.Difference[ch] = Float(v.colors.base[ch][k]), Float(v.colors.diff[ch][k])
	}
	r.Gas = g
}

// gasPlane is the register that gas shading works its input out in.
func gasPlane(byDepth bool) int {
	if byDepth {
		return fScratch0 + 1
	}
	return fScratch0
}

// noteGasWrite notes what a fragment adds to a gas buffer, whose pixel before is
// in the record.
func noteGasWrite(o *gasOutput, m *machine, lane int, r *Record) {
	if !o.write {
		return
	}
	g := &GasWriteRecord{
		Density: m.plane(o.density)[lane], Func: o.fn.String(), DeltaZ: Float(m.v.gas.deltaZ), Factor: 1,
		Before: densities(r.Before.Color), After: densities(ReadPixel(m.v.target, r.X, r.Y).Color),
	}
	if o.fn >= pica.GasDepthGreater && !o.unread {
		g.Surface = r.Before.Depth
	}
	switch f := o.depthFactor(g.Surface, m.b.Depth[lane], m.v.gas.deltaZ); o.fn {
	case pica.GasDepthNever:
		g.Factor = 0
	case pica.GasDepthGreater:
		g.Factor = Float(1 - f)
	case pica.GasDepthLess:
		g.Factor = Float(f)
	}
	r.GasWrite = g
}

// densities reads a pixel of a gas buffer.
func densities(c [4]uint8) [2]Float {
	return [2]Float{
		Float(halfToFloat(uint16(c[alpha])<<8 | uint16(c[blue]))),
		Float(halfToFloat(uint16(c[green])<<8 | uint16(c[red]))),
	}
}

// noteShadowWrite notes what a fragment does to a shadow texture.
func noteShadowWrite(o *shadowOutput, m *machine, lane int, r *Record) {
	if !o.write {
		return
	}
	word := packColor(r.Before.Color)
	s := &ShadowWriteRecord{
		Depth: uint32(int32(m.b.Depth[lane] * shadowDepthOne)), Old: word >> 8, Intensity: m.plane(o.intensity)[lane],
		Penumbra: [2]Float{Float(m.v.penumbra.constant), Float(m.v.penumbra.linear)},
		Before:   r.Before.Color[red], After: ReadPixel(m.v.target, r.X, r.Y).Color[red],
	}
	if s.Nearer = s.Depth < s.Old; s.Nearer {
		s.Ratio = Float(float32(s.Depth) / float32(s.Old))
	}
	r.ShadowWrite = s
}

// noteProcTex gives the note of an op of the procedural texture, or nil.
func (in *insight) noteProcTex(name string) note {
	of := func(f func(m *machine, lane int, p *ProcTexRecord)) note {
		return func(m *machine, lane int, r *Record) {
			u := &r.Units[3]
			if u.ProcTex == nil {
				u.Kind, u.ProcTex = "procedural", in.beginProcTex(m)
			}
			f(m, lane, u.ProcTex)
		}
	}
	uv := func(m *machine, lane int) [2]Float { return [2]Float{Float(m.proc.u[lane]), Float(m.proc.v[lane])} }
	switch name {
	case "proctex: coordinates":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.UV, p.Noisy = uv(m, lane), uv(m, lane) })
	case "proctex: level of detail":
		return of(func(m *machine, lane int, p *ProcTexRecord) {
			l := Float(m.proc.lod[lane/4])
			p.Lod = &l
			k := int32(m.proc.lod[lane/4])
			if !in.proc.mipLinear {
				k = int32(m.proc.lod[lane/4] + 0.5)
			}
			p.level(m, int(k)&(procTexLevels-1))
		})
	case "proctex: colour of one entry", "proctex: colour", "proctex: colour, mipmapped":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.Entries = in.procColors(m, lane, p) })
	case "proctex: shift of u":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.Shift[0] = Float(m.proc.shiftU[lane]) })
	case "proctex: shift of v":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.Shift[1] = Float(m.proc.shiftV[lane]) })
	case "proctex: noise":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.Noisy = uv(m, lane) })
	case "proctex: clamp":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.Clamped = uv(m, lane) })
	case "proctex: combine and map":
		return of(func(m *machine, lane int, p *ProcTexRecord) { p.Mapped = Float(m.proc.at[lane]) })
	case "proctex: separate alpha":
		return of(func(m *machine, lane int, p *ProcTexRecord) {
			a := Float(m.proc.at2[lane])
			p.AlphaMap, p.AlphaValue = in.proc.alpha.String(), &a
		})
	}
	return nil
}

func (in *insight) beginProcTex(m *machine) *ProcTexRecord {
	s := in.proc
	p := &ProcTexRecord{
		Coord: s.coordinate, Map: s.color.String(), Clamp: [2]string{s.clamp[0].String(), s.clamp[1].String()},
		Filter: s.filter().String(),
	}
	p.level(m, 0)
	return p
}

// procColors are the places of the table of colours that a lane reads.
func (in *insight) procColors(m *machine, lane int, p *ProcTexRecord) []ProcColorRecord {
	var at float32
	if in.proc.width > 1 || in.proc.mipmap { // as compileProcTex has it
		at = m.proc.at[lane]
	}
	place := func(level int, share float32) ProcColorRecord {
		l, t := &m.v.proc.level[level], m.v.proc.colors
		x := float32(at * l.span)
		r := ProcColorRecord{Level: level, Share: Float(share), Input: Float(x)}
		k := int32(x)
		if !in.proc.linear {
			k = int32(x + 0.5)
		}
		e := uint8(k) + l.offset
		r.Index, r.Color = int(e), unpackColor(t.raw[e])
		if in.proc.linear {
			r.Fraction = Float(x - float32(k))
			for ch := range r.Difference {
				r.Difference[ch] = int(t.diff[e][ch])
			}
		}
		for ch, v := range procTexFetch(at, t, *l, in.proc.linear) {
			r.Result[ch] = Float(v)
		}
		return r
	}
	if p.Lod == nil || !in.proc.mipLinear {
		return []ProcColorRecord{place(p.Level, 1)}
	}
	lod := m.proc.lod[lane/4]
	second := lod - float32(int32(lod))
	if second == 0 {
		return []ProcColorRecord{place(p.Level, 1)}
	}
	return []ProcColorRecord{place(p.Level, 1-second), place(min(p.Level+1, procTexLevels-1), second)}
}

func (p *ProcTexRecord) level(m *machine, k int) {
	l := &m.v.proc.level[k]
	p.Level, p.Offset, p.Width = k, int(l.offset), int(l.span)+1
}

// filter is the register's value that the three parts stand for.
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
