package golden

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"pica200/internal/files"
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
	File string `json:"file"` // beside the case file
	From Origin `json:"from"`
	By   string `json:"by,omitempty"`   // which console, or which program at which version
	Note string `json:"note,omitempty"` // anything else a reader should know
}

// Image is one image that a case expects. It matches if it matches any of the
// approved ones.
type Image struct {
	Target    string
	Approved  []Approved
	Tolerance Tolerance
}

// Case is a case file.
type Case struct {
	Name   string // path below the suite's folder without Suffix, with slashes
	File   string // the case file
	Source string // scene, model or trace; relative to the case file's folder
	Frame  int    // of a trace, from 0; -1 is the last
	T      float64
	Images []Image
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
	c := &Case{Name: name, File: file, Source: m["source"].Str(), Frame: int(m["frame"].Int(-1, -1, 1<<20)), T: m["t"].Float(0, -1e6, 1e6)}
	m["about"].Str()
	if c.Source == "" {
		root.Errorf("the case has no source: the scene, model or trace that it renders")
	}
	for _, n := range m["images"].List() {
		c.Images = append(c.Images, parseImage(c, n))
	}
	if !m["images"].Present() {
		c.Images = []Image{{Target: "color", Approved: []Approved{c.defaultApproved("color")}}}
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
	img := Image{Target: m["target"].Enum("target", Targets...)}
	if !m["target"].Present() {
		img.Target = "color"
	}
	for _, e := range m["expected"].List() {
		k := e.Keys("an expected image", "file", "from", "by", "note")
		a := Approved{File: k["file"].Str(), By: k["by"].Str(), Note: k["note"].Str()}
		a.From = Origin(k["from"].Enum("provenance", string(Hardware), string(Other), string(Self)))
		switch {
		case a.File == "":
			e.Errorf("the expected image has no file")
		case !filepath.IsLocal(filepath.FromSlash(a.File)):
			k["file"].Errorf("the file of an expected image must lie beside the case file")
		case !k["from"].Present():
			e.Errorf("the expected image does not say where it is from: hardware, other or self")
		case a.From != Self && a.By == "":
			e.Errorf("an image from %s must say by which console or program, with its version", a.From)
		}
		img.Approved = append(img.Approved, a)
	}
	if len(img.Approved) == 0 {
		img.Approved = []Approved{c.defaultApproved(img.Target)}
	}
	if t := m["tolerance"]; t.Present() {
		k := t.Keys("a tolerance", "delta", "share", "border", "perceptual", "reason")
		img.Tolerance = Tolerance{
			Delta:      int(k["delta"].Int(0, 0, 65535)),
			Share:      k["share"].Float(0, 0, 100),
			Border:     int(k["border"].Int(0, 0, 1024)),
			Perceptual: k["perceptual"].Float(0, 0, 1),
			Reason:     strings.TrimSpace(k["reason"].Str()),
		}
		if err := img.Tolerance.Check(); err != nil {
			t.Errorf("%v", err)
		}
	}
	return img
}

// LoadDir reads every case file below dir, in order of name. Folders whose
// name starts with a dot or an underscore are left out.
func LoadDir(dir string) ([]*Case, error) {
	var cases []*Case
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); path != dir && (n[0] == '.' || n[0] == '_') {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, Suffix) {
			return nil
		}
		c, err := LoadCase(dir, path)
		if err != nil {
			return err
		}
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 {
		return nil, fmt.Errorf("%s holds no golden case (a file whose name ends in %s)", dir, Suffix)
	}
	sort.Slice(cases, func(i, j int) bool { return cases[i].Name < cases[j].Name })
	return cases, nil
}

// LoadCase reads one case file; dir is the suite's folder, from which the
// case's name counts.
func LoadCase(dir, path string) (*Case, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > yamldoc.MaxBytes {
		return nil, fmt.Errorf("%s: the file is larger than %d bytes", path, yamldoc.MaxBytes)
	}
	src, err := files.ReadRegular(path, yamldoc.MaxBytes)
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		rel = filepath.Base(path)
	}
	return ParseCase(strings.TrimSuffix(filepath.ToSlash(rel), Suffix), path, src)
}

// Shard returns the part of cases that machine i of n (from 1) is to run:
// every n-th one, so that neighbours, which tend to cost alike, spread.
func Shard(cases []*Case, i, n int) ([]*Case, error) {
	if n < 1 || i < 1 || i > n {
		return nil, fmt.Errorf("shard %d/%d: expected i/n with 1 <= i <= n", i, n)
	}
	var out []*Case
	for k := i - 1; k < len(cases); k += n {
		out = append(out, cases[k])
	}
	return out, nil
}

// ParseShard parses "i/n".
func ParseShard(s string) (i, n int, err error) {
	if c, err := fmt.Sscanf(s+"|", "%d/%d|", &i, &n); err != nil || c != 2 || n < 1 || i < 1 || i > n || n > math.MaxInt32 {
		return 0, 0, fmt.Errorf("shard %q: expected i/n with 1 <= i <= n, such as 2/5", s)
	}
	return i, n, nil
}
