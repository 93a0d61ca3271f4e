package pica

import "fmt"

// A command list is a sequence of commands of at least two words: a parameter,
// the header, then as many further parameters as the header says, and a word
// of padding if that leaves the next command off a multiple of 8 bytes.
// Source: 3dbrew, "GPU/Internal Registers", Command Header.

// CommandHeader is the second word of a command.
//
//	0-15   register of the first parameter
//	16-19  which bytes of the register are written, lowest first
//	20-27  number of further parameters
//	31     1: each further parameter goes to the next register;
//	       0: all go to the same register
type CommandHeader uint32

// Reg is the register of the first parameter. It may be beyond NumRegs.
func (h CommandHeader) Reg() Reg { return Reg(h) }

// Mask has bit i set if byte i of the register is written.
func (h CommandHeader) Mask() uint32 { return uint32(h) >> 16 & 15 }

// BitMask is Mask with each bit widened to eight bits.
func (h CommandHeader) BitMask() uint32 {
	m := uint32(h) >> 16
	return (m&1 | m&2<<7 | m&4<<14 | m&8<<21) * 0xFF
}

// Extra is the number of parameters that follow the header, 0 to 255.
func (h CommandHeader) extra() int { return int(h >> 20 & 0xFF) }

// Consecutive reports whether further parameters go to the following registers.
func (h CommandHeader) Consecutive() bool { return h>>31 != 0 }

// MakeCommandHeader packs a header; bits that do not fit are dropped.
func MakeCommandHeader(r Reg, mask uint32, extra int, consecutive bool) CommandHeader {
	h := CommandHeader(r) | CommandHeader(mask&15)<<16 | CommandHeader(extra&0xFF)<<20
	if consecutive {
		h |= 1 << 31
	}
	return h
}

// Command is one command of a list.
type Command struct {
	Offset int // of its first word in the list, in words
	Header CommandHeader
	First  uint32   // the parameter before the header
	Extra  []uint32 // the parameters after it, a slice of the list
}

// Len is the number of parameters, 1 to 256.
func (c Command) Len() int { return 1 + len(c.Extra) }

// Param is parameter i.
func (c Command) Param(i int) uint32 {
	if i == 0 {
		return c.First
	}
	return c.Extra[i-1]
}

// Reg is the register parameter i goes to.
func (c Command) Reg(i int) Reg {
	if c.Header.Consecutive() {
		return c.Header.Reg() + Reg(i)
	}
	return c.Header.Reg()
}

// ParamOffset is the position of parameter i in the list, in words.
func (c Command) ParamOffset(i int) int {
	if i == 0 {
		return c.Offset
	}
	return c.Offset + 1 + i
}

// Size is the number of words the command takes, padding included.
func (c Command) Size() int { return (2 + len(c.Extra) + 1) &^ 1 }

// Append appends the command to a list, padded with a zero if needed.
func (c Command) Append(list []uint32) []uint32 {
	list = append(append(list, c.First, uint32(c.Header)), c.Extra...)
	if len(c.Extra)%2 != 0 {
		list = append(list, 0)
	}
	return list
}

// CommandReader splits a command list into commands. The zero value is an empty
// list.
type CommandReader struct {
	words []uint32
	next  int
	err   error
}

// ReadCommands starts reading a list, a word at a time as in memory.
func ReadCommands(words []uint32) CommandReader { return CommandReader{words: words} }

// ReadCommandsFrom starts reading at word at, where a command must begin.
// Offsets count from the start of the list.
func ReadCommandsFrom(words []uint32, at int) CommandReader {
	return CommandReader{words: words, next: at}
}

// Next returns the next command. ok is false at the end of the list, or if the
// list is cut short (Err).
func (r *CommandReader) Next() (c Command, ok bool) {
	ok = r.Read(&c)
	return c, ok
}

// Read is Next into the caller's Command, which it leaves unchanged at the end.
func (r *CommandReader) Read(c *Command) bool {
	at := r.next
	if len(r.words)-at < 2 {
		if at < len(r.words) && r.err == nil {
			r.err = fmt.Errorf("command list: word 0x%x: a parameter without a header at the end of the list", at)
		}
		return false
	}
	header := CommandHeader(r.words[at+1])
	extra := header.extra()
	if rest := len(r.words) - at - 2; extra > rest {
		r.err = fmt.Errorf("command list: word 0x%x: the command for %v has %d further parameters, but the list ends after %d", at, header.Reg(), extra, rest)
		r.next = len(r.words)
		return false
	}
	c.Offset, c.First, c.Header = at, r.words[at], header
	c.Extra = r.words[at+2 : at+2+extra : at+2+extra]
	r.next = min(at+(2+extra+1)&^1, len(r.words))
	return true
}

// Err returns an error if the list was cut short, nil at its proper end.
func (r *CommandReader) Err() error { return r.err }

// Pos returns the index of the next command in the list, in words.
func (r *CommandReader) Pos() int { return r.next }
