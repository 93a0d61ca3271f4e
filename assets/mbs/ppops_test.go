package mbs

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The operations of the adders as the Lima project's public description of the
// instruction set has them (the enumerations of Mesa's lima driver, ir/pp/codegen.h, and
// the operand counts of its disassembler): the vector adder sums components, the scalar
// one has nothing to sum.
var (
	documentedScalarAdder = map[uint32]string{0: "add 2", 4: "fract 1", 8: "ne 2", 9: "gt 2", 10: "ge 2", 11: "eq 2", 12: "floor 1", 13: "ceil 1",
		14: "min 2", 15: "max 2", 20: "dFdx 2", 21: "dFdy 2", 23: "sel 2", 31: "mov 1"}
	documentedVectorAdder = map[uint32]string{0: "add 2", 4: "fract 1", 8: "ne 2", 9: "gt 2", 10: "ge 2", 11: "eq 2", 12: "floor 1", 13: "ceil 1",
		14: "min 2", 15: "max 2", 16: "sum3 1", 17: "sum4 1", 20: "dFdx 2", 21: "dFdy 2", 23: "sel 2", 31: "mov 1"}
)

// Random fields of both adders are named as documented, and an operation without a name
// by its number.
func TestAddersAreNamedAsDocumented(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	seen := map[string]bool{}
	for range 20000 {
		unit, lo, documented, prefix := ppScalarAcc, uint(25), documentedScalarAdder, "sacc"
		if rng.Intn(2) == 0 {
			unit, lo, documented, prefix = ppVecAcc, 38, documentedVectorAdder, "vacc"
		}
		field := ppField{unit, []uint32{rng.Uint32(), rng.Uint32() & (1<<(ppWidth[unit]%32) - 1)}}
		if unit == ppScalarAcc {
			field.words = []uint32{rng.Uint32() >> 1}
		}
		var p *ppInstruction
		_, err := ppInstructions(assemblePP(1<<5, field), func(_ int, in *ppInstruction) bool { p = in; return false })
		require.NoError(t, err)
		op := p.get(unit, lo, 5)
		line := p.lines()[0]
		require.True(t, strings.HasPrefix(line, prefix), line)
		text := line[strings.LastIndex(line, "= ")+2:]
		name, operands, _ := strings.Cut(text, " ")
		name, _, _ = strings.Cut(name, ".")
		n := 1 + strings.Count(operands, ",")
		want, known := documented[op]
		if !known {
			want = fmt.Sprintf("%s 2", unknownOp(op))
		}
		require.Equal(t, want, fmt.Sprintf("%s %d", name, n), "%s, operation %d", line, op)
		seen[fmt.Sprint(prefix, op)] = true
	}
	require.Len(t, seen, 64)
}
