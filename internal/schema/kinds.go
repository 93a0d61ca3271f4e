package schema

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"pica200/internal/yamldoc"
)

// Text is a text; numbers are accepted as text.
var Text = Kind[string]{
	Words: "text",
	Read:  func(_ *Reader, n yamldoc.Node, v *string) { *v = n.Str() },
	Write: func(v string) any {
		if v == "" {
			return nil
		}
		return v
	},
	JSON: func(*Published) JSON { return JSON{"type": []string{"string", "number"}} },
}

// Bool is true or false.
var Bool = Kind[bool]{
	Words: "true or false",
	Read:  func(_ *Reader, n yamldoc.Node, v *bool) { *v = n.Bool(*v) },
	Write: func(v bool) any { return v },
	JSON:  func(*Published) JSON { return JSON{"type": "boolean"} },
}

// Ref is the name of something else in the file. kind says of what kind it is;
// Named or Fields.Named declare the names. none, if not "", refers to nothing.
func Ref(kind, none string) Kind[string] {
	k := Text
	k.Words = "name of a " + kind
	k.Read = func(r *Reader, n yamldoc.Node, v *string) {
		if *v = n.Str(); *v != "" && *v != none {
			r.refs = append(r.refs, reference{n, kind, *v})
		}
	}
	return k
}

// Enum is one of some names; what describes them.
func Enum(what string, names []string) Kind[string] {
	k := Text
	k.Words = "`" + strings.Join(names, "`, `") + "`"
	k.Read = func(_ *Reader, n yamldoc.Node, v *string) {
		if s := n.Enum(what, names...); s != "" {
			*v = s
		}
	}
	k.JSON = func(*Published) JSON { return JSON{"enum": names} }
	return k
}

// Int is an integer from lo to hi.
func Int[T ~int | ~int64 | ~uint8 | ~uint32](lo, hi int64) Kind[T] {
	return Kind[T]{
		Words: fmt.Sprintf("%d to %d", lo, hi),
		Read:  func(_ *Reader, n yamldoc.Node, v *T) { *v = T(n.Int(int64(*v), lo, hi)) },
		Write: func(v T) any { return v },
		JSON:  func(*Published) JSON { return JSON{"type": "integer", "minimum": lo, "maximum": hi} },
	}
}

// Number is a number from lo to hi.
func Number(lo, hi float64) Kind[float64] {
	k := Kind[float64]{
		Words: fmt.Sprintf("%g to %g", lo, hi),
		Read:  func(_ *Reader, n yamldoc.Node, v *float64) { *v = n.Float(*v, lo, hi) },
		Write: func(v float64) any {
			if f := float32(v); float64(f) == v {
				return f // with no more digits than tell it from its neighbours
			}
			return v
		},
		JSON: func(*Published) JSON { return JSON{"type": "number", "minimum": lo, "maximum": hi} },
	}
	if hi == math.MaxFloat32 {
		k.Words = "number"
		k.JSON = func(*Published) JSON { return JSON{"type": "number"} }
	}
	return k
}

// Finite is any number in the range of the hardware's formats.
var Finite = Number(-math.MaxFloat32, math.MaxFloat32)

// List is a list of lo to hi values; math.MaxInt means no limit besides that of
// the file. items is the plural name of the values.
func List[T any](k Kind[T], lo, hi int, items string) Kind[[]T] {
	count := fmt.Sprintf("%d to %d", lo, hi)
	switch {
	case lo == hi:
		count = fmt.Sprint(lo)
	case hi == lo+1:
		count = fmt.Sprintf("%d or %d", lo, hi)
	case hi == math.MaxInt:
		count = fmt.Sprintf("at least %d", lo)
	case lo == 0:
		count = fmt.Sprintf("at most %d", hi)
	}
	words := fmt.Sprintf("list of %s %s", count, items)
	if lo <= 1 && hi == math.MaxInt {
		words = "list of " + items
	}
	return Kind[[]T]{
		Words: words,
		Read: func(r *Reader, n yamldoc.Node, v *[]T) {
			list := n.List()
			if !n.IsList() {
				return
			}
			if len(list) < lo || len(list) > hi {
				at := n
				if lo == 0 {
					at = list[hi]
				}
				at.Errorf("expected a list of %s %s, found %d", count, items, len(list))
				return
			}
			*v = nil
			for _, item := range list {
				*v = append(*v, k.missing())
				k.Read(r, item, &(*v)[len(*v)-1])
			}
		},
		Write: func(v []T) any {
			return each(v, k.Write)
		},
		JSON: func(p *Published) JSON {
			j := JSON{"type": "array", "items": k.JSON(p)}
			if lo > 0 {
				j["minItems"] = lo
			}
			if hi < math.MaxInt {
				j["maxItems"] = hi
			}
			return j
		},
	}
}

// Rows is a list of 1 to most lists of lo to hi numbers; the first numbers must
// ascend. first is the plural name of those, row describes a row.
func Rows(number Kind[float64], most, lo, hi int, first, row string) Kind[[][]float64] {
	k := List(List(number, lo, hi, "numbers ("+row+")"), 1, most, "lists ["+row+"]")
	read := k.Read
	k.Words = "list of [" + row + "]"
	k.Read = func(r *Reader, n yamldoc.Node, v *[][]float64) {
		before := n.Mistakes()
		if read(r, n, v); n.Mistakes() > before {
			return
		}
		for i, item := range n.List() {
			if rows := *v; i > 0 && rows[i][0] <= rows[i-1][0] {
				item.Errorf("%s must ascend: %g after %g", first, rows[i][0], rows[i-1][0])
				return
			}
		}
	}
	return k
}

