package explain

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/pica"
	"pica200/tests/testkit"
)

// Every combiner function has two formulas with all of its operands.
func TestEveryCombinerFunctionHasAFormula(t *testing.T) {
	require.Len(t, combineForms, pica.Combines.Len())
	for f, forms := range combineForms {
		for _, form := range forms {
			said := fmt.Sprintf(form, []any{"A", "B", "C"}[:pica.Combine(f).Inputs()]...)
			require.NotContains(t, said, "%!", "%v: %s", pica.Combine(f), form)
			require.Contains(t, said, "A", "%v has no formula", pica.Combine(f))
		}
	}
}

// Combiner stages in words: sources with operands, and stages that pass the previous result on.
func TestCombinerStagesInWords(t *testing.T) {
	known := map[int]string{0: "x", 1: "(1 - x)", 2: "x.a", 3: "(1 - x.a)", 4: "x.r", 5: "(1 - x.r)", 8: "x.g", 9: "(1 - x.g)", 12: "x.b", 13: "(1 - x.b)"}
	for code := range 16 {
		want := known[code]
		if !pica.OperandRGBs.Has(uint32(code)) {
			want = "x"
		}
		if want != "" { // otherwise it is a new operand
			require.Equal(t, want, operandName("x", 0, uint8(code)), code)
		}
	}
	for code, want := range []string{"x.a", "(1 - x.a)", "x.r", "(1 - x.r)", "x.g", "(1 - x.g)", "x.b", "(1 - x.b)"} {
		require.Equal(t, want, operandName("x", 1, uint8(code)), code)
	}
	r := &pica.Regs{}
	for i := range pica.NumTexenvs {
		at := pica.TexenvOffset(i)
		pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourcePrevious))
		pica.TexenvAlphaSource0.At(at).Set(r, uint32(pica.SourcePrevious))
	}
	pica.TexenvRgbCombine.Set(r, uint32(pica.CombineMultAdd))
	pica.TexenvRgbSource0.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbSource1.Set(r, uint32(pica.SourceConstant))
	pica.TexenvRgbSource2.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbOperand1.Set(r, 1)
	pica.TexenvRgbScale.Set(r, 1)
	r[pica.RegTexenv0Color] = 0x04030201
	pica.TexenvUpdateRgb.Set(r, 1)
	pica.TexenvAlphaSource0.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvAlphaCombine.At(pica.TexenvOffset(3)).Set(r, uint32(pica.CombineModulate))
	pica.TexenvAlphaSource1.At(pica.TexenvOffset(3)).Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvAlphaScale.At(pica.TexenvOffset(3)).Set(r, 2)
	list := testkit.Must(CombinerRows(r))(t)
	require.Len(t, list, 12)
	text := ""
	for i := range list {
		text += list[i].Line()
		if list[i].Mark == rows.Idle {
			text += " (idle)"
		}
		text += "\n"
	}
	require.Equal(t, `stage 0 rgb: (primary_color * (1 - constant) + primary_color) * 2; the constant is   1   2   3   4, also to the buffer
stage 0 alpha: primary_color.a
stage 1 rgb: previous (idle)
stage 1 alpha: previous.a (idle)
stage 2 rgb: previous (idle)
stage 2 alpha: previous.a (idle)
stage 3 rgb: previous (idle)
stage 3 alpha: previous.a * primary_color.a * 4
stage 4 rgb: previous (idle)
stage 4 alpha: previous.a (idle)
stage 5 rgb: previous (idle)
stage 5 alpha: previous.a (idle)
`, text)
	pica.TexenvRgbCombine.Set(r, 15)
	_, err := CombinerRows(r)
	require.Error(t, err)
}
