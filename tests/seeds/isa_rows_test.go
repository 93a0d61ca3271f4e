package seeds

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/explain/inspect"
	"pica200/frontend/gl"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/link"
	"pica200/shaderunit/lint"
	"pica200/shaderunit/trial"
	"pica200/tests/testkit"
)

// instructionSet is the table of document 004.
func instructionSet() document {
	return document{"3DS GPU Shader Instruction Set (GBATEK)", []chapter{
		{"Overview", []row{
			says("a shader is instructions and operand descriptors, sent by different commands", sentApart),
			says("an instruction names its descriptor by its place in the table", operationByName("ADD").test),
			says("both are little-endian words", func(t *testing.T) { library.check(t, "code 0x0"); library.check(t, "descriptor 0x0") }),
			says("a vertex shader has no more than 512 instructions, a shader no more than 128 descriptors", limitsOfMemory),
			{says: "a geometry shader has no more than 512 instructions either", how: otherwise, why: "up to 4096 are accepted, as picasso does: destinations have 12 bits; lint warns beyond 512", check: longGeometry},
			says("I: the wide source is the second; U: by a bool uniform; C: by a condition", suffixes),
		}},
		{"Formats", formatRows()},
		{"Operations", rows(operationRows(), []row{
			{key: "opcode 10", says: "unknown, with 11", how: notModelled, why: "an error that names the instruction"},
			{key: "opcode 14", says: "unknown, to 17", how: notModelled, why: "an error that names the instruction"},
			{key: "opcode 1C", says: "unknown, to 1F", how: notModelled, why: "an error that names the instruction"},
			says("sources are after swizzling, destinations under the mask", operationByName("MAD").test),
			{says: "DSTI is DST with its sources exchanged", how: otherwise, why: "only the widths are exchanged, as in the other inverted forms (picasso, Azahar); DSTI on a console with sources that differ in y, z and w would tell", check: operationByName("DSTI").test},
			says("BREAK must not stand in an IF or CALL inside the loop", breakInside),
			{says: "CMP may or may not respect the mask", how: ours, why: "it does not, as in Azahar; CMP with an empty mask and a conditional jump on a console would tell", check: operationByName("CMP").test},
			says("the buffer of vertices is not cleared: those of the primitive before can be used again", vertexBuffer),
			says("the product of MAD is rounded before it is added", roundedTwice),
		})},
		{"Operand descriptors", rows(descriptorRows(), []row{
			says("0x1B selects xyzw, 0x55 yyyy", selectors),
			{says: "bit 31 is usually 0", how: otherwise, why: "document 000 says that most have it. Nintendo's tools set it, picasso does not (real files); it is kept, and nothing depends on it", check: bit31},
			says("components that the mask leaves out are not needed, but dot products need all", neededComponents),
		})},
		{"Relative addressing", []row{
			{key: "IDX 0", says: "no offset", check: addressing(0, 0)},
			{key: "IDX 1", says: "a0.x", check: addressing(1, 4)},
			{key: "IDX 2", says: "a0.y", check: addressing(2, -6)},
			{key: "IDX 3", says: "the loop counter", check: addressing(3, 11)},
			says("the address register is added to the number of the source", operationByName("DPHI").test),
			says("only uniforms can be addressed so; for inputs and temporaries it counts as 0", onlyUniforms),
			{says: "a0 is rounded to whole numbers, and may be negative", how: otherwise, why: "it truncates: the same document says so where it lists MOVA, and a hardware test does (citra 1079)", check: truncates},
			says("aL is set by LOOP alone, and can still be read behind it", loops),
			{says: "what aL is behind an inner loop is not said", how: ours, why: "the outer loop's counter again (Azahar); two nested loops that read c[aL] between their ends on a console would tell", check: innerLoop},
		}},
		{"Comparisons", comparisonRows()},
		{"Conditions", []row{
			{key: "CONDOP 0", says: "either flag equals its reference", check: conditions(0, func(x, y, rx, ry bool) bool { return x == rx || y == ry })},
			{key: "CONDOP 1", says: "both do", check: conditions(1, func(x, y, rx, ry bool) bool { return x == rx && y == ry })},
			{key: "CONDOP 2", says: "cmp.x does", check: conditions(2, func(x, _, rx, _ bool) bool { return x == rx })},
			{key: "CONDOP 3", says: "cmp.y does", check: conditions(3, func(_, y, _, ry bool) bool { return y == ry })},
		}},
		{"Registers", []row{
			{says: "v0 to perhaps v7 are inputs, read only", how: otherwise, why: "v0 to v15: the field has room, the DVLE's mask and register map have 16, and programs use them", check: everySource(0, 16)},
			{says: "o0 to o6 are outputs, written only", how: otherwise, why: "o0 to o15 can be written; o7 on reach a geometry shader only (picasso, 3dbrew)", check: everyDestination(0)},
			says("output components get their meaning by registers of the GPU", maskXZ),
			says("96 float uniforms", everySource(32, 96)),
			{says: "eight bools, with question marks", how: otherwise, why: "16: SHBIN has b0 to b15", check: sixteenBools},
			says("four ints", loops),
			says("r0 to r15 can be read and written", func(t *testing.T) { everySource(16, 16)(t); everyDestination(16)(t) }),
			says("narrow sources reach inputs and temporaries only, so that two uniforms do not fit into one instruction", narrow),
			says("writing an output twice can cause hangs", writtenTwice),
			{key: "DST 0x0", says: "outputs", check: everyDestination(0)},
			{key: "DST 0x10", says: "temporaries", check: everyDestination(16)},
			{key: "SRC 0x0", says: "inputs", check: everySource(0, 16)},
			{key: "SRC 0x10", says: "temporaries", check: everySource(16, 16)},
			{key: "SRC 0x20", says: "float uniforms, in wide sources only", check: everySource(32, 96)},
		}},
		{"Control flow", []row{
			says("four stacks, of which three are listed", func(t *testing.T) { wild(0)(t); wild(1)(t); wild(2)(t); wild(3)(t) }),
			says("the CALL stack is 4 deep, the IF stack 8, the LOOP stack 4", depths),
			says("all stacks are empty at first", func(t *testing.T) {
				p := (&flowProgram{t: t}).count(0).count(1).count(2).show(1) // an entry of zeros would end at 0
				require.Equal(t, []int{1, 1, 1, 0}, counts(newMachines().run(t, p.setup(), make([]registers, 2))[0], 4))
			}),
			says("after each instruction the counter grows, and each stack looks at a copy of it", wild(4)),
			says("IF and LOOP pop one entry", onePop),
			{says: "CALL pops as many as match", how: otherwise, why: "the fourth return at once does not reach the counter (Azahar: a fault of the hardware)", check: returns},
			says("LOOP wins over IF, CALL, JMP and the counter", priorities),
		}},
	}}
}

