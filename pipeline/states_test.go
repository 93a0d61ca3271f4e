package pipeline_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var statesBase = flag.Bool("states-base", false, "TestStates draws in one way only and compares with testdata/states.txt")

const (
	stateShards = 4   // run in parallel, each on its own GPUs: seed % stateShards
	stateBlock  = 100 // seeds per line of testdata/states.txt
)

// stateRunner compares the ways for one seed at a time.
type stateRunner struct {
	ways    []*way
	seen    coverage
	explain explainer
	targets []targetPlace // of the last frame's draws, in order
}

func newStateRunner() *stateRunner {
	r := &stateRunner{}
	r.ways = ways(r.afterDraw)
	return r
}

// afterDraw is called after each draw in the way that finishes each draw at once.
func (r *stateRunner) afterDraw(g *pipeline.GPU, d *pipeline.DrawInfo) error {
	r.seen.draw(d)
	if d.Index == 0 {
		r.targets = r.targets[:0]
	}
	r.targets = append(r.targets, targetOf(d))
	return nil
}

// seed compares the ways for a seed. It returns their common outcome and the first difference, or "".
func (r *stateRunner) seed(t testing.TB, seed uint64) (outcome, string) {
	trace := testkit.Must(citrace.Parse(states.Make(seed)))(t, "seed %d", seed)
	c := &stateCase{seed: seed, trace: picatrace.FromCiTrace(trace)}
	var g *pipeline.GPU
	g, c.want = r.ways[0].replay(c)
	if c.want.Error != "" {
		r.seen.errors++
	}
	if *statesBase {
		return c.want, c.want.Broken
	}
	for i, w := range r.ways[1:] {
		if w.dear && !states.Every(seed, i) {
			continue
		}
		if d := w.difference(c); d != "" {
			return c.want, w.name + ": " + d
		}
	}
	if c.want.Error == "" && seed%4 == 0 {
		if d := r.explain.check(c, g, r.alone()); d != "" {
			return c.want, d
		}
	}
	return c.want, ""
}

// TestStates draws fixed seeds in all ways: the outcomes must be equal, and match testdata/states.txt. Under -race it draws a fifth
// of them. -state SEED repeats a failing one.
func TestStates(t *testing.T) {
	first, end := states.Range()
	n, step := int(end-first), 1
	if testkit.Race && n > 1 {
		step = 5
	}
	sums := make([]uint32, n)
	runners := [stateShards]*stateRunner{}
	t.Run("seeds", func(t *testing.T) {
		for shard := range stateShards {
			t.Run(strconv.Itoa(shard), func(t *testing.T) {
				t.Parallel()
				r := newStateRunner()
				runners[shard] = r
				for i := shard; i < n; i += stateShards {
					if i/stateShards%step != 0 {
						continue
					}
					seed := first + uint64(i)
					out, d := r.seed(t, seed)
					if d != "" {
						t.Errorf("seed %d, %s\ngo test ./pipeline -run '^TestStates$' -state %d", seed, d, seed)
					}
					sums[i] = out.sum()
				}
			})
		}
	})
	if t.Failed() {
		return
	}
	var seen coverage
	var explained int
	for _, r := range runners {
		seen.merge(&r.seen)
		explained += r.explain.explained
	}
	t.Logf("%d states: %v", n/step, &seen)
	t.Logf("%d pixels explained, %d replays cancelled, %d failed, %d new GPUs after them", explained, cancels.Load(), failed.Load(), replaced.Load())
	if step == 1 && first == 0 && n%stateBlock == 0 {
		compareStates(t, sums)
	}
	if n == 2000 && step == 1 && !*statesBase {
		seen.enough(t)
		require.Greater(t, explained, 100)
	}
}

