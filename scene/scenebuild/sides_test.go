package scenebuild

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/banner"
	"pica200/assets/model"
	"pica200/internal/mgl"
	"pica200/pica"
	"pica200/pipeline"
	"pica200/scene"
	"pica200/tests/testkit"
)

// wedge is a closed body without symmetry.
func wedge() model.Part {
	p := model.Part{Material: -1}
	corner := []mgl32.Vec3{{-1, -0.6, -0.5}, {1.2, -0.7, -0.4}, {0.3, -0.5, 1}, {-0.4, 1.1, 0.2}}
	for _, f := range [][3]int{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}} {
		n := corner[f[1]].Sub(corner[f[0]]).Cross(corner[f[2]].Sub(corner[f[0]])).Normalize()
		for k, c := range f {
			p.Indices = append(p.Indices, uint16(len(p.Positions)))
			p.Positions, p.Normals = append(p.Positions, corner[c]), append(p.Normals, n)
			p.UV[0] = append(p.UV[0], [3]mgl32.Vec2{{0, 0}, {1, 0.2}, {0.3, 1}}[k])
			p.Colors = append(p.Colors, mgl32.Vec4{0.4 + 0.2*float32(c), 1 - 0.2*float32(c), 0.5 + 0.1*float32(k), 1})
		}
	}
	return p
}

// moved is a part after a transformation.
func moved(p model.Part, m mgl64.Mat4) model.Part {
	out := p
	out.Positions, out.Normals = slices.Clone(p.Positions), slices.Clone(p.Normals)
	inverse, _ := mgl.Inverse(m)
	for i := range out.Positions {
		out.Positions[i] = mgl.Point(m, p.Positions[i])
		out.Normals[i] = mgl.Narrow3(mgl.Unit(mgl.Direction(inverse.Transpose(), mgl.Wide3(p.Normals[i]))))
	}
	if m.Mat3().Det() < 0 {
		return *out.Reversed()
	}
	return out
}

func single(p model.Part, nodes ...model.Node) *model.Model {
	if nodes == nil {
		nodes = []model.Node{{Parent: -1, TRS: model.Identity}}
	}
	for i := range nodes {
		nodes[i].Shown = true
		if i < len(nodes)-1 {
			nodes[i].Mesh = -1
		}
		if nodes[i].Skin == 0 {
			nodes[i].Skin = -1
		}
	}
	return &model.Model{Name: "m", Nodes: nodes, Meshes: []model.Mesh{{Name: "m", Parts: []model.Part{p}}}}
}

// alike requires that two models, each drawn with its own camera, look the same but for a few pixels of edges.
func alike(t *testing.T, want, got *model.Model, at float64, prepare ...func(*Stage)) {
	t.Helper()
	var pics [2]*image.NRGBA
	for i, m := range []*model.Model{want, got} {
		st := testkit.Must(newModel(m, "m.gltf"))(t)
		for _, f := range prepare {
			f(st)
		}
		pics[i] = pictureOf(t, st, at)
	}
	same(t, pics)
}

// bannersAlike is alike for the banners that are made of the models, unlit, because the console transforms normals like positions.
func bannersAlike(t *testing.T, want, got *model.Model, at float64) {
	t.Helper()
	var pics [2]*image.NRGBA
	for i, m := range []*model.Model{want, got} {
		f, _, err := banner.Build(m, banner.Options{Animation: len(m.Animations) - 1, Scale: 6, Unlit: true, Format: pica.TextureFormatRGBA8})
		require.NoError(t, err)
		f.Models.Get(banner.Common).Transform.Translation = mgl32.Vec3{} // which centres it
		data := testkit.Must(f.Relayout())(t)
		st := testkit.Must(newSet(testkit.Must(parseSet("m.cgfx", data))(t), "m.cgfx"))(t)
		st.Scene.Camera = framed(mgl32.Vec3{-6, -6, -6}, mgl32.Vec3{6, 6, 6})
		pics[i] = pictureOf(t, st, at)
	}
	same(t, pics)
}

func same(t *testing.T, pics [2]*image.NRGBA) {
	t.Helper()
	differ, drawn := 0, 0
	for i := range pics[0].Pix {
		if d := int(pics[0].Pix[i]) - int(pics[1].Pix[i]); d > 4 || d < -4 {
			differ++
		}
		if pics[0].Pix[i] != pics[0].Pix[i%4] {
			drawn++
		}
	}
	require.Greater(t, drawn, 1000)
	require.Less(t, differ, drawn/100, "channels that differ of %d drawn", drawn)
}

