package inspect

import (
	"fmt"

	"pica200/assets/tree"
	"pica200/pica"
)

// registerNode shows a word written to an internal register: the register's
// name and, below, its fields. mask has the written bits; fields without any
// are left out.
func registerNode(reg pica.Reg, word, mask uint32, at int64) *tree.Node {
	n := &tree.Node{Name: reg.String(), Offset: at, Size: 4, Value: word, Text: fmt.Sprintf("0x%08x", word)}
	if mask != 0xFFFFFFFF {
		n.Text += fmt.Sprintf(" mask 0x%08x", mask)
	}
	if reg >= pica.NumRegs {
		n.Name = fmt.Sprintf("register 0x%04x", uint16(reg))
		n.Text += ", which does not exist"
		return n
	}
	return withFields(n, pica.Registers[reg].Fields, word, mask, at)
}

// externalNode shows a write to a register by its physical address.
func externalNode(addr, word uint32, at int64) *tree.Node {
	r, ok := pica.LookupExternal(addr)
	if !ok {
		if addr >= 0x10401000 && addr < 0x10401000+4*pica.NumRegs && addr%4 == 0 {
			return registerNode(pica.Reg(addr-0x10401000)/4, word, 0xFFFFFFFF, at)
		}
		return tree.Fieldf(fmt.Sprintf("0x%08x", addr), at, 4, word, "0x%08x", word)
	}
	n := &tree.Node{Name: r.Name, Offset: at, Size: 4, Value: word, Text: fmt.Sprintf("0x%08x", word)}
	return withFields(n, r.Fields, word, 0xFFFFFFFF, at)
}

// withFields adds the fields of a word below its node; if the word is a single
// field, it is shown on the node itself.
func withFields(n *tree.Node, fields []pica.Field, word, mask uint32, at int64) *tree.Node {
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
