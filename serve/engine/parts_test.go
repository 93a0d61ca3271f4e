package engine

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/explain/drawstate"
	"pica200/fragment"
	"pica200/geometry"
	"pica200/internal/plural"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/tests/testkit"
)

// A draw's triangles follow its index order; those with vertices out of range are left out.
func TestDrawTriangles(t *testing.T) {
	for mode, want := range map[pica.PrimitiveMode][]uint32{
		pica.PrimitiveTriangles: {3, 1, 0, 2, 4, 1}, pica.PrimitiveTriangleStrip: {3, 1, 0, 0, 1, 2, 0, 2, 4, 4, 2, 1}, pica.PrimitiveTriangleFan: {3, 1, 0, 3, 0, 2, 3, 2, 4, 3, 4, 1},
	} {
		s := &shot{state: &drawstate.State{Vertices: &geometry.Vertices{Count: 5, Order: []uint32{3, 1, 0, 2, 4, 1, 5}}}}
		pica.PrimitiveConfigMode.Set(&s.state.Input.Regs, uint32(mode))
		require.Equal(t, want, s.triangles(), "%v", mode)
		s.state.Vertices.Order = s.state.Vertices.Order[:2]
		require.Empty(t, s.triangles())
	}
}

// A texture is requested by unit, face and level.
func TestTextureRequest(t *testing.T) {
	large := image.NewNRGBA(image.Rect(0, 0, 4*thumbWidth, 4*thumbHeight))
	for i := range large.Pix {
		large.Pix[i] = byte(i * 7)
	}
	s := &shot{state: &drawstate.State{}}
	for unit := range 3 {
		tx := drawstate.Texture{Image: large.SubImage(image.Rect(0, 0, 4*thumbWidth, 4*thumbHeight-8*unit))}
		tx.Unit, tx.Face, tx.Level = unit, 5-unit, 7-unit
		s.state.Textures = append(s.state.Textures, tx)
	}
	for unit := range 3 {
		r := &Request{Unit: unit, Face: 5 - unit, Level: 7 - unit}
		a := testkit.Must((&Engine{}).opTexture(t.Context(), r, s))(t)
		require.Equal(t, large.Pix[:16*thumbWidth*(4*thumbHeight-8*unit)], a.Data)
		for _, r := range []*Request{{Unit: unit + 1, Face: 5 - unit, Level: 7 - unit}, {Unit: unit, Face: 6 - unit, Level: 7 - unit}, {Unit: unit, Face: 5 - unit, Level: 6 - unit}} {
			_, err := (&Engine{}).opTexture(t.Context(), r, s)
			require.ErrorContains(t, err, "no texture of unit")
		}
	}
}

// A difference picture is red where any channel differs, scaled by the amount, and the first picture darkened elsewhere.
func TestDifferencePicture(t *testing.T) {
	a := []byte{120, 60, 30, 9, 12, 24, 36, 255, 0, 0, 0, 0, 200, 100, 50, 1}
	b := []byte{120, 60, 30, 9, 12, 24, 30, 255, 0, 0, 0, 130, 190, 100, 50, 1}
	out := compared{Different: 1}
	require.Equal(t, []byte{17, 17, 17, 255, 96, 6, 6, 255, 130, 0, 0, 255, 96, 29, 29, 255}, difference(a, b, &out))
	require.Equal(t, []int{4, 130}, []int{out.Different, out.Largest})
}

// While frames are replayed for another request, "progress" returns their number without waiting.
func TestProgressRequest(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"))
	far := func() [2]float64 {
		head, _ := ask(t, e, `{"op":"progress"}`)
		return [2]float64{head["done"].(float64), head["total"].(float64)}
	}
	require.Equal(t, [2]float64{}, far())
	frames := 0
	seen := [][2]float64{}
	e.options.Progress = func(done, total int) {
		seen = append(seen, far()) // during a request
		require.Equal(t, [2]float64{float64(done), float64(total)}, seen[len(seen)-1])
	}
	head, _ := ask(t, e, `{"op":"open"}`)
	frames = int(head["file"].(map[string]any)["frames"].(float64))
	ask(t, e, `{"op":"frame","frame":`+text(frames-1)+`}`)
	require.Len(t, seen, frames-1)
	require.Equal(t, [2]float64{float64(frames - 1), float64(frames - 1)}, seen[len(seen)-1])
	ask(t, e, `{"op":"frame","frame":0}`)
	require.Zero(t, far()[1], "progress of an earlier request is cleared")
}

