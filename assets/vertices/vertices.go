// Package vertices reads lists of vertices from files that are no models: text
// with separators (CSV), JSON, and binary files of programs. A Layout describes
// the contents.
//
// Parse reads a Table, and Table.Part converts it to a part of a model (package
// model).
//
// Files are untrusted: what they claim is checked against the available bytes
// before memory is allocated, every number is finite, and errors say where in
// the file they are.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package vertices

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/model"
)

// Limits of what is read from one file.
const (
	MaxBytes    = 32 << 20 // of a file
	MaxVertices = 1 << 20
	maxNumbers  = 8 << 20 // of all vertices together
	MaxIndices  = 4 << 20
	MaxElements = 32 // of a layout
	MaxStride   = 1 << 16
)

// Format is the format of a file.
type Format string

// The formats.
const (
	CSV    Format = "csv"
	JSON   Format = "json"
	Binary Format = "binary"
)

// Formats are all formats by name.
var Formats = []string{string(CSV), string(JSON), string(Binary)}

// FormatOf returns the format of a file by its name: .csv, .tsv and .txt are
// text with separators, .json is JSON, everything else is binary.
func FormatOf(name string) Format {
	switch name = strings.ToLower(name); {
	case strings.HasSuffix(name, ".csv"), strings.HasSuffix(name, ".tsv"), strings.HasSuffix(name, ".txt"):
		return CSV
	case strings.HasSuffix(name, ".json"):
		return JSON
	}
	return Binary
}

// types are the number types of binary files, little-endian as on the console,
// with their sizes. The PICA200's vertices can have the first four.
var types = map[string]int{"byte": 1, "ubyte": 1, "short": 2, "float": 4, "ushort": 2, "int": 4, "uint": 4}

// Types lists the names of the numbers of binary files.
var Types = []string{"byte", "ubyte", "short", "ushort", "int", "uint", "float"}

// streams are the possible streams of a vertex, with their default and greatest
// number of values.
var streams = map[string]struct{ size, most int }{
	"position": {3, 3}, "normal": {3, 3}, "texcoord": {2, 2}, "texcoord1": {2, 2}, "texcoord2": {2, 2},
	"color": {4, 4}, "joints": {4, 4}, "weights": {4, 4}, "tangent": {4, 4}, "size": {2, 4},
}

// Streams lists the names of streams. v0 to v15 are for the input registers of a shader.
var Streams = func() (names []string) {
	names = []string{"position", "normal", "texcoord", "texcoord1", "texcoord2", "color", "joints", "weights", "tangent", "size"}
	for i := range 16 {
		name := fmt.Sprintf("v%d", i)
		names = append(names, name)
		streams[name] = struct{ size, most int }{4, 4}
	}
	return names
}()

// Element is a part of a vertex: Size numbers of a stream.
type Element struct {
	Stream string  // of Streams; "" is skipped
	Type   string  // of Types, in binary files; "" is float
	Size   int     // numbers, or bytes of what is skipped in binary files and columns in others; 0 is as many as the stream has
	Scale  float64 // what each number is multiplied by; 0 is 1
}

// Layout describes the vertices in a file.
type Layout struct {
	Elements []Element
	Offset   int64 // of binary files: the first vertex's first byte
	Stride   int   // of binary files: bytes from a vertex to the next; 0 is as many as one takes
	Count    int   // vertices; 0 is as many as there are
}

// Check returns an error if no file can have the layout; it completes the
// elements.
func (l *Layout) Check() error {
	if len(l.Elements) > MaxElements {
		return fmt.Errorf("a layout of %d elements; expected at most %d", len(l.Elements), MaxElements)
	}
	l.Elements = slices.Clone(l.Elements)
	var seen []string
	for i := range l.Elements {
		e := &l.Elements[i]
		if e.Stream == "" {
			if e.Size < 1 || e.Size > MaxStride {
				return fmt.Errorf("element %d of the layout skips %d; expected 1 to %d", i, e.Size, MaxStride)
			}
			continue
		}
		s, ok := streams[e.Stream]
		switch {
		case !ok:
			return fmt.Errorf("element %d of the layout: there is no stream %q; there are %s", i, e.Stream, strings.Join(Streams, ", "))
		case slices.Contains(seen, e.Stream):
			return fmt.Errorf("element %d of the layout: %s appears twice", i, e.Stream)
		case e.Size == 0:
			e.Size = s.size
		case e.Size < 0 || e.Size > s.most:
			return fmt.Errorf("element %d of the layout: %d numbers of %s; expected 1 to %d", i, e.Size, e.Stream, s.most)
		}
		seen = append(seen, e.Stream)
		if e.Type == "" {
			e.Type = "float"
		}
		if types[e.Type] == 0 {
			return fmt.Errorf("element %d of the layout: there is no type %q; there are %s", i, e.Type, strings.Join(Types, ", "))
		}
		if e.Scale == 0 {
			e.Scale = 1
		}
		if math.IsNaN(e.Scale) || math.IsInf(e.Scale, 0) {
			return fmt.Errorf("element %d of the layout: a scale of %v", i, e.Scale)
		}
	}
	switch {
	case l.Offset < 0:
		return fmt.Errorf("an offset of %d bytes", l.Offset)
	case l.Stride < 0 || l.Stride > MaxStride:
		return fmt.Errorf("a stride of %d bytes; expected 1 to %d", l.Stride, MaxStride)
	case l.Count < 0 || l.Count > MaxVertices:
		return fmt.Errorf("%d vertices; expected 1 to %d", l.Count, MaxVertices)
	}
	return nil
}

