package retrace

import (
	"context"
	"fmt"
	"slices"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
)

// Contents describes a trace.
type Contents struct {
	Frames     int // whole ones
	Events     int
	Lists      int // command lists submitted
	Draws      int
	Fills      int
	Transfers  int // display transfers and texture copies
	Writes     int // register writes of the CPU
	Loads      int // ranges of memory that changed
	LoadBytes  int // bytes of all loads
	Memory     int // bytes of memory, in pages, that loads wrote
	Pictures   int // stored pictures of screens
	Screens    []pipeline.Screen
	Warnings   []string // warnings of the replay, and why nothing is visible
	Replayable bool     // a replay reached the end
}

// Survey reads and replays a trace. If the trace ends with an error, it
// describes the part before, and a warning has the error.
func Survey(ctx context.Context, t *picatrace.Trace, workers int) (*Contents, error) {
	c := &Contents{Frames: t.Frames()}
	pages := map[uint32]bool{}
	for i := range t.Frames() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := t.Frame(i)
		if err != nil {
			return nil, err
		}
		shown, err := t.Shown(i)
		if err != nil {
			return nil, err
		}
		c.Pictures += len(shown)
		c.Events += len(f.Events)
		for j := range f.Events {
			c.count(&f.Events[j], pages)
		}
	}
	c.Memory = len(pages) * pageSize
	if err := c.replay(ctx, t, workers); err != nil {
		return nil, err
	}
	c.explain()
	return c, nil
}

func (c *Contents) count(e *picatrace.Event, pages map[uint32]bool) {
	switch e.Kind {
	case picatrace.Load:
		c.Loads++
		c.LoadBytes += len(e.Data)
		eachPage(e.Words[0], uint32(len(e.Data)), func(page uint32, _, _ uint16) { pages[page] = true })
	case picatrace.Write:
		c.Writes++
	}
}

// replay counts what only a replay shows: the draws of command lists, and
// commands started by single register writes.
func (c *Contents) replay(ctx context.Context, t *picatrace.Trace, workers int) error {
	p, err := pipeline.NewPlayer(t, pipeline.Options{Workers: workers})
	if err != nil {
		return err
	}
	defer p.GPU.Close()
	for range t.Frames() {
		f, err := p.NextFrame(ctx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			c.Warnings = append(c.Warnings, err.Error())
			break
		}
		c.Lists += f.Stats.Lists
		c.Draws += f.Stats.Draws
		c.Fills += f.Stats.Fills
		c.Transfers += f.Stats.Transfers + f.Stats.Copies
		for _, s := range screens(p.GPU) {
			if addr, _ := p.GPU.Framebuffers(s); addr != 0 && !slices.Contains(c.Screens, s) {
				c.Screens = append(c.Screens, s)
			}
		}
		c.Replayable = f.Index == t.Frames()-1
	}
	for _, w := range p.GPU.Warnings() {
		c.Warnings = append(c.Warnings, fmt.Sprint(w))
	}
	return nil
}

// explain says why a trace draws nothing, and what to do.
func (c *Contents) explain() {
	const record = "docs/RECORDING.md says how to record with pica200_record.h"
	switch {
	case c.Draws > 0:
	case c.Events == 0:
		c.Warnings = append(c.Warnings, "no draw: the stream is empty. Citra and Azahar write such CiTraces: nothing calls their recorder since December 2023, so the button saves an empty file; "+record)
	case c.Lists == 0 && c.Loads > 0 && c.Writes == 0 && c.Fills == 0 && c.Transfers == 0:
		c.Warnings = append(c.Warnings, "no draw: memory changed, but no command is recorded; the recorder's calls for commands are missing or in the wrong places. "+record)
	case c.Lists == 0 && !c.Replayable:
		c.Warnings = append(c.Warnings, "no draw: the replay ended before a command list ran")
	case c.Lists == 0:
		c.Warnings = append(c.Warnings, "no draw: no command list was submitted (GX command 1, register 0x104018F0); is pica200_record_list called where the emulator starts one? "+record)
	default:
		c.Warnings = append(c.Warnings, fmt.Sprintf("no draw: %d command lists ran, and none of them writes %v or %v; record while something moves, for more than one frame", c.Lists, pica.RegDrawarrays, pica.RegDrawelements))
	}
}
