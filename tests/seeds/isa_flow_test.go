package seeds

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// Opcodes of flow control.
const (
	opBREAK, opNOP, opBREAKC, opCALL, opCALLC, opCALLU, opIFU, opIFC = 0x20, 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28
	opEMIT, opSETEMIT, opJMPU, opCMP, opADD                          = 0x2A, 0x2B, 0x2D, 0x2E, 0x00
)

// flowProgram builds small programs. All descriptors are the identity, except those that count uses for single components.
type flowProgram struct {
	t    testing.TB
	code []uint32
}

func (p *flowProgram) add(format string, opcode uint32, f fields) *flowProgram {
	have := fields{"opcode": opcode}
	for k, v := range f {
		have[k] = v
	}
	p.code = append(p.code, word(p.t, format, have))
	return p
}

// count appends an increment of counter n: component n%4 of r(n/4).
func (p *flowProgram) count(n int) *flowProgram {
	return p.add("1", opADD, fields{"DESC": uint32(1 + n%4), "SRC1": 32, "SRC2": 16 + uint32(n/4), "DST": 16 + uint32(n/4)})
}

// show ends the program with o(r) = r(r) for the first n temporaries.
func (p *flowProgram) show(n int) *flowProgram {
	for r := range uint32(n) {
		p.add("1u", opMOV, fields{"SRC1": 16 + r, "DST": r})
	}
	return p.add("0", opEND, nil)
}

// setup loads the program. c0 is 1; counters start at 0, w of the temporaries at 1.
func (p *flowProgram) setup() *shaderunit.Setup {
	s := setupOf(map[uint32]uint32{0: identity, 1: identity&^15 | 8, 2: identity&^15 | 4, 3: identity&^15 | 2, 4: identity&^15 | 1}, p.code...)
	s.Float[0] = [4]float32{1, 1, 1, 1}
	s.Float[1] = [4]float32{1, 2, 3, 4}
	return s
}

// counts returns the first n counters.
func counts(out registers, n int) (list []int) {
	for i := range n {
		x := int(out[i/4][i%4])
		if i%4 == 3 {
			x-- // w starts at 1
		}
		list = append(list, x)
	}
	return list
}

// flagLanes are inputs for all four combinations of cmp.x and cmp.y, each alone and all in one batch.
func flagLanes() (list [][]registers) {
	var mixed []registers
	for k := range 4 {
		in := registers{}
		in[0] = [4]float32{float32(k & 1), float32(k >> 1), 5, 5}
		mixed = append(mixed, in)
		list = append(list, []registers{in, in})
	}
	return append(list, mixed)
}

// conditional has a program for each conditional instruction, with its counts if the condition holds and if it does not.
var conditional = map[string]struct {
	write    func(p *flowProgram, format string, opcode uint32, f fields)
	yes, not []int
}{
	"JMP": {func(p *flowProgram, format string, opcode uint32, f fields) {
		f["DST"] = uint32(len(p.code)) + 2
		p.add(format, opcode, f).count(0).count(1)
	}, []int{0, 1, 0, 0}, []int{1, 1, 0, 0}},
	"IF": {func(p *flowProgram, format string, opcode uint32, f fields) {
		f["DST"], f["NUM"] = uint32(len(p.code))+3, 2
		p.add(format, opcode, f).count(0).count(0).count(1).count(1).count(2)
	}, []int{2, 0, 1, 0}, []int{0, 2, 1, 0}},
	"CALL": {func(p *flowProgram, format string, opcode uint32, f fields) {
		f["DST"], f["NUM"] = uint32(len(p.code))+4, 2
		p.add(format, opcode, f).count(0)
		p.add("3", opJMPU, fields{"uniform": 15, "NUM": 1, "DST": uint32(len(p.code)) + 5}) // jumps over the procedure: b15 is false
		p.count(3).count(1).count(1).count(2)
	}, []int{1, 2, 0, 0}, []int{1, 0, 0, 0}},
	"BREAK": {func(p *flowProgram, format string, opcode uint32, f fields) {
		p.add("3", opLOOP, fields{"uniform": 1, "DST": uint32(len(p.code)) + 3}).count(0)
		p.add(format, opcode, f).count(1).count(2)
	}, []int{1, 0, 1, 0}, []int{3, 3, 1, 0}},
}

