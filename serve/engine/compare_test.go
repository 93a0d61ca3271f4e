package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/drawstate"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// worse is a remote source, like another build that writes no colours in one draw of a frame. It knows only some requests.
func worse(t *testing.T, name string, draw int, known func(op string) bool) Source {
	t.Helper()
	e := newEngine(t, Options{}, source(t, name))
	return Source{Name: "worse", Remote: func(ctx context.Context, r *Request) (*Answer, error) {
		if !known(r.Op) {
			return nil, &Error{CodeRequest, "there is no request"}
		}
		its := *r
		its.File = 0
		switch r.Op {
		case "picture":
			its.Edits = []Edit{{Draw: draw, Register: "GPUREG_DEPTH_COLOR_MASK", Value: 0}}
		case "sums":
			a, err := e.Do(ctx, &its)
			if err != nil {
				return nil, err
			}
			list := append([]string{}, a.Value.(*sumsInfo).Sums...)
			list[draw] = "other"
			return travelled(t, &Answer{Value: sumsInfo{list}}), nil
		}
		a, err := e.Do(ctx, &its)
		if err != nil {
			return nil, err
		}
		return travelled(t, a), nil
	}}
}

// travelled returns an answer after a round trip through JSON.
func travelled(t *testing.T, a *Answer) *Answer {
	data := testkit.Must(json.Marshal(a.Value))(t)
	return &Answer{Value: json.RawMessage(data), Data: a.Data}
}

// Two frames are compared draw by draw, with pictures of their differences.
func TestCompareFrames(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"), source(t, "lights"), source(t, "arcs"),
		worse(t, "lights", 1, func(string) bool { return true }), worse(t, "lights", 1, func(op string) bool { return op != "sums" }))
	same, _ := ask(t, e, `{"op":"pairs","other":{"file":1,"frame":0}}`)
	require.EqualValues(t, 0, same["different"])
	require.EqualValues(t, -1, same["first"])
	require.Len(t, same["pairs"], 3)
	moved, _ := ask(t, e, `{"op":"pairs","other":{"file":0,"frame":1}}`)
	require.Positive(t, moved["different"], "the other frame differs")
	other, _ := ask(t, e, `{"op":"pairs","other":{"file":2,"frame":0}}`)
	require.Positive(t, other["different"])

	for _, file := range []string{"3", "4"} {
		bad, _ := ask(t, e, `{"op":"pairs","other":{"file":`+file+`,"frame":0}}`)
		require.EqualValues(t, 1, bad["first"], "file %s", file)
		pairs := bad["pairs"].([]any)
		require.Equal(t, true, pairs[0].(map[string]any)["same"])
		require.Equal(t, false, pairs[1].(map[string]any)["same"])

		head, data := ask(t, e, `{"op":"compare","what":"after","draw":1,"other":{"file":`+file+`,"frame":0,"draw":1}}`)
		_, a := ask(t, e, `{"op":"picture","what":"after","draw":1}`)
		_, b := ask(t, e, `{"op":"picture","what":"after","draw":1,"edits":[{"draw":1,"register":"GPUREG_DEPTH_COLOR_MASK","value":0}]}`)
		different := 0
		for i := 0; i < len(a); i += 4 {
			if string(a[i:i+4]) != string(b[i:i+4]) {
				different++
				require.GreaterOrEqual(t, data[i], uint8(96))
			} else {
				require.Equal(t, data[i], data[i+1])
			}
		}
		require.Positive(t, different)
		require.EqualValues(t, different, head["different"])
	}
	zero, _ := ask(t, e, `{"op":"compare","what":"after","draw":0,"other":{"file":3,"frame":0,"draw":0}}`)
	require.EqualValues(t, 0, zero["different"])
	all, _ := ask(t, e, `{"op":"draw","file":3,"draw":0}`)
	require.NotEmpty(t, all["registers"], "other requests work on a source given as a comparison")

	for request, want := range map[string]string{
		`{"op":"compare","what":"after","draw":0}`: "(other) is missing",
		`{"op":"pairs"}`: "(other) is missing",
		`{"op":"compare","what":"depth","draw":0,"other":{"file":1,"frame":0,"draw":0}}`:        "are not compared",
		`{"op":"compare","what":"after","draw":0,"other":{"file":9,"frame":0,"draw":0}}`:        "no file 9",
		`{"op":"compare","what":"after","draw":0,"other":{"file":1,"frame":0,"draw":9}}`:        "no draw 9",
		`{"op":"compare","what":"top","draw":0,"other":{"file":1,"frame":0,"draw":0,"what":1}}`: "unknown field",
		`{"op":"blame","data":"AAAA"}`: "compares no screenshots",
	} {
		got := failure(t, e, request)
		require.Equal(t, CodeRequest, got.Code, request)
		require.Contains(t, got.Text, want, request)
	}
}

