package fragment

import (
	"pica200/pica"
	"pica200/raster"
)

// programKey is everything that decides which ops a program has. It is a
// register file in which everything else is 0. The compiler gets only this
// file, so a program cannot depend on anything outside of its key. State that
// only changes a number is part of a draw's values instead.
type programKey struct {
	regs    [numKeyed]uint32
	target  targetShape
	view    View
	missing uint8 // bit i: the texture of unit i cannot be read
}

// targetShape is what programs know about a render target.
type targetShape struct {
	color, depth bool // the buffer exists
	colorFormat  pica.ColorFormat
	depthFormat  pica.DepthFormat
}

func shapeOf(t *raster.Target) targetShape {
	return targetShape{t.Color != nil, t.Depth != nil, t.ColorFormat, t.DepthFormat}
}

// keyed is a register of the key and the bits of it that are used.
type keyed struct {
	reg  pica.Reg
	bits uint32
}

// bitsOf returns the bits of fields of one register.
func bitsOf(fields ...pica.Field) (k keyed) {
	for _, f := range fields {
		k.reg = f.Reg
		k.bits |= f.Mask()
	}
	return k
}

// all returns all bits of a register.
func all(r pica.Reg) keyed { return keyed{r, 0xFFFFFFFF} }

// Where each group of keyedRegs begins.
const (
	keyAddr   = 0                            // addresses of textures, as 0 or 1 (not 0)
	keyProc   = keyAddr + 3                  // the procedural texture, if it is on
	keyLight  = keyProc + 2                  // lighting, if it is on
	keyLights = keyLight + 7                 // four registers for each light
	keyRest   = keyLights + 4*pica.NumLights // always included as they are
	numKeyed  = keyRest + 19 + 4*numStages
)

// keyedRegs are the registers of the key, in its order.
var keyedRegs = func() (list [numKeyed]keyed) {
	rows := []keyed{
		bitsOf(pica.TexunitAddr), bitsOf(pica.TexunitAddr.At(pica.TexunitOffset(1))), bitsOf(pica.TexunitAddr.At(pica.TexunitOffset(2))),

		bitsOf(pica.ProctexClampU, pica.ProctexClampV, pica.ProctexRgbMap, pica.ProctexAlphaMap, pica.ProctexAlphaSeparate,
			pica.ProctexNoiseEnable, pica.ProctexShiftU, pica.ProctexShiftV),
		bitsOf(pica.ProctexMinFilter, pica.ProctexWidth),

		all(pica.RegLightingNumLights), all(pica.RegLightingLightPermutation),
		all(pica.RegLightingConfig0), all(pica.RegLightingConfig1),
		all(pica.RegLightingLutinputAbs), all(pica.RegLightingLutinputSelect), all(pica.RegLightingLutinputScale),
	}
	for i := range pica.NumLights {
		at := pica.Reg(i) * pica.StrideLight
		rows = append(rows, all(pica.RegLight0Specular0+at), all(pica.RegLight0Specular1+at), all(pica.RegLight0Diffuse+at),
			bitsOf(pica.LightConfigType.At(at), pica.LightTwoSideDiffuse.At(at), pica.LightGeomFactor0.At(at), pica.LightGeomFactor1.At(at)))
	}
	rows = append(rows,
		bitsOf(pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2, pica.TexunitEnable3, pica.TexunitTexcoord2, pica.TexunitTexcoord3),
		bitsOf(pica.TexunitType), bitsOf(pica.TexunitShadowOrthographic),
		bitsOf(pica.LightingEnable), bitsOf(pica.LightingDisable),
		bitsOf(pica.TexenvUpdateFogMode, pica.TexenvUpdateGasDensity, pica.TexenvUpdateRgb, pica.TexenvUpdateAlpha, pica.TexenvUpdateZFlip),
		bitsOf(pica.GasLutInputSelect), bitsOf(pica.GasDeltazFunc),
		bitsOf(pica.ColorOperationMode, pica.ColorOperationBlend), all(pica.RegBlendFunc), bitsOf(pica.LogicOpFunc),
		bitsOf(pica.AlphaTestEnable, pica.AlphaTestFunc), bitsOf(pica.StencilTestEnable, pica.StencilTestFunc), all(pica.RegStencilOp),
		all(pica.RegDepthColorMask),
		all(pica.RegColorbufferRead), all(pica.RegColorbufferWrite), all(pica.RegDepthbufferRead), all(pica.RegDepthbufferWrite),
	)
	for i := range numStages {
		base := pica.TexenvBase(i)
		color := pica.RegTexenv0Color - pica.RegTexenv0Source
		for r := range pica.RegTexenv0Scale - pica.RegTexenv0Source + 1 {
			if r != color {
				rows = append(rows, all(base+r))
			}
		}
	}
	if len(rows) != numKeyed {
		panic("fragment: numKeyed is not the number of registers of the key")
	}
	copy(list[:], rows)
	return list
}()

// fill makes the key of a state.
func (k *programKey) fill(st *State, missing uint8) {
	r := st.Regs
	k.target, k.view, k.missing = shapeOf(st.Target), st.View, missing
	from := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			k.regs[i] = r[keyedRegs[i].reg] & keyedRegs[i].bits
		}
	}
	from(keyAddr, keyLight)
	for i := range k.regs[keyAddr:keyProc] {
		k.regs[keyAddr+i] = min(k.regs[keyAddr+i], 1)
	}
	if pica.TexunitEnable3.Bool(r) {
		// Colour tables of one entry need no look-up.
		w := &k.regs[keyProc+1]
		*w = pica.ProctexWidth.Put(*w, min(pica.ProctexWidth.Of(*w), 2))
	} else {
		clear(k.regs[keyProc:keyLight])
	}
	if lightingOn(r) {
		from(keyLight, keyLights)
		k.lights(r)
	} else {
		clear(k.regs[keyLight:keyRest])
	}
	from(keyRest, numKeyed)
}

// lights fills in the lights in use. Of their colours it keeps only whether they are black: black ones add nothing.
func (k *programKey) lights(r *pica.Regs) {
	const rgb = 1<<30 - 1
	clear(k.regs[keyLights:keyRest])
	order := uint32(0)
	for i := range int(pica.LightingNumLights.Get(r)) + 1 {
		n := lightOrder[i].Get(r)
		order |= n << (4 * i)
		at := pica.Reg(n) * pica.StrideLight
		of := k.regs[keyLights+4*n:][:4]
		of[0] = min(r[pica.RegLight0Specular0+at]&rgb, 1)
		of[1] = min(r[pica.RegLight0Specular1+at]&rgb, 1)
		of[2] = min((r[pica.RegLight0Diffuse+at]|r[pica.RegLight0Ambient+at])&rgb, 1)
		of[3] = r[pica.RegLight0Config+at] & keyedRegs[keyLights+4*n+3].bits
	}
	k.regs[keyLight], k.regs[keyLight+1] = pica.LightingNumLights.Get(r), order
}

// expand writes the registers of the key into a register file, with everything
// else 0.
func (k *programKey) expand(r *pica.Regs) {
	for i, w := range k.regs {
		r[keyedRegs[i].reg] = w
	}
}
