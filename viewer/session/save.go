package session

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"pica200/internal/files"
	"pica200/scene"
)

// Save implements Source: it writes the scene's text with the changes put in.
// Uniforms that were changed for all draws go to the scene, and replace the
// values that passes and draws have of their own; those that were changed for
// one draw go to it. Comments of the text are not kept.
func (s *sceneSource) Save(ctx context.Context, r *Request) (string, error) {
	var doc yaml.MapSlice
	if err := yaml.UnmarshalWithOptions(s.text, &doc, yaml.UseOrderedMap()); err != nil {
		return "", err
	}
	// The values as they came out, whole vectors of them.
	one := *r
	one.Draw, one.Rows = -1, false
	d := newDrawing(s, &one, &Picture{})
	d.values = map[string][]any{}
	s.gpu.Reset()
	if err := d.draw(ctx, one.Time); err != nil {
		return "", err
	}
	for i := range d.edits {
		e := &d.edits[i]
		v, ok := d.values[e.Key()]
		if !ok {
			continue // no draw has it
		}
		name := uniformName(e.Name)
		if e.Draw >= 0 {
			draws := list(get(doc, "draws"))
			if e.Draw < len(draws) {
				draws[e.Draw] = setUniform(draws[e.Draw], name, v, true)
			}
			continue
		}
		doc = setUniform(doc, name, v, true).(yaml.MapSlice)
		for _, l := range append(list(get(doc, "passes")), yaml.MapSlice{{Key: "draws", Value: get(doc, "draws")}}) {
			replaceUniform(l, name, v)
			for _, w := range list(get(l, "draws")) {
				replaceUniform(w, name, v)
			}
		}
	}
	if r.Orbit != (Orbit{}) {
		c := &s.stage.Scene.Camera
		eye, at := r.Orbit.Eye(c.Eye.Vec3(r.Time, [3]float64{0, 0, 4}), c.At.Vec3(r.Time, [3]float64{}), c.Up.Vec3(r.Time, [3]float64{0, 1, 0}))
		camera, _ := get(doc, "camera").(yaml.MapSlice)
		camera = set(camera, "eye", vector(eye))
		doc = set(doc, "camera", set(camera, "at", vector(at)))
	}
	if r.Time != s.stage.Scene.Time {
		doc = set(doc, "time", r.Time)
	}
	var b strings.Builder
	writeMap(&b, doc, 0)
	base := strings.TrimSuffix(s.path, filepath.Ext(s.path)) + "-edited"
	if _, err := scene.Parse(base, []byte(b.String())); err != nil {
		return "", fmt.Errorf("the scene as changed does not read back: %w", err)
	}
	return WriteFree(base, ".yaml", func(path string) error {
		return files.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, b.String()); return err })
	})
}

// uniformName is the uniform that the key of an edit belongs to.
func uniformName(key string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(key, shaderPrefix), "#")
	return name
}

func vector(v [3]float64) []any { return []any{round(v[0]), round(v[1]), round(v[2])} }

func round(v float64) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 7, 64), 64)
	return r
}

func get(v any, key string) any {
	m, _ := v.(yaml.MapSlice)
	for _, item := range m {
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}

func set(m yaml.MapSlice, key string, v any) yaml.MapSlice {
	for i := range m {
		if m[i].Key == key {
			m[i].Value = v
			return m
		}
	}
	return append(m, yaml.MapItem{Key: key, Value: v})
}

// setUniform sets a uniform of a scene, a pass or a draw.
func setUniform(v any, name string, values []any, add bool) any {
	m, ok := v.(yaml.MapSlice)
	if !ok {
		return v
	}
	u, _ := get(m, "uniforms").(yaml.MapSlice)
	if !add && get(u, name) == nil {
		return m
	}
	var value any = values
	if len(values) == 1 {
		value = values[0]
	}
	return set(m, "uniforms", set(u, name, value))
}

// replaceUniform sets a uniform where it is set already.
func replaceUniform(v any, name string, values []any) { setUniform(v, name, values, false) }

// writeMap writes a mapping in block style, and what is in it in flow style
// where it is short.
func writeMap(b *strings.Builder, m yaml.MapSlice, indent int) {
	for _, item := range m {
		fmt.Fprintf(b, "%s%s:", strings.Repeat(" ", indent), scalarText(item.Key))
		writeValue(b, item.Value, indent+2)
	}
}

// lineWidth is how long a line in flow style may get.
const lineWidth = 140

func writeValue(b *strings.Builder, v any, indent int) {
	flow := flowText(v)
	m, isMap := v.(yaml.MapSlice)
	l, isList := v.([]any)
	block := len(flow)+indent > lineWidth && (isMap && len(m) > 0 || isList && len(l) > 0)
	if isList && len(l) > 0 {
		_, maps := l[0].(yaml.MapSlice)
		block = block || maps // of draws and lights: one a line
	}
	switch {
	case !block:
		fmt.Fprintf(b, " %s\n", flow)
	case isMap:
		b.WriteString("\n")
		writeMap(b, m, indent)
	default:
		b.WriteString("\n")
		for _, item := range l {
			fmt.Fprintf(b, "%s-", strings.Repeat(" ", indent))
			im, ok := item.(yaml.MapSlice)
			if text := flowText(item); !ok || len(text)+indent <= lineWidth {
				fmt.Fprintf(b, " %s\n", text)
				continue
			}
			var inner strings.Builder
			writeMap(&inner, im, indent+2)
			b.WriteString(" " + strings.TrimLeft(inner.String(), " "))
		}
	}
}

func flowText(v any) string {
	switch x := v.(type) {
	case yaml.MapSlice:
		var parts []string
		for _, item := range x {
			parts = append(parts, scalarText(item.Key)+": "+flowText(item.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []any:
		var parts []string
		for _, item := range x {
			parts = append(parts, flowText(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return scalarText(v)
}

// plain matches texts that need no quotes, in flow style either. Texts that
// YAML would take for something else do not match.
var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./ -]*(\[[0-9]\])?[A-Za-z0-9_./-]*$`)

func scalarText(v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		switch strings.ToLower(x) {
		case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
			return strconv.Quote(x)
		}
		if plain.MatchString(x) && !strings.HasSuffix(x, " ") && !strings.Contains(x, "[") {
			return x
		}
		return strconv.Quote(x)
	case float32:
		return strconv.FormatFloat(float64(x), 'g', -1, 32)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}
