package scene

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/goccy/go-yaml"

	"pica200/frontend/dmp"
	"pica200/internal/schema"
	"pica200/internal/yamldoc"
	"pica200/pica"
)

var drawKind = schema.Object("a draw", func(d *Draw, f *schema.Fields) {
	schema.Key(f, "name", &d.Name, schema.Text, "name in messages and the viewer")
	schema.Key(f.Required("the draw has no model"), "model", &d.Model, schema.Ref("model", ""), "what is drawn")
	schema.Key(f, "mesh", &d.Mesh, schema.Text, "only this mesh of the model")
	d.Style.describe(f)
	schema.Key(f, "materials", &d.Materials, materials, "materials of the model that look otherwise")
	schema.Key(f, "meshes", &d.Meshes, schema.Named(meshKind, "part", func(p *MeshPart) *string { return &p.Name }), "meshes of the model that look otherwise; what a mesh says counts before what its materials say")
})

var (
	materialKind = schema.Object("a material of a draw", func(p *Part, f *schema.Fields) {
		f.Like("a draw", "show")
		p.Style.describe(f)
	})
	meshKind = schema.Object("a mesh of a draw", func(p *MeshPart, f *schema.Fields) {
		schema.Key(f, "materials", &p.Materials, materials, "materials that look otherwise on this mesh only")
		f.Like("a draw", "show")
		p.Style.describe(f)
	})
)

var materials = schema.Named(materialKind, "part", func(p *Part) *string { return &p.Name })

// describe declares the keys that draws and parts have.
func (l *Style) describe(f *schema.Fields) {
	yes := schema.Ptr(schema.Bool)
	schema.Key(f, "show", &l.Show, yes, "default: true")
	schema.Key(f, "program", &l.Program, schema.Ref("program", ""), "default: a fitting one of the library (textured, lit, lit_tangent, skinned, billboard)")
	schema.Key(f, "textures", &l.Textures, units, "for units 0, 1, 2; `none` skips one")
	placements := []**Curve{&l.At, &l.Rotate, &l.Scale, nil, &l.Matrix}
	for i, p := range placings {
		if placements[i] != nil {
			schema.Key(f, p.key, placements[i], p.kind, p.doc)
		} else {
			schema.Key(f, p.key, &l.Spin, spin, p.doc)
		}
	}
	schema.Key(f, "transform", &l.Transform, transforms, "a list of these five instead, multiplied in order")
	schema.Key(f, "animation", &l.Animation, schema.Text, "number or name, or `none`; default: the first")
	schema.Key(f, "material", &l.Material, yes, "applies the model's material; default: true")
	schema.Key(f, "lit", &l.Lit, yes, "fragment lighting; default: if there are lights")
	schema.Key(f, "color", &l.Color, curve(4), "instead of vertex colours, with alpha")
	schema.Key(f, "flat", &l.Flat, yes, "a triangle has the colour of its last vertex; default: false")
	schema.Key(f, "bump", &l.Bump, yes, "computes tangents for normal maps; default: false")
	schema.Key(f, "cull", &l.Cull, schema.Enum("cull mode", cullModes), "default: `back`, or the material's")
	schema.Key(f, "depth", &l.Depth, schema.Ptr(depthKind), "default: less, written")
	schema.Key(f, "blend", &l.Blend, schema.Ptr(blend), "default: off, or the material's")
	schema.Key(f, "stencil", &l.Stencil, schema.Ptr(stencilKind), "default: off")
	schema.Key(f, "write", &l.Write, channels, "written channels, such as `rgb`, or `-` for none; default: all")
	schema.Key(f, "logic", &l.Logic, schema.Enum("logic operation", logicOps), "instead of blending")
	schema.Key(f, "scissor", &l.Scissor, schema.Ptr(rectangle), "[x, y, width, height] in pixels")
	schema.Key(f, "primitive", &l.Primitive, schema.Enum("primitive", primitives), "default: that of the model")
	schema.Key(f, "patches", &l.Patches, schema.Enum("kind of patches", patchKinds), "index streams for geometry shaders: docs/GEOMETRY.md")
	schema.Key(f, "refine", &l.Refine, schema.Int[int](0, maxRefine), "subdivisions of the mesh beforehand, for `loop` and `catmull_clark`")
	l.State.describe(f)
	if !f.Reading() {
		return
	}
	for _, p := range placings {
		if n := f.Node(p.key); n.Present() && f.Has("transform") {
			n.Errorf("a draw has either a list transform, or %s; put it into the list", p.key)
		}
	}
	if f.Has("refine") && l.Patches != "loop" && l.Patches != "catmull_clark" {
		f.Node("refine").Errorf("refine goes with patches: loop or catmull_clark")
	}
}

