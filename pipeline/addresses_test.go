package pipeline

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// The initial stencil of a draw shown alone is the lowest value that passes the test, or 0.
func TestPassingStencilValue(t *testing.T) {
	for _, c := range []struct {
		f         pica.CompareFunc
		ref, mask uint32
		want      uint32
	}{
		{pica.CompareAlways, 9, 255, 0}, {pica.CompareNever, 9, 255, 0}, {pica.CompareEqual, 0x35, 255, 0x35}, {pica.CompareEqual, 0x35, 0x0F, 5}, {pica.CompareEqual, 0x35, 0xF0, 0x30},
		{pica.CompareNotEqual, 0, 255, 1}, {pica.CompareNotEqual, 3, 255, 0}, {pica.CompareNotEqual, 0x10, 0xF0, 0}, {pica.CompareNotEqual, 0x0F, 0xF0, 0x10},
		{pica.CompareLess, 7, 255, 8}, {pica.CompareLess, 255, 255, 0}, {pica.CompareLess, 7, 6, 0}, {pica.CompareLess, 5, 6, 6}, // 4 < 6
		{pica.CompareLessEqual, 7, 255, 7}, {pica.CompareLessEqual, 255, 255, 255}, {pica.CompareLessEqual, 7, 6, 6}, {pica.CompareLessEqual, 0, 255, 0},
		{pica.CompareGreater, 7, 255, 0}, {pica.CompareGreater, 0, 255, 0}, {pica.CompareGreaterEqual, 7, 255, 0}, {pica.CompareGreaterEqual, 0, 255, 0},
	} {
		p := &programmed{}
		pica.StencilTestFunc.Set(&p.regs, uint32(c.f))
		pica.StencilTestRef.Set(&p.regs, c.ref)
		pica.StencilTestMask.Set(&p.regs, c.mask)
		require.Equal(t, c.want, p.passingStencil(), "%v, reference %d, mask %d", c.f, c.ref, c.mask)
	}
}

// pixel gives the addresses that a transfer reads and writes for each pixel, in all layouts.
func TestTransferPixelAddresses(t *testing.T) {
	for n := range 48 {
		move := Transfer{Src: pica.VRAMBase, Dst: pica.VRAMBase + 0x20000, InWidth: 64, InHeight: 32, OutWidth: 64, OutHeight: 32,
			InTiled: n&1 != 0, OutTiled: n&2 != 0, Flip: n&4 != 0, Crop: n&8 != 0, Scaling: pica.TransferScale(n / 16)}
		if move.Crop {
			move.OutWidth, move.OutHeight = 48, 24
		}
		if move.Scaling != pica.TransferScaleNone && move.InTiled == move.OutTiled {
			continue
		}
		g := GPUFor(t, Options{Workers: 1})
		scaled := move.Scaling != pica.TransferScaleNone
		data := make([]byte, 4*64*32)
		// Pixels that scaling averages are equal.
		of := func(y, x uint32) uint32 { return 0x01020304 * (x*7 + y*31) }
		for at := range uint32(64 * 32) {
			y, x := at/64, at%64
			v := of(y, x)
			if scaled {
				v = of(y/2, x/2)
			}
			binary.LittleEndian.PutUint32(data[4*move.Tiling(move.InTiled).Index(64, x, y):], v)
		}
		require.NoError(t, g.Load(t.Context(), move.Src, data))
		require.NoError(t, g.Transfer(t.Context(), move), "%+v", move)
		done := testkit.Must(g.Read(move.Dst, uint32(len(data))))(t)
		width, height := move.Size()
		seen := map[uint32]bool{}
		for py := range height {
			for px := range width {
				src, dst := move.pixel(px, py)
				require.False(t, seen[dst], "%+v writes %d,%d twice", move, px, py)
				seen[dst] = true
				from, to := binary.LittleEndian.Uint32(data[src-move.Src:]), binary.LittleEndian.Uint32(done[dst-move.Dst:])
				require.Equal(t, from, to, "%+v, pixel %d,%d", move, px, py)
			}
		}
		g.Close()
	}
}

