package asm

import "strings"

// The .pica language has no token grammar: the reference assembler cuts each line at the
// first ';', ':', blank, comma or parenthesis, depending on the statement. This decides
// what it accepts (a trailing comma is not an argument, text after a closing bracket is
// dropped), so this scanner makes the same cuts, in slices that keep their column.

// word is a part of a source line, with its byte offset in the line.
type word struct {
	text string
	off  int
}

// space is what C's isspace accepts in the "C" locale.
const space = " \t\n\v\f\r"

// trim removes white space at both ends.
func (w word) trim() word {
	w.text = strings.TrimRight(w.text, space)
	return w.from(len(w.text) - len(skipSpace(w.text)))
}

// from returns the part of w from byte i on.
func (w word) from(i int) word { return word{w.text[i:], w.off + i} }

// to returns the part of w before byte i.
func (w word) to(i int) word { return word{w.text[:i], w.off} }

// cursor reads the arguments of one statement.
type cursor struct {
	rest word
}

// cut returns the text before the first byte of delims and skips that byte. It
// returns false at the end of the line.
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

// arg reads the next argument of a comma-separated list.
func (c *cursor) arg() (word, bool) { return c.argBefore(",") }

// argBefore reads the text before a delimiter.
func (c *cursor) argBefore(delim string) (word, bool) {
	w, ok := c.cut(delim)
	return w.trim(), ok
}

// argBlank reads the next argument of a list separated by blanks and tabs.
func (c *cursor) argBlank() (word, bool) {
	w, ok := c.cut(" \t")
	if ok {
		c.rest = c.rest.from(len(c.rest.text) - len(skipSpace(c.rest.text)))
	}
	return w.trim(), ok
}

// lower converts ASCII letters to lower case. C compares names without case in
// the "C" locale, so other letters have no case.
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

// sameFold compares texts, ignoring the case of ASCII letters.
func sameFold(a, b string) bool { return len(a) == len(b) && lower(a) == lower(b) }
