// Package yamldoc reads the project's YAML files (scenes, golden cases) with
// errors that quote the line. goccy/go-yaml parses them; this package walks the
// syntax tree with typed accessors that check kind, range and spelling, and
// collects all mistakes instead of stopping at the first. Edit changes values
// in a file and keeps the rest.
package yamldoc

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Limits, so that a malicious document cannot use much more time or memory than
// its size.
const (
	MaxBytes  = 8 << 20 // of a document
	maxDepth  = 64      // of nesting
	maxVisits = 1 << 20 // of nodes; aliases count each time
	maxErrors = 20      // further ones are dropped
)

// Doc is a parsed document with the mistakes found so far.
type Doc struct {
	File    string
	src     []byte
	anchors map[string]ast.Node
	unknown Errors // unknown keys; listed first, since other mistakes follow from them
	errs    Errors
	made    int // mistakes, also those that were dropped
	visits  int
}

// Node is a value in a document. The zero Node is absent; its accessors return
// zero values without an error.
type Node struct {
	doc *Doc
	n   ast.Node
}

// Field is a key of a mapping with its value, in file order.
type Field struct {
	Key   string
	Pos   Node // the key itself, for errors about it
	Value Node
}

// Parse parses one document. An error is of type Errors.
func Parse(file string, src []byte) (d *Doc, root Node, err error) {
	d = &Doc{File: file, src: src, anchors: map[string]ast.Node{}}
	fail := func(line, col int, format string, args ...any) (*Doc, Node, error) {
		return nil, Node{}, Errors{{file, line, col, fmt.Sprintf(format, args...), excerpt(src, line, col), nil}}
	}
	if len(src) > MaxBytes {
		return fail(1, 1, "the file is larger than %d bytes", MaxBytes)
	}
	if depth, line := indentDepth(src); depth > maxDepth {
		return fail(line, 1, "nested deeper than %d levels", maxDepth)
	}
	defer func() {
		// A panic in the YAML library means an invalid file.
		if r := recover(); r != nil {
			d, root = nil, Node{}
			err = Errors{{file, 1, 1, fmt.Sprintf("not valid YAML (%v)", r), "", nil}}
		}
	}()
	tokens, bad := tokenize(string(src))
	if bad != nil {
		return fail(bad.Line, bad.Column, "%s", bad.Msg)
	}
	f, perr := parser.Parse(tokens, 0)
	if perr != nil {
		var ye yaml.Error
		if errors.As(perr, &ye) && ye.GetToken() != nil && ye.GetToken().Position != nil {
			p := ye.GetToken().Position
			return fail(p.Line, p.Column, "not valid YAML: %s", ye.GetMessage())
		}
		return fail(1, 1, "not valid YAML: %s", firstLine(perr.Error()))
	}
	var body ast.Node
	for _, doc := range f.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.NullType || doc.Body.Type() == ast.CommentType {
			continue
		}
		if body != nil {
			line, col := position(doc.Body)
			return fail(line, col, "a second document in the file; one is expected")
		}
		body = doc.Body
	}
	if body == nil {
		return fail(1, 1, "the file is empty")
	}
	ast.Walk(anchorFinder{d.anchors}, body)
	return d, Node{d, body}, nil
}

type anchorFinder struct{ m map[string]ast.Node }

func (a anchorFinder) Visit(n ast.Node) ast.Visitor {
	if an, ok := n.(*ast.AnchorNode); ok {
		a.m[an.Name.GetToken().Value] = an.Value
	}
	return a
}

// indentDepth returns the nesting depth before the recursive parser sees the
// text: by brackets of flow style, and by dashes and indentation at the start
// of a line.
func indentDepth(src []byte) (depth, line int) {
	open, worst, at := 0, 0, 1
	line = 1
	lineStart, dashes := true, 0
	indent := 0
	for _, c := range src {
		switch c {
		case '\n':
			line++
			lineStart, dashes, indent = true, 0, 0
			continue
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		}
		if lineStart {
			switch c {
			case ' ':
				indent++
			case '-', '?':
				dashes++
			default:
				lineStart = false
			}
		}
		if d := open + dashes + indent/16; d > worst {
			worst, at = d, line
		}
	}
	return worst, at
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}

