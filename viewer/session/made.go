package session

import (
	"fmt"
	"path/filepath"
	"strings"

	"pica200/internal/yamldoc"
	"pica200/scene/scenebuild"
)

// newModel shows a model like "pica200 render".
func newModel(path string, roots []string) *sceneSource {
	return newMade(path, roots, func(path string, read *scenebuild.Loaded) ([]byte, []string, error) {
		return modelText(path, read, roots...)
	})
}

// modelText returns the scene of scenebuild.ModelScene as text, for a model
// that was read.
func modelText(path string, read *scenebuild.Loaded, roots ...string) ([]byte, []string, error) {
	files := parts(path)
	if text, err := read.SetText(path); text != nil || err != nil {
		return text, files, err
	}
	m, err := read.Model(path, roots...)
	if err != nil {
		return nil, files, err
	}
	s, err := scenebuild.ModelScene(m, path)
	if err != nil {
		return nil, files, err
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	vec := func(v []float64) string {
		var all []any
		for _, x := range v {
			all = append(all, x)
		}
		return yamldoc.Flow(all)
	}
	if s.Name != "" {
		line("name: %q", s.Name)
	}
	c := s.Target.Clear
	line("target: {width: %d, height: %d, color: %s, depth: %s, clear: {color: %s, depth: %g, stencil: %d}}", s.Target.Width, s.Target.Height,
		s.Target.Color, s.Target.Depth, vec(c.Color[:]), *c.Depth, *c.Stencil)
	line("camera: {eye: %s, at: %s, fovy: %g, near: %s, far: %s}", vec(s.Camera.Eye.At(0)), vec(s.Camera.At.At(0)),
		s.Camera.Fovy.Scalar(0, 40), yamldoc.Flow(s.Camera.Near), yamldoc.Flow(s.Camera.Far))
	line("ambient: %s", vec(s.Ambient.At(0)))
	line("lights:")
	for _, l := range s.Lights {
		line("  - {direction: %s, ambient: %s, diffuse: %s, specular0: %s}", vec(l.Direction.At(0)), vec(l.Ambient.At(0)), vec(l.Diffuse.At(0)), vec(l.Specular0.At(0)))
	}
	line("models:\n  model: {file: %q}", filepath.Base(path))
	line("draws:\n  - {name: %q, model: model}", s.Draws[0].Name)
	return []byte(b.String()), files, nil
}

// newShader shows a shader like "pica200 render".
func newShader(path string) *sceneSource {
	return newMade(path, nil, func(path string, _ *scenebuild.Loaded) ([]byte, []string, error) { return scenebuild.ShaderText(path) })
}
