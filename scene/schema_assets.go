package scene

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/vertices"
	"pica200/internal/schema"
	"pica200/internal/yamldoc"
)

var tableKind = schema.Object("a table", func(t *Table, f *schema.Fields) {
	factor := schema.Ptr(schema.Number(0, 1e6))
	f.One(tableKinds...)
	schema.Key(f, "signed", &t.Signed, schema.Bool, "the input `x` goes from -1 to 1 (the default of lighting) instead of 0 to 1")
	schema.Key(f, "values", &t.Values, schema.List(schema.Finite, 2, 512, "numbers"), "as the hardware takes them")
	schema.Key(f, "steps", &t.Steps, pairs, "constant from x on")
	schema.Key(f, "points", &t.Points, pairs, "linear between the points")
	schema.Key(f, "fog", &t.Fog, schema.Ptr(fogKind), "by distance along the view direction")
	schema.Key(f, "spot", &t.Spot, schema.Ptr(spotKind), "for samplerSP with `dmp_LightEnv.lutInputSP: sp`, whose input is the cosine of the angle")
	schema.Key(f, "fresnel", &t.Fresnel, schema.Ptr(fresnelKind), "Schlick's reflectance by the cosine of the viewing angle: f0 + (1 - f0)(1 - x)^power")
	schema.Key(f, "exp", &t.Exp, factor, "k: e^(-kx)")
	schema.Key(f, "exp2", &t.Exp2, factor, "k: e^(-(kx)²)")
	schema.Key(f, "toon", &t.Toon, schema.Ptr(toonKind), "equal steps")
	schema.Key(f, "formula", &t.Formula, schema.Text, "of x: numbers, `pi`, `+ - * /`, `^` for powers, brackets, and "+strings.Join(formulaNames(), ", "))
	if !f.Written(tableKinds...) {
		f.Always() // a table consists of it
	}
	schema.Key(f, "power", &t.Power, schema.Number(0, 1e6), "n: x^n, 0 for inputs below 0: highlights")
	if t.Formula != "" && f.Sound() {
		if err := t.checkFormula(); err != nil {
			f.Node("formula").Errorf("formula %q%v", clipped(t.Formula), err)
		}
	}
})

// tableKinds are the keys of a table; exactly one of them must be given.
var tableKinds = []string{"values", "power", "steps", "points", "fog", "spot", "fresnel", "exp", "exp2", "toon", "formula"}

// checkFormula checks that a formula has a finite value for all inputs of the
// table.
func (t *Table) checkFormula() error {
	f, err := parseFormula(t.Formula)
	if err != nil {
		return fmt.Errorf(", %w", err)
	}
	low := t.domain()
	for i := range 513 {
		x := low + float64(float64(i)*((1-low)/512))
		if v := float64(float32(f.at(x))); math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf(" is %v at x = %.4g; expected a finite number for x from %g to 1", v, x, low)
		}
	}
	return nil
}

// clipped is the beginning of a text, for messages.
func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// pairs is a list of [x, value] with x ascending.
var pairs = schema.Each(schema.Rows(schema.Finite, math.MaxInt, 2, 2, "x", "x, value"),
	func(row []float64) mgl64.Vec2 { return mgl64.Vec2(row) }, func(v mgl64.Vec2) []float64 { return v[:] })

var fogKind = schema.Object("fog", func(t *FogTable, f *schema.Fields) {
	if t.Exponent == 0 && f.Writing() {
		t.Exponent = 1
	}
	f.Inline()
	distance := schema.Number(0, 1e9)
	schema.Key(f, "density", &t.Density, schema.Number(0, 1e6), "e^(-(density z)^exponent)")
	schema.Key(f, "start", &t.Start, distance, "or linear from here, in scene units")
	schema.Key(f, "end", &t.End, distance, "to here")
	f.Needs("density", "exponent")
	schema.KeyOr(f, "exponent", &t.Exponent, schema.Number(1e-3, 100), 1, "1 is GL_EXP, 2 is GL_EXP2")
	if f.Sound() && t.Density == 0 && t.Start >= t.End {
		f.Errorf("fog needs a density, or a start less than its end")
	}
})

