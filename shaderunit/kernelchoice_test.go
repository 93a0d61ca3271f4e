package shaderunit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
)

// Each engine has its own choice of kernels.
func TestEnginesChooseTheirKernels(t *testing.T) {
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	calls := 0
	was := goKernels
	defer func() { goKernels = was }()
	goKernels.rsq = func(d, a *Row, n int) {
		calls++
		was.rsq(d, a, n)
	}
	s := skinning(t)
	best, plain := NewEngine(), NewEngine()
	plain.Kernels = simd.Plain
	b := new(Batch)
	require.NoError(t, best.RunVertices(s, b, Lanes))
	require.Zero(t, calls)
	require.NoError(t, plain.RunVertices(s, b, Lanes))
	require.NotZero(t, calls)
}
