package host

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"hash/maphash"
	"os"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
)

// recorder records calls. Methods of a nil recorder do nothing. After an error
// nothing is written.
type recorder struct {
	f     *os.File
	buf   *bufio.Writer
	w     *picatrace.Writer
	err   error
	watch bool
	pages []pages
}

// pages are the pages of a range of memory.
type pages struct {
	pipeline.Region
	sum   []uint64 // for PICA200_WATCH: hash of each page as last recorded
	dirty []bool   // for PICA200_TOLD: pages that changed
}

const pageSize = picatrace.PageSize

// seed is random for each process, so that no program can make two pages with
// the same hash.
var seed = maphash.MakeSeed()

// BeginRecording records all calls from now on.
func (d *GPU) BeginRecording(path string, m picatrace.Meta) error {
	return d.do(func(ctx context.Context) error {
		if d.rec != nil {
			return errors.New("a recording is being made already")
		}
		state, err := d.gpu.State(ctx)
		if err != nil {
			return err
		}
		if n := len(d.memory[1].Data); n != pica.FCRAMSize {
			m.FCRAM = uint32(n)
		}
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		r := &recorder{f: f, buf: bufio.NewWriterSize(f, 1<<20), watch: d.watch}
		if r.w, r.err = picatrace.NewWriter(r.buf, m, state, picatrace.WriterOptions{Raw: true}); r.err != nil {
			f.Close()
			return r.err
		}
		d.rec = r
		for _, region := range d.memory {
			n := len(region.Data) / pageSize
			p := pages{Region: region, sum: make([]uint64, n), dirty: make([]bool, n)}
			for i := range p.dirty {
				page := p.page(i)
				if r.watch {
					p.sum[i] = maphash.Bytes(seed, page)
				}
				if !bytes.Equal(page, zeros[:]) {
					r.load(&p, i)
				}
			}
			r.pages = append(r.pages, p)
		}
		for _, w := range d.gpu.Leftovers() {
			r.add(picatrace.RegisterWrite(w.Addr, 4, uint64(w.Value)))
		}
		return r.err
	})
}

var zeros [pageSize]byte

func (p *pages) page(i int) []byte { return p.Data[i*pageSize : (i+1)*pageSize] }

// load records a page.
func (r *recorder) load(p *pages, i int) {
	r.err = cmp.Or(r.err, r.w.Load(p.Addr+uint32(i*pageSize), p.page(i)))
}

func (r *recorder) add(e picatrace.Event) {
	r.err = cmp.Or(r.err, r.w.Add(e))
}

// scan finds changed pages, and records them if keep is true.
func (r *recorder) scan(keep bool) {
	for n := range r.pages {
		p := &r.pages[n]
		for i := range p.dirty {
			if r.watch {
				sum := maphash.Bytes(seed, p.page(i))
				if sum == p.sum[i] {
					continue
				}
				p.sum[i] = sum
			} else if !p.dirty[i] {
				continue
			}
			p.dirty[i] = false
			if keep {
				r.load(p, i)
			}
		}
	}
}

// before records what the caller changed, and the event that is about to run.
func (r *recorder) before(e picatrace.Event) {
	if r != nil {
		r.scan(true)
		r.add(e)
	}
}

// after ignores what the GPU changed.
func (r *recorder) after() {
	if r != nil && r.watch {
		r.scan(false)
	}
}

// changed marks memory as written by the caller.
func (r *recorder) changed(addr, n uint32) {
	if r == nil || n == 0 {
		return
	}
	end := uint64(addr) + uint64(n)
	for i := range r.pages {
		p := &r.pages[i]
		from := max(uint64(addr), uint64(p.Addr))
		to := min(end, uint64(p.Addr)+uint64(len(p.Data)))
		for at := from / pageSize; from < to && at <= (to-1)/pageSize; at++ {
			p.dirty[at-uint64(p.Addr)/pageSize] = true
		}
	}
}

// EndFrame ends a frame of the recording. Without a recording it does nothing.
func (d *GPU) EndFrame() error {
	return d.do(func(context.Context) error {
		r := d.rec
		if r == nil {
			return nil
		}
		r.scan(true)
		r.err = cmp.Or(r.err, r.w.EndFrame(), r.buf.Flush())
		return r.err
	})
}

// EndRecording ends the recording with its index. It returns the error that
// stopped the recording, if any.
func (d *GPU) EndRecording() error {
	r := d.rec
	d.rec = nil
	if r == nil {
		return nil
	}
	return errors.Join(cmp.Or(r.err, r.w.Close(), r.buf.Flush()), r.f.Close())
}
