package cgfx

import (
	"github.com/go-gl/mathgl/mgl32"

	"pica200/pica"
)

// Light is CFLT.
type Light struct {
	Object
	Transform
	Enabled uint32

	Type      uint32 // 0 directional, 1 point, 2 spot
	Ambient   mgl32.Vec4
	Diffuse   mgl32.Vec4
	Specular  [2]mgl32.Vec4 // of fragment lights
	Bytes     [4]uint32     // of fragment lights: the four colours as bytes
	Direction mgl32.Vec3    // where the light shines to

	// Of fragment lights.
	Distance  *TableRef
	Angle     *LightTable
	Start     float32 // of the attenuation with distance
	End       float32
	Scale20   uint32 // 1/(End-Start) and -Start/(End-Start) as 20-bit floats
	Bias20    uint32
	LastFlags uint32 // bit 1 two-sided diffuse, bit 2 attenuates with distance, bit 3 turns with its node

	// Of vertex lights: attenuation 1/(c + l d + q d^2), spot exponent and cut-off.
	Constant, Linear, Quadratic, attenuated, SpotExponent, SpotCutoff float32

	// Of hemisphere lights.
	Ground, Sky mgl32.Vec4
	Lerp        float32

	Color     mgl32.Vec4 // of ambient lights
	ColorByte uint32
	dirty     uint32
}

func (*Light) signature() (int, string) { return 4, "CFLT" }

func (l *Light) fields(c *codec) {
	l.Object.header(c, "CFLT")
	l.Transform.fields(c)
	word(c, "enabled", &l.Enabled)
	switch l.Kind {
	case KindFragmentLight:
		word(c, "type", &l.Type)
		c.floats("ambient", l.Ambient[:])
		c.floats("diffuse", l.Diffuse[:])
		c.floats("specular 0", l.Specular[0][:])
		c.floats("specular 1", l.Specular[1][:])
		c.words("colors as bytes", l.Bytes[:])
		c.floats("direction", l.Direction[:])
		ref(c, "distance table", &l.Distance)
		ref(c, "angle table", &l.Angle)
		c.float("attenuation start", &l.Start)
		c.float("attenuation end", &l.End)
		word(c, "attenuation scale", &l.Scale20)
		word(c, "attenuation bias", &l.Bias20)
		word(c, "flags", &l.LastFlags)
	case KindVertexLight:
		word(c, "type", &l.Type)
		c.floats("ambient", l.Ambient[:])
		c.floats("diffuse", l.Diffuse[:])
		c.floats("direction", l.Direction[:])
		c.float("constant", &l.Constant)
		c.float("linear", &l.Linear)
		c.float("quadratic", &l.Quadratic)
		c.float("attenuated", &l.attenuated)
		c.float("spot exponent", &l.SpotExponent)
		c.float("spot cut-off", &l.SpotCutoff)
		word(c, "flags", &l.LastFlags)
	case KindHemisphereLight:
		c.floats("ground", l.Ground[:])
		c.floats("sky", l.Sky[:])
		c.floats("direction", l.Direction[:])
		c.float("lerp", &l.Lerp)
		c.optional(4, func(c *codec) { word(c, "flags", &l.LastFlags) })
	case KindAmbientLight:
		c.floats("color", l.Color[:])
		word(c, "color as bytes", &l.ColorByte)
		word(c, "dirty", &l.dirty)
	default:
		if c.mode == reading {
			c.note(c.at, "light %q is of the unknown kind 0x%08x", l.Name, uint32(l.Kind))
		}
	}
}

// Attenuation returns the scale and bias of a fragment light's attenuation
// between two distances, as 20-bit floats for the hardware.
func Attenuation(start, end float32) (scale, bias uint32) {
	k := 1 / (end - start)
	return pica.Float20.Encode(k), pica.Float20.Encode(-start * k)
}

// Fog is CFOG.
type Fog struct {
	Object
	Transform
	Color   mgl32.Vec4
	table   *Table // commands that upload the table; the console may compute them
	Updater *FogUpdater
}

func (*Fog) signature() (int, string) { return 4, "CFOG" }

// Source: KillzXGaming's SPICA, GfxFog.
func (f *Fog) fields(c *codec) {
	f.Object.header(c, "CFOG")
	f.Transform.fields(c)
	c.floats("color", f.Color[:])
	ref(c, "table", &f.table)
	ref(c, "updater", &f.Updater)
}

