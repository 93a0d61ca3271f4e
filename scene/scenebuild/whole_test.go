package scenebuild

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"path/filepath"
	"strings"
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

// Stored results for each of our scenes and some shaders with generated scenes: GPU input, names of draws, and notes.
func TestSceneDrawChecksums(t *testing.T) {
	var b strings.Builder
	for _, pattern := range []string{"../../testdata/scenes/*.*", "../../serve/examples/*.yaml", "testdata/shaders/*.pica"} {
		paths := testkit.Must(filepath.Glob(pattern))(t)
		require.NotEmpty(t, paths)
		for i, path := range paths {
			if strings.HasSuffix(path, ".pica") && i%3 != 0 {
				continue // each draws a stand-in model, which is slow to build
			}
			st, err := Load(path)
			fmt.Fprintf(&b, "%s: %v\n", filepath.Base(path), err)
			if err != nil {
				continue
			}
			fmt.Fprintf(&b, "  warnings %q\n  animations %q, cameras %q, %g s, screens %v, resources %v, strict %v\n", st.Warnings, st.Animations(), st.Cameras(), st.Duration(), st.Screens(), st.HasResources(), st.Strict())
			dev := &testkit.Device{}
			draws, err := st.Draw(t.Context(), dev, 0.7)
			fmt.Fprintf(&b, "  %q: %v %v\n  notes %q\n  remarks %q\n", draws, dev, err, st.Notes(), st.Remarks())
		}
	}
	testkit.Golden(t, "testdata/scenes.txt", []byte(b.String()))
}

// Stored results of drawing with another animation, camera, size, turntable or stereo.
func TestRenderOptionChecksums(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"models/kit.cgfx", "models/more.cgfx", "scenes/skin.yaml", "scenes/arm.gltf", "scenes/stereo.yaml"} {
		for _, c := range []struct {
			what   string
			choose func(st *Stage) error
		}{
			{"nothing", func(*Stage) error { return nil }},
			{"no animation", func(st *Stage) error { return st.SetAnimation("none") }},
			{"the first animation", func(st *Stage) error { return st.SetAnimation("0") }},
			{"COMMON", func(st *Stage) error { return st.SetAnimation("COMMON") }},
			{"sway", func(st *Stage) error { return st.SetAnimation("sway") }},
			{"an unknown animation", func(st *Stage) error { return st.SetAnimation("what") }},
			{"camera whole", func(st *Stage) error { return st.SetCamera("whole") }},
			{"camera Side", func(st *Stage) error { return st.SetCamera("Side") }},
			{"camera 2", func(st *Stage) error { return st.SetCamera("2") }},
			{"camera menu", func(st *Stage) error { return st.SetCamera("menu") }},
			{"an unknown camera", func(st *Stage) error { return st.SetCamera("what") }},
			{"turntable", func(st *Stage) error { st.Turntable(5); return nil }},
			{"96x48", func(st *Stage) error { return st.SetSize(96, 48) }},
			{"5x9", func(st *Stage) error { return st.SetSize(5, 9) }},
			{"2000x8", func(st *Stage) error { return st.SetSize(2000, 8) }},
			{"eyes", func(st *Stage) error { return st.Stereo(0.25, 6) }},
			{"eyes that meet nowhere", func(st *Stage) error { return st.Stereo(0.25, -1) }},
		} {
			st := testkit.Must(Load("../../testdata/" + name))(t)
			err := c.choose(st)
			fmt.Fprintf(&b, "%s, %s: %v", name, c.what, err)
			if err == nil {
				dev := &testkit.Device{}
				draws, err := st.Draw(t.Context(), dev, 0.4)
				fmt.Fprintf(&b, " %d draws, %v %v, %g s, screens %v, notes %q", len(draws), dev, err, st.Duration(), st.Screens(), st.Notes())
			}
			b.WriteString("\n")
		}
	}
	testkit.Golden(t, "testdata/choices.txt", []byte(b.String()))
}
