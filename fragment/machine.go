package fragment

import (
	"pica200/internal/simd"
	"pica200/raster"
)

// machine is the register file that the micro-ops of a draw work on: one per
// worker, reused for every batch. Floats are planes of one value a lane,
// colours are four planes of 8 bits a lane.
//
// Kernels read and write whole cache lines where planes begin them. A machine is so large that it begins
// one, and so do its planes as long as they stand in front.
type machine struct {
	f [numFloats]raster.Plane
	c [numColors]Color

	light   lightPlanes
	fetched [2]packed            // texels of two levels of detail, while a texture is sampled
	shadowZ [raster.Lanes]uint32 // reference depths of a shadow texture
	placed  raster.Batch         // the blocks that a packed batch is written as

	condensed condensed
	proc      procPlanes

	b *raster.Batch
	n int // lanes in use, a multiple of 16

	with simd.Kernels // the form of the kernels

	v *values // of the draw that runs

	primary [4]uint16 // what cPrimary holds, see flatColor
	gasMax  uint16    // greatest density written, a half float

	fetchedOps uintptr // of program.fetch, so that it is not left out

	serial uint64              // of the draw whose constants the registers hold
	held   [numConsts]constant // colours that constant registers hold, from an earlier draw

	// written counts the fragments that passed every test, for statistics.
	written uint64
}

// Bytes is one channel of a colour: 8 bits for every lane, 0..255 read as 0..1.
type Bytes = [raster.Lanes]uint8

// Color holds one colour of every lane, a plane a channel: R, G, B, A.
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
	fScratch0    // fScratch0 to fScratchLast are free for use inside one micro-op
	fScratchLast = fScratch0 + 23
	numFloats    = fScratchLast + 1
)

// Colour registers: the sources of the combiner stages, and what they make.
// Every stage has an output of its own, so that "previous" and the combiner
// buffer are references to earlier outputs and nothing is copied.
const (
	cPrimary       = iota // vertex colour
	cFragPrimary          // lighting: diffuse sum
	cFragSecondary        // lighting: specular sum
	cTex0
	cTex1
	cTex2
	cTex3                           // procedural texture
	cStage0                         // outputs of the six combiner stages
	cFog         = cStage0 + 6      // what fog or gas shading made of the last one
	cConst0      = cFog + 1         // constants of the six combiner stages
	cBufferColor = cConst0 + 6      // GPUREG_TEXENV_BUFFER_COLOR
	cBlendColor  = cBufferColor + 1 // GPUREG_BLEND_COLOR
	cZero        = cBlendColor + 1  // all lanes 0
	cView        = cZero + 1        // what a view shows, see View
	cOpaque      = cView + 1        // 255, for the alpha of a view
	cPlaced      = cOpaque + 1      // the fragment's colour in the lanes of machine.placed
	cScratch0    = cPlaced + 1      // cScratch0 to cScratchLast are free for use inside one micro-op
	cScratchLast = cScratch0 + 3
	numColors    = cScratchLast + 1

	// No op writes these registers.
	firstConst = cConst0
	numConsts  = cBlendColor + 1 - firstConst
)

// planeRef names a channel of a colour register.
type planeRef struct{ reg, channel uint8 }

// colorRef names the four planes that a colour is read from. They need not be
// of one register: a combiner stage that passes its input on costs nothing.
type colorRef [4]planeRef

// wholeRef is a colour register read as it is.
func wholeRef(reg uint8) colorRef {
	return colorRef{{reg, red}, {reg, green}, {reg, blue}, {reg, alpha}}
}

// plane is the plane that r names.
func (m *machine) plane(r planeRef) *Bytes { return &m.c[r.reg][r.channel] }

// op is one micro-op: a kernel with its parameters bound when the state was
// compiled. name says what it computes and index for which texture unit,
// combiner stage or light, for inspection.
type op struct {
	name  string
	index uint8
	run   func(m *machine)
	// note, in programs that are compiled for a probe, says what the op did to a
	// lane.
	note note
}
