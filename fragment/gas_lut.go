package fragment

// gasLUT is the decoded colour table of gas: 8 segments of red, green, blue,
// as 0..1, and the difference over each segment.
type gasLUT struct{ base, diff [3][8]float32 }

// decodeGas decodes the words of GPUREG_GAS_LUT_DATA (0x124): words 8-15 hold
// the colours, words 0-7 the differences, one byte for each channel with bit 7
// as its sign.
func decodeGas(raw *[16]uint32, d *gasLUT) {
	for i := range d.base[0] {
		for c := range 3 {
			v := uint8(raw[8+i] >> (8 * c))
			d.base[c][i] = float32(v) / 255
			w := uint8(raw[i] >> (8 * c))
			x := float32(w&0x7F) / 127
			if w&0x80 != 0 {
				x = -x
			}
			d.diff[c][i] = x
		}
	}
}
