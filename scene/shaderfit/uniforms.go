package shaderfit

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/symbolic"
)

// span is a range of registers that holds one matrix.
type span struct {
	matrix
	role   Role
	reason string
}

// executable returns the shader of a stage.
func (f *finder) executable(geometry bool) *shbin.Executable {
	if geometry {
		return &f.p.File.Executables[f.p.Geometry]
	}
	return &f.p.File.Executables[f.p.Vertex]
}

// entry returns the uniform in the file's table that contains a float register.
func (f *finder) entry(geometry bool, reg int) (u shbin.Uniform, ok bool) {
	for _, u := range f.executable(geometry).Uniforms {
		if u.Start >= shbin.UniformFloat && u.End < shbin.UniformInt && int(u.Start-shbin.UniformFloat) <= reg && reg <= int(u.End-shbin.UniformFloat) && u.Name != "" {
			return u, true
		}
	}
	return u, false
}

// registerName returns the name of a float register: "projection", "lights[2]", "c7".
func (f *finder) registerName(geometry bool, reg int) string {
	u, ok := f.entry(geometry, reg)
	if !ok {
		return fmt.Sprintf("c%d", reg)
	}
	if at := reg - int(u.Start-shbin.UniformFloat); at > 0 {
		return fmt.Sprintf("%s[%d]", u.Name, at)
	}
	return u.Name
}

func (f *finder) matrixText(m *matrix) string { return f.registerName(m.geometry, m.base) }

// findUses records the nodes that use each float uniform.
func (f *finder) findUses() {
	seen := map[*symbolic.Node]bool{}
	note := func(n, parent *symbolic.Node, arg int, out shbin.OutputType) {
		if n.Kind == symbolic.Uniform || n.Kind == symbolic.Relative {
			k := useKey{n.Geometry, n.Reg, n.Comp}
			f.uses[k] = append(f.uses[k], use{parent, arg, out})
		}
	}
	for _, o := range f.outs {
		for _, kind := range sortedOutputs(o) {
			for _, n := range o[kind] {
				if n == nil {
					continue
				}
				note(n, nil, 0, kind)
				symbolic.Walk(n, func(n *symbolic.Node) bool {
					if seen[n] {
						return false
					}
					seen[n] = true
					for i, a := range n.Args {
						note(a, n, i, kind)
					}
					f.findWeight(n)
					return true
				})
			}
		}
	}
}

func sortedOutputs(o outputs) []shbin.OutputType {
	return slices.Sorted(maps.Keys(o))
}

// spans finds all matrices, those of the position and others.
func (f *finder) spans() (list []span) {
	roles := f.chainRoles()
	for i := range f.chain {
		list = append(list, span{f.chain[i], roles[i], "on the way to the position"})
	}
	inside := func(geometry bool, reg int) bool {
		return slices.ContainsFunc(list, func(s span) bool { return s.geometry == geometry && s.base <= reg && reg < s.base+s.count })
	}
	type key struct {
		geometry, relative bool
		of                 symbolic.Vector
	}
	groups := map[key][]matrix{}
	var order []key
	for _, o := range f.outs {
		for _, kind := range sortedOutputs(o) {
			for _, n := range o[kind] {
				symbolic.Walk(n, func(n *symbolic.Node) bool {
					if r, ok := rowOf(n); ok && !r.columns && !inside(r.c.Geometry, r.c.Reg) {
						k := key{r.c.Geometry, r.c.Kind == symbolic.Relative, r.of}
						if groups[k] == nil {
							order = append(order, k)
						}
						groups[k] = append(groups[k], matrix{geometry: r.c.Geometry, base: r.c.Reg, count: 1, order: r.order, of: r.of, relative: k.relative})
					}
					return true
				})
			}
		}
	}
	for _, k := range order {
		g := groups[k]
		slices.SortFunc(g, func(a, b matrix) int { return a.base - b.base })
		for len(g) > 0 {
			m := g[0]
			n := 1
			for ; n < len(g) && g[n].base <= m.base+m.count && g[n].base < m.base+4 && f.together(m.geometry, m.base, g[n].base); n++ {
				m.count = g[n].base - m.base + 1
			}
			g = g[n:]
			if m.count < 2 || inside(m.geometry, m.base) {
				continue
			}
			role, reason := f.otherRole(&m)
			list = append(list, span{m, role, reason})
		}
	}
	return list
}

