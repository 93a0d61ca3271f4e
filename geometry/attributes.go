package geometry

import (
	"fmt"

	"pica200/internal/cores"
	"pica200/pica"
)

// Memory is the physical memory as the GPU sees it. Slice returns the n bytes
// at addr; its error names the address.
type Memory interface {
	Slice(addr, n uint32) ([]byte, error)
}

// The hardware has 12 vertex arrays, 12 attributes that arrays can feed, and
// 16 input registers; attributes 12 to 15 can only be fixed.
const (
	loaders         = 12
	arrayAttributes = 12
	inputRegisters  = 16
)

// componentSize is the size of a component of an attribute in bytes.
func componentSize(t pica.AttribType) uint32 { return [4]uint32{1, 1, 2, 4}[t&3] }

// attribute is the source of an input register of the vertex shader.
type attribute struct {
	register uint8
	array    bool // from a vertex array, else fixed
	format   pica.AttribType
	count    uint8  // components in memory, 1 to 4; the others are 0, 0, 1
	loader   uint8  // index of the vertex array
	offset   uint32 // offset in the vertex, in bytes
	fixed    [4]float32
}

// loader is a vertex array: GPUREG_ATTRIBBUFFERi_OFFSET, _CONFIG1, _CONFIG2.
type loader struct {
	used   bool
	addr   uint32 // physical address of vertex 0
	stride uint32 // bytes from one vertex to the next, 0 to 255
	size   uint32 // bytes of a vertex, without padding at its end
	data   []byte // memory from vertex first on; set for each chunk
}

// layout is the complete vertex format: arrays and attributes.
type layout struct {
	loaders    [loaders]loader
	attributes [inputRegisters]attribute
	n          int    // attributes in use
	registers  uint16 // input registers that get an attribute
}

// read decodes the vertex loader's registers. An immediate draw does not use
// the arrays: its attributes are submitted.
//
// The components of an array follow each other. Each attribute is aligned to
// the size of its component, each padding to 4 bytes (hardware-tested by
// JayFoxRox's attrib-align). The stride must be the size of the vertex;
// otherwise the console freezes or draws nothing (3dbrew, "Pitfalls"). Sources
// disagree on padding at the end of the vertex: the test passes strides aligned
// to 4 bytes, the page says to pass them unaligned. Both are accepted here.
//
// An attribute with an array takes its value from the array even if its bit in
// the fixed attribute mask is set (3dbrew's Programming Guide; Azahar prefers
// the fixed value). An attribute without any source keeps its last value on the
// console, which is unspecified; here it takes the fixed value.
func (l *layout) read(r *pica.Regs, fixed *[16][4]float32, kind Kind) error {
	base := pica.AttribbuffersLoc.Addr(r)
	formats := uint64(r[pica.RegAttribbuffersFormatLow]) | uint64(r[pica.RegAttribbuffersFormatHigh])<<32
	permutation := uint64(r[pica.RegVshAttributesPermutationLow]) | uint64(r[pica.RegVshAttributesPermutationHigh])<<32

	l.n = int(pica.ShInputCount.At(pica.OffsetVsh).Get(r)) + 1
	l.registers = 0
	for i := range l.n {
		l.registers |= 1 << (permutation >> (4 * i) & 0xF)
		l.attributes[i] = attribute{
			register: uint8(permutation >> (4 * i) & 0xF),
			fixed:    fixed[i],
		}
	}
	if kind == Immediate {
		return nil
	}
	for i := range l.loaders {
		ld := &l.loaders[i]
		reg := pica.RegAttribbuffer0Offset + pica.StrideAttribbuffer*pica.Reg(i)
		config1, config2 := r[reg+1], r[reg+2]
		components := uint64(config1) | uint64(config2&0xFFFF)<<32
		n := int(config2 >> 28)
		*ld = loader{
			used:   n > 0,
			addr:   base + r[reg]&0x0FFFFFFF,
			stride: config2 >> 16 & 0xFF,
		}
		if n > arrayAttributes {
			return fmt.Errorf("vertex array %d (%v) has %d components; there are slots for %d", i, reg+2, n, arrayAttributes)
		}
		var offset uint32
		for c := range n {
			id := uint32(components >> (4 * c) & 0xF)
			if id >= arrayAttributes { // 12 to 15: padding of 4 to 16 bytes
				offset = align(offset, 4) + 4*(id-arrayAttributes+1)
				continue
			}
			bits := uint32(formats >> (4 * id) & 0xF)
			f := pica.AttribType(bits & 3)
			count := bits>>2 + 1
			offset = align(offset, componentSize(f))
			if int(id) < l.n {
				a := &l.attributes[id]
				a.array = true
				a.format = f
				a.count = uint8(count)
				a.loader = uint8(i)
				a.offset = offset
			}
			offset += count * componentSize(f)
		}
		ld.size = offset
		if n > 0 && (ld.stride < offset || ld.stride > align(offset, 4)) {
			return fmt.Errorf("vertex array %d (%v): the stride is %d bytes but the components make a vertex of %d; the console would freeze or draw nothing",
				i, reg+2, ld.stride, offset)
		}
	}
	return nil
}

// align rounds n up to a multiple of a, a power of two.
func align(n, a uint32) uint32 { return (n + a - 1) &^ (a - 1) }

// prefetch asks for the memory of n vertices after the given one, which counts from
// the first one of open.
func (l *layout) prefetch(after uint32, n int) {
	for i := range l.loaders {
		ld := &l.loaders[i]
		from := (uint64(after) + 1) * uint64(ld.stride)
		if from < uint64(len(ld.data)) {
			cores.Prefetch(ld.data[from:min(from+uint64(n)*uint64(ld.stride), uint64(len(ld.data)))])
		}
	}
}

// open maps the memory of vertices first to last, inclusive, of every array
// that is in use.
func (l *layout) open(mem Memory, first, last uint32) error {
	var needed [loaders]bool
	for i := range l.attributes[:l.n] {
		if a := &l.attributes[i]; a.array {
			needed[a.loader] = true
		}
	}
	for i := range l.loaders {
		ld := &l.loaders[i]
		ld.data = nil
		if !needed[i] {
			continue
		}
		start := uint64(ld.addr) + uint64(first)*uint64(ld.stride)
		n := uint64(last-first)*uint64(ld.stride) + uint64(ld.size)
		if start+n > 1<<32 {
			return fmt.Errorf("vertex array %d: vertices %d to %d are at 0x%X to 0x%X, beyond the end of memory", i, first, last, start, start+n)
		}
		data, err := mem.Slice(uint32(start), uint32(n))
		if err != nil {
			return fmt.Errorf("vertex array %d, vertices %d to %d: %w", i, first, last, err)
		}
		ld.data = data
	}
	return nil
}
