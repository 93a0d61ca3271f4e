package cgfx

import (
	"cmp"
	"fmt"
	"slices"

	"pica200/assets/tree"
)

// layout is where the structures of a file lie.
type layout struct {
	items    []item
	index    map[node]any   // structures by place and kind
	target   map[int]int    // of the pointer at a place
	raw      map[int]int32  // pointers that lead nowhere, as they are
	counts   map[int]uint32 // numbers before such pointers
	present  map[int]bool   // optional parts that are there
	images   map[int]bool   // blobs of the section IMAG
	sizes    map[int]int64
	pending  []tail
	findings tree.Findings
	budget   int

	// placing
	self   map[any]int // number of the item of a thing
	places map[any]int // of structures, made when a check asks
	links  []link
	build  bool // makes the trees of dictionaries anew
	err    error
}

// item is something with a place of its own.
type item struct {
	at, size int
	name     string
	align    int
	image    bool
	text     bool
	run      func(*codec)
}

// tail is an optional part that waits until everything else has its place.
type tail struct {
	at, size, item int
	run            func(*codec)
}

// link is a pointer to an item whose place is not known yet.
type link struct{ at, item int }

func newLayout() *layout {
	return &layout{index: map[node]any{}, target: map[int]int{}, raw: map[int]int32{}, counts: map[int]uint32{}, present: map[int]bool{},
		images: map[int]bool{}, sizes: map[int]int64{}, self: map[any]int{}}
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

// maxFindings bounds what is said about one file.
const maxFindings = 1000

// add makes an item of a place that is read. The same place is read once for each
// pointer that has a type of its own.
func (l *layout) add(at int, name string, run func(*codec)) {
	l.items = append(l.items, item{at: at, name: name, run: run})
}

func (l *layout) size(at int) int64 { return l.sizes[at] }

// read runs everything from the first item on. Structures may overlap in a hostile file,
// so there is a limit to what they take together.
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

// itemCost is what an item takes from the budget besides its bytes.
const itemCost = 16

// readTails reads the optional parts that nothing else stands in.
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

// link notes that the pointer at a place leads to a thing, and makes it an item if it is
// none yet.
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

// place lays everything out from the first item on: structures, then texts, then the
// images behind a header of their own. It returns the place of that header, 0 if there
// are no images, and the size of the whole.
func (l *layout) place() (imag, size int) {
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
		// The contents begin right behind the header.
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

// write writes all items at their places.
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

// gap is a run of bytes that no structure holds.
type gap struct {
	offset int
	data   []byte // part of the file's bytes
	after  string // what stands before
	zero   bool   // all bytes are 0: padding, or room for the console's own use
}

// gaps finds the bytes that belong to nothing.
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
