package scene

import (
	"math"

	"pica200/internal/yamldoc"
)

func (p *parser) draws(n yamldoc.Node) []Draw {
	items := n.List()
	if len(items) > MaxDraws {
		items[MaxDraws].Errorf("more than %d draws", MaxDraws)
		return nil
	}
	var out []Draw
	for _, item := range items {
		out = append(out, p.draw(item))
	}
	return out
}

func (p *parser) draw(n yamldoc.Node) Draw {
	m := n.Keys("a draw", "name", "model", "mesh", "program", "textures", "at", "rotate", "scale", "spin", "matrix", "transform", "animation",
		"material", "lit", "color", "bump", "cull", "depth", "blend", "stencil", "write", "logic", "scissor", "primitive", "patches", "refine", "uniforms", "registers",
		"procedural_colors", "gas_colors")
	d := Draw{Place: Place{n}, Name: m["name"].Str(), Model: m["model"].Str(), Mesh: m["mesh"].Str(), Program: m["program"].Str(),
		At: p.curve(m["at"], 3), Rotate: p.curve(m["rotate"], 4), Matrix: p.curve(m["matrix"], 16), Color: p.curve(m["color"], 4),
		Animation: m["animation"].Str(), Material: m["material"].Bool(true), Bump: m["bump"].Bool(false)}
	if d.Model == "" {
		n.Errorf("the draw has no model")
	} else {
		p.refs = append(p.refs, reference{m["model"], "model", d.Model})
	}
	p.refer(m["program"], "program")
	textures := m["textures"].List()
	if len(textures) > 3 {
		textures[3].Errorf("a fourth texture; the PICA200 has three texture units besides the procedural one")
		textures = textures[:3]
	}
	for _, t := range textures {
		name := t.Str()
		if name == "" || name == "none" {
			d.Textures = append(d.Textures, nil)
			continue
		}
		d.Textures = append(d.Textures, &name)
		p.refs = append(p.refs, reference{t, "texture", name})
	}
	d.Scale = p.scale(m["scale"])
	if t := m["transform"]; t.Present() {
		d.Transform = p.transforms(t)
		for _, key := range TransformKinds {
			if m[key].Present() {
				m[key].Errorf("a draw has either a list transform, or %s; put it into the list", key)
			}
		}
	}
	if s := m["spin"]; s.Present() {
		if v := s.Floats(4); v != nil {
			d.Spin = &[4]float64{v[0], v[1], v[2], v[3]}
		}
	}
	if m["lit"].Present() {
		b := m["lit"].Bool(true)
		d.Lit = &b
	}
	d.Cull = m["cull"].Enum("cull mode", CullModes...)
	d.Primitive = m["primitive"].Enum("primitive", Primitives...)
	d.Patches = m["patches"].Enum("kind of patches", PatchKinds...)
	d.Refine = int(m["refine"].Int(0, 0, maxRefine))
	if r := m["refine"]; r.Present() && d.Patches != "loop" && d.Patches != "catmull_clark" {
		r.Errorf("refine goes with patches: loop or catmull_clark")
	}
	d.Logic = m["logic"].Enum("logic operation", LogicOps...)
	d.Depth = p.depth(m["depth"])
	d.Blend = p.blend(m["blend"])
	d.Stencil = p.stencil(m["stencil"])
	if w := m["write"]; w.Present() {
		d.Write = w.Str()
		for _, c := range d.Write {
			if c != 'r' && c != 'g' && c != 'b' && c != 'a' && d.Write != "-" {
				w.Errorf("write lists the channels that are written, of r, g, b and a, or is \"-\" for none; found %q", d.Write)
				break
			}
		}
	}
	if s := m["scissor"]; s.Present() {
		v := ints4(s, 0, MaxSize)
		d.Scissor = &v
	}
	d.State = p.state(m)
	return d
}

// scale is one factor, or three.
func (p *parser) scale(n yamldoc.Node) *Curve {
	switch {
	case n.IsNumber():
		return p.curve(n, 1)
	case n.IsList():
		return p.curve(n, 3)
	}
	c := p.curve(n, -1)
	if c != nil && len(c.Keys[0].V) != 1 && len(c.Keys[0].V) != 3 {
		n.Errorf("a scale has one factor or three, found %d", len(c.Keys[0].V))
		return nil
	}
	return c
}

// maxTransforms bounds a list of transforms.
const maxTransforms = 64

// transforms is a list of steps, each a mapping of one key.
func (p *parser) transforms(n yamldoc.Node) []Transform {
	items := n.List()
	if n.IsList() && (len(items) == 0 || len(items) > maxTransforms) {
		n.Errorf("a list of %d transforms; expected 1 to %d", len(items), maxTransforms)
		return nil
	}
	var out []Transform
	for _, item := range items {
		m := item.Keys("a transform", TransformKinds...)
		if len(m) != 1 {
			item.Errorf("a step of transform has exactly one of at, rotate, scale, spin and matrix, found %d", len(m))
			continue
		}
		for kind, v := range m {
			t := Transform{Place: Place{item}, Kind: kind}
			switch kind {
			case "at":
				t.Value = p.curve(v, 3)
			case "scale":
				t.Value = p.scale(v)
			case "matrix":
				t.Value = p.curve(v, 16)
			default:
				t.Value = p.curve(v, 4)
			}
			if kind == "spin" && t.Value != nil && len(t.Value.Keys) > 1 {
				v.Errorf("spin is four numbers: degrees a second and the axis; rotate takes a curve")
			}
			out = append(out, t)
		}
	}
	return out
}

