package pipeline

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/internal/simd"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Rules of docs/accuracy that no larger test covers.

// A list ends where a byte that is written to FINALIZE equals the system's, unless that is switched off. Lists cannot write the registers
// that say so.
func TestFinalizeComparesBytes(t *testing.T) {
	for _, c := range []struct {
		value, mask, compare, off uint32
		ends                      bool
	}{
		{0x12345678, 15, 0, 0, true}, {0, 15, 0, 0, false}, {0x78563412, 15, 0, 0, false}, {0xFFFFFF78, 15, 0, 0, true}, {0x1200FF00, 15, 0, 0, true},
		{0x12345678, 0b0100, 0, 0, true}, {0x12FFFF78, 0b0110, 0, 0, false},
		{0x12345678, 15, 0xEDCBA987, 0, false}, {0xFFCBFFFF, 15, 0xEDCBA987, 0, true},
		{0x12345678, 15, 0, 0xF, false}, {0xFFFFFF78, 15, 0, 1, false}, {0xFFFF5678, 15, 0, 1, true},
	} {
		g := GPUFor(t, Options{Workers: 1})
		cpu := func(id pica.Reg, v uint32) {
			if v != 0 {
				require.NoError(t, g.WriteRegister(t.Context(), pica.ExtInternal+4*uint32(id), uint64(v), 4))
			}
		}
		cpu(pica.RegIrqCompare, c.compare)
		cpu(pica.RegIrqMask, c.off)
		system := [...]uint32{g.regs[pica.RegIrqCompare], g.regs[pica.RegIrqMask]}
		err := runList(t, g, func(w *pica.CommandWriter) {
			w.WriteRun(pica.RegIrqCompare-1, 0, c.value, 0)
			for id := pica.RegIrqCompare; id < 0x40; id++ {
				w.Write(id, c.value)
			}
			w.Write(0x90, 1)
			w.WriteMasked(pica.RegFinalize, c.mask, c.value)
			w.Write(0x90, 2)
			w.Words = append(w.Words, make([]uint32, len(w.Words)%4)...)
		})
		require.Equal(t, system, [...]uint32{g.regs[pica.RegIrqCompare], g.regs[pica.RegIrqMask]})
		require.Empty(t, g.Warnings())
		if c.ends {
			require.NoError(t, err, "%#x", c)
			require.EqualValues(t, 1, g.regs[0x90], "%#x", c)
			continue
		}
		require.ErrorIs(t, err, pica.ErrHang, "%#x", c)
		require.EqualValues(t, 2, g.regs[0x90], "%#x", c)
	}
}

// Sizes and addresses of lists count in 16 bytes: the last 8 of an odd list are not read.
func TestOddLists(t *testing.T) {
	var w pica.CommandWriter
	w.Write(0x90, 1)
	w.Write(0x91, 2)
	w.Write(pica.RegFinalize, 0x12345678)
	w.Write(pica.RegFinalize, 0x12345678)
	for size, want := range map[uint32]string{24: "the last 8 of its 24 bytes are not read", 32: ""} {
		for _, start := range []func(g *GPU) error{
			func(g *GPU) error { return g.RunList(t.Context(), listAddr+8, size) },
			func(g *GPU) error {
				require.NoError(t, g.WriteRegister(t.Context(), pica.ExtCommandListSize, uint64(size)>>3, 4))
				require.NoError(t, g.WriteRegister(t.Context(), pica.ExtCommandListAddr, (listAddr+8)>>3, 4))
				return g.WriteRegister(t.Context(), pica.ExtCommandListStart, 0, 4) // any value
			},
		} {
			g := GPUFor(t, Options{Workers: 1})
			require.NoError(t, g.Load(t.Context(), listAddr, w.Bytes()))
			err := start(g)
			require.Equal(t, [2]uint32{1, 2}, [2]uint32(g.regs[0x90:0x92]))
			if want == "" {
				require.NoError(t, err)
				continue
			}
			require.ErrorIs(t, err, pica.ErrHang)
			require.ErrorContains(t, err, want)
		}
	}
}

// The entry points of the vertex and the geometry shader have 9 and 12 bits.
func TestWidthOfEntryPoints(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	for _, id := range []pica.Reg{pica.RegVshEntrypoint, pica.RegGshEntrypoint} {
		require.NoError(t, g.WriteInternal(t.Context(), id, 0x7FFFF2A5))
	}
	require.Equal(t, [2]uint16{0x0A5, 0x2A5}, [2]uint16{g.vs.Entry, g.gs.Entry})
}

// A data register takes the whole value whatever the mask.
func TestDataRegistersIgnoreMask(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	require.NoError(t, runList(t, g, func(w *pica.CommandWriter) {
		w.Write(pica.RegFogLutIndex, 5)
		w.WriteMasked(pica.RegFogLutData0, 0b0001, 0x00ABCDEF)
		w.Write(pica.RegVshFloatuniformIndex, 3)
		for _, word := range words24(1, 2, 3, 4) {
			w.WriteMasked(pica.RegVshFloatuniformData0, 0b0100, word)
		}
		w.Finish()
	}))
	require.Equal(t, uint32(0x00ABCDEF), g.tables.Fog[5])
	require.Equal(t, [4]float32{1, 2, 3, 4}, g.vs.Float[3])
}

