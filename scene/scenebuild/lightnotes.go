package scenebuild

import (
	"fmt"
	"strings"

	"pica200/fragment"
	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/scene"
)

// lightTables are the lighting tables that a scene can set, each with the
// uniforms that enable it (noSwitch: nothing does) and say what its input is.
var lightTables = []struct {
	name                       string
	sampler, enabled, absolute dmp.Location
}{
	{"D0", dmp.MaterialSamplerD0, dmp.LightEnvLutEnabledD0, dmp.LightEnvAbsLutInputD0},
	{"D1", dmp.MaterialSamplerD1, dmp.LightEnvLutEnabledD1, dmp.LightEnvAbsLutInputD1},
	{"RR", dmp.MaterialSamplerRR, dmp.LightEnvLutEnabledRefl, dmp.LightEnvAbsLutInputRR},
	{"RG", dmp.MaterialSamplerRG, dmp.LightEnvLutEnabledRefl, dmp.LightEnvAbsLutInputRG},
	{"RB", dmp.MaterialSamplerRB, dmp.LightEnvLutEnabledRefl, dmp.LightEnvAbsLutInputRB},
	{"FR", dmp.MaterialSamplerFR, noSwitch, dmp.LightEnvAbsLutInputFR},
}

const noSwitch = dmp.NumUniforms

// stateNotes adds remarks about settings of a draw that its state does not read.
func (d *drawing) stateNotes(w *scene.Draw, lit, normals bool) {
	u := d.c.Uniforms
	note := func(format string, args ...any) {
		d.note(fmt.Sprintf("%s: ", drawName(w)) + fmt.Sprintf(format, args...))
	}
	given := d.settings()
	d.readNotes(w, given, note)
	layer := pica.LightLayer(pica.LightingLayer.Get(u.Regs))
	for _, t := range lightTables {
		switch {
		case !given.has(t.sampler):
		case !lit:
			if len(d.Scene.Lights) > 0 && !normals && w.Lit == nil && d.pass.Mode == "color" {
				note("it is not lit, for the mesh has no normals (lit: true lights it all the same)")
			}
			return
		case t.enabled != noSwitch && !u.Bool(t.enabled):
			note("%v is given, but %v is false, so it is not read", t.sampler, t.enabled)
		case !fragment.LayerHasTable(layer, t.name):
			note("%v is given, but %v: %v has no table %s, which reads as 1; those that have it are %s", t.sampler, dmp.LightEnvConfig, layer, t.name, layersWith(t.name))
		default:
			d.signNote(t.absolute, t.sampler.String(), given[t.sampler], note)
		}
	}
	if lit {
		d.spotNotes(layer.String(), fragment.LayerHasTable(layer, "SP"), note)
	}
}

// signNote adds a remark if a table is made for another input range than the hardware uses.
func (d *drawing) signNote(absolute dmp.Location, sampler, name string, note func(format string, args ...any)) {
	for i := range d.Scene.Tables {
		t := &d.Scene.Tables[i]
		switch abs := d.c.Uniforms.Bool(absolute); {
		case t.Name != name || t.Values != nil:
		case t.Signed && abs:
			note("table %s of %s is signed, but %v is true: the input is never below 0, and the entries are taken in another order", name, sampler, absolute)
		case !t.Signed && !abs:
			note("table %s of %s is made for inputs from 0 to 1, but %v is false: the input is from -1 to 1 (signed: true makes such a table)", name, sampler, absolute)
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
