package trial

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/disasm"
)

// FormatFloat formats a register value: the shortest number that gives it,
// "inf", "-inf" or "nan".
func FormatFloat(v float32) string {
	switch {
	case math.IsNaN(float64(v)):
		return "nan"
	case math.IsInf(float64(v), 1):
		return "inf"
	case math.IsInf(float64(v), -1):
		return "-inf"
	}
	return strconv.FormatFloat(float64(v), 'g', -1, 32)
}

// formatVector formats a register as (x, y, z, w).
func formatVector(v []float32) string {
	parts := make([]string, len(v))
	for i, x := range v {
		parts[i] = FormatFloat(x)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// String formats the output as "position = (0, 0, 0, 1)", with the components
// if it has not all of them.
func (o Output) String() string {
	name := o.Meaning
	if len(o.Components) < 4 {
		name += "."
		for _, c := range o.Components {
			name += "xyzw"[c : c+1]
		}
	}
	return name + " = " + formatVector(o.Value)
}

// outputName returns the meaning of an output register, such as "position".
// Several are separated by slashes; it is "" if the executable declares none.
func (s *Shader) outputName(reg int) string {
	var names []string
	for _, o := range s.Executable.Outputs {
		if int(o.Reg) == reg && !slices.Contains(names, o.Type.String()) {
			names = append(names, o.Type.String())
		}
	}
	return strings.Join(names, "/")
}

// Namer returns the names of the executable's inputs and uniforms and the
// meanings of output registers.
func (s *Shader) Namer() shaderunit.Namer {
	name := func(reg uint16) string {
		for _, u := range s.Executable.Uniforms {
			if reg >= u.Start && reg <= u.End {
				if u.Start == u.End {
					return u.Name
				}
				return fmt.Sprintf("%s[%d]", u.Name, reg-u.Start)
			}
		}
		return ""
	}
	return shaderunit.Namer{
		Src: func(r shaderunit.SrcReg) string {
			switch {
			case r >= shaderunit.SrcUniform:
				return name(uint16(r-shaderunit.SrcUniform) + shbin.UniformFloat)
			case r < shaderunit.SrcTemp:
				return name(uint16(r))
			}
			return ""
		},
		Dst: func(r shaderunit.DstReg) string {
			if r < shaderunit.DstTemp {
				return s.outputName(int(r))
			}
			return ""
		},
		Bool: func(n uint8) string { return name(uint16(n) + shbin.UniformBool) },
		Int:  func(n uint8) string { return name(uint16(n) + shbin.UniformInt) },
	}
}

// TraceLine formats a record: address, instruction, operands after swizzle and
// sign, result, and the address registers, flags and stacks if they are in use.
func (s *Shader) TraceLine(r Record) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%03X  %-44s", r.PC, r.Instr.TextNamed(disasm.Plain(r.Instr, r.Desc), s.Namer()))
	info := r.Instr.Info()
	if info == nil {
		return b.String()
	}
	n := info.Format.Sources()
	for k := range n {
		fmt.Fprintf(&b, " s%d=%s", k+1, formatVector(r.Src[k][:]))
	}
	switch {
	case info.WritesAddress():
		fmt.Fprintf(&b, " -> a0=(%d, %d)", r.A0[0], r.A0[1])
	case info.WritesFlags() && !info.WritesDst():
		fmt.Fprintf(&b, " -> cmp=(%t, %t)", r.Cmp[0], r.Cmp[1])
	case n > 0:
		fmt.Fprintf(&b, " -> %s=%s", r.Instr.Dst, formatVector(r.Dst[:]))
		if info.WritesFlags() {
			fmt.Fprintf(&b, " cmp=(%t, %t)", r.Cmp[0], r.Cmp[1])
		}
	default:
		b.WriteString(flowText(r))
	}
	return b.String() + s.stateText(r)
}

func flowText(r Record) string {
	switch r.Instr.Op.Flow() {
	case shaderunit.FlowNext, shaderunit.FlowEnd:
		return ""
	case shaderunit.FlowLoop:
		return fmt.Sprintf(" -> %03X", r.FlowAfter.PC)
	}
	if r.Taken {
		return fmt.Sprintf(" taken -> %03X", r.FlowAfter.PC)
	}
	return fmt.Sprintf(" not taken -> %03X", r.FlowAfter.PC)
}

// stateText formats the state that is not at its initial value: address
// registers, flags, loop counter and stacks.
func (s *Shader) stateText(r Record) string {
	var parts []string
	if r.A0 != [2]int32{} {
		parts = append(parts, fmt.Sprintf("a0=(%d, %d)", r.A0[0], r.A0[1]))
	}
	if r.FlowAfter.AL != 0 || r.FlowAfter.NumLp > 0 {
		parts = append(parts, fmt.Sprintf("aL=%d", r.FlowAfter.AL))
	}
	if r.Cmp != [2]bool{} {
		parts = append(parts, fmt.Sprintf("cmp=(%t, %t)", r.Cmp[0], r.Cmp[1]))
	}
	for _, c := range r.FlowAfter.Calls() {
		parts = append(parts, fmt.Sprintf("CALL(to %03X, back to %03X)", c.End, c.Return))
	}
	for _, c := range r.FlowAfter.Ifs() {
		parts = append(parts, fmt.Sprintf("IF(to %03X, then %03X)", c.Else, c.End))
	}
	for _, c := range r.FlowAfter.Loops() {
		parts = append(parts, fmt.Sprintf("LOOP(%03X to %03X, %d more)", c.Start, c.End, c.Left))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  | " + strings.Join(parts, " ")
}