// A node whose transform mirrors shows the front of its triangles, lit from outside, like a body that is mirrored in the file.
func TestMirroredNodes(t *testing.T) {
	trs := func(sx, sy, sz float32) model.TRS {
		return model.TRS{T: mgl32.Vec3{0.1, 0.2, -0.1}, R: mgl32.QuatRotate(0.7, mgl32.Vec3{0.2, 1, 0.3}.Normalize()), S: mgl32.Vec3{sx, sy, sz}}
	}
	matrix := func(m mgl64.Mat4) model.TRS { r := model.Identity; r.Matrix = &m; return r }
	node := func(parent int, x model.TRS) model.Node { return model.Node{Parent: parent, TRS: x} }
	mirror := mgl64.Scale3D(-1, 1, 1)
	for name, nodes := range map[string][]model.Node{
		"not at all":           {node(-1, trs(1.2, 1, 0.8))},
		"x":                    {node(-1, trs(-1.2, 1, 0.8))},
		"y":                    {node(-1, trs(1, -1.5, 1))},
		"z":                    {node(-1, trs(1, 1, -1))},
		"two axes":             {node(-1, trs(-1, -1.3, 1))},
		"all axes":             {node(-1, trs(-1, -1, -1))},
		"a matrix":             {node(-1, matrix(mirror))},
		"a matrix that shears": {node(-1, matrix(mgl64.Mat4{-1, 0.2, 0, 0, 0.3, 1, 0, 0, 0, 0.1, 1, 0, 0, 0, 0, 1}))},
		"the parent":           {node(-1, trs(-1, 1, 1)), node(0, trs(1, 1, 1))},
		"the parent as well":   {node(-1, trs(-1, 1, 1)), node(0, trs(1, 1, -1))},
	} {
		t.Run(name, func(t *testing.T) {
			m := single(wedge(), nodes...)
			world := testkit.Must(m.Pose(-1, 0))(t).World
			want := single(moved(wedge(), world[len(world)-1]))
			alike(t, want, m, 0)
			if name != "a matrix that shears" { // which bones cannot
				bannersAlike(t, want, m, 0)
			}
		})
	}
	t.Run("an animated scale", func(t *testing.T) {
		m := single(wedge(), node(-1, trs(1, 1, 1)))
		m.Animations = []model.Animation{{Duration: 2, Channels: []model.Channel{{Path: model.Scaling, Interp: model.Step, Times: []float32{0, 1, 2}, Values: []float32{1, 1, 1, 1, -1, 1, 1, 1, 1}}}}}
		for _, at := range []float64{0.5, 1.5} {
			want := single(moved(wedge(), testkit.Must(m.Pose(0, at))(t).World[0]))
			bannersAlike(t, want, m, at)
			alike(t, want, m, at, func(st *Stage) { st.Scene.Camera = framed(mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}) })
		}
	})
	t.Run("bones", func(t *testing.T) {
		p := wedge()
		p.Joints, p.Weights = make([][4]uint16, len(p.Positions)), make([]mgl32.Vec4, len(p.Positions))
		for i := range p.Weights {
			p.Weights[i] = mgl32.Vec4{1}
		}
		m := single(p, node(-1, trs(-1, 1, 1)), model.Node{Parent: -1, TRS: trs(1, -3, 1), Skin: 1})
		m.Nodes[1].Skin = 0
		m.Skins = []model.Skin{{Joints: []int{0}, InverseBind: []mgl64.Mat4{mgl64.Ident4()}}}
		alike(t, single(moved(wedge(), m.Nodes[0].TRS.Mat4())), m, 0)
		bannersAlike(t, single(moved(wedge(), m.Nodes[0].TRS.Mat4())), m, 0)
	})
	t.Run("the draw", func(t *testing.T) {
		m := single(wedge(), node(-1, trs(1, 1, -1)))
		frame := func(st *Stage) { st.Scene.Camera = framed(mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1}) }
		world := testkit.Must(m.Pose(-1, 0))(t).World[0]
		want := single(moved(wedge(), mgl.Mul(mirror, world)))
		turn := func(st *Stage) {
			if st.models["model"] == m {
				st.Scene.Draws[0].Matrix = scene.Const(mirror[:]...)
			}
		}
		alike(t, want, m, 0, frame, turn)
		// A draw that says what is culled means the model's front, and sees to its own matrix.
		alike(t, want, m, 0, frame, turn, func(st *Stage) {
			if st.models["model"] == m {
				st.Scene.Draws[0].Cull = "front"
			}
		})
	})
}

