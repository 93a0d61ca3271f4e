package scenebuild

import (
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// Hooks let a program that shows a scene change what is drawn without changing
// the scene: a viewer whose user moves the camera or tries values of uniforms.
type Hooks struct {
	// Camera, if not nil, moves the scene's camera, in the main pass and in
	// those that use it too. It gets the place as the scene gives it.
	Camera func(c *scene.Camera, eye, at, up mgl64.Vec3) (newEye, newAt mgl64.Vec3)
	// BeforeDraw, if not nil, is called before each draw when all its state
	// is set.
	BeforeDraw func(d *DrawState) error
}

// DrawState is the state of a draw that is about to be made.
type DrawState struct {
	Index    int // of draw calls, from 0
	Pass     *scene.Pass
	Main     bool // it is the main pass
	Draw     *scene.Draw
	Mesh     string      // that is drawn, as its file calls it; "" where it has no name
	Uniforms *dmp.State  // to be read or set
	Program  *gl.Program // with its uniforms, to be read or set

	// The matrices that the camera and the draw's place give.
	Projection, ModelView mgl64.Mat4
}

// Duration is the time after which the scene repeats or comes to rest, in
// seconds; 0 if it does not move.
func (st *Stage) Duration() float64 {
	d := 0.0
	curve := func(list ...*scene.Curve) {
		for _, c := range list {
			if c != nil && len(c.Keys) > 1 {
				d = max(d, c.Keys[len(c.Keys)-1].T)
			}
		}
	}
	turn := func(degrees float64) {
		if degrees < 0 {
			degrees = -degrees
		}
		if degrees > 0 {
			d = max(d, 360/degrees)
		}
	}
	uniforms := func(list []scene.Uniform) {
		for i := range list {
			curve(list[i].Curve)
		}
	}
	camera := func(c *scene.Camera) {
		if c != nil {
			curve(c.Eye, c.At, c.Up, c.Fovy, c.Height, c.Projection)
			turn(c.Turntable)
			if c.Stereo != nil {
				curve(c.Stereo.Eyes, c.Stereo.Convergence)
			}
		}
	}
	draws := func(list []scene.Draw) {
		for i := range list {
			w := &list[i]
			curve(w.At, w.Rotate, w.Scale, w.Matrix, w.Color)
			for k := range w.Transform {
				s := &w.Transform[k]
				curve(s.Value)
				if s.Kind == "spin" {
					turn(s.Value.Scalar(0, 0))
				}
			}
			uniforms(w.Uniforms)
			if w.Spin != nil {
				turn(w.Spin[0])
			}
			if set := st.sets[w.Model]; set != nil {
				if motion, err := set.Animation(w.Animation); err == nil {
					d = max(d, motion.Frames()/modeldraw.FrameRate)
				}
				continue
			}
			m := st.models[w.Model]
			if m == nil || w.Animation == "none" {
				continue
			}
			for k := range m.Animations {
				if w.Animation == "" && k == 0 || m.Animations[k].Name == w.Animation {
					d = max(d, float64(m.Animations[k].Duration))
				}
			}
		}
	}
	s := st.Scene
	camera(&s.Camera)
	curve(s.Ambient)
	for i := range s.Lights {
		l := &s.Lights[i]
		curve(l.Position, l.Direction, l.Ambient, l.Diffuse, l.Specular0, l.Specular1, l.Spot)
		uniforms(l.Uniforms)
	}
	uniforms(s.Uniforms)
	for i := range s.Passes {
		camera(s.Passes[i].Camera)
		uniforms(s.Passes[i].Uniforms)
		draws(s.Passes[i].Draws)
	}
	draws(s.Draws)
	return d
}

// matrixNames are names that homebrew's shaders commonly give the matrices
// which the library calls projection, modelView and modelViewProjection, without
// capitals and underscores.
var matrixNames = map[string]string{
	"proj": "projection", "projection": "projection", "projmtx": "projection", "projectionmatrix": "projection", "projmatrix": "projection",
	"modelview": "modelView", "mdlview": "modelView", "mv": "modelView", "modelviewmatrix": "modelView", "modelviewmtx": "modelView",
	"mvp": "modelViewProjection", "modelviewproj": "modelViewProjection", "modelviewprojection": "modelViewProjection", "mvpmatrix": "modelViewProjection",
	"normalmatrix": "normalMatrix", "normal": "normalMatrix", "normalmtx": "normalMatrix",
}

// commonName is the library's name of a uniform that has another common name.
func commonName(name string) (string, bool) {
	n := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if lib, ok := matrixNames[n]; ok {
		return lib, true
	}
	lib, ok := matrixNames[strings.TrimPrefix(n, "u")]
	return lib, ok
}
