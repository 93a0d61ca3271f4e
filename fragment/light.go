package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// lightOutputs says which results of lighting are read. Others are not
// computed.
type lightOutputs struct {
	primaryRGB, primaryA     bool
	secondaryRGB, secondaryA bool

	probed bool // every light ends with an op for its record
}

// decodeLighting reads the state of lighting.
func (c *compiler) decodeLighting() (*lightingState, error) { return decodeLighting(c.regs) }

// reads adds the planes of the textures that lighting reads: the bump or
// tangent map, and the shadow.
func (s *lightingState) reads(set *planeSet) {
	if !s.enabled {
		return
	}
	for ch := uint8(red); ch <= alpha; ch++ {
		if s.bump != pica.BumpNone && ch != alpha {
			set.add(planeRef{uint8(cTex0 + s.bumpUnit), ch})
		}
		if s.shadow && (ch != alpha || s.shadowAlpha) {
			set.add(planeRef{uint8(cTex0 + s.shadowUnit), ch})
		}
	}
}

// reads reports whether anything reads a channel of a colour register.
func (c *compiler) reads(reg, channel uint8) bool { return c.used.has(planeRef{reg, channel}) }

// lighting adds the ops that compute cFragPrimary and cFragSecondary, as far as
// they are read (c.used).
func (c *compiler) lighting(s *lightingState) error {
	want := lightOutputs{primaryA: c.reads(cFragPrimary, alpha), secondaryA: c.reads(cFragSecondary, alpha)}
	for ch := uint8(red); ch <= blue; ch++ {
		want.primaryRGB = want.primaryRGB || c.reads(cFragPrimary, ch)
		want.secondaryRGB = want.secondaryRGB || c.reads(cFragSecondary, ch)
	}
	if c.program.insight != nil {
		want = lightOutputs{true, true, true, true, true} // a probe shows everything
	}
	if s.enabled {
		c.interpolate(fQuatX, 4)
		c.interpolate(fViewX, 3)
	}
	ops, tables := compileLighting(s, want)
	for _, o := range ops {
		c.emit(o)
	}
	if s.enabled {
		c.program.wants.light, c.program.wants.lightTables = true, tables
	}
	return nil
}

// compileLighting makes the micro-ops of fragment lighting: from the quaternion
// and view registers and the texture colours to cFragPrimary and
// cFragSecondary.
//
// The equations (Kazakov and Ohbuchi, "Primitive Processing and Advanced
// Shading Architecture for Embedded Space", 3.2.2, in 3dbrew's terms), summed
// over the lights in use:
//
//	primary   = ambient + sum (diffuse * lit * shadow + ambient_i) * DA * SP
//	secondary = sum (specular0 * D0 * G + specular1 * D1 * (RR, RG, RB) * G) * DA * SP * shadow
//	alpha     = FR of the last light, times the shadow's alpha
//
// where lit is L.N, clamped or absolute, and G the geometric factor. The draw's
// lightValues hold the values. The result tables is the set of tables that are
// read, bit i for table i.
func compileLighting(s *lightingState, want lightOutputs) (ops []op, tables uint32) {
	if !s.enabled {
		return darkness(want), 0
	}
	c := lightCompiler{s: s, probed: want.probed, ops: make([]op, 0, 12+10*len(s.lights))}
	fresnel := s.tables[tableFR].enabled
	alphaP := want.primaryA && s.alpha[0] && fresnel
	alphaS := want.secondaryA && s.alpha[1] && fresnel
	c.surface(want, alphaP || alphaS)

	if want.primaryRGB {
		c.emit("light: ambient", func(m *machine) {
			for k, v := range m.v.light.ambient {
				fill(m.with, &m.light.primary[k], v, m.n)
			}
		})
		c.record(s.recordAmbient)
	}
	if want.secondaryRGB {
		c.emit("light: clear secondary", func(m *machine) {
			for k := range 3 {
				fill(m.with, &m.light.secondary[k], 0, m.n)
			}
		})
	}
	for i := range s.lights {
		last := i == len(s.lights)-1
		c.at = i
		c.oneLight(&s.lights[i], want, last && (alphaP || alphaS))
	}

	c.light = nil

	// Alpha is 1 without a Fresnel factor.
	c.alpha(cFragPrimary, want.primaryA, alphaP, s.alpha[0])
	c.alpha(cFragSecondary, want.secondaryA, alphaS, s.alpha[1])
	if want.primaryRGB {
		c.emit("light: primary to bytes", func(m *machine) {
			for k := range 3 {
				toByte(m.with, &m.c[cFragPrimary][k], &m.light.primary[k], m.n)
			}
		})
	}
	if want.secondaryRGB {
		c.emit("light: secondary to bytes", func(m *machine) {
			for k := range 3 {
				toByte(m.with, &m.c[cFragSecondary][k], &m.light.secondary[k], m.n)
			}
		})
	}
	return c.ops, c.tables
}

