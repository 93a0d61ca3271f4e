package scenebuild

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/scene"
	"pica200/tests/testkit"
)

// A table that is set but not read gets a note with the reason.
func TestUnreadTablesGetNotes(t *testing.T) {
	const off, on0, on1 = "dmp_LightEnv.lutEnabledD0: false, ", "dmp_LightEnv.lutEnabledD0: true, ", "dmp_LightEnv.lutEnabledD1: true, "
	for _, c := range []struct{ uniforms, want string }{
		{on0 + "dmp_LightEnv.absLutInputD0: true, dmp_FragmentMaterial.samplerD0: t", ""},
		{off + "dmp_FragmentMaterial.samplerD0: t", "ring (line 4): dmp_FragmentMaterial.samplerD0 is given, but dmp_LightEnv.lutEnabledD0 is false, so it is not read"},
		{on1 + "dmp_FragmentMaterial.samplerD1: t", "dmp_LightEnv.config: config0 has no table D1, which reads as 1; those that have it are config2, config3, config4, config6, config7"},
		{on1 + "dmp_LightEnv.absLutInputD1: true, dmp_LightEnv.config: config2, dmp_FragmentMaterial.samplerD1: t", ""},
		{on0 + "dmp_LightEnv.absLutInputD0: true, dmp_LightEnv.absLutInputFR: true, dmp_LightEnv.config: config7, dmp_FragmentMaterial.samplerFR: t, dmp_FragmentMaterial.samplerD0: t", ""},
		{"dmp_LightEnv.config: config4, dmp_FragmentMaterial.samplerFR: t", "has no table FR"},
	} {
		s := testkit.Must(scene.Parse("x.yaml", []byte("target: {width: 16, height: 16}\nlights: [{position: [0, 1, 2]}]\ntables: {t: {power: 2}}\ndraws: [{model: ring, material: false, uniforms: {"+c.uniforms+"}}]\nmodels: {ring: {shape: box}}")))(t)
		st := testkit.Must(New(s))(t)
		lastPicture(t, st)
		if c.want == "" {
			require.Empty(t, st.Remarks(), c.uniforms)
			continue
		}
		require.Len(t, st.Remarks(), 1, c.uniforms)
		require.Contains(t, st.Remarks()[0], c.want)
	}
}

// A shader without normals in a lit draw, and a depth buffer that nothing passes because nothing clears it, get a note.
func TestNotesOfMissingNormalsAndClears(t *testing.T) {
	const quat, none, never = "it is lit, but its shader has no output normalquat", "so the buffer holds what was there", "drops all of their pixels"
	for _, c := range []struct{ text, want, not string }{
		{"target: {clear: {color: [0, 0, 0, 1]}}\ndraws: [{model: b}]", none, quat},
		{"target: {clear: {color: [0, 0, 0, 1], depth: 0}}\ndraws: [{model: b}]", never, none},
		{"target: {clear: {color: [0, 0, 0, 1], depth: 1}}\ndraws: [{model: b}]", "", never},
	} {
		s := testkit.Must(scene.Parse("x.yaml", []byte("models: {b: {shape: box}}\n"+c.text)))(t)
		st := testkit.Must(New(s))(t)
		require.NoError(t, st.Diagnose(t.Context(), 0, Options{Workers: 1}))
		said := strings.Join(st.Remarks(), "\n")
		require.Contains(t, said, c.want, c.text)
		require.NotContains(t, said, c.not, c.text)
	}
	dir := t.TempDir()
	for _, c := range []struct {
		out, light string
		want       bool
	}{{"", "lights: [{position: [0, 1, 2]}]\n", true}, {"", "", false}, {".out q normalquat\n", "lights: [{position: [0, 1, 2]}]\n", false}} {
		write := ""
		if c.out != "" {
			write = "mov q, inpos\n"
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "a.v.pica"), []byte(".out pos position\n"+c.out+".in inpos\n.proc main\nmov pos, inpos\n"+write+"end\n.end\n"), 0o666))
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte(c.light+"models: {b: {shape: box}}\nprograms: {p: {sources: [a.v.pica]}}\ndraws: [{model: b, program: p}]\n"), 0o666))
		st := testkit.Must(Load(path))(t)
		lastPicture(t, st)
		require.Equal(t, c.want, strings.Contains(strings.Join(st.Remarks(), "\n"), quat), "%v", c)
	}
	// a.v.pica reads no matrix now, so only what is not moved, or has guesses or a matrix, gets no note.
	const moved = "its transform and the camera have no effect"
	for draw, want := range map[string]bool{"p": false, "p, at: [1, 0, 0]": true, "p, spin: [90, 0, 1, 0]": true, "q, scale: 2": false, "g, scale: 2": false} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, "m.v.pica"), []byte(".fvec mvp[4]\n.out pos position\n.in inpos\n.proc main\nadd pos, mvp[0], inpos\nend\n.end\n"), 0o666))
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte("models: {b: {shape: box}}\nprograms: {p: {sources: [a.v.pica], guess: none, attributes: {inpos: position}}, "+
			"q: {sources: [m.v.pica], guess: none, attributes: {inpos: position}}, g: {sources: [a.v.pica]}}\n"+
			"draws: [{model: b, program: "+draw+"}]\n"), 0o666))
		st := testkit.Must(Load(path))(t, draw)
		lastPicture(t, st)
		require.Equal(t, want, strings.Contains(strings.Join(st.Remarks(), "\n"), moved), "%q: %q", draw, st.Remarks())
	}
}

