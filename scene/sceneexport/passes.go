package sceneexport

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/pica"
	"pica200/pipeline"
	"pica200/raster"
	"pica200/scene"
)

// surface is a buffer that draws write to.
type surface struct {
	addr, bytes   uint32
	format        uint32
	width, height int
}

func (s surface) overlaps(start, end uint32) bool {
	return s.bytes != 0 && start < s.addr+s.bytes && s.addr < end
}

// pass is a sequence of draws to one render target.
type pass struct {
	name         string
	color, depth surface // bytes is 0 if there is none
	shareColor   int     // the pass whose buffer it continues, or -1
	shareDepth   int
	clear        scene.Clear
	raw          *uint32 // value that the colour buffer is filled with, in memory format
	draws        []*draw
	screen       string // on which it is shown
	at           uint32 // address of its picture for that screen
	shown        []byte // the colour buffer when it was transferred last
	notes        []string
}

// surfaces reads where a draw goes to.
func (r *recording) surfaces(regs *pica.Regs) (color, depth surface) {
	w := int(pica.FramebufferWidth.Get(regs))
	h := int(pica.FramebufferHeight.Get(regs)) + 1
	make := func(addr, format uint32, pixel int) surface {
		t := raster.Target{Width: int32(w), Height: int32(h)}
		s := surface{addr, uint32(t.Bytes(pixel)), format, w, h}
		if pixel == 0 || addr == 0 {
			return surface{}
		}
		if !r.gpu.HasMemory(s.addr, s.bytes) {
			return surface{}
		}
		return s
	}
	cf, df := pica.ColorbufferFormat.Get(regs), pica.DepthbufferFormat.Get(regs)
	color = make(pica.ColorbufferLoc.Addr(regs), cf, pica.ColorFormat(cf).Bytes())
	depth = make(pica.DepthbufferLoc.Addr(regs), df, pica.DepthFormat(df).Bytes())
	return color, depth
}

// filled reports whether something other than a draw wrote to a surface after
// the draws below from.
func (r *recording) filled(s surface, from int) bool {
	return slices.ContainsFunc(r.fills, func(f memoryRange) bool { return f.draws >= from && s.overlaps(f.start, f.end) })
}

// join adds a draw to the current pass, or begins another.
func (r *recording) join(d *draw) {
	color, depth := r.surfaces(&d.regs)
	n := len(r.passes)
	if n > 0 {
		p := r.passes[n-1]
		from := len(r.draws) // fills since the last draw
		if p.color == color && p.depth == depth && !r.filled(color, from) && !r.filled(depth, from) {
			d.pass = n - 1
			p.draws = append(p.draws, d)
			return
		}
	}
	p := &pass{name: fmt.Sprintf("pass%d", n), color: color, depth: depth, shareColor: -1, shareDepth: -1, draws: []*draw{d}}
	d.pass = n
	r.begin(p, true)
	r.begin(p, false)
	r.passes = append(r.passes, p)
}

// begin finds the contents of a pass's buffer before its first draw: those of
// an earlier pass, or the same value everywhere.
func (r *recording) begin(p *pass, color bool) {
	of := func(p *pass) (s surface, share *int, pixel int, what string) {
		if color {
			return p.color, &p.shareColor, pica.ColorFormat(p.color.format).Bytes(), "colour"
		}
		return p.depth, &p.shareDepth, pica.DepthFormat(p.depth.format).Bytes(), "depth"
	}
	s, share, pixel, what := of(p)
	if s.bytes == 0 {
		return
	}
	last, after := -1, 0
	draws := 0
	for i, q := range r.passes {
		draws += len(q.draws)
		if before, _, _, _ := of(q); before == s {
			last, after = i, draws
		}
	}
	if last >= 0 && !r.filled(s, after) {
		*share = last
		return
	}
	data, err := r.gpu.Read(s.addr, s.bytes)
	if err != nil {
		return
	}
	value, ok := uniform(data, pixel)
	if !ok {
		*share = last // a fill may have changed a part
		p.notes = append(p.notes, fmt.Sprintf("its %s buffer holds something from before that the scene cannot express", what))
	}
	if color {
		p.clear.Color = colorValue(value, pica.ColorFormat(s.format))
		p.raw = &value
		return
	}
	depth, stencil := depthValue(value, pica.DepthFormat(s.format))
	p.clear.Depth = &depth
	if pica.DepthFormat(s.format) == pica.DepthFormatD24S8 {
		p.clear.Stencil = &stencil
	}
}

// uniform reports whether all pixels are the same, and what the first is.
func uniform(data []byte, pixel int) (value uint32, ok bool) {
	for i := range pixel {
		value |= uint32(data[i]) << (8 * i)
	}
	return value, bytes.Equal(data[pixel:], data[:len(data)-pixel])
}

// colorValue is a colour with components 0 to 1 that clears to a pixel's value.
func colorValue(v uint32, f pica.ColorFormat) *mgl64.Vec4 {
	layout := f.Layout()
	c := mgl64.Vec4{3: 1}
	for i, n := range layout.Unpack(v) {
		if top := layout.Top(i); top != 0 {
			c[i] = float64(float32(n) / float32(top))
		}
	}
	return &c
}

// depthValue is a depth, 0 to 1, that clears to a pixel's value, and its
// stencil. The drawing API takes depths as float32 and truncates.
func depthValue(v uint32, f pica.DepthFormat) (float64, int) {
	top := float64(f.Max())
	z := v
	if f == pica.DepthFormatD24S8 {
		z &= 0xFFFFFF
	}
	x := float32(float64(z) / top)
	for range 4 {
		if uint32(float64(x)*top) == z {
			break
		}
		x = math.Nextafter32(x, 2)
	}
	return float64(min(x, 1)), int(v >> 24)
}

