package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"

	"pica200/frontend/dmp"
	"pica200/internal/files"
	"pica200/internal/lazy"
	"pica200/internal/yamldoc"
	"pica200/scene"
	"pica200/scene/source"
)

// Writer is a source that can be saved as a scene.
type Writer interface {
	// WriteBack writes the changes of the request into the opened scene file. All other characters of the file stay the same. A
	// moved camera (Request.Orbit) becomes edits of the request, and edits of values that no draw has are removed from it. It
	// returns the edits that undo them where they can be expressed as edits. The source goes on to draw the text that it had read,
	// with edits, so that what was written can be taken back.
	WriteBack(ctx context.Context, r *Request) (back map[string]Edit, err error)
	// SaveAs writes the scene with the changes to another file, like WriteBack, and goes on with that file. Unless replace is set it
	// overwrites nothing. The files that the scene names are copied into another folder with it.
	SaveAs(ctx context.Context, r *Request, path string, replace bool) (back map[string]Edit, err error)
	// CopyTo writes the scene with the changes to a new file.
	CopyTo(ctx context.Context, r *Request, path string) error
}

// ErrNoScene is the error for files that are not scenes.
var ErrNoScene = errors.New("this is not a scene file; it can be saved as one")

// WriteBack implements Writer.
func (s *sceneSource) WriteBack(ctx context.Context, r *Request) (map[string]Edit, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	if !isScene(s.path) {
		return nil, ErrNoScene
	}
	text, back, err := s.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	err = files.Change(s.path, files.MaxStream, func(now []byte) ([]byte, error) {
		if !bytes.Equal(now, s.read) {
			return nil, fmt.Errorf("%s has changed since it was read; it is read again first", s.path)
		}
		return text, nil
	})
	if errors.Is(err, fs.ErrNotExist) { // it was deleted
		err = writeNew(s.path, text)
	}
	if err != nil {
		return nil, err
	}
	s.replaced = append(s.replaced, changedLines(s.read, text))
	s.read = text
	return back, nil
}