// Table is the result: streams with one entry for each vertex.
type Table struct {
	Count   int
	Indices []uint32 // of JSON files that have them; nil is none
	list    []*stream
}

type stream struct {
	name  string
	size  int
	scale float64
	v     []float32
}

// Parse reads vertices.
func Parse(data []byte, f Format, l Layout) (*Table, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%d bytes; expected at most %d", len(data), MaxBytes)
	}
	if err := l.Check(); err != nil {
		return nil, err
	}
	t := &Table{}
	var err error
	switch f {
	case CSV:
		err = t.readCSV(data, &l)
	case JSON:
		err = t.readJSON(data, &l)
	case Binary:
		err = t.readBinary(data, &l)
	default:
		err = fmt.Errorf("there is no format %q; there are %s", f, strings.Join(Formats, ", "))
	}
	if err != nil {
		return nil, err
	}
	if l.Count > t.Count {
		return nil, fmt.Errorf("the file has %d vertices; the layout says %d", t.Count, l.Count)
	}
	if l.Count > 0 {
		t.Count = l.Count
		for _, s := range t.list {
			s.v = s.v[:t.Count*s.size]
		}
	}
	if t.Count == 0 {
		return nil, fmt.Errorf("the file has no vertices")
	}
	for i, v := range t.Indices {
		if int(v) >= t.Count {
			return nil, fmt.Errorf("index %d is %d; there are %d vertices", i, v, t.Count)
		}
	}
	return t, nil
}

// Numbers is how many numbers the table holds.
func (t *Table) Numbers() int {
	n := len(t.Indices)
	for _, s := range t.list {
		n += len(s.v)
	}
	return n
}

func (t *Table) stream(name string) *stream {
	for _, s := range t.list {
		if s.name == name {
			return s
		}
	}
	return nil
}

// add begins a stream.
func (t *Table) add(name string, size int, scale float64) *stream {
	s := &stream{name: name, size: size, scale: scale}
	t.list = append(t.list, s)
	return s
}

// put adds a number.
func (s *stream) put(v float64) error {
	f := float32(float64(v * s.scale))
	if f != f || math.IsInf(float64(f), 0) {
		return fmt.Errorf("%s is %v; expected a finite number", s.name, v)
	}
	if s.name == "joints" && (f < 0 || f > 65535 || f != float32(math.Trunc(float64(f)))) {
		return fmt.Errorf("joints are %v; expected integers from 0 to 65535", v)
	}
	s.v = append(s.v, f)
	return nil
}

// full returns an error if there are more numbers or vertices than allowed.
func (t *Table) full(numbers int) error {
	if t.Count > MaxVertices || numbers > maxNumbers {
		return fmt.Errorf("more than %d vertices, or %d numbers of them", MaxVertices, maxNumbers)
	}
	return nil
}

// Part converts the vertices to a part of a model. Missing values are 0; of
// colours, and of the last of four numbers, 1.
func (t *Table) Part() (model.Part, error) {
	p := model.Part{Material: -1}
	for _, s := range t.list {
		three := func() []mgl32.Vec3 {
			out := make([]mgl32.Vec3, t.Count)
			for i := range out {
				copy(out[i][:], s.v[i*s.size:(i+1)*s.size])
			}
			return out
		}
		four := func(def mgl32.Vec4) []mgl32.Vec4 {
			out := make([]mgl32.Vec4, t.Count)
			for i := range out {
				out[i] = def
				copy(out[i][:], s.v[i*s.size:(i+1)*s.size])
			}
			return out
		}
		switch s.name {
		case "position":
			p.Positions = three()
		case "normal":
			p.Normals = three()
		case "texcoord", "texcoord1", "texcoord2":
			uv := make([]mgl32.Vec2, t.Count)
			for i := range uv {
				copy(uv[i][:], s.v[i*s.size:(i+1)*s.size])
			}
			p.UV[map[string]int{"texcoord": 0, "texcoord1": 1, "texcoord2": 2}[s.name]] = uv
		case "color":
			p.Colors = four(mgl32.Vec4{1, 1, 1, 1})
		case "weights":
			p.Weights = four(mgl32.Vec4{})
		case "tangent":
			p.Tangents = four(mgl32.Vec4{0, 0, 0, 1})
		case "size":
			p.Sizes = four(mgl32.Vec4{0, 0, 1, 0})
			if s.size == 1 { // as high as wide
				for i := range p.Sizes {
					p.Sizes[i][1] = p.Sizes[i][0]
				}
			}
		case "joints":
			p.Joints = make([][4]uint16, t.Count)
			for i := range p.Joints {
				for k, v := range s.v[i*s.size : (i+1)*s.size] {
					p.Joints[i][k] = uint16(v)
				}
			}
		default: // v0 to v15
			var n int
			if _, err := fmt.Sscanf(s.name, "v%d", &n); err != nil || n > 15 {
				return p, fmt.Errorf("there is no stream %q", s.name)
			}
			p.Generic[n] = four(mgl32.Vec4{0, 0, 0, 1})
		}
	}
	if p.Positions == nil {
		if !slices.ContainsFunc(t.list, func(s *stream) bool { return s.name[0] == 'v' }) {
			return p, fmt.Errorf("the vertices have no position")
		}
		p.Positions = make([]mgl32.Vec3, t.Count) // the shader computes them from its inputs
	}
	return p, nil
}