func (p *parser) depth(n yamldoc.Node) *DepthTest {
	if !n.Present() {
		return nil
	}
	if n.IsBool() {
		on := n.Bool(true)
		return &DepthTest{on, "less", on}
	}
	m := n.Keys("a depth test", "test", "func", "write")
	d := &DepthTest{m["test"].Bool(true), "less", m["write"].Bool(true)}
	if m["func"].Present() {
		d.Func = m["func"].Enum("depth function", CompareFuncs...)
	}
	return d
}

func (p *parser) blend(n yamldoc.Node) *Blend {
	if !n.Present() {
		return nil
	}
	if n.IsText() {
		b := BlendPresets[n.Enum("blending", presetNames...)]
		return &b
	}
	m := n.Keys("blending", "equation", "equation_alpha", "src", "dst", "src_alpha", "dst_alpha", "color")
	b := BlendPresets["off"]
	pick := func(key string, names []string, to ...*string) {
		if m[key].Present() {
			v := m[key].Enum(key, names...)
			for _, t := range to {
				*t = v
			}
		}
	}
	pick("equation", BlendEquations, &b.EquationRgb, &b.EquationAlpha)
	pick("equation_alpha", BlendEquations, &b.EquationAlpha)
	pick("src", BlendFactors, &b.SrcRgb, &b.SrcAlpha)
	pick("dst", BlendFactors, &b.DstRgb, &b.DstAlpha)
	pick("src_alpha", BlendFactors, &b.SrcAlpha)
	pick("dst_alpha", BlendFactors, &b.DstAlpha)
	if m["color"].Present() {
		b.Color = rgba(m["color"])
	}
	return &b
}

func (p *parser) stencil(n yamldoc.Node) *Stencil {
	if !n.Present() {
		return nil
	}
	m := n.Keys("a stencil test", "func", "ref", "mask", "write", "fail", "zfail", "zpass")
	s := &Stencil{Func: "always", Ref: int(m["ref"].Int(0, 0, 255)), Mask: int(m["mask"].Int(255, 0, 255)), Write: int(m["write"].Int(255, 0, 255)),
		Fail: "keep", ZFail: "keep", ZPass: "keep"}
	if m["func"].Present() {
		s.Func = m["func"].Enum("stencil function", CompareFuncs...)
	}
	for k, to := range map[string]*string{"fail": &s.Fail, "zfail": &s.ZFail, "zpass": &s.ZPass} {
		if m[k].Present() {
			*to = m[k].Enum("stencil operation", StencilOps...)
		}
	}
	return s
}

// maxKeys bounds the keys of a curve.
const maxKeys = 4096

// curve is a number (if width is 1), a list of width numbers, or
// {keys: [[t, numbers...], ...], loop: true}. A negative width is any from 1 to
// 16, the same for all keys.
func (p *parser) curve(n yamldoc.Node, width int) *Curve {
	if !n.Present() {
		return nil
	}
	c := &Curve{Place: Place{n}}
	switch {
	case n.IsMap():
		m := n.Keys("a curve", "keys", "loop")
		c.Loop = m["loop"].Bool(false)
		items := m["keys"].List()
		if len(items) == 0 || len(items) > maxKeys {
			n.Errorf("a curve of %d keys; expected 1 to %d", len(items), maxKeys)
			return nil
		}
		for _, item := range items {
			v := item.Floats(-1)
			if width < 0 && len(v) > 1 && len(v) <= 17 {
				width = len(v) - 1
			}
			if len(v) != width+1 {
				item.Errorf("expected a time and %d numbers, found %d numbers", max(width, 1), len(v))
				return nil
			}
			if k := len(c.Keys); k > 0 && v[0] <= c.Keys[k-1].T {
				item.Errorf("times must ascend: %g after %g", v[0], c.Keys[k-1].T)
				return nil
			}
			c.Keys = append(c.Keys, Key{v[0], v[1:]})
		}
	case width == 1 || width < 0 && n.IsNumber():
		c.Keys = []Key{{0, []float64{n.Float(0, -math.MaxFloat32, math.MaxFloat32)}}}
	default:
		v := n.Floats(width)
		if v == nil {
			return nil
		}
		c.Keys = []Key{{0, v}}
	}
	return c
}

// rgba is three or four numbers from 0 to 1; alpha is 1 by default.
func rgba(n yamldoc.Node) [4]float64 {
	c := [4]float64{0, 0, 0, 1}
	items := n.List()
	if n.IsList() && len(items) != 3 && len(items) != 4 {
		n.Errorf("a colour has 3 or 4 numbers, found %d", len(items))
		return c
	}
	for i, item := range items {
		c[i] = item.Float(0, 0, 1)
	}
	return c
}

func ints4(n yamldoc.Node, lo, hi int64) (v [4]int) {
	items := n.List()
	if n.IsList() && len(items) != 4 {
		n.Errorf("expected a list of 4 numbers, found %d", len(items))
		return v
	}
	for i, item := range items {
		v[i] = int(item.Int(0, lo, hi))
	}
	return v
}

// references checks that names refer to something.
func (p *parser) references() {
	names := map[string][]string{}
	for i := range p.s.Models {
		names["model"] = append(names["model"], p.s.Models[i].Name)
	}
	for i := range p.s.Programs {
		names["program"] = append(names["program"], p.s.Programs[i].Name)
	}
	for i := range p.s.Textures {
		names["texture"] = append(names["texture"], p.s.Textures[i].Name)
	}
	for i := range p.s.Gradients {
		names["gradient"] = append(names["gradient"], p.s.Gradients[i].Name)
	}
	for _, r := range p.refs {
		found := false
		for _, n := range names[r.kind] {
			found = found || n == r.name
		}
		if r.kind == "target" {
			found = p.targets[r.name]
			names["target"] = keys(p.targets)
		}
		if !found {
			r.node.Unknown(r.kind, r.name, "the scene", names[r.kind])
		}
	}
}
