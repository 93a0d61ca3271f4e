package yamldoc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/require"
)

func TestErrorsQuoteTheLine(t *testing.T) {
	src := "name: cube\nsiez: 3\nwidth: 5000\nlist: [1, two]\n"
	d, root, err := Parse("a.yaml", []byte(src))
	require.NoError(t, err)
	m := root.Keys("the file", "name", "size", "width", "list")
	require.Equal(t, "cube", m["name"].Str())
	m["width"].Int(0, 1, 1024)
	m["list"].Floats(2)
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
}

func TestNearest(t *testing.T) {
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

// A name is near another if a third of its letters, or two, are others.
func TestNearestHasABound(t *testing.T) {
	names := []string{"ambient", "diffuse", "diffuse2", "dmp_FragmentMaterial"}
	for name, want := range map[string]string{
		"ambient": "ambient", "AMBIENT": "ambient", "abmient": "ambient", "mbient": "ambient", "ambxxnt": "ambient", "ambxxxt": "",
		"difuse": "diffuse", "diffuse3": "diffuse", "dmp_FragmentMatxxxxxx": "dmp_FragmentMaterial", "dmp_FragmentMxxxxxxxx": "", "": "",
	} {
		require.Equal(t, want, Nearest(name, names), name)
	}
}

// Mappings that hold each other by aliases are walked so far and no farther.
func TestMappingsOfMappings(t *testing.T) {
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

// The mark stands below the place that is meant, at most behind the last letter of the line.
func TestExcerptMarksThePlace(t *testing.T) {
	src := []byte("one\n\ttwo ä\nthree")
	for place, mark := range map[[2]int]string{{1, 1}: "^", {1, 3}: "  ^", {1, 4}: "   ^", {1, 99}: "   ^", {1, 0}: "^", {2, 2}: " ^", {2, 7}: "      ^", {3, 5}: "    ^"} {
		text := excerpt(src, place[0], place[1])
		_, last, ok := strings.Cut(text, "\n      | ")
		require.True(t, ok, text)
		require.Equal(t, mark, last, "%v", place)
	}
	require.Empty(t, excerpt(src, 4, 1))
}

func TestBlock(t *testing.T) {
	item := func(k string, v any) yaml.MapItem { return yaml.MapItem{Key: k, Value: v} }
	require.Equal(t, "a: 1\n\"b: c\":\n  d: [1, 2]\n  e:\n    f: x\ng:\n  - h: 1\n    i:\n      j: 2\n  - {k: 3}\n  - 4\nl: {m: 5}\n", Block(yaml.MapSlice{
		item("a", 1), item("b: c", yaml.MapSlice{item("d", []any{1, 2}), item("e", yaml.MapSlice{item("f", "x")})}),
		item("g", []any{yaml.MapSlice{item("h", 1), item("i", yaml.MapSlice{item("j", 2)})}, Line{yaml.MapSlice{item("k", 3)}}, 4}),
		item("l", Line{yaml.MapSlice{item("m", 5)}}),
	}))
}

func TestManyDocuments(t *testing.T) {
	_, _, err := Parse("f", []byte(strings.Repeat("--- a\n", maxDocuments+1)))
	require.ErrorContains(t, err, "too many documents")
}
