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
)

// setState sets all state of the fixed functions for a draw, starting from the
// defaults, so that a draw does not depend on the ones before it.
func (d *drawing) setState(ctx context.Context, w *scene.Draw, m *model.Model, part *model.Part, material *model.Material, lit bool) error {
	c := d.c
	c.Uniforms.Reset()
	cull := pica.CullBack
	if w.Material && material.DoubleSided {
		cull = pica.CullNone
	}
	if v, ok := pica.CullModes.Lookup(w.Cull); ok {
		cull = pica.CullMode(v)
	}
	c.CullFace(cull)
	depth := scene.DepthTest{Test: true, Func: "less", Write: true}
	if w.Material && material.Alpha == model.Blend {
		depth.Write = false
	}
	if d.pass.Mode != "color" {
		depth.Write = false
	}
	if w.Depth != nil {
		depth = *w.Depth
	}
	f, _ := pica.CompareFuncs.Lookup(depth.Func)
	c.DepthTest(depth.Test, pica.CompareFunc(f))
	c.DepthMask(depth.Write)
	d.blend(w, material)
	d.stencil(w)
	write := w.Write
	if write == "" {
		write = "rgba"
	}
	has := func(ch string) bool { return strings.Contains(write, ch) }
	c.ColorMask(has("r"), has("g"), has("b"), has("a"))
	if s := w.Scissor; s != nil {
		c.Scissor(s[0], s[1], s[2], s[3])
	} else {
		c.Scissor(0, 0, 0, 0)
	}
	if err := c.Uniforms.Set("dmp_FragOperation.mode", map[string]string{"color": "default", "gas": "gas", "shadow": "shadow"}[d.pass.Mode]); err != nil {
		return err
	}
	if err := d.lights(lit); err != nil {
		return err
	}
	var settings model.Settings
	if w.Material && d.pass.Mode == "color" {
		// A program set by the scene may compute colours; otherwise they are white.
		colors := part.Colors != nil || w.Color != nil || w.Program != ""
		unmasked := d.noMask(w)
		settings = material.Settings(colors, lit, unmasked == "")
		if lit && material.Mixed() && !material.Unlit && settings.Metal < 0 {
			d.note(fmt.Sprintf("%s: metalness counts by its mean: %s", drawName(w), cmp.Or(unmasked, "with a texture, vertex colours and emission it needs a seventh combiner")))
		}
		for _, u := range settings.Uniforms {
			if err := c.Uniforms.Set(u.Name, u.Value); err != nil {
				return err
			}
		}
		for i, shininess := range settings.Shininess {
			if shininess == 0 {
				continue
			}
			power := scene.Table{Power: shininess}
			table := power.Make(257)
			if i == 0 {
				settings.Surroundings(table)
			}
			if err := c.Uniforms.SetTable(fmt.Sprintf("dmp_FragmentMaterial.samplerD%d", i), table); err != nil {
				return err
			}
		}
		for i := range d.Scene.Lights {
			// In the mask, one highlight of each light is red, the other green.
			if p := fmt.Sprintf("dmp_FragmentLightSource[%d].specular", i); settings.Metal >= 0 {
				v, err := c.Uniforms.Get(p + "0")
				if err == nil {
					err = c.Uniforms.Set(p+"1", v...)
				}
				if err != nil {
					return err
				}
			}
		}
	}
	if err := d.bindTextures(ctx, w, m, settings); err != nil {
		return err
	}
	for _, list := range [][]scene.Uniform{d.Scene.Uniforms, d.pass.Uniforms, w.Uniforms} {
		for i := range list {
			if isDmp(list[i].Name) {
				if err := d.setUniform(&list[i]); err != nil {
					return err
				}
			}
		}
	}
	if err := d.gradients(w); err != nil {
		return err
	}
	d.stateNotes(w, lit, part.Normals != nil)
	return nil
}

// noMask returns why a material's metalness cannot vary over a draw, or "".
func (d *drawing) noMask(w *scene.Draw) string {
	if len(w.Textures) > 1 && w.Textures[1] != nil {
		return "unit 1, where it would be, has a texture of the draw"
	}
	for i := range d.Scene.Lights {
		l := &d.Scene.Lights[i]
		own := l.Specular1 != nil || slices.ContainsFunc(l.Uniforms, func(u scene.Uniform) bool { return strings.HasPrefix(u.Name, "specular") })
		if v := l.Specular0.At(d.t); own || v != nil && (v[0] != v[1] || v[1] != v[2]) {
			return fmt.Sprintf("the highlight of light %d is not grey, or it has a second one", i)
		}
	}
	for _, list := range [][]scene.Uniform{d.Scene.Uniforms, d.pass.Uniforms, w.Uniforms} {
		for i := range list {
			for _, p := range []string{"dmp_TexEnv[", "dmp_LightEnv.", "dmp_FragmentMaterial.", "dmp_Texture[1]"} {
				if strings.HasPrefix(list[i].Name, p) {
					return "the scene sets " + list[i].Name
				}
			}
		}
	}
	return ""
}

