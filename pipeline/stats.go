package pipeline

import (
	"time"

	"pica200/fragment"
	"pica200/geometry"
)

// Stats counts work.
type Stats struct {
	Lists, Commands          int // command lists run, and register writes in them
	Draws                    int
	Fills, Transfers, Copies int
	Flushes                  int // times that queued draws were executed
	Geometry                 geometry.Stats
	Fragments                uint64 // fragments that passed every test
	Compiled                 uint64 // programs compiled for the vertex, geometry and fragment stages
	Decoded                  uint64 // textures decoded
	Time                     Times
}

// Times is the time of each stage. It is 0 unless GPU.Timing is set.
type Times struct {
	Geometry  time.Duration // vertices: loading, shading, clipping
	Fragments time.Duration // rasterizer and all later stages
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

// counters holds the counts since the last TakeStats. The engine and the
// geometry stage have counters that never restart; for these it holds what was
// already taken.
type counters struct {
	Stats
	fragments         uint64
	compiled, decoded uint64
}

// reset starts new counts. Compiled programs and decoded textures stay, and so
// do the counts of them.
func (c *counters) reset(e *fragment.Engine) {
	c.Stats, c.fragments = Stats{}, e.Written()
}

// measure adds the time until the returned function is called to d, if Timing
// is set.
func (g *GPU) measure(d *time.Duration) func() {
	if !g.Timing {
		return func() {}
	}
	start := time.Now()
	return func() { *d += time.Since(start) }
}

// TakeStats returns the counts since the last call. Fragments of queued draws
// are not included; call Finish first if they matter.
func (g *GPU) TakeStats() Stats {
	s := g.counted()
	c := &g.counters
	c.compiled, c.decoded = c.compiled+s.Compiled, c.decoded+s.Decoded
	c.reset(g.engine)
	return s
}

// counted returns what TakeStats would return.
func (g *GPU) counted() Stats {
	c := &g.counters
	s := c.Stats
	s.Fragments = g.engine.Written() - c.fragments
	compiled, decoded := g.engine.Counts()
	s.Compiled, s.Decoded = compiled+g.stage.Compiled()-c.compiled, decoded-c.decoded
	return s
}

// countFrom sets the counts.
func (g *GPU) countFrom(s Stats) {
	g.TakeStats()
	c := &g.counters
	c.Stats, c.fragments, c.compiled, c.decoded = s, c.fragments-s.Fragments, c.compiled-s.Compiled, c.decoded-s.Decoded
}
