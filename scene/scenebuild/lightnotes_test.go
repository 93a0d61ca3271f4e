package scenebuild

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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