// isDmp reports whether a uniform is one of the fixed functions. The names
// dmp_Point and dmp_Line belong to geometry shaders.
func isDmp(name string) bool {
	return strings.HasPrefix(name, "dmp_") && !strings.HasPrefix(name, "dmp_Point.") && !strings.HasPrefix(name, "dmp_Line.")
}

func (d *drawing) blend(w *scene.Draw, m *model.Material) {
	b := scene.BlendPresets["off"]
	if w.Material && m.Alpha == model.Blend {
		b = scene.BlendPresets["alpha"]
	}
	if w.Blend != nil {
		b = *w.Blend
	}
	eq := func(s string) pica.BlendEquation { v, _ := pica.BlendEquations.Lookup(s); return pica.BlendEquation(v) }
	fa := func(s string) pica.BlendFactor { v, _ := pica.BlendFactors.Lookup(s); return pica.BlendFactor(v) }
	d.c.Blend(gl.BlendState{ColorEquation: eq(b.EquationRgb), AlphaEquation: eq(b.EquationAlpha),
		ColorSource: fa(b.SrcRgb), ColorDest: fa(b.DstRgb), AlphaSource: fa(b.SrcAlpha), AlphaDest: fa(b.DstAlpha)})
	d.c.BlendColor(float32(b.Color[0]), float32(b.Color[1]), float32(b.Color[2]), float32(b.Color[3]))
	if v, ok := pica.LogicOps.Lookup(w.Logic); ok {
		d.c.LogicOp(pica.LogicOp(v))
	}
}

func (d *drawing) stencil(w *scene.Draw) {
	if w.Stencil == nil {
		d.c.StencilTest(false, pica.CompareAlways, 0, 0xFF)
		return
	}
	s := w.Stencil
	f, _ := pica.CompareFuncs.Lookup(s.Func)
	op := func(n string) pica.StencilOp { v, _ := pica.StencilOps.Lookup(n); return pica.StencilOp(v) }
	d.c.StencilTest(true, pica.CompareFunc(f), uint8(s.Ref), uint8(s.Mask))
	d.c.StencilMask(uint8(s.Write))
	d.c.StencilOp(op(s.Fail), op(s.ZFail), op(s.ZPass))
}

// lights sets the scene's lights, in view space.
func (d *drawing) lights(on bool) error {
	u := d.c.Uniforms
	if err := u.Set("dmp_FragmentLighting.enabled", on); err != nil || !on {
		return err
	}
	if v := d.Scene.Ambient.At(d.t); v != nil {
		if err := u.Set("dmp_FragmentLighting.ambient", []float64{v[0], v[1], v[2], 1}); err != nil {
			return err
		}
	}
	for i := range d.Scene.Lights {
		l := &d.Scene.Lights[i]
		p := fmt.Sprintf("dmp_FragmentLightSource[%d].", i)
		values, err := d.light(l, p)
		if err == nil {
			err = u.SetAll(values...)
		}
		if err != nil {
			return l.Errorf("light %d: %v", i, err)
		}
		for k := range l.Uniforms {
			one := l.Uniforms[k]
			one.Name = p + one.Name
			if err := d.setUniform(&one); err != nil {
				return err
			}
		}
	}
	return nil
}

