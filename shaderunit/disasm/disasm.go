// Package disasm writes .pica source for programs.
package disasm

import (
	"fmt"
	"math/bits"
	"path"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
)

// Result is .pica source that assembles to the given program.
type Result struct {
	// Sources must be assembled in this order: if needed, one with the code that
	// executables share, then one for each executable.
	Sources []asm.Source
	// Options are the options to assemble the sources with.
	Options asm.Options
	// Notes list the differences from the program after assembling the sources;
	// empty if code, descriptors and tables are the same.
	Notes []string
	// Layout describes the first difference in the layout of the file after
	// assembling the sources; empty if the file is the same byte for byte, apart
	// from zeros at its end.
	Layout string
}

// Options are the options of File.
type Options struct {
	// Name is the base name of the sources; "" means "shader".
	Name string
	// Addresses adds the address and the word of each instruction in a comment.
	Addresses bool
	// Portable writes only what the reference assembler knows, even if the result
	// differs in some bits. Without it, programs from other tools may need
	// Options.Extended.
	Portable bool
	// External maps words to the procedures outside of the program that they call.
	External map[int]string
}

// File writes .pica source for a program. It assembles the result to
// check it: programs made by this or the reference assembler come back exactly;
// for others Notes lists the differences. It returns an error if no source can
// give the program because it is larger than the shader unit.
func File(f *shbin.File, opt Options) (*Result, error) {
	if opt.Name == "" {
		opt.Name = "shader"
	}
	if len(f.Executables) == 0 {
		return nil, fmt.Errorf("asm: the program has no executable (DVLE), so it has no entry point")
	}
	var best *Result
	var failed asm.Diagnostics
	for _, mode := range [...]asm.Options{{}, {NoNop: true}, {NoNop: true, Extended: true}} {
		if opt.Portable && mode.Extended {
			break
		}
		mode.Object = len(opt.External) > 0
		mode.Picasso = needsPicasso(f)
		mode.Lines = len(f.Program.Lines) > 0
		d := newDisassembler(f, opt, mode)
		sources := d.run()
		for pass := 0; ; pass++ {
			prog, diags := asm.Assemble(mode, sources...)
			if prog == nil {
				failed = diags
				break
			}
			// Force what assembles differently, in the extended language.
			if mode.Extended && pass < 2 && d.force(prog) {
				sources = d.run()
				continue
			}
			notes := append(differences(f, prog.File), lineDifferences(f, prog)...)
			notes = append(notes, d.notes...)
			best = better(best, &Result{sources, mode, notes, layoutDifference(f, prog)})
			break
		}
		if best != nil && len(best.Notes) == 0 {
			break
		}
	}
	if best == nil {
		first := ""
		for i := len(failed) - 1; i >= 0; i-- {
			if failed[i].Severity == asm.Error {
				first = failed[i].Msg
			}
		}
		return nil, fmt.Errorf("asm: no source assembles to this program of %d instructions: %s", len(f.Program.Code), first)
	}
	best.addHeader(opt.Portable)
	return best, nil
}

// layoutDifference describes the first layout difference from the file that was
// read, ignoring zeros at the end; "" if there is none or no file was read.
func layoutDifference(want *shbin.File, got *asm.Program) string {
	if got.Unlinked() != nil {
		return ""
	}
	a, err := want.Write()
	if err != nil {
		return ""
	}
	b, err := got.Bytes()
	if err != nil {
		return ""
	}
	if at := firstDifference(a, b); at >= 0 {
		return fmt.Sprintf("%d bytes instead of %d, the first difference at 0x%X", len(b), len(a), at)
	}
	return ""
}

// firstDifference returns the first offset at which two files differ, ignoring
// zeros at the end of one; -1 if there is none.
func firstDifference(a, b []byte) int {
	at := func(file []byte, i int) byte {
		if i < len(file) {
			return file[i]
		}
		return 0
	}
	for i := range max(len(a), len(b)) {
		if at(a, i) != at(b, i) {
			return i
		}
	}
	return -1
}

