package sceneexport

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/shbin"
	"pica200/internal/files"
	"pica200/pica"
	"pica200/scene"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/disasm"
)

// reads is what the reachable instructions of a program refer to.
type reads struct {
	inputs uint16
	floats [96]bool
	ints   [4]bool
	bools  uint16
}

// trim copies the reachable part of the code memory. Unreachable words become
// NOPs.
func trim(s *shaderunit.Setup) *code {
	c := &code{entry: uint32(s.Entry)}
	reached := make([]bool, shaderunit.CodeWords)
	todo := []int{int(s.Entry)}
	relative := 96 // least float uniform that an address register is added to
	descs := 0
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for at < shaderunit.CodeWords && !reached[at] {
			reached[at] = true
			in := shaderunit.Decode(s.Code(at))
			info := in.Info()
			if info == nil {
				break
			}
			for n := range info.Format.Sources() {
				switch src := in.Src[n]; {
				case src < shaderunit.SrcTemp:
					c.reads.inputs |= 1 << src
				case src >= shaderunit.SrcUniform:
					u := int(src - shaderunit.SrcUniform)
					c.reads.floats[u] = true
					if n == info.Format.Wide() && in.Idx != shaderunit.AddrNone {
						relative = min(relative, u)
					}
				}
			}
			if info.Format.DescLimit() > 0 {
				descs = max(descs, int(in.Desc)+1)
			}
			switch {
			case info.Test == shaderunit.TestBool:
				c.reads.bools |= 1 << (in.Uniform & 15)
			case info.Flow == shaderunit.FlowLoop:
				c.reads.ints[in.Uniform&3] = true
			}
			switch info.Flow {
			case shaderunit.FlowCall, shaderunit.FlowJump:
				todo = append(todo, int(in.Dest))
			case shaderunit.FlowIf:
				todo = append(todo, int(in.Dest), int(in.Dest)+int(in.Num))
			case shaderunit.FlowLoop:
				todo = append(todo, int(in.Dest)+1)
			}
			if info.Flow == shaderunit.FlowEnd {
				break
			}
			at++
		}
	}
	if relative < 96 {
		for u := relative; u < 96; u++ {
			c.reads.floats[u] = true
		}
	}
	last := 0
	for i, ok := range reached {
		if ok {
			last = i
		}
	}
	for i := range last + 1 {
		w := s.Code(i)
		if !reached[i] {
			w = uint32(shaderunit.OpNOP) << 26
		}
		c.words = append(c.words, w)
	}
	for i := range descs {
		c.descs = append(c.descs, uint32(s.Desc(i)))
	}
	return c
}

// shaderPair is a vertex shader, possibly with a geometry shader, and the
// registers that say how they are joined. Draws share a program if these are
// equal.
type shaderPair struct {
	name   string
	stages []stage
	draws  []*draw
}

// stage is one of a program's shaders.
type stage struct {
	*code
	geometry bool
	outMask  uint16
	outmap   []uint32 // words of the output map; nil if the outputs go to another stage
	inputs   uint16   // of vertex shaders
	mode     shbin.Geometry
}

func (s *stage) of(d *draw) *shader {
	if s.geometry {
		return &d.gs
	}
	return &d.vs
}

// programs groups the draws by their programs.
func programs(draws []*draw, m *meshes) []*shaderPair {
	known := map[string]*shaderPair{}
	var list []*shaderPair
	for _, d := range draws {
		r := d.regs
		unmapColors(&r)
		words := append([]uint32(nil), r[pica.RegShOutmapO0:pica.RegShOutmapO0+7]...)
		words = words[:min(7, pica.ShOutmapTotal.Get(&r))]
		vs := stage{code: d.vs.code, outMask: uint16(pica.ShOutmapMask.At(pica.OffsetVsh).Get(&r)), outmap: words}
		vs.inputs = m.list[d.mesh].fed & d.vs.reads.inputs
		if vs.inputs == 0 {
			vs.inputs = 1 << bits.TrailingZeros16(m.list[d.mesh].fed)
		}
		stages := []stage{vs}
		if d.gs.code != nil {
			stages[0].outmap = nil
			g := stage{code: d.gs.code, geometry: true, outMask: uint16(pica.ShOutmapMask.Get(&r)), outmap: words}
			switch mode := pica.GeometryMode(pica.GshMode.Get(&r)); mode {
			case pica.GeometryModeVariable:
				g.mode = shbin.Geometry{Mode: shbin.GeometryVariable, VariableNum: uint8(pica.GshVariableMain.Get(&r)) + 1}
			case pica.GeometryModeFixed:
				g.mode = shbin.Geometry{Mode: shbin.GeometryFixed, FixedStart: uint8(pica.GshStartIndex.Get(&r)), FixedNum: uint8(pica.GshFixedVertexNum.Get(&r)) + 1}
			}
			stages = append(stages, g)
		}
		key := ""
		for _, s := range stages {
			key += fmt.Sprintf("%p %v %v %v %v ", s.code, s.outMask, s.outmap, s.inputs, s.mode)
		}
		p, ok := known[key]
		if !ok {
			p = &shaderPair{name: fmt.Sprintf("program%d", len(list)), stages: stages}
			known[key] = p
			list = append(list, p)
		}
		p.draws = append(p.draws, d)
	}
	return list
}

