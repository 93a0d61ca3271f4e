package scene

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
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

// Messages for the whole scene with one value or key replaced: the first of each kind in full, its count, and a checksum of all
// messages and read values.
func TestOddValueErrors(t *testing.T) {
	token := regexp.MustCompile(`[\w.\-"/~]+`)
	kind := regexp.MustCompile(`-?[0-9][0-9.e+]*|"[^"]*"|a key of .*`)
	odd := []string{"-1", "1e9", "what", "true", "[]", "{}", "0.5", "~", "[1, 2, 3]", "3", "none", "main", "smoke"}
	var order []string
	first, times := map[string]string{}, map[string]int{}
	sum := crc32.NewIEEE()
	for i, at := range token.FindAllStringIndex(wholeScene, -1) {
		if i%5 != 0 { // reading the whole scene takes milliseconds
			continue
		}
		v := odd[i/5%len(odd)]
		s, err := Parse("x/s.yaml", []byte(wholeScene[:at[0]]+v+wholeScene[at[1]:]))
		if err == nil {
			fmt.Fprintln(sum, crc32.ChecksumIEEE(s.Write("")))
			continue
		}
		fmt.Fprintln(sum, err)
		for line := range strings.Lines(err.Error()) {
			_, said, ok := strings.Cut(line, "s.yaml:")
			if !ok {
				continue
			}
			said = strings.TrimSpace(said)
			key := kind.ReplaceAllString(said, "#")
			if times[key]++; times[key] == 1 {
				order = append(order, key)
				first[key] = fmt.Sprintf("%s in place of %s: %.220s", v, wholeScene[at[0]:at[1]], said)
			}
		}
	}
	var b strings.Builder
	for _, key := range order {
		fmt.Fprintf(&b, "%3d  %s\n", times[key], first[key])
	}
	fmt.Fprintf(&b, "all: CRC-32 %08x\n", sum.Sum32())
	testkit.Golden(t, "testdata/damage.txt", []byte(b.String()))
}

// Targets, passes and draws that refer to each other wrongly give errors with positions.
func TestCrossReferenceErrors(t *testing.T) {
	const base = "models: {q: {shape: quad}}\ntextures: {t: {pattern: disc}}\n"
	var b strings.Builder
	for _, text := range []string{
		"passes: [{name: a, target: {share_color: b}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {share_color: main}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, draws: [{model: q}]}, {name: b, target: {share_color: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, draws: [{model: q}]}, {name: b, target: {share_depth: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {share_depth: b}, draws: [{model: q}]}, {name: b, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {share_color: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, draws: [{model: q}]}, {name: a, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {color: none}, draws: [{model: q}]}, {name: b, target: {share_color: a}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"passes: [{name: a, target: {color: rgb565, share_color: b}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"target: {share_color: a}\npasses: [{name: a, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"target: {share_color: a, share_depth: a}\npasses: [{name: a, target: {name: a2}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"target: {screen: top}\npasses: [{name: a, target: {screen: top}, draws: [{model: q}]}]\ndraws: [{model: q}]",
		"textures: {u: {from: a}}\npasses: [{name: a, draws: [{model: q}]}]\ndraws: [{model: q, textures: [u]}]",
		"textures: {u: {from: main}}\ndraws: [{model: q, textures: [u]}]",
		"draws: [{model: gone}]", "draws: [{model: q, textures: [gone]}]", "draws: [{model: q, textures: [t, t, t, t]}]", "draws: [{model: q, program: gone}]", "draws: []", "passes: []", "{}",
		"draws: [{model: q, procedural_colors: gone}]", "draws: [{model: q, gas_colors: gone}]", "gas_colors: gone\ndraws: [{model: q}]", "textures: {t: {pattern: checker, gradient: gone}}\ndraws: [{model: q}]",
		"target: {viewport: [0, 0, 0, 0]}\ndraws: [{model: q}]", "target: {viewport: [0, 0, 500, 10]}\ndraws: [{model: q}]", "target: {width: 12}\ndraws: [{model: q}]", "target: {width: 2048}\ndraws: [{model: q}]", "target: {width: 8, height: 1024}\ndraws: [{model: q}]",
		"camera: {near: 0}\ndraws: [{model: q}]", "camera: {near: 5, far: 2}\ndraws: [{model: q}]", "camera: {fovy: 180}\ndraws: [{model: q}]", "camera: {height: 2, fovy: 3}\ndraws: [{model: q}]",
		"textures: {t: {faces: [{pattern: disc}]}}\ndraws: [{model: q}]", "textures: {t: {pattern: disc, file: a.png}}\ndraws: [{model: q}]", "textures: {t: {}}\ndraws: [{model: q}]", "textures: {t: {pattern: disc, levels: [a.png]}}\ndraws: [{model: q}]",
		"models: {q: {}}\ndraws: [{model: q}]", "models: {q: {shape: quad, file: a}}\ndraws: [{model: q}]", "models: {q: {shape: box, count: 3}}\ndraws: [{model: q}]", "models: {q: {shape: points, count: 0}}\ndraws: [{model: q}]",
		"draws: [{model: q, transform: [{}]}]", "draws: [{model: q, transform: [{at: [0, 0, 0], scale: 2}]}]", "draws: [{model: q, transform: [{scale: 2}], at: [1, 2, 3]}]", "draws: [{model: q, refine: 9, patches: loop}]", "draws: [{model: q, refine: 1}]",
	} {
		whole := base
		for line := range strings.Lines(text) {
			if key, _, _ := strings.Cut(line, ":"); strings.Contains(base, key+":") && key != "draws" {
				kept := ""
				for l := range strings.Lines(whole) {
					if !strings.HasPrefix(l, key+":") {
						kept += l
					}
				}
				whole = kept
			}
		}
		_, err := Parse("s.yaml", []byte(whole+text+"\n"))
		said, _, _ := strings.Cut(fmt.Sprint(err), "\n")
		fmt.Fprintf(&b, "%s\n  %s\n", strings.ReplaceAll(text, "\n", "; "), said)
	}
	testkit.Golden(t, "testdata/mistakes.txt", []byte(b.String()))
}
