package inspect

import (
	"encoding/json"
	"fmt"
	"iter"

	"pica200/assets/tree"
)

// JSON is shown directly from its bytes: a node stores the position of its value
// and parses it when its children are needed. The text was checked by
// json.Valid, so finding the end of a value is simple.

// maxJSONDepth is the depth to which values are expanded; deeper ones are shown
// as text. It bounds how often the same bytes are read.
const maxJSONDepth = 32

// jsonDoc is valid JSON at an offset of a file.
type jsonDoc struct {
	text []byte
	at   int64
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// skipSpace returns the first index from i on that is not white space.
func (d jsonDoc) skipSpace(i int) int {
	for i < len(d.text) && isSpace(d.text[i]) {
		i++
	}
	return i
}

// end returns the index after the value that starts at i.
func (d jsonDoc) end(i int) int {
	depth := 0
	for i < len(d.text) {
		switch c := d.text[i]; c {
		case '"':
			i = d.stringEnd(i)
			if depth == 0 {
				return i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + depth + 1 // a scalar ends before its container does
			}
		default:
			if depth == 0 && (c == ',' || isSpace(c)) {
				return i
			}
		}
		i++
	}
	return i
}

// stringEnd returns the index after the string that starts at i.
func (d jsonDoc) stringEnd(i int) int {
	for i++; i < len(d.text); i++ {
		switch d.text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return i
}

// members returns key, start and end of each member of the object or element of
// the array that starts at i; keys of elements are empty.
func (d jsonDoc) members(i int) iter.Seq2[string, [2]int] {
	object := d.text[i] == '{'
	return func(yield func(string, [2]int) bool) {
		for i := d.skipSpace(i + 1); i < len(d.text); i = d.skipSpace(i) {
			if c := d.text[i]; c == '}' || c == ']' {
				return
			} else if c == ',' {
				i++
				continue
			}
			key := ""
			if object {
				e := d.stringEnd(i)
				_ = json.Unmarshal(d.text[i:e], &key) // valid, see above
				i = d.skipSpace(e)
				i = d.skipSpace(i + 1) // the colon
			}
			e := d.end(i)
			if e <= i || !yield(key, [2]int{i, e}) {
				return
			}
			i = e
		}
	}
}

// get finds a member of the object that starts at i.
func (d jsonDoc) get(i int, key string) (at [2]int, ok bool) {
	if i >= len(d.text) || d.text[i] != '{' {
		return at, false
	}
	for k, span := range d.members(i) {
		if k == key {
			return span, true
		}
	}
	return at, false
}

// node shows the value between two positions.
func (d jsonDoc) node(name string, span [2]int, depth int) *tree.Node {
	raw := d.text[span[0]:span[1]]
	n := &tree.Node{Name: name, Offset: d.at + int64(span[0]), Size: int64(len(raw))}
	switch {
	case depth >= maxJSONDepth && (raw[0] == '{' || raw[0] == '['):
		n.Text = fmt.Sprintf("nested more than %d deep, not taken apart", maxJSONDepth)
	case raw[0] == '{' || raw[0] == '[':
		n.Children = func(yield func(*tree.Node) bool) {
			i := 0
			for key, span := range d.members(span[0]) {
				if raw[0] == '[' {
					key = fmt.Sprint(i)
				}
				if !yield(d.node(key, span, depth+1)) {
					return
				}
				i++
			}
		}
	case raw[0] == '"' && len(raw) > maxJSONString:
		n.Value, n.Text = string(raw[1:maxJSONString/2]), fmt.Sprintf("%s... (%d bytes of text)", raw[:maxJSONString/2], len(raw)-2)
	default:
		var v any
		if json.Unmarshal(raw, &v) == nil && v != nil {
			n.Value = v
		} else {
			n.Text = string(raw)
		}
	}
	return n
}

// maxJSONString is how long strings are shown in full; data URIs are longer.
const maxJSONString = 256
