package drawstate

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/citrace"
	"pica200/assets/picatrace"
	"pica200/explain"
	"pica200/internal/demo"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene/source"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// A filter matches if all its words (in any case) and comparisons match.
func TestItemFilter(t *testing.T) {
	item := Item{Kind: "draw", Label: "draw 4", Text: "30 Triangles, 0:64x64 rgba8", Draw: 4, Pixels: 1000, Micros: 70, Pass: 1, Vertices: 90, Triangles: 30, Drawn: 20, Shader: "shader Basic.v"}
	for text, want := range map[string]bool{
		"": true, "  ": true, "TRI rgba": true, "rgba8 draw": true, "rgba4": false, "tri rgba4": false, "draw 4": true, "basic": true,
		"pixels>999": true, "pixels>1000": false, "pixels<1001": true, "pixels<1000": false, "pixels=1000": true, "pixels=100": false,
		"us>50 pass=1": true, "us>50 pass=0": false, "Pixels>999 30": true, "vertices>89": true, "vertices<90": false, "triangles=30": true, "drawn=20": true, "drawn=30": false,
		"draw=4": true, "pixels>": false, "pixels>1e3": false, "64x64": true, "other>0": false,
		"pixels<99999999999999999999999": true, "pixels>99999999999999999999999": false, "pixels=99999999999999999999999": false,
	} {
		require.Equal(t, want, filter(text)(&item), "%q", text)
	}
	other := Item{Kind: "fill", Label: "fill", Text: "0x18000000"}
	require.True(t, filter("FILL 0x18")(&other))
	require.False(t, filter("us<1")(&other), "comparisons match draws only")
}

// Without a key, items keep their order. With a key, only draws remain, in descending order; equal ones keep draw order.
func TestItemOrder(t *testing.T) {
	items := []Item{{Kind: "list"}}
	for i, n := range [][4]int{{3, 8, 1, 5}, {7, 2, 4, 5}, {7, 5, 3, 6}, {1, 2, 2, 4}} {
		items = append(items, Item{Kind: "draw", Draw: i, Micros: int64(n[0]), Pixels: uint64(n[1]), Triangles: n[2], Vertices: n[3]})
	}
	items = append(items, Item{Kind: "end"})
	for by, want := range map[string][]int{
		"": {0, 1, 2, 3, 4, 5}, "us": {2, 3, 1, 4}, "pixels": {1, 3, 2, 4}, "triangles": {2, 3, 4, 1}, "vertices": {3, 1, 2, 4},
	} {
		require.Equal(t, want, Arrange(items, "", by), by)
	}
	require.Equal(t, []int{2, 3}, Arrange(items, "us>3", ""))
	require.Equal(t, []int{3, 2, 4}, Arrange(items, "draw>0", "pixels"))
	require.Equal(t, []int{}, Arrange(items, "nothing", "us"))
	many := []Item{}
	for i := range 40 {
		many = append(many, Item{Kind: "draw", Draw: i, Micros: int64(i % 2)})
	}
	sorted := Arrange(many, "", "us")
	require.IsIncreasing(t, sorted[:20])
	require.IsIncreasing(t, sorted[20:])
	var orders []string
	for _, n := range Orders() {
		orders = append(orders, n.Order)
	}
	require.Equal(t, []string{"as drawn", "by pixels", "by time", "by triangles", "by vertices"}, orders)
}

// A pass has its draws with their totals, and the items between them.
func TestListPasses(t *testing.T) {
	var l List
	for i, pass := range []int{-1, 0, -1, 0, -1, 1, 1, -1} {
		one := Item{Kind: "fill"}
		if pass >= 0 {
			one = Item{Kind: "draw", Draw: len(l.Draws), Pass: pass, Pixels: 1 << (4 * i), Micros: int64(i)}
			d := pipeline.DrawRecord{Pass: pass}
			d.Target.Width = 16 * (pass + 1)
			l.Draws = append(l.Draws, d)
		}
		l.Items = append(l.Items, one)
	}
	l.End()
	require.Equal(t, []Pass{{"pass 0: 16x0  at 0x00000000,  at 0x00000000", 2, 0x1010, 4, nil}, {"pass 1: 32x0  at 0x00000000,  at 0x00000000", 2, 0x1100000, 11, nil}}, l.Passes)
	inside := ""
	for i := range l.Items {
		if l.Items[i].Inside {
			inside += fmt.Sprint(i, " in ", l.Items[i].Pass, ";")
		}
	}
	require.Equal(t, "2 in 0;", inside)
	require.Equal(t, "end", l.Items[8].Kind)
}

