package texture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"math/bits"

	"pica200/assets/tree"
)

// ErrT3X is wrapped by every error about a file that is not a readable t3x.
var ErrT3X = errors.New("not a valid t3x file")

// T3X is a texture file of devkitPro's tex3ds. The format has no magic:
//
//	0  u16 number of subtextures
//	2  u8  bits 0-2 log2(width)-3, 3-5 log2(height)-3, 6 cube map
//	3  u8  texture format
//	4  u8  number of levels of detail after the first
//	5  12 bytes a subtexture: u16 width, height, left, top, right, bottom
//	.. packed texels (see Compression): all levels of the first face, largest
//	   first, then of the other faces of a cube map (+x -x +y -y +z -z)
type T3X struct {
	Format        Format
	Width, Height int // powers of two, 8 to 1024
	Levels        int // levels of detail, at least 1
	Cube          bool
	SubTextures   []SubTexture

	// Data is the texels as the GPU reads them: Faces() times FaceSize() bytes.
	Data []byte

	// Packed is the block from which Data was unpacked, with header and padding.
	// Encode writes it unchanged; set it to nil after changing Data.
	Packed []byte
	// Compression is used by Encode if Packed is nil.
	Compression Compression

	// Findings says what is unusual in a parsed file.
	Findings tree.Findings
}

// SubTexture is a rectangle of the texture. Left to Bottom are texture
// coordinates in units of 1/1024; 1024 is the top and the right edge of the
// texture. If Top is less than Bottom, the picture is stored rotated by 90
// degrees anticlockwise.
type SubTexture struct {
	Width, Height            uint16 // of the picture, in texels
	Left, Top, Right, Bottom uint16
}

// Rotated reports whether the picture is stored rotated.
func (s SubTexture) Rotated() bool { return s.Top < s.Bottom }

// Place returns where the picture lies in the largest level of a texture, whose rows run upwards.
func (s SubTexture) Place(width, height int) (r image.Rectangle, err error) {
	left, right, top, bottom := int(s.Left), int(s.Right), int(s.Top), int(s.Bottom)
	w, h := int(s.Width), int(s.Height) // as it lies in the texture
	if s.Rotated() {
		left, right, top, bottom = top, bottom, right, left
		w, h = h, w
	}
	x, y := left*width/1024, bottom*height/1024
	if w == 0 || h == 0 || right < left || top < bottom || x+w > width || y+h > height {
		return r, fmt.Errorf("a subtexture of %dx%d at %d, %d is not inside the texture of %dx%d", s.Width, s.Height, x, y, width, height)
	}
	return image.Rect(x, y, x+w, y+h), nil
}

// Cut returns the picture from the largest level of the texture, upright.
func (s SubTexture) Cut(whole *Image) (*Image, error) {
	at, err := s.Place(whole.Width, whole.Height)
	if err != nil {
		return nil, err
	}
	w, h := at.Dx(), at.Dy()
	out := NewImage(int(s.Width), int(s.Height))
	for row := range h {
		for col, v := range whole.Pix[(at.Min.Y+row)*whole.Width+at.Min.X:][:w] {
			to := row*w + col
			if s.Rotated() { // rows run upwards; anticlockwise there is clockwise here
				to = (out.Height-1-col)*out.Width + out.Width - 1 - (h - 1 - row)
			}
			out.Pix[to] = v
		}
	}
	return out, nil
}

// t3xHead is the header.
type t3xHead struct {
	subtextures          uint16
	size, format, levels uint8 // as in the list above
}

