package yamldoc

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// Change is a new value for a document.
type Change struct {
	Path  []any // keys (string) and list indices (int), from the root
	Value any   // a scalar, []any, or yaml.MapSlice
}

// Edit sets values in a document and leaves every other character as it is: comments, blank lines, order, and how values are
// written. Missing mappings on a path are created, missing list items are not. The syntax tree gives the places of values, and
// the text is changed there. The result is parsed again; Edit returns an error if it does not mean what was asked for, for
// example because a value is shared through an anchor.
func Edit(file string, src []byte, changes []Change) ([]byte, error) {
	// The YAML library counts CR LF as two line breaks.
	if n := bytes.Count(src, []byte("\r\n")); n > 0 && n == bytes.Count(src, []byte("\n")) {
		out, err := Edit(file, bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), changes)
		return bytes.ReplaceAll(out, []byte("\n"), []byte("\r\n")), err
	}
	out := src
	for i := range changes {
		c := &changes[i]
		next, err := c.apply(file, out)
		if err != nil {
			return nil, err
		}
		out = next
	}
	want, err := decode(file, src)
	if err != nil {
		return nil, err
	}
	for i := range changes {
		if want, err = changes[i].on(want); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	got, err := decode(file, out)
	if err != nil {
		return nil, fmt.Errorf("%s: the changes cannot be written into it as it is: %w", file, err)
	}
	if !reflect.DeepEqual(plainValue(want), plainValue(got)) {
		return nil, fmt.Errorf("%s: the changes cannot be written into it as it is; values may be shared by anchors (&, *, <<)", file)
	}
	return out, nil
}

// Same reports whether two texts of a document have the same values.
func Same(file string, a, b []byte) bool {
	x, err := decode(file, a)
	y, err2 := decode(file, b)
	return err == nil && err2 == nil && sameValue(x, y)
}

// decode reads a document as scalars, []any and yaml.MapSlice. Aliases are followed within Parse's limits.
func decode(file string, src []byte) (any, error) {
	d, root, err := Parse(file, src)
	if err != nil {
		return nil, err
	}
	v := root.value(0)
	return v, d.Err()
}

func (n Node) value(depth int) any {
	if depth > 2*maxDepth {
		n.Errorf("nested deeper than %d levels when aliases are followed", 2*maxDepth)
		return nil
	}
	switch v := n.resolve().(type) {
	case nil, *ast.NullNode:
		return nil
	case *ast.MappingNode, *ast.MappingValueNode:
		m := yaml.MapSlice{}
		for _, f := range n.Fields() {
			m = append(m, yaml.MapItem{Key: f.Key, Value: f.Value.value(depth + 1)})
		}
		return m
	case *ast.SequenceNode:
		l := make([]any, 0, len(v.Values))
		for _, item := range v.Values {
			l = append(l, Node{n.doc, item}.value(depth+1))
		}
		return l
	case ast.ScalarNode:
		return v.GetValue()
	}
	return n.Text()
}

// plainValue converts values that mean the same to equal values.
func plainValue(v any) any {
	switch x := v.(type) {
	case yaml.MapSlice:
		out := make(yaml.MapSlice, len(x))
		for i := range x {
			out[i] = yaml.MapItem{Key: fmt.Sprint(x[i].Key), Value: plainValue(x[i].Value)}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = plainValue(x[i])
		}
		return out
	}
	switch r := reflect.ValueOf(v); {
	case !r.IsValid():
		return nil
	case r.CanInt():
		return float64(r.Int())
	case r.CanUint():
		return float64(r.Uint())
	case r.Kind() == reflect.Float32:
		var f float64
		fmt.Sscan(Flow(v), &f)
		return f
	case r.CanFloat():
		return r.Float()
	}
	return v
}

func sameValue(a, b any) bool { return reflect.DeepEqual(plainValue(a), plainValue(b)) }

// on applies the change to a decoded document.
func (c *Change) on(v any) (any, error) { return put(v, c.Path, c.Value) }

