package model

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"
)

// Place multiplies the matrices of a node's parents, in any order of nodes; each rule of scales passes different scales on.
func TestPlaceNodes(t *testing.T) {
	turn := mgl64.HomogRotate3DZ(0.5)
	local := func(parent int, s Scales) Local {
		return Local{Parent: parent, Move: mgl64.Vec3{1, 2, 3}, Rotation: turn, Size: mgl64.Vec3{2, 3, 5}, Scales: s}
	}
	move, size := mgl64.Translate3D(1, 2, 3), mgl64.Scale3D(2, 3, 5)
	undo := mgl64.Scale3D(1.0/2, 1.0/3, 1.0/5)
	one := move.Mul4(turn).Mul4(size)
	given := mgl64.Translate3D(7, 8, 9)
	for name, c := range map[string]struct {
		nodes []Local
		of    int
		want  mgl64.Mat4
	}{
		"root":              {[]Local{local(-1, AllScales)}, 0, one},
		"child first":       {[]Local{local(1, AllScales), local(-1, AllScales)}, 0, one.Mul4(one)},
		"not the parent's":  {[]Local{local(-1, NotParent), local(0, NotParent)}, 1, one.Mul4(move).Mul4(undo).Mul4(turn).Mul4(size)},
		"not at a root":     {[]Local{local(-1, NotParent)}, 0, one},
		"without shear":     {[]Local{local(-1, NoShear), local(0, NoShear)}, 1, one.Mul4(move).Mul4(undo).Mul4(turn).Mul4(size).Mul4(size)},
		"two above":         {[]Local{local(-1, AllScales), local(0, AllScales), local(1, NoShear)}, 2, one.Mul4(one).Mul4(move).Mul4(undo).Mul4(undo).Mul4(turn).Mul4(size).Mul4(size).Mul4(size)},
		"a scale of 0":      {[]Local{{Parent: -1, Rotation: turn, Size: mgl64.Vec3{0, 1, 1}}, local(0, NotParent)}, 1, turn.Mul4(mgl64.Scale3D(0, 1, 1)).Mul4(one)},
		"given":             {[]Local{local(-1, AllScales), {Parent: 0, World: &given, Size: mgl64.Vec3{9, 9, 9}}}, 1, given},
		"below a given one": {[]Local{local(-1, AllScales), {Parent: 0, World: &given, Size: mgl64.Vec3{9, 9, 9}}, local(1, NoShear)}, 2, given.Mul4(move).Mul4(undo).Mul4(turn).Mul4(size).Mul4(size)},
		"circle":            {[]Local{local(1, AllScales), local(0, AllScales)}, 0, one.Mul4(one)},
		"overflow":          {[]Local{{Parent: -1, Rotation: turn, Size: mgl64.Vec3{1e300, 1, 1}}, {Parent: 0, Rotation: mgl64.Ident4(), Size: mgl64.Vec3{1e300, 1, 1}}, local(1, AllScales)}, 2, one},
	} {
		got := WorldMatrices(c.nodes)[c.of]
		require.InDeltaSlice(t, c.want[:], got[:], 1e-12, name)
	}
}

// A matrix replaces a node's translation, rotation and scale.
func TestMatrixReplacesTRS(t *testing.T) {
	m := mgl64.HomogRotate3DX(1).Mul4(mgl64.ShearZ3D(2, 3)).Mul4(mgl64.Translate3D(1, 2, 3))
	got := WorldMatrices([]Local{TRS{Matrix: &m}.local(-1)})[0]
	require.Equal(t, m, got)
	trs := TRS{T: mgl32.Vec3{1, 2, 3}, R: mgl32.QuatRotate(1, mgl32.Vec3{0, 1, 0}), S: mgl32.Vec3{4, 5, 6}}
	want := trs.Mat4()
	got = WorldMatrices([]Local{trs.local(-1)})[0]
	require.InDeltaSlice(t, want[:], got[:], 1e-12)
}
