package disasm

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// nameTable holds the names for the instructions of one source.
type nameTable struct {
	src      map[int]string // inputs and uniforms, by their register in alloc.go
	dst      map[int]string // output registers
	values   map[int]string // values of constants as text, for comments
	reserved map[string]bool
	geometry bool
	vertex   bool // setemit is not allowed, as it would make this a geometry shader
	// relative holds names of inputs and temporaries that are addressed relatively,
	// which requires a name.
	relative map[int]string
}

func newNameTable(e *shbin.Executable) *nameTable {
	t := &nameTable{src: map[int]string{}, dst: map[int]string{}, values: map[int]string{}, reserved: map[string]bool{}, relative: map[int]string{}}
	t.geometry = e != nil && e.Type == shbin.GeometryShader
	t.vertex = e != nil && !t.geometry
	return t
}

// reserve returns a variant of name that the source does not use yet.
func (t *nameTable) reserve(name string) string {
	for t.reserved[name] {
		name += "_"
	}
	t.reserved[name] = true
	return name
}

// plain returns the text of a register without an alias. If a name of the
// source hides it, it is written as an offset from another register.
func (t *nameTable) plain(kind byte, n int) string {
	limit := 95
	if kind == 'v' {
		limit = 14
	}
	if kind == 'o' && t.geometry {
		limit = 6
	}
	for base := min(n, limit); base >= 0; base-- {
		name := fmt.Sprintf("%c%d", kind, base)
		if t.reserved[name] {
			continue
		}
		if base == n {
			return name
		}
		return fmt.Sprintf("%s[%d]", name, n-base)
	}
	return fmt.Sprintf("%c%d", kind, n)
}

func (t *nameTable) source(reg int) string {
	if s := t.src[reg]; s != "" {
		return s
	}
	return t.plain(picasso.Letter(reg))
}

// sourceText writes source n of an instruction.
func (t *nameTable) sourceText(in shaderunit.Instr, n int, desc shaderunit.OpDesc) string {
	reg := int(in.Src[n])
	relative := in.Idx != shaderunit.AddrNone && n == in.Info().Format.Wide()
	s := t.source(reg)
	if relative && reg < picasso.RegFloat {
		s = t.relative[reg]
	}
	if relative {
		if k := strings.IndexByte(s, '['); k >= 0 {
			s = s[:k+1] + in.Idx.String() + "+" + s[k+1:]
		} else {
			s += "[" + in.Idx.String() + "]"
		}
	}
	if desc.Neg(n) {
		s = "-" + s
	}
	return s + swizzleSuffix(desc, n)
}

func swizzleSuffix(desc shaderunit.OpDesc, n int) string {
	if desc.Swizzle(n) == shaderunit.SwizzleXYZW {
		return ""
	}
	sw := desc.SwizzleText(n)
	for len(sw) > 1 && sw[len(sw)-1] == sw[len(sw)-2] {
		sw = sw[:len(sw)-1]
	}
	return "." + sw
}

func (t *nameTable) destination(in shaderunit.Instr, desc shaderunit.OpDesc) string {
	reg := int(in.Dst)
	s := t.dst[reg]
	switch {
	case s != "":
	case reg < picasso.RegTemp:
		s = t.plain('o', reg)
	default:
		s = t.plain('r', reg-picasso.RegTemp)
	}
	if desc.Mask() == shaderunit.MaskXYZW {
		return s
	}
	return s + "." + desc.MaskText()
}

