package retrace

import (
	"maps"

	"pica200/assets/picatrace"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// stateUse finds out which words of the initial state draws use: those that are
// unchanged when a draw that uses their stage runs.
type stateUse struct {
	initial picatrace.State // all words of the examined blocks
	used    map[picatrace.Block][]bool
}

// loaded returns the state with every block at its full size.
func loaded(s picatrace.State) picatrace.State {
	all := picatrace.State{}
	for _, b := range picatrace.Blocks() {
		words := make([]uint32, b.Words())
		copy(words, s[b])
		all[b] = words
	}
	return all
}

// record records what the next draw uses.
func (u *stateUse) record(g *pipeline.GPU) {
	r := g.Registers()
	u.recordUnit(g.VertexShader(), picatrace.VertexCode, picatrace.VertexDescriptors)
	if pica.GeostageMode.Get(&r) == uint32(pica.GeoStageOn) {
		u.recordUnit(g.GeometryShader(), picatrace.GeometryCode, picatrace.GeometryDescriptors)
	}
	lit := pica.LightingEnable.Bool(&r) && !pica.LightingDisable.Bool(&r)
	fog := pica.TexenvUpdateFogMode.Get(&r) != 0
	gas := pica.FragmentMode(pica.ColorOperationMode.Get(&r)) == pica.FragmentModeGas
	proc := pica.TexunitEnable3.Bool(&r)
	t := g.Tables()
	if lit {
		for i := range t.Light {
			u.same(picatrace.LightingTables, i*len(t.Light[i]), t.Light[i][:])
		}
	}
	if fog || gas {
		u.same(picatrace.FogTable, 0, t.Fog[:])
		u.same(picatrace.GasTable, 0, t.Gas[:])
	}
	if proc {
		u.same(picatrace.ProctexNoise, 0, t.ProcNoise[:])
		u.same(picatrace.ProctexRGBMap, 0, t.ProcRGBMap[:])
		u.same(picatrace.ProctexAlphaMap, 0, t.ProcAlphaMap[:])
		u.same(picatrace.ProctexColors, 0, t.ProcColor[:])
		u.same(picatrace.ProctexColorDiffs, 0, t.ProcColorDiff[:])
	}
}

func (u *stateUse) recordUnit(s shaderunit.Setup, code, desc picatrace.Block) {
	var words [shaderunit.CodeWords]uint32
	for i := range words {
		words[i] = s.Code(i)
	}
	u.same(code, 0, words[:])
	var descs [shaderunit.Descriptors]uint32
	for i := range descs {
		descs[i] = uint32(s.Desc(i))
	}
	u.same(desc, 0, descs[:])
}

// same marks the words of a block, from first on, that equal those of the
// start. A word that was written again with the same value counts too.
func (u *stateUse) same(b picatrace.Block, first int, now []uint32) {
	if u.used == nil {
		u.used = map[picatrace.Block][]bool{}
	}
	if u.used[b] == nil {
		u.used[b] = make([]bool, b.Words())
	}
	for i, w := range now {
		if w == u.initial[b][first+i] {
			u.used[b][first+i] = true
		}
	}
}

// keep returns the state without what no draw uses.
func (u *stateUse) keep(s picatrace.State) picatrace.State {
	out := maps.Clone(s)
	for _, b := range []picatrace.Block{
		picatrace.VertexCode, picatrace.VertexDescriptors, picatrace.GeometryCode, picatrace.GeometryDescriptors,
		picatrace.LightingTables, picatrace.FogTable, picatrace.GasTable, picatrace.ProctexNoise, picatrace.ProctexRGBMap,
		picatrace.ProctexAlphaMap, picatrace.ProctexColors, picatrace.ProctexColorDiffs,
	} {
		used := u.used[b]
		if used == nil {
			delete(out, b)
			continue
		}
		words := make([]uint32, len(s[b]))
		for i, w := range s[b] {
			if used[i] {
				words[i] = w
			}
		}
		out[b] = words
	}
	return out
}
