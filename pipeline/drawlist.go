package pipeline

import (
	"context"
	"fmt"

	"pica200/assets/picatrace"
	"pica200/pica"
)

// DrawRecord describes a draw of a recording. Sizes are in pixels and texels;
// addresses are physical.
type DrawRecord struct {
	DrawStats
	// Name is the draw's name in a scene; draws of recordings have none.
	Name string `json:"name,omitempty"`
	// Pass is the number of the pass in the frame, from 0. A pass is a run of
	// consecutive draws to one target.
	Pass   int        `json:"pass"`
	Target DrawTarget `json:"target"`
	// Mode is the fragment operation mode: default, gas or shadow.
	Mode     string        `json:"mode"`
	Vertices int           `json:"vertices"` // vertices or indices that the draw asks for
	Textures []DrawTexture `json:"textures"` // textures of the enabled units
	// VertexEntry and GeometryEntry are the words at which the programs start;
	// GeometryEntry is -1 without a geometry shader.
	VertexEntry   int `json:"vertex_entry"`
	GeometryEntry int `json:"geometry_entry"`
	// LeftOut is true for a draw that the console would skip; a warning says why.
	LeftOut bool `json:"left_out,omitempty"`
}

// DrawTarget is the render target of a draw.
type DrawTarget struct {
	Width       int    `json:"width"`
	Height      int    `json:"height"`
	Color       uint32 `json:"color"` // addresses
	Depth       uint32 `json:"depth"`
	ColorFormat string `json:"color_format"`
	DepthFormat string `json:"depth_format"`
}

func (t DrawTarget) String() string {
	return fmt.Sprintf("%dx%d %s at 0x%08X, %s at 0x%08X", t.Width, t.Height, t.ColorFormat, t.Color, t.DepthFormat, t.Depth)
}

// DrawTexture is a texture that a draw has bound.
type DrawTexture struct {
	Unit   int    `json:"unit"`
	Addr   uint32 `json:"address"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Format string `json:"format"`
	Type   string `json:"type"` // texture type of unit 0; "2d" for the other units
}

func (t DrawTexture) String() string {
	s := fmt.Sprintf("%d:%dx%d %s", t.Unit, t.Width, t.Height, t.Format)
	if t.Type != pica.Texture2D.String() {
		s += " " + t.Type
	}
	return s
}

// TargetOf describes the render target that the registers set.
func TargetOf(r *pica.Regs) DrawTarget {
	return DrawTarget{
		Width: int(pica.FramebufferWidth.Get(r)), Height: int(pica.FramebufferHeight.Get(r)) + 1,
		Color: pica.ColorbufferLoc.Addr(r), Depth: pica.DepthbufferLoc.Addr(r),
		ColorFormat: pica.ColorFormat(pica.ColorbufferFormat.Get(r)).String(),
		DepthFormat: pica.DepthFormat(pica.DepthbufferFormat.Get(r)).String(),
	}
}

// TexturesOf describes the textures of the enabled units.
func TexturesOf(r *pica.Regs) []DrawTexture {
	list := []DrawTexture{}
	for i, on := range [3]pica.Field{pica.TexunitEnable0, pica.TexunitEnable1, pica.TexunitEnable2} {
		if !on.Bool(r) {
			continue
		}
		at := pica.TexunitOffset(i)
		t := DrawTexture{
			Unit: i, Addr: pica.TexunitAddr.At(at).Addr(r),
			Width: int(pica.TexunitWidth.At(at).Get(r)), Height: int(pica.TexunitHeight.At(at).Get(r)),
			Format: pica.TextureFormat(pica.TexunitFormat(i).Get(r)).String(), Type: pica.Texture2D.String(),
		}
		if i == 0 {
			t.Type = pica.TextureType(pica.TexunitType.Get(r)).String()
		}
		list = append(list, t)
	}
	return list
}

// recordOf describes a draw that is about to run.
func recordOf(frame int, d *DrawInfo) DrawRecord {
	r := d.Regs
	rec := DrawRecord{
		DrawStats: statsOf(frame, d), Target: TargetOf(r), Mode: pica.FragmentMode(pica.ColorOperationMode.Get(r)).String(),
		Vertices: d.Vertices, Textures: TexturesOf(r),
		VertexEntry: int(pica.VshEntrypoint.Get(r)), GeometryEntry: -1,
		LeftOut: true, // until the draw has run
	}
	if rec.GeometryMode != "" {
		rec.GeometryEntry = int(pica.GshEntrypoint.Get(r))
	}
	return rec
}

// statsOf returns the counts of a draw. They are 0 before the draw runs.
func statsOf(frame int, d *DrawInfo) DrawStats {
	s := DrawStats{
		Frame: frame, Draw: d.Index, Kind: d.Kind.String(), Geometry: d.Geometry, Fragments: d.Fragments,
		Primitive: pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(d.Regs)).String(),
	}
	if pica.GeoStage(pica.GeostageMode.Get(d.Regs)) == pica.GeoStageOn {
		s.GeometryMode = pica.GeometryMode(pica.GshMode.Get(d.Regs)).String()
	}
	return s
}

// Draws lists the draws of a frame and leaves the GPU at the end of it. If the
// frame ends in an error, Draws returns the error and the draws before it.
func (r *Replayer) Draws(ctx context.Context, frame int) ([]DrawRecord, error) {
	list := []DrawRecord{}
	if err := picatrace.CheckFrame(frame, r.Frames()); err != nil {
		return list, err
	}
	err := r.Visit(ctx, Position{frame, FrameEnd}, func(g *GPU) error {
		ListDraws(g, frame, &list)
		return nil
	})
	return list, err
}

// ListDraws sets hooks of a GPU that append each draw of the frame to list.
// Call it in the function given to Replayer.Visit.
func ListDraws(g *GPU, frame int, list *[]DrawRecord) {
	g.BeforeDraw = func(d *DrawInfo) error {
		rec := recordOf(frame, d)
		rec.Pass = g.progress.pass // where the list begins inside of a frame
		if n := len(*list); n > 0 {
			last := &(*list)[n-1]
			rec.Pass = last.Pass
			if last.Target != rec.Target {
				rec.Pass++
			}
		}
		*list = append(*list, rec)
		return nil
	}
	g.AfterDraw = func(d *DrawInfo) error {
		rec := &(*list)[len(*list)-1]
		rec.Geometry, rec.Fragments, rec.LeftOut = d.Geometry, d.Fragments, false
		return nil
	}
}
