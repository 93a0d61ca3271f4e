package texture

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// Levels of detail are made by the filters of ImageMagick, which tex3ds names,
// in its arithmetic: 16 bits a channel, colours weighted by alpha, first along
// columns, then along rows, rounded after each.

// filter is a weighting function of the distance from the middle of a texel, in
// texels of the smaller picture, up to reach.
type filter struct {
	reach  float64
	weight func(x float64) float64
}

// cubic returns the weights of a Mitchell-Netravali spline.
func cubic(b, c float64) func(x float64) float64 {
	near := [4]float64{1 - b/3, 0, -3 + 2*b + c, 2 - 1.5*b - c} // factors of the powers of x
	far := [4]float64{4*b/3 + 4*c, -2*b - 8*c, b + 5*c, -b/6 - c}
	return func(x float64) float64 {
		p := &near
		if x >= 2 {
			return 0
		} else if x >= 1 {
			p = &far
		}
		return p[0] + float64(x*(p[1]+float64(x*(p[2]+float64(x*p[3])))))
	}
}

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(math.Pi*x) / (math.Pi * x)
}

// nearSinc is ImageMagick's approximation of sinc from 0 to 4, which it uses in
// windows. Where alpha is small, the difference shows.
func nearSinc(x float64) float64 {
	xx, p := float64(x*x), 0.0
	for _, c := range [...]float64{-0.177084805010701112639035485248501049364e-15, 0.253524321426864752676094495396308636823e-13,
		-0.187208577776590710853865174371617338991e-11, 0.957694196677572570319816780188718518330e-10, -0.372895101408779549368465614321137048875e-8,
		0.111902032818095784414237782071368805120e-6, -0.250963301609117217660068889165550534856e-5, 0.394201182359318128221229891724947048771e-4,
		-0.384240921114946632192116762889211361285e-3, 0.173611107357320220183368594093166520811e-2} {
		p = c + float64(xx*p)
	}
	return (xx - 1) * (xx - 4) * (xx - 9) * (xx - 16) * p
}

func box(float64) float64        { return 1 }
func tent(x float64) float64     { return max(1-x, 0) }
func parabola(x float64) float64 { return max(1-float64(x*x), 0) }

// windowed is a sinc of some lobes times a window, which ends with them.
func windowed(lobes float64, window func(x float64) float64) filter {
	return filter{lobes, func(x float64) float64 { return nearSinc(x) * window(x/lobes) }}
}

// sharpened narrows a filter.
func sharpened(f filter, by float64) filter {
	return filter{f.reach * by, func(x float64) float64 { return f.weight(x / by) }}
}

// bessel is the modified Bessel function of the first kind and order 0.
func bessel(x float64) float64 {
	sum, term := 1.0, 1.0
	for i := 1.0; term > 1e-12*sum; i++ {
		term = float64(term * (x * x / 4 / (i * i)))
		sum += term
	}
	return sum
}

const jincZero = 3.2383154841662362 // the third zero of jinc, where that filter ends

var filters = map[string]filter{
	"point": {0, box}, "box": {0.5, box}, "triangle": {1, tent},
	"hermite": {1, cubic(0, 0)}, "cubic": {2, cubic(1, 0)}, "spline": {2, cubic(1, 0)}, "catrom": {2, cubic(0, 0.5)}, "mitchell": {2, cubic(1./3, 1./3)},
	"robidoux":       {2, cubic(0.37821575509399867, 0.31089212245300067)},
	"robidoux-sharp": {2, cubic(0.2620145123990142, 0.3689927438004929)},
	"gaussian":       {2, func(x float64) float64 { return math.Exp(-2 * x * x) }},
	"quadratic": {1.5, func(x float64) float64 {
		if x < 0.5 {
			return 0.75 - float64(x*x)
		}
		return max(1.5-x, 0) * max(1.5-x, 0) / 2
	}},
	"lagrange": {2, func(x float64) float64 {
		n, v := math.Floor(2+x), 1.0
		for i := range 4 {
			if float64(i) != n {
				v *= (n - float64(i) - x) / (n - float64(i))
			}
		}
		return v
	}},
	"sinc":     {4, sinc},
	"bartlett": windowed(4, tent),
	"hanning":  windowed(4, func(x float64) float64 { return 0.5 + float64(0.5*math.Cos(math.Pi*x)) }),
	"hamming":  windowed(4, func(x float64) float64 { return 0.54 + float64(0.46*math.Cos(math.Pi*x)) }),
	"blackman": windowed(4, func(x float64) float64 {
		return 0.42 + float64(0.5*math.Cos(math.Pi*x)) + float64(0.08*math.Cos(2*math.Pi*x))
	}),
	"bohman": windowed(4, func(x float64) float64 {
		return float64((1-x)*math.Cos(math.Pi*x)) + math.Abs(math.Sin(math.Pi*x))/math.Pi
	}),
	"kaiser":         windowed(4, func(x float64) float64 { return bessel(6.5*math.Sqrt(parabola(x))) / bessel(6.5) }),
	"parzen":         windowed(4, func(x float64) float64 { return cubic(1, 0)(2 * x) }),
	"welsh":          windowed(3, parabola),
	"cosine":         windowed(3, func(x float64) float64 { return math.Cos(math.Pi / 2 * x) }),
	"lanczos":        windowed(3, nearSinc),
	"lanczos-radius": windowed(3, nearSinc),
	"lanczos-sharp":  sharpened(windowed(3, nearSinc), 0.9812505644269356),
	"lanczos2":       windowed(2, nearSinc),
	"lanczos2-sharp": sharpened(windowed(2, nearSinc), 0.9549963639785485),
	"jinc":           jinc,
	"bessel":         jinc,
}

