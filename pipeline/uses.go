package pipeline

import (
	"pica200/fragment"
	"pica200/pica"
)

// Use says what the GPU reads or writes memory for.
type Use uint8

// The uses of memory.
const (
	UseList     Use = iota // a command list
	UseVertices            // vertex and index arrays
	UseTexture             // a texture, all levels that the draw may sample
	UseTarget              // a colour or depth buffer whose old contents count
	UseKept                // a colour or depth buffer of a draw: what the draw does not cover stays
	UseFill                // a memory fill
	UseTransfer            // a display transfer or texture copy
	UseScreen              // what a screen shows, when it is asked for
	UseCPU                 // a memory load
)

// String names the use.
func (u Use) String() string {
	return [...]string{"command list", "vertices", "texture", "render target", "rest of a target", "fill", "transfer", "screen", "CPU"}[u]
}

// MemoryUse gets the ranges of memory that are used, in the order in which a program
// asked for it, whatever is queued.
//
// Ranges may reach over bytes that do not count, so that more is named and
// never less: the whole of a texture, of a render target that a draw blends
// with or tests against, and of the arrays from the first vertex to the last.
// What a draw writes is not told, since only the draw shows which pixels it
// covers.
type MemoryUse interface {
	// Reads: the n bytes at addr are about to be read.
	Reads(u Use, addr, n uint32)
	// Writes: the n bytes at addr are about to be written, all of them whatever
	// they hold if whole is true, otherwise some of them. A transfer's reads are
	// told before its writes.
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

// usesDraw tells what a draw reads besides its vertices.
func (g *GPU) usesDraw(t *renderTarget, d *fragment.Draw) {
	if g.MemoryUse == nil {
		return
	}
	for _, r := range d.Textures {
		g.usesRead(UseTexture, span{r.Addr, r.Bytes})
	}
	ordinary := g.mode() == pica.FragmentModeDefault
	if g.usesColor() {
		g.usesRead(UseKept, t.color)
		if !ordinary || fragment.ReadsColor(&g.regs) {
			g.usesRead(UseTarget, t.color)
		}
	}
	if g.usesDepth() {
		g.usesRead(UseKept, t.depth)
		if g.readsDepth() && (!ordinary || g.comparesDepth() || g.stencil()) || g.masksStencil() {
			g.usesRead(UseTarget, t.depth)
		}
	}
}

// usesTransfer tells what a display transfer reads and writes. Tiles that an
// image fills in part are written in part.
func (g *GPU) usesTransfer(t Transfer, src, dst span) {
	g.usesRead(UseTransfer, src)
	width, height := t.size()
	tile := uint32(t.tiling(t.OutTiled))
	g.usesWrite(UseTransfer, dst, !t.OutTiled || width%tile == 0 && height%tile == 0)
}

// usesCopy tells what a texture copy reads and writes, line by line.
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
