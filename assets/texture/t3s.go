package texture

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"pica200/pica"
)

// T3S is the contents of a .t3s file: options of tex3ds, and the names of
// pictures.
type T3S struct {
	Images      []string
	Lines       []int // of Images, from 1
	Format      Format
	Smallest    bool // use the format's variant without alpha if no picture has any (auto-etc1, auto-l8, auto-l4)
	Compression Compression
	Mipmaps     bool
	Atlas       bool
	Cube        bool // a cross of 4x3 faces
	Skybox      bool // a cube that is seen from within
	Border      int  // transparent texels around pictures of an atlas
}

// ErrT3S is wrapped by errors about a .t3s file that cannot be used.
var ErrT3S = errors.New("not a .t3s file that this program can use")

var formatAliases = map[string]string{
	"rgba": "rgba8", "rgba8888": "rgba8", "rgb": "rgb8", "rgb888": "rgb8", "rgba5551": "rgb5a1", "rgba4444": "rgba4",
	"la": "ia8", "la8": "ia8", "la88": "ia8", "hilo": "rg8", "hilo8": "rg8", "hilo88": "rg8", "l": "i8", "l8": "i8", "a": "a8",
	"la4": "ia4", "la44": "ia4", "l4": "i4",
}

// ParseFormat returns the texture format with a name, ours or that of another
// tool.
func ParseFormat(name string) (Format, error) {
	known := strings.ToLower(name)
	known = cmp.Or(formatAliases[known], known)
	if v, ok := pica.TextureFormats.Lookup(known); ok {
		return Format(v), nil
	}
	return 0, fmt.Errorf("there is no %q; there are %s", name, strings.Join(pica.TextureFormats.Names(), ", "))
}

// withoutAlpha maps formats to their variants without alpha.
var withoutAlpha = map[Format]Format{
	pica.TextureFormatETC1A4: pica.TextureFormatETC1, pica.TextureFormatIA8: pica.TextureFormatI8, pica.TextureFormatIA4: pica.TextureFormatI4,
}

// words splits a .t3s file as tex3ds does: at spaces outside of double quotes. It also returns the lines of the words.
func words(text string) (list []string, lines []int, err error) {
	line, first := 1, 1
	var word strings.Builder
	quoted, some := false, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if !some {
			first = line
		}
		if c == '\n' {
			line++
		}
		switch {
		case c == '"':
			quoted, some = !quoted, true
			continue
		case c == '\\' && quoted && i+1 < len(text):
			i++
			c = text[i]
		case !quoted && strings.IndexByte(" \t\r\n\v\f", c) >= 0:
			if some {
				list, lines = append(list, word.String()), append(lines, first)
			}
			word.Reset()
			some = false
			continue
		}
		word.WriteByte(c)
		some = true
	}
	if quoted {
		return nil, nil, errors.New("a quotation mark is not closed")
	}
	if some {
		list, lines = append(list, word.String()), append(lines, first)
	}
	return list, lines, nil
}

// option is an option of tex3ds.
type option struct {
	value bool // it takes one
	set   func(t *T3S, value string) error
}

var options = map[string]option{
	"-f": {true, (*T3S).setFormat}, "--format": {true, (*T3S).setFormat},
	"-z": {true, (*T3S).setCompression}, "--compress": {true, (*T3S).setCompression},
	"-m": {true, (*T3S).setMipmaps}, "--mipmap": {true, (*T3S).setMipmaps},
	"-q": {true, ignore}, "--quality": {true, ignore}, // files are smaller or made faster
	"--border":  {true, (*T3S).setBorder},
	"--atlas":   {false, func(t *T3S, _ string) error { t.Atlas = true; return nil }},
	"--cubemap": {false, func(t *T3S, _ string) error { t.Cube = true; return nil }},
	"--skybox":  {false, func(t *T3S, _ string) error { t.Cube, t.Skybox = true, true; return nil }},
}

func ignore(*T3S, string) error { return nil }

func (t *T3S) setMipmaps(string) error { t.Mipmaps = true; return nil }

