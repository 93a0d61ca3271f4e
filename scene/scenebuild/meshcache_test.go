package scenebuild

import (
	"bytes"
	"image"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/assets/model"
	"pica200/tests/testkit"
)

// pictureOf draws a stage at 104x64.
func pictureOf(t *testing.T, st *Stage, at float64) *image.NRGBA {
	t.Helper()
	require.NoError(t, st.SetSize(104, 64))
	return pictureAt(t, st, at)
}

// morphing adds a morph target to each part of a model.
func morphing(t *testing.T, st *Stage) {
	for _, m := range st.models {
		for i := range m.Meshes {
			for k := range m.Meshes[i].Parts {
				p := m.Meshes[i].Parts[k]
				moved := model.Morph{Positions: make([]mgl32.Vec3, len(p.Positions))}
				for v := range moved.Positions {
					moved.Positions[v] = mgl32.Vec3{0.1, p.Positions[v][0], 0}
				}
				p.Morphs = append(p.Morphs, moved)
			}
		}
	}
}

// A reused stage, drawn at other times and from other cameras, draws the same as a new one, and its buffers do not accumulate.
func TestReusedStageDrawsLikeNew(t *testing.T) {
	const scenes = "../../testdata/scenes/"
	for name, load := range map[string]func() (*Stage, error){
		"skin": func() (*Stage, error) { return Load(scenes + "skin.yaml") },
		"cel":  func() (*Stage, error) { return Load(scenes + "cel.yaml") },
		"morph": func() (*Stage, error) {
			st, err := Load(scenes + "lit.yaml")
			if err == nil {
				morphing(t, st)
			}
			return st, err
		},
		// Its positions are screen positions: the buffer depends on the camera, which turns.
		"through": func() (*Stage, error) {
			st, err := openShader("testdata/shaders/pass-through.v.pica", nil)
			if err == nil {
				st.Turntable(4)
			}
			return st, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			used := testkit.Must(load())(t)
			weigh := func(st *Stage, at float64) {
				for _, m := range st.models {
					for i := range m.Nodes {
						if name == "morph" {
							m.Nodes[i].Weights = []float32{float32(at)}
						}
					}
				}
			}
			var first []byte
			most := 0
			for i, at := range []float64{0, 0.5, 1, 0.5, 0, 1.5} {
				weigh(used, at)
				got := pictureOf(t, used, at)
				fresh := testkit.Must(load())(t)
				weigh(fresh, at)
				require.True(t, bytes.Equal(pictureOf(t, fresh, at).Pix, got.Pix), "at %g, drawing %d", at, i)
				require.Equal(t, len(fresh.meshes.buffers), len(used.meshes.buffers))
				require.Equal(t, len(fresh.meshes.bones), len(used.meshes.bones))
				if most = max(most, len(used.meshes.buffers)); first == nil {
					first = got.Pix
				} else if at == 1 {
					require.False(t, bytes.Equal(first, got.Pix), "the picture at another time differs")
				}
			}
			require.Positive(t, most)
		})
	}
}

// Buffers of unchanged data are packed once.
func TestUnchangedBuffersArePackedOnce(t *testing.T) {
	var k meshCache
	part, other := &model.Part{}, &model.Part{}
	packed := 0
	pack := func() []byte { packed++; return []byte{byte(packed)} }
	k.begin()
	one := k.buffer(bufferKey{part, "position"}, pack)
	k.end()
	k.begin()
	require.Equal(t, one, k.buffer(bufferKey{part, "position"}, pack))
	require.Equal(t, 1, packed)
	require.NotEqual(t, one, k.buffer(bufferKey{part, "normal"}, pack), "another stream has its own buffer")
	require.NotEqual(t, one, k.buffer(bufferKey{other, "position"}, pack), "another part has its own buffer")
	k.end()
	require.Len(t, k.buffers, 3)
	k.begin()
	k.end()
	require.Empty(t, k.buffers, "unused buffers are dropped")
}
