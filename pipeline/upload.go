package pipeline

import (
	"context"
	"fmt"
	"math"

	"pica200/pica"
	"pica200/shaderunit"
)

// Registers that take data word by word: programs, uniforms, fixed attributes
// and tables.

// upload holds incomplete vectors.
type upload struct {
	uniform [2]vector // of the geometry shader and the vertex shader
	fixed   vector
}

// vector collects the words of four numbers, the last of them first: three
// words for float24, four for float32.
type vector struct {
	word [4]uint32
	n    int
}

// uploadRegisters hold the positions of uploads of programs and uniforms.
var uploadRegisters = [...]pica.Reg{
	pica.RegGshCodetransferIndex, pica.RegGshOpdescsIndex, pica.RegGshFloatuniformIndex,
	pica.RegGshCodetransferIndex + pica.OffsetVsh, pica.RegGshOpdescsIndex + pica.OffsetVsh, pica.RegGshFloatuniformIndex + pica.OffsetVsh,
}

// KeepUploads calls f, which may upload programs and uniforms, and then
// restores the positions of uploads, so that the caller's own upload continues
// where it was.
func (g *GPU) KeepUploads(f func() error) error {
	upload := g.upload
	var at [len(uploadRegisters)]uint32
	for i, r := range uploadRegisters {
		at[i] = g.regs[r]
	}
	err := f()
	g.upload = upload
	for i, r := range uploadRegisters {
		g.regs[r] = at[i]
	}
	return err
}

// add adds a word and reports whether the vector is complete. The next word
// then begins a new one.
func (v *vector) add(w uint32, words int) bool {
	v.word[v.n] = w
	v.n++
	if v.n < words {
		return false
	}
	v.n = 0
	return true
}

// float32 unpacks four float32 from four words.
func (v *vector) float32() [4]float32 {
	var x [4]float32
	for i := range x {
		x[i] = shaderunit.ToFloat24(math.Float32frombits(v.word[3-i]))
	}
	return x
}

// broadcast reports whether writes for the vertex shader also reach the
// geometry shader's unit. They do if that unit has no configuration of its own
// (GPUREG_VSH_COM_MODE) and runs no geometry shader (GPUREG_GEOSTAGE_CONFIG);
// 3dbrew.
func (p *programmed) broadcast() bool {
	return !pica.VshComMode.Bool(&p.regs) && pica.GeostageMode.Get(&p.regs) != uint32(pica.GeoStageOn)
}

// shaderWrite does what a write to a register of a shader unit triggers.
// problem says what was ignored, "" if nothing was.
func (p *programmed) shaderWrite(e effect, id pica.Reg, value uint32) (problem string) {
	r := &p.regs
	unit, base, s := 0, pica.OffsetGsh, &p.gs
	if id >= pica.RegVshBooluniform {
		unit, base, s = 1, pica.OffsetVsh, &p.vs
	}
	// The units that the write reaches.
	reached := [2]*shaderunit.Setup{s, nil}
	if unit == 1 && p.broadcast() {
		reached[1] = &p.gs
	}
	for _, s := range reached {
		if s == nil {
			break
		}
		switch e {
		case shaderBool:
			s.Bool = uint16(r[id])
		case shaderInt:
			v := r[id]
			s.Int[(id-pica.RegGshIntuniformI0-base)&3] = [4]uint8{uint8(v), uint8(v >> 8), uint8(v >> 16), uint8(v >> 24)}
		case shaderOutMask:
			s.OutMask = uint16(r[id])
			if s == &p.gs {
				pica.ShOutmapMask.Set(r, r[id])
			}
		}
	}
	switch e {
	case shaderEntry:
		// Only this unit: the geometry unit keeps its own entry point.
		s.Entry = uint16(entries[unit].Get(r))
	case uniformIndex:
		p.upload.uniform[unit].n = 0
	case codeData:
		index := pica.ShCodetransferIndex.At(base)
		at := int(index.Get(r))
		limit := shaderunit.CodeWords
		if unit == 1 {
			limit = shaderunit.VertexCodeWords
		}
		if at >= limit {
			return fmt.Sprintf("%v: there is no program memory after word %d", id, limit-1)
		}
		for _, s := range reached {
			if s != nil {
				s.SetCode(at, value)
			}
		}
		index.Set(r, uint32(at+1))
	case descData:
		index := pica.ShOpdescsIndex.At(base)
		at := int(index.Get(r))
		if at >= shaderunit.Descriptors {
			return fmt.Sprintf("%v: there are no operand descriptors after number %d", id, shaderunit.Descriptors-1)
		}
		for _, s := range reached {
			if s != nil {
				s.SetDesc(at, value)
			}
		}
		index.Set(r, uint32(at+1))
	}
	return ""
}

