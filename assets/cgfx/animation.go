package cgfx

import (
	"fmt"
	"math"
)

// Animation is CANM: curves for members of models, lights, cameras or fogs.
type Animation struct {
	Revision uint32
	Name     string
	Group    string // SkeletalAnimation, MaterialAnimation, VisibilityAnimation, ...
	Loops    uint32
	Frames   float32 // at 60 a second
	Members  Dict[Member]
	userData Dict[UserData]
}

func (*Animation) signature() (int, string) { return 0, "CANM" }

func (a *Animation) fields(c *codec) {
	c.magic("CANM")
	word(c, "revision", &a.Revision)
	c.text("name", &a.Name)
	c.text("group", &a.Group)
	word(c, "loops", &a.Loops)
	c.float("frames", &a.Frames)
	// The words between path and type went with a later revision.
	old := a.Revision <= 0x06000000
	dictInit(c, "members", &a.Members, func(m *Member) { m.Old = old })
	dict(c, "user data", &a.userData)
}

// Target is the type of the value that a member sets.
type Target uint32

// The types.
const (
	TargetFloat Target = iota
	TargetInt
	TargetBool
	TargetVector2
	TargetVector3
	TargetTransform
	TargetColor
	TargetTexture
	TargetBaked  // a transform for each frame
	TargetMatrix // a matrix for each frame
)

// String names the type.
func (t Target) String() string {
	return enumText(uint32(t), "float", "int", "bool", "vector2", "vector3", "transform", "rgba", "texture", "baked transform", "matrix")
}

// slots returns the number of curves of a member, and the first flag bits that
// mark constant and missing ones.
func (t Target) slots() (n, constant, missing int) {
	switch t {
	case TargetFloat, TargetInt, TargetTexture:
		return 1, 0, 1
	case TargetVector2:
		return 2, 0, 2
	case TargetVector3:
		return 3, 0, 3
	case TargetColor:
		return 4, 0, 4
	case TargetTransform:
		return 10, 6, 16 // scale xyz, rotation xyz, unused, translation xyz
	}
	return 0, 0, 0
}

// Member animates one property of a bone, material, light, camera or fog.
type Member struct {
	Flags        uint32
	Path         string // a bone's name, or Materials["m"].TextureCoordinators[0].Translate
	Object       string // of old revisions: the bone, or the material
	part         string // of old revisions: the part of it
	Type         Target
	Slots        [10]Slot
	Bool         *BoolCurve
	Textures     []*Texture // of TargetTexture: the curve's values are indices into it
	Rotations    *Rotations
	Translations *Vectors
	Scales       *Vectors
	Matrices     *Matrices
	gone         [3]uint32 // words in place of the three of a baked transform

	Old bool // it has Object and Part
}

// Slot is a component: a curve, a constant, or empty.
type Slot struct {
	Curve    *Curve
	Constant float32
	Is       SlotState
}

// SlotState says what a slot holds.
type SlotState uint8

// The states.
const (
	Missing SlotState = iota
	Constant
	Curved
)

func (m *Member) fields(c *codec) {
	word(c, "flags", &m.Flags)
	c.text("path", &m.Path)
	if m.Old {
		c.text("object", &m.Object)
		c.text("part", &m.part)
	}
	word(c, "type", &m.Type)
	n, constant, missing := m.Type.slots()
	for i := range n {
		s := &m.Slots[i]
		if c.mode == reading {
			switch {
			case m.Flags>>(missing+i)&1 != 0 || m.Type == TargetTransform && i == 6:
				s.Is = Missing
			case m.Flags>>(constant+i)&1 != 0:
				s.Is = Constant
			default:
				s.Is = Curved
			}
		}
		name := m.slotName(i)
		switch s.Is {
		case Curved:
			ref(c, name, &s.Curve)
		case Constant:
			c.float(name, &s.Constant)
		default:
			// Keep the stored bits.
			bits := math.Float32bits(s.Constant)
			word(c, name, &bits)
			s.Constant = math.Float32frombits(bits)
			if c.mode == showing {
				c.nodes[len(c.nodes)-1].Text = "missing"
			}
		}
	}
	switch m.Type {
	case TargetTexture:
		refs(c, "textures", &m.Textures)
	case TargetBool:
		m.boolCurve(c)
	case TargetBaked:
		// The flags that say that a part is missing are bits 4, 3 and 5.
		if m.Flags>>4&1 == 0 {
			ref(c, "rotations", &m.Rotations)
		} else {
			word(c, "no rotations", &m.gone[0])
		}
		if m.Flags>>3&1 == 0 {
			ref(c, "translations", &m.Translations)
		} else {
			word(c, "no translations", &m.gone[1])
		}
		if m.Flags>>5&1 == 0 {
			ref(c, "scales", &m.Scales)
		} else {
			word(c, "no scales", &m.gone[2])
		}
	case TargetMatrix:
		ref(c, "matrices", &m.Matrices)
	}
	if m.Type > TargetMatrix && c.mode == reading {
		c.note(c.at-4, "animation member %q is of the unknown type %d", m.Path, uint32(m.Type))
	}
}

