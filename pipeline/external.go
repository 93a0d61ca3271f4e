package pipeline

import (
	"context"
	"fmt"

	"pica200/pica"
)

// The external registers, which the CPU writes directly.

const (
	externalBase = pica.ExtHardwareID // fills, screens, transfers
	internalBase = pica.ExtInternal   // the internal registers, one word each
	lcdBase      = 0x10202000         // the screens' own registers

	externalRegs = 0x1000 / 4
	lcdRegs      = 0x1000 / 4

	// transferRegs is the number of words of the transfer engine's registers.
	transferRegs = (pica.ExtTextureCopyOutput-pica.ExtTransferInput)/4 + 1
)

// WriteRegister writes width bytes (1, 2, 4 or 8) of value to a register and
// does what that triggers. addr is the physical address, or the virtual one
// that programs use. Writes outside of the registers of the GPU and the screens
// are ignored with a warning.
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
		if r := pica.Reg((addr - internalBase) / 4); effects[r] == system {
			merge(&g.regs[r], value, mask)
			return nil
		}
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
	return g.warn("write to 0x%08X, which is not a register of the GPU or the screens", addr)
}

func merge(w *uint32, value, mask uint32) { *w = *w&^mask | value&mask }

// ReadRegister returns the word of a register, 0 if there is none. addr is the
// physical address, or the virtual one that programs use.
func (g *GPU) ReadRegister(addr uint32) uint32 {
	addr = pica.PhysicalAddress(addr)
	switch {
	case addr-internalBase < 4*pica.NumRegs:
		return g.ReadInternal(pica.Reg((addr - internalBase) / 4))
	case addr == pica.ExtPdcLutData || addr == pica.ExtPdcLutData+pica.StridePdc:
		return *g.colorTable(int((addr - pica.ExtPdcLutData) / pica.StridePdc))
	case addr == pica.ExtHardwareID:
		return hardwareID
	case addr-externalBase < 4*externalRegs:
		return g.ext[(addr-externalBase)/4]
	case addr-lcdBase < 4*lcdRegs:
		return g.lcd[(addr-lcdBase)/4]
	}
	return 0
}

// hardwareID is what GBATEK's author reads on all models.
const hardwareID = 0x00010002

// trigger does what a write to an external register triggers.
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
			return nil // a fill that starts at 0 ends at once
		}
		if err := g.Fill(ctx, f); err != nil {
			return g.survive(ctx, err, "memory fill")
		}
		if f.Start < pica.VRAMBase || f.End > pica.VRAMBase+pica.VRAMSize {
			return g.warn("%v: fills belong in video memory; what the console does elsewhere is not described", f)
		}
		return nil
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

// Fill runs a memory fill. If ctx is cancelled, Fill, Transfer, CopyTexture and
// Load do nothing and return ctx's error.
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
	if err := f.run(g.kernels, g.mem); err != nil {
		return err
	}
	if g.watch != nil {
		g.watched(f, to.overlaps)
	}
	return g.moved()
}

// moved calls AfterMove after a fill, a transfer or a copy.
func (g *GPU) moved() error {
	if g.AfterMove == nil {
		return nil
	}
	return g.AfterMove()
}

// beforeMove executes the queued draws that use memory which a transfer or a
// copy reads or writes.
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
	if why := t.hangs(); why != "" {
		return fmt.Errorf("%v: %s, and the transfer never ends: %w", t, why, pica.ErrHang)
	}
	for _, limit := range t.limits() {
		if err := g.warn("%v: %s", t, limit); err != nil {
			return err
		}
	}
	if line := t.InLine(); line < t.InWidth {
		if err := g.warn("%v: without the crop flag (bit 2) lines of the input are taken to be %d pixels wide, like those of the output", t, line); err != nil {
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
	if g.watch != nil {
		g.watched(t, t.writes)
	}
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
	// A copy of short lines takes longer than its bytes alone.
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
	if g.watch != nil {
		g.watched(c, c.writes)
	}
	return g.moved()
}

// Load writes data to memory as the CPU would.
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
	if g.watch != nil {
		g.watched(Load{addr, len(data)}, to.overlaps)
	}
	return nil
}

// Read executes the queued draws that write to a range of memory and returns
// the range. The slice is valid until the next call of a method and must not be
// written to.
func (g *GPU) Read(addr, n uint32) ([]byte, error) {
	_ = g.beforeRead(context.Background(), span{addr, n}) // cannot be cancelled
	return g.mem.Slice(addr, n)
}

// HasMemory reports whether all n bytes at addr are memory, in one region.
func (g *GPU) HasMemory(addr, n uint32) bool {
	_, _, err := g.mem.find(addr, n)
	return err == nil
}

// UpdateGasAccmax sets GPUREG_GAS_ACCMAX to the reciprocal of the greatest gas
// density that was drawn, or leaves it if there is none. The system does this
// after a command list with the flag "update gas accumulation".
func (g *GPU) UpdateGasAccmax(ctx context.Context) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	if top := pica.GasFeedback.Float(&g.regs); top > 0 {
		pica.GasAccmax.SetFloat(&g.regs, 1/top)
	}
	return nil
}
