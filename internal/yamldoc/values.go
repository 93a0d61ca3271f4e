package yamldoc

import (
	"fmt"
	"math"
	"strconv"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// The values of nodes: lists, texts, numbers, each checked where it is read.

// List returns the items of a list.
func (n Node) List() []Node {
	if n.n == nil {
		return nil
	}
	v := n.resolve()
	seq, ok := v.(*ast.SequenceNode)
	if !ok {
		if v != nil {
			n.want(v, "a list")
		}
		return nil
	}
	out := make([]Node, len(seq.Values))
	for i, item := range seq.Values {
		out[i] = Node{n.doc, item}
	}
	return out
}

// Str is a text. Numbers and truth values are taken as they are written.
func (n Node) Str() string {
	if n.n == nil {
		return ""
	}
	v := n.resolve()
	switch v.(type) {
	case *ast.StringNode, *ast.LiteralNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.Text()
	case nil:
		return ""
	}
	n.want(v, "text")
	return ""
}

// Enum is a text that is one of known.
func (n Node) Enum(what string, known ...string) string {
	s := n.Str()
	if n.n != nil && s != "" && !contains(known, s) {
		n.Unknown("value", s, what, known)
		return ""
	}
	return s
}

// Bool is true or false; absent is def.
func (n Node) Bool(def bool) bool {
	if n.n == nil {
		return def
	}
	v := n.resolve()
	b, ok := v.(*ast.BoolNode)
	if !ok {
		if v != nil {
			n.want(v, "true or false")
		}
		return def
	}
	return b.Value
}

func (n Node) number() (float64, bool) {
	switch v := n.resolve().(type) {
	case *ast.IntegerNode:
		switch i := v.Value.(type) {
		case int64:
			return float64(i), true
		case uint64:
			return float64(i), true
		}
	case *ast.FloatNode:
		return v.Value, true
	case *ast.InfinityNode:
		return v.Value, true
	case *ast.NanNode:
		return math.NaN(), true
	case *ast.StringNode: // 1e3 and .5e1 are texts to some YAML readers
		if f, err := strconv.ParseFloat(v.Value, 64); err == nil && v.GetToken().Type == token.StringType {
			return f, true
		}
	}
	return 0, false
}

// Float is a finite number in [lo, hi]; absent is def.
func (n Node) Float(def, lo, hi float64) float64 {
	if n.n == nil {
		return def
	}
	f, ok := n.number()
	if !ok {
		n.want(n.resolve(), "a number")
		return def
	}
	if !(f >= lo && f <= hi) || math.IsInf(f, 0) {
		n.Errorf("%s is out of range; expected %s", n.Text(), rangeText(lo, hi))
		return def
	}
	return f
}

// Int is a whole number in [lo, hi]; absent is def. Hexadecimal (0x1F) works.
func (n Node) Int(def, lo, hi int64) int64 {
	if n.n == nil {
		return def
	}
	v := n.resolve()
	in, ok := v.(*ast.IntegerNode)
	if !ok {
		if v != nil {
			n.want(v, "a whole number")
		}
		return def
	}
	var i int64
	switch x := in.Value.(type) {
	case int64:
		i = x
	case uint64:
		if x > math.MaxInt64 {
			x = math.MaxInt64
		}
		i = int64(x)
	}
	if i < lo || i > hi {
		n.Errorf("%s is out of range; expected %d to %d", n.Text(), lo, hi)
		return def
	}
	return i
}

func rangeText(lo, hi float64) string {
	switch {
	case lo <= -math.MaxFloat64 && hi >= math.MaxFloat64:
		return "a finite number"
	case hi >= math.MaxFloat64:
		return fmt.Sprintf("at least %g", lo)
	}
	return fmt.Sprintf("%g to %g", lo, hi)
}
