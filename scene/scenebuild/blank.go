package scenebuild

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
)

// Bounds of Diagnose: how many draws are checked pixel by pixel, how many of
// those that left nothing or only black are drawn again to find out why, and
// the number of vertices of all this.
const (
	maxInspected = 64
	maxTried     = 6
	maxAgain     = 1 << 23
)

// Diagnose draws the scene at time t once more and adds to Remarks why draws
// leave nothing visible, or only black: what happened to their triangles and
// pixels, the results of their shader, and the line in it.
func (st *Stage) Diagnose(ctx context.Context, t float64, o Options) error {
	seen, names, err := st.observe(ctx, t, o, trial{draw: -1})
	if err != nil {
		return err
	}
	return st.DiagnoseSeen(ctx, t, o, &Seen{seen, names})
}

// Seen is what the draws of a drawing did.
type Seen struct {
	draws []seenDraw
	Names []string // of the draws, which the drawing returns
}

// Watch notes what the draws of g do from now on. It sets hooks.
func (st *Stage) Watch(ctx context.Context, g *pipeline.GPU) *Seen {
	s := new(Seen)
	st.watch(ctx, g, trial{draw: -1}, &s.draws)
	return s
}

// DiagnoseSeen is Diagnose after a drawing at time t with Watch.
func (st *Stage) DiagnoseSeen(ctx context.Context, t float64, o Options, all *Seen) error {
	seen, names := all.draws, all.Names
	// Parts of a model hide each other, face away or are small.
	hidden := st.bare && slices.ContainsFunc(seen, func(s seenDraw) bool { return s.visible() })
	tried, left := 0, maxAgain
	vertices := 0 // of the draws so far
	for i := range seen {
		s := &seen[i]
		vertices += s.info.Geometry.Indices
		if s.info.Index >= len(names) || s.visible() || hidden && !s.changed {
			continue
		}
		text := s.counts()
		if tried < maxTried {
			tried++
			d := diagnosis{st: st, ctx: ctx, t: t, o: o, s: s, cost: vertices, left: &left}
			why, err := d.text(text)
			if err == nil {
				text = why
			} else if !errors.Is(err, errCostly) {
				return err
			}
		}
		if text != "" {
			st.note(fmt.Sprintf("draw %d, %s: %s", s.info.Index, names[s.info.Index], text))
		}
	}
	return nil
}

// seenDraw is the result of a draw.
type seenDraw struct {
	info     pipeline.DrawInfo
	regs     pica.Regs
	examined bool         // changed, dark and after are known
	changed  bool         // it changed the colour buffer
	dark     bool         // every changed pixel is black or nearly black
	clear    bool         // every changed pixel has alpha 0
	after    *image.NRGBA // the colour buffer after the draw, if nothing of it is visible
}

// errCostly means that drawing the scene again takes too long; errSeen ends a
// drawing after the draw in question.
var errCostly, errSeen = errors.New("too many vertices to draw again"), errors.New("the draw was seen")

// trial describes how to draw a scene differently to find out about one of its
// draws; draw is -1 for none.
type trial struct {
	draw    int
	write   []scene.Register // raw writes before it
	view    fragment.View    // view of the draw
	outputs *outputs         // receives the draw's shader results
}

// observe draws the scene and examines every draw, or that of a trial.
func (st *Stage) observe(ctx context.Context, t float64, o Options, x trial) (seen []seenDraw, names []string, err error) {
	g := st.NewGPU(o)
	defer g.Close()
	st.watch(ctx, g, x, &seen)
	st.change = func(draw int) []scene.Register {
		if draw == x.draw {
			return x.write
		}
		return nil
	}
	names, err = st.Draw(ctx, g, t)
	st.change = nil
	switch {
	case err == nil:
		err = g.Finish(ctx)
	case errors.Is(err, errSeen):
		err = nil
	}
	return seen, names, err
}

// watch sets the hooks that examine draws.
func (st *Stage) watch(ctx context.Context, g *pipeline.GPU, x trial, seen *[]seenDraw) {
	var before *image.NRGBA // the colour buffer before an examined draw
	g.BeforeDraw = func(info *pipeline.DrawInfo) error {
		before = nil
		if (x.draw < 0 && info.Index < maxInspected || info.Index == x.draw) && pica.ColorOperationMode.Get(info.Regs) == 0 {
			if target, err := g.DrawTarget(); err == nil {
				before, _ = pipeline.ColorImage(target)
			}
		}
		if info.Index == x.draw {
			g.View = x.view
			if x.outputs != nil {
				x.outputs.watch(ctx, g, info)
			}
		}
		return nil
	}
	g.AfterDraw = func(info *pipeline.DrawInfo) error {
		s := seenDraw{info: *info, regs: *info.Regs}
		s.info.Regs, s.info.Target = nil, nil
		if before != nil && info.Fragments > 0 {
			if target, err := g.LastTarget(); err == nil {
				if after, err := pipeline.ColorImage(target); err == nil {
					s.compare(before, after, info.Index == x.draw)
				}
			}
		}
		if info.Index == x.draw {
			g.View = fragment.ViewFinal
			g.WatchGeometry(nil)
		}
		*seen = append(*seen, s)
		if info.Index == x.draw {
			return errSeen
		}
		return ctx.Err()
	}
}

