package fragment

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/tests/testkit"
)

// The program cache fills to its limit exactly. Beyond it, programs are dropped until half is free.
func TestProgramCacheFillsToTheLimit(t *testing.T) {
	var c programCache
	key := func(i int) *programKey {
		k := new(programKey)
		k.regs[1] = uint32(i)
		return k
	}
	record := int(2*unsafe.Sizeof(programKey{}) + unsafe.Sizeof(program{}))
	put := func(i, size int) {
		p := &program{ops: make([]op, i%3)}
		p.bytes = size - record - i%3*200
		c.put(key(i), p)
		require.Equal(t, size, p.bytes, "a program's size includes its record and ops")
		require.Same(t, p, c.last)
	}
	left := func() (list []int) {
		for i := range 20 {
			if c.entries[*key(i)] != nil {
				list = append(list, i)
			}
		}
		return list
	}
	const mib = 1 << 20
	put(0, 8*mib)
	put(1, 32*mib)
	put(2, 24*mib)
	require.Equal(t, []int{0, 1, 2}, left(), "programs of exactly 64 MiB fit")
	put(3, 8*mib)
	require.Equal(t, []int{2, 3}, left())
	put(4, 24*mib)
	put(5, 8*mib+1)
	require.Equal(t, []int{3, 4, 5}, left(), "the oldest programs are dropped until half is free")
	require.Equal(t, 40*mib+1, c.bytes)
	for range 1<<12 - 3 {
		require.NotNil(t, c.get(key(5)))
	}
	require.NotNil(t, c.get(key(4)), "entry added 4095 draws ago: its use is not recorded")
	require.NotNil(t, c.get(key(3)), "entry added 4097 draws ago: its use is recorded")
	put(6, 32*mib)
	require.Equal(t, []int{3, 5, 6}, left(), "the most recently used entry stays")
	require.Equal(t, 48*mib+1, c.bytes)
	for _, p := range c.order[:cap(c.order)] {
		require.Nil(t, p, "dropped programs are not referenced")
	}
	clear(c.entries) // without telling the cache
	require.NotNil(t, c.get(key(6)), "the most recent program is found without the map")
	require.Nil(t, c.get(key(3)))
}

// Release frees all draws for reuse except the one to keep.
func TestReleaseFreesAllDrawsButOne(t *testing.T) {
	e := NewEngine(1)
	var list []*Draw
	for range 4 {
		d := e.draws.next()
		d.program, d.Textures, d.Warnings = &program{}, append(d.Textures, Range{1, 2}), []string{"warning"}
		d.values.texels[1] = &texels{}
		list = append(list, d)
	}
	kept := list[2]
	kept.serial = 7
	e.Release(kept)
	require.Equal(t, uint64(6), uint64(e.serials.released))
	require.Same(t, kept, e.draws.last())
	require.NotNil(t, kept.program)
	require.Len(t, kept.Textures, 1)
	require.NotNil(t, kept.values.texels[1])
	for _, i := range []int{0, 1, 3} {
		d := list[i]
		require.Nil(t, d.program, i)
		require.Empty(t, d.Textures, i)
		require.Nil(t, d.Warnings, i)
		require.Nil(t, d.values.texels[1], i)
	}
	for range 3 {
		require.Contains(t, list, e.draws.next())
	}
	require.NotContains(t, list, e.draws.next())
	e.Release(nil)
	require.Nil(t, e.draws.last())
}

// Watch with a probe drops all compiled programs.
func TestWatchDropsPrograms(t *testing.T) {
	e := NewEngine(1)
	e.programs.put(new(programKey), &program{})
	e.draws.same = true
	e.Watch(&Probe{})
	require.Nil(t, e.programs.get(new(programKey)))
	require.False(t, e.draws.same)
}