func (t *T3S) setFormat(value string) (err error) {
	value, t.Smallest = strings.CutPrefix(strings.ToLower(value), "auto-")
	if t.Format, err = ParseFormat(value); err != nil || !t.Smallest {
		return err
	}
	for with, without := range withoutAlpha {
		if without == t.Format {
			t.Format = with
		}
	}
	if _, ok := withoutAlpha[t.Format]; !ok {
		return errors.New("there are auto-etc1, auto-l8 and auto-l4")
	}
	return nil
}

var compressions = map[string]Compression{"auto": LZ11, "none": Stored, "lz10": LZ10, "lzss": LZ10, "lz11": LZ11, "rle": RunLength}

func (t *T3S) setCompression(value string) error {
	c, ok := compressions[strings.ToLower(value)]
	if !ok {
		return errors.New("there are auto, none, lz10, lz11 and rle")
	}
	t.Compression = c
	return nil
}

func (t *T3S) setBorder(value string) error {
	if _, err := fmt.Sscan(value, &t.Border); err != nil || t.Border < 0 || t.Border > MaxSize/2 {
		return errors.New("a number of texels is expected")
	}
	return nil
}

// ParseT3S parses a .t3s file. Unknown options are errors, because they could
// change the picture.
func ParseT3S(text string) (*T3S, error) {
	t := &T3S{Compression: LZ11}
	list, lines, err := words(text)
	for err == nil && len(list) > 0 {
		line := lines[len(lines)-len(list)]
		if list, err = t.take(list[0], list[1:]); len(t.Images) > len(t.Lines) {
			t.Lines = append(t.Lines, line)
		}
	}
	switch {
	case err != nil:
	case len(t.Images) == 0:
		err = errors.New("it names no picture")
	case len(t.Images) > 1 && !t.Atlas:
		err = fmt.Errorf("%d pictures, which only an atlas has", len(t.Images))
	case t.Atlas && t.Cube:
		err = errors.New("a cube map cannot be an atlas")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrT3S, err)
	}
	return t, nil
}

// take takes a picture or an option, and returns the words after it.
func (t *T3S) take(word string, rest []string) ([]string, error) {
	if !strings.HasPrefix(word, "-") {
		t.Images = append(t.Images, word)
		return rest, nil
	}
	name, value, given := strings.Cut(word, "=")
	o, ok := options[name]
	switch {
	case !ok:
		return nil, fmt.Errorf("there is no option %s here; tex3ds may have it", name)
	case o.value && !given && len(rest) == 0:
		return nil, fmt.Errorf("%s wants a value", name)
	case o.value && !given:
		value, rest = rest[0], rest[1:]
	}
	if err := o.set(t, value); err != nil {
		return nil, fmt.Errorf("%s %s: %w", name, value, err)
	}
	return rest, nil
}

// Make makes the texture from images, which are those of t.Images in order.
func (t *T3S) Make(images []*Image) (*T3X, error) {
	faces, places := images, []place{{0, 0, 0, images[0].Width, images[0].Height}}
	var err error
	switch {
	case t.Cube:
		faces, err = t.faces(images[0])
	case t.Atlas:
		var sheet *Image
		sheet, places, err = pack(images, t.Border)
		faces = []*Image{sheet}
	default:
		faces = []*Image{sheet(images, places, powerOfTwo(images[0].Width), powerOfTwo(images[0].Height))}
	}
	if err != nil {
		return nil, err
	}
	w, h, format := faces[0].Width, faces[0].Height, t.Format
	if t.Smallest && !slices.ContainsFunc(images, (*Image).hasAlpha) {
		format = withoutAlpha[format]
	}
	levels := 1
	if t.Mipmaps {
		levels = MaxLevels(w, h)
	}
	x, err := NewT3X(format, levels, faces...)
	if err != nil {
		return nil, err
	}
	x.Compression = t.Compression
	if t.Cube {
		return x, nil
	}
	x.SubTextures = make([]SubTexture, len(images))
	for _, p := range places {
		x.SubTextures[p.image] = SubTexture{
			Width: uint16(p.w), Height: uint16(p.h),
			Left: uint16(p.x * 1024 / w), Right: uint16((p.x + p.w) * 1024 / w),
			Top: uint16(1024 - p.y*1024/h), Bottom: uint16(1024 - (p.y+p.h)*1024/h),
		}
	}
	return x, nil
}

