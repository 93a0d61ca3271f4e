package asm

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// LintRule describes one rule of the linter, about code that hangs or is drawn
// wrongly on the console.
type LintRule struct {
	ID     string
	Title  string
	Source string // where the rule is documented
}

// The sources that rules cite.
const (
	ruleManual = "picasso manual, PICA200 Caveats & Errata"
	ruleWiki   = "3dbrew, Shader Instruction Set"
	ruleFlow   = "3dbrew, Shader Instruction Set, Control Flow"
	ruleLimits = "GBATEK, 3DS GPU Shader Instruction Set, Overview"
	ruleSetup  = "3dbrew, GPU/Internal Registers, shader configuration"
	ruleSense  = "follows from the instruction set"
	ruleLinter = "a limit of this linter"
	ruleBanks  = "azahar 2338, tested on a console"
)

// lintRules are all rules.
var lintRules = []LintRule{
	{"no-end", "the program never reaches END", ruleWiki},
	{"mova-adjacent", "two MOVA in a row freeze the GPU", ruleManual},
	{"no-output", "the shader declares no output", ruleSetup},
	{"no-position", "none of the outputs is the position", ruleSetup},
	{"output-twice", "an output component is written twice, which can hang the GPU", ruleWiki},
	{"output-missing", "an output component that the rasterizer reads is not written", ruleSetup},
	{"output-bank", "a vertex of a geometry shader lacks an output that was written for the one before; outputs have two banks", ruleBanks},
	{"output-undeclared", "an output register is written that the shader does not declare", ruleSetup},
	{"read-unwritten", "a register is read that nothing wrote, and its value goes on to an output, an address or a flag", ruleSense},
	{"array-index", "an index reaches past its array", ruleSense},
	{"constant-twice", "a register gets two constant values", ruleSense},
	{"too-long", "there are more than 512 instructions", ruleLimits},
	{"too-many-descriptors", "there are more than 128 operand descriptors", ruleLimits},
	{"block-too-long", "a call or an .else part has more than 255 instructions, which the word of its instruction cannot say", ruleWiki},
	{"uniform-range", "relative addressing leaves c0-c95", ruleWiki},
	{"int-range", "an int uniform beyond i3 does not exist", ruleWiki},
	{"break-outside-loop", "BREAK outside LOOP hangs the GPU", ruleFlow},
	{"break-nested", "BREAK inside IF or CALL in a LOOP", ruleWiki},
	{"stack-overflow", "a flow stack overflows and loses its oldest entry", ruleFlow},
	{"call-pops", "four procedures end in one place; the fourth return is lost", ruleFlow},
	{"no-emit", "a geometry shader without EMIT", ruleWiki},
	{"emit-without-setemit", "EMIT without SETEMIT before it", ruleWiki},
	{"emit-in-vertex-shader", "EMIT or SETEMIT in a vertex shader", ruleWiki},
	{"two-inputs", "two different input registers in one instruction", ruleManual},
	{"block-end", "flow control at the end of a block needs a NOP after it", ruleManual},
	{"unreachable", "code that never runs", ruleSense},
	{"unchecked", "there are more ways through the program than the linter follows", ruleLinter},
}

// LintRules returns all rules. The slice is shared; do not change it.
func LintRules() []LintRule { return lintRules }

func lintRule(id string) LintRule {
	return lintRules[slices.IndexFunc(lintRules, func(r LintRule) bool { return r.ID == id })]
}

// LintRuleNames returns the names of all rules.
func LintRuleNames() (names []string) {
	for _, r := range lintRules {
		names = append(names, r.ID)
	}
	return names
}

// Finding is one violation of a rule.
type Finding struct {
	Rule       LintRule
	Addr       int // instruction, -1 for the whole program
	Executable int // -1 for the whole program
	Constant   int // number in the executable's table, from 1; 0 if it is not about a constant
	Msg        string
	// Again are further instructions with the same cause, in order: for example all
	// that read a register that nothing wrote.
	Again []int
}

