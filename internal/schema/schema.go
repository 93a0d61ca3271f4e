// Package schema describes the structures of the project's YAML files. From one description
// a file is read and checked, with mistakes that quote the line and suggest names; it is
// written; a JSON schema is made of it for editors; and the keys are listed for documents.
//
// A Kind says how a value stands in a file. The kinds of structures are made by Object from
// a function that names the structure's keys to a Fields, in the order in which they are
// written:
//
//	var light = schema.Object("a light", func(l *Light, f *schema.Fields) {
//		schema.Key(f, "position", &l.Position, vector, "where it is, in units of the scene")
//		schema.KeyOr(f, "power", &l.Power, schema.Number(0, 10), 1, "brightness")
//	})
//
// The function must name the same keys whenever it is called. What it does besides, for
// values that were just read, is checking them.
package schema

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"pica200/internal/yamldoc"
)

// JSON is a JSON schema.
type JSON = map[string]any

// Kind says how values of a type stand in a file.
type Kind[T any] struct {
	Words   string // what is expected, for documents
	initial T      // the value of a key that is left out
	// Read reads a value from a node that is there. Where it notes a mistake it leaves v as it is.
	Read func(r *Reader, n yamldoc.Node, v *T)
	// Write gives the value as yamldoc.Block takes it; nil leaves the key out.
	Write func(v T) any
	// JSON is the schema of the value.
	JSON func(p *Published) JSON
}

// Check adds a condition: the error that is returned for a value that was read is a mistake
// at its place.
func (k Kind[T]) Check(check func(v T) error) Kind[T] {
	read := k.Read
	k.Read = func(r *Reader, n yamldoc.Node, v *T) {
		before, was := n.Mistakes(), *v
		if read(r, n, v); n.Mistakes() > before {
			return
		}
		if err := check(*v); err != nil {
			n.Errorf("%v", err)
			*v = was
		}
	}
	return k
}

// Reader reads one file.
type Reader struct {
	// Placed, if not nil, is told where each structure that was read stands.
	Placed func(v any, n yamldoc.Node)

	refs  []reference
	names map[string][]string // that references may have, by their kind
	name  yamldoc.Node        // of the next structure, which its mistakes are shown at
}

// reference is a name that refers to something else in the file.
type reference struct {
	node       yamldoc.Node
	kind, name string
}

func (r *Reader) named(kind, name string) {
	if r.names == nil {
		r.names = map[string][]string{}
	}
	r.names[kind] = append(r.names[kind], name)
}

func (r *Reader) placed(v any, n yamldoc.Node) {
	if r.Placed != nil && n.Present() {
		r.Placed(v, n)
	}
}

// Fields is at one structure, which it reads, writes or describes.
type Fields struct {
	what  string
	known []string // keys

	reader *Reader                 // reading, or nil
	value  yamldoc.Node            // the structure
	place  yamldoc.Node            // where its mistakes are shown
	nodes  map[string]yamldoc.Node // by key, once open was called
	before int                     // mistakes in the file before the structure
	wrong  bool                    // keys are unknown, so that others may seem to be missing

	writing bool
	out     yaml.MapSlice
	inline  bool

	props   []property // describing
	variant string
	short   []string
	one     []string
	needs   map[string][]string

	always  bool   // the next key is written even if it has its default
	missing string // what to say where the next key is missing
}

// property is a key that was described.
type property struct {
	name, doc, words string
	fallback         any // the default as it is written
	required         bool
	json             func(p *Published) JSON
}

// open reads the keys of the structure.
func (f *Fields) open() {
	if f.nodes == nil {
		before := f.value.Mistakes()
		f.nodes = f.value.Keys(f.what, f.known...)
		f.wrong = f.value.Mistakes() > before
	}
}

// Reading reports whether values were just read.
func (f *Fields) Reading() bool { return f.reader != nil }

// Sound reports whether values were just read in which no mistake was found so far, so that
// they can be checked together.
func (f *Fields) Sound() bool { return f.Reading() && f.value.Mistakes() == f.before }

// Writing reports whether the structure is a copy that is being written.
func (f *Fields) Writing() bool { return f.writing }

// Written reports whether one of some keys was written.
func (f *Fields) Written(keys ...string) bool {
	return slices.ContainsFunc(f.out, func(item yaml.MapItem) bool { return slices.Contains(keys, item.Key.(string)) })
}

// Node is the value of a key in reading, absent if the key is.
func (f *Fields) Node(key string) yamldoc.Node { return f.nodes[key] }

// Has reports in reading whether there is a key.
func (f *Fields) Has(key string) bool { return f.Node(key).Present() }

// Errorf notes a mistake of the whole structure.
func (f *Fields) Errorf(format string, args ...any) { f.place.Errorf(format, args...) }

// Placed tells the Reader that v, a part of the structure, stands where it does.
func (f *Fields) Placed(v any) {
	if f.Reading() {
		f.reader.placed(v, f.value)
	}
}

// Named says that there is something which a Ref of a kind may name.
func (f *Fields) Named(kind, name string) {
	if f.Reading() {
		f.reader.named(kind, name)
	}
}

// Short says that in place of the structure there may be just the value of some keys. It
// comes before all keys, and reports whether there is.
func (f *Fields) Short(is func(yamldoc.Node) bool, keys ...string) bool {
	f.short = keys
	if !f.Reading() || !is(f.value) {
		return false
	}
	f.nodes = map[string]yamldoc.Node{}
	for _, k := range keys {
		f.nodes[k] = f.value
	}
	return true
}

