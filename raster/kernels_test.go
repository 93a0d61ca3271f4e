package raster

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
)

// widths chooses at random whether AVX2 kernels use AVX-512, if there is.
var widths = rand.New(rand.NewPCG(1, 1))

// both returns the results of f with the AVX2 kernels (with AVX-512 or without) and with the plain ones.
func both(t *testing.T, f func(simd.Kernels) any) (vector, plain any) {
	if !simd.Best.Vector() {
		t.Skip("no AVX2 here: there is one form of the kernels only")
	}
	defer func(was bool) { wide = was }(wide)
	wide = wide && widths.IntN(2) == 0
	return f(simd.Best), f(simd.Plain)
}

// bitsOf returns the bits of a plane, with every NaN replaced by the same one.
func bitsOf(p []float32) (out []uint32) {
	for _, x := range p {
		if x != x {
			x = float32(math.NaN())
		}
		out = append(out, math.Float32bits(x))
	}
	return out
}

// random returns random bytes.
func random(rng *rand.Rand, n int) []byte {
	m := make([]byte, n)
	for i := range m {
		m[i] = byte(rng.Uint32())
	}
	return m
}

// Each AVX2 kernel gives the same bits as its plain form.
func TestKernelsAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	number := func() float64 { return (rng.Float64() - 0.5) * math.Exp2(float64(rng.IntN(30)-15)) }
	// Random layouts of a few components; the component under test is often among them.
	const someRows = 50
	group := []pica.Semantic{pica.SemViewY, pica.SemQuatX, pica.SemQuatY, pica.SemQuatZ} // often adjacent
	someVertices := func() vertices {
		v := vertices{layout: new(pica.VertexLayout), first: rng.IntN(9)}
		v.layout.Add(pica.SemColorR)
		for _, s := range group {
			if rng.IntN(8) != 0 {
				v.layout.Add(s)
			}
			if rng.IntN(16) == 0 {
				v.layout.Add(pica.SemColorB)
			}
		}
		for range v.first + someRows*v.layout.N {
			v.attributes = append(v.attributes, []float32{float32(number()), 1, 2, 3}[rng.IntN(4)]) // often repeats a value
		}
		return v
	}
	interpolated := func(t *testing.T, b *Batch) {
		for i := range b.W1 {
			b.W0[i], b.W1[i], b.W2[i] = float32(number()), float32(number()), float32(number())
		}
		vector, plain := both(t, func(k simd.Kernels) any {
			b.Kernels = k
			var p Plane
			b.Interpolate(pica.SemViewY, &p)
			return bitsOf(p[:])
		})
		require.Equal(t, plain, vector)
		n := 1 + rng.IntN(len(group))
		vector, plain = both(t, func(k simd.Kernels) any {
			b.Kernels = k
			p := make([]Plane, len(group)+1)
			if k.Vector() {
				b.InterpolateAll(group[:n], p)
			} else {
				for i := range n {
					b.Interpolate(group[i], &p[i])
				}
			}
			var bits [][]uint32
			for i := range p {
				bits = append(bits, bitsOf(p[i][:]))
			}
			return bits
		})
		require.Equal(t, plain, vector, "%d components", n)
		b.Kernels = simd.Plain
		var together, apart [4]Plane
		b.InterpolateAll(group[:n], together[:n])
		for i, s := range group[:n] {
			b.Interpolate(s, &apart[i])
			require.Equal(t, bitsOf(apart[i][:]), bitsOf(together[i][:]))
		}
	}
	t.Run("interpolate", func(t *testing.T) {
		for range 200 {
			b := &Batch{Blocks: 1 + rng.IntN(BatchBlocks), vertices: someVertices()}
			for i := range b.Blocks {
				for k := range b.Block[i].V {
					b.Block[i].V[k] = rng.Uint32N(someRows)
				}
			}
			interpolated(t, b)
		}
	})
	t.Run("interpolate quads", func(t *testing.T) {
		for range 200 {
			b := &Batch{Packed: true, used: 1 + rng.IntN(BatchQuads), Blocks: 1 + rng.IntN(BatchBlocks), vertices: someVertices()}
			for i := range b.used {
				for k := range b.faces[i] {
					b.faces[i][k] = rng.Uint32N(someRows)
				}
			}
			for i := range b.face {
				b.face[i] = uint8(rng.IntN(b.used))
			}
			interpolated(t, b)
		}
	})
	t.Run("cover", func(t *testing.T) {
		for range 2000 {
			var e [3][3]int32
			for i := range e {
				for k := range e[i] {
					e[i][k] = rng.Int32N(1<<uint(2+rng.IntN(16))) - 1<<uint(rng.IntN(16))
				}
			}
			vector, plain := both(t, func(k simd.Kernels) any {
				if simd.Vectors && k.Vector() {
					return uint16(coverVector(&e[0][0]))
				}
				return cover(&e)
			})
			require.Equal(t, plain, vector)
		}
	})
	t.Run("depth and colour buffers", func(t *testing.T) {
		// Buffers end with the block, so that a kernel that reads behind it fails.
		for range 500 {
			depthFormat := []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8}[rng.IntN(3)]
			colorFormat := pica.ColorFormat(rng.IntN(5))
			depthMemory, colorMemory := random(rng, 32*depthFormat.Bytes()), random(rng, 32*colorFormat.Bytes())
			probe := &Target{Kernels: simd.Plain, DepthFormat: depthFormat, Depth: depthMemory}
			var stored [BlockPixels]uint32
			probe.LoadDepth(16, &stored)
			var depth [BlockPixels]float32
			var c [4]Channel
			for i := range depth {
				depth[i] = []float32{0, 1, rng.Float32(), float32(stored[i]) / float32(depthFormat.Max())}[rng.IntN(4)]
				for ch := range c {
					c[ch][i] = byte(rng.Uint32())
				}
			}
			mask := uint16(rng.Uint32())
			type result struct {
				pass         [8]uint16
				tested       [8]uint16
				after        [8][]byte
				depth, color []byte
				loaded       [5]Channel
				words        [BlockPixels]uint32
			}
			vector, plain := both(t, func(k simd.Kernels) any {
				var r result
				target := &Target{Kernels: k, DepthFormat: depthFormat, ColorFormat: colorFormat}
				for f := range pica.CompareFunc(8) {
					target.Depth = slices.Clone(depthMemory)
					r.pass[f] = target.TestDepth(16, &depth, f)
					require.Equal(t, depthMemory, target.Depth)
					r.tested[f] = target.TestAndWriteDepth(16, mask, &depth, f)
					require.Equal(t, mask&r.pass[f], r.tested[f], "%v", f)
					r.after[f] = target.Depth
				}
				r.depth, r.color = slices.Clone(depthMemory), slices.Clone(colorMemory)
				target.Depth, target.Color = r.depth, r.color
				target.LoadDepth(16, &r.words)
				target.WriteDepth(16, mask, &depth)
				if depthFormat == pica.DepthFormatD24S8 {
					target.LoadStencil(16, &r.loaded[4])
					target.StoreStencil(16, mask, &c[0])
				}
				target.LoadColor(16, &r.loaded[0], &r.loaded[1], &r.loaded[2], &r.loaded[3])
				target.StoreColor(16, mask, &c[0], &c[1], &c[2], &c[3])
				return r
			})
			require.Equal(t, plain, vector, "%v %v", depthFormat, colorFormat)
		}
	})
}

