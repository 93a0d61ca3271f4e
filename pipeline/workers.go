package pipeline

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"

	"pica200/internal/cores"
)

// pool runs loops, one at a time, on several goroutines: the caller's, and
// those of a set of helpers. Make one with newPool.
//
// On some machines a core sees what another one wrote only after a microsecond,
// so as few cache lines as possible are written by several: one holds all that
// the first helper has to know of a loop.
type pool struct {
	workers int // the caller and helpers
	helpers *helperSet
	slot    int           // in helperSet.pools
	idle    chan struct{} // see waiting
	rest    []apart       // shares of the workers from 2 on
	failed  atomic.Pointer[failure]
	_       [cores.CacheLine - 64]byte

	own apart // the caller's share

	gate  atomic.Int64        // helpers inside, and whether others may come
	f     func(i, worker int) // the loop that runs; the caller writes it while no helper is inside
	first share               // of worker 1
	_     [cores.CacheLine - 24]byte
}

// The gate of a pool is the number of helpers that work on the loop, plus:
const (
	open    = 1 << 32 // a loop runs, and helpers may come
	waiting = 1 << 33 // the caller sleeps until the last helper sends to pool.idle
)

// newPool makes a pool. Pools that share helpers have different slots below helperPools.
// Loops of lower slots come first: helpers look there first, and leave a loop
// between two items for one of a lower slot.
func newPool(workers int, c *helperSet, slot int) *pool {
	p := &pool{workers: workers, helpers: c, slot: slot, rest: make([]apart, max(0, workers-2)), idle: make(chan struct{}, 1)}
	c.pools[slot] = p
	return p
}

// share is the part of a loop that a worker does first: items lo to hi-1, as
// lo<<32 | hi. Its owner takes items from the front; whoever has done his own
// share takes from the end of others. So a worker mostly does the same items in
// loop after loop, with memory that its processor has in its cache.
type share struct{ items atomic.Uint64 }

// apart is a share with cache lines of its own.
type apart struct {
	share
	_ [cores.CacheLine - 8]byte
}

// share returns the share of a worker.
func (p *pool) share(worker int) *share {
	switch worker {
	case 0:
		return &p.own.share
	case 1:
		return &p.first
	}
	return &p.rest[worker-2].share
}

func (s *share) set(lo, hi int) { s.items.Store(uint64(lo)<<32 | uint64(hi)) }

func (s *share) empty() bool {
	v := s.items.Load()
	return v>>32 >= v&0xFFFFFFFF
}

// take takes the first item, or the last one; -1 if there is none.
func (s *share) take(last bool) int {
	for {
		v := s.items.Load()
		lo, hi := v>>32, v&0xFFFFFFFF
		switch {
		case lo >= hi:
			return -1
		case last && s.items.CompareAndSwap(v, v-1):
			return int(hi) - 1
		case !last && s.items.CompareAndSwap(v, v+1<<32):
			return int(lo)
		}
	}
}

// failure is a panic in a loop.
type failure struct {
	value any
	stack []byte
}

func (f *failure) String() string { return fmt.Sprintf("%v\n%s", f.value, f.stack) }

// run calls f(i, worker) for every i below n and returns when all calls are
// done. worker is below the number of workers and differs between concurrent
// calls; 0 is the caller's goroutine.
func (p *pool) run(n int, f func(i, worker int)) { p.runUntil(n, f, nil, nil) }

// runUntil is like run. When done is closed while it waits for helpers, it
// calls stop, which should make the calls of f return.
func (p *pool) runUntil(n int, f func(i, worker int), done <-chan struct{}, stop func()) {
	if p.workers == 1 || n <= 1 {
		for i := range n {
			f(i, 0)
		}
		return
	}
	p.start(n, f)
	p.finish(done, stop)
}

// start starts a loop on the helpers. The caller can do other work and must
// then call finish.
func (p *pool) start(n int, f func(i, worker int)) {
	p.f = f
	for w := range p.workers {
		p.share(w).set(n*w/p.workers, n*(w+1)/p.workers)
	}
	p.gate.Store(open)
	p.helpers.call(min(p.workers, n) - 1)
	if p.helpers.watch != nil {
		p.helpers.watch(p, false)
	}
}

// finish takes part in the loop that start began and returns when it is done.
// When done is closed while it waits for helpers, it calls stop.
func (p *pool) finish(done <-chan struct{}, stop func()) {
	if p.helpers.watch != nil {
		p.helpers.watch(p, true)
	}
	p.work(0)
	if p.gate.Add(-open) != 0 && p.helpers.spins() {
		p.helpers.pollUntil(func() bool { return p.gate.Load() == 0 })
	}
	if p.gate.Load() != 0 && p.gate.Add(waiting) != waiting {
		select {
		case <-p.idle:
		case <-done:
			stop()
			<-p.idle
		}
	}
	p.f = nil
	if f := p.failed.Load(); f != nil {
		p.failed.Store(nil)
		panic(f) // here, where the caller can recover it
	}
}

// enter lets a helper take part in the loop, if one runs that has items left.
func (p *pool) enter(worker int) bool {
	for p.wants(worker) {
		if g := p.gate.Load(); g&open != 0 && p.gate.CompareAndSwap(g, g+1) {
			return true
		}
	}
	return false
}

// wants reports whether a loop runs that has items left for a helper.
func (p *pool) wants(worker int) bool {
	return p != nil && worker < p.workers && p.gate.Load()&open != 0 && !p.taken(worker)
}

