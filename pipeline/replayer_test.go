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

// whole is everything that a GPU holds, for comparing: nothing is left out but
// what only counts work or names contents.
type whole struct {
	memory map[string][]byte
	state  *snapshot
	setups [2]setupBits
}

// setupBits are the parts of a shader unit as bits, so that NaNs compare.
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

func wholeOf(g *GPU) whole {
	_ = g.flush(context.Background())
	w := whole{memory: map[string][]byte{}, state: g.snapshot(nil)}
	for i := range g.mem.regions {
		r := &g.mem.regions[i]
		for p, g := range r.written {
			if data := r.page(p); g != 0 && !bytes.Equal(data, zeroPage[:]) {
				w.memory[r.name] = append(fmt.Appendf(w.memory[r.name], "page %d:", p), data...)
			}
		}
	}
	w.setups = [2]setupBits{bitsOf(w.state.vs), bitsOf(w.state.gs)}
	w.state.vs, w.state.gs = nil, nil
	tables := *w.state.tables
	tables.Version = 0
	w.state.tables = &tables
	return w
}

// difference names what differs, "" if nothing does.
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
		// %#v shows NaNs alike and negative zeros apart.
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
	p, err := NewPlayer(trace, o)
	require.NoError(t, err)
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
		return nil, nil // left out with a warning: no hook tells of it
	}
	return p.GPU, err
}

// places lists positions of a recording with the number of draws of each frame,
// as far as it can be played.
func places(t *testing.T, trace *picatrace.Trace, o Options) (list []Position) {
	t.Helper()
	p, err := NewPlayer(trace, o)
	require.NoError(t, err)
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
func jumpAbout(t *testing.T, trace *picatrace.Trace, o ReplayerOptions, seed uint64, jumps int) (compared int) {
	t.Helper()
	r, err := NewReplayer(trace, o)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(seed, 1))
	all := places(t, trace, o.Options)
	for range jumps {
		pos := all[rng.IntN(len(all))]
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
		a, b := wholeOf(r.GPU), wholeOf(g)
		require.Empty(t, a.difference(&b), "seed %d, %v", seed, pos)
		require.Equal(t, g.Warnings(), r.GPU.Warnings())
		compared++
		if rng.IntN(4) == 0 { // cancelled on the way
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			_ = r.Seek(ctx, all[rng.IntN(len(all))])
		}
		if rng.IntN(4) == 0 { // what a visit shows does not stay
			to := all[rng.IntN(len(all))]
			_ = r.Visit(context.Background(), to, func(g *GPU) error {
				g.View = fragment.ViewOverdraw
				return nil
			})
		}
	}
	return compared
}

// Wherever a replayer jumps, it is as if the recording had been played up to
// there from the start: our own traces, with checkpoints and without.
func TestReplayerIsAFreshReplay(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs") {
		for name, bytes := range map[string]int64{"checkpoints": 0, "few": 3 << 20, "none": -1} {
			t.Run(file.Name+"/"+name, func(t *testing.T) {
				o := ReplayerOptions{Options: Options{Workers: 2}, CheckpointBytes: bytes}
				require.NotZero(t, jumpAbout(t, readTrace(t, file), o, 7, 5))
			})
		}
	}
}

// The same with random states, which warn, hang, leave strips and vectors
// unfinished, draw in immediate mode and read what they drew. Several are put
// behind each other, so that there are frames to jump between.
func TestReplayerInRandomStates(t *testing.T) {
	testkit.Slow(t)
	n := 48
	compared, failed, warned := 0, 0, 0
	for seed := range uint64(n) {
		trace := chain(t, seed*5, 5, seed%3 == 2)
		// A bound of a few checkpoints, so that they come and go.
		o := ReplayerOptions{Options: Options{Workers: 1 + int(seed%2), FCRAM: states.FCRAM}, CheckpointBytes: []int64{0, 1 << 20, 600 << 10, -1}[seed%4]}
		compared += jumpAbout(t, trace, o, seed, 8)
		g, err := fresh(t, trace, o.Options, Position{trace.Frames() - 1, FrameEnd})
		if err != nil {
			failed++
		}
		if len(g.Warnings()) > 0 {
			warned++
		}
	}
	t.Logf("%d positions compared; %d of %d recordings fail, %d warn", compared, failed, n, warned)
	require.NotZero(t, failed)
	require.NotZero(t, warned)
	require.Less(t, failed, n/2)
}

