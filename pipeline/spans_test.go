package pipeline

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// joinSpans and overlapsAny are compared with a map of bytes: joined spans hold the same bytes, sorted and disjoint.
func TestJoinSpans(t *testing.T) {
	const top = 1<<32 - 64 // spans there may end at the end of the address space
	rng := rand.New(rand.NewPCG(5, 6))
	for i := range 3000 {
		base := uint32(0)
		if i%4 == 0 {
			base = top
		}
		var list []span
		bytes := map[uint32]bool{}
		for range 1 + rng.IntN(6) {
			s := span{base + uint32(rng.IntN(40)), uint32(rng.IntN(24))}
			s = clipSpan(uint64(s.addr), uint64(s.bytes))
			if rng.IntN(8) == 0 {
				s.addr = uint32(rng.IntN(40)) // far from the others
			}
			list = append(list, s)
			for b := range s.bytes {
				bytes[s.addr+b] = true
			}
		}
		given := slices.Clone(list)
		joined := joinSpans(slices.Clone(list))
		count := 0
		for k, s := range joined {
			for b := range s.bytes {
				require.True(t, bytes[s.addr+b], "%v -> %v", given, joined)
				count++
			}
			if k > 0 {
				before := joined[k-1]
				require.Less(t, uint64(before.addr)+uint64(before.bytes), uint64(s.addr), "%v -> %v", given, joined)
			}
		}
		require.Len(t, bytes, count, "%v -> %v", given, joined)
		for range 10 {
			s := span{base + uint32(rng.IntN(60)), uint32(rng.IntN(6))}
			s = clipSpan(uint64(s.addr), uint64(s.bytes))
			meets := false
			for b := range s.bytes {
				meets = meets || bytes[s.addr+b]
			}
			require.Equal(t, meets, overlapsAny(list, s), "%v in %v", s, given)
			require.Equal(t, meets, overlapsAny(joined, s), "%v in %v", s, joined)
		}
	}
}

// The list of reads is full if it stays long after joining.
func TestPendingReadListIsFull(t *testing.T) {
	list := func(n int, apart uint32) (p pending) {
		for i := range uint32(n) {
			p.reads = append(p.reads, span{i * 64, 64 - apart})
		}
		return p
	}
	few := list(maxSpans-1, 1)
	require.False(t, few.full())
	require.Len(t, few.reads, maxSpans-1, "short lists are not joined")
	joined := list(maxSpans, 0)
	require.False(t, joined.full())
	require.Equal(t, []span{{0, 64 * maxSpans}}, joined.reads)
	many := list(maxSpans, 1)
	require.True(t, many.full())
	half := list(maxSpans, 0)
	for i := range maxSpans / 2 {
		half.reads[2*i+1].bytes--
	}
	require.False(t, half.full())
	require.Len(t, half.reads, maxSpans/2)
}

func TestClipSpan(t *testing.T) {
	const top = 1 << 32
	for _, c := range []struct {
		addr, bytes uint64
		want        span
	}{
		{5, 7, span{5, 7}}, {0, top - 1, span{0, top - 1}}, {0, top + 9, span{0, top - 1}}, {5, 2 * top, span{5, top - 6}},
		{top - 10, 9, span{top - 10, 9}}, {top - 10, 20, span{top - 10, 9}}, {top - 1, 1, span{top - 1, 0}}, {top, 5, span{}}, {top + 5, 7, span{}},
	} {
		require.Equal(t, c.want, clipSpan(c.addr, c.bytes), "%+v", c)
	}
}

