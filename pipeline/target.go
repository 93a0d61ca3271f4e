package pipeline

import (
	"fmt"

	"pica200/fragment"
	"pica200/pica"
	"pica200/raster"
)

// targetKey is what a render target depends on.
type targetKey struct {
	color, depth uint32 // addresses
	colorFormat  pica.ColorFormat
	depthFormat  pica.DepthFormat
	width        int32
	height       int32
	block32      bool
}

// renderTarget is a render target and where it lies.
type renderTarget struct {
	raster.Target
	key          targetKey
	color, depth span // empty if there is no such buffer
	aliases      bool // different pixels share memory
	overlap      bool // the two buffers do
	colorErr     error
	depthErr     error
}

// targetCache keeps render targets, because the fragment stage knows them by
// their pointer.
type targetCache map[targetKey]*renderTarget

const maxTargets = 256

// keyOf is the render target that registers describe.
func keyOf(r *pica.Regs) targetKey {
	return targetKey{
		color:       pica.ColorbufferLoc.Addr(r),
		depth:       pica.DepthbufferLoc.Addr(r),
		colorFormat: pica.ColorFormat(pica.ColorbufferFormat.Get(r)),
		depthFormat: pica.DepthFormat(pica.DepthbufferFormat.Get(r)),
		width:       int32(pica.FramebufferWidth.Get(r)),
		height:      int32(pica.FramebufferHeight.Get(r)) + 1,
		block32:     pica.FramebufferBlock32.Bool(r),
	}
}

// target returns the render target that the registers describe. Buffers that
// are not in memory, or whose format does not exist, are an error only if the
// draw uses them: programs leave the address of a buffer they do not use at 0.
func (g *GPU) target() (*renderTarget, error) {
	key := keyOf(&g.regs)
	t := g.targets[key]
	if t == nil {
		if g.targets == nil || len(g.targets) >= maxTargets {
			g.targets = targetCache{}
		}
		var err error
		if t, err = g.newTarget(key); err != nil {
			return nil, err
		}
		g.targets[key] = t
	}
	if g.usesColor() && t.Color == nil {
		return nil, t.colorErr
	}
	if g.usesDepth() && t.Depth == nil {
		return nil, t.depthErr
	}
	return t, nil
}

func (g *GPU) newTarget(key targetKey) (*renderTarget, error) {
	t := &renderTarget{key: key, Target: raster.Target{
		Width: key.width, Height: key.height,
		ColorFormat: key.colorFormat, DepthFormat: key.depthFormat, Block32: key.block32, Kernels: g.kernels,
	}}
	if err := t.Check(); err != nil {
		return nil, fmt.Errorf("%w (%v)", err, pica.RegFramebufferDim)
	}
	attach := func(addr uint32, pixel int, format fmt.Stringer, reg pica.Reg) (s span, mem []byte, err error) {
		if pixel == 0 {
			return s, nil, fmt.Errorf("render target: format %v does not exist", format)
		}
		s = span{addr, uint32(t.Bytes(pixel))}
		if mem, err = g.mem.Slice(s.addr, s.bytes); err != nil {
			return span{}, nil, fmt.Errorf("render target of %dx%d pixels, %v (%v): %w", t.Width, t.Height, format, reg, err)
		}
		return s, mem, nil
	}
	t.color, t.Color, t.colorErr = attach(key.color, key.colorFormat.Bytes(), key.colorFormat, pica.RegColorbufferLoc)
	t.depth, t.Depth, t.depthErr = attach(key.depth, key.depthFormat.Bytes(), key.depthFormat, pica.RegDepthbufferLoc)
	t.aliases, t.overlap = t.Aliases(), t.color.overlaps(t.depth)
	return t, nil
}

// usesColor reports whether the draw writes the colour buffer.
func (g *GPU) usesColor() bool {
	const channels = 0xF << 8
	r := &g.regs
	if !pica.ColorbufferWrite.Bool(r) {
		return false
	}
	return r[pica.RegDepthColorMask]&channels != 0 || g.mode() != pica.FragmentModeDefault
}

// writesColor reports whether the draw writes the colour buffer of t: views
// write it even where the registers forbid it.
func (g *GPU) writesColor(t *renderTarget) bool {
	return g.usesColor() || g.View != fragment.ViewFinal && t.Color != nil
}

func (g *GPU) mode() pica.FragmentMode {
	return pica.FragmentMode(pica.ColorOperationMode.Get(&g.regs))
}

// usesDepth reports whether the draw reads or writes the depth buffer. While
// GPUREG_DEPTHBUFFER_READ forbids it nothing is read, and a test that always or
// never passes reads nothing.
func (g *GPU) usesDepth() bool {
	r := &g.regs
	switch g.mode() {
	case pica.FragmentModeShadow:
		return false
	case pica.FragmentModeGas:
		return g.readsDepth() && pica.GasDepthFunc(pica.GasDeltazFunc.Get(r)) >= pica.GasDepthGreater
	}
	f := pica.CompareFunc(pica.DepthTestFunc.Get(r))
	compares := pica.DepthTestEnable.Bool(r) && f != pica.CompareAlways && f != pica.CompareNever
	return g.writesDepth() || g.readsDepth() && (compares || g.stencil())
}

// readsDepth reports whether depth and stencil may be read. Any bit of
// GPUREG_DEPTHBUFFER_READ allows both, as in the fragment stage.
func (g *GPU) readsDepth() bool { return g.regs[pica.RegDepthbufferRead]&3 != 0 }

func (g *GPU) stencil() bool {
	r := &g.regs
	return pica.StencilTestEnable.Bool(r) && pica.DepthFormat(pica.DepthbufferFormat.Get(r)) == pica.DepthFormatD24S8
}

// writesDepth reports whether the draw changes the depth buffer. Any bit of
// GPUREG_DEPTHBUFFER_WRITE allows it, as in the fragment stage.
func (g *GPU) writesDepth() bool {
	r := &g.regs
	return r[pica.RegDepthbufferWrite]&3 != 0 && g.mode() == pica.FragmentModeDefault &&
		(pica.DepthWriteEnable.Bool(r) || g.stencil())
}
