package pipeline

import (
	"context"
	"errors"
	"fmt"

	"pica200/assets/picatrace"
	"pica200/fragment"
)

// Position is a position in a recording.
type Position struct {
	Frame int // from 0; -1 for the start of the recording, before anything ran
	Draw  int // last draw that is done, from 0 in the frame; FrameEnd for the whole frame
}

// FrameEnd as the Draw of a Position is the end of its frame, with everything
// after the last draw done as well.
const FrameEnd = -1

// Start is the start of a recording: the GPU holds the initial state.
var Start = Position{-1, FrameEnd}

func (p Position) String() string {
	switch {
	case p == Start:
		return "start"
	case p.Draw == FrameEnd:
		return fmt.Sprintf("end of frame %d", p.Frame)
	}
	return fmt.Sprintf("frame %d, draw %d", p.Frame, p.Draw)
}

// DefaultCheckpointBytes is the default bound of a Replayer's checkpoints.
const DefaultCheckpointBytes = 64 << 20

// ReplayerOptions configure a Replayer.
type ReplayerOptions struct {
	Options
	// CheckpointBytes bounds the memory of checkpoints; 0 means
	// DefaultCheckpointBytes. Below 0 there is only the one of the start.
	CheckpointBytes int64
}

// Replayer goes to any position of a recording, back as well as forth. There the
// GPU has the same state as after a replay from the start: every byte of
// memory, every register, and the warnings. Make one with NewReplayer. Its
// methods must not be called concurrently.
//
// It keeps checkpoints in bounded memory, so that going back takes the time of
// a few frames; inside of the frame whose draws are visited, of a few draws.
type Replayer struct {
	// GPU is the GPU at the position. It may be read, and the function given to
	// Visit may set its hooks.
	GPU *GPU
	// Progress, if not nil, is called during a Seek with the number of frames done,
	// and how many the Seek needs.
	Progress func(done, total int)
	// Change, if not nil, is called before each draw of a visited frame, before the
	// hooks of the visit. It may write registers, as if the program had. After such
	// a visit the GPU is at no valid position.
	Change func(frame int, g *GPU, d *DrawInfo) error

	player      *Player
	points      checkpoints
	at          Position
	valid       bool // at is the GPU's position
	invalidated bool // Invalidate was called in this visit
	stats       Stats
}

// NewReplayer makes a replayer with its own GPU, at the start of the recording.
func NewReplayer(t *picatrace.Trace, o ReplayerOptions) (*Replayer, error) {
	p, err := NewPlayer(t, o.Options)
	if err != nil {
		return nil, err
	}
	r := &Replayer{GPU: p.GPU, player: p, at: Start, valid: true}
	r.points = checkpoints{gpu: p.GPU, bound: max(o.CheckpointBytes, 0)}
	if o.CheckpointBytes == 0 {
		r.points.bound = DefaultCheckpointBytes
	}
	r.points.start()
	return r, nil
}

// Trace returns the recording.
func (r *Replayer) Trace() *picatrace.Trace { return r.player.Trace }

// Frames returns the number of frames of the recording.
func (r *Replayer) Frames() int { return r.player.Frames() }

// Position returns the position of the GPU. It returns false after an error or
// a visit that changed what is drawn; the next Seek then starts from a
// checkpoint.
func (r *Replayer) Position() (Position, bool) { return r.at, r.valid }

// Stats counts the work of the position's frame, up to the position.
func (r *Replayer) Stats() Stats { return r.stats }

// CheckpointBytes returns the bytes that checkpoints hold. The checkpoint of
// the start is kept even if the bound is smaller.
func (r *Replayer) CheckpointBytes() int64 { return r.points.size() }

// errStopped ends a frame after the draw that was asked for.
var errStopped = errors.New("stopped after a draw")

// NoDrawError reports a position after the last draw of its frame.
type NoDrawError struct {
	Position
	Draws int // number of draws of the frame
}

func (e *NoDrawError) Error() string {
	switch e.Draws {
	case 0:
		return fmt.Sprintf("there is no draw %d: frame %d draws nothing", e.Draw, e.Frame)
	case 1:
		return fmt.Sprintf("there is no draw %d: frame %d has one, draw 0", e.Draw, e.Frame)
	}
	return fmt.Sprintf("there is no draw %d: frame %d has %d, 0 to %d", e.Draw, e.Frame, e.Draws, e.Draws-1)
}

// Seek goes to a position. If the recording has an error (a hang, damage)
// before it, Seek returns the same error as a replay from the start would, with
// the GPU in the same state. If the frame has fewer draws, it returns a
// *NoDrawError, with the GPU at the end of the frame. If ctx is cancelled it
// returns ctx's error, and the next Seek starts from a checkpoint.
func (r *Replayer) Seek(ctx context.Context, pos Position) error {
	if err := r.check(pos); err != nil {
		return err
	}
	if r.valid && r.at == pos && r.Change == nil {
		return nil
	}
	if pos.Draw == FrameEnd && r.Change == nil {
		return r.boundary(ctx, pos.Frame+1, false)
	}
	return r.VisitFrom(ctx, pos, pos.Draw, nil)
}

// Visit goes to a position like Seek, but always replays the position's frame
// from its beginning. There it calls prepare, which may set the hooks and the
// View of the GPU and watch a pixel; Visit removes all of these at the end.
// prepare may be nil. A hook may end the visit with an error, which Visit
// returns wrapped. Hooks that change what is drawn, other than with View, must
// call Invalidate. At Start there is no frame, and prepare is not called.
func (r *Replayer) Visit(ctx context.Context, pos Position, prepare func(*GPU) error) error {
	return r.VisitFrom(ctx, pos, 0, prepare)
}

