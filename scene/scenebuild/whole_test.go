package scenebuild

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

// The default camera of a model shows its whole first animation: a triangle that moves away and back, by a morph target or its
// node, and a static one.
func TestDefaultCameraShowsWholeAnimation(t *testing.T) {
	var buf []byte
	for _, f := range []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 3, 0, 0, 0, 20, 0, 0, 0, 0, 0} {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(f))
	}
	text := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":%d,"uri":"data:application/octet-stream;base64,%s"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},{"buffer":0,"byteOffset":48,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5126,"count":3,"type":"SCALAR"},{"bufferView":2,"componentType":5126,"count":3,"type":"VEC3"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],
"animations":[{"samplers":[{"input":1,"output":2}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]}]}`, len(buf), base64.StdEncoding.EncodeToString(buf))
	m := testkit.Must(model.Read(fstest.MapFS{"a.gltf": {Data: []byte(text)}}, "a.gltf", "a.gltf"))(t)
	s := testkit.Must(ModelScene(m, "a.gltf"))(t)
	at, eye := s.Camera.At.At(0), s.Camera.Eye.At(0)
	require.InDelta(t, 10.3, at[0], 0.5, "the camera looks at the middle of the motion")
	require.InDelta(t, 0.5, at[1], 1e-6)
	require.Greater(t, eye[2]-at[2], 20.0, "the camera is far enough for 21 units")
	m.Animations = nil
	s = testkit.Must(ModelScene(m, "a.gltf"))(t)
	require.InDelta(t, 0.5, s.Camera.At.At(0)[0], 1e-6)
}
