package asm

import "strings"

// The .pica language has no grammar of tokens: the reference assembler cuts each
// line at the first ';', ':', blank, comma or parenthesis as the statement at hand
// asks for. What it accepts follows from that cutting (a trailing comma is no
// argument, text behind a closing bracket is dropped), so the same cuts are made
// here, on slices that remember their column.

// word is a piece of a source line and the byte offset at which it starts there.
type word struct {
	text string
	off  int
}

// isSpace is C's isspace in the "C" locale.
func isSpace(c byte) bool {
	return c == ' ' || c >= '\t' && c <= '\r'
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isAlpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// trim drops white space at both ends.
func (w word) trim() word {
	for len(w.text) > 0 && isSpace(w.text[len(w.text)-1]) {
		w.text = w.text[:len(w.text)-1]
	}
	for len(w.text) > 0 && isSpace(w.text[0]) {
		w.text, w.off = w.text[1:], w.off+1
	}
	return w
}

// from gives the part of w that starts at byte i.
func (w word) from(i int) word { return word{w.text[i:], w.off + i} }

// to gives the part of w before byte i.
func (w word) to(i int) word { return word{w.text[:i], w.off} }

// cursor hands out the arguments of one statement.
type cursor struct {
	rest word
}

// cut takes the text up to the first byte of delims and steps over that byte. It
// reports false at the end of the line.
func (c *cursor) cut(delims string) (word, bool) {
	if c.rest.text == "" {
		return c.rest, false
	}
	n := strings.IndexAny(c.rest.text, delims)
	if n < 0 {
		w := c.rest
		c.rest = c.rest.from(len(c.rest.text))
		return w, true
	}
	w := c.rest.to(n)
	c.rest = c.rest.from(n + 1)
	return w, true
}

// arg takes the next argument of a list separated by commas.
func (c *cursor) arg() (word, bool) {
	w, ok := c.cut(",")
	return w.trim(), ok
}

// argBefore takes the text before an opening parenthesis.
func (c *cursor) argBefore(delim string) (word, bool) {
	w, ok := c.cut(delim)
	return w.trim(), ok
}

// argBlank takes the next argument of a list separated by blanks and tabs.
func (c *cursor) argBlank() (word, bool) {
	w, ok := c.cut(" \t")
	for ok && len(c.rest.text) > 0 && isSpace(c.rest.text[0]) {
		c.rest = c.rest.from(1)
	}
	return w.trim(), ok
}

// validIdentifier says whether s is a C identifier, '$' allowed. The empty string
// passes, as it does in the reference assembler.
func validIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !isAlpha(c) && c != '_' && c != '$' && (i == 0 || !isDigit(c)) {
			return false
		}
	}
	return true
}

// lower turns ASCII letters into lower case. C compares names without case in the "C"
// locale, so that no other letters have a case.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] |= 0x20
				}
			}
			return string(b)
		}
	}
	return s
}

// sameFold compares without regard to the case of ASCII letters.
func sameFold(a, b string) bool { return len(a) == len(b) && lower(a) == lower(b) }
