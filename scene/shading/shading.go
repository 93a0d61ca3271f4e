// Package shading turns a material, as glTF and OBJ describe it, into settings
// of the fragment stage. Prepare is the step that a model needs once: texture
// coordinates, means of metal maps. Of is the sequence of steps for a draw: how
// metal is shown, the texture units, lighting, the combiner stages, the alpha
// test. Settings.Apply is the only place where the result becomes uniforms.
//
// The combiner stages compute
//
//	stage 0   texture * vertex colour (or base colour, unlit)
//	stage 1   * fragment primary colour (diffuse light)        if lit
//	stage 2   + fragment secondary colour (highlight)          if lit
//	stage 3   + emissive texture * emissive colour             if there is any
//
// with alpha from base colour, texture and vertex colour throughout. A metal
// tints what it reflects: for a metal the sum of diffuse light and highlight
// comes first, then the product with texture and vertex colour. Its highlight
// includes the surroundings.
//
// If metalness varies, red of the secondary colour is the highlight of metal
// (table D0), green that of the rest (D1):
//
//	stage 0   red * base colour
//	stage 1   + fragment primary colour, as much as a metal keeps of it
//	stage 2   that or the fragment primary colour, by metalness
//	stage 3   * texture                                        if there is one
//	stage 4   * vertex colour                                  if there are any
//	stage 5   + green * (1 - metalness)
//	stage 6   + emissive texture * emissive colour             if there is any
//
// There are six stages; a material that would need seven uses its mean
// metalness everywhere.
//
// With an occlusion map, ambient light is not part of the fragment primary colour:
// a stage adds it, times the map, which is alpha of unit 1 or 2.
package shading

import (
	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/model"
	"pica200/frontend/dmp"
	"pica200/pica"
)

// Surface is what the settings depend on besides the material.
type Surface struct {
	Colors  bool // the vertices have colours
	Program bool // a program of the scene may compute them, and gives units 1 and 2 the same coordinates
	Lit     bool // lights shine on it
	// LeftHanded means that its tangents, bitangents and normals are left-handed.
	LeftHanded bool
	// Unmasked is why metalness cannot vary over the surface, which needs texture
	// unit 1, and both highlights of each light to be the same grey; "" if it can.
	Unmasked string
	// Ambient is the ambient light, if nothing but an occlusion map's stage has to
	// add it; nil if occlusion cannot be shown.
	Ambient *mgl32.Vec3
}

// Settings says how the fragment stage shows a material.
type Settings struct {
	Units  [3]Unit // base texture, normal map, emissive map
	Light  *Light  // nil if it is not lit
	Stages []Stage // of the combiner; those that follow pass the colour on
	Masked bool    // metalness is shown point by point
	// Several means that units have texture coordinates of their own.
	Several bool
	// Occluded means that an occlusion map is shown.
	Occluded bool
	// Mean is why metalness that varies is shown by its mean, or "".
	Mean string
	// Cutoff is the least alpha that is drawn; nil without an alpha test.
	Cutoff *float32
}

// Unit is a texture unit. It is off if its image is -1.
type Unit struct {
	Image int
	model.Sampler
	// Metal is the image whose blue, times Factor, replaces blue of this one; -1
	// is none. Normal maps do not need their blue.
	Metal  int
	Factor float32
	// Occlusion is the image whose red, as far as Strength says, replaces alpha of
	// this one; -1 is none.
	Occlusion int
	Strength  float32
	// Normals are factors of x, y and z of the normals in it, 0 if it has none.
	Normals [3]float32
}

// Light is the colours of a material under the lights, and the tables of its
// two highlights.
type Light struct {
	Emission, Ambient, Diffuse mgl32.Vec3
	Specular                   [2]mgl32.Vec3
	Highlights                 [2]Highlight
	Layer                      pica.LightLayer
	Bumps                      bool // unit 1 has normals
}

// Stage is a stage of the combiner. Its alpha channel reads alpha.
type Stage struct {
	RGB, Alpha Channel
	Operands   [3]pica.OperandRGB
	Constant   mgl32.Vec4
}

// Channel is how a stage makes its colour or alpha.
type Channel struct {
	Combine pica.Combine
	Sources [3]pica.Source
}

