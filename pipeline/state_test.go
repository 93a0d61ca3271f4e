package pipeline

import (
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
