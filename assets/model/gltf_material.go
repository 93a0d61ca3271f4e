package model

import (
	"fmt"
	"image"
	"io/fs"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
	"github.com/qmuntal/gltf/ext/unlit"
)

func (d *document) readMaterials(fsys fs.FS) error {
	for i, g := range d.Materials {
		m := DefaultMaterial()
		m.Name, m.DoubleSided = g.Name, g.DoubleSided
		_, m.Unlit = g.Extensions[unlit.ExtensionName]
		switch g.AlphaMode {
		case gltf.AlphaMask:
			m.Alpha = Mask
		case gltf.AlphaBlend:
			m.Alpha = Blend
		}
		m.Cutoff = clamp01(g.AlphaCutoffOrDefault())
		for k, e := range g.EmissiveFactor {
			m.Emissive[k] = toDisplay(e)
		}
		var moved moves
		at := func(what string, index, uv int, ext gltf.Extensions) (Texture, error) {
			place := placeOf(uv, ext)
			t, err := d.texture(index, place.uv, fsys)
			if err != nil {
				err = fmt.Errorf("material %d (%s): %s: %w", i, g.Name, what, err)
			}
			if !moved.add(place) {
				d.note("textures of a material whose coordinates differ from those of the first are drawn with those of the first")
			}
			t.UV = 0
			return t, err
		}
		var err error
		if p := g.PBRMetallicRoughness; p != nil {
			for k, c := range p.BaseColorFactorOrDefault() {
				if m.BaseColor[k] = clamp01(c); k < 3 {
					m.BaseColor[k] = toDisplay(c)
				}
			}
			m.Metallic, m.Roughness = clamp01(p.MetallicFactorOrDefault()), clamp01(p.RoughnessFactorOrDefault())
			if t := p.BaseColorTexture; t != nil {
				if m.Base, err = at("base colour texture", t.Index, t.TexCoord, t.Extensions); err != nil {
					return err
				}
			}
		}
		if t := g.NormalTexture; t != nil && t.Index != nil {
			if m.Normal, err = at("normal texture", *t.Index, t.TexCoord, t.Extensions); err != nil {
				return err
			}
		}
		if t := g.EmissiveTexture; t != nil {
			if m.EmissiveMap, err = at("emissive texture", t.Index, t.TexCoord, t.Extensions); err != nil {
				return err
			}
		}
		if p := g.PBRMetallicRoughness; p != nil && p.MetallicRoughnessTexture != nil {
			t := p.MetallicRoughnessTexture
			place := placeOf(t.TexCoord, t.Extensions)
			if m.MetalMap, err = d.metalMap(&m, t.Index, place.uv, fsys); err != nil {
				return fmt.Errorf("material %d (%s): metallic-roughness texture: %w", i, g.Name, err)
			}
			if m.MetalMap != nil && m.MetalMap.Varies && !moved.add(place) {
				m.MetalMap.Varies = false
				d.note("metalness counts by its mean where its texture's coordinates differ from those of the material's first texture")
			}
		}
		if g.OcclusionTexture != nil {
			d.note("occlusion textures are left out")
		}
		d.m.Materials = append(d.m.Materials, m)
		d.moves = append(d.moves, moved)
	}
	return nil
}

// place is the texture coordinates that a texture uses, and their
// transformation (KHR_texture_transform), in glTF's direction of v.
type place struct {
	uv   int
	move [2][3]float64
}

func placeOf(uv int, ext gltf.Extensions) place {
	p := place{uv, [2][3]float64{{1, 0, 0}, {0, 1, 0}}}
	t, ok := ext[texturetransform.ExtensionName].(*texturetransform.TextureTranform)
	if !ok {
		return p
	}
	if t.TexCoord != nil {
		p.uv = *t.TexCoord
	}
	s, c := math.Sincos(t.Rotation)
	p.move = [2][3]float64{{c * t.Scale[0], s * t.Scale[1], t.Offset[0]}, {-s * t.Scale[0], c * t.Scale[1], t.Offset[1]}}
	return p
}

// moves is the transformation of a material's textures. The library's shaders
// have one set of coordinates for all units.
type moves struct {
	place
	any bool
}

// add sets it from the first texture; it returns false if another texture
// differs.
func (m *moves) add(p place) bool {
	if !m.any {
		m.place, m.any = p, true
	}
	return m.place == p
}

// apply makes the material's texture coordinates the first set of a part.
func (m *moves) apply(p *Part) {
	if !m.any || p.UV[m.uv] == nil {
		return
	}
	p.UV[0], p.UV[m.uv] = p.UV[m.uv], p.UV[0]
	if m.move == placeOf(0, nil).move {
		return
	}
	for i, c := range p.UV[0] {
		u, v := float64(c[0]), 1-float64(c[1])
		at := func(row [3]float64) float64 { return float64(row[0]*u) + float64(row[1]*v) + row[2] }
		p.UV[0][i] = mgl32.Vec2{float32(at(m.move[0])), float32(1 - at(m.move[1]))}
	}
}

func (d *document) note(s string) {
	if slices.Contains(d.m.Notes, s) {
		return
	}
	d.m.Notes = append(d.m.Notes, s)
}

func clamp01(v float64) float32 {
	if !(v > 0) {
		return 0
	}
	return float32(min(v, 1))
}

// toDisplay converts a factor of glTF, which is linear, to sRGB, which screens
// and textures use: the PICA200 has no other space. The curve is nearly a power
// function, so a product of factor and texture is about right.
func toDisplay(light float64) float32 {
	v := float64(clamp01(light))
	if v <= 0.0031308 {
		return float32(12.92 * v)
	}
	return float32(float64(1.055*math.Pow(v, 1/2.4)) - 0.055)
}

