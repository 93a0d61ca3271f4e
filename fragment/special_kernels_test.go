package fragment

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// sameNaN returns the bits of floats, with every NaN replaced by the same one.
func sameNaN(p []float32) []uint32 {
	out := make([]uint32, len(p))
	for i, x := range p {
		if x != x {
			x = float32(math.NaN())
		}
		out[i] = math.Float32bits(x)
	}
	return out
}

func awkwardPlane(rng *rand.Rand) *raster.Plane {
	p := new(raster.Plane)
	for i := range p {
		p[i] = awkward(rng)
	}
	return p
}

// lanesInUse is a random number of lanes that kernels accept.
func lanesInUse(rng *rand.Rand) int { return 16 * (1 + rng.IntN(raster.BatchBlocks)) }

func TestNoiseKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 62))
	for range 400 {
		lut := new(lut128)
		for i := range lut {
			lut[i] = lutEntry{rng.Float32(), rng.Float32()*2 - 1}
		}
		scale := float32(math.Exp2(float64(rng.IntN(24) - 8)))
		s := &procTexState{
			amplitude: [2]float32{awkward(rng), awkward(rng)}, phase: [2]float32{awkward(rng), awkward(rng)},
			frequency: [2]float32{awkward(rng) * scale, awkward(rng) * scale},
		}
		n, u, v := lanesInUse(rng), *awkwardPlane(rng), *awkwardPlane(rng)
		vector, plain := both(t, func(with simd.Kernels) [2][]uint32 {
			u, v := u, v
			procTexNoise(with, &u, &v, s, lut, n)
			return [2][]uint32{sameNaN(u[:]), sameNaN(v[:])}
		})
		require.Equal(t, plain, vector)
	}
}

// The kernels decode every half float, and encode it back.
func TestHalfFloatKernels(t *testing.T) {
	for first := 0; first < 1<<16; first += raster.Lanes {
		var high, low Bytes
		for i := range high {
			high[i], low[i] = uint8((first+i)>>8), uint8(first+i)
		}
		vector, plain := both(t, func(with simd.Kernels) []uint32 {
			var d raster.Plane
			gasDensity(with, &d, &high, &low, raster.Lanes)
			return sameNaN(d[:])
		})
		require.Equal(t, plain, vector)
	}
}

func TestGasShadingKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(63, 64))
	for range 300 {
		table, colors := new(lut128), new(gasLUT)
		for i := range table {
			table[i] = lutEntry{rng.Float32(), rng.Float32()*2 - 1}
		}
		for c := range colors.base {
			for i := range colors.base[c] {
				colors.base[c][i], colors.diff[c][i] = rng.Float32(), rng.Float32()*2-1
			}
		}
		s := &gasValues{xyMin: awkward(rng), xyMax: awkward(rng), xyAtten: awkward(rng), zMin: awkward(rng), zMax: awkward(rng), zAtten: awkward(rng), zEffect: awkward(rng)}
		n, d, attenuation := lanesInUse(rng), *awkwardPlane(rng), awkward(rng)
		planar := (*Bytes)(randomBytes(rng, raster.Lanes))
		type result struct {
			alpha Bytes
			light []uint32
			color Color
		}
		vector, plain := both(t, func(with simd.Kernels) (r result) {
			light := d
			gasAlpha(with, &r.alpha, &d, attenuation, table, n)
			gasLight(with, &light, planar, s, n)
			gasColor(with, &r.color, &d, colors, n)
			r.light = sameNaN(light[:])
			return r
		})
		require.Equal(t, plain, vector)
	}
}

func TestGasBlocksKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(65, 66))
	for range 2000 {
		g := &gasOutput{fn: pica.GasDepthFunc(rng.IntN(5)), unread: rng.IntN(4) == 0, write: true, density: planeRef{cStage0, blue}}
		format := []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8}[rng.IntN(3)]
		g.top = float32(format.Max())
		const side = 16
		color, depth := randomBytes(rng, 4*side*side), randomBytes(rng, 4*side*side)
		if rng.IntN(2) == 0 { // ordinary densities
			for i := 0; i < len(color); i += 2 {
				color[i] &= 0x3F
			}
		}
		b := &raster.Batch{Blocks: 1 + rng.IntN(raster.BatchBlocks)}
		for i := range b.Blocks { // some of them on the same pixels
			b.Block[i] = raster.Block{X: 4 * rng.Int32N(side/4), Y: 4 * rng.Int32N(side/4)}
			b.Mask[i] = uint16(rng.Uint32()) & -uint16(rng.IntN(4)/2)
		}
		for i := range b.Depth {
			b.Depth[i] = rng.Float32()
		}
		density := (*Bytes)(randomBytes(rng, raster.Lanes))
		for range rng.IntN(100) {
			density[rng.IntN(len(density))] = 0
		}
		deltaZ := awkward(rng)
		if rng.IntN(8) == 0 { // the least negative number plus almost as much is 0 without a sign
			g.fn, deltaZ = pica.GasDepthLess, 1e-7
			for i := 0; i < len(color); i += 2 {
				color[i], color[i+1] = 0x80, 1
			}
		}
		type result struct {
			top     uint16
			written uint64
			color   []byte
		}
		vector, plain := both(t, func(with simd.Kernels) result {
			r := result{color: slices.Clone(color)}
			m := &machine{with: with, b: b, n: b.N()}
			m.v = &values{target: &raster.Target{Width: side, Height: side, Kernels: with, DepthFormat: format, Color: r.color, Depth: depth}}
			m.v.gas.deltaZ = deltaZ
			m.c[cStage0][blue] = *density
			g.run(m)
			r.top, r.written = m.gasMax, m.written
			return r
		})
		require.Equal(t, plain, vector, "%v", g.fn)
	}
}

// Two products are the rounded quotient, for bytes and all depths.
func TestDivisionByProductsIsRounded(t *testing.T) {
	for _, top := range []uint32{255, pica.DepthFormatD16.Max(), pica.DepthFormatD24.Max()} {
		scale, rest := quotient(float32(top))
		for x := range top + 1 {
			if f := float32(x); float32(f*scale)+float32(f*rest) != f/float32(top) {
				require.Equal(t, f/float32(top), float32(f*scale)+float32(f*rest), "%d of %d", x, top)
			}
		}
	}
}

func TestCubeKernels(t *testing.T) {
	rng := rand.New(rand.NewPCG(67, 68))
	for range 300 {
		n, x, y, z := lanesInUse(rng), awkwardPlane(rng), awkwardPlane(rng), awkwardPlane(rng)
		for range 20 { // equal components
			i := rng.IntN(len(x))
			x[i], y[i], z[i] = 1, []float32{1, -1, 0.5}[rng.IntN(3)], []float32{1, -1, 0.5}[rng.IntN(3)]
		}
		if rng.IntN(2) == 0 { // one face only
			for i := range x {
				x[i], y[i], z[i] = rng.Float32()-0.5, rng.Float32()-0.5, -1
			}
		}
		src, key := (*Bytes)(randomBytes(rng, raster.Lanes)), (*Bytes)(randomBytes(rng, raster.Lanes))
		for i := range key {
			key[i] %= cubeFaces
		}
		type result struct {
			face, chosen Bytes
			seen         uint8
			uv           [2 * cubeFaces][]uint32
		}
		vector, plain := both(t, func(with simd.Kernels) (r result) {
			r.seen = cubeFace(with, &r.face, x, y, z, n)
			choose(with, &r.chosen, src, key, 3, n)
			for f := range cubeFaces {
				var u, v raster.Plane
				cubeCoordinates(with, &u, &v, f, x, y, z, n)
				r.uv[2*f], r.uv[2*f+1] = sameNaN(u[:]), sameNaN(v[:])
			}
			return r
		})
		require.Equal(t, plain, vector)
	}
}

func TestShadowBlockKernel(t *testing.T) {
	rng := rand.New(rand.NewPCG(69, 70))
	for range 4000 {
		color := randomBytes(rng, 8*8*4)
		b := &raster.Batch{Blocks: 1}
		b.Mask[0] = uint16(rng.Uint32())
		for i := range raster.BlockPixels {
			b.Depth[i] = []float32{0, 1, rng.Float32(), float32(uint32(color[4*i])<<16|uint32(color[4*i+1])<<8|uint32(color[4*i+2])) / shadowDepthOne}[rng.IntN(4)]
		}
		s, edge := &shadowOutput{intensity: planeRef{cStage0, green}, write: true}, penumbra{awkward(rng), awkward(rng)}
		intensity := randomBytes(rng, raster.Lanes)
		for i := range intensity {
			intensity[i] *= uint8(rng.IntN(2))
		}
		type result struct {
			color   []byte
			written uint64
		}
		vector, plain := both(t, func(with simd.Kernels) result {
			m := &machine{n: 16, b: b, with: with}
			copy(m.c[cStage0][green][:], intensity)
			r := result{color: slices.Clone(color)}
			m.v = &values{target: &raster.Target{Width: 8, Height: 8, Kernels: with, Color: r.color}, penumbra: edge}
			s.run(m)
			r.written = m.written
			return r
		})
		require.Equal(t, plain, vector)
	}
}