// conditions checks the truth table of a conditional operator: both references and both flags, in every instruction with a
// condition.
func conditions(condop uint32, holds func(x, y, refX, refY bool) bool) func(t *testing.T) {
	return func(t *testing.T) {
		m := newMachines()
		for name, opcode := range map[string]uint32{"JMP": opJMPC, "IF": opIFC, "CALL": opCALLC, "BREAK": opBREAKC} {
			c := conditional[name]
			for ref := range uint32(4) {
				p := &flowProgram{t: t}
				p.add("1c", opCMP, fields{"SRC1": 32, "SRC2": 0}) // cmp.x = v0.x == 1, cmp.y = v0.y == 1
				c.write(p, "2", opcode, fields{"CONDOP": condop, "REFX": ref & 1, "REFY": ref >> 1})
				s := p.show(1).setup()
				s.Int[1] = [4]uint8{2, 0, 0, 0}
				for _, in := range flagLanes() {
					for lane, out := range m.run(t, s, in) {
						want := c.not
						if holds(in[lane][0][0] == 1, in[lane][0][1] == 1, ref&1 != 0, ref>>1 != 0) {
							want = c.yes
						}
						require.Equal(t, want, counts(out, 4), "%sC, references %02b, flags %v", name, ref, in[lane][0])
					}
				}
			}
		}
	}
}

// byBool checks an instruction with a bool uniform: each uniform as the only one set, and the only one clear.
func byBool(name string, opcode uint32, inverts bool) func(t *testing.T) {
	return func(t *testing.T) {
		m := newMachines()
		c := conditional[name]
		for b := range uint32(15) { // b15 is used by the program itself
			for num := range uint32(2) {
				f := fields{"uniform": b}
				if inverts {
					f["NUM"] = num
				}
				p := &flowProgram{t: t}
				c.write(p, "3", opcode, f)
				s := p.show(1).setup()
				for _, set := range []bool{true, false} {
					s.Bool = 1 << b
					if !set {
						s.Bool = 0x7FFF ^ 1<<b
					}
					want := c.not
					if set != (inverts && num == 1) {
						want = c.yes
					}
					require.Equal(t, want, counts(m.run(t, s, make([]registers, 3))[0], 4), "%sU b%d, NUM %d, %t", name, b, num, set)
				}
			}
		}
	}
}

// always checks an unconditional instruction.
func always(name, format string, opcode uint32) func(t *testing.T) {
	return func(t *testing.T) {
		for flags := range uint32(16) { // CALL has the fields of a condition but ignores them
			f := fields{}
			if format == "2" {
				f = fields{"CONDOP": flags & 3, "REFX": flags >> 2 & 1, "REFY": flags >> 3}
			}
			p := &flowProgram{t: t}
			conditional[name].write(p, format, opcode, f)
			s := p.show(1).setup()
			s.Int[1] = [4]uint8{2, 0, 0, 0}
			require.Equal(t, conditional[name].yes, counts(newMachines().run(t, s, make([]registers, 2))[0], 4))
		}
	}
}

// loops checks the iteration count for each int uniform, and the loop counter in and after the loop.
func loops(t *testing.T) {
	m := newMachines()
	for u := range uint32(4) {
		for _, x := range []uint8{0, 1, 5, 255} {
			p := &flowProgram{t: t}
			p.add("3", opLOOP, fields{"uniform": u, "DST": 2}).count(0).count(1).count(2)
			s := p.show(1).setup()
			for k := range s.Int {
				s.Int[k] = [4]uint8{100 + uint8(k), 50, 50, 50}
			}
			s.Int[u] = [4]uint8{x, 7, 3, 99}
			n := int(x) + 1
			require.Equal(t, []int{n, n, 1}, counts(m.run(t, s, make([]registers, 2))[0], 3), "i%d, %d", u, x)
		}
	}
	// r0.x sums c[10 + aL].x in the loop; r1.x reads it after the loop.
	p := &flowProgram{t: t}
	p.add("3", opLOOP, fields{"uniform": 3, "DST": 2})
	p.add("1", opADD, fields{"DESC": 1, "SRC1": 32 + 10, "IDX": 3, "SRC2": 16, "DST": 16})
	p.add("0", opNOP, nil)
	p.add("1u", opMOV, fields{"SRC1": 32 + 10, "IDX": 3, "DST": 17})
	s := p.show(2).setup()
	s.Int[3] = [4]uint8{3, 4, 5, 0}
	for i := range s.Float {
		s.Float[i][0] = float32(i * i)
	}
	out := m.run(t, s, make([]registers, 2))[0]
	require.Equal(t, float32(14*14+19*19+24*24+29*29), out[0][0], "the loop reads c14, c19, c24 and c29")
	require.Equal(t, float32(34*34), out[1][0], "after the loop aL is 4 + 4 * 5")
}

