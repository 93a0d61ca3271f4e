package mbs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// gpInstructionSize is the size of an instruction of the vertex processor.
const gpInstructionSize = 16

// A vertex instruction is 128 bits of fixed fields that control parallel units:
// two multipliers and two adders (each pair shares an operation), a complex
// unit, a pass unit, a load from uniforms or temporaries, two register reads
// (the first can be of an attribute) and two stores of two components each. A
// unit's operand selects what it reads, including results of the previous two
// instructions; there is no other forwarding. Sources: the Lima wiki's ISA
// page; Mesa's lima driver (ir/gp/codegen.h).

// gpField is a range of bits of an instruction.
type gpField struct{ lo, n uint8 }

var (
	gpMulSrc   = [2][2]gpField{{{0, 5}, {5, 5}}, {{10, 5}, {15, 5}}}
	gpMulNeg   = [2]gpField{{20, 1}, {21, 1}}
	gpAccSrc   = [2][2]gpField{{{22, 5}, {27, 5}}, {{32, 5}, {37, 5}}}
	gpAccNeg   = [2][2]gpField{{{42, 1}, {43, 1}}, {{44, 1}, {45, 1}}}
	gpLoadAddr = gpField{46, 9}
	gpLoadOff  = gpField{55, 3}
	gpReg0     = gpField{58, 4}
	gpReg0Attr = gpField{62, 1}
	gpReg1     = gpField{63, 4}
	gpStoreTmp = [2]gpField{{67, 1}, {68, 1}}
	gpBranch   = gpField{69, 1}
	gpBranchLo = gpField{70, 1}
	gpStoreSrc = [4]gpField{{71, 3}, {74, 3}, {77, 3}, {80, 3}} // x y of store 0, z w of store 1
	gpAccOp    = gpField{83, 3}
	gpCplxOp   = gpField{86, 4}
	gpStoreTo  = [2]gpField{{90, 4}, {95, 4}}
	gpStoreVar = [2]gpField{{94, 1}, {99, 1}}
	gpMulOp    = gpField{100, 3}
	gpPassOp   = gpField{103, 3}
	gpCplxSrc  = gpField{106, 5}
	gpPassSrc  = gpField{111, 5}
	gpUnknown  = gpField{116, 4} // 12 when temporaries are stored, 13 when branching
	gpTarget   = gpField{120, 8}
)

// gpInstruction is an instruction of the vertex processor as it is in memory.
type gpInstruction [gpInstructionSize]byte

func (g *gpInstruction) get(f gpField) uint32 { return bitsOf(g[:], uint(f.lo), uint(f.n)) }

// bitsOf returns n bits (at most 32) from bit lo on of little-endian data; bits
// beyond the data are 0.
func bitsOf(data []byte, lo, n uint) uint32 {
	var v uint64
	for i := range uint(5) {
		if b := lo/8 + i; b < uint(len(data)) {
			v |= uint64(data[b]) << (8 * i)
		}
	}
	return uint32(v >> (lo % 8) & (1<<n - 1))
}

// Operands of a unit.
const (
	gpSrcUnused   = 21
	gpSrcIdentity = 22 // or the last result of the complex unit
)

// gpResults are the units whose results later instructions can read; the
// operand's number is the index.
var gpResults = map[uint32]string{
	16: "acc0[-1]", 17: "acc1[-1]", 18: "mul0[-1]", 19: "mul1[-1]", 20: "pass[-1]", 22: "complex[-1]",
	23: "pass[-2]", 24: "acc0[-2]", 25: "acc1[-2]", 26: "mul0[-2]", 27: "mul1[-2]",
}

var gpStoreUnits = [8]string{"acc0", "acc1", "mul0", "mul1", "pass", "unit5", "complex", ""}

const gpStoreNone = 7

type gpOp struct {
	name string
	srcs int
}

var gpAccOps = map[uint32]gpOp{0: {"add", 2}, 1: {"floor", 1}, 2: {"sign", 1}, 4: {"ge", 2}, 5: {"lt", 2}, 6: {"min", 2}, 7: {"max", 2}}

var gpMulOps = map[uint32]string{0: "mul", 1: "complex1", 3: "complex2", 4: "sel"}

var gpComplexOps = map[uint32]string{
	2: "exp2", 3: "log2", 4: "rsqrt", 5: "rcp", 9: "mov",
	12: "store_addr", 13: "load_addr0", 14: "load_addr1", 15: "load_addr2",
}

