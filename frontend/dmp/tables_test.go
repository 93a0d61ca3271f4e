package dmp

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/testkit"
)

func ramp(n int, f func(i int) float32) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = f(i)
	}
	return v
}

// flushed returns the writes of a flush.
func flushed(t *testing.T, s *State) []Write {
	ws := testkit.Must(s.Flush())(t)
	return ws
}

// tableOf returns the words that a flush wrote to a table.
func tableOf(t *testing.T, ws []Write, index pica.Reg, at uint32, data pica.Reg, n int) []uint32 {
	for i, w := range ws {
		if w.Reg == index && w.Value == at {
			var words []uint32
			for _, d := range ws[i+1 : i+1+n] {
				require.Equal(t, data, d.Reg)
				words = append(words, d.Value)
			}
			return words
		}
	}
	require.Fail(t, "the table was not sent")
	return nil
}

func TestLightingTable(t *testing.T) {
	s := New(new(pica.Regs))
	flushed(t, s)
	require.NoError(t, s.Set("dmp_LightEnv.absLutInputD0", true))
	given := ramp(512, func(i int) float32 {
		if i < 256 {
			return float32(i) / 256
		}
		return -0.5
	})
	require.NoError(t, s.SetTable("dmp_FragmentMaterial.samplerD0", given))
	require.Equal(t, []int32{OwnTable}, s.Ints(0xD6))
	words := tableOf(t, flushed(t, s), pica.RegLightingLutIndex, 0, pica.RegLightingLutData0, 256)
	require.EqualValues(t, 0x080|0xC00<<12, words[8])
	require.EqualValues(t, 0xFF0|0xC00<<12, words[255])

	require.NoError(t, s.SetTable("dmp_FragmentMaterial.samplerD0", given[:256]))
	words = tableOf(t, flushed(t, s), pica.RegLightingLutIndex, 0, pica.RegLightingLutData0, 256)
	require.EqualValues(t, 0x080|8<<12, words[8], "difference 1/256 is 8/2048")
	require.EqualValues(t, 0xFF0, words[255], "the last entry has no difference")

	require.NoError(t, s.SetTable("dmp_FragmentMaterial.samplerD0", append(given[:256:256], 1)))
	words = tableOf(t, flushed(t, s), pica.RegLightingLutIndex, 0, pica.RegLightingLutData0, 256)
	require.EqualValues(t, 0xFF0|8<<12, words[255])
}

// With signed input, entry 255 leads to entry 0, and entry 127 is the last.
func TestSignedLightingTable(t *testing.T) {
	s := New(new(pica.Regs))
	values := ramp(256, func(i int) float32 { return float32((i+128)&0xFF) / 256 })
	require.NoError(t, s.SetTable("dmp_FragmentLightSource[3].samplerSP", values))
	words := tableOf(t, flushed(t, s), pica.RegLightingLutIndex, 11<<8, pica.RegLightingLutData0, 256)
	require.EqualValues(t, 0x7F0|8<<12, words[255])
	require.EqualValues(t, 0xFF0, words[127])
	require.EqualValues(t, 0x800|8<<12, words[0])
	require.NoError(t, s.Set("dmp_LightEnv.absLutInputSP", true))
	words = tableOf(t, flushed(t, s), pica.RegLightingLutIndex, 11<<8, pica.RegLightingLutData0, 256)
	require.EqualValues(t, 0x7F0, words[255])
	require.EqualValues(t, 0xFF0|0x800<<12|0x7F8<<12, words[127])
}

