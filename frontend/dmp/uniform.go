package dmp

import (
	"fmt"
	"slices"
	"strings"

	"pica200/pica"
)

// Location is the ID of a uniform, 0x000 to 0x128.
type Location uint16

// NumUniforms is the number of uniforms.
const NumUniforms = 0x129

// Type is the GL type of a uniform.
type Type uint8

// The types that occur.
const (
	Bool Type = iota
	Int
	IntVec2
	IntVec3
	Float
	FloatVec3
	FloatVec4
	Sampler1D
)

var typeNames = [...]string{
	"GL_BOOL", "GL_INT", "GL_INT_VEC2", "GL_INT_VEC3",
	"GL_FLOAT", "GL_FLOAT_VEC3", "GL_FLOAT_VEC4", "GL_SAMPLER_1D",
}

var typeSizes = [...]int{1, 1, 2, 3, 1, 3, 4, 1}

func (t Type) String() string { return typeNames[t] }

// components returns the number of numbers in a value of the type.
func (t Type) components() int { return typeSizes[t] }

// isFloat reports whether values have fractions.
func (t Type) isFloat() bool { return t >= Float && t <= FloatVec4 }

// Prefix begins all names.
const Prefix = "dmp_"

// Group is what a uniform is of, the first word of its name.
type Group uint8

// The groups.
const (
	GroupTexture Group = iota
	GroupFragOperation
	GroupGas
	GroupLighting
	GroupMaterial
	GroupLight
	GroupLightEnv
	GroupTexEnv
	GroupFog
)

var groupNames = [...]string{
	GroupTexture: "dmp_Texture", GroupFragOperation: "dmp_FragOperation", GroupGas: "dmp_Gas", GroupLighting: "dmp_FragmentLighting",
	GroupMaterial: "dmp_FragmentMaterial", GroupLight: "dmp_FragmentLightSource", GroupLightEnv: "dmp_LightEnv", GroupTexEnv: "dmp_TexEnv", GroupFog: "dmp_Fog",
}

// LightName returns the name of a uniform of a light: LightName(2, "position").
func LightName(light int, member string) string {
	return fmt.Sprintf("%s[%d].%s", groupNames[GroupLight], light, member)
}

// Is reports whether a name is meant to be that of a uniform. dmp_Point and
// dmp_Line belong to geometry shaders.
func Is(name string) bool {
	return strings.HasPrefix(name, Prefix) && !strings.HasPrefix(name, "dmp_Point.") && !strings.HasPrefix(name, "dmp_Line.")
}

// Uniform is one row of the table.
type Uniform struct {
	ID      Location
	Group   Group
	Name    string // "dmp_TexEnv[0].combineRgb"
	Type    Type
	Default []float32    // value after context creation, as numbers
	Min     float32      // least value of a number
	Max     float32      // greatest value of a number; Min == Max is no limit
	Symbols []Symbol     // names of the values, if it is enumerated
	Steps   []Step       // the values a stepped float may have
	Fields  []pica.Field // register bits that setting it changes
	Doc     string       // what the name does not say
	index   int          // array index
	encode  func(*State, *Uniform)
	upload  uploadID // of samplers, else noUpload
}

// Step is a permitted value of a float uniform and what the register holds.
type Step struct {
	Value float32
	Reg   uint32
}

// About describes a uniform in one line: its Doc, or that of its registers.
func (u *Uniform) About() string {
	if u.Doc != "" {
		return u.Doc
	}
	if u.upload != noUpload {
		return fmt.Sprintf("a look-up table of %d numbers, by its number", u.TableSize())
	}
	var parts []string
	add := func(text string) {
		if text = strings.TrimSuffix(text, "."); text != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	for _, f := range u.Fields {
		add(f.Doc)
	}
	for _, f := range u.Fields {
		add(pica.Registers[f.Reg].Doc)
	}
	return strings.Join(parts, "; ")
}

// Uniforms is the table, indexed by Location.
var Uniforms = buildUniforms()

var byName = func() map[string]Location {
	m := make(map[string]Location, NumUniforms)
	for i := range Uniforms {
		m[Uniforms[i].Name] = Location(i)
	}
	return m
}()

// Locate returns the ID of the uniform with the given name. For an unknown name
// the error has the nearest name.
func Locate(name string) (Location, error) {
	if loc, ok := byName[name]; ok {
		return loc, nil
	}
	best, least := "", 1<<30
	for i := range Uniforms { // in ID order, so that ties are settled always the same way
		if d := distance(name, Uniforms[i].Name, least); d < least {
			best, least = Uniforms[i].Name, d
		}
	}
	return 0, fmt.Errorf("no uniform is called %q; the nearest name is %s", clip(name, 80), best)
}

// clip shortens a text from outside for messages.
func clip(s string, n int) string {
	if len(s) > n {
		return s[:n] + "..."
	}
	return s
}

// distance is the number of letters to change, insert or delete to get from a
// to b, or any number not below limit if it is not below limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := diagonal
			if a[i-1] != b[j-1] {
				change++
			}
			diagonal = row[j]
			row[j] = min(change, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}

// Registers prints the register bits of the uniform: "0x0C2 bit0-3, 0x0C2
// bit16-19".
func (u *Uniform) Registers() string {
	parts := make([]string, len(u.Fields))
	for i, f := range u.Fields {
		switch f.Bits {
		case 1:
			parts[i] = fmt.Sprintf("0x%03X bit%d", uint16(f.Reg), f.Lo)
		case 32:
			parts[i] = fmt.Sprintf("0x%03X", uint16(f.Reg))
		default:
			parts[i] = fmt.Sprintf("0x%03X bit%d-%d", uint16(f.Reg), f.Lo, f.Lo+f.Bits-1)
		}
	}
	return strings.Join(parts, ", ")
}

// Values prints what values the uniform takes.
func (u *Uniform) Values() string {
	switch {
	case u.Symbols != nil:
		return symbolNames(u.Symbols)
	case u.Steps != nil:
		parts := make([]string, len(u.Steps))
		for i, s := range u.Steps {
			parts[i] = fmt.Sprint(s.Value)
		}
		return strings.Join(parts, ", ")
	case u.Type == Bool:
		return "false, true"
	case u.Min != u.Max:
		return fmt.Sprintf("%g to %g", u.Min, u.Max)
	}
	return "any finite number"
}
