package cgfx

import (
	"fmt"
	"math"
	"sort"
)

// Curve is a number that changes over frames, in segments.
type Curve struct {
	Span
	Value    float32 // if the flags say that it is constant
	Segments []*Segment
}

// curveConstant is the flag of a curve with a value in place of segments.
// Source: SPICA, GfxFloatKeyFrameGroup.
const curveConstant = 1 << 1

func (u *Curve) fields(c *codec) {
	u.Span.fields(c)
	if u.Flags&curveConstant != 0 {
		c.float("value", &u.Value)
		return
	}
	n := c.count("segments", len(u.Segments))
	if c.mode == reading {
		if n < 0 || n > (len(c.data)-c.at)/4 {
			c.problem(c.at-4, "%d segments of a curve do not fit into the file", uint32(n))
			c.counts[c.at-4] = uint32(n)
			return
		}
		u.Segments = make([]*Segment, n)
	}
	for i := range u.Segments {
		ref(c, "segment", &u.Segments[i])
	}
}

// Quantization is how the keys of a segment are packed.
type Quantization uint8

// The ways, by the bits that a key takes.
const (
	Hermite128       Quantization = iota // frame, value, in slope, out slope
	Hermite64                            // 12-bit frame, 20-bit value, slopes of 8.8
	Hermite48                            // 8-bit frame, 16-bit value, slopes of 7.5
	UnifiedHermite96                     // frame, value, slope
	UnifiedHermite48                     // 11.5 frame, 16-bit value, slope of 8.8
	UnifiedHermite32                     // 8-bit frame, 12-bit value, slope of 7.5
	StepLinear64                         // frame, value
	StepLinear32                         // 12-bit frame, 20-bit value
)

// String returns the name of the quantization.
func (q Quantization) String() string {
	return enumText(uint32(q), "Hermite 128", "Hermite 64", "Hermite 48", "unified Hermite 96", "unified Hermite 48", "unified Hermite 32", "step or linear 64", "step or linear 32")
}

var keyBytes = [8]int{16, 8, 6, 12, 6, 4, 8, 4}

// scaled reports whether values are integers with a scale and an offset.
func (q Quantization) scaled() bool {
	return q != Hermite128 && q != UnifiedHermite96 && q != StepLinear64
}

// Segment is keys between two frames.
type Segment struct {
	Start, End float32
	Flags      uint32  // bit 0 one value, bits 2-4 interpolation, bits 5-7 quantization
	single     float32 // where there is one value
	Speed      float32 // for the console's search
	Scale      float32 // of values, with Offset; of frames FrameScale
	Offset     float32
	FrameScale float32
	Keys       []byte // as they are packed
}

// Interpolation of the segment: 0 step, 1 linear, 2 Hermite.
func (s *Segment) Interpolation() uint32 { return s.Flags >> 2 & 7 }

// Quantization of the segment.
func (s *Segment) Quantization() Quantization { return Quantization(s.Flags >> 5 & 7) }

// len returns the number of keys.
func (s *Segment) len() int { return len(s.Keys) / keyBytes[s.Quantization()] }

func (s *Segment) fields(c *codec) {
	c.float("start", &s.Start)
	c.float("end", &s.End)
	word(c, "flags", &s.Flags)
	q := s.Quantization()
	if c.mode == showing {
		c.nodes[len(c.nodes)-1].Text = fmt.Sprintf("0x%x: %v, %s", s.Flags, q, enumText(s.Interpolation(), "step", "linear", "Hermite"))
	}
	if s.Flags&1 != 0 {
		c.float("value", &s.single)
		return
	}
	n := c.count("keys", s.len())
	at := c.at - 4
	c.float("speed", &s.Speed)
	if q.scaled() {
		c.float("scale", &s.Scale)
		c.float("offset", &s.Offset)
		c.float("frame scale", &s.FrameScale)
	}
	if c.mode == reading {
		if n < 0 || n > (len(c.data)-c.at)/keyBytes[q] {
			c.problem(at, "%d keys of a curve do not fit into the file", uint32(n))
			c.counts[at] = uint32(n)
			return
		}
		s.Keys = make([]byte, n*keyBytes[q])
	}
	b := c.bytes(len(s.Keys))
	switch c.mode {
	case reading:
		copy(s.Keys, b)
	case writing:
		copy(b, s.Keys)
	case showing:
		for i := range s.len() {
			k := s.key(i)
			c.show("key", 0, nil, fmt.Sprintf("frame %g, value %g, slopes %g and %g", k.Frame, k.Value, k.In, k.Out))
		}
	}
}

