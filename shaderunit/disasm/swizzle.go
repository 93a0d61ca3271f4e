package disasm

import (
	"pica200/shaderunit"

	"pica200/shaderunit/internal/picasso"
)

// A descriptor's selector has all four components, even those that an
// instruction does not read. Writing these only distracts: "mov r0.w, c1.xxy"
// means "c1.y". They can be left out if the assembler gets them from another
// instruction; only the first user of a descriptor must write those that no
// instruction reads.

// descriptorUse lists the instructions that use a descriptor.
type descriptorUse struct {
	first  int    // word
	others uint32 // bits needed by instructions after the first
}

// neededBits returns the descriptor bits that an instruction needs, by the
// assembler's rules.
func neededBits(in shaderunit.Instr, desc shaderunit.OpDesc) uint32 {
	info := in.Info()
	op := in.Op
	var needed uint32
	switch info.Format {
	case shaderunit.Format1u:
		needed = picasso.DescDst | picasso.DescSrc1
	case shaderunit.Format1c:
		needed = picasso.DescSrc1 | picasso.DescSrc2
	case shaderunit.Format5, shaderunit.Format5i:
		needed = picasso.DescDst | picasso.DescSrc1 | picasso.DescSrc2 | picasso.DescSrc3
	default:
		needed = picasso.DescDst | picasso.DescSrc1 | picasso.DescSrc2
	}
	if info.Format == shaderunit.Format1i || info.Format == shaderunit.Format5i {
		op = info.Inverted
	}
	return picasso.Relax(op, uint32(desc), needed)
}

// findUses sets the users of all descriptors.
func (d *disassembler) findUses() {
	d.uses = map[uint8]descriptorUse{}
	for at, w := range d.code {
		in := shaderunit.Decode(w)
		if info := in.Info(); info == nil || info.Format.DescLimit() == 0 || int(in.Desc) >= len(d.descs) || d.forceWord[at] {
			continue
		}
		u, known := d.uses[in.Desc]
		if !known {
			u.first = at
		} else {
			u.others |= neededBits(in, d.descs[in.Desc])
		}
		d.uses[in.Desc] = u
	}
}

// plainer returns an instruction's descriptor with simpler selectors that
// assemble to the same.
func (d *disassembler) plainer(at int, in shaderunit.Instr) shaderunit.OpDesc {
	desc := d.descs[in.Desc]
	needed := neededBits(in, desc)
	fixed := needed
	if use := d.uses[in.Desc]; use.first == at && !d.mode.Extended {
		fixed |= ^use.others
	}
	return plainSelectors(in, desc, needed, fixed)
}

// Plain returns a descriptor for display, with simple selectors for the
// components that the operation does not read.
func Plain(in shaderunit.Instr, desc shaderunit.OpDesc) shaderunit.OpDesc {
	if info := in.Info(); info == nil || info.Format.DescLimit() == 0 {
		return desc
	}
	needed := neededBits(in, desc)
	return plainSelectors(in, desc, needed, needed)
}

// plainSelectors chooses the selectors outside of the bits fixed; needed are
// the bits that are read.
func plainSelectors(in shaderunit.Instr, desc shaderunit.OpDesc, needed, fixed uint32) shaderunit.OpDesc {
	out := uint32(desc)
	for n := range in.Info().Format.Sources() {
		var free [4]bool
		wanted, last, identity := 0, 0, true
		for i := range 4 {
			hole := picasso.SwizzleHole(n, i)
			free[i] = fixed&hole == 0
			if needed&hole != 0 {
				wanted++
				last = i
			}
			if !free[i] && desc.Sel(n, i) != i {
				identity = false
			}
		}
		sel := func(i int) int { return int(out>>(5+9*n)) >> (6 - 2*i) & 3 }
		set := func(i, comp int) {
			out = out&^picasso.SwizzleHole(n, i) | uint32(comp)<<(6-2*i)<<(5+9*n)
		}
		for i := range 4 {
			switch {
			case !free[i]:
			case wanted == 1:
				set(i, sel(last))
			case identity:
				set(i, i)
			case i > 0:
				set(i, sel(i-1))
			default:
				k := 0
				for k < 3 && free[k] {
					k++
				}
				set(0, sel(k))
			}
		}
	}
	return shaderunit.OpDesc(out)
}