// The error of a cube face names the face.
func TestCubeFaceErrorNamesFace(t *testing.T) {
	problem := errors.New("no")
	for kind, named := range map[pica.TextureType]bool{pica.TextureCube: true, pica.TextureShadowCube: true, pica.Texture2D: false, pica.TextureShadow2D: false} {
		got := (&textureSlot{unit: 0, face: 3}).inFace(problem, kind)
		require.Equal(t, named, got.Error() != "no", "%v: %v", kind, got)
		require.Equal(t, problem, (&textureSlot{unit: 1, face: 0}).inFace(problem, kind))
	}
}

// A checksum protects the noise unit's numbers, which follow from no formula.
func TestNoiseTableChecksum(t *testing.T) {
	h := fnv.New64a()
	h.Write(noiseRand1[:])
	require.NoError(t, binary.Write(h, binary.LittleEndian, noiseRand2[:]))
	require.Equal(t, "4c54da1f10b9381", fmt.Sprintf("%x", h.Sum64()))
}

// textureMemory is memory of zeros with given generations.
type textureMemory map[uint32]uint64

func (m textureMemory) Slice(_, n uint32) ([]byte, error)       { return make([]byte, n), nil }
func (m textureMemory) Generation(addr uint32, _ uint32) uint64 { return m[addr] }

// Decoded levels do not depend on the number of workers or the kernels.
func TestDecodingIsTheSameForAnyWorkers(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	parts := 0
	spread := func(n int, f func(i, worker int)) {
		parts += n
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { f(i, 0) })
		}
		all.Wait()
	}
	for _, size := range [][3]int{
		{1024, 1024, 64}, {256, 256, 4}, {512, 104, 4}, {256, 128, 2}, {40, 1024, 3}, // width, height, parts
		{256, 120, 0}, {16, 1024, 0}, {1024, 8, 0}, {2, 4, 0}, {1, 1, 0}, {4, 256, 0}, // less than two parts
	} {
		for _, f := range []pica.TextureFormat{pica.TextureFormatRGB8, pica.TextureFormatETC1A4, pica.TextureFormatI4} {
			w, h := size[0], size[1]
			parts = 0
			src := randomBytes(rng, levelBytes(f, w, h))
			var all [][]uint32
			for _, d := range []decoder{{with: simd.Plain}, {with: simd.Best}, {simd.Best, spread}} {
				dst := make([]uint32, w*h)
				require.NoError(t, d.level(dst, src, f, w, h))
				all = append(all, dst)
			}
			require.Equal(t, all[0], all[1], "%v", size)
			require.Equal(t, all[0], all[2], "%v", size)
			require.Equal(t, size[2], parts)
		}
	}
	d := decoder{simd.Best, spread}
	require.ErrorContains(t, d.level(make([]uint32, 256*256), make([]byte, 100), pica.TextureFormatRGBA8, 256, 256), "100 bytes of texels")
	require.ErrorContains(t, d.level(make([]uint32, 4*2), make([]byte, 100), pica.TextureFormatRGBA8, 4, 2), "100 bytes of texels")

	// A part is its rows alone, from the last row of the picture on.
	d.spread = func(_ int, f func(i, worker int)) { f(1, 0) }
	dst := make([]uint32, 256*256)
	require.NoError(t, d.level(dst, randomBytes(rng, 256*256*4), pica.TextureFormatRGBA8, 256, 256))
	for i, texel := range dst {
		if in := i/256 >= 128 && i/256 < 192; !in && texel != 0 {
			t.Fatalf("row %d outside the part is written", i/256)
		}
	}
	require.NotZero(t, dst[128*256+3])
	require.NotZero(t, dst[191*256+3])
	// Levels of whole tiles are decoded in place.
	src := make([]byte, 16*8)
	require.Zero(t, testing.AllocsPerRun(20, func() {
		_ = d.level(dst, src, pica.TextureFormatA8, 16, 8)
	}))
}