// together reports whether two registers belong to the same uniform, or both to none.
func (f *finder) together(geometry bool, a, b int) bool {
	u, _ := f.entry(geometry, a)
	o, _ := f.entry(geometry, b)
	return u.Name == o.Name && u.Start == o.Start
}

// chainRoles returns the roles of the position's matrices, from their number and names; the last matrix before the position comes
// first.
func (f *finder) chainRoles() []Role {
	roles := make([]Role, len(f.chain))
	var plainOnes []int // no bones, and able to translate
	for i := range f.chain {
		switch m := &f.chain[i]; {
		case m.relative:
			roles[i] = Bones
		case !m.moves && i > 0: // rotation only
			roles[i] = Identity
		default:
			plainOnes = append(plainOnes, i)
		}
	}
	named := func(i int) Role {
		u, ok := f.entry(f.chain[i].geometry, f.chain[i].base)
		if !ok {
			return Identity
		}
		r, _ := matrixOf(u.Name)
		return r
	}
	switch n := len(plainOnes); n {
	case 0:
	case 1:
		roles[plainOnes[0]] = ModelViewProjection
	default:
		outer, inner := plainOnes[0], plainOnes[n-1]
		for _, i := range plainOnes {
			roles[i] = Identity
		}
		roles[outer], roles[inner] = Projection, ModelView
		if n == 2 && (named(outer) == ViewProjection || named(inner) == Model && named(outer) == ModelViewProjection) {
			roles[outer], roles[inner] = ViewProjection, Model
		}
		if n >= 3 {
			roles[plainOnes[1]], roles[inner] = View, Model
		}
	}
	return roles
}

// otherRole returns the role of a matrix that is not applied to the position.
func (f *finder) otherRole(m *matrix) (Role, string) {
	if u, ok := f.entry(m.geometry, m.base); ok {
		if r, ok := matrixOf(u.Name); ok && r != Projection {
			return r, "by its name"
		}
	}
	if m.relative {
		return Bones, "chosen by an input"
	}
	of := inputsOf(m.of[:]...)
	for _, in := range f.fit.Inputs {
		if (in.Stream == "normal" || in.Stream == "tangent") && slices.Contains(of, in.Reg) && !slices.Contains(of, f.position) {
			return Normal, "takes normals"
		}
	}
	if f.position >= 0 && slices.Contains(of, f.position) && m.of == f.base {
		return ModelView, "takes the position"
	}
	return Identity, "an unknown matrix"
}

// findUniforms lists the uniforms that are read: matrices, and others with values.
func (f *finder) findUniforms() {
	type key struct {
		geometry bool
		reg      int
	}
	done := map[key]bool{}
	if g := f.p.Geometry; g >= 0 && f.p.File.Executables[g].Geometry.Mode == shbin.GeometryVariable {
		done[key{true, 0}] = true // the geometry stage writes the number of vertices there
	}
	add := func(u Uniform) {
		for i := range u.Count {
			done[key{u.Geometry, u.Reg + i}] = true
		}
		f.fit.Uniforms = append(f.fit.Uniforms, u)
	}
	for _, s := range f.spans() {
		if done[key{s.geometry, s.base}] {
			continue
		}
		u := Uniform{Geometry: s.geometry, Reg: s.base, Count: s.count, Role: s.role, Columns: s.columns, Order: s.order, Reason: s.reason,
			Name: f.registerName(s.geometry, s.base)}
		if e, ok := f.entry(s.geometry, s.base); ok {
			last := int(e.End - shbin.UniformFloat)
			if u.Count < 4 {
				u.Count = max(u.Count, min(4, last-s.base+1)) // rows that the code does not use, or that have no name
			}
			if s.relative {
				u.Count = last - s.base + 1
			}
		}
		named, ok := matrixOf(u.Name)
		u.Said = ok && named == u.Role
		add(u)
	}
	// By stage, the vertex shader first, and register.
	place := func(geometry bool, reg int) int {
		if geometry {
			return 0x100 + reg
		}
		return reg
	}
	for _, k := range slices.SortedFunc(maps.Keys(f.uses), func(a, b useKey) int { return place(a.geometry, a.reg) - place(b.geometry, b.reg) }) {
		if done[key{k.geometry, k.reg}] {
			continue
		}
		u := Uniform{Geometry: k.geometry, Reg: k.reg, Count: 1, Name: f.registerName(k.geometry, k.reg), Order: [4]int{0, 1, 2, 3}}
		e, named := f.entry(k.geometry, k.reg)
		if named {
			start, last := int(e.Start-shbin.UniformFloat), int(e.End-shbin.UniformFloat)
			for u.Reg > start && !done[key{k.geometry, u.Reg - 1}] {
				u.Reg--
			}
			for u.Count = k.reg - u.Reg + 1; u.Reg+u.Count <= last && !done[key{k.geometry, u.Reg + u.Count}]; {
				u.Count++
			}
			u.Name = f.registerName(k.geometry, u.Reg)
			if r, ok := matrixOf(e.Name); ok && (u.Count == 3 || u.Count == 4) && r != Projection && f.matrixLike(&u) {
				u.Role, u.Reason, u.Said = r, "by its name", true
				add(u)
				continue
			}
		}
		f.value(&u, e.Name)
		add(u)
	}
	slices.SortFunc(f.fit.Uniforms, func(a, b Uniform) int { return place(a.Geometry, a.Reg) - place(b.Geometry, b.Reg) })
}

