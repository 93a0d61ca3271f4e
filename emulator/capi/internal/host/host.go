// Package host is libpica200 without C: a GPU that works on the caller's
// memory. When a call returns, its drawing is done; panics become errors; the
// calls can be recorded.
//
// The package is internal to pica200 and may change at any time; programs
// include pica200.h.
package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"runtime/debug"

	"pica200/assets/picatrace"
	"pica200/internal/module"
	"pica200/pica"
	"pica200/pipeline"
)

// Options configure a GPU.
type Options struct {
	FCRAM, VRAM []byte // the caller's memory; nil: the GPU's own
	FCRAMSize   uint32 // of the GPU's own memory, 0 for 128 MiB
	Watch       bool   // find changed memory by hashing
	Workers     int    // as in pipeline.Options
}

// GPU is a GPU of the library. Its methods must not be called concurrently.
type GPU struct {
	gpu    *pipeline.GPU
	watch  bool
	memory []pipeline.Region // memory for recording
	rec    *recorder
	broken error // error of a panic in the GPU
}

// New makes a GPU.
func New(o Options) (d *GPU, err error) {
	d = &GPU{watch: o.Watch}
	err = d.do(func(context.Context) error { return d.make(o) })
	return d, err
}

func (d *GPU) make(o Options) error {
	if o.Workers < 0 {
		return fmt.Errorf("%d workers; 0 is one for each processor", o.Workers)
	}
	switch o.FCRAMSize {
	case 0, pica.FCRAMSize, 2 * pica.FCRAMSize:
	default:
		return fmt.Errorf("main memory of %d bytes; %d and %d are possible", o.FCRAMSize, pica.FCRAMSize, 2*pica.FCRAMSize)
	}
	var regions []pipeline.Region
	for _, r := range []pipeline.Region{{Addr: pica.FCRAMBase, Data: o.FCRAM}, {Addr: pica.VRAMBase, Data: o.VRAM}} {
		if r.Data != nil {
			regions = append(regions, r)
		}
	}
	g, err := pipeline.NewOn(regions, pipeline.Options{Workers: o.Workers, FCRAM: o.FCRAMSize})
	if err != nil {
		return err
	}
	d.gpu = g
	for _, r := range []struct{ addr, n uint32 }{
		{pica.VRAMBase, cmp.Or(uint32(len(o.VRAM)), pica.VRAMSize)}, {pica.FCRAMBase, cmp.Or(uint32(len(o.FCRAM)), o.FCRAMSize, pica.FCRAMSize)},
	} {
		data, err := g.Read(r.addr, r.n)
		if err != nil {
			return err
		}
		d.memory = append(d.memory, pipeline.Region{Addr: r.addr, Data: data})
	}
	return nil
}

// do runs f. After a panic the GPU cannot be used any more, because its state
// is undefined.
func (d *GPU) do(f func(ctx context.Context) error) (err error) {
	if d.broken != nil {
		return d.broken
	}
	defer func() {
		if r := recover(); r != nil {
			d.broken = fmt.Errorf("an error in libpica200 itself; this GPU is of no use any more: %v\n%s", r, debug.Stack())
			err = d.broken
		}
	}()
	return f(context.Background())
}

// work is do for calls that draw or write: before, the GPU finds changed
// memory; afterwards, nothing is queued.
func (d *GPU) work(f func(ctx context.Context) error) error {
	return d.do(func(ctx context.Context) error {
		if d.watch {
			if err := d.gpu.WatchMemory(ctx); err != nil {
				return err
			}
		}
		err := f(ctx)
		return errors.Join(err, d.gpu.Finish(ctx))
	})
}

// Run executes an event of a recording other than a load.
func (d *GPU) Run(e picatrace.Event) error {
	return d.work(func(ctx context.Context) error {
		if err := e.Check(); err != nil {
			return err
		}
		d.rec.before(e)
		err := d.gpu.Do(ctx, &e)
		err = errors.Join(err, d.gpu.Finish(ctx))
		d.rec.after()
		return err
	})
}

// Load writes data to memory as the CPU would.
func (d *GPU) Load(addr uint32, data []byte) error {
	return d.work(func(ctx context.Context) error {
		err := d.gpu.Load(ctx, addr, data)
		if err == nil {
			d.rec.changed(addr, uint32(len(data)))
		}
		return err
	})
}

// Fetch reads memory.
func (d *GPU) Fetch(addr uint32, data []byte) error {
	return d.do(func(context.Context) error {
		src, err := d.gpu.Read(addr, uint32(len(data)))
		copy(data, src)
		return err
	})
}

// Invalidate reports that the caller wrote to its memory.
func (d *GPU) Invalidate(addr, n uint32) error {
	return d.do(func(ctx context.Context) error {
		d.rec.changed(addr, n)
		return d.gpu.Changed(ctx, addr, n)
	})
}

// Register reads a register.
func (d *GPU) Register(addr uint32) (v uint32, err error) {
	err = d.do(func(context.Context) error {
		v = d.gpu.ReadRegister(addr)
		return nil
	})
	return v, err
}

// SetState loads a block of the state.
func (d *GPU) SetState(b picatrace.Block, words []uint32) error {
	return d.work(func(ctx context.Context) error {
		if n := b.Words(); n == 0 || len(words) > n {
			return fmt.Errorf("%d words for %v; it has %d", len(words), b, n)
		}
		if d.rec != nil {
			return errors.New("the state cannot be set while a recording is made: a recording holds only the state at its start")
		}
		return d.gpu.SetState(ctx, picatrace.State{b: words})
	})
}

// State returns a block of the state at its full size.
func (d *GPU) State(b picatrace.Block) (words []uint32, err error) {
	err = d.do(func(ctx context.Context) error {
		n := b.Words()
		if n == 0 {
			return fmt.Errorf("there is no %v", b)
		}
		s, err := d.gpu.State(ctx)
		words = make([]uint32, n)
		copy(words, s[b])
		return err
	})
	return words, err
}

// Screen returns what a screen shows.
func (d *GPU) Screen(s pipeline.Screen) (img *image.RGBA, err error) {
	err = d.do(func(context.Context) error {
		img = d.gpu.Screen(s)
		return nil
	})
	return img, err
}

// Reset puts the GPU, and its own memory, into the initial state.
func (d *GPU) Reset() error {
	return d.do(func(context.Context) error {
		if d.rec != nil {
			return errors.New("the GPU cannot be reset while a recording is made")
		}
		d.gpu.Reset()
		return nil
	})
}

// Close ends a recording, if there is one, and the GPU, which must not be used
// afterwards.
func (d *GPU) Close() {
	_ = d.EndRecording()
	d.gpu.Close()
}

// Version returns the version of the library, as "go build" recorded it.
func Version() string { return module.Read().Version }