var spotKind = schema.Object("a spot", func(s *Spot, f *schema.Fields) {
	angle := schema.Number(0, 180)
	f.Inline()
	schema.Key(f, "inner", &s.Inner, angle, "degrees up to which it is 1")
	schema.KeyOr(f, "outer", &s.Outer, angle, 180, "degrees from which it is 0, smooth between")
	schema.Key(f, "exponent", &s.Exponent, schema.Number(0, 1e6), "times the cosine to this power")
	if s.Inner > s.Outer {
		f.Node("inner").Errorf("inner (%g) must not be more than outer (%g); both are degrees from the spot's direction", s.Inner, s.Outer)
	}
})

var fresnelKind = schema.Object("fresnel", func(t *Fresnel, f *schema.Fields) {
	f.Inline()
	schema.KeyOr(f, "f0", &t.F0, schema.Number(0, 1), 0.04, "reflectance at normal incidence")
	schema.KeyOr(f, "power", &t.Power, schema.Number(0, 1e6), 5, "")
})

var toonKind = schema.Object("toon", func(t *Toon, f *schema.Fields) {
	value := schema.Number(-1e6, 1e6)
	f.Short(yamldoc.Node.IsNumber, "steps")
	f.Inline()
	schema.KeyOr(f, "steps", &t.Steps, schema.Int[int](2, 64), 3, "number of steps")
	schema.Key(f, "low", &t.Low, value, "the first")
	schema.KeyOr(f, "high", &t.High, value, 1, "the last")
	schema.Key(f, "soft", &t.Soft, schema.Number(0, 1), "part of a step that rises")
})

var gradientKind = schema.Object("a gradient", func(g *Gradient, f *schema.Fields) {
	f.Short(yamldoc.Node.IsList, "stops")
	f.One("stops", "steps")
	var lists [2][]Stop
	i := 0
	if g.Hard {
		i = 1
	}
	lists[i] = g.Stops
	schema.Key(f, "stops", &lists[0], stops, "colours blend between stops")
	schema.Key(f, "steps", &lists[1], stops, "each colour holds up to the next stop")
	if f.Reading() {
		g.Hard = f.Has("steps")
		g.Stops = slices.Concat(lists[0], lists[1])
	}
})

// maxStops bounds the stops of a gradient: as many as the longest table has entries.
const maxStops = 256

var stops = schema.Each(schema.Rows(schema.Number(0, 1), maxStops, 4, 5, "places", "place, colour of 3 or 4 numbers"), func(row []float64) Stop {
	s := Stop{At: row[0], Color: mgl64.Vec4{3: 1}}
	copy(s.Color[:], row[1:])
	return s
}, func(s Stop) []float64 { return append([]float64{s.At}, s.Color[:]...) })

