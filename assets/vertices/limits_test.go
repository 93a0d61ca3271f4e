package vertices

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// What separates columns is what the first line that says something has: a comma before a
// semicolon before a tab, wherever it stands.
func TestSeparators(t *testing.T) {
	for text, want := range map[string]rune{
		"a,b": ',', "a;b": ';', "a\tb": '\t', "a;b,c": ',', "a\tb;c": ';', ";": ';', ",": ',', ";a\tb": ';', ",a;b": ',', "a b": ',', "": ',',
		"# a;b\n\n  \na\tb\n1,2\n": '\t', "a\n1;2\n": ',', "  #x,y\n;": ';',
	} {
		require.Equal(t, want, separator([]byte(text)), "%q", text)
	}
}

// Lists of indices as text: what separates them, what is none, and how many there may be.
func TestIndicesAsText(t *testing.T) {
	list, err := textIndices([]byte("1,2;3 4\t5\r\n# 9\n6 # 7\n\n4294967295"))
	require.NoError(t, err)
	require.Equal(t, []uint32{1, 2, 3, 4, 5, 6, 4294967295}, list)
	for text, want := range map[string]string{"1\n-1": `line 2: "-1" is no index; expected a whole number from 0`, "4294967296": "line 1: ", "1.5": "is no index", "a": `"a" is no index`} {
		_, err := textIndices([]byte(text))
		require.ErrorContains(t, err, want)
	}
	most := bytes.Repeat([]byte("7 "), MaxIndices)
	list, err = textIndices(most)
	require.NoError(t, err)
	require.Len(t, list, MaxIndices)
	_, err = textIndices(append(most, "\n8"...))
	require.EqualError(t, err, fmt.Sprintf("line 2: more than %d indices", MaxIndices))
	for v, want := range map[float64]bool{0: true, 4294967295: true, 4294967296: false, -1: false, 1.5: false} {
		n, err := index(v)
		require.Equal(t, want, err == nil, v)
		require.True(t, !want || float64(n) == v)
	}
}

// As many indices are read as there are, and no more.
func TestCountsOfBinaryIndices(t *testing.T) {
	for count, want := range map[int][]uint32{1: {0x0201}, 2: {0x0201, 0x0403}} {
		list, err := binaryIndices([]byte{9, 1, 2, 3, 4}, "ushort", 1, count)
		require.NoError(t, err)
		require.Equal(t, want, list)
	}
	_, err := binaryIndices([]byte{9, 1, 2, 3, 4}, "ushort", 1, 3)
	require.EqualError(t, err, "4 bytes from offset 1 on are 2 indices; 3 are wanted")
}
