package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"pica200/pica"
	"pica200/replay/drawstate"
	"pica200/shaderunit"
	"pica200/shaderunit/asm"
	"pica200/shaderunit/lsp"
)

// unit returns the shader unit with a name.
func (s *shot) unit(what string) (setup *shaderunit.Setup, geometry bool, err error) {
	switch what {
	case "vertex", "":
		return &s.state.Given.Vertex, false, nil
	case "geometry":
		return &s.state.Given.Geometry, true, nil
	}
	return nil, false, badf("there is no shader %q; there are vertex and geometry", what)
}

// line is an instruction of a listing.
type line struct {
	PC       int      `json:"pc"`
	Word     uint32   `json:"word"`
	Text     string   `json:"text"`
	Findings []string `json:"findings,omitempty"` // of the linter
}

// opProgram lists the program of a shader unit.
func (e *Engine) opProgram(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	setup, geometry, err := s.unit(r.What)
	if err != nil {
		return nil, err
	}
	end := shaderunit.CodeWords
	for end > int(setup.Entry)+1 && setup.Code(end-1) == 0 {
		end--
	}
	lines := make([]line, end)
	for pc := range lines {
		w := setup.Code(pc)
		in := shaderunit.Decode(w)
		lines[pc] = line{PC: pc, Word: w, Text: in.Text(setup.Desc(int(in.Desc)))}
	}
	lint(setup, geometry, lines)
	source, err := drawstate.Source(setup, geometry)
	sourceError := ""
	if err != nil {
		sourceError = err.Error()
	}
	floats := [][]number{}
	for _, v := range setup.Float {
		floats = append(floats, vector(v))
	}
	ints := [][]int{}
	for _, v := range setup.Int {
		ints = append(ints, []int{int(v[0]), int(v[1]), int(v[2]), int(v[3])})
	}
	return &Answer{Value: map[string]any{
		"entry": setup.Entry, "lines": lines, "source": source, "source_error": sourceError, "assembled_from": e.linesOf(r, setup, geometry),
		"floats": floats, "ints": ints, "bools": setup.Bool, "runs": !geometry || s.geometryOn(),
	}}, nil
}

// opLanguage answers like the language server. Texts with a scene are the
// playground's; others are those of a changed program, which may use the
// extended language.
func (e *Engine) opLanguage(ctx context.Context, r *Request) (*Answer, error) {
	_, scene := r.Files["scene.yaml"]
	found, err := lsp.Ask(lsp.Question{Texts: r.Files, Name: r.Name, What: r.What, Line: r.Y, Character: r.X, Extended: !scene})
	if err != nil {
		return nil, badf("%v", err)
	}
	return &Answer{Value: map[string]any{"found": found}}, nil
}

// lint adds the linter's findings to the instructions. It sees only
// instructions, because a recording has no tables with a program's
// declarations.
func lint(setup *shaderunit.Setup, geometry bool, lines []line) {
	raw := asm.Raw{Entry: uint32(setup.Entry), Geometry: geometry}
	for i := range lines {
		raw.Code = append(raw.Code, lines[i].Word)
	}
	for i := range shaderunit.Descriptors {
		raw.Descriptors = append(raw.Descriptors, uint32(setup.Desc(i)))
	}
	f, err := raw.File()
	if err != nil {
		return // the source reports why
	}
	for _, found := range asm.Lint(f, nil) {
		if found.Addr >= 0 && found.Addr < len(lines) {
			l := &lines[found.Addr]
			l.Findings = append(l.Findings, found.Msg)
		}
	}
}

// maxSteps bounds the steps of an answer.
const maxSteps = 1 << 16

// step is an executed instruction.
type step struct {
	PC    int        `json:"pc"`
	Src   [][]number `json:"src"`           // sources after swizzle and negation
	Dst   string     `json:"dst,omitempty"` // written register: o3, r12
	Value []number   `json:"value,omitempty"`
	A0    [2]int32   `json:"a0"`
	Cmp   [2]bool    `json:"cmp"`
	AL    int32      `json:"al"`
	Next  int        `json:"next"`
	Taken bool       `json:"taken,omitempty"`
	Calls []int      `json:"calls,omitempty"` // return addresses of procedures, innermost last
	Ifs   []int      `json:"ifs,omitempty"`   // ends of blocks
	Loops [][2]int   `json:"loops,omitempty"` // ends, and iterations left
	Emit  *emission  `json:"emit,omitempty"`
}

