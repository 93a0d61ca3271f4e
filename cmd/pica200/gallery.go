package main

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pica200/assets/texture"
	"pica200/internal/files"
	"pica200/internal/plural"
	"pica200/internal/quote"
	"pica200/scene"
	"pica200/scene/modeldraw"
	"pica200/scene/source"
)

type galleryCmd struct {
	Dir      string `arg:"" piped:"no" help:"Folder of scene files (*.yaml), models, banners, shaders and textures (.t3x)."`
	Out      string `short:"o" required:"" placeholder:"DIR" help:"Folder for the pictures and index.html."`
	Sheet    string `placeholder:"FILE" help:"Also write all pictures, small and with their names, to this PNG file."`
	Textures bool   `help:"Also show the textures of CGFX and BCH files and banners."`
	workerFlags
	quietFlags
	rootFlags
	timeFlags
}

func (galleryCmd) Help() string {
	return `Draws every scene, model, banner and shader of a folder, each at its
own time, and every texture (.t3x) to a PNG file, and makes a page of them with
their names and descriptions. A file that a scene of the folder uses does not
get a picture of its own. Files that cannot be drawn are shown on the page with
the error, and the exit status is then 1.

Examples:

  pica200 gallery testdata/scenes -o out/
  pica200 gallery testdata/models -o out/ --textures --sheet models.png`
}

//go:embed gallery.html
var galleryPage string

// galleryItem is a picture of the page.
type galleryItem struct {
	Name, About, Scene, File string
	Width, Height            int
	Error                    string // why there is no picture

	png []byte
	pix *image.NRGBA // for the sheet, small
}

func (c galleryCmd) Run(ctx context.Context, con *console) error {
	if err := isFolder(c.Dir, "; render draws a file"); err != nil {
		return err
	}
	paths, err := files.Glob(c.Dir, "*")
	if err != nil {
		return err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !galleryShows(p) })
	if len(paths) == 0 {
		return fmt.Errorf("%s holds no scene (*.yaml), no model, no shader and no texture", c.Dir)
	}
	con.named(paths...)
	bar := newBar(con, c.Quiet, len(paths), "files")
	defer bar.done()
	items := make([][]galleryItem, len(paths))
	var used []string // by scenes
	failed := 0
	for _, scenes := range []bool{true, false} {
		for i, path := range paths {
			if scene.Is(path, nil) != scenes || !scenes && files.Same(path, used...) != "" {
				continue
			}
			list, of, err := c.show(ctx, con, path)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				text := quote.Lines(unprefixed(path, err))
				bar.done()
				fmt.Fprintf(con.err, "warning: %s\n", text)
				list = []galleryItem{{Name: filepath.Base(path), Scene: filepath.Base(path), Error: text}}
				failed++
			}
			items[i] = list
			used = append(used, of...)
			bar.step(i + 1)
		}
	}
	bar.done()
	all := slices.Concat(items...)
	index := filepath.Join(c.Out, "index.html")
	var page bytes.Buffer
	if err := template.Must(template.New("gallery").Parse(galleryPage)).Execute(&page, all); err != nil {
		return err
	}
	// Only now are all inputs known.
	outs := []output{{index, page.Bytes()}}
	drawn := slices.DeleteFunc(all, func(i galleryItem) bool { return i.Error != "" })
	for _, item := range drawn {
		outs = append(outs, output{filepath.Join(c.Out, item.File), item.png})
	}
	if c.Sheet != "" {
		sheet, err := pngBytes(contactSheet(drawn))
		if err != nil {
			return err
		}
		outs = append(outs, output{c.Sheet, sheet})
	}
	if err := con.makeFolder(c.Out); err != nil {
		return err
	}
	if err := con.write(outs...); err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.out, "%s; the page is %s\n", plural.Of(len(drawn), "picture"), index)
	}
	if failed > 0 {
		return fmt.Errorf("%s of %s could not be drawn; the page says why", plural.Of(failed, "file"), c.Dir)
	}
	return nil
}

// unprefixed returns an error's text without a leading file name.
func unprefixed(path string, err error) string {
	if text := err.Error(); strings.HasPrefix(text, path) {
		return text
	}
	return fmt.Sprintf("%s: %v", path, err)
}

// galleryShows reports whether a file is shown by itself: a regular file of a
// kind that can be drawn, other than a recording.
func galleryShows(path string) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return scene.Is(path, nil) // an error tells why it is not shown
	}
	k := source.KindOfFile(path)
	return k != nil && k != &source.Kinds[0]
}

// show makes the pictures of a file, and returns which files it used.
func (c galleryCmd) show(ctx context.Context, con *console, path string) (items []galleryItem, used []string, err error) {
	base := filepath.Base(path) // with its ending, beside a scene of the same name
	if scene.Is(path, nil) {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	item := galleryItem{Name: base, Scene: filepath.Base(path), File: base + ".png"}
	s, err := con.open(path, true, source.Options{Roots: c.Root, Workers: c.Workers})
	if err != nil {
		return nil, nil, err
	}
	defer s.Close()
	info := s.Info()
	p, err := s.Draw(ctx, &source.Request{Time: info.Time})
	if err != nil {
		return nil, nil, err
	}
	if !c.Quiet {
		for _, w := range s.Warnings() {
			fmt.Fprintf(con.err, "warning: %s: %s\n", path, w)
		}
	}
	img, err := p.Shown()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	item.Name, item.About = cmp.Or(info.Title, base), info.About
	if item, err = c.write(item, img); err != nil {
		return nil, nil, err
	}
	items = append(items, item)
	if c.Textures {
		more, err := c.textures(con, path)
		if err != nil {
			return nil, nil, err
		}
		items = append(items, more...)
	}
	return items, info.Files, nil
}

// write encodes an item's picture, and keeps it for the sheet if there is one.
func (c galleryCmd) write(item galleryItem, img image.Image) (_ galleryItem, err error) {
	item.Width, item.Height = img.Bounds().Dx(), img.Bounds().Dy()
	if c.Sheet != "" {
		item.pix = sheetPicture(img)
	}
	item.png, err = pngBytes(img)
	return item, err
}

// textures makes the pictures of the textures in a resource file or banner; other
// files have none. An invalid texture is left out with a warning.
func (c galleryCmd) textures(con *console, path string) (items []galleryItem, err error) {
	data, err := con.read(path)
	if err != nil || !modeldraw.Is(data) {
		return nil, err
	}
	set, err := modeldraw.Open(data)
	if err != nil {
		return nil, err
	}
	for t := range set.Textures() {
		var faces []*texture.Image
		for k := range t.Images {
			im, err := t.Decode(k)
			if err != nil {
				fmt.Fprintf(con.err, "warning: %s: %v\n", path, err)
				break
			}
			faces = append(faces, im)
		}
		if len(faces) < len(t.Images) {
			continue
		}
		item := galleryItem{Name: fileName(t.Name), About: fmt.Sprintf("%v, %dx%d texels, %d levels", t.Format, t.Width, t.Height, max(t.Levels, 1)),
			Scene: filepath.Base(path), File: fmt.Sprintf("%s-texture%d.png", filepath.Base(path), len(items))}
		if item, err = c.write(item, source.Texels(faces...)); err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
