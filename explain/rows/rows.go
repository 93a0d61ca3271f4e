// Package rows describes pixels, draws and their state as data. A Row has a
// label, a form (a text with numbers by name), a colour, a link, and rows of
// detail below it. The terminal, JSON documents, pages, the window and the
// browser are all written from these rows, so they agree.
//
// New makes a Row. WriteText writes rows as lines, Document makes a JSON object
// of them, and Views prepares them for a browser.
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

// Row is one line of a description, with lines of detail below it.
type Row struct {
	// Key is the name of the row's object in a document, "name[]" for an element of
	// a list; "" puts the values into the enclosing object.
	Key string
	// Label says what the row is about, Form is its text. In both, {name} is
	// replaced by the value with that name, {name.1} by an element of it, and
	// {name|%06X} by the value in a format. A row without both is no line: it is
	// only for documents, or groups rows.
	Label, Form string
	Values      []Value
	Color       *[4]uint8 // red, green, blue, alpha; a sample of it is shown
	From        *[4]uint8 // the previous Color
	Link        *Link
	Mark        Mark
	Rows        []Row
}

// Value is a named number, text, or list of these. A value without a name is
// the whole of its row in a document.
type Value struct {
	Name string
	Is   any
}

// Mark says how a row stands out.
type Mark string

// The marks of rows.
const (
	Failed  Mark = "failed"  // a fragment that was dropped, a draw that was left out
	Changed Mark = "changed" // state that differs from that of the draw before
	Idle    Mark = "idle"    // a draw that wrote no pixel, a table that holds nothing
)

// Link says where a row leads.
type Link struct {
	// To is the kind of target: a draw, a texel, a vertex, an output of the vertex
	// shader, a register.
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

// To is a kind of link target.
type To string

// The kinds of link targets.
const (
	ToDraw     To = "draw"
	ToTexel    To = "texel"
	ToVertex   To = "vertex"
	ToOutput   To = "output"
	ToRegister To = "register"
)

// New makes a row. values are names and values in turn.
func New(label, form string, values ...any) Row {
	r := Row{Label: label, Form: form}
	r.Add(values...)
	return r
}

// In sets the row's key in JSON documents, and adds rows below it.
func (r Row) In(key string, below ...Row) Row {
	r.Key, r.Rows = key, append(r.Rows, below...)
	return r
}

// Add adds values to a row: names and values in turn.
func (r *Row) Add(values ...any) {
	for i := 0; i+1 < len(values); i += 2 {
		r.Values = append(r.Values, Value{values[i].(string), values[i+1]})
	}
}

// When returns the row unchanged if line is true; otherwise a row that is only in
// JSON documents, not in texts.
func (r Row) When(line bool) Row {
	if !line {
		r.Label, r.Form = "", ""
	}
	return r
}

// Colored adds a colour sample to the row.
func (r Row) Colored(c [4]uint8) Row {
	r.Color = &c
	return r
}

// To adds a link to the row.
func (r Row) To(l Link) Row {
	r.Link = &l
	return r
}

// Get returns the value with a name, nil if there is none.
func (r *Row) Get(name string) any {
	for i := range r.Values {
		if r.Values[i].Name == name {
			return r.Values[i].Is
		}
	}
	return nil
}

// Name returns the label with its values.
func (r *Row) Name() string { return r.fill(r.Label) }

// Text returns the form with its values.
func (r *Row) Text() string { return r.fill(r.Form) }

// Line returns the row as one line.
func (r *Row) Line() string {
	name, text := r.Name(), r.Text()
	if name != "" && text != "" {
		name += ": "
	}
	return name + text
}

// fill replaces names with values.
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

// format formats a value for reading.
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

// shown reports whether a row is a line.
func (r *Row) shown() bool { return r.Label != "" || r.Form != "" }

// Walk calls f for every line of a list of rows and below, in order; depth is 0
// for the top level. If f returns false, the lines below are skipped.
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

// Aligned returns the row as a line of text: its label, indented by its depth,
// and its text from column Indent on.
func (r *Row) Aligned(depth int) string {
	return fmt.Sprintf("%*s%-*s %s", 2*depth, "", Indent-1-2*depth, r.Name(), r.Text())
}

// WriteText writes rows as aligned lines. depth is that of the list.
func WriteText(w io.Writer, list []Row, depth int) {
	walk(list, depth, func(r *Row, depth int) bool {
		fmt.Fprintln(w, r.Aligned(depth))
		return true
	})
}

// Object is a JSON object with ordered names.
type Object []Value

// Document makes an object from rows: of their values by name, and of the rows
// with a key. A value that several rows of an object show is in it once.
func Document(list []Row) Object {
	o := Object{}
	o.add(list)
	return o
}

// Objects makes an object from each row.
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
				o.value(v.Name, v.Is)
			}
			o.add(r.Rows)
			continue
		}
		is := r.Get("")
		if is == nil {
			is = Document([]Row{{Values: r.Values, Rows: r.Rows}})
		}
		if name, many := strings.CutSuffix(r.Key, "[]"); many {
			list := o.value(name, []any{})
			list.Is = append(list.Is.([]any), is)
		} else {
			o.value(name, is)
		}
	}
}

// value returns the value with a name; it adds one if there is none.
func (o *Object) value(name string, is any) *Value {
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

// View is a row for a browser, with its texts filled in.
type View struct {
	Label string    `json:"label,omitempty"`
	Text  string    `json:"text,omitempty"`
	Color *[4]uint8 `json:"color,omitempty"`
	From  *[4]uint8 `json:"from,omitempty"`
	Link  *Link     `json:"link,omitempty"`
	Mark  Mark      `json:"mark,omitempty"`
	Rows  []View    `json:"rows,omitempty"`
}

// Views makes the views of a list's lines.
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

// Float is a number of the pipeline. In JSON, which has only finite numbers,
// others are the strings NaN, +Inf and -Inf.
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
