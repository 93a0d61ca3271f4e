package modeldraw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/frontend/dmp"
	"pica200/internal/mgl"
	"pica200/pica"
)

// set is a light set of the file, sorted by kind.
type set struct {
	fragment []*cgfx.Light
	vertex   []*cgfx.Light
	sky      *cgfx.Light
	ambient  mgl32.Vec4
	isSet    bool // the file has it
}

// lights returns the light set with a number, animated by motion: from the
// first scene that has it, or all lights of a file without scenes.
func (s *Set) lights(number uint32, motion *Motion, frames float64) *set {
	out := &set{ambient: mgl32.Vec4{0, 0, 0, 1}}
	add := func(l *cgfx.Light) {
		if l == nil {
			return
		}
		out.isSet = true
		if l = s.moveLight(l, motion, frames); l.Enabled == 0 {
			return
		}
		switch l.Kind {
		case cgfx.KindFragmentLight:
			out.fragment = append(out.fragment, l)
		case cgfx.KindVertexLight:
			out.vertex = append(out.vertex, l)
		case cgfx.KindHemisphereLight:
			out.sky = l
		case cgfx.KindAmbientLight:
			for k := range 3 {
				out.ambient[k] += l.Color[k]
			}
		}
	}
	scenes := s.File.Scenes.Values()
	for _, sc := range scenes {
		for _, ls := range sc.LightSets {
			if ls == nil || ls.ID != number {
				continue
			}
			for _, it := range cgfx.Each(ls.Lights) {
				l := s.File.Lights.Get(it.Name)
				if l == nil {
					s.note("light set %d names the light %q, which is not in the file", number, it.Name)
				}
				add(l)
			}
			if out.isSet {
				return out
			}
		}
	}
	if len(scenes) == 0 {
		for _, l := range s.File.Lights.Values() {
			add(l)
		}
	}
	return out
}

// direction is where a light shines from, in view space, of length 1.
func direction(l *cgfx.Light, view mgl64.Mat4) mgl64.Vec3 {
	d := mgl.Wide3(l.Direction)
	if l.LastFlags&8 != 0 {
		d = mgl.Direction(mgl.RotateXYZ(l.Rotation), d)
	}
	n := mgl.Unit(mgl.Direction(view, d).Mul(-1))
	if n == (mgl64.Vec3{}) {
		return mgl64.Vec3{0, 0, 1}
	}
	return n
}

// maxVertexLights is how many lights by vertex the program has.
const maxVertexLights = 3

// lightVertices adds vertex lighting to the values of uniforms. It reports
// whether there is any.
func (d *Drawing) lightVertices(l *materialState, lights *set, values *values) bool {
	if l.Flags&(cgfx.MaterialVertexLit|cgfx.MaterialHemisphereLit) == 0 || !lights.isSet {
		return false
	}
	ground, sky := mgl32.Vec4{}, mgl32.Vec4{}
	up := mgl64.Vec3{0, 1, 0}
	base := func(k int) float32 { // emission and ambient light
		return l.colors[0][k] + float32(l.colors[1][k]*lights.ambient[k])
	}
	for k := range 3 {
		ground[k], sky[k] = base(k), base(k)
	}
	if h := lights.sky; h != nil && l.Flags&cgfx.MaterialHemisphereLit != 0 {
		for k := range 3 {
			ground[k] += float32(h.Ground[k] * l.colors[1][k])
			sky[k] += float32(h.Sky[k] * l.colors[1][k])
		}
		if n := mgl.Unit(mgl.Direction(d.view.ToView, mgl.Wide3(h.Direction))); n != (mgl64.Vec3{}) {
			up = n
		}
	}
	var dirs, colors [maxVertexLights]mgl32.Vec4
	if l.Flags&cgfx.MaterialVertexLit != 0 {
		if len(lights.vertex) > maxVertexLights {
			d.set.note("material %s: %d lights by vertex; %d are drawn", l.Name, len(lights.vertex), maxVertexLights)
		}
		for i, v := range lights.vertex[:min(len(lights.vertex), maxVertexLights)] {
			if v.Type != 0 {
				d.set.note("light %s: a light by vertex at a place is drawn as one from a direction", v.Name)
			}
			n := direction(v, d.view.ToView)
			for k := range 3 {
				dirs[i][k] = float32(n[k])
				colors[i][k] = float32(v.Diffuse[k] * l.colors[2][k])
				ground[k] += float32(v.Ambient[k] * l.colors[1][k])
				sky[k] += float32(v.Ambient[k] * l.colors[1][k])
			}
		}
	}
	values.floats["groundColor"], values.floats["skyColor"] = []mgl32.Vec4{ground}, []mgl32.Vec4{sky}
	values.floats["skyDirection"] = []mgl32.Vec4{mgl.Narrow3(up).Vec4(0)}
	values.floats["lightDirection"], values.floats["lightColor"] = dirs[:], colors[:]
	return true
}

