package sceneexport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"pica200/assets/model"
	"pica200/assets/picatrace"
	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit"
)

// draw is the captured input of a draw of the trace.
type draw struct {
	index    int
	kind     geometry.Kind
	regs     pica.Regs
	tables   *fragment.Tables
	vs, gs   shader // gs.code is nil without a geometry shader
	mesh     int
	longest  int       // vertices of a primitive, in the geometry stage's variable mode
	textures [3]string // names of the scene's textures, or ""
	pass     int
	out      bool     // not in the scene
	notes    []string // what the scene cannot express of it
}

func (d *draw) note(format string, args ...any) {
	d.notes = append(d.notes, fmt.Sprintf(format, args...))
}

// recording is a captured frame.
type recording struct {
	gpu       *pipeline.GPU
	draws     []*draw
	passes    []*pass
	fills     []memoryRange // since the frame began, in order, with the number of draws before each
	transfers []pipeline.Transfer
	tables    *fragment.Tables // of the last draw
	version   uint64
	codes     map[string]*code
	meshes    meshes
	textures  textures
	full      bool     // there are as many draws as a scene can have
	notes     []string // about the whole frame
	otherwise []string // what has another form in the scene
	lists     int      // strips and fans, which become lists of triangles
	immediate int      // draws of immediate mode, which become indexed draws
}

// memoryRange is memory that was written to by something that is no draw.
type memoryRange struct {
	start, end uint32
	draws      int
}

// Bounds of what is captured.
const (
	maxDraws    = 4096    // a scene has no more
	maxVertices = 1 << 20 // of a draw
	maxTexels   = 1 << 26 // of all different pictures
)

// record replays a trace up to and including a frame and captures that frame. A
// negative frame is the last.
func record(ctx context.Context, t *picatrace.Trace, frame int) (r *recording, _ int, err error) {
	p, err := pipeline.NewPlayer(t, pipeline.Options{})
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			p.GPU.Close()
		}
	}()
	if frame < 0 {
		frame = max(0, p.Frames()-1)
	}
	if err := picatrace.CheckFrame(frame, p.Frames()); err != nil {
		return nil, 0, err
	}
	r = &recording{gpu: p.GPU, codes: map[string]*code{}}
	r.meshes.known, r.textures.known = map[string]int{}, map[string]string{}
	for i := range frame + 1 {
		if i == frame {
			p.GPU.BeforeDraw = r.draw
			p.GPU.BeforeFill = func(f pipeline.Fill) { r.fills = append(r.fills, memoryRange{f.Start, f.End, len(r.draws)}) }
			p.GPU.BeforeTransfer = r.transfer
		}
		if _, err := p.NextFrame(ctx); err != nil {
			if errors.Is(err, io.EOF) {
				return nil, 0, fmt.Errorf("the trace ends before frame %d", frame)
			}
			return nil, 0, err
		}
	}
	if len(r.draws) == 0 {
		return nil, 0, fmt.Errorf("frame %d draws nothing; a scene has at least one draw", frame)
	}
	return r, frame, nil
}

// transfer captures a display transfer and its input: programs may clear the
// buffer after it.
func (r *recording) transfer(t pipeline.Transfer) {
	known := false
	for _, p := range r.passes {
		if p.color.bytes == 0 || p.color.addr != t.Src {
			continue
		}
		known = true
		data, _ := r.gpu.Read(p.color.addr, p.color.bytes) // nil if it is not in memory
		p.shown = bytes.Clone(data)
	}
	if known { // not the picture of a frame before
		r.transfers = append(r.transfers, t)
	}
}

// draw captures the draw that is about to run, or notes why it does not.
func (r *recording) draw(info *pipeline.DrawInfo) error {
	switch {
	case len(r.draws) == maxDraws && !r.full:
		r.full = true
		r.notes = append(r.notes, fmt.Sprintf("draw %d and those after it are left out: a scene can have %d", info.Index, maxDraws))
	case r.full:
	default:
		if err := r.take(info); err != nil {
			r.notes = append(r.notes, fmt.Sprintf("draw %d is left out: %v", info.Index, err))
		}
	}
	return nil
}

