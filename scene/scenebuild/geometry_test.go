package scenebuild

import (
	"bytes"
	"context"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/scene"
	"pica200/shaderunit/asm"
	"pica200/tests/testkit"
)

func TestPatchErrors(t *testing.T) {
	const stream = "the geometry shader is in variable mode: its indices are primitives that each begin with their number of vertices, at least 3 here, and index "
	for _, tc := range []struct{ shape, draw, want string }{
		{"{shape: box, size: 1}", "program: p", "m (line 6): " + stream + "0 is 0; patches: loop and patches: catmull_clark make such"},
		{"{shape: box, size: 1}", "program: p, patches: silhouette", stream + "0 is 0; patches: loop"},
		{"{shape: plane, size: 1}", "program: p, patches: loop", "belongs to one face only; subdivision needs a closed mesh"},
		{"{shape: sphere, size: 1}", "program: p, patches: catmull_clark", "Catmull-Clark patches need quads"},
		{"{shape: box, size: 1}", "program: p, patches: spline", "valid are loop, catmull_clark, silhouette, edges, arcs"},
		{"{shape: box, size: 1}", "program: p, patches: edges, refine: 2", "refine goes with patches: loop or catmull_clark"},
		{"{shape: knot, size: 1, detail: [200, 40]}", "program: p, patches: loop, refine: 5", "refined 3 times, the mesh has 1024000 faces, more than 262144"},
	} {
		source := `name: test
target: {clear: {color: [0, 0, 0, 1], depth: 1}}
camera: {eye: [0, 1, 4], at: [0, 0, 0], fovy: 40, near: 1, far: 30}
programs: {p: {library: loop}}
models: {m: ` + tc.shape + `}
draws: [{model: m, ` + tc.draw + `}]
`
		s, err := scene.Parse("test.yaml", []byte(source))
		if err == nil {
			st := testkit.Must(New(s))(t)
			_, _, err = st.Render(context.Background(), 0, Options{Workers: 1})
		}
		require.ErrorContains(t, err, tc.want, tc.draw)
	}
}

// checkStream checks streams of primitives with their sizes and reports the position of an error.
func TestCheckVariableModeStream(t *testing.T) {
	p := loadedProgram{file: &shbin.File{Executables: []shbin.Executable{{}, {Geometry: shbin.Geometry{Mode: shbin.GeometryVariable, VariableNum: 3}}}}, geometry: 1}
	require.NoError(t, p.checkStream([]uint16{3, 0, 1, 2, 4, 1, 2, 3, 0}))
	require.ErrorContains(t, p.checkStream([]uint16{3, 0, 1, 2, 4, 1, 2, 3}), "at least 3 here, and index 4 is 4; patches: loop")
	require.ErrorContains(t, p.checkStream([]uint16{3, 0, 1, 2, 2, 1, 2}), "index 4 is 2")
	p.file.Executables[1].Geometry.VariableNum = 0
	require.ErrorContains(t, p.checkStream([]uint16{1, 7, 0}), "at least 1 here, and index 2 is 0")
	p.file.Executables[1].Geometry.Mode = shbin.GeometryPoint
	require.NoError(t, p.checkStream([]uint16{0, 1, 2}))
	p.geometry = -1
	require.NoError(t, p.checkStream([]uint16{0, 1, 2}))
}

// The patch stream is made once for all frames.
func TestPatchStreamsAreCached(t *testing.T) {
	part := testkit.Must(model.Box(1, 1, 1, 1))(t)
	d := &drawing{Stage: &Stage{patched: map[patchKey][]*model.Part{}}}
	w := &scene.Draw{Style: scene.Style{Patches: "catmull_clark", Refine: 1}}
	a := testkit.Must(d.patches(w, &part))(t)
	b := testkit.Must(d.patches(w, &part))(t)
	require.Same(t, a[0], b[0])
	// A quad and its ring: 2n - 5 vertices for a corner of 3 and three of 4 edges, plus two repeated ones.
	require.Equal(t, uint16(4+1+3*3+2), a[0].Indices[0])
}

