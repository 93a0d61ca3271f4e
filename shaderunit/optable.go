package shaderunit

// The opcodes. Missing numbers have no known function.
const (
	OpADD     Opcode = 0x00
	OpDP3     Opcode = 0x01
	OpDP4     Opcode = 0x02
	OpDPH     Opcode = 0x03
	OpDST     Opcode = 0x04
	OpEX2     Opcode = 0x05
	OpLG2     Opcode = 0x06
	OpLITP    Opcode = 0x07
	OpMUL     Opcode = 0x08
	OpSGE     Opcode = 0x09
	OpSLT     Opcode = 0x0A
	OpFLR     Opcode = 0x0B
	OpMAX     Opcode = 0x0C
	OpMIN     Opcode = 0x0D
	OpRCP     Opcode = 0x0E
	OpRSQ     Opcode = 0x0F
	OpMOVA    Opcode = 0x12
	OpMOV     Opcode = 0x13
	OpDPHI    Opcode = 0x18
	OpDSTI    Opcode = 0x19
	OpSGEI    Opcode = 0x1A
	OpSLTI    Opcode = 0x1B
	OpBREAK   Opcode = 0x20
	OpNOP     Opcode = 0x21
	OpEND     Opcode = 0x22
	OpBREAKC  Opcode = 0x23
	OpCALL    Opcode = 0x24
	OpCALLC   Opcode = 0x25
	OpCALLU   Opcode = 0x26
	OpIFU     Opcode = 0x27
	OpIFC     Opcode = 0x28
	OpLOOP    Opcode = 0x29
	OpEMIT    Opcode = 0x2A
	OpSETEMIT Opcode = 0x2B
	OpJMPC    Opcode = 0x2C
	OpJMPU    Opcode = 0x2D
	OpCMP     Opcode = 0x2E
	OpMADI    Opcode = 0x30
	OpMAD     Opcode = 0x38
)

