package pipeline_test

import (
	"context"
	"fmt"
	"io"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
)

// explainer replays traces again and explains a pixel.
type explainer struct {
	gpu               *pipeline.GPU
	explained, events int
}

// check explains a pixel of a trace's last target, which base drew without an error. The explanation must end with the drawn pixel
// and must not change memory. alone: no other target of the last frame shares memory with it.
func (e *explainer) check(c *stateCase, base *pipeline.GPU, alone bool) string {
	seed, want := c.seed, &c.want
	target, err := base.LastTarget()
	if err != nil {
		return ""
	}
	x, y := int(seed*7%uint64(target.Width)), int(seed*13%uint64(target.Height))
	drawn := pipeline.PixelOf(target, x, y)
	if e.gpu == nil {
		e.gpu = pipeline.New(pipeline.Options{Workers: 2, FCRAM: states.FCRAM})
	}
	p := &pipeline.Player{GPU: e.gpu, Trace: c.trace}
	var last *pipeline.Event
	ctx := context.Background()
	if err := p.Watch(ctx, want.Frames-1, x, y, func(ev pipeline.Event) {
		e.events++
		last = &ev
	}); err != nil {
		return fmt.Sprintf("explain of pixel %d,%d: %v", x, y, err)
	}
	// Events after the last frame marker, for comparing memory.
	for err == nil {
		_, err = p.NextFrame(ctx)
	}
	if err != io.EOF {
		return fmt.Sprintf("after explain: %v", err)
	}
	if got := e.gpu.MemorySums(); got != want.Memory {
		return fmt.Sprintf("explain of pixel %d,%d changes memory: sums %08X, want %08X", x, y, got, want.Memory)
	}
	if last == nil || !alone {
		return ""
	}
	e.explained++
	if last.After != drawn {
		return fmt.Sprintf("explain of pixel %d,%d: ends as %+v, drawn is %+v", x, y, last.After, drawn)
	}
	return ""
}

// targetPlace is the location of a draw's target.
type targetPlace struct {
	color, depth uint32
	colorFormat  pica.ColorFormat
	depthFormat  pica.DepthFormat
	width        int32
	block32      bool
	ends         [2]uint32 // of colour and depth
}

func targetOf(d *pipeline.DrawInfo) targetPlace {
	t := d.Target
	p := targetPlace{
		color: pica.ColorbufferLoc.Addr(d.Regs), depth: pica.DepthbufferLoc.Addr(d.Regs),
		colorFormat: t.ColorFormat, depthFormat: t.DepthFormat, width: t.Width, block32: t.Block32,
	}
	p.ends = [2]uint32{p.color + uint32(len(t.Color)), p.depth + uint32(len(t.Depth))}
	return p
}

// alone reports whether the last frame's last target shares no memory with the others, nor within itself.
func (r *stateRunner) alone() bool {
	if len(r.targets) == 0 {
		return false
	}
	last := r.targets[len(r.targets)-1]
	meet := func(a0, a1, b0, b1 uint32) bool { return a0 < b1 && b0 < a1 }
	for _, t := range r.targets {
		if t != last && (meet(t.color, t.ends[0], last.color, last.ends[0]) || meet(t.color, t.ends[0], last.depth, last.ends[1]) ||
			meet(t.depth, t.ends[1], last.color, last.ends[0]) || meet(t.depth, t.ends[1], last.depth, last.ends[1])) {
			return false
		}
	}
	return !meet(last.color, last.ends[0], last.depth, last.ends[1]) && last.width%8 == 0 && !last.block32
}
