package asm

import (
	"bytes"
	"fmt"
	"strings"

	"pica200/internal/lazy"
	"pica200/shaderunit/internal/picasso"
)

// Hints for people who know other assemblers and languages: what to write
// instead.

// instructionHints are for operations that the instruction set does not have.
var instructionHints = map[string]string{
	"sub":     "there is no sub: add d, a, -b",
	"abs":     "there is no abs: max d, a, -a",
	"neg":     "there is no neg: mov d, -a",
	"lrp":     "there is no lrp: add t, b, -c and mad d, a, t, c give a*(b-c) + c",
	"mix":     "there is no mix: add t, b, -c and mad d, a, t, c give a*(b-c) + c",
	"div":     "there is no div: rcp t, b and mul d, a, t, a component at a time",
	"sqrt":    "there is no sqrt: rsq t, a and rcp d, t",
	"pow":     "there is no pow: lg2 t, a, mul t, b, t and ex2 d, t",
	"nrm":     "there is no nrm: dp3 t, a, a, rsq t, t and mul d, a, t",
	"frc":     "there is no frc: flr t, a and add d, a, -t",
	"crs":     "there is no cross product: mul t, a.yzxw, b.zxyw and mad d, -a.zxyw, b.yzxw, t",
	"xpd":     "there is no cross product: mul t, a.yzxw, b.zxyw and mad d, -a.zxyw, b.yzxw, t",
	"sat":     "there is no sat: max and min with constants of 0 and 1",
	"clamp":   "there is no clamp: max and min",
	"sgn":     "there is no sgn: slt and sge",
	"exp":     "ex2 is 2^x; there is no other power",
	"log":     "lg2 is log2(x); there is no other logarithm",
	"lit":     "litp clamps for lighting; the rest of lit is lg2, mul and ex2",
	"dot":     "dp3, dp4 or dph",
	"sne":     "there is no sne: cmp and ifc, or slt twice",
	"seq":     "there is no seq: cmp and ifc, or sge twice",
	"tex":     "shaders cannot read textures",
	"texld":   "shaders cannot read textures",
	"if":      "ifu for a bool uniform, ifc for the flags of cmp",
	"else":    "it is .else",
	"endif":   ".end ends an if",
	"loop":    "for runs a loop by an int uniform",
	"rep":     "for runs a loop by an int uniform",
	"endloop": ".end ends a loop",
	"endrep":  ".end ends a loop",
	"while":   "for runs a loop by an int uniform; jmpc jumps by the flags of cmp",
	"jmp":     "jmpc jumps by the flags of cmp, jmpu by a bool uniform; none jumps always",
	"goto":    "jmpc jumps by the flags of cmp, jmpu by a bool uniform; none jumps always",
	"ret":     "a procedure returns where its .end is",
	"discard": "vertex shaders cannot drop pixels; the alpha test does",
	"uniform": ".fvec, .ivec and .bool declare uniforms",
}

// matrixProduct matches m4x4 and similar operations.
var matrixProduct = lazy.Regexp(`^m([34])x([234])$`)

// directiveHints are for declarations that have another name here.
var directiveHints = map[string]string{
	"uniform":   ".fvec, .ivec and .bool declare uniforms",
	"float":     ".fvec declares float uniforms",
	"vec4":      ".fvec declares float uniforms",
	"mat4":      ".fvec name[4] declares a matrix, a row a register",
	"int":       ".ivec declares int uniforms",
	"const":     ".constf and .consti declare constants",
	"def":       ".constf name(x, y, z, w) declares a constant",
	"attribute": ".in declares an input",
	"input":     ".in declares an input",
	"varying":   ".out declares an output",
	"output":    ".out declares an output",
	"func":      ".proc starts a procedure",
	"function":  ".proc starts a procedure",
	"main":      ".proc main starts the procedure that runs first",
	"endproc":   ".end ends a procedure",
	"endif":     ".end ends an if",
	"endloop":   ".end ends a loop",
	"if":        "ifu and ifc are instructions, without a period",
	"for":       "for is an instruction, without a period",
	"include":   "a C preprocessor in front does that: cpp -P, whose line markers are understood",
	"define":    ".alias names a register; a C preprocessor in front does the rest: cpp -P",
	"macro":     "a C preprocessor in front does that: cpp -P, whose line markers are understood",
}

