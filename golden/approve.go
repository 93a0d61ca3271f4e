package golden

import (
	"context"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"strings"
	"unicode"

	"pica200/internal/files"
)

// ApproveOptions configure Approve.
type ApproveOptions struct {
	Only   []string // as in Options
	DryRun bool     // only report what would be approved
	Blank  bool     // approve also colours that are the same everywhere
}

// Approve approves the differences in the report of an earlier run, perhaps on
// another machine: the pictures in the report replace the approved ones "from
// self" of the suite in dir, or their hashes. path is a results file or its
// folder.
//
// A report may come from anywhere. It only says which cases differ and contains
// their pictures; the case files of the suite decide which files are written.
// Approve rejects a picture that the run did not draw, and one that would
// replace another picture than the one that the run compared with.
func Approve(ctx context.Context, path, dir string, opt ApproveOptions) (*Results, error) {
	defer files.Begin().End()
	report, err := ReadResults(path)
	if err != nil {
		return nil, err
	}
	all, err := LoadDir(dir)
	if err != nil {
		return nil, err
	}
	chosen, err := choose(dir, all, opt.Only)
	if err != nil {
		return nil, err
	}
	root, err := files.OpenRoot(filepath.Dir(resultsPath(path)))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	a := approval{root: root, report: report, dry: opt.DryRun, blank: opt.Blank}
	known, mine := map[string]bool{}, map[string]*Case{}
	for _, c := range all {
		known[c.Name] = true
	}
	for _, c := range chosen {
		mine[c.Name] = c
	}
	res := &Results{Dir: dir, Version: report.Version, Commit: report.Commit, Time: report.Time}
	seen := map[string]bool{}
	for i := range report.Cases {
		if err := ctx.Err(); err != nil {
			res.Error = "not all cases were checked"
			return res, err
		}
		from := &report.Cases[i]
		if seen[from.Name] {
			return res, fmt.Errorf("%s: case %s appears twice", path, from.Name)
		}
		seen[from.Name] = true
		switch c := mine[from.Name]; {
		case from.Status != Differs || c == nil && known[from.Name]:
		case c == nil:
			res.Cases = append(res.Cases, CaseResult{Name: from.Name, Status: Failed, Error: dir + " has no case of this name"})
		default:
			res.Cases = append(res.Cases, a.approve(c, from))
		}
	}
	return res, nil
}

type approval struct {
	root   *files.Root
	report *Results
	dry    bool
	blank  bool // may be approved
}

func (a *approval) approve(c *Case, from *CaseResult) CaseResult {
	r := CaseResult{Name: c.Name, File: c.File, Source: c.SourcePath(), Status: Match}
	if c.Err != nil {
		r.Status, r.Error = Failed, c.Err.Error()
		return r
	}
	seen := map[string]bool{}
	for k := range from.Images {
		img := &from.Images[k]
		if img.Status != Differs {
			continue
		}
		var want *Image
		for i := range c.Images {
			if c.Images[i].Target == img.Target {
				want = &c.Images[i]
			}
		}
		if want == nil { // not asked for, or the case has changed
			continue
		}
		out := ImageResult{Target: img.Target, Status: Failed, Tolerance: want.Tolerance, Against: want.Approved[0]}
		if seen[img.Target] {
			out.Message = "the report has this image twice"
		} else if picture, err := a.picture(img); err != nil {
			out.Message = err.Error()
		} else {
			out = a.replace(c, *want, picture, img, out)
		}
		seen[img.Target] = true
		switch {
		case out.Status == Failed:
			r.Status, r.Error = Failed, out.Target+": "+out.Message
		case r.Status == Failed:
		case out.Status == Differs:
			r.Status = Differs
		case out.Status == Updated && r.Status == Match:
			r.Status = Updated
		}
		r.Images = append(r.Images, out)
	}
	return r
}

// picture reads the drawn picture from the report.
func (a *approval) picture(img *ImageResult) (image.Image, error) {
	if img.Actual == "" {
		return nil, errors.New("the report has no picture of it")
	}
	_, m, err := readPicture(a.root, img.Actual)
	if err != nil {
		return nil, err
	}
	if got := pictureHash(m); got != img.SHA256 {
		return nil, fmt.Errorf("%s is not the picture that was drawn: its sha256 is %s, that of the report %s", img.Actual, got, img.SHA256)
	}
	return m, nil
}

// replace approves a picture if the approved one is still the one that the run
// compared it with.
func (a *approval) replace(c *Case, want Image, m image.Image, img *ImageResult, out ImageResult) ImageResult {
	out.SHA256, out.Status, out.Message = img.SHA256, Differs, img.Message
	if old := want.approved(); old != nil {
		is, err := c.expects(*old)
		switch {
		case err != nil:
			out.Status, out.Message = Failed, err.Error()
			return out
		case is == img.SHA256:
			out.Status, out.Message, out.Against = Match, "", *old
			return out
		case is != img.Replaces:
			out.Status = Failed
			out.Message = "the approved image has changed since the run; run the suite again"
			return out
		}
	}
	if !a.blank && Blank(want.Target, m) {
		out.Message = blankMessage
		return out
	}
	return approve(c, want, m, out, "pica200 "+printable(a.report.Version), a.dry)
}

// printable makes a text of unknown origin safe for a file.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	return s[:min(len(s), 80)]
}
