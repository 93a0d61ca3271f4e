package pipeline

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Two pools share helpers, with loops running side by side: each item is done once, no more members are started than needed at a time, and
// all end.
func TestPoolsShareHelpers(t *testing.T) {
	c := new(helperSet)
	front, behind := newPool(3, c, 0), newPool(4, c, 1)
	for round := range 3000 {
		n := 1 + round%50
		var done [2][50]atomic.Int32
		behind.start(n, func(i, worker int) { done[0][i].Add(1) })
		front.run(n, func(i, worker int) { done[1][i].Add(1) })
		behind.finish(nil, nil)
		for i := range n {
			require.EqualValues(t, 1, done[0][i].Load(), "round %d", round)
			require.EqualValues(t, 1, done[1][i].Load(), "round %d", round)
		}
	}
	require.LessOrEqual(t, len(c.members), 3)
	require.Eventually(t, func() bool { return c.awake.Load() == 0 }, 10*time.Second, time.Millisecond)
	for _, m := range c.members {
		require.False(t, m.awake.Load())
	}
}

// absent returns a set of n members that seem to look for work, but never come.
func absent(n int) *helperSet {
	c := new(helperSet)
	c.awake.Store(int64(n))
	for range n {
		m := &member{}
		m.awake.Store(true)
		c.members = append(c.members, m)
	}
	return c
}

// A worker takes its share from the front, others from the end.
func TestShareTakenFromBothEnds(t *testing.T) {
	var s share
	require.True(t, s.empty())
	s.set(3, 7)
	require.Equal(t, []int{3, 6, 5, 4}, []int{s.take(false), s.take(true), s.take(true), s.take(false)})
	require.True(t, s.empty())
	require.Equal(t, []int{-1, -1}, []int{s.take(false), s.take(true)})

	p := newPool(3, absent(2), 0)
	p.start(8, func(i, worker int) {})
	var at []int
	for w := range p.workers {
		at = append(at, p.share(w).take(false))
	}
	require.False(t, p.done(), "the loop is not done while items are left")
	require.True(t, p.helpers.wants(2), "a member about to leave stays for the loop")
	require.False(t, p.helpers.wants(3), "no more than three workers are wanted")
	p.finish(nil, nil)
	require.False(t, p.helpers.wants(2))
	require.Equal(t, []int{0, 2, 5}, at)
	require.True(t, p.taken(0))
}

// A helper leaves a loop between two items if a loop of a lower slot begins.
func TestHelpersLeaveForLowerSlots(t *testing.T) {
	c := new(helperSet)
	urgent, other := newPool(2, c, 0), newPool(2, c, 1)
	entered, leave := make(chan struct{}), make(chan struct{})
	var helped atomic.Int64 // items of the other loop that the helper began
	other.start(8, func(_, worker int) {
		if worker == 1 && helped.Add(1) == 1 {
			close(entered)
			<-leave
		}
	})
	<-entered
	var both sync.WaitGroup // the caller and the helper
	both.Add(2)
	during := int64(0)
	urgent.start(2, func(_, worker int) {
		if both.Done(); worker == 1 {
			during = helped.Load()
		}
		both.Wait()
	})
	close(leave)
	urgent.finish(nil, nil)
	require.EqualValues(t, 1, during)
	other.finish(nil, nil)
}

// A member looks for work for a while, and longer if work is announced.
func TestHelpersPollForWork(t *testing.T) {
	c, looks, start := new(helperSet), 0, time.Now()
	require.False(t, c.pollUntil(func() bool { return false }))
	require.GreaterOrEqual(t, time.Since(start), pollTime)
	c.keepPolling.Store(true)
	require.True(t, c.pollUntil(func() bool { looks++; return looks == 3 }))
	start = time.Now()
	require.False(t, c.pollUntil(func() bool {
		if time.Since(start) > 3*pollTime {
			c.keepPolling.Store(false)
		}
		return false
	}))
	require.Greater(t, time.Since(start), 3*pollTime)
}

