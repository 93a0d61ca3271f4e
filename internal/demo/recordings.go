package demo

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/shaders"
)

// A Recording is a small program of a common kind, for measuring.
type Recording struct {
	Name  string // file name without its ending
	frame func(ctx context.Context, p *program2D, number int) error
}

// Recordings are typical frames of homebrew: sprites, a menu, a page of text,
// particles, a scene behind an overlay, and the same for both eyes.
var Recordings = []Recording{
	{"own_sprites", sprites}, {"own_menu", menu}, {"own_text", page}, {"own_particles", sparks}, {"own_scene", overlaid}, {"own_stereo", eyes},
}

// Trace records the given number of frames.
func (r *Recording) Trace(ctx context.Context, frames int) ([]byte, error) {
	g := pipeline.New(pipeline.Options{Strict: true})
	defer g.Close()
	rec := gl.NewRecorder(g)
	p, err := newProgram2D(ctx, rec)
	for i := 0; i < frames && err == nil; i++ {
		if err = r.frame(ctx, p, i); err == nil {
			rec.EndFrame()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Name, err)
	}
	return rec.Trace.Encode()
}

// program2D is shared by the recordings: a scene, and rectangles from an atlas in front of it.
type program2D struct {
	scene
	flat        *gl.Program
	atlas       *gl.Texture // 8 by 8 round pictures of 32 texels with transparent corners
	font        *gl.Texture // 16 by 4 letters of 8 by 16 texels
	stone       *gl.Texture // texture of the scene
	right       *gl.Target
	bottom      *gl.Target
	rectangles  mesh
	projections [2]mgl64.Mat4 // of the top and bottom screen, in pixels from the top left
}

func newProgram2D(ctx context.Context, d gl.Device) (*program2D, error) {
	p := &program2D{scene: scene{sky: sky(), floor: floor(), knot: torusKnot(120, 12)}}
	if err := p.begin(ctx, d, 240, 400, p.sky, p.floor, p.knot); err != nil {
		return nil, err
	}
	var err error
	if p.stone, err = p.tiles(ctx, pica.TextureFormatRGB565); err != nil {
		return nil, err
	}
	if err := p.highlight(); err != nil {
		return nil, err
	}
	if p.right, err = p.c.NewTarget(240, 400, gl.TargetOptions{Depth: pica.DepthFormatD24S8}); err != nil {
		return nil, err
	}
	if p.bottom, err = p.c.NewTarget(240, 320, gl.TargetOptions{}); err != nil {
		return nil, err
	}
	for i, w := range []float64{400, 320} {
		p.projections[i] = mgl.OnSide(mgl.ClipSpace(mgl64.Ortho(0, w, 240, 0, -1, 1)))
	}
	file, err := shaders.Load("textured")
	if err != nil {
		return nil, err
	}
	if p.flat, err = gl.NewProgram(file); err != nil {
		return nil, err
	}
	if p.atlas, err = p.c.NewTexture(ctx, discs(), pica.TextureFormatRGBA8, 1); err != nil {
		return nil, err
	}
	p.atlas.Mag, p.atlas.Min = pica.FilterNearest, pica.FilterNearest
	p.atlas.WrapS, p.atlas.WrapT = pica.WrapClampToBorder, pica.WrapClampToBorder
	p.font, err = p.c.NewTexture(ctx, letters(), pica.TextureFormatA4, 1)
	return p, err
}

// discs draws the atlas.
func discs() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 256, 256))
	for y := range 256 {
		for x := range 256 {
			n, dx, dy := y/32*8+x/32, x%32-16, y%32-16
			if r := dx*dx + dy*dy; r < 225 {
				img.SetNRGBA(x, y, color.NRGBA{uint8(n * 4), uint8(r), uint8(255 - n*3), uint8(min(255, 3*(225-r)))})
			}
		}
	}
	return img
}

// letters draws the font: a few strokes per letter.
func letters() image.Image {
	img := image.NewNRGBA(image.Rect(0, 0, 128, 64))
	for y := range 64 {
		for x := range 128 {
			n, cx, cy := y/16*16+x/8, x%8, y%16
			if cx < 7 && cy > 1 && cy < 14 && (cx == 1 && n&1 == 0 || cy == 2+n%11 || cx == 6 && n%3 == 0 || cx == cy/2 && n%5 < 2) {
				img.SetNRGBA(x, y, color.NRGBA{255, 255, 255, uint8(120 + cy*9)})
			}
		}
	}
	return img
}

