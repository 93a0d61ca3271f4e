package fragment

import (
	"fmt"

	"pica200/pica"
)

// Stage is a combiner stage as its five registers describe it
// (GPUREG_TEXENVi_SOURCE to _SCALE). Index 0 of the arrays is RGB, 1 is alpha.
type Stage struct {
	Source   [2][3]pica.Source
	Operand  [2][3]uint8 // pica.OperandRGB, pica.OperandAlpha
	Function [2]pica.Combine
	Shift    [2]uint8 // result is multiplied by 1 << Shift
}

// combinerFields are the fields of one half of stage 0.
type combinerFields struct {
	source, operand [3]pica.Field
	function, scale pica.Field
}

// texenvFields are the fields of the RGB half and of the alpha half.
var texenvFields = [2]combinerFields{
	{
		source:   [3]pica.Field{pica.TexenvRgbSource0, pica.TexenvRgbSource1, pica.TexenvRgbSource2},
		operand:  [3]pica.Field{pica.TexenvRgbOperand0, pica.TexenvRgbOperand1, pica.TexenvRgbOperand2},
		function: pica.TexenvRgbCombine, scale: pica.TexenvRgbScale,
	},
	{
		source:   [3]pica.Field{pica.TexenvAlphaSource0, pica.TexenvAlphaSource1, pica.TexenvAlphaSource2},
		operand:  [3]pica.Field{pica.TexenvAlphaOperand0, pica.TexenvAlphaOperand1, pica.TexenvAlphaOperand2},
		function: pica.TexenvAlphaCombine, scale: pica.TexenvAlphaScale,
	},
}

// numStages is the number of combiner stages.
const numStages = 6

// DecodeStages reads the combiner stages from the registers.
func DecodeStages(r *pica.Regs) (s [numStages]Stage, err error) {
	for i := range s {
		base := pica.TexenvOffset(i)
		st := &s[i]
		for ch := range texenvFields {
			fields := &texenvFields[ch]
			for j := range 3 {
				st.Source[ch][j] = pica.Source(fields.source[j].At(base).Get(r))
				st.Operand[ch][j] = uint8(fields.operand[j].At(base).Get(r))
			}
			st.Function[ch] = pica.Combine(fields.function.At(base).Get(r))
			st.Shift[ch] = uint8(fields.scale.At(base).Get(r))
			// 3 is no documented scale; it counts as 1.
			if st.Shift[ch] > 2 {
				st.Shift[ch] = 0
			}
			if f := st.Function[ch]; f.Inputs() == 0 {
				return s, fmt.Errorf("combiner stage %d: function %d does not exist", i, f)
			}
		}
	}
	return s, nil
}

// combiner compiles the stages. It goes through them once, and for each value
// that a stage can read (previous result, combiner buffer) it records only
// which planes hold it. A backward pass then drops the ops that nothing reads.
type combiner struct {
	stages [numStages]Stage
	ops    []stageOp
	outs   [numStages]colorRef       // results of the stages
	ins    [numStages][2][3]colorRef // their sources
	out    colorRef                  // result of the last one

	// Sources 1 and 3 of the last stage, which gas shading reads.
	gasPlanar, gasTexel colorRef
}

// stageOp is an op with the planes that it writes and reads, for the backward
// pass.
type stageOp struct {
	op
	write planeRef
	reads planeSet
}

// planeSet is a set of planes.
type planeSet [(numColors*4 + 63) / 64]uint64

func (s *planeSet) add(r planeRef) { i := uint(r.reg)*4 + uint(r.channel); s[i/64] |= 1 << (i % 64) }
func (s *planeSet) has(r planeRef) bool {
	i := uint(r.reg)*4 + uint(r.channel)
	return s[i/64]>>(i%64)&1 != 0
}

// channels returns the channels of a colour register that are in the set, bit i
// for channel i.
func (s *planeSet) channels(reg uint8) uint8 {
	i := uint(reg) * 4
	return uint8(s[i/64] >> (i % 64) & 0xF)
}

// hasColor reports whether any channel of a colour register is in the set.
func (s *planeSet) hasColor(reg uint8) bool { return s.channels(reg) != 0 }

func (s *planeSet) union(t *planeSet) {
	for i := range s {
		s[i] |= t[i]
	}
}

// compileStages turns the stages into ops.
func compileStages(r *pica.Regs) (*combiner, error) {
	c := &combiner{}
	var err error
	if c.stages, err = DecodeStages(r); err != nil {
		return nil, err
	}
	updateRGB := pica.TexenvUpdateRgb.Get(r)
	updateAlpha := pica.TexenvUpdateAlpha.Get(r)

	// StageZeroPrevious: in stage 0, which has no previous result, "previous" as
	// source 1 or 2 reads source 3 of the stage, and as source 3 it reads black.
	// Another implementation found games that rely on the former. Others read the
	// vertex colour or black (docs/accuracy/raster.md).
	prev := wholeRef(cZero)
	// The buffer that stage i reads includes updates up to stage i-2: an update by
	// stage i-1 comes one stage later. Stage 0 reads black.
	buffer := wholeRef(cZero)
	next := wholeRef(cBufferColor)

	for i := range c.stages {
		st := &c.stages[i]
		if i == 0 {
			for ch := range st.Source {
				for j := range 2 {
					if st.Source[ch][j] == pica.SourcePrevious {
						st.Source[ch][j] = st.Source[ch][2]
					}
				}
			}
		}
		var in [2][3]colorRef
		for ch := range in {
			for j := range in[ch] {
				in[ch][j] = sourceRef(st.Source[ch][j], i, prev, buffer)
			}
		}
		c.ins[i] = in
		c.gasPlanar, c.gasTexel = in[0][0], in[0][2]
		out := c.compileStage(i, st, &in)
		c.outs[i] = out
		buffer = next
		if i < 4 {
			if updateRGB>>i&1 != 0 {
				next[red], next[green], next[blue] = out[red], out[green], out[blue]
			}
			if updateAlpha>>i&1 != 0 {
				next[alpha] = out[alpha]
			}
		}
		prev = out
	}
	c.out = prev
	return c, nil
}

