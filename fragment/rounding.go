package fragment

// How products of bytes become bytes again: a constant is added before the
// division by 255. roundNearest rounds (there are no ties, since 255 is odd),
// roundDown truncates. On a console only one product was measured, that of
// DOT3, which rounds to nearest (combine.go). The others follow it; OpenGL ES
// also asks for this in conversions to fixed point, and renderers on desktop
// GPUs do it. Azahar's software renderer truncates everywhere
// (docs/accuracy/raster.md). internal/gen/avo repeats these values for the AVX2 twins.
const (
	roundNearest = 127
	roundDown    = 0 // the alternative

	// TexEnvRounding: products of the combiner stages, except DOT3.
	texEnvRounding = roundNearest
	// BlendRounding: the sum or difference of both products of blending.
	blendRounding = roundNearest
	// FogRounding: the mix of colour and fog, in floats: 0.5 rounds to nearest, 0
	// truncates.
	fogRounding float32 = 0.5
)
