package scenebuild

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/shading"
	"pica200/shaderunit/shaders"
)

// setState sets all state of the fixed functions for a draw, starting from the
// defaults, so that a draw does not depend on the ones before it. Each step
// overrides what the steps before it set.
func (d *drawing) setState(ctx context.Context, w *scene.Draw, part *model.Part, l *appearance) error {
	d.c.Uniforms.Reset()
	d.c.CullFace(l.cull)
	d.c.FlatShading(w.Flat != nil && *w.Flat)
	d.testsAndBlending(w, l.material)
	if err := d.c.Uniforms.SetAt(dmp.FragOperationMode, passModes[d.pass.Mode]); err != nil {
		return err
	}
	if err := d.lights(l.lit); err != nil {
		return err
	}
	settings, err := d.material(w, part, l)
	if err != nil {
		return err
	}
	if err := d.bindTextures(ctx, w, l.m, settings); err != nil {
		return err
	}
	if err := d.fixedUniforms(); err != nil {
		return err
	}
	d.stateNotes(w, l.lit, part.Normals != nil)
	return nil
}

// fixedUniforms sets the uniforms of the fixed functions that the scene gives.
func (d *drawing) fixedUniforms() error {
	for _, u := range d.uniforms() {
		if dmp.Is(u.Name) {
			if err := d.setUniform(u); err != nil {
				return err
			}
		}
	}
	return d.gradients()
}

var passModes = map[string]pica.FragmentMode{"color": pica.FragmentModeDefault, "gas": pica.FragmentModeGas, "shadow": pica.FragmentModeShadow}

// states are the settings of the scene, the pass, the draw and its part, in the
// order in which they override each other.
func (d *drawing) states() []*scene.State {
	list := []*scene.State{&d.Scene.State, &d.pass.State}
	for _, l := range d.styles {
		list = append(list, &l.State)
	}
	return list
}

func (d *drawing) uniforms() (list []*scene.Uniform) {
	for _, s := range d.states() {
		for i := range s.Uniforms {
			list = append(list, &s.Uniforms[i])
		}
	}
	return list
}

// testsAndBlending sets what decides whether and how a fragment is written:
// the draw's keys, or else what the material says.
func (d *drawing) testsAndBlending(w *scene.Draw, material *shading.Material) {
	blended, said := on(w.Material) && material.Alpha == model.Blend, w.Style
	if said.Depth == nil {
		said.Depth = &scene.DepthTest{Test: true, Func: "less", Write: !blended && d.pass.Mode == "color"}
	}
	if said.Blend == nil {
		b := scene.BlendPresets[map[bool]string{false: "off", true: "alpha"}[blended]]
		said.Blend = &b
	}
	said.Write = cmp.Or(said.Write, "rgba")
	d.c.StencilTest(false, pica.CompareAlways, 0, 0xFF)
	d.c.Scissor(0, 0, 0, 0)
	d.c.DepthRange(0, 1)
	d.tests(&said)
}

// tests sets what is said of tests and blending.
func (d *drawing) tests(w *scene.Style) {
	c := d.c
	if v := w.Depth; v != nil {
		f, _ := pica.CompareFuncs.Lookup(v.Func)
		c.DepthTest(v.Test, pica.CompareFunc(f))
		c.DepthMask(v.Write)
		if v.Range != nil {
			c.DepthRange(float32(v.Range[0]), float32(v.Range[1]))
		}
	}
	if w.Blend != nil {
		d.blend(w.Blend)
	}
	if v, ok := pica.LogicOps.Lookup(w.Logic); ok {
		c.LogicOp(pica.LogicOp(v))
	}
	if w.Stencil != nil {
		d.stencil(w.Stencil)
	}
	if w.Write != "" {
		has := func(ch string) bool { return strings.Contains(w.Write, ch) }
		c.ColorMask(has("r"), has("g"), has("b"), has("a"))
	}
	if w.Scissor != nil {
		s := scaled(*w.Scissor, d.larger[0], d.larger[1])
		c.Scissor(s[0], s[1], s[2], s[3])
	}
}

