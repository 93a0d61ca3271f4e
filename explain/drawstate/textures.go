package drawstate

import (
	"image"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/pipeline"
)

// takeTextures decodes what the units of the draw have bound.
func (s *State) takeTextures(g *pipeline.GPU) {
	r := &s.Input.Regs
	for _, t := range pipeline.TexturesOf(r) {
		at := pica.TexunitOffset(t.Unit)
		format := pica.TextureFormat(pica.TexunitFormat(t.Unit).Get(r))
		kind := pica.Texture2D
		if t.Unit == 0 {
			kind = pica.TextureType(pica.TexunitType.Get(r))
		}
		faces := []uint32{t.Addr}
		switch kind {
		case pica.TextureDisabled:
			continue
		case pica.TextureCube, pica.TextureShadowCube:
			high := t.Addr &^ (pica.TexunitAddrFace.Max() << 3)
			for face := range pica.Reg(5) {
				faces = append(faces, high|pica.TexunitAddrFace.At(face).Addr(r))
			}
		}
		if !sized(t) {
			s.note("texture unit %d: %dx%d texels; sides are 8 to 1024", t.Unit, t.Width, t.Height)
			continue
		}
		levels := min(int(pica.TexunitLodMax.At(at).Get(r))+1, texture.MaxLevels(t.Width, t.Height))
		for face, addr := range faces {
			for level := range levels {
				im, size, err := picture(g, addr, format, t.Width>>level, t.Height>>level)
				if err != nil {
					s.note("texture unit %d, face %d, level %d: %v", t.Unit, face, level, err)
					break
				}
				s.Textures = append(s.Textures, Texture{t.Unit, face, level, im})
				addr += size
			}
		}
	}
}

// picture decodes a level of a texture.
func picture(g *pipeline.GPU, addr uint32, format pica.TextureFormat, w, h int) (image.Image, uint32, error) {
	size := uint32(texture.Size(format, w, h))
	data, err := g.Read(addr, size)
	if err != nil {
		return nil, 0, err
	}
	im := texture.NewImage(w, h)
	if err := texture.Decode(im.Pix, data, format, w, h); err != nil {
		return nil, 0, err
	}
	return im.NRGBA(), size, nil
}
