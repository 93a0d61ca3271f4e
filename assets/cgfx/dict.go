package cgfx

import (
	"cmp"
	"fmt"
	"slices"

	"pica200/assets/tree"
)

// Dict is a dictionary: names with structures, in order, and a Patricia tree
// over the names, which the console searches.
type Dict[T any] struct {
	Root    Branch    // its left is where the search begins
	rest    [2]uint32 // in place of the root's name and value; 0
	Entries []Entry[T]
}

// Branch is a node of the tree: the number of the bit to test, and the next
// entries (from 1; 0 is the root). Bit i of a name is bit i%8 of its byte i/8.
type Branch struct {
	Bit         uint32
	Left, Right uint16
}

// Entry is a name with its structure; Value may be nil.
type Entry[T any] struct {
	Branch
	Name  string
	Value *T
}

// Get returns the structure with a name, nil if there is none.
func (d *Dict[T]) Get(name string) *T {
	for i := range d.Entries {
		if d.Entries[i].Name == name {
			return d.Entries[i].Value
		}
	}
	return nil
}

// Values returns all structures that are not nil, in order.
func (d *Dict[T]) Values() (out []*T) {
	for i := range d.Entries {
		if v := d.Entries[i].Value; v != nil {
			out = append(out, v)
		}
	}
	return out
}

// Names returns the names in order.
func (d *Dict[T]) Names() (out []string) {
	for i := range d.Entries {
		out = append(out, d.Entries[i].Name)
	}
	return out
}

// Add appends an entry. Names must differ. Call Build afterwards to make the
// tree.
func (d *Dict[T]) Add(name string, v *T) {
	d.Entries = append(d.Entries, Entry[T]{Name: name, Value: v})
}

const (
	dictHeader = 12
	dictNode   = 16
)

// dict is count and pointer of a dictionary.
func dict[T any, P objectOf[T]](c *codec, name string, d *Dict[T]) { dictInit[T, P](c, name, d, nil) }

// dictInit is dict with a function that runs before each structure is read, if
// not nil.
func dictInit[T any, P objectOf[T]](c *codec, name string, d *Dict[T], init func(*T)) {
	n := c.count(name, len(d.Entries))
	at := c.at
	to, ok := c.pointer(len(d.Entries) > 0 || c.mode != reading && c.hasTarget(at))
	run := func(c *codec) { dictBody[T, P](c, d, init) }
	switch c.mode {
	case reading:
		if !ok {
			if n != 0 {
				c.problem(at, "%s: there is no dictionary for %d entries", name, uint32(n))
				c.counts[at-4] = uint32(n)
			}
			return
		}
		switch {
		case to+dictHeader+dictNode > len(c.data) || string(c.data[to:to+4]) != "DICT":
			c.problem(at, "%s: no dictionary of %d entries at 0x%x", name, uint32(n), to)
		case int(le.Uint32(c.data[to+8:])) != n || n < 0 || n > (len(c.data)-to-dictHeader)/dictNode-1:
			c.problem(at, "%s: no dictionary of %d entries at 0x%x, it says %d", name, uint32(n), to, le.Uint32(c.data[to+8:]))
		default:
			d.Entries = make([]Entry[T], n)
			c.add(to, "dictionary of "+name, run)
			return
		}
		c.forget(at)
		c.counts[at-4] = uint32(n)
	case placing:
		if c.build && c.err == nil {
			c.err = d.Build()
		}
		if ok {
			c.link(at, node{0, d}, "dictionary of "+name, 4, run)
		}
	case showing:
		if !ok {
			c.nodes = append(c.nodes, tree.Field(name, int64(at-4), 8, nil, "0 entries"))
			return
		}
		text := fmt.Sprintf("%d entries", len(d.Entries))
		if len(d.Entries) == 1 {
			text = "1 entry"
		}
		c.shown(name, to, text, c.prior, run)
	}
}

