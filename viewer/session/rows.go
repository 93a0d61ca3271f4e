package session

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pica200/frontend/dmp"
	"pica200/scene/scenebuild"
)

// groups name the parts of the uniform list.
var groups = [...]string{
	dmp.GroupTexture: "Texture", dmp.GroupFragOperation: "Tests and blending", dmp.GroupGas: "Gas", dmp.GroupLighting: "Lighting",
	dmp.GroupMaterial: "Material", dmp.GroupLight: "Light", dmp.GroupLightEnv: "Lighting tables", dmp.GroupTexEnv: "Texture combiner", dmp.GroupFog: "Fog",
}

// order lists the groups as they are shown; those of lights and combiners have
// their number.
var order = []string{placementGroup, groups[dmp.GroupMaterial], groups[dmp.GroupLight], groups[dmp.GroupLighting], groups[dmp.GroupLightEnv],
	groups[dmp.GroupTexEnv], pictureGroup, groups[dmp.GroupTexture], drawGroup, groups[dmp.GroupFog], groups[dmp.GroupGas], groups[dmp.GroupFragOperation], shaderGroup, MatrixGroup}

const (
	shaderGroup  = "Shader uniforms"
	drawGroup    = "Draw" // its keys in the scene
	pictureGroup = "Texture files"
)

// MatrixGroup is the group of the matrices that the scene sets.
const MatrixGroup = "Matrices"

// arranged sorts rows by their groups.
func arranged(rows []Uniform) []Uniform {
	at := func(u *Uniform) int {
		if i := slices.Index(order, u.Group); i >= 0 {
			return 100 * i
		}
		cut := strings.LastIndexByte(u.Group, ' ')
		n, _ := strconv.Atoi(u.Group[cut+1:]) // 0 if it is no number
		return 100*slices.Index(order, u.Group[:max(cut, 0)]) + n
	}
	slices.SortStableFunc(rows, func(a, b Uniform) int { return at(&a) - at(&b) })
	return rows
}

// groupOf returns a uniform's part of the list, with the index of its array.
func groupOf(u *dmp.Uniform) string {
	if _, index, ok := strings.Cut(u.Name, "["); ok {
		index, _, _ = strings.Cut(index, "]")
		return groups[u.Group] + " " + index
	}
	return groups[u.Group]
}

// markChanged marks the values that differ from those before the edits; was is
// nil if there were none.
func markChanged(rows, was []Uniform) {
	before := map[string]*Uniform{}
	for i := range was {
		before[was[i].Key] = &was[i]
	}
	for i := range rows {
		if u := before[rows[i].Key]; u != nil {
			if u.Unsaid && rows[i].Unsaid { // edits of others change what is in effect
				u.Text, u.Values = rows[i].Text, rows[i].Values
			}
			rows[i].Was = u
			rows[i].Changed = rows[i].Text != u.Text || !slices.Equal(rows[i].Values, u.Values)
		}
	}
}

// mix finds the values that differ between the rows of several draws.
type mix struct {
	first map[string]*Uniform
	mixed map[string][]bool
}

// add includes the rows of a draw.
func (m *mix) add(rows []Uniform) {
	if m.first == nil {
		m.first, m.mixed = map[string]*Uniform{}, map[string][]bool{}
	}
	for i := range rows {
		a, b := &rows[i], m.first[rows[i].Key]
		if b == nil {
			m.first[a.Key] = a
			continue
		}
		n := max(len(a.Values), 1)
		differ := func(k int) {
			if m.mixed[a.Key] == nil {
				m.mixed[a.Key] = make([]bool, n)
			}
			if k < len(m.mixed[a.Key]) {
				m.mixed[a.Key][k] = true
			}
		}
		switch {
		case a.Type == "table" || a.Type == "text" || a.Type == "string" || len(a.Values) != len(b.Values):
			if a.Text != b.Text || !slices.Equal(a.Values, b.Values) {
				for k := range n {
					differ(k)
				}
			}
		case a.Text != b.Text:
			differ(0)
		default:
			for k := range a.Values {
				if a.Values[k] != b.Values[k] {
					differ(k)
				}
			}
		}
	}
}

// mark marks what differs in the rows of the last draw.
func (m *mix) mark(rows []Uniform) {
	for i := range rows {
		rows[i].Mixed = m.mixed[rows[i].Key]
	}
}

