package pipeline

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// A program gets copies of the GPU's state: changing them does not affect the GPU, and they do not change with it.
func TestStateAccessorsReturnCopies(t *testing.T) {
	g := GPUFor(t, Options{Workers: 1})
	const reg = pica.RegTexenv0Color
	write := func(id pica.Reg, v uint32) { require.NoError(t, g.WriteInternal(t.Context(), id, v)) }
	write(reg, 7)
	write(pica.RegFogLutIndex, 0)
	write(pica.RegFogLutData0, 5)
	write(pica.RegVshCodetransferIndex, 0)
	write(pica.RegVshCodetransferData0, 0x88000000)
	write(pica.RegGshBooluniform, 3)
	write(pica.RegFixedattribIndex, 2)
	for range 3 {
		write(pica.RegFixedattribData0, 0)
	}

	regs, tables, vs, gs, fixed := g.Registers(), g.Tables(), g.VertexShader(), g.GeometryShader(), g.FixedAttributes()
	require.Equal(t, uint32(7), regs[reg])
	require.Equal(t, uint32(5), tables.Fog[0])
	require.Equal(t, uint32(0x88000000), vs.Code(0))
	require.Equal(t, uint16(3), gs.Bool)
	require.Equal(t, [4]float32{}, fixed[2])
	require.Equal(t, tables.Version, g.TablesVersion())

	regs[reg], tables.Fog[0], gs.Bool, fixed[2][0] = 1, 1, 1, 1
	vs.SetCode(0, 1)
	require.Equal(t, uint32(7), g.ReadInternal(reg))
	require.Equal(t, uint32(5), g.Tables().Fog[0])
	vs = g.VertexShader()
	require.Equal(t, uint32(0x88000000), vs.Code(0))
	require.Equal(t, uint16(3), g.GeometryShader().Bool)
	require.Equal(t, [4]float32{}, g.FixedAttributes()[2])

	write(reg, 8)
	require.Equal(t, uint32(1), regs[reg])
	require.Zero(t, g.ReadInternal(pica.NumRegs), "a register that does not exist reads 0")
}

// numbered sets the numbers of a struct and its nested structs to by, 2*by, 3*by and so on.
func numbered(v reflect.Value, by int, n *int) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Struct:
			numbered(f, by, n)
		case f.CanUint():
			*n++
			f.SetUint(uint64(*n * by))
		default:
			*n++
			f.SetInt(int64(*n * by))
		}
	}
}

// Add adds each counter to its own.
func TestAddStats(t *testing.T) {
	of := func(by int) (s Stats) {
		numbered(reflect.ValueOf(&s).Elem(), by, new(int))
		return s
	}
	sum, more := of(1), of(100)
	sum.Add(&more)
	require.Equal(t, of(101), sum)
}

// A check finds the same whatever the registers hold that are not in its key: its result is kept as long as the key is equal.
func TestUnmodelledChecksHaveWholeKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	for i, check := range unmodelledChecks {
		var keyed []pica.Reg
		for reg := range pica.Reg(pica.NumRegs) {
			var r pica.Regs
			r[reg] = 1
			if check.key(&r) != (unmodelledKey{}) {
				keyed = append(keyed, reg)
			}
		}
		for j, find := range check.find {
			var found int
			for range 2000 {
				var r, other pica.Regs
				for n := range r {
					r[n], other[n] = rng.Uint32(), rng.Uint32()
				}
				// Checks look at few kinds of textures, and at small viewports.
				r[pica.RegTexunitConfig], r[pica.RegTexunit0Param], r[pica.RegTexunit1Type] = 3, uint32(pica.TextureCube)<<28, uint32(pica.TextureFormatI4)+rng.Uint32N(2)
				r[pica.RegTexunit1Addr] = (pica.VRAMBase + rng.Uint32N(2*pica.VRAMSize)) >> 3
				r[pica.RegViewportWidth], r[pica.RegViewportHeight] = pica.Float24.Encode(float32(rng.IntN(100))), pica.Float24.Encode(float32(rng.IntN(100)))
				for i := range pica.Reg(2) {
					r[pica.RegViewportInvw+2*i] *= rng.Uint32N(2)
				}
				r[0x060], r[0x11F] = rng.Uint32N(1<<10), 0x7FFFFFFE+rng.Uint32N(2)
				for _, reg := range keyed {
					other[reg] = r[reg]
				}
				want := slices.Clone(find(&r, nil))
				require.Equal(t, want, find(&other, nil), "finder %d of check %d depends on a register that is not in the key", j, i)
				found += min(len(want), 1)
			}
			require.Positive(t, found, "finder %d of check %d", j, i)
			require.Less(t, found, 2000, "finder %d of check %d", j, i)
		}
	}
}
