package fragment

// Full scale of the fixed-point table entries. The register page calls the
// values 0.0.12 and 1.0.11 fixed point, which would make the greatest value
// 4095/4096. Here it is 1.0, so that a white light with a full table is white.
// (Azahar does the same. The console's choice is unmeasured and differs by less
// than one 8-bit step.)
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
// them, so queued draws keep their tables.
type (
	lut256 [256]lutEntry
	lut128 [128]lutEntry
)

// decodeLightEntry decodes a word of GPUREG_LIGHTING_LUT_DATA: bits 0-11 are
// the value, bits 12-22 the magnitude of the difference, bit 23 its sign.
func decodeLightEntry(w uint32) lutEntry {
	e := lutEntry{float32(w&0xFFF) / lutValueOne, float32(w>>12&0x7FF) / lutDiffOne}
	if w>>23&1 != 0 {
		e.diff = -e.diff
	}
	return e
}

// decodeProcTexEntry decodes a word of the noise and mapping tables: bits 0-11
// are the value, bits 12-23 the difference in two's complement.
func decodeProcTexEntry(w uint32) lutEntry {
	d := int32(w<<8) >> 20
	return lutEntry{float32(w&0xFFF) / lutValueOne, float32(d) / procTexDiffOne}
}

// decodeFogEntry decodes a word of GPUREG_FOG_LUT_DATA: bits 13-23 are the
// value, bits 0-12 the difference in two's complement, 1.1.11 fixed point.
func decodeFogEntry(w uint32) lutEntry {
	d := int32(w<<19) >> 19
	return lutEntry{float32(w>>13&0x7FF) / fogOne, float32(d) / fogOne}
}

// tableCache holds the decoded tables of the last draws. A table whose words
// did not change keeps its decoded form, even if the version changed.
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
	version uint64 // version of the tables when raw was last compared
	serial  uint64 // last draw that uses now

	// Queued draws keep their tables: replaced ones wait here, and are reused when
	// these draws are done.
	old recycled[D]
}

// get returns the decoded form of a table for draw turn.serial. It calls decode
// if the words changed.
func (c *cached[W, D]) get(raw *W, version uint64, decode func(*W, *D), t *drawSerials) *D {
	if c.now == nil || c.version != version && c.raw != *raw {
		if c.now == nil || c.serial > t.released {
			if c.now != nil {
				c.old.retire(c.now, t)
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