// spread are the rules for which one cause shows at many instructions.
var spread = map[string]bool{"read-unwritten": true, "output-missing": true, "output-bank": true, "output-twice": true, "output-undeclared": true, "emit-without-setemit": true}

// gathered merges findings with the same cause.
func gathered(list []Finding) []Finding {
	type cause struct {
		rule, msg  string
		executable int
	}
	first := map[cause]int{}
	kept := list[:0]
	for _, f := range list {
		key := cause{f.Rule.ID, f.Msg, f.Executable}
		if i, ok := first[key]; ok && spread[f.Rule.ID] {
			kept[i].Again = append(kept[i].Again, f.Addr)
			continue
		}
		first[key] = len(kept)
		kept = append(kept, f)
	}
	return kept
}

// Lint checks a program; unlinked is nil for a linked one. The findings are
// sorted by address. Two float uniforms in one instruction need no check: no
// instruction word can express them.
func Lint(f *shbin.File, unlinked *Unlinked) []Finding {
	l := &linter{file: f, code: f.Program.Code, seen: map[findingKey]bool{}}
	if unlinked != nil {
		l.Unlinked = *unlinked
	}
	for _, w := range l.code {
		l.instrs = append(l.instrs, shaderunit.Decode(w))
	}
	l.limits()
	l.reached = make([]bool, len(l.code))
	for e := range f.Executables {
		l.executable(e)
	}
	for _, p := range l.Procs {
		l.procedure(p)
	}
	l.instructions()
	l.blockEnds()
	l.unreachable()
	slices.SortFunc(l.findings, func(a, b Finding) int {
		return cmp.Or(a.Addr-b.Addr, a.Executable-b.Executable, strings.Compare(a.Rule.ID+a.Msg, b.Rule.ID+b.Msg))
	})
	return gathered(l.findings)
}

// LintProgram checks an assembled program and returns the findings at their
// source lines, without those that the sources allow ("; lint: allow RULE").
func LintProgram(p *Program, sources []Source) Diagnostics {
	text := map[string][]string{}
	for _, s := range sources {
		text[s.Name] = strings.Split(string(s.Text), "\n")
	}
	var ds Diagnostics
	for _, f := range Lint(p.File, p.Unlinked()) {
		d := f.diagnostic()
		switch {
		case f.Constant > 0:
			d.Pos = p.constants[f.Executable][f.Constant-1]
		case f.Addr >= 0 && f.Addr < len(p.Lines):
			d.Pos, d.Again = p.places(f, d)
		case f.Executable >= 0 && f.Executable < len(p.Names):
			d.Pos = Pos{File: p.Names[f.Executable]}
		case len(sources) > 0:
			d.Pos = Pos{File: sources[0].Name}
		}
		ds = append(ds, d)
	}
	ds = append(ds, p.notes...)
	kept := ds[:0]
	for _, d := range ds {
		if p.allowed.has(d) {
			continue
		}
		if lines := text[d.File]; d.Line >= 1 && d.Line <= len(lines) {
			d.Source = strings.TrimRight(lines[d.Line-1], "\r")
		}
		kept = append(kept, d)
	}
	kept = kept.unique()
	order := map[string]int{}
	for i, s := range sources {
		order[s.Name] = i
	}
	kept.sortBy(order)
	return kept
}

// places returns the places of a finding that the sources do not allow, one per
// line: the first (an allowed one if all are allowed), and the further ones.
func (p *Program) places(f Finding, d Diagnostic) (first Pos, again []Pos) {
	list := []Pos{p.Lines[f.Addr]}
	for _, at := range f.Again {
		if at < len(p.Lines) && p.Lines[at] != list[len(list)-1] {
			list = append(list, p.Lines[at])
		}
	}
	kept := slices.DeleteFunc(slices.Clone(list), func(at Pos) bool {
		d.Pos = at
		return p.allowed.has(d)
	})
	if len(kept) == 0 {
		return list[0], nil
	}
	return kept[0], kept[1:]
}

