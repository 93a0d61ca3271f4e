package fragment

// procColors is the decoded colour table of the procedural texture: for each
// of its 256 entries the colour as 0..255 and the difference to the next.
type procColors struct {
	value, diff [256][4]float32
	raw         [256]uint32    // the colours as uploaded, red in the low byte
	both        [256][2]uint32 // the colours and the differences as uploaded
}

// decodeProcColors decodes the colour table (words 0-255) and the differences
// (words 256-511), which are stored as signed halves.
func decodeProcColors(raw *[512]uint32, d *procColors) {
	for i := range d.raw {
		d.raw[i], d.both[i] = raw[i], [2]uint32{raw[i], raw[256+i]}
		for c := range 4 {
			d.value[i][c] = float32(uint8(raw[i] >> (8 * c)))
			d.diff[i][c] = 2 * float32(int8(raw[256+i]>>(8*c)))
		}
	}
}
