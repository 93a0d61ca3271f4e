package model

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/stretchr/testify/require"

	"pica200/tests/testkit"
)

// packBytes encodes at most 16 elements of attributes as uncompressed differences.
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

// A file with compressed vertices and indices and a placeholder buffer, with floats and with quantized numbers.
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
		m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
		require.Equal(t, []uint16{0, 1, 1}, m.Meshes[0].Parts[0].Indices)
		require.Equal(t, c.want, m.Meshes[0].Parts[0].Positions[2])
	}
}

// Sparse accessors with index types of every kind, for vertices and indices, over values and over zeros.
func TestSparseAccessors(t *testing.T) {
	for kind, place := range map[int]string{5121: "\x02", 5123: "\x02\x00", 5125: "\x02\x00\x00\x00"} {
		buf := append(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0), place+strings.Repeat("\x00", 4-len(place))...)
		buf = append(buf, f32s(5, 6, 7)...)
		buf = append(buf, 0, 0, 1, 0, 1, 0, 1, 0) // the indices and the replacement of the third
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
			m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
			p := m.Meshes[0].Parts[0]
			require.Equal(t, []mgl32.Vec3{{}, over.first, {5, 6, 7}}, p.Positions)
			require.Equal(t, []uint16{0, over.index, 2}, p.Indices)
		}
	}
}

// Each texture of a material has its image, its set of coordinates (that of KHR_texture_transform first), its transformation and its
// sampler. They are written as they were read.
func TestMaterialTextures(t *testing.T) {
	text := triangle(`,"extensionsRequired":["KHR_texture_transform"],"materials":[{"doubleSided":true,"alphaMode":"MASK","alphaCutoff":0.25,"emissiveFactor":[0,1,0],
"pbrMetallicRoughness":{"metallicFactor":0.75,"roughnessFactor":0.5,"baseColorTexture":{"index":0,"texCoord":1},
"metallicRoughnessTexture":{"index":1,"texCoord":1,"extensions":{"KHR_texture_transform":{"texCoord":2,"rotation":1.5,"scale":[2,4],"offset":[0.5,0.25]}}}},
"normalTexture":{"index":1,"scale":0.5,"extensions":{"KHR_texture_transform":{"offset":[0.5,0.125]}}},
"emissiveTexture":{"index":0,"extensions":{"KHR_texture_transform":{}}},"occlusionTexture":{"index":1,"texCoord":1,"strength":0.25}},{}],
"samplers":[{"wrapS":33071,"wrapT":33648,"magFilter":9728,"minFilter":9987}],"textures":[{"source":0,"sampler":0},{"source":1}],
"images":[{"uri":"` + dataURI(lyingPNG(1, 1)) + `"},{"uri":"` + dataURI(lyingPNG(1, 1)) + `"}]`)
	m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
	want := DefaultMaterial()
	want.Name, want.DoubleSided, want.Alpha, want.Cutoff, want.Emissive = "", true, Mask, 0.25, mgl32.Vec3{0, 1, 0}
	want.Metallic, want.Roughness, want.NormalScale = 0.75, 0.5, 0.5
	sampled := Sampler{WrapU: ClampToEdge, WrapV: MirroredRepeat, MinLinear: true, Mipmaps: true, MipLinear: true}
	want.Base = Texture{Image: 0, UV: 1, Sampler: sampled}
	want.Normal = Texture{Image: 1, Sampler: defaultSampler, Transform: &Transform{Offset: [2]float64{0.5, 0.125}, Scale: [2]float64{1, 1}}}
	want.EmissiveMap = Texture{Image: 0, Sampler: sampled}
	want.MetalMap = Texture{Image: 1, UV: 2, Sampler: defaultSampler, Transform: &Transform{Offset: [2]float64{0.5, 0.25}, Scale: [2]float64{2, 4}, Rotation: 1.5}}
	want.OcclusionMap, want.Occlusion = Texture{Image: 1, UV: 1, Sampler: defaultSampler}, 0.25
	require.Equal(t, want, m.Materials[0])
	require.Empty(t, m.Notes)
	data := testkit.Must(EncodeGLB(m))(t)
	again := testkit.Must(read(t, map[string]string{"a.glb": string(data)}, "a.glb"))(t)
	require.Equal(t, m.Materials, again.Materials)
	require.Empty(t, again.Notes)
}

