package schema

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"pica200/internal/yamldoc"
)

// Published is a description during its conversion for editors and documents.
type Published struct {
	defs    JSON
	objects []*Fields // in the order in which they are first named
}

// Publish describes a kind with all kinds in it.
func Publish[T any](k Kind[T]) *Published {
	p := &Published{defs: JSON{}}
	k.JSON(p)
	return p
}

// Def stores a schema under a name, made at its first use, and returns a
// reference to it.
func (p *Published) Def(name string, make func() JSON) JSON {
	if p.defs[name] == nil {
		p.defs[name] = JSON{} // structures may be recursive
		p.defs[name] = make()
	}
	return JSON{"$ref": "#/definitions/" + name}
}

func (p *Published) object(f *Fields) JSON {
	return p.Def(f.name(), func() JSON {
		p.objects = append(p.objects, f)
		props, required := JSON{}, []string{}
		for _, k := range f.props {
			j := maps.Clone(k.json(p))
			if k.doc != "" {
				j["description"] = strings.ReplaceAll(k.doc, "`", "")
			}
			if k.fallback != nil {
				j["default"] = k.fallback
			}
			if props[k.name] = j; k.required {
				required = append(required, k.name)
			}
		}
		out := JSON{"type": "object", "properties": props, "additionalProperties": false}
		if len(required) > 0 {
			out["required"] = required
		}
		if len(f.one) > 0 {
			var one []JSON
			for _, key := range f.one {
				one = append(one, JSON{"required": []string{key}})
			}
			out["oneOf"] = one
		}
		if len(f.needs) > 0 {
			out["dependencies"] = f.needs
		}
		switch {
		case len(f.short) > 0:
			short := maps.Clone(props[f.short[0]].(JSON))
			delete(short, "default")
			return JSON{"anyOf": []JSON{short, out}}
		case len(required)+len(f.one) == 0: // a key without a value is the structure with its defaults
			out["type"] = []string{"object", "null"}
		}
		return out
	})
}

// Keys returns the keys at the top level of files.
func (p *Published) Keys() []string { return p.objects[0].known }

// Schema returns the JSON schema (draft 7, which editors support) of files.
func (p *Published) Schema(title string) []byte {
	root := JSON{"$schema": "http://json-schema.org/draft-07/schema#", "title": title,
		"$ref": "#/definitions/" + p.objects[0].name(), "definitions": p.defs}
	out, err := json.MarshalIndent(root, "", " ")
	if err != nil {
		panic(err) // of maps, lists and texts
	}
	return append(out, '\n')
}

// Tables returns tables of the keys of every structure in Markdown. Keys that stand alike in an earlier structure share a
// row that refers to it; a long value that an earlier key has refers to that key.
func (p *Published) Tables() string {
	var b strings.Builder
	seen := map[string]bool{}
	rows := map[string]string{} // the rest of a row: its first structure
	for _, f := range p.objects {
		if seen[f.what] {
			continue // a variant
		}
		seen[f.what] = true
		fmt.Fprintf(&b, "**%s**", strings.ToUpper(f.what[:1])+f.what[1:])
		if len(f.one) > 0 {
			fmt.Fprintf(&b, " has exactly one of `%s`.", strings.Join(f.one, "`, `"))
		}
		if len(f.short) > 0 {
			fmt.Fprintf(&b, " It may be just the value of `%s`.", strings.Join(f.short, "` and `"))
		}
		props := f.props
		if f.like != "" {
			b.WriteString(" " + f.like)
			if props = props[:f.own]; len(props) == 0 {
				b.WriteString(".\n\n")
				continue
			}
			b.WriteString(", and:")
		}
		b.WriteString("\n\nkey | value | meaning\n---|---|---\n")
		values := map[string]string{} // long values and the key that has each first
		for i := 0; i < len(props); i++ {
			row, first := tableRow(props[i]), i
			if other := rows[row]; other != "" {
				for i+1 < len(props) && rows[tableRow(props[i+1])] == other {
					i++
				}
				if i > first+1 {
					for _, k := range props[first:i] {
						fmt.Fprintf(&b, "`%s`, ", k.name)
					}
					fmt.Fprintf(&b, "`%s` | as in %s\n", props[i].name, other)
					continue
				}
				i = first
			}
			if rows[row] == "" {
				rows[row] = f.what
			}
			if k := props[i]; len(k.words) > 40 {
				if values[k.words] != "" {
					row = strings.Replace(row, k.words, "those of `"+values[k.words]+"`", 1)
				} else {
					values[k.words] = k.name
				}
			}
			b.WriteString(row)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func tableRow(k property) string {
	row := "`" + k.name + "` | " + k.words
	if k.fallback != nil {
		row += " (" + yamldoc.Flow(k.fallback) + ")"
	}
	if k.doc != "" {
		row += " | " + k.doc
	}
	return row + "\n"
}
