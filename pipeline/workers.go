package pipeline

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// pool runs loops on several goroutines, of which the crew's help the caller's.
type pool struct {
	workers int
	crew    *crew // that helps, of all pools of a GPU; nil for one of its own

	// State of the loop that runs now.
	f       func(i, worker int)
	n       int64
	next    atomic.Int64
	helpers int
	arrived atomic.Int64  // helpers that have begun
	helping atomic.Int64  // helpers at work, or to come
	asleep  atomic.Bool   // the caller waits for idle, and a helper may be on its processor
	idle    chan struct{} // the last helper to end sends
	failed  atomic.Pointer[failure]
}

// failure is a panic in one of the loops.
type failure struct {
	value any
	stack []byte
}

func (f *failure) String() string { return fmt.Sprintf("%v\n%s", f.value, f.stack) }

// run calls f(i, worker) for every i below n and returns when all calls are
// done. worker, below the number of workers, tells apart the calls that run
// at the same time; 0 is the caller's goroutine.
func (p *pool) run(n int, f func(i, worker int)) { p.runUntil(n, f, nil, nil) }

// runUntil is run that calls stop, which should make the calls of f return,
// when done is closed while it waits for others.
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

// start begins a loop on all workers but the caller's. The caller goes on with
// something else and calls finish at last.
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
// When done is closed while it waits for the others, it calls stop.
func (p *pool) finish(done <-chan struct{}, stop func()) {
	p.work(0)
	if p.helpers > 0 {
		// One that has not begun may wait for the processor that this goroutine is on.
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
		panic(f) // on the goroutine that can do something about it
	}
}

// done reports whether the loop that start began is done but for finish.
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

// crew is the goroutines that help loops. One that is done looks for more to do for some
// microseconds, if there is a processor for it, because waking it costs as much as a short
// loop; then it ends, so that a GPU that is no longer used leaves nothing behind.
type crew struct {
	members []*member
	awake   atomic.Int64 // members that have not ended
}

// member is one of the crew.
type member struct {
	crew   *crew
	state  atomic.Int32
	pool   *pool // that it helps, and as which worker; set before it is called
	worker int
	run    func() // made once, because making one allocates
}

// What a member is at.
const (
	away    = iota // there is no goroutine
	looking        // for more to do
	called         // and about to help, or helping
)

// lookFor is how long a member looks for more to do, and a caller for the end of a loop.
const lookFor = 50 * time.Microsecond

// spins reports whether every member that is awake, and the caller, have a processor.
func (c *crew) spins() bool { return c.awake.Load() < int64(runtime.GOMAXPROCS(0)) }

// lookUntil looks for something for a while.
func (c *crew) lookUntil(there func() bool) {
	for start := time.Now(); !there(); {
		if time.Since(start) > lookFor {
			return
		}
	}
}

// call has a member help a loop. Calls come from one goroutine.
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

// help helps the loops that the member is called to.
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
			asleep = p.asleep.Load() // p is the caller's again once it has received
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
