package source

import (
	"path/filepath"
	"slices"
	"strings"

	"pica200/internal/files"
	"pica200/scene"
	"pica200/scene/scenebuild"
)

// needed lists the files of a source; those of a stage, and without one, as far
// as they can be found, so that mending any of them is noticed.
func (s *Scene) needed(st *scenebuild.Stage) (list []string) {
	switch {
	case s.options.Data != nil && st != nil:
		return st.Files()
	case s.options.Data != nil:
		return nil
	case st != nil:
		list = st.Files()
	default:
		list = slices.Concat(s.files, scenebuild.ShaderFiles(s.path))
		if scene.Is(s.path, nil) {
			if sc, err := scene.Load(s.path); err == nil {
				list = append(list, sc.Files()...)
			}
		}
	}
	for _, f := range list {
		list = append(list, parts(f)...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// parts lists the files that a model's file names: buffers and images. For an
// OBJ file it includes the material libraries, but not the files that these
// name.
func parts(path string) (list []string) {
	ext := strings.ToLower(filepath.Ext(path))
	if ext != ".gltf" && ext != ".obj" && ext != ".mtl" {
		return nil
	}
	data, err := files.ReadRegular(path, 16<<20)
	if err != nil {
		return nil
	}
	add := func(name string) {
		name = strings.TrimSpace(name)
		if name != "" && !strings.HasPrefix(name, "data:") && len(list) < 256 {
			list = append(list, filepath.Join(filepath.Dir(path), filepath.FromSlash(name)))
		}
	}
	if ext == ".gltf" {
		for rest := string(data); ; {
			_, after, ok := strings.Cut(rest, `"uri"`)
			if !ok {
				return list
			}
			rest = after
			if _, after, ok = strings.Cut(after, `"`); ok {
				name, _, _ := strings.Cut(after, `"`)
				add(name)
			}
		}
	}
	for _, l := range strings.Split(string(data), "\n") {
		f := strings.Fields(l)
		if len(f) < 2 {
			continue
		}
		if n := len(list); f[0] == "mtllib" && ext == ".obj" {
			add(strings.Join(f[1:], " "))
			for _, library := range list[n:] {
				if strings.EqualFold(filepath.Ext(library), ".mtl") {
					list = append(list, parts(library)...)
				}
			}
		} else if strings.HasPrefix(f[0], "map_") {
			add(f[len(f)-1])
		}
	}
	return list
}