// needsPicasso reports whether the program assembles only with Options.Picasso:
// a block's length overflows NUM, or code follows the end of the vertex
// shaders' code memory.
func needsPicasso(f *shbin.File) bool {
	for _, e := range f.Executables {
		if e.Type != shbin.GeometryShader && len(f.Program.Code) > shbin.VertexCode {
			return true
		}
	}
	for _, w := range f.Program.Code {
		switch shaderunit.Opcode(w >> 26).Flow() {
		case shaderunit.FlowCall, shaderunit.FlowIf:
			if _, num := flowTarget(w); num > shaderunit.BlockLength {
				return true
			}
		}
	}
	return false
}

// better returns the result with fewer notes, a if equal.
func better(a, b *Result) *Result {
	if a == nil || len(b.Notes) < len(a.Notes) {
		return b
	}
	return a
}

// addHeader writes the needed options at the top of each source, and the notes
// at the top of the first. The reference assembler does not know .options, so a
// portable source has them in a comment.
func (d *Result) addHeader(portable bool) {
	for i := range d.Sources {
		var b strings.Builder
		words := d.Options.Words(i == 0)
		switch {
		case len(words) == 0:
		case portable:
			fmt.Fprintf(&b, "; Assemble with: pica200 asm --%s\n", strings.Join(words, " --"))
		default:
			fmt.Fprintf(&b, ".options %s\n", strings.Join(words, ", "))
		}
		if i == 0 {
			for _, n := range d.Notes {
				fmt.Fprintf(&b, "; Not the same as in the binary: %s\n", strings.ReplaceAll(n, "\n", " "))
			}
			if d.Layout != "" && len(d.Notes) == 0 {
				fmt.Fprintf(&b, "; The same program in another layout of the file: %s\n", d.Layout)
			}
		}
		d.Sources[i].Text = append([]byte(b.String()), d.Sources[i].Text...)
	}
}

// lineDifferences reports lost line numbers or names of sources.
func lineDifferences(want *shbin.File, got *asm.Program) (notes []string) {
	lines := want.Program.Lines
	if len(lines) > 0 && len(lines) != len(got.Lines) {
		return []string{"line numbers"}
	}
	for i, l := range lines {
		if l.File != got.Lines[i].File || l.Line != uint32(got.Lines[i].Line) {
			return []string{fmt.Sprintf("line numbers, the first that of instruction 0x%03X (%s:%d)", i, l.File, l.Line)}
		}
	}
	named := map[string]bool{}
	for _, l := range lines {
		named[l.File] = true
	}
	for from := 0; from < len(want.Program.Symbols); {
		name, err := shbin.SymbolAt(want.Program.Symbols, uint32(from))
		switch {
		case err != nil:
			return []string{"names of sources: " + err.Error()}
		case !named[name]:
			return []string{fmt.Sprintf("names of sources without a line (%q)", name)}
		}
		from += len(name) + 1
	}
	return nil
}

// differences lists how two programs differ, apart from the layout of the file.
func differences(want, got *shbin.File) (notes []string) {
	if want.Program.Version != got.Program.Version {
		notes = append(notes, "the version of the program")
	}
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	if w, g := len(want.Program.Code), len(got.Program.Code); w != g {
		note("%d instructions instead of %d", g, w)
	} else {
		var at []int
		for i, c := range want.Program.Code {
			if got.Program.Code[i] != c {
				at = append(at, i)
			}
		}
		if len(at) > 0 {
			note("%d instructions, the first at 0x%03X", len(at), at[0])
		}
	}
	wd, gd := want.Program.Descriptors, got.Program.Descriptors
	if len(wd) != len(gd) {
		note("%d operand descriptors instead of %d", len(gd), len(wd))
	} else {
		for i := range wd {
			if wd[i] != gd[i] {
				note("operand descriptor %d: 0x%08X, 0x%X instead of 0x%08X, 0x%X", i, gd[i].Word, gd[i].Flags, wd[i].Word, wd[i].Flags)
				break
			}
		}
	}
	if len(want.Executables) != len(got.Executables) {
		note("%d executables instead of %d", len(got.Executables), len(want.Executables))
		return notes
	}
	for i := range want.Executables {
		w, g := &want.Executables[i], &got.Executables[i]
		part := func(name string, same bool) {
			if !same {
				note("executable %d: %s", i, name)
			}
		}
		part("type and version", w.Type == g.Type && w.Version == g.Version)
		part("entry point", w.Main == g.Main)
		part("end of the entry procedure", w.EndMain == g.EndMain)
		part("output map merging", w.Merge == g.Merge)
		part("input mask", w.InputMask == g.InputMask)
		part("output mask", w.OutputMask == g.OutputMask)
		part("geometry shader mode", w.Geometry == g.Geometry)
		part("constants", slices.Equal(w.Constants, g.Constants))
		part("outputs", slices.Equal(w.Outputs, g.Outputs))
		part("labels", slices.EqualFunc(w.Labels, g.Labels, func(a, b shbin.Label) bool {
			a.Symbol, b.Symbol = 0, 0
			return a == b
		}))
		part("uniforms", slices.EqualFunc(w.Uniforms, g.Uniforms, func(a, b shbin.Uniform) bool {
			return a.Name == b.Name && a.Start == b.Start && a.End == b.End
		}))
	}
	return notes
}

