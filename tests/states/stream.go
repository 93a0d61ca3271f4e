package states

import (
	"fmt"

	"pica200/assets/citrace"
	"pica200/pica"
)

// StreamFCRAM is the size of main memory, in bytes, that a Stream needs.
const StreamFCRAM = 64 << 20

// Stream generates the frames of an endless program: textures move in memory; programs, uniforms, tables and states change;
// vertices are streamed. All frames differ.
type Stream struct {
	g      *generator
	frames int
}

// NewStream begins a stream.
func NewStream(seed uint64) *Stream {
	g := newGenerator(seed)
	g.definite, g.useVRAM = true, false
	return &Stream{g: g}
}

// Frame returns the next frame as a trace, to be played after the earlier ones on the same GPU.
func (s *Stream) Frame() []byte {
	g := s.g
	g.trace = citrace.Builder{Layout: citrace.Tagged}
	if s.frames == 0 {
		g.trace.Load(textureBase, g.texels)
		g.newTarget()
		g.everything()
	}
	if s.frames%50 == 0 {
		g.newTarget()
	}
	g.clear()
	for range g.between(1, 3) {
		s.moveTexture()
		g.endList()
		g.mesh.fill(g)
		switch {
		case g.chance(0.1):
			g.everything()
		case g.chance(0.4):
			g.programs(false)
		default:
			g.change()
		}
		g.draw()
		if g.chance(0.3) {
			g.step()
		}
	}
	g.endList()
	g.trace.EndFrame()
	s.frames++
	data, err := g.trace.Encode()
	if err != nil {
		panic(fmt.Sprintf("frame %d: %v", s.frames, err))
	}
	return data
}

// moveTexture moves a large texture to another address and changes some texels.
func (s *Stream) moveTexture() {
	g := s.g
	const base, end = pica.FCRAMBase + FCRAM, pica.FCRAMBase + StreamFCRAM
	i := g.below(3)
	g.rollTexture(i)
	at := pica.TexunitOffset(i)
	addr := uint32(base) + uint32(g.below(end-base-1<<21))&^0x7F
	g.trace.Load(addr, g.cut(4096))
	g.regs[pica.RegTexunit0Addr1+at] = addr >> 3
	size := uint32(128 << g.below(3))
	pica.TexunitWidth.At(at).Set(&g.regs, size)
	pica.TexunitHeight.At(at).Set(&g.regs, size)
}
