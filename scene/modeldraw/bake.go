package modeldraw

import (
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/assets/model"
	"pica200/pica"
)

// Baking of what combiners do to a material's texture, for formats with one
// colour and one texture for each material.

// mixed returns the colour, 0 to 1, that the combiners compute from the vertex
// colour and texture 0. It assumes white light without highlights, and white
// for other units. ok is false if the combiner buffer is used.
func (l *materialState) mixed(vertex, texel mgl32.Vec4) (out mgl32.Vec4, ok bool) {
	white := mgl32.Vec4{1, 1, 1, 1}
	for i := range l.Fragment.Combiners {
		c := &l.Fragment.Combiners[i]
		var op [3]mgl32.Vec4 // operands
		for k := range op {
			var from [2]mgl32.Vec4
			for half := range from {
				switch pica.Source(c.Command[0] >> (16*half + 4*k) & 15) {
				case pica.SourcePrimaryColor:
					from[half] = vertex
				case pica.SourceFragmentPrimary:
					from[half] = l.colors[2] // diffuse
					from[half][3] = 1
				case pica.SourceFragmentSecondary:
					from[half] = mgl32.Vec4{}
				case pica.SourceTexture0:
					from[half] = texel
				case pica.SourcePreviousBuffer:
					return out, false
				case pica.SourceConstant:
					from[half] = l.constant(c.Constant)
				case pica.SourcePrevious:
					from[half] = out
				default:
					from[half] = white
				}
			}
			op[k] = operand(pica.OperandRGB(c.Command[2]>>(4*k)&15), pica.OperandAlpha(c.Command[2]>>(12+4*k)&7), from)
		}
		rgb := combine(pica.Combine(c.Command[3]&15), &op)
		alpha := combine(pica.Combine(c.Command[3]>>16&15), &op)
		if pica.Combine(c.Command[3]&15) == pica.CombineDot3RGBA {
			alpha = rgb
		}
		rgb = rgb.Mul(float32(int(1) << (c.Command[5] & 3)))
		alpha = alpha.Mul(float32(int(1) << (c.Command[5] >> 16 & 3)))
		out = mgl32.Vec4{rgb[0], rgb[1], rgb[2], alpha[3]}
		for k := range out {
			out[k] = mgl32.Clamp(out[k], 0, 1)
		}
	}
	return out, true
}

// operand applies the operands of a stage for colour and alpha.
func operand(rgb pica.OperandRGB, alpha pica.OperandAlpha, from [2]mgl32.Vec4) (v mgl32.Vec4) {
	for k := range v {
		of, inverted := alpha.Reads()
		if k < 3 {
			of, inverted = rgb.Reads(k)
		}
		v[k] = from[k/3][of]
		if inverted {
			v[k] = 1 - v[k]
		}
	}
	return v
}

// combine is the function of a stage.
func combine(f pica.Combine, op *[3]mgl32.Vec4) (v mgl32.Vec4) {
	if f == pica.CombineDot3RGB || f == pica.CombineDot3RGBA {
		sum := float32(0)
		for k := range 3 {
			sum += float32(4 * float32((op[0][k]-0.5)*(op[1][k]-0.5)))
		}
		return mgl32.Vec4{sum, sum, sum, sum}
	}
	for k := range v {
		a, b, c := op[0][k], op[1][k], op[2][k]
		switch f {
		case pica.CombineReplace:
			v[k] = a
		case pica.CombineModulate:
			v[k] = a * b
		case pica.CombineAdd:
			v[k] = a + b
		case pica.CombineAddSigned:
			v[k] = a + b - 0.5
		case pica.CombineInterpolate:
			v[k] = float32(a*c) + float32(b*(1-c))
		case pica.CombineSubtract:
			v[k] = a - b
		case pica.CombineMultAdd:
			v[k] = float32(a*b) + c
		case pica.CombineAddMult:
			v[k] = float32(min(a+b, 1) * c)
		}
	}
	return v
}

// bake puts the effect of a material's combiners into its colour or, if it is
// not a product with a colour, into its own picture. It reports whether vertex
// colours are used.
func (e *exporter) bake(name string, m *cgfx.Material, out *model.Material) (vertexColors bool) {
	if m.Fragment == nil {
		return true
	}
	l := e.s.stateOf(m, nil, 0)
	white := mgl32.Vec4{1, 1, 1, 1}
	tint, ok := l.mixed(white, white)
	if !ok {
		e.note("material %s: its combiners use their buffer; what they do with the texture is not written", name)
		return true
	}
	opaque := func(c mgl32.Vec4) mgl32.Vec4 {
		if out.Alpha == model.Opaque {
			c[3] = 1
		}
		return c
	}
	probe := mgl32.Vec4{0.25, 0.5, 0.75, 0.5}
	for _, texel := range []mgl32.Vec4{white, probe} {
		a, _ := l.mixed(white, texel)
		b, _ := l.mixed(mgl32.Vec4{0.25, 0.5, 0, 0.5}, texel)
		vertexColors = vertexColors || !near(opaque(a), opaque(b))
	}
	if out.Base.Image < 0 {
		out.BaseColor = opaque(tint)
		return vertexColors
	}
	got, _ := l.mixed(white, probe)
	without, _ := l.mixed(white, mgl32.Vec4{})
	product := mgl32.Vec4{}
	for k := range product {
		product[k] = tint[k] * probe[k]
	}
	switch {
	case near(opaque(got), opaque(product)) && near(opaque(without), opaque(mgl32.Vec4{})):
		out.BaseColor = opaque(tint)
	case near(opaque(got), opaque(tint)) && near(opaque(without), opaque(tint)):
		out.BaseColor, out.Base = opaque(tint), model.NoTexture
	default:
		out.Base.Image = e.baked(name, out.Base.Image, func(c mgl32.Vec4) mgl32.Vec4 {
			v, _ := l.mixed(white, c)
			return opaque(v)
		})
	}
	return vertexColors
}

// near reports whether two colours differ by less than two steps of 255.
func near(a, b mgl32.Vec4) bool {
	for k := range a {
		if mgl32.Abs(a[k]-b[k]) > 2.0/255 {
			return false
		}
	}
	return true
}

// mostBaked bounds the texels of all pictures that combiners change.
const mostBaked = 1 << 22

// baked adds a picture with the colours of another one changed.
func (e *exporter) baked(name string, n int, change func(mgl32.Vec4) mgl32.Vec4) int {
	src := e.out.Images[n]
	if e.texels += len(src.Pix.Pix) / 4; e.texels > mostBaked {
		e.note("material %s: what its combiners do with the texture is not written: the pictures have more than %d texels", name, mostBaked)
		return n
	}
	pix := image.NewNRGBA(src.Pix.Rect)
	known := map[[4]uint8][4]uint8{}
	for at := 0; at < len(pix.Pix); at += 4 {
		was := [4]uint8(src.Pix.Pix[at : at+4])
		now, ok := known[was]
		if !ok {
			var c mgl32.Vec4
			for k := range c {
				c[k] = float32(was[k]) / 255
			}
			c = change(c)
			for k := range c {
				now[k] = uint8(float32(c[k]*255) + 0.5)
			}
			known[was] = now
		}
		copy(pix.Pix[at:], now[:])
	}
	e.out.Images = append(e.out.Images, model.Image{Name: src.Name + "_" + name, Pix: pix})
	return len(e.out.Images) - 1
}
