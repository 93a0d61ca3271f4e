package demo

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/pipeline"
)

// movingDraws is the number of draws in a frame of Moving.
const movingDraws = 150

// Moving records a scene for measuring in which everything changes that changes in
// a game: with each draw the matrices, lights, colours of materials and combiner, and
// references of the tests; with each frame the fog, a table, a texture and the vertices
// of a mesh. With still set, the same commands are sent, but all frames are equal.
// Comparing the two shows how much a renderer gains by keeping results between frames.
func Moving(ctx context.Context, frames int, still bool) ([]byte, error) {
	g := pipeline.New(pipeline.Options{Strict: true})
	defer g.Close()
	r := gl.NewRecorder(g)
	s, err := newMoving(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("moving scene: %w", err)
	}
	for i := range frames {
		at := i
		if still {
			at = 0
		}
		if err := s.frame(ctx, at); err != nil {
			return nil, fmt.Errorf("moving scene: %w", err)
		}
		r.EndFrame()
	}
	return r.Trace.Encode()
}

// moving is shared by the frames of Moving.
type moving struct {
	scene
	meshes   []*mesh
	cloth    *mesh
	textures []*gl.Texture
	stream   *gl.Texture
}

const streamSide = 64 // texels

func newMoving(ctx context.Context, d gl.Device) (*moving, error) {
	s := &moving{meshes: []*mesh{torusKnot(20, 5), torusKnot(24, 4), torusKnot(14, 7)}, cloth: floor()}
	if err := s.begin(ctx, d, 240, 400, append(s.meshes, s.cloth)...); err != nil {
		return nil, err
	}
	for _, f := range []pica.TextureFormat{pica.TextureFormatRGB565, pica.TextureFormatRGBA8, pica.TextureFormatRGBA4} {
		t, err := s.tiles(ctx, f)
		if err != nil {
			return nil, err
		}
		s.textures = append(s.textures, t)
	}
	s.c.DepthTest(true, pica.CompareLess)
	s.c.DepthMask(true)
	return s, nil
}

// wave goes from 0 to 1 and back.
func wave(t, phase float64) float32 { return float32(0.5 + float64(0.5*math.Sin(t+phase))) }

// frame draws the scene at one time.
func (s *moving) frame(ctx context.Context, number int) error {
	t := float64(0.11 * float64(number))
	if err := s.upload(ctx, t); err != nil {
		return err
	}
	if err := s.c.SetTarget(ctx, s.target); err != nil {
		return err
	}
	if err := s.c.ClearColor(ctx, 0.1, 0.1, float32(wave(t, 0))/4, 1); err != nil {
		return err
	}
	if err := s.c.ClearDepth(ctx, 1, 0); err != nil {
		return err
	}
	camera := mgl.Mul(mgl64.Translate3D(0, -0.2, -9), mgl64.HomogRotate3DX(0.3+float64(0.1*math.Sin(t))))
	for i := range movingDraws {
		if err := s.object(ctx, i, t, camera); err != nil {
			return fmt.Errorf("draw %d: %w", i, err)
		}
	}
	return s.c.Present(ctx, pipeline.ScreenTop, s.target)
}

// upload sends what changes with each frame: a texture, the vertices of the
// cloth, the tables of fog and highlights.
func (s *moving) upload(ctx context.Context, t float64) error {
	if s.stream != nil {
		if err := s.stream.Delete(ctx); err != nil {
			return err
		}
	}
	texels := make([]byte, 4*streamSide*streamSide)
	for i := range texels {
		texels[i] = byte(float32(i%251) * wave(t, float64(i%4)))
	}
	var err error
	if s.stream, err = s.c.NewTextureData(ctx, pica.TextureFormatRGBA8, streamSide, streamSide, 1, false, texels); err != nil {
		return err
	}
	s.stream.WrapS, s.stream.WrapT = pica.WrapRepeat, pica.WrapRepeat
	for i := range s.cloth.vertices {
		v := &s.cloth.vertices[i]
		v[1] = -1 + 0.3*wave(3*t, float64(v[0])+float64(v[2]))
	}
	if err := s.cloth.vertexBuffer.Delete(ctx); err != nil {
		return err
	}
	if err := s.cloth.indexBuffer.Delete(ctx); err != nil {
		return err
	}
	if err := s.cloth.upload(ctx, s.c); err != nil {
		return err
	}
	fog := make([]float32, 129)
	for i := range fog {
		fog[i] = 1 - float32(i)/128*0.6*wave(t, 1)
	}
	return s.c.Uniforms.SetTableAt(dmp.FogSampler, fog)
}

