package fragment

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// fieldScene is a small draw through the whole stage: a quad with different attributes at its corners over 16x16 pixels of noise.
type fieldScene struct {
	regs   pica.Regs
	tables Tables
	memory sceneMemory
	target raster.Target
	corner [4]pica.ScreenVertex
	draws  int // how often the quad is drawn

	with     simd.Kernels
	warnings []string // of the program, after render
}

const (
	sceneSize   = 16
	sceneMemoff = 0x18000000
)

// sceneMemory maps one range of noise.
type sceneMemory []byte

func (m sceneMemory) Slice(addr, n uint32) ([]byte, error) {
	if addr < sceneMemoff || uint64(addr)+uint64(n) > sceneMemoff+uint64(len(m)) {
		return nil, fmt.Errorf("no memory at %#08x", addr)
	}
	return m[addr-sceneMemoff:][:n], nil
}
func (sceneMemory) Generation(addr, n uint32) uint64 { return 1 }

// sceneNoise is the memory of all scenes. Neighbouring bytes differ little: filtering shows, but pictures stay recognizable.
var sceneNoise = func() sceneMemory {
	m := make(sceneMemory, 1<<20)
	r := rand.New(rand.NewPCG(9, 9))
	for i := range m {
		m[i] = byte(r.Uint32())
	}
	return m
}()

// newFieldScene makes a scene that draws the vertex colour with all writes enabled, changed by setup.
func newFieldScene(setup func(s *fieldScene)) *fieldScene {
	s := &fieldScene{memory: sceneNoise, draws: 1}
	rng := rand.New(rand.NewPCG(7, 7))
	s.target = raster.Target{
		Width: sceneSize, Height: sceneSize, ColorFormat: pica.ColorFormatRGBA8, DepthFormat: pica.DepthFormatD24S8,
		Color: randomBytes(rng, sceneSize*sceneSize*4), Depth: randomBytes(rng, sceneSize*sceneSize*4),
	}
	for k := range s.corner {
		v := &s.corner[k]
		v.X, v.Y = int32(k&1)*sceneSize*16, int32(k>>1)*sceneSize*16
		v.Z, v.InvW = -0.1-0.25*float32(k), 1-0.2*float32(k)
		for i := range v.Vertex {
			v.Vertex[i] = rng.Float32()
		}
		// Quaternions that rotate the normal, and coordinates beyond the edges.
		for i := range 4 {
			v.Vertex[pica.SemQuatX+pica.Semantic(i)] = rng.Float32()*1.4 - 0.5
		}
		for _, sem := range []pica.Semantic{pica.SemTexCoord0U, pica.SemTexCoord1U, pica.SemTexCoord2U} {
			v.Vertex[sem] = -0.6 + 1.9*float32(k&1) + 0.1*float32(k)
			v.Vertex[sem+1] = -0.4 + 1.7*float32(k>>1) + 0.1*float32(k)
		}
	}
	r := &s.regs
	pica.FramebufferNoFlip.SetBool(r, true)
	for i := range numStages {
		s.stage(i, pica.CombineReplace, pica.SourcePrevious)
	}
	s.stage(0, pica.CombineReplace, pica.SourcePrimaryColor)
	r[pica.RegColorbufferWrite], r[pica.RegDepthbufferWrite] = 0xF, 3
	r[pica.RegColorbufferRead], r[pica.RegDepthbufferRead] = 0xF, 3
	for _, f := range []pica.Field{pica.ColorMaskR, pica.ColorMaskG, pica.ColorMaskB, pica.ColorMaskA, pica.DepthWriteEnable, pica.ColorOperationBlend} {
		f.SetBool(r, true)
	}
	pica.BlendRgbSource.Set(r, uint32(pica.FactorOne))
	pica.BlendAlphaSource.Set(r, uint32(pica.FactorOne))
	setup(s)
	return s
}

// stage sets the sources and the function of a combiner stage, for colour and alpha.
func (s *fieldScene) stage(i int, f pica.Combine, src ...pica.Source) {
	at := pica.TexenvOffset(i)
	for h := range 2 {
		for j, v := range src {
			texenvFields[h].source[j].At(at).Set(&s.regs, uint32(v))
		}
		texenvFields[h].function.At(at).Set(&s.regs, uint32(f))
	}
}