// longest is the number of vertices of the longest primitive of the geometry
// stage's variable mode.
func (p *shaderPair) longest() (n int) {
	for _, d := range p.draws {
		n = max(n, d.longest)
	}
	return n
}

// run is a run of uniforms that differ between draws.
type run struct {
	name        string
	first, last int
}

// variables splits the uniforms that a stage reads into constants, which are
// the same in all draws of the program, and ranges of others.
//
// A shader file has at most maxConstants constants; a program that reads more
// has only uniforms.
func (p *shaderPair) variables(s *stage) (constants []shbin.Constant, floats []run, bools, ints []int) {
	constants, floats, bools, ints = p.split(s, true)
	if len(constants) > maxConstants {
		return p.split(s, false)
	}
	return constants, floats, bools, ints
}

const maxConstants = 80 // 96 less what assemblers add

// split is variables; constants are made if fixed is set.
func (p *shaderPair) split(s *stage, fixed bool) (constants []shbin.Constant, floats []run, bools, ints []int) {
	first := s.of(p.draws[0])
	all := func(same func(d *shader) bool) bool {
		return !slices.ContainsFunc(p.draws, func(d *draw) bool { return !same(s.of(d)) })
	}
	skip := func(int) bool { return false }
	if s.geometry && s.mode.Mode != shbin.GeometryPoint {
		// The registers that vertices are put into.
		lo, hi := 0, 1+int(s.mode.VariableNum)*bits.OnesCount16(p.stages[0].outMask)+p.longest()-int(s.mode.VariableNum)
		if s.mode.Mode == shbin.GeometryFixed {
			lo = int(s.mode.FixedStart)
			hi = lo + int(s.mode.FixedNum)*bits.OnesCount16(p.stages[0].outMask)
		}
		skip = func(i int) bool { return i >= lo && i < hi }
	}
	for i, read := range s.reads.floats {
		if !read || skip(i) {
			continue
		}
		same := all(func(d *shader) bool { return d.floats[i] == first.floats[i] })
		switch {
		case trailing(p, s, i):
		case same && fixed:
			var w [4]uint32
			for k, x := range first.floats[i] {
				w[k] = pica.Float24.Encode(x)
			}
			constants = append(constants, shbin.FloatConstant(uint8(i), w))
		case len(floats) > 0 && floats[len(floats)-1].last == i-1:
			floats[len(floats)-1].last = i
		default:
			floats = append(floats, run{fmt.Sprintf("%su%d", prefixOf(s), i), i, i})
		}
	}
	for i, read := range s.reads.ints {
		if !read {
			continue
		}
		if all(func(d *shader) bool { return d.ints[i] == first.ints[i] }) {
			constants = append(constants, shbin.IntConstant(uint8(i), first.ints[i]))
		} else {
			ints = append(ints, i)
		}
	}
	for i := range 16 {
		if s.reads.bools>>i&1 == 0 {
			continue
		}
		if all(func(d *shader) bool { return (d.bools^first.bools)>>i&1 == 0 }) {
			constants = append(constants, shbin.BoolConstant(uint8(i), first.bools>>i&1 != 0))
		} else {
			bools = append(bools, i)
		}
	}
	return constants, floats, bools, ints
}

// trailing reports whether a register and all after it are 0 in all draws: a
// program that reads uniforms by an address register does not get those.
func trailing(p *shaderPair, s *stage, from int) bool {
	for _, d := range p.draws {
		for _, v := range s.of(d).floats[from:] {
			if v != (mgl32.Vec4{}) {
				return false
			}
		}
	}
	return true
}

