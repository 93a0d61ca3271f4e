//go:build amd64 || (goexperiment.simd && (arm64 || wasm))

package texture

import "pica200/pica"

func init() {
	for f, kernel := range map[Format]func(dst *uint32, src *byte, n int){
		pica.TextureFormatIA8: decodeIA8Vector, pica.TextureFormatRG8: decodeRG8Vector, pica.TextureFormatI8: decodeI8Vector,
		pica.TextureFormatA8: decodeA8Vector, pica.TextureFormatIA4: decodeIA4Vector, pica.TextureFormatI4: decodeI4Vector,
		pica.TextureFormatA4: decodeA4Vector,
	} {
		layouts[f].twin = kernel
	}
	layouts[pica.TextureFormatETC1].rows, layouts[pica.TextureFormatETC1A4].rows = decodeETC1Vector, decodeETC1A4Vector
}
