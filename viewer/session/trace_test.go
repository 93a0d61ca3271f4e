package session

import (
	"bytes"
	"context"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/internal/demo"
	"pica200/pipeline"
	"pica200/scene/scenebuild"
	"pica200/tests/testkit"
)

// demoTrace records frames of the demo, each with several draws to the top screen.
func demoTrace(t testing.TB, frames int) string {
	t.Helper()
	data := testkit.Must(demo.Trace(t.Context(), frames))(t)
	path := filepath.Join(t.TempDir(), "demo.ctf")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

// ownTraces is the folder of the repository's recordings.
const ownTraces = "../../testdata/traces/"

// target maps a pixel of a turned picture to the pixel of the render target.
func TestRotatedTargetPixels(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 480).Draw(t, "w"), rapid.IntRange(1, 800).Draw(t, "h")
		x, y := rapid.IntRange(0, w-1).Draw(t, "x"), rapid.IntRange(0, h-1).Draw(t, "y")
		for o, at := range map[orientation]image.Point{notRotated: {x, y}, quarterTurn: {y, w - 1 - x}, quarterTurnFlipped: {h - 1 - y, w - 1 - x}} {
			bx, by := o.target(at.X, at.Y, w, h)
			require.Equal(t, [2]int{x, y}, [2]int{bx, by})
		}
	})
}

// A target that is transferred to a screen is shown in the screen's orientation in every recording; its pixels and the screen's
// have the same explanation.
func TestScreenTargetsAreUpright(t *testing.T) {
	shown := 0
	for _, path := range []string{ownTraces + "lights.ctf", demoTrace(t, 1), ownTraces + "arcs.ctf"} {
		s := open(t, path)
		r := request()
		p := render(t, s, r)
		r.Screens = BothScreens
		screens := render(t, s, r)
		require.False(t, screens.Target)
		for _, part := range screens.parts {
			if p.orientation == notRotated || part.rect.Size() != p.Image.Rect.Size() {
				continue
			}
			img := screens.Image.SubImage(part.rect).(*image.RGBA)
			same := true
			for y := range part.rect.Dy() {
				for x := range part.rect.Dx() {
					same = same && img.RGBAAt(part.rect.Min.X+x, part.rect.Min.Y+y) == p.Image.RGBAAt(x, y)
				}
			}
			if !same {
				continue // the screen shows another target
			}
			shown++
			at := image.Pt(part.rect.Dx()/3, part.rect.Dy()/3)
			a := historyOf(t, s, p, at.X, at.Y)
			b := historyOf(t, s, screens, at.X+part.rect.Min.X, at.Y+part.rect.Min.Y)
			require.Equal(t, [2]int{a.X, a.Y}, [2]int{b.X, b.Y}, path)
			require.Equal(t, a.Target, b.Target)
			require.NotEmpty(t, b.Via)
		}
	}
	require.Equal(t, 1, shown, "only the trace lights shows a target")
	_, err := open(t, demoTrace(t, 1)).ExplainPixel(t.Context(), &Picture{Request: *request(), parts: []screenPart{{pipeline.ScreenTop, image.Rect(0, 0, 10, 10)}}}, 20, 3)
	require.ErrorContains(t, err, "shows no screen")
}

// Draws are numbered within the frame, and each one's mask has the pixels that differ from the previous draw.
func TestTraceDraws(t *testing.T) {
	s := open(t, demoTrace(t, 3))
	for _, frame := range []int{2, 0} {
		r := request()
		r.Frame, r.Draw = frame, 0
		list := drawsOf(t, s, r)
		require.Greater(t, len(list), 1)
		var before *Picture
		sum := uint64(0)
		for i := range list {
			r.Draw = i
			p := render(t, s, r)
			require.Equal(t, [3]int{i + 1, len(list), i}, [3]int{p.draws, p.Frame, p.shown.Draw})
			require.Contains(t, p.Note, "draw")
			require.Equal(t, list[i], *p.shown)
			sum += list[i].Fragments
			require.Equal(t, sum, p.Stats.Fragments, "statistics count the draws up to this one")
			require.Equal(t, i+1, p.Stats.Draws)
			require.Equal(t, p.Image.Rect, p.Added.Rect)
			added := 0
			for y := range p.Image.Rect.Dy() {
				for x := range p.Image.Rect.Dx() {
					if p.Added.AlphaAt(x, y).A != 0 {
						added++
					} else if before != nil && before.shown.Target == p.shown.Target {
						require.Equal(t, before.Image.RGBAAt(x, y), p.Image.RGBAAt(x, y), "draw %d did not touch %d,%d", i, x, y)
					}
				}
			}
			require.LessOrEqual(t, added, int(list[i].Fragments))
			before = p
		}
		require.Positive(t, sum)
		r.Draw = len(list) + 7
		p := render(t, s, r)
		require.Equal(t, len(list)-1, p.Request.Draw, "a number beyond the end selects the last draw")
		r.Draw = -1
		all := render(t, s, r)
		require.Equal(t, [2]int{len(list), len(list)}, [2]int{all.draws, all.Frame})
		require.Nil(t, all.Added)
		same(t, p.Image.Pix, all.Image.Pix)
	}
}

