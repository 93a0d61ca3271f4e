package pipeline

import (
	"pica200/fragment"
	"pica200/pica"
)

// Use is the purpose for which the GPU reads or writes memory.
type Use uint8

// The uses of memory.
const (
	UseList       Use = iota // a command list
	UseVertices              // vertex and index arrays
	UseTexture               // a texture, with all levels that the draw may sample
	UseTarget                // a colour or depth buffer whose old contents the draw reads
	UseTargetRest            // a colour or depth buffer that a draw writes: pixels that it does not cover keep their contents
	UseFill                  // a memory fill
	UseTransfer              // a display transfer or texture copy
	UseScreen                // a framebuffer, when Screen is called
	UseCPU                   // a memory load
)

// String returns the name of the use.
func (u Use) String() string {
	return [...]string{"command list", "vertices", "texture", "render target", "rest of a target", "fill", "transfer", "screen", "CPU"}[u]
}

// MemoryUse receives the ranges of memory that a program uses, in program
// order, whatever is queued.
//
// A range may be too large but never too small: it is the whole texture, the
// whole render target of a draw that blends or tests, and the arrays from the
// first vertex to the last. The pixels that a draw writes are not reported,
// because they are known only after drawing.
type MemoryUse interface {
	// Reads is called before the n bytes at addr are read.
	Reads(u Use, addr, n uint32)
	// Writes is called before the n bytes at addr are written. If whole is true,
	// all of them are overwritten, otherwise some of them. A transfer reports its
	// reads before its writes.
	Writes(u Use, addr, n uint32, whole bool)
}

func (g *GPU) usesRead(u Use, s span) {
	if g.MemoryUse != nil && s.bytes > 0 {
		g.MemoryUse.Reads(u, s.addr, s.bytes)
	}
}

func (g *GPU) usesWrite(u Use, s span, whole bool) {
	if g.MemoryUse != nil && s.bytes > 0 {
		g.MemoryUse.Writes(u, s.addr, s.bytes, whole)
	}
}

// usesDraw reports what a draw reads besides its vertices.
func (g *GPU) usesDraw(t *renderTarget, d *fragment.Draw) {
	if g.MemoryUse == nil {
		return
	}
	for _, r := range d.Textures {
		g.usesRead(UseTexture, span{r.Addr, r.Bytes})
	}
	ordinary := g.mode() == pica.FragmentModeDefault
	if g.usesColor() {
		g.usesRead(UseTargetRest, t.color)
		if !ordinary || fragment.ReadsColor(&g.regs) {
			g.usesRead(UseTarget, t.color)
		}
	}
	if g.usesDepth() {
		g.usesRead(UseTargetRest, t.depth)
		if g.readsDepth() && (!ordinary || g.comparesDepth() || g.stencil()) || g.masksStencil() {
			g.usesRead(UseTarget, t.depth)
		}
	}
}

// usesTransfer reports what a display transfer reads and writes. Tiles that the
// image covers only in part count as partly written.
func (g *GPU) usesTransfer(t Transfer, src, dst span) {
	g.usesRead(UseTransfer, src)
	width, height := t.Size()
	tile := uint32(t.Tiling(t.OutTiled))
	g.usesWrite(UseTransfer, dst, !t.OutTiled || width%tile == 0 && height%tile == 0)
}

// usesCopy reports what a texture copy reads and writes, line by line.
func (g *GPU) usesCopy(c TextureCopy) {
	if g.MemoryUse == nil {
		return
	}
	lines := func(addr, line, gap uint32, tell func(Use, span)) {
		for left := c.Size; left > 0; {
			n := min(line, left)
			tell(UseTransfer, span{addr, n})
			addr += n + gap
			left -= n
		}
	}
	lines(c.Src, c.InLine, c.InGap, g.usesRead)
	lines(c.Dst, c.OutLine, c.OutGap, func(u Use, s span) { g.usesWrite(u, s, true) })
}
