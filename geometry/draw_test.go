package geometry

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// testMemory is memory that starts at testBase.
type testMemory []byte

const testBase = 0x20000000

func (m testMemory) Slice(addr, n uint32) ([]byte, error) {
	if addr < testBase || uint64(addr-testBase)+uint64(n) > uint64(len(m)) {
		return nil, fmt.Errorf("0x%08X is not mapped", addr)
	}
	return m[addr-testBase:][:n:n], nil
}

// program encodes instructions with the identity descriptor.
func program(t testing.TB, instrs ...shaderunit.Instr) *shaderunit.Setup {
	s := &shaderunit.Setup{}
	s.SetDesc(0, uint32(shaderunit.MakeOpDesc(0xF, [3]uint8{0x1B, 0x1B, 0x1B}, [3]bool{})))
	for i, in := range instrs {
		w := testkit.Must(in.Encode())(t)
		s.SetCode(i, w)
	}
	return s
}

func mov(dst, src int) shaderunit.Instr {
	return shaderunit.Instr{Op: shaderunit.OpMOV, Dst: shaderunit.DstReg(dst), Src: [3]shaderunit.SrcReg{shaderunit.SrcReg(src)}}
}

// passThrough moves v0 to o0 and v1 to o1.
func passThrough(t testing.TB) *shaderunit.Setup {
	return program(t, mov(0, 0), mov(1, 1), shaderunit.Instr{Op: shaderunit.OpEND})
}

// testDraw is a draw of vertices with position (4 floats) and colour (4 bytes) into 100x100 pixels, with the pass-through shader.
type testDraw struct {
	Input
	regs pica.Regs
	mem  testMemory
}

func newTestDraw(t testing.TB, mode pica.PrimitiveMode) *testDraw {
	d := &testDraw{}
	d.Regs = &d.regs
	d.Vertex = passThrough(t)
	d.Fixed = new([16][4]float32)
	r := d.Regs
	pica.PrimitiveConfigMode.Set(r, uint32(mode))
	pica.ViewportWidth.SetFloat(r, 50)
	pica.ViewportHeight.SetFloat(r, 50)
	pica.AttribbuffersLoc.Set(r, testBase>>4)
	r[pica.RegAttribbuffersFormatLow] = uint32(pica.AttribFloat) | 3<<2 | (uint32(pica.AttribUByte)|3<<2)<<4
	pica.AttribCount.Set(r, 1)
	r[pica.RegAttribbuffer0Config1] = 0x10
	pica.AttribbufferStride.Set(r, 20)
	pica.AttribbufferCount.Set(r, 2)
	pica.ShInputCount.At(pica.OffsetVsh).Set(r, 1)
	pica.VshNumAttr.Set(r, 1)
	r[pica.RegVshAttributesPermutationLow] = 0x10
	r[pica.RegVshOutmapMask] = 3
	pica.ShOutmapTotal.Set(r, 2)
	r[pica.RegShOutattrClock] = pica.AllClocks
	r[pica.RegShOutmapO0] = 0x03020100
	r[pica.RegShOutmapO0+1] = 0x0B0A0908
	return d
}

// vertices appends vertices to the array at the start of memory.
func (d *testDraw) vertices(p ...[4]float32) {
	for i, v := range p {
		for _, f := range v {
			d.mem = binary.LittleEndian.AppendUint32(d.mem, math.Float32bits(f))
		}
		d.mem = append(d.mem, byte(i), 0, 1, 255)
	}
	d.Memory = d.mem
	pica.Numvertices.Set(d.Regs, uint32(len(p)))
}

// elements makes the draw indexed.
func (d *testDraw) elements(wide bool, indices ...int) {
	d.Kind = Elements
	pica.IndexbufferOffset.Set(d.Regs, uint32(len(d.mem)))
	for _, i := range indices {
		d.mem = append(d.mem, byte(i))
		if wide {
			d.mem = append(d.mem, byte(i>>8))
		}
	}
	d.Memory = d.mem
	if wide {
		pica.IndexbufferType.Set(d.Regs, uint32(pica.IndexShort))
	}
	pica.Numvertices.Set(d.Regs, uint32(len(indices)))
}

