package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pica200/frontend/dmp"
	"pica200/internal/schema"
	"pica200/internal/yamldoc"
	"pica200/pica"
	"pica200/scene"
	"pica200/scene/sceneexport"
)

// Some edits change keys of the scene's draws and textures, which are no uniforms.
const (
	drawPrefix    = "draw:"          // before a key of scene.Style.Values
	unitPrefix    = "draw:textures." // before the number of a texture unit, whose value is the name of a texture, or of its file
	picturePrefix = "picture:"       // before the name of a texture, whose value is its file
)

// styleRows lists what a draw says besides uniforms.
func styleRows(l *scene.Style) (rows []Uniform) {
	for i := range 3 {
		u := Uniform{Group: drawGroup, Key: fmt.Sprint(unitPrefix, i), Name: fmt.Sprint("texture ", i), Also: []string{"draws.textures"}, Type: "string", Text: "default", Unsaid: true,
			About: "a texture of the scene, or a picture in its folder: type its name, or drop it on the window; default: the material's"}
		if i < len(l.Textures) && l.Textures[i] != nil {
			u.Text, u.Unsaid = *l.Textures[i], false
		}
		rows = append(rows, u)
	}
	doc := ""
	for _, v := range l.Values() {
		top, inner, nested := strings.Cut(v.Key, ".")
		if !nested {
			doc = v.Doc
		}
		u := Uniform{Group: drawGroup, Key: drawPrefix + v.Key, Name: strings.ReplaceAll(v.Key, ".", " "), Also: []string{"draws." + v.Key},
			About: strings.ReplaceAll(cmp.Or(v.Doc, doc), "`", ""), Text: "default", Unsaid: v.Value == nil, Values: numbersOf(cmp.Or(v.Value, v.Usual))}
		line, long := v.Value.(yamldoc.Line)
		if v.Value != nil && !long {
			u.Text = fmt.Sprint(v.Value)
		}
		j := v.JSON()
		if any, ok := j["anyOf"].([]schema.JSON); ok {
			j = any[0]
		}
		switch names, _ := j["enum"].([]string); {
		case isColor(cmp.Or(inner, top)) && long:
			u.Type, u.Text, u.About = "text", "in the file", fmt.Sprintf("%s changes with the time (%s), which can be changed only in the file", v.Key, yamldoc.Flow(line))
		case isColor(cmp.Or(inner, top)):
			if u.Type = "color"; len(u.Values) != 4 {
				u.Values = []float64{1, 1, 1, 1}
			}
		case names != nil:
			if u.Type, u.Choices = "enum", names; long {
				u.Text = "own"
			}
		case j["type"] == "boolean":
			u.Type, u.Choices = "enum", []string{"true", "false"}
		case j["type"] == "integer":
			u.Type, u.Max = "number", float64(j["maximum"].(int64))
		case j["type"] == "array":
			if u.Type = "number"; u.Values == nil {
				u.Values = make([]float64, j["minItems"].(int))
			}
		case j["$ref"] == nil:
			u.Type = "string"
		default:
			continue // its values follow
		}
		if u.Type == "number" || u.Type == "color" {
			u.Text = ""
		} else {
			u.Values = nil
		}
		rows = append(rows, u)
	}
	return rows
}

// effective gives rows of what a draw does not say the values in effect.
func effective(rows []Uniform, u *dmp.State) {
	yes, no, lit, bump := true, false, u.Bool(dmp.LightingEnabled), !u.Has(dmp.LightEnvBumpMode, pica.BumpNone)
	l := sceneexport.InEffect(u.Regs)
	l.Material, l.Lit, l.Bump, l.Flat, l.Write = &yes, &lit, &bump, cmp.Or(l.Flat, &no), cmp.Or(l.Write, "rgba")
	for i := range 3 {
		name := "the material's"
		if u.Names(dmp.Texture0SamplerType.At(i))[0] == "GL_FALSE" {
			name = "none"
		}
		l.Textures = append(l.Textures, &name)
	}
	for i, now := range styleRows(&l) {
		switch u := &rows[i]; {
		case u.Unsaid && !now.Unsaid:
			u.Text, u.Values = now.Text, now.Values
		case u.Unsaid && u.Choices != nil:
			u.Text = "off"
		}
	}
}

// numbersOf returns the numbers of a value.
func numbersOf(v any) (out []float64) {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, x := range floats(list) {
		if f, ok := x.(float64); ok {
			out = append(out, f)
		}
	}
	return out
}