// A material reads any three of a mesh's sets of coordinates; the least important texture that needs a fourth is left out.
func TestSetsOfCoordinates(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle(`,"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":5},"metallicRoughnessTexture":{"index":0,"texCoord":1}},
"normalTexture":{"index":0,"texCoord":4},"emissiveTexture":{"index":0,"texCoord":3}}],"textures":[{"source":0}],"images":[{"uri":"` + dataURI(lyingPNG(1, 1)) + `"}]`)}, "a.gltf"))(t)
	var sets []int
	for _, of := range m.Materials[0].Textures() {
		sets = append(sets, of.Image, of.UV)
	}
	require.Equal(t, []int{0, 2, 0, 0, -1, 0, 0, 1, -1, 0}, sets)
	require.Equal(t, []string{"a texture is left out, because its material reads more than three sets of coordinates"}, m.Notes)
}

// Linear factors of glTF become sRGB and are written back as linear; alpha is unchanged. Unknown extensions are noted once, also
// required ones of materials and lights.
func TestLinearFactorsToSRGB(t *testing.T) {
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle(`,"extensionsUsed":["KHR_materials_clearcoat","KHR_materials_unlit","X","KHR_lights_punctual"],"extensionsRequired":["KHR_materials_clearcoat","KHR_lights_punctual"],"materials":[{"emissiveFactor":[0.214041,0.002,1],"pbrMetallicRoughness":{"baseColorFactor":[0.5,0.033105,0,0.25]}}]`)}, "a.gltf"))(t)
	a := m.Materials[0]
	for k, want := range [4]float32{0.735357, 0.2, 0, 0.25} {
		require.InDelta(t, want, a.BaseColor[k], 1e-4)
	}
	for k, want := range [3]float32{0.5, 0.02584, 1} {
		require.InDelta(t, want, a.Emissive[k], 1e-4)
	}
	require.Equal(t, []string{"extensions that are not read: X"}, m.Notes)
	data := testkit.Must(EncodeGLB(m))(t)
	again := testkit.Must(read(t, map[string]string{"b.glb": string(data)}, "b.glb"))(t)
	for k := range 4 {
		require.InDelta(t, a.BaseColor[k], again.Materials[0].BaseColor[k], 1e-6)
	}
}

