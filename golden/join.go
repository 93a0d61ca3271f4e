package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"pica200/assets/imagefile"
	"pica200/internal/files"
	"pica200/internal/quote"
)

// maxResults bounds a results file that is read.
const maxResults = 256 << 20

// resultsPath returns the results file of a path, which may be its folder.
func resultsPath(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, ResultsFile)
	}
	return path
}

// ReadResults reads the results of an earlier run: a results file, or its
// folder. Its pictures are below that folder.
func ReadResults(path string) (*Results, error) {
	path = resultsPath(path)
	root, err := files.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	data, err := root.ReadRegular(filepath.Base(path), maxResults)
	if err != nil {
		return nil, err
	}
	return parseResults(path, data)
}

func parseResults(path string, data []byte) (*Results, error) {
	var r Results
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("%s: not the results of a golden run: %w", path, quote.JSON(err, data, 0))
	}
	if r.Version == "" && r.Dir == "" {
		return nil, fmt.Errorf("%s: not the results of a golden run: neither suite nor renderer is named", path)
	}
	for i := range r.Cases {
		for k := range r.Cases[i].Images {
			for _, p := range r.Cases[i].Images[k].pictures() {
				if !filepath.IsLocal(*p) {
					return nil, fmt.Errorf("%s: case %s: image %q lies outside of the folder of results", path, r.Cases[i].Name, *p)
				}
			}
		}
	}
	return &r, nil
}

// Seconds returns the times of the cases, by name.
func (r *Results) Seconds() map[string]float64 {
	seconds := map[string]float64{}
	for i := range r.Cases {
		seconds[r.Cases[i].Name] = r.Cases[i].Seconds
	}
	return seconds
}

// readPicture reads a picture of a report, without following links out of its
// folder.
func readPicture(root *files.Root, name string) ([]byte, image.Image, error) {
	data, err := root.ReadRegular(filepath.ToSlash(name), files.MaxStream)
	if err != nil {
		return nil, nil, err
	}
	m, err := imagefile.DecodePNG(data, maxPixels)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return data, m, nil
}

// Join joins the results of several runs, which are all shards of a suite. Each
// path is a results file, its folder, or a folder of such folders. Pictures are
// copied to out, so that the new report's folder is complete. Missing,
// duplicate, unreadable and unrelated parts are in Results.Problems; an error
// means that there is nothing to report.
func Join(out string, paths ...string) (*Results, error) {
	defer files.Begin().End()
	parts, bad := readParts(paths)
	if len(parts) == 0 {
		return nil, errors.Join(bad...)
	}
	for _, name := range reportFiles {
		if err := files.Free(filepath.Join(out, name)); err != nil {
			return nil, err
		}
	}
	all := &Results{Dir: parts[0].Dir, Suite: parts[0].Suite, Version: parts[0].Version, Commit: parts[0].Commit, Time: parts[0].Time}
	for _, err := range bad {
		all.Problems = append(all.Problems, err.Error())
	}
	all.Problems = append(all.Problems, fit(parts)...)
	seen, taken := map[string]int{}, map[string]bool{}
	for _, p := range parts {
		if p.Error != "" {
			all.Problems = append(all.Problems, p.path+": "+p.Error)
		}
		if !strings.Contains(all.Dir, p.Dir) {
			all.Dir += ", " + p.Dir
		}
		all.Total += len(p.Cases)
		for _, o := range p.Orphans {
			if !slices.Contains(all.Orphans, o) {
				all.Orphans = append(all.Orphans, o)
			}
		}
		if p.Time.Before(all.Time) {
			all.Time = p.Time
		}
		problems, err := p.copyPictures(out, taken)
		if err != nil {
			return nil, err
		}
		all.Problems = append(all.Problems, problems...)
		for _, c := range p.Cases {
			key := p.Dir + "\x00" + c.Name
			if seen[key]++; seen[key] == 2 {
				all.Problems = append(all.Problems, fmt.Sprintf("case %s is in more than one part", c.Name))
			}
			all.Cases = append(all.Cases, c)
		}
	}
	sort.SliceStable(all.Cases, func(i, j int) bool { return all.Cases[i].Name < all.Cases[j].Name })
	return all, nil
}

