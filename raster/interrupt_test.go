package raster

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/pica"
)

// Binning stops after a bounded number of triangles when the watched channel is closed; otherwise it bins all of them.
func TestBinningStopsOnCancel(t *testing.T) {
	const triangles, height = 100_000, 1024
	binned := func(done chan struct{}) (n int) {
		d, _ := testDraw(64, height)
		var q Queue
		for _, v := range []pica.ScreenVertex{vertex(0, 0), vertex(64*subpixel, 0), vertex(0, height*subpixel)} { // in every bin
			q.Add(&v)
		}
		for range triangles {
			q.Triangles = append(q.Triangles, Triangle{0, 1, 2})
		}
		q.Watch(done)
		q.Commit(d)
		for i := range q.bins {
			n += len(q.bins[i].list)
		}
		q.Drop()
		require.True(t, q.Empty())
		return n
	}
	bins := height / binRows
	require.Equal(t, triangles*bins, binned(nil))
	require.Equal(t, triangles*bins, binned(make(chan struct{})))
	done := make(chan struct{})
	close(done)
	require.LessOrEqual(t, binned(done), trianglesUnseen*bins)
}

// Check refuses a target without width or height, with an unknown format, or with too little memory for its tiles.
func TestTargetCheckRefusesBadTargets(t *testing.T) {
	good := func() *Target {
		return &Target{Width: 10, Height: 9, ColorFormat: pica.ColorFormatRGB565, Color: make([]byte, 16*16*2), DepthFormat: pica.DepthFormatD24, Depth: make([]byte, 16*16*3)}
	}
	require.NoError(t, good().Check())
	need := good().Bytes(2)
	for want, spoil := range map[string]func(t *Target){
		"of 0x9 pixels":   func(t *Target) { t.Width = 0 },
		"of 10x0 pixels":  func(t *Target) { t.Height = 0 },
		"of -1x9 pixels":  func(t *Target) { t.Width = -1 },
		"of 10x-1 pixels": func(t *Target) { t.Height = -1 },
		"colour format 7": func(t *Target) { t.ColorFormat = 7 },
		"depth format 1":  func(t *Target) { t.DepthFormat = 1 },
		fmt.Sprintf("colour buffer has %d bytes, 10x9 pixels of %v need %d", need-1, pica.ColorFormatRGB565, need): func(t *Target) { t.Color = t.Color[:need-1] },
		"depth buffer has 9 bytes": func(t *Target) { t.Depth = t.Depth[:9] },
	} {
		target := good()
		spoil(target)
		require.ErrorContains(t, target.Check(), want)
	}
	least := good()
	least.Color, least.Depth = least.Color[:need], nil
	require.NoError(t, least.Check())
	least.DepthFormat, least.Color, least.ColorFormat = 1, nil, 7
	require.NoError(t, least.Check(), "formats of absent buffers are not checked")
	one := &Target{Width: 1, Height: 1}
	require.NoError(t, one.Check())
}

// A block is drawn alone if any of its pixels is in the range Alone.
func TestBlocksInRangeAloneDrawAlone(t *testing.T) {
	d := &Draw{Alone: Rect{X0: 7, Y0: 12, X1: 8, Y1: 12}, HasAlone: true}
	for y := int32(0); y < 24; y += 4 {
		for x := int32(0); x < 24; x += 4 {
			require.Equal(t, (x == 4 || x == 8) && y == 12, d.alone(x, y), "%d,%d", x, y)
		}
	}
	d.HasAlone = false
	require.False(t, d.alone(4, 12))
}
