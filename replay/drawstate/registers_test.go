package drawstate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/dmp"
	"pica200/pica"
)

// Every register that holds state is decoded, as the table does it; what differs from
// the draw before is marked in the register and in the field, and in nothing else.
func TestDecoded(t *testing.T) {
	s, err := Take(t.Context(), open(t, "lights"), 0, 1)
	require.NoError(t, err)
	list := s.Given.Decoded(nil)
	n := 0
	for reg := range pica.Reg(pica.NumRegs) {
		if IsState(reg) {
			require.Equal(t, reg, list[n].Reg)
			require.Len(t, list[n].Fields, len(pica.Registers[reg].Fields))
			n++
		}
	}
	require.Len(t, list, n)
	require.False(t, slices.ContainsFunc(list, func(r Register) bool { return r.Changed }), "there is no draw before")

	before := s.Given
	pica.FacecullingMode.Set(&before.Regs, pica.FacecullingMode.Get(&s.Given.Regs)^1)
	for _, r := range s.Given.Decoded(&before) {
		require.Equal(t, r.Reg == pica.FacecullingMode.Reg, r.Changed)
		for _, f := range r.Fields {
			require.Equal(t, r.Changed && f.Name == pica.FacecullingMode.Name, f.Changed)
			if f.Changed {
				require.NotEqual(t, f.Value, f.Before)
				require.Equal(t, pica.FacecullingMode.Format(pica.FacecullingMode.Get(&before.Regs)), f.Before)
			}
		}
	}
}

// Each uniform is named at every field that it sets bits of.
func TestFieldsNameTheirUniforms(t *testing.T) {
	var g Given
	named := map[string]map[string]bool{}
	for _, r := range g.Decoded(nil) {
		for _, f := range r.Fields {
			for _, u := range f.Uniforms {
				if named[u] == nil {
					named[u] = map[string]bool{}
				}
				named[u][r.Reg.String()] = true
			}
		}
	}
	for i := range dmp.Uniforms {
		u := &dmp.Uniforms[i]
		for _, f := range u.Fields {
			if IsState(f.Reg) && slices.ContainsFunc(pica.Registers[f.Reg].Fields, func(g pica.Field) bool { return g.Lo < f.Lo+f.Bits && f.Lo < g.Lo+g.Bits }) {
				require.True(t, named[u.Name][f.Reg.String()], "%s at %v", u.Name, f.Reg)
			}
		}
	}
	require.NotEmpty(t, named["dmp_TexEnv[0].srcRgb"])
}

func TestMatrices(t *testing.T) {
	var u [96][4]float32
	require.Empty(t, Matrices(&u))
	put := func(at int, rows ...[4]float32) { copy(u[at:], rows) }
	put(0, [4]float32{1}, [4]float32{0, 1}, [4]float32{0, 0, 1}, [4]float32{0, 0, 0, 1})
	put(4, [4]float32{2}, [4]float32{0, 2}, [4]float32{0, 0, -1, -2}, [4]float32{0, 0, -1, 0})
	put(10, [4]float32{0, 1, 0, 5}, [4]float32{1, 0, 0, 5}, [4]float32{0, 0, 1, 5}, [4]float32{0, 0, 0, 1}, [4]float32{7})
	put(95, [4]float32{0, 0, 0, 9})
	list := Matrices(&u)
	require.Len(t, list, 5)
	var at []int
	var kinds []string
	rows := 0
	for _, m := range list {
		at, kinds, rows = append(at, m.First), append(kinds, m.Kind), rows+len(m.Rows)
	}
	require.Equal(t, []int{0, 4, 10, 14, 95}, at)
	require.Equal(t, []string{"identity", "perspective", "affine", "", ""}, kinds)
	require.Equal(t, 14, rows)
}