// material shows the model's material, if the draw and the pass do. It returns
// the settings, or nil.
func (d *drawing) material(w *scene.Draw, part *model.Part, l *appearance) (*shading.Settings, error) {
	if !on(w.Material) || d.pass.Mode != "color" {
		return nil, nil
	}
	s := shading.Of(l.material, shading.Surface{
		Colors: part.Colors != nil || w.Color != nil, Program: w.Program != "",
		Lit: l.lit, LeftHanded: l.leftHand, Unmasked: d.noMask(w), Ambient: d.ambient(w)})
	if l.lit && l.material.OcclusionMap.Image >= 0 && !s.Occluded {
		d.note(drawName(w) + ": the occlusion map is left out: no unit, combiner or light is left for it")
	}
	if s.Mean != "" {
		d.note(fmt.Sprintf("%s: metalness counts by its mean: %s", drawName(w), s.Mean))
	}
	u := d.c.Uniforms
	err := s.Apply(u)
	for i := range d.Scene.Lights {
		// In the mask, one highlight of each light is red, the other green.
		if err == nil && s.Masked {
			err = u.SetAt(dmp.LightSpecular1.At(i), u.Floats(dmp.LightSpecular0.At(i)))
		}
	}
	return s, err
}

// noMask returns why a material's metalness cannot vary over a draw, or "".
func (d *drawing) noMask(w *scene.Draw) string {
	if why := d.noChange(w); why != "" {
		return why
	}
	for i := range d.Scene.Lights {
		l := &d.Scene.Lights[i]
		own := l.Specular1 != nil || slices.ContainsFunc(l.Uniforms, func(u scene.Uniform) bool { return strings.HasPrefix(u.Name, "specular") })
		if v := l.Specular0.At(d.t); own || v != nil && (v[0] != v[1] || v[1] != v[2]) {
			return fmt.Sprintf("the highlight of light %d is not grey, or it has a second one", i)
		}
	}
	return ""
}

// ambient returns the ambient light, nil if it has to be part of the lights.
func (d *drawing) ambient(w *scene.Draw) *mgl32.Vec3 {
	lights := slices.ContainsFunc(d.Scene.Lights, func(l scene.Light) bool {
		return l.Ambient.Vec3(d.t, mgl64.Vec3{}) != mgl64.Vec3{} || slices.ContainsFunc(l.Uniforms, func(u scene.Uniform) bool { return u.Name == "ambient" })
	})
	if lights || d.noChange(w) != "" || len(w.Textures) > 2 && w.Textures[2] != nil {
		return nil
	}
	c := mgl.Narrow3(d.Scene.Ambient.Vec3(d.t, mgl64.Vec3{}))
	return &c
}

// noChange returns why the combiner and the lighting of a material are not
// changed for maps of metalness and occlusion, or "".
func (d *drawing) noChange(w *scene.Draw) string {
	if len(w.Textures) > 1 && w.Textures[1] != nil {
		return "unit 1, where it would be, has a texture of the draw"
	}
	for _, u := range d.uniforms() {
		loc, err := dmp.Locate(u.Name)
		if g := dmp.Uniforms[loc].Group; err == nil && (g == dmp.GroupTexEnv || g == dmp.GroupLightEnv || g == dmp.GroupMaterial || loc == dmp.Texture1SamplerType) {
			return "the scene sets " + u.Name
		}
	}
	return ""
}

func (d *drawing) blend(b *scene.Blend) {
	eq := func(s string) pica.BlendEquation { v, _ := pica.BlendEquations.Lookup(s); return pica.BlendEquation(v) }
	fa := func(s string) pica.BlendFactor { v, _ := pica.BlendFactors.Lookup(s); return pica.BlendFactor(v) }
	d.c.Blend(gl.BlendState{ColorEquation: eq(b.EquationRgb), AlphaEquation: eq(b.EquationAlpha),
		ColorSource: fa(b.SrcRgb), ColorDest: fa(b.DstRgb), AlphaSource: fa(b.SrcAlpha), AlphaDest: fa(b.DstAlpha)})
	d.c.BlendColor(float32(b.Color[0]), float32(b.Color[1]), float32(b.Color[2]), float32(b.Color[3]))
}