// rows is the instruction set, the only position that describes an opcode. First
// come the operations that compute: opcode, mnemonic, format, meaning, opcode
// of the inverted form (1i, 5i), traits, components that are read, kernel, and
// how the batch engine lowers it (lower_arith.go; nil runs the kernel lane by
// lane). Then comes flow control, with its kind and condition.
//
// docs/CONTRIBUTING.md explains how to add one.
var rows = []OpInfo{
	op(OpADD, "add", Format1, "d[i] = s1[i] + s2[i]", NoOpcode, commutes, readsWritten, kernelADD, lowerAdd),
	op(OpDP3, "dp3", Format1, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z", NoOpcode, commutes, readsXYZ, kernelDP3, lowerDot(product3)),
	op(OpDP4, "dp4", Format1, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z + s1.w*s2.w", NoOpcode, commutes, readsAll, kernelDP4, lowerDot(product4)),
	op(OpDPH, "dph", Format1, "d[*] = s1.x*s2.x + s1.y*s2.y + s1.z*s2.z + s2.w", OpDPHI, 0, readsHomogenous, kernelDPH, lowerDot(productH)),
	op(OpDST, "dst", Format1, "d = (1, s1.y*s2.y, s1.z, s2.w)", OpDSTI, copies|unrelaxed, readsDistance, kernelDST, (*lowering).dst),
	op(OpEX2, "ex2", Format1u, "d[*] = 2^s1.x", NoOpcode, 0, readsX, kernelEX2, lowerFirst(kEx2)),
	op(OpLG2, "lg2", Format1u, "d[*] = log2(s1.x)", NoOpcode, 0, readsX, kernelLG2, lowerFirst(kLg2)),
	op(OpLITP, "litp", Format1u, "d = (max(s1.x, 0), clamp(s1.y, -127.9961, 127.9961), 0, max(s1.w, 0)); cmp.x = s1.x >= 0, cmp.y = s1.w >= 0", NoOpcode, copies|unrelaxed, readsLit, kernelLITP, (*lowering).litp).setting(flagsLITP),
	op(OpMUL, "mul", Format1, "d[i] = s1[i] * s2[i]", NoOpcode, commutes, readsWritten, kernelMUL, lowerMul),
	op(OpSGE, "sge", Format1, "d[i] = s1[i] >= s2[i] ? 1 : 0", OpSGEI, compares, readsWritten, kernelSGE, lowerEach(kSgeVV)),
	op(OpSLT, "slt", Format1, "d[i] = s1[i] < s2[i] ? 1 : 0", OpSLTI, compares, readsWritten, kernelSLT, lowerEach(kSltVV)),
	op(OpFLR, "flr", Format1u, "d[i] = floor(s1[i])", NoOpcode, 0, readsWritten, kernelFLR, lowerEach(kFlr)),
	op(OpMAX, "max", Format1, "d[i] = s1[i] > s2[i] ? s1[i] : s2[i]", NoOpcode, copies|commutes, readsWritten, kernelMAX, lowerEach(kMaxVV)),
	op(OpMIN, "min", Format1, "d[i] = s1[i] < s2[i] ? s1[i] : s2[i]", NoOpcode, copies|commutes, readsWritten, kernelMIN, lowerEach(kMinVV)),
	op(OpRCP, "rcp", Format1u, "d[*] = 1 / s1.x", NoOpcode, 0, readsX, kernelRCP, lowerFirst(kRcp)),
	op(OpRSQ, "rsq", Format1u, "d[*] = 1 / sqrt(s1.x)", NoOpcode, 0, readsX, kernelRSQ, lowerFirst(kRsq)),
	op(OpMOVA, "mova", Format1u, "a0.x = int(s1.x), a0.y = int(s1.y), truncating, under the mask", NoOpcode, compares|writesA0, readsAddress, nil, (*lowering).mova),
	op(OpMOV, "mov", Format1u, "d[i] = s1[i]", NoOpcode, copies, readsWritten, kernelMOV, lowerEach(kCopy)),
	op(OpCMP, "cmp", Format1c, "cmp.x = s1.x CMPX s2.x, cmp.y = s1.y CMPY s2.y", NoOpcode, compares|relaxedFirst, readsXY, nil, (*lowering).cmp).setting(flagsCMP),
	op(OpMAD, "mad", Format5, "d[i] = s1[i]*s2[i] + s3[i], the product rounded", OpMADI, 0, readsWritten, kernelMAD, (*lowering).mad),

	// Flow control and the vertices of geometry shaders.
	{Op: OpBREAK, Name: "break", Format: Format0, Semantics: "leaves the innermost LOOP", Flow: FlowBreak},
	{Op: OpNOP, Name: "nop", Format: Format0, Semantics: "does nothing"},
	{Op: OpEND, Name: "end", Format: Format0, Semantics: "ends the program for this vertex or primitive", Flow: FlowEnd},
	{Op: OpBREAKC, Name: "breakc", Format: Format2, Semantics: "leaves the innermost LOOP if the condition holds", Flow: FlowBreak, Test: TestFlags},
	{Op: OpCALL, Name: "call", Format: Format2, Semantics: "runs the NUM instructions at DST, then goes on after itself", Flow: FlowCall},
	{Op: OpCALLC, Name: "callc", Format: Format2, Semantics: "CALL if the condition holds", Flow: FlowCall, Test: TestFlags},
	{Op: OpCALLU, Name: "callu", Format: Format3, Semantics: "CALL if the bool uniform is true", Flow: FlowCall, Test: TestBool},
	{Op: OpIFU, Name: "ifu", Format: Format3, Semantics: "if the bool uniform is true runs up to DST, then jumps to DST+NUM; else jumps to DST", Flow: FlowIf, Test: TestBool},
	{Op: OpIFC, Name: "ifc", Format: Format2, Semantics: "if the condition holds runs up to DST, then jumps to DST+NUM; else jumps to DST", Flow: FlowIf, Test: TestFlags},
	{Op: OpLOOP, Name: "for", Format: Format3, Semantics: "aL = INT.y; runs up to and with DST INT.x+1 times, aL += INT.z after each", Flow: FlowLoop},
	{Op: OpEMIT, Name: "emit", Format: Format0, Semantics: "geometry shader: stores the output registers as the vertex that SETEMIT named", traits: geometryOnly},
	{Op: OpSETEMIT, Name: "setemit", Format: Format4, Semantics: "geometry shader: vertex slot, winding and primitive flag of the next EMIT", traits: geometryOnly},
	{Op: OpJMPC, Name: "jmpc", Format: Format2, Semantics: "jumps to DST if the condition holds", Flow: FlowJump, Test: TestFlags},
	{Op: OpJMPU, Name: "jmpu", Format: Format3, Semantics: "jumps to DST if the bool uniform is true (NUM bit 0 set: false)", Flow: FlowJump, Test: TestBool},
}

// op makes the row of an operation with sources.
func op(o Opcode, name string, f Format, semantics string, inverted Opcode, t traits, r reads, k kernel, l lowerFunc) OpInfo {
	return OpInfo{Op: o, Name: name, Format: f, Semantics: semantics, Inverted: inverted, traits: t, reads: r, kernel: k, lower: l}
}

// setting adds the kernel for the flags that the operation sets.
func (o OpInfo) setting(f flagsKernel) OpInfo {
	o.flags = f
	return o
}
