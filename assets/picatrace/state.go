package picatrace

import (
	"encoding/binary"
	"fmt"

	"pica200/assets/cmdlist"
	"pica200/assets/tree"
)

// Block identifies a part of the GPU's state. The numbers are those in the
// file.
type Block uint32

// The parts of the state. Each is an array of 32-bit words.
const (
	ExternalRegisters   Block = 1  // word i at 0x10400000+4i
	ScreenRegisters     Block = 2  // word i at 0x10202000+4i
	InternalRegisters   Block = 3  // word i is register i, 0x000-0x2FF
	FixedAttributes     Block = 4  // 16 vectors x, y, z, w of float24
	VertexCode          Block = 5  // an instruction a word
	VertexDescriptors   Block = 6  // operand descriptors
	VertexUniforms      Block = 7  // 96 vectors x, y, z, w of float24
	GeometryCode        Block = 8  // the same three of the geometry shader's unit
	GeometryDescriptors Block = 9  //
	GeometryUniforms    Block = 10 //
	LightingTables      Block = 11 // 24 tables of 256 words as GPUREG_LIGHTING_LUT_DATA takes them
	FogTable            Block = 12 // 128 words of GPUREG_FOG_LUT_DATA
	GasTable            Block = 13 // 16 words of GPUREG_GAS_LUT_DATA
	ProctexNoise        Block = 14 // 128 words of GPUREG_PROCTEX_LUT_DATA, table 0
	ProctexRGBMap       Block = 15 // 128 words, table 2
	ProctexAlphaMap     Block = 16 // 128 words, table 3
	ProctexColors       Block = 17 // 256 words, table 4
	ProctexColorDiffs   Block = 18 // 256 words, table 5
	Primitives          Block = 19 // strips, fans and runs of the geometry shader that continue in the next draw, and its registers
	blockEnd            Block = 20
)

// blockInfo is a row for each block: its name, how many words the hardware has,
// and what they are.
var blockInfo = [blockEnd]struct {
	name  string
	words int
	kind  cmdlist.Kind
}{
	ExternalRegisters:   {"external registers", 0x1000 / 4, cmdlist.ExternalRegisters},
	ScreenRegisters:     {"screen registers", 0x1000 / 4, cmdlist.ScreenRegisters},
	InternalRegisters:   {"internal registers", 0x300, cmdlist.InternalRegisters},
	FixedAttributes:     {"fixed attributes", 64, cmdlist.Attributes},
	VertexCode:          {"vertex shader code", 4096, cmdlist.Plain},
	VertexDescriptors:   {"vertex shader descriptors", 128, cmdlist.Plain},
	VertexUniforms:      {"vertex shader uniforms", 384, cmdlist.Uniforms},
	GeometryCode:        {"geometry shader code", 4096, cmdlist.Plain},
	GeometryDescriptors: {"geometry shader descriptors", 128, cmdlist.Plain},
	GeometryUniforms:    {"geometry shader uniforms", 384, cmdlist.Uniforms},
	LightingTables:      {"lighting tables", 24 * 256, cmdlist.Plain},
	FogTable:            {"fog table", 128, cmdlist.Plain},
	GasTable:            {"gas table", 16, cmdlist.Plain},
	ProctexNoise:        {"procedural texture, noise", 128, cmdlist.Plain},
	ProctexRGBMap:       {"procedural texture, RGB map", 128, cmdlist.Plain},
	ProctexAlphaMap:     {"procedural texture, alpha map", 128, cmdlist.Plain},
	ProctexColors:       {"procedural texture, colours", 256, cmdlist.Plain},
	ProctexColorDiffs:   {"procedural texture, colour differences", 256, cmdlist.Plain},
	Primitives:          {"unfinished primitives", 790, cmdlist.Plain},
}

// String returns the block's name.
func (b Block) String() string {
	if b == 0 || b >= blockEnd {
		return fmt.Sprintf("block %d", uint32(b))
	}
	return blockInfo[b].name
}

// Words returns the console's number of words of the block, 0 for an unknown
// one.
func (b Block) Words() int {
	if b >= blockEnd {
		return 0
	}
	return blockInfo[b].words
}

// Blocks lists all blocks in the order of their numbers.
func Blocks() []Block {
	var all []Block
	for b := ExternalRegisters; b < blockEnd; b++ {
		all = append(all, b)
	}
	return all
}

// State is the state of the GPU at the start of the recording. Missing words
// are 0; if the internal registers are missing, they have the values that the
// system sets.
type State map[Block][]uint32

// encode writes the blocks in the order of their numbers: number, words, the
// words.
func (s State) encode() []byte {
	le := binary.LittleEndian
	var out []byte
	for _, b := range Blocks() {
		words := s[b]
		if len(words) == 0 {
			continue
		}
		out = le.AppendUint32(out, uint32(b))
		out = le.AppendUint32(out, uint32(len(words)))
		for _, w := range words {
			out = le.AppendUint32(out, w)
		}
	}
	return out
}

// check returns an error if the state does not fit the console.
func (s State) check() error {
	for b, words := range s {
		if b == 0 || b >= blockEnd {
			return fmt.Errorf("picatrace: the state has a %v; blocks are 1 to %d", b, blockEnd-1)
		}
		if len(words) > b.Words() {
			return fmt.Errorf("picatrace: %v: %d words, the hardware has %d", b, len(words), b.Words())
		}
	}
	return nil
}

// decodeState decodes a state chunk whose contents are at offset off. It skips
// unknown and too long blocks with a finding; a block that exceeds the chunk is
// an error.
func decodeState(data []byte, off int64, f *tree.Findings) (State, error) {
	le := binary.LittleEndian
	s := State{}
	for at := 0; at < len(data); {
		if len(data)-at < 8 {
			return nil, fmt.Errorf("%w: offset 0x%x: %d bytes after the last block of the state", ErrFormat, off+int64(at), len(data)-at)
		}
		b, n := Block(le.Uint32(data[at:])), int(le.Uint32(data[at+4:]))
		if n > (len(data)-at-8)/4 {
			return nil, fmt.Errorf("%w: offset 0x%x: %v has %d words, more than the chunk", ErrFormat, off+int64(at), b, n)
		}
		words := make([]uint32, min(n, b.Words()))
		for i := range words {
			words[i] = le.Uint32(data[at+8+4*i:])
		}
		switch {
		case b == 0 || b >= blockEnd:
			f.Notef(off+int64(at), "%v of the state is not known here; left out", b)
		case s[b] != nil:
			f.Problemf(off+int64(at), "%v appears twice; the first counts", b)
		default:
			if n > len(words) {
				f.Problemf(off+int64(at), "%v: %d words, but the hardware has %d; the rest is left out", b, n, b.Words())
			}
			s[b] = words
		}
		at += 8 + 4*n
	}
	return s, nil
}
