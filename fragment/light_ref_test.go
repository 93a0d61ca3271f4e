package fragment

import (
	"math"

	"pica200/pica"
)

// The float64 reference of fragment lighting for one fragment, written from the equations of the register page and the paper; it
// shares neither kernels nor tables with the engine.

type vec3 [3]float64

func (a vec3) add(b vec3) vec3 { return vec3{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }
func (a vec3) scale(k float64) vec3 {
	return vec3{a[0] * k, a[1] * k, a[2] * k}
}
func (a vec3) dot(b vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
func (a vec3) cross(b vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
func (a vec3) unit() vec3 {
	l := math.Sqrt(a.dot(a))
	if l == 0 {
		return vec3{}
	}
	return a.scale(1 / l)
}

func toVec3(v [3]float32) vec3 { return vec3{float64(v[0]), float64(v[1]), float64(v[2])} }

// refRotate rotates v by the normalized quaternion q = (x, y, z, w): q v q*.
func refRotate(q [4]float64, v vec3) vec3 {
	l := math.Sqrt(q[0]*q[0] + q[1]*q[1] + q[2]*q[2] + q[3]*q[3])
	u, s := vec3{q[0] / l, q[1] / l, q[2] / l}, q[3]/l
	return u.scale(2 * u.dot(v)).add(v.scale(s*s - u.dot(u))).add(u.cross(v).scale(2 * s))
}

func refClamp(x, lo, hi float64) float64 { return math.Min(math.Max(x, lo), hi) }

// refLightTable looks up a lighting table; the input is in 0..1, or -1..1 if signed.
func refLightTable(words *[256]uint32, x float64, signed bool) float64 {
	var i int
	var frac float64
	if signed {
		x = refClamp(x, -1, 1) * 128
		f := math.Min(math.Floor(x), 127)
		i, frac = int(f)&0xFF, x-f
	} else {
		x = refClamp(x, 0, 1) * 256
		f := math.Min(math.Floor(x), 255)
		i, frac = int(f), x-f
	}
	w := words[i]
	diff := float64(w >> 12 & 0x7FF)
	if w&(1<<23) != 0 {
		diff = -diff
	}
	return float64(w&0xFFF)/4095 + diff/2047*frac
}

// refFragment is the lighting input of one fragment.
type refFragment struct {
	quat [4]float64
	view vec3
	tex  [4][4]uint8
}

// refLighting returns the primary and secondary colour, unclamped.
func refLighting(s *lightingState, t *Tables, f refFragment) (primary, secondary [4]float64) {
	normal, tangent := vec3{0, 0, 1}, vec3{1, 0, 0}
	if s.bump != pica.BumpNone {
		c := f.tex[s.bumpUnit]
		p := vec3{float64(c[0])*2/255 - 1, float64(c[1])*2/255 - 1, float64(c[2])*2/255 - 1}
		if s.bump == pica.BumpNormal {
			if s.recalculateZ {
				p[2] = math.Sqrt(math.Max(0, 1-p[0]*p[0]-p[1]*p[1]))
			}
			normal = p
		} else {
			tangent = p
		}
	}
	n, tan, v := refRotate(f.quat, normal), refRotate(f.quat, tangent), f.view.unit()
	shadow := [4]float64{1, 1, 1, 1}
	if s.shadow {
		for k, c := range f.tex[s.shadowUnit] {
			shadow[k] = float64(c) / 255
			if s.invertShadow {
				shadow[k] = 1 - shadow[k]
			}
		}
	}
	for k, a := range s.ambient {
		primary[k] = float64(a)
	}
	primary[3], secondary[3] = 1, 1

	for i := range s.lights {
		li := &s.lights[i]
		toLight := toVec3(li.position)
		if !li.directional {
			toLight = toLight.add(f.view)
		}
		dist := math.Sqrt(toLight.dot(toLight))
		l := toLight.unit()
		half := l.add(v)
		h := half.unit()

		table := func(k lightTable) float64 {
			st := s.tables[k]
			if !st.enabled {
				return 1
			}
			var x float64
			switch st.input {
			case pica.LutInputNH:
				x = n.dot(h)
			case pica.LutInputVH:
				x = v.dot(h)
			case pica.LutInputNV:
				x = n.dot(v)
			case pica.LutInputLN:
				x = l.dot(n)
			case pica.LutInputSP:
				x = l.dot(toVec3(li.spot))
			case pica.LutInputCP:
				if s.hasCP {
					x = h.add(n.scale(-n.dot(h))).dot(tan)
				}
			}
			if !st.signed {
				if li.twoSided {
					x = math.Abs(x)
				} else {
					x = math.Max(x, 0)
				}
			}
			number := int(k)
			if k == tableSP {
				number = 8 + li.number
			}
			return float64(st.scale) * refLightTable(&t.Light[number], x, st.signed)
		}

		lit := l.dot(n)
		if li.twoSided {
			lit = math.Abs(lit)
		} else {
			lit = math.Max(lit, 0)
		}
		atten := 1.0
		if li.distAtten {
			atten = refLightTable(&t.Light[16+li.number], float64(li.distScale)*dist+float64(li.distBias), false)
		}
		if li.spotAtten {
			atten *= table(tableSP)
		}
		g := 0.0
		if sq := half.dot(half); sq != 0 {
			g = math.Min(lit/sq, 1)
		}
		high := 1.0
		if s.clampHighlights && lit == 0 {
			high = 0
		}
		refl := [3]float64{table(tableRR)}
		refl[1], refl[2] = refl[0], refl[0]
		if s.tables[tableRG].enabled {
			refl[1] = table(tableRG)
		}
		if s.tables[tableRB].enabled {
			refl[2] = table(tableRB)
		}
		d0, d1 := table(tableD0), table(tableD1)
		if li.geometric[0] {
			d0 *= g
		}
		if li.geometric[1] {
			d1 *= g
		}
		for k := range 3 {
			sp, ss := 1.0, 1.0
			if li.shadowed && s.shadowOn[0] {
				sp = shadow[k]
			}
			if li.shadowed && s.shadowOn[1] {
				ss = shadow[k]
			}
			primary[k] += (float64(li.diffuse[k])*lit*sp + float64(li.ambient[k])) * atten
			secondary[k] += (float64(li.specular[0][k])*d0 + float64(li.specular[1][k])*d1*refl[k]) * high * atten * ss
		}
		if i == len(s.lights)-1 && s.tables[tableFR].enabled {
			fr := table(tableFR)
			if s.alpha[0] {
				primary[3] = fr
			}
			if s.alpha[1] {
				secondary[3] = fr
			}
		}
	}
	if s.shadowAlpha {
		if s.alpha[0] {
			primary[3] *= shadow[3]
		}
		if s.alpha[1] {
			secondary[3] *= shadow[3]
		}
	}
	return primary, secondary
}

// refByte is the 8-bit colour of x before truncation.
func refByte(x float64) float64 { return refClamp(x, 0, 1) * 255 }
