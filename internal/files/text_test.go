package files

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIsText(t *testing.T) {
	long := strings.Repeat("x", 1<<16)
	for text, want := range map[string]bool{
		"": false, "x": true, "ä 𝄞\r\n\tx": true, "x\x00": false, "x\x1b[2J": false, " \x1f": false,
		"x\xff....": false, "\xc3(ab": false, "\uFFFD is text": true,
		"cut \xf0\x9d\x84": true, "cut \xc3": true, // cut within a character
		long + "\x00": true, long[1:] + "\x00": false, // beyond the examined part
		long[1:] + "ä": true,
	} {
		require.Equal(t, want, IsText([]byte(text)), "%.20q", text)
	}
}
