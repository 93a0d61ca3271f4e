package fragment

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/raster"
	"pica200/tests/testkit"
)

// flatTextures draws unit 0 unchanged on a quad whose texture coordinate 0 runs from 0 to 1 over 16 pixels, t upwards.
func flatTextures(s *fieldScene) {
	r := &s.regs
	s.stage(0, pica.CombineReplace, pica.SourceTexture0)
	unitEnable[0].SetBool(r, true)
	pica.TexunitWrapS.Set(r, uint32(pica.WrapClampToEdge))
	pica.TexunitWrapT.Set(r, uint32(pica.WrapClampToEdge))
	pica.TexunitAddr.Set(r, sceneMemoff>>3)
	for k := range s.corner {
		v := &s.corner[k]
		v.InvW = 1
		v.Vertex[pica.SemTexCoord0U], v.Vertex[pica.SemTexCoord0V] = float32(k&1), float32(k>>1)
	}
}

// Textures and levels with sides below 8 texels lie at the start of a tile: its top left corner.
func TestTexturesSmallerThanATile(t *testing.T) {
	// Texels in memory order, each with its number as red.
	memory := make(sceneMemory, 4096)
	for i := range len(memory) / 4 {
		memory[4*i], memory[4*i+3] = 255, uint8(i)
	}
	morton := func(x, y int) (m int) {
		for b := range 3 {
			m |= x>>b&1<<(2*b) | y>>b&1<<(2*b+1)
		}
		return m
	}
	for _, c := range []struct{ w, h, level, tiles int }{
		{4, 4, 0, 0}, {8, 4, 0, 0}, {4, 8, 0, 0}, {2, 1, 0, 0}, {16, 4, 0, 0}, {4, 16, 0, 0},
		{8, 8, 1, 1}, {16, 8, 1, 2}, {8, 8, 2, 2}, {8, 8, 3, 3}, {8, 8, 9, 3},
	} {
		t.Run(fmt.Sprintf("%dx%d level %d", c.w, c.h, c.level), func(t *testing.T) {
			s := newFieldScene(flatTextures)
			s.memory = memory
			r := &s.regs
			pica.TexunitWidth.Set(r, uint32(c.w))
			pica.TexunitHeight.Set(r, uint32(c.h))
			pica.TexunitLodMin.Set(r, uint32(c.level))
			pica.TexunitLodMax.Set(r, uint32(c.level))
			out := testkit.Must(s.render())(t)
			require.Empty(t, s.warnings)
			target := raster.Target{Width: sceneSize, Height: sceneSize, ColorFormat: pica.ColorFormatRGBA8, Color: out}
			w, h := max(c.w>>min(c.level, 3), 1), max(c.h>>min(c.level, 3), 1)
			for y := range sceneSize { // from the top
				for x := range sceneSize {
					tx, ty := x*w/sceneSize, y*h/sceneSize // texel from the top left
					tile := ty/8*((w+7)/8) + tx/8
					want := uint8(64*(c.tiles+tile) + morton(tx%8, ty%8))
					require.Equal(t, want, ReadPixel(&target, int32(x), int32(y)).Color[0], "pixel %d,%d", x, y)
				}
			}
		})
	}
	require.Equal(t, 1, levelSize(8, 5))
}

// TestUnitWithoutTexture reads units without a texture.
func TestUnitWithoutTexture(t *testing.T) {
	for _, c := range []struct {
		name string
		unit pica.Source
		set  func(r *pica.Regs)
	}{
		{"address 0", pica.SourceTexture0, func(r *pica.Regs) { pica.TexunitAddr.Set(r, 0) }},
		{"a cube at address 0", pica.SourceTexture0, func(r *pica.Regs) {
			pica.TexunitAddr.Set(r, 0)
			pica.TexunitType.Set(r, uint32(pica.TextureCube))
		}},
		{"disabled", pica.SourceTexture0, func(r *pica.Regs) { pica.TexunitType.Set(r, uint32(pica.TextureDisabled)) }},
		{"unit 0 off", pica.SourceTexture0, func(r *pica.Regs) { pica.TexunitEnable0.SetBool(r, false) }},
		{"unit 1 at address 0", pica.SourceTexture1, func(r *pica.Regs) { pica.TexunitEnable1.SetBool(r, true) }},
		{"unit 2 off", pica.SourceTexture2, func(*pica.Regs) {}},
		{"unit 3 off", pica.SourceTexture3, func(*pica.Regs) {}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newFieldScene(flatTextures)
			pica.TexunitWidth.Set(&s.regs, 8)
			pica.TexunitHeight.Set(&s.regs, 8)
			s.stage(0, pica.CombineReplace, c.unit)
			c.set(&s.regs)
			out := testkit.Must(s.render())(t)
			require.Empty(t, s.warnings)
			for i := range sceneSize * sceneSize {
				require.Equal(t, []byte{0, 0, 0, 0}, out[4*i:4*i+4], "transparent")
			}
		})
	}
}
