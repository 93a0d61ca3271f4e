package pipeline

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
