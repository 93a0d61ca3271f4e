package pica

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// everyField calls f for each field of the register map.
func everyField(f func(Field)) {
	for _, r := range Registers {
		for _, field := range r.Fields {
			f(field)
		}
	}
}

func TestFieldsFitAndDoNotOverlap(t *testing.T) {
	for i, r := range Registers {
		require.Equal(t, Reg(i), r.Reg)
		var used uint32
		names := map[string]bool{}
		for _, f := range r.Fields {
			require.Equal(t, r.Reg, f.Reg, f)
			require.GreaterOrEqual(t, f.Bits, uint8(1), f)
			require.LessOrEqual(t, f.Lo+f.Bits, uint8(32), f)
			require.Equal(t, int(f.Bits), bits.OnesCount32(f.Mask()), f)
			require.Zero(t, used&f.Mask(), "%v overlaps another field", f)
			require.False(t, names[f.Name], "two fields of %s are named %q", r.Name, f.Name)
			names[f.Name] = true
			used |= f.Mask()
		}
		require.Equal(t, used, r.mask())
		require.Equal(t, len(r.Fields) != 0, r.Doc != "", "%s: fields and text are both given or both missing", r.Name)
	}
}

func TestTypeFitsWidth(t *testing.T) {
	everyField(func(f Field) {
		require.Equal(t, f.Type == TypeEnum, f.Enum != nil, f)
		switch {
		case f.Type == TypeBool:
			require.EqualValues(t, 1, f.Bits, f)
		case typeTable[f.Type].float != nil:
			require.Equal(t, typeTable[f.Type].float.width(), f.Bits, f)
		case typeTable[f.Type].fixed != nil:
			require.Equal(t, typeTable[f.Type].fixed.width(), f.Bits, f)
		}
	})
}

func TestRegisterNamesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Registers {
		require.True(t, strings.HasPrefix(r.Name, "GPUREG_"), r.Name)
		require.False(t, seen[r.Name], r.Name)
		seen[r.Name] = true
		require.Equal(t, r.Name, r.Reg.String())
		for _, name := range []string{r.Name, strings.ToLower(r.Name), strings.TrimPrefix(r.Name, "GPUREG_")} {
			got, ok := Lookup(name)
			require.True(t, ok, name)
			require.Same(t, r, got)
		}
	}
	_, ok := Lookup("GPUREG_NO_SUCH")
	require.False(t, ok)
	require.Equal(t, "GPUREG_0300", Reg(0x300).String())
}

func TestPutOfRoundTrip(t *testing.T) {
	everyField(func(f Field) {
		for _, background := range []uint32{0, 0xFFFFFFFF, 0xA5A5A5A5} {
			for _, v := range []uint32{0, 1, f.Max() / 2, f.Max()} {
				word := f.Put(background, v)
				require.Equal(t, v, f.Of(word), f)
				require.Equal(t, background&^f.Mask(), word&^f.Mask(), "%v changes only its own bits", f)
				var r Regs
				r[f.Reg] = background
				f.Set(&r, v)
				require.Equal(t, v, f.Get(&r), f)
				require.Equal(t, v != 0, f.Bool(&r), f)
			}
		}
	})
}

func TestEveryEnumValuePrintsAndParses(t *testing.T) {
	done := map[*Enum]bool{}
	everyField(func(f Field) {
		if f.Enum == nil {
			return
		}
		for _, v := range f.Enum.Values {
			require.LessOrEqual(t, v.Value, f.Max(), "%v: %s", f, v.Name)
			require.Contains(t, Decode(f.Reg, f.Put(0, v.Value)), "="+v.Name)
		}
		if done[f.Enum] {
			return
		}
		done[f.Enum] = true
		names := map[string]bool{}
		for _, v := range f.Enum.Values {
			require.False(t, names[v.Name], "%s has %q twice", f.Enum.Name, v.Name)
			names[v.Name] = true
			got := testkit.Must(f.Enum.Parse(f.Enum.Format(v.Value)))(t)
			require.Equal(t, v.Value, got)
		}
		for v := range uint32(0x100) { // values without a name
			got := testkit.Must(f.Enum.Parse(f.Enum.Format(v)))(t)
			require.Equal(t, v, got)
		}
		_, err := f.Enum.Parse("no such value")
		require.ErrorContains(t, err, f.Enum.Names()[0])
	})
	require.GreaterOrEqual(t, len(done), 40)
}