// dictBody is the dictionary itself.
func dictBody[T any, P objectOf[T]](c *codec, d *Dict[T], init func(*T)) {
	if c.mode == showing {
		c.at += dictHeader + dictNode
		for i := range d.Entries {
			e := &d.Entries[i]
			c.at += dictNode - 4
			ref[T, P](c, e.Name, &e.Value)
			if n := c.nodes[len(c.nodes)-1]; n.Children != nil {
				n.Text = fmt.Sprintf("bit %d, left %d, right %d", e.Bit, e.Left, e.Right)
			}
		}
		return
	}
	c.magic("DICT")
	size := uint32(dictHeader + dictNode*(1+len(d.Entries)))
	count := c.at
	if was, ok := c.counts[count]; ok && c.mode == writing {
		size = was
	}
	word(c, "size", &size)
	if c.mode == reading && size != uint32(dictHeader+dictNode*(1+len(d.Entries))) {
		c.note(count, "a dictionary of %d entries says that it has 0x%x bytes", len(d.Entries), size)
		c.counts[count] = size
	}
	c.count("entries", len(d.Entries))
	d.Root.fields(c)
	c.words("root", d.rest[:])
	for i := range d.Entries {
		e := &d.Entries[i]
		e.Branch.fields(c)
		c.text("name", &e.Name)
		name := "entry"
		if c.mode == reading {
			name = fmt.Sprintf("entry %d (%.60s)", i, e.Name)
		}
		refInit[T, P](c, name, &e.Value, init)
	}
}

func (b *Branch) fields(c *codec) {
	word(c, "bit", &b.Bit)
	half(c, "left", &b.Left)
	half(c, "right", &b.Right)
}

// Build makes the tree. It fails if two names are equal.
//
// The tree is that of the console's tools (SPICA, PatriciaTree). A search
// starts at the root's left and goes to ever lower bits, to the right if the
// name has the bit, until the bit number no longer falls; it then compares that
// entry. Longer names are added first, so that the root has the highest bit of
// all names.
func (d *Dict[T]) Build() error {
	d.Root = Branch{Bit: ^uint32(0)}
	order := make([]int, len(d.Entries))
	longest := 0
	for i := range order {
		order[i] = i
		longest = max(longest, len(d.Entries[i].Name))
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(d.Entries[b].Name), len(d.Entries[a].Name)) })
	branch := func(i int) (*Branch, string) {
		if i == 0 {
			return &d.Root, ""
		}
		e := &d.Entries[i-1]
		return &e.Branch, e.Name
	}
	// search follows the tree to the first bit that is at most limit.
	search := func(name string, limit int64) (found, parent int) {
		root, _ := branch(0)
		bit := int64(root.Bit)
		found = int(root.Left)
		for {
			b, _ := branch(found)
			if int64(b.Bit) >= bit || int64(b.Bit) <= limit || found == 0 {
				return found, parent
			}
			parent, bit = found, int64(b.Bit)
			if nameBit(name, b.Bit) {
				found = int(b.Right)
			} else {
				found = int(b.Left)
			}
		}
	}
	for _, k := range order {
		e := &d.Entries[k]
		near, _ := search(e.Name, -1)
		_, other := branch(near)
		bit := int64(longest)*8 - 1
		for bit >= 0 && nameBit(other, uint32(bit)) == nameBit(e.Name, uint32(bit)) {
			bit--
		}
		if bit < 0 {
			return fmt.Errorf("cgfx: two entries of a dictionary are named %q", e.Name)
		}
		below, above := search(e.Name, bit)
		e.Bit = uint32(bit)
		e.Left, e.Right = uint16(k+1), uint16(below)
		if nameBit(e.Name, e.Bit) {
			e.Left, e.Right = uint16(below), uint16(k+1)
		}
		p, _ := branch(above)
		if above != 0 && nameBit(e.Name, p.Bit) {
			p.Right = uint16(k + 1)
		} else {
			p.Left = uint16(k + 1)
		}
	}
	return nil
}

// Find searches a name in the tree as the console does. It returns the index of
// the entry, -1 if the search ends at another one.
func (d *Dict[T]) Find(name string) int {
	bit, at := int64(d.Root.Bit), int(d.Root.Left)
	for range d.Entries {
		if at < 1 || at > len(d.Entries) {
			return -1
		}
		e := &d.Entries[at-1]
		if int64(e.Bit) >= bit {
			break
		}
		bit = int64(e.Bit)
		if nameBit(name, e.Bit) {
			at = int(e.Right)
		} else {
			at = int(e.Left)
		}
	}
	if at < 1 || at > len(d.Entries) || d.Entries[at-1].Name != name {
		return -1
	}
	return at - 1
}

func nameBit(name string, bit uint32) bool {
	i := int(bit / 8)
	return i < len(name) && name[i]>>(bit%8)&1 != 0
}