// For each output, OutputLines returns the last line that writes it, in the executable whose outputs reach the rasterizer. For
// binaries it returns nothing.
func TestLastLineOfEachOutput(t *testing.T) {
	const folder = "testdata/shaders/"
	for name, want := range map[string]struct {
		file string
		of   map[shbin.OutputType]string // text of the line
	}{
		"lambert.v.pica":         {"lambert.v.pica", nil},
		"fixed-triangles.v.pica": {"fixed-triangles.g.pica", map[shbin.OutputType]string{shbin.OutPosition: "dp4 outpos.w, projection[3], r0", shbin.OutColor: "mov outclr, r1"}},
	} {
		st := testkit.Must(openShader(folder+name, nil))(t)
		lines := st.OutputLines("main")
		p := st.programs["main"]
		e := p.file.Executables[p.vertex]
		if p.geometry >= 0 {
			e = p.file.Executables[p.geometry]
		}
		require.Len(t, lines, len(e.Outputs), name)
		text := testkit.Read(t, folder+want.file)
		all := strings.Split(string(text), "\n")
		for output, pos := range lines {
			require.Equal(t, want.file, filepath.Base(pos.File))
			if s := want.of[output]; s != "" {
				require.Equal(t, s, strings.TrimSpace(all[pos.Line-1]))
				require.NotContains(t, strings.Join(all[pos.Line:], "\n"), s, "no later line writes the output")
			}
		}
	}
	st := testkit.Must(openShader(folder+"lambert.v.pica", nil))(t)
	require.Empty(t, st.OutputLines("no such program"))

	// A geometry shader that is present but not used, and writes the same registers.
	dir := t.TempDir()
	text := testkit.Read(t, folder+"lambert.v.pica")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.v.pica"), text, 0o644))
	geometry := testkit.Read(t, folder+"fixed-triangles.g.pica")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.g.pica"), geometry, 0o644))
	scene := "programs: {main: {sources: [both.v.pica, both.g.pica], geometry: none, guess: all}}\nmodels: {q: {shape: quad}}\ndraws: [{model: q, program: main}]\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "both.yaml"), []byte(scene), 0o644))
	st = testkit.Must(Load(filepath.Join(dir, "both.yaml")))(t)
	require.NotEmpty(t, st.OutputLines("main"))
	for output, pos := range st.OutputLines("main") {
		require.Equal(t, "both.v.pica", pos.File, "%v", output)
	}

	out, found := asm.Assemble(asm.Options{}, asm.Source{Name: "lambert.v.pica", Text: text})
	require.Zero(t, found.Errors())
	data := testkit.Must(out.File.Write())(t)
	path := filepath.Join(dir, "lambert.shbin")
	require.NoError(t, os.WriteFile(path, data, 0o644))
	st = testkit.Must(openShader(path, nil))(t)
	require.Empty(t, st.OutputLines("main"))
}

// pictureOf draws a stage at 104x64.
func pictureOf(t *testing.T, st *Stage, at float64) *image.NRGBA {
	t.Helper()
	require.NoError(t, st.SetSize(104, 64))
	return pictureAt(t, st, at)
}

// morphing adds a morph target to each part of a model.
func morphing(t *testing.T, st *Stage) {
	for _, m := range st.models {
		for i := range m.Meshes {
			for k := range m.Meshes[i].Parts {
				p := m.Meshes[i].Parts[k]
				moved := model.Morph{Positions: make([]mgl32.Vec3, len(p.Positions))}
				for v := range moved.Positions {
					moved.Positions[v] = mgl32.Vec3{0.1, p.Positions[v][0], 0}
				}
				p.Morphs = append(p.Morphs, moved)
			}
		}
	}
}

// A reused stage, drawn at other times and from other cameras, draws the same as a new one, and its buffers do not accumulate.
func TestReusedStageDrawsLikeNew(t *testing.T) {
	const scenes = "../../testdata/scenes/"
	for name, load := range map[string]func() (*Stage, error){
		"skin": func() (*Stage, error) { return Load(scenes + "skin.yaml") },
		"cel":  func() (*Stage, error) { return Load(scenes + "cel.yaml") },
		"morph": func() (*Stage, error) {
			st, err := Load(scenes + "lit.yaml")
			if err == nil {
				morphing(t, st)
			}
			return st, err
		},
		// Its positions are screen positions: the buffer depends on the camera, which turns.
		"through": func() (*Stage, error) {
			st, err := openShader("testdata/shaders/pass-through.v.pica", nil)
			if err == nil {
				st.Turntable(4)
			}
			return st, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			used := testkit.Must(load())(t)
			weigh := func(st *Stage, at float64) {
				for _, m := range st.models {
					for i := range m.Nodes {
						if name == "morph" {
							m.Nodes[i].Weights = []float32{float32(at)}
						}
					}
				}
			}
			var first []byte
			most := 0
			for i, at := range []float64{0, 0.5, 1, 0.5, 0, 1.5} {
				weigh(used, at)
				got := pictureOf(t, used, at)
				fresh := testkit.Must(load())(t)
				weigh(fresh, at)
				require.True(t, bytes.Equal(pictureOf(t, fresh, at).Pix, got.Pix), "at %g, drawing %d", at, i)
				require.Equal(t, len(fresh.meshes.buffers), len(used.meshes.buffers))
				require.Equal(t, len(fresh.meshes.bones), len(used.meshes.bones))
				if most = max(most, len(used.meshes.buffers)); first == nil {
					first = got.Pix
				} else if at == 1 {
					require.False(t, bytes.Equal(first, got.Pix), "the picture at another time differs")
				}
			}
			require.Positive(t, most)
		})
	}
}

// Buffers of unchanged data are packed once.
func TestUnchangedBuffersArePackedOnce(t *testing.T) {
	var k meshCache
	part, other := &model.Part{}, &model.Part{}
	packed := 0
	pack := func() []byte { packed++; return []byte{byte(packed)} }
	k.begin()
	one := k.buffer(bufferKey{part, "position"}, pack)
	k.end()
	k.begin()
	require.Equal(t, one, k.buffer(bufferKey{part, "position"}, pack))
	require.Equal(t, 1, packed)
	require.NotEqual(t, one, k.buffer(bufferKey{part, "normal"}, pack), "another stream has its own buffer")
	require.NotEqual(t, one, k.buffer(bufferKey{other, "position"}, pack), "another part has its own buffer")
	k.end()
	require.Len(t, k.buffers, 3)
	k.begin()
	k.end()
	require.Empty(t, k.buffers, "unused buffers are dropped")
}
