package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// shared is a test binary with many mutants of a package: each is a copy of its function, which the function calls instead of its
// own body if the environment selects it. Mutants that cannot be included, and tests that fail in this binary without a mutant, use
// a build of the mutant alone.
type shared struct {
	binary  string
	numbers map[*mutant]int

	mu    sync.Mutex
	fails map[string]bool // results of tests without a mutant
}

// variable is the environment variable that selects the mutant.
const variable = "PICA200_MUTANT"

// buildShared builds one binary with all mutants that compile.
func (s *suite) buildShared(ctx context.Context, dir string, list []*mutant) error {
	s.shared = &shared{binary: filepath.Join(dir, "mutants.test"), numbers: map[*mutant]int{}, fails: map[string]bool{}}
	replace := map[string]string{}
	put := func(path string, src []byte) error {
		to := filepath.Join(dir, filepath.Base(path))
		replace[path] = to
		return os.WriteFile(to, src, 0o666)
	}
	files := map[string][]*mutant{}
	for _, m := range list {
		if m.refused == "" {
			files[m.file] = append(files[m.file], m)
		}
	}
	name := ""
	for file, in := range files {
		f, src, err := s.shared.add(file, in)
		if err != nil {
			return err
		}
		name = f.Name.Name
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		if err := put(path, src); err != nil {
			return err
		}
	}
	if len(s.shared.numbers) == 0 {
		return nil
	}
	choice := fmt.Sprintf("package %s\n\nimport (\n\t\"os\"\n\t\"strconv\"\n)\n\nvar pica200Mutant, _ = strconv.Atoi(os.Getenv(%q))\n", name, variable)
	if err := put(filepath.Join(s.dir, "pica200_mutant.go"), []byte(choice)); err != nil {
		return err
	}
	out, err := s.build(ctx, dir, s.shared.binary, replace)
	if err != nil && ctx.Err() == nil {
		fmt.Fprintf(os.Stderr, "%s: its mutants are built one by one: %.500s\n", s.path, out)
		clear(s.shared.numbers)
	}
	return ctx.Err()
}

// build builds the package's tests with replaced files.
func (s *suite) build(ctx context.Context, dir, binary string, replace map[string]string) ([]byte, error) {
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "overlay")
	if err := os.WriteFile(file, overlay, 0o666); err != nil {
		return nil, err
	}
	return goTest(ctx, "-c", "-overlay", file, "-o", binary, s.tested).CombinedOutput()
}

// add returns a file with the mutated copies of its functions, numbered from 1 in the package. A function that recovers is left
// out: recover works only in the function called by the panic.
func (s *shared) add(file string, list []*mutant) (*ast.File, []byte, error) {
	src := list[0].whole
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, src, 0)
	if err != nil {
		return nil, nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	text := func(from, to token.Pos) string { return string(src[at(from):at(to)]) }
	var out, copies bytes.Buffer
	done := 0
	put := func(to token.Pos, skip int, insert string) {
		out.Write(src[done:at(to)])
		out.WriteString(insert)
		done = at(to) + skip
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil || recovers(fn.Body) {
			continue
		}
		in := slices.DeleteFunc(slices.Clone(list), func(m *mutant) bool { return m.from <= at(fn.Body.Lbrace) || m.from >= at(fn.Body.Rbrace) })
		if len(in) == 0 {
			continue
		}
		// Names unnamed parameters, because the copy gets them as arguments.
		var args []string
		n := 0
		named := func(list []*ast.Field) (names []string) {
			for _, field := range list {
				if len(field.Names) == 0 {
					n++
					names = append(names, fmt.Sprintf("unnamed%d", n))
					put(field.Type.Pos(), 0, names[len(names)-1]+" ")
				}
				for _, id := range field.Names {
					name := id.Name
					if name == "_" {
						n++
						name = fmt.Sprintf("unnamed%d", n)
						put(id.Pos(), 1, name)
					}
					names = append(names, name)
				}
			}
			return names
		}
		receiver, call := "", fn.Name.Name
		if fn.Recv != nil {
			receiver = text(fn.Recv.Pos(), fn.Recv.End())
			call = named(fn.Recv.List)[0] + "." + call
		}
		args = named(fn.Type.Params.List)
		if last := len(fn.Type.Params.List) - 1; last >= 0 {
			if _, many := fn.Type.Params.List[last].Type.(*ast.Ellipsis); many {
				args[len(args)-1] += "..."
			}
		}
		typed, instance := "", ""
		if t := fn.Type.TypeParams; t != nil {
			typed = text(t.Pos(), t.End())
			var names []string
			for _, field := range t.List {
				for _, id := range field.Names {
					names = append(names, id.Name)
				}
			}
			instance = "[" + strings.Join(names, ", ") + "]"
		}
		choice := " switch pica200Mutant {"
		for _, m := range in {
			number := len(s.numbers) + 1
			s.numbers[m] = number
			results := fn.Type.Results != nil && len(fn.Type.Results.List) > 0
			it := fmt.Sprintf("%s_%d%s(%s)", call, number, instance, strings.Join(args, ", "))
			if results {
				choice += fmt.Sprintf("case %d: return %s;", number, it)
			} else {
				choice += fmt.Sprintf("case %d: %s; return;", number, it)
			}
			fmt.Fprintf(&copies, "\nfunc %s %s_%d%s%s%s%s%s\n", receiver, fn.Name.Name, number, typed,
				text(fn.Type.Params.Pos(), fn.Body.Lbrace), src[at(fn.Body.Lbrace):m.from], m.text, src[m.to:at(fn.Body.Rbrace)+1])
		}
		put(fn.Body.Lbrace+1, 0, choice+"};")
	}
	out.Write(src[done:])
	out.Write(copies.Bytes())
	return f, out.Bytes(), nil
}

// recovers reports whether a body calls recover directly.
func recovers(body *ast.BlockStmt) (does bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			id, ok := call.Fun.(*ast.Ident)
			does = does || ok && id.Name == "recover"
		}
		_, other := n.(*ast.FuncLit)
		return !other
	})
	return does
}

// check type-checks each mutant.
func (p *pack) check(ctx context.Context, list []*mutant) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-trimpath", "-buildvcs=false", "-export", "-deps", "-json=ImportPath,Export", p.path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var one struct{ ImportPath, Export string }
		if err := d.Decode(&one); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		exports[one.ImportPath] = one.Export
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var files []*ast.File
	for _, path := range p.files {
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		for _, d := range f.Decls { // bodies in other files do not matter
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name != "init" {
				fn.Body = nil
			}
		}
		files = append(files, f)
	}
	for _, m := range list {
		path := filepath.Join(p.dir, filepath.Base(m.file))
		f, err := parser.ParseFile(fset, path, m.changed(), 0)
		if err != nil {
			m.refused = err.Error()
			continue
		}
		with := slices.Clone(files)
		with[slices.Index(p.files, path)] = f
		config := types.Config{Importer: imports, Error: func(err error) {
			if e := err.(types.Error); m.refused == "" && fset.Position(e.Pos).Filename == path {
				m.refused = e.Msg
			}
		}}
		_, _ = config.Check(p.path, fset, with, nil) // Error has its errors
	}
	return nil
}
