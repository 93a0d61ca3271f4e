package link

import (
	"fmt"
	"maps"
	"slices"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/shaderunit"
)

// Objects are assembled independently, so their constants and uniforms may use
// the same register. Uniforms cannot move, because a program sets them by
// number: conflicting ones are an error. Constants can move.

// registerSpace is the number of registers in the space of shbin.Uniform.
const registerSpace = int(shbin.UniformBool) + 16

// occupant is what an object keeps in a register.
type occupant struct {
	what  string // for messages
	value shbin.Constant
	loads bool // it is the constant value, with Reg 0
	moves bool // ... without a name, so it may move
	raw   bool // not declared: only the code names the register
}

// registerUser holds the registers of one object.
type registerUser struct {
	Input
	has [registerSpace]*occupant
	// rigid is set if the code addresses float uniforms relatively from a register
	// where the object has nothing; then its constants must not move.
	rigid bool
	block [registerSpace]bool // addressed relatively: its neighbours must move with it
	moved [registerSpace]int  // new registers of the constants
}

// constantRegister returns the register of a constant in the space of
// shbin.Uniform.
func constantRegister(c shbin.Constant) int {
	switch c.Kind {
	case shbin.ConstantBool:
		return int(shbin.UniformBool) + int(c.Reg)
	case shbin.ConstantInt:
		return int(shbin.UniformInt) + int(c.Reg)
	}
	return int(shbin.UniformFloat) + int(c.Reg)
}

// setConstantRegister is its inverse.
func setConstantRegister(c *shbin.Constant, reg int) {
	switch c.Kind {
	case shbin.ConstantBool:
		c.Reg = uint8(reg - int(shbin.UniformBool))
	case shbin.ConstantInt:
		c.Reg = uint8(reg - int(shbin.UniformInt))
	default:
		c.Reg = uint8(reg - int(shbin.UniformFloat))
	}
}

// usedUniform returns the uniform register of an instruction, -1 for none, and
// whether the instruction adds an address register.
func usedUniform(in shaderunit.Instr) (reg int, relative bool) {
	info := in.Info()
	if info == nil {
		return -1, false
	}
	switch {
	case info.Flow == shaderunit.FlowLoop:
		if in.Uniform >= shaderunit.IntUniforms {
			return -1, false
		}
		return int(shbin.UniformInt) + int(in.Uniform), false
	case info.Test == shaderunit.TestBool:
		return int(shbin.UniformBool) + int(in.Uniform), false
	}
	if n := info.Format.Wide(); n >= 0 && in.Src[n] >= shaderunit.SrcUniform {
		return int(shbin.UniformFloat) + int(in.Src[n]-shaderunit.SrcUniform), in.Idx != shaderunit.AddrNone
	}
	return -1, false
}

// setUsedUniform changes the register that usedUniform returns.
func setUsedUniform(in *shaderunit.Instr, reg int) {
	switch info := in.Info(); {
	case info.Flow == shaderunit.FlowLoop:
		in.Uniform = uint8(reg - int(shbin.UniformInt))
	case info.Test == shaderunit.TestBool:
		in.Uniform = uint8(reg - int(shbin.UniformBool))
	default:
		in.Src[info.Format.Wide()] = shaderunit.SrcUniform + shaderunit.SrcReg(reg-int(shbin.UniformFloat))
	}
}

// newRegisterUser lists what an object keeps in the registers.
func newRegisterUser(o Input) *registerUser {
	u := &registerUser{Input: o}
	for r := range u.moved {
		u.moved[r] = r
	}
	for _, c := range o.Object.Constants {
		r := constantRegister(c)
		value := c
		value.Reg = 0
		if old := u.has[r]; old != nil {
			value, old.moves = old.value, false // two values for one register: leave them
		}
		u.has[r] = &occupant{what: "the constant " + constantText(c), value: value, loads: true, moves: u.has[r] == nil}
	}
	for _, n := range o.Object.Uniforms {
		for r := int(n.Start); r <= int(n.End) && r < registerSpace; r++ {
			if n.Start < shbin.UniformFloat {
				continue
			}
			if u.has[r] == nil {
				u.has[r] = &occupant{}
			}
			u.has[r].what, u.has[r].moves = fmt.Sprintf("the uniform %q", n.Name), false
		}
	}
	for _, w := range o.Object.Code {
		r, relative := usedUniform(shaderunit.Decode(w))
		switch {
		case r < 0:
		case u.has[r] == nil:
			u.has[r] = &occupant{what: shbin.RegisterName(uint16(r)), raw: true}
			u.rigid = u.rigid || relative
		case relative:
			u.rigid = u.rigid || u.has[r].raw
			u.block[r] = true
		}
	}
	return u
}

