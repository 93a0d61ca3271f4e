package asm

import (
	"fmt"

	"pica200/shaderunit"
)

// descriptorTable allocates operand descriptors. Two instructions share an
// entry if they agree in the bits that both need; the first instruction that
// needs one of the other bits sets it.
type descriptorTable struct {
	words  [shaderunit.Descriptors]uint32
	needed [shaderunit.Descriptors]uint32 // bits that an instruction so far needs
	n      int
	mad    uint32 // bit n: a MAD uses entry n < 32
	// zitrus shares as that assembler does: an entry with fewer operands serves more if they are
	// idle's, and the reverse.
	zitrus bool
}

// zitrusIdle is what zitrus has where an instruction has no operand: all components, in order.
const zitrusIdle = 0x1B<<23 | 0x1B<<14 | 0x1B<<5 | 0xF

// find returns the number of an entry with the bits needed of desc. It adds one
// if there is none.
func (t *descriptorTable) find(desc, needed uint32) (int, error) {
	for i := range t.n {
		both := needed & t.needed[i]
		if t.zitrus {
			both = max(needed, t.needed[i])
		}
		switch {
		case desc&both != t.words[i]&both:
		case t.zitrus:
			if needed < t.needed[i] {
				t.words[i], t.needed[i] = desc, needed
			}
			return i, nil
		default:
			t.words[i] = t.words[i]&^needed | desc&needed
			t.needed[i] |= needed
			return i, nil
		}
	}
	if t.n == shaderunit.Descriptors {
		return 0, fmt.Errorf("too many operand descriptors: the shader unit has %d", shaderunit.Descriptors)
	}
	t.words[t.n], t.needed[t.n] = desc, needed
	t.n++
	return t.n - 1, nil
}

// add appends an entry with all bits set.
func (t *descriptorTable) add(desc uint32) bool {
	if t.n == shaderunit.Descriptors {
		return false
	}
	t.words[t.n], t.needed[t.n] = desc, 0xFFFFFFFF
	t.n++
	return true
}

// take uses entry n, which must match desc in the bits needed.
func (t *descriptorTable) take(n int, desc, needed uint32, limit int) (int, error) {
	if n >= t.n || n >= limit {
		return 0, fmt.Errorf("operand descriptor %d: this instruction can name only the first %d", n, min(t.n, limit))
	}
	if (desc^t.words[n])&needed&t.needed[n] != 0 {
		return 0, fmt.Errorf("operand descriptor %d is 0x%08X, which does not serve this instruction (0x%08X)", n, t.words[n], desc)
	}
	t.words[n] = t.words[n]&^needed | desc&needed
	t.needed[n] |= needed
	return n, nil
}

// findMAD is find for the MAD formats, which can name only the first 32
// entries. It swaps an entry beyond them with the first that no MAD uses, and
// corrects the code emitted so far.
func (t *descriptorTable) findMAD(desc, needed uint32, code []uint32) (int, error) {
	at, err := t.find(desc, needed)
	if err != nil {
		return 0, err
	}
	if at >= shaderunit.DescriptorsMAD {
		free := 0
		for free < shaderunit.DescriptorsMAD && t.mad>>free&1 != 0 {
			free++
		}
		if free == shaderunit.DescriptorsMAD {
			return 0, fmt.Errorf("too many different MADs: they can name only the first %d operand descriptors", shaderunit.DescriptorsMAD)
		}
		t.exchange(free, at, code)
		at = free
	}
	t.mad |= 1 << at
	return at, nil
}

func (t *descriptorTable) exchange(a, b int, code []uint32) {
	t.words[a], t.words[b] = t.words[b], t.words[a]
	t.needed[a], t.needed[b] = t.needed[b], t.needed[a]
	for i, w := range code {
		if info := shaderunit.Opcode(w >> 26).Info(); info == nil || info.Format.DescLimit() != shaderunit.Descriptors {
			continue // flow control has no descriptor, and MADs do not use these two masks
		}
		switch w & 0x7F {
		case uint32(a):
			code[i] = w&^0x7F | uint32(b)
		case uint32(b):
			code[i] = w&^0x7F | uint32(a)
		}
	}
}
