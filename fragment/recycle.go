package fragment

import "unsafe"

// drawSerials numbers the draws of an engine. Everything that a draw holds carries its
// number, and may be reused when all draws up to that number have run.
type drawSerials struct {
	serial    uint64 // number of the draw that is being made
	returned  uint64 // number of the last draw that was returned
	released  uint64 // no draw up to this number will run any more
	retired   int    // bytes of replaced values that waiting draws may hold
	allocated int    // bytes of all values
}

const (
	// maxWaiting is the number of bytes of replaced values from which Full asks to
	// run the draws.
	maxWaiting = 1 << 20
	// maxRecycled is the number of bytes of all values from which none is kept for
	// reuse.
	maxRecycled = 16 << 20
)

// recycled keeps replaced values while draws that hold them wait, and then
// returns them for reuse, so that nothing is allocated in the steady state.
type recycled[D any] struct {
	waiting []retired[D] // in the order of their numbers
	free    []*D
}

type retired[D any] struct {
	value  *D
	serial uint64
}

// retire adds a value that draws up to this one may use.
func (r *recycled[D]) retire(value *D, t *drawSerials) {
	r.waiting = append(r.waiting, retired[D]{value, t.serial})
	t.retired += max(int(unsafe.Sizeof(*value)), 1<<10)
}

// take returns a value that no draw holds; its contents are undefined.
func (r *recycled[D]) take(t *drawSerials) *D {
	size, n := int(unsafe.Sizeof(*new(D))), 0
	for n < len(r.waiting) && r.waiting[n].serial <= t.released {
		if t.allocated <= maxRecycled {
			r.free = append(r.free, r.waiting[n].value)
		} else {
			t.allocated -= size
		}
		n++
	}
	if n > 0 {
		left := copy(r.waiting, r.waiting[n:])
		clear(r.waiting[left:])
		r.waiting = r.waiting[:left]
	}
	if n = len(r.free); n == 0 {
		t.allocated += size
		return new(D)
	}
	v := r.free[n-1]
	r.free[n-1] = nil
	r.free = r.free[:n-1]
	return v
}
