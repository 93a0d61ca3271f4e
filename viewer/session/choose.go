package session

import "fmt"

// Chooser is a Source whose animation and camera can be chosen among those of its Info.
type Chooser interface {
	Source
	// Choose plays an animation and looks through a camera, each by name; "" is what the
	// file says. What is chosen stays when the files are read again, as long as it is there.
	Choose(animation, camera string) error
}

// chosen is what Choose chose.
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

// choose makes a new stage what was chosen, and forgets what it does not have. It keeps the
// names that there are to choose from.
func (s *sceneSource) choose() {
	st := s.stage
	s.animations, s.cameras = st.Animations(), st.Cameras()
	if len(s.animations) > 0 {
		s.animations = append(s.animations, "none")
	}
	if st.HasResources() {
		s.cameras = append([]string{"menu", "whole"}, s.cameras...)
	}
	if s.chosen.animation != "" && st.SetAnimation(s.chosen.animation) != nil {
		s.chosen.animation = ""
	}
	if s.chosen.camera != "" && st.SetCamera(s.chosen.camera) != nil {
		s.chosen.camera = ""
	}
}
