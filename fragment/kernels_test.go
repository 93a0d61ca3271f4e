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
	"pica200/tests/testkit"
)

// ways chooses at random how kernels read tables.
var ways = rand.New(rand.NewPCG(1, 1))

// both returns the results of f with the AVX2 kernels (reading tables in any way) and with the plain ones.
func both[T any](t *testing.T, f func(k simd.Kernels) T) (vector, plain T) {
	if !simd.Best.Vector() {
		t.Skip("this build has plain kernels only")
	}
	defer sampleWay{loads: slowGathers, wide: wide}.choose()
	all := sampleWays()
	all[ways.IntN(len(all))].choose()
	return f(simd.Best), f(simd.Plain)
}

// awkward returns floats of all magnitudes, including special values.
func awkward(rng *rand.Rand) float32 {
	switch rng.IntN(12) {
	case 0:
		return []float32{0, 1, -1, float32(math.NaN()), float32(math.Inf(1)), float32(math.Inf(-1)), 1e30, -1e30, 1e-40}[rng.IntN(9)]
	case 1:
		return math.Float32frombits(rng.Uint32())
	case 2:
		return float32(rng.IntN(512)) / 256
	}
	return rng.Float32()*4 - 1.5
}

// Each AVX2 kernel gives the same bits as its plain form.
func TestKernelsAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	source := &machine{}
	for reg := range source.c {
		for ch := range source.c[reg] {
			copy(source.c[reg][ch][:], randomBytes(rng, raster.Lanes))
		}
	}
	t.Run("combiners", func(t *testing.T) {
		for range 300 {
			var r pica.Regs
			randomStages(rng, &r)
			c := testkit.Must(compileStages(&r))(t)
			n := 16 * (1 + rng.IntN(16))
			vector, plain := both(t, func(with simd.Kernels) *machine {
				m := *source
				m.n, m.with = n, with
				for _, o := range c.ops {
					o.run(&m)
				}
				return &m
			})
			require.Equal(t, plain.c, vector.c)
		}
	})
	t.Run("blending", func(t *testing.T) {
		for range 300 {
			var r pica.Regs
			r[pica.RegBlendFunc] = rng.Uint32()
			pica.ColorOperationBlend.SetBool(&r, true)
			b := compileBlend(&r)
			if b == nil {
				continue
			}
			from := 16 * rng.IntN(8)
			to := from + 16*(1+rng.IntN(8))
			vector, plain := both(t, func(with simd.Kernels) *machine {
				m := *source
				m.with = with
				b.run(&m, [4]*Bytes{&m.c[0][0], &m.c[0][1], &m.c[0][2], &m.c[0][3]}, &m.c[1], &m.c[2], from, to)
				return &m
			})
			require.Equal(t, plain.c, vector.c)
		}
	})
	t.Run("blended blocks", func(t *testing.T) {
		if !simd.Vectors || !simd.Best.Vector() {
			t.Skip("this build has plain kernels only")
			return
		}
		for range 3000 {
			var alpha Bytes
			var before, write, apart, wantWrite, wantApart [raster.BatchBlocks]uint16
			var want uint16
			opaque, transparent := rng.IntN(4) != 0, rng.IntN(4) != 0
			for i := range before {
				before[i] = []uint16{0, 0xFFFF, uint16(rng.Uint32()), 1 << rng.IntN(16)}[rng.IntN(4)]
				all := []uint8{0, 255, 1, 254}[rng.IntN(4)]
				for j := range raster.BlockPixels {
					alpha[i*raster.BlockPixels+j] = all
				}
				if rng.IntN(2) == 0 {
					alpha[i*raster.BlockPixels+rng.IntN(raster.BlockPixels)] = uint8(rng.Uint32())
				}
				replaces, leaves := opaque, transparent
				for j, a := range block(&alpha, i) {
					if before[i]>>j&1 != 0 {
						replaces, leaves = replaces && a == 255, leaves && a == 0
					}
				}
				switch {
				case replaces || before[i] == 0:
					wantWrite[i] = before[i]
				case !leaves:
					wantApart[i] = before[i]
					want |= 1 << i
				}
			}
			write = before
			require.Equal(t, want, partVector(&alpha[0], &write[0], &apart[0], allIf(opaque), allIf(transparent)))
			require.Equal(t, wantWrite, write)
			require.Equal(t, wantApart, apart)
		}
	})
	t.Run("logic", func(t *testing.T) {
		for op := range logicOps {
			n := lanesInUse(rng)
			vector, plain := both(t, func(with simd.Kernels) Bytes {
				var d Bytes
				logicOps[op].kernel(with, d[:n], source.c[0][0][:n], source.c[0][1][:n])
				return d
			})
			require.Equal(t, plain, vector, "%v", pica.LogicOp(op))
		}
	})
	t.Run("stencil", func(t *testing.T) {
		for range 2000 {
			k := &stencilValues{uint8(rng.Uint32()), uint8(rng.Uint32()), uint8(rng.Uint32())}
			s := &stencilTest{fn: pica.CompareFunc(rng.IntN(8)), unread: rng.IntN(4) == 0}
			op := pica.StencilOp(rng.IntN(8))
			old := (*raster.Channel)(randomBytes(rng, raster.BlockPixels))
			for i := range old {
				old[i] = []uint8{0, 1, 254, 255, k.ref, old[i]}[rng.IntN(6)]
			}
			memory, mask := randomBytes(rng, 4*raster.BlockPixels), uint16(rng.Uint32())
			type result struct {
				pass   uint16
				memory []byte
			}
			vector, plain := both(t, func(with simd.Kernels) result {
				r := result{s.test(with, k, old), append([]byte(nil), memory...)}
				v := &values{stencil: *k, target: &raster.Target{Kernels: with, DepthFormat: pica.DepthFormatD24S8, Depth: r.memory}}
				s.update(with, v, 0, mask, op, old)
				return r
			})
			require.Equal(t, plain, vector, "%v %v", s.fn, op)
		}
	})
	t.Run("places", func(t *testing.T) {
		for range 500 {
			var src, dst raster.Plane
			for i := range src {
				src[i], dst[i] = rng.Float32(), rng.Float32()
			}
			bytes, old := (*Bytes)(randomBytes(rng, raster.Lanes)), (*Bytes)(randomBytes(rng, raster.Lanes))
			moves := make([]quadCopy, 1+rng.IntN(quads))
			for i := range moves {
				moves[i] = quadCopy{from: uint8(rng.IntN(quads)), to: uint8(rng.IntN(quads)), pixels: uint8(rng.IntN(16))}
			}
			type result struct {
				depths raster.Plane
				bytes  Bytes
			}
			vector, plain := both(t, func(with simd.Kernels) result {
				r := result{dst, *old}
				copyDepths(with, &r.depths, &src, moves)
				copyBytes(with, &r.bytes, bytes, moves)
				return r
			})
			require.Equal(t, plain, vector, "%v", moves)
		}
	})
	t.Run("conversion to bytes", func(t *testing.T) {
		var p raster.Plane
		for range 200 {
			for i := range p {
				p[i] = awkward(rng)
			}
			vector, plain := both(t, func(with simd.Kernels) *Bytes {
				var d Bytes
				toBytes(with, raster.Lanes, &p, &d)
				return &d
			})
			require.Equal(t, plain, vector)
		}
	})
	t.Run("sampling", func(t *testing.T) {
		for range 1500 {
			s := randomSampler(rng, 1+rng.IntN(4))
			s.magLinear, s.minLinear, s.mipLinear = rng.IntN(2) == 0, rng.IntN(2) == 0, rng.IntN(2) == 0
			s.needLevel = s.maxLevel > 0 || s.magLinear != s.minLinear
			s.bias = float32(rng.IntN(8))
			s.vectorize()
			s.lod = s.newLodParams()
			clamped := s.wrapS <= pica.WrapClampToBorder && s.wrapT <= pica.WrapClampToBorder
			require.Equal(t, s.powerOfTwo || clamped, s.vector != nil)
			s.flip = rng.IntN(2) == 0
			var u, v raster.Plane
			inside := rng.IntN(2) == 0
			turnU, turnV := float32(rng.IntN(5)-2), float32(rng.IntN(5)-2)
			for i := range u {
				u[i], v[i] = awkward(rng), awkward(rng)
				switch {
				case inside && rng.IntN(64) > 0: // where all texels have their neighbours beside them
					u[i], v[i] = turnU+0.3+0.4*rng.Float32(), turnV+0.3+0.4*rng.Float32()
				case inside && rng.IntN(2) == 0: // positions of 27 to 34 bits
					u[i] = float32(math.Ldexp(rng.Float64()-0.5, 19+rng.IntN(8)))
				case rng.IntN(4) == 0: // at the edges
					u[i], v[i] = float32(rng.IntN(4)-1), float32(rng.IntN(4)-1)
				}
			}
			n := 16 * (1 + rng.IntN(16))
			vector, plain := both(t, func(with simd.Kernels) *Color {
				m := &machine{n: n, with: with}
				s.sample(m, &u, &v, &m.c[0])
				return &m.c[0]
			})
			require.Equal(t, plain, vector)
		}
	})
	t.Run("levels of detail", func(t *testing.T) {
		for range 1500 {
			s := randomSampler(rng, 1+rng.IntN(4))
			s.mipLinear = rng.IntN(2) == 0
			s.bias = float32(rng.IntN(2048)-1024) / 256
			s.minLevel = rng.Int32N(s.maxLevel + 1)
			s.lod = s.newLodParams()
			var u, v raster.Plane
			for i := range u {
				u[i], v[i] = awkward(rng), awkward(rng)
			}
			n := 16 * (1 + rng.IntN(16))
			type result struct{ level, next, share, small [quads]uint8 }
			vector, plain := both(t, func(with simd.Kernels) *result {
				r := &result{}
				s.levels(with, n, &u, &v, &r.level, &r.next, &r.share, &r.small)
				// Values behind the last quad are undefined.
				for _, p := range []*[quads]uint8{&r.level, &r.next, &r.share, &r.small} {
					clear(p[n/4:])
				}
				return r
			})
			require.Equal(t, plain, vector)
		}
	})
	t.Run("alpha test", func(t *testing.T) {
		for f := range pica.CompareFunc(8) {
			for range 20 {
				var r pica.Regs
				pica.AlphaTestEnable.SetBool(&r, true)
				pica.AlphaTestFunc.Set(&r, uint32(f))
				pica.AlphaTestRef.Set(&r, rng.Uint32N(256))
				a := compileAlphaTest(&r, planeRef{cTex0, red})
				if a == nil {
					continue
				}
				vector, plain := both(t, func(with simd.Kernels) [raster.BatchBlocks]uint16 {
					m := *source
					m.n, m.b, m.with = raster.Lanes, &raster.Batch{Blocks: raster.BatchBlocks}, with
					m.v = targetValues(&r, new(raster.Target))
					for i := range m.b.Mask {
						m.b.Mask[i] = uint16(i * 0x1357)
					}
					a.run(&m)
					return m.b.Mask
				})
				require.Equal(t, plain, vector)
			}
		}
	})
}

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
