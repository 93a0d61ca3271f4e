package fragment

// How products of bytes come back to bytes. What is added before the division
// by 255 decides: roundNearest rounds (there are no ties, since 255 is odd),
// roundDown drops the fraction. One product was measured on a console, that of
// DOT3, and it rounds to nearest (combine.go); the rest follows it, which is
// also what OpenGL ES asks of conversions to fixed point and what renderers on
// desktop GPUs do. Azahar's software renderer drops fractions everywhere
// (docs/accuracy/raster.md). The AVX2 twins have these values in gen/avo.
const (
	roundNearest = 127
	roundDown    = 0 // the alternative

	// TexEnvRounding: products of the combiner stages but DOT3.
	texEnvRounding = roundNearest
	// BlendRounding: the sum, or difference, of both products of blending.
	blendRounding = roundNearest
	// FogRounding: the mix of colour and fog, in floats: 0.5 to nearest, 0 down.
	fogRounding float32 = 0.5
)