// stacks models flow control as the document describes it, except for four returns at once.
type stacks struct {
	pc    int
	calls [][2]int // end address, return address
	ifs   [][2]int // end of the first branch, end of the block
	loops [][3]int // first instruction, end, iterations left
}

// push pushes an entry on a stack of limited depth; a full stack loses its oldest entry.
func push[E any](stack []E, depth int, e E) []E {
	if len(stack) == depth {
		stack = stack[1:]
	}
	return append(append([]E{}, stack...), e)
}

func (s *stacks) step(w uint32, taken bool) (broken bool) {
	next, at := s.pc+1, int(w>>10&0xFFF)
	num := int(w & 0xFF)
	pc, breaks := next, false
	switch w >> 26 {
	case opJMPC, opJMPU:
		if taken {
			pc = at
		}
	case opCALL, opCALLC, opCALLU:
		if taken {
			s.calls, pc = push(s.calls, 4, [2]int{at + num, next}), at
		}
	case opIFU, opIFC:
		if taken {
			s.ifs = push(s.ifs, 8, [2]int{at, at + num})
		} else {
			pc = at
		}
	case opLOOP:
		s.loops = push(s.loops, 4, [3]int{next, at + 1, 1})
	case opBREAK, opBREAKC:
		if breaks = taken; breaks && len(s.loops) == 0 {
			return true
		}
	}
	for copied, pops := next, 0; len(s.calls) > 0 && s.calls[len(s.calls)-1][0] == copied; pops++ {
		copied = s.calls[len(s.calls)-1][1]
		s.calls = s.calls[:len(s.calls)-1]
		if pops == 3 {
			break // the fourth return at once does not change the program counter
		}
		pc = copied
	}
	if n := len(s.ifs) - 1; n >= 0 && s.ifs[n][0] == next {
		pc, s.ifs = s.ifs[n][1], s.ifs[:n]
	}
	if n := len(s.loops) - 1; n >= 0 && (breaks || s.loops[n][1] == next) {
		l := &s.loops[n]
		if l[2]--; l[2] >= 0 && !breaks {
			pc = l[0]
		} else {
			pc, s.loops = l[1], s.loops[:n]
		}
	}
	s.pc = pc
	return false
}

// wild checks the stacks with random programs without proper blocks: any nesting, several ends at one address, stack overflow. It
// counts how often each instruction runs. kind selects the instruction that is most frequent.
func wild(kind int) func(t *testing.T) {
	return func(t *testing.T) { wildPrograms(t, kind) }
}

func wildPrograms(t *testing.T, kind int) {
	const size = 40
	m := newMachines()
	rng := rand.New(rand.NewSource(int64(kind)))
	for ran := 0; ran < 60; {
		p := &flowProgram{t: t}
		for at := range size {
			to := min(at+1+rng.Intn(7), size)
			f := fields{"DST": uint32(to), "NUM": uint32(min(rng.Intn(4), size-to)), "uniform": uint32(rng.Intn(8))}
			cond := fields{"CONDOP": uint32(rng.Intn(4)), "REFX": uint32(rng.Intn(2)), "REFY": uint32(rng.Intn(2)), "DST": f["DST"], "NUM": f["NUM"]}
			pick := rng.Intn(16)
			if rng.Intn(3) == 0 && at < 12 {
				pick = []int{0, 3, 5, 14, 2}[kind]
			}
			switch pick {
			case 0, 1:
				p.add("2", opCALL, cond)
			case 2:
				p.add("2", opCALLC, cond)
			case 3:
				p.add("3", opCALLU, f)
			case 4:
				p.add("2", opIFC, cond)
			case 5:
				p.add("3", opIFU, f)
			case 6:
				p.add("2", opJMPC, cond)
			case 7:
				p.add("3", opJMPU, f)
			case 8:
				p.add("2", opBREAKC, cond)
			case 9, 14:
				p.add("3", opLOOP, fields{"DST": uint32(min(to, size-1)), "uniform": 1})
			default:
				p.count(at)
			}
		}
		s := p.show(size / 4).setup()
		s.Bool = uint16(rng.Uint32()) &^ 0x8000
		s.Int[1] = [4]uint8{1, 0, 0, 0}
		if rng.Intn(2) == 0 { // few addresses for the ends of all procedures and blocks
			for i, w := range p.code[:size] {
				if op := w >> 26; op >= opCALL && op <= opCALLU {
					end := 20 + 10*rng.Intn(2)
					if at := int(w >> 10 & 0xFFF); at <= end {
						p.code[i] = w&^0xFF | uint32(end-at)
						s.SetCode(i, p.code[i])
					}
				}
			}
		}
		want := make([]int, size)
		model, steps, broken := stacks{}, 0, false
		for ; model.pc < size && steps < 500 && !broken; steps++ {
			w := p.code[model.pc]
			taken := true
			switch w >> 26 {
			case opCALLC, opIFC, opJMPC, opBREAKC: // both flags are clear
				x, y := w>>25&1 == 0, w>>24&1 == 0
				taken = []bool{x || y, x && y, x, y}[w>>22&3]
			case opCALLU, opIFU:
				taken = s.Bool>>(w>>22&15)&1 != 0
			case opJMPU:
				taken = (s.Bool>>(w>>22&15)&1 != 0) != (w&1 != 0)
			case opADD:
				want[model.pc]++
			}
			broken = model.step(w, taken)
		}
		if broken || steps >= 500 || model.pc > size {
			continue
		}
		ran++
		require.Equal(t, want, counts(m.run(t, s, make([]registers, 2))[0], size), listing(s))
	}
}

