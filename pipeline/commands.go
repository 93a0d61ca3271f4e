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
	maxJumps       = 1 << 14 // lists that one list may jump to, one after another: a list can jump to itself
	commandsUnseen = 1 << 12 // commands between two looks at the context
)

// errFinalize ends a command list.
var errFinalize = errors.New("GPUREG_FINALIZE")

// listReader holds what the command processor works on.
type listReader struct {
	words []uint32
	jump  bool   // a jump is due at the end of this command
	addr  uint32 // where the jump leads
	bytes uint32
}

// listPlace is a place in a command list.
type listPlace struct {
	addr, bytes uint32   // the list
	jumps       int      // that led to it
	words       []uint32 // of it; nil where it is not read yet
	command     int      // the word at which the next command begins
	done        int      // of its parameters, these are done
}

// RunList runs the command list of n bytes at physical address addr, and those
// that it jumps to. An error names the list and the offset in it. When ctx is
// cancelled, the rest of the list is not run and the error is ctx's.
func (g *GPU) RunList(ctx context.Context, addr, n uint32) error {
	g.begin()
	g.counters.Lists++
	if g.BeforeList != nil {
		g.BeforeList(addr, n)
	}
	return g.runLists(ctx, listPlace{addr: addr, bytes: n})
}

// runLists runs a command list from a place on, and those that it jumps to.
func (g *GPU) runLists(ctx context.Context, at listPlace) error {
	l := &g.list
	defer func() {
		if cap(l.words) > keptListWords {
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
		at = listPlace{addr: l.addr, bytes: l.bytes, jumps: at.jumps + 1}
	}
	if err := g.flushImmediate(ctx); err != nil {
		return err
	}
	return fmt.Errorf("command list at 0x%08X ends without a write to %v: %w", at.addr, pica.RegFinalize, pica.ErrHang)
}

// readList reads the words of a list, if the place does not have them.
func (g *GPU) readList(ctx context.Context, at *listPlace) error {
	words := resize(&g.list.words, int(at.bytes/4))
	if at.words != nil {
		copy(words, at.words)
		at.words = words
		return nil
	}
	if err := g.cancelled(ctx); err != nil {
		return err
	}
	list := span{at.addr, at.bytes}
	if err := g.beforeRead(ctx, list); err != nil {
		return err
	}
	src, err := g.mem.Slice(at.addr, at.bytes)
	if err != nil {
		return fmt.Errorf("command list of %d bytes: %w", at.bytes, err)
	}
	g.usesRead(UseList, list)
	if err := g.spend(costWords, uint64(at.bytes)/4); err != nil {
		return fmt.Errorf("command list at 0x%08X: %w", at.addr, err)
	}
	loadWords(words, src)
	at.words = words
	return nil
}

// loadWords reads words as memory has them, the low byte first.
func loadWords(words []uint32, src []byte) {
	if len(words) > 0 && littleEndian {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 4*len(words)), src)
		return
	}
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(src[4*i:])
	}
}

