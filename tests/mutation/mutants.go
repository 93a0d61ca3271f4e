package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pack is a package with its mutants.
type pack struct {
	path, dir string
	files     []string
	tests     bool     // it has tests
	slow      []string // tests that do more without -short
	mutants   []*mutant
}

// mutant is one change: the bytes from..to of a file are replaced by text.
type mutant struct {
	pkg      *pack
	file     string // relative to the repository
	whole    []byte // contents of the file
	from, to int
	text     string
	line     int
	reached  int    // line under which coverage counts it
	what     string // description: "< becomes <="
	function string
	source   string // the line, trimmed
	nth      int    // number among equal ones in the function
	refused  string // error of the compiler, if any
}

// changed returns the file's contents with the change.
func (m *mutant) changed() []byte {
	return slices.Concat(m.whole[:m.from], []byte(m.text), m.whole[m.to:])
}

// name identifies a mutant; it stays the same while the line and its function do.
func (m *mutant) name() string {
	return fmt.Sprintf("%s | %s | %s | %s | %d", m.file, m.function, m.source, m.what, m.nth)
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", m.file, m.line, m.what, m.source)
}

// load finds the mutants of packages, files and lines.
func load(ctx context.Context, args []string) ([]*pack, error) {
	type lines struct {
		file     string
		from, to int
	}
	var patterns []string
	var only []lines
	for _, a := range args {
		name, place, _ := strings.Cut(a, ":")
		if !strings.HasSuffix(name, ".go") {
			patterns = append(patterns, a)
			continue
		}
		l := lines{filepath.ToSlash(filepath.Clean(name)), 0, 1 << 30}
		if from, to, two := strings.Cut(place, "-"); place != "" {
			var err1, err2 error
			l.from, err1 = strconv.Atoi(from)
			if l.to = l.from; two {
				l.to, err2 = strconv.Atoi(to)
			}
			if err := errors.Join(err1, err2); err != nil {
				return nil, fmt.Errorf("%s: FILE.go:LINE or FILE.go:LINE-LINE is expected: %w", a, err)
			}
		}
		only = append(only, l)
		patterns = append(patterns, "./"+filepath.ToSlash(filepath.Dir(name)))
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,TestGoFiles,XTestGoFiles"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	root, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var list []*pack
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath, Dir                    string
			GoFiles, TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		one := &pack{path: p.ImportPath, dir: p.Dir, tests: len(p.TestGoFiles)+len(p.XTestGoFiles) > 0}
		for _, name := range append(p.TestGoFiles, p.XTestGoFiles...) {
			slow, err := slowTests(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			one.slow = append(one.slow, slow...)
		}
		for _, name := range p.GoFiles {
			one.files = append(one.files, filepath.Join(p.Dir, name))
			if strings.HasSuffix(name, "_amd64.go") { // selection of generated kernels
				continue
			}
			path := filepath.Join(p.Dir, name)
			src, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return nil, err
			}
			found, err := mutantsOf(filepath.ToSlash(rel), src)
			if err != nil {
				return nil, err
			}
			for _, m := range found {
				in := len(only) == 0
				for _, l := range only {
					in = in || l.file == m.file && l.from <= m.line && m.line <= l.to
				}
				if in {
					m.pkg = one
					one.mutants = append(one.mutants, m)
				}
			}
		}
		if len(one.mutants) > 0 {
			list = append(list, one)
		}
	}
}

// slowTests returns the tests of a file that ask whether slow tests are left out.
func slowTests(name string) (list []string, err error) {
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, 0)
	if err != nil {
		return nil, err
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || !strings.HasPrefix(fn.Name.Name, "Test") {
			continue
		}
		body := src[fset.Position(fn.Body.Pos()).Offset:fset.Position(fn.Body.End()).Offset]
		if bytes.Contains(body, []byte(".Short()")) || bytes.Contains(body, []byte("testkit.Slow(")) {
			list = append(list, fn.Name.Name)
		}
	}
	return list, nil
}
