package fragment

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// viewed draws a scene in a view and returns its buffers and the number of fragments written.
func (s *fieldScene) viewed(t *testing.T, view View) (color, depth []byte, written uint64) {
	t.Helper()
	c, e := s.clone(), NewEngine(1)
	c.draws = 1
	require.NoError(t, c.draw(e, view, nil))
	return c.target.Color, c.target.Depth, e.Written()
}

// Golden file: what every view of every scene shows, its depth writes, and its combiner stages in words.
func TestViewsOfScenes(t *testing.T) {
	var b strings.Builder
	for _, sc := range fieldScenes {
		s := newFieldScene(sc.setup)
		fmt.Fprintf(&b, "%s\n ", sc.name)
		mode := pica.FragmentMode(pica.ColorOperationMode.Get(&s.regs))
		for _, v := range Views() {
			if v != ViewFinal && mode != 0 {
				continue
			}
			color, depth, n := s.viewed(t, v)
			fmt.Fprintf(&b, " %v %08x %08x %d;", v, crc32.ChecksumIEEE(color), crc32.ChecksumIEEE(depth), n)
		}
		fmt.Fprintf(&b, "\n  reads the colour %v, lights %v\n", ReadsColor(&s.regs), LightsOn(&s.regs))
		list := testkit.Must(CombinersOf(&s.regs))(t)
		for i := range list {
			r := &list[i]
			fmt.Fprintf(&b, "  %s %v %v %v\n", r.Line(), r.Mark, r.Color != nil, r.Link.Register)
		}
	}
	testkit.Golden(t, "testdata/views.txt", []byte(b.String()))
}

// Vector kernels show the same as plain ones in every view, for any blending of the draw.
func TestViewsEqualWithAnyKernels(t *testing.T) {
	for _, sc := range fieldScenes {
		if sc.name != "blend" && sc.name != "depth-stencil" {
			continue
		}
		for _, factors := range [][2]pica.BlendFactor{{pica.FactorSrcAlpha, pica.FactorOneMinusSrcAlpha}, {pica.FactorOne, pica.FactorZero}, {pica.FactorDstColor, pica.FactorOne}} {
			s := newFieldScene(sc.setup)
			s.target.ColorFormat = pica.ColorFormatRGBA8
			pica.ColorOperationBlend.Set(&s.regs, uint32(pica.BlendModeBlend))
			s.regs[pica.RegBlendFunc] = 0
			pica.BlendRgbSource.Set(&s.regs, uint32(factors[0]))
			pica.BlendAlphaSource.Set(&s.regs, uint32(factors[0]))
			pica.BlendRgbDest.Set(&s.regs, uint32(factors[1]))
			pica.BlendAlphaDest.Set(&s.regs, uint32(factors[1]))
			for _, v := range Views() {
				s.with = simd.Plain
				want, depth, _ := s.viewed(t, v)
				s.with = simd.Best
				got, gotDepth, _ := s.viewed(t, v)
				require.Equal(t, want, got, "%s, %v, view %v", sc.name, factors, v)
				require.Equal(t, depth, gotDepth)
			}
		}
	}
}

// The normal view shows (0, 0, 1) rotated by the quaternion; the coverage view gets warmer with the number of drawn pixels.
func TestNormalAndCoverageViewColors(t *testing.T) {
	m := &machine{n: 6, b: &raster.Batch{}}
	half := float32(math.Sqrt(0.5))
	for i, c := range []struct {
		quat [4]float32
		want [3]uint8
	}{
		{[4]float32{0, 0, 0, 1}, [3]uint8{128, 128, 255}}, {[4]float32{half, 0, 0, half}, [3]uint8{128, 0, 128}}, {[4]float32{0, half, 0, half}, [3]uint8{255, 128, 128}},
		{[4]float32{0, 0, 3, 4}, [3]uint8{128, 128, 255}}, {[4]float32{0, 0, 0, 0}, [3]uint8{128, 128, 128}}, {[4]float32{2, 1, -2, 4}, [3]uint8{128, 26, 204}},
	} {
		for k, v := range c.quat {
			m.f[fQuatX+uint8(k)][i] = v
		}
		viewNormal(m)
		got := [3]uint8{m.c[cView][0][i], m.c[cView][1][i], m.c[cView][2][i]}
		for k := range got {
			require.InDelta(t, c.want[k], got[k], 1, "%v", c.quat)
		}
	}
	m.b.Blocks = 4
	copy(m.b.Mask[:], []uint16{0, 0x8001, 0x00FF, 0xFFFF})
	viewCoverage(m)
	for i := range m.b.Blocks {
		n := bits.OnesCount16(m.b.Mask[i])
		want := [3]int{17 * n, min(4*n*(16-n), 255), min(272-17*n, 255)}
		for j := range raster.BlockPixels {
			at := i*raster.BlockPixels + j
			require.Equal(t, [3]int{min(want[0], 255), want[1], want[2]}, [3]int{int(m.c[cView][0][at]), int(m.c[cView][1][at]), int(m.c[cView][2][at])}, "%d pixels", n)
		}
	}
}