// The texture cache fills to its limit exactly. Beyond it, textures are dropped until half is free.
func TestTextureCacheFillsToTheLimit(t *testing.T) {
	var c textureCache
	m := textureMemory{}
	key := func(i int) textureKey { return textureKey{uint32(i) << 20, 16, 8, 2, pica.TextureFormatRGB565} }
	get := func(i int) *texels {
		got := testkit.Must(c.get(key(i), m, decoder{}))(t)
		return got
	}
	room := make([]uint32, 4<<20)
	// Puts four textures there, used last, with which the cache holds this many bytes.
	put := func(i, total int) {
		each := (total - c.bytes) / 4
		for k := range 4 {
			c.clock++
			c.entries[key(i+k)] = &texels{key: key(i + k), used: c.clock, data: room[:(each-160)/4]}
			c.bytes += c.entries[key(i+k)].size()
		}
		require.Equal(t, total, c.bytes)
	}
	left := func() (list []int) {
		for i := range 60 {
			if c.entries[key(i)] != nil {
				list = append(list, i)
			}
		}
		return list
	}
	const mib, size = 1 << 20, 4*(16*8+8*4) + 160
	first := get(0)
	require.Equal(t, 16*8*2+8*8*2, int(first.bytes), "each level occupies whole tiles")
	require.Len(t, first.data, 16*8+8*4)
	require.Equal(t, size, c.bytes)
	put(10, 64*mib+size)
	put(20, 128*mib-size)
	require.Equal(t, size, get(3).size())
	require.Equal(t, []int{0, 3, 10, 11, 12, 13, 20, 21, 22, 23}, left(), "textures of exactly 128 MiB fit")
	require.Zero(t, c.retired)
	c.clock += 1 << 12
	get(0)
	get(4)
	require.Equal(t, []int{0, 3, 4, 20, 21, 22, 23}, left(), "the four oldest textures are dropped until half is free")
	require.Equal(t, 64*mib, c.retired)
	require.Equal(t, 64*mib+size, c.bytes)
	put(50, 128*mib)
	get(6)
	require.Equal(t, []int{4, 6, 50, 51, 52, 53}, left())
	require.Equal(t, 128*mib, c.retired)
	require.Equal(t, 64*mib+size, c.bytes)
	require.Equal(t, uint64(4), c.decoded)
	for _, x := range c.order[:cap(c.order)] {
		require.Nil(t, x, "dropped textures are not referenced")
	}
}

// brokenMemory is memory that cannot be read.
type brokenMemory struct{ textureMemory }

func (brokenMemory) Slice(_, _ uint32) ([]byte, error) { return nil, errors.New("it is broken") }

// A texture whose memory was written is decoded into the same buffer. If its memory cannot be read, the error says which texture it is.
func TestWrittenTextureIsDecodedAgain(t *testing.T) {
	var c textureCache
	k := textureKey{8 << 20, 8, 16, 1, pica.TextureFormatI8}
	_, err := c.get(k, brokenMemory{}, decoder{})
	require.EqualError(t, err, "texture of 8x16 i8 with 1 levels: it is broken")
	require.Empty(t, c.entries)
	first := testkit.Must(c.get(k, textureMemory{}, decoder{}))(t)
	bytes := c.bytes
	first.data[3] = 7
	_, err = c.get(k, brokenMemory{textureMemory{8 << 20: 5}}, decoder{})
	require.Error(t, err)
	again := testkit.Must(c.get(k, textureMemory{8 << 20: 5}, decoder{}))(t)
	require.Same(t, first, again)
	require.NotEqual(t, uint32(7), first.data[3])
	require.Equal(t, bytes, c.bytes)
	require.Equal(t, uint64(2), c.decoded)
}

