package modeldraw

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"pica200/assets/cgfx"
	"pica200/assets/shbin"
	"pica200/frontend/gl"
	"pica200/internal/mgl"
	"pica200/scene/shaderfit"
	"pica200/shaderunit/trial"
)

// vertexProgram is a vertex shader with its inputs.
type vertexProgram struct {
	*gl.Program
	own    bool                          // the library's
	inputs [][2]string                   // of a file's program: the input's name, and our name for its contents; "" for nothing
	fits   map[string]*shaderfit.Uniform // matrices of a file's program that were found by its code

	file   *shbin.File // of a file's program
	vertex int
	sound  bool // it gives vertices different positions
}

// programKey identifies a program of a file.
type programKey struct {
	binary *byte
	number uint32
}

// programFor returns the program for a material: the file's, if it is known how it computes positions, otherwise the library's.
func (d *Drawing) programFor(m *cgfx.Material) *vertexProgram {
	sh := d.set.shader(m)
	if sh == nil || len(sh.Binary) == 0 {
		return d.library
	}
	key := programKey{&sh.Binary[0], m.ShaderProgram}
	if p, ok := d.programs[key]; ok {
		return p
	}
	p, err := newProgram(sh, m.ShaderProgram)
	if err != nil {
		d.set.note("material %s: the shader that the file brings: %v; it is drawn with the library's program", m.Name, err)
		p = d.library
	}
	if len(p.fits) > 0 {
		var list []string
		for _, name := range slices.Sorted(maps.Keys(p.fits)) {
			list = append(list, p.fits[name].String())
		}
		d.set.note("material %s: what its shader's uniforms are was found in its code: %s", m.Name, strings.Join(list, "; "))
	}
	d.programs[key] = p
	return p
}

// shader returns the material's shader, or the one of the file that it refers
// to; nil if it is part of the console's system.
func (s *Set) shader(m *cgfx.Material) *cgfx.Shader {
	if m.Shader == nil || len(m.Shader.Binary) > 0 {
		return m.Shader
	}
	return s.File.Shaders.Get(m.Shader.Path)
}

func newProgram(sh *cgfx.Shader, number uint32) (*vertexProgram, error) {
	f, err := shbin.Parse(sh.Binary)
	if err != nil {
		return nil, err
	}
	vertex, geometry := int64(number), int64(-1)
	if vertex < int64(len(sh.Programs)) && sh.Programs[number] != nil {
		vertex, geometry = int64(sh.Programs[number].Vertex), int64(sh.Programs[number].Geometry)
	}
	if vertex < 0 || vertex >= int64(len(f.Executables)) || f.Executables[vertex].Type != shbin.VertexShader {
		vertex = int64(f.First(shbin.VertexShader))
	}
	if geometry >= int64(len(f.Executables)) || geometry >= 0 && f.Executables[geometry].Type != shbin.GeometryShader {
		geometry = -1
	}
	if vertex < 0 {
		return nil, fmt.Errorf("it has no vertex shader")
	}
	g, err := gl.LinkProgram(f, int(vertex), f, int(geometry))
	if err != nil {
		return nil, err
	}
	p := &vertexProgram{Program: g, file: f, vertex: int(vertex), sound: geometry >= 0}
	names := g.UniformNames()
	var fit *shaderfit.Fit
	if !slices.ContainsFunc(names, func(n string) bool { return uniformNames[fold(n)] == "projection" }) {
		fit = shaderfit.Find(shaderfit.Program{File: f, Vertex: int(vertex), Geometry: int(geometry)})
		if !p.fit(fit, names) {
			return nil, fmt.Errorf("none of its uniforms [%s] is a known projection, and its code does not show which is", strings.Join(names, " "))
		}
	}
	list := g.Inputs()
	if len(list) == 0 || len(list) > maxInputs {
		return nil, fmt.Errorf("it has %d inputs; expected 1 to %d", len(list), maxInputs)
	}
	registers := g.InputRegisters()
	for _, in := range list {
		register := bits.TrailingZeros16(registers)
		registers &^= 1 << register
		takes := inputOf(in)
		if takes == "" && fit != nil {
			for i := range fit.Inputs {
				if x := &fit.Inputs[i]; x.Name == in && slices.Contains(inputs[:], x.Stream) {
					takes = x.Stream
				}
			}
		}
		if takes == "" && register < len(inputs) {
			takes = inputs[register]
		}
		p.inputs = append(p.inputs, [2]string{in, takes})
	}
	return p, nil
}

