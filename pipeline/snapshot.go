package pipeline

import (
	"maps"
	"slices"
	"unsafe"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/shaderunit"
)

// snapshot is everything but memory that what a GPU does next depends on:
// registers, tables, programs, uniforms, what is half uploaded, unfinished
// primitives, and what the reader of a trace was told so far. Nothing is queued
// when it is taken. What is derived (compiled states, decoded textures) is not
// in it: its keys hold all that it depends on.
type snapshot struct {
	regs   pica.Regs
	ext    [externalRegs]uint32
	lcd    [lcdRegs]uint32
	fixed  [16][4]float32
	colors [2]*[256]rgba

	// Shared with the snapshot before where they did not change.
	tables *fragment.Tables
	vs, gs *shaderunit.Setup

	stage             geometry.StageState
	upload            upload
	vertices, partial [][4]float32 // of immediate mode

	targets          [3]*targetKey // the last one, the last of gas and of shadow
	frame, frameDraw int
	pass             int
	target           targetKey
	warnings         warnings
}

// bytes is at most what the snapshot takes, with what it shares.
func (s *snapshot) bytes() int64 {
	n := int64(unsafe.Sizeof(*s)) + int64(unsafe.Sizeof(*s.tables)) + 2*int64(unsafe.Sizeof(*s.vs)) + 3*int64(unsafe.Sizeof(targetKey{}))
	n += 16 * int64(len(s.vertices)+len(s.partial)+64) // 64: vertices of an unfinished run of a geometry shader
	for _, c := range s.colors {
		if c != nil {
			n += int64(unsafe.Sizeof(*c))
		}
	}
	for _, w := range s.warnings.list {
		n += 2*int64(len(w.Text)) + 128
	}
	return n
}

// snapshot takes a snapshot, with everything drawn. before is one that was taken
// earlier of the same GPU, or nil.
func (g *GPU) snapshot(before *snapshot) *snapshot {
	s := &snapshot{
		regs: g.regs, ext: g.ext, lcd: g.lcd, fixed: g.fixed, colors: copyTables(g.colors),
		stage: g.stage.State(), upload: g.upload,
		vertices: slices.Clone(g.immediate.vertices), partial: slices.Clone(g.immediate.partial),
		frame: g.place.frame, frameDraw: g.place.draw, pass: g.place.pass, target: g.place.target,
		warnings: g.warnings.clone(),
	}
	for i, t := range [3]*renderTarget{g.targets.last, g.targets.gas, g.targets.shadow} {
		if t != nil {
			key := t.key
			s.targets[i] = &key
		}
	}
	if before == nil {
		before = &snapshot{}
	}
	s.vs, s.gs = shareSetup(before.vs, &g.vs), shareSetup(before.gs, &g.gs)
	s.tables = before.tables
	if tables := g.tables; s.tables == nil || !sameTables(s.tables, &tables) {
		s.tables = &tables
	}
	return s
}

// sameTables compares tables but for their version.
func sameTables(a, b *fragment.Tables) bool {
	if a.Version == b.Version {
		return true
	}
	x := *b
	x.Version = a.Version
	return *a == x
}

// shareSetup gives a copy of what a shader unit holds: the one from before, if
// it is the same in every bit: uniforms hold no negative zero (shaderunit.ToFloat24), and
// a NaN, which is different from itself, is copied.
func shareSetup(before, now *shaderunit.Setup) *shaderunit.Setup {
	if before != nil && *before == *now {
		return before
	}
	s := *now
	return &s
}

// restore goes back to a snapshot, with nothing queued. Memory is the caller's to
// restore, before.
func (g *GPU) restore(s *snapshot) {
	g.engine.TakeGasMaximum() // of draws that were dropped
	g.regs, g.ext, g.lcd, g.fixed, g.colors = s.regs, s.ext, s.lcd, s.fixed, copyTables(s.colors)
	// The Version of tables tells contents apart, so an old one must not stand
	// for other contents that were uploaded since.
	version := g.tables.Version
	if g.tables = *s.tables; version != s.tables.Version {
		g.tables.Version = max(version, s.tables.Version) + 1
	}
	g.vs, g.gs = *s.vs, *s.gs
	g.stage.SetState(&s.stage)
	g.upload = s.upload
	g.immediate.reset()
	g.immediate.vertices = append(g.immediate.vertices, s.vertices...)
	g.immediate.partial = append(g.immediate.partial, s.partial...)
	for i, t := range [3]**renderTarget{&g.targets.last, &g.targets.gas, &g.targets.shadow} {
		if *t = nil; s.targets[i] != nil {
			*t, _ = g.targetOf(*s.targets[i]) // it could be made when the snapshot was taken
		}
	}
	g.place.frame, g.place.draw, g.place.pass, g.place.target = s.frame, s.frameDraw, s.pass, s.target
	g.warnings = s.warnings.clone()
	g.counters.reset(g.engine)
}

func (w *warnings) clone() warnings {
	return warnings{list: slices.Clone(w.list), at: maps.Clone(w.at)}
}
