package pipeline_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/states"
	"pica200/tests/testkit"
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

// If pixels share memory, triangles are drawn in order: memory equals that after drawing each triangle alone, for any worker count.
func TestOverlappingBuffersDrawInOrder(t *testing.T) {
	const color, depthApart, end = pica.VRAMBase + 0x10000, pica.VRAMBase + 0x100000, pica.VRAMBase + 0x200000
	for _, c := range []struct {
		name          string
		width, height uint32
		block32       uint32
		depth         uint32
	}{
		{"240x400 in tiles of 32", 240, 400, 1, depthApart},
		{"36x64", 36, 64, 0, depthApart},
		{"33x64", 33, 64, 0, depthApart},
		{"one row of tiles", 36, 8, 0, depthApart},
		{"depth on colour", 64, 64, 0, color},
		{"depth behind the first rows of colour", 64, 64, 0, color + 4*64*24 + 16},
		{"colour behind the first rows of depth", 64, 64, 0, color - 4*64*24},
		{"nothing shared", 64, 64, 0, color + 4*64*64},
	} {
		t.Run(c.name, func(t *testing.T) {
			const n = 120
			rng := rand.New(rand.NewPCG(1, uint64(c.width)))
			var vertices []byte
			for range 3 * n {
				for i := range 7 {
					x := rng.Float32()
					switch {
					case i < 2:
						x = x*2 - 1
					case i == 2:
						x = -x
					}
					vertices = binary.LittleEndian.AppendUint32(vertices, math.Float32bits(x))
				}
			}
			draw := func(workers int, apart bool, see func(memory []byte)) {
				g := setUp(t, pipeline.Options{Workers: workers})
				defer g.Close()
				require.NoError(t, g.Load(t.Context(), vertexAddr, vertices))
				run(t, g, list(func(w *pica.CommandWriter) {
					setTarget(w, color, c.depth, c.width, c.height)
					w.Write(pica.RegFramebufferBlock32, c.block32)
					w.Write(pica.RegDepthColorMask, 0x1F61) // greater
					w.Write(pica.RegBlendFunc, 0x76760000)  // blend by alpha
					each := uint32(3 * n)
					if apart {
						each = 3
					}
					for first := uint32(0); first < 3*n; first += each {
						w.Write(pica.RegVertexOffset, first)
						w.Write(pica.RegNumvertices, each)
						w.Write(pica.RegDrawarrays, 1)
						if apart {
							w.Write(pica.RegGasFeedback, 0) // flushes the queue
						}
					}
				}))
				memory := testkit.Must(g.Read(color-0x8000, end-color+0x8000))(t)
				require.Greater(t, g.TakeStats().Fragments, uint64(100))
				see(memory)
			}
			var want []byte
			draw(1, true, func(memory []byte) { want = bytes.Clone(memory) })
			for _, workers := range []int{1, 2, 7} {
				for range 3 {
					draw(workers, false, func(memory []byte) {
						require.True(t, bytes.Equal(want, memory), "%d workers", workers)
					})
				}
			}
		})
	}
}

