package scenebuild

import (
	"fmt"
	"slices"

	"pica200/frontend/dmp"
	"pica200/scene"
)

// proceduralWidth is the default number of entries of level 0 in the colour
// table: the other levels then have their usual positions.
const proceduralWidth = 128

// gradients fills the colour tables for which the scene, the pass or the draw
// sets a gradient. Inner settings override outer ones, and a table set for the
// sampler at the same level or further inside overrides the gradient.
func (d *drawing) gradients() error {
	for _, g := range []struct {
		sampler dmp.Location // of the first channel
		name    func(*scene.State) string
		fill    func(*scene.Gradient) ([][]float32, error)
	}{
		{dmp.ProcSamplerR, func(s *scene.State) string { return s.ProceduralColors }, d.proceduralColors},
		{dmp.GasSamplerTR, func(s *scene.State) string { return s.GasColors }, func(g *scene.Gradient) (out [][]float32, _ error) {
			for c := range 3 {
				out = append(out, g.Channel(c, 9))
			}
			return out, nil
		}},
	} {
		name := ""
		var own []string
		for _, s := range d.states() {
			if n := g.name(s); n != "" {
				name, own = n, nil
			}
			for i := range s.Uniforms {
				own = append(own, s.Uniforms[i].Name)
			}
		}
		if name == "" {
			continue
		}
		gradient := d.Scene.Gradient(name)
		if gradient == nil {
			return fmt.Errorf("the scene has no gradient %q", name)
		}
		channels, err := g.fill(gradient)
		if err != nil {
			return err
		}
		for i, channel := range channels {
			sampler := g.sampler.At(i)
			if slices.Contains(own, sampler.String()) {
				continue
			}
			if err := d.c.Uniforms.SetTableAt(sampler, channel); err != nil {
				return gradient.Errorf("gradient %s: %v", name, err)
			}
		}
	}
	return nil
}

// proceduralColors spreads a gradient over each level of the procedural
// texture's colour table: ptTexWidth entries of level 0 from ptTexOffset on,
// and half as many for each further level, at its usual position (3dbrew,
// GPUREG_TEXUNIT3_PROCTEX5). Where levels overlap, the lower level wins.
func (d *drawing) proceduralColors(g *scene.Gradient) ([][]float32, error) {
	u := d.c.Uniforms
	width, offset := int(u.Ints(dmp.ProcTexWidth)[0]), int(u.Ints(dmp.ProcTexOffset)[0])
	if width == 0 {
		width = proceduralWidth
		if err := u.SetAt(dmp.ProcTexWidth, width); err != nil {
			return nil, err
		}
	}
	channels := make([][]float32, 4)
	for _, t := range proceduralPlaces(width, offset) {
		c := g.Color(t)
		for k := range channels {
			channels[k] = append(channels[k], float32(c[k]))
		}
	}
	return channels, nil
}

// proceduralPlaces returns the position in the gradient of each table entry.
func proceduralPlaces(width, offset int) (at [256]float64) {
	for level, o := range []int{0xFE, 0xFC, 0xF8, 0xF0, 0xE0, 0xC0, 0x80, offset} {
		n := max(width>>(7-level), 1)
		for k := range n {
			if o+k < len(at) {
				at[o+k] = float64(k) / float64(max(n-1, 1))
			}
		}
	}
	return at
}
