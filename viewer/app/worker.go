package app

import (
	"context"
	"sync"

	"pica200/viewer/session"
)

// worker renders on a goroutine of its own. Of the requests to render that come
// while it is busy, the last one wins; other jobs are done all, in order. What
// a job returns is run by the window's goroutine.
type worker struct {
	mu     sync.Mutex
	cond   *sync.Cond
	source session.Source
	want   *session.Request
	jobs   []func(context.Context, session.Source) func()
	done   []func()
	busy   bool // something is done, or its result is not posted yet
	closed bool
	ended  chan struct{}
	cancel context.CancelFunc // of all that is done
	stop   context.CancelFunc // of what is done now, or nil

	wake     func()
	begun    func() // called, by the worker, before each thing that it does
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

// doing does something that interrupt ends. It is called with the lock held, and releases
// it.
func (w *worker) doing(ctx context.Context, f func(context.Context)) {
	ctx, stop := context.WithCancel(ctx)
	w.stop = stop
	w.mu.Unlock()
	w.begun()
	f(ctx)
	w.mu.Lock()
	w.stop = nil
	w.mu.Unlock()
	stop()
}

// working reports whether something is done now.
func (w *worker) working() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stop != nil
}

// post has the window's goroutine run something.
func (w *worker) post(f func()) {
	w.mu.Lock()
	w.done = append(w.done, f)
	w.mu.Unlock()
	w.wake()
}

// rests reports whether nothing is asked for, done, or to be taken.
func (w *worker) rests() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.busy && w.want == nil && len(w.jobs) == 0 && len(w.done) == 0
}

// render asks for a picture.
func (w *worker) render(r session.Request) {
	w.mu.Lock()
	w.want = &r
	w.mu.Unlock()
	w.cond.Signal()
}

// interrupt gives up what is done; its error is context.Canceled. With all, so is the
// picture that waits.
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

// do asks for something else.
func (w *worker) do(job func(context.Context, session.Source) func()) {
	w.mu.Lock()
	w.jobs = append(w.jobs, job)
	w.mu.Unlock()
	w.cond.Signal()
}

// take returns what is to be run by the caller.
func (w *worker) take() []func() {
	w.mu.Lock()
	defer w.mu.Unlock()
	d := w.done
	w.done = nil
	return d
}

// close ends the goroutine and closes the source. A picture that is being drawn is given up.
func (w *worker) close() {
	w.mu.Lock()
	w.closed = true
	w.cancel()
	w.mu.Unlock()
	w.cond.Signal()
	<-w.ended
	w.source.Close()
}
