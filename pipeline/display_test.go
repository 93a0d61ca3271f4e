package pipeline_test

import (
	"bytes"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// screens returns a GPU whose screens show RGB8 framebuffers: line n of A has red n, line n of B green n; the first eight pixels of
// every line have their number as blue.
func screens(t *testing.T) (g *pipeline.GPU, write func(addr, v uint32)) {
	t.Helper()
	g = pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	write = func(addr, v uint32) { require.NoError(t, g.WriteRegister(t.Context(), addr, uint64(v), 4)) }
	const a, b = pica.FCRAMBase, pica.FCRAMBase + 0x100000
	var bufferA, bufferB []byte
	for n := range 240 {
		for p := range 240 {
			bufferA = append(bufferA, byte(p&7), 0, byte(n))
			bufferB = append(bufferB, byte(p&7), byte(n), 0)
		}
	}
	require.NoError(t, g.Load(t.Context(), a, bufferA))
	require.NoError(t, g.Load(t.Context(), b, bufferB))
	for _, half := range []uint32{0, pica.StridePdc} {
		write(pica.ExtPdcAddrA0+half, a)
		write(pica.ExtPdcAddrB0+half, b)
	}
	return g, write
}

// TestScanModes checks which framebuffer lines the screen's columns show.
func TestScanModes(t *testing.T) {
	type line struct {
		b bool
		n uint8
	}
	const rgb8 = uint32(pica.ScreenFormatRGB8)
	for _, c := range []struct {
		name    string
		format  uint32
		screen  pipeline.Screen
		columns int
		first   [5]line // columns 0 to 4
		stereo  bool
	}{
		{"ordinary", 0x40, pipeline.ScreenTop, 400, [5]line{{false, 0}, {false, 1}, {false, 2}, {false, 3}, {false, 4}}, false},
		{"wide", 0x00, pipeline.ScreenTop, 800, [5]line{{false, 0}, {false, 1}, {false, 2}, {false, 3}, {false, 4}}, false},
		{"AA, every line twice", 0x10, pipeline.ScreenTop, 400, [5]line{{false, 0}, {false, 1}, {false, 2}, {false, 3}, {false, 4}}, false},
		{"AA doubled", 0x50, pipeline.ScreenTop, 400, [5]line{{false, 0}, {false, 0}, {false, 1}, {false, 1}, {false, 2}}, false},
		{"AB, left eye", 0x20, pipeline.ScreenTop, 400, [5]line{{false, 0}, {false, 1}, {false, 2}, {false, 3}, {false, 4}}, true},
		{"AB, right eye", 0x20, pipeline.ScreenTopRight, 400, [5]line{{true, 0}, {true, 1}, {true, 2}, {true, 3}, {true, 4}}, true},
		{"BA, left eye", 0x30, pipeline.ScreenTop, 400, [5]line{{true, 0}, {true, 1}, {true, 2}, {true, 3}, {true, 4}}, true},
		{"BA, right eye", 0x30, pipeline.ScreenTopRight, 400, [5]line{{false, 0}, {false, 1}, {false, 2}, {false, 3}, {false, 4}}, true},
		{"AB doubled", 0x60, pipeline.ScreenTop, 400, [5]line{{false, 0}, {true, 0}, {false, 1}, {true, 1}, {false, 2}}, false},
		{"BA doubled", 0x70, pipeline.ScreenTop, 400, [5]line{{true, 0}, {false, 0}, {true, 1}, {false, 1}, {true, 2}}, false},
		{"bottom", 0x00, pipeline.ScreenBottom, 320, [5]line{{false, 0}, {false, 1}, {false, 2}, {false, 3}, {false, 4}}, false},
		{"bottom, AA", 0x10, pipeline.ScreenBottom, 320, [5]line{{false, 0}, {false, 0}, {false, 1}, {false, 1}, {false, 2}}, false},
		{"bottom, AB", 0x20, pipeline.ScreenBottom, 320, [5]line{{false, 0}, {true, 0}, {false, 1}, {true, 1}, {false, 2}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, write := screens(t)
			half := uint32(0)
			if c.screen == pipeline.ScreenBottom {
				half = pica.StridePdc
			}
			write(pica.ExtPdcFormat+half, c.format|rgb8)
			for _, other := range []uint32{pica.ExtPdcAddrA0, pica.ExtPdcAddrB0} { // the other screen shows other memory
				write(other+pica.StridePdc-half, 0x18000000)
			}
			img := g.Screen(c.screen)
			require.Equal(t, c.columns, img.Rect.Dx())
			require.Equal(t, c.stereo, g.Stereo())
			for x, want := range c.first {
				p := img.RGBAAt(x, 239-3)
				require.Equal(t, uint8(3), p.B, "pixel 3 of column %d", x)
				if want.b {
					require.Equal(t, [2]uint8{0, want.n}, [2]uint8{p.R, p.G}, "column %d", x)
				} else {
					require.Equal(t, [2]uint8{want.n, 0}, [2]uint8{p.R, p.G}, "column %d", x)
				}
			}
			shown, _ := g.Framebuffers(c.screen)
			require.Equal(t, c.first[0].b, shown != pica.FCRAMBase)
		})
	}
	t.Run("doubled pixels", func(t *testing.T) {
		g, write := screens(t)
		write(pica.ExtPdcFormat+pica.StridePdc, 0x40|rgb8)
		require.Equal(t, uint8(2), g.Screen(pipeline.ScreenBottom).RGBAAt(1, 239-5).B)
		write(pica.ExtPdcFormat, 0x40|6) // behaves like RGBA8 with doubled pixels
		write(pica.ExtPdcFormat+pica.StridePdc, 0)
		eight := g.Screen(pipeline.ScreenBottom)
		six := g.Screen(pipeline.ScreenTop)
		for y := range 240 {
			require.Equal(t, eight.RGBAAt(0, 239-y/2), six.RGBAAt(0, 239-y), "pixel %d", y)
		}
	})
}

// TestScreenColorTable checks the colour table of a display controller.
func TestScreenColorTable(t *testing.T) {
	g, write := screens(t)
	before := g.Screen(pipeline.ScreenTop)
	write(pica.ExtPdcLutIndex, 5)
	require.Equal(t, uint32(0x050505), g.ReadRegister(pica.ExtPdcLutData))
	require.Equal(t, uint32(0x060606), g.ReadRegister(pica.ExtPdcLutData), "each access increments the index")
	require.Equal(t, before.Pix, g.Screen(pipeline.ScreenTop).Pix, "the initial colour table is the identity")
	write(pica.ExtPdcLutIndex, 255)
	write(pica.ExtPdcLutData, 0)
	write(pica.ExtPdcLutData, 0x302010) // entry 0
	write(pica.ExtPdcLutData, 0xFFC0B0A0)
	require.Equal(t, uint32(2), g.ReadRegister(pica.ExtPdcLutIndex))
	// Line 1 of A: red 1, green 0, blue the pixel's number.
	p := g.Screen(pipeline.ScreenTop).RGBAAt(1, 239)
	require.Equal(t, [4]uint8{0xA0, 0x20, 0x30, 255}, [4]uint8{p.R, p.G, p.B, p.A})
	p = g.Screen(pipeline.ScreenTop).RGBAAt(1, 238)
	require.Equal(t, [4]uint8{0xA0, 0x20, 0xC0, 255}, [4]uint8{p.R, p.G, p.B, p.A})
	p = g.Screen(pipeline.ScreenBottom).RGBAAt(1, 239)
	require.Equal(t, [4]uint8{1, 0, 0, 255}, [4]uint8{p.R, p.G, p.B, p.A}, "each screen has its own colour table")
	write(0x10202204, 1<<24|0x000001)
	require.Equal(t, uint8(1), g.Screen(pipeline.ScreenTop).RGBAAt(1, 1).R, "the screen's fill colour bypasses the colour table")
	g.Reset()
	require.Equal(t, uint32(0), g.ReadRegister(pica.ExtPdcLutData))
}

// TestScreenOverscan shows an image smaller than the screen.
func TestScreenOverscan(t *testing.T) {
	g, write := screens(t)
	write(pica.ExtPdcOverscan, 0xFF302010)
	times := func(lineEdge, lineStart, lineEnd, columnEdge, columnStart, columnEnd uint32) {
		write(pica.ExtPdcLineEdge, lineEdge)
		write(pica.ExtPdcLineStart, lineStart)
		write(pica.ExtPdcLineEnd, lineEnd<<16)
		write(pica.ExtPdcColumnEdge, columnEdge)
		write(pica.ExtPdcColumnStart, columnStart)
		write(pica.ExtPdcColumnEnd, columnEnd<<16)
	}
	whole := g.Screen(pipeline.ScreenTop)
	times(0xD1, 0xD1, 0x1C1, 2, 2, 0x192) // those of the system
	require.Equal(t, whole, g.Screen(pipeline.ScreenTop))
	write(pica.ExtPdcFormat, uint32(pica.ScreenFormatRGB8))
	wide := g.Screen(pipeline.ScreenTop)
	times(0, 0, 0, 0, 0, 0)
	require.Equal(t, g.Screen(pipeline.ScreenTop), wide, "times count columns of the ordinary resolution")
	times(0xD1, 0xD1, 0x1C1, 2, 2+50, 2+150)
	wide = g.Screen(pipeline.ScreenTop)
	require.Equal(t, 800, wide.Rect.Dx())
	for x, border := range map[int]bool{99: true, 100: false, 299: false, 300: true} {
		require.Equal(t, border, wide.RGBAAt(x, 100) == color.RGBA{0x10, 0x20, 0x30, 255}, x)
	}
	times(0xD1, 0xD1, 0x1C1, 2, 2, 0x192)
	write(pica.ExtPdcFormat, 0x40|uint32(pica.ScreenFormatRGB8))
	write(pica.ExtPdcSize, 100<<16|240)
	require.Equal(t, whole, g.Screen(pipeline.ScreenTop), "the number of lines has no effect")

	times(0xD1, 0xD1+20, 0xD1+220, 2, 2+50, 2+150)
	img := g.Screen(pipeline.ScreenTop)
	require.Equal(t, 400, img.Rect.Dx())
	for _, at := range [][2]int{{49, 100}, {150, 100}, {399, 0}, {100, 19}, {100, 220}, {0, 239}} {
		require.Equal(t, color.RGBA{0x10, 0x20, 0x30, 255}, img.RGBAAt(at[0], at[1]), "%v", at)
		_, _, ok := g.ScreenAddress(pipeline.ScreenTop, at[0], at[1])
		require.False(t, ok, "%v", at)
	}
	for _, at := range [][2]int{{50, 219}, {149, 20}, {100, 100}} {
		x, y := at[0]-50, at[1]+20 // the framebuffer begins at the bottom left
		require.Equal(t, whole.RGBAAt(x, y), img.RGBAAt(at[0], at[1]), "%v", at)
		addr, bytes, ok := g.ScreenAddress(pipeline.ScreenTop, at[0], at[1])
		require.True(t, ok)
		times(0, 0, 0, 0, 0, 0)
		same, n, _ := g.ScreenAddress(pipeline.ScreenTop, x, y)
		require.Equal(t, []any{same, n}, []any{addr, bytes})
		times(0xD1, 0xD1+20, 0xD1+220, 2, 2+50, 2+150)
	}
	write(pica.ExtPdcSize, 400<<16|5)
	img = g.Screen(pipeline.ScreenTop)
	for _, y := range []int{20, 100, 214, 215} {
		require.Equal(t, whole.RGBAAt(50, 239-4), img.RGBAAt(100, y), "pixels that are not read repeat the last one")
	}
	require.Equal(t, whole.RGBAAt(50, 239-3), img.RGBAAt(100, 216))
	require.NotEqual(t, whole.RGBAAt(50, 239-4), img.RGBAAt(100, 216))
	a, _, _ := g.ScreenAddress(pipeline.ScreenTop, 100, 20)
	b, _, _ := g.ScreenAddress(pipeline.ScreenTop, 100, 215)
	require.Equal(t, a, b)
	times(0xD1, 0xD1, 0xFFF, 2, 2, 0xFFF)
	write(pica.ExtPdcSize, 1000<<16|1000)
	require.Equal(t, whole, g.Screen(pipeline.ScreenTop), "an image larger than the screen is cropped")
	times(0xD1, 0xFF0, 0xFFF, 2, 0xFF0, 0xFFF)
	require.Equal(t, color.RGBA{0x10, 0x20, 0x30, 255}, g.Screen(pipeline.ScreenTop).RGBAAt(399, 0))
}

// drawn draws setUp's two triangles after register writes and returns which pixels have a colour.
func drawn(t *testing.T, write func(w *pica.CommandWriter)) (got [32][32]bool) {
	t.Helper()
	g := setUp(t, pipeline.Options{Workers: 1})
	defer g.Close()
	var w pica.CommandWriter
	write(&w)
	w.Write(pica.RegNumvertices, 6)
	w.Write(pica.RegDrawarrays, 1)
	w.Finish()
	run(t, g, w.Bytes())
	for y := range got {
		for x := range got[y] {
			got[y][x] = pixel(t, g, x, y) != [4]uint8{}
		}
	}
	return got
}

// Scissor modes: 1 excludes the rectangle, 3 draws inside it, including its last column and row; 0 and 2 are off.
func TestScissorModes(t *testing.T) {
	whole := drawn(t, func(w *pica.CommandWriter) {})
	for mode := range uint32(4) {
		got := drawn(t, func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegScissortestMode, mode, 4<<16|3, 20<<16|25)
		})
		count := 0
		for y := range got {
			for x := range got[y] {
				in := x >= 3 && x <= 25 && y >= 4 && y <= 20
				want := whole[y][x]
				if mode == 1 && in || mode == 3 && !in {
					want = false
				}
				require.Equal(t, want, got[y][x], "mode %d at %d,%d", mode, x, y)
				if want {
					count++
				}
			}
		}
		require.NotZero(t, count)
	}
}

