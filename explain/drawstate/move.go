package drawstate

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"pica200/assets/texture"
	"pica200/explain"
	"pica200/explain/rows"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
)

// Moved is a fill, a transfer or a copy of a recording with its effect.
type Moved struct {
	pipeline.Move
	Rows          []rows.Row // what it does, and the meaning of its memory
	Before, After *Area      // contents of its output; nil if that is no known picture
}

// Area is memory as a picture. One of the two fields is set.
type Area struct {
	Image *image.NRGBA
	Depth *raster.Target // a copy; its depth buffer is meant
}

// surface is memory with a known meaning in a frame.
type surface struct {
	what        string
	screen      string // if it is a screen's framebuffer
	addr, bytes uint32
	read        func(g *pipeline.GPU) (*Area, error)
}

// overlap returns how many bytes of a range are in the surface.
func (p *surface) overlap(addr, n uint32) int64 {
	return min(int64(p.addr)+int64(p.bytes), int64(addr)+int64(n)) - max(int64(p.addr), int64(addr))
}

// NoMoveError reports a move that its frame does not have.
type NoMoveError struct{ Frame, Move, Moves int }

func (e *NoMoveError) Error() string {
	return fmt.Sprintf("there is no fill, transfer or copy %d; frame %d has %d, from 0 on", e.Move, e.Frame, e.Moves)
}

// errTaken ends a visit when everything is known.
var errTaken = errors.New("taken")

// TakeMove examines a fill, a transfer or a copy: number move of its frame,
// from 0. Before and After are set if it writes a render target, a texture of
// the frame or a screen's framebuffer; for a transfer always. after, if not
// nil, is called with the GPU when it is done.
func TakeMove(ctx context.Context, r *pipeline.Replayer, frame, move int, after func(g *pipeline.GPU)) (*Moved, error) {
	surfaces, n, err := surfacesOf(ctx, r, frame)
	if n <= move || move < 0 {
		if err != nil {
			return nil, err
		}
		return nil, &NoMoveError{frame, move, n}
	}
	surfaces = append(surfaces, screenSurfaces(r.GPU)...) // at the end of the frame, for programs that choose framebuffers after drawing
	m := &Moved{}
	err = r.Visit(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		at := -1
		var read func(g *pipeline.GPU) (*Area, error)
		onMove(g, func(one pipeline.Move) {
			if at++; at == move {
				read = m.describe(one, append(screenSurfaces(g), surfaces...))
				m.Before = area(g, read)
			}
		})
		g.AfterMove = func() error {
			if at != move {
				return nil
			}
			if m.After = area(g, read); after != nil {
				after(g)
			}
			return errTaken
		}
		return nil
	})
	if m.Move == nil || err != nil && !errors.Is(err, errTaken) {
		return nil, err
	}
	return m, nil
}

// onMove calls f before each fill, transfer and copy, and then the hook that was
// there.
func onMove(g *pipeline.GPU, f func(pipeline.Move)) {
	g.BeforeFill = moved(f, g.BeforeFill)
	g.BeforeTransfer = moved(f, g.BeforeTransfer)
	g.BeforeCopy = moved(f, g.BeforeCopy)
}

// surfacesOf returns the render targets and textures of a frame, and the number
// of its moves.
func surfacesOf(ctx context.Context, r *pipeline.Replayer, frame int) (surfaces []surface, moves int, err error) {
	known := map[any]bool{}
	err = r.Visit(ctx, pipeline.Position{Frame: frame, Draw: pipeline.FrameEnd}, func(g *pipeline.GPU) error {
		pass := -1
		var last pipeline.DrawTarget
		g.BeforeDraw = func(d *pipeline.DrawInfo) error {
			if t := pipeline.TargetOf(d.Regs); pass < 0 || t != last {
				pass, last = pass+1, t
				if !known[t] {
					known[t] = true
					surfaces = append(surfaces, targetSurfaces(g, t, pass)...)
				}
			}
			for _, t := range pipeline.TexturesOf(d.Regs) {
				if !known[t] {
					known[t] = true
					format := pica.TextureFormat(pica.TexunitFormat(t.Unit).Get(d.Regs))
					surfaces = append(surfaces, textureSurface(t, format, d.Index))
				}
			}
			return ctx.Err()
		}
		onMove(g, func(pipeline.Move) { moves++ })
		return nil
	})
	return surfaces, moves, err
}

