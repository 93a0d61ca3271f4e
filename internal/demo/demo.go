// Package demo is the scene that "pica200 demo" records: a torus knot under
// fragment lighting on a tiled floor. Trace draws it with the API of
// frontend/gl, which produces the commands that a program on the console would
// send. Moving is a further scene, for measuring.
//
// The package is our own and may change at any time.
package demo

import (
	"context"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/shaderunit/shaders"
)

// The target has four times the pixels of the top screen; the transfer to the
// screen averages them.
const width, height = 480, 800

// Trace records the given number of frames, over which the knot turns once.
func Trace(ctx context.Context, frames int) ([]byte, error) {
	g := pipeline.New(pipeline.Options{Strict: true})
	defer g.Close()
	r := gl.NewRecorder(g)
	s, err := newScene(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	for i := range frames {
		if err := s.frame(ctx, float64(i)/float64(frames)); err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		r.EndFrame()
	}
	return r.Trace.Encode()
}

// scene is shared by all frames.
type scene struct {
	c                *gl.Context
	target           *gl.Target
	program          *gl.Program
	sky, floor, knot *mesh
}

func newScene(ctx context.Context, d gl.Device) (*scene, error) {
	s := &scene{sky: sky(), floor: floor(), knot: torusKnot(320, 24)}
	if err := s.begin(ctx, d, width, height, s.sky, s.floor, s.knot); err != nil {
		return nil, err
	}
	texture, err := s.tiles(ctx, pica.TextureFormatRGB565)
	if err != nil {
		return nil, err
	}
	texture.Mag, texture.Min, texture.Mip = pica.FilterLinear, pica.FilterLinear, pica.FilterLinear
	if err := s.c.BindTexture(0, texture); err != nil {
		return nil, err
	}
	return s, s.highlight()
}

// begin makes what every scene needs: a target, meshes in memory, the program.
func (s *scene) begin(ctx context.Context, d gl.Device, width, height int, meshes ...*mesh) (err error) {
	if s.c, err = gl.New(d); err != nil {
		return err
	}
	if s.target, err = s.c.NewTarget(width, height, gl.TargetOptions{Depth: pica.DepthFormatD24S8}); err != nil {
		return err
	}
	for _, m := range meshes {
		if err := m.upload(ctx, s.c); err != nil {
			return err
		}
	}
	file, err := shaders.Load("lit")
	if err != nil {
		return err
	}
	if s.program, err = gl.NewProgram(file); err != nil {
		return err
	}
	s.c.UseProgram(s.program)
	s.c.CullFace(pica.CullBack)
	return nil
}

// tiles makes the texture of tiles, which repeats.
func (s *scene) tiles(ctx context.Context, f pica.TextureFormat) (*gl.Texture, error) {
	t, err := s.c.NewTexture(ctx, tiles(), f, 4)
	if err == nil {
		t.WrapS, t.WrapT = pica.WrapRepeat, pica.WrapRepeat
	}
	return t, err
}

// eye returns the projection for a screen.
var eye = mgl.OnSide(mgl.ClipSpace(mgl64.Perspective(mgl64.DegToRad(40), 400.0/240, 1, 30)))

// matrices sets the matrices of the shader.
func (s *scene) matrices(projection, view mgl64.Mat4) error {
	for _, u := range []struct {
		name string
		rows []mgl32.Vec4
	}{{"projection", mgl.Rows(projection, 4)}, {"modelView", mgl.Rows(view, 4)}, {"normalMatrix", mgl.Rows(view, 3)}} {
		if err := s.program.SetFloat(u.name, u.rows...); err != nil {
			return err
		}
	}
	return nil
}

// frame draws and shows one frame; angle is the rotation of the knot, 0 to 1.
func (s *scene) frame(ctx context.Context, angle float64) error {
	if err := s.c.SetTarget(ctx, s.target); err != nil {
		return err
	}
	if err := s.c.ClearDepth(ctx, 1, 0); err != nil {
		return err
	}
	camera := mgl.Mul(mgl64.Translate3D(0, -0.35, -7.2), mgl64.HomogRotate3DX(0.38))
	knot := mgl.Mul(camera, mgl64.Translate3D(0, 0.75, 0), mgl64.HomogRotate3DY(float64(2*math.Pi*angle)+0.5), mgl64.HomogRotate3DX(0.25))
	for _, d := range []struct {
		mesh             *mesh
		view, projection mgl64.Mat4
		material         func() error
		depth            bool
	}{
		{s.sky, mgl64.Ident4(), mgl64.Ident4(), s.skyMaterial, false},
		{s.floor, camera, eye, s.floorMaterial, true},
		{s.knot, knot, eye, s.knotMaterial, true},
	} {
		if err := d.material(); err != nil {
			return err
		}
		if err := s.lights(camera); err != nil {
			return err
		}
		if err := s.matrices(d.projection, d.view); err != nil {
			return err
		}
		s.c.DepthTest(d.depth, pica.CompareLess)
		s.c.DepthMask(d.depth)
		if err := d.mesh.draw(ctx, s.c); err != nil {
			return err
		}
	}
	return s.c.Present(ctx, pipeline.ScreenTop, s.target)
}
