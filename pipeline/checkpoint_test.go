package pipeline

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

// frameCost weighs each counter of a frame separately.
func TestFrameCost(t *testing.T) {
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

// A checkpoint is taken when the cost since the previous one reaches the spacing, or when a near one is requested; none is taken twice.
func TestCheckpointSpacing(t *testing.T) {
	g := GPUFor(t, Options{})
	c := checkpoints{gpu: g, bound: 1 << 30}
	c.start()
	c.spacing = 50_000
	for i := range 9 {
		c.played(i, &Frame{Events: 10 * i})
		c.played(i, &Frame{Events: 99}) // already known
	}
	c.played(20, &Frame{}) // not the next frame
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
	c.consider(5, Stats{}, false) // reaches the spacing
	c.consider(6, Stats{}, false)
	c.consider(6, Stats{}, true)
	c.consider(1, Stats{}, true) // on the way back
	require.Equal(t, []int{0, 1, 3, 5, 6}, frames())
	for frames, want := range map[int]int{0: 0, 1: 1, 2: 1, 3: 3, 4: 3, 5: 5, 6: 6, 99: 6} {
		require.Equal(t, want, c.before(frames).frames)
	}
	require.Same(t, c.list[1], c.base, "the base is the last checkpoint taken")
}

// Checkpoints that fit exactly stay; with one byte less some are dropped, the one that others depend on last.
func TestCheckpointsAreDroppedAboveBound(t *testing.T) {
	g := GPUFor(t, Options{})
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
	require.GreaterOrEqual(t, all-size, int64(5*pageSize), "the estimate covers the written pages")
	c.bound = c.size() + all
	require.True(t, c.makeRoom(size))
	c.bound--
	require.False(t, c.makeRoom(size), "the first checkpoint is never dropped")
	require.Len(t, c.list, 1)

	c.bound = 1 << 30
	c.played(0, &Frame{})
	c.played(1, &Frame{})
	start := c.size()
	c.bound = start + all - 1
	c.take(1, Stats{})
	require.Len(t, c.list, 1, "a checkpoint without room is not taken")
	c.bound = 1 << 30
	c.take(1, Stats{})
	require.Len(t, c.list, 2)
	require.LessOrEqual(t, c.size()-start, all, "the estimate covers the checkpoint's bytes")
	write(3)
	size, all = need()
	c.bound = c.size() + all
	require.True(t, c.makeRoom(size))
	require.Len(t, c.list, 2)
	c.bound--
	require.True(t, c.makeRoom(size), "dropping the previous checkpoint makes room")
	require.Len(t, c.list, 1)
	require.Same(t, c.list[0], c.base)
	require.Zero(t, c.since)
	require.Equal(t, start, c.size(), "a dropped checkpoint releases its bytes")

	// A checkpoint that no other depends on is dropped, and no more than needed.
	c.bound = 1 << 30
	for i := range 3 {
		c.played(i, &Frame{})
		write(2 + i)
		c.take(i+1, Stats{})
	}
	size, all = need()
	c.bound = c.size() + all - 1
	require.True(t, c.makeRoom(size))
	require.Len(t, c.list, 3)
	require.Same(t, c.list[2], c.base)
	require.Equal(t, 3, c.base.frames)
}

// Background drawing ends before memory is restored, so that it leaves no traces.
func TestRestoreWaitsForBackgroundDraws(t *testing.T) {
	g := GPUFor(t, Options{Workers: 2})
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase, []byte{1}))
	c := checkpoints{gpu: g, bound: 1 << 30}
	c.start()
	data := testkit.Must(g.mem.Slice(pica.VRAMBase, 1))(t)
	begun := make(chan bool)
	var once sync.Once
	q := &g.queues
	q.willWrite(span{pica.VRAMBase, 1})
	q.behind, q.spare = q.spare, q.behind
	q.workers.start(2, func(_, worker int) {
		if worker == 0 {
			return
		}
		once.Do(func() { close(begun) }) // on a busy machine one worker may do both
		time.Sleep(20 * time.Millisecond)
		data[0] = 2
	})
	<-begun
	c.restore(c.list[0])
	require.Equal(t, byte(1), data[0])
	require.False(t, q.queued())
}

