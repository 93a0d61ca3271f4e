package model

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/ext/texturetransform"
	"github.com/qmuntal/gltf/ext/unlit"
)

func (d *document) readMaterials() error {
	if err := d.from.spend(costMaterials, len(d.Materials)); err != nil {
		return err
	}
	for i, g := range d.Materials {
		m := DefaultMaterial()
		m.Name, m.DoubleSided = g.Name, g.DoubleSided
		_, m.Unlit = g.Extensions[unlit.ExtensionName]
		m.Alpha, m.Cutoff = alphaModes[g.AlphaMode], clamp01(g.AlphaCutoffOrDefault())
		for k, e := range g.EmissiveFactor {
			m.Emissive[k] = toDisplay(e)
		}
		if p := g.PBRMetallicRoughness; p != nil {
			for k, c := range p.BaseColorFactorOrDefault() {
				if m.BaseColor[k] = clamp01(c); k < 3 {
					m.BaseColor[k] = toDisplay(c)
				}
			}
			m.Metallic, m.Roughness = clamp01(p.MetallicFactorOrDefault()), clamp01(p.RoughnessFactorOrDefault())
		}
		if n := g.NormalTexture; n != nil {
			m.NormalScale = float32(n.ScaleOrDefault())
		}
		if o := g.OcclusionTexture; o != nil {
			m.Occlusion = clamp01(o.StrengthOrDefault())
		}
		for k, t := range texturesOf(g) {
			if t == nil {
				continue
			}
			var err error
			if *m.Textures()[k], err = d.texture(t); err != nil {
				return fmt.Errorf("material %d (%s): %s: %w", i, g.Name, textureNames[k], err)
			}
		}
		d.sets = append(d.sets, d.chooseSets(&m))
		d.m.Materials = append(d.m.Materials, m)
	}
	return nil
}

// chooseSets returns which of a mesh's sets of coordinates become those of
// Part.UV: the first three, except for others that textures read. A texture for
// which none is left is left out, with a note.
func (d *document) chooseSets(m *Material) [3]int {
	sets, used := [3]int{0, 1, 2}, [3]bool{}
	for _, t := range m.Textures() {
		if t.Image >= 0 && t.UV < 3 {
			used[t.UV] = true
		}
	}
	for _, t := range m.Textures() {
		if t.UV < 3 {
			continue
		}
		k := slices.Index(sets[:], t.UV)
		for n := 2; n >= 0 && k < 0; n-- {
			if !used[n] {
				k = n
			}
		}
		if k < 0 {
			d.note("a texture is left out, because its material reads more than three sets of coordinates")
			*t = NoTexture
			continue
		}
		sets[k], used[k] = t.UV, true
		t.UV = k
	}
	return sets
}

var alphaModes = map[gltf.AlphaMode]AlphaMode{gltf.AlphaMask: Mask, gltf.AlphaBlend: Blend}

var textureNames = [...]string{"base colour texture", "normal texture", "emissive texture", "metallic-roughness texture", "occlusion texture"}

// texturesOf returns the textures of a material in the order of
// Material.Textures; nil for those that it does not have.
func texturesOf(g *gltf.Material) (list [5]*gltf.TextureInfo) {
	if p := g.PBRMetallicRoughness; p != nil {
		list[0], list[3] = p.BaseColorTexture, p.MetallicRoughnessTexture
	}
	if t := g.NormalTexture; t != nil && t.Index != nil {
		list[1] = &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}
	}
	list[2] = g.EmissiveTexture
	if t := g.OcclusionTexture; t != nil && t.Index != nil {
		list[4] = &gltf.TextureInfo{Index: *t.Index, TexCoord: t.TexCoord, Extensions: t.Extensions}
	}
	return list
}