// Overdraw counts fragments one by one in every colour format.
func TestOverdrawCounts(t *testing.T) {
	for format, most := range map[pica.ColorFormat]int{pica.ColorFormatRGBA8: 255, pica.ColorFormatRGB8: 255, pica.ColorFormatRGB5A1: 31, pica.ColorFormatRGB565: 31, pica.ColorFormatRGBA4: 15} {
		target := &raster.Target{Width: 8, Height: 8, ColorFormat: format, Color: make([]byte, 64*format.Bytes())}
		step := fragment.OverdrawStep(format)
		for n := range most + 3 { // adds like the view does
			if n > 0 {
				var c [4]raster.Channel
				target.LoadColor(0, &c[0], &c[1], &c[2], &c[3])
				for i := range c[2] {
					c[2][i] = uint8(min(int(c[2][i])+int(step), 255))
				}
				target.StoreColor(0, 0xFFFF, &c[0], &c[1], &c[2], &c[3])
			}
			a := testkit.Must(overdraw(target, "overdraw"))(t)
			require.EqualValues(t, most, a.Value.(Picture).Max)
			require.EqualValues(t, min(n, most), a.Data[0], "%v", format)
			require.Zero(t, a.Data[63])
		}
	}
}

func TestShrinkPicture(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for y := range 6 {
		for x := range 8 {
			img.SetRGBA(x, y, color.RGBA{uint8(10 * x), uint8(20 * y), uint8(x * y), uint8(x)})
		}
	}
	for _, c := range []struct{ width, height, w, h int }{{4, 3, 4, 3}, {4, 100, 4, 3}, {100, 3, 4, 3}, {2, 2, 2, 1}, {8, 6, 8, 6}, {100, 100, 8, 6}, {1, 1, 1, 1}, {8, 2, 2, 2}} {
		got := drawstate.Shrink(img, c.width, c.height)
		require.Equal(t, image.Pt(c.w, c.h), got.Rect.Size(), "%v", c)
		for y := range c.h {
			for x := range c.w {
				var sum [4]int
				n := 0
				for sy := y * 6 / c.h; sy < (y+1)*6/c.h; sy++ {
					for sx := x * 8 / c.w; sx < (x+1)*8/c.w; sx++ {
						sum, n = [4]int{sum[0] + 10*sx, sum[1] + 20*sy, sum[2] + sx*sy, sum[3] + sx}, n+1
					}
				}
				require.Equal(t, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), uint8(sum[3] / n)}, got.RGBAAt(x, y), "%v at %d,%d", c, x, y)
			}
		}
	}
	thin := image.NewRGBA(image.Rect(0, 0, 300, 1))
	require.Equal(t, image.Pt(3, 1), drawstate.Shrink(thin, 3, 3).Rect.Size(), "a picture of one line keeps one line")
	require.True(t, blank(thin))
	thin.Pix[4*299+2] = 1
	require.False(t, blank(thin))
}

// The size of a shot includes its pictures and vertices.
func TestShotSize(t *testing.T) {
	s := &shot{state: &drawstate.State{}}
	empty := s.size()
	s.before = &raster.Target{Color: make([]byte, 1000), Depth: make([]byte, 200)}
	require.Equal(t, empty+1200, s.size())
	s.after = &raster.Target{Color: make([]byte, 30)}
	require.Equal(t, empty+1230, s.size())
	s.state.Textures = []drawstate.Texture{{Image: image.NewRGBA(image.Rect(0, 0, 5, 7))}}
	require.Equal(t, empty+1230+4*35, s.size())
}