// Invalid models: other versions, chunks in another order, invalid addresses, sizes beyond the limits.
func TestInvalidModelsAreRefused(t *testing.T) {
	channel := func(target string) string {
		return triangle(`,"animations":[{"channels":[{"sampler":0,"target":`+target+`}],"samplers":[{"input":1,"output":2}]}]`,
			`"type":"VEC3"}]`, `"type":"VEC3"},{"bufferView":0,"byteOffset":8,"componentType":5126,"count":2,"type":"SCALAR"},{"bufferView":0,"componentType":5126,"count":2,"type":"VEC3"}]`)
	}
	for _, c := range []struct{ text, want string }{
		{triangle("", `"2.0"`, `"3.0"`), `glTF version "3.0"; version 2.0 is read`},
		{triangle("", `"2.0"`, `"2.9"`), ""},
		{triangle(`,"animations":[{"channels":[null],"samplers":[]}]`), "animation 0: a channel or sampler is null"},
		{triangle(`,"animations":[{"channels":[],"samplers":[null]}]`), "animation 0: a channel or sampler is null"},
		{triangle("", ";base64,", ";base32,"), "buffer 0: a data URI that is not base64"},
		{triangle("", ";base64,", ";base64,!"), "buffer 0: a damaged data URI: illegal base64 data at input byte 0"},
		{triangle("", `"uri":"data:application`, `"uri":"a%zz","x":"`), `buffer 0: missing or damaged URI "a%zz"`},
		{triangle("", `"uri":"data:application`, `"uri":"b.bin:c","x":"`), `buffer 0: open b.bin:c`},
		{triangle(`,"scenes":[{"nodes":[1]}]`), "scene: node 1 of 1"},
		{triangle(`,"scenes":[{"nodes":[-1]}]`), "scene: node -1 of 1"},
		{triangle("", dataURI(f32s(0, 0, 0, 1, 0, 0, 0, 1, 0)), dataURI(f32s(0, 0, 0, 1, 0, 0, 0, float32(math.Inf(1)), 0))), "accessor 0: element 2 is not a finite number"},
		{triangle(`,"skins":[{"joints":[0,0],"inverseBindMatrices":1}]`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5126,"count":1,"type":"MAT4"}]`), "skin 0: 1 inverse bind matrices for 2 joints"},
		{triangle(`,"skins":[{"joints":[0],"inverseBindMatrices":1}]`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5126,"count":1,"type":"MAT4"}]`), ""},
		{channel(`{"node":0,"path":"translation"}`), ""},
		{triangle(`,"materials":[{"pbrMetallicRoughness":{"metallicRoughnessTexture":{"index":3}}}]`), "material 0 (): metallic-roughness texture: texture 3 of 0"},
		{triangle(`,"materials":[{"emissiveTexture":{"index":3}}]`), "emissive texture: texture 3 of 0"},
		{channel(`{"node":1,"path":"translation"}`), "node 1 of 1"},
		{"glTF\x01\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00JSON", "offset 4: binary glTF version 1; version 2 is read"},
		{"glTF\x02\x00\x00\x00\x14\x00\x00\x00\x00\x00\x00\x00BIN\x00", "offset 12: the first chunk is not JSON"},
		{"glTF\x02\x00\x00\x00\x15\x00\x00\x00\x00\x00\x00\x00JSON", "offset 8: the header says 21 bytes, the file has 20"},
	} {
		_, err := read(t, map[string]string{"a.gltf": c.text}, "a.gltf")
		if c.want == "" {
			require.NoError(t, err, c.text[:min(len(c.text), 900)])
		} else {
			require.ErrorContains(t, err, c.want, c.text[:min(len(c.text), 900)])
		}
	}
	notes := func(text string) string {
		m := testkit.Must(read(t, map[string]string{"a.gltf": text}, "a.gltf"))(t)
		return strings.Join(m.Notes, "; ")
	}
	require.Contains(t, notes(triangle("", `"POSITION":0`, `"POSITION":0,"JOINTS_0":1`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5123,"count":3,"type":"VEC4"}]`)),
		"joints without weights, or weights without joints, are left out")
	require.Contains(t, notes(triangle("", `"POSITION":0`, `"POSITION":0,"WEIGHTS_0":1`, `"type":"VEC3"}]`, `"type":"VEC3"},{"componentType":5126,"count":3,"type":"VEC4"}]`)),
		"joints without weights, or weights without joints, are left out")
	m := testkit.Must(read(t, map[string]string{"a.gltf": triangle("", `[{"mesh":0}]`, `[{"mesh":0,"weights":[0.5,2]}]`)}, "a.gltf"))(t)
	require.Equal(t, []float32{0.5, 2}, m.Nodes[0].Weights)
	// Weights of zero belong to the first joint.
	m = testkit.Must(read(t, map[string]string{"a.gltf": triangle("", `"POSITION":0`, `"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2`, `"type":"VEC3"}]`,
		`"type":"VEC3"},{"componentType":5123,"count":3,"type":"VEC4"},{"componentType":5126,"count":3,"type":"VEC4"}]`)}, "a.gltf"))(t)
	require.Equal(t, []mgl32.Vec4{{1, 0, 0, 0}, {1, 0, 0, 0}, {1, 0, 0, 0}}, m.Meshes[0].Parts[0].Weights)

	// Files: unknown formats, folders, too long ones.
	_, err := read(t, map[string]string{"a.txt": "hello"}, "a.txt")
	require.ErrorContains(t, err, "a.txt: neither glTF (.gltf, .glb) nor Wavefront OBJ (.obj)")
	_, err = read(t, map[string]string{"a.gltf/b": "hello"}, "a.gltf")
	require.ErrorContains(t, err, "a.gltf: not a regular file")
	long := "#" + strings.Repeat("a", maxLine/2)
	_, err = read(t, map[string]string{"a.obj": "v 0 0 0\n" + long + "\\\n" + long + "\\\n1 2 3\n"}, "a.obj")
	require.ErrorContains(t, err, fmt.Sprintf("line 2: longer than %d bytes", maxLine))
	_, err = read(t, map[string]string{"a.obj": "v 0 0 0\n\n" + long + long}, "a.obj")
	require.ErrorContains(t, err, "line 3: bufio.Scanner: token too long")
	m = testkit.Must(read(t, map[string]string{"a.obj": "v 0 0 0\nv 1 0 0 0.5 0.25 1\nv 0 1 0\nf 1 2 3\ncurv 1\nend\np 1\n"}, "a.obj"))(t)
	require.Equal(t, []mgl32.Vec4{{1, 1, 1, 1}, {0.5, 0.25, 1, 1}, {1, 1, 1, 1}}, m.Meshes[0].Parts[0].Colors)
	require.Equal(t, []string{"free-form curves and surfaces are left out", "points and lines are left out"}, m.Notes)
}
