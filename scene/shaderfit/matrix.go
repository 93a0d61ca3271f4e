package shaderfit

import (
	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/symbolic"
)

// matrix is a range of registers used as a matrix: each component of the result is a sum of products with one register (rows), or
// with one component of several registers (columns).
type matrix struct {
	geometry bool
	base     int // first register
	count    int // number of registers used from there
	relative bool
	columns  bool
	order    [4]int // rows: the component for element k of the vector
	of       symbolic.Vector
	moves    bool           // has a fourth element per row, or a fourth column
	index    *symbolic.Node // index of relative registers
}

// term is a product in a sum: a component of a uniform, and its factor, 1 if the uniform stands alone.
type term struct {
	c, v *symbolic.Node
}

// terms splits a sum of products with uniforms. ok is false if it has other summands.
func terms(n *symbolic.Node) (list []term, ok bool) {
	isUniform := func(n *symbolic.Node) bool { return n.Kind == symbolic.Uniform || n.Kind == symbolic.Relative }
	strip := func(n *symbolic.Node) *symbolic.Node {
		if n.Kind == symbolic.Op && n.Op == symbolic.Neg {
			return n.Args[0]
		}
		return n
	}
	product := func(a, b *symbolic.Node) bool {
		a, b = strip(a), strip(b)
		if isUniform(b) {
			a, b = b, a
		}
		if !isUniform(a) || isUniform(b) {
			return false
		}
		list = append(list, term{a, b})
		return true
	}
	n = strip(n)
	switch {
	case isUniform(n):
		return []term{{n, nil}}, true
	case n.Kind != symbolic.Op:
		return nil, false
	case n.Op == shaderunit.OpADD:
		a, ok := terms(n.Args[0])
		if !ok || len(a) > 8 { // more than any row; avoids long sums of sums
			return nil, false
		}
		b, ok := terms(n.Args[1])
		return append(a, b...), ok
	case n.Op == shaderunit.OpMUL:
		return list, product(n.Args[0], n.Args[1])
	case n.Op == shaderunit.OpDP4:
		half := len(n.Args) / 2
		for i := range half {
			if !product(n.Args[i], n.Args[half+i]) {
				return nil, false
			}
		}
		return list, true
	}
	return nil, false
}

// row is a component of a matrix-vector product, or a column's part of one.
type row struct {
	columns bool
	c       *symbolic.Node // of the first term
	regs    []int          // for columns: the registers
	order   [4]int
	of      symbolic.Vector
	moves   bool
}

// rowOf interprets a sum as a row: at least two products with components of one register, or with one component of several
// registers.
func rowOf(n *symbolic.Node) (r row, ok bool) {
	list, ok := terms(n)
	if !ok || len(list) < 2 || len(list) > 4 {
		return r, false
	}
	first := list[0].c
	same, across, variable := true, true, false
	for i, t := range list {
		if t.c.Kind != first.Kind || t.c.Geometry != first.Geometry || t.c.Kind == symbolic.Relative && t.c.Args[0] != first.Args[0] {
			return r, false
		}
		same = same && t.c.Reg == first.Reg
		across = across && t.c.Comp == first.Comp
		variable = variable || t.v != nil && t.v.Kind != symbolic.Const
		for _, o := range list[:i] {
			same = same && o.c.Comp != t.c.Comp
			across = across && o.c.Reg != t.c.Reg
		}
	}
	if !variable || same == across {
		return r, false
	}
	r = row{columns: across, c: first, order: [4]int{0, 1, 2, 3}}
	if across {
		lowest := list[0].c.Reg
		for _, t := range list {
			lowest = min(lowest, t.c.Reg)
		}
		for _, t := range list {
			k := t.c.Reg - lowest
			if k > 3 {
				return r, false
			}
			r.regs = append(r.regs, t.c.Reg)
			r.of[k] = t.v
			r.moves = r.moves || k == 3
		}
		return r, true
	}
	// In a dot product the operands' order gives the elements; otherwise the component does.
	dot := n.Kind == symbolic.Op && n.Op == shaderunit.OpDP4
	for k, t := range list {
		at := t.c.Comp
		if dot {
			at = k
		}
		r.order[at], r.of[at] = t.c.Comp, t.v
		r.moves = r.moves || at == 3
	}
	return r, true
}