// Thumbnails show the textures bound by draws, each once per answer, with the edits applied.
func TestTextureThumbnails(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "shadow"), source(t, "lights"))
	small := func(request string) (draws []any, at func(draw, k int) (image.Point, []byte)) {
		head, data := ask(t, e, request)
		draws = head["draws"].([]any)
		return draws, func(draw, k int) (size image.Point, pix []byte) {
			n, from := int(draws[draw].([]any)[k].(float64)), 0
			for i, p := range head["pictures"].([]any) {
				size = image.Pt(int(p.(map[string]any)["width"].(float64)), int(p.(map[string]any)["height"].(float64)))
				if pix = data[from:][:4*size.X*size.Y]; i == n {
					return size, pix
				}
				from += len(pix)
			}
			t.Fatalf("draw %d has no picture %d", draw, k)
			return
		}
	}
	pictures := 0
	for file := range 2 {
		draws, at := small(`{"op":"textures","draw":0,"file":` + text(file) + `}`)
		for draw := range draws {
			of, _ := ask(t, e, `{"op":"draw","file":`+text(file)+`,"draw":`+text(draw)+`}`)
			bound := of["record"].(map[string]any)["textures"].([]any)
			require.Len(t, draws[draw], len(bound))
			for k, tx := range bound {
				unit := int(tx.(map[string]any)["unit"].(float64))
				head, pix := ask(t, e, `{"op":"texture","file":`+text(file)+`,"draw":`+text(draw)+`,"unit":`+text(unit)+`}`)
				large := &image.RGBA{Pix: pix, Rect: image.Rect(0, 0, int(head["width"].(float64)), int(head["height"].(float64)))}
				large.Stride = 4 * large.Rect.Dx()
				want := drawstate.Shrink(large, 32, 32)
				size, got := at(draw, k)
				require.Equal(t, want.Rect.Size(), size)
				require.Equal(t, want.Pix, got, "file %d, draw %d, unit %d", file, draw, unit)
				pictures++
			}
		}
	}
	require.Equal(t, 3, pictures)

	all, _ := small(`{"op":"textures","draw":0,"file":1}`)
	some, at := small(`{"op":"textures","draw":2,"count":1,"file":1}`)
	require.Len(t, some, 1)
	require.Len(t, some[0], len(all[2].([]any)))
	was, _ := at(0, 0)
	_, at = small(`{"op":"textures","draw":2,"count":1,"file":1,"edits":[{"draw":2,"register":"GPUREG_TEXUNIT0_DIM","value":524304}]}`)
	is, _ := at(0, 0)
	require.Equal(t, image.Pt(16, 8), image.Pt(is.Y, is.X), "the thumbnail has the edited size")
	require.NotEqual(t, was, is)
	none, _ := small(`{"op":"textures","draw":99,"file":1}`)
	require.Empty(t, none)
	require.EqualValues(t, 64+2*(24+8)+24+16+32*32*4+64, sizeOfThumbs([][]*image.RGBA{{nil}, {image.NewRGBA(image.Rect(0, 0, 32, 32))}, {nil, nil}}))
}

// A list has the items of a frame that pass the filter, in the given order, with the edits applied.
func TestListFilterAndOrder(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"))
	list := func(more string) (found []any) {
		head, _ := ask(t, e, `{"op":"list"`+more+`}`)
		items, _ := ask(t, e, `{"op":"frame"`+strings.Split(more, `,"filter"`)[0]+`}`)
		for _, i := range head["list"].([]any) {
			item := items["items"].([]any)[int(i.(float64))].(map[string]any)
			require.True(t, item["kind"] == "draw" || strings.Contains(more, `"order":""`))
			found = append(found, item["draw"])
		}
		return found
	}
	require.Equal(t, []any{1., 2.}, list(`,"filter":"draw>0 triangles","order":""`))
	require.Equal(t, []any{1., 0., 2.}, list(`,"filter":"","order":"triangles"`))
	require.Equal(t, []any{0., 2., 1.}, list(`,"edits":[{"draw":1,"register":"GPUREG_NUMVERTICES","value":3}],"filter":"","order":"triangles"`))
	// Recorded times of draws are shown for unedited frames only.
	known := newEngine(t, Options{}, Recorded("", testkit.Named(t, "lights")[0].Read(t), &Known{Micros: []int64{5, 1e9, 30}}))
	frame, _ := ask(t, known, `{"op":"frame"}`)
	require.EqualValues(t, 1e9+35, frame["passes"].([]any)[0].(map[string]any)["us"])
	e = known
	require.Equal(t, []any{1., 2., 0.}, list(`,"filter":"","order":"us"`))
	require.Empty(t, list(`,"edits":[{"draw":1,"register":"GPUREG_NUMVERTICES","value":3}],"filter":"us>999999999","order":"us"`))
	require.Empty(t, list(`,"frame":1,"filter":"us>999999999","order":"us"`))
	require.Contains(t, failure(t, e, `{"op":"list","order":"colour"}`).Text, `cannot be sorted by "colour"`)
}

