// Package texture reads and writes the texture formats of the PICA200.
package texture

import (
	"errors"

	"pica200/pica"
)

// Size is the number of bytes of one level of w by h texels.
func Size(f pica.TextureFormat, w, h int) int { return 0 }

// Decode turns one level in the PICA200's tiled layout into rows of texels
// from t = 0 up, a word a texel, red in the low byte.
func Decode(dst []uint32, src []byte, f pica.TextureFormat, w, h int) error {
	return errors.New("textures cannot be decoded yet")
}
