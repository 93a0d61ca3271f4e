package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"
)

// packBytes is a stream of attributes of at most 16 elements whose differences stand as they are.
func packBytes(data []byte, stride int) []byte {
	out := []byte{0xA0}
	for b := range stride {
		out = append(out, 3)
		var group [16]byte
		for e, last := 0, byte(0); e < len(data)/stride; e++ {
			d := int8(data[e*stride+b] - last)
			last = data[e*stride+b]
			group[e] = byte(d<<1) ^ byte(d>>7)
		}
		out = append(out, group[:]...)
	}
	return append(out, make([]byte, max(32, stride))...)
}

// A file whose vertices and indices are compressed, with a buffer that only stands in for what
// is unpacked; and the same in quantized numbers.
func TestReadCompressed(t *testing.T) {
	positions := packBytes(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0), 12)
	small := packBytes([]byte{0, 0, 0, 9, 127, 0, 0, 9, 0, 129, 0, 9}, 4) // -127 is -1
	indices := []byte{0xE1, 0xFE, 0xF0, 2, 0}                             // the third corner by its difference
	indices[2] = 0x0F
	indices = append(indices[:4], make([]byte, 16)...)
	for _, c := range []struct {
		extension, accessor string
		data                []byte
		stride              int
		want                mgl32.Vec3
	}{
		{meshoptEXT, `"componentType":5126`, positions, 12, mgl32.Vec3{0, 1, 0}},
		{meshoptKHR, `"componentType":5126`, positions, 12, mgl32.Vec3{0, 1, 0}},
		{meshoptEXT, `"componentType":5120,"normalized":true`, small, 4, mgl32.Vec3{0, -1, 0}},
		{meshoptEXT, `"componentType":5120`, small, 4, mgl32.Vec3{0, -127, 0}},
	} {
		buf := append(append([]byte(nil), c.data...), indices...)
		text := fmt.Sprintf(`{"asset":{"version":"2.0"},"extensionsUsed":[%q],"extensionsRequired":[%q,"KHR_mesh_quantization"],
"buffers":[{"byteLength":%d,"uri":%q},{"byteLength":44,"extensions":{%q:{"fallback":true}}}],
"bufferViews":[{"buffer":1,"byteLength":%d,"byteStride":%d,"extensions":{%q:{"buffer":0,"byteLength":%d,"byteStride":%d,"count":3,"mode":"ATTRIBUTES"}}},
{"buffer":1,"byteOffset":36,"byteLength":6,"extensions":{%q:{"buffer":0,"byteOffset":%d,"byteLength":%d,"byteStride":2,"count":3,"mode":"TRIANGLES"}}}],
"accessors":[{"bufferView":0,%s,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0},"indices":1}]}],"nodes":[{"mesh":0}]}`, c.extension, c.extension, len(buf), dataURI(buf), c.extension,
			3*c.stride, c.stride, c.extension, len(c.data), c.stride, c.extension, len(c.data), len(indices), c.accessor)
		m, err := read(t, map[string]string{"a.gltf": text}, "a.gltf")
		require.NoError(t, err)
		require.Equal(t, []uint16{0, 1, 1}, m.Meshes[0].Parts[0].Indices)
		require.Equal(t, c.want, m.Meshes[0].Parts[0].Positions[2])
	}
}