// draw returns the output of the draw on a new stage.
func (d *testDraw) draw(t testing.TB) (out Output) {
	t.Helper()
	require.NoError(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out))
	return out
}

// empty drops what was drawn and keeps its memory.
func (o *Output) empty() {
	o.Vertices, o.Attributes, o.Triangles = o.Vertices[:0], o.Attributes[:0], o.Triangles[:0]
}

func TestDrawArrays(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(append(fiveOnACircle(), fiveOnACircle()...)...)
	pica.VertexOffset.Set(d.Regs, 5)
	pica.Numvertices.Set(d.Regs, 5)
	out := d.draw(t)
	require.Equal(t, [][3]uint32{{0, 1, 2}}, out.Triangles)
	require.Equal(t, Stats{Indices: 5, Fetched: 5, Shaded: 5, Primitives: 1, Incomplete: 1, Triangles: 1}, out.Stats)
	v := out.vertex(0)
	require.EqualValues(t, 75*16, v.X)
	require.EqualValues(t, 50*16, v.Y)
	require.Equal(t, float32(-0.5), v.Z)
	require.Equal(t, float32(1), v.InvW)
	require.Equal(t, float32(1), v.Vertex[pica.SemColorR], "a colour of 5 is clamped to 1")
	require.Equal(t, float32(0), v.Vertex[pica.SemColorG])
	require.Equal(t, float32(1), v.Vertex[pica.SemTexCoord0U], "unmapped")
}

// The user clip plane cuts only when it is enabled.
func TestUserClipPlaneNeedsEnable(t *testing.T) {
	for enabled, want := range map[bool]int{false: 1, true: 0} {
		d := newTestDraw(t, pica.PrimitiveTriangles)
		d.vertices(fiveOnACircle()[:3]...)
		pica.FragopClipEnable.SetBool(d.Regs, enabled)
		pica.FragopClipData.At(3).SetFloat(d.Regs, -1) // everything
		out := d.draw(t)
		require.Len(t, out.Triangles, want)
	}
}

func TestDrawElements(t *testing.T) {
	for _, wide := range []bool{false, true} {
		d := newTestDraw(t, pica.PrimitiveGeometry)
		d.vertices(fiveOnACircle()...)
		d.elements(wide, 4, 0, 1, 4, 1, 2, 4, 2, 3)
		out := d.draw(t)
		require.Equal(t, [][3]uint32{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}, out.Triangles)
		require.Equal(t, Stats{Indices: 9, Fetched: 5, Shaded: 5, CacheHits: 4, Primitives: 3, Triangles: 3}, out.Stats)
	}
}

func TestDrawImmediate(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangleStrip)
	d.Kind = Immediate
	s := NewStage(1, nil)
	var out Output
	// One vertex per draw: the strip continues in the next draw.
	for i, p := range fiveOnACircle() {
		d.Immediate = [][4]float32{p, {float32(i) / 4, 0, 0, -1}}
		require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	}
	require.Len(t, out.Triangles, 3)
	require.Equal(t, 5, out.Stats.Indices)
	last := out.vertex(uint32(len(out.Vertices) - 3)) // followed by the two vertices of earlier draws that it was joined to
	require.Equal(t, float32(1), last.Vertex[pica.SemColorR])
	require.Equal(t, float32(1), last.Vertex[pica.SemColorA], "a colour is its absolute value")

	// Immediate draws ignore the registers of the vertex loader.
	pica.AttribbufferStride.Set(d.Regs, 99)
	d.Immediate = [][4]float32{fiveOnACircle()[0], {}}
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))

	d.Immediate = d.Immediate[:1]
	require.ErrorContains(t, s.Draw(t.Context(), &d.Input, &out), "1 attributes do not make whole vertices of 2")
}

func TestStripContinuesUntilRestart(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangleStrip)
	d.vertices(fiveOnACircle()...)
	s := NewStage(1, nil)
	draw := func(n int) int {
		var out Output
		pica.Numvertices.Set(d.Regs, uint32(n))
		require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
		return len(out.Triangles) + out.Stats.Culled
	}
	require.Equal(t, 1, draw(3))
	require.Equal(t, 3, draw(3))
	s.Restart()
	require.Equal(t, 1, draw(3))
	pica.PrimitiveConfigMode.Set(d.Regs, uint32(pica.PrimitiveTriangleFan))
	require.Equal(t, 1, draw(3), "another primitive mode restarts the strip")
}

