package pipeline_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"sync/atomic"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/pipeline/retrace"
	"pica200/tests/states"
)

// Ways of TestStates that do more than replay a trace.

// Counters: cancelled replays, failed ones, and GPUs replaced by new ones.
var cancels, failed, replaced atomic.Int64

// another replaces the way's GPU by a new one, which reuses its memory.
func (w *way) another() {
	w.gpu.Close()
	w.gpu = w.new()
	replaced.Add(1)
}

// afterCancel replays the trace until it is cancelled, early or late; then the same or a new GPU draws it.
func afterCancel(w *way, c *stateCase) {
	p := pipeline.Player{GPU: w.gpu, Trace: c.trace}
	err := p.Rewind()
	for ctx := (&polled{context.Background(), 1 + int(c.seed*7919%(8<<(c.seed%7))), make(chan struct{})}); err == nil; {
		_, err = p.NextFrame(ctx)
	}
	if errors.Is(err, context.Canceled) {
		cancels.Add(1)
	}
	if c.seed&8 == 0 {
		w.another()
	}
}

// afterFailure makes the way's GPU fail during large draws; then the same or a new GPU draws the trace.
func afterFailure(w *way, c *stateCase) {
	trace, err := picatrace.Parse(states.MakeFailing(c.seed))
	if err != nil {
		panic(err)
	}
	p := pipeline.Player{GPU: w.gpu, Trace: trace}
	for err = p.Rewind(); err == nil; {
		_, err = p.NextFrame(context.Background())
	}
	if err == io.EOF {
		panic(fmt.Sprintf("seed %d: a trace that is to fail does not", c.seed))
	}
	failed.Add(1)
	if c.seed&4 == 0 {
		w.another()
	}
}

// afterReset draws another seed, all of it or a part, and resets the GPU, which is then like a new one and draws the trace so.
func afterReset(w *way, c *stateCase) string {
	if w.gpu == nil {
		w.gpu = w.new()
	}
	other, err := citrace.Parse(states.Make(c.seed + 1<<40))
	if err != nil {
		return err.Error()
	}
	p := pipeline.Player{GPU: w.gpu, Trace: picatrace.FromCiTrace(other)}
	for err, n := p.Rewind(), c.seed%5; err == nil && n > 0; n-- {
		_, err = p.NextFrame(context.Background())
	}
	w.gpu.Reset()
	fresh := w.new()
	defer fresh.Close()
	if d := w.gpu.NotNew(fresh); d != "" {
		return d
	}
	got := replay(w.gpu, c.trace)
	return got.difference(&c.want)
}

// whole reports whether a slow way checks a case completely: one in 16. For the others it does a cheaper part that rarely finds
// less.
func (c *stateCase) whole() bool { return c.seed%16 == 3 }

// pieces writes the trace in version 2 with loads split into thousands of 7-byte pieces, or hundreds of growing ones, and replays
// it.
func pieces(w *way, c *stateCase) string {
	var file bytes.Buffer
	out, err := picatrace.NewWriter(&file, c.trace.Meta, c.trace.Initial, picatrace.WriterOptions{Raw: c.seed%2 == 0})
	for i := 0; err == nil && i < c.trace.Frames(); i++ {
		var f *picatrace.Frame
		if f, err = c.trace.Frame(i); err != nil {
			break
		}
		for _, e := range f.Events {
			if e.Kind != picatrace.Load {
				err = cmp.Or(err, out.Add(e))
				continue
			}
			addr := e.Words[0]
			for data, n := e.Data, 7; len(data) > 0; {
				part := data[:min(n, len(data))]
				if !c.whole() {
					n += 3
				}
				err = cmp.Or(err, out.Load(addr, part))
				addr, data = addr+uint32(len(part)), data[len(part):]
			}
		}
		err = cmp.Or(err, out.EndFrame())
	}
	if err = cmp.Or(err, out.Close()); err != nil {
		return err.Error()
	}
	trace, err := picatrace.Parse(file.Bytes())
	if err != nil {
		return err.Error()
	}
	if w.gpu == nil {
		w.gpu = w.new()
	}
	got := replay(w.gpu, trace)
	if c.want.Error != "" && got.Error != "" {
		got.Error = c.want.Error // errors contain event numbers
	}
	return got.difference(&c.want)
}