func (r *recording) take(info *pipeline.DrawInfo) error {
	g := r.gpu
	d := &draw{index: info.Index, kind: info.Kind, regs: *info.Regs}
	if r.tables == nil || r.version != g.TablesVersion() {
		copied := g.Tables()
		r.tables, r.version = &copied, copied.Version
	}
	d.tables = r.tables
	if info.Vertices > maxVertices {
		return fmt.Errorf("it has %d vertices; at most %d of a draw are exported", info.Vertices, maxVertices)
	}
	v, err := g.DrawVertices(info)
	if err != nil { // the draw will be left out of the frame too
		return err
	}
	if v.Count == 0 || len(v.Order) == 0 {
		return errors.New("it has no vertices")
	}
	if r.meshes.vertices+max(v.Count, len(v.Order)) > model.MaxVertices {
		return fmt.Errorf("the draws up to this one have more than the %d vertices that one model holds", model.MaxVertices)
	}
	if !pica.FramebufferNoFlip.Bool(&d.regs) {
		r.notes = append(r.notes, fmt.Sprintf("draw %d turns its target upside down (%v bit 24), which no key of a scene expresses", d.index, pica.RegFramebufferDim))
	}
	d.matchInverse()
	if d.kind == geometry.Immediate {
		r.immediate++
	}
	if m := pica.PrimitiveMode(pica.PrimitiveConfigMode.Get(&d.regs)); m == pica.PrimitiveTriangleStrip || m == pica.PrimitiveTriangleFan {
		r.lists++
	}
	d.vs = r.shader(g.VertexShader())
	geo := pica.GeoStage(pica.GeostageMode.Get(&d.regs)) == pica.GeoStageOn
	if geo {
		d.gs = r.shader(g.GeometryShader())
	}
	if geo && pica.GeometryMode(pica.GshMode.Get(&d.regs)) == pica.GeometryModeVariable {
		for i := 0; i < len(v.Order); i += 1 + int(v.Order[i]) {
			d.longest = max(d.longest, int(v.Order[i]))
		}
	}
	d.mesh = r.meshes.add(d, v, geo)
	if len(r.meshes.list[d.mesh].part.Indices) == 0 {
		return errors.New("it has no whole triangle")
	}
	r.join(d)
	for i := range 3 {
		if d.textures[i], err = r.texture(d, i); err != nil {
			d.note("texture unit %d: its texture is left out: %v", i, err)
			unitEnables[i].SetBool(&d.regs, false) // which reads the same as a texture that is not there
		}
	}
	r.draws = append(r.draws, d)
	return nil
}

// matchInverse corrects the inverse of a viewport that has another number
// there, or none: it gets the matching inverse, or 0, which stands for none. No
// picture here depends on the inverse, but a scene with another value cannot be
// drawn.
func (d *draw) matchInverse() {
	for _, side := range []struct{ half, inverse pica.Field }{{pica.ViewportWidth, pica.ViewportInvw}, {pica.ViewportHeight, pica.ViewportInvh}} {
		half, inverse := float64(side.half.Float(&d.regs)), side.inverse.Float(&d.regs)
		fits := func() bool {
			return d.regs[side.inverse.Reg] == 0 || math.Abs(float64(half*float64(side.inverse.Float(&d.regs)))-1) < 1.0/256
		}
		if fits() {
			continue
		}
		if side.inverse.SetFloat(&d.regs, float32(1/half)); !fits() {
			d.regs[side.inverse.Reg] = 0
		}
		d.note("%v is %g and %v is %g, not its inverse; what the console draws then is not known, and the scene has %g", side.half.Reg, half,
			side.inverse.Reg, inverse, side.inverse.Float(&d.regs))
	}
}

// code is a program as it lies in a shader unit, up to what can be reached.
type code struct {
	words []uint32
	descs []uint32
	entry uint32
	reads reads
}

// shader is a program with its uniforms.
type shader struct {
	*code
	floats [96][4]float32
	ints   [4][4]uint8
	bools  uint16
}

func (r *recording) shader(s shaderunit.Setup) shader {
	c := trim(&s)
	key := fmt.Sprint(c.entry, c.words, c.descs)
	if known, ok := r.codes[key]; ok {
		c = known
	} else {
		r.codes[key] = c
	}
	return shader{c, s.Float, s.Int, s.Bool}
}
