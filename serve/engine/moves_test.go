package engine

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// The end of a frame shows both screens at that time. A fill and a transfer show their destination before and after. The order of
// requests does not matter.
func TestFillsTransfersAndFrameEnd(t *testing.T) {
	for _, bytes := range []int64{0, -1} {
		e := newEngine(t, Options{CacheBytes: bytes}, source(t, "lights"))
		frame, _ := ask(t, e, `{"op":"frame","frame":1}`)
		items := frame["items"].([]any)
		last := items[len(items)-1].(map[string]any)
		require.Equal(t, "end", last["kind"])
		require.EqualValues(t, frame["draws"], last["draw"])
		moves := map[string][]int{}
		n := 0
		for _, i := range items {
			i := i.(map[string]any)
			kind := i["kind"].(string)
			if kind != "fill" && kind != "transfer" && kind != "copy" {
				continue
			}
			at, _ := i["move"].(float64)
			require.EqualValues(t, n, at, "moves are numbered in order")
			require.NotEmpty(t, i["text"])
			moves[kind] = append(moves[kind], n)
			n++
		}
		require.NotEmpty(t, moves["fill"])
		require.NotEmpty(t, moves["transfer"])
		at := func(op string, move int, what string) string {
			return `{"op":"` + op + `","frame":1,"move":` + text(move) + `,"what":"` + what + `"}`
		}

		// The last transfer makes the top screen.
		transfer := moves["transfer"][len(moves["transfer"])-1]
		head, made := ask(t, e, at("picture", transfer, "after"))
		top, screen := ask(t, e, `{"op":"picture","what":"top","frame":1}`)
		w, h := int(head["width"].(float64)), int(head["height"].(float64))
		require.EqualValues(t, top["width"], h)
		require.EqualValues(t, top["height"], w)
		for y := range h {
			for x := range w {
				a, b := made[4*(y*w+x):][:3], screen[4*((w-1-x)*h+y):][:3]
				require.Equal(t, b, a, "%d,%d", x, y)
			}
		}
		both, pix := ask(t, e, `{"op":"picture","what":"screens","frame":1}`)
		require.Equal(t, screen, pix[:len(screen)], "the top screen comes first")
		require.Equal(t, "top", both["parts"].([]any)[0].(map[string]any)["name"])
		_, then := ask(t, e, at("picture", transfer, "screens"))
		require.Equal(t, pix, then)
		_, early := ask(t, e, at("picture", moves["fill"][0], "screens"))
		require.NotEqual(t, pix, early, "before the transfers the screens show the previous frame")
		_, before := ask(t, e, `{"op":"picture","what":"screens","frame":0}`)
		require.Equal(t, before, early)

		said, _ := ask(t, e, at("step", transfer, ""))
		require.Equal(t, true, said["picture"])
		labels := map[string]string{}
		for _, r := range said["rows"].([]any) {
			r := r.(map[string]any)
			labels[r["label"].(string)] = r["text"].(string)
		}
		require.Contains(t, labels["reads"], "the colour buffer of pass")
		require.Contains(t, labels["writes"], "the picture of the top screen")

		// So does that of the previous frame, whose framebuffer is selected after it.
		said, _ = ask(t, e, `{"op":"step","frame":0,"move":`+text(transfer)+`}`)
		require.Contains(t, fmt.Sprint(said["rows"]), "the picture of the top screen")

		// A fill of the colour buffer leaves one colour where there were several.
		one, many := 0, 0
		for _, fill := range moves["fill"] {
			head, pix := ask(t, e, at("picture", fill, "after"))
			_, was := ask(t, e, at("picture", fill, "before"))
			differ := func(p []byte) (n int) {
				for i := 4; i < len(p); i += 4 {
					if [4]byte(p[i:]) != [4]byte(p) {
						n++
					}
				}
				return n
			}
			require.Zero(t, differ(pix), "%v", head)
			require.Len(t, pix, 4*int(head["width"].(float64))*int(head["height"].(float64)))
			if differ(was) > 0 {
				many++
			}
			if head["format"] == "u32" {
				require.LessOrEqual(t, binary.LittleEndian.Uint32(pix), uint32(head["max"].(float64)))
				continue
			}
			one++
			_, added := ask(t, e, at("picture", fill, "added"))
			for i := 0; i < len(pix); i += 4 {
				if [4]byte(pix[i:]) == [4]byte(was[i:]) {
					require.Zero(t, added[i+3])
				} else {
					require.EqualValues(t, 255, added[i+3])
				}
			}
		}
		require.Positive(t, one)
		require.Positive(t, many)

		// An edit before the move counts.
		_, other := ask(t, e, `{"op":"picture","frame":1,"move":`+text(transfer)+`,"what":"after","edits":[{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","value":0}]}`)
		require.NotEqual(t, made, other)
		_, again := ask(t, e, at("picture", transfer, "after"))
		require.Equal(t, made, again)

		said, _ = ask(t, e, `{"op":"step","frame":1}`)
		require.Equal(t, "draws", said["rows"].([]any)[0].(map[string]any)["label"])
		require.Equal(t, text(int(frame["draws"].(float64))), said["rows"].([]any)[0].(map[string]any)["text"])
		for request, want := range map[string]string{
			at("picture", transfer, "depth"): "of a fill, a transfer or a copy there are",
			at("step", 99, ""):               "there is no fill, transfer or copy 99; frame 1 has " + text(n),
			at("step", -1, ""):               "there is no fill, transfer or copy -1",
		} {
			got := failure(t, e, request)
			require.Contains(t, got.Text, want)
			require.Equal(t, CodeRequest, got.Code)
		}
	}
}
