package main

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/fragment"
)

// record has the fields of a fragment's JSON that the tests use.
type record struct {
	Depth         fragment.Float
	VertexColor   [4]uint8 `json:"vertex_color"`
	Before, After fragment.Pixel
	Units         []struct {
		Color         [4]uint8
		Coord         [2]fragment.Float
		Width, Height int
		Shadow        struct {
			W    fragment.Float
			Bias int
		}
		Samples []struct {
			Texels []struct {
				X, Y      int
				Depth     uint32
				Intensity uint8
			}
		}
	}
	Light struct {
		Quaternion, Shadow [4]fragment.Float
		View, Ambient      [3]fragment.Float
		Lights             []struct {
			L, Diffuse, Ambient, Primary [3]fragment.Float
			Specular                     [2][3]fragment.Float
			Shadowed                     [2]bool
			Tables                       []struct {
				Table string
				entry
			}
		}
	}
	Gas struct {
		Density     [2]fragment.Float
		Attenuation fragment.Float
		AlphaEntry  entry `json:"alpha_entry"`
		Scale       fragment.Float
		Entry       entry
		Value       [3]fragment.Float
		Difference  [3]fragment.Float
		Light       struct {
			XYMin fragment.Float `json:"xy_min"`
			XYMax fragment.Float `json:"xy_max"`
			XYAtt fragment.Float `json:"xy_attenuation"`
			ZMin  fragment.Float `json:"z_min"`
			ZMax  fragment.Float `json:"z_max"`
			ZAtt  fragment.Float `json:"z_attenuation"`
			ZEff  fragment.Float `json:"z_effect"`
		}
	}
}

// entry is an entry of a table.
type entry struct {
	Index                       int
	Value, Difference, Fraction fragment.Float
}

// explained returns the last fragment of a pixel from explain --json.
func explained(t *testing.T, args ...string) *record {
	t.Helper()
	stdout := ok(t, append([]string{"explain", "--json"}, args...)...)
	var e struct {
		Events []struct {
			Name     string
			Fragment *record
		}
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &e))
	last := e.Events[len(e.Events)-1]
	require.NotNil(t, last.Fragment)
	require.NotEmpty(t, last.Name)
	return last.Fragment
}

type vector [3]float64

func vectorOf(v [3]fragment.Float) vector { return vector{float64(v[0]), float64(v[1]), float64(v[2])} }

func (a vector) dot(b vector) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

