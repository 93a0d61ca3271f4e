package pipeline

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// pool runs loops on several goroutines: the caller's, and helpers from a crew.
type pool struct {
	workers int
	crew    *crew // goroutines that help; shared by all pools of a GPU; nil if the pool makes its own

	// State of the loop that runs now.
	f       func(i, worker int)
	n       int64
	next    atomic.Int64
	helpers int
	arrived atomic.Int64  // helpers that have started
	helping atomic.Int64  // helpers that work or will start
	asleep  atomic.Bool   // the caller waits for idle, and a helper may be on its processor
	idle    chan struct{} // the last helper that finishes sends to it
	failed  atomic.Pointer[failure]
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
	if p.workers == 1 || n == 1 {
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
	if p.idle == nil {
		p.idle = make(chan struct{}, 1)
	}
	p.f, p.n = f, int64(n)
	p.next.Store(0)
	p.helpers = min(p.workers, n) - 1
	p.arrived.Store(0)
	p.asleep.Store(false)
	p.helping.Store(int64(p.helpers))
	if p.crew == nil {
		p.crew = new(crew)
	}
	for w := range p.helpers {
		p.crew.call(p, w+1)
	}
}

// finish takes part in the loop that start began and returns when it is done.
// When done is closed while it waits for helpers, it calls stop.
func (p *pool) finish(done <-chan struct{}, stop func()) {
	p.work(0)
	if p.helpers > 0 {
		// A helper that has not started may wait for this goroutine's processor.
		if p.arrived.Load() == int64(p.helpers) && p.crew.spins() {
			p.crew.lookUntil(func() bool { return len(p.idle) > 0 })
		}
		p.asleep.Store(true)
		select {
		case <-p.idle:
		case <-done:
			stop()
			<-p.idle
		}
	}
	p.f = nil
	if f := p.failed.Swap(nil); f != nil {
		panic(f) // here, where the caller can recover it
	}
}

// wakeUp is about what it costs to wake a helper.
const wakeUp = 20 * time.Microsecond

// pays reports whether helpers should share in a loop that takes one goroutine
// about so long.
func (p *pool) pays(cost time.Duration) bool { return cost >= wakeUp || p.crew.looks() }

// done reports whether the loop is done, except for finish.
func (p *pool) done() bool { return p.helping.Load() == 0 && p.next.Load() >= p.n }

func (p *pool) work(worker int) {
	defer p.caught()
	for {
		i := p.next.Add(1) - 1
		if i >= p.n {
			return
		}
		p.f(int(i), worker)
	}
}

// caught keeps a panic for finish and ends the loop.
func (p *pool) caught() {
	if r := recover(); r != nil {
		p.failed.CompareAndSwap(nil, &failure{r, debug.Stack()})
		p.next.Store(p.n)
	}
}

// crew is the goroutines that help with loops. An idle member looks for new
// work for some microseconds if there is a free processor, because waking it
// costs as much as a short loop. Then it ends, so that an unused GPU leaves no
// goroutines behind.
type crew struct {
	members []*member
	awake   atomic.Int64 // number of running members
}

// member is one of the crew.
type member struct {
	crew   *crew
	state  atomic.Int32
	pool   *pool // loop and worker number; set before the member is called
	worker int
	run    func() // method value; made once because making one allocates
}

// States of a member.
const (
	away    = iota // has no goroutine
	looking        // has a goroutine that looks for work
	called         // was called to help, or helps
)

// lookFor is how long an idle member looks for work, and a caller for the end
// of a loop.
const lookFor = 200 * time.Microsecond

// spins reports whether all running members and the caller have a processor.
func (c *crew) spins() bool { return c.awake.Load() < int64(runtime.GOMAXPROCS(0)) }

// looks reports whether a member looks for work, so that calling it costs little.
func (c *crew) looks() bool {
	if c == nil {
		return false
	}
	for _, m := range c.members {
		if m.state.Load() == looking {
			return true
		}
	}
	return false
}

// lookUntil polls for a while until there returns true.
func (c *crew) lookUntil(there func() bool) {
	for start := time.Now(); !there(); {
		if time.Since(start) > lookFor {
			return
		}
	}
}

// call makes a member help with a loop. Only one goroutine makes calls.
func (c *crew) call(p *pool, worker int) {
	for _, m := range c.members {
		if m.state.Load() == called {
			continue
		}
		m.pool, m.worker = p, worker
		if !m.state.CompareAndSwap(looking, called) {
			m.begin()
		}
		return
	}
	m := &member{crew: c, pool: p, worker: worker}
	m.run = m.help
	c.members = append(c.members, m)
	m.begin()
}

func (m *member) begin() {
	m.crew.awake.Add(1)
	m.state.Store(called)
	go m.run()
}

// help helps with loops as long as the member is called.
func (m *member) help() {
	c := m.crew
	for m.state.Load() == called {
		p := m.pool
		p.arrived.Add(1)
		p.work(m.worker)
		m.pool = nil
		m.state.Store(looking)
		asleep := false
		if p.helping.Add(-1) == 0 {
			asleep = p.asleep.Load() // read now: once p.idle has received, p belongs to the caller
			p.idle <- struct{}{}
		}
		if !asleep && c.spins() {
			c.lookUntil(func() bool { return m.state.Load() == called })
		}
		if m.state.CompareAndSwap(looking, away) {
			c.awake.Add(-1)
			return
		}
	}
}
