package explain

import (
	"fmt"
	"slices"
	"strings"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/pica"
)

// combineForms are the formulas of the combiner's functions: for operands by
// name, and for operands as numbers from 0 to 255.
var combineForms = [...][2]string{
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

// stages are the combiner stages of a draw or of a fragment.
type stages = [6]fragment.StageRecord

// halves name the two halves of a stage.
var halves = [2]string{"rgb", "alpha"}

// CombinerRows describes what the combiner stages compute, with a row for the
// colour and one for the alpha of each. Stages that only pass the previous
// result on and whose result nothing reads are marked idle.
func CombinerRows(r *pica.Regs) (list []rows.Row, err error) {
	decoded, err := fragment.DecodeStages(r)
	if err != nil {
		return nil, err
	}
	var all stages
	updates := [2]uint32{pica.TexenvUpdateRgb.Get(r), pica.TexenvUpdateAlpha.Get(r)}
	for i := range all {
		all[i].Stage = decoded[i]
		for half := range halves {
			all[i].Buffered[half] = i < 4 && updates[half]>>i&1 != 0
		}
	}
	read := readHalves(&all, pica.FogMode(pica.TexenvUpdateFogMode.Get(r)) == pica.FogModeGas)
	for i := range all {
		st, word := &all[i], r[pica.RegTexenv0Color+pica.TexenvOffset(i)]
		for half, key := range halves {
			from, f, function := computes(st, half)
			var names []any
			var sources []pica.Source
			for j := range f.Inputs() {
				source := st.Source[from][j]
				names, sources = append(names, operandName(source.String(), from, st.Operand[from][j])), append(sources, source)
			}
			row := rows.New("stage {stage} {half}", "{formula}", "stage", i, "half", key, "function", function, "scale", 1<<st.Shift[half],
				"sources", sources, "formula", formula(f, st.Shift[half], 0, names)).To(rows.Link{To: rows.ToRegister, Register: (pica.RegTexenv0Source + pica.TexenvOffset(i)).String()})
			if slices.Contains(sources, pica.SourceConstant) {
				constant := [4]uint8{uint8(word), uint8(word >> 8), uint8(word >> 16), uint8(word >> 24)}
				row = row.Colored(constant)
				row.Add("constant", constant)
				row.Form += "; the constant is {constant}"
			}
			if st.Buffered[half] {
				row.Form += ", also to the buffer"
			}
			if passes(st, i, half) || !read[i][half] {
				row.Mark = rows.Idle
			}
			list = append(list, row)
		}
	}
	return list, nil
}

// combinerRows describes the stages that have an effect: they do more than pass
// the previous result on, and their result is read.
func combinerRows(all *stages, gas bool) (list []rows.Row) {
	read := readHalves(all, gas)
	for i := range all {
		rgb, does := halfRow(&all[i], i, 0, !read[i][0])
		alpha, doesToo := halfRow(&all[i], i, 1, !read[i][1])
		if !does && !doesToo {
			continue
		}
		var to []string
		for half, name := range halves {
			if all[i].Buffered[half] {
				to = append(to, name)
			}
		}
		r := rows.New("", "", "stage", i, "result", all[i].Result).In("combiners[]", rgb, alpha)
		if len(to) > 0 {
			r.Rows = append(r.Rows, rows.New("  to buffer", "{buffer}", "buffer", strings.Join(to, " and ")))
		}
		list = append(list, r)
	}
	return list
}

// readHalves finds the halves of stages whose results reach the fragment's
// colour.
func readHalves(all *stages, gas bool) (read [6][2]bool) {
	const last = len(all) - 1
	source := func(i, half int, s pica.Source) {
		switch {
		case s == pica.SourcePrevious && i > 0:
			read[i-1][half] = true
		case s == pica.SourcePreviousBuffer:
			for j := min(i-2, 3); j >= 0; j-- { // the last stage that wrote the buffer
				if all[j].Buffered[half] {
					read[j][half] = true
					break
				}
			}
		}
	}
	if gas { // reads these sources of the last stage in place of its result
		for half := range halves {
			source(last, half, all[last].Source[0][0])
			source(last, half, all[last].Source[0][2])
		}
	} else {
		read[last] = [2]bool{true, true}
	}
	for i := last; i >= 0; i-- {
		st := &all[i]
		for half := range halves {
			if !read[i][half] {
				continue
			}
			from, f, _ := computes(st, half)
			for j := range f.Inputs() {
				source(i, halfOf(from, st.Operand[from][j]), st.Source[from][j])
			}
		}
	}
	return read
}

// halfOf returns the half of its source that an operand reads: 0 is RGB, 1
// alpha.
func halfOf(half int, code uint8) int {
	of, _, _ := operandReads(half, code)
	return of / 3
}

// operandReads returns the component of its source that an operand of a half reads first, whether its other components read
// others, and whether it takes 1 minus it.
func operandReads(half int, code uint8) (of int, color, inverted bool) {
	if half == 1 {
		of, inverted = pica.OperandAlpha(code).Reads()
		return of, false, inverted
	}
	of, inverted = pica.OperandRGB(code).Reads(0)
	second, _ := pica.OperandRGB(code).Reads(1)
	return of, of != second, inverted
}

// computes returns what a half of a stage computes: which half's operands it
// uses, the function and its name. A dot product may be written to alpha too;
// an alpha half with its own dot product passes its operand on.
func computes(st *fragment.StageRecord, half int) (from int, f pica.Combine, name string) {
	from, f = half, st.Function[half]
	name = f.String()
	switch {
	case half == 0:
	case st.Function[0] == pica.CombineDot3RGBA:
		return 0, st.Function[0], st.Function[0].String()
	case f == pica.CombineDot3RGB || f == pica.CombineDot3RGBA:
		f = pica.CombineReplace
	}
	return from, f, name
}

// passes reports whether a half passes the previous result on.
func passes(st *fragment.StageRecord, stage, half int) bool {
	from, f, _ := computes(st, half)
	return stage > 0 && from == half && f == pica.CombineReplace && st.Shift[half] == 0 && st.Source[half][0] == pica.SourcePrevious && st.Operand[half][0] == 0
}

// formula formats a function with its operands by name (0) or as numbers (1).
func formula(f pica.Combine, shift uint8, numbers int, operands []any) string {
	form := combineForms[f][numbers]
	if shift == 0 {
		return fmt.Sprintf(form, operands...)
	}
	if strings.ContainsAny(combineForms[f][0], "+-") {
		form = "(" + form + ")"
	}
	return fmt.Sprintf(form, operands...) + fmt.Sprintf(" * %d", 1<<shift)
}

// halfRow describes one half of a stage. does is false if it has no effect.
func halfRow(st *fragment.StageRecord, i, half int, unread bool) (r rows.Row, does bool) {
	from, f, function := computes(st, half)
	shift, result := st.Shift[half], [2]numbers{numbersOf(st.Result[:3]), numbersOf(st.Result[3:])}[half]
	names, values := make([]any, 0, 3), make([]any, 0, 3)
	var operands []rows.Row
	for j := range f.Inputs() {
		o, name, value := operandRow(st, from, j)
		operands, names, values = append(operands, o), append(names, name), append(values, value)
	}
	equation := formula(f, shift, 0, names)
	if f != pica.CombineReplace || shift > 0 {
		equation += " = " + formula(f, shift, 1, values)
	}
	r = rows.New(fmt.Sprintf("stage %d %s", i, halves[half]), "{equation}", "function", function, "scale", 1<<shift,
		"equation", equation+" = "+result.String(), "result", result).In(halves[half], operands...)
	if half == 0 {
		r = r.Colored([4]uint8{st.Result[0], st.Result[1], st.Result[2], 255})
	}
	idle := passes(st, i, half)
	if idle {
		r.Add("passes", true)
	}
	if unread {
		r.Add("unread", true)
	}
	does = !idle && !unread
	return r.When(does), does
}

// operandRow describes operand j of a half of a stage, and returns its name and
// value.
func operandRow(st *fragment.StageRecord, half, j int) (r rows.Row, name string, value numbers) {
	o, code, source := &st.Operands[half][j], st.Operand[half][j], st.Source[half][j].String()
	word := pica.OperandRGB(code).String()
	value = numbersOf(o.Value[:])
	if half == 1 {
		word, value = pica.OperandAlpha(code&7).String(), value[:1]
	}
	r = rows.New("", "", "source", source, "operand", word, "color", o.Color, "value", value).In("operands[]")
	return r, operandName(source, half, code), value
}

// operandName formats a source with its operand: texture0.a, (1 - constant).
// Operands that do not exist read the colour unchanged.
func operandName(source string, half int, code uint8) string {
	of, color, inverted := operandReads(half, code)
	if !color {
		source += "." + "rgba"[of:of+1]
	}
	if inverted {
		return "(1 - " + source + ")"
	}
	return source
}