// A read waits for draws that write the memory; a write waits for draws that read or write any of its pages. Finished draws are
// forgotten.
func TestAccessWaitsForConflictingDraws(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	const at, n = pica.VRAMBase + 5*pageSize, pageSize
	for _, c := range []struct {
		name            string
		reads, writes   []span
		s               span
		onRead, onWrite bool
	}{
		{"nothing is queued", nil, nil, span{at, n}, false, false},
		{"the same page is read", []span{{at + n - 1, 1}}, nil, span{at, 1}, false, true},
		{"the end of the page is written", nil, []span{{at, 1}}, span{at + n - 1, 1}, false, true},
		{"the same byte is written", nil, []span{{at + 9, 1}}, span{at + 9, 1}, true, true},
		{"the page before", []span{{at - 1, 1}}, []span{{at - 2, 1}}, span{at, n}, false, false},
		{"the page behind", []span{{at + n, 1}}, []span{{at + n, 1}}, span{at, n}, false, false},
		{"the page behind, reached", []span{{at + 2*n - 1, 1}}, nil, span{at, n + 1}, false, true},
		{"the page before, reached", []span{{at - n, 1}}, nil, span{at - 1, 2}, false, true},
		{"two pages behind", []span{{at + 2*n, 1}}, nil, span{at, 2 * n}, false, false},
		{"no bytes", []span{{at, n}}, []span{{at, n}}, span{at + 1, 0}, false, false},
		{"the second of two", []span{{at + 9*n, 1}, {at, 1}}, []span{{at + 9*n, 1}, {at + 8*n, 1}}, span{at + 8*n, 1}, true, true},
	} {
		for write, want := range map[bool]bool{false: c.onRead, true: c.onWrite} {
			g.queues.pending = pending{reads: slices.Clone(c.reads), writes: slices.Clone(c.writes)}
			if write {
				require.NoError(t, g.beforeWrite(t.Context(), c.s))
			} else {
				require.NoError(t, g.beforeRead(t.Context(), c.s))
			}
			require.Equal(t, want || len(c.reads)+len(c.writes) == 0, len(g.queues.pending.reads)+len(g.queues.pending.writes) == 0, "%s, write: %v", c.name, write)
		}
	}

	// Waiting draws that can no longer be drawn return the context's error, and no texture is kept.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	require.NoError(t, g.mem.Write(at, []byte{1, 2, 3}))
	waits := func() *textureMemory {
		g.queues.willWrite(span{at, n})
		q := g.queues.queue
		q.Vertices, q.Triangles = append(q.Vertices, make([]pica.ScreenPosition, 3)...), append(q.Triangles, raster.Triangle{0, 1, 2})
		q.Commit(&raster.Draw{Target: &raster.Target{Width: 8, Height: 8}})
		require.True(t, g.queues.queued())
		return &textureMemory{g, ended}
	}
	flushes := g.counters.Flushes
	require.NoError(t, g.flush(t.Context()))
	require.Equal(t, flushes, g.counters.Flushes, "without conflicting draws nothing is flushed")
	require.Zero(t, waits().Generation(at, 3))
	require.Equal(t, flushes+1, g.counters.Flushes)
	require.False(t, g.queues.queued())
	require.Empty(t, g.queues.pending.writes, "dropped draws have no pending writes")
	waits()
	require.ErrorIs(t, g.beforeMove(ended, span{at, 3}, span{at + 8*n, 3}), context.Canceled)
	_, err := waits().Slice(at, 3)
	require.ErrorIs(t, err, context.Canceled)
	_, err = (&textureMemory{g, ended}).Slice(at, 3)
	require.ErrorIs(t, err, context.Canceled, "a texture read under a cancelled context fails")
	for name, work := range map[string]func() error{
		"a load": func() error { return g.Load(ended, at, []byte{9}) },
		"a fill": func() error { return g.Fill(ended, Fill{Start: at, End: at + 16, Value: 9, Bits: 32}) },
		"a copy": func() error {
			return g.CopyTexture(ended, TextureCopy{Src: at + n, Dst: at, Size: 16, InLine: 16, OutLine: 16})
		},
		"a transfer": func() error {
			return g.Transfer(ended, Transfer{Src: at + n, Dst: at, InWidth: 8, InHeight: 8, OutWidth: 8, OutHeight: 8, InTiled: true})
		},
	} {
		require.ErrorIs(t, work(), context.Canceled, name)
	}
	m := &textureMemory{g, t.Context()}
	require.Equal(t, g.mem.Generation(at, 3), m.Generation(at, 3))
	require.NotZero(t, m.Generation(at, 3))
	data := testkit.Must(m.Slice(at, 3))(t)
	require.Equal(t, []byte{1, 2, 3}, data)
}

