package golden

import (
	"path/filepath"
	"regexp"
	"strings"

	"pica200/internal/yamldoc"
)

// Suffix is what the name of a case file ends in.
const Suffix = ".case.yaml"

// Targets are the images that a case can ask for.
//
//	color    the colour render target, alpha included
//	depth    the depth buffer, 16 bits of grey, 0 black
//	stencil  the stencil buffer, 8 bits of grey
//	gas      the two densities of a gas target
//	shadow   the depth and the intensity of a shadow target
//	top, topright, bottom   what the screens show (traces)
var Targets = []string{"color", "depth", "stencil", "gas", "shadow", "top", "topright", "bottom"}

// Origin says where an approved image comes from.
type Origin string

// The origins, most trusted first.
const (
	Hardware Origin = "hardware" // a console
	Other    Origin = "other"    // another implementation
	Self     Origin = "self"     // this renderer, looked at and approved
)

// Approved is one approved image with its provenance.
type Approved struct {
	File string `json:"file,omitempty"` // beside the case file
	// SHA256 stands for a picture that is not kept: its pictureHash, or
	// newHash while there is none.
	SHA256 string `json:"sha256,omitempty"`
	From   Origin `json:"from"`
	By     string `json:"by,omitempty"`   // which console, or which program at which version
	Note   string `json:"note,omitempty"` // anything else a reader should know

	line, column int // of SHA256 in the case file
}

// name is what messages call an approved image.
func (a *Approved) name() string {
	if a.SHA256 != "" {
		return "sha256: " + a.SHA256
	}
	return a.File
}

// Image is one image that a case expects. It matches if it matches any of the
// approved ones.
type Image struct {
	Target    string
	Approved  []Approved
	Tolerance Tolerance
	Line      int // in the case file, from 1
}

// Case is a case file.
type Case struct {
	Name   string // path below the suite's folder without Suffix, with slashes
	File   string // the case file
	Source string // scene, model, trace or program; relative to the case file's folder
	// Program is what the source is run with, if it is a program; else nil.
	Program *Program
	Frame   int // of a trace or program, from 0; -1 is the last
	T       float64
	Images  []Image
	Err     error // what is wrong with the file; nothing but Name and File is set then
}

// suite is the folder of the suite that the case is of.
func (c *Case) suite() string {
	return filepath.Clean(strings.TrimSuffix(filepath.ToSlash(c.File), c.Name+Suffix) + ".")
}

// SourcePath is the path of the source from the working directory.
func (c *Case) SourcePath() string {
	if filepath.IsAbs(c.Source) {
		return c.Source
	}
	return filepath.Join(filepath.Dir(c.File), filepath.FromSlash(c.Source))
}

// path is the path of an approved image.
func (c *Case) path(a Approved) string {
	return filepath.Join(filepath.Dir(c.File), filepath.FromSlash(a.File))
}

// ParseCase parses the text of a case file. name is its name in the suite.
func ParseCase(name, file string, src []byte) (*Case, error) {
	doc, root, err := yamldoc.Parse(file, src)
	if err != nil {
		return nil, err
	}
	m := root.Keys("a golden case", "source", "frame", "t", "images", "about")
	c := &Case{Name: name, File: file, Frame: int(m["frame"].Int(-1, -1, 1<<20)), T: m["t"].Float(0, -1e6, 1e6)}
	m["about"].Str()
	if m["source"].IsMap() {
		c.parseProgram(m["source"])
	} else {
		c.Source = m["source"].Str()
	}
	if c.Source == "" {
		root.Errorf("the case has no source: the scene, model or trace that it renders")
	}
	for _, n := range m["images"].List() {
		c.Images = append(c.Images, parseImage(c, n))
	}
	if !m["images"].Present() {
		c.Images = []Image{{Target: "color", Approved: []Approved{c.defaultApproved("color")}, Line: 1}}
	} else if len(c.Images) == 0 {
		m["images"].Errorf("the list of images is empty")
	}
	seen := map[string]bool{}
	for i, img := range c.Images {
		if seen[img.Target] {
			m["images"].List()[i].Errorf("target %q stands here a second time", img.Target)
		}
		seen[img.Target] = true
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *Case) defaultApproved(target string) Approved {
	base := c.Name[strings.LastIndexByte(c.Name, '/')+1:]
	return Approved{File: base + "-" + target + ".png", From: Self}
}

func parseImage(c *Case, n yamldoc.Node) Image {
	m := n.Keys("an image", "target", "expected", "tolerance")
	img := Image{Target: m["target"].Enum("target", Targets...), Line: n.Line()}
	if !m["target"].Present() {
		img.Target = "color"
	}
	pictures := false
	for _, e := range m["expected"].List() {
		img.Approved = append(img.Approved, parseApproved(e))
		pictures = pictures || img.Approved[len(img.Approved)-1].File != ""
	}
	if len(img.Approved) == 0 {
		img.Approved, pictures = []Approved{c.defaultApproved(img.Target)}, true
	}
	if t := m["tolerance"]; t.Present() {
		k := t.Keys("a tolerance", "delta", "share", "border", "perceptual", "flip", "reason")
		steps := int64(255)
		if img.Target == "depth" { // 16 bits of grey
			steps = 65535
		}
		img.Tolerance = Tolerance{
			Delta:      int(k["delta"].Int(0, 0, steps)),
			Share:      k["share"].Float(0, 0, 100),
			Border:     int(k["border"].Int(0, 0, 1024)),
			Perceptual: k["perceptual"].Float(0, 0, 1),
			FLIP:       k["flip"].Float(0, 0, 1),
			Reason:     strings.TrimSpace(k["reason"].Str()),
		}
		if err := img.Tolerance.Check(); err != nil {
			t.Errorf("%v", err)
		}
		if !pictures && !img.Tolerance.Exact() {
			t.Errorf("a tolerance needs a picture to compare with; sha256 stands for exactly one")
		}
	}
	return img
}

// newHash stands in a case file for the hash of a picture that nobody has
// approved yet.
const newHash = "new"

var hashText = regexp.MustCompile(`^[0-9a-f]{64}$`)

func parseApproved(e yamldoc.Node) Approved {
	k := e.Keys("an expected image", "file", "sha256", "from", "by", "note")
	a := Approved{File: k["file"].Str(), SHA256: k["sha256"].Str(), By: k["by"].Str(), Note: k["note"].Str()}
	a.From = Origin(k["from"].Enum("provenance", string(Hardware), string(Other), string(Self)))
	a.line, a.column = k["sha256"].Place()
	switch {
	case a.File != "" && a.SHA256 != "":
		e.Errorf("the expected image has a file and a sha256; one of them says what is expected")
	case a.SHA256 != "" && a.SHA256 != newHash && !hashText.MatchString(a.SHA256):
		k["sha256"].Errorf("sha256 is 64 hexadecimal digits in lower case, or %s while nothing is approved", newHash)
	case a.File == "" && a.SHA256 == "":
		e.Errorf("the expected image has no file, and no sha256 in place of one")
	case a.File != "" && !filepath.IsLocal(filepath.FromSlash(a.File)):
		k["file"].Errorf("the file of an expected image must lie beside the case file")
	case !k["from"].Present():
		e.Errorf("the expected image does not say where it is from: hardware, other or self")
	case a.From != Self && a.By == "":
		e.Errorf("an image from %s must say by which console or program, with its version", a.From)
	}
	return a
}
