package pipeline

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// whole is a GPU's complete state for comparison, except work counters and names of contents.
type whole struct {
	memory map[string][]byte
	state  *snapshot
	setups [2]setupBits
}

// setupBits is a shader unit as bits, so that NaNs compare.
type setupBits struct {
	code  [shaderunit.CodeWords]uint32
	desc  [shaderunit.Descriptors]shaderunit.OpDesc
	float [96][4]uint32
	rest  string
}

func bitsOf(s *shaderunit.Setup) (b setupBits) {
	for i := range b.code {
		b.code[i] = s.Code(i)
	}
	for i := range b.desc {
		b.desc[i] = s.Desc(i)
	}
	for i, v := range s.Float {
		for c, x := range v {
			b.float[i][c] = math.Float32bits(x)
		}
	}
	b.rest = fmt.Sprint(s.Entry, s.Int, s.Bool, s.OutMask)
	return b
}

func wholeOf(g *GPU) (w whole) {
	w.take(g)
	return w
}

// take is wholeOf in the memory that w has, which is cheaper than new memory.
func (w *whole) take(g *GPU) {
	_ = g.flush(context.Background())
	was := w.memory
	w.memory, w.state = map[string][]byte{}, g.snapshot(nil)
	for i := range g.mem.regions {
		r := &g.mem.regions[i]
		for p, g := range r.written {
			if data := r.page(p); g != 0 && !bytes.Equal(data, zeroPage[:]) {
				if w.memory[r.name] == nil {
					w.memory[r.name] = was[r.name][:0]
				}
				w.memory[r.name] = append(fmt.Appendf(w.memory[r.name], "page %d:", p), data...)
			}
		}
	}
	w.setups = [2]setupBits{bitsOf(w.state.vs), bitsOf(w.state.gs)}
	w.state.vs, w.state.gs = nil, nil
	tables := *w.state.tables
	tables.Version = 0
	w.state.tables = &tables
}

// difference names the first difference, or returns "".
func (w *whole) difference(o *whole) string {
	if len(w.memory) != len(o.memory) {
		return "which memory holds anything"
	}
	for name, m := range w.memory {
		if !bytes.Equal(m, o.memory[name]) {
			return name
		}
	}
	if w.setups != o.setups {
		return "shader units"
	}
	a, b := reflect.ValueOf(*w.state), reflect.ValueOf(*o.state)
	for i := range a.NumField() {
		// %+v prints NaNs equal and shows negative zeros.
		x, y := fmt.Sprintf("%+v", dereference(a.Field(i))), fmt.Sprintf("%+v", dereference(b.Field(i)))
		if x != y {
			return fmt.Sprintf("%s: %.300s, want %.300s", a.Type().Field(i).Name, x, y)
		}
	}
	return ""
}

func dereference(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Array && v.Type().Elem().Kind() == reflect.Pointer:
		var all []any
		for i := range v.Len() {
			all = append(all, dereference(v.Index(i)))
		}
		return all
	case v.Kind() == reflect.Pointer && !v.IsNil():
		return v.Elem()
	}
	return v
}

// fresh replays a recording from the start to a position, without a Replayer.
func fresh(t *testing.T, trace *picatrace.Trace, o Options, pos Position) (*GPU, error) {
	t.Helper()
	p := PlayerFor(t, trace, o)
	var err error
	errHere := errors.New("here")
	for i := 0; i <= pos.Frame; i++ {
		if i == pos.Frame && pos.Draw != FrameEnd {
			p.GPU.AfterDraw = func(d *DrawInfo) error {
				if d.Index == pos.Draw {
					return errHere
				}
				return nil
			}
		}
		if _, err = p.NextFrame(context.Background()); err != nil {
			break
		}
	}
	if errors.Is(err, errHere) {
		err = nil
	} else if err == nil && pos.Draw != FrameEnd {
		p.GPU.Close()
		return nil, nil // left out with a warning: hooks are not called
	}
	return p.GPU, err
}

