package pipeline

import "pica200/geometry"

// Stats counts work.
type Stats struct {
	Lists, Commands          int // command lists run, register writes in them
	Draws                    int
	Fills, Transfers, Copies int
	Flushes                  int // how often queued draws were drawn
	Geometry                 geometry.Stats
	Fragments                uint64 // fragments that passed every test
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
}

// TakeStats returns what was counted since the last call. Fragments of draws
// that are queued still are not in it; Finish draws them.
func (g *GPU) TakeStats() Stats {
	s := g.stats
	written := g.engine.Written()
	s.Fragments = written - g.takenFragments
	g.takenFragments = written
	g.stats = Stats{}
	return s
}
