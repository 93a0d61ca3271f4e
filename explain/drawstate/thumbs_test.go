package drawstate

import (
	"bytes"
	"image"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/pipeline"
)

// Thumbnails are made of textures with sides from 8 to 1024.
func TestThumbnailSizes(t *testing.T) {
	for d, want := range map[[2]int]bool{{8, 1024}: true, {1024, 8}: true, {7, 64}: false, {64, 7}: false, {1025, 64}: false, {64, 1025}: false} {
		require.Equal(t, want, sized(pipeline.DrawTexture{Width: d[0], Height: d[1]}), d)
	}
}

// A texture thumbnail is read again after a load, a move, and a draw to another target. Existing GPU hooks are still called.
func TestThumbnailsFollowMemory(t *testing.T) {
	g := pipeline.New(pipeline.Options{Workers: 1})
	defer g.Close()
	var regs pica.Regs
	regs[pica.TexunitEnable0.Reg] = 1
	regs[pica.RegTexunit0Dim] = 8 | 8<<16
	regs[pica.TexunitAddr.Reg] = pica.FCRAMBase / 8
	called := 0
	g.BeforeDraw = func(*pipeline.DrawInfo) error { called++; return nil }
	g.BeforeLoad = func(uint32, int) { called++ }
	g.AfterMove = func() error { called++; return nil }
	var list [][]*image.RGBA
	new(Thumbs).Follow(g, &list)
	hooks := g.Hooks
	g.Hooks = pipeline.Hooks{}
	draw := func(shade byte) uint8 {
		require.NoError(t, g.Load(t.Context(), pica.FCRAMBase, bytes.Repeat([]byte{255, shade, shade, shade}, 64)))
		require.NoError(t, hooks.BeforeDraw(&pipeline.DrawInfo{Regs: &regs}))
		last := list[len(list)-1]
		require.Len(t, last, 1)
		return last[0].Pix[0]
	}
	require.EqualValues(t, 10, draw(10))
	require.EqualValues(t, 10, draw(20), "an unchanged texture is not read again")
	hooks.BeforeLoad(0, 0)
	require.EqualValues(t, 30, draw(30))
	require.NoError(t, hooks.AfterMove())
	require.EqualValues(t, 40, draw(40))
	regs[pica.ColorbufferLoc.Reg] += 8
	require.EqualValues(t, 50, draw(50))
	require.EqualValues(t, 50, draw(10))
	require.Equal(t, 8, called)
}