// nextToBlack is the greatest channel value that looks black: 1 divided by 255
// in a shader, with some light on it.
const nextToBlack = 3

// compare finds what a draw changed. It keeps the picture if nothing of the
// draw is visible in it, or if keep is set.
func (s *seenDraw) compare(before, after *image.NRGBA, keep bool) {
	s.examined, s.dark, s.clear = true, true, true
	for i := 0; i < len(after.Pix); i += 4 {
		a, b := after.Pix[i:i+4], before.Pix[i:i+4]
		if bytes.Equal(a, b) {
			continue
		}
		s.changed = true
		s.dark = s.dark && max(a[0], a[1], a[2]) <= nextToBlack
		s.clear = s.clear && a[3] == 0
	}
	if keep || s.dark || s.clear {
		s.after = after
	}
}

// visible reports whether something of a draw is visible, or is not meant to
// be.
func (s *seenDraw) visible() bool {
	if s.info.Fragments == 0 {
		return false
	}
	return !s.examined || s.changed && !s.dark && !s.clear
}

// counts returns why nothing of a draw is visible, if the counts show it,
// otherwise "".
func (s *seenDraw) counts() string {
	g := &s.info.Geometry
	text := ""
	switch {
	case s.info.Fragments > 0:
		return s.pixels()
	case g.Indices == 0:
		text = "it has no vertices"
	case g.Invocations > 0 && g.Emitted == 0:
		text = fmt.Sprintf("the geometry shader ran %d times and emitted nothing", g.Invocations)
	case g.Primitives == 0 && pica.GeostageMode.Get(&s.regs) != 0 && g.Invocations == 0:
		text = fmt.Sprintf("its %d vertices are too few for a run of the geometry shader", g.Indices)
	case g.Primitives == 0:
		text = fmt.Sprintf("its %d vertices make no triangle (%d were begun)", g.Indices, g.Incomplete)
	case g.Triangles == 0:
		text = triangles(g)
	default:
		return ""
	}
	return nothing + text
}

const nothing = "nothing to see: "

// pixels describes the pixels of a draw that passed every test; "" if their
// look is intended.
func (s *seenDraw) pixels() string {
	mask := pica.ColorMaskR.Get(&s.regs) | pica.ColorMaskG.Get(&s.regs) | pica.ColorMaskB.Get(&s.regs) | pica.ColorMaskA.Get(&s.regs)
	unchanged := fmt.Sprintf("%s%d pixels passed every test, and none changed: ", nothing, s.info.Fragments)
	switch {
	case s.changed && s.dark && s.clear:
		return "every pixel of it is black, with an alpha of 0"
	case s.changed && s.dark:
		return "every pixel of it is black"
	case s.changed:
		return "every pixel of it has an alpha of 0, so that pictures that are laid over others show nothing of it"
	case mask == 0 && (pica.DepthWriteEnable.Get(&s.regs) != 0 || pica.StencilTestEnable.Get(&s.regs) != 0):
		return "" // it draws to the depth or stencil buffer
	case mask == 0:
		return unchanged + "no channel of colour is written (write)"
	case pica.ColorbufferWrite.Get(&s.regs) == 0:
		return unchanged + "the target has no colour to write to"
	}
	return unchanged + "blending left what was there, or they have its colour"
}

// triangles says how all triangles were lost.
func triangles(g *geometry.Stats) string {
	var parts []string
	if g.Rejected > 0 {
		parts = append(parts, fmt.Sprintf("%d are clipped: outside of what the camera sees, or with a position that is not a number", g.Rejected))
	}
	if g.Culled > 0 {
		parts = append(parts, fmt.Sprintf("%d are culled: they face away or have no area (cull: none shows those that face away)", g.Culled))
	}
	if len(parts) == 0 {
		parts = append(parts, "none covers the centre of a pixel")
	}
	return fmt.Sprintf("of %d triangles %s", g.Primitives, strings.Join(parts, ", "))
}