// In views of a trace, pixels that no draw touches are black whatever the clear colour; shadow maps and other targets are
// unchanged.
func TestTraceViewBackgroundIsBlack(t *testing.T) {
	s := open(t, ownTraces+"lights.ctf")
	r := request()
	r.Frame = 1
	list := drawsOf(t, s, r)
	touched := image.NewAlpha(render(t, s, r).Image.Rect)
	last := list[len(list)-1].Target.Color
	for i := range list {
		if list[i].Target.Color != last {
			continue
		}
		r.Draw = i
		for k, a := range render(t, s, r).Added.Pix {
			touched.Pix[k] |= a
		}
	}
	r.Draw = -1
	final := render(t, s, r)
	cleared := 0
	for _, view := range []fragment.View{fragment.ViewWireframe, fragment.ViewOverdraw, fragment.ViewNormal, fragment.ViewDepth} {
		r.View = view
		p := render(t, s, r)
		require.Equal(t, final.Image.Rect, p.Image.Rect)
		lit, outside := 0, 0
		for k, a := range touched.Pix {
			c := [3]uint8(p.Image.Pix[4*k:])
			if c != [3]uint8{} {
				if lit++; a == 0 {
					outside++
				}
			}
			if a == 0 && [3]uint8(final.Image.Pix[4*k:]) != [3]uint8{} {
				cleared++
			}
		}
		require.Positive(t, lit, "%v", view)
		if view != fragment.ViewWireframe && view != fragment.ViewOverdraw { // these views ignore the tests
			require.Zero(t, outside, "%v", view)
		}
	}
	require.Positive(t, cleared, "the frame has pixels with a clear colour")
	r.View = fragment.ViewFinal
	same(t, final.Image.Pix, render(t, s, r).Image.Pix)
}

// A view of a frame shows every draw, also those before a checkpoint inside of the frame; a draw that the console leaves out does not
// disturb it.
func TestViewsShowEveryDraw(t *testing.T) {
	pictures := [2][]byte{}
	for i, first := range []string{"", "  - {model: quad, registers: [{reg: GPUREG_DEPTHBUFFER_LOC, value: 0x3E01230}]}\n"} {
		st := testkit.Must(scenebuild.Load(written(t, `
target: {width: 64, height: 64, clear: {color: [1, 0, 0, 1], depth: 1}}
models: {ball: {shape: sphere, size: 0.4, detail: [240, 160]}, quad: {shape: quad, size: 0.5}}
draws:
`+first+`  - {model: ball, transform: [{at: [-0.5, 0, 0]}]}
  - {model: quad, transform: [{at: [0.5, 0, 0]}]}
`)))(t)
		data, _, err := st.RecordNamed(t.Context(), []float64{0}, scenebuild.Options{})
		require.NoError(t, err)
		path := filepath.Join(t.TempDir(), "s.ctf")
		data = bytes.ReplaceAll(data, []byte{0x30, 0x12, 0xE0, 3}, []byte{1, 0, 0, 0}) // an address without memory
		require.NoError(t, os.WriteFile(path, data, 0o644))
		s, whole := open(t, path), &Request{Draw: -1, View: fragment.ViewDepth}
		pictures[i] = render(t, s, whole).Image.Pix
		for draw := i; draw < i+2; draw++ { // takes checkpoints
			render(t, s, &Request{Draw: draw})
		}
		same(t, pictures[i], render(t, s, whole).Image.Pix)
	}
	same(t, pictures[0], pictures[1])
	require.Greater(t, len(pictures[0])-bytes.Count(pictures[0], []byte{0}), 64*64+400, "both draws are seen")
}

