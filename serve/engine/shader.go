package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"pica200/explain/drawstate"
	"pica200/explain/rows"
	"pica200/pica"
	"pica200/shaderunit"
	"pica200/shaderunit/lsp"
)

// unit returns the shader unit with a name.
func (s *shot) unit(what string) (setup *shaderunit.Setup, geometry bool, err error) {
	switch what {
	case "vertex", "":
		return &s.state.Input.Vertex, false, nil
	case "geometry":
		return &s.state.Input.Geometry, true, nil
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
	findings := drawstate.Findings(setup, geometry)
	lines := make([]line, drawstate.CodeLength(setup))
	for pc := range lines {
		w := setup.Code(pc)
		in := shaderunit.Decode(w)
		lines[pc] = line{pc, w, in.Text(setup.Desc(int(in.Desc))), findings[pc]}
	}
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
		"floats": floats, "ints": ints, "bools": setup.Bool, "runs": !geometry || s.state.GeometryOn(),
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

// step is an executed instruction with its texts.
type step struct {
	drawstate.Step
	Where   string      `json:"where"`
	Result  string      `json:"result,omitempty"`
	Cells   *[4]string  `json:"cells,omitempty"` // texts of the value
	Rows    []rows.View `json:"rows"`
	Emitted string      `json:"emitted,omitempty"`
	Row     []rows.View `json:"row,omitempty"` // the emitted vertex
}

// runAnswer is the answer to "run".
type runAnswer struct {
	*drawstate.Run
	Steps     []step               `json:"steps"`
	Begin     string               `json:"begin"`     // where it is before the first step
	Registers []string             `json:"registers"` // those that it uses, in the order in which they are shown
	Inputs    map[string][4]string `json:"given"`     // texts of the inputs
}

// opRun runs the vertex shader on a vertex of the draw, or the geometry shader,
// and returns the values of every instruction.
func (e *Engine) opRun(ctx context.Context, r *Request, s *shot) (*Answer, error) {
	_, geometry, err := s.unit(r.What)
	if err != nil {
		return nil, err
	}
	var run *drawstate.Run
	if geometry {
		f, end, err := e.edited(ctx, r)
		if err != nil {
			return nil, err
		}
		defer end()
		run, err = s.state.RunGeometry(ctx, f.Replayer, r.Vertex, r.From, r.Count)
		if err != nil {
			return nil, err
		}
	} else if run, err = s.state.RunVertex(ctx, r.Vertex, r.From, r.Count); err != nil {
		return nil, err
	}
	return &Answer{Value: runAnswerOf(run)}, nil
}

// runAnswerOf adds the texts to a run.
func runAnswerOf(run *drawstate.Run) *runAnswer {
	a := &runAnswer{Run: run, Steps: []step{}, Begin: run.Where(-1), Registers: run.Registers(), Inputs: map[string][4]string{}}
	for name, v := range run.Inputs {
		a.Inputs[name] = v.Cells()
	}
	for i := range run.Steps {
		of := &run.Steps[i]
		s := step{Step: *of, Where: run.Where(run.From + i), Result: of.Result(), Rows: rows.Views(of.Rows())}
		if of.Dst != "" {
			cells := of.Value.Cells()
			s.Cells = &cells
		}
		if of.Emit != nil {
			s.Emitted, s.Row = of.Emit.Emitted(), rows.Views([]rows.Row{of.Emit.Row()})
		}
		a.Steps = append(a.Steps, s)
	}
	return a
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
		if positions, note, err = s.state.Positions(ctx); err != nil {
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
	switch pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(&s.state.Input.Regs)) {
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
