package main

import (
	"fmt"
	"image"
	"image/draw"
	"path/filepath"
	"strconv"
	"strings"

	"pica200/assets/bcfnt"
	"pica200/assets/imagefile"
	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/internal/quote"
	"pica200/scene/source"
)

type texCmd struct {
	Files   []string `arg:"" optional:"" placeholder:"FILE" help:"Picture (PNG, JPEG, BMP, GIF, TGA, .t3x), several for an atlas; fonts for a font; or lists of options and pictures (.t3s), with names relative to the list's folder."`
	Out     string   `short:"o" ends:".t3x .bin .bcfnt" placeholder:"FILE" help:"Texture (.t3x) or font (.bcfnt) to write, - for standard output."`
	Header  string   `short:"H" ends:".h .hh .hpp .inc" placeholder:"FILE" help:"C header to write, with the number of each picture."`
	Depends string   `short:"d" placeholder:"FILE" help:"Makefile rule to write, with the files that the outputs depend on."`
	Preview string   `short:"p" ends:".png" placeholder:"FILE" help:"PNG file to write with what the console shows, all levels; six files for a cube map."`

	Include  []string `short:"i" piped:"no" sep:"none" placeholder:"FILE" help:"List of options and pictures, like a FILE that ends in .t3s."`
	Format   string   `short:"f" placeholder:"FORMAT" help:"Format of the texels: rgba8, rgb8, rgba5551, rgb565, rgba4, la8, hilo8, l8, a8, la4, l4, a4, etc1, etc1a4; or auto-etc1, auto-l8, auto-l4, with alpha only if a picture has any (default rgba8)."`
	Compress string   `short:"z" placeholder:"NAME" help:"Compression: auto, none, huff, lz10, lz11, rle (default auto, the shortest)."`
	Mipmap   string   `short:"m" placeholder:"FILTER" help:"Make levels of detail with a filter: box, triangle, catrom, lanczos and so on."`
	Quality  string   `short:"q" placeholder:"NAME" help:"Quality of ETC1: low, medium or high; medium is high."`
	Border   string   `short:"b" placeholder:"NAME" help:"Border around each picture: none, transparent (one texel between pictures), edge (the outermost texels once more)."`
	Atlas    bool     `short:"a" help:"Put all pictures into one texture."`
	Cubemap  bool     `short:"c" help:"Make a cube map of a cross of 4x3 squares."`
	Skybox   bool     `short:"s" help:"The same for a cube that is seen from within."`
	Trim     bool     `short:"t" help:"Cut off edges of one colour."`
	Raw      bool     `short:"r" help:"Write the packed texels alone, without a header."`

	Size    float64 `help:"Size of a font in points, at 96 dots per inch (default 22)." placeholder:"N"`
	Only    string  `help:"Make a font of the characters of this list alone: numbers with spaces between them." placeholder:"FILE"`
	Without string  `help:"Make a font without the characters of this list." placeholder:"FILE"`
	rootFlags
}

func (texCmd) Help() string {
	return `Makes a texture for citro3d and citro2d, with the options and bytes of
tex3ds; ETC1 blocks differ, and auto-etc1, auto-l8 and auto-l4 leave out alpha
where no picture has any. A .t3s file has options of tex3ds and the names of
pictures; it cannot name outputs.

If the output ends in .bcfnt, the files are fonts (TrueType, OpenType), and a
font is made with the tables and sizes of mkbcfnt; the first file that has a
character gives it. Letters are drawn without the font's hints.

If the program is called through a link with the name tex3ds, it accepts
tex3ds's command line.

Examples:

  pica200 tex kitten.png -o kitten.t3x
  pica200 tex kitten.png -o kitten.t3x -f etc1 -m box
  pica200 tex gfx/sprites.t3s -o sprites.t3x --header sprites.h
  pica200 tex text.ttf -o text.bcfnt --size 18`
}

