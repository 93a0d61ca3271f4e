package seeds

import (
	"encoding/binary"
	"image/color"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/tests/testkit"
)

// drawing is a square that covers a target of 8x8 pixels.
type drawing struct {
	gpu    *pipeline.GPU
	c      *gl.Context
	target *gl.Target
}

// draw calls set and draws the square with a program whose inputs all get the corner position.
func draw(t *testing.T, p *gl.Program, set func(c *gl.Context)) drawing {
	t.Helper()
	return drawWatched(t, p, set, nil)
}

// drawWatched is draw; it passes the register writes of the command lists to write.
func drawWatched(t *testing.T, p *gl.Program, set func(c *gl.Context), write func(reg pica.Reg, word uint32)) drawing {
	t.Helper()
	d := square(t, p, [4]float32{}, -0.5)
	if write != nil {
		d.gpu.BeforeList = func(addr, n uint32) {
			list := testkit.Must(d.gpu.Read(addr, n))(t)
			at := func(i int) uint32 { return binary.LittleEndian.Uint32(list[4*i:]) }
			for i := 0; i+1 < len(list)/4; {
				head, extra := at(i+1), int(at(i+1)>>20&0xFF)
				write(pica.Reg(head&0xFFFF), at(i))
				for k := range extra {
					write(pica.Reg(head&0xFFFF+head>>31*uint32(k+1)), at(i+2+k))
				}
				i += 2 + (extra+1)&^1
			}
		}
	}
	if set != nil {
		set(d.c)
	}
	require.NoError(t, d.c.DrawArrays(t.Context(), pica.PrimitiveTriangleStrip, 0, 4))
	require.NoError(t, d.c.Flush(t.Context()))
	return d
}

// square creates the target and the vertices of the square, which feed all inputs of the program.
func square(t *testing.T, p *gl.Program, clear [4]float32, z float32) (d drawing) {
	t.Helper()
	var err error
	memory := []pipeline.Region{{Addr: pica.FCRAMBase, Data: make([]byte, 0x140000)}, {Addr: pica.VRAMBase, Data: make([]byte, 1<<14)}}
	d.gpu, err = pipeline.NewOn(memory, pipeline.Options{Workers: 1})
	require.NoError(t, err)
	d.c, err = gl.New(d.gpu)
	require.NoError(t, err)
	d.target, err = d.c.NewTarget(8, 8, gl.TargetOptions{Depth: pica.DepthFormatD24S8})
	require.NoError(t, err)
	require.NoError(t, d.c.SetTarget(t.Context(), d.target))
	require.NoError(t, d.c.ClearColor(t.Context(), clear[0], clear[1], clear[2], clear[3]))
	require.NoError(t, d.c.ClearDepth(t.Context(), 1, 0))
	d.c.UseProgram(p)
	corners := testkit.Must(d.c.NewFloatBuffer(t.Context(), []float32{-1, -1, z, 1, 1, -1, z, 1, -1, 1, z, 1, 1, 1, z, 1}))(t)
	for _, name := range p.Inputs() {
		require.NoError(t, d.c.Attribute(name, corners, gl.Attrib{Type: pica.AttribFloat, Size: 4, Stride: 16}))
	}
	return d
}

// pixel returns a pixel of the target.
func (d drawing) pixel(t *testing.T, x, y int) color.NRGBA {
	img := testkit.Must(d.target.ReadPixels(t.Context()))(t)
	return img.NRGBAAt(x, y)
}
