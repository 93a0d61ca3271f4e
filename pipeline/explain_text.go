package pipeline

import (
	"fmt"
	"strings"

	"pica200/fragment"
)

// Text describes the event for a reader: a line that names it, and below, with
// two or more spaces before them, lines of a name and a value, which begins in
// column 17. Vertices are in window coordinates, y up.
func (e *Event) Text() string {
	w := &textWriter{}
	f := e.Fragment
	if f == nil {
		fmt.Fprintf(w, "%s\n", e.Other)
		w.line(2, "pixel", "%s -> %s", pixelText(*e.Before), pixelText(*e.After))
		return w.String()
	}
	name := ""
	if e.Name != "" {
		name = fmt.Sprintf(" %q", e.Name)
	}
	fmt.Fprintf(w, "draw %d%s: %v\n", e.Draw, name, f.Outcome)
	for k := range f.Vertices {
		v := &f.Vertices[k]
		w.line(2, fmt.Sprintf("vertex %d", k), "share %.4f at %.2f,%.2f z/w %.6g w %.6g", f.Weights[k], v.X, v.Y, v.Z, 1/v.InvW)
	}
	w.line(2, "depth", "%.7f", f.Depth)
	w.line(2, "vertex colour", "%s", colorText(f.VertexColor))
	for u, c := range f.TexCoord {
		if c != [3]fragment.Float{} {
			w.line(2, fmt.Sprintf("texcoord %d", u), "%.6g", c)
		}
	}
	for u := range f.Units {
		w.unit(u, &f.Units[u])
	}
	if f.Lit {
		w.line(2, "lighting", "primary %s, secondary %s", colorText(f.Lighting[0]), colorText(f.Lighting[1]))
	}
	if f.Light != nil {
		w.lighting(f.Light)
	}
	for i := range f.Combiners {
		w.combiner(&f.Combiners[i])
	}
	w.special(f)
	w.line(2, "fragment", "%s", colorText(f.Color))
	for _, t := range f.Tests {
		w.test(&t)
	}
	w.writes(f)
	w.line(2, "pixel", "%s -> %s", pixelText(f.Before), pixelText(f.After))
	return w.String()
}

// Text describes the pixel for a reader: where it is, every event, and the pixels
// of earlier passes.
func (e *Explained) Text() string {
	w := new(strings.Builder)
	if e.Target != (DrawTarget{}) {
		fmt.Fprintf(w, "pixel %d,%d of the target %v\n", e.X, e.Y, e.Target)
	}
	if e.Via != "" {
		fmt.Fprintf(w, "through a %s\n", e.Via)
	}
	fmt.Fprintf(w, "pixel %d,%d in frame %d: touched %d times\n", e.X, e.Y, e.Frame, len(e.Events))
	for i := range e.Events {
		fmt.Fprintf(w, "\n%s", e.Events[i].Text())
	}
	for _, p := range e.Passes {
		fmt.Fprintf(w, "\n%s, up to draw %d:\n%s", p.Read, p.Draw, p.Text())
	}
	return w.String()
}

// textWriter collects lines.
type textWriter struct{ strings.Builder }

func (w *textWriter) line(indent int, name, format string, args ...any) {
	fmt.Fprintf(w, "%*s%-*s %s\n", indent, "", 16-indent, name, fmt.Sprintf(format, args...))
}

