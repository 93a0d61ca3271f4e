package yamldoc

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func TestErrorsQuoteTheLine(t *testing.T) {
	src := "name: cube\nsiez: 3\nwidth: 5000\nlist: [1, two]\n"
	d, root, err := Parse("a.yaml", []byte(src))
	require.NoError(t, err)
	m := root.Keys("the file", "name", "size", "width", "list")
	require.Equal(t, "cube", m["name"].Str())
	m["width"].Int(0, 1, 1024)
	for _, item := range m["list"].List() {
		item.Float(0, 0, 9)
	}
	err = d.Err()
	require.Error(t, err)
	msg := err.Error()
	require.Contains(t, msg, `a.yaml:2:1: unknown key "siez" in the file; the nearest valid name is "size"`)
	require.Contains(t, msg, "    2 | siez: 3\n      | ^")
	require.Contains(t, msg, "a.yaml:3:8: 5000 is out of range; expected 1 to 1024")
	require.Contains(t, msg, "a.yaml:4:11: expected a number, found text (two)")
}

func TestAliasesAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("a00: &a00 [1]\n")
	for i := 1; i < 30; i++ {
		b.WriteString("a" + itoa(i) + ": &a" + itoa(i) + " [")
		for j := 0; j < 9; j++ {
			b.WriteString("*a" + itoa(i-1) + ",")
		}
		b.WriteString("]\n")
	}
	d, root, err := Parse("bomb.yaml", []byte(b.String()))
	require.NoError(t, err)
	var walk func(n Node)
	walk = func(n Node) {
		if n.IsList() && d.Err() == nil {
			for _, c := range n.List() {
				walk(c)
			}
		}
	}
	for _, f := range root.Fields() {
		walk(f.Value)
	}
	require.ErrorContains(t, d.Err(), "too large")
}

func itoa(i int) string { return string([]byte{byte('0' + i/10), byte('0' + i%10)}) }

func TestParseErrors(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"empty":       {"", "empty"},
		"syntax":      {"a: [1, 2\nb: 3\n", "not valid YAML"},
		"two":         {"a: 1\n---\nb: 2\n", "second document"},
		"deep":        {strings.Repeat("[", 100), "nested deeper"},
		"tab indent":  {"a:\n\tb: 1\n", "not valid YAML"},
		"only a dash": {"{", "not valid YAML"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Parse("f.yaml", []byte(tc.src))
			require.ErrorContains(t, err, tc.want)
			require.ErrorContains(t, err, "f.yaml:")
		})
	}
	_, _, err := Parse("f.yaml", []byte("a: 1\nb:\n  - c: [1, 2}\n"))
	require.ErrorContains(t, err, "f.yaml:3:")
	// Errors at a missing key and at an empty node have no position.
	_, root, err := Parse("f.yaml", []byte("a: 1\n"))
	require.NoError(t, err)
	require.EqualError(t, root.Keys("it", "a", "b")["b"].ErrorAt("no %s", "b"), "no b")
	require.EqualError(t, Node{}.ErrorAt("nothing"), "nothing")
	require.EqualError(t, Node{doc: root.doc}.ErrorAt("nothing"), "nothing")
}

func TestNearestName(t *testing.T) {
	require.Equal(t, "camera", Nearest("camrea", []string{"target", "camera"}))
	require.Equal(t, "", Nearest("xyz", []string{"target", "camera"}))
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("a: {b: [1, 2.5, x]}\nc: &k\n  - d\ne: *k\n"))
	f.Add([]byte("[{a: 1}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, root, err := Parse("f", src)
		if err != nil {
			require.Contains(t, err.Error(), "f:", "an error names the file and the line")
			return
		}
		var walk func(n Node, depth int)
		walk = func(n Node, depth int) {
			if depth > 100 || d.Err() != nil {
				return
			}
			switch {
			case n.IsMap():
				for _, f := range n.Fields() {
					walk(f.Value, depth+1)
				}
			case n.IsList():
				for _, c := range n.List() {
					walk(c, depth+1)
				}
			default:
				n.Float(0, 0, 1)
				n.Str()
			}
		}
		walk(root, 0)
		if err := d.Err(); err != nil {
			require.Contains(t, err.Error(), "f:", "a mistake names the file and the line")
		}
	})
}

