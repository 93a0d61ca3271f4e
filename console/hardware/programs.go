package hardware

import (
	"math"
	"slices"

	"pica200/pica"
)

// Programs returns all programs in the order in which a console runs them;
// those that could hang it are last.
var Programs = slices.Concat(products, []Program{
	narrow("narrow-rgb565", pica.ColorFormatRGB565, [4]int{5, 6, 5, 0}),
	narrow("narrow-rgb5a1", pica.ColorFormatRGB5A1, [4]int{5, 5, 5, 1}),
	narrow("narrow-rgba4", pica.ColorFormatRGBA4, [4]int{4, 4, 4, 4}),
	lastBits("rcp", "rcp", true, 1, 2, func(x float64) float64 { return 1 / x }),
	lastBits("rsq", "rsq", true, 1, 2, func(x float64) float64 { return 1 / math.Sqrt(x) }),
	lastBits("ex2", "ex2", false, 0, 1, math.Exp2),
	lastBits("lg2", "lg2", true, 92700.0/65536, 2, math.Log2),
	dotOrder, bumpTexel, reflectionTables, startValues,
	filterWeights, texelOwner, levelSwitch, levelTurned, magnifySwitch, lightEntries, procEntries, procRoots, fillRule, subpixels, testOrder, noTexture, smallTextures, readsOff,
	flipTest("target-up", 1, "A quad of four colours, an odd viewport and a scissor rectangle; bit 24 of GPUREG_FRAMEBUFFER_DIM set."),
	flipTest("target-down", 0, "A quad of four colours, an odd viewport and a scissor rectangle; bit 24 of GPUREG_FRAMEBUFFER_DIM clear."),
	inverses, earlyDepth, startGeometry,
})
