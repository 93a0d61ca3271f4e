package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// A loose part (streams for a shader's inputs, indices that form no triangles) and a list of triangles survive writing and
// reading unchanged.
func TestLoosePartRoundTrip(t *testing.T) {
	part := Part{Material: -1, Positions: make([]mgl32.Vec3, 4), Indices: []uint16{3, 0, 1, 2, 3}, Loose: true}
	part.Generic[0] = []mgl32.Vec4{{1, 2, 3, 4}, {5}, {6}, {-7.5}}
	list := part
	list.Loose, list.Indices = false, []uint16{0, 1, 2, 2, 1, 1}
	m := &Model{Meshes: []Mesh{{Name: "a", Parts: []Part{part}}, {Name: "b", Parts: []Part{list}}},
		Nodes: []Node{{Name: "a", Parent: -1, TRS: Identity, Mesh: 0, Skin: -1, Shown: true}, {Name: "b", Parent: -1, TRS: Identity, Mesh: 1, Skin: -1, Shown: true}}}
	data := testkit.Must(EncodeGLB(m))(t)
	path := filepath.Join(t.TempDir(), "m.glb")
	require.NoError(t, os.WriteFile(path, data, 0o666))
	back := testkit.Must(Load(path))(t)
	require.Empty(t, back.Notes)
	require.Equal(t, part, back.Meshes[0].Parts[0])
	require.Equal(t, list, back.Meshes[1].Parts[0])
}
