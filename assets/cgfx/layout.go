package cgfx

import (
	"cmp"
	"fmt"
	"slices"

	"pica200/assets/tree"
)

// layout is the positions of a file's structures.
type layout struct {
	items    []item
	index    map[node]any   // structures by offset and type
	target   map[int]int    // target of the pointer at an offset
	raw      map[int]int32  // invalid pointers, unchanged
	counts   map[int]uint32 // counts before such pointers
	present  map[int]bool   // optional parts that exist
	blobs    map[int]bool   // bytes of textures, buffers and shaders
	sizes    map[int]int64
	pending  []tail
	findings tree.Findings
	budget   int

	// For placing:
	self    map[any]int // item number of a thing
	offsets map[any]int // of structures, made when a check asks
	links   []link
	build   bool // rebuild the trees of dictionaries
	err     error
}

// item is something with its own position.
type item struct {
	at, size int
	name     string
	align    int
	image    bool
	text     bool
	run      func(*codec)
}

// tail is an optional part; whether it exists is decided after everything else
// has been read.
type tail struct {
	at, size, item int
	run            func(*codec)
}

// link is a pointer to an item without a position yet.
type link struct{ at, item int }

func newLayout() *layout {
	return &layout{index: map[node]any{}, target: map[int]int{}, raw: map[int]int32{}, counts: map[int]uint32{}, present: map[int]bool{},
		blobs: map[int]bool{}, sizes: map[int]int64{}, self: map[any]int{}}
}

func (l *layout) problem(at int, format string, args ...any) {
	if len(l.findings) < maxFindings {
		l.findings.Problemf(int64(at), format, args...)
	}
}

func (l *layout) note(at int, format string, args ...any) {
	if len(l.findings) < maxFindings {
		l.findings.Notef(int64(at), format, args...)
	}
}

// maxFindings bounds the findings for a file.
const maxFindings = 1000

// add adds an item at an offset that is read. An offset is read once for each
// type of pointer to it.
func (l *layout) add(at int, name string, run func(*codec)) {
	l.items = append(l.items, item{at: at, name: name, run: run})
}

func (l *layout) size(at int) int64 { return l.sizes[at] }

// read reads everything, starting with the first item. Structures of a
// malicious file may overlap, so their total size is bounded.
func (l *layout) read(data []byte) error {
	l.budget = 8*len(data) + 1<<16
	next := 0
	for {
		for ; next < len(l.items); next++ {
			it := &l.items[next]
			c := codec{layout: l, mode: reading, data: data, at: it.at, item: next}
			run := it.run
			run(&c)
			it = &l.items[next] // more may have been added
			it.size = c.at - it.at
			if c.short {
				l.problem(it.at, "%s: the file ends before it does", it.name)
				it.size = min(it.size, len(data)-it.at)
			}
			l.sizes[it.at] = int64(it.size)
			if l.budget -= it.size + itemCost; l.budget < 0 {
				return fmt.Errorf("cgfx: the structures overlap: %d of them take more than eight times the file's 0x%X bytes", next+1, len(data))
			}
		}
		if len(l.pending) == 0 {
			return nil
		}
		l.readTails(data)
	}
}

// itemCost is the cost of an item besides its bytes.
const itemCost = 16

// readTails reads the optional parts whose positions nothing else uses.
func (l *layout) readTails(data []byte) {
	pending := l.pending
	l.pending = nil
	slices.SortStableFunc(pending, func(a, b tail) int { return cmp.Compare(a.at, b.at) })
	starts := make([]int, 0, len(l.items))
	for _, it := range l.items {
		starts = append(starts, it.at)
	}
	slices.Sort(starts)
	for _, t := range pending {
		k, _ := slices.BinarySearch(starts, t.at)
		if k < len(starts) && starts[k] < t.at+t.size || t.at+t.size > len(data) || l.present[t.at] {
			continue
		}
		l.present[t.at] = true
		c := codec{layout: l, mode: reading, data: data, at: t.at, item: t.item}
		t.run(&c)
		it := &l.items[t.item]
		it.size = max(it.size, c.at-it.at)
		l.sizes[it.at] = int64(it.size)
	}
}

