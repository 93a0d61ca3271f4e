package sceneexport

import (
	"math"
	"slices"

	"pica200/frontend/dmp"
	"pica200/pica"
	"pica200/scene"
)

// describe makes the scene's draw for a draw of the trace. Registers that these
// keys do not express are found by drawing it; see verify.go.
func (r *recording) describe(d *draw, p *shaderPair, tables *tables) scene.Draw {
	regs := relevant(&d.regs)
	w := scene.Draw{Model: "meshes", Mesh: r.meshes.name(d.mesh), Style: scene.Style{Material: new(bool), Program: p.name, Primitive: "triangles"}}
	if len(p.stages) > 1 {
		w.Primitive = "geometry"
	}
	tests(&w.Style, regs)
	last := -1
	for i, name := range d.textures {
		if name != "" {
			last = i
		}
	}
	for i := range last + 1 {
		var name *string
		if d.textures[i] != "" {
			name = &d.textures[i]
		}
		w.Textures = append(w.Textures, name)
	}
	w.Uniforms = append(r.dmpUniforms(d), tables.uniforms(d, regs)...)
	w.Uniforms = append(w.Uniforms, p.uniforms(d)...)
	return w
}

// InEffect returns what a draw with these registers could say of culling, tests and blending.
func InEffect(regs *pica.Regs) (w scene.Style) {
	tests(&w, regs)
	return w
}

func tests(w *scene.Style, regs *pica.Regs) {
	w.Cull, _ = pica.CullModes.NameOf(pica.FacecullingMode.Get(regs))
	if w.Cull == "none3" {
		w.Cull = "none"
	}
	if flat := true; pica.FlatShading.Bool(regs) {
		w.Flat = &flat
	}
	w.Depth = &scene.DepthTest{Test: pica.DepthTestEnable.Bool(regs), Write: pica.DepthWriteEnable.Bool(regs)}
	w.Depth.Func, _ = pica.CompareFuncs.NameOf(pica.DepthTestFunc.Get(regs))
	if r := depthRange(regs); r != [2]float64{0, 1} {
		w.Depth.Range = &r
	}
	if pica.BlendMode(pica.ColorOperationBlend.Get(regs)) == pica.BlendModeBlend {
		w.Blend = blend(regs)
	} else {
		w.Logic, _ = pica.LogicOps.NameOf(pica.LogicOpFunc.Get(regs))
	}
	if pica.StencilTestEnable.Bool(regs) {
		w.Stencil = stencil(regs)
	}
	for _, c := range []struct {
		f    pica.Field
		name string
	}{{pica.ColorMaskR, "r"}, {pica.ColorMaskG, "g"}, {pica.ColorMaskB, "b"}, {pica.ColorMaskA, "a"}} {
		if c.f.Bool(regs) {
			w.Write += c.name
		}
	}
	switch w.Write {
	case "rgba":
		w.Write = "" // the default
	case "":
		w.Write = "-"
	}
	if pica.ScissorMode(pica.ScissortestMode.Get(regs)) == pica.ScissorInclude {
		x, y := int(pica.ScissortestX1.Get(regs)), int(pica.ScissortestY1.Get(regs))
		s := [4]int{x, y, int(pica.ScissortestX2.Get(regs)) - x + 1, int(pica.ScissortestY2.Get(regs)) - y + 1}
		if s[2] > 0 && s[3] > 0 {
			w.Scissor = &s
		}
	}
}

