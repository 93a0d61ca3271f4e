package session

import "fmt"

// Chooser is a Source with a choice of animations and cameras, listed in its
// Info.
type Chooser interface {
	Source
	// Choose selects an animation and a camera by name; "" selects the file's
	// default. The choice stays when the files are read again, if it still exists.
	Choose(animation, camera string) error
}

// chosen is the choice made with Choose.
type chosen struct{ animation, camera string }

// Choose implements Chooser.
func (s *sceneSource) Choose(animation, camera string) error {
	was := s.chosen
	want := chosen{animation, camera}
	s.chosen = want
	err := s.Reload()
	if err == nil && s.chosen != want {
		err = fmt.Errorf("%s has no animation %q with a camera %q", s.Info().Name, animation, camera)
	}
	if err != nil {
		s.chosen = was
		if again := s.Reload(); again != nil {
			return again
		}
	}
	return err
}

// choose applies the choice to a new stage and forgets names that it does not
// have. It stores the available names.
func (s *sceneSource) choose() {
	st := s.Stage
	s.animations, s.cameras = st.Animations(), st.Cameras()
	if len(s.animations) > 0 {
		s.animations = append(s.animations, "none")
	}
	if st.HasResources() {
		s.cameras = append([]string{"menu", "whole"}, s.cameras...)
	} else if len(s.cameras) > 0 {
		s.cameras = append([]string{"whole"}, s.cameras...)
	}
	if s.chosen.animation != "" && st.SetAnimation(s.chosen.animation) != nil {
		s.chosen.animation = ""
	}
	if s.chosen.camera != "" && st.SetCamera(s.chosen.camera) != nil {
		s.chosen.camera = ""
	}
}