// places lists the positions of a recording, as far as it can be played.
func places(t *testing.T, trace *picatrace.Trace, o Options) (list []Position) {
	t.Helper()
	p := PlayerFor(t, trace, o)
	list = []Position{Start}
	for frame := 0; ; frame++ {
		draws := 0
		p.GPU.BeforeDraw = func(*DrawInfo) error { draws++; return nil }
		_, err := p.NextFrame(context.Background())
		if err == io.EOF {
			return list
		}
		for i := range draws {
			list = append(list, Position{frame, i})
		}
		list = append(list, Position{frame, FrameEnd})
		if err != nil {
			return list
		}
	}
}

// jumpAbout seeks to random positions and compares each with a fresh replay.
func jumpAbout(t *testing.T, trace *picatrace.Trace, o ReplayerOptions, seed uint64, jumps int) (compared, inside int) {
	t.Helper()
	r := ReplayerFor(t, trace, o)
	r.points.near, r.points.step = 0, 0 // a checkpoint after each draw
	rng := rand.New(rand.NewPCG(seed, 1))
	all := places(t, trace, o.Options)
	pos := Start
	var a, b whole
	for range jumps {
		here := all
		if rng.IntN(4) > 0 { // mostly inside a frame, and often in the same one
			deep := slices.DeleteFunc(slices.Clone(all), func(p Position) bool { return p.Draw < 1 })
			if same := slices.DeleteFunc(slices.Clone(deep), func(p Position) bool { return p.Frame != pos.Frame }); len(same) > 0 && rng.IntN(8) > 0 {
				here = same
			} else if len(deep) > 0 {
				here = deep
			}
		}
		if pos = here[rng.IntN(len(here))]; r.points.nearest(pos.Frame, pos.Draw) != nil {
			inside++
		}
		got := r.Seek(context.Background(), pos)
		g, want := fresh(t, trace, o.Options, pos)
		if g == nil {
			continue
		}
		if want != nil {
			require.EqualError(t, got, want.Error(), "seed %d, %v", seed, pos)
			_, ok := r.Position()
			require.False(t, ok)
		} else {
			require.NoError(t, got, "seed %d, %v", seed, pos)
			at, ok := r.Position()
			require.True(t, ok)
			require.Equal(t, pos, at)
		}
		a.take(r.GPU)
		b.take(g)
		require.Empty(t, a.difference(&b), "seed %d, %v", seed, pos)
		require.Equal(t, g.Warnings(), r.GPU.Warnings())
		g.Close()
		compared++
		if rng.IntN(4) == 0 { // cancelled on the way
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_ = r.Seek(ctx, all[rng.IntN(len(all))])
		}
		if rng.IntN(4) == 0 { // a visit leaves no changes
			to := all[rng.IntN(len(all))]
			_ = r.Visit(context.Background(), to, func(g *GPU) error {
				g.View = fragment.ViewOverdraw
				return nil
			})
		}
	}
	return compared, inside
}

// At any position a Replayer equals a replay from the start: our traces, with and without checkpoints.
func TestReplayerEqualsReplayFromStart(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs") {
		for name, bytes := range map[string]int64{"checkpoints": 0, "few": 3 << 20, "none": -1} {
			t.Run(file.Name+"/"+name, func(t *testing.T) {
				o := ReplayerOptions{Options: Options{Workers: 2}, CheckpointBytes: bytes}
				compared, inside := jumpAbout(t, states.Parse(t, file.Read(t)), o, 7, 8)
				require.NotZero(t, compared)
				if file.Name != "arcs" { // frames of arcs have one draw
					require.Equal(t, bytes >= 0, inside > 0)
				}
			})
		}
	}
}

