// Package rows describes pixels, draws and their state as data. A Row has a label, a
// formula with its numbers by name, a colour, a link, and rows of detail below it. The
// terminal, JSON documents, pages, the window and the browser are all written from these
// rows, so they agree.
//
// The API is v0: it may change with any version, and CHANGELOG.md says how.
package rows

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Row is one line of a description, with the lines of detail below it.
type Row struct {
	// Key is the name of the object that the row is in a document, "name[]" for one of
	// a list, and "" for values of the object that it stands in.
	Key string
	// Label says what the row is about, Form what there is to say. In both, {name}
	// stands for the value with that name, {name.1} for an element of it, and
	// {name|%06X} for it in a format. A row without both is no line of its own: it is
	// for documents alone, or holds rows together.
	Label, Form string
	Values      []Value
	Color       *[4]uint8 // red, green, blue, alpha; a sample of it is shown
	From        *[4]uint8 // what Color was before
	Link        *Link
	Mark        Mark
	Rows        []Row
}

// Value is a number, a text, or a list of them, by its name. What has no name is the
// whole of its row in a document.
type Value struct {
	Name string
	Is   any
}

// Mark says how a row stands out.
type Mark string

// The marks of rows.
const (
	Failed  Mark = "failed"  // a fragment that was dropped, a draw that was left out
	Changed Mark = "changed" // state that is another than that of the draw before
	Idle    Mark = "idle"    // a draw that wrote no pixel, a table that holds nothing
)

// Link says where a row leads.
type Link struct {
	// To is what it leads to: a draw, a texel, a vertex, an output of the vertex shader, a register.
	To      To     `json:"to"`
	Draw    int    `json:"draw,omitempty"`
	Unit    int    `json:"unit,omitempty"` // of a texel
	Face    int    `json:"face,omitempty"`
	Level   int    `json:"level,omitempty"`
	X       int    `json:"x,omitempty"` // of a texel
	Y       int    `json:"y,omitempty"` // from t = 0
	Address uint32 `json:"address,omitempty"`
	Corner  int    `json:"corner,omitempty"` // of the triangle, 0 to 2
	Output  string `json:"output,omitempty"` // its name in shader sources
	// Register is the name of a register.
	Register string `json:"register,omitempty"`
}

// To is a kind of thing that rows lead to.
type To string

// What rows lead to.
const (
	ToDraw     To = "draw"
	ToTexel    To = "texel"
	ToVertex   To = "vertex"
	ToOutput   To = "output"
	ToRegister To = "register"
)

// New makes a row. The values are names and what they stand for, in turn.
func New(label, form string, values ...any) Row {
	r := Row{Label: label, Form: form}
	r.Add(values...)
	return r
}

// In makes a row an object of documents, and puts rows below it.
func (r Row) In(key string, below ...Row) Row {
	r.Key, r.Rows = key, append(r.Rows, below...)
	return r
}

// Add puts values into a row: names and what they stand for, in turn.
func (r *Row) Add(values ...any) {
	for i := 0; i+1 < len(values); i += 2 {
		r.Values = append(r.Values, Value{values[i].(string), values[i+1]})
	}
}

// When gives the row if it is to be a line, and else what documents have of it.
func (r Row) When(line bool) Row {
	if !line {
		r.Label, r.Form = "", ""
	}
	return r
}

// Colored gives the row a sample of a colour.
func (r Row) Colored(c [4]uint8) Row {
	r.Color = &c
	return r
}

// To gives the row a link.
func (r Row) To(l Link) Row {
	r.Link = &l
	return r
}

// Get gives a value of the row, nil if there is none with the name.
func (r *Row) Get(name string) any {
	for i := range r.Values {
		if r.Values[i].Name == name {
			return r.Values[i].Is
		}
	}
	return nil
}

// Name is the label with its numbers.
func (r *Row) Name() string { return r.fill(r.Label) }

// Text is what the row says, with its numbers.
func (r *Row) Text() string { return r.fill(r.Form) }

// Line is the row as one line.
func (r *Row) Line() string {
	name, text := r.Name(), r.Text()
	if name != "" && text != "" {
		name += ": "
	}
	return name + text
}

// fill puts values in the places of their names.
func (r *Row) fill(form string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(form, '{')
		end := strings.IndexByte(form, '}')
		if at < 0 || end < at {
			out.WriteString(form)
			return out.String()
		}
		name, verb, _ := strings.Cut(form[at+1:end], "|")
		name, element, indexed := strings.Cut(name, ".")
		v := r.Get(name)
		if i, err := strconv.Atoi(element); indexed && err == nil {
			v = reflect.ValueOf(v).Index(i).Interface()
		}
		out.WriteString(form[:at])
		out.WriteString(format(v, verb))
		form = form[end+1:]
	}
}

