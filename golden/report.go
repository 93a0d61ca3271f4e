package golden

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"pica200/internal/files"
	"sort"
	"strings"
)

// ResultsFile, HTMLFile and JUnitFile are the names of the reports in a
// folder of results.
const (
	ResultsFile = "results.json"
	HTMLFile    = "index.html"
	JUnitFile   = "junit.xml"
)

// WriteReports writes the three reports into out.
func (r *Results) WriteReports(out string) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(out, ResultsFile), append(data, '\n')); err != nil {
		return err
	}
	var b strings.Builder
	if err := r.WriteJUnit(&b); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(out, JUnitFile), []byte(b.String())); err != nil {
		return err
	}
	b.Reset()
	if err := r.WriteHTML(&b, out); err != nil {
		return err
	}
	return writeFile(filepath.Join(out, HTMLFile), []byte(b.String()))
}

// maxResults bounds a results file that is read.
const maxResults = 256 << 20

// ReadResults reads the results of earlier runs and joins them: those of all
// the shards of a suite, say. Paths of images become relative to base.
func ReadResults(base string, dirs ...string) (*Results, error) {
	all := &Results{}
	for i, dir := range dirs {
		path := dir
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			path = filepath.Join(dir, ResultsFile)
		}
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if info.Size() > maxResults {
			return nil, fmt.Errorf("%s: the file is larger than %d bytes", path, maxResults)
		}
		data, err := files.Read(path, files.Max)
		if err != nil {
			return nil, err
		}
		var one Results
		if err := json.Unmarshal(data, &one); err != nil {
			return nil, fmt.Errorf("%s: not the results of a golden run: %w", path, err)
		}
		if i == 0 {
			all.Dir, all.Version = one.Dir, one.Version
		}
		for _, c := range one.Cases {
			for k := range c.Images {
				im := &c.Images[k]
				for _, p := range []*string{&im.Expected, &im.Actual, &im.Difference} {
					if *p == "" {
						continue
					}
					if !filepath.IsLocal(*p) {
						return nil, fmt.Errorf("%s: case %s: image %q lies outside of the folder of results", path, c.Name, *p)
					}
					if *p, err = filepath.Rel(base, filepath.Join(filepath.Dir(path), *p)); err != nil {
						return nil, err
					}
				}
			}
			all.Cases = append(all.Cases, c)
		}
	}
	sort.SliceStable(all.Cases, func(i, j int) bool { return all.Cases[i].Name < all.Cases[j].Name })
	return all, nil
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

// WriteJUnit writes the results as JUnit XML: a test case an image, so that a
// CI system lists each; a case that failed is an error, an image that differs
// a failure.
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
