package raster

import (
	"testing"

	"pica200/pica"
)

// BenchmarkColor loads and stores the blocks of a target of 64x64 pixels.
func BenchmarkColor(b *testing.B) {
	for f := pica.ColorFormatRGBA8; f <= pica.ColorFormatRGBA4; f++ {
		t := &Target{Width: 64, Height: 64, ColorFormat: f, Color: make([]byte, 64*64*4)}
		for i := range t.Color {
			t.Color[i] = byte(i * 7)
		}
		b.Run(f.String(), func(b *testing.B) {
			var red, green, blue, alpha Channel
			b.Run("load", func(b *testing.B) {
				for b.Loop() {
					for i := 0; i < 64*64; i += BlockPixels {
						t.LoadColor(i, &red, &green, &blue, &alpha)
					}
				}
			})
			b.Run("store", func(b *testing.B) {
				for b.Loop() {
					for i := 0; i < 64*64; i += BlockPixels {
						t.StoreColor(i, 0xFFFF, &red, &green, &blue, &alpha)
					}
				}
			})
		})
	}
}
