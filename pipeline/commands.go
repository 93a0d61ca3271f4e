package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"pica200/geometry"
	"pica200/pica"
)

const (
	maxJumps       = 1 << 14 // jumps in a row from one list; a list can jump to itself
	commandsUnseen = 1 << 12 // commands between two checks of the context
	listUnit       = 16      // bytes that sizes and addresses of lists count in
)

// errFinalize is returned by the write that ends a command list.
var errFinalize = errors.New("GPUREG_FINALIZE")

// listReader is the state of the command processor.
type listReader struct {
	words []uint32
	jump  bool   // jump when this command is done
	addr  uint32 // target of the jump
	bytes uint32
}

// listPos is a position in a command list.
type listPos struct {
	addr, bytes uint32   // of the list; the size is as the program gave it
	jumps       int      // jumps that led to this list
	words       []uint32 // of the list; nil until it is read
	command     int      // index in words of the next command
	done        int      // parameters of the command that are done
}

// RunList runs the command list of n bytes at physical address addr, both in
// units of 16 bytes rounded down, and those that it jumps to. An error names the list and the offset in it. When ctx is
// cancelled, the rest of the list is not run and the error is ctx's.
func (g *GPU) RunList(ctx context.Context, addr, n uint32) error {
	g.begin()
	g.counters.Lists++
	g.progress.geometry = false
	if g.BeforeList != nil {
		g.BeforeList(addr, n)
	}
	return g.runLists(ctx, listPos{addr: addr &^ (listUnit - 1), bytes: n})
}

// runLists runs a command list from a position on, and the lists that it jumps to.
func (g *GPU) runLists(ctx context.Context, at listPos) error {
	l := &g.list
	defer func() {
		if cap(l.words) > retainedListWords {
			l.words = nil
		}
	}()
	for {
		if at.jumps > maxJumps {
			return fmt.Errorf("command list at 0x%08X: it was reached by %d jumps in a row, an endless loop: %w", at.addr, at.jumps, pica.ErrHang)
		}
		if err := g.readList(ctx, &at); err != nil {
			return err
		}
		l.jump = false
		err := g.runCommands(ctx, &at)
		switch {
		case errors.Is(err, errFinalize):
			return g.flushImmediate(ctx)
		case err != nil:
			return err
		}
		if !l.jump {
			break
		}
		at = listPos{addr: l.addr, bytes: l.bytes, jumps: at.jumps + 1}
	}
	if err := g.flushImmediate(ctx); err != nil {
		return err
	}
	cut := ""
	if n := at.bytes % listUnit; n != 0 {
		cut = fmt.Sprintf("; sizes count in 16 bytes, so the last %d of its %d bytes are not read", n, at.bytes)
	}
	return fmt.Errorf("command list at 0x%08X ends without a write to %v of which a byte equals that of %v, 0x%08X%s: %w",
		at.addr, pica.RegFinalize, pica.RegIrqCompare, g.regs[pica.RegIrqCompare], cut, pica.ErrHang)
}

// readList reads the words of a list, unless the place has them already.
func (g *GPU) readList(ctx context.Context, at *listPos) error {
	size := at.bytes / listUnit * listUnit
	words := resize(&g.list.words, int(size/4))
	if at.words != nil {
		copy(words, at.words)
		at.words = words
		return nil
	}
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	list := span{at.addr, size}
	if err := g.beforeRead(ctx, list); err != nil {
		return err
	}
	src, err := g.mem.Slice(at.addr, size)
	if err != nil {
		return fmt.Errorf("command list of %d bytes: %w", size, err)
	}
	g.usesRead(UseList, list)
	if err := g.spend(costWords, uint64(size)/4); err != nil {
		return fmt.Errorf("command list at 0x%08X: %w", at.addr, err)
	}
	loadWords(words, src)
	at.words = words
	return nil
}

// loadWords reads little-endian words.
func loadWords(words []uint32, src []byte) {
	if len(words) > 0 && littleEndian {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 4*len(words)), src)
		return
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(src[4*i:])
	}
}