func (a vector) add(b vector) vector { return vector{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func (a vector) unit() vector {
	l := math.Sqrt(a.dot(a))
	return vector{a[0] / l, a[1] / l, a[2] / l}
}

// lookup evaluates a table at an entry.
func lookup(e entry) float64 {
	return float64(e.Value) + float64(e.Difference)*float64(e.Fraction)
}

// lit computes both lighting colours from positions, colours, the quaternion and table entries.
func lit(t *testing.T, r *record) (primary, secondary [3]int) {
	t.Helper()
	l := r.Light
	q := l.Quaternion
	x, y, z, w := float64(q[0]), float64(q[1]), float64(q[2]), float64(q[3])
	normal := vector{2 * (x*z + y*w), 2 * (y*z - x*w), 1 - 2*(x*x+y*y)}
	view := vectorOf(l.View)
	var sums [2]vector
	sums[0] = vectorOf(l.Ambient)
	for _, light := range l.Lights {
		towards := vectorOf(light.L)
		half := towards.add(view).unit()
		require.Len(t, light.Tables, 1)
		d0 := light.Tables[0]
		require.Equal(t, "D0", d0.Table)
		at := normal.dot(half) * 256
		require.InDelta(t, at, float64(d0.Index)+float64(d0.Fraction), 0.01, "the entry at N.H")
		shine := lookup(d0.entry)
		cosine := math.Max(normal.dot(towards), 0)
		for k := range 3 {
			share := float64(light.Diffuse[k]) * cosine
			if light.Shadowed[0] {
				share *= float64(l.Shadow[k])
			}
			sums[0][k] += share + float64(light.Ambient[k])
			sums[1][k] += float64(light.Specular[0][k]) * shine
		}
	}
	for k := range 3 {
		primary[k], secondary[k] = int(math.Min(sums[0][k], 1)*255), int(math.Min(sums[1][k], 1)*255)
	}
	return primary, secondary
}

func product(a, b int) int { return (a*b + 127) / 255 }

// Three pixels are computed by hand from explain's numbers: one lit by two lights, one at a shadow's edge, one of gas.
func TestPixelsByHand(t *testing.T) {
	color := func(c [4]uint8) [3]int { return [3]int{int(c[0]), int(c[1]), int(c[2])} }
	depth := func(r *record, top float64) uint32 { return uint32(float64(r.Depth) * top) }

	t.Run("lit", func(t *testing.T) {
		r := explained(t, "../../testdata/scenes/lit.yaml", "240", "78")
		require.Len(t, r.Light.Lights, 2)
		require.NotZero(t, r.Light.Lights[0].Primary)
		require.NotZero(t, r.Light.Lights[1].Primary)
		primary, secondary := lit(t, r)
		// Stage 0 gives white, stage 1 multiplies by the primary colour, stage 2 adds the secondary.
		var want [3]int
		for k := range want {
			want[k] = min(product(255, primary[k])+secondary[k], 255)
		}
		require.Equal(t, want, color(r.After.Color))
		require.Equal(t, depth(r, 1<<24-1), r.After.Depth)
		require.Less(t, r.After.Depth, r.Before.Depth, "nearer than what was there")
	})
	t.Run("shadow", func(t *testing.T) {
		r := explained(t, "../../testdata/scenes/shadow.yaml", "205", "189")
		u := r.Units[0]
		reference := uint32(math.Min(math.Abs(float64(u.Shadow.W)), 1)*(1<<24-1)) - uint32(u.Shadow.Bias)
		x, y := float64(u.Coord[0])*float64(u.Width)-0.5, float64(u.Coord[1])*float64(u.Height)-0.5
		a, b := math.Floor((x-math.Floor(x))*256)/256, math.Floor((y-math.Floor(y))*256)/256
		light, lit4 := 0.0, 0
		for k, texel := range u.Samples[0].Texels {
			require.Equal(t, int(math.Floor(x))+k%2, texel.X)
			require.Equal(t, int(math.Floor(y))+k/2, texel.Y)
			weight := [2]float64{1 - a, a}[k%2] * [2]float64{1 - b, b}[k/2]
			if texel.Depth >= reference {
				light += weight * float64(texel.Intensity)
				lit4++
			}
		}
		require.Equal(t, 3, lit4, "the pixel lies on the edge")
		shade := int(math.Round(light))
		require.EqualValues(t, shade, u.Color[0])
		require.InDelta(t, float64(shade)/255, float64(r.Light.Shadow[0]), 1e-6)
		primary, secondary := lit(t, r)
		var want [3]int
		for k := range want { // vertex colour times primary, plus secondary
			want[k] = min(product(int(r.VertexColor[k]), primary[k])+secondary[k], 255)
		}
		require.Equal(t, want, color(r.After.Color))
	})
	t.Run("gas", func(t *testing.T) {
		r := explained(t, "../../testdata/scenes/gas.yaml", "300", "55")
		g, l := r.Gas, r.Gas.Light
		half := func(high, low uint8) float64 {
			h := int(high)<<8 | int(low)
			return math.Ldexp(1+float64(h&0x3FF)/1024, h>>10-15)
		}
		texel := r.Units[0].Color
		density := half(texel[1], texel[0])
		require.InDelta(t, density, float64(g.Density[1]), 1e-9)
		at := density * float64(g.Attenuation) * 128
		require.InDelta(t, at, float64(g.AlphaEntry.Index)+float64(g.AlphaEntry.Fraction), 1e-3)
		a := int(lookup(g.AlphaEntry) * 255)
		x := density * float64(g.Scale)
		planar := float64(r.Units[1].Color[0]) / 255 * (1 - float64(l.XYAtt)*x)
		deep := float64(l.ZEff) * (1 - float64(l.ZAtt)*x)
		x = float64(l.XYMax)*planar + float64(l.XYMin)*(1-planar) + float64(l.ZMax)*deep + float64(l.ZMin)*(1-deep)
		require.InDelta(t, x*8, float64(g.Entry.Index)+float64(g.Entry.Fraction), 1e-4)
		var want [3]int
		for k := range want {
			c := int(math.Min(float64(g.Value[k])+float64(g.Difference[k])*(x*8-float64(g.Entry.Index)), 1) * 255)
			want[k] = (c*a + int(r.Before.Color[k])*(255-a) + 127) / 255
		}
		require.Equal(t, want, color(r.After.Color))
	})
}

// The procedural texture's colour table entry is shown in text, page and JSON.
func TestExplainShowsTheTableOfColours(t *testing.T) {
	const scene = "../../testdata/scenes/wood.yaml"
	text := ok(t, "explain", scene, "200", "120")
	require.Regexp(t, `\n    colours      level 0: 128 from 0 on, linear\n      entry \d+ +(\d+ +){4}\+ \[.*\] x 0\.\d+ = \[.*\], at \d+\.\d+\n`, text)
	entry := regexp.MustCompile(`entry \d+`).FindString(text)
	_, page, _ := invoke(t, "explain", scene, "200", "120", "--html", "-")
	require.Contains(t, page, `<td class="n">      `+entry)
	_, record, _ := invoke(t, "explain", scene, "200", "120", "--json")
	require.Contains(t, record, `"index": `+strings.TrimPrefix(entry, "entry "))
}
