package scenebuild

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// outputs is what the last shader of a draw passed to the rasterizer: for each
// component the range of its values, and the instruction that wrote it.
type outputs struct {
	st      *Stage
	draw    int
	parts   [pica.NumSemantics]component
	count   int        // number of vertices
	written [16][4]int // the last instruction that wrote each component of an output register, -1 for none
	beyond
}

// component is one component of all vertices.
type component struct {
	lo, hi  float32 // without NaNs
	mapped  bool
	numbers int // number of finite values
	at      int // the last instruction that wrote it, -1 for none
}

// beyond counts vertices outside of the view volume, by side.
type beyond struct{ behind, left, right, below, above, near, far int }

// maxOutputs limits the vertices to run.
const maxOutputs = 4096

func newOutputs(st *Stage, draw int) *outputs {
	g := &outputs{st: st, draw: draw}
	for i := range g.parts {
		g.parts[i] = component{lo: 1, hi: 1, at: -1}
	}
	g.begin()
	return g
}

// begin clears the written outputs before a run.
func (g *outputs) begin() {
	for i := range g.written {
		g.written[i] = [4]int{-1, -1, -1, -1}
	}
}

// trace records which instruction writes which output.
func (g *outputs) trace(s *shaderunit.Step) {
	info := s.Instr.Info()
	if info == nil || !info.Format.HasDst() || s.Instr.Dst >= shaderunit.DstTemp {
		return
	}
	for c := range 4 {
		if s.Desc.Writes(c) {
			g.written[s.Instr.Dst&15][c] = int(s.PC)
		}
	}
}

// watch records the results of a draw's shader: the vertex shader's outputs, or
// what the geometry shader emits while the draw runs. It stops at an error of a
// program.
func (g *outputs) watch(ctx context.Context, gpu *pipeline.GPU, info *pipeline.DrawInfo) {
	if pica.GeoStage(pica.GeostageMode.Get(info.Regs)) == pica.GeoStageOn {
		at := g.mapping(info.Regs, pica.ShOutmapMask.At(pica.OffsetGsh).Get(info.Regs))
		gpu.WatchGeometry(&geometry.RunHooks{
			Begin: func(_ int, it *shaderunit.Interpreter, _ *shaderunit.Setup) {
				g.begin()
				it.Trace = g.trace
			},
			Emit: func(em shaderunit.Emission) { g.add(at, em.Out) },
		})
		return
	}
	at := g.mapping(info.Regs, pica.ShOutmapMask.At(pica.OffsetVsh).Get(info.Regs))
	v, err := gpu.DrawVertices(info)
	if err != nil {
		return
	}
	setup := gpu.VertexShader()
	it := shaderunit.Interpreter{Done: ctx.Done(), Trace: g.trace}
	for i := 0; i < v.Count; i += 1 + v.Count/maxOutputs {
		it.Reset()
		g.begin()
		for reg, in := range v.Inputs {
			if in != nil {
				it.In[reg] = in[i]
			}
		}
		if it.Run(&setup) != nil {
			return
		}
		g.add(at, it.Out())
	}
}

// outputComponent is a component of an output register and its semantic.
type outputComponent struct {
	reg, comp int
	semantic  pica.Semantic
}

// mapping reads the output map registers: each output in the mask has one
// entry, in order.
func (g *outputs) mapping(r *pica.Regs, mask uint32) (list []outputComponent) {
	entry := pica.Reg(0)
	for reg := range 16 {
		if mask>>reg&1 == 0 || entry >= 7 {
			continue
		}
		for c := range 4 {
			if s := pica.Semantic(r[pica.RegShOutmapO0+entry] >> (8 * c) & 0x1F); s < pica.NumSemantics {
				list = append(list, outputComponent{reg, c, s})
				g.parts[s].mapped = true
			}
		}
		entry++
	}
	return list
}

