package model

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// packed is the description of a compressed buffer view in
// EXT_meshopt_compression, and KHR_meshopt_compression after it: where its
// bytes are, and how they are compressed. The appendices of the two
// specifications describe the streams.
type packed struct {
	Buffer     int    `json:"buffer"`
	ByteOffset int    `json:"byteOffset"`
	ByteLength int    `json:"byteLength"`
	ByteStride int    `json:"byteStride"`
	Count      int    `json:"count"`
	Mode       string `json:"mode"`
	Filter     string `json:"filter"`
}

// check checks that the numbers are consistent.
func (p *packed) check() error {
	stride := p.ByteStride
	switch {
	case p.Count < 0 || p.Count > maxFile/4:
		return fmt.Errorf("a count of %d", p.Count)
	case p.Mode == "ATTRIBUTES" && (stride < 4 || stride%4 != 0 || stride > 256):
		return fmt.Errorf("elements of %d bytes; expected a multiple of 4 up to 256", stride)
	case p.Mode != "ATTRIBUTES" && stride != 2 && stride != 4:
		return fmt.Errorf("indices of %d bytes; expected 2 or 4", stride)
	case p.Mode == "TRIANGLES" && p.Count%3 != 0:
		return fmt.Errorf("triangles of %d indices; expected a multiple of 3", p.Count)
	}
	if p.Filter == "" || p.Filter == "NONE" {
		return nil
	}
	f, ok := filters[p.Filter]
	switch {
	case !ok:
		return fmt.Errorf("unknown filter %q", p.Filter)
	case p.Mode != "ATTRIBUTES":
		return fmt.Errorf("the filter %s is used with the mode %s; filters are for attributes", p.Filter, p.Mode)
	case !f.fits(stride):
		return fmt.Errorf("the filter %s takes no elements of %d bytes", p.Filter, stride)
	}
	return nil
}

// unpack returns the Count elements that data holds.
func (p *packed) unpack(data []byte) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	in := &stream{data: data}
	var out []byte
	switch p.Mode {
	case "ATTRIBUTES":
		out = in.attributes(p.Count, p.ByteStride)
	case "TRIANGLES":
		out = in.triangles(p.Count, p.ByteStride)
	case "INDICES":
		out = in.sequence(p.Count, p.ByteStride)
	default:
		return nil, fmt.Errorf("unknown mode %q; expected ATTRIBUTES, TRIANGLES or INDICES", p.Mode)
	}
	if in.err == nil && in.at != len(in.data) {
		in.fail("%d bytes are left over", len(in.data)-in.at)
	}
	if in.err != nil {
		return nil, in.err
	}
	if f, ok := filters[p.Filter]; ok {
		for at := 0; at < len(out); at += p.ByteStride {
			f.decode(out[at : at+p.ByteStride])
		}
	}
	return out, nil
}

// stream is compressed data during reading. After the first error it returns
// zeros.
type stream struct {
	data []byte // without the tail
	at   int
	err  error
}

func (s *stream) fail(format string, args ...any) {
	if s.err == nil {
		s.err = fmt.Errorf("byte %d: "+format, append([]any{s.at}, args...)...)
	}
}

// open removes the header byte from the front, which is kind and a version up
// to last, and the tail from the end. The tail has n bytes, and at least the
// number in least for the version.
func (s *stream) open(kind byte, last int, n func(version int) int, least ...int) (version int, tail []byte) {
	if len(s.data) == 0 || s.data[0]&0xF0 != kind || int(s.data[0]&15) > last {
		s.fail("no header of this mode")
		return 0, nil
	}
	version = int(s.data[0] & 15)
	size := n(version)
	whole := max(size, least[min(version, len(least)-1)])
	if len(s.data) < 1+whole {
		s.fail("%d bytes; the header and the tail take %d", len(s.data), 1+whole)
		return 0, nil
	}
	tail = s.data[len(s.data)-size:]
	s.data, s.at = s.data[:len(s.data)-whole], 1
	return version, tail
}

// take returns the next n bytes.
func (s *stream) take(n int) []byte {
	if s.err != nil || n > len(s.data)-s.at {
		s.fail("the data ends early")
		return make([]byte, n)
	}
	s.at += n
	return s.data[s.at-n : s.at]
}

func (s *stream) byte() byte { return s.take(1)[0] }

// varint reads a number with seven bits in each byte, the lowest first.
func (s *stream) varint() (v uint32) {
	for shift := 0; shift < 35; shift += 7 {
		b := s.byte()
		v |= uint32(b&0x7F) << shift
		if b < 0x80 {
			return v
		}
	}
	s.fail("a number of more than 32 bits")
	return 0
}

// zigzag decodes a signed number: 0, -1, 1, -2 and so on.
func zigzag(v uint32) uint32 { return v>>1 ^ -(v & 1) }

// deltaBits are how many bits a delta has for each header of a group: of version 0, and of
// version 1 with control 0 and 1.
var deltaBits = [3][4]int{{0, 2, 4, 8}, {0, 1, 2, 4}, {1, 2, 4, 8}}

