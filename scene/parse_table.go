package scene

import (
	"math"

	"pica200/internal/yamldoc"
)

// tableKinds are the keys of a table of which exactly one is given.
var tableKinds = []string{"values", "power", "steps", "points", "fog", "spot", "fresnel", "exp", "exp2", "toon", "formula"}

func (p *parser) table(f yamldoc.Field) Table {
	t := Table{Place: Place{f.Pos}, Name: f.Key}
	m := f.Value.Keys("a table", append([]string{"signed"}, tableKinds...)...)
	given := 0
	for _, k := range tableKinds {
		if m[k].Present() {
			given++
		}
	}
	if given != 1 {
		f.Pos.Errorf("a table has exactly one of values, power, steps, points, fog, spot, fresnel, exp, exp2, toon and formula, found %d of them", given)
		return t
	}
	if m["values"].Present() {
		t.Values = m["values"].Floats(-1)
		if n := len(t.Values); n < 2 || n > 512 {
			m["values"].Errorf("a table of %d numbers; expected 2 to 512", n)
		}
	}
	t.Signed = m["signed"].Bool(false)
	t.Power = m["power"].Float(0, 0, 1e6)
	t.Steps, t.Points = pairs(m["steps"]), pairs(m["points"])
	t.Fog = fogTable(m["fog"])
	t.Spot = spotTable(m["spot"])
	if n := m["fresnel"]; n.Present() {
		k := n.Keys("fresnel", "f0", "power")
		t.Fresnel = &Fresnel{k["f0"].Float(0.04, 0, 1), k["power"].Float(5, 0, 1e6)}
	}
	t.Exp, t.Exp2 = factor(m["exp"]), factor(m["exp2"])
	t.Toon = toonTable(m["toon"])
	t.Formula = formulaTable(m["formula"], t.domain())
	return t
}

func fogTable(n yamldoc.Node) *FogTable {
	if !n.Present() {
		return nil
	}
	k := n.Keys("fog", "density", "start", "end", "exponent")
	t := &FogTable{k["density"].Float(0, 0, 1e6), k["start"].Float(0, 0, 1e9), k["end"].Float(0, 0, 1e9), k["exponent"].Float(1, 1e-3, 100)}
	switch {
	case t.Density == 0 && t.Start >= t.End:
		n.Errorf("fog needs a density, or a start less than its end")
	case t.Density == 0 && k["exponent"].Present():
		k["exponent"].Errorf("exponent goes with a density")
	}
	return t
}

func spotTable(n yamldoc.Node) *Spot {
	if !n.Present() {
		return nil
	}
	k := n.Keys("spot", "inner", "outer", "exponent")
	s := &Spot{k["inner"].Float(0, 0, 180), k["outer"].Float(180, 0, 180), k["exponent"].Float(0, 0, 1e6)}
	if s.Inner > s.Outer {
		k["inner"].Errorf("inner (%g) must not be more than outer (%g); both are degrees from the spot's direction", s.Inner, s.Outer)
	}
	return s
}

// factor is what an exponential function's input is multiplied by.
func factor(n yamldoc.Node) *float64 {
	if !n.Present() {
		return nil
	}
	v := n.Float(0, 0, 1e6)
	return &v
}

// toonTable is a number of steps, or a mapping.
func toonTable(n yamldoc.Node) *Toon {
	if !n.Present() {
		return nil
	}
	t := &Toon{Steps: 3, High: 1}
	if n.IsNumber() {
		t.Steps = int(n.Int(3, 2, 64))
		return t
	}
	k := n.Keys("toon", "steps", "low", "high", "soft")
	t.Steps = int(k["steps"].Int(3, 2, 64))
	t.Low, t.High = k["low"].Float(0, -1e6, 1e6), k["high"].Float(1, -1e6, 1e6)
	t.Soft = k["soft"].Float(0, 0, 1)
	return t
}

// formulaTable reads a formula and sees that it has a value wherever a table may ask for it.
func formulaTable(n yamldoc.Node, low float64) string {
	if !n.Present() {
		return ""
	}
	f, err := ParseFormula(n.Str())
	if err != nil {
		n.Errorf("formula %q, %v", clipped(n.Str()), err)
		return ""
	}
	for i := range 513 {
		x := low + float64(float64(i)*((1-low)/512))
		if v := float64(float32(f.At(x))); math.IsNaN(v) || math.IsInf(v, 0) {
			n.Errorf("formula %q is %v at x = %.4g; expected a finite number for x from %g to 1", clipped(f.Text), v, x, low)
			return ""
		}
	}
	return f.Text
}

// clipped is the beginning of a text, for messages.
func clipped(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// pairs is a list of [x, value] with x ascending.
func pairs(n yamldoc.Node) [][2]float64 {
	var out [][2]float64
	for _, item := range n.List() {
		v := item.Floats(2)
		if len(v) != 2 {
			continue
		}
		if len(out) > 0 && v[0] <= out[len(out)-1][0] {
			item.Errorf("x must ascend: %g after %g", v[0], out[len(out)-1][0])
		}
		out = append(out, [2]float64{v[0], v[1]})
	}
	if n.Present() && len(out) == 0 {
		n.Errorf("the list is empty")
	}
	return out
}

// maxStops bounds the stops of a gradient: as many as the longest table has entries.
const maxStops = 256

// gradient is a list of stops, or a mapping that says whether colours blend into each other.
func (p *parser) gradient(f yamldoc.Field) Gradient {
	g := Gradient{Place: Place{f.Pos}, Name: f.Key}
	list := f.Value
	if !list.IsList() {
		m := f.Value.Keys("a gradient", "stops", "steps")
		if m["stops"].Present() == m["steps"].Present() {
			f.Pos.Errorf("a gradient has either stops (colours blend from one to the next) or steps (each holds up to the next)")
			return g
		}
		if list = m["stops"]; !list.Present() {
			list, g.Hard = m["steps"], true
		}
	}
	items := list.List()
	if list.IsList() && (len(items) == 0 || len(items) > maxStops) {
		list.Errorf("a gradient of %d colours; expected 1 to %d", len(items), maxStops)
		return g
	}
	for _, item := range items {
		v := item.List()
		if item.IsList() && len(v) != 4 && len(v) != 5 {
			item.Errorf("expected a place from 0 to 1 and a colour of 3 or 4 numbers, found %d numbers", len(v))
			continue
		}
		s := Stop{Color: [4]float64{0, 0, 0, 1}}
		for i, n := range v {
			if i == 0 {
				s.At = n.Float(0, 0, 1)
			} else {
				s.Color[i-1] = n.Float(0, 0, 1)
			}
		}
		if k := len(g.Stops); k > 0 && s.At <= g.Stops[k-1].At {
			item.Errorf("places must ascend: %g after %g", s.At, g.Stops[k-1].At)
		}
		g.Stops = append(g.Stops, s)
	}
	return g
}
