package symbolic

import (
	"math"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
)

// Bounds of a run. If they are exceeded, Result.Complete is false.
const (
	maxPaths = 32
	maxSteps = 3000 // of one path
	maxNodes = 30000
)

// Vector is the four components of a register.
type Vector [4]*Node

// Path is one path through a program.
type Path struct {
	Outputs [16]Vector // nil where nothing was written
	// Emitted are the outputs at each EMIT of a geometry shader, in order.
	Emitted [][16]Vector
	// Conditions are the operands of the comparisons that the path depends on.
	Conditions []*Node
}

// Result is the result of a run. On the first path, bool uniforms have their
// constants' values or are false, and unknown comparisons are false.
type Result struct {
	Paths    []Path
	Complete bool // all paths were followed to their end

	m *machine
}

// Options change the start of a run.
type Options struct {
	Geometry bool // mark uniform nodes as the geometry shader's
	// Inputs, if not nil, are the contents of input registers in place of Input
	// nodes, and Uniforms those of float uniforms. They are for a geometry shader
	// that gets the results of a vertex shader; From says whose nodes they are.
	Inputs   map[int]Vector
	Uniforms map[int]Vector
	From     *Result
}

// Run follows the code of an executable from its entry point.
func Run(f *shbin.File, exec *shbin.Executable, o Options) *Result {
	m := &machine{known: map[nodeKey]*Node{}}
	if o.From != nil {
		m = o.From.m
	}
	m.o = o
	m.setup = setup(f, exec)
	m.constants = map[int]bool{}
	m.bools = 0
	for _, c := range exec.Constants {
		switch c.Kind {
		case shbin.ConstantFloat:
			m.constants[int(c.Reg)] = true
		case shbin.ConstantBool:
			m.bools |= 1 << (c.Reg & 15)
		}
	}
	r := &Result{Complete: true, m: m}
	first := &state{flow: shaderunit.Flow{PC: uint16(exec.Main)}}
	for i := range first.temp {
		for k := range 4 {
			first.temp[i][k] = m.node(nodeKey{kind: Start, reg: i, comp: k})
		}
	}
	todo := []*state{first}
	for len(todo) > 0 {
		if len(r.Paths) == maxPaths {
			r.Complete = false
			break
		}
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		forks, whole := m.follow(s)
		r.Complete = r.Complete && (whole || len(forks) > 0)
		if whole || len(forks) == 0 {
			r.Paths = append(r.Paths, Path{s.out, s.emitted, s.conditions})
		}
		for i := len(forks) - 1; i >= 0; i-- {
			todo = append(todo, forks[i])
		}
	}
	return r
}

// setup makes a shader unit with the program and its constants.
func setup(f *shbin.File, exec *shbin.Executable) *shaderunit.Setup {
	s := &shaderunit.Setup{Entry: uint16(exec.Main)}
	s.Load(f.Program.Code, f.Program.DescriptorWords())
	for _, c := range exec.Constants {
		switch c.Kind {
		case shbin.ConstantFloat:
			if c.Reg < 96 {
				s.Float[c.Reg] = pica.Float24.Decode4(c.Float())
			}
		case shbin.ConstantInt:
			s.Int[c.Reg&3] = c.Int()
		case shbin.ConstantBool:
			if c.Bool() {
				s.Bool |= 1 << (c.Reg & 15)
			}
		}
	}
	return s
}

type machine struct {
	known     map[nodeKey]*Node
	o         Options
	setup     *shaderunit.Setup
	constants map[int]bool // float uniforms that are constants
	bools     uint16       // bool uniforms that are constants
}

type nodeKey struct {
	kind      Kind
	geometry  bool
	op        shaderunit.Opcode
	reg, comp int
	value     uint64
	args      [8]int
}

func (m *machine) node(k nodeKey, args ...*Node) *Node {
	for i, a := range args {
		k.args[i] = a.id
	}
	if n, ok := m.known[k]; ok {
		return n
	}
	n := &Node{Kind: k.kind, Geometry: k.geometry, Op: k.op, Reg: k.reg, Comp: k.comp, Value: math.Float64frombits(k.value), Args: args, id: len(m.known) + 1}
	if k.kind != Const {
		n.Value = 0
	}
	for _, a := range args {
		n.Inputs |= a.Inputs
	}
	if k.kind == Input {
		n.Inputs = 1 << k.reg
	}
	m.known[k] = n
	return n
}

func (m *machine) number(x float64) *Node {
	if x == 0 {
		x = 0 // not -0
	}
	return m.node(nodeKey{kind: Const, value: math.Float64bits(x)})
}