// opRun runs the vertex shader on a vertex of the draw and returns the values
// of every instruction.
func (e *Engine) opRun(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	switch r.What {
	case "", "vertex":
	case "geometry":
		return e.geometryRun(ctx, r, s)
	default:
		return nil, badf("there is no shader %q; there are vertex and geometry", r.What)
	}
	v := s.state.Vertices
	if v == nil {
		return nil, badf("the vertices of the draw cannot be read: %v", s.state.Notes)
	}
	if r.Vertex < 0 || r.Vertex >= v.Count {
		return nil, badf("there is no vertex %d; the draw has %d, from 0 on", r.Vertex, v.Count)
	}
	setup := s.state.Given.Vertex
	var it shaderunit.Interpreter
	it.Reset()
	it.Done = ctx.Done()
	inputs := map[string][]number{}
	for reg, in := range v.Inputs {
		if in != nil {
			it.In[reg] = in[r.Vertex]
			inputs[fmt.Sprintf("v%d", reg)] = vector(in[r.Vertex])
		}
	}
	steps, total := []step{}, 0
	count := min(max(r.Count, 0), maxSteps)
	it.Trace = func(t *shaderunit.Step) {
		if total++; total > r.From && len(steps) < count {
			steps = append(steps, stepOf(t))
		}
	}
	failure := ""
	if err := it.Run(&setup); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failure = err.Error()
	}
	outputs := map[string][]number{}
	mask := pica.ShOutmapMask.At(pica.OffsetVsh).Get(&s.state.Given.Regs)
	for reg, o := range it.Out() {
		if mask>>reg&1 != 0 {
			outputs[fmt.Sprintf("o%d", reg)] = vector(o)
		}
	}
	return &Answer{Value: map[string]any{
		"vertex": r.Vertex, "inputs": inputs, "steps": steps, "total": total, "outputs": outputs, "error": failure,
	}}, nil
}

func stepOf(t *shaderunit.Step) step {
	s := step{PC: int(t.PC), Src: [][]number{}, A0: t.A0, Cmp: t.Cmp, AL: t.Flow.AL, Next: int(t.Flow.PC), Taken: t.Taken}
	if info := t.Instr.Info(); info != nil {
		for k := range info.Format.Sources() {
			s.Src = append(s.Src, vector(t.Src[k]))
		}
		if info.WritesDst() {
			s.Dst, s.Value = t.Instr.Dst.String(), vector(t.Dst)
		}
	}
	for _, c := range t.Flow.Calls() {
		s.Calls = append(s.Calls, int(c.Return))
	}
	for _, c := range t.Flow.Ifs() {
		s.Ifs = append(s.Ifs, int(c.End))
	}
	for _, c := range t.Flow.Loops() {
		s.Loops = append(s.Loops, [2]int{int(c.End), int(c.Left)})
	}
	return s
}

// maxRows bounds the vertices of an answer.
const maxRows = 4096

// opVertices returns the input or output vertices of the vertex shader.
func (e *Engine) opVertices(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	v := s.state.Vertices
	if v == nil {
		return nil, badf("the vertices of the draw cannot be read: %v", s.state.Notes)
	}
	from := min(max(r.From, 0), v.Count)
	end := min(v.Count-from, max(min(r.Count, maxRows), 0)) + from
	columns, rows, failure := []string{}, [][]number{}, ""
	switch r.What {
	case "in", "":
		for reg, in := range v.Inputs {
			if in != nil {
				for _, c := range "xyzw" {
					columns = append(columns, fmt.Sprintf("v%d.%c", reg, c))
				}
			}
		}
		for i := from; i < end; i++ {
			row := []number{}
			for _, in := range v.Inputs {
				if in != nil {
					row = append(row, vector(in[i])...)
				}
			}
			rows = append(rows, row)
		}
	case "out":
		names, values, err := s.state.OutputsOf(ctx, from, end-from)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			failure = err.Error()
		}
		columns = append(columns, names...)
		for _, row := range values {
			rows = append(rows, numbers(row))
		}
	default:
		return nil, badf("there are no vertices %q; there are in and out", r.What)
	}
	return &Answer{Value: map[string]any{"columns": columns, "rows": rows, "from": from, "total": v.Count, "order": len(v.Order), "error": failure}}, nil
}

// maxMesh bounds the vertices of a mesh.
const maxMesh = 1 << 16

