// Package lint finds code of shaders that hangs or is drawn wrongly on the console.
package lint

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
	"pica200/shaderunit/internal/rules"
)

// Rule describes one rule, about code that hangs or is drawn wrongly on the
// console.
type Rule = rules.Rule

// Rules returns all rules. The slice is shared; do not change it.
func Rules() []Rule { return rules.All }

// RuleNames returns the names of all rules.
func RuleNames() []string { return rules.Names() }

// Finding is one violation of a rule.
type Finding struct {
	Rule       Rule
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
	fresh := list[:0]
	for _, f := range list {
		key := cause{f.Rule.ID, f.Msg, f.Executable}
		if i, ok := first[key]; ok && spread[f.Rule.ID] {
			fresh[i].Again = append(fresh[i].Again, f.Addr)
			continue
		}
		first[key] = len(fresh)
		fresh = append(fresh, f)
	}
	return fresh
}

// Check checks a program; unlinked is nil for a linked one. The findings are
// sorted by address. Two float uniforms in one instruction need no check: no
// instruction word can express them.
func Check(f *shbin.File, unlinked *asm.Unlinked) []Finding {
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

// Program checks an assembled program and returns the findings at their
// source lines, without those that the sources allow ("; lint: allow RULE").
func Program(p *asm.Program, sources []asm.Source) asm.Diagnostics {
	var ds asm.Diagnostics
	for _, f := range Check(p.File, p.Unlinked()) {
		d := f.diagnostic()
		switch {
		case f.Constant > 0:
			d.Pos = p.Constants[f.Executable][f.Constant-1]
		case f.Addr >= 0 && f.Addr < len(p.Lines):
			d.Pos = p.Lines[f.Addr]
			for last, i := d.Pos, 0; i < len(f.Again); i++ {
				if at := f.Again[i]; at < len(p.Lines) && p.Lines[at] != last {
					last = p.Lines[at]
					d.Again = append(d.Again, last)
				}
			}
		case f.Executable >= 0 && f.Executable < len(p.Names):
			d.Pos = asm.Pos{File: p.Names[f.Executable]}
		case len(sources) > 0:
			d.Pos = asm.Pos{File: sources[0].Name}
		}
		ds = append(ds, d)
	}
	return p.Findings(ds, sources)
}

// File checks a program without sources; name is the name of its file.
// unlinked describes an object that is not linked (link.Alone), nil for a linked program.
func File(name string, f *shbin.File, unlinked *asm.Unlinked) asm.Diagnostics {
	var ds asm.Diagnostics
	for _, x := range Check(f, unlinked) {
		d := x.diagnostic()
		d.Pos = asm.Pos{File: name}
		if x.Addr >= 0 && x.Addr < len(f.Program.Code) {
			in := shaderunit.Decode(f.Program.Code[x.Addr])
			var desc shaderunit.OpDesc
			if int(in.Desc) < len(f.Program.Descriptors) {
				desc = shaderunit.OpDesc(f.Program.Descriptors[in.Desc].Word)
			}
			d.Msg = fmt.Sprintf("instruction 0x%03X, %s: %s", x.Addr, in.Text(disasm.Plain(in, desc)), d.Msg)
			if n := len(x.Again); n > 0 {
				d.Msg += fmt.Sprintf(", in %d places, the last at 0x%03X", n+1, x.Again[n-1])
			}
		}
		ds = append(ds, d)
	}
	return ds.Unique()
}

func (f Finding) diagnostic() asm.Diagnostic {
	return asm.Diagnostic{Severity: asm.Warning, Msg: f.Msg, Rule: f.Rule.ID + ": " + f.Rule.Source}
}

type findingKey struct {
	rule string
	addr int
	msg  string
}

type linter struct {
	asm.Unlinked
	file     *shbin.File
	code     []uint32
	instrs   []shaderunit.Instr
	reached  []bool // some executable can run the word
	states   int    // states explored so far, in all executables
	findings []Finding
	seen     map[findingKey]bool
	exe      int // the executable being checked, -1 for rules about the whole program
}

func (l *linter) find(rule string, addr int, format string, args ...any) {
	f := Finding{Rule: rules.Get(rule), Addr: addr, Executable: l.exe, Msg: fmt.Sprintf(format, args...)}
	if key := (findingKey{rule, addr, f.Msg}); !l.seen[key] {
		l.seen[key] = true
		l.findings = append(l.findings, f)
	}
}

// findConstant is find for a constant of the executable's table.
func (l *linter) findConstant(index int, format string, args ...any) {
	l.findings = append(l.findings, Finding{Rule: rules.Get("constant-twice"), Addr: -1, Executable: l.exe, Constant: index + 1, Msg: fmt.Sprintf(format, args...)})
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
	if n := len(l.code); n > shbin.VertexCode {
		fits := true
		for i := range l.file.Executables {
			if err := l.file.Executables[i].Fits(); err != nil {
				l.exe, fits = i, false
				l.find("too-long", shbin.VertexCode, "%v", err)
			}
		}
		if l.exe = -1; fits {
			l.find("too-long", shbin.VertexCode, "the program has %d instructions, the hardware has room for %d", n, shbin.VertexCode)
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
			if r >= int(shaderunit.SrcTemp) {
				continue
			}
			if first >= 0 && first != r {
				l.find("two-inputs", at, "v%d and v%d in one instruction; only one input register can be read at a time", first, r)
			}
			first = r
		}
		if num := int(l.code[at] & 0x3FF); num > shaderunit.BlockLength && (info.Flow == shaderunit.FlowCall || info.Flow == shaderunit.FlowIf) {
			l.find("block-too-long", at, "the block has %d instructions, of which %s runs %d", num, in.Op, num&shaderunit.BlockLength)
		}
		if in.Op == shaderunit.OpLOOP && in.Uniform >= shaderunit.IntUniforms {
			l.find("int-range", at, "i%d does not exist, i0-i3 do", in.Uniform)
		}
	}
}

// staticBlock is a block or procedure by its position.
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
