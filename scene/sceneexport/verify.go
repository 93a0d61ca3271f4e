package sceneexport

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pica200/fragment"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// replica is the state of a draw of the scene.
type replica struct {
	regs   *pica.Regs
	tables *fragment.Tables
	floats [2][96][4]float32
}

// render draws the current scene and returns the GPU, which the caller closes, and
// the state of each draw.
func (e *export) render(ctx context.Context) (_ *pipeline.GPU, list []replica, err error) {
	e.begun = 0
	if err := e.save(); err != nil {
		return nil, nil, err
	}
	st, err := scenebuild.Load(e.path())
	if err != nil {
		return nil, nil, fmt.Errorf("the scene that was made cannot be read: %w", err)
	}
	g := pipeline.New(pipeline.Options{Strict: true})
	defer func() {
		if err != nil {
			g.Close()
		}
	}()
	var tables *fragment.Tables
	version := uint64(0)
	g.BeforeDraw = func(info *pipeline.DrawInfo) error {
		if tables == nil || version != g.TablesVersion() {
			copied := g.Tables()
			tables, version = &copied, copied.Version
		}
		regs := *info.Regs
		list = append(list, replica{&regs, tables, [2][96][4]float32{g.VertexShader().Float, g.GeometryShader().Float}})
		return ctx.Err()
	}
	if _, err := st.Draw(ctx, g, 0); err != nil {
		e.begun = len(list)
		return nil, nil, fmt.Errorf("the scene that was made cannot be drawn: %w", err)
	}
	return g, list, g.Finish(ctx)
}

// verify draws the scene, adds missing state to its draws, and compares the
// pictures.
func (e *export) verify(ctx context.Context) error {
	for {
		g, err := e.complete(ctx)
		if err == nil {
			e.compare(g)
			g.Close()
			return nil
		}
		if ctx.Err() != nil || !e.repair(err) {
			return err
		}
	}
}

// complete adds missing state to the scene's draws, and returns the GPU that
// has drawn it.
func (e *export) complete(ctx context.Context) (*pipeline.GPU, error) {
	for _, w := range e.sceneDraws() {
		w.Registers = nil
	}
	e.report.Raw = nil
	g, got, err := e.render(ctx)
	if err != nil {
		return nil, err
	}
	g.Close()
	if len(got) != len(e.drawn) {
		return nil, fmt.Errorf("the scene makes %d draws of %d", len(got), len(e.drawn))
	}
	draws := e.sceneDraws()
	counts := map[uint16]int{}
	for i, d := range e.drawn {
		draws[i].Registers = missing(d, &got[i])
		seen := map[uint16]bool{}
		for _, r := range draws[i].Registers {
			if !seen[r.Reg] {
				counts[r.Reg]++
			}
			seen[r.Reg] = true
		}
	}
	for reg := range uint16(pica.NumRegs) {
		if counts[reg] > 0 {
			e.report.Raw = append(e.report.Raw, RawRegister{pica.Reg(reg), counts[reg]})
		}
	}
	g, got, err = e.render(ctx)
	if err != nil {
		return nil, err
	}
	for i, d := range e.drawn {
		for _, r := range missing(d, &got[i]) {
			d.note("%v does not get the value 0x%08X", pica.Reg(r.Reg), r.Value)
			break
		}
	}
	return g, nil
}

// missing returns the register writes that make a draw of the scene equal to
// the trace's.
func missing(d *draw, got *replica) (list []scene.Register) {
	want, have := relevant(&d.regs), relevant(got.regs)
	for reg := range pica.Reg(pica.NumRegs) {
		diff := want[reg] ^ have[reg]
		if diff == 0 {
			continue
		}
		var mask uint8
		for b := range 4 {
			if diff>>(8*b)&0xFF != 0 {
				mask |= 1 << b
			}
		}
		list = append(list, scene.Register{Reg: uint16(reg), Mask: mask, Value: d.regs[reg]})
	}
	list = append(list, rawTables(d, want, got.tables)...)
	return append(list, rawFloats(d, got)...)
}