// instruction returns one instruction with its comment.
func (d *disassembler) instruction(at int, w uint32, in shaderunit.Instr, block bool, names *nameTable) string {
	text, ok := d.operationText(at, w, in, block, names)
	var comment []string
	if d.opt.Addresses {
		comment = append(comment, fmt.Sprintf("%03X: %08X", at, w))
	}
	if !ok || d.forceWord[at] {
		if text != "" {
			comment = append(comment, text)
		}
		text = fmt.Sprintf(".word 0x%08X", w)
		if !d.mode.Extended {
			d.note("the instruction 0x%08X at 0x%03X, which the language cannot write", w, at)
			text = "nop"
		}
	} else if d.forceDesc[at] {
		text += fmt.Sprintf(" @%d", in.Desc)
	}
	if info := in.Info(); info != nil {
		seen := map[int]bool{}
		for n := range info.Format.Sources() {
			reg := int(in.Src[n])
			if v := names.values[reg]; v != "" && !seen[reg] {
				seen[reg] = true
				comment = append(comment, names.source(reg)+" = "+v)
			}
		}
		if in.Op == shaderunit.OpLOOP {
			if v := names.values[picasso.RegInt+int(in.Uniform)]; v != "" {
				comment = append(comment, v)
			}
		}
	}
	if len(comment) == 0 {
		return text
	}
	return fmt.Sprintf("%-40s ; %s", text, strings.Join(comment, "; "))
}

// operationText returns an instruction without its comment. ok is false if the
// language cannot express the word; the text is then the closest one.
func (d *disassembler) operationText(at int, w uint32, in shaderunit.Instr, block bool, names *nameTable) (text string, ok bool) {
	info := in.Info()
	if info == nil {
		return fmt.Sprintf("unknown opcode 0x%02X", uint8(in.Op)), false
	}
	ok = in.Unused&^d.countBits(in) == 0
	if info.Format.DescLimit() > 0 {
		if int(in.Desc) >= len(d.descs) {
			return fmt.Sprintf("%s with operand descriptor %d, which is not in the file", info.Name, in.Desc), false
		}
		return d.registerOperation(in, d.plainer(at, in), names, ok)
	}
	o := &operation{d: d, at: at, word: w, in: in, block: block, names: names, ok: ok}
	if write := flowTexts[in.Op]; write != nil {
		text = write(o)
	} else {
		text = info.Name
	}
	return text, o.ok
}

// operation is an instruction without registers, while it is written.
type operation struct {
	d     *disassembler
	at    int
	word  uint32
	in    shaderunit.Instr
	block bool
	names *nameTable
	ok    bool // the language can express it
}

// need notes a condition that must hold for the language to express the
// instruction.
func (o *operation) need(is bool) { o.ok = o.ok && is }

// uniform names the uniform that the instruction reads; base is the first
// register of its type.
func (o *operation) uniform(base int) string { return o.names.source(base + int(o.in.Uniform)) }

// label names the target of a jump.
func (o *operation) label() string {
	dest, _ := flowTarget(o.word)
	o.need(dest <= len(o.d.code))
	return labelName(dest)
}

// procedure names the procedure of a call.
func (o *operation) procedure() string {
	name, known := o.d.procName(o.at, o.word)
	if o.need(known); !known {
		dest, _ := flowTarget(o.word)
		return fmt.Sprintf("0x%03X", dest)
	}
	return name
}

