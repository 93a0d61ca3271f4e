package fragment

import (
	"math"

	"pica200/pica"
	"pica200/raster"
)

// table records that a lighting table is read, and returns its number n.
func (c *lightCompiler) table(n int) int {
	c.tables |= 1 << n
	return n
}

// lookupNames name the look-ups for inspection.
var lookupNames = [numLightTables]string{
	"light: table D0", "light: table D1", "light: table SP", "light: table FR",
	"light: table RB", "light: table RG", "light: table RR",
}

// lookup looks the current light's input up in a table, into dst.
//
// Without the "disable" bit of the abs flag, the table covers 0..1: it is read
// at abs(x) if the light is two-sided, otherwise at max(x, 0). With the bit, it
// covers -1..1.
func (c *lightCompiler) lookup(t lightTable, dst plane) {
	st := &c.s.tables[t]
	number := int(t)
	if t == tableSP {
		number = tableSpot0 + c.light.number
	}
	lut := c.table(number)
	scale := st.scale
	name, in, at := lookupNames[t], c.input(st.input), c.entries(st)
	c.emit(name, func(m *machine) { lookup(m.with, dst(m), &m.light.entries[at], m.v.light.table[lut], scale, m.n) })
	c.record(recordTable(st, c.light.twoSided, lut, in, dst))
}

// Indices into lightPlanes.entries: for inputs that share a register, and for
// the others.
const (
	entriesIn = iota
	entriesLN
	entriesNV
	numEntries
)

// entriesKey identifies the input of entries. The zero key means none.
type entriesKey struct {
	of       pica.LutInput
	signed   bool
	twoSided bool
	valid    bool
}

// entries computes the positions at which a table is read and returns their index.
// Tables with the same input share them. The input must be computed already.
func (c *lightCompiler) entries(st *tableState) (at int) {
	switch st.input {
	case pica.LutInputLN:
		at = entriesLN
	case pica.LutInputNV:
		at = entriesNV
	}
	key := entriesKey{of: st.input, signed: st.signed, twoSided: !st.signed && c.light.twoSided, valid: true}
	if c.entryKeys[at] == key {
		return at
	}
	c.entryKeys[at] = key
	in := c.input(st.input)
	switch {
	case key.signed:
		c.emit("light: table entries", func(m *machine) { entriesSigned(m.with, &m.light.entries[at], in(m), m.n) })
	case key.twoSided:
		c.emit("light: table entries", func(m *machine) {
			twoSided(m.with, &m.light.tmp, in(m), m.n)
			entriesUnsigned(m.with, &m.light.entries[at], &m.light.tmp, m.n)
		})
	default:
		c.emit("light: table entries", func(m *machine) { entriesUnsigned(m.with, &m.light.entries[at], in(m), m.n) })
	}
	return at
}

// input computes a table input and returns its register.
func (c *lightCompiler) input(in pica.LutInput) plane {
	here := func(m *machine) *raster.Plane { return &m.light.in }
	switch in { // inputs with their own registers
	case pica.LutInputNV:
		if !c.haveNV {
			c.haveNV = true
			c.emit("light: N.V", func(m *machine) { dot(m.with, &m.light.dotNV, &m.light.normal, &m.light.view, m.n) })
		}
		return func(m *machine) *raster.Plane { return &m.light.dotNV }
	case pica.LutInputLN:
		c.lightDotNormal()
		return func(m *machine) *raster.Plane { return &m.light.dotLN }
	}
	if c.haveInput && c.inputKey == in {
		return here
	}
	c.haveInput, c.inputKey = true, in
	switch in {
	case pica.LutInputNH:
		c.halfVector()
		c.emit("light: N.H", func(m *machine) { dot(m.with, &m.light.in, &m.light.normal, &m.light.half, m.n) })
	case pica.LutInputVH:
		c.halfVector()
		c.emit("light: V.H", func(m *machine) { dot(m.with, &m.light.in, &m.light.view, &m.light.half, m.n) })
	case pica.LutInputSP:
		at := c.at
		if c.light.directional {
			c.emit("light: L.P", func(m *machine) { fill(m.with, &m.light.in, m.v.light.lights[at].spotCos, m.n) })
		} else {
			c.emit("light: L.P", func(m *machine) { dotConst(m.with, &m.light.in, &m.light.light, m.v.light.lights[at].spot, m.n) })
		}
	case pica.LutInputCP:
		if !c.s.hasCP {
			c.emit("light: cos phi, not in this configuration", func(m *machine) { fill(m.with, &m.light.in, 0, m.n) })
			break
		}
		c.halfVector()
		c.emit("light: cos phi", func(m *machine) {
			dotProjected(m.with, &m.light.in, &m.light.half, &m.light.normal, &m.light.tangent, m.n)
		})
	}
	return here
}

// halfVector computes the half vector of the current light, once.
func (c *lightCompiler) halfVector() {
	if c.haveHalf {
		return
	}
	c.haveHalf = true
	if c.light.directional {
		at := c.at
		c.emit("light: half vector", func(m *machine) {
			halfVectorTo(m.with, &m.light.half, &m.light.halfSq, m.v.light.lights[at].position, &m.light.view, m.n)
		})
		return
	}
	c.emit("light: half vector", func(m *machine) {
		halfVector(m.with, &m.light.half, &m.light.halfSq, &m.light.light, &m.light.view, m.n)
	})
}

// lightDotNormal computes L.N of the current light, once.
func (c *lightCompiler) lightDotNormal() {
	if c.haveLN {
		return
	}
	c.haveLN = true
	if c.light.directional {
		at := c.at
		c.emit("light: L.N", func(m *machine) {
			dotConst(m.with, &m.light.dotLN, &m.light.normal, m.v.light.lights[at].position, m.n)
		})
		return
	}
	c.emit("light: L.N", func(m *machine) { dot(m.with, &m.light.dotLN, &m.light.light, &m.light.normal, m.n) })
}

// dot3, vectorLength and direction compute for constants what the kernels
// compute for lanes, with the same rounding.
func dot3(a, b [3]float32) float32 {
	return float32(a[0]*b[0]) + float32(a[1]*b[1]) + float32(a[2]*b[2])
}

func vectorLength(v [3]float32) float32 { return float32(math.Sqrt(float64(dot3(v, v)))) }

func direction(v [3]float32) [3]float32 {
	r := inverseLength(dot3(v, v))
	return [3]float32{v[0] * r, v[1] * r, v[2] * r}
}
