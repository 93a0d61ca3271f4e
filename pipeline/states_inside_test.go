package pipeline

import (
	"context"
	"fmt"
	"hash/crc32"

	"pica200/fragment"
	"pica200/raster"
	"pica200/shaderunit"
)

// Access to GPU internals for package pipeline_test.

func init() { maxIdle = 16 }

// Interpret makes the interpreter run all shaders.
func (g *GPU) Interpret(on bool) { g.stage.Interpret(on) }

// Forget clears all caches of a GPU: decoded textures, compiled states and programs, targets.
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

// TakeOver copies the contents of a finished GPU to a new one, without caches, queues and the geometry stage.
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

// NotNew says what distinguishes a GPU that was reset from a new one with the same memory, or "".
func (g *GPU) NotNew(new *GPU) string {
	a, b := g.snapshot(nil), new.snapshot(nil)
	if !sameTables(a.tables, b.tables) || *a.vs != *b.vs || *a.gs != *b.gs {
		return "tables or programs"
	}
	a.tables, a.vs, a.gs, b.tables, b.vs, b.gs = nil, nil, nil, nil, nil, nil
	if x, y := fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b); x != y {
		return fmt.Sprintf("state %.5000s, want %.5000s", x, y)
	}
	left := "" // memory
	if err := g.EachPage(context.Background(), func(addr uint32, _ []byte) { left = fmt.Sprintf("page 0x%08X counts as written", addr) }); err != nil {
		return err.Error()
	}
	if s := g.TakeStats(); s != (Stats{}) || g.budget != (budget{}) {
		return fmt.Sprintf("counts %+v, work %+v", s, g.budget)
	}
	return left
}

// NeverEarly disables early depth tests and packed quads.
func (g *GPU) NeverEarly() { g.tests.neverEarly, g.tests.neverPack = true, true }

// ForgetPages lets every fill write and every transfer read, whatever memory is known to
// hold.
func (g *GPU) ForgetPages() {
	for i := range g.mem.regions {
		g.mem.regions[i].allocate()
		g.mem.regions[i].known = nil
	}
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MemorySums returns checksums of the memory that tests use: the first megabyte of video memory and of main memory.
func (g *GPU) MemorySums() (sums [2]uint32) {
	for i := range sums {
		r := &g.mem.regions[i]
		for p := range int(min(r.size, 1<<20) >> pageBits) {
			if r.data == nil || r.written[p] <= g.mem.reset { // it is 0, see TestWrittenPagesAreMarked
				sums[i] = afterZeroPage(sums[i])
			} else {
				sums[i] = crc32.Update(sums[i], castagnoli, r.page(p))
			}
		}
	}
	return sums
}

// zeroPages has, for each byte of a checksum, what it becomes behind a page of zeros; the checksum is their sum without carry.
var zeroPages = func() (t [4][256]uint32) {
	for i := range t {
		for b := range uint32(256) {
			t[i][b] = ^crc32.Update(^(b << (8 * i)), castagnoli, zeroPage[:])
		}
	}
	return t
}()

// afterZeroPage is crc32.Update for a page of zeros.
func afterZeroPage(sum uint32) uint32 {
	s, t := ^sum, &zeroPages
	return ^(t[0][s&0xFF] ^ t[1][s>>8&0xFF] ^ t[2][s>>16&0xFF] ^ t[3][s>>24])
}

// MemoryBytes returns memory that MemorySums covers.
func (g *GPU) MemoryBytes(i int) []byte {
	r := &g.mem.regions[i]
	r.allocate()
	return r.data[:min(r.size, 1<<20)]
}

// Shaders returns the two shader units, read-only.
func (g *GPU) Shaders() [2]*shaderunit.Setup { return [2]*shaderunit.Setup{&g.vs, &g.gs} }

// PixelOf reads a pixel of a render target with depth and stencil.
func PixelOf(t *raster.Target, x, y int) fragment.Pixel {
	return fragment.ReadPixel(t, int32(x), int32(y))
}