// Draws to overlapping buffers are ordered once one of them, or a view, uses colour and one uses depth.
func TestOverlappingDrawsAreOrdered(t *testing.T) {
	const color, depth, both = 1, 2, 3
	for _, c := range []struct {
		target  renderTarget
		view    fragment.View
		draws   []int
		ordered []bool
	}{
		{renderTarget{overlap: true}, fragment.ViewFinal, []int{color, color, depth, 0}, []bool{false, false, true, true}},
		{renderTarget{overlap: true}, fragment.ViewFinal, []int{depth, 0, depth, color}, []bool{false, false, false, true}},
		{renderTarget{overlap: true}, fragment.ViewFinal, []int{0, both}, []bool{false, true}},
		{renderTarget{}, fragment.ViewFinal, []int{color, depth, both}, []bool{false, false, false}},
		{renderTarget{aliases: true}, fragment.ViewFinal, []int{0, color}, []bool{true, true}},
		{renderTarget{overlap: true, Target: raster.Target{Color: []byte{}}}, fragment.ViewFinal, []int{depth, depth}, []bool{false, false}},
		{renderTarget{overlap: true, Target: raster.Target{Color: []byte{}}}, fragment.ViewOverdraw, []int{0, depth}, []bool{false, true}},
		{renderTarget{overlap: true}, fragment.ViewOverdraw, []int{0, depth}, []bool{false, false}}, // no buffer to write
	} {
		g := GPUFor(t, Options{Workers: 1})
		g.View = c.view
		for i, uses := range c.draws {
			pica.ColorbufferWrite.SetBool(&g.regs, uses&color != 0)
			g.regs[pica.RegDepthColorMask] = 0xF00 // all channels
			pica.DepthWriteEnable.SetBool(&g.regs, uses&depth != 0)
			g.regs[pica.RegDepthbufferWrite] = 3
			ordered := testkit.Must(g.order(t.Context(), &c.target))(t)
			require.Equal(t, c.ordered[i], ordered, "%+v, draw %d", c, i)
		}
		g.Close()
	}
}

// reach returns the memory that a draw may read vertices and indices from, computed from its registers.
func reach(kind geometry.Kind, base, n, first, index uint64, short bool, arrays [pica.NumAttribbuffers][3]uint64) (list [][2]uint64) {
	switch kind {
	case geometry.Immediate:
		return nil
	case geometry.Elements:
		size, vertices := uint64(1), uint64(1<<8)
		if short {
			size, vertices = 2, 1<<16
		}
		list = append(list, [2]uint64{base + index, base + index + n*size})
		first, n = 0, vertices
	}
	for _, a := range arrays {
		if a[2] > 0 {
			list = append(list, [2]uint64{base + a[0] + first*a[1], base + a[0] + (first+n)*a[1]})
		}
	}
	return list
}

