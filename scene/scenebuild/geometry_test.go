package scenebuild

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/assets/shbin"
	"pica200/scene"
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