// A scene for a screen, which lies on its side in memory, fills the room upright. Its pixels are explained at that size.
func TestSceneFillsRoom(t *testing.T) {
	s := open(t, written(t, `
target: {width: 240, height: 400, clear: {color: [0, 0, 1, 1], depth: 1}}
camera: {rotated: true, eye: [0, 0, 4]}
models: {q: {shape: quad}}
draws: [{name: q, model: q, color: [1, 0, 0, 1], cull: none, at: [0.75, 0.5, 0]}]
`))
	r := request()
	own := render(t, s, r)
	require.Equal(t, image.Pt(400, 240), own.Image.Rect.Size())
	require.Zero(t, own.Own)
	r.Room, r.Rows, r.Target, r.Outline = image.Pt(1000, 700), true, "q", true
	p := render(t, s, r)
	require.Equal(t, image.Pt(1000, 600), p.Image.Rect.Size())
	require.Equal(t, image.Pt(400, 240), p.Own)
	for y := 8; y < 240; y += 16 {
		for x := 8; x < 400; x += 16 {
			want := own.Image.RGBAAt(x, y)
			require.Equal(t, want, p.Image.RGBAAt(x*5/2, y*5/2), "%d,%d", x, y)
			require.Equal(t, want.R > 0, p.Outlined.AlphaAt(x*5/2, y*5/2).A > 0, "%d,%d", x, y)
		}
	}
	x, y, ok := p.World.On(mgl64.Vec3{0.75, 0.5, 0})
	require.True(t, ok)
	require.Equal(t, uint8(255), p.Image.RGBAAt(int(x), int(y)).R, "the middle of the quad, %g %g", x, y)
	e := testkit.Must(s.ExplainPixel(t.Context(), p, int(x), int(y)))(t)
	require.GreaterOrEqual(t, e.Won(), 0)
	require.Equal(t, 0, e.Events[e.Won()].Draw)
	r.Room = image.Pt(100, 100)
	require.Equal(t, own.Image.Pix, render(t, s, r).Image.Pix, "never smaller")
}

// The outline of a draw leaves out what another draw hides, before or after it; one that blends over it hides nothing.
func TestOutlineOfHiddenDraw(t *testing.T) {
	over := "{name: over, model: q, color: [0, 1, 0, 0.5], cull: none, at: [0, 0.5, 1]"
	for draws, want := range map[string][4]bool{ // above left, above right, below left, below right
		"{name: q, model: q, cull: none}":                                                                              {true, true, true, true},
		"{name: q, model: q, cull: none}, " + over + "}":                                                               {false, false, true, true},
		over + "}, {name: q, model: q, cull: none}":                                                                    {false, false, true, true},
		"{name: q, model: q, cull: none}, " + over + ", blend: alpha, depth: {write: false}}":                          {true, true, true, true},
		"{name: q, model: q, cull: none}, " + over + "}, {name: late, model: q, cull: none, at: [0.5, 0, 2]}":          {false, false, true, false},
		"{name: q, model: q, cull: none, depth: {write: false}}, {name: late, model: q, cull: none, at: [0.5, 0, -1]}": {true, false, true, false},
	} {
		s := open(t, written(t, "camera: {eye: [0, 0, 8]}\nmodels: {q: {shape: quad}}\ndraws: ["+draws+"]\n"))
		r := request()
		r.Target, r.Outline = "q", true
		p := render(t, s, r)
		w, h, got := p.Image.Rect.Dx(), p.Image.Rect.Dy(), [4]bool{}
		for i := range got {
			got[i] = p.Outlined.AlphaAt(w/2+(i%2*2-1)*w/40, h/2+(i/2*2-1)*h/40).A > 0
		}
		require.Equal(t, want, got, draws)
	}
}

// The depth view can be scaled to a given range, or to the range of the picture.
func TestDepthRange(t *testing.T) {
	for _, path := range []string{window, demoTrace(t, 1)} {
		s := open(t, path)
		r := request()
		r.View = fragment.ViewDepth
		plain := render(t, s, r)
		require.Equal(t, mgl64.Vec2{}, plain.DepthRange)
		r.Depth = DepthRange{Auto: true}
		auto := render(t, s, r)
		require.Less(t, auto.DepthRange[0], auto.DepthRange[1])
		require.Greater(t, colors(auto.Image), 100)
		r.Depth = DepthRange{From: auto.DepthRange[0], To: auto.DepthRange[1]}
		same(t, auto.Image.Pix, render(t, s, r).Image.Pix)
		r.Depth = DepthRange{From: auto.DepthRange[1], To: auto.DepthRange[0]}
		round := render(t, s, r)
		for i := 0; i < len(round.Image.Pix); i += 4 {
			require.InDelta(t, 255, int(round.Image.Pix[i])+int(auto.Image.Pix[i]), 1)
		}
		r.Depth = DepthRange{From: 0.5, To: 0.5}
		require.LessOrEqual(t, colors(render(t, s, r).Image), 2)
	}
}

