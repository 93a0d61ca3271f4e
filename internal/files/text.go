package files

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// IsText reports whether data can be text: valid UTF-8 (or cut within a character at the end of the examined part) without control
// characters.
func IsText(data []byte) bool { return CheckText(data) == nil }

// CheckText returns where data is not text, see IsText.
func CheckText(data []byte) error {
	data = data[:min(len(data), 1<<16)]
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 && len(data)-i >= utf8.UTFMax || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return fmt.Errorf("offset 0x%x, line %d: byte 0x%02x is not text", i, 1+bytes.Count(data[:i], []byte("\n")), data[i])
		}
		i += max(n, 1)
	}
	if len(data) == 0 {
		return errors.New("offset 0x0: the file is empty")
	}
	return nil
}
