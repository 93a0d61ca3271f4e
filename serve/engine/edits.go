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
	"pica200/explain/drawstate"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
)

// Edit changes a part of the state before a draw, as if the program had written
// it there: it stays until the program writes it again. Exactly one of
// Register, Uniform and Source is set.
type Edit struct {
	Draw int `json:"draw"` // the draw before which it is applied

	Register string `json:"register,omitempty"` // public name
	Value    uint32 `json:"value,omitempty"`
	Field    string `json:"field,omitempty"` // of the register, whose other bits are kept
	// Text is a value as a person writes it: of a field, in place of Value, or in
	// place of Values, separated by commas.
	Text string `json:"text,omitempty"`

	Shader  string    `json:"shader,omitempty"`  // vertex or geometry
	Uniform string    `json:"uniform,omitempty"` // c0-c95, i0-i3, b0-b15
	Values  []float32 `json:"values,omitempty"`  // four of c and i, one of b

	Source string `json:"source,omitempty"` // program in the .pica language
}

// maxEdits bounds the edits of a request.
const maxEdits = 256

// write is a write to a register, or to the bits of it in mask.
type write struct {
	reg         pica.Reg
	value, mask uint32 // mask 0 means the whole register
}

// edits are the writes before each draw, by its number.
type edits map[int][]write

func parseEdits(list []Edit) (edits, error) {
	if len(list) > maxEdits {
		return nil, badf("%d edits; at most %d are possible", len(list), maxEdits)
	}
	all := edits{}
	for i := range list {
		e := &list[i]
		if e.Draw < 0 {
			return nil, badf("edit %d: the draw that it comes before is missing", i)
		}
		w, err := e.writes()
		if err != nil {
			return nil, badf("a change of draw %d: %v", e.Draw, err)
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
		return e.register(r)
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

// register returns the write for a register or a field.
func (e *Edit) register(r *pica.Register) ([]write, error) {
	if e.Field != "" {
		i := slices.IndexFunc(r.Fields, func(f pica.Field) bool { return f.Name == e.Field })
		if i < 0 {
			return nil, fmt.Errorf("%s has no field %q", r.Name, e.Field)
		}
		f := r.Fields[i]
		v, err := f.Parse(e.Text)
		return []write{{r.Reg, v << f.Lo, f.Mask()}}, err
	}
	if e.Text == "" {
		return []write{{reg: r.Reg, value: e.Value}}, nil
	}
	v, err := strconv.ParseUint(strings.TrimSpace(e.Text), 0, 32)
	if err != nil {
		return nil, fmt.Errorf("%q is not a value of %s; expected a number from 0 to 0xFFFFFFFF", e.Text, r.Name)
	}
	return []write{{reg: r.Reg, value: uint32(v)}}, nil
}

// numbers returns the values of a uniform, from numbers or from a text.
func (e *Edit) numbers() ([]float32, error) {
	if e.Text == "" {
		return e.Values, nil
	}
	var list []float32
	for one := range strings.SplitSeq(e.Text, ",") {
		one = strings.TrimSpace(one)
		x, err := strconv.ParseFloat(one, 32)
		switch {
		case one == "true" || one == "false":
			x = map[string]float64{"true": 1}[one]
		case err != nil || math.IsNaN(x):
			return nil, fmt.Errorf("%q is not a value of %s; expected a number", one, e.Uniform)
		}
		list = append(list, float32(x))
	}
	return list, nil
}

// uniform returns the writes that set a uniform.
func (e *Edit) uniform(unit pica.Reg) ([]write, error) {
	n, err := strconv.ParseUint(e.Uniform[1:], 10, 8)
	want := map[byte]struct{ count, values uint64 }{'c': {96, 4}, 'i': {4, 4}, 'b': {16, 1}}[e.Uniform[0]]
	if err != nil || n >= want.count {
		return nil, fmt.Errorf("there is no uniform %q; there are c0 to c95, i0 to i3, b0 to b15", e.Uniform)
	}
	values, err := e.numbers()
	if err != nil {
		return nil, err
	}
	if uint64(len(values)) != want.values {
		return nil, fmt.Errorf("%s has %d values, %d are given", e.Uniform, want.values, len(values))
	}
	switch e.Uniform[0] {
	case 'c':
		return floatWrites(unit, uint32(n), [4]float32(values)), nil
	case 'i':
		var word uint32
		for i, v := range values {
			if v != float32(uint8(v)) {
				return nil, fmt.Errorf("%s: %v is not an integer from 0 to 255", e.Uniform, v)
			}
			word |= uint32(v) << (8 * i)
		}
		return []write{{reg: pica.RegGshIntuniformI0 + unit + pica.Reg(n), value: word}}, nil
	}
	return []write{boolWrite(unit, uint32(n), values[0] != 0)}, nil
}

// boolWrite returns the write that sets a boolean uniform.
func boolWrite(unit pica.Reg, n uint32, on bool) write {
	w := write{reg: pica.RegGshBooluniform + unit, mask: 1 << n}
	if on {
		w.value = w.mask
	}
	return w
}

func floatWrites(unit pica.Reg, n uint32, v [4]float32) []write {
	w := []write{{reg: pica.RegGshFloatuniformIndex + unit, value: n | 1<<31}} // as float32
	for i := range v {
		w = append(w, write{reg: pica.RegGshFloatuniformData0 + unit, value: math.Float32bits(v[3-i])})
	}
	return w
}

// sourceWrites assembles a program and returns the writes that load its first
// executable with its constants.
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
	list := []write{{reg: pica.RegGshCodetransferIndex + unit}}
	for _, w := range f.Program.Code {
		list = append(list, write{reg: pica.RegGshCodetransferData0 + unit, value: w})
	}
	list = append(list, write{reg: pica.RegGshCodetransferEnd + unit, value: 1}, write{reg: pica.RegGshOpdescsIndex + unit, value: 0})
	for _, d := range p.Descriptors() {
		list = append(list, write{reg: pica.RegGshOpdescsData0 + unit, value: uint32(d)})
	}
	list = append(list, write{reg: pica.RegGshEntrypoint + unit, value: 0x7FFF<<16 | x.Main})
	for _, c := range x.Constants {
		switch c.Kind {
		case shbin.ConstantFloat:
			var v [4]float32
			for i, w := range c.Float() {
				v[i] = pica.Float24.Decode(w)
			}
			list = append(list, floatWrites(unit, uint32(c.Reg), v)...)
		case shbin.ConstantInt:
			v := c.Int()
			list = append(list, write{reg: pica.RegGshIntuniformI0 + unit + pica.Reg(c.Reg), value: binary.LittleEndian.Uint32(v[:])})
		case shbin.ConstantBool:
			list = append(list, boolWrite(unit, uint32(c.Reg), c.Bool()))
		}
	}
	return list, nil
}

// apply applies the edits before a draw. It does not change the positions of
// the recording's own uploads.
func (e edits) apply(ctx context.Context, g *pipeline.GPU, draw int) error {
	if len(e[draw]) == 0 {
		return nil
	}
	return g.KeepUploads(func() error {
		for _, w := range e[draw] {
			value := w.value
			if w.mask != 0 {
				value |= g.ReadInternal(w.reg) &^ w.mask
			}
			if err := g.WriteInternal(ctx, w.reg, value); err != nil {
				return fmt.Errorf("an edit before draw %d: %w", draw, err)
			}
		}
		return nil
	})
}

// edited makes the replayer apply edits in a frame until end is called.
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
