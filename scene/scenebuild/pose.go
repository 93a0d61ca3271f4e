package scenebuild

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/scene"
)

type poseKey struct {
	model *model.Model
	anim  int
}

// animation returns the number of the animation that a draw plays; -1 for none.
func (st *Stage) animation(w *scene.Draw, m *model.Model) (int, error) {
	anim := -1
	switch {
	case w.Animation == "none":
	case w.Animation == "":
		if len(m.Animations) > 0 {
			anim = 0
		}
	default:
		for i := range m.Animations {
			if m.Animations[i].Name == w.Animation || fmt.Sprint(i) == w.Animation {
				anim = i
			}
		}
		if anim < 0 {
			return anim, w.Errorf("model %s has no animation %q; it has %d", w.Model, w.Animation, len(m.Animations))
		}
	}
	return anim, nil
}

func (d *drawing) pose(w *scene.Draw, m *model.Model) (*model.Pose, error) {
	anim, err := d.animation(w, m)
	if err != nil {
		return nil, err
	}
	key := poseKey{m, anim}
	if p, ok := d.poses[key]; ok {
		return p, nil
	}
	p, err := m.Pose(anim, d.t)
	if err != nil {
		return nil, w.Errorf("%w", err)
	}
	d.poses[key] = p
	return p, nil
}

// mirrors reports whether most bones mirror.
func mirrors(joints []mgl64.Mat4) bool {
	n := 0
	for _, j := range joints {
		if mgl.Mirrors(j) {
			n++
		}
	}
	return 2*n > len(joints)
}
