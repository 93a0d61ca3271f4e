package fragment

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
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
		list := testkit.Must(CombinerRows(&s.regs))(t)
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

// Combiner stages in words: sources with operands, and stages that pass the previous result on.
func TestCombinerStagesInWords(t *testing.T) {
	for code, want := range []string{"x", "(1 - x)", "x.a", "(1 - x.a)", "x.r", "(1 - x.r)", "x", "x", "x.g", "(1 - x.g)", "x", "x", "x.b", "(1 - x.b)", "x", "x"} {
		require.Equal(t, want, operandName("x", 0, uint8(code)), code)
	}
	for code, want := range []string{"x.a", "(1 - x.a)", "x.r", "(1 - x.r)", "x.g", "(1 - x.g)", "x.b", "(1 - x.b)"} {
		require.Equal(t, want, operandName("x", 1, uint8(code)), code)
	}
	r := &pica.Regs{}
	for i := range pica.NumTexenvs {
		at := pica.TexenvOffset(i)
		pica.TexenvRgbSource0.At(at).Set(r, uint32(pica.SourcePrevious))
		pica.TexenvAlphaSource0.At(at).Set(r, uint32(pica.SourcePrevious))
	}
	pica.TexenvRgbCombine.Set(r, uint32(pica.CombineMultAdd))
	pica.TexenvRgbSource0.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbSource1.Set(r, uint32(pica.SourceConstant))
	pica.TexenvRgbSource2.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvRgbOperand1.Set(r, 1)
	pica.TexenvRgbScale.Set(r, 1)
	r[pica.RegTexenv0Color] = 0x04030201
	pica.TexenvUpdateRgb.Set(r, 1)
	pica.TexenvAlphaSource0.Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvAlphaCombine.At(pica.TexenvOffset(3)).Set(r, uint32(pica.CombineModulate))
	pica.TexenvAlphaSource1.At(pica.TexenvOffset(3)).Set(r, uint32(pica.SourcePrimaryColor))
	pica.TexenvAlphaScale.At(pica.TexenvOffset(3)).Set(r, 2)
	list := testkit.Must(CombinerRows(r))(t)
	require.Len(t, list, 12)
	text := ""
	for i := range list {
		text += list[i].Line()
		if list[i].Mark == rows.Idle {
			text += " (idle)"
		}
		text += "\n"
	}
	require.Equal(t, `stage 0 rgb: (primary_color * (1 - constant) + primary_color) * 2; the constant is   1   2   3   4, also to the buffer
stage 0 alpha: primary_color.a
stage 1 rgb: previous (idle)
stage 1 alpha: previous.a (idle)
stage 2 rgb: previous (idle)
stage 2 alpha: previous.a (idle)
stage 3 rgb: previous (idle)
stage 3 alpha: previous.a * primary_color.a * 4
stage 4 rgb: previous (idle)
stage 4 alpha: previous.a (idle)
stage 5 rgb: previous (idle)
stage 5 alpha: previous.a (idle)
`, text)
	pica.TexenvRgbCombine.Set(r, 15)
	_, err := CombinerRows(r)
	require.Error(t, err)
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
