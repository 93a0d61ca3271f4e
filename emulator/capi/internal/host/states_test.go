package host

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// caller owns the memory of a GPU.
type caller struct {
	fcram, vram []byte
}

func newCaller() caller { return caller{make([]byte, states.FCRAM), make([]byte, states.FCRAM)} }

// write copies data to memory and reports whether the address range exists.
func (c *caller) write(addr uint32, data []byte) bool {
	for _, r := range []pipeline.Region{{Addr: pica.FCRAMBase, Data: c.fcram}, {Addr: pica.VRAMBase, Data: c.vram}} {
		if at := addr - r.Addr; addr >= r.Addr && int(at)+len(data) <= len(r.Data) {
			copy(r.Data[at:], data)
			return true
		}
	}
	return false
}

func (c *caller) difference(o *caller) string {
	switch {
	case !bytes.Equal(c.fcram, o.fcram):
		return "main memory"
	case !bytes.Equal(c.vram, o.vram):
		return "video memory"
	}
	return ""
}

// hostWays are the ways to report the caller's writes.
var hostWays = []struct {
	name  string
	watch bool
	load  func(d *GPU, c *caller, e *picatrace.Event) error
}{
	{"told", false, func(d *GPU, c *caller, e *picatrace.Event) error {
		if !c.write(e.Words[0], e.Data) {
			return d.Load(e.Words[0], e.Data) // returns the error for an unmapped address
		}
		return d.Invalidate(e.Words[0], uint32(len(e.Data)))
	}},
	{"watched", true, func(d *GPU, c *caller, e *picatrace.Event) error {
		if !c.write(e.Words[0], e.Data) {
			return d.Load(e.Words[0], e.Data)
		}
		return nil
	}},
	{"loaded", false, func(d *GPU, c *caller, e *picatrace.Event) error { return d.Load(e.Words[0], e.Data) }},
}

// TestStates draws random states on a caller's memory: memory ends as without the library, and a replay of a recording made from
// some point on gives the same. -state SEED repeats a failing one.
func TestStates(t *testing.T) {
	first, end := states.Range()
	end = first + (end-first+19)/20
	for seed := first; seed < end; seed++ {
		trace := states.Parse(t, states.Make(seed))
		want := newCaller()
		failed := replayOn(t, trace, &want)
		for _, w := range hostWays {
			got := newCaller()
			d := opened(t, Options{FCRAM: got.fcram, VRAM: got.vram, Watch: w.watch, Workers: 1 + int(seed%2)})
			path := filepath.Join(t.TempDir(), fmt.Sprint(seed))
			err := run(d, trace, path, int(seed*31%100), func(e *picatrace.Event) error { return w.load(d, &got, e) })
			again := fmt.Sprintf("seed %d, %s\ngo test ./emulator/capi/internal/host -run '^TestStates$' -state %d", seed, w.name, seed)
			require.Equal(t, failed, err != nil, "%v: %s", err, again)
			require.NoError(t, d.EndRecording(), again)
			require.Empty(t, got.difference(&want), again)
			if failed {
				continue // a failing event may be recorded or not
			}
			data := testkit.Read(t, path)
			recorded := states.Parse(t, data)
			from := newCaller()
			require.False(t, replayOn(t, recorded, &from), again)
			require.Empty(t, from.difference(&want), "the recording: %s", again)
			d.Close()
		}
	}
}

// replayOn replays a trace on the caller's memory and reports whether it fails.
func replayOn(t *testing.T, trace *picatrace.Trace, c *caller) (failed bool) {
	t.Helper()
	g, err := pipeline.NewOn([]pipeline.Region{{Addr: pica.FCRAMBase, Data: c.fcram}, {Addr: pica.VRAMBase, Data: c.vram}}, pipeline.Options{Workers: 1})
	require.NoError(t, err)
	p := pipeline.Player{GPU: g, Trace: trace}
	require.NoError(t, p.Rewind())
	for range trace.Frames() {
		if _, err := p.NextFrame(t.Context()); err != nil {
			require.NoError(t, g.Finish(t.Context()))
			return true
		}
	}
	return false
}

// run executes a trace and records it from begin percent on.
func run(d *GPU, trace *picatrace.Trace, path string, begin int, load func(*picatrace.Event) error) error {
	at := trace.Frames() * begin / 100
	for i := range trace.Frames() {
		f, err := trace.Frame(i)
		if err != nil {
			return err
		}
		for k := range len(f.Events) + 1 {
			if d.rec == nil && (i > at || i == at && k >= len(f.Events)*begin/100) {
				if err := d.BeginRecording(path, picatrace.Meta{}); err != nil {
					return err
				}
			}
			if k == len(f.Events) {
				break
			}
			e := &f.Events[k]
			if e.Kind == picatrace.Load {
				err = load(e)
			} else {
				err = d.Run(*e)
			}
			if err != nil {
				return err
			}
		}
		if err := d.EndFrame(); err != nil {
			return err
		}
	}
	return nil
}

// The GPU draws with changed memory, whether the caller reports the change or the GPU detects it.
func TestChangedMemoryIsDrawn(t *testing.T) {
	for seed := range uint64(6) {
		first, changed, _ := states.Redraw("texels", seed)
		play := func(do func(e picatrace.Event) error) {
			for _, data := range [][]byte{first, changed} {
				trace := states.Parse(t, data)
				f := testkit.Must(trace.Frame(0))(t)
				for _, e := range f.Events {
					if err := do(e); !errors.Is(err, pica.ErrHang) {
						require.NoError(t, err)
					}
				}
			}
		}
		want := newCaller()
		g, err := pipeline.NewOn([]pipeline.Region{{Addr: pica.FCRAMBase, Data: want.fcram}, {Addr: pica.VRAMBase, Data: want.vram}}, pipeline.Options{Workers: 1})
		require.NoError(t, err)
		play(func(e picatrace.Event) error { return g.Do(t.Context(), &e) })
		require.NoError(t, g.Finish(t.Context()))
		for _, w := range hostWays {
			got := newCaller()
			d := opened(t, Options{FCRAM: got.fcram, VRAM: got.vram, Watch: w.watch, Workers: 1})
			play(func(e picatrace.Event) error {
				if e.Kind == picatrace.Load {
					return w.load(d, &got, &e)
				}
				return d.Run(e)
			})
			require.Empty(t, got.difference(&want), "seed %d, %s", seed, w.name)
			d.Close()
		}
	}
}
