package cgfx

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"pica200/assets/tree"
)

var le = binary.LittleEndian

// object is a structure of the file.
type object interface {
	// fields describes the structure's fields to the codec, in file order. The
	// description must be the same for a value that was read and one that is to be
	// written.
	fields(c *codec)
}

// objectOf is a pointer to a structure.
type objectOf[T any] interface {
	*T
	object
}

// signed is an object that begins with a signature: four letters at an offset.
type signed interface {
	signature() (offset int, letters string)
}

// mode is what a codec does with described fields.
type mode uint8

const (
	reading mode = iota
	writing      // write them to the positions of the layout
	placing      // assign positions in a new layout
	showing      // make nodes for inspection
)

// codec processes one structure of a file.
type codec struct {
	*layout
	mode  mode
	data  []byte
	at    int  // place of the next field
	item  int  // number of the current item
	short bool // the file ended before the structure did

	nodes []*tree.Node // showing
	prior []node       // showing: the structures on the way to this one
}

// node is a structure and its offset, to detect cycles.
type node struct {
	at   int
	kind any
}

// bytes returns the next n bytes of the file. Past the end, reading returns
// zeros and writing has no effect.
func (c *codec) bytes(n int) []byte {
	at := c.at
	c.at += n
	if at < 0 || c.at > len(c.data) {
		c.short = true
		return make([]byte, n)
	}
	return c.data[at:c.at]
}

// show adds a node for the last n bytes.
func (c *codec) show(name string, n int, value any, text string) {
	if c.mode == showing {
		c.nodes = append(c.nodes, tree.Field(name, int64(c.at-n), int64(n), value, text))
	}
}

// word is a field of 32 bits.
func word[T ~uint32 | ~int32](c *codec, name string, p *T) {
	if c.mode == placing {
		c.at += 4
		return
	}
	b := c.bytes(4)
	switch c.mode {
	case reading:
		*p = T(le.Uint32(b))
	case writing:
		le.PutUint32(b, uint32(*p))
	case showing:
		text := ""
		if s, ok := any(*p).(fmt.Stringer); ok {
			text = s.String()
		}
		switch v := any(*p).(type) {
		case int32:
			c.show(name, 4, int64(v), text)
		default:
			c.show(name, 4, uint32(*p), text)
		}
	}
}

func half[T ~uint16 | ~int16](c *codec, name string, p *T) {
	b := c.bytes(2)
	switch c.mode {
	case reading:
		*p = T(le.Uint16(b))
	case writing:
		le.PutUint16(b, uint16(*p))
	case showing:
		c.show(name, 2, int64(*p), "")
	}
}

func octet[T ~uint8](c *codec, name string, p *T) {
	b := c.bytes(1)
	switch c.mode {
	case reading:
		*p = T(b[0])
	case writing:
		b[0] = byte(*p)
	case showing:
		text := ""
		if s, ok := any(*p).(fmt.Stringer); ok {
			text = s.String()
		}
		c.show(name, 1, uint8(*p), text)
	}
}

func (c *codec) float(name string, p *float32) {
	v := [1]float32{*p}
	c.floats(name, v[:])
	if c.mode == reading {
		*p = v[0]
	}
}

// floats is a vector.
func (c *codec) floats(name string, v []float32) {
	sequence(c, name, v, math.Float32frombits, math.Float32bits, "%g")
}

// words is a sequence of 32-bit words: commands, or fields that the console
// fills in.
func (c *codec) words(name string, v []uint32) {
	same := func(v uint32) uint32 { return v }
	sequence(c, name, v, same, same, "%08x")
}

// sequence is numbers of 32 bits.
func sequence[T any](c *codec, name string, v []T, from func(uint32) T, to func(T) uint32, format string) {
	b := c.bytes(4 * len(v))
	switch c.mode {
	case reading:
		for i := range v {
			v[i] = from(le.Uint32(b[4*i:]))
		}
	case writing:
		for i := range v {
			le.PutUint32(b[4*i:], to(v[i]))
		}
	case showing:
		text := fmt.Sprintf(format, v)
		c.show(name, 4*len(v), nil, text[1:len(text)-1])
	}
}

// magic is a signature that is always the same.
func (c *codec) magic(letters string) {
	b := c.bytes(len(letters))
	switch c.mode {
	case reading:
		if string(b) != letters {
			c.problem(c.at-len(letters), "%s expected, found %q", letters, b)
		}
	case writing:
		copy(b, letters)
	case showing:
		c.show("magic", len(letters), letters, "")
	}
}

