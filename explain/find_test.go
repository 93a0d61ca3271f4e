package explain

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// A screen pixel is traced back to the render target; the last event there leaves the colour that the screen shows.
func TestScreenEndsInScreenColor(t *testing.T) {
	if testkit.Race {
		t.Skip("explaining runs on one goroutine, and TestTracesReplay draws these traces with several")
	}
	for _, file := range testkit.Named(t, "lights", "b_game", "x_tests") {
		t.Run(file.Name, func(t *testing.T) {
			r := replayer(t, file.Read(t), pipeline.ReplayerOptions{})
			ctx, frame := context.Background(), r.Frames()-1
			require.NoError(t, r.Seek(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}))
			top := r.GPU.Screen(pipeline.ScreenTop)
			rng := rand.New(rand.NewPCG(1, 2))
			drawn := 0
			for range 12 {
				x, y := rng.IntN(top.Rect.Dx()), rng.IntN(top.Rect.Dy())
				e, err := Screen(ctx, r, frame, pipeline.ScreenTop, x, y)
				if err != nil {
					require.ErrorContains(t, err, "no draw of frames") // a part of the screen without draws
					continue
				}
				require.NotEmpty(t, e.Via)
				if len(e.Events) == 0 { // not changed in this frame
					continue
				}
				got := e.Events[len(e.Events)-1].After.Color
				want := top.RGBAAt(x, y)
				require.Equal(t, [3]uint8{want.R, want.G, want.B}, [3]uint8(got[:3]), "pixel %d,%d", x, y)
				for i := range e.Events {
					if e.Events[i].Fragment != nil {
						drawn++
					}
				}
			}
			require.NotZero(t, drawn)
		})
	}
	r := replayer(t, testkit.Named(t, "lights")[0].Read(t), pipeline.ReplayerOptions{})
	for _, at := range [][2]int{{400, 0}, {0, 240}, {-1, 0}, {math.MinInt, math.MaxInt - 400}, {math.MaxInt, 5}, {400, math.MaxInt - 400}} {
		_, err := Screen(context.Background(), r, 0, pipeline.ScreenTop, at[0], at[1])
		require.ErrorContains(t, err, "lies outside the top screen of 400x240")
		_, err = Pixel(context.Background(), r, pipeline.Position{Draw: pipeline.FrameEnd}, at[0], at[1]+400)
		require.ErrorContains(t, err, "outside the render target")
	}
	for _, at := range [][2]int{{0, 5}, {5, 0}, {319, 239}} {
		_, err := Screen(context.Background(), r, 0, pipeline.ScreenBottom, at[0], at[1])
		require.ErrorContains(t, err, "of the bottom screen shows no framebuffer in memory")
	}
	for _, frame := range []int{99, -1} {
		_, err := Screen(context.Background(), r, frame, pipeline.ScreenTop, 0, 0)
		require.ErrorContains(t, err, fmt.Sprintf("there is no frame %d", frame))
	}
	_, err := Pixel(context.Background(), r, pipeline.Position{Draw: 99}, 0, 0)
	require.ErrorContains(t, err, "there is no draw 99")
}

// A texel drawn by an earlier pass is traced to that pass: its last event there leaves the texel's colour.
func TestPassesFindTexels(t *testing.T) {
	compared := 0
	for _, file := range testkit.Named(t, "gas", "shadow", "arcs") {
		r := replayer(t, file.Read(t), pipeline.ReplayerOptions{})
		ctx := context.Background()
		for _, at := range [][2]int{{60, 30}, {40, 20}, {80, 40}} {
			e := testkit.Must(Pixel(ctx, r, pipeline.Position{Draw: pipeline.FrameEnd}, at[0], at[1]))(t)
			passes := testkit.Must(Passes(ctx, r, e))(t)
			for _, p := range passes {
				require.NotEmpty(t, p.Read)
				if p.Target.ColorFormat != pica.ColorFormatRGBA8.String() {
					continue
				}
				if len(p.Events) == 0 {
					continue
				}
				got := p.Events[len(p.Events)-1].After.Color
				for i := range e.Events {
					rows.Walk(e.Events[i].Row().Rows, func(r *rows.Row, _ int) bool {
						if l := r.Link; l != nil && l.To == rows.ToTexel && l.X == p.X && p.Target.Height-1-l.Y == p.Y {
							require.Equal(t, r.Get("color"), got, "%s, pixel %v", file.Name, at)
							compared++
						}
						return true
					})
				}
			}
		}
	}
	require.NotZero(t, compared)
}

// Won returns the last event that wrote the pixel; refused fragments do not count.
func TestWonReturnsLastWrite(t *testing.T) {
	wrote := Event{Event: pipeline.Event{Fragment: &fragment.Record{Outcome: fragment.Written}}}
	refused := Event{Event: pipeline.Event{Fragment: &fragment.Record{Outcome: fragment.Written + 1}}}
	filled := Event{Event: pipeline.Event{Draw: -1, Move: pipeline.Fill{}}}
	for want, events := range map[int][]Event{3: {wrote, refused, filled, wrote}, -1: {refused, refused}, 0: {wrote, refused}, 1: {refused, filled, refused}, 2: {filled, wrote, wrote, refused}} {
		require.Equal(t, want, (&History{Events: events}).Won())
	}
	require.Equal(t, -1, (&History{}).Won())
}

