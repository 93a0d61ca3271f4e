package pipeline_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// noted records the reported uses of memory.
type noted []string

func (n *noted) Reads(u pipeline.Use, addr, bytes uint32) {
	*n = append(*n, fmt.Sprintf("%v read at 0x%08X, %d", u, addr, bytes))
}

func (n *noted) Writes(u pipeline.Use, addr, bytes uint32, whole bool) {
	*n = append(*n, fmt.Sprintf("%v written at 0x%08X, %d, %v", u, addr, bytes, whole))
}

// A draw's reads follow from its state: it reads the target only if blending, a logic op or a test needs it.
func TestMemoryUseOfDraws(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	list := triangleList(t)
	require.NoError(t, g.Load(t.Context(), vertexAddr, triangles()))
	require.NoError(t, g.Load(t.Context(), listAddr, list))
	var n noted
	g.MemoryUse = &n
	require.NoError(t, g.RunList(t.Context(), listAddr, uint32(len(list))))
	require.Contains(t, n, fmt.Sprintf("command list read at 0x%08X, %d", listAddr, len(list)))
	require.Contains(t, n, fmt.Sprintf("vertices read at 0x%08X, %d", vertexAddr, 6*28))

	color := fmt.Sprintf("render target read at 0x%08X, %d", pica.VRAMBase, 32*32*4)
	depth := fmt.Sprintf("render target read at 0x%08X, %d", pica.VRAMBase+0x8000, 32*32*4)
	rest := fmt.Sprintf("rest of a target read at 0x%08X, %d", pica.VRAMBase, 32*32*4)
	const always, greater = 0x1F11, 0x1F61
	for _, c := range []struct {
		name         string
		color, depth bool
		regs         map[pica.Reg]uint32
	}{
		{"depth test", false, true, map[pica.Reg]uint32{pica.RegDepthColorMask: greater}},
		{"a test that passes always", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always}},
		{"depth may not be read", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: greater, pica.RegDepthbufferRead: 0}},
		{"stencil test", false, true, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegStencilTest: 0xFF00FF01 | 4<<4}},
		{"stencil that is written in part and may not be read", false, true, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegStencilTest: 0xFF000F01 | 4<<4, pica.RegDepthbufferRead: 0}},
		{"stencil that is written wholly and may not be read", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegStencilTest: 0xFF00FF01 | 4<<4, pica.RegDepthbufferRead: 0}},
		{"stencil that is not written and may not be read", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegStencilTest: 0xFF000001 | 4<<4, pica.RegDepthbufferRead: 0}},
		{"blending", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegBlendFunc: 0x76760000}},
		{"blending with what may not be read", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegBlendFunc: 0x76760000, pica.RegColorbufferRead: 0}},
		{"logic op", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegColorOperation: 0x00E40000, pica.RegLogicOp: uint32(pica.LogicOpXor)}},
		{"copying logic op", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegColorOperation: 0x00E40000, pica.RegLogicOp: uint32(pica.LogicOpCopy)}},
		{"blending with the target's alpha in the source's factor", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegBlendFunc: 0x08080000}},
		{"blending of the alpha alone", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegBlendFunc: 0x16010000}},
		{"the least of both", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegBlendFunc: 0x01010000 | uint32(pica.BlendMin)}},
		{"a test that never passes", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: 0x1F01}},
		{"a test that is off", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: greater &^ 1}},
		{"stencil where there is none", false, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegStencilTest: 0xFF00FF01 | 4<<4, pica.RegDepthbufferFormat: uint32(pica.DepthFormatD24)}},
		{"gas", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegColorOperation: uint32(pica.FragmentModeGas)}},
		{"gas behind depth", true, true, map[pica.Reg]uint32{pica.RegDepthColorMask: always, pica.RegColorOperation: uint32(pica.FragmentModeGas),
			pica.RegGasDeltazDepth: pica.GasDeltazFunc.Put(0, uint32(pica.GasDepthGreater))}},
		{"shadow", true, false, map[pica.Reg]uint32{pica.RegDepthColorMask: greater, pica.RegColorOperation: uint32(pica.FragmentModeShadow)}},
		{"nothing of the colour is written", false, true, map[pica.Reg]uint32{pica.RegDepthColorMask: greater &^ 0xF00, pica.RegBlendFunc: 0x76760000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, w := range []struct {
				reg   pica.Reg
				value uint32
			}{
				{pica.RegColorOperation, 0x00E40100}, {pica.RegBlendFunc, 0x01010000}, {pica.RegStencilTest, 0},
				{pica.RegDepthbufferRead, 3}, {pica.RegColorbufferRead, 0xF}, {pica.RegDepthbufferFormat, uint32(pica.DepthFormatD24S8)}, {pica.RegGasDeltazDepth, 0},
			} {
				require.NoError(t, g.WriteInternal(t.Context(), w.reg, w.value))
			}
			for reg, value := range c.regs {
				require.NoError(t, g.WriteInternal(t.Context(), reg, value))
			}
			n = nil
			require.NoError(t, g.WriteInternal(t.Context(), pica.RegDrawarrays, 1))
			if c.color {
				require.Contains(t, n, color)
			} else {
				require.NotContains(t, n, color)
			}
			if c.depth {
				require.Contains(t, n, depth)
			} else {
				require.NotContains(t, n, depth)
			}
			require.Equal(t, c.name != "nothing of the colour is written", slices.Contains(n, rest))
		})
	}
}

// Fills, transfers and copies report their reads, then their writes: whole, or partial if an image does not fill its last tiles.
func TestMemoryUseOfTransfers(t *testing.T) {
	g := pipeline.GPUFor(t, pipeline.Options{Workers: 1})
	var n noted
	g.MemoryUse = &n
	const in, out = pica.VRAMBase, pica.FCRAMBase
	require.NoError(t, g.Fill(t.Context(), pipeline.Fill{Start: in, End: in + 64, Bits: 32}))
	require.NoError(t, g.CopyTexture(t.Context(), pipeline.TextureCopy{Src: in, Dst: out, Size: 64, InLine: 32, InGap: 16, OutLine: 64}))
	require.NoError(t, g.Load(t.Context(), out, make([]byte, 5)))
	require.Equal(t, noted{
		"fill written at 0x18000000, 64, true",
		"transfer read at 0x18000000, 32", "transfer read at 0x18000030, 32", "transfer written at 0x20000000, 64, true",
		"CPU written at 0x20000000, 5, true",
	}, n)
	for _, c := range []struct {
		width, height  uint32
		tiled, block32 bool
		whole          bool
	}{
		{64, 16, true, false, true}, {68, 16, true, false, false}, {64, 20, true, false, false}, {68, 20, false, false, true},
		{64, 32, true, true, true}, {72, 32, true, true, false}, {64, 40, true, true, false},
	} {
		n = nil
		require.NoError(t, g.Transfer(t.Context(), pipeline.Transfer{Src: in, Dst: out, InWidth: c.width, InHeight: c.height, OutWidth: c.width, OutHeight: c.height,
			OutTiled: c.tiled, Block32: c.block32}))
		require.Len(t, n, 2)
		require.Contains(t, n[1], fmt.Sprint(c.whole), "%+v", c)
	}
	n = nil
	g.Screen(pipeline.ScreenBottom)
	require.Len(t, n, 320)
	require.Contains(t, n[0], "screen read")
}
