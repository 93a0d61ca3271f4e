package bch

import (
	"slices"

	"pica200/assets/cgfx"
)

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

// writer collects the sections of a new file.
type writer struct {
	contents []byte
	strings  []byte
	commands []uint32
	raw      []byte
	relocs   []uint32
	later    []func()
	texts    map[string]uint32
	err      error
}

// reference is a word of a command list that points into the raw data, or to
// its base.
type reference struct {
	word   int
	target int
	data   []byte
}

func (w *writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *writer) align(n int) {
	for len(w.contents)%n != 0 {
		w.contents = append(w.contents, 0)
	}
}

func (w *writer) relocate(source int, at uint32, target int) {
	if target != inStrings {
		at >>= 2
	}
	w.relocs = append(w.relocs, at&0x1FFFFFF|uint32(target)<<25|uint32(source)<<29)
}

// point makes the word at offset at of the contents point to an offset of a
// section.
func (w *writer) point(at, target int, to uint32) {
	le.PutUint32(w.contents[at:], to)
	w.relocate(inContents, uint32(at), target)
}

func (w *writer) pointText(at int, s string) {
	to, ok := w.texts[s]
	if !ok {
		to = uint32(len(w.strings))
		w.strings = append(append(w.strings, s...), 0)
		w.texts[s] = to
	}
	w.point(at, inStrings, to)
}

func (w *writer) pointWords(at int, words []uint32, refs []reference) {
	for len(w.commands)%4 != 0 {
		w.commands = append(w.commands, 0)
	}
	to := uint32(len(w.commands))
	w.commands = append(w.commands, words...)
	w.point(at, inCommands, 4*to)
	for _, r := range refs {
		place := to + uint32(r.word)
		w.relocate(inCommands, 4*place, r.target)
		if r.target == atBase {
			continue
		}
		for len(w.raw)%128 != 0 {
			w.raw = append(w.raw, 0)
		}
		w.commands[place] = uint32(len(w.raw))
		w.raw = append(w.raw, r.data...)
	}
}

// node is a node of a Patricia tree.
type node struct {
	bit         uint32
	left, right uint16
	text        string
}

func (n *node) fields(c *codec) {
	c.u32(&n.bit)
	c.u16(&n.left)
	c.u16(&n.right)
	c.text(&n.text)
}

func treeOf(names []string) ([]node, error) {
	var d cgfx.Dict[struct{}]
	for _, n := range names {
		d.Add(n, nil)
	}
	if err := d.Build(); err != nil {
		return nil, err
	}
	out := []node{{bit: d.Root.Bit, left: d.Root.Left, right: d.Root.Right}}
	for _, e := range d.Entries {
		out = append(out, node{e.Bit, e.Left, e.Right, e.Name})
	}
	return out, nil
}

// Write writes the file in the layout of version 0x21.
func (f *File) Write() ([]byte, error) {
	n := *f
	n.Version = writtenVersion
	w := &writer{texts: map[string]uint32{}, strings: []byte{0}}
	c := &codec{f: &n, w: w}
	n.fields(c)
	for len(w.later) > 0 {
		run := w.later[0]
		w.later = w.later[1:]
		run()
	}
	if w.err != nil {
		return nil, w.err
	}
	out := make([]byte, headerSize)
	place := func(b []byte, align int) (at, size uint32) {
		for len(out)%align != 0 {
			out = append(out, 0)
		}
		at = uint32(len(out))
		out = append(out, b...)
		return at, uint32(len(b))
	}
	bytesOf := func(v []uint32) (b []byte) {
		for _, x := range v {
			b = le.AppendUint32(b, x)
		}
		return b
	}
	var h [16]uint32 // addresses and sizes, in the order of the header
	h[0], h[6] = place(w.contents, 4)
	h[1], h[7] = place(w.strings, 16)
	h[2], h[8] = place(bytesOf(w.commands), 128)
	h[3], h[9] = place(w.raw, 128)
	h[4], h[10] = place(nil, 128)
	slices.Sort(w.relocs)
	h[5], h[11] = place(bytesOf(w.relocs), 4)
	copy(out, magic)
	out[4], out[5] = writtenVersion, writtenVersion
	le.PutUint16(out[6:], f.Converter)
	for i, v := range h[:14] {
		le.PutUint32(out[8+4*i:], v)
	}
	le.PutUint16(out[0x40:], f.Flags)
	return out, nil
}