// FogUpdater has the parameters of the fog's table: 1 linear, 2 exponential, 3 exponential squared.
type FogUpdater struct {
	Type               uint32
	Near, Far, Density float32
}

func (u *FogUpdater) fields(c *codec) {
	word(c, "type", &u.Type)
	c.float("near", &u.Near)
	c.float("far", &u.Far)
	c.float("density", &u.Density)
}

// Scene is CENV: which cameras, lights and fogs belong together.
type Scene struct {
	Object
	Cameras   []*SceneItem
	LightSets []*LightSet
	Fogs      []*SceneItem
}

func (*Scene) signature() (int, string) { return 4, "CENV" }

func (s *Scene) fields(c *codec) {
	s.Object.header(c, "CENV")
	refs(c, "cameras", &s.Cameras)
	refs(c, "light sets", &s.LightSets)
	refs(c, "fogs", &s.Fogs)
}

// LightSet is a set of lights; materials refer to it by number.
type LightSet struct {
	ID     uint32
	Lights []*SceneItem
}

func (l *LightSet) fields(c *codec) {
	word(c, "number", &l.ID)
	refs(c, "lights", &l.Lights)
}

// SceneItem names a camera, a light or a fog of the file.
type SceneItem struct {
	ID     uint32
	Name   string
	target uint32 // filled in by the console
}

func (i *SceneItem) fields(c *codec) {
	word(c, "number", &i.ID)
	c.text("name", &i.Name)
	word(c, "target", &i.target)
}

// Camera is CCAM.
type Camera struct {
	Object
	Transform
	ViewType       uint32 // 0 aim, 1 look at, 2 rotation
	ProjectionType uint32 // 0 perspective, 1 frustum, 2 parallel
	View           *View
	Projection     *Projection
	WScale         float32
}

func (*Camera) signature() (int, string) { return 4, "CCAM" }

func (a *Camera) fields(c *codec) {
	a.Object.header(c, "CCAM")
	a.Transform.fields(c)
	word(c, "view type", &a.ViewType)
	word(c, "projection type", &a.ProjectionType)
	ref(c, "view", &a.View)
	ref(c, "projection", &a.Projection)
	c.optional(4, func(c *codec) { c.float("w scale", &a.WScale) })
}

// Kinds of View and of Projection.
const (
	ViewRotation = 0x20000000
	ViewLookAt   = 0x40000000
	ViewAim      = 0x80000000

	ProjectionPerspective = 0x20000000
	ProjectionParallel    = 0x40000000
	ProjectionFrustum     = 0x80000000
)

// View is where a camera looks.
type View struct {
	Kind   uint32
	flags  uint32 // what turns and moves with the camera's node
	Target mgl32.Vec3
	Up     mgl32.Vec3 // of ViewLookAt
	Twist  float32    // of ViewAim, radians
}

func (v *View) fields(c *codec) {
	word(c, "kind", &v.Kind)
	word(c, "flags", &v.flags)
	switch v.Kind {
	case ViewRotation:
		c.floats("rotation", v.Target[:])
	case ViewLookAt:
		c.floats("target", v.Target[:])
		c.floats("up", v.Up[:])
	case ViewAim:
		c.floats("target", v.Target[:])
		c.float("twist", &v.Twist)
	default:
		if c.mode == reading {
			c.note(c.at-8, "a view of the unknown kind 0x%08x", v.Kind)
		}
	}
}

// Projection is how a camera projects.
type Projection struct {
	Kind      uint32
	Near, Far float32
	Aspect    float32 // width / height
	Fovy      float32 // radians
	Height    float32
	center    mgl32.Vec2
}

func (p *Projection) fields(c *codec) {
	word(c, "kind", &p.Kind)
	c.float("near", &p.Near)
	c.float("far", &p.Far)
	c.float("aspect", &p.Aspect)
	switch p.Kind {
	case ProjectionPerspective:
		c.float("fovy", &p.Fovy)
	case ProjectionParallel, ProjectionFrustum:
		c.float("height", &p.Height)
		c.floats("center", p.center[:])
	default:
		if c.mode == reading {
			c.note(c.at-16, "a projection of the unknown kind 0x%08x", p.Kind)
		}
	}
}
