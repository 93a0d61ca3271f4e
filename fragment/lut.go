package fragment

// Full scale of the fixed-point table entries. The register page calls the
// values 0.0.12 and 1.0.11 fixed point, which would make the greatest value
// 4095/4096; the divisors here make it 1.0, so that a white light with a full
// table is white. (Azahar uses the same; the hardware's choice is unmeasured
// and differs by less than one 8-bit step.)
const (
	lutValueOne    = 4095 // 12-bit values of lighting and procedural-texture tables
	lutDiffOne     = 2047 // 11-bit magnitude of lighting differences
	procTexDiffOne = 4095 // 12-bit two's-complement differences of procedural-texture tables
	fogOne         = 2047 // 11-bit values and differences of the fog table
)

// lutEntry is one decoded entry of an interpolated table: the value at the
// entry and the difference to the next.
type lutEntry struct{ value, diff float32 }

// lut256 and lut128 are decoded tables. They do not change while a draw holds
// them, so that draws that wait in a queue keep the tables they were set up with.
type (
	lut256 [256]lutEntry
	lut128 [128]lutEntry
)

// decodeLightEntry decodes a word of GPUREG_LIGHTING_LUT_DATA: bits 0-11 the
// value, bits 12-22 the magnitude of the difference, bit 23 its sign.
func decodeLightEntry(w uint32) lutEntry {
	e := lutEntry{float32(w&0xFFF) / lutValueOne, float32(w>>12&0x7FF) / lutDiffOne}
	if w>>23&1 != 0 {
		e.diff = -e.diff
	}
	return e
}

// decodeProcTexEntry decodes a word of the noise and mapping tables: bits 0-11
// the value, bits 12-23 the difference in two's complement.
func decodeProcTexEntry(w uint32) lutEntry {
	d := int32(w<<8) >> 20
	return lutEntry{float32(w&0xFFF) / lutValueOne, float32(d) / procTexDiffOne}
}

// decodeFogEntry decodes a word of GPUREG_FOG_LUT_DATA: bits 13-23 the value,
// bits 0-12 the difference in two's complement, 1.1.11 fixed point.
func decodeFogEntry(w uint32) lutEntry {
	d := int32(w<<19) >> 19
	return lutEntry{float32(w>>13&0x7FF) / fogOne, float32(d) / fogOne}
}

// tableCache holds the decoded form of the tables that draws used last. A
// table whose words did not change keeps its decoded form, whatever the
// version says.
type tableCache struct {
	light                   [24]cached[[256]uint32, lut256]
	fog                     cached[[128]uint32, lut128]
	noise, rgbMap, alphaMap cached[[128]uint32, lut128]
	procColor               cached[[512]uint32, procColors]
	gas                     cached[[16]uint32, gasLUT]
}

// cached is one decoded table with the words it was made from.
type cached[W comparable, D any] struct {
	raw     W
	now     *D
	version uint64 // of the tables when raw was compared with them last
	serial  uint64 // of the last draw that took now

	// Draws that wait keep the tables they were made with: what they may still
	// hold is set aside, and used again when they are done.
	old recycled[D]
}

// get returns the decoded form of the words for the draw with the number
// serial. decode is called if they are not those of the draw before.
func (c *cached[W, D]) get(raw *W, version uint64, decode func(*W, *D), t *turn) *D {
	if c.now == nil || c.version != version && c.raw != *raw {
		if c.now == nil || c.serial > t.released {
			if c.now != nil {
				c.old.retire(c.now, c.serial, t)
			}
			c.now = c.old.take(t)
		}
		c.raw = *raw
		decode(raw, c.now)
	}
	c.version, c.serial = version, t.serial
	return c.now
}

func decodeLightTable(raw *[256]uint32, d *lut256) {
	for i, w := range raw {
		d[i] = decodeLightEntry(w)
	}
}

func decodeProcTexTable(raw *[128]uint32, d *lut128) {
	for i, w := range raw {
		d[i] = decodeProcTexEntry(w)
	}
}

func decodeFog(raw *[128]uint32, d *lut128) {
	for i, w := range raw {
		d[i] = decodeFogEntry(w)
	}
}
