package dmp

import (
	"fmt"
	"slices"
	"strings"

	"pica200/pica"
)

// row describes uniforms that differ only in an array index. Their IDs are
// consecutive.
type row struct {
	id      Location
	name    string // with %d for the array index
	typ     Type
	first   int // least array index
	n       int // number of elements; 0 for a uniform that is no array
	def     func(i int) []float32
	min     float32
	max     float32
	symbols []Symbol
	steps   []Step
	fields  func(i int) []pica.Field
	encode  func(*State, *Uniform) // encodeDirect if nil
	upload  func(i int) uploadID   // of samplers
	doc     string
}

// all returns the same fields for every element.
func all(fs ...pica.Field) func(int) []pica.Field {
	return func(int) []pica.Field { return fs }
}

// light moves fields of light 0 to light i.
func light(fs ...pica.Field) func(int) []pica.Field {
	return func(i int) []pica.Field { return move(fs, pica.Reg(i)*pica.StrideLight) }
}

// stage moves fields of combiner stage 0 to stage i.
func stage(fs ...pica.Field) func(int) []pica.Field {
	return func(i int) []pica.Field { return move(fs, pica.TexenvOffset(i)) }
}

// lightBit returns bit i of a mask of lights.
func lightBit(f pica.Field) func(int) []pica.Field {
	return func(i int) []pica.Field { return []pica.Field{bit(f, i, "light")} }
}

func move(fs []pica.Field, offset pica.Reg) []pica.Field {
	moved := make([]pica.Field, len(fs))
	for i, f := range fs {
		moved[i] = f.At(offset)
	}
	return moved
}

// bit returns one bit of a mask as a field of its own.
func bit(f pica.Field, i int, what string) pica.Field {
	f.FieldText = &pica.FieldText{Name: fmt.Sprintf("%s, %s %d", f.Name, what, i), Doc: f.Doc, Enum: f.Enum}
	f.Lo += uint8(i)
	f.Bits, f.Type = 1, pica.TypeBool
	return f
}

func def(v ...float32) func(int) []float32 { return func(int) []float32 { return v } }

// named is the default of an enumerated uniform: the same symbol in all components.
func named(list []Symbol, n int, name string) func(int) []float32 {
	s, ok := findName(list, name)
	if !ok {
		panic("no symbol " + name)
	}
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(s.Number())
	}
	return def(v...)
}

var (
	off  = def(0)
	zero = off
	one  = def(1)

	// White and black as OpenGL ES 1.1 has them, with an alpha of 1.
	black = def(0, 0, 0, 1)
)

// sourceDefault passes the vertex colour through: stage 0 reads it, other
// stages read the previous one.
func sourceDefault(i int) []float32 {
	if i == 0 {
		return named(sourceSymbols, 3, "primary_color")(0)
	}
	return named(sourceSymbols, 3, "previous")(0)
}

var scaleSteps = []Step{{1, 0}, {2, 1}, {4, 2}}

var lutScaleSteps = []Step{{1, 0}, {2, 1}, {4, 2}, {8, 3}, {0.25, 6}, {0.5, 7}}

func buildUniforms() (table [NumUniforms]Uniform) {
	var filled [NumUniforms]bool
	rows := [][]row{textureRows, procRows, fragOpRows, gasRows, lightingRows, lightRows, lightEnvRows, texenvRows, fogRows}
	for _, group := range rows {
		for _, r := range group {
			for k := range max(r.n, 1) {
				i := r.first + k
				id := r.id + Location(k)
				if filled[id] {
					panic(fmt.Sprintf("uniform 0x%03X is twice in the table", uint16(id)))
				}
				filled[id] = true
				u := Uniform{
					ID: id, Name: r.name, Type: r.typ, Default: r.def(i), Min: r.min, Max: r.max,
					Symbols: r.symbols, Steps: r.steps, Fields: r.fields(i), Doc: r.doc,
					index: i, encode: r.encode, upload: noUpload,
				}
				if strings.Contains(u.Name, "%d") {
					u.Name = fmt.Sprintf(u.Name, i)
				}
				if u.encode == nil {
					u.encode = encodeDirect
				}
				if r.upload != nil {
					u.upload = r.upload(i)
					u.Min, u.Max = OwnTable, NumTables-1
					u.encode = encodeSampler
				}
				u.Group = Group(slices.Index(groupNames[:], u.Name[:strings.IndexAny(u.Name, "[.")]))
				if len(u.Default) != u.Type.components() {
					panic(fmt.Sprintf("%s: the default has %d components", u.Name, len(u.Default)))
				}
				table[id] = u
			}
		}
	}
	for id, ok := range filled {
		if !ok {
			panic(fmt.Sprintf("uniform 0x%03X is not in the table", id))
		}
	}
	return table
}
