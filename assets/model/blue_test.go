package model

import (
	"image"
	"testing"

	"github.com/stretchr/testify/require"
)

// WithChannel takes a channel from one picture, times a factor, and the rest from another; both are scaled to the larger size.
func TestWithChannel(t *testing.T) {
	fill := func(w, h int, rgba ...uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range m.Pix {
			m.Pix[i] = rgba[i%4]
		}
		return m
	}
	m, of := fill(2, 4, 10, 20, 30, 40), fill(4, 2, 50, 60, 101, 80)
	got := WithChannel(m, 2, of, 2, 0.5, 0)
	require.Equal(t, image.Pt(4, 4), got.Rect.Size())
	for i := 0; i < len(got.Pix); i += 4 {
		require.Equal(t, []uint8{10, 20, 51, 40}, got.Pix[i:i+4])
	}
	require.Equal(t, uint8(30), m.Pix[2], "the argument is not changed")
	require.Equal(t, uint8(101), WithChannel(of, 2, of, 2, 1, 0).Pix[2])
	require.Equal(t, []uint8{50, 60, 101, 153}, WithChannel(of, 3, of, 0, 0.5, 127.5).Pix[:4])
}