// Of returns the settings of a material.
func Of(m *Material, on Surface) *Settings {
	on.Lit = on.Lit && !m.Unlit
	s := &Settings{Several: m.Several && !on.Program}
	s.Masked, s.Mean = masked(m, on)
	if m.metal != nil && !s.Masked {
		mean := *m
		mean.Metallic, mean.Roughness = m.metal.metallic, m.metal.roughness
		m = &mean
	}
	s.Occluded = on.Lit && m.occlusion > 0 && on.Ambient != nil && (!s.Masked || len(tints(m, on)) < 2 && !(len(tints(m, on)) == 1 && glows(m)))
	s.Units = units(m, on, s)
	if on.Lit {
		s.Light = light(m, s.Masked)
		if m.EmissiveMap.Image >= 0 || s.Masked || len(tints(m, on)) > 0 {
			s.Light.Emission = mgl32.Vec3{} // a stage adds it, behind what tints light
		}
		if s.Occluded {
			s.Light.Ambient = mgl32.Vec3{} // a stage adds it
		}
	}
	switch {
	case s.Masked:
		s.maskedStages(m, on)
	case s.Light != nil && s.Light.Highlights[0].Mirror > 0:
		s.metalStages(m, on)
	default:
		s.plainStages(m, on)
	}
	switch {
	case m.Unlit:
	case m.EmissiveMap.Image < 0:
		if s.Light != nil && glows(m) && s.Light.Emission == (mgl32.Vec3{}) {
			s.add(Stage{RGB: with(pica.CombineAdd, pica.SourceConstant), Constant: m.Emissive.Vec4(1)})
		}
	default:
		s.add(Stage{RGB: Channel{pica.CombineMultAdd, sources{pica.SourceTexture2, pica.SourceConstant, pica.SourcePrevious}}, Constant: m.Emissive.Vec4(1)})
	}
	if m.Alpha == model.Mask {
		s.Cutoff = &m.Cutoff
	}
	return s
}

// masked reports whether metalness is shown point by point, and why not if it
// varies.
func masked(m *Material, on Surface) (ok bool, why string) {
	switch {
	case !on.Lit || m.metal == nil || !m.metal.varies:
	case on.Unmasked != "":
		return false, on.Unmasked
	case !m.maskable:
		return false, "the coordinates of its texture differ from those of the normal map"
	case len(tints(m, on)) == 2 && glows(m):
		return false, "with a texture, vertex colours and emission it needs a seventh combiner"
	default:
		return true, ""
	}
	return false, ""
}

func units(m *Material, on Surface, s *Settings) [3]Unit {
	of := func(t model.Texture) Unit {
		return Unit{Image: t.Image, Sampler: t.Sampler, Metal: -1, Occlusion: -1}
	}
	normal := of(model.NoTexture)
	if on.Lit && m.Normal.Image >= 0 {
		normal = of(m.Normal)
		if normal.Normals = [3]float32{m.NormalScale, m.NormalScale, 1}; on.LeftHanded {
			normal.Normals[1] *= -1
		}
	}
	if s.Masked {
		if m.Normal.Image < 0 {
			normal = of(m.MetalMap)
		}
		normal.Metal, normal.Factor = m.MetalMap.Image, m.Metallic
	}
	list := [3]Unit{of(m.Base), normal, of(m.EmissiveMap)}
	if s.Occluded {
		u := &list[m.occlusion]
		if u.Image < 0 {
			*u = of(m.OcclusionMap)
		}
		u.Occlusion, u.Strength = m.OcclusionMap.Image, m.Material.Occlusion
	}
	return list
}

const numStages = 6 // of the combiner

type sources = [3]pica.Source

var (
	previous  = sources{pica.SourcePrevious, pica.SourcePrevious, pica.SourcePrevious}
	constants = sources{pica.SourceConstant, pica.SourceConstant, pica.SourceConstant}
	keep      = Channel{pica.CombineReplace, previous}
)

// with is a channel that combines the previous stage with another source.
func with(c pica.Combine, second pica.Source) Channel {
	return Channel{c, sources{pica.SourcePrevious, second, pica.SourcePrevious}}
}

// add appends a stage. Without an alpha channel it keeps alpha.
func (s *Settings) add(st Stage) {
	if st.Alpha == (Channel{}) {
		st.Alpha = keep
	}
	s.Stages = append(s.Stages, st)
}

// tints returns the sources that the surface's colour is a product of, besides
// the base colour.
func tints(m *Material, on Surface) (list []pica.Source) {
	if m.Base.Image >= 0 {
		list = append(list, pica.SourceTexture0)
	}
	if on.Colors || on.Program {
		list = append(list, pica.SourcePrimaryColor)
	}
	return list
}

func (s *Settings) tint(m *Material, on Surface) {
	for _, source := range tints(m, on) {
		product := with(pica.CombineModulate, source)
		s.add(Stage{RGB: product, Alpha: product})
	}
}

// plainStages are those of a surface that is no metal.
func (s *Settings) plainStages(m *Material, on Surface) {
	if s.Occluded {
		s.lightStage(m, on)
		s.tint(m, on)
		s.add(Stage{RGB: with(pica.CombineAdd, pica.SourceFragmentSecondary)})
		return
	}
	factor := m.BaseColor
	if on.Lit {
		factor = mgl32.Vec4{1, 1, 1, factor[3]} // the rest is part of the diffuse colour
	}
	colours := tints(m, on)
	first := Channel{pica.CombineReplace, constants}
	if len(colours) > 0 {
		first.Combine = pica.CombineModulate
		copy(first.Sources[:], colours)
	}
	s.add(Stage{RGB: first, Alpha: first, Constant: factor})
	if len(colours) == 2 && factor != (mgl32.Vec4{1, 1, 1, 1}) {
		product := with(pica.CombineModulate, pica.SourceConstant)
		s.add(Stage{RGB: product, Alpha: product, Constant: factor})
	}
	if on.Lit {
		s.add(Stage{RGB: with(pica.CombineModulate, pica.SourceFragmentPrimary)})
		s.add(Stage{RGB: with(pica.CombineAdd, pica.SourceFragmentSecondary)})
	}
}

