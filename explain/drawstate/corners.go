package drawstate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pica200/explain/rows"
	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// Corner is a corner of the triangle of a fragment.
type Corner struct {
	Vertex int        `json:"vertex"` // or run of the geometry shader; -1 if clipping made it
	X      rows.Float `json:"x"`      // window coordinates, y up
	Y      rows.Float `json:"y"`
	Weight rows.Float `json:"weight"` // perspective-correct weight
	Text   string     `json:"text"`   // what it is
}

// Corners finds the vertices of the triangle of a fragment of the draw, or the
// runs of the geometry shader that emitted them, by their window coordinates.
func (s *State) Corners(ctx context.Context, r *pipeline.Replayer, f *fragment.Record) ([]Corner, error) {
	var list []windowVertex
	var err error
	word := "vertex"
	if s.GeometryOn() {
		word = "run"
		list, err = s.emitted(ctx, r)
	} else {
		list, err = s.shaded(ctx)
	}
	if err != nil {
		return nil, err
	}
	corners := []Corner{}
	for k, v := range f.Vertices {
		c := Corner{nearest(list, v), rows.Float(v.X), rows.Float(v.Y), rows.Float(f.Weights[k]), "where clipping cut"}
		if c.Vertex >= 0 {
			c.Text = fmt.Sprintf("%s %d", word, c.Vertex)
		}
		corners = append(corners, c)
	}
	return corners, nil
}

// positionOutputs returns where the outputs of a shader unit have the position:
// register and component of x, y, z and w. first is the unit's first output
// register, -1 for none.
func positionOutputs(regs *pica.Regs, unit pica.Reg) (outputs [4][2]int, first int, found bool) {
	semantic := [4]pica.Semantic{pica.SemPositionX, pica.SemPositionY, pica.SemPositionZ, pica.SemPositionW}
	n := 0
	first = -1
	for _, o := range outputMap(regs, unit) {
		if first < 0 {
			first = o.Reg
		}
		for c, means := range o.Means {
			if k := slices.Index(semantic[:], means); k >= 0 {
				outputs[k] = [2]int{o.Reg, c}
				n++
			}
		}
	}
	return outputs, first, n >= 4
}

// Positions runs the vertex shader and returns clip coordinates. If a geometry
// shader makes them, it returns the first output register.
func (s *State) Positions(ctx context.Context) (list [][4]float32, note string, err error) {
	v, err := s.vertices()
	if err != nil {
		return nil, "", err
	}
	outputs, first, found := positionOutputs(&s.Input.Regs, pica.OffsetVsh)
	if first < 0 {
		return nil, "", noRun("the vertex shader writes no output")
	}
	if s.GeometryOn() || !found {
		note = fmt.Sprintf("the first output register of the vertex shader, o%d", first)
		for k := range outputs {
			outputs[k] = [2]int{first, k}
		}
	}
	err = s.shade(ctx, 0, v.Count, func(out *[16][4]float32) {
		var p [4]float32
		for k, at := range outputs {
			p[k] = out[at[0]][at[1]]
		}
		list = append(list, p)
	})
	if err != nil {
		return nil, "", err
	}
	return list, note, nil
}

// windowVertex is a vertex in window coordinates.
type windowVertex struct {
	number  int     // of the vertex or run
	x, y, w float64 // in the window; 1/w
}

// window computes window coordinates from a clip position.
func window(regs *pica.Regs, n int, p [4]float32) windowVertex {
	inv := 1 / float64(p[3])
	at := func(c float32, half pica.Field, corner pica.Field) float64 {
		return float64((float64(float64(c)*inv)+1)*float64(half.Float(regs))) + float64(corner.Signed(regs))
	}
	return windowVertex{n, at(p[0], pica.ViewportWidth, pica.ViewportX), at(p[1], pica.ViewportHeight, pica.ViewportY), inv}
}

// shaded returns the vertices of a draw after the vertex shader.
func (s *State) shaded(ctx context.Context) ([]windowVertex, error) {
	positions, _, err := s.Positions(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]windowVertex, len(positions))
	for i, p := range positions {
		list[i] = window(&s.Input.Regs, i, p)
	}
	return list, nil
}

// maxEmitted bounds the emitted vertices among which corners are searched.
const maxEmitted = 1 << 18

// emitted returns the vertices that the geometry shader of a draw emits.
func (s *State) emitted(ctx context.Context, r *pipeline.Replayer) (list []windowVertex, err error) {
	regs := &s.Input.Regs
	outputs, _, found := positionOutputs(regs, pica.OffsetGsh)
	if !found {
		return nil, noRun("the geometry shader returns no position")
	}
	now := 0
	err = s.watchGeometry(ctx, r, &geometry.RunHooks{
		Begin: func(run int, _ *shaderunit.Interpreter, _ *shaderunit.Setup) { now = run },
		Emit: func(em shaderunit.Emission) {
			if len(list) < maxEmitted {
				var p [4]float32
				for k, at := range outputs {
					p[k] = em.Out[at[0]][at[1]]
				}
				list = append(list, window(regs, now, p))
			}
		},
	})
	return list, err
}

// nearest returns the vertex at a corner: within a subpixel of its window
// position, with its 1/w; -1 for none.
func nearest(list []windowVertex, v fragment.VertexRecord) int {
	best, least := -1, math.Inf(1)
	for i := range list {
		k := &list[i]
		if math.Abs(k.w-float64(v.InvW)) > 1e-3*math.Abs(k.w) {
			continue
		}
		dx, dy := k.x-float64(v.X), k.y-float64(v.Y)
		d := float64(dx*dx) + float64(dy*dy)
		if math.Abs(dx) <= 0.07 && math.Abs(dy) <= 0.07 && d < least {
			best, least = k.number, d
		}
	}
	return best
}