// names of the uniforms in the sources; boolean and integer ones are given one
// by one.
func boolName(s *stage, i int) string { return fmt.Sprintf("%sflag%d", prefixOf(s), i) }
func intName(s *stage, i int) string  { return fmt.Sprintf("%scount%d", prefixOf(s), i) }

func prefixOf(s *stage) string {
	if s.geometry {
		return "g"
	}
	return ""
}

// file makes a shader file of the program, whose stages share the code.
func (p *shaderPair) file() (*shbin.File, error) {
	code, entries, err := p.merged()
	if err != nil {
		return nil, err
	}
	var executables []shbin.Executable
	for i := range p.stages {
		s := &p.stages[i]
		f, err := disasm.Raw{Code: code.words, Descriptors: code.descs, Entry: entries[i], Geometry: s.geometry}.File()
		if err != nil {
			return nil, err
		}
		e := f.Executables[0]
		constants, floats, bools, ints := p.variables(s)
		e.Constants, e.OutputMask, e.Geometry, e.Outputs = constants, s.outMask, s.mode, outputs(s)
		if !s.geometry {
			e.InputMask = s.inputs
			for i := range 16 {
				if s.inputs>>i&1 != 0 {
					e.Uniforms = append(e.Uniforms, shbin.Uniform{Name: fmt.Sprintf("in%d", i), Start: uint16(i), End: uint16(i)})
				}
			}
		}
		named := func(name string, base uint16, first, last int) {
			e.Uniforms = append(e.Uniforms, shbin.Uniform{Name: name, Start: base + uint16(first), End: base + uint16(last)})
		}
		for _, r := range floats {
			named(r.name, shbin.UniformFloat, r.first, r.last)
		}
		for _, i := range ints {
			named(intName(s, i), shbin.UniformInt, i, i)
		}
		for _, i := range bools {
			named(boolName(s, i), shbin.UniformBool, i, i)
		}
		executables = append(executables, e)
	}
	return shbin.Build(code.words, code.descs, executables)
}

// merged is the code of all stages, and where each begins.
func (p *shaderPair) merged() (*code, []uint32, error) {
	v := p.stages[0].code
	if len(p.stages) == 1 {
		return v, []uint32{v.entry}, nil
	}
	g := p.stages[1].code
	m := &code{}
	if overlay(&m.words, v.words, g.words, uint32(shaderunit.OpNOP)<<26) && overlay(&m.descs, v.descs, g.descs, 0) {
		return m, []uint32{v.entry, g.entry}, nil
	}
	// The shaders come from different files: place one after the other.
	m.words = append([]uint32(nil), v.words...)
	m.descs = append([]uint32(nil), v.descs...)
	base := uint32(len(m.words))
	for i, w := range g.words {
		in := shaderunit.Decode(w)
		info := in.Info()
		if info == nil {
			m.words = append(m.words, w)
			continue
		}
		if info.Flow.HasTarget() {
			in.Dest += uint16(base)
		}
		if limit := info.Format.DescLimit(); limit > 0 {
			at := slices.Index(m.descs, g.descs[in.Desc])
			if at < 0 {
				at = len(m.descs)
				m.descs = append(m.descs, g.descs[in.Desc])
			}
			if at >= limit {
				return nil, nil, fmt.Errorf("the vertex and the geometry shader come from different files, and together need more operand descriptors than word 0x%X of the geometry shader can name", i)
			}
			in.Desc = uint8(at)
		}
		w, err := in.Encode()
		if err != nil {
			return nil, nil, fmt.Errorf("word 0x%X of the geometry shader: %w", i, err)
		}
		m.words = append(m.words, w)
	}
	if len(m.words) > shaderunit.CodeWords {
		return nil, nil, fmt.Errorf("the vertex and the geometry shader come from different files, and together have %d instructions; the code memory has %d", len(m.words), shaderunit.CodeWords)
	}
	return m, []uint32{v.entry, base + g.entry}, nil
}

// overlay joins two copies of the same memory, in which filler stands for
// unknown words.
func overlay(to *[]uint32, a, b []uint32, filler uint32) bool {
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a) || a[i] == filler && i < len(b):
			*to = append(*to, b[i])
		case i >= len(b) || b[i] == filler || b[i] == a[i]:
			*to = append(*to, a[i])
		default:
			return false
		}
	}
	return true
}