var (
	t3xHeader = tree.NewRecord("header", func(h *t3xHead, f *tree.Fields) {
		t := h.texture()
		tree.Number(f, "subtextures", &h.subtextures, "%d")
		tree.Number(f, "size", &h.size, "%[2]dx%d, %s", t.Width, t.Height, t.kind())
		tree.Number(f, "format", &h.format, "%[2]v", t.Format)
		tree.Number(f, "further levels", &h.levels, "%d")
	})
	t3xSubTexture = tree.NewRecord("subtexture", func(s *SubTexture, f *tree.Fields) {
		tree.Number(f, "width", &s.Width, "%d")
		tree.Number(f, "height", &s.Height, "%d")
		for i, name := range [...]string{"left", "top", "right", "bottom"} {
			p := [...]*uint16{&s.Left, &s.Top, &s.Right, &s.Bottom}[i]
			tree.Number(f, name, p, "%[2]g", float64(*p)/1024)
		}
	})
)

// texture returns what the header says.
func (h *t3xHead) texture() *T3X {
	return &T3X{Width: 8 << (h.size & 7), Height: 8 << (h.size >> 3 & 7), Cube: h.size>>6&1 != 0, Format: Format(h.format), Levels: int(h.levels) + 1}
}

// CubeFaces names the faces of a cube, in the order of their addresses.
var CubeFaces = [6]string{"+x", "-x", "+y", "-y", "+z", "-z"}

// Faces is 6 for a cube map, otherwise 1.
func (t *T3X) Faces() int {
	if t.Cube {
		return 6
	}
	return 1
}

// FaceSize is the number of bytes all levels of a face take.
func (t *T3X) FaceSize() int { return SizeLevels(t.Format, t.Width, t.Height, t.Levels) }

// Level returns the texels of a level of a face, a slice of Data, and the
// level's size; nil if there is no such level.
func (t *T3X) Level(face, level int) (texels []byte, w, h int) {
	if face < 0 || face >= t.Faces() || level < 0 || level >= t.Levels {
		return nil, 0, 0
	}
	at := face*t.FaceSize() + SizeLevels(t.Format, t.Width, t.Height, level)
	w, h = max(t.Width>>level, MinSize), max(t.Height>>level, MinSize)
	end := at + Size(t.Format, w, h)
	if end > len(t.Data) {
		return nil, 0, 0
	}
	return t.Data[at:end:end], w, h
}

// Image decodes a level of a face.
func (t *T3X) Image(face, level int) (*Image, error) {
	texels, w, h := t.Level(face, level)
	if texels == nil {
		return nil, fmt.Errorf("t3x: there is no level %d of face %d", level, face)
	}
	im := NewImage(w, h)
	return im, Decode(im.Pix, texels, t.Format, w, h)
}