// The same with random states, which warn, hang, leave strips and vectors incomplete, draw in immediate mode and read their
// targets. Several are joined to have frames to jump between.
func TestReplayerWithRandomStates(t *testing.T) {
	testkit.Slow(t)
	n := 48
	compared, inside, failed, warned := 0, 0, 0, 0
	for seed := range uint64(n) {
		trace := chain(t, seed*5, 5, seed%3 == 2)
		// Room for a few checkpoints, so that some are dropped.
		o := ReplayerOptions{Options: Options{Workers: 1 + int(seed%2), FCRAM: states.FCRAM}, CheckpointBytes: []int64{0, 1 << 20, 600 << 10, -1}[seed%4]}
		one, within := jumpAbout(t, trace, o, seed, 12)
		compared, inside = compared+one, inside+within
		g, err := fresh(t, trace, o.Options, Position{trace.Frames() - 1, FrameEnd})
		if err != nil {
			failed++
		}
		if len(g.Warnings()) > 0 {
			warned++
		}
	}
	t.Logf("%d positions compared, %d from inside of their frame; %d of %d recordings fail, %d warn", compared, inside, failed, n, warned)
	require.Greater(t, inside, compared/8)
	require.NotZero(t, failed)
	require.NotZero(t, warned)
	require.Less(t, failed, n/2)
}

// chain joins several random recordings; with hangs, it hangs before its end.
func chain(t *testing.T, first uint64, n int, hangs bool) *picatrace.Trace {
	t.Helper()
	all := &citrace.Builder{Layout: citrace.Tagged}
	for i := range uint64(n) {
		one := testkit.Must(citrace.Parse(states.Make(first + i)))(t)
		if i == 0 {
			all.Initial = one.Initial
		}
		for k := range one.Elements {
			switch e := &one.Elements[k]; e.Type {
			case citrace.FrameMarker:
				all.EndFrame()
			case citrace.MemoryLoad:
				all.Load(e.Address, one.Payload(*e))
			case citrace.RegisterWrite:
				all.WriteWidth(e.Address, e.Width, e.Value)
			}
		}
		if hangs && i == 3 { // a command list of zeros never ends
			all.Write(pica.ExtCommandListSize, 1)
			all.Write(pica.ExtCommandListAddr, (pica.FCRAMBase+states.FCRAM-64)>>3)
			all.Write(pica.ExtCommandListStart, 1)
		}
		all.EndFrame()
	}
	return states.Built(t, all)
}

// Positions that do not exist, and recordings without frames, give errors.
func TestReplayerRejectsMissingPositions(t *testing.T) {
	r := ReplayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), ReplayerOptions{})
	ctx := context.Background()
	n := r.Frames()
	for pos, want := range map[Position]string{
		{n, 0}:                         fmt.Sprintf("there is no frame %d; the recording has %d, 0 to %d", n, n, n-1),
		{-1, 0}:                        "there is no frame -1",
		{-2, FrameEnd}:                 "there is no frame -2",
		{math.MinInt, math.MaxInt}:     "there is no frame",
		{0, -2}:                        "there is no draw -2; draws count from 0",
		{0, math.MaxInt}:               "there is no draw",
		{0, math.MaxInt - 1}:           fmt.Sprintf("there is no draw %d: frame 0 has", math.MaxInt-1),
		{math.MaxInt, math.MaxInt - 1}: "there is no frame",
	} {
		require.ErrorContains(t, r.Seek(ctx, pos), want, "%v", pos)
	}
	var none *NoDrawError
	require.ErrorAs(t, r.Seek(ctx, Position{0, 1000}), &none)
	at, ok := r.Position()
	require.True(t, ok)
	require.Equal(t, Position{0, FrameEnd}, at)
	require.NoError(t, r.Seek(ctx, Position{0, none.Draws - 1}))

	empty := ReplayerFor(t, &picatrace.Trace{}, ReplayerOptions{})
	require.NoError(t, empty.Seek(ctx, Start))
	require.ErrorContains(t, empty.Seek(ctx, Position{0, FrameEnd}), "the recording has none")
}