// chain makes one recording of several random ones, which hangs before its end
// or not.
func chain(t *testing.T, first uint64, n int, hangs bool) *picatrace.Trace {
	t.Helper()
	all := &citrace.Builder{Layout: citrace.Tagged}
	for i := range uint64(n) {
		one, err := citrace.Parse(states.Make(first + i))
		require.NoError(t, err)
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
		if hangs && i == 3 { // a command list of zeros, which never ends
			all.Write(pica.ExtCommandListSize, 1)
			all.Write(pica.ExtCommandListAddr, (pica.FCRAMBase+states.FCRAM-64)>>3)
			all.Write(pica.ExtCommandListStart, 1)
		}
		all.EndFrame()
	}
	data, err := all.Encode()
	require.NoError(t, err)
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	return trace
}

// Positions that are not there, and recordings without a frame.
func TestReplayerSaysWhatIsNotThere(t *testing.T) {
	r, err := NewReplayer(readTrace(t, testkit.Named(t, "lights")[0]), ReplayerOptions{})
	require.NoError(t, err)
	ctx := context.Background()
	n := r.Frames()
	for pos, want := range map[Position]string{
		{n, 0}:                            fmt.Sprintf("there is no frame %d; the recording has %d, 0 to %d", n, n, n-1),
		{-1, 0}:                           "there is no frame -1",
		{-2, FrameEnd}:                    "there is no frame -2",
		{math.MinInt, math.MaxInt}:        "there is no frame",
		{0, -2}:                           "there is no draw -2; draws count from 0",
		{0, math.MaxInt}:                  "there is no draw",
		{0, math.MaxInt - 1}:              "there is no draw 9223372036854775806: frame 0 has",
		{math.MaxInt, math.MaxInt32 << 5}: "there is no frame",
	} {
		require.ErrorContains(t, r.Seek(ctx, pos), want, "%v", pos)
	}
	var none *NoDrawError
	require.ErrorAs(t, r.Seek(ctx, Position{0, 1000}), &none)
	at, ok := r.Position()
	require.True(t, ok)
	require.Equal(t, Position{0, FrameEnd}, at)
	require.NoError(t, r.Seek(ctx, Position{0, none.Draws - 1}))

	empty, err := NewReplayer(&picatrace.Trace{}, ReplayerOptions{})
	require.NoError(t, err)
	require.NoError(t, empty.Seek(ctx, Start))
	require.ErrorContains(t, empty.Seek(ctx, Position{0, FrameEnd}), "the recording has none")
}

// stripes is a recording of n frames of our own: each draws some of what lights
// draws, after a change of memory of its own, and goes on with what is there.
func stripes(t testing.TB, frames int) *picatrace.Trace {
	t.Helper()
	source := readTrace(t, testkit.Named(t, "lights")[0])
	first, err := source.Frame(0)
	require.NoError(t, err)
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
	data, err := w.Encode()
	require.NoError(t, err)
	trace, err := picatrace.Parse(data)
	require.NoError(t, err)
	return trace
}

// The bound holds at every moment, and a longer way back is all that a lower one
// costs.
func TestCheckpointsStayWithinTheirBound(t *testing.T) {
	testkit.Slow(t)
	trace := stripes(t, 40)
	longest := map[int64]int{}
	for _, bound := range []int64{-1, 1 << 10, 4 << 20, 16 << 20, 0} {
		r, err := NewReplayer(trace, ReplayerOptions{CheckpointBytes: bound})
		require.NoError(t, err)
		start := r.CheckpointBytes()
		limit := bound
		if bound == 0 {
			limit = DefaultCheckpointBytes
		}
		played := 0
		r.Progress = func(done, _ int) {
			played = done
			require.LessOrEqual(t, r.CheckpointBytes(), max(limit, start))
		}
		ctx := context.Background()
		require.NoError(t, r.Seek(ctx, Position{39, FrameEnd}))
		require.Equal(t, 40, played)
		rng := rand.New(rand.NewPCG(3, 3))
		for range 30 {
			played = 0
			require.NoError(t, r.Seek(ctx, Position{rng.IntN(40), FrameEnd}))
			longest[bound] = max(longest[bound], played)
		}
		sum := int64(0)
		for _, c := range r.points.list {
			sum += c.gpu.bytes()
		}
		require.Equal(t, sum, r.points.gpus)
		for len(r.points.list) > 1 {
			r.points.drop(r.points.list[1])
		}
		require.LessOrEqual(t, r.CheckpointBytes(), start+1<<14, "what dropped checkpoints held is given back")
	}
	t.Logf("frames that the longest way took: %v", longest)
	require.LessOrEqual(t, longest[0], 1)
	require.Greater(t, longest[-1], 25)
	require.LessOrEqual(t, longest[16<<20], longest[4<<20])
	require.Less(t, longest[4<<20], longest[-1])
}

