package fragment

import (
	"fmt"
	"slices"
	"strings"

	"pica200/explain/rows"
	"pica200/pica"
)

// combiners describes the stages that have an effect: they do more than pass
// the previous result on, and their result is read.
func (in *insight) combiners(m *machine, lane int) (list []rows.Row) {
	read := in.read()
	for i := range in.stages.stages {
		rgb, does := in.half(m, lane, i, 0, !read[i][0])
		alpha, doesToo := in.half(m, lane, i, 1, !read[i][1])
		if !does && !doesToo {
			continue
		}
		var to []string
		for h, name := range []string{"rgb", "alpha"} {
			if i < 4 && in.updates[h]>>i&1 != 0 {
				to = append(to, name)
			}
		}
		r := rows.New("", "", "stage", i, "result", m.at(in.stages.outs[i], lane)).In("combiners[]", rgb, alpha)
		if len(to) > 0 {
			r.Rows = append(r.Rows, rows.New("  to buffer", "{buffer}", "buffer", strings.Join(to, " and ")))
		}
		list = append(list, r)
	}
	return list
}

// halfOf returns the half of its source that an operand reads: 0 is RGB, 1
// alpha.
func halfOf(half int, code uint8) int {
	if half == 0 && code>>1 == 1 || half == 1 && code>>1&3 == 0 {
		return 1
	}
	return 0
}

// read finds the halves of stages whose results reach the fragment's colour.
func (in *insight) read() (read [numStages][2]bool) {
	// writer is the stage whose half is in the combiner buffer at stage i, or -1.
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
				of = 0 // a dot product that is written to alpha too
			}
			for j := range inputs(st, of) {
				source(i, halfOf(of, st.operand[of][j]), st.source[of][j])
			}
		}
	}
	return read
}

// inputs returns the number of operands of a half.
func inputs(st *stage, half int) int {
	if half == 1 && combineFunctions[st.function[1]].dot {
		return 1 // which alpha passes on
	}
	return st.function[half].Inputs()
}

// half describes one half of a stage. does is false if it has no effect.
func (in *insight) half(m *machine, lane, i, half int, unread bool) (r rows.Row, does bool) {
	st := &in.stages.stages[i]
	out := m.at(in.stages.outs[i], lane)
	from, f, function := st.computes(half)
	key, result, scale := "rgb", numbers{int(out[red]), int(out[green]), int(out[blue])}, 1<<st.shift[half]
	if half == 1 {
		key, result = "alpha", numbers{int(out[alpha])}
	}
	names, values := make([]any, 0, 3), make([]any, 0, 3)
	var operands []rows.Row
	for j := range f.Inputs() {
		o, name, value := in.operand(m, lane, i, from, j)
		operands, names, values = append(operands, o), append(names, name), append(values, value)
	}
	passes := st.passes(i, half)
	equation := st.formula(half, f, 0, names)
	if f != pica.CombineReplace || scale > 1 {
		equation += " = " + st.formula(half, f, 1, values)
	}
	r = rows.New(fmt.Sprintf("stage %d %s", i, key), "{equation}", "function", function, "scale", scale, "equation", equation+" = "+result.String(), "result", result).In(key, operands...)
	if half == 0 {
		r = r.Colored([4]uint8{out[red], out[green], out[blue], 255})
	}
	if passes {
		r.Add("passes", true)
	}
	if unread {
		r.Add("unread", true)
	}
	does = !passes && !unread
	return r.When(does), does
}

// computes returns what a half of a stage computes: which half's operands it
// uses, the function and its name. A dot product may be written to alpha too;
// an alpha half with its own dot product passes its operand on.
func (st *stage) computes(half int) (from int, f pica.Combine, name string) {
	from, f = half, st.function[half]
	name = f.String()
	switch {
	case half == 0:
	case combineFunctions[st.function[0]].wide:
		return 0, st.function[0], st.function[0].String()
	case combineFunctions[f].dot:
		f = pica.CombineReplace
	}
	return from, f, name
}

