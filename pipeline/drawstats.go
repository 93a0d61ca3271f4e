package pipeline

import (
	"context"
	"errors"
	"io"

	"pica200/assets/picatrace"
	"pica200/geometry"
)

// DrawStats counts the work of one draw of a trace.
type DrawStats struct {
	Frame     int    `json:"frame"`
	Draw      int    `json:"draw"`      // in its frame
	Kind      string `json:"kind"`      // arrays, elements, immediate
	Primitive string `json:"primitive"` // mode of GPUREG_PRIMITIVE_CONFIG
	// GeometryMode says how the geometry shader gets its vertices: point, variable
	// or fixed. It is empty without a geometry shader.
	GeometryMode string         `json:"geometry_mode,omitempty"`
	Geometry     geometry.Stats `json:"geometry"`
	Fragments    uint64         `json:"fragments"` // that passed every test
}

// CountDraws replays a trace and calls f after every draw. It returns the GPU's
// warnings, also with an error.
func CountDraws(ctx context.Context, t *picatrace.Trace, o Options, f func(*DrawStats) error) ([]Warning, error) {
	p, err := NewPlayer(t, o)
	if err != nil {
		return nil, err
	}
	defer p.GPU.Close()
	frame := 0
	p.GPU.AfterDraw = func(d *DrawInfo) error {
		s := statsOf(frame, d)
		return f(&s)
	}
	for ; ; frame++ {
		if _, err := p.NextFrame(ctx); errors.Is(err, io.EOF) {
			return p.GPU.Warnings(), nil
		} else if err != nil {
			return p.GPU.Warnings(), err
		}
	}
}
