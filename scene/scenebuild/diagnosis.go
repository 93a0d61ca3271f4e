package scenebuild

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"pica200/fragment"
	"pica200/pica"
	"pica200/scene"
)

// diagnosis finds out why nothing of a draw is visible, by drawing the scene
// differently.
type diagnosis struct {
	st  *Stage
	ctx context.Context
	t   float64
	o   Options
	s   *seenDraw

	cost int  // vertices drawn up to this draw
	left *int // vertices that may still be drawn
}

// again draws the scene differently and returns what happened to the draw.
func (d *diagnosis) again(x trial) (seenDraw, error) {
	if *d.left -= d.cost; *d.left < 0 {
		return seenDraw{}, errCostly
	}
	x.draw = d.s.info.Index
	seen, _, err := d.st.observe(d.ctx, d.t, d.o, x)
	for i := range seen {
		if seen[i].info.Index == x.draw {
			return seen[i], err
		}
	}
	return seenDraw{}, err
}

// text returns why nothing is visible; counts is the reason found from the counts.
func (d *diagnosis) text(counts string) (string, error) {
	s := d.s
	switch {
	case s.info.Fragments > 0:
		return d.pixels(counts)
	case counts == "":
		why, err := d.tests()
		return nothing + why, err
	case s.info.Geometry.Primitives > 0:
		g, err := d.outputs()
		return counts + joined(g.whyInvisible(s.info.Geometry.Rejected > 0)), err
	}
	return counts, nil
}

// joined appends a reason to a sentence.
func joined(why string) string {
	if why == "" {
		return ""
	}
	return "; " + why
}

// outputs returns what the shader of the draw passed to the rasterizer.
func (d *diagnosis) outputs() (*outputs, error) {
	g := newOutputs(d.st, d.s.info.Index)
	_, err := d.again(trial{outputs: g})
	return g, err
}

// pixels returns why pixels that passed every test are black or have no effect.
func (d *diagnosis) pixels(counts string) (string, error) {
	s := d.s
	mask := pica.ColorMaskR.Get(&s.regs) & pica.ColorMaskG.Get(&s.regs) & pica.ColorMaskB.Get(&s.regs)
	if s.after == nil || mask == 0 || pica.ColorbufferWrite.Get(&s.regs) == 0 {
		return counts, nil
	}
	covered, err := d.again(trial{view: fragment.ViewCoverage})
	if err != nil || covered.after == nil {
		return counts, err
	}
	drawn := brightness{covered.after, s.after} // in the coverage picture, drawn pixels are not black
	g, err := d.outputs()
	if err != nil {
		return counts, err
	}
	if !s.changed && !drawn.dark(s.after) {
		return counts + joined(g.transparent(&s.regs)), nil
	}
	if !s.dark {
		return counts + joined(g.transparent(&s.regs)), nil
	}
	if !s.changed {
		counts = "every pixel of it is black, on black"
	}
	why, err := d.dark(drawn, g)
	return counts + why, err
}

// brightness compares pictures at the pixels of a draw.
type brightness struct{ covered, final *image.NRGBA }

// dark reports whether a picture is black or nearly black at the draw's pixels.
func (b brightness) dark(m *image.NRGBA) bool {
	for i := 0; i < len(m.Pix); i += 4 {
		c, f := b.covered.Pix[i:i+3], b.final.Pix[i:i+3]
		if c[0] != f[0] || c[1] != f[1] || c[2] != f[2] {
			if max(m.Pix[i], m.Pix[i+1], m.Pix[i+2]) > nextToBlack {
				return false
			}
		}
	}
	return true
}

// sourceViews are views of combiner sources.
var sourceViews = []struct {
	source pica.Source
	view   fragment.View
	name   string
}{
	{pica.SourcePrimaryColor, fragment.ViewVertexColor, "the vertex colour"},
	{pica.SourceTexture0, fragment.ViewTexture0, "texture 0"},
	{pica.SourceTexture1, fragment.ViewTexture1, "texture 1"},
	{pica.SourceTexture2, fragment.ViewTexture2, "texture 2"},
	{pica.SourceTexture3, fragment.ViewTexture3, "the procedural texture"},
	{pica.SourceFragmentPrimary, fragment.ViewLightPrimary, "the diffuse light"},
	{pica.SourceFragmentSecondary, fragment.ViewLightSecondary, "the specular light"},
}

