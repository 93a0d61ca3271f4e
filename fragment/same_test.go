package fragment

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// shaderFunc is a Shader for tests that look at batches.
type shaderFunc func(b *raster.Batch, worker int)

func (shaderFunc) Prefetch() {}

func (f shaderFunc) Shade(b *raster.Batch, worker int) { f(b, worker) }

// trianglesOf draws small and large overlapping triangles whose vertices have the given components.
func trianglesOf(rng *rand.Rand, k simd.Kernels, pack bool, values [][3]map[pica.Semantic]float32, f shaderFunc) {
	const side = 64
	q := raster.Queue{Kernels: k}
	for i, corners := range values {
		size := int32(3+rng.IntN(20)) << 4
		x, y := rng.Int32N(30<<4), rng.Int32N(30<<4)
		for k, at := range [3][2]int32{{0, 0}, {size, 0}, {0, size}} {
			v := pica.ScreenVertex{X: x + at[0], Y: y + at[1], InvW: 0.5 + rng.Float32(), Z: -0.5}
			for s, x := range corners[k] {
				v.Vertex[s] = x
			}
			q.Add(&v)
		}
		n := uint32(3 * i)
		q.Triangles = append(q.Triangles, raster.Triangle{n, n + 1, n + 2})
	}
	q.Commit(&raster.Draw{
		Layout: pica.WholeVertex, Target: &raster.Target{Width: side, Height: side, Kernels: k}, Shader: f, Pack: pack,
		Bounds: raster.Rect{X1: side - 1, Y1: side - 1}, DepthScale: -1,
	})
	q.Flush(1, inTurn)
}

// A batch with equal coordinates in all lanes computes the procedural texture for one block, with the result of each pixel alone. Other
// batches do not.
func TestProcTexWithUniformCoordinates(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 92))
	alone := 0
	for round := range 300 {
		s, tables := randomProcTex(rng), randomProcTables(rng)
		s.mipmap, s.mipLinear = false, false
		u, v := s.coordinates()
		place := func() float32 {
			return []float32{0, float32(math.Copysign(0, -1)), 0.3, -1.7, float32(math.Inf(1)), rng.Float32()}[rng.IntN(6)]
		}
		x, y := place(), place()
		values := make([][3]map[pica.Semantic]float32, 1+rng.IntN(5))
		for i := range values {
			for k := range values[i] {
				values[i][k] = map[pica.Semantic]float32{semanticOf[u]: x, semanticOf[v]: y}
			}
		}
		if odd := rng.IntN(3); odd < 2 { // one coordinate of one vertex, of the last triangle or any
			last := values[len(values)-1-odd*rng.IntN(len(values))]
			last[rng.IntN(3)][semanticOf[[]int{u, v}[rng.IntN(2)]]] = 0.25 + rng.Float32()
		}
		k := []simd.Kernels{simd.Best, simd.Plain}[round%2]
		ops, vals := procTexOps(s, tables, true, true)
		m := &machine{with: k, v: vals}
		trianglesOf(rng, k, rng.IntN(2) == 0, values, func(b *raster.Batch, _ int) {
			want := &machine{with: k, n: b.N()}
			b.Interpolate(semanticOf[u], &want.f[u])
			b.Interpolate(semanticOf[v], &want.f[v])
			want.run(ops, vals)

			m.b, m.n = b, b.N()
			m.proceduralTexture(ops, u, v)
			require.Equal(t, want.n, m.n)
			for i := range m.n {
				if b.Mask[i/raster.BlockPixels]>>(i%raster.BlockPixels)&1 == 0 {
					continue
				}
				for ch := range 4 {
					require.Equal(t, want.c[cTex3][ch][i], m.c[cTex3][ch][i], "round %d lane %d channel %d", round, i, ch)
				}
			}
			if m.proc.same {
				alone++
			}
		})
	}
	require.Greater(t, alone, 100)
}