// Header returns the C header that tex3ds writes beside the texture: the number
// of each picture, named after the header and, in an atlas, the picture.
func (t *T3S) Header(name string) string {
	var b strings.Builder
	b.WriteString("#pragma once\n\n")
	for i, image := range t.Images {
		label := identifier(strings.TrimSuffix(path.Base(name), path.Ext(name)))
		if t.Atlas {
			label += "_" + identifier(strings.TrimSuffix(path.Base(image), path.Ext(image)))
		}
		fmt.Fprintf(&b, "#define %s_idx %d\n", label, i)
	}
	return b.String()
}

func identifier(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z') {
			return r
		}
		return '_'
	}, name)
}

func (im *Image) hasAlpha() bool {
	return slices.ContainsFunc(im.Pix, func(v uint32) bool { return v>>24 != 255 })
}

func powerOfTwo(n int) int {
	p := MinSize
	for p < n {
		p *= 2
	}
	return p
}

// place is the place of a picture in a sheet, from the sheet's top left.
type place struct{ image, x, y, w, h int }

// sheet copies pictures into one. Transparent texels become black, as with
// tex3ds; filters mix them with their neighbours.
func sheet(images []*Image, places []place, w, h int) *Image {
	out := NewImage(w, h)
	for _, p := range places {
		im := images[p.image]
		for y := range p.h { // rows of an Image run upwards
			row := out.Pix[(h-1-p.y-y)*w+p.x:][:p.w]
			for x, v := range im.Pix[(p.h-1-y)*p.w:][:p.w] {
				if v>>24 != 0 {
					row[x] = v
				}
			}
		}
	}
	return out
}

// pack arranges pictures in rows, the highest first, in the smallest sheet that
// holds them so.
func pack(images []*Image, border int) (*Image, []place, error) {
	order := make([]int, len(images))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(images[b].Height, images[a].Height) })
	type size struct{ w, h int }
	var sizes []size
	for w := MinSize; w <= MaxSize; w *= 2 {
		for h := MinSize; h <= MaxSize; h *= 2 {
			sizes = append(sizes, size{w, h})
		}
	}
	slices.SortStableFunc(sizes, func(a, b size) int { return cmp.Compare(a.w*a.h, b.w*b.h) })
	for _, s := range sizes {
		var places []place
		x, y, row := border, border, 0
		for _, i := range order {
			w, h := images[i].Width, images[i].Height
			if x+w+border > s.w {
				x, y, row = border, y+row+border, 0
			}
			if x+w+border > s.w || y+h+border > s.h {
				break
			}
			places = append(places, place{i, x, y, w, h})
			x, row = x+w+border, max(row, h)
		}
		if len(places) == len(images) {
			return sheet(images, places, s.w, s.h), places, nil
		}
	}
	return nil, nil, fmt.Errorf("%d pictures do not fit into a texture of %dx%d", len(images), MaxSize, MaxSize)
}

// faces cuts a cross of 4x3 squares into the faces of a cube map, in their
// order. Rows of a face run downwards.
func (t *T3S) faces(im *Image) ([]*Image, error) {
	n := im.Width / 4
	if n == 0 || im.Width != 4*n || im.Height != 3*n {
		return nil, fmt.Errorf("a cube map of %dx%d texels; a cross of 4x3 squares is expected", im.Width, im.Height)
	}
	cross := [6][2]int{{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {3, 1}}
	if t.Skybox {
		cross[4], cross[5] = cross[5], cross[4]
	}
	list := make([]*Image, 6)
	for i, at := range cross {
		list[i] = NewImage(n, n)
		poles := i == 2 || i == 3
		for y := range n {
			for x := range n {
				sx, sy := x, y // of the square, from its top left
				if t.Skybox && !poles {
					sx = n - 1 - x
				}
				if t.Skybox && poles {
					sy = n - 1 - y
				}
				list[i].Pix[y*n+x] = im.Pix[(im.Height-1-at[1]*n-sy)*im.Width+at[0]*n+sx]
			}
		}
	}
	return list, nil
}