// frameResult is everything visible in a frame.
type frameResult struct {
	draws    []drawResult
	pictures [3]uint32 // of the screens
	target   uint32    // colours of the last target
}

type drawResult struct {
	vertices      int
	geometry      geometry.Stats
	fragments     uint64
	before, after []byte // the colour buffer, unless every byte is written
}

// rehash plays at most n frames of a trace and records each draw, and the screens if asked.
func (w *way) rehash(t *picatrace.Trace, n int, screens bool) ([]frameResult, error) {
	if w.gpu == nil {
		w.gpu = w.new()
	}
	g := w.gpu
	var f frameResult
	var before []byte
	g.BeforeDraw = func(*pipeline.DrawInfo) (err error) {
		before, err = g.TargetColor()
		return err
	}
	g.AfterDraw = func(d *pipeline.DrawInfo) error {
		l := drawResult{vertices: d.Vertices, geometry: d.Geometry, fragments: d.Fragments}
		if d.Target.ColorFormat <= pica.ColorFormatRGB8 || d.Regs[pica.RegDepthColorMask]>>8&0xF == 0xF {
			l.before, l.after = before, bytes.Clone(d.Target.Color)
		}
		f.draws = append(f.draws, l)
		return nil
	}
	defer func() { g.BeforeDraw, g.AfterDraw = nil, nil }()
	p := pipeline.Player{GPU: g, Trace: t}
	if err := p.Rewind(); err != nil {
		return nil, err
	}
	var frames []frameResult
	for range n {
		f = frameResult{}
		if _, err := p.NextFrame(context.Background()); err != nil {
			return nil, err
		}
		for s := range pipeline.ScreenTopRight + 1 {
			if a, b := g.Framebuffers(s); screens && a|b != 0 { // otherwise there is no memory to show
				f.pictures[s] = crc32.ChecksumIEEE(g.Screen(s).Pix)
			}
		}
		if target, err := g.LastTarget(); err == nil {
			f.target = crc32.ChecksumIEEE(target.Color)
		}
		frames = append(frames, f)
	}
	return frames, nil
}

// cuts cuts and strips the trace at every frame, or at three: the first, the last and one between them. Frames of a cut show the
// same, and draws of both draw the same.
func cuts(w *way, c *stateCase) string {
	whole, err := w.rehash(c.trace, c.want.Frames, true)
	if err != nil {
		return err.Error()
	}
	ctx, o := context.Background(), retrace.Options{Workers: 1, Writer: picatrace.WriterOptions{Raw: c.seed%8 != 0}}
	for i := range whole {
		if last := len(whole) - 1; !c.whole() && i != 0 && i != last && i != 1+int(c.seed/8)%(last-1) {
			continue
		}
		n := min(1+int(c.seed/4%2), len(whole)-i) // with the next frame, or alone
		for _, as := range []struct {
			name   string
			frames int
			make   func(file *bytes.Buffer) (retrace.Report, error)
		}{
			{"cut", n, func(file *bytes.Buffer) (retrace.Report, error) { return retrace.Cut(ctx, c.trace, i, i+n-1, file, o) }},
			{"strip", 1, func(file *bytes.Buffer) (retrace.Report, error) { return retrace.Strip(ctx, c.trace, i, file, o) }},
		} {
			var file bytes.Buffer
			var looks []frameResult
			_, err := as.make(&file)
			if err == nil {
				var trace *picatrace.Trace
				if trace, err = picatrace.Parse(file.Bytes()); err == nil {
					looks, err = w.rehash(trace, as.frames, as.name == "cut")
				}
			}
			if err != nil {
				return fmt.Sprintf("%s of frame %d: %v", as.name, i, err)
			}
			drawn := false
			for k, got := range looks {
				want := whole[i+k]
				drawn = drawn || len(want.draws) > 0
				if as.name == "strip" {
					want.pictures, want.target = got.pictures, got.target // a stripped frame has none
				}
				if !drawn {
					want.target = got.target // of an earlier frame
				}
				if d := got.difference(&want); d != "" {
					return fmt.Sprintf("%s of frame %d, frame %d of it: %s", as.name, i, k, d)
				}
			}
		}
	}
	return ""
}