// groups are the semantics of each meaning of an output register.
var groups = []struct {
	kind  shbin.OutputType
	first pica.Semantic
	n     int
}{
	{shbin.OutPosition, pica.SemPositionX, 4}, {shbin.OutNormalQuat, pica.SemQuatX, 4}, {shbin.OutColor, pica.SemColorR, 4},
	{shbin.OutTexCoord0, pica.SemTexCoord0U, 2}, {shbin.OutTexCoord0W, pica.SemTexCoord0W, 1},
	{shbin.OutTexCoord1, pica.SemTexCoord1U, 2}, {shbin.OutTexCoord2, pica.SemTexCoord2U, 2}, {shbin.OutView, pica.SemViewX, 3},
}

// outputs converts the output map to meanings of registers. What they cannot
// express is added as registers later.
func outputs(s *stage) (list []shbin.Output) {
	slot := 0
	for reg := range uint16(16) {
		if s.outMask>>reg&1 == 0 {
			continue
		}
		masks := map[shbin.OutputType]uint16{}
		if slot < len(s.outmap) {
			for c := range 4 {
				sem := pica.Semantic(s.outmap[slot] >> (8 * c) & 0x1F)
				for _, g := range groups {
					if sem >= g.first && int(sem) < int(g.first)+g.n {
						masks[g.kind] |= 1 << c
					}
				}
			}
		}
		slot++
		if len(masks) == 0 {
			list = append(list, shbin.Output{Type: shbin.OutDummy, Reg: reg, Mask: 15})
			continue
		}
		for _, k := range slices.Sorted(maps.Keys(masks)) {
			list = append(list, shbin.Output{Type: k, Reg: reg, Mask: masks[k]})
		}
	}
	return list
}

// write writes the program's files and returns its entry in the scene. It
// writes sources if assembling them gives the same program, otherwise the
// binary with a note.
func (p *shaderPair) write(out *files.Folder) (scene.Program, []string, error) {
	entry := scene.Program{Name: p.name, Guess: "none"}
	f, err := p.file()
	if err != nil {
		return entry, nil, err
	}
	name := p.name
	if len(p.stages) > 1 {
		name += "." // a number follows
	}
	d, err := disasm.File(f, disasm.Options{Name: name})
	if err != nil {
		return entry, nil, err
	}
	if len(d.Notes) > 0 || d.Options != (asm.Options{}) {
		why := "its source needs more than the default options of the assembler"
		if len(d.Notes) > 0 {
			first, _, _ := strings.Cut(d.Notes[0], "\n")
			why = "its source does not give the same program back: " + first
		}
		data, err := f.Write()
		if err != nil {
			return entry, nil, err
		}
		entry.File = "shaders/" + p.name + ".shbin"
		return entry, []string{p.name + " is a binary, because " + why}, out.Write(entry.File, data)
	}
	for _, src := range d.Sources {
		path, text := "shaders/"+src.Name, src.Text
		if bytes.Contains(text, []byte(".set")) {
			text = append([]byte(sharedNote), text...)
		}
		entry.Sources = append(entry.Sources, path)
		if err := out.Write(path, text); err != nil {
			return entry, nil, err
		}
	}
	return entry, nil, nil
}

// sharedNote stands above the values of uniforms in a source.
const sharedNote = `; .setf, .seti and .setb: values that all draws share. "c4: [1, 0, 0, 0]" in the
; uniforms of a draw in scene.yaml overrides one.
`

// finite returns a number that a scene can have: infinities and NaN become 0,
// and get their value by register writes (rawFloats).
func finite(x float32) float64 {
	if v := float64(x); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return v
	}
	return 0
}

// uniforms returns the values of a draw for uniforms that are not constants of
// the program.
func (p *shaderPair) uniforms(d *draw) (list []scene.Uniform) {
	for i := range p.stages {
		s := &p.stages[i]
		sh := s.of(d)
		_, floats, bools, ints := p.variables(s)
		for _, r := range floats {
			u := scene.Uniform{Name: r.name}
			for k := r.first; k <= r.last; k++ {
				for _, x := range sh.floats[k] {
					u.Values = append(u.Values, finite(x))
				}
			}
			list = append(list, u)
		}
		for _, k := range ints {
			u := scene.Uniform{Name: intName(s, k)}
			for _, x := range sh.ints[k] {
				u.Values = append(u.Values, float64(x))
			}
			list = append(list, u)
		}
		for _, k := range bools {
			list = append(list, scene.Uniform{Name: boolName(s, k), Values: []any{sh.bools>>k&1 != 0}})
		}
	}
	return list
}
