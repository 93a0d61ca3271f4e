package shaderunit

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Decode and Encode are inverse for every word, also of unknown opcodes.
func TestDecodeEncode(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for op := range uint32(64) {
		for range 2000 {
			w := op<<26 | rng.Uint32()>>6
			in := Decode(w)
			back, err := in.Encode()
			if back != w || err != nil {
				require.NoError(t, err)
				require.Equal(t, w, back, "%+v", in)
			}
			_ = in.Text(OpDesc(rng.Uint32()))
		}
	}
}

// The rows agree with the table of the public documentation (seed 004).
func TestInstructionTable(t *testing.T) {
	want := map[Opcode]string{
		0x00: "1 ADD", 0x01: "1 DP3", 0x02: "1 DP4", 0x03: "1 DPH", 0x04: "1 DST", 0x05: "1u EX2", 0x06: "1u LG2",
		0x07: "1u LITP", 0x08: "1 MUL", 0x09: "1 SGE", 0x0A: "1 SLT", 0x0B: "1u FLR", 0x0C: "1 MAX", 0x0D: "1 MIN",
		0x0E: "1u RCP", 0x0F: "1u RSQ", 0x12: "1u MOVA", 0x13: "1u MOV", 0x18: "1i DPHI", 0x19: "1i DSTI",
		0x1A: "1i SGEI", 0x1B: "1i SLTI", 0x20: "0 BREAK", 0x21: "0 NOP", 0x22: "0 END", 0x23: "2 BREAKC",
		0x24: "2 CALL", 0x25: "2 CALLC", 0x26: "3 CALLU", 0x27: "3 IFU", 0x28: "2 IFC", 0x29: "3 LOOP", 0x2A: "0 EMIT",
		0x2B: "4 SETEMIT", 0x2C: "2 JMPC", 0x2D: "3 JMPU", 0x2E: "1c CMP", 0x2F: "1c CMP",
	}
	for op := Opcode(0x30); op < 0x38; op++ {
		want[op], want[op+8] = "5i MADI", "5 MAD"
	}
	for op := range Opcode(64) {
		info := op.Info()
		if want[op] == "" {
			require.Nil(t, info, "%s", op)
			continue
		}
		require.NotNil(t, info)
		require.Equal(t, want[op], info.Format.String()+" "+info.DocName())
		require.NotEmpty(t, info.Semantics)
		if info.Inverted != NoOpcode {
			require.Equal(t, info.Op, info.Inverted.Info().Inverted)
			require.Equal(t, info.Name, info.Inverted.Info().Name)
		}
	}
}

// Every row of the instruction table is complete and consistent.
func TestInstructionRowsAreComplete(t *testing.T) {
	for _, o := range Instructions() {
		require.NotEmpty(t, o.Name)
		if o.Format.Sources() == 0 {
			require.True(t, o.kernel == nil && o.flags == nil && o.reads == nil && o.lower == nil, "%s has no sources, so it computes nothing", o.Op)
			require.Equal(t, o.Test == TestFlags, o.Format == Format2 && o.Op != OpCALL, "%s: format 2 has the fields of a condition", o.Op)
			require.True(t, o.Test != TestBool || o.Format == Format3, "%s: format 3 has the field of a bool", o.Op)
			continue
		}
		require.Equal(t, FlowNext, o.Flow, "%s", o.Op)
		require.NotNil(t, o.reads, "%s: the row states the components it reads", o.Op)
		require.True(t, o.WritesDst() || o.WritesFlags() || o.WritesAddress(), "%s writes something", o.Op)
		require.False(t, o.WritesDst() && o.WritesAddress(), "%s: writes either a0 or a destination", o.Op)
		require.True(t, !o.WritesDst() || o.Format.HasDst(), "%s: the format has a destination", o.Op)
		if o.lower == nil {
			require.True(t, o.WritesDst() && !o.WritesFlags(), "%s: without a lowering it writes no flags or addresses", o.Op)
		}
	}
}