// placings are the keys that transform a draw, which are also the steps of
// transforms.
var placings = []struct {
	key  string
	kind schema.Kind[*Curve]
	doc  string
}{
	{"at", curve(3), "translation"},
	{"rotate", curve(4), "degrees and axis"},
	{"scale", scale, "one factor or three"},
	{"spin", curve(4), "degrees per second and axis"},
	{"matrix", curve(16), "16 numbers row by row, applied before the others"},
}

// scale is one factor, or three.
var scale = func() schema.Kind[*Curve] {
	k := curve(0).Check(func(c *Curve) error {
		if n := len(c.Keys[0].V); n != 1 && n != 3 {
			return fmt.Errorf("a scale has one factor or three, found %d", n)
		}
		return nil
	})
	k.Words = "number, 3 numbers, or a curve"
	k.JSON = func(p *schema.Published) schema.JSON {
		return schema.JSON{"anyOf": []schema.JSON{curve(1).JSON(p), curve(3).JSON(p)}}
	}
	return k
}()

var spin = schema.Ptr(schema.Fixed[mgl64.Vec4](numbers(4)))

var transforms = schema.List(schema.Object("a transform", func(t *Transform, f *schema.Fields) {
	f.One(transformKinds...)
	for _, p := range placings {
		var c *Curve
		if t.Kind == p.key {
			c = t.Value
		}
		if schema.Key(f, p.key, &c, p.kind, p.doc); f.Has(p.key) {
			t.Kind, t.Value = p.key, c
		}
	}
	if t.Kind == "spin" && t.Value != nil && len(t.Value.Keys) > 1 {
		f.Node("spin").Errorf("spin is four numbers: degrees a second and the axis; rotate takes a curve")
	}
}), 1, maxTransforms, "transforms")

// units are the textures of a draw; nil is none.
var units = schema.Each(schema.List(schema.Ref("texture", "none"), 0, 3, "textures (the PICA200 has three texture units besides the procedural one)"), func(name string) *string {
	if name == "" || name == "none" {
		return nil
	}
	return &name
}, func(name *string) string {
	if name == nil {
		return "none"
	}
	return *name
})

var depthKind = schema.Object("a depth test", func(d *DepthTest, f *schema.Fields) {
	f.Short(yamldoc.Node.IsBool, "test", "write")
	f.Inline()
	schema.KeyOr(f.Always(), "test", &d.Test, schema.Bool, true, "")
	schema.KeyOr(f.Always(), "func", &d.Func, schema.Enum("depth function", compareFuncs), "less", "condition to pass")
	schema.KeyOr(f.Always(), "write", &d.Write, schema.Bool, true, "")
	schema.Key(f, "range", &d.Range, schema.Ptr(schema.Fixed[[2]float64](schema.List(schema.Number(-MaxDepth, MaxDepth), 2, 2, "depths (of the near and of the far plane)"))),
		"depths of the near and the far plane; default: [0, 1]")
})

// MaxDepth is the greatest depth that a range of depths has.
const MaxDepth = 1 << 20

// blend is a preset's name, or factors and equations.
var blend = schema.Either(yamldoc.Node.IsText,
	schema.Via(schema.Enum("blending", presetNames), func(name string) Blend { return BlendPresets[name] }, func(b Blend) string { return b.preset() }),
	schema.Object("blending", func(b *Blend, f *schema.Fields) {
		f.Inline()
		equation := func(key string, p *string, fallback, doc string) {
			schema.KeyOr(f, key, p, schema.Enum(key, blendEquations), fallback, doc)
		}
		factor := func(key string, p *string, fallback, doc string) {
			schema.KeyOr(f, key, p, schema.Enum(key, blendFactors), fallback, doc)
		}
		equation("equation", &b.EquationRgb, "add", "")
		equation("equation_alpha", &b.EquationAlpha, b.EquationRgb, "default: as `equation`")
		factor("src", &b.SrcRgb, "one", "")
		factor("dst", &b.DstRgb, "zero", "")
		factor("src_alpha", &b.SrcAlpha, b.SrcRgb, "default: as `src`")
		factor("dst_alpha", &b.DstAlpha, b.DstRgb, "default: as `dst`")
		schema.Key(f, "color", &b.Color, colour, "of constant factors")
	}), func(b Blend) bool { return b.preset() != "" })

