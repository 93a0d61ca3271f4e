package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// noteLight is the name of the op with which a light begins in probed programs.
const noteLight = "light: begin"

// noteOf wraps a note of lighting.
func noteOf(f func(m *machine, lane int, r *LightingRecord)) note {
	return func(m *machine, lane int, r *Record) {
		if r.Light == nil {
			r.Light = &LightingRecord{Lights: []LightRecord{}}
			r.Light.Primary[3], r.Light.Secondary[3] = 1, 1
		}
		f(m, lane, r.Light)
	}
}

// ofLight wraps a note of the light at hand. at is its place in the order.
func (in *insight) ofLight(f func(m *machine, lane int, r *LightingRecord, l *LightRecord, at int)) note {
	return noteOf(func(m *machine, lane int, r *LightingRecord) {
		at := len(r.Lights) - 1
		f(m, lane, r, &r.Lights[at], at)
	})
}

// noteLight gives the note of an op of lighting, or nil.
func (in *insight) noteLight(name string) note {
	s := in.lighting
	switch name {
	case noteLight:
		return noteOf(in.beginLight)
	case "light: normalise quaternion":
		return noteOf(func(m *machine, lane int, r *LightingRecord) {
			for k := range r.Quaternion {
				r.Quaternion[k] = Float(m.quaternion()[k][lane])
			}
		})
	case "light: bump from texture", "light: recalculate bump z":
		return noteOf(func(m *machine, lane int, r *LightingRecord) {
			r.Bump = &BumpRecord{s.bump.String(), s.bumpUnit, plane3(&m.light.normal, lane)}
		})
	case "light: normal", "light: rotate normal":
		return noteOf(func(m *machine, lane int, r *LightingRecord) { r.Normal = plane3(&m.light.normal, lane) })
	case "light: tangent", "light: tangent from texture":
		return noteOf(func(m *machine, lane int, r *LightingRecord) {
			t := plane3(&m.light.tangent, lane)
			r.Tangent = &t
			if s.bump == pica.BumpTangent {
				var v [3]float32
				for k := range v {
					v[k] = float32(float32(m.c[cTex0+s.bumpUnit][k][lane])*(1/127.5)) - 1
				}
				r.Bump = &BumpRecord{s.bump.String(), s.bumpUnit, floats3(v)}
			}
		})
	case "light: normalise view":
		return noteOf(func(m *machine, lane int, r *LightingRecord) { r.View = plane3(&m.light.view, lane) })
	case "light: shadow from texture":
		return noteOf(func(m *machine, lane int, r *LightingRecord) {
			r.Shadow = new([4]Float)
			for k := range r.Shadow {
				r.Shadow[k] = Float(m.light.shadow[k][lane])
			}
			if !s.shadowAlpha {
				r.Shadow[3] = 1
			}
		})
	case "light: ambient":
		return noteOf(func(m *machine, _ int, r *LightingRecord) {
			r.Ambient = floats3(m.v.light.ambient)
			copy(r.Primary[:], r.Ambient[:])
		})
	case "light: primary to bytes", "light: secondary to bytes", "light: alpha", "light: shadow on alpha":
		return in.noteAlpha
	}
	return in.noteTerm(name)
}

// noteAlpha reads the alphas of both results as they are before they become bytes.
func (in *insight) noteAlpha(m *machine, lane int, r *Record) {
	s := in.lighting
	if r.Light == nil {
		return
	}
	for k, of := range []*[4]Float{&r.Light.Primary, &r.Light.Secondary} {
		a := float32(1)
		if s.alpha[k] && s.tables[tableFR].enabled {
			a = m.light.fr[lane]
			fr := Float(a)
			r.Light.Fresnel = &fr
		}
		if s.alpha[k] && s.shadow && s.shadowAlpha {
			a *= m.light.shadow[3][lane]
		}
		of[3] = Float(a)
	}
}

// beginLight begins the record of the next light.
func (in *insight) beginLight(m *machine, lane int, r *LightingRecord) {
	at := len(r.Lights)
	l, v := &in.lighting.lights[at], &m.v.light.lights[at]
	one := LightRecord{
		Light: l.number, Directional: l.directional, TwoSided: l.twoSided,
		Position: floats3(v.position), Spot: floats3(v.spot), Diffuse: floats3(v.diffuse), Ambient: floats3(v.ambient),
		Specular: [2][3]Float{floats3(v.specular[0]), floats3(v.specular[1])},
		Tables:   []LightTableRecord{}, Attenuation: 1, D: [2]Float{1, 1}, Reflection: [3]Float{1, 1, 1}, Factor: 1,
	}
	if l.directional {
		one.L = one.Position
	}
	if in.lighting.shadow && l.shadowed {
		one.Shadowed = in.lighting.shadowOn
	}
	r.Lights = append(r.Lights, one)
}

