package modeldraw

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A BCH model draws the same picture as the CGFX file it was made from at any time of its animation.
func TestBCHDrawsLikeCGFX(t *testing.T) {
	cgfx, bch := testkit.Read(t, "../../testdata/models/arm.cgfx"), testkit.Read(t, "../../testdata/models/arm.bch")
	for _, frame := range []float64{0, 17, 60} {
		a, _ := shot(t, cgfx, frame)
		b, notes := shot(t, bch, frame)
		require.Empty(t, notes)
		for i, p := range a.(*image.NRGBA).Pix {
			// One format stores colours of lights as bytes.
			require.InDelta(t, p, b.(*image.NRGBA).Pix[i], 2, "frame %g, byte %d", frame, i)
		}
	}
}
