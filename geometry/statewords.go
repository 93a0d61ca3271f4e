package geometry

import (
	"math"

	"pica200/pica"
	"pica200/shaderunit"
)

// The encoding of a StageState as words, as in recordings. All words of a new
// stage's state are 0, so that unused parts take no room.
//
//	0        bits 0-1 primitive mode, 2-3 number of carried vertices, 4 the next triangle
//	         of a strip is turned, 5 the winding of the next triangle is exchanged, 6 a
//	         strip or fan has made a triangle
//	1        vertices that wait for a run of the geometry shader: bits 0-1 its mode, 8-15
//	         outputs of a vertex, 16-23 vertices of a run, 24-31 how many outputs wait
//	2-49     the carried vertices, 24 components each (pica.Semantic)
//	50-145   the geometry shader's vertex buffer, four vertices
//	146-529  the outputs that wait, 96 vectors
//	530-     the registers of the geometry shader (shaderunit.InterpreterState)
const (
	wordCarry     = 2
	wordSlots     = wordCarry + 2*semantics
	wordPending   = wordSlots + 4*semantics
	wordRegisters = wordPending + 4*floatUniforms

	// stateWords is the number of words of a StageState.
	stateWords = wordRegisters + shaderunit.InterpreterWords
)

// Words encodes the state, without trailing zeros.
func (s *StageState) Words() []uint32 {
	words := make([]uint32, stateWords)
	words[0] = uint32(s.topology)&3 | uint32(s.carried)<<2 | bit(s.odd)<<4 | bit(s.winding)<<5 | bit(s.assembled)<<6
	if len(s.pending) > 0 {
		words[1] = uint32(s.pendingFor[0]) | uint32(s.pendingFor[1])<<8 | uint32(s.pendingFor[2])<<16 | uint32(len(s.pending))<<24
	}
	at := words[wordCarry:]
	for i := range s.carry {
		if i < s.carried {
			putBits(at[i*semantics:], s.carry[i][:])
		}
	}
	for i := range s.slots {
		putBits(words[wordSlots+i*semantics:], s.slots[i][:])
	}
	for i := range s.pending {
		putBits(words[wordPending+4*i:], s.pending[i][:])
	}
	copy(words[wordRegisters:], s.registers.Words())
	for len(words) > 0 && words[len(words)-1] == 0 {
		words = words[:len(words)-1]
	}
	return words
}

// StateOfWords decodes words from Words. It accepts any words and drops
// vertices that cannot wait.
func StateOfWords(words []uint32) *StageState {
	all := make([]uint32, stateWords)
	copy(all, words)
	flags, run := all[0], all[1]
	s := &StageState{
		topology: pica.PrimitiveMode(flags & 3), carried: min(2, int(flags>>2&3)),
		odd: flags>>4&1 != 0, winding: flags>>5&1 != 0, assembled: flags>>6&1 != 0,
	}
	for i := range s.carry {
		takeBits(s.carry[i][:], all[wordCarry+i*semantics:])
	}
	for i := range s.slots {
		takeBits(s.slots[i][:], all[wordSlots+i*semantics:])
	}
	mode, outputs, vertices, waiting := int(run&3), int(run>>8&0xFF), int(run>>16&0xFF), int(run>>24)
	if outputs > 0 && waiting%outputs == 0 && waiting < outputs*vertices && waiting <= floatUniforms {
		s.pendingFor = [3]int{mode, outputs, vertices}
		s.pending = make([][4]float32, waiting)
		for i := range s.pending {
			takeBits(s.pending[i][:], all[wordPending+4*i:])
		}
	}
	s.mode, s.outputs, s.vertices = pica.GeometryMode(s.pendingFor[0]), s.pendingFor[1], s.pendingFor[2]
	s.registers.SetWords(all[wordRegisters:])
	return s
}

func bit(on bool) uint32 {
	if on {
		return 1
	}
	return 0
}

func putBits(dst []uint32, src []float32) {
	for i, x := range src {
		dst[i] = math.Float32bits(x)
	}
}

func takeBits(dst []float32, src []uint32) {
	for i := range dst {
		dst[i] = math.Float32frombits(src[i])
	}
}
