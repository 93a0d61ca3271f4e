package bch

import "pica200/assets/cgfx"

// Animation moves bones, materials or other things, according to its kind.
type Animation struct {
	Name     string
	Flags    uint8 // bit 0 loops
	kind     uint8
	curves   uint16
	Frames   float32
	Elements []*Element
	userData userData
	textures []string // of materials
}

func (a *Animation) name() string { return a.Name }

// kindMaterial is the kind that stores names of textures.
const kindMaterial = 1

func (a *Animation) fields(c *codec) {
	c.text(&a.Name)
	c.u8(&a.Flags)
	c.u8(&a.kind)
	c.u16(&a.curves)
	c.f32(&a.Frames)
	refs(c, &a.Elements)
	a.userData.pointer(c)
	if a.kind != kindMaterial {
		return
	}
	texts(c, &a.textures)
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

// Element animates one property of a bone, material, light, camera or fog.
type Element struct {
	Name   string
	target uint16 // of targets
	Type   uint16
	flags  uint32
	Slots  [9]Slot // in the order of the file
	baked  [3]baked
	bools  *bools
}

// Slot is one component of an animated value: a curve, a constant, or empty.
type Slot struct {
	State cgfx.SlotState
	Value float32
	Curve *Curve
}

// counts returns the number of slots of a type, and the first of the flag bits
// that mark constant and missing ones.
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
	c.u16(&e.target)
	c.u16(&e.Type)
	switch e.Type {
	case typeBool:
		if e.bools == nil {
			e.bools = &bools{}
		}
		e.bools.fields(c)
		return
	case typeMatrices:
		e.baked[0].inline(c)
		return
	}
	n, constant, missing := counts(e.Type)
	c.u32(&e.flags)
	for i := range n {
		s := &e.Slots[i]
		bit := constant + i
		if e.Type == typeTransform && i >= 6 {
			bit++ // a rotation has room for a fourth number
		}
		switch {
		case e.flags>>(missing+i)&1 != 0:
			s.State = cgfx.Missing
			c.skip(4)
		case e.flags>>bit&1 != 0:
			s.State = cgfx.Constant
			c.f32(&s.Value)
		default:
			s.State = cgfx.Curved
			ref(c, &s.Curve)
		}
	}
	if e.Type == typeQuaternions {
		for i, width := range [3]int{3, 4, 3} { // scales, rotations, translations
			e.baked[i].pointer(c, width, e.flags>>(2-i)&1 != 0, e.flags>>(5-i)&1 == 0)
		}
	}
}

// Span is the frame range of a curve.
type Span struct {
	Start, End float32
	Pre, Post  uint8
	number     uint16
}

func (s *Span) fields(c *codec) {
	c.f32(&s.Start, &s.End)
	c.u8(&s.Pre)
	c.u8(&s.Post)
	c.u16(&s.number)
}

// Curve is a number that changes over frames, as packed keys.
type Curve struct {
	Span
	Interpolation               uint8 // 0 step, 1 linear, 2 Hermite
	Packing                     uint8 // as in CGFX
	ValueScale, ValueOffset     float32
	FrameScale, inverseDuration float32
	Keys                        []byte
}

// Bytes of a key, by packing.
var keyBytes = [8]int{16, 8, 6, 12, 6, 4, 8, 4}

func (u *Curve) fields(c *codec) {
	u.Span.fields(c)
	if c.f.Version < 0x20 {
		// Older files have the rest behind a pointer, with a second copy of the span.
		c.inside(c.pointer(), func(c *codec) {
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
	var n uint16
	c.u16(&n)
	if scaleFirst {
		c.f32(&u.ValueScale, &u.ValueOffset, &u.FrameScale, &u.inverseDuration)
	} else {
		c.f32(&u.inverseDuration, &u.ValueScale, &u.ValueOffset, &u.FrameScale)
	}
	if at := c.pointer(); c.fits(at, uint32(n), 8*int64(size), "keys") {
		c.inside(at, func(c *codec) { u.Keys = c.take(int(n) * size) })
	}
}

// baked has a value of Width floats for each frame: vectors, quaternions,
// matrices.
type baked struct {
	Span
	width  int
	Values []float32
}

func (b *baked) pointer(c *codec, width int, constant, there bool) {
	at := c.pointer()
	if at < 0 || !there {
		return
	}
	b.width = width
	c.inside(at, func(c *codec) {
		if constant {
			b.Values = make([]float32, width)
			c.floats(b.Values)
			return
		}
		b.Span.fields(c)
		b.values(c, width)
	})
}

func (b *baked) inline(c *codec) {
	b.Span.fields(c)
	b.width = 12
	b.values(c, 12)
}

func (b *baked) values(c *codec, width int) {
	at := c.pointer()
	var n uint32
	c.u32(&n)
	if c.fits(at, n, 32*int64(width), "frames") {
		b.Values = make([]float32, int(n)*width)
		c.inside(at, func(c *codec) { c.floats(b.Values) })
	}
}

// bools is a bit a frame.
type bools struct {
	Span
	values []bool
}

func (b *bools) fields(c *codec) {
	b.Span.fields(c)
	c.bits(&b.values)
}
