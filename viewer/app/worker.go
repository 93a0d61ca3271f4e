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
	closed bool
	ended  chan struct{}
	cancel context.CancelFunc // of all that is done
	stop   context.CancelFunc // of the picture that is made, or nil

	wake     func()
	rendered func(serial int, p *session.Picture, err error) func()
}

func startWorker(s session.Source, wake func(), rendered func(int, *session.Picture, error) func()) *worker {
	w := &worker{source: s, wake: wake, rendered: rendered, ended: make(chan struct{})}
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
		if len(w.jobs) > 0 {
			job := w.jobs[0]
			w.jobs = w.jobs[1:]
			w.mu.Unlock()
			result = job(ctx, w.source)
		} else {
			r := w.want
			w.want = nil
			one, stop := context.WithCancel(ctx)
			w.stop = stop
			w.mu.Unlock()
			p, err := w.source.Render(one, r)
			w.mu.Lock()
			w.stop = nil
			w.mu.Unlock()
			stop()
			result = w.rendered(r.Serial, p, err)
		}
		if result != nil {
			w.post(result)
		}
	}
}

// post has the window's goroutine run something.
func (w *worker) post(f func()) {
	w.mu.Lock()
	w.done = append(w.done, f)
	w.mu.Unlock()
	w.wake()
}

// render asks for a picture.
func (w *worker) render(r session.Request) {
	w.mu.Lock()
	w.want = &r
	w.mu.Unlock()
	w.cond.Signal()
}

// interrupt gives up the picture that is made; its error is context.Canceled.
func (w *worker) interrupt() {
	w.mu.Lock()
	if w.stop != nil {
		w.stop()
	}
	w.mu.Unlock()
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

// close ends the goroutine; what is being drawn is given up.
func (w *worker) close() {
	w.mu.Lock()
	w.closed = true
	w.cancel()
	w.mu.Unlock()
	w.cond.Signal()
	<-w.ended
}
