package golden

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"io"
	"net/url"
	"path/filepath"

	"pica200/assets/imagefile"
	"pica200/internal/files"
)

//go:embed report.html
var reportHTML string

type htmlReport struct {
	Title                              string
	Suite                              string // for the command; "" if the report's own is right
	Version, Commit, Time              string
	Total, Match, Differ, Fail, Update int
	Problems, Orphans                  []string
	Groups                             []htmlGroup // worst first
	Entries                            []htmlEntry // entries of the groups, in order
	Good                               []htmlEntry
}

// htmlGroup is one row of the list.
type htmlGroup struct {
	First, Count int // of its entries
	More         int // Count without the first
	Rank         string
	Marks        bool // it can be approved
}

type htmlEntry struct {
	Case, Source, Target, Status, Message string
	Bisect, Provenance, Tolerance, Reason string
	Group                                 int
	Expected, Actual, Difference          template.URL
	Width, Height                         int
}

// maxEmbedded bounds the bytes of pictures in a page; other pictures are shown
// from files beside it.
const maxEmbedded = 32 << 20

// WriteHTML writes a single HTML page: images are embedded, and it has no
// network address. Images are read from dir. If there are many, those with
// smaller differences are referred to as files in dir.
func (r *Results) WriteHTML(w io.Writer, dir string) error {
	rep := htmlReport{Title: r.Dir, Version: r.Version, Commit: r.Commit, Total: len(r.Cases), Orphans: r.Orphans,
		Match: r.Count(Match), Differ: r.Count(Differs), Fail: r.Count(Failed), Update: r.Count(Updated)}
	if !r.Time.IsZero() {
		rep.Time = r.Time.UTC().Format("2006-01-02 15:04 UTC")
	}
	if !filepath.IsLocal(r.Dir) {
		rep.Suite = r.Dir
	}
	for _, p := range append([]string{r.Error}, r.Problems...) {
		if p != "" {
			rep.Problems = append(rep.Problems, p)
		}
	}
	embed := embedder{left: maxEmbedded}
	if root, err := files.OpenRoot(dir); err == nil {
		defer root.Close()
		embed.root = root
	}
	for n, g := range r.Groups() {
		row := htmlGroup{First: len(rep.Entries), Count: len(g.Members)}
		for _, m := range g.Members {
			e := htmlEntry{Case: m.Case.Name, Source: m.Case.Source, Target: "render", Status: string(Failed), Message: m.Case.Error, Group: n}
			rank := "could not render"
			if m.Image != nil {
				e, rank = m.Image.entry(m.Case), m.Image.rank()
				e.Group = n
				e.Width, e.Height = m.Image.Comparison.SizeGot.X, m.Image.Comparison.SizeGot.Y
				e.Expected, e.Actual, e.Difference = embed.url(m.Image.Expected), embed.url(m.Image.Actual), embed.url(m.Image.Difference)
				row.Marks = true
			}
			if row.Rank == "" {
				row.Rank = rank
			}
			rep.Entries = append(rep.Entries, e)
		}
		row.More = row.Count - 1
		rep.Groups = append(rep.Groups, row)
	}
	for i := range r.Cases {
		for k := range r.Cases[i].Images {
			if img := &r.Cases[i].Images[k]; img.Status == Match || img.Status == Updated {
				rep.Good = append(rep.Good, img.entry(&r.Cases[i]))
			}
		}
	}
	return template.Must(template.New("report").Parse(reportHTML)).Execute(w, rep)
}

// entry is an image as the page shows it, without its pictures.
func (i *ImageResult) entry(c *CaseResult) htmlEntry {
	e := htmlEntry{Case: c.Name, Source: c.Source, Target: i.Target, Status: string(i.Status), Message: i.Message, Bisect: c.Bisect}
	e.Provenance = string(i.Against.From)
	if i.Against.By != "" {
		e.Provenance += ", " + i.Against.By
	}
	if i.Against.Note != "" {
		e.Provenance += " (" + i.Against.Note + ")"
	}
	e.Tolerance, e.Reason = i.Tolerance.text(), i.Tolerance.Reason
	return e
}

// rank says in a word how large the difference is.
func (i *ImageResult) rank() string {
	switch c := &i.Comparison; {
	case i.Expected == "" && i.Against.SHA256 != "" && i.Against.SHA256 != newHash:
		return "another hash"
	case i.Expected == "" && c.Compared == 0 && c.SizeGot == (image.Point{}):
		return "new"
	case c.SizeWant != c.SizeGot:
		return "size"
	case c.FLIP > 0:
		return fmt.Sprintf("%.3f%%, worst %d, FLIP %.4f", c.share(), c.Worst, c.FLIP)
	default:
		return fmt.Sprintf("%.3f%%, worst %d", c.share(), c.Worst)
	}
}

// embedder makes URLs for the pictures of a report.
type embedder struct {
	root *files.Root // nil without a folder
	left int
}

func (e *embedder) url(name string) template.URL {
	if name == "" || e.root == nil {
		return ""
	}
	data, err := e.root.ReadToReplace(filepath.ToSlash(name), files.MaxStream) // by the next report
	if err == nil {
		_, err = imagefile.DecodePNG(data, maxPixels)
	}
	if err != nil {
		return ""
	}
	if e.left -= len(data); e.left < 0 {
		return template.URL((&url.URL{Path: filepath.ToSlash(name)}).String())
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data))
}

func (t Tolerance) text() string {
	if t.Exact() {
		return "exact"
	}
	s := ""
	add := func(format string, a any) {
		if s != "" {
			s += ", "
		}
		s += fmt.Sprintf(format, a)
	}
	if t.Delta > 0 {
		add("delta %d", t.Delta)
	}
	if t.Share > 0 {
		add("share %g%%", t.Share)
	}
	if t.Border > 0 {
		add("border %d", t.Border)
	}
	if t.Perceptual > 0 {
		add("perceptual %g", t.Perceptual)
	}
	if t.FLIP > 0 {
		add("FLIP %g", t.FLIP)
	}
	return s
}
