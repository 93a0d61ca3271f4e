package scenebuild

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"

	"pica200/geometry"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
)

// Bounds of Diagnose: how many draws are looked at pixel by pixel, and how many that left
// nothing are drawn again to see why.
const (
	maxLooked = 64
	maxTried  = 6
)

// Diagnose draws the scene at time t once more, and says in Remarks why draws leave nothing
// to see: what became of their triangles and pixels, with counts.
func (st *Stage) Diagnose(ctx context.Context, t float64, o Options) error {
	seen, names, err := st.observe(ctx, t, o, nil)
	if err != nil {
		return err
	}
	tried := 0
	for i := range seen {
		s := &seen[i]
		if s.info.Index >= len(names) {
			continue
		}
		reason := s.reason()
		if reason == "" && s.info.Fragments == 0 && tried < maxTried {
			tried++
			if reason, err = st.tryTests(ctx, t, o, s); err != nil {
				return err
			}
		}
		if reason != "" {
			st.note(fmt.Sprintf("draw %d, %s: nothing to see: %s", s.info.Index, names[s.info.Index], reason))
		} else if s.black {
			st.note(fmt.Sprintf("draw %d, %s: every pixel of it is black", s.info.Index, names[s.info.Index]))
		}
	}
	return nil
}

// seenDraw is what became of a draw.
type seenDraw struct {
	info    pipeline.DrawInfo
	regs    pica.Regs
	looked  bool // changed and black are known
	changed bool // it left something in the colour buffer
	black   bool // all that it left is black
}

// observe draws the scene and looks at every draw. change, if not nil, gives register
// writes for the draw of that number.
func (st *Stage) observe(ctx context.Context, t float64, o Options, change func(draw int) []scene.Register) (seen []seenDraw, names []string, err error) {
	g := st.newGPU(o)
	defer g.Close()
	before := map[uint32]*image.NRGBA{} // what colour buffers held after the draw before, by address
	g.AfterDraw = func(info *pipeline.DrawInfo) error {
		s := seenDraw{info: *info, regs: *info.Regs}
		s.info.Regs, s.info.Target = nil, nil
		if change == nil && len(seen) < maxLooked && info.Fragments > 0 && pica.ColorOperationMode.Get(&s.regs) == 0 {
			if target, err := g.LastTarget(); err == nil {
				if after, err := pipeline.ColorImage(target); err == nil {
					at := pipeline.TargetOf(&s.regs).Color
					s.compare(before[at], after)
					before[at] = after
				}
			}
		}
		seen = append(seen, s)
		return ctx.Err()
	}
	st.change = change
	names, err = st.Draw(ctx, g, t)
	st.change = nil
	if err == nil {
		err = g.Finish(ctx)
	}
	return seen, names, err
}

// compare tells what a draw changed. Of a draw that is the first one to its target,
// nothing is known of before.
func (s *seenDraw) compare(before, after *image.NRGBA) {
	if before == nil || before.Rect != after.Rect {
		// A buffer that was cleared holds one colour where nothing was drawn: most of
		// it, if the draw did not go over half of it.
		if before = plainImage(after); s.info.Fragments > uint64(len(after.Pix)/8) {
			return
		}
	}
	s.looked = true
	s.black = true
	for i := 0; i < len(after.Pix); i += 4 {
		a, b := after.Pix[i:i+4], before.Pix[i:i+4]
		if bytes.Equal(a, b) {
			continue
		}
		s.changed = true
		s.black = s.black && a[0] == 0 && a[1] == 0 && a[2] == 0
	}
	s.black = s.black && s.changed
}

// plainImage is a picture of the colour that most pixels of another have.
func plainImage(m *image.NRGBA) *image.NRGBA {
	count := map[[4]byte]int{}
	var most [4]byte
	for i := 0; i < len(m.Pix); i += 4 {
		c := [4]byte(m.Pix[i:])
		if count[c]++; count[c] > count[most] {
			most = c
		}
	}
	out := image.NewNRGBA(m.Rect)
	for i := 0; i < len(out.Pix); i += 4 {
		copy(out.Pix[i:], most[:])
	}
	return out
}