// The check whether a draw reads spans of memory agrees with reach.
func TestDrawReadsMatchReach(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	rng := rand.New(rand.NewPCG(4, 4))
	met := map[bool]int{}
	for range 6000 {
		clear(g.regs[:])
		kind := []geometry.Kind{geometry.Arrays, geometry.Elements, geometry.Immediate}[rng.IntN(9)%8%3]
		base, n, first, index := uint64(pica.VRAMBase+16*rng.IntN(9)), uint64(rng.IntN(20)), uint64(rng.IntN(12)), uint64(rng.IntN(300))
		short := rng.IntN(2) == 0
		var arrays [pica.NumAttribbuffers][3]uint64 // offset, stride, components
		for range rng.IntN(3) {
			i := rng.IntN(len(arrays))
			arrays[i] = [3]uint64{uint64(rng.IntN(400)), uint64(rng.IntN(9)), uint64(rng.IntN(3))}
			at := pica.Reg(i) * pica.StrideAttribbuffer
			pica.AttribbufferOffset.At(at).Set(&g.regs, uint32(arrays[i][0]))
			pica.AttribbufferStride.At(at).Set(&g.regs, uint32(arrays[i][1]))
			pica.AttribbufferCount.At(at).Set(&g.regs, uint32(arrays[i][2]))
		}
		g.regs[pica.RegAttribbuffersLoc] = uint32(base >> 3)
		pica.Numvertices.Set(&g.regs, uint32(n))
		pica.VertexOffset.Set(&g.regs, uint32(first))
		pica.IndexbufferOffset.Set(&g.regs, uint32(index))
		pica.IndexbufferType.SetBool(&g.regs, short)
		reached := reach(kind, base, n, first, index, short, arrays)
		at := base + uint64(rng.IntN(500))
		if len(reached) > 0 && rng.IntN(2) == 0 { // at an edge
			at = reached[rng.IntN(len(reached))][rng.IntN(2)] - uint64(rng.IntN(3))
		}
		s := span{uint32(at), uint32(1 + rng.IntN(4))}
		want := slices.ContainsFunc(reached, func(r [2]uint64) bool {
			return r[0] < r[1] && uint64(s.addr) < r[1] && r[0] < uint64(s.addr)+uint64(s.bytes)
		})
		require.Equal(t, want, g.mayRead(kind, []span{{1, 2}, s}), "%v %v %v", kind, reached, s)
		met[want]++
		g.queues.pending = pending{writes: []span{s}}
		require.NoError(t, g.beforeVertices(t.Context(), kind))
		require.Equal(t, want, len(g.queues.pending.writes) == 0)
		require.False(t, g.mayRead(kind, nil))
	}
	require.Greater(t, min(met[false], met[true]), 1500)
}

// A draw that reads the memory it writes sees the contents before its first part was drawn.
func TestDrawReadsMemoryItWrites(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	const color, depth, size = pica.VRAMBase + 0x1000, pica.VRAMBase + 0x1040, 0x80 // they overlap
	target := &renderTarget{color: span{color, size}, depth: span{depth, size}}
	for _, c := range []struct {
		colorMask, depthMask bool
		at                   uint32
		want                 [2]span
	}{
		{true, true, color, [2]span{{color, size}, {depth, size}}},
		{true, true, depth + size - 1, [2]span{{color, size}, {depth, size}}},
		{true, true, depth + size, [2]span{}},
		{true, false, color, [2]span{{color, size}, {}}},
		{true, false, color + size, [2]span{}},
		{false, true, depth + size - 1, [2]span{{}, {depth, size}}},
		{false, true, color, [2]span{}},
		{false, false, depth, [2]span{}},
	} {
		clear(g.regs[:])
		if c.colorMask {
			g.regs[pica.RegColorbufferWrite], g.regs[pica.RegDepthColorMask] = 0xF, 0xF00
		}
		if c.depthMask {
			g.regs[pica.RegDepthbufferWrite] = 3
			pica.DepthWriteEnable.SetBool(&g.regs, true)
		}
		g.regs[pica.RegAttribbuffersLoc] = (c.at &^ 15) >> 3
		pica.AttribbufferOffset.Set(&g.regs, c.at&15)
		pica.AttribbufferStride.Set(&g.regs, 1)
		pica.AttribbufferCount.Set(&g.regs, 1)
		pica.Numvertices.Set(&g.regs, 1)
		require.Equal(t, c.want, g.beginVertices(geometry.Arrays, target).own, "%+v", c)
		require.Equal(t, [2]span{}, g.beginVertices(geometry.Immediate, target).own)
	}

	was := make([]byte, 0x200)
	for i := range was {
		was[i] = byte(i*7 + i>>8)
	}
	const first = color - 0x40
	fresh := slices.Clone(was)
	for i := range fresh {
		fresh[i] ^= 0xA5
	}
	rng := rand.New(rand.NewPCG(9, 9))
	for _, own := range [][2]span{{}, {{color, size}}, {{}, {depth, size}}, {{color, size}, {depth, size}}} {
		require.NoError(t, g.mem.Write(first, was))
		m := &vertexMemory{g: g, own: own}
		m.beforePart()
		require.NoError(t, g.mem.Write(first, fresh))
		m.beforePart() // for the second part: the copy stays
		want := slices.Clone(fresh)
		for _, s := range own {
			copy(want[max(s.addr, first)-first:], was[max(s.addr, first)-first:][:s.bytes])
		}
		for range 300 {
			from := rng.IntN(len(was))
			n := rng.IntN(len(was) - from)
			got := testkit.Must(m.Slice(first+uint32(from), uint32(n)))(t)
			require.Equal(t, want[from:from+n], got, "%v: %d bytes at %d", own, n, from)
		}
		_, err := m.Slice(1, 2)
		require.Error(t, err)
	}
	m := &vertexMemory{g: g, own: [2]span{{color, size}}} // nothing drawn yet
	got := testkit.Must(m.Slice(color, 8))(t)
	require.Equal(t, fresh[0x40:0x48], got)
	require.NoError(t, g.mem.Write(color, []byte{1}))
	require.Equal(t, fresh[0x40:0x48], got, "indices that were already read are kept")
}