// fit keeps the matrices that were found by a program's code and have no known
// name. It reports whether one of them leads to clip space.
func (p *vertexProgram) fit(f *shaderfit.Fit, names []string) (projects bool) {
	p.fits = map[string]*shaderfit.Uniform{}
	for i := range f.Uniforms {
		u := &f.Uniforms[i]
		if u.Geometry || u.Role == shaderfit.Value || u.Role == shaderfit.Identity || !slices.Contains(names, u.Name) || uniformNames[fold(u.Name)] != "" {
			continue
		}
		p.fits[u.Name] = u
		projects = projects || u.Role == shaderfit.Projection || u.Role == shaderfit.ModelViewProjection || u.Role == shaderfit.ViewProjection
	}
	return projects
}

// maxInputs is the hardware's number of attributes.
const maxInputs = 12

// fold makes names comparable: without capitals, underscores, components at the
// end, and a leading u for uniform or a for attribute.
func fold(name string) string {
	name = strings.TrimSuffix(name, "[0]")
	if at := strings.LastIndexByte(name, '.'); at > 0 && strings.Trim(name[at+1:], "xyzw") == "" {
		name = name[:at]
	}
	if len(name) > 1 && strings.ContainsRune("aui", rune(name[0])) && name[1] >= 'A' && name[1] <= 'Z' {
		name = name[1:]
	}
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}

// uniformNames maps folded names of uniforms to their meaning: names of the
// library's program, SPICA's names for registers of the system's shader, and
// common names in homebrew.
var uniformNames = map[string]string{
	"projection": "projection", "projmtx": "projection", "proj": "projection", "projectionmatrix": "projection",
	"viewmtx": "view", "view": "view", "viewmatrix": "view",
	"wrldmtx": "world", "world": "world", "worldmatrix": "world", "modelmatrix": "world",
	"modelview": "modelView", "mv": "modelView", "modelviewmatrix": "modelView",
	"normmtx": "normal", "normalmatrix": "normal",
	"bones": "bones", "univreg": "worldBones",
	"posoffs": "positionOffset", "positionoffset": "positionOffset",
	"irscale": "scales", "scalea": "scaleA", "scaleb": "scaleB",
	"texcmap": "sources", "texmtx0": "texture0", "texture0": "texture0", "texmtx1": "texture1", "texture1": "texture1",
	"texmtx2": "texture2", "texture2": "texture2", "textran": "translations",
	"matambi": "ambient", "matdiff": "diffuse", "colorscale": "colorScale",
	"hslgcol": "groundColor", "groundcolor": "groundColor", "hslscol": "skyColor", "skycolor": "skyColor",
	"hslsdir": "skyDirection", "skydirection": "skyDirection", "lightdirection": "lightDirection", "lightcolor": "lightColor",
	"smooth": "smooth", "issmosk": "smooth", "pervertex": "perVertex", "isrgdsk": "rigid", "rigid": "rigid",
	"hasnormal": "hasNormal", "tangents": "tangents", "sky": "sky", "ishemil": "sky",
	"sphere0": "sphere0", "sphere1": "sphere1", "sphere2": "sphere2", "cube0": "cube0",
	"isverta": "hasColor", "isbonew": "fourWeights", "isquate": "hasNormal", "uvmap0": "uv0", "uvmap1": "uv1", "uvmap2": "uv2",
	"istex1": "unit1", "istex2": "unit2", "isunisc": "off", "usenorm": "off", "ishemio": "off", "isvertl": "off",
}

// inputOf returns the attribute for an input: by its name, or by its register
// number if it has none. Source of the order: SPICA, PICAAttributeName.
func inputOf(name string) string {
	var n int
	if k, err := fmt.Sscanf(name, "v%d", &n); k == 1 && err == nil && n < len(inputs) {
		return inputs[n]
	}
	f := strings.TrimPrefix(fold(name), "in")
	for i, s := range [][]string{
		{"position", "pos", "vertex"}, {"normal", "norm", "nrm"}, {"tangent"}, {"color", "colour", "clr"}, {"texcoord0", "texcoord", "uv0", "uv", "tex0"},
		{"texcoord1", "uv1", "tex1"}, {"texcoord2", "uv2", "tex2"}, {"boneindex", "joints", "bones"}, {"boneweight", "weights"}} {
		if slices.Contains(s, f) {
			return inputs[i]
		}
	}
	for i, s := range inputs {
		if f == s || f == strings.Replace(s, "user", "userattribute", 1) {
			return inputs[i]
		}
	}
	return ""
}

