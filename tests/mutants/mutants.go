// Package mutants changes one place of the source after the other, each in a
// way that makes it wrong, and sees that a test of `make test` fails. The
// source is not touched: go test is given the changed file as an overlay.
//
//	go test ./tests/mutants -run TestMutants -mutants -v -timeout 4h
//
// These were thought of by hand, mistakes of several lines among them, and one test of
// any package must fail for each. What a program makes at random is tests/mutation's.
package mutants

// Mutant is a change that a test must notice.
type Mutant struct {
	What     string // what is wrong then
	File     string // from the root of the repository
	Old, New string // Old stands in the file once
	Package  string // of the test, as for go test
	Test     string // its name; a slash names a subtest
}

// states is the test that draws random states in several ways and compares
// with what they drew before; redraw draws twice with a change in between.
const (
	states = "TestStates"
	redraw = "TestRedraw"
	gpu    = "./pipeline"
)

// Table is all mutants. The first nine passed every test there was at the time
// when they were thought of.
var Table = []Mutant{
	{"Decoded textures are kept for ever", "fragment/texcache.go",
		"if t != nil && t.generation == gen {", "if t != nil {", gpu, redraw},
	{"A write does not wait for draws that read", "pipeline/hazard.go",
		"if overlapsAny(g.pending.writes, s) || overlapsAny(g.pending.reads, s) {", "if overlapsAny(g.pending.writes, s) {", gpu, redraw},
	{"Decoded tables are kept for ever", "fragment/lut.go",
		"if c.now == nil || c.version != version && c.raw != *raw {", "if c.now == nil {", gpu, redraw},
	{"Integer uniforms are no part of a compiled shader", "shaderunit/compile.go",
		"if v.intMask>>i&1 != 0 && v.ints[i] != s.Int[i] {", "if i < 0 {", gpu, redraw},
	{"Depth is tested early in spite of stencil", "pipeline/draw.go",
		"pica.DepthTestEnable.Bool(r) && !g.stencil() && oneWay(d.EarlyFunc)", "pica.DepthTestEnable.Bool(r) && oneWay(d.EarlyFunc)", gpu, states},
	{"Draws in the background have read already", "pipeline/hazard.go",
		"	g.behind = g.spare\n", "	g.behind = g.spare\n	g.pending.reads = g.pending.reads[:0]\n", gpu, "TestBackgroundDraws"},
	{"Subnormal uniforms are not flushed", "shaderunit/cache.go",
		"if p.subnormals(&s.Float) {", "if false {", "./shaderunit", "TestSubnormalsByInstruction"},
	{"The generation of the reuse of vertices rolls over", "geometry/reuse.go",
		"if r.generation == 1<<16 {", "if r.generation == 1<<20 {", "./geometry", "TestReuseForgets"},
	{"The clipper's tolerance is a thousand times as great", "geometry/clip.go",
		"const depthTolerance = 1e-8", "const depthTolerance = 1e-5", "./geometry", "TestClipTolerance"},

	// Queues, caches and what is left over.
	{"A list is read before draws that write it are done", "pipeline/commands.go",
		"if err := g.beforeRead(ctx, span{addr, n}); err != nil {", "if err := ctx.Err(); err != nil {", gpu, states},
	{"Queued draws are not drawn before the target changes", "pipeline/draw.go",
		"if g.lastTarget != t {\n		if err := g.flush(ctx); err != nil {", "if g.lastTarget != t {\n		if err := ctx.Err(); err != nil {", gpu, states},
	{"Vertices are read before draws that write them are done", "pipeline/draw.go",
		"if err := g.beforeVertices(ctx, info.Kind); err != nil {", "if err := ctx.Err(); err != nil {", gpu, states},
	{"A flush does not say that it wrote memory", "pipeline/hazard.go",
		"range g.pending.writes {\n		g.mem.Touch(s.addr, s.bytes)\n", "range g.pending.writes {\n		_ = s\n", gpu, states},
	{"A copy does not wait for the draws that write its source", "pipeline/external.go",
		"fmt.Errorf(\"%v: %w\", c, err)\n	}\n	if err := g.beforeRead(ctx, src); err != nil {",
		"fmt.Errorf(\"%v: %w\", c, err)\n	}\n	_ = src\n	if err := ctx.Err(); err != nil {", gpu, states},
	{"A load does not touch the pages that it writes", "pipeline/memory.go",
		"	copy(dst, data)\n	m.Touch(addr, uint32(len(data)))\n", "	copy(dst, data)\n", gpu, redraw},
	{"Gas feedback is written before queued draws report theirs", "pipeline/commands.go",
		"		if err := g.flush(ctx); err != nil {\n			return err\n		}\n	}\n	g.regs[id] = merged\n", "	}\n	g.regs[id] = merged\n", gpu, "TestGasFeedbackIsInOrder"},
	{"Immediate vertices take the state that comes after them", "pipeline/commands.go",
		"if len(g.immediate.vertices) != 0 && merged != old {", "if false && merged != old {", gpu, states},
	{"Reset leaves the fixed attributes", "pipeline/gpu.go",
		"	g.fixed = [16][4]float32{}\n", "", gpu, states},
	{"Reset leaves what the geometry shader's registers hold", "geometry/draw.go",
		"	s.Restart()\n	s.geo.it.Reset()\n", "	s.Restart()\n", gpu, states},
	{"Boolean uniforms are no part of a compiled shader", "shaderunit/compile.go",
		"(v.bools^s.Bool)&v.boolMask != 0", "false", gpu, redraw},
	{"The entry point is no part of a compiled shader", "shaderunit/compile.go",
		"v.entry != s.Entry || ", "", "./shaderunit", "TestCacheEntryPoint"},
	{"The colour of the border is that of the state before", "fragment/samplercache.go",
		"border: r[pica.RegTexunit0BorderColor+at], dim: ", "dim: ", "./fragment", "TestWarmEngine"},
	{"Explain takes other targets for its own", "fragment/probe.go",
		" || probe.Target != nil && probe.Target != m.v.target", "", "./fragment", "TestProbeLooksAtItsTarget"},
	{"Vertex code does not reach the geometry unit", "pipeline/upload.go",
		"return !pica.VshComMode.Bool(&g.regs) && ", "return false && ", gpu, states},

	// What is drawn.
	{"Reverse subtraction is subtraction", "fragment/blend.go",
		"add := k.eq != uint32(pica.BlendReverseSubtract) && ", "add := ", "./fragment", "TestEquationsOfFactorsThatKeepOrReplace"},
	{"Saturated blending looks at alpha alone", "fragment/blend.go",
		"sat[from+i] = min(s[i], 255-d[i])", "sat[from+i] = min(s[i], 255-d[i]&0)", gpu, states},
	{"Stencil values wrap when they shall stay", "fragment/stencil.go",
		"return max(old, old+1)", "return old + 1", gpu, states},
	{"The stencil's write mask is that of reading", "fragment/stencil.go",
		"now[i] = stencilOp(op, value, k.ref)&k.write | o&^k.write", "now[i] = stencilOp(op, value, k.ref)&k.read | o&^k.read", gpu, states},
	{"A quad joins a block whose pixels it draws again", "fragment/places.go",
		"|| b.Mask[i]>>(4*part)&pixels != 0 {", "{", "./fragment", "TestOutputMatchesReference"},
	{"Pixels of a quad that others have drawn are lost", "fragment/places.go",
		"whole := b.Mask[i]>>(4*part)&0xF == 0 // nothing to keep", "whole := true", "./fragment", "TestOutputMatchesReference"},
	{"Quads of a packed batch lie in one column of their block", "raster/blocks.go",
		"Quad{x + int32(from>>1&2),", "Quad{x,", "./raster", "TestCoverageMatchesTheFillRule"},
	{"Small triangles leave the scissor rectangle", "raster/blocks.go",
		"mask &= rectMask(area, bx, by)", "mask &= 0xFFFF", "./raster", "TestCoverageMatchesTheFillRule"},
	{"A batch that was full goes on as blocks", "raster/blocks.go",
		"		w.shade(d, worker)\n		b.Packed = true\n", "		w.shade(d, worker)\n", gpu, states},
	{"What carried vertices have besides the draw's outputs is lost", "geometry/assemble.go",
		"				if x != 1 {\n", "				if x != x {\n", gpu, states},
	{"The attributes of a draw are looked for where the first draw's are", "raster/queue.go",
		"first := q.keptRows - q.kept*d.Layout.N", "first := 0", gpu, states},
	{"Triangles without the centre of a pixel are told by half a pixel less", "geometry/assemble.go",
		"(max(a, b, c)-half)>>subpixelBits", "(max(a, b, c)-2*half)>>subpixelBits", gpu, states},
	{"Less or equal is less", "raster/compare.go",
		"return less | equal\n", "return less\n", gpu, states},
	{"The alpha test's vector form takes less for less or equal", "fragment/alphatest.go",
		"case pica.CompareNotEqual, pica.CompareLess, pica.CompareGreater:", "case pica.CompareNotEqual, pica.CompareLess:", gpu, states},
	{"Fog is not flipped", "fragment/fog.go",
		"factor = fogFactorFlipped", "factor = fogFactor", gpu, states},
	{"Gas behind a surface counts in full", "fragment/gas.go",
		"y = float32(x * (1 - g.depthFactor(surface[i], z[i], v.gas.deltaZ)))", "y = x", gpu, states},
	{"A soft shadow does not widen", "fragment/shadow.go",
		"(s.constant + float32(s.linear*x))", "(s.constant + float32(s.linear*x*0))", gpu, states},
	{"A shadow's bias is added", "fragment/shadow.go",
		"ds[i] = uint32(max(int32(a*shadowDepthOne)-bias, 0))", "ds[i] = uint32(max(int32(a*shadowDepthOne)+bias, 0))", gpu, states},
	{"Mirrored textures repeat", "fragment/samplekernels.go",
		"func mirrored(size int32) (mask, flip int32) { return 2*size - 1, 2*size - 1 }",
		"func mirrored(size int32) (mask, flip int32) { return size - 1, 0 }", gpu, states},
	{"The scissor rectangle lacks its last column", "pipeline/draw.go",
		"X1: int32(pica.ScissortestX2.Get(r)),", "X1: int32(pica.ScissortestX2.Get(r)) - 1,", gpu, states},
	{"Front faces are culled when back faces shall be", "geometry/assemble.go",
		"	case pica.CullFront:\n", "	case pica.CullBack + 100:\n", gpu, states},
	{"A strip forgets after a draw that its next triangle is odd", "geometry/assemble.go",
		"a.odd = a.odd != (n&1 != 0)", "_ = n", gpu, states},
	{"Quaternions are not turned to the same side", "geometry/sift.go",
		"float32(q[3]*p[3]) < 0", "float32(q[3]*p[3]) < -1e30", gpu, states},
	{"The user's clipping plane keeps what is behind it", "geometry/clip.go",
		"if p.enabled && !(p.distance(v) >= 0) {", "if p.enabled && p.distance(v) >= 0 {", gpu, states},
	{"A winding that the geometry shader asked for stays", "geometry/assemble.go",
		"		a.winding = false\n		a.joined", "		a.joined", "./geometry", "TestWinding"},
	{"Narrow colours of five bits are widened with zeros", "pica/planes.go",
		"return widen(pixels, shift, 5, 1<<5|1, 2) }", "return widen(pixels, shift, 5, 1<<5, 2) }", gpu, states},
	{"Depth of 24 bits without stencil loses its last byte", "raster/depth.go",
		"p[i*3], p[i*3+1], p[i*3+2] = byte(d), byte(d>>8), byte(d>>16)", "p[i*3], p[i*3+1] = byte(d), byte(d>>8)", gpu, states},
	{"W-buffering is left out", "pipeline/draw.go",
		"WBuffer:     pica.DepthMode(pica.DepthmapMode.Get(r)) == pica.DepthModeW,", "", gpu, states},
	{"The gap of a texture copy's output is left out", "pipeline/texcopy.go",
		"16 * r.get(pica.TextureCopyOutputGap)", "0 * r.get(pica.TextureCopyOutputGap)", gpu, states},
	{"A display transfer is never flipped", "pipeline/transfer.go",
		"Flip:      r.on(pica.TransferFlip),", "", gpu, states},
	{"A fill of 24 bits writes 32", "pipeline/fill.go",
		"		f.Bits = 24\n", "		f.Bits = 32\n", gpu, states},
	{"The two sides of a quad's level of detail are exchanged", "fragment/lod.go",
		"if !(along > down) {", "if !(along < down) {", gpu, states},
	{"Subtraction in the vector kernels of the shader unit takes the operands the other way", "shaderunit/simd_amd64.go",
		"subVV: subVVAVX2,", "subVV: func(d, a, b *Row, n int) { subVVAVX2(d, b, a, n) },", "./shaderunit", "TestKernelTwins"},
	{"Draws whose pixels share memory are spread over bins", "pipeline/draw.go",
		"ordered := p.ordered || t.aliases || t.overlap", "ordered := p.ordered || t.overlap", gpu, states},
	{"Binning does not look whether to go on", "raster/queue.go",
		"== trianglesUnseen-1 && closed(q.done) {", "== trianglesUnseen {", "./raster", "TestBinningIsInterrupted"},
	{"Two MOVA in a row hang in the interpreter alone", "shaderunit/compile.go",
		"f.AfterMOVA = info != nil && info.WritesAddress()", "f.AfterMOVA = info == nil && info.WritesAddress()", "./shaderunit", "TestTwoMOVA"},
	{"The interpreter's MOVA writes both address registers", "shaderunit/interpreter.go",
		"			if desc.Writes(i) {\n				it.A0[i] =", "			if true {\n				it.A0[i] =", gpu, states},

	// Values apart from programs.
	{"A table is decoded into what draws hold that wait", "fragment/lut.go",
		"if c.now == nil || c.serial > t.released {", "if c.now == nil {", "./fragment", "TestWarmEngine"},
	{"A draw takes the values of the one before", "fragment/draw.go",
		" ||\n		s.regs != *(*stateRegs)(st.Regs[firstStateReg:endStateReg]) {", " {", gpu, redraw},
	{"Constant registers keep the colour of another draw", "fragment/draw.go",
		"held.rgba, held.channels = k.rgba, 0", "held.rgba = k.rgba", gpu, states},
	{"Black lights are lights to a key", "fragment/key.go",
		"of[2] = min((r[pica.RegLight0Diffuse+at]|r[pica.RegLight0Ambient+at])&rgb, 1)", "of[2] = min(r[pica.RegLight0Diffuse+at]&rgb, 1)", "./fragment", "TestAmbientLightAlone"},
	{"Samplers are used again while draws hold them", "fragment/recycle.go",
		"r.waiting[n].serial <= t.released {", "r.waiting[n].serial <= t.given {", "./fragment", "TestDrawsKeepTheirValues"},
}
