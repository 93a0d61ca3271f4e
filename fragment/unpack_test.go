package fragment

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// Two small triangles draw the same in one batch as in two: in one block, overlapping, and in blocks that share an entry of
// the table of positions.
func TestSmallTrianglesInOneBatch(t *testing.T) {
	draw := func(batches int, at ...[3]int32) []byte {
		s := newBenchScene()
		s.target.Width, s.target.Height = 400, 400
		s.target.Color, s.target.Depth = make([]byte, 400*400*4), make([]byte, 400*400*4)
		s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor)
		p := testkit.Must(NewEngine(1).Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}))(t)
		require.True(t, p.Packs())
		d := &raster.Draw{Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: 399, Y1: 399}, DepthScale: -1, Pack: true}
		var q raster.Queue
		for i, p := range at {
			n := uint32(len(q.Vertices))
			for k := range int32(3) {
				v := pica.ScreenVertex{X: 16*(p[0]+2*(k&1)) + 1, Y: 16*(p[1]+2*(k>>1)) + 1, Z: -float32(p[2]) / 8, InvW: 1}
				for c := range v.Vertex {
					v.Vertex[c] = float32(i+1) / 8
				}
				q.Add(&v)
			}
			q.Triangles = append(q.Triangles, raster.Triangle{n, n + 1, n + 2})
			if batches > 1 || i == len(at)-1 {
				q.Commit(d)
				q.Flush(1, inTurn)
			}
		}
		return s.target.Color
	}
	const apart = 4 * numBuckets
	for _, c := range [][2][3]int32{
		{{20, 24, 4}, {22, 24, 4}},
		{{20, 24, 4}, {20, 24, 5}},
		{{20, 24, 4}, {20, 24, 3}}, // behind the first one
		{{20, 24, 4}, {20 + apart, 24, 4}},
		{{20, 24, 4}, {22 + apart, 24, 4}},
		{{20, 24, 4}, {20, 24 + apart, 4}},
		{{20, 24, 4}, {22, 24 + apart, 4}},
		{{20, 24, 4}, {22 + apart/2, 24 + apart/2, 4}},
	} {
		want := draw(2, c[:]...)
		require.NotZero(t, len(want)-bytes.Count(want, []byte{0}))
		require.True(t, bytes.Equal(want, draw(1, c[:]...)), "%v", c)
	}
}