// bumps is a normal map without symmetry.
func bumps() *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	for y := range 16 {
		for x := range 16 {
			n := mgl64.Vec3{float64(x-5) / 12, float64(9-y) / 14, 1}.Normalize()
			c := func(v float64) uint8 { return uint8((v+1)*127.5 + 0.5) }
			m.SetNRGBA(x, y, color.NRGBA{c(n[0]), c(n[1]), c(n[2]), 255})
		}
	}
	return m
}

// turned is a normal map seen in a mirror.
func turned(m *image.NRGBA, u, v bool) *image.NRGBA {
	out := image.NewNRGBA(m.Rect)
	for y := range 16 {
		for x := range 16 {
			c := m.NRGBAAt(x, y)
			if u {
				c.R = 255 - c.R
			}
			if v {
				c.G = 255 - c.G
			}
			tx, ty := x, y
			if u {
				tx = 15 - x
			}
			if v {
				ty = 15 - y
			}
			out.SetNRGBA(tx, ty, c)
		}
	}
	return out
}

// bumpy is a model of a board in three pieces that share vertices, with a normal map; the middle one's texture may be mirrored.
func bumpy(pix *image.NRGBA, change func(p *model.Part)) *model.Model {
	p := model.Part{}
	for i := range 4 {
		for k := range 2 {
			p.Positions = append(p.Positions, mgl32.Vec3{float32(i) - 1.5, float32(2*k) - 1, 0})
			p.Normals = append(p.Normals, mgl32.Vec3{0, 0, 1})
			p.UV[0] = append(p.UV[0], mgl32.Vec2{float32(i), float32(k)})
		}
	}
	for i := range uint16(3) {
		a := 2 * i
		p.Indices = append(p.Indices, a, a+2, a+3, a, a+3, a+1)
	}
	change(&p)
	m := single(p)
	of := model.DefaultMaterial()
	of.Normal = model.Texture{}
	m.Images, m.Materials = []model.Image{{Name: "bumps", Pix: pix}}, []model.Material{of}
	return m
}

// Where coordinates are mirrored, by themselves or by the node, a normal map shows the same relief as its mirrored picture shows without:
// with tangents of the file or made of the coordinates.
func TestMirroredNormalMaps(t *testing.T) {
	mirror := func(u, v bool) func(p *model.Part) {
		return func(p *model.Part) {
			for i := range p.UV[0] {
				if u {
					p.UV[0][i][0] = 1 - p.UV[0][i][0]
				}
				if v {
					p.UV[0][i][1] = 1 - p.UV[0][i][1]
				}
			}
		}
	}
	tangents := func(u, v bool) func(p *model.Part) {
		return func(p *model.Part) {
			x, w := float32(1), float32(1)
			if u {
				x, w = -1, -1
			}
			if v {
				w = -w
			}
			for range p.Positions {
				p.Tangents = append(p.Tangents, mgl32.Vec4{x, 0, 0, w})
			}
		}
	}
	for _, u := range []bool{false, true} {
		for _, v := range []bool{false, true} {
			want := func() *model.Model { return bumpy(turned(bumps(), u, v), func(*model.Part) {}) }
			t.Run("made", func(t *testing.T) { alike(t, want(), bumpy(bumps(), mirror(u, v)), 0) })
			t.Run("given", func(t *testing.T) {
				alike(t, want(), bumpy(bumps(), func(p *model.Part) { mirror(u, v)(p); tangents(u, v)(p) }), 0)
			})
			// The node mirrors the part back.
			for _, given := range []bool{false, true} {
				t.Run("in a mirrored node", func(t *testing.T) {
					m := bumpy(bumps(), func(p *model.Part) {
						mirror(u, v)(p)
						for i := range p.Positions {
							p.Positions[i][0] *= -1
						}
						if given {
							tangents(u, v)(p)
							for i := range p.Tangents {
								p.Tangents[i][0] *= -1
								p.Tangents[i][3] *= -1
							}
						}
						*p = *p.Reversed()
					})
					m.Nodes[0].TRS.S[0] = -1
					alike(t, want(), m, 0)
				})
			}
		}
	}
	t.Run("one piece of three", func(t *testing.T) {
		// The coordinates go forth, back and forth; the picture is mirrored where they go back.
		m := bumpy(bumps(), func(p *model.Part) {
			for i := range p.UV[0] {
				p.UV[0][i][0] = float32(i / 2 % 2)
			}
		})
		three := image.NewNRGBA(image.Rect(0, 0, 64, 16))
		for i := range 4 {
			one := turned(bumps(), i%2 == 1, false)
			for y := range 16 {
				for x := range 16 {
					three.SetNRGBA(16*i+x, y, one.NRGBAAt(x, y))
				}
			}
		}
		alike(t, bumpy(three, func(p *model.Part) {
			for i := range p.UV[0] {
				p.UV[0][i][0] /= 4
			}
		}), m, 0)
	})
}