func (c *texCmd) Run(con *console) error {
	if strings.EqualFold(filepath.Ext(c.Out), ".bcfnt") {
		return c.font(con)
	}
	if c.Size != 0 || c.Only != "" || c.Without != "" {
		return usagef("--size, --only and --without are for fonts: -o FILE.bcfnt")
	}
	t := texture.NewT3S()
	given := map[string]string{"format": c.Format, "compress": c.Compress, "mipmap": c.Mipmap, "quality": c.Quality, "border": c.Border,
		"output": c.Out, "header": c.Header, "depends": c.Depends, "preview": c.Preview}
	for name, on := range map[string]bool{"atlas": c.Atlas, "cubemap": c.Cubemap, "skybox": c.Skybox, "trim": c.Trim, "raw": c.Raw} {
		if on {
			given[name] = "yes"
		}
	}
	job := texJob{con: con, T3S: t, roots: c.Root}
	var pictures []string
	for _, list := range c.Include {
		if err := job.include(list); err != nil {
			return err
		}
	}
	for _, name := range c.Files {
		if isList(name) {
			if err := job.include(name); err != nil {
				return err
			}
			continue
		}
		pictures = append(pictures, name)
	}
	for i := range texture.T3SOptions {
		o := &texture.T3SOptions[i]
		if value := given[o.Long]; value != "" {
			if err := t.Set(o, value); err != nil {
				return usagef("%v", err)
			}
		}
	}
	for _, name := range pictures {
		job.add(name)
	}
	if t.Out+t.Header+t.Depends+t.Preview == "" {
		return usagef("tex needs -o FILE, or another file to write")
	}
	if len(t.Images) == 0 && len(job.inputs) == 0 {
		return usagef("tex needs a FILE: a picture, or a .t3s")
	}
	return job.run()
}

// font makes a font of the files.
func (c *texCmd) font(con *console) error {
	if c.Only != "" && c.Without != "" {
		return usagef("a font has --only or --without")
	}
	if len(c.Files) == 0 || len(c.Include) != 0 {
		return usagef("a font needs a FILE: TrueType or OpenType")
	}
	o := bcfnt.Options{Size: c.Size}
	if list := c.Only + c.Without; list != "" {
		text, err := files.Read(list, 1<<20)
		if err != nil {
			return err
		}
		listed := map[rune]bool{}
		for i, word := range strings.Fields(string(text)) {
			n, err := strconv.ParseUint(word, 0, 16)
			if err != nil {
				return fmt.Errorf("%s: word %d, %s, is not the number of a character up to 0xFFFF", list, i+1, quote.Short(word, 20))
			}
			listed[rune(n)] = true
		}
		o.Allows = func(r rune) bool { return listed[r] == (c.Only != "") }
	}
	var fonts [][]byte
	for _, name := range c.Files {
		data, err := con.readUpTo(name, files.MaxStream)
		if err != nil {
			return err
		}
		fonts = append(fonts, data)
	}
	out, err := bcfnt.Make(fonts, o)
	if err != nil {
		return fmt.Errorf("%s: %w", inputName(c.Files[0]), err)
	}
	return con.write(output{c.Depends, []byte(depRule([]string{c.Out}, c.Files))}, output{c.Out, out})
}

// isList reports whether a file is a list of options and pictures.
func isList(name string) bool {
	if name == "-" || strings.EqualFold(filepath.Ext(name), ".t3s") {
		return name != "-"
	}
	head, err := files.Head(name, 64)
	return err == nil && len(head) > 0 && isText(head) && !imagefile.Known(head)
}

// texJob makes a texture.
type texJob struct {
	*texture.T3S
	con    *console
	roots  []string
	reads  []func() ([]byte, string, error) // of Images: the bytes, and the position for errors
	inputs []string                         // everything that the outputs depend on
}

// add adds a picture of the command line.
func (j *texJob) add(name string) {
	j.Images, j.inputs = append(j.Images, name), append(j.inputs, name)
	j.reads = append(j.reads, func() ([]byte, string, error) {
		data, err := j.con.readUpTo(name, files.MaxStream)
		return data, inputName(name), err
	})
}

