package pipeline

import (
	"context"
	"slices"
	"sort"
	"unsafe"
)

// Checkpoints are taken between frames. There is always one at the start. When
// the others reach their bound in bytes, the one is dropped whose loss makes
// the longest replay to a frame grow least. In the frame whose draws are
// visited there are checkpoints between draws as well; they are dropped first.

// checkpoint is the state of the GPU after a number of whole frames, and
// perhaps after a part of the next.
type checkpoint struct {
	frames int
	inside *inside // nil for a checkpoint between frames
	memory pageTable
	gpu    *snapshot
	stats  Stats // of the last frame, or of the part
}

// inside says where in a frame a checkpoint was taken: in a command list,
// between draws.
type inside struct {
	draws, event int // draws done so far, and the number of the event that runs the list
	list         listPos
	budget       budget
}

// bytes is an upper bound of what the checkpoint holds besides memory.
func (c *checkpoint) bytes() int64 {
	n := c.gpu.bytes()
	if c.inside != nil {
		n += int64(unsafe.Sizeof(*c.inside)) + 4*int64(len(c.inside.list.words))
	}
	return n
}

const (
	maxInside = 64      // greatest number of checkpoints inside of a frame
	nearDraws = 2 << 20 // initial cost between two of them
)

// checkpoints holds the checkpoints of a Replayer.
type checkpoints struct {
	gpu    *GPU
	bound  int64 // in bytes, of pages and snapshots together
	list   []*checkpoint
	within []*checkpoint // checkpoints inside of one frame; base may be of another
	near   uint64        // initial cost between those
	step   uint64        // cost between those now; it doubles each time that thin runs
	pages  pageStore
	gpus   int64 // bytes of all snapshots

	// Memory holds what base holds, except for what was written after generation
	// since.
	base  *checkpoint
	since uint64

	cost    []uint64 // cost[i] is the cost of replaying the first i frames, as far as it is known
	spacing uint64   // least cost between two checkpoints
}

// start drops all checkpoints and takes the one of the start.
func (c *checkpoints) start() {
	c.list, c.within, c.pages, c.gpus, c.cost, c.spacing = nil, nil, pageStore{}, 0, []uint64{0}, 0
	c.near, c.step = nearDraws, nearDraws
	c.base, c.since = &checkpoint{}, 0
	c.take(0, Stats{})
}

// size returns how many bytes the checkpoints hold.
func (c *checkpoints) size() int64 { return c.pages.bytes + c.gpus }

// before returns the last checkpoint with at most that many whole frames.
func (c *checkpoints) before(frames int) *checkpoint {
	i := sort.Search(len(c.list), func(i int) bool { return c.list[i].frames > frames })
	return c.list[i-1]
}

// played records the cost of frame i. The costs of all frames before it are
// known.
func (c *checkpoints) played(i int, f *Frame) {
	if i+1 == len(c.cost) {
		c.cost = append(c.cost, c.cost[i]+frameCost(f))
	}
}

// frameCost estimates the time of a frame on one processor in nanoseconds. It
// is computed from counts, so that the choice of checkpoints is the same on
// every machine.
func frameCost(f *Frame) uint64 {
	s := &f.Stats
	return 20_000 + uint64(f.Events)*100 + uint64(f.Loaded)/8 + drawsCost(s) + s.Fragments*12 + uint64(s.Fills+s.Transfers+s.Copies)*150_000
}

// drawsCost is the part of the cost that is known before queued draws are
// executed.
func drawsCost(s *Stats) uint64 {
	return uint64(s.Commands)*15 + uint64(s.Draws)*3000 + uint64(s.Geometry.Shaded)*60
}

// consider takes a checkpoint at the GPU's current position, after that many
// frames, if it is far enough from the last one or if near asks for it.
func (c *checkpoints) consider(frames int, stats Stats, near bool) {
	last := c.before(frames)
	if last.frames == frames || !near && c.cost[frames]-c.cost[last.frames] < c.spacing {
		return
	}
	c.take(frames, stats)
}

// take takes a checkpoint if there is room.
func (c *checkpoints) take(frames int, stats Stats) {
	g := c.gpu
	one := &checkpoint{frames: frames, gpu: g.snapshot(c.base.gpu), stats: stats}
	size := one.gpu.bytes()
	if frames > 0 && !c.makeRoom(size) {
		return
	}
	one.memory = c.pages.save(g.mem, &c.base.memory, c.since)
	c.gpus += size
	at := sort.Search(len(c.list), func(i int) bool { return c.list[i].frames > frames })
	c.list = slices.Insert(c.list, at, one)
	c.base, c.since = one, g.mem.writes
}

