package cmdlist

import (
	"fmt"

	"pica200/assets/tree"
	"pica200/pica"
)

// register shows a word written to an internal register: the register's
// name and, below, its fields. mask has the written bits; fields without any
// are left out.
func register(reg pica.Reg, word, mask uint32, at int64) *tree.Node {
	n := &tree.Node{Name: reg.String(), Offset: at, Size: 4, Value: word, Text: fmt.Sprintf("0x%08x", word)}
	if mask != 0xFFFFFFFF {
		n.Text += fmt.Sprintf(" mask 0x%08x", mask)
	}
	if reg >= pica.NumRegs {
		n.Name = fmt.Sprintf("register 0x%04x", uint16(reg))
		n.Text += ", which does not exist"
		return n
	}
	return withFields(n, pica.Registers[reg].Fields, word, mask)
}

// External shows a write to a register by its physical address.
func External(addr, word uint32, at int64) *tree.Node {
	r, ok := pica.LookupExternal(addr)
	if !ok {
		if addr >= pica.ExtInternal && addr < pica.ExtInternal+4*pica.NumRegs && addr%4 == 0 {
			return register(pica.Reg(addr-pica.ExtInternal)/4, word, 0xFFFFFFFF, at)
		}
		return tree.Fieldf(fmt.Sprintf("0x%08x", addr), at, 4, word, "0x%08x", word)
	}
	n := &tree.Node{Name: r.Name, Offset: at, Size: 4, Value: word, Text: fmt.Sprintf("0x%08x", word)}
	return withFields(n, r.Fields, word, 0xFFFFFFFF)
}

// withFields adds the fields of a word below its node; if the word is a single
// field, it is shown on the node itself.
func withFields(n *tree.Node, fields []pica.Field, word, mask uint32) *tree.Node {
	if len(fields) == 1 && fields[0].Mask()&mask != 0 && word&^fields[0].Mask() == 0 {
		n.Text += fmt.Sprintf(" %s = %s", fields[0].Name, fields[0].Format(fields[0].Of(word)))
		return n
	}
	if len(fields) == 0 {
		return n
	}
	n.Children = func(yield func(*tree.Node) bool) {
		var known uint32
		for _, f := range fields {
			known |= f.Mask()
			if f.Mask()&mask == 0 {
				continue
			}
			v := f.Of(word)
			if !yield(&tree.Node{Name: f.Name, Offset: tree.NoOffset, Value: v, Text: f.Format(v)}) {
				return
			}
		}
		if rest := word & mask &^ known; rest != 0 {
			yield(&tree.Node{Name: "undocumented bits", Offset: tree.NoOffset, Value: rest})
		}
	}
	return n
}

// Kind is what an array of words of the GPU's state holds.
type Kind uint8

// The kinds of words.
const (
	Plain             Kind = iota
	InternalRegisters      // word i is register i
	ExternalRegisters      // from 0x10400000 on
	ScreenRegisters        // from 0x10202000 on
	Attributes             // vectors of float24, a number a word
	Uniforms
)

// screens is the address of the first screen register.
const screens = 0x10202000

// State shows an array of words of the GPU's state without those that are 0. at
// is its offset in the file, or tree.NoOffset.
func State(name string, at int64, words []uint32, kind Kind) *tree.Node {
	n := &tree.Node{Name: name, Offset: at, Text: fmt.Sprintf("%d words, those that are not 0:", len(words))}
	if at >= 0 {
		n.Size = 4 * int64(len(words))
	}
	n.Children = func(yield func(*tree.Node) bool) {
		for i, w := range words {
			offset := at
			if at >= 0 {
				offset += 4 * int64(i)
			}
			if w != 0 && !yield(stateWord(i, w, kind, offset)) {
				return
			}
		}
	}
	return n
}

func stateWord(i int, w uint32, kind Kind, at int64) *tree.Node {
	size := int64(4)
	if at < 0 {
		size = 0
	}
	switch kind {
	case InternalRegisters:
		return register(pica.Reg(i), w, 0xFFFFFFFF, at)
	case ExternalRegisters:
		return External(pica.ExtHardwareID+4*uint32(i), w, at)
	case ScreenRegisters:
		return External(screens+4*uint32(i), w, at)
	case Attributes, Uniforms:
		name := map[Kind]string{Attributes: "v", Uniforms: "c"}[kind]
		return tree.Fieldf(fmt.Sprintf("%s%d.%c", name, i/4, "xyzw"[i%4]), at, size, w, "0x%08x = %g", w, pica.TypeFloat24.Decode(w&0xFFFFFF, 24))
	}
	return tree.Fieldf(fmt.Sprintf("word 0x%03x", i), at, size, w, "0x%08x", w)
}