// rectangle adds a rotated rectangle of size w by h around (x, y), with the
// texels from (u, v) of a texture of side texels.
func (p *program2D) rectangle(x, y, w, h, angle float64, u, v, tw, th float64, side [2]float64, tint [4]float32) {
	n := uint16(len(p.rectangles.vertices))
	sin, cos := math.Sin(angle), math.Cos(angle)
	for i := range 4 {
		cx, cy := float64(i&1), float64(i>>1)
		dx, dy := (cx-0.5)*w, (cy-0.5)*h
		p.rectangles.vertices = append(p.rectangles.vertices, vertex{
			float32(x + float64(dx*cos) - float64(dy*sin)), float32(y + float64(dx*sin) + float64(dy*cos)), 0, 0, 0, 1,
			float32((u + float64(cx*tw)) / side[0]), float32(1 - (v+float64(cy*th))/side[1]), tint[0], tint[1], tint[2], tint[3],
		})
	}
	p.rectangles.indices = append(p.rectangles.indices, n, n+1, n+2, n+2, n+1, n+3)
}

var (
	atlasSide = [2]float64{256, 256}
	fontSide  = [2]float64{128, 64}
)

// write adds a line of text.
func (p *program2D) write(x, y float64, n, from int, tint [4]float32) {
	for i := range n {
		l := (from + i*7) % 64
		p.rectangle(x+float64(8*i)+4, y+8, 8, 16, 0, float64(l%16*8), float64(l/16*16), 8, 16, fontSide, tint)
	}
}

// combine sets the functions of a combiner stage for colour and alpha.
func (p *program2D) combine(i int, rgb pica.Combine, srcRGB []pica.Source, alpha pica.Combine, srcAlpha []pica.Source) error {
	for len(srcRGB) < 3 {
		srcRGB = append(srcRGB, pica.SourceConstant)
	}
	for len(srcAlpha) < 3 {
		srcAlpha = append(srcAlpha, pica.SourceConstant)
	}
	return p.c.Uniforms.SetAll(dmp.TexEnvCombineRgb.At(i), rgb, dmp.TexEnvSrcRgb.At(i), srcRGB, dmp.TexEnvCombineAlpha.At(i), alpha, dmp.TexEnvSrcAlpha.At(i), srcAlpha)
}

// draw draws the added rectangles with a texture and a destination factor of
// blending, in the size of the top or the bottom screen.
func (p *program2D) draw(ctx context.Context, screen int, t *gl.Texture, dest pica.BlendFactor, fade float32) error {
	p.c.UseProgram(p.flat)
	identity := mgl.Rows(mgl64.Ident4(), 4)
	for name, rows := range map[string][]mgl32.Vec4{
		"projection": mgl.Rows(p.projections[screen], 4), "modelView": identity, "textureMatrix": identity[:3],
	} {
		if err := p.flat.SetFloat(name, rows...); err != nil {
			return err
		}
	}
	if err := p.c.BindTexture(0, t); err != nil {
		return err
	}
	if err := p.c.Uniforms.SetAll(dmp.LightingEnabled, false, dmp.Texture0SamplerType, pica.Texture2D); err != nil {
		return err
	}
	function, src := pica.CombineModulate, []pica.Source{pica.SourceTexture0, pica.SourcePrimaryColor}
	if t == p.font { // it has no colours
		function, src = pica.CombineReplace, []pica.Source{pica.SourcePrimaryColor}
	}
	if err := p.combine(0, function, src, pica.CombineModulate, []pica.Source{pica.SourceTexture0, pica.SourcePrimaryColor}); err != nil {
		return err
	}
	for i := 1; i < 5; i++ {
		if err := p.combine(i, pica.CombineReplace, []pica.Source{pica.SourcePrevious}, pica.CombineReplace, []pica.Source{pica.SourcePrevious}); err != nil {
			return err
		}
	}
	// Like citro2d fades a screen: a mix with a constant, by its alpha.
	if err := p.combine(5, pica.CombineInterpolate, []pica.Source{pica.SourcePrevious, pica.SourceConstant, pica.SourceConstant}, pica.CombineReplace, []pica.Source{pica.SourcePrevious}); err != nil {
		return err
	}
	if err := p.c.Uniforms.SetAll(
		dmp.TexEnvOperandRgb.At(5), []pica.OperandRGB{pica.OperandSrcColor, pica.OperandSrcColor, pica.OperandOneMinusSrcAlpha},
		dmp.TexEnvConstRgba.At(5), []float32{0, 0, 0.1, fade},
	); err != nil {
		return err
	}
	p.c.BlendFunc(pica.FactorSrcAlpha, dest)
	p.c.CullFace(pica.CullNone)
	m := &p.rectangles
	if err := m.upload(ctx, p.c); err != nil {
		return err
	}
	if err := m.draw(ctx, p.c); err != nil {
		return err
	}
	m.vertices, m.indices = m.vertices[:0], m.indices[:0]
	if err := m.vertexBuffer.Delete(ctx); err != nil {
		return err
	}
	return m.indexBuffer.Delete(ctx)
}

