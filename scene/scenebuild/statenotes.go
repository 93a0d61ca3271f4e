package scenebuild

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/scene"
)

// switches are settings that have an effect only if a uniform has certain
// values.
var switches = []struct {
	first, last dmp.Location
	by          dmp.Location // the uniform that enables them
	off         []any        // values with which they are not read
}{
	{dmp.FogSampler, dmp.FogSampler, dmp.FogMode, []any{pica.FogModeOff}},
	{dmp.FogColor, dmp.FogColor, dmp.FogMode, []any{pica.FogModeOff}},
	{dmp.GasSamplerTR, dmp.GasSamplerTB, dmp.FogMode, []any{pica.FogModeOff, pica.FogModeFog}},
	{dmp.ProcRgbMap, dmp.ProcSamplerA, dmp.Texture3SamplerType, []any{pica.TextureDisabled}},
}

// settings are the fixed functions' uniforms that the scene, the pass and the
// draw set, with the name of a table if that is the value.
type settings map[dmp.Location]string

func (s settings) has(loc dmp.Location) bool { _, ok := s[loc]; return ok }

func (d *drawing) settings() settings {
	list := settings{}
	for _, u := range d.uniforms() {
		if loc, err := dmp.Locate(u.Name); err == nil {
			table := ""
			if len(u.Values) == 1 {
				table, _ = u.Values[0].(string)
			}
			list[loc] = table
		}
	}
	return list
}

// readNotes adds remarks about settings of a draw that have no effect: textures
// that no combiner stage reads, tables and colours of disabled features.
func (d *drawing) readNotes(w *scene.Draw, given settings, note func(format string, args ...any)) {
	if d.pass.Mode != "color" || len(d.Scene.Registers)+len(d.pass.Registers)+len(w.Registers) > 0 {
		return // raw writes may enable anything
	}
	u, first := d.c.Uniforms, dmp.TexEnvSrcRgb
	for i, t := range w.Textures {
		if t != nil && !readsTexture(u, i) {
			note("texture %s is bound to unit %d, which no combiner stage reads (%v: [GL_TEXTURE%d, ...])", *t, i, first, i)
		}
	}
	names := slices.SortedFunc(maps.Keys(given), func(a, b dmp.Location) int { return cmp.Compare(a.String(), b.String()) })
	said := map[dmp.Location]bool{} // one sentence per switch
	for _, s := range switches {
		off := slices.ContainsFunc(s.off, func(v any) bool { return u.Has(s.by, v) })
		if said[s.by] || given.has(s.by) || !off { // a setting that was disabled explicitly gets no remark
			continue
		}
		if k := slices.IndexFunc(names, func(n dmp.Location) bool { return n >= s.first && n <= s.last }); k >= 0 {
			note("%v is given, but %v is %s, so it is not read", names[k], s.by, u.Names(s.by)[0])
			said[s.by] = true
		}
	}
	procedural := !u.Has(dmp.Texture3SamplerType, pica.TextureDisabled)
	if w.ProceduralColors != "" && !procedural && !given.has(dmp.Texture3SamplerType) {
		note("procedural_colors is given, but %v is %s, so it is not read", dmp.Texture3SamplerType, u.Names(dmp.Texture3SamplerType)[0])
	}
	if w.GasColors != "" && !u.Has(dmp.FogMode, pica.FogModeGas) && !given.has(dmp.FogMode) {
		note("gas_colors is given, but %v is %s, so it is not read", dmp.FogMode, u.Names(dmp.FogMode)[0])
	}
	switch {
	case !procedural:
	case !readsTexture(u, 3):
		note("the procedural texture is on, but no combiner stage reads it (%v: [GL_TEXTURE3, ...])", first)
	case !given.has(dmp.ProcSamplerRgbMap):
		note("the procedural texture has no table %v, so all of it has the colour at 0", dmp.ProcSamplerRgbMap)
	}
}

// spotNotes adds remarks about tables of a light that are not read.
func (d *drawing) spotNotes(config string, hasSpot bool, note func(format string, args ...any)) {
	u := d.c.Uniforms
	for i := range d.Scene.Lights {
		l := &d.Scene.Lights[i]
		for k := range l.Uniforms {
			loc, err := dmp.Locate(dmp.LightName(i, l.Uniforms[k].Name))
			if err != nil {
				continue
			}
			switch spot := loc == dmp.LightSamplerSP.At(i); {
			case spot && !u.Bool(dmp.LightSpotEnabled.At(i)):
				note("light %d has a table samplerSP, but no spot, so it is not read", i)
			case spot && !hasSpot:
				note("light %d has a table samplerSP, but %v: %s has no table SP, which reads as 1; those that have it are %s", i, dmp.LightEnvConfig, config, layersWith("SP"))
			case loc == dmp.LightSamplerDA.At(i) && !u.Bool(dmp.LightDistanceAttenuationEnabled.At(i)):
				note("light %d has a table samplerDA, but distanceAttenuationEnabled is false, so it is not read", i)
			case spot && len(l.Uniforms[k].Values) == 1:
				table, _ := l.Uniforms[k].Values[0].(string)
				d.signNote(dmp.LightEnvAbsLutInputSP, fmt.Sprintf("light %d's samplerSP", i), table, note)
				if in := dmp.LightEnvLutInputSP; !u.Has(in, pica.LutInputSP) && d.isSpot(table) {
					note("table %s of light %d is a spot's, but %v is %s, which is not the cosine of its angle (sp is)", table, i, in, u.Names(in)[0])
				}
			}
		}
	}
}

// isSpot reports whether a table is for a spot.
func (d *drawing) isSpot(name string) bool {
	return slices.ContainsFunc(d.Scene.Tables, func(t scene.Table) bool { return t.Name == name && t.Spot != nil })
}

// readsTexture reports whether a combiner stage reads a texture unit, or
// lighting reads normals or shadows from it.
func readsTexture(u *dmp.State, unit int) bool {
	source := pica.SourceTexture0 + pica.Source(unit)
	for stage := range 6 {
		if u.Has(dmp.TexEnvSrcRgb.At(stage), source) || u.Has(dmp.TexEnvSrcAlpha.At(stage), source) {
			return true
		}
	}
	shadow := u.Bool(dmp.LightEnvShadowPrimary) || u.Bool(dmp.LightEnvShadowSecondary) || u.Bool(dmp.LightEnvShadowAlpha)
	return !u.Has(dmp.LightEnvBumpMode, pica.BumpNone) && u.Has(dmp.LightEnvBumpSelector, source) || shadow && u.Has(dmp.LightEnvShadowSelector, source)
}
