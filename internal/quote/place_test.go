package quote

import (
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// Errors of JSON name the byte and its line; other errors stay as they are.
func TestJSON(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"a\": x}":   "offset 0x19, line 2: invalid character 'x' looking for beginning of value",
		"{\n":              "offset 0x11, line 1: unexpected end of JSON input",
		"":                 "offset 0x10, line 1: unexpected end of JSON input",
		"{\n\"A\": \"b\"}": "offset 0x19, line 2: json: cannot unmarshal string into Go struct field .A of type int",
	} {
		var v struct{ A int }
		require.EqualError(t, JSON(json.Unmarshal([]byte(text), &v), []byte(text), 16), want)
	}
	require.ErrorIs(t, JSON(io.EOF, nil, 0), io.EOF)
	require.Equal(t, "offset 0x0: the file is empty", Start(nil))
	require.Equal(t, `offset 0x0: it begins with "\x00a"`, Start([]byte("\x00a")))
}