func (m *Member) slotName(i int) string {
	switch m.Type {
	case TargetTransform:
		return [...]string{"scale x", "scale y", "scale z", "rotation x", "rotation y", "rotation z", "unused", "translation x", "translation y", "translation z"}[i]
	case TargetColor:
		return [...]string{"red", "green", "blue", "alpha"}[i]
	case TargetVector2, TargetVector3:
		return [...]string{"x", "y", "z"}[i]
	}
	return "value"
}

// BoolCurve has one bit for each frame. The bits follow the header, or are
// where its last word points: SPICA treats that word as a pointer and writes
// one to the bytes right behind it, while other curves have flags there. No
// public file with such curves is known.
type BoolCurve struct {
	Span
	Bits  []byte
	apart bool // the last word points somewhere else
}

func (m *Member) boolCurve(c *codec) { ref(c, "bits", &m.Bool) }

// behind is the value of the last word as a pointer to the bytes that follow it.
const behind = 4

func (b *BoolCurve) fields(c *codec) {
	b.Span.fields(c)
	if c.mode == reading {
		n := (b.frames() + 8) / 8
		to := c.at - 4 + int(int32(b.Flags))
		b.apart = (b.Flags > behind) && to >= 0 && to <= len(c.data)-n
		if !b.apart && n > len(c.data)-c.at {
			c.problem(c.at, "a curve of %d bits does not fit into the file", b.frames())
			return
		}
		b.Bits = make([]byte, n)
	}
	if b.apart {
		// Read the word again as a pointer.
		c.at -= 4
		at := c.at
		to, ok := c.pointer(true)
		switch {
		case c.mode == reading && ok:
			c.add(to, "bits", b.bits)
		case c.mode == placing:
			c.link(at, node{0, &b.Bits}, "bits", 1, b.bits)
		case c.mode == showing:
			c.at = to
			c.show("bits", 0, nil, fmt.Sprintf("%x", b.Bits))
		}
		return
	}
	b.bits(c)
}

func (b *BoolCurve) bits(c *codec) {
	d := c.bytes(len(b.Bits))
	switch c.mode {
	case reading:
		copy(b.Bits, d)
	case writing:
		copy(d, b.Bits)
	case showing:
		c.show("bits", len(b.Bits), nil, fmt.Sprintf("%x", b.Bits))
	}
}

// At returns the value at a frame.
func (b *BoolCurve) At(frame float32) bool {
	i := int(b.wrap(frame) - b.Start)
	if i < 0 || i/8 >= len(b.Bits) {
		return true
	}
	return b.Bits[i/8]>>(i%8)&1 != 0
}

// Repeat is how a curve continues outside of its frames.
type Repeat uint8

// The ways.
const (
	Clamp Repeat = iota
	Loop
	Mirror
	LoopRelative
)

// String names the way.
func (r Repeat) String() string {
	return enumText(uint32(r), "clamp", "repeat", "mirror", "repeat relative")
}

// Span is the frame range of a curve.
type Span struct {
	Start, End float32
	Pre, Post  Repeat
	padding    uint16
	Flags      uint32
}

