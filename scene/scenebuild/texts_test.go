package scenebuild

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/shbin"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/scene/shaderfit"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

// Stored results for small scenes that each add one key: GPU input, or the error of those that cannot be drawn.
func TestSingleKeySceneChecksums(t *testing.T) {
	const base = `
target: {width: 64, height: 32}
camera: {eye: [1, 2, 5]}
lights: [{position: [1, 2, 3]}]
textures:
  a: {pattern: checker, size: 16}
  b: {pattern: noise, size: 16, mipmaps: true, mip: linear}
  cube: {faces: [{pattern: solid}, {pattern: disc}, {pattern: checker}, {pattern: glow}, {pattern: wood}, {pattern: tiles}]}
  levels: {levels: [{pattern: checker, size: 16}, {pattern: disc, size: 8}], mip: nearest}
models: {m: {shape: box}, q: {shape: quad}, p: {shape: points, count: 3}, bones: {file: arm.gltf}}
`
	var list []string
	// Keys of a draw.
	for _, keys := range []string{"", "at: [1, 2, 3]", "at: {keys: [[0, 1, 0, 0], [1, 2, 0, 0]]}", "rotate: [30, 0, 1, 0]", "spin: [90, 0, 1, 0]", "scale: 2", "scale: [1, 2, 3]", "scale: 0",
		"matrix: [1,2,0,0, 0,1,3,0, 0,0,1,4, 0,0,0,1]", "matrix: [1,0,0,0, 0,1,0,0, 0,0,1,0, 1,0,0,1]", "transform: [{at: [1, 2, 3]}, {rotate: [90, 0, 0, 1]}, {spin: [10, 1, 0, 0]}, {scale: [1, 2, 3]}]",
		"cull: none", "cull: front", "cull: back", "depth: {test: false}", "depth: {write: false}", "depth: {func: greater}", "blend: add", "blend: alpha", "blend: multiply", "blend: {equation: subtract, equation_alpha: max, src: dst_color, dst: src_alpha, src_alpha: const_alpha, dst_alpha: src_color, color: [0.1, 0.2, 0.3, 1]}",
		"blend: {src: one}", "stencil: {}", "stencil: {func: equal, ref: 3, mask: 15, write: 7, fail: zero, zfail: invert, zpass: replace}", "write: rg", `write: "-"`, "logic: xor", "scissor: [1, 2, 3, 4]", "scissor: [60, 0, 20, 20]",
		"primitive: strip", "primitive: fan", "lit: true", "lit: false", "bump: true, textures: [a, b]", "color: [1, 0.5, 0.25, 0.5]", "textures: [a]", "textures: [none, b, levels]", "textures: [cube]", "textures: [a, cube]", "textures: [odd faces]", "textures: [odd levels]", "textures: [gone]", "uniforms: {dmp_FragOperation.enableAlphaTest: true}", `uniforms: {"dmp_TexEnv[1].combineRgb": GL_ADD}`, "uniforms: {what: 1}", "uniforms: {dmp_what: 1}", "uniforms: {dmp_Fog.color: [1, 2]}", "registers: [{reg: 0x106, value: 2, mask: 1}]", "registers: [{reg: 0x22F, value: 1}]",
		"patches: loop", "patches: catmull_clark", "refine: 1", "patches: loop, refine: 1", "mesh: nothing", "animation: nothing", "material: false", "program: textured", "program: vertex_lit"} {
		list = append(list, "draws: [{model: m, "+keys+"}]")
	}
	for _, model := range []string{"q", "p", "bones", "bones, animation: none", "bones, lit: true", "bones, material: false", "bones, program: skinned", "bones, mesh: nothing", "q, program: line", "p, program: point", "q, program: silhouette", "q, program: loop, patches: loop", "q, program: loop"} {
		list = append(list, "draws: [{model: "+model+"}]")
	}
	// Keys of a scene.
	for _, keys := range []string{"camera: {eye: [0, 0, 0], at: [0, 0, 0]}", "camera: {eye: [0, 5, 0], at: [0, 0, 0]}", "camera: {height: 3}", "camera: {height: 0}", "camera: {height: -1}", "camera: {rotated: true}", "camera: {turntable: 30}", "camera: {turntable: 30, up: [0, 0, 1]}",
		"camera: {fovy: 60, near: 1, far: 9}", "camera: {projection: [1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}", "camera: {projection: [1,0,0,0,0,1,0,0,0,0,1,0,0,0,1,0]}", "camera: {height: 3, rotated: true}", "camera: {stereo: {eyes: 0.5, convergence: 3}}",
		"target: {width: 32, height: 64, color: rgb565, depth: d16, clear: {color: [1, 0.5, 0, 1], depth: 0.5}}", "target: {viewport: [8, 8, 16, 8]}", "target: {color: none}", "target: {depth: none}", "target: {screen: top}", "target: {screen: bottom}", "target: {width: 400, height: 240, screen: top}", "target: {width: 240, height: 400, screen: top}", "target: {width: 320, height: 240, screen: bottom}", "target: {width: 240, height: 400, screen: top}\ncamera: {rotated: true, stereo: {eyes: 0.5, convergence: 3}}",
		"time: 2", "ambient: [1, 0, 0]", "lights: [{direction: [1, 0, 0], specular0: [1, 1, 1]}]", "lights: [{position: [1, 2, 3], spot: [0, 0, -1], uniforms: {geomFactor0: true}}]", "lights: []", "lights: [{direction: {keys: [[0, 0, 0, 1], [2, 1, 0, 0]]}}]",
		"lights: [" + strings.Repeat("{position: [1, 2, 3]}, ", 8) + "]", "gradients: {g: [[0, 1, 0, 0], [1, 0, 1, 0]]}\nprocedural_colors: g", "gradients: {g: [[0, 1, 0, 0], [1, 0, 1, 0]]}\ngas_colors: g", "tables: {t: {power: 4}}\nuniforms: {dmp_FragmentMaterial.samplerD0: t, dmp_LightEnv.lutEnabledD0: true}",
		"tables: {t: {fog: {density: 0.5}}}\nuniforms: {dmp_Fog.sampler: t, dmp_Fog.mode: GL_FOG}", "tables: {t: {fog: {start: 1, end: 9}}}\nuniforms: {dmp_Fog.sampler: t, dmp_Fog.mode: GL_FOG}", "tables: {t: {fog: {density: 0.5, exponent: 2}}}\nuniforms: {dmp_Fog.sampler: t}", "uniforms: {dmp_Fog.sampler: gone}", "registers: [{reg: 0x106, value: 2}]"} {
		list = append(list, keys+"\ndraws: [{model: m, lit: true}]", keys+"\ndraws: [{model: m}, {model: q, at: [1, 0, 0]}]")
	}
	for _, passes := range []string{"{name: smoke, draws: [{model: q}]}", "{name: smoke, target: {width: 32, height: 32}, draws: [{model: q}]}", "{name: smoke, mode: gas, target: {width: 32, height: 32, color: rgba8}, draws: [{model: q}]}", "{name: smoke, mode: shadow, target: {width: 32, height: 32}, draws: [{model: q}]}",
		"{name: smoke, target: {width: 32, height: 32, depth: none}, camera: {height: 2}, draws: [{model: q}]}", "{name: smoke, target: {width: 32, height: 32}, draws: [{model: q}]}, {name: two, target: {share_color: smoke}, draws: [{model: m}]}", "{name: smoke, target: {width: 32, height: 32}, draws: [{model: q}]}, {name: two, target: {share_depth: smoke}, draws: [{model: m}]}",
		"{name: smoke, target: {color: none, width: 32, height: 32}, draws: [{model: q}]}", "{name: other, draws: [{model: q}]}", "{name: top, target: {width: 240, height: 400, screen: top}, draws: [{model: q}]}, {name: right, target: {width: 240, height: 400, screen: topright}, draws: [{model: q}]}"} {
		list = append(list, "passes: ["+passes+"]\ndraws: [{model: m, textures: [smoke]}]", "passes: ["+passes+"]\ndraws: [{model: m}]")
	}
	var b strings.Builder
	for _, text := range list {
		whole := base
		for line := range strings.Lines(text) { // of repeated keys the last one is kept
			key, _, _ := strings.Cut(line, ":")
			kept := ""
			for l := range strings.Lines(whole) {
				if !strings.HasPrefix(l, key+":") {
					kept += l
				}
			}
			whole = kept
		}
		for name, texture := range map[string]string{"smoke": "{from: smoke}", "odd levels": "{levels: [{pattern: checker, size: 16}, {pattern: disc, size: 16}]}",
			"odd faces": "{faces: [{pattern: solid}, {pattern: disc, size: 16}, {pattern: checker}, {pattern: glow}, {pattern: wood}, {pattern: tiles}]}"} {
			if strings.Contains(text, "["+name+"]") {
				whole = strings.Replace(whole, "textures:\n", "textures:\n  "+name+": "+texture+"\n", 1)
			}
		}
		if _, program, ok := strings.Cut(text, "program: "); ok {
			program = program[:strings.IndexAny(program, ",}")]
			whole += "programs: {" + program + ": {library: " + program + "}}\n"
		}
		fmt.Fprintf(&b, "%.200s\n", text)
		s, err := scene.Parse("../../testdata/scenes/s.yaml", []byte(whole+text+"\n"))
		if err == nil {
			var st *Stage
			if st, err = New(s); err == nil {
				dev := &testkit.Device{}
				var names []string
				names, err = st.Draw(t.Context(), dev, 0.75)
				fmt.Fprintf(&b, "  %q %v", names, dev)
				for _, list := range [][]string{st.Warnings, st.Notes(), st.Remarks()} {
					fmt.Fprintf(&b, " %q", list)
				}
				b.WriteString("\n")
			}
		}
		if err != nil {
			first, _, _ := strings.Cut(err.Error(), "\n")
			fmt.Fprintf(&b, "  error: %s\n", first)
		}
	}
	testkit.Golden(t, "testdata/texts.txt", []byte(b.String()))
}