// TestStatesPlainKernels draws the states in a process with plain Go kernels: the checksums equal those of the AVX2 kernels. Other
// builds and processors can be compared in the same way.
func TestStatesPlainKernels(t *testing.T) {
	if testkit.Short() || testkit.Race {
		t.Skip("not in short runs")
	}
	exe := testkit.Must(os.Executable())(t)
	cmd := exec.CommandContext(t.Context(), exe, "-test.run", "^TestStates$", "-states-base")
	cmd.Env = append(os.Environ(), "PICA200_NOSIMD=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "with the plain Go kernels:\n%.4000s", out)
}

// compareStates compares checksums with testdata/states.txt, or writes it.
func compareStates(t *testing.T, sums []uint32) {
	const path = "testdata/states.txt"
	text := "# Checksums of what the seeds of TestStates draw, a line for a hundred of them.\n" +
		"# Written by go test ./pipeline -run '^TestStates$' -update\n"
	for at := 0; at < len(sums); at += stateBlock {
		var b []byte
		for _, s := range sums[at:min(at+stateBlock, len(sums))] {
			b = binary.LittleEndian.AppendUint32(b, s)
		}
		text += fmt.Sprintf("%d %08x\n", at, crc32.ChecksumIEEE(b))
	}
	want := testkit.Read(t, path)
	if testkit.Updating() {
		require.GreaterOrEqual(t, strings.Count(text, "\n"), bytes.Count(want, []byte("\n")),
			"%s has more states than were drawn: use -update without -short and -states", path)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		return
	}
	lines := strings.Split(text, "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(lines)-1 || line == "" { // another number of seeds was drawn
			break
		}
		if got := lines[i]; got != line {
			t.Errorf("the states from %s on differ from testdata/states.txt (%s). If that is intended, run go test ./pipeline -run '^TestStates$' -update",
				got, line)
		}
	}
}

// FuzzStates continues TestStates with any number as a seed.
func FuzzStates(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(1<<32 + seed)
	}
	r := newStateRunner()
	f.Fuzz(func(t *testing.T, seed uint64) {
		if _, d := r.seed(t, seed); d != "" {
			t.Fatalf("seed %d, %s", seed, d)
		}
	})
}

// stateCase is a trace and its outcome on a new GPU.
type stateCase struct {
	seed  uint64
	trace *picatrace.Trace
	want  outcome
}

// way is a way to replay a trace. All ways must have the same outcome.
type way struct {
	name    string
	options pipeline.Options
	set     func(g *pipeline.GPU) // configures a new GPU
	// before, if set, does other work on the GPU before the trace is replayed.
	before func(w *way, c *stateCase)
	// play, if set, plays the trace differently and returns the difference, or "".
	play func(w *way, c *stateCase) string
	dear bool // slower than a replay: few seeds in short runs

	gpu *pipeline.GPU // has drawn earlier traces; nil: a new GPU for each
}

// ways lists the ways that TestStates compares; the first is the reference. AfterDraw makes a GPU finish each draw at once.
func ways(afterDraw func(g *pipeline.GPU, d *pipeline.DrawInfo) error) []*way {
	return []*way{
		{name: "new GPU", options: pipeline.Options{Workers: 1}},
		{name: "each draw at once", options: pipeline.Options{Workers: 1}, set: func(g *pipeline.GPU) {
			g.AfterDraw = func(d *pipeline.DrawInfo) error { return afterDraw(g, d) }
		}},
		{name: "nothing kept", options: pipeline.Options{Workers: 1}, set: func(g *pipeline.GPU) {
			g.NeverEarly()
			g.ForgetPages()
			g.BeforeDraw = func(*pipeline.DrawInfo) error {
				g.Forget()
				return nil
			}
		}},
		{name: "plain kernels", options: pipeline.Options{Workers: 1, PlainKernels: true}},
		{name: "2 workers", options: pipeline.Options{Workers: 2}},
		{name: "7 workers", options: pipeline.Options{Workers: 7}},
		{name: "interpreter", options: pipeline.Options{Workers: 1}, set: func(g *pipeline.GPU) { g.Interpret(true) }},
		{name: "rebuilt values", options: pipeline.Options{Workers: 2}, set: func(g *pipeline.GPU) { g.MakeAnew(true) }, dear: true},
		{name: "after a replay that was cancelled", options: pipeline.Options{Workers: 2, FCRAM: pica.FCRAMSize}, before: afterCancel, dear: true},
		{name: "after a GPU that failed", options: pipeline.Options{Workers: 4, FCRAM: pica.FCRAMSize}, before: afterFailure, dear: true},
		{name: "Reset after another seed", options: pipeline.Options{Workers: 2}, play: afterReset},
		{name: "small pieces", options: pipeline.Options{Workers: 1}, play: pieces, dear: true},
		{name: "cut", options: pipeline.Options{Workers: 2, FCRAM: pica.FCRAMSize}, play: cuts, dear: true},
		{name: "a Replayer", options: pipeline.Options{Workers: 2}, play: seeks, dear: true},
	}
}