// A material with two sides shows its back lit as if its normals were reversed, with bumps or without, in a mirrored node or not; at a position
// that two triangles share, each shows its own side.
func TestTwoSidedMaterials(t *testing.T) {
	behind := func(st *Stage) {
		st.Scene.Camera = framed(mgl32.Vec3{-1, -1, -1}, mgl32.Vec3{1, 1, 1})
		eye := st.Scene.Camera.Eye.Keys[0].V
		eye[0], eye[2] = -eye[0], -eye[2]
		st.Scene.Lights[1].Direction = scene.Const(-0.3, 0.5, -0.8)
	}
	board := func(change func(m *model.Material, p *model.Part)) *model.Model {
		m := bumpy(bumps(), func(p *model.Part) { p.Colors = slices.Repeat([]mgl32.Vec4{{1, 0.5, 0.25, 1}}, len(p.Positions)) })
		change(&m.Materials[0], &m.Meshes[0].Parts[0])
		return m
	}
	// The relief of the back is that of the front seen from behind: hills are valleys.
	back := func(m *model.Material, p *model.Part) {
		p.MakeTangents()
		*p = *p.Reversed()
		for i := range p.Normals {
			p.Normals[i], p.Tangents[i] = p.Normals[i].Mul(-1), p.Tangents[i].Mul(-1)
		}
	}
	flat := func(m *model.Material, p *model.Part) { m.Normal = model.NoTexture }
	two := func(m *model.Material, p *model.Part) { m.DoubleSided = true }
	unlit := func(m *model.Material, p *model.Part) { m.Unlit = true }
	doubled := func(m *model.Material, p *model.Part) {
		q := p.Reversed()
		for _, v := range q.Indices {
			p.Indices = append(p.Indices, v+uint16(len(p.Positions)))
		}
		p.Positions, p.UV[0] = append(p.Positions, p.Positions...), append(p.UV[0], p.UV[0]...)
		p.Normals = append(p.Normals, slices.Repeat([]mgl32.Vec3{{0, 0, -1}}, len(p.Normals))...)
		p.Colors = append(p.Colors, slices.Repeat([]mgl32.Vec4{{0.25, 0.5, 1, 1}}, len(p.Colors))...)
	}
	type changes = []func(*model.Material, *model.Part)
	for name, c := range map[string]struct{ want, got changes }{
		"flat":                {changes{flat, back}, changes{flat, two}},
		"bumps":               {changes{back}, changes{two}},
		"unlit":               {changes{flat, back, unlit}, changes{flat, two, unlit}},
		"two at a place":      {changes{flat, doubled}, changes{flat, doubled, two}},
		"unlit at one place":  {changes{flat, doubled, unlit}, changes{flat, doubled, two, unlit}},
		"seen from the front": {changes{flat}, changes{flat, two}},
	} {
		t.Run(name, func(t *testing.T) {
			all := func(list changes) *model.Model {
				return board(func(m *model.Material, p *model.Part) {
					for _, f := range list {
						f(m, p)
					}
				})
			}
			settings := behind
			if name == "seen from the front" {
				settings = func(*Stage) {}
			}
			alike(t, all(c.want), all(c.got), 0, settings)
			mirrored := func(m *model.Model) *model.Model { m.Nodes[0].TRS.S[1] = -1; return m }
			alike(t, mirrored(all(c.want)), mirrored(all(c.got)), 0, settings)
		})
	}
}

