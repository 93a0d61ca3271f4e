package pipeline

import (
	"context"
	"fmt"

	"pica200/pica"
)

// The external registers: what the CPU writes directly.

const (
	externalBase = pica.ExtHardwareID // fills, screens, transfers
	internalBase = pica.ExtInternal   // the internal registers, a word each
	lcdBase      = 0x10202000         // the screens' own registers

	externalRegs = 0x1000 / 4
	lcdRegs      = 0x1000 / 4

	// transferRegs is the number of words of the transfer engine's block.
	transferRegs = (pica.ExtTextureCopyOutput-pica.ExtTransferInput)/4 + 1
)

// WriteRegister writes width bytes (1, 2, 4 or 8) of value to the register at
// a physical address, or at the address at which programs see it, and does
// what that sets off. Writes to registers outside of the GPU's and the
// screens' are ignored with a warning.
func (g *GPU) WriteRegister(ctx context.Context, addr uint32, value uint64, width uint8) error {
	g.begin()
	addr = pica.PhysicalAddress(addr)
	switch width {
	case 8:
		if err := g.writeWord(ctx, addr, uint32(value), 0xFFFFFFFF); err != nil {
			return err
		}
		return g.writeWord(ctx, addr+4, uint32(value>>32), 0xFFFFFFFF)
	case 4:
		return g.writeWord(ctx, addr, uint32(value), 0xFFFFFFFF)
	case 1, 2:
		shift := 8 * (addr & 3)
		mask := uint32(1)<<(8*width) - 1
		return g.writeWord(ctx, addr&^3, uint32(value)<<shift, mask<<shift)
	}
	return fmt.Errorf("register 0x%08X: a write of %d bytes; 1, 2, 4 and 8 are possible", addr, width)
}

func (g *GPU) writeWord(ctx context.Context, addr, value, mask uint32) error {
	if addr&3 != 0 {
		return fmt.Errorf("register 0x%08X: the address of a word must be a multiple of 4", addr)
	}
	switch {
	case addr-internalBase < 4*pica.NumRegs:
		g.list.jump = false
		err := g.write(ctx, pica.Reg((addr-internalBase)/4), value, mask)
		switch {
		case err == errFinalize: // outside of a list there is nothing to end
			return nil
		case err == nil && g.list.jump:
			return g.RunList(ctx, g.list.addr, g.list.bytes)
		case err != nil:
			return fmt.Errorf("register 0x%08X (%v): %w", addr, pica.Reg((addr-internalBase)/4), err)
		}
		return nil
	case addr-externalBase < 4*externalRegs:
		merge(&g.ext[(addr-externalBase)/4], value, mask)
		return g.trigger(ctx, addr)
	case addr-lcdBase < 4*lcdRegs:
		merge(&g.lcd[(addr-lcdBase)/4], value, mask)
		return nil
	}
	return g.warn("write to 0x%08X, which is no register of the GPU or the screens", addr)
}

func merge(w *uint32, value, mask uint32) { *w = *w&^mask | value&mask }

// ReadRegister returns the word of the register at a physical address, or at
// the address at which programs see it; 0 where there is none.
func (g *GPU) ReadRegister(addr uint32) uint32 {
	addr = pica.PhysicalAddress(addr)
	switch {
	case addr-internalBase < 4*pica.NumRegs:
		return g.ReadInternal(pica.Reg((addr - internalBase) / 4))
	case addr == pica.ExtPdcLutData || addr == pica.ExtPdcLutData+pica.StridePdc:
		return *g.colorTable(int((addr - pica.ExtPdcLutData) / pica.StridePdc))
	case addr-externalBase < 4*externalRegs:
		return g.ext[(addr-externalBase)/4]
	case addr-lcdBase < 4*lcdRegs:
		return g.lcd[(addr-lcdBase)/4]
	}
	return 0
}

// trigger does what a write to an external register sets off.
func (g *GPU) trigger(ctx context.Context, addr uint32) error {
	w := g.external(addr)
	switch addr {
	case pica.ExtMemfillControl, pica.ExtMemfillControl + pica.StrideMemfill:
		if !pica.MemfillTrigger.BoolOf(*w) {
			return nil
		}
		first := (addr - externalBase) / 4 &^ 3
		f := decodeFill([4]uint32(g.ext[first : first+4]))
		*w = pica.MemfillFinished.PutBool(pica.MemfillTrigger.PutBool(*w, false), true)
		if f.Start == 0 {
			return nil // a fill that starts at 0 is finished at once
		}
		return g.survive(ctx, g.Fill(ctx, f), "memory fill")
	case pica.ExtPdcLutData, pica.ExtPdcLutData + pica.StridePdc:
		*g.colorTable(int((addr - pica.ExtPdcLutData) / pica.StridePdc)) = pica.PdcLutData.Of(*w)
	case pica.ExtTransferStart:
		if !pica.TransferTrigger.BoolOf(*w) {
			return nil
		}
		*w = pica.TransferFinished.PutBool(pica.TransferTrigger.PutBool(*w, false), true)
		first := (pica.ExtTransferInput - externalBase) / 4
		regs := engineRegs(g.ext[first : first+transferRegs])
		if regs.on(pica.TransferTextureCopy) {
			c := decodeTextureCopy(regs)
			if err := g.checkCopy(regs, c); err != nil {
				return err
			}
			return g.survive(ctx, g.CopyTexture(ctx, c), "texture copy")
		}
		return g.survive(ctx, g.Transfer(ctx, decodeTransfer(regs)), "display transfer")
	}
	return nil
}