const commentHint = "comments start with a semicolon"

// hintFor suggests a replacement for an unknown instruction, or returns "".
func hintFor(name string) string {
	switch {
	case strings.HasPrefix(name, "//") || strings.HasPrefix(name, "/*") || strings.HasPrefix(name, "--"):
		return commentHint
	case strings.HasPrefix(name, byteOrderMark):
		return "the file starts with a byte order mark; save it as UTF-8 without"
	}
	if m := matrixProduct().FindStringSubmatch(name); m != nil {
		return fmt.Sprintf("there is no %s: %s dp%s, one for each component of the destination", name,
			map[string]string{"2": "two", "3": "three", "4": "four"}[m[2]], m[1])
	}
	return instructionHints[name]
}

const byteOrderMark = "\xEF\xBB\xBF"

// numberHint suggests a replacement for a number where a register is expected.
func numberHint(s string) string {
	t := strings.TrimPrefix(s, ".")
	if t == "" || !picasso.IsDigit(t[0]) {
		return ""
	}
	value, _, _ := strings.Cut(s, " ")
	return fmt.Sprintf("give it a name, .constf name(%s, 0, 0, 0), and use name.x", value)
}

// commaHint suggests a comma for an argument that looks like two.
func commaHint(w word) string {
	fields := strings.Fields(w.text)
	if len(fields) < 2 || strings.ContainsAny(w.text, "[(&|") {
		return ""
	}
	return fmt.Sprintf("a comma is missing after %q", fields[0])
}

// reportDialect checks the errors of a source, those from first on, for a source in
// another language. If a line with an error is typical for another language and
// no procedure starts as in .pica, it replaces all errors by one that says so.
func (a *assembler) reportDialect(src Source, first int) {
	wrong := map[string]bool{} // texts of lines with errors; not their numbers, which a marker such as "#version 100" changes
	for _, d := range a.diags[first:] {
		if text := strings.TrimSpace(d.Source); d.Severity == Error {
			wrong[text] = text != ""
		}
	}
	report := func(line int, text, msg, hint string) {
		a.report(Diagnostic{Pos: Pos{File: src.Name, Line: line}, Severity: Error, Msg: msg, Hint: hint, Source: text})
	}
	if bytes.HasPrefix(src.Text, []byte("\xFF\xFE")) || bytes.HasPrefix(src.Text, []byte("\xFE\xFF")) {
		report(0, "", "the text is UTF-16", "save it as UTF-8 without a byte order mark")
		return
	}
	if bytes.HasPrefix(src.Text, []byte("DVLB")) || bytes.HasPrefix(src.Text, []byte("DVOJ")) {
		report(0, "", "this is a shader binary, not a source", "pica200 disasm makes a source of it")
		return
	}
	if bytes.HasPrefix(src.Text, []byte("Gfx2")) {
		report(0, "", "this is a shader binary of the Wii U, not a source", "which has another GPU")
		return
	}
	var found *dialect
	var source string
	alien, ours := false, false
	at, n := 0, 0
	for line := range strings.Lines(string(src.Text)) {
		n++
		text := strings.TrimSpace(strings.TrimPrefix(line, byteOrderMark))
		for i := range dialects {
			d := &dialects[i]
			if found != nil && found != d || !d.mark().MatchString(text) {
				continue
			}
			if found == nil {
				found, at, source = d, n, strings.TrimRight(line, "\r\n")
			}
			alien = alien || wrong[text]
		}
		ours = ours || strings.HasPrefix(text, ".proc")
	}
	if found == nil {
		return
	}
	if alien && !ours {
		a.alien = true
		a.diags = a.diags[:first]
	}
	report(at, source, "this looks like "+found.name+"; the language here is that of picasso", found.more)
}
