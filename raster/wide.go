package raster

import "pica200/internal/simd"

// wide makes AVX2 kernels work on 512 bits where that is faster. The result is the same.
var wide = simd.AVX512()