func position(n ast.Node) (line, col int) {
	var t *token.Token
	switch v := n.(type) {
	case *ast.MappingNode:
		if len(v.Values) > 0 && !v.IsFlowStyle {
			t = v.Values[0].Key.GetToken()
		} else {
			t = v.Start
		}
	case *ast.MappingValueNode:
		t = v.Key.GetToken()
	default:
		t = n.GetToken()
	}
	if t == nil || t.Position == nil {
		return 1, 1
	}
	return t.Position.Line, t.Position.Column
}

// Err returns all mistakes, or nil: unknown keys first, then the others, each
// in order of position.
func (d *Doc) Err() error {
	for _, errs := range []Errors{d.unknown, d.errs} {
		sort.SliceStable(errs, func(i, j int) bool {
			a, b := errs[i], errs[j]
			return a.Line < b.Line || a.Line == b.Line && a.Column < b.Column
		})
	}
	all := append(d.unknown[:len(d.unknown):len(d.unknown)], d.errs...)
	if len(all) == 0 {
		return nil
	}
	return all[:min(len(all), maxErrors)]
}

// Mistakes returns the number of mistakes in the node's document so far.
func (n Node) Mistakes() int {
	if n.doc == nil {
		return 0
	}
	return n.doc.made
}

// Errorf reports a mistake at the node.
func (n Node) Errorf(format string, args ...any) {
	if n.doc != nil {
		n.add(&n.doc.errs, format, args...)
	}
}

// add adds a mistake at the node to a list of the document.
func (n Node) add(list *Errors, format string, args ...any) {
	n.doc.made++
	if len(*list) >= maxErrors {
		return
	}
	line, col := 1, 1
	if n.n != nil {
		line, col = position(n.n)
	}
	for _, e := range append(n.doc.unknown[:len(n.doc.unknown):len(n.doc.unknown)], n.doc.errs...) { // one mistake for each position is enough
		if e.Line == line && e.Column == col {
			return
		}
	}
	*list = append(*list, &Error{n.doc.File, line, col, fmt.Sprintf(format, args...), excerpt(n.doc.src, line, col), nil})
}

// ErrorAt makes an Error at the node without adding it to the document, for
// mistakes that are found later, when a scene is used.
func (n Node) ErrorAt(format string, args ...any) error {
	if n.doc == nil || n.n == nil {
		return fmt.Errorf(format, args...)
	}
	line, col := position(n.n)
	err := fmt.Errorf(format, args...)
	return &Error{n.doc.File, line, col, err.Error(), excerpt(n.doc.src, line, col), err}
}

// Present reports whether the node is in the file.
func (n Node) Present() bool { return n.n != nil }

// Line is the node's line, from 1, or 0 if it is absent.
func (n Node) Line() int {
	if n.n == nil {
		return 0
	}
	line, _ := position(n.n)
	return line
}

// Position is the node's line and column, from 1, or 0 if it is absent.
func (n Node) Position() (line, column int) {
	if n.n == nil {
		return 0, 0
	}
	return position(n.n)
}

// resolve follows anchors, aliases and tags to the value.
func (n Node) resolve() ast.Node {
	v := n.n
	for hops := 0; v != nil; hops++ {
		n.doc.visits++
		if n.doc.visits > maxVisits || hops > maxDepth {
			n.Errorf("the document is too large when its aliases are followed")
			return nil
		}
		switch t := v.(type) {
		case *ast.AnchorNode:
			v = t.Value
		case *ast.AliasNode:
			name := t.Value.GetToken().Value
			target, ok := n.doc.anchors[name]
			if !ok {
				n.Errorf("alias *%s has no anchor &%s", name, name)
				return nil
			}
			v = target
		case *ast.TagNode:
			v = t.Value
		default:
			return v
		}
	}
	return nil
}

func kindName(v ast.Node) string {
	switch v.(type) {
	case nil, *ast.NullNode:
		return "nothing"
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.StringNode, *ast.LiteralNode:
		return "text"
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return "a number"
	case *ast.BoolNode:
		return "true or false"
	}
	return "something else"
}