func operationByName(name string) *operation {
	return &operations[slices.IndexFunc(operations, func(o operation) bool { return o.name == name })]
}

// operationRows has one row per opcode of the instruction table.
func operationRows() (list []row) {
	for i := range operations {
		op := &operations[i]
		for code := op.first; code <= op.last; code++ {
			r := row{key: fmt.Sprintf("opcode %02X", code), says: op.name + ": " + op.says, check: op.test}
			if code > op.first { // the low bits belong to a field, which the first opcode's cases vary
				r.check = func(t *testing.T) {
					in := shaderunit.Decode(code << 26)
					require.Equal(t, shaderunit.Decode(op.first<<26).Op, in.Op)
				}
			}
			list = append(list, r)
		}
	}
	flow := func(code uint32, says string, check func(t *testing.T)) {
		list = append(list, row{key: fmt.Sprintf("opcode %02X", code), says: says, check: check})
	}
	flow(opBREAK, "BREAK: leaves the LOOP", always("BREAK", "0", opBREAK))
	flow(opNOP, "NOP: does nothing", doesNothing)
	flow(opEND, "END: ends the vertex or primitive", ends)
	flow(opBREAKC, "BREAKC: leaves the LOOP if the condition holds", conditions(2, func(x, _, rx, _ bool) bool { return x == rx }))
	flow(opCALL, "CALL: runs DST up to DST+NUM", always("CALL", "2", opCALL))
	flow(opCALLC, "CALLC: if the condition holds", conditions(1, func(x, y, rx, ry bool) bool { return x == rx && y == ry }))
	flow(opCALLU, "CALLU: if the bool is true", byBool("CALL", opCALLU, false))
	flow(opIFU, "IFU: if the bool is true runs up to DST and goes on at DST+NUM, else at DST", byBool("IF", opIFU, false))
	flow(opIFC, "IFC: if the condition holds", conditions(0, func(x, y, rx, ry bool) bool { return x == rx || y == ry }))
	flow(opLOOP, "LOOP: up to and with DST, x + 1 times; aL starts at y and grows by z", loops)
	flow(opEMIT, "EMIT: gives out a vertex, and a primitive if SETEMIT said so", setEmit)
	flow(opSETEMIT, "SETEMIT: which vertex, whether a primitive, its winding; before EMIT", setEmit)
	flow(opJMPC, "JMPC: jumps if the condition holds", conditions(3, func(_, y, _, ry bool) bool { return y == ry }))
	flow(opJMPU, "JMPU: jumps if the bool is true, with bit 0 of NUM if it is false", byBool("JMP", opJMPU, true))
	return list
}

