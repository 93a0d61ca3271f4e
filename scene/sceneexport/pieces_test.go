package sceneexport

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/texture"
	"pica200/fragment"
	"pica200/geometry"
	"pica200/pica"
	"pica200/scene"
	"pica200/shaderunit"
	"pica200/tests/testkit"
)

// overlay joins two contents of the same memory if they agree; filler agrees with everything.
func TestOverlayJoinsMemory(t *testing.T) {
	const f = 99
	for _, c := range []struct {
		a, b, want []uint32
	}{
		{nil, nil, nil}, {[]uint32{1, 2}, nil, []uint32{1, 2}}, {nil, []uint32{1, 2}, []uint32{1, 2}}, {[]uint32{1, 2}, []uint32{1}, []uint32{1, 2}}, {[]uint32{1}, []uint32{1, 2}, []uint32{1, 2}},
		{[]uint32{f, 2, f}, []uint32{1, f}, []uint32{1, 2, f}}, {[]uint32{f, 2}, []uint32{1, f, 3}, []uint32{1, 2, 3}}, {[]uint32{f}, []uint32{f}, []uint32{f}},
		{[]uint32{1, 2}, []uint32{1, 3}, nil}, {[]uint32{2}, []uint32{1, 3}, nil}, {[]uint32{f, 1}, []uint32{f, 2}, nil},
	} {
		to := []uint32{7}
		if ok := overlay(&to, c.a, c.b, f); c.want != nil || len(c.a)+len(c.b) == 0 {
			require.True(t, ok, "%v %v", c.a, c.b)
			require.Equal(t, append([]uint32{7}, c.want...), to, "%v %v", c.a, c.b)
		} else {
			require.False(t, ok, "%v %v", c.a, c.b)
		}
	}
}

// Pictures that differ in any bit or in size get their own files; equal ones share a file.
func TestEqualPicturesShareAFile(t *testing.T) {
	var all textures
	names := map[string]bool{}
	add := func(w, h int, pix ...uint32) string { return all.file(&texture.Image{Width: w, Height: h, Pix: pix}) }
	for bit := range 64 {
		pix := []uint32{0x12345678, 0x9ABCDEF0}
		pix[bit/32] ^= 1 << (bit % 32)
		names[add(2, 1, pix...)] = true
	}
	names[add(2, 1, 0x12345678, 0x9ABCDEF0)], names[add(1, 2, 0x12345678, 0x9ABCDEF0)] = true, true
	require.Len(t, names, 66)
	require.Equal(t, 132, all.texels)
	first := all.images[0]
	require.Equal(t, first.name, all.file(first.im))
	require.Len(t, all.images, 66)
	require.Equal(t, "textures/65.png", all.images[65].name)
}

// Merged shaders of two files lie one after the other and share operand descriptors.
func TestMergedShaders(t *testing.T) {
	word := func(in shaderunit.Instr) uint32 {
		w := testkit.Must(in.Encode())(t)
		return w
	}
	mov := func(dst shaderunit.DstReg, desc uint8) uint32 {
		return word(shaderunit.Instr{Op: shaderunit.OpMOV, Dst: dst, Desc: desc})
	}
	jump := func(to uint16) uint32 { return word(shaderunit.Instr{Op: shaderunit.OpJMPC, Dest: to}) }
	for _, c := range []struct{ vertex, geometry, words, descs []uint32 }{
		{[]uint32{5}, []uint32{5}, []uint32{mov(0, 0), jump(0), mov(1, 0), jump(2)}, []uint32{5}},
		{[]uint32{5}, []uint32{6}, []uint32{mov(0, 0), jump(0), mov(1, 1), jump(2)}, []uint32{5, 6}},
		{[]uint32{5, 6}, []uint32{6}, []uint32{mov(0, 0), jump(0), mov(1, 1), jump(2)}, []uint32{5, 6}},
	} {
		p := &shaderPair{stages: []stage{{code: &code{words: []uint32{mov(0, 0), jump(0)}, descs: c.vertex}}, {code: &code{words: []uint32{mov(1, 0), jump(0)}, descs: c.geometry, entry: 1}}}}
		m, entries, err := p.merged()
		require.NoError(t, err)
		require.Equal(t, c.words, m.words)
		require.Equal(t, c.descs, m.descs)
		require.Equal(t, []uint32{0, 3}, entries)
	}
}

