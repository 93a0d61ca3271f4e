package vertices

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// columns are short names of components in the first line of a CSV file.
var columns = map[string]string{
	"x": "position.x", "y": "position.y", "z": "position.z", "nx": "normal.x", "ny": "normal.y", "nz": "normal.z",
	"u": "texcoord.x", "v": "texcoord.y", "s": "texcoord.x", "t": "texcoord.y", "u1": "texcoord1.x", "v1": "texcoord1.y", "u2": "texcoord2.x", "v2": "texcoord2.y",
	"r": "color.x", "g": "color.y", "b": "color.z", "a": "color.w", "red": "color.x", "green": "color.y", "blue": "color.z", "alpha": "color.w",
}

// components are the names of the numbers of a stream.
var components = map[string]int{"x": 0, "y": 1, "z": 2, "w": 3, "r": 0, "g": 1, "b": 2, "a": 3, "u": 0, "v": 1, "0": 0, "1": 1, "2": 2, "3": 3}

// plan has the stream of each column of a row; nil is none.
type plan []*stream

// planOf makes the streams of a layout.
func (t *Table) planOf(l *Layout) plan {
	var p plan
	for i := range l.Elements {
		e := &l.Elements[i]
		var s *stream
		if e.Stream != "" {
			s = t.add(e.Stream, e.Size, e.Scale)
		}
		for range e.Size {
			p = append(p, s)
		}
	}
	return p
}

// readCSV reads text with commas, semicolons or tabs between numbers, a line a vertex. A
// first line that does not begin with a number names the columns; what begins with # is a
// comment.
func (t *Table) readCSV(data []byte, l *Layout) error {
	if l.Offset != 0 || l.Stride != 0 {
		return fmt.Errorf("offset and stride are for binary files")
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")) // what some programs begin such files with
	if err := checkLines(data); err != nil {
		return err
	}
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment, r.ReuseRecord, r.TrimLeadingSpace, r.FieldsPerRecord = '#', true, true, -1
	r.Comma = separator(data)
	p := t.planOf(l)
	numbers, first := 0, true
	for {
		row, err := r.Read()
		if err == io.EOF {
			return nil
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return fmt.Errorf("line %d, column %d: %v", bad.Line, bad.Column, bad.Err)
		}
		if err != nil {
			return err
		}
		at := func(i int) string { line, col := r.FieldPos(i); return fmt.Sprintf("line %d, column %d", line, col) }
		if first {
			first = false
			if _, err := strconv.ParseFloat(strings.TrimSpace(row[0]), 64); err != nil && strings.TrimSpace(row[0]) != "" {
				if len(p) == 0 {
					if p, err = t.header(row); err != nil {
						return fmt.Errorf("%s: %w", at(0), err)
					}
				}
				continue
			}
			if len(p) == 0 {
				return fmt.Errorf("%s: the file does not name its columns (x,y,z,nx,ny,nz,u,v,r,g,b,a or stream.component), and there is no layout", at(0))
			}
		}
		if len(row) > len(p) && strings.TrimSpace(row[len(row)-1]) == "" {
			row = row[:len(row)-1] // a separator at the end of the line
		}
		if len(row) != len(p) {
			return fmt.Errorf("%s: %d numbers; expected %d", at(0), len(row), len(p))
		}
		t.Count++
		numbers += len(p)
		if err := t.full(numbers); err != nil {
			return fmt.Errorf("%s: %w", at(0), err)
		}
		for i, s := range p {
			if s == nil {
				continue
			}
			v, err := strconv.ParseFloat(strings.TrimSpace(row[i]), 64)
			if err != nil {
				return fmt.Errorf("%s: expected a number for %s, found %q", at(i), s.name, clip(row[i]))
			}
			if err := s.put(v); err != nil {
				return fmt.Errorf("%s: %w", at(i), err)
			}
		}
	}
}

// maxLine bounds a line of text. The CSV reader stores the fields of a record
// with their positions, some hundred bytes for each comma.
const maxLine = 1 << 16

// checkLines checks that every record is one line, and none is too long.
func checkLines(data []byte) error {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if len(line) > maxLine {
			return fmt.Errorf("line %d: %d characters; expected at most %d", number, len(line), maxLine)
		}
		if bytes.Count(line, []byte(`"`))%2 != 0 {
			return fmt.Errorf("line %d: a quoted name that does not end in its line", number)
		}
	}
	return nil
}

