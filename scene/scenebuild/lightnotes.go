package scenebuild

import (
	"fmt"
	"slices"
	"strings"

	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/scene"
)

// lightTables are the lighting tables that a scene can set, each with the uniform that enables it ("" if none is needed).
var lightTables = []struct{ table, sampler, enabled string }{
	{"D0", "dmp_FragmentMaterial.samplerD0", "dmp_LightEnv.lutEnabledD0"},
	{"D1", "dmp_FragmentMaterial.samplerD1", "dmp_LightEnv.lutEnabledD1"},
	{"RR", "dmp_FragmentMaterial.samplerRR", "dmp_LightEnv.lutEnabledRefl"},
	{"RG", "dmp_FragmentMaterial.samplerRG", "dmp_LightEnv.lutEnabledRefl"},
	{"RB", "dmp_FragmentMaterial.samplerRB", "dmp_LightEnv.lutEnabledRefl"},
	{"FR", "dmp_FragmentMaterial.samplerFR", ""},
}

// stateNotes adds remarks about settings of a draw that its state does not read.
func (d *drawing) stateNotes(w *scene.Draw, lit, normals bool) {
	u := d.c.Uniforms
	note := func(format string, args ...any) {
		d.note(fmt.Sprintf("%s: ", drawName(w)) + fmt.Sprintf(format, args...))
	}
	given := map[string]bool{}
	tables := map[string]string{} // tables of samplers; inner settings override
	for _, list := range [][]scene.Uniform{d.Scene.Uniforms, d.pass.Uniforms, w.Uniforms} {
		for i := range list {
			given[list[i].Name] = true
			if v := list[i].Values; len(v) == 1 {
				tables[list[i].Name], _ = v[0].(string)
			}
		}
	}
	d.readNotes(w, given, note)
	if !lit {
		if len(d.Scene.Lights) > 0 && !normals && w.Lit == nil && d.pass.Mode == "color" && slices.ContainsFunc(lightTables, func(t struct{ table, sampler, enabled string }) bool { return given[t.sampler] }) {
			note("it is not lit, for the mesh has no normals (lit: true lights it all the same)")
		}
		return
	}
	layer := pica.LightLayer0
	if v, err := u.Get("dmp_LightEnv.config"); err == nil && len(v) == 1 {
		if n, ok := pica.LightLayers.Lookup(fmt.Sprint(v[0])); ok {
			layer = pica.LightLayer(n)
		}
	}
	for _, t := range lightTables {
		if !given[t.sampler] {
			continue
		}
		on := true
		if t.enabled != "" {
			loc, err := dmp.Locate(t.enabled)
			on = err != nil || u.Bool(loc)
		}
		switch {
		case !on:
			note("%s is given, but %s is false, so it is not read", t.sampler, t.enabled)
		case !fragment.LayerHasTable(layer, t.table):
			note("%s is given, but dmp_LightEnv.config: %v has no table %s, which reads as 1; those that have it are %s", t.sampler, layer, t.table, layersWith(t.table))
		default:
			d.signNote(t.table, t.sampler, tables[t.sampler], note)
		}
	}
	d.spotNotes(layer.String(), fragment.LayerHasTable(layer, "SP"), note)
}

// signNote adds a remark if a table is made for another input range than the hardware uses.
func (d *drawing) signNote(table, sampler, name string, note func(format string, args ...any)) {
	unsigned := "dmp_LightEnv.absLutInput" + table
	for i := range d.Scene.Tables {
		t := &d.Scene.Tables[i]
		switch abs := d.named(unsigned) == "true"; {
		case t.Name != name || t.Values != nil:
		case t.Signed && abs:
			note("table %s of %s is signed, but %s is true: the input is never below 0, and the entries are taken in another order", name, sampler, unsigned)
		case !t.Signed && !abs:
			note("table %s of %s is made for inputs from 0 to 1, but %s is false: the input is from -1 to 1 (signed: true makes such a table)", name, sampler, unsigned)
		}
	}
}

// layersWith lists the lighting configurations that have a table.
func layersWith(table string) string {
	var names []string
	for _, l := range []pica.LightLayer{pica.LightLayer0, pica.LightLayer1, pica.LightLayer2, pica.LightLayer3, pica.LightLayer4, pica.LightLayer5, pica.LightLayer6, pica.LightLayer7} {
		if fragment.LayerHasTable(l, table) {
			names = append(names, l.String())
		}
	}
	return strings.Join(names, ", ")
}
