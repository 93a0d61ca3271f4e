package bch

import (
	"encoding/binary"
	"fmt"
	"math"
)

var le = binary.LittleEndian

// codec reads fields of structures from a file with relocated pointers, or
// appends them to a new file.
type codec struct {
	f    *File
	w    *writer // nil when reading
	data []byte
	at   int
}

// maxText bounds the length of a name.
const maxText = 1 << 12

func (c *codec) reading() bool { return c.w == nil }

// take returns the next n bytes. Past the end it returns zeros and marks the
// file as broken.
func (c *codec) take(n int) []byte {
	if c.w != nil {
		at := len(c.w.contents)
		c.w.contents = append(c.w.contents, make([]byte, n)...)
		return c.w.contents[at:]
	}
	at := c.at
	c.at += n
	if c.f.budget -= n; at < 0 || c.at > len(c.data) || c.f.budget < 0 {
		c.f.fail(at, "a structure does not fit into the file")
		return make([]byte, n)
	}
	return c.data[at:c.at]
}

func number[T ~uint8 | ~uint16 | ~uint32 | ~int8 | ~int16 | ~int32](c *codec, p *T, size int) {
	b := c.take(size)
	if c.reading() {
		v := uint32(0)
		for i := range size {
			v |= uint32(b[i]) << (8 * i)
		}
		*p = T(v)
		return
	}
	for i := range size {
		b[i] = byte(uint32(*p) >> (8 * i))
	}
}

func (c *codec) u8(p *uint8)   { number(c, p, 1) }
func (c *codec) u16(p *uint16) { number(c, p, 2) }
func (c *codec) u32(p *uint32) { number(c, p, 4) }

func (c *codec) f32(p ...*float32) {
	for _, p := range p {
		v := math.Float32bits(*p)
		c.u32(&v)
		*p = math.Float32frombits(v)
	}
}

func (c *codec) floats(v []float32) {
	for i := range v {
		c.f32(&v[i])
	}
}

func (c *codec) skip(n int) { c.take(n) }

// pointer handles a pointer. Reading returns the target, -1 for none. Writing
// runs body later, at the target.
func (c *codec) pointer(there bool, body func(*codec)) int {
	if c.w != nil {
		at := len(c.w.contents)
		c.take(4)
		if there {
			c.w.later = append(c.w.later, func() {
				c.w.align(4)
				c.w.point(at, inContents, uint32(len(c.w.contents)))
				body(c)
			})
		}
		return -1
	}
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

// inside runs body at another place.
func (c *codec) inside(at int, body func(*codec)) {
	if at < 0 {
		return
	}
	body(&codec{f: c.f, data: c.data, at: at})
}

// text is a pointer to a name.
func (c *codec) text(p *string) {
	if c.w != nil {
		at := len(c.w.contents)
		c.take(4)
		if *p != "" {
			c.w.pointText(at, *p)
		}
		return
	}
	at := c.pointer(false, nil)
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
func (c *codec) words(p *[]uint32, refs ...reference) {
	if c.w != nil {
		at := len(c.w.contents)
		c.take(8)
		if len(*p) > 0 {
			c.w.pointWords(at, *p, refs)
			le.PutUint32(c.w.contents[at+4:], uint32(len(*p)))
		}
		return
	}
	at := c.pointer(false, nil)
	var n uint32
	c.u32(&n)
	if at < 0 {
		return
	}
	c.inside(at, func(c *codec) {
		if int64(n)*4 > int64(len(c.data)-at) {
			c.f.note(at, "%d commands do not fit into the file", n)
			return
		}
		b := c.take(4 * int(n))
		*p = make([]uint32, n)
		for i := range *p {
			(*p)[i] = le.Uint32(b[4*i:])
		}
	})
}

// body is a structure that the codec can read and write.
type body[T any] interface {
	*T
	fields(c *codec)
}

// items is pointer and count of consecutive items, each of at least size bytes.
// what names them in a message.
func items[T any](c *codec, p *[]T, size int, what string, item func(*codec, *T)) {
	run := func(c *codec) {
		for i := range *p {
			item(c, &(*p)[i])
		}
	}
	at := c.pointer(len(*p) > 0, run)
	n := uint32(len(*p))
	c.u32(&n)
	if at < 0 || !c.reading() {
		return
	}
	if int64(n)*int64(size) > int64(len(c.data)-at) {
		c.f.note(at, "%d %s do not fit into the file", n, what)
		return
	}
	*p = make([]T, n)
	c.inside(at, run)
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
	at := c.pointer(*p != nil, func(c *codec) { P(*p).fields(c) })
	if at >= 0 {
		*p = new(T)
		c.inside(at, P(*p).fields)
	}
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

// tree handles a pointer to a Patricia tree over names. Reading does not need
// it; it reports names that the console's search would not find.
func (c *codec) tree(names []string) []string {
	nodes, err := treeOf(names)
	if err != nil && c.w != nil {
		c.w.fail(err)
	}
	at := c.pointer(true, func(c *codec) {
		for i := range nodes {
			nodes[i].fields(c)
		}
	})
	var found []string
	c.inside(at, func(c *codec) {
		last := 0
		for i := 0; i <= last; i++ {
			var n node
			n.fields(c)
			if c.f.broken != nil {
				return
			}
			last = max(last, int(n.left), int(n.right))
			if i > 0 {
				found = append(found, n.text)
			}
		}
	})
	if c.reading() && names != nil && fmt.Sprint(found) != fmt.Sprint(names) {
		c.f.note(max(at, 0), "the tree over the names %q has %q", cut(names), cut(found))
	}
	return found
}

func cut(names []string) []string { return names[:min(len(names), 8)] }
