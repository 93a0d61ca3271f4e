package scene

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// examples returns the scenes in docs/SCENES.md.
func examples(t *testing.T) []string {
	page := testkit.Read(t, "../docs/SCENES.md")
	var out []string
	for _, b := range strings.Split(string(page), "```yaml\n")[1:] {
		text, _, ok := strings.Cut(b, "```")
		require.True(t, ok)
		out = append(out, text)
	}
	require.GreaterOrEqual(t, len(out), 6)
	return out
}

func TestDocumentedExamples(t *testing.T) {
	for _, text := range examples(t) {
		s := testkit.Must(Parse("docs/SCENES.md", []byte(text)))(t)
		require.NotEmpty(t, s.Draws)
	}
}

// TestPublishedSchemaAndKeys compares the generated schema and key table with the files in docs.
func TestPublishedSchemaAndKeys(t *testing.T) {
	testkit.Golden(t, "../docs/scene.schema.json", Schema())
	testkit.Golden(t, "../docs/SCENE-KEYS.md", []byte("# Keys of scenes\n\nThis page is generated from package scene. It lists every key of scene files; "+
		"[SCENES.md](SCENES.md) explains them\nby example. Defaults are in brackets. Where a curve is allowed, its numbers may also stand alone.\n\n"+published().Tables()))
}

// TestSchema checks that the JSON schema accepts and refuses the same scenes as the reader.
func TestSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	doc := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(Schema())))(t)
	require.NoError(t, c.AddResource("scene.schema.json", doc))
	s := testkit.Must(c.Compile("scene.schema.json"))(t)
	validate := func(text string) error {
		data := testkit.Must(yaml.YAMLToJSON([]byte(text)))(t, text)
		v := testkit.Must(jsonschema.UnmarshalJSON(bytes.NewReader(data)))(t, text)
		return s.Validate(v)
	}
	good := append(examples(t), wholeScene, bareScene)
	paths := testkit.Must(filepath.Glob("../testdata/scenes/*.yaml"))(t)
	require.Greater(t, len(paths), 15)
	for _, path := range paths {
		if !strings.HasSuffix(path, ".case.yaml") {
			data := testkit.Read(t, path)
			good = append(good, string(data))
		}
	}
	for _, text := range good {
		require.NoError(t, validate(text), text)
		s := testkit.Must(Parse("x.yaml", []byte(text)))(t)
		require.NoError(t, validate(string(s.Write(""))), "as written: %s", text)
	}
	for _, text := range []string{
		"draws: [{modle: ring}]",
		"draws: [{}]",
		"models: {ring: {shape: torus}}",
		"models: {ring: {shape: tours}}\ndraws: [{model: ring}]",
		"models: {ring: {shape: torus, file: ring.glb}}\ndraws: [{model: ring}]",
		"models: {ring: {shape: torus, normals: flat}}\ndraws: [{model: ring}]",
		"target: {width: 100000}\ndraws: []",
		"camera: {eye: [1, 2]}\ndraws: []",
		"camera: {eye: {keys: [[0, 1, 2]]}}\ndraws: []",
		"lights: [{position: [1, 2, 3], direction: [1, 2, 3]}]\ndraws: []",
		"lights: [{position: [1, 2, 3], uniforms: {shaded: true}}]\ndraws: []",
		"tables: {t: {power: 2, exp: 3}}\ndraws: []",
		"gradients: {g: [[0, 1, 1]]}\ndraws: []",
		"uniforms: {\"dmp_TexEnv[0].srcRbg\": GL_TEXTURE0}\ndraws: []",
		"uniforms: {\"dmp_TexEnv[0].combineRgb\": GL_MODULATED}\ndraws: []",
		"draws: [{model: m, blend: added}]",
		"draws: [{model: m, transform: [{at: [1, 2, 3], scale: 2}]}]",
	} {
		require.Error(t, validate(text), text)
	}
}

// TestCurves checks curves at their keys, between them, and when looped.
func TestCurves(t *testing.T) {
	c := &Curve{Keys: []Key{{1, []float64{0, 10}}, {3, []float64{4, 20}}}}
	require.Equal(t, []float64{0, 10}, c.At(0))
	require.Equal(t, []float64{2, 15}, c.At(2))
	require.Equal(t, []float64{4, 20}, c.At(9))
	c.Loop = true
	require.Equal(t, []float64{2, 15}, c.At(4))
	require.Equal(t, []float64{2, 15}, c.At(-2))
	require.Nil(t, (*Curve)(nil).At(1))
}

func TestTables(t *testing.T) {
	require.InDelta(t, 0.25, (&Table{Power: 2}).Make(257)[128], 1e-6)
	steps := (&Table{Steps: []mgl64.Vec2{{0, 0.1}, {0.5, 0.9}}}).Make(257)
	require.Equal(t, float32(0.1), steps[127])
	require.Equal(t, float32(0.9), steps[128])
	// Signed tables hold inputs 0 to 1 first, then -1 to 0.
	signed := (&Table{Points: []mgl64.Vec2{{-1, 0}, {1, 1}}, Signed: true}).Make(256)
	require.InDelta(t, 0.5, signed[0], 1e-6)
	require.InDelta(t, 0, signed[128], 1e-6)
}

func FuzzParse(f *testing.F) {
	for _, name := range []string{"lit", "gas", "shadow", "cel"} {
		data := testkit.Must(os.ReadFile("../testdata/scenes/" + name + ".yaml"))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, err := Parse("f.yaml", src)
		if err == nil {
			require.NotNil(t, s)
			s.Files()
		}
	})
}