// changedLines returns the lines in which two texts differ, from the first to the last.
func changedLines(a, b []byte) [2][]byte {
	x, y := bytes.SplitAfter(a, []byte{'\n'}), bytes.SplitAfter(b, []byte{'\n'})
	for len(x) > 0 && len(y) > 0 && bytes.Equal(x[0], y[0]) {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && bytes.Equal(x[len(x)-1], y[len(y)-1]) {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	return [2][]byte{bytes.Join(x, nil), bytes.Join(y, nil)}
}

// SaveAs implements Writer.
func (s *sceneSource) SaveAs(ctx context.Context, r *Request, path string, replace bool) (map[string]Edit, error) {
	if err := s.ready(); err != nil {
		return nil, err
	}
	if !isScene(path) {
		return nil, fmt.Errorf("%s: the name of a scene ends in .yaml", path)
	}
	text, back, err := s.edited(ctx, r)
	if err != nil {
		return nil, err
	}
	if to, from := filepath.Dir(path), filepath.Dir(s.path); to != from && !sameFile(to, from) {
		now, err := scene.Parse(s.scenePath(), text)
		if err != nil {
			return nil, err
		}
		undo, err := s.copyFiles(from, to, slices.Concat(s.Stage.Files(), now.Files()))
		if err != nil {
			return nil, err
		}
		defer func() {
			if s.path != path {
				undo()
			}
		}()
	}
	if replace {
		err = files.Change(path, files.MaxStream, func([]byte) ([]byte, error) { return text, nil })
	} else {
		err = writeNew(path, text)
	}
	if err != nil {
		return nil, err
	}
	of, err := source.Find(path, source.Options{Roots: s.options.Roots, Strict: s.options.Strict})
	if err != nil {
		return nil, err
	}
	now := &sceneSource{Scene: of.(*source.Scene), path: path, options: s.options, base: s.Stage.Text, read: text, rebase: s.rebase, replaced: s.replaced}
	if err := now.Reload(); err != nil {
		return nil, fmt.Errorf("%s was written, but cannot be read: %w", path, err)
	}
	s.Close()
	*s = *now
	return back, nil
}

// copyFiles copies models, shaders and textures to another folder, where the scene's names then find them. It overwrites nothing.
func (s *sceneSource) copyFiles(from, to string, list []string) (undo func(), err error) {
	var written []string
	remove := func() {
		for _, path := range written {
			os.Remove(path)
		}
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	if _, err := os.Stat(to); err != nil {
		return nil, fmt.Errorf("there is no folder %s", to)
	}
	if from, err = filepath.Abs(from); err != nil {
		return nil, err
	}
	for _, path := range list {
		if isScene(path) {
			continue
		}
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(from, full)
		if err != nil || !filepath.IsLocal(name) {
			return nil, fmt.Errorf("%s is outside of the scene's folder %s, so a scene in %s would not find it", path, from, to)
		}
		data, err := files.ReadRegular(path, files.MaxStream)
		if err != nil {
			return nil, err
		}
		copied := filepath.Join(to, name)
		if there, err := files.ReadRegular(copied, files.MaxStream); err == nil && bytes.Equal(there, data) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(copied), 0o777); err != nil {
			return nil, err
		}
		if err := writeNew(copied, data); err != nil {
			return nil, fmt.Errorf("the scene's %s is copied beside it: %w", name, err)
		}
		written = append(written, copied)
	}
	return remove, nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	y, err2 := os.Stat(b)
	return err == nil && err2 == nil && os.SameFile(x, y)
}

// CopyTo implements Writer.
func (s *sceneSource) CopyTo(ctx context.Context, r *Request, path string) error {
	one := *r
	one.Edits = maps.Clone(r.Edits)
	text, _, err := s.edited(ctx, &one)
	if err != nil {
		return err
	}
	return writeNew(path, text)
}

// writeNew writes a file that does not exist, or not any more: it may have been read.
func writeNew(path string, text []byte) error {
	if err := files.Reserve(path, false); err != nil {
		return err
	}
	if err := files.Change(path, files.MaxStream, func([]byte) ([]byte, error) { return text, nil }); err != nil {
		os.Remove(path) // it is empty
		return err
	}
	return nil
}

// result is the value of a draw after an edit: that of its whole uniform, and what the edit replaced.
type result struct {
	draw   *scene.Draw
	id     scene.PartID
	styles []*scene.Style
	now    []any
	old    []any
	style  *scene.Style // with the edit, of edits of the style
	unlit  bool         // the scene's lights are not for it
}

// changes collects what is to be written into a scene.
type changes struct {
	*sceneSource
	list []yamldoc.Change
	note string // of what is written otherwise than one may expect
}

func (c *changes) put(v any, path ...any) {
	c.list = append(c.list, yamldoc.Change{Path: path, Value: v})
}

// edited returns the scene's text with the changes, and the edits that undo them. It removes edits of values that no draw has
// from the request, and puts those that move the camera into it.
func (s *sceneSource) edited(ctx context.Context, r *Request) (text []byte, back map[string]Edit, err error) {
	if err := s.ready(); err != nil {
		return nil, nil, err
	}
	one := *r
	one.Draw, one.Rows = -1, false
	d := newDrawing(s, &one, &Picture{})
	d.values, d.saved = map[string][]result{}, map[string][]any{}
	if _, err := d.draw(ctx, one.Time); err != nil {
		return nil, nil, err
	}
	if r.Orbit != (Orbit{}) {
		camera, err := s.cameraEdits(r, d.edits)
		if err != nil {
			return nil, nil, err
		}
		if r.Edits == nil {
			r.Edits = map[string]Edit{}
		}
		for _, e := range camera {
			r.Edits[e.Key()] = e
		}
		d.edits = newDrawing(s, r, d.p).edits
		r.Orbit = Orbit{}
	}
	c := &changes{sceneSource: s}
	back = map[string]Edit{}
	for i := range d.edits {
		e := &d.edits[i]
		undo := Edit{Name: e.Name, Draw: e.Draw}
		if t, file := s.pictureOf(e); t != nil {
			c.putPicture(t, file)
			if undo.Values = []any{t.Image.File}; t.Image.File != "" {
				back[e.Key()] = undo
			}
			continue
		}
		if isVector(e) {
			v, ok := s.vectorOf(e)
			if !ok || v.fixed != "" {
				delete(r.Edits, e.Key())
				continue
			}
			now, err := v.with(e)
			if err != nil {
				return nil, nil, err
			}
			c.put(saved(e, now), v.path...)
			for _, x := range v.now() {
				undo.Values = append(undo.Values, x)
			}
			back[e.Key()] = undo
			continue
		}
		values := d.values[e.Key()]
		if len(values) == 0 {
			delete(r.Edits, e.Key()) // no draw has this value
			continue
		}
		if err := c.uniform(e, values); err != nil {
			return nil, nil, err
		}
		if alike(values, func(w *result) []any { return w.old }) && values[0].old != nil {
			undo.Values = floats(values[0].old)
			back[e.Key()] = undo
		}
	}
	r.Note = c.note
	text, err = yamldoc.Edit(s.scenePath(), s.Stage.Text, c.list)
	if err != nil {
		return nil, nil, err
	}
	if _, err := scene.Parse(s.scenePath(), text); err != nil {
		return nil, nil, fmt.Errorf("the scene as changed does not read back: %w", err)
	}
	old := s.Stage.Text // what is taken back is written as it was, also after another program has changed other lines
	for _, l := range slices.Backward(s.replaced) {
		if bytes.Count(old, l[1]) != 1 {
			continue
		}
		if old = bytes.Replace(old, l[1], l[0], 1); yamldoc.Same(s.scenePath(), old, text) {
			return old, back, nil
		}
	}
	return text, back, nil
}

// floats returns values in the types of edits.
func floats(values []any) (out []any) {
	for _, v := range values {
		switch n := v.(type) {
		case float32:
			out = append(out, float64(n))
		case int32:
			out = append(out, float64(n))
		case int:
			out = append(out, float64(n))
		default:
			out = append(out, v)
		}
	}
	return out
}

// alike reports whether values of all draws are equal.
func alike(list []result, of func(*result) []any) bool {
	for i := range list {
		if !reflect.DeepEqual(of(&list[i]), of(&list[0])) {
			return false
		}
	}
	return true
}

// uniform puts the values of a uniform after an edit: of a single draw, or of all. Where these have one value it is that of the
// scene; passes and draws with a value of their own keep their own position.
func (c *changes) uniform(e *Edit, values []result) error {
	name := uniformName(e.Name)
	ofStyle := strings.HasPrefix(name, drawPrefix)
	value := func(w *result) any {
		if isTable(name) {
			table := tableName(e)
			if list := w.now[0].(yaml.MapSlice)[0]; list.Key == "values" && !strings.Contains(c.note, table) {
				c.note += fmt.Sprintf("; table %s is saved as %d values, as fewer points with lines between them give the hardware others", table, len(list.Value.([]any)))
			}
			c.put(w.now[0], "tables", table)
			return table
		}
		return plain(w.now)
	}
	all := func(w *result) []any { return w.now }
	done := map[string]bool{}
	put := func(w *result, path ...any) {
		if key := fmt.Sprintf("%q", path); !done[key] {
			done[key] = true
			if ofStyle {
				c.putStyle(w, name, path)
				return
			}
			c.put(value(w), append(slices.Clone(path), "uniforms", name)...)
		}
	}
	draws := map[*scene.Draw][]result{}
	for _, w := range values {
		draws[w.draw] = append(draws[w.draw], w)
	}
	// own puts the values of a draw or of one of its parts. What the file says of a part within stays there, with the new value.
	own := func(of *scenePart) error {
		list := draws[of.draw]
		if len(list) == 0 {
			return nil
		}
		same := alike(list, all)
		if same {
			put(&list[0], of.path...)
		}
		draw := c.parts[c.number[of.draw]].path
		pairs := map[scene.PartID]*result{}
		for i := range list {
			w := &list[i]
			if first := pairs[w.id]; first != nil && !reflect.DeepEqual(first.now, w.now) {
				return fmt.Errorf("%s: draws of material %s on mesh %s have other values beside the changed one, and a scene has one value for them; set all components", name, w.id.Material, w.id.Mesh)
			}
			pairs[w.id] = w
			inner := c.innermost(w, name)
			switch {
			case inner != nil && same && rank(inner.id) > rank(of.id) && of.covers(inner.draw, inner.id):
				put(w, inner.path...)
			case !same, inner != nil && rank(inner.id) > rank(of.id):
				put(w, pathOf(draw, w.id)...)
			}
		}
		return nil
	}
	sc := c.Stage.Scene
	if e.Draw != "" {
		return own(c.targets[e.Draw])
	}
	if !ofStyle && alike(values, all) {
		w := &values[0]
		if path := c.lightColor(name, w.now); path != nil && !slices.ContainsFunc(values, func(w result) bool { return w.unlit }) {
			c.put(w.now[:3], path...)
			return nil
		}
		put(w)
		for k := range sc.Passes {
			if has(&sc.Passes[k].State, name) {
				put(w, "passes", k)
			}
		}
		for l, part := range c.said {
			if has(&l.State, name) {
				put(w, part.path...)
			}
		}
		return nil
	}
	for i := range c.parts {
		part := &c.parts[i]
		list := draws[part.draw]
		if len(list) == 0 {
			continue
		}
		inside := slices.ContainsFunc(list, func(w result) bool { return c.innermost(&w, name) != nil })
		if path := c.holder(part, name); !ofStyle && len(path) < len(part.path) && !inside {
			put(&list[0], path...)
			continue
		}
		if err := own(part); err != nil {
			return err
		}
	}
	return nil
}

var lightColor = lazy.Regexp(`^dmp_FragmentLightSource\[([0-9]+)\]\.(ambient|diffuse|specular0|specular1)$`)

// lightColor returns the path of an opaque colour that only the scene's light sets; nil for other uniforms.
func (s *sceneSource) lightColor(name string, now []any) []any {
	m, sc := lightColor().FindStringSubmatch(name), s.Stage.Scene
	if m == nil || len(now) != 4 || fmt.Sprint(now[3]) != "1" {
		return nil
	}
	i, err := strconv.Atoi(m[1])
	if err != nil || i >= len(sc.Lights) {
		return nil
	}
	l := &sc.Lights[i]
	c := map[string]*scene.Curve{"ambient": l.Ambient, "diffuse": l.Diffuse, "specular0": l.Specular0, "specular1": l.Specular1}[m[2]]
	set := slices.ContainsFunc(slices.Concat(sc.Uniforms, l.Uniforms), func(u scene.Uniform) bool { return u.Name == name || u.Name == m[2] })
	for k := range sc.Passes {
		set = set || has(&sc.Passes[k].State, name)
	}
	for l := range s.said {
		set = set || has(&l.State, name)
	}
	if c == nil || moves(c) || set {
		return nil
	}
	return []any{"lights", i, m[2]}
}

// innermost returns what gives the draw of a result the value of a uniform, if it is the draw or one of its parts.
func (s *sceneSource) innermost(w *result, name string) *scenePart {
	for _, l := range slices.Backward(w.styles) {
		if says(l, name) {
			return s.said[l]
		}
	}
	return nil
}

// holder returns the path where a uniform of a draw is set: of the draw, its pass
// or the scene; that of the draw if none of them sets it.
func (s *sceneSource) holder(part *scenePart, name string) []any {
	sc := s.Stage.Scene
	k, pass := part.path[1].(int)
	switch {
	case has(&part.draw.State, name):
	case pass && part.path[0] == "passes" && has(&sc.Passes[k].State, name):
		return []any{"passes", k}
	case slices.ContainsFunc(sc.Uniforms, func(u scene.Uniform) bool { return u.Name == name }):
		return nil
	}
	return slices.Clone(part.path)
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

// tableName returns the name under which a changed table is saved: a new one, because others may read the original table.
func tableName(e *Edit) string {
	name := uniformName(e.Name)
	_, short, _ := strings.Cut(name, ".")
	short = strings.TrimPrefix(short, "sampler") + "-drawn"
	if i := strings.IndexByte(name, '['); i >= 0 {
		short += "-" + name[i+1:i+2]
	}
	if e.Draw != "" {
		short += "-" + strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return '-'
		}, e.Draw)
	}
	return short
}

// uniformName returns the uniform that the key of an edit belongs to.
func uniformName(key string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(key, shaderPrefix), "#")
	return name
}

func round(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
	return r
}
