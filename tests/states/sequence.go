package states

import (
	"math/bits"

	"pica200/pica"
)

// sequence generates a whole trace: memory, then draws with other work between them.
func (g *generator) sequence() {
	g.trace.Load(textureBase, g.texels)
	g.newTarget()
	switch {
	case g.tame:
		g.clear()
	case g.chance(0.7): // initial contents of targets
		n := min(g.target.span()+4096, int(targetEnd-targetBase))
		if g.target.color >= targetBase && g.target.color+uint32(n) < targetEnd {
			g.trace.Load(g.target.color, g.cut(min(n, 0x8000)))
		}
	}
	if g.chance(0.25) {
		g.plain()
	} else {
		g.everything()
	}
	for range g.between(2, 7) {
		g.step()
		if g.framed && g.chance(0.5) {
			g.endList()
			g.endFrame()
		}
	}
	if g.manySamplers {
		g.samplers()
	}
	if g.drawn == 0 {
		g.draw()
	}
	g.endList()
	if g.frames > 0 || g.chance(0.8) {
		g.endFrame()
	}
}

func (g *generator) endFrame() {
	g.trace.EndFrame()
	g.frames++
}

// step adds a draw, or less often something else that uses memory.
func (g *generator) step() {
	kind := g.below(24)
	if g.tame {
		kind = max(kind, 8)
	}
	switch kind {
	default:
		g.change()
		g.draw()
	case 0, 1:
		g.endList()
		g.load()
	case 2, 3:
		g.endList()
		g.fill()
	case 4:
		g.endList()
		g.transfer()
	case 5:
		g.endList()
		g.copy()
	case 6:
		g.drawnList()
	case 7:
		g.endList()
		if g.chance(0.5) {
			g.endFrame()
		}
		g.readScreen()
	case 8: // repeat the draw
		g.draw()
	}
}

// samplers draws with more texture unit states than are cached, some of them repeatedly.
func (g *generator) samplers() {
	r := &g.regs
	g.plain()
	for i := range 3 {
		g.rollTexture(i)
		at, stage := pica.TexunitOffset(i), pica.TexenvOffset(i)
		source := uint32([]pica.Source{pica.SourceTexture0, pica.SourceTexture1, pica.SourceTexture2}[i])
		pica.TexunitWrapS.At(at).Set(r, uint32(pica.WrapClampToBorder))
		pica.TexenvRgbSource1.At(stage).Set(r, source)
		pica.TexenvAlphaSource1.At(stage).Set(r, source)
		r[pica.TexenvBase(i)+2] = uint32(pica.CombineAddSigned) | uint32(pica.CombineAddSigned)<<16
		[]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2}[i].SetBool(r, true)
	}
	pica.TexunitType.Set(r, uint32(pica.Texture2D))
	g.mesh.count, g.mesh.small = 3, true
	for range 600 {
		if g.chance(0.95) {
			r[pica.RegTexunit0BorderColor+pica.TexunitOffset(g.below(3))] = g.Uint32()
		}
		g.draw()
	}
}

// clear fills both buffers of the target, as programs do.
func (g *generator) clear() {
	g.fillBytes(g.target.color, uint32(g.target.span()))
	g.fillBytes(g.target.depth, uint32(g.target.depthSpan()))
}

// cut returns some bytes of noise.
func (g *generator) cut(n int) []byte { return noise[g.below(len(noise)-n):][:n] }

// load writes memory as the CPU does: textures, vertices or targets.
func (g *generator) load() {
	switch g.below(4) {
	case 0: // texels of a unit in use
		if addr := pica.TexunitAddr.At(pica.TexunitOffset(g.below(3))).Addr(&g.regs); addr != 0 {
			g.trace.Load(addr+uint32(g.below(16)*16), g.cut(oneOf(g.random, 16, 64, 1024)))
		}
	case 1:
		g.trace.Load(textureBase+uint32(g.below(texelBytes)&^15), g.cut(oneOf(g.random, 8, 256, 4096)))
	case 2: // new vertices at the same place
		if g.mesh.count > 0 {
			g.mesh.fill(g)
		}
	case 3:
		n := oneOf(g.random, 4, 100, 2048)
		g.trace.Load(g.target.color+uint32(g.below(1024)), g.cut(n))
	}
}