// formatRows has one row per field of the instruction formats; every operation decodes the field from its bits.
func formatRows() (list []row) {
	number := func(b bool) uint32 { return uint32(truth(b)) }
	get := map[string]func(in shaderunit.Instr) uint32{
		"DESC":   func(in shaderunit.Instr) uint32 { return uint32(in.Desc) },
		"SRC1":   func(in shaderunit.Instr) uint32 { return uint32(in.Src[0]) },
		"SRC2":   func(in shaderunit.Instr) uint32 { return uint32(in.Src[1]) },
		"SRC3":   func(in shaderunit.Instr) uint32 { return uint32(in.Src[2]) },
		"IDX":    func(in shaderunit.Instr) uint32 { return uint32(in.Idx) },
		"DST":    func(in shaderunit.Instr) uint32 { return uint32(in.Dst) | uint32(in.Dest) },
		"CMPX":   func(in shaderunit.Instr) uint32 { return uint32(in.CmpX) },
		"CMPY":   func(in shaderunit.Instr) uint32 { return uint32(in.CmpY) },
		"NUM":    func(in shaderunit.Instr) uint32 { return uint32(in.Num) },
		"CONDOP": func(in shaderunit.Instr) uint32 { return uint32(in.Cond) }, "REFX": func(in shaderunit.Instr) uint32 { return number(in.RefX) }, "REFY": func(in shaderunit.Instr) uint32 { return number(in.RefY) },
		"uniform":      func(in shaderunit.Instr) uint32 { return uint32(in.Uniform) },
		"FLAG_WINDING": func(in shaderunit.Instr) uint32 { return number(in.Winding) }, "FLAG_PRIMEMIT": func(in shaderunit.Instr) uint32 { return number(in.PrimEmit) },
		"VTXID": func(in shaderunit.Instr) uint32 { return uint32(in.VertexID) },
	}
	of := map[string][]uint32{"2": {opBREAKC, opCALL, opCALLC, opIFC, opJMPC}, "3": {opCALLU, opIFU, opLOOP, opJMPU}, "4": {opSETEMIT}}
	for i := range operations {
		of[operations[i].format] = append(of[operations[i].format], operations[i].first)
	}
	for _, f := range formats {
		if f.format == "0" {
			continue
		}
		bits := fmt.Sprint(f.lo)
		if f.bits > 1 {
			bits = fmt.Sprintf("%d-%d", f.lo, f.lo+f.bits-1)
		}
		list = append(list, row{key: "format " + f.format + " " + bits, says: f.name, check: func(t *testing.T) {
			rng := rand.New(rand.NewSource(1))
			for _, opcode := range of[f.format] {
				for range 100 {
					// All bits are random; the decoded field must equal its bits.
					w := opcode<<26 | rng.Uint32()>>6
					if f.format == "1c" || f.format == "5" || f.format == "5i" {
						w = word(t, f.format, fields{"opcode": opcode}) | rng.Uint32()>>(32-formats[slices.IndexFunc(formats, func(x formatField) bool { return x.format == f.format && x.name == "opcode" })].lo)
					}
					value := w >> f.lo & (1<<f.bits - 1)
					in := shaderunit.Decode(w)
					require.Equal(t, opcode, uint32(in.Op))
					switch f.name {
					case "opcode":
					case "?":
						plain := shaderunit.Decode(w &^ ((1<<f.bits - 1) << f.lo))
						plain.Unused = in.Unused
						require.Equal(t, plain, in, "unused bits have no effect")
						require.Equal(t, value, in.Unused>>f.lo&(1<<f.bits-1), "unused bits are kept")
					default:
						require.Equal(t, value, get[f.name](in), "%08X", w)
					}
					back := testkit.Must(in.Encode())(t)
					require.Equal(t, w, back)
				}
			}
		}})
	}
	return list
}

