package golden

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"pica200/internal/lazy"
	"pica200/internal/schema"
	"pica200/internal/yamldoc"
)

// The description of case files, with which they are read, checked and written.

// caseSource is the source of a case: the path of a file, or a program with its
// last frame.
type caseSource struct {
	path    string
	frame   int
	program *Program
}

var frameKind = schema.Int[int](-1, 1<<20)

var programKind = schema.Object("a source that is a program", func(s *caseSource, f *schema.Fields) {
	const missing = "the source has no program or no frame: {program: ./game, frame: 60} is expected"
	if s.program == nil {
		s.program = &Program{}
	}
	schema.Key(f.Required(missing), "program", &s.path, schema.Text, "the program, built for this machine")
	schema.Key(f.Required(missing), "frame", &s.frame, schema.Int[int](0, 1<<20), "the frame that is rendered, from 0")
	schema.Key(f, "keys", &s.program.Keys, schema.Text, "file of what is pressed")
	schema.Key(f, "slider", &s.program.Slider, schema.Number(0, 1), "the slider of the 3D effect")
	f.Inline()
})

var sourceKind = schema.Either(yamldoc.Node.IsMap, programKind,
	schema.Via(schema.Text, func(path string) caseSource { return caseSource{path: path} }, func(s caseSource) string { return s.path }),
	func(s caseSource) bool { return s.program != nil })

var caseKind = schema.Object("a golden case", func(c *Case, f *schema.Fields) {
	schema.Key(f, "about", &c.About, schema.Text, "for readers")
	s := caseSource{c.Source, c.Frame, c.Program}
	schema.Key(f.Required("the case has no source: the scene, model or trace that it renders"), "source", &s, sourceKind, "what is rendered, from the case file's folder")
	if f.Writing() && c.Program != nil {
		c.Frame = -1 // the source contains it
	}
	schema.KeyOr(f, "frame", &c.Frame, frameKind, -1, "frame of a trace; -1 is the last one")
	schema.Key(f, "t", &c.T, schema.Number(-1e6, 1e6), "time of the animation of a scene or model, in seconds")
	schema.Key(f, "images", &c.Images, schema.List(imageKind, 1, math.MaxInt, "images"), "what is compared; the colour target without it")
	if !f.Reading() {
		return
	}
	if c.Source, c.Program = s.path, s.program; s.program != nil {
		c.Frame = s.frame
	}
	seen := map[string]bool{}
	for i, img := range c.Images {
		if seen[img.Target] {
			f.Node("images").List()[i].Errorf("target %q appears a second time", img.Target)
		}
		seen[img.Target] = true
	}
})

var imageKind = schema.Object("an image", func(img *Image, f *schema.Fields) {
	schema.KeyOr(f.Always(), "target", &img.Target, schema.Enum("target", Targets), "color", "which image")
	schema.Key(f, "expected", &img.Approved, schema.List(approvedKind, 0, math.MaxInt, "expected images"), "the approved images, of which it must match one; `NAME-TARGET.png` from self without it")
	schema.Key(f, "tolerance", &img.Tolerance, toleranceKind, "how far it may be from them")
	if !f.Sound() {
		return
	}
	if t := img.Tolerance; img.Target != "depth" && t.Delta > 255 {
		f.Node("tolerance").Errorf("delta %d is out of range; expected 0 to 255, and more for depth alone, whose images have 16 bits", t.Delta)
	} else if len(img.Approved) > 0 && !t.Exact() && !img.hasPicture() {
		f.Node("tolerance").Errorf("a tolerance needs a picture to compare with; sha256 stands for exactly one")
	}
})

var toleranceKind = schema.Object("a tolerance", func(t *Tolerance, f *schema.Fields) {
	schema.Key(f, "delta", &t.Delta, schema.Int[int](0, 65535), "steps that a channel may differ by, of 255, or of 65535 for depth")
	schema.Key(f, "share", &t.Share, schema.Number(0, 100), "percent of pixels that may differ by more")
	schema.Key(f, "border", &t.Border, schema.Int[int](0, 1024), "pixels along the edges that are not compared")
	schema.Key(f, "perceptual", &t.Perceptual, schema.Number(0, 1), "difference to the eye that a pixel may have beyond delta")
	schema.Key(f, "flip", &t.FLIP, schema.Number(0, 1), "mean error by FLIP that the picture may have")
	schema.Key(f, "reason", &t.Reason, schema.Via(schema.Text, strings.TrimSpace, strings.Clone), "why the image cannot be exact")
}).Check(Tolerance.Check)

// newHash replaces a hash in a case file while no picture is approved.
const newHash = "new"

var hashText = lazy.Regexp(`^[0-9a-f]{64}$`)

var hashKind = schema.Text.Check(func(s string) error {
	if s != "" && s != newHash && !hashText().MatchString(s) {
		return fmt.Errorf("sha256 is 64 hexadecimal digits in lower case, or %s while nothing is approved", newHash)
	}
	return nil
})

var pictureKind = schema.Text.Check(func(s string) error {
	if s != "" && !filepath.IsLocal(filepath.FromSlash(s)) {
		return errors.New("the file of an expected image must lie beside the case file")
	}
	return nil
})

var originKind = schema.Via(schema.Enum("provenance", []string{string(Hardware), string(Other), string(Self)}),
	func(s string) Origin { return Origin(s) }, func(o Origin) string { return string(o) })

var approvedKind = schema.Object("an expected image", func(a *Approved, f *schema.Fields) {
	f.One("file", "sha256")
	schema.Key(f, "file", &a.File, pictureKind, "the picture, beside the case file")
	schema.Key(f, "sha256", &a.SHA256, hashKind, "the hash of a picture that is not kept, or `new` while nothing is approved")
	schema.Key(f.Required("the expected image does not say where it is from: hardware, other or self"), "from", &a.From, originKind, "where it comes from: a console, another implementation, this one")
	schema.Key(f, "by", &a.By, schema.Text, "the console or program, with its version")
	schema.Key(f, "note", &a.Note, schema.Text, "anything else a reader should know")
	f.Inline()
	if f.Reading() {
		a.line, a.column = f.Node("sha256").Position()
	}
	if f.Sound() && a.From != Self && a.By == "" {
		f.Errorf("an image from %s must say by which console or program, with its version", a.From)
	}
})

// parseCase parses the text of a case file. name is its name in the suite.
func parseCase(name, file string, src []byte) (*Case, error) {
	r := &schema.Reader{OnRead: func(v any, n yamldoc.Node) {
		if img, ok := v.(*Image); ok {
			img.Line = n.Line()
		}
	}}
	c, err := schema.Parse(file, src, r, caseKind)
	if err != nil {
		return nil, err
	}
	c.Name, c.File = name, file
	if c.Images == nil {
		c.Images = []Image{{Target: "color", Line: 1}}
	}
	base := name[strings.LastIndexByte(name, '/')+1:]
	for i := range c.Images {
		if img := &c.Images[i]; len(img.Approved) == 0 {
			img.Approved = []Approved{{File: base + "-" + img.Target + ".png", From: Self}}
		}
	}
	return c, nil
}

// Write returns the text of a case file that ParseCase reads back to the case.
func (c *Case) Write() []byte {
	return []byte(yamldoc.Block(caseKind.Write(*c).(yaml.MapSlice)))
}