// preset is the name of blending that has one.
func (b *Blend) preset() string {
	for _, name := range presetNames {
		if *b == BlendPresets[name] {
			return name
		}
	}
	return ""
}

var stencilKind = schema.Object("a stencil test", func(s *Stencil, f *schema.Fields) {
	f.Inline()
	bits := schema.Int[int](0, 255)
	op := schema.Enum("stencil operation", stencilOps)
	schema.KeyOr(f.Always(), "func", &s.Func, schema.Enum("stencil function", compareFuncs), "always", "condition to pass")
	schema.Key(f, "ref", &s.Ref, bits, "reference value")
	schema.KeyOr(f, "mask", &s.Mask, bits, 255, "bits to compare")
	schema.KeyOr(f, "write", &s.Write, bits, 255, "bits to write")
	schema.KeyOr(f, "fail", &s.Fail, op, "keep", "if the stencil test fails")
	schema.KeyOr(f, "zfail", &s.ZFail, op, "keep", "if the depth test fails")
	schema.KeyOr(f, "zpass", &s.ZPass, op, "keep", "if both pass")
})

var channels = schema.Text.Check(func(v string) error {
	if v != "-" && strings.Trim(v, "rgba") != "" {
		return fmt.Errorf("write lists the channels that are written, of r, g, b and a, or is \"-\" for none; found %q", v)
	}
	return nil
})

// register is an item of a list of register writes: one write, or several to
// one register.
type register struct {
	Register
	value *uint32
	data  []uint32
}

// raw is a value written to the file unchanged.
type raw string

var registerKind = schema.Object("a register write", func(r *register, f *schema.Fields) {
	word := schema.Int[uint32](0, 0xFFFFFFFF)
	word.Write = func(v uint32) any { return raw(fmt.Sprintf("0x%08X", v)) }
	f.Inline()
	f.One("value", "data")
	schema.Key(f.Required("the register write has no reg"), "reg", &r.Reg, registerName, "public name or number")
	schema.KeyOr(f, "mask", &r.Mask, schema.Int[uint8](1, 15), 15, "bit i enables byte i")
	schema.Key(f, "value", &r.value, schema.Ptr(word), "a word")
	schema.Key(f, "data", &r.data, schema.List(word, 1, math.MaxInt, "words"), "several words to this register, for tables")
})

var registerName = schema.Kind[uint16]{
	Words: "name, or 0 to 0x2FF",
	Read: func(_ *schema.Reader, n yamldoc.Node, v *uint16) {
		if !n.IsText() {
			*v = uint16(n.Int(0, 0, pica.NumRegs-1))
		} else if r, ok := pica.Lookup(n.Str()); ok {
			*v = uint16(r.Reg)
		} else {
			n.Unknown("register", n.Str(), "", registerNames())
		}
	},
	Write: func(v uint16) any {
		if r := pica.Registers[v%pica.NumRegs]; r.Known() {
			return r.Name
		}
		return raw(fmt.Sprintf("0x%03X", v))
	},
	JSON: func(*schema.Published) schema.JSON {
		return schema.JSON{"anyOf": []schema.JSON{{"type": "string"}, {"type": "integer", "minimum": 0, "maximum": pica.NumRegs - 1}}}
	},
}

func registerNames() (names []string) {
	for _, r := range pica.Registers {
		if r.Known() {
			names = append(names, r.Name)
		}
	}
	return names
}

var registers = schema.Via(schema.List(registerKind, 0, math.MaxInt, "register writes"), func(list []register) (out []Register) {
	for _, r := range list {
		if r.value != nil {
			r.data = []uint32{*r.value}
		}
		for _, v := range r.data {
			r.Register.Value = v
			out = append(out, r.Register)
		}
	}
	return out
}, func(list []Register) (out []register) {
	for _, r := range list {
		if n := len(out) - 1; n >= 0 && out[n].Reg == r.Reg && out[n].Mask == r.Mask {
			out[n].data = append(out[n].data, r.Value)
		} else {
			out = append(out, register{Register: r, data: []uint32{r.Value}})
		}
	}
	for i := range out {
		if r := &out[i]; len(r.data) == 1 {
			r.value, r.data = &r.data[0], nil
		}
	}
	return out
})

var (
	uniforms      = uniformsOf("uniforms", "")
	lightUniforms = uniformsOf("light_uniforms", dmp.LightName(0, ""))
)