// A name is near another if at most two letters, or a third of them, differ.
func TestNearestNameBound(t *testing.T) {
	names := []string{"ambient", "diffuse", "diffuse2", "dmp_FragmentMaterial"}
	for name, want := range map[string]string{
		"ambient": "ambient", "AMBIENT": "ambient", "abmient": "ambient", "mbient": "ambient", "ambxxnt": "ambient", "ambxxxt": "",
		"difuse": "diffuse", "diffuse3": "diffuse", "dmp_FragmentMatxxxxxx": "dmp_FragmentMaterial", "dmp_FragmentMxxxxxxxx": "", "": "",
	} {
		require.Equal(t, want, Nearest(name, names), name)
	}
}

// The walk through nested aliases is bounded.
func TestNestedAliasesAreBounded(t *testing.T) {
	src := "a0: &a0 {x: 1, y: 2, z: 3}\n"
	for i := range 12 {
		src += fmt.Sprintf("a%d: &a%d {x: *a%d, y: *a%d, z: *a%d}\n", i+1, i+1, i, i, i)
	}
	d, root, err := Parse("f", []byte(src))
	require.NoError(t, err)
	fields := 0
	var walk func(n Node)
	walk = func(n Node) {
		for _, f := range n.Fields() {
			if fields++; d.Err() == nil && fields < 4*maxVisits {
				walk(f.Value)
			}
		}
	}
	walk(root)
	require.Error(t, d.Err())
	require.Less(t, fields, 2*maxVisits)
}

// The mark is below the position, at most after the last letter of the line.
func TestExcerptMark(t *testing.T) {
	src := []byte("one\n\ttwo ä\nthree")
	for place, mark := range map[[2]int]string{{1, 1}: "^", {1, 3}: "  ^", {1, 4}: "   ^", {1, 99}: "   ^", {1, 0}: "^", {2, 2}: " ^", {2, 7}: "      ^", {3, 5}: "    ^"} {
		text := excerpt(src, place[0], place[1])
		_, last, ok := strings.Cut(text, "\n      | ")
		require.True(t, ok, text)
		require.Equal(t, mark, last, "%v", place)
	}
	require.Empty(t, excerpt(src, 4, 1))
	// The depth of a document is the depth of its deepest line.
	for src, want := range map[string][2]int{"- a\n- b\n- c\n": {1, 1}, "a:\n  - - b\nc: [[1]]\n": {2, 2}, "a: [\n[\n]\n]\nb: [1]\n": {2, 2},
		strings.Repeat(" ", 15) + "a": {0, 1}, strings.Repeat(" ", 16) + "a": {1, 1}, "a:\n" + strings.Repeat(" ", 30) + "- b": {2, 2}, "]]}a: [": {1, 1}, "-": {1, 1}, "a - - -": {0, 1}, "? - a": {2, 1}} {
		depth, line := indentDepth([]byte(src))
		require.Equal(t, want, [2]int{depth, line}, src)
	}
	d, root, err := Parse("f.yaml", []byte("a: x\n"))
	require.NoError(t, err)
	require.Empty(t, root.Keys("it", "a")["a"].List())
	require.Len(t, d.Err(), 1, "a mistake is reported once")
	require.Equal(t, "    3 | x\n      | ^", excerpt([]byte("\n\nx"), 3, 1), "excerpt with only empty lines before")
}

