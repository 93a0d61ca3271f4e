package gl

import (
	"context"
	"fmt"
	"image"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/texture"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
)

// Target is a colour buffer, a depth buffer, or both, that draws write to. Contexts
// make them (NewTarget).
type Target struct {
	c             *Context
	width, height int
	colorFormat   pica.ColorFormat
	depthFormat   pica.DepthFormat
	color, depth  block   // of size 0 if there is none
	shared        [2]bool // color, depth belong to another target
}

// TargetOptions describe a target's buffers. The zero value is a colour buffer
// of RGBA8 and a depth buffer of 16 bits.
type TargetOptions struct {
	Color   pica.ColorFormat
	NoColor bool // there is no colour buffer
	Depth   pica.DepthFormat
	NoDepth bool // there is no depth buffer
	// ColorOf and DepthOf, if not nil, are targets of the same size whose buffers
	// this target uses instead of its own. They must outlive it.
	ColorOf, DepthOf *Target
}

// MaxTarget is the greatest side of a render target.
const MaxTarget = 1024

// NewTarget makes a render target. Sides are multiples of 8, the size of a tile.
func (c *Context) NewTarget(width, height int, o TargetOptions) (*Target, error) {
	if width < 8 || height < 8 || width > MaxTarget || height > MaxTarget || width%8 != 0 || height%8 != 0 {
		return nil, fmt.Errorf("render target of %dx%d pixels: each side must be a multiple of 8 from 8 to %d", width, height, MaxTarget)
	}
	t := &Target{c: c, width: width, height: height, colorFormat: o.Color, depthFormat: o.Depth}
	var err error
	for _, of := range []*Target{o.ColorOf, o.DepthOf} {
		if of != nil && (of.width != width || of.height != height) {
			return nil, fmt.Errorf("render target of %dx%d pixels: the target whose buffer it shares has %dx%d", width, height, of.width, of.height)
		}
	}
	if o.ColorOf != nil {
		t.color, t.colorFormat, t.shared[0], o.NoColor = o.ColorOf.color, o.ColorOf.colorFormat, true, true
	}
	if o.DepthOf != nil {
		t.depth, t.depthFormat, t.shared[1], o.NoDepth = o.DepthOf.depth, o.DepthOf.depthFormat, true, true
	}
	if !o.NoColor {
		n := o.Color.Bytes()
		if n == 0 {
			return nil, fmt.Errorf("render target: colour format %v does not exist", o.Color)
		}
		if t.color, err = c.video.alloc(uint32(width*height*n), "colour buffer"); err != nil {
			return nil, err
		}
	}
	if !o.NoDepth {
		n := o.Depth.Bytes()
		if n == 0 {
			t.releaseColor()
			return nil, fmt.Errorf("render target: depth format %v does not exist", o.Depth)
		}
		if t.depth, err = c.video.alloc(uint32(width*height*n), "depth buffer"); err != nil {
			t.releaseColor()
			return nil, err
		}
	}
	return t, nil
}

// releaseColor frees the target's own colour buffer.
func (t *Target) releaseColor() {
	if !t.shared[0] {
		t.c.video.release(t.color)
	}
}

// Size returns width and height in pixels.
func (t *Target) Size() (width, height int) { return t.width, t.height }

// Delete frees the memory. The target must not be used afterwards.
func (t *Target) Delete(ctx context.Context) error {
	if err := t.c.Flush(ctx); err != nil {
		return err
	}
	t.releaseColor()
	if !t.shared[1] {
		t.c.video.release(t.depth)
	}
	t.color, t.depth = block{}, block{}
	if t.c.target == t {
		t.c.target = nil
	}
	return nil
}

// ColorTexture returns the colour buffer as a texture; later draws to the
// target change it. The sides must be powers of two.
func (t *Target) ColorTexture() (*Texture, error) {
	if t.color.size == 0 {
		return nil, fmt.Errorf("the render target has no colour buffer")
	}
	if t.width&(t.width-1) != 0 || t.height&(t.height-1) != 0 || t.width > texture.MaxSize || t.height > texture.MaxSize {
		return nil, fmt.Errorf("a render target of %dx%d pixels cannot be a texture: the sides must be powers of two", t.width, t.height)
	}
	tex := t.c.textureAt(t.color.addr, t.colorFormat.Texture(), t.width, t.height)
	tex.Mip = pica.FilterNearest
	return tex, nil
}

// SetTarget makes draws go to a target, and sets the viewport to all of it.
func (c *Context) SetTarget(ctx context.Context, t *Target) error {
	if t != c.target {
		// The GPU's cache belongs to the old target.
		if err := c.Flush(ctx); err != nil {
			return err
		}
		c.write(pica.RegFramebufferInvalidate, 0xF, 1)
	}
	c.target = t
	c.put(pica.ColorbufferLoc, t.color.addr/pica.ColorbufferLoc.Type.Unit())
	c.put(pica.DepthbufferLoc, t.depth.addr/pica.DepthbufferLoc.Type.Unit())
	for _, f := range [][3]pica.Field{
		{pica.FramebufferWidth, pica.FramebufferHeight, pica.FramebufferNoFlip},
		{pica.RenderbufWidth, pica.RenderbufHeight, pica.RenderbufOne},
	} {
		c.put(f[0], uint32(t.width))
		c.put(f[1], uint32(t.height-1))
		c.put(f[2], 1)
	}
	size := pica.PixelSize32
	switch t.colorFormat.Bytes() {
	case 2:
		size = pica.PixelSize16
	case 3:
		size = pica.PixelSize24
	}
	c.put(pica.ColorbufferFormat, uint32(t.colorFormat))
	c.put(pica.ColorbufferPixelSize, uint32(size))
	c.put(pica.DepthbufferFormat, uint32(t.depthFormat))
	c.put(pica.FramebufferBlock32, 0)
	access := func(b block, all uint32) uint32 {
		if b.size == 0 {
			return 0
		}
		return all
	}
	c.put(pica.ColorbufferRead, access(t.color, 0xF))
	c.put(pica.ColorbufferWrite, access(t.color, 0xF))
	depth := access(t.depth, 1)
	for _, f := range []pica.Field{pica.DepthbufferReadDepth, pica.DepthbufferWriteDepth, pica.DepthbufferReadStencil, pica.DepthbufferWriteStencil} {
		c.put(f, depth)
	}
	c.Viewport(0, 0, t.width, t.height)
	return nil
}