// Cells are the values of a texel and its three neighbours. They change with the texture, and count in the cache's bytes.
func TestCellsFollowTheirTexture(t *testing.T) {
	defer sampleWay{loads: slowGathers, wide: wide}.choose()
	rng := rand.New(rand.NewPCG(53, 54))
	for _, way := range sampleWays() {
		way.choose()
		for _, size := range [][2]uint16{{1, 1}, {1, 4}, {2, 4}, {4, 2}, {8, 8}, {16, 8}, {24, 8}, {32, 16}, {40, 24}, {128, 8}} {
			for _, f := range []pica.TextureFormat{pica.TextureFormatI8, pica.TextureFormatI4, pica.TextureFormatA8, pica.TextureFormatA4} {
				var c textureCache
				k := textureKey{8 << 20, size[0], size[1], 1, f}
				random := func() []byte { return randomBytes(rng, levelBytes(f, int(size[0]), int(size[1]))) }
				memory := bytesAt{8 << 20: random()}
				got := testkit.Must(c.get(k, memory, decoder{}))(t)
				without := c.bytes
				c.withCells(got)
				c.withCells(got)
				require.Equal(t, without+4*len(got.data), c.bytes)
				require.Equal(t, got.size(), c.bytes)
				check := func() {
					value := func(x, y int) uint32 {
						w := got.data[min(y, int(size[1])-1)*int(size[0])+min(x, int(size[0])-1)]
						if f == pica.TextureFormatA8 || f == pica.TextureFormatA4 {
							return w >> 24
						}
						return w & 0xFF
					}
					for i, cell := range got.getCells() {
						x, y := i%int(size[0]), i/int(size[0])
						require.Equal(t, value(x, y)|value(x+1, y)<<8|value(x, y+1)<<16|value(x+1, y+1)<<24, cell, "%s: %v of %v at %d,%d", way.name, f, size, x, y)
					}
				}
				check()
				memory[8<<20] = random()
				memory[0] = nil // another generation
				require.Same(t, got, testkit.Must(c.get(k, memory, decoder{}))(t))
				check()
				c.drop(got)
				require.Zero(t, c.bytes)
			}
		}
	}
}

// bytesAt is memory with the given contents. Its generation is its number of pieces.
type bytesAt map[uint32][]byte

func (m bytesAt) Slice(addr, _ uint32) ([]byte, error) { return m[addr], nil }
func (m bytesAt) Generation(_, _ uint32) uint64        { return uint64(len(m)) }

// With cells the cache keeps its limit. A texture that it dropped gets cells too, but counts no more.
func TestCellsKeepTheTextureCacheLimit(t *testing.T) {
	var c textureCache
	get := func(i int) *texels {
		return testkit.Must(c.get(textureKey{uint32(i) << 20, 16, 8, 1, pica.TextureFormatI8}, textureMemory{}, decoder{}))(t)
	}
	old, last := get(1), get(2)
	c.entries[old.key].data = make([]uint32, 31<<20)
	c.bytes += 31<<22 - 4*16*8
	c.bytes += maxTextureBytes - c.bytes - 4*16*8 // of others
	c.withCells(last)
	require.Equal(t, maxTextureBytes, c.bytes)
	require.Len(t, c.entries, 2)
	c.withCells(get(3))
	require.NotContains(t, c.entries, old.key, "the oldest texture is dropped first")
	before := c.bytes
	old.data = old.data[:16*8]
	c.withCells(old)
	require.Len(t, old.getCells(), 16*8)
	require.Equal(t, before, c.bytes)
	whole := testkit.Must(c.get(textureKey{9 << 20, maxTextureSize, maxTextureSize, 1, pica.TextureFormatI8}, textureMemory{}, decoder{}))(t)
	c.withCells(whole)
	require.LessOrEqual(t, whole.size(), maxTexelBytes)
}

// Helpers may read a texture's cells while they are made (make race).
func TestCellsAreMadeWhileHelpersDraw(t *testing.T) {
	var c textureCache
	texture := testkit.Must(c.get(textureKey{8 << 20, 64, 64, 1, pica.TextureFormatA8}, bytesAt{8 << 20: bytes.Repeat([]byte{0x57}, 64*64)}, decoder{}))(t)
	var helper sync.WaitGroup
	helper.Go(func() {
		cells := texture.getCells()
		for len(cells) == 0 {
			cells = texture.getCells()
		}
		for i, cell := range cells {
			if cell != 0x57575757 {
				t.Errorf("cell %d is %#x", i, cell)
				return
			}
		}
	})
	c.withCells(texture)
	helper.Wait()
}
