package scenebuild

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// Animations lists the animations of all models in the main pass, by name, each
// once; one without a name has its number.
func (st *Stage) Animations() (names []string) {
	add := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range st.Scene.Draws {
		w := &st.Scene.Draws[i]
		if set := st.sets[w.Model]; set != nil {
			for _, n := range set.Animations() {
				add(n)
			}
		}
		if m := st.models[w.Model]; m != nil {
			for k := range m.Animations {
				name := m.Animations[k].Name
				if name == "" {
					name = fmt.Sprint(k)
				}
				add(name)
			}
		}
	}
	return names
}

// SetAnimation makes every draw whose model has an animation with this name or
// number play it; "none" stops all. The error lists the names.
func (st *Stage) SetAnimation(name string) error {
	found := name == "none"
	for i := range st.Scene.Draws {
		w := &st.Scene.Draws[i]
		has := name == "none"
		if set := st.sets[w.Model]; set != nil {
			_, err := set.Animation(name)
			has = has || err == nil
		}
		if m := st.models[w.Model]; m != nil {
			for k := range m.Animations {
				has = has || m.Animations[k].Name == name || fmt.Sprint(k) == name
			}
		}
		if has {
			w.Animation = name
			found = true
		}
	}
	if found {
		return nil
	}
	names := st.Animations()
	if len(names) == 0 {
		return fmt.Errorf("there is no animation %q; the models have none", name)
	}
	return fmt.Errorf("there is no animation %q; there are %s", name, strings.Join(names, ", "))
}

// Cameras lists the cameras of the models that the main pass draws; one without a
// name has its number.
func (st *Stage) Cameras() (names []string) {
	for i := range st.Scene.Draws {
		if set := st.sets[st.Scene.Draws[i].Model]; set != nil {
			names = append(names, set.Cameras()...)
		} else {
			names = append(names, camerasOf(st.models[st.Scene.Draws[i].Model])...)
		}
	}
	return names
}

func camerasOf(m *model.Model) (names []string) {
	for i := range m.Cameras {
		names = append(names, cmp.Or(m.Cameras[i].Name, fmt.Sprint(i)))
	}
	return names
}

// setModelCamera uses a camera of a draw's model, if it has one of this name or
// number; "whole" shows all of it.
func (st *Stage) setModelCamera(w *scene.Draw, name string) (done bool, err error) {
	m, place := st.models[w.Model], modelMatrix(w, 0)
	if name == "whole" {
		lo, hi, ok, err := whole(m)
		if err != nil || !ok {
			return ok, err
		}
		st.Scene.Camera = framed(mgl.Point(place, lo), mgl.Point(place, hi))
		return true, nil
	}
	names := camerasOf(m)
	k := slices.Index(names, name)
	if n, err := strconv.Atoi(name); k < 0 && err == nil && n >= 0 && n < len(names) {
		k = n
	}
	if k < 0 {
		return false, nil
	}
	anim, err := st.animation(w, m)
	if err == nil {
		st.Scene.Camera, err = modelCamera(m, &m.Cameras[k], anim, place)
	}
	return true, err
}

// HasResources reports whether the main pass draws a resource file, which SetCamera is for.
func (st *Stage) HasResources() bool {
	return slices.ContainsFunc(st.Scene.Draws, func(w scene.Draw) bool { return st.sets[w.Model] != nil })
}

// SetCamera uses a camera of a model, by name or number; "whole" shows everything,
// and "menu" is the view of the HOME Menu, for resource files.
func (st *Stage) SetCamera(name string) error {
	s := st.Scene
	for i := range s.Draws {
		set := st.sets[s.Draws[i].Model]
		if set == nil {
			if done, err := st.setModelCamera(&s.Draws[i], name); done || err != nil {
				return err
			}
			continue
		}
		switch name {
		case "menu":
			homeMenu(s)
			return nil
		case "whole":
			lo, hi, ok := set.Bounds()
			if !ok {
				return errNothing(s.File)
			}
			s.Camera = framed(lo, hi)
			stand(&s.Draws[i])
			return nil
		}
		for k, n := range set.Cameras() {
			if n != name && fmt.Sprint(k) != name {
				continue
			}
			c, ok := cameraOf(set, k, s.Draws[i].Animation)
			if !ok {
				return fmt.Errorf("camera %s of the file is invalid", n)
			}
			s.Camera = c
			stand(&s.Draws[i])
			return nil
		}
	}
	return fmt.Errorf("there is no camera %q; choose from %s", name, strings.Join(append(map[bool][]string{true: {"menu", "whole"}, false: {"whole"}}[st.HasResources()], st.Cameras()...), ", "))
}

