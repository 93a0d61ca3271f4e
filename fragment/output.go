package fragment

import (
	"math/bits"
	"unsafe"

	"pica200/internal/simd"
	"pica200/pica"
	"pica200/raster"
)

// output is the last op of an ordinary draw: stencil and depth tests, blending
// or logic op, and the write to the render target, in drawing order.
type output struct {
	color    colorRef
	hasAlpha bool // the render target has alpha

	stencil *stencilTest // nil if off

	depthTest  pica.CompareFunc // CompareAlways if off
	depthRead  bool
	depthZero  bool // the depth buffer reads as 0
	depthWrite bool

	blend      *blend // nil if the fragment's colour is written unchanged
	readColor  bool   // blending or a partial mask needs the old colour
	partial    bool   // not all channels are written
	colorZero  bool   // blending reads the old colour as 0
	byAlpha    bool   // blend.byAlpha does all that is to be done
	writeColor bool
	mask       [4]bool // channels written
	tested     bool    // follows an alpha test
}

// compileOutput reads the state of the output stage
// (GPUREG_COLOR_OPERATION to GPUREG_DEPTHBUFFER_WRITE, 0x100-0x115).
func compileOutput(r *pica.Regs, target targetShape, color colorRef) *output {
	o := &output{hasAlpha: hasAlpha(target.colorFormat), color: color, depthTest: pica.CompareAlways}

	// Any bit of an access register enables the whole buffer
	// (GPUREG_DEPTHBUFFER_READ, _WRITE, GPUREG_COLORBUFFER_READ, _WRITE).
	// ReadsSwitchedOff: a test or blending reads 0 from a disabled buffer. What may
	// not be written stays.
	readable := target.depth && r[pica.RegDepthbufferRead]&3 != 0
	writable := target.depth && r[pica.RegDepthbufferWrite]&3 != 0
	if pica.DepthTestEnable.Bool(r) {
		o.depthTest = pica.CompareFunc(pica.DepthTestFunc.Get(r))
	}
	o.depthWrite = writable && pica.DepthWriteEnable.Bool(r)
	o.depthRead = o.depthTest != pica.CompareAlways && o.depthTest != pica.CompareNever
	o.depthZero = !readable
	if pica.StencilTestEnable.Bool(r) && target.depthFormat == pica.DepthFormatD24S8 {
		o.stencil = compileStencil(r, readable, writable)
	}

	o.mask = [4]bool{
		pica.ColorMaskR.Bool(r), pica.ColorMaskG.Bool(r),
		pica.ColorMaskB.Bool(r), pica.ColorMaskA.Bool(r),
	}
	any := o.mask[0] || o.mask[1] || o.mask[2] || o.mask[3]
	o.writeColor = target.color && any && r[pica.RegColorbufferWrite]&0xF != 0
	if o.writeColor {
		o.blend = compileBlend(r)
		all := o.mask[0] && o.mask[1] && o.mask[2] && (o.mask[3] || !o.hasAlpha)
		o.colorZero = r[pica.RegColorbufferRead]&0xF == 0
		o.partial = !all
		o.readColor = o.blend != nil && o.blend.readsDest && !o.colorZero || o.partial
		o.byAlpha = o.blend != nil && o.blend.simple && !o.colorZero && !o.partial
	}
	return o
}

func hasAlpha(f pica.ColorFormat) bool {
	return f != pica.ColorFormatRGB8 && f != pica.ColorFormatRGB565
}

// reads adds the planes of the fragment's colour that the output stage reads.
func (o *output) reads(set *planeSet) {
	if !o.writeColor {
		return
	}
	for ch, r := range o.color {
		if o.mask[ch] && (ch != alpha || o.hasAlpha) {
			set.add(r)
		}
	}
	if o.blend != nil && o.blend.readsSourceAlpha {
		set.add(o.color[alpha])
	}
	if o.blend != nil && o.blend.logic == nil {
		for ch := range o.blend.channel {
			for _, f := range []factor{o.blend.channel[ch].src, o.blend.channel[ch].dst} {
				if f.kind == factorConstant {
					k := ch
					if f.channel >= 0 {
						k = int(f.channel)
					}
					set.add(planeRef{cBlendColor, uint8(k)})
				}
			}
		}
	}
	if o.blend != nil && o.blend.readsSource {
		for ch := red; ch <= blue; ch++ {
			set.add(o.color[ch])
		}
	}
}

