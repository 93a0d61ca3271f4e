package states

import "pica200/pica"

// target is a render target.
type target struct {
	color, depth  uint32 // addresses
	width, height int
	colorFormat   pica.ColorFormat
	depthFormat   pica.DepthFormat
	block32       bool
}

func (t *target) colorBytes() int {
	switch t.colorFormat {
	case pica.ColorFormatRGBA8:
		return 4
	case pica.ColorFormatRGB8:
		return 3
	}
	return 2
}

// span returns the size of the colour buffer including partial tiles.
func (t *target) span() int {
	tile := 8
	if t.block32 {
		tile = 32
	}
	rows := (t.height + tile - 1) / tile
	last := (t.width + tile - 1) / tile * tile * tile
	return ((rows-1)*t.width*tile + last) * t.colorBytes()
}

// depthSpan returns the maximum size of the depth buffer.
func (t *target) depthSpan() int { return t.span() / t.colorBytes() * 4 }

// newTarget randomizes the render target.
func (g *generator) newTarget() {
	t := &g.target
	old := *t
	t.width = oneOf(g.random, 8, 16, 24, 32, 32, 40, 48, 64, 64, g.between(1, 70))
	t.height = oneOf(g.random, 8, 16, 32, 32, 40, 48, 64, 64, g.between(1, 70))
	if g.chance(0.02) {
		t.width, t.height = 240, g.between(100, 160)
	}
	if g.tame {
		t.width, t.height = max(8, t.width&^7), max(8, t.height&^7)
	}
	t.colorFormat = pica.ColorFormat(oneOf(g.random, 0, 0, g.below(5)))
	t.depthFormat = oneOf(g.random, pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8, pica.DepthFormatD24S8)
	t.block32 = g.chance(0.12) && !g.tame
	base, end := uint32(targetBase), uint32(targetEnd)
	if g.useVRAM {
		base, end = pica.VRAMBase, pica.VRAMBase+0x80000
	}
	color, depth := uint32(t.span()), uint32(t.depthSpan())
	room := end - base - color - depth - 0x1000
	t.color = base + uint32(g.below(int(room)))&^0x7F
	if g.chance(0.4) { // few addresses, so that targets recur
		t.color = base + uint32(g.below(3))*0x9000
	}
	t.depth = (t.color + color + 0x7F) &^ 0x7F
	switch {
	case g.chance(0.1): // depth overlaps colour, or is close to it
		t.depth = (t.color + uint32(g.below(int(color)))) &^ 63
	case g.chance(0.1) && old.width != 0 && old.depth+depth < end:
		t.depth = old.depth
	}
	if g.chance(0.1) && old.width != 0 && old.depth+color < end {
		t.color = old.depth // swapped
	}
	t.set(g)
}

// set writes the target to the registers.
func (t *target) set(g *generator) {
	r := &g.regs
	r[pica.RegColorbufferLoc] = t.color >> 3
	r[pica.RegDepthbufferLoc] = t.depth >> 3
	pica.ColorbufferFormat.Set(r, uint32(t.colorFormat))
	pica.ColorbufferPixelSize.Set(r, uint32(t.colorBytes()-2))
	pica.DepthbufferFormat.Set(r, uint32(t.depthFormat))
	pica.FramebufferBlock32.SetBool(r, t.block32)
	pica.FramebufferWidth.Set(r, uint32(t.width))
	pica.FramebufferHeight.Set(r, uint32(t.height-1))
	pica.FramebufferNoFlip.SetBool(r, g.chance(0.9))
	r[pica.RegRenderbufDim] = r[pica.RegFramebufferDim]
	g.viewport()
}

// viewport makes the viewport fit the target approximately.
func (g *generator) viewport() {
	r := &g.regs
	w, h := float32(g.target.width), float32(g.target.height)
	x, y := 0, 0
	if g.chance(0.2) {
		w, h = w*g.float(0.3, 1.5), h*g.float(0.3, 1.5)
		x, y = g.between(-8, 16), g.between(-8, 16)
	}
	pica.ViewportWidth.SetFloat(r, w/2)
	pica.ViewportHeight.SetFloat(r, h/2)
	pica.ViewportInvw.SetFloat(r, 2/w)
	pica.ViewportInvh.SetFloat(r, 2/h)
	pica.ViewportX.Set(r, uint32(x)&0x3FF)
	pica.ViewportY.Set(r, uint32(y)&0x3FF)
}
