package raster

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// Draws that share a queue give the same pixels as each alone: own triangles, bounds and shader.
func TestQueuedDrawsEqualSingleDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	const w, h = 64, 200
	for range 100 {
		var q Queue
		var alone, together []*recorder
		for range 2 + rng.IntN(4) {
			var v []pica.ScreenVertex
			for range 1 + rng.IntN(3) {
				x, y, size := rng.Int32N(w*16), rng.Int32N(h*16), int32(16)<<rng.IntN(8)
				v = append(v, vertex(x, y), vertex(x+size, y+rng.Int32N(size)), vertex(x-rng.Int32N(size), y+size))
			}
			d, one := testDraw(w, h)
			d.Bounds = Rect{rng.Int32N(w / 2), rng.Int32N(h / 2), w/2 + rng.Int32N(w/2), h/2 + rng.Int32N(h/2)}
			drawAll(d, v)
			again, shared := testDraw(w, h)
			again.Bounds, again.Target = d.Bounds, d.Target
			commit(&q, again, v)
			alone, together = append(alone, one), append(together, shared)
		}
		q.Flush(1, serial)
		for i := range alone {
			require.Equal(t, alone[i].hits, together[i].hits, "draw %d of %d", i, len(alone))
		}
	}
}

// Every bin, or part of one, writes only within the range that BinRange returns for it; all parts draw what bins draw.
func TestBinsWriteInsideTheirPart(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 44))
	parts := 0
	for range 300 {
		w, h := 8*(1+rng.Int32N(9)), 1+rng.Int32N(99)
		if rng.IntN(8) == 0 {
			h = binRows
		}
		d, r := testDraw(w, h)
		d.Target.Block32, d.Ordered = rng.IntN(2) == 0 && w%32 == 0, rng.IntN(4) == 0
		var q Queue
		x, y, size := rng.Int32N(w*16), rng.Int32N(h*16), int32(16)<<rng.IntN(8)
		commit(&q, d, []pica.ScreenVertex{vertex(x, y), vertex(x+size, y+rng.Int32N(size)), vertex(x-rng.Int32N(size), y+size)})
		bytes := d.Target.Bytes(3)
		for i := range q.Bins(1, 1) {
			q.DrawBin(i, 0)
		}
		whole, drawn, cut := maps.Clone(r.hits), map[[2]int32]int{}, 1+rng.IntN(2)
		if n := q.Bins(1, cut); d.Ordered {
			require.Equal(t, 1, n)
		}
		for i := range q.Bins(1, cut) {
			clear(r.hits)
			q.DrawBin(i, 0)
			for at, n := range r.hits {
				drawn[at] += n
			}
			from, to := q.BinRange(i, bytes)
			require.True(t, 0 <= from && from <= to && to <= bytes)
			if parts++; len(q.bins[i/int(q.parts)].list) == 0 {
				require.Equal(t, [2]int{}, [2]int{from, to})
			} else if !d.Ordered && !d.Target.Block32 {
				part := 16 / cut * int(w) * 3
				require.Equal(t, [2]int{min(i*part, bytes), min((i+1)*part, bytes)}, [2]int{from, to})
			}
			if i/int(q.parts) == q.count()-1 && i%int(q.parts) == int(q.parts)-1 && to > 0 {
				_, end := q.BinRange(i, bytes+1)
				require.Equal(t, bytes+1, end, "the last part ends with the buffer")
			}
			for at := range r.hits {
				index := 3 * d.Target.PixelIndex(at[0], at[1])
				require.True(t, from <= index && index+3 <= to, "%v of %dx%d in %d to %d", at, w, h, from, to)
			}
		}
		require.Equal(t, whole, drawn)
		q.Drop()
	}
	require.Greater(t, parts, 600)
}

// Footprint is the sum of the capacities of a queue's lists, in bytes.
func TestQueueHeldBytes(t *testing.T) {
	require.Zero(t, (&Queue{}).Footprint())
	for _, c := range []struct {
		q    *Queue
		each uintptr
	}{
		{&Queue{Vertices: make([]pica.ScreenPosition, 2, 7)}, unsafe.Sizeof(pica.ScreenPosition{})}, {&Queue{Attributes: make([]float32, 3, 7)}, 4}, {&Queue{Triangles: make([]Triangle, 1, 7)}, unsafe.Sizeof(Triangle{})},
		{&Queue{draws: make([]Draw, 0, 7)}, unsafe.Sizeof(Draw{})}, {&Queue{workers: make([]worker, 0, 7)}, unsafe.Sizeof(worker{})}, {&Queue{bins: []bin{{}, {list: make([]uint32, 0, 7)}}}, 4}, {&Queue{bins: []bin{{}, {runs: make([]run, 0, 7)}}}, unsafe.Sizeof(run{})},
	} {
		require.Equal(t, 7*int(c.each), c.q.Footprint())
	}
}