var gpPassOps = map[uint32]string{2: "mov", 4: "preexp2", 5: "postlog2", 6: "clamp"}

// register0 names the first register that is read.
func (g *gpInstruction) register0(component uint32) string {
	file := "r"
	if g.get(gpReg0Attr) != 0 {
		file = "a"
	}
	return fmt.Sprintf("%s%d.%c", file, g.get(gpReg0), "xyzw"[component&3])
}

// operand names what an operand field selects. previous is the previous
// instruction, nil for the first; identity is the name of the identity operand
// in the unit, empty if it has none.
func (g *gpInstruction) operand(v uint32, previous *gpInstruction, identity string) string {
	switch {
	case v < 4:
		return g.register0(v)
	case v < 8:
		return fmt.Sprintf("r%d.%c", g.get(gpReg1), "xyzw"[v&3])
	case v < 12:
		return fmt.Sprintf("src%d", v)
	case v < 16:
		return fmt.Sprintf("%s.%c", g.loadName(), "xyzw"[v&3])
	case v == gpSrcUnused:
		return "unused"
	case v == gpSrcIdentity && identity != "":
		return identity
	case v >= 28:
		if previous == nil {
			return fmt.Sprintf("src%d", v)
		}
		return previous.register0(v) + "[-1]"
	}
	return gpResults[v]
}

// loadName names the vector that the load unit reads.
func (g *gpInstruction) loadName() string {
	switch off := g.get(gpLoadOff); off {
	case 7:
		return fmt.Sprintf("u%d", g.get(gpLoadAddr))
	case 1, 2, 3:
		return fmt.Sprintf("u[%d+load_addr%d]", g.get(gpLoadAddr), off-1)
	default:
		return fmt.Sprintf("u[%d+off%d]", g.get(gpLoadAddr), off)
	}
}

func unknownOp(v uint32) string { return fmt.Sprintf("op%d", v) }

// opName names an operation of a unit.
func opName(names map[uint32]string, op uint32) string {
	return cmp.Or(names[op], unknownOp(op))
}

// Lines gives the operations of the instruction as text, one a line.
func (g *gpInstruction) lines(previous *gpInstruction) []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	g.accLines(add, previous)
	g.mulLines(add, previous)
	if v, op := g.get(gpCplxSrc), g.get(gpCplxOp); v != gpSrcUnused && op != 0 {
		add("complex = %s %s", opName(gpComplexOps, op), g.operand(v, previous, ""))
	}
	if v, op := g.get(gpPassSrc), g.get(gpPassOp); v != gpSrcUnused {
		if op == 6 {
			add("pass = clamp %s, %s.x, %s.y", g.operand(v, previous, ""), g.loadName(), g.loadName())
		} else {
			add("pass = %s %s", opName(gpPassOps, op), g.operand(v, previous, ""))
		}
	}
	for i := range 2 {
		g.storeLine(add, i)
	}
	if g.get(gpBranch) != 0 {
		add("branch pass, %d", g.branchTarget())
	}
	if u := g.get(gpUnknown); u != 0 {
		add("unknown = %d", u)
	}
	if len(out) == 0 {
		add("nop")
	}
	return out
}

func (g *gpInstruction) accLines(add func(string, ...any), previous *gpInstruction) {
	op := g.get(gpAccOp)
	info, ok := gpAccOps[op]
	if !ok {
		info = gpOp{unknownOp(op), 2}
	}
	for u := range 2 {
		a, b := g.get(gpAccSrc[u][0]), g.get(gpAccSrc[u][1])
		if a == gpSrcUnused && b == gpSrcUnused {
			continue
		}
		sa := sign(g.get(gpAccNeg[u][0])) + g.operand(a, previous, "")
		sb := sign(g.get(gpAccNeg[u][1])) + g.operand(b, previous, "0")
		switch {
		case op == 0 && sb == "-0":
			add("acc%d = mov %s", u, sa) // x + -0 is x, whatever its sign
		case info.srcs == 1:
			add("acc%d = %s %s", u, info.name, sa)
		default:
			add("acc%d = %s %s, %s", u, info.name, sa, sb)
		}
	}
}

