package explain

import (
	"fmt"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
)

// testNames names the tests by the outcome of fragments that fail them.
var testNames = map[fragment.Outcome]string{fragment.AlphaFailed: "alpha", fragment.StencilFailed: "stencil", fragment.DepthFailed: "depth"}

// testRow is the row of a test.
func testRow(t *fragment.TestRecord) rows.Row {
	row := rows.New("{test} test", "{fragment} {func} {other}", "test", testNames[t.Failed], "func", t.Func.String(),
		"fragment", t.Fragment, "other", t.Other, "passed", t.Passed).In("tests[]")
	verdict := ": passed"
	if !t.Passed {
		verdict, row.Mark = ": failed", rows.Failed
	}
	if t.Failed == fragment.StencilFailed {
		row.Add("mask", t.Mask, "does", t.Op.String(), "stencil", t.Stencil)
		verdict = " under the mask {mask|%02X}" + verdict + "; {does}, it is then {stencil}"
	}
	row.Form += verdict
	return row
}

// BlendForm is the form of a row about blending of RGB or of alpha.
const BlendForm = "{equation}, source * {source} and target * {dest}"

// blendRow is the row of the written colour and how it was computed.
func blendRow(b *fragment.BlendRecord) rows.Row {
	r := rows.New("", "", "mode", [...]string{"replace", "blend", "logic"}[b.Mode], "source", b.Source, "dest", b.Dest, "result", b.Result, "format", b.Format.String())
	switch b.Mode {
	case fragment.BlendLogic:
		r.Rows = append(r.Rows, rows.New("logic op", "{logic} of {source} and {dest} = {result}",
			"logic", b.Logic.String(), "source", b.Source, "dest", b.Dest, "result", b.Result))
	case fragment.BlendBlend:
		r.Rows = append(r.Rows, blendHalfRow(b, 0), blendHalfRow(b, 1))
	}
	written := ""
	for i, c := range "rgba" {
		if b.Mask[i] {
			written += string(c)
		}
	}
	r.Rows = append(r.Rows, rows.New("written", written+" alone", "mask", b.Mask).When(written != "rgba"))
	return r.In("blend")
}

// blendHalfRow is the row about blending of RGB or of alpha.
func blendHalfRow(b *fragment.BlendRecord, half int) rows.Row {
	h := &b.Halves[half]
	channels := func(c [4]uint8) numbers { return [2]numbers{numbersOf(c[:3]), numbersOf(c[3:])}[half] }
	factors, is := [2]numbers{channels(b.Factors[0]), channels(b.Factors[1])}, channels(b.Result)
	a, c := fmt.Sprintf("%v * %v", channels(b.Source), factors[0]), fmt.Sprintf("%v * %v", channels(b.Dest), factors[1])
	text := fmt.Sprintf("(%s + %s)", a, c)
	switch h.Equation {
	case pica.BlendSubtract:
		text = fmt.Sprintf("(%s - %s)", a, c)
	case pica.BlendReverseSubtract:
		text = fmt.Sprintf("(%s - %s)", c, a)
	case pica.BlendMin, pica.BlendMax:
		text = fmt.Sprintf("%v(%s, %s)", h.Equation, a, c)
	}
	return rows.New("blend "+halves[half], BlendForm, "equation", h.Equation.String(),
		"source", h.Source.String(), "dest", h.Dest.String(), "factors", factors, "result", is).
		In(halves[half], rows.New("", "{text}", "text", fmt.Sprintf("%s / 255 = %v", text, is)))
}

// fogRow is the row of fog.
func fogRow(f *fragment.FogRecord) rows.Row {
	at := "at depth "
	if f.Flipped {
		at = "at 1 - depth "
	}
	return rows.New("fog", at+entryForm, append(entryOf(f.Entry).values(), "flipped", f.Flipped)...).In("fog",
		rows.New("mixed", "{before} * {factor} + {color} * (1 - {factor}) = {after}",
			"before", f.Before, "factor", float(f.Factor), "color", f.Color, "after", f.After))
}

// gasRow is the row of gas shading.
func gasRow(g *fragment.GasRecord) rows.Row {
	by := "density"
	if g.ByDepth {
		by = "density by depth"
	}
	out := rows.New("gas", "densities {density.0} and, by depth, {density.1}", "texel", g.Texel, "density", float2(g.Density), "attenuation", float(g.Attenuation)).In("gas",
		rows.New("alpha", "{alpha_entry} = {alpha}", "alpha", g.Color[3], "alpha_entry", entryOf(g.AlphaEntry)),
		rows.New("scaled", by+" * {scale} = {scaled}", "by_depth", g.ByDepth, "scale", float(g.Scale), "scaled", float(g.Scaled)))
	if l := g.Light; l != nil {
		out.Rows = append(out.Rows, rows.New("light", "planar {planar}, xy {xy_min} to {xy_max} less {xy_attenuation}, z {z_min} to {z_max} less {z_attenuation}, effect {z_effect}: {result}",
			"planar", l.Planar, "xy_min", float(l.XYMin), "xy_max", float(l.XYMax), "xy_attenuation", float(l.XYAttenuation),
			"z_min", float(l.ZMin), "z_max", float(l.ZMax), "z_attenuation", float(l.ZAttenuation), "z_effect", float(l.ZEffect), "result", float(l.Result)).In("light"))
	}
	at := entryOf(g.Entry)
	out.Rows = append(out.Rows, rows.New("colour", entryForm, "value", float3(g.Value), "difference", float3(g.Difference),
		"input", at.Input, "index", at.Index, "fraction", at.Fraction, "entry", at, "color", g.Color))
	return out
}

// gasWriteRow is the row of what a fragment adds to a gas buffer.
func gasWriteRow(g *fragment.GasWriteRecord) rows.Row {
	before, after := float2(g.Before), float2(g.After)
	return rows.Row{}.In("gas_write",
		rows.New("density", "{density} / 255 added to {before.0} = {after.0}", "density", g.Density, "before", before, "after", after),
		rows.New("by depth", "{func}, surface 0x{surface|%06X}, delta z {delta_z}: times {factor}, added to {before.1} = {after.1}",
			"func", g.Func.String(), "surface", g.Surface, "delta_z", float(g.DeltaZ), "factor", float(g.Factor), "before", before, "after", after))
}

// shadowWriteRow is the row of what a fragment does to a shadow texture.
func shadowWriteRow(s *fragment.ShadowWriteRecord) rows.Row {
	says := "not nearer"
	if s.Nearer {
		says = "nearer"
	}
	return rows.Row{}.In("shadow_write",
		rows.New("shadow depth", "0x{depth|%06X}, in the texture 0x{old|%06X}: "+says, "depth", s.Depth, "old", s.Old, "nearer", s.Nearer),
		rows.New("penumbra", "{intensity} / ({penumbra.0} + {penumbra.1} * {ratio}), the light was {before} and is {after}", "intensity", s.Intensity,
			"penumbra", float2(s.Penumbra), "ratio", float(s.Ratio), "before", s.Before, "after", s.After).When(s.Nearer && s.Intensity != 0))
}