// toLight is the inverse.
func toLight(shown float32) float64 {
	v := float64(shown)
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func (d *document) texture(index, uv int, fsys fs.FS) (Texture, error) {
	t := Texture{Image: -1, UV: uv, MagLinear: true, MinLinear: true, Mipmaps: true}
	if index < 0 || index >= len(d.Textures) {
		return t, fmt.Errorf("texture %d of %d", index, len(d.Textures))
	}
	if uv < 0 || uv > 2 {
		return t, fmt.Errorf("texture coordinate %d; the PICA200 has 0 to 2", uv)
	}
	g := d.Textures[index]
	if g.Sampler != nil {
		if *g.Sampler < 0 || *g.Sampler >= len(d.Samplers) {
			return t, fmt.Errorf("texture %d: sampler %d of %d", index, *g.Sampler, len(d.Samplers))
		}
		s := d.Samplers[*g.Sampler]
		t.WrapU, t.WrapV = wrapOf(s.WrapS), wrapOf(s.WrapT)
		t.MagLinear = s.MagFilter != gltf.MagNearest
		switch s.MinFilter {
		case gltf.MinNearest:
			t.MinLinear, t.Mipmaps = false, false
		case gltf.MinLinear:
			t.Mipmaps = false
		case gltf.MinNearestMipMapNearest:
			t.MinLinear = false
		case gltf.MinNearestMipMapLinear:
			t.MinLinear, t.MipLinear = false, true
		case gltf.MinLinearMipMapLinear:
			t.MipLinear = true
		}
	}
	if g.Source == nil {
		d.note("a texture without an image that can be read is left out")
		return t, nil
	}
	var err error
	t.Image, err = d.image(*g.Source, fsys)
	return t, err
}

func wrapOf(w gltf.WrappingMode) Wrap {
	switch w {
	case gltf.WrapClampToEdge:
		return ClampToEdge
	case gltf.WrapMirroredRepeat:
		return MirroredRepeat
	}
	return Repeat
}

// metalMap reads a metallic-roughness texture of a material.
func (d *document) metalMap(of *Material, index, uv int, fsys fs.FS) (*MetalMap, error) {
	t, err := d.texture(index, uv, fsys)
	if err != nil || t.Image < 0 {
		return nil, err
	}
	t.UV = 0
	m := &MetalMap{Texture: t}
	s := d.metals[t.Image]
	if s == nil {
		s = sumMetal(d.m.Images[t.Image].Pix)
		d.metals[t.Image] = s
	}
	rest := s.n - float64(float64(of.Metallic)*s.blue)
	of1 := func(sum, n float64) float32 {
		if n <= 0 {
			return of.Roughness
		}
		return float32(float64(of.Roughness) * sum / n)
	}
	m.Metallic, m.Roughness = float32(float64(of.Metallic)*s.blue/s.n), of1(s.green, s.n)
	m.MetalRoughness = of1(s.both, s.blue)
	m.RestRoughness = of1(s.green-float64(float64(of.Metallic)*s.both), rest)
	m.Varies = float32(s.most-s.least)*of.Metallic >= 1.0/16
	if s.uneven {
		d.note("roughness of metallic-roughness textures counts by its mean, one for what is metal and one for the rest; the PICA200 has no more tables for highlights")
	}
	return m, nil
}

// metalSums are sums over the texels of a metallic-roughness texture, 0 to 1 each.
type metalSums struct {
	n, green, blue, both float64 // both: of the products
	least, most          float32 // of blue
	uneven               bool    // green differs
}

func sumMetal(pix *image.NRGBA) *metalSums {
	s := &metalSums{n: float64(len(pix.Pix) / 4)}
	var green, blue, both uint64
	var least, most [2]uint8
	least = [2]uint8{255, 255}
	for i := 0; i+3 < len(pix.Pix); i += 4 {
		g, b := pix.Pix[i+1], pix.Pix[i+2]
		green, blue, both = green+uint64(g), blue+uint64(b), both+uint64(g)*uint64(b)
		least, most = [2]uint8{min(least[0], g), min(least[1], b)}, [2]uint8{max(most[0], g), max(most[1], b)}
	}
	s.green, s.blue, s.both = float64(green)/255, float64(blue)/255, float64(both)/(255*255)
	s.least, s.most = float32(least[1])/255, float32(most[1])/255
	s.uneven = most[0] > least[0]+16
	return s
}

// image adds an image to the model when a material first uses it.
func (d *document) image(i int, fsys fs.FS) (int, error) {
	if k, ok := d.images[i]; ok {
		return k, nil
	}
	pix, err := d.decode(i, fsys)
	if err != nil {
		return -1, err
	}
	g := d.Images[i]
	k := len(d.m.Images)
	d.images[i] = k
	name := g.Name
	if name == "" && len(g.URI) < 200 && !g.IsEmbeddedResource() {
		name = g.URI
	}
	if name == "" {
		name = fmt.Sprintf("image%d", i)
	}
	d.m.Images = append(d.m.Images, Image{name, pix})
	return k, nil
}

// decode reads the pixels of an image.
func (d *document) decode(i int, fsys fs.FS) (*image.NRGBA, error) {
	if i < 0 || i >= len(d.Images) {
		return nil, fmt.Errorf("image %d of %d", i, len(d.Images))
	}
	g := d.Images[i]
	var data []byte
	var err error
	if g.BufferView != nil {
		data, _, err = d.view(*g.BufferView)
	} else {
		data, err = resource(fsys, g.URI)
	}
	if err != nil {
		return nil, fmt.Errorf("image %d: %w", i, err)
	}
	pix, err := d.kept.decode(data)
	if err != nil {
		return nil, fmt.Errorf("image %d (%s): %w", i, g.Name, err)
	}
	return pix, nil
}
