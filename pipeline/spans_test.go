package pipeline

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// joinSpans and overlapsAny against a map of bytes: joined spans hold the bytes that
// the spans held, in order and apart.
func TestJoinSpans(t *testing.T) {
	const top = 1<<32 - 64 // spans there may reach to the end of the address space
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 3000 {
		base := uint32(0)
		if i%4 == 0 {
			base = top
		}
		var list []span
		bytes := map[uint32]bool{}
		for range 1 + rng.IntN(6) {
			s := span{base + uint32(rng.IntN(40)), uint32(rng.IntN(24))}
			s = clipSpan(uint64(s.addr), uint64(s.bytes))
			if rng.IntN(8) == 0 {
				s.addr = uint32(rng.IntN(40)) // far from the others
			}
			list = append(list, s)
			for b := range s.bytes {
				bytes[s.addr+b] = true
			}
		}
		given := slices.Clone(list)
		joined := joinSpans(slices.Clone(list))
		count := 0
		for k, s := range joined {
			for b := range s.bytes {
				require.True(t, bytes[s.addr+b], "%v -> %v", given, joined)
				count++
			}
			if k > 0 {
				before := joined[k-1]
				require.Less(t, uint64(before.addr)+uint64(before.bytes), uint64(s.addr), "%v -> %v", given, joined)
			}
		}
		require.Len(t, bytes, count, "%v -> %v", given, joined)
		for range 10 {
			s := span{base + uint32(rng.IntN(60)), uint32(rng.IntN(6))}
			s = clipSpan(uint64(s.addr), uint64(s.bytes))
			meets := false
			for b := range s.bytes {
				meets = meets || bytes[s.addr+b]
			}
			require.Equal(t, meets, overlapsAny(list, s), "%v in %v", s, given)
			require.Equal(t, meets, overlapsAny(joined, s), "%v in %v", s, joined)
		}
	}
}

// The list of what draws read is full when it stays long after joining.
func TestFullLists(t *testing.T) {
	list := func(n int, apart uint32) (p pending) {
		for i := range uint32(n) {
			p.reads = append(p.reads, span{i * 64, 64 - apart})
		}
		return p
	}
	few := list(maxSpans-1, 1)
	require.False(t, few.full())
	require.Len(t, few.reads, maxSpans-1, "short lists are left")
	joined := list(maxSpans, 0)
	require.False(t, joined.full())
	require.Equal(t, []span{{0, 64 * maxSpans}}, joined.reads)
	many := list(maxSpans, 1)
	require.True(t, many.full())
	half := list(maxSpans, 0)
	for i := range maxSpans / 2 {
		half.reads[2*i+1].bytes--
	}
	require.False(t, half.full())
	require.Len(t, half.reads, maxSpans/2)
}
