// Package drawstate examines one draw of a recording: its whole input, what of
// it changed since the draw before, and its result. Take returns a State. List
// lists what a frame does, and TakeMove examines a fill, transfer or copy.
//
// The package is internal to pica200 and may change at any time.
package drawstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/shaderunit"
)

// State is a draw with its complete input and its result.
type State struct {
	Record   pipeline.DrawRecord
	Input    Input
	Before   *Input             // the input of the draw before; nil for the first of the recording
	Vertices *geometry.Vertices // nil if they cannot be read
	// Sources are the names of the sources of the vertex and geometry programs, for
	// the summary; "" if unknown. Take does not set them.
	Sources [2]string
	// Old is a copy of the render target before the draw, nil if there was none.
	Old *raster.Target
	// Changed is what the draw changed in the target, nil if it was left out.
	Changed *Changed
	// Target is the render target after the draw, nil if the draw was left out. It
	// is valid until the replayer moves.
	Target   *raster.Target
	Textures []Texture
	Notes    []string // what could not be read, and why
}

// Input is the state with which a draw runs.
type Input struct {
	Frame, Draw int
	Regs        pica.Regs
	Vertex      shaderunit.Setup
	Geometry    shaderunit.Setup
	Fixed       [16][4]float32
	Tables      fragment.Tables
}

// Texture is a picture that a unit of the draw has bound: a level of a texture,
// or of a face of a cube map.
type Texture struct {
	Unit, Face, Level int
	Image             image.Image
}

// Name identifies the picture among those of the draw.
func (t *Texture) Name() string {
	s := fmt.Sprintf("texture%d", t.Unit)
	if t.Face > 0 {
		s += fmt.Sprintf("-face%d", t.Face)
	}
	if t.Level > 0 {
		s += fmt.Sprintf("-level%d", t.Level)
	}
	return s
}

// maxVertices bounds the number of vertices.
const maxVertices = 1 << 20

// Take goes to a draw and examines it.
func Take(ctx context.Context, r *pipeline.Replayer, frame, draw int) (*State, error) {
	if draw < 0 {
		return nil, fmt.Errorf("there is no draw %d; draws count from 0", draw)
	}
	s := &State{}
	var list []pipeline.DrawRecord
	inputOf := func(g *pipeline.GPU, frame, draw int) *Input {
		return &Input{frame, draw, g.Registers(), g.VertexShader(), g.GeometryShader(), g.FixedAttributes(), g.Tables()}
	}
	if draw == 0 && frame > 0 {
		var err error
		if s.Before, err = lastOf(ctx, r, frame, inputOf); err != nil {
			return nil, err
		}
	}
	err := r.VisitFrom(ctx, pipeline.Position{Frame: frame, Draw: draw}, draw-1, func(g *pipeline.GPU) error {
		pipeline.ListDraws(g, frame, &list)
		// Only this draw must be waited for; the others need not be executed one by
		// one.
		before, after := g.BeforeDraw, g.AfterDraw
		g.AfterDraw = nil
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			switch d.Index {
			case draw - 1:
				s.Before = inputOf(g, frame, d.Index)
			case draw:
				g.AfterDraw = after
				if t, err := g.DrawTarget(); err == nil {
					c := *t
					c.Color, c.Depth = bytes.Clone(t.Color), bytes.Clone(t.Depth)
					s.Old = &c
				}
				s.Input = *inputOf(g, frame, d.Index)
				s.takeVertices(g, d)
				s.takeTextures(g)
			}
			return before(d)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.Record = list[len(list)-1]
	if s.Record.LeftOut {
		s.note("the draw is left out, as a warning says")
		return s, nil
	}
	if s.Target, err = r.GPU.LastTarget(); err == nil {
		s.Changed = changedIn(s.Old, s.Target)
	}
	return s, err
}

// lastOf returns the state of the last draw of the frame before; nil if that
// frame draws nothing.
func lastOf(ctx context.Context, r *pipeline.Replayer, frame int, inputOf func(g *pipeline.GPU, frame, draw int) *Input) (last *Input, err error) {
	err = r.Visit(ctx, pipeline.Position{Frame: frame - 1, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			last = inputOf(g, frame-1, d.Index)
			return nil
		}
		return nil
	})
	return last, err
}

func (s *State) note(format string, args ...any) {
	s.Notes = append(s.Notes, fmt.Sprintf(format, args...))
}

func (s *State) takeVertices(g *pipeline.GPU, d *pipeline.DrawInfo) {
	if d.Vertices > maxVertices {
		s.note("vertices: the draw has %d; of at most %d they are shown", d.Vertices, maxVertices)
		return
	}
	v, err := g.DrawVertices(d)
	if err != nil {
		s.note("vertices: %v", err)
		return
	}
	s.Vertices = v
}

// Outputs runs the vertex shader on the draw's vertices. For each it returns
// the mapped components, in the order of columns. If a geometry shader follows,
// they are its inputs. An error of the program ends the list.
func (s *State) Outputs(ctx context.Context) (columns []string, rows [][]float32, err error) {
	return s.OutputsOf(ctx, 0, maxVertices)
}

// OutputsOf is Outputs for up to count vertices from one on.
func (s *State) OutputsOf(ctx context.Context, from, count int) (columns []string, rows [][]float32, err error) {
	if s.Vertices == nil {
		return nil, nil, errors.New("the vertices could not be read")
	}
	regs := &s.Input.Regs
	type component struct{ reg, comp int }
	var components []component
	geo := pica.GeoStage(pica.GeostageMode.Get(regs)) == pica.GeoStageOn
	for _, o := range outputMap(regs, pica.OffsetVsh) {
		for c, means := range o.Means {
			name := fmt.Sprintf("o%d.%c", o.Reg, "xyzw"[c])
			if !geo && o.Mapped {
				if means == pica.SemUnused {
					continue
				}
				name += " " + means.String()
			}
			columns, components = append(columns, name), append(components, component{o.Reg, c})
		}
	}
	from = min(max(from, 0), s.Vertices.Count)
	end := min(s.Vertices.Count-from, max(count, 0)) + from
	rows = make([][]float32, 0, end-from)
	err = s.shade(ctx, from, end, func(out *[16][4]float32) {
		row := make([]float32, len(components))
		for k, p := range components {
			row[k] = out[p.reg][p.comp]
		}
		rows = append(rows, row)
	})
	return columns, rows, err
}

// shade runs the vertex shader on vertices and passes the output registers of each to add.
func (s *State) shade(ctx context.Context, from, end int, add func(out *[16][4]float32)) error {
	setup := s.Input.Vertex
	var it shaderunit.Interpreter
	it.Done = ctx.Done()
	for i := from; i < end; i++ {
		it.Reset()
		for reg, in := range s.Vertices.Inputs {
			if in != nil {
				it.In[reg] = in[i]
			}
		}
		if err := it.Run(&setup); err != nil {
			if ctx.Err() != nil {
				err = ctx.Err()
			}
			return fmt.Errorf("vertex %d: %w", i, err)
		}
		add(it.Out())
	}
	return nil
}
