package mbs

import (
	"cmp"
	"fmt"
	"slices"

	"pica200/assets/tree"
)

// Storage is the kind of memory a table of symbols describes. It decides how
// symbols are aligned and how far apart the elements of arrays are. All sizes
// are in units of one float; four are a vec4, or a row below.
type Storage uint8

const (
	// PPUniform and PPVarying are one array of floats: a float is aligned to
	// 1, a vec2 to 2, a vec3 and vec4 to 4, and takes as much. A sampler
	// takes 1.
	PPUniform Storage = iota
	PPVarying
	// GPUniform is packed by the rules of appendix A.7 of the shading language's specification: every element takes a row; elements
	// narrower than a vec4 may share their rows with others.
	GPUniform
	// Attribute and GPVarying are not packed: every element takes a row.
	Attribute
	GPVarying
)

// String names the storage.
func (s Storage) String() string {
	return [...]string{"fragment uniforms", "fragment varyings", "vertex uniforms", "attributes", "vertex varyings"}[s]
}

// linear reports whether vectors shorter than a vec4 are packed without rows.
func (s Storage) linear() bool { return s == PPUniform || s == PPVarying }

// footprint is the room a symbol takes, by the layout rules.
type footprint struct {
	align         int // the offset is a multiple of it; 0 for vectors in GPUniform, which must just not cross a row
	width         int // floats used in a row (or column of a matrix), 1-4; for structs all of it
	columns       int // of a matrix; 1 for others
	componentSize int // what the symbol's ComponentSize should be
	stride        int // what its SrcStride should be
	elements      int // of an array; 1 for others
}

// Size is the number of floats from the first to the last used.
func (f footprint) size() int {
	return (f.elements-1)*f.stride + (f.columns-1)*f.componentSize + f.width
}

// maxStructDepth bounds how deep structs nest.
const maxStructDepth = 8

// footprint computes the room symbol i of the table takes, depth structs down.
func (t *Table) footprint(i, depth int) (footprint, error) {
	s := &t.Symbols[i]
	f := footprint{width: int(s.ComponentCount), columns: 1, elements: max(int(s.EntryCount), 1)}
	switch {
	case s.Type == Struct:
		return t.structFootprint(i, depth)
	case s.Type.sampler():
		f.width = 1
	case !s.Type.known():
		return f, fmt.Errorf("%q has %v, which does not exist", s.Name, s.Type)
	case f.width < 1 || f.width > 4:
		return f, fmt.Errorf("%q has %d components, want 1 to 4", s.Name, f.width)
	case s.Type == Matrix:
		if f.width < 2 {
			return f, fmt.Errorf("%q is a matrix of %d columns, want 2 to 4", s.Name, f.width)
		}
		f.columns = f.width
	}
	f.componentSize = 4
	if t.Storage.linear() {
		f.componentSize = [...]int{0, 1, 2, 4, 4}[f.width]
	}
	f.align = f.componentSize
	if t.Storage == GPUniform {
		f.align = 0
	}
	f.stride = f.componentSize * f.columns
	return f, nil
}

// structFootprint places the members. A struct is aligned like its widest
// member and padded to a multiple of that. In storage with rows it takes whole
// rows.
func (t *Table) structFootprint(i, depth int) (footprint, error) {
	s := &t.Symbols[i]
	if depth >= maxStructDepth {
		return footprint{}, fmt.Errorf("struct %q is nested more than %d deep, or in itself", s.Name, maxStructDepth)
	}
	p := packer{storage: t.Storage}
	align := 1
	for j := range t.Symbols {
		if int(t.Symbols[j].Parent) != i {
			continue
		}
		m, err := t.footprint(j, depth+1)
		if err != nil {
			return m, err
		}
		align = max(align, m.align)
		if _, err := p.allocate(m); err != nil {
			return m, fmt.Errorf("struct %q: %w", s.Name, err)
		}
	}
	if !t.Storage.linear() {
		align = 4
	}
	size := (max(p.end, 1) + align - 1) / align * align
	return footprint{align: align, width: size, columns: 1, componentSize: size, stride: size, elements: max(int(s.EntryCount), 1)}, nil
}

// packer assigns positions to symbols.
type packer struct {
	storage Storage
	end     int     // floats used
	rows    []uint8 // GPUniform: the columns taken of each row, a bit each
}

// maxLocation is the end of the memory that 16-bit offsets reach; 0xFFFF means
// something else.
const maxLocation = 0xFFFF