func (d *document) note(s string) {
	if !slices.Contains(d.m.Notes, s) {
		d.m.Notes = append(d.m.Notes, s)
	}
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

// ToDisplay converts linear light, 0 to 1, to sRGB.
func ToDisplay(light float64) float64 { return float64(toDisplay(light)) }

// toLight is the inverse.
func toLight(shown float32) float64 {
	v := float64(shown)
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func (d *document) texture(info *gltf.TextureInfo) (Texture, error) {
	t := Texture{Image: -1, UV: info.TexCoord, Sampler: defaultSampler}
	if x, ok := info.Extensions[texturetransform.ExtensionName].(*texturetransform.TextureTranform); ok {
		if x.TexCoord != nil {
			t.UV = *x.TexCoord
		}
		if move := (Transform{Offset: x.Offset, Scale: x.Scale, Rotation: x.Rotation}); move != (Transform{Scale: [2]float64{1, 1}}) {
			t.Transform = &move
		}
	}
	index := info.Index
	if index < 0 || index >= len(d.Textures) {
		return t, fmt.Errorf("texture %d of %d", index, len(d.Textures))
	}
	if t.UV < 0 {
		return t, fmt.Errorf("texture coordinate %d", t.UV)
	}
	g := d.Textures[index]
	if g.Sampler != nil {
		if *g.Sampler < 0 || *g.Sampler >= len(d.Samplers) {
			return t, fmt.Errorf("texture %d: sampler %d of %d", index, *g.Sampler, len(d.Samplers))
		}
		s := d.Samplers[*g.Sampler]
		t.WrapU, t.WrapV = wraps[s.WrapS], wraps[s.WrapT]
		t.MagLinear = s.MagFilter != gltf.MagNearest
		if f, ok := minFilters[s.MinFilter]; ok {
			t.MinLinear, t.Mipmaps, t.MipLinear = f[0], f[1], f[2]
		}
	}
	if g.Source == nil {
		d.note("a texture without an image that can be read is left out")
		return t, nil
	}
	var err error
	t.Image, err = d.image(*g.Source)
	return t, err
}

// The settings of samplers; wrapping that is not there repeats. Filters are
// linear or not, have levels or not, and mix them or not.
var (
	wraps      = map[gltf.WrappingMode]Wrap{gltf.WrapClampToEdge: ClampToEdge, gltf.WrapMirroredRepeat: MirroredRepeat, gltf.WrapRepeat: Repeat}
	minFilters = map[gltf.MinFilter][3]bool{
		gltf.MinNearest: {}, gltf.MinLinear: {true}, gltf.MinNearestMipMapNearest: {false, true}, gltf.MinLinearMipMapNearest: {true, true},
		gltf.MinNearestMipMapLinear: {false, true, true}, gltf.MinLinearMipMapLinear: {true, true, true},
	}
)

// keyOf returns the key with a value.
func keyOf[K, V comparable](table map[K]V, value V) (key K) {
	for k, v := range table {
		if v == value {
			key = k
		}
	}
	return key
}

// image adds an image to the model when a material first uses it.
func (d *document) image(i int) (int, error) {
	if k, ok := d.images[i]; ok {
		return k, nil
	}
	if i < 0 || i >= len(d.Images) {
		return -1, fmt.Errorf("image %d of %d", i, len(d.Images))
	}
	g := d.Images[i]
	pix, err := d.decode(g)
	if unread := (*unreadable)(nil); errors.As(err, &unread) {
		d.note(fmt.Sprintf("image %d: %v", i, unread))
		d.images[i] = -1
		return -1, nil
	}
	if err != nil {
		return -1, fmt.Errorf("image %d: %w", i, err)
	}
	name := g.Name
	if name == "" && len(g.URI) < 200 && !g.IsEmbeddedResource() {
		name = g.URI
	}
	if name == "" {
		name = fmt.Sprintf("image%d", i)
	}
	d.images[i] = d.m.add(name, pix)
	return d.images[i], nil
}

// decode reads the pixels of an image.
func (d *document) decode(g *gltf.Image) (*image.NRGBA, error) {
	if g.BufferView == nil && !strings.HasPrefix(g.URI, "data:") {
		name, err := fileOf(g.URI)
		if err != nil {
			return nil, &unreadable{g.URI, err, withoutImage}
		}
		return d.from.image(name)
	}
	var data []byte
	var err error
	if g.BufferView != nil {
		if data, _, err = d.view(*g.BufferView); err != nil {
			return nil, err
		}
	} else if data, err = d.resource(g.URI); err != nil {
		return nil, &unreadable{g.URI, err, withoutImage}
	}
	return d.from.decode(g.Name, data)
}
