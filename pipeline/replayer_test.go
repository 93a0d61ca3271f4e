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
func jumpAbout(t *testing.T, trace *picatrace.Trace, o ReplayerOptions, seed uint64, jumps int) (compared, inside int) {
	t.Helper()
	r, err := NewReplayer(trace, o)
	require.NoError(t, err)
	r.points.near, r.points.step = 0, 0 // one behind each draw
	rng := rand.New(rand.NewPCG(seed, 1))
	all := places(t, trace, o.Options)
	pos := Start
	for range jumps {
		here := all
		if rng.IntN(4) > 0 { // mostly far inside of a frame, and of the same one again
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
	return compared, inside
}

// Wherever a replayer jumps, it is as if the recording had been played up to
// there from the start: our own traces, with checkpoints and without.
func TestReplayerIsAFreshReplay(t *testing.T) {
	for _, file := range testkit.Named(t, "lights", "shadow", "gas", "arcs") {
		for name, bytes := range map[string]int64{"checkpoints": 0, "few": 3 << 20, "none": -1} {
			t.Run(file.Name+"/"+name, func(t *testing.T) {
				o := ReplayerOptions{Options: Options{Workers: 2}, CheckpointBytes: bytes}
				compared, inside := jumpAbout(t, readTrace(t, file), o, 7, 8)
				require.NotZero(t, compared)
				if file.Name != "arcs" { // whose frames have one draw
					require.Equal(t, bytes >= 0, inside > 0)
				}
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
	compared, inside, failed, warned := 0, 0, 0, 0
	for seed := range uint64(n) {
		trace := chain(t, seed*5, 5, seed%3 == 2)
		// A bound of a few checkpoints, so that they come and go.
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
	require.Equal(t, []string{"frame", "draw", "stop", "change", "pass", "target", "mark", "last"}, fields(reflect.TypeFor[place]()), "stop, change and mark are hooks, and last is of an event")
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

// A GPU's state as words: every register, program, uniform and table in its place, without
// zeros at the end where a reader takes what is not there for zeros. Another GPU that is
// given it has all of it, and pages are those that were written.
func TestStateAsWords(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 3))
	g := New(Options{Workers: 1})
	defer g.Close()
	fill := func(words []uint32, bits int) {
		for i := range words {
			words[i] = rng.Uint32() >> (32 - bits)
		}
	}
	empty, err := g.State(t.Context())
	require.NoError(t, err)
	require.Len(t, empty[picatrace.InternalRegisters], len(g.regs), "also of zeros")
	require.NotContains(t, empty, picatrace.FogTable)
	require.NotContains(t, empty, picatrace.VertexCode)

	fill(g.regs[:], 32)
	fill(g.ext[:100], 32)
	fill(g.lcd[:7], 32)
	t1 := &g.tables
	for i := range t1.Light {
		fill(t1.Light[i][:], 24)
	}
	for _, words := range [][]uint32{t1.Fog[:], t1.Gas[:], t1.ProcNoise[:], t1.ProcRGBMap[:], t1.ProcAlphaMap[:], t1.ProcColor[:], t1.ProcColorDiff[:]} {
		fill(words, 24)
	}
	t1.Fog[len(t1.Fog)-1], t1.Fog[len(t1.Fog)-2] = 0, 0
	for _, s := range []*shaderunit.Setup{&g.vs, &g.gs} {
		for i := range shaderunit.CodeWords / 2 {
			s.SetCode(i, rng.Uint32()|1)
		}
		for i := range shaderunit.Descriptors {
			s.SetDesc(i, rng.Uint32()>>1|1)
		}
		for i := range s.Float {
			s.Float[i] = [4]float32{float32(i), -1 - float32(i), 0.5, float32(rng.IntN(99))}
		}
		for i := range s.Int {
			s.Int[i] = [4]uint8{byte(rng.Uint32()), byte(i), byte(rng.Uint32()), byte(rng.Uint32() | 1)}
		}
		s.Bool = uint16(rng.Uint32())
	}
	for i := range g.fixed {
		g.fixed[i] = [4]float32{float32(i), 2, -3, float32(rng.IntN(99))}
	}
	s, err := g.State(t.Context())
	require.NoError(t, err)
	require.Equal(t, g.ext[:], s[picatrace.ExternalRegisters], "zeros at the end stay: the system's values would stand in their place")
	require.Equal(t, g.lcd[:7], s[picatrace.ScreenRegisters])
	require.Equal(t, t1.Fog[:len(t1.Fog)-2], s[picatrace.FogTable])
	regs := s[picatrace.InternalRegisters]
	for reg, w := range g.regs {
		want := w
		for _, unit := range []struct {
			s    *shaderunit.Setup
			base pica.Reg
		}{{&g.gs, pica.OffsetGsh}, {&g.vs, pica.OffsetVsh}} {
			at := pica.Reg(reg) - pica.RegGshBooluniform - unit.base
			switch {
			case at == 0:
				want = w&^0xFFFF | uint32(unit.s.Bool)
			case at >= 1 && at <= 4:
				v := unit.s.Int[at-1]
				want = uint32(v[0]) | uint32(v[1])<<8 | uint32(v[2])<<16 | uint32(v[3])<<24
			}
		}
		require.Equal(t, want, regs[reg], "register 0x%X", reg)
	}
	other := New(Options{Workers: 1})
	defer other.Close()
	require.NoError(t, other.SetState(t.Context(), s))
	for i, unit := range [][2]*shaderunit.Setup{{&g.vs, &other.vs}, {&g.gs, &other.gs}} {
		a, b := bitsOf(unit[0]), bitsOf(unit[1])
		require.Equal(t, a.code, b.code, "unit %d", i)
		require.Equal(t, a.desc, b.desc)
		require.Equal(t, a.float, b.float)
		require.Equal(t, unit[0].Bool, unit[1].Bool)
		require.Equal(t, unit[0].Int, unit[1].Int)
	}
	require.Equal(t, g.fixed, other.fixed)
	require.True(t, sameTables(&g.tables, &other.tables))
	again, err := other.State(t.Context())
	require.NoError(t, err)
	require.Equal(t, s, again)

	require.Empty(t, g.Leftovers())
	g.colors[1] = &[256]rgba{255: 9}
	left := g.Leftovers()
	require.Len(t, left, 1+256+1)
	require.Equal(t, picatrace.RegWrite{Addr: pica.ExtPdcLutData + pica.StridePdc, Value: 9}, left[256])

	// Pages that were written since the reset, in order.
	require.NoError(t, g.Load(t.Context(), pica.VRAMBase+9*pageSize, []byte{9}))
	g.Reset()
	for _, addr := range []uint32{pica.FCRAMBase + 5*pageSize + 7, pica.VRAMBase + 3*pageSize, pica.VRAMBase + pageSize - 1, pica.FCRAMBase} {
		require.NoError(t, g.Load(t.Context(), addr, []byte{byte(addr >> pageBits), 1}))
	}
	var pages []uint32
	each := func(ctx context.Context) error {
		return g.EachPage(ctx, func(addr uint32, page []byte) {
			pages = append(pages, addr)
			want, err := g.mem.Slice(addr, pageSize)
			require.NoError(t, err)
			require.Equal(t, want, page)
		})
	}
	require.NoError(t, each(t.Context()))
	require.Equal(t, []uint32{pica.VRAMBase, pica.VRAMBase + pageSize, pica.VRAMBase + 3*pageSize, pica.FCRAMBase, pica.FCRAMBase + 5*pageSize}, pages)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, each(ended), context.Canceled)
	_, err = g.State(ended)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorIs(t, g.SetState(ended, s), context.Canceled)
	require.Len(t, pages, 5)
}

// What a snapshot shares with the one before is the same in every bit, and going back
// leaves what was made of equal contents of use.
func TestWhatSnapshotsShare(t *testing.T) {
	g := New(Options{Workers: 1})
	defer g.Close()
	one := g.snapshot(nil)
	require.Same(t, one.vs, g.snapshot(one).vs)
	require.Same(t, one.gs, g.snapshot(one).gs)
	for _, x := range []float32{1, float32(math.NaN())} {
		g.gs.Float[95][3] = x
		two := g.snapshot(one)
		require.NotSame(t, one.gs, two.gs, "%v", x)
		require.Equal(t, math.Float32bits(x), math.Float32bits(two.gs.Float[95][3]))
		require.Same(t, one.vs, two.vs)
	}
	g.gs.Float[95][3] = 1
	require.Same(t, shareSetup(&g.gs, &g.gs), &g.gs)
	for i := range uint64(2) { // a zero with a sign is none, in either form
		require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshFloatuniformIndex, uint32(i)<<31|5))
		for _, w := range [2][]uint32{{0x80000080, 0x00008000, 0x00800000}, {1 << 31, 1 << 31, 1 << 31, 1 << 31}}[i] {
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegVshFloatuniformData0, w))
		}
	}
	held := bitsOf(&g.vs).float
	require.Equal(t, make([][4]uint32, 2), held[5:7])

	g.warnings.add(1, 2, "a")
	g.colors[1] = &[256]rgba{3: 7}
	g.place.frame, g.place.draw = 4, 5
	s := g.snapshot(one)
	version := g.tables.Version
	g.restore(s)
	require.Equal(t, version, g.tables.Version, "the same tables")
	require.NotSame(t, s.colors[1], g.colors[1])
	g.warnings.add(1, 2, "a")
	g.warnings.add(1, 3, "b")
	g.colors[1][3]++
	g.tables.Fog[1]++
	g.tables.Version += 3
	g.place.frame = 9
	g.upload.fixed.n = 2
	g.vs.SetCode(5, 77)
	g.gs.Bool ^= 9
	g.counters.Fills = 4
	g.restore(s)
	require.Zero(t, g.vs.Code(5))
	require.Equal(t, s.gs.Bool, g.gs.Bool)
	require.Zero(t, g.counters.Fills)
	require.Equal(t, []Warning{{1, 2, 1, "a"}}, g.Warnings())
	require.Equal(t, version+4, g.tables.Version, "newer than any")
	require.Zero(t, g.tables.Fog[1])
	require.EqualValues(t, 7, g.colors[1][3])
	require.Nil(t, g.colors[0])
	require.Equal(t, place{frame: 4, draw: 5}, g.place)
	require.Zero(t, g.upload.fixed.n)
	g.warnings.add(1, 2, "a")
	require.Equal(t, 2, g.Warnings()[0].Count, "it is known")
}

// A replayer says where it is, what was counted up to there and how far it has got, after
// every kind of step.
func TestReplayerSaysWhereItIs(t *testing.T) {
	const frames = 5
	trace := stripes(t, frames)
	var counted []Stats // of the frames
	draws := 0
	_, err := Replay(t.Context(), trace, Options{Workers: 1}, func(_ *GPU, f Frame) error {
		counted = append(counted, f.Stats)
		draws = f.Stats.Draws
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, draws, 1)
	r, err := NewReplayer(trace, ReplayerOptions{Options: Options{Workers: 1}})
	require.NoError(t, err)
	defer r.GPU.Close()
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
		draws int // that were counted; -1: not looked at
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
			return r.Visit(t.Context(), end(2), func(g *GPU) error { r.Spoil(); return nil })
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
		require.Zero(t, r.GPU.place.stop)
		require.Equal(t, r.points.held(), r.CheckpointBytes())
	}
	// A change that fails ends the visit.
	r.Change = func(int, *GPU, *DrawInfo) error { return errors.New("no such register") }
	require.ErrorContains(t, r.Seek(t.Context(), end(4)), "no such register")
	r.Change = nil

	// Nothing that a visit sets stays, also where it ends in an error.
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

// Which checkpoints a replayer takes where frames are too cheap for any: one where a visited
// frame begins, from which it goes on.
func TestCheckpointsOfVisits(t *testing.T) {
	trace := stripes(t, 5)
	for given, want := range map[int64]int64{0: DefaultCheckpointBytes, -1: 0, 5: 5} {
		r, err := NewReplayer(trace, ReplayerOptions{Options: Options{Workers: 1}, CheckpointBytes: given})
		require.NoError(t, err)
		require.Equal(t, want, r.points.bound)
		require.Equal(t, r.points.list[0].gpu.bytes(), r.points.gpus)
		require.Zero(t, r.points.spacing)
		require.Equal(t, []uint64{0}, r.points.cost)
		r.GPU.Close()
	}
	r, err := NewReplayer(trace, ReplayerOptions{Options: Options{Workers: 1}})
	require.NoError(t, err)
	defer r.GPU.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, r.Visit(ended, Position{3, 0}, func(*GPU) error { panic("the frame is not reached") }), context.Canceled)
	require.NoError(t, r.Visit(t.Context(), Position{0, FrameEnd}, nil))
	require.NotZero(t, r.Stats().Draws)
	require.Len(t, r.points.cost, 2)
	played := 0
	r.Progress = func(done, _ int) { played = done }
	for _, c := range []struct {
		visit   bool
		to      Position
		spacing uint64
		played  int
		taken   []int // where checkpoints are
		base    int
	}{
		{false, Position{1, FrameEnd}, 1 << 60, 1, []int{0}, 0},
		{true, Position{2, 0}, 1 << 60, 0, []int{0, 2}, 2},
		{true, Position{2, 1}, 1 << 60, 0, []int{0, 2}, 2},
		{false, Position{0, FrameEnd}, 1 << 60, 1, []int{0, 2}, 0},
		{false, Position{1, FrameEnd}, 1 << 60, 0, []int{0, 2}, 2},
		{true, Position{4, 0}, 1 << 60, 2, []int{0, 2, 4}, 4},
		{false, Position{2, FrameEnd}, 1 << 60, 1, []int{0, 2, 4}, 2},
		{false, Position{1, FrameEnd}, 0, 0, []int{0, 2, 4}, 2},
		{false, Position{2, FrameEnd}, 0, 1, []int{0, 2, 3, 4}, 3},
	} {
		played, r.points.spacing = 0, c.spacing
		if c.visit {
			require.NoError(t, r.Visit(t.Context(), c.to, nil))
		} else {
			require.NoError(t, r.Seek(t.Context(), c.to))
		}
		var taken []int
		for _, one := range r.points.list {
			taken = append(taken, one.frames)
			require.Equal(t, one.frames > 0, one.stats.Draws > 0)
		}
		require.Equal(t, c.played, played, "%+v", c)
		require.Equal(t, c.taken, taken, "%+v", c)
		require.Equal(t, c.base, r.points.base.frames, "%+v", c)
		require.NotZero(t, r.Stats().Draws)
	}
}
