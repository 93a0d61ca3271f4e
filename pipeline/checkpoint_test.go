package pipeline

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// A frame costs what is counted of it, each by itself.
func TestCostOfFrames(t *testing.T) {
	require.EqualValues(t, 20_000, frameCost(&Frame{}))
	for want, change := range map[uint64]func(*Frame){
		700: func(f *Frame) { f.Events = 7 }, 3: func(f *Frame) { f.Loaded = 24 }, 75: func(f *Frame) { f.Stats.Commands = 5 }, 9000: func(f *Frame) { f.Stats.Draws = 3 },
		240: func(f *Frame) { f.Stats.Geometry.Shaded = 4 }, 60: func(f *Frame) { f.Stats.Fragments = 5 }, 150_000: func(f *Frame) { f.Stats.Fills = 1 }, 300_000: func(f *Frame) { f.Stats.Transfers = 2 }, 450_000: func(f *Frame) { f.Stats.Copies = 3 },
	} {
		f := Frame{}
		change(&f)
		require.Equal(t, 20_000+want, frameCost(&f))
	}
}

// A checkpoint is taken where the way from the one before has become long, or where it must be
// near, and none twice.
func TestWhereCheckpointsAreTaken(t *testing.T) {
	g := New(Options{})
	defer g.Close()
	c := checkpoints{gpu: g, bound: 1 << 30}
	c.start()
	c.spacing = 50_000
	for i := range 9 {
		c.played(i, &Frame{Events: 10 * i})
		c.played(i, &Frame{Events: 99}) // known already
	}
	c.played(20, &Frame{}) // of a frame that is not the next
	require.Equal(t, []uint64{0, 20_000, 41_000, 63_000, 86_000, 110_000, 135_000, 161_000, 188_000, 216_000}, c.cost)
	c.spacing = c.cost[5] - c.cost[3]
	frames := func() (list []int) {
		for _, one := range c.list {
			list = append(list, one.frames)
		}
		return list
	}
	c.consider(0, Stats{}, true)
	c.consider(1, Stats{}, false)
	c.consider(2, Stats{}, false)
	require.Equal(t, []int{0}, frames())
	c.consider(3, Stats{Draws: 7}, false)
	c.consider(3, Stats{}, false)
	c.consider(3, Stats{}, true)
	c.consider(4, Stats{}, false)
	require.Equal(t, []int{0, 3}, frames())
	require.Equal(t, 7, c.list[1].stats.Draws)
	c.consider(5, Stats{}, false) // as far as the spacing
	c.consider(6, Stats{}, false)
	c.consider(6, Stats{}, true)
	c.consider(1, Stats{}, true) // on the way back
	require.Equal(t, []int{0, 1, 3, 5, 6}, frames())
	for frames, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 3, 4: 3, 5: 5, 6: 6, 99: 6} {
		require.Equal(t, want, c.before(frames).frames)
	}
	require.Same(t, c.list[1], c.base, "the one that was taken last")
}

// What fits to the byte has room; one byte less, and checkpoints go, at last the one that
// others stand on.
func TestRoomForCheckpoints(t *testing.T) {
	g := New(Options{})
	defer g.Close()
	c := checkpoints{gpu: g, bound: 1 << 30}
	c.start()
	write := func(pages int) {
		require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, bytes.Repeat([]byte{byte(pages)}, pages*pageSize)))
	}
	need := func() (size, need int64) {
		size = g.snapshot(c.base.gpu).bytes()
		return size, size + c.pages.estimate(g.mem, c.since)
	}
	write(5)
	size, all := need()
	require.GreaterOrEqual(t, all-size, int64(5*pageSize), "what was written is kept")
	c.bound = c.held() + all
	require.True(t, c.makeRoom(size))
	c.bound--
	require.False(t, c.makeRoom(size), "the start does not go")
	require.Len(t, c.list, 1)

	c.bound = 1 << 30
	c.played(0, &Frame{})
	c.played(1, &Frame{})
	start := c.held()
	c.bound = start + all - 1
	c.take(1, Stats{})
	require.Len(t, c.list, 1, "the first one that there is no room for")
	c.bound = 1 << 30
	c.take(1, Stats{})
	require.Len(t, c.list, 2)
	require.LessOrEqual(t, c.held()-start, all, "what was estimated holds it")
	write(3)
	size, all = need()
	c.bound = c.held() + all
	require.True(t, c.makeRoom(size))
	require.Len(t, c.list, 2)
	c.bound--
	require.True(t, c.makeRoom(size), "without the one before it")
	require.Len(t, c.list, 1)
	require.Same(t, c.list[0], c.base)
	require.Zero(t, c.since)
	require.Equal(t, start, c.held(), "what it held is free")

	// One goes that is not stood on, and no more than need to.
	c.bound = 1 << 30
	for i := range 3 {
		c.played(i, &Frame{})
		write(2 + i)
		c.take(i+1, Stats{})
	}
	size, all = need()
	c.bound = c.held() + all - 1
	require.True(t, c.makeRoom(size))
	require.Len(t, c.list, 3)
	require.Same(t, c.list[2], c.base)
	require.Equal(t, 3, c.base.frames)
}

// What is drawn in the background ends before memory is put back: nothing of it comes through.
func TestBackgroundEndsBeforeACheckpoint(t *testing.T) {
	g := New(Options{Workers: 2})
	defer g.Close()
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, []byte{1}))
	c := checkpoints{gpu: g, bound: 1 << 30}
	c.start()
	data, err := g.mem.Slice(pica.VRAMBase, 1)
	require.NoError(t, err)
	begun := make(chan bool)
	q := &g.queues
	q.willWrite(span{pica.VRAMBase, 1})
	q.behind, q.spare = q.spare, q.behind
	q.workers.start(2, func(_, worker int) {
		if worker == 0 {
			return
		}
		close(begun)
		time.Sleep(20 * time.Millisecond)
		data[0] = 2
	})
	<-begun
	c.restore(c.list[0])
	require.Equal(t, byte(1), data[0])
	require.False(t, q.queued())
}