// run writes the batch. Blocks on the same pixels, from overlapping triangles,
// must not be processed together: run cuts the batch into stretches in which
// each position occurs once.
func (o *output) run(m *machine) {
	switch {
	case m.b == &m.compacted.batch:
		o.runCompacted(m)
		return
	case m.b.Packed:
		o.runPacked(m)
		return
	}
	o.blocks(m, o.color)
}

// blocks is run for a batch of blocks, whose colours are at color.
func (o *output) blocks(m *machine, color colorRef) {
	b := m.b
	var at raster.BlockIndices
	at.Put(m.v.target, b)
	start := 0
	if b.OneTriangle() {
		o.stretch(m, color, &at, start, b.Blocks)
		return
	}
	var seen blockSet
	for i := range b.Block[:b.Blocks] {
		if seen.put(&b.Block[i]) && sameAs(b.Block[start:i], &b.Block[i]) {
			o.stretch(m, color, &at, start, i)
			start, seen = i, 0
			seen.put(&b.Block[i])
		}
	}
	o.stretch(m, color, &at, start, b.Blocks)
}

// blockSet is a set of blocks. It stores only positions modulo 16x4 blocks (the
// width of a batch and the height of a bin), so it may report a block that is
// not in the set.
type blockSet uint64

// put adds a block and reports whether it may have been in the set.
func (p *blockSet) put(b *raster.Block) bool {
	bit := blockSet(1) << (uint32(b.X)>>2&15 | uint32(b.Y)>>2&3<<4)
	was := *p&bit != 0
	*p |= bit
	return was
}

// sameAs reports whether one of the blocks has the same position as b.
func sameAs(blocks []raster.Block, b *raster.Block) bool {
	for i := range blocks {
		if blocks[i].X == b.X && blocks[i].Y == b.Y {
			return true
		}
	}
	return false
}

// stretch writes the blocks start to end-1, which lie at at.
func (o *output) stretch(m *machine, color colorRef, at *raster.BlockIndices, start, end int) {
	b, target := m.b, m.v.target
	o.tests(m, at, start, end)
	var write [raster.BatchBlocks]uint16
	copy(write[start:end], b.Mask[start:end])
	n := pixels(&write)
	m.written += uint64(n)
	if n == 0 || !o.writeColor {
		return
	}
	var src raster.Planes
	for ch := range src {
		src[ch] = m.plane(color[ch])
	}
	if o.blend == nil {
		if o.partial {
			o.keep(m, at, &write, start, end, &src)
		}
		target.StoreColors(at, &write, start, end, &src)
		return
	}
	all := uint16(1<<end - 1<<start)
	blended, apart := all, write // blocks whose colour is blended, and their pixels, which write loses
	if simd.Vectors && m.with.Vector() {
		blended = partVector(&src[alpha][0], &write[0], &apart[0], allIf(o.blend.opaque), allIf(o.blend.transparent && !o.colorZero))
	}
	old, mixed := &m.c[cScratch0], &m.c[cScratch0+1]
	if blended != 0 && !(o.byAlpha && target.BlendColors(at, &apart, start, end, &src, &o.blend.byAlpha)) {
		before := raster.Planes{&old[red], &old[green], &old[blue], &old[alpha]}
		if o.readColor {
			target.LoadColors(at, &apart, start, end, &before)
		}
		dest := old
		if o.colorZero {
			dest = &m.c[cZero]
		}
		for rest := blended; rest != 0; { // for each run of consecutive blocks
			first := bits.TrailingZeros16(rest)
			last := first + bits.TrailingZeros16(^(rest >> first))
			o.blend.run(m, src, dest, mixed, first*raster.BlockPixels, last*raster.BlockPixels)
			rest &^= 1<<last - 1
		}
		after := raster.Planes{&mixed[red], &mixed[green], &mixed[blue], &mixed[alpha]}
		for ch, written := range o.mask {
			if !written {
				after[ch] = before[ch]
			}
		}
		target.StoreColors(at, &apart, start, end, &after)
	}
	if blended != all {
		if o.partial {
			o.keep(m, at, &write, start, end, &src)
		}
		target.StoreColors(at, &write, start, end, &src)
	}
}

