package pipeline

import (
	"fmt"
	"runtime/debug"
	"sync/atomic"
)

// pool runs loops on several goroutines. They live for one loop only, so that
// a GPU that is no longer used leaves nothing behind.
type pool struct {
	workers int

	// State of the loop that runs now.
	f       func(i, worker int)
	n       int64
	next    atomic.Int64
	help    []func() // of each helper; made once, because making one allocates
	helpers int
	helping atomic.Int64  // helpers at work
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
	p.helping.Store(int64(p.helpers))
	for w := range p.helpers {
		if w == len(p.help) {
			p.help = append(p.help, func() { p.helpAs(w + 1) })
		}
		go p.help[w]()
	}
}

// finish takes part in the loop that start began and returns when it is done.
// When done is closed while it waits for the others, it calls stop.
func (p *pool) finish(done <-chan struct{}, stop func()) {
	p.work(0)
	if p.helpers > 0 {
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

func (p *pool) helpAs(worker int) {
	p.work(worker)
	if p.helping.Add(-1) == 0 {
		p.idle <- struct{}{}
	}
}

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
