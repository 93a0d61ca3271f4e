package scenebuild

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pica200/frontend/dmp"
	"pica200/scene"
)

// switches are uniforms that have an effect only if another one has certain
// values.
var switches = []struct {
	given string   // prefix of names
	by    string   // the uniform that enables it
	on    []string // values for which it is read
}{
	{"dmp_Fog.sampler", "dmp_Fog.mode", []string{"GL_FOG", "gas"}},
	{"dmp_Fog.color", "dmp_Fog.mode", []string{"GL_FOG", "gas"}},
	{"dmp_Gas.samplerT", "dmp_Fog.mode", []string{"gas"}},
	{"dmp_Texture[3].pt", "dmp_Texture[3].samplerType", []string{"procedural"}},
}

// readNotes adds remarks about settings of a draw that have no effect: textures
// that no combiner stage reads, tables and colours of disabled features.
func (d *drawing) readNotes(w *scene.Draw, given map[string]bool, note func(format string, args ...any)) {
	if d.pass.Mode != "color" || len(d.Scene.Registers)+len(d.pass.Registers)+len(w.Registers) > 0 {
		return // raw writes may enable anything
	}
	for i, t := range w.Textures {
		if t != nil && !d.readsTexture(fmt.Sprintf("GL_TEXTURE%d", i)) {
			note("texture %s is bound to unit %d, which no combiner stage reads (dmp_TexEnv[0].srcRgb: [GL_TEXTURE%d, ...])", *t, i, i)
		}
	}
	names := slices.Sorted(maps.Keys(given))
	said := map[string]bool{} // one sentence per switch
	for _, s := range switches {
		value := d.named(s.by)
		if said[s.by] || given[s.by] || slices.Contains(s.on, value) { // a setting that was disabled explicitly gets no remark
			continue
		}
		for _, name := range names {
			if strings.HasPrefix(name, s.given) {
				note("%s is given, but %s is %s, so it is not read", name, s.by, value)
				said[s.by] = true
				break
			}
		}
	}
	for _, g := range []struct {
		key, by, on string
		given       func(*scene.State) string
	}{
		{"procedural_colors", "dmp_Texture[3].samplerType", "procedural", func(s *scene.State) string { return s.ProceduralColors }},
		{"gas_colors", "dmp_Fog.mode", "gas", func(s *scene.State) string { return s.GasColors }},
	} {
		if v := d.named(g.by); g.given(&w.State) != "" && v != g.on && !given[g.by] {
			note("%s is given, but %s is %s, so it is not read", g.key, g.by, v)
		}
	}
	if d.named("dmp_Texture[3].samplerType") != "procedural" {
		return
	}
	switch {
	case !d.readsTexture("GL_TEXTURE3"):
		note("the procedural texture is on, but no combiner stage reads it (dmp_TexEnv[0].srcRgb: [GL_TEXTURE3, ...])")
	case !given["dmp_Texture[3].ptSamplerRgbMap"]:
		note("the procedural texture has no table dmp_Texture[3].ptSamplerRgbMap, so all of it has the colour at 0")
	}
}

// spotNotes adds remarks about tables of a light that are not read.
func (d *drawing) spotNotes(config string, hasSpot bool, note func(format string, args ...any)) {
	for i := range d.Scene.Lights {
		l := &d.Scene.Lights[i]
		for k := range l.Uniforms {
			on := func(name string) bool {
				loc, err := dmp.Locate(fmt.Sprintf("dmp_FragmentLightSource[%d].%s", i, name))
				return err != nil || d.c.Uniforms.Bool(loc)
			}
			switch name := l.Uniforms[k].Name; {
			case name == "samplerSP" && !on("spotEnabled"):
				note("light %d has a table samplerSP, but no spot, so it is not read", i)
			case name == "samplerSP" && !hasSpot:
				note("light %d has a table samplerSP, but dmp_LightEnv.config: %s has no table SP, which reads as 1; those that have it are %s", i, config, layersWith("SP"))
			case name == "samplerDA" && !on("distanceAttenuationEnabled"):
				note("light %d has a table samplerDA, but distanceAttenuationEnabled is false, so it is not read", i)
			case name == "samplerSP" && len(l.Uniforms[k].Values) == 1:
				table, _ := l.Uniforms[k].Values[0].(string)
				d.signNote("SP", fmt.Sprintf("light %d's samplerSP", i), table, note)
				if in := d.named("dmp_LightEnv.lutInputSP"); in != "sp" && d.isSpot(table) {
					note("table %s of light %d is a spot's, but dmp_LightEnv.lutInputSP is %s, which is not the cosine of its angle (sp is)", table, i, in)
				}
			}
		}
	}
}

// isSpot reports whether a table is for a spot.
func (d *drawing) isSpot(name string) bool {
	return slices.ContainsFunc(d.Scene.Tables, func(t scene.Table) bool { return t.Name == name && t.Spot != nil })
}

// named returns a uniform's value as a symbol.
func (d *drawing) named(uniform string) string {
	v, err := d.c.Uniforms.Get(uniform)
	if err != nil || len(v) != 1 {
		return ""
	}
	return fmt.Sprint(v[0])
}

// readsTexture reports whether a combiner stage reads a texture unit, or
// lighting reads normals or shadows from it.
func (d *drawing) readsTexture(unit string) bool {
	for i := range 6 {
		for _, name := range []string{"srcRgb", "srcAlpha"} {
			v, err := d.c.Uniforms.Get(fmt.Sprintf("dmp_TexEnv[%d].%s", i, name))
			if err != nil || slices.Contains(v, any(unit)) {
				return true
			}
		}
	}
	shadow := slices.Contains([]string{d.named("dmp_LightEnv.shadowPrimary"), d.named("dmp_LightEnv.shadowSecondary"), d.named("dmp_LightEnv.shadowAlpha")}, "true")
	return d.named("dmp_LightEnv.bumpMode") != "none" && d.named("dmp_LightEnv.bumpSelector") == unit ||
		shadow && d.named("dmp_LightEnv.shadowSelector") == unit
}