// descriptorRows has one row per field of operand descriptors; MAD must show each bit's effect.
func descriptorRows() (list []row) {
	bit := func(lo, n int, what string, check func(d shaderunit.OpDesc) uint32) {
		bits := fmt.Sprint(lo)
		if n > 1 {
			bits = fmt.Sprintf("%d-%d", lo, lo+n-1)
		}
		list = append(list, row{key: "descriptor bit " + bits, says: what, check: func(t *testing.T) {
			rng := rand.New(rand.NewSource(2))
			for range 100 {
				w := rng.Uint32()
				require.Equal(t, w>>lo&(1<<n-1), check(shaderunit.OpDesc(w)), "%08X", w)
			}
		}})
	}
	for i := range 4 {
		bit(i, 1, "writes "+"WZYX"[i:i+1], func(d shaderunit.OpDesc) uint32 { return uint32(truth(d.Writes(3 - i))) })
	}
	for n := range 3 {
		bit(4+9*n, 1, fmt.Sprintf("negates source %d", n+1), func(d shaderunit.OpDesc) uint32 { return uint32(truth(d.Neg(n))) })
		for c := 3; c >= 0; c-- {
			bit(5+9*n+2*(3-c), 2, fmt.Sprintf("component %d of source %d", c, n+1), func(d shaderunit.OpDesc) uint32 { return uint32(d.Sel(n, c)) })
		}
	}
	return append(list, row{key: "descriptor bit 31", says: "no known meaning", check: bit31})
}

// comparisonRows has one row per comparison of CMP.
func comparisonRows() (list []row) {
	what := []string{"equal", "not equal", "less", "less or equal", "greater", "greater or equal", "seems always true", "seems always true"}
	for op := range uint32(8) {
		list = append(list, row{key: fmt.Sprintf("CMP %d", op), says: what[op], check: func(t *testing.T) {
			m := newMachines()
			for other := range uint32(8) { // each pair of comparisons for x and y, both ways
				for _, c := range [][2]uint32{{op, other}, {other, op}} {
					p := &flowProgram{t: t}
					p.add("1c", opCMP, fields{"SRC1": 0, "SRC2": 1, "CMPX": c[0], "CMPY": c[1]})
					p.add("2", opJMPC, fields{"CONDOP": 2, "REFX": 1, "DST": 3}).count(0)
					p.add("2", opJMPC, fields{"CONDOP": 3, "REFY": 1, "DST": 5}).count(1)
					s := p.show(1).setup()
					var in []registers
					for k := range 16 { // less, equal, greater and NaN in x and y
						a := []float32{-2, 3, 7, float32(math.NaN())}
						in = append(in, registers{{a[k%4], a[k/4], 3, 3}, {3, 3, 9, -9}})
					}
					for lane, out := range m.run(t, s, in) {
						x := 1 - int(truth(compared(c[0], float64(in[lane][0][0]), 3)))
						y := 1 - int(truth(compared(c[1], float64(in[lane][0][1]), 3)))
						require.Equal(t, []int{x, y}, counts(out, 2), "operators %d, v0 = %v", c, in[lane][0])
					}
				}
			}
		}})
	}
	return list
}

// sentApart checks the registers by which code and descriptors reach the GPU.
func sentApart(t *testing.T) {
	p := passing(t, 0, shbin.Output{Type: shbin.OutColor, Reg: 1, Mask: 15})
	setup := draw(t, p, nil).gpu.VertexShader()
	require.Equal(t, []uint32{0x13 << 26, 0x13<<26 | 1<<21, 0x22 << 26}, []uint32{setup.Code(0), setup.Code(1), setup.Code(2)})
	require.Equal(t, shaderunit.OpDesc(0x36F), setup.Desc(0))
}

