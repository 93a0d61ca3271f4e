package vertices

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// decoder reads JSON token by token, so that a file takes the memory of its numbers alone.
type decoder struct {
	*json.Decoder
	data []byte
}

func newDecoder(data []byte) *decoder {
	return &decoder{json.NewDecoder(bytes.NewReader(data)), data}
}

// errorf makes an error at the place that was read to.
func (d *decoder) errorf(format string, args ...any) error {
	before := d.data[:min(int(d.InputOffset()), len(d.data))]
	line := 1 + bytes.Count(before, []byte("\n"))
	return fmt.Errorf("line %d, column %d: %w", line, len(before)-bytes.LastIndexByte(before, '\n'), fmt.Errorf(format, args...))
}

func (d *decoder) token() (json.Token, error) {
	t, err := d.Token()
	if err == io.EOF {
		return nil, d.errorf("the file ends too early")
	}
	if err != nil {
		return nil, d.errorf("%v", err)
	}
	return t, nil
}

// end sees that nothing follows.
func (d *decoder) end() error {
	if _, err := d.Token(); err != io.EOF {
		return d.errorf("something follows the end of the list")
	}
	return nil
}

func (d *decoder) want(what json.Delim) error {
	t, err := d.token()
	if err == nil && t != what {
		err = d.errorf("expected %v, found %v", what, shown(t))
	}
	return err
}

// shown is a token in messages.
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
	first, err := d.token()
	if err != nil {
		return err
	}
	switch first {
	case json.Delim('{'):
		err = t.jsonStreams(d, l)
	case json.Delim('['):
		err = t.jsonRows(d, l)
	default:
		err = d.errorf("expected an object of streams or a list of vertices, found %v", shown(first))
	}
	if err != nil {
		return err
	}
	return d.end()
}

// jsonStreams reads the rest of an object of streams.
func (t *Table) jsonStreams(d *decoder, l *Layout) error {
	numbers := 0
	for d.More() {
		name, err := d.key()
		if err != nil {
			return err
		}
		if name == "indices" {
			if t.Indices != nil {
				return d.errorf("indices stand there twice")
			}
			if t.Indices, err = d.indices([]uint32{}); err != nil {
				return err
			}
			continue
		}
		s, most, err := t.jsonStream(d, name, l)
		if err != nil {
			return err
		}
		flat := s.size
		s.size = 0
		if err := d.want('['); err != nil {
			return err
		}
		for d.More() {
			v, err := d.token()
			if err != nil {
				return err
			}
			before := len(s.v)
			switch v := v.(type) {
			case float64:
				if s.size == 0 {
					s.size = flat
				} else if s.size != flat {
					return d.errorf("a number of %s among lists of them", name)
				}
				if err := s.put(v); err != nil {
					return d.errorf("%w", err)
				}
			case json.Delim:
				if v != '[' {
					return d.errorf("expected a list of numbers of %s, found %v", name, v)
				}
				if err := d.row(s, most); err != nil {
					return err
				}
			default:
				return d.errorf("expected numbers of %s, found %v", name, shown(v))
			}
			if numbers += len(s.v) - before; numbers > maxNumbers {
				return d.errorf("more than %d numbers", maxNumbers)
			}
		}
		if err := d.want(']'); err != nil {
			return err
		}
		if s.size == 0 || len(s.v)%s.size != 0 {
			return d.errorf("%d numbers of %s; expected so many of %d each", len(s.v), name, max(1, flat))
		}
		count := len(s.v) / s.size
		if len(t.list) == 1 {
			t.Count = count
		}
		if count != t.Count {
			return d.errorf("%d of %s; expected %d, as many as of %s", count, name, t.Count, t.list[0].name)
		}
		if err := t.full(0); err != nil {
			return d.errorf("%w", err)
		}
	}
	return d.want('}')
}

// key is the next key of an object.
func (d *decoder) key() (string, error) {
	t, err := d.token()
	if err != nil {
		return "", err
	}
	name, ok := t.(string)
	if !ok {
		return "", d.errorf("expected a name, found %v", shown(t))
	}
	return name, nil
}

// jsonStream begins a stream that a file names; the layout says how many numbers a vertex
// has of it in a flat list, and the scale.
func (t *Table) jsonStream(d *decoder, name string, l *Layout) (s *stream, most int, err error) {
	known, ok := streams[name]
	if !ok {
		return nil, 0, d.errorf("there is no stream %q; there are indices, %s", clip(name), strings.Join(Streams, ", "))
	}
	if t.stream(name) != nil {
		return nil, 0, d.errorf("%s stands there twice", name)
	}
	size, scale := known.size, 1.0
	for i := range l.Elements {
		if l.Elements[i].Stream == name {
			size, scale = l.Elements[i].Size, l.Elements[i].Scale
		}
	}
	return t.add(name, size, scale), known.most, nil
}