// maxNames bounds the entries of a mapping from names.
const maxNames = 1024

// entries reads a mapping from names.
func entries(n yamldoc.Node, one func(f yamldoc.Field)) {
	fields := n.Fields()
	if len(fields) > maxNames {
		fields[maxNames].Pos.Errorf("more than %d entries", maxNames)
		return
	}
	for _, f := range fields {
		one(f)
	}
}

func mapping[T any](k Kind[T]) func(p *Published) JSON {
	return func(p *Published) JSON {
		return JSON{"type": []string{"object", "null"}, "additionalProperties": k.JSON(p), "maxProperties": maxNames}
	}
}

// Named is a mapping from names to structures, in file order. name returns the
// field with the name, and kind is the kind for Ref. Mistakes about a whole
// structure are shown at its name.
func Named[T any](k Kind[T], kind string, name func(*T) *string) Kind[[]T] {
	return Kind[[]T]{
		Words: "by name: " + k.Words,
		Read: func(r *Reader, n yamldoc.Node, v *[]T) {
			entries(n, func(f yamldoc.Field) {
				one := k.missing()
				r.name = f.Pos
				k.Read(r, f.Value, &one)
				*name(&one) = f.Key
				r.named(kind, f.Key)
				*v = append(*v, one)
			})
		},
		Write: func(v []T) any {
			out := yaml.MapSlice{}
			for i := range v {
				out = append(out, yaml.MapItem{Key: *name(&v[i]), Value: k.Write(v[i])})
			}
			return out
		},
		JSON: mapping(k),
	}
}

// Dict is a mapping from names to values.
func Dict[T any](k Kind[T]) Kind[map[string]T] {
	return Kind[map[string]T]{
		Words: "names, each with " + k.Words,
		Read: func(r *Reader, n yamldoc.Node, v *map[string]T) {
			out := map[string]T{}
			entries(n, func(f yamldoc.Field) {
				one := k.missing()
				k.Read(r, f.Value, &one)
				out[f.Key] = one
			})
			if len(out) > 0 {
				*v = out
			}
		},
		Write: func(v map[string]T) any {
			out := yaml.MapSlice{}
			for _, name := range slices.Sorted(maps.Keys(v)) {
				out = append(out, yaml.MapItem{Key: name, Value: k.Write(v[name])})
			}
			return out
		},
		JSON: mapping(k),
	}
}

// Ptr is an optional value: nil if it is missing or has a mistake.
func Ptr[T any](k Kind[T]) Kind[*T] {
	return Kind[*T]{
		Words: k.Words,
		Read: func(r *Reader, n yamldoc.Node, v **T) {
			one, before := k.missing(), n.Mistakes()
			if k.Read(r, n, &one); n.Mistakes() == before {
				*v = &one
				r.onRead(*v, n)
			}
		},
		Write: func(v *T) any {
			if v == nil {
				return nil
			}
			return k.Write(*v)
		},
		JSON:   k.JSON,
		leaves: k.leavesOf,
	}
}

// leavesOf lists the values of an optional structure.
func (k Kind[T]) leavesOf(v *T, add func(Leaf)) {
	switch {
	case k.leaves == nil:
	case v != nil:
		k.leaves(*v, add)
	default:
		k.leaves(k.missing(), func(l Leaf) { l.Usual, l.Value = l.Value, nil; add(l) })
	}
}

// Via is a value that is stored in the file as a value of another type.
func Via[T, S any](k Kind[S], to func(S) T, from func(T) S) Kind[T] {
	return Kind[T]{
		Words: k.Words,
		Read: func(r *Reader, n yamldoc.Node, v *T) {
			one, before := k.missing(), n.Mistakes()
			if k.Read(r, n, &one); n.Mistakes() == before {
				*v = to(one)
			}
		},
		Write: func(v T) any { return k.Write(from(v)) },
		JSON:  k.JSON,
	}
}

// Each is Via for every value of a list.
func Each[T, S any](k Kind[[]S], to func(S) T, from func(T) S) Kind[[]T] {
	return Via(k, func(list []S) []T { return each(list, to) }, func(list []T) []S { return each(list, from) })
}

func each[T, S any](list []S, one func(S) T) []T {
	out := make([]T, len(list))
	for i := range list {
		out[i] = one(list[i])
	}
	return out
}

// Fixed is a list of fixed length, as an array.
func Fixed[A, T any](k Kind[[]T]) Kind[A] {
	return Via(k, func(list []T) (a A) {
		reflect.Copy(reflect.ValueOf(&a).Elem(), reflect.ValueOf(list))
		return a
	}, func(a A) []T {
		list := make([]T, reflect.TypeFor[A]().Len())
		reflect.Copy(reflect.ValueOf(list), reflect.ValueOf(a))
		return list
	})
}

// Either is a value with two forms. is reports whether a node has the first
// form; first reports whether a value is written in the first form.
func Either[T any](is func(yamldoc.Node) bool, a, b Kind[T], first func(T) bool) Kind[T] {
	return Kind[T]{
		Words:   a.Words + ", or " + b.Words,
		initial: b.initial,
		Read: func(r *Reader, n yamldoc.Node, v *T) {
			if is(n) {
				a.Read(r, n, v)
			} else {
				b.Read(r, n, v)
			}
		},
		Write: func(v T) any {
			if first(v) {
				return a.Write(v)
			}
			return b.Write(v)
		},
		JSON:   func(p *Published) JSON { return JSON{"anyOf": []JSON{a.JSON(p), b.JSON(p)}} },
		leaves: b.leaves,
	}
}