// texture binds a 16x16 RGBA8 texture of noise to a unit.
func (s *fieldScene) texture(i int) {
	r, at := &s.regs, pica.TexunitOffset(i)
	unitEnable[i].SetBool(r, true)
	pica.TexunitWidth.At(at).Set(r, 16)
	pica.TexunitHeight.At(at).Set(r, 16)
	pica.TexunitMagFilter.At(at).Set(r, 1)
	pica.TexunitMinFilter.At(at).Set(r, 1)
	pica.TexunitWrapS.At(at).Set(r, uint32(pica.WrapClampToBorder))
	pica.TexunitWrapT.At(at).Set(r, uint32(pica.WrapClampToBorder))
	pica.TexunitAddr.At(at).Set(r, sceneMemoff>>3+uint32(i)*0x1000)
	r[pica.RegTexunit0BorderColor+at] = 0x80A04060
}

// addQuad queues the two triangles of a quad.
func addQuad(q *raster.Queue, corner *[4]pica.ScreenVertex) {
	n := uint32(len(q.Vertices))
	for i := range corner {
		q.Add(&corner[i])
	}
	q.Triangles = append(q.Triangles, raster.Triangle{n, n + 1, n + 2}, raster.Triangle{n + 1, n + 3, n + 2})
}

// draw draws the scene in a view. The pixels of alone, if any, are shaded in a batch of their own.
func (s *fieldScene) draw(e *Engine, view View, alone *raster.Rect) error {
	e.Kernels, s.target.Kernels = s.with, s.with
	p, err := e.Draw(&State{Regs: &s.regs, Tables: &s.tables, Memory: s.memory, Target: &s.target, View: view})
	if err != nil {
		return err
	}
	s.warnings = p.Warnings
	d := &raster.Draw{
		Layout: pica.WholeVertex, Target: &s.target, Shader: p, Bounds: raster.Rect{X1: s.target.Width - 1, Y1: s.target.Height - 1}, DepthScale: -1,
	}
	if alone != nil {
		d.Alone, d.HasAlone = *alone, true
	}
	q := raster.Queue{Kernels: s.with}
	for range s.draws {
		addQuad(&q, &s.corner)
		q.Commit(d)
	}
	q.Flush(1, inTurn)
	return nil
}

// render draws the scene and returns all output bytes: colour buffer, depth buffer and gas feedback.
func (s *fieldScene) render() ([]byte, error) {
	c, e := s.clone(), NewEngine(1)
	if err := c.draw(e, ViewFinal, nil); err != nil {
		return nil, err
	}
	s.warnings = c.warnings
	top := e.TakeGasMaximum()
	return append(append(c.target.Color, c.target.Depth...), byte(top>>8), byte(top)), nil
}

// picture shows the colour buffer on the left and the depth buffer, with its stencil as alpha, on the right.
func (s *fieldScene) picture(out []byte) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, 2*sceneSize, sceneSize))
	for y := range int32(sceneSize) {
		for x := range int32(sceneSize) {
			i := s.target.PixelIndex(x, y) * 4
			c, d := out[i:], out[sceneSize*sceneSize*4+i:]
			img.SetNRGBA(int(x), int(y), color.NRGBA{c[3], c[2], c[1], c[0]})
			img.SetNRGBA(int(x)+sceneSize, int(y), color.NRGBA{d[2], d[1], d[0], d[3]})
		}
	}
	return img
}

// Each scene equals its stored picture exactly.
func TestScenesEqualTheirPictures(t *testing.T) {
	for _, sc := range fieldScenes {
		t.Run(sc.name, func(t *testing.T) {
			s := newFieldScene(sc.setup)
			out := testkit.Must(s.render())(t)
			got := s.picture(out)
			name := filepath.Join("testdata", "scenes", sc.name+".png")
			if testkit.Updating() {
				require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
				f := testkit.Must(os.Create(name))(t)
				require.NoError(t, png.Encode(f, got))
				require.NoError(t, f.Close())
				return
			}
			f := testkit.Must(os.Open(name))(t)
			defer f.Close()
			img := testkit.Must(png.Decode(f))(t)
			want, ok := img.(*image.NRGBA)
			require.True(t, ok, "%s is not an RGBA picture", name)
			require.Equal(t, want.Pix, got.Pix)
		})
	}
}

// inTurn runs f for each of n bins in order.
func inTurn(n int, f func(i, worker int)) {
	for i := range n {
		f(i, 0)
	}
}