// lookup is a lighting table: the number by which the hardware uploads it, and
// the uniforms of its input.
type lookup struct {
	table                  pica.LightTable
	absolute, input, scale dmp.Location
}

// lookups are the tables in the order of cgfx.FragmentTables.
var lookups = [6]lookup{
	{pica.TableRR, dmp.LightEnvAbsLutInputRR, dmp.LightEnvLutInputRR, dmp.LightEnvLutScaleRR},
	{pica.TableRG, dmp.LightEnvAbsLutInputRG, dmp.LightEnvLutInputRG, dmp.LightEnvLutScaleRG},
	{pica.TableRB, dmp.LightEnvAbsLutInputRB, dmp.LightEnvLutInputRB, dmp.LightEnvLutScaleRB},
	{pica.TableD0, dmp.LightEnvAbsLutInputD0, dmp.LightEnvLutInputD0, dmp.LightEnvLutScaleD0},
	{pica.TableD1, dmp.LightEnvAbsLutInputD1, dmp.LightEnvLutInputD1, dmp.LightEnvLutScaleD1},
	{pica.TableFR, dmp.LightEnvAbsLutInputFR, dmp.LightEnvLutInputFR, dmp.LightEnvLutScaleFR},
}

// spotLookup is the table of a spot.
func spotLookup(light int) lookup {
	return lookup{pica.TableSP0 + pica.LightTable(light), dmp.LightEnvAbsLutInputSP, dmp.LightEnvLutInputSP, dmp.LightEnvLutScaleSP}
}

// rgb is a colour that registers can hold, with an alpha of 1.
func rgb(c mgl32.Vec4) []float64 {
	out := []float64{0, 0, 0, 1}
	for k := range 3 {
		if x := float64(c[k]); x > 0 {
			out[k] = min(x, 1)
		}
	}
	return out
}

// lightFragments sets fragment lighting, from the defaults on.
func (d *Drawing) lightFragments(l *materialState, lights *set) error {
	u := d.c.Uniforms
	on := l.Flags&cgfx.MaterialFragmentLit != 0 && l.Fragment != nil
	if err := u.SetAt(dmp.LightingEnabled, on); err != nil || !on {
		return err
	}
	f := l.Fragment
	err := u.SetAll(
		dmp.LightingAmbient, rgb(lights.ambient),
		dmp.MaterialEmission, rgb(l.colors[0]),
		dmp.MaterialAmbient, rgb(l.colors[1]),
		dmp.MaterialDiffuse, rgb(l.colors[2]),
		dmp.MaterialSpecular0, rgb(l.colors[3]),
		dmp.MaterialSpecular1, rgb(l.colors[4]),
		dmp.LightEnvClampHighlights, f.LightFlags&1 != 0)
	if err != nil {
		return err
	}
	if err := d.tables(l, f); err != nil {
		return err
	}
	list := lights.fragment
	if !lights.isSet {
		d.set.note("material %s: light set %d is not in the file; a white light from the eye is used instead", l.Name, l.LightSet)
		white := mgl32.Vec4{1, 1, 1, 1}
		eye := &cgfx.Light{Diffuse: white, Specular: [2]mgl32.Vec4{white, white}, Direction: mgl32.Vec3{0, 0, -1}}
		return d.fragmentLight(0, eye, mgl64.Ident4())
	}
	if len(list) > pica.NumLights {
		d.set.note("material %s: %d fragment lights; the hardware has %d", l.Name, len(list), pica.NumLights)
		list = list[:pica.NumLights]
	}
	for i, v := range list {
		if err := d.fragmentLight(i, v, d.view.ToView); err != nil {
			return err
		}
	}
	return nil
}