// sized returns a shader of n instructions.
func sized(t *testing.T, head string, n int) *shbin.File {
	text := head + ".out p position\n.proc main\nmov p, v0\n"
	for range n - 2 {
		text += "nop\n"
	}
	return assembled(t, text+"end\n.end")
}

func limitsOfMemory(t *testing.T) {
	f := sized(t, "", 512)
	for _, finding := range lint.Check(f, nil) {
		require.NotEqual(t, "too-long", finding.Rule.ID)
	}
	f.Program.Code = append(f.Program.Code, 0x22<<26)
	tooLong := func(text string) {
		require.True(t, slices.ContainsFunc(lint.Check(f, nil), func(x lint.Finding) bool { return x.Rule.ID == "too-long" && strings.Contains(x.Msg, text) }))
	}
	tooLong("513 instructions") // counted after the vertex shader
	f.Executables[0].EndMain = 513
	const room = "the vertex shader reaches up to instruction 513; the vertex shader unit has room for 512"
	tooLong(room)
	data := testkit.Must(f.Write())(t)
	shown := testkit.Must(inspect.Open(data, ""))(t)
	require.Contains(t, fmt.Sprint(shown.Check()), room)
	_, err := gl.NewProgram(f)
	require.ErrorContains(t, err, room)
	_, err = trial.Load(f, 0)
	require.ErrorContains(t, err, room)
	long := []byte(".out p position\n.proc main\nmov p, v0\n" + strings.Repeat("nop\n", 511) + "end\n.end")
	prog, diags := asm.Assemble(asm.Options{Object: true, Picasso: true}, asm.Source{Name: "x", Text: long})
	require.NoError(t, diags.Err())
	o := testkit.Must(prog.Object())(t)
	_, err = link.Objects(link.Options{}, link.Input{Name: "x", Object: o})
	require.ErrorContains(t, err, room)
	_, diags = asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: long})
	require.ErrorContains(t, diags.Err(), "expected at most 512")
	fails(&library, "DVLP 0x14", "81 00 00 00", "129 operand descriptors, expected at most 128")(t)
	fails(&library, "DVLP 0xC", "01 10 00 00", "4097 instructions, expected at most 4096")(t)
	fails(&object, "DVOJ 0x2C", "81 00 00 00", "129 operand descriptors, expected at most 128")(t)
	fails(&object, "DVOJ 0x24", "01 10 00 00", "4097 instructions, expected at most 4096")(t)
	var s shaderunit.Setup
	for n := range 200 {
		s.SetDesc(n, uint32(n+1))
	}
	require.Equal(t, []shaderunit.OpDesc{128, 0}, []shaderunit.OpDesc{s.Desc(127), s.Desc(128)})
}

func longGeometry(t *testing.T) {
	f := sized(t, ".gsh point c0\n", 4096)
	require.Len(t, f.Program.Code, 4096)
	_, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(".gsh point c0\n.out p position\n.proc main\n" + strings.Repeat("nop\n", 4096) + "end\n.end")})
	require.Error(t, diags.Err())
}

func suffixes(t *testing.T) {
	for _, c := range []struct {
		op, plain uint32
		name      string
	}{{0x18, 0x03, "dph"}, {0x19, 0x04, "dst"}, {0x1A, 0x09, "sge"}, {0x1B, 0x0A, "slt"}, {0x30, 0x38, "mad"}} {
		info := shaderunit.Opcode(c.op).Info()
		require.Equal(t, shaderunit.Opcode(c.plain), info.Inverted)
		require.Equal(t, c.name, info.Name)
		require.Equal(t, info.Format.Sources()-1, info.Format.Wide())
	}
	for op, test := range map[uint32]shaderunit.TestKind{opCALL: shaderunit.TestNone, opCALLC: shaderunit.TestFlags, opCALLU: shaderunit.TestBool, opIFC: shaderunit.TestFlags,
		opIFU: shaderunit.TestBool, opJMPC: shaderunit.TestFlags, opJMPU: shaderunit.TestBool, opBREAK: shaderunit.TestNone, opBREAKC: shaderunit.TestFlags} {
		require.Equal(t, test, shaderunit.Opcode(op).Info().Test)
	}
}

