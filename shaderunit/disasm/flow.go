package disasm

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pica200/assets/shbin"
	"pica200/shaderunit"
	"pica200/shaderunit/internal/picasso"
)

// codeRange is a named range of code: a procedure.
type codeRange struct {
	start, end int
	name       string
	gap        bool // nothing calls it
	entry      bool // an executable starts here
}

// flowTarget returns target and count of a flow instruction as the assembler
// writes them: the count includes the two bits below the target.
func flowTarget(w uint32) (dest, num int) { return int(w >> 10 & 0xFFF), int(w & 0x3FF) }

// procedureRange returns the words that a call runs; ok is false if there are
// none or they are outside of the code.
func (d *disassembler) procedureRange(w uint32) (start, end int, ok bool) {
	start, num := flowTarget(w)
	end = start + num
	return start, end, num > 0 && end <= len(d.code)
}

// findRanges finds the procedures and the code between them.
func (d *disassembler) findRanges() {
	d.jumps = map[int]bool{}
	d.procs, d.ranges = nil, nil
	byPlace := map[[2]int]*codeRange{}
	add := func(start, end int) *codeRange {
		key := [2]int{start, end}
		if byPlace[key] == nil {
			byPlace[key] = &codeRange{start: start, end: end}
			d.procs = append(d.procs, byPlace[key])
		}
		return byPlace[key]
	}
	taken := map[string]bool{}
	unique := func(name string) string {
		for taken[name] {
			name += "_"
		}
		taken[name] = true
		return name
	}
	for e := range d.file.Executables {
		x := &d.file.Executables[e]
		end := int(x.EndMain)
		if end <= int(x.Main) || end > len(d.code) {
			if !d.mode.Extended {
				d.note("executable %d: the end 0x%X of its entry procedure at 0x%X", e, x.EndMain, x.Main)
			}
			end = len(d.code)
		}
		r := add(int(x.Main), end)
		r.entry = true
		if r.name == "" {
			name := "main"
			if len(d.file.Executables) > 1 {
				name = fmt.Sprintf("main%d", e)
			}
			r.name = unique(name)
		}
	}
	d.findOwners()
	for i, w := range d.code {
		switch shaderunit.Opcode(w >> 26).Flow() {
		case shaderunit.FlowCall:
			if start, end, ok := d.procedureRange(w); ok && !d.forceWord[i] && d.opt.External[i] == "" {
				add(start, end)
			}
		case shaderunit.FlowJump:
			if dest, _ := flowTarget(w); dest <= len(d.code) && !d.forceWord[i] {
				d.jumps[dest] = true
			}
		}
	}
	slices.SortFunc(d.procs, func(a, b *codeRange) int { return cmp.Or(a.start-b.start, b.end-a.end) })
	d.nameProcs(unique)
	d.dropCrossing()
	d.topLevel(unique)
}

// nameProcs names procedures from the label tables, or by number.
func (d *disassembler) nameProcs(unique func(string) string) {
	for _, r := range d.procs {
		if r.name != "" {
			continue
		}
		for e := range d.file.Executables {
			for _, l := range d.file.Executables[e].Labels {
				if int(l.Addr) == r.start && l.Name != "" && picasso.ValidIdentifier(l.Name) {
					r.name = unique(l.Name)
				}
			}
			if r.name != "" {
				break
			}
		}
		if r.name == "" {
			r.name = unique(fmt.Sprintf("proc_%03x", r.start))
		}
	}
}