func (p *packer) allocate(f footprint) (int, error) {
	at := 0
	switch {
	case p.storage != GPUniform:
		at = (p.end + f.align - 1) / f.align * f.align
	case f.width <= 4:
		at = p.fit(f.width, f.columns*f.elements)
	default: // a struct, which takes whole rows
		at = p.fit(4, (f.elements*f.stride+3)/4)
	}
	if at < 0 || at+f.size() > maxLocation {
		return 0, fmt.Errorf("%d floats are more than 16-bit offsets reach", f.size())
	}
	if p.storage == GPUniform {
		n := f.columns * f.elements
		mask := uint8(1<<min(f.width, 4)-1) << (at % 4)
		if f.width > 4 {
			n, mask = (f.elements*f.stride+3)/4, 15
		}
		for r := at / 4; r < at/4+n; r++ {
			for len(p.rows) <= r {
				p.rows = append(p.rows, 0)
			}
			p.rows[r] |= mask
		}
	}
	p.end = max(p.end, at+f.size())
	return at, nil
}

// fit finds the first position for n rows of width floats, on a column that is a
// multiple of the width (0 for a vec3). It gives -1 if there is none.
func (p *packer) fit(width, n int) int {
	step := [...]int{0, 1, 2, 4, 4}[width]
	if n > maxLocation/4 {
		return -1
	}
	// Rows before open are full; nothing fits there whatever its width.
	for r := 0; ; r++ {
		for col := 0; col+width <= 4; col += step {
			mask := uint8(1<<width-1) << col
			free := 0
			for free < n && (r+free >= len(p.rows) || p.rows[r+free]&mask == 0) {
				free++
			}
			if free == n {
				return 4*r + col
			}
		}
	}
}

// Layout gives every symbol its location, in the order ARM's compiler seems to
// use: the rules' own order in GPUniform (matrices and vec4s first, then
// mat3s, vec3s, vec2s and floats, large arrays before small ones), otherwise
// the order of the table, but gl_Position before other varyings. It sets Place, ComponentSize and SrcStride of the
// symbols and Space of the table. Varyings with Place Unplaced stay so.
func (t *Table) Layout() error {
	prints := make([]footprint, len(t.Symbols))
	packers := map[int]*packer{NoParent: {storage: t.Storage}}
	order := make([]int, len(t.Symbols))
	for i := range t.Symbols {
		f, err := t.footprint(i, 0)
		if err != nil {
			return err
		}
		if err := t.checkParent(i); err != nil {
			return err
		}
		prints[i], order[i] = f, i
	}
	if t.Storage == GPVarying { // the position is always the first vector
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(boolInt(t.Symbols[a].Name != "gl_Position"), boolInt(t.Symbols[b].Name != "gl_Position"))
		})
	}
	if t.Storage == GPUniform {
		slices.SortStableFunc(order, func(a, b int) int {
			inA, inB := t.Symbols[a].Parent != NoParent, t.Symbols[b].Parent != NoParent
			if inA || inB { // members of structs keep their order
				return cmp.Compare(boolInt(inA), boolInt(inB))
			}
			return cmp.Or(cmp.Compare(packRank(prints[a]), packRank(prints[b])), cmp.Compare(prints[b].elements, prints[a].elements))
		})
	}
	for _, i := range order {
		s, f := &t.Symbols[i], prints[i]
		s.ComponentSize, s.SrcStride = uint16(f.componentSize), uint16(f.stride)
		if s.Location == Unplaced && t.varyings() {
			continue
		}
		p := packers[int(s.Parent)]
		if p == nil {
			p = &packer{storage: t.Storage}
			packers[int(s.Parent)] = p
		}
		at, err := p.allocate(f)
		if err != nil {
			return fmt.Errorf("%q: %w", s.Name, err)
		}
		s.Location = uint16(at)
	}
	if t.Storage == GPUniform || t.Storage == PPUniform {
		t.Space = uint32(packers[NoParent].end+3) &^ 3
	}
	return nil
}

func (t *Table) varyings() bool { return t.Storage == PPVarying || t.Storage == GPVarying }

// packRank is the position of a type in the order of appendix A.7.
func packRank(f footprint) int {
	switch {
	case f.width > 4 || f.columns == 4:
		return 0
	case f.columns == 2:
		return 1
	case f.width == 4:
		return 2
	case f.columns == 3:
		return 3
	}
	return 7 - f.width
}

func boolInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (t *Table) checkParent(i int) error {
	s := &t.Symbols[i]
	if s.Parent == NoParent {
		return nil
	}
	if int(s.Parent) >= len(t.Symbols) || t.Symbols[s.Parent].Type != Struct {
		return fmt.Errorf("%q is a member of symbol %d, which is not a struct of the table", s.Name, s.Parent)
	}
	return nil
}