// darkness makes the results of disabled lighting: all 0, as in Azahar and
// Panda3DS.
func darkness(want lightOutputs) []op {
	var ops []op
	if want.primaryRGB || want.primaryA {
		ops = append(ops, op{name: "light: off, primary 0", run: func(m *machine) { m.c[cFragPrimary] = m.c[cZero] }})
	}
	if want.secondaryRGB || want.secondaryA {
		ops = append(ops, op{name: "light: off, secondary 0", run: func(m *machine) { m.c[cFragSecondary] = m.c[cZero] }})
	}
	return ops
}

// quaternion and viewVector return interpolated attributes as arrays.
func (m *machine) quaternion() *quaternions { return (*quaternions)(m.f[fQuatX : fQuatW+1]) }
func (m *machine) viewVector() *vectors     { return (*vectors)(m.f[fViewX : fViewZ+1]) }

// lightCompiler collects the micro-ops and knows what the lane registers of the
// current light hold.
type lightCompiler struct {
	s      *lightingState
	ops    []op
	tables uint32 // tables that are read

	light            *lightState
	at               int // index of the current light in the order, and in lightValues
	haveNV           bool
	haveHalf, haveLN bool
	probed           bool // every light ends with an op for its record
	entryKeys        [numEntries]entriesKey
	haveInput        bool // m.light.in holds the input inputKey
	inputKey         pica.LutInput
}

func (c *lightCompiler) emit(name string, f func(m *machine)) {
	o := op{name: name, run: f}
	if c.light != nil {
		o.index = uint8(c.light.number)
	}
	c.ops = append(c.ops, o)
}

// record sets the recorder of the last op.
func (c *lightCompiler) record(r recorder) { c.ops[len(c.ops)-1].record = r }

// surface computes the vectors that all lights share, normal, tangent and view,
// and the shadow attenuation.
func (c *lightCompiler) surface(want lightOutputs, fresnel bool) {
	s := c.s
	c.emit("light: normalise quaternion", func(m *machine) {
		unitQuaternion(m.with, m.quaternion(), m.n)
	})
	c.record(s.recordQuaternion)

	src := cTex0 + s.bumpUnit
	if s.bump == pica.BumpNormal {
		c.emit("light: bump from texture", func(m *machine) {
			perturb(m.with, &m.light.normal, &m.c[src], m.n)
		})
		if s.recalculateZ {
			c.emit("light: recalculate bump z", func(m *machine) { recalculateZ(m.with, &m.light.normal, m.n) })
		}
		c.record(s.recordBump)
		c.emit("light: rotate normal", func(m *machine) {
			rotate(m.with, &m.light.normal, m.quaternion(), m.n)
		})
		c.record(s.recordNormal)
	} else {
		c.emit("light: normal", func(m *machine) {
			rotateNormal(m.with, &m.light.normal, m.quaternion(), m.n)
		})
		c.record(s.recordNormal)
	}

	secondary := want.secondaryRGB
	if c.reads(pica.LutInputCP, secondary, fresnel) && s.hasCP {
		if s.bump == pica.BumpTangent {
			// Recalculating z does not apply: confirmed on the console that it
			// changes nothing for tangents (Azahar's shader generator).
			c.emit("light: tangent from texture", func(m *machine) {
				perturb(m.with, &m.light.tangent, &m.c[src], m.n)
				rotate(m.with, &m.light.tangent, m.quaternion(), m.n)
			})
			c.record(s.recordTangent)
		} else {
			c.emit("light: tangent", func(m *machine) {
				rotateTangent(m.with, &m.light.tangent, m.quaternion(), m.n)
			})
			c.record(s.recordTangent)
		}
	}

	view := c.reads(pica.LutInputNH, secondary, fresnel) || c.reads(pica.LutInputVH, secondary, fresnel) ||
		c.reads(pica.LutInputNV, secondary, fresnel) || c.reads(pica.LutInputCP, secondary, fresnel)
	for i := range s.lights {
		view = view || secondary && (s.lights[i].geometric[0] || s.lights[i].geometric[1])
	}
	if view {
		c.emit("light: normalise view", func(m *machine) {
			unit(m.with, &m.light.view, m.viewVector(), m.n)
		})
		c.record(s.recordView)
	}

	if s.shadow {
		unit, invert := cTex0+s.shadowUnit, s.invertShadow
		from := 0
		if !(s.shadowOn[0] && want.primaryRGB) && !(s.shadowOn[1] && want.secondaryRGB) {
			from = 3
		}
		to := 4
		if !s.shadowAlpha {
			to = 3
		}
		if from < to {
			c.emit("light: shadow from texture", func(m *machine) {
				for k := from; k < to; k++ {
					shadowFactor(m.with, &m.light.shadow[k], &m.c[unit][k], invert, m.n)
				}
			})
			c.record(s.recordShadow)
		}
	}
}

