package app

import (
	"context"
	"slices"

	"pica200/viewer/session"
)

// choice is the selected animation and camera; "" is the file's own.
type choice struct{ animation, camera string }

// nextAnimation plays the animation step positions later in the list.
func (a *App) nextAnimation(step int) {
	c := a.choice
	c.animation = following(a.info.Animations, c.animation, step)
	a.choose(c, "animation", c.animation, len(a.info.Animations))
}

// nextCamera selects the camera step positions later in the list.
func (a *App) nextCamera(step int) {
	c := a.choice
	c.camera = following(a.info.Cameras, c.camera, step)
	a.choose(c, "camera", c.camera, len(a.info.Cameras))
}

// following returns the name step positions after name, cyclically; "" (the file's own) is one of the positions.
func following(names []string, name string, step int) string {
	n := len(names) + 1
	i := slices.Index(names, name) + 1 // 0 for ""
	if i = ((i+step)%n + n) % n; i > 0 {
		return names[i-1]
	}
	return ""
}

// choose applies a choice and shows a note: what and name describe it.
func (a *App) choose(c choice, what, name string, names int) {
	if names == 0 {
		a.say("there is no %s to choose", what)
		return
	}
	camera := c.camera != a.choice.camera
	a.choice = c
	a.worker.do(func(_ context.Context, s session.Source) func() {
		chooser, ok := s.(session.Chooser)
		if !ok {
			return nil
		}
		err := chooser.Choose(c.animation, c.camera)
		info := s.Info()
		return func() {
			a.have(info)
			a.dirty = true
			if err != nil {
				a.choice = choice{}
				a.say("%v", err)
			} else if name == "" {
				a.say("%s: as the file says", what)
			} else {
				a.say("%s: %s", what, name)
			}
			if camera { // the orbit was relative to the other camera
				a.req.Orbit, a.motion.angle = session.Orbit{}, 0
			}
			a.failed = false
			a.render()
		}
	})
}
