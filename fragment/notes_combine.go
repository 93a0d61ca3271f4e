package fragment

import (
	"fmt"
	"strings"

	"pica200/pica"
)

// combiners describes the stages that do something: that do not just hand on
// what the stage before gave, and whose result anything reads.
func (in *insight) combiners(m *machine, lane int) []CombinerRecord {
	list := []CombinerRecord{}
	read := in.read()
	for i := range in.stages.stages {
		s := CombinerRecord{Stage: i, Result: m.at(in.stages.outs[i], lane)}
		s.RGB = in.half(m, lane, i, 0)
		s.Alpha = in.half(m, lane, i, 1)
		s.RGB.Unread, s.Alpha.Unread = !read[i][0], !read[i][1]
		if (s.RGB.Passes || s.RGB.Unread) && (s.Alpha.Passes || s.Alpha.Unread) {
			continue
		}
		var to []string
		for h, name := range []string{"rgb", "alpha"} {
			if i < 4 && in.updates[h]>>i&1 != 0 {
				to = append(to, name)
			}
		}
		s.Buffer = strings.Join(to, " and ")
		list = append(list, s)
	}
	return list
}

// halfOf says which half of its source an operand takes: 0 is RGB, 1 alpha.
func halfOf(half int, code uint8) int {
	if half == 0 && code>>1 == 1 || half == 1 && code>>1&3 == 0 {
		return 1
	}
	return 0
}

// read finds the halves of stages whose results get into the fragment's colour.
func (in *insight) read() (read [numStages][2]bool) {
	// writer is the stage whose half the combiner buffer holds for stage i, or -1.
	writer := func(i, half int) int {
		for j := min(i-2, 3); j >= 0; j-- {
			if in.updates[half]>>j&1 != 0 {
				return j
			}
		}
		return -1
	}
	source := func(i, half int, s pica.Source) {
		switch {
		case s == pica.SourcePrevious && i > 0:
			read[i-1][half] = true
		case s == pica.SourcePreviousBuffer:
			if w := writer(i, half); w >= 0 {
				read[w][half] = true
			}
		}
	}
	last := &in.stages.stages[numStages-1]
	if in.gas {
		for half := range 2 {
			source(numStages-1, half, last.source[0][0])
			source(numStages-1, half, last.source[0][2])
		}
	} else {
		read[numStages-1] = [2]bool{true, true}
	}
	for i := numStages - 1; i >= 0; i-- {
		st := &in.stages.stages[i]
		for half := range 2 {
			if !read[i][half] {
				continue
			}
			of := half
			if half == 1 && combineFunctions[st.function[0]].wide {
				of = 0 // a dot product that goes to alpha too
			}
			for j := range inputs(st, of) {
				source(i, halfOf(of, st.operand[of][j]), st.source[of][j])
			}
		}
	}
	return read
}

// inputs is the number of operands that a half takes.
func inputs(st *stage, half int) int {
	if half == 1 && combineFunctions[st.function[1]].dot {
		return 1 // which alpha passes on
	}
	return st.function[half].Inputs()
}

