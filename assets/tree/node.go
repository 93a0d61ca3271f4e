package tree

import (
	"fmt"
	"iter"
	"slices"
)

// Node is a named part of a file. Children are produced during iteration and
// need not be kept, so a tree much larger than its file takes little memory.
// Iterating twice gives the same nodes.
type Node struct {
	Name   string
	Offset int64 // in the file; NoOffset for a node without a position
	Size   int64 // bytes in the file; 0 for a node without a position
	// Value is the decoded value for programs: nil, a bool, an integer, a
	// float64 or a string.
	Value any
	// Text is Value in words; empty if its plain form is enough.
	Text     string
	Children iter.Seq[*Node] // nil for a leaf
}

// Field makes a leaf with a value; text may be empty.
func Field(name string, offset, size int64, value any, text string) *Node {
	return &Node{Name: name, Offset: offset, Size: size, Value: value, Text: text}
}

// Fieldf makes a leaf with a formatted text.
func Fieldf(name string, offset, size int64, value any, format string, args ...any) *Node {
	return Field(name, offset, size, value, fmt.Sprintf(format, args...))
}

// Group makes a node with known children.
func Group(name string, offset, size int64, text string, children ...*Node) *Node {
	return &Node{Name: name, Offset: offset, Size: size, Text: text, Children: slices.Values(children)}
}

// List makes a node with n children that are produced by index.
func List(name string, offset, size int64, text string, n int, child func(i int) *Node) *Node {
	return &Node{Name: name, Offset: offset, Size: size, Text: text, Children: func(yield func(*Node) bool) {
		for i := range n {
			if !yield(child(i)) {
				return
			}
		}
	}}
}

// display returns the value for a reader: the text, or Value in its plain form
// (hexadecimal for unsigned integers).
func (n *Node) display() string {
	switch v := n.Value.(type) {
	case nil:
		return n.Text
	case string:
		if n.Text != "" {
			return n.Text
		}
		return fmt.Sprintf("%q", v)
	case uint8, uint16, uint32, uint64, uint:
		plain := fmt.Sprintf("0x%x", v)
		if n.Text == "" {
			return plain
		}
		return n.Text
	}
	if n.Text != "" {
		return n.Text
	}
	return fmt.Sprint(n.Value)
}

// Moved returns the node with all offsets moved by a distance. If the distance
// is negative the offsets are removed: data that was decoded from text has
// none.
func (n *Node) Moved(by int64) *Node {
	m := *n
	switch {
	case by < 0:
		m.Offset = NoOffset
	case m.Offset >= 0:
		m.Offset += by
	}
	if n.Children != nil {
		m.Children = func(yield func(*Node) bool) {
			for c := range n.Children {
				if !yield(c.Moved(by)) {
					return
				}
			}
		}
	}
	return &m
}
