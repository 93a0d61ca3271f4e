package main

import (
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

type galleryCmd struct {
	Dir     string `arg:"" help:"Folder of scene files (*.yaml), models and banners."`
	Out     string `short:"o" required:"" placeholder:"DIR" help:"Folder for the pictures and index.html."`
	Workers int    `default:"0" placeholder:"N" help:"Goroutines to draw with; 0 for one per CPU."`
	Quiet   bool   `short:"q" help:"Print nothing but errors."`
	rootFlags
	timeFlags
}

func (galleryCmd) Help() string {
	return `Draws every scene, model and banner of a folder, each at its own time, to a PNG
file, and makes a page of them with their names and what they are about. A model
that is damaged is left out with a warning.

Examples:

  pica200 gallery testdata/scenes -o out/`
}

//go:embed gallery.html
var galleryPage string

var galleryTemplate = template.Must(template.New("gallery").Parse(galleryPage))

// galleryItem is a picture of the page.
type galleryItem struct {
	Name, About, Scene, File string
	Width, Height            int
}

func (c galleryCmd) Run(ctx context.Context, con *console) error {
	if c.Workers < 0 {
		return usagef("--workers must not be negative")
	}
	ctx, cancel, err := c.limit(ctx, con)
	if err != nil {
		return err
	}
	defer cancel()
	if err := notStdin("gallery", c.Dir); err != nil {
		return err
	}
	if err := notStdout("-o", c.Out); err != nil {
		return err
	}
	if _, err := os.ReadDir(c.Dir); err != nil {
		return err
	}
	paths, err := filepath.Glob(filepath.Join(c.Dir, "*")) // in order of name
	if err != nil {
		return err
	}
	var scenes []string
	for _, p := range paths {
		if scene.Is(p, nil) || galleryModel(p) {
			scenes = append(scenes, p)
		}
	}
	if len(scenes) == 0 {
		return fmt.Errorf("%s holds no scene (*.yaml) and no model", c.Dir)
	}
	if err := os.MkdirAll(c.Out, 0o777); err != nil {
		return err
	}
	con.reads(scenes...)
	bar := newBar(con, c.Quiet, len(scenes), "scenes")
	defer bar.done()
	var items []galleryItem
	for i, path := range scenes {
		item, err := c.draw(ctx, con, path)
		if err != nil && !scene.Is(path, nil) && ctx.Err() == nil {
			fmt.Fprintf(con.err, "warning: %v\n", err)
			bar.step(i + 1)
			continue
		}
		if err != nil {
			return err
		}
		items = append(items, item)
		bar.step(i + 1)
	}
	bar.done()
	index := filepath.Join(c.Out, "index.html")
	if err := con.writeFile(index, func(w io.Writer) error { return galleryTemplate.Execute(w, items) }); err != nil {
		return err
	}
	if !c.Quiet {
		fmt.Fprintf(con.out, "%d pictures; the page is %s\n", len(items), index)
	}
	return nil
}

// galleryModel tells the models of a folder: regular files that say so themselves.
func galleryModel(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && scenebuild.IsModel(path)
}

// galleryPicture is what a scene is shown by: its target, or both eyes side by side.
func galleryPicture(st *scenebuild.Stage, g *pipeline.GPU) (image.Image, error) {
	if st.Scene.Camera.Stereo != nil {
		return beside(g), nil
	}
	target, err := g.LastTarget()
	if err != nil {
		return nil, err
	}
	return pipeline.ColorImage(target)
}

// draw draws one scene to its file.
func (c galleryCmd) draw(ctx context.Context, con *console, path string) (galleryItem, error) {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	if !scene.Is(path, nil) {
		base = filepath.Base(path) // beside a scene of the same name
	}
	item := galleryItem{Name: base, Scene: filepath.Base(path), File: base + ".png"}
	st, err := openStage(con, path, c.Root, c.Quiet)
	if err != nil {
		return item, err
	}
	g, _, err := st.Render(ctx, st.Scene.Time, scenebuild.Options{Workers: c.Workers})
	if err != nil {
		return item, err
	}
	img, err := galleryPicture(st, g)
	if err != nil {
		return item, fmt.Errorf("%s: %w", path, err)
	}
	if st.Scene.Name != "" {
		item.Name = st.Scene.Name
	}
	item.About = st.Scene.About
	item.Width, item.Height = img.Bounds().Dx(), img.Bounds().Dy()
	return item, con.writePNG(filepath.Join(c.Out, item.File), img)
}