// Kernels that work on many blocks of a target give the same bits as their plain forms.
func TestPlacesAreTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	for range 300 {
		target := Target{
			Width: 8 * (1 + rng.Int32N(8)), Height: 8 * (1 + rng.Int32N(8)), Block32: rng.IntN(4) == 0,
			DepthFormat: []pica.DepthFormat{pica.DepthFormatD16, pica.DepthFormatD24, pica.DepthFormatD24S8}[rng.IntN(3)],
			ColorFormat: pica.ColorFormat(rng.IntN(5)),
		}
		if target.Block32 {
			target.Width, target.Height = 64, 32
		}
		depthMemory := random(rng, target.Bytes(target.DepthFormat.Bytes()))
		colorMemory := random(rng, target.Bytes(target.ColorFormat.Bytes()))
		from := rng.IntN(BatchBlocks)
		to := from + 1 + rng.IntN(BatchBlocks-from)
		var masks [BatchBlocks]uint16
		b := Batch{Blocks: to + rng.IntN(BatchBlocks+1-to)}
		end := 0
		for i := range masks {
			if rng.IntN(4) != 0 {
				masks[i] = uint16(rng.Uint32() | rng.Uint32())
			}
			b.Block[i] = Block{X: rng.Int32(), Y: rng.Int32(), V: [3]uint32{rng.Uint32()}} // not of the batch
			if i < b.Blocks {
				b.Block[i].X, b.Block[i].Y = rng.Int32N(target.Width)&^3, rng.Int32N(target.Height)&^3
				end = max(end, target.PixelIndex(b.Block[i].X, b.Block[i].Y)+BlockPixels)
			}
		}
		var at BlockIndices
		for _, target.Kernels = range []simd.Kernels{simd.Plain, simd.Best} {
			at = BlockIndices{end: rng.Int()}
			at.Put(&target, &b)
			require.Equal(t, end, at.end)
			for i := range b.Block[:b.Blocks] {
				require.Equal(t, target.PixelIndex(b.Block[i].X, b.Block[i].Y), at.Index(i))
			}
		}
		var depth Plane
		var colors [4][Lanes]uint8
		for i := range depth {
			depth[i] = rng.Float32()
			for ch := range colors {
				colors[ch][i] = byte(rng.Uint32())
			}
		}
		f, write := pica.CompareFunc(rng.IntN(8)), rng.IntN(2) == 0
		type result struct {
			masks        [BatchBlocks]uint16
			loaded       [4][Lanes]uint8
			depth, color []byte
		}
		vector, plain := both(t, func(k simd.Kernels) any {
			r := result{masks: masks, depth: slices.Clone(depthMemory), color: slices.Clone(colorMemory)}
			target.Kernels, target.Depth, target.Color = k, r.depth, r.color
			target.TestDepths(&at, &r.masks, from, to, &depth, f, write)
			target.LoadColors(&at, &r.masks, from, to, &Planes{&r.loaded[0], &r.loaded[1], &r.loaded[2], &r.loaded[3]})
			target.StoreColors(&at, &r.masks, from, to, &Planes{&colors[0], &colors[1], &colors[2], &colors[3]})
			return r
		})
		require.Equal(t, plain, vector, "%+v", at)
		after := vector.(result).masks
		require.Equal(t, masks[:from], after[:from])
		require.Equal(t, masks[to:], after[to:])
	}
}

// The bit masks of compareRules agree with decide.
func TestCompareRulesAgreeWithDecide(t *testing.T) {
	var a, b [BlockPixels]uint32
	for i := range a {
		a[i], b[i] = uint32(i), 7
	}
	for f, want := range map[pica.CompareFunc]uint16{
		pica.CompareNever: 0, pica.CompareAlways: 0xFFFF, pica.CompareLess: 0x7F, pica.CompareLessEqual: 0xFF,
		pica.CompareEqual: 0x80, pica.CompareNotEqual: 0xFF7F, pica.CompareGreater: 0xFF00, pica.CompareGreaterEqual: 0xFF80,
	} {
		require.Equal(t, want, Compare(f, &a, &b), "%v", f)
	}
	for f, r := range compareRules {
		for _, m := range [][2]uint16{{0, 0}, {0xFFFF, 0}, {0, 0xFFFF}, {0x0F0F, 0x30F0}} {
			pass := uint16(r.less)&m[0] | uint16(r.equal)&m[1]
			require.Equal(t, decide(pica.CompareFunc(f), m[0], m[1]), pass^uint16(r.invert), "%v", pica.CompareFunc(f))
		}
	}
}

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