// breakInside checks that lint finds BREAKC inside an IF, and inside a procedure called from a loop.
func breakInside(t *testing.T) {
	count := func(text string) (n int) {
		for _, finding := range lint.Check(assembled(t, ".consti n(1, 0, 1, 0)\n.out p position\n"+text), nil) {
			n += int(truth(finding.Rule.ID == "break-nested"))
		}
		return n
	}
	require.Zero(t, count(".proc main\nmov p, v0\nfor n\nnop\nbreak\nnop\n.end\nend\n.end"))
	require.NotZero(t, count(".proc main\nmov p, v0\nfor n\nifu b0\nnop\nbreak\nnop\n.end\nnop\n.end\nend\n.end"))
	require.NotZero(t, count(".proc f\nnop\nbreak\nnop\n.end\n.proc main\nmov p, v0\nfor n\ncall f\nnop\n.end\nend\n.end"))
}

func roundedTwice(t *testing.T) {
	// (1 + 2^-16)^2 is 1 + 2^-15 + 2^-32; without rounding of the product, 2^-32 would remain after subtracting 1 + 2^-15.
	a := float32(1 + 1.0/65536)
	s := setupOf(map[uint32]uint32{0: identity}, operationByName("MAD").word(t, fields{"SRC1": 0, "SRC2": 0, "SRC3": 1}), word(t, "0", fields{"opcode": opEND}))
	out := newMachines().run(t, s, []registers{{{a, a, a, a}, {-1 - 1.0/32768, -1 - 1.0/32768, -1, 0}}})
	require.Equal(t, [4]float32{0, 0, 1.0 / 32768, 1 + 1.0/32768}, out[0][0])
}

func selectors(t *testing.T) {
	for sel, want := range map[uint32][4]float32{0x1B: {10, 20, 30, 40}, 0x55: {20, 20, 20, 20}} {
		for n := range 3 {
			src := fields{"SRC1": 1, "SRC2": 1, "SRC3": 1}
			src[fmt.Sprintf("SRC%d", n+1)] = 0
			// v1 is all 1 and v2 all 0, so that MAD returns v0.
			in := registers{{10, 20, 30, 40}, {1, 1, 1, 1}, {}}
			if n < 2 {
				src["SRC3"] = 2
			} else {
				src["SRC2"] = 2
			}
			s := setupOf(map[uint32]uint32{0: identity&^(0xFF<<(5+9*n)) | sel<<(5+9*n)}, operationByName("MAD").word(t, src), word(t, "0", fields{"opcode": opEND}))
			require.Equal(t, want, newMachines().run(t, s, []registers{in})[0][0])
		}
	}
}

// neededComponents checks that components outside of the mask do not affect the result, except in dot products.
func neededComponents(t *testing.T) {
	for name, all := range map[string]bool{"ADD": false, "MUL": false, "MAX": false, "MAD": false, "DP4": true} {
		s := setupOf(map[uint32]uint32{0: identity&^15 | 0xC}, operationByName(name).word(t, fields{"SRC1": 0, "SRC2": 1, "SRC3": 2}), word(t, "0", fields{"opcode": opEND}))
		in := registers{{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}}
		other := in
		other[0][2], other[1][3] = 33, 44
		out := newMachines().run(t, s, []registers{in, other})
		require.Equal(t, all, out[0][0] != out[1][0], name)
		require.Equal(t, [2]float32{0, 1}, [2]float32(out[0][0][2:]), name)
	}
}

// addressing reads c[20 + offset] with an address register; each address register holds a different number.
func addressing(idx uint32, offset int) func(t *testing.T) {
	return func(t *testing.T) {
		p := &flowProgram{t: t}
		p.add("1u", opMOVA, fields{"SRC1": 0})
		p.add("3", opLOOP, fields{"uniform": 1, "DST": 3})
		p.add("1u", opMOV, fields{"SRC1": 32 + 20, "IDX": idx, "DST": 0})
		p.add("0", opNOP, nil).add("0", opEND, nil)
		s := p.setup()
		s.Int[1] = [4]uint8{0, 11, 99, 0}
		for i := range s.Float {
			s.Float[i] = uniformValue(i)
		}
		require.Equal(t, uniformValue(20+offset), newMachines().run(t, s, []registers{{{4, -6, 50, 60}}})[0][0])
		// Lanes with different addresses.
		for lane, out := range newMachines().run(t, s, []registers{{{4, -6}}, {{5, -7}}, {{6, -8}}}) {
			want := 20 + offset
			switch idx {
			case 1:
				want += lane
			case 2:
				want -= lane
			}
			require.Equal(t, uniformValue(want), out[0])
		}
	}
}

