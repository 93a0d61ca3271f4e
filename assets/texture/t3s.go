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

// T3S is what tex3ds is told: by a command line, or by a .t3s file with options
// and the names of pictures.
type T3S struct {
	Images      []string
	Lines       []int // of Images, from 1
	Format      Format
	Smallest    bool // use the format's variant without alpha if no picture has any (auto-etc1, auto-l8, auto-l4)
	Compression Compression
	Filter      string // makes levels of detail; "" for one level
	Atlas       bool
	Cube        bool // a cross of 4x3 faces
	Skybox      bool // a cube that is seen from within
	Trim        bool // cut off edges of one colour
	Border      Border
	Raw         bool // the packed texels only
	Quick       bool // search less for blocks of ETC1
	// Outputs, "" for none; a file that others made must not name them.
	Out, Header, Preview, Depends string
}

// Border is what is put around each picture.
type Border uint8

const (
	NoBorder    Border = iota
	Transparent        // a transparent texel between pictures and at the edge
	Edge               // the outermost texels of the picture once more
)

// ErrT3S is wrapped by errors about a .t3s file that cannot be used.
var ErrT3S = errors.New("not a .t3s file that this program can use")

var formatAliases = map[string]string{
	"rgba": "rgba8", "rgba8888": "rgba8", "rgb": "rgb8", "rgb888": "rgb8", "rgba5551": "rgb5a1", "rgba5": "rgb5a1", "rgba4444": "rgba4",
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

// words splits a .t3s file as tex3ds does: at spaces outside of double quotes. It also returns the lines of the words, and with an error its line.
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
		return nil, []int{first}, errors.New("a quotation mark is not closed")
	}
	if some {
		list, lines = append(list, word.String()), append(lines, first)
	}
	return list, lines, nil
}

// T3SOption is an option of tex3ds.
type T3SOption struct {
	Long   string
	Short  byte
	Value  bool // it has one
	output bool // names a file to write
	set    func(t *T3S, value string) error
}

// Output reports whether the option's value is a file to write.
func (o *T3SOption) Output() bool { return o.output }

// flag makes an option without value.
func flag(long string, short byte, set func(t *T3S)) T3SOption {
	return T3SOption{long, short, false, false, func(t *T3S, _ string) error { set(t); return nil }}
}

func outputOption(long string, short byte, to func(t *T3S) *string) T3SOption {
	return T3SOption{long, short, true, true, func(t *T3S, value string) error { *to(t) = value; return nil }}
}

// T3SOptions are the options, except those that include files or print
// something.
var T3SOptions = []T3SOption{
	{"format", 'f', true, false, (*T3S).setFormat},
	{"compress", 'z', true, false, (*T3S).setCompression},
	{"mipmap", 'm', true, false, (*T3S).setFilter},
	{"quality", 'q', true, false, (*T3S).setQuality},
	{"border", 'b', true, false, (*T3S).setBorder},
	flag("atlas", 'a', func(t *T3S) { t.Atlas, t.Cube, t.Skybox = true, false, false }),
	flag("cubemap", 'c', func(t *T3S) { t.Atlas, t.Cube, t.Skybox = false, true, false }),
	flag("skybox", 's', func(t *T3S) { t.Atlas, t.Cube, t.Skybox = false, true, true }),
	flag("trim", 't', func(t *T3S) { t.Trim = true }),
	flag("raw", 'r', func(t *T3S) { t.Raw = true }),
	outputOption("output", 'o', func(t *T3S) *string { return &t.Out }),
	outputOption("header", 'H', func(t *T3S) *string { return &t.Header }),
	outputOption("preview", 'p', func(t *T3S) *string { return &t.Preview }),
	outputOption("depends", 'd', func(t *T3S) *string { return &t.Depends }),
}

// Set sets an option.
func (t *T3S) Set(o *T3SOption, value string) error {
	if err := o.set(t, value); err != nil {
		return fmt.Errorf("--%s %s: %w", o.Long, value, err)
	}
	return nil
}

func oneOf(value string, names ...string) error {
	if !slices.Contains(names, strings.ToLower(value)) {
		return fmt.Errorf("there are %s", strings.Join(names, ", "))
	}
	return nil
}

func (t *T3S) setQuality(value string) error {
	t.Quick = strings.EqualFold(value, "low")
	return oneOf(value, "low", "med", "medium", "high")
}