// ClearColor fills the colour buffer of the target with a colour, each component
// 0 to 1. Masks and scissor do not matter.
func (c *Context) ClearColor(ctx context.Context, r, g, b, a float32) error {
	if c.target == nil || c.target.color.size == 0 {
		return fmt.Errorf("clear: there is no colour buffer to clear")
	}
	layout := c.target.colorFormat.Layout()
	var channels [4]uint32
	for i, x := range (mgl32.Vec4{r, g, b, a}) {
		channels[i] = uint32(float32(min(max(x, 0), 1)*float32(layout.Top(i))) + 0.5)
	}
	value, width := layout.Pack(channels), [...]pica.FillWidth{2: pica.Fill16, 3: pica.Fill24, 4: pica.Fill32}[layout.Bytes]
	return c.fill(ctx, c.target.color, value, uint32(width))
}

// ClearDepth fills the depth buffer of the target with a depth, 0 to 1, and a
// stencil value if it has stencil: the two are cleared together. Masks and
// scissor do not matter.
func (c *Context) ClearDepth(ctx context.Context, depth float32, stencil uint8) error {
	if c.target == nil || c.target.depth.size == 0 {
		return fmt.Errorf("clear: there is no depth buffer to clear")
	}
	format := c.target.depthFormat
	value := uint32(min(max(float64(depth), 0), 1) * float64(format.Max()))
	width := uint32(pica.Fill24)
	switch format {
	case pica.DepthFormatD16:
		width = uint32(pica.Fill16)
	case pica.DepthFormatD24S8:
		value, width = value|uint32(stencil)<<24, uint32(pica.Fill32)
	}
	return c.fill(ctx, c.target.depth, value, width)
}

// ClearRaw fills the colour buffer with a 32-bit value in memory format. Gas
// buffers and shadow textures are cleared this way.
func (c *Context) ClearRaw(ctx context.Context, value uint32) error {
	if c.target == nil || c.target.colorFormat.Bytes() != 4 || c.target.color.size == 0 {
		return fmt.Errorf("clear: there is no colour buffer of 32 bits to clear")
	}
	return c.fill(ctx, c.target.color, value, uint32(pica.Fill32))
}

// fill runs a memory fill.
func (c *Context) fill(ctx context.Context, b block, value, width uint32) error {
	if err := c.Flush(ctx); err != nil {
		return err
	}
	// Padding after the buffer is filled too; an incomplete pixel is cut off.
	err := c.writeRegisters(ctx,
		pica.ExtMemfillStart, b.addr>>3,
		pica.ExtMemfillEnd, (b.addr+b.size)>>3,
		pica.ExtMemfillValue, value,
		pica.ExtMemfillControl, pica.MemfillWidth.Put(1, width))
	if err != nil {
		return fmt.Errorf("clear: %w", err)
	}
	c.write(pica.RegFramebufferInvalidate, 0xF, 1)
	return nil
}

// raster returns the target in memory, after all draws.
func (t *Target) raster(ctx context.Context) (*raster.Target, error) {
	if err := t.c.Flush(ctx); err != nil {
		return nil, err
	}
	r := &raster.Target{Width: int32(t.width), Height: int32(t.height), ColorFormat: t.colorFormat, DepthFormat: t.depthFormat}
	var err error
	if t.color.size != 0 {
		if r.Color, err = t.c.dev.Read(t.color.addr, uint32(t.width*t.height*t.colorFormat.Bytes())); err != nil {
			return nil, err
		}
	}
	if t.depth.size != 0 {
		if r.Depth, err = t.c.dev.Read(t.depth.addr, uint32(t.width*t.height*t.depthFormat.Bytes())); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// ReadPixels returns the colour buffer, the top row first.
func (t *Target) ReadPixels(ctx context.Context) (*image.NRGBA, error) {
	r, err := t.raster(ctx)
	if err != nil {
		return nil, err
	}
	return pipeline.ColorImage(r)
}

// ReadDepth returns the depth buffer as 16-bit grey, the highest 16 bits of
// each depth, the top row first.
func (t *Target) ReadDepth(ctx context.Context) (*image.Gray16, error) {
	r, err := t.raster(ctx)
	if err != nil {
		return nil, err
	}
	return pipeline.DepthImage(r)
}

// ReadStencil returns the stencil buffer of a D24S8 target as grey, the top row
// first.
func (t *Target) ReadStencil(ctx context.Context) (*image.Gray, error) {
	r, err := t.raster(ctx)
	if err != nil {
		return nil, err
	}
	return pipeline.StencilImage(r)
}
