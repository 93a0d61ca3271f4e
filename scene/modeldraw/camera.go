package modeldraw

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/internal/mgl"
)

// Camera is a camera of a resource file in the form of scenes.
type Camera struct {
	Name        string
	Eye, At, Up mgl64.Vec3
	Fovy        float64 // degrees; of a perspective
	Height      float64 // of a parallel projection, 0 otherwise
	Near, Far   float64
	Aspect      float64 // width / height
}

// Cameras lists the names of the file's cameras.
func (s *Set) Cameras() []string { return s.File.Cameras.Names() }

// Camera returns a camera of the file, animated by motion (which may be nil)
// after that many frames; ok is false if it does not exist or is invalid.
func (s *Set) Camera(number int, motion *Motion, frames float64) (c Camera, ok bool) {
	if number < 0 || number >= len(s.File.Cameras.Entries) {
		return c, false
	}
	f := s.File.Cameras.Entries[number].Value
	if f == nil || f.View == nil || f.Projection == nil {
		return c, false
	}
	f = s.moveCamera(f, s.own(motion, moveCameras, f.Name), frames)
	return cameraOf(f)
}

// CameraFrames returns the length of a camera's animation in frames, 0 if it
// does not move.
func (s *Set) CameraFrames(number int, motion *Motion) float64 {
	if a := s.cameraMotion(number, motion); a != nil {
		return (&Motion{parts: [kindsOfMotion]*cgfx.Animation{a}}).Frames()
	}
	return 0
}

func (s *Set) cameraMotion(number int, motion *Motion) *cgfx.Animation {
	if number < 0 || number >= len(s.File.Cameras.Entries) || s.File.Cameras.Entries[number].Value == nil {
		return nil
	}
	return s.own(motion, moveCameras, s.File.Cameras.Entries[number].Value.Name)
}

// CameraLoops reports whether the animation of a camera repeats.
func (s *Set) CameraLoops(number int, motion *Motion) bool {
	return s.CameraFrames(number, motion) != 0 && s.cameraMotion(number, motion).Loops != 0
}

// camera finds a camera by its number in the first scene that has it, or by its
// index in the file.
func (s *Set) camera(id uint32, motion *Motion, frames float64) (Camera, bool) {
	for _, sc := range s.File.Scenes.Values() {
		for _, it := range sc.Cameras {
			if it == nil || it.ID != id {
				continue
			}
			for k, e := range s.File.Cameras.Entries {
				if e.Name == it.Name {
					return s.Camera(k, motion, frames)
				}
			}
		}
	}
	if int64(id) < int64(len(s.File.Cameras.Entries)) {
		return s.Camera(int(id), motion, frames)
	}
	return Camera{}, false
}

// projection returns the camera's projection with the aspect in the file.
func (c *Camera) projection() mgl64.Mat4 {
	aspect := c.Aspect
	if !(aspect > 0) {
		aspect = 1
	}
	if c.Height > 0 {
		x, y := float64(float64(c.Height*aspect)/2), float64(c.Height/2)
		return mgl.Ortho(-x, x, -y, y, c.Near, c.Far)
	}
	return mgl.Perspective(c.Fovy, aspect, c.Near, c.Far)
}

// cameraOf puts a camera into the terms of scenes.
func cameraOf(f *cgfx.Camera) (c Camera, ok bool) {
	c.Name = f.Name
	c.Eye, c.Up = mgl.Wide3(f.Translation), mgl64.Vec3{0, 1, 0}
	v := f.View
	switch v.Kind {
	case cgfx.ViewRotation:
		m := mgl.RotateXYZ(v.Target)
		c.At, c.Up = c.Eye.Sub(m.Col(2).Vec3()), m.Col(1).Vec3()
	case cgfx.ViewLookAt:
		c.At, c.Up = mgl.Wide3(v.Target), mgl.Wide3(v.Up)
	case cgfx.ViewAim:
		c.At = mgl.Wide3(v.Target)
		// The twist turns the camera about its line of sight.
		c.Up = mgl.Rotate(degrees(v.Twist), c.Eye.Sub(c.At)).Col(1).Vec3()
	default:
		return c, false
	}
	p := f.Projection
	c.Near, c.Far, c.Aspect = float64(p.Near), float64(p.Far), float64(p.Aspect)
	switch p.Kind {
	case cgfx.ProjectionPerspective:
		c.Fovy = degrees(p.Fovy)
		ok = c.Fovy > 0 && c.Fovy < 180
	case cgfx.ProjectionParallel:
		c.Height = float64(p.Height)
		ok = c.Height > 0
	case cgfx.ProjectionFrustum:
		// The height is that of the near plane.
		c.Fovy = 2 * math.Atan2(float64(p.Height)/2, c.Near) * (180 / math.Pi)
		ok = c.Fovy > 0 && c.Fovy < 180
	}
	sum := c.Near + c.Far
	for k := range 3 {
		sum += c.Eye[k] + c.At[k] + c.Up[k]
	}
	return c, ok && c.Near > 0 && c.Far > c.Near && c.Eye != c.At && !math.IsNaN(sum) && !math.IsInf(sum, 0)
}

// Bounds returns the box around everything that is drawn at the start of the
// first animation.
func (s *Set) Bounds() (lo, hi mgl32.Vec3, ok bool) {
	for k := range 3 {
		lo[k], hi[k] = float32(math.Inf(1)), float32(math.Inf(-1))
	}
	motion, err := s.Animation("")
	if err != nil {
		motion = &Motion{}
	}
	d := &Drawing{set: s, view: View{ToView: mgl64.Ident4()}}
	for _, m := range s.Models() {
		p := newPose(m.Skeleton, motion.parts[moveBones], 0)
		root := s.transform(m, motion.parts[moveBones], 0)
		for it := range itemsOf(m, "") {
			if !s.visible(m, it.m, it.number, motion.parts[moveVisibility], 0) {
				continue
			}
			sh := m.Shapes[it.m.Shape]
			for part, err := range s.sets(sh, meshName(m, it)) {
				if err == nil {
					d.grow(sh, part, p, root, &lo, &hi)
				}
			}
		}
	}
	for k := range 3 {
		if !(lo[k] <= hi[k]) || math.IsInf(float64(lo[k]), 0) || math.IsInf(float64(hi[k]), 0) {
			return lo, hi, false
		}
	}
	return lo, hi, true
}

// grow extends a box by a part's vertices. A vertex with several bones uses the
// first.
func (d *Drawing) grow(sh *cgfx.Shape, p *primitives, ps *pose, root mgl64.Mat4, lo, hi *mgl32.Vec3) {
	bones := make([]mgl64.Mat4, max(len(p.bones), 1))
	bones[0] = root
	for i, b := range p.bones {
		bones[i] = d.bone(b, p.skin, ps, root)
	}
	t := &p.streams[cgfx.Position]
	for v := range p.count {
		n := 0
		if p.skin != cgfx.Unskinned && p.has[cgfx.BoneIndex] {
			n = p.number(p.streams[cgfx.BoneIndex].at(v)[0] * p.streams[cgfx.BoneIndex].scale)
		}
		at := mgl.Point(bones[n], t.position(v, sh))
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], at[k]), max(hi[k], at[k])
		}
	}
}
