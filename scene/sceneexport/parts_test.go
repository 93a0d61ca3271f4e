package sceneexport

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/geometry"
	"pica200/internal/yamldoc"
	"pica200/pica"
	"pica200/scene"
	"pica200/scene/scenebuild"
	"pica200/shaderunit/asm"
)

// Triangle lists equal the hardware's assembly of strips and fans; incomplete triangles are dropped, and a geometry shader's list
// is kept.
func TestMeshTriangleLists(t *testing.T) {
	vertices := func(order ...uint32) *geometry.Vertices {
		v := &geometry.Vertices{Count: 7, Order: order}
		for i := range 7 {
			v.Inputs[1] = append(v.Inputs[1], [4]float32{float32(i), 10, 20, 30})
			v.Inputs[4] = append(v.Inputs[4], [4]float32{5, 6, 7, float32(i)})
		}
		return v
	}
	for _, c := range []struct {
		mode  pica.PrimitiveMode
		geo   bool
		order []uint32
		want  []uint16
	}{
		{pica.PrimitiveTriangles, false, []uint32{0, 1, 2, 3, 4, 5, 6, 0}, []uint16{0, 1, 2, 3, 4, 5}},
		{pica.PrimitiveTriangleStrip, false, []uint32{0, 1, 2, 3, 4}, []uint16{0, 1, 2, 2, 1, 3, 2, 3, 4}},
		{pica.PrimitiveTriangleFan, false, []uint32{6, 1, 2, 3}, []uint16{6, 1, 2, 6, 2, 3}},
		{pica.PrimitiveTriangleStrip, false, []uint32{0, 1}, nil},
		{pica.PrimitiveTriangleFan, false, []uint32{0, 1}, nil},
		{pica.PrimitiveTriangleStrip, true, []uint32{4, 0, 1, 2, 3}, []uint16{4, 0, 1, 2, 3}},
		{pica.PrimitiveGeometry, true, []uint32{9, 0, 1, 2, 3}, []uint16{9, 0, 1, 2, 3}},
	} {
		m := meshes{known: map[string]int{}}
		d := &draw{}
		pica.PrimitiveConfigMode.Set(&d.regs, uint32(c.mode))
		require.Zero(t, m.add(d, vertices(c.order...), c.geo))
		part := m.list[0].part
		require.Equal(t, c.want, part.Indices)
		require.Equal(t, c.geo, part.Loose)
		require.EqualValues(t, 1<<1|1<<4, m.list[0].fed)
		require.Equal(t, mgl32.Vec3{3, 10, 20}, part.Positions[3], "positions for other viewers")
		require.Equal(t, mgl32.Vec4{5, 6, 7, 3}, part.Generic[4][3])
		require.Len(t, part.Positions, max(7, map[bool]int{true: int(c.order[0]) + 1}[c.geo]), "sizes in a geometry shader's index list do not add vertices")
		require.Equal(t, len(part.Positions), m.vertices)
		require.Empty(t, d.notes)
		require.Zero(t, m.add(d, vertices(c.order...), c.geo))
		require.Equal(t, len(part.Positions), m.vertices, "a known mesh is not counted again")
	}
	m := meshes{known: map[string]int{}}
	d := &draw{}
	odd := vertices(0, 1, 2)
	odd.Inputs[4][1] = [4]float32{float32(math.NaN()), 2, float32(math.Inf(1)), float32(math.Inf(-1))}
	m.add(d, odd, false)
	require.Equal(t, mgl32.Vec4{0, 2, 0, 0}, m.list[0].part.Generic[4][1])
	require.Equal(t, []string{"some of its vertices have infinite or undefined attributes, which a model file cannot hold; they are 0 in the scene"}, d.notes)

	// More vertices than indices can address: the vertices of the first triangles, renumbered.
	for _, n := range []int{maxMeshVertices, maxMeshVertices + 1, maxMeshVertices + 6} {
		many := &geometry.Vertices{Count: n}
		for i := range n {
			many.Inputs[0] = append(many.Inputs[0], [4]float32{float32(i)})
		}
		for i := range n / 3 * 3 {
			many.Order = append(many.Order, uint32(n-1-i))
		}
		m, d := meshes{known: map[string]int{}}, &draw{}
		m.add(d, many, false)
		part := m.list[0].part
		require.Len(t, part.Indices, 65535)
		for _, i := range []int{0, 1, 1000, 65534} {
			require.Equal(t, float32(n-1-i), part.Positions[part.Indices[i]][0])
		}
		require.Equal(t, n > maxMeshVertices, len(d.notes) == 1)
		if n > maxMeshVertices {
			require.Len(t, part.Positions, 65535)
			require.Contains(t, d.notes[0], fmt.Sprintf("only the first 65535 of %d vertices are in the scene", n))
		}
	}
}