// fieldScenes are the scenes that fieldTable refers to.
var fieldScenes = []struct {
	name  string
	setup func(s *fieldScene)
}{
	{"textures", sceneTextures},
	{"mipmaps", sceneMipmaps},
	{"filters", sceneFilters},
	{"cube", func(s *fieldScene) { sceneSpecial(s, pica.TextureCube) }},
	{"projection", func(s *fieldScene) { sceneSpecial(s, pica.TextureProjection) }},
	{"shadow-texture", func(s *fieldScene) { sceneSpecial(s, pica.TextureShadow2D) }},
	{"shadow-cube", func(s *fieldScene) { sceneSpecial(s, pica.TextureShadowCube) }},
	{"proctex", sceneProcTex},
	{"combiners", sceneCombiners},
	{"combiner-buffer", sceneCombinerBuffer},
	{"fog", sceneFog},
	{"gas-accumulate", sceneGasAccumulate},
	{"gas-shade", sceneGasShade},
	{"shadow-write", sceneShadowWrite},
	{"blend", sceneBlend},
	{"logic-op", sceneLogicOp},
	{"alpha-test", sceneAlphaTest},
	{"depth-stencil", sceneDepthStencil},
	{"stencil-pass", sceneStencilPass},
	{"depth-locked", sceneDepthLocked},
	{"unread", sceneUnread},
	{"lights", sceneLights},
	{"lights-shadow", sceneLightsShadow},
	{"lights-bump", sceneLightsBump},
	{"lights-tangent", sceneLightsTangent},
	{"lights-bump-proctex", sceneLightsBumpProcTex},
	{"proctex-far", func(s *fieldScene) { // levels 4 to 7
		sceneProcTex(s)
		bias := pica.Float16.Encode(2)
		pica.ProctexBiasLow.Set(&s.regs, bias&255)
		pica.ProctexBiasHigh.Set(&s.regs, bias>>8)
		pica.ProctexLodMin.Set(&s.regs, 4)
		pica.ProctexLodMax.Set(&s.regs, 7)
		s.regs[pica.RegTexunit3Proctex6] = 0x40302010
	}},
}

func sceneTextures(s *fieldScene) {
	for i := range 3 {
		s.texture(i)
	}
	s.stage(0, pica.CombineReplace, pica.SourceTexture0)
	s.stage(1, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture1)
	s.stage(2, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture2)
	for k := range s.corner { // the coordinates of units 1 and 2 differ
		s.corner[k].Vertex[pica.SemTexCoord2U] += 0.3
	}
}

// sceneMipmaps has textures of three levels, all visible on the quad.
func sceneMipmaps(s *fieldScene) {
	sceneTextures(s)
	for i := range 3 {
		at := pica.TexunitOffset(i)
		pica.TexunitWidth.At(at).Set(&s.regs, 32)
		pica.TexunitHeight.At(at).Set(&s.regs, 32)
		pica.TexunitMipFilter.At(at).Set(&s.regs, 1)
		pica.TexunitLodMax.At(at).Set(&s.regs, 2)
		pica.TexunitWrapS.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
		pica.TexunitWrapT.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
	}
}

// sceneFilters magnifies at one end of the quad and minifies at the other.
func sceneFilters(s *fieldScene) {
	sceneTextures(s)
	for k := range s.corner {
		s.corner[k].InvW = 1 - 0.95*float32(k&1)
		for _, sem := range []pica.Semantic{pica.SemTexCoord0U, pica.SemTexCoord1U, pica.SemTexCoord2U} {
			s.corner[k].Vertex[sem] *= 1 + 3*float32(k&1)
			s.corner[k].Vertex[sem+1] *= 0.3
		}
	}
	for i := range 3 {
		at := pica.TexunitOffset(i)
		pica.TexunitMinFilter.At(at).Set(&s.regs, 0)
		pica.TexunitWrapS.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
		pica.TexunitWrapT.At(at).Set(&s.regs, uint32(pica.WrapRepeat))
	}
}

func sceneSpecial(s *fieldScene, kind pica.TextureType) {
	s.texture(0)
	s.stage(0, pica.CombineReplace, pica.SourceTexture0)
	r := &s.regs
	pica.TexunitType.Set(r, uint32(kind))
	pica.TexunitShadowBias.Set(r, 0x1000)
	for i := range 5 {
		pica.TexunitAddrFace.At(pica.Reg(i)).Set(r, uint32(i+1)*0x80)
	}
	for k := range s.corner {
		v := &s.corner[k]
		switch kind {
		case pica.TextureCube, pica.TextureShadowCube: // around a corner of the cube and its opposite
			v.Vertex[pica.SemTexCoord0U] = []float32{1, -1, 0.9, -0.8}[k]
			v.Vertex[pica.SemTexCoord0V] = []float32{0.9, 1, -1, -0.9}[k]
			v.Vertex[pica.SemTexCoord0W] = []float32{1, 0.8, -0.9, -1}[k]
		default:
			v.Vertex[pica.SemTexCoord0W] = 0.3 + 0.2*float32(k)
		}
	}
}

