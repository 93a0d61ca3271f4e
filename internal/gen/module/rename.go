package main

import (
	"bytes"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"pica200/internal/files"
)

// rename changes the path of the module in the folder root, and of the modules below it. Nothing is written unless everything can
// be. It returns the number of changed files.
func rename(root, to string) (int, error) {
	if err := module.CheckPath(to); err != nil {
		return 0, err
	}
	if _, major, ok := module.SplitPathVersion(to); !ok || major != "" {
		return 0, fmt.Errorf("%s: a path that ends in a major version is for versions from v2 on; this is v0", to)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	from := modfile.ModulePath(mod)
	if from == "" {
		return 0, fmt.Errorf("%s has no module line", filepath.Join(root, "go.mod"))
	}
	if from == to {
		return 0, nil
	}
	m := mover{from: from, to: to, page: pagePattern(root, from)}
	changed := map[string][]byte{}
	var order []string
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != root && strings.HasPrefix(d.Name(), ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		move := m.mover(d.Name())
		if move == nil {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		out, err := move(path, src)
		if err != nil {
			return err
		}
		if !bytes.Equal(src, out) {
			changed[path] = out
			order = append(order, path)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	// The root's go.mod is written last: while it has the old path, an interrupted run can be repeated.
	slices.SortStableFunc(order, func(a, b string) int {
		root := filepath.Join(root, "go.mod")
		switch {
		case a == root:
			return 1
		case b == root:
			return -1
		}
		return 0
	})
	for _, path := range order {
		err := files.Write(path, func(w io.Writer) error { _, err := w.Write(changed[path]); return err })
		if err != nil {
			return 0, err
		}
	}
	return len(order), nil
}

// mover changes the path of a module in files.
type mover struct {
	from, to string
	page     *regexp.Regexp
}

// mover returns the function that changes files with a name, or nil if such files hold no path.
func (m *mover) mover(name string) func(path string, src []byte) ([]byte, error) {
	switch {
	case strings.HasSuffix(name, ".go"):
		return m.goFile
	case name == "go.mod":
		return m.goMod
	case strings.HasSuffix(name, ".md"):
		return m.markdown
	}
	return nil
}

// path returns the new path of a package or module, or the same path if it does not belong to the module.
func (m *mover) path(old string) string {
	if rest, ok := strings.CutPrefix(old, m.from); ok && (rest == "" || rest[0] == '/') {
		return m.to + rest
	}
	return old
}

// goFile changes the imports, and sorts them again.
func (m *mover) goFile(path string, src []byte) ([]byte, error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, src, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	var out []byte
	at := 0
	for _, spec := range f.Imports {
		old, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if now := m.path(old); now != old {
			begin, end := fset.Position(spec.Path.Pos()).Offset, fset.Position(spec.Path.End()).Offset
			out = append(append(out, src[at:begin]...), strconv.Quote(now)...)
			at = end
		}
	}
	if at == 0 {
		return src, nil
	}
	return format.Source(append(out, src[at:]...))
}

// goMod changes the module's own line and those that require or replace it.
func (m *mover) goMod(path string, src []byte) ([]byte, error) {
	f, err := modfile.Parse(path, src, nil)
	if err != nil {
		return nil, err
	}
	changed := false
	// The lines are changed in place, which keeps their order and comments.
	put := func(line *modfile.Line, old string) {
		now := m.path(old)
		for i, word := range line.Token {
			if now != old && word == modfile.AutoQuote(old) {
				line.Token[i] = modfile.AutoQuote(now)
				changed = true
				return
			}
		}
	}
	if f.Module != nil {
		put(f.Module.Syntax, f.Module.Mod.Path)
	}
	for _, r := range f.Require {
		put(r.Syntax, r.Mod.Path)
	}
	for _, r := range f.Replace {
		put(r.Syntax, r.Old.Path)
	}
	if !changed {
		return src, nil
	}
	return modfile.Format(f.Syntax), nil
}

// pagePattern matches the module's path in a page: before an existing package, and in arguments of the go command. The program's
// name alone does not match.
func pagePattern(root, from string) *regexp.Regexp {
	entries, _ := os.ReadDir(root)
	var rooms []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			rooms = append(rooms, regexp.QuoteMeta(e.Name()))
		}
	}
	old := regexp.QuoteMeta(from)
	return regexp.MustCompile(`(?m)(^|[\s"'(=` + "`" + `])(` + old + `)(/(?:` + strings.Join(rooms, "|") + `)\b|@| v[0-9]| => |=\.\.?/)`)
}

func (m *mover) markdown(_ string, src []byte) ([]byte, error) {
	return m.page.ReplaceAll(src, []byte("${1}"+m.to+"${3}")), nil
}