var jinc = filter{jincZero, func(x float64) float64 {
	if x == 0 {
		return math.Pi / 2
	}
	return math.J1(math.Pi*x) / x
}}

// filterNames lists the filters.
func filterNames() string { return strings.Join(slices.Sorted(maps.Keys(filters)), ", ") }

func checkFilter(name string) error {
	if _, ok := filters[name]; !ok {
		return fmt.Errorf("there are %s", filterNames())
	}
	return nil
}

// deep is a picture with 16 bits a channel, the top row first.
type deep struct {
	w, h int
	pix  [][4]uint16
}

func deepen(im *Image) *deep {
	d := &deep{im.Width, im.Height, make([][4]uint16, len(im.Pix))}
	for y := range im.Height {
		for x, v := range im.Pix[(im.Height-1-y)*im.Width:][:im.Width] {
			d.pix[y*im.Width+x] = [4]uint16{uint16(v&255) * 257, uint16(v>>8&255) * 257, uint16(v>>16&255) * 257, uint16(v>>24) * 257}
		}
	}
	return d
}

// smaller returns the picture with sides divided by 2^level.
func (d *deep) smaller(f filter, level int) *deep {
	columns := &deep{d.w, d.h >> level, make([][4]uint16, d.w*d.h>>level)}
	for y, taps := range f.taps(d.h, level) {
		for x := range d.w {
			columns.pix[y*d.w+x] = taps.sum(d.pix[taps.first*d.w+x:], d.w)
		}
	}
	out := &deep{d.w >> level, columns.h, make([][4]uint16, d.w>>level*columns.h)}
	for x, taps := range f.taps(d.w, level) {
		for y := range out.h {
			out.pix[y*out.w+x] = taps.sum(columns.pix[y*d.w+taps.first:], 1)
		}
	}
	return out
}

// taps are the texels of which one of a smaller picture consists.
type taps struct {
	first   int
	weights []float64
}

func (f filter) taps(n, level int) []taps {
	const epsilon = 1e-12 // as in ImageMagick: a texel on the edge belongs to the left
	factor := float64(int(1) << level)
	scale := factor + epsilon
	reach := scale * f.reach
	if reach < 0.5 {
		reach, scale = 0.5, 1
	}
	list := make([]taps, n>>level)
	for i := range list {
		middle := float64((float64(i)+0.5)*factor) + epsilon
		t := taps{first: int(max(middle-reach+0.5, 0))}
		sum := 0.0
		for k := t.first; k < int(min(middle+reach+0.5, float64(n))); k++ {
			w := f.weight(math.Abs(float64(k)-middle+0.5) / scale)
			t.weights = append(t.weights, w)
			sum += w
		}
		for k := range t.weights {
			t.weights[k] /= sum
		}
		list[i] = t
	}
	return list
}

func (t *taps) sum(pix [][4]uint16, step int) (out [4]uint16) {
	var c [3]float64
	var alpha, clear float64
	for i, w := range t.weights {
		p := &pix[i*step]
		a := w * float64(p[3]) / 65535
		for k := range c {
			c[k] += float64(a * float64(p[k]))
		}
		alpha += a
		clear += float64(w * float64(65535-p[3]))
	}
	if alpha != 0 {
		for k := range c {
			out[k] = quantum(c[k] / alpha)
		}
	}
	out[3] = 65535 - quantum(clear)
	return out
}

func quantum(v float64) uint16 { return uint16(min(max(v+0.5, 0), 65535)) }
