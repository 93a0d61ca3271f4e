package states

import (
	"math"

	"pica200/pica"
	"pica200/shaderunit"
)

// unit is a shader unit: contents that were generated but not sent.
type unit struct {
	base pica.Reg

	code, desc []uint32
	uniforms   map[int][4]float32 // to send
	loaded     bool               // the code was sent and is still valid
	entry      int                // entry point in words

	outputs []int // output registers that are enabled, ascending

	// Uniforms that the program reads, so that changing them has an effect.
	floats, ints, bools []int
}

// reads returns one of the uniforms that the program reads, with high probability.
func (g *generator) reads(used []int, of int) int {
	if len(used) == 0 || g.chance(0.2) {
		return g.below(of)
	}
	return used[g.below(len(used))]
}

// Uniforms with a purpose; the others are arbitrary.
const (
	scaleUniform  = 4  // brings positions to clip space
	shiftUniform  = 91 // moves positions depending on flow control, see generator.guided
	cornerUniform = 92 // first of 3: offsets of corners in the geometry shader
)

// programGenerator generates a program.
type programGenerator struct {
	random
	code     []shaderunit.Instr
	calls    []int // CALLs of the procedure after END
	geometry bool
	open     bool  // has no END
	definite bool  // emits only complete triangles
	outputs  []int // that bodies may emit
	inputs   int   // useful input registers

	floats, ints, bools []int // uniforms that it reads
}

func (p *programGenerator) float() shaderunit.SrcReg {
	i := p.below(96)
	p.floats = append(p.floats, i)
	return uniformReg(i)
}

func (p *programGenerator) bool() uint8 {
	i := p.below(16)
	p.bools = append(p.bools, i)
	return uint8(i)
}

func temp(i int) shaderunit.SrcReg       { return shaderunit.SrcTemp + shaderunit.SrcReg(i) }
func toTemp(i int) shaderunit.DstReg     { return shaderunit.DstTemp + shaderunit.DstReg(i) }
func uniformReg(i int) shaderunit.SrcReg { return shaderunit.SrcUniform + shaderunit.SrcReg(i) }
func inputReg(i int) shaderunit.SrcReg   { return shaderunit.SrcInput + shaderunit.SrcReg(i) }
func outputReg(i int) shaderunit.DstReg  { return shaderunit.DstOutput + shaderunit.DstReg(i) }

// add appends an instruction and returns its address. Two MOVA in a row hang, so most are followed by another instruction.
func (p *programGenerator) add(in shaderunit.Instr) int {
	at := len(p.code)
	p.code = append(p.code, in)
	if in.Op == shaderunit.OpMOVA && at%16 != 0 {
		p.code = append(p.code, shaderunit.Instr{Op: shaderunit.OpNOP})
	}
	return at
}

// plainDesc is the number of the identity descriptor.
const plainDesc = 0

// numDescs is the number of descriptors in use.
const numDescs = 24

func (p *programGenerator) move(dst shaderunit.DstReg, src shaderunit.SrcReg) {
	p.add(shaderunit.Instr{Op: shaderunit.OpMOV, Dst: dst, Src: [3]shaderunit.SrcReg{src}, Desc: plainDesc})
}

// computing lists every opcode with sources in order, then common ones again.
var computing = func() (ops []shaderunit.Opcode) {
	for _, info := range shaderunit.Instructions() {
		if info.Format.Sources() > 0 {
			ops = append(ops, info.Op)
		}
	}
	return append(ops, shaderunit.OpMOV, shaderunit.OpMUL, shaderunit.OpADD, shaderunit.OpMAD)
}()

