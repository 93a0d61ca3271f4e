package symbolic

import (
	"fmt"
	"math"
	"strings"

	"pica200/shaderunit"
)

// Kind is the kind of a node.
type Kind uint8

// The kinds of nodes.
const (
	Const    Kind = iota // the number Value
	Input                // component Comp of input register Reg
	Uniform              // component Comp of float uniform Reg
	Relative             // component Comp of float uniform Reg + Args[0], an address register
	Start                // an unwritten register: component Comp of temporary Reg
	Op                   // the operation Op on Args
)

// Node is an expression. A run makes nodes; they do not change.
type Node struct {
	Kind     Kind
	Geometry bool // Uniform, Relative: of the geometry shader
	Op       shaderunit.Opcode
	Reg      int
	Comp     int
	Value    float64
	Args     []*Node // of a dot product: the components of source 1, then of source 2

	// Inputs are the input registers that it depends on (bit n: v(n)), including
	// those that only select a register.
	Inputs uint16

	id int
}

// Neg is the pseudo-operation of a negated operand.
const Neg = shaderunit.NoOpcode

// String formats an expression as a formula.
func (n *Node) String() string {
	var b strings.Builder
	n.write(&b, 0)
	return b.String()
}

// Bounds of String.
const (
	maxDepth = 12
	maxText  = 400 // bytes; deeper parts are then left out
)

func (n *Node) write(b *strings.Builder, depth int) {
	const xyzw = "xyzw"
	switch n.Kind {
	case Const:
		fmt.Fprintf(b, "%g", n.Value)
	case Input:
		fmt.Fprintf(b, "v%d.%c", n.Reg, xyzw[n.Comp])
	case Uniform:
		fmt.Fprintf(b, "c%d.%c", n.Reg, xyzw[n.Comp])
	case Start:
		fmt.Fprintf(b, "r%d.%c", n.Reg, xyzw[n.Comp])
	default:
		if depth == maxDepth || b.Len() > maxText {
			b.WriteString("...")
			return
		}
		switch {
		case n.Kind == Relative:
			fmt.Fprintf(b, "c[%d+", n.Reg)
		case n.Op == Neg:
			b.WriteString("-(")
		default:
			b.WriteString(strings.ToLower(n.Op.String()) + "(")
		}
		for i, a := range n.Args {
			if i > 0 {
				b.WriteString(", ")
			}
			a.write(b, depth+1)
		}
		if n.Kind == Relative {
			fmt.Fprintf(b, "].%c", xyzw[n.Comp])
			return
		}
		b.WriteByte(')')
	}
}

// Walk calls f once for every node that n consists of, n first. If f returns
// false, Walk does not go into that node.
func Walk(n *Node, f func(*Node) bool) {
	seen := map[*Node]bool{}
	todo := []*Node{n}
	for len(todo) > 0 {
		n := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		if f(n) {
			for i := len(n.Args) - 1; i >= 0; i-- {
				todo = append(todo, n.Args[i])
			}
		}
	}
}

// Values are the values of inputs and uniforms for Eval. Missing ones have the
// console's defaults: 0, 0, 0, 1 for an input, 0 for a uniform.
type Values struct {
	Inputs           map[int][4]float64
	Uniforms         map[int][4]float64 // of the vertex shader
	GeometryUniforms map[int][4]float64
}

// Eval computes an expression in float64. That is not the shader unit's
// arithmetic: it shows what an expression does, but is not exact enough to draw
// with.
func (v *Values) Eval(n *Node) float64 {
	return v.eval(n, map[*Node]float64{})
}

func (v *Values) eval(n *Node, known map[*Node]float64) float64 {
	if x, ok := known[n]; ok {
		return x
	}
	var x float64
	switch n.Kind {
	case Const:
		x = n.Value
	case Input:
		in, ok := v.Inputs[n.Reg]
		if !ok {
			in[3] = 1
		}
		x = in[n.Comp]
	case Start:
		if n.Comp == 3 {
			x = 1
		}
	case Uniform:
		x = v.uniforms(n)[n.Reg][n.Comp]
	case Relative:
		at := n.Reg + int(v.eval(n.Args[0], known))
		x = v.uniforms(n)[at][n.Comp]
	default:
		args := make([]float64, len(n.Args))
		for i, a := range n.Args {
			args[i] = v.eval(a, known)
		}
		x = compute(n.Op, args)
	}
	known[n] = x
	return x
}

func (v *Values) uniforms(n *Node) map[int][4]float64 {
	if n.Geometry {
		return v.GeometryUniforms
	}
	return v.Uniforms
}

// compute computes an operation on numbers; for a dot product a holds both
// vectors.
func compute(op shaderunit.Opcode, a []float64) float64 {
	truth := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	switch op {
	case Neg:
		return -a[0]
	case shaderunit.OpADD:
		return a[0] + a[1]
	case shaderunit.OpMUL:
		if a[0] == 0 || a[1] == 0 {
			return 0 // also for 0 * infinity, as in the shader unit
		}
		return float64(a[0] * a[1])
	case shaderunit.OpDP4: // of 3 or 4 components
		sum, half := 0.0, len(a)/2
		for i := range half {
			sum += float64(a[i] * a[half+i])
		}
		return sum
	case shaderunit.OpSGE:
		return truth(a[0] >= a[1])
	case shaderunit.OpSLT:
		return truth(a[0] < a[1])
	case shaderunit.OpFLR:
		return math.Floor(a[0])
	case shaderunit.OpMAX:
		return math.Max(a[0], a[1])
	case shaderunit.OpMIN:
		return math.Min(a[0], a[1])
	case shaderunit.OpRCP:
		return 1 / a[0]
	case shaderunit.OpRSQ:
		return 1 / math.Sqrt(a[0])
	case shaderunit.OpEX2:
		return math.Exp2(a[0])
	case shaderunit.OpLG2:
		return math.Log2(a[0])
	case shaderunit.OpMOVA:
		return math.Trunc(a[0])
	}
	return math.NaN()
}