// CheckLayout recomputes sizes, strides and offsets by the rules and reports
// every deviation. Where the symbols are placed as the rules allow, but not
// where Layout would put them, that is a note.
func (t *Table) CheckLayout() tree.Findings {
	var out tree.Findings
	order := make([]int, len(t.Symbols)) // by struct, which have their own offsets
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(t.Symbols[b].Parent, t.Symbols[a].Parent) })
	used := make([]bool, maxLocation+1)
	parent, end := uint16(NoParent), 0
	for _, i := range order {
		s := &t.Symbols[i]
		if s.Parent != parent {
			parent = s.Parent
			clear(used)
		}
		if err := t.checkParent(i); err != nil {
			out.Problemf(s.Offset, "%v", err)
			continue
		}
		f, err := t.footprint(i, 0)
		if err != nil {
			out.Problemf(s.Offset, "%v", err)
			continue
		}
		if int(s.ComponentSize) != f.componentSize {
			out.Problemf(s.Offset, "%q: component size %d, the rules for %v give %d", s.Name, s.ComponentSize, t.Storage, f.componentSize)
		}
		if int(s.SrcStride) != f.stride {
			out.Problemf(s.Offset, "%q: source stride %d, the rules for %v give %d", s.Name, s.SrcStride, t.Storage, f.stride)
		}
		if s.Location == Unplaced && t.varyings() {
			continue
		}
		t.checkLocation(&out, s, f, used)
		if s.Parent == NoParent {
			end = max(end, int(s.Location)+f.size())
		}
	}
	if (t.Storage == GPUniform || t.Storage == PPUniform) && !t.NoSpace {
		switch want := (end + 3) &^ 3; {
		case int64(t.Space) < int64(end):
			out.Problemf(t.Offset, "%v: space for %d floats, the symbols need %d", t.Storage, t.Space, end)
		case int64(t.Space) != int64(want):
			out.Notef(t.Offset, "%v: space for %d floats, ARM's compiler would say %d", t.Storage, t.Space, want)
		}
	}
	if out.Problems() == 0 {
		t.compareLayout(&out)
	}
	return out
}

func (t *Table) checkLocation(out *tree.Findings, s *Symbol, f footprint, used []bool) {
	at := int(s.Location)
	if f.align > 0 && at%f.align != 0 {
		out.Problemf(s.Offset, "%q: offset %d is not a multiple of its alignment %d", s.Name, at, f.align)
	}
	if f.align == 0 && at%4+f.width > 4 {
		out.Problemf(s.Offset, "%q: offset %d: %d floats cross the end of a row", s.Name, at, f.width)
	}
	if at+f.size() > maxLocation {
		out.Problemf(s.Offset, "%q: offset %d plus %d floats is more than 16-bit offsets reach", s.Name, at, f.size())
		return
	}
	// Each float is marked once and the first that is taken ends the loops,
	// so that hostile tables take no more time than there are floats.
	for e := range f.elements {
		for c := range f.columns {
			base := at + e*f.stride + c*f.componentSize
			for x := base; x < base+f.width; x++ {
				if used[x] {
					out.Problemf(s.Offset, "%q: float %d is in use by another symbol", s.Name, x)
					return
				}
				used[x] = true
			}
		}
	}
}

// compareLayout lays a copy out and reports positions that differ. ARM's compiler
// lists uniforms in the reverse of the order in which it puts them.
func (t *Table) compareLayout(out *tree.Findings) {
	var first *tree.Findings
	for _, reverse := range [2]bool{false, true} {
		c := Table{Storage: t.Storage, Symbols: slices.Clone(t.Symbols)}
		if reverse {
			slices.Reverse(c.Symbols)
			for i := range c.Symbols {
				if p := &c.Symbols[i].Parent; *p != NoParent {
					*p = uint16(len(c.Symbols) - 1 - int(*p))
				}
			}
		}
		if c.Layout() != nil {
			return
		}
		if reverse {
			slices.Reverse(c.Symbols)
		}
		diff := &tree.Findings{}
		for i := range t.Symbols {
			if a, b := t.Symbols[i].Location, c.Symbols[i].Location; a != b {
				diff.Notef(t.Symbols[i].Offset, "%q is at offset %d; a compiler that packs in the order of the table would put it at %d", t.Symbols[i].Name, a, b)
			}
		}
		if len(*diff) == 0 {
			return
		}
		if first == nil {
			first = diff
		}
	}
	*out = append(*out, *first...)
}
