package yamldoc

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-yaml/lexer"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

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