// flowTexts returns the text of flow control instructions. Other instructions
// without registers are only their name.
var flowTexts = map[shaderunit.Opcode]func(o *operation) string{
	shaderunit.OpCALL: func(o *operation) string {
		o.need(o.word>>22&0xF == 0)
		return "call " + o.procedure()
	},
	shaderunit.OpCALLC: func(o *operation) string {
		o.need(o.d.canonicalCondition(o.in))
		return fmt.Sprintf("callc %s, %s", o.in.CondText(), o.procedure())
	},
	shaderunit.OpCALLU: func(o *operation) string {
		return fmt.Sprintf("callu %s, %s", o.uniform(picasso.RegBool), o.procedure())
	},
	shaderunit.OpJMPC: func(o *operation) string {
		o.need(o.d.canonicalCondition(o.in) && o.in.Num == 0)
		return fmt.Sprintf("jmpc %s, %s", o.in.CondText(), o.label())
	},
	shaderunit.OpJMPU: func(o *operation) string {
		o.need(o.in.Num <= 1)
		not := ""
		if o.in.Num&1 != 0 {
			not = "!"
		}
		return fmt.Sprintf("jmpu %s%s, %s", not, o.uniform(picasso.RegBool), o.label())
	},
	shaderunit.OpBREAKC: func(o *operation) string {
		o.need(o.d.canonicalCondition(o.in) && o.in.Num == 0 && o.in.Dest == 0)
		return "breakc " + o.in.CondText()
	},
	shaderunit.OpIFC: func(o *operation) string {
		o.need(o.block && o.d.canonicalCondition(o.in))
		return "ifc " + o.in.CondText()
	},
	shaderunit.OpIFU: func(o *operation) string {
		o.need(o.block)
		return "ifu " + o.uniform(picasso.RegBool)
	},
	shaderunit.OpLOOP: func(o *operation) string {
		o.need(o.block && o.in.Num == 0 && o.in.Uniform < 8)
		return "for " + o.uniform(picasso.RegInt)
	},
	shaderunit.OpSETEMIT: func(o *operation) string {
		o.need(o.in.VertexID <= 2 && !o.names.vertex)
		return o.in.Text(0)
	},
}

// countBits returns the bits of the length of a procedure or else part that
// overflow its field.
func (d *disassembler) countBits(in shaderunit.Instr) uint32 {
	if f := in.Op.Flow(); f == shaderunit.FlowCall || f == shaderunit.FlowIf {
		return 0x300
	}
	return 0
}

// canonicalCondition reports whether the flag that a condition does not test is
// the one that the assembler writes.
func (d *disassembler) canonicalCondition(in shaderunit.Instr) bool {
	switch in.Cond {
	case shaderunit.CondX:
		return in.RefY
	case shaderunit.CondY:
		return in.RefX
	}
	return true
}

func (d *disassembler) registerOperation(in shaderunit.Instr, desc shaderunit.OpDesc, names *nameTable, ok bool) (string, bool) {
	info := in.Info()
	var args []string
	switch {
	case info.WritesAddress():
		ok = ok && in.Dst == 0 && desc.Mask() != 0 && desc.Mask()&3 == 0
		args = append(args, in.DstText(desc, shaderunit.Namer{}))
	case info.Format == shaderunit.Format1c:
		ok = ok && in.CmpX < shaderunit.CompareTrue6 && in.CmpY < shaderunit.CompareTrue6
		args = []string{names.sourceText(in, 0, desc), in.CmpX.String(), in.CmpY.String(), names.sourceText(in, 1, desc)}
		return info.Name + " " + strings.Join(args, ", "), ok
	default:
		ok = ok && desc.Mask() != 0
		args = append(args, names.destination(in, desc))
	}
	// The assembler chooses an inverted form only if the last source is a float
	// uniform, or for MAD if it is addressed relatively.
	switch info.Format {
	case shaderunit.Format1i:
		ok = ok && in.Src[1] >= shaderunit.SrcUniform
	case shaderunit.Format5i:
		ok = ok && (in.Src[2] >= shaderunit.SrcUniform || in.Idx != shaderunit.AddrNone)
	}
	inputs := map[shaderunit.SrcReg]bool{}
	for n := range info.Format.Sources() {
		args = append(args, names.sourceText(in, n, desc))
		if in.Src[n] < shaderunit.SrcTemp {
			inputs[in.Src[n]] = true
		}
	}
	return info.Name + " " + strings.Join(args, ", "), ok && len(inputs) <= 1
}

// relativeNames lists the inputs and temporaries that need a name because they
// are addressed relatively.
func (d *disassembler) relativeNames() []int {
	found := map[int]bool{}
	for _, w := range d.code {
		in := shaderunit.Decode(w)
		info := in.Info()
		if info == nil || in.Idx == shaderunit.AddrNone || info.Format.Wide() < 0 {
			continue
		}
		if reg := int(in.Src[info.Format.Wide()]); reg < picasso.RegFloat {
			found[reg] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