// A part on bones shows a normal map as one without does, also where bones turn or mirror it, on one side and on both.
func TestNormalMapsOnBones(t *testing.T) {
	for name, bone := range map[string]mgl64.Mat4{
		"still": mgl64.Ident4(), "turned": mgl.RotateXYZ(mgl32.Vec3{0.3, -0.4, 2}), "mirrored": mgl64.Scale3D(-1, 1, 1), "larger": mgl64.Scale3D(2, 2, 2),
	} {
		for _, both := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				want := bumpy(bumps(), func(*model.Part) {})
				got := bumpy(bumps(), func(p *model.Part) {
					for range p.Positions {
						p.Joints, p.Weights = append(p.Joints, [4]uint16{0, 0, 0, 1}), append(p.Weights, mgl32.Vec4{0.25, 0.25, 0.25, 0.25})
					}
				})
				want.Materials[0].DoubleSided, got.Materials[0].DoubleSided = both, both
				want.Nodes[0].TRS.Matrix = &bone
				got.Skins = []model.Skin{{Joints: []int{1, 2}, InverseBind: []mgl64.Mat4{mgl64.Ident4(), mgl64.Ident4()}}}
				got.Nodes[0].Skin = 0
				for range 2 {
					got.Nodes = append(got.Nodes, model.Node{Parent: -1, Mesh: -1, Skin: -1, TRS: model.TRS{Matrix: &bone}})
				}
				alike(t, want, got, 0)
			})
		}
	}
}

// Occlusion takes ambient light away and leaves that of lights, as far as its strength says; the map shares a unit with other maps.
func TestOcclusion(t *testing.T) {
	full := func(v uint8) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 8, 8))
		for i := range m.Pix {
			m.Pix[i] = []uint8{v, 128, 128, 255}[i%4]
		}
		return m
	}
	for _, maps := range []string{"", "n", "e", "ne", "m"} {
		t.Run(maps, func(t *testing.T) {
			make := func(occluded uint8, strength float32) *model.Model {
				m := bumpy(bumps(), func(*model.Part) {})
				of := &m.Materials[0]
				of.Base, of.Occlusion, of.BaseColor[3] = model.Texture{Image: 0}, strength, 0.5
				if !strings.Contains(maps, "n") {
					of.Normal = model.NoTexture
				}
				if strings.Contains(maps, "e") {
					of.EmissiveMap, of.Emissive = model.Texture{Image: 0}, mgl32.Vec3{0.25, 0.5, 0.25}
				}
				if strings.Contains(maps, "m") {
					of.MetalMap, of.Metallic = model.Texture{Image: 0}, 0.75
				}
				if m.Images = append(m.Images, model.Image{Name: "occlusion", Pix: full(occluded)}); occluded < 255 {
					of.OcclusionMap = model.Texture{Image: 1}
				}
				return m
			}
			ambient := func(part float64) func(*Stage) {
				return func(st *Stage) {
					if st.models["model"].Materials[0].OcclusionMap.Image < 0 {
						for k := range st.Scene.Ambient.Keys[0].V {
							st.Scene.Ambient.Keys[0].V[k] *= part
						}
					}
				}
			}
			alike(t, make(255, 1), make(254, 1), 0)
			alike(t, make(255, 1), make(0, 1), 0, ambient(0))
			alike(t, make(255, 1), make(51, 0.5), 0, ambient(0.6))
		})
	}
}

// centre returns the mean column of the red pixels.
func centre(t *testing.T, img *image.RGBA) float64 {
	t.Helper()
	sum, n := 0, 0
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			if c := img.RGBAAt(x, y); c.R > 200 && c.G < 50 {
				sum, n = sum+x, n+1
			}
		}
	}
	require.NotZero(t, n)
	return float64(sum) / float64(n)
}

func stereoScene(depth float64, more string) string {
	return fmt.Sprintf(`
target: {width: 240, height: 400}
camera: {eye: [0, 0, 5], fovy: 40, rotated: true, stereo: {eyes: 0.5, convergence: 5}}
models: {ball: {shape: sphere, size: 0.2}}
draws: [{model: ball, at: [0, 0, %g], lit: false, color: [1, 0, 0, 1]}]
%s`, depth, more)
}