func TestBlockStyle(t *testing.T) {
	item := func(k string, v any) yaml.MapItem { return yaml.MapItem{Key: k, Value: v} }
	require.Equal(t, "a: 1\n\"b: c\":\n  d: [1, 2]\n  e:\n    f: x\ng:\n  - h: 1\n    i:\n      j: 2\n  - {k: 3}\n  - 4\nl: {m: 5}\n", Block(yaml.MapSlice{
		item("a", 1), item("b: c", yaml.MapSlice{item("d", []any{1, 2}), item("e", yaml.MapSlice{item("f", "x")})}),
		item("g", []any{yaml.MapSlice{item("h", 1), item("i", yaml.MapSlice{item("j", 2)})}, Line{yaml.MapSlice{item("k", 3)}}, 4}),
		item("l", Line{yaml.MapSlice{item("m", 5)}}),
	}))
}

func TestDocumentCountLimit(t *testing.T) {
	_, _, err := Parse("f", []byte(strings.Repeat("--- a\n", maxDocuments+1)))
	require.ErrorContains(t, err, "too many documents")
}

// Values of the wrong kind, out of range or unknown give an error with their text; missing ones have the default.
func TestValueErrorsAndDefaults(t *testing.T) {
	const text = "n: -3\nh: 0x1F\nbig: 18446744073709551615\nf: 2.5\ne: 1e3\nt: word\nb: true\nnull:\nl: [1, 2.5]\ninf: .inf\nm: {a: 1}\n"
	fields := func() (*Doc, map[string]Node) {
		d, root, err := Parse("v.yaml", []byte(text))
		require.NoError(t, err)
		f := map[string]Node{}
		for _, k := range root.Fields() {
			f[k.Key] = k.Value
		}
		return d, f
	}
	d, f := fields()
	require.Equal(t, []int64{-3, -3, 31, 9}, []int64{f["n"].Int(9, -3, 5), f["n"].Int(9, -5, -3), f["h"].Int(9, 0, 31), f["gone"].Int(9, 0, 1)})
	require.Equal(t, []float64{2.5, 1000, -3, 7, 2.5}, []float64{f["f"].Float(0, 2.5, 3), f["e"].Float(0, 0, 1000), f["n"].Float(0, -3, 0), f["gone"].Float(7, 0, 1), f["f"].Float(0, 0, 2.5)})
	require.Equal(t, []string{"word", ""}, []string{f["t"].Enum("thing", "word", "other"), f["gone"].Enum("thing", "word")})
	require.Equal(t, []bool{true, true, false}, []bool{f["b"].Bool(false), f["gone"].Bool(true), f["gone"].Bool(false)})
	require.Equal(t, 2.5, f["l"].List()[1].Float(0, 0, 9))
	require.Empty(t, f["null"].Fields(), "null is a mapping without keys")
	require.Empty(t, f["gone"].Fields())
	require.NoError(t, d.Err())

	for _, c := range []struct {
		key  string
		read func(n Node) any
		got  any
		want string
	}{
		{"null", func(n Node) any { return n.Int(9, 0, 10) }, int64(9), "8:6: expected a whole number, found nothing"},
		{"n", func(n Node) any { return n.Int(9, -2, 5) }, int64(9), "1:4: -3 is out of range; expected -2 to 5"},
		{"n", func(n Node) any { return n.Int(9, -5, -4) }, int64(9), "1:4: -3 is out of range; expected -5 to -4"},
		{"h", func(n Node) any { return n.Int(9, 0, 30) }, int64(9), "2:4: 0x1F is out of range; expected 0 to 30"},
		{"big", func(n Node) any { return n.Int(9, 0, 30) }, int64(9), "3:6: 18446744073709551615 is out of range"},
		{"f", func(n Node) any { return n.Int(9, 0, 30) }, int64(9), "4:4: expected a whole number"},
		{"f", func(n Node) any { return n.Float(9, 0, 2.4) }, 9.0, "4:4: 2.5 is out of range; expected 0 to 2.4"},
		{"f", func(n Node) any { return n.Float(9, 2.6, 3) }, 9.0, "4:4: 2.5 is out of range; expected 2.6 to 3"},
		{"inf", func(n Node) any { return n.Float(9, 0, math.Inf(1)) }, 9.0, "10:6: .inf is out of range"},
		{"t", func(n Node) any { return n.Float(9, 0, 1) }, 9.0, "6:4: expected a number"},
		{"t", func(n Node) any { return n.Enum("thing", "sword", "other") }, "", `6:4: unknown value "word" in thing; the nearest valid name is "sword"`},
		{"t", func(n Node) any { return n.Bool(true) }, true, "6:4: expected true or false"},
		{"t", func(n Node) any { return len(n.Fields()) }, 0, "6:4: expected a mapping (key: value)"},
		{"m", func(n Node) any { return n.Str() }, "", "11:4: expected text"},
	} {
		d, f := fields()
		require.Equal(t, c.got, c.read(f[c.key]), c.want)
		require.Equal(t, 1, f[c.key].Mistakes())
		require.ErrorContains(t, d.Err(), "v.yaml:"+c.want)
	}

	// An error of an empty node has no position.
	require.EqualError(t, Node{}.ErrorAt("wrong %d", 3), "wrong 3")
	cause := errors.New("cause")
	at := f["t"].ErrorAt("wrong: %w", cause)
	require.ErrorIs(t, at, cause)
	require.Contains(t, at.Error(), "v.yaml:6:4: wrong: cause\n    6 | t: word\n      |    ^")
	require.NoError(t, d.Err(), "an error of At does not count as the document's")
}