// LintFile checks a program without sources; name is the name of its file.
// unlinked is the result of ObjectFile, nil for a linked program.
func LintFile(name string, f *shbin.File, unlinked *Unlinked) Diagnostics {
	var ds Diagnostics
	for _, x := range Lint(f, unlinked) {
		d := x.diagnostic()
		d.Pos = Pos{File: name}
		if x.Addr >= 0 && x.Addr < len(f.Program.Code) {
			in := shaderunit.Decode(f.Program.Code[x.Addr])
			var desc shaderunit.OpDesc
			if int(in.Desc) < len(f.Program.Descriptors) {
				desc = shaderunit.OpDesc(f.Program.Descriptors[in.Desc].Word)
			}
			d.Msg = fmt.Sprintf("instruction 0x%03X, %s: %s", x.Addr, in.Text(Plain(in, desc)), d.Msg)
			if n := len(x.Again); n > 0 {
				d.Msg += fmt.Sprintf(", in %d places, the last at 0x%03X", n+1, x.Again[n-1])
			}
		}
		ds = append(ds, d)
	}
	return ds.unique()
}

func (f Finding) diagnostic() Diagnostic {
	return Diagnostic{Severity: Warning, Msg: f.Msg, Rule: f.Rule.ID + ": " + f.Rule.Source}
}

type findingKey struct {
	rule string
	addr int
	msg  string
}

type linter struct {
	Unlinked
	file     *shbin.File
	code     []uint32
	instrs   []shaderunit.Instr
	reached  []bool // some executable can run the word
	places   int    // places explored so far, in all executables
	findings []Finding
	seen     map[findingKey]bool
	exe      int // the executable being checked, -1 for rules about the whole program
}

func (l *linter) find(rule string, addr int, format string, args ...any) {
	f := Finding{Rule: lintRule(rule), Addr: addr, Executable: l.exe, Msg: fmt.Sprintf(format, args...)}
	if key := (findingKey{rule, addr, f.Msg}); !l.seen[key] {
		l.seen[key] = true
		l.findings = append(l.findings, f)
	}
}

// findConstant is find for a constant of the executable's table.
func (l *linter) findConstant(index int, format string, args ...any) {
	l.findings = append(l.findings, Finding{Rule: lintRule("constant-twice"), Addr: -1, Executable: l.exe, Constant: index + 1, Msg: fmt.Sprintf(format, args...)})
}

func (l *linter) desc(in shaderunit.Instr) shaderunit.OpDesc {
	if int(in.Desc) < len(l.file.Program.Descriptors) {
		return shaderunit.OpDesc(l.file.Program.Descriptors[in.Desc].Word)
	}
	return 0
}

// limits checks the rules about sizes.
func (l *linter) limits() {
	l.exe = -1
	if n := len(l.code); n > maxVertexCode {
		fits := true
		for i := range l.file.Executables {
			if err := l.file.Executables[i].Fits(); err != nil {
				l.exe, fits = i, false
				l.find("too-long", maxVertexCode, "%v", err)
			}
		}
		if l.exe = -1; fits {
			l.find("too-long", maxVertexCode, "the program has %d instructions, the hardware has room for %d", n, maxVertexCode)
		}
	}
	if n := len(l.file.Program.Descriptors); n > shaderunit.Descriptors {
		l.find("too-many-descriptors", -1, "the program has %d operand descriptors, the hardware has room for %d", n, shaderunit.Descriptors)
	}
}

// instructions checks the rules about single instructions.
func (l *linter) instructions() {
	l.exe = -1
	for at, in := range l.instrs {
		info := in.Info()
		if info == nil || !l.reached[at] {
			continue
		}
		first := -1
		for n := range info.Format.Sources() {
			r := int(in.Src[n])
			if r >= regTemp {
				continue
			}
			if first >= 0 && first != r {
				l.find("two-inputs", at, "v%d and v%d in one instruction; only one input register can be read at a time", first, r)
			}
			first = r
		}
		if _, num := flowTarget(l.code[at]); num > shaderunit.BlockLength && (info.Flow == shaderunit.FlowCall || info.Flow == shaderunit.FlowIf) {
			l.find("block-too-long", at, "the block has %d instructions, of which %s runs %d", num, in.Op, num&shaderunit.BlockLength)
		}
		if in.Op == shaderunit.OpLOOP && in.Uniform >= shaderunit.IntUniforms {
			l.find("int-range", at, "i%d does not exist, i0-i3 do", in.Uniform)
		}
	}
}