// matrixLike reports whether a uniform is used for anything but colours, or in dot products.
func (f *finder) matrixLike(u *Uniform) bool {
	for r := range u.Count {
		for k := range 4 {
			for _, use := range f.uses[useKey{u.Geometry, u.Reg + r, k}] {
				if use.output != shbin.OutColor || use.parent != nil && use.parent.Op == shaderunit.OpDP4 && use.parent.Kind == symbolic.Op {
					return true
				}
			}
		}
	}
	return false
}

// lightAt is the default direction of the light: from the front, above and the right.
var lightAt = mgl64.Vec4{0.4, 0.6, 0.7, 0}

// findWeight finds a uniform t that occurs as 1 - t: it interpolates, as in a*(1 - t) + b*t.
func (f *finder) findWeight(n *symbolic.Node) {
	if n.Kind != symbolic.Op || n.Op != shaderunit.OpADD {
		return
	}
	for i, a := range n.Args {
		if one := n.Args[1-i]; one.Kind != symbolic.Const || one.Value != 1 || a.Kind != symbolic.Op || a.Op != symbolic.Neg || a.Args[0].Kind != symbolic.Uniform {
			continue
		}
		u := a.Args[0]
		f.weights[useKey{u.Geometry, u.Reg, u.Comp}] = true
	}
}

// value sets the values of a uniform that is no matrix.
func (f *finder) value(u *Uniform, name string) {
	k := kindOf(name)
	for i := range u.Count {
		var v mgl64.Vec4
		reason := ""
		switch k {
		case colour, lightColour:
			v, reason = mgl64.Vec4{1, 1, 1, 1}, "a colour"
		case dim:
			v, reason = mgl64.Vec4{0.25, 0.25, 0.25, 1}, "an ambient colour"
		case direction:
			v, reason = lightAt, "a direction of light"
		case position:
			v, reason = mgl64.Vec4{2, 3, 4, 1}, "a place"
		case thin:
			v, reason = mgl64.Vec4{0.03, 0.03, 0.03, 0.03}, "a width"
		case scale:
			v, reason = mgl64.Vec4{1, 1, 1, 1}, "a factor"
		case offset, moment:
			v, reason = mgl64.Vec4{}, "an offset"
			if k == moment {
				reason = "a time"
			}
		case screen:
			v, reason = mgl64.Vec4{1.0 / 400, 1.0 / 240, 1, 1}, "a size of the screen"
		default:
			v, reason = f.byUse(u.Geometry, u.Reg+i)
		}
		if k == unknown && u.Count == 4 && f.materialLike(name) {
			v = [4]mgl64.Vec4{{0.3, 0.3, 0.3, 1}, {0.7, 0.7, 0.7, 1}, {0.4, 0.4, 0.4, 0}, {}}[i]
			reason = "ambient, diffuse, specular and emission"
		}
		for c := range v {
			if f.weights[useKey{u.Geometry, u.Reg + i, c}] && k != colour && k != lightColour {
				v[c], reason = 0.5, "a weight between two"
			}
		}
		u.Values = append(u.Values, v)
		if i == 0 {
			u.Reason = reason
		}
	}
	if k == unknown && f.chosen(u) { // one element of an array stands for all
		for i := range u.Values {
			u.Values[i] = u.Values[0]
		}
	}
}