// format writes a value as a reader takes it.
func format(v any, verb string) string {
	if verb != "" {
		return fmt.Sprintf(verb, v)
	}
	switch v := v.(type) {
	case string:
		return v
	case [4]uint8:
		return fmt.Sprintf("%3d %3d %3d %3d", v[0], v[1], v[2], v[3])
	case fmt.Stringer:
		return v.String()
	case Float, [2]Float, [3]Float, [4]Float:
		return fmt.Sprintf("%.6g", v)
	}
	return fmt.Sprint(v)
}

// shown reports whether a row is a line of its own.
func (r *Row) shown() bool { return r.Label != "" || r.Form != "" }

// Walk calls f for every line below a list of rows, in order; depth is 0 for those
// that stand in none. What lies below a line is left out where f returns false.
func Walk(list []Row, f func(r *Row, depth int) bool) { walk(list, 0, f) }

func walk(list []Row, depth int, f func(r *Row, depth int) bool) {
	for i := range list {
		r := &list[i]
		switch {
		case !r.shown():
			walk(r.Rows, depth, f)
		case f(r, depth):
			walk(r.Rows, depth+1, f)
		}
	}
}

// Indent is the column that texts begin in, counted from 0.
const Indent = 17

// Aligned is the row as a line of text: its label, moved in by its depth, and what it
// says, which begins in column Indent.
func (r *Row) Aligned(depth int) string {
	return fmt.Sprintf("%*s%-*s %s", 2*depth, "", Indent-1-2*depth, r.Name(), r.Text())
}

// WriteText writes rows as such lines. depth is that of the list.
func WriteText(w io.Writer, list []Row, depth int) {
	walk(list, depth, func(r *Row, depth int) bool {
		fmt.Fprintln(w, r.Aligned(depth))
		return true
	})
}

// Object is a JSON object whose names keep their order.
type Object []Value

// Document gives rows as an object of the values by their names, and of the rows that
// have a key. A value that several rows of an object show is in it once.
func Document(list []Row) Object {
	o := Object{}
	o.add(list)
	return o
}

// Objects gives each row as an object of its own.
func Objects(list []Row) []Object {
	out := []Object{}
	for i := range list {
		out = append(out, Document([]Row{{Values: list[i].Values, Rows: list[i].Rows}}))
	}
	return out
}

func (o *Object) add(list []Row) {
	for i := range list {
		r := &list[i]
		if r.Key == "" {
			for _, v := range r.Values {
				o.place(v.Name, v.Is)
			}
			o.add(r.Rows)
			continue
		}
		is := r.Get("")
		if is == nil {
			is = Document([]Row{{Values: r.Values, Rows: r.Rows}})
		}
		if name, many := strings.CutSuffix(r.Key, "[]"); many {
			list := o.place(name, []any{})
			list.Is = append(list.Is.([]any), is)
		} else {
			o.place(name, is)
		}
	}
}

// place gives the value with a name, which is put there if there is none.
func (o *Object) place(name string, is any) *Value {
	at := slices.IndexFunc(*o, func(v Value) bool { return v.Name == name })
	if at < 0 {
		at = len(*o)
		*o = append(*o, Value{name, is})
	}
	return &(*o)[at]
}

// MarshalJSON implements json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	for i := range o {
		name, err := json.Marshal(o[i].Name)
		if err != nil {
			return nil, err
		}
		is, err := json.Marshal(o[i].Is)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", o[i].Name, err)
		}
		b.WriteByte("{,"[min(i, 1)])
		b.Write(name)
		b.WriteByte(':')
		b.Write(is)
	}
	if len(o) == 0 {
		b.WriteByte('{')
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// View is a row as a browser is given it: with its texts made.
type View struct {
	Label string    `json:"label,omitempty"`
	Text  string    `json:"text,omitempty"`
	Color *[4]uint8 `json:"color,omitempty"`
	From  *[4]uint8 `json:"from,omitempty"`
	Link  *Link     `json:"link,omitempty"`
	Mark  Mark      `json:"mark,omitempty"`
	Rows  []View    `json:"rows,omitempty"`
}

// Views makes the lines of a list.
func Views(list []Row) []View {
	out := []View{}
	for i := range list {
		r := &list[i]
		below := Views(r.Rows)
		if !r.shown() {
			out = append(out, below...)
			continue
		}
		out = append(out, View{r.Name(), r.Text(), r.Color, r.From, r.Link, r.Mark, below})
	}
	return out
}

// Float is a number of the pipeline. In JSON, which has no others, what is no
// finite number is one of the words NaN, +Inf and -Inf.
type Float float32

// MarshalJSON implements json.Marshaler.
func (f Float) MarshalJSON() ([]byte, error) {
	x := float64(f)
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return strconv.AppendQuote(nil, strconv.FormatFloat(x, 'g', -1, 32)), nil
	}
	return strconv.AppendFloat(nil, x, 'g', -1, 32), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Float) UnmarshalJSON(b []byte) error {
	text := string(b)
	if s, err := strconv.Unquote(text); err == nil {
		text = s
	}
	x, err := strconv.ParseFloat(text, 32)
	*f = Float(x)
	return err
}