// The enabled lights, in the order in which they are computed.
func TestEnabledLightsInOrder(t *testing.T) {
	r := &pica.Regs{}
	pica.LightingNumLights.Set(r, 2)
	for i, n := range []uint32{5, 0, 7} {
		lightOrder[i].Set(r, n)
	}
	require.Nil(t, LightsOn(r))
	pica.LightingEnable.SetBool(r, true)
	require.Equal(t, []int{5, 0, 7}, LightsOn(r))
	pica.LightingDisable.SetBool(r, true)
	require.Nil(t, LightsOn(r))
}

// drawAt draws the scene with all corners at the given z/w.
func (s *fieldScene) drawAt(t *testing.T, e *Engine, z float32, view View, alone *raster.Rect) {
	t.Helper()
	for k := range s.corner {
		s.corner[k].Z = z
	}
	require.NoError(t, s.draw(e, view, alone))
}

func probeScene() *fieldScene {
	s := newBenchScene()
	s.texture(0)
	s.stage(0, pica.CombineModulate, pica.SourceTexture0, pica.SourcePrimaryColor)
	s.stage(1, pica.CombineAddSigned, pica.SourcePrevious, pica.SourceTexture0)
	pica.AlphaTestEnable.SetBool(&s.regs, true)
	pica.AlphaTestFunc.Set(&s.regs, uint32(pica.CompareGreater))
	return s
}

func TestProbeReportsDrawnColors(t *testing.T) {
	const x, y = 101, 77
	plain, e := probeScene(), NewEngine(1)
	for _, z := range []float32{-0.5, -0.25, -0.75} {
		plain.drawAt(t, e, z, ViewFinal, nil)
	}
	s := probeScene()
	var seen []*Record
	e.Watch(&Probe{X: x, Y: y, Seen: func(r *Record) { seen = append(seen, r) }})
	rect := &raster.Rect{X0: x, Y0: y, X1: x, Y1: y}
	for _, z := range []float32{-0.5, -0.25, -0.75} {
		s.drawAt(t, e, z, ViewFinal, rect)
	}
	require.True(t, bytes.Equal(plain.target.Color, s.target.Color), "a probe does not change the colours")
	require.True(t, bytes.Equal(plain.target.Depth, s.target.Depth), "a probe does not change the depths")

	require.Len(t, seen, 3, "one record for each quad")
	require.Equal(t, []Outcome{Written, DepthFailed, Written}, []Outcome{seen[0].Outcome, seen[1].Outcome, seen[2].Outcome})
	r := seen[0]
	require.Equal(t, Pixel{}, r.Before)
	require.Equal(t, r.Color, r.After.Color)
	require.Equal(t, uint32(0x7FFFFF), r.After.Depth)
	require.InDelta(t, 1, r.Weights[0]+r.Weights[1]+r.Weights[2], 1e-6)
	require.True(t, r.Units[0].Read)
	require.False(t, r.Units[1].Read)
	require.Len(t, r.Units[0].Texture.Samples[0].Texels, 4, "bilinear filtering reads four texels")
	for ch := range 4 {
		want := byte255(int(r.Units[0].Color[ch]) * int(r.VertexColor[ch]))
		require.EqualValues(t, want, r.Stages[0].Result[ch])
		require.EqualValues(t, min(max(want+int(r.Units[0].Color[ch])-128, 0), 255), r.Stages[1].Result[ch])
	}
	require.Equal(t, r.Stages[1].Result, r.Stages[5].Result)
	require.Equal(t, seen[1].Before, seen[1].After)

	pica.AlphaTestFunc.Set(&s.regs, uint32(pica.CompareNever))
	s.drawAt(t, e, -0.9, ViewFinal, rect)
	require.Equal(t, AlphaFailed, seen[3].Outcome)
}

