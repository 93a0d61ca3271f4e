package sceneexport

import (
	"fmt"

	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/scene"
)

// tables are the different look-up tables of the frame, as the scene has them.
type tables struct {
	list  []scene.Table
	known map[string]string
}

// add returns the name of a table.
func (t *tables) add(values []float64) string {
	key := fmt.Sprint(values)
	if name, ok := t.known[key]; ok {
		return name
	}
	name := fmt.Sprintf("table%d", len(t.list))
	if t.known == nil {
		t.known = map[string]string{}
	}
	t.known[key] = name
	t.list = append(t.list, scene.Table{Name: name, Values: values})
	return name
}

// uniforms are the tables that a draw reads.
func (t *tables) uniforms(d *draw, r *pica.Regs) (list []scene.Uniform) {
	use := func(sampler dmp.Location, entry func(i int) (value, diff float64)) {
		n := dmp.Uniforms[sampler].TableSize()
		values := make([]float64, 2*n)
		for i := range n {
			values[i], values[n+i] = entry(i)
		}
		list = append(list, scene.Uniform{Name: sampler.String(), Values: []any{t.add(values)}})
	}
	if lighting(r) {
		for i, sampler := range lightTables(r) {
			if sampler == nil {
				continue
			}
			data := &d.tables.Light[i]
			use(sampler.ID, func(k int) (float64, float64) { return lightEntry(data[k]) })
		}
	}
	fog := pica.FogMode(pica.TexenvUpdateFogMode.Get(r))
	if fog == pica.FogModeFog || fog == pica.FogModeGas { // gas takes its alpha from it
		use(dmp.FogSampler, func(k int) (float64, float64) {
			w := d.tables.Fog[k]
			return float64(pica.FogLutDataValue.FloatOf(w)), float64(pica.FogLutDataDelta.FloatOf(w))
		})
	}
	if pica.TexunitEnable3.Bool(r) {
		t.procedural(d.tables, use)
	}
	if fog == pica.FogModeGas {
		for c := range 3 {
			use(dmp.GasSamplerTR.At(c), func(k int) (float64, float64) {
				diff := d.tables.Gas[k] >> (8 * c) & 0xFF
				return float64(d.tables.Gas[8+k]>>(8*c)&0xFF) / 255, signed(diff, 7) / 0x7F
			})
		}
	}
	return list
}

// signed is a magnitude of n bits with the sign above it.
func signed(v uint32, n int) float64 {
	m := float64(v & (1<<n - 1))
	if v>>n&1 != 0 {
		m = -m
	}
	return m
}

func lightEntry(w uint32) (value, diff float64) {
	return float64(pica.LightingLutDataValue.FloatOf(w)), signed(w>>12, 11) / 0x800
}

// lightTables are the samplers of the lighting tables by the tables' numbers;
// nil for a table that is not read.
func lightTables(r *pica.Regs) (samplers [24]*dmp.Uniform) {
	for _, t := range []struct {
		number  pica.LightTable
		off     pica.Field
		sampler dmp.Location
	}{{pica.TableD0, pica.LightingNoD0, dmp.MaterialSamplerD0}, {pica.TableD1, pica.LightingNoD1, dmp.MaterialSamplerD1},
		{pica.TableFR, pica.LightingNoFR, dmp.MaterialSamplerFR}, {pica.TableRB, pica.LightingNoRB, dmp.MaterialSamplerRB},
		{pica.TableRG, pica.LightingNoRG, dmp.MaterialSamplerRG}, {pica.TableRR, pica.LightingNoRR, dmp.MaterialSamplerRR}} {
		if !t.off.Bool(r) {
			samplers[t.number] = &dmp.Uniforms[t.sampler]
		}
	}
	for k := range int(pica.LightingNumLights.Get(r)) + 1 {
		i := int(pica.LightingPermutation(k).Get(r))
		if r[pica.LightingNoSpot.Reg]>>(pica.LightingNoSpot.Lo+uint8(i))&1 == 0 {
			samplers[int(pica.TableSP0)+i] = &dmp.Uniforms[dmp.LightSamplerSP.At(i)]
		}
		if r[pica.LightingNoDistance.Reg]>>(pica.LightingNoDistance.Lo+uint8(i))&1 == 0 {
			samplers[int(pica.TableDA0)+i] = &dmp.Uniforms[dmp.LightSamplerDA.At(i)]
		}
	}
	return samplers
}

