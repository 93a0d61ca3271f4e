package cgfx

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/pica"
)

// segment makes a segment of frames, in words.
func segment(q Quantization, how uint32, words ...uint32) *Segment {
	s := &Segment{Flags: uint32(q)<<5 | how<<2, Scale: 0.5, Offset: 3, FrameScale: 4}
	for _, w := range words {
		s.Keys = le.AppendUint32(s.Keys, w)
	}
	s.Keys = s.Keys[:len(s.Keys)/keyBytes[q]*keyBytes[q]]
	return s
}

// A key is unpacked as its kind says; whole numbers are scaled, floats are not.
func TestKeys(t *testing.T) {
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

// Between keys a segment steps, goes straight, or bends with the slopes; outside it holds.
func TestCurvesBetweenKeys(t *testing.T) {
	f := math.Float32bits
	keys := []uint32{f(2), f(10), f(6), f(30)}
	step, linear := segment(StepLinear64, 0, keys...), segment(StepLinear64, 1, keys...)
	bent := segment(Hermite128, 2, f(2), f(10), f(9), f(3), f(6), f(30), f(-2), f(9))
	for frame, want := range map[float32][3]float32{0: {10, 10, 10}, 2: {10, 10, 10}, 3: {10, 15, 10 + 20*5./32 + 3*4*9./64 + 2*4*3./64}, 6: {30, 30, 30}, 8: {30, 30, 30}} {
		require.Equal(t, want, [3]float32{step.at(frame), linear.at(frame), bent.at(frame)}, "frame %v", frame)
	}
	require.Equal(t, float32(1), (&Segment{Flags: 1, single: 1}).at(5))
	nan := segment(StepLinear64, 1, f(float32(math.NaN())), f(10), f(6), f(30))
	require.Equal(t, float32(10), nan.at(1), "a frame that is none")

	on := &BoolCurve{Span: Span{End: 16}, Bits: []byte{0xF6}}
	for frame, want := range map[float32]bool{0: false, 1: true, 3: false, 7: true, 8: true, 16: true, -1: false} {
		require.Equal(t, want, on.At(frame), "frame %v", frame)
	}
	require.Equal(t, [3]int{}, func() [3]int { a, b, c := Target(99).slots(); return [3]int{int(a), int(b), int(c)} }())
}

// What a texture or a shape cannot have is an error, each by itself.
func TestSizesThatMakeNoSense(t *testing.T) {
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
