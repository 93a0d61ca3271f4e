package fragment

import (
	"math"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// vertexColor interpolates the vertex colour and rounds it to 8 bits. If a
// triangle or the whole batch has a single colour, it is rounded once.
func vertexColor(m *machine) {
	if m.b.Packed { // its weights may be no numbers, which the colour then shows even if it is flat
		f := m.f[fScratch0:][:len(vertexColors)]
		m.b.InterpolateAll(vertexColors[:], f)
		for ch := range f {
			m.roundPrimary(ch, &f[ch])
		}
		return
	}
	if x, same := m.b.SameAtAll(pica.SemColorR); same {
		for ch := range x {
			m.holdPrimary(ch, nearestByte(x[ch]))
		}
		return
	}
	for ch, s := range vertexColors {
		if !m.flatColor(s, ch) {
			f := &m.f[fScratch0]
			m.b.Interpolate(s, f)
			m.roundPrimary(ch, f)
		}
	}
}

// vertexColors are the components of the vertex colour.
var vertexColors = [...]pica.Semantic{pica.SemColorR, pica.SemColorG, pica.SemColorB, pica.SemColorA}

// roundPrimary fills a channel of the vertex colour.
func (m *machine) roundPrimary(ch int, f *raster.Plane) {
	m.primary[ch] = 0
	toBytes(m.with, m.n, f, &m.c[cPrimary][ch])
}

// holdPrimary fills a channel of the vertex colour, unless it holds this value already.
func (m *machine) holdPrimary(ch int, v uint8) {
	if now := uint16(v) + 256; m.primary[ch] != now {
		m.primary[ch], m.c[cPrimary][ch] = now, sameBytes[v]
	}
}

// flatColor fills a channel that is the same at all vertices of each triangle.
// It returns false if it differs for one of them.
func (m *machine) flatColor(s pica.Semantic, ch int) bool {
	values, flat := m.b.Flat(s)
	if !flat {
		return false
	}
	first, same := uint8(0), true
	for i := range values {
		x := values[i][0]
		if math.IsInf(float64(x), 0) {
			return false
		}
		v := nearestByte(x)
		if i == 0 {
			first = v
		}
		same = same && v == first
	}
	if same {
		m.holdPrimary(ch, first)
		return true
	}
	m.primary[ch] = 0
	dst := &m.c[cPrimary][ch]
	at := 0
	for i, n := range m.b.Runs() {
		lanes := int(n) * raster.BlockPixels
		copy(dst[at:][:lanes], sameBytes[nearestByte(values[i][0])][:])
		at += lanes
	}
	return true
}

// nearestByte converts 0..1 to 0..255, rounded to nearest. Values outside, and
// NaN, give the nearer bound.
func nearestByte(x float32) uint8 {
	x = float32(x*255) + 0.5
	if !(x > 0) {
		x = 0
	}
	if x > 255 {
		x = 255
	}
	return uint8(int32(x))
}

// toBytes is nearestByte for all lanes.
func toBytes(with simd.Kernels, n int, src *raster.Plane, dst *Bytes) {
	if simd.Vectors && with.Vector() {
		toBytesVector(&src[0], &dst[0], n)
		return
	}
	for i, x := range src[:n] {
		dst[i] = nearestByte(x)
	}
}