// The list has a frame's items in order; consecutive memory changes are one item.
func TestFrameItems(t *testing.T) {
	e := newEngine(t, Options{}, source(t, "lights"))
	trace, _, err := e.sources[0].Open(t.Context())
	require.NoError(t, err)
	f := testkit.Must(trace.Frame(0))(t)
	pieces, size := 0, 0
	for _, ev := range f.Events {
		if ev.Data == nil {
			break
		}
		pieces, size = pieces+1, size+len(ev.Data)
	}
	require.Positive(t, pieces)
	head, _ := ask(t, e, `{"op":"frame","frame":0}`)
	items := head["items"].([]any)
	var kinds []string
	draws := 0
	for _, i := range items {
		item := i.(map[string]any)
		kinds = append(kinds, item["kind"].(string))
		require.EqualValues(t, draws, item["draw"])
		if item["kind"] == "draw" {
			draws++
		}
	}
	require.Equal(t, plural.Of(size, "byte")+" in "+plural.Of(pieces, "piece"), items[0].(map[string]any)["text"])
	require.Equal(t, 3, draws)
	require.NotContains(t, strings.Join(kinds, " "), "load load", "consecutive loads are one item")

	// A full list has no more items, but all draws.
	opened := testkit.Must(e.open(t.Context(), 0))(t)
	list := drawstate.List{Items: make([]drawstate.Item, drawstate.MaxItems-1, drawstate.MaxItems)}
	require.NoError(t, opened.Visit(t.Context(), pipeline.Position{Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		list.Follow(g, 0, func(int) (name, shader string) { return "", "" }, nil)
		return nil
	}))
	require.Len(t, list.Items, drawstate.MaxItems)
	require.Len(t, list.Draws, 3)
	require.Equal(t, "load", list.Items[drawstate.MaxItems-1].Kind)

	// An error in a frame is returned with the items up to it.
	var out bytes.Buffer
	w := testkit.Must(picatrace.NewWriter(&out, picatrace.Meta{}, picatrace.State{}, picatrace.WriterOptions{}))(t)
	require.NoError(t, w.Add(picatrace.Event{Kind: picatrace.Fill, Words: [7]uint32{pica.VRAMBase, pica.VRAMBase + 64, 1}}))
	require.NoError(t, w.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{pica.FCRAMBase, 16}}))
	require.NoError(t, w.Close())
	bad := newEngine(t, Options{}, recorded("bad", out.Bytes()))
	broken, _ := ask(t, bad, `{"op":"frame","frame":0}`)
	require.Contains(t, broken["error"], "hang")
	require.NotEmpty(t, broken["items"])

	// The sums of draws cover the target's content: other colours give other sums.
	sums := func(e *Engine, frame int) []any {
		head, _ := ask(t, e, fmt.Sprintf(`{"op":"sums","frame":%d}`, frame))
		return head["sums"].([]any)
	}
	first, second := sums(e, 0), sums(e, 1)
	require.Len(t, first, 3)
	require.NotEqual(t, first[0], first[1])
	require.Equal(t, first, sums(e, 0))
	require.NotEqual(t, first, second)
}
