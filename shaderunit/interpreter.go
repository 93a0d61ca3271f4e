package shaderunit

import (
	"fmt"

	"pica200/pica"
)

// DefaultMaxSteps bounds the instructions of one run. Programs of real
// software need a few thousand; what gets here never reaches END.
const DefaultMaxSteps = 1 << 20

// Depths of the flow stacks (3dbrew, "Control Flow").
const (
	CallDepth = 4
	IfDepth   = 8
	LoopDepth = 4
)

// CallEntry is an entry of the CALL stack: where the procedure ends and where
// it returns to.
type CallEntry struct{ End, Return uint16 }

// IfEntry is an entry of the IF stack: where the first part ends (the ELSE
// part starts) and where the block ends.
type IfEntry struct{ Else, End uint16 }

// LoopEntry is an entry of the LOOP stack.
type LoopEntry struct {
	Start, End uint16 // first instruction; instruction behind the last
	Left       uint8  // further iterations
	Step       uint8  // added to aL after each iteration
	OuterAL    int32  // aL to go back to
}

// Flow is the state of flow control: program counter, stacks, loop counter. It
// is comparable: equal states go the same way on equal conditions.
type Flow struct {
	PC                    uint16
	NumCall, NumIf, NumLp uint8
	Call                  [CallDepth]CallEntry
	If                    [IfDepth]IfEntry
	Loop                  [LoopDepth]LoopEntry
	AL                    int32
	AfterMOVA             bool // the instruction before was MOVA: another hangs
}

// Calls, Ifs and Loops give the stacks, innermost last.
func (f *Flow) Calls() []CallEntry { return f.Call[:f.NumCall] }

// Ifs gives the IF stack, innermost last.
func (f *Flow) Ifs() []IfEntry { return f.If[:f.NumIf] }

// Loops gives the LOOP stack, innermost last.
func (f *Flow) Loops() []LoopEntry { return f.Loop[:f.NumLp] }

// Emission is a vertex that a geometry shader emits.
type Emission struct {
	VertexID          uint8 // slot of the vertex buffer, 0-3
	PrimEmit, Winding bool
	Out               *[16][4]float32 // output registers, valid during the call
}

// Step is what a trace hook sees after each instruction.
type Step struct {
	PC    uint16 // of the instruction
	Instr Instr
	Desc  OpDesc
	Src   [3][4]float32 // sources after swizzle and negation
	Dst   [4]float32    // destination register after the instruction, if it has one
	Taken bool          // flow control: the condition held

	A0   [2]int32 // address registers after the instruction
	Cmp  [2]bool
	Flow *Flow // after the instruction: next PC, aL, stacks; valid during the call
}

// Interpreter runs programs one instruction after the other. It is the
// definition of the instruction set; the batch engine is tested against it.
//
// In is set before a run and Out read after it. Registers, flags and the
// output banks keep their values between runs, as geometry shaders use (b15
// tells them that they ran before); Reset clears them, and must be called
// before the first run.
type Interpreter struct {
	In   [16][4]float32
	Temp [16][4]float32
	A0   [2]int32
	Cmp  [2]bool
	Flow Flow

	// Emit receives the vertices of a geometry shader. Where it is nil, EMIT
	// and SETEMIT are errors.
	Emit func(e Emission) error
	// Trace, when set, is called after each instruction.
	Trace func(s *Step)
	// MaxSteps bounds the instructions of a run; 0 means DefaultMaxSteps.
	MaxSteps int
	// Done ends a run with ErrInterrupted when it is closed, as the Done of a
	// context; nil never does.
	Done <-chan struct{}
	// Steps is the number of instructions that the last run executed.
	Steps int

	out     [2][16][4]float32 // EMIT switches between two banks
	bank    int
	emit    Emission
	emitSet bool

	content uint64 // of the setup that decoded is of
	decoded [CodeWords]Instr
	valid   [CodeWords / 64]uint64
	step    Step
	src     [3]vec4
}

// Out gives the output registers. Behind an EMIT they are those of the other
// bank (azahar; the hardware's second bank is not described elsewhere).
func (it *Interpreter) Out() *[16][4]float32 { return &it.out[it.bank] }

// startValue is what the temporaries and the outputs hold before a program has
// written them.
//
// StartValues: on the console registers keep what the program before left in
// them, and what they hold when the power comes on is not measured. One game
// reads r15.w without writing it and needs 1, a homebrew program never writes
// w of its position and works, so w is 1; the rest is 0, as in other
// implementations. Every run of a vertex shader starts so, not with what the
// run before left: which one that was depends on how vertices are spread over
// the units, and a rule that depends on that is none. A geometry shader's
// registers keep their values between runs, which games rely on.
var startValue = [4]float32{0, 0, 0, 1}

// Reset puts temporaries and output banks to their start values and clears
// inputs, flags and address registers. A new Interpreter needs it before its
// first run.
func (it *Interpreter) Reset() {
	it.In = [16][4]float32{}
	for r := range it.Temp {
		it.Temp[r], it.out[0][r], it.out[1][r] = startValue, startValue, startValue
	}
	it.A0, it.Cmp, it.Flow = [2]int32{}, [2]bool{}, Flow{}
	it.bank, it.emit, it.emitSet = 0, Emission{}, false
}

// ExecError is what running a program may end with. With Hangs set, the console
// would hang, and errors.Is finds pica.ErrHang.
type ExecError struct {
	PC    uint16
	Msg   string
	Hangs bool
}

func (e *ExecError) Error() string { return fmt.Sprintf("shader, instruction 0x%03X: %s", e.PC, e.Msg) }

// Is makes errors.Is find pica.ErrHang in it.
func (e *ExecError) Is(target error) bool { return e.Hangs && target == pica.ErrHang }

