package raster

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// Putting triangles into bins ends after a bounded number of them when the
// channel that the queue watches is closed, and goes on to the end when it is
// not.
func TestBinningIsInterrupted(t *testing.T) {
	const triangles, height = 100_000, 1024
	binned := func(done chan struct{}) (n int) {
		d, _ := testDraw(64, height)
		var q Queue
		for _, v := range []pica.ScreenVertex{vertex(0, 0), vertex(64*subpixel, 0), vertex(0, height*subpixel)} { // in every bin
			q.Add(&v)
		}
		for range triangles {
			q.Triangles = append(q.Triangles, Triangle{0, 1, 2})
		}
		q.Watch(done)
		q.Commit(d)
		for i := range q.bins {
			n += len(q.bins[i].list)
		}
		q.Drop()
		require.True(t, q.Empty())
		return n
	}
	bins := height / binRows
	require.Equal(t, triangles*bins, binned(nil))
	require.Equal(t, triangles*bins, binned(make(chan struct{})))
	done := make(chan struct{})
	close(done)
	require.LessOrEqual(t, binned(done), trianglesUnseen*bins)
}