// The edit distance counts changed letters, and an exchange of two neighbours as one.
func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abcd", "badc", 2}, {"ab", "ba", 1}, {"abc", "", 3}, {"", "xy", 2}, {"kitten", "sitting", 3}, {"abcdef", "abdcef", 1}, {"ca", "abc", 3}} {
		require.Equal(t, c.want, editDistance(c.a, c.b), "%q %q", c.a, c.b)
		require.Equal(t, c.want, editDistance(c.b, c.a), "%q %q", c.b, c.a)
	}
	long := strings.Repeat("x", 101)
	require.Greater(t, editDistance(long, "x"), 1000)
	require.Greater(t, editDistance("x", long), 1000)
	require.Equal(t, 99, editDistance(long[1:], "x"))
}

// long repeats a pattern, with a counter for %d, up to a size in bytes.
func long(size int, before, pattern, after string) []byte {
	var b strings.Builder
	b.WriteString(before)
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, strings.ReplaceAll(pattern, "%d", "%[1]d"), i)
	}
	b.WriteString(after)
	text, _, _ := strings.Cut(b.String(), "%!(EXTRA")
	if !strings.Contains(pattern, "%d") {
		text = before + strings.Repeat(pattern, size/len(pattern)) + after
	}
	return []byte(text)
}

