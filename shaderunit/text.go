package shaderunit

import (
	"fmt"
	"strings"
)

// Namer names what an instruction refers to. If a function is nil or returns
// "", the plain name is used.
type Namer struct {
	Src   func(SrcReg) string    // "projection[2]" for c2
	Dst   func(DstReg) string    // "outpos" for o0
	Label func(pc uint16) string // name of a destination
	Bool  func(n uint8) string
	Int   func(n uint8) string
}

func named(f func(uint8) string, n uint8, prefix string) string {
	if f != nil {
		if s := f(n); s != "" {
			return s
		}
	}
	return fmt.Sprintf("%s%d", prefix, n)
}

// Text formats the instruction in the syntax of the picasso assembler, with
// default names. Destinations of flow control are word numbers, for which that
// language has no notation (it has blocks and labels): "ifu b0, 0x012, 3".
func (in Instr) Text(d OpDesc) string { return in.TextNamed(d, Namer{}) }

// TextNamed is Text with names.
func (in Instr) TextNamed(d OpDesc, names Namer) string {
	info := in.Info()
	if info == nil {
		return fmt.Sprintf(".word 0x%08X ; unknown opcode 0x%02X", uint32(in.Op)<<26|in.Unused, uint8(in.Op))
	}
	switch info.Format {
	case Format0:
		return info.Name
	case Format1c:
		return fmt.Sprintf("cmp %s, %s, %s, %s", in.srcText(0, d, names), in.CmpX, in.CmpY, in.srcText(1, d, names))
	case Format2:
		s := info.Name + " "
		if in.Op != OpCALL {
			s += in.CondText()
			if in.Op == OpBREAKC {
				return s
			}
			s += ", "
		}
		return s + in.destText(names)
	case Format3:
		u := named(names.Bool, in.Uniform, "b")
		switch {
		case in.Op == OpLOOP:
			u = named(names.Int, in.Uniform, "i")
		case in.Op == OpJMPU && in.Num&1 != 0:
			u = "!" + u
		}
		return info.Name + " " + u + ", " + in.destText(names)
	case Format4:
		s := fmt.Sprintf("setemit %d", in.VertexID)
		if in.PrimEmit || in.Winding {
			s += ","
		}
		if in.PrimEmit {
			s += " prim"
		}
		if in.Winding {
			s += " inv"
		}
		return s
	}
	args := []string{in.DstText(d, names)}
	for n := range info.Format.Sources() {
		args = append(args, in.srcText(n, d, names))
	}
	return info.Name + " " + strings.Join(args, ", ")
}

// DstText formats the destination with its mask: "r3.xy", "a0.x" for MOVA.
func (in Instr) DstText(d OpDesc, names Namer) string {
	if info := in.Info(); info != nil && info.WritesAddress() {
		m := d.MaskText()
		return "a0." + strings.TrimRight(m, "zw")
	}
	s := ""
	if names.Dst != nil {
		s = names.Dst(in.Dst)
	}
	if s == "" {
		s = in.Dst.String()
	}
	if d.Mask() == MaskXYZW {
		return s
	}
	return s + "." + d.MaskText()
}

// srcText formats source n with address register, swizzle and sign:
// "-c8[a0.x].xxyy".
func (in Instr) srcText(n int, d OpDesc, names Namer) string {
	s := ""
	if names.Src != nil {
		s = names.Src(in.Src[n])
	}
	if s == "" {
		s = in.Src[n].String()
	}
	if in.Idx != AddrNone && n == in.Info().Format.Wide() && in.Src[n] >= SrcUniform {
		if k := strings.IndexByte(s, '['); k >= 0 && strings.HasSuffix(s, "]") {
			s = s[:k+1] + in.Idx.String() + "+" + s[k+1:]
		} else {
			s += "[" + in.Idx.String() + "]"
		}
	}
	if d.Neg(n) {
		s = "-" + s
	}
	if d.Swizzle(n) == SwizzleXYZW {
		return s
	}
	sw := d.SwizzleText(n)
	for len(sw) > 1 && sw[len(sw)-1] == sw[len(sw)-2] { // picasso repeats the last component when it is left out
		sw = sw[:len(sw)-1]
	}
	return s + "." + sw
}

// CondText formats the condition of a format 2 instruction: "cmp.x && !cmp.y".
func (in Instr) CondText() string {
	x, y := "cmp.x", "cmp.y"
	if !in.RefX {
		x = "!" + x
	}
	if !in.RefY {
		y = "!" + y
	}
	switch in.Cond {
	case CondOr:
		return x + " || " + y
	case CondAnd:
		return x + " && " + y
	case CondX:
		return x
	}
	return y
}

func (in Instr) destText(names Namer) string {
	s := ""
	if names.Label != nil {
		s = names.Label(in.Dest)
	}
	if s == "" {
		s = fmt.Sprintf("0x%03X", in.Dest)
	}
	if f := in.Op.Flow(); f == FlowJump || f == FlowLoop {
		return s
	}
	return fmt.Sprintf("%s, %d", s, in.Num)
}