// compute adds an arithmetic instruction. Register r0 holds the position and is kept.
func (p *programGenerator) compute() {
	op := computing[p.below(len(computing))]
	f := op.Info().Format
	in := shaderunit.Instr{
		Op: op, Desc: uint8(p.below(numDescs)),
		CmpX: shaderunit.CompareOp(p.below(8)), CmpY: shaderunit.CompareOp(p.below(8)),
	}
	for k := range f.Sources() {
		switch {
		case k == f.Wide() && p.chance(0.5):
			in.Src[k] = p.float()
			in.Idx = shaderunit.AddrReg(oneOf(p.random, 0, 0, p.below(4)))
		case p.chance(0.5):
			in.Src[k] = inputReg(p.below(max(1, p.inputs)))
		default:
			in.Src[k] = temp(p.below(6))
		}
	}
	if f.HasDst() {
		in.Dst = toTemp(p.between(1, 5))
	}
	p.add(in)
}

// emit adds the emission of a vertex.
func (p *programGenerator) emit(slot int, prim, winding bool) {
	p.add(shaderunit.Instr{Op: shaderunit.OpSETEMIT, VertexID: uint8(slot), PrimEmit: prim, Winding: winding})
	p.add(shaderunit.Instr{Op: shaderunit.OpEMIT})
}

// body adds a block of statements with nested blocks.
func (p *programGenerator) body(depth, loops int) {
	for range p.between(1, 4) {
		kind := p.below(14)
		if depth >= 2 && kind >= 8 {
			kind = 0
		}
		cond := shaderunit.Instr{Cond: shaderunit.CondOp(p.below(4)), RefX: p.chance(0.5), RefY: p.chance(0.5)}
		if p.geometry && !p.definite && p.chance(0.1) {
			for _, o := range p.outputs {
				p.move(outputReg(o), oneOf(p.random, temp(0), temp(p.below(6)), inputReg(p.below(max(1, p.inputs)))))
			}
			p.emit(p.below(4), p.chance(0.5), p.chance(0.5))
		}
		switch kind {
		default:
			p.compute()
		case 8, 9:
			cond.Op = shaderunit.OpIFC
			if kind == 9 {
				cond = shaderunit.Instr{Op: shaderunit.OpIFU, Uniform: p.bool()}
			}
			at := p.add(cond)
			p.body(depth+1, loops)
			p.code[at].Dest = uint16(len(p.code))
			if p.chance(0.5) {
				p.body(depth+1, loops)
			}
			p.code[at].Num = uint8(len(p.code) - int(p.code[at].Dest))
		case 10:
			i := p.below(4)
			p.ints = append(p.ints, i)
			at := p.add(shaderunit.Instr{Op: shaderunit.OpLOOP, Uniform: uint8(i)})
			p.body(depth+1, loops+1)
			p.add(shaderunit.Instr{Op: shaderunit.OpNOP})
			p.code[at].Dest = uint16(len(p.code) - 1)
		case 11:
			cond.Op = oneOf(p.random, shaderunit.OpCALL, shaderunit.OpCALLC, shaderunit.OpCALLU)
			if cond.Op == shaderunit.OpCALLU {
				cond = shaderunit.Instr{Op: shaderunit.OpCALLU, Uniform: p.bool()}
			}
			p.calls = append(p.calls, p.add(cond))
			p.add(shaderunit.Instr{Op: shaderunit.OpNOP})
		case 12:
			cond.Op = shaderunit.OpJMPC
			if p.chance(0.4) {
				cond = shaderunit.Instr{Op: shaderunit.OpJMPU, Uniform: p.bool(), Num: uint8(p.below(2))}
			}
			at := p.add(cond)
			p.body(depth+1, loops)
			p.code[at].Dest = uint16(len(p.code))
			p.add(shaderunit.Instr{Op: shaderunit.OpNOP})
		case 13:
			if loops > 0 {
				cond.Op = shaderunit.OpBREAKC
				p.add(cond)
			}
		}
	}
}

