package pipeline

import (
	"bytes"
	"slices"

	"pica200/raster"
)

// Origins records, while frames of a recording are visited, which draw wrote
// each pixel last, and through which transfers and copies the pixel then moved.
// It leads from a screen back to the draw. A draw is the writer of a pixel if
// it changed the pixel's colour.
type Origins struct {
	works   []Work
	targets []targetDraw // targets of the draws, in order
	pages   map[uint32]*originPage

	frame, draws int

	before []byte // colour buffer before the draw that runs
	at     uint32
}

// Work is something that writes memory.
type Work struct {
	Frame int
	Draw  int  // number of the draw; -1 for other work
	Draws int  // draws before it in the frame
	Move  Move // what it is if it is no draw

	number int32 // from 1
}

// Origin says where a byte comes from.
type Origin struct {
	// Writer wrote the byte, at address At. It is nil if that happened before the
	// visited frames.
	Writer *Work
	At     uint32
	// Via is the last transfer or copy that moved the byte, nil if there was none.
	Via *Work
}

// targetDraw is a draw and its target.
type targetDraw struct {
	work int32
	key  targetKey
}

type originPage [pageSize]originEntry

// originEntry holds numbers of works, from 1; 0 is none. at is valid if via is
// not 0.
type originEntry struct {
	writer, via int32
	at          uint32
}

// maxOriginPages bounds the memory that is followed to 8 MiB, which needs 96
// MiB. Bytes on further pages have no known origin.
const maxOriginPages = 2048

// NewOrigins makes an empty Origins.
func NewOrigins() *Origins { return &Origins{pages: map[uint32]*originPage{}} }

// Follow sets hooks that record a frame. Call it in the function given to
// Replayer.Visit, for consecutive frames.
func (o *Origins) Follow(g *GPU, frame int) {
	o.frame, o.draws = frame, 0
	g.BeforeDraw = func(d *DrawInfo) error {
		key := keyOf(d.Regs)
		n := o.add(Work{Frame: frame, Draw: d.Index, Draws: d.Index})
		o.targets = append(o.targets, targetDraw{n, key})
		o.draws = d.Index + 1
		t := raster.Target{Width: key.width, Height: key.height, Block32: key.block32}
		o.before = o.before[:0]
		if size := t.Bytes(key.colorFormat.Bytes()); size > 0 && size < 1<<26 {
			if data, err := g.Read(key.color, uint32(size)); err == nil {
				o.before, o.at = append(o.before, data...), key.color
			}
		}
		return nil
	}
	g.AfterDraw = func(d *DrawInfo) error {
		if d.Target.Color != nil && len(o.before) > 0 {
			o.drawn(d.Target.Color, d.Target.ColorFormat.Bytes())
		}
		return nil
	}
	g.BeforeFill = func(f Fill) {
		n := o.add(Work{Frame: frame, Draw: -1, Draws: o.draws, Move: f})
		if f.End > f.Start && g.HasMemory(f.Start, f.End-f.Start) {
			o.set(f.Start, f.End-f.Start, originEntry{writer: n}, true)
		}
	}
	g.BeforeLoad = func(addr uint32, bytes int) {
		n := o.add(Work{Frame: frame, Draw: -1, Draws: o.draws, Move: Load{addr, bytes}})
		if uint64(bytes) < 1<<32 {
			o.set(addr, uint32(bytes), originEntry{writer: n}, false)
		}
	}
	g.BeforeTransfer = func(t Transfer) { o.transfer(g, t) }
	g.BeforeCopy = func(c TextureCopy) { o.copy(g, c) }
}

func (o *Origins) add(w Work) int32 {
	w.number = int32(len(o.works) + 1)
	o.works = append(o.works, w)
	return w.number
}

// drawn records the pixels that a draw changed.
func (o *Origins) drawn(now []byte, pixel int) {
	n := originEntry{writer: int32(len(o.works))}
	const stretch = 1024 // bytes that are compared at a time; a multiple of 2 and 4
	old := o.before
	for at := 0; at < len(old) && at < len(now); at += stretch {
		end := min(at+stretch, len(old), len(now))
		if bytes.Equal(old[at:end], now[at:end]) {
			continue
		}
		for i := at - at%pixel; i < end; i += pixel {
			if e := min(i+pixel, len(old), len(now)); !bytes.Equal(old[i:e], now[i:e]) {
				o.set(o.at+uint32(i), uint32(e-i), n, true)
			}
		}
	}
}