// Fill runs a memory fill. Like Transfer, CopyTexture and Load it does nothing
// and returns ctx's error if ctx is cancelled.
func (g *GPU) Fill(ctx context.Context, f Fill) error {
	g.begin()
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	g.counters.Fills++
	if g.BeforeFill != nil {
		g.BeforeFill(f)
	}
	to := span{f.Start, f.End - f.Start}
	if f.End > f.Start {
		if err := g.spend(costBytes, uint64(to.bytes)); err != nil {
			return fmt.Errorf("%v: %w", f, err)
		}
		if err := g.beforeWrite(ctx, to); err != nil {
			return err
		}
		g.usesWrite(UseFill, to, true)
	}
	defer g.measure(&g.counters.Time.Transfers)()
	if err := f.run(g.mem); err != nil {
		return err
	}
	g.watched("memory fill", to.overlaps)
	return g.moved()
}

// moved tells of a fill, a transfer or a copy that is done.
func (g *GPU) moved() error {
	if g.AfterMove == nil {
		return nil
	}
	return g.AfterMove()
}

// beforeMove draws what is queued for what a transfer or a copy reads and writes.
func (g *GPU) beforeMove(ctx context.Context, src, dst span) error {
	if err := g.beforeRead(ctx, src); err != nil {
		return err
	}
	return g.beforeWrite(ctx, dst)
}

// Transfer runs a display transfer.
func (g *GPU) Transfer(ctx context.Context, t Transfer) error {
	g.begin()
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	g.counters.Transfers++
	if g.BeforeTransfer != nil {
		g.BeforeTransfer(t)
	}
	src, dst, err := t.spans()
	if err != nil {
		return err
	}
	if err := g.spend(costBytes, uint64(src.bytes)+uint64(dst.bytes)); err != nil {
		return fmt.Errorf("%v: %w", t, err)
	}
	if !t.possible() {
		return fmt.Errorf("%v: there is no such conversion, and the transfer never ends: %w", t, pica.ErrHang)
	}
	for _, limit := range t.limits() {
		if err := g.warn("%v: %s", t, limit); err != nil {
			return err
		}
	}
	if t.OutWidth < t.InWidth && !t.Crop && t.Scaling == pica.TransferScaleNone {
		if err := g.warn("%v: without the crop flag (bit 2) the console misaligns the lines of a narrower output", t); err != nil {
			return err
		}
	}
	if err := g.beforeMove(ctx, src, dst); err != nil {
		return err
	}
	g.usesTransfer(t, src, dst)
	defer g.measure(&g.counters.Time.Transfers)()
	if err := g.transfer.run(t, g.mem); err != nil {
		return err
	}
	g.watched("display transfer", t.writes)
	return g.moved()
}

// CopyTexture runs a texture copy.
func (g *GPU) CopyTexture(ctx context.Context, c TextureCopy) error {
	g.begin()
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	g.counters.Copies++
	if g.BeforeCopy != nil {
		g.BeforeCopy(c)
	}
	src, dst, err := c.spans()
	if err != nil {
		return err
	}
	// A copy of short lines takes the time of many.
	if err := g.spend(costBytes, 2*uint64(c.Size)+costOfLine*uint64(c.Size/min(c.InLine, c.OutLine))); err != nil {
		return fmt.Errorf("%v: %w", c, err)
	}
	if err := g.beforeMove(ctx, src, dst); err != nil {
		return err
	}
	g.usesCopy(c)
	defer g.measure(&g.counters.Time.Transfers)()
	if err := c.run(g.mem); err != nil {
		return err
	}
	g.watched("texture copy", c.writes)
	return g.moved()
}

// Load writes data to memory as the CPU does.
func (g *GPU) Load(ctx context.Context, addr uint32, data []byte) error {
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	g.begin()
	if err := g.spend(costBytes, uint64(len(data))); err != nil {
		return err
	}
	if g.BeforeLoad != nil {
		g.BeforeLoad(addr, len(data))
	}
	to := clipSpan(uint64(addr), uint64(len(data)))
	if err := g.beforeWrite(ctx, to); err != nil {
		return err
	}
	g.usesWrite(UseCPU, to, true)
	if err := g.mem.Write(addr, data); err != nil {
		return err
	}
	g.watched("memory load", to.overlaps)
	return nil
}

// Read draws what is queued for a range of memory and returns the range, which
// is to be read before the next call of a method and not to be written to.
func (g *GPU) Read(addr, n uint32) ([]byte, error) {
	_ = g.beforeRead(context.Background(), span{addr, n}) // which is not cancelled
	return g.mem.Slice(addr, n)
}

// HasMemory reports whether there is memory for all of the n bytes at addr, in
// one piece.
func (g *GPU) HasMemory(addr, n uint32) bool {
	_, _, err := g.mem.find(addr, n)
	return err == nil
}

// UpdateGasAccmax sets GPUREG_GAS_ACCMAX to the reciprocal of the greatest gas
// density drawn, which the system does after a command list that has the
// "update gas accumulation" flag. Without any density it stays as it is.
func (g *GPU) UpdateGasAccmax(ctx context.Context) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	if top := pica.GasFeedback.Float(&g.regs); top > 0 {
		pica.GasAccmax.SetFloat(&g.regs, 1/top)
	}
	return nil
}
