package rows

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Walk gives the lines of rows, including those below rows without text, with colours and links.
func TestRowsAsLines(t *testing.T) {
	red, blue := [4]uint8{255, 0, 0, 255}, [4]uint8{0, 0, 255, 9}
	below := New("below {n}", "", "n", 2)
	list := []Row{
		New("a {n}", "is {v.1|%02d} of {name} at {at}", "n", 1, "v", []int{4, 5, 6}, "name", "x", "at", Float(0.5)).Colored(red).To(Link{To: ToRegister, Register: "R"}).In("", below),
		New("hidden", "gone", "k", 3).When(false).In("", New("", "{c}; {f}", "c", blue, "f", [2]Float{1, 0.25}).When(true)),
		New("", ""), New("only a label", ""), New("", "open { brace", "x", 1), New("", "close } {n}", "n", 7),
	}
	list[0].From, list[0].Mark = &blue, Idle
	lines := []string{}
	Walk(list, func(r *Row, depth int) bool {
		lines = append(lines, strings.Repeat(" ", depth)+r.Line())
		return depth > 0 || r.Label != "a {n}" || len(lines) > 1
	})
	require.Equal(t, []string{"a 1: is 05 of x at 0.5", "  0   0 255   9; [1 0.25]", "only a label", "open { brace", "close } {n}"}, lines, "rows below a skipped row are skipped")
	lines = nil
	Walk(list[:2], func(r *Row, depth int) bool { lines = append(lines, strings.Repeat(" ", depth)+r.Name()); return true })
	require.Equal(t, []string{"a 1", " below 2", ""}, lines)
	require.Equal(t, []View{
		{Label: "a 1", Text: "is 05 of x at 0.5", Color: &red, From: &blue, Link: &Link{To: ToRegister, Register: "R"}, Mark: Idle, Rows: []View{{Label: "below 2", Rows: []View{}}}},
		{Text: "  0   0 255   9; [1 0.25]", Rows: []View{}}, {Label: "only a label", Rows: []View{}}, {Text: "open { brace", Rows: []View{}}, {Text: "close } {n}", Rows: []View{}},
	}, Views(list))
	require.Equal(t, 3, list[1].Get("k"), "the value of a row is in documents")
	require.Nil(t, list[1].Get("what"))
}

// Rows as JSON: repeated values appear once; the key decides between object and list.
func TestRowsAsJSON(t *testing.T) {
	list := []Row{
		New("", "", "a", 1, "b", "x"), New("", "", "a", 2).In("", New("", "", "c", 3)),
		New("", "", "d", 4).In("one", New("", "", "e", 5)), New("", "", "", "itself").In("plain"),
		New("", "", "f", 6).In("many[]"), New("", "", "f", 7, "f", 8).In("many[]"), New("", "", "", 9).In("many[]"),
	}
	text := func(v any) string {
		b := testkit.Must(json.Marshal(v))(t)
		return string(b)
	}
	require.Equal(t, `{"a":1,"b":"x","c":3,"one":{"d":4,"e":5},"plain":"itself","many":[{"f":6},{"f":7},9]}`, text(Document(list)))
	require.Equal(t, `[{"a":1,"b":"x"},{"a":2,"c":3},{"d":4,"e":5}]`, text(Objects(list[:3])))
	require.Equal(t, `{}`, text(Document(nil)))
	require.Equal(t, `[]`, text(Objects(nil)))
	_, err := json.Marshal(Document([]Row{New("", "", "bad", func() {})}))
	require.ErrorContains(t, err, "bad: ")
}

// Numbers that JSON cannot represent survive a round trip.
func TestFloatsInJSON(t *testing.T) {
	for _, f := range []float32{0, 1, -0.1, math.MaxFloat32, 1e-40, float32(math.Inf(1)), float32(math.Inf(-1))} {
		b := testkit.Must(json.Marshal(Float(f)))(t)
		var back Float
		require.NoError(t, json.Unmarshal(b, &back))
		require.Equal(t, Float(f), back)
	}
	b := testkit.Must(json.Marshal([]Float{Float(math.NaN())}))(t)
	require.Equal(t, `["NaN"]`, string(b))
	var back []Float
	require.NoError(t, json.Unmarshal(b, &back))
	require.True(t, math.IsNaN(float64(back[0])))
	require.Error(t, json.Unmarshal([]byte(`["one"]`), &back))
}
