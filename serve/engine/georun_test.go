package engine

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// scene records a scene file as a source.
func scene(t *testing.T, path string) Source {
	t.Helper()
	st := testkit.Must(scenebuild.Load(path))(t)
	data, names, err := st.RecordNamed(t.Context(), []float64{st.Scene.Time}, scenebuild.Options{})
	require.NoError(t, err)
	return recorded(path, data, names...)
}

// Geometry shader runs are traced in all modes: inputs, each step, each emitted vertex. Tracing has no side effects.
func TestGeometryRuns(t *testing.T) {
	cached := answers{}
	ask := cached.ask
	for _, c := range []struct {
		path   string
		inputs []string // some of them
	}{
		{"../examples/shards.yaml", []string{"v0", "v1", "v2", "v3", "v4", "v5"}},
		{"../../testdata/scenes/geometry-silhouette.yaml", []string{"c"}},
		{"../../testdata/scenes/geometry-loop.yaml", []string{"c0", "c1"}},
	} {
		e := newEngine(t, Options{}, scene(t, c.path))
		tree, _ := ask(t, e, `{"op":"frame"}`)
		found := 0
		for draw := range int(tree["draws"].(float64)) {
			at := `,"draw":` + text(draw)
			d, _ := ask(t, e, `{"op":"draw"`+at+`}`)
			if d["geometry_shader"] != true {
				continue
			}
			found++
			_, before := ask(t, e, `{"op":"picture","what":"after"`+at+`}`)
			run, _ := ask(t, e, `{"op":"run","what":"geometry","count":65536`+at+`}`)
			runs := int(run["runs"].(float64))
			require.Positive(t, runs)
			require.Empty(t, run["error"])
			steps := run["steps"].([]any)
			require.EqualValues(t, run["total"], len(steps))
			emits, triangles := 0, 0
			for _, s := range steps {
				if m, ok := s.(map[string]any)["emit"].(map[string]any); ok {
					emits++
					require.NotEmpty(t, m["outputs"])
					if m["primitive"] == true {
						triangles++
					}
				}
			}
			if c.path == "../examples/shards.yaml" {
				require.Equal(t, [2]int{3, 1}, [2]int{emits, triangles})
				last, _ := ask(t, e, `{"op":"run","what":"geometry","vertex":`+text(runs-1)+at+`}`)
				require.NotEqual(t, run["inputs"], last["inputs"])
				require.EqualValues(t, d["record"].(map[string]any)["geometry"].(map[string]any)["invocations"], runs)
				some, _ := ask(t, e, `{"op":"run","what":"geometry","from":3,"count":2`+at+`}`)
				require.Equal(t, steps[3:5], some["steps"])
			}
			inputs := run["inputs"].(map[string]any)
			for _, name := range c.inputs {
				if name == "c" {
					require.NotEmpty(t, inputs)
					continue
				}
				require.Contains(t, inputs, name, c.path)
			}
			require.Contains(t, failure(t, e, `{"op":"run","what":"geometry","vertex":`+text(runs)+at+`}`).Text, "ran "+text(runs)+" times")
			require.Contains(t, failure(t, e, `{"op":"run","what":"geometry","vertex":-1`+at+`}`).Text, "no run -1")
			e.cache = cache{bound: e.cache.bound}
			_, after := ask(t, e, `{"op":"picture","what":"after"`+at+`}`)
			require.True(t, string(before) == string(after), "tracing a run does not change the picture")
		}
		require.Positive(t, found, c.path)
	}
	cached.golden(t, "geometry")
}

// A fragment leads to its vertices, or to the run that emitted them.
func TestFragmentLeadsToVertices(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"))
	at := `"draw":1,"x":120,"y":270}`
	h, _ := ask(t, e, `{"op":"history",`+at)
	last := h["events"].([]any)[h0(h)-1].(map[string]any)
	require.EqualValues(t, 1, last["draw"])
	head, _ := ask(t, e, `{"op":"corners",`+at)
	corners := head["corners"].([]any)
	require.Len(t, corners, 3)
	sum := 0.0
	seen := map[int]bool{}
	for _, c := range corners {
		corner := c.(map[string]any)
		v := int(corner["vertex"].(float64))
		require.GreaterOrEqual(t, v, 0)
		seen[v] = true
		sum += corner["weight"].(float64)
	}
	require.Len(t, seen, 3, "three different vertices")
	require.InDelta(t, 1, sum, 1e-3)
	require.Contains(t, failure(t, e, `{"op":"corners","draw":1,"x":0,"y":0}`).Text, "no fragment at pixel 0,0")

	e = newEngine(t, Options{}, scene(t, "../examples/shards.yaml"))
	_, pix := ask(t, e, `{"op":"picture","what":"after","draw":0}`)
	hit := 0
	for i := 0; i < len(pix) && hit < 2; i += 4 * 1777 {
		if pix[i] == pix[0] && pix[i+1] == pix[1] && pix[i+2] == pix[2] {
			continue // the background
		}
		hit++
		head, _ = ask(t, e, `{"op":"corners","draw":0,"x":`+text(i/4%400)+`,"y":`+text(i/4/400)+`}`)
		require.Equal(t, true, head["geometry"])
		first := head["corners"].([]any)[0].(map[string]any)["vertex"]
		require.GreaterOrEqual(t, first, 0.0)
		for _, c := range head["corners"].([]any) {
			require.Equal(t, first, c.(map[string]any)["vertex"], "all corners have the same run")
		}
	}
	require.Equal(t, 2, hit)
}

func h0(h map[string]any) int { return len(h["events"].([]any)) }

// Edits apply to all requests: a draw alone, a pixel's history, a screen. They do not move the upload positions of the recording.
func TestEditsApplyToAllRequests(t *testing.T) {
	e := newEngine(t, Options{CacheBytes: -1}, source(t, "lights"))
	const edit = `,"edits":[{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","value":0}]}`
	for _, request := range []string{
		`{"op":"picture","what":"alone","draw":1`, `{"op":"picture","what":"top","draw":-1`, `{"op":"picture","what":"after","draw":2`,
	} {
		_, plain := ask(t, e, request+"}")
		_, edited := ask(t, e, request+edit)
		require.NotEqual(t, string(plain), string(edited), request)
		_, again := ask(t, e, request+"}")
		require.Equal(t, string(plain), string(again), request)
	}
	plain, _ := ask(t, e, `{"op":"history","draw":2,"x":120,"y":270}`)
	edited, _ := ask(t, e, `{"op":"history","draw":2,"x":120,"y":270`+edit)
	require.Equal(t, h0(plain), h0(edited))
	require.NotEqual(t, plain["events"], edited["events"])

	// After a whole program or a uniform is edited, later uploads go to the same positions.
	program, _ := ask(t, e, `{"op":"program","draw":0}`)
	source := quoted(program["source"])
	for frame := range 2 {
		at := `"frame":` + text(frame) + `,"draw":2`
		_, want := ask(t, e, `{"op":"picture","what":"after",`+at+`}`)
		_, got := ask(t, e, `{"op":"picture","what":"after",`+at+`,"edits":[{"draw":0,"uniform":"c60","values":[1,2,3,4]}]}`)
		require.True(t, string(want) == string(got), "an edit of an unused uniform changes no pixel")
		_, got = ask(t, e, `{"op":"picture","what":"after",`+at+`,"edits":[{"draw":0,"shader":"vertex","source":`+source+`}]}`)
		require.True(t, string(want) == string(got), "an edit to the same program changes no pixel")
	}
}

func quoted(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // a string always encodes
	}
	return string(data)
}
