package fragment

import (
	"cmp"

	"pica200/pica"
)

// procTexState is the state of the procedural texture unit
// (GPUREG_TEXUNIT3_PROCTEX0-5 and GPUREG_00AE, 0x0A8-0x0AE). Undocumented values do what they
// do in Azahar: clamp modes 5 to 7 clamp to the edge, mapping functions 10 to
// 15 give 0, shift 3 shifts nothing, texture coordinates 3 are those of unit 0,
// and filters 6 and 7 are 0 and 1.
type procTexState struct {
	coordinate int // 0-2: which texture coordinates it uses

	clamp         [2]pica.ProcClamp // of u, v
	shift         [2]pica.ProcShift
	color, alpha  pica.ProcMap
	separateAlpha bool

	noise     bool
	amplitude [2]float32
	phase     [2]float32
	frequency [2]float32

	// The three parts of the filter (GPUREG_TEXUNIT3_PROCTEX4): interpolate
	// entries, use levels of detail, interpolate levels.
	linear, mipmap, mipLinear bool
	minLevel, maxLevel        int
	width                     int
	bias                      float32
	offset                    [procTexLevels]int // of the levels in the colour table
}

// decodeProcTex reads the unit's registers. In a key there are no values, and
// of the colour table's width only whether it exceeds 1 (programKey).
func decodeProcTex(r *pica.Regs) *procTexState {
	s := new(procTexState)
	s.decode(r)
	return s
}

// decode is decodeProcTex into an existing state.
func (s *procTexState) decode(r *pica.Regs) {
	*s = procTexState{
		coordinate:    int(pica.TexunitTexcoord3.Get(r)),
		clamp:         [2]pica.ProcClamp{pica.ProcClamp(pica.ProctexClampU.Get(r)), pica.ProcClamp(pica.ProctexClampV.Get(r))},
		shift:         [2]pica.ProcShift{pica.ProcShift(pica.ProctexShiftU.Get(r)), pica.ProcShift(pica.ProctexShiftV.Get(r))},
		color:         pica.ProcMap(pica.ProctexRgbMap.Get(r)),
		alpha:         pica.ProcMap(pica.ProctexAlphaMap.Get(r)),
		separateAlpha: pica.ProctexAlphaSeparate.Bool(r),
		noise:         pica.ProctexNoiseEnable.Bool(r),
		amplitude: [2]float32{
			float32(pica.ProctexNoiseAmplitudeU.Signed(r)) / noiseAmplitudeOne,
			float32(pica.ProctexNoiseAmplitudeV.Signed(r)) / noiseAmplitudeOne,
		},
		phase:     [2]float32{pica.ProctexNoisePhaseU.Float(r), pica.ProctexNoisePhaseV.Float(r)},
		frequency: [2]float32{pica.ProctexNoiseFrequencyU.Float(r), pica.ProctexNoiseFrequencyV.Float(r)},
		minLevel:  int(pica.ProctexLodMin.Get(r)),
		maxLevel:  int(pica.ProctexLodMax.Get(r)),
		width:     int(pica.ProctexWidth.Get(r)),
		bias:      pica.Float16.Decode(pica.ProctexBiasHigh.Get(r)<<8 | pica.ProctexBiasLow.Get(r)),
	}
	offsets := uint64(cmp.Or(r[pica.RegTexunit3Proctex6], 0xFEFCF8F0))<<32 | uint64(r[pica.RegTexunit3Proctex5])
	for l := range s.offset {
		s.offset[l] = int(uint8(offsets >> (8 * l)))
	}
	// 0 and 1 use no levels, 2 and 3 the nearest, 4 and 5 interpolate two; odd
	// values interpolate entries.
	f := pica.ProcFilter(pica.ProctexMinFilter.Get(r))
	s.linear = f&1 != 0
	s.mipmap = f >= pica.ProcFilterNearestMipmapNearest && f <= pica.ProcFilterLinearMipmapLinear
	s.mipLinear = f == pica.ProcFilterNearestMipmapLinear || f == pica.ProcFilterLinearMipmapLinear
}

// procTexLevels is the number of levels of detail of the unit.
const procTexLevels = 8

// level returns the offset and width of a level of detail in the colour table.
func (s *procTexState) level(l int) (offset, width int) { return s.offset[l], max(s.width>>l, 1) }

// noiseAmplitudeOne is 1.0 in the fixed-point noise amplitude. The register
// page calls it 1.3.12 (4096); Azahar, from hardware tests of the noise,
// divides by 4095.
const noiseAmplitudeOne = 4095

// noiseCells is the number of noise cells in a unit of the frequency.
const noiseCells = 9

// noise is the hash of the noise unit, found by tests on the console (Azahar's
// notes), in tables of 16 entries, because the AVX2 kernel looks entries up by
// shuffles.
var noise = noiseTables{
	// Of the remainder by 9, and of the quotient modulo 16.
	ninth: [16]uint8{6, 9, 12, 15, 2, 5, 8, 11, 14},
	outer: [16]uint8{0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11},
	// Of the first coordinate's noiseRand1.
	add:   [16]uint8{0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0},
	flip:  [16]uint8{0, 6, 0, 6, 0, 6, 0, 6, 0, 6, 0, 6, 0, 6, 0, 6},
	more:  [16]uint8{10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
	inner: [16]uint8{10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14},
}

type noiseTables struct {
	// The kernel depends on the order of these fields.
	ninth, outer           [16]uint8
	add, flip, more, inner [16]uint8
	values                 [16]float32 // of a hash, -1 to 1
}

// noisePeriod is the period of noiseRand1.
const noisePeriod = 9 * 16

var (
	noiseRand1 [noisePeriod]uint8
	noiseRand2 [16][16]float32 // of both coordinates' noiseRand1
)

func init() {
	for x := range noise.values {
		noise.values[x] = -1 + float32(x)*2/15
	}
	for v := range noiseRand1 {
		noiseRand1[v] = noise.ninth[v%9] ^ noise.outer[v/9]
	}
	for u := range noiseRand2 {
		for v := range noiseRand2[u] {
			x := (uint8(v) + noise.add[u]) ^ noise.flip[u] + noise.more[u]
			noiseRand2[u][v] = noise.values[x&0xF^noise.inner[u]]
		}
	}
}