// pointer handles a word that is the distance from itself to its target. The
// caller describes the target; that description runs later, at the target. When
// reading, it returns the target, and ok false for a pointer that is 0 or
// invalid. Otherwise there says whether the target exists.
func (c *codec) pointer(there bool) (to int, ok bool) {
	at := c.at
	b := c.bytes(4)
	switch c.mode {
	case reading:
		v := int32(le.Uint32(b))
		if v == 0 {
			return 0, false
		}
		to = at + int(v)
		if to < 0 || to >= len(c.data) {
			c.problem(at, "the pointer leads to 0x%X, but the file has 0x%X bytes", to, len(c.data))
			c.raw[at] = v
			return 0, false
		}
		c.target[at] = to
		return to, true
	case writing:
		if v, ok := c.raw[at]; ok && !there {
			le.PutUint32(b, uint32(v))
			return 0, false
		}
		if to, ok = c.target[at]; ok && there {
			le.PutUint32(b, uint32(to-at))
			return to, true
		}
		le.PutUint32(b, 0)
		return 0, false
	case showing:
		to, ok = c.target[at]
		return to, ok && there
	}
	return at, there
}

// forget turns a followed pointer into one that is kept unchanged.
func (c *codec) forget(at int) {
	c.raw[at] = int32(c.target[at] - at)
	delete(c.target, at)
}

// ref is a pointer to a structure.
func ref[T any, P objectOf[T]](c *codec, name string, p **T) { refInit[T, P](c, name, p, nil) }

// refInit is ref with a function that runs before the structure is read, if not
// nil.
func refInit[T any, P objectOf[T]](c *codec, name string, p **T, init func(*T)) {
	at := c.at
	to, ok := c.pointer(*p != nil)
	kind := any((*T)(nil))
	switch c.mode {
	case reading:
		if !ok {
			return
		}
		if known, ok := c.index[node{to, kind}]; ok {
			*p = known.(*T)
			return
		}
		v := new(T)
		if s, ok := any(v).(signed); ok {
			offset, letters := s.signature()
			if to+offset+len(letters) > len(c.data) || string(c.data[to+offset:to+offset+len(letters)]) != letters {
				c.problem(at, "%s: %s expected at 0x%X", name, letters, to)
				c.forget(at)
				return
			}
		}
		if init != nil {
			init(v)
		}
		*p = v
		c.index[node{to, kind}] = v
		c.add(to, name, P(v).fields)
	case placing:
		if ok {
			c.link(at, node{0, *p}, name, 4, P(*p).fields)
		}
	case showing:
		if !ok {
			c.show(name, 4, nil, "none")
			return
		}
		c.expand(name, to, node{to, kind}, P(*p).fields)
	}
}

// back is a pointer to a structure that belongs to another one. It is read and
// written like any other, but not shown twice.
func back[T any, P objectOf[T]](c *codec, name string, p **T) {
	if c.mode == showing {
		to, ok := c.pointer(*p != nil)
		text := "none"
		if ok {
			text = fmt.Sprintf("at 0x%x", to)
		}
		c.show(name, 4, nil, text)
		return
	}
	ref[T, P](c, name, p)
}

// expand adds a node with the fields of a pointer's target, made during
// iteration.
func (c *codec) expand(name string, to int, self node, run func(*codec)) {
	prior := c.prior
	if slices.Contains(prior, self) || len(prior) > maxShownDepth {
		c.show(name, 4, nil, fmt.Sprintf("at 0x%x", to))
		return
	}
	c.shown(name, to, "", append(prior[:len(prior):len(prior)], self), run)
}

// shown adds a node of what is at an offset, with what run shows there.
func (c *codec) shown(name string, at int, text string, prior []node, run func(*codec)) {
	l, data := c.layout, c.data
	c.nodes = append(c.nodes, &tree.Node{Name: name, Offset: int64(at), Size: l.size(at), Text: text, Children: func(yield func(*tree.Node) bool) {
		s := codec{layout: l, mode: showing, data: data, at: at, prior: prior}
		run(&s)
		for _, n := range s.nodes {
			if !yield(n) {
				return
			}
		}
	}})
}

// maxShownDepth bounds the depth of inspection. Bones do not need more:
// pointers of their tree are not followed.
const maxShownDepth = 32

// text is a pointer to a name, which ends with a zero.
func (c *codec) text(name string, p *string) { c.string(name, p, 1) }

// string is a pointer to a text with units of one or two bytes and a 0 unit at
// its end. The bytes are kept.
func (c *codec) string(name string, p *string, unit int) {
	// The position of an empty name matters: files have both null pointers and
	// pointers to empty names.
	at := c.at
	to, ok := c.pointer(c.mode != reading && (*p != "" || c.hasTarget(at)))
	switch c.mode {
	case reading:
		if !ok {
			return
		}
		end := to
		for end+unit <= len(c.data) && (c.data[end] != 0 || c.data[end+unit-1] != 0) {
			end += unit
		}
		if end+unit > len(c.data) || end-to > maxText {
			c.problem(at, "%s: the text at 0x%X does not end", name, to)
			c.forget(at)
			return
		}
		*p = string(c.data[to:end])
		s := *p
		c.add(to, "text", func(c *codec) { c.chars(&s, unit) })
	case placing:
		if ok {
			s := *p
			c.link(at, node{unit, s}, "text", unit, func(c *codec) { c.chars(&s, unit) })
			c.items[c.self[node{unit, s}]].text = true
		}
	case showing:
		c.show(name, 4, *p, fmt.Sprintf("%.80q", *p))
	}
}

