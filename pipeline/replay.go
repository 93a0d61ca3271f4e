package pipeline

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"

	"pica200/assets/picatrace"
	"pica200/geometry"
	"pica200/pica"
	"pica200/shaderunit"
)

// Player replays a recording, one frame at a time. Make one with NewPlayer. GPU
// and Trace may be read; hooks of the GPU may be set.
type Player struct {
	GPU   *GPU
	Trace *picatrace.Trace

	frame int
	event int // number of the frame's current or last event
	done  bool
}

// progress is the position of a GPU in a recording. Player and Replayer set it;
// otherwise it does not change.
type progress struct {
	frame    int              // from 0
	draw     int              // draws since the frame began
	stop     int              // number of draws after which draws return errStopped; 0 for none
	change   func(*pica.Regs) // changes the registers of each draw, or nil
	pass     int              // passes that ended since the frame began; a pass is a run of draws to one target
	target   targetKey        // target of the current pass
	geometry bool             // the last draw of the list had a geometry shader, and no flush came since
	// mark, if not nil, is called after writes of command lists that trigger
	// something.
	mark func(context.Context, *listPos) error
	last bool // the register write that runs is the last step of its event
}

// drawn counts a draw.
func (p *progress) drawn(r *pica.Regs) {
	key := keyOf(r)
	key.block32 = false // the memory layout does not make it another target
	if p.draw > 0 && key != p.target {
		p.pass++
	}
	p.target = key
	p.draw++
}

// Frame says what happened in one frame of a recording.
type Frame struct {
	Index  int   // from 0
	Events int   // number of events
	Loaded int   // bytes that the frame loads into memory
	Stats  Stats // of this frame
}

// NewPlayer makes a player with its own GPU. Main memory has the size that the
// recording gives, unless the options set one.
func NewPlayer(t *picatrace.Trace, o Options) (*Player, error) {
	if o.FCRAM == 0 {
		o.FCRAM = pica.FCRAMSize
		if t.Meta.FCRAM > pica.FCRAMSize {
			o.FCRAM = 2 * pica.FCRAMSize
		}
	}
	p := &Player{GPU: New(o), Trace: t}
	return p, p.Rewind()
}

// Rewind goes to the start of the recording: it resets the GPU and loads the
// initial state.
func (p *Player) Rewind() error {
	p.frame, p.done = 0, false
	p.GPU.pool.hold() // a frame follows
	defer p.GPU.pool.release()
	p.GPU.Reset()
	p.GPU.loadInitial(p.Trace.Initial)
	return nil
}

// NextFrame replays the next frame and executes all of its draws. It returns
// io.EOF after the last frame, an error that names the event, or ctx's error
// when ctx is cancelled.
func (p *Player) NextFrame(ctx context.Context) (Frame, error) {
	g := p.GPU
	if p.done || p.frame == p.Trace.Frames() {
		return Frame{}, io.EOF
	}
	g.progress.frame, g.progress.draw, g.progress.pass = p.frame, 0, 0
	g.budget = budget{frame: true}
	return p.play(ctx, nil)
}

// play is NextFrame from a checkpoint inside of the frame; from its beginning
// if from is nil.
func (p *Player) play(ctx context.Context, from *inside) (Frame, error) {
	g := p.GPU
	defer func() { g.budget.frame = false }()
	f, err := p.Trace.Frame(p.frame)
	if err != nil {
		p.done = true
		return Frame{}, err
	}
	loaded := 0
	for i := range f.Events {
		e := &f.Events[i]
		loaded += len(e.Data)
		p.event = i
		var err error
		switch {
		case from == nil || i > from.event:
			err = g.do(ctx, e)
		case i == from.event:
			if err = g.runLists(ctx, from.list); err == nil {
				err = g.behind(ctx, e)
			} else if e.Kind != picatrace.Write {
				err = fmt.Errorf("%v: %w", e.Kind, err)
			}
		}
		if err == nil && i&0xFF == 0 {
			err = ctx.Err()
		}
		if err != nil {
			p.done = true
			return Frame{}, fmt.Errorf("frame %d, event %d (file offset 0x%X): %w", p.frame, i, e.Offset, err)
		}
	}
	if err := g.Finish(ctx); err != nil {
		p.done = true
		return Frame{}, fmt.Errorf("frame %d: %w", p.frame, err)
	}
	done := Frame{Index: p.frame, Events: len(f.Events), Loaded: loaded, Stats: g.TakeStats()}
	p.frame++
	return done, nil
}