// littleEndian reports whether this processor has the GPU's byte order.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// runCommands runs the commands of one list from a position to its end, to a jump,
// or to a write to GPUREG_FINALIZE, for which it returns errFinalize. It keeps
// the position up to date.
func (g *GPU) runCommands(ctx context.Context, at *listPos) error {
	reader := pica.ReadCommandsFrom(at.words, at.command)
	var c pica.Command
	for n := 1; ; n++ {
		if n%commandsUnseen == 0 {
			if err := g.cancelled(ctx); err != nil {
				return err
			}
		}
		if !reader.Read(&c) {
			break
		}
		id := c.Header.Reg()
		mask := c.Header.BitMask()
		step := pica.Reg(0)
		if c.Header.Consecutive() {
			step = 1
		}
		done := at.done
		if at.done = 0; done == 0 {
			g.counters.Commands += c.Len()
			if g.plainCommand(id, &c) {
				continue
			}
			if !g.plainWrite(id, c.First, mask) {
				if err := g.writeInList(ctx, at, &c, 0, id, mask); err != nil {
					return err
				}
			}
			if step == 0 && id < pica.NumRegs && effects[id] == uniformData && mask == wholeWord && len(c.Extra) > 0 {
				g.regs[id] = c.Extra[len(c.Extra)-1]
				g.uniformWords(id, c.Extra)
				continue
			}
			done = 1
		}
		for i := done; i < c.Len(); i++ {
			id := id + pica.Reg(i)*step
			if g.plainWrite(id, c.Extra[i-1], mask) {
				continue
			}
			if err := g.writeInList(ctx, at, &c, i, id, mask); err != nil {
				return err
			}
		}
		if g.list.jump {
			return nil
		}
	}
	if err := reader.Err(); err != nil {
		return fmt.Errorf("command list at 0x%08X: %w", at.addr, err)
	}
	return nil
}

// writeInList writes parameter i of a command of a list. A Replayer may take a
// checkpoint after it.
func (g *GPU) writeInList(ctx context.Context, at *listPos, c *pica.Command, i int, id pica.Reg, mask uint32) error {
	if err := g.write(ctx, id, c.Param(i), mask); err != nil {
		return atCommand(at.addr, *c, i, err)
	}
	if g.progress.mark == nil || !g.progress.last || g.list.jump {
		return nil
	}
	here := *at
	here.command, here.done = c.Offset, i+1
	return g.progress.mark(ctx, &here)
}

// wholeWord is the mask of a write to all four bytes of a register.
const wholeWord = 0xFFFFFFFF

// plainCommand runs a command that writes whole registers in sequence, all of
// which only store their values. It returns false and does nothing for any
// other command.
func (g *GPU) plainCommand(id pica.Reg, c *pica.Command) bool {
	n := c.Len()
	if n > 1 && !c.Header.Consecutive() || c.Header.Mask() != 0xF || id >= pica.NumRegs || int(plainRuns[id]) < n || len(g.immediate.vertices) != 0 {
		return false
	}
	g.regs[id] = c.First
	copy(g.regs[id+1:], c.Extra)
	return true
}

// plainRuns[r] is the number of consecutive registers from r on that only store
// their values.
var plainRuns = func() (t [pica.NumRegs]uint16) {
	for i := range t {
		for id := i; id < len(t) && effects[id] == plain; id++ {
			t[i]++
		}
	}
	return t
}()

// plainWrite is a fast path of write for registers that only store the value.
// It returns false and does nothing for others.
func (g *GPU) plainWrite(id pica.Reg, value, mask uint32) bool {
	if id >= pica.NumRegs || effects[id] != plain || len(g.immediate.vertices) != 0 {
		return false
	}
	g.regs[id] = g.regs[id]&^mask | value&mask
	return true
}

// atCommand adds the position of parameter i of a command to an error.
func atCommand(addr uint32, c pica.Command, i int, err error) error {
	if err == errFinalize {
		return err
	}
	return fmt.Errorf("command list at 0x%08X, offset 0x%X (%v): %w", addr, 4*c.ParamOffset(i), c.Reg(i), err)
}

// write writes the bits of mask to an internal register and does what the write
// triggers. It ignores registers that do not exist or that only the CPU can
// write, and writes with an empty mask.
//
// Registers that pass data on (programs, uniforms, tables, attributes) take the
// whole value whatever the mask is. What the console does there with a partial
// write is unknown.
func (g *GPU) write(ctx context.Context, id pica.Reg, value, mask uint32) error {
	if id >= pica.NumRegs || mask == 0 {
		return nil
	}
	old := g.regs[id]
	merged := old&^mask | value&mask
	kind := effects[id]
	if kind == system {
		return nil
	}
	if kind == plain {
		if len(g.immediate.vertices) != 0 && merged != old {
			if err := g.flushImmediate(ctx); err != nil {
				return err
			}
		}
		g.regs[id] = merged
		return nil
	}
	if kind != fixedData {
		if err := g.flushImmediate(ctx); err != nil {
			return err
		}
	}
	if kind == gasFeedback {
		// The result of queued draws must not overwrite the 0 that the program writes.
		if err := g.flush(ctx); err != nil {
			return err
		}
	}
	g.regs[id] = merged
	return g.react(ctx, kind, id, value, mask)
}