// dark returns which combiner source is black, and why.
func (d *diagnosis) dark(drawn brightness, g *outputs) (string, error) {
	last, err := d.again(trial{view: fragment.ViewStage5})
	if err != nil || last.after == nil {
		return "", err
	}
	if !drawn.dark(last.after) {
		return "; what the combiner stages give is not: blending, a logic operation or fog makes it so", nil
	}
	var black, bright, why []string
	reads := sourcesOf(&d.s.regs)
	for _, v := range sourceViews {
		if !reads[v.source] {
			continue
		}
		seen, err := d.again(trial{view: v.view})
		if err != nil {
			return "", err
		}
		if seen.after == nil || !drawn.dark(seen.after) {
			bright = append(bright, v.name)
			continue
		}
		black = append(black, v.name)
		if text := g.source(v.source); text != "" && !slices.Contains(why, text) {
			why = append(why, text)
		}
	}
	text := ""
	switch {
	case len(black) > 0:
		text = ": " + strings.Join(black, " and ") + " " + plural(black) + " black"
		if len(bright) > 0 {
			text += ", " + strings.Join(bright, " and ") + " " + plural(bright) + " not"
		}
	case len(bright) > 0:
		text = ": the combiner stages make it so of " + strings.Join(bright, " and ")
	default:
		text = ": the combiner stages read constants alone"
	}
	if len(why) > 0 {
		text += "; " + strings.Join(why, "; ")
	}
	return text, nil
}

func plural(list []string) string {
	if len(list) > 1 {
		return "are"
	}
	return "is"
}

// sourcesOf returns the sources read by the colours of the combiner stages.
func sourcesOf(r *pica.Regs) map[pica.Source]bool {
	reads := map[pica.Source]bool{}
	for stage := range 6 {
		at := pica.TexenvOffset(stage)
		sources := []pica.Field{pica.TexenvRgbSource0, pica.TexenvRgbSource1, pica.TexenvRgbSource2}
		for _, f := range sources[:pica.Combine(pica.TexenvRgbCombine.At(at).Get(r)).Inputs()] {
			reads[pica.Source(f.At(at).Get(r))] = true
		}
	}
	return reads
}

const depthTest = "the depth test"

// tests are the tests that can drop all pixels of a draw, with register writes
// that disable them.
var tests = []struct {
	name  string
	on    func(r *pica.Regs) bool
	write scene.Register
}{
	{"the alpha test", func(r *pica.Regs) bool { return pica.AlphaTestEnable.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegFragopAlphaTest), Mask: 1}},
	{depthTest, func(r *pica.Regs) bool { return pica.DepthTestEnable.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegDepthColorMask), Value: 0x11, Mask: 1}},
	{"the stencil test", func(r *pica.Regs) bool { return pica.StencilTestEnable.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegStencilTest), Mask: 1}},
	{"the scissor rectangle", func(r *pica.Regs) bool { return pica.ScissortestMode.Get(r) != 0 }, scene.Register{Reg: uint16(pica.RegScissortestMode), Mask: 15}},
}

// tests draws without each of the draw's tests in turn, to find the one that
// dropped its pixels.
func (d *diagnosis) tests() (string, error) {
	all, names := []scene.Register{}, []string{}
	what := fmt.Sprintf("%d triangles are in sight, but ", d.s.info.Geometry.Triangles)
	for _, test := range tests {
		if !test.on(&d.s.regs) {
			continue
		}
		all, names = append(all, test.write), append(names, test.name)
		seen, err := d.again(trial{write: []scene.Register{test.write}})
		if err != nil {
			return "", err
		}
		if n := seen.info.Fragments; n > 0 {
			what += fmt.Sprintf("%s drops all of their pixels; without it there are %d", test.name, n)
			if test.name == "the alpha test" {
				g, err := d.outputs()
				return what + joined(g.transparent(&d.s.regs)), err
			}
			if i := d.s.info.Index; test.name == depthTest && i < len(d.st.made) {
				if t := d.st.made[i].target; t.Clear.Depth == nil && t.Clear.Stencil == nil && t.Depth != "none" {
					what += "; the clear of its target names no depth, so the buffer holds what was there, 0 at first (clear: {depth: 1})"
				}
			}
			return what, nil
		}
	}
	if len(all) > 1 {
		seen, err := d.again(trial{write: all})
		if err != nil {
			return "", err
		}
		if n := seen.info.Fragments; n > 0 {
			return what + fmt.Sprintf("%s together drop all of their pixels; without them there are %d", strings.Join(names, " and "), n), nil
		}
	}
	return what + "they cover the centre of no pixel", nil
}
