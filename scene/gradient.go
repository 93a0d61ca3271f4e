package scene

import "github.com/go-gl/mathgl/mgl64"

// Gradient is colours over 0 to 1.
type Gradient struct {
	Location
	Name  string
	Stops []Stop
	Hard  bool // each colour holds up to the next stop, with nothing between
}

// Stop is the colour of a gradient at a position; both are from 0 to 1.
type Stop struct {
	At    float64
	Color mgl64.Vec4
}

// Color is the gradient's colour at t: straight lines between the stops, constant outside.
func (g *Gradient) Color(t float64) mgl64.Vec4 {
	if len(g.Stops) == 0 {
		return mgl64.Vec4{}
	}
	out := g.Stops[0].Color
	for i := 1; i < len(g.Stops) && t >= g.Stops[i-1].At; i++ {
		a, b := g.Stops[i-1], g.Stops[i]
		if t >= b.At {
			out = b.Color
			continue
		}
		if !g.Hard {
			u := (t - a.At) / (b.At - a.At)
			for k := range out {
				out[k] = a.Color[k] + float64(u*(b.Color[k]-a.Color[k]))
			}
		}
		break
	}
	return out
}

// Channel are n values of a channel (0 red to 3 alpha), over 0 to 1.
func (g *Gradient) Channel(channel, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(g.Color(float64(i) / float64(n-1))[channel])
	}
	return out
}

// Gradient finds a gradient by name, or returns nil.
func (s *Scene) Gradient(name string) *Gradient {
	for i := range s.Gradients {
		if s.Gradients[i].Name == name {
			return &s.Gradients[i]
		}
	}
	return nil
}
