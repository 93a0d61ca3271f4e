package scenebuild

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/scene"
)

func TestPatchErrors(t *testing.T) {
	for _, tc := range []struct{ shape, draw, want string }{
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
			var st *Stage
			st, err = New(s)
			require.NoError(t, err)
			_, _, err = st.Render(context.Background(), 0, Options{Workers: 1})
		}
		require.ErrorContains(t, err, tc.want, tc.draw)
	}
}

// The stream is made once, whatever the number of frames.
func TestPatchesAreKept(t *testing.T) {
	part, err := model.Box(1, 1, 1, 1)
	require.NoError(t, err)
	d := &drawing{Stage: &Stage{patched: map[patchKey][]*model.Part{}}}
	w := &scene.Draw{Patches: "catmull_clark", Refine: 1}
	a, err := d.patches(w, &part)
	require.NoError(t, err)
	b, err := d.patches(w, &part)
	require.NoError(t, err)
	require.Same(t, a[0], b[0])
	// A quad and its ring: 2n - 5 vertices for a corner of 3 and three of 4
	// edges, and two that are repeated.
	require.Equal(t, uint16(4+1+3*3+2), a[0].Indices[0])
}
