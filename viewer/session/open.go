package session

import (
	"fmt"
	"os"

	"pica200/scene/source"
)

// Options are the options of Open.
type Options struct {
	Roots  []string // folders, besides the file's own, that may contain files it refers to
	Strict bool     // for a trace: treat warnings of the GPU as errors, like those of scenes (scenebuild.Stage.Strict)
}

// CanOpen reports whether the viewer can show a file with this name.
func CanOpen(name string) bool { return isCase(name) || source.KindOf(name, nil) != nil }

// Check returns an error if a file does not exist or cannot be shown. It reads
// only the start of the file.
func Check(path string) error {
	if isCase(path) {
		_, err := os.Stat(path)
		return err
	}
	_, err := source.Find(path, source.Options{})
	return err
}

// Open detects the type of a file and reads it: a golden case, or what package
// source can draw.
func Open(path string, o Options) (Source, error) {
	s, err := OpenForRepair(path, o)
	if err == nil {
		err = Unread(s)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// OpenForRepair is like Open, except that a scene, model or shader that exists but
// cannot be read gives a source that shows nothing until its files are
// repaired. Render and Unread return the error.
func OpenForRepair(path string, o Options) (Source, error) {
	if isCase(path) {
		return openCase(path, o)
	}
	of, err := source.Find(path, source.Options{Roots: o.Roots, Strict: o.Strict})
	if err != nil {
		return nil, err
	}
	if texture := source.InScene(of); texture != nil {
		of = texture
	}
	switch of := of.(type) {
	case *source.Scene:
		s := &sceneSource{Scene: of, path: path, options: o}
		_ = s.Reload() // Unread returns the error
		return s, nil
	case *source.Recording:
		s := &traceSource{Recording: of, path: path}
		if err := s.Reload(); err != nil {
			return nil, err
		}
		return s, nil
	}
	return nil, fmt.Errorf("%s is a %s, which the window does not show", path, of.Info().Kind)
}

// Unread returns the error of a source from OpenForRepair that was never read
// completely; nil for all other sources.
func Unread(s Source) error {
	if b, ok := s.(*sceneSource); ok {
		return b.unread
	}
	return nil
}
