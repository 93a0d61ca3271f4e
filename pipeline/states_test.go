package pipeline_test

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
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
