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

// pack is a package with the changes that can be made to it.
type pack struct {
	path, dir string
	files     []string
	tests     bool     // it has some
	slow      []string // those that do more where -short is not given
	mutants   []*mutant
}

// mutant is one change: the bytes from..to of a file become text.
type mutant struct {
	pkg      *pack
	file     string // from the root of the repository
	whole    []byte // the file
	from, to int
	text     string
	line     int
	reached  int    // the line that coverage counts for it
	what     string // in words: "< becomes <="
	function string
	source   string // the line, without blanks around it
	nth      int    // of the same in its function
	refused  string // why the compiler does not take it
}

// changed is the file with the change in it.
func (m *mutant) changed() []byte {
	return slices.Concat(m.whole[:m.from], []byte(m.text), m.whole[m.to:])
}

// name is the same as long as the line and its function are.
func (m *mutant) name() string {
	return fmt.Sprintf("%s | %s | %s | %s | %d", m.file, m.function, m.source, m.what, m.nth)
}

func (m *mutant) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", m.file, m.line, m.what, m.source)
}

// load finds the changes of packages, and of files and lines of them.
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
			if strings.HasSuffix(name, "_amd64.go") { // the choice of generated kernels
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

// slowTests returns the tests of a file that ask whether they shall be short.
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
		if bytes.Contains(body, []byte("testing.Short()")) || bytes.Contains(body, []byte("testkit.Slow(")) {
			list = append(list, fn.Name.Name)
		}
	}
	return list, nil
}
