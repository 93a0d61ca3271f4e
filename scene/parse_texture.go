package scene

import (
	"math/bits"
	"strings"

	"pica200/internal/yamldoc"
)

var textureKeys = []string{"file", "pattern", "size", "colors", "gradient", "scale", "seed", "relief", "faces", "levels", "from", "raw", "format",
	"mipmaps", "wrap", "mag", "min", "mip", "bias", "max_lod", "border", "shadow"}

func (p *parser) texture(f yamldoc.Field) Texture {
	t := Texture{Place: Place{f.Pos}, Name: f.Key, Wrap: [2]string{"repeat", "repeat"}, Mag: "linear", Min: "linear", MaxLod: -1}
	if f.Value.IsText() {
		t.Image = Image{Place: Place{f.Value}, File: f.Value.Str()}
		return t
	}
	m := f.Value.Keys("a texture", textureKeys...)
	t.Image = p.image(f.Value, m)
	for _, n := range m["faces"].List() {
		t.Faces = append(t.Faces, p.subImage(n))
	}
	if m["faces"].Present() && len(t.Faces) != 6 {
		m["faces"].Errorf("a cube has 6 faces (+x, -x, +y, -y, +z, -z), found %d", len(t.Faces))
	}
	for _, n := range m["levels"].List() {
		t.Levels = append(t.Levels, p.subImage(n))
	}
	t.From = m["from"].Str()
	if t.From != "" {
		p.refs = append(p.refs, reference{m["from"], "target", t.From})
	}
	t.Raw = rawTexture(m["raw"])
	if t.Raw != nil && !m["format"].Present() {
		m["raw"].Errorf("raw texels have no format of their own; format says it, one of %s", strings.Join(TextureFormats, ", "))
	}
	given := 0
	for _, b := range []bool{t.Raw != nil, t.Image.File != "" || t.Image.Pattern != nil, len(t.Faces) > 0, len(t.Levels) > 0, t.From != ""} {
		if b {
			given++
		}
	}
	if given != 1 {
		f.Pos.Errorf("a texture has exactly one of file, pattern, faces, levels, raw and from")
	}
	pick := func(key string, names []string, to *string) {
		if m[key].Present() {
			*to = m[key].Enum(key, names...)
		}
	}
	pick("format", TextureFormats, &t.Format)
	pick("mag", Filters, &t.Mag)
	pick("min", Filters, &t.Min)
	pick("mip", Filters, &t.Mip)
	if w := m["wrap"]; w.Present() {
		if w.IsText() {
			v := w.Enum("wrap mode", WrapModes...)
			t.Wrap = [2]string{v, v}
		} else if items := w.List(); len(items) == 2 {
			t.Wrap = [2]string{items[0].Enum("wrap mode", WrapModes...), items[1].Enum("wrap mode", WrapModes...)}
		} else {
			w.Errorf("wrap is one mode, or a list of two (s and t)")
		}
	}
	t.Mipmaps = m["mipmaps"].Bool(false)
	if t.Mipmaps && (t.Raw != nil || t.Image.IsT3X()) {
		m["mipmaps"].Errorf("mipmaps makes the levels of a picture; a t3x file and raw texels bring their own")
	}
	if t.Mipmaps && t.Mip == "" {
		t.Mip = "linear"
	}
	t.Bias = m["bias"].Float(0, -16, 15.9961)
	t.MaxLod = int(m["max_lod"].Int(-1, -1, 15))
	if m["border"].Present() {
		t.Border = rgba(m["border"])
	}
	t.Shadow = m["shadow"].Bool(false)
	return t
}

// rawTexture is where texels lie in a file.
func rawTexture(n yamldoc.Node) *Raw {
	if !n.Present() {
		return nil
	}
	m := n.Keys("raw texels", "file", "size", "offset", "levels", "cube")
	r := &Raw{Place: Place{n}, File: m["file"].Str(), Offset: m["offset"].Int(0, 0, maxImageFile), Levels: int(m["levels"].Int(1, 1, 8)), Cube: m["cube"].Bool(false)}
	if r.File == "" {
		n.Errorf("raw texels have no file")
	}
	if !m["size"].Present() {
		n.Errorf("raw texels have no size")
		return r
	}
	r.Width, r.Height = textureSize(m["size"], 64)
	if top := bits.Len(uint(min(r.Width, r.Height))) - 3; r.Levels > top {
		m["levels"].Errorf("%d levels; a texture of %dx%d has at most %d, the smallest with sides of 8 or more", r.Levels, r.Width, r.Height, top)
	}
	return r
}

// textureSize is one number, or a width and a height, powers of two.
func textureSize(n yamldoc.Node, def int64) (w, h int) {
	w, h = int(def), int(def)
	if n.IsNumber() {
		w = int(n.Int(def, 8, MaxSize))
		h = w
	} else if items := n.List(); len(items) == 2 {
		w, h = int(items[0].Int(def, 8, MaxSize)), int(items[1].Int(def, 8, MaxSize))
	} else if n.Present() {
		n.Errorf("size is one number, or a list of width and height")
	}
	if w&(w-1) != 0 || h&(h-1) != 0 {
		n.Errorf("%dx%d: the sides of a texture are powers of two from 8 to %d", w, h, MaxSize)
	}
	return w, h
}

// subImage is a file name, or a mapping that gives a file or a pattern.
func (p *parser) subImage(n yamldoc.Node) Image {
	if n.IsText() {
		im := Image{Place: Place{n}, File: n.Str()}
		wholeTexture(n, &im)
		return im
	}
	m := n.Keys("an image", "file", "pattern", "size", "colors", "gradient", "scale", "seed", "relief")
	im := p.image(n, m)
	if im.File == "" && im.Pattern == nil {
		n.Errorf("an image has a file or a pattern")
	}
	wholeTexture(n, &im)
	return im
}

// wholeTexture refuses a t3x file among faces and levels.
func wholeTexture(n yamldoc.Node, im *Image) {
	if im.IsT3X() {
		n.Errorf("a t3x file is a whole texture with all its levels and faces, so it cannot be one of them")
	}
}

func (p *parser) image(n yamldoc.Node, m map[string]yamldoc.Node) Image {
	im := Image{Place: Place{n}, File: m["file"].Str()}
	if !m["pattern"].Present() {
		return im
	}
	g := &Pattern{Place: Place{m["pattern"]}, Kind: m["pattern"].Enum("pattern", Patterns...), Width: 64, Height: 64,
		Scale: m["scale"].Float(8, 0.01, 1024), Seed: m["seed"].Int(1, 0, 1<<31), Depth: m["relief"].Float(1, 0, 100)}
	g.Width, g.Height = textureSize(m["size"], 64)
	for _, c := range m["colors"].List() {
		g.Colors = append(g.Colors, rgba(c))
	}
	if n := m["gradient"]; n.Present() {
		g.Gradient = n.Str()
		p.refer(n, "gradient")
		switch {
		case len(g.Colors) > 0:
			n.Errorf("a pattern has either colors or a gradient")
		case g.Kind == "solid" || strings.HasSuffix(g.Kind, "_normals"):
			n.Errorf("the pattern %s has no colours to be taken from a gradient", g.Kind)
		}
	}
	im.Pattern = g
	return im
}