func sceneProcTex(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 3))
	s.tables = *randomProcTables(rng)
	for i := range s.tables.ProcColor { // neighbours and levels differ
		s.tables.ProcColor[i] = rng.Uint32()
	}
	s.stage(0, pica.CombineReplace, pica.SourceTexture3)
	r := &s.regs
	pica.TexunitEnable3.SetBool(r, true)
	pica.ProctexClampU.Set(r, uint32(pica.ProcClampMirroredRepeat))
	pica.ProctexClampV.Set(r, uint32(pica.ProcClampSymmetricalRepeat))
	pica.ProctexRgbMap.Set(r, uint32(pica.ProcMapAdd))
	pica.ProctexAlphaMap.Set(r, uint32(pica.ProcMapU))
	pica.ProctexAlphaSeparate.SetBool(r, true)
	pica.ProctexNoiseEnable.SetBool(r, true)
	pica.ProctexShiftU.Set(r, uint32(pica.ProcShiftOdd))
	pica.ProctexShiftV.Set(r, uint32(pica.ProcShiftEven))
	bias := pica.Float16.Encode(0.08)
	pica.ProctexBiasLow.Set(r, bias&255)
	pica.ProctexBiasHigh.Set(r, bias>>8)
	pica.ProctexNoiseAmplitudeU.Set(r, 800)
	pica.ProctexNoiseAmplitudeV.Set(r, 600)
	pica.ProctexNoisePhaseU.SetFloat(r, 0.3)
	pica.ProctexNoisePhaseV.SetFloat(r, 0.6)
	pica.ProctexNoiseFrequencyU.SetFloat(r, 0.7)
	pica.ProctexNoiseFrequencyV.SetFloat(r, 0.4)
	pica.ProctexMinFilter.Set(r, uint32(pica.ProcFilterLinearMipmapLinear))
	pica.ProctexLodMin.Set(r, 0)
	pica.ProctexLodMax.Set(r, 3)
	pica.ProctexWidth.Set(r, 128)
	pica.ProctexOffset1.Set(r, 0x80)
	pica.ProctexOffset2.Set(r, 0xC0)
	pica.ProctexOffset3.Set(r, 0xE0)
	for k := range s.corner {
		s.corner[k].InvW = 1 - 0.9*float32(k&1)
		s.corner[k].Vertex[pica.SemTexCoord0U] = float32(k&1) * 7
		s.corner[k].Vertex[pica.SemTexCoord0V] = float32(k>>1) * 2.4
		s.corner[k].Vertex[pica.SemTexCoord1U] += 0.2
	}
}

// sceneCombiners makes the result depend on every argument of every stage.
func sceneCombiners(s *fieldScene) {
	s.texture(0)
	for i := range numStages {
		at := pica.TexenvOffset(i)
		s.stage(i, pica.CombineInterpolate, pica.SourcePrevious, pica.SourceConstant, pica.SourceTexture0)
		s.regs[pica.RegTexenv0Color+at] = 0x60A04080 + uint32(i)*0x08101810
		pica.TexenvRgbOperand2.At(at).Set(&s.regs, uint32(pica.OperandSrcGreen))
		pica.TexenvAlphaOperand2.At(at).Set(&s.regs, uint32(pica.OperandASrcRed))
	}
	s.stage(0, pica.CombineInterpolate, pica.SourcePrimaryColor, pica.SourceConstant, pica.SourceTexture0)
}

func sceneCombinerBuffer(s *fieldScene) {
	r := &s.regs
	r[pica.RegTexenvBufferColor] = 0x30507090
	for i := range numStages {
		s.stage(i, pica.CombineAddSigned, pica.SourcePreviousBuffer, pica.SourceConstant)
		r[pica.RegTexenv0Color+pica.TexenvOffset(i)] = 0x70888C90
	}
	// The buffer takes the colour after stages 2 and 3 and the alpha after 0 and 1; stages 1 to 5 read its previous colours.
	s.stage(1, pica.CombineAddSigned, pica.SourcePrimaryColor, pica.SourceConstant)
	for i := 2; i < numStages; i++ {
		s.stage(i, pica.CombineAdd, pica.SourcePreviousBuffer, pica.SourcePrevious)
	}
}