// address returns an address in memory that draws read or write, a multiple of 16.
func (g *generator) address() uint32 {
	switch g.below(4) {
	case 0:
		return g.target.color &^ 15
	case 1:
		return g.target.depth &^ 15
	case 2:
		return textureBase + uint32(g.below(texelBytes))&^15
	}
	return targetBase + uint32(g.below(int(targetEnd-targetBase)-0x10000))&^15
}

// fill runs one of the two fill units.
func (g *generator) fill() {
	if !g.tame && g.filled.bytes > 0 && g.chance(0.4) { // as programs clear a buffer in each frame
		g.runFill(g.filled)
		return
	}
	start := g.address()
	n := uint32(g.between(1, 0x400)) * 8
	if g.chance(0.5) {
		n = uint32(g.target.span()+7) &^ 7
	}
	end := min(start+n, targetEnd)
	if start >= pica.VRAMBase && start < pica.VRAMBase+pica.VRAMSize {
		end = start + n
	}
	if end > start {
		g.fillBytes(start, end-start)
	}
}

// memoryFill is a fill of memory by one of the two units: its place, and the value's low bytes, whose number the width gives.
type memoryFill struct {
	unit, start, bytes, value uint32
	width                     int
}

// fillBytes fills memory with a random value.
func (g *generator) fillBytes(start, n uint32) {
	f := memoryFill{unit: uint32(g.below(2)) * pica.StrideMemfill, start: start, bytes: n, value: oneOf(g.random, 0, 0xFFFFFFFF, g.Uint32()), width: g.below(4)}
	if g.tame {
		f.width = int(pica.Fill32)
	}
	g.runFill(f)
}

// runFill runs a fill.
func (g *generator) runFill(f memoryFill) {
	g.filled = f
	g.trace.Write(pica.ExtMemfillStart+f.unit, f.start>>3)
	g.trace.Write(pica.ExtMemfillEnd+f.unit, (f.start+f.bytes)>>3)
	g.trace.Write(pica.ExtMemfillValue+f.unit, f.value)
	g.trace.Write(pica.ExtMemfillControl+f.unit, uint32(f.width)<<8|1)
}

// transfer runs a display transfer of the colour buffer or another place.
func (g *generator) transfer() { g.transferTo(g.address()) }

func (g *generator) transferTo(dst uint32) {
	w, h := uint32(g.between(1, 8))*8, uint32(g.between(1, 6))*8
	src := g.address()
	if g.chance(0.5) {
		src = g.target.color &^ 15
		w = min(max(8, uint32(g.target.width)&^7), 64)
	}
	in, out := g.below(5), g.below(5)
	switch in { // conversions that the console supports; others hang
	case 1:
		out = 1
	case 2, 3, 4:
		out = g.between(2, 4)
	}
	flags := uint32(in)<<8 | uint32(out)<<12 | uint32(g.below(3))<<24
	if g.chance(0.3) {
		flags |= 1
	}
	switch g.below(3) {
	case 0:
		flags |= 1 << 1
	case 1:
		flags |= 1 << 5
	}
	if g.chance(0.2) {
		flags |= 1 << 16
		w, h = max(32, w&^31), max(32, h&^31)
	}
	wider := w
	if g.chance(0.2) {
		wider += 8
		flags |= 1 << 2
	}
	g.trace.Write(pica.ExtTransferInput, src>>3)
	g.trace.Write(pica.ExtTransferOutput, dst>>3)
	g.trace.Write(pica.ExtTransferOutputDim, h<<16|w)
	g.trace.Write(pica.ExtTransferInputDim, h<<16|wider)
	g.trace.Write(pica.ExtTransferFlags, flags)
	g.trace.Write(pica.ExtTransferStart, 1)
}

// copyBytes writes the registers of a texture copy.
func (g *generator) copyBytes(src, dst, n, inGap, outGap uint32) {
	line := uint32(g.between(1, 16))
	flags := uint32(1 << 3)
	if inGap|outGap != 0 {
		flags |= 1 << 2
	}
	g.trace.Write(pica.ExtTransferInput, src>>3)
	g.trace.Write(pica.ExtTransferOutput, dst>>3)
	g.trace.Write(pica.ExtTextureCopySize, n)
	g.trace.Write(pica.ExtTextureCopyInput, inGap<<16|line)
	g.trace.Write(pica.ExtTextureCopyOutput, outGap<<16|line)
	g.trace.Write(pica.ExtTransferFlags, flags)
	g.trace.Write(pica.ExtTransferStart, 1)
}