// key is a value at a frame. Slopes are in values for each frame.
type key struct{ Frame, Value, In, Out float32 }

// key unpacks a key. Source: SPICA, KeyFrameQuantizationHelper.
func (s *Segment) key(i int) key {
	q := s.Quantization()
	b := s.Keys[i*keyBytes[q]:]
	f := func(at int) float32 { return math.Float32frombits(le.Uint32(b[at:])) }
	u24 := func(at int) int32 { return int32(b[at]) | int32(b[at+1])<<8 | int32(b[at+2])<<16 }
	var k key
	switch q {
	case Hermite128:
		return key{f(0), f(4), f(8), f(12)}
	case UnifiedHermite96:
		return key{f(0), f(4), f(8), f(8)}
	case StepLinear64:
		return key{f(0), f(4), 0, 0}
	case Hermite64:
		w := le.Uint32(b)
		k = key{float32(w & 0xFFF), float32(w >> 12), float32(int16(le.Uint16(b[4:]))) / 256, float32(int16(le.Uint16(b[6:]))) / 256}
	case Hermite48:
		w := u24(3)
		k = key{float32(b[0]), float32(le.Uint16(b[1:])), float32(w<<20>>20) / 32, float32(w<<8>>20) / 32}
	case UnifiedHermite48:
		slope := float32(int16(le.Uint16(b[4:]))) / 256
		k = key{float32(le.Uint16(b)) / 32, float32(le.Uint16(b[2:])), slope, slope}
	case UnifiedHermite32:
		w := u24(1)
		slope := float32(w<<8>>20) / 32
		k = key{float32(b[0]), float32(w & 0xFFF), slope, slope}
	case StepLinear32:
		w := le.Uint32(b)
		k = key{float32(w & 0xFFF), float32(w >> 12), 0, 0}
	}
	k.Frame *= s.FrameScale
	k.Value = float32(k.Value*s.Scale) + s.Offset
	return k
}

// at returns the value at a frame of the segment.
func (s *Segment) at(frame float32) float32 {
	n := s.len()
	if s.Flags&1 != 0 || n == 0 {
		return s.single
	}
	i := sort.Search(n, func(i int) bool { return s.key(i).Frame > frame })
	if i == 0 {
		return s.key(0).Value
	}
	if i == n {
		return s.key(n - 1).Value
	}
	a, b := s.key(i-1), s.key(i)
	d := b.Frame - a.Frame
	if !(d > 0) {
		return a.Value
	}
	u := (frame - a.Frame) / d
	switch {
	case s.Quantization() < StepLinear64:
		// Cubic Hermite interpolation.
		v := u - 1
		r := a.Value + float32(float32(float32((a.Value-b.Value)*(float32(2*u)-3))*u)*u)
		return r + float32(float32((frame-a.Frame)*v)*(float32(a.Out*v)+float32(b.In*u)))
	case s.Interpolation() == 0:
		return a.Value
	}
	return a.Value + float32(u*(b.Value-a.Value))
}

// at returns the value at a frame.
func (u *Curve) at(frame float32) float32 {
	if u.Flags&curveConstant != 0 {
		return u.Value
	}
	f := u.wrap(frame)
	v := float32(0)
	for i, s := range Each(u.Segments) {
		if v = s.at(f); f < s.End || i == len(u.Segments)-1 {
			break
		}
	}
	if u.Post == LoopRelative && frame > u.End && u.End > u.Start && len(u.Segments) > 0 && u.Segments[0] != nil && u.Segments[len(u.Segments)-1] != nil {
		turns := float32(math.Floor(float64((frame - u.Start) / (u.End - u.Start))))
		v += float32(turns * (u.Segments[len(u.Segments)-1].at(u.End) - u.Segments[0].at(u.Start)))
	}
	return v
}

// At returns the slot's value at a frame, def if it has none.
func (s *Slot) At(frame, def float32) float32 {
	switch {
	case s.Is == Constant:
		return s.Constant
	case s.Is == Curved && s.Curve != nil:
		return s.Curve.at(frame)
	}
	return def
}