func put(v any, path []any, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	switch step := path[0].(type) {
	case int:
		l, ok := v.([]any)
		if !ok || step < 0 || step >= len(l) {
			return nil, fmt.Errorf("there is no item %d", step)
		}
		l = slices.Clone(l)
		var err error
		l[step], err = put(l[step], path[1:], value)
		return l, err
	case string:
		m, ok := v.(yaml.MapSlice)
		if !ok && v != nil {
			return nil, fmt.Errorf("%q cannot be put into %v", step, v)
		}
		m = slices.Clone(m)
		for i := range m {
			if fmt.Sprint(m[i].Key) == step {
				var err error
				m[i].Value, err = put(m[i].Value, path[1:], value)
				return m, err
			}
		}
		inner, err := put(nil, path[1:], value)
		return append(m, yaml.MapItem{Key: step, Value: inner}), err
	}
	return nil, badStep(path[0])
}

func badStep(step any) error { return fmt.Errorf("a path of keys and numbers, not of %T", step) }

// splice is a change of the text: bytes from to to-1 are replaced by text.
type splice struct {
	from, to int
	text     string
}

// apply applies a change to the text.
func (c *Change) apply(file string, src []byte) (out []byte, err error) {
	_, root, err := Parse(file, src)
	if err != nil {
		return nil, err
	}
	e := &editor{doc: root.doc, src: src}
	n, inFlow := root.n, false
	for i, step := range c.Path {
		if a, ok := n.(*ast.AnchorNode); ok {
			n = a.Value
		}
		inFlow = inFlow || isFlow(n)
		var child ast.Node
		switch step := step.(type) {
		case int:
			s, ok := n.(*ast.SequenceNode)
			if !ok || step < 0 || step >= len(s.Values) {
				return nil, fmt.Errorf("%s: there is no item %d of %v", file, step, c.Path[:i])
			}
			child = s.Values[step]
		case string:
			entries, isMap := (Node{root.doc, n}).plainEntries()
			for _, kv := range entries {
				if (Node{root.doc, kv.Key}).keyText() == step {
					child = kv.Value
					if child == nil || child.GetToken().Type == token.ImplicitNullType {
						// A key without a value: the value goes after its colon.
						return e.fill(kv, c.Path[i+1:], c.Value), nil
					}
					if child.Type() == ast.NullType {
						e.replace(child, nested(c.Path[i+1:], c.Value), inFlow)
						return e.done(), nil
					}
				}
			}
			if child == nil {
				if !isMap {
					line, _ := position(n)
					return nil, fmt.Errorf("%s:%d: %q cannot be put into %s", file, line, step, kindName(n))
				}
				return e.insert(n, entries, c.Path[i:], c.Value), nil
			}
		default:
			return nil, fmt.Errorf("%s: %w", file, badStep(step))
		}
		n = child
	}
	e.replace(n, c.Value, inFlow)
	if e.err != nil {
		line, _ := position(n)
		return nil, fmt.Errorf("%s:%d: %w", file, line, e.err)
	}
	return e.done(), nil
}

// plainEntries returns the entries of a mapping that is written out, not an alias.
func (n Node) plainEntries() ([]*ast.MappingValueNode, bool) {
	switch v := n.n.(type) {
	case *ast.MappingNode:
		return v.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{v}, true
	}
	return nil, false
}

func (n Node) keyText() string {
	if name := strings.TrimSpace(n.Text()); name != "" {
		return name
	}
	return n.n.GetToken().Value
}

// editor changes a text at positions of its syntax tree.
type editor struct {
	doc     *Doc
	src     []byte
	splices []splice
	err     error
}

func (e *editor) done() []byte {
	slices.SortFunc(e.splices, func(a, b splice) int { return b.from - a.from })
	out := slices.Clone(e.src)
	for _, s := range e.splices {
		out = slices.Replace(out, s.from, s.to, []byte(s.text)...)
	}
	return out
}

// at returns the byte offset of a line and column, both from 1; columns count characters.
func (e *editor) at(line, column int) int {
	at := 0
	for ; line > 1; line-- {
		at = e.lineEnd(at)
	}
	for ; column > 1; column-- {
		_, n := utf8.DecodeRune(e.src[at:])
		at += n
	}
	return at
}

// lineEnd returns the position after the line break that follows a position.
func (e *editor) lineEnd(at int) int {
	_, rest, _ := bytes.Cut(e.src[at:], []byte("\n"))
	return len(e.src) - len(rest)
}

func (e *editor) offsetOf(n ast.Node) int {
	line, column := position(n)
	return e.at(line, column)
}

