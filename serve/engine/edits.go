package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/shbin"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/replay/drawstate"
	"pica200/shaderunit/asm"
)

// Edit changes something of the state before a draw, as if the program had written
// it there: it stays until the program writes it again. One of Register, Uniform
// and Source says what.
type Edit struct {
	Draw int `json:"draw"` // before which it is done

	Register string `json:"register,omitempty"` // by its public name
	Value    uint32 `json:"value,omitempty"`

	Shader  string    `json:"shader,omitempty"`  // vertex or geometry
	Uniform string    `json:"uniform,omitempty"` // c0-c95, i0-i3, b0-b15
	Values  []float32 `json:"values,omitempty"`  // four of c and i, one of b

	Source string `json:"source,omitempty"` // program in the .pica language
}

// maxEdits bounds the edits of a request.
const maxEdits = 256

// write is a write to a register.
type write struct {
	reg   pica.Reg
	value uint32
}

// edits are the writes before draws, by their numbers.
type edits map[int][]write

func parseEdits(list []Edit) (edits, error) {
	if len(list) > maxEdits {
		return nil, badf("%d edits; at most %d are possible", len(list), maxEdits)
	}
	all := edits{}
	for i := range list {
		e := &list[i]
		if e.Draw < 0 {
			return nil, badf("edit %d: which draw it is before is missing", i)
		}
		w, err := e.writes()
		if err != nil {
			return nil, badf("edit %d: %v", i, err)
		}
		all[e.Draw] = append(all[e.Draw], w...)
	}
	return all, nil
}

func (e *Edit) writes() ([]write, error) {
	given := 0
	for _, s := range []string{e.Register, e.Uniform, e.Source} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return nil, fmt.Errorf("one of register, uniform and source is expected, %d are given", given)
	}
	if e.Register != "" {
		r, ok := pica.Lookup(e.Register)
		if !ok {
			return nil, fmt.Errorf("there is no register %q", e.Register)
		}
		if !drawstate.IsState(r.Reg) {
			return nil, fmt.Errorf("%s holds no state of draws that could be changed", r.Name)
		}
		return []write{{r.Reg, e.Value}}, nil
	}
	unit := pica.Reg(pica.OffsetVsh)
	switch e.Shader {
	case "vertex", "":
	case "geometry":
		unit = pica.OffsetGsh
	default:
		return nil, fmt.Errorf("there is no shader %q; there are vertex and geometry", e.Shader)
	}
	if e.Source != "" {
		return sourceWrites(unit, e.Source)
	}
	return e.uniform(unit)
}

// uniform gives the writes that set a uniform.
func (e *Edit) uniform(unit pica.Reg) ([]write, error) {
	n, err := strconv.ParseUint(e.Uniform[1:], 10, 8)
	want := map[byte]struct{ count, values uint64 }{'c': {96, 4}, 'i': {4, 4}, 'b': {16, 1}}[e.Uniform[0]]
	if err != nil || n >= want.count {
		return nil, fmt.Errorf("there is no uniform %q; there are c0 to c95, i0 to i3, b0 to b15", e.Uniform)
	}
	if uint64(len(e.Values)) != want.values {
		return nil, fmt.Errorf("%s has %d values, %d are given", e.Uniform, want.values, len(e.Values))
	}
	switch e.Uniform[0] {
	case 'c':
		return floatWrites(unit, uint32(n), [4]float32(e.Values)), nil
	case 'i':
		var word uint32
		for i, v := range e.Values {
			if v != float32(uint8(v)) {
				return nil, fmt.Errorf("%s: %v is no whole number from 0 to 255", e.Uniform, v)
			}
			word |= uint32(v) << (8 * i)
		}
		return []write{{pica.RegGshIntuniformI0 + unit + pica.Reg(n), word}}, nil
	}
	// A bit of a register of which the rest stays: apply sees to that.
	value := uint32(n)
	if e.Values[0] != 0 {
		value |= boolTrue
	}
	return []write{{boolBit + unit, value}}, nil
}

