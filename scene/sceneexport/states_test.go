package sceneexport

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// TestStatesAsScenes exports random states as scenes. The report must list what a scene cannot express; all other pictures equal
// the trace's, because export draws the scene and compares.
func TestStatesAsScenes(t *testing.T) {
	testkit.Slow(t)
	if testkit.Race {
		t.Skip("the race detector looks at TestStates instead, which uses the same goroutines")
	}
	const seeds = 30
	var same, differ, refused int
	for seed := range uint64(seeds) {
		trace := testkit.Must(citrace.Parse(states.MakeTame(seed)))(t)
		r, err := Export(t.Context(), picatrace.FromCiTrace(trace), filepath.Join(t.TempDir(), strconv.FormatUint(seed, 10)), Options{Frame: -1})
		switch {
		case err != nil || len(r.Notes) > 0:
			refused++
			if err != nil {
				t.Logf("seed %d: %.300v", seed, err)
			}
		case r.Same(0):
			require.NotEmpty(t, r.Pictures, "seed %d", seed)
			same++
		default:
			differ++
			t.Logf("seed %d: %v", seed, r.Pictures)
		}
	}
	t.Logf("%d scenes draw the same, %d differ and say so, %d are refused or have notes", same, differ, refused)
	require.GreaterOrEqual(t, same, seeds/5) // the assembler accepts few of the random programs
}
