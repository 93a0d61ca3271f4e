package banner

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/assets/texture"
	"pica200/pica"
)

// materialKey is a material of the model (-1 is the default one) and how it is
// used.
type materialKey struct {
	material    int
	lit, colors bool
	cull        pica.CullMode
}

// material converts a material of the model (-1 is the default one) and returns
// its index.
func (b *builder) material(n int, colors, normals bool, cull pica.CullMode) (uint32, error) {
	lit := normals && !b.Unlit
	src := model.DefaultMaterial()
	if n >= 0 && n < len(b.m.Materials) {
		src = b.m.Materials[n]
	}
	lit = lit && !src.Unlit
	key := materialKey{n, lit, colors, cull}
	if k, ok := b.materials[key]; ok {
		return k, nil
	}
	name := src.Name
	if name == "" {
		name = "Material"
	}
	for i, base := 2, name; b.out.Materials.Get(name) != nil; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	m := &cgfx.Material{Object: cgfx.Object{Kind: cgfx.KindMaterial, Revision: materialRevision, Name: name}, Cull: 1}
	m.Shader = &cgfx.Shader{Object: cgfx.Object{Kind: cgfx.KindShaderRef, Revision: shaderRevision}, Path: "DefaultShader"}
	black := mgl32.Vec4{0, 0, 0, 1}
	c := &m.Colors
	c.Ambient, c.Diffuse = src.BaseColor, src.BaseColor
	c.Ambient[3] = 1 // the scale of vertex colours
	for i := range c.Constant {
		c.Constant[i] = black
	}
	c.Constant[0] = src.BaseColor
	c.Emission = mgl32.Vec4{src.Emissive[0], src.Emissive[1], src.Emissive[2], 0}
	for i := range c.Bytes {
		c.Bytes[i] = rgba(*c.At(i))
	}
	for i := range m.TexCoords {
		m.TexCoords[i] = cgfx.TexCoord{Camera: -1, Scale: mgl32.Vec2{1, 1}, Matrix: cgfx.Identity}
	}
	if cull == pica.CullNone {
		m.Cull = 3
	}
	m.CullCommand = [2]uint32{uint32(cull), header(pica.RegFacecullingConfig, 1)}
	m.DepthFlags = 3
	// Less or equal, so that of two surfaces at the same position the later one shows.
	m.DepthCommand = [4]uint32{1 | uint32(pica.CompareLessEqual)<<4, header(pica.RegDepthColorMask, 1), 0x03000000, header(pica.RegGasDeltazDepth, 8)}
	m.BlendMode, m.BlendColor = 0, black
	blend := uint32(0x01010000) // one, zero
	if src.Alpha == model.Blend {
		m.BlendMode, m.Translucency, m.DepthFlags = 1, 1, 1
		blend = 0x76760000 // source alpha, one minus source alpha
	}
	m.BlendCommand = [6]uint32{0x00E40100, 0x803F0100, blend, 0, 0xFF000000, 0}
	m.StencilCommand = [4]uint32{0x0000FF10, header(pica.RegStencilTest, 0xD), 0, header(pica.RegStencilOp, 0xF)}
	f := &cgfx.FragmentShader{}
	m.Fragment = f
	test := uint32(pica.CompareAlways) << 4
	if src.Alpha == model.Mask {
		test = 1 | uint32(pica.CompareGreaterEqual)<<4 | uint32(float32(min(max(src.Cutoff, 0), 1)*255)+0.5)<<8
	}
	f.AlphaTest = [2]uint32{test, header(pica.RegFragopAlphaTest, 0xF)}
	f.BufferCommand = [6]uint32{0, header(pica.RegTexenvBufferColor, 0xF), 0, header(pica.RegTexenvUpdateBuffer, 2), 0x400, header(pica.RegLightingConfig0, 2)}
	if err := b.combiners(m, &src, lit); err != nil {
		return 0, err
	}
	if lit {
		m.Flags |= cgfx.MaterialFragmentLit
	}
	if src.Normal.Image >= 0 {
		b.note("material %s: its normal map is left out", name)
	}
	if src.EmissiveMap.Image >= 0 {
		b.note("material %s: its map of emitted light is left out", name)
	}
	m.Hashes = [13]uint32{hash(m.Flags), hash(0), hash(m.TexCoords), hash("samplers", mapperWords(m)), 0, hash(m.Colors), hash(m.CullCommand),
		hash(f.LightFlags, f.Layer, m.Flags), 0, hash("tables"), hash(f.Combiners), hash(f.AlphaTest), hash(m.DepthFlags, m.DepthCommand, m.BlendCommand, m.StencilCommand)}
	k := uint32(len(b.out.Materials.Entries))
	b.out.Materials.Add(name, m)
	b.materials[key] = k
	return k, nil
}

func mapperWords(m *cgfx.Material) (out []any) {
	for _, t := range m.Mappers {
		if t != nil {
			out = append(out, t.Commands, t.Texture.Path)
		}
	}
	return out
}

// header is the header of a command with one word.
func header(r pica.Reg, mask uint32) uint32 { return uint32(pica.MakeCommandHeader(r, mask, 0, false)) }

func rgba(v mgl32.Vec4) (out uint32) {
	for k, x := range v {
		out |= uint32(float32(min(max(x, 0), 1)*255)+0.5) << (8 * k)
	}
	return out
}