// rawFloats are writes of float uniforms that numbers in the scene do not give:
// infinities and NaN.
func rawFloats(d *draw, got *replica) (list []scene.Register) {
	for k, s := range []*shader{&d.vs, &d.gs} {
		if s.code == nil {
			continue
		}
		indexReg, dataReg := pica.RegVshFloatuniformIndex, pica.RegVshFloatuniformData0
		if k == 1 {
			indexReg, dataReg = pica.RegGshFloatuniformIndex, pica.RegGshFloatuniformData0
		}
		for i, read := range s.reads.floats {
			if !read || same4(s.floats[i], got.floats[k][i]) {
				continue
			}
			index := pica.ShFloatuniformFormat.Put(uint32(i), uint32(pica.UniformFloat24))
			list = append(list, scene.Register{Reg: uint16(indexReg), Mask: 15, Value: index})
			for _, w := range pica.PackFloat24(s.floats[i]) {
				list = append(list, scene.Register{Reg: uint16(dataReg), Mask: 15, Value: w})
			}
		}
	}
	return list
}

// same4 compares bit by bit, except that all NaN are equal.
func same4(a, b [4]float32) bool {
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}

// compare compares the screens, or else the last pass's colour buffer.
func (e *export) compare(g *pipeline.GPU) {
	for _, p := range e.passes {
		if p.screen == "" {
			continue
		}
		s := map[string]pipeline.Screen{"top": pipeline.ScreenTop, "bottom": pipeline.ScreenBottom, "topright": pipeline.ScreenTopRight}[p.screen]
		a, b := e.gpu.ScreenAt(s, p.at), g.Screen(s)
		e.report.Pictures = append(e.report.Pictures, difference(p.screen, a.Pix, b.Pix, a.Rect, b.Rect))
	}
	if len(e.report.Pictures) > 0 {
		return
	}
	p := e.passes[len(e.passes)-1]
	a, err := e.colors(p)
	var t *raster.Target
	if err == nil {
		t, err = g.LastTarget()
	}
	var b *image.NRGBA
	if err == nil {
		b, err = pipeline.ColorImage(t)
	}
	one := Picture{Name: p.name}
	if err != nil {
		one.Problem = err.Error()
	} else {
		one = difference(p.name, a.Pix, b.Pix, a.Rect, b.Rect)
	}
	e.report.Pictures = append(e.report.Pictures, one)
}

// colors is the colour buffer of a pass of the trace.
func (e *export) colors(p *pass) (*image.NRGBA, error) {
	if p.color.bytes == 0 {
		return nil, errors.New("it has no colour buffer")
	}
	data := p.shown
	if data == nil {
		var err error
		if data, err = e.gpu.Read(p.color.addr, p.color.bytes); err != nil {
			return nil, err
		}
	}
	return pipeline.ColorImage(&raster.Target{Width: int32(p.color.width), Height: int32(p.color.height), ColorFormat: pica.ColorFormat(p.color.format), Color: data})
}

// difference compares two pictures of four bytes a pixel.
func difference(name string, a, b []byte, ra, rb image.Rectangle) Picture {
	p := Picture{Name: name, Of: len(a) / 4}
	if ra != rb {
		p.Problem = fmt.Sprintf("it is %dx%d, the trace's is %dx%d", rb.Dx(), rb.Dy(), ra.Dx(), ra.Dy())
		return p
	}
	for i := 0; i < len(a); i += 4 {
		worst := 0
		for k := range 4 {
			worst = max(worst, int(a[i+k])-int(b[i+k]), int(b[i+k])-int(a[i+k]))
		}
		if worst > 0 {
			p.Pixels++
		}
		p.Delta = max(p.Delta, worst)
	}
	return p
}