// guide makes a bool and an int uniform move the position.
func (p *programGenerator) guide() {
	shift := func() {
		p.add(shaderunit.Instr{Op: shaderunit.OpADD, Dst: toTemp(0), Src: [3]shaderunit.SrcReg{uniformReg(shiftUniform), temp(0)}, Desc: plainDesc})
		p.add(shaderunit.Instr{Op: shaderunit.OpNOP})
	}
	at := p.add(shaderunit.Instr{Op: shaderunit.OpIFU, Uniform: p.bool()})
	shift()
	p.code[at].Dest = uint16(len(p.code))
	i := p.below(4)
	p.ints = append(p.ints, i)
	at = p.add(shaderunit.Instr{Op: shaderunit.OpLOOP, Uniform: uint8(i)})
	shift()
	p.code[at].Dest = uint16(len(p.code) - 1)
}

// finish ends the program and adds the procedure.
func (p *programGenerator) finish(u *unit) {
	if !p.open {
		p.add(shaderunit.Instr{Op: shaderunit.OpEND})
	}
	at := len(p.code)
	p.compute()
	p.compute()
	for _, c := range p.calls {
		p.code[c].Dest, p.code[c].Num = uint16(at), uint8(len(p.code)-at)
	}
	u.code = u.code[:0]
	u.entry = oneOf(p.random, 0, 0, p.between(1, 100))
	for _, in := range p.code {
		switch in.Info().Format {
		case shaderunit.Format2, shaderunit.Format3:
			in.Dest += uint16(u.entry)
		}
		w, err := in.Encode()
		if err != nil {
			panic(err) // invalid instruction
		}
		u.code = append(u.code, w)
	}
	u.loaded = false
	u.floats, u.ints, u.bools = p.floats, p.ints, p.bools
}

// descriptors makes operand descriptors; the first is the identity.
func (g *generator) descriptors(u *unit) {
	u.desc = append(u.desc[:0], uint32(shaderunit.MakeOpDesc(shaderunit.MaskXYZW,
		[3]uint8{shaderunit.SwizzleXYZW, shaderunit.SwizzleXYZW, shaderunit.SwizzleXYZW}, [3]bool{})))
	for len(u.desc) < numDescs {
		w := g.Uint32() &^ (1 << 31)
		if g.chance(0.6) {
			w |= 0xF
		}
		u.desc = append(u.desc, w)
	}
}

// number returns a value for a uniform or a vertex: mostly small, sometimes special.
func (g *generator) number() float32 {
	kind := g.below(24)
	if g.tame {
		kind = max(kind, 2)
	}
	switch kind {
	case 0:
		return oneOf(g.random, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()), 1e15, -1e-15)
	case 1:
		return math.Float32frombits(g.Uint32())
	case 2, 3, 4:
		return oneOf(g.random, float32(0), 1, -1, 0.5, 2, 127)
	}
	return g.float(-2, 2)
}

// subnormal returns a subnormal float24 other than 0.
func (g *generator) subnormal() float32 { return pica.Float24.Decode(g.Uint32() & 0xFFFF) }

// rollUniforms randomizes float uniforms: all, or n.
func (g *generator) rollUniforms(u *unit, n int) {
	if u.uniforms == nil {
		u.uniforms = map[int][4]float32{}
	}
	for range n {
		i := g.reads(u.floats, 96)
		if n >= 96 {
			i = len(u.uniforms)
		}
		if i == scaleUniform || g.guided && i == shiftUniform || i >= cornerUniform && i < cornerUniform+3 {
			if n < 96 {
				continue
			}
		}
		var v [4]float32
		for c := range v {
			v[c] = g.number()
			if g.chance(0.02) {
				v[c] = g.subnormal()
			}
		}
		u.uniforms[i] = v
	}
	for i := range 3 {
		if n >= 96 {
			u.uniforms[cornerUniform+i] = [4]float32{g.float(-0.7, 0.7), g.float(-0.7, 0.7), g.float(-0.1, 0.1), 0}
		}
	}
}

