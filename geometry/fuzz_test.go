package geometry

import (
	"encoding/binary"
	"math"
	"testing"

	"pica200/pica"
)

// fuzzRegisters are the registers that a draw reads.
var fuzzRegisters = func() (r []pica.Reg) {
	add := func(from, to pica.Reg) {
		for ; from <= to; from++ {
			r = append(r, from)
		}
	}
	add(pica.RegFacecullingConfig, pica.RegShOutmapO0+6)
	add(pica.RegViewportXy, pica.RegViewportXy)
	add(pica.RegAttribbuffersLoc, pica.RegAttribbuffer0Config2+6)
	add(pica.RegIndexbufferConfig, pica.RegVertexOffset)
	add(pica.RegVshNumAttr, pica.RegVshNumAttr)
	add(pica.RegVshOutmapTotal1, pica.RegPrimitiveConfig)
	add(pica.RegGshInputbufferConfig, pica.RegGshOutmapMask)
	add(pica.RegVshInputbufferConfig, pica.RegVshOutmapMask)
	return r
}()

// clone returns a deep copy.
func (d *testDraw) clone() *testDraw {
	c := *d
	c.Regs = &c.regs
	c.mem = append(testMemory(nil), d.mem...)
	c.Memory = c.mem
	vertex := *d.Vertex
	c.Vertex = &vertex
	if d.Geometry != nil {
		geometry := *d.Geometry
		c.Geometry = &geometry
	}
	return &c
}

// FuzzDraw changes registers and memory of every kind of draw. The input is the kind, changes of five bytes (register, value), a
// register number beyond the list, and memory.
func FuzzDraw(f *testing.F) {
	triangles := newTestDraw(f, pica.PrimitiveTriangles)
	triangles.vertices(fiveOnACircle()...)
	point := geometryDraw(f, pica.GeometryModePoint, passTriangle).point(3)
	point.vertices(append(fiveOnACircle(), fiveOnACircle()...)...)
	immediate := point.clone()
	immediate.Kind = Immediate
	for _, p := range fiveOnACircle() {
		immediate.Immediate = append(immediate.Immediate, p, [4]float32{1, 0, 0, 1})
	}
	draws := []*testDraw{
		triangles, grid(f, 3), point, variableDraw(f, 5, 0, 1, 2, 3, 4, 3, 1, 2, 3), fixedDraw(f),
		&subdivisionOf(f, "loop", 0).testDraw, &particlePaths(f, 5).testDraw, immediate,
	}
	change := func(kind byte, pairs ...uint32) []byte {
		data := []byte{kind}
		for i := 0; i < len(pairs); i += 2 {
			for k, r := range fuzzRegisters {
				if uint32(r) == pairs[i] {
					data = binary.LittleEndian.AppendUint32(append(data, byte(k)), pairs[i+1])
				}
			}
		}
		return append(data, 255)
	}
	for kind := range draws {
		f.Add(change(byte(kind)))
		f.Add(change(byte(kind), uint32(pica.RegNumvertices), 0xFFFFFFFF))
		f.Add(change(byte(kind), uint32(pica.RegViewportWidth), 0x7F0000, uint32(pica.RegFragopClip), 1))
		f.Add(change(byte(kind), uint32(pica.RegGshMisc0), 0xFFFFFFFF))
		f.Add(append(change(byte(kind)), 0xFF, 0xFF, 0x80, 0x7F, 0, 0, 0xC0, 0x7F))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		d := draws[int(data[0])%len(draws)].clone()
		d.Vertex.Bool = uint16(data[0]) << 8
		data = data[1:]
		for len(data) >= 5 && int(data[0]) < len(fuzzRegisters) {
			d.Regs[fuzzRegisters[data[0]]] = binary.LittleEndian.Uint32(data[1:])
			data = data[5:]
		}
		if len(data) > 0 {
			copy(d.mem, data[1:])
		}
		if n := pica.Numvertices.Get(d.Regs); n > 4096 && n <= maxVertices {
			pica.Numvertices.Set(d.Regs, 4096) // larger draws are only slower
		}
		s := NewStage(2, parallel(2))
		for range 2 {
			var out Output
			_ = s.Draw(t.Context(), &d.Input, &out)
			// The second pass changes the number of input vertices of the geometry shader.
			pica.ShInputCount.Set(d.Regs, pica.ShInputCount.Get(d.Regs)^3)
			for _, tri := range out.Triangles {
				var pos [3]position
				for k, i := range tri {
					if int(i) >= len(out.Vertices) {
						t.Fatalf("triangle %v of %d vertices", tri, len(out.Vertices))
					}
					v := out.vertex(i)
					pos[k] = position{x: v.X, y: v.Y}
					const limit = guardPixels * subpixels
					if v.X < -limit || v.X > limit || v.Y < -limit || v.Y > limit || !(v.Z >= -1 && v.Z <= 0) || !(v.InvW > 0) || math.IsInf(float64(v.InvW), 0) {
						t.Fatalf("vertex %+v", v)
					}
				}
				if signedArea(&pos[0], &pos[1], &pos[2]) <= 0 {
					t.Fatalf("triangle %v has no area", pos)
				}
			}
		}
	})
}
