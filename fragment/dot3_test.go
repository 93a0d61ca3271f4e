package fragment

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// dot3Sweep is a console's result of DOT3_RGB of two colours, with some channels set to an input from 0 to 255.
type dot3Sweep struct {
	source [2][3]func(i int) uint8
	want   [256]uint8
}

// dot3Sources parses the channels of both sources, such as "80,80,80|i,7f,80": hex, or i for the input.
func dot3Sources(t *testing.T, text string) (s [2][3]func(i int) uint8) {
	t.Helper()
	for k, color := range strings.Split(text, "|") {
		for ch, v := range strings.Split(color, ",") {
			if v == "i" {
				s[k][ch] = func(i int) uint8 { return uint8(i) }
				continue
			}
			x := testkit.Must(strconv.ParseUint(v, 16, 8))(t)
			s[k][ch] = func(int) uint8 { return uint8(x) }
		}
	}
	return s
}

// dot3Sweeps reads testdata/dot3-console.txt.
func dot3Sweeps(t *testing.T) (all []dot3Sweep) {
	t.Helper()
	text := testkit.Read(t, "testdata/dot3-console.txt")
	at := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if f := strings.Fields(line); f[0] == "sweep" {
			all = append(all, dot3Sweep{source: dot3Sources(t, f[1]+"|"+f[2])})
			at = 0
			continue
		}
		values := testkit.Must(hex.DecodeString(strings.TrimSpace(line)))(t)
		at += copy(all[len(all)-1].want[at:], values)
	}
	return all
}