// noteTerm gives the note of an op of one light, or nil.
func (in *insight) noteTerm(name string) note {
	s := in.lighting
	switch name {
	case "light: vector":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			l.L, l.Distance = plane3(&m.light.light, lane), Float(m.light.dist[lane])
		})
	case "light: L.N":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			l.LN = Float(m.light.dotLN[lane])
		})
	case "light: lit":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) { l.Lit = Float(m.light.lit[lane]) })
	case "light: half vector":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			l.H, l.HalfSquare = plane3(&m.light.half, lane), Float(m.light.halfSq[lane])
		})
	case "light: geometric factor":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			g := Float(m.light.geo[lane])
			l.Geometric = &g
		})
	case "light: distance attenuation":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			number := tableDistance0 + l.Light
			e := entryUnsigned(m.v.light.table[number], m.light.tmp[lane])
			l.Attenuation = Float(m.light.atten[lane])
			l.Tables = append(l.Tables, LightTableRecord{
				Table: "DA", Number: number, Dot: "distance", X: l.Distance, EntryRecord: e, Scale: 1, Result: l.Attenuation,
			})
		})
	case "light: attenuation":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			l.Attenuation = Float(m.light.atten[lane])
		})
	case "light: clamp highlights":
		return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, _ int) {
			l.Factor = Float(m.light.high[lane])
		})
	case "light: add diffuse", "light: add diffuse, shadowed":
		return in.ofLight(func(m *machine, lane int, r *LightingRecord, l *LightRecord, _ int) {
			for k := range l.Primary {
				now := Float(m.light.primary[k][lane])
				l.Primary[k], r.Primary[k] = now-r.Primary[k], now
			}
		})
	case "light: add specular", "light: add specular 0":
		return in.ofLight(func(m *machine, lane int, r *LightingRecord, l *LightRecord, at int) {
			of := &s.lights[at]
			if !s.clampHighlights {
				l.Factor = l.Attenuation
			}
			for k, t := range [2]lightTable{tableD0, tableD1} {
				if of.specular[k] != [3]float32{} && (s.tables[t].enabled || of.geometric[k]) {
					l.D[k] = Float([2]*raster.Plane{&m.light.d0, &m.light.d1}[k][lane])
				}
			}
			if of.specular[1] != [3]float32{} {
				for k, t := range [3]lightTable{tableRR, tableRG, tableRB} {
					switch {
					case s.tables[t].enabled:
						l.Reflection[k] = Float(m.light.refl[k][lane])
					case k > 0:
						l.Reflection[k] = l.Reflection[0]
					}
				}
			}
			for k := range l.Secondary {
				now := Float(m.light.secondary[k][lane])
				l.Secondary[k], r.Secondary[k] = now-r.Secondary[k], now
			}
		})
	}
	for k, n := range lookupNames {
		if n == name {
			return in.ofLight(func(m *machine, lane int, _ *LightingRecord, l *LightRecord, at int) {
				in.noteTable(m, lane, l, at, lightTable(k))
			})
		}
	}
	return nil
}

// noteTable notes a look-up with a scalar product.
func (in *insight) noteTable(m *machine, lane int, l *LightRecord, at int, k lightTable) {
	s := in.lighting
	st, of := &s.tables[k], &s.lights[at]
	x := m.light.in[lane]
	switch st.input {
	case pica.LutInputNV:
		x = m.light.dotNV[lane]
	case pica.LutInputLN:
		x = m.light.dotLN[lane]
	}
	number := int(k)
	if k == tableSP {
		number = tableSpot0 + of.number
	}
	t := LightTableRecord{Table: k.String(), Number: number, Dot: st.input.String(), X: Float(x), Scale: Float(st.scale)}
	table := m.v.light.table[number]
	switch {
	case st.signed:
		t.EntryRecord = entrySigned(table, x)
	case of.twoSided:
		t.EntryRecord = entryUnsigned(table, abs32(x))
	default:
		t.EntryRecord = entryUnsigned(table, x)
	}
	spot := &m.light.atten
	if of.distAtten {
		spot = &m.light.high
	}
	t.Result = Float([numLightTables]*raster.Plane{
		tableD0: &m.light.d0, tableD1: &m.light.d1, tableSP: spot, tableFR: &m.light.fr,
		tableRB: &m.light.refl[2], tableRG: &m.light.refl[1], tableRR: &m.light.refl[0],
	}[k][lane])
	if k == tableSP && !of.distAtten {
		l.Attenuation = t.Result
	}
	l.Tables = append(l.Tables, t)
}
