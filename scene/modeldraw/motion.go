package modeldraw

import (
	"github.com/go-gl/mathgl/mgl32"

	"pica200/assets/cgfx"
	"pica200/internal/mgl"
)

// Animations of lights, cameras and fogs change a copy. Source of the paths:
// KillzXGaming's SPICA, GfxAnimation.

// moved applies an animation to a transform.
func moved(t *cgfx.Transform, a *cgfx.Animation, f float64) {
	x := member(a, "Transform")
	if x == nil {
		return
	}
	l := bone{scale: t.Scale, rotation: t.Rotation, translation: t.Translation}
	l.animate(x, frame(a, f))
	t.Scale, t.Rotation, t.Translation = l.scale, l.rotation, l.translation
	if l.matrix != nil {
		// A matrix animation replaces all three.
		t.Scale, t.Rotation, t.Translation = mgl32.Vec3{1, 1, 1}, mgl32.Vec3{}, mgl32.Vec3{}
		t.Local = cgfx.MatrixOf(*l.matrix)
	} else if l.quaternion != nil {
		t.Rotation = mgl.Angles(l.rotationMatrix())
	}
}

// vector applies a member with a curve for each component to a value. It
// reports whether there is one.
func vector(v []float32, a *cgfx.Animation, f float64, path string) bool {
	x := member(a, path)
	if x == nil {
		return false
	}
	n := map[cgfx.Target]int{cgfx.TargetFloat: 1, cgfx.TargetVector2: 2, cgfx.TargetVector3: 3, cgfx.TargetColor: 4}[x.Type]
	for k := range min(n, len(v)) {
		v[k] = x.Slots[k].At(frame(a, f), v[k])
	}
	return n > 0
}

// number is vector for a single number.
func number(v *float32, a *cgfx.Animation, f float64, path string) bool {
	one := [1]float32{*v}
	found := vector(one[:], a, f, path)
	*v = one[0]
	return found
}

// moveLight returns a light at a moment.
func (s *Set) moveLight(l *cgfx.Light, m *Motion, f float64) *cgfx.Light {
	a := s.own(m, moveLights, l.Name)
	if a == nil {
		return l
	}
	out := *l
	if !animatedBool(l.Enabled != 0, a, "IsLightEnabled", f) {
		out.Enabled = 0
	} else if l.Enabled == 0 {
		out.Enabled = 1
	}
	moved(&out.Transform, a, f)
	for path, v := range map[string][]float32{
		"Ambient": out.Ambient[:], "Diffuse": out.Diffuse[:], "Specular0": out.Specular[0][:], "Specular1": out.Specular[1][:],
		"Direction": out.Direction[:], "GroundColor": out.Ground[:], "SkyColor": out.Sky[:], "Color": out.Color[:]} {
		vector(v, a, f, path)
	}
	if out.Kind == cgfx.KindAmbientLight {
		vector(out.Color[:], a, f, "Ambient")
	}
	span := mgl32.Vec2{out.Start, out.End}
	vector(span[:1], a, f, "DistanceAttenuationStart")
	vector(span[1:], a, f, "DistanceAttenuationEnd")
	if span != (mgl32.Vec2{out.Start, out.End}) && span[1] != span[0] {
		out.Start, out.End = span[0], span[1]
		out.Scale20, out.Bias20 = cgfx.Attenuation(span[0], span[1])
	}
	number(&out.Lerp, a, f, "LerpFactor")
	return &out
}

// moveCamera returns a camera at a moment. Its view and projection must not be
// nil.
func (s *Set) moveCamera(c *cgfx.Camera, a *cgfx.Animation, f float64) *cgfx.Camera {
	if a == nil {
		return c
	}
	out, view, projection := *c, *c.View, *c.Projection
	out.View, out.Projection = &view, &projection
	moved(&out.Transform, a, f)
	target := "ViewUpdater.TargetPosition"
	if view.Kind == cgfx.ViewRotation {
		target = "ViewUpdater.ViewRotate"
	}
	vector(view.Target[:], a, f, target)
	vector(view.Up[:], a, f, "ViewUpdater.UpwardVector")
	number(&view.Twist, a, f, "ViewUpdater.Twist")
	number(&projection.Near, a, f, "ProjectionUpdater.Near")
	number(&projection.Far, a, f, "ProjectionUpdater.Far")
	number(&projection.Fovy, a, f, "ProjectionUpdater.Fovy")
	number(&projection.Height, a, f, "ProjectionUpdater.Height")
	number(&projection.Aspect, a, f, "ProjectionUpdater.AspectRatio")
	return &out
}

// moveFog returns a fog at a moment: its colour, and its range if animated.
func (s *Set) moveFog(g *cgfx.Fog, m *Motion, f float64) *cgfx.Fog {
	if g == nil {
		return nil
	}
	a := s.own(m, moveFogs, g.Name)
	if a == nil {
		return g
	}
	out := *g
	vector(out.Color[:], a, f, "Color")
	moved(&out.Transform, a, f)
	if g.Updater != nil {
		up := *g.Updater
		out.Updater = &up
		number(&up.Near, a, f, "FogUpdater.Near")
		number(&up.Far, a, f, "FogUpdater.Far")
		number(&up.Density, a, f, "FogUpdater.Density")
	}
	return &out
}