// unit describes what a texture unit did.
func (w *textWriter) unit(number int, u *fragment.UnitRecord) {
	if !u.Read {
		return
	}
	what := ""
	if u.Address != 0 {
		what = fmt.Sprintf("  %s, %dx%d %s at 0x%08X", u.Kind, u.Width, u.Height, u.Format, u.Address)
	}
	w.line(2, fmt.Sprintf("texture %d", number), "%s%s", colorText(u.Color), what)
	if u.ProcTex != nil {
		w.procTex(u.ProcTex)
	}
	if len(u.Samples) == 0 {
		return
	}
	face := ""
	if u.Face != "" {
		face = fmt.Sprintf(" of face %s", u.Face)
	}
	w.line(4, "read at", "%.6g%s, wrapped %s and %s", u.Coord, face, u.Wrap[0], u.Wrap[1])
	if l := u.Lod; l != nil {
		size := "magnified"
		if l.Small {
			size = "made smaller"
		}
		w.line(4, "steps", "%.4g texels across, %.4g down, bias %.4g, levels %d to %d: %s", l.Across, l.Down, l.Bias, l.Least, l.Most, size)
	}
	if s := u.Shadow; s != nil {
		w.line(4, "compared", "0x%06X: |%.6g| in 24 bits less %d", s.Reference, s.W, s.Bias)
	}
	for _, s := range u.Samples {
		share := ""
		if len(u.Samples) > 1 {
			share = fmt.Sprintf(", %d/256 of it", s.Share)
		}
		between := ""
		if len(s.Texels) > 1 {
			between = fmt.Sprintf(", at %d/256 and %d/256 between texels", s.Fraction[0], s.Fraction[1])
		}
		w.line(4, fmt.Sprintf("level %d", s.Level), "%s%s: %s%s", colorText(s.Color), share, s.Filter, between)
		for _, t := range s.Texels {
			where := fmt.Sprintf("%d,%d", t.X, t.Y)
			what := colorText(t.Color)
			if u.Shadow != nil {
				what = fmt.Sprintf("depth 0x%06X, light %d: %s", t.Depth, t.Intensity, map[bool]string{true: "lit", false: "in shadow"}[t.Passed])
			}
			if t.Border {
				what += ", border"
			} else {
				what += fmt.Sprintf(", at 0x%08X", t.Address)
			}
			w.line(6, where, "%.6f x %s", t.Weight, what)
		}
	}
}

func (w *textWriter) procTex(p *fragment.ProcTexRecord) {
	w.line(4, "read at", "%.6g, of texcoord %d", p.UV, p.Coord)
	if p.Noisy != p.UV {
		w.line(4, "noise", "%.6g", p.Noisy)
	}
	if p.Shift != [2]fragment.Float{} {
		w.line(4, "shift", "%.6g", p.Shift)
	}
	w.line(4, "clamped", "%.6g: %s, %s", p.Clamped, p.Clamp[0], p.Clamp[1])
	w.line(4, "mapped", "%.6g: %s", p.Mapped, p.Map)
	if p.AlphaValue != nil {
		w.line(4, "alpha", "%.6g: %s", *p.AlphaValue, p.AlphaMap)
	}
	level := fmt.Sprintf("level %d", p.Level)
	if p.Lod != nil {
		level += fmt.Sprintf(" (%.6g)", *p.Lod)
	}
	w.line(4, "colours", "%s: %d from %d on, %s", level, p.Width, p.Offset, p.Filter)
	for _, e := range p.Entries {
		share, more := "", ""
		if len(p.Entries) > 1 {
			share = fmt.Sprintf(", %.6g of level %d", e.Share, e.Level)
		}
		if e.Difference != [4]int{} && e.Fraction != 0 {
			more = fmt.Sprintf(" + %d x %.6g = %.6g", e.Difference, e.Fraction, e.Result)
		}
		w.line(6, fmt.Sprintf("entry %d", e.Index), "%s%s%s, at %.6g", colorText(e.Color), more, share, e.Input)
	}
}

func (w *textWriter) combiner(c *fragment.CombinerRecord) {
	for _, h := range []struct {
		name string
		*fragment.CombineRecord
	}{{"rgb", &c.RGB}, {"alpha", &c.Alpha}} {
		if !h.Passes && !h.Unread {
			w.line(2, fmt.Sprintf("stage %d %s", c.Stage, h.name), "%s", h.Equation)
		}
	}
	if c.Buffer != "" {
		w.line(4, "to buffer", "%s", c.Buffer)
	}
}