// SameTable reports tables as equal if their hardware words are, for each kind of sampler.
func TestSameTable(t *testing.T) {
	for i := range Uniforms {
		u := &Uniforms[i]
		n := u.TableSize()
		if n == 0 {
			continue
		}
		s := New(new(pica.Regs))
		a := ramp(n, func(i int) float32 { return (float32(i%7) + 0.3) / 9 })
		b := slices.Clone(a)
		for k, c := range []struct {
			change float32
			same   bool
		}{{0, true}, {1e-9, true}, {0.02, false}} {
			b[n-2] = a[n-2] + c.change
			same := testkit.Must(s.SameTable(u.Name, a, b))(t)
			require.Equal(t, c.same, same, "%s %d", u.Name, k)
		}
		before, _, _, err := s.Table(u.Name)
		require.NoError(t, err)
		require.Nil(t, before, "SameTable does not change the state")
		_, err = s.SameTable(u.Name, a, a[1:])
		require.Error(t, err)
	}
	_, err := New(new(pica.Regs)).SameTable("dmp_Fog.mode", nil, nil)
	require.Error(t, err)
}

func TestFogTable(t *testing.T) {
	s := New(new(pica.Regs))
	require.NoError(t, s.SetTable("dmp_Fog.sampler", ramp(129, func(i int) float32 { return 1 - float32(i)/128 })))
	words := tableOf(t, flushed(t, s), pica.RegFogLutIndex, 0, pica.RegFogLutData0, 128)
	require.EqualValues(t, 0x7FF<<13|0x1FF0, words[0])
	require.EqualValues(t, 16<<13|0x1FF0, words[127])
}

func TestProceduralTables(t *testing.T) {
	s := New(new(pica.Regs))
	up := ramp(129, func(i int) float32 { return float32(i) / 128 })
	require.NoError(t, s.SetTable("dmp_Texture[3].ptSamplerNoiseMap", up))
	require.NoError(t, s.TexImage1D(7, up[:128]))
	require.NoError(t, s.Set("dmp_Texture[3].ptSamplerAlphaMap", 7))
	color := ramp(256, func(i int) float32 { return float32(i) / 255 })
	require.NoError(t, s.TexImage1D(8, color))
	for _, c := range "RGBA" {
		require.NoError(t, s.Set("dmp_Texture[3].ptSampler"+string(c), 8))
	}
	ws := flushed(t, s)
	noise := tableOf(t, ws, pica.RegProctexLut, 0, pica.RegProctexLutData0, 128)
	require.EqualValues(t, uint32(0x01F)|0x020<<12, noise[1])
	require.EqualValues(t, uint32(0xFDF)|0x020<<12, noise[127])
	alpha := tableOf(t, ws, pica.RegProctexLut, 3<<8, pica.RegProctexLutData0, 128)
	require.EqualValues(t, uint32(0xFDF), alpha[127])
	colors := tableOf(t, ws, pica.RegProctexLut, 4<<8, pica.RegProctexLutData0, 256)
	require.EqualValues(t, uint32(0x80808080), colors[128])
	diffs := tableOf(t, ws, pica.RegProctexLut, 5<<8, pica.RegProctexLutData0, 256)
	require.Zero(t, diffs[0], "half of a difference of 1 rounds down to 0")
	require.Empty(t, flushed(t, s))
	require.NoError(t, s.TexImage1D(8, ramp(512, func(i int) float32 { return 0.5 - float32(i/256) })))
	diffs = tableOf(t, flushed(t, s), pica.RegProctexLut, 5<<8, pica.RegProctexLutData0, 256)
	require.EqualValues(t, uint32(0xC0C0C0C0), diffs[0], "half of the difference -127 rounds down to -64")
}

func TestGasTable(t *testing.T) {
	s := New(new(pica.Regs))
	require.NoError(t, s.SetTable("dmp_Gas.samplerTR", ramp(9, func(i int) float32 { return float32(i) / 8 })))
	require.NoError(t, s.SetTable("dmp_Gas.samplerTG", ramp(8, func(i int) float32 { return 1 - float32(i)/8 })))
	ws := flushed(t, s)
	for _, w := range ws {
		require.NotEqual(t, pica.RegGasLutData, w.Reg, "the gas table is not written before all three colours are set")
	}
	require.NoError(t, s.SetTable("dmp_Gas.samplerTB", make([]float32, 16)))
	words := tableOf(t, flushed(t, s), pica.RegGasLutIndex, 0, pica.RegGasLutData, 16)
	require.EqualValues(t, 0x008F0F, words[0])
	require.EqualValues(t, 0x00000F, words[7])
	require.EqualValues(t, 0x00FF00, words[8])
	require.EqualValues(t, 0x001FDF, words[15])
}

