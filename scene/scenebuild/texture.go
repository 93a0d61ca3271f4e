package scenebuild

import (
	"context"
	"fmt"
	"image"

	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/scene"
	"pica200/scene/shading"
)

// bindTextures binds the draw's own textures or the material's.
func (d *drawing) bindTextures(ctx context.Context, w *scene.Draw, m *model.Model, of *shading.Settings) error {
	for i := range 3 {
		if i < len(w.Textures) && w.Textures[i] != nil {
			t, err := d.texture(ctx, *w.Textures[i])
			if err != nil {
				return err
			}
			if err := d.c.BindTexture(i, t.Texture); err != nil {
				return err
			}
			if err := d.c.Uniforms.SetAt(dmp.Texture0SamplerType.At(i), t.sampler(i)); err != nil {
				return err
			}
			if t.cube && i > 0 {
				d.note(fmt.Sprintf("%s: texture %s is a cube, which only unit 0 can read; unit %d reads its first face", drawName(w), *w.Textures[i], i))
			}
			continue
		}
		if of == nil || of.Units[i].Image < 0 {
			continue
		}
		t, err := d.materialTexture(ctx, imageKey{m, of.Units[i]})
		if err != nil {
			return err
		}
		if err := d.c.BindTexture(i, t); err != nil {
			return err
		}
	}
	return nil
}

// bound is a texture with the default combiner setting for unit 0.
type bound struct {
	*gl.Texture
	scene *scene.Texture
	cube  bool
}

func (b bound) sampler(unit int) pica.TextureType {
	switch {
	case unit == 0 && b.cube:
		return pica.TextureCube
	case unit == 0 && b.scene.Shadow:
		return pica.TextureShadow2D
	}
	return pica.Texture2D
}

func (d *drawing) texture(ctx context.Context, name string) (bound, error) {
	var t *scene.Texture
	for i := range d.Scene.Textures {
		if d.Scene.Textures[i].Name == name {
			t = &d.Scene.Textures[i]
		}
	}
	native := d.native[name]
	cube := len(t.Faces) > 0 || native != nil && native.Cube
	if g, ok := d.textures[name]; ok {
		return bound{g, t, cube}, nil
	}
	g, err := d.makeTexture(ctx, t)
	if err != nil {
		return bound{}, t.Errorf("texture %s: %w", name, err)
	}
	wrap := func(s string) pica.Wrap { v, _ := pica.Wraps.Lookup(s); return pica.Wrap(v) }
	filter := func(s string) pica.Filter { v, _ := pica.Filters.Lookup(s); return pica.Filter(v) }
	g.Mag, g.Min, g.Mip = filter(t.Mag), filter(t.Min), filter(t.Mip)
	g.WrapS, g.WrapT = wrap(t.Wrap[0]), wrap(t.Wrap[1])
	for k := range 4 {
		g.Border[k] = float32(t.Border[k])
	}
	g.LODBias = float32(t.Bias)
	if t.MaxLod >= 0 {
		g.MaxLevel = min(g.MaxLevel, t.MaxLod)
	}
	d.textures[name] = g
	return bound{g, t, cube}, nil
}

// AddTexture adds a texture that is named like its file, until back is called.
func (st *Stage) AddTexture(file string) (back func(), err error) {
	t, err := scene.NewTexture(file, file)
	if err == nil && st.pictures[file] == nil && st.native[file] == nil {
		err = st.loadTexture(t)
	}
	if err != nil {
		return nil, err
	}
	was := st.Scene.Textures
	st.Scene.Textures = append(was[:len(was):len(was)], *t)
	return func() { st.Scene.Textures = was }, nil
}

// Repaint gives a texture of the scene the picture of another file, until back is called.
func (st *Stage) Repaint(t *scene.Texture, file string) (back func(), err error) {
	one := *t
	one.Name, one.Image = t.Name+"\x00"+file, scene.Image{Location: t.Image.Location, File: file}
	if st.pictures[one.Name] == nil && st.native[one.Name] == nil {
		if err := st.loadTexture(&one); err != nil {
			return nil, err
		}
	}
	was, pictures, native := t.Image, st.pictures[t.Name], st.native[t.Name]
	t.Image, st.pictures[t.Name], st.native[t.Name] = one.Image, st.pictures[one.Name], st.native[one.Name]
	return func() { t.Image, st.pictures[t.Name], st.native[t.Name] = was, pictures, native }, nil
}

