package texture

import (
	"cmp"
	"fmt"
	"slices"

	"pica200/internal/stdsort"
)

// Pictures of an atlas get the positions that tex3ds gives them: the largest
// first, each where most of its outline touches others or the edge, upright or
// turned by 90 degrees, in the smallest sheet for which this ends well.

// rectangle is the position of a picture in a sheet, from the sheet's top left. w and h
// are the picture's, as it lies there.
type rectangle struct {
	image, x, y, w, h int
	turned            bool
}

// maxAtlas bounds the pictures of an atlas: the search takes time by the cube
// of their number.
const maxAtlas = 1024

// largerArea orders rectangles by area, then by their longer side, then by
// width.
func largerArea(aw, ah, bw, bh int) int {
	return cmp.Or(cmp.Compare(aw*ah, bw*bh), cmp.Compare(max(aw, ah), max(bw, bh)), cmp.Compare(aw, bw))
}

// arrange finds positions for pictures and the size of their sheet. gap is how many
// texels stay free at the left and the top of each picture, and at the right and
// bottom of the sheet.
func arrange(images []*Image, gap int) (rectangles []rectangle, w, h int, err error) {
	if len(images) > maxAtlas {
		return nil, 0, 0, fmt.Errorf("%d pictures, at most %d are put into an atlas", len(images), maxAtlas)
	}
	order := make([]int, len(images))
	area := 0
	for i, im := range images {
		order[i] = i
		area += (im.Width + gap) * (im.Height + gap)
	}
	stdsort.Sort(order, func(a, b *int) bool {
		p, q := images[*a], images[*b]
		return largerArea(p.Width, p.Height, q.Width, q.Height) < 0
	})
	largest := images[order[len(order)-1]]
	least := powerOfTwo(min(largest.Width, largest.Height))
	var sheets []sheetPlan
	for h := least; h <= MaxSize; h *= 2 {
		for w := least; w <= MaxSize; w *= 2 {
			if (w-gap)*(h-gap) >= area {
				sheets = append(sheets, sheetPlan{w: w - gap, h: h - gap})
			}
		}
	}
	slices.SortFunc(sheets, func(a, b sheetPlan) int { return largerArea(a.w, a.h, b.w, b.h) })
	for i := range sheets {
		if s := &sheets[i]; s.fill(images, order, gap) {
			for k := range s.placed {
				p := &s.placed[k]
				p.x, p.y, p.w, p.h = p.x+gap, p.y+gap, p.w-gap, p.h-gap
			}
			return s.placed, s.w + gap, s.h + gap, nil
		}
	}
	return nil, 0, 0, fmt.Errorf("%d pictures do not fit into a texture of %dx%d", len(images), MaxSize, MaxSize)
}

// sheetPlan is a sheet that is being filled.
type sheetPlan struct {
	w, h   int
	placed []rectangle
	used   []bool  // texels
	free   []point // corners where a picture may go, by x, then y
}

type point struct{ x, y int }

func (s *sheetPlan) taken(x, y int) bool { return x < s.w && y < s.h && s.used[y*s.w+x] }

// fill places the pictures from the last to the first of order, and reports
// whether all found a position.
func (s *sheetPlan) fill(images []*Image, order []int, gap int) bool {
	s.used, s.free = make([]bool, s.w*s.h), []point{{0, 0}}
	for _, i := range slices.Backward(order) {
		w, h := images[i].Width+gap, images[i].Height+gap
		var best rectangle
		at, score := point{}, 0
		for _, f := range s.free {
			for _, p := range [2]rectangle{{i, f.x, f.y, w, h, false}, {i, f.x, f.y, h, w, true}} {
				if p.turned && w == h {
					continue
				}
				s.push(&p)
				if n := s.contact(&p); n > score {
					best, at, score = p, f, n
				}
			}
		}
		if score == 0 {
			return false
		}
		s.put(best, at)
	}
	return true
}

// push moves a picture whose corner touches something on one side towards the
// other side, until it touches there too.
func (s *sheetPlan) push(p *rectangle) {
	left := p.x == 0 || s.taken(p.x-1, p.y)
	up := p.y == 0 || s.taken(p.x, p.y-1)
	switch {
	case left && up:
	case left:
		for p.y--; p.y > 0 && !s.taken(p.x, p.y-1); p.y-- {
		}
	default:
		for p.x--; p.x > 0 && !s.taken(p.x-1, p.y); p.x-- {
		}
	}
}

// contact is how many texels of a picture's outline touch others or the edge of
// the sheet; 0 if it overlaps something.
func (s *sheetPlan) contact(p *rectangle) (n int) {
	if p.x+p.w > s.w || p.y+p.h > s.h {
		return 0
	}
	for i := range s.placed {
		b := &s.placed[i]
		across := min(p.x+p.w, b.x+b.w) - max(p.x, b.x)
		down := min(p.y+p.h, b.y+b.h) - max(p.y, b.y)
		switch {
		case across > 0 && down > 0:
			return 0
		case across == 0 && down > 0:
			n += down
		case down == 0 && across > 0:
			n += across
		}
	}
	for _, edge := range [4]struct {
		touches bool
		length  int
	}{{p.x == 0, p.h}, {p.x+p.w == s.w, p.h}, {p.y == 0, p.w}, {p.y+p.h == s.h, p.w}} {
		if edge.touches {
			n += edge.length
		}
	}
	return n
}

// put places a picture that came from a free corner.
func (s *sheetPlan) put(p rectangle, from point) {
	s.placed = append(s.placed, p)
	for y := p.y; y < p.y+p.h; y++ {
		row := s.used[y*s.w+p.x:][:p.w]
		for x := range row {
			row[x] = true
		}
	}
	s.free = slices.DeleteFunc(s.free, func(f point) bool { return f == from })
	for _, f := range [2]point{{p.x + p.w, p.y}, {p.x, p.y + p.h}} {
		if f.x < s.w && f.y < s.h {
			s.free = append(s.free, f)
		}
	}
	s.free = slices.DeleteFunc(s.free, func(f point) bool { return s.taken(f.x, f.y) })
	slices.SortFunc(s.free, func(a, b point) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y)) })
	s.free = slices.Compact(s.free)
}

// sheet copies pictures into one. Transparent texels become black, as with
// tex3ds; filters mix them with their neighbours.
func sheet(images []*Image, rectangles []rectangle, w, h int) *Image {
	out := NewImage(w, h)
	for _, p := range rectangles {
		im := images[p.image]
		for y := range im.Height {
			for x, v := range im.Pix[(im.Height-1-y)*im.Width:][:im.Width] { // rows of an Image run upwards
				col, row := p.x+x, p.y+y
				if p.turned { // anticlockwise
					col, row = p.x+y, p.y+im.Width-1-x
				}
				if v>>24 != 0 {
					out.Pix[(h-1-row)*w+col] = v
				}
			}
		}
	}
	return out
}

func powerOfTwo(n int) int {
	p := MinSize
	for p < n {
		p *= 2
	}
	return p
}
