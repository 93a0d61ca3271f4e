package golden

import (
	"path/filepath"
	"slices"
	"strings"

	"pica200/scene/source"
)

// Suffix is the suffix of case files.
const Suffix = ".case.yaml"

// Targets are the images that a case can compare, by the names of source.Buffer.
var Targets = source.BufferNames()

// Origin is the origin of an approved image.
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
	// SHA256 replaces a picture that is not stored: its pictureHash, or newHash
	// while there is none.
	SHA256 string `json:"sha256,omitempty"`
	From   Origin `json:"from"`
	By     string `json:"by,omitempty"`   // which console, or which program at which version
	Note   string `json:"note,omitempty"` // other information for readers

	line, column int // of SHA256 in the case file
}

// name is the name of an approved image in messages.
func (a *Approved) name() string {
	if a.SHA256 != "" {
		return "sha256: " + a.SHA256
	}
	return a.File
}

// Image is an image that a case expects. It matches if it matches any of the
// approved ones.
type Image struct {
	Target    string
	Approved  []Approved
	Tolerance Tolerance
	Line      int // in the case file, from 1
}

// hasPicture reports whether one of the approved images is a picture.
func (i *Image) hasPicture() bool {
	return slices.ContainsFunc(i.Approved, func(a Approved) bool { return a.File != "" })
}

// Case is a case file.
type Case struct {
	Name   string // path below the suite's folder without Suffix, with slashes
	File   string // the case file
	Source string // scene, model, trace or program; relative to the case file's folder
	// Program describes how to run the source if it is a program, otherwise nil.
	Program *Program
	Frame   int // of a trace or program, from 0; -1 is the last
	T       float64
	Images  []Image
	About   string // for readers
	Err     error  // error in the file; then only Name and File are set
}

// suite is the folder of the suite that the case is of.
func (c *Case) suite() string {
	return filepath.Clean(strings.TrimSuffix(filepath.ToSlash(c.File), c.Name+Suffix) + ".")
}

// SourcePath returns the path of the source relative to the working directory.
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