// outcome is everything a replay leaves behind, with checksums in place of memory.
type outcome struct {
	Memory   [2]uint32
	Regs     pica.Regs
	External [][2]uint32
	Fixed    [16][4]uint32
	Uniforms [2][96][4]uint32
	Bools    [2]uint16
	Error    string
	Warnings []pipeline.Warning
	Stats    struct {
		Lists, Commands, Draws, Fills, Transfers, Copies int
		Geometry                                         geometry.Stats
		Fragments                                        uint64
	}
	Frames int

	ByFrame [][2]uint32 `json:"-"` // checksums of memory at the end of each frame but the last
	State   uint32      `json:"-"` // stateSum
	Draws   []int       `json:"-"` // per frame

	// Broken is the first violated invariant before or after a draw.
	Broken string `json:"-"`
}

// invariants returns a violated invariant of a GPU's caches, or "".
func invariants(g *pipeline.GPU) string {
	if held, bounds := g.Footprint(), g.FootprintBounds(); !held.Within(bounds) {
		return fmt.Sprintf("memory held %+v, bounds %+v", held, bounds)
	}
	if err := g.BinsShareMemory(); err != nil {
		return err.Error()
	}
	return ""
}

// new makes a GPU for the way.
func (w *way) new() *pipeline.GPU {
	o := w.options
	o.FCRAM = cmp.Or(o.FCRAM, states.FCRAM)
	g := pipeline.New(o)
	if w.set != nil {
		w.set(g)
	}
	return g
}

// replay replays the case's trace to its end or error.
func (w *way) replay(c *stateCase) (*pipeline.GPU, outcome) {
	if w.name == "new GPU" && w.gpu != nil {
		w.gpu.Close()
		w.gpu = nil
	}
	if w.gpu == nil {
		w.gpu = w.new()
	}
	if w.before != nil {
		w.before(w, c)
	}
	return w.gpu, replay(w.gpu, c.trace)
}

// difference returns how the outcome differs from the case's, or "".
func (w *way) difference(c *stateCase) string {
	if w.play != nil {
		return w.play(w, c)
	}
	want := &c.want
	_, got := w.replay(c)
	d := got.difference(want)
	if d != "" && w.options.FCRAM != 0 { // this way may have memory that the reference lacks
		_, all := (&way{name: "new GPU", options: pipeline.Options{Workers: 1, FCRAM: w.options.FCRAM}}).replay(c)
		want, d = &all, got.difference(&all)
	}
	if d == "" {
		return ""
	}
	// Retries on a new GPU.
	if fresh := replay(w.new(), c.trace); fresh.difference(want) == "" {
		d += " (only on a GPU that has drawn other traces before)"
	}
	return d
}

// replay replays a trace on a GPU from the start to the end or error.
func replay(g *pipeline.GPU, t *picatrace.Trace) (out outcome) {
	p := pipeline.Player{GPU: g, Trace: t}
	// Earlier draws are still queued before a draw, unless the way prevents it.
	before := g.BeforeDraw
	g.BeforeDraw = func(d *pipeline.DrawInfo) error {
		out.Broken = cmp.Or(out.Broken, invariants(g))
		if before != nil {
			return before(d)
		}
		return nil
	}
	defer func() { g.BeforeDraw = before }()
	var stats pipeline.Stats
	err := p.Rewind()
	for err == nil {
		var f pipeline.Frame
		if f, err = p.NextFrame(context.Background()); err == nil {
			out.Frames++
			if out.Frames < t.Frames() { // Memory holds the last one
				out.ByFrame = append(out.ByFrame, g.MemorySums())
			}
			out.Draws = append(out.Draws, f.Stats.Draws)
			stats.Add(&f.Stats)
		}
	}
	if err != io.EOF {
		out.Error = err.Error()
		// Draws queued before the error.
		if err := g.Finish(context.Background()); err != nil {
			out.Error += "; " + err.Error()
		}
	}
	last := g.TakeStats() // events after the last frame marker
	stats.Add(&last)
	out.poll(g)
	out.Broken = cmp.Or(out.Broken, invariants(g))
	s := &out.Stats
	s.Lists, s.Commands, s.Draws, s.Fills, s.Transfers, s.Copies = stats.Lists, stats.Commands, stats.Draws, stats.Fills, stats.Transfers, stats.Copies
	s.Geometry, s.Fragments = stats.Geometry, stats.Fragments
	return out
}