func (g *gpInstruction) mulLines(add func(string, ...any), previous *gpInstruction) {
	op := g.get(gpMulOp)
	name := opName(gpMulOps, op)
	var src [2][2]string
	var used [2]bool
	for u := range 2 {
		a, b := g.get(gpMulSrc[u][0]), g.get(gpMulSrc[u][1])
		used[u] = a != gpSrcUnused || b != gpSrcUnused
		src[u] = [2]string{g.operand(a, previous, ""), sign(g.get(gpMulNeg[u])) + g.operand(b, previous, "1")}
	}
	if op != 0 && op != 3 { // both multipliers work together
		if !used[0] && !used[1] {
			return
		}
		if op == 4 {
			add("mul0 = sel %s, %s, %s", src[0][1], src[0][0], src[1][0])
		} else {
			add("mul0 = %s %s, %s, %s, %s", name, src[0][0], src[0][1], src[1][0], src[1][1])
		}
		return
	}
	for u := range 2 {
		switch {
		case !used[u]:
		case src[u][1] == "1":
			add("mul%d = mov %s", u, src[u][0])
		case u == 1:
			add("mul1 = mul %s, %s", src[u][0], src[u][1])
		default:
			add("mul0 = %s %s, %s", name, src[u][0], src[u][1])
		}
	}
}

func (g *gpInstruction) storeLine(add func(string, ...any), i int) {
	var comps, srcs []string
	for c := range 2 {
		if s := g.get(gpStoreSrc[2*i+c]); s != gpStoreNone {
			comps = append(comps, string("xyzw"[2*i+c]))
			srcs = append(srcs, gpStoreUnits[s&7])
		}
	}
	if len(comps) == 0 {
		return
	}
	to := fmt.Sprintf("r%d", g.get(gpStoreTo[i]))
	switch {
	case g.get(gpStoreTmp[i]) != 0:
		to = "t[store_addr]"
	case g.get(gpStoreVar[i]) != 0:
		to = fmt.Sprintf("v%d", g.get(gpStoreTo[i]))
	}
	add("%s.%s = %s", to, strings.Join(comps, ""), strings.Join(srcs, ", "))
}

func sign(neg uint32) string {
	if neg != 0 {
		return "-"
	}
	return ""
}

// branchTarget is the instruction a branch goes to.
func (g *gpInstruction) branchTarget() int {
	t := int(g.get(gpTarget))
	if g.get(gpBranchLo) == 0 {
		t += 0x100
	}
	return t
}

// gpReads reports whether any operand of the instruction is in [lo, hi].
func (g *gpInstruction) gpReads(lo, hi uint32) bool {
	sources := slices.Concat(gpMulSrc[0][:], gpMulSrc[1][:], gpAccSrc[0][:], gpAccSrc[1][:], []gpField{gpCplxSrc, gpPassSrc})
	return slices.ContainsFunc(sources, func(f gpField) bool { return g.get(f) >= lo && g.get(f) <= hi })
}

// Attribute gives the attribute the instruction fetches; the fetch may serve
// this instruction or the next.
func (g *gpInstruction) attribute() (index int, ok bool) {
	return int(g.get(gpReg0)), g.get(gpReg0Attr) != 0
}

// varying returns the varying that store i (0: x and y, 1: z and w) writes.
func (g *gpInstruction) varying(i int) (index int, ok bool) {
	used := g.get(gpStoreSrc[2*i]) != gpStoreNone || g.get(gpStoreSrc[2*i+1]) != gpStoreNone
	return int(g.get(gpStoreTo[i])), used && g.get(gpStoreVar[i]) != 0 && g.get(gpStoreTmp[i]) == 0
}

// uniform returns the vector that the instruction loads, if it uses the load
// unit's result and no address register is added.
func (g *gpInstruction) uniform() (index int, ok bool) {
	return int(g.get(gpLoadAddr)), g.get(gpLoadOff) == 7 && (g.gpReads(12, 15) || g.get(gpPassOp) == 6 && g.get(gpPassSrc) != gpSrcUnused)
}

// gpInstructions splits vertex code into instructions; rest is what remains at
// the end.
func gpInstructions(code []byte) (ins []gpInstruction, rest []byte) {
	ins = make([]gpInstruction, len(code)/gpInstructionSize)
	for i := range ins {
		copy(ins[i][:], code[i*gpInstructionSize:])
	}
	return ins, code[len(ins)*gpInstructionSize:]
}