// Raw is a program without the tables of a file, as in the GPU's registers.
type Raw struct {
	Code        []uint32
	Descriptors []uint32
	Entry       uint32
	Geometry    bool
}

// File converts it to a file with one executable without names. Its entry
// procedure ends at the last word that is reachable in order from the entry
// point.
func (r Raw) File() (*shbin.File, error) {
	if int(r.Entry) >= len(r.Code) {
		return nil, fmt.Errorf("asm: entry point 0x%X, but the code has 0x%X words", r.Entry, len(r.Code))
	}
	e := shbin.Executable{Main: r.Entry, EndMain: uint32(len(r.Code))}
	if r.Geometry {
		e.Type = shbin.GeometryShader
	}
	for at := r.Entry; at < uint32(len(r.Code)); at++ {
		if shaderunit.Opcode(r.Code[at]>>26) == shaderunit.OpEND {
			e.EndMain = at + 1
			break
		}
	}
	return shbin.Build(r.Code, r.Descriptors, []shbin.Executable{e})
}

// noMarker is not the name of any file: names end at a NUL.
const noMarker = "\x00"

// disassembler is the state of one attempt.
type disassembler struct {
	file  *shbin.File
	opt   Options
	mode  asm.Options
	notes []string

	code   []uint32
	descs  []shaderunit.OpDesc
	procs  []*codeRange // called procedures and entries, by start, longer ones first
	ranges []*codeRange // top level: procs and the code between them
	jumps  map[int]bool // targets of jumps
	owner  []uint32     // per word: bit d is set if executable d (0-31) can run it

	forceWord map[int]bool // words written as .word
	forceDesc map[int]bool // instructions written with their descriptor number
	uses      map[uint8]descriptorUse
	gaps      int // hidden uniforms made so far

	out    strings.Builder
	names  *nameTable // of the executable whose file is being written
	marked string     // the file of the last line marker in it
}

func newDisassembler(f *shbin.File, opt Options, mode asm.Options) *disassembler {
	d := &disassembler{file: f, opt: opt, mode: mode, code: f.Program.Code, forceWord: map[int]bool{}, forceDesc: map[int]bool{}}
	for _, w := range f.Program.Descriptors {
		d.descs = append(d.descs, shaderunit.OpDesc(w.Word))
	}
	return d
}

func (d *disassembler) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if slices.Contains(d.notes, s) {
		return
	}
	d.notes = append(d.notes, s)
}

// force notes which instructions assembled differently last time, and reports
// whether forcing can help.
func (d *disassembler) force(prog *asm.Program) bool {
	got := prog.File.Program.Code
	changed := false
	for i, w := range d.code {
		if i < len(got) && got[i] == w {
			continue
		}
		in := shaderunit.Decode(w)
		if info := in.Info(); info != nil && info.Format.DescLimit() > 0 && !d.forceDesc[i] && int(in.Desc) < len(d.descs) {
			d.forceDesc[i], changed = true, true
		} else if !d.forceWord[i] {
			d.forceWord[i], changed = true, true
		}
	}
	return changed
}

// sourcePlan is one source to write.
type sourcePlan struct {
	name   string
	exe    int // executable, -1 for the shared source
	ranges []*codeRange
}