func (n Node) want(v ast.Node, what string) {
	got := kindName(v)
	if s := n.Text(); s != "" && len(s) < 60 {
		got += " (" + s + ")"
	}
	n.Errorf("expected %s, found %s", what, got)
}

// Text returns a scalar as written in the file, "" for anything else.
func (n Node) Text() string {
	if n.n == nil {
		return ""
	}
	switch v := n.resolve().(type) {
	case *ast.StringNode:
		return v.Value
	case *ast.LiteralNode:
		return v.Value.Value
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return v.GetToken().Value
	}
	return ""
}

// IsMap, IsList and IsNumber report the node's kind without an error.
func (n Node) IsMap() bool {
	switch n.resolve().(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// IsList reports whether the node is a list.
func (n Node) IsList() bool {
	_, ok := n.resolve().(*ast.SequenceNode)
	return ok
}

// IsNumber reports whether the node is an integer or a floating-point number.
func (n Node) IsNumber() bool {
	_, ok := n.number()
	return ok
}

// IsText reports whether the node is a string.
func (n Node) IsText() bool {
	switch n.resolve().(type) {
	case *ast.StringNode, *ast.LiteralNode:
		return true
	}
	return false
}

// IsBool reports whether the node is true or false.
func (n Node) IsBool() bool {
	_, ok := n.resolve().(*ast.BoolNode)
	return ok
}

func (n Node) entries() ([]*ast.MappingValueNode, bool) {
	switch v := n.resolve().(type) {
	case *ast.MappingNode:
		return v.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}, true
	}
	return nil, false
}

// Fields returns the keys of a mapping. A duplicate key is a mistake.
func (n Node) Fields() []Field {
	if n.n == nil {
		return nil
	}
	values, ok := n.entries()
	if !ok {
		v := n.resolve()
		if _, null := v.(*ast.NullNode); !null && v != nil {
			n.want(v, "a mapping (key: value)")
		}
		return nil
	}
	out := make([]Field, 0, len(values))
	seen := map[string]bool{}
	for _, v := range values {
		n.doc.visits++
		key := Node{n.doc, v.Key}
		name := key.keyText()
		if seen[name] {
			key.Errorf("key %q appears a second time", name)
			continue
		}
		seen[name] = true
		out = append(out, Field{name, key, Node{n.doc, v.Value}})
	}
	return out
}

// Get returns the value of a key, absent if there is none. It reports no
// mistakes.
func (n Node) Get(key string) Node {
	if n.IsMap() {
		entries, _ := n.entries()
		for _, e := range entries {
			if (Node{n.doc, e.Key}).keyText() == key {
				return Node{n.doc, e.Value}
			}
		}
	}
	return Node{}
}

// Keys returns the fields of a mapping by name. A name that is not in known is
// a mistake, whose message suggests the nearest one.
func (n Node) Keys(what string, known ...string) map[string]Node {
	m := map[string]Node{}
	for _, f := range n.Fields() {
		if !contains(known, f.Key) {
			f.Pos.add(&n.doc.unknown, "%s", unknown("key", f.Key, what, known))
			continue
		}
		m[f.Key] = f.Value
	}
	return m
}

// Unknown reports that name is not one of known.
func (n Node) Unknown(kind, name, what string, known []string) {
	n.Errorf("%s", unknown(kind, name, what, known))
}

func unknown(kind, name, what string, known []string) string {
	if what != "" {
		what = " in " + what
	}
	advice := "there are no valid names"
	if near := Nearest(name, known); near != "" {
		advice = fmt.Sprintf("the nearest valid name is %q", near)
	} else if n := len(known); n > 24 {
		advice = "valid are " + strings.Join(known[:24], ", ") + ", …"
	} else if n > 0 {
		advice = "valid are " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("unknown %s %q%s; %s", kind, name, what, advice)
}

func contains(list []string, s string) bool {
	for _, l := range list {
		if l == s {
			return true
		}
	}
	return false
}
