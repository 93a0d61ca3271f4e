package golden

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"os"
	"path/filepath"
	"sort"
)

//go:embed report.html
var reportHTML string

var reportTemplate = template.Must(template.New("report").Parse(reportHTML))

type htmlReport struct {
	Title                              string
	Version                            string
	Total, Match, Differ, Fail, Update int
	Entries                            []htmlEntry // by severity, worst first
	Good                               []htmlEntry
}

type htmlEntry struct {
	Case, Source, Target, Status, Message string
	Bisect, Provenance, Tolerance, Reason string
	Rank                                  string
	Expected, Actual, Difference          template.URL
	Width, Height                         int
}

// WriteHTML writes one HTML page that needs nothing else: images are embedded
// and no address of a network is in it. Images are read from dir.
func (r *Results) WriteHTML(w io.Writer, dir string) error {
	rep := htmlReport{Title: r.Dir, Version: r.Version, Total: len(r.Cases),
		Match: r.Count(Match), Differ: r.Count(Differs), Fail: r.Count(Failed), Update: r.Count(Updated)}
	type ranked struct {
		e htmlEntry
		s float64
	}
	var bad []ranked
	for _, c := range r.Cases {
		if c.Status == Failed {
			bad = append(bad, ranked{htmlEntry{Case: c.Name, Source: c.Source, Target: "render", Status: string(Failed), Message: c.Error, Rank: "could not render"}, c.Severity()})
			continue
		}
		for _, i := range c.Images {
			e := htmlEntry{Case: c.Name, Source: c.Source, Target: i.Target, Status: string(i.Status), Message: i.Message, Bisect: c.Bisect}
			e.Provenance = string(i.Against.From)
			if i.Against.By != "" {
				e.Provenance += ", " + i.Against.By
			}
			if i.Against.Note != "" {
				e.Provenance += " (" + i.Against.Note + ")"
			}
			e.Tolerance, e.Reason = i.Tolerance.text(), i.Tolerance.Reason
			if i.Status != Differs {
				rep.Good = append(rep.Good, e)
				continue
			}
			e.Rank = fmt.Sprintf("%.3f%%, worst %d", i.Comparison.share(), i.Comparison.Worst)
			if i.Comparison.SizeWant != i.Comparison.SizeGot {
				e.Rank = "size"
			}
			if i.Expected == "" {
				e.Rank = "new"
			}
			e.Width, e.Height = i.Comparison.SizeGot.X, i.Comparison.SizeGot.Y
			for _, f := range []struct {
				path string
				url  *template.URL
			}{{i.Expected, &e.Expected}, {i.Actual, &e.Actual}, {i.Difference, &e.Difference}} {
				if f.path == "" {
					continue
				}
				data, err := os.ReadFile(filepath.Join(dir, f.path))
				if err != nil {
					return err
				}
				*f.url = template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(data))
			}
			s := max(1, i.Comparison.Severity())
			bad = append(bad, ranked{e, s})
		}
	}
	sort.SliceStable(bad, func(i, j int) bool { return bad[i].s > bad[j].s })
	for _, b := range bad {
		rep.Entries = append(rep.Entries, b.e)
	}
	return reportTemplate.Execute(w, rep)
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
	return s
}