// run returns all sources.
func (d *disassembler) run() []asm.Source {
	d.notes = nil
	d.gaps = 0
	d.findUses()
	d.findRanges()
	plans := d.plan()
	decl := newDeclarations(d)
	var sources []asm.Source
	for i, p := range plans {
		d.out.Reset()
		d.marked = noMarker
		if i == 0 && d.mode.Extended {
			d.descriptorTable()
		}
		if p.exe < 0 {
			d.names = newNameTable(nil)
			d.out.WriteString("; What the executables share.\n.nodvle\n")
			if len(d.code) > shbin.VertexCode {
				d.out.WriteString(".gsh\n") // only a geometry shader may have code after the vertex shaders' code memory
				d.names.geometry = true
			}
			if d.needsSharedUniforms() {
				decl.all(&d.out)
			}
			section(&d.out, d.relativeAliases)
		} else {
			decl.executable(p.exe)
		}
		for k, r := range p.ranges {
			d.writeRange(p.exe, r)
			if d.jumps[r.end] && (k+1 == len(p.ranges) || p.ranges[k+1].start != r.end) {
				fmt.Fprintf(&d.out, "%s:\n", labelName(r.end))
			}
		}
		sources = append(sources, asm.Source{Name: p.name, Text: []byte(d.out.String())})
	}
	return sources
}

func (d *disassembler) descriptorTable() {
	for _, w := range d.file.Program.Descriptors {
		if w.Flags != 0 {
			fmt.Fprintf(&d.out, ".opdesc 0x%08X, 0x%X\n", w.Word, w.Flags)
		} else {
			fmt.Fprintf(&d.out, ".opdesc 0x%08X\n", w.Word)
		}
	}
}

// plan distributes the code over sources. The order of the words must not
// change, so an executable's code goes into its own source only if it is
// contiguous in that order; otherwise all code goes into one shared source,
// which may call all and be called from all.
func (d *disassembler) plan() []sourcePlan {
	n := len(d.file.Executables)
	suffix := func(e int) string {
		kind := "v"
		if d.file.Executables[e].Type == shbin.GeometryShader {
			kind = "g"
		}
		if n == 1 {
			return fmt.Sprintf("%s.%s.pica", path.Base(d.opt.Name), kind)
		}
		return fmt.Sprintf("%s%d.%s.pica", path.Base(d.opt.Name), e, kind)
	}
	plans := make([]sourcePlan, n)
	for e := range plans {
		plans[e] = sourcePlan{name: suffix(e), exe: e}
	}
	if n == 1 {
		plans[0].ranges = d.ranges
		return plans
	}
	at, inOrder := 0, true
	for _, r := range d.ranges {
		first := d.firstOwner(r)
		if first < 0 {
			first = at
		}
		if first < at {
			inOrder = false
			break
		}
		at = first
		plans[at].ranges = append(plans[at].ranges, r)
	}
	inOrder = inOrder && d.jumpsStay(plans)
	shared := sourcePlan{name: path.Base(d.opt.Name) + "_shared.pica", exe: -1}
	if !inOrder {
		for e := range plans {
			plans[e].ranges = nil
		}
		shared.ranges = d.ranges
		return append([]sourcePlan{shared}, plans...)
	}
	if d.needsSharedUniforms() {
		return append([]sourcePlan{shared}, plans...)
	}
	return plans
}

// jumpsStay reports whether every jump stays in its source, because labels are
// visible in their own source only.
func (d *disassembler) jumpsStay(plans []sourcePlan) bool {
	for _, p := range plans {
		if len(p.ranges) == 0 {
			continue
		}
		start, end := p.ranges[0].start, p.ranges[len(p.ranges)-1].end
		for i := start; i < end; i++ {
			if shaderunit.Opcode(d.code[i]>>26).Flow() != shaderunit.FlowJump {
				continue
			}
			if dest, _ := flowTarget(d.code[i]); dest < start || dest > end {
				return false
			}
		}
	}
	return true
}

// firstOwner returns the first executable that can run code of the range, -1 if
// none.
func (d *disassembler) firstOwner(r *codeRange) int {
	var owners uint32
	for i := r.start; i < r.end; i++ {
		owners |= d.owner[i]
	}
	if owners == 0 {
		return -1
	}
	return bits.TrailingZeros32(owners)
}

// soleOwner reports whether only executable e can run code of the range.
func (d *disassembler) soleOwner(r *codeRange, e int) bool {
	if len(d.file.Executables) == 1 {
		return true
	}
	for i := r.start; i < r.end; i++ {
		if d.owner[i]&^(1<<e) != 0 {
			return false
		}
	}
	return true
}
