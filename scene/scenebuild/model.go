package scenebuild

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// openModel makes a stage that shows only a model: with a camera that sees all
// of it from the front and slightly above, two lights, and the library's
// programs for its parts.
func openModel(path string, roots []string) (*Stage, error) {
	if set, err := openSet(path); err != nil {
		return nil, err
	} else if set != nil {
		return newSet(set, path)
	}
	m, err := model.Load(path, roots...)
	if err != nil {
		return nil, err
	}
	return newModel(m, path)
}

// newModel is openModel for a model that was read.
func newModel(m *model.Model, path string) (*Stage, error) {
	s, err := ModelScene(m, path)
	if err != nil && len(m.Notes) > 0 {
		err = fmt.Errorf("%w (%s)", err, strings.Join(m.Notes, "; "))
	}
	if err != nil {
		return nil, err
	}
	st := newStage(s) // nothing to read: the model is here already
	st.Warnings, st.bare, st.Text = st.use("model", m), true, s.Write("")
	return st, nil
}

// ModelScene returns a scene that shows a model alone.
func ModelScene(m *model.Model, path string) (*scene.Scene, error) {
	lo, hi, ok, err := whole(m)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, errNothing(path)
	}
	black, one, zero := mgl64.Vec4{0.16, 0.18, 0.22, 1}, 1.0, 0
	s := &scene.Scene{
		File: path, Dir: filepath.Dir(path), Name: m.Name,
		Target:  scene.Target{Width: 400, Height: 240, Color: "rgba8", Depth: "d24s8", Clear: scene.Clear{Color: &black, Depth: &one, Stencil: &zero}},
		Camera:  framed(lo, hi),
		Ambient: scene.Const(0.22, 0.24, 0.28),
		Lights: []scene.Light{
			{Direction: scene.Const(0.5, 0.8, 0.9), Ambient: scene.Const(0, 0, 0), Diffuse: scene.Const(0.85, 0.83, 0.8), Specular0: scene.Const(0.8, 0.8, 0.8)},
			{Direction: scene.Const(-0.8, 0.1, 0.3), Ambient: scene.Const(0, 0, 0), Diffuse: scene.Const(0.16, 0.18, 0.25), Specular0: scene.Const(0, 0, 0)},
		},
		Models: []scene.Model{{Name: "model", File: filepath.Base(path)}},
		// The picture is opaque, whatever the alpha of the materials.
		Draws: []scene.Draw{{Name: m.Name, Model: "model", Style: scene.Style{Write: "rgb"}}},
	}
	if note := modelLights(s, m, lo, hi); note != "" && !slices.Contains(m.Notes, note) {
		m.Notes = append(m.Notes, note)
	}
	return s, nil
}

// whole returns the box around a model over all of its first animation, which
// is the one that plays. It samples 32 moments, fewer if the model has very
// many vertices.
func whole(m *model.Model) (lo, hi mgl32.Vec3, ok bool, err error) {
	anim, moments, length := -1, 1, 0.0
	if len(m.Animations) > 0 {
		anim, length = 0, float64(m.Animations[0].Duration)
		moments = min(max(1<<21/(m.Triangles()+1), 2), 32)
	}
	for i := range moments {
		pose, err := m.Pose(anim, length*float64(i)/float64(moments))
		if err != nil {
			return lo, hi, false, err
		}
		l, h, there := m.Bounds(pose)
		switch {
		case there && !ok:
			lo, hi, ok = l, h, true
		case there:
			for k := range lo {
				lo[k], hi[k] = min(lo[k], l[k]), max(hi[k], h[k])
			}
		}
	}
	return lo, hi, ok, nil
}

// framed returns a camera that sees a whole box from the front and slightly above.
func framed(lo, hi mgl32.Vec3) scene.Camera {
	mid := mgl.Wide3(lo).Add(mgl.Wide3(hi)).Mul(0.5)
	radius := mgl.Wide3(hi).Sub(mgl.Wide3(lo)).Len() / 2
	if radius == 0 {
		radius = 1
	}
	const fovy = 35
	dist := radius / math.Sin(fovy*math.Pi/360) * 1.05
	eye := mid.Add(mgl64.Vec3{0.45, 0.35, 0.82}.Mul(dist))
	return scene.Camera{Eye: scene.Const(eye[:]...), At: scene.Const(mid[:]...), Fovy: scene.Const(fovy), Near: dist / 100, Far: dist * 4}
}

// newSet is openModel for a resource file.
func newSet(set *modeldraw.Set, path string) (*Stage, error) {
	s, err := setScene(set, path)
	if err != nil {
		return nil, err
	}
	st := newStage(s)
	st.Warnings, st.bare, st.Text = slices.Clone(set.Notes), true, s.Write("")
	st.sets["model"] = set
	return st, nil
}

type errNothing string

func (e errNothing) Error() string { return string(e) + ": the model has nothing to show" }
