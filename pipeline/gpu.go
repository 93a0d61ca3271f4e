package pipeline

import (
	"context"
	"runtime"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/internal/simd"
	"pica200/pica"
)

// Options say how a GPU is made.
type Options struct {
	// Workers is the number of goroutines that shade and draw, 0 for one per
	// CPU; more than MaxWorkers count as that many. It does not change what is
	// drawn.
	Workers int
	// PlainKernels draws without vector instructions, with the plain Go form of
	// every kernel, which is its definition: slower, with the same result.
	PlainKernels bool
	// FCRAM is the size of the main memory in bytes, 0 for the 128 MiB of a
	// 3DS. A New 3DS has twice as much.
	FCRAM uint32
	// Strict makes errors of warnings: the work ends where the console would go
	// on without a draw, a fetch or a copy.
	Strict bool
}

// MaxWorkers is the greatest number of goroutines that a GPU shades and draws
// with: a target has at most 64 bands of rows. Each worker that gets anything
// to do needs about half a megabyte.
const MaxWorkers = 64

// GPU is the PICA200 with the memory and the screens' registers around it. Make
// one with New; the zero value is of no use. Its methods must not be called at
// the same time.
//
// Methods that work take a context: they return its error when it is cancelled,
// and what was queued then may be drawn in part; Reset makes the GPU as new.
// Methods that read (Read, ReadRegister, Screen, LastTarget, ...) first draw
// what is queued for what they read, without a context; call Finish before them
// where that must be possible to cancel.
type GPU struct {
	Hooks // the caller sets them, between calls

	// Timing makes Stats.Time count.
	Timing bool

	// View shows, in draws from now on, something on the way to the final
	// colour instead of it.
	View fragment.View

	// What the console holds. A snapshot has all of it.

	mem        *memory         // physical memory; written through its methods, or by draws and noted with Touch
	programmed                 // internal registers, tables, shader units: written by commands alone
	displays                   // external registers and the screens': written by WriteRegister alone
	immediate  immediate       // vertices of immediate mode that wait for the end of their draw
	stage      *geometry.Stage // the geometry stage, with unfinished primitives and compiled shaders

	// What works on it. Only what is queued goes on between two calls.

	list     listReader       // the command list that runs; RunList's
	pool     pool             // goroutines that shade vertices and transfer; idle between calls
	engine   *fragment.Engine // compiled programs and decoded textures
	transfer *transferrer     // scratch of display transfers
	queues   queues           // draws that wait, or go on in the background
	targets  targets          // render targets by what registers say of them, and which were drawn to last
	scratch  scratch          // of the draw that runs

	// What it counts and reports.

	place      place      // where in a recording it is
	counters   counters   // of work, for TakeStats
	budget     budget     // what the frame or call has asked for so far
	warnings   warnings   // what was left out so far, for Warnings
	unmodelled unmodelled // what the last draw asked for that nothing here does
	watch      *watch     // the pixel that is explained, or nil; set by setWatch, which tells the engine

	// Set by New and never changed.

	strict  bool         // Options.Strict
	kernels simd.Kernels // Options.PlainKernels
	tests   struct {     // set by tests, before anything runs
		neverEarly bool // depth is not tested before shading
		neverPack  bool // no quads are packed
	}
}

// Hooks are functions that are called while a GPU works. Each may be nil.
type Hooks struct {
	// BeforeDraw and AfterDraw are called around every draw. With AfterDraw
	// set, nothing stays queued when it is called: the render target holds
	// the draw. It is not called for a draw that was left out with a warning.
	// They may read (LastTarget, Screen, Read, DrawVertices), but what would draw
	// is an error.
	BeforeDraw func(*DrawInfo) error
	AfterDraw  func(*DrawInfo) error

	// BeforeList, BeforeFill, BeforeTransfer, BeforeCopy and BeforeLoad are called
	// before command lists that the CPU starts, memory fills, display transfers,
	// texture copies and memory loads of n bytes. The draws before them may still
	// be queued.
	BeforeList     func(addr, n uint32)
	BeforeFill     func(Fill)
	BeforeTransfer func(Transfer)
	BeforeCopy     func(TextureCopy)
	BeforeLoad     func(addr uint32, n int)
	// AfterMove is called after each memory fill, display transfer and texture
	// copy, when memory holds what it wrote. It may read, as those above.
	AfterMove func() error

	// MemoryUse gets the ranges of memory that are read or wholly written.
	MemoryUse MemoryUse
}

