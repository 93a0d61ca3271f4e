package scenebuild

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/internal/files"
	"pica200/scene"
	"pica200/scene/modeldraw"
	"pica200/shaderunit/asm"
)

// Parse is Load for data in memory, such as standard input; the content decides
// what it is. name is its name in messages. Files that it refers to must be in
// the working directory or in roots.
func Parse(name string, data []byte, roots ...string) (*Stage, error) {
	st, err := parse(name, data, roots)
	if err != nil {
		return nil, err
	}
	st.piped = true
	return st, nil
}

func parse(name string, data []byte, roots []string) (*Stage, error) {
	binary := bytes.HasPrefix(data, []byte(shbin.MagicDVLB))
	switch {
	case modeldraw.Is(data):
		if len(data) > maxResource {
			return nil, tooLarge(name, data, maxResource)
		}
		set, err := parseSet(name, data)
		if err != nil {
			return nil, err
		}
		return newSet(set, name)
	case model.Kind("", data) != "" || model.IsOBJ(data):
		m, err := model.Parse(name, data, ".", roots...)
		if err != nil {
			return nil, err
		}
		return newModel(m, name)
	case binary || shaderSource.Match(data) && files.IsText(data):
		if len(data) > maxShader {
			return nil, tooLarge(name, data, maxShader)
		}
		return parseShader(name, data, binary)
	case scene.Looks(data):
		s, err := scene.Parse(name, data)
		if err != nil {
			return nil, err
		}
		s.Roots = roots
		return New(s)
	}
	return nil, fmt.Errorf("%s is not a scene (YAML with draws or passes), not a model (glTF, OBJ, CGFX, BCH, banner) and not a shader", name)
}

// shaderSource matches something that every shader source has and no scene.
var shaderSource = regexp.MustCompile(`(?m)^[ \t]*\.(out|proc|entry|nodvle|gsh)\b`)

func tooLarge(name string, data []byte, limit int) error {
	return fmt.Errorf("%s has %d bytes; at most %d are read", name, len(data), limit)
}

// parseShader is openShader for data in memory; sources of several executables
// may be one stream (asm.SplitSources).
func parseShader(name string, data []byte, binary bool) (*Stage, error) {
	given := map[string][]byte{name: data}
	var sources []asm.Source
	var names []string
	if !binary {
		sources = asm.SplitSources(name, data)
		clear(given)
		for i := range sources {
			s := &sources[i]
			s.Name = filepath.Base(s.Name)
			if _, twice := given[s.Name]; twice {
				return nil, fmt.Errorf("%s has two sources called %s", name, s.Name)
			}
			given[s.Name], names = s.Text, append(names, s.Name)
		}
	}
	p, said, err := newProgram(name, data, sources, names...)
	if err != nil {
		return nil, err
	}
	s, err := scene.Parse(name+" (scene made for it)", shaderText(p, said, name))
	if err != nil {
		return nil, err
	}
	s.File, s.Given = name, given
	return New(s)
}