// sharedDot3Sweeps reads the optional table of reference values beside the project: one sweep per column.
func sharedDot3Sweeps(t *testing.T) (all []dot3Sweep) {
	t.Helper()
	f, err := os.Open("../../shared/reference/dot3-console.tsv")
	if err != nil {
		t.Skip("no reference material beside the project")
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for n := -1; lines.Scan(); n++ {
		for k, v := range strings.Split(lines.Text(), "\t")[1:] {
			if n < 0 {
				all = append(all, dot3Sweep{source: dot3Sources(t, v)})
				continue
			}
			x := testkit.Must(strconv.ParseUint(v, 0, 8))(t)
			all[k].want[n] = uint8(x)
		}
	}
	return all
}

// results returns the kernel's DOT3_RGB of all 256 inputs, in one batch.
func (s *dot3Sweep) results(t *testing.T, with simd.Kernels) (out [256]uint8) {
	t.Helper()
	var r pica.Regs
	pica.TexenvRgbCombine.Set(&r, uint32(pica.CombineDot3RGB))
	pica.TexenvRgbSource0.Set(&r, uint32(pica.SourceTexture0))
	pica.TexenvRgbSource1.Set(&r, uint32(pica.SourceTexture1))
	for i := 1; i < numStages; i++ {
		pica.TexenvRgbSource0.At(pica.TexenvOffset(i)).Set(&r, uint32(pica.SourcePrevious))
	}
	c := testkit.Must(compileStages(&r))(t)
	m := &machine{n: raster.Lanes, with: with}
	for i := range out {
		for ch := range 3 {
			m.c[cTex0][ch][i], m.c[cTex1][ch][i] = s.source[0][ch](i), s.source[1][ch](i)
		}
	}
	for i := range c.ops {
		c.ops[i].run(m)
	}
	require.Equal(t, c.out[red], c.out[green])
	require.Equal(t, c.out[red], c.out[blue])
	copy(out[:], m.plane(c.out[red])[:])
	return out
}

// Both forms of the DOT3 kernel reproduce every result measured on a console.
func TestDot3EqualsConsoleMeasurements(t *testing.T) {
	for _, set := range []struct {
		name   string
		sweeps func(t *testing.T) []dot3Sweep
		count  int
	}{{"own table", dot3Sweeps, 2816}, {"shared table", sharedDot3Sweeps, 2048}} {
		t.Run(set.name, func(t *testing.T) {
			sweeps := set.sweeps(t)
			require.Len(t, sweeps, set.count/256)
			for k := range sweeps {
				s := &sweeps[k]
				require.Equal(t, s.want, s.results(t, simd.Best), "sweep %d", k)
				vector, plain := both(t, func(with simd.Kernels) [256]uint8 { return s.results(t, with) })
				require.Equal(t, s.want, vector, "AVX2, sweep %d", k)
				require.Equal(t, s.want, plain, "plain Go, sweep %d", k)
			}
		})
	}
}

// The forms of the DOT3 kernel agree for every pair of channels, with and without inverted operands, at each scale.
func TestDot3KernelsOfAllPairs(t *testing.T) {
	m := &machine{n: raster.Lanes}
	for i := range 256 {
		m.c[cTex0][red][i] = uint8(i)
	}
	for b := range 256 {
		for ch := range 3 {
			for i := range 256 {
				m.c[cTex1][ch][i] = uint8(b * (ch + 1))
			}
		}
		for shift := range uint8(3) {
			for _, xor := range [][2]uint8{{0, 0}, {0xFF, 0}, {0, 0xFF}, {0xFF, 0xFF}} {
				k := dot3Call{dst: planeRef{cStage0, red}, shift: shift}
				for ch := range uint8(3) {
					// Each channel has its own inversions.
					k.a[ch] = operand{planeRef{cTex0, red}, xor[ch&1]}
					k.b[ch] = operand{planeRef{cTex1, ch}, xor[ch>>1]}
				}
				vector, plain := both(t, func(with simd.Kernels) Bytes {
					m.with = with
					combineDot3(m, &k)
					return *m.plane(planeRef{cStage0, red})
				})
				require.Equal(t, plain, vector, "%d, shift %d, xor %v", b, shift, xor)
			}
		}
	}
}

// The picture, the view of the stage and the record of a pixel all show a console's DOT3 result.
func TestDot3AgreesInPictureViewAndRecord(t *testing.T) {
	sweeps := dot3Sweeps(t)
	const x, y = 101, 77
	for k := range sweeps {
		for _, i := range []int{0x40, 0x7F, 0x80, 0xA3, 0xC0, 0xFF} {
			sw := &sweeps[k]
			t.Run(fmt.Sprintf("sweep %d input %02x", k, i), func(t *testing.T) {
				draw := func(view View, probe *Probe) *raster.Target {
					s := newBenchScene()
					s.stage(0, pica.CombineReplace, pica.SourceConstant)
					s.stage(1, pica.CombineDot3RGB, pica.SourcePrevious, pica.SourceConstant)
					for n := range 2 {
						v := uint32(0xFF000000)
						for ch := range 3 {
							v |= uint32(sw.source[n][ch](i)) << (8 * ch)
						}
						s.regs[pica.RegTexenv0Color+pica.TexenvOffset(n)] = v
					}
					e, rect := NewEngine(1), (*raster.Rect)(nil)
					if probe != nil {
						e.Watch(probe)
						rect = &raster.Rect{X0: x, Y0: y, X1: x, Y1: y}
					}
					require.NoError(t, s.draw(e, view, rect))
					return &s.target
				}
				want := [3]uint8{sw.want[i], sw.want[i], sw.want[i]}
				rgb := func(c [4]uint8) [3]uint8 { return [3]uint8(c[:3]) }
				require.Equal(t, want, rgb(ReadPixel(draw(ViewFinal, nil), x, y).Color), "picture")
				require.Equal(t, want, rgb(ReadPixel(draw(ViewStage1, nil), x, y).Color), "view")
				var seen []*Record
				draw(ViewFinal, &Probe{X: x, Y: y, Seen: func(r *Record) { seen = append(seen, r) }})
				require.Len(t, seen, 1)
				require.Equal(t, want, rgb(seen[0].Stages[1].Result), "DOT3 in the record of the pixel")
			})
		}
	}
}
