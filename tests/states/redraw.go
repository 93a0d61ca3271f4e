package states

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"pica200/assets/citrace"
	"pica200/pica"
)

// Changes lists the names of changes for Redraw.
func Changes() (names []string) {
	for i := range changes {
		names = append(names, changes[i].name)
	}
	return names
}

// Redraw returns traces to play in sequence: first sets everything up and draws; then changed makes a change and draws again, or
// again draws without the change.
func Redraw(name string, seed uint64) (first, changed, again []byte) {
	at := slices.IndexFunc(changes, func(c change) bool { return c.name == name })
	encode := func(b *citrace.Builder) []byte {
		data, err := b.Encode()
		if err != nil {
			panic(fmt.Sprintf("%s, seed %d: %v", name, seed, err))
		}
		return data
	}
	// Generated twice up to the change, because a generator cannot be copied.
	for _, with := range []bool{true, false} {
		g := newGenerator(seed)
		g.definite, g.guided, g.many = true, true, seed%3 == 0
		g.trace.Load(textureBase, g.texels)
		g.newTarget()
		g.everything()
		g.visible()
		g.drawAll()
		g.endList()
		first = encode(&g.trace)
		g.trace = citrace.Builder{Layout: citrace.Tagged}
		if with {
			changes[at].make(g)
		}
		// Pending differences are sent first, because sending uses random choices too; from here on both generators make the same
		// choices.
		g.send()
		g.random = random{rand.New(rand.NewPCG(seed, 0))}
		g.drawAll()
		g.endList()
		if with {
			changed = encode(&g.trace)
		} else {
			again = encode(&g.trace)
		}
	}
	return first, changed, again
}

// drawAll draws with a primitive restart, so that nothing of an earlier draw is left.
func (g *generator) drawAll() {
	g.always = true
	g.draw()
	g.always = false
}

// visible sets state in which every source affects the colour and few fragments are discarded.
func (g *generator) visible() {
	r := &g.regs
	g.newTarget()
	g.target.block32 = false
	g.target.set(g)
	g.vertexProgram(false)
	g.geometryOff()
	if g.chance(0.25) {
		g.geometryOn()
	}
	r[pica.RegFacecullingConfig], r[pica.RegScissortestMode] = 0, 0
	pica.FragopClipEnable.SetBool(r, false)
	pica.AlphaTestEnable.SetBool(r, false)
	pica.StencilTestEnable.SetBool(r, false)
	r[pica.RegDepthColorMask] = 0x1F<<8 | uint32(pica.CompareAlways)<<4
	r[pica.RegColorbufferRead], r[pica.RegColorbufferWrite] = 0xF, 0xF
	r[pica.RegDepthbufferRead], r[pica.RegDepthbufferWrite] = 3, 3
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeDefault))
	pica.ColorOperationBlend.Set(r, uint32(pica.BlendModeBlend))
	r[pica.RegBlendFunc] = 0x01010000
	if g.chance(0.3) {
		r[pica.RegBlendFunc] = 0x76760000 // by source alpha
	}
	pica.LightingEnable.SetBool(r, true)
	pica.LightingDisable.SetBool(r, false)
	g.table()
	for i, f := range []pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2, pica.TexunitEnable3} {
		f.SetBool(r, true)
		if i < 3 && pica.TexunitAddr.At(pica.TexunitOffset(i)).Get(r) == 0 {
			g.rollTexture(i)
		}
	}
	pica.TexenvUpdateFogMode.Set(r, uint32(oneOf(g.random, pica.FogModeOff, pica.FogModeFog)))
	sources := []pica.Source{pica.SourcePrimaryColor, pica.SourceTexture0, pica.SourceTexture1, pica.SourceTexture2, pica.SourceTexture3, pica.SourceFragmentPrimary}
	g.Shuffle(len(sources), func(i, j int) { sources[i], sources[j] = sources[j], sources[i] })
	for i := range pica.NumTexenvs {
		base, source := pica.TexenvBase(i), uint32(sources[i])
		const constant, previous = uint32(pica.SourceConstant), uint32(pica.SourcePrevious)
		inputs := source | previous<<4 | constant<<8
		if i == 0 {
			inputs = source | constant<<4 | constant<<8
		}
		r[base] = inputs | inputs<<16
		r[base+1], r[base+4] = 0, 0
		r[base+3] = 0x40404040 + g.Uint32()&0x7F7F7F7F
		mix := uint32(oneOf(g.random, pica.CombineInterpolate, pica.CombineAddSigned, pica.CombineInterpolate))
		r[base+2] = mix | mix<<16
	}
}