// A uniform is listed once for a field, even if it sets several of its bits.
func TestFieldUniformsAreUnique(t *testing.T) {
	named := 0
	for reg := range pica.Reg(pica.NumRegs) {
		for _, f := range pica.Registers[reg].Fields {
			names := UniformsOf(f)
			named += len(names)
			sorted := slices.Sorted(slices.Values(names))
			require.Equal(t, len(names), len(slices.Compact(sorted)), "%v %s: %v", reg, f.Name, names)
		}
		// A field that spans the register lists each uniform that sets any part of it, once.
		whole := UniformsOf(pica.Field{Reg: reg, FieldBits: pica.FieldBits{Bits: 32}})
		require.Equal(t, len(whole), len(slices.Compact(slices.Sorted(slices.Values(whole)))), "%v: %v", reg, whole)
	}
	require.Greater(t, named, 100)
}

// The transfer that shows a target says where on the screen each of its pixels is: the target's pixels, turned and scaled in that
// way, are the screen's.
func TestTargetsAreShownAsTheirTransfersSay(t *testing.T) {
	lights := testkit.Named(t, "lights")[0].Read(t)
	flipped := testkit.Must(citrace.Parse(lights))(t)
	for i := range flipped.Elements {
		if e := &flipped.Elements[i]; e.Address == pica.ExtTransferFlags {
			e.Value |= 1
		}
	}
	recordings := map[string]*picatrace.Trace{"lights": testkit.Must(picatrace.Parse(lights))(t), "flipped": picatrace.FromCiTrace(flipped)}
	scene := testkit.Must(source.Open("../../testdata/scenes/stereo.yaml", source.Options{}))(t)
	defer scene.Close()
	recordings["stereo"] = testkit.Must(scene.Record(t.Context(), 0))(t).Trace
	recordings["demo"] = testkit.Must(picatrace.Parse(testkit.Must(demo.Trace(t.Context(), 1))(t)))(t)
	found := map[string]int{}
	for name, trace := range recordings {
		r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1}})
		require.NoError(t, err)
		var l List
		var last map[int]*image.NRGBA // pictures of the passes
		require.NoError(t, r.Visit(t.Context(), pipeline.Position{Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
			l, last = List{}, map[int]*image.NRGBA{}
			l.Follow(g, 0, func(int) (string, string) { return "", "" }, nil)
			after := g.AfterDraw
			g.AfterDraw = func(d *pipeline.DrawInfo) error {
				err := after(d)
				last[l.Draws[len(l.Draws)-1].Pass] = testkit.Must(pipeline.ColorImage(d.Target))(t)
				return err
			}
			return nil
		}))
		l.End()
		screens := map[string]*image.RGBA{"top": r.GPU.Screen(pipeline.ScreenTop), "bottom": r.GPU.Screen(pipeline.ScreenBottom), "topright": r.GPU.Screen(pipeline.ScreenTopRight)}
		for p := range l.Passes {
			s := l.Passes[p].Shown
			if s == nil {
				continue
			}
			found[name+" "+s.Screen]++
			require.Equal(t, name == "flipped", s.Flip)
			screen, target, off := screens[s.Screen], last[p], 0
			require.NotNil(t, screen, name)
			for x := range s.Height {
				for y := range s.Width {
					line := x
					if s.Flip {
						line = s.Height - 1 - x
					}
					var sum [3]int
					for dy := range s.Scale[1] {
						for dx := range s.Scale[0] {
							at := target.PixOffset((s.Width-1-y)*s.Scale[0]+dx, s.Line+line*s.Scale[1]+dy)
							for c := range sum {
								sum[c] += int(target.Pix[at+c])
							}
						}
					}
					for c := range sum {
						if d := sum[c]/(s.Scale[0]*s.Scale[1]) - int(screen.Pix[screen.PixOffset(x, y)+c]); d < -8 || d > 8 {
							off++
						}
					}
				}
			}
			require.Zero(t, off, "%s, pass %d: %+v", name, p, *s)
		}
		r.GPU.Close()
	}
	require.Equal(t, map[string]int{"demo top": 1, "flipped top": 1, "lights top": 1, "stereo bottom": 1, "stereo top": 1, "stereo topright": 1}, found)
}