func (s *Span) fields(c *codec) {
	c.float("start", &s.Start)
	c.float("end", &s.End)
	octet(c, "before", &s.Pre)
	octet(c, "after", &s.Post)
	half(c, "padding", &s.padding)
	word(c, "flags", &s.Flags)
}

// frames returns the length in whole frames, 0 if it is invalid.
func (s *Span) frames() int {
	n := float64(s.End) - float64(s.Start)
	if !(n >= 0) || n > 1<<24 {
		return 0
	}
	return int(n)
}

// wrap maps a frame into the span.
func (s *Span) wrap(f float32) float32 {
	length := s.End - s.Start
	r := s.Pre
	switch {
	case f >= s.Start && f <= s.End:
		return f
	case f > s.End:
		r = s.Post
	}
	if !(length > 0) || math.IsInf(float64(length), 0) || f != f {
		return s.Start
	}
	switch r {
	case Loop, LoopRelative:
		m := math.Mod(float64(f-s.Start), float64(length))
		if m < 0 {
			m += float64(length)
		}
		return s.Start + float32(m)
	case Mirror:
		m := math.Mod(float64(f-s.Start), float64(length)*2)
		if m < 0 {
			m += float64(length) * 2
		}
		if m > float64(length) {
			m = float64(length)*2 - m
		}
		return s.Start + float32(m)
	}
	return min(max(f, s.Start), s.End)
}

// Baked is a value of several floats for each frame. Flag bit 0 of the span: one value for
// all frames.
type Baked struct {
	Span
	Values []float32
	Words  []uint32 // flags, one a frame; matrices have none
	last   bool     // the frame that ends the span has a value too
}

// Rotations, Vectors and Matrices are Baked values of four, three and twelve floats:
// quaternions x, y, z, w; vectors; and matrices of three rows of four.
type (
	Rotations struct{ Baked }
	Vectors   struct{ Baked }
	Matrices  struct{ Baked }
)

func (b *Rotations) fields(c *codec) { b.run(c, 4, true) }
func (b *Vectors) fields(c *codec)   { b.run(c, 3, true) }
func (b *Matrices) fields(c *codec)  { b.run(c, 12, false) }

func (b *Baked) run(c *codec, width int, flagged bool) {
	b.Span.fields(c)
	each := 4 * width
	if flagged {
		each += 4
	}
	if c.mode == reading {
		n := max(b.frames(), 1)
		if b.Flags&1 != 0 {
			n = 1
		}
		if n > (len(c.data)-c.at)/each {
			c.problem(c.at, "a curve of %d frames does not fit into the file", n)
			return
		}
		b.Values = make([]float32, n*width)
		if flagged {
			b.Words = make([]uint32, n)
		}
	}
	n := len(b.Values) / width
	if b.last {
		n--
	}
	for i := range n {
		b.record(c, i, width, flagged)
	}
	if b.last || c.mode == reading && b.Flags&1 == 0 {
		c.optional(each, func(c *codec) {
			if c.mode == reading {
				b.last = true
				b.Values = append(b.Values, make([]float32, width)...)
				if flagged {
					b.Words = append(b.Words, 0)
				}
			}
			b.record(c, n, width, flagged)
		})
	}
}

func (b *Baked) record(c *codec, i, width int, flagged bool) {
	c.floats("value", b.Values[i*width:(i+1)*width])
	if flagged {
		word(c, "flags", &b.Words[i])
	}
}

// At returns the values at the two frames around a frame, of width floats each,
// and the weight of the second.
func (b *Baked) At(frame float32, width int) (from, to []float32, u float32) {
	n := len(b.Values) / width
	if n == 0 {
		return nil, nil, 0
	}
	f := b.wrap(frame) - b.Start
	if !(f > 0) || b.Flags&1 != 0 {
		f = 0
	}
	i := min(int(f), n-1)
	k := min(i+1, n-1)
	return b.Values[i*width : (i+1)*width], b.Values[k*width : (k+1)*width], f - float32(int(f))
}
