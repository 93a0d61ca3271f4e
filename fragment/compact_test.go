package fragment

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/tests/testkit"
)

// Every scene has the same pixels with and without condensing (removal of empty quads), for triangles that cross blocks.
func TestCondensedBatchesDrawTheSame(t *testing.T) {
	was := compacting
	defer func() { compacting = was }()
	rng := rand.New(rand.NewPCG(71, 72))
	for _, sc := range fieldScenes {
		for round := range 12 {
			s := newFieldScene(sc.setup)
			s.with = []simd.Kernels{simd.Best, simd.Plain}[round%2]
			for k := range s.corner {
				v := &s.corner[k]
				v.X, v.Y = int32(k&1)*150+rng.Int32N(107), int32(k>>1)*150+rng.Int32N(107)
			}
			compacting.ops, compacting.cost = 1<<30, 1
			want := testkit.Must(s.render())(t)
			compacting.ops, compacting.cost = 0, 0
			got := testkit.Must(s.render())(t)
			require.Equal(t, want, got, "%s, %v", sc.name, s.with)
		}
	}
}
