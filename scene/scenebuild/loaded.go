package scenebuild

import (
	"path/filepath"

	"pica200/assets/model"
	"pica200/scene"
	"pica200/scene/modeldraw"
)

// Loaded are files of models that were read before a scene is made of them, by their paths,
// so that NewOf does not read them again. The zero Loaded is ready.
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

// SetText is the scene that shows a resource file, as a text; nil if the file is none.
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

// NewOf is New where some of the files were read.
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
