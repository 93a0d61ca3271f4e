package scene

import (
	"iter"
	"reflect"
	"slices"
)

// PartID names what a model consists of: a mesh, by the name of its node or its
// own, and a material. Where both are empty it is the whole model.
type PartID struct{ Mesh, Material string }

// Styles lists what the draw and its parts say of a material on a mesh, which has
// one or more names. Each overrides those before it.
func (d *Draw) Styles(material string, mesh ...string) []*Style {
	list := []*Style{&d.Style}
	for i := range d.Materials {
		if p := &d.Materials[i]; p.Name == material {
			list = append(list, &p.Style)
		}
	}
	for i := range d.Meshes {
		p := &d.Meshes[i]
		if !slices.Contains(mesh, p.Name) {
			continue
		}
		list = append(list, &p.Style)
		for k := range p.Materials {
			if one := &p.Materials[k]; one.Name == material {
				list = append(list, &one.Style)
			}
		}
	}
	return list
}

// Over returns a copy of the draw with a list of styles (of Styles) applied in
// order: later settings replace earlier ones, transforms are multiplied,
// uniforms and registers are appended.
func (d *Draw) Over(styles []*Style) *Draw {
	out := *d
	out.Style = Style{}
	var steps []Transform
	for _, l := range styles {
		state := out.State
		steps = append(steps, l.Steps()...)
		out.take(l)
		out.Uniforms = slices.Concat(state.Uniforms, l.Uniforms)
		out.Registers = slices.Concat(state.Registers, l.Registers)
	}
	out.Transform = steps
	return &out
}

// take replaces what another style says.
func (l *Style) take(said *Style) {
	from, to := reflect.ValueOf(said).Elem(), reflect.ValueOf(l).Elem()
	for i := range from.NumField() {
		if f := from.Field(i); !f.IsZero() {
			to.Field(i).Set(f)
		}
	}
}

// All yields the draw's own Style, then those of its materials and meshes.
func (d *Draw) All() iter.Seq[*Style] {
	return func(yield func(*Style) bool) {
		styles := []*Style{&d.Style}
		for i := range d.Materials {
			styles = append(styles, &d.Materials[i].Style)
		}
		for i := range d.Meshes {
			m := &d.Meshes[i]
			styles = append(styles, &m.Style)
			for k := range m.Materials {
				styles = append(styles, &m.Materials[k].Style)
			}
		}
		slices.Values(styles)(yield)
	}
}

// AllDraws yields the draws of the passes, then those of the main pass.
func (s *Scene) AllDraws() iter.Seq[*Draw] {
	return func(yield func(*Draw) bool) {
		lists := [][]Draw{}
		for i := range s.Passes {
			lists = append(lists, s.Passes[i].Draws)
		}
		for _, list := range append(lists, s.Draws) {
			for i := range list {
				if !yield(&list[i]) {
					return
				}
			}
		}
	}
}

// Steps returns the transform as a list of steps.
func (l *Style) Steps() (list []Transform) {
	if l.Transform != nil {
		return l.Transform
	}
	add := func(kind string, c *Curve) {
		if c != nil {
			list = append(list, Transform{Kind: kind, Value: c})
		}
	}
	add("at", l.At)
	add("rotate", l.Rotate)
	if l.Spin != nil {
		add("spin", Const(l.Spin[:]...))
	}
	add("scale", l.Scale)
	add("matrix", l.Matrix)
	return list
}
