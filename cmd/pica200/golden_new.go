package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"pica200/golden"
	"pica200/internal/files"
	"pica200/internal/quote"
	"pica200/scene/source"
)

type goldenNewCmd struct {
	Dir    string   `arg:"" piped:"no" help:"Folder of the suite; it is created if it does not exist."`
	Source []string `arg:"" piped:"no" help:"Scenes, models or traces, a case each."`
	Name   string   `placeholder:"NAME" help:"Name of the case; only with one source. Without it: the name of the source; of a scene.yaml that of its folder."`
	Target []string `sep:"none" placeholder:"TARGET" help:"What is compared: color, depth, stencil, gas, shadow, top, topright, bottom. May be repeated. Without it: top for a trace, the screens that a scene draws for, else color."`
	Frame  int      `default:"-1" placeholder:"N" help:"Of a trace: the frame, from 0; -1 is the last."`
	Time   float64  `default:"0" placeholder:"SECONDS" help:"Of a scene or model: the time of its animation."`
	blankFlag
	rootFlags
}

func (goldenNewCmd) Help() string {
	return `Writes NAME.case.yaml into the suite, draws the source, stores the
picture as approved and prints where it is. Look at it, because every run
compares with it from now on. If the source cannot be drawn, no case is written;
with several, the others are.

Examples:

  pica200 golden new testdata/golden scenes/lit.yaml --name lit-2
  pica200 golden new testdata/golden knight.glb
  pica200 golden new testdata/golden game.ctf --name title --target top --frame 3`
}

func (c goldenNewCmd) Run(ctx context.Context, con *console) error {
	if c.Name != "" && len(c.Source) > 1 {
		return usagef("--name is for one source, %d are given", len(c.Source))
	}
	var failed []error
	for _, path := range c.Source {
		if err := c.one(ctx, con, path); ctx.Err() != nil {
			return err
		} else if err != nil {
			failed = append(failed, err)
		}
	}
	if len(failed) == 1 {
		return failed[0]
	}
	return errors.Join(failed...)
}

// one writes the case of a source.
func (c goldenNewCmd) one(ctx context.Context, con *console, path string) error {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	name := c.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if folder := filepath.Base(filepath.Dir(path)); name == "scene" && filepath.IsLocal(folder) && folder != "." {
			name = folder // of an exported scene
		}
	}
	if bad := !filepath.IsLocal(name) || strings.ContainsAny(name, "*?:\"\n"); bad && c.Name == "" {
		return fmt.Errorf("%s: %q is not a name for a case; --name gives another", path, name)
	} else if bad {
		return usagef("--name: %q is not a name for a file below the suite", name)
	}
	file := filepath.Join(c.Dir, filepath.FromSlash(name)+golden.Suffix)
	if _, err := os.Stat(file); err == nil {
		return usagef("%s exists already; --name gives the case another name", file)
	}
	targets := c.Target
	if targets == nil {
		targets = c.shown(path)
	}
	from, err := relative(filepath.Dir(file), path)
	if err != nil {
		return err
	}
	made := golden.Case{Source: filepath.ToSlash(from), Frame: max(-1, c.Frame), T: c.Time}
	for _, t := range targets {
		made.Images = append(made.Images, golden.Image{Target: t})
		picture := strings.TrimSuffix(file, golden.Suffix) + "-" + t + ".png"
		if _, err := os.Lstat(picture); err == nil {
			return usagef("%s exists already; --name gives the case another name", picture)
		}
	}
	suite, err := files.MakeRoot(c.Dir)
	if err != nil {
		return err
	}
	defer suite.Close()
	below := filepath.FromSlash(name) + golden.Suffix
	if err := suite.Write(below, func(w io.Writer) error { _, err := w.Write(made.Write()); return err }); err != nil {
		return err
	}
	res, err := golden.RunDir(ctx, c.Dir, golden.Options{Only: []string{name}, Update: true, Blank: c.Blank, Workers: 1, Roots: append([]string{filepath.Dir(path)}, c.Root...)})
	for i := range res.Cases {
		for _, n := range res.Cases[i].Notes {
			fmt.Fprintf(con.err, "note: %s\n", quote.Lines(n))
		}
	}
	if err == nil && (len(res.Cases) != 1 || res.Cases[0].Status != golden.Updated) {
		err = fmt.Errorf("%s could not be drawn", path)
		if len(res.Cases) == 1 {
			err = fmt.Errorf("%s", because(&res.Cases[0]))
		}
	}
	if err != nil {
		_ = suite.Remove(below)
		return err
	}
	made.File, made.Name = file, filepath.ToSlash(name)
	if made.Within(c.Root) != nil {
		fmt.Fprintf(con.err, "note: its source lies neither beside %s nor below this folder: golden run needs --root %s\n", c.Dir, quote.Shell(filepath.Dir(path)))
	}
	fmt.Fprintln(con.out, file)
	for _, img := range res.Cases[0].Images {
		picture := cmp.Or(img.Against.File, filepath.Base(name)+"-"+img.Target+".png")
		fmt.Fprintf(con.out, "  %s: look at %s\n", img.Target, filepath.Join(filepath.Dir(file), picture))
	}
	return nil
}

// shown names what a source shows: of a trace the top screen, of a scene the
// screens that it draws for, or else the colours.
func (c goldenNewCmd) shown(path string) (targets []string) {
	src, err := source.Open(path, source.Options{Roots: c.Root})
	if err != nil {
		return []string{"color"} // the run says what is wrong
	}
	defer src.Close()
	switch s := src.(type) {
	case *source.Recording:
		targets = []string{"top"}
	case *source.Scene:
		for _, screen := range s.Stage.Screens() {
			targets = append(targets, screen.String())
		}
	}
	if targets == nil {
		targets = []string{"color"}
	}
	return targets
}

// because returns why a case did not become an approved picture.
func because(r *golden.CaseResult) string {
	if r.Error != "" {
		return r.Error
	}
	for _, img := range r.Images {
		if img.Status != golden.Updated {
			return img.Target + ": " + img.Message
		}
	}
	return "it could not be drawn"
}

// relative returns a path relative to a folder.
func relative(from, to string) (string, error) {
	a, err := filepath.Abs(from)
	if err != nil {
		return "", err
	}
	b, err := filepath.Abs(to)
	if err != nil {
		return "", err
	}
	return filepath.Rel(a, b)
}
