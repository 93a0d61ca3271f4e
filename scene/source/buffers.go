package source

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"slices"
	"strings"

	"pica200/pipeline"
	"pica200/raster"
)

// Buffer is a buffer of a GPU that is read as an image.
type Buffer uint8

// The buffers: of the last render target, each in its own orientation, and the
// screens, upright.
const (
	Color    Buffer = iota // with alpha
	Depth                  // 16 bits of grey, the highest bits; 0 black
	Stencil                // 8 bits of grey
	Gas                    // of the last gas target: the density red, weighted by depth green, scaled to the greatest
	Shadow                 // of the last shadow target: the depth red, the intensity green
	Top                    // the left eye's picture
	TopRight               // the right eye's
	Bottom
	numBuffers
)

var buffers = [numBuffers]struct {
	name string
	read func(g *pipeline.GPU) (image.Image, error)
}{
	Color:    {"color", target((*pipeline.GPU).LastTarget, pipeline.ColorImage)},
	Depth:    {"depth", target((*pipeline.GPU).LastTarget, pipeline.DepthImage)},
	Stencil:  {"stencil", target((*pipeline.GPU).LastTarget, pipeline.StencilImage)},
	Gas:      {"gas", target((*pipeline.GPU).LastGas, pipeline.GasImage)},
	Shadow:   {"shadow", target((*pipeline.GPU).LastShadow, pipeline.ShadowImage)},
	Top:      {"top", screen(pipeline.ScreenTop)},
	TopRight: {"topright", screen(pipeline.ScreenTopRight)},
	Bottom:   {"bottom", screen(pipeline.ScreenBottom)},
}

var bufferOf = map[pipeline.Screen]Buffer{pipeline.ScreenTop: Top, pipeline.ScreenBottom: Bottom, pipeline.ScreenTopRight: TopRight}

func target[T image.Image](last func(*pipeline.GPU) (*raster.Target, error), read func(*raster.Target) (T, error)) func(*pipeline.GPU) (image.Image, error) {
	return func(g *pipeline.GPU) (image.Image, error) {
		t, err := last(g)
		if err != nil {
			return nil, err
		}
		return read(t)
	}
}

func screen(s pipeline.Screen) func(*pipeline.GPU) (image.Image, error) {
	return func(g *pipeline.GPU) (image.Image, error) { return g.Screen(s), nil }
}

func (b Buffer) String() string { return buffers[b].name }

// Of reads the buffer of a GPU. It returns an error if nothing was
// drawn to such a buffer.
func (b Buffer) Of(g *pipeline.GPU) (image.Image, error) { return buffers[b].read(g) }

// BufferNames lists the names of all buffers; the first are those of targets.
func BufferNames() (names []string) {
	for _, b := range buffers {
		names = append(names, b.name)
	}
	return names
}

// TargetNames lists the names of the buffers of render targets.
func TargetNames() []string { return BufferNames()[:Top] }

// ParseBuffer finds a buffer by its name.
func ParseBuffer(name string) (Buffer, error) {
	for b := range buffers {
		if buffers[b].name == name {
			return Buffer(b), nil
		}
	}
	return 0, fmt.Errorf("there is no buffer %q; there are %s", name, strings.Join(BufferNames(), ", "))
}

// Picture is a drawn frame. It is valid until its source draws again or is
// closed; images read from it stay valid.
type Picture struct {
	GPU   *pipeline.GPU  // with everything drawn; nil for a texture
	Frame int            // of a recording
	Draws int            // that were executed
	Names []string       // of the draws of a scene, in order
	Stats pipeline.Stats // of the frame
	// Unsent says that the frame is of a recording which sends nothing to the top
	// screen, although it draws.
	Unsent bool

	main    Buffer   // what Shown reads
	stereo  bool     // of a scene: Shown is both eyes
	turned  bool     // Shown turns the target, which lies on its side
	screens []Buffer // see Buffers
	texture image.Image
}

// Image reads a buffer (Buffer.Of).
func (p *Picture) Image(b Buffer) (image.Image, error) {
	if p.texture != nil {
		return p.texture, nil
	}
	return b.Of(p.GPU)
}

// Shown reads what a person calls the picture: of a scene both eyes side by
// side, the screen that the main target is sent to, or that target; of a
// recording the top screen, or the render target if nothing is sent to that
// screen.
func (p *Picture) Shown() (image.Image, error) {
	if !p.stereo {
		m, err := p.Image(p.main)
		if err == nil && p.turned {
			m = upright(m)
		}
		return m, err
	}
	l, r := p.GPU.Screen(pipeline.ScreenTop), p.GPU.Screen(pipeline.ScreenTopRight)
	out := image.NewRGBA(image.Rect(0, 0, l.Rect.Dx()+r.Rect.Dx(), max(l.Rect.Dy(), r.Rect.Dy())))
	draw.Draw(out, l.Rect, l, image.Point{}, draw.Src)
	draw.Draw(out, r.Rect.Add(image.Pt(l.Rect.Dx(), 0)), r, image.Point{}, draw.Src)
	return out, nil
}

// upright turns a picture that lies on its side like the console's screens.
func upright(m image.Image) image.Image {
	w, h := m.Bounds().Dx(), m.Bounds().Dy()
	out := image.NewNRGBA(image.Rect(0, 0, h, w))
	for y := range h {
		for x := range w {
			out.Set(y, w-1-x, m.At(x, y))
		}
	}
	return out
}

// Opaque returns an image without its alpha, which is a channel like the others.
func Opaque(img image.Image) *image.RGBA {
	m, ok := img.(*image.NRGBA)
	if !ok {
		out := image.NewRGBA(img.Bounds())
		draw.Draw(out, out.Rect, img, out.Rect.Min, draw.Src)
		return out
	}
	out := &image.RGBA{Pix: slices.Clone(m.Pix), Stride: m.Stride, Rect: m.Rect}
	for i := 3; i < len(out.Pix); i += 4 {
		out.Pix[i] = 255
	}
	return out
}

// Buffers lists the buffers that the frame has pictures in: the colours of the
// render target and the screens in use.
func (p *Picture) Buffers() []Buffer {
	if p.screens != nil {
		return p.screens
	}
	list := []Buffer{Top, Bottom}
	if p.GPU.Stereo() {
		list = append(list, TopRight)
	}
	if _, err := p.GPU.LastTarget(); !errors.Is(err, pipeline.ErrNoTarget) {
		list = append(list, Color)
	}
	return list
}
