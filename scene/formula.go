package scene

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
)

// Limits of a formula.
const (
	maxFormula      = 1000 // bytes of its text
	maxFormulaDepth = 64   // of brackets, signs and exponents
)

// formula is a function of one number, x, in usual notation:
//
//	0.2 + 0.8*max(0, x)^2
//
// It has + - * / and ^ (which binds closest and groups to the right), brackets,
// numbers, pi, and the functions in formulaFuncs. parseFormula makes one.
type formula struct {
	Text string
	eval func(x float64) float64
}

// formulaError is a mistake in a formula.
type formulaError struct {
	Column int // in the text, in bytes from 1
	Msg    string
}

func (e *formulaError) Error() string { return fmt.Sprintf("character %d: %s", e.Column, e.Msg) }

// formulaFuncs are the functions of formulas with how many numbers they take.
var formulaFuncs = map[string]struct {
	args int
	f    func(a []float64) float64
}{
	"abs":   {1, func(a []float64) float64 { return math.Abs(a[0]) }},
	"acos":  {1, func(a []float64) float64 { return math.Acos(a[0]) }},
	"asin":  {1, func(a []float64) float64 { return math.Asin(a[0]) }},
	"atan":  {1, func(a []float64) float64 { return math.Atan(a[0]) }},
	"ceil":  {1, func(a []float64) float64 { return math.Ceil(a[0]) }},
	"cos":   {1, func(a []float64) float64 { return math.Cos(a[0]) }},
	"exp":   {1, func(a []float64) float64 { return math.Exp(a[0]) }},
	"exp2":  {1, func(a []float64) float64 { return math.Exp2(a[0]) }},
	"floor": {1, func(a []float64) float64 { return math.Floor(a[0]) }},
	"fract": {1, func(a []float64) float64 { return a[0] - math.Floor(a[0]) }},
	"log":   {1, func(a []float64) float64 { return math.Log(a[0]) }},
	"log2":  {1, func(a []float64) float64 { return math.Log2(a[0]) }},
	"sin":   {1, func(a []float64) float64 { return math.Sin(a[0]) }},
	"sqrt":  {1, func(a []float64) float64 { return math.Sqrt(a[0]) }},
	"tan":   {1, func(a []float64) float64 { return math.Tan(a[0]) }},
	"max":   {2, func(a []float64) float64 { return math.Max(a[0], a[1]) }},
	"min":   {2, func(a []float64) float64 { return math.Min(a[0], a[1]) }},
	"pow":   {2, func(a []float64) float64 { return math.Pow(a[0], a[1]) }},
	// step(edge, x) is 0 below the edge and 1 from it on.
	"step": {2, func(a []float64) float64 {
		if a[1] < a[0] {
			return 0
		}
		return 1
	}},
	"clamp":      {3, func(a []float64) float64 { return math.Min(math.Max(a[0], a[1]), a[2]) }},
	"mix":        {3, func(a []float64) float64 { return a[0] + float64((a[1]-a[0])*a[2]) }},
	"smoothstep": {3, func(a []float64) float64 { return smooth((a[2] - a[0]) / (a[1] - a[0])) }},
}

// parseFormula parses a formula. The error is a *formulaError.
func parseFormula(text string) (*formula, error) {
	p := &formulaParser{text: text}
	if len(text) > maxFormula {
		return nil, p.fail(maxFormula, "the formula has %d characters; at most %d are read", len(text), maxFormula)
	}
	eval, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.peek() != 0 {
		return nil, p.fail(p.at, "expected an operator (+ - * / ^) or the end, found %q", p.rest())
	}
	return &formula{text, eval}, nil
}

// Number evaluates a number that a user typed: it may be a formula, as in
// tables, in which x is the old number.
func Number(text string, x float64) (float64, error) {
	f, err := parseFormula(text)
	if err != nil {
		return 0, err
	}
	return f.at(x), nil
}

// at returns the formula's value, which may be infinite or NaN.
func (f *formula) at(x float64) float64 { return f.eval(x) }

type formulaParser struct {
	text  string
	at    int
	depth int
}

func (p *formulaParser) fail(at int, format string, args ...any) error {
	return &formulaError{at + 1, fmt.Sprintf(format, args...)}
}