// component is a bool, a number, or the name of a value or of a table.
var component = schema.Kind[any]{
	Read: func(_ *schema.Reader, n yamldoc.Node, v *any) {
		switch {
		case n.IsBool():
			*v = n.Bool(false)
		case n.IsNumber():
			*v = n.Float(0, -3.5e38, 3.5e38)
		case n.IsText():
			*v = n.Str()
		default:
			n.Errorf("expected a number, true, false or the name of a value")
		}
	},
	Write: func(v any) any {
		if x, ok := v.(float64); ok {
			return schema.Finite.Write(x)
		}
		return v
	},
	JSON: func(*schema.Published) schema.JSON {
		return schema.JSON{"type": []string{"number", "string", "boolean"}}
	},
}

// uniformsOf is a mapping of uniform names to values. The prefix of names of
// the fixed functions is left out.
func uniformsOf(name, prefix string) schema.Kind[[]Uniform] {
	number := schema.Via(component, func(v any) []any { return []any{v} }, func(v []any) any { return v[0] })
	values := schema.Either(yamldoc.Node.IsList, schema.List(component, 1, maxComponents, "components"), number, func(v []any) bool { return len(v) != 1 })
	curve, keys := curve(0), moving(0)
	return schema.Kind[[]Uniform]{
		Words: "names, each with numbers, names, or a curve",
		Read: func(r *schema.Reader, n yamldoc.Node, v *[]Uniform) {
			for _, f := range n.Fields() {
				u := Uniform{Location: Location{f.Pos}, Name: f.Key, Value: Location{f.Value}}
				if f.Value.IsMap() {
					curve.Read(r, f.Value, &u.Curve)
				} else {
					values.Read(r, f.Value, &u.Values)
				}
				*v = append(*v, u)
			}
		},
		Write: func(v []Uniform) any {
			if len(v) == 0 {
				return nil
			}
			var out yaml.MapSlice
			for i := range v {
				item := yaml.MapItem{Key: v[i].Name}
				if c := v[i].Curve; c != nil { // with its keys, which tell it from numbers
					item.Value = keys.Write(*c)
				} else {
					item.Value = values.Write(v[i].Values)
				}
				out = append(out, item)
			}
			return out
		},
		JSON: func(p *schema.Published) schema.JSON {
			return p.Def(name, func() schema.JSON { return uniformsJSON(p, prefix, curve) })
		},
	}
}

// uniformsJSON is the JSON schema of uniforms, with names, values and notes of the fixed functions' uniforms.
func uniformsJSON(p *schema.Published, prefix string, curve schema.Kind[*Curve]) schema.JSON {
	one := component.JSON(p)
	value := func(one schema.JSON) schema.JSON {
		return schema.JSON{"anyOf": []schema.JSON{one, {"type": "array", "items": one, "minItems": 1, "maxItems": maxComponents}, curve.JSON(p)}}
	}
	props, names := schema.JSON{}, []string{}
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		name, ok := strings.CutPrefix(u.Name, prefix)
		if !ok {
			continue
		}
		values := []schema.JSON{{"type": "number"}}
		switch {
		case u.Type == dmp.Bool:
			values = append(values, schema.JSON{"type": "boolean"})
		case u.Type == dmp.Sampler1D:
			values = []schema.JSON{{"type": "string"}}
		case u.Symbols != nil:
			var known []string
			for _, s := range u.Symbols {
				if known = append(known, s.Name); s.GL != "" {
					known = append(known, s.GL)
				}
			}
			values = append(values, schema.JSON{"enum": known})
		}
		def := "values of " + u.Values()
		if u.Type == dmp.Sampler1D {
			def = "a table"
		}
		j := p.Def(def, func() schema.JSON { return value(schema.JSON{"anyOf": values}) })
		if j = maps.Clone(j); u.Doc != "" {
			j["description"] = u.Doc
		}
		props[name] = j
		names = append(names, name)
	}
	out := schema.JSON{"type": []string{"object", "null"}, "properties": props, "additionalProperties": p.Def("value", func() schema.JSON { return value(one) })}
	if prefix != "" {
		out["additionalProperties"] = false
	} else {
		out["propertyNames"] = schema.JSON{"anyOf": []schema.JSON{{"enum": slices.Sorted(slices.Values(names))}, {"not": schema.JSON{"pattern": "^dmp_"}}, {"pattern": `^dmp_(Point|Line)\.`}}}
	}
	return out
}
