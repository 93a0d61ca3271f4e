package testkit

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Dump writes a value and everything it refers to as text, one field per line, including unexported ones. Zero values are omitted,
// lists of numbers take one line, and long byte slices are checksums. A repeated pointer is shown as a reference.
func Dump(v any) string {
	d := dumper{seen: map[any]string{}}
	d.value(reflect.ValueOf(v), "", "")
	return strings.TrimPrefix(d.out.String(), "\n")
}

type dumper struct {
	out  strings.Builder
	seen map[any]string // where a pointer was written
}

// manyBytes is the length from which byte slices become checksums.
const manyBytes = 40

func (d *dumper) value(v reflect.Value, indent, path string) {
	line := func(name string, v reflect.Value, path string) {
		fmt.Fprintf(&d.out, "\n%s%s:", indent, name)
		d.value(v, indent+"  ", path)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			d.out.WriteString(" nil")
			return
		}
		key := [2]any{v.Pointer(), v.Type()}
		if at, ok := d.seen[key]; ok {
			fmt.Fprintf(&d.out, " as %s", at)
			return
		}
		d.seen[key] = path
		d.value(v.Elem(), indent, path)
	case reflect.Interface:
		if v.IsNil() {
			d.out.WriteString(" nil")
			return
		}
		fmt.Fprintf(&d.out, " (%v)", v.Elem().Type())
		d.value(v.Elem(), indent, path)
	case reflect.Struct:
		for i := range v.NumField() {
			if f, name := v.Field(i), v.Type().Field(i).Name; !f.IsZero() && f.Kind() != reflect.Func {
				line(name, f, path+"."+name)
			}
		}
	case reflect.Map:
		keys := map[string]reflect.Value{}
		var names []string
		for _, k := range v.MapKeys() {
			name := "[" + scalar(k) + "]"
			keys[name], names = v.MapIndex(k), append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			line(name, keys[name], path+name)
		}
	case reflect.Slice, reflect.Array:
		d.list(v, path, line)
	default:
		d.out.WriteString(" " + scalar(v))
	}
}

func (d *dumper) list(v reflect.Value, path string, line func(string, reflect.Value, string)) {
	switch k := v.Type().Elem().Kind(); {
	case k == reflect.Uint8:
		b := make([]byte, v.Len())
		for i := range b {
			b[i] = byte(v.Index(i).Uint())
		}
		if len(b) > manyBytes {
			fmt.Fprintf(&d.out, " %d bytes, CRC-32 %08x", len(b), crc32.ChecksumIEEE(b))
		} else {
			fmt.Fprintf(&d.out, " %x", b)
		}
	case k < reflect.Array && k != reflect.Uintptr || k == reflect.String:
		d.out.WriteString(" [")
		for i := range v.Len() {
			d.out.WriteString(strings.Repeat(" ", min(i, 1)) + scalar(v.Index(i)))
		}
		d.out.WriteString("]")
	default:
		if v.Len() == 0 {
			d.out.WriteString(" none")
		}
		for i := range v.Len() {
			name := fmt.Sprintf("[%d]", i)
			if v.Kind() == reflect.Slice || !v.Index(i).IsZero() {
				line(name, v.Index(i), path+name)
			}
		}
	}
}

func scalar(v reflect.Value) string {
	switch {
	case v.Kind() == reflect.String:
		return strconv.Quote(v.String())
	case v.Kind() == reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'g', -1, 32)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', -1, 64)
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanUint() && v.Uint() > math.MaxUint8:
		return fmt.Sprintf("0x%x", v.Uint())
	case v.CanUint():
		return strconv.FormatUint(v.Uint(), 10)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	}
	return fmt.Sprint(v)
}

var number = regexp.MustCompile(`0x[0-9a-fA-F]+|-?\d+|"[^"]*"`)

// Look returns a look function for Damage from a parser and a function that lists messages about a parsed file. For a refused file,
// the error is the only message.
func Look[T any](parse func([]byte) (T, error), look func(T) (sentences []string, found string)) func([]byte) ([]string, string) {
	return func(data []byte) ([]string, string) {
		v, err := parse(data)
		if err != nil {
			return []string{err.Error()}, ""
		}
		return look(v)
	}
}

// Sentences returns the texts of a list.
func Sentences[T fmt.Stringer](list []T) (texts []string) {
	for _, v := range list {
		texts = append(texts, v.String())
	}
	return texts
}

// Damage changes a file at one place after another, step bytes apart, and returns the messages of look as text: one line per kind
// of message with its count and first occurrence, and a checksum of all messages and results. At each place up to four bytes become
// 0 and 0xFF, one byte is incremented, one bit is flipped, and the file is truncated.
func Damage(data []byte, from, to, step int, look func([]byte) (sentences []string, found string)) string {
	type kind struct {
		times int
		first string
	}
	kinds := map[string]*kind{}
	var order []string
	all := crc32.NewIEEE()
	try := func(where string, bad []byte) {
		sentences, found := look(bad)
		fmt.Fprintln(all, where, sentences, found)
		for _, text := range sentences {
			key := number.ReplaceAllString(text, "#")
			if kinds[key] == nil {
				kinds[key] = &kind{first: where + ": " + text}
				order = append(order, key)
			}
			kinds[key].times++
		}
	}
	for at := from; at < min(to, len(data)); at += step {
		word := data[at:min(at+min(step, 4), len(data))]
		for _, v := range [][]byte{bytes.Repeat([]byte{0}, len(word)), bytes.Repeat([]byte{0xFF}, len(word)), {word[0] + 1}, {word[0] ^ 0x40}} {
			bad := slices.Clone(data)
			copy(bad[at:], v)
			try(fmt.Sprintf("0x%x is %x", at, v), bad)
		}
		try(fmt.Sprintf("cut at 0x%x", at), slices.Clone(data[:at]))
	}
	var b strings.Builder
	for _, key := range order {
		fmt.Fprintf(&b, "%4d  %s\n", kinds[key].times, kinds[key].first)
	}
	fmt.Fprintf(&b, "all: CRC-32 %08x\n", all.Sum32())
	return b.String()
}

// Numbers visits every settable number and bool of a value with its path, following each pointer once; it skips numbers in byte and
// word slices, which are contents.
func Numbers(v any, visit func(path string, n reflect.Value)) {
	seen := map[any]bool{}
	var walk func(v reflect.Value, path string)
	walk = func(v reflect.Value, path string) {
		switch k := v.Kind(); {
		case k == reflect.Pointer && !v.IsNil() && !seen[v.Interface()]:
			seen[v.Interface()] = true
			walk(v.Elem(), path)
		case k == reflect.Struct:
			for i := range v.NumField() {
				if f := v.Type().Field(i); f.IsExported() {
					walk(v.Field(i), path+"."+f.Name)
				}
			}
		case k == reflect.Array || k == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8 && v.Type().Elem().Kind() != reflect.Uint32:
			for i := range v.Len() {
				walk(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
			}
		case v.CanSet() && (v.CanInt() || v.CanUint() || v.CanFloat() || k == reflect.Bool):
			visit(path, v)
		}
	}
	walk(reflect.ValueOf(v), "")
}

// SetNumber sets a number visited by Numbers; a bool becomes true for odd numbers.
func SetNumber(n reflect.Value, to int) {
	switch {
	case n.Kind() == reflect.Bool:
		n.SetBool(to&1 != 0)
	case n.CanInt():
		n.SetInt(int64(to))
	case n.CanUint():
		n.SetUint(uint64(to))
	default:
		n.SetFloat(float64(to))
	}
}