// If a scene cannot be read or drawn, the draws at fault are left out: those of the error's line, those that use the named program,
// texture or table, or the draw that had begun.
func TestFaultyDrawsAreLeftOut(t *testing.T) {
	names := func(s ...string) (out []*string) {
		for _, x := range s {
			if x == "" {
				out = append(out, nil)
			} else {
				out = append(out, &x)
			}
		}
		return out
	}
	text := "name: x\nprograms:\n  p: {}\n  \"q r\": {}\n  q: {}\ntextures:\n  a: {}\ntables:\n  ramp: {}\npasses:\n  - draws:\n    - name: draw 0\n      x: 1\n    - name: draw 2\n" +
		"      y: 1\ndraws:\n  - name: draw 5\n    z: 1\n  - name: draw 7\n"
	made := func() *export {
		e := &export{text: text, report: &Report{}, scene: &scene.Scene{}}
		e.scene.Passes = []scene.Pass{{Draws: []scene.Draw{{Style: scene.Style{Program: "p"}}, {Style: scene.Style{Program: "q", Textures: names("", "a")}}}}}
		e.scene.Draws = []scene.Draw{{Style: scene.Style{Program: "q", State: scene.State{Uniforms: []scene.Uniform{{Name: "u", Values: []any{"ramp"}}, {Name: "v", Values: []any{1.0, "p"}}}}}}, {Style: scene.Style{Program: "p"}}}
		for _, i := range []int{0, 2, 5, 7} {
			e.drawn = append(e.drawn, &draw{index: i})
		}
		return e
	}
	at := func(line int) *yamldoc.Error { return &yamldoc.Error{Line: line, Msg: "bad\nand more"} }
	for _, c := range []struct {
		name  string
		err   error
		begun int
		left  string // remaining draws
		notes string
	}{
		{"the name", at(1), 0, "0 2 5 7", ""},
		{"a program", at(3), 0, "2 5", "draw 0 is left out: bad, draw 7 is left out: bad"},
		{"another", at(5), 0, "0 7", "draw 2 is left out: bad, draw 5 is left out: bad"},
		{"a texture", at(7), 0, "0 5 7", "draw 2 is left out: bad"},
		{"a table", at(9), 0, "0 2 7", "draw 5 is left out: bad"},
		{"passes themselves", at(10), 0, "0 2 5 7", ""},
		{"the line of a draw", at(12), 0, "2 5 7", "draw 0 is left out: bad"},
		{"a line in a draw", at(13), 0, "2 5 7", "draw 0 is left out: bad"},
		{"the last line of a pass", at(15), 0, "0 5 7", "draw 2 is left out: bad"},
		{"the line behind it", at(16), 0, "0 2 5 7", ""},
		{"the first draw behind", at(17), 0, "0 2 7", "draw 5 is left out: bad"},
		{"the last draw", at(19), 0, "0 2 5", "draw 7 is left out: bad"},
		{"several", fmt.Errorf("scene: %w", yamldoc.Errors{at(12), at(18)}), 0, "2 7", "draw 0 is left out: bad, draw 5 is left out: bad"},
		{"all", yamldoc.Errors{at(3), at(5)}, 0, "", "draw 0 is left out: bad, draw 7 is left out: bad, draw 2 is left out: bad, draw 5 is left out: bad"},
		{"a shader", fmt.Errorf("x: %w", &scenebuild.ShaderError{Program: "q", Diagnostics: asm.Diagnostics{}}), 0, "0 7", "draw 2 is left out: x: in program q, draw 5 is left out: x: in program q"},
		{"the GPU, before a draw", fmt.Errorf("x: %w", errors.New("oops")), 0, "0 2 5 7", ""},
		{"the GPU, in the first draw", fmt.Errorf("x: %w", errors.New("oops")), 1, "2 5 7", "draw 0 is left out: oops"},
		{"the GPU, in the last draw", fmt.Errorf("x: %w", errors.New("oops")), 4, "0 2 5", "draw 7 is left out: oops"},
		{"the GPU, behind all", fmt.Errorf("x: %w", errors.New("oops")), 5, "0 2 5 7", ""},
	} {
		e := made()
		e.begun = c.begun
		was := len(e.drawn)
		got := e.repair(c.err)
		var left []string
		for _, d := range e.drawn {
			require.False(t, d.out)
			left = append(left, fmt.Sprint(d.index))
		}
		require.Equal(t, c.left, strings.Join(left, " "), c.name)
		require.Equal(t, len(left) < was && len(left) > 0, got, "%s: another try is worthwhile", c.name)
		require.True(t, strings.HasPrefix(strings.Join(e.report.Notes, ", "), c.notes), "%s: %q", c.name, e.report.Notes)
		require.Equal(t, was-len(left), len(e.report.Notes))
		require.Equal(t, len(left), len(e.scene.Passes[0].Draws)+len(e.scene.Draws), "the scene lists the remaining draws only")
	}
	e := made()
	stray := &draw{index: 9}
	e.leaveOut(stray, errors.New("late"))
	require.True(t, stray.out)
	require.Len(t, e.drawn, 4)
}

