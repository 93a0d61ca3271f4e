package geometry

import (
	"encoding/binary"
	"math"
	"testing"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/shaderunit"
)

// perUnit reports the time per vertex, per triangle, ...
func perUnit(b *testing.B, n int, unit string) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/"+unit)
}

// benchVertices is the vertex count of the bunny in the conformance trace b_vertex.
const benchVertices = 34834

// BenchmarkFetch loads vertices (position, normal, texture coordinate, colour, bone numbers) into batches.
func BenchmarkFetch(b *testing.B) {
	for _, bc := range []struct {
		name  string
		attrs []attribute
	}{
		{"float3 float3", []attribute{{format: pica.AttribFloat, count: 3}, {format: pica.AttribFloat, count: 3, offset: 12}}},
		{"float3 short3 short2 ubyte4", []attribute{
			{format: pica.AttribFloat, count: 3}, {format: pica.AttribShort, count: 3, offset: 12},
			{format: pica.AttribShort, count: 2, offset: 18}, {format: pica.AttribUByte, count: 4, offset: 24}}},
	} {
		for _, k := range []simd.Kernels{simd.Plain, simd.Best} {
			b.Run(bc.name+" "+formOf(k), func(b *testing.B) {
				const stride = 28
				var l layout
				mem := make([]byte, benchVertices*stride)
				for i := range len(mem) / 4 {
					binary.LittleEndian.PutUint32(mem[4*i:], math.Float32bits(float32(i)))
				}
				l.loaders[0] = loader{data: mem, stride: stride}
				ids := make([]uint32, benchVertices)
				for i := range ids {
					ids[i] = uint32(i)
				}
				dst := newLanes(shaderunit.Lanes)
				var rows [4]shaderunit.Row
				for b.Loop() {
					for lo := 0; lo < len(ids); lo += shaderunit.Lanes {
						part := ids[lo:min(lo+shaderunit.Lanes, len(ids))]
						for i := range bc.attrs {
							a := &bc.attrs[i]
							a.array = true
							if !k.AVX2() || !l.fetchVector(a, &rows, part, 0) {
								l.fetch(a, dst, part, 0)
							}
						}
					}
				}
				perUnit(b, benchVertices, "vertex")
			})
		}
	}
}

// BenchmarkReuse finds the unique vertices of an indexed mesh.
func BenchmarkReuse(b *testing.B) {
	d := grid(b, 180)
	buf := indexBuffer{d.mem[pica.IndexbufferOffset.Get(d.Regs):], true}
	var r reuse
	var idx, ids []uint32
	for b.Loop() {
		r.begin()
		idx, ids = r.scan(buf, idx[:0], ids[:0])
	}
	perUnit(b, buf.len(), "index")
}

// BenchmarkStore maps shader outputs (position, colour, texture coordinate), computes outcodes and projects.
func BenchmarkStore(b *testing.B) {
	var m outputMap
	var r pica.Regs
	pica.ShOutmapTotal.Set(&r, 3)
	r[pica.RegShOutmapO0], r[pica.RegShOutmapO0+1], r[pica.RegShOutmapO0+2] = 0x03020100, 0x0B0A0908, 0x1F1F0D0C
	if err := m.read(&r, 7); err != nil {
		b.Fatal(err)
	}
	batch := new(shaderunit.Batch)
	for i := range shaderunit.Lanes {
		batch.Out(0, 0)[i], batch.Out(0, 1)[i], batch.Out(0, 2)[i], batch.Out(0, 3)[i] = float32(i)/64, 0.5, -0.5, 1
	}
	a := testAssembler(pica.PrimitiveGeometry)
	a.begin()
	a.out.Layout = pica.VertexLayout{}
	m.layout(&a.out.Layout)
	n := a.out.Layout.N
	v, rows, p := a.add(benchVertices)
	at := [4]*shaderunit.Row{batch.Out(0, 0), batch.Out(0, 1), batch.Out(0, 2), batch.Out(0, 3)}
	var scratch [4]shaderunit.Row
	for _, k := range []simd.Kernels{simd.Plain, simd.Best} {
		b.Run(formOf(k), func(b *testing.B) {
			for b.Loop() {
				for lo := 0; lo < benchVertices; lo += shaderunit.Lanes {
					hi := min(lo+shaderunit.Lanes, benchVertices)
					m.storeAll(k, batch, rows[lo*n:hi*n], n, &scratch)
					a.locateAll(k, &at, v[lo:hi], p[lo:hi])
				}
			}
			perUnit(b, benchVertices, "vertex")
		})
	}
}

// formOf is the name of a set of kernels.
func formOf(k simd.Kernels) string {
	if k.AVX2() {
		return "AVX2"
	}
	return "plain"
}

// BenchmarkAssemble assembles an indexed mesh of shaded vertices.
func BenchmarkAssemble(b *testing.B) {
	for _, bc := range []struct {
		name  string
		cull  pica.CullMode
		flip  bool
		scale float32
	}{
		{"visible", pica.CullNone, false, 1},
		{"back faces", pica.CullFront, false, 1},
		{"lighting", pica.CullNone, true, 1},
		{"outside", pica.CullNone, false, 50},
	} {
		b.Run(bc.name, func(b *testing.B) {
			const n = 180
			a := testAssembler(pica.PrimitiveGeometry)
			a.culler.kernels = simd.Best
			a.cull = bc.cull
			a.flip = bc.flip
			a.begin()
			for i := range (n + 1) * (n + 1) {
				v := unmapped
				x, y := float32(i%(n+1))/n*2-1, float32(i/(n+1))/n*2-1
				copy(v[:], []float32{x * bc.scale, y * bc.scale, -0.5, 1})
				at, index := a.addWhole(&v)
				a.locate(positionOf(&v), at, index)
			}
			var idx []uint32
			for y := range uint32(n) {
				for x := range uint32(n) {
					k := y*(n+1) + x
					idx = append(idx, k, k+1, k+n+2, k, k+n+2, k+n+1)
				}
			}
			for b.Loop() {
				a.out.Triangles = a.out.Triangles[:0]
				a.out.cut(uint32((n + 1) * (n + 1)))
				a.pos = a.pos[:(n+1)*(n+1)]
				a.flipped = a.flipped[:0]
				a.assemble(idx)
			}
			perUnit(b, len(idx)/3, "triangle")
		})
	}
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
