package drawstate

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/explain/rows"
	"pica200/frontend/dmp"
	"pica200/pica"
)

// Every state register is decoded by the register table. A difference from the previous draw marks the register and the field, and
// nothing else.
func TestRegistersAreDecoded(t *testing.T) {
	s := take(t, open(t, "lights"), 0, 1)
	list := s.Input.Registers(nil)
	n := 0
	for reg := range pica.Reg(pica.NumRegs) {
		if IsState(reg) {
			require.Equal(t, int(reg), list[n].Get("number"))
			require.Equal(t, s.Input.Regs[reg], list[n].Get("word"))
			require.Len(t, list[n].Rows, len(pica.Registers[reg].Fields))
			n++
		}
	}
	require.Len(t, list, n)
	require.False(t, slices.ContainsFunc(list, func(r rows.Row) bool { return r.Mark != "" }), "without a previous draw nothing is marked")

	before := s.Input
	pica.FacecullingMode.Set(&before.Regs, pica.FacecullingMode.Get(&s.Input.Regs)^1)
	mode := pica.FacecullingMode
	changed := func(r rows.Row) bool { return r.Mark == rows.Changed }
	for _, r := range s.Input.Registers(&before) {
		require.Equal(t, r.Get("what") == mode.Reg.String(), changed(r))
		for _, f := range r.Rows {
			require.Equal(t, changed(r) && f.Get("what") == mode.Name, changed(f))
			if changed(f) {
				require.Equal(t, mode.Format(mode.Get(&before.Regs)), f.Get("before"))
				require.Equal(t, mode.Format(mode.Get(&s.Input.Regs))+", was "+mode.Format(mode.Get(&before.Regs)), f.Text())
			}
		}
	}
	// Changes lists this field and nothing else.
	changes := Changes(&before, &s.Input)
	require.Len(t, changes, 1)
	require.Len(t, changes[0].Rows, 1)
	require.Equal(t, mode.Name+": "+mode.Format(mode.Get(&before.Regs))+" -> "+mode.Format(mode.Get(&s.Input.Regs)), changes[0].Rows[0].Line())
}

// Each uniform is listed at every field it sets bits of.
func TestFieldsNameTheirUniforms(t *testing.T) {
	named := map[string]map[string]bool{}
	for reg := range pica.Reg(pica.NumRegs) {
		for _, f := range pica.Registers[reg].Fields {
			for _, u := range UniformsOf(f) {
				if named[u] == nil {
					named[u] = map[string]bool{}
				}
				named[u][reg.String()] = true
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

func TestMatricesInUniforms(t *testing.T) {
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