// Converted returns the texture in another format, packed as short as possible.
func (t *T3X) Converted(f Format) (*T3X, error) {
	out := &T3X{Format: f, Width: t.Width, Height: t.Height, Levels: t.Levels, Cube: t.Cube, SubTextures: t.SubTextures, Compression: Best}
	out.Data = make([]byte, out.FaceSize()*out.Faces())
	for face := range t.Faces() {
		for level := range t.Levels {
			im, err := t.Image(face, level)
			if err != nil {
				return nil, err
			}
			texels, w, h := out.Level(face, level)
			if err := encodeTiles(texels, deepen(im).rounded(f).Pix, f, w, h, true); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// IsT3X reports whether data can be a t3x file: its header is consistent and
// matches the size of the texels.
func IsT3X(data []byte) bool {
	t, at, err := ParseT3XHeader(data)
	if err != nil {
		return false
	}
	_, size, _, err := PackedHeader(data[at:])
	return err == nil && size == t.FaceSize()*t.Faces()
}

// ParseT3XHeader reads the header and the table of subtextures only; the packed
// texels start at end. Compression and Data are not set.
func ParseT3XHeader(data []byte) (t *T3X, end int, err error) {
	if len(data) < t3xHeader.Size {
		return nil, 0, fmt.Errorf("%w: offset 0x0: %d bytes, want a header of %d", ErrT3X, len(data), t3xHeader.Size)
	}
	var h t3xHead
	t3xHeader.Read(data, &h)
	t = h.texture()
	n := int(h.subtextures)
	end = t3xHeader.Size + n*t3xSubTexture.Size
	switch {
	case Bits(t.Format) == 0:
		return nil, 0, fmt.Errorf("%w: offset 0x%x: texture format %d, the last is %d", ErrT3X, t3xHeader.At("format"), h.format, len(layouts)-1)
	case t.Levels > MaxLevels(t.Width, t.Height):
		return nil, 0, fmt.Errorf("%w: offset 0x%x: %d levels, a texture of %dx%d has at most %d", ErrT3X, t3xHeader.At("further levels"), t.Levels, t.Width, t.Height, MaxLevels(t.Width, t.Height))
	case len(data) < end:
		return nil, 0, fmt.Errorf("%w: offset 0x%x: the file ends inside the table of %d subtextures", ErrT3X, len(data), n)
	}
	if h.size>>7 != 0 {
		t.Findings.Problemf(t3xHeader.At("size"), "bit 7 of the size byte is set; its meaning is not known")
	}
	t.SubTextures = make([]SubTexture, n)
	for i := range t.SubTextures {
		at := t3xHeader.Size + i*t3xSubTexture.Size
		t3xSubTexture.Read(data[at:], &t.SubTextures[i])
		t.checkSubTexture(int64(at), i, t.SubTextures[i])
	}
	return t, end, nil
}

// checkSubTexture reports a rectangle that is outside of the texture or does
// not have the entry's size. tex3ds computes the coordinates from the size, so
// they agree except for rounding.
func (t *T3X) checkSubTexture(at int64, i int, s SubTexture) {
	if max(s.Left, s.Top, s.Right, s.Bottom) > 1024 {
		t.Findings.Problemf(at, "subtexture %d reaches outside the texture", i)
		return
	}
	w := int(s.Right) - int(s.Left)
	h := int(s.Top) - int(s.Bottom)
	tw, th := t.Width, t.Height
	if s.Rotated() {
		h = -h
		tw, th = th, tw
	}
	if w < 0 {
		t.Findings.Problemf(at, "subtexture %d has its left edge right of its right edge", i)
		return
	}
	if d := w*tw/1024 - int(s.Width); d < -1 || d > 1 {
		t.Findings.Problemf(at, "subtexture %d is %d wide, but its coordinates span %g texels", i, s.Width, float64(w*tw)/1024)
	}
	if d := h*th/1024 - int(s.Height); d < -1 || d > 1 {
		t.Findings.Problemf(at, "subtexture %d is %d high, but its coordinates span %g texels", i, s.Height, float64(h*th)/1024)
	}
}

// ParseT3X reads a t3x file. Packed refers to data. Errors wrap ErrT3X and
// name the offset.
func ParseT3X(data []byte) (*T3X, error) {
	t, at, err := ParseT3XHeader(data)
	if err != nil {
		return nil, err
	}
	want := t.FaceSize() * t.Faces()
	c, size, _, err := PackedHeader(data[at:])
	if err != nil {
		return nil, fmt.Errorf("%w: offset 0x%x: %w", ErrT3X, at, err)
	}
	if size < want {
		return nil, fmt.Errorf("%w: offset 0x%x: %d bytes of texels, the texture takes %d", ErrT3X, at, size, want)
	}
	texels, used, err := Unpack(data[at:], want)
	if err != nil {
		return nil, fmt.Errorf("%w: offset 0x%x: %w", ErrT3X, at, err)
	}
	t.Compression, t.Data, t.Packed = c, texels, data[at:]
	rest := data[at+used:]
	if len(bytes.Trim(rest, "\x00")) > 0 {
		t.Findings.Problemf(int64(at+used), "%d bytes follow the texels", len(rest))
		return t, nil
	}
	// tex3ds pads the packed block to a multiple of 4 bytes; its LZ packer may also
	// have started a group of items that stays empty.
	if len(rest) > 4 {
		t.Findings.Notef(int64(at+used), "%d zero bytes follow the texels", len(rest))
	}
	return t, nil
}

// Encode returns the file.
func (t *T3X) Encode() ([]byte, error) {
	lw, lh := bits.TrailingZeros(uint(t.Width))-3, bits.TrailingZeros(uint(t.Height))-3
	switch {
	case t.Width != 8<<max(lw, 0) || t.Height != 8<<max(lh, 0) || t.Width > MaxSize || t.Height > MaxSize:
		return nil, fmt.Errorf("t3x: %dx%d texels: width and height must be powers of two, %d to %d", t.Width, t.Height, MinSize, MaxSize)
	case t.Levels < 1 || t.Levels > MaxLevels(t.Width, t.Height):
		return nil, fmt.Errorf("t3x: %d levels, a texture of %dx%d has 1 to %d", t.Levels, t.Width, t.Height, MaxLevels(t.Width, t.Height))
	case Bits(t.Format) == 0:
		return nil, fmt.Errorf("t3x: texture format %d does not exist", t.Format)
	case len(t.SubTextures) > 0xFFFF:
		return nil, fmt.Errorf("t3x: %d subtextures, at most %d", len(t.SubTextures), 0xFFFF)
	case len(t.Data) != t.FaceSize()*t.Faces():
		return nil, fmt.Errorf("t3x: %d bytes of texels, want %d", len(t.Data), t.FaceSize()*t.Faces())
	}
	h := t3xHead{uint16(len(t.SubTextures)), byte(lw | lh<<3), byte(t.Format), byte(t.Levels - 1)}
	if t.Cube {
		h.size |= 1 << 6
	}
	out := t3xHeader.Append(nil, &h)
	for i := range t.SubTextures {
		out = t3xSubTexture.Append(out, &t.SubTextures[i])
	}
	packed := t.Packed
	if packed == nil {
		var err error
		if packed, err = Pack(t.Data, t.Compression); err != nil {
			return nil, fmt.Errorf("t3x: %w", err)
		}
	}
	return append(out, packed...), nil
}

// NewT3X makes a texture from pictures of one size, one for a plain texture and
// six (+x -x +y -y +z -z) for a cube map, with the given number of levels,
// packed as LZ11. The size must be a valid texture size. The only subtexture is
// the whole picture.
func NewT3X(f Format, levels int, faces ...*Image) (*T3X, error) {
	if len(faces) != 1 && len(faces) != 6 {
		return nil, fmt.Errorf("t3x: %d pictures, want 1, or 6 for a cube map", len(faces))
	}
	t := &T3X{Format: f, Width: faces[0].Width, Height: faces[0].Height, Levels: levels, Cube: len(faces) == 6, Compression: LZ11}
	if err := checkSize(f, t.Width, t.Height); err != nil {
		return nil, fmt.Errorf("t3x: %w", err)
	}
	if levels < 1 || levels > MaxLevels(t.Width, t.Height) {
		return nil, fmt.Errorf("t3x: %d levels, a texture of %dx%d has 1 to %d", levels, t.Width, t.Height, MaxLevels(t.Width, t.Height))
	}
	t.SubTextures = []SubTexture{{Width: uint16(t.Width), Height: uint16(t.Height), Top: 1024, Right: 1024}}
	t.Data = make([]byte, t.FaceSize()*t.Faces())
	for i, im := range faces {
		if im.Width != t.Width || im.Height != t.Height {
			return nil, fmt.Errorf("t3x: face %d is %dx%d, the first is %dx%d", i, im.Width, im.Height, t.Width, t.Height)
		}
		for l := range levels {
			texels, w, h := t.Level(i, l)
			if err := Encode(texels, im.Pix, f, w, h); err != nil {
				return nil, fmt.Errorf("t3x: %w", err)
			}
			im = im.half()
		}
	}
	return t, nil
}
