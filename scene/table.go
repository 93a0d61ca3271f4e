package scene

import (
	"maps"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// Table is a one-dimensional table for the samplers of type GL_SAMPLER_1D.
type Table struct {
	Location
	Name string
	// At most one of the following is set; without one the table is x^Power.
	Values  []float64
	Power   float64      // x^Power over 0..1
	Steps   []mgl64.Vec2 // from x on the value holds
	Points  []mgl64.Vec2 // straight lines between (x, value)
	Fog     *FogTable
	Spot    *Spot
	Fresnel *Fresnel
	Exp     *float64 // e^(-k*x)
	Exp2    *float64 // e^(-(k*x)^2)
	Toon    *Toon
	Formula string // of x, as ParseFormula reads it
	Signed  bool   // the input runs from -1 to 1: entries in the hardware's order
}

// FogTable is fog by distance. The part of a colour that is left at distance z
// is e^(-(Density*z)^Exponent), or, if Density is 0, falls linearly between
// Start and End. Distances are in units of the scene, along the line of sight.
// An exponent of 1 (or 0, for 1) is fog of type GL_EXP, 2 is GL_EXP2.
type FogTable struct{ Density, Start, End, Exponent float64 }

// Spot is the brightness of a spot light by the cosine of the angle to its
// direction: 1 up to Inner degrees, 0 from Outer degrees on, smooth between,
// times the cosine to the power of Exponent.
type Spot struct{ Inner, Outer, Exponent float64 }

// Fresnel is Schlick's reflectance by the cosine of the viewing angle: F0 + (1
// - F0) * (1 - x)^Power.
type Fresnel struct{ F0, Power float64 }

// Toon is equal steps from Low to High over the whole input range. Soft is the
// part of a step, 0 to 1, over which it rises.
type Toon struct {
	Steps     int
	Low, High float64
	Soft      float64
}

// formulaNames lists the functions of formulas, sorted.
func formulaNames() []string { return slices.Sorted(maps.Keys(formulaFuncs)) }

// domain returns the least input of a table; the greatest is 1.
func (t *Table) domain() float64 {
	if t.Signed {
		return -1
	}
	return 0
}

// Make returns n values of the table over 0..1; if Signed, in the order of the
// hardware: 0 to 1, then -1 to 0. Fog tables are made elsewhere, because they
// need the camera.
func (t *Table) Make(n int) []float32 {
	if t.Values != nil {
		out := make([]float32, len(t.Values))
		for i, v := range t.Values {
			out[i] = float32(v)
		}
		return out
	}
	f := t.function()
	out := make([]float32, n)
	for i := range out {
		x := float64(i) / float64(n-1)
		if t.Signed {
			half := n / 2
			if x = float64(i) / float64(half); i >= half {
				x = float64(i-n) / float64(half)
			}
		}
		out[i] = float32(f(x))
	}
	return out
}

// function is the table's function of its input.
func (t *Table) function() func(x float64) float64 {
	switch {
	case t.Steps != nil:
		return func(x float64) float64 {
			v := t.Steps[0][1]
			for _, s := range t.Steps {
				if x >= s[0] {
					v = s[1]
				}
			}
			return v
		}
	case t.Points != nil:
		c := Curve{}
		for _, q := range t.Points {
			c.Keys = append(c.Keys, Key{q[0], []float64{q[1]}})
		}
		return func(x float64) float64 { return c.Scalar(x, 0) }
	case t.Spot != nil:
		return t.Spot.at
	case t.Fresnel != nil:
		return func(x float64) float64 {
			return t.Fresnel.F0 + float64((1-t.Fresnel.F0)*math.Pow(1-max(0, x), t.Fresnel.Power))
		}
	case t.Exp != nil:
		return func(x float64) float64 { return math.Exp(-float64(*t.Exp * x)) }
	case t.Exp2 != nil:
		return func(x float64) float64 {
			k := float64(*t.Exp2 * x)
			return math.Exp(-float64(k * k))
		}
	case t.Toon != nil:
		low := t.domain()
		return func(x float64) float64 { return t.Toon.at((x - low) / (1 - low)) }
	case t.Formula != "":
		f, err := parseFormula(t.Formula)
		if err != nil { // of a scene that was not parsed: no sampler takes it
			return func(float64) float64 { return math.NaN() }
		}
		return f.at
	}
	return func(x float64) float64 {
		switch {
		case x > 0:
			return math.Pow(x, t.Power)
		case t.Power == 0:
			return 1
		}
		return 0
	}
}

func (s *Spot) at(x float64) float64 {
	angle := math.Acos(max(-1, min(1, x))) * 180 / math.Pi
	switch {
	case angle >= s.Outer:
		return 0
	case angle <= s.Inner:
		return spotPower(x, s.Exponent)
	}
	return float64(smooth((s.Outer-angle)/(s.Outer-s.Inner)) * spotPower(x, s.Exponent))
}

func spotPower(x, exponent float64) float64 {
	if exponent == 0 {
		return 1
	}
	return math.Pow(max(0, x), exponent)
}

// at is the value for t from 0 to 1.
func (n *Toon) at(t float64) float64 {
	t = float64(max(0, min(1, t)) * float64(n.Steps))
	step := min(math.Floor(t), float64(n.Steps-1))
	if within := t - step; step > 0 && within < n.Soft {
		step -= 1 - smooth(within/n.Soft)
	}
	return n.Low + float64((n.High-n.Low)*step)/float64(n.Steps-1)
}
