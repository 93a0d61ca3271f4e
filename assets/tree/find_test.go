package tree

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func forest() *Node {
	leaf := func(name string) *Node { return Field(name, 0, 1, uint8(1), "") }
	return Group("file", 0, 9, "an example",
		Group("a", 0, 1, "", leaf("x"), leaf("x/y"), Group("b", 0, 1, "", leaf("c"))),
		Group("a/b", 0, 1, "", leaf("d")),
		List("many", 0, 1, "", 40, func(i int) *Node { return leaf(fmt.Sprint(i)) }),
		leaf(""))
}

func TestFind(t *testing.T) {
	root := forest()
	for path, want := range map[string]string{
		"": "file", "/": "file", "a": "a", "a/x": "x", "a/x/y": "x/y", "a/b/c": "c", "a/b/d": "d", "/a/b/": "b", "many/39": "39",
	} {
		n := testkit.Must(Find(root, path))(t, path)
		require.Equal(t, want, n.Name, path)
	}
	for path, says := range map[string]string{
		"z":      `there is no "z" in the file; there are "a", "a/b", "many", ""`,
		"a/q":    `there is no "q" in a; there are "x", "x/y", "b"`,
		"a/b/c/": "", "a/b/e": `there is no "e" in a/b; there are "c"`,
		"a/x/z":    `there is no "z": nothing is below a/x`,
		"many/40":  `"10", "11", ...`,
		"a//x":     `there is no "/x" in a`,
		"a/b/c/\n": `there is no "\n": nothing is below a/b/c`,
	} {
		_, err := Find(root, path)
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, says, path)
	}
}

func TestSummary(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, WriteSummary(&b, Document{Format: "file", Size: 9, Root: forest()}))
	require.Contains(t, b.String(), "file: an example, 9 bytes\n  a (3)\n    x: 0x1\n    x/y: 0x1\n    b (1)\n  a/b (1)\n    d: 0x1\n  many (40)\n    0: 0x1\n")
	require.Contains(t, b.String(), "    15: 0x1\n    ... 24 more\n  : 0x1\n")
}
