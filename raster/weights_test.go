package raster

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
)

// weighed compares the weights of a block by the vector kernel with quotients, for edge functions e and the vertices' 1/w.
func weighed(t *testing.T, e *lanes, invW [3]float32) {
	t.Helper()
	g := gradients{basis: basis{invW: invW}, lanes: *e}
	plain := g
	for i := range e {
		for lane, v := range e[i] {
			plain.e[i][lane] = float32(v)
		}
	}
	g.vector = true
	var b, want Batch
	plain.weights(&want, 0)
	defer func(was bool) { wide = was }(wide)
	for _, wide = range []bool{wide, false} {
		g.weights(&b, 0)
		for i, w := range [3][2]*Plane{{&b.W0, &want.W0}, {&b.W1, &want.W1}, {&b.W2, &want.W2}} {
			require.Equal(t, bitsOf(w[1][:BlockPixels]), bitsOf(w[0][:BlockPixels]), "weight %d, edge functions %v, 1/w %v", i, e, invW)
		}
	}
}

// The AVX2 kernel multiplies by a reciprocal and corrects the product. It could be wrong only for quotients closest to the middle
// of two floats: for a divisor b, those with 2^k*a = b*q + c, q odd with 25 bits and c small (k is 24 if a >= b, otherwise 25).
func TestWeightsAreQuotients(t *testing.T) {
	if !simd.Best.AVX2() {
		t.Skip("only AVX2 kernels divide by products")
	}
	var e lanes
	lane, tried := 0, 0
	try := func(a, b int32) {
		e[0][lane], e[1][lane] = a, b-a // e[2] is 0
		if lane++; lane == BlockPixels {
			weighed(t, &e, [3]float32{1, 1, 1})
			lane, tried = 0, tried+BlockPixels
		}
	}
	const most = 1 << 24
	for b := uint64(most / 2); b < most; b += 97 {
		zeros := bits.TrailingZeros64(b)
		odd := b >> zeros
		inverse := odd // of odd, modulo 2^64
		for range 5 {
			inverse *= 2 - odd*inverse
		}
		for k := 24; k <= 25; k++ {
			for c := int64(-4); c <= 4; c++ {
				if zeros > 16 || c&(1<<zeros-1) != 0 {
					continue
				}
				step := uint64(1) << (k - zeros)
				q := uint64(-(c >> zeros)) * inverse & (step - 1)
				for q += (most - q + step - 1) &^ (step - 1); q < 2*most; q += step {
					a := b*q + uint64(c)
					if q&1 == 1 && a&(1<<k-1) == 0 && a>>k >= most/2 && a>>k < most {
						try(int32(a>>k), int32(b))
					}
				}
			}
		}
	}
	require.Greater(t, tried, 100_000)
}

// Sums and 1/w of any size, also beyond those for which the kernel multiplies.
func TestWeightsOfAnySize(t *testing.T) {
	if !simd.Best.AVX2() {
		t.Skip("only AVX2 kernels divide by products")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	limits := []float32{0x1p-40, 0x1p40, 0x1.fffffep-41, 0x1.000002p40, 0x1p-100, 0x1p100, 0, -1, 0x1p-149,
		float32(math.Inf(1)), float32(math.NaN()), math.MaxFloat32}
	for range 50_000 {
		var e lanes
		var invW [3]float32
		around := rng.IntN(100) - 50
		for i := range e {
			invW[i] = float32(math.Ldexp(1+rng.Float64(), around+rng.IntN(9)))
			if rng.IntN(8) == 0 {
				invW[i] = limits[rng.IntN(len(limits))]
			}
			size := rng.IntN(31)
			for lane := range e[i] {
				e[i][lane] = rng.Int32N(1 << size)
				if rng.IntN(64) == 0 {
					e[i][lane] = -e[i][lane]
				}
			}
		}
		if rng.IntN(8) == 0 { // a sum of 0, or almost
			invW = [3]float32{1, 1, 1}
			lane := rng.IntN(BlockPixels)
			e[0][lane] = -e[1][lane] - e[2][lane]/2*2
		}
		weighed(t, &e, invW)
	}
}
