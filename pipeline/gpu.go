package pipeline

import (
	"context"
	"runtime"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/internal/simd"
	"pica200/pica"
)

// Options configure a GPU.
type Options struct {
	// Workers is the number of goroutines that shade and draw; 0 means one for each
	// CPU, and MaxWorkers is the limit. It does not change the result.
	Workers int
	// PlainKernels uses the plain Go form of every kernel in place of vector
	// instructions. It is slower, with the same result.
	PlainKernels bool
	// FCRAM is the size of main memory in bytes; 0 means 128 MiB, as in a 3DS. A
	// New 3DS has twice as much.
	FCRAM uint32
	// Strict turns warnings into errors: work stops where the console would skip a
	// draw, a fetch or a copy.
	Strict bool
}

// MaxWorkers is the greatest number of goroutines of a GPU. A target has at
// most 64 bands of rows. Each busy worker needs about half a megabyte.
const MaxWorkers = 64

// GPU is the PICA200 with its memory and the registers of the screens. Make one
// with New; the zero value cannot be used. Its methods must not be called
// concurrently.
//
// Methods that take a context return its error when it is cancelled. Queued
// draws may then be executed in part; Reset puts the GPU back into its initial
// state. Methods that read (Read, ReadRegister, Screen, LastTarget, ...) first
// execute the queued draws that they need, and cannot be cancelled. To be able
// to cancel that work, call Finish before.
type GPU struct {
	Hooks // the caller may set them between calls

	// Timing makes the GPU measure Stats.Time.
	Timing bool

	// View makes draws from now on show an intermediate result instead of the final
	// colour.
	View fragment.View

	// The state of the console. A snapshot holds all of it.

	mem        *memory         // physical memory; written through its methods, or by draws, which report it with Touch
	programmed                 // internal registers, tables, shader units; only commands write them
	displays                   // external registers and those of the screens; only WriteRegister writes them
	immediate  immediate       // vertices of immediate mode that are not drawn yet
	stage      *geometry.Stage // geometry stage, with unfinished primitives and compiled shaders

	// The machinery. Between two calls only the queues are at work.

	list     listReader       // command list that runs; owned by RunList
	pool     *pool            // goroutines that shade vertices and run transfers; idle between calls
	engine   *fragment.Engine // compiled programs and decoded textures
	transfer *transferrer     // buffers of display transfers
	queues   queues           // draws that are queued, or executed in the background
	targets  targets          // render targets by their registers, and the last ones drawn to
	scratch  scratch          // buffers of the draw that runs

	// Counters and reports.

	progress   progress   // current position in a recording
	counters   counters   // counts of work, for TakeStats
	budget     budget     // work that the frame or call has asked for so far
	warnings   warnings   // warnings so far, for Warnings
	unmodelled unmodelled // features of the last draw that are not implemented
	watch      *watch     // pixel that is watched, or nil; set with setWatch, which tells the engine

	// Set by New and constant.

	strict  bool         // Options.Strict
	kernels simd.Kernels // Options.PlainKernels
	tests   struct {     // set by tests, before anything runs
		neverEarly bool // no depth test before shading
		neverPack  bool // no packing of quads
	}
}

// Hooks are functions that a GPU calls while it works. Each may be nil.
type Hooks struct {
	// BeforeDraw and AfterDraw are called around every draw. When AfterDraw is
	// called, the render target holds the draw and nothing is queued. It is not
	// called for a draw that was left out with a warning. Both may read
	// (LastTarget, Screen, Read, DrawVertices); drawing returns an error.
	BeforeDraw func(*DrawInfo) error
	AfterDraw  func(*DrawInfo) error

	// BeforeList, BeforeFill, BeforeTransfer, BeforeCopy and BeforeLoad are called
	// before command lists that the CPU starts, memory fills, display transfers,
	// texture copies and memory loads of n bytes. Earlier draws may still be
	// queued.
	BeforeList     func(addr, n uint32)
	BeforeFill     func(Fill)
	BeforeTransfer func(Transfer)
	BeforeCopy     func(TextureCopy)
	BeforeLoad     func(addr uint32, n int)
	// AfterMove is called after each memory fill, display transfer and texture
	// copy. Memory then holds the result. It may read, as BeforeDraw may.
	AfterMove func() error

	// MemoryUse receives the ranges of memory that are read or completely
	// overwritten.
	MemoryUse MemoryUse
}

// New makes a GPU in the state in which the system hands it to programs.
func New(o Options) *GPU {
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	o.Workers = min(o.Workers, MaxWorkers)
	if o.FCRAM == 0 {
		o.FCRAM = pica.FCRAMSize
	}
	g := &GPU{mem: newMemory(o.FCRAM), strict: o.Strict}
	helpers := new(helperSet)
	g.pool = newPool(o.Workers, helpers, 0)
	g.stage = geometry.NewStage(o.Workers, g.pool.run)
	g.engine = fragment.NewEngine(o.Workers)
	if o.PlainKernels {
		g.kernels = simd.Plain
	}
	g.stage.UseKernels(g.kernels)
	g.transfer = newTransferrer(g.kernels, g.pool)
	g.engine.Kernels = g.kernels
	g.queues.init(g.mem, g.kernels, newPool(o.Workers, helpers, 1))
	g.stage.Ready = helpers.polling
	if o.Workers > 1 {
		g.engine.Spread = g.pool.run
		g.mem.filler.workers = g.pool
	}
	g.scratch.out.Flush = g.flushGeometry
	g.initialise()
	return g
}

// Reset puts the GPU and its memory back into the state of New. It keeps
// buffers and caches, which do not change the result.
func (g *GPU) Reset() {
	g.drop()
	g.mem.Reset()
	version := g.tables.Version
	g.programmed, g.displays = programmed{}, displays{}
	g.tables.Version = version + 1
	g.immediate.reset()
	g.stage.Reset()
	g.targets.last, g.targets.gas, g.targets.shadow = nil, nil, nil
	g.TakeStats()             // also of programs compiled in a frame that failed
	g.engine.TakeGasMaximum() // drop the maximum of cancelled draws
	g.progress.frame, g.progress.draw, g.progress.pass, g.progress.target, g.progress.geometry, g.budget = 0, 0, 0, targetKey{}, false, budget{}
	g.warnings = g.warnings[:0]
	g.initialise()
}

// initialise sets the registers that the system sets before a program starts:
// the start-up values of GSP (3dbrew, External_Registers; Azahar, PicaCore).
func (g *GPU) initialise() {
	g.systemRegisters()
	r := &g.regs
	r[pica.RegStartDrawFunc0] = 1
	r[pica.RegShOutattrClock] = pica.AllClocks // of a program that never writes it
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

// systemRegisters sets the registers that only the CPU writes.
func (p *programmed) systemRegisters() {
	p.regs[pica.RegIrqCompare] = 0x12345678
	p.regs[pica.RegIrqMask] = 0xFFFFFFF0
	p.regs[pica.RegIrqAutostop] = 1
}

// Workers is the number of goroutines that shade and draw; of a closed GPU, 0.
func (g *GPU) Workers() int {
	if g.pool == nil {
		return 0
	}
	return g.pool.workers
}

// Finish executes all queued draws. If ctx is cancelled it returns ctx's error,
// and some of them may be dropped.
func (g *GPU) Finish(ctx context.Context) error {
	if err := g.flushImmediate(ctx); err != nil {
		return err
	}
	if err := g.flush(ctx); err != nil {
		return err
	}
	return g.cancelled(ctx)
}