// New makes a GPU in the state that the system leaves it in for programs.
func New(o Options) *GPU {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = min(o.Workers, MaxWorkers)
	if o.FCRAM == 0 {
		o.FCRAM = pica.FCRAMSize
	}
	g := &GPU{mem: newMemory(o.FCRAM), strict: o.Strict}
	g.pool.workers = o.Workers
	g.stage = geometry.NewStage(o.Workers, g.pool.run)
	g.engine = fragment.NewEngine(o.Workers)
	if o.PlainKernels {
		g.kernels = simd.Plain
	}
	g.stage.UseKernels(g.kernels)
	g.transfer = newTransferrer(g.kernels, &g.pool)
	g.engine.Kernels = g.kernels
	g.queues.init(g.mem, g.kernels, o.Workers)
	g.pool.crew = new(crew)
	g.queues.workers.crew = g.pool.crew
	if o.Workers > 1 {
		g.engine.Spread = g.pool.run
	}
	g.scratch.out.Flush = g.flushGeometry
	g.initialise()
	return g
}

// Reset puts the GPU and its memory back to the state that New made. It keeps
// buffers and caches that do not show in what is drawn.
func (g *GPU) Reset() {
	g.drop()
	g.mem.Reset()
	version := g.tables.Version
	g.programmed, g.displays = programmed{}, displays{}
	g.tables.Version = version + 1
	g.immediate.reset()
	g.stage.Reset()
	g.targets.last, g.targets.gas, g.targets.shadow = nil, nil, nil
	g.counters.reset(g.engine)
	g.engine.TakeGasMaximum() // of draws that were dropped
	g.place.frame, g.place.draw, g.place.pass, g.budget = 0, 0, 0, budget{}
	g.warnings = warnings{}
	g.initialise()
}

// initialise sets the registers that the system sets before a program runs:
// GSP's start-up values (3dbrew, External_Registers; Azahar, PicaCore).
func (g *GPU) initialise() {
	r := &g.regs
	r[0x020] = 0x12345678
	r[0x030] = 0xFFFFFFF0
	r[0x034] = 1
	r[pica.RegStartDrawFunc0] = 1
	pica.ShInputCount.Set(r, 1)
	pica.ShInputMode.Set(r, uint32(pica.ShaderModeVertex))
	for screen, lines := range [2]uint32{topLines, bottomLines} {
		pdc := uint32(screen) * pica.StridePdc
		format := pica.PdcFormat.Put(0, uint32(pica.ScreenFormatRGB8))
		*g.external(pica.ExtPdcSize + pdc) = pica.PdcHeight.Put(screenLine, lines)
		*g.external(pica.ExtPdcStride + pdc) = screenLine * uint32(pica.ScreenFormatRGB8.Bytes())
		*g.external(pica.ExtPdcFormat + pdc) = pica.PdcDouble.PutBool(format, screen == 0)
	}
}

// Workers is the number of goroutines that shade and draw.
func (g *GPU) Workers() int { return g.pool.workers }

// Finish draws what is queued. When ctx is cancelled it returns ctx's error, and
// what was queued may not be drawn.
func (g *GPU) Finish(ctx context.Context) error {
	if err := g.flushImmediate(ctx); err != nil {
		return err
	}
	if err := g.flush(ctx); err != nil {
		return err
	}
	return g.cancelled(ctx)
}
