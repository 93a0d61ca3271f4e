package fragment

import (
	"fmt"

	"pica200/explain/rows"
	"pica200/pica"
	"pica200/raster"
)

// lit is the row of lighting: the two colours, and below them how they were
// computed.
func (in *insight) lit(m *machine, lane int, r *Record) rows.Row {
	s := in.lighting
	if s == nil {
		return rows.New("", "", "lit", false, "lighting", [2][4]uint8{})
	}
	out := rows.New("lighting", "primary {lighting.0}, secondary {lighting.1}", "lit", true,
		"lighting", [2][4]uint8{m.at(wholeRef(cFragPrimary), lane), m.at(wholeRef(cFragSecondary), lane)})
	if !s.enabled {
		return out
	}
	detail := rows.Row{Key: "light", Rows: append(r.surface, rows.New("", "", "view", [3]Float{}, "lights", []any{}))}
	detail.Rows = append(detail.Rows, r.lights...)
	var sums [2][4]Float // sums before conversion to colours
	for k := range sums {
		a := float32(1)
		if s.alpha[k] && s.tables[tableFR].enabled {
			a = m.light.fr[lane]
			if detail.Get("fresnel") == nil {
				detail.Add("fresnel", Float(a))
				detail.Rows = append(detail.Rows, rows.New("fresnel", "{fresnel}", "fresnel", Float(a)))
			}
		}
		if s.alpha[k] && s.shadow && s.shadowAlpha {
			a *= m.light.shadow[3][lane]
		}
		copy(sums[k][:], r.sums[k][:])
		sums[k][3] = Float(a)
	}
	detail.Rows = append(detail.Rows, rows.New("sums", "primary {primary}, secondary {secondary}", "primary", sums[0], "secondary", sums[1]))
	out.Rows = []rows.Row{detail}
	return out
}

func (s *lightingState) noteQuaternion(m *machine, lane int, r *Record) {
	var q [4]Float
	for k := range q {
		q[k] = Float(m.quaternion()[k][lane])
	}
	r.surface = append(r.surface, rows.New("quaternion", "{quaternion}", "quaternion", q))
}

// bumpRow is the row of the vector from a bump or tangent map.
func (s *lightingState) bumpRow(v [3]Float) rows.Row {
	return rows.New("{mode} map", "{vector}, of texture {unit}", "mode", s.bump.String(), "unit", s.bumpUnit, "vector", v).In("bump")
}

func (s *lightingState) noteBump(m *machine, lane int, r *Record) {
	r.surface = append(r.surface, s.bumpRow(plane3(&m.light.normal, lane)))
}

func (s *lightingState) noteNormal(m *machine, lane int, r *Record) {
	r.surface = append(r.surface, rows.New("normal", "{normal}", "normal", plane3(&m.light.normal, lane)))
}

func (s *lightingState) noteTangent(m *machine, lane int, r *Record) {
	if s.bump == pica.BumpTangent {
		var v [3]float32
		for k := range v {
			v[k] = float32(float32(m.c[cTex0+s.bumpUnit][k][lane])*(1/127.5)) - 1
		}
		r.surface = append(r.surface, s.bumpRow(floats3(v)))
	}
	r.surface = append(r.surface, rows.New("tangent", "{tangent}", "tangent", plane3(&m.light.tangent, lane)))
}

func (s *lightingState) noteView(m *machine, lane int, r *Record) {
	r.surface = append(r.surface, rows.New("view", "{view}", "view", plane3(&m.light.view, lane)))
}

func (s *lightingState) noteShadow(m *machine, lane int, r *Record) {
	f := [4]Float{3: 1}
	for k := range f[:3] {
		f[k] = Float(m.light.shadow[k][lane])
	}
	if s.shadowAlpha {
		f[3] = Float(m.light.shadow[3][lane])
	}
	r.surface = append(r.surface, rows.New("shadow", "{shadow}", "shadow", f))
}

func (s *lightingState) noteAmbient(m *machine, lane int, r *Record) {
	r.sums = [2][3]Float{floats3(m.v.light.ambient)}
	r.surface = append(r.surface, rows.New("ambient", "{ambient}", "ambient", r.sums[0]))
}

// looked adds the row of a look-up in a lighting table. dot is the name of the
// input, x its value.
func (r *Record) looked(name string, number int, dot string, x float32, e entry, scale, result float32) {
	times := ""
	if scale != 1 {
		times = " times {scale|%g}"
	}
	r.tables = append(r.tables, rows.New("table {table}", "{dot} {x}: "+entryForm+times+" = {result}", append(e.values(),
		"table", name, "number", number, "dot", dot, "x", Float(x), "scale", Float(scale), "result", Float(result))...).In("tables[]"))
}

// noteDistance is the note of the distance attenuation table.
func noteDistance(l *lightState) note {
	return func(m *machine, lane int, r *Record) {
		number, distance := tableDistance0+l.number, float32(0)
		if !l.directional {
			distance = m.light.dist[lane]
		}
		r.looked("DA", number, "distance", distance, entryUnsigned(m.v.light.table[number], m.light.tmp[lane]), 1, m.light.atten[lane])
	}
}

