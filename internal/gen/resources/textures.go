package main

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/banner"
	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/pica"
)

// cell is an item of a sheet: a part at its position with its own material.
type cell struct {
	name     string
	part     model.Part
	textured bool
	blend    bool
	color    mgl32.Vec4 // white if zero
}

// sheet lays out cells in rows and makes an unlit banner of them. Every textured cell has its own texture, initially grey, 8x8.
func sheet(cells []cell, columns int) (*cgfx.File, error) {
	m := &model.Model{Name: "sheet"}
	rows := (len(cells) + columns - 1) / columns
	for i, c := range cells {
		x := model.DefaultMaterial()
		x.Name, x.Unlit, x.DoubleSided = c.name, true, true
		if c.blend {
			x.Alpha = model.Blend
		}
		if c.color != (mgl32.Vec4{}) {
			x.BaseColor = c.color
		}
		if c.textured {
			x.Base = model.Texture{Image: len(m.Images)}
			m.Images = append(m.Images, model.Image{Name: c.name, Pix: image.NewNRGBA(image.Rect(0, 0, 8, 8))})
		}
		t := model.Identity
		t.T = mgl32.Vec3{float32(2*(i%columns)-columns+1) * 2.2, 1 + float32(rows-1-2*(i/columns))*2.2, 0}
		c.part.Material = i
		m.Nodes = append(m.Nodes, model.Node{Name: c.name, Parent: -1, TRS: t, Mesh: i, Skin: -1, Shown: true})
		m.Meshes = append(m.Meshes, model.Mesh{Name: c.name, Parts: []model.Part{c.part}})
		m.Materials = append(m.Materials, x)
	}
	f, _, err := banner.Build(m, banner.Options{Format: pica.TextureFormatI8, Scale: 1, Unlit: true, Animation: -1})
	if err != nil {
		return nil, err
	}
	f.Models.Get(banner.Common).Transform.Translation = mgl32.Vec3{}
	return f, nil
}

// painted is a picture: red to the right, green upwards, blue stripes, and lower alpha outside a disc.
func painted(w, h int) *texture.Image {
	out := texture.NewImage(w, h)
	for i := range out.Pix {
		x, y := float64(i%w)+0.5, float64(i/w)+0.5
		b, a := uint32(40), uint32(80)
		if int(x+y)/4%2 == 0 {
			b = 200
		}
		if math.Hypot(x/float64(w)-0.5, y/float64(h)-0.5) < 0.45 {
			a = 255
		}
		out.Pix[i] = uint32(x*255/float64(w)) | uint32(y*255/float64(h))<<8 | b<<16 | a<<24
	}
	return out
}

// plainOf is a picture of one colour.
func plainOf(w, h int, c color.NRGBA) *texture.Image {
	out := texture.NewImage(w, h)
	for i := range out.Pix {
		out.Pix[i] = uint32(c.R) | uint32(c.G)<<8 | uint32(c.B)<<16 | uint32(c.A)<<24
	}
	return out
}

// fill sets the levels of a texture's faces.
func fill(t *cgfx.Texture, format pica.TextureFormat, faces ...[]*texture.Image) error {
	top := faces[0][0]
	t.Format, t.Width, t.Height, t.Levels, t.Images = format, uint32(top.Width), uint32(top.Height), uint32(len(faces[0])), nil
	for _, levels := range faces {
		im := &cgfx.Image{Width: t.Width, Height: t.Height, Bits: uint32(texture.Bits(format))}
		for _, l := range levels {
			data := make([]byte, texture.Size(format, l.Width, l.Height))
			if err := texture.Encode(data, l.Pix, format, l.Width, l.Height); err != nil {
				return err
			}
			im.Data = append(im.Data, data...)
		}
		t.Images = append(t.Images, im)
	}
	return nil
}

// textures is a sheet of textures: every format, levels, four wrap modes, a cube and a sphere map.
func textures() ([]byte, error) {
	quad, err := model.Quad(4, 4, 4, 4)
	if err != nil {
		return nil, err
	}
	ball, err := model.Sphere(2, 20, 12)
	if err != nil {
		return nil, err
	}
	var cells []cell
	for i := range 14 {
		cells = append(cells, cell{name: pica.TextureFormat(i).String(), part: quad, textured: true, blend: true})
	}
	for _, name := range []string{"repeat", "mirror", "edge", "border"} {
		cells = append(cells, cell{name: name, part: quad, textured: true, blend: true})
	}
	dense, err := model.Quad(4, 4, 16, 1) // more texels per unit to the right
	if err != nil {
		return nil, err
	}
	for i, v := range dense.UV[0] {
		dense.UV[0][i] = mgl32.Vec2{8 * v[0] * v[0] * v[0], v[1]}
	}
	cells = append(cells, cell{name: "levels", part: dense, textured: true}, cell{name: "cube", part: ball, textured: true}, cell{name: "sphere", part: ball, textured: true})
	f, err := sheet(cells, 7)
	if err != nil {
		return nil, err
	}
	m := f.Models.Get(banner.Common)
	for i, t := range f.Textures.Values() {
		c := cells[i]
		mat := m.Materials.Get(c.name)
		words, coord := &mat.Mappers[0].Commands, &mat.TexCoords[0]
		format, faces := pica.TextureFormatRGBA8, [][]*texture.Image{{painted(16, 16)}}
		const magnified, minified, mixed = 1 << 1, 1 << 2, 1 << 24 // linear, in the unit's register
		switch c.name {
		case "repeat", "mirror", "edge", "border":
			coord.Scale, coord.Translation = mgl32.Vec2{2, 2}, mgl32.Vec2{0.25, 0.25}
			coord.Matrix = cgfx.Matrix{2, 0, 0, -0.5, 0, 2, 0, -0.5, 0, 0, 1, 0}
			wrap := map[string]pica.Wrap{"repeat": pica.WrapRepeat, "mirror": pica.WrapMirror, "edge": pica.WrapClampToEdge, "border": pica.WrapClampToBorder}[c.name]
			words[2], words[5] = 0xFF40C0FF, uint32(wrap)<<8|uint32(wrap)<<12
		case "levels":
			faces[0] = nil
			for k, v := range []color.NRGBA{{230, 60, 60, 255}, {60, 230, 60, 255}, {60, 60, 230, 255}, {230, 230, 60, 255}} {
				faces[0] = append(faces[0], plainOf(64>>k, 64>>k, v))
			}
			format = pica.TextureFormatETC1
			words[5] = uint32(pica.WrapRepeat)<<8 | uint32(pica.WrapRepeat)<<12 | magnified | minified | mixed
		case "cube":
			faces = nil
			for k := range 6 { // +x, -x, +y, -y, +z, -z
				v := color.NRGBA{40, 40, 40, 255}
				*[]*uint8{&v.R, &v.G, &v.B}[k/2] = uint8(230 - 100*(k%2))
				faces = append(faces, []*texture.Image{plainOf(8, 8, v)})
			}
			format, t.Kind, coord.Mapping = pica.TextureFormatRGB8, cgfx.KindTextureCube, cgfx.MapCube
		case "sphere":
			coord.Mapping = cgfx.MapSphere
			words[5] = magnified | minified
		default:
			format = pica.TextureFormat(i)
			faces[0][0] = painted(32, 32)
		}
		if err := fill(t, format, faces...); err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		words[0] = uint32(format)
		t.Name = c.name
		f.Textures.Entries[i].Name, mat.Mappers[0].Texture.Path = c.name, c.name
	}
	if err := f.BuildTrees(); err != nil {
		return nil, err
	}
	return f.Relayout()
}