// maxText bounds a name.
const maxText = 1 << 12

func (c *codec) hasTarget(at int) bool {
	_, ok := c.target[at]
	return ok
}

// chars is the text itself.
func (c *codec) chars(s *string, unit int) {
	b := c.bytes(len(*s) + unit)
	if c.mode == writing {
		clear(b[copy(b, *s):])
	}
}

// count is the number before a pointer to n things of size bytes.
func (c *codec) count(name string, n int) int {
	v := uint32(n)
	if was, ok := c.counts[c.at]; ok && c.mode == writing && n == 0 {
		v = was // of a list that could not be read
	}
	word(c, name+" count", &v)
	return int(v)
}

// array handles count and pointer of a list. length and makeSlice are the
// slice's, run describes all elements, size is the least size of an element.
func (c *codec) array(name string, length, size int, self any, makeSlice func(n int), run func(*codec)) {
	n := c.count(name, length)
	at := c.at
	to, ok := c.pointer(length > 0 || c.mode != reading && c.hasTarget(at))
	switch c.mode {
	case reading:
		if !ok {
			if n != 0 {
				c.problem(at, "%s: there is no pointer to %d of them", name, n)
				c.counts[at-4] = uint32(n)
			}
			return
		}
		if n < 0 || n > (len(c.data)-to)/size {
			c.problem(at, "%s: %d at 0x%X do not fit into the file", name, uint32(n), to)
			c.forget(at)
			c.counts[at-4] = uint32(n)
			return
		}
		if n == 0 {
			return
		}
		makeSlice(n)
		c.add(to, name, run)
	case placing:
		if ok {
			c.link(at, node{0, self}, name, 4, run)
		}
	case showing:
		if ok && length > 0 {
			c.expand(fmt.Sprintf("%s (%d)", name, length), to, node{to, self}, run)
		} else {
			c.show(name, 4, nil, "none")
		}
	}
}

// refs is a list of pointers to structures.
func refs[T any, P objectOf[T]](c *codec, name string, p *[]*T) {
	c.array(name, len(*p), 4, p, func(n int) { *p = make([]*T, n) }, func(c *codec) {
		for i := range *p {
			ref[T, P](c, name, &(*p)[i])
		}
	})
}

// numbers is a list of words.
func (c *codec) numbers(name string, p *[]uint32) {
	c.array(name, len(*p), 4, p, func(n int) { *p = make([]uint32, n) }, func(c *codec) { c.words(name, *p) })
}

// reals is a list of floats.
func (c *codec) reals(name string, p *[]float32) {
	c.array(name, len(*p), 4, p, func(n int) { *p = make([]float32, n) }, func(c *codec) { c.floats(name, *p) })
}

// blob is size and pointer of bytes. Image data is in the section IMAG. The
// bytes are a slice of the file's.
func (c *codec) blob(name string, p *[]byte, image bool) {
	n := c.count(name, len(*p))
	at := c.at
	to, ok := c.pointer(len(*p) > 0 || c.mode != reading && c.hasTarget(at))
	run := func(c *codec) {
		b := c.bytes(len(*p))
		if c.mode == writing {
			copy(b, *p)
		}
	}
	switch c.mode {
	case reading:
		if !ok {
			if n != 0 {
				c.counts[at-4] = uint32(n)
			}
			return
		}
		if n < 0 || n > len(c.data)-to {
			c.problem(at, "%s: %d bytes at 0x%X do not fit into the file", name, uint32(n), to)
			c.forget(at)
			c.counts[at-4] = uint32(n)
			return
		}
		*p = c.data[to : to+n : to+n]
		c.blobs[to] = true
		c.add(to, name, run)
	case placing:
		if ok && image {
			c.linkImage(at, p, name, run)
		} else if ok {
			c.link(at, node{0, p}, name, 4, run)
		}
	case showing:
		c.nodes = append(c.nodes, tree.Fieldf(name, int64(to), int64(len(*p)), nil, "%d bytes", len(*p)))
	}
}

// optional is a part at the end of a structure that some writers leave out: it
// exists if no other structure is at its position. size is its size.
func (c *codec) optional(size int, run func(*codec)) {
	switch c.mode {
	case reading:
		c.pending = append(c.pending, tail{c.at, size, c.item, run})
	case placing:
		c.present[c.at] = true
		run(c)
	default:
		if c.present[c.at] {
			run(c)
		}
	}
}
