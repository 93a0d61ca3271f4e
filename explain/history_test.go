package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// replayer opens a trace; its GPU is closed when the test ends.
func replayer(t *testing.T, data []byte, o pipeline.ReplayerOptions) *pipeline.Replayer {
	t.Helper()
	r := testkit.Must(pipeline.NewReplayer(states.Parse(t, data), o))(t)
	t.Cleanup(r.GPU.Close)
	return r
}

// Stored checksums of explanations as text and JSON: pixels of screens of our traces, traced back through their passes, and of
// random states.
func TestExplanationChecksums(t *testing.T) {
	if testkit.Race {
		t.Skip("explaining runs on one goroutine")
	}
	var b bytes.Buffer
	told := func(name string, e *History, err error) {
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", name, err)
			return
		}
		e.SetNames(func(frame, draw int) string { return fmt.Sprintf("%d in %d", draw, frame) })
		data := testkit.Must(json.Marshal(e))(t)
		fmt.Fprintf(&b, "%s: %v, %d events, %d passes, won by %d: %08x %08x\n", name, e.About()[0], len(e.Events), len(e.Passes), e.Won(),
			crc32.ChecksumIEEE([]byte(e.Text())), crc32.ChecksumIEEE(data))
	}
	draws := func(name string, r *pipeline.Replayer, frame int) {
		list, err := r.Draws(t.Context(), frame)
		data, _ := json.Marshal(list)
		fmt.Fprintf(&b, "%s: %d draws %08x %v\n", name, len(list), crc32.ChecksumIEEE(data), err)
	}
	explained := func(name string, r *pipeline.Replayer, e *History, err error) {
		if err == nil {
			e.Passes, err = Passes(t.Context(), r, e)
		}
		told(name, e, err)
	}
	files := func(list []testkit.Trace) {
		for _, file := range list {
			r := replayer(t, file.Read(t), pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1}})
			frame := min(1, r.Frames()-1)
			for i := range 4 {
				s, x, y := pipeline.Screen(i%int(pipeline.ScreenTopRight+1)), 20+i*61, 230-i*43
				e, err := Screen(t.Context(), r, frame, s, x, y)
				explained(fmt.Sprintf("%s, %v screen %d,%d", file.Name, s, x, y), r, e, err)
				x, y = 19+i*40, 20+i*17
				e, err = Pixel(t.Context(), r, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, x, y)
				explained(fmt.Sprintf("%s, pixel %d,%d", file.Name, x, y), r, e, err)
			}
			draws(file.Name, r, frame)
		}
	}
	files(testkit.Named(t, "lights", "shadow", "gas"))
	for seed := range uint64(16) {
		r := replayer(t, states.Make(seed), pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1, FCRAM: states.FCRAM}})
		for i := range 3 {
			pos := pipeline.Position{Frame: min(i, r.Frames()-1), Draw: pipeline.FrameEnd + i}
			x, y := int(seed*7+uint64(i)*3)%8, int(seed*13+uint64(i))%8
			e, err := Pixel(t.Context(), r, pos, x, y)
			explained(fmt.Sprintf("state %d, %v, pixel %d,%d", seed, pos, x, y), r, e, err)
		}
		draws(fmt.Sprintf("state %d", seed), r, 0)
		r.GPU.Close()
	}
	testkit.Golden(t, "testdata/explained.txt", b.Bytes())
	b.Reset()
	if recorded := testkit.Named(t, "lights", "both_screens", "x_shadow")[1:]; len(recorded) > 0 {
		files(recorded)
		testkit.Golden(t, "testdata/explained-recorded.txt", b.Bytes())
	}
}

// The row of a draw: counts, kinds and shader entries.
func TestDrawRow(t *testing.T) {
	r := pipeline.DrawRecord{Vertices: 1, VertexEntry: 0x12, GeometryEntry: -1, Mode: pica.FragmentModeDefault.String()}
	r.Kind, r.Geometry.Primitives = geometry.Arrays.String(), 2
	first := DrawRow(&r)
	require.Contains(t, fmt.Sprint(first), "2 triangles")
	require.Contains(t, fmt.Sprint(first), "1 vertex")
	r.Kind, r.Vertices, r.Mode, r.GeometryEntry = geometry.Elements.String(), 6, pica.FragmentModeShadow.String(), 0x34
	second := fmt.Sprint(DrawRow(&r))
	for _, want := range []string{"6 indices", "geometry shader", "012+034", r.Mode} {
		require.Contains(t, second, want)
	}
	r.LeftOut = true
	require.NotContains(t, fmt.Sprint(DrawRow(&r)), "2 triangles")
}
