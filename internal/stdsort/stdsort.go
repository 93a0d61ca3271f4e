// Package stdsort sorts as std::sort of GNU libstdc++ does, which is not stable:
// where two elements are equal, their order follows from the steps of the
// algorithm once there are more than 16. picasso orders its tables so, tex3ds
// the pictures of an atlas. The steps are introsort (median of three, then heap
// sort when too deep) and a final insertion sort.
package stdsort

const sortThreshold = 16

// Sort orders s by less as GNU std::sort does.
func Sort[T any](s []T, less func(a, b *T) bool) {
	if len(s) < 2 {
		return
	}
	depth := 0
	for n := len(s); n > 1; n >>= 1 {
		depth += 2
	}
	introsort(s, 0, len(s), depth, less)
	if len(s) <= sortThreshold {
		insertionSort(s, 0, len(s), less)
		return
	}
	insertionSort(s, 0, sortThreshold, less)
	for i := sortThreshold; i < len(s); i++ {
		linearInsert(s, i, less)
	}
}

func introsort[T any](s []T, first, last, depth int, less func(a, b *T) bool) {
	for last-first > sortThreshold {
		if depth == 0 {
			heapSort(s[first:last], less)
			return
		}
		depth--
		medianToFirst(s, first, first+1, first+(last-first)/2, last-1, less)
		cut := partition(s, first+1, last, first, less)
		introsort(s, cut, last, depth, less)
		last = cut
	}
}

func medianToFirst[T any](s []T, to, a, b, c int, less func(a, b *T) bool) {
	m := a
	if less(&s[a], &s[b]) {
		if less(&s[b], &s[c]) {
			m = b
		} else if less(&s[a], &s[c]) {
			m = c
		}
	} else if less(&s[a], &s[c]) {
		m = a
	} else if less(&s[b], &s[c]) {
		m = c
	} else {
		m = b
	}
	s[to], s[m] = s[m], s[to]
}

// partition is unguarded: the median at pivot stops both scans.
func partition[T any](s []T, first, last, pivot int, less func(a, b *T) bool) int {
	for {
		for less(&s[first], &s[pivot]) {
			first++
		}
		last--
		for less(&s[pivot], &s[last]) {
			last--
		}
		if first >= last {
			return first
		}
		s[first], s[last] = s[last], s[first]
		first++
	}
}

func insertionSort[T any](s []T, first, last int, less func(a, b *T) bool) {
	for i := first + 1; i < last; i++ {
		if less(&s[i], &s[first]) {
			v := s[i]
			copy(s[first+1:i+1], s[first:i])
			s[first] = v
		} else {
			linearInsert(s, i, less)
		}
	}
}

func linearInsert[T any](s []T, i int, less func(a, b *T) bool) {
	v := s[i]
	for i > 0 && less(&v, &s[i-1]) {
		s[i] = s[i-1]
		i--
	}
	s[i] = v
}

func heapSort[T any](s []T, less func(a, b *T) bool) {
	n := len(s)
	for parent := (n - 2) / 2; parent >= 0; parent-- {
		adjustHeap(s, parent, n, s[parent], less)
	}
	for last := n - 1; last > 0; last-- {
		v := s[last]
		s[last] = s[0]
		adjustHeap(s, 0, last, v, less)
	}
}

func adjustHeap[T any](s []T, hole, n int, v T, less func(a, b *T) bool) {
	top := hole
	child := hole
	for child < (n-1)/2 {
		child = 2 * (child + 1)
		if less(&s[child], &s[child-1]) {
			child--
		}
		s[hole] = s[child]
		hole = child
	}
	if n&1 == 0 && child == (n-2)/2 {
		child = 2*child + 1
		s[hole] = s[child]
		hole = child
	}
	for hole > top {
		parent := (hole - 1) / 2
		if !less(&s[parent], &v) {
			break
		}
		s[hole] = s[parent]
		hole = parent
	}
	s[hole] = v
}