var textureKind = schema.Object("a texture", func(t *Texture, f *schema.Fields) {
	wrap := schema.Enum("wrap mode", wrapModes)
	modes := schema.Either(yamldoc.Node.IsText, schema.Via(wrap, func(v string) [2]string { return [2]string{v, v} }, nil),
		schema.Fixed[[2]string](schema.List(wrap, 2, 2, "wrap modes (s and t)")),
		func([2]string) bool { return false })
	modes.Words = wrap.Words + ", or two of them, for s and t"
	filter := func(key string) schema.Kind[string] { return schema.Enum(key, filters) }
	f.Short(yamldoc.Node.IsText, "file")
	f.One("file", "pattern", "faces", "levels", "raw", "from")
	f.OnRead(&t.Image)
	t.Image.describe(f)
	schema.Key(f, "faces", &t.Faces, schema.List(partKind, 6, 6, "faces (+x, -x, +y, -y, +z, -z)"), "of a cube")
	schema.Key(f, "levels", &t.Levels, schema.List(partKind, 1, 16, "levels"), "all levels, the largest first")
	schema.Key(f, "raw", &t.Raw, schema.Ptr(rawKind), "texels as in the console's memory, in tiles")
	schema.Key(f, "from", &t.From, schema.Ref("target", ""), "colour buffer of a pass")
	schema.Key(f, "format", &t.Format, schema.Enum("format", TextureFormats), "default: rgba8, or the format of a t3x file")
	schema.Key(f, "mipmaps", &t.Mipmaps, schema.Bool, "generates smaller levels")
	schema.KeyOr(f, "wrap", &t.Wrap, modes, [2]string{"repeat", "repeat"}, "")
	schema.KeyOr(f, "mag", &t.Mag, filter("mag"), "linear", "magnification filter")
	schema.KeyOr(f, "min", &t.Min, filter("min"), "linear", "minification filter")
	schema.Key(f, "mip", &t.Mip, filter("mip"), "filter between levels; with `mipmaps` default linear")
	schema.Key(f, "bias", &t.Bias, schema.Number(-16, 15.9961), "bias of the level of detail")
	schema.KeyOr(f, "max_lod", &t.MaxLod, schema.Int[int](-1, 15), -1, "last level used; -1: all")
	schema.Key(f, "border", &t.Border, colour, "of `clamp_to_border`")
	schema.Key(f, "shadow", &t.Shadow, schema.Bool, "is read with a depth comparison")
	if t.Mipmaps && t.Mip == "" {
		t.Mip = "linear"
	}
	if !f.Sound() {
		return
	}
	if t.Raw != nil && t.Format == "" {
		f.Node("raw").Errorf("raw texels have no format of their own; format says it, one of %s", strings.Join(TextureFormats, ", "))
	}
	if t.Mipmaps && (t.Raw != nil || t.Image.isT3X()) {
		f.Node("mipmaps").Errorf("mipmaps makes the levels of a picture; a t3x file and raw texels bring their own")
	}
})

// describe names the keys of a picture, in a texture or among its faces and levels.
func (im *Image) describe(f *schema.Fields) {
	schema.Key(f, "file", &im.File, schema.Text, "a picture (PNG, JPEG, BMP, GIF, TGA), or a .t3x of tex3ds with its format, levels and faces")
	schema.Group(f, "pattern", &im.Pattern, func(g *Pattern) {
		side := sides{g.Width, g.Height}
		schema.Key(f, "pattern", &g.Kind, schema.Enum("pattern", patterns), "a generated picture that tiles")
		schema.KeyOr(f, "size", &side, textureSides, sides{64, 64}, "of a pattern")
		g.Width, g.Height = side[0], side[1]
		schema.Key(f, "colors", &g.Colors, schema.List(colour, 0, MaxNames, "colours"), "of a pattern")
		schema.Key(f, "gradient", &g.Gradient, schema.Ref("gradient", ""), "of a pattern, instead of `colors`")
		schema.KeyOr(f, "scale", &g.Scale, schema.Number(0.01, 1024), 8, "repetitions of a pattern, or roughness of noise")
		schema.KeyOr(f, "seed", &g.Seed, schema.Int[int64](0, 1<<31), 1, "of random patterns")
		schema.KeyOr(f, "relief", &g.Depth, schema.Number(0, 100), 1, "depth of normal patterns")
		if g.Gradient == "" {
			return
		}
		switch n := f.Node("gradient"); {
		case len(g.Colors) > 0:
			n.Errorf("a pattern has either colors or a gradient")
		case g.Kind == "solid" || strings.HasSuffix(g.Kind, "_normals"):
			n.Errorf("the pattern %s has no colours to be taken from a gradient", g.Kind)
		}
	})
}

// partKind is a face or a level of a texture.
var partKind = schema.Object("an image", func(im *Image, f *schema.Fields) {
	f.Short(yamldoc.Node.IsText, "file")
	f.One("file", "pattern")
	if im.describe(f); im.isT3X() {
		f.Errorf("a t3x file is a whole texture with all its levels and faces, so it cannot be one of them")
	}
})