// present finds which passes are shown on the screens at the end of the frame.
func (r *recording) present() (notes []string) {
	for _, s := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
		shown, other := r.gpu.Framebuffers(s)
		if top, _ := r.gpu.Framebuffers(pipeline.ScreenTop); s == pipeline.ScreenTopRight && (!r.gpu.Stereo() || top == shown) {
			continue
		}
		for i := len(r.transfers) - 1; i >= 0; i-- {
			t := r.transfers[i]
			if t.Dst != shown && t.Dst != other {
				continue
			}
			for k := len(r.passes) - 1; k >= 0; k-- {
				p := r.passes[k]
				if p.color.bytes == 0 || p.color.addr != t.Src {
					continue
				}
				if why := r.presentable(p, t, s); why != "" {
					notes = append(notes, fmt.Sprintf("what %s draws is shown on the %v screen, which the scene does not: %s", p.name, s, why))
				} else {
					p.screen, p.at = s.String(), t.Dst
				}
				break
			}
			break
		}
	}
	return notes
}

// presentable returns why a scene cannot make the same transfer to a screen, ""
// if it can.
func (r *recording) presentable(p *pass, t pipeline.Transfer, s pipeline.Screen) string {
	lines := map[pipeline.Screen]int{pipeline.ScreenTop: 400, pipeline.ScreenBottom: 320, pipeline.ScreenTopRight: 400}[s]
	once := p.color.width == 240 && p.color.height == lines && t.Scaling == pica.TransferScaleNone
	twice := p.color.width == 480 && p.color.height == 2*lines && t.Scaling == pica.TransferScale2x2
	wide := s == pipeline.ScreenTop && p.color.width == 240 && p.color.height == 800 && t.Scaling == pica.TransferScaleNone
	switch {
	case !once && !twice && !wide:
		return fmt.Sprintf("%dx%d pixels, scaled %v, are not the size of the screen", p.color.width, p.color.height, t.Scaling)
	case int(t.InWidth) != p.color.width || int(t.OutWidth) != p.color.width || int(t.InHeight) != p.color.height:
		return fmt.Sprintf("the transfer takes %dx%d pixels of its %dx%d", t.InWidth, t.InHeight, p.color.width, p.color.height)
	case t.Flip:
		return "the transfer turns it upside down"
	case p.screen != "":
		return "it is on another screen too"
	}
	return ""
}

// mainLast moves the pass that is shown to the end, because a scene draws its
// own target last. If later passes need it at its position, an additional pass
// without draws continues with its buffers at the end.
func (r *recording) mainLast() {
	best := len(r.passes) - 1
	for _, screen := range []string{"bottom", "top"} {
		for i, p := range r.passes {
			if p.screen == screen {
				best = i
			}
		}
	}
	if best == len(r.passes)-1 {
		return
	}
	p := r.passes[best]
	p2 := &pass{name: fmt.Sprintf("pass%d", len(r.passes)), color: p.color, depth: p.depth, shareColor: best, shareDepth: -1, screen: p.screen, at: p.at}
	if p.depth.bytes != 0 {
		p2.shareDepth = best
	}
	p.screen = ""
	r.passes = append(r.passes, p2)
}

// side returns the least valid side of a scene's target that contains n pixels,
// if there is one.
func side(n int) int { return min(max(n+7, 8)&^7, scene.MaxSize) }

// target is the scene's target for a pass.
func (r *recording) target(p *pass, name string) scene.Target {
	t := scene.Target{Name: name, Color: "none", Depth: "none", Screen: p.screen, Clear: p.clear}
	s := p.color
	if s.bytes == 0 {
		s = p.depth
	}
	t.Width, t.Height = side(s.width), side(s.height)
	if t.Width != s.width || t.Height != s.height {
		p.notes = append(p.notes, fmt.Sprintf("its target of %dx%d pixels is %dx%d in the scene, whose targets have sides of multiples of 8 up to %d",
			s.width, s.height, t.Width, t.Height, scene.MaxSize))
	}
	if p.color.bytes != 0 {
		t.Color, _ = pica.ColorFormats.NameOf(p.color.format)
	}
	if p.depth.bytes != 0 {
		t.Depth, _ = pica.DepthFormats.NameOf(p.depth.format)
	}
	if p.shareColor >= 0 {
		t.ShareColor = r.passes[p.shareColor].name
	}
	if p.shareDepth >= 0 {
		t.ShareDepth = r.passes[p.shareDepth].name
	}
	t.Viewport = viewport(p)
	return t
}

// viewport is the rectangle that all draws of a pass share, or all 0 if it is
// the whole target or they differ.
func viewport(p *pass) (v [4]int) {
	for i, d := range p.draws {
		r := &d.regs
		one := [4]int{int(pica.ViewportX.Signed(r)), int(pica.ViewportY.Signed(r)),
			int(2 * pica.ViewportWidth.Float(r)), int(2 * pica.ViewportHeight.Float(r))}
		if i > 0 && one != v {
			return [4]int{}
		}
		v = one
	}
	if slices.Min(v[:]) < 0 || slices.Max(v[:]) > scene.MaxSize || v[2] == 0 || v[3] == 0 || v == [4]int{0, 0, p.color.width, p.color.height} {
		return [4]int{}
	}
	return v
}

// mode is how the draws of a pass use the colour buffer.
func mode(p *pass) string {
	for _, d := range p.draws {
		switch pica.FragmentMode(pica.ColorOperationMode.Get(&d.regs)) {
		case pica.FragmentModeGas:
			return "gas"
		case pica.FragmentModeShadow:
			return "shadow"
		}
	}
	return "color"
}