// nested counts an instruction in the middle of n nested blocks of a kind, and one after each block.
func nested(t *testing.T, kind string, n int) []int {
	p := &flowProgram{t: t}
	jump := fields{"uniform": 15, "NUM": 1} // b15 is false
	switch kind {
	case "CALL": // procedure k starts at 3k+3, calls the next one, then counts
		p.add("2", opCALL, fields{"DST": 3, "NUM": 2}).count(0)
		jump["DST"] = uint32(3*n + 3)
		p.add("3", opJMPU, jump)
		for k := range n {
			if k < n-1 {
				p.add("2", opCALL, fields{"DST": uint32(3*k + 6), "NUM": 2})
			} else {
				p.add("0", opNOP, nil)
			}
			p.count(k+1).add("0", opNOP, nil)
		}
	case "IF": // a count follows each block; the else branch is skipped
		for k := range n {
			p.add("3", opIFU, fields{"uniform": 0, "DST": uint32(n + 1 + 2*(n-1-k)), "NUM": 1})
		}
		p.count(0)
		for k := range n {
			p.count(30).count(k + 1)
		}
	case "LOOP":
		for k := range n {
			p.add("3", opLOOP, fields{"uniform": 1, "DST": uint32(n + n - k)})
		}
		p.count(0)
		for k := range n {
			p.count(k + 1)
		}
	}
	s := p.show(8).setup()
	s.Bool, s.Int[1] = 1, [4]uint8{1, 0, 0, 0}
	it := &newMachines().it
	it.Reset()
	it.MaxSteps = 5000
	if it.Run(s) != nil {
		return nil
	}
	return counts(*it.Out(), 31)
}

// depths fills each stack, and pushes one entry more than it holds.
func depths(t *testing.T) {
	for kind, depth := range map[string]int{"CALL": 4, "IF": 8, "LOOP": 4} {
		want := func(n int) []int {
			w := make([]int, 31)
			for k := range n + 1 {
				w[k] = 1
				if kind == "LOOP" {
					w[k] = 1 << min(n, n-k+1)
				}
			}
			return w
		}
		require.Equal(t, want(depth), nested(t, kind, depth), kind)
		require.NotEqual(t, want(depth+1), nested(t, kind, depth+1), kind)
	}
}

// returns has procedures that end with a call of the next one, so that n returns happen at once.
func returns(t *testing.T) {
	for n := 1; n <= 4; n++ {
		p := &flowProgram{t: t}
		p.add("2", opCALL, fields{"DST": 4, "NUM": 2}).count(0)
		p.add("3", opJMPU, fields{"uniform": 15, "NUM": 1, "DST": 24}).add("0", opNOP, nil)
		for k := 1; k <= n; k++ {
			p.count(k)
			if k < n {
				p.add("2", opCALL, fields{"DST": uint32(4*k + 4), "NUM": 2})
			} else {
				p.count(k)
			}
			p.count(10+k).add("3", opJMPU, fields{"uniform": 15, "NUM": 1, "DST": 24})
		}
		for len(p.code) < 24 {
			p.add("0", opNOP, nil)
		}
		want := make([]int, 20)
		for k := 0; k <= n; k++ {
			want[k] = 1
		}
		want[n]++
		if n == 4 { // continues after the first procedure
			want[0], want[11] = 0, 1
		}
		require.Equal(t, want, counts(newMachines().run(t, p.show(5).setup(), make([]registers, 2))[0], 20), "%d returns", n)
	}
}