// reads reports whether any table in use has this input.
func (c *lightCompiler) reads(in pica.LutInput, secondary, fresnel bool) bool {
	for k := range c.s.tables {
		t := &c.s.tables[k]
		if !t.enabled || t.input != in {
			continue
		}
		switch lightTable(k) {
		case tableFR:
			if fresnel {
				return true
			}
		case tableSP:
			for i := range c.s.lights {
				if c.s.lights[i].spotAtten {
					return true
				}
			}
		default:
			if secondary {
				return true
			}
		}
	}
	return false
}

// oneLight adds the contribution of one light.
func (c *lightCompiler) oneLight(l *lightState, want lightOutputs, fresnel bool) {
	s := c.s
	c.light, c.haveHalf, c.haveLN, c.haveInput = l, false, false, false
	c.entryKeys[entriesIn], c.entryKeys[entriesLN] = entriesKey{}, entriesKey{} // N.V stays: it is the same for all lights
	n := lightRecorder{s: s, l: l, at: c.at}
	if c.probed {
		defer func() {
			n.haveHalf, n.haveLN = c.haveHalf, c.haveLN
			c.emit("light: end", func(*machine) {})
			c.record(n.record)
		}()
	}
	diffuse := want.primaryRGB && (l.diffuse != [3]float32{} || l.ambient != [3]float32{})
	specular := want.secondaryRGB && l.specular != [2][3]float32{}
	if !diffuse && !specular && !fresnel {
		return
	}

	at := c.at
	if !l.directional {
		c.emit("light: vector", func(m *machine) {
			towards(m.with, &m.light.light, &m.light.dist, m.v.light.lights[at].position, m.viewVector(), m.n)
		})
		n.vector = true
	}

	// The diffuse term, clamped highlights and the geometric factor need lit.
	geometric := specular && (l.geometric[0] || l.geometric[1])
	if diffuse || specular && s.clampHighlights || geometric {
		c.lightDotNormal()
		side := oneSided
		if l.twoSided {
			side = twoSided
		}
		c.emit("light: lit", func(m *machine) { side(m.with, &m.light.lit, &m.light.dotLN, m.n) })
		n.lit = true
	}

	if diffuse || specular {
		atten := c.attenuation()
		n.diffuse, n.specular, n.geo = diffuse, specular, geometric
		n.atten = l.distAtten || l.spotAtten && s.tables[tableSP].enabled
		if diffuse {
			c.diffuse(l, atten)
		}
		if specular {
			c.specular(l, atten, geometric)
		}
	}
	if fresnel {
		c.lookup(tableFR, func(m *machine) *raster.Plane { return &m.light.fr })
	}
}

// plane selects a lane register of the machine.
type plane func(m *machine) *raster.Plane

func ones(*machine) *raster.Plane { return &onePlane }

// attenuation computes distance times spot attenuation and returns its
// register.
func (c *lightCompiler) attenuation() plane {
	l, at := c.light, c.at
	atten := func(m *machine) *raster.Plane { return &m.light.atten }
	if l.distAtten {
		t := c.table(tableDistance0 + l.number)
		c.entryKeys[entriesIn] = entriesKey{}
		if l.directional {
			c.emit("light: distance attenuation", func(m *machine) {
				fill(m.with, &m.light.tmp, m.v.light.lights[at].distance, m.n)
				entriesUnsigned(m.with, &m.light.entries[entriesIn], &m.light.tmp, m.n)
				lookup(m.with, &m.light.atten, &m.light.entries[entriesIn], m.v.light.table[t], 1, m.n)
			})
		} else {
			c.emit("light: distance attenuation", func(m *machine) {
				v := &m.v.light.lights[at]
				scaleBias(m.with, &m.light.tmp, &m.light.dist, v.distScale, v.distBias, m.n)
				entriesUnsigned(m.with, &m.light.entries[entriesIn], &m.light.tmp, m.n)
				lookup(m.with, &m.light.atten, &m.light.entries[entriesIn], m.v.light.table[t], 1, m.n)
			})
		}
		c.record(recordDistance(l))
	}
	switch spot := l.spotAtten && c.s.tables[tableSP].enabled; {
	case spot && l.distAtten:
		c.lookup(tableSP, func(m *machine) *raster.Plane { return &m.light.high })
		c.emit("light: attenuation", func(m *machine) {
			mul(m.with, &m.light.atten, &m.light.atten, &m.light.high, m.n)
		})
	case spot:
		c.lookup(tableSP, atten)
	case !l.distAtten:
		return ones
	}
	return atten
}

