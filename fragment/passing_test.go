package fragment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// Triangles of one draw are the same drawn together as each in an engine of its own, whatever their vertex colours are: stages
// that pass planes on for one batch must not do so for a batch of another colour. Triangles 2i and 2i+1 share bins.
func TestStagesPassPlanesOnPerBatch(t *testing.T) {
	white, half := [4]float32{1, 1, 1, 1}, [4]float32{1, 0.5, 1, 0.75}
	colors := [][4]float32{white, white, white, half, half, white, half, half, white, white, half, white}
	draw := func(with simd.Kernels, numbers ...int) []byte {
		s := newBenchScene()
		s.target.Kernels = with
		s.texture(0)
		s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
		s.stage(1, pica.CombineModulate, pica.SourcePrevious, pica.SourceConstant)
		s.stage(2, pica.CombineInterpolate, pica.SourcePrevious, pica.SourcePrimaryColor, pica.SourceConstant)
		s.regs[pica.RegTexenv0Color+pica.TexenvOffset(1)] = 0xFFFFFFFF
		s.regs[pica.RegTexenv0Color+pica.TexenvOffset(2)] = 0xFFFFFFFF
		e := NewEngine(1)
		e.Kernels = with
		p := testkit.Must(e.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}))(t)
		d := &raster.Draw{Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: 239, Y1: 399}, DepthScale: -1}
		q := raster.Queue{Kernels: with}
		for _, n := range numbers {
			first := uint32(len(q.Vertices))
			for k := range int32(3) {
				v := pica.ScreenVertex{X: 16 * (int32(n%2*100) + 80*(k&1)), Y: 16 * (int32(n/2*64) + 60*(k>>1)), Z: -0.5, InvW: 1}
				v.Vertex[pica.SemTexCoord0U], v.Vertex[pica.SemTexCoord0V] = float32(k&1)/4+0.01, float32(k>>1)/4+0.01
				copy(v.Vertex[pica.SemColorR:], colors[n][:])
				q.Add(&v)
			}
			q.Triangles = append(q.Triangles, raster.Triangle{first, first + 1, first + 2})
		}
		q.Commit(d)
		q.Flush(1, inTurn)
		return s.target.Color
	}
	for _, with := range []simd.Kernels{simd.Best, simd.Plain} {
		var all []int
		want := make([]byte, 240*400*4)
		for n := range colors {
			all = append(all, n)
			for i, v := range draw(with, n) {
				want[i] |= v // triangles do not overlap
			}
		}
		require.Equal(t, want, draw(with, all...))
	}
}