// sourceRef returns the planes of a source. Sources that do not exist read
// black, as in other implementations.
func sourceRef(s pica.Source, stage int, prev, buffer colorRef) colorRef {
	switch s {
	case pica.SourcePrimaryColor:
		return wholeRef(cPrimary)
	case pica.SourceFragmentPrimary:
		return wholeRef(cFragPrimary)
	case pica.SourceFragmentSecondary:
		return wholeRef(cFragSecondary)
	case pica.SourceTexture0:
		return wholeRef(cTex0)
	case pica.SourceTexture1:
		return wholeRef(cTex1)
	case pica.SourceTexture2:
		return wholeRef(cTex2)
	case pica.SourceTexture3:
		return wholeRef(cTex3)
	case pica.SourcePreviousBuffer:
		return buffer
	case pica.SourceConstant:
		return wholeRef(uint8(cConst0 + stage))
	case pica.SourcePrevious:
		return prev
	}
	return wholeRef(cZero)
}

// operand is one argument of a combiner function: a plane, inverted (1-x) if
// xor is 0xFF.
type operand struct {
	ref planeRef
	xor uint8
}

// rgbOperand returns one channel of an RGB operand (GPUREG_TEXENVi_OPERAND).
func rgbOperand(code uint8, src colorRef, channel int) operand {
	return src.operand(pica.OperandRGB(code).Reads(channel))
}

// alphaOperand returns an alpha operand.
func alphaOperand(code uint8, src colorRef) operand {
	return src.operand(pica.OperandAlpha(code).Reads())
}

func (src *colorRef) operand(channel int, inverted bool) operand {
	if inverted {
		return operand{src[channel], 0xFF}
	}
	return operand{src[channel], 0}
}

// compileStage adds the ops of one stage and returns the planes of its result.
func (c *combiner) compileStage(i int, st *Stage, in *[2][3]colorRef) colorRef {
	reg := uint8(cStage0 + i)
	var out colorRef
	if f := &combineFunctions[st.Function[0]]; f.dot {
		d := planeRef{reg, red}
		var a, b [3]operand
		for ch := range a {
			a[ch] = rgbOperand(st.Operand[0][0], in[0][0], ch)
			b[ch] = rgbOperand(st.Operand[0][1], in[0][1], ch)
		}
		c.add(dot3Op(i, d, a, b, st.Shift[0]))
		out = colorRef{d, d, d, d}
		if f.wide {
			// The sum goes to alpha too, scaled by alpha's own factor.
			if st.Shift[1] != st.Shift[0] {
				out[alpha] = planeRef{reg, alpha}
				c.add(dot3Op(i, out[alpha], a, b, st.Shift[1]))
			}
			return out
		}
	} else {
		for ch := red; ch <= blue; ch++ {
			var args [3]operand
			for j := range args {
				args[j] = rgbOperand(st.Operand[0][j], in[0][j], ch)
			}
			out[ch] = c.channel(i, planeRef{reg, uint8(ch)}, st.Function[0], args, st.Shift[0])
		}
	}
	var args [3]operand
	for j := range args {
		args[j] = alphaOperand(st.Operand[1][j], in[1][j])
	}
	out[alpha] = c.channel(i, planeRef{reg, alpha}, st.Function[1], args, st.Shift[1])
	return out
}

// channel adds the op of one channel. It adds none if an existing plane is the
// result.
func (c *combiner) channel(i int, dst planeRef, f pica.Combine, args [3]operand, shift uint8) planeRef {
	if f == pica.CombineReplace && args[0].xor == 0 && shift == 0 {
		return args[0].ref
	}
	if combineFunctions[f].dot {
		// Only RGB has dot products; an alpha half with one passes source 1 on.
		f = pica.CombineReplace
	}
	n, kernel := f.Inputs(), combineFunctions[f].kernel
	k := combineCall{dst: dst, arg: args, shift: shift}
	o := stageOp{op: op{name: "combine", index: uint8(i), run: func(m *machine) { kernel(m, &k) }}, write: dst}
	for j := range n {
		o.reads.add(args[j].ref)
	}
	c.add(o)
	return dst
}

func (c *combiner) add(o stageOp) { c.ops = append(c.ops, o) }

// live appends the ops whose results are in used to ops, and adds the planes
// that they read to used.
func (c *combiner) live(ops []op, used *planeSet) []op {
	var keep [numStages * 4]bool
	for i := len(c.ops) - 1; i >= 0; i-- {
		if o := &c.ops[i]; used.has(o.write) {
			keep[i] = true
			used.union(&o.reads)
		}
	}
	for i := range c.ops {
		if keep[i] {
			ops = append(ops, c.ops[i].op)
		}
	}
	return ops
}