// Metalness and occlusion by a map change the combiner, lighting and unit 1; uniforms of those keep the maps out.
func TestUniformsThatKeepMapsOut(t *testing.T) {
	for name, want := range map[string]bool{"dmp_TexEnv[5].constRgba": true, "dmp_LightEnv.config": true, "dmp_FragmentMaterial.ambient": true,
		"dmp_Texture[1].samplerType": true, "dmp_Texture[0].samplerType": false, "dmp_Fog.color": false, "own": false} {
		d := &drawing{Stage: &Stage{Scene: &scene.Scene{}}, pass: &scene.Pass{}}
		d.Scene.Uniforms = []scene.Uniform{{Name: name}}
		require.Equal(t, want, d.noChange(&scene.Draw{}) != "", name)
	}
}

// Settings of a draw that its state does not read get a note that says what would read them.
func TestUnreadSettingsGetNotes(t *testing.T) {
	const source = `"dmp_TexEnv[0].srcRgb": [GL_TEXTURE0, GL_TEXTURE0, GL_TEXTURE0]`
	const proc = `"dmp_Texture[3].samplerType": procedural, "dmp_TexEnv[0].srcRgb": [GL_TEXTURE3, GL_TEXTURE3, GL_TEXTURE3]`
	for _, c := range []struct{ draw, light, want string }{
		{"textures: [c], uniforms: {" + source + "}", "", ""},
		{"textures: [c]", "", "texture c is bound to unit 0, which no combiner stage reads (dmp_TexEnv[0].srcRgb: [GL_TEXTURE0, ...])"},
		{"textures: [none, c], uniforms: {" + source + "}", "", "bound to unit 1"},
		{"textures: [c], uniforms: {dmp_LightEnv.bumpMode: normal}", "", ""},
		{"textures: [c], registers: [{reg: GPUREG_TEXENV0_SOURCE, value: 0x000F0003}]", "", ""},
		{"uniforms: {dmp_Fog.sampler: t}", "", "dmp_Fog.sampler is given, but dmp_Fog.mode is GL_FALSE, so it is not read"},
		{"uniforms: {dmp_Fog.sampler: t, dmp_Fog.mode: GL_FOG}", "", ""},
		{"uniforms: {dmp_Fog.sampler: t, dmp_Fog.mode: GL_FALSE}", "", ""}, // intended, because the mode is set explicitly
		{"gas_colors: g", "", "gas_colors is given, but dmp_Fog.mode is GL_FALSE"},
		{"procedural_colors: g", "", "procedural_colors is given, but dmp_Texture[3].samplerType is GL_FALSE"},
		{"uniforms: {\"dmp_Texture[3].ptSamplerRgbMap\": t}", "", "dmp_Texture[3].ptSamplerRgbMap is given, but dmp_Texture[3].samplerType is GL_FALSE"},
		{"procedural_colors: g, uniforms: {" + proc + "}", "", "has no table dmp_Texture[3].ptSamplerRgbMap"},
		{"procedural_colors: g, uniforms: {\"dmp_Texture[3].ptSamplerRgbMap\": t, " + proc + "}", "", ""},
		{"procedural_colors: g, uniforms: {\"dmp_Texture[3].samplerType\": procedural}", "", "no combiner stage reads it"},
		{"name: b", "spot: [0, -1, 0], uniforms: {samplerSP: s}", "dmp_LightEnv.lutInputSP is nh"},
		{"uniforms: {dmp_LightEnv.lutInputSP: sp}", "spot: [0, -1, 0], uniforms: {samplerSP: s}", ""},
		{"uniforms: {dmp_LightEnv.lutInputSP: sp}", "uniforms: {samplerSP: s}", "light 0 has a table samplerSP, but no spot"},
		{"uniforms: {dmp_LightEnv.config: config3}", "spot: [0, -1, 0], uniforms: {samplerSP: s}", "config3 has no table SP, which reads as 1; those that have it are config0, config1, config4"},
		{"name: b", "uniforms: {samplerDA: t}", "light 0 has a table samplerDA, but distanceAttenuationEnabled is false"},
		{"name: b", "uniforms: {samplerDA: t, distanceAttenuationEnabled: true}", ""},
		{"uniforms: {dmp_LightEnv.lutEnabledD0: true, dmp_FragmentMaterial.samplerD0: t}", "", "made for inputs from 0 to 1, but dmp_LightEnv.absLutInputD0 is false"},
		{"uniforms: {dmp_LightEnv.lutEnabledD0: true, dmp_LightEnv.absLutInputD0: true, dmp_FragmentMaterial.samplerD0: s}", "", "is signed, but dmp_LightEnv.absLutInputD0 is true"},
	} {
		light := c.light
		if light == "" {
			light = "diffuse: [1, 1, 1]"
		}
		s := testkit.Must(scene.Parse("x.yaml", []byte("target: {width: 16, height: 16}\nlights: [{position: [0, 1, 2], "+light+
			"}]\ntables: {t: {power: 2}, s: {spot: {outer: 20}, signed: true}}\ngradients: {g: [[0, 1, 0, 0]]}\ntextures: {c: {pattern: checker}}\nmodels: {ring: {shape: box}}\n"+
			"draws: [{model: ring, material: false, "+c.draw+"}]")))(t, c.draw)
		st := testkit.Must(New(s))(t)
		lastPicture(t, st)
		if c.want == "" {
			require.Empty(t, st.Remarks(), c.draw+c.light)
			continue
		}
		require.Len(t, st.Remarks(), 1, c.draw+c.light)
		require.Contains(t, st.Remarks()[0], c.want)
	}
}

