package model

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// vectors are streams of our own numbers made by the reference encoder (meshoptimizer 1.3.0), with its decoder's output.
func vectors(t testing.TB) (list []struct {
	Name, Mode, Filter string
	Count, Stride      int
	Packed, Plain      []byte
}) {
	data := testkit.Read(t, "testdata/meshopt.json")
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}

func TestUnpack(t *testing.T) {
	for _, v := range vectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			p := packed{Count: v.Count, ByteStride: v.Stride, Mode: v.Mode, Filter: v.Filter}
			got := testkit.Must(p.unpack(v.Packed))(t)
			require.Len(t, got, len(v.Plain))
			switch v.Filter {
			case "OCTAHEDRAL", "QUATERNION", "COLOR":
				// The specification allows a difference of one unit.
				for at := 0; at < len(got); at += v.Stride {
					a, b := parts(v.Plain[at:at+v.Stride]), parts(got[at:at+v.Stride])
					for k := range a {
						require.InDelta(t, 0, int16(uint16(a[k])-uint16(b[k])), 1, "element %d", at/v.Stride)
					}
				}
			default:
				require.Equal(t, v.Plain, got)
			}
			// Truncated streams and streams with more bytes are errors.
			for n := 0; n < len(v.Packed); n += 1 + len(v.Packed)/50 {
				_, err := p.unpack(v.Packed[:n])
				require.Error(t, err, "cut to %d of %d bytes", n, len(v.Packed))
			}
		})
	}
}

func TestUnpackRefuses(t *testing.T) {
	attributes := func(change func(b []byte) []byte) []byte { return change(append([]byte(nil), vectors(t)[0].Packed...)) }
	for _, c := range []struct {
		name string
		p    packed
		data []byte
		want string
	}{
		{"a mode", packed{Mode: "X", ByteStride: 4}, nil, `unknown mode "X"`},
		{"a filter", packed{Mode: "ATTRIBUTES", ByteStride: 4, Filter: "X"}, nil, `unknown filter "X"`},
		{"a filter of indices", packed{Mode: "INDICES", ByteStride: 4, Filter: "EXPONENTIAL"}, nil, "filters are for attributes"},
		{"a filter's stride", packed{Mode: "ATTRIBUTES", ByteStride: 12, Filter: "QUATERNION"}, nil, "takes no elements of 12 bytes"},
		{"a stride", packed{Mode: "ATTRIBUTES", ByteStride: 6}, nil, "elements of 6 bytes"},
		{"an index's stride", packed{Mode: "TRIANGLES", ByteStride: 8}, nil, "indices of 8 bytes"},
		{"half a triangle", packed{Mode: "TRIANGLES", ByteStride: 2, Count: 4}, nil, "triangles of 4 indices"},
		{"a count", packed{Mode: "INDICES", ByteStride: 2, Count: -1}, nil, "a count of -1"},
		{"one too many", packed{Mode: "INDICES", ByteStride: 2, Count: maxFile/4 + 1}, nil, fmt.Sprintf("a count of %d", maxFile/4+1)},
		{"as many as there may be", packed{Mode: "INDICES", ByteStride: 2, Count: maxFile / 4}, nil, "no header of this mode"},
		{"a version of indices", packed{Mode: "INDICES", ByteStride: 2, Count: 1}, []byte{0xD2, 0, 0, 0, 0, 0}, "no header of this mode"},
		{"a version of triangles", packed{Mode: "TRIANGLES", ByteStride: 2, Count: 3}, append([]byte{0xE2, 0xFE}, make([]byte, 16)...), "no header of this mode"},
		{"nothing", packed{Mode: "INDICES", ByteStride: 2}, nil, "no header of this mode"},
		{"a version", packed{Mode: "ATTRIBUTES", ByteStride: 12, Count: 1}, attributes(func(b []byte) []byte { b[0] = 0xA2; return b }), "no header of this mode"},
		{"more than is said", packed{Mode: "ATTRIBUTES", ByteStride: 12, Count: 1}, attributes(func(b []byte) []byte { return append(b, 0) }), "left over"},
		{"a channel mode", packed{Mode: "ATTRIBUTES", ByteStride: 4}, append(append([]byte{0xA1}, make([]byte, 23)...), 3), "channel mode 0x3"},
		{"an index of two bytes", packed{Mode: "INDICES", ByteStride: 2, Count: 1}, []byte{0xD1, 0x80, 0x80, 0x10, 0, 0, 0, 0}, "index 65536 does not fit two bytes"},
		{"a number without end", packed{Mode: "INDICES", ByteStride: 4, Count: 1}, []byte{0xD1, 0x80, 0x80, 0x80, 0x80, 0x80, 0, 0, 0, 0}, "more than 32 bits"},
	} {
		_, err := c.p.unpack(c.data)
		require.ErrorContains(t, err, c.want, c.name)
	}
	// A large count without data allocates nothing.
	p := packed{Mode: "ATTRIBUTES", ByteStride: 256, Count: 1 << 20}
	require.LessOrEqual(t, testing.AllocsPerRun(1, func() { _, _ = p.unpack(make([]byte, 300)) }), 100.0)
}

// A restart of the vertex counter, as encoders write it where streams were joined.
func TestUnpackRestarts(t *testing.T) {
	p := packed{Mode: "TRIANGLES", ByteStride: 2, Count: 6}
	got := testkit.Must(p.unpack(append([]byte{0xE1, 0xFE, 0xFE, 0, 0}, make([]byte, 16)...)))(t)
	var list []uint16
	for at := 0; at < len(got); at += 2 {
		list = append(list, binary.LittleEndian.Uint16(got[at:]))
	}
	require.Equal(t, []uint16{0, 1, 2, 0, 1, 2}, list)
}

// A quaternion that consists of the omitted component is exact.
func TestUnpackWholeQuaternions(t *testing.T) {
	for k := range 4 {
		b := []byte{0, 0, 0, 0, 0, 0, byte(k | 0xFC), 0x7F}
		unpackQuaternion(b)
		want := [4]int{}
		want[k] = 32767
		require.Equal(t, want, parts(b))
	}
}
