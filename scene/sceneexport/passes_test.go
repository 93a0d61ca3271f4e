package sceneexport

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// TestClearValues converts pixel values to clear colours and depths; clearing with those gives the same memory.
func TestClearValues(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	c := testkit.Must(gl.New(g))(t)
	rng := rand.New(rand.NewPCG(1, 2))
	values := []uint32{0, 0xFFFFFFFF, 0x00FFFFFF, 0x80000000, 1, 0x7FFFFF}
	for range 200 {
		values = append(values, rng.Uint32())
	}
	const videoMemory = 0x18000000
	read := func(n int) (v uint32) {
		data := testkit.Must(g.Read(videoMemory, uint32(n)))(t)
		for i, b := range data {
			v |= uint32(b) << (8 * i)
		}
		return v
	}
	for f := range pica.ColorFormatRGBA4 + 1 {
		target := testkit.Must(c.NewTarget(8, 8, gl.TargetOptions{Color: f, NoDepth: true}))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		n := f.Bytes()
		for _, v := range values {
			v &= uint32(uint64(1)<<(8*n) - 1)
			x := colorValue(v, f)
			require.NoError(t, c.ClearColor(t.Context(), float32(x[0]), float32(x[1]), float32(x[2]), float32(x[3])))
			require.Equal(t, v, read(n), "%v", f)
		}
		require.NoError(t, target.Delete(t.Context()))
	}
	for _, f := range []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8} {
		target := testkit.Must(c.NewTarget(8, 8, gl.TargetOptions{NoColor: true, Depth: f}))(t)
		require.NoError(t, c.SetTarget(t.Context(), target))
		n := f.Bytes()
		for _, v := range values {
			v &= uint32(uint64(1)<<(8*n) - 1)
			depth, stencil := depthValue(v, f)
			require.NoError(t, c.ClearDepth(t.Context(), float32(depth), uint8(stencil)))
			require.Equal(t, v, read(n), "%v", f)
		}
		require.NoError(t, target.Delete(t.Context()))
	}
}
