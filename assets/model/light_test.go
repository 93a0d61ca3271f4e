package model

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// Cameras and lights are read where nodes place them, with the defaults of the specification; wrong numbers name none.
func TestCamerasAndLights(t *testing.T) {
	text := triangle(`,"cameras":[{"name":"a","type":"perspective","perspective":{"yfov":1.5707963267948966,"znear":0.5}},{"type":"orthographic","orthographic":{"xmag":3,"ymag":2,"znear":0.25,"zfar":8}},{"type":"perspective"}],
"extensionsUsed":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","intensity":2,"range":0},{"type":"spot","name":"s","color":[1,0.5,0],"range":5},{"type":"directional"}]}},
"scenes":[{"nodes":[0,1,2,3,4]}],"nodes":[{"mesh":0},{"name":"n","camera":0,"extensions":{"KHR_lights_punctual":{"light":0}}},{"camera":1,"extensions":{"KHR_lights_punctual":{"light":1}}},
{"camera":2,"extensions":{"KHR_lights_punctual":{"light":7}}},{"camera":9,"extensions":{"KHR_lights_punctual":{"light":2}}},{"camera":0}]`)
	m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
	require.Equal(t, []Camera{{"n", 1, 90, 0, 0.5, 0}, {"", 2, 0, 4, 0.25, 8}}, m.Cameras)
	require.Equal(t, []Light{{"n", 1, PointLight, mgl32.Vec3{1, 1, 1}, 2, 0, 0, 0}, {"s", 2, SpotLight, mgl32.Vec3{1, 0.5, 0}, 1, 5, 0, math.Pi / 4},
		{"", 4, Directional, mgl32.Vec3{1, 1, 1}, 1, 0, 0, 0}}, m.Lights)
	require.Equal(t, []string{"a camera without a field of view is left out"}, m.Notes)
	require.Equal(t, 0.0, m.Lights[1].Falloff(5))
	require.InDelta(t, 0.25*15/16, m.Lights[1].Falloff(2.5)*0.25*6.25, 1e-9)
}
