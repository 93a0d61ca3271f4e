package quote

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Long texts keep both ends, and whole letters.
func TestShort(t *testing.T) {
	for text, want := range map[string]string{"": "", "abcdefgh": "abcdefgh", "abcdefghi": "abc..ghi", "äöüäöüäöü": "äöü..äöü"} {
		require.Equal(t, want, Short(text, 8))
	}
	long := strings.Repeat("ab", 5000)
	require.Equal(t, "a\n"+Short(long, 8*Max)+"\nb", Lines("a\n"+long+"\nb"))
	require.Equal(t, "a\nb", Lines("a\nb"))
}

func TestAround(t *testing.T) {
	line := strings.Repeat("x", 1000) + "here" + strings.Repeat("ä", 1000)
	for _, c := range []struct{ at, start, length int }{{0, 0, Max}, {1000, 900, Max}, {3003, 2904, 100}, {9000, 3004, 0}} {
		part, start := Around(line, c.at)
		require.Equal(t, []int{c.start, c.length}, []int{start, len(part)}, "%d", c.at)
		require.Equal(t, line[start:start+len(part)], part)
	}
	part, start := Around("short", 3)
	require.Equal(t, []any{"short", 0}, []any{part, start})
}

// A shell reads back the word.
func TestShell(t *testing.T) {
	for word, want := range map[string]string{"a/b-c.png": "a/b-c.png", "": "''", "a b": "'a b'", "$(x)": "'$(x)'", "it's": `'it'\''s'`, "a;b": "'a;b'", "*": "'*'", "äö": "äö"} {
		require.Equal(t, want, Shell(word))
	}
}