// onePop has two blocks that end at one address: the inner one's end does not end the outer one.
func onePop(t *testing.T) {
	p := &flowProgram{t: t} // both first branches end at 3; the inner block ends there too, the outer one after the count at 4
	p.add("3", opIFU, fields{"uniform": 0, "DST": 3, "NUM": 2}).add("3", opIFU, fields{"uniform": 0, "DST": 3, "NUM": 0}).count(0).count(1).count(2).count(3)
	s := p.show(1).setup()
	s.Bool = 1
	require.Equal(t, []int{1, 1, 1, 1}, counts(newMachines().run(t, s, make([]registers, 2))[0], 4))
	p = &flowProgram{t: t}
	p.add("3", opLOOP, fields{"uniform": 1, "DST": 3}).add("3", opLOOP, fields{"uniform": 1, "DST": 3}).count(0).count(1).count(2)
	s = p.show(1).setup()
	s.Int[1] = [4]uint8{2, 0, 0, 0}
	require.Equal(t, []int{3, 3, 1}, counts(newMachines().run(t, s, make([]registers, 2))[0], 3))
}

// priorities tests instructions where two stacks, or a stack and a jump, set the program counter.
func priorities(t *testing.T) {
	run := func(p *flowProgram, want ...int) {
		s := p.show(3).setup()
		s.Bool, s.Int[1] = 1, [4]uint8{1, 0, 0, 0}
		require.Equal(t, want, counts(newMachines().run(t, s, make([]registers, 2))[0], len(want)))
	}
	// A jump as the last instruction of a loop, IF or procedure has no effect.
	p := (&flowProgram{t: t}).add("3", opLOOP, fields{"uniform": 1, "DST": 2}).count(0).add("3", opJMPU, fields{"uniform": 0, "DST": 5}).count(1).count(2).count(3)
	run(p, 2, 1, 1, 1)
	p = (&flowProgram{t: t}).add("3", opIFU, fields{"uniform": 0, "DST": 3, "NUM": 1}).count(0).add("3", opJMPU, fields{"uniform": 0, "DST": 5}).count(1).count(2).count(3)
	run(p, 1, 0, 1, 1)
	p = (&flowProgram{t: t}).add("2", opCALL, fields{"DST": 3, "NUM": 2}).count(0).add("3", opJMPU, fields{"uniform": 0, "DST": 6}).count(1).add("3", opJMPU, fields{"uniform": 0, "DST": 6}).count(2).count(3)
	run(p, 1, 1, 0, 1)
	// An IF and a loop end at one address: the loop continues, and the IF's entry is popped.
	p = (&flowProgram{t: t}).add("3", opLOOP, fields{"uniform": 1, "DST": 2}).add("3", opIFU, fields{"uniform": 0, "DST": 3, "NUM": 1}).count(0).count(1).count(2)
	run(p, 2, 1, 1)
	// A procedure and an IF in it end at one address: the IF wins, so the procedure does not return.
	p = (&flowProgram{t: t}).add("2", opCALL, fields{"DST": 3, "NUM": 2}).count(0).add("3", opJMPU, fields{"uniform": 0, "DST": 8}).
		add("3", opIFU, fields{"uniform": 0, "DST": 5, "NUM": 1}).count(1).count(2).count(3).count(4)
	run(p, 0, 1, 0, 1, 1)
}

