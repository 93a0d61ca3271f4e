package bch

import "pica200/assets/cgfx"

// Animation moves the bones, materials, or whatever else its kind says.
type Animation struct {
	Name     string
	Flags    uint8 // bit 0 loops
	Kind     uint8
	Curves   uint16
	Frames   float32
	Elements []*Element
	UserData UserData
	Textures []string // of materials
}

func (a *Animation) name() string { return a.Name }

// kindMaterial is the kind that has names of textures.
const kindMaterial = 1

func (a *Animation) fields(c *codec) {
	c.text(&a.Name)
	c.u8(&a.Flags)
	c.u8(&a.Kind)
	c.u16(&a.Curves)
	c.f32(&a.Frames)
	refs(c, &a.Elements)
	a.UserData.pointer(c)
	if a.Kind != kindMaterial {
		return
	}
	texts(c, &a.Textures)
}

// Types of an element's value. Source: SPICA, H3DPrimitiveType.
const (
	typeFloat uint16 = iota
	typeInteger
	typeVector2
	typeVector3
	typeTransform
	typeColor
	typeTexture
	typeQuaternions
	typeBool
	typeMatrices
)

// Element moves one thing.
type Element struct {
	Name   string
	Target uint16 // of targets
	Type   uint16
	Flags  uint32
	Slots  [9]Slot // in the order of the file
	Baked  [3]Baked
	Bools  *Bools
}

// Slot is a component: a curve, a constant, or nothing.
type Slot struct {
	State cgfx.SlotState
	Value float32
	Curve *Curve
}

// counts is how many slots a type has, with the first bits that say that one is constant or
// missing.
func counts(t uint16) (n, constant, missing int) {
	switch t {
	case typeFloat, typeInteger, typeTexture:
		return 1, 0, 8
	case typeVector2:
		return 2, 0, 8
	case typeVector3:
		return 3, 0, 8
	case typeColor:
		return 4, 0, 8
	case typeTransform:
		return 9, 6, 16
	}
	return 0, 0, 0
}

func (e *Element) fields(c *codec) {
	c.text(&e.Name)
	c.u16(&e.Target)
	c.u16(&e.Type)
	switch e.Type {
	case typeBool:
		if e.Bools == nil {
			e.Bools = &Bools{}
		}
		e.Bools.fields(c)
		return
	case typeMatrices:
		e.Baked[0].inline(c)
		return
	}
	n, constant, missing := counts(e.Type)
	if !c.reading() {
		e.flag(n, constant, missing)
	}
	c.u32(&e.Flags)
	for i := range n {
		s := &e.Slots[i]
		bit := constant + i
		if e.Type == typeTransform && i >= 6 {
			bit++ // a rotation has room for a fourth number
		}
		if c.reading() {
			switch {
			case e.Flags>>(missing+i)&1 != 0:
				s.State = cgfx.Missing
			case e.Flags>>bit&1 != 0:
				s.State = cgfx.Constant
			default:
				s.State = cgfx.Curved
			}
		}
		switch s.State {
		case cgfx.Curved:
			ref(c, &s.Curve)
		case cgfx.Constant:
			c.f32(&s.Value)
		default:
			c.skip(4)
		}
	}
	if e.Type == typeQuaternions {
		for i, width := range [3]int{3, 4, 3} { // scales, rotations, translations
			e.Baked[i].pointer(c, width, e.Flags>>(2-i)&1 != 0, e.Flags>>(5-i)&1 == 0)
		}
	}
}

