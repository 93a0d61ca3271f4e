package pipeline

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
	"pica200/tests/states"
	"pica200/tests/testkit"
)

// Register writes by Change apply to everything requested of a Replayer in the visited frame, and end with Change.
func TestReplayerChange(t *testing.T) {
	r := ReplayerFor(t, states.Parse(t, testkit.Named(t, "lights")[0].Read(t)), ReplayerOptions{})
	ctx := context.Background()
	look := func(pos Position) string {
		t.Helper()
		require.NoError(t, r.Seek(ctx, pos))
		target := testkit.Must(r.GPU.LastTarget())(t)
		return string(target.Color)
	}
	places := []Position{{0, 0}, {0, 2}, {0, FrameEnd}, {1, 1}, {1, FrameEnd}}
	var plain []string
	for _, p := range places {
		plain = append(plain, look(p))
	}
	called := map[int]int{}
	r.Change = func(frame int, g *GPU, d *DrawInfo) error {
		called[frame]++
		if d.Index != 1 {
			return nil
		}
		return g.WriteInternal(ctx, pica.RegDepthColorMask, 0)
	}
	for i, p := range places {
		require.Equal(t, p == places[0], plain[i] == look(p), "%v", p)
		_, valid := r.Position()
		require.False(t, valid)
	}
	require.Equal(t, map[int]int{0: 1 + 3 + 3, 1: 2 + 3}, called)
	// A hook of the visit sees the registers used by the draw.
	masks := map[int]uint32{}
	require.NoError(t, r.Visit(ctx, Position{0, 2}, func(g *GPU) error {
		g.BeforeDraw = func(d *DrawInfo) error { masks[d.Index] = d.Regs[pica.RegDepthColorMask]; return nil }
		return nil
	}))
	require.Zero(t, masks[1])
	require.NotZero(t, masks[0])
	require.NoError(t, r.Only(ctx, Position{0, 2}))
	r.Change = nil
	for i, p := range places {
		require.True(t, plain[i] == look(p), "%v", p)
	}
}

// An upload continues at the same position, whatever KeepUploads wrapped in between.
func TestUploadsContinueAfterKeepUploads(t *testing.T) {
	ctx := context.Background()
	write := func(g *GPU, reg pica.Reg, words ...uint32) {
		for _, w := range words {
			require.NoError(t, g.WriteInternal(ctx, reg, w))
		}
	}
	for _, unit := range []pica.Reg{pica.OffsetGsh, pica.OffsetVsh} {
		upload := func(between func(g *GPU)) *GPU {
			g := GPUFor(t, Options{})
			write(g, pica.RegGshCodetransferIndex+unit, 5)
			write(g, pica.RegGshOpdescsIndex+unit, 7)
			write(g, pica.RegGshFloatuniformIndex+unit, 1<<31|3)
			write(g, pica.RegGshCodetransferData0+unit, 0x1111)
			write(g, pica.RegGshOpdescsData0+unit, 0x2222)
			write(g, pica.RegGshFloatuniformData0+unit, 0x3F800000, 0x40000000) // half a vector
			between(g)
			write(g, pica.RegGshCodetransferData0+unit, 0x3333)
			write(g, pica.RegGshOpdescsData0+unit, 0x4444)
			write(g, pica.RegGshFloatuniformData0+unit, 0x40400000, 0x40800000)
			return g
		}
		want := wholeOf(upload(func(*GPU) {}))
		changed := func(g *GPU) {
			write(g, pica.RegGshCodetransferIndex+unit, 100)
			write(g, pica.RegGshCodetransferData0+unit, 0)
			write(g, pica.RegGshOpdescsIndex+unit, 100)
			write(g, pica.RegGshOpdescsData0+unit, 0)
			write(g, pica.RegGshFloatuniformIndex+unit, 90)
			write(g, pica.RegGshFloatuniformData0+unit, 0, 0, 0)
		}
		got := wholeOf(upload(func(g *GPU) {
			require.NoError(t, g.KeepUploads(func() error { changed(g); return nil }))
		}))
		// The data registers hold the last word, which is equal.
		require.Empty(t, want.difference(&got))
		other := wholeOf(upload(changed))
		require.NotEmpty(t, want.difference(&other))
	}
}
