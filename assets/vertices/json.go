package vertices

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// decoder reads JSON token by token, so that a file takes only the memory of
// its numbers. After the first error, which it keeps, it returns no more
// tokens.
type decoder struct {
	*json.Decoder
	data []byte
	err  error
}

func newDecoder(data []byte) *decoder {
	return &decoder{Decoder: json.NewDecoder(bytes.NewReader(data)), data: data}
}

// end checks that nothing follows, and returns the first error.
func (d *decoder) end() error {
	if d.err == nil {
		if _, err := d.Token(); err != io.EOF {
			d.fail("something follows the end of the list")
		}
	}
	return d.err
}

// fail keeps an error with the current position, if it is the first.
func (d *decoder) fail(format string, args ...any) {
	if d.err != nil {
		return
	}
	before := d.data[:min(int(d.InputOffset()), len(d.data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	d.err = fmt.Errorf("line %d, column %d: %w", line, len(before)-bytes.LastIndexByte(before, '\n'), fmt.Errorf(format, args...))
}

// check keeps the error of a number that was read.
func (d *decoder) check(err error) {
	if err != nil {
		d.fail("%w", err)
	}
}

// token returns the next token; nil for null or after an error.
func (d *decoder) token() json.Token {
	if d.err != nil {
		return nil
	}
	t, err := d.Token()
	if err == io.EOF {
		d.fail("the file ends too early")
	} else if err != nil {
		d.fail("%v", err)
	}
	return t
}

// more reports whether the list or object continues.
func (d *decoder) more() bool { return d.err == nil && d.More() }

func (d *decoder) want(what json.Delim) {
	if t := d.token(); t != what {
		d.fail("expected %v, found %v", what, shown(t))
	}
}

// number converts a token to a number; what describes it in errors.
func (d *decoder) number(t json.Token, what string) float64 {
	f, ok := t.(float64)
	if !ok {
		d.fail("expected %s, found %v", what, shown(t))
	}
	return f
}

// key is the next key of an object.
func (d *decoder) key() string {
	t := d.token()
	name, ok := t.(string)
	if !ok {
		d.fail("expected a name, found %v", shown(t))
	}
	return name
}

// shown formats a token for messages.
func shown(t json.Token) string {
	switch v := t.(type) {
	case nil:
		return "null"
	case string:
		return fmt.Sprintf("%q", clip(v))
	}
	return fmt.Sprint(t)
}

// readJSON reads an object of streams, each a list of lists of numbers or one flat list; or
// a list of vertices, each an object of streams, or a list of numbers as a layout says.
func (t *Table) readJSON(data []byte, l *Layout) error {
	if l.Offset != 0 || l.Stride != 0 {
		return fmt.Errorf("offset and stride are for binary files")
	}
	d := newDecoder(data)
	switch first := d.token(); first {
	case json.Delim('{'):
		t.jsonStreams(d, l)
	case json.Delim('['):
		t.jsonRows(d, l)
	default:
		d.fail("expected an object of streams or a list of vertices, found %v", shown(first))
	}
	return d.end()
}

// jsonStreams reads the rest of an object of streams.
func (t *Table) jsonStreams(d *decoder, l *Layout) {
	numbers := 0
	for d.more() {
		name := d.key()
		if name == "indices" {
			if t.Indices != nil {
				d.fail("there are two lists of indices")
			}
			t.Indices = d.indices()
			continue
		}
		s, most := t.jsonStream(d, name, l)
		if s == nil {
			return
		}
		flat := s.size
		d.values(s, most, maxNumbers-numbers)
		numbers += len(s.v)
		t.whole(d, s, flat)
	}
	d.want('}')
}

// values reads all numbers of a stream, at most left of them: one flat list, or a list for
// each vertex.
func (d *decoder) values(s *stream, most, left int) {
	flat := s.size
	s.size = 0
	d.want('[')
	for d.more() {
		switch v := d.token().(type) {
		case float64:
			if s.size == 0 {
				s.size = flat
			} else if s.size != flat {
				d.fail("a number of %s among lists of them", s.name)
			}
			d.check(s.put(v))
		case json.Delim:
			if v != '[' {
				d.fail("expected a list of numbers of %s, found %v", s.name, v)
			}
			d.row(s, most)
		default:
			d.fail("expected numbers of %s, found %v", s.name, shown(v))
		}
		if len(s.v) > left {
			d.fail("more than %d numbers", maxNumbers)
		}
	}
	d.want(']')
}

// whole checks that a stream has a value for every vertex. The first stream
// determines how many there are.
func (t *Table) whole(d *decoder, s *stream, flat int) {
	if s.size == 0 || len(s.v)%s.size != 0 {
		d.fail("%d numbers of %s; expected so many of %d each", len(s.v), s.name, max(1, flat))
		return
	}
	count := len(s.v) / s.size
	if len(t.list) == 1 {
		t.Count = count
	}
	if count != t.Count {
		d.fail("%d of %s; expected %d, as many as of %s", count, s.name, t.Count, t.list[0].name)
	}
	d.check(t.full(0))
}

// jsonStream adds a stream that a file names. The layout has its scale, and its
// number of values for each vertex in a flat list.
func (t *Table) jsonStream(d *decoder, name string, l *Layout) (s *stream, most int) {
	known, ok := streams[name]
	if !ok {
		d.fail("there is no stream %q; there are indices, %s", clip(name), strings.Join(Streams, ", "))
		return nil, 0
	}
	if t.stream(name) != nil {
		d.fail("%s appears twice", name)
		return nil, 0
	}
	size, scale := known.size, 1.0
	for i := range l.Elements {
		if l.Elements[i].Stream == name {
			size, scale = l.Elements[i].Size, l.Elements[i].Scale
		}
	}
	return t.add(name, size, scale), known.most
}

// row reads the rest of a list of numbers of a stream. The first one says how many there are.
func (d *decoder) row(s *stream, most int) {
	n := 0
	for d.more() {
		f := d.number(d.token(), "a number of "+s.name)
		if n++; n > most || s.size > 0 && n > s.size {
			d.fail("more than %d numbers of %s", max(s.size, min(most, n-1)), s.name)
		}
		d.check(s.put(f))
	}
	d.want(']')
	if s.size == 0 {
		s.size = n
	}
	if n == 0 || n != s.size {
		d.fail("%d numbers of %s; expected %d", n, s.name, max(1, s.size))
	}
}

// jsonRows reads the rest of a list of vertices.
func (t *Table) jsonRows(d *decoder, l *Layout) {
	p := t.planOf(l)
	numbers := 0
	for d.more() {
		switch v := d.token(); {
		case v == json.Delim('[') && len(p) == 0:
			d.fail("a vertex that is a list of numbers, and there is no layout")
		case v == json.Delim('['):
			numbers += len(p)
			d.planned(p)
		case v == json.Delim('{'):
			if t.Count == 0 {
				t.list = nil // the vertices name their streams
			}
			numbers += 4 * max(1, len(t.list))
			t.jsonVertex(d, l)
		default:
			d.fail("expected a vertex, a list of numbers or an object of streams, found %v", shown(v))
		}
		t.Count++
		d.check(t.full(numbers))
	}
	for _, s := range t.list { // lists and objects in one file
		if s.size == 0 || len(s.v) != t.Count*s.size {
			d.fail("not all vertices have %s", s.name)
		}
	}
	d.want(']')
}

// planned reads the rest of a vertex that is a list of numbers.
func (d *decoder) planned(p plan) {
	n := 0
	for ; d.more(); n++ {
		f := d.number(d.token(), "a number")
		if n == len(p) {
			d.fail("more than %d numbers of a vertex", len(p))
		} else if s := p[n]; s != nil {
			d.check(s.put(f))
		}
	}
	if n != len(p) {
		d.fail("%d numbers of a vertex; expected %d", n, len(p))
	}
	d.want(']')
}

// jsonVertex reads the rest of a vertex that is an object. The first one says what all have.
func (t *Table) jsonVertex(d *decoder, l *Layout) {
	var seen []string
	for d.more() {
		name := d.key()
		if slices.Contains(seen, name) {
			d.fail("%s appears twice", name)
		}
		seen = append(seen, name)
		s := t.stream(name)
		if s == nil {
			if t.Count > 0 {
				d.fail("the first vertex has no %s", clip(name))
			}
			if s, _ = t.jsonStream(d, name, l); s == nil {
				return
			}
			s.size = 0
		}
		switch v := d.token(); {
		case v == json.Delim('['):
			d.row(s, streams[name].most)
		case s.size <= 1:
			s.size = 1
			d.check(s.put(d.number(v, "numbers of "+name)))
		default:
			d.fail("expected numbers of %s, found %v", name, shown(v))
		}
	}
	if len(seen) != len(t.list) || len(seen) == 0 {
		d.fail("a vertex with %d streams; expected %d", len(seen), max(1, len(t.list)))
	}
	d.want('}')
}

// indices reads a list of indices, which may be in lists themselves (of triangles).
func (d *decoder) indices() []uint32 {
	out := []uint32{}
	add := func(t json.Token) {
		i, err := index(d.number(t, "an index"))
		d.check(err)
		if len(out) == MaxIndices {
			d.fail("more than %d indices", MaxIndices)
			return
		}
		out = append(out, i)
	}
	d.want('[')
	for d.more() {
		t := d.token()
		if t != json.Delim('[') {
			add(t)
			continue
		}
		for d.more() {
			add(d.token())
		}
		d.want(']')
	}
	d.want(']')
	return out
}