// start starts the picture of a target.
func (p *program2D) start(ctx context.Context, t *gl.Target) error {
	if err := p.c.SetTarget(ctx, t); err != nil {
		return err
	}
	if err := p.c.ClearColor(ctx, 0.1, 0.12, 0.2, 1); err != nil {
		return err
	}
	p.c.DepthTest(true, pica.CompareGreaterEqual)
	p.c.DepthMask(true)
	return p.c.ClearDepth(ctx, 0, 0)
}

// spread returns numbers from 0 to 1 that look random.
func spread(i int, salt float64) float64 {
	x := float64(math.Sin(float64(i)*12.9898+salt*78.233) * 43758.5453)
	return x - math.Floor(x)
}

var white = [4]float32{1, 1, 1, 1}

// sprites draws 500 rotating, overlapping pictures.
func sprites(ctx context.Context, p *program2D, number int) error {
	if err := p.start(ctx, p.target); err != nil {
		return err
	}
	for i := range 500 {
		at := float64(number)
		x, y := 400*spread(i, 1)+float64(at*(spread(i, 2)-0.5)), 240*spread(i, 3)
		size := 24 + 40*spread(i, 4)
		p.rectangle(x, y, size, size, spread(i, 5)*6+0.02*at, float64(i%8*32), float64(i/8%8*32), 32, 32, atlasSide, white)
	}
	if err := p.draw(ctx, 0, p.atlas, pica.FactorOneMinusSrcAlpha, 0); err != nil {
		return err
	}
	return p.c.Present(ctx, pipeline.ScreenTop, p.target)
}

// menu draws panels with a picture and a label each, on both screens, each in
// its own draw.
func menu(ctx context.Context, p *program2D, number int) error {
	for screen, t := range []*gl.Target{p.target, p.bottom} {
		if err := p.start(ctx, t); err != nil {
			return err
		}
		for i := range 24 {
			x, y := float64(i%4*80+40), float64(i/4*40+20)
			shade := 0.3 + 0.5*wave(float64(number)*0.1, float64(i))
			p.rectangle(x, y, 74, 34, 0, 44, 44, 8, 8, atlasSide, [4]float32{shade, shade, 0.9, 0.9})
			if err := p.draw(ctx, screen, p.atlas, pica.FactorOneMinusSrcAlpha, 0.05*float32(i%3)); err != nil {
				return err
			}
			p.rectangle(x-24, y, 24, 24, 0, float64(i%8*32), float64(i%5*32), 32, 32, atlasSide, white)
			if err := p.draw(ctx, screen, p.atlas, pica.FactorOneMinusSrcAlpha, 0); err != nil {
				return err
			}
			p.write(x-10, y-8, 5, i*5+number, [4]float32{shade, 1, shade, 1})
			if err := p.draw(ctx, screen, p.font, pica.FactorOneMinusSrcAlpha, 0); err != nil {
				return err
			}
		}
		if err := p.c.Present(ctx, []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom}[screen], t); err != nil {
			return err
		}
	}
	return nil
}

