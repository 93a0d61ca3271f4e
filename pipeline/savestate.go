package pipeline

import (
	"context"
	"encoding/binary"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/shaderunit"
)

// State executes everything queued and returns the state of the GPU as the
// initial state of a recording. A GPU with this state, the same memory and the
// register writes of Leftovers draws the same as this one.
//
// In it, boolean and integer uniforms that reached the geometry shader's unit
// through the vertex shader's registers are in the geometry shader's own
// registers. The last render target is not part of a state: what is drawn does
// not depend on it.
func (g *GPU) State(ctx context.Context) (picatrace.State, error) {
	if err := g.Finish(ctx); err != nil {
		return nil, err
	}
	regs := g.regs
	for _, unit := range []struct {
		s    *shaderunit.Setup
		base pica.Reg
	}{{&g.vs, pica.OffsetVsh}, {&g.gs, pica.OffsetGsh}} {
		// Writes for both units are stored in the registers of only one of them.
		b := pica.RegGshBooluniform + unit.base
		regs[b] = regs[b]&^0xFFFF | uint32(unit.s.Bool)
		for i, v := range unit.s.Int {
			regs[pica.RegGshIntuniformI0+unit.base+pica.Reg(i)] = binary.LittleEndian.Uint32(v[:])
		}
	}
	stage := g.stage.State()
	t := &g.tables
	light := make([]uint32, 0, len(t.Light)*len(t.Light[0]))
	for i := range t.Light {
		light = append(light, t.Light[i][:]...)
	}
	s := picatrace.State{
		picatrace.ExternalRegisters:   append([]uint32(nil), g.ext[:]...),
		picatrace.ScreenRegisters:     append([]uint32(nil), g.lcd[:]...),
		picatrace.InternalRegisters:   append([]uint32(nil), regs[:]...),
		picatrace.FixedAttributes:     saveVectors(g.fixed[:]),
		picatrace.VertexCode:          saveCode(&g.vs),
		picatrace.VertexDescriptors:   saveDescriptors(&g.vs),
		picatrace.VertexUniforms:      saveVectors(g.vs.Float[:]),
		picatrace.GeometryCode:        saveCode(&g.gs),
		picatrace.GeometryDescriptors: saveDescriptors(&g.gs),
		picatrace.GeometryUniforms:    saveVectors(g.gs.Float[:]),
		picatrace.LightingTables:      light,
		picatrace.FogTable:            append([]uint32(nil), t.Fog[:]...),
		picatrace.GasTable:            append([]uint32(nil), t.Gas[:]...),
		picatrace.ProctexNoise:        append([]uint32(nil), t.ProcNoise[:]...),
		picatrace.ProctexRGBMap:       append([]uint32(nil), t.ProcRGBMap[:]...),
		picatrace.ProctexAlphaMap:     append([]uint32(nil), t.ProcAlphaMap[:]...),
		picatrace.ProctexColors:       append([]uint32(nil), t.ProcColor[:]...),
		picatrace.ProctexColorDiffs:   append([]uint32(nil), t.ProcColorDiff[:]...),
		picatrace.Primitives:          stage.Words(),
	}
	for b, words := range s {
		n := len(words)
		for n > 0 && words[n-1] == 0 {
			n--
		}
		if n == 0 && b != picatrace.InternalRegisters {
			delete(s, b)
			continue
		}
		if b != picatrace.ExternalRegisters && b != picatrace.InternalRegisters {
			s[b] = words[:n] // the rest keeps the values of the system
		}
	}
	return s, nil
}

// Leftovers returns register writes that restore what State has no block for:
// the colour tables of the screens, the attributes of an incomplete
// immediate-mode vertex, and the words of incomplete vectors.
func (g *GPU) Leftovers() []picatrace.RegWrite {
	var ws []picatrace.RegWrite
	for half, table := range g.colors {
		if table == nil {
			continue
		}
		at := uint32(half) * pica.StridePdc
		index := *g.external(pica.ExtPdcLutIndex + at)
		ws = append(ws, picatrace.RegWrite{Addr: pica.ExtPdcLutIndex + at})
		for _, c := range table {
			ws = append(ws, picatrace.RegWrite{Addr: pica.ExtPdcLutData + at, Value: c})
		}
		ws = append(ws, picatrace.RegWrite{Addr: pica.ExtPdcLutIndex + at, Value: index})
	}
	write := func(reg pica.Reg, words ...uint32) {
		for _, w := range words {
			ws = append(ws, picatrace.RegWrite{Addr: internalBase + 4*uint32(reg), Value: w})
		}
	}
	half := func(v *vector, reg pica.Reg) { write(reg, v.word[:v.n]...) }
	for i := range g.immediate.partial {
		e := saveVectors(g.immediate.partial[i : i+1])
		write(pica.RegFixedattribData0, e[3]<<8|e[2]>>16, e[2]<<16|e[1]>>8, e[1]<<24|e[0])
	}
	half(&g.upload.uniform[0], pica.RegGshFloatuniformData0+pica.OffsetGsh)
	half(&g.upload.uniform[1], pica.RegGshFloatuniformData0+pica.OffsetVsh)
	half(&g.upload.fixed, pica.RegFixedattribData0)
	return ws
}

func saveVectors(v [][4]float32) []uint32 {
	words := make([]uint32, 0, 4*len(v))
	for i := range v {
		for _, x := range v[i] {
			words = append(words, pica.Float24.Encode(x))
		}
	}
	return words
}

func saveCode(s *shaderunit.Setup) []uint32 {
	words := make([]uint32, shaderunit.CodeWords)
	for i := range words {
		words[i] = s.Code(i)
	}
	return words
}

func saveDescriptors(s *shaderunit.Setup) []uint32 {
	words := make([]uint32, shaderunit.Descriptors)
	for i := range words {
		words[i] = uint32(s.Desc(i))
	}
	return words
}

// EachPage calls f for every page of memory that was written since the GPU was
// made or reset, by address in each region. f must not keep the page.
func (g *GPU) EachPage(ctx context.Context, f func(addr uint32, page []byte)) error {
	if err := g.Finish(ctx); err != nil {
		return err
	}
	for i := range g.mem.regions {
		r := &g.mem.regions[i]
		for p, written := range r.written {
			if written > g.mem.reset {
				f(r.base+uint32(p)<<pageBits, r.data[p<<pageBits:(p+1)<<pageBits])
			}
		}
	}
	return nil
}
