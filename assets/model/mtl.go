package model

import (
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"
)

// readMTL reads a material library (Wavefront, Advanced Visualizer manual,
// appendix B2, and the common norm statement).
func (r *objReader) readMTL(data []byte) error {
	cur := -1
	images := map[string]int{}
	for i, im := range r.m.Images {
		images[im.Name] = i
	}
	return eachLine(data, func(w []string) error {
		if w[0] == "newmtl" {
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

func (r *objReader) materialLine(m *Material, w []string, images map[string]int) error {
	one := func() (float64, error) {
		v, err := numbers(w, 1, 1)
		if err != nil {
			return 0, err
		}
		return float64(v[0]), nil
	}
	switch w[0] {
	case "Kd", "Ke", "Ks":
		if len(w) > 1 && (w[1] == "spectral" || w[1] == "xyz") {
			r.note("spectral colours are left out")
			return nil
		}
		v, err := numbers(w, 1, 3)
		if err != nil {
			return err
		}
		for len(v) < 3 {
			v = append(v, v[0])
		}
		for k := range 3 {
			c := clamp01(float64(v[k]))
			switch w[0] {
			case "Kd":
				m.BaseColor[k] = c
			case "Ke":
				m.Emissive[k] = c
			default:
				m.Specular[k] = c
			}
		}
	case "Ns":
		v, err := one()
		if err != nil {
			return err
		}
		// The roughness whose Blinn-Phong exponent (2/r^2 - 2, with r the
		// square of glTF's roughness) is Ns.
		m.Roughness = float32(math.Sqrt(math.Sqrt(2 / (max(v, 0) + 2))))
	case "d", "Tr":
		if len(w) > 2 && w[1] == "-halo" {
			w = w[1:]
		}
		v, err := one()
		if err != nil {
			return err
		}
		if w[0] == "Tr" {
			v = 1 - v
		}
		if m.BaseColor[3] = clamp01(v); v < 1 {
			m.Alpha = Blend
		}
	case "Pr":
		v, err := one()
		m.Roughness = clamp01(v)
		return err
	case "Pm":
		v, err := one()
		m.Metallic = clamp01(v)
		return err
	case "illum":
		v, err := one()
		if err != nil {
			return err
		}
		m.Unlit = v == 0
	case "map_Kd":
		return r.useMap(&m.Base, w, images)
	case "map_Ke":
		return r.useMap(&m.EmissiveMap, w, images)
	case "norm":
		return r.useMap(&m.Normal, w, images)
	case "map_d":
		r.note("separate opacity maps are left out; put alpha into the colour map")
	case "map_Bump", "map_bump", "bump":
		r.note("height maps are left out; norm names a normal map")
	case "Ka", "Ni", "Tf", "sharpness":
	default:
		r.note("statement " + clip(w[0]) + " of a material library is left out")
	}
	return nil
}

// mapOptions is how many arguments the options of a map statement take at most.
var mapOptions = map[string]int{"-blendu": 1, "-blendv": 1, "-cc": 1, "-clamp": 1, "-mm": 2, "-o": 3, "-s": 3, "-t": 3, "-texres": 1, "-imfchan": 1, "-boost": 1, "-bm": 1, "-type": 1}

func (r *objReader) useMap(t *Texture, w []string, images map[string]int) error {
	*t = Texture{Image: -1, MagLinear: true, MinLinear: true, Mipmaps: true}
	i := 1
	for i < len(w) && strings.HasPrefix(w[i], "-") {
		n, ok := mapOptions[w[i]]
		if !ok {
			return fmt.Errorf("%s: unknown option %q", w[0], clip(w[i]))
		}
		if w[i] == "-clamp" && i+1 < len(w) && w[i+1] == "on" {
			t.WrapU, t.WrapV = ClampToEdge, ClampToEdge
		}
		// Vectors may leave out their last numbers.
		for i++; n > 0 && i < len(w)-1; n-- {
			if _, err := strconv.ParseFloat(w[i], 64); err != nil && n < 3 && w[i-1][0] != '-' {
				break
			}
			i++
		}
	}
	name := filepath.ToSlash(strings.ReplaceAll(strings.Join(w[min(i, len(w)):], " "), "\\", "/"))
	if name == "" {
		return fmt.Errorf("%s names no file", w[0])
	}
	if !filepath.IsLocal(name) {
		return fmt.Errorf("%s: %q is not below the model's folder", w[0], clip(name))
	}
	if k, ok := images[name]; ok {
		t.Image = k
		return nil
	}
	data, err := readFile(r.fsys, filepath.ToSlash(filepath.Clean(name)), maxFile)
	if err != nil {
		r.note("image " + clip(name) + " cannot be read; the material is drawn without it")
		return nil
	}
	pix, err := r.kept.decode(data)
	if err != nil {
		return fmt.Errorf("%s: %w", clip(name), err)
	}
	t.Image = len(r.m.Images)
	images[name] = t.Image
	r.m.Images = append(r.m.Images, Image{name, pix})
	return nil
}