// The early depth test changes no pixel; on the console it only saves time.
func TestEarlyDepthChangesNoPixel(t *testing.T) {
	whole := drawn(t, func(w *pica.CommandWriter) {})
	for function := range uint32(4) {
		require.Equal(t, whole, drawn(t, func(w *pica.CommandWriter) {
			w.Write(pica.RegEarlydepthFunc, function)
			w.Write(pica.RegEarlydepthTest1, 1)
			w.Write(pica.RegEarlydepthTest2, 1)
			w.Write(pica.RegEarlydepthData, 0)
			w.Write(pica.RegEarlydepthClear, 1)
		}))
	}
}

// Coverage is that of the triangles, whatever would hide them, and separate for each draw.
func TestCoverageIgnoresPixelTests(t *testing.T) {
	hidden := map[string]func(w *pica.CommandWriter){
		"nothing": func(*pica.CommandWriter) {},
		"scissor": func(w *pica.CommandWriter) { w.WriteRun(pica.RegScissortestMode, 3, 0, 0) },
		"culling": func(w *pica.CommandWriter) { w.Write(pica.RegFacecullingConfig, uint32(pica.CullFront)) },
		"alpha":   func(w *pica.CommandWriter) { w.Write(pica.RegFragopAlphaTest, 1) },
		"stencil": func(w *pica.CommandWriter) { w.Write(pica.RegStencilTest, 0xFF00FF01) },
		"depth":   func(w *pica.CommandWriter) { w.Write(pica.RegDepthColorMask, 0x1F01) },
		"masks":   func(w *pica.CommandWriter) { w.Write(pica.RegDepthColorMask, 0x1060) },
		"shadow":  func(w *pica.CommandWriter) { w.Write(pica.RegColorOperation, uint32(pica.FragmentModeShadow)) },
		"blend":   func(w *pica.CommandWriter) { w.Write(pica.RegBlendFunc, 0) },
		"access":  func(w *pica.CommandWriter) { w.WriteRun(pica.RegColorbufferRead, 0, 0, 0, 0) },
	}
	var want [2][]uint32
	plain := drawn(t, hidden["nothing"])
	for _, first := range []string{"nothing", ""} {
		for name, hide := range hidden {
			if (name == first) != (first != "") {
				continue
			}
			commands := list(func(w *pica.CommandWriter) {
				hide(w)
				for from := range uint32(2) { // one triangle each
					w.Write(pica.RegVertexOffset, 3*from)
					w.Write(pica.RegNumvertices, 3)
					w.Write(pica.RegDrawarrays, 1)
				}
			})
			var out bytes.Buffer
			w := testkit.Must(picatrace.NewWriter(&out, picatrace.Meta{}, picatrace.State{}, picatrace.WriterOptions{}))(t)
			require.NoError(t, w.Load(vertexAddr, triangles()))
			for _, l := range [][]byte{(&pica.CommandWriter{Words: setUpWords(t)}).Bytes(), commands} {
				require.NoError(t, w.Load(listAddr, l))
				require.NoError(t, w.Add(picatrace.Event{Kind: picatrace.List, Words: [7]uint32{listAddr, uint32(len(l))}}))
			}
			require.NoError(t, w.Close())
			trace := states.Parse(t, out.Bytes())
			r := pipeline.ReplayerFor(t, trace, pipeline.ReplayerOptions{})
			var got [2][]uint32
			require.NoError(t, r.Coverage(t.Context(), 0, func(draw int, addrs []uint32) { got[draw] = append(got[draw], addrs...) }))
			if name == "nothing" {
				want = got
				seen := map[uint32]bool{}
				for _, addr := range append(append([]uint32{}, got[0]...), got[1]...) {
					seen[addr] = true
				}
				for y := range uint32(32) {
					for x := range uint32(32) {
						require.Equal(t, plain[y][x], seen[pica.VRAMBase+4*pica.Tiled8.Index(32, x, 31-y)], "%d,%d", x, y)
					}
				}
			}
			require.Equal(t, want, got, name)
		}
	}
}