func (d *drawing) stencil(s *scene.Stencil) {
	f, _ := pica.CompareFuncs.Lookup(s.Func)
	op := func(n string) pica.StencilOp { v, _ := pica.StencilOps.Lookup(n); return pica.StencilOp(v) }
	d.c.StencilTest(true, pica.CompareFunc(f), uint8(s.Ref), uint8(s.Mask))
	d.c.StencilMask(uint8(s.Write))
	d.c.StencilOp(op(s.Fail), op(s.ZFail), op(s.ZPass))
}

// lights sets the scene's lights, in view space.
func (d *drawing) lights(on bool) error {
	u := d.c.Uniforms
	if err := u.SetAt(dmp.LightingEnabled, on); err != nil || !on {
		return err
	}
	if v := d.Scene.Ambient.At(d.t); v != nil {
		if err := u.SetAt(dmp.LightingAmbient, []float64{v[0], v[1], v[2], 1}); err != nil {
			return err
		}
	}
	for i := range d.Scene.Lights {
		l := &d.Scene.Lights[i]
		if err := d.light(i, l); err != nil {
			return l.Errorf("light %d: %v", i, err)
		}
		for k := range l.Uniforms {
			one := l.Uniforms[k]
			one.Name = dmp.LightName(i, one.Name)
			if err := d.setUniform(&one); err != nil {
				return err
			}
		}
	}
	return nil
}

// light sets the uniforms of light i, in view space.
func (d *drawing) light(i int, l *scene.Light) error {
	at := mgl64.Vec4{0, 0, 0, 1}
	if v := l.Position.At(d.t); v != nil {
		copy(at[:3], v)
	} else {
		copy(at[:3], l.Direction.At(d.t))
		at[3] = 0
	}
	u := d.c.Uniforms
	err := u.SetAll(dmp.LightEnabled.At(i), true, dmp.LightPosition.At(i), mgl.Apply(d.view.toView, at))
	for _, c := range []struct {
		id    dmp.Location
		curve *scene.Curve
		def   float64
	}{{dmp.LightAmbient, l.Ambient, 0}, {dmp.LightDiffuse, l.Diffuse, 1}, {dmp.LightSpecular0, l.Specular0, 1}, {dmp.LightSpecular1, l.Specular1, 0}} {
		v := c.curve.At(d.t)
		if v == nil {
			v = []float64{c.def, c.def, c.def}
		}
		if err == nil {
			err = u.SetAt(c.id.At(i), v[0], v[1], v[2], 1)
		}
	}
	v := l.Spot.At(d.t)
	if v == nil || err != nil {
		return err
	}
	s := mgl.Unit(mgl.Direction(d.view.toView, mgl64.Vec3(v)))
	if s == (mgl64.Vec3{}) {
		return fmt.Errorf("spot is %v, which is not a direction", v)
	}
	// The hardware computes the cosine of the spot's angle directly from it.
	return u.SetAll(dmp.LightSpotDirection.At(i), s, dmp.LightSpotEnabled.At(i), true)
}

// setUniform sets a dmp_* uniform to its value at the drawing's time.
func (d *drawing) setUniform(u *scene.Uniform) error {
	loc, err := dmp.Locate(u.Name)
	if err != nil {
		return u.Errorf("%v", err)
	}
	if dmp.Uniforms[loc].Type == dmp.Sampler1D {
		return d.setTable(u, loc)
	}
	values := u.Values
	if u.Curve != nil {
		for _, v := range u.Curve.At(d.t) {
			values = append(values, v)
		}
	}
	if err := d.c.Uniforms.SetAt(loc, values...); err != nil {
		return u.Value.Errorf("%v", err)
	}
	return nil
}