func TestRegistersAfterReset(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	want := map[int]uint32{0x020: 0x12345678, 0x030: 0xFFFFFFF0, 0x034: 1, 0x06F: 0x01010703, 0x245: 1, 0x289: 0xA0000001}
	for id, v := range g.regs {
		require.Equal(t, want[id], v, "register 0x%03X", id)
	}
	// Recordings whose recorder knows the system's registers mean a clock of 0.
	for _, c := range []struct{ compare, clock, want uint32 }{{0, 0, 0x01010703}, {0, 2, 2}, {0x12345678, 0, 0}} {
		regs := make([]uint32, pica.NumRegs)
		regs[pica.RegIrqCompare], regs[pica.RegShOutattrClock] = c.compare, c.clock
		g := GPUFor(t, Options{Workers: 1})
		g.loadInitial(picatrace.State{picatrace.InternalRegisters: regs})
		require.Equal(t, c.want, g.regs[pica.RegShOutattrClock])
	}
	for screen, width := range map[Screen]int{ScreenTop: 400, ScreenBottom: 320} {
		b := g.Screen(screen).Bounds()
		require.Equal(t, [2]int{width, 240}, [2]int{b.Dx(), b.Dy()})
		require.Equal(t, pica.ScreenFormatRGB8, g.display(screen).format)
	}
}

// Registers of transfers. Tiled to tiled (bit 5) comes before linear to tiled (bit 1), formats from 5 on are as 4, and sizes are multiples
// of 8.
func TestTransferRegisters(t *testing.T) {
	const rgb565, rgba4 = pica.ScreenFormatRGB565, pica.ScreenFormatRGBA4
	for flags, want := range map[uint32]Transfer{
		0:                            {InTiled: true},
		1 << 1:                       {OutTiled: true},
		1 << 5:                       {InTiled: true, OutTiled: true},
		1<<5 | 1<<1 | 2<<8 | 4<<12:   {InTiled: true, OutTiled: true, InFormat: rgb565, OutFormat: rgba4},
		5<<8 | 7<<12 | 1 | 4 | 1<<16: {InTiled: true, InFormat: rgba4, OutFormat: rgba4, Flip: true, Crop: true, Block32: true},
	} {
		regs := make(engineRegs, transferRegs)
		set := func(addr, v uint32) { regs[(addr-pica.ExtTransferInput)/4] = v }
		set(pica.ExtTransferFlags, flags)
		set(pica.ExtTransferInputDim, 97<<16|255)
		set(pica.ExtTransferOutputDim, 71<<16|68)
		want.InWidth, want.InHeight, want.OutWidth, want.OutHeight = 248, 96, 64, 64
		require.Equal(t, want, decodeTransfer(regs), "flags %#x", flags)
	}
}

// A flipped and cropped output is moved by the cropped pixels of all lines but one.
func TestFlippedCropMovesTransferOutput(t *testing.T) {
	mem := newMemory(pica.FCRAMSize)
	src := testkit.Must(mem.Slice(pica.FCRAMBase, 24*16*4))(t)
	for i := range src {
		src[i] = byte(i/4%24 + i/4/24*24) // number of the pixel
	}
	mem.Touch(pica.FCRAMBase, uint32(len(src)))
	tr := Transfer{Src: pica.FCRAMBase, Dst: pica.VRAMBase, InWidth: 24, InHeight: 8, OutWidth: 16, OutHeight: 8, Flip: true, Crop: true}
	b := newTransferrer(simd.Best, newPool(1, new(helperSet), 0))
	require.NoError(t, b.run(tr, mem))
	dst := testkit.Must(mem.Slice(pica.VRAMBase, 1024))(t)
	const begin = (24 - 16) * (8 - 1) * 4
	require.Equal(t, make([]byte, begin), dst[:begin])
	for y := range 8 {
		for x := range 16 {
			require.Equal(t, byte((7-y)*24+x), dst[begin+(y*16+x)*4], "pixel %d,%d", x, y)
		}
	}
	require.Equal(t, make([]byte, 64), dst[begin+16*8*4:][:64])
}

func TestTransferWarnings(t *testing.T) {
	run := func(tr Transfer) (list []string) {
		g := GPUFor(t, Options{Workers: 1})
		tr.Src, tr.Dst = pica.FCRAMBase, pica.VRAMBase
		require.NoError(t, g.Transfer(t.Context(), tr))
		for _, w := range g.Warnings() {
			list = append(list, w.Text)
		}
		return list
	}
	ok := Transfer{InWidth: 128, InHeight: 64, OutWidth: 128, OutHeight: 64, InTiled: true}
	require.Empty(t, run(ok))
	narrow := ok
	narrow.OutWidth = 64
	require.Len(t, run(narrow), 1)
	require.Contains(t, run(narrow)[0], "taken to be 64 pixels wide")
	narrow.Crop = true
	require.Empty(t, run(narrow))
}

// Screen formats 5 to 7 show RGBA8, and lines outside of memory are black.
func TestScreenUndocumentedFormats(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, []byte{255, 10, 20, 30}))
	write := func(addr, v uint32) { require.NoError(t, g.WriteRegister(t.Context(), addr, uint64(v), 4)) }
	write(0x10400468, pica.FCRAMBase)
	write(0x10400490, 960)
	for format := uint32(5); format < 8; format++ {
		write(0x10400470, 0x40|format)
		c := g.Screen(ScreenTop).RGBAAt(0, 239)
		require.Equal(t, [3]uint8{30, 20, 10}, [3]uint8{c.R, c.G, c.B}, "format %d", format)
	}
	write(0x10400468, pica.FCRAMBase+pica.FCRAMSize-960) // only one line is in memory
	require.NoError(t, g.Load(t.Context(), pica.FCRAMBase+pica.FCRAMSize-960, []byte{255, 1, 2, 3}))
	s := g.Screen(ScreenTop)
	require.Equal(t, uint8(3), s.RGBAAt(0, 239).R)
	c := s.RGBAAt(1, 239)
	require.Equal(t, [3]uint8{}, [3]uint8{c.R, c.G, c.B})
}