// row reads the rest of a list of numbers of a stream. The first one says how many there are.
func (d *decoder) row(s *stream, most int) error {
	n := 0
	for d.More() {
		v, err := d.token()
		if err != nil {
			return err
		}
		f, ok := v.(float64)
		if !ok {
			return d.errorf("expected a number of %s, found %v", s.name, shown(v))
		}
		if n++; n > most || s.size > 0 && n > s.size {
			return d.errorf("more than %d numbers of %s", max(s.size, min(most, n-1)), s.name)
		}
		if err := s.put(f); err != nil {
			return d.errorf("%w", err)
		}
	}
	if err := d.want(']'); err != nil {
		return err
	}
	if s.size == 0 {
		s.size = n
	}
	if n == 0 || n != s.size {
		return d.errorf("%d numbers of %s; expected %d", n, s.name, max(1, s.size))
	}
	return nil
}

// jsonRows reads the rest of a list of vertices.
func (t *Table) jsonRows(d *decoder, l *Layout) error {
	p := t.planOf(l)
	numbers := 0
	for d.More() {
		v, err := d.token()
		if err != nil {
			return err
		}
		switch {
		case v == json.Delim('[') && len(p) == 0:
			return d.errorf("a vertex that is a list of numbers, and there is no layout")
		case v == json.Delim('['):
			numbers += len(p)
			err = d.planned(p)
		case v == json.Delim('{'):
			if t.Count == 0 {
				t.list = nil // the vertices name their streams
			}
			numbers += 4 * max(1, len(t.list))
			err = t.jsonVertex(d, l)
		default:
			err = d.errorf("expected a vertex, a list of numbers or an object of streams, found %v", shown(v))
		}
		if err != nil {
			return err
		}
		t.Count++
		if err := t.full(numbers); err != nil {
			return d.errorf("%w", err)
		}
	}
	for _, s := range t.list { // lists and objects in one file
		if s.size == 0 || len(s.v) != t.Count*s.size {
			return d.errorf("not all vertices have %s", s.name)
		}
	}
	return d.want(']')
}

// planned reads the rest of a vertex that is a list of numbers.
func (d *decoder) planned(p plan) error {
	n := 0
	for d.More() {
		v, err := d.token()
		if err != nil {
			return err
		}
		f, ok := v.(float64)
		if !ok {
			return d.errorf("expected a number, found %v", shown(v))
		}
		if n == len(p) {
			return d.errorf("more than %d numbers of a vertex", len(p))
		}
		if s := p[n]; s != nil {
			if err := s.put(f); err != nil {
				return d.errorf("%w", err)
			}
		}
		n++
	}
	if n != len(p) {
		return d.errorf("%d numbers of a vertex; expected %d", n, len(p))
	}
	return d.want(']')
}

// jsonVertex reads the rest of a vertex that is an object. The first one says what all have.
func (t *Table) jsonVertex(d *decoder, l *Layout) error {
	var seen []string
	for d.More() {
		name, err := d.key()
		if err != nil {
			return err
		}
		if slices.Contains(seen, name) {
			return d.errorf("%s stands there twice", name)
		}
		seen = append(seen, name)
		s := t.stream(name)
		if s == nil {
			if t.Count > 0 {
				return d.errorf("the first vertex has no %s", clip(name))
			}
			if s, _, err = t.jsonStream(d, name, l); err != nil {
				return err
			}
			s.size = 0
		}
		v, err := d.token()
		if err != nil {
			return err
		}
		f, single := v.(float64)
		switch {
		case single && s.size <= 1:
			s.size = 1
			err = s.put(f)
		case v == json.Delim('['):
			if err := d.row(s, streams[name].most); err != nil {
				return err
			}
		default:
			err = fmt.Errorf("expected numbers of %s, found %v", name, shown(v))
		}
		if err != nil {
			return d.errorf("%w", err)
		}
	}
	if len(seen) != len(t.list) || len(seen) == 0 {
		return d.errorf("a vertex with %d streams; expected %d", len(seen), max(1, len(t.list)))
	}
	return d.want('}')
}

// indices reads a list of indices, which may be in lists themselves (of triangles).
func (d *decoder) indices(out []uint32) ([]uint32, error) {
	if err := d.want('['); err != nil {
		return nil, err
	}
	for d.More() {
		v, err := d.token()
		if err != nil {
			return nil, err
		}
		add := func(v json.Token) error {
			f, ok := v.(float64)
			if !ok {
				return d.errorf("expected an index, found %v", shown(v))
			}
			i, err := index(f)
			if err != nil {
				return d.errorf("%w", err)
			}
			if len(out) == MaxIndices {
				return d.errorf("more than %d indices", MaxIndices)
			}
			out = append(out, i)
			return nil
		}
		if v != json.Delim('[') {
			if err := add(v); err != nil {
				return nil, err
			}
			continue
		}
		for d.More() {
			if v, err = d.token(); err == nil {
				err = add(v)
			}
			if err != nil {
				return nil, err
			}
		}
		if err := d.want(']'); err != nil {
			return nil, err
		}
	}
	return out, d.want(']')
}