// difference returns how a frame differs from that of the whole trace, or "". Only memory changed by draws is compared.
func (f *frameResult) difference(want *frameResult) string {
	switch {
	case len(f.draws) != len(want.draws):
		return fmt.Sprintf("%d draws, want %d", len(f.draws), len(want.draws))
	case f.pictures != want.pictures:
		return fmt.Sprintf("screens %08X, want %08X", f.pictures, want.pictures)
	case f.target != want.target:
		return fmt.Sprintf("target %08X, want %08X", f.target, want.target)
	}
	for i, d := range f.draws {
		w := &want.draws[i]
		if d.vertices != w.vertices || d.geometry != w.geometry || d.fragments != w.fragments {
			return fmt.Sprintf("draw %d: %d vertices, %+v, %d fragments, want %d, %+v, %d", i, d.vertices, d.geometry, d.fragments, w.vertices, w.geometry, w.fragments)
		}
		for k, b := range d.after {
			if b != d.before[k] && b != w.after[k] {
				return fmt.Sprintf("draw %d: byte 0x%X of the colour buffer: %02X, want %02X", i, k, b, w.after[k])
			}
		}
	}
	return ""
}

// seeks goes to random positions of the trace, with room for few checkpoints, and then to its end.
func seeks(w *way, c *stateCase) string {
	o := w.options
	o.FCRAM = states.FCRAM
	r, err := pipeline.NewReplayer(c.trace, pipeline.ReplayerOptions{Options: o, CheckpointBytes: []int64{-1, 200 << 10, 800 << 10}[c.seed/4%3]})
	if err != nil {
		return err.Error()
	}
	defer r.GPU.Close()
	want := &c.want
	rng := rand.New(rand.NewPCG(c.seed, 3))
	frames := c.trace.Frames()
	for range min(6, 2*frames) {
		pos := pipeline.Position{Frame: rng.IntN(frames), Draw: pipeline.FrameEnd}
		played := pos.Frame < want.Frames
		if played && want.Draws[pos.Frame] > 0 && rng.IntN(2) == 0 {
			pos.Draw = rng.IntN(want.Draws[pos.Frame])
		}
		err := r.Seek(context.Background(), pos)
		var none *pipeline.NoDrawError
		switch {
		case errors.As(err, &none): // left out with a warning
			pos.Draw = pipeline.FrameEnd
		case played != (err == nil):
			return fmt.Sprintf("%v: %v", pos, err)
		}
		if pos.Draw != pipeline.FrameEnd || pos.Frame >= len(want.ByFrame) {
			continue
		}
		if got := r.GPU.MemorySums(); got != want.ByFrame[pos.Frame] {
			return fmt.Sprintf("%v: memory: sums %08X, want %08X", pos, got, want.ByFrame[pos.Frame])
		}
	}
	var got outcome
	if err := r.Seek(context.Background(), pipeline.Position{Frame: frames - 1, Draw: pipeline.FrameEnd}); err != nil {
		got.Error = err.Error()
		if err := r.GPU.Finish(context.Background()); err != nil { // draws queued before the error
			got.Error += "; " + err.Error()
		}
	}
	got.poll(r.GPU)
	got.Frames, got.Stats, got.ByFrame = want.Frames, want.Stats, want.ByFrame // not recorded here
	return got.difference(want)
}