// ambient is a stage that adds ambient light to a source, as far as occlusion
// lets it in.
func (s *Settings) ambient(m *Material, on Surface, to pica.Source) Stage {
	unit, colour := pica.SourceTexture0+pica.Source(m.occlusion), diffuse(m)
	for k := range colour {
		colour[k] = float32(colour[k] * on.Ambient[k])
	}
	return Stage{RGB: Channel{pica.CombineMultAdd, sources{unit, pica.SourceConstant, to}}, Operands: [3]pica.OperandRGB{pica.OperandSrcAlpha},
		Constant: colour.Vec4(m.BaseColor[3])}
}

// lightStage is the first stage of an occluded surface: diffuse and ambient
// light, and the base colour's alpha.
func (s *Settings) lightStage(m *Material, on Surface) {
	st := s.ambient(m, on, pica.SourceFragmentPrimary)
	st.Alpha = Channel{pica.CombineReplace, constants}
	s.add(st)
}

// metalStages are those of a metal.
func (s *Settings) metalStages(m *Material, on Surface) {
	if s.Occluded {
		s.lightStage(m, on)
		s.add(Stage{RGB: with(pica.CombineAdd, pica.SourceFragmentSecondary)})
		s.tint(m, on)
		return
	}
	s.add(Stage{RGB: Channel{pica.CombineAdd, sources{pica.SourceFragmentPrimary, pica.SourceFragmentSecondary, pica.SourcePrevious}},
		Alpha: Channel{pica.CombineReplace, constants}, Constant: mgl32.Vec4{1, 1, 1, m.BaseColor[3]}})
	s.tint(m, on)
}

// maskedStages are those of a surface whose metalness varies.
func (s *Settings) maskedStages(m *Material, on Surface) {
	const light, highlight = pica.SourceFragmentPrimary, pica.SourceFragmentSecondary
	s.add(Stage{RGB: Channel{pica.CombineModulate, sources{highlight, pica.SourceConstant, pica.SourcePrevious}}, Operands: [3]pica.OperandRGB{pica.OperandSrcRed},
		Alpha: Channel{pica.CombineReplace, constants}, Constant: m.BaseColor})
	s.add(Stage{RGB: Channel{pica.CombineMultAdd, sources{light, pica.SourceConstant, pica.SourcePrevious}},
		Constant: mgl32.Vec4{metalKeeps, metalKeeps, metalKeeps, 0}})
	s.add(Stage{RGB: Channel{pica.CombineInterpolate, sources{pica.SourcePrevious, light, pica.SourceTexture1}}, Operands: [3]pica.OperandRGB{2: pica.OperandSrcBlue}})
	if s.Occluded {
		mean := *m
		mean.Metallic = m.metal.metallic
		s.add(s.ambient(&mean, on, pica.SourcePrevious))
	}
	s.tint(m, on)
	s.add(Stage{RGB: Channel{pica.CombineMultAdd, sources{highlight, pica.SourceTexture1, pica.SourcePrevious}},
		Operands: [3]pica.OperandRGB{pica.OperandSrcGreen, pica.OperandOneMinusSrcBlue}})
}

// Apply sets the uniforms, starting from the defaults.
func (s *Settings) Apply(u *dmp.State) error {
	var list []any
	set := func(loc dmp.Location, value any) { list = append(list, loc, value) }
	for i, unit := range s.Units {
		if unit.Image >= 0 {
			set(dmp.Texture0SamplerType.At(i), pica.Texture2D)
		}
	}
	if s.Units[2].Image >= 0 && !s.Several {
		set(dmp.Texture2Texcoord, pica.Texcoord2From1) // which all of the library's shaders write
	}
	set(dmp.LightingEnabled, s.Light != nil)
	for i := range numStages {
		st := Stage{RGB: keep, Alpha: keep}
		if i < len(s.Stages) {
			st = s.Stages[i]
		}
		set(dmp.TexEnvCombineRgb.At(i), st.RGB.Combine)
		set(dmp.TexEnvCombineAlpha.At(i), st.Alpha.Combine)
		set(dmp.TexEnvSrcRgb.At(i), st.RGB.Sources)
		set(dmp.TexEnvSrcAlpha.At(i), st.Alpha.Sources)
		set(dmp.TexEnvOperandRgb.At(i), st.Operands)
		set(dmp.TexEnvConstRgba.At(i), st.Constant)
	}
	if s.Cutoff != nil {
		set(dmp.FragOperationEnableAlphaTest, true)
		set(dmp.FragOperationAlphaTestFunc, pica.CompareGreaterEqual)
		set(dmp.FragOperationAlphaRefValue, *s.Cutoff)
	}
	if err := u.SetAll(list...); err != nil || s.Light == nil {
		return err
	}
	return s.Light.apply(u)
}
