// Package schema describes the structures of the project's YAML files. One
// description is used to read and check a file, with mistakes that quote the
// line and suggest names; to write it; to make a JSON schema for editors; and
// to list the keys for documents.
//
// A Kind describes how a value is stored in a file. Object makes the kind of a
// structure from a function that declares the structure's keys to a Fields, in
// the order in which they are written:
//
//	var light = schema.Object("a light", func(l *Light, f *schema.Fields) {
//		schema.Key(f, "position", &l.Position, vector, "where it is, in units of the scene")
//		schema.KeyOr(f, "power", &l.Power, schema.Number(0, 10), 1, "brightness")
//	})
//
// The function must declare the same keys at every call. It may also check
// values that were just read.
package schema

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"pica200/internal/yamldoc"
)

// JSON is a JSON schema.
type JSON = map[string]any

// Kind describes how values of a type are stored in a file.
type Kind[T any] struct {
	Words   string   // what is expected, for documents
	initial func() T // the value of a missing key; nil is the zero value
	// Read reads a value from an existing node. If it reports a mistake it leaves v
	// unchanged.
	Read func(r *Reader, n yamldoc.Node, v *T)
	// Write converts the value for yamldoc.Block; nil leaves the key out.
	Write func(v T) any
	// JSON returns the schema of the value.
	JSON func(p *Published) JSON
	// leaves lists the values in a structure.
	leaves func(v T, add func(Leaf))
}

// missing returns the value of a missing key.
func (k Kind[T]) missing() (v T) {
	if k.initial != nil {
		v = k.initial()
	}
	return v
}

// Leaf is a value in a structure, for programs that show and change values one
// by one.
type Leaf struct {
	Key   string // or keys with dots between them
	Doc   string
	JSON  func() JSON // what it may be
	Value any         // as it is written; nil if nothing is said
	Usual any         // the default as it is written
}

// Leaves lists the values of a structure and of those in it, in the order of the
// description.
func (k Kind[T]) Leaves(v T) (list []Leaf) {
	k.leaves(v, func(l Leaf) { list = append(list, l) })
	return list
}

// Check adds a condition: an error of check for a value that was read is a
// mistake at its position.
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
	// OnRead, if not nil, is called with the position of each structure that was read.
	OnRead func(v any, n yamldoc.Node)

	refs  []reference
	names map[string][]string // declared names, by kind
	name  yamldoc.Node        // name of the next structure, at which its mistakes are shown
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

func (r *Reader) onRead(v any, n yamldoc.Node) {
	if r.OnRead != nil && n.Present() {
		r.OnRead(v, n)
	}
}

// Fields reads, writes or describes one structure.
type Fields struct {
	what  string
	known []string // keys

	reader    *Reader                 // reading, or nil
	value     yamldoc.Node            // the structure
	errorNode yamldoc.Node            // where its mistakes are shown
	nodes     map[string]yamldoc.Node // by key, after open
	before    int                     // mistakes in the file before the structure
	wrong     bool                    // there are unknown keys, so others may seem to be missing

	add     func(Leaf) // listing values, or nil
	writing bool
	out     yaml.MapSlice
	inline  bool

	props   []property // describing
	variant string
	like    string // in documents, what stands for the keys that follow the first own
	own     int
	short   []string
	one     []string
	needs   map[string][]string

	always  bool   // the next key is written even if it has its default
	missing string // message if the next key is missing
}

// property is a described key.
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

// Sound reports whether values were just read without any mistake so far, so
// that they can be checked together.
func (f *Fields) Sound() bool { return f.Reading() && f.value.Mistakes() == f.before }

// Writing reports whether the structure is a copy that is being written.
func (f *Fields) Writing() bool { return f.writing }

// Written reports whether any of the keys was written.
func (f *Fields) Written(keys ...string) bool {
	return slices.ContainsFunc(f.out, func(item yaml.MapItem) bool { return slices.Contains(keys, item.Key.(string)) })
}

// Node returns the value of a key when reading; it is absent if the key is.
func (f *Fields) Node(key string) yamldoc.Node { return f.nodes[key] }

// Has reports whether a key exists, when reading.
func (f *Fields) Has(key string) bool { return f.Node(key).Present() }

// Errorf reports a mistake of the whole structure.
func (f *Fields) Errorf(format string, args ...any) { f.errorNode.Errorf(format, args...) }

// OnRead reports to the Reader that v, a part of the structure, is at the same
// place.
func (f *Fields) OnRead(v any) {
	if f.Reading() {
		f.reader.onRead(v, f.value)
	}
}