// noteTable is the note of a look-up with a dot product as input.
func noteTable(t lightTable, st *tableState, twoSided bool, number int, in, out plane) note {
	return func(m *machine, lane int, r *Record) {
		x, table := in(m)[lane], m.v.light.table[number]
		e := entryUnsigned(table, x)
		switch {
		case st.signed:
			e = entrySigned(table, x)
		case twoSided:
			e = entryUnsigned(table, abs32(x))
		}
		r.looked(t.String(), number, st.input.String(), x, e, st.scale, out(m)[lane])
	}
}

// lightNote says which lane registers hold results when a light is done.
type lightNote struct {
	s                               *lightingState
	l                               *lightState
	at                              int
	lit, diffuse, specular, geo     bool
	vector, haveHalf, haveLN, atten bool
}

// note adds the row of the light that is done.
func (n lightNote) note(m *machine, lane int, r *Record) {
	l, v := n.l, &m.v.light.lights[n.at]
	one := func(has bool, p *raster.Plane, or Float) Float {
		if has {
			return Float(p[lane])
		}
		return or
	}
	form, position := "at {position}", floats3(v.position)
	var to, half [3]Float
	if n.vector {
		to = plane3(&m.light.light, lane)
	}
	if l.directional {
		form, to = "directional", position
	}
	if l.twoSided {
		form += ", two-sided"
	}
	if n.haveHalf {
		half = plane3(&m.light.half, lane)
	}
	shadowed, times := [2]bool{}, [2]string{}
	if n.s.shadow && l.shadowed {
		shadowed = n.s.shadowOn
	}
	for k := range times {
		if shadowed[k] {
			times[k] = " * shadow"
		}
	}
	attenuation := one(n.atten, &m.light.atten, 1)
	factor, d, reflection := Float(1), [2]Float{1, 1}, [3]Float{1, 1, 1}
	if n.specular {
		factor = attenuation
		if n.s.clampHighlights {
			factor = Float(m.light.high[lane])
		}
		for k, t := range [2]lightTable{tableD0, tableD1} {
			has := l.specular[k] != [3]float32{} && (n.s.tables[t].enabled || l.geometric[k])
			d[k] = one(has, [2]*raster.Plane{&m.light.d0, &m.light.d1}[k], 1)
		}
		for k, t := range [3]lightTable{tableRR, tableRG, tableRB} {
			if l.specular[1] != [3]float32{} {
				reflection[k] = one(n.s.tables[t].enabled, &m.light.refl[k], reflection[0])
			}
		}
	}
	primary := r.adds(0, n.diffuse, m.light.primary[:], lane)
	secondary := r.adds(1, n.specular, m.light.secondary[:], lane)
	diffuse, ambient, lit := floats3(v.diffuse), floats3(v.ambient), one(n.lit, &m.light.lit, 0)
	row := rows.New(fmt.Sprintf("light %d", l.number), form, "light", l.number, "directional", l.directional, "two_sided", l.twoSided,
		"position", position, "spot", floats3(v.spot), "attenuation", attenuation, "shadowed", shadowed,
		"diffuse", diffuse, "ambient", ambient).In("lights[]",
		rows.New("L", "{l}", "l", to),
		rows.New("distance", "{distance}", "distance", one(n.vector, &m.light.dist, 0)).When(!l.directional),
		rows.New("H", "{h}, |L+V|^2 {half_square}", "h", half, "half_square", one(n.haveHalf, &m.light.halfSq, 0)).When(half != [3]Float{}),
		rows.New("L.N", "{ln}, lit {lit}", "ln", one(n.haveLN, &m.light.dotLN, 0), "lit", lit),
		rows.New("", "", "tables", []any{}))
	row.Rows, r.tables = append(row.Rows, r.tables...), nil
	if n.geo {
		row.Rows = append(row.Rows, rows.New("geometric", "lit / |L+V|^2 = {geometric}", "geometric", Float(m.light.geo[lane])))
	}
	row.Rows = append(row.Rows,
		rows.New("primary", "({diffuse|%.4g} * {lit}"+times[0]+" + {ambient|%.4g}) * {attenuation} = {primary}", "primary", primary,
			"diffuse", diffuse, "lit", lit, "ambient", ambient, "attenuation", attenuation).When(primary != [3]Float{}),
		rows.New("secondary", "({specular.0|%.4g} * {d.0} + {specular.1|%.4g} * {d.1} * {reflection}) * {factor}"+times[1]+" = {secondary}", "secondary", secondary,
			"specular", [2][3]Float{floats3(v.specular[0]), floats3(v.specular[1])}, "d", d, "reflection", reflection, "factor", factor).When(secondary != [3]Float{}))
	r.lights = append(r.lights, row)
}

// adds returns what a light adds to a sum.
func (r *Record) adds(sum int, does bool, to []raster.Plane, lane int) (v [3]Float) {
	if does {
		for k := range v {
			now := Float(to[k][lane])
			v[k], r.sums[sum][k] = now-r.sums[sum][k], now
		}
	}
	return v
}
