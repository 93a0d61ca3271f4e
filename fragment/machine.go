package fragment

import (
	"pica200/internal/simd"
	"pica200/raster"
)

// machine is the register file on which the micro-ops of a draw work. Each
// worker has one and reuses it for every batch. A float register is a plane of
// one value for each lane; a colour register is four planes of 8 bits for each
// lane.
//
// Kernels are fastest if planes begin at a cache line. A machine is large
// enough that its allocation begins at one, and so do its planes as long as
// they are its first fields.
type machine struct {
	f [numFloats]raster.Plane
	c [numColors]Color

	light    lightPlanes
	fetched  [2]packed            // texels of two levels of detail, during sampling
	shadowZ  [raster.Lanes]uint32 // reference depths for a shadow texture
	unpacked raster.Batch         // blocks to which a packed batch is put back

	compacted compacted
	proc      procPlanes

	b *raster.Batch
	n int // lanes in use, a multiple of 16

	with simd.Kernels // form of the kernels

	v *values // values of the draw that runs

	passed  [256]uint8 // for each plane, its number xor that of the plane to read in its place
	mixed   bool       // an op of a stage wrote a plane
	passing struct {
		draw    uint64 // whose stages passed planes on, or 0
		primary [4]uint16
	}
	primary [4]uint16 // of each channel of cPrimary: 256 plus the value in all lanes, or 0 if they differ
	gasMax  uint16    // greatest density written, a half float

	fetchedOps uintptr // result of program.fetch, so that the compiler does not remove it

	serial    uint64              // draw whose constants the registers hold
	constants [numConsts]constant // colours in constant registers, from an earlier draw

	// written counts the fragments that passed every test.
	written uint64
}

// Bytes is one channel of a colour: a byte for every lane, where 255 is 1.
type Bytes = [raster.Lanes]uint8

// Color is a colour of every lane: the planes R, G, B and A.
type Color [4]Bytes

const (
	red = iota
	green
	blue
	alpha
)

// Float registers.
const (
	fTex0U = iota // texture coordinates after interpolation
	fTex0V
	fTex0W
	fTex1U
	fTex1V
	fTex2U
	fTex2V
	fQuatX // rotation from tangent space to eye space, not normalised
	fQuatY
	fQuatZ
	fQuatW
	fViewX // from the fragment to the eye, not normalised
	fViewY
	fViewZ
	fScratch0    // fScratch0 to fScratchLast are scratch within one micro-op
	fScratchLast = fScratch0 + 23
	numFloats    = fScratchLast + 1
)

// Colour registers: the sources of the combiner stages, and their results.
// Every stage has its own output, so that "previous" and the combiner buffer
// are references to earlier outputs and nothing is copied.
const (
	cPrimary       = iota // vertex colour
	cFragPrimary          // lighting: diffuse sum
	cFragSecondary        // lighting: specular sum
	cTex0
	cTex1
	cTex2
	cTex3                           // procedural texture
	cStage0                         // outputs of the six combiner stages
	cFog         = cStage0 + 6      // result of fog or gas shading
	cConst0      = cFog + 1         // constants of the six combiner stages
	cBufferColor = cConst0 + 6      // GPUREG_TEXENV_BUFFER_COLOR
	cBlendColor  = cBufferColor + 1 // GPUREG_BLEND_COLOR
	cZero        = cBlendColor + 1  // all lanes 0
	cView        = cZero + 1        // what a view shows, see View
	cOpaque      = cView + 1        // 255, for the alpha of a view
	cUnpacked    = cOpaque + 1      // the fragment's colour in the lanes of machine.unpacked
	cScratch0    = cUnpacked + 1    // cScratch0 to cScratchLast are scratch within one micro-op
	cScratchLast = cScratch0 + 3
	numColors    = cScratchLast + 1

	// No op writes these registers.
	firstConst = cConst0
	numConsts  = cBlendColor + 1 - firstConst
)

// planeRef identifies a channel of a colour register.
type planeRef struct{ reg, channel uint8 }

// colorRef identifies the four planes of a colour. They may belong to different
// registers: a combiner stage that passes its input on costs nothing.
type colorRef [4]planeRef

// wholeRef is the colour in one register.
func wholeRef(reg uint8) colorRef {
	return colorRef{{reg, red}, {reg, green}, {reg, blue}, {reg, alpha}}
}

// index numbers the planes of the colour registers.
func (r planeRef) index() uint8 { return r.reg*4 + r.channel }

// plane returns the plane of r, or the one that pass put in its place.
func (m *machine) plane(r planeRef) *Bytes {
	i := r.index()
	i ^= m.passed[i]
	return &m.c[i/4][i%4]
}

// result returns the plane of r for an op that writes it.
func (m *machine) result(r planeRef) *Bytes {
	m.passed[r.index()], m.mixed = 0, true
	return &m.c[r.reg][r.channel]
}

// passes reports whether the combiner stages of the draw only pass planes on,
// the same ones as for the last batch.
func (m *machine) passes() bool {
	return m.passing.draw == m.serial && m.serial != 0 && m.passing.primary == m.primary && !m.proc.same
}

// remember is called after the ops and sets what passes needs for the next batch.
// Which planes the stages pass on depends on the draw's values, the vertex colour
// and a procedural texture that is the same everywhere.
func (m *machine) remember() {
	m.passing.draw, m.passing.primary = m.serial, m.primary
	if m.mixed || m.proc.same {
		m.passing.draw = 0
	}
}

// pass makes the plane of a stage the same as another one, without a copy.
func (m *machine) pass(dst, src planeRef) {
	i, j := dst.index(), src.index()
	m.passed[i] = i ^ j ^ m.passed[j]
}

// op is one micro-op: a kernel whose parameters were bound when the state was
// compiled. name says what it computes, index for which texture unit, combiner
// stage or light.
type op struct {
	name  string
	index uint8
	run   func(m *machine)
	// record, in programs for a probe, records what the op did to a lane.
	record recorder
}