// flag sets the bits of what is written.
func (e *Element) flag(n, constant, missing int) {
	for i := range n {
		bit := constant + i
		if e.Type == typeTransform && i >= 6 {
			bit++
		}
		e.Flags &^= 1<<bit | 1<<(missing+i)
		switch e.Slots[i].State {
		case cgfx.Constant:
			e.Flags |= 1 << bit
		case cgfx.Missing:
			e.Flags |= 1 << (missing + i)
		}
	}
	if e.Type != typeQuaternions {
		return
	}
	for i := range e.Baked {
		b := &e.Baked[i]
		e.Flags &^= 1<<(2-i) | 1<<(5-i)
		if b.Width == 0 || len(b.Values) == 0 {
			e.Flags |= 1 << (5 - i)
		} else if len(b.Values) == b.Width {
			e.Flags |= 1 << (2 - i)
		}
	}
}

// Span is the frames of a curve.
type Span struct {
	Start, End float32
	Pre, Post  uint8
	Number     uint16
}

func (s *Span) fields(c *codec) {
	c.f32(&s.Start, &s.End)
	c.u8(&s.Pre)
	c.u8(&s.Post)
	c.u16(&s.Number)
}

// Curve is keys.
type Curve struct {
	Span
	Interpolation               uint8 // 0 step, 1 linear, 2 Hermite
	Packing                     uint8 // as in CGFX
	ValueScale, ValueOffset     float32
	FrameScale, InverseDuration float32
	Keys                        []byte
}

// Bytes of a key, by packing.
var keyBytes = [8]int{16, 8, 6, 12, 6, 4, 8, 4}

func (u *Curve) fields(c *codec) {
	u.Span.fields(c)
	if c.f.Version < 0x20 {
		// Older files have the rest behind a pointer, and the span again.
		at := c.pointer(true, nil)
		c.inside(at, func(c *codec) {
			c.skip(8)
			u.rest(c, false)
		})
		return
	}
	u.rest(c, true)
}

func (u *Curve) rest(c *codec, scaleFirst bool) {
	c.u8(&u.Interpolation)
	c.u8(&u.Packing)
	size := keyBytes[u.Packing&7]
	n := uint16(len(u.Keys) / size)
	c.u16(&n)
	if scaleFirst {
		c.f32(&u.ValueScale, &u.ValueOffset, &u.FrameScale, &u.InverseDuration)
	} else {
		c.f32(&u.InverseDuration, &u.ValueScale, &u.ValueOffset, &u.FrameScale)
	}
	run := func(c *codec) { copy(c.take(len(u.Keys)), u.Keys) }
	at := c.pointer(n > 0, run)
	if at < 0 || !c.reading() {
		return
	}
	if int(n)*size > len(c.data)-at {
		c.f.note(at, "%d keys do not fit into the file", n)
		return
	}
	c.inside(at, func(c *codec) { u.Keys = c.take(int(n) * size) })
}

// Baked is a value for each frame, of Width floats: vectors, quaternions, matrices.
type Baked struct {
	Span
	Width  int
	Values []float32
}

func (b *Baked) pointer(c *codec, width int, constant, there bool) {
	run := func(c *codec) {
		if constant {
			if c.reading() {
				b.Values = make([]float32, width)
			}
			c.floats(b.Values)
			return
		}
		b.Span.fields(c)
		b.values(c, width)
	}
	at := c.pointer(there, run)
	if at >= 0 && there {
		b.Width = width
		c.inside(at, run)
	}
}

func (b *Baked) inline(c *codec) {
	b.Span.fields(c)
	b.Width = 12
	b.values(c, 12)
}

func (b *Baked) values(c *codec, width int) {
	run := func(c *codec) { c.floats(b.Values) }
	at := c.pointer(len(b.Values) > 0, run)
	n := uint32(len(b.Values) / width)
	c.u32(&n)
	if at < 0 || !c.reading() {
		return
	}
	if int64(n)*int64(4*width) > int64(len(c.data)-at) {
		c.f.note(at, "%d frames do not fit into the file", n)
		return
	}
	b.Values = make([]float32, int(n)*width)
	c.inside(at, run)
}

// Bools is a bit a frame.
type Bools struct {
	Span
	Values []bool
}

func (b *Bools) fields(c *codec) {
	b.Span.fields(c)
	c.bits(&b.Values)
}