// Drop empties a queue, also when it is used again.
func TestQueueDropEmpties(t *testing.T) {
	var q Queue
	for range 2 {
		d, r := testDraw(64, 64)
		commit(&q, d, []pica.ScreenVertex{vertex(0, 0), vertex(1000, 0), vertex(0, 1000)})
		q.Bins(1, 1)
		require.Equal(t, int32(binRows), q.BinRows())
		q.Drop()
		require.True(t, q.Empty())
		require.Zero(t, q.BinRows())
		require.Zero(t, len(q.Vertices)+len(q.Attributes)+len(q.Triangles)+len(q.draws))
		for i := range q.bins {
			require.Zero(t, len(q.bins[i].list)+len(q.bins[i].runs), "bin %d", i)
		}
		q.Flush(1, serial)
		require.Empty(t, r.hits)
	}
}

// slopes returns a base (the value of vertices 1 and 2 if they agree, else of vertex 0) and the differences of all three
// from it. A component without a position is 1.
func TestSlopeBaseAndDifferences(t *testing.T) {
	layout := &pica.VertexLayout{}
	layout.Add(pica.SemColorG)
	layout.Add(pica.SemTexCoord0U)
	v := vertices{attributes: []float32{99, 3, 10, 5, 20, 8, 20}, layout: layout, first: -3} // the row of vertex 2 is at 1
	for offset, want := range map[int][4]float32{-1: {1}, 0: {3, 0, 2, 5}, 1: {20, -10, 0, 0}} {
		require.Equal(t, want, v.slopes(&[3]uint32{2, 3, 4}, offset), "place %d", offset)
	}
	require.Equal(t, []float32{5, 20}, v.row(3))
}

// A batch has one colour only if the four components lie in order, are finite and are equal at all vertices of its
// triangles.
func TestBatchOfOneColor(t *testing.T) {
	colors := []pica.Semantic{pica.SemColorR, pica.SemColorG, pica.SemColorB, pica.SemColorA}
	batch := func(order ...pica.Semantic) *Batch {
		layout := &pica.VertexLayout{}
		for _, s := range order {
			layout.Add(s)
		}
		b := &Batch{Blocks: 3, vertices: vertices{layout: layout, first: 2}}
		b.Block[0].V, b.Block[1].V, b.Block[2].V = [3]uint32{1, 2, 3}, [3]uint32{1, 2, 3}, [3]uint32{4, 3, 5}
		b.Block[2].Triangle = 1
		b.attributes = make([]float32, 2+6*layout.N)
		for v := range 6 {
			for i := range layout.N {
				b.attributes[2+v*layout.N+i] = 0.625
			}
			for i, s := range colors {
				if at := layout.Index(s); at >= 0 {
					b.attributes[2+v*layout.N+at] = float32(i+1) / 8
				}
			}
		}
		b.attributes[2] = 99 // of vertex 0, which no triangle uses
		return b
	}
	before := append([]pica.Semantic{pica.SemViewX}, colors...)
	x, same := batch(before...).SameAtAll(pica.SemColorR)
	require.True(t, same)
	require.Equal(t, [4]float32{0.125, 0.25, 0.375, 0.5}, x)
	_, same = batch(colors[1:]...).SameAtAll(pica.SemColorR)
	require.False(t, same, "colours without red are not uniform")
	for i := range colors { // one of them elsewhere, or nowhere
		order := slices.Clone(before)
		order[1+i] = pica.SemViewY
		_, same := batch(order...).SameAtAll(pica.SemColorR)
		require.False(t, same, "colours without %v are not uniform", colors[i])
		_, same = batch(append(order, colors[i])...).SameAtAll(pica.SemColorR)
		require.False(t, same, "colours with %v out of order are not uniform", colors[i])
	}
	for vertex := 1; vertex < 6; vertex++ {
		for i := range colors {
			b := batch(before...)
			b.attributes[2+vertex*5+1+i] = 0.75
			_, same := b.SameAtAll(pica.SemColorR)
			require.False(t, same, "vertex %d, component %d", vertex, i)
		}
	}
	for i := range colors {
		for _, odd := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			b := batch(before...)
			for v := range 6 {
				b.attributes[2+v*5+1+i] = float32(odd)
			}
			_, same := b.SameAtAll(pica.SemColorR)
			require.False(t, same, "component %d being %v everywhere is not uniform", i, odd)
		}
	}
}