// setTable gives a sampler the table that the scene names.
func (d *drawing) setTable(u *scene.Uniform, loc dmp.Location) error {
	name, ok := "", len(u.Values) == 1
	if ok {
		name, ok = u.Values[0].(string)
	}
	if !ok {
		return u.Value.Errorf("%s takes the name of a table", u.Name)
	}
	var names []string
	for i := range d.Scene.Tables {
		t := &d.Scene.Tables[i]
		names = append(names, t.Name)
		if t.Name != name {
			continue
		}
		data := d.table(t, &dmp.Uniforms[loc])
		if err := d.c.Uniforms.SetTableAt(loc, data); err != nil {
			return t.Errorf("table %s: %v", name, err)
		}
		return nil
	}
	return u.Value.Errorf("the scene has no table %q; it has [%s]", name, strings.Join(names, " "))
}

func (d *drawing) table(t *scene.Table, sampler *dmp.Uniform) []float32 {
	if t.Fog != nil {
		return d.view.fog(t.Fog)
	}
	n := sampler.TableSize()
	if !t.Signed {
		n++ // the slope of the last entry needs one more
	}
	key := tableKey{t, n}
	v, ok := d.tables[key]
	if !ok {
		v = t.Make(n)
		d.tables[key] = v
	}
	return v
}

// tableKey is a table of the scene with a number of entries. Tables are
// computed once for a drawing, at most three times for each of the scene's
// tables.
type tableKey struct {
	table *scene.Table
	n     int
}

// shaderUniforms sets the library programs' uniforms, if this program has them, and the scene's.
func (d *drawing) shaderUniforms(prog *loadedProgram, p *gl.Program, toWorld mgl64.Mat4, palette []mgl32.Vec4) error {
	has := map[string]bool{}
	for _, n := range p.UniformNames() {
		has[n] = true
	}
	modelView := mgl.Mul(d.view.toView, toWorld)
	floats := func(name string, v []mgl32.Vec4) error {
		if !has[name] {
			return nil
		}
		return p.SetFloat(name, v...)
	}
	tw, th := d.pass.Target.Width, d.pass.Target.Height
	if v := d.pass.Target.Viewport; v != [4]int{} {
		tw, th = v[2], v[3]
	}
	fw, fh := float32(tw), float32(th)
	for _, u := range []struct {
		name string
		v    []mgl32.Vec4
	}{
		{"projection", mgl.Rows(d.view.projection, 4)}, {"modelView", mgl.Rows(modelView, 4)}, {"normalMatrix", mgl.Rows(normalMatrix(modelView), 3)},
		{"modelViewProjection", mgl.Rows(mgl.Mul(d.view.projection, modelView), 4)},
		{"textureMatrix", mgl.Rows(mgl64.Ident4(), 3)}, {"bones", palette},
		{shaders.PointViewport, []mgl32.Vec4{{1 / fw, 1 / fh, 0, 0}}},
		{shaders.LineViewport, []mgl32.Vec4{{fw, fh, 1 / fw, 1 / fh}}}, {shaders.LineWidth, []mgl32.Vec4{{1, 0, 0, 0}}},
	} {
		// If the program was analysed, a uniform of another size is something else.
		if err := floats(u.name, u.v); err != nil && prog.fit == nil {
			return err
		}
		for n := range has {
			// A uniform with a common name but another size than the matrix is something
			// else.
			if lib, ok := commonName(n); ok && lib == u.name && n != u.name {
				_ = p.SetFloat(n, u.v...)
			}
		}
	}
	if err := d.fitUniforms(p, prog.fit, toWorld, palette); err != nil {
		return err
	}
	for i, on := range [...]bool{true, d.bumps, d.several} {
		if name := [...]string{"fourBones", "tangents", "coordinates"}[i]; has[name] && (i == 0 || prog.scene.Library == "skinned") {
			if err := p.SetBool(name, on); err != nil {
				return err
			}
		}
	}
	return d.ownUniforms(p)
}

// ownUniforms sets the scene's uniforms of a program. Those that it does not have
// are for other programs of the scene, the pass or the draw; see unmet and unknown.
func (d *drawing) ownUniforms(p *gl.Program) error {
	for _, n := range p.UniformNames() {
		if d.names[n] = true; !slices.Contains(d.has, n) {
			d.has = append(d.has, n)
		}
	}
	for _, u := range d.uniforms() {
		if dmp.Is(u.Name) || !p.HasUniform(u.Name) {
			continue
		}
		d.met[u] = true
		if err := d.shaderUniform(p, u); err != nil {
			return u.Value.Errorf("%v", err)
		}
	}
	return nil
}