func (g *generator) copy() {
	var gaps [2]uint32
	for i := range gaps {
		if g.chance(0.3) {
			gaps[i] = uint32(g.between(1, 4))
		}
	}
	g.copyBytes(g.address(), g.address(), uint32(g.between(1, 128))*16, gaps[0], gaps[1])
}

// readScreen shows a framebuffer on a screen.
func (g *generator) readScreen() {
	at := uint32(g.below(2)) * pica.StridePdc
	g.trace.Write(pica.ExtPdcAddrA0+at, g.address())
	g.trace.Write(pica.ExtPdcFormat+at, uint32(g.below(5)))
}

// endList runs the collected command list.
func (g *generator) endList() {
	if len(g.list.Words) == 0 {
		return
	}
	g.list.Finish()
	g.run(g.list.Bytes())
	g.list.Words = nil
}

// run loads a list and starts it: usually directly, sometimes after a copy.
func (g *generator) run(list []byte) {
	if g.listAt+2*uint32(len(list))+512 > listEnd {
		g.listAt = listBase
	}
	addr := g.listAt
	g.trace.Load(addr, list)
	g.listAt += uint32(len(list)+255) &^ 255
	if g.chance(0.1) && len(list)%16 == 0 {
		g.copyBytes(addr, g.listAt, uint32(len(list)), 0, 0)
		addr = g.listAt
		g.listAt += uint32(len(list)+255) &^ 255
	}
	if g.chance(0.3) { // a program that reuses one list
		g.listAt = listBase
	}
	if g.chance(0.5) {
		g.trace.Write(pica.ExtCommandListSize, uint32(len(list))>>3)
		g.trace.Write(pica.ExtCommandListAddr, addr>>3)
		g.trace.Write(pica.ExtCommandListStart, 1)
		return
	}
	g.trace.Write(pica.ExtInternal+4*uint32(pica.RegCmdbufSize0)+4, uint32(len(list))>>3)
	g.trace.Write(pica.ExtInternal+4*uint32(pica.RegCmdbufAddr0)+4, addr>>3)
	g.trace.Write(pica.ExtInternal+4*uint32(pica.RegCmdbufJump0)+4, 1)
}

// drawnList draws a command list: the pixels of an 8x8 target are 32 commands
// that write a register, followed in memory by the end of the list. Then it
// jumps there.
func (g *generator) drawnList() {
	g.endList()
	reg := oneOf(g.random, pica.RegBlendColor, pica.RegTexenv0Color, pica.RegFogColor)
	command := uint32(pica.MakeCommandHeader(reg, 15, 0, false))
	other := uint32(pica.MakeCommandHeader(reg, uint32(g.between(1, 14)), 0, false))
	const pixels = 64
	var w pica.CommandWriter
	for range pixels {
		w.Words = append(w.Words, other)
	}
	w.Finish()
	addr := targetBase + uint32(g.below(0x8000))&^63
	g.trace.Load(addr, w.Bytes())

	regs, kept := g.regs, g.target
	g.plain()
	g.target = target{color: addr, depth: addr + 0x4000, width: 8, height: 8, colorFormat: pica.ColorFormatRGBA8, depthFormat: pica.DepthFormatD16}
	g.target.set(g)
	last := pica.TexenvOffset(5)
	g.regs[pica.RegTexenv0Color+last] = bits.ReverseBytes32(command) // red is the last byte of a pixel
	for _, f := range []pica.Field{pica.TexenvRgbSource0, pica.TexenvAlphaSource0} {
		f.At(last).Set(&g.regs, uint32(pica.SourceConstant))
	}
	g.draw()
	g.list.Write(pica.RegCmdbufSize0, uint32(4*len(w.Words))>>3)
	g.list.Write(pica.RegCmdbufAddr0, addr>>3)
	g.list.Write(pica.RegCmdbufJump0, 1)
	list := g.list.Bytes()
	g.list.Words = nil
	for len(list)%16 != 0 {
		list = append(list, 0)
	}
	g.run(list)
	// The list wrote a register with a value that it drew.
	clear(g.sent)
	g.regs, g.target = regs, kept
	g.everything()
}