// Vertex colours of successive batches, with the same colour or another one.
func TestVertexColorsOfSuccessiveBatches(t *testing.T) {
	rng := rand.New(rand.NewPCG(93, 94))
	for round := range 40 {
		k := []simd.Kernels{simd.Best, simd.Plain}[round%2]
		m := &machine{with: k}
		for range 12 {
			values := make([][3]map[pica.Semantic]float32, 1+rng.IntN(4))
			one := []float32{0, 1, 0.2, 0.7, float32(math.Copysign(0, -1)), float32(math.NaN()), float32(math.Inf(1 - 2*rng.IntN(2)))}[rng.IntN(7)]
			kind := rng.IntN(4)
			for i := range values {
				if kind == 1 { // each triangle has its own
					one = rng.Float32()
				}
				for c := range values[i] {
					x := one
					if kind == 2 || kind == 3 && i == len(values)-1 {
						x = rng.Float32()
					}
					values[i][c] = map[pica.Semantic]float32{pica.SemColorR: x, pica.SemColorG: one, pica.SemColorB: x / 2, pica.SemColorA: 1 - x}
				}
			}
			trianglesOf(rng, k, rng.IntN(3) == 0, values, func(b *raster.Batch, _ int) {
				m.b, m.n = b, b.N()
				vertexColor(m)
				for ch := range 4 {
					var p raster.Plane
					b.Interpolate(pica.SemColorR+pica.Semantic(ch), &p)
					for i := range m.n {
						if b.Mask[i/raster.BlockPixels]>>(i%raster.BlockPixels)&1 != 0 {
							require.Equal(t, nearestByte(p[i]), m.c[cPrimary][ch][i])
						}
					}
				}
			})
		}
	}
}

// A mix share or factor of 0 or 255, from a constant, a procedural texture or uniform vertex colours, gives the general kernel's
// result; other shares do too.
func TestMixByZeroOrOne(t *testing.T) {
	rng := rand.New(rand.NewPCG(95, 96))
	for range 600 {
		factor := []planeRef{{cConst0 + 5, alpha}, {cTex3, alpha}, {cTex1, alpha}, {cPrimary, alpha}}[rng.IntN(4)]
		arg := func(r planeRef) operand { return operand{r, []uint8{0, 255}[rng.IntN(2)]} }
		k := &combineCall{
			dst: planeRef{cStage0, red}, shift: uint8(rng.IntN(3)),
			arg: [3]operand{arg(planeRef{cTex0, red}), arg(planeRef{cPrimary, green}), arg(factor)},
		}
		m := &machine{n: lanesInUse(rng)}
		for i := range raster.Lanes {
			m.c[cTex0][red][i], m.c[cPrimary][green][i] = uint8(rng.IntN(256)), uint8(rng.IntN(256))
		}
		share := []uint8{0, 255, 1, 254, 128}[rng.IntN(5)]
		m.c[factor.reg][alpha] = sameBytes[share]
		if m.proc.same = rng.IntN(2) == 0; !m.proc.same && factor.reg != cConst0+5 {
			m.c[factor.reg][alpha][1+rng.IntN(raster.BlockPixels-1)] ^= 0x55
		}
		switch {
		case factor.reg == cTex1:
			m.proc.same = true // of another texture
		case factor.reg == cPrimary && m.proc.same:
			m.primary[alpha], m.proc.same = 256+uint16(share), false
		case factor.reg == cPrimary:
			m.primary = [4]uint16{256, 256, 256, 0} // of the other channels
			m.c[cPrimary][green] = sameBytes[0]
		}
		function, kernel := pica.CombineInterpolate, combineInterpolate
		if rng.IntN(2) == 0 {
			function, kernel = pica.CombineModulate, combineModulate
			at := rng.IntN(2)
			k.arg[at], k.arg[2] = k.arg[2], k.arg[at]
		}
		vector, plain := both(t, func(with simd.Kernels) Bytes {
			m.with = with
			kernel(m, k)
			return *m.plane(planeRef{cStage0, red})
		})
		for i := range m.n {
			at := func(o operand) int { return int(m.plane(o.ref)[i] ^ o.xor) }
			want := refCombine(function, at(k.arg[0]), at(k.arg[1]), at(k.arg[2]))
			want = min(want<<k.shift, 255)
			require.Equal(t, want, int(vector[i]), "%+v, share %d", k, share)
			require.Equal(t, want, int(plain[i]))
		}
	}
}

