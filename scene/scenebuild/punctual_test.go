package scenebuild

import (
	"image"
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/scene"
	"pica200/tests/testkit"
)

// lighted is a model with a turning node 1, for a camera or a light at (0, 0, 5) that looks along -z.
func lighted() *model.Model {
	m := single(wedge())
	m.Nodes = append(m.Nodes, model.Node{Parent: -1, Mesh: -1, Skin: -1, TRS: model.Identity})
	m.Nodes[1].TRS.T = mgl32.Vec3{0, 0, 5}
	return m
}

// Cameras of a model are chosen by name or number. They follow their nodes; the draw places them; a missing far plane lies behind the model.
func TestModelCameras(t *testing.T) {
	m := lighted()
	m.Cameras = []model.Camera{{Name: "eye", Node: 1, Fovy: 30, Near: 0.5}, {Node: 1, Height: 3, Near: 1, Far: 9}}
	m.Animations = []model.Animation{{Name: "up", Duration: 2, Channels: []model.Channel{{Node: 1, Path: model.Translation, Times: []float32{0, 2}, Values: []float32{0, 0, 5, 0, 4, 5}}}}}
	st := testkit.Must(newModel(m, "m.gltf"))(t)
	require.Equal(t, []string{"eye", "1"}, st.Cameras())
	require.EqualError(t, st.SetCamera("2"), `there is no camera "2"; choose from whole, eye, 1`)
	whole := st.Scene.Camera
	require.NoError(t, st.SetCamera("eye"))
	c := st.Scene.Camera
	for _, at := range []float64{0, 0.5, 1.5, 2.5} {
		y := 2 * math.Mod(at, 2)
		require.InDeltaSlice(t, []float64{0, y, 5}, c.Eye.At(at), 1e-3, at)
		toward := c.At.Vec3(at, mgl64.Vec3{}).Sub(c.Eye.Vec3(at, mgl64.Vec3{}))
		require.InDelta(t, -toward.Len(), toward[2], 1e-9)
	}
	require.Equal(t, []float64{30}, c.Fovy.At(0))
	require.Equal(t, 0.5, c.Near)
	require.Greater(t, c.Far, 6.0)
	pictureOf(t, st, 1)
	st.Scene.Draws[0].At = c.Up
	require.NoError(t, st.SetCamera("1"))
	c = st.Scene.Camera
	require.InDeltaSlice(t, []float64{0, 1, 5}, c.Eye.At(0), 1e-9)
	require.Equal(t, []float64{3}, c.Height.At(0))
	require.Equal(t, []float64{1, 9}, []float64{c.Near, c.Far})
	pictureOf(t, st, 1)
	st.Scene.Draws[0].At = nil
	m.Nodes = append(m.Nodes, make([]model.Node, 1<<15)...)
	require.NoError(t, st.SetCamera("eye"))
	require.Equal(t, 32, len(st.Scene.Camera.Eye.Keys), "its work is bounded")
	m.Nodes = m.Nodes[:2]
	require.NoError(t, st.SetCamera("whole"))
	require.InDeltaSlice(t, whole.Eye.At(0), st.Scene.Camera.Eye.At(0), 1e-5)
}

// Lights of a model light it: where they are and look to, as bright as distance and cone leave of them; the eight brightest of many.
func TestModelLights(t *testing.T) {
	lit := func(l ...model.Light) *Stage {
		m := lighted()
		for i := range l {
			l[i].Node = 1
		}
		m.Lights = l
		st := testkit.Must(newModel(m, "m.gltf"))(t)
		pictureOf(t, st, 0)
		return st
	}
	table := func(st *Stage, i int, x float64) float64 {
		v := st.Scene.Tables[i].Make(257)
		return float64(v[int(x*256)])
	}
	white := mgl32.Vec3{1, 1, 1}
	st := lit(model.Light{Color: mgl32.Vec3{1, 0.25, 0}, Intensity: 3})
	require.Equal(t, []float64{0, 0, 1}, st.Scene.Lights[0].Direction.At(0))
	require.InDeltaSlice(t, []float64{0.9797, 0.5258, 0}, st.Scene.Lights[0].Diffuse.At(0), 1e-3, "3/pi, and a quarter of it, as sRGB")
	// The middle of the wedge is 4.8 away; its light is as bright as the exposure makes it, half as far away four times as bright.
	st = lit(model.Light{Kind: model.PointLight, Color: white, Intensity: 1e6}, model.Light{Kind: model.PointLight, Color: white, Intensity: 1, Range: 2})
	require.Len(t, st.Scene.Lights, 2)
	require.InDelta(t, 1, st.Scene.Lights[0].Diffuse.At(0)[0], 1e-3)
	require.InDelta(t, 0, st.Scene.Lights[1].Diffuse.At(0)[0], 1e-3, "its range ends before the model")
	reach := 1 / st.Scene.Lights[0].Uniforms[2].Values[0].(float64)
	require.InDelta(t, 1, table(st, 0, 4.8/reach), 0.03)
	require.InDelta(t, model.ToDisplay(math.Pow(4.8/7.2, 2)), table(st, 0, 7.2/reach), 0.03)
	st = lit(model.Light{Kind: model.SpotLight, Color: white, Intensity: 100, Inner: 0.2, Outer: 0.6})
	require.Equal(t, []float64{0, 0, -1}, st.Scene.Lights[0].Spot.At(0))
	points := st.Scene.Tables[1].Points
	require.InDelta(t, math.Cos(0.6), points[1][0], 1e-6)
	require.Equal(t, 0.0, points[1][1])
	require.InDelta(t, math.Cos(0.2), points[33][0], 1e-6)
	require.InDelta(t, 1, points[33][1], 1e-6)
	many := make([]model.Light, 20)
	for i := range many {
		many[i] = model.Light{Color: white, Intensity: float64(i)}
	}
	st = lit(many...)
	require.Len(t, st.Scene.Lights, 8)
	require.Equal(t, []string{"the model has 20 lights; the 8 brightest are drawn"}, st.Warnings)
	require.InDelta(t, model.ToDisplay(19.0/(19+18+17+16+15+14+13+12)), st.Scene.Lights[0].Diffuse.At(0)[0], 1e-3)
	require.Len(t, lit().Scene.Lights, 2, "the viewer's")
}

// The scene of a model with lights and a camera, written to a file, shows the same.
func TestModelLightsAreWritten(t *testing.T) {
	m := lighted()
	m.Lights = []model.Light{{Kind: model.SpotLight, Node: 1, Color: mgl32.Vec3{1, 1, 0.5}, Intensity: 100, Inner: 0.1, Outer: 0.4}, {Node: 1, Color: mgl32.Vec3{0.5, 0.5, 1}, Intensity: 0.5}}
	m.Animations = []model.Animation{{Name: "up", Duration: 2, Channels: []model.Channel{{Node: 1, Path: model.Translation, Times: []float32{0, 2}, Values: []float32{0, 0, 5, 0, 4, 5}}}}}
	st := testkit.Must(newModel(m, "m.gltf"))(t)
	s := testkit.Must(scene.Parse("m.yaml", st.Text))(t)
	again := newStage(s)
	again.use("model", m)
	same(t, [2]*image.NRGBA{pictureOf(t, st, 1), pictureOf(t, again, 1)})
}