// restyle makes an edit of a draw's style. It returns the value and the one before, as in a scene's file; nil if it said none.
func restyle(l *scene.Style, e *Edit) (now, old []any, err error) {
	rows := styleRows(l)
	i := slices.IndexFunc(rows, func(u Uniform) bool { return u.Key == e.Name && u.Type != "text" })
	if i < 0 {
		return nil, nil, nil
	}
	u := &rows[i]
	if want := max(len(u.Values), 1); len(e.Values) != want {
		return nil, nil, fmt.Errorf("%s: %d values, expected %d", u.Name, len(e.Values), want)
	}
	for k, v := range e.Values {
		if u.Values != nil {
			old = append(old, whole(u.Values[k]))
		} else if !u.Unsaid && u.Text != "own" {
			old = []any{u.Text}
		}
		if v == nil && u.Values != nil {
			v = old[k]
		}
		if now = append(now, whole(v)); len(u.Choices) == 2 && (v == "true" || v == "false") {
			now[k] = v == "true"
		}
	}
	if n, ok := strings.CutPrefix(e.Name, unitPrefix); ok {
		i := int(n[0] - '0')
		l.Textures = append(slices.Clone(l.Textures), make([]*string, max(i+1-len(l.Textures), 0))...)
		if name := fmt.Sprint(now[0]); name != "none" {
			l.Textures[i] = &name
		} else {
			l.Textures[i] = nil
		}
		return now, old, nil
	}
	return now, old, l.Set(strings.TrimPrefix(e.Name, drawPrefix), plain(now))
}

// plain returns one value alone.
func plain(list []any) any {
	if len(list) == 1 {
		return list[0]
	}
	return list
}

// whole returns a number without a fraction as an integer.
func whole(v any) any {
	f, ok := v.(float64)
	switch {
	case ok && f == float64(int64(f)):
		return int64(f)
	case ok:
		return round(f)
	}
	return v
}

// Check returns an error if an edit cannot be made in any scene.
func (e *Edit) Check() error {
	if !strings.HasPrefix(e.Name, drawPrefix) {
		return nil
	}
	_, _, err := restyle(&scene.Style{}, e)
	return err
}

// says reports whether a style sets a uniform, or has the key that an edit is for.
func says(l *scene.Style, name string) bool {
	if key, ok := strings.CutPrefix(name, drawPrefix); ok {
		key, _, _ = strings.Cut(key, ".")
		return l.Written(key) != nil
	}
	return has(&l.State, name)
}

// putStyle puts a value of a draw's style at the path of the draw or part. Where the file has no mapping for it, the whole of it is
// written.
func (c *changes) putStyle(w *result, name string, path []any) {
	top, inner, nested := strings.Cut(strings.TrimPrefix(name, drawPrefix), ".")
	switch path = append(slices.Clone(path), top); {
	case strings.HasPrefix(name, unitPrefix):
		for _, t := range w.style.Textures {
			if t != nil && c.isNew(*t) {
				c.put(*t, "textures", *t)
			}
		}
		c.put(w.style.Written(top), path...)
	case nested && c.node(path...).IsMap():
		c.put(plain(w.now), append(path, inner)...)
	case nested:
		c.put(w.style.Written(top), path...)
	default:
		c.put(plain(w.now), path...)
	}
}

// isNew reports whether the scene has no texture of this name, which is then that of a file.
func (s *sceneSource) isNew(texture string) bool {
	return texture != "none" && !slices.ContainsFunc(s.Stage.Scene.Textures, func(t scene.Texture) bool { return t.Name == texture })
}

// node returns what the scene's file has at a path.
func (s *sceneSource) node(path ...any) yamldoc.Node {
	_, n, _ := yamldoc.Parse(s.scenePath(), s.Stage.Text) // it was parsed before
	for _, step := range path {
		if i, ok := step.(int); ok {
			n = n.List()[i]
		} else {
			n = n.Get(step.(string))
		}
	}
	return n
}

// pictureRows lists the textures that are one picture.
func (s *sceneSource) pictureRows() (rows []Uniform) {
	for i := range s.Stage.Scene.Textures {
		t := &s.Stage.Scene.Textures[i]
		text := t.Image.File
		if p := t.Image.Pattern; p != nil {
			text = "pattern " + p.Kind
		}
		if text != "" {
			rows = append(rows, Uniform{Group: pictureGroup, Key: picturePrefix + t.Name, Name: t.Name, Also: []string{fmt.Sprintf("textures.%s.file", t.Name)},
				About: "the file of the texture in the scene's folder: type another, or drop a picture on the window", Type: "string", Text: text})
		}
	}
	return rows
}

// pictureOf returns the texture that an edit gives another file, and the file; nil for other edits.
func (s *sceneSource) pictureOf(e *Edit) (t *scene.Texture, file string) {
	name, ok := strings.CutPrefix(e.Name, picturePrefix)
	i := slices.IndexFunc(s.Stage.Scene.Textures, func(t scene.Texture) bool { return t.Name == name })
	if !ok || i < 0 || len(e.Values) != 1 {
		return nil, ""
	}
	file, _ = e.Values[0].(string)
	return &s.Stage.Scene.Textures[i], file
}

// putPicture puts the file of a texture. Where it was no file, the whole texture is written.
func (c *changes) putPicture(t *scene.Texture, file string) {
	path := []any{"textures", t.Name}
	switch {
	case t.Image.File == "":
		one := *t
		one.Image = scene.Image{File: file}
		c.put(one.Written(), path...)
	case c.node(path...).IsMap():
		c.put(file, append(path, "file")...)
	default:
		c.put(file, path...)
	}
}
