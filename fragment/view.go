package fragment

import (
	"fmt"
	"math/bits"

	"pica200/pica"
	"pica200/raster"
)

// View selects what a draw writes to the render target: the fragment's colour,
// as the hardware does, or an intermediate result. With any view but ViewFinal,
// nothing is blended and alpha is written as 1. Tests are unchanged, except
// where a view says otherwise.
type View uint8

const (
	ViewFinal       View = iota // what the hardware writes
	ViewVertexColor             // the interpolated vertex colour
	ViewTexture0                // the colour of each texture unit
	ViewTexture1
	ViewTexture2
	ViewTexture3 // the procedural texture
	ViewLightPrimary
	ViewLightSecondary
	ViewStage0 // the result of each combiner stage
	ViewStage1
	ViewStage2
	ViewStage3
	ViewStage4
	ViewStage5
	ViewNormal    // normal in eye space, -1..1 as 0..255
	ViewDepth     // depth, 0 black to 1 white
	ViewWireframe // the edges of triangles, without tests
	ViewOverdraw  // each fragment adds a step of brightness, without tests
	ViewCoverage  // blocks of 4x4 pixels, from blue (one pixel covered) to red (all)
	numViews
)

var viewNames = [numViews]string{
	"final", "vertex-color", "texture0", "texture1", "texture2", "texture3", "light-primary", "light-secondary",
	"stage0", "stage1", "stage2", "stage3", "stage4", "stage5", "normal", "depth", "wireframe", "overdraw", "coverage",
}

// Views lists all views in order.
func Views() []View {
	all := make([]View, numViews)
	for i := range all {
		all[i] = View(i)
	}
	return all
}

func (v View) String() string {
	if v < numViews {
		return viewNames[v]
	}
	return fmt.Sprintf("View(%d)", uint8(v))
}

// ParseView returns the view with a name.
func ParseView(name string) (View, error) {
	for v, n := range viewNames {
		if n == name {
			return View(v), nil
		}
	}
	return 0, fmt.Errorf("there is no view %q; the views are %v", name, viewNames)
}

// compileView returns the last op for a view and the colour that it writes, and
// adds ops that compute it to extra. Views apply to ordinary draws only.
func (c *compiler) compileView(v View, stages *combiner) (o *output, extra []op) {
	color := wholeRef(cView)
	switch {
	case v == ViewVertexColor:
		color = wholeRef(cPrimary)
	case v >= ViewTexture0 && v <= ViewTexture3:
		color = wholeRef(uint8(cTex0 + int(v-ViewTexture0)))
	case v == ViewLightPrimary:
		color = wholeRef(cFragPrimary)
	case v == ViewLightSecondary:
		color = wholeRef(cFragSecondary)
	case v >= ViewStage0 && v <= ViewStage5:
		color = stages.outs[v-ViewStage0]
	case v == ViewNormal:
		c.interpolate(fQuatX, 4)
		extra = append(extra, op{name: "view normal", run: viewNormal})
	case v == ViewDepth:
		extra = append(extra, op{name: "view depth", run: func(m *machine) {
			for ch := red; ch <= blue; ch++ {
				toBytes(m.with, m.n, &m.b.Depth, &m.c[cView][ch])
			}
		}})
	case v == ViewWireframe:
		c.constant(cView, [4]uint8{255, 255, 255, 255})
		extra = append(extra, op{name: "view wireframe", run: viewWireframe})
	case v == ViewOverdraw:
		c.constant(cView, [4]uint8{40, 20, OverdrawStep(c.target.colorFormat), 255})
	case v == ViewCoverage:
		extra = append(extra, op{name: "view coverage", run: viewCoverage})
	}
	c.constant(cOpaque, [4]uint8{255, 255, 255, 255})
	color[alpha] = planeRef{cOpaque, alpha}

	o = compileOutput(c.regs, c.target, color)
	o.mask = [4]bool{true, true, true, true}
	o.writeColor = c.target.color
	o.blend, o.readColor, o.colorZero, o.byAlpha = nil, false, false, false
	switch v {
	case ViewOverdraw:
		one := blendFactors[pica.FactorOne]
		o.blend, o.readColor = &blend{readsDest: true, readsSource: true}, true
		for ch := range o.blend.channel {
			o.blend.channel[ch] = blendChannel{blendAdd, one, one}
		}
		fallthrough
	case ViewWireframe:
		o.stencil, o.depthTest, o.depthRead, o.depthWrite = nil, pica.CompareAlways, false, false
	}
	return o, extra
}

// OverdrawStep is the amount that each fragment adds to a pixel's blue in
// ViewOverdraw: the least step of the colour buffer's format, up to 255.
func OverdrawStep(f pica.ColorFormat) uint8 {
	switch f {
	case pica.ColorFormatRGBA8, pica.ColorFormatRGB8:
		return 1
	case pica.ColorFormatRGBA4:
		return 17
	}
	return 8
}

// viewNormal rotates (0, 0, 1) by the interpolated quaternion.
func viewNormal(m *machine) {
	for i := range m.n {
		x, y, z, w := m.f[fQuatX][i], m.f[fQuatY][i], m.f[fQuatZ][i], m.f[fQuatW][i]
		sq := float32(x*x) + float32(y*y) + float32(z*z) + float32(w*w)
		k := float32(0)
		if sq > 0 {
			k = 1 / sq
		}
		n := [3]float32{
			float32(2 * (float32(x*z) + float32(y*w)) * k),
			float32(2 * (float32(y*z) - float32(x*w)) * k),
			float32((float32(z*z) + float32(w*w) - float32(x*x) - float32(y*y)) * k),
		}
		for ch, c := range n {
			m.c[cView][ch][i] = uint8(int32(min(max(float32(c*127.5)+128, 0), 255)))
		}
	}
}

// viewWireframe drops the pixels that are further than about one pixel from
// every edge: those whose weights are all greater than their change to the next
// pixel.
func viewWireframe(m *machine) {
	abs := func(x float32) float32 { return max(x, -x) }
	for q := 0; q < m.n; q += 4 {
		var step [3]float32
		w := func(i int) [3]float32 {
			return [3]float32{m.b.W0[i], m.b.W1[i], m.b.W2[i]}
		}
		a, b, c := w(q), w(q+1), w(q+2)
		for k := range step {
			step[k] = max(abs(b[k]-a[k]), abs(c[k]-a[k]))
		}
		for i := q; i < q+4; i++ {
			v := w(i)
			if v[0] > step[0] && v[1] > step[1] && v[2] > step[2] {
				m.b.Mask[i/raster.BlockPixels] &^= 1 << (i % raster.BlockPixels)
			}
		}
	}
}

// viewCoverage colours each block by the number of its pixels that are drawn.
func viewCoverage(m *machine) {
	for i := range m.b.Blocks {
		n := bits.OnesCount16(m.b.Mask[i])
		heat := [3]int{n * 17, 4 * n * (16 - n), 272 - n*17}
		for ch, v := range heat {
			p := block(&m.c[cView][ch], i)
			for j := range p {
				p[j] = uint8(min(v, 255))
			}
		}
	}
}