// apply returns the node of an operation, or a simpler equal one.
func (m *machine) apply(op shaderunit.Opcode, args ...*Node) *Node {
	constant := func(i int, x float64) bool { return args[i].Kind == Const && args[i].Value == x }
	switch op {
	case shaderunit.OpADD:
		if constant(0, 0) {
			return args[1]
		} else if constant(1, 0) {
			return args[0]
		}
	case shaderunit.OpMUL:
		if constant(0, 0) || constant(1, 0) {
			return m.number(0)
		} else if constant(0, 1) {
			return args[1]
		} else if constant(1, 1) {
			return args[0]
		} else if constant(0, -1) {
			return m.apply(Neg, args[1])
		} else if constant(1, -1) {
			return m.apply(Neg, args[0])
		}
	case Neg:
		if args[0].Kind == Op && args[0].Op == Neg {
			return args[0].Args[0]
		}
	case shaderunit.OpMAX, shaderunit.OpMIN:
		if args[0] == args[1] {
			return args[0]
		}
	}
	numbers := make([]float64, len(args))
	for i, a := range args {
		if a.Kind != Const {
			return m.node(nodeKey{kind: Op, op: op}, args...)
		}
		numbers[i] = a.Value
	}
	if x := compute(op, numbers); !math.IsNaN(x) {
		return m.number(x)
	}
	return m.node(nodeKey{kind: Op, op: op}, args...)
}

// state is a shader unit in the middle of a path.
type state struct {
	flow       shaderunit.Flow
	temp, out  [16]Vector
	a0         [2]*Node
	cmp        [2]flag
	emitted    [][16]Vector
	conditions []*Node
	steps      int
	forced     *bool // after a fork: the value of the condition at the counter
}

// flag is a comparison flag: its value if it is known, otherwise its operands.
type flag struct {
	known, value bool
	a, b         *Node
}

// follow runs a state to the end of the program or to a fork, and returns the
// states after the fork. whole is true if the program ended properly.
func (m *machine) follow(s *state) (forks []*state, whole bool) {
	for ; s.steps < maxSteps && len(m.known) < maxNodes; s.steps++ {
		pc := int(s.flow.PC)
		if pc >= shaderunit.CodeWords {
			return nil, false
		}
		in := shaderunit.Decode(m.setup.Code(pc))
		info := in.Info()
		if info == nil {
			return nil, false
		}
		taken := false
		switch {
		case info.Flow == shaderunit.FlowEnd:
			return nil, true
		case info.Format.Sources() > 0:
			m.compute(s, &in, info)
		case in.Op == shaderunit.OpEMIT:
			s.emitted = append(s.emitted, s.out)
		case info.GeometryOnly():
		case s.forced != nil:
			taken, s.forced = *s.forced, nil
		default:
			var known bool
			if taken, known = m.condition(s, &in, info); !known {
				return m.fork(s, &in), false
			}
		}
		if s.flow.Advance(&in, m.setup, taken) != nil {
			return nil, false
		}
	}
	return nil, false
}

// condition returns whether a flow instruction's condition holds, and whether
// that is known.
func (m *machine) condition(s *state, in *shaderunit.Instr, info *shaderunit.OpInfo) (taken, known bool) {
	switch info.Test {
	case shaderunit.TestBool:
		// b15 tells a geometry shader's first run from the others; this is the first.
		return in.Condition(m.setup, [2]bool{}), m.bools>>(in.Uniform&15)&1 != 0 || m.o.Geometry && in.Uniform == 15
	case shaderunit.TestFlags:
		// It is known if no unknown flag matters.
		first, all := false, true
		for i, cmp := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
			for k, f := range s.cmp {
				if f.known {
					cmp[k] = f.value
				}
			}
			t := in.Condition(m.setup, cmp)
			if i == 0 {
				first = t
			}
			all = all && t == first
		}
		return first, all
	}
	return true, true
}

// fork returns the two states after a condition, the likely one first.
func (m *machine) fork(s *state, in *shaderunit.Instr) []*state {
	first := in.Condition(m.setup, [2]bool{s.cmp[0].known && s.cmp[0].value, s.cmp[1].known && s.cmp[1].value})
	var forks []*state
	for _, taken := range []bool{first, !first} {
		o := *s
		o.emitted = append([][16]Vector(nil), s.emitted...)
		o.conditions = append([]*Node(nil), s.conditions...)
		for _, f := range s.cmp {
			if in.Info().Test == shaderunit.TestFlags && f.a != nil {
				o.conditions = append(o.conditions, f.a, f.b)
			}
		}
		o.forced = &taken
		forks = append(forks, &o)
	}
	return forks
}

// source returns source k of an instruction, with swizzle and sign.
func (m *machine) source(s *state, in *shaderunit.Instr, info *shaderunit.OpInfo, desc shaderunit.OpDesc, k int) (v Vector) {
	for i := range 4 {
		n := m.register(s, in, info, k, desc.Sel(k, i))
		if desc.Neg(k) {
			n = m.apply(Neg, n)
		}
		v[i] = n
	}
	return v
}

// input returns a component that Options put into a register; a nil component
// is a Start node.
func (m *machine) input(v Vector, comp int) *Node {
	if v[comp] == nil {
		return m.node(nodeKey{kind: Start, comp: comp})
	}
	return v[comp]
}