// half describes one half of a stage.
func (in *insight) half(m *machine, lane, i, half int) CombineRecord {
	st := &in.stages.stages[i]
	out := m.at(in.stages.outs[i], lane)
	c := CombineRecord{Function: st.function[half].String(), Scale: 1 << st.shift[half]}
	from, f := half, st.function[half]
	if half == 1 {
		c.Result = []int{int(out[alpha])}
		switch {
		case combineFunctions[st.function[0]].wide:
			from, f = 0, st.function[0]
			c.Function = f.String()
		case combineFunctions[f].dot:
			f = pica.CombineReplace
		}
	} else {
		c.Result = []int{int(out[red]), int(out[green]), int(out[blue])}
	}
	names := make([]any, 0, 3)
	values := make([]any, 0, 3)
	for j := range f.Inputs() {
		o := in.operand(m, lane, i, from, j)
		c.Operands = append(c.Operands, o)
		names, values = append(names, operandName(o.Source, from, st.operand[from][j])), append(values, numbers(o.Value))
	}
	first := c.Operands[0]
	c.Passes = i > 0 && f == pica.CombineReplace && c.Scale == 1 && st.source[from][0] == pica.SourcePrevious && st.operand[from][0] == 0 && len(first.Value) == len(c.Result)
	scale := ""
	if c.Scale > 1 {
		scale = fmt.Sprintf(" * %d", c.Scale)
	}
	text := combineText[f]
	if scale != "" && strings.ContainsAny(text[0], "+-") {
		text[0], text[1] = "("+text[0]+")", "("+text[1]+")"
	}
	c.Equation = fmt.Sprintf(text[0], names...) + scale
	if numbersText := fmt.Sprintf(text[1], values...) + scale; f != pica.CombineReplace || scale != "" {
		c.Equation += " = " + numbersText
	}
	c.Equation += " = " + numbers(c.Result)
	return c
}

// combineText has the functions in words and in numbers of 0 to 255.
var combineText = [...][2]string{
	pica.CombineReplace:     {"%s", "%s"},
	pica.CombineModulate:    {"%s * %s", "%s * %s / 255"},
	pica.CombineAdd:         {"%s + %s", "%s + %s"},
	pica.CombineAddSigned:   {"%s + %s - 0.5", "%s + %s - 128"},
	pica.CombineInterpolate: {"%[1]s * %[3]s + %[2]s * (1 - %[3]s)", "(%[1]s * %[3]s + %[2]s * (255 - %[3]s)) / 255"},
	pica.CombineSubtract:    {"%s - %s", "%s - %s"},
	pica.CombineDot3RGB:     {"4 * (%s - 0.5) . (%s - 0.5)", "(2 * %s - 255) . (2 * %s - 255) / 255"},
	pica.CombineDot3RGBA:    {"4 * (%s - 0.5) . (%s - 0.5)", "(2 * %s - 255) . (2 * %s - 255) / 255"},
	pica.CombineMultAdd:     {"%s * %s + %s", "%s * %s / 255 + %s"},
	pica.CombineAddMult:     {"min(%s + %s, 1) * %s", "min(%s + %s, 255) * %s / 255"},
}

// operand describes operand j of a half of stage i.
func (in *insight) operand(m *machine, lane, i, half, j int) OperandRecord {
	st := &in.stages.stages[i]
	ref := in.stages.ins[i][half][j]
	code := st.operand[half][j]
	o := OperandRecord{Source: st.source[half][j].String(), Color: m.at(ref, lane)}
	value := func(a operand) { o.Value = append(o.Value, int(m.plane(a.ref)[lane]^a.xor)) }
	if half == 1 {
		o.Operand = pica.OperandAlpha(code & 7).String()
		value(alphaOperand(code, ref))
		return o
	}
	o.Operand = pica.OperandRGB(code).String()
	for ch := range 3 {
		value(rgbOperand(code, ref, ch))
	}
	return o
}

// operandName is a source with its operand: texture0.a, 1 - constant.
func operandName(source string, half int, code uint8) string {
	name := source
	if half == 1 {
		name += [4]string{".a", ".r", ".g", ".b"}[code>>1&3]
	} else {
		switch code >> 1 {
		case 1:
			name += ".a"
		case 2:
			name += ".r"
		case 4:
			name += ".g"
		case 6:
			name += ".b"
		case 0:
		default:
			return name // operands that do not exist take the colour as it is
		}
	}
	if code&1 != 0 {
		return "(1 - " + name + ")"
	}
	return name
}

// numbers writes one number, or three in brackets.
func numbers(v []int) string {
	if len(v) == 1 {
		return fmt.Sprint(v[0])
	}
	return strings.NewReplacer("[", "(", "]", ")").Replace(fmt.Sprint(v))
}