func onlyUniforms(t *testing.T) {
	for _, r := range []uint32{2, 16 + 3} {
		for idx := range uint32(4) {
			p := &flowProgram{t: t}
			p.add("1u", opMOVA, fields{"SRC1": 0}).add("1u", opMOV, fields{"SRC1": 1, "DST": 16 + 3})
			p.add("3", opLOOP, fields{"uniform": 1, "DST": 4})
			p.add("1u", opMOV, fields{"SRC1": r, "IDX": idx, "DST": 0}).add("0", opNOP, nil).add("0", opEND, nil)
			s := p.setup()
			s.Int[1] = [4]uint8{0, 5, 0, 0}
			out := newMachines().run(t, s, []registers{{{3, 4}, {7, 8, 9, 10}, {11, 12, 13, 14}}})
			require.Equal(t, map[uint32][4]float32{2: {11, 12, 13, 14}, 19: {7, 8, 9, 10}}[r], out[0][0])
		}
	}
}

func truncates(t *testing.T) {
	for x, want := range map[float32]int{2.9: 2, -2.9: -2, 0.5: 0, -0.5: 0, -3: -3, 7: 7, 2.5: 2, 3.5: 3} {
		for idx := range uint32(2) {
			p := &flowProgram{t: t}
			p.add("1u", opMOVA, fields{"SRC1": 0, "DESC": 1 + idx}).add("1u", opMOV, fields{"SRC1": 32 + 20, "IDX": 1 + idx}).add("0", opEND, nil)
			s := p.setup()
			for i := range s.Float {
				s.Float[i] = uniformValue(i)
			}
			in := registers{}
			in[0][idx], in[0][1-idx] = x, 55
			require.Equal(t, uniformValue(20+want), newMachines().run(t, s, []registers{in})[0][0], "%v", x)
		}
	}
}

// innerLoop reads c[aL] between the ends of two nested loops.
func innerLoop(t *testing.T) {
	p := &flowProgram{t: t}
	p.add("3", opLOOP, fields{"uniform": 1, "DST": 4}).add("3", opLOOP, fields{"uniform": 2, "DST": 2}).count(0)
	p.add("1", opADD, fields{"DESC": 2, "SRC1": 32 + 10, "IDX": 3, "SRC2": 16, "DST": 16}).add("0", opNOP, nil)
	s := p.show(1).setup()
	s.Int[1], s.Int[2] = [4]uint8{2, 4, 3, 0}, [4]uint8{1, 20, 5, 0}
	for i := 1; i < 96; i++ {
		s.Float[i][1] = float32(i * i)
	}
	out := newMachines().run(t, s, make([]registers, 2))[0]
	require.Equal(t, float32(6), out[0][0])
	require.Equal(t, float32(14*14+17*17+20*20), out[0][1])
}

// everySource reads each register of a kind through every source that can reach it.
func everySource(first, n uint32) func(t *testing.T) {
	return func(t *testing.T) {
		m := newMachines()
		for i := range operations {
			op := &operations[i]
			sources, wide := op.sources()
			if op.name != "MAX" && op.name != "MOV" && op.name != "MAD" && op.name != "MADI" && op.name != "SLTI" {
				continue
			}
			for k := range sources {
				for r := first; r < first+n && (k == wide || r < 32); r++ {
					o := operand{mask: 15, swizzle: [3]uint32{0x1B, 0x1B, 0x1B}}
					o.src[k] = r
					o.src[(k+1)%3] = 16
					var code []uint32
					for d := range uint32(16) {
						code = append(code, word(t, "1u", fields{"opcode": opMOV, "SRC1": d ^ 5, "DST": 16 + d}))
					}
					code = append(code, op.word(t, fields{"SRC1": o.src[0], "SRC2": o.src[1], "SRC3": o.src[2], "DST": 7}), word(t, "0", fields{"opcode": opEND}))
					s := setupOf(map[uint32]uint32{0: identity}, code...)
					for i := range s.Float {
						s.Float[i] = addressed(i)
					}
					var in, temp registers
					for v := range in {
						in[v] = uniformValue(v + 3)
					}
					for v := range temp {
						temp[v] = in[v^5]
					}
					_, want := op.model(&o, &in, &temp, vec{0, 0, 0, 1})
					got := m.run(t, s, []registers{in})[0][7]
					for c := range want {
						require.Equal(t, want[c], float64(got[c]), "%s, source %d, register 0x%X", op.name, k+1, r)
					}
				}
			}
		}
	}
}

