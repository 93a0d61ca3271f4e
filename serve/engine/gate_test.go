package engine

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A request that is cancelled just as it gets its turn passes the turn on.
func TestCancelAsTheTurnComes(t *testing.T) {
	var turn requestGate
	for range 20 {
		_, done, err := turn.take(t.Context(), false)
		require.NoError(t, err)
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		all.Go(func() {
			if _, done, err := turn.take(ctx, false); err == nil {
				done() // the turn came first
			}
		})
		require.Eventually(t, func() bool {
			turn.mu.Lock()
			defer turn.mu.Unlock()
			return len(turn.waiting) == 1
		}, 10*time.Second, 100*time.Microsecond)
		turn.mu.Lock()
		leave()
		time.Sleep(time.Millisecond) // time to reach the lock
		turn.next()
		turn.mu.Unlock()
		all.Wait()
		require.False(t, turn.busy)
		done()
	}
}

// Background work that starts while a foreground request waits is cancelled at once; waiting background requests and cancelled ones
// do not cancel it.
func TestBackgroundWorkYieldsAtStart(t *testing.T) {
	for _, c := range []struct {
		comes waiter
		ends  bool
	}{{waiter{}, true}, {waiter{gone: true}, false}, {waiter{background: true}, false}} {
		var turn requestGate
		_, done, err := turn.take(t.Context(), false)
		require.NoError(t, err)
		var work context.Context
		var all sync.WaitGroup
		all.Go(func() { work, _, _ = turn.take(t.Context(), true) })
		require.Eventually(t, func() bool {
			turn.mu.Lock()
			defer turn.mu.Unlock()
			return len(turn.waiting) == 1
		}, 10*time.Second, 100*time.Microsecond)
		turn.mu.Lock()
		turn.next()
		c.comes.run = make(chan struct{})
		turn.waiting = append(turn.waiting, &c.comes)
		turn.mu.Unlock()
		all.Wait()
		require.Equal(t, c.ends, context.Cause(work) == errYielded, "%+v", &c.comes)
		done()
	}
}

// Background work yields to other requests; waiting requests run in order, and a cancelled one does not block the others.
func TestRequestTurns(t *testing.T) {
	var turn requestGate
	work, done, err := turn.take(t.Context(), true)
	require.NoError(t, err)
	var order []string
	var mu sync.Mutex
	var all sync.WaitGroup
	waiting := func() int {
		turn.mu.Lock()
		defer turn.mu.Unlock()
		return len(turn.waiting)
	}
	start := func(ctx context.Context, name string, background bool) {
		n := waiting()
		all.Go(func() {
			_, done, err := turn.take(ctx, background)
			if err != nil {
				return
			}
			mu.Lock()
			order = append(order, name)
			mu.Unlock()
			done()
		})
		require.Eventually(t, func() bool { return waiting() > n }, 10*time.Second, time.Millisecond)
	}
	start(t.Context(), "behind", true)
	require.NoError(t, work.Err(), "a background request does not cancel background work")
	gone, leave := context.WithCancel(t.Context())
	start(gone, "gone", false)
	require.ErrorIs(t, context.Cause(work), errYielded)
	leave()
	start(t.Context(), "click", false)
	done()
	all.Wait()
	require.Equal(t, []string{"click", "behind"}, order)
	work, done, err = turn.take(t.Context(), false)
	require.NoError(t, err)
	require.NoError(t, work.Err())
	done()
	require.ErrorIs(t, work.Err(), context.Canceled, "done cancels the request's context")
	_, _, err = turn.take(gone, false)
	require.ErrorIs(t, err, context.Canceled)
}

// A cancelled request ends, and the next one is answered as usual.
func TestCancelledRequest(t *testing.T) {
	e := newEngine(t, Options{CacheBytes: -1}, source(t, "lights"))
	_, want := ask(t, e, `{"op":"picture","what":"after","frame":1,"draw":2}`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := testkit.Must(ParseRequest([]byte(`{"op":"picture","what":"after","frame":1,"draw":2}`)))(t)
	_, err := e.Do(ctx, r)
	require.Equal(t, CodeStopped, ErrorOf(err).Code)
	_, again := ask(t, e, `{"op":"picture","what":"after","frame":1,"draw":2}`)
	require.Equal(t, string(want), string(again))
}