// values are the values of the program's uniforms, by their names in the
// library's program, and by other known names.
type values struct {
	floats   map[string][]mgl32.Vec4
	bools    map[string]bool
	matrices map[shaderfit.Role]mgl64.Mat4 // for the roles found in the code of a file's program
}

// fileUniforms sets the uniforms of a file's program: known names first, then the
// material's parameters.
func (d *Drawing) fileUniforms(p *vertexProgram, l *materialState, v *values) error {
	if v.floats["worldBones"] != nil && p.HasUniform("UnivReg") {
		// Bones lead to the world, from which this leads to the view.
		v.floats["normal"] = mgl.Rows(d.view.ToView, 4)
	}
	var unset []string
	for _, u := range p.Uniforms() {
		var err error
		value := parameter(l.Material, u.Name)
		meaning := uniformNames[fold(u.Name)]
		switch {
		case value != nil && len(u.Floats) > 0 && value.Type > 0:
			err = p.SetFloat(u.Name, numbers([]mgl32.Vec4{value.Values})...)
		case value != nil && len(u.Bools) > 0 && value.Type == 0:
			err = p.SetBool(u.Name, value.Bool != 0)
		case len(u.Floats) > 0 && v.floats[meaning] != nil:
			f := v.floats[meaning]
			err = p.SetFloat(u.Name, numbers(f[:min(len(f), len(u.Floats))])...)
		case len(u.Floats) > 0 && p.fits[u.Name] != nil:
			var out []mgl32.Vec4
			for _, r := range p.fits[u.Name].Registers(v.matrices[p.fits[u.Name].Role]) {
				out = append(out, mgl.Narrow4(r))
			}
			err = p.SetFloat(u.Name, numbers(out[:min(len(out), len(u.Floats))])...)
		case len(u.Bools) > 0 && meaning != "":
			err = p.SetBool(u.Name, v.bools[meaning])
		default:
			unset = append(unset, u.Name)
		}
		if err != nil {
			return err
		}
	}
	if len(unset) > 0 {
		d.set.note("material %s: nothing says what the uniforms [%s] of its shader are; they keep what the shader file gives them, or 0", l.Name, strings.Join(unset, " "))
	}
	return nil
}

func parameter(m *cgfx.Material, name string) *cgfx.ShaderParameter {
	for _, p := range m.Parameters {
		if p != nil && p.Name == name {
			return p
		}
	}
	return nil
}

// numbers replaces NaN, which would hang the console, with 0.
func numbers(v []mgl32.Vec4) []mgl32.Vec4 {
	out := slices.Clone(v)
	for i := range out {
		for k, x := range out[i] {
			if x != x {
				out[i][k] = 0
			}
		}
	}
	return out
}

