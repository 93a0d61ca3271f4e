package app

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"

	"pica200/viewer/session"
)

// worker renders on its own goroutine. Of several pending requests to render only the last is done; other jobs are all done, in
// order. The function that a job returns runs on the window's goroutine.
type worker struct {
	mu     sync.Mutex
	cond   *sync.Cond
	source session.Source
	want   *session.Request
	jobs   []func(context.Context, session.Source) func()
	done   []func()
	busy   bool // something runs, or its result is not posted yet
	closed bool
	ended  chan struct{}
	cancel context.CancelFunc // cancels everything
	stop   context.CancelFunc // cancels the current work, or nil

	wake     func()
	begun    func() // called on the worker before each job
	rendered func(serial int, p *session.Picture, err error) func()
}

func startWorker(s session.Source, wake, begun func(), rendered func(int, *session.Picture, error) func()) *worker {
	w := &worker{source: s, wake: wake, begun: begun, rendered: rendered, ended: make(chan struct{})}
	w.cond = sync.NewCond(&w.mu)
	ctx, cancel := context.WithCancel(context.Background())
	w.cancel = cancel
	go w.run(ctx)
	return w
}

func (w *worker) run(ctx context.Context) {
	defer close(w.ended)
	for {
		w.mu.Lock()
		for !w.closed && w.want == nil && len(w.jobs) == 0 {
			w.cond.Wait()
		}
		if w.closed && len(w.jobs) == 0 {
			w.mu.Unlock()
			return
		}
		var result func()
		w.busy = true
		if len(w.jobs) > 0 {
			job := w.jobs[0]
			w.jobs = w.jobs[1:]
			w.doing(ctx, func(ctx context.Context) { result = job(ctx, w.source) })
		} else {
			r := w.want
			w.want = nil
			w.doing(ctx, func(ctx context.Context) {
				p, err := w.source.Render(ctx, r)
				result = w.rendered(r.Serial, p, err)
			})
		}
		if result != nil {
			w.post(result)
		}
		w.mu.Lock()
		w.busy = false
		w.mu.Unlock()
	}
}

// doing runs work that interrupt can cancel. It is called with the lock held, and releases it.
func (w *worker) doing(ctx context.Context, f func(context.Context)) {
	ctx, stop := context.WithCancel(ctx)
	w.stop = stop
	w.mu.Unlock()
	w.begun()
	w.guard(ctx, f)
	w.mu.Lock()
	w.stop = nil
	w.mu.Unlock()
	stop()
}

// guard runs work. A panic in it becomes one of the window's goroutine, which keeps what was not saved.
func (w *worker) guard(ctx context.Context, f func(context.Context)) {
	defer func() {
		if p := recover(); p != nil {
			text := fmt.Sprintf("%v\n\n%s", p, debug.Stack())
			w.post(func() { panic(text) })
		}
	}()
	f(ctx)
}

// working reports whether something runs now.
func (w *worker) working() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stop != nil
}

// post queues a function for the window's goroutine.
func (w *worker) post(f func()) {
	w.mu.Lock()
	w.done = append(w.done, f)
	w.mu.Unlock()
	w.wake()
}

// rests reports whether nothing is pending, running or waiting to be taken.
func (w *worker) rests() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.busy && w.want == nil && len(w.jobs) == 0 && len(w.done) == 0
}

// render requests a picture.
func (w *worker) render(r session.Request) {
	w.mu.Lock()
	w.want = &r
	w.mu.Unlock()
	w.cond.Signal()
}

// interrupt cancels the current work with context.Canceled. With all, it also drops the pending picture.
func (w *worker) interrupt(all bool) {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
	}
	if r := w.want; r != nil && all {
		w.want = nil
		w.done = append(w.done, w.rendered(r.Serial, nil, context.Canceled))
	}
	w.mu.Unlock()
	w.wake()
}

// forget drops a requested picture.
func (w *worker) forget() {
	w.mu.Lock()
	w.want = nil
	w.mu.Unlock()
}

// do queues another job.
func (w *worker) do(job func(context.Context, session.Source) func()) {
	w.mu.Lock()
	w.jobs = append(w.jobs, job)
	w.mu.Unlock()
	w.cond.Signal()
}

// take returns the functions that the caller must run.
func (w *worker) take() []func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.done
	w.done = nil
	return d
}

// close ends the goroutine and closes the source. A picture being drawn is cancelled.
func (w *worker) close() {
	w.mu.Lock()
	w.closed = true
	w.cancel()
	w.mu.Unlock()
	w.cond.Signal()
	<-w.ended
	w.source.Close()
}
