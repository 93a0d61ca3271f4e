package golden

import (
	"errors"
	"fmt"
	"image"
	"math"
)

// This is LDR-FLIP of Andersson, Nilsson, Akenine-Möller, Oskarsson, Åström and
// Fairchild, "FLIP: A Difference Evaluator for Alternating Images" (2020): how
// much a viewer notices who flips between two pictures. Colours are filtered
// as the eye does at a distance, then compared; edges and points that one
// picture has and the other lacks raise the difference.

// flipPPD is the number of pixels in a degree of the field of view: for 3840
// pixels on a screen 0.7 m wide, seen from 0.7 m (the paper's default).
const flipPPD = 3840 * math.Pi / 180

// Constants of the paper: the exponents of colour and feature differences, the
// share of the greatest colour difference that is spread over most of the
// range, and the width of the feature filter in degrees.
const (
	flipQC = 0.7
	flipQF = 0.5
	flipPC = 0.4
	flipPT = 0.95
	flipW  = 0.082
)

// maxFLIP bounds the pictures that are compared this way, in pixels: the
// filters take some hundred bytes for each.
const maxFLIP = 4 << 20

// meanFLIP is the mean of the LDR-FLIP error over all pixels, 0 for equal pictures
// to 1, at 67 pixels per degree. Colours are taken as sRGB over white. It is
// not defined for pictures of different sizes or without pixels, and not
// computed for more than 4 Mi pixels.
func meanFLIP(want, got image.Image) (float64, error) {
	if err := flipSizes(want.Bounds().Size(), got.Bounds().Size()); err != nil {
		return 0, err
	}
	return flip(newPlanes(want), newPlanes(got))
}

// flipSizes returns an error for sizes of pictures that are not compared.
func flipSizes(want, got image.Point) error {
	switch {
	case want != got:
		return fmt.Errorf("FLIP compares pictures of one size, not of %dx%d and %dx%d", want.X, want.Y, got.X, got.Y)
	case want.X == 0 || want.Y == 0:
		return errors.New("FLIP: the pictures have no pixels")
	case want.X*want.Y > maxFLIP:
		return fmt.Errorf("FLIP: %dx%d pixels are more than the %d for which it is computed", want.X, want.Y, maxFLIP)
	}
	return nil
}

func flip(want, got *planes) (float64, error) {
	if err := flipSizes(image.Pt(want.w, want.h), image.Pt(got.w, got.h)); err != nil {
		return 0, err
	}
	a, b := newFLIPImage(want), newFLIPImage(got)
	features := flipFeatures(a, b)
	a.filter()
	b.filter()
	most := math.Pow(hyAB(huntLab(linearToXYZ(0, 1, 0)), huntLab(linearToXYZ(0, 0, 1))), flipQC)
	sum := 0.0
	for i := range features {
		d := math.Pow(hyAB(a.seen(i), b.seen(i)), flipQC)
		if knee := float64(flipPC * most); d < knee {
			d *= flipPT / knee
		} else {
			d = flipPT + float64((d-knee)/(most-knee)*(1-flipPT))
		}
		sum += math.Pow(d, 1-float64(features[i]))
	}
	return sum / float64(len(features)), nil
}

// flipImage is a picture in YCxCz, the linear form of L*a*b*.
type flipImage struct {
	w, h      int
	y, cx, cz []float32
}

type vec3 [3]float64

func newFLIPImage(p *planes) *flipImage {
	n := p.w * p.h
	m := &flipImage{p.w, p.h, make([]float32, n), make([]float32, n), make([]float32, n)}
	top := float64(int(1)<<p.bits - 1)
	linear := make([]float64, int(top)+1)
	for i := range linear {
		linear[i] = srgbToLinear(float64(i) / top)
	}
	light := func(i, k int) float64 {
		if p.pix[i+3] == uint16(top) {
			return linear[p.pix[i+k]]
		}
		return srgbToLinear(over(p, i, k, top))
	}
	for i := range n {
		c := xyzToYCxCz(linearToXYZ(light(4*i, 0), light(4*i, 1), light(4*i, 2)))
		m.y[i], m.cx[i], m.cz[i] = float32(c[0]), float32(c[1]), float32(c[2])
	}
	return m
}