// Seeking to a late frame reports progress and can be cancelled; the next picture is still right.
func TestTraceProgress(t *testing.T) {
	path := demoTrace(t, 6)
	want := request()
	want.Frame = 5
	last := render(t, open(t, path), want)

	s := open(t, path)
	var told [][2]int
	r := request()
	r.Frame = 5
	r.Progress = func(done, total int) { told = append(told, [2]int{done, total}) }
	same(t, last.Image.Pix, render(t, s, r).Image.Pix)
	require.Equal(t, [][2]int{{1, 5}, {2, 5}, {3, 5}, {4, 5}, {5, 5}}, told)
	told = nil
	require.Positive(t, render(t, s, r).Took)
	require.Empty(t, told, "the second seek starts at a checkpoint")

	s = open(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	r.Progress = func(done, total int) {
		if done == 2 {
			cancel()
		}
	}
	_, err := s.Render(ctx, r)
	require.ErrorIs(t, err, context.Canceled)
	r.Progress = nil
	same(t, last.Image.Pix, render(t, s, r).Image.Pix)
}

// Closing or reloading a source releases its memory for reuse, and earlier pictures stay unchanged.
func TestClosedSourceReleasesMemory(t *testing.T) {
	trace, scene := ownTraces+"lights.ctf", "../testdata/window.yaml"
	last := map[string]Source{}
	first := map[string][]byte{}
	shown := []*Picture{}
	testkit.HandsOn(t, 50, func(i int) {
		path := []string{trace, scene}[i%2]
		s := last[path]
		if s != nil && i%3 == 0 {
			require.NoError(t, s.Reload())
		} else {
			if s != nil {
				s.Close()
			}
			s = open(t, path)
			last[path] = s
		}
		p := render(t, s, request())
		if first[path] == nil {
			first[path] = bytes.Clone(p.Image.Pix)
			shown = append(shown, p)
		}
		require.True(t, bytes.Equal(first[path], p.Image.Pix), "%s", path)
	})
	for i, path := range []string{trace, scene} {
		require.True(t, bytes.Equal(first[path], shown[i].Image.Pix), "%s", path)
		last[path].Close()
	}
}

// Stepping between draws of a long frame in any order gives the same pictures as a newly opened one, and replays from the nearest
// checkpoint.
func TestStepDrawsOfALongFrame(t *testing.T) {
	source := testkit.Must(picatrace.Parse(testkit.Read(t, ownTraces+"lights.ctf")))(t)
	var file bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&file, source.Meta, source.Initial, picatrace.WriterOptions{}))(t)
	frame := testkit.Must(source.Frame(0))(t)
	for range 40 {
		for _, e := range frame.Events {
			if e.Kind == picatrace.Load {
				require.NoError(t, w.Load(e.Words[0], e.Data))
			} else {
				require.NoError(t, w.Add(e))
			}
		}
	}
	require.NoError(t, w.EndFrame())
	require.NoError(t, w.Close())
	path := filepath.Join(t.TempDir(), "long.picatrace")
	require.NoError(t, os.WriteFile(path, file.Bytes(), 0o644))
	inspect := func(s Source, draw int) *Picture {
		p := render(t, s, &Request{Draw: draw})
		p.Took, p.Seeking, p.Stats.Time, p.Stats.Flushes, p.Stats.Compiled, p.Stats.Decoded = 0, 0, pipeline.Times{}, 0, 0, 0
		return p
	}
	s := open(t, path)
	last := inspect(s, -1).Frame - 1
	require.Greater(t, last, 100)
	for _, draw := range []int{last, last - 1, last / 2, last/2 + 1, 3, last, 0} {
		one := open(t, path)
		require.Equal(t, inspect(one, draw), inspect(s, draw), "draw %d", draw)
		one.Close()
	}
	draws := 0 // draws replayed per step
	r := s.(*traceSource).Replayer
	require.NoError(t, r.VisitFrom(t.Context(), pipeline.Position{Draw: last}, last, func(g *pipeline.GPU) error {
		g.BeforeDraw = func(*pipeline.DrawInfo) error { draws++; return nil }
		return nil
	}))
	require.Less(t, draws, last/2)
}
