package tree

import (
	"bytes"
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

func sample() Document {
	return Document{Format: "sample", Size: 40, Root: Group("sample", 0, 40, "a file",
		Field("magic", 0, 4, "MAGI", ""),
		Field("count", 4, 2, uint16(2), ""),
		Fieldf("kind", 6, 1, uint8(3), "%d, the third", 3),
		List("entries", 8, 32, "", 2, func(i int) *Node {
			return Group("entry", 8+16*int64(i), 16, "", Field("x", 8+16*int64(i), 4, float32(i)/2, ""))
		}),
		&Node{Name: "remark", Offset: NoOffset, Text: "no place of its own"},
		Field("infinite", NoOffset, 0, math.Inf(1), ""),
	)}
}

func TestWriteText(t *testing.T) {
	var out bytes.Buffer
	var f Findings
	f.Problemf(8, "wrong by %d", 2)
	f.Notef(4, "odd")
	f.Sort()
	require.NoError(t, WriteText(&out, sample(), f, Options{}))
	require.Equal(t, `00000000 28       sample: a file
00000000 4          magic: "MAGI"
00000004 2          count: 0x2
00000006 1          kind: 3, the third
00000008 20         entries
00000008 10           entry
00000008 4              x: 0
00000018 10           entry
00000018 4              x: 0.5
                    remark: no place of its own
                    infinite: +Inf
findings: 2
  0x4: note: odd
  0x8: problem: wrong by 2
`, out.String())
	require.Equal(t, 1, f.Problems())
}

func TestHexIsTruncated(t *testing.T) {
	data := make([]byte, 1000)
	doc := Document{Root: Group("", 0, 1000, "", Field("long", 0, 1000, nil, ""), Field("outside", 999, 4, nil, ""))}
	var out bytes.Buffer
	require.NoError(t, WriteText(&out, doc, nil, Options{Hex: true, Data: data}))
	require.Contains(t, out.String(), "... 744 bytes more")
	require.Contains(t, out.String(), "000003e7 4          outside\n")
}

func TestWriteJSON(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteJSON(&out, sample(), Findings{{Problem, NoOffset, "a \"quote\" and \xFF"}}, Options{Hex: true, Data: make([]byte, 40)}))
	require.JSONEq(t, `{"format": "sample", "size": 40, "tree": {"name": "sample", "offset": 0, "size": 40, "text": "a file", "children": [
		{"name": "magic", "offset": 0, "size": 4, "value": "MAGI", "bytes": "00000000"},
		{"name": "count", "offset": 4, "size": 2, "value": 2, "bytes": "0000"},
		{"name": "kind", "offset": 6, "size": 1, "value": 3, "text": "3, the third", "bytes": "00"},
		{"name": "entries", "offset": 8, "size": 32, "children": [
			{"name": "entry", "offset": 8, "size": 16, "children": [{"name": "x", "offset": 8, "size": 4, "value": 0, "bytes": "00000000"}]},
			{"name": "entry", "offset": 24, "size": 16, "children": [{"name": "x", "offset": 24, "size": 4, "value": 0.5, "bytes": "00000000"}]}]},
		{"name": "remark", "text": "no place of its own"},
		{"name": "infinite", "value": "+Inf"}]},
		"findings": [{"level": "problem", "message": "a \"quote\" and �"}]}`, out.String())
}

// Children are made when they are walked, each time.
func TestChildrenAreMadeOnWalk(t *testing.T) {
	made := 0
	n := List("l", 0, 0, "", 1000, func(i int) *Node { made++; return Field("f", 0, 0, i, "") })
	require.Zero(t, made)
	for c := range n.Children {
		if c.Value == 9 {
			break
		}
	}
	require.Equal(t, 10, made)
}

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