// The caller sleeps while a helper works longer than callers look, and does not wait for helpers that come too late.
func TestCallersWaitForBusyHelpers(t *testing.T) {
	c := new(helperSet)
	p := newPool(2, c, 0)
	p.hold()
	require.Eventually(t, func() bool { return c.awake.Load() == 1 && c.polling() }, 10*time.Second, time.Millisecond)
	for range 3 {
		var inside, ended atomic.Int32
		p.run(2, func(i, worker int) {
			inside.Add(1)
			for start := time.Now(); inside.Load() < 2 && time.Since(start) < 10*time.Second; {
			}
			if worker == 1 {
				time.Sleep(5 * pollTime)
			}
			ended.Add(1)
		})
		require.EqualValues(t, 2, ended.Load())
	}
	p.release()
	require.Eventually(t, func() bool { return c.awake.Load() == 0 }, 10*time.Second, time.Millisecond)

	late := newPool(2, absent(1), 0)
	done := 0
	late.run(9, func(int, int) { done++ })
	require.Equal(t, 9, done)
}

// Helpers are woken for a replay that begins, and look for work as long as it is prepared.
func TestRewindKeepsHelpersAwake(t *testing.T) {
	for workers, members := range map[int]int{1: 0, 2: 1} {
		p := PlayerFor(t, &picatrace.Trace{}, Options{Workers: workers})
		require.Len(t, p.GPU.pool.helpers.members, members)
		require.False(t, p.GPU.pool.helpers.keepPolling.Load())
	}
}

// A loop is shared if it takes as long as waking a helper; while a helper looks for work, a short time suffices.
func TestLoopIsSharedIfLongEnough(t *testing.T) {
	for _, c := range []*helperSet{new(helperSet), {members: []*member{{}, {}}}} {
		p := newPool(2, c, 0)
		require.True(t, p.pays(wakeUp))
		require.False(t, p.pays(wakeUp-1))
	}
	c := new(helperSet)
	p, other := newPool(3, c, 0), newPool(3, c, 1)
	c.awake.Store(2)
	p.gate.Store(open + 1)
	other.gate.Store(1)
	require.False(t, p.pays(wakeUp-1), "with both members busy the loop is not shared")
	other.gate.Store(waiting)
	require.True(t, p.pays(callIn))
	require.False(t, p.pays(callIn-1))
}

// No helper is woken for a queue that takes less time than waking one.
func TestShortQueuesWakeNoHelper(t *testing.T) {
	g := GPUFor(t, Options{Workers: 2})
	draw := func(pixels uint64, ops, triangles int) int {
		q := g.queues.queue
		q.Vertices = append(q.Vertices, pica.ScreenPosition{X: -9000}, pica.ScreenPosition{X: -8000}, pica.ScreenPosition{X: -9000, Y: 1000})
		for range triangles {
			q.Triangles = append(q.Triangles, raster.Triangle{0, 1, 2})
		}
		q.Commit(&raster.Draw{Target: &raster.Target{Width: 8, Height: 64}, Bounds: raster.Rect{X1: 7, Y1: 63}})
		q.add(pixels, ops)
		require.NoError(t, g.Finish(t.Context()))
		require.Zero(t, g.queues.queue.cost(), "a drawn queue has no cost")
		return len(g.pool.helpers.members)
	}
	const most = uint64(wakeUp*1000-costOfTriangle) / costOfOp
	require.Zero(t, draw(most/4-1, 4, 1))
	require.Zero(t, draw(0, 1, int(wakeUp*1000/costOfTriangle)-1))
	q := g.queues.queue
	q.add(most, 2)
	g.drop()
	require.Zero(t, q.cost(), "a dropped queue has no cost")
	require.Equal(t, 1, draw(most/4+2, 4, 1))
}