// emissions runs a geometry shader in the interpreter and the batch engine and returns the emitted vertices.
func emissions(t *testing.T, code ...uint32) (list []string, err error) {
	s := setupOf(map[uint32]uint32{0: identity}, append(code, word(t, "0", fields{"opcode": opEND}))...)
	s.Float[0], s.Float[1] = [4]float32{1, 2, 3, 4}, [4]float32{5, 6, 7, 8}
	it := shaderunit.Interpreter{}
	it.Reset()
	it.Emit = func(e shaderunit.Emission) error {
		list = append(list, fmt.Sprint(e.VertexID, e.PrimEmit, e.Winding, e.Out[0]))
		return nil
	}
	if err := it.Run(s); err != nil {
		return nil, err
	}
	log, _, ok := shaderunit.NewEngine().RunGeometry(s, new(shaderunit.Batch), 3, &shaderunit.GeometryRun{Uniforms: new(shaderunit.LaneUniforms), Outputs: 15})
	require.True(t, ok)
	require.Equal(t, len(list), log.Len())
	for i := range list {
		e, rows := log.At(i, 2)
		require.Equal(t, list[i], fmt.Sprint(e.VertexID, e.PrimEmit, e.Winding, [4]float32{rows[0][2], rows[1][2], rows[2][2], rows[3][2]}))
	}
	return list, nil
}

// setEmit checks every combination of SETEMIT's fields, which apply until the next SETEMIT.
func setEmit(t *testing.T) {
	mov := func(c uint32) uint32 { return word(t, "1u", fields{"opcode": opMOV, "SRC1": 32 + c}) }
	emit := word(t, "0", fields{"opcode": opEMIT})
	for k := range uint32(16) {
		set := func(k uint32) uint32 {
			return word(t, "4", fields{"opcode": opSETEMIT, "VTXID": k & 3, "FLAG_PRIMEMIT": k >> 2 & 1, "FLAG_WINDING": k >> 3})
		}
		text := func(k uint32, v string) string { return fmt.Sprint(k&3, k>>2&1 != 0, k>>3 != 0, " ", v) }
		got := testkit.Must(emissions(t, set(k), mov(0), emit, set(15-k), mov(1), emit))(t)
		require.Equal(t, []string{text(k, "[1 2 3 4]"), text(15-k, "[5 6 7 8]")}, got)
	}
	_, err := emissions(t, mov(0), emit)
	require.ErrorContains(t, err, "EMIT without SETEMIT")
	s := setupOf(nil, emit)
	require.ErrorContains(t, new(shaderunit.Interpreter).Run(s), "EMIT in a vertex shader")
}

// vertexBuffer draws with a geometry shader: a triangle of vertices 0, 1 and 2, and a second one after one vertex was replaced.
// Together they cover the target.
func vertexBuffer(t *testing.T) {
	const head = ".gsh point c0\n.constf a(-1, -1, -0.5, 1)\n.constf b(1, -1, -0.5, 1)\n.constf c(-1, 1, -0.5, 1)\n.constf d(1, 1, -0.5, 1)\n.constf red(1, 0, 0, 1)\n.out p position\n.out q color\n.proc main\n"
	vertex := func(set, at string) string { return "setemit " + set + "\nmov p, " + at + "\nmov q, red\nemit\n" }
	first := vertex("0", "a") + vertex("1", "b")
	covered := func(body string, cull bool) (n int) {
		f := assembled(t, ".out p position o0\n.proc main\nmov p, v0\nend\n.end")
		g := assembled(t, head+strings.ReplaceAll(body, "setemit 3", "setemit 0, inv")+"end\n.end")
		for i, w := range g.Program.Code { // the assembler accepts 0 to 2, like picasso
			if w == 0x2B<<26|1<<22 {
				g.Program.Code[i] = 0x2B<<26 | 3<<24
			}
		}
		p := testkit.Must(gl.LinkProgram(f, 0, g, 0))(t)
		d := draw(t, p, func(c *gl.Context) {
			if cull {
				c.CullFace(pica.CullFront)
			}
		})
		img := testkit.Must(d.target.ReadPixels(t.Context()))(t)
		for i := 0; i < len(img.Pix); i += 4 {
			if img.Pix[i] == 255 {
				n++
			}
		}
		return n
	}
	require.Zero(t, covered(first+vertex("2", "c"), false), "without prim no triangle is emitted")
	half := covered(first+vertex("2, prim", "c"), false)
	require.Equal(t, 28, half)
	require.Equal(t, 64, covered(first+vertex("2, prim", "c")+vertex("0, prim", "d"), false), "slots 1 and 2 are used again")
	require.Equal(t, 64, covered(first+vertex("2, prim", "c")+vertex("3", "c")+vertex("0, prim", "d"), false), "writing slot 3 changes no triangle")
	require.Zero(t, covered(first+vertex("2, prim", "c"), true), "a counter-clockwise triangle is culled")
	require.Equal(t, half, covered(first+vertex("2, prim inv", "c"), true), "with inv it is not culled")
}
