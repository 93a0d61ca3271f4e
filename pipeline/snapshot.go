package pipeline

import (
	"slices"
	"unsafe"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/shaderunit"
)

// snapshot is everything, except memory, that the GPU's further work depends
// on: registers, tables, programs, uniforms, incomplete uploads, unfinished
// primitives, and the position in the recording with its warnings. It is taken
// while nothing is queued. Derived data (compiled programs, decoded textures)
// is not part of it; their cache keys hold all that they depend on.
type snapshot struct {
	regs   pica.Regs
	ext    [externalRegs]uint32
	lcd    [lcdRegs]uint32
	fixed  [16][4]float32
	colors [2]*[256]rgba

	// Shared with the snapshot before if they did not change.
	tables *fragment.Tables
	vs, gs *shaderunit.Setup

	stage             geometry.StageState
	upload            upload
	vertices, partial [][4]float32 // of immediate mode

	targets          [3]*targetKey // last target, last one of gas mode, last one of shadow mode
	frame, frameDraw int
	pass             int
	target           targetKey
	geometry         bool
	warnings         warnings
}

// bytes is an upper bound of the snapshot's size, including what it shares.
func (s *snapshot) bytes() int64 {
	n := int64(unsafe.Sizeof(*s)) + int64(unsafe.Sizeof(*s.tables)) + 2*int64(unsafe.Sizeof(*s.vs)) + 3*int64(unsafe.Sizeof(targetKey{}))
	n += 16 * int64(len(s.vertices)+len(s.partial)+64) // 64: vertices of an unfinished run of a geometry shader
	for _, c := range s.colors {
		if c != nil {
			n += int64(unsafe.Sizeof(*c))
		}
	}
	for _, w := range s.warnings {
		n += 2*int64(len(w.Text)) + 128
	}
	return n
}

// snapshot executes everything queued and takes a snapshot. before is an
// earlier one of the same GPU, or nil.
func (g *GPU) snapshot(before *snapshot) *snapshot {
	s := &snapshot{
		regs: g.regs, ext: g.ext, lcd: g.lcd, fixed: g.fixed, colors: copyTables(g.colors),
		stage: g.stage.State(), upload: g.upload,
		vertices: slices.Clone(g.immediate.vertices), partial: slices.Clone(g.immediate.partial),
		frame: g.progress.frame, frameDraw: g.progress.draw, pass: g.progress.pass, target: g.progress.target, geometry: g.progress.geometry,
		warnings: slices.Clone(g.warnings),
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

// sameTables compares tables, but not their version.
func sameTables(a, b *fragment.Tables) bool {
	if a.Version == b.Version {
		return true
	}
	x := *b
	x.Version = a.Version
	return *a == x
}

// shareSetup copies the state of a shader unit, or returns before if it has the
// same bits. Comparing values is enough: uniforms hold no negative zero
// (shaderunit.ToFloat24), and a NaN differs from itself and so is copied.
func shareSetup(before, now *shaderunit.Setup) *shaderunit.Setup {
	if before != nil && *before == *now {
		return before
	}
	s := *now
	return &s
}

// restore restores a snapshot while nothing is queued. The caller has restored
// memory before.
func (g *GPU) restore(s *snapshot) {
	g.engine.TakeGasMaximum() // drop the maximum of cancelled draws
	g.regs, g.ext, g.lcd, g.fixed, g.colors = s.regs, s.ext, s.lcd, s.fixed, copyTables(s.colors)
	// Version identifies contents of tables; an old one must not stand for other
	// contents that were uploaded since.
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
			*t, _ = g.targetOf(*s.targets[i]) // no error: it existed when the snapshot was taken
		}
	}
	g.progress.frame, g.progress.draw, g.progress.pass, g.progress.target, g.progress.geometry = s.frame, s.frameDraw, s.pass, s.target, s.geometry
	g.warnings = slices.Clone(s.warnings)
	g.counters.reset(g.engine)
}