// A draw whose vertices or indices lie in its own target draws as from a copy elsewhere, for any number of parts, queue and worker
// count.
func TestVerticesInsideOwnTarget(t *testing.T) {
	const (
		color, depth  = pica.FCRAMBase + 0x1000000, pica.FCRAMBase + 0x1200000
		inside, apart = depth - 0x40000, pica.FCRAMBase + 0x2000000 // the arrays extend into the depth buffer
		size          = 512                                         // width and height in pixels
		vertices      = 200_000
		indices       = 3<<16 + 1<<16
	)
	rng := rand.New(rand.NewPCG(7, 11))
	var mesh []byte // x, y, z, w and a colour, as bytes: small triangles side by side
	for i := range vertices / 3 {
		x, y := i%240-120, i/240%240-120
		for range 3 {
			mesh = append(mesh, byte(x+rng.IntN(9)-4), byte(y+rng.IntN(9)-4), byte(-20-rng.IntN(80)), 127, byte(i), byte(rng.IntN(2)), 1, 1)
		}
	}
	var index []byte
	for i := range indices {
		index = binary.LittleEndian.AppendUint16(index, uint16(i+rng.IntN(3)))
	}
	const indexAt = 0x60000 // offset in the arrays: completely in the depth buffer
	for _, c := range []struct {
		name      string
		kind      pica.Reg
		primitive pica.PrimitiveMode
		n         uint32
	}{
		{"arrays", pica.RegDrawarrays, pica.PrimitiveTriangles, vertices / 3 * 3},
		{"a strip of arrays", pica.RegDrawarrays, pica.PrimitiveTriangleStrip, vertices / 3},
		{"elements", pica.RegDrawelements, pica.PrimitiveTriangles, indices / 3 * 3},
		{"a strip of elements", pica.RegDrawelements, pica.PrimitiveTriangleStrip, indices},
	} {
		t.Run(c.name, func(t *testing.T) {
			content := mesh
			if c.kind == pica.RegDrawelements {
				content = append([]byte(nil), mesh...)
				copy(content[indexAt:], index)
			}
			draw := func(at uint32, o pipeline.Options, before int, see func(drawn []byte)) {
				g := setUp(t, o)
				defer g.Close()
				require.NoError(t, g.Load(t.Context(), inside, content))
				require.NoError(t, g.Load(t.Context(), apart, content))
				arrays := func(w *pica.CommandWriter, at uint32) {
					w.WriteRun(pica.RegAttribbuffersLoc, at>>3, 0xDC, 1<<28) // four bytes each
					w.WriteRun(pica.RegAttribbuffer0Offset, 0, 0x10, 2<<28|8<<16)
				}
				run(t, g, list(func(w *pica.CommandWriter) {
					setTarget(w, color, depth, size, size)
					w.Write(pica.RegDepthbufferFormat, uint32(pica.DepthFormatD24S8))
					// Draws that only write colours, and may be queued.
					w.Write(pica.RegDepthColorMask, 0xF11)
					arrays(w, apart)
					w.Write(pica.RegNumvertices, 30_000)
					for range before {
						w.Write(pica.RegDrawarrays, 1)
					}
					w.Write(pica.RegDepthColorMask, 0x1F11) // depth: written always
					w.Write(pica.RegPrimitiveConfig, uint32(c.primitive)<<8)
					w.Write(pica.RegRestartPrimitive, 1)
					arrays(w, at)
					w.Write(pica.RegIndexbufferConfig, 1<<31|indexAt)
					w.Write(pica.RegNumvertices, c.n)
					w.Write(c.kind, 1)
				}))
				data := testkit.Must(g.Read(color, depth-color+size*size*4))(t)
				require.Greater(t, g.TakeStats().Fragments, uint64(100_000))
				see(data)
			}
			for before := 0; before < 3; before += 2 {
				var want []byte
				draw(apart, pipeline.Options{Workers: 1}, before, func(drawn []byte) { want = bytes.Clone(drawn) })
				for i, o := range []pipeline.Options{{Workers: 1}, {Workers: 1, PlainKernels: true}, {Workers: 7}} {
					if testkit.Short() && i != before {
						continue // one of them per case
					}
					draw(inside, o, before, func(drawn []byte) {
						require.True(t, bytes.Equal(want, drawn), "%+v, %d draws before it", o, before)
					})
				}
			}
		})
	}
}

// A procedural texture of one colour in a draw does not affect one with levels of detail in the next: the second trace looks the same on a
// GPU that has drawn the first.
func TestProceduralTextureAfterUniformColor(t *testing.T) {
	const seed = 540622
	first, second := states.Parse(t, states.MakeFailing(seed)), states.Parse(t, states.Make(seed))
	var memory [2][]byte
	for i := range memory {
		g := pipeline.New(pipeline.Options{Workers: 1, FCRAM: pica.FCRAMSize})
		p := pipeline.Player{GPU: g, Trace: first}
		if i == 1 {
			require.NoError(t, p.Rewind())
			_, err := p.NextFrame(context.Background())
			require.Error(t, err)
		}
		p = pipeline.Player{GPU: g, Trace: second}
		require.NoError(t, p.Rewind())
		for range second.Frames() {
			if _, err := p.NextFrame(context.Background()); err != nil {
				break
			}
		}
		data, err := g.Read(pica.FCRAMBase, states.FCRAM)
		require.NoError(t, err)
		memory[i] = append(memory[i], data...)
		g.Close()
	}
	require.True(t, string(memory[0]) == string(memory[1]))
}