// extend adds values that shaders of files use besides the library's: bones in
// world space, the view matrix, colours.
func (v *values) extend(d *Drawing, l *materialState, p *primitives, first mgl64.Mat4) {
	inverse, _ := mgl.Inverse(d.view.ToView)
	world := mgl.Mul(inverse, first)
	v.floats["view"] = mgl.Rows(d.view.ToView, 4)
	v.floats["modelView"] = mgl.Rows(first, 4)
	v.floats["world"] = mgl.Rows(mgl64.Ident4(), 4)
	if p.skin == cgfx.Unskinned {
		v.floats["world"] = mgl.Rows(world, 4)
	}
	normal := world
	for c := range 3 {
		if n := world.Col(c).Vec3().Len(); n > 0 {
			normal.SetCol(c, world.Col(c).Mul(1/n))
		}
	}
	v.floats["normal"] = mgl.Rows(normal, 4)
	v.matrices = map[shaderfit.Role]mgl64.Mat4{shaderfit.Projection: d.view.Projection, shaderfit.ModelView: first,
		shaderfit.ModelViewProjection: mgl.Mul(d.view.Projection, first), shaderfit.Model: world, shaderfit.View: d.view.ToView,
		shaderfit.ViewProjection: mgl.Mul(d.view.Projection, d.view.ToView), shaderfit.Normal: first, shaderfit.Bones: first}
	var palette []mgl32.Vec4
	for b := v.floats["bones"]; len(b) >= 3; b = b[3:] {
		m := mgl64.Ident4()
		for r := range 3 {
			m.SetRow(r, mgl.Wide3(b[r].Vec3()).Vec4(float64(b[r][3])))
		}
		palette = append(palette, mgl.Rows(mgl.Mul(inverse, m), 3)...)
	}
	v.floats["worldBones"] = palette
	a, b := v.floats["scaleA"][0], v.floats["scaleB"][0]
	// Attributes that are not there have the scale 0.
	scale := func(u cgfx.Usage, s float32) float32 {
		if !p.has[u] {
			return 0
		}
		return s
	}
	v.floats["scales"] = []mgl32.Vec4{{a[0], scale(cgfx.Normal, a[1]), scale(cgfx.Tangent, a[1]), scale(cgfx.Color, a[2])}, {b[1], b[2], b[3], b[0]}, {a[3]}}
	sources, translations := mgl32.Vec4{}, mgl32.Vec4{}
	for i := range l.coords {
		sources[i] = float32(l.coords[i].Source)
		if l.coords[i].Mapping != cgfx.MapUV {
			sources[i] = 2 + float32(min(l.coords[i].Mapping, cgfx.MapProjection))
		}
		if i < 2 {
			translations[2*i], translations[2*i+1] = l.coords[i].Translation[0], l.coords[i].Translation[1]
		}
	}
	v.floats["sources"], v.floats["translations"] = []mgl32.Vec4{sources}, []mgl32.Vec4{translations}
	ambient := l.colors[1]
	ambient[3] = v.floats["colorScale"][0][0]
	v.floats["ambient"], v.floats["diffuse"] = []mgl32.Vec4{ambient}, []mgl32.Vec4{l.colors[2]}
	v.bools["rigid"] = p.skin == cgfx.Rigid
	v.bools["hasColor"], v.bools["fourWeights"] = p.has[cgfx.Color], p.streams[cgfx.BoneWeight].size == 4
	for i := range l.coords {
		v.bools[fmt.Sprintf("uv%d", i)], v.bools[fmt.Sprintf("unit%d", i)] = l.coords[i].Mapping == cgfx.MapUV, l.textures[i] != nil
	}
	if v.floats["groundColor"] == nil {
		for _, name := range []string{"groundColor", "skyColor", "skyDirection"} {
			v.floats[name] = []mgl32.Vec4{{}}
		}
	}
}

// collapses reports whether a file's program, with its uniforms set, gives one
// position to vertices with different ones.
func (p *vertexProgram) collapses(streams *[usages]stream, vertices int) bool {
	if p.own || p.sound || vertices < 2 {
		return false
	}
	sh, err := trial.Load(p.file, p.vertex)
	if err != nil {
		return false
	}
	for _, u := range p.Uniforms() {
		var values []float64
		for _, f := range u.Floats {
			values = append(values, float64(f[0]), float64(f[1]), float64(f[2]), float64(f[3]))
		}
		for _, n := range u.Ints {
			values = append(values, float64(n[0]), float64(n[1]), float64(n[2]), float64(n[3]))
		}
		for _, b := range u.Bools {
			values = append(values, map[bool]float64{true: 1}[b])
		}
		if sh.SetUniform(u.Name, values) != nil {
			return false
		}
	}
	var from, to [4]float32
	const most = 16 // vertices to try
	step := max(vertices/most, 1)
	for k := 0; k < vertices; k += step {
		var v trial.Vertex
		registers := p.InputRegisters()
		for _, in := range p.inputs {
			r := bits.TrailingZeros16(registers)
			registers &^= 1 << r
			if i := slices.Index(inputs[:], in[1]); i >= 0 {
				v[r] = streams[i].at(k)
			}
		}
		result, err := sh.Run(&v, nil, nil)
		if err != nil {
			return false
		}
		var at [4]float32
		for _, o := range result.Outputs {
			if o.Meaning == "position" {
				copy(at[:], o.Value)
			}
		}
		place := streams[cgfx.Position].at(k)
		if k > 0 && at != to {
			p.sound = true
			return false
		}
		if k > 0 && place != from {
			return true
		}
		from, to = place, at
	}
	return false
}

// bound lists the program's inputs with what they take.
func (p *vertexProgram) bound() [][2]string {
	if !p.own {
		return p.inputs
	}
	out := make([][2]string, librarySize)
	for i := range out {
		out[i] = [2]string{inputs[i], inputs[i]}
	}
	return out
}
