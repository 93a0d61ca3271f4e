package pipeline

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"testing"

	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Stored checksums of explanations as text and JSON: pixels of screens of our traces, traced back through their passes, and of
// random states.
func TestExplanationChecksums(t *testing.T) {
	if testkit.Race {
		t.Skip("explaining runs on one goroutine")
	}
	var b bytes.Buffer
	told := func(name string, e *Explained, err error) {
		if err != nil {
			fmt.Fprintf(&b, "%s: %v\n", name, err)
			return
		}
		e.SetNames(func(frame, draw int) string { return fmt.Sprintf("%d in %d", draw, frame) })
		data := testkit.Must(json.Marshal(e))(t)
		fmt.Fprintf(&b, "%s: %v, %d events, %d passes, won by %d: %08x %08x\n", name, e.About()[0], len(e.Events), len(e.Passes), e.Won(),
			crc32.ChecksumIEEE([]byte(e.Text())), crc32.ChecksumIEEE(data))
	}
	draws := func(name string, r *Replayer, frame int) {
		list, err := r.Draws(t.Context(), frame)
		data, _ := json.Marshal(list)
		fmt.Fprintf(&b, "%s: %d draws %08x %v\n", name, len(list), crc32.ChecksumIEEE(data), err)
	}
	explained := func(name string, r *Replayer, e *Explained, err error) {
		if err == nil {
			e.Passes, err = r.ExplainPasses(t.Context(), e)
		}
		told(name, e, err)
	}
	files := func(list []testkit.Trace) {
		for _, file := range list {
			r := ReplayerFor(t, states.Parse(t, file.Read(t)), ReplayerOptions{Options: Options{Workers: 1}})
			frame := min(1, r.Frames()-1)
			for i := range 4 {
				s, x, y := Screen(i%int(ScreenTopRight+1)), 20+i*61, 230-i*43
				e, err := r.ExplainScreen(t.Context(), frame, s, x, y)
				explained(fmt.Sprintf("%s, %v screen %d,%d", file.Name, s, x, y), r, e, err)
				x, y = 19+i*40, 20+i*17
				e, err = r.ExplainPixel(t.Context(), Position{frame, FrameEnd}, x, y)
				explained(fmt.Sprintf("%s, pixel %d,%d", file.Name, x, y), r, e, err)
			}
			draws(file.Name, r, frame)
		}
	}
	files(testkit.Named(t, "lights", "shadow", "gas"))
	for seed := range uint64(16) {
		trace := states.Parse(t, states.Make(seed))
		r := ReplayerFor(t, trace, ReplayerOptions{Options: Options{Workers: 1, FCRAM: states.FCRAM}})
		for i := range 3 {
			pos := Position{min(i, r.Frames()-1), FrameEnd + i}
			x, y := int(seed*7+uint64(i)*3)%8, int(seed*13+uint64(i))%8
			e, err := r.ExplainPixel(t.Context(), pos, x, y)
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