// staticBlock is a block or procedure by its place.
type staticBlock struct {
	start, end int
	what       string
	loop       bool
}

// blockEnds checks the rule about padding. A block must not be empty, and must
// not end in a jump, in a call or at the end of an inner block; a loop must not
// end in a break either.
func (l *linter) blockEnds() {
	l.exe = -1
	var blocks []staticBlock
	seen := map[staticBlock]bool{}
	add := func(b staticBlock) {
		if b.end <= len(l.code) && !seen[b] {
			seen[b] = true
			blocks = append(blocks, b)
		}
	}
	for _, p := range l.Procs {
		if p.Size > 0 {
			add(staticBlock{p.Start, p.Start + p.Size, "procedure", false})
		}
	}
	for at, in := range l.instrs {
		if in.Info() == nil || !l.reached[at] {
			continue
		}
		dest, num := int(in.Dest), int(in.Num)
		switch in.Op.Flow() {
		case shaderunit.FlowIf:
			if dest == at+1 {
				l.find("block-end", at, "this if is empty")
			}
			if dest > at {
				add(staticBlock{at + 1, dest, "if", false})
			}
			if num > 0 {
				add(staticBlock{dest, dest + num, "else part", false})
			}
		case shaderunit.FlowLoop:
			if dest == at {
				l.find("block-end", at, "this loop is empty")
			}
			if dest > at {
				add(staticBlock{at + 1, dest + 1, "loop", true})
			}
		case shaderunit.FlowCall:
			if l.External[at] != "" {
				break
			}
			if num == 0 {
				l.find("block-end", at, "the procedure that is called here is empty")
				break
			}
			add(staticBlock{dest, dest + num, "procedure", false})
		}
	}
	at := map[int][]staticBlock{}
	for _, b := range blocks {
		at[b.end] = append(at[b.end], b)
	}
	for _, end := range slices.Sorted(maps.Keys(at)) {
		list := at[end]
		last := end - 1
		if !l.reached[last] {
			continue
		}
		b := list[0]
		op := l.instrs[last].Op
		// An if without else ends where its first part ends. Ranges with the same start
		// are one procedure with two names.
		starts := map[int]bool{}
		for _, b := range list {
			starts[b.start] = true
		}
		switch {
		case len(starts) > 1:
			l.find("block-end", last, "%d blocks end after this instruction without a NOP between", len(starts))
		case op.Flow() == shaderunit.FlowJump || op.Flow() == shaderunit.FlowCall:
			l.find("block-end", last, "%s is the last instruction of the %s", op, b.what)
		case b.loop && op.Flow() == shaderunit.FlowBreak:
			l.find("block-end", last, "%s is the last instruction of the loop", op)
		}
	}
}

// unreachable reports code that no executable can reach, apart from padding.
func (l *linter) unreachable() {
	l.exe = -1
	for at := 0; at < len(l.code); {
		if l.reached[at] {
			at++
			continue
		}
		start, real, first := at, 0, -1
		for ; at < len(l.code) && !l.reached[at]; at++ {
			if l.instrs[at].Op != shaderunit.OpNOP && l.instrs[at].Op != shaderunit.OpEND {
				if real == 0 {
					first = at
				}
				real++
			}
		}
		if real > 0 {
			l.find("unreachable", first, "%d instructions from 0x%03X on are never reached", at-start, start)
		}
	}
}

// componentNames returns a set of components as text, bit 0 = x.
func componentNames(set uint8) string {
	s := ""
	for i := range 4 {
		if set>>i&1 != 0 {
			s += "xyzw"[i : i+1]
		}
	}
	return s
}