// The sizes of targets, and the viewport that all draws of a pass share.
func TestPassTargetsAndViewport(t *testing.T) {
	for n, want := range map[int]int{0: 8, 1: 8, 8: 8, 9: 16, 249: 256, 1017: 1024, 1024: 1024, 1025: 1024, 2040: 1024} {
		require.Equal(t, want, side(n), n)
	}
	d := func(x, y int32, w, h float32) *draw {
		d := &draw{}
		pica.ViewportX.Set(&d.regs, uint32(x)&0x3FF)
		pica.ViewportY.Set(&d.regs, uint32(y)&0x3FF)
		pica.ViewportWidth.SetFloat(&d.regs, w/2)
		pica.ViewportHeight.SetFloat(&d.regs, h/2)
		return d
	}
	for _, c := range []struct {
		draws []*draw
		want  [4]int
	}{
		{nil, [4]int{}},
		{[]*draw{d(8, 16, 64, 32)}, [4]int{8, 16, 64, 32}},
		{[]*draw{d(8, 16, 64, 32), d(8, 16, 64, 32)}, [4]int{8, 16, 64, 32}},
		{[]*draw{d(8, 16, 64, 32), d(8, 17, 64, 32)}, [4]int{}},
		{[]*draw{d(0, 0, 64, 32), d(0, 0, 64, 32), d(0, 0, 62, 32)}, [4]int{}},
		{[]*draw{d(-1, 0, 64, 32)}, [4]int{}},
		{[]*draw{d(0, 0, 1024, 1024)}, [4]int{0, 0, 1024, 1024}},
		{[]*draw{d(0, 0, 1026, 8)}, [4]int{}},
		{[]*draw{d(0, 0, 8, -8)}, [4]int{}},
		{[]*draw{d(0, 0, 8, 0)}, [4]int{}},
		{[]*draw{d(0, 0, 200, 100)}, [4]int{}}, // the whole target
		{[]*draw{d(1, 0, 200, 100)}, [4]int{1, 0, 200, 100}},
	} {
		require.Equal(t, c.want, viewport(&pass{draws: c.draws, color: surface{width: 200, height: 100}}), "%v", c.want)
	}
	r := recording{passes: []*pass{{name: "first"}, {name: "second"}}}
	p := &pass{color: surface{bytes: 4 * 249 * 8, width: 249, height: 8, format: uint32(pica.ColorFormatRGB565)}, shareColor: 1, shareDepth: 0, screen: "top"}
	got := r.target(p, "it")
	require.Equal(t, scene.Target{Name: "it", Color: "rgb565", Depth: "none", Screen: "top", Width: 256, Height: 8, ShareColor: "second", ShareDepth: "first"}, got)
	require.Equal(t, []string{"its target of 249x8 pixels is 256x8 in the scene, whose targets have sides of multiples of 8 up to 1024"}, p.notes)
	p = &pass{depth: surface{bytes: 4, width: 16, height: 24, format: uint32(pica.DepthFormatD24)}, shareColor: -1, shareDepth: -1}
	require.Equal(t, scene.Target{Color: "none", Depth: "d24", Width: 16, Height: 24}, r.target(p, ""))
	require.Empty(t, p.notes)
}