func sceneFog(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 4))
	s.tables = *randomGasTables(rng)
	pica.TexenvUpdateFogMode.Set(&s.regs, uint32(pica.FogModeFog))
	s.regs[pica.RegFogColor] = 0x00C08040
}

func sceneGasAccumulate(s *fieldScene) {
	r := &s.regs
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeGas))
	pica.GasDeltaz.SetFloat(r, 2.5)
	pica.GasDeltazFunc.Set(r, uint32(pica.GasDepthLess))
	clear(s.target.Color)
	s.draws = 3
}

func sceneGasShade(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 5))
	s.tables = *randomGasTables(rng)
	s.texture(0)
	pica.TexunitMagFilter.Set(&s.regs, 0)
	pica.TexunitMinFilter.Set(&s.regs, 0)
	// A gas buffer with densities 0 to 2.
	s.memory = append(sceneMemory(nil), sceneNoise[:1<<16]...)
	for i := 0; i < 1024; i += 4 {
		d1, d2 := floatToHalf(rng.Float32()*2), floatToHalf(rng.Float32())
		s.memory[i], s.memory[i+1], s.memory[i+2], s.memory[i+3] = byte(d1>>8), byte(d1), byte(d2>>8), byte(d2)
	}
	r := &s.regs
	s.stage(5, pica.CombineReplace, pica.SourcePrimaryColor, pica.SourcePrevious, pica.SourceTexture0)
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeGas))
	pica.GasAccmax.SetFloat(r, 0.4)
	pica.GasAttenuation.SetFloat(r, 0.7)
	r[pica.RegGasLightXy] = 0x60_60_10
	r[pica.RegGasLightZ] = 0x50_50_08
	r[pica.RegGasLightZColor] = 0x100 | 0x90
}

func sceneShadowWrite(s *fieldScene) {
	r := &s.regs
	pica.ColorOperationMode.Set(r, uint32(pica.FragmentModeShadow))
	pica.FragopShadowConstant.SetFloat(r, 1.3)
	pica.FragopShadowLinear.SetFloat(r, -0.9)
	pica.AlphaTestEnable.SetBool(r, true) // never; must have no effect
}

func sceneBlend(s *fieldScene) {
	r := &s.regs
	pica.BlendRgbSource.Set(r, uint32(pica.FactorSrcAlpha))
	pica.BlendRgbDest.Set(r, uint32(pica.FactorConstColor))
	pica.BlendAlphaSource.Set(r, uint32(pica.FactorOneMinusDstAlpha))
	pica.BlendAlphaDest.Set(r, uint32(pica.FactorConstAlpha))
	r[pica.RegBlendColor] = 0x50A070C0
}

func sceneLogicOp(s *fieldScene) {
	pica.ColorOperationBlend.Set(&s.regs, 0)
	pica.LogicOpFunc.Set(&s.regs, uint32(pica.LogicOpXor))
}

func sceneAlphaTest(s *fieldScene) {
	pica.AlphaTestEnable.SetBool(&s.regs, true)
	pica.AlphaTestFunc.Set(&s.regs, uint32(pica.CompareGreater))
	pica.AlphaTestRef.Set(&s.regs, 0x80)
}

func sceneDepthStencil(s *fieldScene) {
	r := &s.regs
	pica.DepthTestEnable.SetBool(r, true)
	pica.DepthTestFunc.Set(r, uint32(pica.CompareLess))
	pica.StencilTestEnable.SetBool(r, true)
	pica.StencilTestFunc.Set(r, uint32(pica.CompareGreater))
	pica.StencilTestWriteMask.Set(r, 0x7E)
	pica.StencilTestRef.Set(r, 0x65)
	pica.StencilTestMask.Set(r, 0xE7)
	pica.StencilOpFail.Set(r, uint32(pica.StencilIncrement))
	pica.StencilOpZFail.Set(r, uint32(pica.StencilInvert))
	pica.StencilOpZPass.Set(r, uint32(pica.StencilReplace))
}

func sceneStencilPass(s *fieldScene) {
	r := &s.regs
	pica.StencilTestEnable.SetBool(r, true)
	pica.StencilTestFunc.Set(r, uint32(pica.CompareAlways))
	pica.StencilTestWriteMask.Set(r, 0xFF)
	pica.StencilOpZPass.Set(r, uint32(pica.StencilDecrementWrap))
}

// sceneDepthLocked has a write-protected depth and stencil buffer.
func sceneDepthLocked(s *fieldScene) {
	sceneStencilPass(s)
	s.regs[pica.RegDepthbufferWrite] = 0
}