// describe adds the rows of a move. It returns what reads its output; nil if
// that is no known picture.
func (m *Moved) describe(one pipeline.Move, surfaces []surface) (read func(g *pipeline.GPU) (*Area, error)) {
	m.Move = one
	m.Rows = explain.MoveRow(one).Rows
	name := func(label string, addr, bytes uint32) *surface {
		p := largest(surfaces, addr, bytes)
		if p != nil {
			m.Rows = append(m.Rows, rows.New(label, "{place}", "place", p.what))
		}
		return p
	}
	switch one := one.(type) {
	case pipeline.Transfer:
		name("reads", one.Src, 1)
		name("writes", one.Dst, 1)
		return func(g *pipeline.GPU) (*Area, error) {
			img, err := g.TransferImage(one)
			return &Area{Image: img}, err
		}
	case pipeline.TextureCopy:
		name("reads", one.Src, 1)
	}
	addr, bytes := one.Writes()
	if p := name("writes", addr, bytes); p != nil {
		return p.read
	}
	m.Rows = append(m.Rows, rows.New("writes", "memory that is not a target, texture or screen of this frame"))
	return nil
}

// area reads a surface; nil if it cannot be read.
func area(g *pipeline.GPU, read func(*pipeline.GPU) (*Area, error)) *Area {
	if read == nil {
		return nil
	}
	a, err := read(g)
	if err != nil {
		return nil
	}
	return a
}

// largest returns the surface with the most bytes in a range; nil if there is
// none.
func largest(surfaces []surface, addr, n uint32) (found *surface) {
	for i := range surfaces {
		p := &surfaces[i]
		if o := p.overlap(addr, n); o > 0 && (found == nil || o > found.overlap(addr, n)) {
			found = p
		}
	}
	return found
}

// targetSurfaces are the buffers of the target of the draw that is about to run.
func targetSurfaces(g *pipeline.GPU, t pipeline.DrawTarget, pass int) (list []surface) {
	target, err := g.DrawTarget()
	if err != nil {
		return nil
	}
	copied := *target // its buffers are the GPU's memory
	if n := uint32(len(copied.Color)); n > 0 {
		list = append(list, surface{fmt.Sprintf("the colour buffer of pass %d, %dx%d %s", pass, t.Width, t.Height, t.ColorFormat), "", t.Color, n, func(g *pipeline.GPU) (*Area, error) {
			if _, err := g.Read(t.Color, n); err != nil {
				return nil, err
			}
			img, err := pipeline.ColorImage(&copied)
			return &Area{Image: img}, err
		}})
	}
	if n := uint32(len(copied.Depth)); n > 0 {
		list = append(list, surface{fmt.Sprintf("the depth buffer of pass %d, %dx%d %s", pass, t.Width, t.Height, t.DepthFormat), "", t.Depth, n, func(g *pipeline.GPU) (*Area, error) {
			if _, err := g.Read(t.Depth, n); err != nil {
				return nil, err
			}
			c := copied
			c.Color, c.Depth = nil, slices.Clone(copied.Depth)
			return &Area{Depth: &c}, nil
		}})
	}
	return list
}

func textureSurface(t pipeline.DrawTexture, format pica.TextureFormat, draw int) surface {
	return surface{fmt.Sprintf("texture %d of draw %d, %dx%d %s", t.Unit, draw, t.Width, t.Height, t.Format), "", t.Addr, uint32(texture.Size(format, t.Width, t.Height)),
		func(g *pipeline.GPU) (*Area, error) {
			im, _, err := picture(g, t.Addr, format, t.Width, t.Height)
			if err != nil {
				return nil, err
			}
			return &Area{Image: im.(*image.NRGBA)}, nil
		}}
}

// screenSurfaces returns the framebuffers of the screens, both the shown and the
// hidden ones.
func screenSurfaces(g *pipeline.GPU) (list []surface) {
	for _, s := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
		shown, other := g.Framebuffers(s)
		for _, addr := range []uint32{shown, other} {
			_, pixel, ok := g.ScreenAddress(s, 0, 0)
			if !ok || len(list) > 0 && list[len(list)-1].addr == addr {
				continue
			}
			size := g.Screen(s).Rect.Size()
			list = append(list, surface{fmt.Sprintf("the picture of the %v screen", s), s.String(), addr, uint32(size.X * size.Y * pixel), func(g *pipeline.GPU) (*Area, error) {
				img := g.ScreenAt(s, addr)
				return &Area{Image: &image.NRGBA{Pix: img.Pix, Stride: img.Stride, Rect: img.Rect}}, nil
			}})
		}
	}
	return list
}
