package drawstate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/draw"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

var errFull = errors.New("the disk is full")

func open(t *testing.T, name string) *pipeline.Replayer {
	t.Helper()
	trace := states.Parse(t, testkit.Named(t, name)[0].Read(t))
	r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{}))(t)
	t.Cleanup(r.GPU.Close)
	return r
}

// take is the state at a draw.
func take(t *testing.T, r *pipeline.Replayer, frame, draw int) *State {
	t.Helper()
	s := testkit.Must(Take(t.Context(), r, frame, draw))(t)
	return s
}

// Take returns the state of the GPU at the draw, the draw before it (also in the previous frame), and the target after it.
func TestTakeDrawState(t *testing.T) {
	r := open(t, "lights")
	for _, c := range []struct{ frame, draw, beforeFrame, beforeDraw int }{{0, 0, -1, -1}, {0, 1, 0, 0}, {0, 2, 0, 1}, {1, 0, 0, 2}, {1, 2, 1, 1}} {
		s := take(t, r, c.frame, c.draw)
		require.Equal(t, [2]int{c.frame, c.draw}, [2]int{s.Input.Frame, s.Input.Draw})
		require.Equal(t, [2]int{c.frame, c.draw}, [2]int{s.Record.Frame, s.Record.Draw})
		require.Empty(t, s.Notes)
		if c.beforeFrame < 0 {
			require.Nil(t, s.Before)
		} else {
			require.NotNil(t, s.Before)
			require.Equal(t, [2]int{c.beforeFrame, c.beforeDraw}, [2]int{s.Before.Frame, s.Before.Draw})
			before := take(t, r, c.beforeFrame, c.beforeDraw)
			require.Empty(t, Changes(&before.Input, s.Before), "the previous draw's state equals that taken alone")
			require.NotEmpty(t, Changes(s.Before, &s.Input))
			s = take(t, r, c.frame, c.draw)
		}
		taken := testkit.Must(pipeline.ColorImage(s.Target))(t)
		got := bytes.Clone(taken.Pix)
		require.NoError(t, r.Seek(t.Context(), pipeline.Position{Frame: c.frame, Draw: c.draw}))
		target := testkit.Must(r.GPU.LastTarget())(t)
		want := testkit.Must(pipeline.ColorImage(target))(t)
		require.True(t, bytes.Equal(want.Pix, got))

		columns, rows, err := s.Outputs(t.Context())
		require.NoError(t, err)
		require.Equal(t, s.Vertices.Count, len(rows))
		require.Contains(t, strings.Join(columns, " "), pica.SemPositionX.String())
		for _, row := range rows {
			require.Len(t, row, len(columns))
		}
	}
	_, err := Take(t.Context(), r, 0, 3)
	require.ErrorContains(t, err, "there is no draw 3")
	_, err = Take(t.Context(), r, 0, -1)
	require.ErrorContains(t, err, "draws count from 0")
}

// The draw before the first draw of a frame is the last draw of the previous frame.
func TestTakeAcrossFrames(t *testing.T) {
	r := open(t, "arcs")
	first := take(t, r, 1, 0)
	before := take(t, r, 0, 1)
	last := take(t, r, 1, 1)
	require.NotEmpty(t, Changes(&before.Input, &last.Input), "the frames must differ in their last draw")
	require.Empty(t, Changes(&before.Input, first.Before))
}

// Changes lists every kind of state with its old and new value; data registers (FIFOs) are left out.
func TestStateChanges(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	require.Empty(t, Changes(&s.Input, &s.Input))
	change := func(f func(g *Input)) []rows.Row {
		g := s.Input
		f(&g)
		return Changes(&s.Input, &g)
	}
	list := change(func(g *Input) { pica.FacecullingMode.Set(&g.Regs, pica.FacecullingMode.Get(&g.Regs)^1) })
	require.Len(t, list, 1)
	require.Equal(t, pica.FacecullingMode.Reg.String(), list[0].Get("what"))
	require.NotEqual(t, list[0].Get("before"), list[0].Get("after"))
	require.Len(t, list[0].Rows, 1)
	require.Equal(t, pica.FacecullingMode.Name, list[0].Rows[0].Get("what"))

	for what, f := range map[string]func(g *Input){
		"fixed attribute 3":             func(g *Input) { g.Fixed[3][2]++ },
		"vertex shader: c95":            func(g *Input) { g.Vertex.Float[95][0]++ },
		"vertex shader: i2":             func(g *Input) { g.Vertex.Int[2][1]++ },
		"vertex shader: b15":            func(g *Input) { g.Vertex.Bool ^= 1 << 15 },
		"fog table":                     func(g *Input) { g.Tables.Fog[127] ^= 1 },
		"gas table":                     func(g *Input) { g.Tables.Gas[15] ^= 1 },
		"procedural texture, alpha map": func(g *Input) { g.Tables.ProcAlphaMap[0] ^= 1 },
	} {
		list := change(f)
		require.Len(t, list, 1, what)
		require.Equal(t, what, list[0].Get("what"))
	}
	require.Empty(t, change(func(g *Input) { g.Geometry.Float[0][0]++ }), "without a geometry shader its uniforms are no change")
	require.Empty(t, change(func(g *Input) { g.Regs[pica.RegFogLutData0]++ }), "data registers are no change")
}

