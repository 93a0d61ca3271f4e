package fragment

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

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
