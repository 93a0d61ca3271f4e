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
	// GPUniform is packed as appendix A.7 of the shading language's specification allows: every element takes a row; elements
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

// structFootprint is the room of a struct, whose members have offsets in it. It is aligned like its widest member
// and padded to a multiple of that. In storage with rows it takes whole rows.
func (t *Table) structFootprint(i, depth int) (footprint, error) {
	s := &t.Symbols[i]
	if depth >= maxStructDepth {
		return footprint{}, fmt.Errorf("struct %q is nested more than %d deep, or in itself", s.Name, maxStructDepth)
	}
	align, end := 1, 1
	for j := range t.Symbols {
		if int(t.Symbols[j].Parent) != i {
			continue
		}
		m, err := t.footprint(j, depth+1)
		if err != nil {
			return m, err
		}
		align, end = max(align, m.align), max(end, int(t.Symbols[j].Location)+m.size())
	}
	if !t.Storage.linear() {
		align = 4
	}
	size := (end + align - 1) / align * align
	return footprint{align: align, width: size, columns: 1, componentSize: size, stride: size, elements: max(int(s.EntryCount), 1)}, nil
}

// maxLocation is the end of the memory that 16-bit offsets reach; 0xFFFF means
// something else.
const maxLocation = 0xFFFF

func (t *Table) varyings() bool { return t.Storage == PPVarying || t.Storage == GPVarying }

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
// every deviation.
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
