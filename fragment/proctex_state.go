package fragment

import (
	"math"

	"pica200/pica"
)

// procTexState is the state of the procedural texture unit
// (GPUREG_TEXUNIT3_PROCTEX0-5, 0x0A8-0x0AD). Undocumented values do what they
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
	offset                    [4]int // of levels 0-3 in the colour table
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
		offset: [4]int{
			int(pica.ProctexOffset0.Get(r)), int(pica.ProctexOffset1.Get(r)),
			int(pica.ProctexOffset2.Get(r)), int(pica.ProctexOffset3.Get(r)),
		},
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
// The offsets of levels 4 to 7 are fixed (3dbrew).
func (s *procTexState) level(l int) (offset, width int) {
	width = max(s.width>>l, 1)
	if l < 4 {
		return s.offset[l], width
	}
	return [...]int{0xF0, 0xF8, 0xFC, 0xFE}[l-4], width
}

// noiseAmplitudeOne is 1.0 in the fixed-point noise amplitude. The register
// page calls it 1.3.12 (4096); Azahar, from hardware tests of the noise,
// divides by 4095.
const noiseAmplitudeOne = 4095

// noiseCells is the number of noise cells in a unit of the frequency.
const noiseCells = 9

// noiseRand1 and noiseRand2 are the hash of the noise unit, found by tests on
// the console (Azahar's notes). The first has a period of 9*16.
const noisePeriod = 9 * 16

var (
	noiseRand1 [noisePeriod]uint8
	noiseRand2 [16][16]float32 // of both coordinates' noiseRand1, -1 to 1

	// noisePairs is noiseRand1 for the AVX2 kernel, which reads the hash of a
	// number and of the next one together: 16 times the hashes, the next one's in
	// the upper 16 bits. After the greatest number comes 0.
	noisePairs [noisePeriod + 1]uint32
)

func init() {
	outer := [16]uint8{0, 4, 10, 8, 4, 9, 7, 12, 5, 15, 13, 14, 11, 15, 2, 11}
	for v := range noiseRand1 {
		noiseRand1[v] = uint8((v%9+2)*3)&0xF ^ outer[v/9]
	}
	pair := func(v, next int) uint32 { return uint32(noiseRand1[v])<<4 | uint32(noiseRand1[next])<<20 }
	for v := range noisePeriod {
		noisePairs[v] = pair(v, (v+1)%noisePeriod)
	}
	noisePairs[noisePeriod] = pair(math.MaxUint32%noisePeriod, 0)
	inner := [16]uint8{10, 2, 15, 8, 0, 7, 4, 5, 5, 13, 2, 6, 13, 9, 3, 14}
	for u := range noiseRand2 {
		for v := range noiseRand2[u] {
			x := uint8(v)
			if u&3 == 1 {
				x += 4
			}
			if u&1 != 0 {
				x ^= 6
			}
			x = (x+10+uint8(u))&0xF ^ inner[u]
			noiseRand2[u][v] = -1 + float32(x)*2/15
		}
	}
}
