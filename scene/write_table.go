package scene

import (
	"fmt"
	"strconv"
	"strings"
)

func (w *writer) table(t *Table) {
	w.open(quote(t.Name))
	pairs := func(key string, v [][2]float64) {
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = list(v[i][:])
		}
		w.line(key, "["+strings.Join(parts, ", ")+"]")
	}
	switch {
	case t.Values != nil:
		w.floats("values", t.Values)
	case t.Steps != nil:
		pairs("steps", t.Steps)
	case t.Points != nil:
		pairs("points", t.Points)
	case t.Fog != nil && t.Fog.Density == 0:
		w.line("fog", fmt.Sprintf("{start: %s, end: %s}", num(t.Fog.Start), num(t.Fog.End)))
	case t.Fog != nil:
		exponent := ""
		if t.Fog.Exponent != 0 && t.Fog.Exponent != 1 {
			exponent = ", exponent: " + num(t.Fog.Exponent)
		}
		w.line("fog", fmt.Sprintf("{density: %s, start: %s, end: %s%s}", num(t.Fog.Density), num(t.Fog.Start), num(t.Fog.End), exponent))
	case t.Spot != nil:
		w.line("spot", fmt.Sprintf("{inner: %s, outer: %s, exponent: %s}", num(t.Spot.Inner), num(t.Spot.Outer), num(t.Spot.Exponent)))
	case t.Fresnel != nil:
		w.line("fresnel", fmt.Sprintf("{f0: %s, power: %s}", num(t.Fresnel.F0), num(t.Fresnel.Power)))
	case t.Exp != nil:
		w.line("exp", num(*t.Exp))
	case t.Exp2 != nil:
		w.line("exp2", num(*t.Exp2))
	case t.Toon != nil:
		w.line("toon", fmt.Sprintf("{steps: %d, low: %s, high: %s, soft: %s}", t.Toon.Steps, num(t.Toon.Low), num(t.Toon.High), num(t.Toon.Soft)))
	case t.Formula != "":
		w.line("formula", strconv.Quote(t.Formula))
	default:
		w.line("power", num(t.Power))
	}
	w.flag("signed", t.Signed, false)
	w.close()
}

func (w *writer) gradient(g *Gradient) {
	w.open(quote(g.Name))
	parts := make([]string, len(g.Stops))
	for i, s := range g.Stops {
		parts[i] = list(append([]float64{s.At}, s.Color[:]...))
	}
	key := "stops"
	if g.Hard {
		key = "steps"
	}
	w.line(key, "["+strings.Join(parts, ", ")+"]")
	w.close()
}
