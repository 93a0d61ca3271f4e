package scenebuild

import (
	"math"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/dmp"
	"pica200/frontend/gl"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// Hooks let a program change what is drawn without changing the scene, for
// example a viewer in which a user moves the camera or tries values of
// uniforms.
type Hooks struct {
	// Camera, if not nil, moves the scene's camera, in the main pass and in other
	// passes that use it. Its arguments are the scene's values.
	Camera func(c *scene.Camera, eye, at, up mgl64.Vec3) (newEye, newAt mgl64.Vec3)
	// Style, if not nil, may change how a part of a draw's model is drawn. It gets a copy of what the scene says.
	Style func(w *scene.Draw, part scene.PartID, said *scene.Style)
	// BeforeDraw, if not nil, is called before each draw when all its state
	// is set.
	BeforeDraw func(d *DrawState) error
}

// DrawState is the state of a draw about to be made.
type DrawState struct {
	Index    int // of draw calls, from 0
	Pass     *scene.Pass
	Main     bool           // it is the main pass
	Draw     *scene.Draw    // as the scene has it
	Part     scene.PartID   // what of its model is drawn
	Styles   []*scene.Style // what the scene says of it, each over those before
	Mesh     string         // the mesh's name in its file; "" without a name
	Uniforms *dmp.State     // may be read or set
	Program  *gl.Program    // its uniforms may be read or set

	// Matrices from the camera and the draw's transformation. ToView depends on the camera only.
	Projection, ToView, ModelView mgl64.Mat4
}

// Duration returns the time after which the scene repeats or stops, in seconds;
// 0 if it does not move.
func (st *Stage) Duration() float64 {
	var d lasting
	s := st.Scene
	d.camera(&s.Camera)
	d.curve(s.Ambient)
	for i := range s.Lights {
		l := &s.Lights[i]
		d.curve(l.Curves()...)
		d.uniforms(l.Uniforms)
	}
	d.uniforms(s.Uniforms)
	draws := s.Draws
	for i := range s.Passes {
		d.camera(s.Passes[i].Camera)
		d.uniforms(s.Passes[i].Uniforms)
		draws = slices.Concat(draws, s.Passes[i].Draws)
	}
	for i := range draws {
		for w := range draws[i].All() {
			d.style(w)
			d.until(st.animationOf(draws[i].Model, w.Animation))
		}
	}
	return float64(d)
}

// animationOf returns the duration of an animation of a model, 0 without one.
func (st *Stage) animationOf(model, name string) (seconds float64) {
	if set := st.sets[model]; set != nil {
		motion, err := set.Animation(name)
		if err != nil {
			return 0
		}
		return motion.Frames() / modeldraw.FrameRate
	}
	m := st.models[model]
	if m == nil || name == "none" {
		return 0
	}
	for k := range m.Animations {
		if name == "" && k == 0 || m.Animations[k].Name == name {
			seconds = max(seconds, float64(m.Animations[k].Duration))
		}
	}
	return seconds
}

// lasting is the duration of a scene's longest movement in seconds.
type lasting float64

func (d *lasting) until(seconds float64) { *d = max(*d, lasting(seconds)) }

func (d *lasting) curve(list ...*scene.Curve) {
	for _, c := range list {
		if c != nil && len(c.Keys) > 1 {
			d.until(c.Keys[len(c.Keys)-1].T)
		}
	}
}

// rotation adds a rotation in degrees per second.
func (d *lasting) rotation(degrees float64) {
	if degrees = math.Abs(degrees); degrees > 0 {
		d.until(360 / degrees)
	}
}

func (d *lasting) uniforms(list []scene.Uniform) {
	for i := range list {
		d.curve(list[i].Curve)
	}
}

func (d *lasting) camera(c *scene.Camera) {
	if c == nil {
		return
	}
	d.curve(c.Curves()...)
	d.rotation(c.Turntable)
}

func (d *lasting) style(w *scene.Style) {
	d.curve(w.Curves()...)
	for _, s := range w.Steps() {
		d.curve(s.Value)
		if s.Kind == "spin" {
			d.rotation(s.Value.Scalar(0, 0))
		}
	}
	d.uniforms(w.Uniforms)
}

// matrixNames maps common names in homebrew shaders, without capitals and
// underscores, to the library's matrices projection, modelView and
// modelViewProjection.
var matrixNames = map[string]string{
	"proj": "projection", "projection": "projection", "projmtx": "projection", "projectionmatrix": "projection", "projmatrix": "projection",
	"modelview": "modelView", "mdlview": "modelView", "mv": "modelView", "modelviewmatrix": "modelView", "modelviewmtx": "modelView",
	"mvp": "modelViewProjection", "modelviewproj": "modelViewProjection", "modelviewprojection": "modelViewProjection", "mvpmatrix": "modelViewProjection",
	"normalmatrix": "normalMatrix", "normal": "normalMatrix", "normalmtx": "normalMatrix",
}

// isMatrix reports whether a uniform has a common name of a matrix.
func isMatrix(name string) bool { _, ok := commonName(name); return ok }

// commonName returns the library's name for a uniform with a common name.
func commonName(name string) (string, bool) {
	n := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	if lib, ok := matrixNames[n]; ok {
		return lib, true
	}
	lib, ok := matrixNames[strings.TrimPrefix(n, "u")]
	return lib, ok
}
