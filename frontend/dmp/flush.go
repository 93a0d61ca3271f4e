package dmp

import "pica200/pica"

// Write is one register write, as a command list makes it.
type Write struct {
	Reg   pica.Reg
	Mask  uint8 // bit i: byte i is written
	Value uint32
}

// Owned has the bits of every register that uniforms set.
var Owned = func() (owned pica.Regs) {
	for i := range Uniforms {
		if Uniforms[i].Type == Sampler1D {
			continue
		}
		for _, f := range Uniforms[i].Fields {
			owned[f.Reg] |= f.Mask()
		}
	}
	return owned
}()

// Flush returns the writes that bring the hardware to the state: bytes of
// registers with changed uniforms, in register order, and changed tables. The
// first call returns all registers. Bits of no uniform are sent as they are in
// Regs. The error is that of a table that does not fit its sampler; registers
// are returned nevertheless.
func (s *State) Flush() ([]Write, error) {
	var ws []Write
	for reg := range pica.Reg(pica.NumRegs) {
		owned := Owned[reg]
		if owned == 0 {
			continue
		}
		changed := (s.Regs[reg] ^ s.sent[reg]) & owned
		if !s.sentValid {
			changed = owned
		}
		if changed == 0 {
			continue
		}
		var mask uint8
		for b := range 4 {
			if changed>>(8*b)&0xFF != 0 {
				mask |= 1 << b
			}
		}
		ws = append(ws, Write{reg, mask, s.Regs[reg]})
		s.sent[reg] = s.Regs[reg]
	}
	s.sentValid = true
	var failed error
	for id := range s.dirty {
		if !s.dirty[id] {
			continue
		}
		s.dirty[id] = false
		table, err := s.writeTable(uploadID(id))
		if err != nil && failed == nil {
			failed = err
		}
		ws = append(ws, table...)
	}
	return ws, failed
}

// Sent records that the hardware already has a register's value from Regs, because another part of the program wrote it.
func (s *State) Sent(reg pica.Reg) { s.sent[reg] = s.Regs[reg] }

// Resend makes the next flush send everything, as after the hardware's state
// was lost.
func (s *State) Resend() {
	s.sentValid = false
	for id := range s.dirty {
		s.dirty[id] = true
	}
}

// AppendCommands appends register writes to a command list. Writes of
// consecutive bytes to one register become one command, as for tables. It does
// not end the list.
func AppendCommands(list []uint32, ws []Write) []uint32 {
	for len(ws) > 0 {
		n := 1
		for n < len(ws) && n < 256 && ws[n].Reg == ws[0].Reg && ws[n].Mask == ws[0].Mask {
			n++
		}
		list = append(list, ws[0].Value, uint32(ws[0].Reg)|uint32(ws[0].Mask)<<16|uint32(n-1)<<20)
		for _, w := range ws[1:n] {
			list = append(list, w.Value)
		}
		if n%2 == 0 {
			list = append(list, 0) // commands are aligned to 8 bytes
		}
		ws = ws[n:]
	}
	return list
}
