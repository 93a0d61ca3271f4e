package fragment

import "pica200/raster"

// machine is the register file that the micro-ops of a draw work on: one per
// worker, reused for every batch. Floats are planes of one value a lane,
// colours are four planes of 8 bits a lane.
type machine struct {
	b *raster.Batch
	n int // lanes in use, a multiple of 16

	f [numFloats]raster.Plane
	c [numColors]Color

	light lightPlanes

	// written counts the fragments that passed every test, for statistics.
	written uint64
}

// Color holds one colour of every lane, a plane a channel: R, G, B, A.
type Color [4][raster.Lanes]uint8

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
	fScratch0    // free for use inside one micro-op
	fScratchLast = fScratch0 + 23
	numFloats    = fScratchLast + 1
)

// Colour registers: the sources of the combiner stages, and what they make.
const (
	cPrimary       = iota // vertex colour
	cFragPrimary          // lighting: diffuse sum
	cFragSecondary        // lighting: specular sum
	cTex0
	cTex1
	cTex2
	cTex3     // procedural texture
	cBuffer   // combiner buffer as the stage at hand reads it
	cBuffer1  // the other half of the combiner buffer's double buffering
	cOut      // result of the last combiner stage, and from there on the fragment's colour
	cOut1     // the other half of the result's double buffering
	cScratch  // free for use inside one micro-op
	cConst0   // constants of the six combiner stages
	cConst5   = cConst0 + 5
	cZero     = cConst5 + 1 // all lanes 0
	numColors = cZero + 1
)

// op is one micro-op: a kernel with its parameters bound when the state was
// compiled. name says what it computes, for inspection.
type op struct {
	name string
	run  func(m *machine)
}
