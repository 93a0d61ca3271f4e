package scenebuild

import (
	"path/filepath"

	"pica200/assets/model"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// Loaded holds model files that were read earlier, by path, so that NewOf does
// not read them again. The zero value is ready to use.
type Loaded struct {
	models map[string]*model.Model
	sets   map[string]*modeldraw.Set
}

// Model reads a model.
func (l *Loaded) Model(path string, roots ...string) (*model.Model, error) {
	m, err := model.Load(path, roots...)
	if err == nil {
		if l.models == nil {
			l.models = map[string]*model.Model{}
		}
		l.models[filepath.Clean(path)] = m
	}
	return m, err
}

// SetText returns the text of the scene that shows a resource file; nil if the
// file is not one.
func (l *Loaded) SetText(path string) ([]byte, error) {
	set, err := openSet(path)
	if set == nil || err != nil {
		return nil, err
	}
	s, err := setScene(set, path)
	if err != nil {
		return nil, err
	}
	l.sets = map[string]*modeldraw.Set{filepath.Clean(path): set}
	return s.Write(""), nil
}

// NewOf is New with some files already loaded.
func NewOf(s *scene.Scene, l *Loaded) (*Stage, error) {
	st := newStage(s)
	st.loaded = l
	err := st.load()
	st.loaded = nil
	if err != nil {
		return nil, err
	}
	return st, nil
}