func (w *textWriter) special(f *fragment.Record) {
	if g := f.Gas; g != nil {
		w.line(2, "gas", "densities %.6g and, by depth, %.6g", g.Density[0], g.Density[1])
		w.line(4, "alpha", "%s = %d", entryText(&g.AlphaEntry), g.Alpha)
		by := "density"
		if g.ByDepth {
			by = "density by depth"
		}
		w.line(4, "scaled", "%s * %.6g = %.6g", by, g.Scale, g.Scaled)
		if l := g.Light; l != nil {
			w.line(4, "light", "planar %d, xy %.6g to %.6g less %.6g, z %.6g to %.6g less %.6g, effect %.6g: %.6g",
				l.Planar, l.XYMin, l.XYMax, l.XYAtt, l.ZMin, l.ZMax, l.ZAtt, l.ZEff, l.Result)
		}
		w.line(4, "colour", "%.6g, entry %d: %.6g + %.6g * %.6g", g.Entry.Input, g.Entry.Index, g.Value, g.Difference, g.Entry.Fraction)
	}
	if g := f.Fog; g != nil {
		at := "depth"
		if g.Flipped {
			at = "1 - depth"
		}
		w.line(2, "fog", "at %s %s", at, entryText(&g.EntryRecord))
		w.line(4, "mixed", "%d * %.6g + %d * (1 - %.6g) = %d", g.Before, g.Factor, g.Color, g.Factor, g.After)
	}
}

// entryText is a look-up with its numbers.
func entryText(e *fragment.EntryRecord) string {
	return fmt.Sprintf("%.6g, entry %d: %.6g + %.6g * %.6g", e.Input, e.Index, e.Value, e.Difference, e.Fraction)
}

func (w *textWriter) test(t *fragment.TestRecord) {
	mask := ""
	if t.Test == "stencil" {
		mask = fmt.Sprintf(" under the mask %02X", t.Mask)
	}
	does := ""
	if t.Does != "" {
		does = fmt.Sprintf("; %s, it is then %d", t.Does, t.Stencil)
	}
	w.line(2, t.Test+" test", "%d %s %d%s: %s%s", t.Fragment, t.Func, t.Other, mask, map[bool]string{true: "passed", false: "failed"}[t.Passed], does)
}

// writes describes how the fragment and the pixel came together.
func (w *textWriter) writes(f *fragment.Record) {
	if b := f.Blend; b != nil {
		switch b.Mode {
		case "logic":
			w.line(2, "logic op", "%s of %s and %s = %s", b.Logic, colorText(b.Source), colorText(b.Dest), colorText(b.Result))
		case "blend":
			w.line(2, "blend rgb", "%s, source * %s and target * %s", b.RGB.Equation, b.RGB.Source, b.RGB.Dest)
			w.line(4, "", "%s", b.RGB.Text)
			w.line(2, "blend alpha", "%s, source * %s and target * %s", b.Alpha.Equation, b.Alpha.Source, b.Alpha.Dest)
			w.line(4, "", "%s", b.Alpha.Text)
		}
		if b.Mask != [4]bool{true, true, true, true} {
			written := ""
			for i, c := range "rgba" {
				if b.Mask[i] {
					written += string(c)
				}
			}
			w.line(2, "written", "%s alone", written)
		}
	}
	if g := f.GasWrite; g != nil {
		w.line(2, "density", "%d / 255 added to %.6g = %.6g", g.Density, g.Before[0], g.After[0])
		w.line(2, "by depth", "%s, surface 0x%06X, delta z %.6g: times %.6g, added to %.6g = %.6g", g.Func, g.Surface, g.DeltaZ, g.Factor, g.Before[1], g.After[1])
	}
	if s := f.ShadowWrite; s != nil {
		nearer := "not nearer"
		if s.Nearer {
			nearer = "nearer"
		}
		w.line(2, "shadow depth", "0x%06X, in the texture 0x%06X: %s", s.Depth, s.Old, nearer)
		if s.Nearer && s.Intensity != 0 {
			w.line(2, "penumbra", "%d / (%.6g + %.6g * %.6g), the light was %d and is %d", s.Intensity, s.Penumbra[0], s.Penumbra[1], s.Ratio, s.Before, s.After)
		}
	}
}

func colorText(c [4]uint8) string { return fmt.Sprintf("%3d %3d %3d %3d", c[0], c[1], c[2], c[3]) }

func pixelText(p fragment.Pixel) string {
	return fmt.Sprintf("%s depth %06X stencil %02X", strings.TrimSpace(colorText(p.Color)), p.Depth, p.Stencil)
}