// link records that the pointer at an offset refers to a thing, and adds an
// item for it if needed.
func (l *layout) link(at int, self node, name string, align int, run func(*codec)) {
	n, ok := l.self[self]
	if !ok {
		n = len(l.items)
		l.self[self] = n
		l.items = append(l.items, item{name: name, align: align, run: run})
	}
	l.links = append(l.links, link{at, n})
}

func (l *layout) linkImage(at int, p *[]byte, name string, run func(*codec)) {
	l.link(at, node{0, p}, name, imageAlign, run)
	l.items[len(l.items)-1].image = true
}

// imageAlign is the alignment of the contents of IMAG in a file that is laid out anew.
// Source: every known banner that works has its textures at multiples of 128 bytes
// (lint rule "image-alignment").
const imageAlign = 128

// assignOffsets assigns positions to everything, starting with the first item: structures,
// then texts, then images behind their own header. It returns the position of that
// header, 0 without images, and the total size.
func (l *layout) assignOffsets() (imag, size int) {
	at := 0
	put := func(i int) {
		it := &l.items[i]
		at = (at + it.align - 1) / it.align * it.align
		it.at = at
		c := codec{layout: l, mode: placing, at: at, item: i}
		it.run(&c)
		it = &l.items[i]
		it.size = c.at - it.at
		at = c.at
	}
	var texts, images []int
	for i := 0; i < len(l.items); i++ {
		switch {
		case l.items[i].image:
			images = append(images, i)
		case l.items[i].text:
			texts = append(texts, i)
		default:
			put(i)
		}
	}
	for _, i := range texts {
		put(i)
	}
	if len(images) > 0 {
		// The contents begin right after the header.
		at = (at+sectionHeader+imageAlign-1)/imageAlign*imageAlign - sectionHeader
		imag = at
		at += sectionHeader
		for _, i := range images {
			put(i)
		}
		at = (at + imageAlign - 1) / imageAlign * imageAlign
	} else {
		at = (at + 3) &^ 3
	}
	for _, k := range l.links {
		l.target[k.at] = l.items[k.item].at
	}
	for _, it := range l.items {
		l.sizes[it.at] = int64(it.size)
	}
	return imag, at
}

// write writes all items at their positions.
func (l *layout) write(data []byte) error {
	for i := range l.items {
		it := &l.items[i]
		c := codec{layout: l, mode: writing, data: data, at: it.at, item: i}
		it.run(&c)
		if n := c.at - it.at; n != it.size && !c.short {
			return fmt.Errorf("cgfx: %s at 0x%X takes 0x%X bytes now and had 0x%X; use Relayout", it.name, it.at, n, it.size)
		}
	}
	return nil
}

// gap is a range of bytes outside of all structures.
type gap struct {
	offset int
	data   []byte // part of the file's bytes
	after  string // the part before it
	zero   bool   // all bytes are 0: padding, or fields that the console fills in
}

// gaps finds the bytes outside of all structures.
func (l *layout) gaps(data []byte, more ...item) (out []gap) {
	items := append(slices.Clone(l.items), more...)
	slices.SortStableFunc(items, func(a, b item) int { return cmp.Compare(a.at, b.at) })
	end, after := 0, "the start"
	add := func(to int) {
		if to <= end {
			return
		}
		g := gap{offset: end, data: data[end:to:to], after: after, zero: true}
		for _, b := range g.data {
			g.zero = g.zero && b == 0
		}
		out = append(out, g)
	}
	for _, it := range items {
		if it.size <= 0 {
			continue
		}
		add(min(it.at, len(data)))
		if it.at+it.size > end {
			end, after = it.at+it.size, it.name
		}
	}
	add(len(data))
	return out
}
