package mbs

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"pica200/tests/testkit"
)

// Golden file: disassembly of random instructions, of each fragment unit and of the vertex processor, with few, half and most bits
// set.
func TestDisassembleRandomInstructions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	word := func() uint32 {
		a, b, c := rng.Uint32(), rng.Uint32(), rng.Uint32()
		return [4]uint32{a, a & b & c, a | b | c, a & b}[rng.IntN(4)]
	}
	var out strings.Builder
	say := func(name string, s *Shader) {
		sum := crc32.NewIEEE()
		n := 0
		for in := range s.Disassembly() {
			fmt.Fprintln(sum, in.Index, in.Offset, in.Size, in.Raw, in.Lines)
			if n++; n <= 12 {
				fmt.Fprintf(&out, "%s: %s\n", name, strings.Join(in.Lines, "; "))
			}
		}
		fmt.Fprintf(&out, "%s: %d instructions, CRC-32 %08x\n", name, n, sum.Sum32())
	}
	names := [ppUnits]string{"varying", "sampler", "uniform", "vector multiplier", "scalar multiplier", "vector adder", "scalar adder", "combiner", "write to memory", "branch", "constant 0", "constant 1"}
	for u := range ppUnits {
		var code []byte
		for range 400 {
			fields := int(ppWidth[u]+31) / 32
			control := uint32(1+fields) | 1<<(7+u) | uint32(1+fields)<<19
			if rng.IntN(8) == 0 {
				control |= word() & (3<<5 | 0x7F<<25)
			}
			code = binary.LittleEndian.AppendUint32(code, control)
			for range fields {
				code = binary.LittleEndian.AppendUint32(code, word())
			}
		}
		say(names[u], &Shader{Code: code})
	}
	var code []byte
	for range 500 { // several units at once
		units := word() & (1<<ppUnits - 1)
		width := uint(0)
		for u := range ppUnits {
			if units>>u&1 != 0 {
				width += ppWidth[u]
			}
		}
		n := int(width+31)/32 + 1
		code = binary.LittleEndian.AppendUint32(code, uint32(n)|units<<7|uint32(rng.IntN(64))<<19)
		for range n - 1 {
			code = binary.LittleEndian.AppendUint32(code, word())
		}
	}
	say("several units", &Shader{Code: append(code, 1, 2, 3)})
	code = nil
	for range 1500 * gpInstructionSize / 4 {
		code = binary.LittleEndian.AppendUint32(code, word())
	}
	say("vertex", &Shader{Code: append(code, 1, 2, 3, 4, 5), Vertex: true})
	testkit.Golden(t, "testdata/words.txt", []byte(out.String()))
}
