package retrace

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"pica200/assets/picatrace"
	"pica200/pipeline"
)

// Options configure a cut.
type Options struct {
	Workers int // as in pipeline.Options
	Writer  picatrace.WriterOptions
}

// Report describes the result of a cut.
type Report struct {
	Frames int
	Draws  int
	Memory int // bytes of memory that are read and come from outside of the GPU
}

// Cut writes frames first to last of a trace as a trace of its own, which
// begins with the state at that point. It contains the memory that these frames
// read: for commands, for what the screens show at the end of each frame, and
// for the last colour buffer; all other memory is 0. While it works it holds a
// copy of the memory at the first frame.
func Cut(ctx context.Context, t *picatrace.Trace, first, last int, w io.Writer, o Options) (Report, error) {
	for _, frame := range []int{first, last} {
		if err := picatrace.CheckFrame(frame, t.Frames()); err != nil {
			return Report{}, err
		}
	}
	if last < first {
		return Report{}, fmt.Errorf("frame %d, the last, comes before frame %d, the first", last, first)
	}
	return newCut(t, first, last).run(ctx, w, o)
}

func newCut(t *picatrace.Trace, first, last int) *cutter {
	c := &cutter{trace: t, first: first, last: last, tracker: newTracker(), meta: t.Meta, pictures: t.Shown}
	c.meta.Comment = strings.TrimSpace(fmt.Sprintf("%s frames %d to %d of %d", c.meta.Comment, first, last, t.Frames()))
	return c
}

// Strip writes one frame of a trace as a trace of its own with little more than
// its draws need: commands stay, but memory that only screens show, title and
// stored pictures, and shader code and tables that no draw uses are left out.
// Every draw draws the same; a screen whose picture was not drawn in the frame
// is black.
func Strip(ctx context.Context, t *picatrace.Trace, frame int, w io.Writer, o Options) (Report, error) {
	if err := picatrace.CheckFrame(frame, t.Frames()); err != nil {
		return Report{}, err
	}
	c := &cutter{trace: t, first: frame, last: frame, tracker: newTracker(), strip: &stateUse{}}
	c.tracker.onlyDraws = true
	c.meta = picatrace.Meta{Producer: "pica200 trace strip", FCRAM: t.Meta.FCRAM}
	return c.run(ctx, w, o)
}

type cutter struct {
	trace       *picatrace.Trace
	first, last int
	tracker     *tracker  // nil: all loads stay
	strip       *stateUse // nil: everything of the state stays
	whole       bool      // keep the initial state and memory of the trace
	meta        picatrace.Meta
	pictures    func(frame int) ([]picatrace.Shown, error) // nil: none; called for one frame after the other

	state     picatrace.State
	leftovers []picatrace.RegWrite
	memory    map[uint32][]byte // nonzero pages at the first frame, by address / pageSize
	report    Report
}

func (c *cutter) run(ctx context.Context, w io.Writer, o Options) (Report, error) {
	if err := c.replay(ctx, o); err != nil {
		return Report{}, err
	}
	return c.report, c.write(ctx, w, o)
}

// replay finds out what is needed.
func (c *cutter) replay(ctx context.Context, o Options) error {
	p, err := pipeline.NewPlayer(c.trace, pipeline.Options{Workers: o.Workers})
	if err != nil {
		return err
	}
	defer p.GPU.Close()
	for range c.first {
		if _, err := p.NextFrame(ctx); err != nil {
			return err
		}
	}
	if !c.whole {
		if err := c.remember(ctx, p.GPU); err != nil {
			return err
		}
	}
	p.GPU.MemoryUse = c.tracker
	if c.strip != nil {
		c.strip.initial = loaded(c.state)
		p.GPU.BeforeDraw = func(*pipeline.DrawInfo) error {
			c.strip.record(p.GPU)
			return nil
		}
	}
	for range c.last - c.first + 1 {
		f, err := p.NextFrame(ctx)
		if err != nil {
			return err
		}
		c.report.Frames++
		c.report.Draws += f.Stats.Draws
		c.shown(p.GPU)
	}
	return nil
}

// remember saves the state and the memory at the first frame.
func (c *cutter) remember(ctx context.Context, g *pipeline.GPU) (err error) {
	if c.state, err = g.State(ctx); err != nil {
		return err
	}
	c.leftovers = g.Leftovers()
	c.memory = map[uint32][]byte{}
	return g.EachPage(ctx, func(addr uint32, page []byte) {
		for _, b := range page {
			if b != 0 {
				c.memory[addr/pageSize] = append([]byte(nil), page...)
				return
			}
		}
	})
}

// shown reads what is visible at the end of a frame.
func (c *cutter) shown(g *pipeline.GPU) {
	for s := range pipeline.ScreenTopRight + 1 {
		g.Screen(s)
	}
	addr, n := g.LastTargetMemory()
	c.tracker.Reads(pipeline.UseScreen, addr, n)
}

// write writes what is needed.
func (c *cutter) write(ctx context.Context, w io.Writer, o Options) error {
	state := c.state
	if c.strip != nil {
		state = c.strip.keep(state)
	}
	out, err := picatrace.NewWriter(w, c.meta, state, o.Writer)
	if err != nil {
		return err
	}
	if c.tracker != nil {
		for _, number := range slices.Sorted(maps.Keys(c.tracker.start)) {
			c.load(out, number*pageSize, c.tracker.start[number].need, c.memory[number])
		}
	}
	for _, r := range c.leftovers {
		if err := out.Add(picatrace.RegisterWrite(r.Addr, 4, uint64(r.Value))); err != nil {
			return err
		}
	}
	return c.frames(ctx, out)
}

// frames writes the frames, without unneeded loads, and ends the file.
func (c *cutter) frames(ctx context.Context, out *picatrace.Writer) error {
	loads := 0
	for i := c.first; i <= c.last; i++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := c.trace.Frame(i)
		if err != nil {
			return err
		}
		for _, e := range f.Events {
			if e.Kind != picatrace.Load || c.tracker == nil {
				if err := out.Add(e); err != nil {
					return err
				}
				continue
			}
			addr, data := e.Words[0], e.Data
			for len(data) > 0 {
				n := min(len(data), pageSize-int(addr%pageSize))
				loads++
				c.load(out, addr, c.tracker.needed[loads], data[:n])
				addr, data = addr+uint32(n), data[n:]
			}
		}
		if err := out.EndFrame(); err != nil {
			return err
		}
		if c.pictures == nil {
			continue
		}
		shown, err := c.pictures(i)
		if err != nil {
			return err
		}
		for _, s := range shown {
			if err := out.Shown(s); err != nil {
				return err
			}
		}
	}
	return out.Close()
}

// load writes the needed part of the bytes that a source wrote at addr, which
// are in one page. The writer keeps an error for its next call.
func (c *cutter) load(out *picatrace.Writer, addr uint32, need *byteSet, data []byte) {
	if need == nil || len(data) == 0 {
		return
	}
	c.report.Memory += need.len()
	at, part := need.only(uint16(addr%pageSize), data)
	_ = out.Load(addr&^(pageSize-1)+uint32(at), part)
}
