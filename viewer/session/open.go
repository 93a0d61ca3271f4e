package session

import (
	"fmt"
	"path/filepath"
	"strings"

	"pica200/assets/picatrace"
	"pica200/internal/files"
	"pica200/scene/scenebuild"
)

// Options are the options of Open.
type Options struct {
	Roots  []string // folders, besides the file's own, that may contain files it refers to
	Strict bool     // for a trace: treat warnings of the GPU as errors, like those of scenes (scenebuild.Stage.Strict)
}

// CanOpen reports whether the viewer can show a file with this name.
func CanOpen(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".ctf", ".picatrace":
		return true
	}
	return isScene(name) || strings.HasSuffix(name, ".case.yaml") || scenebuild.IsModel(name) || scenebuild.IsShader(name)
}

// Check returns an error if a file does not exist or cannot be shown. It reads
// only the start of the file.
func Check(path string) error {
	_, err := opener(path)
	return err
}

// Open detects the type of a file and reads it: a recorded trace, a scene, a
// golden case, a model, a shader binary or a shader source.
func Open(path string, o Options) (Source, error) {
	open, err := opener(path)
	if err != nil {
		return nil, err
	}
	return open(o)
}

func opener(path string) (func(Options) (Source, error), error) {
	head, err := files.Head(path, 4096)
	if err != nil {
		return nil, err
	}
	switch {
	case picatrace.IsTrace(head):
		return func(o Options) (Source, error) { return openTrace(path, o.Strict) }, nil
	case isCase(path):
		return func(o Options) (Source, error) { return openCase(path, o) }, nil
	case scenebuild.IsShader(path):
		return func(Options) (Source, error) { return newShader(path).opened() }, nil
	case isScene(path):
		return func(o Options) (Source, error) { return newScene(path, o.Roots).opened() }, nil
	case scenebuild.IsModel(path):
		return func(o Options) (Source, error) { return newModel(path, o.Roots).opened() }, nil
	}
	return nil, fmt.Errorf("%s: not a file that can be shown; there are traces (.ctf, .picatrace), scenes (.yaml), golden cases (.case.yaml), models (.gltf, .glb, .obj, .cgfx, .bnr), shaders (.shbin, .pica)", path)
}
