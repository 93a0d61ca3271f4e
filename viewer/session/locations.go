package session

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pica200/internal/files"
	"pica200/internal/lazy"
	"pica200/scene"
)

// Location is a line of a file.
type Location struct {
	What string // what is at this line
	Path string
	Line int // from 1; 0 if Find must search for it: a shader's entry point
	// Output is the output of the rasterizer that this shader line writes, as named
	// by .out; "" for other lines.
	Output string
}

// locations returns the lines that define a draw: its own in the scene, and its
// shaders.
func (s *sceneSource) locations(w *scene.Draw) (list []Location) {
	if l := w.Line(); l > 0 && isScene(s.path) {
		list = append(list, Location{What: "draw", Path: s.path, Line: l})
	}
	sc := s.Stage.Scene
	for i := range sc.Programs {
		if p := &sc.Programs[i]; p.Name == w.Program {
			for _, source := range p.Sources {
				list = append(list, Location{What: "shader", Path: inFolder(sc.Dir, source)})
			}
		}
	}
	return append(list, s.writers[w.Program]...)
}

// findWriters finds the shader lines that write outputs, once per read file.
func (s *sceneSource) findWriters() {
	s.writers = map[string][]Location{}
	sc := s.Stage.Scene
	for i := range sc.Programs {
		name := sc.Programs[i].Name
		lines := s.Stage.OutputLines(name)
		for _, output := range slices.Sorted(maps.Keys(lines)) {
			if pos := lines[output]; pos.Line > 0 {
				s.writers[name] = append(s.writers[name], Location{What: "shader", Path: inFolder(sc.Dir, pos.File), Line: pos.Line, Output: output.String()})
			}
		}
	}
}

func inFolder(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, filepath.FromSlash(path))
}

// entryPoint matches the line where a shader's program begins.
var entryPoint = lazy.Regexp(`^\s*(\.proc\s+main\b|main\s*:)`)

// Find returns the line of a position, and searches for it if necessary; 1 if it
// is not found.
func (p Location) Find() int {
	if p.Line > 0 {
		return p.Line
	}
	data, err := files.ReadRegular(p.Path, 16<<20)
	if err != nil {
		return 1
	}
	for i, l := range bytes.Split(data, []byte{'\n'}) {
		if entryPoint().Match(l) {
			return i + 1
		}
	}
	return 1
}

// errorLocation matches a position in messages: FILE:LINE or FILE:LINE:COLUMN,
// followed by a colon.
var errorLocation = lazy.Regexp(`^(.+?):([0-9]+)(?::[0-9]+)?: `)

// ErrorLocation finds the position of an error: in the first line of its text that
// begins with one.
func ErrorLocation(text string) (Location, bool) {
	for _, l := range strings.Split(text, "\n") {
		if m := errorLocation().FindStringSubmatch(strings.TrimSpace(l)); m != nil {
			if line, err := strconv.Atoi(m[2]); err == nil {
				return Location{What: "error", Path: m[1], Line: line}, true
			}
		}
	}
	return Location{}, false
}
