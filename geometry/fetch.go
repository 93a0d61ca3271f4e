package geometry

import (
	"encoding/binary"
	"math"

	"pica200/pica"
	"pica200/shaderunit"
)

// The vertex loader is a hot loop. Each function fills one input register of a
// batch, component by component, for the vertices ids; data is the vertex array
// from vertex first on. Values are converted to float24: integers are exact,
// floats are truncated to 16 bits of mantissa, like every float that enters the
// shader unit.

// lanes are the four components of an input register, a value for each vertex
// of the batch.
type lanes [4][]float32

// fetch fills dst with attribute a of the vertices ids. The mapped array starts
// with vertex first.
func (l *layout) fetch(a *attribute, dst *lanes, ids []uint32, first uint32) {
	if !a.array {
		for c := range dst {
			fill(dst[c][:len(ids)], a.fixed[c])
		}
		return
	}
	ld := &l.loaders[a.loader]
	data, stride := ld.data[a.offset:], ld.stride
	switch a.format {
	case pica.AttribFloat:
		switch a.count {
		case 1:
			fetchF32x1(dst, data, stride, ids, first)
		case 2:
			fetchF32x2(dst, data, stride, ids, first)
		case 3:
			fetchF32x3(dst, data, stride, ids, first)
		default:
			fetchF32x4(dst, data, stride, ids, first)
		}
	case pica.AttribShort:
		for c := range int(a.count) {
			fetchS16(dst[c][:len(ids)], data[2*c:], stride, ids, first)
		}
	case pica.AttribUByte:
		for c := range int(a.count) {
			fetchU8(dst[c][:len(ids)], data[c:], stride, ids, first)
		}
	case pica.AttribByte:
		for c := range int(a.count) {
			fetchS8(dst[c][:len(ids)], data[c:], stride, ids, first)
		}
	}
	// Components that the array does not have are 0, 0, 1. They do not come from
	// the fixed attribute.
	for c := int(a.count); c < 4; c++ {
		var v float32
		if c == 3 {
			v = 1
		}
		fill(dst[c][:len(ids)], v)
	}
}

func fill(dst []float32, v float32) {
	for i := range dst {
		dst[i] = v
	}
}

// float24 converts a float32, given as bits, to float24: the mantissa is
// truncated.
func float24(bits uint32) float32 {
	// Normal float24 numbers, 2^-62 up to 2^64, only lose 7 bits.
	if bits>>23&0xFF-(127-62) > 62+63 {
		return float24Special(bits)
	}
	return math.Float32frombits(bits &^ 0x7F)
}

// float24Special converts zero, too small and too large numbers, and NaN.
func float24Special(bits uint32) float32 {
	if bits<<1 == 0 {
		return 0
	}
	return shaderunit.ToFloat24(math.Float32frombits(bits))
}

func fetchF32x1(dst *lanes, data []byte, stride uint32, ids []uint32, first uint32) {
	x := dst[0][:len(ids)]
	for i, id := range ids {
		o := (id - first) * stride
		p := data[o : o+4 : o+4]
		x[i] = float24(binary.LittleEndian.Uint32(p))
	}
}

func fetchF32x2(dst *lanes, data []byte, stride uint32, ids []uint32, first uint32) {
	x, y := dst[0][:len(ids)], dst[1][:len(ids)]
	for i, id := range ids {
		o := (id - first) * stride
		p := data[o : o+8 : o+8]
		x[i] = float24(binary.LittleEndian.Uint32(p[0:]))
		y[i] = float24(binary.LittleEndian.Uint32(p[4:]))
	}
}

func fetchF32x3(dst *lanes, data []byte, stride uint32, ids []uint32, first uint32) {
	x, y, z := dst[0][:len(ids)], dst[1][:len(ids)], dst[2][:len(ids)]
	for i, id := range ids {
		o := (id - first) * stride
		p := data[o : o+12 : o+12]
		x[i] = float24(binary.LittleEndian.Uint32(p[0:]))
		y[i] = float24(binary.LittleEndian.Uint32(p[4:]))
		z[i] = float24(binary.LittleEndian.Uint32(p[8:]))
	}
}

func fetchF32x4(dst *lanes, data []byte, stride uint32, ids []uint32, first uint32) {
	x, y, z, w := dst[0][:len(ids)], dst[1][:len(ids)], dst[2][:len(ids)], dst[3][:len(ids)]
	for i, id := range ids {
		o := (id - first) * stride
		p := data[o : o+16 : o+16]
		x[i] = float24(binary.LittleEndian.Uint32(p[0:]))
		y[i] = float24(binary.LittleEndian.Uint32(p[4:]))
		z[i] = float24(binary.LittleEndian.Uint32(p[8:]))
		w[i] = float24(binary.LittleEndian.Uint32(p[12:]))
	}
}

func fetchS16(dst []float32, data []byte, stride uint32, ids []uint32, first uint32) {
	for i, id := range ids {
		o := (id - first) * stride
		dst[i] = float32(int16(binary.LittleEndian.Uint16(data[o : o+2 : o+2])))
	}
}

func fetchU8(dst []float32, data []byte, stride uint32, ids []uint32, first uint32) {
	for i, id := range ids {
		dst[i] = float32(data[(id-first)*stride])
	}
}

func fetchS8(dst []float32, data []byte, stride uint32, ids []uint32, first uint32) {
	for i, id := range ids {
		dst[i] = float32(int8(data[(id-first)*stride]))
	}
}