// page draws 14 lines of 48 letters on each screen.
func page(ctx context.Context, p *program2D, number int) error {
	for screen, t := range []*gl.Target{p.target, p.bottom} {
		if err := p.start(ctx, t); err != nil {
			return err
		}
		for line := range 14 {
			p.write(6, float64(8+16*line), 48-10*screen, line*11+number, [4]float32{1, 1 - 0.05*float32(line), 0.6, 1})
		}
		if err := p.draw(ctx, screen, p.font, pica.FactorOneMinusSrcAlpha, 0); err != nil {
			return err
		}
		if err := p.c.Present(ctx, []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom}[screen], t); err != nil {
			return err
		}
	}
	return nil
}

// sparks draws 3000 small lights with additive blending.
func sparks(ctx context.Context, p *program2D, number int) error {
	if err := p.start(ctx, p.target); err != nil {
		return err
	}
	for i := range 3000 {
		age := spread(i, 6) + 0.01*float64(number)
		age -= math.Floor(age)
		angle, size := 6.3*spread(i, 7), 3+9*spread(i, 8)
		p.rectangle(200+float64(220*age*math.Cos(angle)), 120+float64(140*age*math.Sin(angle)), size, size, angle, float64(i%8*32), 0, 32, 32, atlasSide,
			[4]float32{1, float32(1 - age), 0.3, float32(0.8 * (1 - age))})
	}
	if err := p.draw(ctx, 0, p.atlas, pica.FactorOne, 0); err != nil {
		return err
	}
	return p.c.Present(ctx, pipeline.ScreenTop, p.target)
}

// solid draws the demo's scene, seen from the side.
func (p *program2D) solid(ctx context.Context, number int, aside float64) error {
	p.c.UseProgram(p.program)
	p.c.BlendFunc(pica.FactorOne, pica.FactorZero)
	p.c.DepthTest(true, pica.CompareLess)
	p.c.DepthMask(true)
	p.c.CullFace(pica.CullBack)
	if err := p.c.ClearDepth(ctx, 1, 0); err != nil {
		return err
	}
	if err := p.c.BindTexture(0, p.stone); err != nil {
		return err
	}
	if err := p.floorMaterial(); err != nil {
		return err
	}
	if err := p.lights(mgl64.Ident4()); err != nil {
		return err
	}
	camera := mgl.Mul(mgl64.Translate3D(aside, -0.35, -7.2), mgl64.HomogRotate3DX(0.38))
	knot := mgl.Mul(camera, mgl64.Translate3D(0, 0.75, 0), mgl64.HomogRotate3DY(0.5+0.05*float64(number)))
	for i, m := range []*mesh{p.floor, p.knot} {
		if err := p.matrices(eye, []mgl64.Mat4{camera, knot}[i]); err != nil {
			return err
		}
		if err := m.draw(ctx, p.c); err != nil {
			return err
		}
	}
	return nil
}

// display draws the overlay of a scene: a few pictures and lines.
func (p *program2D) display(ctx context.Context, number int) error {
	for i := range 6 {
		p.rectangle(float64(20+36*i), 220, 32, 32, 0, float64(i*32), 64, 32, 32, atlasSide, white)
	}
	p.c.DepthTest(false, pica.CompareAlways)
	if err := p.draw(ctx, 0, p.atlas, pica.FactorOneMinusSrcAlpha, 0); err != nil {
		return err
	}
	p.write(8, 4, 20, number, white)
	return p.draw(ctx, 0, p.font, pica.FactorOneMinusSrcAlpha, 0)
}

// overlaid draws a lit scene with an overlay.
func overlaid(ctx context.Context, p *program2D, number int) error {
	if err := p.start(ctx, p.target); err != nil {
		return err
	}
	if err := p.solid(ctx, number, 0); err != nil {
		return err
	}
	if err := p.display(ctx, number); err != nil {
		return err
	}
	return p.c.Present(ctx, pipeline.ScreenTop, p.target)
}

// eyes draws the same for both eyes.
func eyes(ctx context.Context, p *program2D, number int) error {
	for i, t := range []*gl.Target{p.target, p.right} {
		if err := p.start(ctx, t); err != nil {
			return err
		}
		if err := p.solid(ctx, number, 0.15*float64(1-2*i)); err != nil {
			return err
		}
		if err := p.display(ctx, number); err != nil {
			return err
		}
		if err := p.c.Present(ctx, []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenTopRight}[i], t); err != nil {
			return err
		}
	}
	return nil
}
