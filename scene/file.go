package scene

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/goccy/go-yaml"

	"pica200/internal/files"
	"pica200/internal/schema"
	"pica200/internal/yamldoc"
)

// Load reads a scene file. Files that it names may lie in its folder and in
// roots.
func Load(path string, roots ...string) (*Scene, error) {
	data, err := files.ReadRegular(path, yamldoc.MaxBytes)
	if err != nil {
		return nil, err
	}
	s, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	s.Roots = roots
	return s, nil
}

// Is reports whether a file with this name and content is probably a scene.
func Is(name string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".yaml", ".yml":
	default:
		return false
	}
	return !strings.HasSuffix(name, ".case.yaml")
}

// Parse parses the text of a scene file. file is its path, which messages name
// and to whose folder paths in the scene are relative. The error lists all
// mistakes with their lines.
func Parse(file string, src []byte) (*Scene, error) {
	r := &schema.Reader{OnRead: func(v any, n yamldoc.Node) {
		if p, ok := v.(interface{ setLocation(yamldoc.Node) }); ok {
			p.setLocation(n)
		}
	}}
	s, err := schema.Parse(file, src, r, sceneKind)
	if err != nil {
		return nil, err
	}
	s.File, s.Dir = file, filepath.Dir(file)
	return s, nil
}

// Write returns the text of a scene file. Parse reads it back as the same
// scene, except for Places. comment, which may have several lines, goes on top.
//
// Numbers are written with enough digits to be exact, and colours with their
// alpha.
func (s *Scene) Write(comment string) []byte {
	var b strings.Builder
	if comment != "" {
		for _, line := range strings.Split(strings.TrimRight(comment, "\n"), "\n") {
			line = strings.Map(func(r rune) rune { // none may end the comment
				if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
					return ' '
				}
				return r
			}, line)
			b.WriteString(strings.TrimRight("# "+line, " ") + "\n")
		}
	}
	b.WriteString(yamldoc.Block(sceneKind.Write(*s).(yaml.MapSlice)))
	return []byte(b.String())
}

// published is the description of scene files for editors and documents.
var published = sync.OnceValue(func() *schema.Published { return schema.Publish(sceneKind) })

// Schema returns the JSON schema (draft 7) of scene files, with which editors
// complete and explain keys. docs/scene.schema.json is a copy.
func Schema() []byte { return published().Schema("Scene of pica200") }

// Detect reports whether data is probably a scene, by its keys: each line
// without indentation that is no comment must be a key of a scene, and one of
// them must be a key for what is drawn.
func Detect(data []byte) bool {
	if !files.IsText(data) {
		return false
	}
	known, keys, draws := published().Keys(), 0, false
	for t := range bytes.Lines(data) {
		if len(bytes.TrimSpace(t)) == 0 || t[0] == '#' || t[0] == ' ' || t[0] == '-' {
			continue
		}
		key, _, ok := bytes.Cut(t, []byte(":"))
		if !ok || !slices.Contains(known, string(key)) {
			return false
		}
		keys++
		draws = draws || string(key) == "draws" || string(key) == "passes"
	}
	return keys > 0 && draws
}