// The components that a row says it reads are those that the kernel depends on.
func TestReadsEqualsKernelDependencies(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	number := func() float32 { return round24(float32(rng.NormFloat64())) }
	in := Instr{CmpX: CompareLT, CmpY: CompareGE}
	for _, o := range Instructions() {
		for n := range o.Format.Sources() {
			for mask := range uint8(16) {
				var depends uint8
				for range 300 {
					var s [3]vec4
					for k := range s {
						s[k] = vec4{number(), number(), number(), number()}
					}
					result := written(&o, &in, &s, mask)
					for comp := range 4 {
						changed := s
						changed[n][comp] = number()
						if result != written(&o, &in, &changed, mask) {
							depends |= 1 << comp
						}
					}
				}
				if o.Relaxed(0) { // others may read components that the mask excludes
					require.Zero(t, depends&^o.Reads(mask, n), "%s, mask %04b, source %d depends on %04b", o.Op, mask, n+1, depends)
				}
				if mask == MaskXYZW {
					require.Equal(t, o.Reads(mask, n), depends, "%s, source %d", o.Op, n+1)
				}
			}
		}
	}
}

// results are the bits, flags and addresses that an operation writes.
type results struct {
	bits    [4]uint32
	flags   [2]bool
	address [2]int32
}

// written returns the results of an operation.
func written(o *OpInfo, in *Instr, s *[3]vec4, mask uint8) (out results) {
	if o.kernel != nil {
		for i, x := range o.kernel(s) {
			if mask>>(3-i)&1 != 0 {
				out.bits[i] = math.Float32bits(x)
			}
		}
	}
	if o.flags != nil {
		out.flags = o.flags(in, s)
	}
	if o.WritesAddress() {
		for i := range 2 {
			if mask>>(3-i)&1 != 0 {
				out.address[i] = truncInt(s[0][i] * 10)
			}
		}
	}
	return out
}

func TestInstructionText(t *testing.T) {
	plain := MakeOpDesc(MaskXYZW, [3]uint8{SwizzleXYZW, SwizzleXYZW, SwizzleXYZW}, [3]bool{})
	for _, c := range []struct {
		in   Instr
		d    OpDesc
		want string
	}{
		{Instr{Op: OpADD, Dst: DstTemp + 1, Src: [3]SrcReg{SrcUniform + 8, 2}, Idx: AddrA0X}, MakeOpDesc(0xC, [3]uint8{0x55, 0xE4, 0}, [3]bool{true}), "add r1.xy, -c8[a0.x].y, v2.wzyx"},
		{Instr{Op: OpMOVA, Src: [3]SrcReg{0x10}}, MakeOpDesc(0x8, [3]uint8{SwizzleXYZW}, [3]bool{}), "mova a0.x, r0"},
		{Instr{Op: OpDPHI, Src: [3]SrcReg{1, SrcUniform + 95}}, plain, "dph o0, v1, c95"},
		{Instr{Op: OpMADI, Dst: 0x1F, Src: [3]SrcReg{1, 0x11, SrcUniform}, Idx: AddrAL}, plain, "mad r15, v1, r1, c0[aL]"},
		{Instr{Op: OpCMP, Src: [3]SrcReg{SrcUniform, 0x10}, CmpX: CompareGE, CmpY: CompareTrue6}, plain, "cmp c0, ge, 6, r0"},
		{Instr{Op: OpIFC, Dest: 0x12, Num: 3, Cond: CondAnd, RefX: true}, 0, "ifc cmp.x && !cmp.y, 0x012, 3"},
		{Instr{Op: OpJMPU, Dest: 0x12, Num: 1, Uniform: 7}, 0, "jmpu !b7, 0x012"},
		{Instr{Op: OpLOOP, Dest: 5, Uniform: 2}, 0, "for i2, 0x005"},
		{Instr{Op: OpBREAKC, Cond: CondY, RefY: true}, 0, "breakc cmp.y"},
		{Instr{Op: OpCALL, Dest: 1, Num: 2}, 0, "call 0x001, 2"},
		{Instr{Op: OpSETEMIT, VertexID: 2, PrimEmit: true, Winding: true}, 0, "setemit 2, prim inv"},
		{Instr{Op: OpEND}, 0, "end"},
	} {
		require.Equal(t, c.want, c.in.Text(c.d))
	}
}

