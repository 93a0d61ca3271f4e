package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// values is the part of a draw's state that does not change which ops its
// program has. A program says which parts it reads (wants); the others hold old
// values.
type values struct {
	target *raster.Target
	flip   bool // the first row of the target is the lowest of the window

	colors  [numValueColors]uint32 // colours that fill whole planes, red in the low byte
	alpha   [raster.BlockPixels]uint32
	stencil stencilValues

	samplers [3]*sampler          // of the texture units
	texels   [maxTextures]*texels // indexed by the program's slots
	shadow   int32                // bias of shadow textures: subtracted from the compared depth
	penumbra penumbra

	fog      [3]float32
	fogTable *lut128
	gas      gasValues
	proc     procValues
	light    lightValues
}

// Indices into values.colors: the constants of the combiner stages, the initial
// combiner buffer, the blend constant.
const (
	valueBuffer    = numStages
	valueBlend     = numStages + 1
	numValueColors = numStages + 2
)

// wants says which of the larger parts of the values a program reads.
type wants struct {
	fog, gas, gasOutput, shadow, proc, light bool

	lightTables uint32 // bit i: lighting table i
}

// stencilValues are the values of the stencil test.
type stencilValues struct{ ref, read, write uint8 }

// bind reads what the program of a draw needs.
func (v *values) bind(e *Engine, w *wants, st *State) {
	r := st.Regs
	v.target, v.flip = st.Target, !pica.FramebufferNoFlip.Bool(r)
	for i := range numStages {
		v.colors[i] = r[pica.RegTexenv0Color+pica.TexenvOffset(i)]
	}
	v.colors[valueBuffer], v.colors[valueBlend] = r[pica.RegTexenvBufferColor], r[pica.RegBlendColor]
	if ref := pica.AlphaTestRef.Get(r); v.alpha[0] != ref {
		for i := range v.alpha {
			v.alpha[i] = ref
		}
	}
	v.stencil = stencilValues{
		ref: uint8(pica.StencilTestRef.Get(r)), read: uint8(pica.StencilTestMask.Get(r)), write: uint8(pica.StencilTestWriteMask.Get(r)),
	}
	v.shadow = int32(pica.TexunitShadowBias.Get(r)) << 1
	t := &e.tables
	if w.fog {
		c := unpackColor(r[pica.RegFogColor])
		v.fog = [3]float32{float32(c[red]), float32(c[green]), float32(c[blue])}
	}
	if w.fog || w.gas {
		v.fogTable = t.fog.get(&st.Tables.Fog, st.Tables.Version, decodeFog, &e.serials)
	}
	if w.gas {
		v.gas.bind(r)
		v.gas.colors = t.gas.get(&st.Tables.Gas, st.Tables.Version, decodeGas, &e.serials)
	}
	if w.gasOutput {
		v.gas.deltaZ = pica.GasDeltaz.Float(r)
	}
	if w.shadow {
		v.penumbra.constant, v.penumbra.linear = pica.FragopShadowConstant.Float(r), pica.FragopShadowLinear.Float(r)
	}
	if w.proc {
		v.proc.state.decode(r)
		v.proc.bind(st.Tables, t, &e.serials)
	}
	if w.light {
		// Compiling has already reported errors.
		_ = e.lighting.decode(r)
		v.light.bind(&e.lighting, st.Tables, t, w.lightTables, &e.serials)
	}
}
