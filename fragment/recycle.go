package fragment

import (
	"cmp"
	"slices"
	"unsafe"
)

// turn counts the draws that an engine gives out. What a draw holds carries its
// number, and may be written over when draws up to that number have run.
type turn struct {
	serial   uint64 // of the draw that is being made
	given    uint64 // of the draw that was given out last
	released uint64 // no draw up to this number will run any more
	retired  int    // bytes of what was replaced while draws wait that may hold it
	held     int    // bytes of all values there are
}

const (
	// maxWaiting is how much of what was replaced draws may hold before Full asks
	// for them to be run.
	maxWaiting = 1 << 20
	// maxRecycled is the number of bytes of all values from which on none is kept
	// for later.
	maxRecycled = 16 << 20
)

// recycled holds values that were replaced while draws that hold them wait. It
// gives them out again when those have run, so that in the steady state nothing
// is allocated.
type recycled[D any] struct {
	waiting []retired[D] // in the order of their numbers
	free    []*D
}

type retired[D any] struct {
	value  *D
	serial uint64
}

// sort puts what waits from a place on in order.
func (r *recycled[D]) sort(from int) {
	slices.SortFunc(r.waiting[from:], func(a, b retired[D]) int { return cmp.Compare(a.serial, b.serial) })
}

// retire takes a value that the draw with the number serial was the last to
// take.
func (r *recycled[D]) retire(value *D, serial uint64, t *turn) {
	r.waiting = append(r.waiting, retired[D]{value, serial})
	t.retired += max(int(unsafe.Sizeof(*value)), 1<<10)
}

// take gives a value that no draw holds, with any content.
func (r *recycled[D]) take(t *turn) *D {
	size, n := int(unsafe.Sizeof(*new(D))), 0
	for n < len(r.waiting) && r.waiting[n].serial <= t.released {
		if t.held <= maxRecycled {
			r.free = append(r.free, r.waiting[n].value)
		} else {
			t.held -= size
		}
		n++
	}
	if n > 0 {
		left := copy(r.waiting, r.waiting[n:])
		clear(r.waiting[left:])
		r.waiting = r.waiting[:left]
	}
	if n = len(r.free); n == 0 {
		t.held += size
		return new(D)
	}
	v := r.free[n-1]
	r.free[n-1] = nil
	r.free = r.free[:n-1]
	return v
}