// Draws start in the background if there are other workers and enough draws wait; those queued meanwhile follow.
func TestBackgroundDrawsStart(t *testing.T) {
	for _, workers := range []int{1, 2} {
		g := GPUFor(t, Options{Workers: workers})
		q := &g.queues
		wait := func(triangles int) {
			one := q.queue
			first := uint32(len(one.Vertices)) // left of the target: invisible
			one.Vertices = append(one.Vertices, pica.ScreenPosition{X: -9000}, pica.ScreenPosition{X: -8000}, pica.ScreenPosition{X: -9000, Y: 1000})
			for range triangles {
				one.Triangles = append(one.Triangles, raster.Triangle{first, first + 1, first + 2})
			}
			one.Commit(&raster.Draw{Shader: painter{}, Target: &raster.Target{Width: 8, Height: 64}, Bounds: raster.Rect{X1: 7, Y1: 63}})
		}
		wait(kickTriangles - 1)
		q.kick()
		require.Nil(t, q.behind)
		wait(1)
		q.kick()
		require.Equal(t, workers > 1, q.behind != nil)
		require.Equal(t, workers > 1, q.queue.Empty(), "a started queue is replaced by an empty one")
		if workers > 1 {
			first := q.behind
			require.Eventually(t, q.workers.done, 5*time.Second, time.Millisecond)
			wait(kickTriangles)
			q.kick()
			require.NotSame(t, first, q.behind)
			require.True(t, first.Empty())
			require.True(t, q.queue.Empty())
		}
		require.NoError(t, g.Finish(t.Context()))
		require.False(t, q.queued())
		g.Close()
	}
}

// Draws that take a while start in the background while a helper looks for work. Fewer or shorter draws wait, and so do draws that would
// need a helper to be woken.
func TestShortDrawsStartWithIdleHelper(t *testing.T) {
	const enough = uint64(kickCost) * 1000 / costOfOp // pixels
	for _, c := range []struct {
		draws, helpers int
		pixels         uint64
		want           bool
	}{
		{kickDraws, 1, enough, true},
		{kickDraws - 1, 1, enough, false},
		{kickDraws, 1, 0, false},
		{kickDraws, 0, enough, false},
	} {
		g := GPUFor(t, Options{Workers: 2})
		q := &g.queues
		q.workers.helpers.awake.Store(int64(c.helpers)) // who finds nothing to do
		for range c.draws {
			one := q.queue
			first := uint32(len(one.Vertices))
			one.Vertices = append(one.Vertices, pica.ScreenPosition{X: -9000}, pica.ScreenPosition{X: -8000}, pica.ScreenPosition{X: -9000, Y: 1000})
			one.Triangles = append(one.Triangles, raster.Triangle{first, first + 1, first + 2})
			one.Commit(&raster.Draw{Shader: painter{}, Target: &raster.Target{Width: 8, Height: 64}, Bounds: raster.Rect{X1: 7, Y1: 63}})
		}
		q.queue.add(c.pixels, 1)
		require.Equal(t, c.want, q.worthKicking(), "%+v, cost %v", c, q.queue.cost())
		q.workers.helpers.awake.Store(0)
		g.Close()
	}
}