// isFlow reports whether a node is a list or mapping in brackets.
func isFlow(n ast.Node) bool {
	switch v := n.(type) {
	case *ast.SequenceNode:
		return v.IsFlowStyle
	case *ast.MappingNode:
		return v.IsFlowStyle
	}
	return false
}

// replace replaces a node with a value. inFlow is whether the node stands in brackets.
func (e *editor) replace(n ast.Node, v any, inFlow bool) {
	if a, ok := n.(*ast.AnchorNode); ok {
		n = a.Value
	}
	if s, ok := n.(*ast.SequenceNode); ok {
		list, isList := v.([]any)
		if isList && len(list) == len(s.Values) {
			for i, item := range s.Values {
				if old := (Node{e.doc, item}).value(0); !sameValue(old, list[i]) {
					e.replace(item, list[i], inFlow || s.IsFlowStyle)
				}
			}
			return
		}
		if !s.IsFlowStyle {
			e.err = fmt.Errorf("a list of %d lines cannot be replaced; write it in brackets", len(s.Values))
			return
		}
	}
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle {
		e.replaceLines(m, v)
		return
	}
	from := e.offsetOf(n)
	to := e.end(n, inFlow)
	if to <= from {
		e.err = fmt.Errorf("the place of the value was not found")
		return
	}
	e.splices = append(e.splices, splice{from, to, e.flow(v, from)})
}

// replaceLines replaces a mapping in block style.
func (e *editor) replaceLines(m *ast.MappingNode, v any) {
	items, ok := v.(yaml.MapSlice)
	if !ok || len(items) == 0 || len(m.Values) == 0 {
		e.err = fmt.Errorf("a mapping on lines of its own cannot become a single value")
		return
	}
	from := e.offsetOf(m.Values[0].Key)
	end, indent := e.lines(m.Values[0])
	to := e.last(from, end)
	if e.last(from, to) != to || bytes.Contains(e.src[from:to], []byte(" #")) || bytes.Contains(e.src[from:to], []byte("\n#")) {
		e.err = fmt.Errorf("a mapping with comments cannot be replaced; edit it by hand")
		return
	}
	var lines []string
	for _, item := range items {
		lines = append(lines, entryLine(item, strings.Repeat(" ", indent)))
	}
	e.splices = append(e.splices, splice{from, to, strings.Join(lines, "\n"+strings.Repeat(" ", indent))})
}

// entryLine formats an entry of a mapping after the indentation pad.
func entryLine(item yaml.MapItem, pad string) string {
	return Flow(item.Key) + ": " + breakLong(Flow(item.Value), "\n"+pad+"  ")
}

// flow formats a value in flow style. A long list is broken into lines, indented two more than the line that it begins on.
func (e *editor) flow(v any, at int) string {
	start := bytes.LastIndexByte(e.src[:at], '\n') + 1
	indent := len(e.src[start:]) - len(bytes.TrimLeft(e.src[start:], " -"))
	return breakLong(Flow(v), "\n"+strings.Repeat(" ", indent+2))
}

// flowWidth is how long a line of a list may get.
const flowWidth = 120

// breakLong breaks the lines of a text that Flow made, if it is long, after
// commas outside of quotes. A space follows each of these commas.
func breakLong(text, separator string) string {
	if len(text) <= flowWidth {
		return text
	}
	var b strings.Builder
	from := 0
	for i := 0; i < len(text); i++ {
		if text[i] == '"' {
			i = quoted([]byte(text), i) - 1
		} else if text[i] == ',' && i-from >= flowWidth-20 {
			b.WriteString(text[from:i+1] + separator)
			i++
			from = i + 1
		}
	}
	return b.String() + text[from:]
}

// quoted returns the position after a quoted text.
func quoted(src []byte, i int) int {
	q := src[i]
	for i++; i < len(src); i++ {
		switch {
		case q == '"' && src[i] == '\\', q == '\'' && bytes.HasPrefix(src[i:], []byte("''")):
			i++
		case src[i] == q:
			return i + 1
		}
	}
	return len(src)
}

// end returns the position after a value in flow style, or a scalar.
func (e *editor) end(n ast.Node, inFlow bool) int {
	switch v := n.(type) {
	case *ast.SequenceNode:
		return e.after(v.End)
	case *ast.MappingNode:
		return e.after(v.End)
	}
	i := e.offsetOf(n)
	if i < len(e.src) && (e.src[i] == '"' || e.src[i] == '\'') {
		return quoted(e.src, i)
	}
	return e.plainEnd(i, inFlow)
}