// sceneUnread tests and blends without read access to the buffers.
func sceneUnread(s *fieldScene) {
	sceneDepthStencil(s)
	sceneBlend(s)
	s.regs[pica.RegColorbufferRead], s.regs[pica.RegDepthbufferRead] = 0, 0
}

// sceneLights uses all eight lights in layer configuration 7 and adds both results.
func sceneLights(s *fieldScene) {
	rng := rand.New(rand.NewPCG(3, 13))
	s.tables = *randomTables(rng)
	r := &s.regs
	pica.LightingEnable.SetBool(r, true)
	pica.LightingNumLights.Set(r, 7)
	pica.LightingLayer.Set(r, uint32(pica.LightLayer7))
	pica.LightingFresnel.Set(r, uint32(pica.FresnelBoth))
	r[pica.RegLightingAmbient] = 0x00302010
	for i := range pica.NumLights {
		at := pica.Reg(i) * pica.StrideLight
		pica.LightingPermutation(i).Set(r, uint32(i^5))
		for _, reg := range []pica.Reg{pica.RegLight0Specular0, pica.RegLight0Specular1, pica.RegLight0Diffuse, pica.RegLight0Ambient} {
			r[reg+at] = rng.Uint32() & 0x03F0FC3F
		}
		pica.LightX.At(at).SetFloat(r, rng.Float32()*4-2)
		pica.LightY.At(at).SetFloat(r, rng.Float32()*4-2)
		pica.LightZ.At(at).SetFloat(r, rng.Float32()*4-1)
		pica.LightSpotX.At(at).Set(r, uint32(rng.IntN(2400)-1200))
		pica.LightSpotY.At(at).Set(r, uint32(rng.IntN(2400)-1200))
		pica.LightSpotZ.At(at).Set(r, uint32(rng.IntN(2400)-1200))
		pica.LightAttenuationScale.At(at).SetFloat(r, 0.2)
		pica.LightAttenuationBias.At(at).SetFloat(r, 0.1)
		pica.LightGeomFactor0.At(at).SetBool(r, i%2 == 0)
		pica.LightGeomFactor1.At(at).SetBool(r, i%3 == 0)
		pica.LightTwoSideDiffuse.At(at).SetBool(r, true)
	}
	for k, in := range []pica.LutInput{pica.LutInputNH, pica.LutInputVH, pica.LutInputSP, pica.LutInputNV, pica.LutInputLN, pica.LutInputCP, pica.LutInputNH} {
		fieldsInput[k].Set(r, uint32(in))
		fieldsSigned[k].SetBool(r, true)
	}
	s.stage(0, pica.CombineAdd, pica.SourceFragmentPrimary, pica.SourceFragmentSecondary)
}

// sceneLightsShadow has eight lights with a shadow texture.
func sceneLightsShadow(s *fieldScene) {
	sceneLights(s)
	r := &s.regs
	pica.LightingNumLights.Set(r, 7)
	s.texture(1)
	pica.LightingShadowEnable.SetBool(r, true)
	pica.LightingShadowTexture.Set(r, 1)
	pica.LightingShadowPrimary.SetBool(r, true)
	pica.LightingShadowSecondary.SetBool(r, true)
	pica.LightingShadowAlpha.SetBool(r, true)
	pica.LightingClampHighlights.SetBool(r, true)
	for i := range pica.NumLights {
		pica.LightTwoSideDiffuse.At(pica.Reg(i)*pica.StrideLight).SetBool(r, false)
	}
}

func sceneLightsBump(s *fieldScene) {
	sceneLights(s)
	s.texture(2)
	pica.LightingBumpMode.Set(&s.regs, uint32(pica.BumpNormal))
	pica.LightingBumpTexture.Set(&s.regs, 2)
	pica.LightingNumLights.Set(&s.regs, 1)
}

func sceneLightsTangent(s *fieldScene) {
	sceneLightsBump(s)
	pica.LightingBumpMode.Set(&s.regs, uint32(pica.BumpTangent))
}

// sceneLightsBumpProcTex takes the bump vectors from the procedural texture, which no combiner reads.
func sceneLightsBumpProcTex(s *fieldScene) {
	sceneProcTex(s)
	tables := s.tables
	sceneLights(s)
	tables.Light = s.tables.Light
	s.tables = tables
	pica.LightingBumpMode.Set(&s.regs, uint32(pica.BumpNormal))
	pica.LightingBumpTexture.Set(&s.regs, 3)
}