// eyes draws a scene and returns the centre seen by each eye.
func eyes(t *testing.T, text string) (left, right float64, g *pipeline.GPU) {
	t.Helper()
	s := testkit.Must(scene.Parse("x.yaml", []byte(text)))(t)
	st := testkit.Must(New(s))(t)
	g, names, err := st.Render(t.Context(), 0, Options{Workers: 1})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	require.Equal(t, []string{"ball (line 5), right eye", "ball (line 5)"}, names[len(names)-2:])
	require.True(t, g.Stereo())
	return centre(t, g.Screen(pipeline.ScreenTop)), centre(t, g.Screen(pipeline.ScreenTopRight)), g
}

// A point at the convergence has the same position for both eyes. A nearer point is shifted right for the left eye, a farther one
// left, according to the eye distance.
func TestStereoPointShifts(t *testing.T) {
	left, right, g := eyes(t, stereoScene(0, ""))
	g.Close()
	require.InDelta(t, 199.5, left, 0.5)
	require.InDelta(t, left, right, 0.5)
	// At depth z a shift of e/2 is (e/2)(1/z - 1/convergence), in units of the view's width at depth 1.
	const pixels = 240 / (2 * 0.36397) // at depth 1: height / (2 tan 20 degrees)
	for _, at := range []float64{2, -8} {
		z := 5 - at
		want := 0.25 * (1/z - 0.2) * pixels
		left, right, g = eyes(t, stereoScene(at, ""))
		g.Close()
		require.InDelta(t, 199.5+want, left, 0.7, "depth %g", z)
		require.InDelta(t, 199.5-want, right, 0.7, "depth %g", z)
	}
}

// A pass is drawn once, from between the eyes; the bottom screen is drawn once too.
func TestStereoPassIsDrawnOnce(t *testing.T) {
	_, _, g := eyes(t, stereoScene(2, `
passes: [{name: below, target: {width: 240, height: 320, screen: bottom}, draws: [{model: ball, at: [0, 0, 2], lit: false, color: [1, 0, 0, 1]}]}]
`))
	require.InDelta(t, 159.5, centre(t, g.Screen(pipeline.ScreenBottom)), 0.5)
	s := testkit.Must(scene.Parse("x.yaml", []byte(stereoScene(0, ""))))(t)
	st := testkit.Must(New(s))(t)
	require.Equal(t, []pipeline.Screen{pipeline.ScreenTop, pipeline.ScreenTopRight}, st.Screens())
	require.NoError(t, st.Stereo(9, 9))
	require.Equal(t, scene.Const(0.5).Keys, s.Camera.Stereo.Eyes.Keys, "the scene's own stereo settings are kept")
}

// A scene without stereo settings can be drawn in stereo; one whose top screen is used by a pass is refused.
func TestStereoOfScenesWithoutSettings(t *testing.T) {
	stage := func(text string) *Stage {
		s := testkit.Must(scene.Parse("x.yaml", []byte(text)))(t)
		st := testkit.Must(New(s))(t)
		return st
	}
	st := stage("camera: {turntable: 20}\nmodels: {ball: {shape: sphere}}\npasses: [{name: a, draws: [{model: ball}]}]\ndraws: [{model: ball, lit: false, color: [1, 0, 0, 1]}]")
	require.NoError(t, st.Stereo(0.2, 4))
	g, _, err := st.Render(t.Context(), 1, Options{Workers: 1})
	require.NoError(t, err)
	defer g.Close()
	require.InDelta(t, centre(t, g.Screen(pipeline.ScreenTop)), centre(t, g.Screen(pipeline.ScreenTopRight)), 1.5)
	for _, text := range []string{
		"camera: {height: 2}", "target: {viewport: [0, 0, 8, 8]}", "passes: [{name: a, target: {width: 240, height: 400, screen: top}, draws: []}]",
		"target: {width: 240, height: 320, screen: bottom}", "passes: [{name: a, draws: []}]\ntarget: {share_color: a}",
	} {
		require.Error(t, stage(text+"\nmodels: {ball: {shape: sphere}}\ndraws: [{model: ball}]").Stereo(0.2, 4), text)
	}
	require.ErrorContains(t, stage("models: {ball: {shape: sphere}}\ndraws: [{model: ball}]").Stereo(0.2, 0), "converge at 0")
}
