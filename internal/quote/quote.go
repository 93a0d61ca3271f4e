// Package quote puts texts of unknown length into messages.
package quote

import (
	"strings"
	"unicode/utf8"
)

// Max is the most that a message repeats of a file: letters of a name, bytes of a
// line.
const Max = 400

// Short returns a text of at most n letters, with the middle left out if needed.
func Short(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	head, tail := 0, len(text)
	for range n/2 - 1 {
		_, size := utf8.DecodeRuneInString(text[head:])
		head += size
	}
	for range n - n/2 - 1 {
		_, size := utf8.DecodeLastRuneInString(text[:tail])
		tail -= size
	}
	return text[:head] + ".." + text[tail:]
}

// Lines shortens every line of a message that is longer than any of ours.
func Lines(text string) string {
	const longest = 8 * Max
	if len(text) <= longest {
		return text
	}
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = Short(lines[i], longest)
	}
	return strings.Join(lines, "\n")
}

// Around returns the part of a line that is shown for the byte at a position
// in it, and where that part starts.
func Around(line string, at int) (part string, start int) {
	if len(line) <= Max {
		return line, 0
	}
	start = max(0, min(at-Max/4, len(line)))
	end := min(start+Max, len(line))
	for start < end && !utf8.RuneStart(line[start]) {
		start++
	}
	for end < len(line) && end > start && !utf8.RuneStart(line[end]) {
		end--
	}
	return line[start:end], start
}

// Shell returns a word as a shell takes it.
func Shell(word string) string {
	plain := func(r rune) bool {
		return r > utf8.RuneSelf || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_./:,+@%=", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