// Every field of a GPU is either part of snapshots or known to need no saving,
// so that a new one is not forgotten.
func TestSnapshotsHoldEveryField(t *testing.T) {
	saved := "mem programmed displays stage immediate list place targets counters warnings "
	hooks := "Hooks Timing View watch tests "
	made := "pool engine queues transfer unmodelled budget " // derived, empty between frames, or begun anew with each
	draw := "scratch "                                       // of the draw that runs
	set := "strict kernels "                                 // Options
	known := map[string]bool{}
	for _, name := range bytes.Fields([]byte(saved + hooks + made + draw + set)) {
		known[string(name)] = true
	}
	fields := func(typ reflect.Type) (names []string) {
		for i := range typ.NumField() {
			names = append(names, typ.Field(i).Name)
		}
		return names
	}
	for _, name := range fields(reflect.TypeFor[GPU]()) {
		require.True(t, known[name], "GPU.%s: does a snapshot need it?", name)
	}
	// Of these a snapshot holds the fields one by one.
	require.Equal(t, []string{"regs", "tables", "vs", "gs", "fixed", "upload"}, fields(reflect.TypeFor[programmed]()))
	require.Equal(t, []string{"ext", "lcd", "colors"}, fields(reflect.TypeFor[displays]()))
	require.Equal(t, []string{"frame", "draw", "stop", "change"}, fields(reflect.TypeFor[place]()), "the last two are hooks")
	require.Equal(t, []string{"cache", "last", "gas", "shadow"}, fields(reflect.TypeFor[targets]()), "the first is derived")
	require.Equal(t, []string{"Stats", "fragments", "compiled", "decoded"}, fields(reflect.TypeFor[counters]()), "no snapshot takes the last two back")
}

// Draws lists what CountDraws counts, with what the registers say.
func TestDrawsOfAFrame(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs") {
		trace := readTrace(t, file)
		var counted []DrawStats
		_, err := CountDraws(context.Background(), trace, Options{}, func(s *DrawStats) error {
			counted = append(counted, *s)
			return nil
		})
		require.NoError(t, err)
		r, err := NewReplayer(trace, ReplayerOptions{})
		require.NoError(t, err)
		var listed []DrawStats
		for frame := range trace.Frames() {
			list, err := r.Draws(context.Background(), frame)
			require.NoError(t, err)
			for i, d := range list {
				listed = append(listed, d.DrawStats)
				require.False(t, d.LeftOut)
				require.NotEmpty(t, d.Mode)
				if i > 0 {
					require.Equal(t, d.Target != list[i-1].Target, d.Pass != list[i-1].Pass)
				}
			}
		}
		require.Equal(t, counted, listed)
	}
	r, err := NewReplayer(chain(t, 0, 5, true), ReplayerOptions{Options: Options{FCRAM: states.FCRAM}})
	require.NoError(t, err)
	_, err = r.Draws(context.Background(), -1)
	require.ErrorContains(t, err, "there is no frame -1")
	leftOut := 0
	for frame := range r.Frames() {
		list, err := r.Draws(context.Background(), frame)
		if err != nil {
			require.ErrorIs(t, err, pica.ErrHang)
			break
		}
		for _, d := range list {
			if d.LeftOut {
				leftOut++
			}
		}
	}
	t.Logf("%d draws left out", leftOut)
}

