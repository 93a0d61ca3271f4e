package pipeline

import (
	"context"
	"hash/crc32"

	"pica200/fragment"
	"pica200/raster"
	"pica200/shaderunit"
)

// What tests in package pipeline_test need to see of a GPU.

func init() { maxIdle = 16 }

// Interpret lets the interpreter run all shaders.
func (g *GPU) Interpret(on bool) { g.stage.Interpret(on) }

// Forget makes the GPU forget everything that it keeps to be faster: decoded
// textures, compiled states and programs, targets.
func (g *GPU) Forget() {
	_ = g.flush(context.Background())
	g.counters.fragments -= g.engine.Written()
	g.counters.compiled, g.counters.decoded = 0, 0
	g.engine = fragment.NewEngine(g.Workers())
	g.engine.Kernels = g.kernels
	g.stage.Forget()
	g.targets.cache = nil
	g.targets.last = nil
}

// TakeOver makes a new GPU hold what another holds, which is finished. What
// caches, queues and geometry stage hold is not taken over.
func (g *GPU) TakeOver(from *GPU) {
	for i := range from.mem.regions {
		if r := &from.mem.regions[i]; r.data != nil {
			if err := g.mem.Write(r.base, r.data); err != nil {
				panic(err)
			}
		}
	}
	g.regs, g.fixed, g.ext, g.lcd = from.regs, from.fixed, from.ext, from.lcd
	g.tables = from.tables
	g.vs, g.gs = from.vs, from.gs
	g.upload = from.upload
}

// NeverEarly lets all fragments be shaded before their depth is tested, and in
// blocks, never in packed quads.
func (g *GPU) NeverEarly() { g.tests.neverEarly, g.tests.neverPack = true, true }

// KnowNothing lets every fill write and every transfer read, whatever memory is known to
// hold.
func (g *GPU) KnowNothing() {
	for i := range g.mem.regions {
		g.mem.regions[i].allocate()
		g.mem.regions[i].known = nil
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MemorySums returns a checksum of each stretch of memory that tests use: the
// first megabyte of video memory, then the main memory.
func (g *GPU) MemorySums() (sums [2]uint32) {
	for i := range sums {
		r := &g.mem.regions[i]
		n := min(r.size, 1<<20)
		if r.data == nil || !r.changed(0, int(n>>pageBits), g.mem.reset) { // TestWhatIsWrittenIsNoted: nothing but 0
			sums[i] = zeroSum(n)
			continue
		}
		sums[i] = crc32.Checksum(r.data[:n], castagnoli)
	}
	return sums
}

func zeroSum(n uint32) uint32 {
	if n == 1<<20 {
		return zeroMegabyte
	}
	return crc32.Checksum(make([]byte, n), castagnoli)
}

var zeroMegabyte = crc32.Checksum(make([]byte, 1<<20), castagnoli)

// MemoryBytes is a stretch of memory that MemorySums sums up.
func (g *GPU) MemoryBytes(i int) []byte {
	r := &g.mem.regions[i]
	r.allocate()
	return r.data[:min(r.size, 1<<20)]
}

// Shaders are the two shader units, not to be changed.
func (g *GPU) Shaders() [2]*shaderunit.Setup { return [2]*shaderunit.Setup{&g.vs, &g.gs} }

// PixelOf reads a pixel of a render target with its depth and stencil.
func PixelOf(t *raster.Target, x, y int) fragment.Pixel {
	return fragment.ReadPixel(t, int32(x), int32(y))
}
