package shaderunit

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"
)

// stacks is flow control as the documents describe it (GBATEK, "Control Flow" of 3dbrew): after an instruction the counter grows,
// and each stack compares a copy of it with its top. The fourth return at once is lost (Azahar).
type stacks struct {
	pc         int
	calls, ifs [][2]int // end, and where it goes on from there
	loops      [][3]int // first instruction, end, iterations left
}

// pushed puts an entry on a stack of limited depth; a full stack loses its oldest entry.
func pushed[E any](stack []E, depth int, e E) []E {
	if len(stack) == depth {
		stack = stack[1:]
	}
	return append(append([]E{}, stack...), e)
}

func (s *stacks) step(in Instr, taken bool, iterations int) {
	next, to := s.pc+1, int(in.Dest)
	end, pc, breaks := to+int(in.Num), next, false
	switch in.Op.Flow() {
	case FlowJump:
		if taken {
			pc = to
		}
	case FlowCall:
		if taken {
			s.calls, pc = pushed(s.calls, 4, [2]int{end, next}), to
		}
	case FlowIf:
		if taken {
			s.ifs = pushed(s.ifs, 8, [2]int{to, end})
		} else {
			pc = to
		}
	case FlowLoop:
		s.loops = pushed(s.loops, 4, [3]int{next, to + 1, iterations})
	case FlowBreak:
		breaks = taken
	}
	for at, pops := next, 0; len(s.calls) > 0 && s.calls[len(s.calls)-1][0] == at; pops++ {
		at = s.calls[len(s.calls)-1][1]
		s.calls = s.calls[:len(s.calls)-1]
		if pops < 3 {
			pc = at
		}
	}
	if n := len(s.ifs) - 1; n >= 0 && s.ifs[n][0] == next {
		pc, s.ifs = s.ifs[n][1], s.ifs[:n]
	}
	if n := len(s.loops) - 1; n >= 0 && (breaks || s.loops[n][1] == next) {
		if l := &s.loops[n]; l[2] > 0 && !breaks {
			pc = l[0]
			l[2]--
		} else {
			pc, s.loops = l[1], s.loops[:n]
		}
	}
	s.pc = pc
}

// Programs without proper blocks go the way of the model: any nesting, several ends at one address, full stacks.
func TestFlowFollowsTheStacks(t *testing.T) {
	ops := []Opcode{OpCALL, OpCALLC, OpCALLU, OpIFU, OpIFC, OpLOOP, OpJMPC, OpJMPU, OpBREAKC, OpNOP}
	rng := rand.New(rand.NewSource(4))
	deep := [3]int{}
	for range 3000 {
		const size = 40
		var code [size]Instr
		often := ops[rng.Intn(len(ops))]
		for at := range code {
			to := min(at+1+rng.Intn(7), size-1)
			code[at] = Instr{Op: ops[rng.Intn(len(ops))], Dest: uint16(to), Num: uint8(min(rng.Intn(4), size-to)), Uniform: uint8(rng.Intn(4))}
			if rng.Intn(2) == 0 && at < 14 {
				code[at].Op = often
			}
			if end := 20 + 10*rng.Intn(2); rng.Intn(3) == 0 && to <= end { // many ends at few addresses
				code[at].Num = uint8(end - to)
			}
		}
		s := &Setup{Int: [4][4]uint8{{0}, {1}, {2}, {3}}}
		model, f := stacks{}, Flow{}
		for steps := 0; model.pc < size && steps < 300; steps++ {
			in := code[model.pc]
			taken := in.Info().Test == TestNone || rng.Intn(2) == 0
			if in.Op.Flow() == FlowBreak && len(model.loops) == 0 {
				taken = false // it hangs
			}
			from := model
			model.step(in, taken, int(in.Uniform))
			require.NoError(t, f.Advance(&in, s, taken))
			if int(f.PC) != model.pc {
				require.Equal(t, model.pc, int(f.PC), "after %+v from %+v", in, from)
			}
			deep = [3]int{max(deep[0], len(model.calls)), max(deep[1], len(model.ifs)), max(deep[2], len(model.loops))}
		}
	}
	require.Equal(t, [3]int{CallDepth, IfDepth, LoopDepth}, deep, "every stack was full")
}