// Draws that only one frame has are found, and the draws after them still match.
func TestAlignDraws(t *testing.T) {
	items := func(vertices ...int) (list []drawstate.Item) {
		for i, v := range vertices {
			list = append(list, drawstate.Item{Kind: "draw", Draw: i, Vertices: v, Primitive: "triangles", Text: fmt.Sprintf("%d triangles", v)})
		}
		return list
	}
	got := align(items(1, 2, 3, 4), items(1, 9, 2, 4))
	want := [][2]int{{0, 0}, {-1, 1}, {1, 2}, {2, -1}, {3, 3}}
	require.Len(t, got, len(want))
	for i, p := range got {
		require.Equal(t, want[i], [2]int{p.Draw, p.Other}, "%d", i)
	}
	// As many equal draws as possible are paired, whichever side has more.
	for _, c := range []struct {
		a, b  []int
		alike int
	}{{[]int{1, 2, 3, 4, 5}, []int{3, 4, 1, 2, 5}, 3}, {[]int{5, 1, 2, 3}, []int{1, 2, 3, 5}, 3}, {[]int{1, 2, 3, 5}, []int{5, 1, 2, 3}, 3}, {[]int{1, 2, 1, 3, 1}, []int{2, 1, 1, 1, 3}, 3}} {
		alike := 0
		for _, p := range align(items(c.a...), items(c.b...)) {
			if p.Draw >= 0 && p.Other >= 0 {
				alike++
			}
		}
		require.Equal(t, c.alike, alike, "%v", c)
	}
	require.Empty(t, align(nil, nil))
	require.Len(t, align(items(1), nil), 1)
	many := make([]int, maxAligned+1)
	// Up to maxAligned draws are aligned; larger frames are paired by number.
	for n, alike := range map[int]int{maxAligned: maxAligned, maxAligned + 1: 0} {
		for _, pairs := range [][]pair{align(items(0), items(append([]int{7}, many[1:n]...)...)), align(items(append([]int{7}, many[1:n]...)...), items(0))} {
			first := pairs[0]
			require.Equal(t, alike == 0, first.Draw >= 0 && first.Other >= 0, "%d", n)
		}
	}
	got = align(items(many...), items(1))
	require.Len(t, got, maxAligned+1)
	require.Equal(t, pair{Draw: 1, Other: -1, Name: "0 triangles"}, got[1])
}

// A screenshot is passed to the Blame function, and its report and picture are returned.
func TestBlameRequest(t *testing.T) {
	var got []byte
	blame := func(_ context.Context, r *pipeline.Replayer, shot []byte, frame int, what string) (any, *image.NRGBA, error) {
		got = bytes.Clone(shot)
		if what == "bottom" {
			return nil, nil, errors.New("no")
		}
		return map[string]any{"frames": r.Frames(), "frame": frame, "what": what}, image.NewNRGBA(image.Rect(0, 0, 3, 2)), nil
	}
	e := newEngine(t, Options{Blame: blame}, source(t, "lights"))
	head, data := ask(t, e, `{"op":"blame","frame":1,"what":"top","data":"AQID"}`)
	require.Equal(t, []byte{1, 2, 3}, got)
	require.Equal(t, map[string]any{"frames": 2.0, "frame": 1.0, "what": "top"}, head["report"])
	require.Len(t, data, 24)
	require.Equal(t, CodeFailed, failure(t, e, `{"op":"blame","what":"bottom","data":"AQID"}`).Code)
	require.Contains(t, failure(t, e, `{"op":"blame"}`).Text, "(data) is missing")
	require.Contains(t, failure(t, e, `{"op":"blame","data":"!"}`).Text, "no JSON object")
	require.Contains(t, failure(t, e, `{"op":"blame","frame":7,"data":"AQID"}`).Text, "no frame 7")
}