// fragmentLight sets a light source.
func (d *Drawing) fragmentLight(i int, v *cgfx.Light, view mgl64.Mat4) error {
	u, n := d.c.Uniforms, direction(v, view)
	at := n.Vec4(0)
	if v.Type != 0 {
		at = mgl.Apply(view, mgl.Wide3(v.Translation).Vec4(1))
		for _, x := range at {
			if math.IsNaN(x) || math.Abs(x) > 65504 { // the registers are 16-bit floats
				at = mgl64.Vec4{0, 0, 0, 1}
			}
		}
	}
	err := u.SetAll(dmp.LightEnabled.At(i), true, dmp.LightAmbient.At(i), rgb(v.Ambient), dmp.LightDiffuse.At(i), rgb(v.Diffuse),
		dmp.LightSpecular0.At(i), rgb(v.Specular[0]), dmp.LightSpecular1.At(i), rgb(v.Specular[1]), dmp.LightTwoSideDiffuse.At(i), v.LastFlags&2 != 0, dmp.LightPosition.At(i), at)
	if err != nil {
		return err
	}
	if v.Type == 2 && v.Angle != nil {
		ok, err := d.table(v.Angle, spotLookup(i), "light "+v.Name)
		if err == nil && ok {
			err = u.SetAll(dmp.LightSpotEnabled.At(i), true, dmp.LightSpotDirection.At(i), n.Mul(-1))
		}
		if err != nil {
			return err
		}
	}
	if v.Type != 0 && v.LastFlags&4 != 0 && v.Distance != nil {
		ok, err := d.upload(v.Distance, lookup{table: pica.TableDA0 + pica.LightTable(i), absolute: dmp.NumUniforms}, "light "+v.Name)
		if err != nil || !ok {
			return err
		}
		return u.SetAll(dmp.LightDistanceAttenuationEnabled.At(i), true, dmp.LightDistanceAttenuationScale.At(i), float64(pica.Float20.Decode(v.Scale20&0xFFFFF)),
			dmp.LightDistanceAttenuationBias.At(i), float64(pica.Float20.Decode(v.Bias20&0xFFFFF)))
	}
	return nil
}

// lutScales are the scales of lighting tables by their numbers.
var lutScales = [...]float64{0: 1, 1: 2, 2: 4, 3: 8, 6: 0.25, 7: 0.5}

// table uploads a lighting table and sets its input. It reports whether the
// file has the table.
func (d *Drawing) table(t *cgfx.LightTable, at lookup, who string) (bool, error) {
	ok, err := d.upload(t.Table, at, who)
	if err == nil && ok && t.Input <= uint32(pica.LutInputCP) {
		err = d.c.Uniforms.SetAt(at.input, pica.LutInput(t.Input))
	}
	if err == nil && ok && int64(t.Scale) < int64(len(lutScales)) && lutScales[t.Scale] != 0 {
		err = d.c.Uniforms.SetAt(at.scale, lutScales[t.Scale])
	}
	return ok, err
}

// tables sets the tables of the fragment shader and the lighting configuration.
func (d *Drawing) tables(l *materialState, f *cgfx.FragmentShader) error {
	u := d.c.Uniforms
	here := [6]bool{}
	if f.Tables != nil {
		for i, t := range cgfx.Each(f.Tables.Tables[:]) {
			var err error
			if here[i], err = d.table(t, lookups[i], "material "+l.Name); err != nil {
				return err
			}
		}
	}
	bit := func(n int) bool { return f.LightFlags>>n&1 != 0 }
	layer := pica.LightLayer(min(f.Layer, 9))
	switch layer {
	case 7:
		layer = pica.LightLayer7
	case 9:
		layer = pica.LightLayer0
	}
	set := []any{
		dmp.LightEnvLutEnabledD0, bit(1) && here[3], dmp.LightEnvLutEnabledD1, bit(2) && here[4],
		dmp.LightEnvLutEnabledRefl, bit(5) && (here[0] || here[1] || here[2]), dmp.LightEnvConfig, layer,
	}
	for i := range pica.NumLights {
		set = append(set, dmp.LightGeomFactor0.At(i), bit(3), dmp.LightGeomFactor1.At(i), bit(4))
	}
	if here[5] {
		set = append(set, dmp.LightEnvFresnelSelector, pica.Fresnel(f.Fresnel&3))
	}
	if f.BumpMode != 0 && f.BumpMode < 3 && f.BumpTexture < 3 && l.textures[f.BumpTexture] != nil {
		set = append(set, dmp.LightEnvBumpMode, pica.BumpMode(f.BumpMode),
			dmp.LightEnvBumpSelector, pica.SourceTexture0+pica.Source(f.BumpTexture), dmp.LightEnvBumpRenorm, f.BumpRenormalize != 0)
	}
	return u.SetAll(set...)
}

