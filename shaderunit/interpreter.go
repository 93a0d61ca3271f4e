package shaderunit

import (
	"fmt"

	"pica200/pica"
)

// DefaultMaxSteps bounds the instructions of a run. Real programs need a few
// thousand; one that needs more never reaches END.
const DefaultMaxSteps = 1 << 20

// Depths of the flow stacks (3dbrew, "Control Flow").
const (
	CallDepth = 4
	IfDepth   = 8
	LoopDepth = 4
)

// CallEntry is an entry of the CALL stack: the end of the procedure, and where
// it returns to.
type CallEntry struct{ End, Return uint16 }

// IfEntry is an entry of the IF stack: the start of the ELSE part, and the end
// of the block.
type IfEntry struct{ Else, End uint16 }

// LoopEntry is an entry of the LOOP stack.
type LoopEntry struct {
	Start, End uint16 // first instruction, and the one after the last
	Left       uint8  // iterations left
	Step       uint8  // added to aL after each iteration
	OuterAL    int32  // aL of the outer loop
}

// Flow is the state of flow control: program counter, stacks, loop counter. It
// is comparable: equal states behave equally under equal conditions.
type Flow struct {
	PC                    uint16
	NumCall, NumIf, NumLp uint8
	Call                  [CallDepth]CallEntry
	If                    [IfDepth]IfEntry
	Loop                  [LoopDepth]LoopEntry
	AL                    int32
	AfterMOVA             bool // the last instruction was MOVA; a second one hangs
}

// Calls returns the CALL stack, innermost last.
func (f *Flow) Calls() []CallEntry { return f.Call[:f.NumCall] }

// Ifs returns the IF stack, innermost last.
func (f *Flow) Ifs() []IfEntry { return f.If[:f.NumIf] }

// Loops returns the LOOP stack, innermost last.
func (f *Flow) Loops() []LoopEntry { return f.Loop[:f.NumLp] }

// Emission is a vertex that a geometry shader emits.
type Emission struct {
	VertexID          uint8 // slot of the vertex buffer, 0-3
	PrimEmit, Winding bool
	Out               *[16][4]float32 // output registers, valid during the call
}

// Step is what Trace receives after each instruction.
type Step struct {
	PC    uint16 // address of the instruction
	Instr Instr
	Desc  OpDesc
	Src   [3][4]float32 // sources after swizzle and negation
	Dst   [4]float32    // destination register after the instruction, if it has one
	Taken bool          // flow control: whether the condition held

	A0   [2]int32 // address registers after the instruction
	Cmp  [2]bool
	Flow *Flow // after the instruction; valid during the call
}

// Interpreter runs programs one instruction at a time. It is the definition of
// the instruction set; the batch engine is tested against it.
//
// Set In before a run and read Out after it. Registers, flags and the output
// banks keep their values between runs, which geometry shaders use (b15 tells
// them that they ran before). Reset clears them and must be called before the
// first run.
type Interpreter struct {
	In   [16][4]float32
	Temp [16][4]float32
	A0   [2]int32
	Cmp  [2]bool
	Flow Flow

	// Emit receives the vertices of a geometry shader. If it is nil, EMIT and
	// SETEMIT are errors.
	Emit func(e Emission) error
	// Trace, if not nil, is called after each instruction.
	Trace func(s *Step)
	// MaxSteps bounds the instructions of a run; 0 means DefaultMaxSteps.
	MaxSteps int
	// Done, when it is closed, ends a run with ErrInterrupted. It may be a
	// context's Done, or nil.
	Done <-chan struct{}
	// Steps is the number of instructions of the last run.
	Steps int
	// RanOut says that the last run had no END: it left the code memory. With Emit
	// that ends a run, as the console goes on after such geometry shaders (azahar
	// 1585, 1593); without Emit it is an error.
	RanOut bool

	out     [2][16][4]float32 // EMIT switches between two banks
	bank    int
	emit    Emission
	emitSet bool

	content uint64 // Setup.content for which decoded is valid
	decoded [CodeWords]Instr
	valid   [CodeWords / 64]uint64
	step    Step
	src     [3]vec4
}

// Out returns the output registers. After an EMIT they are those of the other
// bank (Azahar; no other source describes a second bank).
func (it *Interpreter) Out() *[16][4]float32 { return &it.out[it.bank] }

// startValue is the initial value of the temporary and output registers.
//
// StartValues: on the console, registers keep what the last program left in
// them; their values at power-on were never measured. One game reads r15.w
// without writing it and needs 1, and a homebrew program that never writes w of
// its position works, so w is 1. The rest is 0, as in other implementations.
// Every run of a vertex shader starts with these values and not with those of
// the run before, because which run that is depends on how the console spreads
// vertices over its units. A geometry shader's registers keep their values
// between runs; games rely on that.
var startValue = [4]float32{0, 0, 0, 1}

// Reset sets temporaries and output banks to their start values and clears
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

// ExecError is an error of a running program. If Hangs is set the console would
// hang, and errors.Is(err, pica.ErrHang) is true.
type ExecError struct {
	PC    uint16
	Msg   string
	Hangs bool
}

func (e *ExecError) Error() string { return fmt.Sprintf("shader, instruction 0x%03X: %s", e.PC, e.Msg) }

// Is makes errors.Is(err, pica.ErrHang) true if the program hangs.
func (e *ExecError) Is(target error) bool { return e.Hangs && target == pica.ErrHang }

func execErr(pc uint16, format string, args ...any) error {
	return &ExecError{PC: pc, Msg: fmt.Sprintf(format, args...)}
}

// hangs makes an ExecError for a program that hangs the console.
func hangs(pc uint16, format string, args ...any) error {
	return &ExecError{PC: pc, Msg: fmt.Sprintf(format, args...), Hangs: true}
}

func neverEnds(pc uint16, steps int) error {
	return hangs(pc, "shader never reaches END: stopped after %d instructions", steps)
}

// Run executes the program from the entry point to END, or that of a geometry
// shader to the end of the code memory.
func (it *Interpreter) Run(s *Setup) error {
	if it.content != s.content {
		it.content = s.content
		clear(it.valid[:])
	}
	limit := it.MaxSteps
	if limit == 0 {
		limit = DefaultMaxSteps
	}
	it.RanOut = false
	it.Flow = Flow{PC: s.Entry, AL: it.Flow.AL}
	for it.Steps = 1; ; it.Steps++ {
		pc := it.Flow.PC
		if pc >= CodeWords && it.Emit == nil {
			return hangs(pc, "shader never reaches END: it runs out of the code memory, which has %d instructions for vertex shaders", VertexCodeWords)
		}
		if pc >= CodeWords && it.Steps-1 <= limit {
			it.Steps--
			it.RanOut = true
			return nil
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
		if s.repeats(pc, &it.Flow) {
			it.Steps += int(CodeWords - it.Flow.PC)
			it.Flow.PC = CodeWords
		}
	}
}

// exec runs one instruction and advances.
func (it *Interpreter) exec(s *Setup, in *Instr) (end bool, err error) {
	info := in.Info()
	pc := it.Flow.PC
	if info == nil {
		return true, execErr(pc, "opcode %s does not exist", in.Op)
	}
	desc := OpDesc(s.desc[in.Desc])
	taken := false
	src := &it.src // not on the stack, because kernels are called through a table
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

// source reads source k with relative addressing, swizzle and negation.
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

// negate negates a source: there is no -0, and a NaN keeps its bits.
func negate(x float32) float32 { return 0 - x }

// compute runs an instruction with sources and returns the new value of its
// destination register.
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
