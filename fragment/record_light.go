package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// sumLight records the results of lighting.
func (in *insight) sumLight(m *machine, lane int, r *Record) {
	s, l := in.lighting, r.Lighting
	if s == nil {
		return
	}
	l.Colors = [2][4]uint8{m.at(wholeRef(cFragPrimary), lane), m.at(wholeRef(cFragSecondary), lane)}
	if !s.enabled {
		return
	}
	for k := range l.Sums {
		a := float32(1)
		if s.alpha[k] && s.tables[tableFR].enabled {
			a = m.light.fr[lane]
			l.Fresnel = &m.light.fr[lane]
		}
		if s.alpha[k] && s.shadow && s.shadowAlpha {
			a *= m.light.shadow[3][lane]
		}
		l.Sums[k][3] = a
	}
	if l.Fresnel != nil {
		fresnel := *l.Fresnel
		l.Fresnel = &fresnel
	}
}

func (s *lightingState) recordQuaternion(m *machine, lane int, r *Record) {
	for k := range r.Lighting.Quaternion {
		r.Lighting.Quaternion[k] = m.quaternion()[k][lane]
	}
}

func (s *lightingState) recordBump(m *machine, lane int, r *Record) {
	r.Lighting.Bump = &BumpRecord{s.bump, s.bumpUnit, plane3(&m.light.normal, lane)}
}

func (s *lightingState) recordNormal(m *machine, lane int, r *Record) {
	r.Lighting.Normal = plane3(&m.light.normal, lane)
}

func (s *lightingState) recordTangent(m *machine, lane int, r *Record) {
	if s.bump == pica.BumpTangent {
		var v [3]float32
		for k := range v {
			v[k] = float32(float32(m.c[cTex0+s.bumpUnit][k][lane])*(1/127.5)) - 1
		}
		r.Lighting.Bump = &BumpRecord{s.bump, s.bumpUnit, v}
	}
	tangent := plane3(&m.light.tangent, lane)
	r.Lighting.Tangent = &tangent
}

func (s *lightingState) recordView(m *machine, lane int, r *Record) {
	view := plane3(&m.light.view, lane)
	r.Lighting.View = &view
}

func (s *lightingState) recordShadow(m *machine, lane int, r *Record) {
	f := [4]float32{3: 1}
	for k := range f[:3] {
		f[k] = m.light.shadow[k][lane]
	}
	if s.shadowAlpha {
		f[3] = m.light.shadow[3][lane]
	}
	r.Lighting.Shadow = &f
}

func (s *lightingState) recordAmbient(m *machine, lane int, r *Record) {
	ambient := m.v.light.ambient
	r.Lighting.Ambient = &ambient
	r.Lighting.Sums = [2][4]float32{}
	copy(r.Lighting.Sums[0][:], ambient[:])
}

// recordDistance records a look-up in the distance attenuation table.
func recordDistance(l *lightState) recorder {
	return func(m *machine, lane int, r *Record) {
		number, distance := tableDistance0+l.number, float32(0)
		if !l.directional {
			distance = m.light.dist[lane]
		}
		r.tables = append(r.tables, TableRecord{Number: number, X: distance, Entry: entryUnsigned(m.v.light.table[number], m.light.tmp[lane]),
			Scale: 1, Result: m.light.atten[lane]})
	}
}

// recordTable records a look-up with a dot product as input.
func recordTable(st *tableState, twoSided bool, number int, in, out plane) recorder {
	return func(m *machine, lane int, r *Record) {
		x, table := in(m)[lane], m.v.light.table[number]
		e := entryUnsigned(table, x)
		switch {
		case st.signed:
			e = entrySigned(table, x)
		case twoSided:
			e = entryUnsigned(table, abs32(x))
		}
		r.tables = append(r.tables, TableRecord{Number: number, Input: st.input, X: x, Entry: e, Scale: st.scale, Result: out(m)[lane]})
	}
}

// lightRecorder says which lane registers hold results when a light is done.
type lightRecorder struct {
	s                               *lightingState
	l                               *lightState
	at                              int
	lit, diffuse, specular, geo     bool
	vector, haveHalf, haveLN, atten bool
}

// record records the light that is done.
func (n lightRecorder) record(m *machine, lane int, r *Record) {
	l, v := n.l, &m.v.light.lights[n.at]
	one := func(has bool, p *raster.Plane, or float32) float32 {
		if has {
			return p[lane]
		}
		return or
	}
	out := LightRecord{
		Number: l.number, Directional: l.directional, TwoSided: l.twoSided, Position: v.position, Spot: v.spot, Tables: r.tables,
		Distance: one(n.vector, &m.light.dist, 0), HalfSquare: one(n.haveHalf, &m.light.halfSq, 0), LN: one(n.haveLN, &m.light.dotLN, 0), Lit: one(n.lit, &m.light.lit, 0),
		Attenuation: one(n.atten, &m.light.atten, 1), Diffuse: v.diffuse, Ambient: v.ambient, Specular: v.specular,
		D: [2]float32{1, 1}, Reflection: [3]float32{1, 1, 1}, Factor: 1,
	}
	r.tables = nil
	switch {
	case l.directional:
		out.L = v.position
	case n.vector:
		out.L = plane3(&m.light.light, lane)
	}
	if n.haveHalf {
		out.H = plane3(&m.light.half, lane)
	}
	if n.s.shadow && l.shadowed {
		out.Shadowed = n.s.shadowOn
	}
	if n.geo {
		geometric := m.light.geo[lane]
		out.Geometric = &geometric
	}
	if n.specular {
		out.Factor = one(n.s.clampHighlights, &m.light.high, out.Attenuation)
		for k, t := range [2]lightTable{tableD0, tableD1} {
			has := l.specular[k] != [3]float32{} && (n.s.tables[t].enabled || l.geometric[k])
			out.D[k] = one(has, [2]*raster.Plane{&m.light.d0, &m.light.d1}[k], 1)
		}
		for k, t := range [3]lightTable{tableRR, tableRG, tableRB} {
			if l.specular[1] != [3]float32{} {
				out.Reflection[k] = one(n.s.tables[t].enabled, &m.light.refl[k], out.Reflection[0])
			}
		}
		out.Secondary = r.Lighting.adds(1, m.light.secondary[:], lane)
	}
	if n.diffuse {
		out.Primary = r.Lighting.adds(0, m.light.primary[:], lane)
	}
	r.Lighting.Lights = append(r.Lighting.Lights, out)
}

// adds returns what a light adds to a sum.
func (l *LightingRecord) adds(sum int, to []raster.Plane, lane int) (v [3]float32) {
	for k := range v {
		now := to[k][lane]
		v[k], l.Sums[sum][k] = now-l.Sums[sum][k], now
	}
	return v
}