// Named declares a name that a Ref of a kind may use.
func (f *Fields) Named(kind, name string) {
	if f.Reading() {
		f.reader.named(kind, name)
	}
}

// Short allows only the value of some keys in place of the structure. It must
// come before all keys, and reports whether the file has the short form.
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

// Inline writes the structure on one line.
func (f *Fields) Inline() { f.inline = true }

// Variant distinguishes structures with the same name and keys but other
// values.
func (f *Fields) Variant(name string) { f.variant = name }

// Like says that the keys that follow are those of another structure from a key
// on, so that documents do not list them again.
func (f *Fields) Like(what, key string) {
	f.like, f.own = fmt.Sprintf("It has the keys of %s from `%s` on", what, key), len(f.props)
}

// Always writes the next key even if its value is the default.
func (f *Fields) Always() *Fields {
	f.always = true
	return f
}

// Required makes the next key required. missing is the message.
func (f *Fields) Required(missing string) *Fields {
	f.missing = missing
	return f
}

// One requires that exactly one of some keys exists.
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

// count counts the keys that exist and are not empty.
func (f *Fields) count(keys []string) (n int) {
	for _, k := range keys {
		if v := f.nodes[k]; v.Present() && (!v.IsText() || v.Str() != "") {
			n++
		}
	}
	return n
}

// Needs requires key if any of keys exists.
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

// Key declares a key: the field for its value, the kind of the value, and its
// documentation.
func Key[T any](f *Fields, name string, p *T, k Kind[T], doc string) {
	KeyOr(f, name, p, k, k.missing(), doc)
}

// KeyOr is Key with a default for a missing key.
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
	case f.add != nil:
		f.add(Leaf{name, doc, func() JSON { return k.JSON(&Published{defs: JSON{}}) }, k.Write(*p), k.Write(fallback)})
		if k.leaves != nil {
			k.leaves(*p, func(l Leaf) { l.Key = name + "." + l.Key; f.add(l) })
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

// isEmpty reports whether a value is an empty list or mapping, which counts as
// missing.
func isEmpty(v reflect.Value) bool {
	return (v.Kind() == reflect.Slice || v.Kind() == reflect.Map) && v.Len() == 0
}

// Group declares keys of a part of the structure, which exists if the key named
// key exists.
func Group[T any](f *Fields, key string, p **T, fields func(*T)) {
	switch {
	case f.Reading():
		if f.open(); !f.Has(key) {
			return
		}
		*p = new(T)
		f.reader.onRead(*p, f.Node(key))
		fields(*p)
	case !f.writing:
		fields(new(T))
	case *p != nil:
		fields(*p)
	}
}

// Object is the kind of a structure: a mapping with the keys that fields
// declares, first when the kind is used. what is the name of the structure with its article.
func Object[T any](what string, fields func(v *T, f *Fields)) Kind[T] {
	describe := sync.OnceValues(func() (initial T, f *Fields) {
		f = &Fields{what: what}
		fields(&initial, f)
		for _, p := range f.props {
			f.known = append(f.known, p.name)
		}
		return initial, f
	})
	return Kind[T]{
		Words: what,
		initial: func() T {
			initial, _ := describe()
			return initial
		},
		Read: func(r *Reader, n yamldoc.Node, v *T) {
			_, described := describe()
			f := &Fields{what: what, known: described.known, reader: r, value: n, errorNode: n, before: n.Mistakes()}
			if r.name.Present() {
				f.errorNode, r.name = r.name, yamldoc.Node{}
			}
			r.onRead(v, f.errorNode)
			fields(v, f)
		},
		Write: func(v T) any {
			f := &Fields{what: what, writing: true}
			if fields(&v, f); f.inline {
				return yamldoc.Line{Value: f.out}
			}
			return f.out
		},
		JSON: func(p *Published) JSON {
			_, described := describe()
			return p.object(described)
		},
		leaves: func(v T, add func(Leaf)) { fields(&v, &Fields{what: what, add: add}) },
	}
}

// Parse reads a file. The error lists all mistakes with their lines.
func Parse[T any](file string, src []byte, r *Reader, k Kind[T]) (*T, error) {
	doc, root, err := yamldoc.Parse(file, src)
	if err != nil {
		return nil, err
	}
	v := k.missing()
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

// name returns the structure's name in a JSON schema.
func (f *Fields) name() string {
	name := strings.TrimPrefix(strings.TrimPrefix(f.what, "a "), "an ")
	return strings.ReplaceAll(name, " ", "_") + f.variant
}
