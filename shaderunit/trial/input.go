package trial

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pica200/pica"
)

// maxVertices bounds the number of vertices in an input file.
const maxVertices = 1 << 20

// Input files are JSON,
//
//	{"uniforms": {"projection": [[1,0,0,0], [0,1,0,0], [0,0,1,0], [0,0,0,1]], "lit": true},
//	 "vertices": [{"position": [0, 0, 0], "v1": [1, "inf", "nan", 0]}]}
//
// or only the list of vertices, or CSV with a column for each component:
//
//	position.x,position.y,v1.w
//	0.5,1,inf
//
// Names are those of the shader's symbol table, or registers. Missing
// components are 0, 0, 0, 1.

// ParseNumber parses a number of an input file or command line: a decimal
// number, inf, -inf, nan, true, false, or f24:HEX for the bits of a float24.
func ParseNumber(s string) (float64, error) {
	s = strings.TrimSpace(s)
	switch strings.ToLower(s) {
	case "inf", "+inf":
		return math.Inf(1), nil
	case "-inf":
		return math.Inf(-1), nil
	case "nan":
		return math.NaN(), nil
	case "true":
		return 1, nil
	case "false":
		return 0, nil
	}
	if hex, ok := strings.CutPrefix(s, "f24:"); ok {
		bits, err := strconv.ParseUint(hex, 16, 24)
		if err != nil {
			return 0, fmt.Errorf("%q: up to six hexadecimal digits expected after \"f24:\"", s)
		}
		return float64(pica.Float24.Decode(uint32(bits))), nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%q is not a number", s)
	}
	return v, nil
}

// number is a JSON number, or a string or bool that represents one.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	var s string
	if len(b) > 0 && b[0] == '"' {
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
	} else {
		s = string(b)
	}
	v, err := ParseNumber(s)
	*n = number(v)
	return err
}

// numbers is a list of numbers, in any nesting (rows of a matrix), or a single
// one.
type numbers []float64

func (n *numbers) UnmarshalJSON(b []byte) error {
	if len(b) == 0 || b[0] != '[' {
		var v number
		if err := v.UnmarshalJSON(b); err != nil {
			return err
		}
		*n = append(*n, float64(v))
		return nil
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		if err := n.UnmarshalJSON(bytes.TrimSpace(p)); err != nil {
			return err
		}
	}
	return nil
}

type inputFile struct {
	Uniforms map[string]numbers   `json:"uniforms"`
	Vertices []map[string]numbers `json:"vertices"`
}

// ReadJSON sets the uniforms of an input file and returns its vertices.
func (s *Shader) ReadJSON(data []byte) ([]Vertex, error) {
	var f inputFile
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var err error
	if b := bytes.TrimSpace(data); len(b) > 0 && b[0] == '[' {
		err = dec.Decode(&f.Vertices)
	} else {
		err = dec.Decode(&f)
	}
	if err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	for _, name := range sortedKeys(f.Uniforms) {
		if err := s.SetUniform(name, f.Uniforms[name]); err != nil {
			return nil, fmt.Errorf("input: %w", err)
		}
	}
	if len(f.Vertices) > maxVertices {
		return nil, fmt.Errorf("input: %d vertices, at most %d are possible", len(f.Vertices), maxVertices)
	}
	out := make([]Vertex, len(f.Vertices))
	for i, v := range f.Vertices {
		out[i] = emptyVertex()
		for _, name := range sortedKeys(v) {
			reg, err := s.input(name)
			if err == nil && len(v[name]) > 4 {
				err = fmt.Errorf("input %s: %d components, at most 4 are possible", name, len(v[name]))
			}
			if err != nil {
				return nil, fmt.Errorf("vertex %d: %w", i, err)
			}
			out[i][reg] = Vector(v[name])
		}
	}
	return out, nil
}

func emptyVertex() (v Vertex) {
	for i := range v {
		v[i] = [4]float32{0, 0, 0, 1}
	}
	return v
}

// ReadCSV returns the vertices of an input file with a column for each
// component.
func (s *Shader) ReadCSV(data []byte) ([]Vertex, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("input: a line with the names of the columns expected: %w", err)
	}
	type column struct{ reg, comp int }
	columns := make([]column, len(head))
	for i, name := range head {
		base, comp, ok := strings.Cut(strings.TrimSpace(name), ".")
		k := strings.Index("xyzw", comp)
		if !ok || len(comp) != 1 || k < 0 {
			return nil, fmt.Errorf("input: column %q, expected an input and a component such as position.x", name)
		}
		reg, err := s.input(base)
		if err != nil {
			return nil, fmt.Errorf("input: column %q: %w", name, err)
		}
		columns[i] = column{reg, k}
	}
	var out []Vertex
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, fmt.Errorf("input: %w", err)
		}
		if len(out) == maxVertices {
			return nil, fmt.Errorf("input: more than %d vertices", maxVertices)
		}
		v := emptyVertex()
		for i, text := range row {
			x, err := ParseNumber(text)
			if err != nil {
				line, col := r.FieldPos(i)
				return nil, fmt.Errorf("input: line %d, column %d: %w", line, col, err)
			}
			v[columns[i].reg][columns[i].comp] = Vector([]float64{x})[0]
		}
		out = append(out, v)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	return slices.Sorted(maps.Keys(m)) // a fixed order, so that the same error is always reported first
}