func (d *drawing) makeTexture(ctx context.Context, t *scene.Texture) (*gl.Texture, error) {
	if n := d.native[t.Name]; n != nil {
		return d.c.NewTextureData(ctx, n.Format, n.Width, n.Height, n.Levels, n.Cube, n.Data)
	}
	format := pica.TextureFormatRGBA8
	if f, ok := pica.TextureFormats.Lookup(t.Format); ok {
		format = pica.TextureFormat(f)
	}
	pics := d.pictures[t.Name]
	levels := 1
	if t.Mipmaps {
		levels = 0
	}
	switch {
	case t.From != "":
		target, ok := d.targets[t.From]
		if !ok {
			return nil, fmt.Errorf("target %q is drawn later than it is read", t.From)
		}
		return target.ColorTexture()
	case len(t.Faces) > 0:
		var faces [6]image.Image
		for i := range faces {
			faces[i] = pics[i]
		}
		return d.c.NewCubeTexture(ctx, faces, format, levels)
	case len(t.Levels) > 0:
		var data []byte
		w, h := pics[0].Rect.Dx(), pics[0].Rect.Dy()
		for i, p := range pics {
			im := texture.FromImage(p)
			level := make([]byte, texture.Size(format, w>>i, h>>i))
			if err := texture.Encode(level, im.Pix, format, w>>i, h>>i); err != nil {
				return nil, err
			}
			data = append(data, level...)
		}
		return d.c.NewTextureData(ctx, format, w, h, len(pics), false, data)
	}
	return d.c.NewTexture(ctx, pics[0], format, levels)
}

// sampler is what of a texture's settings counts for model.ToTexture.
func sampler(t *scene.Texture) model.Sampler {
	kinds := map[string]model.Wrap{"repeat": model.Repeat, "mirrored_repeat": model.MirroredRepeat, "clamp_to_edge": model.ClampToEdge, "clamp_to_border": model.ClampToEdge}
	return model.Sampler{MagLinear: t.Mag == "linear", WrapU: kinds[t.Wrap[0]], WrapV: kinds[t.Wrap[1]]}
}

// materialTexture makes a texture from a model's image, scaled to a valid size, with all levels if the material uses mipmaps.
func (d *drawing) materialTexture(ctx context.Context, key imageKey) (*gl.Texture, error) {
	if g, ok := d.images[key]; ok {
		return g, nil
	}
	pix, ok := d.resized[key]
	if !ok {
		of := func(image int) *image.NRGBA { return model.ToTexture(key.model.Images[image].Pix, key.Sampler) }
		pix = of(key.Image)
		if key.Normals != [3]float32{} {
			pix = model.WithNormals(pix, key.Normals)
		}
		if key.Metal >= 0 {
			pix = model.WithChannel(pix, 2, of(key.Metal), 2, key.Factor, 0)
		}
		if key.Occlusion >= 0 {
			pix = model.WithChannel(pix, 3, of(key.Occlusion), 0, key.Strength, 255*(1-key.Strength))
		}
		d.resized[key] = pix
	}
	t := key.Sampler
	levels := 1
	if t.Mipmaps {
		levels = 0
	}
	g, err := d.c.NewTexture(ctx, pix, pica.TextureFormatRGBA8, levels)
	if err != nil {
		return nil, fmt.Errorf("image %s: %w", key.model.Images[key.Image].Name, err)
	}
	wraps := [...]pica.Wrap{model.Repeat: pica.WrapRepeat, model.ClampToEdge: pica.WrapClampToEdge, model.MirroredRepeat: pica.WrapMirror}
	filter := map[bool]pica.Filter{false: pica.FilterNearest, true: pica.FilterLinear}
	g.WrapS, g.WrapT = wraps[t.WrapU], wraps[t.WrapV]
	g.Mag, g.Min, g.Mip = filter[t.MagLinear], filter[t.MinLinear], filter[t.MipLinear]
	d.images[key] = g
	return g, nil
}