// stripes is a recording of n frames: each changes memory, draws a part of lights, and continues with the memory of the frame
// before.
func stripes(t testing.TB, frames int) *picatrace.Trace {
	t.Helper()
	source := states.Parse(t, testkit.Named(t, "lights")[0].Read(t))
	first := testkit.Must(source.Frame(0))(t)
	w := &citrace.Builder{Layout: citrace.Tagged}
	for b, from := range source.Initial {
		switch b {
		case picatrace.ExternalRegisters:
			w.Initial[citrace.GPURegisters] = from
		case picatrace.InternalRegisters:
			w.Initial[citrace.PICARegisters] = from
		}
	}
	for i := range frames {
		for k := range first.Events {
			e := &first.Events[k]
			switch {
			case e.Kind == picatrace.Load:
				w.Load(e.Words[0], e.Data)
			case e.Kind == picatrace.Write:
				w.WriteWidth(e.Words[0], uint8(e.Words[1]), uint64(e.Words[3])<<32|uint64(e.Words[2]))
			}
		}
		w.Load(pica.FCRAMBase+0x1000000+uint32(i%512)*4096, bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 2048))
		w.EndFrame()
	}
	return states.Built(t, w)
}

// A replayer reports its position, the counts up to it, and its progress after every kind of step.
func TestReplayerReportsPositionAndProgress(t *testing.T) {
	const frames = 5
	trace := stripes(t, frames)
	var counted []Stats // per frame
	draws := 0
	_, err := ReplayFor(t, trace, Options{Workers: 1}, func(_ *GPU, f Frame) error {
		counted = append(counted, f.Stats)
		draws = f.Stats.Draws
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, draws, 1)
	r := ReplayerFor(t, trace, ReplayerOptions{Options: Options{Workers: 1}})
	require.Same(t, trace, r.Trace())
	require.Equal(t, frames, r.Frames())
	var steps [][2]int
	r.Progress = func(done, total int) { steps = append(steps, [2]int{done, total}) }
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	end := func(frame int) Position { return Position{frame, FrameEnd} }
	for i, c := range []struct {
		name  string
		step  func() error
		err   string
		at    Position
		valid bool
		draws int // counted draws; -1: not checked
		steps [][2]int
	}{
		{"the start", func() error { return r.Seek(t.Context(), Start) }, "", Start, true, 0, nil},
		{"two frames", func() error { return r.Seek(t.Context(), end(1)) }, "", end(1), true, draws, [][2]int{{1, 2}, {2, 2}}},
		{"there already", func() error { return r.Seek(t.Context(), end(1)) }, "", end(1), true, draws, nil},
		{"one on", func() error { return r.Seek(t.Context(), end(2)) }, "", end(2), true, draws, [][2]int{{1, 1}}},
		{"a draw of the frame that is next", func() error { return r.Seek(t.Context(), Position{3, 0}) }, "", Position{3, 0}, true, 1, nil},
		{"the same draw", func() error {
			r.GPU.BeforeDraw = func(*DrawInfo) error { return errors.New("it is drawn already") }
			defer func() { r.GPU.BeforeDraw = nil }()
			return r.Seek(t.Context(), Position{3, 0})
		}, "", Position{3, 0}, true, 1, nil},
		{"its end", func() error { return r.Seek(t.Context(), end(3)) }, "", end(3), true, draws, [][2]int{{1, 1}}},
		{"a visit of the start", func() error {
			return r.Visit(t.Context(), Start, func(*GPU) error { panic("there is no frame") })
		}, "", Start, true, 0, nil},
		{"a visit of a whole frame", func() error { return r.Visit(t.Context(), end(3), nil) }, "", end(3), true, draws, nil},
		{"no such draw", func() error { return r.Seek(t.Context(), Position{2, draws}) },
			fmt.Sprintf("there is no draw %d: frame 2 has %d, 0 to %d", draws, draws, draws-1), end(2), true, draws, nil},
		{"a visit that looks at something else", func() error {
			return r.Visit(t.Context(), Position{1, 1}, func(g *GPU) error { g.View = fragment.ViewOverdraw; return nil })
		}, "", Position{1, 1}, false, 2, nil},
		{"back to its end", func() error { return r.Seek(t.Context(), end(1)) }, "", end(1), true, draws, nil},
		{"a visit that is not begun", func() error {
			return r.Visit(t.Context(), end(2), func(*GPU) error { return errors.New("no") })
		}, "no", end(1), false, -1, nil},
		{"a visit that ends itself", func() error {
			return r.Visit(t.Context(), end(2), func(g *GPU) error {
				g.BeforeDraw = func(d *DrawInfo) error {
					if d.Index == 1 {
						return errors.New("enough")
					}
					return nil
				}
				return nil
			})
		}, "enough", end(1), false, 2, nil},
		{"a visit that spoils", func() error {
			return r.Visit(t.Context(), end(2), func(g *GPU) error { r.Invalidate(); return nil })
		}, "", end(2), false, draws, nil},
		{"the same place", func() error { return r.Seek(t.Context(), end(2)) }, "", end(2), true, draws, nil},
		{"a frame that is not there", func() error { return r.Visit(t.Context(), end(frames), nil) }, "there is no frame 5", end(2), true, draws, nil},
		{"cancelled", func() error { return r.Seek(ended, end(4)) }, context.Canceled.Error(), end(3), false, 0, nil},
		{"on after it", func() error { return r.Seek(t.Context(), end(4)) }, "", end(4), true, draws, [][2]int{{1, 1}}},
	} {
		steps = nil
		err := c.step()
		if c.err == "" {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, c.err, c.name)
		}
		at, valid := r.Position()
		require.Equal(t, c.valid, valid, c.name)
		require.Equal(t, c.at, at, c.name)
		if c.steps != nil || i < 8 {
			require.Equal(t, c.steps, steps, c.name)
		}
		if c.draws >= 0 {
			require.Equal(t, c.draws, r.Stats().Draws, c.name)
		}
		if valid && at != Start && at.Draw == FrameEnd {
			require.Equal(t, counted[at.Frame].Fragments, r.Stats().Fragments, c.name)
		}
		require.Equal(t, Hooks{}, r.GPU.Hooks)
		require.Equal(t, fragment.ViewFinal, r.GPU.View)
		require.Nil(t, r.GPU.watch)
		require.Zero(t, r.GPU.progress.stop)
		require.Equal(t, r.points.size(), r.CheckpointBytes())
	}
	// An error of Change ends the visit.
	r.Change = func(int, *GPU, *DrawInfo) error { return errors.New("no such register") }
	require.ErrorContains(t, r.Seek(t.Context(), end(4)), "no such register")
	r.Change = nil

	// A visit leaves no hooks, also if it ends in an error.
	require.Error(t, r.Visit(t.Context(), end(4), func(g *GPU) error {
		g.AfterDraw = func(*DrawInfo) error { return g.WatchLast(1, 1, func(Event) {}) }
		g.BeforeDraw = func(d *DrawInfo) error {
			if d.Index == 1 {
				require.NotNil(t, g.watch)
				return errors.New("enough")
			}
			return nil
		}
		g.View = fragment.ViewOverdraw
		return nil
	}))
	require.Equal(t, Hooks{}, r.GPU.Hooks)
	require.Nil(t, r.GPU.watch)
	for e, want := range map[*NoDrawError]string{
		{Position{3, 2}, 0}: "there is no draw 2: frame 3 draws nothing",
		{Position{3, 2}, 1}: "there is no draw 2: frame 3 has one, draw 0",
		{Position{3, 5}, 4}: "there is no draw 5: frame 3 has 4, 0 to 3",
	} {
		require.EqualError(t, e, want)
	}
	for p, want := range map[Position]string{Start: "start", end(3): "end of frame 3", {3, 0}: "frame 3, draw 0", {-1, 0}: "frame -1, draw 0"} {
		require.Equal(t, want, p.String())
	}
}
