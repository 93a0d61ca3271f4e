package lint

import (
	"slices"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// outputSets are the outputs that an executable's table declares.
type outputSets struct {
	known bool      // there is a table
	table uint16    // registers in it
	read  registers // components that the rasterizer reads
	shown registers // read, and the components of dummies, which a geometry shader may read; all without a table
}

// outputsOf reads the table of an executable; nil stands for a procedure, which
// has none.
func outputsOf(e *shbin.Executable) (s outputSets) {
	if e == nil || len(e.Outputs) == 0 {
		s.shown = ^registers(0)
		return s
	}
	s.known = true
	for _, o := range e.Outputs {
		if o.Reg >= 16 {
			continue
		}
		s.table |= 1 << o.Reg
		s.read |= component(int(o.Reg), o.Mapped())
		s.shown |= component(int(o.Reg), o.Mapped())
		if o.Type.Components() == 0 {
			s.shown |= component(int(o.Reg), uint8(o.Mask&0xF))
		}
	}
	return s
}

// tables checks the rules about the tables of an executable.
func (l *linter) tables(e *shbin.Executable) {
	if len(e.Outputs) == 0 && e.OutputMask == 0 {
		l.find("no-output", -1, "the shader declares no output; nothing can come of it")
	} else if l.feedsRasterizer(e) && len(e.Outputs) > 0 {
		if !slices.ContainsFunc(e.Outputs, func(o shbin.Output) bool { return o.Type == shbin.OutPosition }) {
			l.find("no-position", -1, "none of the outputs is the position, without which nothing is drawn")
		}
	}
	first := map[[2]int]int{}
	for i, c := range e.Constants {
		key := [2]int{int(c.Kind), int(c.Reg)}
		if k, twice := first[key]; twice && e.Constants[k].Data != c.Data {
			l.findConstant(i, "%c%d gets a second value, which takes the place of the first", "bic"[min(int(c.Kind), 2)], c.Reg)
		}
		first[key] = i
	}
}

// feedsRasterizer reports whether the vertices of an executable certainly go to
// the rasterizer: no other stage in the file could take them or add what is
// missing, and there is no dummy output, which is meant for another stage.
func (l *linter) feedsRasterizer(e *shbin.Executable) bool {
	switch {
	case slices.ContainsFunc(e.Outputs, func(o shbin.Output) bool { return o.Type.Components() == 0 }):
		return false
	case e.Type == shbin.GeometryShader:
		return e.Merge == 0
	}
	return !slices.ContainsFunc(l.file.Executables, func(e shbin.Executable) bool { return e.Type == shbin.GeometryShader })
}

// emits reports a geometry shader that emits nothing.
func (x *explorer) emits() {
	if x.exe.Type != shbin.GeometryShader || x.procedure != nil {
		return
	}
	for i := range x.nodes {
		if p := &x.nodes[i]; p.pc < len(x.l.code) && (x.l.instrs[p.pc].Op == shaderunit.OpEMIT || x.l.External[p.pc] != "") || p.facts.external {
			return
		}
	}
	x.l.find("no-emit", int(x.exe.Main), "the geometry shader never emits a vertex; nothing is drawn")
}

// outputsDone reports the components that the next stage reads and that are not
// written where a vertex ends: at END, and at EMIT in a geometry shader, where
// each of the two banks of outputs keeps the values of the vertex before the
// last.
func (x *explorer) outputsDone(f *facts, find func(rule, format string, args ...any)) {
	if f.external {
		return
	}
	geometry := x.exe.Type == shbin.GeometryShader
	must, may := f.outMust, f.outMay
	if geometry {
		must, may = f.bankMust[0], f.bankMay[0]
	}
	of := func(set registers, reg int) uint8 { return uint8(set >> (4 * reg) & 0xF) }
	for reg := range 16 {
		want := of(x.outputs.read, reg)
		if never := want &^ of(may, reg); never != 0 {
			if kept := never & of(f.bankMay[1], reg); geometry && kept != 0 {
				find("output-bank", "o%d.%s is not written for this vertex, nor for the one before the last, whose value it would keep", reg, shbin.ComponentNames(uint16(kept)))
				never &^= kept
			}
			if never != 0 {
				find("output-missing", "o%d.%s is not written", reg, shbin.ComponentNames(uint16(never)))
			}
			continue
		}
		if some := want &^ of(must, reg); some != 0 {
			if kept := some & of(f.bankMay[1], reg); geometry && kept != 0 {
				find("output-bank", "o%d.%s is not written on every way here for this vertex or the one before the last, whose value it would keep", reg, shbin.ComponentNames(uint16(kept)))
				some &^= kept
			}
			if some != 0 {
				find("output-missing", "o%d.%s is not written on every way here", reg, shbin.ComponentNames(uint16(some)))
			}
		}
	}
}
