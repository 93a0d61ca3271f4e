package explain

import (
	"fmt"
	"strings"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
)

// lightingRow is the row of lighting: the two colours, and below them how they
// were computed.
func lightingRow(l *fragment.LightingRecord) rows.Row {
	if l == nil {
		return rows.New("", "", "lit", false, "lighting", [2][4]uint8{})
	}
	out := rows.New("lighting", "primary {lighting.0}, secondary {lighting.1}", "lit", true, "lighting", l.Colors)
	if !l.Enabled {
		return out
	}
	detail := rows.Row{Key: "light", Rows: append(surfaceRows(l), rows.New("", "", "view", [3]float{}, "lights", []any{}))}
	for i := range l.Lights {
		detail.Rows = append(detail.Rows, lightRow(&l.Lights[i]))
	}
	if l.Fresnel != nil {
		detail.Rows = append(detail.Rows, rows.New("fresnel", "{fresnel}", "fresnel", float(*l.Fresnel)))
		detail.Add("fresnel", float(*l.Fresnel))
	}
	detail.Rows = append(detail.Rows, rows.New("sums", "primary {primary}, secondary {secondary}", "primary", float4(l.Sums[0]), "secondary", float4(l.Sums[1])))
	out.Rows = []rows.Row{detail}
	return out
}

// surfaceRows describes what all lights share.
func surfaceRows(l *fragment.LightingRecord) (list []rows.Row) {
	vector := func(name string, v *[3]float32) {
		if v != nil {
			list = append(list, rows.New(name, "{"+name+"}", name, float3(*v)))
		}
	}
	bump := func(mode pica.BumpMode) {
		if b := l.Bump; b != nil && b.Mode == mode {
			list = append(list, rows.New("{mode} map", "{vector}, of texture {unit}", "mode", mode.String(), "unit", b.Unit, "vector", float3(b.Vector)).In("bump"))
		}
	}
	list = append(list, rows.New("quaternion", "{quaternion}", "quaternion", float4(l.Quaternion)))
	bump(pica.BumpNormal)
	vector("normal", &l.Normal)
	bump(pica.BumpTangent)
	vector("tangent", l.Tangent)
	vector("view", l.View)
	if l.Shadow != nil {
		list = append(list, rows.New("shadow", "{shadow}", "shadow", float4(*l.Shadow)))
	}
	vector("ambient", l.Ambient)
	return list
}

// tableRow is the row of a look-up in a lighting table.
func tableRow(t *fragment.TableRecord) rows.Row {
	name, dot, times := strings.ToUpper(pica.LightTable(t.Number).String()[:2]), t.Input.String(), ""
	if t.Number >= int(pica.TableDA0) {
		dot = "distance"
	}
	if t.Scale != 1 {
		times = " times {scale|%g}"
	}
	return rows.New("table {table}", "{dot} {x}: "+entryForm+times+" = {result}", append(entryOf(t.Entry).values(),
		"table", name, "number", t.Number, "dot", dot, "x", float(t.X), "scale", float(t.Scale), "result", float(t.Result))...).In("tables[]")
}

// lightRow is the row of a light.
func lightRow(l *fragment.LightRecord) rows.Row {
	form := "at {position}"
	if l.Directional {
		form = "directional"
	}
	if l.TwoSided {
		form += ", two-sided"
	}
	times := [2]string{}
	for k := range times {
		if l.Shadowed[k] {
			times[k] = " * shadow"
		}
	}
	diffuse, ambient, lit, attenuation := float3(l.Diffuse), float3(l.Ambient), float(l.Lit), float(l.Attenuation)
	row := rows.New(fmt.Sprintf("light %d", l.Number), form, "light", l.Number, "directional", l.Directional, "two_sided", l.TwoSided,
		"position", float3(l.Position), "spot", float3(l.Spot), "attenuation", attenuation, "shadowed", l.Shadowed,
		"diffuse", diffuse, "ambient", ambient).In("lights[]",
		rows.New("L", "{l}", "l", float3(l.L)),
		rows.New("distance", "{distance}", "distance", float(l.Distance)).When(!l.Directional),
		rows.New("H", "{h}, |L+V|^2 {half_square}", "h", float3(l.H), "half_square", float(l.HalfSquare)).When(l.H != [3]float32{}),
		rows.New("L.N", "{ln}, lit {lit}", "ln", float(l.LN), "lit", lit),
		rows.New("", "", "tables", []any{}))
	for i := range l.Tables {
		row.Rows = append(row.Rows, tableRow(&l.Tables[i]))
	}
	if l.Geometric != nil {
		row.Rows = append(row.Rows, rows.New("geometric", "lit / |L+V|^2 = {geometric}", "geometric", float(*l.Geometric)))
	}
	row.Rows = append(row.Rows,
		rows.New("primary", "({diffuse|%.4g} * {lit}"+times[0]+" + {ambient|%.4g}) * {attenuation} = {primary}", "primary", float3(l.Primary),
			"diffuse", diffuse, "lit", lit, "ambient", ambient, "attenuation", attenuation).When(l.Primary != [3]float32{}),
		rows.New("secondary", "({specular.0|%.4g} * {d.0} + {specular.1|%.4g} * {d.1} * {reflection}) * {factor}"+times[1]+" = {secondary}", "secondary", float3(l.Secondary),
			"specular", [2][3]float{float3(l.Specular[0]), float3(l.Specular[1])}, "d", float2(l.D), "reflection", float3(l.Reflection), "factor", float(l.Factor)).When(l.Secondary != [3]float32{}))
	return row
}