// attributes reads blocks of elements. For each byte of the elements, the
// differences to the element before are stored together, in groups of 16.
func (s *stream) attributes(count, stride int) []byte {
	version, tail := s.open(0xA0, 1, func(version int) int { return stride + version*stride/4 }, 32, 24)
	if s.err != nil {
		return nil
	}
	last := append([]byte(nil), tail[:stride]...)
	channels := make([]byte, stride/4)
	if version == 1 {
		copy(channels, tail[stride:])
	}
	for _, c := range channels {
		if c&15 > 2 || c&15 < 2 && c>>4 != 0 {
			s.fail("channel mode %#x", c)
			return nil
		}
	}
	most := min(8192/stride&^15, 256)
	deltas := make([][256]byte, stride)
	var out []byte
	for count > 0 && s.err == nil {
		n := min(count, most)
		count -= n
		control := make([]byte, stride/4)
		if version == 1 {
			control = s.take(stride / 4)
		}
		for b := range deltas {
			switch c := control[b/4] >> (b % 4 * 2) & 3; {
			case c == 2:
				deltas[b] = [256]byte{}
			case c == 3:
				copy(deltas[b][:], s.take(n))
			case version == 1:
				s.groups(deltas[b][:(n+15)&^15], deltaBits[1+c])
			default:
				s.groups(deltas[b][:(n+15)&^15], deltaBits[0])
			}
		}
		for i := range n {
			for c, mode := range channels {
				four := [4]byte{deltas[4*c][i], deltas[4*c+1][i], deltas[4*c+2][i], deltas[4*c+3][i]}
				advance(last[4*c:4*c+4], four, mode)
			}
			out = append(out, last...)
		}
	}
	return out
}

// groups reads the differences of one byte of the elements of a block.
func (s *stream) groups(out []byte, widths [4]int) {
	heads := s.take((len(out)/16 + 3) / 4)
	for g := 0; g < len(out)/16; g++ {
		width := widths[heads[g/4]>>(g%4*2)&3]
		to := out[16*g : 16*g+16]
		small := s.take(2 * width)
		if width == 8 {
			copy(to, small)
			continue
		}
		for i := range to {
			v, all := byte(0), byte(1)<<width-1
			switch width {
			case 0:
				all = 1
			case 1: // from the lowest bit up, wider ones from the highest down
				v = small[i/8] >> (i % 8) & 1
			default:
				per := 8 / width
				v = small[i/per] >> (8 - width*(i%per+1)) & all
			}
			if v == all {
				v = s.byte()
			}
			to[i] = v
		}
	}
}

// advance adds differences to four bytes of an element.
func advance(last []byte, d [4]byte, mode byte) {
	switch mode & 15 {
	case 0: // bytes
		for k := range last {
			last[k] += byte(zigzag(uint32(d[k])))
		}
	case 1: // shorts
		for k := 0; k < 4; k += 2 {
			v := binary.LittleEndian.Uint16(last[k:]) + uint16(zigzag(uint32(d[k])|uint32(d[k+1])<<8))
			binary.LittleEndian.PutUint16(last[k:], v)
		}
	case 2: // words
		v := bits.RotateLeft32(binary.LittleEndian.Uint32(d[:]), -int(mode>>4))
		binary.LittleEndian.PutUint32(last, binary.LittleEndian.Uint32(last)^v)
	}
}

// recent is a queue of the 16 last entries; 0 is the newest.
type recent[T any] struct {
	list [16]T
	next int
}

func (r *recent[T]) push(v T) { r.list[r.next&15] = v; r.next++ }

func (r *recent[T]) get(i int) T { return r.list[(r.next-1-i)&15] }

// triangles reads a list of triangles. Each has a code, which takes vertices
// from recent edges and vertices, from a counter, or from the data after the
// codes.
func (s *stream) triangles(count, stride int) []byte {
	_, tail := s.open(0xE0, 1, func(int) int { return 16 }, 16)
	codes := s.take(count / 3)
	if s.err != nil {
		return nil
	}
	var next, last uint32
	var edges recent[[2]uint32]
	var vertices recent[uint32]
	fresh := func() uint32 { next++; return next - 1 }
	far := func() uint32 { last += zigzag(s.varint()); return last }
	// corner reads a vertex of a triangle without a recent edge: a new one, a
	// recent one, or any.
	corner := func(code byte, elsewhere bool) (v uint32, isNew bool) {
		switch {
		case code == 0:
			return fresh(), true
		case code == 15 && elsewhere:
			return far(), true
		}
		return vertices.get(int(code) - 1), false
	}
	var out []byte
	for _, code := range codes {
		var t [3]uint32
		if x, y := code>>4, code&15; x < 15 {
			e := edges.get(int(x))
			t[0], t[1] = e[0], e[1]
			switch {
			case y == 0:
				t[2] = fresh()
			case y < 13:
				t[2] = vertices.get(int(y))
			case y == 13:
				last--
				t[2] = last
			case y == 14:
				last++
				t[2] = last
			default:
				t[2] = far()
			}
			if y == 0 || y >= 13 {
				vertices.push(t[2])
			}
		} else {
			var rest byte
			if y < 14 {
				rest = tail[y]
			} else if rest = s.byte(); rest == 0 {
				next = 0
			}
			if y == 15 {
				t[0] = far()
			} else {
				t[0] = fresh()
			}
			var newB, newC bool
			t[1], newB = corner(rest>>4, y >= 14)
			t[2], newC = corner(rest&15, y >= 14)
			edges.push([2]uint32{t[1], t[0]})
			vertices.push(t[0])
			if newB {
				vertices.push(t[1])
			}
			if newC {
				vertices.push(t[2])
			}
		}
		edges.push([2]uint32{t[2], t[1]})
		edges.push([2]uint32{t[0], t[2]})
		for _, v := range t {
			out = s.index(out, v, stride)
		}
		if s.err != nil {
			return nil
		}
	}
	return out
}