// The fields of entry points and float uniforms, of the geometry and the vertex
// shader.
var (
	entries        = [2]pica.Field{pica.GshEntrypoint, pica.VshEntrypoint}
	uniformFormats = [2]pica.Field{pica.ShFloatuniformFormat.At(pica.OffsetGsh), pica.ShFloatuniformFormat.At(pica.OffsetVsh)}
	uniformIndices = [2]pica.Field{pica.ShFloatuniformIndex.At(pica.OffsetGsh), pica.ShFloatuniformIndex.At(pica.OffsetVsh)}
)

// uniformWords takes words of float uniforms. It ignores uniforms after c95.
func (p *programmed) uniformWords(id pica.Reg, values []uint32) {
	r := &p.regs
	unit, s, too := 0, &p.gs, (*shaderunit.Setup)(nil)
	if id >= pica.RegVshBooluniform {
		unit, s = 1, &p.vs
		if p.broadcast() {
			too = &p.gs
		}
	}
	q, words := &p.upload.uniform[unit], 3
	if pica.UniformFormat(uniformFormats[unit].Get(r)) == pica.UniformFloat32 {
		words = 4
	}
	at := uniformIndices[unit].Get(r)
	for _, v := range values {
		if !q.add(v, words) {
			continue
		}
		if at >= uint32(len(s.Float)) {
			continue
		}
		x := &s.Float[at]
		if words == 3 {
			*x = pica.UnpackFloat24(q.word[0], q.word[1], q.word[2])
		} else {
			*x = q.float32()
		}
		if too != nil {
			too.Float[at] = *x
		}
		at++
	}
	uniformIndices[unit].Set(r, at)
}

// fixedAttribute takes a word of a fixed attribute, or of a vertex in
// immediate mode.
func (g *GPU) fixedAttribute(ctx context.Context, value uint32) error {
	q := &g.upload.fixed
	if !q.add(value, 3) {
		return nil
	}
	x := pica.UnpackFloat24(q.word[0], q.word[1], q.word[2])
	index := pica.FixedattribIndex.Get(&g.regs)
	if index == immediateIndex {
		return g.immediateAttribute(ctx, x)
	}
	g.fixed[index] = x
	pica.FixedattribIndex.Set(&g.regs, index+1)
	return nil
}

// Tables. An index past the end of a table wraps to its beginning.

func (p *programmed) lightTable(value uint32) {
	r := &p.regs
	table, index := pica.LightingLutTable.Get(r), pica.LightingLutIndex.Get(r)
	if table < uint32(len(p.tables.Light)) {
		p.put(&p.tables.Light[table][index], value)
	}
	pica.LightingLutIndex.Set(r, index+1)
}

func (p *programmed) fogTable(value uint32) {
	index := pica.FogLutIndex.Get(&p.regs)
	p.put(&p.tables.Fog[index%uint32(len(p.tables.Fog))], value)
	pica.FogLutIndex.Set(&p.regs, index+1)
}

func (p *programmed) gasTable(value uint32) {
	index := pica.GasLutIndex.Get(&p.regs)
	p.put(&p.tables.Gas[index%uint32(len(p.tables.Gas))], value)
	pica.GasLutIndex.Set(&p.regs, index+1)
}

func (p *programmed) procTable(value uint32) {
	r, t := &p.regs, &p.tables
	index := pica.ProctexLutIndex.Get(r)
	var table []uint32
	switch pica.ProcTable(pica.ProctexLutTable.Get(r)) {
	case pica.ProcTableNoise:
		table = t.ProcNoise[:]
	case pica.ProcTableRGBMap:
		table = t.ProcRGBMap[:]
	case pica.ProcTableAlphaMap:
		table = t.ProcAlphaMap[:]
	case pica.ProcTableColor:
		table = t.ProcColor[:]
	case pica.ProcTableColorDiff:
		table = t.ProcColorDiff[:]
	}
	if table != nil {
		p.put(&table[index%uint32(len(table))], value)
	}
	pica.ProctexLutIndex.Set(r, index+1)
}

// put changes an entry of a table.
func (p *programmed) put(entry *uint32, value uint32) {
	if *entry != value {
		*entry = value
		p.tables.Version++
	}
}
