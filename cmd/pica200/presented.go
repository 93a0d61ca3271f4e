package main

import (
	"image"

	"pica200/pipeline"
)

// presented records the destinations of transfers and copies of a replay, to
// tell a recording that presents nothing from one that presents a black
// picture.
type presented struct{ to map[uint32]bool }

// watch records for a GPU, from its next command on.
func (p *presented) watch(g *pipeline.GPU) {
	p.to = map[uint32]bool{}
	g.BeforeTransfer = func(t pipeline.Transfer) { p.to[t.Dst] = true }
	g.BeforeCopy = func(c pipeline.TextureCopy) { p.to[c.Dst] = true }
}

// bare reports whether a screen is black because nothing was ever sent to it,
// although there is a render target to show instead.
func (p *presented) bare(g *pipeline.GPU, s pipeline.Screen) bool {
	if _, err := g.LastTarget(); err != nil || !black(g.Screen(s)) {
		return false
	}
	shown, other := g.Framebuffers(s)
	for at := range p.to {
		for _, start := range []uint32{shown, other} {
			if at >= start && at-start < screenBytes {
				return false
			}
		}
	}
	return true
}

// screenBytes is the greatest size of a framebuffer: 800 lines of 240 pixels.
const screenBytes = 800 * 240 * 4

func black(img *image.RGBA) bool {
	for i := 0; i < len(img.Pix); i += 4 {
		if img.Pix[i]|img.Pix[i+1]|img.Pix[i+2] != 0 {
			return false
		}
	}
	return true
}
