package sceneexport

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/pica"
	"pica200/scene"
)

// textures are the different textures of the frame.
type textures struct {
	list   []scene.Texture
	known  map[string]string // names by contents and sampling
	files  map[string]string // PNG files by contents
	images []imageFile
	texels int // of all images
}

type imageFile struct {
	name string
	im   *texture.Image // written as PNG, or
	t3x  *texture.T3X
}

// unit is how a texture unit is set up.
type unit struct {
	kind          pica.TextureType
	format        pica.TextureFormat
	addr          uint32
	width, height int
	levels        int
}

// texture captures what texture unit i of a draw reads and returns the
// texture's name in the scene; "" if the draw does not read the unit.
func (r *recording) texture(d *draw, i int) (string, error) {
	if !unitLive(&d.regs, i) {
		return "", nil
	}
	u, err := unitOf(&d.regs, i)
	if err != nil || u.kind == pica.TextureDisabled {
		return "", err
	}
	t := u.sampling(&d.regs, i)
	if from := r.drawn(d, u); from >= 0 {
		t.From = r.passes[from].name
		return r.textures.add(t, t.From), nil
	}
	addrs := u.faces(&d.regs)
	if len(addrs) > 1 && u.levels > 1 { // six pictures say nothing of levels
		return r.cubeFile(t, u, addrs)
	}
	return r.pictures(t, u, addrs)
}

// unitOf reads how a texture unit is set up.
func unitOf(regs *pica.Regs, i int) (unit, error) {
	at := pica.TexunitOffset(i)
	u := unit{
		format: pica.TextureFormat(pica.TexunitFormat(i).Get(regs)), addr: pica.TexunitAddr.At(at).Addr(regs),
		width: int(pica.TexunitWidth.At(at).Get(regs)), height: int(pica.TexunitHeight.At(at).Get(regs)),
	}
	if i == 0 {
		if u.kind = pica.TextureType(pica.TexunitType.Get(regs)); u.kind == pica.TextureDisabled {
			return u, nil
		}
	}
	if u.kind > pica.TextureDisabled {
		return u, fmt.Errorf("there is no texture of type %d", u.kind)
	}
	side := func(n int) bool { return n >= texture.MinSize && n <= texture.MaxSize && n&(n-1) == 0 }
	if !side(u.width) || !side(u.height) || texture.Bits(u.format) == 0 {
		return u, fmt.Errorf("%dx%d texels of format %v are not a texture that a scene can have", u.width, u.height, u.format)
	}
	u.levels = min(int(pica.TexunitLodMax.At(at).Get(regs))+1, texture.MaxLevels(u.width, u.height))
	return u, nil
}

func (u *unit) cube() bool {
	return u.kind == pica.TextureCube || u.kind == pica.TextureShadowCube
}

// sampling is the texture of the scene without its contents.
func (u *unit) sampling(regs *pica.Regs, i int) scene.Texture {
	at := pica.TexunitOffset(i)
	name := func(e *pica.Enum, f pica.Field) string { n, _ := e.NameOf(f.At(at).Get(regs)); return n }
	t := scene.Texture{
		Wrap: [2]string{name(pica.Wraps, pica.TexunitWrapS), name(pica.Wraps, pica.TexunitWrapT)},
		Mag:  name(pica.Filters, pica.TexunitMagFilter), Min: name(pica.Filters, pica.TexunitMinFilter), Mip: name(pica.Filters, pica.TexunitMipFilter),
		Bias: float64(pica.TexunitLodBias.At(at).Float(regs)), MaxLod: -1,
		Shadow: u.kind == pica.TextureShadow2D || u.kind == pica.TextureShadowCube,
		Format: u.format.String(),
	}
	for k, f := range []pica.Field{pica.TexunitBorderR, pica.TexunitBorderG, pica.TexunitBorderB, pica.TexunitBorderA} {
		t.Border[k] = float64(f.At(at).Float(regs))
	}
	return t
}

// faces are the addresses of a texture's faces: six of a cube, else one.
func (u *unit) faces(regs *pica.Regs) []uint32 {
	addrs := []uint32{u.addr}
	if u.cube() {
		for face := range pica.Reg(5) {
			high := u.addr &^ (pica.TexunitAddrFace.Max() << 3)
			addrs = append(addrs, high|pica.TexunitAddrFace.At(face).Addr(regs))
		}
	}
	return addrs
}

// pictures captures a texture as one picture for each face or level.
func (r *recording) pictures(t scene.Texture, u unit, addrs []uint32) (string, error) {
	var key bytes.Buffer
	fmt.Fprintf(&key, "%v %+v", u.cube(), t)
	var list []*texture.Image
	texels, exact := 0, true
	for _, addr := range addrs {
		for level := range u.levels {
			im, data, err := r.level(u, addr, level)
			if err != nil && level > 0 {
				break // a level that is never read may lie anywhere
			}
			if err != nil {
				return "", err
			}
			exact = exact && (u.format == pica.TextureFormatRGBA8 || encodes(im, data, u.format))
			fmt.Fprintf(&key, " %dx%d %v %x", im.Width, im.Height, u.format, sha256.Sum256(data))
			list = append(list, im)
			texels += len(im.Pix)
			addr += uint32(len(data))
		}
	}
	if name, ok := r.textures.known[key.String()]; ok {
		return name, nil
	}
	if err := r.textures.room(texels); err != nil {
		return "", err
	}
	if !exact {
		t.Format = pica.TextureFormatRGBA8.String() // another encoder would give other colours
	}
	images := make([]scene.Image, len(list))
	for i, im := range list {
		images[i].File = r.textures.file(im)
	}
	switch {
	case u.cube():
		t.Faces = images
	case len(images) > 1:
		t.Levels = images
	default:
		t.Image = images[0]
	}
	made := r.textures.add(t, "")
	if !exact {
		r.otherwise = append(r.otherwise, fmt.Sprintf("%s is rgba8 in the scene: encoding its picture as %v again would change it", made, u.format))
	}
	r.textures.known[key.String()] = made
	return made, nil
}