// The bound on checkpoints always holds; a lower bound only lengthens replay.
func TestCheckpointBytesStayBelowBound(t *testing.T) {
	testkit.Slow(t)
	trace := stripes(t, 40)
	longest := map[int64]int{}
	for _, bound := range []int64{-1, 1 << 10, 4 << 20, 16 << 20, 0} {
		r := ReplayerFor(t, trace, ReplayerOptions{CheckpointBytes: bound})
		start := r.CheckpointBytes()
		limit := bound
		if bound == 0 {
			limit = DefaultCheckpointBytes
		}
		played := 0
		r.Progress = func(done, _ int) {
			played = done
			require.LessOrEqual(t, r.CheckpointBytes(), max(limit, start))
		}
		ctx := context.Background()
		require.NoError(t, r.Seek(ctx, Position{39, FrameEnd}))
		require.Equal(t, 40, played)
		rng := rand.New(rand.NewPCG(3, 3))
		for range 30 {
			played = 0
			require.NoError(t, r.Seek(ctx, Position{rng.IntN(40), FrameEnd}))
			longest[bound] = max(longest[bound], played)
		}
		sum := int64(0)
		for _, c := range r.points.list {
			sum += c.gpu.bytes()
		}
		require.Equal(t, sum, r.points.gpus)
		for len(r.points.list) > 1 {
			r.points.drop(r.points.list[1])
		}
		require.LessOrEqual(t, r.CheckpointBytes(), start+1<<14, "dropped checkpoints release their bytes")
	}
	t.Logf("frames that the longest way took: %v", longest)
	require.LessOrEqual(t, longest[0], 1)
	require.Greater(t, longest[-1], 25)
	require.LessOrEqual(t, longest[16<<20], longest[4<<20])
	require.Less(t, longest[4<<20], longest[-1])
}

// The checkpoint whose loss lengthens replay least is dropped, never the first one or the base of the others.
func TestCheapestCheckpointIsDropped(t *testing.T) {
	for _, c := range []struct {
		name    string
		cost    []uint64 // cost of the frames up to each
		at      []int
		base    int
		dropped int // index in at; -1: none
		spacing uint64
	}{
		{"the nearest two", []uint64{0, 10, 25, 30, 50}, []int{0, 1, 2, 3, 4}, 4, 2, 10},
		{"the last, which has the end behind it", []uint64{0, 40, 60, 62, 63}, []int{0, 1, 2}, 1, 2, 11},
		{"the first of two alike", []uint64{0, 10, 20, 30}, []int{0, 1, 2, 3}, 3, 1, 10},
		{"not the base", []uint64{0, 1, 2, 100, 200}, []int{0, 1, 2, 3}, 1, 2, 49},
		{"nothing to drop", []uint64{0, 1}, []int{0, 1}, 1, -1, 0},
	} {
		points := checkpoints{cost: c.cost, pages: pageStore{}}
		for _, frames := range c.at {
			g := GPUFor(t, Options{})
			points.list = append(points.list, &checkpoint{frames: frames, gpu: g.snapshot(nil)})
		}
		points.base = points.list[c.base]
		was := append([]*checkpoint{}, points.list...)
		require.Equal(t, c.dropped >= 0, points.dropOne(), c.name)
		if c.dropped >= 0 {
			was = append(was[:c.dropped:c.dropped], was[c.dropped+1:]...)
		}
		require.Equal(t, was, points.list, c.name)
		require.Equal(t, c.spacing, points.spacing, c.name)
	}
}