// diffuse adds the light to the primary colour.
func (c *lightCompiler) diffuse(l *lightState, atten plane) {
	at := c.at
	if c.s.shadow && c.s.shadowOn[0] && l.shadowed {
		c.emit("light: add diffuse, shadowed", func(m *machine) {
			v := &m.v.light.lights[at]
			addDiffuseShadowed(m.with, &m.light.primary, &m.light.lit, atten(m), &m.light.shadow, v.diffuse, v.ambient, m.n)
		})
		return
	}
	c.emit("light: add diffuse", func(m *machine) {
		v := &m.v.light.lights[at]
		addDiffuse(m.with, &m.light.primary, &m.light.lit, atten(m), v.diffuse, v.ambient, m.n)
	})
}

// specular adds the light to the secondary colour.
func (c *lightCompiler) specular(l *lightState, atten plane, geometric bool) {
	s := c.s
	if geometric {
		c.halfVector()
		c.emit("light: geometric factor", func(m *machine) {
			geometricFactor(m.with, &m.light.geo, &m.light.lit, &m.light.halfSq, m.n)
		})
	}
	factor := atten
	if s.clampHighlights {
		factor = func(m *machine) *raster.Plane { return &m.light.high }
		c.emit("light: clamp highlights", func(m *machine) {
			clampHighlight(m.with, &m.light.high, atten(m), &m.light.lit, m.n)
		})
	}
	var term [2]plane
	tables := [2]lightTable{tableD0, tableD1}
	for k := range term {
		term[k] = ones
		if l.specular[k] == ([3]float32{}) {
			continue
		}
		dst := func(m *machine) *raster.Plane { return &m.light.d0 }
		if k == 1 {
			dst = func(m *machine) *raster.Plane { return &m.light.d1 }
		}
		if s.tables[tables[k]].enabled {
			c.lookup(tables[k], dst)
			term[k] = dst
		}
		if l.geometric[k] {
			src := term[k]
			c.emit("light: geometric term", func(m *machine) {
				mul(m.with, dst(m), src(m), &m.light.geo, m.n)
			})
			term[k] = dst
		}
	}

	shadow := [3]plane{ones, ones, ones}
	shadowed := s.shadow && s.shadowOn[1] && l.shadowed
	if shadowed {
		for k := range shadow {
			shadow[k] = func(m *machine) *raster.Plane { return &m.light.shadow[k] }
		}
	}
	at, black1 := c.at, l.specular[1] == [3]float32{}
	if black1 && !shadowed {
		c.emit("light: add specular 0", func(m *machine) {
			addSpecular0(m.with, &m.light.secondary, term[0](m), factor(m), m.v.light.lights[at].specular[0], m.n)
		})
		return
	}
	refl := c.reflection(black1)
	c.emit("light: add specular", func(m *machine) {
		k := &m.v.light.lights[at].specular
		addSpecular(m.with, &m.light.secondary, term[0](m), term[1](m), factor(m),
			[3]*raster.Plane{refl[0](m), refl[1](m), refl[2](m)},
			[3]*raster.Plane{shadow[0](m), shadow[1](m), shadow[2](m)}, k[0], k[1], m.n)
	})
}

// reflection computes the factors of specular term 1: RR, or 1 without it; RG
// and RB, or the same as red without them. If the term is black they do not
// matter.
func (c *lightCompiler) reflection(black bool) (refl [3]plane) {
	refl = [3]plane{ones, ones, ones}
	if black {
		return refl
	}
	for k, t := range [3]lightTable{tableRR, tableRG, tableRB} {
		switch {
		case c.s.tables[t].enabled:
			refl[k] = func(m *machine) *raster.Plane { return &m.light.refl[k] }
			c.lookup(t, refl[k])
		case k > 0:
			refl[k] = refl[0]
		}
	}
	return refl
}

// alpha writes the alpha of a result: the Fresnel factor or 1, times the
// shadow's alpha if the Fresnel selector includes the result.
func (c *lightCompiler) alpha(dst int, want, fresnel, selected bool) {
	s := c.s
	if !want {
		return
	}
	src := ones
	if fresnel {
		src = func(m *machine) *raster.Plane { return &m.light.fr }
	}
	if s.shadow && s.shadowAlpha && selected {
		c.emit("light: shadow on alpha", func(m *machine) {
			mul(m.with, &m.light.tmp, src(m), &m.light.shadow[3], m.n)
			toByte(m.with, &m.c[dst][alpha], &m.light.tmp, m.n)
		})
		return
	}
	c.emit("light: alpha", func(m *machine) { toByte(m.with, &m.c[dst][alpha], src(m), m.n) })
}
