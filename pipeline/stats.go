package pipeline

import (
	"time"

	"pica200/fragment"
	"pica200/geometry"
)

// Stats counts work.
type Stats struct {
	Lists, Commands          int // command lists run, register writes in them
	Draws                    int
	Fills, Transfers, Copies int
	Flushes                  int // how often queued draws were drawn
	Geometry                 geometry.Stats
	Fragments                uint64 // fragments that passed every test
	Compiled                 uint64 // programs compiled: vertex, geometry and fragment stage
	Decoded                  uint64 // textures decoded
	Time                     Times
}

// Times is how long the stages took, as far as they were measured: GPU.Timing.
type Times struct {
	Geometry  time.Duration // vertices: loading, shading, clipping
	Fragments time.Duration // rasterizing and everything behind it
	Transfers time.Duration // fills, display transfers, texture copies
}

// Add adds the counts of o.
func (s *Stats) Add(o *Stats) {
	s.Lists += o.Lists
	s.Commands += o.Commands
	s.Draws += o.Draws
	s.Fills += o.Fills
	s.Transfers += o.Transfers
	s.Copies += o.Copies
	s.Flushes += o.Flushes
	s.Geometry.Add(&o.Geometry)
	s.Fragments += o.Fragments
	s.Compiled += o.Compiled
	s.Decoded += o.Decoded
	s.Time.Geometry += o.Time.Geometry
	s.Time.Fragments += o.Time.Fragments
	s.Time.Transfers += o.Time.Transfers
}

// counters is what was counted since the last call of TakeStats. The engine and the
// geometry stage count some of it from when they were made; of those, what was taken
// before.
type counters struct {
	Stats
	fragments         uint64
	compiled, decoded uint64
}

// reset begins to count anew. Compiled programs and decoded textures stay, so what
// was taken of their number stays too.
func (c *counters) reset(e *fragment.Engine) {
	c.Stats, c.fragments = Stats{}, e.Written()
}

// measure adds the time until the function that it returns is called to d, if
// anything is to be measured.
func (g *GPU) measure(d *time.Duration) func() {
	if !g.Timing {
		return func() {}
	}
	start := time.Now()
	return func() { *d += time.Since(start) }
}

// TakeStats returns what was counted since the last call. Fragments of draws
// that are queued still are not in it; Finish draws them.
func (g *GPU) TakeStats() Stats {
	s := g.counted()
	c := &g.counters
	c.compiled, c.decoded = c.compiled+s.Compiled, c.decoded+s.Decoded
	c.reset(g.engine)
	return s
}

// counted is what TakeStats would return.
func (g *GPU) counted() Stats {
	c := &g.counters
	s := c.Stats
	s.Fragments = g.engine.Written() - c.fragments
	compiled, decoded := g.engine.Counts()
	s.Compiled, s.Decoded = compiled+g.stage.Compiled()-c.compiled, decoded-c.decoded
	return s
}

// countFrom goes on from what was counted.
func (g *GPU) countFrom(s Stats) {
	g.TakeStats()
	c := &g.counters
	c.Stats, c.fragments, c.compiled, c.decoded = s, c.fragments-s.Fragments, c.compiled-s.Compiled, c.decoded-s.Decoded
}