// If frames are too cheap for checkpoints, the only one is at the start of a visited frame, from which replay continues.
func TestCheapFramesCheckpointVisitedFrame(t *testing.T) {
	trace := stripes(t, 5)
	for given, want := range map[int64]int64{0: DefaultCheckpointBytes, -1: 0, 5: 5} {
		r := ReplayerFor(t, trace, ReplayerOptions{Options: Options{Workers: 1}, CheckpointBytes: given})
		require.Equal(t, want, r.points.bound)
		require.Equal(t, r.points.list[0].gpu.bytes(), r.points.gpus)
		require.Zero(t, r.points.spacing)
		require.Equal(t, []uint64{0}, r.points.cost)
		r.GPU.Close()
	}
	r := ReplayerFor(t, trace, ReplayerOptions{Options: Options{Workers: 1}})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, r.Visit(ended, Position{3, 0}, func(*GPU) error { panic("the frame is not reached") }), context.Canceled)
	require.NoError(t, r.Visit(t.Context(), Position{0, FrameEnd}, nil))
	require.NotZero(t, r.Stats().Draws)
	require.Len(t, r.points.cost, 2)
	played := 0
	r.Progress = func(done, _ int) { played = done }
	for _, c := range []struct {
		visit   bool
		to      Position
		spacing uint64
		played  int
		taken   []int // positions of checkpoints
		base    int
	}{
		{false, Position{1, FrameEnd}, 1 << 60, 1, []int{0}, 0},
		{true, Position{2, 0}, 1 << 60, 0, []int{0, 2}, 2},
		{true, Position{2, 1}, 1 << 60, 0, []int{0, 2}, 2},
		{false, Position{0, FrameEnd}, 1 << 60, 1, []int{0, 2}, 0},
		{false, Position{1, FrameEnd}, 1 << 60, 0, []int{0, 2}, 2},
		{true, Position{4, 0}, 1 << 60, 2, []int{0, 2, 4}, 4},
		{false, Position{2, FrameEnd}, 1 << 60, 1, []int{0, 2, 4}, 2},
		{false, Position{1, FrameEnd}, 0, 0, []int{0, 2, 4}, 2},
		{false, Position{2, FrameEnd}, 0, 1, []int{0, 2, 3, 4}, 3},
	} {
		played, r.points.spacing = 0, c.spacing
		if c.visit {
			require.NoError(t, r.Visit(t.Context(), c.to, nil))
		} else {
			require.NoError(t, r.Seek(t.Context(), c.to))
		}
		var taken []int
		for _, one := range r.points.list {
			taken = append(taken, one.frames)
			require.Equal(t, one.frames > 0, one.stats.Draws > 0)
		}
		require.Equal(t, c.played, played, "%+v", c)
		require.Equal(t, c.taken, taken, "%+v", c)
		require.Equal(t, c.base, r.points.base.frames, "%+v", c)
		require.NotZero(t, r.Stats().Draws)
	}
}

// Every field of a GPU must be part of snapshots or listed here as not needing it, so that a new field is not forgotten.
func TestSnapshotsHoldEveryField(t *testing.T) {
	saved := "mem programmed displays stage immediate list progress targets counters warnings "
	hooks := "Hooks Timing View watch tests "
	made := "pool engine queues transfer unmodelled budget " // derived, empty between frames, or reset with each frame
	draw := "scratch "                                       // of the current draw
	set := "strict kernels "                                 // from Options
	known := map[string]bool{}
	for _, name := range bytes.Fields([]byte(saved + hooks + made + draw + set)) {
		known[string(name)] = true
	}
	fields := func(typ reflect.Type) (names []string) {
		for i := range typ.NumField() {
			names = append(names, typ.Field(i).Name)
		}
		return names
	}
	for _, name := range fields(reflect.TypeFor[GPU]()) {
		require.True(t, known[name], "GPU.%s is new: add it to snapshots or to a list here", name)
	}
	// Snapshots hold the fields of these structs one by one.
	require.Equal(t, []string{"regs", "tables", "vs", "gs", "fixed", "upload"}, fields(reflect.TypeFor[programmed]()))
	require.Equal(t, []string{"ext", "lcd", "colors"}, fields(reflect.TypeFor[displays]()))
	require.Equal(t, []string{"frame", "draw", "stop", "change", "pass", "target", "geometry", "mark", "last"}, fields(reflect.TypeFor[progress]()), "fields of place: snapshots leave out stop, change, mark (hooks) and last (of an event)")
	require.Equal(t, []string{"cache", "last", "gas", "shadow"}, fields(reflect.TypeFor[targets]()), "fields of targets: snapshots leave out cache, which is derived")
	require.Equal(t, []string{"Stats", "fragments", "compiled", "decoded"}, fields(reflect.TypeFor[counters]()), "fields of counters: restoring keeps compiled and decoded")
}