// lighted is a model with a turning node 1, for a camera or a light at (0, 0, 5) that looks along -z.
func lighted() *model.Model {
	m := single(wedge())
	m.Nodes = append(m.Nodes, model.Node{Parent: -1, Mesh: -1, Skin: -1, TRS: model.Identity})
	m.Nodes[1].TRS.T = mgl32.Vec3{0, 0, 5}
	return m
}

// Cameras of a model are chosen by name or number. They follow their nodes; the draw places them; a missing far plane lies behind the model.
func TestModelCameras(t *testing.T) {
	m := lighted()
	m.Cameras = []model.Camera{{Name: "eye", Node: 1, Fovy: 30, Near: 0.5}, {Node: 1, Height: 3, Near: 1, Far: 9}}
	m.Animations = []model.Animation{{Name: "up", Duration: 2, Channels: []model.Channel{{Node: 1, Path: model.Translation, Times: []float32{0, 2}, Values: []float32{0, 0, 5, 0, 4, 5}}}}}
	st := testkit.Must(newModel(m, "m.gltf"))(t)
	require.Equal(t, []string{"eye", "1"}, st.Cameras())
	require.EqualError(t, st.SetCamera("2"), `there is no camera "2"; choose from whole, eye, 1`)
	whole := st.Scene.Camera
	require.NoError(t, st.SetCamera("eye"))
	c := st.Scene.Camera
	for _, at := range []float64{0, 0.5, 1.5, 2.5} {
		y := 2 * math.Mod(at, 2)
		require.InDeltaSlice(t, []float64{0, y, 5}, c.Eye.At(at), 1e-3, at)
		toward := c.At.Vec3(at, mgl64.Vec3{}).Sub(c.Eye.Vec3(at, mgl64.Vec3{}))
		require.InDelta(t, -toward.Len(), toward[2], 1e-9)
	}
	require.Equal(t, []float64{30}, c.Fovy.At(0))
	require.Equal(t, 0.5, c.Near)
	require.Greater(t, c.Far, 6.0)
	pictureOf(t, st, 1)
	st.Scene.Draws[0].At = c.Up
	require.NoError(t, st.SetCamera("1"))
	c = st.Scene.Camera
	require.InDeltaSlice(t, []float64{0, 1, 5}, c.Eye.At(0), 1e-9)
	require.Equal(t, []float64{3}, c.Height.At(0))
	require.Equal(t, []float64{1, 9}, []float64{c.Near, c.Far})
	pictureOf(t, st, 1)
	st.Scene.Draws[0].At = nil
	m.Nodes = append(m.Nodes, make([]model.Node, 1<<15)...)
	require.NoError(t, st.SetCamera("eye"))
	require.Equal(t, 32, len(st.Scene.Camera.Eye.Keys), "its work is bounded")
	m.Nodes = m.Nodes[:2]
	require.NoError(t, st.SetCamera("whole"))
	require.InDeltaSlice(t, whole.Eye.At(0), st.Scene.Camera.Eye.At(0), 1e-5)
}