// nearest returns the last checkpoint inside of a frame with at most that many
// draws done, or nil.
func (c *checkpoints) nearest(frame, draws int) (best *checkpoint) {
	for _, one := range c.within {
		if one.frames == frame && one.inside.draws <= draws && (best == nil || best.inside.draws < one.inside.draws) {
			best = one
		}
	}
	return best
}

// passed is called at a position inside of a frame, between draws. It takes a
// checkpoint there if the last one is far.
func (c *checkpoints) passed(ctx context.Context, frame, event int, list *listPos) error {
	g := c.gpu
	draws, far := g.progress.draw, c.step
	if last := c.nearest(frame, draws); last != nil {
		if last.inside.draws == draws {
			return nil
		}
		far += drawsCost(&last.stats)
	}
	if draws == 0 || drawsCost(&g.counters.Stats) < far {
		return nil
	}
	if err := g.flush(ctx); err != nil {
		return err
	}
	one := &checkpoint{frames: frame, inside: &inside{draws, event, *list, g.budget}, gpu: g.snapshot(c.base.gpu), stats: g.counted()}
	if one.inside.list.words = c.wordsOf(list); len(c.within) >= maxInside {
		c.thin()
	}
	if size := one.bytes(); c.size()+size+c.pages.estimate(g.mem, c.since) <= c.bound {
		one.memory = c.pages.save(g.mem, &c.base.memory, c.since)
		c.gpus += size
		c.within = append(c.within, one)
		c.base, c.since = one, g.mem.writes
	}
	return nil
}

// wordsOf copies a list's words, or shares the copy of the checkpoint before it
// in the same list.
func (c *checkpoints) wordsOf(list *listPos) []uint32 {
	if s := c.base.inside; s != nil && slices.Equal(s.list.words, list.words) {
		return s.list.words
	}
	return slices.Clone(list.words)
}

// thin drops every second checkpoint inside of the frame and doubles the
// distance between new ones.
func (c *checkpoints) thin() {
	c.step *= 2
	for i, one := range slices.Clone(c.within) {
		if i%2 == 0 && one != c.base {
			c.drop(one)
		}
	}
}

// leave drops the checkpoints inside of all frames but one.
func (c *checkpoints) leave(frame int) {
	for _, one := range slices.Clone(c.within) {
		if one.frames != frame {
			c.step = c.near
			if one != c.base {
				c.drop(one)
			}
		}
	}
}

// makeRoom drops checkpoints until one more fits, whose snapshot has size
// bytes. It reports false if none can fit.
func (c *checkpoints) makeRoom(size int64) bool {
	for {
		need := size + c.pages.estimate(c.gpu.mem, c.since)
		if c.size()+need <= c.bound {
			return true
		}
		if c.dropInside() || c.dropOne() {
			continue
		}
		if c.base == c.list[0] {
			return false
		}
		// A copy of all memory may be smaller than what changed since the base.
		base := c.base
		c.base, c.since = c.list[0], 0
		c.drop(base)
	}
}

// dropInside drops one checkpoint inside of a frame, but not base.
func (c *checkpoints) dropInside() bool {
	for _, one := range c.within {
		if one != c.base {
			c.drop(one)
			return true
		}
	}
	return false
}

// dropOne drops the checkpoint whose neighbours are nearest to each other in
// cost. It keeps that of the start and base.
func (c *checkpoints) dropOne() bool {
	var best *checkpoint
	var least uint64
	for i := 1; i < len(c.list); i++ {
		if c.list[i] == c.base {
			continue
		}
		end := c.cost[len(c.cost)-1]
		if i+1 < len(c.list) {
			end = c.cost[c.list[i+1].frames]
		}
		if gap := end - c.cost[c.list[i-1].frames]; best == nil || gap < least {
			best, least = c.list[i], gap
		}
	}
	if best == nil {
		return false
	}
	c.spacing = max(c.spacing, least/2)
	c.drop(best)
	return true
}

func (c *checkpoints) drop(one *checkpoint) {
	c.pages.drop(&one.memory)
	c.gpus -= one.bytes()
	is := func(o *checkpoint) bool { return o == one }
	c.list, c.within = slices.DeleteFunc(c.list, is), slices.DeleteFunc(c.within, is)
}

// restore puts the GPU into the state of a checkpoint.
func (c *checkpoints) restore(one *checkpoint) {
	c.gpu.drop() // before memory is restored: draws in the background write to it
	one.memory.restore(c.gpu.mem, &c.base.memory, c.since)
	c.gpu.restore(one.gpu)
	if one.inside != nil {
		c.gpu.countFrom(one.stats)
		c.gpu.budget = one.inside.budget
	}
	c.base, c.since = one, c.gpu.mem.writes
}