func TestEncodeErrors(t *testing.T) {
	_, err := Instr{Op: OpADD, Src: [3]SrcReg{0, SrcUniform}}.Encode()
	require.ErrorContains(t, err, "source 2 is c0")
	_, err = Instr{Op: OpMAD, Desc: 32}.Encode()
	require.ErrorContains(t, err, "operand descriptor 32")
}

func TestEveryMicroOpRuns(t *testing.T) {
	for kind, k := range opKinds {
		require.NotNil(t, k.run, "micro-op %d has no function", kind)
	}
}

// Only JMPU has its condition inverted by the lowest bit of NUM.
func TestUniformConditionText(t *testing.T) {
	for _, c := range []struct {
		in   Instr
		want string
	}{
		{Instr{Op: OpJMPU, Uniform: 3, Dest: 0x12, Num: 1}, "jmpu !b3, 0x012"}, {Instr{Op: OpJMPU, Uniform: 3, Dest: 0x12, Num: 2}, "jmpu b3, 0x012"},
		{Instr{Op: OpCALLU, Uniform: 4, Dest: 0x12, Num: 3}, "callu b4, 0x012"}, {Instr{Op: OpIFU, Uniform: 5, Dest: 0x12, Num: 1}, "ifu b5, 0x012"}, {Instr{Op: OpLOOP, Uniform: 2, Dest: 0x12, Num: 1}, "for i2, 0x012"},
	} {
		require.Contains(t, c.in.Text(0), c.want[:len(c.want)-7], "%v", c.in.Op)
		require.Equal(t, c.in.Num == 1 && c.in.Op == OpJMPU, strings.Contains(c.in.Text(0), "!"))
	}
}

// InterpreterState survives conversion to words and back.
func TestInterpreterStateRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 50 {
		words := make([]uint32, InterpreterWords)
		for i := range words {
			words[i] = rng.Uint32()
		}
		var s InterpreterState
		s.SetWords(words)
		flags := words[InterpreterWords-1]
		on := func(bit int) bool { return flags>>bit&1 != 0 }
		require.Equal(t, Emission{VertexID: uint8(flags >> 8 & 3), PrimEmit: on(4), Winding: on(5)}, s.emit)
		require.Equal(t, [2]bool{on(0), on(1)}, s.cmp)
		require.Equal(t, int(flags>>2&1), s.bank)
		require.Equal(t, on(3), s.emitSet)
		var again InterpreterState
		again.SetWords(s.Words())
		require.Equal(t, fmt.Sprint(s), fmt.Sprint(again))
	}
}

// Text of conditions for all flag combinations; comparisons beyond three bits are refused.
func TestConditionText(t *testing.T) {
	for _, c := range []struct {
		in   Instr
		want string
	}{
		{Instr{RefX: true, RefY: true, Cond: CondOr}, "cmp.x || cmp.y"}, {Instr{RefY: true, Cond: CondOr}, "!cmp.x || cmp.y"}, {Instr{RefX: true, Cond: CondAnd}, "cmp.x && !cmp.y"},
		{Instr{Cond: CondAnd}, "!cmp.x && !cmp.y"}, {Instr{RefX: true, Cond: CondX}, "cmp.x"}, {Instr{Cond: CondX, RefY: true}, "!cmp.x"}, {Instr{RefY: true, Cond: CondY}, "cmp.y"}, {Instr{RefX: true, Cond: CondY}, "!cmp.y"},
	} {
		require.Equal(t, c.want, c.in.CondText())
	}
	for _, in := range []Instr{{Op: OpCMP, CmpX: 8}, {Op: OpCMP, CmpY: 8}} {
		_, err := in.Encode()
		require.ErrorContains(t, err, "expected 0-7")
	}
	_, err := Instr{Op: OpCMP, CmpX: 7, CmpY: 7}.Encode()
	require.NoError(t, err)
	require.False(t, Program{}.Remembers(), "an empty program remembers nothing")
}