func blend(r *pica.Regs) *scene.Blend {
	eq := func(f pica.Field) string {
		switch pica.BlendEquation(f.Get(r)) {
		case pica.BlendSubtract:
			return "subtract"
		case pica.BlendReverseSubtract:
			return "reverse_subtract"
		case pica.BlendMin:
			return "min"
		case pica.BlendMax:
			return "max"
		}
		return "add" // 5 to 7 do the same
	}
	factor := func(f pica.Field) string { n, _ := pica.BlendFactors.NameOf(f.Get(r)); return n }
	b := &scene.Blend{EquationRgb: eq(pica.BlendRgbEquation), EquationAlpha: eq(pica.BlendAlphaEquation),
		SrcRgb: factor(pica.BlendRgbSource), DstRgb: factor(pica.BlendRgbDest), SrcAlpha: factor(pica.BlendAlphaSource), DstAlpha: factor(pica.BlendAlphaDest)}
	for _, name := range []*string{&b.SrcRgb, &b.DstRgb, &b.SrcAlpha, &b.DstAlpha} {
		if *name == "" {
			*name = "one" // a number without a name; its register is added
		}
	}
	for k, f := range []pica.Field{pica.BlendColorR, pica.BlendColorG, pica.BlendColorB, pica.BlendColorA} {
		b.Color[k] = float64(f.Float(r))
	}
	return b
}

func stencil(r *pica.Regs) *scene.Stencil {
	op := func(f pica.Field) string { n, _ := pica.StencilOps.NameOf(f.Get(r)); return n }
	s := &scene.Stencil{Ref: int(pica.StencilTestRef.Get(r)), Mask: int(pica.StencilTestMask.Get(r)), Write: int(pica.StencilTestWriteMask.Get(r)),
		Fail: op(pica.StencilOpFail), ZFail: op(pica.StencilOpZFail), ZPass: op(pica.StencilOpZPass)}
	s.Func, _ = pica.CompareFuncs.NameOf(pica.StencilTestFunc.Get(r))
	return s
}

// depthRange is the depths of the near and of the far plane. A w buffer whose
// range is a multiple of [0, 1] keeps that, with dmp_FragOperation.wScale.
func depthRange(r *pica.Regs) [2]float64 {
	scale, offset := float64(pica.DepthmapScale.Float(r)), float64(pica.DepthmapOffset.Float(r))
	near, far := offset-scale, offset
	w := pica.DepthMode(pica.DepthmapMode.Get(r)) == pica.DepthModeW
	if w && near == 0 || math.Abs(near) > scene.MaxDepth || math.Abs(far) > scene.MaxDepth || math.IsNaN(near) {
		return [2]float64{0, 1}
	}
	return [2]float64{near, far}
}

// dmpUniforms are the uniforms whose value is not the default.
func (r *recording) dmpUniforms(d *draw) (list []scene.Uniform) {
	regs := withDefaults(&d.regs)
	lit := lighting(&d.regs)
	depth := depthRange(&d.regs)
	s := dmp.Recover(regs, float32(depth[1]), float32(depth[0]), 0)
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		if u.Type == dmp.Sampler1D || u.ID == dmp.FragOperationMode || !lit && ofLighting(u) {
			continue
		}
		values := s.Floats(u.ID)
		if slices.Equal(values, u.Default[:len(values)]) || r.implied(d, u.ID, s) {
			continue
		}
		got, err := s.Get(u.Name)
		if err != nil {
			continue
		}
		one := scene.Uniform{Name: u.Name}
		for _, v := range got {
			switch x := v.(type) {
			case float32:
				one.Values = append(one.Values, float64(x)+0) // no -0
			case int32:
				one.Values = append(one.Values, float64(x))
			default:
				one.Values = append(one.Values, v)
			}
		}
		list = append(list, one)
	}
	return list
}

// implied reports whether binding the texture already sets the uniform to its
// value.
func (r *recording) implied(d *draw, id dmp.Location, s *dmp.State) bool {
	for i := range 3 {
		if d.textures[i] == "" || id != dmp.Texture0SamplerType.At(i) {
			continue
		}
		want := pica.Texture2D
		for _, t := range r.textures.list {
			if i == 0 && t.Name == d.textures[i] {
				switch {
				case len(t.Faces) > 0:
					want = pica.TextureCube
				case t.Shadow:
					want = pica.TextureShadow2D
				}
			}
		}
		return s.Has(id, want)
	}
	return false
}

// ofLighting reports whether only lighting reads a uniform.
func ofLighting(u *dmp.Uniform) bool {
	return u.Group >= dmp.GroupLighting && u.Group <= dmp.GroupLightEnv && u.ID != dmp.LightingEnabled
}
