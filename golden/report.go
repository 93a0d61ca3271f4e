package golden

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"pica200/internal/files"
	"pica200/internal/lazy"
)

// ResultsFile, HTMLFile and JUnitFile are the names of the reports in a
// folder of results.
const (
	ResultsFile = "results.json"
	HTMLFile    = "index.html"
	JUnitFile   = "junit.xml"
)

var reportFiles = []string{ResultsFile, HTMLFile, JUnitFile}

// WriteReports writes the three reports to out. It replaces those of an earlier
// run and removes its pictures.
func (r *Results) WriteReports(out string) error {
	root, err := files.MakeRoot(out)
	if err != nil {
		return err
	}
	defer root.Close()
	old := picturesOf(root)
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	var junit, page strings.Builder
	if err := r.WriteJUnit(&junit); err != nil {
		return err
	}
	if err := r.WriteHTML(&page, out); err != nil {
		return err
	}
	for i, text := range []string{string(data) + "\n", page.String(), junit.String()} {
		if err := write(root, reportFiles[i], []byte(text)); err != nil {
			return err
		}
	}
	for _, name := range old {
		if !r.shows(name) {
			root.Remove(name)
		}
	}
	return nil
}

// picturesOf returns the pictures of the report in a folder: regular files with
// names of a report's pictures.
func picturesOf(root *files.Root) (names []string) {
	data, err := root.ReadToReplace(ResultsFile, maxResults)
	if err != nil {
		return nil
	}
	old, err := parseResults(ResultsFile, data)
	if err != nil {
		return nil
	}
	for i := range old.Cases {
		for k := range old.Cases[i].Images {
			for _, p := range old.Cases[i].Images[k].pictures() {
				info, err := root.Lstat(*p)
				if err == nil && info.Mode().IsRegular() && filepath.Base(*p) == *p && pictureName().MatchString(*p) {
					names = append(names, *p)
				}
			}
		}
	}
	return names
}

var pictureName = lazy.Regexp(`-(` + strings.Join(Targets, "|") + `)-(actual|expected|difference)\.png$`)

func (r *Results) shows(name string) bool {
	for i := range r.Cases {
		for k := range r.Cases[i].Images {
			for _, p := range r.Cases[i].Images[k].pictures() {
				if *p == name {
					return true
				}
			}
		}
	}
	return false
}

// pictures returns the paths of existing pictures.
func (i *ImageResult) pictures() (paths []*string) {
	for _, p := range []*string{&i.Expected, &i.Actual, &i.Difference} {
		if *p != "" {
			paths = append(paths, p)
		}
	}
	return paths
}

type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Time     string      `xml:"time,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string     `xml:"classname,attr"`
	Name    string     `xml:"name,attr"`
	Time    string     `xml:"time,attr"`
	Failure *junitNote `xml:"failure,omitempty"`
	Error   *junitNote `xml:"error,omitempty"`
}

type junitNote struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes the results as JUnit XML, with a test case for each image,
// so that a CI system lists each. A case that failed is an error, an image that
// differs a failure.
func (r *Results) WriteJUnit(w io.Writer) error {
	s := junitSuite{Name: r.Dir}
	if r.Shard != "" {
		s.Name += " shard " + r.Shard
	}
	total := 0.0
	for _, c := range r.Cases {
		total += c.Seconds
		if c.Status == Failed {
			s.Tests++
			s.Errors++
			s.Cases = append(s.Cases, junitCase{c.Name, "render", secs(c.Seconds), nil, &junitNote{firstLine(c.Error), c.Error}})
			continue
		}
		for i, img := range c.Images {
			s.Tests++
			j := junitCase{Class: c.Name, Name: img.Target, Time: secs(0)}
			if i == 0 {
				j.Time = secs(c.Seconds)
			}
			if img.Status == Differs {
				s.Failures++
				text := img.Message
				for _, p := range []string{img.Expected, img.Actual, img.Difference} {
					if p != "" {
						text += "\n" + p
					}
				}
				if c.Bisect != "" {
					text += "\n" + c.Bisect
				}
				j.Failure = &junitNote{img.Message, text}
			}
			s.Cases = append(s.Cases, j)
		}
	}
	for _, p := range append(slices.Clone(r.Problems), r.Error) {
		if p != "" {
			s.Tests++
			s.Errors++
			s.Cases = append(s.Cases, junitCase{"suite", "run", secs(0), nil, &junitNote{firstLine(p), p}})
		}
	}
	s.Time = secs(total)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(s); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func secs(s float64) string { return fmt.Sprintf("%.3f", s) }

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return s
}
