package shaderunit

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"
)

// FuzzProgram runs any words as a program: both engines end without panic and agree. The input is entry point and bools, three
// words of ints and floats, then the code; descriptors are made from the code.
func FuzzProgram(f *testing.F) {
	f.Add([]byte{0, 0, 1, 0, 2, 1, 1, 0, 0, 0, 0x80, 0x3F, 0, 0, 0, 0xC0, 0, 0, 0, 0x88})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 20 || len(data) > 16+4*600 {
			return
		}
		s := &Setup{OutMask: 0xFFFF, Entry: binary.LittleEndian.Uint16(data) % CodeWords, Bool: binary.LittleEndian.Uint16(data[2:])}
		for i := range s.Int {
			s.Int[i] = [4]uint8(data[4:8])
			s.Int[i][0] &= 7
		}
		x, y := round24(math.Float32frombits(binary.LittleEndian.Uint32(data[8:]))), round24(math.Float32frombits(binary.LittleEndian.Uint32(data[12:])))
		for i := range s.Float {
			s.Float[i] = vec4{x, y, float32(i), -x}
		}
		code := data[16:]
		for i := 0; i+4 <= len(code); i += 4 {
			w := binary.LittleEndian.Uint32(code[i:])
			s.SetCode((int(s.Entry)+i/4)%CodeWords, w)
			s.SetDesc(i/4%128, w*2654435761)
		}
		e := NewEngine()
		e.MaxSteps = 2000
		got, want := new(Batch), new(Batch)
		for l := range Lanes {
			for r := range 16 {
				for c := range 4 {
					got.In(r, c)[l] = round24(x*float32(l) + float32(r-c))
				}
			}
		}
		want.rows = got.rows
		const n = 5
		errGot, errWant := e.RunVertices(s, got, n), e.runScalar(s, want, n)
		if fmt.Sprint(errGot) != fmt.Sprint(errWant) {
			t.Fatalf("error %v, want %v", errGot, errWant)
		}
		for r := range 16 {
			for c := range 4 {
				for l := range n {
					g, w := got.Out(r, c)[l], want.Out(r, c)[l]
					if errWant == nil && math.Float32bits(g) != math.Float32bits(w) && !(g != g && w != w) {
						t.Fatalf("lane %d, o%d.%c = %v, want %v\n%s", l, r, "xyzw"[c], class(g), class(w), listing(s))
					}
				}
			}
		}
	})
}