// dropCrossing removes procedures that overlap another without being nested in
// it, which the language cannot express. Calls to them become .word; an entry
// procedure is shortened.
func (d *disassembler) dropCrossing() {
	var open []*codeRange
	keep := d.procs[:0]
	for _, r := range d.procs {
		for len(open) > 0 && open[len(open)-1].end <= r.start {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && r.end > open[len(open)-1].end {
			if !r.entry {
				continue
			}
			r.end = open[len(open)-1].end
		}
		open = append(open, r)
		keep = append(keep, r)
	}
	d.procs = keep
}

// topLevel divides the code into procedures that are not nested, and the rest.
func (d *disassembler) topLevel(unique func(string) string) {
	at := 0
	gap := func(end int) {
		if end > at {
			d.ranges = append(d.ranges, &codeRange{start: at, end: end, name: unique(fmt.Sprintf("unused_%03x", at)), gap: true})
		}
	}
	for _, r := range d.procs {
		if r.start < at {
			continue
		}
		gap(r.start)
		d.ranges = append(d.ranges, r)
		at = r.end
	}
	gap(len(d.code))
}

// findOwners marks which executables can run each word. It follows every
// branch, and calls to the end of the procedure. This decides only names and in
// which source code is written, so a mistake in an unusual program costs no
// more than good names.
func (d *disassembler) findOwners() {
	d.owner = make([]uint32, len(d.code))
	if len(d.file.Executables) == 1 {
		for i := range d.owner {
			d.owner[i] = 1
		}
		return
	}
	for e := range min(32, len(d.file.Executables)) {
		bit := uint32(1) << e
		type walk struct{ at, end int } // stops before end, where a call returns
		todo := []walk{{int(d.file.Executables[e].Main), len(d.code)}}
		for len(todo) > 0 {
			i, end := todo[len(todo)-1].at, todo[len(todo)-1].end
			todo = todo[:len(todo)-1]
			if i >= end || i >= len(d.code) || d.owner[i]&bit != 0 {
				continue
			}
			d.owner[i] |= bit
			w := d.code[i]
			dest, num := flowTarget(w)
			switch shaderunit.Opcode(w >> 26).Flow() {
			case shaderunit.FlowEnd:
				continue
			case shaderunit.FlowCall:
				todo = append(todo, walk{dest, dest + num})
			case shaderunit.FlowJump:
				if dest >= end {
					end = len(d.code)
				}
				todo = append(todo, walk{dest, end})
			case shaderunit.FlowIf:
				todo = append(todo, walk{dest, end}, walk{dest + num, end})
			}
			todo = append(todo, walk{i + 1, end})
		}
	}
}

// openBlock is a block being written.
type openBlock struct {
	end    int // word before which its .end is written
	elseAt int // word before which its .else is written, -1 if none
}

// writeRange writes a top-level range with its procedures and blocks.
func (d *disassembler) writeRange(exe int, r *codeRange) {
	names := d.names
	if exe >= 0 && !d.soleOwner(r, exe) {
		// Another executable runs it too, with other names.
		names = newNameTable(nil)
		names.reserved, names.relative = d.names.reserved, d.names.relative
		names.geometry, names.vertex = d.names.geometry, d.names.vertex
	}
	var open []openBlock
	indent := func() string { return strings.Repeat("\t", len(open)) }
	push := func(end, elseAt int) { open = append(open, openBlock{end, elseAt}) }
	fits := func(end int) bool {
		if len(open) == 0 {
			return true
		}
		b := open[len(open)-1]
		if b.elseAt >= 0 {
			return end <= b.elseAt
		}
		return end <= b.end
	}
	inside := []*codeRange{}
	if r.gap {
		inside = append(inside, r)
	}
	for _, p := range d.procs {
		if p.start >= r.start && p.end <= r.end {
			inside = append(inside, p)
		}
	}
	next := 0
	for at := r.start; ; at++ {
		for len(open) > 0 {
			b := &open[len(open)-1]
			if b.elseAt == at {
				b.elseAt = -1
				fmt.Fprintf(&d.out, "%s.else\n", strings.Repeat("\t", len(open)-1))
				if b.end > at {
					break
				}
			}
			if b.end != at {
				break
			}
			open = open[:len(open)-1]
			fmt.Fprintf(&d.out, "%s.end\n", indent())
		}
		if at >= r.end {
			break
		}
		for next < len(inside) && inside[next].start == at {
			p := inside[next]
			next++
			if len(open) == 0 {
				d.out.WriteByte('\n')
			}
			fmt.Fprintf(&d.out, "%s.proc %s\n", indent(), p.name)
			push(p.end, -1)
		}
		if d.jumps[at] {
			fmt.Fprintf(&d.out, "%s:\n", labelName(at))
		}
		w := d.code[at]
		line := indent()
		block := false
		dest, num := flowTarget(w)
		in := shaderunit.Decode(w)
		if _, writable := d.operationText(at, w, in, true, names); writable && !d.forceWord[at] && len(open) < picasso.MaxBlocks-2 {
			end, elseAt := blockEnd(at, in.Op, dest, num)
			if block = end > at && end <= r.end && fits(end) && !crossesProc(inside, at, end, elseAt); block {
				push(end, elseAt)
			}
		}
		if lines := d.file.Program.Lines; at < len(lines) {
			d.lineMarker(lines[at])
		}
		d.out.WriteString(line + d.instruction(at, w, in, block, names) + "\n")
	}
}

// lineMarker writes a C preprocessor line marker for the next line. A file name
// that would end the marker is left out; lineDifferences reports that.
func (d *disassembler) lineMarker(l shbin.Line) {
	if d.marked == l.File || strings.ContainsAny(l.File, ":;") || fmt.Sprintf("%q", l.File) != `"`+l.File+`"` {
		fmt.Fprintf(&d.out, "# %d\n", l.Line)
	} else {
		fmt.Fprintf(&d.out, "# %d %q\n", l.Line, l.File)
		d.marked = l.File
	}
}

func labelName(at int) string { return fmt.Sprintf("label_%03x", at) }

// crossesProc reports whether a procedure starts inside a block or its else
// part and ends after it.
func crossesProc(procs []*codeRange, at, end, elseAt int) bool {
	return slices.ContainsFunc(procs, func(p *codeRange) bool {
		return p.start > at && p.start < end && (p.end > end || p.start < elseAt && p.end > elseAt)
	})
}

// blockEnd returns the words before which the .end and the .else of a block are
// written; end is -1 if the instruction opens no block, elseAt if there is no
// else part.
func blockEnd(at int, op shaderunit.Opcode, dest, num int) (end, elseAt int) {
	switch op {
	case shaderunit.OpIFC, shaderunit.OpIFU:
		if dest <= at {
			return -1, -1
		}
		if num > 0 {
			return dest + num, dest
		}
		return dest, -1
	case shaderunit.OpLOOP:
		if dest >= at {
			return dest + 1, -1
		}
	}
	return -1, -1
}

// procName returns the name of the procedure that a call runs.
func (d *disassembler) procName(at int, w uint32) (string, bool) {
	if name := d.opt.External[at]; name != "" {
		return name, picasso.ValidIdentifier(name)
	}
	start, end, ok := d.procedureRange(w)
	if !ok {
		return "", false
	}
	for _, p := range d.procs {
		if p.start == start && p.end == end {
			return p.name, true
		}
	}
	return "", false
}
