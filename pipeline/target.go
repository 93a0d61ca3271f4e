package pipeline

import (
	"fmt"

	"pica200/fragment"
	"pica200/pica"
	"pica200/raster"
)

// targetKey is everything that a render target depends on.
type targetKey struct {
	color, depth uint32 // addresses
	colorFormat  pica.ColorFormat
	depthFormat  pica.DepthFormat
	width        int32
	height       int32
	block32      bool
}

// renderTarget is a render target and its memory.
type renderTarget struct {
	raster.Target
	key          targetKey
	color, depth span // empty if there is no such buffer
	aliases      bool // different pixels share memory
	overlap      bool // the two buffers overlap
	colorErr     error
	depthErr     error
}

// targets caches render targets, because the fragment stage identifies them by
// pointer, and remembers the last ones drawn to.
type targets struct {
	cache map[targetKey]*renderTarget

	last   *renderTarget // target of the queued draws
	gas    *renderTarget // of the last draw in gas mode
	shadow *renderTarget // of the last draw in shadow mode
}

const maxTargets = 256

// keep adds a target to the cache, and empties it first if it is full.
func (t *targets) keep(one *renderTarget) {
	if t.cache == nil || len(t.cache) >= maxTargets {
		t.cache = map[targetKey]*renderTarget{}
	}
	t.cache[one.key] = one
}

// drawnTo remembers the target of a draw in gas or shadow mode.
func (t *targets) drawnTo(one *renderTarget, mode pica.FragmentMode) {
	t.last = one
	switch mode {
	case pica.FragmentModeGas:
		t.gas = one
	case pica.FragmentModeShadow:
		t.shadow = one
	}
}

// keyOf returns the key of the render target that the registers describe.
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

// target returns the render target that the registers describe. A buffer
// outside of memory, or in a format that does not exist, is an error only if
// the draw uses it: programs leave the address of an unused buffer at 0.
func (g *GPU) target() (*renderTarget, error) {
	t, err := g.targetOf(keyOf(&g.regs))
	if err != nil {
		return nil, err
	}
	if g.usesColor() && t.Color == nil {
		return nil, t.colorErr
	}
	if g.usesDepth() && t.Depth == nil {
		return nil, t.depthErr
	}
	return t, nil
}

// targetOf returns the render target of a key, or an error that says why it
// cannot exist.
func (g *GPU) targetOf(key targetKey) (*renderTarget, error) {
	if t := g.targets.cache[key]; t != nil {
		return t, nil
	}
	t, err := g.newTarget(key)
	if err == nil {
		g.targets.keep(t)
	}
	return t, err
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
func (p *programmed) usesColor() bool {
	const channels = 0xF << 8
	r := &p.regs
	if !pica.ColorbufferWrite.Bool(r) {
		return false
	}
	return r[pica.RegDepthColorMask]&channels != 0 || p.mode() != pica.FragmentModeDefault
}

// writesColor reports whether the draw writes the colour buffer of t. Views
// write it even if the registers forbid it.
func (g *GPU) writesColor(t *renderTarget) bool {
	return g.usesColor() || g.View != fragment.ViewFinal && t.Color != nil
}

func (p *programmed) mode() pica.FragmentMode {
	return pica.FragmentMode(pica.ColorOperationMode.Get(&p.regs))
}

// usesDepth reports whether the draw reads or writes the depth buffer.
// GPUREG_DEPTHBUFFER_READ can forbid reading, and a test that always or never
// passes does not read.
func (p *programmed) usesDepth() bool {
	r := &p.regs
	switch p.mode() {
	case pica.FragmentModeShadow:
		return false
	case pica.FragmentModeGas:
		return p.readsDepth() && pica.GasDepthFunc(pica.GasDeltazFunc.Get(r)) >= pica.GasDepthGreater
	}
	return p.writesDepth() || p.readsDepth() && (p.comparesDepth() || p.stencil())
}

// comparesDepth reports whether there is a depth test that depends on the depth
// buffer.
func (p *programmed) comparesDepth() bool {
	f := pica.CompareFunc(pica.DepthTestFunc.Get(&p.regs))
	return pica.DepthTestEnable.Bool(&p.regs) && f != pica.CompareAlways && f != pica.CompareNever
}

// readsDepth reports whether depth and stencil may be read. Any bit of
// GPUREG_DEPTHBUFFER_READ allows both, as in the fragment stage.
func (p *programmed) readsDepth() bool { return p.regs[pica.RegDepthbufferRead]&3 != 0 }

func (p *programmed) stencil() bool {
	r := &p.regs
	return pica.StencilTestEnable.Bool(r) && pica.DepthFormat(pica.DepthbufferFormat.Get(r)) == pica.DepthFormatD24S8
}

// masksStencil reports whether the draw writes some bits of the stencil and
// keeps the others, which are in the same byte.
func (p *programmed) masksStencil() bool {
	mask := pica.StencilTestWriteMask.Get(&p.regs)
	return p.stencil() && p.writesDepth() && mask != 0 && mask != 0xFF
}

// writesDepth reports whether the draw changes the depth buffer. Any bit of
// GPUREG_DEPTHBUFFER_WRITE allows it, as in the fragment stage.
func (p *programmed) writesDepth() bool {
	r := &p.regs
	return r[pica.RegDepthbufferWrite]&3 != 0 && p.mode() == pica.FragmentModeDefault &&
		(pica.DepthWriteEnable.Bool(r) || p.stencil())
}
