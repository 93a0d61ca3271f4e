package cgfx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/pica"
)

// segment makes a segment of a curve from words.
func segment(q Quantization, how uint32, words ...uint32) *Segment {
	s := &Segment{Flags: uint32(q)<<5 | how<<2, Scale: 0.5, Offset: 3, FrameScale: 4}
	for _, w := range words {
		s.Keys = le.AppendUint32(s.Keys, w)
	}
	s.Keys = s.Keys[:len(s.Keys)/keyBytes[q]*keyBytes[q]]
	return s
}

// Keys are unpacked by their quantization; integers are scaled, floats are not.
func TestKeyQuantization(t *testing.T) {
	f := math.Float32bits
	for q, c := range map[Quantization]struct {
		words []uint32
		want  key
	}{
		Hermite128:       {[]uint32{f(7), f(-9), f(0.5), f(0.25)}, key{7, -9, 0.5, 0.25}},
		UnifiedHermite96: {[]uint32{f(7), f(-9), f(0.5)}, key{7, -9, 0.5, 0.5}},
		StepLinear64:     {[]uint32{f(7), f(-9)}, key{7, -9, 0, 0}},
		Hermite64:        {[]uint32{0x45678<<12 | 0xFED, 0x0180<<16 | 0xFF00}, key{4 * 0xFED, 0x45678/2. + 3, -1, 1.5}},
		Hermite48:        {[]uint32{0xE0F123C8, 0x0000030F}, key{4 * 0xC8, 0xF123/2. + 3, -1, 1.5}},
		UnifiedHermite48: {[]uint32{0xF1230FED, 0x0000FE80}, key{4 * 0xFED / 32., 0xF123/2. + 3, -1.5, -1.5}},
		UnifiedHermite32: {[]uint32{0xFD0ABCC8}, key{4 * 0xC8, 0xABC/2. + 3, -1.5, -1.5}},
		StepLinear32:     {[]uint32{0x45678<<12 | 0xFED}, key{4 * 0xFED, 0x45678/2. + 3, 0, 0}},
	} {
		require.Equal(t, c.want, segment(q, 2, c.words...).key(0), "%v", q)
	}
}

// Between keys a segment steps, is linear or follows the slopes; outside it holds the end values.
func TestCurveInterpolation(t *testing.T) {
	f := math.Float32bits
	keys := []uint32{f(2), f(10), f(6), f(30)}
	step, linear := segment(StepLinear64, 0, keys...), segment(StepLinear64, 1, keys...)
	bent := segment(Hermite128, 2, f(2), f(10), f(9), f(3), f(6), f(30), f(-2), f(9))
	for frame, want := range map[float32][3]float32{0: {10, 10, 10}, 2: {10, 10, 10}, 3: {10, 15, 10 + 20*5./32 + 3*4*9./64 + 2*4*3./64}, 6: {30, 30, 30}, 8: {30, 30, 30}} {
		require.Equal(t, want, [3]float32{step.at(frame), linear.at(frame), bent.at(frame)}, "frame %v", frame)
	}
	require.Equal(t, float32(1), (&Segment{Flags: 1, single: 1}).at(5))
	nan := segment(StepLinear64, 1, f(float32(math.NaN())), f(10), f(6), f(30))
	require.Equal(t, float32(10), nan.at(1), "a key at frame NaN")

	on := &BoolCurve{Span: Span{End: 16}, Bits: []byte{0xF6}}
	for frame, want := range map[float32]bool{0: false, 1: true, 3: false, 7: true, 8: true, 16: true, -1: false} {
		require.Equal(t, want, on.At(frame), "frame %v", frame)
	}
	require.Equal(t, [3]int{}, func() [3]int { a, b, c := Target(99).slots(); return [3]int{int(a), int(b), int(c)} }())
}

// Each invalid size of a texture or shape gives an error.
func TestInvalidSizes(t *testing.T) {
	good := func() *Texture {
		return &Texture{Width: 8, Height: 8, Format: pica.TextureFormatI8, Images: []*Image{{Data: make([]byte, 64)}}}
	}
	_, err := good().Decode(0)
	require.NoError(t, err)
	for _, change := range []func(x *Texture){
		func(x *Texture) { x.Width = 0 }, func(x *Texture) { x.Height = 0 },
		func(x *Texture) { x.Width = texture.MaxSize + 1 }, func(x *Texture) { x.Height = texture.MaxSize + 1 },
	} {
		x := good()
		change(x)
		_, err := x.Decode(0)
		require.ErrorContains(t, err, "expected 1 to")
	}

	shape := func(stride uint32, offset uint32, data ...int) (int, error) {
		s := &Shape{Attributes: []*Attribute{nil}}
		for _, n := range data {
			s.Attributes = append(s.Attributes, &Attribute{Kind: AttributeInterleaved, Stride: stride, Data: make([]byte, n),
				Streams: []*Attribute{nil, {Format: UnsignedShort, Components: 3, Offset: offset}}})
		}
		return s.Vertices()
	}
	for _, c := range []struct {
		stride, offset uint32
		data           []int
		want           int
		refused        bool
	}{
		{8, 2, []int{80}, 10, false}, {8, 2, []int{80, 79, 88}, 9, false}, {8, 3, []int{80}, 0, true}, {0, 0, []int{80}, 0, true},
		{255, 0, []int{510}, 2, false}, {256, 0, []int{512}, 0, true}, {8, 2, nil, 0, false}, {8, 2, []int{0, 80}, 0, false},
	} {
		n, err := shape(c.stride, c.offset, c.data...)
		require.Equal(t, c.want, n, "%v", c)
		require.Equal(t, c.refused, err != nil, "%v", c)
	}
}