// leave ends a helper's part. It reports whether the caller sleeps, and so may
// need this helper's processor. Without helpers inside, the pool belongs to the
// caller.
func (p *pool) leave() bool {
	if p.gate.Add(-1) != waiting {
		return false
	}
	p.idle <- struct{}{}
	return true
}

// About what it costs to let a helper take part in a loop.
const (
	wakeUp = 20 * time.Microsecond // who sleeps
	callIn = 6 * time.Microsecond  // who looks for work
)

// pays reports whether helpers should take part in a loop that takes one
// goroutine about so long.
func (p *pool) pays(cost time.Duration) bool {
	return cost >= wakeUp || cost >= callIn && p.helpers.polling()
}

// taken reports whether no item is left to take. It looks at the worker's own
// share first.
func (p *pool) taken(worker int) bool {
	for i := range p.workers {
		if !p.share((worker + i) % p.workers).empty() {
			return false
		}
	}
	return true
}

// done reports whether the loop is done, except for finish.
func (p *pool) done() bool { return p.taken(0) && p.gate.Load() == open }

// work does items of the loop until all are taken.
func (p *pool) work(worker int) {
	defer p.caught()
	for w := range p.workers {
		s := p.share((worker + w) % p.workers)
		for i := s.take(w > 0); i >= 0; i = s.take(w > 0) {
			p.f(i, worker)
			if worker > 0 && p.yields(worker) {
				return
			}
		}
	}
}

// yields reports whether a helper should leave for a loop of a lower slot. The
// caller waits for that one now, and for this one later.
func (p *pool) yields(worker int) bool {
	for _, q := range p.helpers.pools[:p.slot] {
		if q.wants(worker) {
			return true
		}
	}
	return false
}

// caught keeps a panic for finish and ends the loop.
func (p *pool) caught() {
	if r := recover(); r != nil {
		p.failed.CompareAndSwap(nil, &failure{r, debug.Stack()})
		for w := range p.workers {
			p.share(w).set(0, 0)
		}
	}
}

// helperPools is the number of pools that share helpers.
const helperPools = 2

// helperSet is the goroutines that help with the loops of pools. An idle member
// looks for new work for some microseconds if there is a free processor,
// because waking it costs as much as a short loop. Then it ends, so that an
// unused GPU leaves no goroutines behind.
type helperSet struct {
	pools       [helperPools]*pool
	members     []*member                // worker 1, 2, ... of the pools; made when they are first needed
	awake       atomic.Int64             // number of running members
	keepPolling atomic.Bool              // members look for work until it is false
	watch       func(p *pool, ends bool) // set by tests: a loop has begun, or the caller comes to its end
}

// member is one helper.
type member struct {
	helpers *helperSet
	worker  int
	awake   atomic.Bool // has a goroutine
	run     func()      // method value; made once because making one allocates
	_       cores.CacheLinePad
}

// pollTime is how long an idle member looks for work, and a caller for the end
// of a loop.
const pollTime = 200 * time.Microsecond

// spins reports whether all running members and the caller have a processor.
func (c *helperSet) spins() bool { return c.awake.Load() < int64(runtime.GOMAXPROCS(0)) }

// polling reports whether a member looks for work, so that calling it costs little.
func (c *helperSet) polling() bool {
	inside := int64(0)
	for _, p := range c.pools {
		if p != nil {
			inside += p.gate.Load() & (open - 1)
		}
	}
	return c.awake.Load() > inside
}

// pollUntil polls for a while until there returns true, and reports whether it
// did.
func (c *helperSet) pollUntil(there func() bool) bool {
	for start := time.Now(); !there(); {
		if c.keepPolling.Load() {
			start = time.Now()
		} else if time.Since(start) > pollTime {
			return false
		}
	}
	return true
}

// call makes sure that n members look for work, as far as they are not busy.
// Only one goroutine makes calls.
func (c *helperSet) call(n int) {
	for i := range n {
		if i == len(c.members) {
			m := &member{helpers: c, worker: i + 1}
			m.run = m.help
			c.members = append(c.members, m)
		}
		if m := c.members[i]; !m.awake.Load() && m.awake.CompareAndSwap(false, true) {
			c.awake.Add(1)
			go m.run()
		}
	}
}

// hold wakes the helpers for work that is about to come.
func (p *pool) hold() {
	if p.workers > 1 {
		p.helpers.keepPolling.Store(true)
		p.helpers.call(min(p.workers, runtime.GOMAXPROCS(0)) - 1)
	}
}

// release lets helpers sleep if they find no work in the usual time.
func (p *pool) release() { p.helpers.keepPolling.Store(false) }

// help helps with loops as long as there are any.
func (m *member) help() {
	c := m.helpers
	var p *pool
	for {
		p = c.enter(m.worker)
		if p == nil && c.spins() {
			c.pollUntil(func() bool { p = c.enter(m.worker); return p != nil })
		}
		if p != nil {
			p.work(m.worker)
			if !p.leave() {
				continue
			}
		}
		// A loop that starts now may count on this member, or wake it.
		m.awake.Store(false)
		if !c.wants(m.worker) || !m.awake.CompareAndSwap(false, true) {
			c.awake.Add(-1)
			return
		}
	}
}

// enter enters a pool with a loop that has items left; nil if there is none.
func (c *helperSet) enter(worker int) *pool {
	for _, p := range c.pools {
		if p.enter(worker) {
			return p
		}
	}
	return nil
}

// wants reports whether a pool has a loop with items left for a helper.
func (c *helperSet) wants(worker int) bool {
	for _, p := range c.pools {
		if p.wants(worker) {
			return true
		}
	}
	return false
}