// boolBit stands for a write to one bit of the boolean uniforms: its number, and
// boolTrue where it is set.
const (
	boolBit  = pica.NumRegs
	boolTrue = 1 << 8
)

func floatWrites(unit pica.Reg, n uint32, v [4]float32) []write {
	w := []write{{pica.RegGshFloatuniformIndex + unit, n | 1<<31}} // as float32
	for i := range v {
		w = append(w, write{pica.RegGshFloatuniformData0 + unit, math.Float32bits(v[3-i])})
	}
	return w
}

// sourceWrites assembles a program and gives the writes that load it: its first
// executable, with its constants.
func sourceWrites(unit pica.Reg, source string) ([]write, error) {
	p, found := asm.Assemble(asm.Options{Extended: true}, asm.Source{Name: "edit.pica", Text: []byte(source)})
	if err := found.Err(); err != nil {
		return nil, fmt.Errorf("the source does not assemble: %s", strings.TrimSpace(err.Error()))
	}
	f := p.File
	kind := shbin.VertexShader
	if unit == pica.OffsetGsh {
		kind = shbin.GeometryShader
	}
	at := slices.IndexFunc(f.Executables, func(x shbin.Executable) bool { return x.Type == kind })
	if at < 0 {
		return nil, fmt.Errorf("the source has no %v shader", kind)
	}
	x := &f.Executables[at]
	list := []write{{pica.RegGshCodetransferIndex + unit, 0}}
	for _, w := range f.Program.Code {
		list = append(list, write{pica.RegGshCodetransferData0 + unit, w})
	}
	list = append(list, write{pica.RegGshCodetransferEnd + unit, 1}, write{pica.RegGshOpdescsIndex + unit, 0})
	for _, d := range p.Descriptors() {
		list = append(list, write{pica.RegGshOpdescsData0 + unit, uint32(d)})
	}
	list = append(list, write{pica.RegGshEntrypoint + unit, 0x7FFF<<16 | x.Main})
	for _, c := range x.Constants {
		switch {
		case c.Kind == shbin.ConstantFloat && c.Reg < 96:
			var v [4]float32
			for i, w := range c.Float() {
				v[i] = pica.Float24.Decode(w)
			}
			list = append(list, floatWrites(unit, uint32(c.Reg), v)...)
		case c.Kind == shbin.ConstantInt && c.Reg < 4:
			v := c.Int()
			list = append(list, write{pica.RegGshIntuniformI0 + unit + pica.Reg(c.Reg), binary.LittleEndian.Uint32(v[:])})
		case c.Kind == shbin.ConstantBool && c.Reg < 16:
			w := write{boolBit + unit, uint32(c.Reg)}
			if c.Bool() {
				w.value |= boolTrue
			}
			list = append(list, w)
		}
	}
	return list, nil
}

// apply does the edits before a draw. Where the recording's own uploads stand does not
// change.
func (e edits) apply(ctx context.Context, g *pipeline.GPU, draw int) error {
	if len(e[draw]) == 0 {
		return nil
	}
	return g.KeepUploads(func() error {
		for _, w := range e[draw] {
			reg, value := w.reg, w.value
			if reg >= boolBit {
				reg = pica.RegGshBooluniform + reg - boolBit
				bit := uint32(1) << (value & 15)
				value = g.ReadInternal(reg)&^bit | (value>>8&1)*bit
			}
			if err := g.WriteInternal(ctx, reg, value); err != nil {
				return fmt.Errorf("an edit before draw %d: %w", draw, err)
			}
		}
		return nil
	})
}

// edited makes the replayer do edits in a frame, until the function that it returns is
// called.
func (f *file) edited(ctx context.Context, list []Edit, frame int) (end func(), err error) {
	e, err := parseEdits(list)
	if err != nil {
		return nil, err
	}
	if len(e) > 0 {
		f.Change = func(at int, g *pipeline.GPU, d *pipeline.DrawInfo) error {
			if at != frame {
				return nil
			}
			return e.apply(ctx, g, d.Index)
		}
	}
	return func() { f.Change = nil }, nil
}