// Sparse accessors with places of every kind, of numbers and of indices, over values and over
// nothing.
func TestSparse(t *testing.T) {
	for kind, place := range map[int]string{5121: "\x02", 5123: "\x02\x00", 5125: "\x02\x00\x00\x00"} {
		buf := append(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0), place+strings.Repeat("\x00", 4-len(place))...)
		buf = append(buf, f32s(5, 6, 7)...)
		buf = append(buf, 0, 0, 1, 0, 1, 0, 1, 0) // indices and what replaces the third
		buf[len(buf)-2] = 2
		for _, over := range []struct {
			view  string
			first mgl32.Vec3
			index uint16
		}{{`"bufferView":%d,`, mgl32.Vec3{1, 0, 0}, 1}, {"", mgl32.Vec3{}, 0}} {
			view := func(i int) string {
				if over.view == "" {
					return ""
				}
				return fmt.Sprintf(over.view, i)
			}
			text := fmt.Sprintf(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":%d,"uri":%q}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":4},{"buffer":0,"byteOffset":40,"byteLength":12},{"buffer":0,"byteOffset":52,"byteLength":6},{"buffer":0,"byteOffset":58,"byteLength":2}],
"accessors":[{%s"componentType":5126,"count":3,"type":"VEC3","sparse":{"count":1,"indices":{"bufferView":1,"componentType":%d},"values":{"bufferView":2}}},
{%s"componentType":5123,"count":3,"type":"SCALAR","sparse":{"count":1,"indices":{"bufferView":1,"componentType":%d},"values":{"bufferView":4}}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"NORMAL":0},"indices":1}]}],"nodes":[{"mesh":0}]}`, len(buf), dataURI(buf), view(0), kind, view(3), kind)
			m, err := read(t, map[string]string{"a.gltf": text}, "a.gltf")
			require.NoError(t, err)
			p := m.Meshes[0].Parts[0]
			require.Equal(t, []mgl32.Vec3{{}, over.first, {5, 6, 7}}, p.Positions)
			require.Equal(t, []uint16{0, over.index, 2}, p.Indices)
		}
	}
}

// Texture coordinates as KHR_texture_transform moves them: scaled, turned counter-clockwise as
// pictures lie, moved; another set, of the texture or of the transform.
func TestTextureTransform(t *testing.T) {
	buf := f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)
	uv0, uv1 := f32s(0.25, 0.5, 1, 0, 0, 1), f32s(0.125, 0.75, 0, 0, 1, 1)
	bin := append(append(append([]byte(nil), buf...), uv0...), uv1...)
	differ := "textures of a material whose coordinates differ from those of the first are drawn with those of the first"
	for _, c := range []struct {
		name, material string
		u, v           float32 // of the first vertex, from the top
		notes          []string
	}{
		{"none", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}`, 0.25, 0.5, nil},
		{"moved", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.5,0.125]}}}}`, 0.75, 0.625, nil},
		{"scaled and moved", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"offset":[0.5,0.125],"scale":[2,4]}}}}`, 1, 2.125, nil},
		{"turned", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"rotation":1.5707963267948966}}}}`, 0.5, -0.25, nil},
		{"all", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"rotation":1.5707963267948966,"scale":[2,4],"offset":[0.5,0.25]}}}}`, 2.5, -0.25, nil},
		{"a set of the texture", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":1}}`, 0.125, 0.75, nil},
		{"a set of the transform", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"texCoord":1,"offset":[1,0]}}}}`, 1.125, 0.75, nil},
		{"all textures alike", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"extensions":{"KHR_texture_transform":{"scale":[3,1]}}}},"normalTexture":{"index":0,"extensions":{"KHR_texture_transform":{"scale":[3,1]}}}`, 0.75, 0.5, nil},
		{"the other moved", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0}},"normalTexture":{"index":0,"extensions":{"KHR_texture_transform":{"scale":[3,1]}}}`, 0.25, 0.5, []string{differ}},
		{"emissive alone", `"emissiveFactor":[1,1,1],"emissiveTexture":{"index":0,"texCoord":1}`, 0.125, 0.75, nil},
		{"a set that is not there", `"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":2}}`, 0.25, 0.5, nil},
	} {
		text := fmt.Sprintf(`{"asset":{"version":"2.0"},"extensionsRequired":["KHR_texture_transform"],"buffers":[{"byteLength":%d,"uri":%q}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24},{"buffer":0,"byteOffset":60,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"},{"bufferView":2,"componentType":5126,"count":3,"type":"VEC2"}],
"textures":[{}],"materials":[{%s}],
"meshes":[{"primitives":[{"material":0,"attributes":{"POSITION":0,"TEXCOORD_0":1,"TEXCOORD_1":2}}]}],"nodes":[{"mesh":0}]}`, len(bin), dataURI(bin), c.material)
		m, err := read(t, map[string]string{"a.gltf": text}, "a.gltf")
		require.NoError(t, err, c.name)
		got := m.Meshes[0].Parts[0].UV[0][0]
		require.InDelta(t, c.u, got[0], 1e-6, c.name)
		require.InDelta(t, 1-c.v, got[1], 1e-6, c.name)
		require.Equal(t, append(c.notes, "a texture without an image that can be read is left out"), sortedNotes(m.Notes), c.name)
	}
}

func sortedNotes(notes []string) []string {
	for i, n := range notes {
		if strings.HasPrefix(n, "textures of") {
			notes[0], notes[i] = notes[i], notes[0]
		}
	}
	return notes
}

// Factors of glTF count light: they become what a screen shows, and are written back as light.
// Alpha stays. Extensions that nothing here reads are said once, required or not if they are of
// materials or lights.
func TestFactorsCountLight(t *testing.T) {
	m, err := read(t, map[string]string{"a.gltf": triangle(`,"extensionsUsed":["KHR_materials_clearcoat","KHR_materials_unlit","X","KHR_lights_punctual"],"extensionsRequired":["KHR_materials_clearcoat","KHR_lights_punctual"],"materials":[{"emissiveFactor":[0.214041,0.002,1],"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.033105,0,0.25]}}]`)}, "a.gltf")
	require.NoError(t, err)
	a := m.Materials[0]
	for k, want := range [4]float32{0.735357, 0.2, 0, 0.25} {
		require.InDelta(t, want, a.BaseColor[k], 1e-4)
	}
	for k, want := range [3]float32{0.5, 0.02584, 1} {
		require.InDelta(t, want, a.Emissive[k], 1e-4)
	}
	require.Equal(t, []string{"extensions that are not read: KHR_materials_clearcoat, X, KHR_lights_punctual"}, m.Notes)
	data, err := EncodeGLB(m)
	require.NoError(t, err)
	again, err := read(t, map[string]string{"b.glb": string(data)}, "b.glb")
	require.NoError(t, err)
	for k := range 4 {
		require.InDelta(t, a.BaseColor[k], again.Materials[0].BaseColor[k], 1e-6)
	}
}