// level reads a level of detail, decoded and as it is in memory.
func (r *recording) level(u unit, addr uint32, level int) (*texture.Image, []byte, error) {
	w, h := u.width>>level, u.height>>level
	data, err := r.gpu.Read(addr, uint32(texture.Size(u.format, w, h)))
	if err != nil {
		return nil, nil, err
	}
	im := texture.NewImage(w, h)
	return im, data, texture.Decode(im.Pix, data, u.format, w, h)
}

// room returns an error if a texture of that many texels cannot be captured any
// more.
func (t *textures) room(texels int) error {
	if t.texels+texels > maxTexels {
		return fmt.Errorf("the draws up to this one read more than %d different texels", maxTexels)
	}
	if len(t.list) == scene.MaxNames {
		return fmt.Errorf("a scene can have %d textures", scene.MaxNames)
	}
	return nil
}

// cubeFile takes down a cube map with levels, as a t3x file.
func (r *recording) cubeFile(t scene.Texture, u unit, addrs []uint32) (string, error) {
	file := &texture.T3X{Format: u.format, Width: u.width, Height: u.height, Levels: u.levels, Cube: true, Compression: texture.LZ11,
		SubTextures: []texture.SubTexture{{Width: uint16(u.width), Height: uint16(u.height), Top: 1024, Right: 1024}}}
	for _, addr := range addrs {
		data, err := r.gpu.Read(addr, uint32(file.FaceSize()))
		if err != nil && u.levels > 1 { // a level that is never read may lie anywhere
			u.levels--
			return r.cubeFile(t, u, addrs)
		}
		if err != nil {
			return "", err
		}
		file.Data = append(file.Data, data...)
	}
	t.Format = ""
	key := fmt.Sprintf("t3x %+v %dx%d %v %d %x", t, u.width, u.height, u.format, u.levels, sha256.Sum256(file.Data))
	if name, ok := r.textures.known[key]; ok {
		return name, nil
	}
	texels := len(addrs) * u.width * u.height * 4 / 3
	if err := r.textures.room(texels); err != nil {
		return "", err
	}
	r.textures.texels += texels
	t.Image.File = fmt.Sprintf("textures/%d.t3x", len(r.textures.images))
	r.textures.images = append(r.textures.images, imageFile{name: t.Image.File, t3x: file})
	made := r.textures.add(t, "")
	r.textures.known[key] = made
	return made, nil
}

// encodes reports whether encoding a picture gives the same texels again.
func encodes(im *texture.Image, data []byte, f pica.TextureFormat) bool {
	switch f {
	case pica.TextureFormatETC1, pica.TextureFormatETC1A4:
		return false
	}
	back := make([]byte, len(data))
	return texture.Encode(back, im.Pix, f, im.Width, im.Height) == nil && bytes.Equal(back, data)
}

// drawn returns the pass whose colour buffer a texture unit reads, or -1.
func (r *recording) drawn(d *draw, u unit) int {
	if u.cube() {
		return -1
	}
	found, draws, after := -1, 0, 0
	for i, p := range r.passes {
		draws += len(p.draws)
		c := p.color
		if c.addr == u.addr && c.bytes != 0 && c.width == u.width && c.height == u.height && pica.ColorFormat(c.format).Texture() == u.format {
			found, after = i, draws
		}
	}
	if found < 0 || r.filled(r.passes[found].color, after) {
		return -1
	}
	if found == d.pass {
		d.note("it reads the buffer that it draws to; the scene has the picture from before the draw")
		return -1
	}
	return found
}

// file returns the name of the PNG file of a picture.
func (t *textures) file(im *texture.Image) string {
	if t.files == nil {
		t.files = map[string]string{}
	}
	h := sha256.New()
	fmt.Fprintln(h, im.Width, im.Height)
	row := make([]byte, 0, 4*len(im.Pix))
	for _, p := range im.Pix {
		row = append(row, byte(p), byte(p>>8), byte(p>>16), byte(p>>24))
	}
	h.Write(row)
	key := string(h.Sum(nil))
	if name, ok := t.files[key]; ok {
		return name
	}
	name := fmt.Sprintf("textures/%d.png", len(t.images))
	t.files[key] = name
	t.images = append(t.images, imageFile{name: name, im: im})
	t.texels += len(im.Pix)
	return name
}

// add adds a texture unless there is the same one already.
func (t *textures) add(s scene.Texture, key string) string {
	key += fmt.Sprintf("%+v", s)
	if name, ok := t.known[key]; ok {
		return name
	}
	s.Name = fmt.Sprintf("texture%d", len(t.list))
	t.list = append(t.list, s)
	t.known[key] = s.Name
	return s.Name
}

func (t *textures) write(out *files.Folder) error {
	for _, f := range t.images {
		var b bytes.Buffer
		var err error
		if f.t3x == nil {
			err = f.im.WritePNG(&b)
		} else {
			var data []byte
			data, err = f.t3x.Encode()
			b.Write(data)
		}
		if err == nil {
			err = out.Write(f.name, b.Bytes())
		}
		if err != nil {
			return err
		}
	}
	return nil
}