type loaded struct {
	*Results
	path string
}

// readParts reads the results that paths mean.
func readParts(paths []string) (parts []loaded, bad []error) {
	for _, path := range paths {
		one := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			if _, err := os.Stat(filepath.Join(path, ResultsFile)); errors.Is(err, os.ErrNotExist) {
				// A folder of parts, as CI systems store artefacts.
				if below, _ := files.Glob(path, "*/"+ResultsFile); len(below) > 0 {
					one = below
				}
			}
		}
		for _, p := range one {
			r, err := ReadResults(p)
			if err != nil {
				bad = append(bad, err)
				continue
			}
			parts = append(parts, loaded{r, p})
		}
	}
	return parts, bad
}

// fit says why the parts are not all the parts of one suite.
func fit(parts []loaded) (problems []string) {
	sharded := slices.ContainsFunc(parts, func(p loaded) bool { return p.Shard != "" })
	say := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	for _, p := range parts[1:] {
		if p.Version != parts[0].Version {
			say("%s was made by renderer %s, %s by %s", p.path, p.Version, parts[0].path, parts[0].Version)
		}
	}
	if !sharded {
		return problems
	}
	var (
		of, cases, ran int
		first          *loaded
		by             = map[int]string{}
	)
	for k := range parts {
		p := &parts[k]
		i, n, err := parseShard(p.Shard)
		switch {
		case p.Shard == "":
			say("%s is not a shard, but others are", p.path)
			continue
		case err != nil:
			say("%s: %v", p.path, err)
			continue
		case first == nil:
			first, of, cases = p, n, p.Total
		case n != of:
			say("%s is shard %s, %s one of %d", p.path, p.Shard, first.path, of)
			continue
		case p.Suite != first.Suite:
			say("%s is a shard of another suite than %s, or of other cases", p.path, first.path)
			continue
		}
		if by[i] != "" {
			say("shard %d/%d appears twice: %s and %s", i, n, by[i], p.path)
			continue
		}
		by[i] = p.path
		ran += len(p.Cases)
	}
	missing := 0
	for i := 1; i <= of; i++ {
		if by[i] == "" {
			if missing++; missing <= 20 {
				say("shard %d/%d is missing", i, of)
			}
		}
	}
	if missing > 20 {
		say("%d more shards are missing", missing-20)
	}
	if missing == 0 && ran != cases {
		say("the shards hold %d cases, the suite %d: they were not divided by the same times", ran, cases)
	}
	return problems
}

// copyPictures copies the pictures of a part to out, with unused names. One
// that cannot be read is left out and reported as a problem.
func (p *loaded) copyPictures(out string, taken map[string]bool) (problems []string, err error) {
	dir := filepath.Dir(resultsPath(p.path))
	root, err := files.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	to, err := files.MakeRoot(out)
	if err != nil {
		return nil, err
	}
	defer to.Close()
	same := false // the report is written where the part is
	if a, err := os.Stat(dir); err == nil {
		if b, err := os.Stat(out); err == nil {
			same = os.SameFile(a, b)
		}
	}
	for i := range p.Cases {
		c := &p.Cases[i]
		for k := range c.Images {
			img := &c.Images[k]
			for _, name := range img.pictures() {
				data, _, err := readPicture(root, *name)
				if err != nil {
					problems = append(problems, fmt.Sprintf("%s: case %s: %v", p.path, c.Name, err))
					*name = ""
					continue
				}
				if same && filepath.Base(*name) == *name {
					taken[*name] = true
					continue
				}
				as := fileName(c.Name) + "-" + notPlain().ReplaceAllString(img.Target, "_") + map[*string]string{
					&img.Actual: actualSuffix, &img.Expected: expectedSuffix, &img.Difference: differenceSuffix}[name]
				for n := 2; taken[as]; n++ {
					as = fmt.Sprintf("%d-%s", n, as)
				}
				taken[as] = true
				if err := write(to, as, data); err != nil {
					return nil, err
				}
				*name = as
			}
		}
	}
	return problems, nil
}
