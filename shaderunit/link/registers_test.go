package link

import (
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/shaderunit"
)

// Linking one object keeps its descriptors unchanged, also equal ones; linking several merges equal ones.
func TestLinkOfOneKeepsDescriptors(t *testing.T) {
	d := shbin.Descriptor{Word: 0x36F}
	o := &shbin.Object{Code: []uint32{0x4C000000, 0x4C000001, 0x4C000002, 0x88000000}, Descriptors: []shbin.Descriptor{d, {Word: 0x361}, d}}
	all, numbers, err := linkDescriptors([]Input{{Name: "a", Object: o}})
	require.NoError(t, err)
	require.Equal(t, o.Descriptors, all)
	require.Equal(t, [][]int{{0, 1, 2}}, numbers)
	all, numbers, err = linkDescriptors([]Input{{Name: "a", Object: o}, {Name: "b", Object: o}})
	require.NoError(t, err)
	require.Equal(t, o.Descriptors[:2], all)
	require.Equal(t, [][]int{{0, 1, 0}, {0, 1, 0}}, numbers)
}

// Constants are placed where all are equal to existing ones, else in the last free registers.
func TestConstantPlacement(t *testing.T) {
	const free, equal, taken = 0, 1, 2
	end := int(shbin.UniformInt)
	for _, c := range []struct {
		kind  shbin.ConstantKind
		n     int // registers
		there map[int]int
		want  int
	}{
		{shbin.ConstantFloat, 1, nil, end - 1}, {shbin.ConstantFloat, 3, nil, end - 3},
		{shbin.ConstantFloat, 1, map[int]int{end - 1: taken}, end - 2}, {shbin.ConstantFloat, 2, map[int]int{end - 2: taken}, end - 4},
		{shbin.ConstantFloat, 1, map[int]int{end - 40: equal}, end - 40},
		{shbin.ConstantFloat, 2, map[int]int{end - 40: equal}, end - 2}, {shbin.ConstantFloat, 2, map[int]int{end - 39: equal}, end - 2}, {shbin.ConstantFloat, 2, map[int]int{end - 40: equal, end - 39: equal}, end - 40},
		{shbin.ConstantFloat, 2, map[int]int{end - 40: equal, end - 39: taken}, end - 2},
		{shbin.ConstantInt, 1, nil, int(shbin.UniformInt) + shaderunit.IntUniforms - 1}, {shbin.ConstantInt, 1, map[int]int{int(shbin.UniformInt): equal}, int(shbin.UniformInt)},
		{shbin.ConstantBool, 1, nil, int(shbin.UniformBool) + 14}, {shbin.ConstantBool, 1, map[int]int{int(shbin.UniformBool) + 14: taken, int(shbin.UniformBool): equal}, int(shbin.UniformBool)},
	} {
		u, was := &registerUser{}, &[registerSpace]*occupant{}
		got := u.find(c.kind, 0, c.n-1, was, func(r int, _ *occupant) (string, bool) {
			return map[bool]string{true: "someone"}[c.there[r] == taken], c.there[r] == equal
		})
		require.Equal(t, c.want, got, "%+v", c)
		// Registers of the object itself are not free.
		u.has[c.want] = &occupant{}
		require.NotEqual(t, c.want, u.find(c.kind, 0, c.n-1, was, func(r int, _ *occupant) (string, bool) {
			return map[bool]string{true: "someone"}[c.there[r] == taken], c.there[r] == equal
		}), "%+v", c)
	}
	u := &registerUser{}
	require.Equal(t, -1, u.find(shbin.ConstantInt, 0, 0, &[registerSpace]*occupant{}, func(int, *occupant) (string, bool) { return "someone", false }))
}
