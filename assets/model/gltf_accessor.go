package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
)

// components returns the number of components of an accessor's element.
func components(t gltf.AccessorType) int {
	return map[gltf.AccessorType]int{gltf.AccessorScalar: 1, gltf.AccessorVec2: 2, gltf.AccessorVec3: 3, gltf.AccessorVec4: 4,
		gltf.AccessorMat2: 4, gltf.AccessorMat3: 9, gltf.AccessorMat4: 16}[t]
}

func componentSize(c gltf.ComponentType) int {
	switch c {
	case gltf.ComponentByte, gltf.ComponentUbyte:
		return 1
	case gltf.ComponentShort, gltf.ComponentUshort:
		return 2
	case gltf.ComponentUint, gltf.ComponentFloat:
		return 4
	}
	return 0
}

// reader reads numbers of one type from bytes.
type reader struct {
	data   []byte
	off    int // of the first element
	stride int
	n      int // components of an element
	kind   gltf.ComponentType
	norm   bool
}

// at returns component k of element i. newReader has checked the bounds.
func (r *reader) at(i, k int) float64 {
	b := r.data[r.off+i*r.stride+k*componentSize(r.kind):]
	switch r.kind {
	case gltf.ComponentFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case gltf.ComponentUint:
		return float64(binary.LittleEndian.Uint32(b))
	}
	// Normalised integers: glTF 2.0, 3.6.2.1.
	var v, top float64
	switch r.kind {
	case gltf.ComponentByte:
		v, top = float64(int8(b[0])), 127
	case gltf.ComponentUbyte:
		v, top = float64(b[0]), 255
	case gltf.ComponentShort:
		v, top = float64(int16(binary.LittleEndian.Uint16(b))), 32767
	default:
		v, top = float64(binary.LittleEndian.Uint16(b)), 65535
	}
	if r.norm {
		return max(v/top, -1)
	}
	return v
}

// newReader checks that count elements lie inside the buffer view.
func (d *document) newReader(view, offset, count int, kind gltf.ComponentType, comps int, norm bool) (*reader, error) {
	data, stride, err := d.view(view)
	if err != nil {
		return nil, err
	}
	size := comps * componentSize(kind)
	if stride == 0 {
		stride = size
	}
	if stride < size {
		return nil, fmt.Errorf("bufferView %d: byteStride %d is less than an element's %d bytes", view, stride, size)
	}
	if offset < 0 || count < 0 || count > 0 && (offset > len(data)-size || (len(data)-size-offset)/stride < count-1) {
		return nil, fmt.Errorf("%d elements of %d bytes from offset %d on run past the end of bufferView %d (%d bytes)", count, size, offset, view, len(data))
	}
	return &reader{data, offset, stride, comps, kind, norm}, nil
}

// accessor returns an accessor's description after checking its index, type
// and count against limit.
func (d *document) accessor(i int, limit int, types ...gltf.AccessorType) (*gltf.Accessor, error) {
	if i < 0 || i >= len(d.Accessors) {
		return nil, fmt.Errorf("accessor %d of %d", i, len(d.Accessors))
	}
	a := d.Accessors[i]
	if !slices.Contains(types, a.Type) {
		return nil, fmt.Errorf("accessor %d: the type is %v, expected %v", i, typeName(a.Type), typeNames(types))
	}
	if componentSize(a.ComponentType) == 0 {
		return nil, fmt.Errorf("accessor %d: unknown component type", i)
	}
	if a.Count < 0 || a.Count > limit {
		return nil, fmt.Errorf("accessor %d: a count of %d; at most %d are read", i, a.Count, limit)
	}
	return a, nil
}

func typeName(t gltf.AccessorType) string {
	names := []string{"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"}
	if int(t) < len(names) {
		return names[t]
	}
	return "unknown"
}

func typeNames(list []gltf.AccessorType) string {
	var names []string
	for _, t := range list {
		names = append(names, typeName(t))
	}
	return strings.Join(names, " or ")
}

// readAccessor reads an accessor, sparse or not: count elements of n components
// each; to converts each number.
func readAccessor[T any](d *document, i, limit int, to func(float64) T, integers bool, types ...gltf.AccessorType) (v []T, count int, err error) {
	a, err := d.accessor(i, limit, types...)
	if err != nil {
		return nil, 0, err
	}
	if integers && !unsigned(a.ComponentType) {
		return nil, 0, fmt.Errorf("accessor %d: indices must be unsigned", i)
	}
	n := components(a.Type)
	norm := a.Normalized && !integers
	var r *reader
	if a.BufferView != nil {
		if r, err = d.newReader(*a.BufferView, a.ByteOffset, a.Count, a.ComponentType, n, norm); err != nil {
			return nil, 0, fmt.Errorf("accessor %d: %w", i, err)
		}
	} else if a.Count > MaxVertices/64 {
		// Without data, a large count would cost the file's author nothing.
		return nil, 0, fmt.Errorf("accessor %d: %d elements without a bufferView", i, a.Count)
	}
	v = make([]T, a.Count*n)
	if r != nil {
		for e := range v {
			v[e] = to(r.at(e/n, e%n))
		}
	}
	if s := a.Sparse; s != nil {
		at, val, err := d.sparse(a, n, norm)
		if err != nil {
			return nil, 0, fmt.Errorf("accessor %d: sparse: %w", i, err)
		}
		for e := range s.Count * n {
			offset := int(at.at(e/n, 0))
			if offset >= a.Count {
				return nil, 0, fmt.Errorf("accessor %d: sparse index %d is element %d of %d", i, e/n, offset, a.Count)
			}
			v[offset*n+e%n] = to(val.at(e/n, e%n))
		}
	}
	return v, a.Count, nil
}

func unsigned(c gltf.ComponentType) bool {
	return c == gltf.ComponentUbyte || c == gltf.ComponentUshort || c == gltf.ComponentUint
}

// sparse finds which elements of an accessor are replaced, and by which values.
func (d *document) sparse(a *gltf.Accessor, n int, norm bool) (at, values *reader, err error) {
	s := a.Sparse
	if s.Count < 0 || s.Count > a.Count {
		return nil, nil, fmt.Errorf("%d of %d elements", s.Count, a.Count)
	}
	if !unsigned(s.Indices.ComponentType) {
		return nil, nil, fmt.Errorf("the component type of indices must be unsigned")
	}
	if at, err = d.newReader(s.Indices.BufferView, s.Indices.ByteOffset, s.Count, s.Indices.ComponentType, 1, false); err != nil {
		return nil, nil, fmt.Errorf("indices: %w", err)
	}
	if values, err = d.newReader(s.Values.BufferView, s.Values.ByteOffset, s.Count, a.ComponentType, n, norm); err != nil {
		return nil, nil, fmt.Errorf("values: %w", err)
	}
	return at, values, nil
}

// floats reads an accessor of numbers, normalised if it says so.
func (d *document) floats(i int, types ...gltf.AccessorType) (v []float32, count int, err error) {
	v, count, err = readAccessor(d, i, MaxVertices, func(x float64) float32 { return float32(x) }, false, types...)
	for k, f := range v {
		if math.IsNaN(float64(f)) || math.IsInf(float64(f), 0) {
			return nil, 0, fmt.Errorf("accessor %d: element %d is not a finite number", i, k/(len(v)/count))
		}
	}
	return v, count, err
}

// ints reads an accessor of unsigned integers.
func (d *document) ints(i, limit int, t gltf.AccessorType) ([]uint32, error) {
	v, _, err := readAccessor(d, i, limit, func(x float64) uint32 { return uint32(x) }, true, t)
	return v, err
}
