package shaderunit

import "math"

// InterpreterWords is the number of words of an InterpreterState.
const InterpreterWords = 4*(4*16) + 4

// registers calls f for the vectors of a state, with their values in a new
// interpreter: inputs, temporaries, and the outputs of both banks.
func (s *InterpreterState) registers(f func(v, start *[4]float32)) {
	for i := range s.in {
		f(&s.in[i], &[4]float32{})
	}
	for _, list := range []*[16][4]float32{&s.temp, &s.out[0], &s.out[1]} {
		for i := range list {
			f(&list[i], &startValue)
		}
	}
}

// Words encodes the state; all words of a new interpreter are 0. The order is:
// the inputs, the temporaries and both banks of outputs, 16 vectors each, as
// float32 bits (the last component of temporaries and outputs is xored with the
// bits of 1); the address registers and the loop counter; a word of flags:
// cmp.x, cmp.y, bank, SETEMIT ran, its prim and winding (bits 0 to 5), its
// vertex (bits 8 and 9).
func (s *InterpreterState) Words() []uint32 {
	words := make([]uint32, 0, InterpreterWords)
	s.registers(func(v, start *[4]float32) {
		for c, x := range v {
			words = append(words, math.Float32bits(x)^math.Float32bits(start[c]))
		}
	})
	flags := uint32(s.bank&1)<<2 | uint32(s.emit.VertexID&3)<<8
	for bit, on := range map[int]bool{0: s.cmp[0], 1: s.cmp[1], 3: s.emitSet, 4: s.emit.PrimEmit, 5: s.emit.Winding} {
		if on {
			flags |= 1 << bit
		}
	}
	return append(words, uint32(s.a0[0]), uint32(s.a0[1]), uint32(s.flow.AL), flags)
}

// SetWords decodes InterpreterWords words from Words. It accepts any content.
func (s *InterpreterState) SetWords(words []uint32) {
	*s = InterpreterState{}
	s.registers(func(v, start *[4]float32) {
		for c := range v {
			v[c] = math.Float32frombits(words[c] ^ math.Float32bits(start[c]))
		}
		words = words[4:]
	})
	s.a0, s.flow.AL = [2]int32{int32(words[0]), int32(words[1])}, int32(words[2])
	flags := words[3]
	on := func(bit int) bool { return flags>>bit&1 != 0 }
	s.cmp, s.bank, s.emitSet = [2]bool{on(0), on(1)}, int(flags>>2&1), on(3)
	s.emit = Emission{VertexID: uint8(flags >> 8 & 3), PrimEmit: on(4), Winding: on(5)}
}