func srgbToLinear(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// toXYZ is linear sRGB to XYZ, white D65, as exact fractions of the primaries
// and the white point; white is what (1, 1, 1) becomes.
var (
	toXYZ = [3]vec3{
		{10135552.0 / 24577794, 8788810.0 / 24577794, 4435075.0 / 24577794},
		{2613072.0 / 12288897, 8788810.0 / 12288897, 887015.0 / 12288897},
		{1425312.0 / 73733382, 8788810.0 / 73733382, 70074185.0 / 73733382},
	}
	fromXYZ = inverse(toXYZ)
	white   = vec3{dot(toXYZ[0], vec3{1, 1, 1}), dot(toXYZ[1], vec3{1, 1, 1}), dot(toXYZ[2], vec3{1, 1, 1})}
)

func dot(a, b vec3) float64 { return float64(a[0]*b[0]) + float64(a[1]*b[1]) + float64(a[2]*b[2]) }

func cross(a, b vec3) vec3 {
	return vec3{float64(a[1]*b[2]) - float64(a[2]*b[1]), float64(a[2]*b[0]) - float64(a[0]*b[2]), float64(a[0]*b[1]) - float64(a[1]*b[0])}
}

func inverse(m [3]vec3) (inv [3]vec3) {
	columns := [3]vec3{cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])}
	det := dot(m[0], columns[0])
	for i := range 3 {
		for k := range 3 {
			inv[i][k] = columns[k][i] / det
		}
	}
	return inv
}

func linearToXYZ(r, g, b float64) vec3 {
	c := vec3{r, g, b}
	return vec3{dot(toXYZ[0], c), dot(toXYZ[1], c), dot(toXYZ[2], c)}
}

func xyzToYCxCz(c vec3) vec3 {
	x, y, z := c[0]/white[0], c[1]/white[1], c[2]/white[2]
	return vec3{float64(116*y) - 16, 500 * (x - y), 200 * (y - z)}
}

func yCxCzToXYZ(c vec3) vec3 {
	y := (c[0] + 16) / 116
	return vec3{(y + c[1]/500) * white[0], y * white[1], (y - c[2]/200) * white[2]}
}

// huntLab is L*a*b* with the chromaticity weighed by lightness, after Hunt.
func huntLab(c vec3) vec3 {
	const delta = 6.0 / 29
	f := func(t float64) float64 {
		if t > delta*delta*delta {
			return math.Cbrt(t)
		}
		return t/(3*delta*delta) + 4.0/29
	}
	x, y, z := f(c[0]/white[0]), f(c[1]/white[1]), f(c[2]/white[2])
	l := float64(116*y) - 16
	return vec3{l, 0.01 * l * 500 * (x - y), 0.01 * l * 200 * (y - z)}
}

// hyAB is the distance of two colours: city blocks for lightness, Euclid for
// the rest (Abasi, Amani Tehran and Fairchild, 2020).
func hyAB(p, q vec3) float64 {
	a, b := p[1]-q[1], p[2]-q[2]
	return math.Abs(p[0]-q[0]) + math.Sqrt(float64(a*a)+float64(b*b))
}

// seen is pixel i after filter, as huntLab.
func (m *flipImage) seen(i int) vec3 {
	xyz := yCxCzToXYZ(vec3{float64(m.y[i]), float64(m.cx[i]), float64(m.cz[i])})
	clamp := func(v float64) float64 { return min(1, max(0, v)) }
	return huntLab(linearToXYZ(clamp(dot(fromXYZ[0], xyz)), clamp(dot(fromXYZ[1], xyz)), clamp(dot(fromXYZ[2], xyz))))
}