// add counts a vertex.
func (g *outputs) add(components []outputComponent, out *[16][4]float32) {
	if g.count >= maxOutputs {
		return
	}
	g.count++
	var v pica.Vertex
	for i := range v {
		v[i] = 1
	}
	for _, p := range components {
		x := out[p.reg][p.comp]
		v[p.semantic] = x
		t := &g.parts[p.semantic]
		t.at = max(t.at, g.written[p.reg][p.comp])
		if x != x || math.IsInf(float64(x), 0) {
			continue
		}
		if t.numbers == 0 {
			t.lo, t.hi = x, x
		}
		t.numbers++
		t.lo, t.hi = min(t.lo, x), max(t.hi, x)
	}
	x, y, z, w := v[pica.SemPositionX], v[pica.SemPositionY], v[pica.SemPositionZ], v[pica.SemPositionW]
	for _, side := range []struct {
		n   *int
		out bool
	}{
		{&g.behind, w <= 0}, {&g.left, x < -w}, {&g.right, x > w}, {&g.below, y < -w}, {&g.above, y > w}, {&g.near, z < -w}, {&g.far, z > 0},
	} {
		if side.out {
			*side.n++
		}
	}
}

// whyInvisible returns why triangles are not visible: rejected as outside, or dropped because their area is 0; "" if the vertices do not
// show it.
func (g *outputs) whyInvisible(rejected bool) string {
	if g.count == 0 {
		return ""
	}
	pos := g.parts[pica.SemPositionX:][:4]
	line := g.line(pica.SemPositionX, 4)
	numbers, fixed, zero := g.count, true, true
	for _, p := range pos {
		if p.mapped {
			numbers = min(numbers, p.numbers)
		}
		fixed = fixed && p.lo == p.hi
		zero = zero && p.lo == 0 && p.hi == 0
	}
	all := fmt.Sprintf("of all %d vertices", g.count)
	switch {
	case numbers == 0:
		return "the position " + all + " is not a number" + line
	case zero:
		return "the position " + all + " is 0 0 0 0" + line
	case fixed:
		return fmt.Sprintf("the position %s is %g %g %g %g", all, pos[0].lo, pos[1].lo, pos[2].lo, pos[3].lo) + line
	}
	if !rejected {
		return ""
	}
	for _, side := range []struct {
		n    int
		text string
	}{
		{g.behind, "they are behind the camera: the position's w is " + between(pos[3]) + ", not above 0"},
		{g.near, "they are nearer than the near plane: z " + between(pos[2]) + " is less than -w, with w " + between(pos[3])},
		{g.far, "they are further than the far plane: z " + between(pos[2]) + " is above 0"},
		{g.left, "they are left of the picture: x " + between(pos[0]) + ", w " + between(pos[3])},
		{g.right, "they are right of the picture: x " + between(pos[0]) + ", w " + between(pos[3])},
		{g.below, "they are below the picture: y " + between(pos[1]) + ", w " + between(pos[3])},
		{g.above, "they are above the picture: y " + between(pos[1]) + ", w " + between(pos[3])},
	} {
		if side.n == g.count {
			return all[3:] + ": " + side.text + line
		}
	}
	if numbers < g.count {
		return fmt.Sprintf("the position of %d of %d vertices is not a number", g.count-numbers, g.count) + line
	}
	return ""
}

func between(p component) string {
	if p.lo == p.hi {
		return fmt.Sprintf("%.4g", p.lo)
	}
	return fmt.Sprintf("%.4g to %.4g", p.lo, p.hi)
}

// source returns why the shader makes a combiner source black, "" if it does not.
func (g *outputs) source(s pica.Source) string {
	if g.count == 0 {
		return ""
	}
	switch s {
	case pica.SourcePrimaryColor:
		return g.color()
	case pica.SourceTexture0:
		return g.fixed("texcoord0", pica.SemTexCoord0U, 2)
	case pica.SourceTexture1:
		return g.fixed("texcoord1", pica.SemTexCoord1U, 2)
	case pica.SourceTexture2:
		return g.fixed("texcoord2", pica.SemTexCoord2U, 2)
	case pica.SourceFragmentPrimary, pica.SourceFragmentSecondary:
		return g.fixed("normquat", pica.SemQuatX, 4)
	}
	return ""
}

