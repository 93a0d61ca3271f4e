package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// swaps lists the replacements of operators.
var swaps = map[token.Token][]token.Token{
	token.ADD: {token.SUB}, token.SUB: {token.ADD}, token.MUL: {token.QUO}, token.QUO: {token.MUL}, token.REM: {token.MUL},
	token.AND: {token.OR}, token.OR: {token.AND}, token.XOR: {token.OR}, token.AND_NOT: {token.AND}, token.SHL: {token.SHR}, token.SHR: {token.SHL},
	token.LSS: {token.LEQ, token.GEQ}, token.LEQ: {token.LSS, token.GTR}, token.GTR: {token.GEQ, token.LEQ}, token.GEQ: {token.GTR, token.LSS},
	token.EQL: {token.NEQ}, token.NEQ: {token.EQL}, token.LAND: {token.LOR}, token.LOR: {token.LAND},
	token.INC: {token.DEC}, token.DEC: {token.INC},
	token.ADD_ASSIGN: {token.SUB_ASSIGN}, token.SUB_ASSIGN: {token.ADD_ASSIGN}, token.OR_ASSIGN: {token.AND_ASSIGN}, token.AND_ASSIGN: {token.OR_ASSIGN},
	token.SHL_ASSIGN: {token.SHR_ASSIGN}, token.SHR_ASSIGN: {token.SHL_ASSIGN}, token.MUL_ASSIGN: {token.QUO_ASSIGN},
}

// finder collects the possible changes of a file.
type finder struct {
	name     string
	src      []byte
	lines    [][]byte
	fset     *token.FileSet
	function string         // the current function
	cases    [][3]token.Pos // start, end, and the switch that coverage counts them with
	times    map[string]int // occurrences of a name
	list     []*mutant
}

// mutantsOf returns the mutants of a file; none for a generated file.
func mutantsOf(name string, src []byte) ([]*mutant, error) {
	f := &finder{name: name, src: src, lines: bytes.Split(src, []byte("\n")), fset: token.NewFileSet(), times: map[string]int{}}
	file, err := parser.ParseFile(f.fset, name, src, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	for _, group := range file.Comments { // comments after code may change
		for _, c := range group.List {
			if at := f.fset.Position(c.Pos()); c.Text[1] == '/' {
				f.lines[at.Line-1] = f.lines[at.Line-1][:at.Column-1]
			}
		}
	}
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
			f.enter(fn)
			ast.Inspect(fn.Body, f.node)
		}
	}
	return f.list, nil
}

func (f *finder) at(p token.Pos) int { return f.fset.Position(p).Offset }

func (f *finder) source(n ast.Node) string { return string(f.src[f.at(n.Pos()):f.at(n.End())]) }

// add adds a mutant that replaces the text between two positions.
func (f *finder) add(from, to token.Pos, text, what string) {
	m := &mutant{file: f.name, whole: f.src, from: f.at(from), to: f.at(to), text: text, line: f.fset.Position(from).Line, what: what, function: f.function}
	m.reached = m.line
	for _, c := range f.cases {
		if c[0] <= from && from < c[1] {
			m.reached = f.fset.Position(c[2]).Line
		}
	}
	m.source = string(bytes.TrimSpace(f.lines[m.line-1]))
	key := m.name()
	m.nth = f.times[key]
	f.times[key]++
	f.list = append(f.list, m)
}

// enter starts a function, and adds the mutant that returns at once.
func (f *finder) enter(fn *ast.FuncDecl) {
	f.function = fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		f.function = f.source(fn.Recv.List[0].Type) + "." + f.function
	}
	if len(fn.Body.List) == 0 {
		return
	}
	var zeros []string
	if fn.Type.Results != nil {
		for _, r := range fn.Type.Results.List {
			for range max(1, len(r.Names)) {
				zeros = append(zeros, "*new("+f.source(r.Type)+")")
			}
		}
	}
	// One line, so that later line numbers stay the same.
	f.add(fn.Body.Lbrace+1, fn.Body.Lbrace+1, " if true { return "+strings.Join(zeros, ", ")+" };", "it returns at once")
}

// node adds the mutants of a statement or an expression.
func (f *finder) node(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.SwitchStmt:
		// Coverage counts the expressions of a case with the line of its switch.
		for _, c := range n.Body.List {
			if list := c.(*ast.CaseClause).List; len(list) > 0 {
				f.cases = append(f.cases, [3]token.Pos{list[0].Pos(), list[len(list)-1].End(), n.Pos()})
			}
		}
	case *ast.CallExpr:
		// The capacity given to make only affects time.
		if id, ok := n.Fun.(*ast.Ident); ok && id.Name == "make" && len(n.Args) == 3 {
			for _, a := range n.Args[:2] {
				ast.Inspect(a, f.node)
			}
			return false
		}
	case *ast.BinaryExpr:
		f.operator(n.OpPos, n.Op)
	case *ast.IncDecStmt:
		f.operator(n.TokPos, n.Tok)
	case *ast.AssignStmt:
		f.operator(n.TokPos, n.Tok)
		if n.Tok != token.DEFINE {
			f.gone(n)
		}
	case *ast.ExprStmt, *ast.DeferStmt, *ast.SendStmt:
		f.gone(n)
	case *ast.BranchStmt:
		if n.Tok == token.BREAK || n.Tok == token.CONTINUE {
			f.gone(n)
		}
	case *ast.IfStmt:
		f.condition(n.Cond, false)
	case *ast.ForStmt:
		if n.Cond != nil {
			f.condition(n.Cond, true)
		}
	case *ast.BasicLit:
		if n.Kind == token.INT {
			f.add(n.Pos(), n.End(), "("+n.Value+"+1)", n.Value+" becomes one more")
		}
	}
	return true
}

func (f *finder) gone(n ast.Node) { f.add(n.Pos(), n.End(), "", "the statement is gone") }

func (f *finder) operator(pos token.Pos, op token.Token) {
	for _, other := range swaps[op] {
		f.add(pos, pos+token.Pos(len(op.String())), other.String(), fmt.Sprintf("%v becomes %v", op, other))
	}
}

func (f *finder) condition(c ast.Expr, loop bool) {
	text := f.source(c)
	// Both forms of a kernel give the same bits.
	choice := strings.TrimPrefix(text, "simd.Vectors && ")
	if strings.Contains(choice, "AVX2()") || strings.HasSuffix(choice, ".Vector()") && !strings.Contains(choice, " ") {
		return
	}
	f.add(c.Pos(), c.End(), "!("+text+")", "the condition is negated")
	f.add(c.Pos(), c.End(), "("+text+") && false", "the condition is false")
	if !loop {
		f.add(c.Pos(), c.End(), "("+text+") || true", "the condition is true")
	}
}