// Parse recognizes a stream by its content; unknown content gives an error.
func TestStreamFormatIsRecognized(t *testing.T) {
	kit := testkit.Read(t, "../../testdata/models/kit.cgfx")
	arm := testkit.Read(t, "../../testdata/scenes/arm.gltf")
	const vertex = ".fvec projection[4]\n.in position\n.out pos position\n.out clr color\n.proc main\nmul r0, projection[0], position\nmov pos, r0\nmov clr, position\nend\n.end\n"
	st := testkit.Must(Parse("kit", kit))(t)
	require.True(t, st.HasResources())
	require.Empty(t, st.Files(), "a scene read from a stream has no files")
	st = testkit.Must(Parse("arm", arm))(t)
	require.Len(t, st.models, 1)
	require.Empty(t, st.Files())
	st = testkit.Must(Parse("obj", []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")))(t)
	require.Len(t, st.models, 1)
	st = testkit.Must(Parse("-", []byte("draws: [{model: m}]\nmodels: {m: {shape: box}}\n")))(t)
	require.Empty(t, st.Files())
	st = testkit.Must(Parse("-", []byte("draws: [{model: m, textures: [t]}]\nmodels: {m: {file: ../../testdata/scenes/arm.gltf}}\ntextures: {t: {pattern: disc}}\n"), "../.."))(t)
	require.Equal(t, []string{filepath.FromSlash("../../testdata/scenes/arm.gltf")}, st.Files())
	st = testkit.Must(Parse("shader", []byte(vertex)))(t)
	require.Empty(t, st.Files())
	require.Len(t, st.Scene.Programs, 1)
	file, diagnostics := asm.Assemble(asm.Options{}, asm.Source{Name: "a", Text: []byte(vertex)})
	require.Empty(t, diagnostics)
	binary := testkit.Must(file.Bytes())(t)
	st = testkit.Must(Parse("shader", binary))(t)
	require.Len(t, st.Scene.Programs, 1)
	for text, want := range map[string]string{
		"hello\n": "hello is not a scene (YAML with draws or passes), not a model (glTF, OBJ, CGFX, BCH, banner) and not a shader", "name: x\n": "is not a scene",
		"draws: [{}]\n": "draws", "  .proc main\n.end\n": "", ".gsh point c0\nwhat\n": "", ".process\n": "is not a scene", ".out pos position\x00": "is not a scene",
		string(binary[:20]): "", string(kit[:30]): "", "glTF": "", "v 1 2 3\nf 1 2 9\n": "vertex 2 of 1",
		".proc main\n" + strings.Repeat(";", maxShader): fmt.Sprintf("has %d bytes; at most %d are read", maxShader+11, maxShader),
	} {
		name, _, _ := strings.Cut(text, "\n")
		_, err := Parse(name[:min(len(name), 20)], []byte(text))
		require.ErrorContains(t, err, want, "%.30q", text)
	}
	large := make([]byte, maxResource+4)
	copy(large, "CGFX")
	_, err := Parse("large", large)
	require.ErrorContains(t, err, fmt.Sprintf("large has %d bytes; at most %d are read", maxResource+4, maxResource))
	_, err = Parse("draws: [{}]", []byte("draws: [{model: gone}]\n"))
	require.ErrorContains(t, err, `gone`)
}

// The scene that is made for a model or a shader draws the same when its text is read.
func TestTextOfMadeScenes(t *testing.T) {
	for _, path := range []string{"../../testdata/models/kit.cgfx", "../../testdata/scenes/arm.gltf", "testdata/shaders/pass-through.v.pica"} {
		made := testkit.Must(Load(path))(t, path)
		read := testkit.Must(parseScene(filepath.Join(filepath.Dir(path), "read.yaml"), made.Text, nil))(t, path)
		var pictures [2][]byte
		for i, st := range []*Stage{made, read} {
			g, _, err := st.Render(t.Context(), 0.5, Options{Workers: 1})
			require.NoError(t, err, path)
			pictures[i] = testkit.Must(pipeline.ColorImage(testkit.Must(g.LastTarget())(t)))(t).Pix
			g.Close()
		}
		require.True(t, bytes.Equal(pictures[0], pictures[1]), path)
		require.Equal(t, made.Duration(), read.Duration(), path)
	}
}

// Inputs are found by name, alias or register; an unknown one gives an error with a list of the program's inputs.
func TestProgramInputNames(t *testing.T) {
	const source = ".in position v2\n.alias tint v7\n.out pos position\n.out clr color\n.proc main\nmov pos, position\nmov r0, v5\nadd r0, r0, tint\nmov clr, r0\nend\n.end\n"
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.v.pica"), []byte(source), 0o666))
	for attributes, want := range map[string]string{
		"{position: position, v5: color, tint: texcoord}": "", "{v2: position}": "", "{v7: normal}": "",
		"{uv: texcoord}": `it has no input "uv"; it has [position v5 v7 = tint]`, "{v16: texcoord}": `no input "v16"`,
	} {
		path := filepath.Join(dir, "s.yaml")
		require.NoError(t, os.WriteFile(path, []byte("programs: {p: {sources: [a.v.pica], attributes: "+attributes+"}}\nmodels: {m: {shape: box}}\ndraws: [{model: m, program: p}]\n"), 0o666))
		_, err := Load(path)
		if want == "" {
			require.NoError(t, err, attributes)
			continue
		}
		require.ErrorContains(t, err, want, attributes)
	}
	p := loadedProgram{file: &shbin.File{Executables: []shbin.Executable{{Uniforms: []shbin.Uniform{{Name: "far", Start: 16, End: 16}, {Name: "near", Start: 15, End: 15}}}}}}
	for name, want := range map[string]int{"near": 15, "v0": 0, "v15": 15, "also": 3, "far": -1, "v16": -1, "": -1} {
		reg, ok := p.inputNamed(name, map[int]string{3: "also"})
		require.Equal(t, want >= 0, ok, name)
		require.Equal(t, max(want, 0), reg, name)
	}
}

// A palette with three rows per bone fills an array of three or four rows per bone.
func TestBonePaletteRows(t *testing.T) {
	var palette []mgl32.Vec4
	for i := range 9 {
		palette = append(palette, mgl32.Vec4{float32(i), 1, 2, 3})
	}
	last := mgl32.Vec4{0, 0, 0, 1}
	three := func(n int) []mgl32.Vec4 { return palette[3*n : 3*n+3] }
	for count, want := range map[int][]mgl32.Vec4{
		2: {}, 3: three(0), 4: append(append([]mgl32.Vec4{}, three(0)...), last), 6: palette[:6], 7: palette[:6], 8: append(append(append(append([]mgl32.Vec4{}, three(0)...), last), three(1)...), last),
		9: palette, 12: palette, 30: palette, 16: append(append(append(append(append(append([]mgl32.Vec4{}, three(0)...), last), three(1)...), last), three(2)...), last),
	} {
		require.Equal(t, want, bones(&shaderfit.Uniform{Count: count}, palette), count)
	}
	require.Empty(t, bones(&shaderfit.Uniform{Count: 9}, palette[:2]))
}

// distance converts a depth to a distance for both projections.
func TestDepthToDistance(t *testing.T) {
	v := view{near: 2, far: 10, parallel: true}
	require.Equal(t, 4.0, v.distance(0.25))
	v.parallel = false
	require.InDelta(t, 2, v.distance(0), 1e-12)
	require.InDelta(t, 10, v.distance(1), 1e-12)
	require.InDelta(t, 20.0/6, v.distance(0.5), 1e-12)
}

// AfterDraw is called for each draw of a picture; an error from it ends the drawing, and no GPU is returned.
func TestRenderCallsAfterDraw(t *testing.T) {
	st := testkit.Must(Parse("-", []byte("target: {width: 8, height: 8}\nmodels: {m: {shape: quad}}\ndraws: [{name: a, model: m}, {name: b, model: m}, {name: c, model: m}]\n")))(t)
	var seen []int
	g, names, err := st.Render(t.Context(), 0, Options{Workers: 1, AfterDraw: func(_ *pipeline.GPU, n int) error { seen = append(seen, n); return nil }})
	require.NoError(t, err)
	g.Close()
	require.Equal(t, []string{"a (line 3)", "b (line 3)", "c (line 3)"}, names)
	require.Equal(t, []int{0, 1, 2}, seen)
	stop := errors.New("enough")
	g, names, err = st.Render(t.Context(), 0, Options{Workers: 1, AfterDraw: func(_ *pipeline.GPU, n int) error { return map[bool]error{true: stop}[n == 1] }})
	require.ErrorIs(t, err, stop)
	require.Nil(t, g)
	require.Contains(t, names, "b (line 3)")
	ctx, cancel := context.WithCancel(t.Context())
	count := 0
	g, _, err = st.Render(ctx, 0, Options{Workers: 1, AfterDraw: func(_ *pipeline.GPU, n int) error { count++; cancel(); return nil }})
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, g)
	require.Equal(t, 1, count)
}

// Images of a model's materials are drawn with their sampler's modes and converted once.
func TestMaterialTextures(t *testing.T) {
	pix := image.NewNRGBA(image.Rect(0, 0, 12, 8))
	for i := range pix.Pix {
		pix.Pix[i] = byte(i * 31)
	}
	var img bytes.Buffer
	require.NoError(t, png.Encode(&img, pix))
	dir := t.TempDir()
	var b strings.Builder
	for _, sampler := range []map[string]int{{}, {"wrapS": 33071, "wrapT": 33648}, {"magFilter": 9728, "minFilter": 9728}, {"magFilter": 9729, "minFilter": 9729}, {"minFilter": 9984}, {"minFilter": 9985}, {"minFilter": 9986}, {"minFilter": 9987}} {
		s := testkit.Must(json.Marshal(sampler))(t)
		data := base64.StdEncoding.EncodeToString(bytes.Repeat([]byte{0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 63}, 6))
		text := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":72,"uri":"data:application/octet-stream;base64,%s"}],"bufferViews":[{"buffer":0,"byteLength":72}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":0,"byteOffset":36,"componentType":5126,"count":3,"type":"VEC2"}],
"images":[{"uri":"data:image/png;base64,%s"}],"samplers":[%s],"textures":[{"source":0,"sampler":0}],
"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}},{"normalTexture":{"index":0},"emissiveTexture":{"index":0}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0},{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0},{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":1}]}],"nodes":[{"mesh":0}]}`,
			data, base64.StdEncoding.EncodeToString(img.Bytes()), s)
		path := filepath.Join(dir, "m.gltf")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		st := testkit.Must(Load(path))(t)
		dev := &testkit.Device{}
		draws, err := st.Draw(t.Context(), dev, 0)
		fmt.Fprintf(&b, "%s: %q %v %v\n", s, draws, dev, err)
	}
	testkit.Golden(t, "testdata/materials.txt", []byte(b.String()))
}
