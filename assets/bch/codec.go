package bch

import (
	"encoding/binary"
	"fmt"
	"math"
)

var le = binary.LittleEndian

// The sections as relocations number them, of version 0x21. Source: SPICA, H3DSection.
const (
	inContents = iota
	inStrings
	inCommands
	inCommandsSrc
	inRaw
	inRawTexture
	inRawVertex
	inRawIndex16
	inRawIndex8
	inExt
	inExtTexture
	inExtVertex
	inExtIndex16
	inExtIndex8
	atBase
)

// codec reads fields of structures from a file with relocated pointers. It is not
// that of CGFX, because no structure is laid out as there: pointers count from the
// start of a section, numbers of things stand behind them, and trees behind lists.
// The structures become those of CGFX once they are read (resources.go).
type codec struct {
	f    *File
	data []byte
	at   int
}

// maxText bounds the length of a name.
const maxText = 1 << 12

// take returns the next n bytes. Past the end it returns zeros and marks the
// file as broken.
func (c *codec) take(n int) []byte {
	at := c.at
	c.at += n
	if c.f.budget -= n; at < 0 || c.at > len(c.data) || c.f.budget < 0 {
		c.f.fail(at, "a structure does not fit into the file")
		return make([]byte, n)
	}
	return c.data[at:c.at]
}

func (c *codec) skip(n int) { c.take(n) }

func (c *codec) u8(p *uint8)   { *p = c.take(1)[0] }
func (c *codec) u16(p *uint16) { *p = le.Uint16(c.take(2)) }
func (c *codec) i16(p *int16)  { *p = int16(le.Uint16(c.take(2))) }
func (c *codec) u32(p *uint32) { *p = le.Uint32(c.take(4)) }

func (c *codec) f32(p ...*float32) {
	for _, p := range p {
		*p = math.Float32frombits(le.Uint32(c.take(4)))
	}
}

func (c *codec) floats(v []float32) {
	for i := range v {
		c.f32(&v[i])
	}
}

func (c *codec) numbers(v []uint32) {
	for i := range v {
		c.u32(&v[i])
	}
}

// pointer returns the target of a pointer, -1 for none.
func (c *codec) pointer() int {
	var v uint32
	at := c.at
	c.u32(&v)
	if v == 0 {
		return -1
	}
	if int64(v) >= int64(len(c.data)) {
		c.f.note(at, "the pointer leads to 0x%X, but the file has 0x%X bytes", v, len(c.data))
		return -1
	}
	return int(v)
}

// inside runs body at another position, if there is one.
func (c *codec) inside(at int, body func(*codec)) {
	if at >= 0 {
		body(&codec{f: c.f, data: c.data, at: at})
	}
}

// fits reports whether n things of size bits fit into the file from a position on;
// if they do not, it notes so. They do not where there is no position.
func (c *codec) fits(at int, n uint32, bits int64, what string) bool {
	if at >= 0 && int64(n)*bits > 8*int64(len(c.data)-at) {
		c.f.note(at, "%d %s do not fit into the file", n, what)
		return false
	}
	return at >= 0
}

// text is a pointer to a name.
func (c *codec) text(p *string) {
	at := c.pointer()
	if at < 0 {
		return
	}
	end := at
	for end < len(c.data) && c.data[end] != 0 && end-at < maxText {
		end++
	}
	if end == len(c.data) || c.data[end] != 0 {
		c.f.note(at, "a text does not end")
		return
	}
	*p = string(c.data[at:end])
	c.f.budget -= len(*p)
}

// words is pointer and count of commands.
func (c *codec) words(p *[]uint32) { items(c, p, 4, "commands", (*codec).u32) }

// body is a structure that the codec can read.
type body[T any] interface {
	*T
	fields(c *codec)
}

// items is pointer and count of consecutive items, each of at least size bytes.
// what names them in a message.
func items[T any](c *codec, p *[]T, size int, what string, item func(*codec, *T)) {
	at := c.pointer()
	var n uint32
	c.u32(&n)
	if !c.fits(at, n, 8*int64(size), what) {
		return
	}
	*p = make([]T, n)
	c.inside(at, func(c *codec) {
		for i := range *p {
			item(c, &(*p)[i])
		}
	})
}

// list is pointer and count of consecutive structures.
func list[T any, P body[T]](c *codec, p *[]T, size int) {
	items(c, p, size, "structures", func(c *codec, v *T) { P(v).fields(c) })
}

// refs is pointer and count of pointers to structures.
func refs[T any, P body[T]](c *codec, p *[]*T) { items(c, p, 4, "pointers", ref[T, P]) }

// texts is pointer and count of names, each a word that leads to its text.
func texts(c *codec, list *[]string) { items(c, list, 4, "names", (*codec).text) }

func ref[T any, P body[T]](c *codec, p **T) {
	if at := c.pointer(); at >= 0 {
		*p = new(T)
		c.inside(at, P(*p).fields)
	}
}

// bits is pointer and count of bits, packed lowest first.
func (c *codec) bits(p *[]bool) {
	at := c.pointer()
	var n uint32
	c.u32(&n)
	if !c.fits(at, n, 1, "bits") {
		return
	}
	*p = make([]bool, n)
	c.inside(at, func(c *codec) {
		b := c.take((len(*p) + 7) / 8)
		for i := range *p {
			(*p)[i] = b[i/8]>>(i%8)&1 != 0
		}
	})
}

// named is a structure in a dictionary.
type named interface{ name() string }

// dict is a list of pointers with a tree over the names behind it.
func dict[T any, P interface {
	body[T]
	named
}](c *codec, p *[]*T) {
	refs[T, P](c, p)
	var names []string
	for _, v := range *p {
		if v == nil {
			names = append(names, "")
			continue
		}
		names = append(names, P(v).name())
	}
	c.tree(names)
}

// inlineDict is a list of structures with a tree over the names behind it.
func inlineDict[T any, P interface {
	body[T]
	named
}](c *codec, p *[]T, size int) {
	list[T, P](c, p, size)
	var names []string
	for i := range *p {
		names = append(names, P(&(*p)[i]).name())
	}
	c.tree(names)
}

// tree handles a pointer to a Patricia tree over names and returns the names in
// it. Reading does not need it; it reports names that the console's search would
// not find.
func (c *codec) tree(names []string) []string {
	at := c.pointer()
	var found []string
	c.inside(at, func(c *codec) {
		last := 0
		for i := 0; i <= last; i++ {
			var left, right uint16
			var text string
			c.skip(4) // the bit that is tested
			c.u16(&left)
			c.u16(&right)
			c.text(&text)
			if c.f.broken != nil {
				return
			}
			last = max(last, int(left), int(right))
			if i > 0 {
				found = append(found, text)
			}
		}
	})
	if names != nil && fmt.Sprint(found) != fmt.Sprint(names) {
		c.f.note(max(at, 0), "the tree over the names %q has %q", cut(names), cut(found))
	}
	return found
}

func cut(names []string) []string { return names[:min(len(names), 8)] }
