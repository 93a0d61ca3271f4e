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
	tests     bool
	mutants   []*mutant

	cover  coverage
	shared *shared
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

// swaps are the operators that take each other's place.
var swaps = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.AND_NOT: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN},
}

// mutantsOf gives the changes of a file; none of one that a program wrote.
func mutantsOf(name string, src []byte) (list []*mutant, err error) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.ParseComments)
	if err != nil || ast.IsGenerated(f) {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	lines := bytes.Split(src, []byte("\n"))
	function := ""
	times := map[string]int{}
	// What a case looks at belongs, as coverage counts, to the line of its switch.
	var cases [][3]token.Pos // from, to, the switch
	add := func(from, to token.Pos, text, what string) {
		m := &mutant{file: name, whole: src, from: at(from), to: at(to), text: text, line: fset.Position(from).Line, what: what, function: function}
		m.reached = m.line
		for _, c := range cases {
			if c[0] <= from && from < c[1] {
				m.reached = fset.Position(c[2]).Line
			}
		}
		m.source = string(bytes.TrimSpace(lines[m.line-1]))
		key := m.name()
		m.nth = times[key]
		times[key]++
		list = append(list, m)
	}
	operator := func(pos token.Pos, op token.Token) {
		for _, other := range swaps[op] {
			add(pos, pos+token.Pos(len(op.String())), other.String(), fmt.Sprintf("%v becomes %v", op, other))
		}
	}
	source := func(n ast.Node) string { return string(src[at(n.Pos()):at(n.End())]) }
	condition := func(c ast.Expr, loop bool) {
		if strings.Contains(source(c), "AVX2()") { // both forms of a kernel give the same bits
			return
		}
		add(c.Pos(), c.End(), "!("+source(c)+")", "the condition is negated")
		add(c.Pos(), c.End(), "("+source(c)+") && false", "the condition is false")
		if !loop {
			add(c.Pos(), c.End(), "("+source(c)+") || true", "the condition is true")
		}
	}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Body == nil {
			continue
		}
		function = fn.Name.Name
		if fn.Recv != nil && len(fn.Recv.List) == 1 {
			function = source(fn.Recv.List[0].Type) + "." + function
		}
		if len(fn.Body.List) > 0 {
			var zeros []string
			if fn.Type.Results != nil {
				for _, r := range fn.Type.Results.List {
					for range max(1, len(r.Names)) {
						zeros = append(zeros, "*new("+source(r.Type)+")")
					}
				}
			}
			// In one line: the lines behind it stay what they are.
			add(fn.Body.Lbrace+1, fn.Body.Lbrace+1, " if true { return "+strings.Join(zeros, ", ")+" };", "it returns at once")
		}
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SwitchStmt:
				for _, c := range n.Body.List {
					if list := c.(*ast.CaseClause).List; len(list) > 0 {
						cases = append(cases, [3]token.Pos{list[0].Pos(), list[len(list)-1].End(), n.Pos()})
					}
				}
			case *ast.BinaryExpr:
				operator(n.OpPos, n.Op)
			case *ast.IncDecStmt:
				operator(n.TokPos, n.Tok)
			case *ast.AssignStmt:
				operator(n.TokPos, n.Tok)
				if n.Tok != token.DEFINE {
					add(n.Pos(), n.End(), "", "the statement is gone")
				}
			case *ast.ExprStmt, *ast.DeferStmt, *ast.SendStmt:
				add(n.Pos(), n.End(), "", "the statement is gone")
			case *ast.BranchStmt:
				if n.Tok == token.BREAK || n.Tok == token.CONTINUE {
					add(n.Pos(), n.End(), "", "the statement is gone")
				}
			case *ast.IfStmt:
				condition(n.Cond, false)
			case *ast.ForStmt:
				if n.Cond != nil {
					condition(n.Cond, true)
				}
			case *ast.BasicLit:
				if n.Kind == token.INT {
					add(n.Pos(), n.End(), "("+n.Value+"+1)", n.Value+" becomes one more")
				}
			}
			return true
		})
	}
	return list, nil
}