// peek is the next character that is no space, or 0 at the end.
func (p *formulaParser) peek() byte {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
	if p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

// rest returns the start of the unread text, for messages.
func (p *formulaParser) rest() string {
	r := []rune(p.text[p.at:])
	return string(r[:min(len(r), 12)])
}

func (p *formulaParser) deeper() error {
	if p.depth++; p.depth > maxFormulaDepth {
		return p.fail(p.at, "nested deeper than %d levels", maxFormulaDepth)
	}
	return nil
}

type operand = func(x float64) float64

// chain reads operands of one level of binding with the operators between them.
func (p *formulaParser) chain(next func() (operand, error), ops string, apply func(op byte, a, b operand) operand) (operand, error) {
	a, err := next()
	for err == nil {
		op := p.peek()
		if op == 0 || strings.IndexByte(ops, op) < 0 {
			return a, nil
		}
		p.at++
		var b operand
		if b, err = next(); err == nil {
			a = apply(op, a, b)
		}
	}
	return nil, err
}

func (p *formulaParser) sum() (operand, error) {
	return p.chain(p.product, "+-", func(op byte, a, b operand) operand {
		if op == '+' {
			return func(x float64) float64 { return a(x) + b(x) }
		}
		return func(x float64) float64 { return a(x) - b(x) }
	})
}

func (p *formulaParser) product() (operand, error) {
	return p.chain(p.signed, "*/", func(op byte, a, b operand) operand {
		if op == '*' {
			return func(x float64) float64 { return float64(a(x) * b(x)) }
		}
		return func(x float64) float64 { return a(x) / b(x) }
	})
}

// signed is a power with signs before it: -x^2 is -(x^2).
func (p *formulaParser) signed() (operand, error) {
	c := p.peek()
	if c != '-' && c != '+' {
		return p.power()
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.at++
	a, err := p.signed()
	if err != nil || c == '+' {
		return a, err
	}
	return func(x float64) float64 { return -a(x) }, nil
}

func (p *formulaParser) power() (operand, error) {
	a, err := p.value()
	if err != nil || p.peek() != '^' {
		return a, err
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.at++
	b, err := p.signed()
	if err != nil {
		return nil, err
	}
	return func(x float64) float64 { return math.Pow(a(x), b(x)) }, nil
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// value is a number, x, pi, a call or brackets.
func (p *formulaParser) value() (operand, error) {
	c := p.peek()
	from := p.at
	switch {
	case c == '(':
		return p.brackets()
	case isDigit(c) || c == '.':
		for p.at < len(p.text) {
			d := p.text[p.at]
			exponent := (d == '+' || d == '-') && strings.IndexByte("eE", p.text[p.at-1]) >= 0 && p.at > from
			if !isDigit(d) && d != '.' && !isLetter(d) && !exponent {
				break
			}
			p.at++
		}
		word := p.text[from:p.at]
		v, err := strconv.ParseFloat(word, 64)
		if err != nil || strings.Contains(word, "_") {
			return nil, p.fail(from, "%q is not a number", word)
		}
		return func(float64) float64 { return v }, nil
	case isLetter(c):
		for p.at < len(p.text) && (isLetter(p.text[p.at]) || isDigit(p.text[p.at])) {
			p.at++
		}
		switch name := p.text[from:p.at]; name {
		case "x":
			return func(x float64) float64 { return x }, nil
		case "pi":
			return func(float64) float64 { return math.Pi }, nil
		default:
			return p.call(name, from)
		}
	case c == 0:
		return nil, p.fail(from, "the formula ends where a number, x, a function or a bracket is expected")
	}
	return nil, p.fail(from, "expected a number, x, a function or a bracket, found %q", p.rest())
}

func (p *formulaParser) brackets() (operand, error) {
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	open := p.at
	p.at++
	a, err := p.sum()
	if err != nil {
		return nil, err
	}
	if p.peek() != ')' {
		return nil, p.fail(open, "the bracket is not closed")
	}
	p.at++
	return a, nil
}

func (p *formulaParser) call(name string, from int) (operand, error) {
	fn, ok := formulaFuncs[name]
	if !ok {
		return nil, p.fail(from, "there is no %q; there are x, pi and the functions %s", name, strings.Join(formulaNames(), ", "))
	}
	if p.peek() != '(' {
		return nil, p.fail(p.at, "expected ( after %s", name)
	}
	if err := p.deeper(); err != nil {
		return nil, err
	}
	defer func() { p.depth-- }()
	p.at++
	args := make([]operand, 0, 3)
	for {
		a, err := p.sum()
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		if p.peek() != ',' {
			break
		}
		p.at++
	}
	switch {
	case p.peek() != ')':
		return nil, p.fail(p.at, "expected , or ) in the call of %s", name)
	case len(args) != fn.args:
		return nil, p.fail(from, "%s takes %d numbers, found %d", name, fn.args, len(args))
	}
	p.at++
	return func(x float64) float64 {
		var v mgl64.Vec3
		for i, a := range args {
			v[i] = a(x)
		}
		return fn.f(v[:])
	}, nil
}
