package gl

import (
	"context"
	"encoding/binary"

	"pica200/frontend/dmp"
	"pica200/pica"
)

// A command is a value, a header (register, byte mask, number of further
// values, whether they go to the registers that follow) and the further values,
// padded to 8 bytes (3dbrew, GPU/Internal_Registers).

// maxParameters is the number of values of a command.
const maxParameters = 256

// write appends a masked register write.
func (c *Context) write(reg pica.Reg, mask uint8, value uint32) {
	c.list = append(c.list, value, uint32(reg)|uint32(mask)<<16)
}

// writeAll appends values for one register, a queue.
func (c *Context) writeAll(reg pica.Reg, values []uint32) { c.command(reg, values, 0) }

// writeRun appends values for registers that follow each other.
func (c *Context) writeRun(reg pica.Reg, values ...uint32) { c.command(reg, values, 1<<31) }

func (c *Context) command(reg pica.Reg, values []uint32, consecutive uint32) {
	for len(values) > 0 {
		n := min(len(values), maxParameters)
		c.list = append(c.list, values[0], uint32(reg)|0xF<<16|uint32(n-1)<<20|consecutive)
		c.list = append(c.list, values[1:n]...)
		if n%2 == 0 {
			c.list = append(c.list, 0)
		}
		values = values[n:]
		if consecutive != 0 {
			reg += pica.Reg(n)
		}
	}
}

// Flush sends the draws so far to the GPU.
func (c *Context) Flush(ctx context.Context) error {
	if len(c.list) == 0 {
		return nil
	}
	c.write(pica.RegFramebufferFlush, 0xF, 1)
	c.write(pica.RegFinalize, 0xF, 0x12345678)
	if len(c.list)%4 != 0 { // lists are aligned to 16 bytes
		c.write(pica.RegFinalize, 0xF, 0x12345678)
	}
	data := make([]byte, 4*len(c.list))
	for i, w := range c.list {
		binary.LittleEndian.PutUint32(data[4*i:], w)
	}
	c.list = c.list[:0]
	if err := c.dev.Load(ctx, c.listMem.addr, data); err != nil {
		return err
	}
	err := c.writeRegisters(ctx,
		pica.ExtCommandListSize, uint32(len(data))>>3,
		pica.ExtCommandListAddr, c.listMem.addr>>3,
		pica.ExtCommandListStart, 1)
	if err != nil {
		return err
	}
	return c.updateGas(ctx)
}

// room flushes if the list has no room for n more words.
func (c *Context) room(ctx context.Context, n int) error {
	if 4*(len(c.list)+n+8) > int(c.listMem.size) {
		return c.Flush(ctx)
	}
	return nil
}

// writeRegisters writes external registers: address, value, address, value...
func (c *Context) writeRegisters(ctx context.Context, pairs ...uint32) error {
	for i := 0; i < len(pairs); i += 2 {
		if err := c.dev.WriteRegister(ctx, pairs[i], uint64(pairs[i+1]), 4); err != nil {
			return err
		}
	}
	return nil
}

// gasFeedback and gasAccmax are the CPU's addresses of these registers.
const (
	gasFeedback = pica.ExtInternal + 4*uint32(pica.RegGasFeedback)
	gasAccmax   = pica.ExtInternal + 4*uint32(pica.RegGasAccmax)
)

// updateGas does what the system does after a list with the "update gas
// accumulation" flag: it sets the scale of densities to the reciprocal of the
// greatest density.
func (c *Context) updateGas(ctx context.Context) error {
	if !c.gasDrawn {
		return nil
	}
	c.gasDrawn = false
	if !c.Uniforms.Bool(dmp.GasAutoAcc) {
		return nil
	}
	top := pica.GasFeedback.FloatOf(c.dev.ReadRegister(gasFeedback))
	if top <= 0 {
		return nil
	}
	pica.GasAccmax.SetFloat(&c.regs, 1/top)
	c.Uniforms.Sent(pica.RegGasAccmax)
	return c.writeRegisters(ctx, gasAccmax, c.regs[pica.RegGasAccmax])
}

// put sets a field of the state; the next draw sends what changed.
func (c *Context) put(f pica.Field, value uint32) {
	f.Set(&c.regs, value)
	c.touched[f.Reg] = true
}

func (c *Context) putBool(f pica.Field, on bool) {
	f.SetBool(&c.regs, on)
	c.touched[f.Reg] = true
}

func (c *Context) putFloat(f pica.Field, x float32) {
	f.SetFloat(&c.regs, x)
	c.touched[f.Reg] = true
}

// sendState appends the registers that changed since they were last sent.
func (c *Context) sendState(ctx context.Context) error {
	writes, err := c.Uniforms.Flush()
	if err != nil {
		return err
	}
	if err := c.room(ctx, len(writes)*2+2*len(c.regs)); err != nil {
		return err
	}
	c.list = dmp.AppendCommands(c.list, writes)
	for _, w := range writes {
		bytes := pica.MakeCommandHeader(w.Reg, uint32(w.Mask), 0, false).BitMask() // the others are sent below
		c.sent[w.Reg] = c.sent[w.Reg]&^bytes | w.Value&bytes
	}
	for reg := range pica.Reg(pica.NumRegs) {
		if !c.touched[reg] || c.known[reg] && c.sent[reg] == c.regs[reg] {
			continue
		}
		c.write(reg, 0xF, c.regs[reg])
		c.sent[reg], c.known[reg] = c.regs[reg], true
		c.Uniforms.Sent(reg)
	}
	return nil
}