// littleEndian: words lie in this processor's memory as in the GPU's.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// runCommands runs the commands of one list from a place up to its end, a jump or a
// write to GPUREG_FINALIZE, for which it returns errFinalize. The place follows it.
func (g *GPU) runCommands(ctx context.Context, at *listPlace) error {
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

// writeInList is write for parameter i of a command of a list. Behind it a Replayer may
// take a checkpoint.
func (g *GPU) writeInList(ctx context.Context, at *listPlace, c *pica.Command, i int, id pica.Reg, mask uint32) error {
	if err := g.write(ctx, id, c.Param(i), mask); err != nil {
		return atCommand(at.addr, *c, i, err)
	}
	if g.place.mark == nil || !g.place.last || g.list.jump {
		return nil
	}
	here := *at
	here.command, here.done = c.Offset, i+1
	return g.place.mark(ctx, &here)
}

// wholeWord is the mask of a write to all bytes of a register.
const wholeWord = 0xFFFFFFFF

// plainCommand does a command that writes whole registers, one after the other, of which
// only the values are kept; false, and nothing is done, if it is another.
func (g *GPU) plainCommand(id pica.Reg, c *pica.Command) bool {
	n := c.Len()
	if n > 1 && !c.Header.Consecutive() || c.Header.Mask() != 0xF || id >= pica.NumRegs || int(plainRuns[id]) < n || len(g.immediate.vertices) != 0 {
		return false
	}
	g.regs[id] = c.First
	copy(g.regs[id+1:], c.Extra)
	return true
}

// plainRuns is how many registers from each one on are plain.
var plainRuns = func() (t [pica.NumRegs]uint16) {
	for i := range t {
		for id := i; id < len(t) && effects[id] == plain; id++ {
			t[i]++
		}
	}
	return t
}()

// plainWrite is write where that only keeps the value, as it mostly does; false,
// and nothing is done, where there is more to it.
func (g *GPU) plainWrite(id pica.Reg, value, mask uint32) bool {
	if id >= pica.NumRegs || effects[id] != plain || len(g.immediate.vertices) != 0 {
		return false
	}
	g.regs[id] = g.regs[id]&^mask | value&mask
	return true
}

// atCommand adds to an error the place of parameter i of a command.
func atCommand(addr uint32, c pica.Command, i int, err error) error {
	if err == errFinalize {
		return err
	}
	return fmt.Errorf("command list at 0x%08X, offset 0x%X (%v): %w", addr, 4*c.ParamOffset(i), c.Reg(i), err)
}

// write writes the bits of mask to an internal register and does what that
// sets off. Registers that do not exist are ignored, as is a write that
// touches no byte.
//
// Registers that data goes through (programs, uniforms, tables, attributes)
// take the whole value whatever the mask; what the console does with a partial
// write to them is unknown.
func (g *GPU) write(ctx context.Context, id pica.Reg, value, mask uint32) error {
	if id >= pica.NumRegs || mask == 0 {
		return nil
	}
	old := g.regs[id]
	merged := old&^mask | value&mask
	kind := effects[id]
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
		// What queued draws will find must not come after the program's 0.
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

// effect says what a write to a register sets off.
type effect uint8

const (
	plain effect = iota // nothing but the value is kept
	finalize
	jump
	drawArrays
	drawElements
	restart
	gasFeedback
	fixedIndex
	fixedData
	lightData
	fogData
	gasData
	procData
	shaderBool // the shader effects come with those of both units
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
	set(finalize, pica.RegFinalize, 1)
	set(jump, pica.RegCmdbufJump0, 2)
	set(drawArrays, pica.RegDrawarrays, 1)
	set(drawElements, pica.RegDrawelements, 1)
	set(restart, pica.RegRestartPrimitive, 1)
	set(gasFeedback, pica.RegGasFeedback, 1)
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

// react does what a write sets off.
func (g *GPU) react(ctx context.Context, e effect, id pica.Reg, value, mask uint32) error {
	r := &g.regs
	switch e {
	case finalize:
		return errFinalize
	case jump:
		i := id - pica.RegCmdbufJump0
		if value != 0 {
			g.list.jump = true
			g.list.addr = pica.CmdbufAddr.At(i).Addr(r)
			g.list.bytes = pica.CmdbufSize.At(i).Get(r) << 3
		}
		r[id] = 0
	case drawArrays, drawElements:
		if value&mask == 0 {
			return nil // a trigger is pulled by a bit
		}
		if e == drawArrays {
			return g.draw(ctx, geometry.Arrays, nil)
		}
		return g.draw(ctx, geometry.Elements, nil)
	case restart:
		if value&1 != 0 {
			g.stage.Restart()
		}
	case gasFeedback:
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
		if problem := g.shaderWrite(e, id, value); problem != "" {
			return g.warn("%s", problem)
		}
	}
	return nil
}
