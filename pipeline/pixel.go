package pipeline

// rgba is a colour with red in the lowest byte and alpha in the highest.
type rgba = uint32

// mean2 is the mean of two colours, a channel at a time, rounded down.
func mean2(a, b rgba) rgba { return a&b + (a^b)&0xFEFEFEFE>>1 }

// mean4 is the mean of four colours, a channel at a time, rounded down.
func mean4(a, b, c, d rgba) rgba {
	const low = 0x00FF00FF
	even := a&low + b&low + c&low + d&low
	odd := a>>8&low + b>>8&low + c>>8&low + d>>8&low
	return even>>2&low | odd>>2&low<<8
}
