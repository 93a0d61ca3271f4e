package fragment

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
)

// benchScene is a screen of 240x400 with a state that benchmarks change.
type benchScene struct {
	regs   pica.Regs
	tables Tables
	target *raster.Target
	engine *Engine
	memory noMemory
}

func newBenchScene() *benchScene {
	s := &benchScene{engine: NewEngine(1), memory: noMemory{make([]byte, 1<<20)}}
	s.target = &raster.Target{
		Width: 240, Height: 400, ColorFormat: pica.ColorFormatRGBA8, DepthFormat: pica.DepthFormatD24S8,
		Color: make([]byte, 240*400*4), Depth: make([]byte, 240*400*4),
	}
	r := &s.regs
	for i := range 6 {
		texenvFields[0].source[0].At(pica.TexenvOffset(i)).Set(r, uint32(pica.SourcePrevious))
		texenvFields[1].source[0].At(pica.TexenvOffset(i)).Set(r, uint32(pica.SourcePrevious))
	}
	r[pica.RegColorbufferWrite], r[pica.RegDepthbufferWrite] = 0xF, 3
	r[pica.RegColorbufferRead], r[pica.RegDepthbufferRead] = 0xF, 3
	for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA, pica.DepthWriteEnable, pica.DepthTestEnable, pica.ColorOperationBlend} {
		f.SetBool(r, true)
	}
	pica.DepthTestFunc.Set(r, uint32(pica.CompareGreaterEqual))
	pica.BlendRgbSource.Set(r, uint32(pica.FactorOne))
	pica.BlendAlphaSource.Set(r, uint32(pica.FactorOne))
	return s
}

// stage sets the sources and the function of a combiner stage, for colour and alpha.
func (s *benchScene) stage(i int, f pica.Combine, src ...pica.Source) {
	at := pica.TexenvOffset(i)
	for h := range 2 {
		for j, v := range src {
			texenvFields[h].source[j].At(at).Set(&s.regs, uint32(v))
		}
		texenvFields[h].function.At(at).Set(&s.regs, uint32(f))
	}
}

// texture binds a decoded 256x256 texture of noise to a unit.
func (s *benchScene) texture(i int) {
	r, at := &s.regs, pica.TexunitOffset(i)
	unitEnable[i].SetBool(r, true)
	pica.TexunitWidth.At(at).Set(r, 256)
	pica.TexunitHeight.At(at).Set(r, 256)
	pica.TexunitMagFilter.At(at).Set(r, 1)
	pica.TexunitMinFilter.At(at).Set(r, 1)
	pica.TexunitWrapS.At(at).Set(r, uint32(pica.WrapRepeat))
	pica.TexunitWrapT.At(at).Set(r, uint32(pica.WrapRepeat))
	addr := pica.TexunitAddr.At(at)
	addr.Set(r, uint32(i+1))
	t := &texels{data: make([]uint32, 256*256), generation: 1}
	for k := range t.data {
		t.data[k] = uint32(k) * 2654435761
	}
	if s.engine.textures.entries == nil {
		s.engine.textures.entries = map[textureKey]*texels{}
	}
	t.key = textureKey{addr.Addr(r), 256, 256, 1, 0}
	s.engine.textures.entries[t.key] = t
}

// BenchmarkFill draws full-screen quads and reports the time per fragment.
func BenchmarkFill(b *testing.B) {
	states := []struct {
		name string
		set  func(s *benchScene)
	}{
		{"color", func(s *benchScene) { s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor) }},
		{"texture", func(s *benchScene) {
			s.texture(0)
			s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
		}},
		{"heavy", func(s *benchScene) {
			s.texture(0)
			s.texture(1)
			s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
			s.stage(1, pica.CombineInterpolate, pica.SourcePrevious, pica.SourceTexture1, pica.SourceConstant)
			s.stage(2, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture1)
			s.stage(3, pica.CombineMultAdd, pica.SourcePrevious, pica.SourceConstant, pica.SourcePreviousBuffer)
			pica.BlendRgbSource.Set(&s.regs, uint32(pica.FactorSrcAlpha))
			pica.BlendRgbDest.Set(&s.regs, uint32(pica.FactorOneMinusSrcAlpha))
			pica.AlphaTestEnable.SetBool(&s.regs, true)
			pica.AlphaTestFunc.Set(&s.regs, uint32(pica.CompareGreater))
		}},
	}
	for _, st := range states {
		b.Run(st.name, func(b *testing.B) {
			s := newBenchScene()
			st.set(s)
			p, err := s.engine.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: s.target})
			require.NoError(b, err)
			d := &raster.Draw{
				Layout: pica.WholeVertex, Target: s.target, Shader: p, Bounds: raster.Rect{X1: 239, Y1: 399}, DepthScale: -1,
				Early: true, EarlyFunc: pica.CompareGreaterEqual,
			}
			var q raster.Queue
			b.ReportAllocs()
			for b.Loop() {
				for k := range int32(4) {
					v := pica.ScreenVertex{X: k & 1 * 3840, Y: k >> 1 * 6400, Z: -0.5, InvW: 1 + 0.1*float32(k)}
					for i := range v.Vertex {
						v.Vertex[i] = float32(k&1) + 0.3*float32(k>>1)
					}
					q.Add(&v)
				}
				q.Triangles = append(q.Triangles, raster.Triangle{0, 1, 2}, raster.Triangle{1, 3, 2})
				q.Commit(d)
				q.Flush(1, inTurn)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(240*400), "ns/fragment")
		})
	}
}