// include reads a list of options and pictures.
func (j *texJob) include(list string) error {
	text, err := files.Read(list, 1<<20)
	if err != nil {
		return err
	}
	before := len(j.Images)
	j.Lines = make([]int, before)
	if err := j.Include(string(text)); err != nil {
		return fmt.Errorf("%s: %w", list, err)
	}
	j.inputs = append(j.inputs, list)
	named := files.Named{Dir: filepath.Dir(list), Roots: j.roots}
	for i, name := range j.Images[before:] {
		place := fmt.Sprintf("%s:%d", list, j.Lines[before+i])
		j.inputs = append(j.inputs, named.Path(name))
		j.reads = append(j.reads, func() ([]byte, string, error) {
			data, err := named.Read(name, files.MaxStream)
			if err != nil {
				return nil, "", fmt.Errorf("%s: %w", place, err)
			}
			return data, place + ": " + named.Path(name), nil
		})
	}
	return nil
}

// maxTexels bounds the pictures of a texture together: an atlas has at most
// 1024x1024 texels, but pictures may be trimmed.
const maxTexels = 64 << 20

func (j *texJob) run() error {
	if err := j.Check(); err != nil {
		return fmt.Errorf("%s: %w", inputName(j.inputs[0]), err)
	}
	var images []*texture.Image
	left := maxTexels
	for _, read := range j.reads {
		data, place, err := read()
		if err != nil {
			return err
		}
		m, err := decodePicture(data, left)
		if err != nil {
			return fmt.Errorf("%s: %w", place, err)
		}
		im := texture.FromImage(m)
		left -= len(im.Pix)
		images = append(images, im)
	}
	return j.make(images)
}

// make makes the texture from its pictures, and writes the outputs.
func (j *texJob) make(images []*texture.Image) error {
	what := inputName(j.inputs[0])
	x, err := j.Make(images)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	out, err := x.Encode()
	if j.Raw {
		out, err = texture.Pack(x.Data, x.Compression)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	previews, err := j.previews(x)
	if err != nil {
		return err
	}
	return j.con.write(append(previews, output{j.Header, []byte(j.HeaderText(j.Header))},
		output{j.Depends, []byte(depRule([]string{j.Out, j.Header}, j.inputs))}, output{j.Out, out})...)
}

// previews draws the levels of a texture: the largest at the left, the others
// below each other at its right. The faces of a cube map are files of their own.
func (j *texJob) previews(x *texture.T3X) (list []output, err error) {
	if j.Preview == "" {
		return nil, nil
	}
	for face := range x.Faces() {
		width := x.Width
		if x.Levels > 1 {
			width += x.Width / 2
		}
		sheet := image.NewNRGBA(image.Rect(0, 0, width, x.Height))
		at := image.Point{}
		for level := range x.Levels {
			im, err := x.Image(face, level)
			if err != nil {
				return nil, err
			}
			draw.Draw(sheet, image.Rect(0, 0, im.Width, im.Height).Add(at), im.NRGBA(), image.Point{}, draw.Src)
			if level > 0 {
				at.Y += im.Height
			}
			at.X = x.Width
		}
		data, err := pngBytes(sheet)
		if err != nil {
			return nil, err
		}
		name := j.Preview
		if x.Cube && name != "-" {
			dir, base := filepath.Split(name)
			name = dir + []string{"px_", "nx_", "py_", "ny_", "pz_", "nz_"}[face] + base
		}
		list = append(list, output{name, data})
	}
	return list, nil
}

// decodePicture decodes a picture or a texture, of a cube map the faces side by
// side.
func decodePicture(data []byte, maxPixels int) (image.Image, error) {
	if imagefile.Known(data) || !texture.IsT3X(data) {
		return imagefile.Decode(data, maxPixels)
	}
	t, err := texture.ParseT3X(data)
	if err != nil {
		return nil, err
	}
	return source.TextureImage(t)
}
