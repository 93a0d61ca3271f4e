package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"pica200/frontend/dmp"
	"pica200/internal/files"
	"pica200/internal/yamldoc"
	"pica200/scene"
)

// Writer is a source that can write changes to its file.
type Writer interface {
	// WriteBack writes the changes of the request, and its camera, into the opened
	// file and reads it again. All other characters of the file stay the same. It
	// returns the number of values written. It removes edits of values that no draw
	// has from the request.
	WriteBack(ctx context.Context, r *Request) (values int, err error)
}

// Save implements Source: it writes the scene with the changes to a new file
// next to the opened one.
func (s *sceneSource) Save(ctx context.Context, r *Request) (string, error) {
	text, _, err := s.edited(ctx, r)
	if err != nil {
		return "", err
	}
	base := strings.TrimSuffix(s.path, filepath.Ext(s.path)) + "-edited"
	return files.WriteFree(base, ".yaml", func(path string) error { return writeText(path, text) })
}

// ErrNoScene is the error for files that are not scenes.
var ErrNoScene = errors.New("this is not a scene file; a copy can be saved as one")

// WriteBack implements Writer.
func (s *sceneSource) WriteBack(ctx context.Context, r *Request) (int, error) {
	if err := s.ready(); err != nil {
		return 0, err
	}
	if !isScene(s.path) {
		return 0, ErrNoScene
	}
	if c := &s.Stage.Scene.Camera; r.Orbit != (Orbit{}) && (moves(c.Eye) || moves(c.At)) {
		return 0, errors.New("the camera moves with the time (keys of camera.eye and camera.at), and is not written over")
	}
	n := 0
	err := files.Change(s.path, files.MaxStream, func(now []byte) (text []byte, err error) {
		if !bytes.Equal(now, s.Stage.Text) {
			return nil, fmt.Errorf("%s has changed since it was read; it is read again first", s.path)
		}
		text, n, err = s.edited(ctx, r)
		return text, err
	})
	if err != nil || n == 0 {
		return 0, err
	}
	return n, s.Reload()
}

func writeText(path string, text []byte) error {
	return files.Write(path, func(w io.Writer) error { _, err := w.Write(text); return err })
}

// edited returns the scene's text with the changes, and the number of changed values.
// A uniform that was changed for all draws is written to the scene, and values of passes
// and draws are removed; one that was changed for a single draw is written to the draw.
func (s *sceneSource) edited(ctx context.Context, r *Request) ([]byte, int, error) {
	if err := s.ready(); err != nil {
		return nil, 0, err
	}
	// The resulting values, as whole vectors.
	one := *r
	one.Draw, one.Rows = -1, false
	d := newDrawing(s, &one, &Picture{})
	d.values = map[string][]any{}
	if _, err := d.draw(ctx, one.Time); err != nil {
		return nil, 0, err
	}
	var changes []yamldoc.Change
	values := 0
	put := func(v any, path ...any) { changes = append(changes, yamldoc.Change{Path: path, Value: v}) }
	sc := s.Stage.Scene
	for i := range d.edits {
		e := &d.edits[i]
		if part, is := strings.CutPrefix(e.Name, placePrefix); is {
			if e.Draw < 0 || e.Draw >= len(s.parts) {
				delete(r.Edits, e.Key())
				continue
			}
			place, err := placeValues(part, e.Values)
			if err != nil {
				return nil, 0, err
			}
			put(savedPlace(part, place), append(slices.Clone(s.parts[e.Draw].path), part)...)
			values++
			continue
		}
		v, ok := d.values[e.Key()]
		if !ok {
			delete(r.Edits, e.Key()) // no draw has this value
			continue
		}
		values++
		name := uniformName(e.Name)
		var value any = v
		if len(v) == 1 {
			value = v[0]
		}
		if isTable(name) {
			table := s.tableName(e)
			put(value, "tables", table)
			value = table
		}
		if e.Draw >= 0 {
			if e.Draw < len(s.parts) {
				put(value, append(slices.Clone(s.parts[e.Draw].path), "uniforms", name)...)
			}
			continue
		}
		put(value, "uniforms", name)
		for k := range sc.Passes {
			if has(&sc.Passes[k].State, name) {
				put(value, "passes", k, "uniforms", name)
			}
			for i := range sc.Passes[k].Draws {
				if has(&sc.Passes[k].Draws[i].State, name) {
					put(value, "passes", k, "draws", i, "uniforms", name)
				}
			}
		}
		for i := range sc.Draws {
			if has(&sc.Draws[i].State, name) {
				put(value, "draws", i, "uniforms", name)
			}
		}
	}
	if r.Orbit != (Orbit{}) {
		c := &sc.Camera
		eye, at := r.Orbit.eye(c.Eye.Vec3(r.Time, mgl64.Vec3{0, 0, 4}), c.At.Vec3(r.Time, mgl64.Vec3{}), c.Up.Vec3(r.Time, mgl64.Vec3{0, 1, 0}))
		put(vector(eye), "camera", "eye")
		put(vector(at), "camera", "at")
		values++
	}
	text, err := yamldoc.Edit(s.scenePath(), s.Stage.Text, changes)
	if err != nil {
		return nil, 0, err
	}
	if _, err := scene.Parse(s.scenePath(), text); err != nil {
		return nil, 0, fmt.Errorf("the scene as changed does not read back: %w", err)
	}
	return text, values, nil
}

// moves reports whether a curve changes with the time.
func moves(c *scene.Curve) bool { return c != nil && len(c.Keys) > 1 }

func has(s *scene.State, name string) bool {
	for i := range s.Uniforms {
		if s.Uniforms[i].Name == name {
			return true
		}
	}
	return false
}

// isTable reports whether a uniform is a sampler of tables.
func isTable(name string) bool {
	loc, err := dmp.Locate(name)
	return err == nil && dmp.Uniforms[loc].Type == dmp.Sampler1D
}

// tableName returns the name under which a changed table is saved: a new one,
// because others may read the original table.
func (s *sceneSource) tableName(e *Edit) string {
	name := uniformName(e.Name)
	_, short, _ := strings.Cut(name, ".")
	short = strings.TrimPrefix(short, "sampler") + "-drawn"
	if i := strings.IndexByte(name, '['); i >= 0 {
		short += "-" + name[i+1:i+2]
	}
	if e.Draw >= 0 {
		short += fmt.Sprintf("-draw%d", e.Draw)
	}
	return short
}

// uniformName returns the uniform that the key of an edit belongs to.
func uniformName(key string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(key, shaderPrefix), "#")
	return name
}

func vector(v mgl64.Vec3) []any { return []any{round(v[0]), round(v[1]), round(v[2])} }

func round(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
	return r
}