// cameraOf converts a camera of a resource file to one of a scene. If it is
// animated, the curve has a key for each frame, up to a bound. Near and far
// keep their values at the start.
func cameraOf(set *modeldraw.Set, number int, animation string) (out scene.Camera, ok bool) {
	motion, err := set.Animation(animation)
	if err != nil {
		motion = nil
	}
	c, ok := set.Camera(number, motion, 0)
	if !ok {
		return out, false
	}
	out = scene.Camera{Eye: scene.Const(c.Eye[:]...), At: scene.Const(c.At[:]...), Up: scene.Const(c.Up[:]...), Near: c.Near, Far: c.Far}
	lens, size := &out.Fovy, func(c *modeldraw.Camera) float64 { return c.Fovy }
	if c.Height > 0 {
		lens, size = &out.Height, func(c *modeldraw.Camera) float64 { return c.Height }
	}
	*lens = scene.Const(size(&c))
	frames := int(min(set.CameraFrames(number, motion), 1<<20))
	step := frames/maxCameraKeys + 1
	for f := step; f <= frames; f += step {
		at, ok := set.Camera(number, motion, float64(f))
		if !ok {
			continue // keeps its animation
		}
		for _, v := range []struct {
			to   *scene.Curve
			keys []float64
		}{{out.Eye, at.Eye[:]}, {out.At, at.At[:]}, {out.Up, at.Up[:]}, {*lens, []float64{size(&at)}}} {
			v.to.Keys = append(v.to.Keys, scene.Key{T: float64(f) / modeldraw.FrameRate, V: append([]float64(nil), v.keys...)})
		}
	}
	for _, v := range []*scene.Curve{out.Eye, out.At, out.Up, *lens} {
		v.Loop = len(v.Keys) > 1 && set.CameraLoops(number, motion)
	}
	return out, true
}

// maxCameraKeys bounds the keys of a camera's curve.
const maxCameraKeys = 1200

// Turntable makes the camera circle around its target once in that many
// seconds, and stops models that turn by themselves.
func (st *Stage) Turntable(seconds float64) {
	st.Scene.Camera.Turntable = 360 / seconds
	for i := range st.Scene.Draws {
		stand(&st.Scene.Draws[i])
	}
}

// stand stops a draw's own rotation.
func stand(w *scene.Draw) {
	w.Spin = nil
	w.Transform = slices.DeleteFunc(slices.Clone(w.Transform), func(t scene.Transform) bool { return t.Kind == "spin" })
}

// SetSize sets the size of the main target in pixels.
func (st *Stage) SetSize(width, height int) error {
	t := &st.Scene.Target
	if t.Viewport != [4]int{} || t.Screen != "" || t.ShareColor != "" || t.ShareDepth != "" {
		return fmt.Errorf("the scene's target has a viewport or a screen of its own; its size stays %dx%d", t.Width, t.Height)
	}
	if width < 8 || height < 8 || width > 1024 || height > 1024 || width%8 != 0 || height%8 != 0 {
		return fmt.Errorf("a size of %dx%d pixels; each side must be a multiple of 8 from 8 to 1024", width, height)
	}
	t.Width, t.Height = width, height
	return nil
}

// Stereo makes the scene's camera a stereo camera and the main pass one for the
// top screen, unless the scene says so itself. eyes is the distance of the
// eyes; objects at distance convergence appear on the screen.
func (st *Stage) Stereo(eyes, convergence float64) error {
	s := st.Scene
	c, t := &s.Camera, &s.Target
	if c.Stereo != nil {
		return nil
	}
	taken := slices.ContainsFunc(s.Passes, func(p scene.Pass) bool { return p.Target.Screen == "top" || p.Target.Screen == "topright" })
	switch {
	case c.Height != nil || c.Projection != nil:
		return fmt.Errorf("only a scene seen through a camera in perspective can be drawn for two eyes")
	case t.Viewport != [4]int{} || t.ShareColor != "" || t.ShareDepth != "" || t.Screen != "" && t.Screen != "top" || taken:
		return fmt.Errorf("the scene says itself what the top screen shows, or its target has a viewport or shares buffers; a camera with stereo draws for two eyes")
	case !(convergence > 0) || math.IsNaN(eyes) || math.IsInf(eyes, 0) || math.IsInf(convergence, 0):
		return fmt.Errorf("two eyes %g apart that converge at %g", eyes, convergence)
	}
	t.Width, t.Height, t.Screen = 240, 400, "top"
	c.Rotated = true
	c.Stereo = &scene.Stereo{Eyes: scene.Const(eyes), Convergence: scene.Const(convergence)}
	return nil
}

// Screen returns the screen that the main target is for, on which it is upright,
// if there is one. An enlarged target is not sent to it (Screens).
func (st *Stage) Screen() (pipeline.Screen, bool) {
	t := &st.Scene.Target
	if screen, ok := screens[t.Screen]; ok {
		return screen, true
	}
	screen, ok := screenOf(t.Width, t.Height)
	return screen, ok && st.Scene.Camera.Rotated
}

// Screens lists the screens that the scene shows a picture on.
func (st *Stage) Screens() (list []pipeline.Screen) {
	if st.enlarged.factor > 1 {
		return nil
	}
	s := st.Scene
	shown := map[pipeline.Screen]bool{}
	for i := range s.Passes {
		if screen, ok := screens[s.Passes[i].Target.Screen]; ok {
			shown[screen] = true
		}
	}
	if screen, ok := st.Screen(); ok {
		shown[screen] = true
	}
	shown[pipeline.ScreenTopRight] = shown[pipeline.ScreenTopRight] || s.Camera.Stereo != nil
	for _, screen := range []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenBottom, pipeline.ScreenTopRight} {
		if shown[screen] {
			list = append(list, screen)
		}
	}
	return list
}

// EyeDistance is the distance of the eyes for a banner. The HOME Menu's value
// is unknown; this is a thirtieth of the distance to the model, so that a
// background 20 units behind it moves by six pixels.
const EyeDistance = 1.5

// MenuDistance is how far the HOME Menu's eye is from a banner.
const MenuDistance = 44.786
