package serve

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pica200/tests/testkit"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// shots is the folder of docs/SERVE.md's screenshots, which the test compares with its own.
const shots = "../docs/serve"

// Screenshots are compared in cells of 24 by 24 pixels (mean colours), in areas of 8 by 8 cells. Other fonts and numbers change an
// area's mean a little; a missing or different part changes it by more than maxDistance, of 255 (TestScreenshotsAreDistinguished).
const (
	cell        = 24
	area        = 8
	maxDistance = 9.5
)

// distance compares two screenshots of one size, given as cells: the largest mean channel difference of any area.
func distance(x, y *image.NRGBA) float64 {
	most := 0.0
	for top := 0; top < x.Rect.Dy(); top += area {
		for left := 0; left < x.Rect.Dx(); left += area {
			sum := 0
			for cy := top; cy < min(top+area, x.Rect.Max.Y); cy++ {
				for cx := left; cx < min(left+area, x.Rect.Max.X); cx++ {
					p, q := x.Pix[x.PixOffset(cx, cy):][:3], y.Pix[y.PixOffset(cx, cy):][:3]
					for c := range 3 {
						sum += max(int(p[c]), int(q[c])) - min(int(p[c]), int(q[c]))
					}
				}
			}
			// A narrow area at the edge counts less.
			most = max(most, float64(sum)/(3*area*area))
		}
	}
	return most
}

// cells reduces each cell of a picture to one pixel.
func cells(img *image.NRGBA) *image.NRGBA {
	size := img.Rect.Size().Div(cell)
	out := image.NewNRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			var sum [3]int
			for dy := range cell {
				row := img.Pix[img.PixOffset(img.Rect.Min.X+x*cell, img.Rect.Min.Y+y*cell+dy):][:4*cell]
				for i := 0; i < len(row); i += 4 {
					for c := range 3 {
						sum[c] += int(row[i+c])
					}
				}
			}
			at := out.Pix[out.PixOffset(x, y):][:4]
			for c := range 3 {
				at[c] = uint8(sum[c] / (cell * cell))
			}
			at[3] = 255
		}
	}
	return out
}

// look takes a screenshot.
func (p *tab) look() *image.NRGBA {
	p.t.Helper()
	var data []byte
	var err error
	if p.fox != nil {
		data, err = p.fox.screenshot()
	} else {
		data, err = chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
	}
	require.NoError(p.t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(p.t, err)
	return nrgba(img)
}

// keep compares a screenshot with that of docs/SERVE.md, or writes it with -update. Under -short it compares the first alone.
func (p *tab) keep(name string) {
	p.t.Helper()
	if testkit.Short() && name != "debugger" {
		return
	}
	p.text(`document.getElementById("panel")?.scrollTo(0, 0)`) // clicks may have scrolled the panel
	got := p.look()
	if testkit.Updating() {
		require.NoError(p.t, writeShot(filepath.Join(shots, name+".png"), got))
		return
	}
	want := shot(p.t, filepath.Join(shots, name+".png"))
	require.Equal(p.t, want.Rect, got.Rect, name)
	if d := distance(cells(want), cells(got)); d > maxDistance {
		file := filepath.Join(p.t.ArtifactDir(), name+".png")
		require.NoError(p.t, writeShot(file, got))
		p.t.Errorf("the page looks unlike docs/serve/%s.png (by %.1f, at most %.1f): see %s, which -artifacts keeps", name, d, maxDistance, file)
	}
}

func shot(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	img := testkit.Must(png.Decode(f))(t)
	return nrgba(img)
}

// writeShot writes a picture with 256 colours, chosen one by one from those that differ in their upper five bits: always the one
// with the largest product of pixel count and squared distance from the colours chosen before. Pages have few colours, and the file
// has a third of the size.
func writeShot(path string, img *image.NRGBA) error {
	type entry struct {
		count int
		sum   [3]int
	}
	counts := map[[3]uint8]entry{}
	of := func(i int) [3]uint8 { return [3]uint8{img.Pix[i] >> 3, img.Pix[i+1] >> 3, img.Pix[i+2] >> 3} }
	for i := 0; i < len(img.Pix); i += 4 {
		e := counts[of(i)]
		e.count++
		for c := range 3 {
			e.sum[c] += int(img.Pix[i+c])
		}
		counts[of(i)] = e
	}
	order := slices.SortedFunc(maps.Keys(counts), func(a, b [3]uint8) int { return slices.Compare(a[:], b[:]) })
	far := make([]int, len(order)) // squared distance from the chosen colours
	for i := range far {
		far[i] = 3 * 255 * 255
	}
	var palette color.Palette
	for range min(len(order), 256) {
		best := 0
		for i, k := range order {
			if far[i]*counts[k].count > far[best]*counts[order[best]].count {
				best = i
			}
		}
		e := counts[order[best]]
		chosen := color.NRGBA{uint8(e.sum[0] / e.count), uint8(e.sum[1] / e.count), uint8(e.sum[2] / e.count), 255}
		palette = append(palette, chosen)
		for i, k := range order {
			d := 0
			for c, v := range [3]uint8{chosen.R, chosen.G, chosen.B} {
				d += (int(k[c])<<3 + 4 - int(v)) * (int(k[c])<<3 + 4 - int(v))
			}
			far[i] = min(far[i], d)
		}
		far[best] = 0
	}
	out := image.NewPaletted(img.Rect, palette)
	index := map[[3]uint8]uint8{}
	for i := 0; i < len(img.Pix); i += 4 {
		n, ok := index[of(i)]
		if !ok {
			n = uint8(palette.Index(color.NRGBA{img.Pix[i], img.Pix[i+1], img.Pix[i+2], 255}))
			index[of(i)] = n
		}
		out.Pix[i/4] = n
	}
	var data bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&data, out); err != nil {
		return err
	}
	return os.WriteFile(path, data.Bytes(), 0o666)
}

// Each screenshot differs from every other, from an empty page, and from itself with a third erased; small shifts of text and
// rounded colours do not count.
func TestScreenshotsAreDistinguished(t *testing.T) {
	testkit.Slow(t)
	files := testkit.Must(filepath.Glob(filepath.Join(shots, "*.png")))(t)
	require.Greater(t, len(files), 10)
	var all []*image.NRGBA
	for _, file := range files {
		img := shot(t, file)
		this := cells(img)
		for i, other := range all {
			require.Greater(t, distance(this, other), 1.2*maxDistance, "%s and %s", file, files[i])
		}
		all = append(all, this)

		moved := image.NewNRGBA(img.Rect)
		copy(moved.Pix, img.Pix[img.PixOffset(2, 1):])
		require.Less(t, distance(this, cells(moved)), maxDistance, "%s, moved", file)

		ground := img.Pix[img.PixOffset(img.Rect.Max.X/2, 14):][:4] // colour of the header
		for _, part := range []image.Rectangle{img.Rect, {Min: image.Pt(970, 120), Max: image.Pt(1500, 813)}, {Min: image.Pt(400, 180), Max: image.Pt(960, 780)}} {
			empty := image.NewNRGBA(img.Rect)
			copy(empty.Pix, img.Pix)
			row := bytes.Repeat(ground, part.Dx())
			for y := part.Min.Y; y < part.Max.Y; y++ {
				copy(empty.Pix[empty.PixOffset(part.Min.X, y):], row)
			}
			require.Greater(t, distance(this, cells(empty)), maxDistance, "%s with %v empty", file, part)
		}
	}
}
