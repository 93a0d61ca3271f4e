package pipeline

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"testing"

	"pica200/assets/picatrace"
	"pica200/tests/testkit"
)

// GPUFor returns a GPU that is closed when the test ends, so that the next GPU reuses its memory: clearing 128 MiB takes longer
// than most tests.
func GPUFor(t testing.TB, o Options) *GPU {
	g := New(o)
	t.Cleanup(g.Close)
	return g
}

// PlayerFor returns a player of a trace whose GPU is closed when the test ends.
func PlayerFor(t testing.TB, trace *picatrace.Trace, o Options) *Player {
	t.Helper()
	p := testkit.Must(NewPlayer(trace, o))(t)
	t.Cleanup(p.GPU.Close)
	return p
}

// ReplayerFor returns a replayer of a trace whose GPU is closed when the test ends.
func ReplayerFor(t testing.TB, trace *picatrace.Trace, o ReplayerOptions) *Replayer {
	t.Helper()
	r := testkit.Must(NewReplayer(trace, o))(t)
	t.Cleanup(r.GPU.Close)
	return r
}

// ReplayFor is Replay; the GPU is closed when the test ends.
func ReplayFor(t testing.TB, trace *picatrace.Trace, o Options, frame func(*GPU, Frame) error) (*GPU, error) {
	g, err := Replay(t.Context(), trace, o, frame)
	if g != nil {
		t.Cleanup(g.Close)
	}
	return g, err
}

// Peek returns memory without finishing queued draws.
func (g *GPU) Peek(addr, n uint32) ([]byte, error) { return g.mem.Slice(addr, n) }

// Immediate returns the attributes of the incomplete vertex in immediate mode.
func (g *GPU) Immediate() [][4]float32 { return g.immediate.partial }

// LeavePixels limits later draws to n pixels, as parts of one frame.
func (g *GPU) LeavePixels(n uint64) {
	g.budget = budget{frame: true}
	g.budget.spent[costPixels] = costLimits[costPixels].most - n
}

// TargetColor returns the colour buffer given by the registers, nil if there is none.
func (g *GPU) TargetColor() ([]byte, error) {
	if err := g.flush(context.Background()); err != nil {
		return nil, err
	}
	t, err := g.targetOf(keyOf(&g.regs))
	if err != nil {
		return nil, nil
	}
	return bytes.Clone(t.Color), nil
}

// InBackground reports whether draws run in the background.
func (g *GPU) InBackground() bool { return g.queues.behind != nil }

// Queued reports whether draws wait or run in the background.
func (g *GPU) Queued() bool { return g.queues.queued() }

// binning is everything that decides which memory the bins of a queue touch.
type binning struct {
	key          targetKey
	rows         int32
	color, depth bool
}

var disjoint sync.Map // binnings known to share no memory

// BinsShareMemory names bytes that two bins of the waiting draws share, which would make results depend on the worker count; nil if
// there are none.
func (g *GPU) BinsShareMemory() error {
	for _, q := range []*drawQueue{g.queues.queue, g.queues.behind} {
		if q == nil || q.Empty() {
			continue
		}
		t := g.targets.last
		b := binning{t.key, q.BinRows(), g.queues.pending.color, g.queues.pending.depth}
		if !g.queues.pending.ordered {
			b.rows /= 2 // the least part
		}
		if _, known := disjoint.Load(b); known {
			continue
		}
		owners := map[uint32]int32{} // bin of each 8 bytes
		for y := int32(0); y < t.Height; y += 4 {
			for x := int32(0); x < t.Width; x += 4 {
				index := uint32(t.PixelIndex(x, y))
				for _, buffer := range []struct {
					used  bool
					at    span
					pixel int
				}{{b.color, t.color, t.ColorFormat.Bytes()}, {b.depth, t.depth, t.DepthFormat.Bytes()}} {
					if !buffer.used || buffer.at.bytes == 0 {
						continue
					}
					first := buffer.at.addr + index*uint32(buffer.pixel)
					for a := first &^ 7; a < first+16*uint32(buffer.pixel); a += 8 {
						if owner, known := owners[a]; known && owner != y/b.rows {
							return fmt.Errorf("bins %d and %d both touch 0x%08X; target %+v", owner, y/b.rows, a, t.key)
						}
						owners[a] = y / b.rows
					}
				}
			}
		}
		disjoint.Store(b, true)
	}
	return nil
}
