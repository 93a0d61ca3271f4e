package stdsort

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The order that GCC 12 gives 20 entries with keys 7i mod 3: by std::sort, and by std::make_heap with std::sort_heap.
var (
	sorted20 = []int{18, 3, 15, 6, 12, 9, 0, 10, 19, 16, 13, 7, 4, 1, 11, 8, 14, 5, 17, 2}
	heaped20 = []int{9, 15, 3, 18, 12, 0, 6, 16, 7, 1, 19, 4, 10, 13, 8, 17, 5, 11, 2, 14}
)

// Lists of every length are sorted by each algorithm; equal keys have the order of libstdc++ (std::sort of GCC 12).
func TestSortsAsTheReferenceDoes(t *testing.T) {
	type entry struct{ key, was int }
	less := func(a, b *entry) bool { return a.key < b.key }
	rng := rand.New(rand.NewPCG(3, 4))
	for n := range 70 {
		for _, keys := range []int{1, 3, 1000} {
			s := make([]entry, n)
			for i := range s {
				s[i] = entry{rng.IntN(keys), i}
			}
			for name, sort := range map[string]func(s []entry){
				"sort": func(s []entry) { Sort(s, less) },
				"heap": func(s []entry) { heapSort(s, less) },
				"heap, where it is too deep": func(s []entry) {
					introsort(s, 0, len(s), 0, less)
					insertionSort(s, 0, len(s), less)
				},
				"heap of a part": func(s []entry) {
					introsort(s, 0, len(s), 1, less)
					for i := range s {
						linearInsert(s, i, less)
					}
				},
			} {
				got := slices.Clone(s)
				sort(got)
				require.True(t, slices.IsSortedFunc(got, func(a, b entry) int { return a.key - b.key }), "%s, %d entries of %d keys: %v", name, n, keys, got)
				seen := make([]bool, n)
				for _, e := range got {
					require.Equal(t, s[e.was], e)
					require.False(t, seen[e.was])
					seen[e.was] = true
				}
			}
		}
	}
	order := func(sort func(s []entry), n, keys int) (out []int) {
		s := make([]entry, n)
		for i := range s {
			s[i] = entry{i * 7 % keys, i}
		}
		sort(s)
		for _, e := range s {
			out = append(out, e.was)
		}
		return out
	}
	require.Equal(t, sorted20, order(func(s []entry) { Sort(s, less) }, 20, 3))
	require.Equal(t, heaped20, order(func(s []entry) { heapSort(s, less) }, 20, 3))
}