// Lights of a model light it: where they are and look to, as bright as distance and cone leave of them; the eight brightest of many.
func TestModelLights(t *testing.T) {
	lit := func(l ...model.Light) *Stage {
		m := lighted()
		for i := range l {
			l[i].Node = 1
		}
		m.Lights = l
		st := testkit.Must(newModel(m, "m.gltf"))(t)
		pictureOf(t, st, 0)
		return st
	}
	table := func(st *Stage, i int, x float64) float64 {
		v := st.Scene.Tables[i].Make(257)
		return float64(v[int(x*256)])
	}
	white := mgl32.Vec3{1, 1, 1}
	st := lit(model.Light{Color: mgl32.Vec3{1, 0.25, 0}, Intensity: 3})
	require.Equal(t, []float64{0, 0, 1}, st.Scene.Lights[0].Direction.At(0))
	require.InDeltaSlice(t, []float64{0.9797, 0.5258, 0}, st.Scene.Lights[0].Diffuse.At(0), 1e-3, "3/pi, and a quarter of it, as sRGB")
	// The middle of the wedge is 4.8 away; its light is as bright as the exposure makes it, half as far away four times as bright.
	st = lit(model.Light{Kind: model.PointLight, Color: white, Intensity: 1e6}, model.Light{Kind: model.PointLight, Color: white, Intensity: 1, Range: 2})
	require.Len(t, st.Scene.Lights, 2)
	require.InDelta(t, 1, st.Scene.Lights[0].Diffuse.At(0)[0], 1e-3)
	require.InDelta(t, 0, st.Scene.Lights[1].Diffuse.At(0)[0], 1e-3, "its range ends before the model")
	reach := 1 / st.Scene.Lights[0].Uniforms[2].Values[0].(float64)
	require.InDelta(t, 1, table(st, 0, 4.8/reach), 0.03)
	require.InDelta(t, model.ToDisplay(math.Pow(4.8/7.2, 2)), table(st, 0, 7.2/reach), 0.03)
	st = lit(model.Light{Kind: model.SpotLight, Color: white, Intensity: 100, Inner: 0.2, Outer: 0.6})
	require.Equal(t, []float64{0, 0, -1}, st.Scene.Lights[0].Spot.At(0))
	points := st.Scene.Tables[1].Points
	require.InDelta(t, math.Cos(0.6), points[1][0], 1e-6)
	require.Equal(t, 0.0, points[1][1])
	require.InDelta(t, math.Cos(0.2), points[33][0], 1e-6)
	require.InDelta(t, 1, points[33][1], 1e-6)
	many := make([]model.Light, 20)
	for i := range many {
		many[i] = model.Light{Color: white, Intensity: float64(i)}
	}
	st = lit(many...)
	require.Len(t, st.Scene.Lights, 8)
	require.Equal(t, []string{"the model has 20 lights; the 8 brightest are drawn"}, st.Warnings)
	require.InDelta(t, model.ToDisplay(19.0/(19+18+17+16+15+14+13+12)), st.Scene.Lights[0].Diffuse.At(0)[0], 1e-3)
	require.Len(t, lit().Scene.Lights, 2, "the viewer's")
}

// The scene of a model with lights and a camera, written to a file, shows the same.
func TestModelLightsAreWritten(t *testing.T) {
	m := lighted()
	m.Lights = []model.Light{{Kind: model.SpotLight, Node: 1, Color: mgl32.Vec3{1, 1, 0.5}, Intensity: 100, Inner: 0.1, Outer: 0.4}, {Node: 1, Color: mgl32.Vec3{0.5, 0.5, 1}, Intensity: 0.5}}
	m.Animations = []model.Animation{{Name: "up", Duration: 2, Channels: []model.Channel{{Node: 1, Path: model.Translation, Times: []float32{0, 2}, Values: []float32{0, 0, 5, 0, 4, 5}}}}}
	st := testkit.Must(newModel(m, "m.gltf"))(t)
	s := testkit.Must(scene.Parse("m.yaml", st.Text))(t)
	again := newStage(s)
	again.use("model", m)
	same(t, [2]*image.NRGBA{pictureOf(t, st, 1), pictureOf(t, again, 1)})
}
