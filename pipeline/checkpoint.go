package pipeline

import (
	"slices"
	"sort"
)

// Checkpoints are taken between frames. There is always one of the start; the
// others are chosen by cost: when their bound in bytes is reached, the one goes
// without which the longest way to a frame grows least.

// checkpoint is the GPU after a number of whole frames.
type checkpoint struct {
	frames int
	memory pageTable
	gpu    *snapshot
	stats  Stats // of the last of the frames
}

// checkpoints are those of a Replayer.
type checkpoints struct {
	gpu   *GPU
	bound int64 // bytes
	list  []*checkpoint
	pages pageStore
	gpus  int64 // bytes of the snapshots

	// Memory is what base holds but for what was written after since.
	base  *checkpoint
	since uint64

	cost    []uint64 // cost[i]: of replaying the first i frames, as far as it is known
	spacing uint64   // cost between checkpoints below which none is taken
}

// start forgets all checkpoints and takes the one of the start.
func (c *checkpoints) start() {
	c.list, c.pages, c.gpus, c.cost, c.spacing = nil, pageStore{}, 0, []uint64{0}, 0
	c.base, c.since = &checkpoint{}, 0
	c.take(0, Stats{})
}

// held is what the checkpoints hold, in bytes.
func (c *checkpoints) held() int64 { return c.pages.bytes + c.gpus }

// before gives the last checkpoint of at most so many frames.
func (c *checkpoints) before(frames int) *checkpoint {
	i := sort.Search(len(c.list), func(i int) bool { return c.list[i].frames > frames })
	return c.list[i-1]
}

// played notes what a frame costs, the number of which is known to be i.
func (c *checkpoints) played(i int, f *Frame) {
	if i+1 == len(c.cost) {
		c.cost = append(c.cost, c.cost[i]+frameCost(f))
	}
}

// frameCost is about how many nanoseconds one processor takes for a frame. It
// is made of counts, so that the choice of checkpoints is the same everywhere.
func frameCost(f *Frame) uint64 {
	s := &f.Stats
	return 20_000 + uint64(f.Events)*100 + uint64(f.Loaded)/8 + uint64(s.Commands)*15 + uint64(s.Draws)*3000 +
		uint64(s.Geometry.Shaded)*60 + s.Fragments*12 + uint64(s.Fills+s.Transfers+s.Copies)*150_000
}

// consider takes a checkpoint after so many frames, which is where the GPU
// stands, if it is worth it or must be near.
func (c *checkpoints) consider(frames int, stats Stats, near bool) {
	last := c.before(frames)
	if last.frames == frames || !near && c.cost[frames]-c.cost[last.frames] < c.spacing {
		return
	}
	c.take(frames, stats)
}

// take takes a checkpoint, if there is room.
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

// makeRoom drops checkpoints until one more fits whose snapshot has so many
// bytes, or reports that it cannot.
func (c *checkpoints) makeRoom(size int64) bool {
	for {
		need := size + c.pages.estimate(c.gpu.mem, c.since)
		if c.held()+need <= c.bound {
			return true
		}
		if c.dropOne() {
			continue
		}
		if c.base == c.list[0] {
			return false
		}
		// Copying all of memory instead of what changed since the base may
		// be what fits.
		base := c.base
		c.base, c.since = c.list[0], 0
		c.drop(base)
	}
}

// dropOne drops the checkpoint between whose neighbours the way is shortest.
// Those of the start and of base stay.
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
	c.gpus -= one.gpu.bytes()
	c.list = slices.DeleteFunc(c.list, func(o *checkpoint) bool { return o == one })
}

// restore puts the GPU where a checkpoint was taken.
func (c *checkpoints) restore(one *checkpoint) {
	c.gpu.drop() // before memory: what is drawn in the background writes it
	one.memory.restore(c.gpu.mem, &c.base.memory, c.since)
	c.gpu.restore(one.gpu)
	c.base, c.since = one, c.gpu.mem.writes
}
