package sceneexport

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/scene"
	"pica200/scene/scenebuild"
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

// TestConformanceTracesExport exports the last frame of each of our traces and of the recorded ones beside the project, and draws the
// scene.
func TestConformanceTracesExport(t *testing.T) {
	testkit.Slow(t)
	for _, file := range testkit.Traces(t) {
		name := file.Name
		t.Run(name, func(t *testing.T) {
			trace := testkit.Must(picatrace.Parse(file.Read(t)))(t)
			dir := filepath.Join(t.ArtifactDir(), name)
			report := testkit.Must(Export(context.Background(), trace, dir, Options{Frame: -1, Name: name}))(t)
			t.Log("\n" + report.String())
			require.True(t, report.Same(1), report.String())
		})
	}
}

// FuzzExport exports a damaged recording of one draw: it fails and leaves no files, or the scene can be parsed.
func FuzzExport(f *testing.F) {
	st := testkit.Must(scenebuild.Load("../../testdata/scenes/geometry-points.yaml"))(f)
	data := testkit.Must(st.Record(context.Background(), []float64{0}, scenebuild.Options{Workers: 1}))(f)
	f.Add(uint32(0), uint32(0))
	f.Add(uint32(len(data)/2), uint32(0x80000000))
	f.Add(uint32(len(data)-200), uint32(0xFFFF))
	f.Fuzz(func(t *testing.T, at, flip uint32) {
		bad := append([]byte(nil), data...)
		for k := range 4 {
			bad[(int(at)+k)%len(bad)] ^= byte(flip >> (8 * k))
		}
		trace, err := picatrace.Parse(bad)
		if err != nil {
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		parent := t.TempDir()
		dir := filepath.Join(parent, "s")
		if _, err = Export(ctx, trace, dir, Options{Frame: -1}); err != nil {
			entries := testkit.Must(os.ReadDir(parent))(t)
			require.Empty(t, entries)
			return
		}
		_, err = scene.Load(filepath.Join(dir, "scene.yaml"))
		require.NoError(t, err)
	})
}
