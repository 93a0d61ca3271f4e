package blame

import (
	"context"
	"image"
	"io"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"pica200/assets/picatrace"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// noise returns a picture without repeating parts.
func noise(w, h int) *picture {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &picture{w, h, make([][3]uint8, w*h)}
	for i := range p.pix {
		p.pix[i] = [3]uint8{uint8(rng.Uint32()), uint8(rng.Uint32()), uint8(rng.Uint32())}
	}
	return p
}

// waves returns a picture with slow changes and no repetition, in which a search by samples converges.
func waves(w, h int) *picture {
	p := &picture{w: w, h: h}
	for y := range h {
		for x := range w {
			at := func(a, b float64) uint8 {
				return uint8(128 + 100*math.Sin(a*float64(x)+b*float64(y)+a*b*float64(x*y)/9))
			}
			p.pix = append(p.pix, [3]uint8{at(0.05, 0.02), at(-0.03, 0.07), at(0.02, -0.06)})
		}
	}
	return p
}

// part returns the w x h part of a picture at x, y.
func (p *picture) part(x, y, w, h int) *picture {
	q := &picture{w: w, h: h}
	for row := range h {
		q.pix = append(q.pix, p.pix[(y+row)*p.w+x:][:w]...)
	}
	return q
}

// A GPU that has drawn nothing has the screens as candidates and no render target.
func TestCandidatesBeforeAnyDraw(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	for name, want := range map[string][]string{"": {"top screen", "bottom screen"}, "target": nil, "nothing": nil} {
		var names []string
		for _, c := range candidates(g, name) {
			names = append(names, c.name)
		}
		require.Len(t, names, len(want), "%q: %q", name, names)
	}
}

// Four quarter turns are the identity, two are a half turn; a mirrored picture has its columns reversed before it is turned.
func TestPictureQuarterTurns(t *testing.T) {
	p := noise(3, 2)
	q := p.oriented(1)
	require.Equal(t, []int{2, 3}, []int{q.w, q.h})
	for y := range p.h {
		for x := range p.w {
			require.Equal(t, p.at(x, y), q.at(p.h-1-y, x), "one quarter turn to the right")
		}
	}
	require.Equal(t, p.oriented(2), q.oriented(1))
	require.Equal(t, p.oriented(3), q.oriented(2))
	require.Equal(t, p, q.oriented(3))
	require.Equal(t, p, p.oriented(0))
	for orientation := range 4 {
		plain, mirrored := p.oriented(orientation), p.oriented(orientation|4)
		for y := range plain.h {
			for x := range plain.w {
				require.Equal(t, plain.at(x, y), mirrored.at(plain.w-1-x, y), "%d", orientation)
			}
		}
	}
}

// The distance is the mean over the overlap plus a penalty for the part outside of it, at any sampling step. Too little overlap or
// too large a distance gives none.
func TestPictureDistance(t *testing.T) {
	flat := func(w, h int, v uint8) *picture {
		p := &picture{w: w, h: h}
		for range w * h {
			p.pix = append(p.pix, [3]uint8{v, v + 1, v + 2})
		}
		return p
	}
	p, q := flat(20, 15, 10), flat(10, 9, 13)
	for step := 1; step <= 4; step++ {
		require.InDelta(t, 3, distance(p, q, 4, 5, step, 100), 1e-9, "step %d", step)
		require.InDelta(t, 0.8*3+0.2*missing, distance(p, q, 12, 0, step, 100), 1e-9, "a fifth of the picture lies outside")
		require.InDelta(t, clipped, distance(p, flat(10, 9, 200), 3, 3, step, 100), 1e-9)
	}
	require.InDelta(t, 3, distance(p, q, 4, 5, 1, 3), 1e-9, "a distance equal to the limit is found")
	for _, at := range [][2]int{{17, 0}, {0, 13}, {20, 0}, {-10, 0}, {0, 15}, {0, -9}, {-8, 0}} {
		require.Equal(t, math.Inf(1), distance(p, q, at[0], at[1], 1, 100), "%v", at)
	}
	require.Equal(t, math.Inf(1), distance(p, q, 4, 5, 1, 2.9))
	require.Equal(t, math.Inf(1), distance(p, q, 12, 0, 1, 4), "the penalty for the part outside exceeds the limit")
}

// align finds the exact offset of a part.
func TestPlaceFindsOffset(t *testing.T) {
	p := waves(70, 50)
	for _, at := range [][2]int{{0, 0}, {1, 3}, {17, 9}, {30, 18}} {
		q := p.part(at[0], at[1], 40, 32)
		dx, dy, d := align(t.Context(), p, q, within, 10)
		require.Equal(t, [3]any{at[0], at[1], 0.0}, [3]any{dx, dy, d})
		dx, dy, d = align(t.Context(), q, p, within, 10)
		require.Equal(t, [3]any{-at[0], -at[1], 0.0}, [3]any{dx, dy, d})
	}
	// The returned distance is taken over all pixels, not over the samples of the search.
	q := p.part(17, 9, 40, 32)
	for i := range q.pix {
		q.pix[i][i%3] ^= uint8(i & 1 * 3)
	}
	dx, dy, d := align(t.Context(), p, q, within, 10)
	require.Equal(t, [2]int{17, 9}, [2]int{dx, dy})
	require.Equal(t, distance(p, q, 17, 9, 1, 10), d)
	require.NotEqual(t, distance(p, q, 17, 9, 2, 10), d)
	dx, dy, d = align(t.Context(), p, p, same, 10)
	require.Equal(t, [3]any{0, 0, 0.0}, [3]any{dx, dy, d})
	// Two pictures that overlap only in part.
	dx, dy, d = align(t.Context(), p.part(0, 0, 60, 50), p.part(9, 5, 61, 45), across, 20)
	require.Equal(t, [2]int{9, 5}, [2]int{dx, dy})
	require.InDelta(t, missing*(1-51.0*45/(61*45)), d, 1e-6)
	_, _, d = align(t.Context(), p, noise(40, 32), within, 10)
	require.Equal(t, math.Inf(1), d)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, d = align(gone, p, p.part(1, 1, 40, 32), within, 10)
	require.Equal(t, math.Inf(1), d)
}

// A dark screenshot matches the dark target, not a blank screen that is close to it but not a good match. If our screen is as
// blank, or nothing else matches, the screen is chosen.
func TestDarkScreenshots(t *testing.T) {
	solid := func(c uint8) *picture {
		p := &picture{40, 30, make([][3]uint8, 40*30)}
		for i := range p.pix {
			p.pix[i] = [3]uint8{c, c, c}
		}
		return p
	}
	lines := func(rows int) *picture { // a few bright rows on black
		p := solid(0)
		for i := range rows * p.w {
			p.pix[5*p.w+i] = [3]uint8{200, 200, uint8(i)}
		}
		return p
	}
	for _, c := range []struct {
		name           string
		theirs, target *picture
		want           string
	}{
		{"dark, and a fault in the target", lines(6), lines(4), "target"},
		{"dark, as it should be", lines(6), lines(6), "target"},
		{"blank", solid(0), lines(6), "top"},
		{"nothing like the target", lines(2), solid(255).checked(), "top"},
	} {
		s := search{theirs: c.theirs, views: map[view]*picture{}, list: []candidate{
			{name: "top", pic: solid(0), plain: true}, {name: "target", pic: c.target}}}
		s.run(t.Context())
		require.NotNil(t, s.best, c.name)
		require.Equal(t, c.want, s.best.screen, c.name)
	}
}

// checked replaces every other pixel by a blue.
func (p *picture) checked() *picture {
	for i := range p.pix {
		if i%2 == 0 {
			p.pix[i] = [3]uint8{99, 120, 180}
		}
	}
	return p
}

// A part of fewer than 8 pixels in width or height is not searched for.
func TestSmallPartsAreNotSearched(t *testing.T) {
	p := waves(40, 40)
	for size, found := range map[int]bool{7: false, 8: true} {
		for _, q := range []*picture{p.part(5, 6, size, 20), p.part(5, 6, 20, size)} {
			s := search{theirs: q, list: []candidate{{name: "top", pic: p}}, views: map[view]*picture{}}
			s.try(t.Context(), within, false, 10)
			require.Equal(t, found, s.best != nil, "%dx%d", q.w, q.h)
			if found {
				require.Equal(t, [3]int{5, 6, 0}, [3]int{s.best.dx, s.best.dy, s.best.at.orientation})
			}
		}
	}
}

// A picture counts as enlarged if the corners of every third square are close to its centre: the limit itself passes, squares in
// between and cut-off squares are ignored.
func TestEnlargedPictureIsRecognized(t *testing.T) {
	for _, n := range []int{3, 5} {
		// Of seven by four squares, six count, each with four corners and three channels.
		const most = 8
		for _, c := range []struct {
			w, h, x, y, by int
			want           bool
		}{
			{7, 4, 0, 0, 0, true}, {7, 4, 0, 0, 6 * most, true}, {7, 4, 0, 0, 6*most + 1, false}, {7, 4, 0, 0, -6 * most, true}, {7, 4, 0, 0, -6*most - 1, false},
			{7, 4, 3, 0, 6*most + 1, false}, {7, 4, 6, 0, 6*most + 1, false}, {7, 4, 0, 3, 6*most + 1, false}, {7, 4, 3, 3, 6*most + 1, false}, {7, 4, 6, 3, 6*most + 1, false},
			{7, 4, 1, 0, 99, true}, {7, 4, 2, 0, 99, true}, {7, 4, 4, 0, 99, true}, {7, 4, 5, 3, 99, true}, {7, 4, 0, 1, 99, true}, {7, 4, 6, 2, 99, true},
			{1, 1, 0, 0, most, true}, {1, 1, 0, 0, most + 1, false},
		} {
			for cut := range 2 {
				p := &picture{w: c.w*n - cut, h: c.h * n}
				for y := range p.h {
					for x := range p.w {
						at := [3]uint8{uint8(x / n * 20), 100, uint8(y / n * 30)}
						if x/n == c.x && y/n == c.y && (x%n == 0 || x%n == n-1) && (y%n == 0 || y%n == n-1) {
							at = [3]uint8{uint8(int(at[0]) + c.by), uint8(int(at[1]) + c.by), uint8(int(at[2]) + c.by)}
						}
						p.pix = append(p.pix, at)
					}
				}
				if c.by < 0 { // keeps channels from going below 0
					for i := range p.pix {
						for k := range p.pix[i] {
							p.pix[i][k] += 80
						}
					}
				}
				if cut == 0 {
					require.Equal(t, c.want, p.enlarged(n), "%d, %+v", n, c)
				} else if c.x == c.w-1 {
					require.True(t, p.enlarged(n), "cut off: %d, %+v", n, c)
				}
			}
		}
	}
}

// FuzzBlame compares any picture with any trace: the result is an error or a consistent report.
func FuzzBlame(f *testing.F) {
	for _, file := range testkit.Own(f) {
		if data := file.Read(f); len(data) < 16<<10 {
			f.Add(data, uint16(64), uint16(48), []byte{1, 2, 3, 4})
			f.Add(data, uint16(200), uint16(120), []byte{0})
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, w, h uint16, pix []byte) {
		trace, err := picatrace.Parse(data)
		if err != nil || trace.Frames() == 0 || trace.Frames() > 4 || len(pix) == 0 {
			return
		}
		shot := image.NewNRGBA(image.Rect(0, 0, int(w%300), int(h%300)))
		for i := range shot.Pix {
			shot.Pix[i] = pix[i%len(pix)]
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		r, err := pipeline.NewReplayer(trace, pipeline.ReplayerOptions{Options: pipeline.Options{Workers: 1}})
		if err != nil {
			return
		}
		defer r.GPU.Close()
		rep, err := Run(ctx, r, shot, Options{Frame: trace.Frames() - 1, Tolerance: 2})
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		require.LessOrEqual(t, rep.Differing, rep.Compared)
		require.LessOrEqual(t, rep.Compared, rep.Ours.Rect.Dx()*rep.Ours.Rect.Dy())
		for _, s := range rep.Suspects {
			require.LessOrEqual(t, s.Differing, min(rep.Differing, s.Reach))
			require.GreaterOrEqual(t, s.Score, 0.0)
			require.LessOrEqual(t, s.Score, 1.0)
		}
		require.NoError(t, rep.WriteHTML(io.Discard, "fuzz"))
		rep.WriteText(io.Discard)
	})
}