// object draws object i of the scene.
func (s *moving) object(ctx context.Context, i int, t float64, camera mgl64.Mat4) error {
	p := float64(i)
	m, texture := s.meshes[i%len(s.meshes)], s.textures[i/3%len(s.textures)]
	switch {
	case i == 0:
		m = s.cloth
	case i%25 == 1:
		texture = s.stream
	}
	if err := s.c.BindTexture(0, texture); err != nil {
		return err
	}
	color := func(phase float64) []float32 {
		return []float32{0.2 + 0.7*wave(t, p+phase), 0.2 + 0.7*wave(t, p+phase+2), 0.2 + 0.7*wave(t, p+phase+4), 1}
	}
	if err := s.lit(color(0), color(1), color(2)); err != nil {
		return err
	}
	if err := s.c.Uniforms.SetAll(
		dmp.TexEnvCombineRgb.At(3), pica.CombineInterpolate, dmp.TexEnvSrcRgb.At(3), []pica.Source{pica.SourceConstant, pica.SourcePrevious, pica.SourceConstant},
		dmp.TexEnvOperandRgb.At(3), []pica.OperandRGB{pica.OperandSrcColor, pica.OperandSrcColor, pica.OperandSrcAlpha},
		dmp.TexEnvConstRgba.At(3), []float32{wave(t, p), wave(t, p+1), wave(t, p+2), 0.25 * wave(t, p+3)},
		dmp.FogMode, pica.FogModeFog, dmp.FogColor, color(3)[:3],
		dmp.FragOperationEnableAlphaTest, true, dmp.FragOperationAlphaTestFunc, pica.CompareGreater,
		dmp.FragOperationAlphaRefValue, 0.5*wave(t, p),
	); err != nil {
		return err
	}
	for l := range 2 {
		k := p + 3*float64(l)
		if err := s.c.Uniforms.SetAll(
			dmp.LightEnabled.At(l), true,
			dmp.LightPosition.At(l), []float32{8*wave(t, k) - 4, 8*wave(t, k+1) - 4, 5 * wave(t, k+2), float32(l)},
			dmp.LightDiffuse.At(l), color(k), dmp.LightSpecular0.At(l), color(k+1), dmp.LightAmbient.At(l), []float32{0.1, 0.1, 0.1 + 0.1*wave(t, k), 1},
		); err != nil {
			return err
		}
	}
	if i%25 == 0 {
		table := make([]float32, 257)
		for j := range table {
			table[j] = float32(math.Pow(float64(j)/256, 8+40*float64(wave(t, p))))
		}
		if err := s.c.Uniforms.SetTableAt(dmp.MaterialSamplerD0, table); err != nil {
			return err
		}
	}
	s.c.StencilTest(true, pica.CompareGreaterEqual, uint8(128+127*wave(t, p)), 0xFF)
	s.c.StencilOp(pica.StencilKeep, pica.StencilKeep, pica.StencilReplace)
	s.c.StencilMask(uint8(i) & 0x7F)
	s.c.Blend(gl.BlendState{
		ColorSource: pica.FactorConstAlpha, ColorDest: pica.FactorOneMinusConstAlpha, AlphaSource: pica.FactorOne, AlphaDest: pica.FactorZero,
	})
	s.c.BlendColor(1, 1, 1, 0.6+0.4*wave(t, p))
	angle := t + p
	view := camera
	if m != s.cloth {
		view = mgl.Mul(camera, mgl64.Translate3D(4.5*math.Sin(float64(0.7*p)+t), 2.5*math.Sin(float64(1.3*p)), 3*math.Cos(float64(0.9*p)+t)),
			mgl64.HomogRotate3DY(angle), mgl64.HomogRotate3DX(float64(0.7*angle)), mgl64.Scale3D(0.3, 0.3, 0.3))
	}
	if err := s.matrices(eye, view); err != nil {
		return err
	}
	return m.draw(ctx, s.c)
}