// reason says why nothing can be seen of a draw as far as counts tell, "" otherwise.
func (s *seenDraw) reason() string {
	g := &s.info.Geometry
	switch {
	case s.info.Fragments > 0:
		if !s.looked || s.changed {
			return ""
		}
		what := fmt.Sprintf("%d pixels passed every test, and none changed: ", s.info.Fragments)
		mask := pica.ColorMaskR.Get(&s.regs) | pica.ColorMaskG.Get(&s.regs) | pica.ColorMaskB.Get(&s.regs) | pica.ColorMaskA.Get(&s.regs)
		if mask == 0 && (pica.DepthWriteEnable.Get(&s.regs) != 0 || pica.StencilTestEnable.Get(&s.regs) != 0) {
			return "" // it is for the depth or stencil buffer
		}
		if mask == 0 {
			return what + "no channel of colour is written (write)"
		}
		if pica.ColorbufferWrite.Get(&s.regs) == 0 {
			return what + "the target has no colour to write to"
		}
		return what + "blending left what was there, or they have its colour"
	case g.Indices == 0:
		return "it has no vertices"
	case g.Invocations > 0 && g.Emitted == 0:
		return fmt.Sprintf("the geometry shader ran %d times and emitted nothing", g.Invocations)
	case g.Primitives == 0 && pica.GeostageMode.Get(&s.regs) != 0 && g.Invocations == 0:
		return fmt.Sprintf("its %d vertices are too few for a run of the geometry shader", g.Indices)
	case g.Primitives == 0:
		return fmt.Sprintf("its %d vertices make no triangle (%d were begun)", g.Indices, g.Incomplete)
	case g.Triangles == 0:
		return triangles(g)
	}
	return ""
}

// triangles says what became of triangles of which none is left.
func triangles(g *geometry.Stats) string {
	var parts []string
	if g.Rejected > 0 {
		parts = append(parts, fmt.Sprintf("%d are clipped: outside of what the camera sees, or with a position that is no number", g.Rejected))
	}
	if g.Culled > 0 {
		parts = append(parts, fmt.Sprintf("%d are culled: they face away or have no area (cull: none shows those that face away)", g.Culled))
	}
	if len(parts) == 0 {
		parts = append(parts, "none covers the centre of a pixel")
	}
	return fmt.Sprintf("of %d triangles %s", g.Primitives, strings.Join(parts, ", "))
}

// tests are what can drop all pixels of a draw, with register writes without which they
// do not.
var tests = []struct {
	name  string
	on    func(r *pica.Regs) bool
	write scene.Register
}{
	{"the alpha test", func(r *pica.Regs) bool { return pica.AlphaTestEnable.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegFragopAlphaTest), Mask: 1}},
	{"the depth test", func(r *pica.Regs) bool { return pica.DepthTestEnable.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegDepthColorMask), Value: 0x11, Mask: 1}},
	{"the stencil test", func(r *pica.Regs) bool { return pica.StencilTestEnable.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegStencilTest), Mask: 1}},
	{"the scissor rectangle", func(r *pica.Regs) bool { return pica.ScissortestMode.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegScissortestMode), Mask: 15}},
}

// tryTests draws the scene without each of the tests of one draw in turn, to find which
// dropped its pixels.
func (st *Stage) tryTests(ctx context.Context, t float64, o Options, s *seenDraw) (string, error) {
	all, names := []scene.Register{}, []string{}
	count := func(writes ...scene.Register) (uint64, error) {
		again, _, err := st.observe(ctx, t, o, func(draw int) []scene.Register {
			if draw == s.info.Index {
				return writes
			}
			return nil
		})
		for i := range again {
			if again[i].info.Index == s.info.Index {
				return again[i].info.Fragments, err
			}
		}
		return 0, err
	}
	what := fmt.Sprintf("%d triangles are in sight, but ", s.info.Geometry.Triangles)
	for _, test := range tests {
		if !test.on(&s.regs) {
			continue
		}
		all, names = append(all, test.write), append(names, test.name)
		n, err := count(test.write)
		if err != nil {
			return "", err
		}
		if n > 0 {
			return what + fmt.Sprintf("%s drops all of their pixels; without it there are %d", test.name, n), nil
		}
	}
	if len(all) > 1 {
		n, err := count(all...)
		if err != nil {
			return "", err
		}
		if n > 0 {
			return what + fmt.Sprintf("%s together drop all of their pixels; without them there are %d", strings.Join(names, " and "), n), nil
		}
	}
	return what + "they cover the centre of no pixel", nil
}
