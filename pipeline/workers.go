package pipeline

import (
	"sync"
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
	helping atomic.Int64 // helpers at work
	wait    sync.WaitGroup
}

// run calls f(i, worker) for every i below n and returns when all calls are
// done. worker, below the number of workers, tells apart the calls that run
// at the same time.
func (p *pool) run(n int, f func(i, worker int)) {
	if p.workers == 1 || n == 1 {
		for i := range n {
			f(i, 0)
		}
		return
	}
	p.start(n, f)
	p.finish()
}

// start begins a loop on all workers but the caller's. The caller goes on with
// something else and calls finish at last.
func (p *pool) start(n int, f func(i, worker int)) {
	p.f, p.n = f, int64(n)
	p.next.Store(0)
	helpers := min(p.workers, n) - 1
	p.helping.Store(int64(helpers))
	p.wait.Add(helpers)
	for w := range helpers {
		go p.help(w + 1)
	}
}

// finish takes part in the loop that start began and returns when it is done.
func (p *pool) finish() {
	p.work(0)
	p.wait.Wait()
	p.f = nil
}

// done reports whether the loop that start began is done but for finish.
func (p *pool) done() bool { return p.helping.Load() == 0 && p.next.Load() >= p.n }

func (p *pool) help(worker int) {
	p.work(worker)
	p.helping.Add(-1)
	p.wait.Done()
}

func (p *pool) work(worker int) {
	for {
		i := p.next.Add(1) - 1
		if i >= p.n {
			return
		}
		p.f(int(i), worker)
	}
}