// after returns the position after a colon or bracket. The YAML library's positions are wrong after a CR alone.
func (e *editor) after(t *token.Token) int {
	return min(e.at(t.Position.Line, t.Position.Column)+1, len(e.src))
}

// plainEnd returns the position after a plain scalar.
func (e *editor) plainEnd(i int, inFlow bool) int {
	to := i
	for k := i; k < len(e.src) && e.src[k] != '\n' && e.src[k] != '\r'; k++ {
		c := e.src[k]
		if inFlow && (c == ',' || c == ']' || c == '}') || e.comment(k) {
			break
		}
		if c != ' ' && c != '\t' {
			to = k + 1
		}
	}
	return to
}

// follows reports whether one of a set of characters stands before a position, or the text begins there.
func (e *editor) follows(i int, set string) bool {
	return i == 0 || strings.IndexByte(set, e.src[i-1]) >= 0
}

// comment reports whether a comment begins at a position.
func (e *editor) comment(i int) bool { return e.src[i] == '#' && e.follows(i, " \t\n") }

// last returns the position after the last character before end that is neither space nor part of a comment.
func (e *editor) last(from, end int) int {
	last := from
	for i := from; i < end; {
		switch c := e.src[i]; {
		case (c == '"' || c == '\'') && e.follows(i, " \t\n[{,:"):
			i = quoted(e.src, i)
			last = min(i, end)
			continue
		case e.comment(i):
			i = e.lineEnd(i)
			continue
		case c != ' ' && c != '\t' && c != '\n' && c != '\r':
			last = i + 1
		}
		i++
	}
	return last
}

// nested is a value below the rest of a path.
func nested(path []any, v any) any {
	for i := len(path) - 1; i >= 0; i-- {
		v = yaml.MapSlice{{Key: path[i], Value: v}}
	}
	return v
}

// fill adds a value after a key without one.
func (e *editor) fill(kv *ast.MappingValueNode, path []any, v any) []byte {
	at := e.after(kv.Start)
	e.splices = append(e.splices, splice{at, at, " " + e.flow(nested(path, v), e.offsetOf(kv.Key))})
	return e.done()
}

// lines returns the end of a block-style mapping that begins with an entry,
// before the first line with less indentation, and its indentation.
func (e *editor) lines(first *ast.MappingValueNode) (end, indent int) {
	line, column := position(first.Key)
	indent = column - 1
	end = e.lineEnd(e.at(line, column))
	for at := end; at < len(e.src); {
		next := e.lineEnd(at)
		text := strings.TrimRight(string(e.src[at:next]), " \t\r\n")
		if word, _, _ := strings.Cut(text, " "); word == "---" || word == "..." {
			break
		}
		if words := strings.TrimLeft(text, " "); words != "" && words[0] != '#' {
			if len(text)-len(words) < indent {
				break
			}
			end = next
		}
		at = next
	}
	return end, indent
}

// insert adds an entry at the end of a mapping.
func (e *editor) insert(n ast.Node, entries []*ast.MappingValueNode, path []any, v any) []byte {
	key, value := path[0], nested(path[1:], v)
	if m, ok := n.(*ast.MappingNode); ok && m.IsFlowStyle {
		from, close := e.offsetOf(n), e.after(m.End)-1
		last := e.last(from, close)
		separator := ", "
		switch e.src[last-1] {
		case '{':
			separator = ""
		case ',':
			separator = " "
		}
		e.splices = append(e.splices, splice{last, last, separator + Flow(key) + ": " + e.flow(value, from)})
		return e.done()
	}
	end, indent := e.lines(entries[0])
	var b strings.Builder
	if e.src[end-1] != '\n' {
		b.WriteString("\n")
	}
	pad := strings.Repeat(" ", indent)
	fmt.Fprintf(&b, "%s%s:", pad, Flow(key))
	if m, ok := value.(yaml.MapSlice); ok && len(m) > 0 {
		for _, item := range m {
			b.WriteString("\n" + pad + "  " + entryLine(item, pad+"  "))
		}
	} else {
		b.WriteString(" " + breakLong(Flow(value), "\n"+pad+"  "))
	}
	b.WriteString("\n")
	e.splices = append(e.splices, splice{end, end, b.String()})
	return e.done()
}