// VisitFrom is Visit for hooks that need no draw of the frame before draw
// first. It may begin at that draw or at any before it, and calls prepare
// there.
func (r *Replayer) VisitFrom(ctx context.Context, pos Position, first int, prepare func(*GPU) error) error {
	if err := r.check(pos); err != nil {
		return err
	}
	if pos == Start {
		return r.boundary(ctx, 0, false)
	}
	from, err := r.begin(ctx, pos, first)
	if err != nil {
		return err
	}
	g := r.GPU
	r.valid, r.invalidated = false, false
	defer r.unhook()
	if prepare != nil {
		if err := prepare(g); err != nil {
			return err
		}
		r.invalidated = r.invalidated || g.View != fragment.ViewFinal
	}
	r.changed(pos.Frame)
	g.progress.stop = pos.Draw + 1
	if first > 0 {
		r.mark(pos.Frame)
	}
	var f Frame
	if from != nil {
		f, err = r.player.play(ctx, from.inside)
	} else {
		f, err = r.player.NextFrame(ctx)
	}
	if errors.Is(err, errStopped) {
		r.stats = g.TakeStats()
		r.at, r.valid = pos, !r.invalidated
		return nil
	}
	if err != nil {
		r.stats = g.TakeStats()
		return err
	}
	r.points.played(pos.Frame, &f)
	r.stats = f.Stats
	r.at, r.valid = Position{pos.Frame, FrameEnd}, !r.invalidated
	if pos.Draw != FrameEnd {
		return &NoDrawError{pos, f.Stats.Draws}
	}
	return nil
}

// begin goes to the position where a visit begins: the beginning of the frame, or
// a checkpoint before draw first. It returns that checkpoint.
func (r *Replayer) begin(ctx context.Context, pos Position, first int) (from *checkpoint, err error) {
	r.points.leave(pos.Frame)
	if pos.Draw != FrameEnd {
		first = min(first, pos.Draw)
	}
	if first > 0 && r.Change == nil {
		from = r.points.nearest(pos.Frame, first)
	}
	if from == nil {
		return nil, r.boundary(ctx, pos.Frame, true)
	}
	r.points.restore(from)
	r.player.frame, r.player.done = pos.Frame, false
	return from, nil
}

// mark allows checkpoints inside of a frame, as long as everything drawn is
// what the recording says.
func (r *Replayer) mark(frame int) {
	g := r.GPU
	g.progress.mark = func(ctx context.Context, list *listPos) error {
		if r.invalidated || g.View != fragment.ViewFinal {
			return nil
		}
		return r.points.passed(ctx, frame, r.player.event, list)
	}
}

// changed makes the GPU call Change before the hooks of a visit.
func (r *Replayer) changed(frame int) {
	if r.Change == nil {
		return
	}
	g, change := r.GPU, r.Change
	r.invalidated = true
	before := g.BeforeDraw
	g.BeforeDraw = func(d *DrawInfo) error {
		if err := change(frame, g, d); err != nil {
			return err
		}
		*d.Regs = g.Registers()
		if before != nil {
			return before(d)
		}
		return nil
	}
}

// Invalidate tells the replayer that a hook changed what the recording draws (it
// wrote memory or registers), so that the next Seek starts from a checkpoint.
func (r *Replayer) Invalidate() { r.invalidated, r.valid = true, false }

// unhook removes everything that was set for a visit from the GPU.
func (r *Replayer) unhook() {
	g := r.GPU
	g.progress.stop, g.progress.change, g.progress.mark = 0, nil, nil
	g.Hooks, g.View = Hooks{}, fragment.ViewFinal
	if g.watch != nil {
		g.Unwatch()
	}
	g.stage.Watch(nil)
}

// check returns an error if the recording has no such position.
func (r *Replayer) check(pos Position) error {
	switch {
	case pos == Start:
		return nil
	case pos.Draw < FrameEnd:
		return fmt.Errorf("there is no draw %d; draws count from 0", pos.Draw)
	}
	return picatrace.CheckFrame(pos.Frame, r.Frames())
}

// boundary goes to the position after that many whole frames. near asks for a
// checkpoint there, for callers that will come back to it.
func (r *Replayer) boundary(ctx context.Context, frames int, near bool) error {
	from, done := r.points.before(frames), r.at.Frame+1
	if !r.valid || r.at.Draw != FrameEnd || done > frames || done < from.frames {
		r.points.restore(from)
		done = from.frames
		r.at, r.valid, r.stats = Position{done - 1, FrameEnd}, true, from.stats
	}
	for first := done; done < frames; {
		r.valid = false
		r.player.frame, r.player.done = done, false
		f, err := r.player.NextFrame(ctx)
		if err != nil {
			r.stats = r.GPU.TakeStats()
			return err
		}
		r.points.played(done, &f)
		done++
		r.at, r.valid, r.stats = Position{done - 1, FrameEnd}, true, f.Stats
		r.points.consider(done, f.Stats, near && done == frames)
		if r.Progress != nil {
			r.Progress(done-first, frames-first)
		}
	}
	if near {
		r.points.consider(frames, r.stats, true)
	}
	r.player.frame, r.player.done = frames, false
	return nil
}