// WriteInternal writes an internal register as a command does.
func (g *GPU) WriteInternal(ctx context.Context, id pica.Reg, value uint32) error {
	g.begin()
	return g.write(ctx, id, value, wholeWord)
}

// effect says what a write to a register triggers.
type effect uint8

const (
	plain  effect = iota // the register only stores the value
	system               // the same, but command lists cannot write it
	finalize
	jump
	drawArrays
	drawElements
	restart
	gasFeedback
	flushPixels
	fixedIndex
	fixedData
	lightData
	fogData
	gasData
	procData
	shaderBool // from here on, effects that exist once for each shader unit
	shaderInt
	shaderEntry
	shaderOutMask
	uniformIndex
	uniformData
	codeData
	descData
)

var effects = func() (t [pica.NumRegs]effect) {
	set := func(e effect, first pica.Reg, n int) {
		for i := range n {
			t[first+pica.Reg(i)] = e
		}
	}
	set(system, 0, 0x040)
	set(finalize, pica.RegFinalize, 1)
	set(plain, pica.RegFinalize+1, 15) // requests of interrupts that the system switches off
	set(jump, pica.RegCmdbufJump0, 2)
	set(drawArrays, pica.RegDrawarrays, 1)
	set(drawElements, pica.RegDrawelements, 1)
	set(restart, pica.RegRestartPrimitive, 1)
	set(gasFeedback, pica.RegGasFeedback, 1)
	set(flushPixels, pica.RegFramebufferFlush, 1)
	set(fixedIndex, pica.RegFixedattribIndex, 1)
	set(fixedData, pica.RegFixedattribData0, 3)
	set(lightData, pica.RegLightingLutData0, 8)
	set(fogData, pica.RegFogLutData0, 8)
	set(gasData, pica.RegGasLutData, 1)
	set(procData, pica.RegProctexLutData0, 8)
	for _, unit := range []pica.Reg{pica.OffsetGsh, pica.OffsetVsh} {
		set(shaderBool, pica.RegGshBooluniform+unit, 1)
		set(shaderInt, pica.RegGshIntuniformI0+unit, 4)
		set(shaderEntry, pica.RegGshEntrypoint+unit, 1)
		set(shaderOutMask, pica.RegGshOutmapMask+unit, 1)
		set(uniformIndex, pica.RegGshFloatuniformIndex+unit, 1)
		set(uniformData, pica.RegGshFloatuniformData0+unit, 8)
		set(codeData, pica.RegGshCodetransferData0+unit, 8)
		set(descData, pica.RegGshOpdescsData0+unit, 8)
	}
	return t
}()

// react does what a write triggers.
func (g *GPU) react(ctx context.Context, e effect, id pica.Reg, value, mask uint32) error {
	r := &g.regs
	switch e {
	case finalize:
		for b, other := 0, (value^r[pica.RegIrqCompare])|^mask; b < 4; b++ {
			if other>>(8*b)&0xFF == 0 && r[pica.RegIrqMask]>>b&1 == 0 {
				return errFinalize
			}
		}
	case jump:
		i := id - pica.RegCmdbufJump0
		g.list.jump = true
		g.list.addr = pica.CmdbufAddr.At(i).Addr(r)
		g.list.bytes = (r[pica.RegCmdbufSize0+i] & 0x1FFFFF) << 3
		r[id] = 0
	case drawArrays:
		return g.draw(ctx, geometry.Arrays, nil)
	case drawElements:
		return g.draw(ctx, geometry.Elements, nil)
	case restart:
		g.stage.Restart()
	case gasFeedback:
	case flushPixels:
		g.progress.geometry = false
	case fixedIndex:
		g.immediate.partial = g.immediate.partial[:0]
		g.upload.fixed.n = 0
	case fixedData:
		return g.fixedAttribute(ctx, value)
	case lightData:
		g.lightTable(value)
	case fogData:
		g.fogTable(value)
	case gasData:
		g.gasTable(value)
	case procData:
		g.procTable(value)
	case uniformData:
		g.uniformWords(id, []uint32{value})
	default:
		if (e == codeData || e == descData || e == shaderEntry) && id >= pica.RegVshBooluniform && !pica.StartDrawConfig.Bool(r) {
			if err := g.warnText(lateProgram); err != nil {
				return err
			}
		}
		if problem := g.shaderWrite(e, id, value); problem != "" {
			return g.warn("%s", problem)
		}
	}
	return nil
}
