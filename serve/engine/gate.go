package engine

import (
	"context"
	"sync"
)

// requestGate lets one request work at a time. Any other request ends work in the
// background, and so never waits for long.
type requestGate struct {
	mu      sync.Mutex
	busy    bool
	yield   context.CancelCauseFunc // ends the running background work; nil if there is none
	waiting []*waiter               // in the order in which they will run
}

type waiter struct {
	background bool
	run        chan struct{} // closed when its turn comes
	gone       bool
}

// maxWaiting bounds the requests that wait.
const maxWaiting = 256

// take waits for a turn. done must be called at the end of the work.
func (t *requestGate) take(ctx context.Context, background bool) (work context.Context, done func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	t.mu.Lock()
	if t.busy {
		if len(t.waiting) >= maxWaiting {
			t.mu.Unlock()
			return nil, nil, &Error{CodeFailed, "too many requests are waiting"}
		}
		w := &waiter{background: background, run: make(chan struct{})}
		at := len(t.waiting)
		if !background {
			for at > 0 && t.waiting[at-1].background {
				at--
			}
			if t.yield != nil {
				t.yield(errYielded)
			}
		}
		t.waiting = append(t.waiting[:at], append([]*waiter{w}, t.waiting[at:]...)...)
		t.mu.Unlock()
		select {
		case <-w.run:
		case <-ctx.Done():
			t.mu.Lock()
			select {
			case <-w.run: // its turn came at the same time
				t.next()
			default:
				w.gone = true
			}
			t.mu.Unlock()
			return nil, nil, ctx.Err()
		}
		t.mu.Lock()
	}
	t.busy = true
	work, cancel := context.WithCancelCause(ctx)
	if background {
		t.yield = cancel
		for _, w := range t.waiting {
			if !w.background && !w.gone { // it came before there was anything to end
				cancel(errYielded)
				break
			}
		}
	}
	t.mu.Unlock()
	return work, func() {
		cancel(nil)
		t.mu.Lock()
		t.yield = nil
		t.next()
		t.mu.Unlock()
	}, nil
}

// next gives the turn to the first that still waits.
func (t *requestGate) next() {
	for len(t.waiting) > 0 {
		w := t.waiting[0]
		t.waiting = t.waiting[1:]
		if !w.gone {
			close(w.run)
			return
		}
	}
	t.busy = false
}
