// Package cmdlist shows and checks command lists and register writes, for raw
// lists and for the recordings that hold them.
package cmdlist

import (
	"encoding/binary"
	"errors"
	"fmt"

	"pica200/assets/tree"
	"pica200/internal/plural"
	"pica200/pica"
)

func wordsOf(data []byte) []uint32 {
	words := make([]uint32, len(data)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return words
}

// Is recognises command lists by their structure, because they have
// no magic. Every command must be complete, write registers that exist and have
// its unused bits clear, and one must end the list, start a draw or jump.
func Is(data []byte) bool {
	if len(data) == 0 || len(data)%8 != 0 {
		return false
	}
	r := pica.ReadCommands(wordsOf(data))
	acts := false
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		if last := c.Reg(c.Len() - 1); c.Header.Reg() >= pica.NumRegs || last >= pica.NumRegs || c.Header>>28&7 != 0 {
			return false
		}
		for i := range c.Len() {
			switch c.Reg(i) {
			case pica.RegFinalize, pica.RegDrawarrays, pica.RegDrawelements, pica.RegCmdbufJump0, pica.RegCmdbufJump0 + 1:
				acts = true
			}
		}
	}
	return r.Err() == nil && acts
}

// Open shows a file that is a command list. The function checks it.
func Open(data []byte) (*tree.Node, func() tree.Findings, error) {
	if len(data)%4 != 0 {
		return nil, nil, fmt.Errorf("command list: %d bytes are not a whole number of 32-bit words", len(data))
	}
	if len(data) == 0 {
		return nil, nil, errors.New("command list: the file is empty")
	}
	words := wordsOf(data)
	root := &tree.Node{Text: "command list, " + plural.Of(len(words), "word"), Children: Commands(words, 0)}
	return root, func() tree.Findings { return Check(words) }, nil
}

// Commands shows the commands of a list. at is the offset of its first word
// in the file, or tree.NoOffset.
func Commands(words []uint32, at int64) func(yield func(*tree.Node) bool) {
	offset := func(word int) int64 {
		if at < 0 {
			return tree.NoOffset
		}
		return at + 4*int64(word)
	}
	return func(yield func(*tree.Node) bool) {
		r := pica.ReadCommands(words)
		for c, ok := r.Next(); ok; c, ok = r.Next() {
			if !yield(commandNode(c, offset)) {
				return
			}
		}
		if err := r.Err(); err != nil {
			yield(&tree.Node{Name: "damaged", Offset: offset(r.Pos()), Text: err.Error()})
		}
	}
}

func commandNode(c pica.Command, offset func(int) int64) *tree.Node {
	h := c.Header
	if c.Len() == 1 {
		return register(h.Reg(), c.First, h.BitMask(), offset(c.Offset))
	}
	kind := "times"
	if h.Consecutive() {
		kind = "registers from"
	}
	text := fmt.Sprintf("header 0x%08x", uint32(h))
	if h.Mask() != 15 {
		text += fmt.Sprintf(" mask 0x%08x", h.BitMask())
	}
	name := fmt.Sprintf("%d %s %s", c.Len(), kind, h.Reg())
	return tree.List(name, offset(c.Offset), 4*int64(c.Size()), text, c.Len(), func(i int) *tree.Node {
		return register(c.Reg(i), c.Param(i), h.BitMask(), offset(c.ParamOffset(i)))
	})
}

// Check reports commands that are incomplete, write registers that do
// not exist, or have unused bits set.
func Check(words []uint32) tree.Findings {
	var out tree.Findings
	r := pica.ReadCommands(words)
	finalized := false
	for c, ok := r.Next(); ok; c, ok = r.Next() {
		offset := 4 * int64(c.Offset)
		if finalized {
			// Lists are padded after the end; libctru repeats the end.
			if c.Header.Reg() != pica.RegFinalize {
				out.Notef(offset, "%v is written after the list's end", c.Header.Reg())
			}
		}
		if c.Header>>28&7 != 0 {
			out.Problemf(offset+4, "header 0x%08x has bits 28-30 set, which mean nothing", uint32(c.Header))
		}
		if end := c.Offset + c.Size(); len(c.Extra)%2 != 0 && end <= len(words) && words[end-1] != 0 {
			out.Notef(4*int64(end-1), "the padding after the command for %v is 0x%08x, not 0", c.Header.Reg(), words[end-1])
		}
		if c.Header.Mask() == 0 {
			out.Notef(offset+4, "the command for %v writes no byte", c.Header.Reg())
		}
		for i := range c.Len() {
			reg := c.Reg(i)
			if reg >= pica.NumRegs {
				out.Problemf(4*int64(c.ParamOffset(i)), "register 0x%04x does not exist", uint16(reg))
				break
			}
			if reg == pica.RegFinalize {
				finalized = true
			}
			if bad := checkEnums(reg, c.Param(i), c.Header.BitMask()); bad != "" {
				out.Problemf(4*int64(c.ParamOffset(i)), "%s", bad)
			}
		}
		if len(out) >= maxFindings {
			out.Notef(offset, "and so on: no more than %d findings are listed", maxFindings)
			return out
		}
	}
	if err := r.Err(); err != nil {
		out.Problemf(4*int64(r.Pos()), "%v", err)
	}
	return out
}

// maxFindings bounds the findings of one list.
const maxFindings = 1000

// checkEnums reports a field with an undefined value.
func checkEnums(reg pica.Reg, word, mask uint32) string {
	for _, f := range pica.Registers[reg].Fields {
		if f.Enum == nil || f.Mask()&mask != f.Mask() {
			continue
		}
		if _, ok := f.Enum.NameOf(f.Of(word)); !ok {
			return fmt.Sprintf("%v: %s is %d, which has no meaning", reg, f.Name, f.Of(word))
		}
	}
	return ""
}