// color describes how dark the vertex colour is.
func (g *outputs) color() string {
	hi := float32(0)
	fixed := true
	for _, p := range g.parts[pica.SemColorR:][:3] {
		hi = max(hi, p.hi, -p.lo)
		fixed = fixed && p.lo == p.hi
	}
	line := g.line(pica.SemColorR, 3)
	if hi == 0 && line == "" {
		return "the shader writes no color, which is 0 in the registers as they start"
	}
	c, text := g.parts[pica.SemColorR:], fmt.Sprintf("color of all %d vertices is ", g.count)
	if fixed {
		text += fmt.Sprintf("%.4g %.4g %.4g", c[0].lo, c[1].lo, c[2].lo)
	} else {
		text += fmt.Sprintf("at most %.4g", hi)
	}
	if 0.5 < hi*255 && hi*255 < 1.5 {
		text += ": the shader scales numbers of 0 to 255, and was given 0 to 1"
	}
	return text + line
}

// fixed says that an output is the same for all vertices, "" if it is not.
func (g *outputs) fixed(name string, first pica.Semantic, n int) string {
	var values []string
	if !g.parts[first].mapped {
		return name + " is not an output of the shader, so it is 1"
	}
	for _, p := range g.parts[first:][:n] {
		if p.lo != p.hi {
			return ""
		}
		values = append(values, fmt.Sprintf("%.4g", p.lo))
	}
	return fmt.Sprintf("%s of all %d vertices is %s", name, g.count, strings.Join(values, " ")) + g.line(first, n)
}

// transparent says that the vertex alpha is 0 where a combiner reads it.
func (g *outputs) transparent(r *pica.Regs) string {
	p := &g.parts[pica.SemColorA]
	if g.count == 0 || p.lo < 0 || p.hi*255 >= 0.5 || !readsAlpha(r) {
		return ""
	}
	return fmt.Sprintf("the alpha of color is %s of all %d vertices", between(*p), g.count) + g.line(pica.SemColorA, 1)
}

// readsAlpha reports whether the alpha of a combiner stage depends on the vertex colour.
func readsAlpha(r *pica.Regs) bool {
	for stage := range 6 {
		at := pica.TexenvOffset(stage)
		sources := []pica.Field{pica.TexenvAlphaSource0, pica.TexenvAlphaSource1, pica.TexenvAlphaSource2}
		for _, f := range sources[:pica.Combine(pica.TexenvAlphaCombine.At(at).Get(r)).Inputs()] {
			if pica.Source(f.At(at).Get(r)) == pica.SourcePrimaryColor {
				return true
			}
		}
	}
	return false
}

// line returns position and text of the last line that writes the components, in brackets; without sources the instruction's
// number; "" if nothing writes them.
func (g *outputs) line(first pica.Semantic, n int) string {
	at := -1
	for _, p := range g.parts[first:][:n] {
		at = max(at, p.at)
	}
	if at < 0 {
		return ""
	}
	if g.draw >= len(g.st.made) || g.st.made[g.draw].program == nil {
		return noLine(at)
	}
	return g.st.made[g.draw].program.line(at)
}

func noLine(at int) string { return fmt.Sprintf(" (instruction %d of its program)", at) }

// line names the source line of an instruction, in brackets, and quotes it.
func (p *loadedProgram) line(at int) string {
	if at >= len(p.lines) {
		return noLine(at)
	}
	pos := p.lines[at]
	var lines []string
	for _, s := range p.sources {
		if s.Name == pos.File {
			lines = strings.Split(string(s.Text), "\n")
		}
	}
	if pos.Line < 1 || pos.Line > len(lines) { // a position from a line marker
		return fmt.Sprintf(" (%s:%d)", filepath.Base(pos.File), pos.Line)
	}
	code, _, _ := strings.Cut(lines[pos.Line-1], ";")
	return fmt.Sprintf(" (%s:%d: %s)", filepath.Base(pos.File), pos.Line, strings.Join(strings.Fields(code), " "))
}
