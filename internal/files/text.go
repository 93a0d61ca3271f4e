package files

import "unicode/utf8"

// IsText reports whether data can be text: valid UTF-8 (or cut within a character at the end of the examined part) without control
// characters.
func IsText(data []byte) bool {
	data = data[:min(len(data), 1<<16)]
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n <= 1 && len(data)-i >= utf8.UTFMax {
			return false
		}
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return false
		}
		i += max(n, 1)
	}
	return len(data) > 0
}