// Sources of the combiners, as the register has them.
const (
	srcPrimary  = 0
	srcFragment = 1 // primary colour of fragment lighting
	srcTexture0 = 3
	srcConstant = 14
	srcPrevious = 15
)

// combiners sets a fragment's colour: the vertex colour, times the texture,
// times the material's colour or the light.
func (b *builder) combiners(m *cgfx.Material, src *model.Material, lit bool) error {
	const replace, modulate = 0, 1
	stage := func(i int, a, c, combine uint32, alpha bool) {
		s := &m.Fragment.Combiners[i]
		source := a | c<<4
		alphaSource, alphaCombine := source, combine
		if !alpha {
			alphaSource, alphaCombine = srcPrevious, replace
		}
		base := pica.RegTexenv0Source + pica.Reg(i)*8
		if i >= 4 {
			base += 0x10
		}
		s.Command = [6]uint32{source | alphaSource<<16, uint32(pica.MakeCommandHeader(base, 0xF, 4, true)), 0, combine | alphaCombine<<16, 0, 0}
	}
	if src.Base.Image >= 0 {
		t, err := b.texture(src.Base.Image, src.Base.Sampler)
		if err != nil {
			return err
		}
		m.Mappers[0] = mapper(t, src.Base)
		m.TexCoordsUsed = 1
		if src.Base.UV > 0 && src.Base.UV < 3 {
			m.TexCoords[0].Source = uint32(src.Base.UV)
		}
		stage(0, srcPrimary, srcTexture0, modulate, true)
	} else {
		stage(0, srcPrimary, srcPrimary, replace, true)
	}
	if lit {
		// The light includes the material's colour, but not its alpha.
		stage(1, srcPrevious, srcFragment, modulate, false)
		stage(2, srcPrevious, srcConstant, modulate, true)
		s := &m.Fragment.Combiners[2]
		s.Command[0] = srcPrevious | (srcPrevious|srcConstant<<4)<<16
		s.Command[3] = replace | modulate<<16
	} else {
		stage(1, srcPrevious, srcConstant, modulate, true)
		stage(2, srcPrevious, srcPrevious, replace, true)
	}
	for i := 3; i < 6; i++ {
		stage(i, srcPrevious, srcPrevious, replace, true)
	}
	return nil
}

// mapper makes texture unit 0.
func mapper(t *cgfx.Texture, how model.Texture) *cgfx.TextureMapper {
	wrap := map[model.Wrap]pica.Wrap{model.Repeat: pica.WrapRepeat, model.ClampToEdge: pica.WrapClampToEdge, model.MirroredRepeat: pica.WrapMirror}
	param := uint32(wrap[how.WrapV])<<8 | uint32(wrap[how.WrapU])<<12
	if how.MagLinear {
		param |= 1 << 1
	}
	if how.MinLinear {
		param |= 1 << 2
	}
	ref := &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureRef, Revision: textureRevision}, Path: t.Name, Target: t}
	out := &cgfx.TextureMapper{Kind: 0x80000000, Texture: ref, Send: 0x38}
	out.Sampler = &cgfx.Sampler{Kind: 0x80000000, Owner: out}
	if how.MinLinear {
		out.Sampler.MinFilter = 1
	}
	out.Commands = [14]uint32{0, header(pica.RegTexunit0Type, 1), 0,
		uint32(pica.MakeCommandHeader(pica.RegTexunit0BorderColor, 0xF, 9, true)), 0, param}
	return out
}

// texture makes the texture of an image, once.
func (b *builder) texture(n int, how model.Sampler) (*cgfx.Texture, error) {
	if t, ok := b.textures[n]; ok {
		return t, nil
	}
	pix := model.ToTexture(b.m.Images[n].Pix, how)
	w, h := pix.Rect.Dx(), pix.Rect.Dy()
	for w > b.MaxTexture {
		w /= 2
	}
	for h > b.MaxTexture {
		h /= 2
	}
	if w < 8 || h < 8 {
		return nil, fmt.Errorf("banner: textures have sides of 8 texels or more, --max-texture is %d", b.MaxTexture)
	}
	if w != pix.Rect.Dx() || h != pix.Rect.Dy() {
		b.note("image %s has %dx%d pixels; it is made %dx%d", b.m.Images[n].Name, b.m.Images[n].Pix.Rect.Dx(), b.m.Images[n].Pix.Rect.Dy(), w, h)
		pix = model.Resample(pix, w, h)
	}
	name := b.m.Images[n].Name
	p, err := b.pack(texture.FromImage(pix))
	if err != nil {
		return nil, fmt.Errorf("banner: image %s: %w", name, err)
	}
	b.say(name, &p)
	data := p.data
	name = fmt.Sprintf("%s%d", Common, len(b.f.Textures.Entries)+1)
	t := &cgfx.Texture{Object: cgfx.Object{Kind: cgfx.KindTextureImage, Revision: textureRevision, Name: name},
		Width: uint32(w), Height: uint32(h), Levels: 1, Format: p.format,
		Images: []*cgfx.Image{{Width: uint32(w), Height: uint32(h), Data: data, Bits: uint32(texture.Bits(p.format))}}}
	b.textures[n] = t
	b.f.Textures.Add(name, t)
	return t, nil
}