// chosen reports whether an address register indexes a uniform's registers.
func (f *finder) chosen(u *Uniform) bool {
	for i := range f.outs {
		for _, v := range f.outs[i] {
			for _, n := range v {
				if contains(n, func(n *symbolic.Node) bool {
					return n.Kind == symbolic.Relative && n.Geometry == u.Geometry && n.Reg == u.Reg
				}) {
					return true
				}
			}
		}
	}
	return false
}

func (f *finder) materialLike(name string) bool {
	n, _ := plain(name)
	return n == "material" || n == "mat" || n == "mtl" || n == "materials"
}

// byUse returns the neutral number for each component of a register: 1 if it is a factor, 0 if it is a summand.
func (f *finder) byUse(geometry bool, reg int) (v mgl64.Vec4, reason string) {
	reasons := map[string]bool{}
	for k := range 4 {
		list := f.uses[useKey{geometry, reg, k}]
		for _, u := range list {
			var x float64
			why := ""
			switch {
			case u.parent == nil && u.output == shbin.OutColor:
				x, why = 1, "a colour"
			case u.parent == nil:
				if k == 3 {
					x = 1
				}
				why = "written as it is"
			case u.parent.Kind == symbolic.Relative:
				x, why = 0, "an index"
			default:
				switch u.parent.Op {
				case shaderunit.OpMUL:
					x, why = 1, "a factor"
					if f.alongNormal(u.parent) {
						x, why = 0.03, "a width"
					}
				case shaderunit.OpRCP, shaderunit.OpRSQ, shaderunit.OpMIN:
					x, why = 1, "a factor"
				case shaderunit.OpDP4:
					x, why = lightAt[k], "a direction"
				case shaderunit.OpSGE, shaderunit.OpSLT:
					x, why = 0.5, "compared"
				default:
					x, why = 0, "added"
				}
			}
			reasons[why] = true
			if x > v[k] {
				v[k] = x
			}
		}
	}
	for _, r := range []string{"a direction", "a colour", "a width", "a factor", "added", "written as it is", "compared", "an index"} {
		if reasons[r] {
			return v, r
		}
	}
	return v, "only compared"
}

// alongNormal reports whether a product contains a normal and goes into the position.
func (f *finder) alongNormal(product *symbolic.Node) bool {
	of := inputsOf(product.Args...)
	for _, in := range f.fit.Inputs {
		if in.Stream == "normal" && len(of) == 1 && of[0] == in.Reg {
			for _, n := range f.base[:3] {
				if contains(n, func(n *symbolic.Node) bool { return n == product }) {
					return true
				}
			}
		}
	}
	return false
}

// contains reports whether an expression has a node of a kind.
func contains(n *symbolic.Node, is func(*symbolic.Node) bool) (found bool) {
	symbolic.Walk(n, func(n *symbolic.Node) bool {
		found = found || is(n)
		return !found
	})
	return found
}

// findUnset lists bool and int uniforms that the code tests.
func (f *finder) findUnset() {
	search := func(e *shbin.Executable) {
		set := map[uint16]bool{}
		for _, c := range e.Constants {
			switch c.Kind {
			case shbin.ConstantBool:
				set[shbin.UniformBool+uint16(c.Reg)] = true
			case shbin.ConstantInt:
				set[shbin.UniformInt+uint16(c.Reg)] = true
			}
		}
		for _, u := range e.Uniforms {
			if u.Start >= shbin.UniformInt && !set[u.Start] && u.Name != "" && !slices.Contains(f.fit.Unset, u.Name) {
				f.fit.Unset = append(f.fit.Unset, u.Name)
			}
		}
	}
	search(f.executable(false))
	if f.p.Geometry >= 0 {
		search(f.executable(true))
	}
}