// transfer records a display transfer that is about to run.
func (o *Origins) transfer(g *GPU, t Transfer) {
	n := o.add(Work{Frame: o.frame, Draw: -1, Draws: o.draws, Move: t})
	src, dst, err := t.spans()
	if err != nil || t.hangs() != "" || !g.HasMemory(src.addr, src.bytes) || !g.HasMemory(dst.addr, dst.bytes) {
		return
	}
	width, height := t.Size()
	out := uint32(t.OutFormat.Bytes())
	for y := range height {
		for x := range width {
			from, to := t.pixel(x, y)
			o.set(to, out, o.through(from, n), true)
		}
	}
}

// copy records a texture copy that is about to run.
func (o *Origins) copy(g *GPU, c TextureCopy) {
	n := o.add(Work{Frame: o.frame, Draw: -1, Draws: o.draws, Move: c})
	src, dst, err := c.spans()
	if err != nil || !g.HasMemory(src.addr, src.bytes) || !g.HasMemory(dst.addr, dst.bytes) {
		return
	}
	from, to := c.Src, c.Dst
	in, out := c.InLine, c.OutLine
	for range c.Size {
		o.set(to, 1, o.through(from, n), true)
		from, to = from+1, to+1
		if in--; in == 0 {
			from, in = from+c.InGap, c.InLine
		}
		if out--; out == 0 {
			to, out = to+c.OutGap, c.OutLine
		}
	}
}

// through returns the entry for the byte at from after transfer or copy n has
// moved it.
func (o *Origins) through(from uint32, n int32) originEntry {
	e := o.get(from)
	if e.via == 0 {
		e.at = from
	}
	e.via = n
	return e
}

func (o *Origins) get(addr uint32) (e originEntry) {
	if p := o.pages[addr>>pageBits]; p != nil {
		e = p[addr%pageSize]
	}
	return e
}

// set records the origin of n bytes. If make is false, pages without any
// entries are skipped.
func (o *Origins) set(addr, n uint32, e originEntry, make bool) {
	for n > 0 {
		at := addr % pageSize
		some := min(n, pageSize-at)
		p := o.pages[addr>>pageBits]
		if p == nil && make && len(o.pages) < maxOriginPages {
			p = new(originPage)
			o.pages[addr>>pageBits] = p
		}
		if p != nil {
			for i := range some {
				p[at+i] = e
			}
		}
		addr, n = addr+some, n-some
	}
}

// Of returns the origin of the byte at an address.
func (o *Origins) Of(addr uint32) Origin {
	e := o.get(addr)
	from := Origin{At: addr}
	if e.via != 0 {
		from.At, from.Via = e.at, &o.works[e.via-1]
	}
	if e.writer != 0 {
		from.Writer = &o.works[e.writer-1]
	}
	return from
}

// Drawn finds the last draw before a work, or of all if it is nil, whose colour
// buffer contains an address, and the pixel of its target at that address.
func (o *Origins) Drawn(g *GPU, addr uint32, before *Work) (p TargetPixel, draw *Work, ok bool) {
	for _, draw := range slices.Backward(o.targets) {
		if before != nil && draw.work >= before.number {
			continue
		}
		t, err := g.targetOf(draw.key)
		if err != nil || draw.key.colorFormat.Bytes() == 0 {
			continue
		}
		if x, y, ok := t.pixelAt(addr); ok {
			return TargetPixel{int(x), int(y), draw.key}, &o.works[draw.work-1], true
		}
	}
	return p, nil, false
}

// Draw returns a draw that was followed, or nil.
func (o *Origins) Draw(frame, draw int) *Work {
	i := slices.IndexFunc(o.works, func(w Work) bool { return w.Frame == frame && w.Draw == draw })
	if i < 0 {
		return nil
	}
	return &o.works[i]
}