func TestFixedAttributes(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(fiveOnACircle()...)
	d.Fixed[1] = [4]float32{0.25, 0.5, 0.75, 1}
	// An attribute with an array ignores its bit in the mask of fixed attributes.
	pica.AttribFixedMask.Set(d.Regs, 2)
	out := d.draw(t)
	require.Equal(t, float32(0), out.vertex(0).Vertex[pica.SemColorG])
	// An attribute without an array has its fixed value.
	r := d.Regs
	r[pica.RegAttribbuffer0Config1] = 0xC0
	out = d.draw(t)
	require.Equal(t, []float32{0.25, 0.5, 0.75, 1}, out.vertex(2).Vertex[pica.SemColorR:pica.SemColorA+1])
}

func TestAttributeLayout(t *testing.T) {
	type array struct {
		components string // hex digits, the first component first
		stride     uint32
	}
	const ubyte3, float2, float3, short3, byte1, ubyte4 = 0x9, 0x7, 0xB, 0xA, 0x0, 0xD
	for _, tc := range []struct {
		name    string
		formats []uint32
		arrays  []array
		want    []uint32 // offset of each attribute
		err     string
	}{
		// The modes of JayFoxRox's attrib-align: a0 is float2, a1 the padding under test, a2 float3 or short3.
		{"mode 0", []uint32{float2, ubyte4, float3}, []array{{"012", 0x18}}, []uint32{0, 8, 12}, ""},
		{"mode 1", []uint32{float2, ubyte3, float3}, []array{{"012", 0x18}}, []uint32{0, 8, 12}, ""},
		{"mode 2", []uint32{float2, ubyte4, float3}, []array{{"0C12", 0x1C}}, []uint32{0, 12, 16}, ""},
		{"mode 3", []uint32{float2, ubyte3, float3}, []array{{"01C2", 0x1C}}, []uint32{0, 8, 16}, ""},
		{"mode 4", []uint32{float2, ubyte3, short3}, []array{{"01C12", 0x1C}}, []uint32{0, 16, 20}, ""},
		{"mode 5", []uint32{float2, ubyte3, float3}, []array{{"01D2", 0x20}}, []uint32{0, 8, 20}, ""},
		{"mode 6", []uint32{float2, ubyte3, short3}, []array{{"011C2", 0x1C}}, []uint32{0, 11, 20}, ""},
		{"two arrays", []uint32{float3, ubyte3}, []array{{"0", 12}, {"1", 3}}, []uint32{0, 0}, ""},
		{"padding of every size", []uint32{byte1, byte1, byte1, byte1, byte1}, []array{{"0C1D2E3F4", 57}}, []uint32{0, 8, 20, 36, 56}, ""},
		{"stride too small", []uint32{float3}, []array{{"0", 8}}, nil, "the stride is 8 bytes but the components make a vertex of 12; the console would freeze"},
		{"stride too large", []uint32{float3}, []array{{"0", 16}}, nil, "vertex array 0 (GPUREG_ATTRIBBUFFER0_CONFIG2)"},
		{"stride too large in the second", []uint32{float3, float3}, []array{{"0", 12}, {"1", 32}}, nil, "vertex array 1 (GPUREG_ATTRIBBUFFER1_CONFIG2)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var r pica.Regs
			for i, f := range tc.formats {
				r[pica.RegAttribbuffersFormatLow] |= f << (4 * i)
			}
			pica.ShInputCount.At(pica.OffsetVsh).Set(&r, uint32(len(tc.formats)-1))
			for i, a := range tc.arrays {
				reg := pica.RegAttribbuffer0Offset + pica.Reg(3*i)
				for c, digit := range a.components {
					var id uint32
					fmt.Sscanf(string(digit), "%x", &id)
					r[reg+1+pica.Reg(c/8)] |= id << (4 * (c % 8))
				}
				r[reg+2] |= a.stride<<16 | uint32(len(a.components))<<28
			}
			var l layout
			err := l.read(&r, new([16][4]float32), Arrays)
			if tc.err != "" {
				require.ErrorContains(t, err, tc.err)
				return
			}
			require.NoError(t, err)
			for i, want := range tc.want {
				require.Equal(t, want, l.attributes[i].offset, "attribute %d", i)
				require.True(t, l.attributes[i].array)
			}
		})
	}
}

