//go:build cgo

package viewer

import (
	"fmt"
	"image"
	"strings"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"
	"github.com/go-gl/mathgl/mgl32"

	"pica200/viewer/app"
)

// painter draws textured rectangles.
type painter struct {
	program uint32
	place   int32 // uniform: the unit square to clip space
	array   uint32
	picture layer
	overlay layer
}

// layer is a texture with the version of its contents.
type layer struct {
	texture uint32
	size    image.Point
	version int
}

const vertexSource = `#version 410 core
uniform mat4 place;
out vec2 at;
void main() {
	at = vec2(gl_VertexID & 1, gl_VertexID >> 1);
	gl_Position = place * vec4(at, 0.0, 1.0);
}
` + "\x00"

const fragmentSource = `#version 410 core
uniform sampler2D image;
in vec2 at;
out vec4 color;
void main() { color = texture(image, at); }
` + "\x00"

func newPainter() (*painter, error) {
	p := &painter{}
	p.program = gl.CreateProgram()
	for _, s := range []struct {
		kind uint32
		text string
	}{{gl.VERTEX_SHADER, vertexSource}, {gl.FRAGMENT_SHADER, fragmentSource}} {
		shader := gl.CreateShader(s.kind)
		text, free := gl.Strs(s.text)
		gl.ShaderSource(shader, 1, text, nil)
		free()
		gl.CompileShader(shader)
		gl.AttachShader(p.program, shader)
		gl.DeleteShader(shader)
	}
	gl.LinkProgram(p.program)
	var ok int32
	gl.GetProgramiv(p.program, gl.LINK_STATUS, &ok)
	if ok == gl.FALSE {
		log := strings.Repeat("\x00", 1024)
		gl.GetProgramInfoLog(p.program, 1024, nil, gl.Str(log))
		return nil, fmt.Errorf("the graphics driver does not take the window's shaders: %s", strings.TrimRight(log, "\x00"))
	}
	p.place = gl.GetUniformLocation(p.program, gl.Str("place\x00"))
	gl.GenVertexArrays(1, &p.array) // core profile draws with one bound, though it is empty
	for _, l := range []*layer{&p.picture, &p.overlay} {
		gl.GenTextures(1, &l.texture)
		gl.BindTexture(gl.TEXTURE_2D, l.texture)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST)
		l.version = -1
	}
	return p, nil
}

func (p *painter) close() {
	gl.DeleteTextures(1, &p.picture.texture)
	gl.DeleteTextures(1, &p.overlay.texture)
	gl.DeleteVertexArrays(1, &p.array)
	gl.DeleteProgram(p.program)
}

// put uploads a picture if it is another than the one the texture holds.
func (l *layer) put(img *image.RGBA, version int) {
	gl.BindTexture(gl.TEXTURE_2D, l.texture)
	if version == l.version {
		return
	}
	l.version = version
	s := img.Rect.Size()
	gl.PixelStorei(gl.UNPACK_ROW_LENGTH, int32(img.Stride/4))
	data := unsafe.Pointer(&img.Pix[0])
	if s == l.size {
		gl.TexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, int32(s.X), int32(s.Y), gl.RGBA, gl.UNSIGNED_BYTE, data)
		return
	}
	l.size = s
	gl.TexImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, int32(s.X), int32(s.Y), 0, gl.RGBA, gl.UNSIGNED_BYTE, data)
}

// draw draws the window of w by h pixels.
func (p *painter) draw(a *app.App, w, h int) {
	gl.Viewport(0, 0, int32(w), int32(h))
	bg := a.Background()
	gl.ClearColor(float32(bg.R)/255, float32(bg.G)/255, float32(bg.B)/255, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	gl.UseProgram(p.program)
	gl.BindVertexArray(p.array)
	over, version := a.Overlay() // before the scene: it divides the window
	if img, v, dest, smooth := a.Scene(); img != nil {
		filter := int32(gl.NEAREST)
		if smooth {
			filter = gl.LINEAR
		}
		p.picture.put(img, v)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, filter)
		gl.TexParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, filter)
		area := a.Area()
		gl.Enable(gl.SCISSOR_TEST)
		gl.Scissor(int32(area.Min.X), int32(h-area.Max.Y), int32(area.Dx()), int32(area.Dy()))
		p.rectangle(dest, w, h)
		gl.Disable(gl.SCISSOR_TEST)
	}
	p.overlay.put(over, version)
	gl.Enable(gl.BLEND)
	gl.BlendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
	p.rectangle(over.Rect, w, h)
	gl.Disable(gl.BLEND)
}

// rectangle draws the bound texture over a rectangle of the window, whose
// corner is at the top left.
func (p *painter) rectangle(r image.Rectangle, w, h int) {
	place := mgl32.Ortho2D(0, float32(w), float32(h), 0).
		Mul4(mgl32.Translate3D(float32(r.Min.X), float32(r.Min.Y), 0)).
		Mul4(mgl32.Scale3D(float32(r.Dx()), float32(r.Dy()), 1))
	gl.UniformMatrix4fv(p.place, 1, false, &place[0])
	gl.DrawArrays(gl.TRIANGLE_STRIP, 0, 4)
}
