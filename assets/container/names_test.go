package container

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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
