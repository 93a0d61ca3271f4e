package fragment

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
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

// byte255 divides a product of bytes by 255, rounding to nearest.
func byte255(x int) int { return int(math.Round(float64(x) / 255)) }

// refCombine is a combiner function for one channel, written from the register page (GPUREG_TEXENVi_COMBINER).
func refCombine(f pica.Combine, a, b, c int) int {
	switch f {
	case pica.CombineReplace:
		return a
	case pica.CombineModulate:
		return byte255(a * b)
	case pica.CombineAdd:
		return min(a+b, 255)
	case pica.CombineAddSigned:
		return min(max(a+b-128, 0), 255)
	case pica.CombineInterpolate:
		return byte255(a*c + b*(255-c))
	case pica.CombineSubtract:
		return max(a-b, 0)
	case pica.CombineMultAdd:
		return min(byte255(a*b)+c, 255)
	case pica.CombineAddMult:
		return byte255(min(a+b, 255) * c)
	}
	panic(f.String() + " is not described here; dot products work on three channels")
}

// refDot3 is one product of a dot product, by the study of a console's results.
func refDot3(a, b int) int {
	mag := func(x int) int {
		if x >= 128 {
			return 2*x - 255
		}
		return 254 - 2*x
	}
	q := byte255(mag(a) * mag(b))
	if (a < 128) != (b < 128) {
		return -q - 1
	}
	return q
}

// refStages runs the six stages for one pixel.
func refStages(r *pica.Regs, source map[pica.Source][4]int) [4]int {
	var prev, buffer [4]int
	next := toInts(unpackColor(r[pica.RegTexenvBufferColor]))
	for i := range 6 {
		at := pica.TexenvOffset(i)
		get := func(s pica.Source) [4]int {
			switch s {
			case pica.SourceConstant:
				return toInts(unpackColor(r[pica.RegTexenv0Color+at]))
			case pica.SourcePrevious:
				return prev
			case pica.SourcePreviousBuffer:
				return buffer
			}
			return source[s]
		}
		var src [2][3]pica.Source
		for h := range 2 {
			for j := range 3 {
				src[h][j] = pica.Source(texenvFields[h].source[j].At(at).Get(r))
			}
			for j := range 2 {
				if i == 0 && src[h][j] == pica.SourcePrevious {
					src[h][j] = src[h][2]
				}
			}
		}
		rgbOp := func(j, ch int) int {
			c := get(src[0][j])
			code := pica.OperandRGB(texenvFields[0].operand[j].At(at).Get(r))
			v := 0
			switch code &^ 1 {
			case pica.OperandSrcAlpha:
				v = c[3]
			case pica.OperandSrcRed:
				v = c[0]
			case pica.OperandSrcGreen:
				v = c[1]
			case pica.OperandSrcBlue:
				v = c[2]
			case pica.OperandSrcColor:
				v = c[ch]
			default:
				return c[ch]
			}
			if code&1 != 0 {
				v = 255 - v
			}
			return v
		}
		alphaOp := func(j int) int {
			c := get(src[1][j])
			code := pica.OperandAlpha(texenvFields[1].operand[j].At(at).Get(r))
			v := c[[4]int{3, 0, 1, 2}[code>>1]]
			if code&1 != 0 {
				v = 255 - v
			}
			return v
		}
		scale := [2]int{1 << pica.TexenvRgbScale.At(at).Get(r), 1 << pica.TexenvAlphaScale.At(at).Get(r)}
		for h := range scale {
			if scale[h] == 8 {
				scale[h] = 1
			}
		}
		f := pica.Combine(pica.TexenvRgbCombine.At(at).Get(r))
		fa := pica.Combine(pica.TexenvAlphaCombine.At(at).Get(r))
		var out [4]int
		if f == pica.CombineDot3RGB || f == pica.CombineDot3RGBA {
			sum := 0
			for ch := range 3 {
				sum += refDot3(rgbOp(0, ch), rgbOp(1, ch))
			}
			sum = min(max(sum, 0), 255)
			out = [4]int{min(sum*scale[0], 255), min(sum*scale[0], 255), min(sum*scale[0], 255), min(sum*scale[1], 255)}
		} else {
			for ch := range 3 {
				out[ch] = min(refCombine(f, rgbOp(0, ch), rgbOp(1, ch), rgbOp(2, ch))*scale[0], 255)
			}
		}
		if f != pica.CombineDot3RGBA {
			if fa == pica.CombineDot3RGB || fa == pica.CombineDot3RGBA {
				fa = pica.CombineReplace
			}
			out[3] = min(refCombine(fa, alphaOp(0), alphaOp(1), alphaOp(2))*scale[1], 255)
		}
		buffer = next
		if i < 4 && pica.TexenvUpdateRgb.Get(r)>>i&1 != 0 {
			next[0], next[1], next[2] = out[0], out[1], out[2]
		}
		if i < 4 && pica.TexenvUpdateAlpha.Get(r)>>i&1 != 0 {
			next[3] = out[3]
		}
		prev = out
	}
	return prev
}

func toInts(c [4]uint8) [4]int { return [4]int{int(c[0]), int(c[1]), int(c[2]), int(c[3])} }

// sourceRegisters maps the sources computed outside the stages.
var sourceRegisters = map[pica.Source]int{
	pica.SourcePrimaryColor: cPrimary, pica.SourceFragmentPrimary: cFragPrimary, pica.SourceFragmentSecondary: cFragSecondary,
	pica.SourceTexture0: cTex0, pica.SourceTexture1: cTex1, pica.SourceTexture2: cTex2, pica.SourceTexture3: cTex3,
}

