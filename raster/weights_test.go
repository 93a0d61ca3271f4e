package raster

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// TestInterpolationMatchesFloat64 compares weights, depth and attributes with
// barycentric coordinates evaluated in float64.
func TestInterpolationMatchesFloat64(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for n := range 200 {
		var v [3]pica.ScreenVertex
		for i := range v {
			v[i] = pica.ScreenVertex{X: rng.Int32N(1024), Y: rng.Int32N(1024), Z: -rng.Float32(), InvW: 0.1 + rng.Float32()*10}
			v[i].Vertex[pica.SemTexCoord0U] = rng.Float32()
		}
		area := float64(v[1].X-v[0].X)*float64(v[2].Y-v[0].Y) - float64(v[2].X-v[0].X)*float64(v[1].Y-v[0].Y)
		if math.Abs(area) < 4000 {
			continue
		}
		if area < 0 {
			v[1], v[2] = v[2], v[1]
			area = -area
		}
		d, r := testDraw(64, 64)
		d.DepthScale, d.DepthOffset = -0.75, 0.125
		d.WBuffer = n%2 == 1
		r.see = func(b *Batch) {
			var u Plane
			b.Interpolate(pica.SemTexCoord0U, &u)
			for i := range b.N() {
				blk := &b.Block[i/16]
				if b.Mask[i/16]>>(i%16)&1 == 0 {
					continue
				}
				px := float64(blk.X+int32(PixelX[i%16])) + 0.5
				py := float64(64) - (float64(blk.Y+int32(PixelY[i%16])) + 0.5)
				var e [3]float64
				sum := area
				for k := range e {
					p, q := &v[(k+1)%3], &v[(k+2)%3]
					dx, dy := float64(q.X-p.X), float64(q.Y-p.Y)
					e[k] = dx*(py*16-float64(p.Y)) - dy*(px*16-float64(p.X))
					if owns := dy < 0 || dy == 0 && dx > 0; !owns {
						e[k]--
						sum--
					}
				}
				s, wu, z := 0.0, 0.0, 0.0
				for k := range e {
					s += e[k] * float64(v[k].InvW)
					wu += e[k] * float64(v[k].InvW) * float64(v[k].Vertex[pica.SemTexCoord0U])
					z += e[k] * float64(v[k].Z) / sum
				}
				depth := z*-0.75 + 0.125
				if d.WBuffer {
					depth *= sum / s
				}
				require.InDelta(t, min(max(depth, 0), 1), b.Depth[i], 1e-5)
				require.InDelta(t, wu/s, u[i], 1e-5)
			}
		}
		drawAll(d, v[:])
	}
}

// TestConstantsInterpolateExactly: what is equal at three vertices must come
// out unchanged, or depth tests for equality and flat colours break.
func TestConstantsInterpolateExactly(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		z, u := -rng.Float32(), rng.Float32()
		v := []pica.ScreenVertex{vertex(0, 0), vertex(1000, rng.Int32N(300)), vertex(rng.Int32N(300), 1000)}
		for i := range v {
			v[i].Z, v[i].InvW = z, 0.5+rng.Float32()
			v[i].Vertex[pica.SemTexCoord0U] = u
		}
		d, r := testDraw(64, 64)
		d.DepthScale, d.DepthOffset = -1, 0
		blocks := 0
		r.see = func(b *Batch) {
			blocks += b.Blocks
			var p Plane
			b.Interpolate(pica.SemTexCoord0U, &p)
			for i := range b.N() {
				require.Equal(t, -z, b.Depth[i])
				require.Equal(t, u, p[i])
			}
		}
		drawAll(d, v)
		require.NotZero(t, blocks)
	}
}