// sides are the width and the height of a texture.
type sides [2]int

var textureSides = func() schema.Kind[sides] {
	side := schema.Int[int](8, MaxSize)
	k := schema.Either(yamldoc.Node.IsNumber, schema.Via(side, func(v int) sides { return sides{v, v} }, nil),
		schema.Fixed[sides](schema.List(side, 2, 2, "numbers (width and height)")),
		func(sides) bool { return false }).Check(func(v sides) error {
		if v[0]&(v[0]-1) != 0 || v[1]&(v[1]-1) != 0 {
			return fmt.Errorf("%dx%d: the sides of a texture are powers of two from 8 to %d", v[0], v[1], MaxSize)
		}
		return nil
	})
	k.Words = fmt.Sprintf("power of two from 8 to %d, or [width, height]", MaxSize)
	return k
}()

var rawKind = schema.Object("raw texels", func(r *Raw, f *schema.Fields) {
	size := sides{r.Width, r.Height}
	schema.Key(f.Required("raw texels have no file"), "file", &r.File, schema.Text, "")
	schema.Key(f.Required("raw texels have no size"), "size", &size, textureSides, "of the largest level")
	r.Width, r.Height = size[0], size[1]
	schema.Key(f, "offset", &r.Offset, schema.Int[int64](0, maxImageFile), "bytes before the first texel")
	schema.KeyOr(f, "levels", &r.Levels, schema.Int[int](1, 8), 1, "the largest first")
	schema.Key(f, "cube", &r.Cube, schema.Bool, "six faces in sequence")
	if top := bits.Len(uint(min(r.Width, r.Height))) - 3; f.Sound() && r.Levels > top {
		f.Node("levels").Errorf("%d levels; a texture of %dx%d has at most %d, the smallest with sides of 8 or more", r.Levels, r.Width, r.Height, top)
	}
})

var modelKind = schema.Object("a model", func(m *Model, f *schema.Fields) {
	f.Short(yamldoc.Node.IsText, "file")
	f.One("file", "shape", "vertices")
	schema.Key(f, "file", &m.File, schema.Text, "glTF (.gltf, .glb), OBJ, CGFX or BCH")
	schema.Group(f, "shape", &m.Shape, func(s *Shape) {
		detail := schema.Int[int](1, 256)
		schema.Key(f, "shape", &s.Kind, schema.Enum("shape", shapes), "a generated mesh")
		schema.Key(f, "size", &s.Size, oneOrMore(schema.Number(1e-6, 1e6), schema.Number(0, 1e6), "sizes"), "of a shape, in scene units: sides, or radii and height")
		schema.Key(f, "detail", &s.Detail, oneOrMore(detail, detail, "numbers"), "subdivisions of a shape")
		schema.KeyOr(f, "count", &s.Count, schema.Int[int](1, 10000), 100, "of points")
		schema.KeyOr(f, "seed", &s.Seed, schema.Int[int64](0, 1<<31), 1, "of points and terrain")
		schema.KeyOr(f, "color", &s.Color, colour, mgl64.Vec4{1, 1, 1, 1}, "of a shape's vertices")
		schema.Key(f, "spread", &s.Spread, numbers(3), "size of the box around points")
	})
	schema.Group(f, "vertices", &m.Vertices, func(v *Vertices) {
		schema.Key(f, "vertices", v, verticesKind, "a mesh from a list of vertices")
		schema.Key(f, "indices", &v.Indices, schema.Ptr(indices), "vertices of the primitives")
		schema.Key(f, "normals", &v.Normals, schema.Enum("way of making normals", normalKinds), "computes missing normals")
	})
	f.Needs("vertices", "indices", "normals")
})

// oneOrMore is a number, or a list of numbers.
func oneOrMore[T any](one, each schema.Kind[T], items string) schema.Kind[[]T] {
	e := schema.Either(yamldoc.Node.IsNumber, schema.Via(one, func(v T) []T { return []T{v} }, nil),
		schema.List(each, 0, 16, items), func([]T) bool { return false })
	e.Words = "one or more of " + one.Words
	return e
}