func TestDrawErrors(t *testing.T) {
	for _, tc := range []struct {
		name   string
		broken func(d *testDraw)
		want   string
	}{
		{"vertices outside of memory", func(d *testDraw) { pica.Numvertices.Set(d.Regs, 100) }, "vertex array 0, vertices 0 to 99: 0x20000000 is not mapped"},
		{"first vertex far away", func(d *testDraw) { pica.VertexOffset.Set(d.Regs, 0xFFFFFFF0) }, "beyond the end of memory"},
		{"too many vertices", func(d *testDraw) { pica.Numvertices.Set(d.Regs, 1<<31) }, "GPUREG_NUMVERTICES is 2147483648"},
		{"indices outside of memory", func(d *testDraw) { d.elements(true, 0, 1, 2); pica.Numvertices.Set(d.Regs, 100) }, "index array of 100 vertices"},
		{"too many components", func(d *testDraw) { pica.AttribbufferCount.Set(d.Regs, 13) }, "has 13 components"},
		{"program without end", func(d *testDraw) { d.Vertex = &shaderunit.Setup{} }, "vertex 0: shader, instruction"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newTestDraw(t, pica.PrimitiveTriangles)
			d.vertices(fiveOnACircle()...)
			tc.broken(d)
			var out Output
			require.ErrorContains(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out), tc.want)
			require.Empty(t, out.Vertices)
		})
	}
}

// An error of a vertex shader before a geometry shader names the vertex, and nothing is drawn. vertexError leaves other errors as
// they are.
func TestVertexShaderFailsBeforeGeometryShader(t *testing.T) {
	d := geometryDraw(t, pica.GeometryModePoint, passTriangle).point(3)
	d.vertices(fiveOnACircle()[:3]...)
	d.Vertex = &shaderunit.Setup{}
	var out Output
	require.ErrorContains(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out), "vertex 0: shader, instruction")
	require.Empty(t, out.Triangles)
	other := errors.New("other")
	require.Equal(t, other, vertexError(other, []uint32{7}))
	for _, lane := range []int{1, 2} {
		require.Equal(t, &shaderunit.VertexError{Lane: lane, Err: other}, vertexError(&shaderunit.VertexError{Lane: lane, Err: other}, []uint32{7}))
	}
	require.ErrorContains(t, vertexError(&shaderunit.VertexError{Lane: 1, Err: other}, []uint32{7, 9}), "vertex 9: other")
}

// With lighting, a vertex has all four quaternion components if any is mapped.
func TestLightingNeedsWholeQuaternion(t *testing.T) {
	for word, want := range map[uint32]bool{0x1F1F1F1F: false, 0x1F1F041F: true, 0x07060504: true} {
		for _, turn := range []bool{false, true} {
			d := newTestDraw(t, pica.PrimitiveTriangles)
			d.vertices(fiveOnACircle()...)
			d.Regs[pica.RegShOutmapO0+1] = word
			pica.LightingEnable.SetBool(d.Regs, turn)
			out := d.draw(t)
			for q := pica.SemQuatX; q <= pica.SemQuatW; q++ {
				mapped := word == 0x07060504 || word == 0x1F1F041F && q == pica.SemQuatX
				require.Equal(t, mapped || turn && want, out.Layout.Index(q) >= 0, "%08X, %v, %d", word, turn, q)
			}
		}
	}
}

func parallel(workers int) func(n int, f func(i, worker int)) {
	return func(n int, f func(i, worker int)) {
		next := make(chan int)
		var wg sync.WaitGroup
		for w := range workers {
			wg.Go(func() {
				for i := range next {
					f(i, w)
				}
			})
		}
		for i := range n {
			next <- i
		}
		close(next)
		wg.Wait()
	}
}