// poll records the GPU's state.
func (out *outcome) poll(g *pipeline.GPU) {
	out.Memory = g.MemorySums()
	out.Regs = g.Registers()
	for _, r := range pica.ExternalRegisters {
		out.External = append(out.External, [2]uint32{r.Addr, g.ReadRegister(r.Addr)})
	}
	for i, v := range g.FixedAttributes() {
		out.Fixed[i] = vectorBits(v)
	}
	for u, s := range g.Shaders() {
		for i := range s.Float {
			out.Uniforms[u][i] = vectorBits(s.Float[i])
		}
		out.Bools[u] = s.Bool
	}
	out.Warnings = g.Warnings()
	out.State = stateSum(g)
}

// stateSum is a checksum of the state that recordings store, and of the pages of memory in their order.
func stateSum(g *pipeline.GPU) (sum uint32) {
	ctx := context.Background()
	add := func(values ...any) {
		var b []byte
		for _, v := range values {
			b, _ = binary.Append(b, binary.LittleEndian, v)
		}
		sum = crc32.Update(sum, castagnoli, b)
	}
	state, err := g.State(ctx)
	for _, b := range slices.Sorted(maps.Keys(state)) {
		add(b, state[b])
	}
	for _, w := range g.Leftovers() {
		add(w)
	}
	if err := cmp.Or(err, g.EachPage(ctx, func(addr uint32, page []byte) {
		if len(bytes.Trim(page, "\x00")) > 0 { // another way may not write zeros over zeros
			add(addr, page)
		}
	})); err != nil {
		panic(err)
	}
	return sum
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sum is a checksum of an outcome, equal for equal results.
func (a *outcome) sum() uint32 {
	own := *a
	own.Error, own.Warnings = "", nil // wording does not matter
	if a.Error != "" {
		own.Error = "yes"
	}
	b, err := json.Marshal(own)
	if err != nil {
		panic(err)
	}
	return crc32.ChecksumIEEE(b)
}

// difference returns the first difference of two outcomes, or "".
func (a *outcome) difference(b *outcome) string {
	switch {
	case a.Broken != "" || b.Broken != "":
		return cmp.Or(a.Broken, b.Broken)
	case a.Error != b.Error:
		return fmt.Sprintf("error %q, want %q", a.Error, b.Error)
	case a.Memory != b.Memory:
		return fmt.Sprintf("memory: sums %08X, want %08X", a.Memory, b.Memory)
	case a.Regs != b.Regs:
		for i := range a.Regs {
			if a.Regs[i] != b.Regs[i] {
				return fmt.Sprintf("register %v: %08X, want %08X", pica.Reg(i), a.Regs[i], b.Regs[i])
			}
		}
	case !slices.Equal(a.External, b.External):
		return fmt.Sprintf("external registers %08X, want %08X", a.External, b.External)
	case a.Fixed != b.Fixed:
		return "fixed attributes"
	case a.Uniforms != b.Uniforms:
		return fmt.Sprintf("float uniforms %v", firstUniform(a, b))
	case a.Bools != b.Bools:
		return fmt.Sprintf("booleans %04X, want %04X", a.Bools, b.Bools)
	case !slices.Equal(a.Warnings, b.Warnings):
		return fmt.Sprintf("warnings %v, want %v", a.Warnings, b.Warnings)
	case a.State != b.State:
		return fmt.Sprintf("sum of the state and the pages %08X, want %08X", a.State, b.State)
	case a.Stats != b.Stats:
		return fmt.Sprintf("counts %+v, want %+v", a.Stats, b.Stats)
	case a.Frames != b.Frames:
		return fmt.Sprintf("%d frames, want %d", a.Frames, b.Frames)
	case !slices.Equal(a.ByFrame, b.ByFrame):
		return fmt.Sprintf("memory at the ends of frames: sums %08X, want %08X", a.ByFrame, b.ByFrame)
	}
	return ""
}

func firstUniform(a, b *outcome) string {
	for u := range a.Uniforms {
		for i := range a.Uniforms[u] {
			if x, y := a.Uniforms[u][i], b.Uniforms[u][i]; x != y {
				return fmt.Sprintf("unit %d c%d: %08X, want %08X", u, i, x, y)
			}
		}
	}
	return ""
}

// vectorBits returns the bits of a vector, so that NaNs are equal.
func vectorBits(v [4]float32) (b [4]uint32) {
	for i, x := range v {
		b[i] = math.Float32bits(x)
	}
	return b
}