// maxSearch limits the nodes searched for a row.
const maxSearch = 400

// findRow finds the outermost row in a component, through summands and factors.
func findRow(n *symbolic.Node) (row, bool) {
	todo := []*symbolic.Node{n}
	seen := map[*symbolic.Node]bool{}
	for i := 0; i < len(todo) && i < maxSearch; i++ {
		n := todo[i]
		if n == nil || seen[n] {
			continue
		}
		seen[n] = true
		if r, ok := rowOf(n); ok {
			return r, true
		}
		if n.Kind == symbolic.Op {
			switch n.Op {
			case shaderunit.OpADD, shaderunit.OpMUL, shaderunit.OpMAX, shaderunit.OpMIN, symbolic.Neg, shaderunit.OpDP4:
				todo = append(todo, n.Args...)
			}
		}
	}
	return row{}, false
}

// findMatrix finds the outermost matrix applied to a vector.
func findMatrix(v symbolic.Vector) (m matrix, ok bool) {
	var rows [4]row
	var has [4]bool
	for k, n := range v {
		if n != nil {
			rows[k], has[k] = findRow(n)
		}
	}
	// x and y are preferred; if one of them has no row, other pairs may.
	pairs := [][2]int{{0, 1}, {0, 3}, {1, 3}, {0, 2}, {1, 2}}
	for _, p := range pairs {
		a, b := rows[p[0]], rows[p[1]]
		if !has[p[0]] || !has[p[1]] || a.columns != b.columns || a.of != b.of || a.c.Kind != b.c.Kind || a.c.Geometry != b.c.Geometry {
			continue
		}
		m = matrix{geometry: a.c.Geometry, relative: a.c.Kind == symbolic.Relative, columns: a.columns, order: a.order, of: a.of, moves: a.moves}
		if m.relative {
			m.index = a.c.Args[0]
		}
		lo, hi := a.c.Reg, a.c.Reg
		see := func(reg int) { lo, hi = min(lo, reg), max(hi, reg) }
		if a.columns {
			if a.c.Comp == b.c.Comp {
				continue
			}
			for _, r := range a.regs {
				see(r)
			}
		} else {
			if a.c.Reg == b.c.Reg || a.order != b.order {
				continue
			}
			for k := range rows {
				if has[k] && !rows[k].columns && rows[k].of == a.of && rows[k].c.Kind == a.c.Kind && rows[k].c.Geometry == a.c.Geometry {
					see(rows[k].c.Reg)
				}
			}
		}
		if hi-lo > 3 {
			continue
		}
		m.base, m.count = lo, hi-lo+1
		return m, true
	}
	return m, false
}

// maxChain limits the matrices of a position.
const maxChain = 6

// findChain finds the matrices of the position, on the first path where it depends on an input.
func (f *finder) findChain() {
	var v symbolic.Vector
	found := false
	for _, o := range f.outs {
		p, has := o[shbin.OutPosition]
		if !has {
			continue
		}
		if len(inputsOf(p[0], p[1])) > 0 {
			v, found = p, true
			break
		}
	}
	if !found {
		f.fit.NoPosition = "no input reaches the position"
		has := false
		for _, o := range f.outs {
			if p, ok := o[shbin.OutPosition]; ok && p != (symbolic.Vector{}) {
				has = true
			}
		}
		if len(f.outs) == 0 {
			f.fit.NoPosition = "the geometry shader emits nothing in its first run"
		} else if !has {
			f.fit.NoPosition = "the program writes no position"
		}
		return
	}
	f.base = v
	for range maxChain {
		m, ok := findMatrix(f.base)
		if !ok || len(inputsOf(m.of[:]...)) == 0 {
			return
		}
		f.chain = append(f.chain, m)
		f.base = m.of
	}
}