func TestDecodeRegister(t *testing.T) {
	for _, c := range []struct {
		reg  Reg
		word uint32
		want string
	}{
		{RegFacecullingConfig, 2, "GPUREG_FACECULLING_CONFIG mode=back"},
		{RegFacecullingConfig, 0x12, "GPUREG_FACECULLING_CONFIG mode=back rest=0x00000010"},
		{0x000, 7, "GPUREG_0000 0x00000007"},
		{RegViewportWidth, 0x45E000, "GPUREG_VIEWPORT_WIDTH half_width=120"},
		{RegLight0SpotdirZ + 7*StrideLight, 0x1800, "GPUREG_LIGHT7_SPOTDIR_Z z=-1"},
		{RegColorbufferLoc, 0x18000000 >> 3, "GPUREG_COLORBUFFER_LOC address=0x18000000"},
		{RegViewportXy, 0x03FF0001, "GPUREG_VIEWPORT_XY x=1 y=-1"},
		{RegTexenv5Combiner, 0x00070001, "GPUREG_TEXENV5_COMBINER rgb_combine=modulate alpha_combine=dot3_rgba"},
		{RegTexunit2Type, 0xC, "GPUREG_TEXUNIT2_TYPE format=etc1"},
		{RegVshEntrypoint, 0x7FFF0010, "GPUREG_VSH_ENTRYPOINT entry=16 constant=0x7FFF"},
		{0x300, 1, "GPUREG_0300 0x00000001"},
	} {
		require.Equal(t, c.want, Decode(c.reg, c.word))
	}
}

func TestRepeatedBlocks(t *testing.T) {
	var r Regs
	for i := range NumLights {
		LightAttenuationScale.At(Reg(i)*StrideLight).SetFloat(&r, float32(i)+0.5)
		LightingPermutation(i).Set(&r, uint32(7-i))
	}
	require.Equal(t, uint32(0x01234567), r[RegLightingLightPermutation])
	require.Equal(t, float32(7.5), LightAttenuationScale.At(7*StrideLight).Float(&r))
	require.NotZero(t, r[0x1BB])
	for i, base := range []Reg{0xC0, 0xC8, 0xD0, 0xD8, 0xF0, 0xF8} {
		require.Equal(t, base, TexenvBase(i))
		require.Equal(t, base+4, TexenvAlphaScale.At(TexenvOffset(i)).Reg)
	}
	for i, reg := range []Reg{0x8E, 0x96, 0x9E} {
		require.Equal(t, reg, TexunitFormat(i).Reg)
		require.Equal(t, []Reg{0x81, 0x91, 0x99}[i], TexunitBorderA.At(TexunitOffset(i)).Reg)
	}
	require.Equal(t, Reg(0x226), AttribbufferComponent(11).At(11*StrideAttribbuffer).Reg)
	require.Equal(t, Reg(0x2BC), ShPermutation(15).At(OffsetVsh).Reg)
}

// Types with named values print the names.
func TestEnumTypesPrintNames(t *testing.T) {
	require.Equal(t, []string{UniformFormats.Format(1), ProcClamps.Format(2)}, []string{UniformFormat(1).String(), ProcClamp(2).String()})
	require.NotEqual(t, UniformFormat(0).String(), UniformFormat(1).String())
	require.NotEqual(t, ProcClamp(1).String(), ProcClamp(2).String())
}