var spriteCount = flag.Int("sprites", 2000, "sprites that TestSprites draws")

// spriteSheets are textures whose texels hold their own position: red is the column, green the row from t = 0.
var spriteSheets = []struct{ w, h, addr int }{
	{8, 8, 0}, {16, 64, 0x1000}, {64, 64, 0x2000}, {128, 32, 0x8000}, {24, 40, 0xD000}, {256, 256, 0x10000}, {1024, 8, 0x60000},
}

func sheetMemory() sceneMemory {
	m := make(sceneMemory, 1<<20)
	for _, s := range spriteSheets {
		for y := range s.h {
			for x := range s.w {
				copy(m[s.addr+4*int(pica.Tiled8.Index(uint32(s.w), uint32(x), uint32(s.h-1-y))):], []byte{255, uint8(x >> 8), uint8(y), uint8(x)})
			}
		}
	}
	return m
}

// TestSprites draws texture rectangles as 2D libraries do: adjacent cells, at whole and half positions, at scales 1, 2 and 1/2,
// mirrored and rotated by 90 degrees. Each pixel must have the texel it would have if each texel were a rectangle of its own.
func TestSprites(t *testing.T) {
	const side = 80
	rng := rand.New(rand.NewPCG(51, 52))
	s := newFieldScene(flatTextures)
	r := &s.regs
	r[pica.RegTexunit0BorderColor] = 0xFF00FF00
	target := raster.Target{Width: side, Height: side, ColorFormat: pica.ColorFormatRGBA8, Color: make([]byte, side*side*4)}
	memory := sheetMemory()
	var engines [2]*Engine
	for i := range engines {
		engines[i] = NewEngine(1)
	}
	engines[0].Kernels, engines[1].Kernels = simd.Best, simd.Plain

	pixels, wrong, bad, first := 0, 0, 0, ""
	for n := range *spriteCount {
		sheet := spriteSheets[rng.IntN(len(spriteSheets))]
		cell, size := [2]int{}, [2]int{1 + rng.IntN(min(sheet.w, 24)), 1 + rng.IntN(min(sheet.h, 24))}
		cell[0], cell[1] = rng.IntN(sheet.w-size[0]+1), rng.IntN(sheet.h-size[1]+1)
		turned, mirrored := rng.IntN(2), [2]bool{rng.IntN(2) == 0, rng.IntN(2) == 0}
		texel := []int{8, 16, 32}[rng.IntN(3)] // subpixels per texel
		var at, to [2]int                      // in subpixels of the window, along x and y
		for k := range at {
			at[k] = rng.IntN(2*24)*8 - 64
			to[k] = at[k] + size[k^turned]*texel
		}
		linear := texel == 16 && at[0]%16 == 0 && at[1]%16 == 0 && rng.IntN(2) == 0

		pica.TexunitWidth.Set(r, uint32(sheet.w))
		pica.TexunitHeight.Set(r, uint32(sheet.h))
		pica.TexunitAddr.Set(r, uint32(sceneMemoff+sheet.addr)>>3)
		pica.TexunitMagFilter.SetBool(r, linear)
		pica.TexunitMinFilter.SetBool(r, linear)
		wraps := []pica.Wrap{pica.WrapClampToBorder, pica.WrapClampToEdge, pica.WrapRepeat, pica.WrapMirror}
		pica.TexunitWrapS.Set(r, uint32(wraps[rng.IntN(4)]))
		pica.TexunitWrapT.Set(r, uint32(wraps[rng.IntN(4)]))
		flip := rng.IntN(3) == 0
		pica.FramebufferNoFlip.SetBool(r, !flip)
		clear(target.Color)
		e := engines[n%2]
		target.Kernels = e.Kernels
		p := testkit.Must(e.Draw(&State{Regs: r, Tables: &s.tables, Memory: memory, Target: &target}))(t)
		q := raster.Queue{Kernels: e.Kernels}
		w := []float32{1, 0.37}[rng.IntN(2)]
		for k := range 4 {
			corner := [2]int{k & 1, k >> 1}
			v := pica.ScreenVertex{InvW: w, Z: -0.5}
			v.X, v.Y = int32([2]int{at[0], to[0]}[corner[0]]), int32([2]int{at[1], to[1]}[corner[1]])
			for axis := range 2 {
				c := cell[axis]
				if end := corner[axis^turned] == 1; end != mirrored[axis] {
					c += size[axis]
				}
				v.Vertex[pica.SemTexCoord0U+pica.Semantic(axis)] = float32(c) / float32([2]int{sheet.w, sheet.h}[axis])
			}
			q.Add(&v)
		}
		if rng.IntN(2) == 0 {
			q.Triangles = append(q.Triangles, raster.Triangle{0, 1, 3}, raster.Triangle{3, 2, 0})
		} else {
			q.Triangles = append(q.Triangles, raster.Triangle{1, 3, 2}, raster.Triangle{0, 1, 2})
		}
		q.Commit(&raster.Draw{
			Layout: pica.WholeVertex, Target: &target, Shader: p, Bounds: raster.Rect{X1: side - 1, Y1: side - 1}, DepthScale: -1,
			Flip: flip, Pack: rng.IntN(2) == 0,
		})
		q.Flush(1, inTurn)

		before := wrong
		for y := range side {
			row := side - 1 - y
			if flip {
				row = y
			}
			for x := range side {
				var want [4]byte
				if px, py := x*16+8, row*16+8; px >= at[0] && px < to[0] && py >= at[1] && py < to[1] {
					place := [2]int{(px - at[0]) / texel, (py - at[1]) / texel}
					if turned == 1 {
						place[0], place[1] = place[1], place[0]
					}
					for axis := range place {
						if mirrored[axis] {
							place[axis] = size[axis] - 1 - place[axis]
						}
						place[axis] += cell[axis]
					}
					want = [4]byte{255, uint8(place[0] >> 8), uint8(place[1]), uint8(place[0])}
					pixels++
				}
				got := [4]byte(target.Color[4*target.PixelIndex(int32(x)&^3, int32(y)&^3):][4*pica.Morton(uint32(x)&3, uint32(y)&3):])
				if got != want {
					wrong++
					if first == "" {
						first = fmt.Sprintf("sprite %d, %d,%d: %v, want %v; %+v cell %v size %v at %v, %d subpixels a texel, turned %d, mirrored %v, linear %v, flip %v",
							n, x, y, got, want, sheet, cell, size, at, texel, turned, mirrored, linear, flip)
					}
				}
			}
		}
		if wrong > before {
			bad++
		}
	}
	require.Greater(t, pixels, 100**spriteCount)
	t.Logf("%d of %d pixels wrong, in %d of %d sprites", wrong, pixels, bad, *spriteCount)
	require.Zero(t, wrong, first)
}

// The texels in a record are those that fetch reads, also on boundaries.
func TestRecordedTexelsAreThoseFetched(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	for range 200 {
		s := randomSampler(rng, 1)
		s.flip = rng.IntN(2) == 0
		var u, v raster.Plane
		for i := range u {
			u[i], v[i] = float32(rng.IntN(40)-10)/2/s.level[0].width, float32(rng.IntN(40)-10)/2/s.level[0].height
		}
		for _, linear := range []bool{false, true} {
			var out packed
			s.fetch(simd.Plain, linear, 0, raster.Lanes, &u, &v, &firstLevel, &out)
			for i, c := range out {
				r := sampling{bound: s, r: &TextureRecord{}}
				r.sample(0, 256, linear, &u, &v, i)
				require.Equal(t, unpackColor(c), r.r.Samples[0].Color)
			}
		}
	}
}
