package geometry

import (
	"testing"

	"pica200/pica"
)

// perUnit reports the time per vertex, per triangle, ...
func perUnit(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
}

// BenchmarkDraw measures an indexed draw with the pass-through shader.
func BenchmarkDraw(b *testing.B) {
	d := grid(b, 180)
	s := NewStage(1, nil)
	var out Output
	for b.Loop() {
		out.empty()
		if err := s.Draw(b.Context(), &d.Input, &out); err != nil {
			b.Fatal(err)
		}
	}
	perUnit(b, 180*180*2, "triangle")
}

// BenchmarkSmallDraw draws two triangles: the fixed cost of a draw.
func BenchmarkSmallDraw(b *testing.B) {
	d := newTestDraw(b, pica.PrimitiveTriangles)
	d.vertices(append(fiveOnACircle()[:3], fiveOnACircle()[:3]...)...)
	s := NewStage(1, nil)
	var out Output
	for b.Loop() {
		out.empty()
		if err := s.Draw(b.Context(), &d.Input, &out); err != nil {
			b.Fatal(err)
		}
	}
}
