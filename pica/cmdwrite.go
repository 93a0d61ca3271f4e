package pica

// CommandWriter builds a command list.
type CommandWriter struct {
	Words []uint32
}

// maxParams is the number of parameters of one command.
const maxParams = 256

// Write writes a register.
func (w *CommandWriter) Write(r Reg, value uint32) { w.WriteMasked(r, 15, value) }

// WriteMasked writes the bytes of a register that mask selects, bit 0 the
// lowest byte.
func (w *CommandWriter) WriteMasked(r Reg, mask, value uint32) {
	w.Words = append(w.Words, value, uint32(MakeCommandHeader(r, mask, 0, false)))
}

// WriteRun writes consecutive registers from r on.
func (w *CommandWriter) WriteRun(r Reg, values ...uint32) {
	for len(values) > 0 {
		n := min(len(values), maxParams)
		w.command(r, true, values[:n])
		r += Reg(n)
		values = values[n:]
	}
}

// WriteAll writes all values to the same register, in order.
func (w *CommandWriter) WriteAll(r Reg, values ...uint32) {
	for len(values) > 0 {
		n := min(len(values), maxParams)
		w.command(r, false, values[:n])
		values = values[n:]
	}
}

func (w *CommandWriter) command(r Reg, consecutive bool, values []uint32) {
	w.Words = append(w.Words, values[0], uint32(MakeCommandHeader(r, 15, len(values)-1, consecutive)))
	w.Words = append(w.Words, values[1:]...)
	if len(w.Words)%2 != 0 {
		w.Words = append(w.Words, 0)
	}
}

// Finish ends the list: it writes GPUREG_FINALIZE, twice if that is needed to
// make the list a multiple of 16 bytes.
func (w *CommandWriter) Finish() {
	w.Write(RegFinalize, 0x12345678)
	if len(w.Words)%4 != 0 {
		w.Write(RegFinalize, 0x12345678)
	}
}

// Bytes returns the list as bytes in memory order.
func (w *CommandWriter) Bytes() []byte {
	b := make([]byte, 0, 4*len(w.Words))
	for _, v := range w.Words {
		b = append(b, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	return b
}
