package fragment

import "unsafe"

// Tables holds the look-up tables of the fragment stage as raw words, as they
// were uploaded through their FIFO registers. Version grows with every upload,
// so that derived data can be cached.
type Tables struct {
	Version uint64

	// Light holds the 24 tables of GPUREG_LIGHTING_LUT_DATA (0x1C8-0x1CF),
	// 256 entries each: bits 0-11 value, bits 12-23 difference to the next.
	// Index: 0 D0, 1 D1, 3 FR, 4 RB, 5 RG, 6 RR, 8+i spot light i,
	// 16+i distance attenuation of light i (GPUREG_LIGHTING_LUT_INDEX, 0x1C5).
	Light [24][256]uint32

	// Fog holds the 128 entries of GPUREG_FOG_LUT_DATA (0xE8-0xEF): bits 0-12
	// signed difference to the next, bits 13-23 value.
	Fog [128]uint32

	// Gas holds the 16 words of GPUREG_GAS_LUT_DATA (0x124): 0-7 differences,
	// 8-15 colours.
	Gas [16]uint32

	// Procedural texture (GPUREG_PROCTEX_LUT_DATA, 0xB0-0xB7): noise, RGB map
	// and alpha map of 128 entries, colours and colour differences of 256.
	ProcNoise     [128]uint32
	ProcRGBMap    [128]uint32
	ProcAlphaMap  [128]uint32
	ProcColor     [256]uint32 // procColors reads it together with the next field
	ProcColorDiff [256]uint32
}

// procColors returns the colour table of the procedural texture and its
// differences, which are adjacent, as one array.
func (t *Tables) procColors() *[512]uint32 { return (*[512]uint32)(unsafe.Pointer(&t.ProcColor)) }