// Framebuffers returns a screen's selected address and the other one.
func TestScreenFramebuffers(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	write := func(addr, v uint32) { require.NoError(t, g.WriteRegister(t.Context(), addr, uint64(v), 4)) }
	at := func(n uint32) uint32 { return pica.FCRAMBase + n*0x10000 }
	for i, reg := range []uint32{0x10400468, 0x1040046C, 0x10400494, 0x10400498, 0x10400568, 0x1040056C} {
		write(reg, at(uint32(i)))
	}
	for chosen := range uint32(2) {
		write(0x10400478, chosen)
		write(0x10400578, chosen)
		for s, first := range map[Screen]uint32{ScreenTop: 0, ScreenBottom: 4} {
			shown, other := g.Framebuffers(s)
			require.Equal(t, [2]uint32{at(first + chosen), at(first + 1 - chosen)}, [2]uint32{shown, other}, "%v", s)
		}
	}
}

// The value of a fill is printed with as many digits as it has bits.
func TestFillString(t *testing.T) {
	for bits, want := range map[uint8]string{16: "0x0012", 24: "0x000012", 32: "0x00000012"} {
		require.Equal(t, fmt.Sprintf("memory fill of 0x18000000-0x18000100 with the %d-bit value %s", bits, want), Fill{pica.VRAMBase, pica.VRAMBase + 0x100, 0x12, bits}.String())
	}
}

// TransferImage fails for a destination outside of memory.
func TestTransferImageOutsideMemoryFails(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	x := Transfer{Src: pica.VRAMBase, Dst: pica.VRAMBase, InWidth: 64, InHeight: 16, OutWidth: 64, OutHeight: 16, InTiled: true}
	img := testkit.Must(g.TransferImage(x))(t)
	require.Equal(t, 64, img.Rect.Dx())
	for _, dst := range []uint32{0, pica.VRAMBase + pica.VRAMSize - 0x100} {
		x.Dst = dst
		img, err := g.TransferImage(x)
		require.Error(t, err)
		require.Nil(t, img)
	}
}

// The origin of a target's pixel is the draw that changed it last.
func TestOriginsNameLastDraw(t *testing.T) {
	for _, name := range []string{"lights", "arcs"} {
		r := ReplayerFor(t, states.Parse(t, testkit.Named(t, name)[0].Read(t)), ReplayerOptions{})
		o := NewOrigins()
		last := map[uint32]int{}
		var before []byte
		var target DrawTarget
		require.NoError(t, r.Visit(t.Context(), Position{0, FrameEnd}, func(g *GPU) error {
			o.Follow(g, 0)
			follow, followed := g.BeforeDraw, g.AfterDraw
			g.BeforeDraw = func(d *DrawInfo) error {
				target = TargetOf(d.Regs)
				all, err := g.TargetColor()
				before = bytes.Clone(all)
				if err != nil {
					return err
				}
				return follow(d)
			}
			g.AfterDraw = func(d *DrawInfo) error {
				for i := 0; i+4 <= len(before); i += 4 {
					if binary.LittleEndian.Uint32(before[i:]) != binary.LittleEndian.Uint32(d.Target.Color[i:]) {
						last[target.Color+uint32(i)] = d.Index
					}
				}
				return followed(d)
			}
			return nil
		}))
		var draws []int
		for addr, draw := range last {
			from := o.Of(addr)
			require.NotNil(t, from.Writer, "0x%08X", addr)
			require.Equal(t, [2]int{0, draw}, [2]int{from.Writer.Frame, from.Writer.Draw}, "%s, 0x%08X", name, addr)
			if !slices.Contains(draws, draw) {
				draws = append(draws, draw)
			}
		}
		t.Log(name, len(last), draws)
		require.NotEmpty(t, draws)
		r.GPU.Close()
	}
}