// liveQuads has a bit for each quad with at least one live pixel.
func TestLiveQuads(t *testing.T) {
	for quad := range 4 {
		for pixels := range uint16(16) {
			want := uint16(0)
			if pixels != 0 {
				want = 1 << (4 * quad)
			}
			require.Equal(t, want, liveQuads(pixels<<(4*quad)), "quad %d, pixels %04b", quad, pixels)
		}
	}
	require.Equal(t, uint16(0x1011), liveQuads(0x8024))
}

// Binning stops after a bounded number of triangles when the watched channel is closed; otherwise it bins all of them.
func TestBinningStopsOnCancel(t *testing.T) {
	const triangles, height = 100_000, 1024
	binned := func(done chan struct{}) (n int) {
		d, _ := testDraw(64, height)
		var q Queue
		for _, v := range []pica.ScreenVertex{vertex(0, 0), vertex(64*subpixel, 0), vertex(0, height*subpixel)} { // in every bin
			q.Add(&v)
		}
		for range triangles {
			q.Triangles = append(q.Triangles, Triangle{0, 1, 2})
		}
		q.Watch(done)
		q.Commit(d)
		for i := range q.bins {
			n += len(q.bins[i].list)
		}
		q.Drop()
		require.True(t, q.Empty())
		return n
	}
	bins := height / binRows
	require.Equal(t, triangles*bins, binned(nil))
	require.Equal(t, triangles*bins, binned(make(chan struct{})))
	done := make(chan struct{})
	close(done)
	require.LessOrEqual(t, binned(done), trianglesUnseen*bins)
}

// Check refuses a target without width or height, with an unknown format, or with too little memory for its tiles.
func TestTargetCheckRefusesBadTargets(t *testing.T) {
	good := func() *Target {
		return &Target{Width: 10, Height: 9, ColorFormat: pica.ColorFormatRGB565, Color: make([]byte, 16*16*2), DepthFormat: pica.DepthFormatD24, Depth: make([]byte, 16*16*3)}
	}
	require.NoError(t, good().Check())
	need := good().Bytes(2)
	for want, spoil := range map[string]func(t *Target){
		"of 0x9 pixels":   func(t *Target) { t.Width = 0 },
		"of 10x0 pixels":  func(t *Target) { t.Height = 0 },
		"of -1x9 pixels":  func(t *Target) { t.Width = -1 },
		"of 10x-1 pixels": func(t *Target) { t.Height = -1 },
		"colour format 7": func(t *Target) { t.ColorFormat = 7 },
		"depth format 1":  func(t *Target) { t.DepthFormat = 1 },
		fmt.Sprintf("colour buffer has %d bytes, 10x9 pixels of %v need %d", need-1, pica.ColorFormatRGB565, need): func(t *Target) { t.Color = t.Color[:need-1] },
		"depth buffer has 9 bytes": func(t *Target) { t.Depth = t.Depth[:9] },
	} {
		target := good()
		spoil(target)
		require.ErrorContains(t, target.Check(), want)
	}
	least := good()
	least.Color, least.Depth = least.Color[:need], nil
	require.NoError(t, least.Check())
	least.DepthFormat, least.Color, least.ColorFormat = 1, nil, 7
	require.NoError(t, least.Check(), "formats of absent buffers are not checked")
	one := &Target{Width: 1, Height: 1}
	require.NoError(t, one.Check())
}

// A block is drawn alone if any of its pixels is in the range Alone.
func TestBlocksInRangeAloneDrawAlone(t *testing.T) {
	d := &Draw{Alone: Rect{X0: 7, Y0: 12, X1: 8, Y1: 12}, HasAlone: true}
	for y := int32(0); y < 24; y += 4 {
		for x := int32(0); x < 24; x += 4 {
			require.Equal(t, (x == 4 || x == 8) && y == 12, d.alone(x, y), "%d,%d", x, y)
		}
	}
	d.HasAlone = false
	require.False(t, d.alone(4, 12))
}