// do runs an event of a recording.
func (g *GPU) do(ctx context.Context, e *picatrace.Event) error {
	g.progress.last = e.Words[1] != 8
	switch e.Kind {
	case picatrace.Load:
		if err := g.Load(ctx, e.Words[0], e.Data); err != nil {
			return fmt.Errorf("memory load: %w", err)
		}
	case picatrace.Write:
		return g.WriteRegister(ctx, e.Words[0], uint64(e.Words[3])<<32|uint64(e.Words[2]), uint8(e.Words[1]))
	default:
		writes := e.Writes()
		for i, w := range writes {
			g.progress.last = i == len(writes)-1
			if err := g.WriteRegister(ctx, w.Addr, uint64(w.Value), 4); err != nil {
				return fmt.Errorf("%v: %w", e.Kind, err)
			}
		}
	}
	return g.behind(ctx, e)
}

// behind does what follows the register writes of an event.
func (g *GPU) behind(ctx context.Context, e *picatrace.Event) error {
	if e.Kind == picatrace.List && e.Words[2]&picatrace.ListUpdateGas != 0 {
		return g.UpdateGasAccmax(ctx)
	}
	return nil
}

// Frames returns the number of frames of the recording.
func (p *Player) Frames() int { return p.Trace.Frames() }

// Replay replays a whole trace. It calls frame, which may be nil, after each
// frame.
func Replay(ctx context.Context, t *picatrace.Trace, o Options, frame func(*GPU, Frame) error) (*GPU, error) {
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

// loadInitial loads the initial state of a recording into the GPU and triggers
// nothing. Missing blocks change nothing.
func (g *GPU) loadInitial(state picatrace.State) {
	copy(g.ext[:], state[picatrace.ExternalRegisters])
	copy(g.lcd[:], state[picatrace.ScreenRegisters])
	copy(g.regs[:], state[picatrace.InternalRegisters])
	if g.regs[pica.RegIrqCompare] == 0 { // recorders that do not know the system's registers leave them 0
		g.systemRegisters()
		if g.regs[pica.RegShOutattrClock] == 0 {
			g.regs[pica.RegShOutattrClock] = pica.AllClocks
		}
	}
	loadVectors(g.fixed[:], state[picatrace.FixedAttributes])
	for _, unit := range []struct {
		s                   *shaderunit.Setup
		unit                int
		base                pica.Reg
		code, desc, uniform picatrace.Block
	}{
		{&g.vs, 1, pica.OffsetVsh, picatrace.VertexCode, picatrace.VertexDescriptors, picatrace.VertexUniforms},
		{&g.gs, 0, pica.OffsetGsh, picatrace.GeometryCode, picatrace.GeometryDescriptors, picatrace.GeometryUniforms},
	} {
		s := unit.s
		s.Load(state[unit.code], state[unit.desc])
		loadVectors(s.Float[:], state[unit.uniform])
		g.loadShaderRegisters(s, unit.unit, unit.base)
	}
	if words, ok := state[picatrace.Primitives]; ok {
		g.stage.SetState(geometry.StateOfWords(words))
	}
	t := &g.tables
	for i := range t.Light {
		copy(t.Light[i][:], state[picatrace.LightingTables][min(i*256, len(state[picatrace.LightingTables])):])
	}
	copy(t.Fog[:], state[picatrace.FogTable])
	copy(t.Gas[:], state[picatrace.GasTable])
	copy(t.ProcNoise[:], state[picatrace.ProctexNoise])
	copy(t.ProcRGBMap[:], state[picatrace.ProctexRGBMap])
	copy(t.ProcAlphaMap[:], state[picatrace.ProctexAlphaMap])
	copy(t.ProcColor[:], state[picatrace.ProctexColors])
	copy(t.ProcColorDiff[:], state[picatrace.ProctexColorDiffs])
	t.Version++
}

// loadShaderRegisters applies the registers of a shader unit that normally act
// when they are written.
func (p *programmed) loadShaderRegisters(s *shaderunit.Setup, unit int, base pica.Reg) {
	r := &p.regs
	s.Bool = uint16(r[pica.RegGshBooluniform+base])
	s.OutMask = uint16(pica.ShOutmapMask.At(base).Get(r))
	s.Entry = uint16(entries[unit].Get(r))
	for i := range s.Int {
		binary.LittleEndian.PutUint32(s.Int[i][:], r[pica.RegGshIntuniformI0+base+pica.Reg(i)])
	}
}

// loadVectors decodes vectors of four float24, one number in each word.
func loadVectors(dst [][4]float32, words []uint32) {
	for i := range dst {
		for c := range dst[i] {
			if at := 4*i + c; at < len(words) {
				dst[i][c] = pica.Float24.Decode(words[at] & 0xFFFFFF)
			}
		}
	}
}
