package explain

import (
	"fmt"

	"pica200/assets/texture"
	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
)

// unitRow is the row of a texture unit.
func unitRow(unit int, u *fragment.UnitRecord) rows.Row {
	r := rows.Row{Key: "units[]"}
	if u.Read {
		r = rows.New(fmt.Sprintf("texture %d", unit), "{color}").In(r.Key).Colored(u.Color)
	}
	if t := u.Texture; t != nil {
		r.Add("kind", t.Kind.String(), "address", t.Address, "width", t.Width, "height", t.Height, "format", t.Format.String())
		r.Form += "  {kind}, {width}x{height} {format} at 0x{address|%08X}"
		r.Rows = textureRows(unit, t)
	}
	if u.Procedural != nil {
		r.Add("kind", "procedural")
		r.Rows = []rows.Row{{Key: "proctex", Rows: proceduralRows(u.Procedural)}}
	}
	r.Add("read", u.Read, "color", u.Color)
	return r
}

// textureRows describes how a texture was read.
func textureRows(unit int, t *fragment.TextureRecord) (list []rows.Row) {
	form, at := "{coord}", rows.New("read at", "", "coord", float2(t.Coord), "wrap", [2]string{t.Wrap[0].String(), t.Wrap[1].String()})
	if t.Kind == pica.TextureCube || t.Kind == pica.TextureShadowCube {
		at.Add("face", texture.CubeFaces[t.Face])
		form += " of face {face}"
	}
	at.Form = form + ", wrapped {wrap.0} and {wrap.1}"
	list = append(list, at)
	if l := t.LOD; l != nil {
		size := "magnified"
		if l.Minified {
			size = "made smaller"
		}
		list = append(list, rows.New("steps", "{across|%.4g} texels across, {down|%.4g} down, bias {bias|%.4g}, levels {least} to {most}: "+size,
			"bias", float(l.Bias), "least", l.Least, "most", l.Most, "across", float2(l.Across), "down", float2(l.Down), "small", l.Minified).In("lod"))
	}
	if s := t.Shadow; s != nil {
		list = append(list, rows.New("compared", "0x{reference|%06X}: |{w}| in 24 bits less {bias}", "w", float(s.W), "bias", s.Bias, "reference", s.Reference, "light", s.Light).In("shadow"))
	}
	for i := range t.Samples {
		list = append(list, sampleRow(unit, t, &t.Samples[i]))
	}
	return list
}

// sampleRow is the row of a level of detail.
func sampleRow(unit int, t *fragment.TextureRecord, s *fragment.SampleRecord) rows.Row {
	form, filter := "{color}", pica.FilterNearest
	if s.Share != 256 {
		form += ", {share}/256 of it"
	}
	form += ": {filter}"
	if len(s.Texels) > 1 {
		filter = pica.FilterLinear
		form += ", at {fraction.0}/256 and {fraction.1}/256 between texels"
	}
	r := rows.New("level {level}", form, "level", s.Level, "share", s.Share, "filter", filter.String(), "fraction", s.Fraction, "color", s.Color).
		In("samples[]").Colored(s.Color)
	for i := range s.Texels {
		r.Rows = append(r.Rows, texelRow(unit, t, s.Level, &s.Texels[i]))
	}
	return r
}

// texelRow is the row of a texel.
func texelRow(unit int, t *fragment.TextureRecord, level int, x *fragment.TexelRecord) rows.Row {
	r := rows.New("{x},{y}", "{weight|%.6f} x {color}", "color", x.Color)
	if t.Shadow != nil {
		depth, says := uint32(x.Color[1])|uint32(x.Color[2])<<8|uint32(x.Color[3])<<16, "in shadow"
		lit := depth >= t.Shadow.Reference
		if lit {
			says = "lit"
		}
		r.Form = "{weight|%.6f} x depth 0x{depth|%06X}, light {intensity}: " + says
		r.Add("depth", depth, "intensity", x.Color[0], "passed", lit)
	}
	r.Add("level", level, "x", x.X, "y", x.Y, "weight", float(x.Weight))
	r = r.In("texels[]").Colored(x.Color)
	if x.Border {
		r.Form += ", border"
		r.Add("border", true, "address", 0)
		return r
	}
	r.Form += ", at 0x{address|%08X}"
	r.Add("address", x.Address)
	return r.To(rows.Link{To: rows.ToTexel, Unit: unit, Face: t.Face, Level: level, X: int(x.X), Y: int(x.Y), Address: x.Address})
}

// proceduralRows describes the procedural texture.
func proceduralRows(p *fragment.ProceduralRecord) []rows.Row {
	list := []rows.Row{
		rows.New("read at", "{uv}, of texcoord {coord}", "coord", p.Coordinate, "uv", float2(p.Coord)),
		rows.New("noise", "{noisy}", "noisy", float2(p.Noisy)).When(float2(p.Noisy) != float2(p.Coord)),
		rows.New("shift", "{shift}", "shift", float2(p.Shift)).When(p.Shift != [2]float32{}),
		rows.New("clamped", "{clamped}: {clamp.0}, {clamp.1}", "clamped", float2(p.Clamped), "clamp", [2]string{p.Clamp[0].String(), p.Clamp[1].String()}),
		rows.New("mapped", "{mapped}: {map}", "mapped", float(p.Mapped), "map", p.Map.String()),
	}
	if p.Alpha != nil {
		list = append(list, rows.New("alpha", "{alpha_value}: {alpha_map}", "alpha_value", float(*p.Alpha), "alpha_map", p.AlphaMap.String()))
	}
	form := "level {level}"
	if p.LOD != nil {
		form = "level {level} ({lod})"
	}
	colors := rows.New("colours", form+": {width} from {offset} on, {filter}", "level", p.Level, "offset", p.Offset, "width", p.Width, "filter", p.Filter.String())
	if p.LOD != nil {
		colors.Add("lod", float(*p.LOD))
	}
	for i := range p.Entries {
		colors.Rows = append(colors.Rows, proceduralEntryRow(&p.Entries[i], len(p.Entries) > 1))
	}
	return append(list, colors)
}

// proceduralEntryRow is the row of a look-up in the colour table; mixed if it is
// one of two.
func proceduralEntryRow(e *fragment.ProceduralEntry, mixed bool) rows.Row {
	form := "{color}"
	if e.Difference != [4]int{} && e.Fraction != 0 {
		form += " + {difference} x {fraction} = {result}"
	}
	if mixed {
		form += ", {share} of level {level}"
	}
	return rows.New("entry {index}", form+", at {input}", "level", e.Level, "share", float(e.Share), "input", float(e.Input), "index", e.Index, "color", e.Color,
		"difference", e.Difference, "fraction", float(e.Fraction), "result", float4(e.Result)).In("entries[]").Colored(e.Color)
}
