package lint

import (
	"math/bits"

	"pica200/shaderunit"
)

// Reading a temporary that nothing wrote is wrong only if the value is used: in
// an output, in an address register that is used or in a flag that is tested.
// findLive follows the states backwards to find out.

// liveSet is what has an effect on some path from here.
type liveSet struct {
	temps registers
	cmp   [2]bool // cmp.x, cmp.y
	a0    [2]bool // a0.x, a0.y
}

func (s liveSet) or(o liveSet) liveSet {
	s.temps |= o.temps
	for i := range 2 {
		s.cmp[i], s.a0[i] = s.cmp[i] || o.cmp[i], s.a0[i] || o.a0[i]
	}
	return s
}

// allLive is used where the code that follows is unknown.
var allLive = liveSet{^registers(0), [2]bool{true, true}, [2]bool{true, true}}

// selected returns the components of a register that source n reads, for the
// components that the operation needs after the swizzle. Bit 0 = x in both.
func selected(wanted uint8, desc shaderunit.OpDesc, n int) (set uint8) {
	for i := range 4 {
		if wanted>>i&1 != 0 {
			set |= 1 << desc.Sel(n, i)
		}
	}
	return set
}

// wanted returns the components of source n (bit 0 = x, after the swizzle) that
// an operation reads for the used components of its destination.
func wanted(info *shaderunit.OpInfo, matters uint8, n int) uint8 {
	if matters == 0 {
		return 0
	}
	return info.Reads(matters, n)
}

// findLive fills the nodes' live.
func (x *explorer) findLive() {
	back := x.before()
	todo := make([]int32, len(x.nodes))
	for i := range todo {
		todo[i] = int32(i)
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		set := x.liveAt(i)
		if set == x.nodes[i].live {
			continue
		}
		x.nodes[i].live = set
		todo = append(todo, back[i]...)
	}
}

// before returns the nodes that lead to each node.
func (x *explorer) before() [][]int32 {
	back := make([][]int32, len(x.nodes))
	for i := range x.nodes {
		for _, n := range x.nodes[i].next {
			back[n] = append(back[n], int32(i))
		}
	}
	return back
}

// liveAt returns what is live before node i, given what is live after it.
func (x *explorer) liveAt(i int32) liveSet {
	p := &x.nodes[i]
	if p.pc >= len(x.l.code) {
		if x.procedure != nil || p.facts.external {
			return allLive // the caller may read them
		}
		return liveSet{}
	}
	if x.l.External[p.pc] != "" {
		return allLive
	}
	set := x.liveBehind(i)
	in := x.l.instrs[p.pc]
	info := in.Info()
	if info == nil {
		return set
	}
	if info.Test == shaderunit.TestFlags {
		for i := range 2 {
			set.cmp[i] = set.cmp[i] || testsFlag(in, i)
		}
	}
	if info.Format.Sources() == 0 {
		return set
	}
	desc := x.l.desc(in)
	matters := x.matters(i, in)
	switch {
	case info.WritesAddress():
		for i := range 2 {
			set.a0[i] = set.a0[i] && !desc.Writes(i)
		}
	case info.WritesDst() && in.Dst >= shaderunit.DstTemp:
		set.temps &^= component(int(in.Dst-shaderunit.DstTemp), bits.Reverse8(desc.Mask())>>4)
	}
	flags := x.flagsMatter(i, in)
	if info.WritesFlags() {
		set.cmp = [2]bool{}
	}
	for n := range info.Format.Sources() {
		reg := int(in.Src[n])
		if reg >= int(shaderunit.SrcTemp) && reg < int(shaderunit.SrcUniform) {
			set.temps |= component(reg-int(shaderunit.SrcTemp), selected(wanted(info, matters, n)|flags, desc, n))
		}
		if n == info.Format.Wide() && reg >= int(shaderunit.SrcUniform) && matters|flags != 0 && in.Idx != shaderunit.AddrNone && in.Idx != shaderunit.AddrAL {
			set.a0[in.Idx-shaderunit.AddrA0X] = true
		}
	}
	return set
}

func (x *explorer) liveBehind(i int32) (set liveSet) {
	for _, n := range x.nodes[i].next {
		set = set.or(x.nodes[n].live)
	}
	return set
}

// testsFlag reports whether an instruction's condition tests flag i (0 =
// cmp.x).
func testsFlag(in shaderunit.Instr, i int) bool {
	return in.Cond == shaderunit.CondOr || in.Cond == shaderunit.CondAnd || in.Cond == shaderunit.CondX+shaderunit.CondOp(i)
}

// matters returns the components of an instruction's destination that are used
// later, as a mask of descriptors (bit 3 = x).
func (x *explorer) matters(i int32, in shaderunit.Instr) uint8 {
	info := in.Info()
	mask := x.l.desc(in).Mask()
	var shown registers
	switch {
	case info.WritesAddress():
		live := x.liveBehind(i)
		for i := range 2 {
			if live.a0[i] {
				shown |= 1 << i
			}
		}
	case !info.WritesDst():
		return 0
	case in.Dst >= shaderunit.DstTemp:
		shown = x.liveBehind(i).temps >> (4 * (in.Dst - shaderunit.DstTemp))
	default:
		shown = x.outputs.shown >> (4 * in.Dst)
	}
	return mask & (bits.Reverse8(uint8(shown&0xF)) >> 4)
}

// flagsMatter returns the components of the sources (bit 0 = x, after the
// swizzle) that an instruction reads for flags that are tested later: CMP
// compares x and y, LITP x and w.
func (x *explorer) flagsMatter(i int32, in shaderunit.Instr) (set uint8) {
	info := in.Info()
	if !info.WritesFlags() {
		return 0
	}
	second := uint8(2)
	if info.WritesDst() {
		second = 8
	}
	live := x.liveBehind(i)
	if live.cmp[0] {
		set |= 1
	}
	if live.cmp[1] {
		set |= second
	}
	return set
}