var verticesKind = schema.Object("a list of vertices", func(v *Vertices, f *schema.Fields) {
	short := f.Short(yamldoc.Node.IsText, "file")
	schema.Key(f.Required("a list of vertices has a file"), "file", &v.File, schema.Text, "CSV, JSON, or bytes")
	schema.Key(f, "format", &v.Format, schema.Enum("format", vertices.Formats), "default: by file name")
	schema.Key(f, "layout", &v.Layout.Elements, schema.List(elementKind, 0, vertices.MaxElements, "elements"), "parts of a vertex")
	schema.Key(f, "offset", &v.Layout.Offset, schema.Int[int64](0, vertices.MaxBytes), "bytes before the first vertex")
	schema.Key(f, "stride", &v.Layout.Stride, schema.Int[int](1, vertices.MaxStride), "bytes from one vertex to the next")
	schema.Key(f, "count", &v.Layout.Count, schema.Int[int](1, vertices.MaxVertices), "default: all")
	if !f.Sound() || short {
		return
	}
	form := format(v.Format, v.File)
	for _, key := range []string{"offset", "stride"} {
		if form != vertices.Binary && f.Has(key) {
			f.Node(key).Errorf("%s is for bytes, and the file is %s", key, form)
		}
	}
	if form == vertices.Binary && len(v.Layout.Elements) == 0 {
		f.Errorf("a binary file needs a layout, which lists the contents of a vertex")
	} else if err := v.Layout.Check(); err != nil {
		f.Node("layout").Errorf("%v", err)
	}
})

var elementKind = schema.Object("an element of a layout", func(e *vertices.Element, f *schema.Fields) {
	f.Short(yamldoc.Node.IsText, "stream")
	f.Inline()
	f.One("stream", "skip")
	skip := 0
	if e.Stream == "" {
		skip, *e = e.Size, vertices.Element{Scale: 1}
	}
	schema.Key(f, "stream", &e.Stream, schema.Enum("stream", vertices.Streams), "")
	schema.Key(f, "type", &e.Type, schema.Enum("type", vertices.Types), "of bytes, little endian; default: float")
	schema.Key(f, "size", &e.Size, schema.Int[int](1, 4), "components; default: 3 for positions and normals, 2 for coordinates and sizes, else 4")
	schema.KeyOr(f, "scale", &e.Scale, schema.Number(-1e30, 1e30).Check(func(v float64) error {
		if v == 0 {
			return errors.New("the scale must not be 0")
		}
		return nil
	}), 1, "factor")
	if schema.Key(f, "skip", &skip, schema.Int[int](1, vertices.MaxStride), "bytes or columns to skip"); skip != 0 {
		*e = vertices.Element{Size: skip}
	}
})

// indices are a list of numbers, a file's name, or a mapping.
var indices = schema.Either(yamldoc.Node.IsList,
	schema.Via(schema.List(schema.Int[uint32](0, vertices.MaxVertices-1), 1, vertices.MaxIndices, "indices"), func(v []uint32) Indices { return Indices{List: v} }, func(i Indices) []uint32 { return i.List }),
	schema.Object("a list of indices", func(i *Indices, f *schema.Fields) {
		f.Short(yamldoc.Node.IsText, "file")
		schema.Key(f.Required("a list of indices has a file, or is a list of numbers"), "file", &i.File, schema.Text, "CSV, JSON, or bytes")
		schema.Key(f, "format", &i.Format, schema.Enum("format", vertices.Formats), "default: by file name")
		schema.Key(f, "type", &i.Type, schema.Enum("type of indices", []string{"ubyte", "ushort", "uint"}), "of bytes; default: ushort")
		schema.Key(f, "offset", &i.Offset, schema.Int[int64](0, vertices.MaxBytes), "bytes before the first index")
		schema.Key(f, "count", &i.Count, schema.Int[int](1, vertices.MaxIndices), "default: all")
	}), func(i Indices) bool { return i.List != nil })