func (m *machine) register(s *state, in *shaderunit.Instr, info *shaderunit.OpInfo, k, comp int) *Node {
	r := in.Src[k]
	switch {
	case r < shaderunit.SrcTemp:
		if v, ok := m.o.Inputs[int(r)]; ok {
			return m.input(v, comp)
		}
		return m.node(nodeKey{kind: Input, reg: int(r), comp: comp})
	case r < shaderunit.SrcUniform:
		return s.temp[r-shaderunit.SrcTemp][comp]
	}
	c := int(r - shaderunit.SrcUniform)
	if k == info.Format.Wide() {
		switch in.Idx {
		case shaderunit.AddrA0X, shaderunit.AddrA0Y:
			index := s.a0[in.Idx-shaderunit.AddrA0X]
			if index == nil {
				index = m.number(0)
			}
			if index.Kind != Const {
				return m.node(nodeKey{kind: Relative, geometry: m.o.Geometry, reg: c, comp: comp}, index)
			}
			c += int(index.Value)
		case shaderunit.AddrAL:
			c += int(s.flow.AL)
		}
	}
	if c < 0 || c > 95 {
		return m.number(1) // as the console reads c96 and above
	}
	if v, ok := m.o.Uniforms[c]; ok {
		return m.input(v, comp)
	}
	if m.constants[c] {
		return m.number(float64(m.setup.Float[c][comp]))
	}
	return m.node(nodeKey{kind: Uniform, geometry: m.o.Geometry, reg: c, comp: comp})
}

// compute runs an instruction with sources.
func (m *machine) compute(s *state, in *shaderunit.Instr, info *shaderunit.OpInfo) {
	desc := m.setup.Desc(int(in.Desc))
	var src [3]Vector
	for k := range info.Format.Sources() {
		src[k] = m.source(s, in, info, desc, k)
	}
	a, b, c := src[0], src[1], src[2]
	var d Vector
	each := func(op shaderunit.Opcode) {
		for i := range 4 {
			d[i] = m.apply(op, a[i], b[i])
		}
	}
	all := func(n *Node) { d = Vector{n, n, n, n} }
	op := in.Op
	switch op { // the inverted forms differ only in the possible operands
	case shaderunit.OpDPHI:
		op = shaderunit.OpDPH
	case shaderunit.OpDSTI:
		op = shaderunit.OpDST
	case shaderunit.OpSGEI:
		op = shaderunit.OpSGE
	case shaderunit.OpSLTI:
		op = shaderunit.OpSLT
	}
	switch op {
	case shaderunit.OpADD, shaderunit.OpMUL, shaderunit.OpSGE, shaderunit.OpSLT, shaderunit.OpMAX, shaderunit.OpMIN:
		each(op)
	case shaderunit.OpDP3:
		all(m.apply(shaderunit.OpDP4, a[0], a[1], a[2], b[0], b[1], b[2]))
	case shaderunit.OpDP4:
		all(m.apply(op, a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]))
	case shaderunit.OpDPH:
		all(m.apply(shaderunit.OpDP4, a[0], a[1], a[2], m.number(1), b[0], b[1], b[2], b[3]))
	case shaderunit.OpDST:
		d = Vector{m.number(1), m.apply(shaderunit.OpMUL, a[1], b[1]), a[2], b[3]}
	case shaderunit.OpRCP, shaderunit.OpRSQ, shaderunit.OpEX2, shaderunit.OpLG2:
		all(m.apply(op, a[0]))
	case shaderunit.OpFLR:
		for i := range 4 {
			d[i] = m.apply(op, a[i])
		}
	case shaderunit.OpMOV:
		d = a
	case shaderunit.OpLITP:
		zero := m.number(0)
		d = Vector{m.apply(shaderunit.OpMAX, a[0], zero), a[1], zero, m.apply(shaderunit.OpMAX, a[3], zero)}
		s.cmp = [2]flag{{a: a[0], b: zero}, {a: a[3], b: zero}}
	case shaderunit.OpMOVA:
		for i := range 2 {
			if desc.Writes(i) {
				s.a0[i] = m.apply(op, a[i])
			}
		}
		return
	case shaderunit.OpCMP:
		for i, how := range []shaderunit.CompareOp{in.CmpX, in.CmpY} {
			s.cmp[i] = flag{a: a[i], b: b[i]}
			if a[i].Kind == Const && b[i].Kind == Const {
				s.cmp[i].known, s.cmp[i].value = true, holds(how, a[i].Value, b[i].Value)
			}
		}
		return
	default:
		if op < shaderunit.OpMADI { // an operation unknown here
			return
		}
		for i := range 4 {
			d[i] = m.apply(shaderunit.OpADD, m.apply(shaderunit.OpMUL, a[i], b[i]), c[i])
		}
	}
	to := &s.out[in.Dst&15]
	if in.Dst >= shaderunit.DstTemp {
		to = &s.temp[in.Dst-shaderunit.DstTemp]
	}
	for i := range 4 {
		if desc.Writes(i) {
			to[i] = d[i]
		}
	}
}

func holds(how shaderunit.CompareOp, a, b float64) bool {
	switch how {
	case shaderunit.CompareEQ:
		return a == b
	case shaderunit.CompareNE:
		return a != b
	case shaderunit.CompareLT:
		return a < b
	case shaderunit.CompareLE:
		return a <= b
	case shaderunit.CompareGT:
		return a > b
	case shaderunit.CompareGE:
		return a >= b
	}
	return true
}