// vectorRows lists what can be edited of the scene: its lights, the files of its textures, and the position of a draw.
func (s *sceneSource) vectorRows(draw string) (rows []Uniform) {
	if draw != "" {
		rows = s.placementRows(draw)
	}
	about := map[string]string{"position": "where the light is in the world; or drag its handle in the picture",
		"direction": "from where the light comes in the world; or drag its handle in the picture", "spot": "where the spot light shines in the world"}
	for i := range s.Stage.Scene.Lights {
		for _, key := range []string{"position", "direction", "spot"} {
			u := Uniform{Group: fmt.Sprintf("%s %d", groups[dmp.GroupLight], i), Key: LightEdit(i, key), Name: key + " in the world", Also: []string{fmt.Sprintf("lights[%d].%s", i, key)},
				About: about[key], Type: "number"}
			v, ok := s.vectorOf(&Edit{Name: u.Key})
			if !ok {
				continue
			}
			if u.Values = v.now(); v.fixed != "" {
				u.Type, u.Text, u.Values, u.About = "text", "in the file", nil, v.fixed
			}
			rows = append(rows, u)
		}
	}
	return append(rows, s.pictureRows()...)
}

// rowsOf lists the uniforms of a draw: first those of its shaders, then the
// dmp_* uniforms in the order of the table.
func rowsOf(ds *scenebuild.DrawState) []Uniform {
	var rows []Uniform
	for _, u := range ds.Program.Uniforms() {
		group := shaderGroup
		if len(u.Floats) == 3 || len(u.Floats) == 4 {
			group = MatrixGroup
		}
		list := registers(&u)
		for i, r := range list {
			row := Uniform{Group: group, Key: fmt.Sprintf("%s%s#%d", shaderPrefix, u.Name, i), Name: u.Name, Type: "number", Also: []string{u.Name},
				About: "of the shader's program"}
			if len(list) > 1 {
				row.Name = fmt.Sprintf("%s[%d]", u.Name, i)
			}
			if row.Values = numbersOf(r); u.Ints != nil {
				row.Max = 255
			} else if u.Bools != nil {
				if row.Type, row.Values = "bool", []float64{0}; u.Bools[i] {
					row.Values[0] = 1
				}
			}
			rows = append(rows, row)
		}
	}
	for i := range dmp.Uniforms {
		rows = append(rows, uniformRows(&dmp.Uniforms[i], ds.Uniforms, groupOf(&dmp.Uniforms[i]))...)
	}
	return rows
}

// namesOf returns the names of a uniform in documents and scene files: first
// its own, then the scene's lights, then its registers.
func namesOf(u *dmp.Uniform) []string {
	list := []string{u.Name}
	if u.Group == dmp.GroupLight {
		list = append(list, "lights"+u.Name[strings.IndexByte(u.Name, '['):])
	}
	for _, f := range u.Fields {
		if r := f.Reg.String(); !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	return list
}

// uniformRows returns the rows of a uniform: one, or one per component of a
// vector with named components.
func uniformRows(u *dmp.Uniform, s *dmp.State, group string) []Uniform {
	_, short, _ := strings.Cut(u.Name, ".")
	row := Uniform{Group: group, Key: u.Name, Name: short, Also: namesOf(u), About: u.About(), Min: float64(u.Min), Max: float64(u.Max)}
	for _, v := range s.Floats(u.ID) {
		row.Values = append(row.Values, float64(v))
	}
	switch {
	case u.Type == dmp.Sampler1D:
		row.Type, row.Text, row.Values = "text", "no table", nil
		if values, lo, hi := tableOf(s, u.Name); values != nil {
			row.Type, row.Text, row.Values, row.Min, row.Max = "table", "", values, lo, hi
		} else if values = startingTable(s, u); values != nil {
			row.Type, row.Values, row.Min, row.Max = "table", values, min(values[0], 0), 1
		}
	case u.Type == dmp.Bool:
		row.Type = "bool"
	case u.Symbols != nil:
		var choices []string
		for _, c := range u.Symbols {
			choices = append(choices, c.String())
		}
		names := s.Names(u.ID)
		var rows []Uniform
		for k, n := range names {
			one := row
			one.Type, one.Text, one.Choices, one.Values = "enum", n, choices, nil
			if len(names) > 1 {
				one.Key, one.Name = fmt.Sprintf("%s#%d", u.Name, k), fmt.Sprintf("%s %d", short, k)
			}
			rows = append(rows, one)
		}
		return rows
	case u.Steps != nil:
		row.Type, row.Text = "steps", fmt.Sprint(row.Values[0])
		for _, st := range u.Steps {
			row.Choices = append(row.Choices, fmt.Sprint(st.Value))
		}
		row.Values = nil
	case u.Type == dmp.FloatVec4 && isColor(short), u.Type == dmp.FloatVec3 && isColor(short):
		row.Type = "color"
	default:
		row.Type = "number"
	}
	return []Uniform{row}
}

// isColor reports whether a vector is a colour, by its name.
func isColor(short string) bool {
	return slices.Contains([]string{"ambient", "diffuse", "specular0", "specular1", "emission", "constRgba", "bufferColor", "color"}, short)
}