// One worker draws its queue while the draws are in its cache; several wait until the queue is full.
func TestQueueLengthByWorkers(t *testing.T) {
	for workers, most := range map[int]int{1: cachedDraws, 2: maxQueuedDraws} {
		g := GPUFor(t, Options{Workers: workers})
		q := g.queues.queue
		for range most {
			require.False(t, g.queues.many())
			q.Vertices = append(q.Vertices, pica.ScreenPosition{})
			q.Triangles = append(q.Triangles, raster.Triangle{})
			q.Commit(&raster.Draw{Target: &raster.Target{Width: 8, Height: 64}})
		}
		require.True(t, g.queues.many())
		g.drop()
	}
}

// The cost of queued draws is estimated from the pixels of their triangles and the ops of their programs.
func TestDrawCostEstimate(t *testing.T) {
	trace := states.Parse(t, testkit.Read(t, "../testdata/traces/lights.ctf"))
	p := PlayerFor(t, trace, Options{Workers: 1})
	var most time.Duration
	p.GPU.BeforeDraw = func(*DrawInfo) error {
		most = max(most, p.GPU.queues.queue.cost())
		return nil
	}
	p.GPU.BeforeTransfer = func(Transfer) { most = max(most, p.GPU.queues.queue.cost()) }
	testkit.Must(p.NextFrame(t.Context()))(t)
	require.Greater(t, most, 100*time.Microsecond)
	require.Less(t, most, 10*time.Millisecond)
}

// What more cores than this machine has would gain is simulated: one goroutine replays frames and decides as if helpers looked for
// work; the times of the items of its loops, and between loops, are noted. Then workers take the items in the order of pool.

// LoopEvent is the beginning of a loop, or the place where the caller waits for its end.
type LoopEvent struct {
	slot   int
	ends   bool
	serial time.Duration   // the caller's work since the last event
	items  []time.Duration // of a beginning
}

// Follow notes the loops of all frames of a recording, with the least times of several replays.
func Follow(p *Player, replays int, replay func()) (least []LoopEvent) {
	var list []LoopEvent
	var last time.Time
	h := p.GPU.pool.helpers
	for h.awake.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	h.members = nil
	for range MaxWorkers {
		m := new(member)
		m.awake.Store(true) // so it is never called
		h.members = append(h.members, m)
	}
	h.awake.Store(1)
	h.watch = func(p *pool, ends bool) {
		e := LoopEvent{slot: p.slot, ends: ends, serial: time.Since(last)}
		for w := range p.workers {
			for i := p.share(w).take(false); i >= 0; i = p.share(w).take(false) {
				start := time.Now()
				p.f(i, 0)
				e.items = append(e.items, time.Since(start))
			}
		}
		list, last = append(list, e), time.Now()
	}
	for same, tries := 0, 0; same < replays; tries++ {
		if tries == 10*replays {
			panic("replays differ")
		}
		list, last = nil, time.Now()
		replay()
		list = append(list, LoopEvent{slot: -1, serial: time.Since(last)})
		if !slices.EqualFunc(list, least, func(a, b LoopEvent) bool { return len(a.items) == len(b.items) }) { // the first ones compile
			least, same = list, 0
		}
		same++
		for i, e := range list {
			least[i].serial = min(least[i].serial, e.serial)
			for k, d := range e.items {
				least[i].items[k] = min(least[i].items[k], d)
			}
		}
	}
	return least
}

// helperDelay is about how long a helper takes to see a loop.
const helperDelay = 500 * time.Nanosecond

// simulated is a loop that runs in the simulation.
type simulated struct {
	items      []time.Duration
	shares     [][2]int // of each worker: first item, and the one after the last
	left       int
	begun, end time.Duration // end of the items taken so far
}

// take gives a worker its next item and returns when it is done.
func (l *simulated) take(worker int, at time.Duration) time.Duration {
	if worker > 0 {
		at = max(at, l.begun+helperDelay)
	}
	for k := range l.shares {
		s := &l.shares[(worker+k)%len(l.shares)]
		if s[0] == s[1] {
			continue
		}
		i := s[0]
		if k == 0 {
			s[0]++
		} else {
			s[1]--
			i = s[1]
		}
		l.left--
		at += l.items[i]
		l.end = max(l.end, at)
		return at
	}
	panic("no item is left")
}