// sequence reads indices in any order, each as its difference from one of two before.
func (s *stream) sequence(count, stride int) (out []byte) {
	s.open(0xD0, 1, func(int) int { return 4 }, 4)
	var last [2]uint32
	for i := 0; i < count && s.err == nil; i++ {
		v := s.varint()
		last[v&1] += zigzag(v >> 1)
		out = s.index(out, last[v&1], stride)
	}
	return out
}

// index appends an index of two or four bytes.
func (s *stream) index(out []byte, v uint32, stride int) []byte {
	if stride == 4 {
		return binary.LittleEndian.AppendUint32(out, v)
	}
	if v > 0xFFFF {
		s.fail("index %d does not fit two bytes", v)
	}
	return binary.LittleEndian.AppendUint16(out, uint16(v))
}

// filters convert decompressed elements to their final values, in place.
var filters = map[string]struct {
	fits   func(stride int) bool
	decode func(b []byte)
}{
	"OCTAHEDRAL":  {fourParts, unpackOctahedral},
	"QUATERNION":  {func(stride int) bool { return stride == 8 }, unpackQuaternion},
	"EXPONENTIAL": {func(stride int) bool { return stride%4 == 0 }, unpackExponential},
	"COLOR":       {fourParts, unpackColor},
}

func fourParts(stride int) bool { return stride == 4 || stride == 8 }

// parts reads four signed numbers of a byte or two each.
func parts(b []byte) (v [4]int) {
	for k := range v {
		if len(b) == 4 {
			v[k] = int(int8(b[k]))
		} else {
			v[k] = int(int16(binary.LittleEndian.Uint16(b[2*k:])))
		}
	}
	return v
}

// put writes part k of an element of four, rounded.
func put(b []byte, k int, v float64) {
	n := int(math.Round(v))
	if len(b) == 4 {
		b[k] = byte(n)
	} else {
		binary.LittleEndian.PutUint16(b[2*k:], uint16(n))
	}
}

// unpackOctahedral converts a point of an unfolded octahedron to a direction.
func unpackOctahedral(b []byte) {
	in := parts(b)
	top := float64(int(1)<<(2*len(b)-1) - 1)
	one := float64(max(in[2], 1))
	x, y := float64(in[0])/one, float64(in[1])/one
	z := 1 - math.Abs(x) - math.Abs(y)
	under := math.Min(z, 0)
	x -= math.Copysign(under, x)
	y -= math.Copysign(under, y)
	scale := top / math.Sqrt(float64(x*x)+float64(y*y)+float64(z*z))
	put(b, 0, x*scale)
	put(b, 1, y*scale)
	put(b, 2, z*scale)
}

// unpackQuaternion computes the greatest component, which is not stored.
func unpackQuaternion(b []byte) {
	in := parts(b)
	one := float64(in[3]|3) * math.Sqrt2
	x, y, z := float64(in[0])/one, float64(in[1])/one, float64(in[2])/one
	w := math.Sqrt(max(0, 1-float64(x*x)-float64(y*y)-float64(z*z)))
	for k, v := range [4]float64{w, x, y, z} {
		put(b, (in[3]+k)&3, v*32767)
	}
}

// unpackExponential converts exponent and mantissa to floats.
func unpackExponential(b []byte) {
	for at := 0; at < len(b); at += 4 {
		v := int32(binary.LittleEndian.Uint32(b[at:]))
		f := float32(math.Ldexp(float64(v<<8>>8), int(v>>24)))
		binary.LittleEndian.PutUint32(b[at:], math.Float32bits(f))
	}
}

// unpackColor converts brightness, two differences and alpha to red, green,
// blue and alpha. The highest set bit of the stored alpha says how many bits
// there are.
func unpackColor(b []byte) {
	in := parts(b)
	wide := uint(len(b) * 2)
	y, co, cg := in[0]&(1<<wide-1), in[1], in[2]
	a := uint(in[3]) & (1<<wide - 1)
	all := uint(1)<<bits.Len(a) - 1
	a &= all >> 1
	a = a<<1 | a&1
	scale := float64(uint(1)<<wide-1) / float64(max(all, 1))
	for k, v := range [4]int{y + co - cg, y + cg, y - co - cg, int(a)} {
		put(b, k, float64(v)*scale)
	}
}