// A frame outside the span maps into it by the repeat mode before or after.
func TestFramesOutsideSpan(t *testing.T) {
	for _, c := range []struct {
		pre, post Repeat
		frame     float32
		want      float32
	}{
		{Clamp, Loop, 10, 10}, {Clamp, Loop, 14, 14}, {Clamp, Loop, 12.5, 12.5}, {Loop, Clamp, 10, 10}, {Loop, Mirror, 14, 14},
		{Clamp, Loop, 9, 10}, {Clamp, Loop, -100, 10}, {Loop, Clamp, 15, 14}, {Loop, Clamp, 1e9, 14},
		{Clamp, Loop, 15, 11}, {Clamp, Loop, 18, 10}, {Clamp, Loop, 23.5, 11.5}, {Clamp, LoopRelative, 15.5, 11.5}, {Mirror, LoopRelative, 19, 11},
		{Loop, Clamp, 9, 13}, {Loop, Mirror, 6.5, 10.5}, {LoopRelative, Mirror, 5, 13}, {Loop, Clamp, 6, 10}, {Loop, Clamp, -1, 11},
		{Clamp, Mirror, 15, 13}, {Clamp, Mirror, 17.5, 10.5}, {Clamp, Mirror, 18, 10}, {Clamp, Mirror, 19, 11}, {Clamp, Mirror, 22, 14}, {Loop, Mirror, 23, 13},
		{Mirror, Loop, 9, 11}, {Mirror, Clamp, 6, 14}, {Mirror, Loop, 5, 13}, {Mirror, Loop, 2, 10}, {Mirror, Loop, 1.5, 10.5},
		{Loop, Loop, float32(math.NaN()), 10}, {9, 9, 20, 14}, {9, 9, 2, 10},
	} {
		s := Span{Start: 10, End: 14, Pre: c.pre, Post: c.post}
		require.Equal(t, c.want, s.wrap(c.frame), "%+v", c)
	}
	for _, s := range []Span{{Start: 3, End: 3, Pre: Loop, Post: Mirror}, {Start: 3, End: 2, Pre: Loop, Post: Mirror}, {Start: 3, End: float32(math.Inf(1)), Pre: Loop, Post: Loop}} {
		require.Equal(t, float32(3), s.wrap(2), "%+v", s)
	}
	require.Equal(t, float32(3), (&Span{Start: 3, End: 3, Post: Loop}).wrap(4))
	for end, want := range map[float32]int{2: 0, 1: 0, 2.5: 0, 3: 1, 12.75: 10, 1<<24 + 2: 1 << 24, 1<<24 + 4: 0, float32(math.Inf(1)): 0, float32(math.NaN()): 0} {
		require.Equal(t, want, (&Span{Start: 2, End: end}).frames(), "%v", end)
	}
}

// Baked values are interpolated between the two frames around.
func TestBakedValues(t *testing.T) {
	b := Baked{Span: Span{Start: 2, End: 5, Pre: Clamp, Post: Loop}, Values: []float32{0, 1, 2, 10, 11, 12, 20, 21, 22}}
	for _, c := range []struct {
		frame    float32
		flags    uint32
		from, to float32
		u        float32
	}{{2, 0, 0, 10, 0}, {2.25, 0, 0, 10, 0.25}, {3.5, 0, 10, 20, 0.5}, {4, 0, 20, 20, 0}, {4.75, 0, 20, 20, 0.75}, {5, 0, 20, 20, 0}, {1, 0, 0, 10, 0}, {6.5, 0, 10, 20, 0.5},
		{3.5, 1, 0, 10, 0}, {3.5, 2, 10, 20, 0.5}} {
		b.Flags = c.flags
		from, to, u := b.At(c.frame, 3)
		require.Equal(t, []float32{c.from, c.from + 1, c.from + 2}, from, "%+v", c)
		require.Equal(t, []float32{c.to, c.to + 1, c.to + 2}, to, "%+v", c)
		require.Equal(t, c.u, u, "%+v", c)
	}
	b.Values = nil
	from, to, u := b.At(3, 3)
	require.Nil(t, from)
	require.Nil(t, to)
	require.Zero(t, u)
}

// Names and sizes of number types; counts in index streams.
func TestNumberTypes(t *testing.T) {
	for typ, want := range map[DataType]struct {
		name string
		size int
	}{Byte: {"byte", 1}, UnsignedByte: {"unsigned byte", 1}, Short: {"short", 2}, UnsignedShort: {"unsigned short", 2}, Float: {"float", 4}, Fixed: {"fixed", 4}, 0x1404: {enumText(0x1404), 0}} {
		require.Equal(t, want.name, typ.String())
		require.Equal(t, want.size, typ.Size())
	}
	require.Equal(t, []string{"position", "texcoord2", "user 0", "user 11", "interleaved"},
		[]string{Position.String(), TexCoord2.String(), UserAttribute0.String(), (UserAttribute0 + 11).String(), Interleaved.String()})
	data := []byte{1, 2, 3, 4, 5}
	for format, want := range map[DataType][]int{UnsignedByte: {1, 2, 3, 4, 5}, UnsignedShort: {0x201, 0x403}} {
		s := IndexStream{Format: format, Data: data}
		require.Equal(t, len(want), s.Len())
		for i := range want {
			require.Equal(t, want[i], s.Index(i))
		}
	}
	require.Equal(t, 5, (&IndexStream{Format: 7, Data: data}).Len())
}
