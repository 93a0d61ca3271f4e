package gl_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"log"

	"github.com/go-gl/mathgl/mgl32"

	"pica200/frontend/gl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/asm"
)

const shader = `
.fvec projection[4]
.in position v0
.in color v1
.out outPosition position
.out outColor color
.proc main
	mov r0, position
	dp4 outPosition.x, projection[0], r0
	dp4 outPosition.y, projection[1], r0
	dp4 outPosition.z, projection[2], r0
	dp4 outPosition.w, projection[3], r0
	mov outColor, color
	end
.end
`

// check exits on an error.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

// A triangle on a target, read back.
func Example() {
	c, err := gl.New(pipeline.New(pipeline.Options{}))
	check(err)

	target, err := c.NewTarget(128, 128, gl.TargetOptions{Depth: pica.DepthFormatD24S8})
	check(err)
	check(c.SetTarget(context.Background(), target))
	check(c.ClearColor(context.Background(), 0, 0, 0.2, 1))
	check(c.ClearDepth(context.Background(), 1, 0))

	program, err := gl.CompileProgram(asm.Source{Name: "triangle.pica", Text: []byte(shader)})
	check(err)
	check(program.SetMatrix("projection", gl.ClipSpace(mgl32.Ortho2D(-1, 1, -1, 1))))
	c.UseProgram(program)

	vertices, err := c.NewFloatBuffer(context.Background(), []float32{
		// x, y, z, red, green, blue
		-1, -1, 0, 1, 0, 0,
		1, -1, 0, 0, 1, 0,
		0, 1, 0, 0, 0, 1,
	})
	check(err)
	check(c.Attribute("position", vertices, gl.Attrib{Type: pica.AttribFloat, Size: 3, Stride: 24}))
	check(c.Attribute("color", vertices, gl.Attrib{Type: pica.AttribFloat, Size: 3, Stride: 24, Offset: 12}))
	c.DepthTest(true, pica.CompareLess)
	check(c.DrawArrays(context.Background(), pica.PrimitiveTriangles, 0, 3))

	img, err := target.ReadPixels(context.Background())
	check(err)
	fmt.Println(img.NRGBAAt(2, 126), img.NRGBAAt(2, 2))
	// Output: {249 3 3 255} {0 0 51 255}
}

// Textures and the texture combiner: the fragment stage is set by dmp_* uniforms.
func ExampleContext_BindTexture() {
	c, err := gl.New(pipeline.New(pipeline.Options{}))
	check(err)
	target, err := c.NewTarget(8, 8, gl.TargetOptions{NoDepth: true})
	check(err)
	check(c.SetTarget(context.Background(), target))

	img := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	for i := range 64 {
		img.SetNRGBA(i%8, i/8, color.NRGBA{200, 100, 50, 255})
	}
	texture, err := c.NewTexture(context.Background(), img, pica.TextureFormatRGB8, 1)
	check(err)
	check(c.BindTexture(0, texture))
	check(c.Uniforms.Set("dmp_Texture[0].samplerType", "GL_TEXTURE_2D"))
	check(c.Uniforms.Set("dmp_TexEnv[0].combineRgb", "GL_MODULATE"))
	check(c.Uniforms.Set("dmp_TexEnv[0].srcRgb", "GL_TEXTURE0", "GL_CONSTANT", "GL_PREVIOUS"))
	check(c.Uniforms.Set("dmp_TexEnv[0].constRgba", 1, 1, 0, 1))

	program, err := gl.CompileProgram(asm.Source{Name: "plain.pica", Text: []byte(`
.in position v0
.out p position
.out t texcoord0
.proc main
	mov p, position
	mov t, position
	end
.end`)})
	check(err)
	c.UseProgram(program)
	corners, err := c.NewFloatBuffer(context.Background(), []float32{-1, -1, 1, -1, -1, 1, 1, 1})
	check(err)
	check(c.Attribute("position", corners, gl.Attrib{Type: pica.AttribFloat, Size: 2}))
	check(c.DrawArrays(context.Background(), pica.PrimitiveTriangleStrip, 0, 4))

	pixels, err := target.ReadPixels(context.Background())
	check(err)
	fmt.Println(pixels.NRGBAAt(4, 4))
	// Output: {200 100 0 255}
}

// A recorder makes a trace of a context's calls: here one frame with a green top screen.
func ExampleRecorder() {
	recorder := gl.NewRecorder(pipeline.New(pipeline.Options{}))
	c, err := gl.New(recorder)
	check(err)
	target, err := c.NewTarget(240, 400, gl.TargetOptions{NoDepth: true})
	check(err)
	check(c.SetTarget(context.Background(), target))
	check(c.ClearColor(context.Background(), 0, 1, 0, 1))
	check(c.Present(context.Background(), pipeline.ScreenTop, target))
	recorder.EndFrame()

	data, err := recorder.Trace.Encode()
	check(err)
	fmt.Printf("%s\n", data[:4])
	// Output: CiTr
}