// Inline has the structure written on one line.
func (f *Fields) Inline() { f.inline = true }

// Variant tells structures of one name apart that have the same keys with other values.
func (f *Fields) Variant(name string) { f.variant = name }

// Always has the next key written even if its value is the default.
func (f *Fields) Always() *Fields {
	f.always = true
	return f
}

// Required says that the next key must be there, and what is missing without it.
func (f *Fields) Required(missing string) *Fields {
	f.missing = missing
	return f
}

// One says that exactly one of some keys is there.
func (f *Fields) One(keys ...string) {
	f.one = keys
	if !f.Reading() {
		return
	}
	f.open()
	if n := f.count(keys); n != 1 && !f.wrong {
		last := len(keys) - 1
		f.Errorf("%s has exactly one of %s and %s, found %d", f.what, strings.Join(keys[:last], ", "), keys[last], n)
	}
}

// count counts the keys that are there and not empty.
func (f *Fields) count(keys []string) (n int) {
	for _, k := range keys {
		if v := f.nodes[k]; v.Present() && (!v.IsText() || v.Str() != "") {
			n++
		}
	}
	return n
}

// Needs says that some keys mean something only beside another one.
func (f *Fields) Needs(key string, keys ...string) {
	if f.needs == nil {
		f.needs = map[string][]string{}
	}
	for _, k := range keys {
		f.needs[k] = append(f.needs[k], key)
		if f.Reading() {
			if f.open(); f.Has(k) && !f.Has(key) && !f.wrong {
				f.Node(k).Errorf("%s goes with %s", k, key)
			}
		}
	}
}

// Key describes a key: the field for its value, the kind of the value, and what it is for.
func Key[T any](f *Fields, name string, p *T, k Kind[T], doc string) {
	KeyOr(f, name, p, k, k.initial, doc)
}

// KeyOr is Key with the value that the field has where the key is left out.
func KeyOr[T any](f *Fields, name string, p *T, k Kind[T], fallback T, doc string) {
	missing, always := f.missing, f.always
	f.missing, f.always = "", false
	switch {
	case f.Reading():
		f.open()
		*p = fallback
		if n := f.nodes[name]; n.Present() {
			k.Read(f.reader, n, p)
		}
		if missing != "" && !f.wrong && f.count([]string{name}) == 0 {
			f.Errorf("%s", missing)
		}
	case f.writing:
		if missing != "" || always || !isEmpty(reflect.ValueOf(p).Elem()) && !reflect.DeepEqual(*p, fallback) {
			if v := k.Write(*p); v != nil {
				f.out = append(f.out, yaml.MapItem{Key: name, Value: v})
			}
		}
	default:
		*p = fallback
		prop := property{name: name, doc: doc, words: k.Words, required: missing != "", json: k.JSON}
		if v := reflect.ValueOf(&fallback).Elem(); v.Kind() != reflect.Struct && !v.IsZero() {
			prop.fallback = k.Write(fallback)
		}
		f.props = append(f.props, prop)
	}
}

// isEmpty tells a list or a mapping of names without anything in it, which is as if it were
// not there.
func isEmpty(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

// Group describes keys that belong to a part of the structure, which is there if one of them
// is: key.
func Group[T any](f *Fields, key string, p **T, fields func(*T)) {
	switch {
	case f.Reading():
		if f.open(); !f.Has(key) {
			return
		}
		*p = new(T)
		f.reader.placed(*p, f.Node(key))
		fields(*p)
	case !f.writing:
		fields(new(T))
	case *p != nil:
		fields(*p)
	}
}

// Object is the kind of a structure: a mapping with the keys that fields names. what is the
// structure with its article.
func Object[T any](what string, fields func(v *T, f *Fields)) Kind[T] {
	var empty T
	described := &Fields{what: what}
	fields(&empty, described)
	for _, p := range described.props {
		described.known = append(described.known, p.name)
	}
	return Kind[T]{
		Words:   what,
		initial: empty,
		Read: func(r *Reader, n yamldoc.Node, v *T) {
			f := &Fields{what: what, known: described.known, reader: r, value: n, place: n, before: n.Mistakes()}
			if r.name.Present() {
				f.place, r.name = r.name, yamldoc.Node{}
			}
			r.placed(v, f.place)
			fields(v, f)
		},
		Write: func(v T) any {
			f := &Fields{what: what, writing: true}
			if fields(&v, f); f.inline {
				return yamldoc.Line{Value: f.out}
			}
			return f.out
		},
		JSON: func(p *Published) JSON { return p.object(described) },
	}
}

// Parse reads a file. The error lists every mistake that was found with its line.
func Parse[T any](file string, src []byte, r *Reader, k Kind[T]) (*T, error) {
	doc, root, err := yamldoc.Parse(file, src)
	if err != nil {
		return nil, err
	}
	v := k.initial
	if k.Read(r, root, &v); doc.Err() == nil {
		for _, ref := range r.refs {
			if known := r.names[ref.kind]; !slices.Contains(known, ref.name) {
				ref.node.Unknown(ref.kind, ref.name, "the "+strings.TrimPrefix(k.Words, "a "), known)
			}
		}
	}
	if err := doc.Err(); err != nil {
		return nil, err
	}
	return &v, nil
}

// name is what a structure is called in a JSON schema.
func (f *Fields) name() string {
	name := strings.TrimPrefix(strings.TrimPrefix(f.what, "a "), "an ")
	return strings.ReplaceAll(name, " ", "_") + f.variant
}