// procedural are the tables of the procedural texture.
func (t *tables) procedural(src *fragment.Tables, use func(dmp.Location, func(int) (float64, float64))) {
	for i, data := range []*[128]uint32{&src.ProcRGBMap, &src.ProcAlphaMap, &src.ProcNoise} {
		use(dmp.ProcSamplerRgbMap.At(i), func(k int) (float64, float64) {
			v := int32(data[k] & 0xFFF)
			diff := int32(data[k]<<8) >> 20
			// The middle of the range that truncates to the value.
			at := func(v int32) float64 { return (float64(v) + 0.25) / 0xFFF }
			return at(v), at(v+diff) - at(v)
		})
	}
	for c := range 4 {
		use(dmp.ProcSamplerR.At(c), func(k int) (float64, float64) {
			v := int32(src.ProcColor[k] >> (8 * c) & 0xFF)
			diff := 2 * int32(int8(src.ProcColorDiff[k]>>(8*c)))
			at := func(v int32) float64 { return (float64(v) + 0.25) / 255 }
			return at(v), at(v+diff) - at(v)
		})
	}
}

// rawTables are writes of the tables that a draw reads and that differ from
// what the scene made of them.
func rawTables(d *draw, r *pica.Regs, got *fragment.Tables) (list []scene.Register) {
	send := func(index, data pica.Reg, at uint32, words []uint32) {
		list = append(list, scene.Register{Reg: uint16(index), Mask: 15, Value: at})
		for _, w := range words {
			list = append(list, scene.Register{Reg: uint16(data), Mask: 15, Value: w})
		}
	}
	differ := func(a, b []uint32, mask uint32) bool {
		for i := range a {
			if (a[i]^b[i])&mask != 0 {
				return true
			}
		}
		return false
	}
	want := d.tables
	if lighting(r) {
		for i, sampler := range lightTables(r) {
			if sampler == nil {
				continue
			}
			same := true
			for k := range want.Light[i] {
				v, e := lightEntry(want.Light[i][k])
				v2, e2 := lightEntry(got.Light[i][k])
				same = same && v == v2 && e == e2
			}
			if !same {
				send(pica.RegLightingLutIndex, pica.RegLightingLutData0, pica.LightingLutTable.Put(0, uint32(i)), want.Light[i][:])
			}
		}
	}
	fog := pica.FogMode(pica.TexenvUpdateFogMode.Get(r))
	if (fog == pica.FogModeFog || fog == pica.FogModeGas) && differ(want.Fog[:], got.Fog[:], 0xFFFFFF) {
		send(pica.RegFogLutIndex, pica.RegFogLutData0, 0, want.Fog[:])
	}
	if fog == pica.FogModeGas && differ(want.Gas[:], got.Gas[:], 0xFFFFFF) {
		send(pica.RegGasLutIndex, pica.RegGasLutData, 0, want.Gas[:])
	}
	if pica.TexunitEnable3.Bool(r) {
		for _, p := range []struct {
			table     pica.ProcTable
			want, got []uint32
		}{{pica.ProcTableNoise, want.ProcNoise[:], got.ProcNoise[:]}, {pica.ProcTableRGBMap, want.ProcRGBMap[:], got.ProcRGBMap[:]},
			{pica.ProcTableAlphaMap, want.ProcAlphaMap[:], got.ProcAlphaMap[:]}, {pica.ProcTableColor, want.ProcColor[:], got.ProcColor[:]},
			{pica.ProcTableColorDiff, want.ProcColorDiff[:], got.ProcColorDiff[:]}} {
			if differ(p.want, p.got, 0xFFFFFFFF) {
				send(pica.RegProctexLut, pica.RegProctexLutData0, pica.ProctexLutTable.Put(0, uint32(p.table)), p.want)
			}
		}
	}
	return list
}

func lighting(r *pica.Regs) bool {
	return pica.LightingEnable.Bool(r) && !pica.LightingDisable.Bool(r)
}