// upload runs the commands of a table for the next draw. It reports whether the
// file has the table.
func (d *Drawing) upload(ref *cgfx.TableRef, at lookup, who string) (bool, error) {
	if ref == nil {
		return false, nil
	}
	lut := ref.Into
	if lut == nil {
		lut = d.set.File.LookupTables.Get(ref.Set)
	}
	var t *cgfx.Table
	if lut != nil {
		t = lut.Tables.Get(ref.Name)
	}
	if t == nil {
		d.set.note("%s: the table %q of %q is not in the file; what it is for is off", who, ref.Name, ref.Set)
		return false, nil
	}
	if at.absolute != dmp.NumUniforms {
		if err := d.c.Uniforms.SetAt(at.absolute, t.Absolute != 0); err != nil {
			return false, err
		}
	}
	words := make([]uint32, len(t.Commands)/4)
	for i := range words {
		words[i] = uint32(t.Commands[4*i]) | uint32(t.Commands[4*i+1])<<8 | uint32(t.Commands[4*i+2])<<16 | uint32(t.Commands[4*i+3])<<24
	}
	d.queued = append(d.queued, queued{at.table, words})
	return true, nil
}

// queued is a table of the file for the draw that is set up.
type queued struct {
	table pica.LightTable
	words []uint32
}

func (d *Drawing) sendTables(of *Change) error {
	for _, q := range d.queued {
		if of.Tables[q.table] {
			continue
		}
		if err := d.c.Override(pica.RegLightingLutIndex, 0xF, uint32(q.table)<<8); err != nil {
			return err
		}
		if _, err := run(q.words, func(r pica.Reg) bool { return r >= pica.RegLightingLutData0 && r < pica.RegLightingLutData0+8 }, d.c.Override); err != nil {
			return err
		}
	}
	return nil
}

// fog sets the material's fog.
func (d *Drawing) fog(l *materialState) error {
	u := d.c.Uniforms
	if l.Flags&cgfx.MaterialFogged == 0 {
		return u.SetAt(dmp.FogMode, pica.FogModeOff)
	}
	f := d.set.moveFog(d.set.fog(l.Material.Fog), d.motion, d.frames)
	if f == nil || f.Updater == nil {
		d.set.note("material %s: fog %d is not in the file, so it is off", l.Name, l.Material.Fog)
		return u.SetAt(dmp.FogMode, pica.FogModeOff)
	}
	up := f.Updater
	table := make([]float32, 129)
	for i := range table {
		z := d.view.distance(float64(float64(i) / 128))
		if f.Transform.Flags == 0 {
			z = max(z, 0)
		}
		near, far, v := float64(up.Near), float64(up.Far), 1.0
		switch x := z - near; {
		case up.Type <= 1 && far > near:
			v = 1 - x/(far-near)
		case up.Type == 2 && x > 0:
			v = math.Exp(-float64(float64(up.Density) * x))
		case up.Type == 3 && x > 0:
			q := float64(float64(up.Density) * x)
			v = math.Exp(-float64(q * q))
		}
		if !(v > 0) {
			v = 0
		}
		table[i] = float32(min(v, 1))
	}
	if err := u.SetTableAt(dmp.FogSampler, table); err != nil {
		return err
	}
	return u.SetAll(dmp.FogColor, rgb(f.Color)[:3], dmp.FogMode, pica.FogModeFog)
}

func (s *Set) fog(number uint32) *cgfx.Fog {
	for _, sc := range s.File.Scenes.Values() {
		for _, it := range sc.Fogs {
			if it != nil && it.ID == number {
				if f := s.File.Fogs.Get(it.Name); f != nil {
					return f
				}
			}
		}
	}
	if fogs := s.File.Fogs.Values(); len(s.File.Scenes.Entries) == 0 && int64(number) < int64(len(fogs)) {
		return fogs[number]
	}
	return nil
}
