package model

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// readMTL reads a material library (Wavefront, Advanced Visualizer manual,
// appendix B2, and the common norm statement).
func (r *objReader) readMTL(name string, data []byte) error {
	cur := -1
	images := map[string]int{}
	for i, im := range r.m.Images {
		images[im.Name] = i
	}
	note := func(s string) { r.note(name + ": " + s) }
	return eachLine(data, note, func(w []string) error {
		if strings.EqualFold(w[0], "newmtl") {
			if err := r.from.spend(costMaterials, 1); err != nil {
				return err
			}
			m := DefaultMaterial()
			m.Name = strings.Join(w[1:], " ")
			if i, ok := r.materials[m.Name]; ok {
				cur = i
				r.m.Materials[i] = m
				return nil
			}
			cur = len(r.m.Materials)
			r.m.Materials = append(r.m.Materials, m)
			r.materials[m.Name] = cur
			return nil
		}
		if cur < 0 {
			return fmt.Errorf("%q before the first newmtl", clip(w[0]))
		}
		return r.materialLine(&r.m.Materials[cur], w, images)
	})
}

// The statements of a material: colours, numbers, images, and those that are
// left out, with a note if that is visible.
var (
	mtlColors = map[string]func(m *Material) []float32{
		"Kd": func(m *Material) []float32 { return m.BaseColor[:3] },
		"Ke": func(m *Material) []float32 { return m.Emissive[:] },
		"Ks": func(m *Material) []float32 { return m.Specular[:] },
	}
	mtlNumbers = map[string]func(m *Material, v float64){
		// The roughness whose Blinn-Phong exponent (2/r^2 - 2, with r the square of
		// glTF's roughness) is Ns.
		"Ns":    func(m *Material, v float64) { m.Roughness = float32(math.Sqrt(math.Sqrt(2 / (max(v, 0) + 2)))) },
		"d":     (*Material).setOpacity,
		"Tr":    func(m *Material, v float64) { m.setOpacity(1 - v) },
		"Pr":    func(m *Material, v float64) { m.Roughness = clamp01(v) },
		"Pm":    func(m *Material, v float64) { m.Metallic = clamp01(v) },
		"illum": func(m *Material, v float64) { m.Unlit = v == 0 },
	}
	mtlMaps = map[string]func(m *Material) *Texture{
		"map_Kd": func(m *Material) *Texture { return &m.Base },
		"map_Ke": func(m *Material) *Texture { return &m.EmissiveMap },
		"norm":   func(m *Material) *Texture { return &m.Normal },
	}
	mtlLeftOut = map[string]string{
		"map_d": "separate opacity maps are left out; put alpha into the colour map", "map_bump": noHeights, "bump": noHeights,
		"Ka": "", "Ni": "", "Tf": "", "sharpness": "",
	}
)

const noHeights = "height maps are left out; norm names a normal map"

func (m *Material) setOpacity(v float64) {
	if m.BaseColor[3] = clamp01(v); v < 1 {
		m.Alpha = Blend
	}
}

// inMTL finds the row of a statement, whose letters may be of any case.
func inMTL[V any](rows map[string]V, word string) (row V, ok bool) {
	for name, v := range rows {
		if strings.EqualFold(name, word) {
			return v, true
		}
	}
	return row, false
}

func (r *objReader) materialLine(m *Material, w []string, images map[string]int) error {
	if at, ok := inMTL(mtlMaps, w[0]); ok {
		return r.useMap(at(m), w, images)
	}
	if at, ok := inMTL(mtlColors, w[0]); ok {
		return r.color3(at(m), w)
	}
	if set, ok := inMTL(mtlNumbers, w[0]); ok {
		if len(w) > 2 && w[1] == "-halo" {
			w = w[1:]
		}
		v, err := numbers(w, 1, 1)
		if err == nil {
			set(m, float64(v[0]))
		}
		return err
	}
	note, ok := inMTL(mtlLeftOut, w[0])
	if !ok {
		note = "statement " + clip(w[0]) + " of a material library is left out"
	}
	if note != "" {
		r.note(note)
	}
	return nil
}

// color3 reads a colour of three numbers, or of one for all.
func (r *objReader) color3(c []float32, w []string) error {
	if len(w) > 1 && (w[1] == "spectral" || w[1] == "xyz") {
		r.note("spectral colours are left out")
		return nil
	}
	v, err := numbers(w, 1, 3)
	if err != nil {
		return err
	}
	for k := range c {
		if k >= len(v) {
			v = append(v, v[0])
		}
		c[k] = clamp01(float64(v[k]))
	}
	return nil
}

// mapOptions is how many arguments the options of a map statement take at most.
var mapOptions = map[string]int{"-blendu": 1, "-blendv": 1, "-cc": 1, "-clamp": 1, "-mm": 2, "-o": 3, "-s": 3, "-t": 3, "-texres": 1, "-imfchan": 1, "-boost": 1, "-bm": 1, "-type": 1,
	"-colorspace": 1}

func (r *objReader) useMap(t *Texture, w []string, images map[string]int) error {
	*t = Texture{Image: -1, Sampler: defaultSampler}
	moved := Transform{Scale: [2]float64{1, 1}}
	i := 1
	for i < len(w) && strings.HasPrefix(w[i], "-") {
		n, ok := mapOptions[w[i]]
		if !ok {
			return fmt.Errorf("%s: unknown option %q", w[0], clip(w[i]))
		}
		if w[i] == "-clamp" && i+1 < len(w) && w[i+1] == "on" {
			t.WrapU, t.WrapV = ClampToEdge, ClampToEdge
		}
		vector := map[string]*[2]float64{"-o": &moved.Offset, "-s": &moved.Scale}[w[i]]
		// Vectors may leave out their last numbers.
		for i++; n > 0 && i < len(w)-1; n-- {
			v, err := strconv.ParseFloat(w[i], 64)
			if err != nil && n < 3 && w[i-1][0] != '-' {
				break
			}
			if vector != nil && n > 1 && err == nil {
				vector[3-n] = v
			}
			i++
		}
	}
	if moved.Offset != [2]float64{} || moved.Scale != [2]float64{1, 1} {
		moved.Offset[1] = 1 - moved.Scale[1] - moved.Offset[1] // as v goes down
		t.Transform = &moved
	}
	name := strings.Join(w[min(i, len(w)):], " ")
	if name == "" {
		return fmt.Errorf("%s names no file", w[0])
	}
	if k, ok := images[name]; ok {
		t.Image = k
		return nil
	}
	pix, err := r.from.image(name)
	if err != nil {
		return err
	}
	t.Image = r.m.add(name, pix)
	images[name] = t.Image
	return nil
}