// Texels can be pixels of a target if they are in level 0, inside the texture and of a target's format; each is listed once.
func TestTexelsThatCanBeTargetPixels(t *testing.T) {
	texel := func(y int32, address uint32) fragment.TexelRecord {
		return fragment.TexelRecord{X: 3, Y: y, Address: address}
	}
	texture := func(format pica.TextureFormat, level int, texels ...fragment.TexelRecord) *fragment.TextureRecord {
		return &fragment.TextureRecord{Format: format, Height: 8, Samples: []fragment.SampleRecord{{Level: level, Texels: texels}}}
	}
	border := texel(1, 99)
	border.Border = true
	var f fragment.Record
	f.Units[0].Texture = texture(pica.TextureFormatRGB565, 0, texel(7, 10), border, texel(7, 10), texel(8, 30), texel(0, 60))
	f.Units[0].Texture.Samples = append(f.Units[0].Texture.Samples, fragment.SampleRecord{Level: 1, Texels: []fragment.TexelRecord{texel(7, 20)}})
	f.Units[1].Texture = texture(pica.TextureFormatETC1, 0, texel(1, 40))
	f.Units[2].Texture = texture(pica.TextureFormatRGBA8, 0, texel(6, 10))
	require.Equal(t, []texelRead{
		{7, 10, "texel 3,7 of texture 0 of draw 7"}, {7, 60, "texel 3,0 of texture 0 of draw 7"}, {7, 10, "texel 3,6 of texture 2 of draw 7"},
	}, texelsOf(&f, 7))
}

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

// Every combiner function has two formulas with all of its operands.
func TestEveryCombinerFunctionHasAFormula(t *testing.T) {
	require.Len(t, combineForms, pica.Combines.Len())
	for f, forms := range combineForms {
		for _, form := range forms {
			said := fmt.Sprintf(form, []any{"A", "B", "C"}[:pica.Combine(f).Inputs()]...)
			require.NotContains(t, said, "%!", "%v: %s", pica.Combine(f), form)
			require.Contains(t, said, "A", "%v has no formula", pica.Combine(f))
		}
	}
}

// Combiner stages in words: sources with operands, and stages that pass the previous result on.
func TestCombinerStagesInWords(t *testing.T) {
	known := map[int]string{0: "x", 1: "(1 - x)", 2: "x.a", 3: "(1 - x.a)", 4: "x.r", 5: "(1 - x.r)", 8: "x.g", 9: "(1 - x.g)", 12: "x.b", 13: "(1 - x.b)"}
	for code := range 16 {
		want := known[code]
		if !pica.OperandRGBs.Has(uint32(code)) {
			want = "x"
		}
		if want != "" { // otherwise it is a new operand
			require.Equal(t, want, operandName("x", 0, uint8(code)), code)
		}
	}
	for code, want := range []string{"x.a", "(1 - x.a)", "x.r", "(1 - x.r)", "x.g", "(1 - x.g)", "x.b", "(1 - x.b)"} {
		require.Equal(t, want, operandName("x", 1, uint8(code)), code)
	}
	r := &pica.Regs{}
	for i := range pica.NumTexenvs {
		at := pica.TexenvOffset(i)
		pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourcePrevious))
		pica.TexenvAlphaSource0.At(at).Set(r, uint32(pica.SourcePrevious))
	}
	pica.TexenvRgbCombine.Set(r, uint32(pica.CombineMultAdd))
	pica.TexenvRgbSource0.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbSource1.Set(r, uint32(pica.SourceConstant))
	pica.TexenvRgbSource2.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbOperand1.Set(r, 1)
	pica.TexenvRgbScale.Set(r, 1)
	r[pica.RegTexenv0Color] = 0x04030201
	pica.TexenvUpdateRgb.Set(r, 1)
	pica.TexenvAlphaSource0.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvAlphaCombine.At(pica.TexenvOffset(3)).Set(r, uint32(pica.CombineModulate))
	pica.TexenvAlphaSource1.At(pica.TexenvOffset(3)).Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvAlphaScale.At(pica.TexenvOffset(3)).Set(r, 2)
	list := testkit.Must(CombinerRows(r))(t)
	require.Len(t, list, 12)
	text := ""
	for i := range list {
		text += list[i].Line()
		if list[i].Mark == rows.Idle {
			text += " (idle)"
		}
		text += "\n"
	}
	require.Equal(t, `stage 0 rgb: (primary_color * (1 - constant) + primary_color) * 2; the constant is   1   2   3   4, also to the buffer
stage 0 alpha: primary_color.a
stage 1 rgb: previous (idle)
stage 1 alpha: previous.a (idle)
stage 2 rgb: previous (idle)
stage 2 alpha: previous.a (idle)
stage 3 rgb: previous (idle)
stage 3 alpha: previous.a * primary_color.a * 4
stage 4 rgb: previous (idle)
stage 4 alpha: previous.a (idle)
stage 5 rgb: previous (idle)
stage 5 alpha: previous.a (idle)
`, text)
	pica.TexenvRgbCombine.Set(r, 15)
	_, err := CombinerRows(r)
	require.Error(t, err)
}
