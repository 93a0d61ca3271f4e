package yamldoc

import (
	"strings"
	"testing"

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
