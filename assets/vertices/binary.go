package vertices

import (
	"encoding/binary"
	"fmt"
	"math"
)

// number reads a number of a type.
func number(typ string, b []byte) float64 {
	switch typ {
	case "byte":
		return float64(int8(b[0]))
	case "ubyte":
		return float64(b[0])
	case "short":
		return float64(int16(binary.LittleEndian.Uint16(b)))
	case "ushort":
		return float64(binary.LittleEndian.Uint16(b))
	case "int":
		return float64(int32(binary.LittleEndian.Uint32(b)))
	case "uint":
		return float64(binary.LittleEndian.Uint32(b))
	}
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
}

// readBinary reads vertices that are a number of bytes each.
func (t *Table) readBinary(data []byte, l *Layout) error {
	if len(l.Elements) == 0 {
		return fmt.Errorf("a binary file needs a layout")
	}
	size, per := 0, 0
	for i := range l.Elements {
		if e := &l.Elements[i]; e.Stream == "" {
			size += e.Size
		} else {
			size += e.Size * types[e.Type]
			per += e.Size
		}
	}
	stride := l.Stride
	switch {
	case stride == 0:
		stride = size
	case stride < size:
		return fmt.Errorf("a stride of %d bytes; a vertex takes %d", stride, size)
	}
	if stride > MaxStride {
		return fmt.Errorf("vertices of %d bytes; expected at most %d", stride, MaxStride)
	}
	if l.Offset > int64(len(data)) {
		return fmt.Errorf("an offset of %d; the file has %d bytes", l.Offset, len(data))
	}
	data = data[l.Offset:]
	// The last vertex may end without the gap to a next one.
	count := 0
	if len(data) >= size {
		count = (len(data)-size)/stride + 1
	}
	if l.Count > 0 {
		if l.Count > count {
			return fmt.Errorf("%d bytes from offset %d on are %d vertices of %d bytes; the layout says %d", len(data), l.Offset, count, stride, l.Count)
		}
		count = l.Count
	} else if rest := len(data) - count*stride; rest > 0 {
		return fmt.Errorf("%d bytes follow the last of %d vertices of %d bytes; count says how many there are", rest, count, stride)
	}
	if count > MaxVertices || count*per > maxNumbers {
		return fmt.Errorf("more than %d vertices, or %d numbers of them", MaxVertices, maxNumbers)
	}
	t.Count = count
	at := 0
	for i := range l.Elements {
		e := &l.Elements[i]
		if e.Stream == "" {
			at += e.Size
			continue
		}
		s := t.add(e.Stream, e.Size, e.Scale)
		s.v = make([]float32, 0, count*e.Size)
		bytes := types[e.Type]
		for v := range count {
			for k := range e.Size {
				o := v*stride + at + k*bytes
				if err := s.put(number(e.Type, data[o:o+bytes])); err != nil {
					return fmt.Errorf("byte 0x%X, vertex %d: %w", l.Offset+int64(o), v, err)
				}
			}
		}
		at += e.Size * bytes
	}
	return nil
}

func binaryIndices(data []byte, typ string, offset int64, count int) ([]uint32, error) {
	if typ == "" {
		typ = "ushort"
	}
	if typ != "ubyte" && typ != "ushort" && typ != "uint" {
		return nil, fmt.Errorf("indices of type %s; expected ubyte, ushort or uint", typ)
	}
	size := types[typ]
	if offset < 0 || offset > int64(len(data)) {
		return nil, fmt.Errorf("an offset of %d; the file has %d bytes", offset, len(data))
	}
	data = data[offset:]
	have := len(data) / size
	switch {
	case count > have:
		return nil, fmt.Errorf("%d bytes from offset %d on are %d indices; %d are wanted", len(data), offset, have, count)
	case count == 0 && len(data)%size != 0:
		return nil, fmt.Errorf("%d bytes from offset %d on are not a whole number of indices", len(data), offset)
	case count == 0:
		count = have
	}
	if count > MaxIndices {
		return nil, fmt.Errorf("more than %d indices", MaxIndices)
	}
	out := make([]uint32, count)
	for i := range out {
		out[i] = uint32(number(typ, data[i*size:]))
	}
	return out, nil
}