// randomStages fills the combiner registers with random values.
func randomStages(rng *rand.Rand, r *pica.Regs) {
	// Sources 8 and 11 do not exist and read black.
	sources := []pica.Source{0, 1, 2, 3, 4, 5, 6, 8, 11, 13, 14, 15}
	for i := range 6 {
		at := pica.TexenvOffset(i)
		for h := range 2 {
			for j := range 3 {
				texenvFields[h].source[j].At(at).Set(r, uint32(sources[rng.IntN(len(sources))]))
				texenvFields[h].operand[j].At(at).Set(r, rng.Uint32N(16))
			}
			functions := pica.Combines.Values
			texenvFields[h].function.At(at).Set(r, functions[rng.IntN(len(functions))].Value)
			texenvFields[h].scale.At(at).Set(r, rng.Uint32N(4))
		}
		r[pica.RegTexenv0Color+at] = rng.Uint32()
	}
	r[pica.RegTexenvBufferColor] = rng.Uint32()
	pica.TexenvUpdateRgb.Set(r, rng.Uint32N(16))
	pica.TexenvUpdateAlpha.Set(r, rng.Uint32N(16))
}

func TestCombinersMatchTheRegisterPage(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 400 {
		var r pica.Regs
		randomStages(rng, &r)
		c := testkit.Must(compileStages(&r))(t)

		m := &machine{n: raster.Lanes}
		for _, reg := range sourceRegisters {
			for ch := range m.c[reg] {
				for i := range m.c[reg][ch] {
					m.c[reg][ch][i] = uint8(rng.Uint32N(256))
				}
			}
		}
		for i := range 6 {
			for ch, v := range unpackColor(r[pica.RegTexenv0Color+pica.TexenvOffset(i)]) {
				m.c[cConst0+i][ch] = sameBytes[v]
			}
		}
		for ch, v := range unpackColor(r[pica.RegTexenvBufferColor]) {
			m.c[cBufferColor][ch] = sameBytes[v]
		}
		var used planeSet
		for _, ref := range c.out {
			used.add(ref)
		}
		for _, o := range c.live(nil, &used) {
			o.run(m)
		}
		for i := range raster.Lanes {
			in := map[pica.Source][4]int{}
			for s, reg := range sourceRegisters {
				in[s] = [4]int{int(m.c[reg][0][i]), int(m.c[reg][1][i]), int(m.c[reg][2][i]), int(m.c[reg][3][i])}
			}
			want := refStages(&r, in)
			for ch, ref := range c.out {
				require.Equal(t, want[ch], int(m.plane(ref)[i]), "lane %d channel %d", i, ch)
			}
		}
	}
}

func TestPassThroughStagesCompileToNothing(t *testing.T) {
	var r pica.Regs
	for i := range 6 {
		at := pica.TexenvOffset(i)
		texenvFields[0].source[0].At(at).Set(&r, uint32(pica.SourcePrevious))
		texenvFields[1].source[0].At(at).Set(&r, uint32(pica.SourcePrevious))
	}
	texenvFields[0].source[0].Set(&r, uint32(pica.SourceTexture1))
	texenvFields[1].source[0].Set(&r, uint32(pica.SourcePrimaryColor))
	c := testkit.Must(compileStages(&r))(t)
	require.Empty(t, c.ops)
	require.Equal(t, colorRef{{cTex1, red}, {cTex1, green}, {cTex1, blue}, {cPrimary, alpha}}, c.out)
}

// Every source has planes of its own, and every operand reads other channels or inverts them.
func TestEverySourceAndOperandIsRead(t *testing.T) {
	prev, buffer, zero := wholeRef(cScratch0), wholeRef(cScratch0+1), wholeRef(cZero)
	sources := map[colorRef]string{zero: "a source that does not exist"}
	for _, v := range pica.Sources.Values {
		ref := sourceRef(pica.Source(v.Value), 2, prev, buffer)
		require.Empty(t, sources[ref], "source %s: see sourceRef", v.Name)
		sources[ref] = v.Name
	}
	rgb := map[[3]operand]string{}
	for _, v := range pica.OperandRGBs.Values {
		code := uint8(v.Value)
		read := [3]operand{rgbOperand(code, prev, red), rgbOperand(code, prev, green), rgbOperand(code, prev, blue)}
		require.Empty(t, rgb[read], "RGB operand %s: see rgbOperand", v.Name)
		rgb[read] = v.Name
	}
	alphas := map[operand]string{}
	for _, v := range pica.OperandAlphas.Values {
		read := alphaOperand(uint8(v.Value), prev)
		require.Empty(t, alphas[read], "alpha operand %s: see alphaOperand", v.Name)
		alphas[read] = v.Name
	}
}

// Every combiner function has a row with a kernel.
func TestEveryCombinerFunctionHasARow(t *testing.T) {
	require.Len(t, combineFunctions, pica.Combines.Len())
	for _, v := range pica.Combines.Values {
		f := pica.Combine(v.Value)
		row := combineFunctions[f]
		require.NotZero(t, f.Inputs(), "%v has no number of inputs", f)
		require.True(t, (row.kernel != nil) != row.dot, "%v has no kernel", f)
		// The description mentions exactly the operands that it has.
		if v.Doc != "the same in alpha too" {
			for k := range 3 {
				require.Equal(t, k < f.Inputs(), strings.Contains(v.Doc, strconv.Itoa(k)), "%v: %s", f, v.Doc)
			}
		}
	}
	require.Zero(t, pica.Combine(pica.Combines.Len()).Inputs())
}

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