// Files writes the announced files, complete and equal on each call; an error of the writer stops it.
func TestStateFiles(t *testing.T) {
	r := open(t, "arcs")
	files := func() map[string]string {
		s := take(t, r, 1, 1)
		got := map[string]string{}
		require.NoError(t, s.Files(t.Context(), func(name string, data []byte) error {
			require.NotContains(t, got, name)
			got[name] = string(data)
			return nil
		}))
		require.Equal(t, s.Vertices.Count+1, strings.Count(got["inputs.csv"], "\n"))
		require.Equal(t, s.Vertices.Count+1, strings.Count(got["outputs.csv"], "\n"))
		require.GreaterOrEqual(t, s.Record.GeometryEntry, 0, "the trace arcs uses a geometry shader")
		return got
	}
	got := files()
	for _, name := range []string{"vertex.pica", "geometry.pica", "draw.txt", "draw.json", "inputs.csv", "outputs.csv", "color.png", "depth.png"} {
		require.Contains(t, got, name)
	}
	require.Contains(t, got["draw.txt"], "frame 1, draw 1:")
	require.True(t, json.Valid([]byte(got["draw.json"])))
	for name, data := range got {
		if strings.HasSuffix(name, ".png") {
			testkit.Must(png.Decode(strings.NewReader(data)))(t, name)
		}
	}
	require.Equal(t, got, files())

	s := take(t, r, 1, 1)
	require.ErrorIs(t, s.Files(t.Context(), func(name string, _ []byte) error {
		if name == "color.png" {
			return errFull
		}
		return nil
	}), errFull)
}

// draws.txt has the texts of one draw in full, and checksums of the texts and files of other draws and of random states.
func TestDrawTextsAndFiles(t *testing.T) {
	const path = "testdata/draws.txt"
	var all bytes.Buffer
	of := func(name string, r *pipeline.Replayer, frame, n int, full bool) {
		s, err := Take(t.Context(), r, frame, n)
		var none *pipeline.NoDrawError
		if err != nil {
			require.ErrorAs(t, err, &none)
			return
		}
		var text bytes.Buffer
		s.WriteText(&text)
		data := testkit.Must(json.Marshal(s.JSON()))(t)
		fmt.Fprintf(&all, "== %s\n", name)
		if full {
			all.Write(text.Bytes())
		}
		fmt.Fprintf(&all, "text %08x\nJSON %08x\n", crc32.ChecksumIEEE(text.Bytes()), crc32.ChecksumIEEE(data))
		var files []string // in any order
		require.NoError(t, s.Files(t.Context(), func(name string, data []byte) error {
			if img, err := png.Decode(bytes.NewReader(data)); err == nil { // compares pixels, not the PNG encoding
				pixels := image.NewNRGBA(img.Bounds())
				draw.Draw(pixels, pixels.Rect, img, image.Point{}, draw.Src)
				data = pixels.Pix
			}
			files = append(files, fmt.Sprintf("%s %08x\n", name, crc32.ChecksumIEEE(data)))
			return nil
		}))
		slices.Sort(files)
		all.WriteString(strings.Join(files, ""))
	}
	for _, name := range []string{"lights", "shadow", "gas"} {
		r := open(t, name)
		of(name, r, 0, 1, name == "lights")
		of(name, r, r.Frames()-1, 0, false)
		r.GPU.Close()
	}
	for seed := range uint64(12) {
		trace := states.Parse(t, states.Make(seed))
		r := testkit.Must(pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{FCRAM: states.FCRAM}}))(t)
		for frame := range min(2, trace.Frames()) {
			for draw := range 2 {
				of(fmt.Sprintf("state %d, frame %d, draw %d", seed, frame, draw), r, frame, draw, false)
			}
		}
		r.GPU.Close()
	}
	if testkit.Updating() {
		require.NoError(t, os.WriteFile(path, all.Bytes(), 0o644))
		return
	}
	require.Equal(t, strings.Split(string(testkit.Read(t, path)), "\n"), strings.Split(all.String(), "\n"))
}