// grid is an indexed mesh of n x n cells that extends beyond the view volume.
func grid(t testing.TB, n int) *testDraw {
	d := newTestDraw(t, pica.PrimitiveGeometry)
	var p [][4]float32
	for y := range n + 1 {
		for x := range n + 1 {
			fx, fy := float32(x)/float32(n)*2.2-1.1, float32(y)/float32(n)*2.2-1.1
			w := 1 + 0.5*fx*fy
			p = append(p, [4]float32{fx * w, fy * w, -0.5 * w, w})
		}
	}
	d.vertices(p...)
	var idx []int
	for y := range n {
		for x := range n {
			a := y*(n+1) + x
			idx = append(idx, a, a+1, a+n+2, a, a+n+2, a+n+1)
		}
	}
	d.elements(true, idx...)
	return d
}

// The output depends neither on the number of workers nor on earlier draws of the stage.
func TestOutputIndependentOfWorkers(t *testing.T) {
	d := grid(t, 40)
	want := d.draw(t)
	require.Positive(t, want.Stats.Clipped)
	for workers := 2; workers <= 5; workers++ {
		s := NewStage(workers, parallel(workers))
		for range 2 {
			var out Output
			require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
			require.Equal(t, want, out)
		}
	}
}

// A few batches of vertices are shared only with a worker that waits for them.
func TestFewBatchesWakeNoWorker(t *testing.T) {
	for _, c := range []struct {
		cells int // (cells + 1) squared vertices, in batches of 64
		ready func() bool
		loops int
	}{
		{5, func() bool { return true }, 0}, // 36 are one batch
		{20, nil, 1},
		{20, func() bool { return true }, 1},
		{20, func() bool { return false }, 0}, // 441 are 7
		{21, func() bool { return false }, 1}, // 484 are 8
	} {
		loops := 0
		s := NewStage(2, func(n int, f func(i, worker int)) {
			loops++
			for i := range n {
				f(i, i&1)
			}
		})
		s.Ready = c.ready
		d := grid(t, c.cells)
		var out Output
		want := d.draw(t)
		require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
		require.Equal(t, want, out)
		require.Equal(t, c.loops, loops, "%d cells", c.cells)
	}
}

func TestDrawFlush(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangleStrip)
	const n = 5 * chunkVertices
	d.vertices(fiveOnACircle()...)
	d.mem = bytes.Repeat(d.mem, n/5)
	d.Memory = d.mem
	pica.Numvertices.Set(d.Regs, n)
	var out Output
	flushes, total := 0, 0
	out.Flush = func(_ context.Context, o *Output) error {
		flushes++
		total += len(o.Triangles)
		require.LessOrEqual(t, len(o.Vertices), FlushVertices+chunkVertices+2)
		o.empty()
		return nil
	}
	require.NoError(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out))
	require.Positive(t, flushes)
	require.Equal(t, n-2, total+len(out.Triangles))
	require.Equal(t, n-2, out.Stats.Triangles)

	full := errors.New("full")
	out.Flush = func(context.Context, *Output) error { return full }
	require.ErrorIs(t, NewStage(1, nil).Draw(t.Context(), &d.Input, &out), full)
}

// Input registers without an attribute are 0, also after a draw that used them.
func TestUnusedInputsAreZero(t *testing.T) {
	d := newTestDraw(t, pica.PrimitiveTriangles)
	d.vertices(fiveOnACircle()[1], fiveOnACircle()[2], fiveOnACircle()[3])
	s := NewStage(1, nil)
	var out Output
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	// The colour is read from v5, which gets no attribute in the last draw.
	d.Vertex = program(t, mov(0, 0), mov(1, 5), shaderunit.Instr{Op: shaderunit.OpEND})
	d.Regs[pica.RegVshAttributesPermutationLow] = 0x50
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	d.Regs[pica.RegVshAttributesPermutationLow] = 0x10
	out = Output{}
	require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	require.Equal(t, []float32{0, 0, 0, 0}, out.vertex(1).Vertex[pica.SemColorR:pica.SemColorA+1])
}

func TestStatsAdd(t *testing.T) {
	one := Stats{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}
	sum := one
	sum.Add(&one)
	require.Equal(t, Stats{2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26}, sum)
}

func TestDrawDoesNotAllocate(t *testing.T) {
	d := grid(t, 40)
	s := NewStage(1, nil)
	var out Output
	draw := func() {
		out.empty()
		require.NoError(t, s.Draw(t.Context(), &d.Input, &out))
	}
	draw()
	draw()
	require.Zero(t, testing.AllocsPerRun(5, draw))
}