func (t *T3S) setFilter(value string) error {
	t.Filter = strings.ToLower(value)
	return checkFilter(t.Filter)
}

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

var compressions = map[string]Compression{"auto": Best, "none": Stored, "huff": Huffman8, "huffman": Huffman8, "lz10": LZ10, "lzss": LZ10, "lz11": LZ11, "rle": RunLength}

func (t *T3S) setCompression(value string) error {
	c, ok := compressions[strings.ToLower(value)]
	if !ok {
		return errors.New("there are auto, none, huff, lz10, lz11 and rle")
	}
	t.Compression = c
	return nil
}

var borders = []string{NoBorder: "none", Transparent: "transparent", Edge: "edge"}

func (t *T3S) setBorder(value string) error {
	t.Border = Border(max(slices.Index(borders, strings.ToLower(value)), 0))
	return oneOf(value, borders...)
}

// NewT3S returns tex3ds's defaults.
func NewT3S() *T3S { return &T3S{Compression: Best} }

// ParseT3S parses a .t3s file. Unknown options are errors, because they could
// change the picture.
func ParseT3S(text string) (*T3S, error) {
	t := NewT3S()
	if err := t.Include(text); err != nil {
		return nil, err
	}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrT3S, err)
	}
	return t, nil
}

// Include adds the options and pictures of a .t3s file.
func (t *T3S) Include(text string) error {
	list, lines, err := words(text)
	line := 1
	if err != nil {
		line = lines[0]
	}
	for err == nil && len(list) > 0 {
		line = lines[len(lines)-len(list)]
		if list, err = t.take(list[0], list[1:]); len(t.Images) > len(t.Lines) {
			t.Lines = append(t.Lines, line)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: line %d: %w", ErrT3S, line, err)
	}
	return nil
}

// Check reports what does not go together.
func (t *T3S) Check() error {
	switch {
	case len(t.Images) == 0:
		return errors.New("it names no picture")
	case len(t.Images) > 1 && !t.Atlas:
		return fmt.Errorf("%d pictures, which only an atlas has%s", len(t.Images), t.second())
	case t.Border != NoBorder && t.Cube:
		return errors.New("a cube map has no border")
	}
	return nil
}

// second says where a second picture is named.
func (t *T3S) second() string {
	if len(t.Lines) < 2 {
		return ""
	}
	return fmt.Sprintf("; the second is named in line %d", t.Lines[1])
}

// take takes a picture or an option, and returns the words after it.
func (t *T3S) take(word string, rest []string) ([]string, error) {
	if !strings.HasPrefix(word, "-") {
		t.Images = append(t.Images, word)
		return rest, nil
	}
	name, value, given := word, "", false
	i := slices.IndexFunc(T3SOptions, func(o T3SOption) bool { return word[1:] == string(o.Short) })
	if long, ok := strings.CutPrefix(word, "--"); ok {
		name, value, given = strings.Cut(long, "=")
		i = slices.IndexFunc(T3SOptions, func(o T3SOption) bool { return o.Long == name })
	} else if i < 0 && len(word) > 2 { // -frgba
		value, given = word[2:], true
		i = slices.IndexFunc(T3SOptions, func(o T3SOption) bool { return o.Value && word[1] == o.Short })
	}
	switch {
	case i < 0:
		return nil, fmt.Errorf("there is no option %s here; tex3ds may have it", word)
	case T3SOptions[i].output && T3SOptions[i].Long != "preview":
		return nil, fmt.Errorf("%s: a file to write is named on the command line, not here", word)
	case T3SOptions[i].Value && !given && len(rest) == 0:
		return nil, fmt.Errorf("%s wants a value", word)
	case T3SOptions[i].Value && !given:
		value, rest = rest[0], rest[1:]
	}
	if T3SOptions[i].output { // a list's preview is not written
		return rest, nil
	}
	return rest, t.Set(&T3SOptions[i], value)
}

// Make makes the texture from images, which are those of t.Images in order.
func (t *T3S) Make(images []*Image) (*T3X, error) {
	images = slices.Clone(images)
	for i, im := range images {
		if t.Trim {
			im = im.trimmed()
		}
		if t.Border == Edge {
			im = im.edged()
		}
		images[i] = im
	}
	gap := 0
	if t.Border == Transparent {
		gap = 1
	}
	faces, rectangles := images[:1], []rectangle{{0, gap, gap, images[0].Width, images[0].Height, false}}
	w, h := powerOfTwo(images[0].Width+2*gap), powerOfTwo(images[0].Height+2*gap)
	var err error
	switch {
	case t.Cube:
		rectangles = nil
		faces, err = t.faces(images[0])
	case t.Atlas:
		rectangles, w, h, err = arrange(images, gap)
	}
	if err == nil && (w > MaxSize || h > MaxSize) {
		err = fmt.Errorf("%dx%d texels, at most %d to a side", images[0].Width+2*gap, images[0].Height+2*gap, MaxSize)
	}
	if err != nil {
		return nil, err
	}
	if !t.Cube {
		faces = []*Image{sheet(images, rectangles, w, h)}
	}
	format := t.Format
	if t.Smallest && !slices.ContainsFunc(images, (*Image).hasAlpha) {
		format = withoutAlpha[format]
	}
	x, err := t.encode(faces, format)
	if err != nil {
		return nil, err
	}
	x.SubTextures = make([]SubTexture, len(rectangles))
	for _, p := range rectangles {
		if t.Border == Edge {
			p.x, p.y, p.w, p.h = p.x+1, p.y+1, p.w-2, p.h-2
		}
		left, right, top, bottom := uint16(p.x*1024/w), uint16((p.x+p.w)*1024/w), uint16(1024-p.y*1024/h), uint16(1024-(p.y+p.h)*1024/h)
		x.SubTextures[p.image] = SubTexture{uint16(p.w), uint16(p.h), left, top, right, bottom}
		if p.turned {
			x.SubTextures[p.image] = SubTexture{uint16(p.h), uint16(p.w), bottom, left, top, right}
		}
	}
	return x, nil
}

// encode makes the levels of all faces.
func (t *T3S) encode(faces []*Image, format Format) (*T3X, error) {
	w, h := faces[0].Width, faces[0].Height
	x := &T3X{Format: format, Width: w, Height: h, Levels: 1, Cube: t.Cube, Compression: t.Compression}
	if t.Filter != "" {
		x.Levels = MaxLevels(w, h)
	}
	if err := checkSize(format, w, h); err != nil {
		return nil, err
	}
	x.Data = make([]byte, x.FaceSize()*x.Faces())
	for i, im := range faces {
		whole := deepen(im)
		for l := range x.Levels {
			d := whole
			if l > 0 {
				d = whole.smaller(filters[t.Filter], l)
			}
			texels, w, h := x.Level(i, l)
			if err := encodeTiles(texels, d.rounded(format).Pix, format, w, h, !t.Quick); err != nil {
				return nil, err
			}
		}
	}
	return x, nil
}

// HeaderText returns the C header that tex3ds writes beside the texture: the number
// of each picture, named after the header and, in an atlas, the picture.
func (t *T3S) HeaderText(name string) string {
	var b strings.Builder
	b.WriteString("/* Generated by tex3ds */\n#pragma once\n\n")
	if t.Cube {
		return b.String()
	}
	prefix := identifier(name)
	for i, image := range t.Images {
		label := ""
		if t.Atlas {
			if label = identifier(image); label[0] != '_' {
				label = "_" + label
			}
		}
		fmt.Fprintf(&b, "#define %s%s_idx %d\n", prefix, label, i)
	}
	return b.String()
}

// identifier makes a name in C of a file's without its ending.
func identifier(file string) string {
	base := path.Base(strings.ReplaceAll(file, `\`, "/"))
	if dot := strings.LastIndexByte(base, '.'); dot >= 0 {
		base = base[:dot]
	}
	clean := []byte(base)
	for i, c := range clean {
		if c != '_' && !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
			clean[i] = '_'
		}
	}
	if len(clean) == 0 {
		return "_"
	}
	return string(clean)
}

func (im *Image) hasAlpha() bool {
	return slices.ContainsFunc(im.Pix, func(v uint32) bool { return v>>24 != 255 })
}

// faces cuts a cross of 4x3 squares into the faces of a cube map, in their
// order. Rows of a face run downwards.
func (t *T3S) faces(im *Image) ([]*Image, error) {
	n := im.Width / 4
	if n < MinSize || n&(n-1) != 0 || im.Width != 4*n || im.Height != 3*n {
		return nil, fmt.Errorf("a cube map of %dx%d texels; a cross of 4x3 squares is expected, with sides of a power of two, %d to %d", im.Width, im.Height, MinSize, MaxSize)
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