// passes reports whether a half passes the previous result on.
func (st *stage) passes(stage, half int) bool {
	from, f, _ := st.computes(half)
	return stage > 0 && from == half && f == pica.CombineReplace && st.shift[half] == 0 && st.source[half][0] == pica.SourcePrevious && st.operand[half][0] == 0
}

// formula formats a function with its operands by name (0) or as numbers (1).
func (st *stage) formula(half int, f pica.Combine, numbers int, operands []any) string {
	text := combineFunctions[f].text[numbers]
	if st.shift[half] == 0 {
		return fmt.Sprintf(text, operands...)
	}
	if strings.ContainsAny(combineFunctions[f].text[0], "+-") {
		text = "(" + text + ")"
	}
	return fmt.Sprintf(text, operands...) + fmt.Sprintf(" * %d", 1<<st.shift[half])
}

// CombinerRows describes what the combiner stages compute, with a row for the
// colour and one for the alpha of each. Stages that only pass the previous
// result on and whose result nothing reads are marked idle.
func CombinerRows(r *pica.Regs) (list []rows.Row, err error) {
	stages, err := decodeStages(r)
	if err != nil {
		return nil, err
	}
	in := insight{stages: &combiner{stages: stages}, gas: pica.FogMode(pica.TexenvUpdateFogMode.Get(r)) == pica.FogModeGas,
		updates: [2]uint32{pica.TexenvUpdateRgb.Get(r), pica.TexenvUpdateAlpha.Get(r)}}
	read := in.read()
	for i := range stages {
		st, word := &stages[i], r[pica.RegTexenv0Color+pica.TexenvOffset(i)]
		for half, key := range []string{"rgb", "alpha"} {
			from, f, function := st.computes(half)
			var names []any
			var sources []pica.Source
			for j := range f.Inputs() {
				source := st.source[from][j]
				names, sources = append(names, operandName(source.String(), from, st.operand[from][j])), append(sources, source)
			}
			row := rows.New("stage {stage} {half}", "{formula}", "stage", i, "half", key, "function", function, "scale", 1<<st.shift[half],
				"sources", sources, "formula", st.formula(half, f, 0, names)).To(rows.Link{To: rows.ToRegister, Register: (pica.RegTexenv0Source + pica.TexenvOffset(i)).String()})
			if slices.Contains(sources, pica.SourceConstant) {
				row = row.Colored(unpackColor(word))
				row.Add("constant", unpackColor(word))
				row.Form += "; the constant is {constant}"
			}
			if i < 4 && in.updates[half]>>i&1 != 0 {
				row.Form += ", also to the buffer"
			}
			if st.passes(i, half) || !read[i][half] {
				row.Mark = rows.Idle
			}
			list = append(list, row)
		}
	}
	return list, nil
}

// operand describes operand j of a half of stage i, and returns its name and
// value.
func (in *insight) operand(m *machine, lane, i, half, j int) (r rows.Row, name string, value numbers) {
	st := &in.stages.stages[i]
	ref := in.stages.ins[i][half][j]
	code, source := st.operand[half][j], st.source[half][j].String()
	add := func(a operand) { value = append(value, int(m.plane(a.ref)[lane]^a.xor)) }
	word := pica.OperandRGB(code).String()
	if half == 1 {
		word = pica.OperandAlpha(code & 7).String()
		add(alphaOperand(code, ref))
	} else {
		for ch := range 3 {
			add(rgbOperand(code, ref, ch))
		}
	}
	r = rows.New("", "", "source", source, "operand", word, "color", m.at(ref, lane), "value", value).In("operands[]")
	return r, operandName(source, half, code), value
}

// operandName formats a source with its operand: texture0.a, 1 - constant.
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
			return name // operands that do not exist read the colour unchanged
		}
	}
	if code&1 != 0 {
		return "(1 - " + name + ")"
	}
	return name
}