// A probe of one target does not see draws to other targets.
func TestProbeIgnoresOtherTargets(t *testing.T) {
	const x, y = 101, 77
	e, watched, other := NewEngine(1), probeScene(), probeScene()
	seen := 0
	rect := &raster.Rect{X0: x, Y0: y, X1: x, Y1: y}
	for _, c := range []struct {
		name   string
		target *raster.Target // of the probe
		seen   []int          // fragments seen after a draw to the target, to the other, to the target again
	}{
		{"one", &watched.target, []int{1, 1, 2}},
		{"the other", &other.target, []int{0, 1, 1}},
		{"all", nil, []int{1, 2, 3}},
	} {
		seen = 0
		e.Watch(&Probe{Target: c.target, X: x, Y: y, Seen: func(*Record) { seen++ }})
		for i, s := range []*fieldScene{watched, other, watched} {
			clear(s.target.Color)
			clear(s.target.Depth)
			s.drawAt(t, e, -0.5, ViewFinal, rect)
			require.NotZero(t, ReadPixel(&s.target, x, y).Color, "a draw without a probe is still drawn")
			require.Equal(t, c.seen[i], seen, "%s, draw %d", c.name, i)
		}
	}
}

func TestViewsAgreeWithProbe(t *testing.T) {
	const x, y = 64, 200
	e := NewEngine(1)
	var r *Record
	e.Watch(&Probe{X: x, Y: y, Seen: func(got *Record) { r = got }})
	probeScene().drawAt(t, e, -0.5, ViewFinal, &raster.Rect{X0: x, Y0: y, X1: x, Y1: y})
	require.NotNil(t, r)
	e.Watch(nil)
	for view, want := range map[View][4]uint8{
		ViewVertexColor: r.VertexColor, ViewTexture0: r.Units[0].Color, ViewStage0: r.Stages[0].Result, ViewStage1: r.Stages[1].Result,
	} {
		v := probeScene()
		v.drawAt(t, e, -0.5, view, nil)
		want[3] = 255
		require.Equal(t, want, ReadPixel(&v.target, x, y).Color, "%v", view)
	}
	over := probeScene()
	over.draws = 3
	over.drawAt(t, e, -0.5, ViewOverdraw, nil)
	require.Equal(t, [4]uint8{120, 60, 3, 255}, ReadPixel(&over.target, x, y).Color)
	wire := probeScene()
	wire.drawAt(t, e, -0.5, ViewWireframe, nil)
	require.Equal(t, [4]uint8{255, 255, 255, 255}, ReadPixel(&wire.target, 0, 200).Color, "wireframe: white on the quad's left edge")
	require.Equal(t, [4]uint8{}, ReadPixel(&wire.target, 40, 300).Color, "wireframe: empty inside a triangle")
	for _, v := range Views() {
		again := testkit.Must(ParseView(v.String()))(t)
		require.Equal(t, v, again)
	}
}

// Invalid lighting that no pixel depends on is black in records, also after a draw with lighting.
func TestInvalidLightingInRecords(t *testing.T) {
	s, e := newBenchScene(), NewEngine(1)
	s.texture(0)
	s.stage(0, pica.CombineReplace, pica.SourceFragmentPrimary)
	s.stage(1, pica.CombineReplace, pica.SourceFragmentSecondary)
	s.stage(2, pica.CombineReplace, pica.SourceTexture0)
	pica.LightingEnable.SetBool(&s.regs, true)
	pica.LightingDisable.SetBool(&s.regs, false)
	pica.LightingAmbientG.Set(&s.regs, 200)
	var seen []*Record
	e.Watch(&Probe{X: 101, Y: 77, Seen: func(r *Record) { seen = append(seen, r) }})
	rect := &raster.Rect{X0: 101, Y0: 77, X1: 101, Y1: 77}
	s.drawAt(t, e, -0.5, ViewFinal, rect)
	require.Equal(t, [4]uint8{0, 200, 0, 255}, seen[0].Stages[0].Result)
	pica.LightingLayer.Set(&s.regs, 7) // invalid
	s.drawAt(t, e, -0.6, ViewFinal, rect)
	require.Len(t, seen, 2)
	r := seen[1]
	require.Equal(t, [2][4]uint8{}, [2][4]uint8{r.Stages[0].Result, r.Stages[1].Result})
	require.Equal(t, r.Units[0].Color, r.Stages[2].Result)
	s.stage(2, pica.CombineReplace, pica.SourceFragmentPrimary)
	require.ErrorContains(t, s.draw(e, ViewFinal, rect), "7 does not exist")
}
