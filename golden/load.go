package golden

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"pica200/internal/files"
	"pica200/internal/yamldoc"
	"pica200/scene"
)

// LoadDir reads every case file below dir, in order of name. It skips folders
// whose name starts with a dot or an underscore. A case file or folder that
// cannot be read becomes a case with Err set, which fails on its own.
func LoadDir(dir string) ([]*Case, error) {
	cases, _, err := loadDir(dir)
	return cases, err
}

// loadDir reads the cases below dir, and lists the PNG files beside them.
func loadDir(dir string) (cases []*Case, pngs []string, err error) {
	top := dir + "/" // also of a link to a folder
	err = filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			if path == top {
				return err
			}
			cases = append(cases, failedCase(dir, path, err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			if n := d.Name(); path != top && (n[0] == '.' || n[0] == '_') {
				return fs.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(path, ".png") {
			pngs = append(pngs, path)
		}
		if !strings.HasSuffix(path, Suffix) {
			return nil
		}
		c, err := LoadCase(dir, path)
		if err != nil {
			c = failedCase(dir, path, err)
		}
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	if len(cases) == 0 {
		return nil, nil, fmt.Errorf("%s holds no golden case (a file whose name ends in %s)", dir, Suffix)
	}
	sort.Slice(cases, func(i, j int) bool { return cases[i].Name < cases[j].Name })
	return cases, pngs, nil
}

// failedCase makes a case for a file that cannot be read.
func failedCase(dir, path string, err error) *Case {
	name := strconv.Quote(caseName(dir, path))
	return &Case{Name: name[1 : len(name)-1], File: path, Err: err}
}

// caseName returns the name in the suite for a path.
func caseName(dir, path string) string {
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		rel = filepath.Base(path)
	}
	return strings.TrimSuffix(filepath.ToSlash(rel), Suffix)
}

// LoadCase reads one case file; the case's name is relative to dir, the suite's
// folder.
func LoadCase(dir, path string) (*Case, error) {
	name := caseName(dir, path)
	if !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) {
		return nil, fmt.Errorf("%q: the name of a case is text without control characters", path)
	}
	if i := strings.LastIndexByte(name, ':'); i >= 0 && slices.Contains(Targets, name[i+1:]) {
		return nil, fmt.Errorf("%s: the name of a case must not end in %q, which stands for one of its images", path, name[i:])
	}
	root, err := files.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	src, err := root.ReadRegular(filepath.Base(path), yamldoc.MaxBytes)
	if err != nil {
		return nil, err
	}
	return parseCase(name, path, src)
}

// orphans returns the pictures beside the cases that no case uses, for example
// of a case that was removed or renamed. If a case file cannot be read it
// returns none, since they are unknown.
func orphans(cases []*Case, pngs []string) []string {
	used := map[string]bool{}
	for _, c := range cases {
		if c.Err != nil {
			return nil
		}
		used[filepath.Clean(c.SourcePath())] = true
		for _, img := range c.Images {
			for _, a := range img.Approved {
				if a.File != "" {
					used[filepath.Clean(c.path(a))] = true
				}
			}
		}
	}
	left := slices.DeleteFunc(pngs, func(p string) bool { return used[filepath.Clean(p)] })
	if len(left) == 0 {
		return nil
	}
	// The rest may be textures of scenes.
	for _, c := range cases {
		if !scene.Is(c.SourcePath(), nil) {
			continue
		}
		if s, err := scene.Load(c.SourcePath()); err == nil {
			for _, f := range s.Files() {
				left = slices.DeleteFunc(left, func(p string) bool { return files.Same(p, f) != "" })
			}
		}
	}
	return left
}

// choose returns the cases that only selects, in the order of the suite, each
// with the selected images: NAME, where * stands for any text and ? for any
// character, or NAME:TARGET for one image. A name that is exactly a case's
// selects only that case. Without names it selects everything.
func choose(dir string, cases []*Case, only []string) ([]*Case, error) {
	if len(only) == 0 {
		return cases, nil
	}
	whole, targets := map[*Case]bool{}, map[*Case][]string{}
	for _, name := range only {
		found, target := named(cases, name), ""
		if i := strings.LastIndexByte(name, ':'); found == nil && i >= 0 && slices.Contains(Targets, name[i+1:]) {
			found, target = named(cases, name[:i]), name[i+1:]
		}
		if found == nil {
			return nil, noCase(dir, cases, name)
		}
		shown := false
		for _, c := range found {
			switch {
			case target == "" || c.Err != nil:
				whole[c], shown = true, true
			case slices.ContainsFunc(c.Images, func(i Image) bool { return i.Target == target }):
				targets[c], shown = append(targets[c], target), true
			}
		}
		if !shown {
			return nil, fmt.Errorf("%s has no image %q; its images are %s", found[0].Name, target, strings.Join(found[0].targets(), ", "))
		}
	}
	var out []*Case
	for _, c := range cases {
		if whole[c] {
			out = append(out, c)
		} else if t := targets[c]; t != nil {
			part := *c
			part.Images = slices.DeleteFunc(slices.Clone(c.Images), func(i Image) bool { return !slices.Contains(t, i.Target) })
			out = append(out, &part)
		}
	}
	return out, nil
}

func (c *Case) targets() (names []string) {
	for _, i := range c.Images {
		names = append(names, i.Target)
	}
	return names
}

// named returns the cases with a name or pattern.
func named(cases []*Case, name string) (found []*Case) {
	for _, c := range cases {
		if c.Name == name {
			return []*Case{c}
		}
		if strings.ContainsAny(name, "*?") && Matches(name, c.Name) {
			found = append(found, c)
		}
	}
	return found
}

// Matches reports whether a name matches a pattern, in which * stands for any
// text and ? for any character. Its time is proportional to the product of the
// lengths: after a second star the first one need not be tried again.
func Matches(pattern, name string) bool {
	ps, ns := []rune(pattern), []rune(name)
	p, n, star, mark := 0, 0, -1, 0
	for n < len(ns) {
		switch {
		case p < len(ps) && ps[p] == '*':
			star, mark = p, n
			p++
		case p < len(ps) && (ps[p] == '?' || ps[p] == ns[n]):
			p, n = p+1, n+1
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(string(ps[p:]), "*") == ""
}

func noCase(dir string, cases []*Case, name string) error {
	var names, with []string
	for _, c := range cases {
		names = append(names, c.Name)
		if strings.Contains(c.Name, name) {
			with = append(with, c.Name)
		}
	}
	switch near := yamldoc.Nearest(name, names); {
	case len(with) == 1:
		return fmt.Errorf("no case of %s is called %q; there is %q", dir, name, with[0])
	case len(with) > 1:
		return fmt.Errorf("no case of %s is called %q; %d have it in their name, which \"*%s*\" stands for", dir, name, len(with), name)
	case near != "":
		return fmt.Errorf("no case of %s is called %q; the nearest name is %q", dir, name, near)
	}
	return fmt.Errorf("no case of %s is called %q", dir, name)
}

// inputs makes the files that the case reads inputs (files.Run), though their picture may have been drawn earlier or elsewhere.
func (c *Case) inputs() error {
	list := []string{c.File, c.SourcePath()}
	if scene.Is(c.SourcePath(), nil) {
		if s, err := scene.Load(c.SourcePath()); err == nil {
			list = append(list, s.Files()...)
		}
	}
	return files.Inputs(list...)
}
