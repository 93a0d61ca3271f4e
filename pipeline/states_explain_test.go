package pipeline_test

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// coverage counts register values used by draws of random states.
type coverage struct {
	draws, drawn, special, errors int // special: gas and shadow draws with pixels
	placed                        int // draws with pixels and own places of the procedural texture's levels 4 to 7
	pixels                        uint64
	values                        [pica.NumRegs][32]map[uint32]bool // by register and lowest bit of a field; only draws with pixels
}

// maxValues limits the values kept per field.
const maxValues = 64

// draw counts a draw.
func (c *coverage) draw(d *pipeline.DrawInfo) {
	c.draws++
	if d.Fragments == 0 {
		return
	}
	c.drawn++
	c.pixels += d.Fragments
	if d.Regs[pica.RegTexunit3Proctex6] != 0 && pica.TexunitEnable3.Bool(d.Regs) {
		c.placed++
	}
	if pica.ColorOperationMode.Get(d.Regs) != uint32(pica.FragmentModeDefault) {
		c.special++
	}
	for _, r := range pica.Registers {
		for _, f := range r.Fields {
			m := &c.values[r.Reg][f.Lo]
			if *m == nil {
				*m = map[uint32]bool{}
			}
			if len(*m) < maxValues {
				(*m)[f.Get(d.Regs)] = true
			}
		}
	}
}

// count returns how many fields had more than one value in draws with pixels, and how many values of enumerations occurred, with
// their totals. missing lists the others.
func (c *coverage) count() (fields, ofFields, enums, ofEnums int, missing []string) {
	for _, r := range pica.Registers {
		for _, f := range r.Fields {
			if f.Type == pica.TypeTrigger {
				continue
			}
			seen := c.values[r.Reg][f.Lo]
			ofFields++
			if len(seen) > 1 {
				fields++
			} else {
				missing = append(missing, r.Name+" "+f.Name)
			}
			if f.Enum == nil {
				continue
			}
			for _, v := range f.Enum.Values {
				ofEnums++
				if seen[v.Value] {
					enums++
				} else {
					missing = append(missing, r.Name+" "+f.Name+"="+v.Name)
				}
			}
		}
	}
	return fields, ofFields, enums, ofEnums, missing
}

// enough checks that the random states still cover as much, so that changes of the generator lose nothing.
func (c *coverage) enough(t *testing.T) {
	fields, ofFields, enums, ofEnums, missing := c.count()
	require.Greater(t, c.drawn, 3000, "number of draws with pixels")
	require.Greater(t, c.special, 300, "number of gas and shadow draws with pixels")
	require.Greater(t, c.placed, 300, "number of draws with places of levels 4 to 7")
	require.Less(t, c.errors, 100, "number of traces that end in an error")
	// All registers from the rasterizer to lighting must be covered, except values that programs always write.
	for _, m := range missing {
		name, field, _ := strings.Cut(m, " ")
		r, ok := pica.Lookup(name)
		require.True(t, ok, name)
		if r.Reg < pica.RegTexunitConfig || r.Reg > pica.RegLightingLightPermutation || slices.Contains([]string{
			"one", "constant", // always written by programs
			"format=invalid1", // an error
		}, field) {
			continue
		}
		t.Errorf("all draws with pixels have the same value in %s", m)
	}
	require.Greater(t, fields, ofFields*75/100, "number of fields with several values")
	require.Greater(t, enums, ofEnums*45/100, "number of used enumeration values")
}

// merge adds the counts of another coverage.
func (c *coverage) merge(o *coverage) {
	c.draws += o.draws
	c.drawn += o.drawn
	c.special += o.special
	c.placed += o.placed
	c.errors += o.errors
	c.pixels += o.pixels
	for r := range o.values {
		for lo, m := range o.values[r] {
			for v := range m {
				if c.values[r][lo] == nil {
					c.values[r][lo] = map[uint32]bool{}
				}
				c.values[r][lo][v] = true
			}
		}
	}
}

func (c *coverage) String() string {
	fields, ofFields, enums, ofEnums, missing := c.count()
	return fmt.Sprintf("%d draws, %d with pixels (%d of gas and shadow), %d pixels; %d of %d fields with several values, %d of %d values of enumerations; %d traces end in an error\nnot seen: %s",
		c.draws, c.drawn, c.special, c.pixels, fields, ofFields, enums, ofEnums, c.errors, strings.Join(missing, ", "))
}
