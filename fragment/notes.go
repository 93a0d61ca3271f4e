package fragment

import (
	"strings"

	"pica200/pica"
	"pica200/raster"
)

// The notes of a probed program: what each op did to the lane that is watched.
// They read the lane registers behind the op, so that what they say is what was
// drawn; ops are told apart by their names.

// note says what an op did to a lane.
type note func(m *machine, lane int, r *Record)

// insight is what a probed program keeps to explain itself.
type insight struct {
	stages  *combiner
	updates [2]uint32 // of the combiner buffer: stages with RGB, with alpha
	color   colorRef
	units   [4]bool
	coords  [numFloats]bool // interpolated
	sampled [3]sampled
	kind0   pica.TextureType

	lighting *lightingState // nil if it is not read
	proc     *procTexState

	gas, byDepth, byLight, flipped, orthographic bool

	alphaTest   *alphaTest
	final       final
	blend       [2]blendCode
	logic       pica.LogicOp
	colorFormat pica.ColorFormat
}

// sampled is how a unit with a two-dimensional texture reads it.
type sampled struct {
	reads bool
	slot  int
	coord [2]int // float registers of the coordinates
}

// annotate gives ops their notes.
func (in *insight) annotate(ops []op) {
	for i := range ops {
		o := &ops[i]
		switch {
		case strings.HasPrefix(o.name, "light"):
			o.note = in.noteLight(o.name)
		case strings.HasPrefix(o.name, "proctex"):
			o.note = in.noteProcTex(o.name)
		}
		if o.note != nil {
			continue
		}
		switch o.name {
		case "texture":
			o.note = in.noteTexture(int(o.index))
		case "projection texture":
			o.note = in.noteTexture(0)
		case "shadow texture":
			o.note = in.noteShadowTexture
		case "cube texture":
			o.note = in.noteCube
		case "shadow cube texture":
			o.note = in.noteShadowCube
		case "gas shading":
			o.note = in.noteGas
		case "fog":
			o.note = in.noteFog
		case "alpha test":
			o.note = in.noteAlphaTest
		case "output":
			switch f := in.final.(type) {
			case *output:
				o.note = func(m *machine, lane int, r *Record) { in.noteOutput(f, m, lane, r) }
			case *gasOutput:
				o.note = func(m *machine, lane int, r *Record) { noteGasWrite(f, m, lane, r) }
			case *shadowOutput:
				o.note = func(m *machine, lane int, r *Record) { noteShadowWrite(f, m, lane, r) }
			}
		}
	}
}

// at reads a colour in a lane.
func (m *machine) at(ref colorRef, lane int) (c [4]uint8) {
	for ch := range c {
		c[ch] = m.plane(ref[ch])[lane]
	}
	return c
}

// sum fills in what stands in the lane registers when all ops have run.
func (in *insight) sum(m *machine, lane int, r *Record) {
	r.VertexColor = m.at(wholeRef(cPrimary), lane)
	for u := range r.TexCoord {
		base := [3]int{fTex0U, fTex1U, fTex2U}[u]
		for k := range [3]int{3, 2, 2}[u] {
			if in.coords[base+k] {
				r.TexCoord[u][k] = Float(m.f[base+k][lane])
			}
		}
	}
	for u := range r.Units {
		if in.units[u] {
			r.Units[u].Read, r.Units[u].Color = true, m.at(wholeRef(uint8(cTex0+u)), lane)
		}
	}
	if in.lighting != nil {
		r.Lighting = [2][4]uint8{m.at(wholeRef(cFragPrimary), lane), m.at(wholeRef(cFragSecondary), lane)}
	}
	for i, ref := range in.stages.outs {
		r.Stages[i] = m.at(ref, lane)
	}
	r.Combiners = in.combiners(m, lane)
	r.Color = m.at(in.color, lane)
}

// outcome says how far a fragment got, given whether it is still there.
func (in *insight) outcome(r *Record, alive bool) Outcome {
	for _, t := range r.Tests {
		switch {
		case t.Passed:
		case t.Test == "alpha":
			return AlphaFailed
		case t.Test == "stencil":
			return StencilFailed
		default:
			return DepthFailed
		}
	}
	if !alive || r.ShadowWrite != nil && !r.ShadowWrite.Nearer {
		return SpecialFailed
	}
	return Written
}

func plane3(v *[3]raster.Plane, lane int) [3]Float {
	return floats3([3]float32{v[0][lane], v[1][lane], v[2][lane]})
}

// entryUnsigned is where lookupUnsigned reads a table.
func entryUnsigned(t *lut256, x float32) EntryRecord {
	v := clampTo(x*256, 0, 256)
	k := min(int32(v), 255)
	e := &t[uint8(k)]
	return EntryRecord{Float(x), int(k), Float(e.value), Float(e.diff), Float(v - float32(k))}
}

// entrySigned is where lookupSigned does.
func entrySigned(t *lut256, x float32) EntryRecord {
	v := clampTo(x*128, -128, 128)
	k := min(fixed(v), 127)
	e := &t[uint8(k)]
	return EntryRecord{Float(x), int(uint8(k)), Float(e.value), Float(e.diff), Float(v - float32(k))}
}

// entry128 is where lut128At does.
func entry128(t *lut128, x float32) EntryRecord {
	v := clampTo(x*128, 0, 128)
	k := min(int32(v), 127)
	e := &t[k&127]
	return EntryRecord{Float(x), int(k), Float(e.value), Float(e.diff), Float(v - float32(k))}
}

// clampTo clamps as the kernels do: a NaN becomes the lower bound.
func clampTo(x, lo, hi float32) float32 {
	if !(x > lo) {
		x = lo
	}
	if !(x < hi) {
		x = hi
	}
	return x
}
