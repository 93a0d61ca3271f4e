package pipeline

import (
	"context"
	"slices"
	"sort"
	"unsafe"
)

// Checkpoints are taken between frames. There is always one of the start; the
// others are chosen by cost: when their bound in bytes is reached, the one goes
// without which the longest way to a frame grows least. Of the frame in which one goes
// from draw to draw there are some inside as well, which are the first to go.

// checkpoint is the GPU after a number of whole frames, and perhaps a part of the next.
type checkpoint struct {
	frames int
	inside *inside // nil between frames
	memory pageTable
	gpu    *snapshot
	stats  Stats // of the last of the frames, or of the part
}

// inside is where in a frame a checkpoint was taken: in a command list, behind draws.
type inside struct {
	draws, event int // draws that are done, and the event that runs the list
	list         listPlace
	budget       budget
}

// bytes is at most what a checkpoint takes besides memory.
func (c *checkpoint) bytes() int64 {
	n := c.gpu.bytes()
	if c.inside != nil {
		n += int64(unsafe.Sizeof(*c.inside)) + 4*int64(len(c.inside.list.words))
	}
	return n
}

const (
	maxInside = 64      // checkpoints inside of a frame
	nearDraws = 2 << 20 // the cost between two of them, to begin with
)

// checkpoints are those of a Replayer.
type checkpoints struct {
	gpu    *GPU
	bound  int64 // bytes
	list   []*checkpoint
	within []*checkpoint // inside of one frame, but for base, which may be of another
	near   uint64        // cost between those, to begin with
	step   uint64        // cost between those of the frame
	pages  pageStore
	gpus   int64 // bytes of the snapshots

	// Memory is what base holds but for what was written after since.
	base  *checkpoint
	since uint64

	cost    []uint64 // cost[i]: of replaying the first i frames, as far as it is known
	spacing uint64   // cost between checkpoints below which none is taken
}

// start forgets all checkpoints and takes the one of the start.
func (c *checkpoints) start() {
	c.list, c.within, c.pages, c.gpus, c.cost, c.spacing = nil, nil, pageStore{}, 0, []uint64{0}, 0
	c.near, c.step = nearDraws, nearDraws
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
	return 20_000 + uint64(f.Events)*100 + uint64(f.Loaded)/8 + drawsCost(s) + s.Fragments*12 + uint64(s.Fills+s.Transfers+s.Copies)*150_000
}

// drawsCost is the part of it that is known before what is queued is drawn.
func drawsCost(s *Stats) uint64 {
	return uint64(s.Commands)*15 + uint64(s.Draws)*3000 + uint64(s.Geometry.Shaded)*60
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

// nearest gives the last checkpoint inside of a frame with at most so many draws; nil
// for none.
func (c *checkpoints) nearest(frame, draws int) (best *checkpoint) {
	for _, one := range c.within {
		if one.frames == frame && one.inside.draws <= draws && (best == nil || best.inside.draws < one.inside.draws) {
			best = one
		}
	}
	return best
}

// passed looks at a place inside of a frame behind some draws, where the GPU stands, and
// takes a checkpoint if the one before is far.
func (c *checkpoints) passed(ctx context.Context, frame, event int, list *listPlace) error {
	g := c.gpu
	draws, far := g.place.draw, c.step
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
	if size := one.bytes(); c.held()+size+c.pages.estimate(g.mem, c.since) <= c.bound {
		one.memory = c.pages.save(g.mem, &c.base.memory, c.since)
		c.gpus += size
		c.within = append(c.within, one)
		c.base, c.since = one, g.mem.writes
	}
	return nil
}

// wordsOf is a copy of a list's words, shared with the checkpoint before in the list.
func (c *checkpoints) wordsOf(list *listPlace) []uint32 {
	if s := c.base.inside; s != nil && slices.Equal(s.list.words, list.words) {
		return s.list.words
	}
	return slices.Clone(list.words)
}

// thin lets every second of those inside of a frame go; further ones are taken farther apart.
func (c *checkpoints) thin() {
	c.step *= 2
	for i, one := range slices.Clone(c.within) {
		if i%2 == 0 && one != c.base {
			c.drop(one)
		}
	}
}

// leave lets those inside of other frames than one go.
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

// makeRoom drops checkpoints until one more fits whose snapshot has so many
// bytes, or reports that it cannot.
func (c *checkpoints) makeRoom(size int64) bool {
	for {
		need := size + c.pages.estimate(c.gpu.mem, c.since)
		if c.held()+need <= c.bound {
			return true
		}
		if c.dropInside() || c.dropOne() {
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

// dropInside drops a checkpoint inside of a frame, but for base.
func (c *checkpoints) dropInside() bool {
	for _, one := range c.within {
		if one != c.base {
			c.drop(one)
			return true
		}
	}
	return false
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
	c.gpus -= one.bytes()
	is := func(o *checkpoint) bool { return o == one }
	c.list, c.within = slices.DeleteFunc(c.list, is), slices.DeleteFunc(c.within, is)
}

// restore puts the GPU where a checkpoint was taken.
func (c *checkpoints) restore(one *checkpoint) {
	c.gpu.drop() // before memory: what is drawn in the background writes it
	one.memory.restore(c.gpu.mem, &c.base.memory, c.since)
	c.gpu.restore(one.gpu)
	if one.inside != nil {
		c.gpu.countFrom(one.stats)
		c.gpu.budget = one.inside.budget
	}
	c.base, c.since = one, c.gpu.mem.writes
}
