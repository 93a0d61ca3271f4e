package pipeline

import (
	"fmt"
	"strings"

	"pica200/fragment"
)

// lighting describes fragment lighting, vectors in eye space.
func (w *textWriter) lighting(l *fragment.LightingRecord) {
	w.line(4, "quaternion", "%.6g", l.Quaternion)
	if b := l.Bump; b != nil {
		w.line(4, b.Mode+" map", "%.6g, of texture %d", b.Vector, b.Unit)
	}
	w.line(4, "normal", "%.6g", l.Normal)
	if l.Tangent != nil {
		w.line(4, "tangent", "%.6g", *l.Tangent)
	}
	w.line(4, "view", "%.6g", l.View)
	if l.Shadow != nil {
		w.line(4, "shadow", "%.6g", *l.Shadow)
	}
	w.line(4, "ambient", "%.6g", l.Ambient)
	for i := range l.Lights {
		w.light(&l.Lights[i])
	}
	if l.Fresnel != nil {
		w.line(4, "fresnel", "%.6g", *l.Fresnel)
	}
	w.line(4, "sums", "primary %.6g, secondary %.6g", l.Primary, l.Secondary)
}

func (w *textWriter) light(l *fragment.LightRecord) {
	var kind []string
	if l.Directional {
		kind = append(kind, "directional")
	} else {
		kind = append(kind, fmt.Sprintf("at %.6g", l.Position))
	}
	if l.TwoSided {
		kind = append(kind, "two-sided")
	}
	w.line(4, fmt.Sprintf("light %d", l.Light), "%s", strings.Join(kind, ", "))
	w.line(6, "L", "%.6g", l.L)
	if !l.Directional {
		w.line(6, "distance", "%.6g", l.Distance)
	}
	if l.H != [3]fragment.Float{} {
		w.line(6, "H", "%.6g, |L+V|^2 %.6g", l.H, l.HalfSquare)
	}
	w.line(6, "L.N", "%.6g, lit %.6g", l.LN, l.Lit)
	for _, t := range l.Tables {
		scale := ""
		if t.Scale != 1 {
			scale = fmt.Sprintf(" times %g", t.Scale)
		}
		w.line(6, "table "+t.Table, "%s %.6g: %s%s = %.6g", t.Dot, t.X, entryText(&t.EntryRecord), scale, t.Result)
	}
	if l.Geometric != nil {
		w.line(6, "geometric", "lit / |L+V|^2 = %.6g", *l.Geometric)
	}
	shadow := [2]string{}
	for k := range shadow {
		if l.Shadowed[k] {
			shadow[k] = " * shadow"
		}
	}
	if l.Primary != [3]fragment.Float{} {
		w.line(6, "primary", "(%.4g * %.6g%s + %.4g) * %.6g = %.6g", l.Diffuse, l.Lit, shadow[0], l.Ambient, l.Attenuation, l.Primary)
	}
	if l.Secondary != [3]fragment.Float{} {
		w.line(6, "secondary", "(%.4g * %.6g + %.4g * %.6g * %.6g) * %.6g%s = %.6g", l.Specular[0], l.D[0], l.Specular[1], l.D[1], l.Reflection, l.Factor, shadow[1], l.Secondary)
	}
}