func execErr(pc uint16, format string, args ...any) error {
	return &ExecError{PC: pc, Msg: fmt.Sprintf(format, args...)}
}

// hangs is execErr for what hangs the console.
func hangs(pc uint16, format string, args ...any) error {
	return &ExecError{PC: pc, Msg: fmt.Sprintf(format, args...), Hangs: true}
}

func neverEnds(pc uint16, steps int) error {
	return hangs(pc, "shader never reaches END: stopped after %d instructions", steps)
}

// Run executes the program from the entry point to END.
func (it *Interpreter) Run(s *Setup) error {
	if it.content != s.content {
		it.content = s.content
		clear(it.valid[:])
	}
	limit := it.MaxSteps
	if limit == 0 {
		limit = DefaultMaxSteps
	}
	it.Flow = Flow{PC: s.Entry, AL: it.Flow.AL}
	for it.Steps = 1; ; it.Steps++ {
		pc := it.Flow.PC
		if pc >= CodeWords {
			return hangs(pc, "shader never reaches END: it runs out of the code memory, which has %d instructions for vertex shaders", VertexCodeWords)
		}
		if it.Steps > limit {
			it.Steps--
			return neverEnds(pc, limit)
		}
		if it.Steps%stepsUnseen == 0 && closed(it.Done) {
			return ErrInterrupted
		}
		in := &it.decoded[pc]
		if it.valid[pc/64]>>(pc%64)&1 == 0 {
			*in = Decode(s.code[pc])
			it.valid[pc/64] |= 1 << (pc % 64)
		}
		end, err := it.exec(s, in)
		if err != nil || end {
			return err
		}
	}
}

// exec runs one instruction and moves on.
func (it *Interpreter) exec(s *Setup, in *Instr) (end bool, err error) {
	info := in.Info()
	pc := it.Flow.PC
	if info == nil {
		return true, execErr(pc, "opcode %s is not known to do anything", in.Op)
	}
	desc := OpDesc(s.desc[in.Desc])
	taken := false
	src := &it.src // not on the stack: kernels are called through the table
	var dst vec4
	if n := info.Format.Sources(); n > 0 {
		for k := range n {
			src[k] = it.source(s, in, info, desc, k)
		}
		dst = it.compute(in, info, desc, src)
	} else {
		*src = [3]vec4{}
		switch {
		case info.Flow == FlowEnd:
			end = true
		case info.GeometryOnly():
			if err := it.emission(in); err != nil {
				return true, err
			}
		default:
			taken = condition(in, info, s, it.Cmp)
		}
	}
	if err := it.Flow.advance(in, info, s, taken); err != nil {
		return true, err
	}
	if it.Trace != nil {
		it.step = Step{PC: pc, Instr: *in, Desc: desc, Src: *src, Dst: dst, Taken: taken, A0: it.A0, Cmp: it.Cmp, Flow: &it.Flow}
		it.Trace(&it.step)
	}
	return end, nil
}

// source fetches source k with relative addressing, swizzle and negation.
func (it *Interpreter) source(s *Setup, in *Instr, info *OpInfo, desc OpDesc, k int) (v vec4) {
	var reg vec4
	switch r := in.Src[k]; {
	case r < SrcTemp:
		reg = it.In[r]
	case r < SrcUniform:
		reg = it.Temp[r-SrcTemp]
	default:
		var offset int32
		if k == info.Format.Wide() {
			switch in.Idx {
			case AddrA0X, AddrA0Y:
				offset = it.A0[in.Idx-AddrA0X]
			case AddrAL:
				offset = it.Flow.AL
			}
		}
		if i, ok := uniformIndex(int(r-SrcUniform), offset); ok {
			reg = s.Float[i]
		} else {
			reg = vec4{1, 1, 1, 1}
		}
	}
	for i := range v {
		v[i] = noNegZero(reg[desc.Sel(k, i)])
		if desc.Neg(k) {
			v[i] = negate(v[i])
		}
	}
	return v
}

// negate is a source's negation: there is no -0, and a NaN keeps its bits.
func negate(x float32) float32 { return 0 - x }

// compute runs an instruction with sources and gives its destination register
// after it.
func (it *Interpreter) compute(in *Instr, info *OpInfo, desc OpDesc, src *[3]vec4) vec4 {
	if info.flags != nil {
		it.Cmp = info.flags(in, src)
	}
	if info.WritesAddress() {
		for i := range it.A0 {
			if desc.Writes(i) {
				it.A0[i] = truncInt(src[0][i])
			}
		}
	}
	if info.kernel == nil {
		return vec4{}
	}
	d := info.kernel(src)
	var reg *vec4
	if in.Dst < DstTemp {
		reg = &it.out[it.bank][in.Dst]
	} else {
		reg = &it.Temp[in.Dst-DstTemp]
	}
	for i := range d {
		if desc.Writes(i) {
			reg[i] = d[i]
		}
	}
	return *reg
}

// emission runs SETEMIT and EMIT.
func (it *Interpreter) emission(in *Instr) error {
	pc := it.Flow.PC
	if it.Emit == nil {
		return execErr(pc, "%s in a vertex shader", in.Op)
	}
	if in.Op == OpSETEMIT {
		it.emit = Emission{VertexID: in.VertexID, PrimEmit: in.PrimEmit, Winding: in.Winding}
		it.emitSet = true
		return nil
	}
	if !it.emitSet {
		return execErr(pc, "EMIT without SETEMIT before it")
	}
	e := it.emit
	e.Out = it.Out()
	if err := it.Emit(e); err != nil {
		return fmt.Errorf("shader, instruction 0x%03X: %w", pc, err)
	}
	it.bank ^= 1
	return nil
}
