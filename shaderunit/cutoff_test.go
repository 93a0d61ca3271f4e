package shaderunit

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Transcendental instructions give the exact result with the bits after the sixteenth truncated, unless the exact result is within
// 1/32 of a step of the last bit.
func TestTranscendentalsAreTruncated(t *testing.T) {
	for name, f := range map[string]struct {
		run   func(x float32) float32
		exact func(x float64) float64
		from  float64 // arguments are from .. from+1
		unit  float64 // value of the last bit of results
	}{
		"rcp": {rcp24, func(x float64) float64 { return 1 / x }, 1, 0x1p-17},
		"rsq": {rsq24, func(x float64) float64 { return 1 / math.Sqrt(x) }, 1, 0x1p-17},
		"ex2": {ex224, math.Exp2, 0, 0x1p-16},
		"lg2": {lg224, math.Log2, 1, 0x1p-17}, // smaller results have finer steps
	} {
		checked := 0
		for i := range 1 << 16 {
			x := f.from + float64(i)/(1<<16)
			y := f.exact(x) / f.unit
			steps, part := math.Modf(y)
			if part < 1.0/32 || part > 31.0/32 || y < 1<<16 {
				continue
			}
			checked++
			require.Equal(t, steps, math.Floor(float64(f.run(float32(x)))/f.unit), "%s %v", name, x)
		}
		require.Greater(t, checked, 20000, name)
	}
}