// Settings common to all draws move to the scene; with a single draw nothing moves.
func TestCommonSettingsMoveToScene(t *testing.T) {
	uniform := func(name string, v float64) scene.Uniform { return scene.Uniform{Name: name, Values: []any{v}} }
	register := scene.Register{Reg: 0x105, Mask: 3, Value: 77}
	one := func() *export {
		e := &export{recording: &recording{}, report: &Report{}, scene: &scene.Scene{}}
		for i := range 3 {
			e.scene.Draws = append(e.scene.Draws, scene.Draw{Name: fmt.Sprint(i), Style: scene.Style{State: scene.State{Registers: []scene.Register{register},
				Uniforms: []scene.Uniform{uniform("dmp_a", 1), uniform("own", 2), uniform("dmp_b", float64(i)), uniform("dmp_c", 3)}}}})
		}
		return e
	}
	for n := range 4 {
		e := one()
		e.scene.Draws = e.scene.Draws[:n]
		e.hoistUniforms()
		e.hoistRegisters()
		if n < 2 {
			require.Empty(t, e.scene.Uniforms)
			require.Empty(t, e.scene.Registers)
			continue
		}
		require.Equal(t, []scene.Register{register}, e.scene.Registers, "%d draws", n)
		require.Equal(t, []scene.Uniform{uniform("dmp_a", 1), uniform("dmp_c", 3)}, e.scene.Uniforms)
		for i, d := range e.scene.Draws {
			require.Empty(t, d.Registers)
			require.Equal(t, []scene.Uniform{uniform("own", 2), uniform("dmp_b", float64(i))}, d.Uniforms)
		}
	}
	// One of three draws has another value.
	for i := range 3 {
		e := one()
		e.scene.Draws[i].Registers = []scene.Register{{Reg: 0x105, Mask: 3, Value: 78}}
		e.scene.Draws[i].Uniforms[3] = uniform("dmp_c", 4)
		e.hoistUniforms()
		e.hoistRegisters()
		require.Empty(t, e.scene.Registers)
		require.Equal(t, []scene.Uniform{uniform("dmp_a", 1)}, e.scene.Uniforms)
	}
}

// Tables that a draw reads and its scene has changed are written with their original values, each after its index.
func TestChangedTablesAreRestored(t *testing.T) {
	r := &pica.Regs{}
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeGas))
	pica.TexunitEnable3.SetBool(r, true)
	want, got := &fragment.Tables{}, &fragment.Tables{}
	d := &draw{tables: want}
	require.Empty(t, rawTables(d, r, got))
	for i := range want.Fog {
		want.Fog[i] = uint32(i) + 1<<24
		got.Fog[i] = uint32(i)
	}
	require.Empty(t, rawTables(d, r, got), "differences in unused bits are not written")
	want.Fog[5], want.Gas[3], want.ProcColor[200] = 0x123, 0x456, 0x789
	list := rawTables(d, r, got)
	var words []scene.Register
	words = append(words, scene.Register{Reg: uint16(pica.RegFogLutIndex), Mask: 15})
	for _, w := range want.Fog {
		words = append(words, scene.Register{Reg: uint16(pica.RegFogLutData0), Mask: 15, Value: w})
	}
	words = append(words, scene.Register{Reg: uint16(pica.RegGasLutIndex), Mask: 15})
	for _, w := range want.Gas {
		words = append(words, scene.Register{Reg: uint16(pica.RegGasLutData), Mask: 15, Value: w})
	}
	words = append(words, scene.Register{Reg: uint16(pica.RegProctexLut), Mask: 15, Value: pica.ProctexLutTable.Put(0, uint32(pica.ProcTableColor))})
	for _, w := range want.ProcColor {
		words = append(words, scene.Register{Reg: uint16(pica.RegProctexLutData0), Mask: 15, Value: w})
	}
	require.True(t, slices.Equal(words, list), "%v", list)
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeFog))
	pica.TexunitEnable3.SetBool(r, false)
	require.Len(t, rawTables(d, r, got), 1+len(want.Fog))
	pica.TexenvUpdateFogMode.Set(r, uint32(pica.FogModeOff))
	require.Empty(t, rawTables(d, r, got))
}

// Meshes are equal if all their contents are; equal concatenated bytes of vertices and indices do not suffice.
func TestMeshesByContents(t *testing.T) {
	var m meshes
	m.known = map[string]int{}
	vertices := func(n int) *geometry.Vertices {
		v := &geometry.Vertices{Count: n}
		for i := range n {
			v.Inputs[2] = append(v.Inputs[2], [4]float32{float32(i), 1, 2, 3})
		}
		return v
	}
	small := vertices(4)
	for i := range 24 {
		small.Order = append(small.Order, uint32(i%4))
	}
	small.Order = append(small.Order, 0, 1, 2)
	large := vertices(7)
	for i := 4; i < 7; i++ {
		for k := range 4 { // two indices per number
			at := 8*(i-4) + 2*k
			large.Inputs[2][i][k] = math.Float32frombits(small.Order[at] | small.Order[at+1]<<16)
		}
	}
	large.Order = []uint32{0, 1, 2}
	other := vertices(4)
	other.Order = small.Order
	other.Inputs[3], other.Inputs[2] = other.Inputs[2], nil
	var numbers []int
	for _, v := range []*geometry.Vertices{small, large, other, small, large, other} {
		numbers = append(numbers, m.add(&draw{}, v, false))
	}
	require.Equal(t, []int{0, 1, 2, 0, 1, 2}, numbers)
}