// everyDestination writes each register of a kind and compares all of them.
func everyDestination(first uint32) func(t *testing.T) {
	return func(t *testing.T) {
		m := newMachines()
		for r := range uint32(16) {
			code := []uint32{word(t, "1u", fields{"opcode": opMOV, "SRC1": 3, "DST": first + r})}
			if first > 0 {
				for d := range uint32(16) {
					code = append(code, word(t, "1u", fields{"opcode": opMOV, "SRC1": 16 + d, "DST": d}))
				}
			}
			s := setupOf(map[uint32]uint32{0: identity}, append(code, word(t, "0", fields{"opcode": opEND}))...)
			in := registers{}
			in[3] = [4]float32{5, 6, 7, 8}
			for o, have := range m.run(t, s, []registers{in})[0] {
				want := [4]float32{0, 0, 0, 1}
				if o == int(r) {
					want = in[3]
				}
				require.Equal(t, want, have, "o%d", o)
			}
		}
	}
}

func sixteenBools(t *testing.T) {
	for b := range uint8(16) {
		s := shaderunit.Setup{Bool: 1 << b}
		for n := range uint8(16) {
			require.Equal(t, n == b, s.BoolUniform(n))
		}
	}
	byBool("CALL", opCALLU, false)(t)
}

func narrow(t *testing.T) {
	for i := range operations {
		op := &operations[i]
		n, wide := op.sources()
		for k := range n {
			in := shaderunit.Decode(op.word(t, nil))
			in.Src[k] = 32
			_, err := in.Encode()
			require.Equal(t, k == wide, err == nil, "%s, source %d", op.name, k+1)
		}
	}
	_, diags := asm.Assemble(asm.Options{}, asm.Source{Name: "x", Text: []byte(".out p position\n.proc main\nadd p, c0, c1\nend\n.end")})
	require.Error(t, diags.Err())
}

func writtenTwice(t *testing.T) {
	count := func(body string) (n int) {
		for _, finding := range lint.Check(assembled(t, ".out p position\n.proc main\n"+body+"end\n.end"), nil) {
			n += int(truth(finding.Rule.ID == "output-twice"))
		}
		return n
	}
	require.Zero(t, count("mov p.xy, v0\nmov p.zw, v0\n"))
	require.NotZero(t, count("mov p, v0\nmov p.x, v0\n"))
}

func doesNothing(t *testing.T) {
	p := (&flowProgram{t: t}).count(0).add("0", opNOP, nil).add("0", opNOP, nil).count(1).show(1)
	s := p.setup()
	require.Equal(t, []int{1, 1, 0, 0}, counts(newMachines().run(t, s, make([]registers, 2))[0], 4))
	s.SetCode(1, 0x21<<26|0x3FFFFFF) // all other bits set
	require.Equal(t, []int{1, 1, 0, 0}, counts(newMachines().run(t, s, make([]registers, 2))[0], 4))
}

func ends(t *testing.T) {
	p := (&flowProgram{t: t}).add("1u", opMOV, fields{"SRC1": 32 + 1}).add("0", opEND, nil)
	p.add("1u", opMOV, fields{"SRC1": 32}).add("0", opEND, nil)
	require.Equal(t, [4]float32{1, 2, 3, 4}, newMachines().run(t, p.setup(), make([]registers, 2))[0][0])
	it := shaderunit.Interpreter{MaxSteps: 100}
	it.Reset()
	require.ErrorContains(t, it.Run(setupOf(nil, 0x21<<26, word(t, "3", fields{"opcode": opJMPU, "NUM": 1, "DST": 0}))), "never reaches END")
}