// separator returns the separator of the first line with contents.
func separator(data []byte) rune {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		switch {
		case bytes.IndexByte(line, ',') >= 0:
			return ','
		case bytes.IndexByte(line, ';') >= 0:
			return ';'
		case bytes.IndexByte(line, '\t') >= 0:
			return '\t'
		}
		break
	}
	return ','
}

// header makes the streams for the names of columns. The components of a stream
// must be adjacent and in order.
func (t *Table) header(row []string) (plan, error) {
	var p plan
	if len(row) > MaxElements*4 {
		return nil, fmt.Errorf("%d columns; expected at most %d", len(row), MaxElements*4)
	}
	for _, cell := range row {
		name := strings.ToLower(strings.TrimSpace(cell))
		if name == "" && len(p) == len(row)-1 {
			break // a separator at the end of the line
		}
		full, ok := columns[name]
		if !ok {
			full = name
		}
		streamName, component, _ := strings.Cut(full, ".")
		known, ok := streams[streamName]
		k, ok2 := components[component]
		if !ok || !ok2 {
			return nil, fmt.Errorf("column %q is none of x, y, z, nx, ny, nz, u, v, r, g, b, a and stream.component (normal.x, v3.w); a layout can skip it", clip(cell))
		}
		s := t.stream(streamName)
		if s == nil {
			s = t.add(streamName, 0, 1)
		}
		if k != s.size || k >= known.most || s.size > 0 && p[len(p)-1] != s {
			return nil, fmt.Errorf("column %q: the components of %s must be next to each other, in order, at most %d of them", clip(cell), streamName, known.most)
		}
		s.size++
		p = append(p, s)
	}
	return p, nil
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}

// ParseIndices reads indices: integers in text, separated by commas, semicolons
// or white space; a JSON list (or lists in it); or bytes of a type (ubyte,
// ushort, uint; "" is ushort) from offset on. count is their number, 0 for all.
func ParseIndices(data []byte, f Format, typ string, offset int64, count int) ([]uint32, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%d bytes; expected at most %d", len(data), MaxBytes)
	}
	if f != Binary && (typ != "" || offset != 0) {
		return nil, fmt.Errorf("type and offset are for binary files")
	}
	if count < 0 || count > MaxIndices {
		return nil, fmt.Errorf("%d indices; expected 1 to %d", count, MaxIndices)
	}
	var out []uint32
	var err error
	switch f {
	case CSV:
		out, err = textIndices(data)
	case JSON:
		d := newDecoder(data)
		out = d.indices()
		err = d.end()
	case Binary:
		return binaryIndices(data, typ, offset, count)
	default:
		return nil, fmt.Errorf("there is no format %q; there are %s", f, strings.Join(Formats, ", "))
	}
	if err != nil {
		return nil, err
	}
	if count > len(out) {
		return nil, fmt.Errorf("the file has %d indices; %d are wanted", len(out), count)
	}
	if count > 0 {
		out = out[:count]
	}
	return out, nil
}

func textIndices(data []byte) (out []uint32, err error) {
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line, _, _ = bytes.Cut(line, []byte("#"))
		for word := range bytes.FieldsFuncSeq(line, func(r rune) bool { return strings.ContainsRune(",; \t\r\n", r) }) {
			v, err := strconv.ParseUint(string(word), 10, 32)
			if err != nil {
				return nil, fmt.Errorf("line %d: %q is not an index; expected an integer from 0", number, clip(string(word)))
			}
			if len(out) == MaxIndices {
				return nil, fmt.Errorf("line %d: more than %d indices", number, MaxIndices)
			}
			out = append(out, uint32(v))
		}
	}
	return out, nil
}

// index is a number as an index.
func index(v float64) (uint32, error) {
	if v < 0 || v > math.MaxUint32 || v != math.Trunc(v) {
		return 0, fmt.Errorf("%v is not an index; expected an integer from 0", v)
	}
	return uint32(v), nil
}