// light returns the names and values of the uniforms of a light, in view space;
// p is the prefix of the names.
func (d *drawing) light(l *scene.Light, p string) ([]any, error) {
	at := mgl64.Vec4{0, 0, 0, 1}
	if v := l.Position.At(d.t); v != nil {
		copy(at[:3], v)
	} else {
		copy(at[:3], l.Direction.At(d.t))
		at[3] = 0
	}
	values := []any{p + "enabled", true, p + "position", mgl.Apply(d.view.toView, at)}
	for _, c := range []struct {
		name  string
		curve *scene.Curve
		def   []float64
	}{{"ambient", l.Ambient, []float64{0, 0, 0}}, {"diffuse", l.Diffuse, []float64{1, 1, 1}},
		{"specular0", l.Specular0, []float64{1, 1, 1}}, {"specular1", l.Specular1, []float64{0, 0, 0}}} {
		v := c.curve.At(d.t)
		if v == nil {
			v = c.def
		}
		values = append(values, p+c.name, []float64{v[0], v[1], v[2], 1})
	}
	if v := l.Spot.At(d.t); v != nil {
		s := mgl.Unit(mgl.Direction(d.view.toView, mgl64.Vec3(v)))
		if s == (mgl64.Vec3{}) {
			return nil, fmt.Errorf("spot is %v, which is not a direction", v)
		}
		// The hardware computes the cosine of the spot's angle directly from it.
		values = append(values, p+"spotDirection", s, p+"spotEnabled", true)
	}
	return values, nil
}

// setUniform sets a dmp_* uniform to its value at the drawing's time.
func (d *drawing) setUniform(u *scene.Uniform) error {
	loc, err := dmp.Locate(u.Name)
	if err != nil {
		return u.Errorf("%v", err)
	}
	if dmp.Uniforms[loc].Type == dmp.Sampler1D {
		return d.setTable(u)
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

// setTable returns a sampler the table that the scene names.
func (d *drawing) setTable(u *scene.Uniform) error {
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
		data := d.table(t, u.Name)
		if err := d.c.Uniforms.SetTable(u.Name, data); err != nil {
			return t.Errorf("table %s: %v", name, err)
		}
		return nil
	}
	return u.Value.Errorf("the scene has no table %q; it has [%s]", name, strings.Join(names, " "))
}

func (d *drawing) table(t *scene.Table, sampler string) []float32 {
	if t.Fog != nil {
		return d.view.fog(t.Fog)
	}
	n := 256
	switch {
	case strings.HasPrefix(sampler, "dmp_Gas."):
		n = 8
	case strings.HasPrefix(sampler, "dmp_Fog."), strings.HasSuffix(sampler, "RgbMap"), strings.HasSuffix(sampler, "AlphaMap"), strings.HasSuffix(sampler, "NoiseMap"):
		n = 128
	}
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
func (d *drawing) shaderUniforms(w *scene.Draw, prog *program, p *gl.Program, toWorld mgl64.Mat4, palette []mgl32.Vec4) error {
	has := map[string]bool{}
	for _, n := range p.UniformNames() {
		has[n] = true
		d.names[n] = true
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
		{"dmp_Point.viewport", []mgl32.Vec4{{1 / fw, 1 / fh, 0, 0}}},
		{"dmp_Line.viewport", []mgl32.Vec4{{fw, fh, 1 / fw, 1 / fh}}}, {"dmp_Line.width", []mgl32.Vec4{{1, 0, 0, 0}}},
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
	if has["fourBones"] {
		if err := p.SetBool("fourBones", true); err != nil {
			return err
		}
	}
	for _, list := range [][]scene.Uniform{d.Scene.Uniforms, d.pass.Uniforms, w.Uniforms} {
		for i := range list {
			u := &list[i]
			if isDmp(u.Name) {
				continue
			}
			if !has[u.Name] && !p.HasUniform(u.Name) {
				if len(w.Uniforms) > 0 && &list[0] == &w.Uniforms[0] {
					return u.Errorf("the program has no uniform %q; it has [%s]%s", u.Name, strings.Join(p.UniformNames(), " "), inputHint(u.Name))
				}
				continue // set in draws of the scene or pass whose program has it, see unmet
			}
			d.met[u] = true
			if err := d.shaderUniform(p, u); err != nil {
				return u.Value.Errorf("%v", err)
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
			if u := &list[i]; !isDmp(u.Name) && !d.met[u] && draws > 0 {
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

// pointInputs are names of inputs that programs of the console list among their
// uniforms, because the table of a DVLE contains inputs too: the inputs of a
// point shader.
var pointInputs = map[string]string{"dmp_Point.Position": "position", "dmp_Point.PointSize": "size"}

// inputHint explains how to set an input that was used as a uniform.
func inputHint(name string) string {
	if stream, ok := pointInputs[name]; ok {
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
func (d *drawing) registers(w *scene.Draw) error {
	lists := [][]scene.Register{d.Scene.Registers, d.pass.Registers, w.Registers}
	if d.change != nil {
		lists = append(lists, d.change(len(d.draws)))
	}
	for _, list := range lists {
		for _, r := range list {
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
