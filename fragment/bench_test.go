package fragment

import (
	"testing"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// newBenchScene is a quad over a screen of 240x400 pixels, with a depth test.
func newBenchScene() *fieldScene {
	return newFieldScene(func(s *fieldScene) {
		s.target.Width, s.target.Height = 240, 400
		s.target.Color, s.target.Depth = make([]byte, 240*400*4), make([]byte, 240*400*4)
		for k := range s.corner {
			v := &s.corner[k]
			v.X, v.Y, v.Z, v.InvW = int32(k&1)*3840, int32(k>>1)*6400, -0.5, 1+0.1*float32(k)
			for i := range v.Vertex {
				v.Vertex[i] = float32(k&1) + 0.3*float32(k>>1)
			}
		}
		pica.DepthTestEnable.SetBool(&s.regs, true)
		pica.DepthTestFunc.Set(&s.regs, uint32(pica.CompareGreaterEqual))
	})
}

// largeTexture binds a 256x256 texture to a unit.
func (s *fieldScene) largeTexture(i int) {
	s.texture(i)
	at := pica.TexunitOffset(i)
	pica.TexunitWidth.At(at).Set(&s.regs, 256)
	pica.TexunitHeight.At(at).Set(&s.regs, 256)
	pica.TexunitWrapS.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
	pica.TexunitWrapT.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
}

// BenchmarkFill draws full-screen quads in every scene and some usual states, and reports the time per fragment.
func BenchmarkFill(b *testing.B) {
	states := append([]struct {
		name  string
		setup func(s *fieldScene)
	}{
		{"color", func(s *fieldScene) { s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor) }},
		{"texture", func(s *fieldScene) {
			s.largeTexture(0)
			s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
		}},
		{"heavy", func(s *fieldScene) {
			s.largeTexture(0)
			s.largeTexture(1)
			s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
			s.stage(1, pica.CombineInterpolate, pica.SourcePrevious, pica.SourceTexture1, pica.SourceConstant)
			s.stage(2, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture1)
			s.stage(3, pica.CombineMultAdd, pica.SourcePrevious, pica.SourceConstant, pica.SourcePreviousBuffer)
			pica.BlendRgbSource.Set(&s.regs, uint32(pica.FactorSrcAlpha))
			pica.BlendRgbDest.Set(&s.regs, uint32(pica.FactorOneMinusSrcAlpha))
			pica.AlphaTestEnable.SetBool(&s.regs, true)
			pica.AlphaTestFunc.Set(&s.regs, uint32(pica.CompareGreater))
		}},
	}, fieldScenes...)
	for _, st := range states {
		b.Run(st.name, func(b *testing.B) {
			s := newBenchScene()
			st.setup(s)
			s.target.Kernels = simd.Best
			p := testkit.Must(NewEngine(1).Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target}))(b)
			d := &raster.Draw{
				Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: 239, Y1: 399}, DepthScale: -1,
				Early: true, EarlyFunc: pica.CompareGreaterEqual,
			}
			q := raster.Queue{Kernels: simd.Best}
			b.ReportAllocs()
			for b.Loop() {
				addQuad(&q, &s.corner)
				q.Commit(d)
				q.Flush(1, inTurn)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(240*400), "ns/fragment")
		})
	}
}