// An incomplete immediate-mode vertex is restored with its checkpoint, and later changes do not affect it.
func TestSnapshotsOfImmediateMode(t *testing.T) {
	g := GPUFor(t, Options{})
	a, b, c := [4]float32{1, 2, 3, 4}, [4]float32{5, 6, 7, 8}, [4]float32{9, 10, 11, 12}
	g.immediate.vertices, g.immediate.partial = append(g.immediate.vertices, a, b), append(g.immediate.partial, c)
	s := g.snapshot(nil)
	g.immediate.vertices[0], g.immediate.partial[0] = c, a
	g.immediate.partial = append(g.immediate.partial, b)
	for range 2 {
		g.restore(s)
		require.Equal(t, [][4]float32{a, b}, g.immediate.vertices)
		require.Equal(t, [][4]float32{c}, g.immediate.partial)
		g.immediate.vertices[1], g.immediate.partial[0] = c, b
	}
	require.Equal(t, 4*(cap(g.list.words))+16*(cap(g.immediate.vertices)+cap(g.immediate.partial)+cap(g.immediate.drawn)), g.Footprint().Lists)
}

// A snapshot shares parts with the previous one only if all bits are equal, and restoring keeps caches of equal contents valid.
func TestSnapshotsShareEqualParts(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	one := g.snapshot(nil)
	require.Same(t, one.vs, g.snapshot(one).vs)
	require.Same(t, one.gs, g.snapshot(one).gs)
	for _, x := range []float32{1, float32(math.NaN())} {
		g.gs.Float[95][3] = x
		two := g.snapshot(one)
		require.NotSame(t, one.gs, two.gs, "%v", x)
		require.Equal(t, math.Float32bits(x), math.Float32bits(two.gs.Float[95][3]))
		require.Same(t, one.vs, two.vs)
	}
	g.gs.Float[95][3] = 1
	require.Same(t, shareSetup(&g.gs, &g.gs), &g.gs)
	for i := range uint64(2) { // a negative zero differs from zero, in either format
		require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshFloatuniformIndex, uint32(i)<<31|5))
		for _, w := range [2][]uint32{{0x80000080, 0x00008000, 0x00800000}, {1 << 31, 1 << 31, 1 << 31, 1 << 31}}[i] {
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshFloatuniformData0, w))
		}
	}
	held := bitsOf(&g.vs).float
	require.Equal(t, make([][4]uint32, 2), held[5:7])

	g.warnings.add(1, 2, "a")
	g.colors[1] = &[256]rgba{3: 7}
	g.progress.frame, g.progress.draw = 4, 5
	s := g.snapshot(one)
	version := g.tables.Version
	g.restore(s)
	require.Equal(t, version, g.tables.Version, "restoring equal tables keeps the version")
	require.NotSame(t, s.colors[1], g.colors[1])
	g.warnings.add(1, 2, "a")
	g.warnings.add(1, 3, "b")
	g.colors[1][3]++
	g.tables.Fog[1]++
	g.tables.Version += 3
	g.progress.frame = 9
	g.upload.fixed.n = 2
	g.vs.SetCode(5, 77)
	g.gs.Bool ^= 9
	g.counters.Fills = 4
	g.restore(s)
	require.Zero(t, g.vs.Code(5))
	require.Equal(t, s.gs.Bool, g.gs.Bool)
	require.Zero(t, g.counters.Fills)
	require.Equal(t, []Warning{{1, 2, 1, "a"}}, g.Warnings())
	require.Equal(t, version+4, g.tables.Version, "restoring other tables gives a new version")
	require.Zero(t, g.tables.Fog[1])
	require.EqualValues(t, 7, g.colors[1][3])
	require.Nil(t, g.colors[0])
	require.Equal(t, progress{frame: 4, draw: 5}, g.progress)
	require.Zero(t, g.upload.fixed.n)
	g.warnings.add(1, 2, "a")
	require.Equal(t, 2, g.Warnings()[0].Count, "a restored warning is counted, not added again")
}