// A vertex in immediate mode that is half there comes back with its checkpoint, and what
// follows a checkpoint does not reach into it.
func TestSnapshotsOfImmediateMode(t *testing.T) {
	g := New(Options{})
	defer g.Close()
	a, b, c := [4]float32{1, 2, 3, 4}, [4]float32{5, 6, 7, 8}, [4]float32{9, 10, 11, 12}
	g.immediate.vertices, g.immediate.partial = append(g.immediate.vertices, a, b), append(g.immediate.partial, c)
	s := g.snapshot(nil)
	g.immediate.vertices[0], g.immediate.partial[0] = c, a
	g.immediate.partial = append(g.immediate.partial, b)
	for range 2 {
		g.restore(s)
		require.Equal(t, [][4]float32{a, b}, g.immediate.vertices)
		require.Equal(t, [][4]float32{c}, g.immediate.partial)
		g.immediate.vertices[1], g.immediate.partial[0] = c, b
	}
	require.Equal(t, 4*(cap(g.list.words))+16*(cap(g.immediate.vertices)+cap(g.immediate.partial)+cap(g.immediate.drawn)), g.MemoryHeld().Lists)
}

// The checkpoint goes without which the way to the next one grows least: never the first,
// nor the one that memory is held against.
func TestCheckpointThatIsDropped(t *testing.T) {
	for _, c := range []struct {
		name    string
		cost    []uint64 // of the frames up to each
		at      []int
		base    int
		dropped int // in at; -1: none
		spacing uint64
	}{
		{"the nearest two", []uint64{0, 10, 25, 30, 50}, []int{0, 1, 2, 3, 4}, 4, 2, 10},
		{"the last, which has the end behind it", []uint64{0, 40, 60, 62, 63}, []int{0, 1, 2}, 1, 2, 11},
		{"the first of two alike", []uint64{0, 10, 20, 30}, []int{0, 1, 2, 3}, 3, 1, 10},
		{"not the base", []uint64{0, 1, 2, 100, 200}, []int{0, 1, 2, 3}, 1, 2, 49},
		{"nothing to drop", []uint64{0, 1}, []int{0, 1}, 1, -1, 0},
	} {
		points := checkpoints{cost: c.cost, pages: pageStore{}}
		for _, frames := range c.at {
			g := New(Options{})
			points.list = append(points.list, &checkpoint{frames: frames, gpu: g.snapshot(nil)})
		}
		points.base = points.list[c.base]
		was := append([]*checkpoint{}, points.list...)
		require.Equal(t, c.dropped >= 0, points.dropOne(), c.name)
		if c.dropped >= 0 {
			was = append(was[:c.dropped:c.dropped], was[c.dropped+1:]...)
		}
		require.Equal(t, was, points.list, c.name)
		require.Equal(t, c.spacing, points.spacing, c.name)
	}
}

// Every word of a recording's first state lands in its own register, and an event's write
// of eight bytes in two.
func TestInitialRegisters(t *testing.T) {
	state := picatrace.State{}
	for _, b := range []picatrace.Block{picatrace.ExternalRegisters, picatrace.ScreenRegisters} {
		for i := range b.Words() {
			state[b] = append(state[b], uint32(b)<<24|uint32(i))
		}
	}
	g := New(Options{})
	defer g.Close()
	g.loadInitial(state)
	for i := range g.ext {
		require.Equal(t, uint32(picatrace.ExternalRegisters)<<24|uint32(i), g.ext[i])
	}
	for i := range g.lcd {
		require.Equal(t, uint32(picatrace.ScreenRegisters)<<24|uint32(i), g.lcd[i])
	}
	e := picatrace.RegisterWrite(internalBase+4*uint32(pica.RegBlendColor), 8, 0x1122334455667788)
	require.NoError(t, g.do(t.Context(), &e))
	e = picatrace.Event{Kind: picatrace.Load, Words: [7]uint32{0x1000}, Data: []byte{1}}
	require.ErrorContains(t, g.do(t.Context(), &e), "memory load: ")
	require.Equal(t, []uint32{0x55667788, 0x11223344}, []uint32{g.ReadInternal(pica.RegBlendColor), g.ReadInternal(pica.RegBlendColor + 1)})
}
