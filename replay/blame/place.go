package blame

import (
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

// turned gives the picture as one of eight: turned by quarters, then mirrored.
func (p *picture) turned(o int) *picture {
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

// shrunk takes the pixel in the middle of every square of n by n.
func (p *picture) shrunk(n int) *picture {
	q := &picture{p.w / n, p.h / n, nil}
	for y := range q.h {
		for x := range q.w {
			q.pix = append(q.pix, p.at(x*n+n/2, y*n+n/2))
		}
	}
	return q
}

// Orientations, by their numbers.
var orientations = [8]string{"as it is", "turned by 90 degrees", "turned by 180 degrees", "turned by 270 degrees",
	"mirrored", "turned by 90 degrees and mirrored", "turned by 180 degrees and mirrored", "turned by 270 degrees and mirrored"}

// maxScale is the greatest scale of a screenshot that is looked for.
const maxScale = 8

// clipped is what one channel counts at most for the distance of two pictures, so
// that what differs does not hide where the rest is.
const clipped = 48

// distance is the mean distance of the two where they overlap, q's corner lying
// at dx, dy of p, of every step-th pixel; infinite where less than a quarter of
// the smaller one does, or where it is more than the limit.
func distance(p, q *picture, dx, dy, step int, limit float64) float64 {
	x0, y0 := max(0, dx), max(0, dy)
	x1, y1 := min(p.w, dx+q.w), min(p.h, dy+q.h)
	if x1 <= x0 || y1 <= y0 || 4*(x1-x0)*(y1-y0) < min(p.w*p.h, q.w*q.h) {
		return math.Inf(1)
	}
	n := ((x1 - x0 + step - 1) / step) * ((y1 - y0 + step - 1) / step)
	sum, most := 0, limit*float64(3*n)
	for y := y0; y < y1; y += step {
		for x := x0; x < x1; x += step {
			a, b := p.at(x, y), q.at(x-dx, y-dy)
			for c := range a {
				sum += min(max(int(a[c])-int(b[c]), int(b[c])-int(a[c])), clipped)
			}
		}
		if float64(sum) > most {
			return math.Inf(1)
		}
	}
	return float64(sum) / float64(3*n)
}

// place finds where q lies on p best, if at less than the limit: at the corner if
// they are of one size.
func place(p, q *picture, limit float64) (dx, dy int, d float64) {
	if p.w == q.w && p.h == q.h {
		return 0, 0, distance(p, q, 0, 0, 1, limit)
	}
	const coarse = 4
	d = math.Inf(1)
	step := max(2, min(min(p.w, q.w), min(p.h, q.h))/16)
	for y := -q.h + 1; y < p.h; y += coarse {
		for x := -q.w + 1; x < p.w; x += coarse {
			if e := distance(p, q, x, y, step, min(d, 2*limit+8)); e < d {
				dx, dy, d = x, y, e
			}
		}
	}
	if math.IsInf(d, 1) {
		return dx, dy, d
	}
	bx, by := dx, dy
	d = math.Inf(1)
	for y := by - coarse; y <= by+coarse; y++ {
		for x := bx - coarse; x <= bx+coarse; x++ {
			if e := distance(p, q, x, y, 1, min(d, limit)); e < d {
				dx, dy, d = x, y, e
			}
		}
	}
	return dx, dy, d
}