// opMesh returns the draw's triangles for a wireframe. The bytes are the
// positions of the vertices, four little-endian float32 each, and triples of
// 32-bit indices.
func (e *Engine) opMesh(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	v := s.state.Vertices
	if v == nil || v.Count == 0 {
		return nil, badf("the draw has no vertices that can be read")
	}
	if v.Count > maxMesh {
		return nil, badf("the draw has %d vertices; of at most %d a mesh is shown", v.Count, maxMesh)
	}
	var positions [][4]float32
	var err error
	note := ""
	switch r.What {
	case "in":
		for _, in := range v.Inputs {
			if in != nil {
				positions = in
				break
			}
		}
		if positions == nil {
			return nil, badf("no input register is fed by the draw")
		}
	case "out", "":
		if positions, note, err = s.positions(ctx); err != nil {
			return nil, err
		}
	default:
		return nil, badf("there is no mesh %q; there are in and out", r.What)
	}
	triangles := s.triangles()
	data := make([]byte, 0, 16*len(positions)+4*len(triangles))
	for _, p := range positions {
		for _, c := range p {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(c))
		}
	}
	for _, i := range triangles {
		data = binary.LittleEndian.AppendUint32(data, i)
	}
	return &Answer{Value: map[string]any{"vertices": len(positions), "triangles": len(triangles) / 3, "note": note}, Data: data}, nil
}

// positionPlace returns where the outputs of a shader unit have the position:
// register and component of x, y, z and w. first is the unit's first output
// register, -1 for none.
func positionPlace(regs *pica.Regs, unit pica.Reg) (place [4][2]int, first int, found bool) {
	semantic := [4]pica.Semantic{pica.SemPositionX, pica.SemPositionY, pica.SemPositionZ, pica.SemPositionW}
	n := 0
	first = -1
	for _, o := range drawstate.OutputMap(regs, unit) {
		if first < 0 {
			first = o.Reg
		}
		for c, means := range o.Means {
			if k := slices.Index(semantic[:], means); k >= 0 {
				place[k] = [2]int{o.Reg, c}
				n++
			}
		}
	}
	return place, first, n >= 4
}

// positions runs the vertex shader and returns clip coordinates. If a geometry
// shader makes them, it returns the first output register.
func (s *shot) positions(ctx context.Context) (list [][4]float32, note string, err error) {
	regs := &s.state.Given.Regs
	place, first, found := positionPlace(regs, pica.OffsetVsh)
	if first < 0 {
		return nil, "", badf("the vertex shader writes no output")
	}
	if s.geometryOn() || !found {
		note = fmt.Sprintf("the first output register of the vertex shader, o%d", first)
		for k := range place {
			place[k] = [2]int{first, k}
		}
	}
	setup := s.state.Given.Vertex
	var it shaderunit.Interpreter
	it.Done = ctx.Done()
	v := s.state.Vertices
	for i := range v.Count {
		it.Reset()
		for reg, in := range v.Inputs {
			if in != nil {
				it.In[reg] = in[i]
			}
		}
		if err := it.Run(&setup); err != nil {
			if errors.Is(err, shaderunit.ErrInterrupted) && ctx.Err() != nil {
				err = ctx.Err()
			}
			return nil, "", fmt.Errorf("vertex %d: %w", i, err)
		}
		var p [4]float32
		for k, at := range place {
			p[k] = it.Out()[at[0]][at[1]]
		}
		list = append(list, p)
	}
	return list, note, nil
}

// triangles returns the draw's triangles as indices into Vertices.Inputs. With
// a geometry shader these are consecutive triples of submitted vertices.
func (s *shot) triangles() []uint32 {
	order := s.state.Vertices.Order
	n := uint32(s.state.Vertices.Count)
	var list []uint32
	add := func(a, b, c uint32) {
		if a < n && b < n && c < n && len(list) < 3*maxMesh*2 {
			list = append(list, a, b, c)
		}
	}
	switch pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(&s.state.Given.Regs)) {
	case pica.PrimitiveTriangleStrip:
		for i := 2; i < len(order); i++ {
			a, b := order[i-2], order[i-1]
			if i&1 != 0 {
				a, b = b, a
			}
			add(a, b, order[i])
		}
	case pica.PrimitiveTriangleFan:
		for i := 2; i < len(order); i++ {
			add(order[0], order[i-1], order[i])
		}
	default:
		for i := 2; i < len(order); i += 3 {
			add(order[i-2], order[i-1], order[i])
		}
	}
	return list
}
