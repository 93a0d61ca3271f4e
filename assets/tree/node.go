package tree

import (
	"fmt"
	"iter"
	"slices"
)

// Node is a named part of a file. Children are produced while they are walked
// and need not be kept, so that a tree much larger than its file takes no
// memory to speak of; walking twice gives the same nodes.
type Node struct {
	Name   string
	Offset int64 // in the file, NoOffset for what has no place of its own
	Size   int64 // bytes in the file, 0 for what has none
	// Value is the decoded value for programs: nil, a bool, an integer, a
	// float64 or a string.
	Value any
	// Text is what Value says in words, empty where its plain form will do.
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

// Group makes a node with children that are known already.
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

// display is what a reader sees of the node's value: the text, or the value
// in its plain form (hexadecimal for unsigned integers).
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