// simulation is a caller with helpers.
type simulation struct {
	now    time.Duration   // of the caller
	free   []time.Duration // when each worker is done with its item
	behind *simulated      // runs in the background
	queued []time.Duration // draws of each bin that wait until it is done
}

func (s *simulation) begin(items []time.Duration) *simulated {
	l := &simulated{items: items, left: len(items), begun: s.now, end: s.now}
	n, workers := len(items), len(s.free)
	for w := range workers {
		l.shares = append(l.shares, [2]int{n * w / workers, n * (w + 1) / workers})
	}
	return l
}

// run lets the workers from first on take items of a loop until a time.
func (s *simulation) run(l *simulated, first int, until time.Duration) {
	for l != nil && l.left > 0 && first < len(s.free) {
		w := first
		for k := range s.free[first:] {
			if s.free[first+k] < s.free[w] {
				w = first + k
			}
		}
		if s.free[w] >= until {
			return
		}
		s.free[w] = l.take(w, max(s.free[w], l.begun))
	}
}

// wait ends a loop, with the caller.
func (s *simulation) wait(l *simulated) {
	if l != nil {
		s.free[0] = s.now
		s.run(l, 0, 1<<62)
		s.now = max(s.now, l.end)
	}
}

// Simulate returns how long so many workers take.
func Simulate(events []LoopEvent, workers int) time.Duration {
	s := simulation{free: make([]time.Duration, workers)}
	is := func(i int, ends bool) bool { return i < len(events) && events[i].slot == 1 && events[i].ends == ends }
	for i, e := range events {
		s.now += e.serial
		s.run(s.behind, 1, s.now)
		switch {
		case e.slot == 0 && !e.ends:
			s.wait(s.begin(e.items))
		case is(i, false):
			for k := len(s.queued); k < len(e.items); k++ {
				s.queued = append(s.queued, 0)
			}
			for k, d := range e.items {
				s.queued[k] += d
			}
			if s.behind == nil || s.behind.left == 0 && s.behind.end <= s.now {
				s.behind, s.queued = s.begin(s.queued), nil
			}
		case is(i, true) && !(is(i+1, false) && (!is(i+2, true) || events[i+2].serial > time.Microsecond)): // otherwise kick looks whether it is done
			s.wait(s.behind)
			s.wait(s.begin(s.queued))
			s.behind, s.queued = nil, nil
		}
	}
	return s.now
}

// TestSimulatedWorkers compares the simulation with times counted by hand.
func TestSimulatedWorkers(t *testing.T) {
	loops := func(slot int, serial time.Duration, items ...time.Duration) []LoopEvent {
		return []LoopEvent{{slot: slot, serial: serial, items: items}, {slot: slot, ends: true}}
	}
	ms := time.Millisecond
	at := loops(0, 10*ms, 4*ms, 4*ms, 4*ms, 4*ms, 4*ms)
	for workers, want := range map[int]time.Duration{1: 30 * ms, 2: 22 * ms, 5: 14 * ms, 9: 14 * ms} {
		require.InDelta(t, want, Simulate(at, workers), 1e5, workers)
	}
	// In the background beside 10 ms of the caller; the second one waits for the first, or joins it.
	behind := []LoopEvent{{slot: 1, items: []time.Duration{6 * ms, 6 * ms}}, {slot: 1, serial: 10 * ms, ends: true},
		{slot: 1, items: []time.Duration{2 * ms, 2 * ms}}, {slot: 1, serial: 3 * ms, ends: true}, {slot: -1}}
	for workers, want := range map[int]time.Duration{1: 29 * ms, 2: 15 * ms, 3: 13 * ms} {
		require.InDelta(t, want, Simulate(behind, workers), 1e5, workers)
	}
}