// Thumbnails are made of textures with sides from 8 to 1024.
func TestThumbnailSizes(t *testing.T) {
	for d, want := range map[[2]int]bool{{8, 1024}: true, {1024, 8}: true, {7, 64}: false, {64, 7}: false, {1025, 64}: false, {64, 1025}: false} {
		require.Equal(t, want, sized(pipeline.DrawTexture{Width: d[0], Height: d[1]}), d)
	}
}

// A texture thumbnail is read again after a load, a move, and a draw to another target. Existing GPU hooks are still called.
func TestThumbnailsFollowMemory(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	var regs pica.Regs
	regs[pica.TexunitEnable0.Reg] = 1
	regs[pica.RegTexunit0Dim] = 8 | 8<<16
	regs[pica.TexunitAddr.Reg] = pica.FCRAMBase / 8
	called := 0
	g.BeforeDraw = func(*pipeline.DrawInfo) error { called++; return nil }
	g.BeforeLoad = func(uint32, int) { called++ }
	g.AfterMove = func() error { called++; return nil }
	var list [][]*image.RGBA
	new(Thumbs).Follow(g, &list)
	hooks := g.Hooks
	g.Hooks = pipeline.Hooks{}
	draw := func(shade byte) uint8 {
		require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, bytes.Repeat([]byte{255, shade, shade, shade}, 64)))
		require.NoError(t, hooks.BeforeDraw(&pipeline.DrawInfo{Regs: &regs}))
		last := list[len(list)-1]
		require.Len(t, last, 1)
		return last[0].Pix[0]
	}
	require.EqualValues(t, 10, draw(10))
	require.EqualValues(t, 10, draw(20), "an unchanged texture is not read again")
	hooks.BeforeLoad(0, 0)
	require.EqualValues(t, 30, draw(30))
	require.NoError(t, hooks.AfterMove())
	require.EqualValues(t, 40, draw(40))
	regs[pica.ColorbufferLoc.Reg] += 8
	require.EqualValues(t, 50, draw(50))
	require.EqualValues(t, 50, draw(10))
	require.Equal(t, 8, called)
}

// Sources and destinations of fills and transfers in random traces are named after the targets, textures and screens of their
// frames, and shown before and after.
func TestMoveSourcesAndDestinations(t *testing.T) {
	var text strings.Builder
	for _, seed := range []uint64{0, 2, 3, 10, 11, 14, 20, 29, 31, 37, 39, 50, 55, 59} {
		c := testkit.Must(citrace.Parse(states.Make(seed)))(t)
		r, err := pipeline.NewReplayer(picatrace.FromCiTrace(c), pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1, FCRAM: states.FCRAM}})
		require.NoError(t, err)
		for frame := range r.Frames() {
			for i := 0; ; i++ {
				m, err := TakeMove(t.Context(), r, frame, i, nil)
				var none *NoMoveError
				if errors.As(err, &none) {
					break
				}
				require.NoError(t, err)
				fmt.Fprintf(&text, "seed %d, frame %d, %T %d:", seed, frame, m.Move, i)
				for _, row := range m.Rows[len(explain.MoveRow(m.Move).Rows):] {
					fmt.Fprintf(&text, " %s;", row.Text())
				}
				fmt.Fprintf(&text, " %s, then %s\n", sum(m.Before), sum(m.After))
			}
		}
		r.GPU.Close()
	}
	testkit.Golden(t, "testdata/moves.txt", []byte(text.String()))
}

// sum returns the checksum of an area's picture or depths.
func sum(a *Area) string {
	switch {
	case a == nil:
		return "nothing"
	case a.Image != nil:
		return fmt.Sprintf("picture %v %08x", a.Image.Bounds().Size(), crc32.ChecksumIEEE(a.Image.Pix))
	}
	return fmt.Sprintf("depths %08x", crc32.ChecksumIEEE(a.Depth.Depth))
}
