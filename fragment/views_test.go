package fragment

import (
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