// filter blurs the picture like the eye, by contrast sensitivity functions.
// Each is a Gaussian a*sqrt(pi/b)*exp(-pi^2*x^2/b) of the distance in degrees,
// for the blue-yellow channel the sum of two.
func (m *flipImage) filter() {
	const widest = 0.04 // of the parameters b below
	radius := int(math.Ceil(3 * math.Sqrt(widest/(2*math.Pi*math.Pi)) * flipPPD))
	gauss := func(b float64) (k []float64) {
		for x := -radius; x <= radius; x++ {
			d := float64(x) / flipPPD
			k = append(k, math.Exp(-math.Pi*math.Pi*float64(d*d)/b))
		}
		return k
	}
	scaled := func(k []float64, by float64) []float32 {
		out := make([]float32, len(k))
		for i, v := range k {
			out[i] = float32(v * by)
		}
		return out
	}
	sum := func(k []float64) (s float64) {
		for _, v := range k {
			s += v
		}
		return s
	}
	blur := func(p, k []float32) []float32 { return vertical(horizontal(p, m.w, m.h, k), m.w, m.h, k) }
	for _, c := range []struct {
		p *[]float32
		b float64
	}{{&m.y, 0.0047}, {&m.cx, 0.0053}} {
		k := gauss(c.b)
		*c.p = blur(*c.p, scaled(k, 1/sum(k)))
	}
	// Each of the two is separable with its own share of the sum.
	k1, k2 := gauss(0.04), gauss(0.025)
	a1, a2 := 34.1*math.Sqrt(math.Pi/0.04), 13.5*math.Sqrt(math.Pi/0.025)
	s1, s2 := sum(k1), sum(k2)
	total := float64(a1*float64(s1*s1)) + float64(a2*float64(s2*s2))
	p := blur(m.cz, scaled(k1, math.Sqrt(a1/total)))
	for i, v := range blur(m.cz, scaled(k2, math.Sqrt(a2/total))) {
		p[i] += v
	}
	m.cz = p
}

// horizontal and vertical apply a filter of odd length along rows and columns;
// edge pixels are repeated beyond the edge.
func horizontal(p []float32, w, h int, k []float32) []float32 {
	out, r := make([]float32, len(p)), len(k)/2
	row := make([]float32, w+2*r)
	for y := range h {
		line, to := p[y*w:(y+1)*w], out[y*w:(y+1)*w]
		copy(row[r:], line)
		for x := range r {
			row[x], row[r+w+x] = line[0], line[w-1]
		}
		for i, f := range k {
			for x, v := range row[i : i+w] {
				to[x] += float32(f * v)
			}
		}
	}
	return out
}

func vertical(p []float32, w, h int, k []float32) []float32 {
	out, r := make([]float32, len(p)), len(k)/2
	for y := range h {
		to := out[y*w : (y+1)*w]
		for i, f := range k {
			at := min(max(y+i-r, 0), h-1) * w
			for x, v := range p[at : at+w] {
				to[x] += float32(f * v)
			}
		}
	}
	return out
}

// flipFeatures computes how much the pictures differ in edges and points, 0 to
// 1, by the first and second derivatives of a Gaussian.
func flipFeatures(a, b *flipImage) []float32 {
	sigma := 0.5 * flipW * flipPPD
	radius := int(math.Ceil(3 * sigma))
	var g, first, second []float64
	for x := -radius; x <= radius; x++ {
		d := float64(x)
		v := math.Exp(-float64(d*d) / (2 * sigma * sigma))
		g, first, second = append(g, v), append(first, -d*v), append(second, (float64(d*d)/(sigma*sigma)-1)*v)
	}
	// Positive weights sum to 1, negative ones to -1.
	normal := func(k []float64) []float32 {
		up, down := 0.0, 0.0
		for _, v := range k {
			if v > 0 {
				up += v
			} else {
				down -= v
			}
		}
		out := make([]float32, len(k))
		for i, v := range k {
			if v > 0 {
				out[i] = float32(v / up)
			} else if v < 0 {
				out[i] = float32(v / down)
			}
		}
		return out
	}
	ng, n1, n2 := normal(g), normal(first), normal(second)
	length := func(x, y float32) float32 {
		return float32(math.Sqrt(float64(float32(x*x) + float32(y*y))))
	}
	features := func(m *flipImage) (edges, points []float32) {
		grey := make([]float32, len(m.y))
		for i, v := range m.y {
			grey[i] = (v + 16) / 116
		}
		hg := horizontal(grey, m.w, m.h, ng)
		ex, ey := vertical(horizontal(grey, m.w, m.h, n1), m.w, m.h, ng), vertical(hg, m.w, m.h, n1)
		px, py := vertical(horizontal(grey, m.w, m.h, n2), m.w, m.h, ng), vertical(hg, m.w, m.h, n2)
		for i := range ex {
			ex[i], px[i] = length(ex[i], ey[i]), length(px[i], py[i])
		}
		return ex, px
	}
	ea, pa := features(a)
	eb, pb := features(b)
	for i := range ea {
		d := math.Max(math.Abs(float64(ea[i]-eb[i])), math.Abs(float64(pa[i]-pb[i])))
		ea[i] = float32(math.Pow(d/math.Sqrt2, flipQF))
	}
	return ea
}