func constantText(c shbin.Constant) string {
	name := shbin.RegisterName(uint16(constantRegister(c)))
	switch c.Kind {
	case shbin.ConstantBool:
		return fmt.Sprintf("%s = %t", name, c.Bool())
	case shbin.ConstantInt:
		v := c.Int()
		return fmt.Sprintf("%s = (%d, %d, %d, %d)", name, v[0], v[1], v[2], v[3])
	}
	v := pica.Float24.Decode4(c.Float())
	return fmt.Sprintf("%s = (%g, %g, %g, %g)", name, v[0], v[1], v[2], v[3])
}

// units returns the constants that move together, as first and last register:
// single ones, or neighbours if one of them is addressed relatively.
func (u *registerUser) units() (list [][2]int) {
	moves := func(r int) bool {
		return r >= int(shbin.UniformFloat) && r < int(shbin.UniformInt) && u.has[r] != nil && u.has[r].moves
	}
	for r := 0; r < registerSpace; r++ {
		last, relative := r, u.block[r]
		for moves(r) && moves(last+1) {
			last++
			relative = relative || u.block[last]
		}
		if relative && moves(r) {
			list = append(list, [2]int{r, last})
			r = last
			continue
		}
		for ; r <= last; r++ {
			if u.has[r] != nil && u.has[r].loads {
				list = append(list, [2]int{r, r})
			}
		}
		r--
	}
	return list
}

// joinRegisters finds a register for the constants of all objects. groups are
// the objects whose code each executable can run. A constant keeps its register
// if it can; otherwise it goes to a register with an equal constant, or to the
// last free one.
func joinRegisters(objects []Input, groups [][]int) ([]*registerUser, error) {
	users := make([]*registerUser, len(objects))
	for i, o := range objects {
		users[i] = newRegisterUser(o)
	}
	meets := make([]map[int]bool, len(objects))
	for i := range meets {
		meets[i] = map[int]bool{}
	}
	var order []int
	for _, g := range groups {
		for _, a := range g {
			for _, b := range g {
				if a != b {
					meets[a][b] = true
				}
			}
		}
		order = append(order, g[0])
	}
	for _, g := range groups {
		for _, i := range g[1:] {
			if !slices.Contains(order, i) {
				order = append(order, i)
			}
		}
	}
	done := make([]bool, len(objects))
	for _, i := range order {
		if err := users[i].relocate(users, meets[i], done); err != nil {
			return nil, err
		}
		done[i] = true
	}
	return users, nil
}

// relocate moves the constants of one object away from those already placed and
// from what cannot move.
func (u *registerUser) relocate(users []*registerUser, meets map[int]bool, done []bool) error {
	others := slices.Sorted(maps.Keys(meets))
	// clash returns the name of a conflicting value in a register; equal reports that the same value exists already.
	raw := false // it has no name where it is
	clash := func(r int, v *occupant) (by string, equal bool) {
		for _, k := range others {
			o := users[k].has[r]
			switch {
			case o == nil || o.moves && !done[k]:
			case o.loads && o.value == v.value:
				equal = true
			case !o.loads && !v.moves: // a uniform, which has a value in this object
			default:
				raw = o.raw
				return fmt.Sprintf("%s of %s", o.what, users[k].Name), false
			}
		}
		return "", equal
	}
	was := u.has
	for _, unit := range u.units() {
		first, last := unit[0], unit[1]
		o, by := was[first], ""
		for k := first; k <= last && by == ""; k++ {
			by, _ = clash(k, was[k])
		}
		if by == "" {
			continue
		}
		refuse := func(why string) error {
			return fmt.Errorf("link: %s of %s meets %s, and %s", o.what, u.Name, by, why)
		}
		switch {
		case raw:
			return refuse("nothing says whether the same is meant; declare it there")
		case !o.moves:
			return refuse("cannot move; give both the same value, or the registers other names")
		case u.rigid && o.value.Kind == shbin.ConstantFloat:
			return refuse("cannot move, since the object addresses registers relatively that have no name")
		}
		to := u.find(o.value.Kind, first, last, &was, clash)
		if to < 0 {
			return refuse("no register is free for it")
		}
		for k := first; k <= last; k++ {
			u.moved[k] = to + k - first
			if u.has[k] == was[k] {
				u.has[k] = nil
			}
		}
		for k := first; k <= last; k++ {
			u.has[to+k-first] = was[k]
		}
	}
	return nil
}

