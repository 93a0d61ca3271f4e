package container

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// The name of an array is the identifier before its braces.
func TestArrayNames(t *testing.T) {
	for before, want := range map[string]string{
		"const u8 shader_1Az[] =": "shader_1Az", "static uint32_t x[2][3] = ": "x", "a\n[4]\t=\r\n": "a", "": "without a name", "return ": "return", "= ": "without a name", "z)": "without a name",
		"{[`A": "A", "/0": "0", ":9": "9", "@Z": "Z", "[a": "a", "{z": "z", "]]": "without a name", "^_": "_", strings.Repeat("n", 300): strings.Repeat("n", 256), "u8 a": "a",
	} {
		require.Equal(t, want, arrayName([]byte(before)), before)
	}
}

// A word of a resource file must lie in it completely; an offset must lead into the file.
func TestResourceOffsets(t *testing.T) {
	f := resources{[]byte{4, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 'n', 'a', 0, 'x'}}
	for at, want := range map[int]int{0: 4, 4: 0, 8: -1} {
		to := testkit.Must(f.follow(at))(t)
		require.Equal(t, want, to)
	}
	for _, at := range []int{-1, 13, 16} {
		to, err := f.follow(at)
		require.Equal(t, -1, to)
		require.ErrorContains(t, err, "a word expected at 0x")
	}
	for v, fits := range map[byte]bool{3: true, 4: false} { // the last byte, and the end
		f.data[12], f.data[13], f.data[14], f.data[15] = v, 0, 0, 0
		to, err := f.follow(12)
		require.Equal(t, fits, err == nil)
		require.Equal(t, map[bool]int{true: 15, false: -1}[fits], to)
	}
	copy(f.data[12:], "na\x00x")
	require.NoError(t, f.magic(12, "na\x00x"))
	require.Error(t, f.magic(13, "a\x00x"))
	require.Error(t, f.magic(-1, ""))
	require.Equal(t, "na", f.name(12))
	require.Empty(t, f.name(15), "a name without an end is empty")
	require.Empty(t, f.name(14))
}