// Documents of half a megabyte take time proportional to their size, or are refused. The parser alone takes ten seconds to an hour.
func TestLongDocumentsTakeLinearTime(t *testing.T) {
	testkit.Slow(t)
	for _, c := range []struct{ name, before, pattern, after string }{
		{"keys", "", "k%d: 1\n", ""},
		{"keys further in", "a:\n", "  k%d: 1\n", ""},
		{"keys in lists", "a:\n- k: 1\n", "  k%d: 1\n", ""},
		{"keys with anchors", "", "&a%d k%d: 1\n", ""},
		{"keys with lists", "", "k%d:\n- 1\n", ""},
		{"quoted keys", "", "\"k%d\": 1\n", ""},
		{"explicit keys", "", "? k%d\n: 1\n", ""},
		{"keys without a value", "", "k%d:\n", ""},
		{"values left out of lists", "a:\n", "  -\n", ""},
		{"values left out of mappings", "a:\n", "  - k:\n", ""},
		{"values left out in brackets", "a: {", "k%d,", "}\n"},
		{"values left out behind colons", "a: {", "k%d: ,", "}\n"},
		{"values left out in lines", "a: {", "k%d:\n,", "}\n"},
		{"items left out", "a: [", ",", "]\n"},
		{"pairs left out", "a: [", "k%d: ,", "]\n"},
		{"documents", "", "--- a\n", ""},
		{"ends of documents", "", "---\n...\n", ""},
		{"brackets", "a: [", "[],", "]\n"},
		{"colons", "", ": ", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			start := time.Now()
			_, root, err := Parse("long.yaml", long(1<<19, c.before, c.pattern, c.after))
			if err == nil {
				root.Keys("a document", "a")
			}
			require.Less(t, time.Since(start), 10*time.Second)
		})
	}
	_, _, err := Parse("long.yaml", long(1<<20, "a: [", "1,", "]\n"))
	require.ErrorContains(t, err, "too large")
	_, _, err = Parse("long.yaml", long(1<<17, "", "k%d: 1\n", ""))
	require.ErrorContains(t, err, "too many keys")
}

// Missing values in brackets are counted before parsing.
func TestMissingValuesInBrackets(t *testing.T) {
	for text, nulls := range map[string]int{
		"a: {b, c: 1, d: , e: 2, f}": 2, "a: {b: {c}, d}": 1, "a: [1, , 2]": 1, "a: [b: , c: 1]": 1, "a: {b: 1, c: [2, 3], d: {e: 4}}": 0, "a: {b: [], c: {}}": 0,
	} {
		var c costs
		for _, tok := range lexer.Tokenize(text) {
			c.brackets(tok)
			c.before = tok.Type
		}
		require.Equal(t, nulls, c.nulls, text)
		require.Empty(t, c.flow, text)
	}
}

// Missing values in lines are counted too: a value is indented more than its key, except list dashes.
func TestMissingValuesInLines(t *testing.T) {
	for text, nulls := range map[string]int{
		"a:\nb: 1": 1, "a:\n  b: 1": 0, "a:\n- 1": 0, "-\n- 1": 1, "-\n  a: 1": 0, "- a:\n  b: 1": 1, "- a:\n  - b": 0, "- a:\n- b:\n- c": 2, "a:\n  b:\n  c:\nd: 1": 2,
		"a:\n  -\n  -\n  - 1": 2, "a:\n b:\n  c: 1\nd:\n- 1\n-\nx: 2": 1, "a: 1\nb: 2": 0, "- 1\n- 2": 0, "a:\n  b": 0, "a:\nb": 1,
	} {
		var c costs
		for i, tok := range lexer.Tokenize(text) {
			require.Empty(t, c.add(tok, i))
		}
		require.Equal(t, nulls, c.nulls, "%q", text)
	}
}

// Large ordinary documents are read: a list of draws with several mappings each, in lines of their own.
func TestLargeDocument(t *testing.T) {
	for _, pattern := range []string{
		"- name: draw\n  model: m\n  uniforms:\n    dmp_TexEnv[0].srcRgb: [a, b, c]\n    x: 1\n  registers:\n  - 1\n  - 2\n  state:\n    blend:\n      on: true\n",
		"  - {name: draw %d, model: m, uniforms: {a: [1, 2], b: 0.5}, textures: [~, t]}\n",
		"# a note\n- \n  name: draw\n  model:\n    a: 1\n",
	} {
		_, root, err := Parse("large.yaml", long(1<<19, "draws:\n", pattern, ""))
		require.NoError(t, err)
		require.Greater(t, len(root.Keys("a scene", "draws")["draws"].List()), 3000)
	}
	var b strings.Builder
	for i := range 4000 {
		fmt.Fprintf(&b, "k%d: 1\n", i)
	}
	_, root, err := Parse("large.yaml", []byte(b.String()))
	require.NoError(t, err)
	require.Len(t, root.Fields(), 4000)
}