// vertexProgram makes a vertex shader for the mesh; a simple one passes its inputs on.
func (g *generator) vertexProgram(simple bool) {
	u := &g.vs
	m := &g.mesh
	g.descriptors(u)
	p := programGenerator{random: g.random, inputs: 8}
	p.add(shaderunit.Instr{Op: shaderunit.OpMUL, Dst: toTemp(0), Src: [3]shaderunit.SrcReg{uniformReg(scaleUniform), inputReg(m.input(0))}, Desc: plainDesc})
	if !simple {
		if g.chance(0.6) {
			p.add(shaderunit.Instr{Op: shaderunit.OpMOVA, Src: [3]shaderunit.SrcReg{inputReg(g.below(4))}, Desc: plainDesc})
		}
		p.body(0, 0)
		if g.chance(0.7) {
			p.body(0, 0)
		}
	}
	if g.guided {
		p.guide()
	}
	// Outputs: the first is the position.
	u.outputs = g.registers(g.between(1, 5))
	for k, o := range u.outputs {
		src := temp(0)
		if k > 0 {
			src = inputReg(m.input(min(k, len(m.attributes)-1)))
			if !simple && g.chance(0.5) {
				src = oneOf(g.random, temp(g.between(1, 5)), inputReg(g.below(8)), p.float())
			}
		}
		p.move(outputReg(o), src)
	}
	p.finish(u)
	var mask uint32
	for _, o := range u.outputs {
		mask |= 1 << o
	}
	at := pica.OffsetVsh
	r := &g.regs
	pica.ShOutmapMask.At(at).Set(r, mask)
	n := uint32(len(u.outputs) - 1)
	r[pica.RegVshOutmapTotal1], r[pica.RegVshOutmapTotal2] = n, n
	pica.PrimitiveConfigOutputs.Set(r, n)
	r[pica.RegVshEntrypoint] = 0x7FFF0000 | uint32(u.entry)
	if u.uniforms == nil || g.chance(0.3) {
		g.rollUniforms(u, 96)
	}
	if u.uniforms == nil {
		u.uniforms = map[int][4]float32{}
	}
	u.uniforms[scaleUniform] = m.scale()
	if g.guided {
		u.uniforms[shiftUniform] = [4]float32{0.13, 0.07, 0, 0}
	}
	g.flowUniforms(u)
}

// registers returns n of the 16 output registers, ascending.
func (g *generator) registers(n int) (regs []int) {
	step := 1
	if g.chance(0.2) {
		step = g.between(1, 16/n)
	}
	for i := range n {
		regs = append(regs, i*step)
	}
	return regs
}

// flowUniforms randomizes bool and int uniforms.
func (g *generator) flowUniforms(u *unit) {
	r := &g.regs
	r[pica.RegGshBooluniform+u.base] = 0x7FFF0000 | g.Uint32()&0xFFFF
	for i := range pica.Reg(4) {
		g.rollInt(u, i)
	}
}

func (g *generator) rollInt(u *unit, i pica.Reg) {
	g.regs[pica.RegGshIntuniformI0+u.base+i] = uint32(g.below(4)) | uint32(g.below(96))<<8 | uint32(g.below(6))<<16
}

// outmap assigns semantics to the outputs of the last shader.
func (g *generator) outmap(outputs int) {
	r := &g.regs
	pica.ShOutmapTotal.Set(r, uint32(min(outputs, 7)))
	const none = 31
	kinds := [][4]uint32{{8, 9, 10, 11}, {12, 13, 16, none}, {14, 15, 22, 23}, {4, 5, 6, 7}, {18, 19, 20, none}, {22, 23, 12, 13}}
	g.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	if g.chance(0.7) { // colour first
		for i := range kinds {
			if kinds[i][0] == 8 {
				kinds[0], kinds[i] = kinds[i], kinds[0]
			}
		}
	}
	for slot := range pica.Reg(7) {
		word := uint32(0x03020100)
		if slot > 0 {
			k := kinds[(int(slot)-1)%len(kinds)]
			if g.chance(0.1) {
				k[g.below(4)] = uint32(g.between(4, 23))
			}
			word = k[0] | k[1]<<8 | k[2]<<16 | k[3]<<24
		}
		r[pica.RegShOutmapO0+slot] = word
	}
}