// allIf is all bits, or none.
func allIf(yes bool) (bits uint64) {
	if yes {
		bits--
	}
	return bits
}

// keep fills the channels that are not written from the render target.
func (o *output) keep(m *machine, at *raster.BlockIndices, write *[raster.BatchBlocks]uint16, start, end int, src *raster.Planes) {
	old := &m.c[cScratch0]
	before := raster.Planes{&old[red], &old[green], &old[blue], &old[alpha]}
	m.v.target.LoadColors(at, write, start, end, &before)
	for ch, written := range o.mask {
		if !written {
			src[ch] = before[ch]
		}
	}
}

// pixels counts the pixels of masks.
func pixels(masks *[raster.BatchBlocks]uint16) (n int) {
	for _, w := range (*[raster.BatchBlocks / 4]uint64)(unsafe.Pointer(masks)) {
		n += bits.OnesCount64(w)
	}
	return n
}

// block is the part of a plane that belongs to block i.
func block(p *Bytes, i int) *raster.Channel {
	return (*raster.Channel)(p[i*raster.BlockPixels:])
}

// tests reduces the masks of a stretch to the pixels that pass the stencil and
// depth tests, and updates both buffers.
func (o *output) tests(m *machine, at *raster.BlockIndices, start, end int) {
	if o.stencil != nil || o.depthRead && o.depthZero || o.depthTest == pica.CompareNever {
		for i := start; i < end; i++ {
			if m.b.Mask[i] != 0 {
				m.b.Mask[i] = o.test(m, i, at.Index(i))
			}
		}
		return
	}
	if end > start && (o.depthRead || o.depthWrite) {
		m.v.target.TestDepths(at, &m.b.Mask, start, end, &m.b.Depth, o.depthTest, o.depthWrite)
	}
}

// test runs the stencil and depth tests for one block, updates both buffers,
// and returns the pixels that pass.
func (o *output) test(m *machine, i, index int) uint16 {
	mask := m.b.Mask[i]
	target := m.v.target
	var stencil raster.Channel
	if o.stencil != nil {
		if !o.stencil.unread || !o.stencil.unwritten && m.v.stencil.write != 0 {
			target.LoadStencil(index, &stencil)
		}
		pass := o.stencil.test(m.with, &m.v.stencil, &stencil)
		if fail := mask &^ pass; fail != 0 {
			o.stencil.update(m.with, m.v, index, fail, o.stencil.fail, &stencil)
		}
		mask &= pass
		if mask == 0 {
			return 0
		}
	}
	if o.depthRead || o.depthWrite {
		before := mask
		depth := (*[raster.BlockPixels]float32)(m.b.Depth[i*raster.BlockPixels:])
		switch {
		case o.depthTest == pica.CompareNever:
			mask = 0
		case o.depthRead && o.depthZero:
			mask &= target.TestDepthZero(depth, o.depthTest)
			if o.depthWrite && mask != 0 {
				target.WriteDepth(index, mask, depth)
			}
		case o.depthWrite:
			mask = target.TestAndWriteDepth(index, mask, depth, o.depthTest)
		default:
			mask &= target.TestDepth(index, depth, o.depthTest)
		}
		if o.stencil != nil {
			if fail := before &^ mask; fail != 0 {
				o.stencil.update(m.with, m.v, index, fail, o.stencil.depthFail, &stencil)
			}
		}
	} else if o.depthTest == pica.CompareNever {
		if o.stencil != nil {
			o.stencil.update(m.with, m.v, index, mask, o.stencil.depthFail, &stencil)
		}
		return 0
	}
	if o.stencil != nil && mask != 0 {
		// This also applies without a depth test.
		o.stencil.update(m.with, m.v, index, mask, o.stencil.pass, &stencil)
	}
	return mask
}

// ReadsColor reports whether the colours that an ordinary draw writes depend on
// the old contents of the colour buffer, through blending or a logic op.
// Keeping channels that the mask protects does not count.
func ReadsColor(r *pica.Regs) bool {
	b := compileBlend(r)
	return b != nil && b.readsDest && r[pica.RegColorbufferRead]&0xF != 0
}