// unknown returns an error for a shader uniform of the draw that none of its
// programs has.
func (d *drawing) unknown() error {
	for l := range d.of.All() {
		for i := range l.Uniforms {
			if u := &l.Uniforms[i]; d.used[l] && !dmp.Is(u.Name) && !d.met[u] {
				return u.Errorf("the program has no uniform %q; it has [%s]%s", u.Name, strings.Join(d.has, " "), inputHint(u.Name))
			}
		}
	}
	return nil
}

// unmet returns an error for a shader uniform of the scene or of a pass that no
// program of its draws has.
func (d *drawing) unmet() error {
	if len(d.draws) == 0 {
		return nil
	}
	check := func(where string, list []scene.Uniform, draws int) error {
		for i := range list {
			if u := &list[i]; !dmp.Is(u.Name) && !d.met[u] && draws > 0 {
				return u.Errorf("no program that %s draws with has a uniform %q; there are [%s]%s", where, u.Name,
					strings.Join(slices.Sorted(maps.Keys(d.names)), " "), inputHint(u.Name))
			}
		}
		return nil
	}
	for i := range d.Scene.Passes {
		p := &d.Scene.Passes[i]
		if err := check("pass "+p.Name, p.Uniforms, len(p.Draws)); err != nil {
			return err
		}
	}
	return check("the scene", d.Scene.Uniforms, len(d.draws))
}

// inputHint explains how to set an input that was used as a uniform.
func inputHint(name string) string {
	if stream, ok := shaders.PointInputs[name]; ok {
		return fmt.Sprintf(" (%s is an input of point shaders, not a uniform: a mesh gives it as its %s)", name, stream)
	}
	return ""
}

// shaderUniform sets a uniform of the shader: bools, or numbers that fill
// consecutive registers. "textureMatrix" may be a matrix.
func (d *drawing) shaderUniform(p *gl.Program, u *scene.Uniform) error {
	var numbers []float64
	var bools []bool
	for _, v := range u.Values {
		switch x := v.(type) {
		case bool:
			bools = append(bools, x)
		case float64:
			numbers = append(numbers, x)
		default:
			return fmt.Errorf("uniform %s takes numbers, or true and false", u.Name)
		}
	}
	if u.Curve != nil {
		numbers = u.Curve.At(d.t)
	}
	if len(bools) > 0 {
		if len(numbers) > 0 {
			return fmt.Errorf("uniform %s mixes numbers with true and false", u.Name)
		}
		return p.SetBool(u.Name, bools...)
	}
	var regs []mgl32.Vec4
	var ints [][4]uint8
	whole := true
	for i, v := range numbers {
		if i%4 == 0 {
			regs, ints = append(regs, mgl32.Vec4{}), append(ints, [4]uint8{})
		}
		regs[i/4][i%4] = float32(v)
		ints[i/4][i%4] = uint8(int64(v))
		whole = whole && v == float64(uint8(int64(v)))
	}
	err := p.SetFloat(u.Name, regs...)
	if err != nil && whole && p.SetInt(u.Name, ints...) == nil {
		return nil
	}
	return err
}

// registers writes the raw registers of the scene, the pass and the draw.
func (d *drawing) registers() error {
	states := d.states()
	if d.change != nil {
		states = append(states, &scene.State{Registers: d.change(len(d.draws))})
	}
	for _, s := range states {
		for _, r := range s.Registers {
			if err := d.c.Override(pica.Reg(r.Reg), r.Mask, r.Value); err != nil {
				return r.Errorf("%v", err)
			}
		}
	}
	return nil
}

// screenOf returns the screen with the target's size.
func screenOf(w, h int) (pipeline.Screen, bool) {
	switch {
	case w == 240 && h == 400 || w == 480 && h == 800:
		return pipeline.ScreenTop, true
	case w == 240 && h == 320 || w == 480 && h == 640:
		return pipeline.ScreenBottom, true
	}
	return pipeline.ScreenTop, false
}
