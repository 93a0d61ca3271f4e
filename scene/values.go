package scene

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"pica200/internal/schema"
	"pica200/internal/yamldoc"
)

// Values lists what a style says, one value for each key that is neither a transform nor a name: "cull", "depth.func". A value that
// it does not say is nil.
func (l *Style) Values() []schema.Leaf {
	list := materialKind.Leaves(Part{Style: *l})
	at := func(key string) int { return slices.IndexFunc(list, func(v schema.Leaf) bool { return v.Key == key }) }
	return list[at("material"):at("primitive")]
}

// Set sets one of Values. An error says what the value may be.
func (l *Style) Set(key string, value any) error {
	top, inner, nested := strings.Cut(key, ".")
	if nested {
		m := yaml.MapSlice{}
		for _, v := range l.Values() {
			switch of, ok := strings.CutPrefix(v.Key, top+"."); {
			case ok && of == inner:
				m = append(m, yaml.MapItem{Key: of, Value: value})
			case ok && v.Value != nil:
				m = append(m, yaml.MapItem{Key: of, Value: v.Value})
			}
		}
		value = m
	}
	p, err := schema.Parse(key, []byte(yamldoc.Block(yaml.MapSlice{{Key: top, Value: value}})), &schema.Reader{}, materialKind)
	if err == nil {
		l.take(&p.Style)
	}
	return err
}

// NewTexture returns a texture of a picture's file.
func NewTexture(name, file string) (*Texture, error) {
	t, err := schema.Parse(file, []byte(yamldoc.Block(yaml.MapSlice{{Key: "file", Value: file}})), &schema.Reader{}, textureKind)
	if err == nil {
		t.Name = name
	}
	return t, err
}

// Written returns the texture as it is in a scene's file.
func (t *Texture) Written() any { return textureKind.Write(*t) }

// Written returns the value of a key as it is in a scene's file: a scalar, a list or a mapping.
func (l *Style) Written(key string) any {
	for _, item := range materialKind.Write(Part{Style: *l}).(yaml.MapSlice) {
		if line, ok := item.Value.(yamldoc.Line); ok {
			item.Value = line.Value
		}
		if item.Key == key {
			return item.Value
		}
	}
	return nil
}
