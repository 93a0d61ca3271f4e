package blame

import (
	"context"
	"image"
	"image/color"
	"math"
)

// picture is an opaque image as rows of colours.
type picture struct {
	w, h int
	pix  [][3]uint8
}

func (p *picture) at(x, y int) [3]uint8 { return p.pix[y*p.w+x] }

func fromImage(img image.Image) *picture {
	b := img.Bounds()
	p := &picture{b.Dx(), b.Dy(), make([][3]uint8, b.Dx()*b.Dy())}
	for y := range p.h {
		for x := range p.w {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			p.pix[y*p.w+x] = [3]uint8{c.R, c.G, c.B}
		}
	}
	return p
}

// oriented returns the picture in one of eight orientations: rotated by quarter
// turns, then mirrored.
func (p *picture) oriented(o int) *picture {
	w, h := p.w, p.h
	if o&1 != 0 {
		w, h = h, w
	}
	q := &picture{w, h, make([][3]uint8, w*h)}
	for y := range h {
		for x := range w {
			sx, sy := x, y
			if o&4 != 0 {
				sx = w - 1 - x
			}
			switch o & 3 {
			case 1:
				sx, sy = sy, p.h-1-sx
			case 2:
				sx, sy = p.w-1-sx, p.h-1-sy
			case 3:
				sx, sy = p.w-1-sy, sx
			}
			q.pix[y*w+x] = p.at(sx, sy)
		}
	}
	return q
}

// shrunk returns the middle pixel of every square of n by n.
func (p *picture) shrunk(n int) *picture {
	q := &picture{p.w / n, p.h / n, nil}
	for y := range q.h {
		for x := range q.w {
			q.pix = append(q.pix, p.at(x*n+n/2, y*n+n/2))
		}
	}
	return q
}

// enlarged reports whether the pixels of n by n squares are nearly equal, as in
// a picture that was enlarged n times.
func (p *picture) enlarged(n int) bool {
	const alike = 8 // mean difference of a channel from the middle's
	sum, count := 0, 0
	for y := 0; y+n <= p.h; y += 3 * n {
		for x := 0; x+n <= p.w; x += 3 * n {
			middle := p.at(x+n/2, y+n/2)
			for _, c := range [][3]uint8{p.at(x, y), p.at(x+n-1, y), p.at(x, y+n-1), p.at(x+n-1, y+n-1)} {
				for k := range c {
					d := int(c[k]) - int(middle[k])
					sum += max(d, -d)
					count++
				}
			}
		}
	}
	return sum <= alike*count
}

// Orientations, by their numbers.
var orientations = [8]string{"as it is", "turned by 90 degrees", "turned by 180 degrees", "turned by 270 degrees",
	"mirrored", "turned by 90 degrees and mirrored", "turned by 180 degrees and mirrored", "turned by 270 degrees and mirrored"}

// maxScale is the greatest scale of a screenshot that is tried.
const maxScale = 8

// clipped bounds the contribution of a channel to the distance of two pictures,
// so that local differences do not hide the right position.
const clipped = 48

// missing is the contribution of a pixel of the smaller picture that is outside
// of the other, so that a small overlap does not win over a complete one.
const missing = clipped / 2

// distance returns the mean distance of two pictures where they overlap, with
// q's corner at dx, dy of p. It samples every step-th pixel and includes the
// part of the smaller picture that is outside. It returns infinity if less than
// a third overlaps, or if the distance exceeds limit.
func distance(p, q *picture, dx, dy, step int, limit float64) float64 {
	x0, y0 := max(0, dx), max(0, dy)
	x1, y1 := min(p.w, dx+q.w), min(p.h, dy+q.h)
	if x1 <= x0 || y1 <= y0 {
		return math.Inf(1)
	}
	share := float64((x1-x0)*(y1-y0)) / float64(min(p.w*p.h, q.w*q.h))
	outside := float64((1 - min(share, 1)) * missing)
	if 3*share < 1 || outside > limit {
		return math.Inf(1)
	}
	inside := min(share, 1)
	n := ((x1 - x0 + step - 1) / step) * ((y1 - y0 + step - 1) / step)
	sum, most := 0, (limit-outside)/inside*float64(3*n)
	for y := y0; y < y1; y += step {
		ours := p.pix[y*p.w+x0:][:x1-x0]
		theirs := q.pix[(y-dy)*q.w+x0-dx:][:len(ours)]
		for x := 0; x < len(ours); x += step {
			a, b := &ours[x], &theirs[x]
			for c := range a {
				d := int(a[c]) - int(b[c])
				sum += min(max(d, -d), clipped)
			}
		}
		if float64(sum) > most {
			return math.Inf(1)
		}
	}
	return float64(float64(sum)/float64(3*n)*inside) + outside
}

// fit is how two pictures may be placed on each other.
type fit uint8

const (
	same   fit = iota // equal size
	within            // one contains the other
	across            // they overlap
)

// align finds the best position of q on p, if its distance is less than limit
// and the context does not end.
func align(ctx context.Context, p, q *picture, how fit, limit float64) (dx, dy int, d float64) {
	if how == same {
		return 0, 0, distance(p, q, 0, 0, 1, limit)
	}
	x0, x1, y0, y1 := 1-q.w, p.w, 1-q.h, p.h
	if how == within {
		x0, x1 = min(0, p.w-q.w), max(0, p.w-q.w)
		y0, y1 = min(0, p.h-q.h), max(0, p.h-q.h)
	}
	// First every fourth position with few samples, then positions around the best
	// one with few, then with all.
	const coarse = 4
	few := max(2, min(min(p.w, q.w), min(p.h, q.h))/16)
	search := func(x0, x1, y0, y1, by, step int, limit float64) bool {
		d = math.Inf(1)
		for y := y0; y <= y1 && ctx.Err() == nil; y += by {
			for x := x0; x <= x1; x += by {
				if e := distance(p, q, x, y, step, min(d, limit)); e < d {
					dx, dy, d = x, y, e
				}
			}
		}
		return !math.IsInf(d, 1)
	}
	if search(x0, x1, y0, y1, coarse, few, 2*limit+8) && search(dx-coarse, dx+coarse, dy-coarse, dy+coarse, 1, few, limit+4) {
		search(dx-1, dx+1, dy-1, dy+1, 1, 1, limit)
	}
	return dx, dy, d
}

// plain reports whether a picture has a single colour, and so fits anywhere.
func (p *picture) plain() bool {
	for _, c := range p.pix {
		if c != p.pix[0] {
			return false
		}
	}
	return true
}