func TestTableRefusals(t *testing.T) {
	s := New(new(pica.Regs))
	flushed(t, s)
	nan := ramp(256, func(int) float32 { return 0 })
	nan[77] /= nan[0]
	require.ErrorContains(t, s.SetTable("dmp_FragmentMaterial.samplerD0", nan), "entry 77")
	require.ErrorContains(t, s.SetTable("dmp_FragmentMaterial.samplerD0", make([]float32, 128)), "128 numbers: expected 256, 257 or 512")
	require.ErrorContains(t, s.SetTable("dmp_Fog.mode", make([]float32, 128)), "only a GL_SAMPLER_1D")
	require.ErrorContains(t, s.SetTable("dmp_Fog", nil), "no uniform")
	require.ErrorContains(t, s.TexImage1D(32, make([]float32, 128)), "0 to 31")
	require.ErrorContains(t, s.TexImage1D(0, nil), "1 to 512")
	require.ErrorContains(t, s.TexImage1D(0, make([]float32, 513)), "1 to 512")
	require.NoError(t, s.TexImage1D(5, make([]float32, 256)))
	require.NoError(t, s.Set("dmp_Fog.sampler", 5))
	_, err := s.Flush()
	require.NoError(t, err, "256 numbers are 128 values and differences")
	require.NoError(t, s.Set("dmp_FragmentMaterial.samplerRR", 6))
	require.NoError(t, s.TexImage1D(6, make([]float32, 100)))
	_, err = s.Flush()
	require.ErrorContains(t, err, "samplerRR: a table of 100 numbers")
}

// Replaying the writes of Flush gives the state's registers; a flush without a change writes nothing.
func TestFlushWritesTheState(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	s := New(new(pica.Regs))
	var hardware pica.Regs
	apply := func(ws []Write) {
		for _, w := range ws {
			for b := range 4 {
				if w.Mask>>b&1 != 0 {
					m := uint32(0xFF) << (8 * b)
					hardware[w.Reg] = hardware[w.Reg]&^m | w.Value&m
				}
			}
		}
	}
	apply(flushed(t, s))
	for range 300 {
		for range 3 {
			u := &Uniforms[rng.IntN(NumUniforms)]
			all := trials(u)
			require.NoError(t, s.SetAt(u.ID, all[rng.IntN(len(all))]))
		}
		apply(flushed(t, s))
		for reg := range hardware {
			if (s.Regs[reg]^hardware[reg])&Owned[reg] != 0 {
				t.Fatalf("%v is %#x, not %#x", pica.Reg(reg), hardware[reg], s.Regs[reg])
			}
		}
		require.Empty(t, flushed(t, s))
	}
	s.Resend()
	require.NotEmpty(t, flushed(t, s))
}

func TestAppendCommands(t *testing.T) {
	require.Equal(t, []uint32{
		1, 0x000F0040,
		0, 0x000F00E6,
		5, 0x002F00E8, 6, 7,
		8, 0x001100E9, 9, 0,
	}, AppendCommands(nil, []Write{
		{0x40, 0xF, 1}, {0xE6, 0xF, 0}, {0xE8, 0xF, 5}, {0xE8, 0xF, 6}, {0xE8, 0xF, 7}, {0xE9, 0x1, 8}, {0xE9, 0x1, 9},
	}))
	long := make([]Write, 300)
	list := AppendCommands(nil, long)
	require.EqualValues(t, 0xFF0, list[1]>>16)
	require.Len(t, list, 258+46)
}
