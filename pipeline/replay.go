package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"pica200/assets/citrace"
	"pica200/pica"
	"pica200/shaderunit"
)

// Player replays a recorded trace, a frame at a time.
type Player struct {
	GPU   *GPU
	Trace *citrace.Trace

	next  int // stream element
	frame int
	done  bool
}

// Frame says what happened in one frame of a trace.
type Frame struct {
	Index    int   // from 0
	Elements int   // stream elements so far, this frame's included
	Stats    Stats // of this frame
}

// NewPlayer makes a player with a GPU of its own. The memory is made as large
// as the trace needs: that of a New 3DS if something is loaded behind a 3DS's.
func NewPlayer(t *citrace.Trace, o Options) (*Player, error) {
	if o.FCRAM == 0 {
		o.FCRAM = pica.FCRAMSize
		for i := range t.Elements {
			e := &t.Elements[i]
			if e.Type == citrace.MemoryLoad && e.Address-pica.FCRAMBase < 2*pica.FCRAMSize && e.Address-pica.FCRAMBase >= pica.FCRAMSize {
				o.FCRAM = 2 * pica.FCRAMSize
				break
			}
		}
	}
	p := &Player{GPU: New(o), Trace: t}
	return p, p.Rewind()
}

// Rewind goes back to the start of the trace: the GPU is reset and loaded with
// the trace's initial state.
func (p *Player) Rewind() error {
	p.next, p.frame, p.done = 0, 0, false
	p.GPU.Reset()
	return p.GPU.loadInitial(p.Trace)
}

// NextFrame replays up to the next frame marker, with all draws finished. It
// returns io.EOF after the last frame. What follows the last marker is replayed
// before io.EOF is returned; a trace without markers is one frame. An error
// names the stream element, and ctx's error is returned when it is cancelled.
func (p *Player) NextFrame(ctx context.Context) (Frame, error) {
	g := p.GPU
	if p.done {
		return Frame{}, io.EOF
	}
	g.frame, g.frameDraw = p.frame, 0
	marker := false
	for !marker && p.next < len(p.Trace.Elements) {
		i := p.next
		e := p.Trace.Elements[i]
		p.next++
		var err error
		switch e.Type {
		case citrace.FrameMarker:
			marker = true
		case citrace.MemoryLoad:
			if err = g.Load(ctx, e.Address, p.Trace.Payload(e)); err != nil {
				err = fmt.Errorf("memory load: %w", err)
			}
		case citrace.RegisterWrite:
			err = g.WriteRegister(ctx, e.Address, e.Value, e.Width)
		}
		if err == nil && i&0xFF == 0 {
			err = ctx.Err()
		}
		if err != nil {
			p.done = true
			return Frame{}, fmt.Errorf("frame %d, stream element %d (file offset 0x%X): %w", p.frame, i, p.Trace.ElementOffset(i), err)
		}
	}
	if err := g.Finish(ctx); err != nil {
		p.done = true
		return Frame{}, fmt.Errorf("frame %d: %w", p.frame, err)
	}
	if !marker {
		p.done = true
		if p.frame != 0 {
			return Frame{}, io.EOF
		}
	}
	f := Frame{Index: p.frame, Elements: p.next, Stats: g.TakeStats()}
	p.frame++
	return f, nil
}

// Frames is the number of frames that NextFrame will return in all.
func (p *Player) Frames() int { return max(1, p.Trace.Frames()) }

// Replay replays a whole trace. frame, which may be nil, is called after each
// frame.
func Replay(ctx context.Context, t *citrace.Trace, o Options, frame func(*GPU, Frame) error) (*GPU, error) {
	p, err := NewPlayer(t, o)
	if err != nil {
		return nil, err
	}
	for {
		f, err := p.NextFrame(ctx)
		if err == io.EOF {
			return p.GPU, nil
		}
		if err == nil && frame != nil {
			err = frame(p.GPU, f)
		}
		if err != nil {
			return p.GPU, err
		}
	}
}

// loadInitial puts the initial state of a trace into the registers, without
// setting anything off. Blocks that the recorder left out change nothing.
func (g *GPU) loadInitial(t *citrace.Trace) error {
	for i, w := range t.Initial[citrace.GPURegisters] {
		addr := externalBase + 4*uint32(i)
		switch {
		case addr-internalBase < 4*pica.NumRegs:
			g.regs[(addr-internalBase)/4] = w
		case addr-externalBase < 4*externalRegs:
			g.ext[i] = w
		}
	}
	copy(g.lcd[:], t.Initial[citrace.LCDRegisters])
	copy(g.regs[:], t.Initial[citrace.PICARegisters])
	g.loadVectors(g.fixed[:], t.Initial[citrace.DefaultAttributes])
	for _, unit := range []struct {
		s                   *shaderunit.Setup
		base                pica.Reg
		code, desc, uniform citrace.Block
	}{
		{&g.vs, pica.OffsetVsh, citrace.VSProgram, citrace.VSSwizzle, citrace.VSFloatUniforms},
		{&g.gs, pica.OffsetGsh, citrace.GSProgram, citrace.GSSwizzle, citrace.GSFloatUniforms},
	} {
		s := unit.s
		s.Load(t.Initial[unit.code], t.Initial[unit.desc])
		g.loadVectors(s.Float[:], t.Initial[unit.uniform])
		g.loadShaderRegisters(s, unit.base)
	}
	return nil
}

// loadShaderRegisters takes over the registers of a shader unit that take
// effect when they are written.
func (g *GPU) loadShaderRegisters(s *shaderunit.Setup, base pica.Reg) {
	r := &g.regs
	s.Bool = uint16(r[pica.RegGshBooluniform+base])
	s.OutMask = uint16(pica.ShOutmapMask.At(base).Get(r))
	s.Entry = uint16(pica.ShEntrypoint.At(base).Get(r))
	for i := range s.Int {
		binary.LittleEndian.PutUint32(s.Int[i][:], r[pica.RegGshIntuniformI0+base+pica.Reg(i)])
	}
}

// loadVectors decodes vectors of four float24, a word each.
func (g *GPU) loadVectors(dst [][4]float32, words []uint32) {
	for i := range dst {
		for c := range dst[i] {
			if at := 4*i + c; at < len(words) {
				dst[i][c] = pica.Float24.Decode(words[at] & 0xFFFFFF)
			}
		}
	}
}
