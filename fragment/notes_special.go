package fragment

import (
	"pica200/explain/rows"
	"pica200/pica"
)

// noteFog is the note of fog, looked up at the depth, or at 1 - depth if
// flipped.
func noteFog(src, out colorRef, flipped bool) note {
	return func(m *machine, lane int, r *Record) {
		x, at := m.b.Depth[lane], "at depth "
		if flipped {
			x, at = 1-x, "at 1 - depth "
		}
		var color, before, after [3]uint8
		was, is := m.at(src, lane), m.at(out, lane)
		for ch, c := range m.v.fog {
			color[ch], before[ch], after[ch] = uint8(int32(c)), was[ch], is[ch]
		}
		r.special = append(r.special, rows.New("fog", at+entryForm, append(entry128(m.v.fogTable, x).values(), "flipped", flipped)...).In("fog",
			rows.New("mixed", "{before} * {factor} + {color} * (1 - {factor}) = {after}",
				"before", before, "factor", Float(m.f[fScratch0][lane]), "color", color, "after", after)))
	}
}

// noteGas is the note of gas shading.
func noteGas(texel colorRef, planar planeRef, byDepth, byLight bool) note {
	return func(m *machine, lane int, r *Record) {
		v, t := &m.v.gas, m.at(texel, lane)
		d := densities(t)
		x, by := float32(d[0]), "density"
		if byDepth {
			x, by = float32(d[1]), "density by depth"
		}
		x = float32(x * v.accmax)
		out := rows.New("gas", "densities {density.0} and, by depth, {density.1}", "texel", t, "density", d, "attenuation", Float(v.attenuation)).In("gas",
			rows.New("alpha", "{alpha_entry} = {alpha}", "alpha", m.c[cFog][alpha][lane],
				"alpha_entry", entry128(m.v.fogTable, float32(float32(d[1])*v.attenuation))),
			rows.New("scaled", by+" * {scale} = {scaled}", "by_depth", byDepth, "scale", Float(v.accmax), "scaled", Float(x)))
		if byLight {
			x = m.f[gasPlane(byDepth)][lane]
			out.Rows = append(out.Rows, rows.New("light", "planar {planar}, xy {xy_min} to {xy_max} less {xy_attenuation}, z {z_min} to {z_max} less {z_attenuation}, effect {z_effect}: {result}",
				"planar", m.plane(planar)[lane], "xy_min", Float(v.xyMin), "xy_max", Float(v.xyMax), "xy_attenuation", Float(v.xyAtten),
				"z_min", Float(v.zMin), "z_max", Float(v.zMax), "z_attenuation", Float(v.zAtten), "z_effect", Float(v.zEffect), "result", Float(x)).In("light"))
		}
		at := clampTo(x*8, 0, 8)
		k := min(int32(at), 7) & 7
		var value, difference [3]Float
		for ch := range value {
			value[ch], difference[ch] = Float(v.colors.base[ch][k]), Float(v.colors.diff[ch][k])
		}
		place := entry{Input: Float(x), Index: int(k), Fraction: Float(at - float32(k))}
		out.Rows = append(out.Rows,
			rows.New("colour", "{input}, entry {index}: {value} + {difference} * {fraction}", "value", value, "difference", difference,
				"input", place.Input, "index", place.Index, "fraction", place.Fraction, "entry", place, "color", m.at(wholeRef(cFog), lane)))
		r.special = append(r.special, out)
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
func densities(c [4]uint8) [2]Float {
	return [2]Float{
		Float(halfToFloat(uint16(c[alpha])<<8 | uint16(c[blue]))),
		Float(halfToFloat(uint16(c[green])<<8 | uint16(c[red]))),
	}
}

// note adds the rows about what a fragment adds to a gas buffer. The record
// already holds the old pixel.
func (o *gasOutput) note(m *machine, lane int, r *Record) {
	if !o.write {
		return
	}
	surface, factor := uint32(0), Float(1)
	if o.fn >= pica.GasDepthGreater && !o.unread {
		surface = r.Before.Depth
	}
	switch f := o.depthFactor(surface, m.b.Depth[lane], m.v.gas.deltaZ); o.fn {
	case pica.GasDepthNever:
		factor = 0
	case pica.GasDepthGreater:
		factor = Float(1 - f)
	case pica.GasDepthLess:
		factor = Float(f)
	}
	before, after := densities(r.Before.Color), densities(ReadPixel(m.v.target, r.X, r.Y).Color)
	r.writes = append(r.writes, rows.Row{}.In("gas_write",
		rows.New("density", "{density} / 255 added to {before.0} = {after.0}", "density", m.plane(o.density)[lane], "before", before, "after", after),
		rows.New("by depth", "{func}, surface 0x{surface|%06X}, delta z {delta_z}: times {factor}, added to {before.1} = {after.1}",
			"func", o.fn.String(), "surface", surface, "delta_z", Float(m.v.gas.deltaZ), "factor", factor, "before", before, "after", after)))
}

// note adds the rows about what a fragment does to a shadow texture.
func (o *shadowOutput) note(m *machine, lane int, r *Record) {
	if !o.write {
		return
	}
	depth, old := uint32(int32(m.b.Depth[lane]*shadowDepthOne)), packColor(r.Before.Color)>>8
	nearer, says := depth < old, "not nearer"
	var ratio Float
	if nearer {
		says, ratio = "nearer", Float(float32(depth)/float32(old))
	} else {
		r.dropped = SpecialFailed
	}
	intensity := m.plane(o.intensity)[lane]
	r.writes = append(r.writes, rows.Row{}.In("shadow_write",
		rows.New("shadow depth", "0x{depth|%06X}, in the texture 0x{old|%06X}: "+says, "depth", depth, "old", old, "nearer", nearer),
		rows.New("penumbra", "{intensity} / ({penumbra.0} + {penumbra.1} * {ratio}), the light was {before} and is {after}", "intensity", intensity,
			"penumbra", [2]Float{Float(m.v.penumbra.constant), Float(m.v.penumbra.linear)}, "ratio", ratio,
			"before", r.Before.Color[red], "after", ReadPixel(m.v.target, r.X, r.Y).Color[red]).When(nearer && intensity != 0)))
}

// proc adds rows of the procedural texture to the record.
func (r *Record) proc(list ...rows.Row) {
	u := &r.units[3]
	if len(u.Rows) == 0 {
		u.Add("kind", "procedural")
		u.Rows = []rows.Row{{Key: "proctex"}}
	}
	u.Rows[0].Rows = append(u.Rows[0].Rows, list...)
}

func procUV(m *machine, lane int) [2]Float {
	return [2]Float{Float(m.proc.u[lane]), Float(m.proc.v[lane])}
}

func (s *procTexState) noteCoordinates(m *machine, lane int, r *Record) {
	r.proc(rows.New("read at", "{uv}, of texcoord {coord}", "coord", s.coordinate, "uv", procUV(m, lane)))
	if !s.noise {
		s.noteNoise(m, lane, r)
	}
}

func (s *procTexState) noteNoise(m *machine, lane int, r *Record) {
	noisy := procUV(m, lane)
	r.proc(rows.New("noise", "{noisy}", "noisy", noisy).When(noisy != r.units[3].Rows[0].Rows[0].Get("uv")))
}

// noteClamp is the note of shifting and clamping the coordinates. The shifts
// are in separate registers.
func (s *procTexState) noteClamp(shiftU, shiftV bool) note {
	return func(m *machine, lane int, r *Record) {
		var shift [2]Float
		if shiftU {
			shift[0] = Float(m.proc.shiftU[lane])
		}
		if shiftV {
			shift[1] = Float(m.proc.shiftV[lane])
		}
		r.proc(rows.New("shift", "{shift}", "shift", shift).When(shift != [2]Float{}),
			rows.New("clamped", "{clamped}: {clamp.0}, {clamp.1}", "clamped", procUV(m, lane), "clamp", [2]string{s.clamp[0].String(), s.clamp[1].String()}))
	}
}

// noteColor adds the rows of the mapped coordinates and of the colour look-up.
func (s *procTexState) noteColor(m *machine, lane int, r *Record) {
	var at float32
	if s.width > 1 || s.mipmap { // the same condition as in compileProcTex
		at = m.proc.at[lane]
	}
	r.proc(rows.New("mapped", "{mapped}: {map}", "mapped", Float(at), "map", s.color.String()))
	if s.separateAlpha {
		r.proc(rows.New("alpha", "{alpha_value}: {alpha_map}", "alpha_value", Float(m.proc.at2[lane]), "alpha_map", s.alpha.String()))
	}
	level, second, form := 0, float32(0), "level {level}"
	if s.mipmap {
		lod := m.proc.lod[lane/4]
		level, form = int(int32(lod)), "level {level} ({lod})"
		if s.mipLinear {
			second = lod - float32(level)
		} else {
			level = int(int32(lod + 0.5))
		}
		level &= procTexLevels - 1
	}
	l := &m.v.proc.level[level]
	colors := rows.New("colours", form+": {width} from {offset} on, {filter}", "level", level, "offset", l.offset, "width", int(l.span)+1, "filter", s.filter().String())
	if s.mipmap {
		colors.Add("lod", Float(m.proc.lod[lane/4]))
	}
	colors.Rows = append(colors.Rows, s.entry(m, at, level, 1-second, second != 0))
	if second != 0 {
		colors.Rows = append(colors.Rows, s.entry(m, at, min(level+1, procTexLevels-1), second, true))
	}
	r.proc(colors)
}

// entry is the row of a look-up in the colour table: color + difference *
// fraction, clamped to 0 to 255. The texture's colour is the sum over its
// levels by their shares, truncated. Its alpha is that of the alpha map if
// there is one.
func (s *procTexState) entry(m *machine, at float32, level int, share float32, mixed bool) rows.Row {
	l, t := &m.v.proc.level[level], m.v.proc.colors
	x := float32(at * l.span)
	k := int32(x)
	if !s.linear {
		k = int32(x + 0.5)
	}
	e := uint8(k) + l.offset
	color, fraction := unpackColor(t.raw[e]), Float(0)
	var difference [4]int
	if s.linear {
		fraction = Float(x - float32(k))
		for ch := range difference {
			difference[ch] = int(t.diff[e][ch])
		}
	}
	var result [4]Float
	for ch, v := range procTexFetch(at, t, *l, s.linear) {
		result[ch] = Float(v)
	}
	form := "{color}"
	if difference != [4]int{} && fraction != 0 {
		form += " + {difference} x {fraction} = {result}"
	}
	if mixed {
		form += ", {share} of level {level}"
	}
	return rows.New("entry {index}", form+", at {input}", "level", level, "share", Float(share), "input", Float(x), "index", int(e), "color", color,
		"difference", difference, "fraction", fraction, "result", result).In("entries[]").Colored(color)
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