// find returns the first register for a unit of constants: where equal ones
// are, otherwise the last free one; -1 if there is none.
func (u *registerUser) find(kind shbin.ConstantKind, first, last int, was *[registerSpace]*occupant, clash func(int, *occupant) (string, bool)) int {
	low, end := int(shbin.UniformFloat), int(shbin.UniformInt)
	switch kind {
	case shbin.ConstantInt:
		low, end = int(shbin.UniformInt), int(shbin.UniformInt)+shaderunit.IntUniforms
	case shbin.ConstantBool:
		low, end = int(shbin.UniformBool), registerSpace-1 // b15 belongs to the geometry unit
	}
	free := -1
	for to := end - (last - first + 1); to >= low; to-- {
		fits, shared := true, true
		for k := first; k <= last && fits; k++ {
			r := to + k - first
			by, equal := clash(r, was[k])
			own := u.has[r] != nil || was[r] != nil // also what its instructions still use
			fits = by == "" && !own
			shared = shared && equal
		}
		switch {
		case fits && shared:
			return to
		case fits && free < 0:
			free = to
		}
	}
	return free
}

// linkedConstants returns the constants of an executable: of its own object,
// then of the others.
func linkedConstants(users []*registerUser, group []int) (list []shbin.Constant) {
	seen := map[int]bool{}
	for n, i := range group {
		for _, c := range users[i].Object.Constants {
			r := users[i].moved[constantRegister(c)]
			if n > 0 && seen[r] {
				continue // equal, otherwise joinRegisters had failed
			}
			seen[r] = true
			setConstantRegister(&c, r)
			list = append(list, c)
		}
	}
	return list
}

// linkedUniforms returns the uniforms of an executable: of its own object, then
// those that only the called objects declare.
func linkedUniforms(objects []Input, group []int) []shbin.Uniform {
	own := objects[group[0]].Object.Uniforms
	list := slices.Clone(own)
	for _, i := range group[1:] {
		for _, n := range objects[i].Object.Uniforms {
			if n.Start >= shbin.UniformFloat && !slices.ContainsFunc(list, func(x shbin.Uniform) bool { return x.Name == n.Name && x.Start == n.Start }) {
				list = append(list, n)
			}
		}
	}
	return list
}

// checkUniforms returns an error if objects that call each other give one
// uniform two registers, or one register two uniforms.
func checkUniforms(objects []Input, groups [][]int) error {
	for _, g := range groups {
		for i, a := range g {
			for _, b := range g[i+1:] {
				pair := fmt.Sprintf("link: %s runs procedures of %s with those of %s", objects[g[0]].Name, objects[b].Name, objects[a].Name)
				if a == g[0] {
					pair = fmt.Sprintf("link: %s calls procedures of %s", objects[a].Name, objects[b].Name)
				}
				for _, sameName := range []bool{true, false} {
					for _, u := range objects[a].Object.Uniforms {
						for _, v := range objects[b].Object.Uniforms {
							if u.Start < shbin.UniformFloat || v.Start < shbin.UniformFloat || sameName != (u.Name == v.Name) {
								continue
							}
							switch {
							case sameName && (u.Start != v.Start || u.End != v.End):
								return fmt.Errorf("%s, but the uniform %q is %s in the one and %s in the other; declare common uniforms first and in the same order",
									pair, u.Name, registerRange(u), registerRange(v))
							case !sameName && u.Start <= v.End && v.Start <= u.End:
								return fmt.Errorf("%s, but %s is the uniform %q in the one and %s is %q in the other; declare both in both, in the same order",
									pair, registerRange(u), u.Name, registerRange(v), v.Name)
							}
						}
					}
				}
			}
		}
	}
	return nil
}

func registerRange(u shbin.Uniform) string {
	if u.Start == u.End {
		return shbin.RegisterName(u.Start)
	}
	return shbin.RegisterName(u.Start) + "-" + shbin.RegisterName(u.End)
}
